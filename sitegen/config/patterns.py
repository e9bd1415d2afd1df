"""Which files a configured path means: one file, a folder with all it holds, or a pattern such as `docs/**/terms.md`.

A pattern is followed one name at a time, so that a tree of folders is walked only where it can match. Nothing here
touches a disk; the names may come from git, from an archive or from a folder.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import reduce
from pathlib import PurePosixPath

Rest = frozenset[tuple[str, ...]]
"""What is left of a pattern, in every way it may still match. An empty tuple means: matched, with all below."""

MATCHED: tuple[str, ...] = ()
ANY_FOLDERS = "**"

COMPANIONS = frozenset(
    ".avif .bmp .css .eot .gif .ico .jpeg .jpg .js .map .mp3 .mp4 .ogg .otf .png .svg .tif .tiff .ttf .wav .webm"
    " .webp .woff .woff2".split()
)
"""Endings of what documents show and load; passed over without a word unless a pattern ends with one."""


def start(pattern: str) -> Rest:
    """Returns a whole pattern. `docs/`, `./docs` and `docs/**` all mean the folder `docs`; `.` means everything."""
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    while names and names[-1] == ANY_FOLDERS:
        names.pop()
    return frozenset({tuple(names)})


def literally(path: str) -> str:
    """Returns the pattern that means this path and no other."""
    return re.sub(r"([*?[])", r"[\1]", path)


def advance(rest: Rest, name: str) -> Rest:
    """Returns what is left of a pattern after one more name of a path; empty when the path cannot match.

    A name that begins with a dot is hidden, and one that ends with `~` is an editor's: each matches only where the
    pattern says so.
    """
    return frozenset(left for names in rest for left in _advance(names, name))


def _advance(names: tuple[str, ...], name: str) -> Rest:
    hidden = name.startswith(".") or name.endswith("~")
    if not names:
        return frozenset() if hidden else frozenset({MATCHED})
    first, following = names[0], names[1:]
    if first == ANY_FOLDERS:
        further = _advance(following, name)
        return further if hidden else further | {names}
    if fnmatchcase(name, first) and (not hidden or first[0] == name[0] == "." or first[-1] == name[-1] == "~"):
        return frozenset({following})
    return frozenset()


def means_file(rest: Rest, name: str) -> bool:
    """True when the next name, of a file, completes a pattern."""
    ending = PurePosixPath(name).suffix.lower()
    if ending in COMPANIONS:
        rest = frozenset(names for names in rest if names and names[-1].lower().endswith(ending))
    return MATCHED in advance(rest, name)


def names_it(rest: Rest, name: str) -> bool:
    """True when the next name is matched by more than a `**`, which matches folders nobody thought of."""
    spoken = frozenset(names for names in rest if names[:1] != (ANY_FOLDERS,))
    return bool(advance(spoken, name)) or means_file(rest, name)


def matches(pattern: str, path: str) -> bool:
    """True when a file's path, with `/` between its names, is meant by a pattern."""
    *folders, name = path.split("/")
    return means_file(reduce(advance, folders, start(pattern)), name)
