"""What published pages showed: entries, with the ids of their releases.

The line of a page has the entries that begin on it. Each is shown in the releases after it too, as
long as these have an entry of its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import EntryText
from sitegen.permanence.archive import (
    Archive,
    ArchivedEdition,
    ArchivedPage,
    EntryReference,
    SourceRelease,
)
from sitegen.permanence.states import entry_text


class PublishedEntry(NamedTuple):
    """An entry that the page of a term showed."""

    source: str
    """The present id of its source."""
    position: int
    """The position of its release among those of the source."""
    reference: EntryReference
    id: str
    """The id of the release on the page; empty if the source has no releases."""


def published_entries(pages: Iterable[ArchivedPage], archive: Archive) -> Sequence[PublishedEntry]:
    """Returns the entries that the page of a term showed, by source, oldest first.

    Two branches can publish one address for different entries, and with ids that leave out another
    source. Both are returned.
    """
    entries = set()
    for page in pages:
        own = archive.present_id(page.source)
        for at, reference in shown_entries(page, archive).items():
            source, release = at
            id = release_id(at, own, archive) if release else ""
            entries.add(PublishedEntry(source, archive.positions[at], reference, id))
    return sorted(entries)


def begun_entries(
    page: ArchivedPage, archive: Archive
) -> Mapping[str, Mapping[str, EntryReference]]:
    """Returns the entries that begin on the page of a term, by present source id and release; of
    several for one release, the last."""
    begun: dict[str, dict[str, EntryReference]] = {}
    for one in page.entries:
        begun.setdefault(archive.present_id(one.source), {})[one.release] = one
    return begun


def shown_entries(page: ArchivedPage, archive: Archive) -> Mapping[SourceRelease, EntryReference]:
    """Returns the entries that the page of a term showed, by present source id and release."""
    shown: dict[SourceRelease, EntryReference] = {}
    for source, begun in begun_entries(page, archive).items():
        for edition in archive.release_orders.get(source, ()):
            before = shown.get((source, edition.after))
            one = entry_in(edition, begun.get(edition.release, before), archive)
            if one:
                shown[source, edition.release] = one
    return shown


def entry_in(
    edition: ArchivedEdition, other: EntryReference | None, archive: Archive
) -> EntryReference | None:
    """Returns the entry of an edition that has the name of another entry; None if it has none."""
    if other is None or not archive.has_entry(*edition.at, other.name):
        return None
    return EntryReference(
        source=edition.source, release=edition.release, name=other.name, number=other.number
    )


def release_id(at: SourceRelease, own: str, archive: Archive) -> str:
    """Returns the id of a release on a page. Those of other sources than the page's `own` have the
    id that the source had when the release was published."""
    source, release = at
    if source == own:
        return urls.revision_anchor(release)
    return urls.revision_anchor(release, source=archive.published_ids.get(at, source))


def references_of(pages: Sequence[ArchivedPage]) -> list[EntryReference]:
    """Returns the entries that begin on a page, those of its own source first."""
    references = [one for page in pages for one in page.entries if one.name]
    return sorted(references, key=lambda one: one.source != pages[0].source)


def published_text(reference: EntryReference, archive: Archive) -> EntryText | None:
    """Returns the words of an entry as they were published last."""
    key = archive.key(reference.at, reference.name)
    named = archive.named.get(reference.at, {}).get(key, ())
    chosen = [text for text in named if text.name == reference.name] or named
    return entry_text(chosen[min(reference.number, len(chosen) - 1)]) if chosen else None
