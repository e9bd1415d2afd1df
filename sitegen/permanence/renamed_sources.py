"""Finds sources that have another id in site.toml than they had when they were published."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sitegen.config.parsing import Config
from sitegen.permanence.archive import Archive, FormerSource, united
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.states import ReleaseState, archived_state
from sitegen.text.names import fold
from sitegen.text.words import words_of

States = Mapping[str, Sequence[ReleaseState]]
"""Source ids to the releases that are read, in the order of site.toml."""

ReleaseWords = tuple[str, str, tuple[str, ...]]
"""(release, folded name, words) of an entry."""


def declared_sources(config: Config, archive: Archive) -> Iterator[FormerSource]:
    """Yields the former ids in site.toml under which something was published.

    A source has a former id only until it is published itself. Two that were both published have
    other words and ids for one release, so they stay two sources.
    """
    published = {*archive.release_orders}
    for former, present in config.former_ids.items():
        if former in published and present not in published:
            published.add(present)
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


def renamed_sources(
    read: States, archive: Archive, *, known: Collection[str]
) -> Iterator[FormerSource]:
    """Yields the published sources that site.toml lacks, and of whose words a new source has more
    than half in the same releases; of several the one that has most.

    `known` are the ids of all sources of the site.
    """
    published = archive.release_orders
    former_ids = [id for id in published if id not in known]
    if not former_ids:
        return
    words = {id: _words(states) for id, states in read.items() if id not in published}
    for former in former_ids:
        states = [archived_state(edition, archive) for edition in published[former]]
        own = _words(states)
        shared = {id: len(own & found) for id, found in words.items()}
        best = max(shared, key=shared.__getitem__, default="")
        if best and 2 * shared[best] > len(own):
            del words[best]
            yield FormerSource(id=former, present=best)


def _words(states: Iterable[ReleaseState]) -> set[ReleaseWords]:
    words = set()
    for state in states:
        for entry in state.entries:
            words.add((state.release.name, fold(entry.name), words_of(entry.definition).keys))
    return words
