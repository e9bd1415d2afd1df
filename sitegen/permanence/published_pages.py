"""The lines that publishing the addresses of a site adds to the archive."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
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
    """Yields the pages of terms and of frozen wordings that are not in the archive, and those on
    which entries begin that they did not have."""
    by_key = {life.key: life for life in lives}
    for slug, term_page in addresses.pages.items():
        address = f"/{urls.term(slug)}"
        new = ArchivedPage(address=address, name=term_page.name, source=term_page.own_source)
        published = addresses.archive.by_address.get(address, ())
        known = {one.id for one in published_entries(published, addresses.archive)}
        for page in published or (new,):
            entries = tuple(_new_entries(by_key[term_page.key], page, known, addresses))
            if entries or not published:
                yield replace(page, entries=(*page.entries, *entries))
    yield from _pages_of_wordings(addresses)


def _pages_of_wordings(addresses: TermAddresses) -> Iterator[ArchivedPage]:
    """Yields the pages of frozen wordings that are not in the archive."""
    for pages in addresses.lost.values():
        yield from pages
    for frozen in addresses.frozen:
        if frozen.address not in addresses.archive.by_address:
            reference = addresses.found.reference(frozen.key, frozen.entry)
            name = frozen.entry.name
            yield ArchivedPage(address=frozen.address, name=name, entries=(reference,))


def _new_entries(
    life: Life, page: ArchivedPage, known: Collection[str], addresses: TermAddresses
) -> Iterator[EntryReference]:
    """Yields the entries that begin on the page of a term: where it shows another one than a line
    says. `known` are the published ids of releases on the page.

    What it showed for a published release does not change: if another term has that entry now, the
    id of the release leads there. A line of another branch with ids of another form ends.
    """
    own = addresses.pages[urls.slug_in(page.address)].own_source
    has_present_ids = addresses.archive.present_id(page.source) == own
    published = shown_entries(page, addresses.archive)
    begun = begun_entries(page, addresses.following)
    courses = {course.source.id: course for course in life.term.courses}
    for source in dict.fromkeys((*courses, *begun)):
        course = courses.get(source)
        begun_here = begun.get(source, {})
        shown: dict[str, EntryReference] = {}
        for edition in addresses.following.release_orders.get(source, ()):
            release = edition.release
            before = begun_here.get(release, shown.get(edition.after))
            said = entry_in(edition, before, addresses.following)
            wanted = published.get((source, release))
            is_free = release_id((source, release), own, addresses.archive) not in known
            if course and wanted is None and has_present_ids and is_free:
                entry = course.at(release)
                wanted = addresses.found.reference(life.key, entry) if entry else None
            if wanted:
                shown[release] = wanted
            if said != wanted:
                nothing = EntryReference(source=edition.source, release=release, name="")
                yield wanted or nothing
