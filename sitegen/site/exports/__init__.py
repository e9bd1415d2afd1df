"""Writes the site's data in the formats that other tools read.

Each module yields files computed from the `Site` alone. Their addresses are defined in `urls`. The addresses that
tools store (`paths`) are recorded in the ledger as permanent, like those of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.exports import data, feeds, inventory, markdown, old_addresses, search_engines, vocabularies
from sitegen.site.exports.inventory import Inventories
from sitegen.site.exports.texts import Labels
from sitegen.site.site import Site

__all__ = ["Inventories", "Labels", "beside", "notes", "parts", "paths"]


def parts(site: Site) -> Iterator[Callable[[], Iterable[File]]]:
    """Yields, for each format, a function that returns its files about the whole site.

    The inventories (`Inventories`) are not included: they are built one by one.
    """
    labels = Labels(site)
    for worded in (feeds.files, vocabularies.skos, vocabularies.tbx, markdown.llms):
        yield partial(worded, site, labels)
    for form in (
        data.files,
        data.release_files,
        data.table,
        search_engines.defined_terms,
        search_engines.sitemap,
        search_engines.opensearch,
        old_addresses.renames,
        old_addresses.retired,
    ):
        yield partial(form, site)


def beside(site: Site, labels: Labels, key: str, *, standing: str) -> Iterator[File]:
    """Yields the data files of a term, in the folder of its page at each of its addresses.

    `standing` is the term's status sentence, as its page shows it.
    """
    life = site.by_key[key]
    forms = {
        urls.term_data: data.of_term(life, site, standing=standing),
        urls.term_markdown: markdown.of_term(life, site, labels, standing=standing),
    }
    if site.base_url:
        forms[urls.term_feed] = feeds.of_term(life, site, labels)
    for slug in site.slugs_of[key]:
        yield from (File(path=path(slug), content=content) for path, content in forms.items())


def paths(site: Site) -> Iterator[str]:
    """Yields the paths of the permanent files, except those in the folder of a term's page.

    The permanent address of that page covers these.
    """
    yield from (urls.DATA, urls.SCHEMA, urls.INVENTORY, urls.LLMS)
    yield from (urls.TURTLE, urls.JSON_LD, urls.DEFINED_TERMS, urls.TBX, urls.SHEET, urls.RENAMES, urls.EMBED)
    yield from map(urls.release_data, site.releases_out)
    yield from map(urls.release_inventory, site.releases_out)
    yield from feeds.paths(site)


def notes(site: Site) -> Iterator[str]:
    """Yields a message for each omission in the site's data that no mistake in a document causes."""
    yield from inventory.notes(site)
    if not site.base_url:
        yield "no feeds and no sitemap, which need an absolute address: say base_url in [site] of site.toml"
