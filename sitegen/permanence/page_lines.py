"""The lines that publishing the pages of terms adds to the archive.

The line of a page has the entries that begin on it: of a page that shows "Tensor" in the releases
1.0, 2.0 and 4.0, the entries of 1.0 and 4.0, and for 3.0 one without a name. `published_entries`
says what a page showed according to its line; a line is needed where it shows something else now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.model.terms import Life
from sitegen.permanence.archive import ArchivedPage, EntryReference
from sitegen.permanence.published_entries import (
    begun_entries,
    entry_in,
    published_entries,
    release_id,
    shown_entries,
)
from sitegen.permanence.term_addresses import TermAddresses


def pages_of_terms(lives: Iterable[Life], addresses: TermAddresses) -> Iterator[ArchivedPage]:
    """Yields the lines of terms and of frozen wordings that are not in the archive, and the lines
    that need more entries."""
    by_key = {life.key: life for life in lives}
    for slug, term_page in addresses.pages.items():
        life = by_key[term_page.key]
        address = urls.term(slug)
        published = addresses.archive.by_address.get(address, ())
        if not published:
            new = ArchivedPage(address=address, name=term_page.name, source=term_page.own_source)
            entries = [*_new_entries(life, new, addresses)]
            entries.sort(key=lambda one: bool(one.name))  # the releases that it skips come first
            yield replace(new, entries=tuple(entries))
        for page in published:
            entries = [*_new_entries(life, page, addresses)]
            if entries:
                yield replace(page, entries=(*page.entries, *entries))
    yield from _pages_of_wordings(addresses)


def _new_entries(
    life: Life, page: ArchivedPage, addresses: TermAddresses
) -> Iterator[EntryReference]:
    """Yields the entries that begin on the page of a term and are not in its line; one without a
    name where the page shows none any more."""
    shown = _ShownEntries(life, page, addresses)
    archive = addresses.composed.following
    begun = begun_entries(page, archive)
    for source in dict.fromkeys((*shown.courses, *begun)):
        begun_in = begun.get(source, {})
        shown_in: dict[str, EntryReference | None] = {}
        for edition in archive.releases.get(source, {}).values():
            release = edition.release
            entry = shown.at(source, release)
            # What the line says: the entry that begins here, else the one before goes on.
            before = shown_in.get(edition.after)
            in_line = entry_in(edition, begun_in.get(release, before), archive)
            if entry != in_line:
                nothing = EntryReference(source=edition.source, release=release, name="")
                yield entry or nothing
            shown_in[release] = entry


class _ShownEntries:
    """The entries that the page of a term shows.

    What it showed for a published release does not change: if another term has that entry now, the
    id of the release leads there.
    """

    def __init__(self, life: Life, page: ArchivedPage, addresses: TermAddresses) -> None:
        """`page` is one line of the page."""
        self.courses = {course.source.id: course for course in life.term.courses}
        self._key = life.key
        self._archive = addresses.archive
        self._index = addresses.index
        lines = self._archive.by_address.get(page.address, ())
        self._published_ids = {one.id for one in published_entries(lines, self._archive)}
        self._published = shown_entries(page, self._archive)
        self._own = addresses.pages[urls.slug_in(page.address)].own_source
        # A line of another branch, whose ids leave out another source, gets no new entries.
        self._gets_new = self._archive.present_id(page.source) == self._own

    def at(self, source: str, release: str) -> EntryReference | None:
        """Returns the entry that the page shows for a release; None if it shows none."""
        published = self._published.get((source, release))
        if published:
            return published
        course = self.courses.get(source)
        if course is None or not self._gets_new:
            return None
        if release_id((source, release), self._own, self._archive) in self._published_ids:
            return None  # the id shows another entry, or leads to where that is now
        entry = course.at(release)
        return self._index.reference(self._key, entry) if entry else None


def _pages_of_wordings(addresses: TermAddresses) -> Iterator[ArchivedPage]:
    """Yields the pages of frozen wordings that are not in the archive."""
    for pages in addresses.lost.values():
        yield from pages
    for frozen in addresses.frozen:
        if frozen.address not in addresses.archive.by_address:
            reference = addresses.index.reference(frozen.key, frozen.entry)
            name = frozen.entry.name
            yield ArchivedPage(address=frozen.address, name=name, entries=(reference,))
