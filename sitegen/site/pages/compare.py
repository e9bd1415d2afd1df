"""Comparisons of two releases: the page with the selection, and the pages of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Source
from sitegen.site.comparisons import COMPARED, Pair, latest, pairs
from sitegen.site.pages.changes import ChangeListing, ChangesOfKind, KindCount, counts
from sitegen.site.pages.overview import NOTHING, Ends, PageGroup, ReleaseDifference, Whole
from sitegen.site.pages.page import Page, PageData, Writer

PAIRS_PER_GROUP = 32
"""Number of neighbouring releases whose comparisons with the latest are one group: they list nearly the same."""


class Option(NamedTuple):
    """A release in the two selections, and whether it is selected initially."""

    name: str
    is_older: bool = False
    is_newer: bool = False


class ReleaseChoice(NamedTuple):
    """A source's releases, newest first, and the pages of each pair that has one."""

    title: str
    """Empty if there is no other source."""
    options: tuple[Option, ...]
    data: str
    ways: tuple[tuple[Markup, ...], ...]
    """For each release, links to the changes since it and to the changes in it."""


class SourceChanges(NamedTuple):
    """The changes in one source."""

    source: str
    span: Markup
    sentence: Markup
    """The text if no change can be listed."""
    unknown: Markup
    counts: tuple[KindCount, ...]
    kinds: tuple[ChangesOfKind, ...]
    mark: str
    """The suffix that makes its HTML ids unique."""


def compare(whole: Whole) -> Iterator[PageGroup]:
    """Yields the page with the selection, and the page of each pair."""
    yield PageGroup(make=partial(_chooser, whole.data))
    every = pairs(whole.data.site)
    since = [pair for pair in every if not pair.newer]
    for start in range(0, len(since), PAIRS_PER_GROUP):
        yield PageGroup(make=partial(_pairs, since[start : start + PAIRS_PER_GROUP], whole))
    for pair in every:
        if pair.newer:
            yield PageGroup(name=urls.comparison(pair.older, pair.newer), make=partial(_pairs, [pair], whole))


def _chooser(data: PageData) -> Iterator[Page]:
    writer = Writer(data, urls.root(urls.COMPARE))
    title = writer.say("compare.title")
    dated = [source for source in data.site.sources if not source.undated and source.releases]
    first = next((source for source in dated if len(source.releases) > 1), None)
    yield Page(
        address=urls.COMPARE,
        template="pages/compare.html",
        title=title,
        description=writer.say("compare.description", site=data.site.title).unescape(),
        context={
            "choices": tuple(_choice(source, writer, is_first=source is first) for source in dated if first),
            "kinds": COMPARED,
        },
    )


def _choice(source: Source, writer: Writer, *, is_first: bool) -> ReleaseChoice:
    names = [release.name for release in source.releases]
    before = dict(zip(names[1:], names, strict=False))
    return ReleaseChoice(
        title=source.title if writer.data.several_sources else "",
        options=tuple(
            Option(name=name, is_older=is_first and number == 1, is_newer=is_first and number == 0)
            for number, name in enumerate(reversed(names))
        ),
        data=urls.comparison_data(source.id),
        ways=tuple(tuple(_ways(name, before.get(name), source, writer)) for name in reversed(names)),
    )


def _ways(name: str, before: str | None, source: Source, writer: Writer) -> Iterator[Markup]:
    if name != latest(source):
        yield since(name, writer)
    if before is not None:
        text = writer.say("compare.pair", older=writer.version(before), newer=writer.version(name))
        yield writer.link(text, urls.comparison(before, name))


def since(release: str, writer: Writer) -> Markup:
    """Returns a link to the changes since a release."""
    return writer.link(writer.say("compare.since", release=writer.version(release)), urls.comparison(release))


def _pairs(several: Sequence[Pair], whole: Whole) -> Iterator[Page]:
    """Yields the pages of pairs, which must all have the same folder depth."""
    dated = [source for source in whole.data.site.sources if not source.undated]
    listing = ChangeListing(Writer(whole.data, urls.root(urls.comparison(several[0].older, several[0].newer))))
    for pair in several:
        yield _pair(pair, [source for source in dated if pair.is_in(source)], listing, whole.differences)


def _pair(
    pair: Pair, among: list[Source], listing: ChangeListing, differences: Mapping[Ends, ReleaseDifference]
) -> Page:
    writer = listing.writer
    parts = tuple(_part(number, pair, source, listing, differences) for number, source in enumerate(among, start=1))
    older, newer = pair.ends(among[0])
    heading = _heading(pair, older, newer, writer)
    return Page(
        address=urls.comparison(pair.older, pair.newer),
        template="pages/compare-pair.html",
        title=heading.striptags(),
        description=_description(heading, parts, writer.data),
        context={
            "heading": heading,
            "parts": parts,
            "ways": (
                writer.link(writer.say("compare.others"), urls.chosen_comparison(older, newer)),
                writer.all_changes(newer),
            ),
        },
    )


def _heading(pair: Pair, older: str, newer: str, writer: Writer) -> Markup:
    if not pair.newer:
        return writer.say("compare.since", release=writer.version(older))
    return writer.say("compare.pair", older=writer.version(older), newer=writer.version(newer))


def _description(heading: Markup, parts: tuple[SourceChanges, ...], data: PageData) -> str:
    summary = data.words.listed([count.text for part in parts for count in part.counts])
    return f"{data.site.title}: {heading.striptags()}. {summary.striptags()}".strip()


def _part(
    number: int, pair: Pair, source: Source, listing: ChangeListing, differences: Mapping[Ends, ReleaseDifference]
) -> SourceChanges:
    writer, (older, newer) = listing.writer, pair.ends(source)
    sentence = _why_not(source, older, newer, writer)
    found = NOTHING if sentence else differences[source.id, older, newer]
    events = found.events
    if not sentence and not events:
        sentence = writer.say("compare.none", older=writer.version(older), newer=writer.version(newer))
    return SourceChanges(
        source=source.title if writer.data.several_sources else "",
        span=writer.say("table.span", first=_dated(source, older, writer), last=_dated(source, newer, writer)),
        sentence=sentence,
        unknown=writer.say("compare.unknown", found.unknown) if found.unknown else Markup(),
        counts=counts(events, writer),
        kinds=listing.by_kind(events, since=older),
        mark=f"-{number}" if number > 1 else "",
    )


def _why_not(source: Source, older: str, newer: str, writer: Writer) -> Markup:
    """Returns the reason why two releases cannot be compared; empty if they can."""
    if older == newer:
        return writer.say("compare.latest", release=writer.version(older))
    unread = [name for name in (older, newer) if (source.id, name) in writer.data.unread]
    return writer.say("compare.unread", releases=writer.versions(unread)) if unread else Markup()


def _dated(source: Source, release: str, writer: Writer) -> Markup:
    date = writer.date(source.id, release)
    name = writer.version_of(source, release)
    return writer.say("compare.dated", release=name, date=date) if date else name
