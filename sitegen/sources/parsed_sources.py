"""Parses the documents of a source: the entries of each release, and the documents of which not all
terms are known.

Most documents do not change from release to release. Each text is parsed once.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.formats.common.fences import MARKDOWN_SUFFIXES
from sitegen.model import (
    Designation,
    Document,
    Entry,
    Problem,
    ProblemKind,
    Reading,
    Release,
    Source,
    Trouble,
    entries_at,
)
from sitegen.sources.glossary_names import beside_terms
from sitegen.sources.linked_files import located
from sitegen.text.memo import memo
from sitegen.text.words import fold, words_of

MIN_TERM_FILES = 3
"""The minimum number of documents in a release that is treated as a folder of term files."""
MIN_WORDS = 6
"""The minimum length of the definition of a term whose file is called like a template."""

MIN_ENTRIES = 3
"""The minimum number of terms of a document by which the look of its terms is clear."""
RECOGNIZED_WORDS = 5
"""The minimum number of words by which a definition is recognized."""
COMPARED = 8
"""The number of words of a definition that are compared."""

COMMENT = re.compile(r"<!--.*?-->", re.S)
MARKUP = r"(?i)\]\([^)\n]*\)|\]\[[^\]\n]*\]|</?[a-z][^>\n]*>|\{[^}\n]*\}"
"""Markup that contains words."""

TEXT, LINE = attrgetter("text"), attrgetter("line")


def parsed(source: Source) -> Source:
    """Returns a source whose documents are parsed, with the problems that were found in them."""
    documents = parse_all(source.documents)
    releases = []
    for release in source.releases:
        own = [next(documents) for _ in release.documents]
        releases.append(replace(release, documents=_with_auxiliary(own)))
    with_terms = set()
    problems = [*source.problems]
    for release in releases:
        for document in release.documents:
            problems += _reading(document).problems
            if document.entries:
                with_terms.add(document.name)
    known = [_without_readable_gaps(release, with_terms) for release in releases]
    return replace(source, releases=tuple(_with_kept_texts(known)), problems=tuple(problems))


def parse_all(documents: Iterable[Document]) -> Iterator[Document]:
    """Yields the documents with their readings. One without any entries has a problem."""
    first_of: dict[tuple[str, str, str, bytes], Document] = {}
    for document in documents:
        key = (document.name, document.format, document.section, document.digest)
        if key not in first_of:
            first_of[key] = _parsed(document)
            yield first_of[key]
            continue
        first = first_of[key]
        # Tags share the text of a file that did not change, so its problems are reported once. In
        # folders each copy is a file of its own that can be corrected, so its problems are reported
        # again.
        is_shared = document.text is first.text
        reading = _moved(_reading(first), document, is_shared=is_shared)
        yield replace(document, reading=reading)


def entries_of(documents: Iterable[Document]) -> Iterator[Entry]:
    """Yields all entries of these documents."""
    for document in parse_all(documents):
        yield from document.entries


def wordings(entries: Iterable[Entry]) -> frozenset[tuple[tuple[Designation, ...], object]]:
    """Returns the names, words and sections of entries, by which two states of a glossary are
    compared."""
    return frozenset(
        (entry.designations, (words_of(entry.definition), entry.section)) for entry in entries
    )


def _without_place(document: Document) -> Document:
    """Returns what a format reads of a document: the same for all files with this name and text."""
    return replace(
        document,
        source="",
        release="",
        path=document.name,
        file_digest=b"",
        files=(),
        has_pages=False,
        reading=None,
    )


def _parsed(document: Document) -> Document:
    found = formats.read(_without_place(document))
    reading = located(_moved(found, document, is_shared=False), document)
    if not (reading.entries or reading.problems or reading.is_auxiliary):
        found_nothing = "no terms were found in it"
        trouble = Trouble(ProblemKind.NO_TERMS, found_nothing, "a name and its definition")
        reading = replace(reading, problems=(trouble.at(document.path),))
    omitted: list[str] = []
    for problem in reading.problems:
        omitted += problem.terms
    return replace(document, reading=replace(reading, omitted=tuple(omitted)))


def _reading(document: Document) -> Reading:
    assert document.reading
    return document.reading


def _moved(reading: Reading, document: Document, *, is_shared: bool) -> Reading:
    """Returns the reading of a document from that of an equal one; without problems if the text is
    shared."""
    problems: tuple[Problem, ...] = ()
    if not is_shared:
        problems = tuple(replace(problem, path=document.path) for problem in reading.problems)
    texts, lines = map(TEXT, reading.entries), map(LINE, reading.entries)
    entries = entries_at(document.place, texts, lines)
    return replace(reading, entries=entries, problems=problems)


def _with_auxiliary(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Returns the documents of a release, in which READMEs and templates beside term files are
    marked as auxiliary.

    One with entries is auxiliary only if the format reads each file as one term. Hugo's section
    page `_index` also is if most files are one term.
    """
    if len(documents) < MIN_TERM_FILES:
        return tuple(documents)
    sizes = [len(document.entries) for document in documents]
    are_terms = 2 * sizes.count(1) > len(documents)
    beside = beside_terms([document.name for document in documents])
    result = []
    for document in documents:
        is_section = are_terms and PurePosixPath(document.name).stem == "_index"
        may_be = is_section or _may_be_auxiliary(document)
        if may_be and document.name in beside:
            result.append(replace(document, reading=Reading(is_auxiliary=True)))
        else:
            result.append(document)
    return tuple(result)


def _may_be_auxiliary(document: Document) -> bool:
    """True unless a file has terms. Any file can be read as one term: only "Template" with a
    definition is one."""
    if document.format != "page" or len(document.entries) != 1:
        return not document.entries
    (one,) = document.entries
    return one.name.casefold() != "template" or len(one.definition.text.split()) < MIN_WORDS


def _without_readable_gaps(release: Release, with_terms: Container[str]) -> Release:
    """Returns a release in which documents beside term files are auxiliary if they have no terms at
    any release.

    The entries of another document that cannot be read at a release are unknown, not removed.
    """
    if len(release.documents) < MIN_TERM_FILES or not release.entries:
        return release
    documents = []
    for document in release.documents:
        if not document.is_read_in_full and document.name not in with_terms:
            reading = replace(_reading(document), is_auxiliary=True)
            document = replace(document, reading=reading)
        documents.append(document)
    return replace(release, documents=tuple(documents))


def _with_kept_texts(releases: Iterable[Release]) -> Iterator[Release]:
    """Yields the releases, oldest first, with the (document, name) of entries that a document still
    has, but not as entries.

    In Markdown, only markup distinguishes a term from a remark, so other markup can turn one into
    the other. In every format, a name may be left without a definition that can be read. Such an
    entry was not removed, but is unknown at that release.
    """
    earlier: dict[str, Mapping[str, Entry]] = {}
    for release in releases:
        names_kept: list[tuple[str, str]] = []
        for document in release.documents:
            if not document.entries:
                continue
            current = {fold(entry.name): entry for entry in document.entries}
            kept = _kept_entries(document, current, earlier.get(document.name, {}))
            earlier[document.name] = {**current, **kept}
            names_kept += [(document.name, entry.name) for entry in kept.values()]
        yield replace(release, kept_as_text=frozenset(names_kept))


def _kept_entries(
    document: Document, current: Mapping[str, Entry], earlier: Mapping[str, Entry]
) -> Mapping[str, Entry]:
    """Returns the entries that a document had before and still has, but not as entries now."""
    missing = {name: entry for name, entry in earlier.items() if name not in current}
    if not missing:
        return {}
    names = {fold(name) for name in _reading(document).omitted}
    is_markdown = document.name.lower().endswith(MARKDOWN_SUFFIXES)
    if is_markdown and len(current) >= MIN_ENTRIES:
        wordings = [(entry.name, entry.definition.text) for entry in missing.values()]
        names.update(map(fold, _in_text(_without_place(document), tuple(wordings))))
    return {name: entry for name, entry in missing.items() if name in names}


@memo
def _in_text(document: Document, wordings: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """Returns those names of (name, definition) that a Markdown document has directly before their
    definitions."""
    lines = re.sub(MARKUP, " ", COMMENT.sub(" ", document.text)).split("\n")
    text = f" {' '.join(filter(None, map(fold, lines)))} "
    found = set()
    for name, definition in wordings:
        first_words = fold(definition).split()[:COMPARED]
        is_recognized = len(first_words) >= RECOGNIZED_WORDS
        if is_recognized and f" {fold(name)} {' '.join(first_words)} " in text:
            found.add(name)
    return frozenset(found)
