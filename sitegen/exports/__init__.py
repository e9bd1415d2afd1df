"""The result in the forms that other tools read: one module for each form.

Each gives files, made from the site alone. Their addresses stand in `urls`; those that tools are told once and then
rely on are promised in the ledger (`paths`), like pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from sitegen import urls
from sitegen.exports import data, defined_terms, feeds, inventory, renames, sheet, sitemap, skos, tbx, twins
from sitegen.exports.labels import Labels
from sitegen.model import File, Problem
from sitegen.site import Site


def files(site: Site) -> Iterator[File]:
    """Gives every file that is not for people's eyes."""
    return chain.from_iterable(part() for part in parts(site))


def parts(site: Site) -> Iterator[Callable[[], Iterable[File]]]:
    """Gives what makes these files, form by form."""
    labels = Labels(site)
    for worded in (data, twins, feeds, skos, tbx):
        yield partial(worded.files, site, labels)
    for form in (inventory, defined_terms, sheet, renames, sitemap):
        yield partial(form.files, site)


def paths(site: Site) -> Iterator[str]:
    """Gives the paths of the files that are promised to stay where they are."""
    yield from (urls.DATA, urls.SCHEMA, urls.INVENTORY)
    yield from (urls.TURTLE, urls.JSON_LD, urls.DEFINED_TERMS, urls.TBX, urls.SHEET, urls.RENAMES, urls.EMBED)
    yield from map(urls.term_data, site.owners)


def problems(site: Site) -> Iterator[Problem]:
    """Gives what a form cannot hold, and so leaves out."""
    yield from inventory.problems(site)
