"""The pages of a site, as values. Python has decided everything when a template gets to place it.

To add a kind of page: an address in `urls`, a function that gives `Page`s here, and a template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from sitegen import urls
from sitegen.pages.about import about
from sitegen.pages.compare import compare
from sitegen.pages.frozen import frozen
from sitegen.pages.home import home
from sitegen.pages.kept import kept
from sitegen.pages.lists import a_to_z, sections
from sitegen.pages.matrix import matrices
from sitegen.pages.page import Desk, Page, desk
from sitegen.pages.releases import releases
from sitegen.pages.term import term
from sitegen.site import Site

__all__ = ["Desk", "Page", "desk", "of_term", "pages", "parts"]


def pages(site: Site) -> Iterator[Page]:
    """Gives every page of a site, one at a time, in an order that only depends on the site."""
    return chain.from_iterable(part() for _, part in parts(desk(site)))


def parts(desk: Desk) -> Iterator[tuple[str, Callable[[], Iterable[Page]]]]:
    """Gives what makes the pages of a site, part by part; those of one term are one part, which has its key."""
    for several in (_lists, _lone, kept, releases, matrices, compare):
        yield "", partial(several, desk)
    for life in desk.site.lives:
        yield life.key, partial(of_term, desk, life.key)


def of_term(desk: Desk, key: str) -> Iterator[Page]:
    """Gives the pages of one term: its own, and those of its frozen wordings."""
    life = desk.site.by_key[key]
    yield from term(desk, life)
    yield from frozen(desk, life)


def _lists(desk: Desk) -> Iterator[Page]:
    yield from a_to_z(desk)
    yield from sections(desk)


def _lone(desk: Desk) -> Iterator[Page]:
    yield home(desk)
    yield about(desk)
    yield Page(address=urls.SEARCH, template="pages/search.html", title=desk.words.say("search.title"))
    yield Page(address=urls.NOT_FOUND, template="pages/404.html", title=desk.words.say("lost.title"))
