"""The first page: search, what is new, the sections, the letters, and what the site covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Release, Source
from sitegen.site.comparisons import latest
from sitegen.site.messages import plain
from sitegen.site.pages.changes import Count
from sitegen.site.pages.lists import letter_row
from sitegen.site.pages.page import Desk, Page, Pen
from sitegen.site.pages.releases import brief
from sitegen.site.site import Section

MANY = 24
"""Above so many terms, a section is cut short."""

TELLING = frozenset({"added", "reworded", "renamed", "deprecated", "removed", "restored", "merged", "split"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Latest:
    """A source's newest release in brief."""

    address: str
    title: Markup
    date: Markup
    counts: tuple[Count, ...]
    sentence: Markup
    terms: tuple[Markup, ...]
    """Links to the terms that changed most tellingly, not too many."""
    all_changes: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionBrief:
    address: str
    heading: str
    terms: tuple[Markup, ...]
    more: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """The releases of a source since which something may have changed."""

    source: str
    """Title of the source, where the site has several."""
    releases: tuple[tuple[str, str], ...]
    """Name and address of what changed since, newest first."""


def home(desk: Desk) -> Page:
    """Returns the site's first page."""
    pen = Pen(desk, urls.root(urls.HOME))
    covers = tuple(_covers(source, pen) for source in desk.site.sources)
    return Page(
        address=urls.HOME,
        template="pages/home.html",
        title="",
        description=plain(pen.say("terms", len(desk.current))),
        context={
            "terms": pen.say("terms", len(desk.current)),
            "covers": covers,
            "latest": tuple(latest for source in desk.site.sources for latest in _newest(source, pen)),
            "since": tuple(since for source in desk.site.sources for since in _since(source, pen)),
            "sections": tuple(_section(section, pen) for section in desk.site.sections.values()),
            "letters": letter_row(desk, pen.root),
        },
    )


def _covers(source: Source, pen: Pen) -> Markup:
    """What of a source is read, in one sentence."""
    if source.undated:
        if source.retrieved is None:
            return pen.say("home.covers-undated", source=source.title)
        return pen.say("home.covers-retrieved", source=source.title, date=pen.desk.words.date(source.retrieved))
    if not source.releases:
        return pen.say("home.covers-unread", source=source.title)
    released = [pen.version(release.name) for release in source.releases if not release.unreleased]
    if not released:
        return pen.say("home.covers-unreleased", source=source.title)
    return pen.say("home.covers", len(released), source=source.title, first=released[0], last=released[-1])


def _newest(source: Source, pen: Pen) -> Iterator[Latest]:
    """The newest release, and what is still to come where that holds anything new."""
    if source.undated:
        return
    for release in [release for release in source.releases if not release.unreleased][-1:]:
        yield _latest(source, release, pen)
    for release in source.releases:
        if release.unreleased:
            coming = _latest(source, release, pen)
            if coming.counts or len(source.releases) == 1:
                yield coming


def _latest(source: Source, release: Release, pen: Pen) -> Latest:
    summary = brief(source, release, pen)
    name = pen.version(release.name)
    several = pen.desk.several_sources
    full = pen.say("release.of", source=source.title, release=name) if several else name
    return Latest(
        address=summary.address,
        title=pen.say("home.unreleased" if release.unreleased else "home.latest", release=full),
        date=summary.date,
        counts=summary.counts,
        sentence=summary.sentence,
        terms=_changed(source, release.name, pen) if summary.counts else (),
        all_changes=pen.all_changes(release.name),
    )


def _changed(source: Source, release: str, pen: Pen) -> tuple[Markup, ...]:
    events = (event for event in pen.desk.changes[release] if event.change.source == source.id)
    changed = dict.fromkeys(event.key for event in events if event.change.kind in TELLING)
    return tuple(pen.term(key) for key in islice(changed, MANY))


def _since(source: Source, pen: Pen) -> Iterator[Since]:
    if source.undated or not source.releases:
        return
    names = [release.name for release in source.releases]
    older = names[: names.index(latest(source))]
    if older:
        title = source.title if pen.desk.several_sources else ""
        yield Since(source=title, releases=tuple((name, urls.comparison(name)) for name in reversed(older)))


def _section(section: Section, pen: Pen) -> SectionBrief:
    more = len(section.lives) - MANY
    return SectionBrief(
        address=urls.section(section.heading),
        heading=section.heading,
        terms=tuple(pen.term(life.key) for life in section.lives[:MANY]),
        more=pen.say("home.more", more) if more > 0 else Markup(),
    )
