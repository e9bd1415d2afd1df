"""Assembles the site of each language: the originals with the states of their translations, and the translations.

The site of a language is an ordinary one, in a folder of its own (`fr/`). Its terms have the slugs of their
originals, and the addresses of its rows in the ledger begin with that folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug as slug_of
from sitegen.config.parsing import Config
from sitegen.config.tables import ChosenSlug, TranslationTable
from sitegen.config.values import did_you_mean
from sitegen.history.translation_states import Pairing, Translation, translations
from sitegen.model import Entry, Problem, ProblemKind, Prose, Trouble
from sitegen.permanence.ledger import Ledger, LedgerRow
from sitegen.permanence.permalinks import Permanence
from sitegen.permanence.withholding import cleaner
from sitegen.site.site import Site, SiteLanguage
from sitegen.sources.editions import editions_of
from sitegen.sources.language_tags import native_name
from sitegen.sources.reading import LoadedSource
from sitegen.sources.translated_sources import history_of
from sitegen.text.names import fold

MAX_NAMES = 8
"""The maximum number of terms without an original that are named."""

Assemble = Callable[[Config, tuple[LoadedSource, ...], Ledger, tuple[ChosenSlug, ...]], Site]
"""Assembles the site of one language."""


@dataclass(frozen=True, kw_only=True)
class SourceLanguage:
    """A source in one language: the states of its translations."""

    table: TranslationTable
    loaded: LoadedSource
    translations: tuple[Translation, ...]
    pairing: Pairing
    problems: tuple[Problem, ...]


def source_languages(config: Config, loaded_sources: Iterable[LoadedSource]) -> Iterator[SourceLanguage]:
    """Yields each source in each language, in the order of site.toml."""
    for source in loaded_sources:
        if not source.translations:
            continue
        log = source.translations[0].original
        read = partial(history_of, original=log, clean=cleaner(config.withheld))
        original, _ = read(log)
        for loaded in source.translations:
            language = loaded.table.language
            same = [one for one in config.same if one.language == language]
            settled, problems = _settled(config, language, source)
            own, more = read(loaded.own)
            names = [(one.names[0], one.names[1]) for one in same]
            found, pairing = translations(original, own, language=language, declared=names, settled=settled)
            for one, pair in zip(same, names, strict=True):
                if pair in pairing.unused:
                    text = f"[[same]] {' and '.join(map(repr, pair))} are not a pair in {language!r}"
                    wanted = "write the name of an original, then that of its translation, each in one table"
                    problems.append(Trouble(ProblemKind.SETTINGS, text, wanted).at(config.path, line=one.line))
            known = {one.translation for one in found}
            alone = [entry for entry in own.current.values() if entry not in known]
            problems += _alone(alone, pairing, language)
            yield SourceLanguage(
                table=loaded.table,
                loaded=loaded.loaded,
                translations=found,
                pairing=pairing,
                problems=(*problems, *more),
            )


def _alone(entries: Sequence[Entry], pairing: Pairing, language: str) -> Iterator[Problem]:
    """Yields a problem for entries without an original. Its terms are the language, and the names of likely pairs."""
    if entries:
        names = ", ".join(entry.name for entry in entries[:MAX_NAMES]) + (", …" if len(entries) > MAX_NAMES else "")
        found = f"{len(entries)} without an original in {language!r}: {names}"
        trouble = Trouble(ProblemKind.SUGGESTION, found, "name pairs in a [[same]] table with `language`")
        problem = trouble.at(entries[0].place.path, line=entries[0].line)
        yield replace(problem, terms=(language, *chain.from_iterable(pairing.likely)))


def _settled(config: Config, language: str, source: LoadedSource) -> tuple[Mapping[str, Prose], list[Problem]]:
    """Returns the words that [[current]] tables name, by the folded name of the original; and wrong tables."""
    tables = [one for one in config.current if one.language == language]
    releases = [release.name for release in source.source.releases] if tables else []
    editions, _ = editions_of(releases, source.documents if tables else (), unread=source.unread)
    words, problems = {}, []
    for one in tables:
        named = (edition for edition in editions if edition.release == one.release)
        entries = (entry for edition in named for entry in edition.entries if fold(entry.name) == fold(one.term))
        if entry := next(entries, None):
            words[fold(one.term)] = entry.definition
        else:
            wanted = "write its name there" if one.release in releases else did_you_mean(one.release, releases)
            trouble = Trouble(ProblemKind.SETTINGS, f"[[current]] {one.term!r} is not in {one.release!r}", wanted)
            problems.append(trouble.at(config.path, line=one.line))
    return words, problems


def assembled_in_languages(
    config: Config, loaded_sources: tuple[LoadedSource, ...], ledger: Ledger, assemble: Assemble
) -> Site:
    """Returns the site of the originals, with those of all other languages."""
    read = tuple(source_languages(config, loaded_sources))
    folders = {one.table.language: f"{one.table.language.lower()}/" for one in read}
    tables = tuple(one.table for one in read)
    unread = _unread_folders(ledger, folders.values()) if {*tables} != {*config.translations} else ()
    others = tuple(f"/{folder}" for folder in (*folders.values(), *unread))
    own = {key: row for key, row in ledger.items() if not row.address.startswith(others)}
    main = assemble(replace(config, translations=tables), loaded_sources, own, ())
    slug_of_original = _slugs(main)
    tags = [(config.site.language, ""), *folders.items()]
    languages = tuple(SiteLanguage(tag, native_name(tag), folder) for tag, folder in tags) if folders else ()
    states: dict[str, list[Translation]] = defaultdict(list)
    alternates: dict[str, dict[str, str]] = {slug: {config.site.language: slug} for slug in main.slugs.values()}
    sites = []
    for tag, folder in folders.items():
        of_language = [one for one in read if one.table.language == tag]
        site, pairs = _language_site(config, of_language, folder, ledger, slug_of_original, assemble)
        for slug, own_slug, one in pairs:
            states[slug].append(one)
            if slug in alternates and one.state != "orphaned":
                alternates[slug][tag] = own_slug
        sites.append(replace(site, languages=languages))
    for number, site in enumerate(sites):
        own_slugs = {others[site.language]: others for others in alternates.values() if site.language in others}
        sites[number] = replace(site, alternates=own_slugs)
    problems = chain.from_iterable((*(one.problems for one in read), *(site.problems for site in sites)))
    return replace(
        main,
        languages=languages,
        unread_folders=unread,
        alternates=alternates if folders else {},
        translations={slug: tuple(several) for slug, several in states.items()},
        language_sites=tuple(sites),
        permanence=_with_parts(main.permanence, {site.folder: site.permanence for site in sites}),
        problems=tuple(sorted({*main.problems, *problems})),
        elsewhere=main.elsewhere.union(*(site.elsewhere for site in sites)),
    )


def _language_site(
    config: Config,
    read: Sequence[SourceLanguage],
    folder: str,
    ledger: Ledger,
    slug_of_original: Callable[[Entry], str],
    assemble: Assemble,
) -> tuple[Site, list[tuple[str, str, Translation]]]:
    """Returns the site of a language, and its translations after the slugs of their original and their own page."""
    found = [(slug_of_original(one.original), one) for each in read for one in each.translations]
    chosen = tuple(
        ChosenSlug(name=one.translation.name, slug=slug, source=one.translation.place.source)
        for slug, one in found
        if one.translation and one.state != "orphaned"
    )
    loaded_sources = tuple(one.loaded for one in read)
    site = assemble(_config_of(config, read, folder), loaded_sources, _part(ledger, folder), chosen)
    own_slug = _slugs(site)
    pairs = [(slug, own_slug(one.translation) if one.translation else slug, one) for slug, one in found]
    return replace(site, folder=folder, translations={own: (one,) for _, own, one in pairs}), pairs


def _slugs(site: Site) -> Callable[[Entry], str]:
    """Returns a function that returns the slug of an entry's term in a site, by its present or an earlier name."""
    keys: dict[tuple[str, str], str] = {}
    for life in site.lives:
        for lane in life.term.lanes:
            for span in lane.spans:
                if span.entry and (span.past == len(lane.releases) or (lane.source.id, span.entry.name) not in keys):
                    keys[lane.source.id, span.entry.name] = life.key

    def slug(entry: Entry) -> str:
        key = keys.get((entry.place.source, entry.name))
        return site.slugs[key] if key else slug_of(entry.name)

    return slug


def _config_of(config: Config, own: Sequence[SourceLanguage], folder: str) -> Config:
    """Returns the configuration of the site of a language: its sources, and the tables about these."""
    ids = {one.table.id for one in own}
    (tag,) = {one.table.language for one in own}
    names = ("renames", "same", "distinct", "slugs", "corrected")
    tables: dict[str, Any] = {
        name: tuple(one for one in getattr(config, name) if one.source in ids) for name in names
    }
    top = f"/{folder}"
    below = ([at.removeprefix(top[:-1]) for at in one.addresses if at.startswith(top)] for one in config.retired)
    retired = [replace(one, addresses=tuple(own)) for one, own in zip(config.retired, below, strict=True)]
    return replace(
        config,
        **tables,
        site=replace(
            config.site, language=tag, base_url=config.site.base_url and config.site.base_url + folder, host=""
        ),
        translations=(),
        retired=tuple(one for one in retired if one.addresses or one.source in ids),
        redirect=(),
        problems=(),
    )


# The ledger.


def _unread_folders(ledger: Ledger, folders: Collection[str]) -> tuple[str, ...]:
    """Returns the folders of published languages that are not in `folders`: each has a list from A to Z."""
    lists = {address[1:].removesuffix(urls.A_TO_Z) for address in ledger if address.endswith(f"/{urls.A_TO_Z}")}
    unread = sorted(lists - {"", *folders})
    feeds = [urls.TRANSLATIONS + folder for folder in unread]
    return (*unread, *(feeds if folders else (urls.TRANSLATIONS,)))


def _part(ledger: Ledger, folder: str) -> Ledger:
    """Returns the rows of the ledger in a folder, with addresses as if the folder were the site."""
    rows = (row for row in ledger.values() if row.address.startswith(f"/{folder}"))
    moved = (_moved(row, lambda address: address.removeprefix(f"/{folder}"[:-1])) for row in rows)
    return {row.address: row for row in moved}


def _moved(row: LedgerRow, move: Callable[[str], str]) -> LedgerRow:
    return replace(row, address=move(row.address), successor=row.successor and move(row.successor))


def _with_parts(permanence: Permanence, parts: Mapping[str, Permanence]) -> Permanence:
    """Returns the promises of the originals with those of the other languages. Only the whole site has an address."""

    def whole(folder: str, rows: Iterable[LedgerRow]) -> Iterator[LedgerRow]:
        return (_moved(row, lambda address: f"/{folder[:-1]}{address}") for row in rows if row.kind != "site")

    def joined(name: str) -> Ledger:
        moved = chain.from_iterable(whole(folder, getattr(one, name).values()) for folder, one in parts.items())
        return {**getattr(permanence, name), **{row.address: row for row in moved}}

    broken = [
        replace(one, row=row)
        for folder, part in parts.items()
        for one in part.broken
        for row in whole(folder, [one.row])
    ]
    return replace(
        permanence,
        rows=joined("rows"),
        ledger=joined("ledger"),
        broken=(*permanence.broken, *broken),
    )
