"""Compares each source with its translations: how far the terms are behind, and which tables of
site.toml about them have no effect.

`language_sites` assembles the site of each language from this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from sitegen.config.parsing import Config
from sitegen.config.tables import Current, Same, TranslationTable
from sitegen.config.toml import table_text
from sitegen.history.translation_pairs import Pairing
from sitegen.history.translation_states import Translation, translations
from sitegen.history.word_changes import LanguageHistory
from sitegen.model import Problem, ProblemKind, Prose, Source, Trouble, first_of
from sitegen.permanence.withholding import Cleaner
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries
from sitegen.sources.translated_sources import history_of
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
    applied: frozenset[Same | Current]
    """The tables of site.toml about its terms."""


def source_languages(config: Config, glossaries: Glossaries) -> Iterator[SourceLanguage]:
    """Yields each source in each language, in the order of site.toml."""
    history = cache(partial(history_of, clean=Cleaner(config.withheld).entry))
    sources = {source.id: source for source in glossaries.sources}
    for translation in glossaries.translations:
        language = translation.table.language
        original, _ = history(translation.original_log, translation.original_log)
        own, problems_of_own = history(translation.own_log, translation.original_log)
        declared = _declared_pairs(config, language)
        words_of = _made_from(config, language, sources[translation.table.of])
        made_from = {fold(current.term): words for current, words in words_of.items()}
        found, pairing = translations(
            original, own, language=language, declared=declared, made_from=made_from
        )
        applied: list[Same | Current] = []
        applied += [same for names, same in declared.items() if names not in pairing.unused]
        translated = {fold(original.tracks[key].entry.name) for key in pairing.originals.values()}
        applied += [current for current in words_of if fold(current.term) in translated]
        yield SourceLanguage(
            table=translation.table,
            source=translation.source,
            translations=found,
            problems=(*_alone(own, found, pairing, language), *problems_of_own),
            applied=frozenset(applied),
        )


def _declared_pairs(config: Config, language: str) -> Mapping[tuple[str, str], Same]:
    """Returns the [[same]] tables for a language, by the name of an original and that of its
    translation."""
    pairs = {}
    for table in config.same:
        if table.language == language:
            original, translation = table.names
            pairs[original, translation] = table
    return pairs


def _made_from(config: Config, language: str, source: Source) -> Mapping[Current, Prose]:
    """Returns the words from which each [[current]] table says that a translation was made, if the
    source has them."""
    tables = [one for one in config.current if one.language == language]
    if not tables:
        return {}
    entries_at = {release.name: release.entries for release in parsed(source).releases}
    made_from: dict[Current, Prose] = {}
    for one in tables:
        for entry in entries_at.get(one.release, ()):
            if fold(entry.name) == fold(one.term):
                made_from.setdefault(one, entry.definition)
    return made_from


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
        yield table.settings_problem(f"{found} in {language!r}", wanted)


def _alone(
    own: LanguageHistory, found: Iterable[Translation], pairing: Pairing, language: str
) -> Iterator[Problem]:
    """Yields the problem of entries without an original, if there are any, with a table for each
    likely pair."""
    paired = {one.translation for one in found}
    alone = [entry for entry in own.current.values() if entry not in paired]
    if not alone:
        return
    names = first_of([entry.name for entry in alone], limit=MAX_NAMES)
    trouble = Trouble(
        ProblemKind.SUGGESTION,
        f"{len(alone)} without an original in {language!r}: {names}",
        "name pairs in a [[same]] table with `language`",
    )
    problem = trouble.at(alone[0].place.path, line=alone[0].line)
    tables = [
        table_text("[[same]]", {"language": language, "names": pair}) for pair in pairing.likely
    ]
    yield replace(problem, tables="".join(tables))
