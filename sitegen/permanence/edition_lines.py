"""The lines that publishing a release adds to the archive.

There is a new edition of each release that is new, or that says something else than its last
edition, with its documents and texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sitegen.permanence.archive import READING, ArchivedEdition, Line
from sitegen.permanence.archive_lines import sum_of_line
from sitegen.permanence.archived_releases import archived_documents, archived_text
from sitegen.permanence.composition import ComposedRelease, may_be_edited


def edition_lines(composed: ComposedRelease) -> Iterator[Line]:
    """Yields the lines of the next edition of a release; none if the release is as it was published
    last, or is new and without documents."""
    release = composed.release
    if composed.edition is None and not release.documents:
        return
    last_edition = composed.edition or _empty_edition(composed)
    documents = [*archived_documents(release)]
    sums = tuple(map(sum_of_line, documents))
    edition = _with_present_words(composed, last_edition, documents=sums)
    if edition == last_edition:
        return
    for entry in release.entries:
        yield archived_text(entry.text)
    yield from documents
    yield replace(edition, number=last_edition.number + 1)


def _empty_edition(composed: ComposedRelease) -> ArchivedEdition:
    """Returns the edition 0 of a release, without words: what there is before it is published
    first."""
    release = composed.release
    return ArchivedEdition(
        source=composed.source,
        release=release.name,
        number=0,
        kind=release.kind,
        unreleased=release.unreleased,
        label=release.label,
        day=release.date,
        commit=release.commit,
        link=release.link,
        lines=release.line_pattern,
        after=composed.after,
    )


def _with_present_words(
    composed: ComposedRelease, edition: ArchivedEdition, *, documents: tuple[str, ...]
) -> ArchivedEdition:
    """Returns an edition with the words that its release has now. `documents` are the sums of the
    release's documents."""
    release, corrections = composed.release, composed.corrections
    commit, reading = edition.commit, edition.reading
    if documents != edition.documents:
        reading = READING
        # A closed release without new corrections has the words of its first commit, though this
        # version of sitegen reads them otherwise.
        keeps_words = edition.is_closed and corrections == edition.corrections
        if not keeps_words:
            commit = release.commit
    return replace(
        edition,
        is_closed=edition.is_closed or not may_be_edited(release),
        commit=commit,
        documents=documents,
        reading=reading,
        corrections=corrections,
        pairs=composed.pairs,
    )
