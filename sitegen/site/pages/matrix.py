"""The matrix of all changes: a row for each term in order of first release, a column for each release.

It is a table whose cells form a picture. Terms that never changed are only counted. If very many terms changed, the
main page shows those with the most changes, and the pages of letters show all. Terms with equal changes at the same
releases have equal cells, which are cached.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Source
from sitegen.model.terms import Lane, Life
from sitegen.site.messages import Catalogue, plain
from sitegen.site.pages import letters
from sitegen.site.pages.letters import split, used
from sitegen.site.pages.overview import PageGroup, Whole
from sitegen.site.pages.page import Page, Writer
from sitegen.site.pages.spans import DEFINED, MINOR, ReleaseSpan, TermCourse, course, spans
from sitegen.site.pages.timeline import MANY as MANY_RELEASES
from sitegen.site.pages.timeline import kind_of, ticked
from sitegen.site.site import Site
from sitegen.text.collation import Order, order

MANY = 300
"""If more terms changed, each letter has its own page."""
MOST = 40
"""Number of terms on the main page in that case: those that changed most often."""

LONG = 25
"""If there are more rows, the releases are repeated at the end of the table."""

QUIET = MINOR | {"first-read"}
"""Changes that do not count as a change of the term."""

KINDS = "first-read added restored reworded renamed names-changed split merged deprecated removed".split()
"""The kinds of change, in the order of the legend."""

STATES = {
    "defined": "kind.unchanged",
    "deprecated": "kind.deprecated",
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
    release: str = ""
    """The release of the change; empty for a run without changes."""
    address: str = ""
    """The address of the change's event; empty for a run without changes."""


class TermRow(NamedTuple):
    address: str
    name: str
    cells: tuple[Cell, ...]


class Column(NamedTuple):
    address: str
    name: str
    is_ticked: bool


class SourceMatrix(NamedTuple):
    """The terms of a source that changed."""

    id: str
    caption: Markup
    columns: tuple[Column, ...]
    rows: tuple[TermRow, ...]
    kinds: tuple[str, ...]
    """The kinds of change in these rows, for the legend."""
    states: tuple[tuple[str, Markup], ...]
    """The states of terms in these rows, with their labels."""
    note: Markup
    """A note about rows or columns that were left out, or empty."""
    is_long: bool
    """True if the releases are repeated below the table."""


class Matrix(NamedTuple):
    """The terms of a source."""

    source: str
    """Title of the source, if the site has several."""
    sentence: Markup
    """The reason why there is no picture, or empty."""
    picture: SourceMatrix | None
    rest: Markup
    """The number of terms that never changed, as a sentence."""
    unchanged: tuple[Markup, ...]


@dataclass(frozen=True)
class MatrixRow:
    """A term in the releases of one source."""

    life: Life
    lane: Lane

    @cached_property
    def course(self) -> TermCourse:
        return course(self.lane, self.life.changes)

    @property
    def eventful(self) -> int:
        """The number of releases in which it changed."""
        return len(_eventful(self.course))

    @property
    def is_changed(self) -> bool:
        return any(change.kind not in QUIET for change in self.life.changes if change.source == self.lane.source.id)

    def place(self, language: str) -> tuple[int, Order]:
        """Returns the sort key: by first release, then by name."""
        first = next(number for number, state in self.course.states if state in DEFINED)
        return first, order(self.life.name, language)


def _eventful(course: TermCourse) -> set[str]:
    """Returns the releases with changes."""
    return {one.release for one in course.course_changes if one.kind not in MINOR}


def matrices(whole: Whole) -> Iterator[PageGroup]:
    """Yields the page of all terms that changed, and the pages of letters."""
    yield PageGroup(make=partial(_all, whole))
    for label in whole.changed_letters:
        yield PageGroup(name=letters.page(urls.MATRIX, label), make=partial(_letter, label, whole))


def _all(whole: Whole) -> Iterator[Page]:
    site, is_long = whole.data.site, _is_long(whole.data.site)
    writer = Writer(whole.data, urls.root(urls.MATRIX), urls.MATRIX)
    every = {source: tracks(source, site.lives) for source in site.sources if not source.undated}
    shown = {source: most_changed(among) if is_long else among for source, among in every.items()}
    pictures = [_matrix(source, among, writer, is_brief=is_long) for source, among in shown.items()]
    yield _page("", whole.changed_letters, pictures, writer)


def _letter(label: str, whole: Whole) -> Iterator[Page]:
    address = letters.page(urls.MATRIX, label)
    writer = Writer(whole.data, urls.root(address), address)
    dated = (source for source in whole.data.site.sources if not source.undated)
    every = ((source, tracks(source, whole.ever.get((source.id, label), ()))) for source in dated)
    yield _page(label, whole.changed_letters, [_matrix(source, among, writer) for source, among in every], writer)


def letter_pages(site: Site) -> tuple[str, ...]:
    """Returns the letters that have pages of their own."""
    labels = used([life for life in site.lives if life.changes], site.language)
    return split(labels, site.language, list_=urls.MATRIX, is_long=_is_long(site), ledger=site.ledger)


def _is_long(site: Site) -> bool:
    return sum(1 for life in site.lives if any(change.kind not in QUIET for change in life.changes)) > MANY


def tracks(source: Source, lives: Iterable[Life]) -> list[MatrixRow]:
    """Returns the terms that a source ever defined."""
    return [MatrixRow(life, lane) for life in lives for lane in life.term.lanes if lane.source.id == source.id]


def most_changed(tracks: Iterable[MatrixRow]) -> list[MatrixRow]:
    """Returns the terms with the most changes, most first."""
    changed = (track for track in tracks if track.is_changed)
    return sorted(changed, key=lambda track: track.eventful, reverse=True)[:MOST]


def _page(label: str, own: Sequence[str], matrices: Sequence[Matrix], writer: Writer) -> Page:
    title = writer.say("matrix.letter", letter=label) if label else writer.say("matrix.title")
    language = writer.data.site.language
    row = letters.row(own, language, leads_to=lambda one: writer.href(letters.page(urls.MATRIX, one)))
    ways = letters.current_letter(row, writer.href(letters.page(urls.MATRIX, label))) if label else row
    return Page(
        address=letters.page(urls.MATRIX, label) if label else urls.MATRIX,
        template="pages/matrix.html",
        title=plain(title),
        description=plain(writer.say("matrix.description", site=writer.data.site.title)),
        context={"heading": title, "letters": ways if own else (), "matrices": tuple(matrices)},
    )


def _matrix(source: Source, tracks: Sequence[MatrixRow], writer: Writer, *, is_brief: bool = False) -> Matrix:
    language = writer.data.site.language
    changed = sorted((track for track in tracks if track.is_changed), key=lambda track: track.place(language))
    has_history = len(source.releases) > 1
    unchanged = [track for track in tracks if has_history and not track.is_changed and not is_brief]
    unchanged.sort(key=lambda track: order(track.life.name, language))
    why_not = writer.say("matrix.none" if has_history else "history.starts")
    return Matrix(
        source=source.title if writer.data.several_sources else "",
        sentence=Markup() if changed else why_not,
        picture=_picture(source, changed, writer, is_brief=is_brief) if changed else None,
        rest=writer.say("matrix.rest", len(unchanged)) if unchanged else Markup(),
        unchanged=tuple(writer.term(track.life.key) for track in unchanged),
    )


def _picture(source: Source, tracks: Sequence[MatrixRow], writer: Writer, *, is_brief: bool) -> SourceMatrix:
    releases = _shown_releases(source, tracks)
    rows = tuple(_row(track, releases, writer) for track in tracks)
    cells = [cell for row in rows for cell in row.cells]
    kinds, states = {cell.kind for cell in cells}, {cell.state for cell in cells}
    return SourceMatrix(
        id=urls.release_slug(source.id),
        caption=_caption(source, len(tracks), writer, is_brief=is_brief),
        columns=_columns([source.releases[number].name for number in releases]),
        rows=rows,
        kinds=tuple(kind for kind in KINDS if kind in kinds),
        states=tuple((state, writer.say(key)) for state, key in STATES.items() if state in states - {"absent"}),
        note=writer.say("matrix.left-out") if len(releases) < len(source.releases) else Markup(),
        is_long=len(rows) > LONG,
    )


def _caption(source: Source, count: int, writer: Writer, *, is_brief: bool) -> Markup:
    first, last = (writer.version(release.name) for release in (source.releases[0], source.releases[-1]))
    return writer.say("matrix.most" if is_brief else "matrix.caption", count, first=first, last=last)


def _shown_releases(source: Source, tracks: Iterable[MatrixRow]) -> tuple[int, ...]:
    """Returns the releases that have a column: all, or of very many the first, the last, and those with changes."""
    names = [release.name for release in source.releases]
    if len(names) <= MANY_RELEASES:
        return tuple(range(len(names)))
    shown = {names[0], names[-1]}.union(*(_eventful(track.course) for track in tracks))
    return tuple(number for number, name in enumerate(names) if name in shown)


def _columns(releases: Sequence[str]) -> tuple[Column, ...]:
    shown = {*ticked(releases)}
    return tuple(Column(address=urls.release(name), name=name, is_ticked=name in shown) for name in releases)


def _row(track: MatrixRow, releases: tuple[int, ...], writer: Writer) -> TermRow:
    key, source = track.life.key, track.lane.source.id
    cells = tuple(
        cell._replace(address=writer.data.revision(key, source, cell.release)) if cell.release else cell
        for cell in _cells(track.course, releases, writer.data.words)
    )
    return TermRow(address=writer.data.address(key), name=track.life.name, cells=cells)


@lru_cache(maxsize=4096)
def _cells(course: TermCourse, releases: tuple[int, ...], words: Catalogue) -> tuple[Cell, ...]:
    """Returns the cells of a row, without addresses. They are equal for all terms with the same course."""
    all_spans = spans(course)
    ends = [0, *(bisect_left(releases, span.past) for span in all_spans)]
    shown = [
        (span if span.is_event else span.state, past - first)
        for span, (first, past) in zip(all_spans, pairwise(ends), strict=True)
        if past > first
    ]
    runs = groupby(shown, key=itemgetter(0))
    return tuple([_cell(one, sum(width for _, width in run), words) for one, run in runs])


def _cell(shown: ReleaseSpan | str, width: int, words: Catalogue) -> Cell:
    if isinstance(shown, str):
        return Cell(words=words.say(STATES[shown]), width=width, state=shown)
    kinds = words.listed(words.say(f"kind.{kind}") for kind in shown.kinds)
    return Cell(
        words=words.say("timeline.event", kind=kinds, release=words.version(shown.first.name)),
        kind=kind_of(shown.kinds),
        release=shown.first.name,
    )
