"""The matrix of all changes: a row for each term in order of first release, a column for each
release.

It is a table whose cells form a picture. Terms that never changed are only counted. If very many
terms changed, it has those with the most changes; the page of each term has its own history.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Source
from sitegen.model.terms import CHANGES, MINOR, Course, Life, main_kind
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import legend
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.timeline import MANY, Period, periods, ticked
from sitegen.text.collation import Order, order

MOST = 300
"""Maximum number of terms: those that changed most often."""

QUIET = MINOR | {"first-read"}
"""Changes that do not count as a change of the term."""
STATES = {
    "defined": "kind.unchanged",
    "deprecated": "matrix.deprecated",
    "unread": "kind.unread",
    "absent": "matrix.absent",
}
"""States of a term in a run of releases, and their messages."""


class Cell(NamedTuple):
    """A release with changes of the term, or a run of releases without."""

    words: Markup
    width: int = 1
    kind: str = ""
    """The kind of the change; empty for a run without changes."""
    state: str = ""
    """The state of the term in a run without changes."""
    address: str = ""
    """The address of the change's event; empty for a run without changes."""


def matrix_page(data: PageData) -> Page:
    """Returns the page of the terms that changed."""
    writer = Writer(data, urls.root(urls.MATRIX), urls.MATRIX)
    return Page(
        address=urls.MATRIX,
        template="pages/matrix.html",
        title=plain(writer.say("matrix.title")),
        description=plain(writer.say("matrix.description", site=data.site.title)),
        context={"matrices": [_matrix(source, writer) for source in data.site.dated_sources]},
    )


TermCourse = tuple[Life, Course]
"""A term, and its course in the source of a matrix."""


def _matrix(source: Source, writer: Writer) -> dict[str, object]:
    """Returns the terms of a source: those that changed as a picture, the others as links."""
    data, has_history = writer.data, len(source.releases) > 1

    def place(row: TermCourse) -> tuple[int, Order]:
        """Returns the sort key of a row: by first release, then by name."""
        life, course = row
        return _first(course), order(life.name, data.site.language)

    changed: list[TermCourse] = []
    unchanged: list[TermCourse] = []
    for row in sorted(data.site.courses_of.get(source.id, ()), key=place):
        if _is_changed(row):
            changed.append(row)
        elif has_history:
            unchanged.append(row)
    is_brief = len(changed) > MOST
    if is_brief:
        most = sorted(changed, key=lambda row: len(_changed_releases(row)), reverse=True)
        changed, unchanged = sorted(most[:MOST], key=place), []
    rest = ""
    if unchanged:
        first = source.releases[_first(unchanged[0][1])].name
        rest = writer.say("matrix.rest", len(unchanged), first=writer.version(first))
    picture, sentence = None, Markup()
    if changed:
        picture = _picture(source, changed, writer, is_brief=is_brief)
    else:
        sentence = writer.say("matrix.none" if has_history else "history.starts")
    return {
        "source": data.title_if_several(source),
        "sentence": sentence,
        "picture": picture,
        "rest": rest,
        "unchanged": [writer.term(life.key) for life, _ in unchanged],
    }


def _first(course: Course) -> int:
    """Returns the number of the first release that has a term."""
    return next(span.first for span in course.spans if span.entry)


def _is_changed(row: TermCourse) -> bool:
    _, course = row
    kinds = {change.kind for change in course.changes}
    return not kinds <= QUIET


def _changed_releases(row: TermCourse) -> set[str]:
    """Returns the releases in which a term changed."""
    _, course = row
    return {change.release for change in course.changes if change.kind not in MINOR}


def _columns(source: Source, rows: Sequence[TermCourse]) -> list[int]:
    """Returns the numbers of the releases with a column: of very many, the first, the last and
    those with changes."""
    names = [release.name for release in source.releases]
    if len(names) <= MANY:
        return [*range(len(names))]
    shown = {names[0], names[-1]}.union(*map(_changed_releases, rows))
    return [number for number, name in enumerate(names) if name in shown]


def _picture(
    source: Source, rows: Sequence[TermCourse], writer: Writer, *, is_brief: bool
) -> dict[str, object]:
    releases = _columns(source, rows)
    columns = [source.releases[number].name for number in releases]
    table, found = [], set()
    for life, course in rows:
        cells = _cells(course, life.key, releases, writer)
        table.append((writer.site.address(life.key), life.name, cells))
        found.update([cell.kind or cell.state for cell in cells])
    kinds = [kind for kind in CHANGES if kind in found]
    states = [state for state in STATES if state in found and state != "absent"]
    removed = [life.key for life, _ in rows if not life.is_defined]
    ticks = ticked(columns)
    first, last = writer.version(columns[0]), writer.version(columns[-1])
    caption = "matrix.most" if is_brief else "matrix.caption"
    has_all = len(columns) == len(source.releases)
    return {
        "id": urls.release_slug(source.id),
        "caption": writer.say(caption, len(rows), first=first, last=last),
        # Address, name, and whether the name is shown.
        "columns": [(urls.release(name), writer.version(name), name in ticks) for name in columns],
        "rows": table,
        "has_removed": bool(removed),
        "kinds": kinds,
        "legend": legend(kinds, writer),
        # Each line with its state.
        "states": [(state, writer.say(STATES[state])) for state in states],
        "note": "" if has_all else writer.say("matrix.left-out"),
    }


def _cells(course: Course, key: str, releases: Sequence[int], writer: Writer) -> list[Cell]:
    """Returns the cells of the term with this key. Neighboring runs in one state are one cell."""
    cells: list[Cell] = []
    first = 0
    for period in periods(course):
        past = bisect_left(releases, period.past)
        width, first = past - first, past
        if not width:
            continue
        if period.is_event:
            cells.append(_event_cell(period, key, writer))
        elif cells and cells[-1].state == period.state:
            cells[-1] = cells[-1]._replace(width=cells[-1].width + width)
        else:
            words = writer.say(STATES[period.state])
            cells.append(Cell(words=words, width=width, state=period.state))
    return cells


def _event_cell(event: Period, key: str, writer: Writer) -> Cell:
    release = event.release.name
    label = writer.words.happened(event.kinds, release)
    address = writer.site.event_address(key, event.source.id, release)
    return Cell(words=label, kind=main_kind(event.kinds), address=address)
