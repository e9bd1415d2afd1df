"""Finds the names that a text mentions: whole words, the longest name first, singular or plural."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from unicodedata import category

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.text.names import exact, fold, plural, spelled_out

_MARKS = "".join([sign for sign in map(chr, range(0x300, 0x10000)) if category(sign)[0] == "M"])
"""Accents, vowels and other marks, which are parts of words: a word with one is another word.
`re` is slow with signs above U+FFFF, so words of a few scripts, such as Adlam, are split there."""
_PIECE = re.compile(rf"\w+(?:[{_MARKS}]+\w*)*|[^\w\s]")
_JOINT = re.compile(r"[-.:/\\@#$+]")
"""Signs that join two words into one: `torch.nn` does not mention `torch`."""
_ENDING_SIGNS = frozenset("#+")
"""Signs that belong to the word before them: `C#` does not mention `C`."""
_WORD_OR_JOINT = re.compile(rf"[\w{_MARKS}]|{_JOINT.pattern}")


class NameMention(NamedTuple):
    """A range of a text that mentions a name."""

    start: int
    end: int
    name: str
    """The name as it was given to `Mentions`."""


class Mentions:
    """Finds the names that a text mentions: whole words, the longest name first, singular or
    plural.

    Case is ignored, unless two names differ only in case, or a name is in capitals (`10 th` does
    not mention `TH`) or a single letter. If most names are in small letters, a word with a capital
    is a proper name: `environment variable` does not mention the class `Variable`. Stop words
    (`in`, `while`) and names without letters (`<`, `-1`) are never mentions.
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Takes names; of equal names, the first counts. `Long Form (LF)` is also found as `Long
        Form` and `LF`."""
        forms = [*_forms_with_names(tuple(names))]
        self._has_proper_names = _has_proper_names([form for form, _name in forms])
        self._names: dict[tuple[str, ...], dict[str, str]] = {}
        """The folded words and signs of names, to the names by their spellings: `("c", "#")` to
        `{"C#": "C#"}`, `("lf",)` to `{"LF": "Long Form (LF)"}`."""
        self._lengths: dict[str, set[int]] = defaultdict(set)
        """By the first word of names: the numbers of words and signs of the names that begin so."""

        for form, name in forms:
            has_letters = any(map(str.isalpha, form))
            # These are never mentions.
            if form in STOP_WORDS or not has_letters:
                continue
            pieces = tuple(_PIECE.findall(fold(form)))
            by_spelling = self._names.setdefault(pieces, {})
            by_spelling.setdefault(exact(form), name)

        # Each name is also found by its plural in s.
        for pieces, by_spelling in [*self._names.items()]:
            *first_pieces, last_piece = pieces
            plural_pieces = (*first_pieces, f"{last_piece}s")
            self._names.setdefault(plural_pieces, by_spelling)

        for pieces in self._names:
            first_piece = pieces[0]
            self._lengths[first_piece].add(len(pieces))

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[NameMention]:
        """Yields the mentions in a range of a text, from left to right, without overlaps."""
        pieces = [*_PIECE.finditer(text, start, len(text) if end is None else end)]
        folded_pieces = [fold(piece[0]) for piece in pieces]
        end_of_last_mention = start
        for number, piece in enumerate(pieces):
            if piece.start() < end_of_last_mention:
                continue
            lengths = self._lengths.get(folded_pieces[number], ())
            for length in sorted(lengths, reverse=True):  # the longest name first
                in_name = slice(number, number + length)
                by_spelling = self._names.get(tuple(folded_pieces[in_name]), {})
                mention = self._mention(text, pieces[in_name], by_spelling)
                if mention:
                    yield mention
                    end_of_last_mention = mention.end
                    break

    def _mention(
        self, text: str, pieces: Sequence[re.Match[str]], by_spelling: dict[str, str]
    ) -> NameMention | None:
        """Returns the mention of a name by these pieces of a text; None if they mention none.
        `by_spelling` has the names that the pieces may mean."""
        if not by_spelling:
            return None
        start, end = pieces[0].start(), pieces[-1].end()
        name = self._name_for(by_spelling, exact(text[start:end]))
        if name and _is_whole(text, start, end):
            return NameMention(start, end, name)
        return None

    def _name_for(self, by_spelling: dict[str, str], written: str) -> str | None:
        """Returns the name that some written words mean; None if they mean no name.

        `by_spelling` has the names that the words may mean. They differ in case, or by a plural s.
        """
        singular = written.removesuffix("s")
        for spelling in (written, singular):
            if spelling in by_spelling:
                return by_spelling[spelling]
        # None of the names is spelled in this way, so it is open which of several is meant.
        if len(by_spelling) > 1:
            return None
        [(spelling, name)] = by_spelling.items()
        if self._needs_exact_spelling(spelling):
            return None
        return name

    def _needs_exact_spelling(self, name: str) -> bool:
        """Returns whether a name would mean something else in another case: an abbreviation such as
        `US`, a single letter, a stop word, or a proper name."""
        is_abbreviation = name.isupper()
        if is_abbreviation or len(name) == 1:
            return True
        if fold(name) in STOP_WORDS:  # `IT`
            return True
        is_capitalized_word = name.isalpha() and name.istitle()
        return self._has_proper_names and is_capitalized_word


def _forms_with_names(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields the forms in which texts write names, as pairs of a form and its name: the names,
    `Long Form` and `LF` for a name `Long Form (LF)`, and plurals such as `queries` for `query`."""
    # The caller takes the first of equal forms, so a name comes before a plural of another name.
    forms = [(name, name) for name in names]
    for name in names:
        forms += [(form, name) for form in spelled_out(name)]
    yield from forms
    for form, name in forms:
        plural_form = plural(form)  # empty if it is not known
        # `Mentions` adds the plurals that only have an s at the end.
        if plural_form not in ("", f"{form}s"):
            yield plural_form, name


def _has_proper_names(forms: Iterable[str]) -> bool:
    """Returns whether a word with a capital is a proper name among these forms, as most words are
    in small letters."""
    words = [form for form in forms if form.isalpha()]
    in_small_letters = [word for word in words if word.islower()]
    in_title_case = [word for word in words if word.istitle()]
    return len(in_small_letters) > len(in_title_case)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Returns whether a range of a text is whole words, and not a part of a longer word, a path or
    a number: `torch.nn`, `e-mail`, `#tag`."""
    sign_before = text[start - 1 : start]  # empty at the start of the text
    sign_after = text[end : end + 1]
    if _WORD_OR_JOINT.match(sign_before):
        return False
    if sign_after in _ENDING_SIGNS:  # `C++`, `C#`
        return False
    is_joined_to_next = _JOINT.match(sign_after) and _WORD_OR_JOINT.match(text, end + 1)
    return not is_joined_to_next
