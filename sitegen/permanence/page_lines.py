"""The lines that publishing the pages of terms adds to the archive.

The line of a page has references to the entries that begin on it: of a page that shows "Tensor" in
the releases 1.0, 2.0 and 4.0, to those of 1.0 and 4.0. If another term is called "Tensor" in 3.0,
the line has a reference without a name for 3.0. `published_entries` says what a page showed
according to its line; a reference is added where it shows something else now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.model.terms import Life
from sitegen.permanence.archive import Archive, ArchivedPage, EntryReference
from sitegen.permanence.published_entries import (
    ByRelease,
    published_entries,
    references_by_release,
    release_id,
    shown_reference,
    shown_references,
)
from sitegen.permanence.term_addresses import TermAddresses, TermPage


def pages_of_terms(lives: Iterable[Life], addresses: TermAddresses) -> Iterator[ArchivedPage]:
    """Yields the lines of terms and of frozen wordings that are not in the archive, and the lines
    that need more references."""
    by_key = {life.key: life for life in lives}
    for slug, page in addresses.pages.items():
        address = urls.term(slug)
        new_line = ArchivedPage(address=address, name=page.name, source=page.own_source)
        published = addresses.archive.by_address.get(address)
        lines = published.lines if published else (new_line,)
        for line in _joined(lines, addresses.archive):
            references = [*_new_references(line, page, by_key[page.key], addresses)]
            # The line of a new page begins with the releases that the page does not show. By these
            # it differs from the line of another branch, which may show them (`has_all_of`).
            references.sort(key=lambda one: bool(one.name))
            if references:
                yield replace(line, entries=(*line.entries, *references))
    yield from _pages_of_wordings(addresses)


def _joined(lines: Iterable[ArchivedPage], archive: Archive) -> Sequence[ArchivedPage]:
    """Returns the lines of a page, of which lines that can be joined are one. If lines of two
    branches were not joined, each branch would continue both, and they would double with each
    merge."""
    joined: list[ArchivedPage] = []
    for line in lines:
        for number, other in enumerate(joined):
            both = _joined_pair(other, line, archive)
            if both:
                joined[number] = both
                break
        else:  # it can be joined with no other line
            joined.append(line)
    return joined


def _joined_pair(one: ArchivedPage, other: ArchivedPage, archive: Archive) -> ArchivedPage | None:
    """Returns the line with the entries of two lines; None if it would say something else than they
    do."""
    entries = dict.fromkeys((*one.entries, *other.entries))
    both = replace(one, entries=tuple(entries))
    # Of two references for one release the last counts, so `both` may hide an entry of `one`.
    entries_on_page = {*published_entries([one, other], archive)}
    says_the_same = {*published_entries([both], archive)} == entries_on_page
    if says_the_same and both.has_all_of(other):
        return both
    return None


def _new_references(
    line: ArchivedPage, page: TermPage, life: Life, addresses: TermAddresses
) -> Iterator[EntryReference]:
    """Yields the references to add to a line of a page, so that it says what the page shows in each
    release.

    Without a reference for a release, a line says that the page shows the same entry as in the
    release before. A reference without a name says that it shows nothing.
    """
    archive = addresses.composed.following
    of_line = references_by_release(line, archive)
    for source, page_shows in _shown_on_page(line, page, life, addresses).items():
        shown_before: dict[str, EntryReference] = {}
        for release, edition in archive.releases.get(source, {}).items():
            shown = page_shows.get(release)
            line_says = shown_reference(edition, of_line.get(source, {}), shown_before, archive)
            if shown != line_says:
                nothing = EntryReference(source=edition.source, release=release, name="")
                yield shown or nothing
            if shown:
                shown_before[release] = shown


def _shown_on_page(
    line: ArchivedPage, page: TermPage, life: Life, addresses: TermAddresses
) -> ByRelease:
    """Returns the entries that the page of a term shows in each release, by source. They are those
    that were published on it according to one of its lines, and those of the term in releases whose
    ids were not published.

    What it shows of a published release does not change. If another term has the entry now, the id
    of the release leads to the page of that term.
    """
    archive = addresses.archive
    published = shown_references(line, archive)
    if archive.present_id(line.source) != page.own_source:
        # Another branch has published the page with another own source, and so with other ids.
        # The page does not get more of these.
        return published
    shown_in_sources: dict[str, Mapping[str, EntryReference]] = {}
    for course in life.courses:
        source = course.source.id
        shown = {**published.get(source, {})}
        for release in course.releases:
            entry = course.at(release)
            id = release_id((source, release), page.own_source, archive)
            if entry and id not in page.published_ids:  # else the id may be of another entry
                shown.setdefault(release, addresses.index.reference(life.key, entry))
        shown_in_sources[source] = shown
    for source, references in published.items():
        shown_in_sources.setdefault(source, references)
    return shown_in_sources


def _pages_of_wordings(addresses: TermAddresses) -> Iterator[ArchivedPage]:
    """Yields the lines of new frozen wordings, and those of all pages that no term has any more."""
    # Some of these are new: an entry gets a frozen page when its term is gone.
    for lost_page in addresses.lost.values():
        yield from lost_page.lines
    for frozen in addresses.frozen:
        if frozen.address not in addresses.archive.by_address:
            reference = addresses.index.reference(frozen.key, frozen.entry)
            name = frozen.entry.name
            yield ArchivedPage(address=frozen.address, name=name, entries=(reference,))
