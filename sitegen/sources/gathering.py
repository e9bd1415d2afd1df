"""From what was found at each release to the documents of a source; shared by git and archives.

A file that did not change from release to release comes with the same key, and its text is one and the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from unicodedata import normalize

from sitegen.model import Document, Problem, Release, Skipped
from sitegen.text.decoding import Decoded

Trouble = tuple[str, str]
"""What was found, and what would have worked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What was found at one release."""

    release: Release
    label: str
    """The tag, branch or archive, which messages and citations name."""
    files: Mapping[str, str]
    """Path within the release to the key of the file's content."""
    tree: str = ""
    """The id of the tree in git that the files are in."""
    refused: Mapping[str, Trouble] = field(default_factory=dict)
    """Path to why it is not read; an empty path is the whole release."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """A source as git or archives have it; what else site.toml says of it is still to be joined."""

    releases: tuple[Release, ...] = ()
    """Oldest first, beginning with the first that has the glossary."""
    documents: tuple[Document, ...] = ()
    """By release, then by name."""
    unread: tuple[tuple[str, str], ...] = ()
    """(release, name) of what could not be read; an empty name is the whole release."""
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()


def gather(
    source: str, snapshots: Sequence[Snapshot], texts: Mapping[str, Decoded], *, paths: Sequence[str], place: str
) -> Gathered:
    """Returns the documents of a source. `texts` has every key's content; `place` names the source in messages.

    Releases before the first that has any of the paths are left out: the glossary was not there yet. One after it
    that has none is a gap, for the glossary may have been kept elsewhere for a while.
    """
    kept = tuple(dropwhile(lambda one: all(texts[key].text is None for key in one.files.values()), snapshots))
    documents: list[Document] = []
    unread: list[tuple[str, str]] = []
    for snapshot in kept:
        missing = set(snapshot.refused)
        for name, key in sorted(snapshot.files.items()):
            text = texts[key].text
            if text is None:
                missing.add(name)
            else:
                documents.append(_document(source, snapshot, name, text))
        if not snapshot.files and not missing:
            missing.add("")
        unread += ((snapshot.release.name, normalize("NFC", name)) for name in sorted(missing))
    return Gathered(
        releases=tuple(snapshot.release for snapshot in kept),
        documents=tuple(documents),
        unread=tuple(unread),
        skipped=_skipped(snapshots[: len(snapshots) - len(kept)] if kept else ()),
        problems=(
            *_absences(snapshots, kept, paths=paths, place=place),
            *_refusals(snapshots),
            *(problem for decoded in texts.values() for problem in decoded.problems),
        ),
    )


def first_places(snapshots: Sequence[Snapshot]) -> Mapping[str, str]:
    """Returns for every key where its content is first found, which is where its problems are reported."""
    places: dict[str, str] = {}
    for snapshot in snapshots:
        for name, key in sorted(snapshot.files.items()):
            places.setdefault(key, f"{snapshot.label}:{name}")
    return places


def _document(source: str, snapshot: Snapshot, name: str, text: str) -> Document:
    name = normalize("NFC", name)
    path = f"{snapshot.label}:{name}"
    return Document(source=source, release=snapshot.release.name, path=path, name=name, text=text)


def _skipped(before: Sequence[Snapshot]) -> tuple[Skipped, ...]:
    names = tuple(snapshot.release.name for snapshot in before)
    return (Skipped(reason="before", names=names),) if names else ()


def _absences(
    snapshots: Sequence[Snapshot], kept: Sequence[Snapshot], *, paths: Sequence[str], place: str
) -> Iterator[Problem]:
    sought = ", ".join(paths) or "any path"
    empty = [snapshot.label for snapshot in kept or snapshots if not snapshot.files and not snapshot.refused]
    if empty and not kept:
        found = f"none of {len(snapshots):,} releases has {sought}"
        yield Problem(path=place, found=found, wanted="name the glossary's path in `paths`")
    elif empty:
        shown = ", ".join(empty[:5]) + (", …" if len(empty) > 5 else "")
        found = f"after the first release, {len(empty):,} do not have {sought}: {shown}"
        yield Problem(path=place, found=found, wanted="if it was elsewhere then, add that place to `paths`")


def _refusals(snapshots: Sequence[Snapshot]) -> Iterator[Problem]:
    """What is not read, and why; what is refused for the same reason at many releases is said once."""
    said: set[tuple[str, Trouble]] = set()
    for snapshot in snapshots:
        for name, trouble in snapshot.refused.items():
            if not name or (name, trouble) not in said:
                said.add((name, trouble))
                path = f"{snapshot.label}:{name}" if name else snapshot.label
                yield Problem(path=path, found=trouble[0], wanted=trouble[1])
