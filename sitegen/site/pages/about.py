"""About and sources: what was read and what could not be, how renames were decided, what was odd."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Edition, Release, Skipped, Source
from sitegen.model.terms import Change, Life
from sitegen.site.pages.connect import downloads, uses
from sitegen.site.pages.page import Desk, Page, Pen

FEW = 5
"""Of what was not read, so many are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRow:
    """One release as it was read."""

    name: Markup
    date: Markup
    files: tuple[str, ...]
    unread: tuple[str, ...]
    terms: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFacts:
    title: str
    address: str
    licence: str
    note: str
    undated: bool
    history: Markup
    """What its history is worth, where that is not obvious."""
    gaps: Markup
    skipped: tuple[Markup, ...]
    """What of it is not read, and why."""
    releases: tuple[ReleaseRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A rename or a merger, and how it was decided."""

    what: Markup
    why: Markup


def about(desk: Desk) -> Page:
    """Returns the page about the site and its sources."""
    pen = Pen(desk, urls.root(urls.ABOUT))
    return Page(
        address=urls.ABOUT,
        template="pages/about.html",
        title=pen.say("about.title"),
        context={
            "note": desk.site.note,
            "sources": tuple(_facts(source, pen) for source in desk.site.sources),
            "decisions": tuple(_decisions(pen)),
            "moved": tuple(one for one in desk.site.kept if one.row.kind == "site"),
            "problems": desk.site.problems,
            "downloads": downloads(pen),
            "uses": uses(pen),
        },
    )


def _facts(source: Source, pen: Pen) -> SourceFacts:
    editions = {edition.release: edition for edition in pen.desk.site.editions[source.id]}
    return SourceFacts(
        title=source.title,
        address=source.url if source.url.startswith(("https://", "http://")) else "",
        licence=source.licence,
        note=source.note,
        undated=source.undated,
        history=_history(source, pen),
        gaps=_gaps(source, pen),
        skipped=tuple(_skipped(skipped, pen) for skipped in source.skipped),
        releases=tuple(
            _row(release, editions.get(release.name), source, pen) for release in reversed(source.releases)
        ),
    )


def _history(source: Source, pen: Pen) -> Markup:
    if source.undated and source.retrieved:
        return pen.say("about.retrieved", date=pen.desk.words.date(source.retrieved))
    if source.undated:
        return pen.say("about.undated")
    return pen.say("about.complete") if source.complete else Markup()


def _gaps(source: Source, pen: Pen) -> Markup:
    if source.undated:
        return Markup()
    gaps = [release.name for release in source.releases if (source.id, release.name) in pen.desk.unread]
    return pen.say("about.gap", releases=pen.versions(gaps)) if gaps else Markup()


def _skipped(skipped: Skipped, pen: Pen) -> Markup:
    names = pen.versions(skipped.names[:FEW])
    if len(skipped.names) > FEW:
        names += " …"
    return pen.say(f"about.skipped.{skipped.reason}", len(skipped.names), names=names)


def _row(release: Release, edition: Edition | None, source: Source, pen: Pen) -> ReleaseRow:
    return ReleaseRow(
        name=pen.link(pen.version_of(source, release.name), urls.release(release.name)),
        date=pen.date(source.id, release.name),
        files=edition.documents if edition else (),
        unread=edition.unread if edition else (),
        terms=pen.say("terms", len(edition.entries) if edition else 0),
    )


def _decisions(pen: Pen) -> Iterator[Decision]:
    for life in pen.desk.site.lives:
        for _, changes in groupby(life.changes, key=lambda change: (change.source, change.release)):
            change = next((change for change in changes if change.identity), None)
            if change:
                yield _decision(life, change, pen)


def _decision(life: Life, change: Change, pen: Pen) -> Decision:
    assert change.before and change.identity
    reason = change.identity.reason
    return Decision(
        what=pen.say(
            "about.merge" if change.kind == "merged" else "about.rename",
            before=change.before.name,
            term=pen.term(change.other or life.key),
            source=pen.desk.titles[change.source],
            release=pen.release(change.release),
        ),
        why=pen.say(f"about.rule.{change.identity.rule}" + ("-why" if reason else ""), reason=reason),
    )
