"""Unites archives, leaves out lines that nothing needs any more, and says what one archive lacks
that another has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitegen.addresses import urls
from sitegen.permanence.archive import Archive, ArchivedEdition, Line, known_names


def united(archives: Iterable[Archive]) -> Archive:
    """Returns the archive with the lines of all archives."""
    lines: dict[str, Line] = {}
    for archive in archives:
        lines.update(archive.lines)
    return Archive(lines)


def tidied(archive: Archive) -> Archive:
    """Returns an archive without lines that nothing needs any more, such as an earlier edition
    whose names are all in a later one."""
    needed = set(archive.sources)
    for sum, edition in archive.editions.items():
        if _is_needed(edition, archive):
            needed |= {sum, *edition.documents}
            for document in archive.documents_of(edition):
                needed.update(document.texts)
    for sum, page in archive.pages.items():
        if page in archive.by_address[page.address].lines:
            needed.add(sum)
    return Archive({sum: line for sum, line in archive.lines.items() if sum in needed})


def _is_needed(edition: ArchivedEdition, archive: Archive) -> bool:
    """True for the last edition of a release. An earlier edition is needed if it has a name that
    the later editions do not know (`known_names`)."""
    editions = archive.editions_of[edition.at]  # the latest comes first
    later_editions = editions[: editions.index(edition)]
    if not later_editions:
        return True
    lost_names = archive.names_of(edition) - known_names(archive, later_editions)
    return bool(lost_names)


def lost(archive: Archive, published: Archive) -> Iterator[str]:
    """Yields what `published` has and `archive` lacks, for messages: releases (`pytorch 2.0`),
    names in them (`pytorch 2.0: Tensor`), addresses (`/term/tensor/`), and former ids."""
    for at, editions in published.editions_of.items():
        source_and_release = " ".join(at)
        own_editions = archive.editions_of.get(at, ())
        # The editions of a release are in order, the last one first.
        lacks_last = not own_editions or own_editions[0].number < editions[0].number
        if lacks_last:
            yield source_and_release
            continue
        lost_names = known_names(published, editions) - known_names(archive, own_editions)
        for name in sorted(lost_names):
            yield f"{source_and_release}: {name}"
    for address, page in sorted(published.by_address.items()):
        own_page = archive.by_address.get(address)
        own_lines = own_page.lines if own_page else ()
        for line in page.lines:
            is_kept = any(own_line.has_all_of(line) for own_line in own_lines)
            if not is_kept:
                yield urls.with_slash(address)
    for sum, former in published.sources.items():
        if sum not in archive.sources:
            yield former.id
