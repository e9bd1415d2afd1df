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
from sitegen.history.translation_states import translations
from sitegen.history.word_changes import LanguageHistory
from sitegen.model import Problem, ProblemKind, Prose, Source, Trouble, first_of
from sitegen.model.term_translations import Translation
from sitegen.permanence.withholding import Cleaner
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries
from sitegen.sources.translated_sources import history_of
from sitegen.text.names import fold

MAX_NAMES = 8
"""The maximum number of terms without an original that are named."""


@dataclass(frozen=True, kw_only=True)
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
    cleaner = Cleaner(config.withheld)
    history = cache(partial(history_of, clean=cleaner.entry))
    sources = {source.id: source for source in glossaries.sources}
    for translation in glossaries.translations:
        language = translation.table.language

        # The entries of both languages at each commit. The problems of the original are reported
        # with its own source.
        original_log = translation.original_log
        original, _problems = history(original_log, original_log=original_log)
        own, problems_of_own = history(translation.own_log, original_log=original_log)

        # What site.toml says: which entries are pairs, and of which words some were made.
        same_tables = _same_tables(config, language)
        original_source = sources[translation.table.of]
        words_of_table = _words_of_current_tables(config, language, original_source, cleaner)
        made_from = {fold(current.term): words for current, words in words_of_table.items()}

        states, pairing = translations(
            original, own, language=language, declared=same_tables, made_from=made_from
        )

        # The tables that had an effect. A [[current]] table has one if its term is translated.
        applied: list[Same | Current] = []
        applied += [same for names, same in same_tables.items() if names not in pairing.unused]
        translated_names = set()
        for original_key in pairing.originals.values():
            translated_names.add(fold(original.tracks[original_key].entry.name))
        applied += [one for one in words_of_table if fold(one.term) in translated_names]

        yield SourceLanguage(
            table=translation.table,
            source=translation.source,
            translations=states,
            problems=(*_lone_problem(own, states, language), *problems_of_own),
            applied=frozenset(applied),
        )


def _same_tables(config: Config, language: str) -> Mapping[tuple[str, str], Same]:
    """Returns the [[same]] tables for a language, by (name of the original, name of the
    translation)."""
    tables = {}
    for table in config.same:
        if table.language == language:
            original_name, translated_name = table.names
            tables[original_name, translated_name] = table
    return tables


def _words_of_current_tables(
    config: Config, language: str, source: Source, cleaner: Cleaner
) -> Mapping[Current, Prose]:
    """Returns the [[current]] tables for a language, each with the definition that its term had at
    its release. Left out are tables with a release or a term that the source lacks."""
    tables = [one for one in config.current if one.language == language]
    if not tables:
        return {}  # the source need not be parsed
    releases = cleaner.source(parsed(source)).releases
    entries_of_release = {release.name: release.entries for release in releases}
    words_of_table: dict[Current, Prose] = {}
    for table in tables:
        for entry in entries_of_release.get(table.release, ()):
            if fold(entry.name) == fold(table.term):
                words_of_table.setdefault(table, entry.definition)
    return words_of_table


def unused_language_tables(config: Config, read: Sequence[SourceLanguage]) -> Iterator[Problem]:
    """Yields a problem for each [[same]] or [[current]] table of a language that has no effect. A
    language is left out if one of its sources was not read: the table may be about that source."""
    unread_tables = {*config.translations}.difference(one.table for one in read)
    unread_languages = {table.language for table in unread_tables}
    applied: set[Same | Current] = set()
    for source_language in read:
        applied |= source_language.applied
    tables: tuple[Same | Current, ...] = (*config.same, *config.current)
    for table in tables:
        language = table.language
        if not language or language in unread_languages or table in applied:
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


def _lone_problem(
    own: LanguageHistory, states: Iterable[Translation], language: str
) -> Iterator[Problem]:
    """Yields one problem about all translated entries without an original; none if there are no
    such entries. The problem has a table for each entry that is the likeliest translation of an
    original."""
    paired = {one.entry for one in states}
    lone_entries = [entry for entry in own.current.values() if entry not in paired]
    if not lone_entries:
        return
    names = first_of([entry.name for entry in lone_entries], limit=MAX_NAMES)
    trouble = Trouble(
        ProblemKind.SUGGESTION,
        f"{len(lone_entries)} without an original in {language!r}: {names}",
        "name pairs in a [[same]] table with `language`",
    )
    first_entry = lone_entries[0]
    problem = trouble.at(first_entry.place.path, line=first_entry.line)
    original_of: dict[str, str] = {}
    for translation in states:
        if translation.candidates:
            likeliest = translation.candidates[0]
            original_of.setdefault(likeliest, translation.original.name)
    tables = []
    for name, original in original_of.items():
        tables.append(table_text("[[same]]", {"language": language, "names": (original, name)}))
    yield replace(problem, details="".join(tables))
