"""Frozen pages: a term as it was worded at one release, which is what a copied link to a revision leads to."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from sitegen import urls
from sitegen.model import Life
from sitegen.pages.copying import copies
from sitegen.pages.page import Desk, Page, Pen, description
from sitegen.pages.things import defined_term
from sitegen.pages.wordings import in_force, lane_of, last_released
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
            "copies": copies(life, entry, address=wording.address.removeprefix("/"), pen=pen),
            "definition": pen.definition(entry, of=life.key),
            "place": pen.defined_in(entry),
            "living": pen.say("frozen.living", term=pen.term(life.key)),
        },
    )


def _sentence(wording: Frozen, life: Life, pen: Pen) -> Markup:
    """What the wording is of, and what became of it."""
    release, source = wording.entry.citation.release, wording.entry.citation.source
    lane, revision = lane_of(life, source), in_force(life, source, release)
    assert revision, "a frozen wording was in force"
    as_of = pen.say("frozen.wording", release=pen.version(release))
    order = [step.release for step in lane.steps]
    after = lane.steps[order.index(revision.last) + 1 :]
    known = [step.release for step in after if step.state != "unread"]
    match revision.ended:
        case "current" | "unread":
            last = pen.version(last_released(revision, lane))
            return as_of + " " + pen.say("frozen.current", release=last)
        case "removed":
            return as_of + " " + pen.say("frozen.removed", release=pen.version_of(lane.source, known[0]))
        case _:
            place = pen.desk.revision(life.key, source, known[0])
            what, following = pen.link(pen.say("frozen.see"), place), pen.version_of(lane.source, known[0])
            return as_of + " " + pen.say("frozen.reworded", release=following, what=what)
