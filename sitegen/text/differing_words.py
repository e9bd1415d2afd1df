"""Returns which words of two wordings differ, as segments that a reader can follow.

`words` decides what a word is, and whether two wordings are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from sitegen.model import Prose
from sitegen.text.words import (
    UNSPACED,
    TextSpan,
    Words,
    code_by_range,
    code_runs,
    folded_word,
    folded_words,
    is_unspaced,
    word_spans,
    words_of,
)

SegmentKind = Literal["same", "deleted", "inserted"]
MAX_WORDS = 20_000
"""The maximum number of words per side to compare, as the memory is quadratic. Longer texts are
shown in full."""
MAX_CHANGED = 0.6
"""The maximum share of changed words in a difference that is worth showing word by word."""


@dataclass(frozen=True, slots=True)
class SplitWords(Words):
    """The words of a definition, and where each one is in its text."""

    prose: Prose
    starts: tuple[int, ...]
    """The index at which each word starts, with an opening quote after a space; the first is 0.
    Then the end."""
    ends: tuple[int, ...]
    """The index at which each word ends."""

    def signs_after(self, number: int) -> str:
        """Returns the punctuation between a word and the next one."""
        return self.prose.text[self.ends[number] : self.starts[number + 1]].strip()

    def segment(self, kind: SegmentKind, start: int, end: int) -> Segment:
        """Returns the text from `start` up to `end` (exclusive), with the code in it."""
        code = []
        for code_start, code_end in self.prose.code:
            first, past = max(code_start, start), min(code_end, end)
            if first < past:
                code.append((first - start, past - start))  # relative to the segment
        text = self.prose.text
        is_joined = start > 0 and not text[start - 1].isspace()
        return Segment(kind=kind, text=text[start:end], code=tuple(code), is_joined=is_joined)

    def is_glued(self, number: int) -> bool:
        """True if no white space is between a word and the previous one, as in `a-b`. Chinese and
        Japanese have no spaces, so their characters are never glued."""
        if not 0 < number < len(self.keys):
            return False
        character_before = self.prose.text[self.starts[number] - 1]
        first_character = self.prose.text[self.starts[number]]
        if is_unspaced(character_before) or is_unspaced(first_character):
            return False
        return not character_before.isspace()


class EqualRun(NamedTuple):
    """A run of words that two wordings have in common."""

    a: int
    """The number of its first word in the older wording."""
    b: int
    """The number of its first word in the newer wording."""
    size: int
    """The number of its words."""

    @property
    def past_a(self) -> int:
        """The number of the word after it in the older wording."""
        return self.a + self.size

    @property
    def past_b(self) -> int:
        """The number of the word after it in the newer wording."""
        return self.b + self.size

    def up_to(self, b: int) -> EqualRun:
        """Returns its words before the word with the number `b` in the newer wording."""
        return EqualRun(self.a, self.b, b - self.b)

    def since(self, b: int) -> EqualRun:
        """Returns its words from that with the number `b` in the newer wording on."""
        return EqualRun(self.a + b - self.b, b, self.past_b - b)


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """A part of a difference. The segments that are not deleted, joined in order, are the newer
    text."""

    kind: SegmentKind
    text: str
    code: tuple[TextSpan, ...] = ()
    """Ranges of `text` (start, end) that are code."""
    is_joined: bool = False
    """True if no space is before it in its wording."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """How two wordings differ."""

    segments: tuple[Segment, ...]
    added: int
    """The number of words that only the newer wording has, or of characters."""
    removed: int
    unit: Literal["words", "characters"] = "words"
    """Whether words or characters are counted: characters if a changed part is Chinese or
    Japanese."""
    rewritten: bool
    """True if more than 60% of the words changed: better shown as before and after."""


_OPENING = re.compile(r"(?<=\s)\S+$")


# Cached, as a definition is compared several times in succession.
@lru_cache(maxsize=64)
def split_words(prose: Prose) -> SplitWords:
    """Returns the words of a definition, and where each one is in its text.

    Each Chinese or Japanese character is a word of its own: these languages write no spaces, and a
    difference would else mark whole sentences.
    """
    text = prose.text
    spans = word_spans(text)
    if UNSPACED.search(text):
        # `words_of` would return whole sentences.
        spans = _split_unspaced(text, spans)
        keys = [folded_word(text[start:end]) for start, end in spans]
        words = Words(tuple(keys), tuple(code_runs(text, prose.code, spans)))
    else:
        words = words_of(prose)

    # The start of each word, with an opening quote or bracket, and the end of the text.
    starts = [0]
    for (_, end), (next_start, _) in pairwise(spans):
        opening = _OPENING.search(text, end, next_start)
        starts.append(opening.start() if opening else next_start)
    starts.append(len(text))
    ends = [end for _, end in spans]
    return SplitWords(words.keys, words.code, prose, tuple(starts), tuple(ends))


def _split_unspaced(text: str, spans: Iterable[TextSpan]) -> list[TextSpan]:
    """Returns the ranges of words, with one for each Chinese or Japanese character."""
    parts: list[TextSpan] = []
    for start, end in spans:
        for part in UNSPACED.split(text[start:end]):  # a group, so the characters are parts
            past = start + len(part)
            # A line break between two characters is no word.
            if part.strip():
                parts.append((start, past))
            start = past
    return parts


def difference(before: Prose, after: Prose) -> Difference:
    """Returns the difference between two wordings by words."""
    older, newer = split_words(before), split_words(after)
    if _is_comparable(older, newer):
        runs = _readable_runs(older, newer)
        segments = _segments(runs, older, newer)
        total = len(older.keys) + len(newer.keys)
        equal_words = 2 * sum(run.size for run in runs)  # a run is in both wordings
        is_rewritten = (total - equal_words) / total > MAX_CHANGED
    else:
        # One wording is empty, or too long.
        deleted = Segment(kind="deleted", text=before.text)
        inserted = Segment(kind="inserted", text=after.text)
        segments = [segment for segment in (deleted, inserted) if segment.text]
        is_rewritten = True

    changed = "".join([segment.text for segment in segments if segment.kind != "same"])
    return Difference(
        segments=tuple(segments),
        added=_count(segments, "inserted"),
        removed=_count(segments, "deleted"),
        unit="characters" if UNSPACED.search(changed) else "words",
        rewritten=is_rewritten,
    )


def _readable_runs(older: SplitWords, newer: SplitWords) -> list[EqualRun]:
    """Returns the runs of words that are shown as unchanged.

    One or two equal words between two changes are shown as changed: single words in between make a
    difference hard to read.
    """
    runs = []
    for run in _equal_runs(older, newer):
        is_at_start = run.a == run.b == 0
        is_at_end = run.past_a == len(older.keys) and run.past_b == len(newer.keys)
        if run.size > 2 or is_at_start or is_at_end:
            runs.append(run)
    return _extended(runs, older, newer)


def _is_comparable(older: Words, newer: Words) -> bool:
    """True if both wordings have words, and none has too many."""
    lengths = (len(older.keys), len(newer.keys))
    return min(lengths) > 0 and max(lengths) <= MAX_WORDS


def _equal_runs(older: SplitWords, newer: SplitWords) -> list[EqualRun]:
    """Returns the runs of unchanged words in order."""
    from rapidfuzz.distance import LCSseq  # a build without changes compares nothing

    blocks = LCSseq.opcodes(older.keys, newer.keys).as_matching_blocks()
    runs = [EqualRun(block.a, block.b, block.size) for block in blocks]
    unchanged = _without_changed_code(runs, older, newer)
    return list(_whole_words(unchanged, older, newer))


def _without_changed_code(
    runs: Iterable[EqualRun], older: Words, newer: Words
) -> Iterator[EqualRun]:
    """Yields the runs, split at code that has equal words but other signs: of "call `a[1]` now" and
    "call `a(1)` now", "call" and "now". A run may be empty."""
    older_code, newer_code = code_by_range(older.code), code_by_range(newer.code)
    for run in runs:
        shift = run.a - run.b  # from a word of the newer wording to the same one of the older
        remaining = run
        for (first, past), texts in newer_code.items():  # in the order of the words
            older_texts = older_code.get((first + shift, past + shift))
            is_changed_code = older_texts is not None and older_texts != texts
            is_in_run = remaining.b <= first < past <= remaining.past_b
            if is_changed_code and is_in_run:
                yield remaining.up_to(first)
                remaining = remaining.since(past)
        yield remaining


def _whole_words(
    runs: Iterable[EqualRun], older: SplitWords, newer: SplitWords
) -> Iterator[EqualRun]:
    """Yields the runs without the words that are glued to a changed one: if `a-b` becomes `a-c`,
    all of it is shown as changed."""
    for a, b, size in runs:
        while size and (older.is_glued(a) or newer.is_glued(b)):
            a += 1
            b += 1
            size -= 1
        while size and (older.is_glued(a + size) or newer.is_glued(b + size)):
            size -= 1
        if size:
            yield EqualRun(a, b, size)


def _extended(runs: Sequence[EqualRun], older: SplitWords, newer: SplitWords) -> list[EqualRun]:
    """Extends each run over equal words beside it, which were in a run too short to keep."""
    extended: list[EqualRun] = []
    last_run = EqualRun(0, 0, 0)
    end = EqualRun(len(older.keys), len(newer.keys), 0)
    for run, next_run in pairwise([*runs, end]):
        # At most the words up to the runs beside it.
        words_before = min(run.a - last_run.past_a, run.b - last_run.past_b)
        words_after = min(next_run.a - run.past_a, next_run.b - run.past_b)
        before = _equal_before(run, older, newer, most=words_before)
        after = _equal_after(run, older, newer, most=words_after)
        last_run = EqualRun(run.a - before, run.b - before, before + run.size + after)
        extended.append(last_run)
    return extended


def _equal_before(run: EqualRun, older: SplitWords, newer: SplitWords, *, most: int) -> int:
    """Returns how many words right before a run are equal, up to a part of a glued word."""
    for number in range(most):
        a, b = run.a - number - 1, run.b - number - 1
        begins_inside = older.is_glued(a) or newer.is_glued(b)
        if begins_inside or not _are_alike(older, a, newer, b):
            return number
    return most


def _equal_after(run: EqualRun, older: SplitWords, newer: SplitWords, *, most: int) -> int:
    """Returns how many words right after a run are equal, up to a part of a glued word."""
    for number in range(most):
        a, b = run.past_a + number, run.past_b + number
        ends_inside = older.is_glued(a + 1) or newer.is_glued(b + 1)
        if ends_inside or not _are_alike(older, a, newer, b):
            return number
    return most


def _are_alike(older: Words, a: int, newer: Words, b: int) -> bool:
    """True if two words are equal, and neither is code."""
    if older.keys[a] != newer.keys[b]:
        return False
    return not _is_code(older, a) and not _is_code(newer, b)


def _is_code(words: Words, number: int) -> bool:
    """True if a word is in code."""
    return any(first <= number < past for first, past, _ in words.code)


def _segments(runs: Sequence[EqualRun], older: SplitWords, newer: SplitWords) -> list[Segment]:
    """Returns the segments of a difference: equal words, and the changes between them."""
    segments: list[Segment] = []
    last_run = EqualRun(0, 0, 0)
    shown_up_to = 0  # the index in the newer text up to which the segments show it
    for run in [*runs, EqualRun(len(older.keys), len(newer.keys), 0)]:
        change = _change_between(last_run, run, older, newer)
        if shown_up_to < change.place:
            segments.append(newer.segment("same", shown_up_to, change.place))
            shown_up_to = change.place
        if last_run.past_a < run.a:
            segments.append(older.segment("deleted", change.start, change.end))
        if last_run.past_b < run.b:
            shown_up_to = newer.starts[run.b]
            segments.append(newer.segment("inserted", change.place, shown_up_to))
        last_run = run
    length = len(newer.prose.text)
    if shown_up_to < length:
        segments.append(newer.segment("same", shown_up_to, length))
    return segments


class TextChange(NamedTuple):
    """What differs between two runs of equal words."""

    start: int
    """The index in the older text at which the removed text starts."""
    end: int
    """The index in the older text at which the removed text ends."""
    place: int
    """The index in the newer text at which the removed text is shown, before the inserted one."""


def _change_between(
    before: EqualRun, after: EqualRun, older: SplitWords, newer: SplitWords
) -> TextChange:
    """Returns what differs between two runs, with the signs before it if these differ too."""
    start, end = older.starts[before.past_a], older.starts[after.a]
    place = newer.starts[before.past_b]
    without_signs = TextChange(start, end, place)
    is_removed, is_inserted = before.past_a < after.a, before.past_b < after.b
    if not is_removed or before.size == 0:
        return without_signs
    last_a, last_b = before.past_a - 1, before.past_b - 1
    older_signs, newer_signs = older.signs_after(last_a), newer.signs_after(last_b)
    if older_signs == newer_signs:
        return without_signs

    # "a set, of all things" became "a set. It has all things": ", of" and ". It" are shown.
    if newer_signs:
        place = newer.ends[last_b]
    if is_inserted:
        return TextChange(older.ends[last_a], end, place)

    # "a set, of all things" became "a set": only the words are shown.
    if not newer_signs:
        return without_signs

    # "a set, of all things." became "a set.": ", of all things" is shown before the period.
    if older_signs:
        start = older.prose.text.index(older_signs, older.ends[last_a])
    if older.signs_after(after.a - 1) == newer_signs:
        end = older.ends[after.a - 1]
    return TextChange(start, end, place)


def _count(segments: Sequence[Segment], kind: SegmentKind) -> int:
    """Returns the number of words in the segments of a kind, as a reader counts them: `a-b` is one
    word. Each Chinese or Japanese character is one too."""
    number = 0
    for segment in segments:
        if segment.kind == kind:
            for word in segment.text.split():
                parts = UNSPACED.split(word)
                number += sum(1 for part in parts if folded_words(part))  # signs are no words
    return number
