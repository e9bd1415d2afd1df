"""Compares the words of definitions: whether two wordings are the same, and which words differ.

Markup, case, white space, quotes, dashes and punctuation are ignored, except inside code, where
every character except indentation is compared. Symbols that have a meaning (`+`, `<`, `%`, the
minus of `-1`) count as words.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from sys import intern
from typing import Literal

from sitegen.model import Prose

WordingChange = Literal["unchanged", "reformatted", "reworded"]
SegmentKind = Literal["same", "deleted", "inserted"]

MAX_DEFINITIONS = 1_000_000
"""Size of the cache of words, in definitions: more than a site has."""
MAX_WORDS = 20_000
"""The maximum number of words per side to compare, as the memory is quadratic. Longer texts are
shown in full."""

_TAG = re.compile("<[^>]*>")
TextSpan = tuple[int, int]
CodeRun = tuple[int, int, str]
"""(first, past, exact text): a range of words that are code."""


def without_tags(html: str, *, instead: str = "") -> str:
    """Returns HTML without its tags, or with another text in their place.

    >>> without_tags("a <b>lad</b>der")
    'a ladder'
    """
    return _TAG.sub(instead, html)


@dataclass(frozen=True, slots=True)
class Words:
    """The folded words of a definition, in order, and the runs of words that are code."""

    keys: tuple[str, ...]
    code: tuple[CodeRun, ...]


@dataclass(frozen=True, slots=True)
class SplitWords(Words):
    """The words of a definition, and where each one starts in its text."""

    prose: Prose
    starts: tuple[int, ...]
    """The index at which each word starts, with an opening quote after a space; the first is 0.
    Then the end."""

    def text_between(self, first: int, past: int) -> str:
        """Returns the text of the words from `first` up to `past` (exclusive), with what follows
        each of them."""
        return self.prose.text[self.starts[first] : self.starts[past]]

    def segment(self, kind: SegmentKind, first: int, past: int) -> Segment:
        start, end = self.starts[first], self.starts[past]
        code = (
            (max(begin, start) - start, min(stop, end) - start) for begin, stop in self.prose.code
        )
        return Segment(
            kind=kind,
            text=self.text_between(first, past),
            code=tuple([one for one in code if one[0] < one[1]]),
        )

    def is_glued(self, number: int) -> bool:
        """True if a word and the previous one are parts of a longer one: no white space is between
        them. Chinese and Japanese have none, so their characters stand for themselves."""
        if not 0 < number < len(self.keys):
            return False
        before = self.prose.text[self.starts[number] - 1]
        first = self.prose.text[self.starts[number]]
        return not (before.isspace() or is_unspaced(before) or is_unspaced(first))


EqualRun = tuple[int, int, int]
"""A run of equal words: the number of its first word in the older and in the newer wording, and its
length."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """A part of a difference. The segments that are not deleted, joined in order, are the newer
    text."""

    kind: SegmentKind
    text: str
    code: tuple[TextSpan, ...] = ()
    """Ranges of `text` (start, end) that are code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    segments: tuple[Segment, ...]
    added: int
    """The number of words that only the newer wording has, or of characters."""
    removed: int
    unit: Literal["words", "characters"] = "words"
    """What is counted: characters if a changed part is Chinese or Japanese."""
    rewritten: bool
    """True if more than 60% of the words changed: better shown as before and after."""


def compare(before: Prose, after: Prose) -> WordingChange:
    """Returns whether `after` has the same words as `before`, and if so, whether it also has the
    same markup."""
    if before is after or before.html == after.html:
        return "unchanged"
    return "reformatted" if same_words(before, after) else "reworded"


def same_words(before: Prose, after: Prose) -> bool:
    """True if the words are the same in the same order, and code over the same words is the
    same."""
    if before is after:
        return True
    older, newer = words_of(before), words_of(after)
    if older.keys != newer.keys:
        return False
    return older.code == newer.code or not _code_changes(older, newer)


@lru_cache(maxsize=MAX_DEFINITIONS)
def words_of(prose: Prose) -> Words:
    """Returns the words of a definition."""
    keys, code = _folded_words(prose.text, prose.code)
    return Words(tuple(map(intern, keys)), tuple(code))


# A save in the preview, 1,000 terms at 10 releases: 0.25 s instead of 0.33 s.
@lru_cache(maxsize=MAX_DEFINITIONS)
def digest(prose: Prose) -> str:
    """Returns a digest of the words and code of a definition, as 12 hexadecimal digits.

    Unlike `same_words`, it distinguishes code from plain text, to check that a reading can be
    reproduced.
    """
    words = words_of(prose)
    code = [f"{first} {past} {text}" for first, past, text in words.code]
    lines = "\n".join((*words.keys, *code))
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:12]


@lru_cache(maxsize=50_000)
def fold(text: str) -> str:
    """Returns the folded words of a text, joined by spaces: equal for texts with the same words."""
    return " ".join(_folded_words(text)[0])


class _Classes(dict[int, str]):
    """Maps code points to `w` (word), `s` (symbol) or a space. Computed on first lookup."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        category = unicodedata.category(sign)
        is_symbol = category in {"Sm", "Sc", "So"} and sign not in "|~−"
        kind = " "
        if category[0] in "LMN":
            kind = "w"
        elif is_symbol or sign in "%#":
            kind = "s"
        self[code] = kind
        return kind


_CLASSES = _Classes()
_RUN = re.compile("w+|s+")
_UNSPACED = (
    r"[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
)
_UNSPACED_CHARACTER = re.compile(f"({_UNSPACED})")
"""A Chinese or Japanese character."""
_WRAP = f" (?<={_UNSPACED} )(?={_UNSPACED})"
"""A space between Chinese or Japanese characters. These languages have no spaces, so it comes from
a line break."""
_MINUS = re.compile(r"(?<![\w)\]])[-−](?=\d)")
_ASCII = re.compile(r"[A-Za-z0-9]+|(?=[$+<=>%#-])(?:[$+<=>%#]|(?<![\w)\]])-(?=\d))+")
"""Matches words and symbols in ASCII text, as `_CLASSES` and `_RUN` do in other text."""
_SYMBOL = re.compile(r"\$|\+|<|=|>|%|#|-[0-9]")
_PLAIN = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
_OPENING = re.compile(r"(?<=\s)\S+$")
_INDENTATION = re.compile(r"\n[ \t]+")


def _folded_words(text: str, code: Sequence[TextSpan] = ()) -> tuple[list[str], list[CodeRun]]:
    """Returns the folded words of a text, and the runs of words that are code."""
    is_plain = text.isascii() and not _SYMBOL.search(text)
    if is_plain and not code:
        # Most definitions are plain; splitting them takes the least time.
        return text.translate(_PLAIN).split(), []
    spans = _word_spans(text)
    keys = [_folded_word(text[start:end]) for start, end in spans]
    return keys, _code_runs(text, code, spans)


def _code_runs(text: str, code: Iterable[TextSpan], spans: Sequence[TextSpan]) -> list[CodeRun]:
    """Returns the runs of words that are code. `spans` are the ranges of the words."""
    runs: list[CodeRun] = []
    first = 0
    for start, end in code:
        while first < len(spans) and spans[first][1] <= start:
            first += 1
        past = first
        while past < len(spans) and spans[past][0] < end:
            past += 1
        runs.append((first, past, text[start:end]))
    return runs


def _word_spans(text: str) -> list[TextSpan]:
    """Returns the ranges of a text that are words or symbols."""
    if text.isascii():
        return [match.span() for match in _ASCII.finditer(text)]
    if " " in text and _UNSPACED_CHARACTER.search(text):
        text = re.sub(_WRAP, "w", text)
    classes = text.translate(_CLASSES)
    if "-" in text or "−" in text:
        for match in _MINUS.finditer(text):
            classes = f"{classes[: match.start()]}s{classes[match.end() :]}"
    return [match.span() for match in _RUN.finditer(classes)]


def _folded_word(word: str) -> str:
    if word.isascii():
        return word.lower()
    word = word.replace(" ", "")
    folded = unicodedata.normalize("NFC", word).casefold()
    # Case folding can undo the normal form, so it is restored.
    return unicodedata.normalize("NFC", folded).replace("−", "-")


# Cached, as a definition is compared several times in succession.
@lru_cache(maxsize=64)
def split_words(prose: Prose) -> SplitWords:
    """Returns the words of a definition, and where each one starts in its text.

    Each Chinese or Japanese character is a word of its own: these languages write no spaces, and a
    difference would else mark whole sentences.
    """
    text = prose.text
    spans = _word_spans(text)
    if _UNSPACED_CHARACTER.search(text):
        spans = _parts(text, spans)
        keys = [_folded_word(text[start:end]) for start, end in spans]
        words = Words(tuple(keys), tuple(_code_runs(text, prose.code, spans)))
    else:
        words = words_of(prose)
    starts = [0]
    for (_, end), (start, _) in pairwise(spans):
        opening = _OPENING.search(text, end, start)
        starts.append(opening.start() if opening else start)
    return SplitWords(words.keys, words.code, prose, (*starts, len(text)))


def is_unspaced(character: str) -> bool:
    """True for a character of Chinese or Japanese, which have no spaces between words."""
    return _UNSPACED_CHARACTER.match(character) is not None


def _parts(text: str, spans: Iterable[TextSpan]) -> list[TextSpan]:
    """Returns the ranges of words, with one for each Chinese or Japanese character."""
    parts: list[TextSpan] = []
    for start, end in spans:
        for part in _UNSPACED_CHARACTER.split(text[start:end]):
            past = start + len(part)
            # A line break between two characters is no word.
            if part.strip():
                parts.append((start, past))
            start = past
    return parts


def _code_changes(older: Words, newer: Words) -> list[int]:
    """Returns the word numbers of `newer` at which both sides have different code over the same
    words."""
    exact = _by_range(older.code)
    code = _by_range(newer.code).items()
    return [first for (first, past), texts in code if exact.get((first, past), texts) != texts]


def _by_range(code: Iterable[CodeRun]) -> dict[TextSpan, list[str]]:
    """Returns code without indentation, by the range of words that it covers; a range can have
    several texts."""
    texts: dict[TextSpan, list[str]] = {}
    for first, past, text in code:
        texts.setdefault((first, past), []).append(_INDENTATION.sub("\n", text))
    return texts


def difference(before: Prose, after: Prose) -> Difference:
    """Returns the difference by words: deleted ones before inserted ones. Short equal runs in
    between are changes."""
    older, newer = split_words(before), split_words(after)
    if _is_comparable(older, newer):
        runs = _readable_runs(before, after)
        segments = _segments(runs, older, newer)
        total = len(older.keys) + len(newer.keys)
        is_rewritten = (total - 2 * sum(size for _, _, size in runs)) / total > 0.6
    else:
        deleted = Segment(kind="deleted", text=before.text)
        inserted = Segment(kind="inserted", text=after.text)
        segments = [segment for segment in (deleted, inserted) if segment.text]
        is_rewritten = True
    changed = "".join(segment.text for segment in segments if segment.kind != "same")
    return Difference(
        segments=tuple(segments),
        added=_count(segments, "inserted"),
        removed=_count(segments, "deleted"),
        unit="characters" if _UNSPACED_CHARACTER.search(changed) else "words",
        rewritten=is_rewritten,
    )


def _readable_runs(before: Prose, after: Prose) -> list[EqualRun]:
    """Returns the runs of unchanged words that are shown as such: runs of at most two words between
    changes make a difference hard to read."""
    equal = _matching(before, after)
    runs = [run for run in equal if run[2] > 2 or run in (equal[0], equal[-1])]
    return _extended(runs, split_words(before), split_words(after))


def _is_comparable(older: Words, newer: Words) -> bool:
    lengths = (len(older.keys), len(newer.keys))
    return min(lengths) > 0 and max(lengths) <= MAX_WORDS


def _matching(before: Prose, after: Prose) -> tuple[EqualRun, ...]:
    """Returns the runs of unchanged words in order; empty if the wordings are too long to
    compare."""
    from rapidfuzz.distance import LCSseq  # a build without changes compares nothing

    older, newer = split_words(before), split_words(after)
    if not _is_comparable(older, newer):
        return ()
    blocks = LCSseq.opcodes(older.keys, newer.keys).as_matching_blocks()
    runs = _without_changed_code([(block.a, block.b, block.size) for block in blocks], older, newer)
    return tuple(_whole_words(runs, older, newer))


def _without_changed_code(runs: list[EqualRun], older: Words, newer: Words) -> Iterator[EqualRun]:
    """Removes from runs the words that are code on both sides, but with different characters."""
    exact, code = _by_range(older.code), _by_range(newer.code)
    for a, b, size in runs:
        start = 0
        for (first, past), texts in code.items():
            if first < b + start or past > b + size or first == past:
                continue
            if exact.get((first - b + a, past - b + a), texts) != texts:
                yield a + start, b + start, first - b - start
                start = past - b
        yield a + start, b + start, size - start


def _whole_words(
    runs: Iterable[EqualRun], older: SplitWords, newer: SplitWords
) -> Iterator[EqualRun]:
    """Shrinks runs so that no difference starts or ends inside a sequence of words without white
    space."""
    for a, b, size in runs:
        end_a, end_b = a + size, b + size
        if (a, b) != (0, 0):
            while a < end_a and (older.is_glued(a) or newer.is_glued(b)):
                a, b = a + 1, b + 1
        if (end_a, end_b) != (len(older.keys), len(newer.keys)):
            while end_a > a and (older.is_glued(end_a) or newer.is_glued(end_b)):
                end_a, end_b = end_a - 1, end_b - 1
        if end_a > a:
            yield a, b, end_a - a


def _extended(runs: Sequence[EqualRun], older: SplitWords, newer: SplitWords) -> list[EqualRun]:
    """Extends runs over equal words at the ends of a change, so that these are not shown as deleted
    and inserted.

    These words were first matched elsewhere, in a run that was too short to keep.
    """
    extended: list[EqualRun] = []
    ends = [*runs[1:], (len(older.keys), len(newer.keys), 0)][: len(runs)]
    past_a = past_b = 0
    for (a, b, size), (next_a, next_b, _) in zip(runs, ends, strict=True):
        while a > past_a and b > past_b and _are_alike(older, a - 1, newer, b - 1):
            if older.is_glued(a - 1) or newer.is_glued(b - 1):
                break
            a, b, size = a - 1, b - 1, size + 1
        end_a, end_b = a + size, b + size
        while end_a < next_a and end_b < next_b and _are_alike(older, end_a, newer, end_b):
            if older.is_glued(end_a + 1) or newer.is_glued(end_b + 1):
                break
            end_a, end_b = end_a + 1, end_b + 1
        extended.append((a, b, end_a - a))
        past_a, past_b = end_a, end_b
    return extended


def _are_alike(older: Words, a: int, newer: Words, b: int) -> bool:
    """True if two words are equal, and neither is code."""
    if older.keys[a] != newer.keys[b]:
        return False
    return not _is_code(older, a) and not _is_code(newer, b)


def _is_code(words: Words, number: int) -> bool:
    return any(first <= number < past for first, past, _ in words.code)


def _segments(runs: Sequence[EqualRun], older: SplitWords, newer: SplitWords) -> list[Segment]:
    segments: list[Segment] = []
    a = b = 0
    for next_a, next_b, size in [*runs, (len(older.keys), len(newer.keys), 0)]:
        if next_a > a:
            segments.append(older.segment("deleted", a, next_a))
        if next_b > b:
            segments.append(newer.segment("inserted", b, next_b))
        if size:
            segments.append(newer.segment("same", next_b, next_b + size))
        a, b = next_a + size, next_b + size
    return segments


def _count(segments: Sequence[Segment], kind: SegmentKind) -> int:
    """Returns the number of words as a reader counts them: runs without white space that have a
    letter or symbol. Each Chinese or Japanese character counts."""
    number = 0
    for segment in segments:
        if segment.kind == kind:
            for word in segment.text.split():
                number += _count_in_word(word)
    return number


def _count_in_word(word: str) -> int:
    if not _UNSPACED_CHARACTER.search(word):
        return int(word[0].isalpha() or fold(word) != "")
    return sum(1 for part in _UNSPACED_CHARACTER.split(word) if fold(part))
