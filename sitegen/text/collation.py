"""Sorts names alphabetically, and assigns each name to the letter under which it is listed.

A full collation library (ICU) is large and not written in Python, so this module uses a few simple
rules:

- A letter of the language's alphabet sorts by its position there: `Ö` after `Z` in Swedish.
- Any other letter sorts as the letter without diacritics: `Ö` as `O` in English, `أ` as `ا`. The
  vowel signs of Hindi and other languages of India are letters.
- Simplified Chinese is sorted by its pinyin, among names in Latin letters: `容器` (rong qi) is
  listed under `R`.
- Letters of other scripts sort after the alphabet, in Unicode order, and each has its own heading.
  Other Chinese characters share one heading, in the order of their radicals and strokes; Korean
  syllables are listed under their first consonant, katakana under the same hiragana.
- All names that begin with a digit share one heading, and so do all names that begin with a symbol.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from sitegen.text.names import has_traditional_characters, main_language

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"

ALPHABETS = {
    "ar": _ARABIC,
    "be": "АБВГДЕЁЖЗІЙКЛМНОПРСТУЎФХЦЧШЫЬЭЮЯ",
    "bg": "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЬЮЯ",
    "cs": "ABCČDEFGHIJKLMNOPQRŘSŠTUVWXYZŽ",
    "da": f"{LATIN}ÆØÅ",
    "el": "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ",
    "es": "ABCDEFGHIJKLMNÑOPQRSTUVWXYZ",
    "et": "ABCDEFGHIJKLMNOPQRSŠZŽTUVWÕÄÖÜXY",
    "fa": "اآبپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی",
    "fi": f"{LATIN}ÅÄÖ",
    "he": "אבגדהוזחטיכלמנסעפצקרשת",
    "hr": "ABCČĆDĐEFGHIJKLMNOPQRSŠTUVWXYZŽ",
    "no": f"{LATIN}ÆØÅ",
    "pl": "AĄBCĆDEĘFGHIJKLŁMNŃOÓPQRSŚTUVWXYZŹŻ",
    "ro": "AĂÂBCDEFGHIÎJKLMNOPQRSȘTȚUVWXYZ",
    "ru": "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ",
    "sv": f"{LATIN}ÅÄÖ",
    "uk": "АБВГҐДЕЄЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЬЮЯ",
}
"""By language; the default is the Latin alphabet. In Russian `Ё` is listed with `Е`, in German `Ä`
with `A`."""
ALPHABETS |= {"nb": ALPHABETS["no"], "nn": ALPHABETS["no"]}

DIGITS = "0–9"
OTHER = "#"
HAN = "漢"

_ALIKE = "æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ı:i ة:ه ى:ي ٱ:ا ء:ا ک:ك ی:ي ך:כ ם:מ ן:נ ף:פ ץ:צ"
_KATAKANA = {chr(code): chr(code - 0x60) for code in range(0x30A1, 0x30F7)}
_PLAIN = str.maketrans(dict(pair.split(":") for pair in _ALIKE.split()) | _KATAKANA)
"""Maps letters that Unicode does not decompose to the letters they sort as, and katakana to
hiragana."""
_CONSONANTS = {
    chr(0x1100 + number): sign
    for number, sign in enumerate("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
}
"""Maps the first consonants of decomposed Korean syllables to the same letters by themselves."""

_DIGIT, _LETTER, _FOREIGN = 1, 1 << 8, 1 << 16
"""The first weights of digits, of the letters of the alphabet, and of all other letters. A space
has the weight 0."""


Order = tuple[tuple[int, ...], str, str]


def alphabet(language: str) -> str:
    """Returns the alphabet of a language; the Latin one by default."""
    return ALPHABETS.get(main_language(language), LATIN)


def order(name: str, language: str) -> Order:
    """Returns the sort key of a name. Names are sorted by their letters without diacritics, case
    and symbols; the name itself decides between equal ones.

    >>> order("éclair", "en") < order("Edge", "en")
    True
    """
    weights: list[int] = []
    for sign in _spelled(name, language):
        weights += _weights(sign, language)
    return tuple(weights), name.casefold(), name


def letter(name: str, language: str) -> str:
    """Returns the letter under which a name is listed: `0–9` if it begins with a digit, `#` if with
    a symbol.

    >>> letter("Öl", "de"), letter("Öl", "sv"), letter("容器", "zh-CN")
    ('O', 'Ö', 'R')
    """
    return _heading(_spelled(name, language)[:1], language)


def _spelled(name: str, language: str) -> str:
    """Returns the signs by which a name is sorted: in simplified Chinese its pinyin, as `rong2 qi4`
    for `容器`, with a number for each tone but the neutral one."""
    signs = unicodedata.normalize("NFC", name).strip()
    if signs.isascii() or main_language(language) != "zh" or has_traditional_characters(language):
        return signs
    from pypinyin import Style, lazy_pinyin  # it is large, and few sites need it

    syllables = lazy_pinyin(signs, style=Style.TONE3, v_to_u=True)
    return " ".join(map(str.strip, syllables))


@cache
def _letter_numbers(language: str) -> dict[str, int]:
    """Returns the positions of the letters in the alphabet of a language."""
    return {sign: number for number, sign in enumerate(alphabet(language))}


@cache
def _weights(sign: str, language: str) -> tuple[int, ...]:
    """Returns the weights of the letters in a character."""
    numbers = _letter_numbers(language)
    return tuple([_weight(letter, numbers) for letter in _letters(sign, numbers)])


def _letters(sign: str, numbers: dict[str, int]) -> Iterator[str]:
    """Yields the letters, digits and spaces by which a character is sorted: "æ" is sorted as "A"
    and "E" in English, and as "Æ" in Danish. `numbers` has the letters of the alphabet."""
    if sign.upper() in numbers:
        yield sign.upper()
        return
    # Other characters are taken apart, and lose their diacritics.
    for letter in unicodedata.normalize("NFKD", sign.casefold()).translate(_PLAIN):
        if letter.upper() in numbers:
            yield letter.upper()
        elif letter == " " or letter.isalnum() or _is_vowel_sign(letter):
            yield letter


def _is_vowel_sign(sign: str) -> bool:
    """True for a vowel sign, or the sign that there is no vowel. In Unicode order they come after
    the consonants, as in the dictionaries of Hindi and Bengali."""
    # Diacritics have other classes; from U+2000 on, marks are not of a script.
    is_mark = unicodedata.category(sign) in ("Mn", "Mc")
    return is_mark and unicodedata.combining(sign) in (0, 9) and sign < "\u2000"


def _weight(letter: str, numbers: dict[str, int]) -> int:
    """Returns the number by which a letter, a digit or a space is sorted."""
    if letter == " ":
        return 0
    if letter.isdecimal():
        return _DIGIT + unicodedata.decimal(letter)
    if letter in numbers:
        return _LETTER + numbers[letter]
    return _FOREIGN + ord(letter)


@cache
def _heading(first: str, language: str) -> str:
    """Returns the heading for names with this first character: "É" is under `E`, a Chinese
    character under `漢`, and the syllable "가" under `ㄱ`."""
    if not first.isalpha():
        begins_with_digit = unicodedata.normalize("NFKD", first)[:1].isdecimal()  # also `½`
        return DIGITS if begins_with_digit else OTHER
    first_letter = next(_letters(first, _letter_numbers(language)), OTHER)
    is_chinese = "\u3400" <= first_letter <= "\u9fff" or first_letter >= "\U00020000"
    if is_chinese:
        return HAN
    # Some letters are several in upper case.
    return _CONSONANTS.get(first_letter) or first_letter.upper()[:1]
