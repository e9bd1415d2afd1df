"""Reads translations of sources: each as a source of its own, with the commits that changed it and
its original.

A translation has the releases and the settings of its original, in files of its own: a folder or a
file for each language, a gettext catalog, the same files in another repository, or the part of its
language in one file of records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile
from pathlib import Path

from sitegen.config.parsing import Config
from sitegen.config.tables import SourceTable, TranslationTable
from sitegen.config.values import did_you_mean
from sitegen.model import (
    Problem,
    ProblemKind,
    Release,
    Source,
    Trouble,
)
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.language_histories import catalog_with_original
from sitegen.sources.language_tags import CATALOG, language_trouble
from sitegen.sources.parsed_sources import entries_of
from sitegen.sources.release_documents import with_releases, with_settings
from sitegen.sources.word_log import WordLog, read_word_logs

MAX_COMPARED_BYTES = 48 * 1024 * 1024
"""The maximum size of all contents of files whose words are compared: a few minutes for one large
file of records."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TranslatedSource:
    """A translation as a source of its own, and the commits that changed it and its original."""

    table: TranslationTable
    source: Source = field(repr=False)
    original: WordLog
    own: WordLog


def read_translations(
    config: Config,
    sources: Sequence[Source],
    *,
    root: Path,
    clones: Clones,
    read: Callable[[Config], tuple[Source, ...]],
) -> tuple[tuple[TranslatedSource, ...], tuple[Problem, ...]]:
    """Returns the translations of the sources, those in files of their own as `read` reads them,
    and the problems with the tables and logs of translations."""
    usable, problems = _usable(config)
    table_of = {table.id: table for table in config.sources}
    tables: dict[str, dict[TranslationTable, SourceTable]] = defaultdict(dict)
    apart = []
    for one in usable:
        table = source_table(table_of[one.of], one)
        tables[one.of][one] = table
        if not one.is_within:
            apart.append(table)
    # These are read before the logs, which do not keep the contents that they read.
    states = {}
    if apart:
        for source in read(replace(config, sources=tuple(apart), translations=())):
            states[source.id] = source
    translations = []
    for original in sources:
        own = tables.get(original.id)
        if not own:
            continue
        logged = [table_of[original.id], *own.values()]
        logs, unread = read_logs(logged, root=root, clones=clones)
        problems += unread
        for one, table in own.items():
            if logs.keys() >= {original.id, table.id}:
                state = states.get(table.id) or _within(original, table)
                translations.append(_translation(one, state, logs[original.id], logs[table.id]))
    return tuple(translations), tuple(problems)


def _translation(
    table: TranslationTable, state: Source, original: WordLog, own: WordLog
) -> TranslatedSource:
    releases = []
    for release in state.releases:
        documents = [catalog_with_original(one, original) for one in release.documents]
        releases.append(replace(release, documents=tuple(documents)))
    source = replace(state, releases=tuple(releases))
    return TranslatedSource(table=table, source=source, original=original, own=own)


def _within(original: Source, table: SourceTable) -> Source:
    """Returns the part of a language in the files of its original, from the first release that has
    the language."""
    releases = [_part(release, table) for release in original.releases]
    begun = list(dropwhile(lambda release: not any(entries_of(release.documents)), releases))
    pending = original.pending and _part(original.pending, table)
    source = replace(
        original, id=table.id, title=table.title, skipped=(), problems=(), pending=pending
    )
    return with_releases(source, begun)


def _part(release: Release, table: SourceTable) -> Release:
    """Returns a release whose documents are read as those of a language."""
    documents = []
    for document in release.documents:
        documents.append(replace(with_settings(document, table), source=table.id))
    return replace(release, documents=tuple(documents))


def _usable(config: Config) -> tuple[list[TranslationTable], list[Problem]]:
    """Returns the tables that can be read, and a problem for each other one."""
    usable: dict[str, TranslationTable] = {}
    problems = []
    git = {table.id: table.git for table in config.sources}
    for table in config.translations:
        if trouble := _table_trouble(table, git, usable, language=config.site.language):
            problem = Trouble(ProblemKind.SETTINGS, *trouble).at(config.path, line=table.line)
            problems.append(problem)
        else:
            usable[table.id] = table
    return [*usable.values()], problems


def _table_trouble(
    table: TranslationTable,
    git: Mapping[str, str],
    usable: Mapping[str, TranslationTable],
    *,
    language: str,
) -> tuple[str, str] | None:
    """Returns why a translation cannot be read, and what to write; None if it can.

    `git` has the repositories of the sources, `usable` the tables before this one, by their ids,
    and `language` is that of the site.
    """
    if trouble := language_trouble(table.language):
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
    """Returns the table of a translation as a source of its own."""
    paths = table.paths or original.paths
    result = replace(
        original,
        id=table.id,
        title=original.title or original.id,
        paths=paths,
        versions="",
        formerly=(),
    )
    if any(path.endswith((CATALOG, "LC_MESSAGES")) for path in paths):
        result = replace(result, format="gettext")
    if table.git:
        return replace(result, git=table.git, tags=(), exclude=(), branches=(), head="", by="auto")
    return replace(result, section=table.language) if table.is_within else result


# The commits of both languages.


def read_logs(
    tables: Sequence[SourceTable],
    *,
    root: Path,
    clones: Clones,
    max_bytes: int = MAX_COMPARED_BYTES,
) -> tuple[Mapping[str, WordLog], list[Problem]]:
    """Returns the logs of a source and of its translations by their ids, and a problem for each
    unread repository."""
    logs: dict[str, WordLog] = {}
    problems = []
    for address in dict.fromkeys(one.git for one in tables):
        try:
            with open_repository(address, root=root, clones=clones) as repository:
                own = [one for one in tables if one.git == address]
                logs |= read_word_logs(repository, own, max_bytes=max_bytes)
        except GitError as error:
            problems.append(error.problem(address))
    return logs, problems
