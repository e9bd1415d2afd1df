"""Computes the pages of a site as values, which templates place in HTML.

To add a kind of page, add an address in `urls`, a function here that yields `Page`s, and a template.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from sitegen.addresses import urls
from sitegen.site.pages.about import about
from sitegen.site.pages.compare import compare
from sitegen.site.pages.frozen import frozen
from sitegen.site.pages.home import home
from sitegen.site.pages.lists import a_to_z, letter_pages, sections
from sitegen.site.pages.matrix import letter_pages as changed_letter_pages
from sitegen.site.pages.matrix import matrices
from sitegen.site.pages.overview import PageGroup, Whole
from sitegen.site.pages.page import Page, PageData, page_data
from sitegen.site.pages.release_terms import ReleaseTerms, names_terms_only, releases_in_full
from sitegen.site.pages.releases import releases
from sitegen.site.pages.retired import kept, redirects
from sitegen.site.pages.term import term
from sitegen.site.site import Site

__all__ = ["Page", "PageData", "PageGroup", "Whole", "groups", "of_term", "page_data", "pages", "whole"]


def pages(site: Site) -> Iterator[Page]:
    """Yields all pages of a site, in an order that depends only on the site."""
    return chain.from_iterable(group.make() for group in groups(whole(page_data(site))))


def whole(data: PageData) -> Whole:
    """Returns the shared data of the pages about the whole glossary."""
    site, is_brief = data.site, names_terms_only(data.site)
    return Whole(
        data=data,
        letters=letter_pages(site),
        changed_letters=changed_letter_pages(site),
        is_brief=is_brief,
        terms=ReleaseTerms(data, is_brief=is_brief),
    )


def groups(whole: Whole) -> Iterator[PageGroup]:
    """Yields the pages of a site in independent groups. The pages of one term are one group."""
    data = whole.data
    yield from a_to_z(whole)
    for several in (sections, _lone, kept, redirects):
        yield PageGroup(make=partial(several, data))
    yield from releases(data)
    yield from releases_in_full(whole)
    yield from matrices(whole)
    yield from compare(whole)
    for life in data.site.lives:
        yield PageGroup(name=life.key, key=life.key, make=partial(of_term, data, life.key))


def of_term(data: PageData, key: str) -> Iterator[Page]:
    """Yields the pages of one term: its own, and those of its frozen wordings."""
    life = data.site.by_key[key]
    yield from term(data, life)
    yield from frozen(data, life)


def _lone(data: PageData) -> Iterator[Page]:
    first = home(data)
    yield first
    yield about(data)
    title = data.words.say("search.title")
    yield Page(address=urls.SEARCH, template="pages/search.html", title=title, description=first.description)
    for extra in data.site.extra_pages:
        context = {"heading": extra.title, "content": extra.html}
        yield Page(address=extra.address, template="pages/extra.html", title=extra.title, context=context)
    yield Page(address=urls.NOT_FOUND, template="pages/404.html", title=data.words.say("lost.title"))
