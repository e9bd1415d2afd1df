"""Computes word stems in the language of a glossary, so that a plural matches its term: `conexões` and `conexão`.

The Snowball stemmers are made for searching, and give some plurals of nouns other stems than their singulars. The
rules of this module are applied first for these. Words of languages without a stemmer are their own stems.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

from sitegen.text.names import fold

MAX_WORDS = 100_000
"""Size of the cache of word stems."""

SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""Language to the name of its stemmer. Snowball's releases differ in the languages that they have."""

RULES = {
    "ar": ((r"(?<=\w{3})ات$", ""),),
    "en": ((r"(?<=[rtd])(?:ices|ixes|exes|ex)$", "ix"),),
    "es": ((r"(?<=[lnrdj])es$", ""), (r"z$", "c"), (r"ces$", "c")),
    "fr": ((r"(?<!e)aux$", "al"), (r"eux$", "eu")),
    "pt": (
        (r"(?:ões|ães|ãos)$", "ão"),
        (r"ais$", "al"),
        (r"[ée]is$", "el"),
        (r"óis$", "ol"),
        (r"uis$", "ul"),
        (r"ns$", "m"),
        (r"(?<=[rz])es$", ""),
        (r"(?<=[eioaouóéáôê])s$", ""),
    ),
    "ru": ((r"(?<=\w{2})[еоё](?=[лнркц]$)", ""),),
}
"""Patterns for endings of singulars and plurals to which Snowball gives different stems, and their replacements."""


def stems(name: str, language: str = "en") -> str:
    """Returns the stems of a name's words: the same for `Compound Operations` and `compound operation`."""
    return " ".join([_stem(word, language) for word in fold(name).split()])


@lru_cache(maxsize=MAX_WORDS)
def _stem(word: str, language: str) -> str:
    stemmer = _stemmer(language)
    if stemmer is None:
        return word
    if not word.isascii():
        word = unicodedata.normalize("NFC", word)
    for ending, replacement in RULES.get(language, ()):
        word = re.sub(ending, replacement, word)
    stem = str(stemmer.stemWord(word))
    return stem if stem.isascii() or language in {"ru", "ar"} else _without_accents(stem)


def _without_accents(word: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFD", word) if not unicodedata.combining(mark))


@cache
def _stemmer(language: str) -> Any:
    # Imported lazily: snowballstemmer loads the stemmers of all languages.
    from snowballstemmer import algorithms, stemmer

    name = SNOWBALL.get(language, "")
    return stemmer(name) if name in algorithms() else None
