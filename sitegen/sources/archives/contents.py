"""Selects the glossary's files in one archive, and reports why a file is not read.

An archive that exceeds a limit, or has a member whose path leads out of its folder, is refused as a whole: with half
of a glossary, the missing terms would look as if they had been removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from sitegen.config import patterns
from sitegen.sources.archives.members import Member, RefusedError, members
from sitegen.sources.gathering import Trouble
from sitegen.text.decoding import MAX_BYTES, is_plain, too_large

MAX_READ = 64 * 1024 * 1024
"""The maximum total size of the members of an archive that are read."""

MAX_FILE = 2_000_000
"""The maximum size of an image or an included text."""
SHOWN = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg|md|rst|txt|inc|adoc)$", re.I)

TROUBLES: Mapping[str, Trouble] = {
    "link": ("a link, which is not followed", "name what it leads to"),
    "other": ("neither a file nor a folder", ""),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Content by path, without the single top folder that archives usually have."""
    refused: Mapping[str, Trouble] = field(default_factory=dict)
    """Maps a path to the reason why it is not read; the empty path means the whole archive."""


def read_contents(file: IO[bytes], *, size: int, paths: Sequence[str], limit: int = MAX_BYTES) -> Contents:
    """Returns the files of the first of `paths` that matches any, in an archive of `size` bytes. Never raises."""
    try:
        kept = _Sieve(paths, limit).sift(members(file, size=size))
    except RefusedError as reason:
        found = str(reason)
    except Exception as error:
        # The standard library's readers raise many types of exceptions for damaged archives.
        said = "".join(c if c.isprintable() else "�" for c in str(error)[:100])
        found = f"it is damaged or cut off ({said or type(error).__name__})"
    else:
        meant = _pick(kept, paths)
        return Contents(
            files={path: content for path, content in meant.items() if isinstance(content, bytes)},
            refused={path: content for path, content in meant.items() if isinstance(content, tuple)},
        )
    return Contents(refused={"": (f"the archive is refused: {found}", "")})


def every_file(file: IO[bytes], *, size: int) -> Mapping[str, bytes | None]:
    """Returns all files of an archive by path; None for the content of one that no glossary shows. Never raises."""
    try:
        endings = (f"**/*{ending}" for ending in patterns.COMPANIONS)  # which only a pattern of their own matches
        kept = _Everything(("**", *endings), MAX_FILE).sift(members(file, size=size))
    except Exception:
        return {}
    return {path: content if isinstance(content, bytes) else None for path, content in kept.items()}


class _Sieve:
    """Collects the members that match the paths with or without a top folder, since that is known only at the end."""

    def __init__(self, paths: Sequence[str], limit: int) -> None:
        self._paths = paths
        self._limit = limit
        self._kept: dict[tuple[str, ...], bytes | Trouble] = {}
        self._tops: set[str] = set()
        self._has_top_files = False
        self._bytes = 0

    def sift(self, all: Iterable[Member]) -> Mapping[str, bytes | Trouble]:
        for member in all:
            names = _names(member.name)
            if names:
                self._look(member, names)
        strip = len(self._tops) == 1 and not self._has_top_files
        return {"/".join(names[strip:]): content for names, content in self._kept.items()}

    def _look(self, member: Member, names: tuple[str, ...]) -> None:
        if len(self._tops) < 2:
            self._tops.add(names[0])
        if member.kind == "folder":
            return
        self._has_top_files |= len(names) == 1
        if any(_is_meant(path, self._paths) for path in ("/".join(names), "/".join(names[1:])) if path):
            shown = tuple(map(_shown, names))
            if shown in self._kept:
                raise RefusedError(f"{'/'.join(shown)} stands in it twice")
            self._kept[shown] = (
                self._content(member) if shown == names else ("a name that cannot be shown", "rename it")
            )

    def _content(self, member: Member) -> bytes | Trouble:
        if member.kind in TROUBLES:
            return TROUBLES[member.kind]
        if member.size > self._limit:
            return too_large(member.size, self._limit)
        self._bytes += member.size
        if self._bytes > MAX_READ:
            raise RefusedError(f"more than {MAX_READ:,} bytes of it are meant")
        return member.read()


class _Everything(_Sieve):
    """Collects all members, with the contents of images and of texts that may be included."""

    def _content(self, member: Member) -> bytes | Trouble:
        self._bytes += member.size if SHOWN.search(member.name) and member.size <= MAX_FILE else 0
        is_kept = SHOWN.search(member.name) and member.size <= MAX_FILE and self._bytes <= MAX_READ
        return member.read() if member.kind == "file" and is_kept else ("not shown", "")


def _names(name: str) -> tuple[str, ...]:
    """Splits a member's path into components. Raises RefusedError if it leads out of the folder of the archive."""
    path = name.replace("\\", "/")
    names = tuple(part for part in path.split("/") if part not in ("", "."))
    if path.startswith("/") or ".." in names or path[1:2] == ":":
        raise RefusedError(f"its member {_shown(name[:100])} leads out of it")
    return names


def _shown(name: str) -> str:
    return name if is_plain(name) else ascii(name)[1:-1]


def _is_meant(path: str, paths: Sequence[str]) -> bool:
    return any(patterns.matches(pattern, path) for pattern in paths)


def _pick(kept: Mapping[str, bytes | Trouble], paths: Sequence[str]) -> Mapping[str, bytes | Trouble]:
    """Returns the files of the first path that matches any."""
    found = ({path: kept[path] for path in kept if patterns.matches(pattern, path)} for pattern in paths)
    return next(filter(None, found), {})
