"""Determines the names and the order of releases.

A release's name is parsed from a label: a tag, a branch or a folder. Releases are in the declared
order, else sorted by version number, else in natural order of their names. The order does not
depend on the order of the input: one release in the wrong position would produce a false removal
and return of terms.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple
from unicodedata import normalize

from packaging.version import Version

MAX_LABELS = 10_000
"""Size of the cache of labels: more than a repository has tags."""

HEADS = frozenset(
    """
    dev develop head latest live main master next nightly prod production staging tip trunk
    unreleased
    """.split()
)
"""Names for the state after the newest release."""
ALIASES = frozenset("latest stable current".split())
"""Names of folders that duplicate another version."""

PERIODS: Mapping[str, tuple[str, Callable[[date], str]]] = {
    "day": (r"-\d\d-\d\d", date.isoformat),
    "month": (r"-\d\d", lambda day: f"{day.year:04}-{day.month:02}"),
    "year": ("", lambda day: f"{day.year:04}"),
}
"""For each period, the pattern of its names after the year, and the function that names the period
of a day: `2024-03` is the month of 5 March 2024."""

Scheme = Literal["number", "date", "word"]
PLAIN_VERSION, OTHER_NAME, HEAD = range(3)
"""Kinds of names of releases, in the order in which they are sorted."""


class NameOrder(NamedTuple):
    """By what names of releases are sorted: `Fedora 39` by "fedora" and 39."""

    kind: int
    words: str
    """The text before the number, folded; empty for a plain version."""
    version: Version
    time: int
    """When it was released; 0 if that is unknown. It decides between names of one version."""
    parts: tuple[str, ...]
    """The text and the numbers of the name (`_natural`)."""
    name: str


PLAIN_PREFIX = re.compile(r"(?:version|release|rel|ver|v|r)?[-_./]?", re.IGNORECASE)
"""A prefix that does not name the product of the version: `v`, `release-`."""
# A version begins at the start of a label or after a separator. `v`, `release` and the like are
# part of it.
BEGINNING = re.compile(rf"(?:^|(?<=[-_/@])){PLAIN_PREFIX.pattern}(?=\d)", re.IGNORECASE)
# Pre-releases that Python's version scheme does not have: `1.0-next.3`, `1.0-M2`, `1.0-rc-1`.
NOT_YET = (
    r"(?i)[-._+](?:next|canary|insiders|edge|milestone|m\d|(?:alpha|dev)(?![a-z]))"
    r"|[-._\d]rc[-._]?\d"
)
DAILY = r"(?i)[-._+](?:nightly|snapshot)"
"""A build of a day, also before its number: `app-nightly-20240105`."""
# Dates, PostgreSQL's 9_6_1, and OpenSSL's 1.0.2c, which Python's scheme would parse as a release
# candidate.
NUMBERS_ALONE = re.compile(r"\d+(?:[-_.]\d+)*[a-z]?")
UNDERSCORES = re.compile(r"(?!(?:19|20)\d\d_)\d+(?:_\d+)+[a-z]?(?:_?[a-z]+_?\d*)?", re.IGNORECASE)
"""`2_0_5_post1`: a version for systems in which tags could not contain dots."""
FINAL = r"[-._]?(?:final|ga|lts|release|stable)\b"
"""A word after a version that makes it no other one: `2.0-lts` is 2.0."""
OF_ANY_PRODUCT = rf"^[-\d._]+[a-z]?(?![a-z])|{FINAL}|\d+"
"""The parts of a release's name that identify no product: its numbers, and words such as `lts`."""
RELEASE_WORD = r"(?i)(?:[a-z]+[-_])*releases?[-_/]"
"""`open-release/`, before releases that are named with words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReleaseLabel:
    """The parsed parts of a label, such as a tag."""

    text: str
    prefix: str
    """The text before the version; empty for a release that is named with words."""
    family: str
    """Prefix and suffix that identify the product: `jaxlib` in `jaxlib-v0.4`; empty for a plain
    version."""
    name: str
    """The release's name."""
    scheme: Scheme
    version: Version
    """The version by which releases of one scheme are sorted; 0 for words."""


@lru_cache(maxsize=MAX_LABELS)
def parse_label(text: str) -> ReleaseLabel:
    """Parses a label: `jaxlib-v0.4.32` is 0.4.32 of the family `jaxlib`, with the prefix
    `jaxlib-v`; `2.0-enterprise` is of the family `+enterprise`."""
    if not says_version(text):
        return _word_label(text)
    start = _beginning(text)
    prefix, name = text[:start], _plain_name(text[start:])
    product = re.sub(rf"{PLAIN_PREFIX.pattern}$", "", prefix, flags=re.I).lower()
    family = re.sub(r"[^a-z0-9]+", "-", product).strip("-")
    version = _lenient_version(name) or Version("0")
    is_year = 1990 <= version.release[0] <= 2100
    is_day = re.match(r"(?:19|20)\d{6}(?!\d)", name)  # 20240105
    return ReleaseLabel(
        text=text,
        prefix=prefix,
        family=family + _product_suffix(name),
        name=name,
        scheme="date" if is_year or is_day else "number",
        version=version,
    )


def _product_suffix(name: str) -> str:
    """Returns `+` and the text after a version that identifies its product, `+enterprise` for
    `2.0-enterprise`; empty if there is none, as in `2.0-lts`."""
    if _is_all_version(name) or re.search(NOT_YET, name):
        return ""
    suffix = re.sub(OF_ANY_PRODUCT, "", name.lower()).strip("-._")
    has_words = re.search(r"[^-._+]", suffix)
    return f"+{suffix}" if has_words else ""


def _word_label(text: str) -> ReleaseLabel:
    """Returns the label of a release that is named with words: `open-release/palm.1` is palm, of
    the family `release/`; `docs/next` is `docs/next`, of the family `docs/`."""
    folders, _, _ = text.rpartition("/")
    family, name = f"{folders}/", text
    if word := re.match(RELEASE_WORD, text):
        family = "release/"
        # The first release of a name, before palm.2.
        name = re.sub(r"(?<=[a-z])\.1$", "", text[word.end() :])
    name = normalize("NFC", name)
    return ReleaseLabel(
        text=text, prefix="", family=family, name=name, scheme="word", version=Version("0")
    )


def _plain_name(text: str) -> str:
    """Returns the name of a release from the text after the prefix of its label: `2.0` of
    `2.0-release`, `9.6.1` of `9_6_1`."""
    name = re.sub(r"[-_]release$", "", text, flags=re.IGNORECASE)
    if UNDERSCORES.fullmatch(name):
        name = name.replace("_", ".")
    return normalize("NFC", name)


def name_releases(labels: Iterable[str]) -> Mapping[str, str]:
    """Returns each label's release name: `v1.8.2`, `release-1.8.2` and `torch-1.8.2` give `1.8.2`.

    If several labels would give the same name, the plain label gets it, or else the one with the
    most common prefix: of `v1.8.2` and `torch-1.8.2`, the first is named `1.8.2`. The others keep
    the whole label as name, as do all of them in a tie. So later tags of another kind do not change
    published names.
    """
    names: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    labels_of_name: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        names[label] = normalize("NFC", label)
        prefixes[label] = label[: _beginning(label)]
        labels_of_name[parse_label(label).name].append(label)
    common = Counter(prefixes.values())

    def rank(label: str) -> tuple[bool, int]:
        """Returns a rank: the label with the lowest gets the name."""
        prefix = prefixes[label]
        return PLAIN_PREFIX.fullmatch(prefix) is None, -common[prefix]

    for name, same_name in labels_of_name.items():
        first, *others = sorted(same_name, key=rank)
        if not others or rank(first) < rank(others[0]):
            names[first] = name
    return names


def _beginning(label: str) -> int:
    """Returns the index where the release's name begins: 8 in `jaxlib-v0.4`, of which all from
    there on is a version; 1 in `v2-docs`, which begins with one; 0 in other labels."""
    for match in BEGINNING.finditer(label):
        if _is_all_version(_plain_name(label[match.end() :])):
            return match.end()
    at_start = BEGINNING.match(label)
    return at_start.end() if at_start else 0


def says_version(label: str) -> bool:
    """True for a label with a version: `v1.8.2`, `2024`; not for `nightly` or
    `build/trunk/1234`."""
    start = _beginning(label)
    prefix, rest = label[:start], label[start:]
    is_below_word = "/" in prefix and not PLAIN_PREFIX.fullmatch(prefix)
    if is_below_word:  # where a lone number may be that of a build
        return re.match(r"\d+\.\d", rest) is not None
    if re.match(r"\d+[._]\d", rest):
        return True
    return _is_all_version(_plain_name(rest))


def is_version(name: str) -> bool:
    """True if a folder with this name contains one version's documentation: `v2`, `1.8`, `main`;
    not `guides`, and not `latest`, which is a copy of another one."""
    if name.lower() in ALIASES:
        return False
    return name.lower() in HEADS or parse_label(name).scheme != "word"


def is_prerelease(label: str) -> bool:
    """True for the label of a pre-release: `2.0rc1`, `5.0.0-beta.2`, `1.0-SNAPSHOT`."""
    first_number = BEGINNING.search(label)
    # The name of the product may have such a word: `vue-next-3.0.0`.
    start = first_number.end() if first_number else 0
    if re.search(NOT_YET, label[start:]) or re.search(DAILY, label):
        return True
    name = _plain_name(label[_beginning(label) :])
    if NUMBERS_ALONE.fullmatch(name):
        return False
    version = _strict_version(name)
    return version is not None and version.is_prerelease


def _is_all_version(name: str) -> bool:
    """True if the whole name is a version: `1.8.2`, `2024-01-05`, `2.0rc1`; not
    `2.0-enterprise`."""
    return NUMBERS_ALONE.fullmatch(name) is not None or _strict_version(name) is not None


def ordered(names: Iterable[str], *, times: Mapping[str, int] = {}) -> tuple[str, ...]:
    """Returns the names without duplicates, oldest first.

    Numbered releases come first, by `packaging`'s version rules; then other names, by their words
    and the numbers in them; then moving branches such as `main`; those of one version by their
    `times`: `1.9`, `1.10`, `palm`, `quince`, `main`.
    """

    orders = [_order(name, times.get(name, 0)) for name in set(names)]
    return tuple([order.name for order in sorted(orders)])


def as_listed(releases: Sequence[tuple[str, date | None]]) -> tuple[str, ...]:
    """Returns the names in the order in which site.toml lists them, oldest first.

    A list whose dates all decrease was written newest first, as changelogs are, and is reversed.
    """
    names = [name for name, _ in releases]
    dates = [day for _, day in releases if day]
    if len(dates) > 1 and all(one > two for one, two in pairwise(dates)):
        names.reverse()
    return tuple(names)


def date_in(name: str) -> date | None:
    """Returns the date if the name is one, as in `2021-12-01`; else None."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", name):
        return None
    try:
        return date.fromisoformat(name)
    except ValueError:
        return None


def period_in(name: str) -> str:
    """Returns the period whose states have names of this form, such as `month` for `2024-03`; empty
    if none has."""
    for period, (form, _) in PERIODS.items():
        if re.fullmatch(rf"\d{{4}}{form}", name):
            return period
    return ""


def declared_order(names: Sequence[str], declared: Iterable[str]) -> tuple[str, ...]:
    """Returns the names with the declared ones in the declared order; the others keep their
    positions.

    >>> declared_order(["a", "b", "c"], ["c", "a"])
    ('c', 'b', 'a')
    """
    present = set(names)
    listed = dict.fromkeys([name for name in declared if name in present])
    declared_names = iter(listed)
    order = []
    for name in names:
        if name in listed:
            name = next(declared_names)
        order.append(name)
    return tuple(order)


def _order(name: str, time: int) -> NameOrder:
    """Returns by what the name of a release is sorted: plain versions first, names of the newest
    state last. Of `fedora-39` the words are "fedora" and the version 39."""
    match = re.fullmatch(r"([^0-9]*?)v?([0-9].*)", name, re.IGNORECASE | re.DOTALL)
    prefix, number = match.groups() if match else (name, "")
    words = prefix.casefold().strip("-_./ ")
    version = _lenient_version(number)
    kind = HEAD if words in HEADS else OTHER_NAME
    if version and PLAIN_PREFIX.fullmatch(words):
        kind, words = PLAIN_VERSION, ""
    return NameOrder(kind, words, version or Version("0"), time, _natural(name), name)


def _lenient_version(text: str) -> Version | None:
    """Returns the version of a text that begins with a number, also if `packaging` cannot parse all
    of it: of `9_6_1`, `2.4.x` and `1.8 final`; None of other texts."""
    # Dates and tags may have other separators: 2024-01-05, 9_6_1.
    text = re.sub(r"(?<=[0-9])[-_](?=[0-9])", ".", text)
    # A letter does not count, so that times decide: 1.0.2a is later than 1.0.2 in OpenSSL, and
    # earlier elsewhere.
    text = re.sub(r"(?<=[0-9])[a-z]$", "", text)
    # A branch such as 2.4.x has the newest release of its line.
    text = re.sub(r"(?<=[0-9]\.)x$", f"{10**9}", text)
    numbers = re.match(r"[0-9]+(\.[0-9]+)*", text)
    if numbers is None:
        return None
    if version := _strict_version(text):
        return version
    suffix = text[numbers.end() :]
    if suffix.startswith("-") and not re.match(FINAL, suffix, re.IGNORECASE):
        return _strict_version(f"{numbers[0]}.dev0")  # a pre-release by semver.org, item 9
    return _strict_version(numbers[0])


def _strict_version(text: str) -> Version | None:
    """Returns a version as `packaging` parses it; None if it is none."""
    try:
        return Version(text)
    except ValueError:
        # Not a version; or an integer of thousands of digits, which Python does not convert.
        return None


def _natural(name: str) -> tuple[str, ...]:
    """Splits a name into text and numbers; numbers are prefixed with their length, so that 9 sorts
    before 10.

    >>> _natural("beta 9") < _natural("beta 10")
    True
    """
    parts = []
    for part in re.split(r"([0-9]+)", name.casefold()):
        if re.match("[0-9]", part):
            number = part.lstrip("0")
            parts.append(f"{len(number):06}{number}")
        else:
            parts.append(part)
    return tuple(parts)
