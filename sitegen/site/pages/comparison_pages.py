"""Comparisons of each release with the latest one: the page that lists them, and their pages.

Only the two ends are compared: terms that were added and removed in between are left out, and so
are wordings that were reverted. What a release itself changed is on its own page, so the number of
pages grows as that of the releases.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry, Release, SitePart, Source
from sitegen.model.terms import CHANGES, COMPARED, Change, ChangeKind, Course
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import counts, ids_of_kinds, listed_changes, notes
from sitegen.site.pages.page import SEPARATOR, Page, Writer, page_part
from sitegen.site.site import Site
from sitegen.text.names import fold
from sitegen.text.words import same_words


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
        description=plain(writer.say("compare.description", site=site.title)),
        context={"sources": [_releases_of_source(source, writer) for source in sources]},
    )


class ListedRelease(NamedTuple):
    """A release in the list of comparisons."""

    name: str
    title: Markup
    date: Markup
    address: str
    """The address of the page about what changed since."""
    since: Markup
    """The number of terms that changed since, as a link to that page; for the latest release, a
    phrase."""
    within: Markup
    """The number of terms that the release itself changed, as a link to its own page; for the first
    release, a phrase."""


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
    return ListedRelease(
        name=release.name,
        title=writer.version_of(source, release.name),
        date=writer.date_in_list(source, release),
        address=urls.comparison(release.name),
        since=_number_changed_since(release.name, source, writer),
        within=_number_changed_within(release.name, source, writer),
    )


def _number_changed_since(release: str, source: Source, writer: Writer) -> Markup:
    """Returns the number of terms that changed since a release, as a link to the page about them;
    for the latest release, a phrase. Without a number, the link names the releases that the page
    compares."""
    if release == source.latest:
        return writer.say("release.latest")
    site = writer.site
    address = urls.comparison(release)
    older, newer = _ends(source, release)
    is_unread = any(not site.release_of[source.id, name].is_read for name in (older, newer))
    # An unreleased state is newer than the latest release, so nothing has changed since it.
    is_newer_than_latest = newer == release
    if is_unread or is_newer_than_latest:
        return writer.link(writer.words.span(older, newer), address)
    return _changed_terms(differences(site, source, older, newer), address, writer)


def _number_changed_within(release: str, source: Source, writer: Writer) -> Markup:
    """Returns the number of terms that a release itself changed, as a link to its page; for the
    first release, a phrase."""
    is_first = source.numbers[release] == 0
    if is_first:
        return writer.say("release.oldest")
    all_changes = writer.site.changes.get((source.id, release), ())
    changes = [change for change in all_changes if change.kind in COMPARED]
    return _changed_terms(changes, urls.release(release), writer)


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
    older, newer = _ends(sources[0], release)
    heading = writer.say("compare.since", release=writer.version(older))
    title = plain(heading)
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
        description=f"{writer.site.title}: {title}. {plain(summary)}".strip(),
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
    """Returns the changes in one of the sources since a release, or a sentence if there are none to
    list."""
    older, newer = _ends(source, release)
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
        number = _number_of_unknown(writer.site, source, older, newer)
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


def _ends(source: Source, release: str) -> tuple[str, str]:
    """Returns a release of a source and the latest one, the older one first: an unreleased state
    is newer than the latest release."""
    if source.numbers[release] > source.numbers[source.latest]:
        return source.latest, release
    return release, source.latest


def differences(site: Site, source: Source, older: str, newer: str) -> list[Change]:
    """Returns the differences of the newer release of a source from the older one, by term name."""
    numbers = source.numbers
    first = numbers[older]
    last = numbers[newer]
    found: list[Change] = []
    for _, course in site.courses_of.get(source.id, ()):
        changes = [one for one in course.changes if first < numbers[one.release] <= last]
        if changes:
            found += _of_course(course, first, last, changes)
    return found


def _number_of_unknown(site: Site, source: Source, older: str, newer: str) -> int:
    """Returns the number of terms that could not be read in one of two releases of a source."""
    first = source.numbers[older]
    last = source.numbers[newer]
    unknown = 0
    for _, course in site.courses_of.get(source.id, ()):
        if "unread" in (course.span_at(first).state, course.span_at(last).state):
            unknown += 1
    return unknown


def _of_course(
    course: Course, first: int, last: int, changes: Sequence[Change]
) -> Iterator[Change]:
    """Yields the differences of a term in one source between two releases, given by their numbers.
    `changes` are the term's changes in between."""
    older_state = course.span_at(first).state
    newer_state = course.span_at(last).state
    if "unread" in (older_state, newer_state):
        return  # the differences are unknown

    older = course.entries[first]
    newer = course.entries[last]
    if older and newer:
        is_deprecated = newer_state == "deprecated" and older_state != "deprecated"
        yield from _entry_differences(older, newer, changes, is_deprecated=is_deprecated)
    elif newer:
        yield _appearance(course, first, newer, changes)
    elif older:
        yield _of_kind(changes, "removed", "merged")[-1]  # it may have been restored in between


def _appearance(course: Course, first: int, newer: Entry, changes: Sequence[Change]) -> Change:
    """Returns the change by which a term came into the newer release: its last restoration, or its
    beginning if no earlier release has the term. `first` is the number of the older release."""
    # A term begins once in a source; a later return is a restoration.
    earlier_entries = [entry for entry in course.entries[:first] if entry]
    if earlier_entries:
        restoration = _of_kind(changes, "restored")[-1]
        # Only pages of single releases say which earlier release had the same words.
        return replace(restoration, before=earlier_entries[-1], after=newer, same_as=None)
    [beginning] = [change for change in changes if CHANGES[change.kind].begins]
    return replace(beginning, after=newer)


def _of_kind(changes: Iterable[Change], *kinds: ChangeKind) -> list[Change]:
    """Returns the changes of these kinds."""
    return [change for change in changes if change.kind in kinds]


def _entry_differences(
    before: Entry, after: Entry, changes: Sequence[Change], *, is_deprecated: bool
) -> Iterator[Change]:
    """Yields the differences between two entries. `is_deprecated` is true if only the newer one is
    deprecated."""
    # The other differences are copies of this one, of another kind.
    reworded = Change(
        term=changes[0].term,
        kind="reworded",
        source=after.place.source,
        release=after.place.release,
        previous=before.place.release,
        before=before,
        after=after,
    )
    if fold(before.name) != fold(after.name):
        # After several renames, no single reason leads from the old name to the new one.
        renames = _of_kind(changes, "renamed")
        identity = renames[0].identity if len(renames) == 1 else None
        yield replace(reworded, kind="renamed", identity=identity)
    if not same_words(before.definition, after.definition):
        yield reworded
    if is_deprecated:
        deprecations = _of_kind(changes, "deprecated")
        if deprecations:
            yield deprecations[-1]
        else:
            # A restored term may be deprecated without a change that says so.
            yield replace(reworded, kind="deprecated")
