"""The pages of the frozen wordings of a term, to which copied links lead: each has the words as of
one release."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from sitegen.model import Entry
from sitegen.model.terms import Course, Life, Revision
from sitegen.permanence.term_addresses import FrozenPage
from sitegen.site.messages import plain
from sitegen.site.pages.copied_texts import copies, part_with_name
from sitegen.site.pages.marked_wordings import WordingComparison, comparison
from sitegen.site.pages.page import SEPARATOR, Page, Writer, described, with_raised_headings
from sitegen.site.pages.status import last_change
from sitegen.site.pages.term_history import present_releases, wordings
from sitegen.text.names import fold
from sitegen.text.words import same_words


class _WordingState(NamedTuple):
    """The present state of a frozen wording, as its page says it."""

    mark: str
    """The kind of its mark; empty if there is nothing to notice."""
    sentence: Markup
    onward: Markup = Markup()
    """A link after the sentence, if any."""


def frozen_page(life: Life, frozen: FrozenPage, writer: Writer) -> Page:
    """Returns the page of a frozen wording."""
    entry = frozen.entry
    course = life.course(entry.place.source)
    revision = course.revision_at(entry.place.release)
    assert revision, "a frozen wording is that of an entry"
    # The term may have had another name in some releases of the same words.
    shown = part_with_name(entry.name, revision, course)
    state = _state(life, revision, writer)
    name = Markup(f"<dfn>{writer.text(entry.name)}</dfn>")  # noqa: S704
    releases = writer.releases_of(shown)
    if writer.site.several_sources:
        releases = writer.say("release.of", source=course.source.title, release=releases)
    heading = writer.say("frozen.heading", name=name, releases=releases)
    release = writer.version(entry.place.release)

    # The link to the term promises other words only if the term has some now.
    has_other_words = life.is_defined and not revision.is_in_force
    living_key = "frozen.living" if has_other_words else "frozen.history"
    page = Page(
        address=frozen.address,
        template="pages/frozen.html",
        title=heading,
        context={
            "section": writer.section(life),
            "heading": heading,
            "state": state.mark,
            "status": state.sentence,
            "onward": state.onward,
            "living": writer.say(living_key, term=writer.term(life.key)),
            "definition": with_raised_headings(writer.definition(entry, of=life.key)),
            "copies": copies(life, entry, address=frozen.address, writer=writer),
            "wordings": wordings(life, writer),
            "place": writer.defined_in(entry),
            "changed": writer.say("frozen.changed", release=release),
            "comparison": _difference(life, entry, writer),
        },
    )
    return described(
        page,
        life,
        writer.site,
        name=entry.name,
        definition=entry.definition,
        status=state.sentence,
        start=plain(writer.say("frozen.as-of", release=release)),
    )


def _difference(life: Life, entry: Entry, writer: Writer) -> WordingComparison | None:
    """Returns the difference of a wording from the wording before it; None for the first one."""
    place = entry.place
    for change in life.course(place.source).changes_at(place.release):
        if change.kind == "reworded" and change.before:
            return comparison(change.before, entry, of=life.key, writer=writer)
    return None


def _state(life: Life, revision: Revision, writer: Writer) -> _WordingState:
    """Returns what became of a wording: it is in force, was merged, removed or reworded, or came
    back later."""
    if revision.is_in_force:
        return _state_in_force(life, revision, writer)

    course = life.course(revision.source)
    release_after = _release_after(revision, course)
    release = writer.version_of(course.source, release_after)
    # A merged term has ended as "removed", so this comes first.
    for change in course.changes_at(release_after):
        if change.kind == "merged" and change.other:
            term = writer.term(change.other)
            return _WordingState("merged", writer.say("status.merged", term=term, release=release))

    if revision.ended == "removed":
        restoration = course.restoration(revision.last)
        if restoration is None:
            return _WordingState("removed", writer.say("frozen.removed", release=release))
        since = writer.version_of(course.source, restoration.release)
        return _WordingState("", writer.say("frozen.restored", release=release, since=since))

    # The term has the same words again now.
    newest = course.revisions[-1]
    if newest.is_in_force and same_words(newest.entry.definition, revision.entry.definition):
        since = writer.version_of(course.source, newest.first)
        return _WordingState("", writer.say("frozen.again", release=release, since=since))

    sentence = writer.say("frozen.reworded", release=release)
    event = writer.site.event_address(life.key, course.source.id, release_after)
    return _WordingState("reworded", sentence, writer.link(writer.say("frozen.see"), event))


def _state_in_force(life: Life, revision: Revision, writer: Writer) -> _WordingState:
    """Returns the state of a wording that is still in force: the term may be renamed or deprecated
    since."""
    course = life.course(revision.source)
    if fold(life.name) != fold(revision.entry.name):
        release = writer.version(course.last_released(revision))
        renamed = writer.say("frozen.renamed", release=release, term=life.name)
        return _WordingState("renamed", renamed)
    releases = present_releases(course, writer)
    words = writer.say("chosen.releases", releases=releases)
    # A term may be deprecated already when it is first read.
    change = last_change(life, "deprecated", "first-read")
    if life.status == "deprecated" and change:
        deprecated = writer.say("status.deprecated", release=writer.version(change.release))
        return _WordingState("deprecated", deprecated + SEPARATOR + words)
    return _WordingState("", words)


def _release_after(revision: Revision, course: Course) -> str:
    """Returns the release that ended a wording: the next one that could be read."""
    last = course.releases.index(revision.last)
    spans = [span for span in course.spans if span.first > last and span.state != "unread"]
    return course.releases[spans[0].first]
