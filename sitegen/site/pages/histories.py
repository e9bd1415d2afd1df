"""The history of all terms: the terms that changed in most releases first, each with these
releases and the marks of their changes, and then those that never changed, by their first release.

If there are very many terms, it has those that changed most. The page of each term has its own
history, with the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Source, grouped
from sitegen.model.terms import CHANGES, COMPARED, MARKS, ChangeKind, Course, Life, main_kind
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import legend
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.term_events import Period, periods
from sitegen.text.collation import Order, order

MAX_TERMS = 300
"""Maximum number of terms of a source."""


class EventMark(NamedTuple):
    """A release with changes of a term."""

    kinds: Sequence[ChangeKind]
    """A kind for each mark of the changes."""
    words: Markup
    """The names of all kinds."""
    release: Markup


class HistoryRow(NamedTuple):
    """A term that changed."""

    term: Markup
    """A link to its page."""
    is_defined: bool
    """False if it was removed or merged."""
    marks: Sequence[EventMark]


class TermHistory(NamedTuple):
    """A term with the releases that changed it."""

    life: Life
    events: Sequence[Period]
    """The first is that of the term's first wording."""

    @property
    def changes(self) -> int:
        """The number of releases that changed the term after the first release."""
        return len(self.events) - 1


def histories_page(data: PageData) -> Page:
    """Returns the page with the history of all terms."""
    writer = Writer(data, urls.root(urls.HISTORIES), urls.HISTORIES)
    return Page(
        address=urls.HISTORIES,
        template="pages/histories.html",
        title=plain(writer.say("histories.title")),
        description=plain(writer.say("histories.description", site=data.site.title)),
        context={"parts": [_part(source, writer) for source in data.site.dated_sources]},
    )


def _part(source: Source, writer: Writer) -> dict[str, object]:
    """Returns the terms of a source; none if it has one release only, which the caption says."""
    histories: list[TermHistory] = []
    caption = writer.say("history.starts")
    if len(source.releases) > 1:
        histories = _histories(source, writer)
        caption = _caption(source, writer, is_brief=len(histories) > MAX_TERMS)
    shown = histories[:MAX_TERMS]
    kinds: set[ChangeKind] = set()
    for one in shown:
        for event in one.events:
            kinds.update(_kinds(event))
    return {
        "source": writer.data.title_if_several(source),
        "id": urls.release_slug(source.id),
        "caption": caption,
        "kinds": [kind for kind in CHANGES if kind in kinds],
        "legend": legend(kinds, writer),
        "changed": _changed(shown, writer),
        "unchanged": _unchanged(shown, writer),
    }


def _caption(source: Source, writer: Writer, *, is_brief: bool) -> Markup:
    """Returns the releases that were read and the order of the terms, and their number if there are
    more."""
    first = writer.version(source.releases[0].name)
    last = writer.version(source.releases[-1].name)
    if is_brief:
        return writer.say("histories.most", MAX_TERMS, first=first, last=last)
    return writer.say("histories.all", first=first, last=last)


def _histories(source: Source, writer: Writer) -> list[TermHistory]:
    """Returns the terms of a source: those that changed most first, and by name if they changed as
    often."""
    site = writer.site
    histories = []
    for life, course in site.courses_of.get(source.id, ()):
        histories.append(TermHistory(life, _events(course)))

    def sort_key(one: TermHistory) -> tuple[int, Order]:
        return -one.changes, order(one.life.name, site.language)

    return sorted(histories, key=sort_key)


def _events(course: Course) -> list[Period]:
    """Returns the release of a term's first wording, and those with a change that comparisons list
    too."""
    first, *later = [period for period in periods(course) if period.changes]
    compared = [period for period in later if not set(COMPARED).isdisjoint(period.kinds)]
    return [first, *compared]


def _changed(
    histories: Sequence[TermHistory], writer: Writer
) -> list[tuple[Markup, list[HistoryRow]]]:
    """Returns a heading for each number of changes, with its terms and their marks."""
    by_number = grouped((one.changes, one) for one in histories if one.changes)
    groups = []
    for number, several in by_number.items():
        rows = []
        for one in several:
            marks = [_mark(event, writer) for event in one.events]
            rows.append(HistoryRow(writer.term(one.life.key), one.life.is_defined, marks))
        groups.append((writer.say("histories.changed", number), rows))
    return groups


def _unchanged(
    histories: Sequence[TermHistory], writer: Writer
) -> list[tuple[EventMark, list[Markup]]]:
    """Returns the terms that did not change after their first release: the mark of each such
    release, newest first, with links to its terms."""
    by_number = grouped((one.events[0].first, one) for one in histories if not one.changes)
    rows = []
    for number in sorted(by_number, reverse=True):
        several = by_number[number]
        # One release has marks of several kinds, such as "added" and "split".
        by_kind = grouped((_mark(one.events[0], writer), one) for one in several)
        for mark, of_kind in by_kind.items():
            rows.append((mark, [writer.term(one.life.key) for one in of_kind]))
    return rows


def _mark(event: Period, writer: Writer) -> EventMark:
    kinds = _kinds(event)
    by_mark = grouped((MARKS[kind], kind) for kind in kinds)
    return EventMark(
        kinds=tuple([same_mark[0] for same_mark in by_mark.values()]),
        words=writer.words.kinds(kinds),
        release=writer.version(event.release.name),
    )


def _kinds(event: Period) -> Sequence[ChangeKind]:
    """Returns the kinds of change that comparisons list too; if there are none, what represents all
    changes. A term that was split off from another was added."""
    kinds = [kind for kind in COMPARED if kind in event.kinds]
    if not kinds:
        return [main_kind(event.kinds)]
    return ["added" if CHANGES[kind].begins else kind for kind in kinds]
