"""The glossary as of a release: every term with the wording then in force, on one page or on a page for each letter.

The letters of a release depend only on that release, so a published page keeps its address. In a site of very many
terms and releases these pages name the terms and link to their wordings, without repeating the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry
from sitegen.model.terms import Life
from sitegen.site.messages import plain
from sitegen.site.pages import letters
from sitegen.site.pages.overview import Group, Whole
from sitegen.site.pages.page import Page, Writer
from sitegen.site.pages.wordings import in_force
from sitegen.site.site import Site
from sitegen.text.collation import letter, order

MANY = 300
"""Above this many terms, a release has a page for each letter."""
MOST_WORDINGS = 20_000
"""A site with more terms times releases than this names the terms only."""

Said = tuple[str, Entry, str]
"""The key of a term, its entry at a release, and the address of the frozen wording, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A term as of a release."""

    id: str
    link: Markup
    definition: Markup
    """Empty on pages that only name the terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The terms of one source."""

    source: str
    """Title of the source, if the site has several."""
    wordings: tuple[Wording, ...]


def releases_in_full(whole: Whole) -> Iterator[Group]:
    """Yields the pages of every release that has terms."""
    for name in whole.data.site.release_names():
        if addresses(whole.data.site, name):
            yield Group(name=urls.release_terms(name), make=partial(_pages, name, whole))


def addresses(site: Site, release: str) -> tuple[str, ...]:
    """Returns the addresses of the pages with all terms of a release; none if the release could not be read."""
    said = [entry for _, _, entry in _entries(site, release)]
    list_ = urls.release_terms(release)
    if not said:
        return ()
    return (list_, *(letters.page(list_, label) for label in _letters(said, site.language)))


def _letters(said: Sequence[Entry], language: str) -> tuple[str, ...]:
    """Returns the letters that have their own pages."""
    if len(said) <= MANY:
        return ()
    return letters.in_order({letter(entry.name, language) for entry in said}, language)


def names_terms_only(site: Site) -> bool:
    """True for a very large site, whose pages of releases leave out definitions."""
    return len(site.lives) * len(site.release_names()) > MOST_WORDINGS


def said_at(site: Site, release: str) -> Mapping[str, Sequence[Said]]:
    """Returns source id to its terms at a release."""
    said: dict[str, list[Said]] = {source.id: [] for source, _ in site.releases(release)}
    for source, life, entry in _entries(site, release):
        said[source].append((life.key, entry, _frozen(life, entry, site)))
    return {source: entries for source, entries in said.items() if entries}


def _entries(site: Site, release: str) -> Iterator[tuple[str, Life, Entry]]:
    numbers = {
        source.id: next(number for number, one in enumerate(source.releases) if one.name == release)
        for source, _ in site.releases(release)
    }
    for life in site.lives:
        for lane in life.term.lanes:
            if lane.source.id in numbers and (entry := lane.entries[numbers[lane.source.id]]):
                yield lane.source.id, life, entry


def _frozen(life: Life, entry: Entry, site: Site) -> str:
    source = entry.place.source
    revision = in_force(life, source, entry.place.release)
    return site.wordings.get((life.key, source, revision.first), "") if revision else ""


def _pages(release: str, whole: Whole) -> Iterator[Page]:
    data = whole.data
    site, list_ = data.site, urls.release_terms(release)
    said = whole.said[release]
    labels = _letters([entry for entries in said.values() for _, entry, _ in entries], site.language)
    yield _page(release, "", labels, said, is_brief=whole.is_brief, writer=Writer(data, urls.root(list_)))
    by_letter: dict[str, dict[str, list[Said]]] = {label: {} for label in labels}
    for source, entries in said.items() if labels else ():
        for one in entries:
            by_letter[letter(one[1].name, site.language)].setdefault(source, []).append(one)
    for label, own in by_letter.items():
        writer = Writer(data, urls.root(letters.page(list_, label)))
        yield _page(release, label, labels, own, is_brief=whole.is_brief, writer=writer)


def _page(
    release: str,
    label: str,
    labels: tuple[str, ...],
    said: Mapping[str, Sequence[Said]],
    *,
    is_brief: bool,
    writer: Writer,
) -> Page:
    list_, language = urls.release_terms(release), writer.data.site.language
    count = sum(map(len, said.values()))
    key = "as-of.letter" if label else "as-of.title"
    title = writer.say(key, release=writer.version(release), letter=label)
    row = letters.row(labels, language, leads_to=lambda one: writer.href(letters.page(list_, one)), here=label)
    return Page(
        address=letters.page(list_, label) if label else list_,
        template="pages/release-terms.html",
        title=plain(title),
        description=plain(writer.say("as-of.description", count, site=writer.data.site.title, release=release)),
        context={
            "heading": title,
            "count": writer.say("terms", count),
            "changes": writer.all_changes(release),
            "letters": row if labels else (),
            "is_brief": is_brief,
            "parts": tuple(_part(source, entries, writer, is_brief) for source, entries in said.items())
            if label or not labels
            else (),
        },
    )


def _part(source: str, said: Sequence[Said], writer: Writer, is_brief: bool) -> Part:
    ordered = sorted(said, key=lambda one: (order(one[1].name, writer.data.site.language), one[0]))
    return Part(
        source=writer.data.titles[source] if writer.data.several_sources else "",
        wordings=tuple(_wording(*one, writer, is_brief) for one in ordered),
    )


def _wording(key: str, entry: Entry, frozen: str, writer: Writer, is_brief: bool) -> Wording:
    return Wording(
        id=writer.data.site.slugs[key],
        link=writer.link(entry.name, frozen or writer.data.address(key)),
        definition=Markup() if is_brief else writer.definition(entry, of=key),
    )
