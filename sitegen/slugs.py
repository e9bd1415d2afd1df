"""The slug that a name asks for: by fixed rules, `[a-z0-9-]+`, which is what GitHub's autolink references accept.

The rules are frozen (`docs/slugs.md`): changing any output would move a published address. Which term gets the slug
when several ask for it is for `permalinks` to decide.
"""

from __future__ import annotations

import re
import unicodedata

from sitegen.names import fold

MAX_LENGTH = 80

# Letters that do not come apart into a Latin letter and its marks.
_LETTERS = {
    **dict(zip("ßæœøđðłþıħŋĸŧ", "ss ae oe o d d l th i h ng k t".split(), strict=True)),
    **dict(zip("абвгдеёжзийклмноп", "a b v g d e e zh z i i k l m n o p".split(), strict=True)),
    **dict(zip("рстуфхцчшщъыьэюя", "r s t u f kh ts ch sh shch  y  e iu ia".split(" "), strict=True)),
    **dict(zip("іїєґўљњџђћјѕ", "i i ie g u lj nj dz dj c j dz".split(), strict=True)),
    **dict(zip("αβγδεζηθικλμνξ", "a b g d e z i th i k l m n x".split(), strict=True)),
    **dict(zip("οπρσςτυφχψω", "o p r s s t y f ch ps o".split(), strict=True)),
}
# Signs that are part of a name when they follow a letter or digit: C++, C#, F*.
_TAILS = {"+": "plus", "#": "sharp", "*": "star"}
# Signs spelled out in a name that has neither letter nor digit, or before a number.
_SIGNS = {
    **dict(zip(".,:;!?", "dot comma colon semicolon bang question".split(), strict=True)),
    **dict(zip("+-−*/\\", "plus minus minus star slash backslash".split(), strict=True)),
    **dict(zip("<>=~^|&", "lt gt eq tilde caret bar and".split(), strict=True)),
    **dict(zip("@#$%_'\"`", "at hash dollar percent underscore quote quote backtick".split(), strict=True)),
    **dict(zip("()[]{}", "lparen rparen lbracket rbracket lbrace rbrace".split(), strict=True)),
}
# Signs spelled out where they stand alone: `operator +`, `R & D`.
_OPERATORS = frozenset("+*=<>~^|&@#$%")
# Names that Windows cannot give to a folder, though GitHub Pages can: a clone of the site must be possible there.
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))]
)


def slug(name: str) -> str:
    """Returns the slug that a name asks for: 1 to 80 characters of `[a-z0-9-]`, no hyphen at an end or doubled."""
    text = fold(name)
    words = _spelled(text) if any(unicodedata.category(sign)[0] in "LN" for sign in text) else _signs(text)
    joined = re.sub(r"-+", "-", words).strip("-") or "term"
    if len(joined) > MAX_LENGTH:
        joined = joined[:MAX_LENGTH].rpartition("-")[0] or joined[:MAX_LENGTH]
    return f"{joined}-term" if joined in _RESERVED else joined


def _spelled(text: str) -> str:
    parts = []
    for place, sign in enumerate(text):
        after_word = place > 0 and (text[place - 1].isalnum() or text[place - 1] in _TAILS)
        before_digit = place + 1 < len(text) and text[place + 1].isdigit()
        begins = place == 0 or text[place - 1].isspace() or text[place - 1] == "("
        if sign in _TAILS and after_word and _ends_word(text, place):
            parts.append(f"-{_TAILS[sign]}-")
        elif sign in "-−+" and begins and before_digit:
            parts.append(f"{_SIGNS[sign]}-")
        elif sign in _OPERATORS and begins and text[place + 1 : place + 2] in ("", " "):
            parts.append(_SIGNS[sign])
        else:
            parts.append(_letter(sign))
    return "".join(parts)


def _ends_word(text: str, place: int) -> bool:
    rest = text[place:].lstrip("+#*")
    return not rest or not rest[0].isalnum()


def _letter(sign: str) -> str:
    """A letter in ASCII: itself, its base, its transliteration, the last words of its Unicode name, or a hyphen."""
    if sign.isascii():
        return sign if sign.isalnum() else "-"
    if sign in _LETTERS:
        return _LETTERS[sign]
    category = unicodedata.category(sign)
    if category[0] == "M" or category == "Cf":
        return ""
    base = "".join(part for part in unicodedata.normalize("NFKD", sign) if unicodedata.category(part)[0] != "M")
    if base and base != sign and all(part.isascii() or part in _LETTERS for part in base):
        return "".join(_letter(part) for part in base.lower())
    return f"-{_called(sign)}-" if category[0] in "LNS" else "-"


def _called(sign: str) -> str:
    """How Unicode calls a character, in short: `rocket`, `alef`, `u4e2d`. Unicode never changes a name."""
    name = unicodedata.name(sign, "").lower()
    if not name or "ideograph" in name:
        return f"u{ord(sign):x}"
    short = re.sub(r"^.*\b(?:letter|syllable|digit|sign)\s+", "", name)
    return re.sub(r"[^a-z0-9]+", "-", short)


def _signs(text: str) -> str:
    return "-".join(_SIGNS.get(sign) or _letter(sign) for sign in text if not sign.isspace())
