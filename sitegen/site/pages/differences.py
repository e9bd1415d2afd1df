"""What changed between two wordings, ready to be placed.

The same two wordings are compared on a term's page, on a release's, and on every page that compares two releases
between which they changed. What differs is the same wherever it stands, so it is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

from markupsafe import Markup, escape

from sitegen.model import Entry, Prose
from sitegen.site.messages import Catalogue, catalogue
from sitegen.site.pages.page import Writer
from sitegen.text import words

REMEMBERED = 20_000
"""Number of compared pairs that are cached."""

_SIGN = Markup('<span class="visually-hidden">{}</span>')


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Either the words, marked, or where too little stayed for those to be read, both wordings whole."""

    summary: Markup
    """How many words came and went; empty where nothing countable did."""
    marked: Markup
    """The newer words with the older ones among them; white space between words is never marked."""
    attributes: Markup
    """The language and direction of these words, where the page's are others."""
    before: Markup | None = None
    after: Markup | None = None
    labels: tuple[str, str] = ("", "")
    """The headings of the two wordings."""


def comparison(
    before: Entry, after: Entry, *, of: str, writer: Writer, labels: tuple[str, str] | None = None
) -> Comparison | None:
    """Returns what a reader of the page of the term `of` is shown of a change, or None where no words changed.

    `labels` name the two wordings where they are not simply before and after.
    """
    if words.same_words(before.definition, after.definition):
        return None
    found = _compared(before.definition, after.definition, writer.data.site.language)
    if found.marked:
        return found
    return replace(
        found,
        before=writer.definition(before, of=of),
        after=writer.definition(after, of=of),
        labels=labels or (writer.say("before"), writer.say("after")),
    )


@lru_cache(maxsize=REMEMBERED)
def _compared(before: Prose, after: Prose, language: str) -> Comparison:
    """A comparison as any page has it; nothing is marked in wordings that are to be shown whole."""
    difference, said = words.difference(before, after), catalogue(language)
    return Comparison(
        summary=_summary(difference.added, difference.removed, said),
        marked=Markup() if difference.rewritten else Markup("".join(_marked(difference.segments, said))),  # noqa: S704
        attributes=said.attributes(after.text),
    )


def _marked(segments: Sequence[words.Segment], said: Catalogue) -> Iterator[str]:
    """A segment that ends where one of the texts ends has no space of its own to part it from the next."""
    for segment, following in zip_longest(segments, segments[1:]):
        text = segment.text.rstrip()
        before, after = _marks(said)[segment.kind]
        space = segment.text[len(text) :] or (" " if following else "")
        yield f"{before}{_with_code(text, segment.code)}{after}{escape(space)}"


def _with_code(text: str, code: Sequence[tuple[int, int]]) -> str:
    """A text as HTML, with its ranges of code marked as such."""
    parts: list[str] = []
    place = 0
    for first, past in code:
        first, past = max(first, place), min(past, len(text))
        if first < past:
            parts += [escape(text[place:first]), "<code>", escape(text[first:past]), "</code>"]
            place = past
    return "".join([*parts, escape(text[place:])])


@lru_cache(maxsize=16)
def _marks(said: Catalogue) -> Mapping[str, tuple[str, str]]:
    """Markup before and after a segment, by its kind."""
    end = _SIGN.format(said.say("marked.end"))
    return {
        "same": ("", ""),
        "deleted": (f"<del>{_SIGN.format(said.say('marked.removed'))}", f"{end}</del>"),
        "inserted": (f"<ins>{_SIGN.format(said.say('marked.added'))}", f"{end}</ins>"),
    }


def _summary(added: int, removed: int, said: Catalogue) -> Markup:
    if added and removed:
        return said.say(
            "words-both", added=said.say("words-added", added), removed=said.say("words-and-removed", removed)
        )
    if added or removed:
        return said.say("words-added", added) if added else said.say("words-removed", removed)
    return Markup()
