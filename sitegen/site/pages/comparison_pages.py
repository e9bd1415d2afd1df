"""Comparisons of two releases: the page that lists them, and the pages of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Release, Source
from sitegen.model.terms import Change
from sitegen.site.pages.change_texts import counts, ids_of_kinds, listed_changes, notes
from sitegen.site.pages.page import SEPARATOR, Page, PageData, Writer, page_part
from sitegen.site.release_pairs import (
    ReleasePair,
    differences,
    latest,
    number_of_unknown,
    pairs,
)
from sitegen.site.site import SitePart


def compare(data: PageData) -> Iterator[SitePart[Page]]:
    """Yields the page that lists the comparisons, and the page of each pair."""
    yield page_part(urls.COMPARE, partial(_list_of_comparisons, data))
    for pair in pairs(data.site):
        address = urls.comparison(pair.older, pair.newer)
        yield page_part(address, partial(_page_of_pair, pair, address, data))


def _list_of_comparisons(data: PageData) -> Page:
    """Returns the page that lists the releases to compare. If no source has two releases, the list
    is empty."""
    writer = Writer(data, urls.COMPARE)
    sources = [source for source in data.site.dated_sources if source.releases]
    has_comparisons = any(len(source.releases) > 1 for source in sources)
    if not has_comparisons:
        sources = []
    return Page(
        address=urls.COMPARE,
        template="pages/compare.html",
        title=writer.say("compare.title"),
        description=writer.say("compare.description", site=data.site.title).unescape(),
        context={"sources": [_releases_of_source(source, writer) for source in sources]},
    )


class ListedRelease(NamedTuple):
    """A release in the list of comparisons."""

    name: str
    title: Markup
    date: Markup
    address: str
    """Of that page."""
    since: Markup
    """How much changed since it, as a link to what did; for the latest release, a phrase."""
    within: Markup
    """The same for what it changed itself; for the first one, a phrase."""


def _releases_of_source(source: Source, writer: Writer) -> dict[str, object]:
    """Returns the values of the template for one source: each release, newest first."""
    return {
        "title": writer.data.title_if_several(source),
        "latest": writer.version(latest(source)),
        "releases": [
            _listed_release(release, source, writer) for release in reversed(source.releases)
        ],
    }


def _listed_release(release: Release, source: Source, writer: Writer) -> ListedRelease:
    """Returns a release as a line of the list."""
    # What the release itself changed. The first one has no predecessor.
    within = writer.say("release.oldest")
    number = source.numbers[release.name]
    if number > 0:
        previous_release = source.releases[number - 1].name
        pair = ReleasePair(previous_release, release.name)
        within, address = _changed_terms(pair, source, writer)
        if address:
            within = writer.link(within, address)

    # What has changed since the release.
    since = writer.say("release.latest")
    if release.name != latest(source):
        since, address = _changed_terms(ReleasePair(release.name), source, writer)
        if address:
            since = writer.link(since, address)
    return ListedRelease(
        name=release.name,
        title=writer.version_of(source, release.name),
        date=writer.date(source.id, release.name),
        address=urls.comparison(release.name),
        since=since,
        within=within,
    )


def _changed_terms(pair: ReleasePair, source: Source, writer: Writer) -> tuple[Markup, str]:
    """Returns the number of terms that changed between two releases, as text, and the address of
    their comparison; empty if no term changed. If the number is unknown, the text is the names of
    the releases."""
    address = urls.comparison(pair.older, pair.newer)
    older, newer = pair.ends(source)
    is_unread = any((source.id, name) in writer.data.unread for name in (older, newer))
    # An unreleased state is newer than the latest release, so the comparison ends with it.
    is_in_order = older == pair.older
    if is_unread or not is_in_order:
        return writer.words.span(older, newer), address

    changes = differences(writer.site, source, older, newer)
    changed_terms = {change.term for change in changes}
    count = writer.say("terms", len(changed_terms))
    text = Markup('<span class="number">{}</span>').format(count)
    return text, address if changes else ""


def since(release: str, writer: Writer) -> Markup:
    """Returns a link to the changes since a release."""
    text = writer.say("compare.since", release=writer.version(release))
    return writer.link(text, urls.comparison(release))


def _page_of_pair(pair: ReleasePair, address: str, data: PageData) -> Page:
    """Returns the page of a pair, with a part for each source that has both releases."""
    writer = Writer(data, address)
    sources = [source for source in data.site.dated_sources if pair.is_in(source)]
    # Another source may have another latest release, which its part names.
    older, newer = pair.ends(sources[0])
    if pair.newer:
        heading = writer.say(
            "compare.pair", older=writer.version(older), newer=writer.version(newer)
        )
    else:
        heading = writer.say("compare.since", release=writer.version(older))
    title = heading.striptags()
    parts = []
    all_counts: list[Markup] = []
    for source in sources:
        part = _part(pair, source, sources, writer)
        parts.append(part)
        all_counts += part["counts"].values()
    summary = writer.listed(all_counts)
    return Page(
        address=address,
        template="pages/compare-pair.html",
        title=title,
        description=f"{writer.site.title}: {title}. {summary.striptags()}".strip(),
        context={
            "heading": heading,
            "parts": parts,
            "ways": [
                writer.link(writer.say("compare.others"), urls.COMPARE),
                writer.all_changes(newer),
            ],
        },
    )


def _part(
    pair: ReleasePair, source: Source, sources: Sequence[Source], writer: Writer
) -> dict[str, Any]:
    """Returns the changes in one of the sources, or a sentence if there are none to list."""
    older, newer = pair.ends(source)
    span = writer.say(
        "table.span",
        first=_name_and_date(source, older, writer),
        last=_name_and_date(source, newer, writer),
    )

    unread = [name for name in (older, newer) if (source.id, name) in writer.data.unread]
    changes: Sequence[Change] = ()
    sentence = Markup()
    unknown = Markup()
    if older == newer:
        sentence = writer.say("compare.latest", release=writer.version(older))
    elif unread:
        sentence = writer.say("compare.unread", releases=writer.versions(unread))
    else:
        changes = differences(writer.site, source, older, newer)
        terms = {change.term for change in changes}
        if terms:
            span += SEPARATOR + writer.say("compare.terms", len(terms))
        number = number_of_unknown(writer.site, source, older, newer)
        if number:
            unknown = writer.say("compare.unknown", number)
        if not changes:
            sentence = writer.say(
                "compare.none", older=writer.version(older), newer=writer.version(newer)
            )

    return {
        "source": writer.data.title_if_several(source),
        "span": span,
        "sentence": sentence,
        "notes": notes(changes, writer),
        "unknown": unknown,
        "counts": counts(changes, writer),
        "kinds": listed_changes(changes, writer, is_comparison=True),
        "ids": ids_of_kinds(source, sources),
    }


def _name_and_date(source: Source, release: str, writer: Writer) -> Markup:
    """Returns the name of a release, with its date if it is known."""
    date = writer.date(source.id, release)
    name = writer.version_of(source, release)
    if not date:
        return name
    return writer.say("compare.dated", release=name, date=date)
