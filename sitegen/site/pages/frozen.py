"""Frozen pages: the wording of a term at one release. Copied links to a wording lead to these pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model.terms import Lane, Life, Revision
from sitegen.site.messages import Catalogue, plain
from sitegen.site.pages.copying import copies
from sitegen.site.pages.page import Page, PageData, Writer, description
from sitegen.site.pages.structured_data import defined_term
from sitegen.site.pages.wordings import in_force, lane_of, last_released, said_at
from sitegen.site.site import WordingAddress


def frozen(data: PageData, life: Life) -> Iterator[Page]:
    """Yields a page for every frozen wording of a term."""
    writer = Writer(data, urls.root(urls.frozen("any", "any")))
    for wording in data.site.frozen_of.get(life.key, ()):
        yield _page(wording, life, writer)


def _page(wording: WordingAddress, life: Life, writer: Writer) -> Page:
    source, release, address = wording
    entry = said_at(life, source, release)
    sentence = _sentence(wording, life, writer)
    standing, slug, shown = plain(sentence), writer.data.site.slugs[life.key], plain(writer.version(release))
    return Page(
        address=address,
        template="pages/frozen.html",
        title=writer.plain_text("frozen.title", name=entry.name, release=shown),
        description=description(entry.definition, standing, start=writer.plain_text("frozen.as-of", release=shown)),
        canonical=writer.data.address(life.key),
        standing=standing,
        thing=defined_term(entry.name, entry.definition, slug=slug, address=address, data=writer.data),
        context={
            "heading": writer.say(
                "frozen.title",
                name=Markup(f"<dfn>{writer.text(entry.name)}</dfn>"),  # noqa: S704
                release=writer.version(release),
            ),
            "neighbours": tuple(_neighbours(wording, writer.data.site.frozen_of[life.key], writer)),
            "status": sentence,
            "copies": copies(life, entry, address=address, writer=writer),
            "definition": writer.definition(entry, of=life.key),
            "source": writer.text(writer.data.titles[source]),
            "release": writer.release(release),
            "place": writer.place(entry.citation),
            "term": writer.term(life.key),
        },
    )


def _neighbours(wording: WordingAddress, wordings: Sequence[WordingAddress], writer: Writer) -> Iterator[Markup]:
    """Yields links to the previous and the next wording of the same source."""
    own = [one for one in wordings if one.source == wording.source]
    place = own.index(wording)
    for key, near in (("frozen.previous", own[:place][-1:]), ("frozen.next", own[place + 1 : place + 2])):
        for one in near:
            yield writer.link(writer.say(key, release=writer.version(one.release)), one.address)


def _sentence(wording: WordingAddress, life: Life, writer: Writer) -> Markup:
    """Returns the sentence that says which term and release the wording belongs to, and whether it is current."""
    source, release, _ = wording
    lane, revision = lane_of(life, source), in_force(life, source, release)
    assert revision, "a frozen wording was in force"
    words = writer.data.words
    if revision.ended in ("current", "unread", "moved"):
        return _current(release, last_released(revision, lane), words)
    following = _following(revision, lane)
    ended = writer.version_of(lane.source, following)
    if revision.ended == "removed":
        return _as_of(release, words) + writer.say("frozen.removed", release=ended)
    what = writer.link(writer.say("frozen.see"), writer.data.revision(life.key, source, following))
    return _as_of(release, words) + writer.say("frozen.reworded", release=ended, what=what)


def _current(release: str, last: str, words: Catalogue) -> Markup:
    return _as_of(release, words) + words.say("frozen.current", release=words.version(last))


def _as_of(release: str, words: Catalogue) -> Markup:
    return words.say("frozen.wording", release=words.version(release)) + " "


def _following(revision: Revision, lane: Lane) -> str:
    """Returns the next release that could be read."""
    _, *after = dropwhile(lambda run: lane.releases[run[2] - 1] != revision.last, lane.runs())
    return next(step.release for step, _, _ in after if step.state != "unread")
