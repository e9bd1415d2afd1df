"""The glossary as of each release: every term with the wording then in force, on one page or on a
page for each letter.

The letters of a release depend only on that release, so a published page keeps its address. In a
site of very many terms and releases, these pages only have the names of terms, with links to their
wordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import Entry, SitePart, grouped
from sitegen.site import letters
from sitegen.site.pages.page import Page, Writer, anchor_elements
from sitegen.site.site import Site
from sitegen.site.wording_runs import WordingRun, dated_runs

MAX_WORDINGS = 20_000
"""Above this many terms times releases, the pages of all terms of a release have only names."""
MIN_WITH_LETTERS = 40
"""Below this many terms, the page of all terms of a release has no links to letters."""
MAX_ON_ONE_PAGE = 300
"""Above this many terms, a release has a page for each letter."""


def releases_in_full(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the pages with all terms of each release that could be read."""
    lists = _FullLists(site)
    for name in site.by_release:
        if has_terms_page(name, site):
            make = partial(lists.pages, name)
            yield SitePart(prefixes=(urls.release_terms(name),), make=make)


def has_terms_page(release: str, site: Site) -> bool:
    """True if a release has a page of all terms: a source could be read at it."""
    return any(one.is_read for _, one in site.by_release[release])


def _is_brief(site: Site) -> bool:
    """True for a very large site, whose pages of releases leave out definitions."""
    return len(site.lives) * len(site.by_release) > MAX_WORDINGS


class _Wording(NamedTuple):
    """A term with the wording in force at a release."""

    run: WordingRun
    html: str
    """Its links begin with `ANY_ROOT`."""


@dataclass(frozen=True)
class _FullLists:
    """The pages with all terms of each release."""

    site: Site

    @cached_property
    def wordings(self) -> Mapping[str, Sequence[_Wording]]:
        """Release to the wordings in force at that release, in the order of A–Z."""
        site = self.site
        writer = Writer(site, "", root=urls.ANY_ROOT)
        wordings: dict[str, list[_Wording]] = {name: [] for name in site.by_release}

        def sort_key(run: WordingRun) -> tuple[object, str]:
            return letters.sort_key(run.entry, site.language), run.life.key

        for run in sorted(dated_runs(site), key=sort_key):
            html = ""
            previous_addresses = None
            for release in run.releases:
                # All releases of a run have the same words. Only the addresses of links differ.
                addresses = _addresses_of_links(run.entry, release, site)
                if addresses != previous_addresses:
                    html = _wording_html(run, release, writer)
                previous_addresses = addresses
                wordings[release].append(_Wording(run, html))
        return wordings

    def pages(self, release: str) -> Iterator[Page]:
        """Yields the page of all terms of a release. If there are many, it has only a list of
        letters, and each letter has a page."""
        language = self.site.language
        wordings = self.wordings[release]
        if len(wordings) <= MAX_ON_ONE_PAGE:
            yield self._page_with_all(release, wordings)
            return

        by_letter: dict[str, list[_Wording]] = {}
        for wording in wordings:
            label = letters.initial(wording.run.entry, language)
            by_letter.setdefault(label, []).append(wording)
        labels = letters.in_order(by_letter, language)
        address = urls.release_terms(release)
        links = letters.links_to_pages(address, labels, language, page_address=address)
        yield self._page(release, shown=(), number=len(wordings), links=links)
        for label in labels:
            shown = by_letter[label]
            page_address = letters.page(address, label)
            links = letters.links_to_pages(address, labels, language, page_address=page_address)
            yield self._page(release, shown=shown, number=len(shown), links=links, label=label)

    def _page_with_all(self, release: str, wordings: Sequence[_Wording]) -> Page:
        """Returns the page of all terms of a release. A long page with definitions has links to the
        first term of each letter."""
        site = self.site
        is_short = len(wordings) < MIN_WITH_LETTERS or _is_brief(site)
        # With several sources, a letter would begin in each of them.
        has_several_parts = len(site.by_release[release]) > 1
        if is_short or has_several_parts:
            return self._page(release, shown=wordings, number=len(wordings), links=Markup())

        shown = []
        labels: set[str] = set()
        for wording in wordings:
            label = letters.initial(wording.run.entry, site.language)
            html = wording.html
            if label not in labels:
                html = str(anchor_elements([letters.anchor(label)])) + html
            labels.add(label)
            shown.append(wording._replace(html=html))
        links = letters.links_within(labels, site.language)
        return self._page(release, shown=shown, number=len(shown), links=links)

    def _page(
        self,
        release: str,
        *,
        shown: Sequence[_Wording],
        number: int,
        links: Markup,
        label: str = "",
    ) -> Page:
        """Returns the page of all terms of a release, or of its terms with the letter `label`. If
        it only links to letters, `shown` is empty; `number` is the number of terms."""
        site = self.site
        address = urls.release_terms(release)
        key = "as-of.title"
        if label:
            address = letters.page(address, label)
            key = "as-of.letter"
        writer = Writer(site, address)
        title = writer.say(key, release=writer.version(release), letter=label)
        described = writer.say("as-of.description", number, site=site.title, release=release)
        return Page(
            address=address,
            template="pages/release-terms.html",
            title=title,
            description=described,
            context={
                "heading": title,
                "release": release,
                "sources": writer.listed(_titles(release, writer)),
                "count": writer.say("terms", number),
                "changes": writer.all_changes(release),
                "letters": links,
                "is_brief": _is_brief(site),
                "parts": [*_terms_by_source(release, shown, writer)],
            },
        )


def _addresses_of_links(entry: Entry, release: str, site: Site) -> list[str]:
    """Returns the addresses to which the links of a definition lead on the page of a release."""
    source = entry.place.source
    addresses = []
    for reference in entry.definition.references:
        key = site.references.get((source, reference.target))
        if key:
            addresses.append(site.address_at(key, source, release))
    return addresses


def _titles(release: str, writer: Writer) -> list[str]:
    """Returns the titles of the sources of a release; none if the site has one source only."""
    if len(writer.site.sources) == 1:
        return []
    return [source.title for source, _ in writer.site.by_release[release]]


def _terms_by_source(
    release: str, wordings: Iterable[_Wording], writer: Writer
) -> Iterator[tuple[str, Markup]]:
    """Yields the title and the wordings of each source with terms. The title is empty if the site
    has one source."""
    html_of_source = grouped((one.run.course.source.id, one.html) for one in wordings)
    for source, _ in writer.site.by_release[release]:
        html_of_terms = html_of_source.get(source.id, ())
        if html_of_terms:
            terms = "".join(html_of_terms).replace(urls.ANY_ROOT, writer.root)
            yield writer.site.title_if_several(source), Markup(terms)  # noqa: S704


def _wording_html(run: WordingRun, release: str, writer: Writer) -> str:
    """Returns a term with the wording in force at a release, or only its name in a very large
    site."""
    site = writer.site
    key = run.life.key

    # Several sources may have the same term, and an id must be unique.
    id = ""
    anchors = Markup()
    if not site.several_sources:
        slug, *former_slugs = site.slugs_of[key]
        id = f' id="{escape(slug)}"'
        anchors = anchor_elements(former_slugs)

    link = writer.link(run.entry.name, run.frozen or site.address(key))
    if _is_brief(site):
        return f"<li{id}>{anchors}{link}</li>\n"
    # If there are several sources, each has a heading h2.
    tag = "h3" if site.several_sources else "h2"
    definition = writer.definition(run.entry, of=key, release=release)
    return (
        f'<section class="wording"{id}>{anchors}\n<{tag}>{link}</{tag}>\n'
        f'<div class="definition">{definition}</div>\n</section>\n'
    )
