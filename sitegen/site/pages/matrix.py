"""The matrix of all changes: a row for each term in order of first release, a column for each
release.

It is a table whose cells form a picture. Terms that never changed are only counted. If very many
terms changed, it has those with the most changes; the page of each term has its own history.

A sketch is a small version of the matrix, on the first page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Source, grouped
from sitegen.model.terms import CHANGES, MARKS, MINOR, Lane, Life, main_kind
from sitegen.site.messages import plain
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.periods import DEFINED, Period, periods
from sitegen.site.pages.timeline import MANY as MANY_RELEASES
from sitegen.site.pages.timeline import ticked
from sitegen.site.site import Site
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
        context={"matrices": [_matrix(source, writer) for source in data.dated]},
    )


TermLane = tuple[Life, Lane]
"""A term, and its lane in the source of a matrix."""


def _rows(source: Source, lives: Iterable[Life]) -> list[TermLane]:
    """Returns the terms that a source ever defined."""
    return [
        (life, lane) for life in lives for lane in life.term.lanes if lane.source.id == source.id
    ]


def _is_changed(row: TermLane) -> bool:
    life, lane = row
    return any(change.kind not in QUIET for change in life.changes_in(lane.source.id))


def _changed_releases(row: TermLane) -> set[str]:
    """Returns the releases in which a term changed."""
    life, lane = row
    return {
        change.release for change in life.changes_in(lane.source.id) if change.kind not in MINOR
    }


def _order(row: TermLane, language: str) -> tuple[int, Order]:
    """Returns the sort key of a row: by first release, then by name."""
    life, lane = row
    return next(span.first for span in lane.spans if span.entry), order(life.name, language)


def _most_changed(rows: Iterable[TermLane], most: int, language: str) -> list[TermLane]:
    """Returns the terms with the most changes, in their order."""
    changed = sorted(
        filter(_is_changed, rows), key=lambda row: len(_changed_releases(row)), reverse=True
    )
    return sorted(changed[:most], key=lambda row: _order(row, language))


def _matrix(source: Source, writer: Writer) -> dict[str, object]:
    """Returns the terms of a source: those that changed as a picture, the others as links."""
    language, has_history = writer.data.site.language, len(source.releases) > 1
    rows = _rows(source, writer.data.site.lives)
    is_brief = sum(map(_is_changed, rows)) > MOST
    changed = _most_changed(rows, MOST, language)
    quiet = [row[0] for row in rows if has_history and not is_brief and not _is_changed(row)]
    unchanged = sorted(quiet, key=lambda life: order(life.name, language))
    why_not = writer.say("matrix.none" if has_history else "history.starts")
    return {
        "source": writer.data.title_if_several(source),
        "sentence": "" if changed else why_not,
        "picture": _picture(source, changed, writer, is_brief=is_brief) if changed else None,
        "rest": writer.say("matrix.rest", len(unchanged)) if unchanged else "",
        "unchanged": [writer.term(life.key) for life in unchanged],
    }


def _columns(source: Source, rows: Sequence[TermLane]) -> list[int]:
    """Returns the numbers of the releases with a column: of very many, the first, the last and
    those with changes."""
    names = [release.name for release in source.releases]
    if len(names) <= MANY_RELEASES:
        return [*range(len(names))]
    shown = {names[0], names[-1]}.union(*map(_changed_releases, rows))
    return [number for number, name in enumerate(names) if name in shown]


def _picture(
    source: Source, rows: Sequence[TermLane], writer: Writer, *, is_brief: bool
) -> dict[str, object]:
    releases = _columns(source, rows)
    columns = [source.releases[number].name for number in releases]
    table = [_cells(row, releases, writer) for row in rows]
    found = {value for cells in table for cell in cells for value in (cell.kind, cell.state)}
    kinds = [kind for kind in CHANGES if kind in found]
    in_legend = grouped((MARKS[kind], kind) for kind in kinds).values()
    ticks = {*ticked(columns)}
    first, last = writer.version(columns[0]), writer.version(columns[-1])
    return {
        "id": urls.release_slug(source.id),
        "caption": writer.say(
            "matrix.most" if is_brief else "matrix.caption", len(rows), first=first, last=last
        ),
        # Address, name, and whether the name is shown.
        "columns": [(urls.release(name), writer.version(name), name in ticks) for name in columns],
        "rows": [
            (writer.data.address(life.key), life.name, cells)
            for (life, _), cells in zip(rows, table, strict=True)
        ],
        "kinds": kinds,
        # Each mark of these rows with its kinds of change, and each line with its state.
        "legend": [
            (of_mark[0], writer.listed(writer.say(f"kind.{kind}") for kind in of_mark))
            for of_mark in in_legend
        ],
        "states": [
            (state, writer.say(key)) for state, key in STATES.items() if state in found - {"absent"}
        ],
        "note": writer.say("matrix.left-out") if len(columns) < len(source.releases) else "",
    }


def _cells(row: TermLane, releases: Sequence[int], writer: Writer) -> list[Cell]:
    found = periods(*row)
    ends = [0, *(bisect_left(releases, period.past) for period in found)]
    widths = [
        (period if period.is_event else period.state, past - first)
        for period, (first, past) in zip(found, pairwise(ends), strict=True)
        if past > first
    ]
    runs = groupby(widths, key=itemgetter(0))
    return [_cell(value, sum(width for _, width in run), row[0].key, writer) for value, run in runs]


def _cell(value: Period | str, width: int, key: str, writer: Writer) -> Cell:
    """Returns the cell of an event of the term with this key, or of the releases in which it had a
    state."""
    if isinstance(value, str):
        return Cell(words=writer.say(STATES[value]), width=width, state=value)
    kinds, release = (
        writer.listed(writer.say(f"kind.{kind}") for kind in value.kinds),
        value.release.name,
    )
    label = writer.say("timeline.event", kind=kinds, release=writer.version(release))
    address = writer.data.revision(key, value.source.id, release)
    return Cell(words=label, kind=main_kind(value.kinds), address=address)


class SketchRow(NamedTuple):
    """A term in the releases of a sketch."""

    name: str
    lines: tuple[tuple[int, int], ...]
    """The first column, and the column after the last, of each run of releases with a
    definition."""
    marks: tuple[tuple[int, str], ...]
    """The column and the kind of each change."""


class Sketch(NamedTuple):
    """Some terms of a source, and its newest releases as columns."""

    columns: int
    rows: tuple[SketchRow, ...]

    @property
    def kinds(self) -> list[str]:
        """The kinds of change in the sketch, in the order in which they first occur."""
        return list(dict.fromkeys(kind for row in self.rows for _, kind in row.marks))

    @property
    def pitch(self) -> int:
        """The distance of two columns on the first page, in units of the picture."""
        return max(20, 440 // self.columns)


def sketch(source: Source, site: Site, *, rows: int, columns: int) -> Sketch | None:
    """Returns the terms with the most changes, in the matrix's order; None if there are no changes
    to show. `rows` and `columns` are its largest size."""
    shown = _most_changed(_rows(source, site.lives), rows, site.language)
    left_out = max(0, len(source.releases) - columns)
    sketched = []
    for life, lane in shown:
        found = [
            one._replace(first=one.first - left_out, past=one.past - left_out)
            for one in periods(life, lane)
        ]
        lines = [
            (max(0, one.first), one.past) for one in found if one.past > 0 and one.state in DEFINED
        ]
        marks = [
            (one.first, main_kind(one.kinds)) for one in found if one.is_event and one.first >= 0
        ]
        sketched.append(SketchRow(name=life.name, lines=tuple(lines), marks=tuple(marks)))
    has_marks = any(row.marks for row in sketched)
    return (
        Sketch(columns=len(source.releases) - left_out, rows=tuple(sketched)) if has_marks else None
    )
