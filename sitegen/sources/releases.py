"""Releases by name: what a release is called, and which release comes before which.

A release's name is read from the label that its publisher gave it: a tag, a branch, a folder or an archive's file
name. Releases are in the declared order, else by version number, else in natural order of their names. The order does
not depend on how they are listed: one release in the wrong place would invent a removal and a return.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from unicodedata import normalize

from packaging.version import InvalidVersion, Version

PREFIX_WORDS = frozenset({"", "r", "rel", "release", "ver", "version"})
"""Words before a number that say no more than that a version follows. (A `v` directly before it is dropped too.)"""

HEADS = frozenset("dev develop head latest main master next nightly tip trunk unreleased".split())
"""Names for what comes after the newest release."""

Arrange = Callable[[Iterable[str]], tuple[str, ...]]
"""Puts the names of releases in order, oldest first."""

Age = tuple[int, str, Version, tuple[str, ...], str]

PLAIN = re.compile(r"(?:version|release|rel|ver|v|r)?[-_./]?", re.IGNORECASE)
"""What stands before a version and says nothing of whose it is."""
# Where a version may begin in a label: at its start, or after a separator; `v`, `release` and the like belong to it.
BEGINNING = re.compile(rf"(?:^|(?<=[-_/@])){PLAIN.pattern}(?=\d)", re.IGNORECASE)
# Ways to say "not yet" that are no part of Python's version scheme.
NOT_YET = re.compile(r"[-._+](?:next|canary|nightly|snapshot|insiders|edge|milestone|m\d)", re.IGNORECASE)
# Dates, PostgreSQL's 9_6_1, and OpenSSL's 1.0.2c, in which Python's scheme would see a release candidate.
NUMBERED = re.compile(r"\d+(?:[-_.]\d+)*[a-z]?")


def name_releases(labels: Iterable[str]) -> Mapping[str, str]:
    """Returns each label's release name: `v1.8.2`, `release-1.8.2` and `torch-1.8.2` give `1.8.2`.

    Of labels that would give the same name, the one has it that begins as releases do, or as most labels here do; the
    others, and all where that decides nothing, keep themselves as their names. So tags of something else that come
    later leave the names alone that are published.
    """
    labels = [*labels]
    before = {label: label[: _beginning(label)] for label in labels}
    common = Counter(before.values())
    same: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        same[normalize("NFC", label.removeprefix(before[label]))].append(label)

    def rank(label: str) -> tuple[bool, int]:
        return PLAIN.fullmatch(before[label]) is None, -common[before[label]]

    names = {label: normalize("NFC", label) for label in labels}
    for name, alike in same.items():
        first, *others = sorted(alike, key=rank)
        if not others or rank(first) < rank(others[0]):
            names[first] = name
    return names


def _beginning(label: str) -> int:
    """Where the release's name begins: the first place from which a version can be read; else the label's start."""
    beginnings = list(BEGINNING.finditer(label))
    readable = (match.end() for match in beginnings if _is_readable(label[match.end() :]))
    at_start = (match.end() for match in beginnings if match.start() == 0)
    return next(readable, next(at_start, 0))


def says_version(label: str) -> bool:
    """True when a label tells a version: `v1.8.2`, `torch-1.8.2`, `2024`; not `nightly` or `build/trunk/1234`."""
    place = _beginning(label)
    name = label[place:]
    if "/" in label[:place]:
        return bool(re.match(r"\d+\.\d", name))
    return _is_readable(name) or bool(re.match(r"\d+[._]\d", name))


def is_prerelease(label: str) -> bool:
    """True when a label says that the release proper is still to come: `2.0rc1`, `5.0.0-beta.2`, `1.0-SNAPSHOT`."""
    name = label[_beginning(label) :]
    version = None if NUMBERED.fullmatch(name) else _as_version(name)
    return bool(NOT_YET.search(label)) or bool(version and version.is_prerelease)


def _is_readable(name: str) -> bool:
    return bool(NUMBERED.fullmatch(name) or _as_version(name))


def _as_version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


def ordered(names: Iterable[str], *, declared: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the names, each once, oldest first.

    Numbered releases come first, by `packaging`'s version rules; then other names, by their words and the numbers in
    them; then a branch that is still moving, such as `main`. Names that are declared take each other's places so
    that they stand in the declared order; the others stay where the rule puts them.
    """
    by_rule = sorted(dict.fromkeys(names), key=_age)
    present = set(by_rule)
    listed = [name for name in dict.fromkeys(declared) if name in present]
    turns, places = iter(listed), set(listed)
    return tuple(next(turns) if name in places else name for name in by_rule)


def as_listed(releases: Sequence[tuple[str, date | None]]) -> tuple[str, ...]:
    """Returns the names in the order in which a keeper listed them, oldest first.

    A list whose dates all run backwards was written newest first, as changelogs are, and is turned around.
    """
    names = tuple(name for name, _ in releases)
    dates = [day for _, day in releases if day]
    backwards = len(dates) > 1 and all(one > two for one, two in pairwise(dates))
    return names[::-1] if backwards else names


def date_in(name: str) -> date | None:
    """Returns the day that a release is named after, if it is: `2021-12-01`."""
    try:
        return date.fromisoformat(name) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", name) else None
    except ValueError:
        return None


def _age(name: str) -> Age:
    match = re.fullmatch(r"([^0-9]*?)v?([0-9].*)", name, re.IGNORECASE | re.DOTALL)
    words = (match[1] if match else name).casefold().strip("-_./ ")
    version = _version(match[2]) if match else None
    if version and words in PREFIX_WORDS:
        kind, words = 0, ""
    else:
        kind = 2 if words in HEADS else 1
    return kind, words, version or Version("0"), _natural(name), name


def _version(text: str) -> Version | None:
    """Reads a version as `packaging` does, and dates and tags that separate their numbers otherwise as well."""
    text = re.sub(r"(?<=[0-9])[-_](?=[0-9])", ".", text)
    numbers = re.match(r"[0-9]+(\.[0-9]+)*", text)
    assert numbers is not None, "a version begins with a digit"
    # What packaging does not know after a hyphen is a pre-release in the sense of semver.org, item 9.
    release = numbers[0] + (".dev0" if text[numbers.end() :].startswith("-") else "")
    return _parsed(text) or _parsed(release)


def _parsed(text: str) -> Version | None:
    try:
        return Version(text)
    except ValueError:  # not a version; or thousands of digits, which Python refuses to turn into a number
        return None


def _natural(name: str) -> tuple[str, ...]:
    """Text and numbers by turns, a number led by its length, so that 9 comes before 10."""
    parts = re.split(r"([0-9]+)", name.casefold())
    return tuple(
        f"{len(part.lstrip('0')):06}{part.lstrip('0')}" if turn % 2 else part for turn, part in enumerate(parts)
    )
