"""Computes the difference of two wordings as HTML.

The page of a term, the page of a release and comparisons of releases show the same differences, so they are cached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.model import Entry, Prose
from sitegen.site.messages import Catalogue, catalogue
from sitegen.site.pages.page import Writer
from sitegen.text import words

MAX_PAIRS = 20_000
"""Number of compared pairs that are cached."""

_SIGN = Markup('<span class="visually-hidden">{}</span>')


class WordingComparison(NamedTuple):
    """The words with marks, or both whole wordings if they have too few words in common."""

    summary: Markup
    """The number of added and removed words; empty if no words were."""
    marked: Markup
    """The newer and the removed words with marks; white space between words is never marked."""
    attributes: Markup
    """The HTML attributes `lang` and `dir`, if they differ from the page's."""
    before: Markup | None = None
    after: Markup | None = None
    labels: tuple[str, str] = ("", "")
    """The headings of the two wordings."""


def comparison(
    before: Entry, after: Entry, *, of: str, writer: Writer, labels: tuple[str, str] | None = None
) -> WordingComparison | None:
    """Returns the difference of two entries for the page of the term `of`, or None if no words changed.

    `labels` are the headings of the two wordings, if not "before" and "after".
    """
    if words.same_words(before.definition, after.definition):
        return None
    found = _compared(before.definition, after.definition, writer.data.site.language)
    if found.marked:
        return found
    return found._replace(
        before=writer.definition(before, of=of),
        after=writer.definition(after, of=of),
        labels=labels or (writer.say("before"), writer.say("after")),
    )


@lru_cache(maxsize=MAX_PAIRS)
def _compared(before: Prose, after: Prose, language: str) -> WordingComparison:
    """Returns the part of a comparison that is equal on all pages. `marked` is empty if both are shown whole."""
    difference, interface = words.difference(before, after), catalogue(language)
    return WordingComparison(
        summary=_summary(difference.added, difference.removed, interface),
        marked=Markup() if difference.rewritten else Markup("".join(_marked(difference.segments, interface))),  # noqa: S704
        attributes=interface.attributes(after.text),
    )


def _marked(segments: Sequence[words.Segment], interface: Catalogue) -> Iterator[str]:
    """Yields the segments as HTML. A segment at the end of one of the texts gets a space before the next segment."""
    for segment, following in zip_longest(segments, segments[1:]):
        text = segment.text.rstrip()
        before, after = _marks(interface)[segment.kind]
        space = segment.text[len(text) :] or (" " if following else "")
        yield f"{before}{_with_code(text, segment.code)}{after}{escape(space)}"


def _with_code(text: str, code: Sequence[tuple[int, int]]) -> str:
    """Returns a text as HTML, with its code ranges in <code> elements."""
    parts: list[str] = []
    place = 0
    for first, past in code:
        first, past = max(first, place), min(past, len(text))
        if first < past:
            parts += [escape(text[place:first]), "<code>", escape(text[first:past]), "</code>"]
            place = past
    return "".join([*parts, escape(text[place:])])


@lru_cache(maxsize=16)
def _marks(interface: Catalogue) -> Mapping[str, tuple[str, str]]:
    """Returns the markup before and after a segment, by kind."""
    end = _SIGN.format(interface.say("marked.end"))
    return {
        "same": ("", ""),
        "deleted": (f"<del>{_SIGN.format(interface.say('marked.removed'))}", f"{end}</del>"),
        "inserted": (f"<ins>{_SIGN.format(interface.say('marked.added'))}", f"{end}</ins>"),
    }


def _summary(added: int, removed: int, interface: Catalogue) -> Markup:
    if added and removed:
        return interface.say(
            "words-both",
            added=interface.say("words-added", added),
            removed=interface.say("words-and-removed", removed),
        )
    if added or removed:
        return interface.say("words-added", added) if added else interface.say("words-removed", removed)
    return Markup()
