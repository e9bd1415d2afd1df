"""Atom feeds (RFC 4287): what each release changed, and below it what happened to each of its terms, and to any term.

An entry's id is an address that is never given up: of a release its page, of an event the place on the page that the
term had then. Its day is that of the release; a release without one counts as of the day of the release before it.
What is in no release yet is not told. Without a base address nothing here would have an id, and no feed is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby

from markupsafe import Markup

from sitegen import urls
from sitegen.definitions import linked_html
from sitegen.exports import fit
from sitegen.exports.labels import Labels
from sitegen.model import Change, Entry, File, Kind, Life
from sitegen.names import fold
from sitegen.pages.changes import KINDS
from sitegen.pages.spans import MINOR
from sitegen.site import Site
from sitegen.wording import plain

LATEST = 30
"""Releases in the feed of the site."""
NO_DAY = date(1970, 1, 1)
"""Of releases before which none has a day."""
MANY = 50
"""Terms that the site's feed names of each kind of change; the release's page has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What happened to a term in a release."""

    name: str
    kinds: tuple[Kind, ...]
    address: str
    """Where the term's page tells it, absolute."""
    release: str
    day: date
    xml: str


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Gives the feeds of all terms, of all releases that are out, and of the site."""
    if site.base_url:
        yield from _Feeds(site, labels).files()


@dataclass(frozen=True)
class _Feeds:
    site: Site
    labels: Labels

    def files(self) -> Iterator[File]:
        by_release: dict[str, list[News]] = defaultdict(list)
        for life in self.site.lives:
            told = tuple(self._news(life))
            address = urls.term(self.site.slugs[life.key])
            feed = self._feed(address, fit.line(life.name), NO_DAY, _newest_first(told))
            yield from (File(path=urls.feed(urls.term(slug)), content=feed) for slug in self.site.slugs_of[life.key])
            for news in told:
                by_release[news.release].append(news)
        for release, day in self._releases.items():
            told = tuple(news for news in by_release[release] if news.kinds != ("first-read",))
            feed = self._feed(urls.release(release), self._changes_in(release), day, told)
            yield File(path=urls.feed(urls.release(release)), content=feed)
        yield File(path=urls.feed(urls.HOME), content=self._site_feed(by_release))

    def _news(self, life: Life) -> Iterator[News]:
        """What happened to a term, oldest first in each source."""
        present = self.site.slugs[life.key]
        places = self.site.anchors(present)
        for (source, release), together in groupby(life.changes, key=lambda change: (change.source, change.release)):
            changes = [change for change in together if change.kind not in MINOR]
            if changes and release not in self._unreleased[source]:
                address = self.site.base_url + urls.term(present, anchor=places[source, release])
                yield self._told(life, changes, address)

    def _told(self, life: Life, changes: list[Change], address: str) -> News:
        change = changes[-1]
        entry = change.after or change.before
        assert entry, "a change has at least one side"
        kinds = tuple(change.kind for change in changes)
        title = f"{fit.line(entry.name)}: {self.labels.listed(kinds)}"
        day = self._days[change.source, change.release]
        id = self._id(life, entry, change)
        return News(
            name=entry.name,
            kinds=kinds,
            address=address,
            release=change.release,
            day=day,
            xml=_entry(id=id, title=title, address=address, day=day, html=self._content(changes, entry)),
        )

    def _id(self, life: Life, entry: Entry, change: Change) -> str:
        """A place on the page that the term had under the name of then, which stays when it is renamed."""
        slug = self._slugs_then.get((life.key, fold(entry.name)), self.site.slugs[life.key])
        anchor = self.site.anchors(slug)[change.source, change.release]
        return self.site.base_url + urls.term(slug, anchor=anchor)

    def _content(self, changes: Iterable[Change], entry: Entry) -> str:
        """How a term read after what happened to it, or last, and what it was called before."""
        renamed = next((change.before for change in changes if change.kind == "renamed"), None)
        before = f"<p>{self.labels.words.say('event.renamed.name', name=renamed.name)}</p>" if renamed else ""
        return before + linked_html(entry.definition, lambda target: self._resolved(entry, target))

    def _resolved(self, entry: Entry, target: str) -> str | None:
        key = self.site.references.get((entry.citation.source, target))
        return self.site.base_url + urls.term(self.site.slugs[key]) if key else None

    def _site_feed(self, by_release: Mapping[str, list[News]]) -> bytes:
        told = {release: day for release, day in self._releases.items() if by_release[release]}
        newest = sorted(told.items(), key=lambda release: release[1])[: -LATEST - 1 : -1]
        entries = (self._release(release, day, by_release[release]) for release, day in newest)
        return self._written(urls.HOME, self.site.title, newest[0][1] if newest else NO_DAY, entries)

    def _release(self, release: str, day: date, told: list[News]) -> str:
        address = self.site.base_url + urls.release(release)
        html = "".join(f"<p>{said}</p>" for said in self._listed(told))
        return _entry(id=address, title=self._changes_in(release), address=address, day=day, html=html)

    def _listed(self, told: list[News]) -> Iterator[Markup]:
        """Which terms changed, by kind; the terms of a first release are counted."""
        for kind in KINDS:
            changed = [news for news in told if kind in news.kinds]
            if not changed:
                continue
            total = self.labels.words.say(f"count.{kind}", len(changed))
            yield total if kind == "first-read" else Markup("{}: {}").format(total, self._linked(changed))

    def _linked(self, changed: list[News]) -> Markup:
        link = Markup('<a href="{}">{}</a>')
        links = [link.format(news.address, fit.line(news.name)) for news in changed[:MANY]]
        if len(changed) > MANY:
            links.append(self.labels.words.say("home.more", len(changed) - MANY))
        return self.labels.words.listed(links)

    def _changes_in(self, release: str) -> str:
        return fit.line(plain(self.labels.words.say("release.title", release=release)))

    def _feed(self, address: str, title: str, day: date, told: tuple[News, ...]) -> bytes:
        of_site = plain(self.labels.words.say("title", page=title, site=self.site.title))
        newest = max((news.day for news in told), default=day)
        return self._written(address, of_site, newest, (news.xml for news in told))

    def _written(self, address: str, title: str, day: date, entries: Iterable[str]) -> bytes:
        base = self.site.base_url
        head = _HEAD.format(
            language=self.site.language,
            feed=fit.xml(base + urls.feed(address)),
            page=fit.xml(base + address),
            title=fit.xml(fit.line(title)),
            author=fit.xml(fit.line(self.site.title)),
            day=day.isoformat(),
        )
        return "".join((head, *entries, "</feed>\n")).encode()

    @cached_property
    def _releases(self) -> Mapping[str, date]:
        """Releases that are out to their day: the last, where sources differ."""
        return {
            name: max(self._days[source.id, name] for source, one in self.site.releases(name) if not one.unreleased)
            for name in self.site.releases_out
        }

    @cached_property
    def _days(self) -> Mapping[tuple[str, str], date]:
        days = {}
        for source in self.site.sources:
            day = next((release.date for release in source.releases if release.date), NO_DAY)
            for release in source.releases:
                day = days[source.id, release.name] = release.date or day
        return days

    @cached_property
    def _unreleased(self) -> Mapping[str, frozenset[str]]:
        return {source.id: source.unreleased for source in self.site.sources}

    @cached_property
    def _slugs_then(self) -> Mapping[tuple[str, str], str]:
        """(term key, folded name) to the slug that the term was given under that name."""
        return {(key, fold(self.site.slug_names[slug])): slug for slug, key in self.site.owners.items()}


def _newest_first(told: Iterable[News]) -> tuple[News, ...]:
    return tuple(sorted(told, key=lambda news: news.day)[::-1])


_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">
<id>{feed}</id>
<title>{title}</title>
<link rel="self" type="application/atom+xml" href="{feed}"/>
<link rel="alternate" type="text/html" href="{page}"/>
<updated>{day}T00:00:00Z</updated>
<author><name>{author}</name></author>
"""


def _entry(*, id: str, title: str, address: str, day: date, html: str) -> str:
    return f"""\
<entry>
<id>{fit.xml(id)}</id>
<title>{fit.xml(title)}</title>
<link rel="alternate" type="text/html" href="{fit.xml(address)}"/>
<updated>{day.isoformat()}T00:00:00Z</updated>
<content type="html">{fit.xml(html)}</content>
</entry>
"""
