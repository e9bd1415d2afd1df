"""`Page`, a page before rendering, and the two values from which all pages are computed.

`PageData` has the site and indexes that all pages share. A `Writer` writes the sentences of one page, because links
are relative to the address of their page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.config.forges import Home, home_of, line_link
from sitegen.model import Citation, Entry, File, Prose, Release, Source
from sitegen.model.terms import Life
from sitegen.site.comparisons import Event
from sitegen.site.definitions import definition_html, link_addresses
from sitegen.site.messages import Catalogue, catalogue, with_dated
from sitegen.site.site import Site, mentioned
from sitegen.text.prose import first_sentence

DESCRIPTION_BYTES = 300
SEPARATOR = Markup(" · ")
DOT = Markup(' <span class="dot" aria-hidden="true">·</span> ')


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The template of a page, and its values."""

    address: str
    template: str
    title: str
    """Without the site's title."""
    description: str = ""
    canonical: str | None = None
    """The canonical address of this page's content; None if that is the page itself."""
    standing: str = ""
    """The status of its term, in plain words."""
    thing: Mapping[str, object] | None = None
    """The structured data of the page (`structured_data`)."""
    context: Mapping[str, object] = field(default_factory=dict)
    files: tuple[File, ...] = ()
    """Files that the page needs beside it."""


@dataclass(frozen=True, kw_only=True)
class PageData:
    """The site, its interface's texts, and indexes that all pages share."""

    site: Site
    words: Catalogue
    used_by: Mapping[str, tuple[str, ...]]
    """Term key to the keys of the terms whose current definitions refer to it, in order of name."""
    synonyms: Mapping[str, tuple[str, ...]]
    """Term key to the keys of its synonyms, which show its definition."""
    changes: Mapping[str, tuple[Event, ...]]
    """Release to its changes, in order of term."""
    releases: Mapping[tuple[str, str], Release]
    """(source id, release name) to the release."""
    titles: Mapping[str, str]
    """Source id to the source's title."""

    @cached_property
    def current(self) -> tuple[Life, ...]:
        return tuple(life for life in self.site.lives if life.is_defined)

    @cached_property
    def removed(self) -> tuple[Life, ...]:
        return tuple(life for life in self.site.lives if not life.is_defined)

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, str]]:
        """Term key to the keys of the previous and next terms in A–Z; an empty text at the ends."""
        keys = ["", *(life.key for life in self.current), ""]
        return {key: (before, after) for before, key, after in zip(keys, keys[1:], keys[2:], strict=False)}

    @cached_property
    def unread(self) -> frozenset[tuple[str, str]]:
        """(source id, release name) of the releases without entries: their contents are unknown."""
        read = self.site.editions.items()
        return frozenset(
            (source, edition.release) for source, all_ in read for edition in all_ if not edition.entries
        )

    @cached_property
    def home(self) -> Home | None:
        """The site's own repository on a forge, or None."""
        return home_of(self.site.repository)

    @cached_property
    def several_sources(self) -> bool:
        return sum(1 for source in self.site.sources if not source.undated) > 1

    def defining_term(self, life: Life) -> Life:
        """Returns the term whose definition a term's page shows."""
        return self.site.defining_term(life.key)

    def address(self, key: str) -> str:
        return urls.term(self.site.slugs[key])

    def revision(self, key: str, source: str, release: str) -> str:
        """Returns the address of a release on a term's page."""
        slug = self.site.slugs[key]
        return urls.term(slug, anchor=self.site.ids[slug][source, release])

    def wording(self, life: Life, entry: Entry) -> str:
        """Returns the address of the frozen page with an entry's wording; empty if it is in no release."""
        source, release = entry.place.source, entry.place.release
        order = self._numbers[source]
        begun = [one.first for one in life.revisions if one.source == source and order[one.first] <= order[release]]
        return self.site.wordings.get((life.key, source, begun[-1]), "")

    @cached_property
    def _numbers(self) -> Mapping[str, Mapping[str, int]]:
        """Source id to its releases with their positions."""
        return {
            source.id: {release.name: number for number, release in enumerate(source.releases)}
            for source in self.site.sources
        }

    def summary(self, entry: Entry) -> str:
        return first_sentence(entry.definition.text)


def page_data(site: Site) -> PageData:
    """Returns the shared data of a site's pages."""
    changes: dict[str, list[Event]] = defaultdict(list)
    for life in site.lives:
        for change in life.changes:
            changes[change.release].append(Event(life.key, change))
    return PageData(
        site=site,
        words=with_dated(catalogue(site.language), _dated(site)),
        used_by=_reverse((life.key, _used(life, site)) for life in site.lives),
        synonyms=_reverse((life.key, (life.synonym_of,)) for life in site.lives if life.synonym_of),
        changes={release: tuple(events) for release, events in changes.items()},
        releases={(source.id, release.name): release for source in site.sources for release in source.releases},
        titles={source.id: source.title for source in site.sources},
    )


def _used(life: Life, site: Site) -> list[str]:
    """Returns the keys of the terms that a definition refers to. A synonym does not use the term that it names."""
    if not life.is_defined:
        return []
    mentions = mentioned(life.key, life.entry, site.references)
    return [other for other in mentions if other != life.synonym_of]


def _dated(site: Site) -> frozenset[str]:
    """Returns the names of dated states, without those that another source has for its releases."""
    releases = [release for source in site.sources for release in source.releases]
    return frozenset(one.name for one in releases if one.dated) - {one.name for one in releases if not one.dated}


def _reverse(pairs: Iterable[tuple[str, Iterable[str]]]) -> Mapping[str, tuple[str, ...]]:
    reversed_: dict[str, list[str]] = defaultdict(list)
    for key, others in pairs:
        for other in others:
            reversed_[other].append(key)
    return {key: tuple(others) for key, others in reversed_.items()}


def version_of(words: Catalogue, source: Source, release: str) -> Markup:
    """Returns a release's name, with a note if it is unreleased."""
    name = words.version(release)
    return words.say("release.unreleased", release=name) if release in source.unreleased else name


def file_name(name: str) -> Markup:
    """Returns the name of a file as part of a sentence."""
    return Markup(f"<code>{escape(name)}</code>")  # noqa: S704


def _link(text: Markup, href: str) -> Markup:
    return Markup(f'<a href="{escape(href)}">{text}</a>')  # noqa: S704  (asked for very often)


# Cached because many pages of the same folder depth contain the same links.
@lru_cache(maxsize=4096)
def _release(words: Catalogue, root: str, release: str) -> Markup:
    return _link(words.version(release), urls.link(urls.release(release), root))


@lru_cache(maxsize=4096)
def all_changes(words: Catalogue, root: str, release: str) -> Markup:
    """Returns a link to all changes of a release."""
    said = words.say("event.all-changes", release=words.version(release))
    return _link(said, urls.link(urls.release(release), root))


@lru_cache(maxsize=4096)
def _place(words: Catalogue, name: str, line: int) -> Markup:
    return words.say("event.place", path=file_name(name), line=line)


@lru_cache(maxsize=4096)
def stretch(words: Catalogue, first: str, last: str) -> Markup:
    """Returns a range of releases as text."""
    return words.say("table.span", first=words.version(first), last=words.version(last))


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the sentences of a page."""

    data: PageData
    root: str
    """The relative path from the page to the site's root."""
    here: str = ""
    """The page's address, if it has links to its own anchors."""

    def say(self, key: str, count: int | None = None, **values: object) -> Markup:
        return self.data.words.say(key, count, **values)

    def plain_text(self, key: str, count: int | None = None, **values: object) -> str:
        return self.data.words.plain_text(key, count, **values)

    def text(self, words: str) -> Markup:
        """Returns text of the glossary, such as a term's name, for use inside a sentence or line."""
        return self.data.words.text(words)

    def listed(self, items: Iterable[str]) -> Markup:
        return self.data.words.listed(items)

    def link(self, text: str, address: str) -> Markup:
        page, _, anchor = address.partition("#")
        href = f"#{anchor}" if anchor and page == self.here else self.href(address)
        return _link(self.text(text), href)

    def href(self, address: str) -> str:
        return urls.link(address, self.root)

    def term(self, key: str) -> Markup:
        return self.link(self.data.site.names[key], self.data.address(key))

    def onward(self, key: str) -> Markup:
        """Returns a link to the term that replaces the page's term."""
        return Markup("<strong>{}</strong>").format(self.term(key))

    def version(self, release: str) -> Markup:
        """Returns a release's name, marked as left-to-right in any language."""
        return self.data.words.version(release)

    def versions(self, releases: Iterable[str]) -> Markup:
        return self.listed(self.version(release) for release in releases)

    def version_of(self, source: Source, release: str) -> Markup:
        return version_of(self.data.words, source, release)

    def release(self, release: str) -> Markup:
        return _release(self.data.words, self.root, release)

    def date(self, source: str, release: str) -> Markup:
        """Returns the date of a release; empty if unknown."""
        day = self.data.releases[source, release].date
        return self.data.words.date(day) if day else Markup()

    def all_changes(self, release: str) -> Markup:
        return all_changes(self.data.words, self.root, release)

    def place(self, citation: Citation) -> Markup:
        """Returns file and line, as a link if the source is on a known forge."""
        place = _place(self.data.words, citation.name, citation.line)
        lines = self.data.releases[citation.source, citation.release].lines
        if not lines:
            return place
        address = escape(line_link(lines, path=citation.name, line=citation.line))
        return Markup(f'<a href="{address}" rel="noopener">{place}</a>')  # noqa: S704

    def defined_in(self, entry: Entry) -> Markup:
        """Returns source, release and place of an entry."""
        citation = entry.citation
        title, place = self.data.titles[citation.source], self.place(citation)
        if not citation.release:
            return self.say("defined-in-undated", source=title, place=place)
        return self.say("defined-in", source=title, release=self.release(citation.release), place=place)

    def definition(self, entry: Entry, *, of: str) -> Markup:
        """Returns an entry's definition for the page of the term `of`, without links to that term itself."""

        def term(key: str) -> str | None:
            return urls.link(self.data.address(key), self.root) if key != of else None

        addresses = link_addresses(self.data.site, entry, root=self.root, term=term)
        html = definition_html(entry.definition, *addresses)
        attributes = self.data.words.attributes(entry.definition.text)
        return Markup(f"<div{attributes}>{html}</div>") if attributes else html  # noqa: S704


def description(definition: Prose, standing: str, *, start: str = "") -> str:
    """Returns a page's description: the definition, then the status, together at most 300 bytes."""
    room = DESCRIPTION_BYTES - len(f" {standing}".encode())
    return f"{brief(definition, start=start, room=room)} {standing}".strip()


def brief(definition: Prose, *, start: str = "", room: int = DESCRIPTION_BYTES) -> str:
    """Returns a definition as plain text on one line, cut at the end of a word if it has too many bytes."""
    line = _line(definition.text)
    text = f"{start} {line}".strip() if start else line
    encoded = text.encode()
    if len(encoded) <= room:
        return text
    cut = encoded[: max(0, room - len("…".encode()))].decode(errors="ignore")
    return cut.rpartition(" ")[0].rstrip(" ,;:–—،؛") + "…"


# Cached because a page uses the same text several times, and the next page may be of the same term.
@lru_cache(maxsize=64)
def _line(text: str) -> str:
    return " ".join(text.split())
