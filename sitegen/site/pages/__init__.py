"""Computes the pages of a site as values, which templates place in HTML.

To add a kind of page, add an address in `urls`, a part here, and a template.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sitegen.addresses import urls
from sitegen.model import SitePart
from sitegen.site.definitions import scrolling, with_highlighted_code
from sitegen.site.letters import links_to_a_to_z
from sitegen.site.pages.about import about
from sitegen.site.pages.comparison_pages import comparisons
from sitegen.site.pages.home import home
from sitegen.site.pages.lists import a_to_z, sections
from sitegen.site.pages.page import Page, contents, page_part
from sitegen.site.pages.release_terms import releases_in_full
from sitegen.site.pages.releases import releases
from sitegen.site.pages.retired import kept, redirects
from sitegen.site.pages.term import of_term
from sitegen.site.pages.translated_terms import translation_pages
from sitegen.site.site import Site

__all__ = ["Page", "of_term", "parts"]


def parts(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the pages of a site in independent parts, apart from the pages of terms."""
    kept_addresses = tuple(page.address for page in site.kept)
    yield from a_to_z(site)
    yield SitePart(prefixes=("section/",), make=partial(sections, site))
    paths = (urls.path(urls.HOME), urls.path(urls.SEARCH))
    yield SitePart(prefixes=paths, make=partial(_home_and_search, site))
    yield page_part(urls.ABOUT, partial(about, site))
    yield page_part(urls.NOT_FOUND, partial(_not_found, site))
    yield SitePart(prefixes=("pages/",), make=partial(_extra_pages, site))
    yield SitePart(prefixes=kept_addresses, make=partial(kept, site))
    yield SitePart(prefixes=tuple(map(urls.path, site.redirects)), make=partial(redirects, site))
    yield from releases(site)
    yield from releases_in_full(site)
    yield from comparisons(site)
    if site.languages:
        # Terms without a translation have their pages here.
        yield SitePart(prefixes=(urls.TRANSLATIONS, "term/"), make=partial(translation_pages, site))


def _home_and_search(site: Site) -> Iterator[Page]:
    """Yields the first page and the page of the search. Both have the same description."""
    first = home(site)
    yield first
    yield Page(
        address=urls.SEARCH,
        template="pages/search.html",
        title=site.words.say("search.title"),
        description=first.description,
        context={
            "letters": links_to_a_to_z(site.defined, site.language, root=urls.root(urls.SEARCH))
        },
    )


def _extra_pages(site: Site) -> Iterator[Page]:
    """Yields the pages that the site's editors wrote. If these have an index, each leads to the
    next."""
    has_index = not all(extra.is_linked for extra in site.extra_pages)
    ordered = [(extra.address, extra.title) for extra in site.extra_pages if has_index]
    for number, extra in enumerate(site.extra_pages):
        context = {
            "heading": extra.title,
            "content": scrolling(with_highlighted_code(extra.html)),
            "contents": contents(extra.html),
            "is_linked": extra.is_linked,
            "previous": ordered[number - 1 : number] if number else (),
            "following": ordered[number + 1 : number + 2],
        }
        yield Page(
            address=extra.address, template="pages/extra.html", title=extra.title, context=context
        )


def _not_found(site: Site) -> Page:
    # The page is shown at any address, so its links need the path of the site.
    letters = links_to_a_to_z(site.defined, site.language, root=site.base_path)
    return Page(
        address=urls.NOT_FOUND,
        template="pages/404.html",
        title=site.words.say("lost.title"),
        context={"letters": letters},
    )
