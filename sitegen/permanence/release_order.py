"""Which releases a source has, and in which order: those that are read, and published ones.

site.toml is the maintainer's will: a published release that it leaves out is withdrawn. What is
merely missing, such as a deleted tag, stays a release.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from sitegen.config.patterns import matches, matches_any
from sitegen.config.tables import Retired, SourceTable
from sitegen.permanence.archive import Archive, ArchivedEdition, SourceRelease
from sitegen.permanence.states import ReleaseState
from sitegen.sources.git.dated_states import period_in
from sitegen.text.release_names import is_prerelease

AUTO = "auto"


def is_withdrawn(
    edition: ArchivedEdition,
    table: SourceTable,
    retired: Iterable[Retired],
    archive: Archive,
    *,
    has_releases: bool,
) -> bool:
    """True if site.toml leaves out a published release that is not read. `table` is that of its
    source, and `has_releases` is True if others of it are read."""
    if is_retired(edition.at, retired, archive):
        return True
    if not table.git:
        return bool(table.files) and edition.release not in table.files
    if edition.unreleased:  # a release has taken its place, unless it is merely missing
        return has_releases and not table.head and not matches_any(edition.label, table.branches)
    if edition.kind == "tag" and not _is_chosen(edition.label, table):
        return True
    if edition.kind == "branch" and not matches_any(edition.label, table.branches):
        return True
    if edition.kind == "dated" and table.by not in ("", AUTO, period_in(edition.release)):
        return True
    return bool(table.paths) and not _has_path(edition, table, archive)


def is_retired(at: SourceRelease, retired: Iterable[Retired], archive: Archive) -> bool:
    """True if a [[retired]] table names a release by any id of its source, or the source by the id
    that it has now: a source with another id is a new one to a table that withdraws the old one."""
    source, release = at
    present = archive.present_id(source)
    ids = {source, present, archive.published_ids.get(at, source)}
    for one in retired:
        if one.withdraws(present, release):
            return True
        if one.releases and any(one.withdraws(id, release) for id in ids):
            return True
    return False


def _is_chosen(tag: str, table: SourceTable) -> bool:
    """True if the name of a tag is one that site.toml wants. Which of these are releases was
    decided when they were published."""
    if matches_any(tag, table.exclude):
        return False
    if table.tags:
        return matches_any(tag, table.tags)
    return table.prereleases or not is_prerelease(tag)


def _has_path(edition: ArchivedEdition, table: SourceTable, archive: Archive) -> bool:
    names = [archive.documents[sum].name for sum in edition.documents]
    return any(matches(path, name) for path in table.paths for name in names)


def new_releases(
    read: Iterable[ReleaseState], published: Iterable[ArchivedEdition]
) -> Mapping[str, str]:
    """Returns the releases that are published first now, each with the one after which it is: the
    one that is read before it, or a later one that is not read and no younger. `published` are in
    their order."""
    states = {state.release.name: state for state in read}
    days = {edition.release: edition.day for edition in published}
    names, position, after = [*days], 0, {}
    for name, state in states.items():
        if name not in days:
            if not state.is_read:
                continue
            for other in names[position:]:
                if other in states or _is_older(state.release.date, days[other]):
                    break
                position += 1
            after[name] = names[position - 1] if position else ""
            names.insert(position, name)
        position = names.index(name) + 1
    return after


def _is_older(day: date | None, other: date | None) -> bool:
    return day is not None and other is not None and day < other


def in_order(read: Iterable[str], published: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of all releases, oldest first, from those that are read and those that were
    published, each in their order.

    The order is that in which they are read. A release that is not read stands directly behind the
    one that is before it in the published order.
    """
    names = [*read]
    position = 0
    for name in published:
        if name not in names:
            names.insert(position, name)
        position = names.index(name) + 1
    return tuple(names)
