"""The pages of what was published and no source has any more, and what pages say about their
words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import permutations

from sitegen.addresses import urls
from sitegen.config.tables import Retired
from sitegen.model import Entry, Place, Source
from sitegen.permanence.archive import Archive, ArchivedEdition, ArchivedPage, EntryReference
from sitegen.permanence.published_entries import published_entries, published_text, references_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """What a page says about the words of a release."""

    source: str
    release: str
    reason: str = ""
    """Why other words were taken over; empty if the source has other words than were published."""
    day: date | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptPage:
    """A published page without a term, a release or a pair of releases."""

    address: str
    """With a leading slash."""
    name: str = ""
    wordings: tuple[Entry, ...] = ()
    """The published entries of a term, oldest first; of a frozen page, its entry."""
    reason: str = ""
    term: str = ""
    """The key of the term that has another entry of the page now."""
    ids: tuple[str, ...] = ()

    @property
    def is_of_release(self) -> bool:
        """True if the page of a release was at this address."""
        return bool(self.name) and self.address == f"/{urls.release(self.name)}"


class Withdrawals:
    """The reasons that [[retired]] tables give for addresses and releases."""

    def __init__(self, retired: Iterable[Retired]) -> None:
        self._of_folders: dict[str, str] = {}
        self._of_releases: list[Retired] = []
        for one in retired:
            if not one.addresses:
                self._of_releases.append(one)
            for address in one.addresses:
                self._of_folders[f"{address.removesuffix('/')}/"] = one.reason

    def of_address(self, address: str) -> str:
        """Returns the reason for an address, or for one above it; empty if there is none."""
        folder = ""
        for part in address.removesuffix("/").split("/"):
            folder += f"{part}/"
            if folder in self._of_folders:
                return self._of_folders[folder]
        return ""

    def of_release(self, source: str, release: str) -> str:
        """Returns the reason for a release; empty if it is not withdrawn."""
        for one in self._of_releases:
            if one.withdraws(source, release):
                return one.reason
        return ""


def kept_page(
    pages: Sequence[ArchivedPage],
    archive: Archive,
    withdrawals: Withdrawals,
    *,
    present: str = "",
) -> KeptPage:
    """Returns the page of an address that no source has any more. `pages` are its lines in the
    archive, `present` is the key of the term to which it leads."""
    address, ids = pages[0].address, []
    references = entries_on(pages, archive)
    if urls.is_of_term(address):
        ids = [one.id for one in published_entries(pages, archive) if one.id]
    return KeptPage(
        address=address,
        name=pages[0].name,
        wordings=tuple(_wordings(references, archive)),
        reason=_reason(address, references, archive, withdrawals),
        term=present,
        ids=tuple(dict.fromkeys(ids)),
    )


def entries_on(pages: Sequence[ArchivedPage], archive: Archive) -> Sequence[EntryReference]:
    """Returns the entries that a published page showed, by source, oldest first."""
    if urls.is_of_term(pages[0].address):
        return [one.reference for one in published_entries(pages, archive)]
    return references_of(pages)


def _wordings(references: Iterable[EntryReference], archive: Archive) -> Iterator[Entry]:
    """Yields the published entries of references, without those that change nothing."""
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
    withdrawals: Withdrawals,
) -> str:
    """Returns why a page has nothing else to show: as site.toml says, or the reason for other words
    of its release; empty if there is none."""
    if said := withdrawals.of_address(address):
        return said
    for at in dict.fromkeys(one.at for one in references):
        reasons = [withdrawals.of_release(*at)]
        for state in archive.states.get(at, ()):
            reasons += [one.reason for one in state.corrections]
        for reason in filter(None, reasons):
            return reason
    return ""


def withdrawn_releases(
    withdrawn: Iterable[ArchivedEdition], sources: Iterable[Source], withdrawals: Withdrawals
) -> Iterator[KeptPage]:
    """Yields the pages of withdrawn releases, unless a source still has a release of that name."""
    present = {release.name for source in sources for release in source.releases}
    for edition in withdrawn:
        name = edition.release
        if name in present or not name or edition.unreleased:
            continue
        present.add(name)
        reason = withdrawals.of_release(*edition.at)
        for address in (urls.release(name), urls.release_terms(name), urls.comparison(name)):
            yield KeptPage(address=f"/{address}", name=name, reason=reason)


def lost_comparisons(archive: Archive, sources: Iterable[Source]) -> Iterator[KeptPage]:
    """Yields the pages of published pairs of releases of which no source has both any more."""
    pairs = set()
    for source in sources:
        slugs = [urls.release_slug(release.name) for release in source.releases]
        pairs |= set(permutations(slugs, 2))
    for address in archive.by_address:
        parts = address.removeprefix(f"/{urls.COMPARE}").removesuffix("/").split("/")
        if address.startswith(f"/{urls.COMPARE}") and tuple(parts) not in pairs:
            yield KeptPage(address=address)
