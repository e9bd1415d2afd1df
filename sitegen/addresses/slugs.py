"""Computes the preferred slug of a name by fixed rules: small letters, digits and single hyphens.

Latin, Greek and Cyrillic letters are written as `[a-z]`; letters of other scripts stay as they are,
in normal form C.

The rules are frozen (see `contributing/slugs.md`), because another output for a name would move a
published address. So the output must not depend on the Unicode version of the running Python. If
several terms prefer the same slug, `term_slugs` decides which one gets it.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import dropwhile, filterfalse

from sitegen.text.names import fold

MAX_LENGTH, MAX_BYTES = 80, 200
"""File systems take names of 255 bytes, to which `term_slugs` may add a number."""


def _spellings(signs: str, spelled: str) -> dict[str, str]:
    """Returns the spelling of each sign. One space is between two spellings, and that of a silent
    letter is empty."""
    return dict(zip(signs, spelled.split(" "), strict=True))


# Letters that NFKD does not decompose into a Latin letter and marks.
_LETTERS = {
    **_spellings("ßæœøđðłþıħŋĸŧـ", "ss ae oe o d d l th i h ng k t "),
    **_spellings("абвгдеёжзийклмноп", "a b v g d e e zh z i i k l m n o p"),
    **_spellings("рстуфхцчшщъыьэюя", "r s t u f kh ts ch sh shch  y  e iu ia"),
    **_spellings("іїєґўљњџђћјѕ", "i i ie g u lj nj dz dj c j dz"),
    **_spellings("αβγδεζηθικλμνξ", "a b g d e z i th i k l m n x"),
    **_spellings("οπρσςτυφχψω", "o p r s s t y f ch ps o"),
}
# Signs that are part of a name when they follow a letter or digit: C++, C#, F*.
_TAILS = {"+": "plus", "#": "sharp", "*": "star"}
_RUN_OF_TAILS = re.compile("[+#*]+")
# Signs spelled out in a name that has neither letter nor digit, or before a number.
_SIGNS = {
    **_spellings(".,:;!?", "dot comma colon semicolon bang question"),
    **_spellings("+-−*/\\", "plus minus minus star slash backslash"),
    **_spellings("<>=~^|&", "lt gt eq tilde caret bar and"),
    **_spellings("@#$%", "at hash dollar percent"),
    **_spellings("_'\"`", "underscore quote quote backtick"),
    **_spellings("()[]{}", "lparen rparen lbracket rbracket lbrace rbrace"),
}
# Signs spelled out as separate words: `operator +`, `R & D`.
_OPERATORS = frozenset("+*=<>~^|&@#$%")
# Folder names that Windows does not allow; the site must be clonable there.
_WINDOWS_DEVICE = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
# Names that need no change except hyphens for spaces.
_PLAIN = re.compile(r"[a-z0-9]+(?:[ -][a-z0-9]+)*")
# Combining marks without which a word is still the same: accents, points of Hebrew and Arabic,
# variants of signs.
_SILENT_MARKS = (
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u08ca-\u08ff"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef]"
)
_SINCE_UNICODE_3_2 = (
    "[\u0000-\u0377\u037a-\u037f\u03a3-\u052f"  # Latin, Greek, Cyrillic
    "\u1d00-\u1f15\ua640-\ua6f7\ua700-\ua7ca\uab30-\uab6b"
    "\u0600-\u070d\u0898-\u0983\u0d66-\u0d7f"  # Arabic, Devanagari, Malayalam
    "\u1000-\u10c5\u10d0-\u1248\u2d00-\u2d25\uab70-\uabed"  # Burmese, Georgian, Hangul, Cherokee
    "\u2000-\u2064\u20a0-\u20c0\u2100-\u218b"  # punctuation, currencies
    "\u2190-\u2426\u2460-\u2b73\u2b76-\u2b95\u2b97-\u2cf3"  # signs
    "\U0001f1e6-\U0001f202\U0001f300-\U0001f6d7\U0001f6dd-\U0001f6ec"  # emoji
    "\U0001f900-\U0001fa53]"
)
"""Matches characters that are newer than Unicode 3.2, and that all supported Pythons have: the
oldest of them has Unicode 14, in which these ranges are full."""


def slug(name: str) -> str:
    """Returns the preferred slug of a name: at most 80 characters and 200 bytes, with single
    hyphens between words.

    >>> slug("C++"), slug("R & D"), slug("Éclair (cake)"), slug("§"), slug("用語")
    ('c-plus-plus', 'r-and-d', 'eclair-cake', 'section-sign', '用語')
    """
    # Newer Pythons fold characters that older ones do not know. These are replaced by their numbers
    # before, so that every Python makes the same slug.
    text = fold("".join(map(_with_stable_data, name)))
    if _PLAIN.fullmatch(text):
        whole = text.replace(" ", "-")
    else:
        whole = _unlimited_slug(text)

    # A long slug ends at a word. One long word is cut anywhere, but not within a character.
    result = whole[:MAX_LENGTH].encode()[:MAX_BYTES].decode(errors="ignore")
    if result != whole:
        whole_words, _, _ = result.rpartition("-")
        result = whole_words or result
    if _WINDOWS_DEVICE.fullmatch(result):
        return f"{result}-term"
    return result


def _with_stable_data(sign: str) -> str:
    """Returns a character, or its number (` u1fac3 `) if its Unicode data differs between the
    supported Pythons."""
    # Besides its current database, each Python has that of Unicode 3.2, which is the same in all.
    unassigned, private, surrogate = "Cn", "Co", "Cs"
    category = unicodedata.ucd_3_2_0.category(sign)
    if sign.isascii() or category not in (unassigned, private, surrogate):
        return sign
    if re.match(_SINCE_UNICODE_3_2, sign):  # all supported Pythons have the character
        return sign
    return f" u{ord(sign):x} "


def _unlimited_slug(text: str) -> str:
    """Returns the slug of a folded name, of any length."""
    has_letters_or_digits = any(_category(sign) in "LN" for sign in text)
    slug = _with_words_for_signs(text) if has_letters_or_digits else _names_of_signs(text)
    words = map(_without_loose_marks, unicodedata.normalize("NFC", slug).split("-"))
    return "-".join(filter(None, words)) or "term"


def _without_loose_marks(word: str) -> str:
    """Returns a word without the combining marks at its beginning."""
    return "".join(dropwhile(_is_mark, word))


def _category(sign: str) -> str:
    """Returns what a character is: L for a letter, M for a mark, N for a number, S for a sign."""
    return unicodedata.category(sign)[0]


def _is_mark(sign: str) -> bool:
    return _category(sign) == "M"


def _with_words_for_signs(text: str) -> str:
    """Returns the slug of a name with letters or digits. Signs become words where they are part of
    a name, and else hyphens. Hyphens may be doubled.

    >>> _with_words_for_signs("c++"), _with_words_for_signs("operator +")
    ('c-plus--plus-', 'operator-plus')
    >>> _with_words_for_signs("-1 & b"), _with_words_for_signs("a#b")
    ('minus-1-and-b', 'a-b')
    """
    parts = []
    tails_at_end = _tails_at_word_end(text)
    for place, sign in enumerate(text):
        before, after = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
        follows_word = before.isalnum() or before in _TAILS
        begins_word = before in ("", "(") or before.isspace()
        # Inside a word, as in "C++11" and "a#b", only the + is a part of the name.
        is_tail = sign == "+" or place in tails_at_end
        if follows_word and is_tail:  # C++, C#
            parts.append(f"-{_TAILS[sign]}-")
        elif sign in "-−+" and begins_word and after.isdigit():  # -1
            parts.append(f"{_SIGNS[sign]}-")
        elif sign in _OPERATORS and begins_word and after in ("", " "):  # operator +
            parts.append(_SIGNS[sign])
        else:
            parts.append(_spelling(sign))
    return "".join(parts)


def _tails_at_word_end(text: str) -> set[int]:
    """Returns the places of the signs `+#*` that no letter or digit follows.

    >>> _tails_at_word_end("C# a#b")
    {1}
    """
    places: set[int] = set()
    for run in _RUN_OF_TAILS.finditer(text):
        after = text[run.end() : run.end() + 1]
        if not after.isalnum():
            places.update(range(*run.span()))
    return places


def _spelling(sign: str) -> str:
    """Returns a character in ASCII if possible. A letter without such a form stays as it is, and a
    sign becomes its Unicode name.

    >>> [_spelling(sign) for sign in "éжⅣ中☃"]
    ['e', 'zh', 'iv', '中', '-snowman-']
    """
    if sign.isascii():
        return sign if sign.isalnum() else "-"
    if sign in _LETTERS:  # "ж"
        return _LETTERS[sign]
    if _is_dropped(sign):
        return ""
    if sign.isdecimal():  # a digit of another script
        return str(unicodedata.decimal(sign))

    # A letter with marks, such as "é", is written as the letter without them, "Ⅳ" as "iv".
    base = "".join(filterfalse(_is_mark, unicodedata.normalize("NFKD", sign)))
    if base != sign and all(part.isascii() or part in _LETTERS for part in base):
        spelled = "".join(map(_spelling, base.lower()))
        if spelled.strip("-"):
            return spelled

    is_letter_number = unicodedata.category(sign) == "Nl"  # such as "〇", the Chinese zero
    if _category(sign) in "LM" or is_letter_number:
        plain = unicodedata.normalize("NFKC", sign)  # "カ" of the half-width "ｶ"
        if plain == sign:
            return sign
        return "".join(map(_spelling, plain))
    if _category(sign) in "NS":  # "☃"
        return f"-{_unicode_name(sign)}-"
    return "-"


def _is_dropped(sign: str) -> bool:
    """True for combining marks and format characters that are dropped from slugs."""
    return bool(re.match(_SILENT_MARKS, sign)) or unicodedata.category(sign) == "Cf"


def _unicode_name(sign: str) -> str:
    """Returns a short Unicode name of a character: `rocket`, `section-sign`. Unicode names never
    change."""
    name = unicodedata.name(sign, "").lower()
    if not name:
        return f"u{ord(sign):x}"
    short = re.sub(r"^.*\b(?:letter|syllable|digit|sign|character)\s+", "", name)
    return re.sub(r"[^a-z0-9]+", "-", short)


def _names_of_signs(text: str) -> str:
    """Returns the slug of a name that has only signs, by the words for them.

    >>> _names_of_signs("**")
    'star-star'
    """
    signs = [sign for sign in text if not sign.isspace()]
    # Signs that slugs drop stay if there are no others, as a slug must not be empty.
    signs_in_slug = [sign for sign in signs if not _is_dropped(sign)] or signs
    return "-".join(map(_sign_name, signs_in_slug))


def _sign_name(sign: str) -> str:
    """Returns the word for a sign: from `_SIGNS`, else its form in ASCII, else its Unicode name."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    spelling = _spelling(sign).strip("-")
    if spelling and spelling.isascii():
        return spelling
    return _unicode_name(sign)
