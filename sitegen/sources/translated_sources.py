"""Reads translations of sources: each as a source of its own, with the commits that changed it and
its original, and the entries at these commits.

A translation has the releases and the settings of its original, in files of its own: a folder or a
file for each language, a gettext catalog, the same files in another repository, or the part of its
language in one file of records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from sitegen.config.parsing import Config
from sitegen.config.tables import SourceTable, TranslationTable
from sitegen.config.values import AUTO
from sitegen.formats.gettext import number_of_messages
from sitegen.history.word_changes import CommitEntries, LanguageHistory, TranslatedKey, tracks
from sitegen.model import (
    Document,
    Entry,
    Problem,
    ProblemKind,
    Source,
    Trouble,
    grouped,
)
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.glossary_names import beside_terms
from sitegen.sources.language_tags import CATALOG_SUFFIX, language_trouble, without_language
from sitegen.sources.parsed_sources import entries_of, parse_all
from sitegen.sources.release_documents import since_first_terms, with_settings
from sitegen.sources.word_log import RECORD_SUFFIXES, WordLog, read_word_logs
from sitegen.text.names import did_you_mean, fold

MAX_COMPARED_BYTES = 48 * 1024 * 1024
"""The maximum size of all contents of files whose words are compared. With one large file of
records, that takes a few minutes."""
MIN_FILES = 2
"""The minimum number of files of a language that are treated as files of one term each."""
MAX_STATES = 40
"""The maximum number of states of an original that are compared with a gettext catalog."""

KeyedEntry = tuple[TranslatedKey, Entry]


@dataclass(frozen=True, kw_only=True)
class TranslatedSource:
    """A translation as a source, with the commits that changed its files, and the commits that
    changed the original."""

    table: TranslationTable
    source: Source
    original_log: WordLog
    own_log: WordLog


def read_translations(
    config: Config,
    sources: Sequence[Source],
    *,
    root: Path,
    clones: Clones,
    read_sources: Callable[[Config], tuple[Source, ...]],
) -> tuple[tuple[TranslatedSource, ...], tuple[Problem, ...]]:
    """Returns the translations of the sources, and the problems with their tables and logs.
    `read_sources` reads the translations that are in files of their own."""
    usable, problems = _usable_tables(config)
    original_tables = {table.id: table for table in config.sources}
    translations: list[TranslatedSource] = []
    for original in sources:
        tables = [table for table in usable if table.of == original.id]
        if not tables:
            continue
        # Each translation is read like a source, by a table of its own.
        original_table = original_tables[original.id]
        source_tables = {table.id: source_table(original_table, table) for table in tables}
        logs, problems_of_logs = read_logs(
            [original_table, *source_tables.values()], root=root, clones=clones
        )
        problems += problems_of_logs

        in_own_files = tuple([source_tables[table.id] for table in tables if not table.is_within])
        read = read_sources(replace(config, sources=in_own_files, translations=()))
        source_by_id = {source.id: source for source in read}
        for table in tables:
            # A log is missing if its repository could not be read.
            if original.id not in logs or table.id not in logs:
                continue
            if table.is_within:
                source = _source_within(original, source_tables[table.id])
            else:
                source = source_by_id[table.id]
            translation = _translation(table, source, logs[original.id], logs[table.id])
            translations.append(translation)
    return tuple(translations), tuple(problems)


def _translation(
    table: TranslationTable, source: Source, original_log: WordLog, own_log: WordLog
) -> TranslatedSource:
    """Returns a translation whose gettext catalogs have the texts of their originals. It begins
    with the first release that has terms."""
    with_original = partial(_catalog_with_original, original_log=original_log)
    releases = [release.with_each(with_original) for release in source.releases]
    source = replace(source, releases=tuple(releases))
    return TranslatedSource(
        table=table,
        # If no release has terms yet, a problem of the newest one says so.
        source=since_first_terms(source) or replace(source, releases=source.releases[-1:]),
        original_log=original_log,
        own_log=own_log,
    )


def _source_within(original: Source, table: SourceTable) -> Source:
    """Returns a translation that is in the files of its original, as a source."""
    in_language = partial(_in_language, table=table)
    pending = original.pending  # the state of the branch, for a note about edits
    if pending:
        pending = pending.with_each(in_language)
    return replace(
        original,
        id=table.id,
        title=table.title,
        releases=tuple([release.with_each(in_language) for release in original.releases]),
        skipped=(),
        problems=(),
        pending=pending,
    )


def _in_language(document: Document, table: SourceTable) -> Document:
    """Returns a document that is read as one of the language in a table."""
    return replace(with_settings(document, table), source=table.id)


def _usable_tables(config: Config) -> tuple[list[TranslationTable], list[Problem]]:
    """Returns the tables of translations that can be read, and a problem for each table that
    cannot."""
    usable: dict[str, TranslationTable] = {}
    problems = []
    git = {table.id: table.git for table in config.sources}
    for table in config.translations:
        trouble = _table_trouble(table, git, usable, language=config.site.language)
        if trouble is None:
            usable[table.id] = table
        else:
            problems.append(table.settings_problem(*trouble))
    return [*usable.values()], problems


def _table_trouble(
    table: TranslationTable,
    git: Mapping[str, str],
    usable: Mapping[str, TranslationTable],
    *,
    language: str,
) -> tuple[str, str] | None:
    """Returns the reason why a translation cannot be read, and what to write instead; None if it
    can be read.

    `git` has the repositories of the sources, and `usable` the tables before this one, both by id.
    `language` is the language of the site.
    """
    trouble = language_trouble(table.language)
    if trouble:
        return trouble
    if table.of not in git:
        return f"no source {table.of!r} to translate", did_you_mean(table.of, list(git))
    if not git[table.of]:
        found = f"the source {table.of!r} is not in git"
        return found, "translations are read from a repository"
    if table.id in usable:
        found = f"a second translation of {table.of!r} into {table.language!r}"
        return found, f"write all its paths in line {usable[table.id].line}"
    if table.language.lower() == language.lower():
        found = f"{table.language!r} is the language of the site itself"
        return found, "say `language` in [site]"
    return None


def source_table(original: SourceTable, table: TranslationTable) -> SourceTable:
    """Returns the table by which a translation is read as a source. It has its own id and paths,
    and otherwise the settings of its original."""
    paths = table.paths or original.paths
    result = replace(
        original,
        id=table.id,
        title=original.title or original.id,
        paths=paths,
        versions="",
        formerly=(),
        line=table.line,
    )
    for path in paths:
        if path.endswith(CATALOG_SUFFIX) or "LC_MESSAGES" in path.split("/"):
            result = replace(result, format="gettext")
    if table.git:  # another repository has other tags and branches
        return replace(result, git=table.git, tags=(), exclude=(), branches=(), head="", by=AUTO)
    if table.is_within:  # a format reads a language as a section
        return replace(result, section=table.language)
    return result


# The commits of both languages.


def read_logs(
    tables: Sequence[SourceTable],
    *,
    root: Path,
    clones: Clones,
    max_bytes: int = MAX_COMPARED_BYTES,
) -> tuple[Mapping[str, WordLog], list[Problem]]:
    """Returns the logs of a source and its translations by their ids, and a problem for each
    repository that cannot be read. All logs of one repository are read together."""
    logs: dict[str, WordLog] = {}
    problems = []
    for address, tables_there in grouped((table.git, table) for table in tables).items():
        try:
            with open_repository(address, root=root, clones=clones) as repository:
                logs |= read_word_logs(repository, tables_there, max_bytes=max_bytes)
        except GitError as error:
            problems.append(error.problem(address))
    return logs, problems


# The entries of a language.


def history_of(
    log: WordLog, original_log: WordLog, *, clean: Callable[[Entry], Entry] = lambda entry: entry
) -> tuple[LanguageHistory, tuple[Problem, ...]]:
    """Returns the entries of one language with their changes, and a problem for each term that two
    files have.

    `clean` removes withheld words from an entry.
    """
    reader = _EntryReader(log, original_log, clean)
    current: dict[TranslatedKey, Entry] = {}
    problems = []
    for key, entry in reader.all_of(log.current):
        first = current.setdefault(key, entry)
        # A term that is twice in one file is reported with the source.
        if first.place.path != entry.place.path:
            found = f"{first.place.path} and {entry.place.path} are one term in one language"
            trouble = Trouble(ProblemKind.ENTRY, found, "the first is read; delete the other")
            problems.append(trouble.at(entry.place.path))
    order_of_commit = {one.commit.id: one.commit.order for one in log.commits}
    changes = tracks(_commits_with_entries(log, reader), current)
    return LanguageHistory(changes, order_of_commit, log.is_complete), tuple(problems)


def _commits_with_entries(log: WordLog, reader: _EntryReader) -> Iterator[CommitEntries]:
    """Yields the commits of a language, oldest first, with the entries before and after each."""
    for logged in log.commits:
        entries_after: dict[TranslatedKey, Entry] = {}
        for key, entry in reader.all_of(logged.after):
            entries_after.setdefault(key, entry)
        entries_before = grouped(reader.all_of(logged.before))  # a merge has several parents
        yield CommitEntries(logged.commit, entries_before, entries_after)


class _EntryReader:
    """Reads the entries of the documents of one language, each document once."""

    def __init__(
        self, log: WordLog, original_log: WordLog, clean: Callable[[Entry], Entry]
    ) -> None:
        self._paths = log.table.paths
        self._original_log = original_log
        self._clean = clean
        self._has_term_files = _has_term_files(original_log)
        self._beside = beside_terms({document.path for document in _documents(log)})
        """The paths of files beside the files of terms, such as a README."""
        self._entries: dict[Document, Sequence[KeyedEntry]] = {}

    def all_of(self, documents: Iterable[Document]) -> Iterator[KeyedEntry]:
        """Yields the entries of documents, each with the key by which its translations are
        found."""
        for document in documents:
            if document not in self._entries:
                self._entries[document] = self._read(document)
            yield from self._entries[document]

    def _read(self, document: Document) -> Sequence[KeyedEntry]:
        """Returns the entries of a document with their keys: the file and the name, such as
        `("words", "cache")`, or the file alone if each has one term, such as `("cache", "")`."""
        if self._has_term_files and document.path in self._beside:
            return ()
        has_records = document.path.endswith((*RECORD_SUFFIXES, ".json", ".csv"))
        file = without_language(document.path, self._paths)
        entries = []
        for entry in entries_of([_catalog_with_original(document, self._original_log)]):
            entry = self._clean(entry)
            if has_records:
                entry = _without_related(entry)
            entries.append(entry)
        if self._has_term_files and len(entries) == 1:
            return [(TranslatedKey(file), entries[0])]
        return [(TranslatedKey(file, fold(entry.name)), entry) for entry in entries]


def _has_term_files(log: WordLog) -> bool:
    """True if most files of the newest commit have one term each."""
    sizes = [len(document.entries) for document in parse_all(log.current)]
    return len(sizes) >= MIN_FILES and 2 * sizes.count(1) > len(sizes)


def _documents(log: WordLog) -> Iterator[Document]:
    """Yields the files of one language, at all commits."""
    yield from log.current
    for one in log.commits:
        yield from one.before
        yield from one.after


def _without_related(entry: Entry) -> Entry:
    """Returns an entry without the line of its related terms ("See also: …"). A record has one such
    line for all languages, so the line says nothing about the age of a translation."""
    definition = entry.definition
    html, line, _ = definition.html.rpartition("<p>See also: ")
    if not line:
        return entry
    text, _, _ = definition.text.rpartition("See also: ")
    definition = replace(definition, html=html, text=text.rstrip())
    return entry._replace(text=replace(entry.text, definition=definition))


def _catalog_with_original(document: Document, original_log: WordLog) -> Document:
    """Returns a gettext catalog with the text of its original; other documents are returned
    unchanged.

    The catalog may be of an older state of the original. Of the states, the one with the most
    messages of the catalog is taken.
    """
    if document.format != "gettext":
        return document
    stem = PurePosixPath(document.name).stem
    states = [*original_log.current]
    for commit in reversed(original_log.commits):
        states += commit.after
    # A catalog may be for one file, with the same name, or for all files of a folder.
    with_same_name = [state for state in states if PurePosixPath(state.name).stem == stem]
    newest_first = list(dict.fromkeys(with_same_name or states))[:MAX_STATES]
    if not newest_first:
        return document
    best = max(newest_first, key=lambda state: number_of_messages(state.text, document.text))
    return replace(document, includes=((best.name, best.text),))
