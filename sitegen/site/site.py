"""The `Site`: all data that pages, search and exports are computed from, with shared indexes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from sitegen.addresses import urls
from sitegen.config.forges import WebFolder, web_folder
from sitegen.config.tables import SiteTable, SourceTable, ThemeTable
from sitegen.model import Entry, Problem, Release, Source, grouped
from sitegen.model.term_translations import SiteLanguage, TermPath, Translation, TranslationPage
from sitegen.model.terms import Change, Course, Life, Revision
from sitegen.permanence.archive import Archive
from sitegen.permanence.composed_sources import ComposedSources
from sitegen.permanence.kept_pages import KeptPage
from sitegen.permanence.term_addresses import FrozenPage, TermAddresses
from sitegen.site import letters
from sitegen.site.messages import Catalog, catalog, plain
from sitegen.site.sections import Section, headings, sections
from sitegen.site.theme import ExtraPage
from sitegen.text.names import fold


@dataclass(frozen=True, kw_only=True)
class Site:
    """The result of reading, merging and computing the history. Pages only read it."""

    settings: SiteTable
    theme: ThemeTable = field(default_factory=ThemeTable)
    tables: Mapping[str, SourceTable] = field(default_factory=dict)
    """The [[source]] tables of site.toml, by their ids (`table_of`)."""
    extra_pages: tuple[ExtraPage, ...] = ()
    """Pages that the site's editors wrote."""
    redirects: tuple[str, ...] = ()
    """Addresses of an earlier glossary, whose pages redirect to the terms."""
    sources: tuple[Source, ...]
    lives: tuple[Life, ...]
    """Every term, sorted by name."""
    references: Mapping[tuple[str, str], str]
    """(source id, target of a `term:` reference) to the key of the term. Dangling references are
    missing."""
    references_to_originals: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """In the site of a language, (source id, target) to the slug of the original, for references
    to terms that are not translated."""
    addresses: TermAddresses
    """The addresses of terms."""
    kept: tuple[KeptPage, ...] = ()
    """The pages of what no source has any more."""
    composed: ComposedSources = field(default_factory=ComposedSources, repr=False, compare=False)
    """The releases, completed by the archive, with the entries whose published words differ from
    those that were read now."""
    published: Archive = field(default_factory=Archive, repr=False, compare=False)
    """The archive of all languages, as it was before this build."""
    folder: str = ""
    """The folder of this language, below the site of the originals; empty for that site itself."""
    languages: tuple[SiteLanguage, ...] = ()
    """The languages of the site, that of the originals first; empty if there is one only."""
    alternates: Mapping[str, Mapping[str, TermPath]] = field(default_factory=dict)
    """Slug to the pages of the term in all languages, by the tags of the languages."""
    translations: Mapping[str, tuple[TranslationPage, ...]] = field(default_factory=dict)
    """In the site of the originals, slug to the pages of the term in all other languages."""
    own_translations: Mapping[str, Translation] = field(default_factory=dict)
    """In the site of a language, slug to the translation of the term."""
    language_sites: tuple[Site, ...] = field(default=(), compare=False)
    """The sites of the other languages."""
    unread_folders: tuple[str, ...] = ()
    """The folders of languages that were published, but that this build could not or did not
    read."""
    images: Mapping[str, bytes] = field(default_factory=dict)
    """The images of definitions, by their paths."""
    problems: tuple[Problem, ...] = ()
    """The problems of the sources. The web addresses in them are without the names of users."""

    @property
    def title(self) -> str:
        return self.settings.title

    @property
    def base_url(self) -> str:
        """The absolute address of the site, with a slash at its end; empty if unknown."""
        return self.settings.base_url

    @property
    def base_path(self) -> str:
        """The path of the site on its host. Without a base_url, the site is taken to be at the root
        of the host."""
        return urlsplit(self.base_url).path or f"/{self.folder}"

    @cached_property
    def repository(self) -> WebFolder | None:
        """The site's own repository on a forge, or None."""
        return web_folder(self.settings.repository)

    @property
    def language(self) -> str:
        return self.settings.language

    @property
    def is_translation(self) -> bool:
        """True for the site of another language than that of the originals."""
        return self.folder != ""

    @property
    def original_language(self) -> SiteLanguage:
        """The language of the originals, in a site with several languages."""
        return self.languages[0]

    @property
    def has_translations(self) -> bool:
        """True for the site of the originals, if there are other languages."""
        return bool(self.languages) and not self.is_translation

    def table_of(self, source: Source) -> SourceTable:
        """Returns what site.toml says of a source; an empty table if it says nothing."""
        return self.tables.get(source.id) or SourceTable(id=source.id)

    @cached_property
    def by_key(self) -> Mapping[str, Life]:
        """The terms by their keys."""
        return {life.key: life for life in self.lives}

    @cached_property
    def defined(self) -> tuple[Life, ...]:
        """The terms in force."""
        return tuple(life for life in self.lives if life.is_defined)

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of terms in force, releases and changes."""
        kinds = [change.kind for life in self.lives for change in life.changes]
        return {
            "terms": len(self.defined),
            "releases": len(self.by_release),
            # In the first release that was read, nothing is known to have changed.
            "changes": len(kinds) - kinds.count("first-read"),
        }

    @cached_property
    def slugs(self) -> Mapping[str, str]:
        """Term key to the slug of its present name."""
        return self.addresses.slugs

    @cached_property
    def namesakes(self) -> Mapping[str, tuple[str, ...]]:
        """Slug of a present or former name to the keys of the other terms in force that have this
        name. Slugs of unique names are left out."""
        keys_by_name = grouped((fold(life.name), life.key) for life in self.defined)
        names_by_slug = {slug: page.name for slug, page in self.addresses.former_slugs.items()}
        for life in self.lives:
            names_by_slug[self.slugs[life.key]] = life.name

        others_by_slug = {}
        for slug, name in names_by_slug.items():
            term_of_slug = self.addresses.pages[slug].key
            keys = keys_by_name.get(fold(name), ())
            other_keys = [key for key in keys if key != term_of_slug]
            if other_keys:
                others_by_slug[slug] = tuple(other_keys)
        return others_by_slug

    @cached_property
    def release_of(self) -> Mapping[tuple[str, str], Release]:
        """(source id, release) to the release."""
        found = {}
        for source in self.sources:
            for release in source.releases:
                found[source.id, release.name] = release
        return found

    @cached_property
    def words(self) -> Catalog:
        """The texts of the interface. They write the names of dated states as dates."""
        releases = self.release_of.values()
        dated_states = {release.name for release in releases if release.dated}
        # "2024" may be a year in one source and a version in another, and then stays a name.
        others = {release.name for release in releases if not release.dated}
        return catalog(self.language, dated_states - others)

    @cached_property
    def release_titles(self) -> Mapping[tuple[str, str], str]:
        """(source id, release) to a plain text with both, such as "Handbook 2.0"."""
        titles = {}
        for source in self.sources:
            for release in source.releases:
                title = self.words.say("release.of", source=source.title, release=release.name)
                # An undated state has no name.
                titles[source.id, release.name] = plain(title).strip()
        return titles

    @cached_property
    def linked_terms(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of the other terms in its last definition, in order of mention."""
        other_terms = {}
        for life in self.lives:
            keys = []
            for reference in life.entry.definition.references:
                key = self.references.get((life.entry.place.source, reference.target))
                if key and key != life.key:
                    keys.append(key)
            other_terms[life.key] = tuple(dict.fromkeys(keys))  # each key once
        return other_terms

    @cached_property
    def used_by(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of the terms in force with links to it, in the order of A–Z."""
        uses = []
        for life in letters.listed(self.defined, self.language):
            for used_key in self.linked_terms[life.key]:
                # A synonym has the definition of its term, and names the term anyway.
                if used_key != life.synonym_of:
                    uses.append((used_key, life.key))
        return grouped(uses)

    @cached_property
    def split_off(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of the terms that were split off from it."""
        splits = []
        for life in self.lives:
            for change in life.changes:
                if change.kind == "split" and change.other:
                    splits.append((change.other, life.key))
        return grouped(splits)

    @cached_property
    def synonyms(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to the keys of its synonyms, which show its definition."""
        return grouped((life.synonym_of, life.key) for life in self.lives if life.synonym_of)

    @cached_property
    def slugs_of(self) -> Mapping[str, tuple[str, ...]]:
        """Term key to all slugs of the term, that of its current name first."""
        former = grouped((page.key, slug) for slug, page in self.addresses.former_slugs.items())
        return {key: (slug, *former.get(key, ())) for key, slug in self.slugs.items()}

    @cached_property
    def frozen_of(self) -> Mapping[str, tuple[FrozenPage, ...]]:
        """Term key to the frozen pages of the term."""
        return grouped((page.key, page) for page in self.addresses.frozen)

    @cached_property
    def frozen_addresses(self) -> Mapping[tuple[str, str, str], str]:
        """(term key, source id, first release of a wording) to the address of the wording's frozen
        page."""
        addresses = {}
        for frozen in self.addresses.frozen:
            place = frozen.entry.place
            addresses[frozen.key, place.source, place.release] = frozen.address
        return addresses

    @cached_property
    def headings(self) -> Mapping[str, str]:
        """Term key to the heading of the term's section, for the terms in force with a section."""
        # In the site of a language, terms whose originals are in one section have one heading.
        sections_of_originals = {}
        for key, slug in self.slugs.items():
            if slug in self.own_translations:
                sections_of_originals[key] = self.own_translations[slug].original.section
        return headings(self.defined, sections_of_originals)

    @cached_property
    def sections(self) -> Mapping[str, Section]:
        """The sections of the terms in force, by `urls.section_key`; in the order in which the
        sources have them, the first source first."""
        return sections(self.defined, self.headings, [source.id for source in self.sources])

    def translated_terms(self) -> Iterator[tuple[str, str, Translation, Entry]]:
        """Yields the translations with a present original, from the site of the originals: the slug
        of the original, the address of the translation, the translation and its entry."""
        for slug, pages in self.translations.items():
            for page in pages:
                entry = page.translation.entry
                if entry and page.translation.state != "orphaned":
                    yield slug, page.address, page.translation, entry

    def hint(self, key: str) -> str:
        """Returns the text that tells a term from others of the same name: the title of its source,
        or its section if its source has another of them. If no other term in force has the name,
        the result is empty."""
        entry = self.by_key[key].entry
        namesakes = self.namesakes.get(self.slugs[key], ())
        if not namesakes:
            return ""
        other_sources = {self.by_key[namesake].entry.place.source for namesake in namesakes}
        if entry.place.source in other_sources:
            return entry.section
        return self.source_title(entry.place.source)

    def defining_term(self, key: str) -> Life:
        """Returns the term that has the definition on a term's page. For a synonym, this is the
        term that it stands for; for other terms, the term itself."""
        life = self.by_key[key]
        # Synonyms may form a cycle.
        seen: set[str] = set()
        while life.synonym_of and life.key not in seen:
            seen.add(life.key)
            life = self.by_key[life.synonym_of]
        return life

    def address(self, key: str) -> str:
        """Returns the address of a term."""
        return urls.term(self.slugs[key])

    def address_of_original(self, slug: str) -> str:
        """Returns the address of a term of the originals, from the root of the site of a language.
        The page is in this site if it has the translation, or a page that says there is none."""
        address = urls.term(slug)
        return address if slug in self.own_translations else f"../{address}"

    def event_address(self, key: str, source: str, release: str) -> str:
        """Returns the address of the event of a release on a term's page."""
        slug = self.slugs[key]
        return urls.term(slug, anchor=self.addresses.pages[slug].ids[source, release])

    def frozen_address(self, key: str, revision: Revision | None) -> str:
        """Returns the address of the frozen page of a wording of a term; empty if it has none."""
        if revision is None:
            return ""
        return self.frozen_addresses.get((key, revision.source, revision.first), "")

    def wording_address(self, key: str, revision: Revision) -> str:
        """Returns the address of a wording of a term: its frozen page, or else the event with which
        it began."""
        frozen_address = self.frozen_address(key, revision)
        return frozen_address or self.event_address(key, revision.source, revision.first)

    def address_at(self, key: str, source: str, release: str) -> str:
        """Returns the address of what a term meant at a release. If its wording has changed since,
        it is the address of the older wording, else the page of the term."""
        for course in self.by_key[key].courses:
            if course.source.id == source:
                revision = course.revision_at(release)
                if revision and not revision.is_in_force:
                    return self.wording_address(key, revision)
        return self.address(key)

    def source(self, id: str) -> Source:
        """Returns the source with an id."""
        return next(source for source in self.sources if source.id == id)

    def source_title(self, id: str) -> str:
        """Returns the title of a source. A source that the site no longer has is named by its
        id."""
        for source in self.sources:
            if source.id == id:
                return source.title
        return id

    def title_if_several(self, source: Source) -> str:
        """Returns the title of a source if the site has several; a page about the only one does not
        repeat it."""
        return source.title if self.several_sources else ""

    @property
    def several_sources(self) -> bool:
        """True if more than one source has releases."""
        return len(self.dated_sources) > 1

    @cached_property
    def dated_sources(self) -> tuple[Source, ...]:
        """The sources that have releases."""
        return tuple([source for source in self.sources if not source.undated])

    @cached_property
    def courses_of(self) -> Mapping[str, tuple[tuple[Life, Course], ...]]:
        """Source id to every term that the source ever defined, with its course there."""
        courses = []
        for life in self.lives:
            for course in life.courses:
                courses.append((course.source.id, (life, course)))
        return grouped(courses)

    @cached_property
    def changes(self) -> Mapping[tuple[str, str], tuple[Change, ...]]:
        """(source id, release) to the changes in the release, in the order of terms."""
        changes = [change for life in self.lives for change in life.changes]
        return grouped(((change.source, change.release), change) for change in changes)

    @cached_property
    def by_release(self) -> Mapping[str, tuple[tuple[Source, Release], ...]]:
        """Release name to the dated sources with a release of that name, each with its `Release`.
        The names are source by source, and oldest first within a source."""
        releases = []
        for source in self.dated_sources:
            for release in source.releases:
                releases.append((release.name, (source, release)))
        return grouped(releases)

    @cached_property
    def published_releases(self) -> tuple[str, ...]:
        """The release names that at least one source has published, in the order of
        `by_release`."""
        published = []
        for name, releases in self.by_release.items():
            is_published = any(not release.unreleased for _, release in releases)
            if is_published:
                published.append(name)
        return tuple(published)
