"""Matches paths against configured patterns: a file, a folder with everything below it, or
`docs/**/terms.md`.

`{api,web}/terms` matches both folders.

A pattern is matched one path component at a time, so that only folders that can match are walked.
This module does no I/O; the names may come from git or a folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import reduce
from itertools import product
from math import prod
from pathlib import PurePosixPath

Rest = frozenset[tuple[str, ...]]
"""The alternatives for the unmatched rest of a pattern, each as its components: of
`docs/**/terms.md`, `("docs", "**", "terms.md")`, and below `docs`, `("**", "terms.md")`."""

MATCHED: tuple[str, ...] = ()
"""The rest of a pattern that matches everything below."""
ANY_FOLDERS = "**"
WILD = re.compile(r"[*?[]")
BRACES = re.compile(r"(?<!\[)\{([^{}]*,[^{}]*)\}")
MAX_ALTERNATIVES = 1_000
"""The maximum number of alternatives of a pattern. If there are more, the braces are literal
characters."""

COMPANIONS = frozenset(
    """
    .avif .bmp .css .eot .gif .ico .jpeg .jpg .js .map .mp3 .mp4 .ogg .otf .png .svg .tif .tiff
    .ttf .wav .webm .webp .woff .woff2
    """.split()
)
"""Suffixes of images, scripts and the like. They are skipped without a message unless a pattern
ends with one."""


def start(pattern: str) -> Rest:
    """Parses a pattern. `docs/`, `./docs` and `docs/**` all match the folder `docs`; `.` matches
    everything."""
    return frozenset(map(_components, alternatives(pattern)))


def _components(pattern: str) -> tuple[str, ...]:
    """Returns the components of a pattern without braces."""
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    while names and names[-1] == ANY_FOLDERS:  # a pattern matches everything below anyway
        names.pop()
    return tuple(names)


def alternatives(pattern: str) -> tuple[str, ...]:
    """Returns the patterns that a pattern with braces combines; the pattern alone if these would be
    too many.

    >>> alternatives("{api,web}-terms")
    ('api-terms', 'web-terms')
    """
    choices = []
    for index, part in enumerate(BRACES.split(pattern)):
        is_in_braces = index % 2 == 1
        if is_in_braces:
            choices.append(part.split(","))
        else:
            choices.append([part])
    if prod(map(len, choices)) > MAX_ALTERNATIVES:  # a short pattern can have millions
        return (pattern,)
    return tuple(map("".join, product(*choices)))


def literal(path: str) -> str:
    """Returns the pattern that matches this path only.

    >>> literal("a*b")
    'a[*]b'
    """
    return re.sub(r"([*?[{])", r"[\1]", path)


def advance(rest: Rest, name: str) -> Rest:
    """Returns the rest of a pattern after it matched one more name of a path; an empty set if the
    path cannot match.

    Hidden files (`.x`) and editor backups (`x~`) match only if the pattern has the dot or `~` too.

    >>> advance(start("docs/**/terms.md"), "docs")
    frozenset({('**', 'terms.md')})
    """
    return frozenset().union(*[_advance_alternative(names, name) for names in rest])


def _advance_alternative(names: tuple[str, ...], name: str) -> Rest:
    """Returns the rest of one alternative of a pattern after it matched one more name. `names` are
    the components of the alternative."""
    is_name_or_wildcard = bool(names) and names[0] != ANY_FOLDERS
    if is_name_or_wildcard:
        first = names[0]
        if fnmatchcase(name, first) and (not _is_hidden(name) or _names_hidden(first, name)):
            return frozenset({names[1:]})
        return frozenset()

    # `**` also matches the next names, and a complete pattern also matches everything below.
    rest: Rest = frozenset()
    if not _is_hidden(name):
        rest = frozenset({names})
    # `**` may also match no folder at all.
    if names:
        rest |= _advance_alternative(names[1:], name)
    return rest


def _is_hidden(name: str) -> bool:
    """True for a hidden file, and for the backup of an editor."""
    return name.startswith(".") or name.endswith("~")


def _names_hidden(pattern: str, name: str) -> bool:
    """True if a pattern has the dot or the `~` that a hidden name has."""
    if name.startswith(".") and pattern.startswith("."):
        return True
    return name.endswith("~") and pattern.endswith("~")


def is_matched(rest: Rest, name: str) -> bool:
    """True if a file with this name matches the rest of a pattern.

    Files that accompany documents (`COMPANIONS`) match only if the pattern has their suffix:
    `*.png` matches `a.png`, and `*` does not.
    """
    if MATCHED not in advance(rest, name):
        return False
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in COMPANIONS:
        return True
    # Only the alternatives of the pattern that end with the suffix count.
    with_suffix = [names for names in rest if names and names[-1].lower().endswith(suffix)]
    return MATCHED in advance(frozenset(with_suffix), name)


def asks_for(rest: Rest, name: str) -> bool:
    """True if the rest of a pattern matches a file of this name, or a folder of this name by more
    than `**`, which matches every folder."""
    specific_rest = [names for names in rest if names[:1] != (ANY_FOLDERS,)]
    if advance(frozenset(specific_rest), name):
        return True
    return is_matched(rest, name)


def matches(pattern: str, path: str) -> bool:
    """True if a pattern matches the path of a file, with `/` as separator."""
    *folders, name = path.split("/")
    return is_matched(reduce(advance, folders, start(pattern)), name)


def one_matches(patterns: Iterable[str], path: str) -> bool:
    """True if one of several patterns matches the path of a file."""
    return any(matches(pattern, path) for pattern in patterns)


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """True if a name, such as that of a tag or a branch, matches one of these patterns whole."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
