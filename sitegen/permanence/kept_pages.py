"""The pages of what was published and no source has any more, and what pages say about words that
differ from what was published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitegen.addresses import urls
from sitegen.config.tables import Retired
from sitegen.model import Entry, Place, grouped
from sitegen.permanence.archive import (
    Archive,
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


def with_kept_pages(addresses: TermAddresses, retired: Sequence[Retired]) -> TermAddresses:
    """Returns addresses with the pages of all that was published and has no term or release any
    more, and with what pages say about their words."""
    notices = {}
    for address, several in grouped(_addressed(addresses)).items():
        notices[address] = tuple(dict.fromkeys(several))
    kept = tuple(_KeptPages(addresses, retired).all())
    return replace(addresses, kept=kept, notices=notices)


class _KeptPages:
    """Makes the pages of what was published and is gone."""

    def __init__(self, addresses: TermAddresses, retired: Sequence[Retired]) -> None:
        self._addresses = addresses
        self._composed = addresses.composed
        self._archive = addresses.composed.following
        self._retired = retired
        self._reasons: dict[str, str] = {}
        """Why [[retired]] tables withdraw addresses."""
        for table in retired:
            for address in table.addresses:
                self._reasons[urls.without_slash(address)] = table.reason

    def all(self) -> Iterator[KeptPage]:
        """Yields the page of each address at which no source has anything now."""
        for lines in self._addresses.lost.values():
            yield self._page(lines, term=_present_term(lines, self._addresses))
        for address, lines in self._addresses.archive.by_address.items():
            if not urls.is_web(address) and not address.startswith(MAIN_LANGUAGE_FOLDERS):
                yield self._page(lines)  # its language is left out
        yield from self._withdrawn_releases()
        yield from self._lost_comparisons()

    def _page(self, lines: Sequence[ArchivedPage], *, term: str = "") -> KeptPage:
        """Returns the page of an address. `lines` are those of its page in the archive, `term` is
        the key of the term to which it leads."""
        address = lines[0].address
        references = _entries_on(lines, self._archive)
        ids = []  # only the page of a term has some
        if urls.is_of_term(address):
            ids = [one.id for one in published_entries(lines, self._archive) if one.id]
        return KeptPage(
            address=address,
            name=lines[0].name,
            wordings=tuple(_wordings(references, self._archive)),
            reason=self._reason(address, references),
            term=term,
            ids=tuple(dict.fromkeys(ids)),
        )

    def _reason(self, address: str, references: Iterable[EntryReference]) -> str:
        """Returns why the words of a page are gone: the reason of a [[retired]] table for its
        address or its release, else that of a correction of its release; empty if there is
        none."""
        for folder in urls.folders_of(address):  # that of a term is also that of its wordings
            if folder in self._reasons:
                return self._reasons[folder]
        for at in dict.fromkeys(one.at for one in references):
            if withdrawn := self._reason_of_release(at):
                return withdrawn
            for edition in self._archive.editions_of.get(at, ()):
                for correction in edition.corrections:
                    if correction.reason:
                        return correction.reason
        return ""

    def _reason_of_release(self, at: SourceRelease) -> str:
        """Returns why site.toml withdraws a release; empty if it does not."""
        table = retirement(at, self._retired, self._archive)
        return table.reason if table else ""

    def _withdrawn_releases(self) -> Iterator[KeptPage]:
        """Yields the pages of withdrawn releases, unless a source still has a release of that
        name."""
        with_page: set[str] = set()
        for source in self._composed.sources:
            with_page.update(release.name for release in source.releases)
        for edition in self._composed.withdrawn:
            name = edition.release
            if not name or edition.unreleased or name in with_page:
                continue
            with_page.add(name)
            reason = self._reason_of_release(edition.at)
            for address in (urls.release(name), urls.release_terms(name), urls.comparison(name)):
                yield KeptPage(address=address, name=name, reason=reason)

    def _lost_comparisons(self) -> Iterator[KeptPage]:
        """Yields the page of each published comparison, such as `compare/1.0/2.0/`, if no source
        has both releases any more."""
        slugs_of_sources = []
        for source in self._composed.sources:
            slugs = {urls.release_slug(release.name) for release in source.releases}
            slugs_of_sources.append(slugs)
        for address in self._addresses.archive.by_address:
            compared = {*urls.compared_releases(address)}
            if compared and not any(compared <= slugs for slugs in slugs_of_sources):
                yield KeptPage(address=address)


def _entries_on(lines: Sequence[ArchivedPage], archive: Archive) -> Sequence[EntryReference]:
    """Returns the entries that a published page showed, by source, oldest first."""
    if urls.is_of_term(lines[0].address):
        return [one.reference for one in published_entries(lines, archive)]
    return references_of(lines)


def _wordings(references: Iterable[EntryReference], archive: Archive) -> Iterator[Entry]:
    """Yields the published entries of references. An entry with the same words as the entry before
    is left out."""
    last = None
    for one in references:
        text = published_text(one, archive)
        if text and text != last:
            last = text
            yield Entry(text, Place(source=one.source, release=one.release, path="", name=""), 0)


def _present_term(lines: Sequence[ArchivedPage], addresses: TermAddresses) -> str:
    """Returns the key of the term to which a page of a lost address leads: the term at the slug in
    the address, else a term with an entry that the page showed, or with the words of such an entry;
    empty if there is none."""
    page = addresses.pages.get(urls.slug_in(lines[0].address))
    if page:
        return page.key
    for reference in _entries_on(lines, addresses.archive):
        found = addresses.index.entry(reference)
        if found:
            return found.key
        text = published_text(reference, addresses.composed.following)
        key = addresses.index.with_words(text.definition) if text else ""
        if key:
            return key
    return ""


def _addressed(addresses: TermAddresses) -> Iterator[tuple[str, Notice]]:
    """Yields each notice with the addresses at which it is shown: the page of its term, and the
    frozen page of the wording."""
    slugs = grouped((page.key, slug) for slug, page in addresses.pages.items())
    frozen = grouped((one.key, one) for one in addresses.frozen)
    for name, notice in _notices(addresses.composed):
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
        for release, one in composition.by_name.items():
            for correction in one.corrections:
                notice = Notice(
                    source=source, release=release, reason=correction.reason, day=correction.day
                )
                for name in correction.terms:
                    yield name, notice
            for difference in one.differences:
                if difference.published:
                    yield difference.published.name, Notice(source=source, release=release)
