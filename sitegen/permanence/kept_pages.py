"""The pages of what was published and no source has any more, and what pages say about words that
differ from what was published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sitegen.addresses import urls
from sitegen.config.tables import Retired
from sitegen.model import Entry, Place, grouped
from sitegen.permanence.archive import Archive, EntryReference, PublishedPage, SourceRelease
from sitegen.permanence.composed_sources import ComposedSources, retirement
from sitegen.permanence.published_entries import published_entries, published_text, references_of
from sitegen.permanence.term_addresses import TermAddresses

FOLDERS_WITH_PAGES = ("term/", "section/", "a-z/")
"""The beginnings of the archived addresses to which other rules give a page. Those of a translation
begin with its language: `fr/term/`."""


@dataclass(frozen=True, kw_only=True)
class Notice:
    """A sentence on a page about the words of a release."""

    source: str
    release: str
    reason: str = ""
    """Why other words were taken over; empty if the source has other words than were published."""
    day: date | None = None


@dataclass(frozen=True, kw_only=True)
class KeptPage:
    """A published address to which no other rule gives a page."""

    address: str
    name: str = ""
    """The name of the term or of the release."""
    wordings: tuple[Entry, ...] = ()
    """The published entries of a term, oldest first; of a frozen page, its entry."""
    reason: str = ""
    """Why the words are gone, as site.toml says; empty if it does not."""
    term: str = ""
    """The key of the term to which the page leads; empty if there is none."""
    ids: tuple[str, ...] = ()
    """The ids of releases that were on the page of a term."""


def kept_pages(addresses: TermAddresses, retired: Sequence[Retired]) -> tuple[KeptPage, ...]:
    """Returns the pages of published terms and releases that are gone."""
    return tuple(_KeptPages(addresses, retired).all())


def notices(addresses: TermAddresses) -> Mapping[str, tuple[Notice, ...]]:
    """Returns what pages say about words that differ from what was published, by address."""
    notices_of_pages = {}
    for address, notices_at_address in grouped(_addressed_notices(addresses)).items():
        notices_of_pages[address] = tuple(dict.fromkeys(notices_at_address))
    return notices_of_pages


@dataclass(frozen=True)
class _KeptPages:
    """Makes the pages of what was published and is gone."""

    addresses: TermAddresses
    retired: Sequence[Retired]

    @property
    def following(self) -> Archive:
        """The archive after this build."""
        return self.addresses.composed.following

    def all(self) -> Iterator[KeptPage]:
        """Yields the page of each address at which no source has anything now."""
        for page in self.addresses.lost.values():
            yield self._page(page, term=_present_term(page, self.addresses))
        for address, page in self.addresses.archive.by_address.items():
            if urls.is_web(address):  # that of the site itself
                continue
            # The page of a language that site.toml leaves out: `fr/term/tenseur/`.
            if not address.startswith(FOLDERS_WITH_PAGES):
                yield self._page(page)
        yield from self._withdrawn_releases()

    def _page(self, page: PublishedPage, *, term: str = "") -> KeptPage:
        """Returns the kept page for a published one. `term` is the key of the term to which it
        leads, if there is one."""
        references = _shown_references(page, self.following)
        ids = []
        if urls.is_of_term(page.address):  # other pages have no ids of releases
            ids = [one.id for one in published_entries(page.lines, self.following) if one.id]
        return KeptPage(
            address=page.address,
            name=page.name,
            wordings=tuple(_published_wordings(references, self.following)),
            reason=self._reason(references),
            term=term,
            ids=tuple(dict.fromkeys(ids)),
        )

    def _reason(self, references: Iterable[EntryReference]) -> str:
        """Returns why the words of a page are gone: the reason of a [[retired]] table for a release
        with an entry of the page, or that of a correction of the release; empty if site.toml has
        neither."""
        for at in dict.fromkeys(one.at for one in references):
            reason_of_release = self._reason_of_release(at)
            if reason_of_release:
                return reason_of_release
            for edition in self.following.editions_of.get(at, ()):
                for correction in edition.corrections:
                    if correction.reason:  # a pasted table may have none
                        return correction.reason
        return ""

    def _reason_of_release(self, at: SourceRelease) -> str:
        """Returns why site.toml withdraws a release; empty if it does not."""
        table = retirement(at, self.retired, self.following)
        return table.reason if table else ""

    def _withdrawn_releases(self) -> Iterator[KeptPage]:
        """Yields the pages of withdrawn releases, unless a source still has a release of that
        name. Those of a language that site.toml leaves out are in its folder: `fr/release/1.0/`."""
        with_page: set[tuple[str, str]] = set()
        for source in self.addresses.composed.sources:
            with_page.update(("", release.name) for release in source.releases)
        for edition in self.addresses.composed.withdrawn.values():
            name = edition.release
            folder = self.addresses.archive.folder_of_source.get(edition.source, "")
            had_page = bool(name) and not edition.unreleased
            if not had_page or (folder, name) in with_page:
                continue
            # Another source may have withdrawn a release of this name.
            with_page.add((folder, name))
            reason = self._reason_of_release(edition.at)
            for address in (urls.release(name), urls.release_terms(name), urls.comparison(name)):
                yield KeptPage(address=folder + address, name=name, reason=reason)


def _shown_references(page: PublishedPage, archive: Archive) -> Sequence[EntryReference]:
    """Returns the entries that the page of a term showed, by source, oldest first, or the entry of
    a wording."""
    if urls.is_of_term(page.address):
        return [one.reference for one in published_entries(page.lines, archive)]
    return references_of(page, archive)


def _published_wordings(references: Iterable[EntryReference], archive: Archive) -> Iterator[Entry]:
    """Yields the published entries of references. An entry with the same content as the one before
    it is left out."""
    previous_text = None
    for reference in references:
        text = published_text(reference, archive)
        if text and text != previous_text:
            previous_text = text
            place = Place(source=reference.source, release=reference.release, path="", name="")
            no_line = 0  # the document is gone
            yield Entry(text, place, no_line)


def _present_term(page: PublishedPage, addresses: TermAddresses) -> str:
    """Returns the key of the term to which the page of a lost address leads; empty if there is
    none."""
    # The term that has the slug in the address.
    term_page = addresses.pages.get(urls.slug_in(page.address))
    if term_page:
        return term_page.key

    # Else the first term with an entry that the page showed, or with the words of such an entry.
    for reference in _shown_references(page, addresses.archive):
        entry = addresses.index.entry(reference)
        if entry:
            return entry.key
        text = published_text(reference, addresses.composed.following)
        if text is None:
            continue
        key = addresses.index.with_words(text.definition)
        if key:
            return key
    return ""


def _addressed_notices(addresses: TermAddresses) -> Iterator[tuple[str, Notice]]:
    """Yields (address, notice) for each address at which a notice is shown: the page of the term,
    and the frozen page of the wording."""
    slugs_of_term = grouped((page.key, slug) for slug, page in addresses.pages.items())
    frozen_of_term = grouped((one.key, one) for one in addresses.frozen)
    for name, notice in _named_notices(addresses.composed):
        at = notice.source, notice.release
        source = addresses.archive.published_id(*at)
        reference = EntryReference(source=source, release=notice.release, name=name)
        entry = addresses.index.entry(reference)
        if entry is None:
            continue
        for slug in slugs_of_term[entry.key]:
            yield urls.term(slug), notice
        for page in frozen_of_term.get(entry.key, ()):
            place = page.entry.place
            if (place.source, place.release) == at:  # a frozen page shows one release
                yield page.address, notice


def _named_notices(composed: ComposedSources) -> Iterator[tuple[str, Notice]]:
    """Yields (name of an entry, notice) for each entry of which other words were taken over, or
    whose source has other words now."""
    for (source, release), composed_release in composed.releases.items():
        for correction in composed_release.corrections:
            notice = Notice(
                source=source, release=release, reason=correction.reason, day=correction.day
            )
            for name in correction.terms:
                yield name, notice
        for difference in composed_release.differences:
            if difference.published:
                yield difference.published.name, Notice(source=source, release=release)
