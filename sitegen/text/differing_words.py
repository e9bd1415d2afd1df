"""Returns which words of two wordings differ, as segments that a reader can follow.

A word is here what a reader sees as one: it ends at white space or after a long dash, and has the
signs around it. So `a-b` is changed as a whole. Each Chinese or Japanese character is a word of its
own, as these languages write no spaces. Words are equal by the rules of `words`, which decides
whether two wordings are the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from sitegen.model import Prose
from sitegen.text.words import UNSPACED, TextSpan, folded_word, word_spans

SegmentKind = Literal["same", "deleted", "inserted"]
MAX_WORDS = 20_000
"""The maximum number of words per side to compare, as the memory is quadratic. Longer texts are
shown in full."""
MAX_CHANGED = 0.6
"""The maximum share of changed words in a difference that is worth showing word by word."""
MAX_ISLAND = 2
"""At most so many equal words between two changes are shown as changed: single words in between
make a difference hard to read."""

_WORD = rf"{UNSPACED.pattern}|(?:(?!{UNSPACED.pattern})[^\s—])+—*|—+"


class SeenWord(NamedTuple):
    """A word of a definition, as a reader sees it."""

    key: str
    """Its folded words; equal for words that count as the same."""
    code: str
    """Its characters that are code, then those of signs that stand alone after it: `a)` for the
    code `a )`."""
    start: int
    """Where it starts in the text, with the signs before it."""
    end: int
    """Where it ends in the text, without the signs after it."""

    def is_like(self, other: SeenWord) -> bool:
        """True if two words are equal. Of words that are code in both, every character counts."""
        is_code_in_both = self.code != "" and other.code != ""
        if is_code_in_both and self.code != other.code:
            return False
        return self.key == other.key


@dataclass(frozen=True)
class Wording:
    """A definition with its words."""

    prose: Prose
    words: Sequence[SeenWord]

    def start(self, number: int) -> int:
        """Returns where the word with this number starts in the text. The first word starts at 0,
        with the text before it. The number after the last word gives the end of the text."""
        if number == 0:
            return 0
        if number == len(self.words):
            return len(self.prose.text)
        return self.words[number].start

    def gap_after(self, number: int) -> str:
        """Returns the signs and the white space between a word and the next one."""
        return self.prose.text[self.words[number].end : self.start(number + 1)]

    def end_of_signs_after(self, number: int) -> int:
        """Returns where the signs end that follow a word, without the white space after them."""
        return len(self.prose.text[: self.start(number + 1)].rstrip())

    def has_line_end_after(self, number: int) -> bool:
        """True if the next word is on another line, or if there is none."""
        return "\n" in self.gap_after(number) or number + 1 == len(self.words)

    def segment(self, kind: SegmentKind, start: int, end: int) -> Segment:
        """Returns the text from `start` up to `end` (exclusive), with the code in it."""
        code = []
        for code_start, code_end in self.prose.code:
            first, past = max(code_start, start), min(code_end, end)
            if first < past:
                code.append((first - start, past - start))  # relative to the segment
        text = self.prose.text
        is_joined = start > 0 and not any(map(str.isspace, text[start - 1 : start + 1]))
        return Segment(kind=kind, text=text[start:end], code=tuple(code), is_joined=is_joined)


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


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A part of a difference. The segments that are not deleted, joined in order, are the newer
    text."""

    kind: SegmentKind
    text: str
    code: tuple[TextSpan, ...] = ()
    """Ranges of `text` (start, end) that are code."""
    is_joined: bool = False
    """True if no space is between it and the text before it in its wording."""


@dataclass(frozen=True, kw_only=True)
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


def difference(before: Prose, after: Prose) -> Difference:
    """Returns the difference between two wordings by words."""
    older, newer = Wording(before, seen_words(before)), Wording(after, seen_words(after))
    runs = _readable_runs(older.words, newer.words)
    segments = _segments(runs, older, newer)

    equal_words = sum(run.size for run in runs)
    added, removed = len(newer.words) - equal_words, len(older.words) - equal_words
    total = len(older.words) + len(newer.words)
    is_rewritten = equal_words == 0 or (added + removed) / total > MAX_CHANGED
    changed = "".join([segment.text for segment in segments if segment.kind != "same"])
    return Difference(
        segments=tuple(segments),
        added=added,
        removed=removed,
        unit="characters" if UNSPACED.search(changed) else "words",
        rewritten=is_rewritten,
    )


# Cached, as a definition is compared several times in succession.
@lru_cache(maxsize=64)
def seen_words(prose: Prose) -> Sequence[SeenWord]:
    """Returns the words of a definition. Signs that stand alone belong to the word before them."""
    # The text with spaces in place of what is not code.
    signs = [" "] * len(prose.text)
    for start, end in prose.code:
        signs[start:end] = prose.text[start:end]
    only_code = "".join(signs)

    words: list[SeenWord] = []
    for match in re.finditer(_WORD, prose.text):
        code = only_code[match.start() : match.end()].replace(" ", "")
        spans = word_spans(match[0])
        if spans:
            key = " ".join([folded_word(match[0][start:end]) for start, end in spans])
            _, end_of_last = spans[-1]
            words.append(SeenWord(key, code, match.start(), match.start() + end_of_last))
        elif words:  # signs alone
            words[-1] = words[-1]._replace(code=words[-1].code + code)
    return words


def _readable_runs(older: Sequence[SeenWord], newer: Sequence[SeenWord]) -> list[EqualRun]:
    """Returns the runs of words that are shown as unchanged: none if a wording has too many words,
    and none of one or two words between two changes."""
    if max(len(older), len(newer)) > MAX_WORDS:
        return []
    runs = []
    for run in _equal_runs(older, newer):
        is_at_start = run.a == run.b == 0
        is_at_end = run.past_a == len(older) and run.past_b == len(newer)
        if run.size > MAX_ISLAND or is_at_start or is_at_end:
            runs.append(run)
    return runs


def _equal_runs(older: Sequence[SeenWord], newer: Sequence[SeenWord]) -> list[EqualRun]:
    """Returns the runs of equal words in order."""
    from rapidfuzz.distance import LCSseq  # the first difference imports it

    opcodes = LCSseq.opcodes([word.key for word in older], [word.key for word in newer])
    runs: list[EqualRun] = []
    for block in opcodes.as_matching_blocks():
        for number in range(block.size):
            a, b = block.a + number, block.b + number
            if not older[a].is_like(newer[b]):
                continue  # code with other signs
            if not runs or (a, b) != (runs[-1].past_a, runs[-1].past_b):
                runs.append(EqualRun(a, b, 0))
            runs[-1] = runs[-1]._replace(size=runs[-1].size + 1)
    return runs


def _segments(runs: Sequence[EqualRun], older: Wording, newer: Wording) -> list[Segment]:
    """Returns the segments of a difference: equal words, and the changes between them."""
    segments: list[Segment] = []
    last_run = EqualRun(0, 0, 0)
    shown_up_to = 0  # the index in the newer text up to which the segments show it
    # The last run is empty, at the end of both texts.
    for run in [*runs, EqualRun(len(older.words), len(newer.words), 0)]:
        change = _change_between(last_run, run, older, newer)
        segments.append(newer.segment("same", shown_up_to, change.place))
        segments.append(older.segment("deleted", change.start, change.end))
        shown_up_to = change.place
        has_new_words = last_run.past_b < run.b
        if has_new_words:
            shown_up_to = newer.start(run.b)
            segments.append(newer.segment("inserted", change.place, shown_up_to))
        last_run = run
    segments.append(newer.segment("same", shown_up_to, len(newer.prose.text)))
    return [segment for segment in segments if segment.text]


class TextChange(NamedTuple):
    """The difference between two runs of equal words: the removed text, and where it is shown."""

    start: int
    """The index in the older text at which the removed text starts."""
    end: int
    """The index in the older text at which the removed text ends."""
    place: int
    """The index in the newer text at which the removed text is shown, before the inserted one."""


def _change_between(
    before: EqualRun, after: EqualRun, older: Wording, newer: Wording
) -> TextChange:
    """Returns what differs between two runs of equal words. The signs before removed words belong
    to the change if they differ too. Words that are removed at the end of a paragraph are shown
    there, not at the start of the next one."""
    start, end = older.start(before.past_a), older.start(after.a)
    place = newer.start(before.past_b)
    is_removed, is_inserted = before.past_a < after.a, before.past_b < after.b
    if not is_removed or before.size == 0:  # new words alone, or a change at the start
        return TextChange(start, end, place)

    # The last equal word in both wordings, and the last removed word, each with its signs.
    equal_a, equal_b, removed = before.past_a - 1, before.past_b - 1, after.a - 1
    signs_before = older.gap_after(equal_a).strip()
    signs_now = newer.gap_after(equal_b).strip()
    if signs_before != signs_now:
        # "a set, of all things" became "a set. It has all things": ", of" and ". It" are shown.
        start, place = older.words[equal_a].end, newer.words[equal_b].end
        # "a set, of all things." became "a set.": ", of all things" is shown before the period.
        if not is_inserted and older.gap_after(removed).strip() == signs_now:
            end = older.words[removed].end
        return TextChange(start, end, place)

    was_in_line = not older.has_line_end_after(equal_a) or older.has_line_end_after(removed)
    is_at_line_end = was_in_line and newer.has_line_end_after(equal_b)
    if is_at_line_end and not is_inserted:
        place = newer.end_of_signs_after(equal_b)
        end = older.end_of_signs_after(removed)
    return TextChange(start, end, place)
