"""Parses the documents of a source into editions: the entries of each release, and the names of unread documents.

Most documents do not change from release to release. Each text is parsed once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.model import Document, Edition, Problem, Reading, entries_at
from sitegen.sources.glossary_names import is_beside_terms
from sitegen.sources.kept_texts import kept_as_text
from sitegen.sources.linked_files import located
from sitegen.text import memo

MIN_TERM_FILES = 3
"""The minimum number of documents in a release that is treated as a folder of term files."""
MIN_WORDS = 6
"""The minimum length of the definition of a term whose file is called like a template."""

TEXT, LINE = attrgetter("text"), attrgetter("line")


def editions_of(
    releases: Iterable[str], documents: Iterable[Document], *, unread: Iterable[tuple[str, str]]
) -> tuple[tuple[Edition, ...], tuple[Problem, ...]]:
    """Returns a source's edition for each release, and the problems with its documents.

    `unread` has (release, name) of the documents that could not be decoded.
    """
    readings: dict[str, list[tuple[Document, Reading]]] = defaultdict(list)
    for document, reading in read_all(documents):
        readings[document.release].append((document, reading))
    for release, read in readings.items():
        readings[release] = _without_auxiliary(read)
    kept = kept_as_text(readings)
    readable = {document.name for read in readings.values() for document, reading in read if reading.entries}
    missing: dict[str, list[str]] = defaultdict(list)
    for release, name in unread:
        missing[release].append(name)
    return (
        tuple(
            replace(
                _edition(release, readings[release], missing[release], readable=readable),
                kept_as_text=kept.get(release, frozenset()),
            )
            for release in releases
        ),
        tuple(problem for read in readings.values() for _, reading in read for problem in reading.problems),
    )


def read_all(documents: Iterable[Document]) -> Iterator[tuple[Document, Reading]]:
    """Yields each document with its reading. A document without any entries is a problem."""
    read: dict[tuple[str, str, str, bytes], tuple[Document, Reading]] = {}
    for document in documents:
        key = (document.name, document.format, document.section, document.digest)
        if key not in read:
            read[key] = document, _read(document)
        first, reading = read[key]
        # Tags and archives share the text of a file that did not change, so its problems are reported once. In
        # folders each copy is a file of its own that can be corrected, so its problems are reported again.
        is_shared = document.text is first.text
        yield document, reading if first is document else _reused(first, document, is_shared)


def forget_others(documents: Iterable[Document]) -> None:
    """Evicts the readings of all other documents from the cache, to limit the memory of a preview."""
    here = frozenset(documents)
    memo.forget(lambda argument: isinstance(argument, Document) and argument not in here)


@memo.memo()
def _read(document: Document) -> Reading:
    reading = located(formats.read(document), document)
    if reading.entries or reading.problems or reading.is_auxiliary:
        return reading
    problem = Problem(path=document.path, found="no terms were found in it", wanted="a name and its definition")
    return replace(reading, problems=(problem,))


@memo.memo()
def _reused(first: Document, document: Document, is_shared: bool) -> Reading:
    """Returns the reading of a document with the text of an earlier one; without problems if the text is shared."""
    reading = _read(first)
    return replace(
        reading,
        entries=entries_at(document.place, map(TEXT, reading.entries), map(LINE, reading.entries)),
        problems=() if is_shared else tuple(replace(problem, path=document.path) for problem in reading.problems),
    )


def _without_auxiliary(read: list[tuple[Document, Reading]]) -> list[tuple[Document, Reading]]:
    """Returns the readings, in which READMEs and templates beside term files are marked as auxiliary.

    One with entries is auxiliary only if the format reads each file as one term. Hugo's section page `_index` also is
    if most files are one term.
    """
    if len(read) < MIN_TERM_FILES:
        return read
    are_terms = 2 * sum(len(reading.entries) == 1 for _, reading in read) > len(read)
    nothing = Reading(is_auxiliary=True)

    def is_auxiliary(document: Document, reading: Reading) -> bool:
        is_section = are_terms and PurePosixPath(document.name).stem == "_index"
        return is_beside_terms(document.name) and (is_section or _may_be_auxiliary(document, reading))

    return [(document, nothing if is_auxiliary(document, reading) else reading) for document, reading in read]


def _may_be_auxiliary(document: Document, reading: Reading) -> bool:
    """True unless a file has terms. Any file can be read as one term: only "Template" with a definition is one."""
    if document.format != "page" or not reading.entries:
        return not reading.entries
    (one,) = reading.entries
    return one.name.casefold() != "template" or len(one.definition.text.split()) < MIN_WORDS


def _edition(
    release: str, readings: Iterable[tuple[Document, Reading]], unread: Iterable[str], *, readable: Container[str]
) -> Edition:
    # The entries of a document that cannot be read at this release are unknown, not removed. A document beside term
    # files that cannot be read at any release never had entries.
    readings = tuple(readings)
    is_folder = len(readings) >= MIN_TERM_FILES and any(reading.entries for _, reading in readings)
    names = [
        (document.name, _is_read(reading) or (is_folder and document.name not in readable))
        for document, reading in readings
    ]
    return Edition(
        release=release,
        entries=tuple(chain.from_iterable(reading.entries for _, reading in readings)),
        documents=tuple(name for name, is_read in names if is_read),
        unread=(*unread, *(name for name, is_read in names if not is_read)),
    )


def _is_read(reading: Reading) -> bool:
    return reading.is_auxiliary or (bool(reading.entries) and not reading.is_partial)
