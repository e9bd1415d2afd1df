"""Pages that list terms: A–Z, its letters, and one page for each section.

In a very large glossary the list A–Z has names only, so that the browser's search and published ids still work on one
page. The pages of letters have the details.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model.terms import Life
from sitegen.site.messages import plain
from sitegen.site.pages.letters import anchor, current_letter, in_order, page, row, split, used
from sitegen.site.pages.overview import PageGroup, Whole
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.spans import CourseChange
from sitegen.site.pages.status import Badge, standing_of
from sitegen.site.site import Site

MANY = 1_000
"""If there are more terms, each letter has its own page."""

BADGES: tuple[Badge, ...] = ("new", "reworded", "deprecated", "removed", "merged")

Lives = tuple[Life, ...]


class TermLine(NamedTuple):
    """A term as a line of a list."""

    link: Markup
    also: Markup
    """Its other names, as a sentence; empty if it has none."""
    summary: Markup
    """The first sentence of its definition, or a link to the term of which it is a synonym."""
    badge: Badge
    removed: Markup
    """A phrase about its removal; empty for a term in force."""
    sources: str = ""
    """The sources that define it, or that defined it if it was removed, for the filter by source."""
    anchors: tuple[str, ...] = ()
    """Ids by which Sphinx linked to it."""


class Bucket(NamedTuple):
    """The terms under a letter."""

    heading: Markup
    """The letter; a link to its page, if it has one."""
    id: str
    items: tuple[TermLine, ...]


def a_to_z(whole: Whole) -> Iterator[PageGroup]:
    """Yields the page that lists every term, and the pages of letters."""
    yield PageGroup(make=partial(_all, whole))
    for label in whole.letters:
        yield PageGroup(name=page(urls.A_TO_Z, label), make=partial(_letter, label, whole))


def letter_pages(site: Site) -> tuple[str, ...]:
    """Returns the letters that have pages of their own."""
    labels = used(site.lives, site.language)
    return split(labels, site.language, list_=urls.A_TO_Z, is_long=len(site.lives) > MANY, ledger=site.ledger)


def letters(site: Site) -> tuple[str, ...]:
    """Returns the letters that have current terms."""
    current = [life for life in site.lives if life.is_defined]
    return in_order(used(current, site.language), site.language)


def letter_row(data: PageData, root: str) -> Markup:
    """Returns the letters as links into the list A–Z. `root` is empty on that page itself."""
    list_ = urls.link(urls.A_TO_Z, root) if root else ""
    return row(letters(data.site), data.site.language, leads_to=lambda label: f"{list_}#{anchor(label)}")


def _all(whole: Whole) -> Iterator[Page]:
    data = whole.data
    writer = Writer(data, urls.root(urls.A_TO_Z))
    lines = ListLines(writer, is_brief=len(data.site.lives) > MANY, anchors=_by_term(data.site.sphinx_ids))
    yield Page(
        address=urls.A_TO_Z,
        template="pages/a-z.html",
        title=writer.say("a-z.title"),
        description=plain(writer.say("a-z.description", len(data.current), site=data.site.title)),
        context={
            "heading": writer.say("a-z.title"),
            "sentence": Markup(),
            "letters": letter_row(data, ""),
            **lines.context(
                (lines.bucket(label, whole.letters, lives) for label, lives in whole.current.items()),
                whole.removed.values(),
                retired=tuple(lines.retired()),
            ),
        },
    )


def _letter(label: str, whole: Whole) -> Iterator[Page]:
    current, removed = whole.current.get(label, ()), whole.removed.get(label, ())
    address = page(urls.A_TO_Z, label)
    writer = Writer(whole.data, urls.root(address))
    lines = ListLines(writer)
    heading = writer.say("a-z.letter", letter=label)
    sentence = writer.say("a-z.letter-terms", len(current), letter=label)
    language = whole.data.site.language
    labels = row(whole.letters, language, leads_to=lambda one: writer.href(page(urls.A_TO_Z, one)))
    ways = current_letter(labels, writer.href(address))
    yield Page(
        address=address,
        template="pages/a-z.html",
        title=plain(heading),
        description=plain(sentence),
        context={
            "heading": heading,
            "sentence": sentence,
            "letters": ways,
            **lines.context([lines.bucket(label, (), current)] if current else [], [removed]),
        },
    )


class ListLines:
    """Builds the lines of a list."""

    def __init__(
        self, writer: Writer, *, is_brief: bool = False, anchors: Mapping[str, tuple[str, ...]] | None = None
    ):
        self.writer = writer
        self.is_brief = is_brief
        """True if lines have names and badges only."""
        self.anchors = anchors or {}
        """Term key to the ids by which Sphinx once linked to it."""

    def bucket(self, label: str, own: Sequence[str], lives: Lives) -> Bucket:
        address = page(urls.A_TO_Z, label) if label in own else ""
        heading = self.writer.link(label, address) if address else self.writer.text(label)
        return Bucket(heading=heading, id=anchor(label), items=tuple(map(self.item, lives)))

    def context(
        self, buckets: Iterable[Bucket], removed: Iterable[Lives], *, retired: tuple[TermLine, ...] = ()
    ) -> Mapping[str, object]:
        """Returns the values of the template: the lines, and their filters."""
        buckets = tuple(buckets)
        gone = (*(self.item(life) for lives in removed for life in lives), *retired)
        items = (*(item for bucket in buckets for item in bucket.items), *gone)
        badges, sources = {item.badge for item in items}, {item.sources for item in items}
        kinds = tuple(badge for badge in BADGES if badge in badges and badges != {badge})
        titles = _titles(self.writer.data.site) if len(sources) > 1 else ()
        return {"buckets": buckets, "removed": gone, "is_brief": self.is_brief, "badges": kinds, "sources": titles}

    def retired(self) -> Iterator[TermLine]:
        """Yields a line for each retired term that Sphinx linked to by an id in the list."""
        site = self.writer.data.site
        for kept in site.kept:
            if ids := site.retired_ids.get(kept.row.address):
                yield TermLine(
                    link=self.writer.link(kept.row.name, kept.row.address.removeprefix("/")),
                    also=Markup(),
                    summary=Markup(),
                    badge="removed",
                    removed=self.writer.text(kept.reason),
                    anchors=ids,
                )

    def item(self, life: Life) -> TermLine:
        writer, standing = self.writer, standing_of(life)
        admitted = [name.text for name in life.names[1:] if name.status != "deprecated"]
        others = "" if self.is_brief else writer.listed(admitted)
        gone = standing.last("removed", "merged") if not life.is_defined else None
        return TermLine(
            link=writer.link(life.name, writer.data.address(life.key)),
            also=writer.say("a-z.also", names=others) if others else Markup(),
            summary=Markup() if self.is_brief else _summary(life, writer),
            badge=standing.badge,
            removed=_gone(life, gone, writer) if gone else Markup(),
            sources=_sources(life),
            anchors=self.anchors.get(life.key, ()),
        )


def _gone(life: Life, gone: CourseChange, writer: Writer) -> Markup:
    """Returns the phrase about the removal of a term that no source defines any more."""
    release = writer.version(gone.release)
    if life.merged_into:
        return writer.say("a-z.merged", term=writer.term(life.merged_into), release=release)
    return writer.say("a-z.removed-in", release=release)


def _sources(life: Life) -> str:
    """Returns the sources that define a term, or that defined it if it was removed."""
    lanes = life.term.lanes
    now = [lane for lane in lanes if lane.entries[-1]] or lanes
    return " ".join(urls.release_slug(lane.source.id) for lane in now)


def _titles(site: Site) -> tuple[tuple[str, str], ...]:
    return tuple((urls.release_slug(source.id), source.title) for source in site.sources)


def _by_term(anchors: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Returns term keys to the ids by which Sphinx linked to the terms."""
    found: dict[str, list[str]] = defaultdict(list)
    for id, key in anchors.items():
        found[key].append(id)
    return {key: tuple(sorted(ids)) for key, ids in found.items()}


def _summary(life: Life, writer: Writer) -> Markup:
    if life.synonym_of:
        return writer.say("a-z.same-as", term=writer.term(life.synonym_of))
    return writer.text(writer.data.summary(life.entry))


def sections(data: PageData) -> Iterator[Page]:
    """Yields a page for each section that has terms or was published."""
    writer = Writer(data, urls.root(urls.section("any")))
    for section in data.site.sections.values():
        yield _section(section.heading, section.lives, writer)
    for heading in data.site.former_sections:
        yield _section(heading, (), writer)


def _section(heading: str, lives: Lives, writer: Writer) -> Page:
    sentence = writer.say("section.terms", len(lives)) if lives else writer.say("kept.section")
    return Page(
        address=urls.section(heading),
        template="pages/section.html",
        title=heading,
        description=plain(sentence),
        context={"heading": heading, "sentence": sentence, "items": tuple(map(ListLines(writer).item, lives))},
    )
