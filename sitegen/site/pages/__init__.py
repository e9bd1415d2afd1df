"""Computes the pages of a site as values, which templates place in HTML.

To add a kind of page, add an address in `urls`, a function here that yields `Page`s, and a
template.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sitegen.addresses import urls
from sitegen.site.definitions import scrolling
from sitegen.site.pages.about import about
from sitegen.site.pages.compare import compare
from sitegen.site.pages.home import home
from sitegen.site.pages.lists import a_to_z, sections
from sitegen.site.pages.matrix import matrix_page
from sitegen.site.pages.page import Page, PageData, PageGroup
from sitegen.site.pages.releases import ReleaseTerms, release_terms, releases, releases_in_full
from sitegen.site.pages.retired import kept, redirects
from sitegen.site.pages.term import of_term
from sitegen.site.pages.translated_terms import translation_pages

__all__ = ["Page", "PageData", "PageGroup", "groups", "of_term", "release_terms"]


def groups(data: PageData, terms: ReleaseTerms) -> Iterator[PageGroup]:
    """Yields the pages of a site in independent groups, without those of terms. The pages of a term
    are one more."""
    yield from a_to_z(data)
    for several in (sections, _single, kept, redirects):
        yield PageGroup(make=partial(several, data))
    yield from releases(data)
    yield from releases_in_full(data, terms)
    yield from compare(data)
    if data.site.languages:
        yield PageGroup(make=partial(translation_pages, data))


def _single(data: PageData) -> Iterator[Page]:
    """Yields the pages of which there is one, and those that the site's editors wrote."""
    first = home(data)
    yield first
    yield about(data)
    yield matrix_page(data)
    title = data.words.say("search.title")
    yield Page(
        address=urls.SEARCH,
        template="pages/search.html",
        title=title,
        description=first.description,
    )
    for extra in data.site.extra_pages:
        context = {"heading": extra.title, "content": scrolling(str(extra.html))}
        yield Page(
            address=extra.address, template="pages/extra.html", title=extra.title, context=context
        )
    yield Page(
        address=urls.NOT_FOUND, template="pages/404.html", title=data.words.say("lost.title")
    )
