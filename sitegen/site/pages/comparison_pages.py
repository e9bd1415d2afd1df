"""Comparisons of each release with the latest one: their pages, and how many terms changed.

Only the two ends are compared: terms that were added and removed in between are left out, and so
are wordings that were reverted. What a release itself changed is on its own page, so the number of
pages grows as that of the releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Entry, Release, SitePart, Source
from sitegen.model.terms import CHANGES, Change, ChangeKind, Course
from sitegen.site.messages import plain
from sitegen.site.pages.change_texts import counts, ids_of_kinds, listed_changes, notes
from sitegen.site.pages.page import SEPARATOR, Page, Writer, page_part
from sitegen.site.site import Site
from sitegen.text.names import fold
from sitegen.text.words import same_words


def comparisons(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the page of what changed since each release."""
    for release in site.by_release:
        yield page_part(urls.comparison(release), partial(_changes_since, release, site))


def number_changed_since(release: Release, source: Source, writer: Writer) -> Markup:
    """Returns the number of terms that changed since a release, as a link to the page about them.
    Without a number, the link names the releases that the page compares. About the latest release,
    and one that could not be read, nothing is said."""
    if release.name == source.latest or not release.is_read:
        return Markup()
    address = urls.comparison(release.name)
    older, newer = _ends(source, release.name)
    # An unreleased state is newer than the latest release, so nothing has changed since it.
    is_newer_than_latest = newer == release.name
    is_latest_read = writer.site.release_of[source.id, source.latest].is_read
    if is_newer_than_latest or not is_latest_read:
        return writer.link(writer.words.span(older, newer), address)
    changes, _ = differences(writer.site, source, older, newer)
    count = writer.say("terms", len({change.term for change in changes}))
    return writer.link(count, address) if changes else count


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
                writer.link(writer.say("compare.others"), urls.RELEASES),
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
        changes, number_of_unknown = differences(site, source, older, newer)
        terms = {change.term for change in changes}
        if terms:
            span += SEPARATOR + writer.say("compare.terms", len(terms))
        if number_of_unknown:
            unknown = writer.say("compare.unknown", number_of_unknown)
        if not changes:
            sentence = writer.say(
                "compare.none", older=writer.version(older), newer=writer.version(newer)
            )

    return {
        "source": site.title_if_several(source),
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


def differences(site: Site, source: Source, older: str, newer: str) -> tuple[list[Change], int]:
    """Returns the differences of the newer release of a source from the older one, by term name,
    and the number of terms of which they are unknown: those that could not be read in one of the
    releases."""
    first = source.numbers[older]
    last = source.numbers[newer]
    found: list[Change] = []
    unknown = 0
    for _, course in site.courses_of.get(source.id, ()):
        if "unread" in (course.span_at(first).state, course.span_at(last).state):
            unknown += 1
        else:
            found += _of_course(course, first, last)
    return found, unknown


def _of_course(course: Course, first: int, last: int) -> Iterator[Change]:
    """Yields the differences of a term in one source between two releases, given by their
    numbers."""
    numbers = course.source.numbers
    changes = [change for change in course.changes if first < numbers[change.release] <= last]
    if not changes:
        return
    older = course.entries[first]
    newer = course.entries[last]
    if older and newer:
        states = (course.span_at(first).state, course.span_at(last).state)
        is_deprecated = states == ("defined", "deprecated")
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
