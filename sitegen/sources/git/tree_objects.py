"""Parses the trees of a repository: the entries of folders at a commit."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from sitegen.model import ProblemKind, Trouble
from sitegen.text.decoding import is_plain

MAX_TREE_BYTES = 16 * 1024 * 1024
MAX_NAMES = 200_000
"""Size of the cache of names in trees: most names occur at every release. A quarter of the time of
`init`."""

RAW_ENTRY = {
    length: re.compile(rb"([^ \0]*) ([^\0]*)\0(.{%d})" % length, re.DOTALL) for length in (20, 32)
}
"""Matches an entry of a tree, by the length of an object id."""
FOLDER, LINK, SUBMODULE = "40000", "120000", "160000"
TRAPS = frozenset({"", ".", "..", ".git"})
"""Names that git never writes into a tree. They have led to vulnerabilities in other programs."""


class TreeEntry(NamedTuple):
    mode: str
    name: str
    trouble: Trouble | None
    """The reason why it is not read; None for regular files and folders."""
    id: str


def parse(data: bytes, id_length: int) -> list[TreeEntry] | None:
    """Parses a tree object, a sequence of `mode name NUL id`. Returns None if it is damaged."""
    entries = RAW_ENTRY[id_length].findall(data)
    parsed = sum([len(mode) + len(name) for mode, name, _ in entries]) + len(entries) * (
        id_length + 2
    )
    if parsed != len(data):
        return None
    return [TreeEntry(*_decoded_entry(mode, name), id.hex()) for mode, name, id in entries]


@lru_cache(maxsize=MAX_NAMES)
def _decoded_entry(raw_mode: bytes, raw: bytes) -> tuple[str, str, Trouble | None]:
    """Returns mode and name of an entry as text, and the reason why it is not read."""
    mode, name = (
        raw_mode.decode("ascii", "replace").lstrip("0"),
        raw.decode("utf-8", "backslashreplace"),
    )
    is_text = is_plain(name) and name.encode() == raw
    name = name if is_plain(name) else ascii(name)[1:-1]
    trouble: Trouble | None = None
    if is_trap(name):
        trouble = Trouble(ProblemKind.NOT_READ, "no file or folder may have this name")
    elif not is_text:
        trouble = Trouble(ProblemKind.NOT_READ, "a name that cannot be shown", "rename it")
    elif mode == LINK:
        trouble = Trouble(
            ProblemKind.NOT_READ, "a symbolic link, which is not followed", "name what it leads to"
        )
    elif mode == SUBMODULE:
        wanted = "make it a source of its own"
        trouble = Trouble(ProblemKind.NOT_READ, "a submodule, which is another repository", wanted)
    elif mode != FOLDER and not mode.startswith("100"):
        trouble = Trouble(ProblemKind.NOT_READ, "neither a file nor a folder")
    return mode, name, trouble


def is_trap(name: str) -> bool:
    """True for a name that no entry may have."""
    return name.lower() in TRAPS or "/" in name
