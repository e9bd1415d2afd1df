"""Files of a commit, found by reading its trees: those that a configured path means, and what is odd among them.

What was found below a folder is remembered by the folder's object id, so that what did not change from release to
release is walked once. That also makes a small repository that pretends to hold billions of files cheap to refuse.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sitegen import patterns
from sitegen.decoding import is_plain
from sitegen.git.door import Objects

MAX_TREE_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_FILES = 20_000
"""The most files a path may mean at one release: more than any folder of term files holds."""
MAX_ODDITIES = 50

FOLDER, LINK, SUBMODULE = "40000", "120000", "160000"
TRAPS = frozenset({"", ".", "..", ".git"})
"""Names that git itself never writes into a tree; other programs have been led astray by them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """An entry of a tree that is not read, and why."""

    path: str
    found: str
    wanted: str = ""


@dataclass(slots=True)
class Listing:
    """Files, as path to object id, and what was odd; paths are seen from the folder that was walked."""

    files: dict[str, str] = field(default_factory=dict)
    oddities: list[Oddity] = field(default_factory=list)

    def add(self, path: str, id: str) -> None:
        if path in self.files:
            self.refuse(path, "stands twice in its folder; the first is read")
        elif len(self.files) <= MAX_FILES:
            self.files[path] = id

    def refuse(self, path: str, found: str) -> None:
        if len(self.oddities) < MAX_ODDITIES:
            self.oddities.append(Oddity(path=path, found=found))

    def include(self, folder: str, below: Listing) -> None:
        for path, id in below.files.items():
            self.add(f"{folder}/{path}", id)
        for oddity in below.oddities:
            self.refuse(f"{folder}/{oddity.path}".rstrip("/"), oddity.found)


@dataclass(frozen=True, slots=True)
class _Entry:
    mode: str
    name: str
    id: str
    refusal: str
    """Why it is not read; empty for plain files and folders."""


class Trees:
    """The trees of a repository, each read once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._entries: dict[str, tuple[_Entry, ...] | None] = {}
        self._listings: dict[tuple[str, patterns.Rest], Listing] = {}

    def fetch(self, ids: Iterable[str]) -> None:
        """Reads several trees in one go, ahead of their use."""
        missing = [id for id in ids if id not in self._entries]
        for object in self._objects.read(missing, limit=MAX_TREE_BYTES):
            is_tree = object.kind == "tree" and object.data is not None
            self._entries[object.id] = _parse(object.data or b"", len(object.id) // 2) if is_tree else None

    def find(self, tree: str, pattern: str) -> Listing:
        """Returns the files that a path or pattern means in the tree of a commit."""
        listing = self._walk(tree, patterns.start(pattern), depth=0)
        if len(listing.files) <= MAX_FILES:
            return listing
        many = Oddity(path=pattern, found=f"more than {MAX_FILES} files are meant", wanted="name a smaller folder")
        return Listing(oddities=[many])

    def _walk(self, tree: str, rest: patterns.Rest, *, depth: int) -> Listing:
        if (tree, rest) not in self._listings:
            self._listings[tree, rest] = self._list(tree, rest, depth=depth)
        return self._listings[tree, rest]

    def _list(self, tree: str, rest: patterns.Rest, *, depth: int) -> Listing:
        self.fetch([tree])
        entries = self._entries[tree]
        listing = Listing()
        if entries is None:
            listing.refuse("", "the folder is missing, damaged or too large in the repository")
        elif depth > MAX_DEPTH:
            listing.refuse("", f"folders stand more than {MAX_DEPTH} deep in each other")
        else:
            for entry in entries:
                self._take(listing, entry, rest, depth=depth)
        return listing

    def _take(self, listing: Listing, entry: _Entry, rest: patterns.Rest, *, depth: int) -> None:
        after = patterns.advance(rest, entry.name)
        if entry.refusal:
            if _is_trap(entry.name) or patterns.names_it(rest, entry.name):
                listing.refuse(entry.name, entry.refusal)
        elif entry.mode == FOLDER and after:
            listing.include(entry.name, self._walk(entry.id, after, depth=depth + 1))
        elif entry.mode != FOLDER and patterns.means_file(rest, entry.name):
            listing.add(entry.name, entry.id)


def _parse(data: bytes, id_length: int) -> tuple[_Entry, ...] | None:
    """The entries of a tree object (`mode name NUL id`, again and again); None when it is damaged."""
    entries = []
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        mode, space, name = data[at:end].partition(b" ")
        id = data[end + 1 : end + 1 + id_length]
        if end < 0 or not space or len(id) < id_length:
            return None
        entries.append(_entry(mode.decode("ascii", "replace").lstrip("0"), name, id.hex()))
        at = end + 1 + id_length
    return tuple(entries)


def _entry(mode: str, raw: bytes, id: str) -> _Entry:
    name = raw.decode("utf-8", "backslashreplace")
    refusal = _refusal(mode, name, is_utf8=name.encode() == raw)
    return _Entry(mode, name if is_plain(name) else ascii(name)[1:-1], id, refusal)


def _refusal(mode: str, name: str, *, is_utf8: bool) -> str:
    if _is_trap(name):
        return "no file or folder may have this name"
    if not is_utf8 or not is_plain(name):
        return "the name holds characters that cannot be shown"
    if mode == LINK:
        return "a symbolic link, which is not followed"
    if mode == SUBMODULE:
        return "a submodule, which is another repository"
    return "" if mode == FOLDER or mode.startswith("100") else "neither a file nor a folder"


def _is_trap(name: str) -> bool:
    return name.lower() in TRAPS or "/" in name
