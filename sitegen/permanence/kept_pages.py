"""The pages of what was published and no source has any more, and what pages say about their
words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import accumulate, permutations

from sitegen.addresses import urls
from sitegen.config.tables import Retired
from sitegen.model import Entry, EntryText, Place, Source, grouped
from sitegen.permanence.archive import (
    Archive,
    ArchivedEdition,
    ArchivedPage,
    EntryReference,
    SourceRelease,
)
from sitegen.permanence.states import entry_text
from sitegen.text.names import fold
from sitegen.text.release_names import ordered


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


class KeptPages:
    """Makes the pages of terms and wordings that no source has any more, with their published
    words."""

    def __init__(self, archive: Archive, retired: Iterable[Retired]) -> None:
        self._archive = archive
        retired = tuple(retired)
        self._of_addresses = {address: one.reason for one in retired for address in one.addresses}
        self._of_releases = [one for one in retired if not one.addresses]

    @cached_property
    def _releases(self) -> Mapping[tuple[str, str], Sequence[SourceRelease]]:
        """(present source id, folded name) to the published releases with the name."""
        named: dict[tuple[str, str, SourceRelease], None] = {}
        for at, texts in self._archive.named.items():
            for key in texts:
                named[self._archive.present_id(at[0]), fold(key), at] = None
        return grouped(((source, name), at) for source, name, at in named)

    def page(
        self, address: str, references: Sequence[EntryReference], *, present: str = ""
    ) -> KeptPage:
        """Returns the page of an address. `present` is the key of the term to which it leads."""
        pages = self._archive.by_address[address]
        is_of_term = urls.is_of_term(address)
        published = [*self._published(references)] if is_of_term else references
        return KeptPage(
            address=address,
            name=pages[0].name,
            wordings=tuple(self._wordings(published)),
            reason=self._reason(address, published),
            term=present,
            ids=tuple(dict.fromkeys(self._ids(published, pages))) if is_of_term else (),
        )

    def _published(self, references: Iterable[EntryReference]) -> Iterator[EntryReference]:
        """Yields the entries with the names of some, by source, oldest first."""
        present_id = self._archive.present_id
        named = {(present_id(one.source), fold(one.name)): one for one in references}
        found = [
            replace(one, source=source, release=release)
            for name, one in named.items()
            for source, release in self._releases.get(name, ())
        ]
        by_source = grouped((one.source, one) for one in found)
        for source in sorted(by_source):
            by_release = grouped((one.release, one) for one in by_source[source])
            for release in ordered(by_release):
                yield from by_release[release]

    def _wordings(self, references: Iterable[EntryReference]) -> Iterator[Entry]:
        """Yields the published entries of references, without those that change nothing."""
        last = None
        for one in references:
            text = published_text(one, self._archive)
            if text and text != last:
                last = text
                yield Entry(
                    text, Place(source=one.source, release=one.release, path="", name=""), 0
                )

    def _ids(
        self, references: Iterable[EntryReference], pages: Iterable[ArchivedPage]
    ) -> Iterator[str]:
        """Yields the ids of the releases on the page of a term."""
        present_id = self._archive.present_id
        own_sources = {present_id(page.source) for page in pages}
        for source, release in dict.fromkeys(one.at for one in references):
            if not release:
                continue
            if present_id(source) in own_sources:
                yield urls.revision_anchor(release)
            if own_sources != {present_id(source)}:
                yield urls.revision_anchor(release, source=source)

    def _reason(self, address: str, references: Iterable[EntryReference]) -> str:
        """Returns why a page has nothing else to show: as site.toml says, or the reason for other
        words of its release; empty if nobody has said it."""
        folders = accumulate(f"{part}/" for part in address.removesuffix("/").split("/"))
        reasons = [self._of_addresses.get(folder, "") for folder in folders]
        for at in dict.fromkeys(one.at for one in references):
            reasons.append(reason_for_withdrawal(self._of_releases, *at))
            for state in self._archive.states.get(at, ()):
                reasons += [one.reason for one in state.corrections]
        return next(filter(None, reasons), "")


def published_text(reference: EntryReference, archive: Archive) -> EntryText | None:
    """Returns the words of an entry as they were published last."""
    key = archive.key(reference.at, reference.name)
    named = archive.named.get(reference.at, {}).get(key, ())
    chosen = [text for text in named if text.name == reference.name] or named
    return entry_text(chosen[min(reference.number, len(chosen) - 1)]) if chosen else None


def reason_for_withdrawal(retired: Iterable[Retired], source: str, release: str) -> str:
    """Returns why site.toml withdraws a release; empty if it does not."""
    for one in retired:
        if one.withdraws(source, release):
            return one.reason
    return ""


def withdrawn_releases(
    withdrawn: Iterable[ArchivedEdition], sources: Iterable[Source], retired: Sequence[Retired]
) -> Iterator[KeptPage]:
    """Yields the pages of withdrawn releases, unless a source still has a release of that name."""
    present = {release.name for source in sources for release in source.releases}
    for edition in withdrawn:
        name = edition.release
        if name in present or not name or edition.unreleased:
            continue
        present.add(name)
        reason = reason_for_withdrawal(retired, *edition.at)
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
