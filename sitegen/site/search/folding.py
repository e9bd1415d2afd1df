"""The words of a text as they are compared, whoever wrote them: `search-names.js` does the same to what is typed."""

from __future__ import annotations

import unicodedata


def words(text: str) -> list[str]:
    """Returns the words of a text: lower case, without diacritics, apostrophes or punctuation."""
    return _fold(text).translate(_LETTERS).split()


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not "\u0300" <= letter <= "\u036f")
    # By way of upper case, ß meets ss.
    return bare.upper().lower()


class _Letters(dict[int, str]):
    """Letters, marks and digits as they are, all else as a blank. Filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = chr(code) if unicodedata.category(chr(code))[0] in "LMN" else " "
        return self[code]


_LETTERS = _Letters({ord("'"): "", ord("’"): ""})
