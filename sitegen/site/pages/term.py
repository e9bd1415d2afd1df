"""A term's page: what it means now, what else it is called, and its whole life.

The page of a name that a term no longer has is the same page under the old name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry, Source
from sitegen.model.terms import Change, Lane, Life
from sitegen.site.messages import plain
from sitegen.site.pages.copying import copies
from sitegen.site.pages.differences import Comparison, comparison
from sitegen.site.pages.edit_links import upkeep
from sitegen.site.pages.events import history
from sitegen.site.pages.page import Desk, Page, Pen, description
from sitegen.site.pages.phrase_dates import since
from sitegen.site.pages.status import State, standing_of, state, status
from sitegen.site.pages.structured_data import defined_term
from sitegen.site.pages.wordings import lane_of
from sitegen.text.names import fold
from sitegen.text.words import same_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """A line of related names."""

    label: Markup
    names: tuple[Markup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """What other sources say under the same term, in the same words."""

    sources: Markup
    """Those who say so, with release or date."""
    places: tuple[Markup, ...]
    definition: Markup
    comparison: Comparison | None
    """None where they say the words of the page."""


def term(desk: Desk, life: Life) -> Iterator[Page]:
    """Gives the page of a term, and of every name that it no longer has."""
    root = urls.root(urls.term("any"))
    yield _term(life, Pen(desk, root, desk.address(life.key)))
    for slug in desk.site.slugs_of[life.key][1:]:
        yield _former(slug, life, Pen(desk, root, urls.term(slug)))


def _term(life: Life, pen: Pen) -> Page:
    slug = pen.desk.site.slugs[life.key]
    return _page(life, slug, life.name, sentence=status(life, pen), state=state(life, pen), pen=pen)


def _former(slug: str, life: Life, pen: Pen) -> Page:
    """A page under a name that is no longer, or only elsewhere, a term's preferred one."""
    name, change = _former_name(slug, life, pen)
    term = pen.onward(life.key)
    if change:
        source = pen.desk.site.source(change.source)
        release = pen.version_of(source, change.release)
        sentence = pen.say("status.now-called", name=name, term=term, release=release)
    else:
        sentence = pen.say("status.other-name", name=name, term=term)
    label = pen.say("status.definition-of", term=pen.desk.speaker(life).name)
    shown = state(life, pen)
    shown = State(kind=shown.kind, label=shown.label or label)
    return _page(life, slug, name, sentence=sentence, state=shown, pen=pen)


def _page(life: Life, slug: str, name: str, *, sentence: Markup, state: State, pen: Pen) -> Page:
    """The page of a term under one of its names."""
    definition, standing = pen.desk.speaker(life).entry.definition, plain(sentence)
    others = [other.text for other in life.names[1:]]
    current = pen.desk.site.slugs[life.key]
    return Page(
        address=pen.here,
        template="pages/term.html",
        title=name,
        description=description(definition, standing),
        canonical=urls.term(current),
        standing=standing,
        thing=defined_term(life.name, definition, slug=current, others=others, desk=pen.desk),
        context=_context(life, slug, name=name, pen=pen)
        | {"status": sentence, "state": state.kind, "label": state.label},
    )


def _former_name(slug: str, life: Life, pen: Pen) -> tuple[str, Change | None]:
    """The name that was given a slug, and the change by which it was given up."""
    name = pen.desk.site.slug_names[slug]
    changes = (change for change in reversed(life.changes) if change.kind == "renamed" and change.before)
    return name, next((one for one in changes if one.before and fold(one.before.name) == fold(name)), None)


def _context(life: Life, slug: str, *, name: str, pen: Pen) -> dict[str, object]:
    speaker, address = pen.desk.speaker(life), pen.desk.address(life.key)
    shown = speaker.entry
    definition = pen.definition(shown, of=life.key)
    section = life.entry.section if life.is_defined else ""
    anchors = pen.desk.site.anchors(slug)
    return {
        "name": pen.text(name),
        "section": pen.link(section, urls.section(section)) if section else "",
        "definition": definition,
        "since": since(speaker, shown, definition, pen),
        "copies": copies(speaker, shown, address=address, pen=pen),
        "places": (
            pen.defined_in(shown),
            *upkeep(name, shown, address=address, current=speaker.is_defined, pen=pen),
            *_subscription(life, pen),
        ),
        "moved": tuple(_moved(pen)),
        "names": tuple(Names(label=pen.say(key), names=names) for key, names in _names(life, slug, pen) if names),
        "history": history(life, anchors=anchors, shown=shown, pen=pen),
        "neighbours": tuple(_neighbours(life.key, pen)),
        "others": tuple(_others(life, lane_of(life, life.entry.place.source), pen)),
    }


def _neighbours(key: str, pen: Pen) -> Iterator[Markup]:
    """Links to the terms before and after in A–Z."""
    before, after = pen.desk.neighbours.get(key, ("", ""))
    for text, other in (("term.previous", before), ("term.next", after)):
        if other:
            yield pen.link(pen.say(text, term=pen.desk.site.names[other]), pen.desk.address(other))


def _subscription(life: Life, pen: Pen) -> Iterator[Markup]:
    """A link to the feed of the term, where the site has feeds."""
    if pen.desk.site.base_url:
        yield pen.link(pen.say("subscribe"), urls.term_feed(pen.desk.site.slugs[life.key]))


def _moved(pen: Pen) -> Iterator[Markup]:
    """Where to look for what a source said here before it had a term of its own."""
    for key in pen.desk.site.moved.get(f"/{pen.here}", ()):
        entry = pen.desk.site.by_key[key].entry
        yield pen.say("kept.moved", source=pen.desk.titles[entry.place.source], term=pen.term(key))


def _names(life: Life, slug: str, pen: Pen) -> Iterator[tuple[str, tuple[Markup, ...]]]:
    """The message that names a line, and what stands there."""
    desk = pen.desk
    is_former = slug != desk.site.slugs[life.key]
    namesakes = desk.site.namesakes.get(slug, ()) if is_former else life.term.homonyms
    others = dict.fromkeys((*desk.synonyms.get(life.key, ()), *life.also_known_as))
    merged = {key: one for key in others if (one := standing_of(desk.site.by_key[key]).merged)}
    current = [key for key in others if key not in merged]
    linked = {fold(desk.site.names[key]) for key in others}
    admitted = [_designation(one.text, one.status, pen) for one in life.names[1:] if fold(one.text) not in linked]
    former = [
        pen.say("names.formerly-until", name=name, release=pen.version(release))
        for name, release in life.former_names
        if fold(name) not in linked
    ]
    became = [
        pen.say("names.formerly-until", name=pen.term(key), release=pen.version(one.release))
        for key, one in merged.items()
    ]
    yield "names.also-called", (*admitted, *_links(current, pen))
    yield "names.formerly", (*former, *became)
    yield "names.same-name", tuple(_homonyms(namesakes, pen))
    yield "names.see-also", _links(desk.site.see_also[life.key], pen)
    yield "names.used-by", _links(desk.used_by.get(life.key, ()), pen)


def _designation(text: str, status: str, pen: Pen) -> Markup:
    return pen.say("names.deprecated", name=text) if status == "deprecated" else pen.text(text)


def _links(keys: Iterable[str], pen: Pen) -> tuple[Markup, ...]:
    return tuple(pen.term(key) for key in keys)


def _homonyms(keys: Iterable[str], pen: Pen) -> Iterator[Markup]:
    """Other terms of the name on the page, told apart by their section or their first words."""
    for key in keys:
        other = pen.desk.site.by_key[key]
        yield pen.say("names.homonym", term=pen.term(key), hint=other.entry.section or pen.desk.summary(other.entry))


def _others(life: Life, spoken: Lane, pen: Pen) -> Iterator[Other]:
    """What other sources say today; those who say the same words are told together."""
    said = [(lane.source, entry) for lane in life.term.lanes if lane is not spoken and (entry := _today(lane))]
    while said:
        _, entry = said[0]
        alike = [one for one in said if same_words(one[1].definition, entry.definition)]
        said = [one for one in said if one not in alike]
        titles = (spoken.source.title, pen.listed(source.title for source, _ in alike))
        yield Other(
            sources=pen.listed(_source(*one, pen) for one in alike),
            places=tuple(pen.place(entry.citation) for _, entry in alike),
            definition=pen.definition(entry, of=life.key),
            comparison=comparison(life.entry, entry, of=life.key, pen=pen, labels=titles),
        )


def _today(lane: Lane) -> Entry | None:
    return next(step.entry for step in reversed(lane.steps) if step.state != "unread")


def _source(source: Source, entry: Entry, pen: Pen) -> Markup:
    if not source.undated:
        return pen.say("also-defined.release", source=source.title, release=pen.version(entry.place.release))
    if source.retrieved is None:
        return pen.text(source.title)
    return pen.say("also-defined.retrieved", source=source.title, date=pen.desk.words.date(source.retrieved))
