"""The pages of a site, as values. Python has decided everything when a template gets to place it.

To add a kind of page: an address in `urls`, a function that gives `Page`s here, and a template.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitegen import urls
from sitegen.pages.about import about
from sitegen.pages.frozen import frozen
from sitegen.pages.home import home
from sitegen.pages.kept import kept
from sitegen.pages.lists import a_to_z, sections
from sitegen.pages.page import Desk, Page, desk
from sitegen.pages.releases import releases
from sitegen.pages.term import terms
from sitegen.site import Site

__all__ = ["Desk", "Page", "pages"]


def pages(site: Site) -> Iterator[Page]:
    """Gives every page of a site, one at a time, in an order that only depends on the site."""
    shared = desk(site)
    yield home(shared)
    yield a_to_z(shared)
    yield from sections(shared)
    yield from terms(shared)
    yield from frozen(shared)
    yield from kept(shared)
    yield from releases(shared)
    yield about(shared)
    yield Page(address=urls.SEARCH, template="pages/search.html", title=shared.words.say("search.title"))
    yield Page(address=urls.NOT_FOUND, template="pages/404.html", title=shared.words.say("lost.title"))
