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
    """The sort key of a release's name: `Fedora 39` is sorted by "fedora" and 39."""

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
PRERELEASE_WORDS = (
    r"(?i)[-._+](?:next|canary|insiders|edge|milestone|m\d|(?:alpha|dev)(?![a-z]))"
    r"|[-._\d]rc[-._]?\d"
)
DAILY_BUILD = r"(?i)[-._+](?:nightly|snapshot)"
"""A build of a day, also before its number: `app-nightly-20240105`."""
# Dates, PostgreSQL's 9_6_1, and OpenSSL's 1.0.2c, which Python's scheme would parse as a release
# candidate.
NUMBERS_ALONE = re.compile(r"\d+(?:[-_.]\d+)*[a-z]?")
UNDERSCORES = re.compile(r"(?!(?:19|20)\d\d_)\d+(?:_\d+)+[a-z]?(?:_?[a-z]+_?\d*)?", re.IGNORECASE)
"""`2_0_5_post1`: a version for systems in which tags could not contain dots."""
FINAL = r"[-._]?(?:final|ga|lts|release|stable)\b"
"""A word after a version that does not change the version: `2.0-lts` is 2.0."""
NO_PRODUCT = rf"^[-\d._]+[a-z]?(?![a-z])|{FINAL}|\d+"
"""The parts of a release's name that identify no product: its numbers, and words such as `lts`."""
RELEASE_WORD = r"(?i)(?:[a-z]+[-_])*releases?[-_/]"
"""`open-release/`, before releases that are named with words."""


@dataclass(frozen=True, kw_only=True)
class ReleaseLabel:
    """The parsed parts of a label, such as a tag."""

    text: str
    prefix: str
    """The text before the version; empty for a release that is named with words."""
    family: str
    """The product of the version, by its prefix and suffix: `jaxlib` in `jaxlib-v0.4`; empty for a
    plain version."""
    name: str
    """The release's name."""
    scheme: Scheme
    version: Version
    """The version by which releases of one scheme are sorted; 0 for words."""


@lru_cache(maxsize=MAX_LABELS)
def parse_label(text: str) -> ReleaseLabel:
    """Parses the label of a release.

    `jaxlib-v0.4.32` has the prefix `jaxlib-v`, the family `jaxlib` and the name 0.4.32.
    `2.0-enterprise` has the family `+enterprise`.
    """
    if not says_version(text):
        return _word_label(text)
    start = _start_of_name(text)
    prefix, name = text[:start], _plain_name(text[start:])

    # `jaxlib` of `jaxlib-v`.
    product = re.sub(rf"{PLAIN_PREFIX.pattern}$", "", prefix, flags=re.I).lower()
    family = re.sub(r"[^a-z0-9]+", "-", product).strip("-")

    version = _lenient_version(name) or Version("0")
    is_year = 1990 <= version.release[0] <= 2100  # 2024.1
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
    """Returns the suffix of a version that identifies the product, after a `+`: `+enterprise` for
    `2.0-enterprise`. Returns an empty text for other suffixes, as in `2.0-lts`."""
    if _is_all_version(name) or re.search(PRERELEASE_WORDS, name):
        return ""
    suffix = re.sub(NO_PRODUCT, "", name.lower()).strip("-._")
    has_only_separators = not suffix.strip("-._+")
    return "" if has_only_separators else f"+{suffix}"


def _word_label(text: str) -> ReleaseLabel:
    """Returns the label of a release that is named with words: `open-release/palm.1` has the family
    `release/` and the name palm; `docs/next` has the family `docs/` and the name docs/next."""
    folders, _, _ = text.rpartition("/")
    family, name = f"{folders}/", text
    release_word = re.match(RELEASE_WORD, text)
    if release_word:
        family = "release/"
        # palm.1 is the first release called palm, before palm.2.
        name = re.sub(r"(?<=[a-z])\.1$", "", text[release_word.end() :])
    name = normalize("NFC", name)
    return ReleaseLabel(
        text=text, prefix="", family=family, name=name, scheme="word", version=Version("0")
    )


def _plain_name(text: str) -> str:
    """Returns the name of a release, given the label without its prefix: `2.0` for `2.0-release`,
    and `9.6.1` for `9_6_1`."""
    name = re.sub(r"[-_]release$", "", text, flags=re.IGNORECASE)
    if UNDERSCORES.fullmatch(name):
        name = name.replace("_", ".")
    return normalize("NFC", name)


def name_releases(labels: Iterable[str]) -> Mapping[str, str]:
    """Returns each label's release name: 1.8.2 for `v1.8.2`.

    If several labels give the same name, one of them gets the name: a plain one such as `v1.8.2`,
    else the one with the most common prefix. The others, and in a tie all of them, have their whole
    labels as names.
    """
    names: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    labels_of_name: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        names[label] = normalize("NFC", label)
        prefixes[label] = label[: _start_of_name(label)]
        labels_of_name[parse_label(label).name].append(label)
    prefix_counts = Counter(prefixes.values())

    def rank(label: str) -> tuple[bool, int]:
        """Returns a rank. The label with the lowest rank gets the name."""
        prefix = prefixes[label]
        names_product = PLAIN_PREFIX.fullmatch(prefix) is None
        return names_product, -prefix_counts[prefix]

    for name, same_name in labels_of_name.items():
        first, *others = sorted(same_name, key=rank)
        is_tie = len(others) > 0 and rank(first) == rank(others[0])
        if not is_tie:
            names[first] = name
    return names


def _start_of_name(label: str) -> int:
    """Returns the index where the release's name begins in a label: 8 in `jaxlib-v0.4`, 1 in
    `v2-docs`, and 0 if there is no version."""
    # First a version that goes to the end of the label, else one at its start.
    for match in BEGINNING.finditer(label):
        if _is_all_version(_plain_name(label[match.end() :])):
            return match.end()
    at_start = BEGINNING.match(label)
    if at_start:
        return at_start.end()
    return 0


def says_version(label: str) -> bool:
    """True for a label with a version, such as `v1.8.2` and `2024`; False for `nightly` and
    `build/trunk/1234`."""
    start = _start_of_name(label)
    prefix, name = label[:start], label[start:]
    is_below_word = "/" in prefix and not PLAIN_PREFIX.fullmatch(prefix)
    if is_below_word:
        # A single number may be that of a build, so two numbers are needed.
        return re.match(r"\d+\.\d", name) is not None
    if re.match(r"\d+[._]\d", name):  # `2.0-enterprise`
        return True
    return _is_all_version(_plain_name(name))


def is_version(name: str) -> bool:
    """True if a folder with this name has the documents of one version, such as `v2`, `1.8` and
    `main`; False for `guides`, and for `latest`, which is a copy of another version."""
    if name.lower() in ALIASES:
        return False
    return name.lower() in HEADS or parse_label(name).scheme != "word"


def is_prerelease(label: str) -> bool:
    """True for the label of a pre-release: `2.0rc1`, `5.0.0-beta.2`, `1.0-SNAPSHOT`."""
    # Words such as "next" count only after the first number: `vue-next-3.0.0` is a release.
    first_number = BEGINNING.search(label)
    start = first_number.end() if first_number else 0
    if re.search(PRERELEASE_WORDS, label[start:]) or re.search(DAILY_BUILD, label):
        return True
    name = _plain_name(label[_start_of_name(label) :])
    if NUMBERS_ALONE.fullmatch(name):  # `packaging` parses 1.0.2c as a candidate
        return False
    version = _strict_version(name)
    return version is not None and version.is_prerelease


def _is_all_version(name: str) -> bool:
    """True if the whole name is a version: `1.8.2`, `2024-01-05`, `2.0rc1`; not
    `2.0-enterprise`."""
    return NUMBERS_ALONE.fullmatch(name) is not None or _strict_version(name) is not None


def ordered(names: Iterable[str], *, times: Mapping[str, int] = {}) -> tuple[str, ...]:
    """Returns the names without duplicates, oldest first: 1.9, 1.10, palm, quince, main.

    Plain versions come first, then other names, then branches such as main. Names with the same
    words before the number stay together, by their versions; of one version, the earlier name is
    first. These groups are ordered by the time of their first name, without times by their words.
    """
    orders = [_sort_key(name, times.get(name, 0)) for name in set(names)]
    times_by_words: dict[str, list[int]] = defaultdict(list)
    for order in orders:
        times_by_words[order.words].append(order.time)
    first_times = {words: min(times) for words, times in times_by_words.items()}

    def key(order: NameOrder) -> tuple[int, int, NameOrder]:
        return order.kind, first_times[order.words], order

    return tuple([order.name for order in sorted(orders, key=key)])


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
    """Returns the period that has names of this form, such as `month` for `2024-03`; empty if there
    is none."""
    for period, (form, _) in PERIODS.items():
        if re.fullmatch(rf"\d{{4}}{form}", name):
            return period
    return ""


def declared_order(names: Sequence[str], declared: Iterable[str]) -> tuple[str, ...]:
    """Returns the names. The declared ones among them change places, to be in the declared order.

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


def _sort_key(name: str, time: int) -> NameOrder:
    """Returns the sort key of a release's name."""
    # `fedora-39` is the words "fedora" and the number 39.
    match = re.fullmatch(r"([^0-9]*?)v?([0-9].*)", name, re.IGNORECASE | re.DOTALL)
    prefix, number = match.groups() if match else (name, "")
    words = prefix.casefold().strip("-_./ ")
    version = _lenient_version(number)

    if version and PLAIN_PREFIX.fullmatch(words):
        kind, words = PLAIN_VERSION, ""  # "release" does not count
    elif words in HEADS:
        kind = HEAD
    else:
        kind = OTHER_NAME
    return NameOrder(kind, words, version or Version("0"), time, _natural(name), name)


def _lenient_version(text: str) -> Version | None:
    """Returns the version of a text that begins with a number, also of `9_6_1`, `2.4.x` and
    `1.8 final`; None for other texts."""
    text = _respelled(text)
    numbers = re.match(r"[0-9]+(\.[0-9]+)*", text)
    if numbers is None:
        return None
    version = _strict_version(text)
    if version:
        return version
    # A hyphen begins a pre-release (semver.org, item 9).
    suffix = text[numbers.end() :]
    is_prerelease = suffix.startswith("-") and not re.match(FINAL, suffix, re.IGNORECASE)
    if is_prerelease:
        return _strict_version(f"{numbers[0]}.dev0")
    return _strict_version(numbers[0])


def _respelled(text: str) -> str:
    """Returns a version in a spelling that `packaging` can parse."""
    # Dates and tags may have other separators: 2024-01-05, 9_6_1.
    text = re.sub(r"(?<=[0-9])[-_](?=[0-9])", ".", text)
    # A letter does not count, so that times decide: 1.0.2a is later than 1.0.2 in OpenSSL, and
    # earlier elsewhere.
    text = re.sub(r"(?<=[0-9])[a-z]$", "", text)
    # A branch such as 2.4.x has the newest release of its line.
    return re.sub(r"(?<=[0-9]\.)x$", f"{10**9}", text)


def _strict_version(text: str) -> Version | None:
    """Returns a version as `packaging` parses it; None if it is none."""
    try:
        return Version(text)
    except ValueError:
        # Not a version; or an integer of thousands of digits, which Python does not convert.
        return None


def _natural(name: str) -> tuple[str, ...]:
    """Returns the texts and numbers of a name. Each number has the number of its digits before it:
    19 becomes `00000219`, which sorts before 210, `000003210`.

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
