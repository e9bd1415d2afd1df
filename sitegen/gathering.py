"""From the files found at each release to the documents of a source; shared by git and archives.

A file that did not change from release to release comes with the same key, and its text is one and the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sitegen.decoding import Decoded
from sitegen.model import Document, Problem, Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What was found at one release."""

    release: Release
    label: str
    """The tag, branch or archive, which messages and citations name."""
    files: Mapping[str, str]
    """Path within the release to the key of the file's content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """A source as git or archives have it; what else site.toml says of it is still to be joined."""

    releases: tuple[Release, ...] = ()
    """Oldest first, beginning with the first that has the glossary."""
    documents: tuple[Document, ...] = ()
    """By release, then by name."""
    unread: tuple[tuple[str, str], ...] = ()
    """(release, name) of what could not be read; an empty name where nothing was found at that release."""
    unreleased: str = ""
    """The release that is still to come: a branch's head. Empty when there is none."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Release name to an address for `forges.line_link`; empty unless the source is on a known forge."""
    problems: tuple[Problem, ...] = ()


def gather(
    source: str, snapshots: Sequence[Snapshot], texts: Mapping[str, Decoded], *, paths: Sequence[str], place: str
) -> Gathered:
    """Returns the documents of a source. `texts` has every key's content; `place` names the source in messages.

    Releases before the first that has any of the paths are left out: the glossary was not there yet. One after it
    that has none is a gap, for the glossary may have been kept elsewhere for a while.
    """
    first = next((number for number, snapshot in enumerate(snapshots) if snapshot.files), len(snapshots))
    documents: list[Document] = []
    unread: list[tuple[str, str]] = []
    for snapshot in snapshots[first:]:
        release = snapshot.release.name
        for name, key in sorted(snapshot.files.items()):
            text = texts[key].text
            if text is None:
                unread.append((release, name))
            else:
                path = f"{snapshot.label}:{name}"
                documents.append(Document(source=source, release=release, path=path, name=name, text=text))
        if not snapshot.files:
            unread.append((release, ""))
    return Gathered(
        releases=tuple(snapshot.release for snapshot in snapshots[first:]),
        documents=tuple(documents),
        unread=tuple(unread),
        problems=tuple(_absence(snapshots, first, paths=paths, place=place)),
    )


def first_places(snapshots: Sequence[Snapshot]) -> Mapping[str, str]:
    """Returns for every key where its content is first found, which is where its problems are reported."""
    places: dict[str, str] = {}
    for snapshot in snapshots:
        for name, key in sorted(snapshot.files.items()):
            places.setdefault(key, f"{snapshot.label}:{name}")
    return places


def _absence(snapshots: Sequence[Snapshot], first: int, *, paths: Sequence[str], place: str) -> list[Problem]:
    gaps = [snapshot.label for snapshot in snapshots[first:] if not snapshot.files]
    sought = ", ".join(paths) or "any path"
    if snapshots and first == len(snapshots):
        found = f"none of the {len(snapshots):,} releases has {sought}"
        return [Problem(path=place, found=found, wanted="name the glossary's path in `paths`")]
    if gaps:
        shown = ", ".join(gaps[:5]) + (", …" if len(gaps) > 5 else "")
        found = f"{len(gaps):,} releases after the first do not have {sought}: {shown}"
        return [Problem(path=place, found=found, wanted="if it was elsewhere then, add that place to `paths`")]
    return []
