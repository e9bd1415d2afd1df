"""The lines that publishing the pages of terms adds to the archive.

The line of a page has the entries that begin on it: of a page that shows "Tensor" in the releases
1.0, 2.0 and 4.0, the entries of 1.0 and 4.0, and for 3.0 one without a name. `published_entries`
says what a page showed according to its line; a line is needed where it shows something else now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.model.terms import Life
from sitegen.permanence.archive import ArchivedPage, EntryReference
from sitegen.permanence.published_entries import (
    EntriesOfPage,
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
    archive = addresses.composed.following
    page_shows = _shown_entries(life, line, addresses)
    begun = begun_entries(line, archive)
    for source in dict.fromkeys((*page_shows, *begun)):
        shown: dict[str, EntryReference] = {}
        for edition in archive.releases.get(source, {}).values():
            entry = page_shows.get(source, {}).get(edition.release)
            line_says = entry_of_line(edition, begun.get(source, {}), shown, archive)
            if entry != line_says:
                nothing = EntryReference(source=edition.source, release=edition.release, name="")
                yield entry or nothing
            if entry:
                shown[edition.release] = entry


def _shown_entries(life: Life, line: ArchivedPage, addresses: TermAddresses) -> EntriesOfPage:
    """Returns the entries that the page of a term shows; `line` is one of the lines of the page.

    The entry of a published release does not change. If another term has the entry now, the id of
    the release leads to the page of that term.
    """
    archive = addresses.archive
    published = shown_entries(line, archive)
    own_source = addresses.pages[urls.slug_in(line.address)].own_source
    if archive.present_id(line.source) != own_source:
        # The ids on the page have the form for one own source. Another branch has published the
        # page with another one: this line gets no new entries.
        return published
    lines = archive.by_address.get(line.address, ())
    published_ids = {one.id for one in published_entries(lines, archive)}
    shown_in_sources: dict[str, Mapping[str, EntryReference]] = {}
    for course in life.term.courses:
        source = course.source.id
        shown = {}
        for release in course.releases:
            is_published = release_id((source, release), own_source, archive) in published_ids
            entry = course.at(release)
            if entry and not is_published:  # else the id may be of another entry
                shown[release] = addresses.index.reference(life.key, entry)
        shown_in_sources[source] = {**shown, **published.get(source, {})}
    for source, entries in published.items():
        shown_in_sources.setdefault(source, entries)
    return shown_in_sources


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
