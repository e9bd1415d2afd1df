"""Compares the sources of a site with their translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain

from sitegen.config.parsing import Config
from sitegen.config.tables import TranslationTable
from sitegen.config.values import did_you_mean
from sitegen.history.translation_pairs import Pairing
from sitegen.history.translation_states import Translation, translations
from sitegen.model import Entry, Problem, ProblemKind, Prose, Source, Trouble, listed
from sitegen.permanence.withholding import Cleaner
from sitegen.sources.language_histories import history_of
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries
from sitegen.text.names import fold

MAX_NAMES = 8
"""The maximum number of terms without an original that are named."""


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
        lines_of_pairs = _declared_pairs(config, language)
        found, pairing = translations(
            original, own, language=language, declared=lines_of_pairs, settled=settled
        )
        for names in pairing.unused:
            trouble = _no_pair(names, language)
            problems.append(trouble.at(config.path, line=lines_of_pairs[names]))
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


def _declared_pairs(config: Config, language: str) -> Mapping[tuple[str, str], int]:
    """Returns the lines of the [[same]] tables for a language, by their names."""
    lines = {}
    for table in config.same:
        if table.language == language:
            original, translation = table.names
            lines[original, translation] = table.line
    return lines


def _no_pair(names: tuple[str, str], language: str) -> Trouble:
    found = f"[[same]] {' and '.join(map(repr, names))} are not a pair in {language!r}"
    wanted = "write the name of an original, then that of its translation, each in one table"
    return Trouble(ProblemKind.SETTINGS, found, wanted)


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
        entry = _entry_called(one.term, entries_at.get(one.release, ()))
        if entry:
            words[fold(one.term)] = entry.definition
            continue
        found = f"[[current]] {one.term!r} is not in {one.release!r}"
        wanted = "write its name there"
        if one.release not in entries_at:
            wanted = did_you_mean(one.release, list(entries_at))
        trouble = Trouble(ProblemKind.SETTINGS, found, wanted)
        problems.append(trouble.at(config.path, line=one.line))
    return words, problems


def _entry_called(name: str, entries: Iterable[Entry]) -> Entry | None:
    for entry in entries:
        if fold(entry.name) == fold(name):
            return entry
    return None
