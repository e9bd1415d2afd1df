"""Finds which published source is which source of site.toml, also if its id changed since.

The archive maps former ids of sources to present ones (`FormerSource`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sitegen.config.parsing import Config
from sitegen.model import Release, Source
from sitegen.permanence.archive import Archive, FormerSource, united
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.archived_releases import archived_release
from sitegen.permanence.continuity import ContinuityError
from sitegen.text.names import fold
from sitegen.text.words import words_of

ReleaseWords = tuple[str, str, tuple[str, ...]]
"""(release, folded name, words) of an entry."""


class IdentifiedArchive(NamedTuple):
    """An archive in which all published sources have their present ids."""

    archive: Archive
    new: tuple[FormerSource, ...]
    """The former ids that were found now."""


def identified(read: Sequence[Source], archive: Archive, config: Config) -> IdentifiedArchive:
    """Returns the archive for the sources of site.toml, of which `read` were read.

    Raises `ContinuityError` if a new source has the former id of another one.
    """
    ids = [table.id for table in config.sources]
    by_config = _with_ids_of_config(ids, archive)
    for id in ids:
        present = by_config.present_id(id)
        if present != id:
            found = f"{id}: the source {present} had this id when it was published"
            raise ContinuityError(f"{found}; give the new source another id")
    declared = tuple(_declared(config, by_config))
    with_declared = united([by_config, archive_of(declared)])
    recognized = tuple(_recognized(read, with_declared, known=ids))
    with_recognized = united([with_declared, archive_of(recognized)])
    return IdentifiedArchive(with_recognized, (*declared, *recognized))


def _with_ids_of_config(ids: Collection[str], archive: Archive) -> Archive:
    """Returns an archive in which every id in site.toml is a present id. If a source was `a`, then
    `b`, and is `a` again in site.toml, `b` becomes the former id."""
    lines = dict(archive.lines)
    renewed = []
    for sum, one in archive.sources.items():
        last = archive.present_id(one.id)
        if one.id in ids and last not in ids:
            del lines[sum]
            renewed.append(FormerSource(id=last, present=one.id))
    if not renewed:
        return archive
    return united([Archive(lines), archive_of(renewed)])


def _declared(config: Config, archive: Archive) -> Iterator[FormerSource]:
    """Yields the former ids in site.toml under which something was published. If something was
    published under the present id too, they stay two sources: each has its own words for one
    release."""
    published = {*archive.releases}
    for former, present in config.former_ids.items():
        if former in published and present not in published:
            published.add(present)
            yield FormerSource(id=former, present=present)


def _recognized(
    read: Iterable[Source], archive: Archive, *, known: Collection[str]
) -> Iterator[FormerSource]:
    """Yields the published sources that site.toml lacks, each with the new source that has most of
    its words in the same releases, if that has more than half of them.

    `known` are the ids of all sources of the site.
    """
    published = archive.releases
    former_ids = [id for id in published if id not in known]
    if not former_ids:
        return
    words_of_new = {one.id: _words(one.releases) for one in read if one.id not in published}
    for former in former_ids:
        words = _words(archived_release(one, archive) for one in published[former].values())
        most_shared, best = len(words) // 2, ""
        for id, own_words in words_of_new.items():
            shared = len(words & own_words)
            if shared > most_shared:
                most_shared, best = shared, id
        if best:
            del words_of_new[best]
            yield FormerSource(id=former, present=best)


def _words(releases: Iterable[Release]) -> set[ReleaseWords]:
    """Returns the names and words of all entries of releases."""
    words = set()
    for release in releases:
        for entry in release.entries:
            words.add((release.name, fold(entry.name), words_of(entry.definition).keys))
    return words
