"""Parses the documents of a source into editions: the entries of each release, and the names of
unread documents.

Most documents do not change from release to release. Each text is parsed once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.model import (
    Designation,
    Document,
    Edition,
    Entry,
    Problem,
    ProblemKind,
    Reading,
    Release,
    Source,
    Trouble,
    entries_at,
)
from sitegen.sources.glossary_names import is_beside_terms
from sitegen.sources.linked_files import located
from sitegen.text.memo import memo
from sitegen.text.words import fold, words_of

MIN_TERM_FILES = 3
"""The minimum number of documents in a release that is treated as a folder of term files."""
MIN_WORDS = 6
"""The minimum length of the definition of a term whose file is called like a template."""

SUFFIXES = frozenset({".md", ".mdx", ".markdown", ".qmd", ".rmd"})
MIN_ENTRIES = 3
"""The minimum number of terms of a document by which the look of its terms is clear."""
RECOGNIZED_WORDS = 5
"""The minimum number of words by which a definition is recognized."""
COMPARED = 8
"""The number of words of a definition that are compared."""

COMMENT = re.compile(r"<!--.*?-->", re.S)
MARKUP = re.compile(r"\]\([^)\n]*\)|\]\[[^\]\n]*\]|</?[a-z][^>\n]*>|\{[^}\n]*\}", re.I)
"""Markup that contains words."""

TEXT, LINE = attrgetter("text"), attrgetter("line")


def editions_of(source: Source) -> tuple[tuple[Edition, ...], tuple[Problem, ...]]:
    """Returns the edition of each release of a source, and the problems with its documents."""
    read = read_all(source.documents)
    readings = [
        _without_auxiliary([next(read) for _ in release.documents]) for release in source.releases
    ]
    every = list(chain.from_iterable(readings))
    readable = {document.name for document, reading in every if reading.entries}
    editions = []
    for release, own, kept in zip(source.releases, readings, kept_as_text(readings), strict=True):
        edition = _edition(release, own, readable=readable)
        editions.append(replace(edition, kept_as_text=kept))
    problems = chain.from_iterable(reading.problems for _, reading in every)
    return tuple(editions), tuple(problems)


def read_all(documents: Iterable[Document]) -> Iterator[tuple[Document, Reading]]:
    """Yields each document with its reading. A document without any entries is a problem."""
    read: dict[tuple[str, str, str, bytes], tuple[Document, Reading]] = {}
    for document in documents:
        key = (document.name, document.format, document.section, document.digest)
        if key not in read:
            read[key] = document, _reading(document)
        first, reading = read[key]
        # Tags share the text of a file that did not change, so its problems are reported once. In
        # folders each copy is a file of its own that can be corrected, so its problems are reported
        # again.
        is_shared = document.text is first.text
        yield (
            document,
            reading if first is document else _reused(reading, document, is_shared=is_shared),
        )


def entries_of(documents: Iterable[Document]) -> Iterator[Entry]:
    """Yields all entries of these documents."""
    return (entry for _, reading in read_all(documents) for entry in reading.entries)


def wordings(entries: Iterable[Entry]) -> frozenset[tuple[tuple[Designation, ...], object]]:
    """Returns the names, words and sections of entries, by which two states of a glossary are
    compared."""
    return frozenset(
        (entry.designations, (words_of(entry.definition), entry.section)) for entry in entries
    )


def _without_place(document: Document) -> Document:
    """Returns what a format reads of a document: the same for all files with this name and text."""
    return replace(document, source="", release="", path=document.name, files=(), has_pages=False)


def _reading(document: Document) -> Reading:
    reading = _reused(formats.read(_without_place(document)), document, is_shared=False)
    reading = located(reading, document)
    if reading.entries or reading.problems or reading.is_auxiliary:
        return reading
    trouble = Trouble(
        ProblemKind.NO_TERMS, "no terms were found in it", "a name and its definition"
    )
    return replace(reading, problems=(trouble.at(document.path),))


def _reused(reading: Reading, document: Document, *, is_shared: bool) -> Reading:
    """Returns the reading of a document with the text of an earlier one; without problems if the
    text is shared."""
    return replace(
        reading,
        entries=entries_at(document.place, map(TEXT, reading.entries), map(LINE, reading.entries)),
        problems=()
        if is_shared
        else tuple(replace(problem, path=document.path) for problem in reading.problems),
    )


def _without_auxiliary(
    read: Sequence[tuple[Document, Reading]],
) -> Sequence[tuple[Document, Reading]]:
    """Returns the readings, in which READMEs and templates beside term files are marked as
    auxiliary.

    One with entries is auxiliary only if the format reads each file as one term. Hugo's section
    page `_index` also is if most files are one term.
    """
    if len(read) < MIN_TERM_FILES:
        return read
    are_terms = 2 * sum(len(reading.entries) == 1 for _, reading in read) > len(read)

    def is_auxiliary(document: Document, reading: Reading) -> bool:
        is_section = are_terms and PurePosixPath(document.name).stem == "_index"
        return is_beside_terms(document.name) and (
            is_section or _may_be_auxiliary(document, reading)
        )

    return [
        (one, Reading(is_auxiliary=True) if is_auxiliary(one, reading) else reading)
        for one, reading in read
    ]


def _may_be_auxiliary(document: Document, reading: Reading) -> bool:
    """True unless a file has terms. Any file can be read as one term: only "Template" with a
    definition is one."""
    if document.format != "page" or not reading.entries:
        return not reading.entries
    (one,) = reading.entries
    return one.name.casefold() != "template" or len(one.definition.text.split()) < MIN_WORDS


def _edition(
    release: Release, readings: Sequence[tuple[Document, Reading]], *, readable: Container[str]
) -> Edition:
    # The entries of a document that cannot be read at this release are unknown, not removed. A
    # document beside term files that cannot be read at any release never had entries.
    is_folder = len(readings) >= MIN_TERM_FILES and any(reading.entries for _, reading in readings)
    read: list[str] = []
    missing = [*release.unread]
    for document, reading in readings:
        is_read = reading.is_auxiliary or (bool(reading.entries) and not reading.is_partial)
        is_known = is_read or (is_folder and document.name not in readable)
        (read if is_known else missing).append(document.name)
    return Edition(
        release=release.name,
        entries=tuple(chain.from_iterable(reading.entries for _, reading in readings)),
        documents=tuple(read),
        unread=tuple(missing),
    )


def kept_as_text(
    readings: Iterable[Sequence[tuple[Document, Reading]]],
) -> Iterator[frozenset[tuple[str, str]]]:
    """Yields the (document, name) of entries that a document still has, but not as entries, for
    each release.

    In Markdown, only markup distinguishes a term from a remark, so other markup can turn one into
    the other. In every format, a name may be left without a definition that can be read. Such an
    entry was not removed, but is unknown at that release. `readings` has those of each release,
    oldest first.
    """
    earlier: dict[str, dict[str, Entry]] = {}
    not_read: dict[tuple[str, bytes], set[str]] = defaultdict(set)
    for read in readings:
        names_kept: list[tuple[str, str]] = []
        for document, reading in read:
            # The reading of a text that an earlier release shares has no problems.
            names = not_read[document.name, document.digest]
            names.update(fold(term) for problem in reading.problems for term in problem.terms)
            if not reading.entries:
                continue
            current = {fold(entry.name): entry for entry in reading.entries}
            kept = _kept_entries(document, current, earlier.get(document.name, {}), names)
            earlier[document.name] = current | kept
            names_kept += [(document.name, entry.name) for entry in kept.values()]
        yield frozenset(names_kept)


def _kept_entries(
    document: Document,
    current: Mapping[str, Entry],
    earlier: Mapping[str, Entry],
    not_read: Container[str],
) -> dict[str, Entry]:
    """Returns the entries that a document had before and still has, but not as entries now."""
    missing = {name: entry for name, entry in earlier.items() if name not in current}
    is_markdown = (
        PurePosixPath(document.name).suffix.lower() in SUFFIXES and len(current) >= MIN_ENTRIES
    )
    wordings = (
        tuple((entry.name, entry.definition.text) for entry in missing.values())
        if is_markdown
        else ()
    )
    in_text = _in_text(_without_place(document), wordings) if wordings else frozenset()
    return {
        name: entry for name, entry in missing.items() if name in not_read or entry.name in in_text
    }


@memo
def _in_text(document: Document, wordings: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """Returns those names of (name, definition) that a Markdown document has directly before their
    definitions."""
    lines = MARKUP.sub(" ", COMMENT.sub(" ", document.text)).split("\n")
    text = f" {' '.join(filter(None, map(fold, lines)))} "
    first_words = {name: fold(definition).split()[:COMPARED] for name, definition in wordings}
    return frozenset(
        name
        for name, words in first_words.items()
        if len(words) >= RECOGNIZED_WORDS and f" {fold(name)} {' '.join(words)} " in text
    )
