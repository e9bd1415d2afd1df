"""The difference of two wordings: the newer one, with marks where words were added and removed.

The page of a term, the page of a release and comparisons of releases show the same differences, so
they are cached.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.model import Entry, Prose
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.messages import Catalog
from sitegen.site.pages.page import Writer
from sitegen.text import differing_words
from sitegen.text.differing_words import Difference, Segment
from sitegen.text.words import same_words

MAX_PAIRS = 20_000
"""Number of compared pairs that are cached."""

# The title of a note is not part of the definition's text.
_TOKEN = re.compile(r'<p class="note-title">.*?</p>|<math\b.*?</math>|<[^>]*>|[^<]+', re.S)
_REPLACED = re.compile('<(?:math data-tex|img alt)="([^"]*)"')
"""Matches elements that replace a part of the definition's text, which is in an attribute."""
_INLINE = "(?:a|abbr|b|cite|code|em|i|kbd|q|s|samp|small|span|strong|sub|sup|u|var)"
# The HTML before and after a run, with the tags of inline elements between it and the run.
_BEFORE = re.compile(
    rf"(?P<tags>(?:<{_INLINE}\b[^>]*>)*)(?P<space>\s*)<before>(?P<before>.*?)</before>", re.S
)
_AFTER = re.compile(rf"<after>(?P<after>.*?)</after>(?P<tags>(?:</{_INLINE}>)*)", re.S)
_CHARACTER = re.compile(r"&[^;\s]+;|\S")

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
    """The newer definition, with marks around added words and with the removed words; empty if both
    wordings are shown whole."""
    attributes: Markup
    """The HTML attributes `lang` and `dir`, if they differ from the page's."""
    before: Markup = Markup()
    after: Markup = Markup()
    labels: tuple[str, str] = ("", "")
    """The headings of the two wordings."""
    number: int = 0
    """The number of added and removed words, or characters."""


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
    difference = differing_words.difference(before, after)
    text = Markup()
    if not difference.rewritten:
        # A mark around many words of code is one only if these are not in elements of their own.
        html = definition_html(after, LinkAddresses(), is_highlighted=False)
        text = marked(html, _runs(difference.segments, interface))
    return WordingComparison(
        summary=_summary(difference, interface),
        marked=text,
        attributes=interface.attributes(after.text),
        number=difference.added + difference.removed,
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
    after a run: of "a red cat", which was "a big cat", "a " has nothing beside it, and "red " has
    the removed "big" before it."""
    added = _SIGN.format(interface.say("marked.added"))
    removed = _SIGN.format(interface.say("marked.removed"))
    end = _SIGN.format(interface.say("marked.end"))
    runs: list[MarkedRun] = []
    deleted = ""  # the removed words that come before the next run
    for segment, following in zip_longest(segments, segments[1:]):
        if segment.kind == "inserted":
            before = f"{deleted}{added}"
            runs.append(MarkedRun(segment.text, "<ins>", "</ins>", before=before, after=end))
            deleted = ""
            continue
        if segment.kind == "same":
            runs.append(MarkedRun(segment.text, before=deleted))
            deleted = ""
            continue
        text = _with_code(segment.text.rstrip(), segment.code)
        element = f"<del>{removed}{text}{end}</del>"
        is_replaced = following is not None and following.kind == "inserted"
        if runs and not is_replaced:
            space = "" if segment.is_joined else " "
            runs[-1] = runs[-1]._replace(after=f"{runs[-1].after}{space}{element}")
        else:
            is_before_last = following is segments[-1]
            deleted = element + _space_after(segment, following, is_before_last=is_before_last)
    return runs


def _space_after(removed: Segment, following: Segment | None, *, is_before_last: bool) -> str:
    """Returns the white space between removed words and those that follow.

    If "a cat" became "a dog", there is none in the text of the removed "cat", at the end of the
    older definition, but the page needs a space before "dog".
    """
    if following and following.is_joined:
        return ""
    space = removed.text[len(removed.text.rstrip()) :]
    if "\n" in space:
        return "\n"
    return " " if space or is_before_last else ""


def _with_code(text: str, code: Sequence[tuple[int, int]]) -> str:
    """Returns a text as HTML, with its code ranges in <code> elements.

    >>> _with_code("run x now", [(4, 5)])
    'run <code>x</code> now'
    """
    parts: list[str] = []
    position = 0
    for first, past in code:
        start, end = max(first, position), min(past, len(text))
        if start < end:
            parts += [escape(text[position:start]), "<code>", escape(text[start:end]), "</code>"]
            position = end
    return "".join([*parts, escape(text[position:])])


class MarkedRun(NamedTuple):
    """A run of the text. It begins where the previous run ends."""

    text: str
    tag: str = ""
    """The start tag of the elements around its words; empty for none."""
    end_tag: str = ""
    before: str = ""
    """HTML before its first word."""
    after: str = ""
    """HTML after its last word."""


class _PlacedRun(NamedTuple):
    """A run with the numbers of its characters; white space has none."""

    run: MarkedRun
    first: int
    past: int
    """The number of the character after the last one."""


def marked(html: Markup, runs: Iterable[MarkedRun]) -> Markup:
    """Returns the HTML with each run of its text wrapped in elements. The joined runs are the
    text; white space does not count. The HTML before and after a run is outside of inline
    elements.

    >>> added = MarkedRun("big", "<ins>", "</ins>", before="[", after="]")
    >>> print(marked(Markup("A <b>big</b> cat"), [MarkedRun("A "), added, MarkedRun(" cat")]))
    A [<b><ins>big</ins></b>] cat
    """
    left = deque(_placed(runs))
    text = ""
    done = 0  # the number of characters before the token
    # No-break spaces are not counted either.
    for token in _TOKEN.findall(html.replace("&nbsp;", "\xa0")):
        ends = _ends(token)
        if not ends:
            text += token
            continue
        past = done + len(ends)
        start = 0
        while left and left[0].first < past:
            placed = left[0]
            goes_on = placed.past > past  # after the token
            if goes_on and start == len(token):  # it begins in an element of another run
                left[0] = placed._replace(first=past)
                break
            end = len(token) if goes_on else ends[placed.past - done - 1]
            before = placed.run.before if placed.first >= done else ""
            after = "" if goes_on else placed.run.after
            text += _in_elements(token[start:end], placed.run, before=before, after=after)
            start = end
            if goes_on:
                break
            left.popleft()
        text += token[start:]
        done = past
    text = _BEFORE.sub(r"\g<space>\g<before>\g<tags>", text)
    text = _AFTER.sub(r"\g<tags>\g<after>", text)
    return Markup(text)  # noqa: S704  (pieces of the HTML, and of runs)


def _placed(runs: Iterable[MarkedRun]) -> Iterator[_PlacedRun]:
    """Yields runs with the numbers of their characters."""
    first = 0
    for run in runs:
        past = first + len("".join(run.text.split()))
        yield _PlacedRun(run, first, past)
        first = past


def _ends(token: str) -> list[int]:
    """Returns where the characters of a text end; of a tag, which has none, an empty list.

    >>> _ends("a &lt;"), _ends("<b>")
    ([1, 6], [])
    """
    replaced = _REPLACED.match(token)
    if replaced:
        # An element is part of the run in which it begins.
        return [len(token)] * len(_CHARACTER.findall(replaced[1]))
    if token.startswith("<"):
        return []
    return [character.end() for character in _CHARACTER.finditer(token)]


def _in_elements(text: str, run: MarkedRun, *, before: str, after: str) -> str:
    """Returns a part of a run in its elements, with the HTML before and after it in `<before>` and
    `<after>`."""
    words = text.lstrip()
    space = text[: len(text) - len(words)]
    if words:
        words = f"{run.tag}{words}{run.end_tag}"
    return f"{space}<before>{before}</before>{words}<after>{after}</after>"
