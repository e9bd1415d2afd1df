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
    """Returns the archive in which sources have their ids in site.toml, and the lines that it gets
    by this. `read` are the sources that were read.

    Raises `ContinuityError` if a new source has the former id of another one.
    """
    ids = [table.id for table in config.sources]
    known = _with_ids_of_config(ids, archive)
    for id in ids:
        present = known.present_id(id)
        if present != id:
            found = f"{id}: the source {present} had this id when it was published"
            raise ContinuityError(f"{found}; give the new source another id")

    # First the former ids in site.toml, then those that the words tell.
    declared = tuple(_declared(config, known))
    known = united([known, archive_of(declared)])
    recognized = tuple(_recognized(read, known, present_ids=ids))
    known = united([known, archive_of(recognized)])
    return IdentifiedArchive(known, (*declared, *recognized))


def _with_ids_of_config(ids: Collection[str], archive: Archive) -> Archive:
    """Returns an archive in which no id in site.toml is a former id. If a source was `a`, then `b`,
    and is `a` again in site.toml, `b` becomes the former id."""
    lines = dict(archive.lines)
    reversed_lines = []
    for sum, former in archive.sources.items():
        last_id = archive.present_id(former.id)
        is_back = former.id in ids and last_id not in ids
        if is_back:
            del lines[sum]
            reversed_lines.append(FormerSource(id=last_id, present=former.id))
    if not reversed_lines:
        return archive
    return united([Archive(lines), archive_of(reversed_lines)])


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
    read: Iterable[Source], archive: Archive, *, present_ids: Collection[str]
) -> Iterator[FormerSource]:
    """Yields the published sources that have a new id now: a new source has more than half of their
    words in the same releases. Of several such, the one that shares most words is taken.

    `present_ids` are those of all sources of the site.
    """
    published = archive.releases
    former_ids = [id for id in published if id not in present_ids]
    if not former_ids:
        return
    words_of_new = {one.id: _release_words(one.releases) for one in read if one.id not in published}
    for former_id in former_ids:
        editions = published[former_id].values()
        words = _release_words(archived_release(edition, archive) for edition in editions)
        best_id = ""
        most_shared = 0
        for id, words_of_source in words_of_new.items():
            shared = len(words & words_of_source)
            has_most_words = 2 * shared > len(words)
            if has_most_words and shared > most_shared:
                best_id = id
                most_shared = shared
        if best_id:
            del words_of_new[best_id]
            yield FormerSource(id=former_id, present=best_id)


def _release_words(releases: Iterable[Release]) -> set[ReleaseWords]:
    """Returns the names and words of all entries of releases."""
    words = set()
    for release in releases:
        for entry in release.entries:
            words.add((release.name, fold(entry.name), words_of(entry.definition).keys))
    return words
