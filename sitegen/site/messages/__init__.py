"""The texts of the interface in each language, one gettext file per language in `locale/`.

A message is a text with named placeholders, or one text for each plural form. Pages and templates `say` a message by
its key, which is its context (`msgctxt`) in the file; values are escaped unless they are `Markup`. The English texts
are the `msgid`s. A new file in `locale/` adds a language.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from html import unescape
from pathlib import Path

from markupsafe import Markup

from sitegen.site.messages import po
from sitegen.site.messages.catalogue import Catalogue, Direction
from sitegen.site.messages.po import Message

__all__ = ["LANGUAGES", "Catalogue", "Message", "catalogue", "plain"]

_FOLDER = Path(__file__).parent / "locale"
LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.po")))

_TAG = re.compile("<[^>]*>")


@lru_cache(maxsize=16)
def catalogue(language: str) -> Catalogue:
    """Returns the catalogue for a glossary in a language: in that language if it is translated, else in English."""
    known = {name.partition("-")[0].lower(): name for name in LANGUAGES}
    found = known.get(language.partition("-")[0].lower())
    return replace(_read(found), language=language) if found else replace(_read("en"), glossary=language)


@lru_cache(maxsize=16)
def with_dated(words: Catalogue, dated: frozenset[str]) -> Catalogue:
    """Returns the catalogue that writes the names of these releases, which are dated states, as dates."""
    return replace(words, dated=dated) if dated else words


@lru_cache(maxsize=16)
def _read(language: str) -> Catalogue:
    file = po.parse((_FOLDER / f"{language}.po").read_text(encoding="utf-8"))
    direction: Direction = "rtl" if file.header["X-Direction"] == "rtl" else "ltr"
    return Catalogue(
        language=language,
        direction=direction,
        plural=lambda count: file.categories[file.index(count)],
        separator=file.header["X-Thousands"].replace("space", "\u202f"),
        messages=file.messages,
    )


# Cached because many pages repeat the same sentences.
@lru_cache(maxsize=4096)
def plain(markup: Markup) -> str:
    """Returns a sentence without its markup, for attributes and other places that take plain text."""
    text = " ".join(_TAG.sub("", markup).split())
    return unescape(text) if "&" in text else text
