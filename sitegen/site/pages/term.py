"""The page of a term: its definition, its names, its history, and the links that edit its source.

The page of a former name is the same page under that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.config.forges import Home
from sitegen.model import Citation, Entry, Source
from sitegen.model.terms import Change, Lane, Life
from sitegen.site.messages import plain
from sitegen.site.pages.copying import absolute, copies
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.events import history
from sitegen.site.pages.page import DOT, Page, PageData, Writer, description
from sitegen.site.pages.phrase_dates import since
from sitegen.site.pages.status import TermState, standing_of, state, status
from sitegen.site.pages.structured_data import defined_term
from sitegen.site.pages.wordings import lane_of
from sitegen.text.markdown_escaping import literal
from sitegen.text.names import fold
from sitegen.text.words import same_words


def source_links(name: str, shown: Entry, *, address: str, current: bool, writer: Writer) -> tuple[Markup, ...]:
    """Returns links for a page at `address` that shows an entry under a name; none if the forge is unknown.

    An entry that is not `current` has no link to edit it.
    """
    home = writer.data.home
    if home is None:
        return ()
    report = home.report(
        title=writer.plain_text("report.title", name=name),
        body=f"{absolute(address, writer.data)}\n{literal(plain(writer.defined_in(shown)))}\n\n",
    )
    ways = (
        (writer.say("edit-source"), _edit(shown.citation, home, writer.data) if current else ""),
        (writer.say("report"), report),
    )
    return tuple(Markup('<a href="{}" rel="noopener">{}</a>').format(way, text) for text, way in ways if way)


def _edit(citation: Citation, home: Home, data: PageData) -> str:
    """Returns the address for editing an entry's file; empty if the file is not in the site's own repository."""
    lines = data.releases[citation.source, citation.release].lines
    if lines.startswith(f"{home.web.base}/"):
        return home.edit(citation.name)
    # Entries from another repository or an archive are cited by its tag or archive.
    if citation.path.endswith(f":{citation.name}"):
        return ""
    return home.edit(home.folder + citation.path)


class NamesLine(NamedTuple):
    """A line of related names."""

    label: Markup
    names: tuple[Markup, ...]


class OtherDefinition(NamedTuple):
    """A definition of the term in other sources, grouped by equal words."""

    sources: Markup
    """The sources, with release or date."""
    places: Markup
    definition: Markup
    comparison: WordingComparison | None
    """None if the words are those of the page."""


def term(data: PageData, life: Life) -> Iterator[Page]:
    """Yields the page of a term, and the pages of its former names."""
    root = urls.root(urls.term("any"))
    yield _term(life, Writer(data, root, data.address(life.key)))
    for slug in data.site.slugs_of[life.key][1:]:
        yield _former(slug, life, Writer(data, root, urls.term(slug)))


def _term(life: Life, writer: Writer) -> Page:
    slug = writer.data.site.slugs[life.key]
    return _page(life, slug, life.name, sentence=status(life, writer), state=state(life, writer), writer=writer)


def _former(slug: str, life: Life, writer: Writer) -> Page:
    """Returns the page of a former name, which may still be the preferred name in another source."""
    name, change = _former_name(slug, life, writer)
    term = writer.onward(life.key)
    if change:
        source = writer.data.site.source(change.source)
        release = writer.version_of(source, change.release)
        sentence = writer.say("status.now-called", name=name, term=term, release=release)
    else:
        sentence = writer.say("status.other-name", name=name, term=term)
    label = writer.say("status.definition-of", term=writer.data.defining_term(life).name)
    shown = state(life, writer)
    shown = TermState(kind=shown.kind, label=shown.label or label)
    return _page(life, slug, name, sentence=sentence, state=shown, writer=writer)


def _page(life: Life, slug: str, name: str, *, sentence: Markup, state: TermState, writer: Writer) -> Page:
    """Returns the page of a term under one of its names."""
    definition, standing = writer.data.defining_term(life).entry.definition, plain(sentence)
    others = [other.text for other in life.names[1:] if other.status != "deprecated"]
    current = writer.data.site.slugs[life.key]
    return Page(
        address=writer.here,
        template="pages/term.html",
        title=name,
        description=description(definition, standing),
        canonical=urls.term(current),
        standing=standing,
        thing=defined_term(life.name, definition, slug=current, others=others, data=writer.data),
        context=_context(life, slug, name=name, writer=writer)
        | {"status": sentence, "state": state.kind, "label": state.label},
    )


def _former_name(slug: str, life: Life, writer: Writer) -> tuple[str, Change | None]:
    """Returns the name of a slug, and the change that dropped the name, if any."""
    name = writer.data.site.slug_names[slug]
    changes = (change for change in reversed(life.changes) if change.kind == "renamed" and change.before)
    return name, next((one for one in changes if one.before and fold(one.before.name) == fold(name)), None)


def _context(life: Life, slug: str, *, name: str, writer: Writer) -> dict[str, object]:
    defining_term, address = writer.data.defining_term(life), writer.data.address(life.key)
    shown = defining_term.entry
    definition = writer.definition(shown, of=life.key)
    section = life.entry.section if life.is_defined else ""
    anchors = writer.data.site.ids[slug]
    return {
        "name": writer.text(name),
        "section": writer.link(section, urls.section(section)) if section else "",
        "definition": definition,
        "since": since(defining_term, shown, definition, writer),
        "copies": copies(defining_term, shown, address=address, writer=writer),
        "places": DOT.join(
            (
                writer.defined_in(shown),
                *source_links(name, shown, address=address, current=defining_term.is_defined, writer=writer),
                *_subscription(life, writer),
            )
        ),
        "moved": tuple(_moved(writer)),
        "names": tuple(
            NamesLine(label=writer.say(key), names=names) for key, names in _names(life, slug, writer) if names
        ),
        "history": history(life, anchors=anchors, shown=shown, writer=writer),
        "neighbours": tuple(_neighbours(life.key, writer)),
        "others": tuple(_others(life, lane_of(life, life.entry.place.source), writer)),
    }


def _neighbours(key: str, writer: Writer) -> Iterator[Markup]:
    """Yields links to the previous and the next term in A–Z."""
    before, after = writer.data.neighbours.get(key, ("", ""))
    for text, other in (("term.previous", before), ("term.next", after)):
        if other:
            yield writer.link(writer.say(text, term=writer.data.site.names[other]), writer.data.address(other))


def _subscription(life: Life, writer: Writer) -> Iterator[Markup]:
    """Yields a link to the feed of the term, if the site has feeds."""
    if writer.data.site.base_url:
        yield writer.link(writer.say("subscribe"), urls.term_feed(writer.data.site.slugs[life.key]))


def _moved(writer: Writer) -> Iterator[Markup]:
    """Yields links to the terms of sources that shared this page earlier and have a separate term now."""
    for key in writer.data.site.moved.get(f"/{writer.here}", ()):
        entry = writer.data.site.by_key[key].entry
        yield writer.say("kept.moved", source=writer.data.titles[entry.place.source], term=writer.term(key))


def _names(life: Life, slug: str, writer: Writer) -> Iterator[tuple[str, tuple[Markup, ...]]]:
    """Yields the message key of a line's label, and its names."""
    data = writer.data
    is_former = slug != data.site.slugs[life.key]
    namesakes = data.site.namesakes.get(slug, ()) if is_former else life.term.homonyms
    others = dict.fromkeys((*data.synonyms.get(life.key, ()), *life.also_known_as))
    merged = {key: one for key in others if (one := standing_of(data.site.by_key[key]).merged)}
    current = [key for key in others if key not in merged]
    linked = {fold(data.site.names[key]) for key in others}
    admitted = [
        writer.text(one.text) for one in life.names[1:] if one.status != "deprecated" and fold(one.text) not in linked
    ]
    avoided = tuple([writer.text(one.text) for one in life.names if one.status == "deprecated"])
    former = [
        writer.say("names.formerly-until", name=name, release=writer.version(release))
        for name, release in life.former_names
        if fold(name) not in linked
    ]
    became = [
        writer.say("names.formerly-until", name=writer.term(key), release=writer.version(one.release))
        for key, one in merged.items()
    ]
    yield "names.also-called", (*admitted, *_links(current, writer))
    yield "names.avoid", avoided
    yield "names.formerly", (*former, *became)
    yield "names.same-name", tuple(_homonyms(namesakes, writer))
    yield "names.see-also", _links(data.site.see_also[life.key], writer)
    yield "names.used-by", _links(data.used_by.get(life.key, ()), writer)


def _links(keys: Iterable[str], writer: Writer) -> tuple[Markup, ...]:
    return tuple(writer.term(key) for key in keys)


def _homonyms(keys: Iterable[str], writer: Writer) -> Iterator[Markup]:
    """Yields links to other terms with the same name, each with its section or first sentence as a hint."""
    for key in keys:
        other = writer.data.site.by_key[key]
        yield writer.say(
            "names.homonym", term=writer.term(key), hint=other.entry.section or writer.data.summary(other.entry)
        )


def _others(life: Life, main: Lane, writer: Writer) -> Iterator[OtherDefinition]:
    """Yields the current definitions of other sources; sources with the same words are grouped."""
    others_said = [(lane.source, entry) for lane in life.term.lanes if lane is not main and (entry := _today(lane))]
    while others_said:
        _, entry = others_said[0]
        alike = [one for one in others_said if same_words(one[1].definition, entry.definition)]
        others_said = [one for one in others_said if one not in alike]
        titles = (main.source.title, writer.listed(source.title for source, _ in alike))
        yield OtherDefinition(
            sources=writer.listed(_source(*one, writer) for one in alike),
            places=DOT.join(writer.place(entry.citation) for _, entry in alike),
            definition=writer.definition(entry, of=life.key),
            comparison=comparison(life.entry, entry, of=life.key, writer=writer, labels=titles),
        )


def _today(lane: Lane) -> Entry | None:
    return next(step.entry for step in reversed(lane.steps) if step.state != "unread")


def _source(source: Source, entry: Entry, writer: Writer) -> Markup:
    if not source.undated:
        return writer.say("also-defined.release", source=source.title, release=writer.version(entry.place.release))
    if source.retrieved is None:
        return writer.text(source.title)
    return writer.say("also-defined.retrieved", source=source.title, date=writer.data.words.date(source.retrieved))
