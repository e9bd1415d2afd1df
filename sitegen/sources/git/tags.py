"""Determines which tags of a repository are releases.

`tag_families` tells the tags of the project from those of something else in its repository, and
`main_line` orders its releases.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

from sitegen.config.parsing import DeclaredReleases, in_declared_order
from sitegen.config.patterns import literal
from sitegen.config.tables import SourceTable
from sitegen.model import (
    Problem,
    ProblemKind,
    Release,
    Skipped,
    Trouble,
    counted,
    first_of,
    grouped,
)
from sitegen.sources.git.main_line import MainLine, main_line
from sitegen.sources.git.repositories import Repository
from sitegen.sources.git.tag_families import aliases_of, project_family
from sitegen.text.decoding import is_plain
from sitegen.text.release_names import (
    ALIASES,
    HEADS,
    name_releases,
    ordered,
    parse_label,
)

MAX_TAG = 200
MAX_RELEASES = 2_000
MAX_NAMED_TAGS = 5
"""The number of tags that a message names."""
ASIDE_TAG = re.compile(r"(?:archived?|archives|attic|backups?|old|temp|tmp|wip)/", re.IGNORECASE)
"""Matches the beginning of a tag for a branch that is no longer used: `archive/x`."""
SkipReason = Literal["pre-release", "excluded", "alias", "other"]
"""The reasons why a tag is no release, in the order in which they are shown."""

ANY_SOURCE = SourceTable(id="any")


@dataclass(frozen=True, kw_only=True)
class TagChoice:
    """The settings and facts that decide which tags are releases."""

    table: SourceTable = ANY_SOURCE
    """`tags` has patterns; if it is empty, the project's own family is used."""
    has_glossary: Callable[[Release], bool] = lambda release: True
    packages: Callable[[], Iterable[str]] = tuple
    """Returns the names of the folders above the glossary, which may be packages, the nearest
    first."""
    declared: DeclaredReleases = field(default_factory=dict)
    """Releases that it names are on the main line regardless of their dates."""
    published: Collection[str] = ()
    """The names of the releases that have addresses."""


EVERY_VERSION = TagChoice()


@dataclass(frozen=True, kw_only=True)
class TagReleases:
    """The releases of a repository."""

    tagged: tuple[Release, ...]
    """Oldest first."""
    maintenance: frozenset[Release] = frozenset()
    """Releases that were published after a higher version, or are an older state."""
    head: Release | None = None
    """The unreleased state."""
    skipped: tuple[Skipped, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_tags(
    repository: Repository, choice: TagChoice = EVERY_VERSION, *, head: str = ""
) -> TagReleases:
    """Returns the tags that are releases, in order, and the state of the branch `head`, unless that
    is empty. The releases have no files yet."""
    possible = _possible_releases(repository, choice)
    own, others = _own_releases(possible.releases, repository, choice)

    # Releases that site.toml names, in `tags` or [[release]], are never maintenance releases.
    named = {release.name for release in own if release.label in choice.table.tags}
    named |= choice.declared.keys()
    latest = sorted(own, key=lambda release: release.time or 0)[-MAX_RELEASES:]
    line = main_line(latest, named=named)
    is_published = any(release.name in choice.published for release in line.main)
    if not is_published:
        # Tags before the first with the glossary say nothing about its line: `v2`, then `v0.1.0`.
        line = main_line(latest, named=named, has_glossary=choice.has_glossary)
    newest = {release.name: release for release in line.releases}
    tagged = [newest[name] for name in in_declared_order(newest, choice.declared)]

    tip, problems_of_head = repository.tip_of(head)
    problems = [*possible.problems, *problems_of_head]
    for trouble in _troubles(own, others, tip, newest):
        problems.append(trouble.at(repository.place))
    problems += repository.incompleteness()
    if tip and tip.name in newest:
        tip = None  # a tag and a branch with one name: the tag is read
    return TagReleases(
        tagged=tuple(tagged),
        maintenance=_maintenance(line, repository, choice, named=named),
        head=tip,
        skipped=_skipped(possible, tagged),
        problems=tuple(problems),
    )


class _PossibleReleases(NamedTuple):
    """The tags that may be releases."""

    releases: Sequence[Release]
    reasons: Mapping[str, SkipReason]
    """Why each other tag is no release; without the tags that cannot be shown."""
    problems: Sequence[Problem]


def _possible_releases(repository: Repository, choice: TagChoice) -> _PossibleReleases:
    """Returns the tags that may be releases by their names and commits, without aliases such as
    `v2` and `latest`."""
    table = choice.table
    ids = repository.tags
    printable = sorted(tag for tag in ids if len(tag) <= MAX_TAG and is_plain(tag))

    # The names of tags say why most of them are no releases.
    reasons: dict[str, SkipReason] = {}
    for tag in printable:
        reason = reason_in_name(tag, table)
        if reason:
            reasons[tag] = reason
    problems = []
    for trouble in _troubles_of_names(ids, printable, reasons, table):
        problems.append(table.problem(trouble, place=repository.place))

    # The commits of the others are looked at.
    rest = {tag: ids[tag] for tag in printable if tag not in reasons}
    resolved, unresolved = repository.resolve(rest)
    for tag, problem in unresolved.items():
        reasons[tag] = "other"
        # Only a tag that looks like a release is worth a problem.
        is_expected = bool(table.tags) or parse_label(tag).scheme != "word"
        if is_expected:
            problems.append(problem)
    reasons |= dict.fromkeys(_aliases(resolved, choice), "alias")
    releases = [release for tag, release in resolved.items() if tag not in reasons]
    return _PossibleReleases(releases, reasons, problems)


def _own_releases(
    releases: Sequence[Release], repository: Repository, choice: TagChoice
) -> tuple[Sequence[Release], Sequence[str]]:
    """Returns the releases of the project itself with their names, each name once, and descriptions
    of the other tags."""
    if choice.table.tags:  # all that match are releases; `v1.0` and `1.0` may be two
        return with_names(_unique_names(releases, by_commit=True)), ()
    own, others = project_family(
        releases,
        repository.name,
        has_glossary=choice.has_glossary,
        packages=choice.packages,
    )
    return with_names(_unique_names(own, by_commit=False)), others


def _aliases(resolved: Mapping[str, Release], choice: TagChoice) -> set[str]:
    """Returns the tags that repeat another tag, unless site.toml names them or their releases."""
    named = {*choice.declared, *choice.table.tags}
    aliases = set()
    for tag in aliases_of(resolved.values()):
        if tag not in named and parse_label(tag).name not in named:
            aliases.add(tag)
    return aliases


def _troubles_of_names(
    tags: Iterable[str],
    printable: Sequence[str],
    reasons: Mapping[str, SkipReason],
    table: SourceTable,
) -> Iterator[Trouble]:
    """Yields the troubles with the names of tags. `printable` are the tags that can be shown, and
    `reasons` has those that are no releases."""
    # `ascii` adds quotes.
    hidden = [ascii(tag)[1:-1][:MAX_TAG] for tag in sorted({*tags}.difference(printable))]
    if hidden:
        found = f"{summarize(hidden)} cannot be shown and are left out"
        wanted = "a release has a short name of visible characters"
        yield Trouble(ProblemKind.RELEASES, found, wanted)

    for pattern in table.tags:
        if not any(fnmatchcase(tag, pattern) for tag in printable):
            wanted = f"the repository has {summarize(printable)}"
            if not printable:
                wanted = "this clone has no tags; `git fetch --tags` brings them"
            yield Trouble(ProblemKind.MISSING, f"no tag matches '{pattern}'", wanted)

    prereleases = [tag for tag, reason in reasons.items() if reason == "pre-release"]
    has_releases = len(reasons) < len(printable)
    if prereleases and not has_releases:
        found = f"{summarize(prereleases)}: nothing but pre-releases"
        yield Trouble(ProblemKind.RELEASES, found, "say prereleases = true to read them")


def _maintenance(
    line: MainLine, repository: Repository, choice: TagChoice, *, named: Collection[str]
) -> frozenset[Release]:
    """Returns the maintenance releases: those that are not on the main line, and older states.
    Published releases are never among them."""
    maintenance = {*line.releases}.difference(line.main)
    for release in _older_states(line.main, repository):
        if release.name not in named:
            maintenance.add(release)
    published = [release for release in line.releases if release.name in choice.published]
    if published:
        maintenance |= _former_maintenance(line.releases, published, repository, choice)
    return frozenset(maintenance.difference(published))


def _older_states(line: Sequence[Release], repository: Repository) -> set[Release]:
    """Returns the releases that are older than the one before them, and not in the history of the
    newest one: their tags are on commits of another line."""
    older = set()
    for release_before, release in pairwise(line):
        if (release.time or 0) < (release_before.time or 0):
            older.add(release)
    if not older:
        return older
    in_history = repository.tags_in(line[-1].commit)
    return {release for release in older if release.label not in in_history}


def _former_maintenance(
    releases: Sequence[Release],
    published: Sequence[Release],
    repository: Repository,
    choice: TagChoice,
) -> set[Release]:
    """Returns the releases that an earlier build left out as maintenance releases: they are between
    published ones, and not in the history of the newest one. They stay left out, even if dates now
    say something else."""
    if choice.table.tags:
        return set()  # every tag that matches is a release
    in_history = repository.tags_in(releases[-1].commit)
    first, last = releases.index(published[0]), releases.index(published[-1])
    former = set()
    for release in releases[first:last]:
        if release.label not in in_history and release.name not in choice.declared:
            former.add(release)
    return former


def _troubles(
    own: Sequence[Release],
    others: Sequence[str],
    tip: Release | None,
    read: Mapping[str, Release],
) -> Iterator[Trouble]:
    """Yields the troubles with the releases of the project. `others` describe the tags of something
    else, `tip` is the state of the branch, and `read` has the releases that are read, by name."""
    if tip and tip.name in read:
        tag = read[tip.name].label
        found = f"'{tip.name}' is a tag and a branch"
        if tag != tip.name:
            found = f"the branch '{tip.name}' has the name of the release '{tag}'"
        yield Trouble(ProblemKind.RELEASES, found, "the tag is read")
    if others:
        found = f"tags of something else are left out: {first_of(others, limit=MAX_NAMED_TAGS)}"
        yield Trouble(ProblemKind.OTHER_TAGS, found, "name them in `tags` or in `exclude`")
    if len(own) > MAX_RELEASES:
        labels = summarize([release.label for release in own])
        many = f"{labels} would be releases; the newest {MAX_RELEASES:,} are read"
        yield Trouble(ProblemKind.LIMIT, many, "name fewer in `tags`")


def with_names(releases: Sequence[Release]) -> tuple[Release, ...]:
    """Returns the releases with their release names set."""
    names = name_releases([release.label for release in releases])
    return tuple([replace(release, name=names[release.label]) for release in releases])


def reason_in_name(tag: str, table: SourceTable) -> SkipReason | None:
    """Returns the reason in a tag's name why it is no release: "alias" for `latest`, "other" for
    `archive/x`. Returns None if it may be a release."""
    reason: SkipReason | None = table.reason_to_skip(tag)
    # A tag that `tags` asks for may be called `latest`.
    if table.tags or reason == "excluded":
        return reason
    if tag.lower() in HEADS | ALIASES:
        return "alias"
    if ASIDE_TAG.match(tag):
        return "other"
    return reason


def _unique_names(releases: Sequence[Release], *, by_commit: bool) -> tuple[Release, ...]:
    """Returns one release for each name: of `v1.0`, `1.0` and `v2.0`, `v1.0` and `v2.0`.

    The tag with the most common prefix is chosen, then the shortest. With `by_commit`, one tag is
    chosen for each commit that has the name.
    """
    prefix_counts = Counter([parse_label(release.label).prefix for release in releases])

    def rank(release: Release) -> tuple[int, int, str]:
        prefix = parse_label(release.label).prefix
        return -prefix_counts[prefix], len(release.label), release.label

    chosen: dict[tuple[str, str], Release] = {}
    for release in sorted(releases, key=rank):
        name = parse_label(release.label).name
        commit = ""
        if by_commit:
            commit = release.commit
        chosen.setdefault((name, commit), release)
    return tuple(chosen.values())


def pattern_of_versions(tag: str) -> str:
    """Returns a pattern for the tags of a family that begin with a number, such as `v[0-9]*`."""
    return f"{literal(parse_label(tag).prefix)}[0-9]*"


def _skipped(possible: _PossibleReleases, read: Iterable[Release]) -> tuple[Skipped, ...]:
    """Returns the tags that are not read as releases, grouped by reason. The reason is "other" for
    tags that may be releases."""
    labels_read = {release.label for release in read}
    reasons = {**possible.reasons}
    for release in possible.releases:
        if release.label not in labels_read:
            reasons[release.label] = "other"
    names = grouped((reasons[tag], tag) for tag in ordered(reasons))
    skipped = []
    for reason in get_args(SkipReason):
        if reason in names:
            skipped.append(Skipped(reason=reason, names=names[reason]))
    return tuple(skipped)


def summarize(tags: Sequence[str]) -> str:
    """Formats the number of tags with the first five names, for messages."""
    if not tags:
        return "no tags"
    return f"{counted(len(tags), 'tag')} ({first_of(tags, limit=MAX_NAMED_TAGS)})"
