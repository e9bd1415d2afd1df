"""Any two releases compared: the page on which to choose them, and the pages of those pairs that have one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from sitegen import urls
from sitegen.comparisons import COMPARED, Course, Pair, courses, latest, pairs
from sitegen.model import Source
from sitegen.pages.changes import Count, Kind, Listing, counts
from sitegen.pages.page import Desk, Page, Pen


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A release to choose, and whether it is chosen at first."""

    name: str
    is_older: bool = False
    is_newer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A source's releases, newest first, and the pages of each pair that has one."""

    title: str
    """Empty where there is no other source."""
    options: tuple[Option, ...]
    data: str
    ways: tuple[tuple[Markup, ...], ...]
    """For each release, links to what changed since and to what changed with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What changed in one source."""

    source: str
    span: Markup
    sentence: Markup
    """What to say where nothing can be listed."""
    unknown: Markup
    counts: tuple[Count, ...]
    kinds: tuple[Kind, ...]
    mark: str
    """What its ids end in, so that they are no other part's."""


def compare(desk: Desk) -> Iterator[Page]:
    """Gives the page that compares, and the page of each pair."""
    yield _chooser(desk)
    all_ = tuple(courses(desk.site))
    listings: dict[str, Listing] = {}
    for pair in pairs(desk.site):
        root = urls.root(urls.comparison(pair.older, pair.newer))
        listing = listings.setdefault(root, Listing(Pen(desk, root)))
        yield _pair(pair, [course for course in all_ if pair.is_in(course.source)], listing)


def _chooser(desk: Desk) -> Page:
    pen = Pen(desk, urls.root(urls.COMPARE))
    title = pen.say("compare.title")
    dated = [source for source in desk.site.sources if not source.undated and source.releases]
    first = next((source for source in dated if len(source.releases) > 1), None)
    return Page(
        address=urls.COMPARE,
        template="pages/compare.html",
        title=title,
        description=pen.say("compare.description", site=desk.site.title).unescape(),
        context={
            "choices": tuple(_choice(source, pen, is_first=source is first) for source in dated if first),
            "kinds": COMPARED,
        },
    )


def _choice(source: Source, pen: Pen, *, is_first: bool) -> Choice:
    names = [release.name for release in source.releases]
    before = dict(zip(names[1:], names, strict=False))
    return Choice(
        title=source.title if pen.desk.several_sources else "",
        options=tuple(
            Option(name=name, is_older=is_first and number == 1, is_newer=is_first and number == 0)
            for number, name in enumerate(reversed(names))
        ),
        data=urls.comparison_data(source.id),
        ways=tuple(tuple(_ways(name, before.get(name), source, pen)) for name in reversed(names)),
    )


def _ways(name: str, before: str | None, source: Source, pen: Pen) -> Iterator[Markup]:
    if name != latest(source):
        yield since(name, pen)
    if before is not None:
        text = pen.say("compare.pair", older=pen.version(before), newer=pen.version(name))
        yield pen.link(text, urls.comparison(before, name))


def since(release: str, pen: Pen) -> Markup:
    """Returns a link to what changed since a release."""
    return pen.link(pen.say("compare.since", release=pen.version(release)), urls.comparison(release))


def _pair(pair: Pair, among: list[Course], listing: Listing) -> Page:
    pen = listing.pen
    parts = tuple(_part(number, pair, course, listing) for number, course in enumerate(among, start=1))
    first = among[0]
    older, newer = first.ordered(pair.older, pair.newer or latest(first.source))
    heading = _heading(pair, older, newer, pen)
    return Page(
        address=urls.comparison(pair.older, pair.newer),
        template="pages/compare-pair.html",
        title=heading.striptags(),
        description=_description(heading, parts, pen.desk),
        context={
            "heading": heading,
            "parts": parts,
            "ways": (
                pen.link(pen.say("compare.others"), urls.chosen_comparison(older, newer)),
                pen.all_changes(newer),
            ),
        },
    )


def _heading(pair: Pair, older: str, newer: str, pen: Pen) -> Markup:
    if not pair.newer:
        return pen.say("compare.since", release=pen.version(older))
    return pen.say("compare.pair", older=pen.version(older), newer=pen.version(newer))


def _description(heading: Markup, parts: tuple[Part, ...], desk: Desk) -> str:
    told = desk.words.listed([count.text for part in parts for count in part.counts])
    return f"{desk.site.title}: {heading.striptags()}. {told.striptags()}".strip()


def _part(number: int, pair: Pair, course: Course, listing: Listing) -> Part:
    source, pen = course.source, listing.pen
    older, newer = course.ordered(pair.older, pair.newer or latest(source))
    sentence = _why_not(source, older, newer, pen)
    events = () if sentence else course.changes(older, newer)
    unknown = 0 if sentence else course.unknown(older, newer)
    if not sentence and not events:
        sentence = pen.say("compare.none", older=pen.version(older), newer=pen.version(newer))
    return Part(
        source=source.title if pen.desk.several_sources else "",
        span=pen.say("table.span", first=_dated(source, older, pen), last=_dated(source, newer, pen)),
        sentence=sentence,
        unknown=pen.say("compare.unknown", unknown) if unknown else Markup(),
        counts=counts(events, pen),
        kinds=listing.by_kind(events, since=older),
        mark=f"-{number}" if number > 1 else "",
    )


def _why_not(source: Source, older: str, newer: str, pen: Pen) -> Markup:
    """Why two releases cannot be compared, if so."""
    if older == newer:
        return pen.say("compare.latest", release=pen.version(older))
    unread = [name for name in (older, newer) if (source.id, name) in pen.desk.unread]
    return pen.say("compare.unread", releases=pen.versions(unread)) if unread else Markup()


def _dated(source: Source, release: str, pen: Pen) -> Markup:
    date = pen.date(source.id, release)
    name = pen.version_of(source, release)
    return pen.say("compare.dated", release=name, date=date) if date else name
