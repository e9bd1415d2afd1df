"""What a document in reStructuredText says around its glossaries, or lists, and how that is kept between builds."""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.model.digests import digest_of
from sitegen.text import compact_json
from sitegen.text.known import Form, Known

Given = tuple[str, bool]
"""What stands around the glossaries of a document, and whether backquotes mean code there."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """A glossary or a list as it was found, by its first line, and the titles of the sections around it."""

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


def _dump(around: Around, _known: Known) -> bytes:
    glossaries = [(one.first, one.is_sorted, one.titles) for one in around.glossaries]
    return compact_json.dump((glossaries, around.title, sorted(around.names)))


def _load(data: bytes, _known: Known) -> Around:
    glossaries, title, names = compact_json.load(data)
    found = [Glossary(first, is_sorted, tuple(titles)) for first, is_sorted, titles in glossaries]
    return Around(tuple(found), title, frozenset(names))


AROUND: Form[Given, Around] = Form("surroundings", digest_of, _dump, _load)
LISTS: Form[Given, Around] = Form("lists", digest_of, _dump, _load)
"""The same around definition lists."""
