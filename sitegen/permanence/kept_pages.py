"""The pages of what was published and no source has any more, and what pages say about words that
differ from what was published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.config.tables import Retired
from sitegen.model import Entry, Place, Source, grouped
from sitegen.permanence.archive import (
    Archive,
    ArchivedEdition,
    ArchivedPage,
    EntryReference,
    SourceRelease,
)
from sitegen.permanence.composed_sources import ComposedSources, retirement
from sitegen.permanence.published_entries import published_entries, published_text, references_of
from sitegen.permanence.term_addresses import KeptPage, Notice, TermAddresses

MAIN_LANGUAGE_FOLDERS = ("term/", "section/", "a-z/", "compare/")
"""The beginnings of the addresses in the language of the originals. Those of a translation begin
with its language: `fr/term/`."""


def with_kept_pages(
    addresses: TermAddresses, composed: ComposedSources, retired: Sequence[Retired]
) -> TermAddresses:
    """Returns addresses with the pages of all that was published and has no term or release any
    more, and with what pages say about their words."""
    withdrawals = _Withdrawals(retired, composed.archive)
    kept = []
    for pages in addresses.lost.values():
        present = _present_term(pages, addresses)
        kept.append(_kept_page(pages, composed.following, withdrawals, present=present))
    for address, pages in addresses.archive.by_address.items():
        if not urls.is_web(address) and not address.startswith(MAIN_LANGUAGE_FOLDERS):
            # Its language is left out.
            kept.append(_kept_page(pages, composed.following, withdrawals))
    kept += _withdrawn_releases(composed.withdrawn, composed.sources, withdrawals)
    kept += _lost_comparisons(addresses.archive, composed.sources)
    notices = {}
    for address, several in grouped(_addressed(addresses, composed)).items():
        notices[address] = tuple(dict.fromkeys(several))
    return replace(addresses, kept=tuple(kept), notices=notices)


class _Withdrawals:
    """The reasons that [[retired]] tables give for addresses and releases."""

    def __init__(self, retired: Sequence[Retired], archive: Archive) -> None:
        self._retired = retired
        self._archive = archive
        self._of_folders: dict[str, str] = {}
        for one in retired:
            for address in one.addresses:
                self._of_folders[urls.without_slash(address)] = one.reason

    def of_address(self, address: str) -> str:
        """Returns the reason for an address, or for one above it: that of `term/aten/` is also
        that of `term/aten/1.0/`; empty if there is none."""
        for folder in urls.folders_of(address):
            if folder in self._of_folders:
                return self._of_folders[folder]
        return ""

    def of_release(self, at: SourceRelease) -> str:
        """Returns the reason for a release; empty if it is not withdrawn."""
        table = retirement(at, self._retired, self._archive)
        return table.reason if table else ""


def _kept_page(
    pages: Sequence[ArchivedPage],
    archive: Archive,
    withdrawals: _Withdrawals,
    *,
    present: str = "",
) -> KeptPage:
    """Returns the page of an address that no source has any more. `pages` are its lines in the
    archive, `present` is the key of the term to which it leads."""
    address = pages[0].address
    name = pages[0].name
    references = _entries_on(pages, archive)
    ids = []
    if urls.is_of_term(address):
        ids = [one.id for one in published_entries(pages, archive) if one.id]
    return KeptPage(
        address=address,
        name=name,
        wordings=tuple(_wordings(references, archive)),
        reason=_reason(address, references, archive, withdrawals),
        term=present,
        ids=tuple(dict.fromkeys(ids)),
    )


def _entries_on(pages: Sequence[ArchivedPage], archive: Archive) -> Sequence[EntryReference]:
    """Returns the entries that a published page showed, by source, oldest first."""
    if urls.is_of_term(pages[0].address):
        return [one.reference for one in published_entries(pages, archive)]
    return references_of(pages)


def _wordings(references: Iterable[EntryReference], archive: Archive) -> Iterator[Entry]:
    """Yields the published entries of references. An entry with the same words as the entry before
    is left out."""
    last = None
    for one in references:
        text = published_text(one, archive)
        if text and text != last:
            last = text
            yield Entry(text, Place(source=one.source, release=one.release, path="", name=""), 0)


def _reason(
    address: str,
    references: Iterable[EntryReference],
    archive: Archive,
    withdrawals: _Withdrawals,
) -> str:
    """Returns why the words of a page are gone: the reason of a [[retired]] table for its address
    or its release, else that of a correction of its release; empty if there is none."""
    if said := withdrawals.of_address(address):
        return said
    for at in dict.fromkeys(one.at for one in references):
        if withdrawn := withdrawals.of_release(at):
            return withdrawn
        for state in archive.states.get(at, ()):
            for correction in state.corrections:
                if correction.reason:
                    return correction.reason
    return ""


def _withdrawn_releases(
    withdrawn: Iterable[ArchivedEdition], sources: Iterable[Source], withdrawals: _Withdrawals
) -> Iterator[KeptPage]:
    """Yields the pages of withdrawn releases, unless a source still has a release of that name."""
    present = {release.name for source in sources for release in source.releases}
    gone: dict[str, ArchivedEdition] = {}
    for edition in withdrawn:
        has_pages = edition.release != "" and not edition.unreleased
        if has_pages and edition.release not in present:
            gone.setdefault(edition.release, edition)
    for name, edition in gone.items():
        reason = withdrawals.of_release(edition.at)
        for address in (urls.release(name), urls.release_terms(name), urls.comparison(name)):
            yield KeptPage(address=address, name=name, reason=reason)


def _lost_comparisons(archive: Archive, sources: Iterable[Source]) -> Iterator[KeptPage]:
    """Yields the page of each published comparison, such as `compare/1.0/2.0/`, if no source has
    both releases any more."""
    slugs_of_sources = []
    for source in sources:
        slugs_of_sources.append({urls.release_slug(release.name) for release in source.releases})
    for address in archive.by_address:
        compared = {*urls.compared_releases(address)}
        if compared and not any(compared <= slugs for slugs in slugs_of_sources):
            yield KeptPage(address=address)


def _present_term(pages: Sequence[ArchivedPage], addresses: TermAddresses) -> str:
    """Returns the key of the term to which a page of a lost address leads: the term at the slug in
    the address, else a term with an entry that the page showed, or with the words of such an entry;
    empty if there is none."""
    page = addresses.pages.get(urls.slug_in(pages[0].address))
    if page:
        return page.key
    for reference in _entries_on(pages, addresses.archive):
        found = addresses.index.entry(reference)
        if found:
            return found.key
        text = published_text(reference, addresses.composed.following)
        key = addresses.index.with_words(text.definition) if text else ""
        if key:
            return key
    return ""


def _addressed(addresses: TermAddresses, composed: ComposedSources) -> Iterator[tuple[str, Notice]]:
    """Yields each notice with the addresses at which it is shown: the page of its term, and the
    frozen page of the wording."""
    slugs = grouped((page.key, slug) for slug, page in addresses.pages.items())
    frozen = grouped((one.key, one) for one in addresses.frozen)
    for name, notice in _notices(composed):
        at = notice.source, notice.release
        source = addresses.archive.published_id(*at)
        reference = EntryReference(source=source, release=notice.release, name=name)
        found = addresses.index.entry(reference)
        if found is None:
            continue
        for slug in slugs[found.key]:
            yield urls.term(slug), notice
        for page in frozen.get(found.key, ()):
            if (page.entry.place.source, page.entry.place.release) == at:
                yield page.address, notice


def _notices(composed: ComposedSources) -> Iterator[tuple[str, Notice]]:
    """Yields the names of entries with a notice: that other words were taken over, or that the
    source has other words now."""
    for source, composition in composed.compositions.items():
        for release, corrections in composition.corrections.items():
            for one in corrections:
                notice = Notice(source=source, release=release, reason=one.reason, day=one.day)
                for name in one.terms:
                    yield name, notice
        for difference in composition.differences:
            place = difference.entry.place
            if difference.published:
                notice = Notice(source=place.source, release=place.release)
                yield difference.published.name, notice
