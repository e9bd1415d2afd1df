"""What a document in reStructuredText says around its glossaries, and how that is kept from one build to the next."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sitegen.digests import digest
from sitegen.known import Form, Known

Given = tuple[str, bool]
"""What stands around the glossaries of a document, and whether backquotes mean code there."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """A glossary as it was found, by the line of its directive, and the titles of the sections around it."""

    first: int
    is_sorted: bool
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around glossaries."""

    glossaries: tuple[Glossary, ...] = ()
    title: str = ""
    names: frozenset[str] = frozenset()
    """What can be referred to by name."""


def _key(given: Given) -> bytes:
    text, backquotes_are_code = given
    return digest(text.encode(errors="surrogatepass"), b"1" * backquotes_are_code)


def _dump(around: Around, _known: Known) -> bytes:
    glossaries = [(one.first, one.is_sorted, one.titles) for one in around.glossaries]
    data = (glossaries, around.title, sorted(around.names))
    return json.dumps(data, ensure_ascii=False).encode(errors="surrogatepass")


def _load(data: bytes, _known: Known) -> Around:
    glossaries, title, names = json.loads(data.decode(errors="surrogatepass"))
    found = [Glossary(first, is_sorted, tuple(titles)) for first, is_sorted, titles in glossaries]
    return Around(tuple(found), title, frozenset(names))


AROUND = Form("surroundings", _key, _dump, _load)
