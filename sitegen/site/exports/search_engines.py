"""Writes what search engines read: sitemap.xml and robots.txt.

The sitemap has the pages of terms (also removed ones), lists and releases. It leaves out frozen
wordings and former names, whose canonical page is another one, and comparisons, which repeat the
pages of releases. Its addresses must be absolute, so a site without `base_url` has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from urllib.parse import quote, urlsplit

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.exports.escaping import xml
from sitegen.site.site import Site

LIMIT = 50_000
"""The number of addresses that a sitemap may have (sitemaps.org). Search engines find further ones
on the pages."""

_SITEMAP = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
"""
_XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'


def sitemap(site: Site) -> Iterator[File]:
    """Yields the sitemap, and a robots.txt that links to it if the site is at the root of its
    host."""
    if not site.base_url:
        return
    days = _days(site)
    newest = max(days.values(), default=None)
    pages = [urls.HOME, *urls.OVERVIEWS]
    pages += [urls.section(section.heading) for section in site.sections.values()]
    pages += [urls.release(name) for name in site.release_names()]
    pages += [site.address(life.key) for life in site.lives]
    text = _SITEMAP.replace("<urlset", f"<urlset {_XHTML}") if site.languages else _SITEMAP
    for page in pages[:LIMIT]:
        address = site.base_url + quote(page, safe="/~")
        text += _sitemap_entry(address, days.get(page, newest), _alternates(page, site))
    yield File(path=urls.SITEMAP, content=f"{text}</urlset>\n".encode())
    if urlsplit(site.base_url).path == "/":
        text = "User-agent: *\nAllow: /\n\n"
        for folder in ("", *[one.folder for one in site.languages if one.folder]):
            text += f"Sitemap: {site.base_url}{folder}{urls.SITEMAP}\n"
        yield File(path=urls.ROBOTS, content=text.encode())


def _days(site: Site) -> Mapping[str, date]:
    """Returns addresses of terms and releases to the dates of their last changes, where known."""
    days: dict[str, date] = {}
    for life in site.lives:
        of_changes = [site.release_of[one.source, one.release].date for one in life.changes]
        if day := max(filter(None, of_changes), default=None):
            days[site.address(life.key)] = day
    for (_, name), release in site.release_of.items():
        if release.date:
            address = urls.release(name)
            days[address] = max(release.date, days.get(address, release.date))
    return days


def _sitemap_entry(address: str, day: date | None, alternates: str) -> str:
    """Returns the entry of a page."""
    changed = f"<lastmod>{day.isoformat()}</lastmod>" if day else ""
    return f"<url><loc>{xml(address)}</loc>{changed}{alternates}</url>\n"


def _alternates(page: str, site: Site) -> str:
    """Returns links to the page of a term in all languages that have it."""
    base_url = site.base_url.removesuffix(site.folder)
    links = ""
    for tag, one in site.alternates.get(urls.slug_in(page), {}).items():
        if one.has_text:
            href = xml(base_url + one.path)
            links += f'<xhtml:link rel="alternate" hreflang="{tag}" href="{href}"/>'
    return links
