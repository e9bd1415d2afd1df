"""Combines the files found at each release (`ReleaseSnapshot`) into a `RawSource`.

A file that does not change between releases has the same key at each of them, and its documents
share one text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile
from unicodedata import normalize

from sitegen.config.tables import SourceTable
from sitegen.model import Document, Problem, ProblemKind, Release, Skipped, Trouble
from sitegen.text.decoding import Decoded


@dataclass(frozen=True, kw_only=True, slots=True)
class ReleaseSnapshot:
    """The files found at one release."""

    release: Release
    label: str
    """The tag, branch or folder, for messages and citations."""
    separator: str = ":"
    """The text between the label and the path of a file."""
    files: Mapping[str, str]
    """Maps each path within the release to the key of the file's content."""
    tree: str = ""
    """The id of the folder that contains the files."""
    refused: Mapping[str, Trouble] = field(default_factory=dict)
    """Maps a path to the reason why it is not read; the empty path means the whole release."""

    def path(self, name: str) -> str:
        """Returns the path of a file for messages and citations."""
        return f"{self.label}{self.separator}{normalize('NFC', name)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceContent:
    """What was read of a source."""

    documents: tuple[Document, ...] = ()
    """By release, oldest first, then by name."""
    unread: tuple[tuple[str, str], ...] = ()
    """(release, name) of documents and folders that could not be read; an empty name means the
    whole release."""
    problems: tuple[Problem, ...] = ()
    images: Mapping[str, bytes] = field(default_factory=dict)
    """The images of its documents, by their paths in the site."""
    pending: tuple[Document, ...] = ()
    """The documents of the current branch, if it is not read and they were edited after the newest
    release."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RawSource(SourceContent):
    """A source as read from git or folders, before the other settings of site.toml are applied."""

    releases: tuple[Release, ...] = ()
    """Oldest first, beginning with the first that has the glossary."""
    skipped: tuple[Skipped, ...] = ()


def combine_snapshots(
    table: SourceTable,
    snapshots: Sequence[ReleaseSnapshot],
    texts: Mapping[str, Decoded],
    *,
    place: str,
) -> RawSource:
    """Returns the documents of a source. `texts` has the content of every key; `place` names the
    source in messages.

    Releases before the first that has any of the paths are left out: the glossary did not exist
    yet. A later release without any of them is marked as unread, since the glossary may have been
    kept elsewhere for a while.
    """
    kept = tuple(
        dropwhile(lambda one: all(texts[key].text is None for key in one.files.values()), snapshots)
    )
    earlier = (
        tuple(snapshot.release.name for snapshot in snapshots[: len(snapshots) - len(kept)])
        if kept
        else ()
    )
    sought = ", ".join(filter(None, (table.versions, *table.paths))) or "any path"
    raw = documents_of(table, kept, texts)
    return replace(
        raw,
        releases=tuple(snapshot.release for snapshot in kept),
        skipped=(Skipped(reason="before", names=earlier),) if earlier else (),
        problems=(
            *_absences(snapshots, kept, sought=sought, place=place),
            *_refusals(snapshots),
            *raw.problems,
        ),
    )


def documents_of(
    table: SourceTable, snapshots: Iterable[ReleaseSnapshot], texts: Mapping[str, Decoded]
) -> RawSource:
    """Returns the documents of some releases, the names of unread ones, and the problems with their
    texts."""
    documents: list[Document] = []
    unread: list[tuple[str, str]] = []
    for snapshot in snapshots:
        release = snapshot.release.name
        missing = {*snapshot.refused} if snapshot.files or snapshot.refused else {""}
        for name, key in snapshot.files.items():
            text, path = texts[key].text, snapshot.path(name)
            if text is None:
                missing.add(name)
            else:
                name = normalize("NFC", name)
                documents.append(
                    Document(source=table.id, release=release, path=path, name=name, text=text)
                )
        unread += ((release, normalize("NFC", name)) for name in sorted(missing))
    problems = (problem for decoded in texts.values() for problem in decoded.problems)
    return RawSource(documents=tuple(documents), unread=tuple(unread), problems=tuple(problems))


def with_settings(document: Document, table: SourceTable) -> Document:
    """Returns a document with the settings of its source in site.toml that say how it is parsed."""
    if not (
        table.format or table.section or table.docs_url or table.max_entries != document.max_entries
    ):
        return document
    return replace(
        document,
        format=table.format,
        section=table.section,
        has_pages=bool(table.docs_url),
        max_entries=table.max_entries,
    )


def first_places(snapshots: Sequence[ReleaseSnapshot]) -> Mapping[str, str]:
    """Returns the first path of each key's content, at which its problems are reported."""
    places: dict[str, str] = {}
    for snapshot in snapshots:
        for name, key in sorted(snapshot.files.items()):
            places.setdefault(key, snapshot.path(name))
    return places


def _absences(
    snapshots: Sequence[ReleaseSnapshot],
    kept: Sequence[ReleaseSnapshot],
    *,
    sought: str,
    place: str,
) -> Iterator[Problem]:
    empty = [
        snapshot.label
        for snapshot in kept or snapshots
        if not snapshot.files and not snapshot.refused
    ]
    if empty and not kept:
        found = f"no release has {sought}"
        yield Trouble(ProblemKind.MISSING, found, "name the glossary's path in `paths`").at(place)
    elif empty:
        shown = ", ".join(empty[:5]) + (", …" if len(empty) > 5 else "")
        releases, have = (
            ("one release", "has") if len(empty) == 1 else (f"{len(empty):,} releases", "have")
        )
        found = f"{releases} after the first with the glossary {have} no {sought}: {shown}"
        wanted = "if the glossary is elsewhere there, add that place to `paths`"
        yield Trouble(ProblemKind.MISSING, found, wanted).at(place)


def _refusals(snapshots: Sequence[ReleaseSnapshot]) -> Iterator[Problem]:
    """Yields a problem for each file that is not read; the same path and reason is reported for one
    release only."""
    reported: set[tuple[str, Trouble]] = set()
    for snapshot in snapshots:
        for name, trouble in snapshot.refused.items():
            if not name or (name, trouble) not in reported:
                reported.add((name, trouble))
                yield trouble.at(snapshot.path(name) if name else snapshot.label)
