"""Writes sitemap.xml, which search engines read.

It has the pages of terms (also removed ones), lists and releases. It leaves out frozen
wordings and former names, whose canonical page is another one, and comparisons, which repeat the
pages of releases. Its addresses must be absolute, so a site without `base_url` has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from urllib.parse import quote

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
    """Yields the sitemap. Without a base_url there is none, because it has absolute addresses."""
    if not site.base_url:
        return
    days = _days(site)
    newest = max(days.values(), default=None)
    pages = [urls.HOME, *urls.OVERVIEWS]
    pages += [urls.section(section.heading) for section in site.sections.values()]
    pages += [urls.release(name) for name in site.by_release]
    pages += [site.address(life.key) for life in site.lives]

    text = _SITEMAP
    if site.languages:
        # The links to other languages need this namespace.
        text = text.replace("<urlset", f"<urlset {_XHTML}")
    for page in pages[:LIMIT]:
        address = site.base_url + quote(page, safe="/~")
        text += _sitemap_entry(address, days.get(page, newest), _alternates(page, site))
    yield File(path=urls.SITEMAP, content=f"{text}</urlset>\n".encode())


def _days(site: Site) -> Mapping[str, date]:
    """Returns the date of the last change of each term and release, by address. Addresses without a
    known date are left out."""
    days: dict[str, date] = {}
    for life in site.lives:
        days_of_term = []
        for change in life.changes:
            day = site.release_of[change.source, change.release].date
            if day:
                days_of_term.append(day)
        if days_of_term:
            days[site.address(life.key)] = max(days_of_term)

    # Several sources may have a release of one name, which is one page.
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
    """Returns the links to the page of a term in all languages; empty for other pages."""
    base_url_of_originals = site.base_url.removesuffix(site.folder)
    links = ""
    # The slug in the address of another page is empty.
    for tag, page_of_term in site.alternates.get(urls.slug_in(page), {}).items():
        if page_of_term.has_text:  # a page without translation repeats the original
            href = xml(base_url_of_originals + page_of_term.path)
            links += f'<xhtml:link rel="alternate" hreflang="{tag}" href="{href}"/>'
    return links
