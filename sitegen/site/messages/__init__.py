"""Every sentence of the interface, in one place.

A message is a text with named gaps, or one text for each plural form. Pages and templates `say` a message by its
key and fill the gaps; what fills them is escaped unless it is markup of ours. Each language is a module of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from html import unescape

from markupsafe import Markup

from sitegen.site.messages.arabic import ARABIC
from sitegen.site.messages.catalogue import Catalogue, Message
from sitegen.site.messages.english import ENGLISH

__all__ = ["CATALOGUES", "ENGLISH", "Catalogue", "Message", "catalogue", "plain"]

CATALOGUES: Mapping[str, Catalogue] = {"en": ENGLISH, "ar": ARABIC}


_TAG = re.compile("<[^>]*>")


@lru_cache(maxsize=16)
def catalogue(language: str) -> Catalogue:
    """Returns the interface of a glossary in a language: in that language, or in English where there is none."""
    found = CATALOGUES.get(language.lower()) or CATALOGUES.get(language.lower().partition("-")[0])
    return replace(found, language=language) if found else replace(ENGLISH, glossary=language)


# Many pages say the same of terms to which the same happened.
@lru_cache(maxsize=4096)
def plain(markup: Markup) -> str:
    """Returns what a reader sees of a sentence, for the places that know no markup."""
    text = " ".join(_TAG.sub("", markup).split())
    return unescape(text) if "&" in text else text
