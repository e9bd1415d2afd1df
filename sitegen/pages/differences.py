"""What changed between two wordings, ready to be placed."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup

from sitegen import words
from sitegen.model import Entry
from sitegen.pages.page import Pen


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of words that stayed, went or came, and the white space after it, which is never marked."""

    kind: str
    text: str
    space: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Either pieces, or where too little stayed for those to be read, both wordings whole."""

    summary: Markup
    """How many words came and went; empty where nothing countable did."""
    pieces: tuple[Piece, ...] = ()
    attributes: Markup = field(default_factory=Markup)
    """The language and direction of the pieces, where the page's are others."""
    before: Markup | None = None
    after: Markup | None = None
    labels: tuple[str, str] = ("", "")
    """What stands above the two wordings."""


def comparison(
    before: Entry, after: Entry, *, of: str, pen: Pen, labels: tuple[str, str] | None = None
) -> Comparison | None:
    """Returns what a reader of the page of the term `of` is shown of a change, or None where no words changed.

    `labels` name the two wordings where they are not simply before and after.
    """
    if words.same_words(before.definition, after.definition):
        return None
    difference = words.difference(before.definition, after.definition)
    summary = _summary(difference.added, difference.removed, pen)
    if difference.rewritten:
        return Comparison(
            summary=summary,
            before=pen.definition(before, of=of),
            after=pen.definition(after, of=of),
            labels=labels or (pen.say("before"), pen.say("after")),
        )
    following = (*difference.segments[1:], None)
    pieces = (_piece(segment, after) for segment, after in zip(difference.segments, following, strict=True))
    attributes = pen.desk.words.attributes(after.definition.text)
    return Comparison(summary=summary, pieces=tuple(pieces), attributes=attributes)


def _piece(segment: words.Segment, following: words.Segment | None) -> Piece:
    """A segment that ends where one of the texts ends has no space of its own to part it from the next."""
    text = segment.text.rstrip()
    return Piece(kind=segment.kind, text=text, space=segment.text[len(text) :] or (" " if following else ""))


def _summary(added: int, removed: int, pen: Pen) -> Markup:
    if added and removed:
        return pen.say(
            "words-both", added=pen.say("words-added", added), removed=pen.say("words-and-removed", removed)
        )
    if added or removed:
        return pen.say("words-added", added) if added else pen.say("words-removed", removed)
    return Markup()
