"""The files of the search's data. Each is a script that sets one property, because a page that is
opened from disk can run scripts but not read other files; its name has a hash of its content, so a
browser never combines cached files of different builds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sitegen.text import compact_json


def script(name: str, value: object) -> bytes:
    """Returns a script that assigns a value to a property of `glossarySearch`, for
    `search-*.js`."""
    key, data = compact_json.text(name), compact_json.text(value)
    return f"(self.glossarySearch ||= {{}})[{key}] = {data};\n".encode("utf-8", "replace")


def hashed_name(start: str, content: str) -> str:
    """Returns a name of a file that ends with a hash of its content."""
    return f"{start}-{hashlib.sha256(content.encode()).hexdigest()[:10]}"


def in_parts(texts: Sequence[str], *, size: int, whole: int) -> list[list[str]]:
    """Splits a list of texts into parts of at most this size, or into one part if that is not
    longer than `whole`. A longer text is a part of its own."""
    if sum(map(len, texts)) <= whole:
        size = whole
    parts: list[list[str]] = []
    length = 0
    for text in texts:
        if not parts or length + len(text) > size:
            parts.append([])
            length = 0
        parts[-1].append(text)
        length += len(text)
    return parts
