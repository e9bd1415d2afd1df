"""Comparisons of each release with the latest one: the page that lists them, and their pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Release, Source
from sitegen.model.terms import COMPARED, Change
from sitegen.site.pages.change_texts import counts, ids_of_kinds, listed_changes, notes
from sitegen.site.pages.page import SEPARATOR, Page, Writer, page_part
from sitegen.site.release_differences import differences, ends, number_of_unknown
from sitegen.site.site import Site
from sitegen.site.site_part import SitePart


def compare(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the page that lists the comparisons, and the page of each."""
    yield page_part(urls.COMPARE, partial(_list_of_comparisons, site))
    for release in site.by_release:
        yield page_part(urls.comparison(release), partial(_changes_since, release, site))


def _list_of_comparisons(site: Site) -> Page:
    """Returns the page that lists the releases to compare. If no source has two releases, the list
    is empty."""
    writer = Writer(site, urls.COMPARE)
    sources = [source for source in site.dated_sources if source.releases]
    has_comparisons = any(len(source.releases) > 1 for source in sources)
    if not has_comparisons:
        sources = []
    return Page(
        address=urls.COMPARE,
        template="pages/compare.html",
        title=writer.say("compare.title"),
        description=writer.say("compare.description", site=site.title).unescape(),
        context={"sources": [_releases_of_source(source, writer) for source in sources]},
    )


class ListedRelease(NamedTuple):
    """A release in the list of comparisons."""

    name: str
    title: Markup
    date: Markup
    address: str
    """Of the page about what changed since."""
    since: Markup
    """How much changed since it, as a link to what did; for the latest release, a phrase."""
    within: Markup
    """The same for what it changed itself, which its own page has; for the first one, a phrase."""


def _releases_of_source(source: Source, writer: Writer) -> dict[str, object]:
    """Returns the values of the template for one source: each release that could be read, newest
    first."""
    newest_first = reversed(source.releases)
    return {
        "title": writer.site.title_if_several(source),
        "latest": writer.version(source.latest),
        "releases": [_listed_release(one, source, writer) for one in newest_first if one.is_read],
    }


def _listed_release(release: Release, source: Source, writer: Writer) -> ListedRelease:
    """Returns a release as a line of the list."""
    site = writer.site
    address = urls.comparison(release.name)
    older, newer = ends(source, release.name)

    # What has changed since the release. An unreleased state is newer than the latest release, so
    # its comparison ends with it.
    is_unread = any(not site.release_of[source.id, name].is_read for name in (older, newer))
    if release.name == source.latest:
        since = writer.say("release.latest")
    elif is_unread or older != release.name:
        since = writer.link(writer.words.span(older, newer), address)
    else:
        since = _changed_terms(differences(site, source, older, newer), address, writer)

    # What the release itself changed. The first one has no predecessor.
    number = source.numbers[release.name]
    page_of_release = urls.release(release.name)
    if number == 0:
        within = writer.say("release.oldest")
    else:
        changes = [
            one for one in site.changes.get((source.id, release.name), ()) if one.kind in COMPARED
        ]
        within = _changed_terms(changes, page_of_release, writer)
    return ListedRelease(
        name=release.name,
        title=writer.version_of(source, release.name),
        date=writer.date(source.id, release.name),
        address=address,
        since=since,
        within=within,
    )


def _changed_terms(changes: Collection[Change], address: str, writer: Writer) -> Markup:
    """Returns the number of terms that changed, as a link to the page with the changes if there
    are any."""
    count = writer.say("terms", len({change.term for change in changes}))
    text = Markup('<span class="number">{}</span>').format(count)
    return writer.link(text, address) if changes else text


def since(release: str, writer: Writer) -> Markup:
    """Returns a link to the changes since a release."""
    text = writer.say("compare.since", release=writer.version(release))
    return writer.link(text, urls.comparison(release))


def _changes_since(release: str, site: Site) -> Page:
    """Returns the page of what changed since a release, with a part for each source that has it."""
    writer = Writer(site, urls.comparison(release))
    sources = [source for source, _ in site.by_release[release]]
    # Another source may have another latest release, which its part names.
    older, newer = ends(sources[0], release)
    heading = writer.say("compare.since", release=writer.version(older))
    title = heading.striptags()
    parts = []
    all_counts: list[Markup] = []
    for source in sources:
        part = _part(release, source, sources, writer)
        parts.append(part)
        all_counts += part["counts"].values()
    summary = writer.listed(all_counts)
    return Page(
        address=writer.address,
        template="pages/changes-since.html",
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
    release: str, source: Source, sources: Sequence[Source], writer: Writer
) -> dict[str, Any]:
    """Returns the changes in one of the sources, or a sentence if there are none to list."""
    older, newer = ends(source, release)
    span = writer.say(
        "table.span",
        first=_name_and_date(source, older, writer),
        last=_name_and_date(source, newer, writer),
    )

    site = writer.site
    unread = [name for name in (older, newer) if not site.release_of[source.id, name].is_read]
    changes: Sequence[Change] = ()
    sentence = Markup()
    unknown = Markup()
    if older == newer:
        sentence = writer.say("compare.latest", release=writer.version(older))
    elif unread:
        sentence = writer.say("compare.unread", releases=writer.versions(unread))
    else:
        changes = differences(site, source, older, newer)
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
        "source": writer.site.title_if_several(source),
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
