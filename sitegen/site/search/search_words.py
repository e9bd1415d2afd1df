"""Splits a text into the words that the search compares. `search-words.js` splits a query in the
same way.

Case, diacritics, apostrophes and punctuation are removed. Chinese and Japanese are written without
spaces, so a run of their characters is split into all pairs of neighbors: a query of two characters
finds any word that contains them, and a single character finds the pairs that begin with it.

A search takes plurals, cases and, in English, derived words for one word by rules about their
endings: expressions that Python and JavaScript read alike, and replacements, applied in order to a
word without capitals and accents. They leave what changes within a word: broken plurals, `travail`
and `travaux`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from itertools import pairwise

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.text.names import main_language
from sitegen.text.words import letter_runs

SIGNS = re.compile(r"[!#$%&*+/:<=>?@\\^_|~-]{2,}")
"""A run of signs that is searched like a word: `//`, `__`, `->`."""
UNSPACED = "([\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"
"""A run of Han characters, hiragana or katakana."""

Rules = tuple[tuple[str, str], ...]
"""Endings as expressions, each with its replacement."""

ENGLISH = (
    "ation|ion|ing|ed|er|or|ment|able|ability|ance|ence|ant|ent|al|ive|ly|ness|ful|ous|ity|ism|ist"
    "|is|iz|at|e|i|y"
)
RUSSIAN = (
    "иями|ьями|ями|ами|иях|ьях|иям|ьям|ях|ах|иеи|ьеи|ьев|еи|ои|ому|ему|ого|его|ыми|ими|ые|ие|ье|ых|их|ая|яя|ья|ия"
    "|ое|ее|ую|юю|ию|ью|ии|ыи|ов|ев|ам|ям|ом|ем|а|е|и|о|у|ы|ь|ю|я"
)
KOREAN = (
    "에서는|에서도|으로는|에서|으로|에게|까지|부터|처럼|보다|이나|이란|이라"
    "|은|는|이|가|을|를|의|에|로|와|과|도|만|들"
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
    "en": (
        ("ities$", "ity"),
        ("(?<=tr)ices$", "ix"),  # matrices
        ("(?<=nd|rt)ices$", "ex"),  # indices, vertices
        ("(?<=[^s])s$", ""),
        (f"(?<=.{{3}})(?:{ENGLISH})+$", ""),
        (r"(?<=([bdgmnprt]))\1$", ""),
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
    """Returns the rules for the endings of a language, such as `de` or `pt-BR`. Some languages have
    no rules."""
    return ENDINGS.get(main_language(language), ())


def index_word(word: str, *, language: str) -> str:
    """Returns the form of a word in the index: the word without its ending, or "" for one of lunr's
    stop words of English.

    >>> index_word("containers", language="en"), index_word("the", language="en")
    ('contain', '')
    """
    if main_language(language) == "en" and word in STOP_WORDS:
        return ""
    for ending, replacement in rules(language):
        word = re.sub(ending, replacement, word)
    return word


def words(text: str) -> list[str]:
    """Returns the words of a text: lower case, without diacritics, apostrophes or punctuation.

    >>> words("L’été: Data-Loader"), words("東京都")
    (['lete', 'data', 'loader'], ['東京', '京都'])
    """
    folded = _fold(text).translate(_APOSTROPHES)
    separated = [folded[start:end] for start, end in letter_runs(folded)]
    if folded.isascii() or not re.search(UNSPACED, folded):
        return separated

    # Chinese and Japanese have no spaces between words, so each two characters are a word.
    all_words = []
    for word in separated:
        for run in re.split(UNSPACED, word):  # with the runs, because UNSPACED is a group
            is_unspaced = re.fullmatch(UNSPACED, run) is not None
            if is_unspaced and len(run) > 1:
                all_words += [first + second for first, second in pairwise(run)]
            elif run:
                all_words.append(run)
    return all_words


def last_letters(text: str) -> list[str]:
    """Returns the last character of each run of Chinese or Japanese. The search finds words by
    their beginnings, and none of the pairs that `words` returns begins with this character.

    >>> last_letters("東京都")
    ['都']
    """
    folded = _fold(text)
    if folded.isascii():
        return []
    return [run[-1] for run in re.findall(UNSPACED, folded) if len(run) > 1]


_APOSTROPHES = dict.fromkeys(map(ord, "'’"))
_DIACRITICS = dict.fromkeys(range(0x300, 0x370))


def _fold(text: str) -> str:
    """Returns a text in small letters without accents."""
    if text.isascii():
        return text.lower()
    bare = unicodedata.normalize("NFKD", text).translate(_DIACRITICS)
    # Converting to upper case first turns ß into ss. NFC composes Korean syllables and voiced kana
    # again.
    return unicodedata.normalize("NFC", bare.upper().lower())


def question_pattern(phrases: str) -> str:
    """Returns an expression for JavaScript that matches a question, with a group for its subject.

    `phrases` are separated by bars; an ellipsis is where the subject is. "what is …|what does …
    mean" gives `what\\s+does\\s+(.+?)\\s+mean|what\\s+is\\s+(.+?)`.
    """
    # The first phrase that fits is taken. Letters with accents are also found without them.
    longest_first = sorted(phrases.split("|"), key=len, reverse=True)
    expression_of = {" ": r"\s+", "'": "['’]?", "…": "(.+?)"}  # phrases have no other signs
    expression = ""
    for letter in "|".join(longest_first):
        bare = _fold(letter)
        if letter in expression_of:
            expression += expression_of[letter]
        elif bare != letter:
            expression += f"[{letter}{bare}]"
        else:
            expression += letter
    return expression
