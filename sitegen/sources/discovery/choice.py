"""Selects one glossary among translations, copies for older versions and files with the same
terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import filterfalse
from pathlib import PurePosixPath
from typing import NamedTuple

from sitegen.model import grouped
from sitegen.sources.discovery.glossary_candidates import GlossaryCandidate
from sitegen.sources.discovery.searched_repository import SearchedRepository
from sitegen.sources.glossary_names import (
    is_called_glossary,
    is_context,
    is_main_language,
    is_vague,
    plain,
)
from sitegen.text.release_names import ordered

CandidateGroup = Sequence[GlossaryCandidate]
"""The candidates that differ only in their version."""

MIN_NAMED = 3
"""The minimum number of terms of a file with a clear name that comes before all vague names."""

SECONDARY = frozenset(
    {".csv", ".htm", ".html", ".json", ".jsonld", ".tsv", ".ttl", ".yaml", ".yml"}
)
"""Suffixes of data, and of pages that may be built from other documents."""
ACRONYMS = r"acronym|abbreviation|abkurzung"
"""Matches a word in the path of a list of acronyms."""


def chosen(
    candidates: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> list[GlossaryCandidate]:
    """Returns one candidate for each glossary of the newest release, large ones first, and reports
    the others as left out."""
    groups = _originals(candidates, searched)

    # A glossary in another language is only chosen if there is none in the main language.
    groups, foreign = _split_by_preference(groups, _is_in_main_language)
    for group in foreign:
        _leave_out(group, f"in another language ({group[0].language})", searched)

    def has_clear_name(group: CandidateGroup) -> bool:
        return not is_vague(group[0].path, searched.name)

    # A file with a vague name is only chosen if no file with a clear name has enough terms.
    clear, vague = _split_by_preference(groups, has_clear_name)
    large = [group for group in clear if len(newest(group).names) >= MIN_NAMED]
    if large:
        groups = clear
        clear_path = large[0][0].path
        for group in vague:
            _leave_out(group, f"its name says less than that of {clear_path}", searched)
    return _without_duplicates(groups, searched)


def _is_in_main_language(group: CandidateGroup) -> bool:
    return is_main_language(group[0].language)  # the others have the same language


def _split_by_preference(
    groups: Sequence[CandidateGroup], is_preferred: Callable[[CandidateGroup], bool]
) -> tuple[Sequence[CandidateGroup], Sequence[CandidateGroup]]:
    """Returns the preferred groups and the others. If none is preferred, all count as preferred."""
    preferred = list(filter(is_preferred, groups))
    if not preferred:
        return groups, ()
    return preferred, list(filterfalse(is_preferred, groups))


def _originals(
    candidates: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[CandidateGroup]:
    """Returns the candidates with terms in groups, without translations.

    The candidates of a group have the same path, apart from the language and the version in it.
    """
    by_path = grouped((one.generic_path, one) for one in candidates if one.names)
    groups = []
    for same_path in by_path.values():
        main = min(same_path, key=_language_rank).language
        originals = [one for one in same_path if one.language == main]
        translations = [one for one in same_path if one.language != main]
        _leave_out(translations, f"translations of {originals[0].path}", searched)
        groups.append(originals)
    return groups


def _leave_out(group: CandidateGroup, why: str, searched: SearchedRepository) -> None:
    """Says why the candidates of a group are not proposed."""
    for one in group:
        searched.leave_out(one.path, why, one.release)


def _without_duplicates(
    groups: Iterable[CandidateGroup], searched: SearchedRepository
) -> list[GlossaryCandidate]:
    """Returns the newest candidate of each group, without the groups that repeat the terms of a
    larger one."""
    result: list[GlossaryCandidate] = []
    for group in sorted(groups, key=_group_order):
        candidate = newest(group)
        originals = [original for original in result if _is_duplicate(original, candidate)]
        if not originals:
            result.append(candidate)
        elif candidate.version:
            _leave_out(group, f"older versions of {originals[0].path}", searched)
        else:
            _leave_out(group, f"shares terms with {originals[0].path}", searched)
    return result


class GroupOrder(NamedTuple):
    """The sort key of groups, the strongest reason first: false comes before true."""

    is_of_versions: bool
    """All are copies for versions."""
    is_secondary: bool
    """Data, or pages that may be built from other documents."""
    is_of_acronyms: bool
    """A list of acronyms, which says less about the names of a glossary."""
    minus_size: int
    """The number of terms, negative: the largest comes first."""
    is_called_otherwise: bool
    """The path does not have the word glossary, in any language."""
    path: str


def _group_order(group: CandidateGroup) -> GroupOrder:
    """Returns the sort key of a group: originals before copies, then large before small ones."""
    path = group[0].path  # the others differ from it by language and version only
    suffixes = {PurePosixPath(file).suffix.lower() for file in group[0].files}
    return GroupOrder(
        is_of_versions=all(one.version for one in group),
        is_secondary=suffixes <= SECONDARY,
        is_of_acronyms=re.search(ACRONYMS, plain(path)) is not None,
        minus_size=-max(len(one.names) for one in group),
        is_called_otherwise=not is_called_glossary(path),
        path=path,
    )


def _language_rank(candidate: GlossaryCandidate) -> tuple[bool, bool, int]:
    """Returns a sort key: paths without a language first, then English, then others. Of equal ones,
    the one with the most terms is first."""
    code = candidate.language
    return not is_main_language(code), code != "", -len(candidate.names)


def _is_duplicate(one: GlossaryCandidate, other: GlossaryCandidate) -> bool:
    """True if two candidates share their terms. Two CONTEXT.md must share all, as many have some
    names in common."""
    if is_context(one.path) and is_context(other.path) and one.names != other.names:
        return False
    return share_terms(one, other)


def newest(group: Sequence[GlossaryCandidate]) -> GlossaryCandidate:
    """Returns the newest candidate of a group: the one that is in no version folder, else the one
    in the folder of the highest version. Of several without a folder, the largest is returned."""
    without_version = [one for one in group if not one.version]
    if without_version:
        return max(without_version, key=lambda one: len(one.names))
    by_version = {one.version: one for one in group}
    highest = ordered(by_version)[-1]
    return by_version[highest]


def share_terms(one: GlossaryCandidate, other: GlossaryCandidate) -> bool:
    """True if two candidates share at least half of the terms of the smaller one."""
    smaller, larger = sorted((len(one.names), len(other.names)))
    shared = len(one.names & other.names)
    if shared == 0:  # which is half of the terms if one of them has none
        return False
    # One term may be shared by chance, unless both have at most two.
    if shared == 1 and larger > 2:
        return False
    return 2 * shared >= smaller
