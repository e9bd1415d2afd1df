"""The matrix of all changes: a row for each term in alphabetical order, a column for each release.

It is a table whose cells form a picture: a mark for each release with changes, and a line from each
of them to the next. Terms that never changed are only counted. If very many terms changed, it has
those with the most changes; the page of each term has its own history.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Source
from sitegen.model.terms import CHANGES, MINOR, ChangeKind, Course, CourseState, Life, main_kind
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
EXPLAINED = {"deprecated", "unread"}
"""States whose line is in the legend: a plain line, and none, explain themselves."""


class Cell(NamedTuple):
    """A release with changes of the term, or a run of releases without."""

    words: Markup
    state: CourseState
    """The state of the term since, or in the run."""
    width: int = 1
    kind: ChangeKind | None = None
    """The kind that represents the changes; None for a run without changes."""


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
    data = writer.data

    def place(row: TermCourse) -> Order:
        """Returns the sort key of a row: by name, as in other lists of terms."""
        life, _ = row
        return order(life.name, data.site.language)

    rows = sorted(data.site.courses_of.get(source.id, ()), key=place)
    changed = [row for row in rows if _is_changed(row)]
    is_brief = len(changed) > MOST
    shown = changed
    if is_brief:
        most_first = sorted(changed, key=lambda row: len(_changed_releases(row)), reverse=True)
        shown = sorted(most_first[:MOST], key=place)
    has_history = len(source.releases) > 1
    unchanged: list[TermCourse] = []
    if has_history and not is_brief:
        unchanged = [row for row in rows if not _is_changed(row)]
    rest = ""
    if unchanged:
        _, course = unchanged[0]
        first = source.releases[_first(course)].name
        rest = writer.say("matrix.rest", len(unchanged), first=writer.version(first))
    picture = None
    sentence = Markup()
    if shown:
        picture = _picture(source, shown, writer, is_brief=is_brief)
    elif has_history:
        sentence = writer.say("matrix.none")
    else:
        sentence = writer.say("history.starts")
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
    """True if a term has more than its oldest known wording and minor changes."""
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
    shown = {names[0], names[-1]}
    for row in rows:
        shown |= _changed_releases(row)
    return [number for number, name in enumerate(names) if name in shown]


def _picture(
    source: Source, rows: Sequence[TermCourse], writer: Writer, *, is_brief: bool
) -> dict[str, object]:
    """Returns the table of the terms that changed, with the legend of what is in it."""
    releases = _columns(source, rows)
    columns = [source.releases[number].name for number in releases]
    table = []
    found_kinds: set[str] = set()
    found_states: set[str] = set()
    for life, course in rows:
        cells = _cells(course, releases, writer)
        table.append((writer.site.address(life.key), life.name, cells))
        for cell in cells:
            if cell.kind:
                found_kinds.add(cell.kind)
            else:
                found_states.add(cell.state)
    kinds = [kind for kind in CHANGES if kind in found_kinds]
    states = [state for state in STATES if state in found_states and state in EXPLAINED]
    ticks = ticked(columns)
    first, last = writer.version(columns[0]), writer.version(columns[-1])
    caption = "matrix.most" if is_brief else "matrix.caption"
    note = Markup()
    if len(columns) < len(source.releases):
        note = writer.say("matrix.left-out")
    return {
        "id": urls.release_slug(source.id),
        "caption": writer.say(caption, len(rows), first=first, last=last),
        # The name of each release, and whether it is shown.
        "columns": [(writer.version(name), name in ticks) for name in columns],
        "rows": table,
        "kinds": kinds,
        "legend": legend(kinds, writer),
        # Each line with its state.
        "states": [(state, writer.say(STATES[state])) for state in states],
        "note": note,
    }


def _cells(course: Course, releases: Sequence[int], writer: Writer) -> list[Cell]:
    """Returns the cells of a term. Neighboring runs in one state are one cell."""
    cells: list[Cell] = []
    for period in periods(course):
        width = bisect_left(releases, period.past) - bisect_left(releases, period.first)
        if not width:  # none of its releases has a column
            continue
        if period.is_event:
            cells.append(_event_cell(period, writer))
            continue
        last = cells[-1] if cells else None
        if last and last.kind is None and last.state == period.state:
            cells[-1] = last._replace(width=last.width + width)
        else:
            words = writer.say(STATES[period.state])
            cells.append(Cell(words=words, state=period.state, width=width))
    return cells


def _event_cell(event: Period, writer: Writer) -> Cell:
    """Returns the cell of a release with changes."""
    return Cell(
        words=writer.words.happened(event.kinds, event.release.name),
        state=event.state,
        kind=main_kind(event.kinds),
    )
