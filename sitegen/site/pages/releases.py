"""The list of releases, which leads to comparisons too, and a page with the changes of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Release, SitePart, Source
from sitegen.model.terms import COMPARED, Change
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import counts, ids_of_kinds, listed_changes, notes
from sitegen.site.pages.comparison_pages import number_changed_since
from sitegen.site.pages.page import Page, Writer, page_part
from sitegen.site.pages.release_terms import has_terms_page
from sitegen.site.site import Site


def releases(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the list of releases and the page of each."""
    yield page_part(urls.RELEASES, partial(_release_list, site))
    for name in site.by_release:
        yield page_part(urls.release(name), partial(_release, name, site))


def _release_list(site: Site) -> Page:
    """Returns the page that lists the releases of each source, newest first. The line of a release
    says what it changed, and how much changed since. A source with one release has nothing to
    compare."""
    writer = Writer(site, urls.RELEASES)
    sources = []
    for source in site.dated_sources:
        lines = []
        for release in reversed(source.releases):
            number = number_changed_since(release, source, writer)
            lines.append({**release_summary(source, release, writer), "since": number})
        latest = writer.version(source.latest) if len(lines) > 1 else ""
        if lines:
            sources.append((site.title_if_several(source), latest, lines))
    return Page(
        address=urls.RELEASES,
        template="pages/releases.html",
        title=writer.say("releases.title"),
        context={"sources": sources, "has_comparisons": any(latest for _, latest, _ in sources)},
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
        "date": writer.date_in_list(source, release),
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
    facts = parts[0]["facts"] if len(parts) == 1 else []
    return Page(
        address=address,
        template="pages/release.html",
        title=heading,
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
    """Yields a link to the changes since a release, and one to the glossary as of it. The latest
    release lacks the first, a release that could not be read the second."""
    site = writer.site
    if any(source.latest != release for source, _ in site.by_release[release]):
        text = writer.say("compare.since", release=writer.version(release))
        yield writer.link(text, urls.comparison(release))
    if has_terms_page(release, site):
        text = writer.say("as-of.title", release=writer.version(release))
        yield writer.link(text, urls.release_terms(release))


def _part(source: Source, release: Release, writer: Writer) -> dict[str, Any]:
    """Returns the changes of one source in a release, with links to the releases before and after
    it."""
    changes = writer.site.changes.get((source.id, release.name), ())
    summary = release_summary(source, release, writer)

    # The total leaves out kinds such as new formatting: the page says so before the first of these.
    compared = [change for change in changes if change.kind in COMPARED]
    total = Markup()
    first_uncounted = ""
    kinds = {change.kind for change in compared}
    if len(kinds) > 1:  # the count of one kind is the total
        changed_terms = {change.term for change in compared}
        total = writer.say("compare.terms", len(changed_terms))
        uncounted = [kind for kind in summary["counts"] if kind not in COMPARED]
        if uncounted:
            first_uncounted = uncounted[0]

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
