"""Compares the words of definitions: whether two wordings are the same, and which words differ.

Markup, case, white space, quotes, dashes and punctuation are ignored, except inside code, where every character
except indentation is compared. Symbols that have a meaning (`+`, `<`, `%`, the minus of `-1`) count as words.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from sys import intern
from typing import Literal

from sitegen.model import Prose

WordingChange = Literal["unchanged", "reformatted", "reworded"]

MAX_DEFINITIONS = 1_000_000
"""Size of the cache of words, in definitions: more than a site has."""
MAX_WORDS = 20_000
"""The maximum number of words per side to compare, as the memory is quadratic. Longer texts are shown in full."""

Span = tuple[int, int]
CodeRun = tuple[int, int, str]
"""(first, past, exact text): a range of words that are code."""


@dataclass(frozen=True, slots=True)
class Words:
    """The folded words of a definition, in order, and the runs of words that are code."""

    keys: tuple[str, ...]
    code: tuple[CodeRun, ...]


@dataclass(frozen=True, slots=True)
class SplitWords(Words):
    """The words of a definition, and its plain text split at the words."""

    pieces: Sequence[str]
    """The text before the first word, that word, the text before the next, and so on to the end."""


EqualRun = tuple[int, int, int]
"""A run of equal words: the number of its first word in the older and in the newer wording, and its length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a difference. The segments that are not deleted, joined in order, are the newer text."""

    kind: Literal["same", "deleted", "inserted"]
    text: str
    code: tuple[Span, ...] = ()
    """Ranges of `text` (start, end) that are code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    segments: tuple[Segment, ...]
    added: int
    """The number of words that only the newer wording has."""
    removed: int
    rewritten: bool
    """True if more than 60% of the words changed: better shown as before and after."""


def compare(before: Prose, after: Prose) -> WordingChange:
    """Returns whether `after` has the same words as `before`, and if so, whether it also has the same markup."""
    if before is after or before.html == after.html:
        return "unchanged"
    return "reformatted" if same_words(before, after) else "reworded"


def same_words(before: Prose, after: Prose) -> bool:
    """True if the words are the same in the same order, and code over the same words is the same."""
    if before is after:
        return True
    one, two = words_of(before), words_of(after)
    return one.keys == two.keys and (one.code == two.code or not _code_changes(one, two))


@lru_cache(maxsize=MAX_DEFINITIONS)
def words_of(prose: Prose) -> Words:
    """Returns the words of a definition."""
    keys, code = _words(prose.text, prose.code)
    return Words(tuple(map(intern, keys)), tuple(code))


def _words(text: str, code: tuple[Span, ...]) -> tuple[Sequence[str], Iterable[CodeRun]]:
    if not code:
        return _keys(text), ()
    if (plain := _plain(text)) is not None:
        return plain.split(), _plain_code_runs(text, plain, code)
    spans = _spans(text)
    return _keys(text, spans), _code_runs(text, spans, code)


def digest(prose: Prose) -> str:
    """Returns a digest of the words and code of a definition, as 12 hexadecimal digits.

    Unlike `same_words`, it distinguishes code from plain text, to check that a reading can be reproduced.
    """
    return prose.words or digest_of(prose.text, prose.code)


def digest_of(text: str, code: tuple[Span, ...]) -> str:
    """Returns the same as `digest` for a text and its code ranges."""
    keys, runs = _words(text, code)
    lines = "\n".join((*keys, *(f"{first} {past} {text}" for first, past, text in runs)))
    return hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def fold(text: str) -> str:
    """Returns the folded words of a text, joined by spaces: equal for texts with the same words."""
    return " ".join(_keys(text))


class _Classes(dict[int, str]):
    """Maps code points to `w` (word), `s` (symbol) or a space. Computed on first lookup."""

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))
        if category[0] in "LMN":
            kind = "w"
        elif category in {"Sm", "Sc", "So"} and chr(code) not in "|~−":
            kind = "s"
        else:
            kind = "s" if chr(code) in "%#" else " "
        self[code] = kind
        return kind


_CLASSES = _Classes()
_RUN = re.compile("w+|s+")
_SPACE = re.compile(r"\s")
_UNSPACED = r"[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
_WRAP = re.compile(f" (?<={_UNSPACED} )(?={_UNSPACED})")
"""A space between Chinese or Japanese characters. These languages have no spaces, so it comes from a line break."""
_MINUS = re.compile(r"(?<![\w)\]])[-−](?=\d)")
_ASCII = re.compile(r"[A-Za-z0-9]+|(?=[$+<=>%#-])(?:[$+<=>%#]|(?<![\w)\]])-(?=\d))+")
"""Matches words and symbols in ASCII text, as `_CLASSES` and `_RUN` do in other text."""
_ASCII_CUT = re.compile(f"({_ASCII.pattern})")

_INDENTATION = re.compile(r"\n[ \t]+")

_SYMBOL = re.compile(r"\$|\+|<|=|>|%|#|-[0-9]")
_PLAIN = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}


# Cached, as a definition is compared several times in succession.
@lru_cache(maxsize=64)
def split_words(prose: Prose) -> SplitWords:
    """Returns the words of a definition, and its plain text split at their starts and ends."""
    words = words_of(prose)
    return SplitWords(words.keys, words.code, _pieces(prose.text))


def _keys(text: str, spans: tuple[Span, ...] | None = None) -> list[str]:
    if (plain := _plain(text)) is not None:
        return plain.split()
    if text.isascii():
        return _ASCII.findall(text.lower())
    return [_key(text[start:end]) for start, end in spans or _spans(text)]


def _plain(text: str) -> str | None:
    """Returns ASCII text in lower case, with spaces for punctuation; None if it is not ASCII or may have symbols."""
    return text.translate(_PLAIN) if text.isascii() and not _SYMBOL.search(text) else None


def _spans(text: str) -> tuple[Span, ...]:
    if text.isascii():
        return tuple([match.span() for match in _ASCII.finditer(text)])
    classes = _WRAP.sub("w", text).translate(_CLASSES)
    if "-" in text or "−" in text:
        for match in _MINUS.finditer(text):
            classes = f"{classes[: match.start()]}s{classes[match.end() :]}"
    return tuple(match.span() for match in _RUN.finditer(classes))


def _pieces(text: str) -> Sequence[str]:
    if text.isascii():
        return _ASCII_CUT.split(text)
    edges = [0, *chain.from_iterable(_spans(text)), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


def _key(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = text.replace(" ", "")
    # Case folding can undo the normal form, so it is restored.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).replace("−", "-")


def _code_runs(text: str, spans: tuple[Span, ...], code: tuple[Span, ...]) -> Iterator[CodeRun]:
    first = 0
    for start, end in code:
        while first < len(spans) and spans[first][1] <= start:
            first += 1
        past = first
        while past < len(spans) and spans[past][0] < end:
            past += 1
        yield first, past, text[start:end]


def _plain_code_runs(text: str, plain: str, code: tuple[Span, ...]) -> Iterator[CodeRun]:
    """Yields the same as `_code_runs`, for a text in which `_plain` has separated words by spaces."""
    for start, end in code:
        is_inside_word = " " not in plain[max(0, start - 1) : start + 1] and start > 0
        first = len(plain[:start].split()) - is_inside_word
        yield first, first + len(plain[start:end].split()), text[start:end]


def _code_changes(one: Words, two: Words) -> list[int]:
    """Returns the word numbers of `two` at which both sides have different code over the same words."""
    exact = _by_range(one.code)
    return [first for (first, past), texts in _by_range(two.code).items() if exact.get((first, past), texts) != texts]


def _by_range(code: Iterable[CodeRun]) -> dict[Span, list[str]]:
    """Returns code without indentation, by the range of words that it covers; a range can have several texts."""
    texts: dict[Span, list[str]] = {}
    for first, past, text in code:
        texts.setdefault((first, past), []).append(_INDENTATION.sub("\n", text) if "\n" in text else text)
    return texts


def difference(before: Prose, after: Prose) -> Difference:
    """Returns the difference by words: deleted ones before inserted ones. Short equal runs in between are changes."""
    one, two = split_words(before), split_words(after)
    if not _comparable(one, two):
        return _before_and_after(before, after)
    blocks = _extended(_without_islands(matching(before, after)), one, two)
    kept = sum(size for _, _, size in blocks)
    changed, total = len(one.keys) + len(two.keys) - 2 * kept, len(one.keys) + len(two.keys)
    segments = _segments(_Side(one, before.code), _Side(two, after.code), blocks)
    return _difference(segments, rewritten=total > 0 and changed / total > 0.6)


@lru_cache(maxsize=50_000)
def matching(before: Prose, after: Prose) -> tuple[EqualRun, ...]:
    """Returns the runs of unchanged words in order; empty if the wordings are too long to compare."""
    one, two = split_words(before), split_words(after)
    return tuple(_whole_words(_matching(one, two), one, two)) if _comparable(one, two) else ()


def _comparable(one: Words, two: Words) -> bool:
    return 0 < min(len(one.keys), len(two.keys)) <= max(len(one.keys), len(two.keys)) <= MAX_WORDS


def _count(segments: tuple[Segment, ...], kind: str) -> int:
    """Returns the number of words as a reader counts them: runs without white space that have a letter or symbol."""
    words = (word for segment in segments if segment.kind == kind for word in segment.text.split())
    return sum(1 for word in words if word[0].isalpha() or fold(word))


def _before_and_after(before: Prose, after: Prose) -> Difference:
    both = (Segment(kind="deleted", text=before.text), Segment(kind="inserted", text=after.text))
    return _difference(tuple(segment for segment in both if segment.text), rewritten=True)


def _difference(segments: tuple[Segment, ...], *, rewritten: bool) -> Difference:
    added, removed = _count(segments, "inserted"), _count(segments, "deleted")
    return Difference(segments=segments, added=added, removed=removed, rewritten=rewritten)


def _matching(one: SplitWords, two: SplitWords) -> list[EqualRun]:
    from rapidfuzz.distance import LCSseq  # a build without changes compares nothing

    blocks = LCSseq.opcodes(one.keys, two.keys).as_matching_blocks()
    return _without_changed_code([(block.a, block.b, block.size) for block in blocks], one, two)


def _without_changed_code(blocks: list[EqualRun], one: SplitWords, two: SplitWords) -> list[EqualRun]:
    """Removes from runs the words that are code on both sides, but with different characters."""
    exact, code = _by_range(one.code), _by_range(two.code)
    result = []
    for a, b, size in blocks:
        start = 0
        for (first, past), texts in code.items():
            if first < b + start or past > b + size or first == past:
                continue
            if exact.get((first - b + a, past - b + a), texts) != texts:
                result.append((a + start, b + start, first - b - start))
                start = past - b
        result.append((a + start, b + start, size - start))
    return [block for block in result if block[2] > 0]


def _whole_words(blocks: list[EqualRun], one: SplitWords, two: SplitWords) -> list[EqualRun]:
    """Shrinks runs so that no difference starts or ends inside a sequence of words without white space."""
    kept = []
    for a, b, size in blocks:
        end_a, end_b = a + size, b + size
        if (a, b) != (0, 0):
            while a < end_a and (_is_glued(one, a) or _is_glued(two, b)):
                a, b = a + 1, b + 1
        if (end_a, end_b) != (len(one.keys), len(two.keys)):
            while end_a > a and (_is_glued(one, end_a) or _is_glued(two, end_b)):
                end_a, end_b = end_a - 1, end_b - 1
        if end_a > a:
            kept.append((a, b, end_a - a))
    return kept


def _is_glued(words: SplitWords, number: int) -> bool:
    """True if there is no white space between a word and the previous one."""
    return 0 < number < len(words.keys) and not _SPACE.search(words.pieces[2 * number])


def _without_islands(blocks: Sequence[EqualRun]) -> Sequence[EqualRun]:
    """Drops runs of at most two words between changes, which make a difference hard to read."""
    return [block for number, block in enumerate(blocks) if block[2] > 2 or number in (0, len(blocks) - 1)]


def _extended(blocks: Sequence[EqualRun], one: SplitWords, two: SplitWords) -> list[EqualRun]:
    """Extends runs over equal words at the ends of a change, so that these are not shown as deleted and inserted.

    These words were first matched elsewhere, in a run that was too short to keep.
    """
    extended: list[EqualRun] = []
    ends = [*blocks[1:], (len(one.keys), len(two.keys), 0)][: len(blocks)]
    past_a = past_b = 0
    for (a, b, size), (next_a, next_b, _) in zip(blocks, ends, strict=True):
        while a > past_a and b > past_b and _is_alike(one, a - 1, two, b - 1) and _may_begin(one, a - 1, two, b - 1):
            a, b, size = a - 1, b - 1, size + 1
        end_a, end_b = a + size, b + size
        while end_a < next_a and end_b < next_b and _is_alike(one, end_a, two, end_b):
            if not _may_begin(one, end_a + 1, two, end_b + 1):
                break
            end_a, end_b = end_a + 1, end_b + 1
        extended.append((a, b, end_a - a))
        past_a, past_b = end_a, end_b
    return extended


def _is_alike(one: SplitWords, a: int, two: SplitWords, b: int) -> bool:
    """True if two words are equal, and neither is code."""
    return one.keys[a] == two.keys[b] and not _is_code(one, a) and not _is_code(two, b)


def _is_code(words: Words, number: int) -> bool:
    return any(first <= number < past for first, past, _ in words.code)


def _may_begin(one: SplitWords, a: int, two: SplitWords, b: int) -> bool:
    return not _is_glued(one, a) and not _is_glued(two, b)


class _Side:
    """One side of a difference: the words of a wording, and their positions in its text."""

    def __init__(self, words: SplitWords, code: Sequence[Span]) -> None:
        self._words = words
        self._code = code
        self.length = len(words.keys)
        self._starts = [0, *accumulate(map(len, words.pieces))]

    def segment(self, kind: Literal["same", "deleted", "inserted"], first: int, past: int) -> Segment:
        text = text_between(self._words, first, past)
        start = self._starts[2 * first + 1] - len(_opening(self._words.pieces[2 * first])) if first else 0
        ranges = ((max(begin - start, 0), min(end - start, len(text))) for begin, end in self._code)
        return Segment(kind=kind, text=text, code=tuple([one for one in ranges if one[0] < one[1]]))


def _segments(one: _Side, two: _Side, blocks: Sequence[EqualRun]) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    a = b = 0
    for next_a, next_b, size in [*blocks, (one.length, two.length, 0)]:
        if next_a > a:
            segments.append(one.segment("deleted", a, next_a))
        if next_b > b:
            segments.append(two.segment("inserted", b, next_b))
        if size:
            segments.append(two.segment("same", next_b, next_b + size))
        a, b = next_a + size, next_b + size
    return tuple(segments)


def text_between(words: SplitWords, first: int, past: int) -> str:
    """Returns the text of the words from `first` up to `past` (exclusive), with punctuation and space after them."""
    opening = _opening(words.pieces[2 * first]) if first else words.pieces[0]
    if past >= len(words.keys):
        return "".join((opening, *words.pieces[2 * first + 1 :]))
    between, last = words.pieces[2 * first + 1 : 2 * past], words.pieces[2 * past]
    return "".join((opening, *between, last.removesuffix(_opening(last))))


def _opening(gap: str) -> str:
    """Returns the part of a gap that belongs to the word after it, such as an opening quote after a space."""
    *spaced, opening = _SPACE.split(gap)
    return opening if spaced else ""
