"""The page about the site: sources, releases, unread files, decisions about renames, problems and
downloads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Skipped, Source
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.site import Site

FORMS = {
    urls.DATA: "form.data",
    urls.SCHEMA: "form.schema",
    urls.SHEET: "form.sheet",
    urls.TURTLE: "form.turtle",
    urls.LLMS: "form.llms",
}
"""The addresses of the downloads to the keys of their descriptions."""

FEW = 5
"""Maximum number of skipped or unread releases that are named."""


def about(data: PageData) -> Page:
    """Returns the page about the site and its sources."""
    writer = Writer(data, urls.root(urls.ABOUT))
    forms = FORMS | ({urls.feed(urls.HOME): "form.feed"} if data.site.base_url else {})
    return Page(
        address=urls.ABOUT,
        template="pages/about.html",
        title=writer.say("about.title"),
        context={
            "note": data.site.note,
            "sources": [_facts(source, writer) for source in data.site.sources],
            "decisions": list(_decisions(writer)),
            "differences": list(_differences(writer)),
            "problems": data.site.problems,
            "downloads": [(address, writer.say(key)) for address, key in forms.items()],
            "uses": list(_uses(writer)),
        },
    )


def _facts(source: Source, writer: Writer) -> Mapping[str, object]:
    """Returns a source, and what is known about its history, the parts of it that are not read, and
    its releases."""
    gaps = [
        one.name
        for one in source.releases
        if (source.id, one.name) in writer.data.unread and not source.undated
    ]
    history = writer.say("about.complete") if source.complete else ""
    if source.undated:
        date = source.retrieved and writer.words.date(source.retrieved)
        history = writer.say("about.retrieved", date=date) if date else writer.say("about.undated")
    # A document may define a term twice, so these are not the entries of the release.
    courses = [
        course
        for life in writer.data.site.lives
        for course in life.term.courses
        if course.source.id == source.id
    ]
    releases = []
    for release in reversed(source.releases):
        defined = [course for course in courses if course.entries[release.number] is not None]
        facts = {
            "name": writer.link(
                writer.version_of(source, release.name), urls.release(release.name)
            ),
            "date": writer.date(source.id, release.name),
            "files": release.names_read,
            "unread": release.gaps,
            "terms": writer.say("terms", len(defined)),
        }
        releases.append(facts)
    return {
        "source": source,
        "address": source.url if urls.is_web(source.url) else "",
        "history": history,
        "gaps": writer.say("about.gap", releases=writer.versions(gaps)) if gaps else "",
        "skipped": [_skipped(skipped, writer) for skipped in source.skipped],
        "releases": releases,
    }


def _skipped(skipped: Skipped, writer: Writer) -> Markup:
    names = writer.versions(skipped.names[:FEW])
    if len(skipped.names) > FEW:
        names += " …"
    return writer.say(f"about.skipped.{skipped.reason}", len(skipped.names), names=names)


def _decisions(writer: Writer) -> Iterator[tuple[Markup, Markup]]:
    """Yields each rename and merger, and how it was decided."""
    for life in writer.data.site.lives:
        for (source, release), changes in groupby(
            life.changes, key=attrgetter("source", "release")
        ):
            change = next((change for change in changes if change.identity), None)
            if change and change.before and change.identity:
                reason = change.identity.reason
                decision = writer.say(
                    "about.merge" if change.kind == "merged" else "about.rename",
                    before=change.before.name,
                    term=writer.term(change.other or life.key),
                    source=writer.data.titles[source],
                    release=writer.release(release),
                )
                rule = f"about.rule.{change.identity.rule}" + ("-why" if reason else "")
                yield decision, writer.say(rule, reason=reason)


def _differences(writer: Writer) -> Iterator[Mapping[str, object]]:
    """Yields the entries of which the sources say something else now than was published."""
    for one in writer.data.site.composed.differences:
        place = one.entry.place
        words = [
            (label, entry.definition.text if entry else writer.say("about.no-words"))
            for label, entry in (
                (writer.say("about.published-words"), one.published),
                (writer.say("about.words-now"), one.now),
            )
        ]
        title = writer.data.titles[place.source]
        yield {"name": one.entry.name, "release": f"{title} {place.release}", "words": words}


def _uses(writer: Writer) -> Iterator[tuple[Markup, str]]:
    """Yields snippets for other pages or settings, each with a sentence; none for a site without a
    base_url."""
    base = writer.data.site.base_url
    if base:
        yield (
            writer.say(
                "use.sphinx",
                role=Markup("<code>:term:</code>"),
                file=Markup("<code>conf.py</code>"),
            ),
            _mapping(writer.data.site),
        )
        yield writer.say("use.cards"), f'<script src="{base}{urls.EMBED}" defer></script>'
        # An autolink for a repository's settings on GitHub, whose references allow the characters
        # of slugs.
        example = Markup("<code>TERM-…</code>")
        yield writer.say("use.autolinks", example=example), f"TERM-    {base}{urls.term('<num>')}"


def _mapping(site: Site) -> str:
    """Returns an intersphinx setting for all terms, and for the latest release of the first source.

    Sphinx joins the inventories sorted by their names, and the last one that has a term wins: `now`
    comes after `at`. The roles of MyST allow no dot in a name.
    """
    published = [
        release.name for release in site.sources[0].releases if release.name in site.releases_out
    ]
    mappings = {
        re.sub(r"[^\w+-]", "_", f"at-{urls.release_slug(name)}"): urls.release(name)
        for name in published[-1:]
    }
    addresses = {"now": "", **mappings}.items()
    lines = (
        f'    "glossary-{name}": ("{site.base_url}{address}", None),' for name, address in addresses
    )
    return "\n".join(("intersphinx_mapping = {", *lines, "}"))
