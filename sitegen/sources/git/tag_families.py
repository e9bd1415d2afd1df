"""Tells the tags of a project itself from those that repeat another tag, such as `v2` beside
`v2.0.0`, and from those of something else in its repository, such as a package or a plugin.

Tags are grouped into families by the text before and after the version: `v1.2`, `jaxlib-v0.4`,
`lts-v2.8`. One family is the project's own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from packaging.version import Version

from sitegen.model import Release, grouped
from sitegen.text.release_names import PLAIN_PREFIX, ReleaseLabel, parse_label

NUMBERS = re.compile(r"\d+(\.\d+)*")
"""Matches the name of a release that is numbers alone: `2` and `2.0.1`."""

SMALL_FACTOR = 10
"""A family is small if it has fewer tags than the largest family divided by this."""
STALE = 2 * 365 * 24 * 60 * 60
"""Seconds without new tags after which a family is not in use, if another one has new tags."""
SAMPLED_TAGS = 12
"""The approximate number of tags of a family that are checked for the glossary."""
OWN = ("", "release/", "upstream")
"""Names of families whose versions are those of the project itself. Packages are in others:
`debian/1.0-1`."""


def project_family(
    releases: Sequence[Release],
    project: str,
    *,
    has_glossary: Callable[[Release], bool],
    packages: Callable[[], Iterable[str]],
) -> tuple[tuple[Release, ...], tuple[str, ...]]:
    """Returns the releases of the project's own family, and descriptions of the other families.

    `project` is the name of the repository. `packages` returns the names of the folders above the
    glossary, the nearest first: each may be a package with tags of its own.
    """
    families = _families(releases, project)
    if len(families) < 2:  # most projects, for which no folders are listed
        return tuple(releases), ()
    with_glossary = []
    for name, family in families.items():
        if any(map(has_glossary, _sample(family))):
            with_glossary.append(name)
    ranks = _family_ranks(families, with_glossary, _package_ranks(families, packages()))
    own_name = max(ranks).name
    others = [_description(families[name]) for name in sorted(families) if name != own_name]
    return tuple(families[own_name]), tuple(others)


def _families(releases: Iterable[Release], project: str) -> Mapping[str, Sequence[Release]]:
    """Returns the releases of each family, the newest first. Tags with the name of the project,
    such as `saw-1.0`, are in the family of plain versions."""
    # Tags of the repository `saw.docs` may begin with `saw`.
    name = _dashed(project)
    own_names = (name, re.sub(r"-(?:docs?|documentation|website|site)$", "", name))
    labeled = []
    newest_first = sorted(releases, key=lambda release: release.time or 0, reverse=True)
    for release in newest_first:
        family = parse_label(release.label).family
        if family in own_names:
            family = ""
        labeled.append((family, release))
    return grouped(labeled)


def _sample(family: Sequence[Release]) -> list[Release]:
    """Returns the newest tags of a family, and others at equal distances."""
    step = ceil(len(family) / SAMPLED_TAGS)
    return [*family[:3], *family[::step]]


class FamilyRank(NamedTuple):
    """Why a family may be the project's own, the strongest reason first."""

    has_glossary: bool
    package: int
    """0 if its tags have the name of the nearest folder above the glossary, less for those above
    that."""
    is_large: bool
    """False if it is small beside the largest family with the glossary."""
    has_versions: bool
    is_in_use: bool
    """False if a large family with the glossary had a tag long after its last."""
    size: int
    """The number of its tags. The family of plain versions always has the highest number."""
    name: str


def _family_ranks(
    families: Mapping[str, Sequence[Release]],
    with_glossary: Sequence[str],
    packages: Mapping[str, int],
) -> list[FamilyRank]:
    """Returns the ranks of the families. The family with the highest rank is the project's own.

    The tags of a family are newest first. `with_glossary` are the families with the glossary, and
    `packages` has the ranks of families of packages, of which 0 is the highest: 0, -1, -2 …
    """
    # If the glossary was found in no family, each of them may be the project's own.
    possible = {*with_glossary} or {*families}
    most_tags = max(len(families[name]) for name in possible)
    large = {name for name in families if len(families[name]) * SMALL_FACTOR >= most_tags}
    newest_time = max(families[name][0].time or 0 for name in possible & large)

    ranks = []
    for name, family in families.items():
        newest = family[0]
        size = len(family)
        if name in OWN:
            size += most_tags
        rank = FamilyRank(
            has_glossary=name in possible,
            package=packages.get(name, -len(packages)),  # below all packages
            is_large=name in large,
            has_versions=parse_label(newest.label).scheme != "word",
            is_in_use=newest_time - (newest.time or 0) < STALE,
            size=size,
            name=name,
        )
        ranks.append(rank)
    return ranks


def _description(family: Sequence[Release]) -> str:
    """Returns a description of a family for a message: `lts-2.8 and 3 more of its kind`."""
    newest, *others = family
    if not others:
        return newest.label
    return f"{newest.label} and {len(others):,} more of its kind"


def _package_ranks(
    families: Mapping[str, Sequence[Release]], packages: Iterable[str]
) -> Mapping[str, int]:
    """Returns a rank for each family of a package: 0 for the first family, -1 for the next one, and
    so on. The families of the nearest package come first.

    `@acme/cli@1.0` and `packages/cli/v1.0` are tags of the package `cli`; `cli-tools@1.0` is not.
    """
    families_of: dict[str, list[str]] = defaultdict(list)
    for name in sorted(families):
        newest = families[name][0]
        for product in _products(parse_label(newest.label).prefix):
            families_of[product].append(name)
    ranks: dict[str, int] = {}
    for package in map(_dashed, packages):
        # A family may be called like the package, or have it in its prefix.
        for name in (package, *families_of[package]):
            # A family of several packages has the rank of the first.
            if name in families and name not in ranks:
                ranks[name] = -len(ranks)
    return ranks


def _products(prefix: str) -> frozenset[str]:
    """Returns the possible names of the product in the prefix of a tag.

    >>> sorted(_products("packages/cli/v"))
    ['cli', 'packages-cli']
    """
    # The end of a prefix may be no name: `packages/cli/v` becomes `packages/cli/`, `cli-v` `cli-`.
    product = re.sub(rf"(?:^|(?<=[-_.@/])){PLAIN_PREFIX.pattern}$", "", prefix, flags=re.IGNORECASE)
    parts = [part for part in map(_dashed, product.split("/")) if part]
    return frozenset("-".join(parts[first:]) for first in range(len(parts)))


def _dashed(name: str) -> str:
    """Returns a name in lower case, with a dash in place of any other signs: `acme-cli` for
    `@acme/cli@`."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


# Tags that repeat another.


def aliases_of(releases: Iterable[Release]) -> set[str]:
    """Returns the tags that repeat another tag of their family, and so may move.

    `v2` is an alias beside `v2.0.0`, and on the commit of `v2.1.0`; `4.2` before `4.2.1` is a
    release. Of several versions on one commit, the one with the most numbers is no alias.
    """
    numbered = []
    for release in releases:
        if NUMBERS.fullmatch(parse_label(release.label).name):
            numbered.append(release)
    main_labels = _main_labels_of_commits(numbered)
    shortened = _without_zeros(numbered)
    aliases = set()
    for release in numbered:
        label = parse_label(release.label)
        is_shortened = (label.family, label.version.release) in shortened  # `v2` of `v2.0.0`
        has_better_label = label not in main_labels  # `v2` on the commit of `v2.1.0`
        if is_shortened or has_better_label:
            aliases.add(release.label)
    return aliases


def _main_labels_of_commits(releases: Iterable[Release]) -> set[ReleaseLabel]:
    """Returns the labels of one version for each commit: the version with the most numbers, of
    several the lowest. If a commit has the tags `v2`, `v2.0.1`, `2.0.1` and `v2.1.0`, these are
    `v2.0.1` and `2.0.1`."""
    labels_on_commits = []
    for release in sorted(releases, key=lambda release: release.time or 0):
        label = parse_label(release.label)
        labels_on_commits.append(((label.family, release.commit), label))

    chosen: set[ReleaseLabel] = set()
    highest: dict[str, Version] = {}
    for (family, _), labels in grouped(labels_on_commits).items():
        highest_before = highest.get(family, Version("0.dev0"))
        # After `v2.0.1` on an earlier commit, `v1.0.2` is a mistake if `v2.0.2` is beside it.
        rising = [label for label in labels if label.version >= highest_before]
        candidates = rising or labels
        best_rank = min(map(_rank, candidates))
        chosen.update([label for label in candidates if _rank(label) == best_rank])
        _, version = best_rank
        highest[family] = max(highest_before, version)
    return chosen


def _rank(label: ReleaseLabel) -> tuple[int, Version]:
    """Returns what labels are sorted by: versions with more numbers first, then lower ones."""
    return -len(label.version.release), label.version


def _without_zeros(releases: Iterable[Release]) -> set[tuple[str, tuple[int, ...]]]:
    """Returns the family and the numbers of each shorter spelling of a version: `("", (2, 1))` for
    `v2.1.0`, whose shorter spelling is `v2.1`."""
    shortened = set()
    for release in releases:
        label = parse_label(release.label)
        numbers = label.version.release
        while numbers[1:] and numbers[-1] == 0:
            numbers = numbers[:-1]
            shortened.add((label.family, numbers))
    return shortened
