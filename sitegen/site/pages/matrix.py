"""The matrix of all changes: a row for each term in order of first release, a column for each
release.

It is a table whose cells form a picture. Terms that never changed are only counted. If very many
terms changed, it has those with the most changes; the page of each term has its own history.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Source
from sitegen.model.terms import CHANGES, MINOR, Course, Life, main_kind
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import legend
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.periods import Period, periods
from sitegen.site.pages.timeline import MANY as MANY_RELEASES
from sitegen.site.pages.timeline import ticked
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


TermCourse = tuple[Life, Course]
"""A term, and its course in the source of a matrix."""


def _rows(source: Source, lives: Iterable[Life]) -> list[TermCourse]:
    """Returns the terms that a source ever defined."""
    return [
        (life, course)
        for life in lives
        for course in life.term.courses
        if course.source.id == source.id
    ]


def _is_changed(row: TermCourse) -> bool:
    _, course = row
    return any(change.kind not in QUIET for change in course.changes)


def _changed_releases(row: TermCourse) -> set[str]:
    """Returns the releases in which a term changed."""
    _, course = row
    return {change.release for change in course.changes if change.kind not in MINOR}


def _order(row: TermCourse, language: str) -> tuple[int, Order]:
    """Returns the sort key of a row: by first release, then by name."""
    life, course = row
    return next(span.first for span in course.spans if span.entry), order(life.name, language)


def _most_changed(rows: Iterable[TermCourse], most: int, language: str) -> list[TermCourse]:
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
    quiet = [row for row in rows if has_history and not is_brief and not _is_changed(row)]
    unchanged = sorted(quiet, key=lambda row: _order(row, language))
    why_not = writer.say("matrix.none" if has_history else "history.starts")
    return {
        "source": writer.data.title_if_several(source),
        "sentence": "" if changed else why_not,
        "picture": _picture(source, changed, writer, is_brief=is_brief) if changed else None,
        "rest": _unchanged_since(source, unchanged, writer) if unchanged else "",
        "unchanged": [writer.term(life.key) for life, _ in unchanged],
    }


def _unchanged_since(source: Source, rows: Sequence[TermCourse], writer: Writer) -> Markup:
    """Returns the number of the terms that never changed, which are in order, and the release in
    which they were first read."""
    _, course = rows[0]
    first = next(span.first for span in course.spans if span.entry)
    return writer.say("matrix.rest", len(rows), first=writer.version(source.releases[first].name))


def _columns(source: Source, rows: Sequence[TermCourse]) -> list[int]:
    """Returns the numbers of the releases with a column: of very many, the first, the last and
    those with changes."""
    names = [release.name for release in source.releases]
    if len(names) <= MANY_RELEASES:
        return [*range(len(names))]
    shown = {names[0], names[-1]}.union(*map(_changed_releases, rows))
    return [number for number, name in enumerate(names) if name in shown]


def _picture(
    source: Source, rows: Sequence[TermCourse], writer: Writer, *, is_brief: bool
) -> dict[str, object]:
    releases = _columns(source, rows)
    columns = [source.releases[number].name for number in releases]
    table = [_cells(row, releases, writer) for row in rows]
    found = {value for cells in table for cell in cells for value in (cell.kind, cell.state)}
    kinds = [kind for kind in CHANGES if kind in found]
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
        "legend": legend(kinds, writer),
        # Each line with its state.
        "states": [
            (state, writer.say(key)) for state, key in STATES.items() if state in found - {"absent"}
        ],
        "note": writer.say("matrix.left-out") if len(columns) < len(source.releases) else "",
    }


def _cells(row: TermCourse, releases: Sequence[int], writer: Writer) -> list[Cell]:
    found = periods(row[1])
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
