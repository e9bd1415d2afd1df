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
from typing import Any

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug as slug_of
from sitegen.config.parsing import Config
from sitegen.config.tables import ChosenSlug, SourceTable, TranslationTable
from sitegen.config.values import did_you_mean
from sitegen.history.translation_states import Pairing, Translation, translations
from sitegen.model import Entry, Problem, ProblemKind, Prose, Source, Trouble, grouped
from sitegen.permanence.archive import Archive
from sitegen.permanence.withholding import cleaner
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
    read = cache(partial(history_of, clean=cleaner(config.withheld)))
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
            problems.append(
                Trouble(ProblemKind.SETTINGS, text, wanted).at(config.path, line=same[names])
            )
        known = {one.translation for one in found}
        alone = [entry for entry in own.current.values() if entry not in known]
        yield SourceLanguage(
            table=translation.table,
            source=translation.source,
            translations=found,
            problems=(*problems, *_alone(alone, pairing, language), *twice),
        )


def _alone(entries: Sequence[Entry], pairing: Pairing, language: str) -> Iterator[Problem]:
    """Yields a problem for entries without an original. Its terms are the language, and the names
    of likely pairs."""
    if entries:
        names = ", ".join(entry.name for entry in entries[:MAX_NAMES]) + (
            ", …" if len(entries) > MAX_NAMES else ""
        )
        found = f"{len(entries)} without an original in {language!r}: {names}"
        trouble = Trouble(
            ProblemKind.SUGGESTION, found, "name pairs in a [[same]] table with `language`"
        )
        problem = trouble.at(entries[0].place.path, line=entries[0].line)
        yield replace(problem, terms=(language, *chain.from_iterable(pairing.likely)))


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
        else:
            wanted = "write its name there"
            if one.release not in entries_at:
                wanted = did_you_mean(one.release, list(entries_at))
            trouble = Trouble(
                ProblemKind.SETTINGS, f"[[current]] {one.term!r} is not in {one.release!r}", wanted
            )
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
    main = replace(
        assemble(replace(config, translations=tables), glossaries, own, ()),
        unread_folders=unread,
    )
    slug_of_original = _slugs(main)
    found = [
        _language_site(config, several, folder, archive, slug_of_original, assemble)
        for folder, several in by_folder.items()
    ]
    problems = chain(main.problems, *(one.problems for one in read))
    return _joined(replace(main, problems=tuple(problems)), found) if found else main


TranslatedTerm = tuple[str, str, Translation]
"""The slug of an original, and that of its translation."""


def _language_site(
    config: Config,
    read: Sequence[SourceLanguage],
    folder: str,
    archive: Archive,
    slug_of_original: Callable[[Entry], str],
    assemble: Assemble,
) -> tuple[Site, Sequence[TranslatedTerm]]:
    """Returns the site of a language, and its terms."""
    every = [one for each in read for one in each.translations]
    found = [(slug_of_original(one.original) or slug_of(one.original.name), one) for one in every]
    chosen = tuple(
        ChosenSlug(name=one.translation.name, slug=slug, source=one.translation.place.source)
        for slug, one in found
        if one.translation and one.state != "orphaned"
    )
    part = _part(archive, folder, {one.table.id for one in read})
    site = assemble(
        _config_of(config, read, folder),
        Glossaries(sources=tuple(one.source for one in read)),
        part,
        chosen,
    )
    terms = [*_released(found, _slugs(site))]
    states = {own: ((folder + urls.term(own), one),) for _, own, one in terms}
    return replace(site, folder=folder, translations=states), terms


def _released(
    found: Iterable[tuple[str, Translation]], own_slug: Callable[[Entry], str]
) -> Iterator[TranslatedTerm]:
    """Yields the terms with the slugs of their pages. What no release has yet is missing from the
    site."""
    for slug, one in found:
        if not one.translation or own_slug(one.translation):
            yield slug, own_slug(one.translation) if one.translation else slug, one
        elif one.state != "orphaned":
            missing = Translation(
                language=one.language, state="missing", original=one.original, unreleased=one
            )
            yield slug, slug, missing


def _joined(main: Site, found: Iterable[tuple[Site, Sequence[TranslatedTerm]]]) -> Site:
    """Returns the site of the originals with those of other languages; all have links to each
    other.

    A term of two sources may be two terms in a language. Both lead to the original, and it to the
    one of its slug.
    """
    tags = [(main.language, ""), *((site.language, site.folder) for site, _ in found)]
    languages = tuple(SiteLanguage(tag, native_name(tag), folder) for tag, folder in tags)
    alternates = {slug: {main.language: urls.term(slug)} for slug in main.slugs.values()}
    states = grouped(
        (slug, (site.folder + urls.term(own), one))
        for site, terms in found
        for slug, own, one in terms
    )
    linked = []
    for site, terms in found:
        pairs = [
            (slug, own)
            for slug, own, one in terms
            if slug in alternates and one.state != "orphaned"
        ]
        for slug, own in sorted(pairs, key=lambda pair: pair[0] == pair[1]):
            alternates[slug][site.language] = site.folder + urls.term(own)
        linked.append((site, pairs))
    sites = []
    for site, pairs in linked:
        own_links = {
            own: {**alternates[slug], site.language: site.folder + urls.term(own)}
            for slug, own in pairs
        }
        sites.append(replace(site, languages=languages, alternates=own_links))
    return replace(
        main,
        languages=languages,
        alternates=alternates,
        translations=states,
        language_sites=tuple(sites),
        problems=tuple(
            sorted({*main.problems, *chain.from_iterable(site.problems for site in sites)})
        ),
        elsewhere=main.elsewhere.union(*(site.elsewhere for site in sites)),
    )


def _slugs(site: Site) -> Callable[[Entry], str]:
    """Returns a function that returns the slug of an entry's term in a site, by its present or an
    earlier name.

    It returns an empty string for an entry that no release of the site has.
    """
    keys: dict[tuple[str, str], str] = {}
    for life in site.lives:
        for course in life.term.courses:
            for span in course.spans:
                if span.entry and (
                    span.past == len(course.releases)
                    or (course.source.id, span.entry.name) not in keys
                ):
                    keys[course.source.id, span.entry.name] = life.key

    def slug(entry: Entry) -> str:
        return site.slugs.get(keys.get((entry.place.source, entry.name), ""), "")

    return slug


def _config_of(config: Config, own: Sequence[SourceLanguage], folder: str) -> Config:
    """Returns the configuration of the site of a language: its sources, and the tables about
    these."""
    ids, top, language = {one.table.id for one in own}, f"/{folder}", own[0].table.language
    names = ("renames", "same", "distinct", "slugs", "corrected")
    tables: dict[str, Any] = {
        name: tuple(one for one in getattr(config, name) if one.source in ids) for name in names
    }
    below = (
        [at.removeprefix(top[:-1]) for at in one.addresses if at.startswith(top)]
        for one in config.retired
    )
    retired = [
        replace(one, addresses=tuple(own)) for one, own in zip(config.retired, below, strict=True)
    ]
    base_url = config.site.base_url and config.site.base_url + folder
    return replace(
        config,
        **tables,
        site=replace(config.site, language=language, base_url=base_url, host=""),
        sources=tuple(_source_table(one.table, config) for one in own),
        translations=(),
        retired=tuple(one for one in retired if one.addresses or one.source in ids),
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
    pages = {}
    for sum, page in archive.pages.items():
        if page.address.startswith(f"/{folder}"):
            pages[sum] = replace(page, address=f"/{page.address.removeprefix(f'/{folder}')}")
    editions = {
        sum: edition
        for sum, edition in archive.editions.items()
        if archive.present_id(edition.source) in sources
    }
    return replace(archive, editions=editions, pages=pages)


def _without(archive: Archive, folders: Collection[str], sources: Collection[str]) -> Archive:
    """Returns the part of an archive without the pages in some folders, and without the editions of
    some sources."""
    below = tuple(f"/{folder}" for folder in folders)
    pages = {sum: page for sum, page in archive.pages.items() if not page.address.startswith(below)}
    editions = {
        sum: edition
        for sum, edition in archive.editions.items()
        if archive.present_id(edition.source) not in sources
    }
    return replace(archive, editions=editions, pages=pages)
