"""What a release is called, read from the label its publisher gave it: a tag, or an archive's file name.

Which release comes before which is another question, answered elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from unicodedata import normalize

from packaging.version import InvalidVersion, Version

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
    version = None if NUMBERED.fullmatch(name) else _version(name)
    return bool(NOT_YET.search(label)) or bool(version and version.is_prerelease)


def _is_readable(name: str) -> bool:
    return bool(NUMBERED.fullmatch(name) or _version(name))


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None
