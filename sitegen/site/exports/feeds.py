"""Builds feeds: of the site, with an entry per release; of a release, per changed term; of a term, per its changes.

Entry ids are absolute addresses, so a site without `base_url` has no feeds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry, File
from sitegen.model.terms import Change, ChangeKind, Life
from sitegen.site import elsewhere
from sitegen.site.definitions import linked_html
from sitegen.site.exports import atom, fit
from sitegen.site.exports.labels import Labels
from sitegen.site.pages.changes import KINDS
from sitegen.site.pages.spans import MINOR
from sitegen.site.site import NO_DAY, Site
from sitegen.text.names import fold


class News(NamedTuple):
    """The changes of a term in a release, as a feed entry."""

    name: str
    kinds: tuple[ChangeKind, ...]
    address: str
    """The absolute address of the release on the term's page."""
    release: str
    day: date
    entry: str


def news(life: Life, site: Site, labels: Labels) -> Iterator[News]:
    """Yields the news of a term, oldest first in each source; releases older than the first date are left out."""
    return _NewsWriter(life, site, labels).items()


@dataclass(frozen=True)
class _NewsWriter:
    life: Life
    site: Site
    labels: Labels

    def items(self) -> Iterator[News]:
        unreleased = {lane.source.id: lane.source.unreleased for lane in self.life.term.lanes}
        own, slugs = self.site.slugs[self.life.key], self._slugs()
        together = groupby(self.life.changes, key=lambda change: (change.source, change.release))
        for (source, release), changes in together:
            items = tuple(change for change in changes if change.kind not in MINOR)
            if items and release not in unreleased[source] and (source, release) in self.site.days_counted:
                entry = items[-1].after or items[-1].before
                assert entry, "a change has at least one side"
                id = self._address(slugs.get(fold(entry.name), own), source, release)
                yield self._news(items, entry, id=id, address=self._address(own, source, release))

    def _slugs(self) -> dict[str, str]:
        """Returns each name that the term had, folded, to the slug for that name."""
        return {fold(self.site.slug_names[slug]): slug for slug in self.site.slugs_of[self.life.key]}

    def _address(self, slug: str, source: str, release: str) -> str:
        """Returns the absolute address of a release on the page of a slug."""
        return self.site.base_url + urls.term(slug, anchor=self.site.anchors(slug)[source, release])

    def _news(self, changes: tuple[Change, ...], entry: Entry, *, id: str, address: str) -> News:
        kinds = tuple(change.kind for change in changes)
        day = self.site.days_counted[changes[0].source, changes[0].release]
        title = f"{fit.line(entry.name)}: {self.labels.listed(kinds)}"
        content = self._content(changes, entry)
        return News(
            name=entry.name,
            kinds=kinds,
            address=address,
            release=changes[0].release,
            day=day,
            entry=atom.entry(id=id, page=address, title=title, day=day, html=content),
        )

    def _content(self, changes: tuple[Change, ...], entry: Entry) -> str:
        """Returns the former name of a renamed term and the definition after the changes, or the last one."""
        renamed = next((change.before for change in changes if change.kind == "renamed"), None)
        before = f"<p>{self.labels.words.say('event.renamed.name', name=renamed.name)}</p>" if renamed else ""
        place = elsewhere.addresses(self.site, entry, self.site.base_url)
        return before + linked_html(entry.definition, lambda target: self._resolved(entry, target), place)

    def _resolved(self, entry: Entry, target: str) -> str | None:
        key = self.site.references.get((entry.place.source, target))
        return self.site.base_url + urls.term(self.site.slugs[key]) if key else None


LATEST = 30
"""Number of releases in the site's feed."""
MANY = 50
"""Maximum number of terms that the site's feed lists for each kind of change; the release's page lists all."""


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Yields the feeds of all published releases, and the feed of the site."""
    if site.base_url:
        yield from _Feeds(site, labels).files()


def paths(site: Site) -> Iterator[str]:
    """Yields the paths of the site's feed and of the releases' feeds."""
    if site.base_url:
        yield urls.feed(urls.HOME)
        yield from (urls.feed(urls.release(name)) for name in site.days_of_releases)


def of_term(life: Life, site: Site, labels: Labels) -> bytes:
    """Returns the feed of a term, newest entry first. The site must have a `base_url`."""
    items = sorted(news(life, site, labels), key=lambda one: one.day)[::-1]
    return _Feeds(site, labels).feed(urls.term(site.slugs[life.key]), life.name, NO_DAY, items)


@dataclass(frozen=True)
class _Feeds:
    site: Site
    labels: Labels

    def files(self) -> Iterator[File]:
        by_release: dict[str, list[News]] = defaultdict(list)
        for life in self.site.lives:
            for one in news(life, self.site, self.labels):
                by_release[one.release].append(one)
        days = self.site.days_of_releases
        for release, day in days.items():
            items = [one for one in by_release[release] if one.kinds != ("first-read",)]
            content = self.feed(urls.release(release), self._changes_in(release), day, items)
            yield File(path=urls.feed(urls.release(release)), content=content)
        yield File(path=urls.feed(urls.HOME), content=self._of_site(by_release, days))

    def feed(self, address: str, title: str, day: date, items: Iterable[News]) -> bytes:
        """Returns the feed of the page at `address`. `day` is its date if it has no entries."""
        items = tuple(items)
        full = self.labels.words.plain_text("title", page=fit.line(title), site=self.site.title)
        newest = max((one.day for one in items), default=day)
        return self._written(address, full, newest, (one.entry for one in items))

    def _written(self, address: str, title: str, day: date, entries: Iterable[str]) -> bytes:
        return atom.feed(
            id=self.site.base_url + urls.feed(address),
            page=self.site.base_url + address,
            title=title,
            author=self.site.title,
            language=self.site.language,
            day=day,
            entries=entries,
        )

    def _of_site(self, by_release: Mapping[str, list[News]], days: Mapping[str, date]) -> bytes:
        items = [(day, release) for release, day in days.items() if by_release[release]]
        newest = sorted(items, key=lambda one: one[0])[: -LATEST - 1 : -1]
        entries = (self._of_release(release, day, by_release[release]) for day, release in newest)
        return self._written(urls.HOME, self.site.title, newest[0][0] if newest else NO_DAY, entries)

    def _of_release(self, release: str, day: date, items: list[News]) -> str:
        address = self.site.base_url + urls.release(release)
        html = "".join(f"<p>{said}</p>" for said in self._listed(items))
        return atom.entry(id=address, page=address, title=self._changes_in(release), day=day, html=html)

    def _listed(self, items: list[News]) -> Iterator[Markup]:
        """Yields one line per kind of change: links to the terms, or for a first release only their number."""
        for kind in KINDS:
            changed = [one for one in items if kind in one.kinds]
            if not changed:
                continue
            total = self.labels.words.say(f"count.{kind}", len(changed))
            yield total if kind == "first-read" else Markup("{}: {}").format(total, self._linked(changed))

    def _linked(self, changed: list[News]) -> Markup:
        link = Markup('<a href="{}">{}</a>')
        links = [link.format(one.address, fit.line(one.name)) for one in changed[:MANY]]
        if len(changed) > MANY:
            links.append(self.labels.words.say("home.more", len(changed) - MANY))
        return self.labels.words.listed(links)

    def _changes_in(self, release: str) -> str:
        return self.labels.words.plain_text("release.title", release=release)
