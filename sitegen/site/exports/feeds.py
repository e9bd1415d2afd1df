"""Builds Atom feeds (RFC 4287): of the site, with an entry per release; of a term, with one per
release that changed it.

Entry ids are absolute addresses, so a site without `base_url` has no feeds. Their content is XHTML
and they have a style sheet, so that browsers show them as pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import lxml.html
from lxml import etree
from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import File, Source
from sitegen.model.terms import CHANGES, MINOR, Change, ChangeKind, Life
from sitegen.site.definitions import link_addresses, linked_html
from sitegen.site.exports.escaping import one_line, xml
from sitegen.site.messages import plain
from sitegen.site.site import Site
from sitegen.text.names import fold

MAX_RELEASES = 30
"""Number of releases in the site's feed."""
MAX_TERMS = 50
"""Maximum number of terms that the site's feed lists for each kind of change; the release's page
lists all."""
NO_DAY = date(1970, 1, 1)
"""The date of all releases of a source without dates."""
_FEED = """\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="{root}assets/feed.css"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">
<id>{id}</id>
<title>{title}</title>
<subtitle>{what}</subtitle>
<link rel="self" type="application/atom+xml" href="{id}"/>
<link rel="alternate" type="text/html" href="{page}"/>
<updated>{day}T00:00:00Z</updated>
<author><name>{author}</name></author>
"""
_ENTRY = """\
<entry>
<id>{id}</id>
<title>{title}</title>
<link rel="alternate" type="text/html" href="{page}"/>
<updated>{day}T00:00:00Z</updated>
<content type="xhtml">{html}</content>
</entry>
"""


class News(NamedTuple):
    """The changes of a term in a release, as feeds show them."""

    life: Life
    changes: Sequence[Change]
    day: date

    @property
    def kinds(self) -> tuple[ChangeKind, ...]:
        return tuple([change.kind for change in self.changes])

    @property
    def last(self) -> Change:
        """The last of the changes, whose entry feeds show. The others are of the same release."""
        return self.changes[-1]


def files(site: Site) -> Iterator[File]:
    """Yields the feed of the site, which leaves out minor changes."""
    if not site.base_url:
        return
    by_release: dict[str, list[News]] = defaultdict(list)
    for life in site.lives:
        for news in _news(life):
            if not MINOR.issuperset(news.kinds):
                by_release[news.last.release].append(news)
    yield File(path=urls.feed(urls.HOME), content=_of_site(by_release, site))


def of_term(life: Life, site: Site) -> bytes:
    """Returns the feed of a term, newest entry first. The site must have a `base_url`."""
    # Sorting with `reverse` would leave the news of one day oldest first.
    oldest_first = sorted(_news(life), key=attrgetter("day"))
    newest_first = oldest_first[::-1]
    title = plain(site.words.say("title", page=one_line(life.name), site=site.title))
    day = newest_first[0].day if newest_first else NO_DAY
    entries = [_entry_of_term(news, site) for news in newest_first]
    return feed(site, site.address(life.key), title, entries, day=day)


def feed(
    site: Site,
    address: str,
    title: str,
    entries: Iterable[str] = (),
    *,
    day: date = NO_DAY,
) -> bytes:
    """Returns the feed of the page at `address`, which was last updated on `day`."""
    head = _FEED.format(
        root=urls.root(address),
        what=xml(plain(site.words.say("feed.what"))),
        id=xml(site.base_url + urls.feed(address)),
        page=xml(site.base_url + address),
        title=xml(one_line(title)),
        author=xml(one_line(site.title)),
        language=site.language,
        day=day.isoformat(),
    )
    return "".join((head, *entries, "</feed>\n")).encode()


def _news(life: Life) -> Iterator[News]:
    """Yields the news of a term, source by source, oldest first. Changes of formatting and
    unreleased changes are left out, and so are releases without a known date."""
    for course in life.courses:
        for release, group in groupby(course.changes, key=attrgetter("release")):
            changes = [change for change in group if change.kind != "reformatted"]
            day = _day(course.source, release)
            is_published = release not in course.source.unreleased
            if changes and day and is_published:
                yield News(life, changes, day)


def _entry_of_term(news: News, site: Site) -> str:
    """Returns the entry of a term's feed about one release."""
    life, last = news.life, news.last
    name = last.entry.name
    page = _address_of_event(site.slugs[life.key], last, site)
    # The id of a feed entry must not change when the term is renamed, so it has the slug of the
    # name in that release.
    id = _address_of_event(_slug_of_name(name, life, site), last, site)
    what_happened = plain(site.words.happened(news.kinds, last.release))
    link = f'<p><a href="{escape(page)}">{escape(one_line(name))}</a></p>'
    return _atom_entry(
        id=id,
        page=page,
        title=f"{one_line(name)}: {what_happened}",
        day=news.day,
        html=_content(news, site) + link,
    )


def _slug_of_name(name: str, life: Life, site: Site) -> str:
    """Returns the slug of a present or former name of a term. A name without a slug of its own has
    the slug of the present name."""
    slug_of_name = site.slugs[life.key]
    for slug in site.slugs_of[life.key]:
        if fold(site.addresses.pages[slug].name) == fold(name):
            slug_of_name = slug
    return slug_of_name


def _address_of_event(slug: str, change: Change, site: Site) -> str:
    """Returns the absolute address of a change on a page of its term: the page of the present name
    or of a former one, by its slug."""
    id = site.addresses.pages[slug].ids[change.source, change.release]
    return site.base_url + urls.term(slug, anchor=id)


def _content(news: News, site: Site) -> str:
    """Returns the definition of a term, after a sentence with its former name if it was renamed."""
    entry = news.last.entry
    html = ""
    for change in news.changes:
        if change.before and change.kind == "renamed":
            sentence = site.words.say("event.formerly", name=change.before.name)
            html = f"<p>{sentence}</p>"

    def address(key: str) -> str:
        return site.base_url + site.address(key)

    addresses = link_addresses(site, entry, root=site.base_url, term=address)
    return html + linked_html(entry.definition, addresses)


def _of_site(by_release: Mapping[str, Sequence[News]], site: Site) -> bytes:
    """Returns the feed of the site, with an entry for each release, newest first. Sources may
    publish a release on different days, so its date is that of its latest change."""
    days = {}
    for release in site.published_releases:
        if release in by_release:
            days[release] = max(news.day for news in by_release[release])
    # `days` is in the order of releases, and sorting keeps that order within a day.
    oldest_first = sorted(days, key=lambda release: days[release])
    newest_first = oldest_first[::-1]
    entries = []
    for release in newest_first[:MAX_RELEASES]:
        entries.append(_entry_of_release(release, days[release], by_release[release], site))
    day = max(days.values(), default=NO_DAY)
    return feed(site, urls.HOME, site.title, entries, day=day)


def _entry_of_release(release: str, day: date, news_of_release: Sequence[News], site: Site) -> str:
    """Returns the feed entry of a release. It has a line for each kind of change, with links to the
    changed terms."""
    words = site.words
    lines = []
    for kind in CHANGES:
        news_of_kind = [news for news in news_of_release if kind in news.kinds]
        if not news_of_kind or kind in MINOR:
            continue
        line = words.say(f"count.{kind}", len(news_of_kind))
        # The first release that was read has all terms, so only their number is given.
        if kind != "first-read":
            link = Markup('<a href="{}">{}</a>')
            links = []
            for news in news_of_kind[:MAX_TERMS]:
                page = _address_of_event(site.slugs[news.life.key], news.last, site)
                links.append(link.format(page, one_line(news.last.entry.name)))
            line = Markup("{}: {}").format(line, words.listed(links))
        lines.append(f"<p>{line}</p>")
    address = site.base_url + urls.release(release)
    title = plain(words.say("release.title", release=words.version(release)))
    return _atom_entry(id=address, page=address, title=title, day=day, html="".join(lines))


def _day(source: Source, release: str) -> date | None:
    """Returns the date of a release. A release without a date has the last date before it, or None
    if there is no date before it. If the source has no dates at all, the result is `NO_DAY`."""
    has_dates = any(other.date for other in source.releases)
    if not has_dates:
        return NO_DAY
    day = None
    for other in source.releases:
        day = other.date or day
        if other.name == release:
            break
    return day


def _atom_entry(*, id: str, page: str, title: str, day: date, html: str) -> str:
    """Returns an entry of a feed, with HTML as its content."""
    # A feed is XML, so its HTML must be well-formed XHTML.
    content = lxml.html.fragment_fromstring(html, create_parent="div")
    content.set("xmlns", "http://www.w3.org/1999/xhtml")
    xhtml = etree.tostring(content, encoding="unicode")
    return _ENTRY.format(
        id=xml(id), page=xml(page), title=xml(one_line(title)), day=day.isoformat(), html=xhtml
    )
