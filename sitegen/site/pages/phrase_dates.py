"""Phrase dates: the definition on a term's page, each phrase with the release that added it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from markupsafe import Markup

from sitegen.history.phrase_origins import phrases
from sitegen.model import Entry
from sitegen.model.terms import Life, Revision
from sitegen.site.pages.page import Writer
from sitegen.site.pages.wordings import unbroken

# The title of a note is not part of the definition's text.
_TOKEN = re.compile(r'<p class="note-title">.*?</p>|<math\b.*?</math>|<[^>]*>|[^<]+', re.S)
_REPLACED = re.compile('<(?:math data-tex|img alt)="([^"]*)"')
"""Matches elements that replace a part of the definition's text, which is in an attribute."""
_CHARACTER = re.compile(r"&[^;\s]+;|\S")
_WORD = re.compile(r"\S+")


class DatedPhrase(NamedTuple):
    """A run of the text. It begins where the previous run ends."""

    text: str
    name: str
    """The class of the elements around its words."""
    label: str
    """HTML that follows the run."""


def marked(html: Markup, marks: Sequence[DatedPhrase]) -> Markup:
    """Returns the HTML with each run of its text wrapped in elements of its class. The joined runs are the text."""
    # No-break spaces are not counted either.
    return Markup("".join(_marked(html.replace("&nbsp;", "\xa0"), marks)))  # noqa: S704  (its pieces and ours)


def _marked(html: str, marks: Sequence[DatedPhrase]) -> Iterator[str]:
    rest = iter([(mark, len("".join(mark.text.split()))) for mark in marks])
    mark, left = next(rest, (None, 0))
    for token in _TOKEN.findall(html):
        replaced = _REPLACED.match(token) if token[0] == "<" else None
        text, count = token, _length(replaced[1]) if replaced else 0 if token[0] == "<" else _length(token)
        while mark and count >= left:
            end = len(text) if replaced else _position(text, left)  # an element is part of the run in which it begins
            yield f"{_within(mark, text[:end])}{mark.label}"
            text, count = text[end:], count - left
            mark, left = next(rest, (None, 0))
        left -= count
        yield _within(mark, text) if mark and count and text else text


def _length(text: str) -> int:
    """Returns the number of characters in some HTML text, without white space."""
    return len(_CHARACTER.findall(text)) if "&" in text else len("".join(text.split()))


def _position(text: str, count: int) -> int:
    """Returns the position after `count` characters, without white space."""
    if "&" in text:
        return next(islice(_CHARACTER.finditer(text), count - 1, None)).end()
    for word in _WORD.finditer(text):
        if word.end() - word.start() >= count:
            return word.start() + count
        count -= word.end() - word.start()
    return len(text)


def _within(mark: DatedPhrase, html: str) -> str:
    words = html.lstrip()
    return f'{html[: len(html) - len(words)]}<span class="{mark.name}">{words}</span>'


STYLES = 5
"""Number of underline styles, which alternate."""


def since(life: Life, shown: Entry, definition: Markup, writer: Writer) -> Markup:
    """Returns a page's definition with its phrases marked and dated; empty if all of them have the same release.

    `shown` is the entry of `life` whose definition it is.
    """
    revisions = unbroken(life, shown.place.source)
    if len(revisions) < 2:
        return Markup()
    dated = phrases((*(revision.entry.definition for revision in revisions[:-1]), shown.definition))
    ages = sorted({phrase.wording for phrase in dated})
    if len(ages) < 2:
        return Markup()
    labels = {age: f"<small> {_release(revisions[age], life, writer)}</small>" for age in ages}
    names = {age: f"dated-{number % STYLES}" for number, age in enumerate(ages)}
    marks = [DatedPhrase(text=one.text, name=names[one.wording], label=labels[one.wording]) for one in dated]
    return marked(definition, marks)


def _release(revision: Revision, life: Life, writer: Writer) -> Markup:
    """Returns the release that added a wording. A wording in the first release that was read may be older."""
    release = writer.version(revision.first)
    first_read = any(
        change.kind == "first-read" and (change.source, change.release) == (revision.source, revision.first)
        for change in life.changes
    )
    return writer.say("since.earlier", release=release) if first_read else release
