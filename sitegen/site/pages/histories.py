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
    periods: Sequence[Period]
    """The first is that of the term's first wording."""

    @property
    def number_of_changes(self) -> int:
        """The number of releases that changed the term after the first release."""
        return len(self.periods) - 1


def histories_page(data: PageData) -> Page:
    """Returns the page with the history of all terms."""
    writer = Writer(data, urls.root(urls.HISTORIES))
    return Page(
        address=urls.HISTORIES,
        template="pages/histories.html",
        title=plain(writer.say("histories.title")),
        description=plain(writer.say("histories.description", site=data.site.title)),
        context={"parts": [_part(source, writer) for source in data.site.dated_sources]},
    )


def _part(source: Source, writer: Writer) -> dict[str, object]:
    """Returns the values of the template for one source. A source with only one release has no
    terms here; the caption says that its history begins."""
    histories: list[TermHistory] = []
    caption = writer.say("history.starts")
    if len(source.releases) > 1:
        histories = _histories(source, writer)
        caption = _caption(source, writer, is_brief=len(histories) > MAX_TERMS)

    shown = histories[:MAX_TERMS]
    kinds: set[ChangeKind] = set()
    for history in shown:
        for period in history.periods:
            kinds.update(_kinds_of_marks(period))
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
    """Returns a sentence with the first and the last release and the order of the terms. If
    `is_brief`, it says how many terms are shown."""
    first = writer.version(source.releases[0].name)
    last = writer.version(source.releases[-1].name)
    if is_brief:
        return writer.say("histories.most", MAX_TERMS, first=first, last=last)
    return writer.say("histories.all", first=first, last=last)


def _histories(source: Source, writer: Writer) -> list[TermHistory]:
    """Returns the terms of a source. Those with the most changes come first, and terms with the
    same number of changes are sorted by name."""
    site = writer.site
    histories = []
    for life, course in site.courses_of.get(source.id, ()):
        histories.append(TermHistory(life, _shown_periods(course)))

    def sort_key(history: TermHistory) -> tuple[int, Order]:
        return -history.number_of_changes, order(history.life.name, site.language)

    return sorted(histories, key=sort_key)


def _shown_periods(course: Course) -> list[Period]:
    """Returns the period of a term's first wording, and later ones with a change of a kind that
    comparisons list."""
    first, *later = [period for period in periods(course) if period.changes]
    compared = [period for period in later if not set(COMPARED).isdisjoint(period.kinds)]
    return [first, *compared]


def _changed(
    histories: Sequence[TermHistory], writer: Writer
) -> list[tuple[Markup, list[HistoryRow]]]:
    """Returns a heading for each number of changes, with its terms and their marks."""
    changed = [history for history in histories if history.number_of_changes]
    by_number_of_changes = grouped((history.number_of_changes, history) for history in changed)
    groups = []
    for number, histories_of_number in by_number_of_changes.items():
        rows = []
        for history in histories_of_number:
            life = history.life
            marks = [_mark(period, writer) for period in history.periods]
            rows.append(HistoryRow(writer.term(life.key), life.is_defined, marks))
        groups.append((writer.say("histories.changed", number), rows))
    return groups


def _unchanged(
    histories: Sequence[TermHistory], writer: Writer
) -> list[tuple[EventMark, list[Markup]]]:
    """Returns the terms that have not changed since their first release, grouped by that release,
    newest first. A group is the mark of the release, and links to the terms."""
    unchanged = [history for history in histories if not history.number_of_changes]
    by_first_release = grouped((history.periods[0].first, history) for history in unchanged)
    rows = []
    for number in sorted(by_first_release, reverse=True):
        histories_of_release = by_first_release[number]
        # A release may have added some terms, and be the first that could be read for others.
        by_mark = grouped(
            (_mark(history.periods[0], writer), history) for history in histories_of_release
        )
        for mark, histories_of_mark in by_mark.items():
            links = [writer.term(history.life.key) for history in histories_of_mark]
            rows.append((mark, links))
    return rows


def _mark(period: Period, writer: Writer) -> EventMark:
    """Returns the mark of a release that changed a term."""
    kinds = _kinds_of_marks(period)
    by_mark = grouped((MARKS[kind], kind) for kind in kinds)
    return EventMark(
        # Kinds with the same mark are shown by the first one.
        kinds=tuple([kinds_of_mark[0] for kinds_of_mark in by_mark.values()]),
        words=writer.words.kinds(kinds),
        release=writer.version(period.release.name),
    )


def _kinds_of_marks(period: Period) -> Sequence[ChangeKind]:
    """Returns the kinds of change that comparisons list too, or the main kind if there are none. A
    term that was split off from another counts as added."""
    kinds = [kind for kind in COMPARED if kind in period.kinds]
    if not kinds:
        return [main_kind(period.kinds)]  # a first reading
    return ["added" if CHANGES[kind].begins else kind for kind in kinds]
