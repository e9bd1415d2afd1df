"""Decides which releases are on the main line of a project, and in which order they are, by
versions and times.

A release that was published after a higher version is a maintenance release: it has the wording of
an older line, without the changes of newer releases. `tags` decides which tags are releases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from packaging.version import Version

from sitegen.model import Release
from sitegen.text.release_names import ReleaseLabel, Scheme, ordered, parse_label


class MainLine(NamedTuple):
    """The releases of a project."""

    releases: tuple[Release, ...]
    """All of them, in order."""
    main: tuple[Release, ...]
    """Those that are not maintenance releases."""


def main_line(
    releases: Iterable[Release],
    *,
    named: Collection[str] = (),
    has_glossary: Callable[[Release], bool] = lambda release: True,
) -> MainLine:
    """Returns the releases in order, and the main line: those that are not maintenance releases.

    A release is a maintenance release if a higher version came before it, such as 1.1 after 2.0, or
    if the project had changed to the scheme of its newest release before, such as 5.1 after 2015.1
    and before 2015.2. Releases in `named` are always on the main line. The order is that of the
    versions; names without versions are ordered by their times.

    Releases that were published before the first with the glossary come first, and decide nothing:
    of 2 without the glossary, then 0.1 and 0.2 with it, all are on the main line.
    """
    times = _publication_times(releases)
    by_time = sorted(times, key=lambda release: (times[release], _by_version(release)))
    early = [*takewhile(lambda release: not has_glossary(release), by_time)]
    later = by_time[len(early) :]
    rising = _without_lower_versions(later, named)
    schemes = {_label(release).scheme for release in rising} - {"word"}
    if len(schemes) > 1:  # numbers and dates cannot be compared
        return MainLine(tuple(by_time), (*early, *_of_last_scheme(rising, named)))
    by_name = {release.name: release for release in times}
    time_of = {release.name: time for release, time in times.items()}
    in_order = [by_name[name] for name in ordered(by_name, times=time_of)]
    in_order.sort(key={*later}.__contains__)
    return MainLine(tuple(in_order), (*early, *rising))


def _label(release: Release) -> ReleaseLabel:
    """Returns the parsed label of a release, such as `v1.0`."""
    return parse_label(release.label)  # which is memoized


def _without_lower_versions(
    by_time: Iterable[Release], named: Collection[str]
) -> Sequence[Release]:
    """Returns the releases without versions that are lower than an earlier one: of 1.0, 2.0, 1.1
    and 2.1, all but 1.1. Releases in `named` are never left out."""
    rising = []
    highest: dict[str, Version] = {}
    for release in by_time:
        label = _label(release)
        is_lower = label.scheme in highest and label.version < highest[label.scheme]
        if not is_lower:
            highest[label.scheme] = label.version
        if not is_lower or release.name in named:
            rising.append(release)
    return rising


def _of_last_scheme(line: Sequence[Release], named: Collection[str]) -> Iterator[Release]:
    """Yields the releases up to the change to the last scheme, then those in that scheme: of 5.0,
    2015.1, 5.1 and 2015.2, all but 5.1. Words and releases in `named` are never left out."""
    schemes = [_label(release).scheme for release in line]
    last_scheme = _last_scheme([*map(_label, line)])
    beginning = schemes.index(last_scheme)
    yield from line[:beginning]
    for release in line[beginning:]:
        if _label(release).scheme in (last_scheme, "word") or release.name in named:
            yield release


def _last_scheme(labels: Sequence[ReleaseLabel]) -> Scheme:
    """Returns the scheme of the newest minor version: `date` for 5.0, 2015.1, 2015.2 and 5.0.1, as
    a patch of an earlier version is no change of the scheme."""
    numbered = [label for label in labels if label.scheme != "word"]
    scheme_of_minor_version: dict[tuple[int, int], Scheme] = {}
    for label in numbered:
        minor_version = (label.version.major, label.version.minor)
        scheme_of_minor_version.setdefault(minor_version, label.scheme)
    schemes = [*scheme_of_minor_version.values()]
    # A single date is no scheme yet: after 5.0, 2015.1 and 5.0.1, the scheme is that of 5.0.1.
    if schemes[-1] == "date" and schemes.count("date") == 1:
        return numbered[-1].scheme
    return schemes[-1]


def _commit_times(releases: Iterable[Release]) -> dict[Release, int]:
    """Returns the time of each release's commit, in the order of versions."""
    times = {}
    time = 0
    for release in sorted(releases, key=_by_version):
        # A release without a time gets that of the version before.
        if release.time is not None:
            time = release.time
        times[release] = time
    return times


def _publication_times(releases: Iterable[Release]) -> dict[Release, int]:
    """Returns the time at which each release was probably tagged, in the order of versions.

    Normally this is the time of its commit. But a tag may be set on an old commit. If the commit of
    1.1 is older than 1.0, the tag was set after that of 1.0 and before that of 1.2: 1.1 gets the
    time of 1.0, or that of 1.2 if this is earlier.
    """
    times = _commit_times(releases)
    versions = [*times]
    for number, release in enumerate(versions):
        times_before = [times[one] for one in _line_before(release, versions[:number])]
        # Only a release that is older than all versions before it gets another time. One that is
        # older than some of them is a maintenance release.
        if not times_before or times[release] >= min(times_before):
            continue
        time = max(times_before)
        if number + 1 < len(versions):
            next_version = versions[number + 1]
            time = min(time, times[next_version])
        times[release] = max(times[release], time)
    return times


def _line_before(release: Release, earlier: Sequence[Release]) -> Iterator[Release]:
    """Yields the earlier versions that directly precede a release, newest first: all 1.1.x before
    1.2."""
    for one in reversed(earlier):
        if not _precedes(_label(one), _label(release)):
            return
        yield one


def _precedes(one: ReleaseLabel, other: ReleaseLabel) -> bool:
    """True if `other` comes right after `one`, or begins the next minor or major line: 1.1.3
    precedes 1.1.4, 1.2.0 and 2.0, but not 1.3."""
    if one.scheme != "number" or other.scheme != "number":
        return False
    old, new = one.version, other.version
    if old.major == new.major - 1:
        return (new.minor, new.micro) == (0, 0)
    if old.major != new.major:
        return False
    if old.minor == new.minor - 1:
        return new.micro == 0
    return old.minor == new.minor and old.micro == new.micro - 1


def _by_version(release: Release) -> tuple[Version, str]:
    """Returns what versions are sorted by."""
    label = _label(release)
    return label.version, label.name
