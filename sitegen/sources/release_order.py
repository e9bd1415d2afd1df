"""The order of releases: as declared, else by version number, else as a person would count.

A site is only as true as this order: one release in the wrong place invents removals on one side and returns on the
other. So the order never depends on how a folder happens to be listed, and what a keeper declares always wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from itertools import pairwise

from packaging.version import Version

PREFIX_WORDS = frozenset({"", "r", "rel", "release", "ver", "version"})
"""Words before a number that say no more than that a version follows. (A `v` directly before it is dropped too.)"""

HEADS = frozenset("dev develop head latest main master next nightly tip trunk unreleased".split())
"""Names for what comes after the newest release."""

Arrange = Callable[[Iterable[str]], tuple[str, ...]]
"""Puts the names of releases in order, oldest first."""

Age = tuple[int, str, Version, tuple[str, ...], str]


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
