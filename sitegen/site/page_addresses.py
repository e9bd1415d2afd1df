"""The addresses that a site publishes beside those of terms and wordings.

The archive has those that do not follow from its releases: the address of the site, and the pages
of sections and of letters.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.permanence.archive import Archive, ArchivedPage
from sitegen.site.pages import letters
from sitegen.site.site import Site


def pages_beside_terms(site: Site) -> Iterator[ArchivedPage]:
    """Yields the pages that are not of a term."""
    if site.base_url and not site.is_translation:
        yield ArchivedPage(address=site.base_url)
    for letter in letters.pages_of_a_to_z(site):
        yield ArchivedPage(address=letters.page(urls.A_TO_Z, letter))
    for section in site.sections.values():
        yield ArchivedPage(address=urls.section(section.heading), name=section.heading)


def published_paths(archive: Archive) -> Iterator[str]:
    """Yields the paths of the files that the archive of one language promises. For the address
    `term/tensor/`, these are `index.html`, `index.json` and `index.md` in its folder; for a release
    1.0, `release/1.0/index.html`."""
    for address in archive.by_address:
        if urls.is_web(address):
            continue  # the address of the site is no file
        yield urls.path(address)
        if urls.is_of_term(address):
            yield f"{address}index.json"
            yield f"{address}index.md"
    for edition in archive.editions.values():
        if edition.release and not edition.unreleased:
            yield urls.path(urls.release(edition.release))
