"""The difference of two wordings: the newer one, with marks where words were added and removed.

The page of a term, the page of a release and comparisons of releases show the same differences, so
they are cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.model import Entry, Prose
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.messages import Catalog
from sitegen.site.pages.marked_words import MarkedRun, marked
from sitegen.site.pages.page import Writer
from sitegen.text import differing_words
from sitegen.text.differing_words import Difference, Segment
from sitegen.text.words import same_words

MAX_PAIRS = 20_000
"""Number of compared pairs that are cached."""

_SIGN = Markup('<span class="visually-hidden">{}</span>')


class CountMessages(NamedTuple):
    """The keys of the messages that count what changed."""

    added: str
    removed: str
    also_removed: str
    """Follows what was added."""


_COUNTS = {
    "words": CountMessages("words-added", "words-removed", "words-and-removed"),
    "characters": CountMessages("characters-added", "characters-removed", "characters-and-removed"),
}


class WordingComparison(NamedTuple):
    """The words with marks, or both whole wordings if they have too few words in common."""

    summary: Markup
    """The number of added and removed words; empty if no words were."""
    marked: Markup
    """The newer definition, with marks around added words and with the removed words."""
    attributes: Markup
    """The HTML attributes `lang` and `dir`, if they differ from the page's."""
    before: Markup | None = None
    after: Markup | None = None
    labels: tuple[str, str] = ("", "")
    """The headings of the two wordings."""


def comparison(
    before: Entry, after: Entry, *, of: str, writer: Writer, labels: tuple[str, str] | None = None
) -> WordingComparison | None:
    """Returns the difference of two entries for the page of the term `of`, or None if no words
    changed.

    `labels` are the headings of the two wordings, if not "before" and "after".
    """
    if same_words(before.definition, after.definition):
        return None
    found = _compared(before.definition, after.definition, writer.words)
    if found.marked:
        return found
    return found._replace(
        before=writer.definition(before, of=of),
        after=writer.definition(after, of=of),
        labels=labels or (writer.say("before"), writer.say("after")),
    )


# The pages of a term, of releases and of comparisons show the same pairs. With 500 terms and 60
# releases, a build without this cache takes a sixth longer.
@lru_cache(maxsize=MAX_PAIRS)
def _compared(before: Prose, after: Prose, interface: Catalog) -> WordingComparison:
    """Returns the part of a comparison that is equal on all pages. `marked` is empty if both are
    shown whole."""
    difference, text = differing_words.difference(before, after), Markup()
    if not difference.rewritten:
        html = definition_html(after, LinkAddresses())
        text = marked(html, _runs(difference.segments, interface))
    return WordingComparison(
        summary=_summary(difference, interface),
        marked=text,
        attributes=interface.attributes(after.text),
    )


def _summary(difference: Difference, interface: Catalog) -> Markup:
    """Returns the number of added and removed words, or characters; empty if there are none."""
    added, removed = difference.added, difference.removed
    if not added and not removed:
        return Markup()
    messages = _COUNTS[difference.unit]
    if not removed:
        return interface.say(messages.added, added)
    if not added:
        return interface.say(messages.removed, removed)
    return interface.say(
        "words-both",
        added=interface.say(messages.added, added),
        removed=interface.say(messages.also_removed, removed),
    )


def _runs(segments: Sequence[Segment], interface: Catalog) -> list[MarkedRun]:
    """Returns the runs of the newer text. Removed words are before those that replace them, else
    after a run."""
    added = _SIGN.format(interface.say("marked.added"))
    removed = _SIGN.format(interface.say("marked.removed"))
    end = _SIGN.format(interface.say("marked.end"))
    runs: list[MarkedRun] = []
    deleted = ""
    for segment, following in zip_longest(segments, segments[1:]):
        if segment.kind == "deleted":
            text = segment.text.rstrip()
            deleted = f"<del>{removed}{_with_code(text, segment.code)}{end}</del>"
            if runs and (following is None or following.kind == "same"):
                runs[-1] = runs[-1]._replace(after=f"{runs[-1].after} {deleted}")
                deleted = ""
            elif text != segment.text or following is segments[-1]:
                deleted += " "
        elif segment.kind == "inserted":
            before = f"{deleted}{added}"
            runs.append(MarkedRun(segment.text, "<ins>", "</ins>", before=before, after=end))
            deleted = ""
        else:
            runs.append(MarkedRun(segment.text, before=deleted))
            deleted = ""
    return runs


def _with_code(text: str, code: Sequence[tuple[int, int]]) -> str:
    """Returns a text as HTML, with its code ranges in <code> elements."""
    parts: list[str] = []
    position = 0
    for first, past in code:
        first, past = max(first, position), min(past, len(text))
        if first < past:
            parts += [escape(text[position:first]), "<code>", escape(text[first:past]), "</code>"]
            position = past
    return "".join([*parts, escape(text[position:])])
