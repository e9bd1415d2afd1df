"""Addresses of terms: the pages at their slugs (`term_slugs`), the ids of releases on them, and the
frozen pages of their wordings.

What no term has any more is kept with its published words (`kept_pages`). `page_lines` has the
lines that publishing these addresses adds to the archive.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.config.tables import ChosenSlug
from sitegen.model import Entry, Problem, grouped
from sitegen.model.terms import Ids, Life
from sitegen.permanence.archive import (
    Archive,
    ArchivedPage,
    PublishedPage,
    SourceRelease,
    published_page,
)
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.published_entries import (
    EntryIndex,
    PublishedEntry,
    published_entries,
    release_id,
)
from sitegen.permanence.term_slugs import Slugs, sphinx_ids
from sitegen.text.names import did_you_mean, fold


@dataclass(frozen=True, kw_only=True)
class FrozenPage:
    """A wording that has an address of its own."""

    key: str
    """The key of the term."""
    address: str
    entry: Entry


class MovedEntry(NamedTuple):
    """A published entry of the page of a term, which another page shows now."""

    published: PublishedEntry
    key: str
    """The key of the term that has it now; empty if no term has it."""
    address: str = ""
    """The address of the frozen page with its words, if no term has it."""


@dataclass(frozen=True, kw_only=True)
class TermPage:
    """The page at one slug of a term."""

    key: str
    """The key of the term."""
    name: str
    """The name that the slug was given to. The page shows the present name of the term."""
    own_source: str
    """The source whose releases have short ids on the page (`release_id`)."""
    ids: Ids
    """(source id, release) to the HTML id of the release on the page."""
    published_ids: frozenset[str] = frozenset()
    """The ids of releases that were on the page when it was published."""
    moved: tuple[MovedEntry, ...] = ()
    """The entries that the page showed and another page shows now."""
    kept_ids: tuple[str, ...] = ()
    """The published ids that the page must keep although nothing on it uses them."""


@dataclass(frozen=True, kw_only=True)
class TermAddresses:
    """The addresses of the terms of a site."""

    slugs: Mapping[str, str]
    """Term key to the slug of its present name."""
    pages: Mapping[str, TermPage]
    """Every slug in use, also those of former names, to its page."""
    frozen: tuple[FrozenPage, ...]
    """The wordings that have a frozen page, by address."""
    sphinx_ids: Mapping[str, str]
    """The ids by which Sphinx linked to terms, to term keys."""
    lost: Mapping[str, PublishedPage]
    """The pages of terms and wordings that no term has any more, by address."""
    composed: ComposedSources = field(compare=False)
    index: EntryIndex = field(compare=False)

    @property
    def archive(self) -> Archive:
        """The archive of the composed sources."""
        return self.composed.archive

    @cached_property
    def former_slugs(self) -> Mapping[str, TermPage]:
        """The slugs of names that terms had once, to their pages."""
        return {slug: page for slug, page in self.pages.items() if self.slugs[page.key] != slug}


def term_addresses(
    lives: Collection[Life], composed: ComposedSources, *, chosen: Iterable[ChosenSlug] = ()
) -> TermAddresses:
    """Returns the addresses of all terms. `chosen` are the slugs that site.toml chooses for new
    names."""
    archive = composed.archive
    index = EntryIndex(lives, composed.following)
    slugs = Slugs(lives, archive, index, chosen)
    by_key = {life.key: life for life in lives}
    pages = _TermPages(by_key, archive, index, slugs).by_slug()

    # The frozen pages of wordings. Of two pages at one address, the published one counts.
    wordings = _wordings(pages.values(), archive)
    frozen = {
        **_frozen_revisions(lives, pages, slugs),
        **_published_frozen_pages(wordings, index),
    }

    # The published addresses of terms and wordings that no term has any more.
    lost: dict[str, PublishedPage] = {}
    for slug, key in sorted(slugs.owners.items()):
        if not key:
            lost[urls.term(slug)] = archive.by_address[urls.term(slug)]
    for address, page in wordings.items():
        if address not in frozen:
            lost[address] = page
    return TermAddresses(
        slugs={life.key: slugs.of_name[life.key, fold(life.name)] for life in lives},
        pages=pages,
        frozen=tuple(frozen[address] for address in sorted(frozen)),
        sphinx_ids=sphinx_ids(lives, slugs),
        lost=lost,
        composed=composed,
        index=index,
    )


def unused_slugs(chosen: Iterable[ChosenSlug], addresses: TermAddresses) -> Iterator[Problem]:
    """Yields a problem for each chosen slug that no address has."""
    names_and_slugs = [(fold(page.name), slug) for slug, page in addresses.pages.items()]
    for address, lost_page in addresses.lost.items():
        if urls.is_of_term(address):
            names_and_slugs.append((fold(lost_page.name), urls.slug_in(address)))
    slugs_of_name = grouped(names_and_slugs)
    known_names = {page.name for page in addresses.pages.values()}
    sources = {"", *[source.id for source in addresses.composed.sources]}
    for table in chosen:
        if table.source not in sources:
            continue  # it is about a translation, which has a site of its own
        slugs = slugs_of_name.get(fold(table.name), ())
        if table.slug in slugs:
            continue
        if slugs:
            found = f"is published as /{urls.term(slugs[0])} already"
            wanted = "remove the table"
        else:
            found = "is not the name of a term at any release"
            otherwise = "write the name as the glossary has it"
            wanted = did_you_mean(table.name, known_names, otherwise=otherwise)
        yield table.settings_problem(f"[[slug]] {table.name!r} {found}", wanted)


@dataclass(frozen=True)
class _TermPages:
    """Makes the pages of terms, with the ids on them."""

    lives: Mapping[str, Life]
    """By the keys of their terms."""
    archive: Archive
    index: EntryIndex
    slugs: Slugs

    def by_slug(self) -> Mapping[str, TermPage]:
        """Returns the pages of terms by their slugs."""
        pages = {}
        for slug, key in sorted(self.slugs.owners.items()):
            if key:
                pages[slug] = self._page(slug, self.lives[key])
        return pages

    def _page(self, slug: str, life: Life) -> TermPage:
        """Returns the page of a term at one of its slugs."""
        page = self.archive.by_address.get(urls.term(slug))
        lines = page.lines if page else ()
        own_source = self._own_source(life, page)
        ids = self._ids(life, own_source)

        # Each published entry is on this page, has moved to another one, or has left only its id.
        moved: list[MovedEntry] = []
        kept_ids: list[str] = []
        shown_ids = set()
        published = published_entries(lines, self.archive)
        for entry in published:
            if not entry.id:
                continue
            moved_entry = self._moved_entry(entry, slug, life.key)
            if moved_entry:
                moved.append(moved_entry)
            elif ids.get((entry.source, entry.reference.release)) == entry.id:
                shown_ids.add(entry.id)
            else:
                kept_ids.append(entry.id)

        # The id `r1.0` of an entry that is gone from this page leads to where it is now. If the
        # term has another entry in 1.0, the id of that one is `r1.0~2`.
        # An id of two entries stays with the one that is still here.
        moved_ids = {one.published.id for one in moved}
        taken_ids = (moved_ids - shown_ids).union(kept_ids)
        own_ids = {at: f"{id}~2" if id in taken_ids else id for at, id in ids.items()}
        return TermPage(
            key=life.key,
            name=self.slugs.names[slug],
            own_source=own_source,
            ids=own_ids,
            published_ids=frozenset([one.id for one in published]),
            moved=tuple(moved),
            kept_ids=tuple(dict.fromkeys(kept_ids)),
        )

    def _own_source(self, life: Life, page: PublishedPage | None) -> str:
        """Returns the source whose releases have short ids on a page. A published page keeps it. A
        new page has the first source of the term with releases; an empty id if there is none."""
        if page:
            return self.archive.present_id(page.source)
        dated = life.dated_courses
        return dated[0].source.id if dated else ""

    def _ids(self, life: Life, own_source: str) -> dict[SourceRelease, str]:
        """Returns the HTML ids of all releases of a term on a page (`release_id`)."""
        ids = {}
        for course in life.dated_courses:
            for release in course.releases:
                at = course.source.id, release
                ids[at] = release_id(at, own_source, self.archive)
        return ids

    def _moved_entry(self, entry: PublishedEntry, slug: str, key: str) -> MovedEntry | None:
        """Returns where a published entry of this page is now; None if the term of this page still
        has it, or if it was in no release. `key` is that of the term."""
        present = self.index.entry(entry.reference)
        if present and present.key == key:
            return None
        if present:
            return MovedEntry(entry, present.key)
        edition = self.archive.editions_of[entry.reference.at][0]
        if edition.unreleased:  # it is not kept
            return None
        no_term = ""
        return MovedEntry(entry, no_term, _frozen_address(slug, entry.id))


def _wordings(pages: Iterable[TermPage], archive: Archive) -> Mapping[str, PublishedPage]:
    """Returns frozen pages by address: those in the archive, and a new one for each published entry
    that no term has any more."""
    wordings = {}
    for address, wording in archive.by_address.items():
        if urls.is_of_wording(address):
            wordings[address] = wording
    for page in pages:
        for moved in page.moved:
            if not moved.address:
                continue  # another term has the entry
            reference = moved.published.reference
            line = ArchivedPage(address=moved.address, name=reference.name, entries=(reference,))
            # A page that is published at the address has this entry as well now.
            published = wordings.get(moved.address)
            lines = published.lines if published else ()
            wordings[moved.address] = published_page([*lines, line])
    return wordings


def _frozen_revisions(
    lives: Iterable[Life], pages: Mapping[str, TermPage], slugs: Slugs
) -> Mapping[str, FrozenPage]:
    """Returns a frozen page for each wording of a term, by its address. Wordings that are in no
    release yet can still change, and have none."""
    frozen = {}
    for life in lives:
        for revision in life.revisions:
            source = life.course(revision.source).source
            if source.undated or revision.first in source.unreleased:
                continue
            slug = slugs.of_name[life.key, fold(revision.entry.name)]
            address = _frozen_address(slug, pages[slug].ids[revision.source, revision.first])
            frozen[address] = FrozenPage(key=life.key, address=address, entry=revision.entry)
    return frozen


def _published_frozen_pages(
    wordings: Mapping[str, PublishedPage], index: EntryIndex
) -> Mapping[str, FrozenPage]:
    """Returns the published frozen pages by their addresses, if some term still has the entry. If
    an address has several entries, the first that a term has is shown."""
    frozen = {}
    for address, page in wordings.items():
        for line in page.lines:
            term_entry = index.entry(line.entries[0])  # the line of a wording has one entry
            if term_entry:
                frozen[address] = FrozenPage(
                    key=term_entry.key, address=address, entry=term_entry.entry
                )
                break
    return frozen


def _frozen_address(slug: str, id: str) -> str:
    """Returns the address of the wording that begins at the release with an id: `term/aten/1.8/` of
    `aten` and `r1.8`."""
    return urls.frozen(slug, id.removeprefix("r"))
