"""Adds to a document the files that it includes, from the same release of the same repository."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.model import Document

MAX_FILES = 50
"""The maximum number of files that one document includes, directly or indirectly."""
MAX_DEPTH = 4
MAX_LENGTH = 1_000_000
"""The maximum total number of characters in included files."""

ReadFile = Callable[[str], str | None]
"""Returns the text of the file at a path of the repository; None if there is none or it cannot be read."""


def with_includes(document: Document, read: ReadFile) -> Document:
    """Returns the document with its `includes`. Files that are outside, missing or above a limit are left out."""
    if not formats.included(document.text):
        return document
    left = [MAX_FILES, MAX_LENGTH]
    found = [
        (target, text)
        for target in formats.included(document.text)
        if (text := _text(document.name, target, read, left, depth=1)) is not None
    ]
    return replace(document, includes=tuple(found))


def _text(name: str, target: str, read: ReadFile, left: list[int], *, depth: int) -> str | None:
    """Returns the text of an included file, with its own include directives replaced by the included text."""
    if depth > MAX_DEPTH or left[0] == 0:
        return None
    found = ((path, read(path)) for path in _places(name, target))
    path, text = next(((path, text) for path, text in found if text is not None), ("", None))
    if not text:
        return text
    if len(text) > left[1]:
        return None
    left[0] -= 1
    left[1] -= len(text)
    lines = []
    for line in text.split("\n"):
        inner = next(iter(formats.included(line)), None)
        included = _text(path, inner, read, left, depth=depth + 1) if inner else None
        margin = line[: len(line) - len(line.lstrip())]
        lines += [line] if included is None else [f"{margin}{one}" for one in included.split("\n")]
    return "\n".join(lines)


def _places(name: str, target: str) -> list[str]:
    """Returns the possible paths of a target. One that begins with `/` is relative to a folder above the document."""
    above = PurePosixPath(name).parents if target.startswith("/") else [PurePosixPath()]
    paths = [
        inside(name, f"/{folder / target.lstrip('/')}" if target.startswith("/") else target) for folder in above
    ]
    return [path for path in reversed(paths) if path]


def inside(name: str, target: str) -> str | None:
    """Resolves an include target to a path; None if it is outside of the repository, or a URL."""
    if "://" in target or "\\" in target:
        return None
    parts: list[str] = []
    start = PurePosixPath(target.lstrip("/")) if target.startswith("/") else PurePosixPath(name).parent / target
    for part in start.parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts) or None
