"""The list of releases, a page with the changes of each, and the glossary as of each release.

That has every term with the wording then in force, on one page or on a page for each letter. The
letters of a release depend only on that release, so a published page keeps its address. In a site
of very many terms and releases, these pages only have the names of terms, with links to their
wordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import Entry, Release, Source, grouped
from sitegen.model.terms import COMPARED, Change
from sitegen.site import letters
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import counts, ids_of_kinds, listed_changes, notes
from sitegen.site.pages.comparison_pages import since
from sitegen.site.pages.page import Page, Writer, anchor_elements, page_part
from sitegen.site.site import Site
from sitegen.site.site_part import SitePart
from sitegen.site.wording_runs import WordingRun, dated_runs

MAX_WORDINGS = 20_000
"""Above this many terms times releases, the pages of all terms of a release have only names."""
MIN_WITH_LETTERS = 40
"""Below this many terms, the page of all terms of a release has no links to letters."""
MAX_ON_ONE_PAGE = 300
"""Above this many terms, a release has a page for each letter."""


def releases(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the list of releases and the page of each."""
    yield page_part(urls.RELEASES, partial(_release_list, site))
    for name in site.by_release:
        yield page_part(urls.release(name), partial(_release, name, site))


def _release_list(site: Site) -> Page:
    """Returns the page that lists the releases of each source, newest first."""
    writer = Writer(site, urls.RELEASES)
    sources = []
    for source in site.dated_sources:
        newest_first = reversed(source.releases)
        summaries = [release_summary(source, release, writer) for release in newest_first]
        sources.append((site.title_if_several(source), summaries))
    return Page(
        address=urls.RELEASES,
        template="pages/releases.html",
        title=writer.say("releases.title"),
        context={"sources": sources},
    )


def release_summary(source: Source, release: Release, writer: Writer) -> dict[str, Any]:
    """Returns the facts about a release of a source, with the counts of its changes. If the counts
    would say little, there is a sentence instead."""
    changes = writer.site.changes.get((source.id, release.name), ())
    sentence = _sentence(source, release.name, changes, writer)
    sources = [one for one, _ in writer.site.by_release[release.name]]
    return {
        "address": urls.release(release.name),
        "name": writer.version(release.name),
        "date": writer.date(source.id, release.name),
        "unreleased": release.unreleased,
        "counts": {} if sentence else counts(changes, writer),
        "ids": ids_of_kinds(source, sources),
        "sentence": sentence,
    }


def release_facts(source: Source, release: Release, writer: Writer) -> list[Markup]:
    """Returns the date of a release if it is known, and a phrase if it is the latest release."""
    facts = []
    date = writer.date(source.id, release.name)
    if date:
        facts.append(date)
    is_latest = release.name == source.latest and not release.unreleased
    # The history of a translation is dated by day, and no day is the glossary's latest release.
    is_day_of_translation = release.dated and writer.site.is_translation
    if is_latest and len(source.releases) > 1 and not is_day_of_translation:
        facts.append(writer.say("release.latest"))
    return facts


def _sentence(source: Source, release: str, changes: Sequence[Change], writer: Writer) -> Markup:
    """Returns the sentence about a release that could not be read, has no changes or is the first
    one. Other releases have none."""
    version = writer.version(release)
    names_read = [one.name for one in source.releases if one.is_read]
    if release not in names_read:
        return writer.say("release.unread", source=source.title, release=version)
    if not changes:
        return writer.say("release.none", release=version)

    is_first = release == names_read[0]
    if is_first and all(change.kind == "first-read" for change in changes):
        # An only release is not called the oldest one, and a branch is no release.
        is_oldest_release = len(source.releases) > 1 and release not in source.unreleased
        key = "release.first" if is_oldest_release else "release.first-unreleased"
        return writer.say(key, len(changes), release=version)
    return Markup()


def _release(name: str, site: Site) -> Page:
    """Returns the page of a release, with a part for each of its sources."""
    address = urls.release(name)
    writer = Writer(site, address)
    heading = writer.release_title(name)
    parts: list[dict[str, Any]] = []
    changes: list[Change] = []
    for source, release in site.by_release[name]:
        parts.append(_part(source, release, writer))
        changes += site.changes.get((source.id, name), ())
    numbers = writer.listed(counts(changes, writer).values())

    # The facts about an only source are below the heading of the page.
    facts = []
    if len(parts) == 1:
        facts += parts[0]["facts"]
    return Page(
        address=address,
        template="pages/release.html",
        title=plain(heading),
        description=f"{site.title} {name}: {plain(numbers)}" if numbers else "",
        context={
            "heading": heading,
            "data": "index.json" if name in site.published_releases else "",
            "facts": facts,
            "views": list(_links_to_views(name, writer)),
            "parts": parts,
        },
    )


def _links_to_views(release: str, writer: Writer) -> Iterator[Markup]:
    """Yields a link to the glossary as of a release, and one to the changes since. A release that
    could not be read lacks the first, the latest release the second."""
    site = writer.site
    if _is_read(release, site):
        text = writer.say("as-of.title", release=writer.version(release))
        yield writer.link(text, urls.release_terms(release))
    if any(source.latest != release for source, _ in site.by_release[release]):
        yield since(release, writer)


def _part(source: Source, release: Release, writer: Writer) -> dict[str, Any]:
    """Returns the changes of one source in a release, with links to the releases before and after
    it."""
    changes = writer.site.changes.get((source.id, release.name), ())
    summary = release_summary(source, release, writer)

    # The total leaves out kinds such as new formatting. The page marks the first of these.
    compared = [change for change in changes if change.kind in COMPARED]
    total = Markup()
    first_uncounted = ""
    kinds = {change.kind for change in compared}
    if len(kinds) > 1:  # the count of one kind is the total
        changed_terms = {change.term for change in compared}
        total = writer.say("compare.terms", len(changed_terms))
        uncounted = [kind for kind in summary["counts"] if kind not in COMPARED]
        first_uncounted = "".join(uncounted[:1])

    number = source.numbers[release.name]
    earlier_releases = source.releases[:number]
    later_releases = source.releases[number + 1 :]
    return {
        **summary,
        "source": writer.site.title_if_several(source),
        "id": urls.part_of_release(source.id),
        "facts": _facts_of_part(source, release, total, writer),
        "notes": notes(changes, writer),
        "uncounted": first_uncounted,
        "kinds": listed_changes(changes, writer),
        "previous": _addresses_and_names(earlier_releases[-1:], writer),
        "following": _addresses_and_names(later_releases[:1], writer),
    }


def _facts_of_part(source: Source, release: Release, total: Markup, writer: Writer) -> list[Markup]:
    """Returns the line above the changes of a source: its title, the date, the release before it,
    the total of the changes and a link to the release."""
    facts = []
    # With several parts, the title is the heading of each.
    title = writer.site.title_if_several(source)
    if title and len(writer.site.by_release[release.name]) == 1:
        facts.append(writer.text(title))
    facts += release_facts(source, release, writer)
    facts += _compared_with(source, release, writer)
    if total:
        facts.append(total)
    if urls.is_web(release.link):
        text = writer.say("release.commit" if release.dated else "release.link")
        facts.append(Markup('<a href="{}">{}</a>').format(release.link, text))
    return facts


def _compared_with(source: Source, release: Release, writer: Writer) -> Iterator[Markup]:
    """Yields the release with which a release is compared: the last one before it that was read.
    The glossary may lack the one that a reader expects."""
    names = [one.name for one in source.releases if one.is_read]
    if release.name in names[1:]:
        older = names[names.index(release.name) - 1]
        yield writer.say("release.compared", release=writer.version(older))


def _addresses_and_names(releases: Iterable[Release], writer: Writer) -> list[tuple[str, Markup]]:
    """Returns the address and the name of each release."""
    return [(urls.release(release.name), writer.version(release.name)) for release in releases]


def releases_in_full(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the pages with all terms of each release that could be read."""
    lists = _FullLists(site)
    for name in site.by_release:
        if _is_read(name, site):
            make = partial(lists.pages, name)
            yield SitePart(prefixes=(urls.release_terms(name),), make=make)


def _is_read(name: str, site: Site) -> bool:
    """True if a source could be read at a release of this name."""
    return any(release.is_read for _, release in site.by_release[name])


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
        """Returns the page of all terms of a release. A longer page has links to the first term of
        each letter."""
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
        site_title = site.title
        described = writer.say("as-of.description", number, site=site_title, release=release)
        return Page(
            address=address,
            template="pages/release-terms.html",
            title=plain(title),
            description=plain(described),
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
