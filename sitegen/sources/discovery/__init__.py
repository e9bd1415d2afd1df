"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`.

A file is a candidate by its name, and a glossary if a format finds terms in it. Among translations,
copies for older versions and files with the same terms, one is selected, and the others are left
out with a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sitegen.sources.discovery.choice import chosen
from sitegen.sources.discovery.classification import defined, unread_reason
from sitegen.sources.discovery.earlier_paths import (
    found_glossary,
    renamed_from,
    with_earlier_paths,
)
from sitegen.sources.discovery.glossary_candidates import (
    GlossaryCandidate,
    find_candidates,
    leave_out,
    with_terms,
)
from sitegen.sources.discovery.search_results import FoundGlossary, SearchResult
from sitegen.sources.discovery.searched_repository import SearchedRepository
from sitegen.sources.discovery.translations import find_translations
from sitegen.sources.discovery.unnamed_glossaries import (
    MIN_ENTRIES,
    folder_of_pages,
    is_titled_glossary,
    leave_out_elsewhere,
    section_of_terms,
)
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.glossary_names import is_context, suggests_glossary


def find_glossaries(
    address: str, *, root: Path, clones: Clones, paths: Sequence[str] = ()
) -> SearchResult:
    """Returns the glossaries of a repository, which is a folder relative to `root`, or an address.

    If `paths` are given, they are used as the glossary, and nothing else is searched.
    """
    try:
        with open_repository(address, root=root, clones=clones) as repository:
            searched = SearchedRepository(repository)
            glossaries = _at_paths(paths, searched) if paths else _anywhere(searched)
    except GitError as error:
        return SearchResult(problems=(error.problem(address),))
    left_out = []
    for one in dict.fromkeys(searched.left_out):
        if paths or not any(glossary.has(one.path) for glossary in glossaries):
            left_out.append(one)
    return SearchResult(
        glossaries=tuple(glossaries), left_out=tuple(left_out), problems=repository.problems
    )


def _at_paths(paths: Sequence[str], searched: SearchedRepository) -> list[FoundGlossary]:
    """Returns the glossary at these paths, with the former names of the first, regardless of file
    names; none if it has no terms."""
    release = searched.newest_with(paths[0])
    files = searched.trees.find(release.tree, paths[0]).files
    candidate = GlossaryCandidate(path=paths[0], files=files, release=release)
    candidate = with_terms(candidate, searched)
    if not candidate.names:
        names: set[str] = set()
        for path, text in searched.texts(files):
            if not unread_reason(path):
                names |= defined(path, text)
        candidate = replace(candidate, names=frozenset(names))
    all_paths = list(dict.fromkeys((*paths, *renamed_from(candidate, searched))))
    if not candidate.names:
        return []
    return [_with_translations(found_glossary(candidate, all_paths, searched), searched)]


def _anywhere(searched: SearchedRepository) -> list[FoundGlossary]:
    """Returns the glossaries of a repository."""
    if searched.is_too_large:
        return []
    present, past = [], []
    for one in find_candidates(searched):
        is_present = one.release is searched.newest
        if is_present:
            present.append(one)
        if len(one.names) >= MIN_ENTRIES and not (is_present and one.version):
            past.append(one)
    past.sort(key=lambda one: one.release is searched.newest)
    current = _current(present, searched)
    if not current:
        leave_out_elsewhere(searched)
    found = with_earlier_paths(current, past, searched)
    return [_with_translations(one, searched) for one in found]


def _current(
    present: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[GlossaryCandidate]:
    """Returns the glossaries of the newest release, of these candidates; if there are none, the
    pages of the repository or a section of a file."""
    current, left_out = chosen(present, project=searched.name)
    searched.left_out += left_out
    is_glossary = suggests_glossary(searched.name)
    if is_glossary or (not current and is_titled_glossary(searched)):
        pages = folder_of_pages(searched)
        best = max((len(one.names) for one in current), default=0)
        if pages and len(pages.files) > best:
            current = [pages]
    large, small = [], []
    for one in current:
        if len(one.names) >= MIN_ENTRIES or is_context(one.path):
            large.append(one)
        else:
            small.append(one)
    if large:
        for one in small:
            why = f"it has fewer than {MIN_ENTRIES} terms, and {large[0].path} has more"
            leave_out(one, why, searched)
        return large
    if current:
        return current
    section = section_of_terms(searched)
    return [section] if section else []


def _with_translations(glossary: FoundGlossary, searched: SearchedRepository) -> FoundGlossary:
    if not glossary.is_current:
        return glossary
    found = find_translations(glossary.patterns[0], glossary.paths[0], searched)
    return replace(glossary, translations=tuple(found))
