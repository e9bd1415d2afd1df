"""Selects one glossary among translations, copies for older versions and files with the same terms.

The translations of a selected glossary are its other files, and earlier paths of these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from sitegen.config.patterns import literal, one_matches
from sitegen.formats.asciidoc import language_tags
from sitegen.formats.common.headings import ABBREVIATIONS
from sitegen.model import Release, grouped
from sitegen.sources.discovery.classification import RECORDS, entries
from sitegen.sources.git.dated_states import SAFE_LOG
from sitegen.sources.git.process import run
from sitegen.sources.glossary_names import (
    dimensions,
    is_context,
    is_main_language,
    is_spare,
    is_vague,
)
from sitegen.sources.language_tags import before_language, language_tag, reduced, translated_paths
from sitegen.sources.trees import PLACEHOLDER
from sitegen.text.release_names import ordered

MIN = 2
"""A file whose name clearly suggests a glossary counts as one if it has more terms than this."""

SECONDARY = frozenset({".csv", ".htm", ".html", ".json", ".tsv", ".yaml", ".yml"})
"""Suffixes of data, and of pages that may be built from other documents."""

RENAMES = ("--find-renames", "--diff-filter=R", "--name-status", "-z", "--format=")
LANGUAGE_KEY = re.compile(
    r"""^[ \t]*(?:- )?["']?([a-z]{2}(?:[-_][A-Za-z]{2,4})?)["']?[ \t]*:""", re.MULTILINE
)
TABLES = (".csv", ".tsv")
LANGUAGE_TITLE = re.compile(r"[ _.(-]([a-z]{2}(?:[-_][A-Za-z]{2,4})?)\)?\"?(?=[,;\t|\r]|$)")
ASCIIDOC = (".adoc", ".asciidoc", ".asc")
WITHIN = (*RECORDS, *TABLES, *ASCIIDOC)
"""Suffixes of files that may have several languages."""
MIN_KEYS = 3
"""The minimum number of times that a language is a key in files of records, or a tag in
AsciiDoc."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundTranslation:
    """The files of a glossary in another language."""

    language: str
    patterns: tuple[str, ...]
    """The newest first; empty if all languages are in one file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundGlossary:
    """A glossary in a repository."""

    paths: tuple[str, ...]
    """Its paths, newest first: a file, or a folder with a file for each term."""
    entries: int
    """The number of its terms."""
    last: str
    """The newest tag or branch that contains it."""
    is_current: bool
    """True if the newest searched state of the repository contains it."""
    section: str = ""
    """The heading of the section, if the glossary is part of a larger file."""
    versions: str = ""
    """The path of the version folders, with `{version}`."""
    format: str = ""
    """The format of its files, if it cannot be detected from their content."""
    translations: tuple[FoundTranslation, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """Its paths as patterns."""
        return tuple(map(literal, self.paths))


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """A file whose name suggests a glossary, but that is not proposed."""

    path: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GlossaryCandidate:
    """A file or folder that may be a glossary, at the newest release that contains it."""

    path: str
    files: Mapping[str, str] = field(repr=False)
    release: Release
    labels: frozenset[str] = frozenset()
    """Tags and branches that contain files at this path."""
    names: frozenset[str] = field(default=frozenset(), repr=False)
    """The names of its terms."""
    section: str = ""
    generic: str = ""
    """The path without language and version components."""
    language: str = ""
    version: str = ""
    format: str = ""
    """The format of its files, if it cannot be detected from their content."""


def chosen(
    candidates: Sequence[GlossaryCandidate], *, project: str
) -> tuple[list[GlossaryCandidate], list[LeftOut]]:
    """Returns the newest candidate of each glossary, large ones first, and those left out, with
    reasons.

    `project` is the name of the repository.
    """
    groups, left_out = _originals(candidates)
    main = [group for group in groups if is_main_language(group[0].language)]
    if main:
        for group in groups:
            if group not in main:
                left_out += _left_out(group, f"in another language ({group[0].language})")
        groups = main
    named = [group for group in groups if not is_vague(group[0].path, project)]
    clear = [group for group in named if len(newest(group).names) > MIN]
    if clear:
        for group in groups:
            if group not in named:
                left_out += _left_out(group, f"its name says less than that of {clear[0][0].path}")
        groups = named
    result, duplicates = _without_duplicates(groups)
    return result, left_out + duplicates


def _originals(
    candidates: Sequence[GlossaryCandidate],
) -> tuple[list[list[GlossaryCandidate]], list[LeftOut]]:
    """Returns the candidates with terms in their main language, grouped by their generic paths, and
    the translations of these."""
    unread = {}
    for one in candidates:
        if not one.names and is_main_language(one.language):
            unread[one.generic] = one.path
    groups, left_out = [], []
    for generic, several in grouped((one.generic, one) for one in candidates if one.names).items():
        originals, translations = _of_language(several)
        left_out += _left_out(translations, f"translations of {originals[0].path}")
        if generic in unread and not is_main_language(originals[0].language):
            why = f"translations of {unread[generic]}, in which no terms are recognized"
            left_out += _left_out(originals, why)
        else:
            groups.append(originals)
    return groups, left_out


def _left_out(group: Iterable[GlossaryCandidate], why: str) -> list[LeftOut]:
    return [LeftOut(path=one.path, why=why) for one in group]


def _without_duplicates(
    groups: Iterable[list[GlossaryCandidate]],
) -> tuple[list[GlossaryCandidate], list[LeftOut]]:
    """Returns the newest candidate of each group, and those left out since a larger one has their
    terms."""
    result: list[GlossaryCandidate] = []
    left_out: list[LeftOut] = []
    for group in sorted(groups, key=_rank):
        candidate = newest(group)
        for original in result:
            if _is_duplicate(original, candidate):
                left_out += _left_out(group, f"{_likeness(original, candidate)} {original.path}")
                break
        else:
            result.append(candidate)
    return result, left_out


def _likeness(original: GlossaryCandidate, duplicate: GlossaryCandidate) -> str:
    """Returns in what way a candidate is a duplicate, before the path of its original."""
    if duplicate.version:
        return "older versions of"
    if overlap(original, duplicate):
        return "the same terms as"
    return "pages beside"


def _rank(group: Sequence[GlossaryCandidate]) -> tuple[bool, bool, bool, bool, int, bool, str]:
    """Returns a sort key: copies for versions, other languages, data and built pages, samples and
    old copies last.

    Then by number of terms, paths with `glossary` first.
    """
    path = group[0].path
    is_of_versions = all(dimensions(one.path)[2] for one in group)
    is_data = PurePosixPath(path).suffix.lower() in SECONDARY
    size = max(len(one.names) for one in group)
    is_other = group[0].language != ""
    return (
        is_of_versions,
        is_other,
        is_data,
        is_spare(path),
        -size,
        "glossary" not in path.lower(),
        path,
    )


def _of_language(
    group: Sequence[GlossaryCandidate],
) -> tuple[list[GlossaryCandidate], list[GlossaryCandidate]]:
    """Returns the candidates of a group that are in the main language, and the others."""
    sizes: Counter[str] = Counter()
    for one in group:
        sizes[one.language] += len(one.names)
    ranked = sorted(sizes, key=lambda code: (not is_main_language(code), code != "", -sizes[code]))
    main = [one for one in group if one.language == ranked[0]]
    return main, [one for code in ranked[1:] for one in group if one.language == code]


def _is_duplicate(one: GlossaryCandidate, other: GlossaryCandidate) -> bool:
    """True if both have the same terms, unless only one of them is a list of abbreviations.

    Also true for a file and a folder with the same name beside it, which has pages about the terms.
    Contexts share terms, and are only duplicates with all terms the same.
    """
    stems = {PurePosixPath(path).with_suffix("") for path in (one.path, other.path)}
    if len({bool(re.match(ABBREVIATIONS, stem.name)) for stem in stems}) > 1:
        return False
    if is_context(one.path) and is_context(other.path) and one.names != other.names:
        return False
    return overlap(one, other) or len(stems) == 1


def newest(group: Sequence[GlossaryCandidate]) -> GlossaryCandidate:
    """Returns the candidate without a version that has the most terms, or that of the highest
    version."""
    plain = [one for one in group if not one.version]
    if plain:
        return max(plain, key=lambda one: len(one.names))
    by_version = {one.version: one for one in group}
    return by_version[ordered(by_version)[-1]]


def overlap(one: GlossaryCandidate, other: GlossaryCandidate) -> bool:
    """True if two candidates share at least half of the terms of the smaller one."""
    smaller = min(len(one.names), len(other.names))
    return bool(smaller) and 2 * len(one.names & other.names) >= smaller


def is_earlier_path(
    current: GlossaryCandidate, earlier: GlossaryCandidate, labels: Sequence[str]
) -> bool:
    """True if `earlier` is an earlier location of `current`: the same terms, at a release that does
    not have `current`.

    If it exists at the last of the `labels`, it must be older than `current`, with at most a fifth
    of other terms.
    """
    if earlier.language not in (current.language, "") or not overlap(current, earlier):
        return False
    if earlier.release.label not in current.labels:
        return True
    start = next((label for label in labels if label in earlier.labels), "")
    has_same_terms = 5 * len(current.names & earlier.names) >= 4 * len(earlier.names)
    return has_same_terms and start not in current.labels


def template(path: str, version: str) -> str:
    """Returns a path with `{version}` in place of the folder of its version."""
    parts = path.split("/")
    parts[parts.index(version)] = PLACEHOLDER
    return "/".join(parts)


def found_translations(
    glossary: FoundGlossary,
    originals: Iterable[str],
    files: Mapping[str, str],
    *,
    folder: Path,
    commit: str,
) -> Iterator[FoundTranslation]:
    """Yields the translations of a glossary. `originals` are its files, `files` all those of the
    commit."""
    paths = translated_paths(originals, glossary.paths[0], files)
    if not paths:
        return
    renamed = [*_renames(folder, commit, {before_language(path) for path in paths.values()})]
    for tag, pattern in paths.items():
        former = _former_patterns(tag, pattern, renamed)
        others = [one for one in former if one not in paths.values()]
        yield FoundTranslation(language=tag, patterns=(pattern, *others))


def _former_patterns(tag: str, pattern: str, renamed: Iterable[tuple[str, str]]) -> Sequence[str]:
    """Returns the patterns of the paths that the files of a language had before, newest first.
    `renamed` has the former and the new path of each renamed file."""
    patterns = [pattern]
    for old, new in renamed:
        is_same_language = reduced(old)[1].partition("-")[0] == tag.partition("-")[0]
        if not is_same_language or one_matches(patterns, old):
            continue
        if one_matches(patterns, new):
            former = old
            if new != pattern:
                former = old.removesuffix(new.removeprefix(pattern))
            patterns.append(literal(former))
    return patterns[1:]


def _renames(folder: Path, commit: str, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yields the former and the new path of each file that was renamed below the folders, newest
    first."""
    patterns = [f":(literal){one or '.'}" for one in sorted(folders)]
    output = run(folder, "log", *SAFE_LOG, *RENAMES, "--end-of-options", commit, "--", *patterns)
    names = output.decode("utf-8", "replace").split("\0")
    yield from zip(names[1::3], names[2::3], strict=False)


def languages_within(texts: Sequence[tuple[str, str]]) -> Iterator[FoundTranslation]:
    """Yields the languages of files that have all of them, but for English: records, tables and
    AsciiDoc."""
    keys = Counter[str]()
    for path, text in texts:
        name = path.lower()
        if name.endswith(RECORDS):
            keys.update(LANGUAGE_KEY.findall(text))
        elif name.endswith(TABLES):
            first_line, _, _ = text.lstrip().partition("\n")
            keys.update(dict.fromkeys(LANGUAGE_TITLE.findall(first_line), MIN_KEYS))
        else:
            keys.update(tag.lower() for tag in language_tags(text.splitlines()))
    for key, number in sorted(keys.items()):
        is_language = number >= MIN_KEYS and language_tag(key) == key != "en"
        if is_language and _has_language(texts, key):
            yield FoundTranslation(language=key, patterns=())


def _has_language(texts: Sequence[tuple[str, str]], key: str) -> bool:
    """Returns whether the entries depend on the language. A field such as `id` is none."""
    return any(entries(path, text, key) not in ((), entries(path, text)) for path, text in texts)
