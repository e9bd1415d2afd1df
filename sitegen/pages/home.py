"""The first page: search, what is new, the sections, the letters, and what the site covers."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from sitegen import urls
from sitegen.model import Life, Source
from sitegen.pages.changes import Count
from sitegen.pages.lists import letters
from sitegen.pages.page import Desk, Page, Pen
from sitegen.pages.releases import brief
from sitegen.site import Section

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


def home(desk: Desk) -> Page:
    """Returns the site's first page."""
    pen = Pen(desk, urls.root(urls.HOME))
    covers = tuple(_covers(source, pen) for source in desk.site.sources)
    return Page(
        address=urls.HOME,
        template="pages/home.html",
        title="",
        description=pen.say("terms", len(desk.current)).unescape(),
        context={
            "terms": pen.say("terms", len(desk.current)),
            "covers": covers,
            "latest": tuple(_latest(source, pen) for source in desk.site.sources if not source.undated),
            "sections": tuple(_section(section, pen) for section in desk.site.sections.values()),
            "letters": letters(desk.site),
        },
    )


def _covers(source: Source, pen: Pen) -> Markup:
    """What of a source is read, in one sentence."""
    if source.undated:
        if source.retrieved is None:
            return pen.say("home.covers-undated", source=source.title)
        return pen.say("home.covers-retrieved", source=source.title, date=pen.desk.words.date(source.retrieved))
    first, last = (pen.version(source.releases[place].name) for place in (0, -1))
    return pen.say("home.covers", len(source.releases), source=source.title, first=first, last=last)


def _latest(source: Source, pen: Pen) -> Latest:
    release = source.releases[-1]
    summary = brief(source, release, pen)
    name = pen.version(release.name)
    several = pen.desk.several_sources
    full = pen.say("release.of", source=source.title, release=name) if several else name
    return Latest(
        address=summary.address,
        title=pen.say("home.latest", release=full),
        date=summary.date,
        counts=summary.counts,
        sentence=summary.sentence,
        terms=_changed(source, release.name, pen) if summary.counts else (),
        all_changes=pen.all_changes(release.name),
    )


def _changed(source: Source, release: str, pen: Pen) -> tuple[Markup, ...]:
    lives: dict[str, Life] = {}
    for life, change in pen.desk.changes[release]:
        if change.source == source.id and change.kind in TELLING:
            lives[life.key] = life
    return tuple(pen.term(key) for key in list(lives)[:MANY])


def _section(section: Section, pen: Pen) -> SectionBrief:
    more = len(section.lives) - MANY
    return SectionBrief(
        address=urls.section(section.heading),
        heading=section.heading,
        terms=tuple(pen.term(life.key) for life in section.lives[:MANY]),
        more=pen.say("home.more", more) if more > 0 else Markup(),
    )
