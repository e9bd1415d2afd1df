"""Which releases a source has, and in which order: those that are read, and published ones.

site.toml is the maintainer's will: a published release that it leaves out is withdrawn. What is
merely missing, such as a deleted tag, stays a release.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from sitegen.config.patterns import matches, matches_any
from sitegen.config.tables import Retired, SourceTable
from sitegen.permanence.archive import Archive, ArchivedEdition, predecessors_first
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
    if is_retired(edition, retired, archive):
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


def is_retired(edition: ArchivedEdition, retired: Iterable[Retired], archive: Archive) -> bool:
    """True if a [[retired]] table names a release or its source."""
    for one in retired:
        ids = ("", edition.source, archive.present_id(edition.source))
        is_about = not one.addresses and one.source in ids
        if is_about and (not one.releases or edition.release in one.releases):
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


def in_order(
    read: Sequence[ReleaseState], published: Mapping[str, ArchivedEdition]
) -> tuple[str, ...]:
    """Returns the names of all releases, oldest first.

    The order is that in which they are read. A release that is not read stands where its date says,
    else after the release that was before it when it was published, else before all others.
    """
    names = [state.release.name for state in read]
    days = {state.release.name: state.release.date for state in read}
    missing = [one for name, one in published.items() if name not in names]
    for edition in predecessors_first(missing):
        names.insert(_position(edition, names, days), edition.release)
        days[edition.release] = edition.day
    return tuple(names)


def _position(
    edition: ArchivedEdition, names: Sequence[str], days: Mapping[str, date | None]
) -> int:
    """Returns where a release that is not read belongs: between the releases of earlier and later
    days, and there after the one that was before it."""
    position = names.index(edition.after) + 1 if edition.after in names else 0
    if edition.day is None:
        return position
    first, past = 0, len(names)
    for number, name in enumerate(names):
        day = days[name]
        if day and day < edition.day:
            first = number + 1
        if day and day > edition.day:
            past = min(past, number)
    if first > past:  # the order is not that of the days
        return position
    return min(max(position, first), past)
