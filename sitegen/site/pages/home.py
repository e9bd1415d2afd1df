"""The first page: an introduction, the search, changes by release, the newest changes, and sections
or terms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Release, Source, grouped
from sitegen.model.terms import CHANGES, COMPARED, MARKS, ChangeKind, Mark
from sitegen.site.comparisons import Event, latest
from sitegen.site.messages import plain
from sitegen.site.pages import letters
from sitegen.site.pages.change_texts import counts, legend
from sitegen.site.pages.lists import ListLines, TermLine
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.releases import release_summary

MOST_TERMS = 6
"""Maximum number of terms of a section, or of a kind of change in the newest release, that are
named."""
FEW_TERMS = 60
"""A glossary of this many terms or fewer is shown whole."""
MOST_BARS = 20
"""Maximum number of releases in the chart; the newest are shown, on a phone fewer of them."""
HIGHEST = 85
"""The height of the highest bar in percent of the chart; its number stands above it."""


class Bar(NamedTuple):
    """A release in the chart of changes."""

    address: str
    name: Markup
    counts: Markup
    """The number of changes of each kind, as text."""
    changes: int
    """The number of all changes."""
    parts: tuple[tuple[Mark, int, int], ...]
    """A mark, and the top and the height of its changes in percent, from the ground up."""

    @property
    def top(self) -> int:
        return self.parts[-1][1]


def home(data: PageData) -> Page:
    """Returns the site's first page."""
    writer, site = Writer(data, urls.root(urls.HOME)), data.site
    introduction = _introduction(writer)
    releases: list[Mapping[str, object]] = []
    charts, since = [], []
    kinds: set[str] = set()
    for source in site.dated_sources:
        releases += _latest_releases(source, writer)
        charted = _charted(source, writer)
        if any(charted.values()):
            charts.append(_chart(source, charted, writer))
        for events in charted.values():
            kinds.update([event.change.kind for event in events])
        if earlier := _since(source, writer):
            since.append((data.title_if_several(source), earlier))
    terms: list[TermLine] = []
    if len(data.current) <= FEW_TERMS:
        terms += map(ListLines(writer).line, data.current)
    return Page(
        address=urls.HOME,
        template="pages/home.html",
        title="",
        description=plain(introduction),
        context={
            "what": introduction,
            "covers": [_covers(source, writer) for source in site.sources],
            "latest": releases,
            "charts": charts,
            "legend": legend(kinds, writer),
            "since": since,
            "terms": terms,
            "sections": list(_sections(writer)),
            "letters": letters.links_to_anchors(site, writer.root),
        },
    )


def _introduction(writer: Writer) -> Markup:
    """Returns the sentence that introduces the site."""
    count = len(writer.data.current)
    sources = writer.site.dated_sources
    firsts = [source.releases[0].name for source in sources if len(source.releases) > 1]
    if len(firsts) == 1:
        return writer.say("home.what-since", count, first=writer.version(firsts[0]))
    return writer.say("home.what-changes" if firsts else "home.what", count)


def _covers(source: Source, writer: Writer) -> Markup:
    """Returns the title of a source with its published releases, or the day on which it was
    retrieved."""
    title = source.title
    if source.undated and source.retrieved:
        date = writer.words.date(source.retrieved)
        return writer.say("home.covers-retrieved", source=title, date=date)
    if source.undated:
        return writer.text(title)
    released = [writer.version(one.name) for one in source.releases if not one.unreleased]
    if not released:
        key = "home.covers-unreleased" if source.releases else "home.covers-unread"
        return writer.say(key, source=title)
    first, last = released[0], released[-1]
    return writer.say("home.covers", len(released), source=title, first=first, last=last)


def _shown_changes(source: Source, release: str, writer: Writer) -> list[Event]:
    events = writer.data.changes.get((source.id, release), ())
    return [event for event in events if event.change.kind in COMPARED]


def _charted(source: Source, writer: Writer) -> Mapping[str, Sequence[Event]]:
    """Returns the changes of each release in the chart of a source, newest first."""
    names = [release.name for release in source.releases[-MOST_BARS:]]
    return {name: _shown_changes(source, name, writer) for name in reversed(names)}


def _chart(
    source: Source, changes: Mapping[str, Sequence[Event]], writer: Writer
) -> Mapping[str, object]:
    """Returns the chart of changes by release."""
    most = max(map(len, changes.values()))
    return {
        "source": writer.data.title_if_several(source),
        "bars": [_bar(name, events, most, writer) for name, events in changes.items()],
    }


def _bar(name: str, events: Sequence[Event], most: int, writer: Writer) -> Bar:
    """Returns the bar of a release. `most` is the number of changes of the highest bar."""
    marks = Counter([MARKS[event.change.kind] for event in events])
    parts, count, below = [], 0, 0
    for mark in dict.fromkeys(MARKS.values()):
        if mark not in marks:
            continue
        count += marks[mark]
        height = math.ceil(HIGHEST * count / most)
        parts.append((mark, 100 - height, height - below))
        below = height
    return Bar(
        address=urls.release(name),
        name=writer.version(name),
        counts=writer.listed(counts(events, writer).values()),
        changes=count,
        parts=tuple(parts),
    )


def _latest_releases(source: Source, writer: Writer) -> Iterator[Mapping[str, object]]:
    """Yields the newest release, and unreleased ones that have changes; none if the only release
    is shown by the whole page."""
    released = [release for release in source.releases if not release.unreleased]
    unreleased = [release for release in source.releases if release.unreleased]
    is_only = len(source.releases) == 1
    for release in (*released[-1:], *unreleased):
        is_unread = (source.id, release.name) in writer.data.unread
        if is_only and not release.unreleased and not is_unread:
            continue
        facts = _latest(source, release, writer)
        if facts["counts"] or not release.unreleased or is_only:
            yield facts


def _latest(source: Source, release: Release, writer: Writer) -> Mapping[str, object]:
    """Returns a release of a source in brief, with its first changes."""
    summary = release_summary(source, release, writer)
    title = writer.version(release.name)
    if writer.data.several_sources:
        title = writer.say("release.of", source=source.title, release=title)
    if release.unreleased:
        title = writer.say("home.unreleased", release=title)
    elif len(source.releases) > 1:
        title = writer.say("home.latest", release=title)
    changes = []
    if summary["counts"]:
        events = _shown_changes(source, release.name, writer)
        changes = list(_changes_by_kind(events, release.name, writer))
    return {**summary, "title": title, "changes": changes}


def _changes_by_kind(
    events: Sequence[Event], release: str, writer: Writer
) -> Iterator[tuple[ChangeKind, Markup]]:
    """Yields each kind of change in a release, with links to its first terms."""
    keys_of = grouped((event.change.kind, event.key) for event in events)
    for kind in CHANGES:
        keys = keys_of.get(kind, ())
        terms = [_changed_term(key, writer) for key in keys[:MOST_TERMS]]
        if more := _more(len(keys) - MOST_TERMS, writer):
            terms.append(writer.link(more, urls.release(release)))
        if terms:
            yield kind, writer.listed(terms)


def _changed_term(key: str, writer: Writer) -> Markup:
    """Returns a link to a term, and where it differs from another term of its name."""
    term, setting = writer.term(key), writer.site.setting(key)
    if setting:
        term += Markup(' <span class="item-aside">{}</span>').format(writer.text(setting))
    return term


def _since(source: Source, writer: Writer) -> list[tuple[Markup, str]]:
    """Returns the releases before the latest, newest first, each with the address of the changes
    since it."""
    names = [release.name for release in source.releases]
    if not names:
        return []
    earlier = names[: names.index(latest(source))]
    return [(writer.version(name), urls.comparison(name)) for name in reversed(earlier)]


def _sections(writer: Writer) -> Iterator[Mapping[str, object]]:
    """Yields each section with its first terms, and last the terms of no section, if there are
    sections."""
    in_sections: set[str] = set()
    for section in writer.site.sections.values():
        keys = [life.key for life in section.lives]
        in_sections.update(keys)
        address = urls.section(section.heading)
        yield _section(writer.link(section.heading, address), keys, address, writer)
    others = [life.key for life in writer.data.current if life.key not in in_sections]
    if in_sections and others:
        yield _section(writer.say("home.no-section"), others, urls.A_TO_Z, writer)


def _section(
    heading: Markup, keys: Sequence[str], address: str, writer: Writer
) -> Mapping[str, object]:
    """Returns a row of the list of sections. The terms that it does not name are at `address`."""
    terms = [writer.term(key) for key in keys[:MOST_TERMS]]
    if more := _more(len(keys) - MOST_TERMS, writer):
        terms.append(writer.link(more, address))
    return {
        "heading": heading,
        "count": writer.say("terms", len(keys)),
        "terms": writer.listed(terms),
    }


def _more(number: int, writer: Writer) -> Markup:
    """Returns how many more there are; empty if there are none."""
    return writer.say("home.more", number) if number > 0 else Markup()
