"""Reads translations of sources: each as a source of its own, with the commits that changed it and its original.

A translation has the releases and the settings of its original, in files of its own: a folder or a file for each
language, a gettext catalog, the same files in another repository, or the part of its language in one file of records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import dropwhile, islice
from pathlib import Path, PurePosixPath

from sitegen.config.parsing import Config
from sitegen.config.patterns import matches
from sitegen.config.tables import SourceTable, TranslationTable
from sitegen.config.values import did_you_mean
from sitegen.formats.gettext import number_of_messages
from sitegen.history.translation_states import CommitEntries, Key, LanguageHistory, tracks
from sitegen.model import Document, Entry, Problem, ProblemKind, Trouble
from sitegen.sources.editions import read_all
from sitegen.sources.git.git_source import decoded
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import NO_COMMIT, Clones, Repository, open_repository
from sitegen.sources.git.trees import find_files
from sitegen.sources.git.word_log import LoggedCommit, WordLog, read_log
from sitegen.sources.glossary_names import is_beside_terms
from sitegen.sources.language_tags import CATALOG, language_trouble, without_language, without_translations
from sitegen.sources.reading import LoadedSource, LoadedTranslation
from sitegen.sources.snapshots import with_settings
from sitegen.text.names import fold

MIN_FILES = 2
"""The minimum number of files of a language each of which may have one term."""
MAX_BYTES = 48 * 1024 * 1024
"""The maximum size of all contents of files whose words are compared: a few minutes for one large file of records."""
MAX_STATES = 40
"""The maximum number of states of an original that are compared with a gettext catalog."""


def with_translations(
    loaded_sources: Sequence[LoadedSource],
    config: Config,
    *,
    root: Path,
    clones: Clones,
    read: Callable[[Config], tuple[LoadedSource, ...]],
) -> tuple[LoadedSource, ...]:
    """Returns the sources with their translations. One that cannot be read is a problem of the first source.

    `read` reads the sources of a configuration.
    """
    usable, problems = _usable(config)
    result = []
    for table, loaded in zip(config.sources, loaded_sources, strict=True):
        own_tables = {one: source_table(table, one) for one in usable if one.of == table.id}
        logs, unread = read_logs([table, *own_tables.values()], root=root, clones=clones) if own_tables else ({}, [])
        problems += unread
        translations = []
        for one, own in own_tables.items():
            if table.id in logs and own.id in logs:
                if one.is_within:
                    translated = _within(loaded, own)
                else:
                    (translated,) = read(replace(config, sources=(own,), translations=(), mentions=()))
                original = logs[table.id]
                documents = tuple(_of_catalog(document, original) for document in translated.documents)
                translated = replace(translated, documents=documents)
                translations.append(
                    LoadedTranslation(table=one, loaded=translated, original=original, own=logs[own.id])
                )
        result.append(replace(loaded, translations=tuple(translations)))
    first, *others = result
    return (replace(first, problems=(*problems, *first.problems)), *others)


def _within(loaded: LoadedSource, table: SourceTable) -> LoadedSource:
    """Returns the part of a language in the files of its original, from the first release that has the language."""
    documents = tuple(replace(with_settings(one, table), source=table.id) for one in loaded.documents)
    own = {document.release for document, reading in read_all(documents) if reading.entries}
    releases = tuple(dropwhile(lambda release: release.name not in own, loaded.source.releases))
    kept = {release.name for release in releases}
    return replace(
        loaded,
        source=replace(loaded.source, id=table.id, title=table.title, releases=releases, skipped=()),
        documents=tuple(one for one in documents if one.release in kept),
        pending=tuple(replace(with_settings(one, table), source=table.id) for one in loaded.pending),
        unread=tuple(one for one in loaded.unread if one[0] in kept),
        problems=(),
    )


def _usable(config: Config) -> tuple[list[TranslationTable], list[Problem]]:
    """Returns the tables that can be read, and a problem for each other one."""
    usable: dict[str, TranslationTable] = {}
    problems = []
    git = {table.id: table.git for table in config.sources}
    for table in config.translations:
        trouble = language_trouble(table.language)
        if not trouble and table.of not in git:
            trouble = f"no source {table.of!r} to translate", did_you_mean(table.of, list(git))
        elif not trouble and not git[table.of]:
            trouble = f"the source {table.of!r} is not in git", "translations are read from a repository"
        elif not trouble and table.id in usable:
            wanted = f"write all its paths in line {usable[table.id].line}"
            trouble = f"a second translation of {table.of!r} into {table.language!r}", wanted
        elif table.language.lower() == config.site.language.lower():
            trouble = f"{table.language!r} is the language of the site itself", "say `language` in [site]"
        if trouble:
            problems.append(Trouble(ProblemKind.SETTINGS, *trouble).at(config.path, line=table.line))
        else:
            usable[table.id] = table
    return [*usable.values()], problems


def source_table(original: SourceTable, table: TranslationTable) -> SourceTable:
    """Returns the table of a translation as a source of its own."""
    paths = table.paths or original.paths
    result = replace(
        original, id=table.id, title=original.title or original.id, paths=paths, versions="", formerly=()
    )
    if any(path.endswith((CATALOG, "LC_MESSAGES")) for path in paths):
        result = replace(result, format="gettext")
    if table.git:
        return replace(result, git=table.git, tags=(), exclude=(), branches=(), head="", by="auto")
    return replace(result, section=table.language) if table.is_within else result


# The commits of both languages.


def read_logs(
    tables: Sequence[SourceTable], *, root: Path, clones: Clones, max_bytes: int = MAX_BYTES
) -> tuple[Mapping[str, WordLog], list[Problem]]:
    """Returns the logs of a source and of its translations, which follow it, by their ids; and unread repositories.

    Each repository is read once. Older commits are left out if the contents of the files are larger than `max_bytes`.
    """
    logs: dict[str, WordLog] = {}
    problems = []
    for address in dict.fromkeys(one.git for one in tables):
        try:
            with open_repository(address, root=root, clones=clones) as repository:
                logs |= _logs_of(repository, [one for one in tables if one.git == address], max_bytes)
        except GitError as error:
            problems.append(error.problem(address))
    if original := logs.get(tables[0].id):
        for id, log in logs.items():
            documents = {key: _of_catalog(document, original) for key, document in log.documents.items()}
            logs[id] = replace(log, documents=documents)
    return logs, problems


def _logs_of(repository: Repository, tables: Sequence[SourceTable], max_bytes: int) -> Mapping[str, WordLog]:
    """Returns the logs of some sources in a repository by their ids."""
    tip, _ = repository.head(tables[0].head or "HEAD")
    if tip is None:
        raise GitError(NO_COMMIT)
    is_complete = all(one.kind != ProblemKind.SHALLOW for one in repository.incompleteness())
    logged = read_log(repository.folder, tip.commit, [path for table in tables for path in table.paths])
    commits = _newest(repository, logged, max_bytes)
    current = {table.id: find_files(repository.trees, tip.tree, table.paths).files for table in tables}
    files = {(change.path, id) for one in commits for change in one.changes for id in (*change.before, change.after)}
    files |= {item for several in current.values() for item in several.items()}
    ids = sorted({id for _, id in files if id})
    blobs = {one.id: one for one in repository.objects.read(ids, limit=max(table.max_bytes for table in tables))}
    # One file of records has all languages, so that each would decode it.
    text = cache(lambda path, id: decoded(blobs[id], path, encoding=tables[0].encoding).text)
    paths, result = sorted({path for path, _ in files}), {}
    for table in tables:
        seen = {path: None for path in paths if any(matches(pattern, path) for pattern in table.paths)}
        own_paths = without_translations(seen)
        chosen = [
            (number, commit._replace(changes=changes))
            for number, commit in enumerate(commits)
            if (changes := tuple(change for change in commit.changes if change.path in own_paths))
        ]
        documents = {}
        for path, id in sorted(one for one in files if one[1] and one[0] in own_paths):
            if (content := text(path, id)) is not None:
                document = Document(source=table.id, release="", path=path, name=path, text=content)
                documents[path, id] = with_settings(document, table)
        result[table.id] = WordLog(
            table=table, commits=chosen, documents=documents, current=current[table.id], is_complete=is_complete
        )
    return result


def _newest(repository: Repository, commits: Sequence[LoggedCommit], max_bytes: int) -> Sequence[LoggedCommit]:
    """Returns the newest commits whose contents have at most this size together."""
    ids = {
        id: None for one in reversed(commits) for change in one.changes for id in (change.after, *change.before) if id
    }
    sizes = {one.id: one.size for one in repository.objects.read(ids, limit=-1)}
    total = 0
    for number, commit in enumerate(reversed(commits)):
        total += sum(sizes.pop(id, 0) for change in commit.changes for id in (change.after, *change.before))
        if total > max_bytes:
            return commits[len(commits) - number :]
    return commits


def _of_catalog(document: Document, original: WordLog) -> Document:
    """Returns a gettext catalog with the state of its original that has most of its messages; others unchanged."""
    if document.format != "gettext":
        return document
    stem = PurePosixPath(document.name).stem
    same = [one for one in original.documents.values() if PurePosixPath(one.name).stem == stem]
    states = islice(reversed(same or [*original.documents.values()]), MAX_STATES)
    best = max(states, key=lambda one: number_of_messages(one.text, document.text), default=None)
    return replace(document, includes=((best.name, best.text),)) if best else document


def has_term_files(log: WordLog) -> bool:
    """True if most files of the newest commit have one term each."""
    documents = [log.documents[key] for key in log.current.items() if key in log.documents]
    sizes = [len(reading.entries) for _, reading in read_all(documents)]
    return len(sizes) >= MIN_FILES and 2 * sizes.count(1) > len(sizes)


def history_of(
    log: WordLog, *, has_term_files: bool, clean: Callable[[Entry], Entry] = lambda entry: entry
) -> tuple[LanguageHistory, tuple[Problem, ...]]:
    """Returns the entries of one language with their changes, and a problem for each term that two files have.

    `clean` removes withheld words from an entry.
    """
    read = (tuple(map(clean, one.entries)) for _, one in read_all(log.documents.values()))
    readings = dict(zip(log.documents, read, strict=True))

    @cache
    def entries(path: str, id: str) -> tuple[tuple[Key, Entry], ...]:
        found = () if has_term_files and is_beside_terms(path) else readings.get((path, id), ())
        file, is_term = without_language(path, log.table.paths), has_term_files and len(found) == 1
        return tuple((Key(file, "" if is_term else fold(entry.name)), entry) for entry in found)

    commits, latest = [], 0
    for number, commit in log.commits:
        before: dict[Key, list[Entry]] = {}
        after: dict[Key, Entry] = {}
        for change in commit.changes:
            for key, entry in (one for id in change.before for one in entries(change.path, id)):
                before.setdefault(key, []).append(entry)
            after |= dict(entries(change.path, change.after))
        latest = max(latest, commit.time)
        commits.append(CommitEntries(commit.id, commit.day, (latest, number), before, after))
    current: dict[Key, Entry] = {}
    problems = []
    for path, id in log.current.items():
        for key, entry in entries(path, id):
            if current.setdefault(key, entry).place.path != path:
                found = f"{current[key].place.path} and {path} are one term in one language"
                problems.append(Trouble(ProblemKind.ENTRY, found, "the first is read; delete the other").at(path))
    orders = {one.id: one.order for one in commits}
    return LanguageHistory(current, tracks(commits, current), orders, log.is_complete), tuple(problems)
