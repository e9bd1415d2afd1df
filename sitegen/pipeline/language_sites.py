"""Compares the sources of a site with their translations, and assembles the site of each language:
the originals with the states of their translations, and the translations.

The site of a language is an ordinary one, in a folder of its own (`fr/`). Its terms have the slugs
of their originals, and the addresses of its pages in the archive begin with that folder.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug as slug_of
from sitegen.config.parsing import Config
from sitegen.config.tables import ChosenSlug, Current, Retired, Same, TranslationTable
from sitegen.history.translation_pairs import Pairing
from sitegen.history.translation_states import Translation, translations
from sitegen.model import Entry, Problem, ProblemKind, Prose, Source, Trouble, grouped, listed
from sitegen.permanence.archive import Archive, ArchivedEdition, ArchivedPage, Line
from sitegen.permanence.withholding import Cleaner
from sitegen.site.site import Site, SiteLanguage
from sitegen.sources.language_tags import native_name
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries
from sitegen.sources.translated_sources import history_of, source_table
from sitegen.text.names import fold

MAX_NAMES = 8
"""The maximum number of terms without an original that are named."""

NO_SITE = "-"
"""In place of the folder of a source whose language is not read."""

Assemble = Callable[[Config, Glossaries, Archive, tuple[ChosenSlug, ...]], Site]
"""Assembles the site of one language."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceLanguage:
    """A source in one language: the states of its translations."""

    table: TranslationTable
    source: Source
    translations: tuple[Translation, ...]
    problems: tuple[Problem, ...]
    applied: frozenset[Same | Current]
    """The tables of site.toml about its terms."""


def assembled_in_languages(
    config: Config, glossaries: Glossaries, archive: Archive, assemble: Assemble
) -> Site:
    """Returns the site of the originals, with those of all other languages."""
    read = tuple(source_languages(config, glossaries))
    tables = tuple(one.table for one in read)
    by_folder = grouped((_folder_of(one.table), one) for one in read)
    unread: frozenset[str] = frozenset()
    if {*tables} != {*config.translations}:
        unread = _published_folders(archive).difference(by_folder)
    owners: dict[str, str] = {}
    for table in config.translations:
        owners[table.id] = _folder_of(table) if table in tables else NO_SITE
    archives = _split(archive, ("", *by_folder, *unread), owners)
    main = assemble(replace(config, translations=tables), glossaries, archives[""], ())
    problems = [*main.problems]
    for one in read:
        problems += one.problems
    problems += unused_tables(config, read)
    main = replace(main, unread_folders=tuple(sorted(unread)), problems=tuple(problems))
    slug_of_original = TermSlugs(main).of
    found = []
    for folder, several in by_folder.items():
        site = _language_site(config, several, folder, archives[folder], slug_of_original, assemble)
        found.append(site)
    return _joined(main, found) if found else main


def _folder_of(table: TranslationTable) -> str:
    """Returns the folder of the site of a language."""
    return f"{table.language.lower()}/"


def _published_folders(archive: Archive) -> frozenset[str]:
    """Returns the folders of published languages."""
    published = set()
    for address in archive.by_address:
        folder, _, rest = address.removeprefix("/").partition("/")
        if rest.startswith("term/"):
            published.add(f"{folder}/")
    return frozenset(published)


def _split(
    archive: Archive, folders: Iterable[str], owners: Mapping[str, str]
) -> Mapping[str, Archive]:
    """Returns the part of an archive that belongs to each site, by the folder of the site: its
    pages, with their addresses below it, and the editions of its sources. Texts belong to all.

    `owners` has the folder of each translated source.
    """
    parts: dict[str, dict[str, Line]] = {folder: {} for folder in folders}
    for sum, line in archive.lines.items():
        if isinstance(line, ArchivedPage):
            first, _, _ = line.address.removeprefix("/").partition("/")
            folder = f"{first}/" if f"{first}/" in parts else ""
            if folder:
                line = replace(line, address=line.address.removeprefix(f"/{first}"))
            parts[folder][sum] = line
        elif isinstance(line, ArchivedEdition):
            folder = owners.get(archive.present_id(line.source), "")
            if folder != NO_SITE:
                parts[folder][sum] = line
        else:
            for lines in parts.values():
                lines[sum] = line
    return {folder: Archive(lines) for folder, lines in parts.items()}


class PairedTerm(NamedTuple):
    """A term in one language."""

    slug: str
    """Its slug in the site of the originals."""
    own_slug: str
    """Its slug in the site of the language."""
    translation: Translation


@dataclass(frozen=True, kw_only=True, slots=True)
class LanguageSite:
    """The site of one language, with its terms."""

    site: Site
    terms: tuple[PairedTerm, ...]

    def path(self, term: PairedTerm) -> str:
        """Returns the path of a term's page from the site of the originals."""
        return self.site.folder + urls.term(term.own_slug)


def _language_site(
    config: Config,
    read: Sequence[SourceLanguage],
    folder: str,
    archive: Archive,
    slug_of_original: Callable[[Entry], str],
    assemble: Assemble,
) -> LanguageSite:
    """Returns the site of a language; `archive` is its part of the archive."""
    found: list[tuple[str, Translation]] = []
    chosen = []
    for one in chain.from_iterable(each.translations for each in read):
        slug = slug_of_original(one.original) or slug_of(one.original.name)
        found.append((slug, one))
        entry = one.translation
        if entry and one.state != "orphaned":
            chosen.append(ChosenSlug(name=entry.name, slug=slug, source=entry.place.source))
    glossaries = Glossaries(sources=tuple(one.source for one in read))
    site = assemble(_config_of(config, read, folder), glossaries, archive, tuple(chosen))
    site = replace(site, folder=folder)
    language = LanguageSite(site=site, terms=tuple(_released(found, TermSlugs(site).of)))
    states = {}
    for term in language.terms:
        states[term.own_slug] = ((language.path(term), term.translation),)
    return replace(language, site=replace(site, translations=states))


def _released(
    found: Iterable[tuple[str, Translation]], own_slug: Callable[[Entry], str]
) -> Iterator[PairedTerm]:
    """Yields the terms with the slugs of their pages. What no release has yet is missing from the
    site."""
    for slug, one in found:
        if not one.translation:
            yield PairedTerm(slug, slug, one)
        elif own := own_slug(one.translation):
            yield PairedTerm(slug, own, one)
        elif one.state != "orphaned":
            missing = Translation(
                language=one.language, state="missing", original=one.original, unreleased=one
            )
            yield PairedTerm(slug, slug, missing)


def _joined(main: Site, found: Sequence[LanguageSite]) -> Site:
    """Returns the site of the originals with those of other languages; all have links to each
    other."""
    languages = []
    for site in (main, *(one.site for one in found)):
        languages.append(SiteLanguage(site.language, native_name(site.language), site.folder))
    alternates = _alternates(main, found)
    states = []
    language_sites = []
    problems = {*main.problems}
    for one in found:
        for term in one.terms:
            states.append((term.slug, (one.path(term), term.translation)))
        own = _own_alternates(one, alternates)
        language_sites.append(replace(one.site, languages=tuple(languages), alternates=own))
        problems.update(one.site.problems)
    return replace(
        main,
        languages=tuple(languages),
        alternates=alternates,
        translations=grouped(states),
        language_sites=tuple(language_sites),
        problems=tuple(sorted(problems)),
    )


def _alternates(main: Site, found: Iterable[LanguageSite]) -> dict[str, dict[str, str]]:
    """Returns the paths of the pages of each original by language, the originals by their slugs.

    A term of two sources may be two terms in a language. Both lead to the original, and it to the
    one of its slug.
    """
    alternates = {slug: {main.language: urls.term(slug)} for slug in main.slugs.values()}
    for one in found:
        linked = _linked(one, alternates)
        linked.sort(key=lambda term: term.slug == term.own_slug)
        for term in linked:
            alternates[term.slug][one.site.language] = one.path(term)
    return alternates


def _own_alternates(
    language: LanguageSite, alternates: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """Returns the paths of the pages of each term of a language by language, the terms by their
    slugs there."""
    own = {}
    for term in _linked(language, alternates):
        paths = {**alternates[term.slug], language.site.language: language.path(term)}
        own[term.own_slug] = paths
    return own


def _linked(language: LanguageSite, slugs: Collection[str]) -> list[PairedTerm]:
    """Returns the terms of a language whose originals have pages; `slugs` are those of these."""
    linked = []
    for term in language.terms:
        if term.slug in slugs and term.translation.state != "orphaned":
            linked.append(term)
    return linked


class TermSlugs:
    """The slugs of the terms of a site by their entries, with present and earlier names."""

    def __init__(self, site: Site) -> None:
        self._slugs = site.slugs
        self._keys: dict[tuple[str, str], str] = {}
        for life in site.lives:
            for course in life.term.courses:
                for span in course.spans:
                    if span.entry is None:
                        continue
                    name = (course.source.id, span.entry.name)
                    is_present = span.past == len(course.releases)
                    if is_present or name not in self._keys:
                        self._keys[name] = life.key

    def of(self, entry: Entry) -> str:
        """Returns the slug of an entry's term; empty if no release of the site has the entry."""
        key = self._keys.get((entry.place.source, entry.name), "")
        return self._slugs.get(key, "")


OF_SOURCES = ("renames", "same", "distinct", "slugs", "corrected")
"""The tables of site.toml that name a source."""


def _config_of(config: Config, own: Sequence[SourceLanguage], folder: str) -> Config:
    """Returns the configuration of the site of a language: its sources, and the tables about
    these."""
    originals = {one.id: one for one in config.sources}
    sources = {}
    for language in own:
        sources[language.table.id] = source_table(originals[language.table.of], language.table)
    tables: dict[str, Any] = {}
    for name in OF_SOURCES:
        tables[name] = tuple(one for one in getattr(config, name) if one.source in sources)
    site = replace(config.site, language=own[0].table.language, host="")
    if site.base_url:
        site = replace(site, base_url=site.base_url + folder)
    return replace(
        config,
        **tables,
        site=site,
        sources=tuple(sources.values()),
        translations=(),
        retired=tuple(_retired(config, sources, folder)),
        redirect=(),
        problems=(),
    )


def _retired(config: Config, sources: Collection[str], folder: str) -> Iterator[Retired]:
    """Yields the [[retired]] tables about some sources, and about pages in a folder, whose
    addresses are then those below it."""
    for table in config.retired:
        below = []
        for address in table.addresses:
            if address.startswith(f"/{folder}"):
                below.append(address.removeprefix(f"/{folder.removesuffix('/')}"))
        if below or table.source in sources:
            yield replace(table, addresses=tuple(below))


# The states of translations.


def source_languages(config: Config, glossaries: Glossaries) -> Iterator[SourceLanguage]:
    """Yields each source in each language, in the order of site.toml."""
    read = cache(partial(history_of, clean=Cleaner(config.withheld).entry))
    sources = {source.id: source for source in glossaries.sources}
    for translation in glossaries.translations:
        language = translation.table.language
        original, _ = read(translation.original, translation.original)
        own, twice = read(translation.own, translation.original)
        pairs = {}
        for same in config.same:
            if same.language == language:
                pairs[same.names[0], same.names[1]] = same
        settled = _settled(config, language, sources[translation.table.of])
        words = {fold(current.term): prose for current, prose in settled.items()}
        found, pairing = translations(
            original, own, language=language, declared=pairs, settled=words
        )
        applied: set[Same | Current] = set()
        for names, same in pairs.items():
            if names not in pairing.unused:
                applied.add(same)
        paired = {fold(original.tracks[key].entry.name) for key in pairing.originals.values()}
        for current in settled:
            if fold(current.term) in paired:
                applied.add(current)
        problems = [*twice]
        known = {one.translation for one in found}
        alone = [entry for entry in own.current.values() if entry not in known]
        if alone:
            problems.append(_alone(alone, pairing, language))
        yield SourceLanguage(
            table=translation.table,
            source=translation.source,
            translations=found,
            problems=tuple(problems),
            applied=frozenset(applied),
        )


def _settled(config: Config, language: str, source: Source) -> Mapping[Current, Prose]:
    """Returns the words that each [[current]] table names, if the source has them."""
    tables = [one for one in config.current if one.language == language]
    if not tables:
        return {}
    entries_at = {release.name: release.entries for release in parsed(source).releases}
    settled: dict[Current, Prose] = {}
    for one in tables:
        for entry in entries_at.get(one.release, ()):
            if fold(entry.name) == fold(one.term):
                settled.setdefault(one, entry.definition)
    return settled


def unused_tables(config: Config, read: Sequence[SourceLanguage]) -> Iterator[Problem]:
    """Yields a problem for each table about the terms of a language that applies to none of its
    sources, if all of these were read."""
    unread = {*config.translations}.difference(one.table for one in read)
    languages_unread = {table.language for table in unread}
    applied: set[Same | Current] = set()
    for one in read:
        applied |= one.applied
    tables: tuple[Same | Current, ...] = (*config.same, *config.current)
    for table in tables:
        language = table.language
        if not language or language in languages_unread or table in applied:
            continue
        if isinstance(table, Same):
            found = f"[[same]] {' and '.join(map(repr, table.names))} are not a pair"
            wanted = (
                "write the name of an original, then that of its translation, each in one table"
            )
        else:
            found = f"[[current]] {table.term!r} is not a translated term of {table.release!r}"
            wanted = "write the present name of an original, and a release that has it"
        trouble = Trouble(ProblemKind.SETTINGS, f"{found} in {language!r}", wanted)
        yield trouble.at(config.path, line=table.line)


def _alone(entries: Sequence[Entry], pairing: Pairing, language: str) -> Problem:
    """Returns the problem of entries without an original. Its terms are the language, and the names
    of likely pairs."""
    names = listed([entry.name for entry in entries], most=MAX_NAMES)
    found = f"{len(entries)} without an original in {language!r}: {names}"
    wanted = "name pairs in a [[same]] table with `language`"
    trouble = Trouble(ProblemKind.SUGGESTION, found, wanted)
    problem = trouble.at(entries[0].place.path, line=entries[0].line)
    return replace(problem, terms=(language, *chain.from_iterable(pairing.likely)))
