"""Turns the changes of a term into feed entries.

An entry's id is the address of the release on the term's page at that time (the slug of its name then), which is
permanent. Its date is that of the release in `Site.days_counted`. Unreleased and minor changes have no entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from sitegen.addresses import urls
from sitegen.model import Entry
from sitegen.model.terms import Change, Kind, Life
from sitegen.site import elsewhere
from sitegen.site.definitions import linked_html
from sitegen.site.exports import atom, fit
from sitegen.site.exports.labels import Labels
from sitegen.site.pages.spans import MINOR
from sitegen.site.site import Site
from sitegen.text.names import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """The changes of a term in a release, as a feed entry."""

    name: str
    kinds: tuple[Kind, ...]
    address: str
    """The absolute address of the release on the term's page."""
    release: str
    day: date
    entry: str


def news(life: Life, site: Site, labels: Labels) -> Iterator[News]:
    """Yields the news of a term, oldest first in each source; releases older than the first date are left out."""
    return _Teller(life, site, labels).told()


@dataclass(frozen=True)
class _Teller:
    life: Life
    site: Site
    labels: Labels

    def told(self) -> Iterator[News]:
        unreleased = {lane.source.id: lane.source.unreleased for lane in self.life.term.lanes}
        own, slugs = self.site.slugs[self.life.key], self._slugs()
        together = groupby(self.life.changes, key=lambda change: (change.source, change.release))
        for (source, release), changes in together:
            told = tuple(change for change in changes if change.kind not in MINOR)
            if told and release not in unreleased[source] and (source, release) in self.site.days_counted:
                entry = told[-1].after or told[-1].before
                assert entry, "a change has at least one side"
                id = self._address(slugs.get(fold(entry.name), own), source, release)
                yield self._news(told, entry, id=id, address=self._address(own, source, release))

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
