"""The entries of a glossary in one language, with the commits that changed them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from sitegen.formats.gettext import number_of_messages
from sitegen.history.word_changes import CommitEntries, LanguageHistory, TranslatedKey, tracks
from sitegen.model import Document, Entry, Problem, ProblemKind, Trouble, grouped
from sitegen.sources.glossary_names import beside_terms
from sitegen.sources.language_tags import without_language
from sitegen.sources.parsed_sources import entries_of, parse_all
from sitegen.sources.word_log import RECORD_SUFFIXES, WordLog
from sitegen.text.names import fold

MIN_FILES = 2
"""The minimum number of files of a language each of which may have one term."""
MAX_STATES = 40
"""The maximum number of states of an original that are compared with a gettext catalog."""

KeyedEntry = tuple[TranslatedKey, Entry]


def history_of(
    log: WordLog, original: WordLog, *, clean: Callable[[Entry], Entry] = lambda entry: entry
) -> tuple[LanguageHistory, tuple[Problem, ...]]:
    """Returns the entries of one language with their changes, and a problem for each term that two
    files have.

    `clean` removes withheld words from an entry.
    """
    reader = _EntryReader(log, original, clean)
    current: dict[TranslatedKey, Entry] = {}
    problems = []
    for key, entry in reader.all_of(log.current):
        first = current.setdefault(key, entry)
        if first.place.path != entry.place.path:
            found = f"{first.place.path} and {entry.place.path} are one term in one language"
            trouble = Trouble(ProblemKind.ENTRY, found, "the first is read; delete the other")
            problems.append(trouble.at(entry.place.path))
    orders = {commit.id: commit.order for commit, *_ in log.commits}
    changes = tracks(_commits_with_entries(log, reader), current)
    return LanguageHistory(changes, orders, log.is_complete), tuple(problems)


def _commits_with_entries(log: WordLog, reader: _EntryReader) -> Iterator[CommitEntries]:
    for commit, before, after in log.commits:
        new: dict[TranslatedKey, Entry] = {}
        for key, entry in reader.all_of(after):
            new.setdefault(key, entry)
        yield CommitEntries(commit, grouped(reader.all_of(before)), new)


class _EntryReader:
    """Reads the entries of the documents of one language, each document once."""

    def __init__(self, log: WordLog, original: WordLog, clean: Callable[[Entry], Entry]) -> None:
        self._paths = log.table.paths
        self._original = original
        self._clean = clean
        self._are_terms = has_term_files(original)
        self._beside = beside_terms({document.path for document in _documents(log)})
        self._entries: dict[Document, Sequence[KeyedEntry]] = {}

    def all_of(self, documents: Iterable[Document]) -> Iterator[KeyedEntry]:
        """Yields the entries of documents with the keys by which those of other languages are
        found."""
        for document in documents:
            if document not in self._entries:
                self._entries[document] = self._read(document)
            yield from self._entries[document]

    def _read(self, document: Document) -> Sequence[KeyedEntry]:
        if self._are_terms and document.path in self._beside:
            return ()
        has_records = document.path.endswith((*RECORD_SUFFIXES, ".json", ".csv"))
        file = without_language(document.path, self._paths)
        keyed = []
        for entry in entries_of([catalog_with_original(document, self._original)]):
            entry = self._clean(entry)
            if has_records:
                entry = _without_related(entry)
            keyed.append((TranslatedKey(file, fold(entry.name)), entry))
        if self._are_terms and len(keyed) == 1:
            ((_, entry),) = keyed
            return [(TranslatedKey(file), entry)]
        return keyed


def has_term_files(log: WordLog) -> bool:
    """True if most files of the newest commit have one term each."""
    sizes = [len(document.entries) for document in parse_all(log.current)]
    return len(sizes) >= MIN_FILES and 2 * sizes.count(1) > len(sizes)


def _documents(log: WordLog) -> Iterator[Document]:
    """Yields the files of one language, at all commits."""
    yield from log.current
    for _, before, after in log.commits:
        yield from (*before, *after)


def _without_related(entry: Entry) -> Entry:
    """Returns an entry without the line of its related terms: a record has these once for all
    languages."""
    definition = entry.definition
    html, line, _ = definition.html.rpartition("<p>See also: ")
    if not line:
        return entry
    text, _, _ = definition.text.rpartition("See also: ")
    definition = replace(definition, html=html, text=text.rstrip())
    return entry._replace(text=replace(entry.text, definition=definition))


def catalog_with_original(document: Document, original: WordLog) -> Document:
    """Returns a gettext catalog with the state of its original that has most of its messages;
    others unchanged."""
    if document.format != "gettext":
        return document
    stem = PurePosixPath(document.name).stem
    states = [*original.current]
    for _, _, after in reversed(original.commits):
        states += after
    same = []
    for state in states:
        if PurePosixPath(state.name).stem == stem:
            same.append(state)
    newest = list(dict.fromkeys(same or states))[:MAX_STATES]
    if not newest:
        return document
    best = max(newest, key=lambda one: number_of_messages(one.text, document.text))
    return replace(document, includes=((best.name, best.text),))
