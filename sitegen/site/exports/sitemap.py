"""Writes sitemap.xml: the pages that a search engine should index, with the date of their last change.

It has the pages of terms (also removed ones), lists and releases. It leaves out frozen wordings and former names,
whose canonical page is another one, and comparisons, which repeat the pages of releases. A sitemap may have 50,000
addresses (sitemaps.org): a larger one is split, and sitemap.xml lists the parts. Addresses must be absolute, so a
site without `base_url` has no sitemap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from urllib.parse import quote, urlsplit

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.exports import fit
from sitegen.site.site import Site

LIMIT = 50_000
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def files(site: Site) -> Iterator[File]:
    """Yields the sitemap, and a robots.txt that links to it if the site is at the root of its host."""
    if not site.base_url:
        return
    days = _days(site)
    newest = max(days.values(), default=None)
    entries = [
        _entry("url", site.base_url + quote(address, safe="/~"), days.get(address, newest))
        for address in _addresses(site)
    ]
    parts = [entries[start : start + LIMIT] for start in range(0, len(entries), LIMIT)]
    if len(parts) > 1:
        paths = [f"sitemap-{number}.xml" for number, _ in enumerate(parts, start=1)]
        yield from (
            File(path=path, content=_written("urlset", part)) for path, part in zip(paths, parts, strict=True)
        )
        entries = [_entry("sitemap", site.base_url + path, newest) for path in paths]
    yield File(path=urls.SITEMAP, content=_written("sitemapindex" if len(parts) > 1 else "urlset", entries))
    if urlsplit(site.base_url).path == "/":
        text = f"User-agent: *\nAllow: /\n\nSitemap: {site.base_url}{urls.SITEMAP}\n"
        yield File(path=urls.ROBOTS, content=text.encode())


def _addresses(site: Site) -> Iterator[str]:
    yield from (urls.HOME, urls.A_TO_Z, urls.RELEASES, urls.MATRIX, urls.COMPARE, urls.ABOUT)
    yield from (urls.section(section.heading) for section in site.sections.values())
    yield from (urls.release(name) for name in site.release_names())
    yield from (urls.term(site.slugs[life.key]) for life in site.lives)


def _days(site: Site) -> Mapping[str, date]:
    """Returns addresses of terms and releases to the dates of their last changes, where known."""
    days: dict[str, date] = {}
    for life in site.lives:
        known = (site.days.get((change.source, change.release)) for change in life.changes)
        if day := max(filter(None, known), default=None):
            days[urls.term(site.slugs[life.key])] = day
    for (_, name), day in site.days.items():
        address = urls.release(name)
        days[address] = max(day, days.get(address, day))
    return days


def _entry(tag: str, address: str, day: date | None) -> str:
    changed = f"<lastmod>{day.isoformat()}</lastmod>" if day else ""
    return f"<{tag}><loc>{fit.xml(address)}</loc>{changed}</{tag}>\n"


def _written(tag: str, entries: Iterable[str]) -> bytes:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{tag} xmlns="{_NAMESPACE}">\n'
    return "".join((head, *entries, f"</{tag}>\n")).encode()
