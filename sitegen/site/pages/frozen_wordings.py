"""The pages of the frozen wordings of a term, to which copied links lead: each has the words as of
one release."""

from __future__ import annotations

from markupsafe import Markup

from sitegen.model.terms import Course, Life, Revision
from sitegen.permanence.term_addresses import FrozenPage
from sitegen.site.messages import plain
from sitegen.site.pages.copied_texts import copies
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.page import Page, Writer, raised
from sitegen.site.pages.status import last_change
from sitegen.site.pages.term_descriptions import described
from sitegen.site.pages.term_history import wordings
from sitegen.text.names import fold
from sitegen.text.words import same_words


def frozen_page(life: Life, frozen: FrozenPage, writer: Writer) -> Page:
    """Returns the page of a frozen wording."""
    entry, address = frozen.entry, frozen.address.removeprefix("/")
    course = life.term.course(entry.place.source)
    revision = course.revision_at(entry.place.release)
    assert revision, "a frozen wording is that of an entry"
    if revision.is_in_force:
        chip, sentence = _present(life, revision, writer)
    else:
        chip, sentence = _end(life, revision, writer)
    version, releases = writer.version(entry.place.release), writer.releases_of(revision)
    name = Markup(f"<dfn>{writer.text(entry.name)}</dfn>")  # noqa: S704
    living = "frozen.history"
    if life.is_defined and not revision.is_in_force:
        living = "frozen.living"
    heading = writer.say("frozen.heading", name=name, releases=releases)
    context = {
        "section": writer.section(life),
        "heading": heading,
        "wordings": wordings(life, writer),
        "state": chip,
        "status": sentence,
        "copies": copies(life, entry, address=address, writer=writer),
        "definition": raised(writer.definition(entry, of=life.key)),
        "changed": writer.say("release.title", release=version),
        "comparison": _difference(life, frozen, writer),
        "place": writer.defined_in(entry),
        "living": writer.say(living, term=writer.term(life.key)),
    }
    page = Page(
        address=address, template="pages/frozen.html", title=plain(heading), context=context
    )
    start = plain(writer.say("frozen.as-of", release=version))
    return described(
        page, life, entry.definition, sentence, writer.site, name=entry.name, start=start
    )


def _difference(life: Life, frozen: FrozenPage, writer: Writer) -> WordingComparison | None:
    """Returns how a wording differs from the one before it; None for the first one."""
    place, difference = frozen.entry.place, None
    for change in life.term.course(place.source).changes_at(place.release):
        if change.kind == "reworded" and change.before:
            difference = comparison(change.before, frozen.entry, of=life.key, writer=writer)
    return difference


def _present(life: Life, revision: Revision, writer: Writer) -> tuple[str, Markup]:
    """Returns the chip and the state of a wording that is still in force."""
    last = life.term.course(revision.source).last_released(revision)
    release = writer.version(last)
    if fold(life.name) != fold(revision.entry.name):
        return "renamed", writer.say("frozen.renamed", release=release, term=writer.term(life.key))
    change = last_change(life, "deprecated", "first-read")
    if life.status == "deprecated" and change:
        since = writer.version(change.release)
        return "deprecated", writer.say("frozen.deprecated", release=release, since=since)
    if revision.ended != "current":
        return "", writer.say("frozen.wording", release=writer.releases_of(revision))
    return "", writer.say("frozen.current")


def _end(life: Life, revision: Revision, writer: Writer) -> tuple[str, Markup]:
    """Returns the chip and the end of a wording that is no longer in force."""
    course = life.term.course(revision.source)
    following = _release_after(revision, course)
    release = writer.version_of(course.source, following)
    for change in course.changes_at(following):
        if change.kind == "merged" and change.other:
            term = writer.term(change.other)
            return "merged", writer.say("status.merged", term=term, release=release)
    if revision.ended == "removed":
        last = course.releases.index(revision.last)
        for change in course.changes:
            if change.kind == "restored" and course.releases.index(change.release) > last:
                since = writer.version_of(course.source, change.release)
                return "", writer.say("frozen.restored", release=release, since=since)
        return "removed", writer.say("frozen.removed", release=release)
    newest = course.revisions[-1]
    if newest.is_in_force and same_words(newest.entry.definition, revision.entry.definition):
        since = writer.version_of(course.source, newest.first)
        return "", writer.say("frozen.again", release=release, since=since)
    address = writer.site.event_address(life.key, revision.source, following)
    what = writer.link(writer.say("frozen.see"), address)
    return "reworded", writer.say("frozen.reworded", release=release, what=what)


def _release_after(revision: Revision, course: Course) -> str:
    """Returns the first release after a wording that could be read: the one that ended it."""
    last = course.releases.index(revision.last)
    later = [span for span in course.spans if span.first > last and span.state != "unread"]
    return course.releases[later[0].first]
