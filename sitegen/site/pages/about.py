"""The page about the site: sources, releases, unread files, decisions about renames, problems and downloads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Edition, Release, Skipped, Source
from sitegen.model.terms import Change, Life
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.site import Site

FORMS = {
    urls.DATA: "form.data",
    urls.SCHEMA: "form.schema",
    urls.SHEET: "form.sheet",
    urls.TURTLE: "form.turtle",
    urls.JSON_LD: "form.json-ld",
    urls.TBX: "form.tbx",
    urls.DEFINED_TERMS: "form.defined-terms",
    urls.RENAMES: "form.renames",
    urls.LLMS: "form.llms",
}
"""The addresses of the downloads to the keys of their descriptions."""


class Download(NamedTuple):
    address: str
    what: Markup


class Snippet(NamedTuple):
    """A snippet for another page or a setting."""

    sentence: Markup
    code: str


def downloads(writer: Writer) -> tuple[Download, ...]:
    """Returns the downloads."""
    files = {**FORMS, **({urls.feed(urls.HOME): "form.feed"} if writer.data.site.base_url else {})}
    return tuple(Download(address=address, what=writer.say(key)) for address, key in files.items())


def uses(writer: Writer) -> tuple[Snippet, ...]:
    """Returns the snippets; none for a site without a base_url."""
    base = writer.data.site.base_url
    if not base:
        return ()
    role = Markup("<code>:term:</code>")
    script = f'<script src="{base}{urls.EMBED}" defer></script>'
    return (
        Snippet(sentence=writer.say("use.sphinx", role=role), code=_mapping(writer.data.site)),
        Snippet(sentence=writer.say("use.cards"), code=script),
        Snippet(sentence=writer.say("use.autolinks", example=Markup("<code>TERM-…</code>")), code=_autolink(base)),
    )


def _mapping(site: Site) -> str:
    """Returns an intersphinx setting for all terms, and for the latest release of the first source."""
    places = [("glossary", site.base_url)]
    for source in site.sources[:1]:
        out = [release.name for release in source.releases if release.name in site.releases_out]
        places += [(f"glossary-{urls.release_slug(name)}", site.base_url + urls.release(name)) for name in out[-1:]]
    lines = (f'    "{name}": ("{address}", None),' for name, address in places)
    return "\n".join(("intersphinx_mapping = {", *lines, "}"))


def _autolink(base: str) -> str:
    """Returns an autolink for a repository's settings on GitHub, whose references allow the characters of slugs."""
    return f"TERM-    {base}{urls.term('<num>')}"


FEW = 5
"""Maximum number of skipped or unread releases that are named."""


class ReleaseRow(NamedTuple):
    """One release as it was read."""

    name: Markup
    date: Markup
    files: tuple[str, ...]
    unread: tuple[str, ...]
    terms: Markup


class SourceFacts(NamedTuple):
    title: str
    address: str
    licence: str
    note: str
    undated: bool
    history: Markup
    """A note about the reliability of its history; empty for an ordinary source."""
    gaps: Markup
    skipped: tuple[Markup, ...]
    """The parts of the source that are not read, and why."""
    releases: tuple[ReleaseRow, ...]


class Decision(NamedTuple):
    """A rename or a merger, and how it was decided."""

    what: Markup
    why: Markup


def about(data: PageData) -> Page:
    """Returns the page about the site and its sources."""
    writer = Writer(data, urls.root(urls.ABOUT))
    return Page(
        address=urls.ABOUT,
        template="pages/about.html",
        title=writer.say("about.title"),
        context={
            "note": data.site.note,
            "sources": tuple(_facts(source, writer) for source in data.site.sources),
            "decisions": tuple(_decisions(writer)),
            "moved": tuple(one for one in data.site.kept if one.row.kind == "site"),
            "problems": data.site.problems,
            "downloads": downloads(writer),
            "uses": uses(writer),
        },
    )


def _facts(source: Source, writer: Writer) -> SourceFacts:
    editions = {edition.release: edition for edition in writer.data.site.editions[source.id]}
    return SourceFacts(
        title=source.title,
        address=source.url if source.url.startswith(("https://", "http://")) else "",
        licence=source.licence,
        note=source.note,
        undated=source.undated,
        history=_history(source, writer),
        gaps=_gaps(source, writer),
        skipped=tuple(_skipped(skipped, writer) for skipped in source.skipped),
        releases=tuple(
            _row(release, editions.get(release.name), source, writer) for release in reversed(source.releases)
        ),
    )


def _history(source: Source, writer: Writer) -> Markup:
    if source.undated and source.retrieved:
        return writer.say("about.retrieved", date=writer.data.words.date(source.retrieved))
    if source.undated:
        return writer.say("about.undated")
    return writer.say("about.complete") if source.complete else Markup()


def _gaps(source: Source, writer: Writer) -> Markup:
    if source.undated:
        return Markup()
    gaps = [release.name for release in source.releases if (source.id, release.name) in writer.data.unread]
    return writer.say("about.gap", releases=writer.versions(gaps)) if gaps else Markup()


def _skipped(skipped: Skipped, writer: Writer) -> Markup:
    names = writer.versions(skipped.names[:FEW])
    if len(skipped.names) > FEW:
        names += " …"
    return writer.say(f"about.skipped.{skipped.reason}", len(skipped.names), names=names)


def _row(release: Release, edition: Edition | None, source: Source, writer: Writer) -> ReleaseRow:
    return ReleaseRow(
        name=writer.link(writer.version_of(source, release.name), urls.release(release.name)),
        date=writer.date(source.id, release.name),
        files=edition.documents if edition else (),
        unread=edition.unread if edition else (),
        terms=writer.say("terms", len(edition.entries) if edition else 0),
    )


def _decisions(writer: Writer) -> Iterator[Decision]:
    for life in writer.data.site.lives:
        for _, changes in groupby(life.changes, key=lambda change: (change.source, change.release)):
            change = next((change for change in changes if change.identity), None)
            if change:
                yield _decision(life, change, writer)


def _decision(life: Life, change: Change, writer: Writer) -> Decision:
    assert change.before and change.identity
    reason = change.identity.reason
    return Decision(
        what=writer.say(
            "about.merge" if change.kind == "merged" else "about.rename",
            before=change.before.name,
            term=writer.term(change.other or life.key),
            source=writer.data.titles[change.source],
            release=writer.release(change.release),
        ),
        why=writer.say(f"about.rule.{change.identity.rule}" + ("-why" if reason else ""), reason=reason),
    )
