"""Frozen pages: a term as it was worded at one release, which is what a copied link to a revision leads to."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from sitegen import urls
from sitegen.model import Lane, Life, Revision
from sitegen.pages.page import Desk, Page, Pen, description
from sitegen.pages.things import defined_term
from sitegen.permalinks import Frozen
from sitegen.wording import plain


def frozen(desk: Desk, life: Life) -> Iterator[Page]:
    """Gives a page for every wording of a term that has an address of its own."""
    pen = Pen(desk, urls.root(urls.frozen("any", "any")))
    for wording in desk.site.frozen_of.get(life.key, ()):
        yield _page(wording, life, pen)


def _page(wording: Frozen, life: Life, pen: Pen) -> Page:
    entry = wording.entry
    release = entry.citation.release
    address = wording.address.removeprefix("/")
    sentence = _sentence(wording, life, pen)
    standing, slug = plain(sentence), pen.desk.site.slugs[life.key]
    return Page(
        address=address,
        template="pages/frozen.html",
        title=plain(pen.say("frozen.title", name=entry.name, release=release)),
        description=description(entry.definition, standing, start=plain(pen.say("frozen.as-of", release=release))),
        canonical=pen.desk.address(life.key),
        standing=standing,
        thing=defined_term(entry.name, entry.definition, slug=slug, address=address, desk=pen.desk),
        context={
            "name": entry.name,
            "status": sentence,
            "definition": pen.definition(entry, of=life.key),
            "place": pen.defined_in(entry),
            "living": pen.say("frozen.living", term=pen.term(life.key)),
        },
    )


def _sentence(wording: Frozen, life: Life, pen: Pen) -> Markup:
    """What the wording is of, and what became of it."""
    release, source = wording.entry.citation.release, wording.entry.citation.source
    lane = next(lane for lane in life.term.lanes if lane.source.id == source)
    order = [step.release for step in lane.steps]
    revision = _in_force(life, source, order, release)
    as_of = pen.say("frozen.wording", release=pen.version(release))
    after = order[order.index(revision.last) + 1 :]
    known = [step.release for step in lane.steps if step.release in after and step.state != "unread"]
    match revision.ended:
        case "current" | "unread":
            return as_of + " " + pen.say("frozen.current", release=_last_released(revision, lane, pen))
        case "removed":
            return as_of + " " + pen.say("frozen.removed", release=pen.version_of(lane.source, known[0]))
        case _:
            place = pen.desk.revision(life.key, source, known[0])
            what, following = pen.link(pen.say("frozen.see"), place), pen.version_of(lane.source, known[0])
            return as_of + " " + pen.say("frozen.reworded", release=following, what=what)


def _last_released(revision: Revision, lane: Lane, pen: Pen) -> Markup:
    """The last release in which a wording was in force: a frozen one was in at least one."""
    order = [release.name for release in lane.source.releases]
    span = order[order.index(revision.first) : order.index(revision.last) + 1]
    return pen.version([name for name in span if name not in lane.source.unreleased][-1])


def _in_force(life: Life, source: str, order: list[str], release: str) -> Revision:
    """The revision of a source to which a release belongs."""
    place = order.index(release)
    return next(
        revision
        for revision in life.revisions
        if revision.source == source and order.index(revision.first) <= place <= order.index(revision.last)
    )
