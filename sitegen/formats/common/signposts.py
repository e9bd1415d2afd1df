"""Headings and bold words that say what follows them and are no terms themselves.

Lists of words, used by every format that has to guess. What a glossary may well define (an index, a license) is only
counted against a document that never says that it is a glossary.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from sitegen.text import words

GLOSSARY = re.compile(
    r"\bgloss?ar|terminolog|vocabular|lexicon|nomenclature|\bjargon\b|\bacronyms\b|\babbreviations\b|\bbegriffe\b"
    r"|\b(?:terms|words|definitions|concepts)\b|用語|术语|術語|词汇|глоссари|словар",
    re.I,
)
"""What a title says when terms follow."""
GLOSSARY_HEADING = re.compile(
    r"(?:the |our |project )?(?:glossary|terminology|vocabulary|definitions)(?: of terms)?", re.I
)
"""The heading of the one section of a larger document that is a glossary."""
LETTER = re.compile(r"[^\W\d_](?: ?[-–—/,] ?[^\W\d_])?|0 ?[-–—] ?9|#|symbols|numbers|numerals", re.I)
"""A heading of an alphabetical index."""
FURNITURE = frozenset(
    "contents, table of contents, toc, on this page, introduction, preface, see also, further reading,"
    " external links, useful links, contributing, how to contribute, acknowledgements, acknowledgments,"
    " about this glossary, about this document, revision history".split(", ")
)
"""Headings that are never terms, folded as `words.fold` does."""
PERHAPS_FURNITURE = frozenset("references, bibliography, contributors, changelog, change log, footnotes".split(", "))
"""Headings that a glossary may also have for terms."""
MANUAL = (
    FURNITURE
    | PERHAPS_FURNITURE
    | frozenset(
        "installation, install, installing, usage, getting started, quick start, quickstart, setup, requirements,"
        " prerequisites, features, examples, example, documentation, support, license, licence, credits, authors,"
        " faq, roadmap, development, testing, tests, building, contact, configuration, overview, summary,"
        " background, motivation, unreleased, added, changed, fixed, how it works, troubleshooting, conclusion,"
        " next steps, community".split(", ")
    )
)
"""Headings that speak for a manual or a change log."""
LABELS = frozenset(
    "note, notes, warning, tip, caution, important, hint, example, examples, see also, see, related, related terms,"
    " definition, description, meaning, usage, use, synonym, synonyms, aliases, also known as, aka, antonym,"
    " antonyms, further reading, e g, i e, todo, deprecated, etymology, remark".split(", ")
)
"""Words that open a part of a definition."""
PERHAPS_LABELS = frozenset(
    "abbreviation acronym attention category context default links origin reference references source sources status"
    " type update".split()
)
"""Words that do so in one glossary, and are terms in the next."""
NOT_A_NAME = re.compile(r"\[?v?\d+\.\d+|\d{4}-\d\d|\d+[.)] |(?:how|why|what|when)\b.* |.*[?!]$", re.I)
MAX_WORDS = 8
MAX_REMEMBERED = 100_000
"""Headings of which it is remembered whether they are labels: one release after another has the same."""


Signpost = Literal["", "letter", "furniture", "doubtful"]


def signpost(text: str) -> Signpost:
    """Returns what a heading tells a reader that is no term: a letter of the alphabet, or what is no definition."""
    if LETTER.fullmatch(text):
        return "letter"
    folded = words.fold(text)
    return "furniture" if folded in FURNITURE else "doubtful" if folded in PERHAPS_FURNITURE else ""


def could_be_name(text: str) -> bool:
    """True for what may be a term even in a document that does not call itself a glossary."""
    return not (words.fold(text) in MANUAL or NOT_A_NAME.match(text) or len(text.split()) > MAX_WORDS)


@lru_cache(maxsize=MAX_REMEMBERED)
def is_label(text: str) -> bool:
    """True for what opens a part of a definition."""
    return words.fold(text) in LABELS


def may_be_label(text: str) -> bool:
    """True for what may open a part of a definition, and may be a term."""
    return text.lower() in PERHAPS_LABELS
