"""Finds sources that have another id in site.toml than they had when they were published."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sitegen.config.parsing import Config
from sitegen.permanence.archive import Archive, ArchivedEdition, FormerSource, united
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.states import ReleaseState, entry_text
from sitegen.text.names import fold
from sitegen.text.words import words_of

States = Mapping[str, Sequence[ReleaseState]]
"""Source ids to the releases that are read, in the order of site.toml."""


def declared_sources(config: Config, archive: Archive) -> Iterator[FormerSource]:
    """Yields the former ids in site.toml under which something was published."""
    ids = {source for source, _ in archive.states}
    for former, present in config.former_ids.items():
        if former in ids and archive.present_id(former) == former:
            yield FormerSource(id=former, present=present)


def with_ids_of(present: Collection[str], archive: Archive) -> Archive:
    """Returns an archive for which the ids in site.toml are the present ones, also an id that a
    source had before and has again."""
    lines, renewed = dict(archive.lines), []
    for sum, one in archive.sources.items():
        last = archive.present_id(one.id)
        if one.id in present and last not in present:
            del lines[sum]
            renewed.append(FormerSource(id=last, present=one.id))
    return united([Archive(lines), archive_of(renewed)])


class _Likeness(NamedTuple):
    """How much of a published source a new one has."""

    releases: int
    """The number of its releases with most of their words."""
    texts: int


def renamed_sources(
    read: States, archive: Archive, *, known: Collection[str]
) -> Iterator[FormerSource]:
    """Yields the published sources that site.toml lacks and whose releases a new source has.

    `known` are the ids of all sources of the site.
    """
    published = archive.release_orders
    new = [source for source in read if source not in published]
    for former in published:
        if former in known:
            continue
        best, most = "", 0
        for source in new:
            likeness = _likeness(published[former], read[source], archive)
            is_same = 2 * likeness.releases > len(published[former])
            if is_same and likeness.texts > most:
                best, most = source, likeness.texts
        if best:
            new.remove(best)
            yield FormerSource(id=former, present=best)


def _likeness(
    editions: Iterable[ArchivedEdition], states: Iterable[ReleaseState], archive: Archive
) -> _Likeness:
    """Returns how many published texts the states have too, and in how many releases these are most
    of them."""
    by_release = {state.release.name: state for state in states}
    releases = texts = 0
    for edition in editions:
        state = by_release.get(edition.release)
        if state is None:
            continue
        now = {(fold(one.name), words_of(one.definition).keys) for one in state.entries}
        published = {
            (fold(text.name), words_of(entry_text(text).definition).keys)
            for text in archive.texts_of(edition)
        }
        shared = len(published & now)
        texts += shared
        if 2 * shared > len(published):
            releases += 1
    return _Likeness(releases, texts)
