"""The alphabetical order of names, and the letter each is listed under, by a page of rules.

A library that knows every language's order is large and not in Python. What readers look for is simpler: a letter is
found where its language has it, `É` is found under `E`, and signs in front do not get in the way. So:

- A letter of the language's own alphabet stands at its place there: `Ö` after `Z` in Swedish.
- Any other letter stands where it does without its marks: `Ö` with `O` in English, `أ` with `ا`.
- Of other scripts each letter has a place of its own, after the alphabet, in Unicode's order. Chinese characters,
  too many for that, share one; Korean syllables stand under their first consonant, Japanese ones under their sound.
- What begins with a digit stands together, and so does what begins with a sign.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

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
"""By language; in all others it is the Latin one. In Russian `Ё` is listed with `Е`, in German `Ä` with `A`."""
ALPHABETS |= {"nb": ALPHABETS["no"], "nn": ALPHABETS["no"]}

DIGITS = "0–9"
OTHER = "#"
HAN = "漢"

_ALIKE = "æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ı:i ة:ه ى:ي ٱ:ا ء:ا ک:ك ی:ي ך:כ ם:מ ן:נ ף:פ ץ:צ"
_KATAKANA = {chr(code): chr(code - 0x60) for code in range(0x30A1, 0x30F7)}
_PLAIN = str.maketrans(dict(pair.split(":") for pair in _ALIKE.split()) | _KATAKANA)
"""Letters that Unicode does not take apart, as those among which they are looked for; katakana as hiragana."""
_CONSONANTS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_FIRST_CONSONANT = 0x1100

_DIGIT, _LETTER, _FOREIGN = 1, 1 << 8, 1 << 16
"""Where the weights of digits begin, after that of a space, those of the alphabet, and those of all other letters."""

MAX_NAMES = 100_000
"""Names of which it is remembered where they stand: more than a site has."""

Order = tuple[tuple[int, ...], str, str]


def alphabet(language: str) -> str:
    """Returns the letters of a language, in their order."""
    return ALPHABETS.get(language.partition("-")[0].lower(), LATIN)


def order(name: str, language: str) -> Order:
    """Returns what puts names in order: by their letters, whatever marks, case and signs they have, then by those."""
    signs = unicodedata.normalize("NFC", name).strip()
    return tuple(chain.from_iterable(map(_weights(language).__getitem__, signs))), name.casefold(), name


@lru_cache(maxsize=MAX_NAMES)
def letter(name: str, language: str) -> str:
    """Returns the letter under which a name is listed: `0–9` for a digit, `#` for a name that begins with a sign."""
    first = unicodedata.normalize("NFC", name.strip())[:1]
    if first.isalpha():
        return _heading(next(_letters(first, _places(language)), OTHER))
    return DIGITS if unicodedata.normalize("NFKD", first)[:1].isdecimal() else OTHER


@lru_cache
def _places(language: str) -> dict[str, int]:
    return {sign: place for place, sign in enumerate(alphabet(language))}


class _Weights(dict[str, tuple[int, ...]]):
    """The weights of the letters of each sign, computed when the sign is first looked up."""

    def __init__(self, language: str) -> None:
        self.places = _places(language)

    def __missing__(self, sign: str) -> tuple[int, ...]:
        self[sign] = tuple(_weight(letter, self.places) for letter in _letters(sign, self.places))
        return self[sign]


@lru_cache
def _weights(language: str) -> _Weights:
    return _Weights(language)


def _letters(sign: str, places: dict[str, int]) -> Iterator[str]:
    """The letters, digits and spaces in a sign: one of the alphabet as it is in it, all others without marks."""
    if sign.upper() in places:
        yield sign.upper()
        return
    for bare in unicodedata.normalize("NFKD", sign.casefold().translate(_PLAIN)):
        plain = bare.translate(_PLAIN)
        if plain.isalnum() or plain == " ":
            yield plain.upper() if plain.upper() in places else plain


def _weight(letter: str, places: dict[str, int]) -> int:
    if letter == " ":
        return 0
    if letter.isdecimal():
        return _DIGIT + unicodedata.decimal(letter)
    return _LETTER + places[letter] if letter in places else _FOREIGN + ord(letter)


def _heading(letter: str) -> str:
    """A letter as the heading of a list."""
    code = ord(letter)
    if 0x3400 <= code <= 0x9FFF or code >= 0x20000:
        return HAN
    if 0 <= code - _FIRST_CONSONANT < len(_CONSONANTS):
        return _CONSONANTS[code - _FIRST_CONSONANT]
    return letter.upper()[:1]
