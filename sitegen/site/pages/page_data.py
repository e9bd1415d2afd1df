"""What all pages of a site share: the site, and indexes of its terms and their addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sitegen.addresses import urls
from sitegen.config.forges import Home, home_of
from sitegen.model import Source, grouped
from sitegen.model.terms import Life, Revision
from sitegen.site.comparisons import Event, SourceComparisons, by_source
from sitegen.site.pages import letters
from sitegen.site.site import Site

MAX_WORDINGS = 20_000
"""A site with more terms times releases than this is brief."""


@dataclass(frozen=True)
class PageData:
    """The site, and indexes that all pages share."""

    site: Site

    @cached_property
    def used_by(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of the terms whose current definitions refer to it, in order of
        name."""
        uses = []
        for life in self.current:
            for key in self.site.see_also[life.key]:
                if key != life.synonym_of:
                    uses.append((key, life.key))
        return grouped(uses)

    @cached_property
    def split_off(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of the terms that were split off from it."""
        splits = []
        for life in self.site.lives:
            for change in life.changes:
                if change.kind == "split" and change.other:
                    splits.append((change.other, life.key))
        return grouped(splits)

    @cached_property
    def synonyms(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of its synonyms, which show its definition."""
        return grouped((life.synonym_of, life.key) for life in self.site.lives if life.synonym_of)

    @cached_property
    def changes(self) -> Mapping[tuple[str, str], tuple[Event, ...]]:
        """(source id, release) to its changes, in order of term."""
        events = []
        for life in self.site.lives:
            for change in life.changes:
                events.append(((change.source, change.release), Event(life.key, change)))
        return grouped(events)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Source id to the source's title."""
        return {source.id: source.title for source in self.site.sources}

    @cached_property
    def current(self) -> tuple[Life, ...]:
        """The terms in force, in the order of A–Z."""
        return letters.listed(self.site.defined, self.site.language)

    @cached_property
    def current_by_letter(self) -> Mapping[str, tuple[Life, ...]]:
        """Letter to its terms in force, in order."""
        return letters.by_letter(self.current, self.site.language)

    @cached_property
    def removed_by_letter(self) -> Mapping[str, tuple[Life, ...]]:
        """Letter to its removed terms, in order."""
        return letters.by_letter(
            (life for life in self.site.lives if not life.is_defined), self.site.language
        )

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters that have their own pages in A–Z."""
        return letters.pages_of_a_to_z(self.site)

    @cached_property
    def superseded(self) -> Mapping[tuple[str, str, str], str]:
        """(term key, source id, release) to the address of the wording in force there, if it is no
        longer in force."""
        found = {}
        for life in self.site.lives:
            for course in life.term.dated_courses:
                for revision in course.revisions:
                    if revision.is_in_force:
                        continue
                    address = self.wording(life.key, revision)
                    for release in course.releases_of(revision):
                        found[life.key, course.source.id, release] = address
        return found

    @cached_property
    def comparisons(self) -> Mapping[str, SourceComparisons]:
        """Source id to the differences between its releases, of sources that have releases."""
        return {one.source.id: one for one in by_source(self.site)}

    @cached_property
    def unread(self) -> frozenset[tuple[str, str]]:
        """(source id, release name) of the releases without entries: their contents are unknown."""
        releases = self.site.release_of.items()
        return frozenset(place for place, release in releases if not release.entries)

    def is_read(self, release: str) -> bool:
        """True if a source could be read at a release."""
        for source, _ in self.site.releases(release):
            if (source.id, release) not in self.unread:
                return True
        return False

    @cached_property
    def home(self) -> Home | None:
        """The site's own repository on a forge, or None."""
        return home_of(self.site.repository)

    @cached_property
    def is_brief(self) -> bool:
        """True for a very large site, whose pages of releases leave out definitions."""
        return len(self.site.lives) * len(self.site.release_names()) > MAX_WORDINGS

    @cached_property
    def several_sources(self) -> bool:
        return len(self.site.dated_sources) > 1

    def title_if_several(self, source: Source) -> str:
        """Returns the title of a source if the site has several; a page about the only one does not
        repeat it."""
        return source.title if self.several_sources else ""

    def address(self, key: str) -> str:
        return urls.term(self.site.slugs[key])

    def revision(self, key: str, source: str, release: str) -> str:
        """Returns the address of a release on a term's page."""
        slug = self.site.slugs[key]
        return urls.term(slug, anchor=self.site.addresses.pages[slug].ids[source, release])

    def wording(self, key: str, revision: Revision) -> str:
        """Returns the address of a wording of a term: its frozen page, or else its event."""
        place = (key, revision.source, revision.first)
        return self.site.wordings.get(place) or self.revision(*place)

    def address_at(self, key: str, source: str, release: str) -> str:
        """Returns the address of what a term meant at a release: of the wording then in force, if
        it was superseded, else of the term."""
        return self.superseded.get((key, source, release)) or self.address(key)

    def absolute(self, address: str) -> str:
        """Returns an absolute address if the site has a base_url."""
        return self.site.base_url + address
