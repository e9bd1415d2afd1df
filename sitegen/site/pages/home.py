"""The first page: an introduction, the search, changes by release, the newest changes, and sections or terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import File, Release, Source
from sitegen.site.comparisons import Event, latest
from sitegen.site.messages import plain
from sitegen.site.pages.changes import KindCount
from sitegen.site.pages.lists import ListLines, letter_row
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.releases import brief
from sitegen.site.pages.sketch import Sketch, card, sketch
from sitegen.site.site import Section

MOST_CHANGES = 10
"""Maximum number of changes of the newest release that are listed."""
MOST_TERMS = 6
"""Maximum number of terms of a section that are named."""
FEW_TERMS = 60
"""A glossary of this many terms or fewer is shown whole."""
MOST_SECTIONS = 40
"""If there are more sections, no terms are named."""
MOST_BARS = 24
"""Maximum number of releases in the chart; the newest are shown."""

SHOWN_KINDS = frozenset({"added", "reworded", "renamed", "deprecated", "removed", "restored", "merged", "split"})


class Latest(NamedTuple):
    """The newest release of a source in brief."""

    address: str
    title: Markup
    date: Markup
    counts: tuple[KindCount, ...]
    sentence: Markup
    changes: tuple[tuple[str, Markup], ...]
    """The kind of each change, and a link to its term."""
    more: Markup
    """The number of further changes as text; empty if there are none."""
    all_changes: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionBrief:
    """A section as a card."""

    address: str
    heading: str
    count: Markup
    terms: tuple[Markup, ...]
    more: Markup


class Bar(NamedTuple):
    """A release in the chart of changes per release."""

    address: str
    name: str
    title: Markup
    height: int
    """In percent of the highest bar."""


class Chart(NamedTuple):
    """The changes of a source, release by release."""

    source: str
    """Title of the source, if the site has several."""
    bars: tuple[Bar, ...]
    sketch: Sketch | None


class Since(NamedTuple):
    """The releases of a source, for the links to the changes since each."""

    source: str
    """Title of the source, if the site has several."""
    releases: tuple[tuple[str, str], ...]
    """Release name and address of the changes since it, newest first."""


def home(data: PageData) -> Page:
    """Returns the site's first page."""
    writer = Writer(data, urls.root(urls.HOME))
    sources = data.site.sources
    is_small = len(data.current) <= FEW_TERMS
    what = _what(writer)
    charts = tuple(chart for source in sources for chart in _chart(source, writer))
    drawn = next((chart.sketch for chart in charts if chart.sketch), None)
    return Page(
        address=urls.HOME,
        template="pages/home.html",
        title="",
        description=plain(what),
        files=(File(path=urls.CARD, content=card(drawn)),) if data.site.base_url else (),
        context={
            "what": what,
            "covers": tuple(_covers(source, writer) for source in sources),
            "latest": tuple(latest for source in sources for latest in _newest(source, writer)),
            "charts": charts,
            "since": tuple(since for source in sources for since in _since(source, writer)),
            "terms": tuple(map(ListLines(writer).item, data.current)) if is_small else (),
            "sections": tuple(_section(one, writer) for one in data.site.sections.values()),
            "letters": () if is_small else letter_row(data, writer.root),
        },
    )


def _what(writer: Writer) -> Markup:
    """Returns the sentence that introduces the site and its sources."""
    *others, last = [writer.text(source.title) for source in writer.data.site.sources]
    sources = writer.say("and", others=writer.listed(others), last=last) if others else last
    dated = [source for source in writer.data.site.sources if not source.undated and len(source.releases) > 1]
    count = len(writer.data.current)
    if not dated:
        return writer.say("home.what", count, sources=sources)
    first = writer.version(dated[0].releases[0].name)
    key = "home.what-since" if len(dated) == 1 else "home.what-changes"
    return writer.say(key, count, sources=sources, first=first)


def _chart(source: Source, writer: Writer) -> Iterator[Chart]:
    """Yields the chart of changes per release, if there was any change."""
    if source.undated:
        return
    releases = source.releases[-MOST_BARS:]
    changes = {release.name: len(_shown_changes(source, release.name, writer)) for release in releases}
    most = max(changes.values(), default=0)
    if not most:
        return
    yield Chart(
        source=source.title if writer.data.several_sources else "",
        bars=tuple(
            Bar(
                address=urls.release(name),
                name=name,
                title=writer.say("home.bar", count, release=writer.version(name)),
                height=-(-100 * count // most),
            )
            for name, count in changes.items()
        ),
        sketch=sketch(source, writer.data.site),
    )


def _shown_changes(source: Source, release: str, writer: Writer) -> list[Event]:
    events = writer.data.changes.get(release, ())
    return [one for one in events if one.change.source == source.id and one.change.kind in SHOWN_KINDS]


def _covers(source: Source, writer: Writer) -> Markup:
    """Returns a sentence about the releases of a source that were read."""
    if source.undated:
        if source.retrieved is None:
            return writer.say("home.covers-undated", source=source.title)
        return writer.say("home.covers-retrieved", source=source.title, date=writer.data.words.date(source.retrieved))
    if not source.releases:
        return writer.say("home.covers-unread", source=source.title)
    released = [writer.version(release.name) for release in source.releases if not release.unreleased]
    if not released:
        return writer.say("home.covers-unreleased", source=source.title)
    return writer.say("home.covers", len(released), source=source.title, first=released[0], last=released[-1])


def _newest(source: Source, writer: Writer) -> Iterator[Latest]:
    """Yields the newest release, and unreleased ones that have changes."""
    if source.undated:
        return
    for release in [release for release in source.releases if not release.unreleased][-1:]:
        yield _latest(source, release, writer)
    for release in source.releases:
        if release.unreleased:
            coming = _latest(source, release, writer)
            if coming.counts or len(source.releases) == 1:
                yield coming


def _latest(source: Source, release: Release, writer: Writer) -> Latest:
    summary = brief(source, release, writer)
    name = writer.version(release.name)
    several = writer.data.several_sources
    full = writer.say("release.of", source=source.title, release=name) if several else name
    shown = _shown_changes(source, release.name, writer) if summary.counts else []
    more = len(shown) - MOST_CHANGES
    return Latest(
        address=summary.address,
        title=writer.say("home.unreleased" if release.unreleased else "home.latest", release=full),
        date=summary.date,
        counts=summary.counts,
        sentence=summary.sentence,
        changes=tuple((one.change.kind, writer.term(one.key)) for one in shown[:MOST_CHANGES]),
        more=writer.say("home.more", more) if more > 0 else Markup(),
        all_changes=writer.all_changes(release.name),
    )


def _since(source: Source, writer: Writer) -> Iterator[Since]:
    if source.undated or not source.releases:
        return
    names = [release.name for release in source.releases]
    older = names[: names.index(latest(source))]
    if older:
        title = source.title if writer.data.several_sources else ""
        yield Since(source=title, releases=tuple((name, urls.comparison(name)) for name in reversed(older)))


def _section(section: Section, writer: Writer) -> SectionBrief:
    named = section.lives[:MOST_TERMS] if len(writer.data.site.sections) <= MOST_SECTIONS else ()
    more = len(section.lives) - len(named) if named else 0
    return SectionBrief(
        address=urls.section(section.heading),
        heading=section.heading,
        count=writer.say("terms", len(section.lives)),
        terms=tuple(writer.term(life.key) for life in named),
        more=writer.say("home.more", more) if more > 0 else Markup(),
    )
