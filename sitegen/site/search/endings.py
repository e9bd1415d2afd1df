"""The endings of words by which a search takes plurals and cases for one word, in languages other than English.

Each rule is an expression and what replaces it, applied in order to a folded word: without capitals, accents and
diaeresis. The rules are written into the search data, and the browser applies the same ones to what is typed; so an
expression has only what Python and JavaScript read alike. They are lighter than Snowball's stemmers, which would
have to be sent to every reader, and leave what changes within a word: broken plurals, `travail` and `travaux`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

Rules = tuple[tuple[str, str], ...]

RUSSIAN = (
    "иями|ьями|ями|ами|иях|ьях|иям|ьям|ях|ах|иеи|ьеи|ьев|еи|ои|ому|ему|ого|его|ыми|ими|ые|ие|ье|ых|их|ая|яя|ья|ия"
    "|ое|ее|ую|юю|ию|ью|ии|ыи|ов|ев|ам|ям|ом|ем|а|е|и|о|у|ы|ь|ю|я"
)
KOREAN = (
    "에서는|에서도|으로는|에서|으로|에게|까지|부터|처럼|보다|이나|이란|이라|은|는|이|가|을|를|의|에|로|와|과|도|만|들"
)
ENDINGS: Mapping[str, Rules] = {
    "ar": (
        ("[\u064b-\u065f\u0670\u0640]", ""),
        ("[أإآٱ]", "ا"),
        ("ى$", "ي"),
        ("^(?:وال|بال|كال|فال|لل|ال)(?=.{2})", ""),
        ("(?<=.{3})(?:ات|ون|ين|ان|ها|ه|ة|ي)+$", ""),
        ("(?<=.{2})(?:ات|ة)$", ""),
    ),
    "de": (
        ("nisse[ns]?$", "nis"),
        ("innen$", "in"),
        ("(?<=[^aeiou][ao])s$", ""),
        ("(?<=.{3})(?:ern|ers|ens|em|en|er|es|e|n|(?<=[bdfghklmnrt])s)$", ""),
    ),
    "es": (
        ("z$", "c"),
        ("(?<=.{3})(?:es|os|as|(?<=[bcdfgklmnprtu])s|a|e|o)$", ""),
    ),
    "fr": (
        ("eaux$", "eau"),
        ("(?<=[^e])aux$", "al"),
        ("(?<=.)eux$", "eu"),
        ("(?<=.{3})(?:es|e|s)$", ""),
    ),
    "ko": ((f"(?<=.{{2}})(?:{KOREAN})+$", ""),),
    "pt": (
        ("(?:oes|aes|aos)$", "ao"),
        ("ais$", "al"),
        ("eis$", "el"),
        ("ois$", "ol"),
        ("uis$", "ul"),
        ("ns$", "m"),
        ("(?<=[rz])es$", ""),
        ("(?<=[aeiou])s$", ""),
        ("(?<=.{3})[aeo]$", ""),
    ),
    "ru": (
        (f"(?<=.{{3}})(?:{RUSSIAN})$", ""),
        ("(?<=.{2})[ео](?=[лнркц]$)", ""),
    ),
}


def rules(language: str) -> Rules:
    """Returns the rules of a site's language, `de` or `pt-BR`; none for English and languages that have no rules."""
    return ENDINGS.get(language.partition("-")[0].lower(), ())


def without_ending(word: str, rules: Rules) -> str:
    """Returns the part of a folded word that its plurals and cases share."""
    for ending, replacement in rules:
        word = _expression(ending).sub(replacement, word)
    return word


@cache
def _expression(ending: str) -> re.Pattern[str]:
    return re.compile(ending)
