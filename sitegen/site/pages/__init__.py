"""Computes the pages of a site as values, which templates place in HTML.

To add a kind of page, add an address in `urls`, a function here that yields `Page`s, and a template.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from sitegen.addresses import urls
from sitegen.site.comparisons import Event
from sitegen.site.messages import catalogue
from sitegen.site.pages.about import about
from sitegen.site.pages.compare import compare
from sitegen.site.pages.home import home
from sitegen.site.pages.lists import a_to_z, sections
from sitegen.site.pages.matrix import matrices
from sitegen.site.pages.page import Page, PageData, PageGroup
from sitegen.site.pages.releases import ReleaseTerms, release_terms, releases, releases_in_full
from sitegen.site.pages.retired import kept, redirects
from sitegen.site.pages.term import of_term
from sitegen.site.site import Site, mentioned

__all__ = ["Page", "PageData", "PageGroup", "groups", "of_term", "page_data", "pages", "release_terms"]


def pages(site: Site) -> Iterator[Page]:
    """Yields all pages of a site, in an order that depends only on the site."""
    data = page_data(site)
    return chain.from_iterable(group.make() for group in groups(data, release_terms(data)))


def page_data(site: Site) -> PageData:
    """Returns the shared data of a site's pages."""
    changes: dict[str, list[Event]] = defaultdict(list)
    used: dict[str, Iterable[str]] = {}
    for life in site.lives:
        for change in life.changes:
            changes[change.release].append(Event(life.key, change))
        if life.is_defined:
            mentions = mentioned(life.key, life.entry, site.references)
            # A synonym does not use the term that it names.
            used[life.key] = [key for key in mentions if key != life.synonym_of]
    releases = [release for source in site.sources for release in source.releases]
    # A name is no date if another source has it for a release.
    dated = {one.name for one in releases if one.dated} - {one.name for one in releases if not one.dated}
    return PageData(
        site=site,
        words=catalogue(site.language, frozenset(dated)),
        used_by=_reversed(used),
        synonyms=_reversed({life.key: (life.synonym_of,) for life in site.lives if life.synonym_of}),
        changes={release: tuple(events) for release, events in changes.items()},
    )


def _reversed(keys: Mapping[str, Iterable[str]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for key, others in keys.items():
        for other in others:
            found[other].append(key)
    return {key: tuple(others) for key, others in found.items()}


def groups(data: PageData, terms: ReleaseTerms) -> Iterator[PageGroup]:
    """Yields the pages of a site in independent groups. The pages of one term are one group."""
    yield from a_to_z(data)
    for several in (sections, _single, kept, redirects):
        yield PageGroup(make=partial(several, data))
    yield from releases(data)
    yield from releases_in_full(data, terms)
    yield from matrices(data)
    yield from compare(data)
    for life in data.site.lives:
        yield PageGroup(name=life.key, key=life.key, make=partial(of_term, data, life.key))


def _single(data: PageData) -> Iterator[Page]:
    """Yields the pages of which there is one, and those that the site's editors wrote."""
    first = home(data)
    yield first
    yield about(data)
    title = data.words.say("search.title")
    yield Page(address=urls.SEARCH, template="pages/search.html", title=title, description=first.description)
    for extra in data.site.extra_pages:
        context = {"heading": extra.title, "content": extra.html}
        yield Page(address=extra.address, template="pages/extra.html", title=extra.title, context=context)
    yield Page(address=urls.NOT_FOUND, template="pages/404.html", title=data.words.say("lost.title"))
