"""Assembles the site of each language: the originals with the states of their translations, and the
translations.

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
from sitegen.config.tables import ChosenSlug, SourceTable, TranslationTable
from sitegen.config.values import did_you_mean
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

Assemble = Callable[[Config, Glossaries, Archive, tuple[ChosenSlug, ...]], Site]
"""Assembles the site of one language."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceLanguage:
    """A source in one language: the states of its translations."""

    table: TranslationTable
    source: Source
    translations: tuple[Translation, ...]
    problems: tuple[Problem, ...]


def source_languages(config: Config, glossaries: Glossaries) -> Iterator[SourceLanguage]:
    """Yields each source in each language, in the order of site.toml."""
    read = cache(partial(history_of, clean=Cleaner(config.withheld).entry))
    sources = {source.id: source for source in glossaries.sources}
    for translation in glossaries.translations:
        language = translation.table.language
        original, _ = read(translation.original, translation.original)
        own, twice = read(translation.own, translation.original)
        settled, problems = _settled(config, language, sources[translation.table.of])
        same = {
            (one.names[0], one.names[1]): one.line
            for one in config.same
            if one.language == language
        }
        found, pairing = translations(
            original, own, language=language, declared=same, settled=settled
        )
        for names in pairing.unused:
            text = f"[[same]] {' and '.join(map(repr, names))} are not a pair in {language!r}"
            wanted = (
                "write the name of an original, then that of its translation, each in one table"
            )
            trouble = Trouble(ProblemKind.SETTINGS, text, wanted)
            problems.append(trouble.at(config.path, line=same[names]))
        known = {one.translation for one in found}
        alone = [entry for entry in own.current.values() if entry not in known]
        if alone:
            problems.append(_alone(alone, pairing, language))
        yield SourceLanguage(
            table=translation.table,
            source=translation.source,
            translations=found,
            problems=(*problems, *twice),
        )


def _alone(entries: Sequence[Entry], pairing: Pairing, language: str) -> Problem:
    """Returns the problem of entries without an original. Its terms are the language, and the names
    of likely pairs."""
    names = listed([entry.name for entry in entries], most=MAX_NAMES)
    found = f"{len(entries)} without an original in {language!r}: {names}"
    wanted = "name pairs in a [[same]] table with `language`"
    trouble = Trouble(ProblemKind.SUGGESTION, found, wanted)
    problem = trouble.at(entries[0].place.path, line=entries[0].line)
    return replace(problem, terms=(language, *chain.from_iterable(pairing.likely)))


def _settled(
    config: Config, language: str, source: Source
) -> tuple[Mapping[str, Prose], list[Problem]]:
    """Returns the words that [[current]] tables name, by the folded name of the original; and wrong
    tables."""
    tables = [one for one in config.current if one.language == language]
    if not tables:
        return {}, []
    entries_at = {release.name: release.entries for release in parsed(source).releases}
    words, problems = {}, []
    for one in tables:
        entries = entries_at.get(one.release, ())
        definitions = [entry.definition for entry in entries if fold(entry.name) == fold(one.term)]
        if definitions:
            words[fold(one.term)] = definitions[0]
            continue
        found = f"[[current]] {one.term!r} is not in {one.release!r}"
        wanted = "write its name there"
        if one.release not in entries_at:
            wanted = did_you_mean(one.release, list(entries_at))
        trouble = Trouble(ProblemKind.SETTINGS, found, wanted)
        problems.append(trouble.at(config.path, line=one.line))
    return words, problems


def assembled_in_languages(
    config: Config, glossaries: Glossaries, archive: Archive, assemble: Assemble
) -> Site:
    """Returns the site of the originals, with those of all other languages."""
    read = tuple(source_languages(config, glossaries))
    tables = tuple(one.table for one in read)
    by_folder = grouped((f"{one.table.language.lower()}/", one) for one in read)
    unread: tuple[str, ...] = ()
    if {*tables} != {*config.translations}:
        unread = _unread_folders(archive, by_folder)
    translated = {one.id for one in config.translations}
    own = _without(archive, (*by_folder, *unread), translated)
    main = assemble(replace(config, translations=tables), glossaries, own, ())
    problems = [*main.problems]
    for one in read:
        problems += one.problems
    main = replace(main, unread_folders=unread, problems=tuple(problems))
    slug_of_original = _slugs(main)
    found = []
    for folder, several in by_folder.items():
        part = _part(archive, folder, {one.table.id for one in several})
        found.append(_language_site(config, several, folder, part, slug_of_original, assemble))
    return _joined(main, found) if found else main


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
    terms: Sequence[PairedTerm]

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
    found, chosen = [], []
    for one in chain.from_iterable(each.translations for each in read):
        slug = slug_of_original(one.original) or slug_of(one.original.name)
        found.append((slug, one))
        if one.translation and one.state != "orphaned":
            entry = one.translation
            chosen.append(ChosenSlug(name=entry.name, slug=slug, source=entry.place.source))
    glossaries = Glossaries(sources=tuple(one.source for one in read))
    site = assemble(_config_of(config, read, folder), glossaries, archive, tuple(chosen))
    site = replace(site, folder=folder)
    result = LanguageSite(site=site, terms=[*_released(found, _slugs(site))])
    states = {term.own_slug: ((result.path(term), term.translation),) for term in result.terms}
    return replace(result, site=replace(site, translations=states))


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
    other.

    A term of two sources may be two terms in a language. Both lead to the original, and it to the
    one of its slug.
    """
    sites = [main, *(one.site for one in found)]
    languages = [SiteLanguage(one.language, native_name(one.language), one.folder) for one in sites]
    alternates = {slug: {main.language: urls.term(slug)} for slug in main.slugs.values()}
    states = []
    for one in found:
        states += [(term.slug, (one.path(term), term.translation)) for term in one.terms]
        linked = _linked(one, alternates)
        linked.sort(key=lambda term: term.slug == term.own_slug)
        for term in linked:
            alternates[term.slug][one.site.language] = one.path(term)
    language_sites = []
    problems, elsewhere = {*main.problems}, {*main.elsewhere}
    for one in found:
        own_links = {}
        for term in _linked(one, alternates):
            own_links[term.own_slug] = {
                **alternates[term.slug],
                one.site.language: one.path(term),
            }
        language_sites.append(replace(one.site, languages=tuple(languages), alternates=own_links))
        problems.update(one.site.problems)
        elsewhere.update(one.site.elsewhere)
    return replace(
        main,
        languages=tuple(languages),
        alternates=alternates,
        translations=grouped(states),
        language_sites=tuple(language_sites),
        problems=tuple(sorted(problems)),
        elsewhere=frozenset(elsewhere),
    )


def _linked(language: LanguageSite, slugs: Collection[str]) -> list[PairedTerm]:
    """Returns the terms of a language whose originals have pages; `slugs` are those of these."""
    having = [term for term in language.terms if term.slug in slugs]
    return [term for term in having if term.translation.state != "orphaned"]


def _slugs(site: Site) -> Callable[[Entry], str]:
    """Returns a function that returns the slug of an entry's term in a site, by its present or an
    earlier name.

    It returns an empty string for an entry that no release of the site has.
    """
    keys: dict[tuple[str, str], str] = {}
    for life in site.lives:
        for course in life.term.courses:
            for span in course.spans:
                if span.entry is None:
                    continue
                name = (course.source.id, span.entry.name)
                is_present = span.past == len(course.releases)
                if is_present or name not in keys:
                    keys[name] = life.key

    def slug(entry: Entry) -> str:
        return site.slugs.get(keys.get((entry.place.source, entry.name), ""), "")

    return slug


def _config_of(config: Config, own: Sequence[SourceLanguage], folder: str) -> Config:
    """Returns the configuration of the site of a language: its sources, and the tables about
    these."""
    ids, top, language = {one.table.id for one in own}, f"/{folder}", own[0].table.language
    names = ("renames", "same", "distinct", "slugs", "corrected")
    tables: dict[str, Any] = {}
    for name in names:
        tables[name] = tuple(one for one in getattr(config, name) if one.source in ids)
    retired = []
    for one in config.retired:
        below = [at.removeprefix(top[:-1]) for at in one.addresses if at.startswith(top)]
        if below or one.source in ids:
            retired.append(replace(one, addresses=tuple(below)))
    base_url = config.site.base_url and config.site.base_url + folder
    return replace(
        config,
        **tables,
        site=replace(config.site, language=language, base_url=base_url, host=""),
        sources=tuple(_source_table(one.table, config) for one in own),
        translations=(),
        retired=tuple(retired),
        redirect=(),
        problems=(),
    )


def _source_table(table: TranslationTable, config: Config) -> SourceTable:
    """Returns the table of a translation as a source of its own."""
    original = next(one for one in config.sources if one.id == table.of)
    return source_table(original, table)


# The archive.


def _unread_folders(archive: Archive, folders: Collection[str]) -> tuple[str, ...]:
    """Returns the folders of published languages that are not in `folders`."""
    published = set()
    for address in archive.by_address:
        folder, _, rest = address.removeprefix("/").partition("/")
        if rest.startswith("term/"):
            published.add(f"{folder}/")
    return tuple(sorted(published.difference(folders)))


def _part(archive: Archive, folder: str, sources: Collection[str]) -> Archive:
    """Returns the part of an archive with the pages in a folder, such as `fr/`, and the editions of
    some sources."""
    lines: dict[str, Line] = {}
    for sum, line in archive.lines.items():
        if isinstance(line, ArchivedPage):
            if line.address.startswith(f"/{folder}"):
                below = line.address.removeprefix(f"/{folder}")
                lines[sum] = replace(line, address=f"/{below}")
        elif not isinstance(line, ArchivedEdition) or archive.present_id(line.source) in sources:
            lines[sum] = line
    return Archive(lines)


def _without(archive: Archive, folders: Collection[str], sources: Collection[str]) -> Archive:
    """Returns the part of an archive without the pages in some folders, and without the editions of
    some sources."""
    below = tuple(f"/{folder}" for folder in folders)
    lines: dict[str, Line] = {}
    for sum, line in archive.lines.items():
        if isinstance(line, ArchivedPage) and line.address.startswith(below):
            continue
        if isinstance(line, ArchivedEdition) and archive.present_id(line.source) in sources:
            continue
        lines[sum] = line
    return Archive(lines)
