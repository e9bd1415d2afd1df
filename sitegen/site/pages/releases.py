"""The list of releases, a page with the changes of each, and the glossary as of each release.

That has every term with the wording then in force, on one page or on a page for each letter. The
letters of a release depend only on that release, so a published page keeps its address. In a site
of very many terms and releases, these pages only have the names of terms, with links to their
wordings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import takewhile
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import Entry, Release, Source
from sitegen.site.comparisons import Event, latest
from sitegen.site.messages import plain
from sitegen.site.pages import letters
from sitegen.site.pages.change_texts import ChangeListing, counts
from sitegen.site.pages.compare import since
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.parts import SitePart
from sitegen.site.site import dated

MAX_ON_ONE_PAGE = 300
"""Above this many terms, a release has a page for each letter."""


def releases(data: PageData) -> Iterator[SitePart[Page]]:
    """Yields the list of releases and the page of each."""
    yield SitePart(paths=(urls.path(urls.RELEASES),), make=partial(_release_list, data))
    for name in data.site.release_names():
        page = urls.path(urls.release(name))
        yield SitePart(paths=(page,), make=partial(_release, name, data))


def _release_list(data: PageData) -> Iterator[Page]:
    writer = Writer(data, urls.root(urls.RELEASES))
    sources = [
        (
            data.title_if_several(source),
            [release_summary(source, one, writer) for one in reversed(source.releases)],
        )
        for source in data.dated
    ]
    title = writer.say("releases.title")
    yield Page(
        address=urls.RELEASES,
        template="pages/releases.html",
        title=title,
        context={"sources": sources},
    )


def release_summary(source: Source, release: Release, writer: Writer) -> dict[str, object]:
    """Returns the facts about a release of a source, with counts of its changes, or a sentence if
    there are none."""
    data = writer.data
    events = data.changes.get((source.id, release.name), ())
    sentence = _sentence(source, release.name, events, writer)
    # The page of a release of several sources has a part for each. Kinds that an earlier part has
    # need other ids.
    before = takewhile(lambda part: part[0] is not source, data.site.releases(release.name))
    earlier = {
        one.change.kind
        for part, _ in before
        for one in data.changes.get((part.id, release.name), ())
    }
    return {
        "source": data.title_if_several(source),
        "address": urls.release(release.name),
        "name": writer.version(release.name),
        "date": writer.date(source.id, release.name),
        "link_text": writer.say("release.commit" if release.dated else "release.link"),
        "link": release.link if urls.is_web(release.link) else "",
        "unreleased": release.unreleased,
        "counts": {} if sentence else counts(events, writer),
        "ids": {kind: f"{kind}-{source.id}" for kind in earlier},
        "sentence": sentence,
    }


def _sentence(source: Source, release: str, events: Sequence[Event], writer: Writer) -> Markup:
    """Returns a sentence if a release has no changes, is the first one, or could not be read; else
    nothing."""
    version, unread = writer.version(release), writer.data.unread
    if (source.id, release) in unread:
        return writer.say("release.unread", source=source.title, release=version)
    if not events:
        return writer.say("release.none", release=version)
    first = next(one.name for one in source.releases if (source.id, one.name) not in unread)
    if release == first and all(event.change.kind == "first-read" for event in events):
        is_only = len(source.releases) == 1 or release in source.unreleased
        key = "release.first-unreleased" if is_only else "release.first"
        return writer.say(key, len(events), release=version)
    return Markup()


def _release(name: str, data: PageData) -> Iterator[Page]:
    writer, site = Writer(data, urls.root(urls.release(name))), data.site
    sources, version = site.releases(name), writer.version(name)
    events = [one for source, _ in sources for one in data.changes.get((source.id, name), ())]
    summary_text = writer.listed(counts(events, writer).values())
    # A finished release offers no subscription, as nothing will be added to its feed.
    is_open = any(latest(source) == name for source, _ in sources)
    full_list = writer.link(writer.say("as-of.title", release=version), urls.release_terms(name))
    yield Page(
        address=urls.release(name),
        template="pages/release.html",
        title=plain(writer.say("release.title", release=version)),
        description=f"{site.title} {name}: {plain(summary_text)}" if summary_text else "",
        context={
            "heading": writer.say("release.title", release=version),
            "data": "index.json" if name in site.releases_out else "",
            "feed": urls.feed(urls.release(name))
            if site.base_url and is_open and name in site.days_of_releases
            else "",
            "parts": [_part(source, release, writer) for source, release in sources],
            "whole": full_list if data.is_read(name) else "",
            "since": since(name, writer)
            if any(latest(source) != name for source, _ in sources)
            else "",
        },
    )


def _part(source: Source, release: Release, writer: Writer) -> dict[str, object]:
    """Returns the changes of one source in a release, with the addresses and names of those before
    and after it."""
    index = source.releases.index(release)
    before, after = (
        source.releases[max(0, index - 1) : index],
        source.releases[index + 1 : index + 2],
    )
    return {
        **release_summary(source, release, writer),
        "id": urls.part_of_release(source.id),
        "kinds": ChangeListing(writer).by_kind(
            writer.data.changes.get((source.id, release.name), ())
        ),
        "previous": [(urls.release(one.name), writer.version(one.name)) for one in before],
        "following": [(urls.release(one.name), writer.version(one.name)) for one in after],
    }


class ReleasePart(NamedTuple):
    """The terms of one source on a page of a release."""

    source: str
    """Title of the source, if the site has several."""
    terms: Markup
    total: int


ReleaseParts = tuple[ReleasePart, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseWording:
    """A wording of a term in one source. Compared by identity, so that it can be a key."""

    key: str
    letter: str
    entry: Entry
    address: str


class _TermsWriter:
    """Writes the terms of releases.

    Most wordings are in force in many releases, so the HTML of each is cached: with 60 terms and
    200 releases, a build without this cache takes a fifth longer.
    """

    def __init__(self, data: PageData) -> None:
        self.data = data
        self._cached_html = cache(self._html)

    def pages(self, release: str) -> Mapping[str, ReleaseParts]:
        """Returns the parts of each page of a release, by its letter. "" is the main page, which is
        empty if there are letters."""
        wordings, list_ = self.wordings[release], urls.release_terms(release)
        labels = _letters(
            [one.entry for group in wordings.values() for one in group],
            self.data.site.language,
        )
        if not labels:
            return {"": self._parts(wordings, urls.root(list_))}
        by_letter: dict[str, dict[str, list[ReleaseWording]]] = {
            label: defaultdict(list) for label in labels
        }
        for source, of_source in wordings.items():
            for wording in of_source:
                by_letter[wording.letter][source].append(wording)
        root = urls.root(letters.page(list_, "a"))
        return {
            "": (),
            **{label: self._parts(group, root) for label, group in by_letter.items()},
        }

    @cached_property
    def wordings(self) -> Mapping[str, Mapping[str, Sequence[ReleaseWording]]]:
        """Release to source id to its terms in order, with the wording then in force."""
        site = self.data.site
        wordings: dict[str, dict[str, list[ReleaseWording]]] = {
            name: {source.id: [] for source, _ in site.releases(name)}
            for name in site.release_names()
        }
        in_order = sorted(
            dated(site), key=lambda one: (letters.place(one[2], site.language), one[0].key)
        )
        for life, course, entry, frozen, releases in in_order:
            initial = letters.initial(entry, site.language)
            wording = ReleaseWording(
                life.key, initial, entry, frozen or self.data.address(life.key)
            )
            for release in releases:
                wordings[release][course.source.id].append(wording)
        return wordings

    def _parts(self, wordings: Mapping[str, Sequence[ReleaseWording]], root: str) -> ReleaseParts:
        parts = []
        for source, of_source in wordings.items():
            if of_source:
                terms = Markup("".join([self._cached_html(one, root) for one in of_source]))  # noqa: S704
                title = self.data.titles[source] if self.data.several_sources else ""
                parts.append(ReleasePart(source=title, terms=terms, total=len(of_source)))
        return tuple(parts)

    def _html(self, wording: ReleaseWording, root: str) -> str:
        writer = Writer(self.data, root)
        id = anchors = ""
        if not self.data.several_sources:
            slug, *former = self.data.site.slugs_of[wording.key]
            id = f' id="{escape(slug)}"'
            anchors = "".join(
                [f'<span class="anchor" id="{escape(one)}"></span>' for one in former]
            )
        link = writer.link(wording.entry.name, wording.address)
        if self.data.is_brief:
            return f"<li{id}>{anchors}{link}</li>\n"
        # Below the heading of a source, if there are several.
        tag = "h3" if self.data.several_sources else "h2"
        definition = writer.definition(wording.entry, of=wording.key)
        return (
            f'<section class="wording"{id}>{anchors}\n<{tag}>{link}</{tag}>\n'
            f'<div class="definition">{definition}</div>\n</section>\n'
        )


def releases_in_full(data: PageData) -> Iterator[SitePart[Page]]:
    """Yields the pages of every release that has terms."""
    writer = _TermsWriter(data)
    for name in data.site.release_names():
        if data.is_read(name):
            pages = urls.release_terms(name)
            yield SitePart(paths=(pages,), make=partial(_pages, name, writer))


def _letters(entries: Sequence[Entry], language: str) -> tuple[str, ...]:
    """Returns the letters that have their own pages; `entries` has one for each term."""
    if len(entries) <= MAX_ON_ONE_PAGE:
        return ()
    labels = {letters.initial(entry, language) for entry in entries}
    return letters.in_order(labels, language)


def _pages(release: str, writer: _TermsWriter) -> Iterator[Page]:
    parts_of = writer.pages(release)
    labels = [label for label in parts_of if label]
    for label, parts in parts_of.items():
        counted = parts if label else [part for of_label in parts_of.values() for part in of_label]
        total = sum(part.total for part in counted)
        yield _page(release, label, parts, labels, count=total, data=writer.data)


def _page(
    release: str,
    label: str,
    parts: ReleaseParts,
    labels: Sequence[str],
    *,
    count: int,
    data: PageData,
) -> Page:
    list_, site = urls.release_terms(release), data.site
    address = letters.page(list_, label) if label else list_
    writer = Writer(data, urls.root(address))
    title = writer.say(
        "as-of.letter" if label else "as-of.title", release=writer.version(release), letter=label
    )
    return Page(
        address=address,
        template="pages/release-terms.html",
        title=plain(title),
        description=plain(writer.say("as-of.description", count, site=site.title, release=release)),
        context={
            "heading": title,
            "count": writer.say("terms", count),
            "changes": writer.all_changes(release),
            "letters": letters.links_to_pages(
                list_, labels, current=label, language=site.language, root=writer.root
            ),
            "is_brief": data.is_brief,
            "parts": parts,
        },
    )
