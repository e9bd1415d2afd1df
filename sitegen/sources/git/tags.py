"""Determines which tags of a repository are releases, and which releases are on the main line.

Tags are grouped into families by the text before and after the version: `v1.2`, `jaxlib-v0.4`, `lts-v2.8`. One family
is the project's own. Within it, a release that was published after a higher version is a maintenance release: it has
the wording of an older line, without the changes of newer releases.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from typing import Literal

from packaging.version import Version

from sitegen.model import Problem, Skipped
from sitegen.text.decoding import is_plain
from sitegen.text.release_names import HEADS, ReleaseLabel, is_prerelease, ordered, parse_label

MAX_RELEASES = 2_000
MAX_NAME = 200
FEW = 10
"""A family with fewer tags than the size of the largest family divided by this is not the project's own."""
STALE = 2 * 365 * 24 * 60 * 60
"""Seconds without new tags after which a family is no longer preferred over one that has new tags."""
SAMPLE = 12
"""The approximate number of tags of a family that are checked for the glossary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagSettings:
    """The tag settings in site.toml."""

    tags: tuple[str, ...] = ()
    """Patterns. If empty, the project's own family is used."""
    exclude: tuple[str, ...] = ()
    prereleases: bool = False


ASIDE = re.compile(r"(?:archived?|archives|attic|backups?|old|temp|tmp|wip)/", re.IGNORECASE)
"""Matches the beginning of tags that keep branches which are over."""
COMMIT = re.compile(r"(?:^|/)(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])(?!\d+[a-f]$)[0-9a-f]{7,40}$")
"""Matches a tag that is named after a commit, and not after a day: `20240131b`."""
EVERY_VERSION = TagSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A commit from which a release is read."""

    label: str
    """The name of the tag or branch."""
    release: str
    commit: str
    tree: str
    date: date | None
    time: int | None
    """Seconds since 1970; None if the commit has no valid date."""


TagNote = Callable[[str, str], None]
Reason = Literal["pre-release", "excluded", "other"]


def candidates(tags: Sequence[str], choice: TagSettings, *, path: str) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Returns the tags whose names qualify as releases, and problems with the choice. `path` is for messages.

    Pre-releases are left out silently, except those that a pattern without wildcards names.
    """
    problems: list[Problem] = []

    def note(found: str, wanted: str) -> None:
        problems.append(Problem(path=path, found=found, wanted=wanted))

    kept = [tag for tag in _matching(_printable(tags, note), choice, note) if not _matches(tag, choice.exclude)]
    final = [tag for tag in kept if choice.prereleases or tag in choice.tags or not is_prerelease(tag)]
    if kept and not final:
        note(f"{summarize(kept)}: nothing but pre-releases", "say prereleases = true to read them")
    return tuple(final), tuple(problems)


OWN = ("", "release/", "upstream")
"""Names of families whose versions are those of the project itself. Packages are in others: `debian/1.0-1`."""


def project_family(
    points: Sequence[Point], *, project: str, has_glossary: Callable[[Point], bool]
) -> tuple[tuple[Point, ...], tuple[str, ...]]:
    """Returns the points of the project's own family, and a description of each other family.

    The ranking prefers families that have the glossary, then families that are not small, then families of versions,
    then families in recent use, then plain versions with the project's name, then large families.
    """
    families: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        families[_family(parse_label(point.label), project)].append(point)
    if len(families) < 2:
        return tuple(points), ()
    newest = {name: max((point.time or 0) for point in family) for name, family in families.items()}
    having = {name for name, family in families.items() if any(map(has_glossary, _sample(family)))} or {*families}
    largest = max(len(families[name]) for name in having)
    latest = max(newest[name] for name in having if len(families[name]) * FEW >= largest)

    def rank(name: str) -> tuple[bool, bool, bool, bool, int, str]:
        size = len(families[name])
        is_small = size * FEW < largest
        is_own = name in OWN
        is_named = is_own or not name.endswith("/")
        return name in having, not is_small, is_named, latest - newest[name] < STALE, is_own * largest + size, name

    first, *others = sorted(families, key=rank, reverse=True)
    return tuple(families[first]), tuple(_description(families[name]) for name in sorted(others))


def main_line(points: Iterable[Point], *, named: Collection[str] = ()) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Returns the points in release order, and those among them that are not maintenance releases.

    Versions determine the order; commit dates do where names cannot: between words, and between versions and dates.
    A release is on the main line if no higher version precedes it in time, or if it is in `named`.
    """
    labels = {point: parse_label(point.label) for point in points}
    line: list[Point] = []
    highest: dict[str, Version] = {}
    outliers = _outliers(labels)
    times = _published({point: label for point, label in labels.items() if point not in outliers})
    for point, _ in sorted(times.items(), key=lambda item: (item[1], *_by_version(labels[item[0]]))):
        label = labels[point]
        is_on_line = label.scheme == "word" or label.version >= highest.get(label.scheme, label.version)
        if is_on_line or point.release in named:
            line.append(point)
        if is_on_line:
            highest[label.scheme] = label.version
    if len({label.scheme for label in labels.values()} - {"word"}) > 1 or not highest:
        return tuple(line), tuple(line)
    by_release = {point.release: point for point in labels if point not in outliers}
    return tuple(by_release[name] for name in ordered(by_release)), tuple(line)


def _outliers(labels: Mapping[Point, ReleaseLabel]) -> frozenset[Point]:
    """Returns points whose version is far ahead of the project, such as a `v99` of an experiment.

    These are versions after which several lower major versions begin, and a lone version such as a mistaken `4.3.1`
    among versions of 0, after which several lower ones appear.
    """
    begun: dict[tuple[str, int], int] = {}
    times = _times(labels)
    for point, time in times.items():
        major = (labels[point].scheme, labels[point].version.release[0])
        begun[major] = min(time, begun.get(major, time))
    outliers = {
        point
        for point, time in times.items()
        if labels[point].scheme == "number"
        and sum(
            scheme == "number" and start > time and major < labels[point].version.release[0]
            for (scheme, major), start in begun.items()
        )
        > 1
    } | _mistaken(labels, times)
    return frozenset(outliers if len(outliers) * FEW <= len(labels) else ())


def _mistaken(labels: Mapping[Point, ReleaseLabel], times: Mapping[Point, int]) -> set[Point]:
    """Returns a version that skips a major and is the only one of its own, if several lower versions begin later.

    A maintenance release, which begins no minor version, does not count.
    """
    numbers = {point: labels[point].version.release for point in times if labels[point].scheme == "number"}
    by_major: dict[int, list[Point]] = defaultdict(list)
    for point, number in numbers.items():
        by_major[number[0]].append(point)
    *below, highest = sorted(by_major) or [0]
    if not below or below[-1] + 1 >= highest or len(by_major[highest]) > 1:
        return set()
    (point,) = by_major[highest]
    before = {number[:2] for one, number in numbers.items() if times[one] <= times[point]}
    after = {number[:2] for one, number in numbers.items() if times[one] > times[point]}
    return {point} if len(after - before) > 2 else set()


def _times(labels: Mapping[Point, ReleaseLabel]) -> dict[Point, int]:
    """Returns the time of each point. A commit without a time gets that of the preceding version."""
    times, before = {}, 0
    for point in sorted(labels, key=lambda point: _by_version(labels[point])):
        times[point] = before = before if point.time is None else point.time
    return times


def _published(labels: Mapping[Point, ReleaseLabel]) -> dict[Point, int]:
    """Returns the time at which each point was probably tagged.

    If a tag's commit is older than all versions of the line before it, the tag was created later. It gets the newest
    time of that line, but no later time than the next version.
    """
    times = _times(labels)
    points = list(times)
    for index, point in enumerate(points):
        line: list[int] = []
        for one in reversed(points[:index]):
            if not _precedes(labels[one], labels[point]):
                break
            line.append(times[one])
        if line and times[point] < min(line):
            following = [times[one] for one in points[index + 1 : index + 2]]
            times[point] = max(times[point], min([max(line), *following]))
    return times


def _precedes(one: ReleaseLabel, other: ReleaseLabel) -> bool:
    """True if a version belongs to the line before the other one: 1.1.4 and 1.2.0, 1.1.3 and 1.1.4, 1.9.1 and 2.0."""
    if one.scheme != "number" or other.scheme != "number":
        return False
    old, new = ((*label.version.release, 0, 0, 0)[:3] for label in (one, other))
    if old[0] == new[0] - 1:
        return new[1:] == (0, 0)
    if old[:2] == (new[0], new[1] - 1):
        return new[2] == 0
    return old[:2] == new[:2] and old[2] == new[2] - 1


def _by_version(label: ReleaseLabel) -> tuple[Version, str]:
    return label.version, label.name


def without_duplicates(points: Iterable[Point]) -> tuple[Point, ...]:
    """Removes points whose commit also has a tag with a shorter name for the same version."""
    found: dict[tuple[str, object], Point] = {}
    for point in points:
        label = parse_label(point.label)
        version: object = label.name if label.scheme == "word" else (label.version, re.sub(r"[\d.]+", "", label.name))
        first = found.setdefault((point.commit, version), point)
        if (len(point.label), point.label) < (len(first.label), first.label):
            found[point.commit, version] = point
    return tuple(found.values())


def unique_names(points: Sequence[Point]) -> tuple[Point, ...]:
    """Returns one point for each release name: the one with the most common prefix."""
    labels = [parse_label(point.label) for point in points]
    prefixes = [label.text.removesuffix(label.name) for label in labels]
    common = Counter(prefixes)
    best: dict[str, tuple[tuple[int, int, str], Point]] = {}
    for point, label, prefix in zip(points, labels, prefixes, strict=True):
        rank = (-common[prefix], len(label.text), label.text)
        best[label.name] = min(best.get(label.name, (rank, point)), (rank, point), key=lambda item: item[0])
    return tuple(point for _, point in best.values())


def skipped_tags(tags: Sequence[str], chosen: Collection[str], choice: TagSettings) -> tuple[Skipped, ...]:
    """Returns the tags that are not releases, grouped by reason."""
    reasons: dict[Reason, list[str]] = {"pre-release": [], "excluded": [], "other": []}
    for tag in ordered(tag for tag in {*tags}.difference(chosen) if is_plain(tag)):
        reasons[_reason(tag, choice)].append(tag)
    return tuple(Skipped(reason=reason, names=tuple(names)) for reason, names in reasons.items() if names)


def _reason(tag: str, choice: TagSettings) -> Reason:
    if _matches(tag, choice.exclude):
        return "excluded"
    is_meant = _matches(tag, choice.tags) if choice.tags else parse_label(tag).scheme != "word"
    return "pre-release" if is_meant and is_prerelease(tag) and not choice.prereleases else "other"


def _family(label: ReleaseLabel, project: str) -> str:
    """Returns the name of a label's family; the empty string for the project's own name.

    Tags of the repository `saw.docs` may begin with `saw`.
    """
    name = re.sub(r"[^a-z0-9]+", "-", project.lower())
    whole = re.sub(r"-(?:docs?|documentation|website|site)$", "", name)
    return "" if label.family in (name, whole) else label.family


def _sample(points: Sequence[Point]) -> list[Point]:
    newest_first = sorted(points, key=lambda point: point.time or 0, reverse=True)
    return newest_first[:3] + newest_first[:: -(-len(points) // SAMPLE)]


def _description(family: Sequence[Point]) -> str:
    newest = max(family, key=lambda point: point.time or 0)
    return f"{newest.label}{f' and {len(family) - 1:,} like it' if len(family) > 1 else ''}"


def _printable(tags: Sequence[str], note: TagNote) -> list[str]:
    plain = [tag for tag in tags if len(tag) <= MAX_NAME and is_plain(tag)]
    if hidden := sorted(ascii(tag)[1:-1][:MAX_NAME] for tag in set(tags).difference(plain)):
        note(
            f"{summarize(hidden)} cannot be shown and are left out",
            "a release has a short name of visible characters",
        )
    return plain


def _matching(tags: list[str], choice: TagSettings, note: TagNote) -> list[str]:
    for pattern in choice.tags:
        if not any(fnmatchcase(tag, pattern) for tag in tags):
            note(f"no tag matches '{pattern}'", f"the repository has {summarize(tags)}")
    if choice.tags:
        return [tag for tag in tags if _matches(tag, choice.tags)]
    return [tag for tag in tags if tag.lower() not in HEADS and not (ASIDE.match(tag) or COMMIT.search(tag))]


def _matches(tag: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(tag, pattern) for pattern in patterns)


def summarize(tags: Sequence[str]) -> str:
    """Formats the number of tags with the first five names, for messages."""
    count = f"{len(tags):,} tag{'' if len(tags) == 1 else 's'}"
    return f"{count} ({', '.join(tags[:5])}{', …' if len(tags) > 5 else ''})" if tags else "no tags"
