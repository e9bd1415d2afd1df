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
    entry_of_line,
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
            # `has_all_of` expects the releases that the page skips, without a name, to be first.
            entries.sort(key=lambda one: bool(one.name))
            yield replace(new, entries=tuple(entries))
        for page in published:
            entries = [*_new_entries(life, page, addresses)]
            if entries:
                yield replace(page, entries=(*page.entries, *entries))
    yield from _pages_of_wordings(addresses)


def _new_entries(
    life: Life, line: ArchivedPage, addresses: TermAddresses
) -> Iterator[EntryReference]:
    """Yields the entries that a line of a page needs in addition, so that it says what the page
    shows in each release: where the line has none, the entry of the release before goes on
    (`entry_of_line`). One without a name says that the page shows nothing."""
    shown = _ShownEntries(life, line, addresses)
    archive = addresses.composed.following
    begun = begun_entries(line, archive)
    for source in dict.fromkeys((*shown.courses, *begun)):
        begun_in_source = begun.get(source, {})
        shown_in_release: dict[str, EntryReference | None] = {}
        for edition in archive.releases.get(source, {}).values():
            release = edition.release
            page_shows = shown.at(source, release)
            line_says = entry_of_line(edition, begun_in_source, shown_in_release, archive)
            if page_shows != line_says:
                nothing = EntryReference(source=edition.source, release=release, name="")
                yield page_shows or nothing
            shown_in_release[release] = page_shows


class _ShownEntries:
    """The entries that the page of a term shows.

    The entry of a published release does not change. If another term has the entry now, the id of
    the release leads to the page of that term.
    """

    def __init__(self, life: Life, line: ArchivedPage, addresses: TermAddresses) -> None:
        """`line` is one of the lines of the page."""
        self.courses = {course.source.id: course for course in life.term.courses}
        self._key = life.key
        self._archive = addresses.archive
        self._index = addresses.index
        lines = self._archive.by_address.get(line.address, ())
        self._published_ids = {one.id for one in published_entries(lines, self._archive)}
        self._published = shown_entries(line, self._archive)
        self._own_source = addresses.pages[urls.slug_in(line.address)].own_source
        # The ids on the page have the form for one own source. Another branch may have published
        # the page with another one: that line gets no new entries.
        self._gets_new_entries = self._archive.present_id(line.source) == self._own_source

    def at(self, source: str, release: str) -> EntryReference | None:
        """Returns the entry that the page shows for a release; None if it shows none."""
        published = self._published.get((source, release))
        if published:
            return published
        course = self.courses.get(source)
        if course is None or not self._gets_new_entries:
            return None
        id = release_id((source, release), self._own_source, self._archive)
        if id in self._published_ids:
            return None  # the id was published for another entry
        entry = course.at(release)
        return self._index.reference(self._key, entry) if entry else None


def _pages_of_wordings(addresses: TermAddresses) -> Iterator[ArchivedPage]:
    """Yields the lines of frozen wordings, those in the archive as well where no term has the
    wording any more."""
    for lines in addresses.lost.values():
        yield from lines
    for frozen in addresses.frozen:
        if frozen.address not in addresses.archive.by_address:
            reference = addresses.index.reference(frozen.key, frozen.entry)
            name = frozen.entry.name
            yield ArchivedPage(address=frozen.address, name=name, entries=(reference,))
