"""Versions of sitegen that read the same documents otherwise, for tests of updates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sitegen.model import Designation, Entry, Source
from sitegen.sources.parsed_sources import parsed
from sitegen.text.prose import from_html

Entries = tuple[Entry, ...]


def drops_words(entries: Entries) -> Entries:
    """Returns entries without every seventh word."""
    faulty = []
    for entry in entries:
        words = entry.definition.html.split(" ")
        del words[::7]
        definition = from_html(" ".join(words))
        faulty.append(entry._replace(text=replace(entry.text, definition=definition)))
    return tuple(faulty)


def loses_an_entry(entries: Entries) -> Entries:
    return entries[:-1]


def reads_one_more(entries: Entries) -> Entries:
    """Returns entries with one more, of a heading that is no term."""
    more = [
        one._replace(
            text=replace(
                one.text,
                designations=(Designation(text="gizmo"),),
                definition=from_html("<p>The markgizmo of this page.</p>"),
            )
        )
        for one in entries[:1]
    ]
    return (*entries, *more)


def read_with(source: Source, *, fault: Callable[[Entries], Entries]) -> Source:
    """Returns a source as a version with a fault reads it."""
    releases = []
    for release in parsed(source).releases:
        documents = []
        for document in release.documents:
            if reading := document.reading:
                reading = replace(reading, entries=fault(reading.entries))
            documents.append(replace(document, reading=reading))
        releases.append(replace(release, documents=tuple(documents)))
    return replace(source, releases=tuple(releases))


FAULTY_READERS = {
    fault.__name__: partial(read_with, fault=fault)
    for fault in (drops_words, loses_an_entry, reads_one_more)
}
