"""Small glossaries for tests: a release is a mapping of names to definitions.

A key `New; old: X` is a name with other names; a value is plain text, or HTML when it starts with
`<`. None in place of a release's mapping means that it could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape

from sitegen.config.patterns import matches
from sitegen.config.tables import Rename, Verdict
from sitegen.history.lives import lives
from sitegen.history.merging import Merged, merge
from sitegen.history.references import Resolver
from sitegen.model import (
    Designation,
    Document,
    Entry,
    EntryText,
    Place,
    ProblemKind,
    Prose,
    Reading,
    Release,
    Source,
    Trouble,
    grouped,
)
from sitegen.model.terms import Life
from sitegen.text.prose import from_html

Wording = Mapping[str, str]
Glossary = Mapping[str, Wording | None]


def from_text(text: str) -> Prose:
    """Returns a definition of plain paragraphs separated by blank lines."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return from_html(
        "".join(f"<p>{escape(one, quote=False)}</p>" for one in paragraphs if one.strip())
    )


def entry(
    names: str, definition: str, *, source: str, release: str, line: int = 1, section: str = ""
) -> Entry:
    preferred, *others = [name.strip() for name in names.split(";")]
    result = EntryText(
        designations=(
            Designation(text=preferred),
            *(Designation(text=other, status="admitted") for other in others),
        ),
        definition=_prose(definition),
        section=section,
    )
    place = Place(source=source, release=release, path=f"{release}/GLOSSARY.md", name="GLOSSARY.md")
    return Entry(result, place, line)


def elsewhere(entry: Entry, **place: str) -> Entry:
    """Returns the same release in a document of another name."""
    return entry._replace(place=replace(entry.place, **place))


@cache
def _prose(definition: str) -> Prose:
    """Returns the same definition object for equal texts, as the reader does."""
    return from_html(definition) if definition.startswith("<") else from_text(definition)


UNREADABLE = Trouble(ProblemKind.UNREADABLE, "cannot be read")


def release_of(wording: Wording | None, *, source: str, release: str) -> Release:
    if wording is None:
        return Release(name=release, unread={"GLOSSARY.md": UNREADABLE})
    entries = []
    for line, (names, definition) in enumerate(wording.items(), start=1):
        section, _, rest = names.rpartition("/ ")
        # A trailing `=` lets one mapping define one name twice.
        entries.append(
            entry(
                rest.rstrip("="),
                definition,
                source=source,
                release=release,
                line=line,
                section=section.strip(),
            )
        )
    return with_entries(Release(name=release), source, entries)


def with_entries(release: Release, source: str, entries: Iterable[Entry]) -> Release:
    """Returns a release that has these entries, in a document for each name of a place."""
    grouped_entries = grouped((entry.place.name, entry) for entry in entries)
    documents = tuple(
        Document(
            source=source,
            release=release.name,
            path=own[0].place.path if own else name,
            name=name,
            text="",
            reading=Reading(entries=own, is_auxiliary=not own),
        )
        for name, own in (grouped_entries or {"GLOSSARY.md": ()}).items()
    )
    return replace(release, documents=documents)


def source(id: str, glossary: Glossary, *, complete: bool = False) -> Source:
    releases = tuple(
        release_of(wording, source=id, release=name) for name, wording in glossary.items()
    )
    return Source(id=id, title=id.title(), releases=releases, complete=complete)


def with_documents(
    source: Source,
    documents: Sequence[Document],
    *,
    unread: Iterable[tuple[str, str]] = (),
) -> Source:
    """Returns a source whose releases have these documents, and lack (release, name).

    Without releases, it gets those of the documents.
    """
    names = [*(one.release for one in documents), *(release for release, _ in unread)]
    releases = source.releases or [Release(name=name) for name in dict.fromkeys(names)]
    with_documents = [
        replace(
            release,
            documents=tuple(one for one in documents if one.release == release.name),
            unread={name: UNREADABLE for at, name in unread if at == release.name},
        )
        for release in releases
    ]
    return replace(source, releases=tuple(with_documents))


def unread(source: Source) -> tuple[tuple[str, str], ...]:
    """Returns (release, name) of the documents that could not be read."""
    return tuple((release.name, name) for release in source.releases for name in release.unread)


class FilesInMemory:
    """The files of a release, by their paths."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = files
        self.asked: list[str] = []

    def id(self, path: str) -> str | None:
        return str(self.files[path]) if path in self.files else None

    def has(self, path: str) -> bool:
        return path in self.files

    def read(self, path: str) -> bytes | None:
        self.asked.append(path)
        content = self.files.get(path)
        return content.encode() if isinstance(content, str) else content

    def find(self, pattern: str) -> tuple[str, ...]:
        return tuple(path for path in self.files if matches(pattern, path))


def merged(
    *sources: Source,
    renames: tuple[Rename, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
) -> Merged:
    return merge(sources, renames=renames, verdicts=verdicts)


def lives_of(
    *sources: Source,
    renames: tuple[Rename, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
) -> dict[str, Life]:
    """Returns the lives of all terms by present name; of homonyms, the last."""
    terms = merged(*sources, renames=renames, verdicts=verdicts).terms
    return {life.name: life for life in lives(terms, resolver=Resolver(terms))}


def change_lines(life: Life) -> list[str]:
    """Returns a life's changes as short lines: `1.1 reworded`."""
    return [f"{change.release} {change.kind}" for change in life.changes]
