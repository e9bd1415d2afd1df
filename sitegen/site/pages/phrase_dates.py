"""Phrase dates: the definition on a term's page, each phrase with the release that added it."""

from __future__ import annotations

from markupsafe import Markup

from sitegen.history.phrase_origins import phrases
from sitegen.model import Entry
from sitegen.model.terms import Life, Revision
from sitegen.site.marking import Mark, marked
from sitegen.site.pages.page import Writer
from sitegen.site.pages.wordings import unbroken

STYLES = 5
"""Number of underline styles, which alternate."""


def since(life: Life, shown: Entry, definition: Markup, writer: Writer) -> Markup:
    """Returns a page's definition with its phrases marked and dated; empty if all of them have the same release.

    `shown` is the entry of `life` whose definition it is.
    """
    revisions = unbroken(life, shown.place.source)
    if len(revisions) < 2:
        return Markup()
    told = phrases((*(revision.entry.definition for revision in revisions[:-1]), shown.definition))
    ages = sorted({phrase.wording for phrase in told})
    if len(ages) < 2:
        return Markup()
    labels = {age: f"<small> {_release(revisions[age], life, writer)}</small>" for age in ages}
    names = {age: f"dated-{number % STYLES}" for number, age in enumerate(ages)}
    marks = [Mark(text=one.text, name=names[one.wording], label=labels[one.wording]) for one in told]
    return marked(definition, marks)


def _release(revision: Revision, life: Life, writer: Writer) -> Markup:
    """Returns the release that added a wording. A wording in the first release that was read may be older."""
    release = writer.version(revision.first)
    first_read = any(
        change.kind == "first-read" and (change.source, change.release) == (revision.source, revision.first)
        for change in life.changes
    )
    return writer.say("since.earlier", release=release) if first_read else release
