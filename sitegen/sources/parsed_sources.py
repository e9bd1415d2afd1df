"""Parses the documents of a source: the entries of each release, and the documents of which not all
terms are known.

Most documents do not change from release to release. Each text is parsed once.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from sitegen import formats
from sitegen.model import (
    Designation,
    Document,
    Entry,
    ProblemKind,
    Reading,
    Release,
    Source,
    Trouble,
)
from sitegen.sources.glossary_names import beside_terms
from sitegen.sources.linked_files import located
from sitegen.text.file_names import MARKDOWN_SUFFIXES
from sitegen.text.memo import memo
from sitegen.text.words import Words, folded_words, words_of

MIN_TERM_FILES = 3
"""The minimum number of documents in a release that is treated as a folder of term files."""
MIN_TEMPLATE_WORDS = 6
"""The minimum length of the definition of a term whose file is called like a template."""

MIN_CLEAR_TERMS = 3
"""The minimum number of terms of a document that show how its terms are written."""
RECOGNIZED_WORDS = 5
"""The minimum number of words by which a definition is recognized."""
COMPARED_WORDS = 8
"""The number of words of a definition that are compared."""

HTML_COMMENT = re.compile(r"<!--.*?-->", re.S)
"""Matches `<!-- a remark -->`."""
WORDY_MARKUP = r"(?i)\]\([^)\n]*\)|\]\[[^\]\n]*\]|</?[a-z][^>\n]*>|\{[^}\n]*\}"
"""Markup that contains words."""


def parsed(source: Source) -> Source:
    """Returns a source whose documents are parsed, with the problems that were found in them."""
    reported: set[tuple[str, bytes]] = set()
    releases = []
    for release in source.releases:
        documents = []
        for document in parse_all(release.documents):
            content = (document.name, document.digest)
            # In git, the problems of a file that did not change are reported once. In folders, each
            # copy is a file that can be corrected.
            if release.commit and content in reported:
                reading = replace(_reading(document), problems=())
                document = replace(document, reading=reading)
            reported.add(content)
            documents.append(document)
        releases.append(replace(release, documents=_with_auxiliary(documents)))
    with_terms = set()
    problems = [*source.problems]
    for release in releases:
        for document in release.documents:
            problems += _reading(document).problems
            if document.entries:
                with_terms.add(document.name)
    # Only now is it known which documents never had a term. Their problems stay reported.
    known = [_with_pages_without_terms(release, with_terms) for release in releases]
    return replace(source, releases=tuple(_with_kept_texts(known)), problems=tuple(problems))


def parse_all(documents: Iterable[Document]) -> list[Document]:
    """Returns the documents with their readings."""
    return [*map(_parsed, documents)]


def entries_of(documents: Iterable[Document]) -> list[Entry]:
    """Returns all entries of these documents."""
    entries: list[Entry] = []
    for document in parse_all(documents):
        entries += document.entries
    return entries


class ComparedEntry(NamedTuple):
    """The facts of an entry by which two states of a glossary are compared."""

    designations: tuple[Designation, ...]
    words: Words
    section: str


def compared_entries(entries: Iterable[Entry]) -> frozenset[ComparedEntry]:
    """Returns the names, words and sections of entries."""
    compared = set()
    for entry in entries:
        words = words_of(entry.definition)
        compared.add(ComparedEntry(entry.designations, words, entry.section))
    return frozenset(compared)


def _without_place(document: Document) -> Document:
    """Returns a document with what a format reads, and nothing else. Files with the same name and
    text give equal documents, which are read once."""
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
    """Returns a document with its reading, in which links lead to the files of the document. A
    document without entries gets a problem."""
    reading = formats.read(_without_place(document))
    reading = located(_placed_in(document, reading), document)
    says_nothing = not reading.entries and not reading.problems
    if says_nothing and not reading.is_auxiliary:
        found = "no terms were found in it"
        trouble = Trouble(ProblemKind.NO_TERMS, found, "a name and its definition")
        reading = replace(reading, problems=(trouble.at(document.path),))
    omitted: list[str] = []  # the names of terms whose entries a problem left out
    for problem in reading.problems:
        omitted += problem.terms
    return replace(document, reading=replace(reading, omitted=tuple(omitted)))


def _reading(document: Document) -> Reading:
    """Returns the reading of a parsed document."""
    assert document.reading
    return document.reading


def _placed_in(document: Document, reading: Reading) -> Reading:
    """Returns a reading of the text of this document with the document's paths."""
    problems = [replace(problem, path=document.path) for problem in reading.problems]
    # Making the tuple anew is faster than `_replace`.
    entries = [Entry(text, document.place, line) for text, _, line in reading.entries]
    return replace(reading, entries=tuple(entries), problems=tuple(problems))


def _with_auxiliary(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Returns the documents of a release. Those beside term files are marked as auxiliary: READMEs
    and templates without terms, and Hugo's `_index`."""
    if len(documents) < MIN_TERM_FILES:
        return tuple(documents)
    terms_per_file = [len(document.entries) for document in documents]
    most_have_one_term = 2 * terms_per_file.count(1) > len(documents)
    names_beside_terms = beside_terms([document.name for document in documents])
    result = []
    for document in documents:
        if document.name in names_beside_terms:
            # Hugo's page of a section has a title, which looks like a term.
            is_section_page = most_have_one_term and PurePosixPath(document.name).stem == "_index"
            if is_section_page or _has_no_terms(document):
                document = replace(document, reading=Reading(is_auxiliary=True))
        result.append(document)
    return tuple(result)


def _has_no_terms(document: Document) -> bool:
    """True for a file beside term files that defines no term. The format `page` makes one entry of
    any file. Here, that entry counts only if it defines the word "template"."""
    if document.format != "page" or len(document.entries) != 1:
        return not document.entries
    (one,) = document.entries
    is_defined = len(one.definition.text.split()) >= MIN_TEMPLATE_WORDS
    defines_template = one.name.casefold() == "template" and is_defined
    return not defines_template


def _with_pages_without_terms(release: Release, with_terms: Container[str]) -> Release:
    """Returns a release in which documents without terms at any release are auxiliary, such as a
    page on how to contribute. `with_terms` are the names of the others."""
    if len(release.documents) < MIN_TERM_FILES or not release.entries:
        return release
    documents = []
    for document in release.documents:
        is_gap = not document.is_read_in_full
        if is_gap and document.name not in with_terms:
            reading = replace(_reading(document), is_auxiliary=True)
            document = replace(document, reading=reading)
        documents.append(document)
    return replace(release, documents=tuple(documents))


def _with_kept_texts(releases: Iterable[Release]) -> Iterator[Release]:
    """Yields the releases, oldest first, whose documents have the names of kept terms
    (`kept_as_text`). A kept term has no entry any more, but its text is still there, so it was not
    removed.

    In Markdown, other markup can turn a term into a remark: `**Cache**: keeps copies …`, then
    `Cache: keeps copies …`. In every format, a definition may become unreadable.
    """
    earlier: Mapping[str, Entry] = {}  # the terms of the release before, by their folded names
    for release in releases:
        present = {folded_words(entry.name): entry for entry in release.entries}
        missing = {name: entry for name, entry in earlier.items() if name not in present}
        not_removed: dict[str, Entry] = {}
        documents = []
        for document in release.documents:
            kept = _kept_entries(document, missing)
            if kept:
                names = frozenset(entry.name for entry in kept.values())
                document = replace(document, kept_as_text=names)
            documents.append(document)
            not_removed |= kept

        # A file that could not be read in full may still have its terms.
        for name, entry in missing.items():
            if entry.place.name in release.gaps:
                not_removed[name] = entry
        if release.entries:  # a release without entries does not say which terms are gone
            earlier = present | not_removed
        yield replace(release, documents=tuple(documents))


def _kept_entries(document: Document, missing: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """Returns the `missing` entries whose terms a document still has, by their folded names: terms
    that its format left out because of a problem, and in Markdown terms that are now a remark."""
    if not missing:
        return {}
    if not document.entries:  # the whole document is a gap
        return {}
    names = [*_reading(document).omitted]
    is_markdown = document.name.lower().endswith(MARKDOWN_SUFFIXES)
    if is_markdown and len(document.entries) >= MIN_CLEAR_TERMS:
        wordings = [(entry.name, entry.definition.text) for entry in missing.values()]
        names += _defined_in_text(_without_place(document), tuple(wordings))
    folded_names = set(map(folded_words, names))
    return {name: entry for name, entry in missing.items() if name in folded_names}


@memo
def _defined_in_text(document: Document, wordings: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """Returns the names that are in a Markdown text right before the first words of their earlier
    definition: "Cache" in `Cache — a store that keeps copies of data`.

    `wordings` has pairs of a name and this definition.
    """
    lines = re.sub(WORDY_MARKUP, " ", HTML_COMMENT.sub(" ", document.text)).split("\n")
    words = " ".join(filter(None, map(folded_words, lines)))
    text = f" {words} "  # so that a space is around each word
    names = set()
    for name, definition in wordings:
        first_words = folded_words(definition).split()[:COMPARED_WORDS]
        is_recognized = len(first_words) >= RECOGNIZED_WORDS
        expected = " ".join([folded_words(name), *first_words])
        if is_recognized and f" {expected} " in text:
            names.add(name)
    return frozenset(names)
