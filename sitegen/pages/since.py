"""Since when: the definition on a term's page, each phrase with the release that it came in with."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from sitegen.model import Entry, Life, Revision
from sitegen.origins import Phrase, phrases
from sitegen.pages.page import Pen
from sitegen.pages.wordings import unbroken

STYLES = 5
"""Kinds of underline, which come by turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A phrase, the release it came in with, and the white space after it, which is never marked."""

    text: str
    release: Markup
    style: int
    space: str


def since(life: Life, shown: Entry, pen: Pen) -> tuple[Dated, ...]:
    """Returns the words of a term that stand on its page as dated phrases; none where all are of one age."""
    revisions = unbroken(life, shown.citation.source)
    if len(revisions) < 2:
        return ()
    told = phrases((*(revision.entry.definition for revision in revisions[:-1]), shown.definition))
    ages = sorted({phrase.wording for phrase in told})
    if len(ages) < 2:
        return ()
    labels = {age: _release(revisions[age], life, pen) for age in ages}
    return tuple(_dated(phrase, labels[phrase.wording], ages.index(phrase.wording) % STYLES) for phrase in told)


def _dated(phrase: Phrase, release: Markup, style: int) -> Dated:
    text = phrase.text.rstrip()
    return Dated(text=text, release=release, style=style, space=phrase.text[len(text) :])


def _release(revision: Revision, life: Life, pen: Pen) -> Markup:
    """When a wording came in. What stood in the first release that was read may be older."""
    release = pen.version(revision.first)
    first_read = any(
        change.kind == "first-read" and (change.source, change.release) == (revision.source, revision.first)
        for change in life.changes
    )
    return pen.say("since.earlier", release=release) if first_read else release
