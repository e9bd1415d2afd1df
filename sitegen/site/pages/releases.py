"""The list of releases, and a page with the changes of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Release, Source
from sitegen.site.comparisons import Event, latest
from sitegen.site.messages import plain
from sitegen.site.pages.changes import ChangeListing, KindCount, counts
from sitegen.site.pages.compare import since
from sitegen.site.pages.overview import PageGroup
from sitegen.site.pages.page import Page, PageData, Writer


class Brief(NamedTuple):
    """A release in a list."""

    address: str
    name: str
    date: Markup
    counts: tuple[KindCount, ...]
    unreleased: bool
    sentence: Markup
    """The text if there are no counts: nothing changed, the first release, or an unreadable one."""


class SourceReleases(NamedTuple):
    """The releases of a source, newest first."""

    title: str
    releases: tuple[Brief, ...]


class SourceFact(NamedTuple):
    """The facts of one source about a release."""

    source: str
    date: Markup
    link: str
    unreleased: bool
    sentence: Markup


class Neighbours(NamedTuple):
    """The names of the previous and the next release, or empty."""

    previous: str = ""
    following: str = ""


def releases(data: PageData) -> Iterator[PageGroup]:
    """Yields the list of releases and the page of each."""
    yield PageGroup(make=partial(_list, data))
    for name in data.site.release_names():
        yield PageGroup(name=urls.release(name), make=partial(_release, name, data))


def _list(data: PageData) -> Iterator[Page]:
    writer = Writer(data, urls.root(urls.RELEASES))
    title = writer.say("releases.title")
    sources = tuple(
        SourceReleases(
            title=source.title if data.several_sources else "",
            releases=tuple(brief(source, release, writer) for release in reversed(source.releases)),
        )
        for source in data.site.sources
        if not source.undated
    )
    yield Page(address=urls.RELEASES, template="pages/releases.html", title=title, context={"sources": sources})


def brief(source: Source, release: Release, writer: Writer) -> Brief:
    """Returns a release of a source for a list."""
    events = _of(source, release.name, writer.data)
    sentence = _sentence(source, release.name, events, writer)
    return Brief(
        address=urls.release(release.name),
        name=release.name,
        date=writer.date(source.id, release.name),
        counts=() if sentence else counts(events, writer),
        unreleased=release.unreleased,
        sentence=sentence,
    )


def _of(source: Source, release: str, data: PageData) -> tuple[Event, ...]:
    return tuple(event for event in data.changes.get(release, ()) if event.change.source == source.id)


def _sentence(source: Source, release: str, events: tuple[Event, ...], writer: Writer) -> Markup:
    version = writer.version(release)
    if (source.id, release) in writer.data.unread:
        return writer.say("release.unread", source=source.title, release=version)
    if not events:
        return writer.say("release.none", release=version)
    read = (one.name for one in source.releases if (source.id, one.name) not in writer.data.unread)
    if release == next(read) and all(event.change.kind == "first-read" for event in events):
        key = "release.first-unreleased" if release in source.unreleased else "release.first"
        return writer.say(key, len(events), release=version)
    return Markup()


def _neighbours(sources: Iterable[Source]) -> dict[str, Neighbours]:
    """Returns each release's neighbours in the first source that has it."""
    found: dict[str, Neighbours] = {}
    for source in sources:
        names = ["", *(release.name for release in source.releases), ""]
        for (previous, name), (_, following) in pairwise(pairwise(names)):
            found.setdefault(name, Neighbours(previous=previous, following=following))
    return found


def _release(name: str, data: PageData) -> Iterator[Page]:
    writer, events = Writer(data, urls.root(urls.release(name))), data.changes.get(name, ())
    facts = tuple(_fact(source, release, writer) for source, release in data.site.releases(name))
    summary = counts(events, writer)
    summary_text = writer.listed(count.text for count in summary)
    has_feed = data.site.base_url and name in data.site.days_of_releases
    yield Page(
        address=urls.release(name),
        template="pages/release.html",
        title=plain(writer.say("release.title", release=writer.version(name))),
        description=f"{data.site.title} {name}: {plain(summary_text)}" if summary_text else "",
        context={
            "heading": writer.say("release.title", release=writer.version(name)),
            "data": "index.json" if name in data.site.releases_out else "",
            "feed": urls.feed(urls.release(name)) if has_feed else "",
            "facts": facts,
            "whole": _whole(name, writer),
            "counts": summary if not any(fact.sentence for fact in facts) or len(facts) > 1 else (),
            "kinds": ChangeListing(writer).by_kind(events),
            "neighbours": _neighbours(data.site.sources)[name],
            "since": since(name, writer)
            if any(latest(source) != name for source, _ in data.site.releases(name))
            else "",
        },
    )


def _whole(release: str, writer: Writer) -> Markup:
    """Returns a link to the glossary as of a release; empty if the release could not be read."""
    if all((source.id, release) in writer.data.unread for source, _ in writer.data.site.releases(release)):
        return Markup()
    return writer.link(writer.say("as-of.title", release=writer.version(release)), urls.release_terms(release))


def _fact(source: Source, release: Release, writer: Writer) -> SourceFact:
    return SourceFact(
        source=source.title if writer.data.several_sources else "",
        date=writer.date(source.id, release.name),
        link=release.link if release.link.startswith(("https://", "http://")) else "",
        unreleased=release.unreleased,
        sentence=_sentence(source, release.name, _of(source, release.name, writer.data), writer),
    )
