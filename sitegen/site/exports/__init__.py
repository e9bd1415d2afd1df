"""Writes the site's data in the formats that other tools read.

`parts` says which function makes which files of the `Site`. Their addresses are in `urls`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from urllib.parse import quote

from sitegen.addresses import urls
from sitegen.config.hosts import HOSTS
from sitegen.model import File, SitePart
from sitegen.permanence.kept_pages import KeptPage
from sitegen.site.exports import (
    data,
    feeds,
    inventory,
    markdown_pages,
    turtle,
)
from sitegen.site.exports.escaping import one_line, xml
from sitegen.site.site import Site
from sitegen.text import compact_json
from sitegen.text.markdown_escaping import escaped

HEADERS = {
    # Pages have their policy in a <meta> element; this directive works only in a header.
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    # Other sites may load the data of terms; everything on the site is public.
    "Access-Control-Allow-Origin": "*",
}
"""The HTTP headers that Netlify and Cloudflare send with every page."""
MAX_IN_SITEMAP = 50_000
"""The number of addresses that a sitemap may have (sitemaps.org). Search engines find further ones
on the pages."""

_SITEMAP = """\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
"""
_XHTML = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'


def parts(site: Site) -> Iterator[SitePart[File]]:
    """Yields the files about the whole site, in a part for each format."""
    prefixes_by_maker: Mapping[Callable[[Site], Iterable[File]], Iterable[str]] = {
        feeds.files: [urls.feed(urls.HOME)],
        turtle.files: [urls.TURTLE],
        markdown_pages.llms: [urls.LLMS],
        markdown_pages.snippets: [urls.ABBREVIATIONS, urls.LINKS],
        data.files: [urls.DATA],
        data.release_files: map(urls.release_data, site.published_releases),
        data.table: [urls.SHEET],
        sitemap: [urls.SITEMAP],
        inventory.files: [urls.INVENTORY, *map(urls.release_inventory, site.published_releases)],
        headers: ["_headers"],
        retired: [one.address for one in site.kept],
    }
    for make, prefixes in prefixes_by_maker.items():
        yield SitePart(prefixes=tuple(prefixes), make=partial(make, site))


def term_files(site: Site, key: str, *, standing: str) -> Iterator[File]:
    """Yields the data files of a term, in the folder of its page at each of its addresses.

    `standing` is the term's status sentence, as its page shows it.
    """
    life = site.by_key[key]
    contents = {
        urls.term_data: data.of_term(life, site, standing=standing),
        urls.term_markdown: markdown_pages.of_term(life, site, standing=standing),
    }
    if site.base_url:
        contents[urls.term_feed] = feeds.of_term(life, site)
    for slug in site.slugs_of[key]:
        for path_of, content in contents.items():
            yield File(path=path_of(slug), content=content)


def headers(site: Site) -> Iterator[File]:
    """Yields the file of HTTP headers, if the site's host reads such a file."""
    host = site.settings.host
    if host and HOSTS[host].reads_headers:
        lines = "".join(f"  {name}: {value}\n" for name, value in HEADERS.items())
        yield File(path="_headers", content=f"/*\n{lines}".encode())


def sitemap(site: Site) -> Iterator[File]:
    """Yields the sitemap. It has the pages of terms, also removed ones, of lists and of releases.
    Without a base_url there is none, because it has absolute addresses."""
    # Frozen wordings and former names are left out, because their canonical page is another one,
    # and comparisons repeat the pages of releases.
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
    for page in pages[:MAX_IN_SITEMAP]:
        address = xml(site.base_url + quote(page, safe="/~"))
        day = days.get(page, newest)
        changed = f"<lastmod>{day.isoformat()}</lastmod>" if day else ""
        text += f"<url><loc>{address}</loc>{changed}{_alternates(page, site)}</url>\n"
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


def _alternates(page: str, site: Site) -> str:
    """Returns the links to the page of a term in all languages; empty for other pages."""
    base_url_of_originals = site.base_url.removesuffix(site.folder)
    links = ""
    # Only the address of a term has a slug.
    for tag, page_of_term in site.alternates.get(urls.slug_in(page), {}).items():
        if page_of_term.has_text:  # a page without translation repeats the original
            href = xml(base_url_of_originals + page_of_term.path)
            links += f'<xhtml:link rel="alternate" hreflang="{tag}" href="{href}"/>'
    return links


def retired(site: Site) -> Iterator[File]:
    """Yields the data files of terms and releases that are gone. A file keeps its format, but has
    only the reason why its content is gone."""
    for kept in site.kept:
        names = []  # the pages of sections, letters and comparisons have no data files
        if kept.address == urls.release(kept.name):
            names = ["index.json", urls.INVENTORY]
        elif urls.is_of_term(kept.address):
            names = ["index.json", "index.md"]
            if site.base_url:
                names.append("feed.xml")
        for name in names:
            yield File(path=kept.address + name, content=_content(name, kept, site))


def _content(name: str, kept: KeptPage, site: Site) -> bytes:
    """Returns the content of a file of a page that is gone. An inventory cannot have a reason, so
    it is empty."""
    reason = kept.reason or "no longer part of this glossary"
    _, _, ending = name.rpartition(".")
    match ending:
        case "json":
            return f"{compact_json.text({'retired': reason})}\n".encode()
        case "inv":
            return inventory.inventory(site.title, "", "")
        case "xml":
            return feeds.feed(site, kept.address, f"{kept.name}: {reason}")
        case _:
            return f"# {escaped(one_line(kept.name))}\n\n{escaped(one_line(reason))}\n".encode()


def notes(site: Site) -> Iterator[str]:
    """Yields a message for the data files that are left out because of a setting."""
    if not site.base_url:
        yield (
            "no feeds and no sitemap, which need an absolute address: set base_url in [site] "
            "of site.toml"
        )
