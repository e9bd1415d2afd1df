"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`.

A file is a candidate by its name, and a glossary if a format finds terms in it. Among translations,
copies for older versions and files with the same terms, one is selected, and the others are left
out with a reason. Earlier paths are those of git's rename detection, or of files with the same
terms, if a move changed too much for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path, PurePosixPath

from sitegen.config.patterns import literal
from sitegen.sources.discovery.choice import chosen, share_terms
from sitegen.sources.discovery.classification import defined, unread_reason
from sitegen.sources.discovery.glossary_candidates import (
    MIN_ENTRIES,
    GlossaryCandidate,
    find_candidates,
    folder_of_pages,
    is_titled_glossary,
    readme_of_terms,
    section_of_terms,
    with_terms,
)
from sitegen.sources.discovery.searched_repository import (
    FoundGlossary,
    SearchedRepository,
    SearchResult,
)
from sitegen.sources.discovery.translations import find_translations
from sitegen.sources.git.listing import TooManyPathsError, former_paths
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.glossary_names import (
    NEXT_FOLDERS,
    by_folder,
    is_called_glossary,
    is_context,
    is_main_language,
    path_variant,
    suggests_glossary,
)
from sitegen.sources.trees import PLACEHOLDER
from sitegen.text.decoding import is_plain
from sitegen.text.release_names import ordered


def find_glossaries(
    address: str, *, root: Path, clones: Clones, paths: Sequence[str] = ()
) -> SearchResult:
    """Returns the glossaries of a repository, and the files that were left out of the search.

    `address` is a web address, or a folder relative to `root`. If `paths` are given, they are used
    as the glossary, and nothing else is searched.
    """
    try:
        with open_repository(address, root=root, clones=clones) as repository:
            searched = SearchedRepository(repository)
            if paths:
                glossaries = _at_paths(paths, searched)
            else:
                glossaries = _all_glossaries(searched)
    except GitError as error:
        return SearchResult(problems=(error.problem(address),))
    left_out = []
    for file in dict.fromkeys(searched.left_out):
        # One search may leave out a file that a later one takes as a glossary. Files that the user
        # named are reported in any case.
        is_in_glossary = any(glossary.has(file.path) for glossary in glossaries)
        if paths or not is_in_glossary:
            left_out.append(file)
    return SearchResult(
        glossaries=tuple(glossaries), left_out=tuple(left_out), problems=repository.problems
    )


def _at_paths(paths: Sequence[str], searched: SearchedRepository) -> list[FoundGlossary]:
    """Returns the glossary at these paths, the current one first; an empty list if it has no
    terms."""
    current_path = paths[0]
    release = searched.newest_with(current_path)
    files = searched.trees.find(release.tree, literal(current_path)).files
    candidate = GlossaryCandidate(path=current_path, files=files, release=release)
    candidate = with_terms(candidate, searched)
    if not candidate.names:
        # The user named the files, so they need not look like a glossary.
        names: set[str] = set()
        for document in searched.documents(files):
            if not unread_reason(document.path):
                names |= defined(document)
        candidate = replace(candidate, names=frozenset(names))
    if not candidate.names:
        return []
    all_paths = dict.fromkeys((*paths, *_former_paths(candidate, searched)))
    return [_with_translations(_found_glossary(candidate, [*all_paths], searched), searched)]


def _all_glossaries(searched: SearchedRepository) -> list[FoundGlossary]:
    """Returns the glossaries of a repository, wherever they are."""
    if searched.is_too_large:
        return []
    present: list[GlossaryCandidate] = []
    past: list[GlossaryCandidate] = []
    for candidate in find_candidates(searched):
        if candidate.release is searched.newest:
            present.append(candidate)
        else:
            past.append(candidate)

    current = _current_glossaries(present, searched)

    # A glossary may have moved while a copy of it stayed at the earlier path.
    possible_copies = [candidate for candidate in present if not candidate.version]
    others = [one for one in (*past, *possible_copies) if len(one.names) >= MIN_ENTRIES]
    glossaries = _with_earlier_paths(current, others, searched)
    return [_with_translations(glossary, searched) for glossary in glossaries]


def _current_glossaries(
    present: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[GlossaryCandidate]:
    """Returns the glossaries among the candidates of the newest release.

    If there is none, a section of a file or the README is taken.
    """
    current = chosen(present, searched)

    # A repository that is a glossary may have its terms in a folder with any name.
    is_called_so = suggests_glossary(searched.name)
    if is_called_so or (not current and is_titled_glossary(searched)):
        pages = folder_of_pages(searched)
        most_terms = max([len(one.names) for one in current], default=0)
        if pages and len(pages.files) > most_terms:
            for candidate in current:
                why = f"it has fewer terms than {pages.path}"
                searched.leave_out(candidate.path, why, candidate.release)
            current = [pages]
            # The search has left out pages of this folder one by one.
            below = f"{pages.path}/"
            others = [one for one in searched.left_out if not one.path.startswith(below)]
            searched.left_out = others

    large = _without_small(current, searched)
    if large:
        return large
    section = section_of_terms(searched)
    if section:
        return [section]
    readme = readme_of_terms(searched)
    if readme:
        return [readme]
    return []


def _without_small(
    current: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[GlossaryCandidate]:
    """Returns the glossaries with at least `MIN_ENTRIES` terms, and each CONTEXT.md; if there are
    none, those that are called glossary. Reports the others as left out."""
    glossaries = [one for one in current if len(one.names) >= MIN_ENTRIES or is_context(one.path)]
    why = f"it has fewer than {MIN_ENTRIES} terms"
    if glossaries:
        why += f", and {glossaries[0].path} is read"
    else:
        glossaries = [one for one in current if is_called_glossary(one.path)]
    for candidate in current:
        if candidate not in glossaries:
            searched.leave_out(candidate.path, why, candidate.release)
    return glossaries


def _with_translations(glossary: FoundGlossary, searched: SearchedRepository) -> FoundGlossary:
    """Returns a glossary with its translations at the newest release."""
    translations = find_translations(glossary.paths[0], searched)
    return replace(glossary, translations=tuple(translations))


# Earlier paths.


def _with_earlier_paths(
    current: Sequence[GlossaryCandidate],
    others: Sequence[GlossaryCandidate],
    searched: SearchedRepository,
) -> list[FoundGlossary]:
    """Returns the current glossaries, then the removed ones, each with its earlier paths. `others`
    are the candidates that may be earlier versions of a glossary, or the current ones."""
    # Git knows some earlier paths, as it detects renames.
    former = {one.path: _former_paths(one, searched) for one in current}
    known = {*former, *chain.from_iterable(former.values())}

    # The terms show others, such as a copy that was left behind.
    without_successor = []
    for earlier in others:
        if earlier.path in known:  # also those that are current
            continue
        successor = _successor(earlier, current, searched)
        if successor:
            former[successor.path].append(earlier.path)
        else:
            without_successor.append(earlier)

    # Of removed glossaries with the same terms, the newest is chosen. A translation, or a copy for
    # a version, is no glossary of its own.
    removed: list[GlossaryCandidate] = []
    for earlier in without_successor:
        is_original = is_main_language(earlier.language) and not earlier.version
        is_gone = earlier.release is not searched.newest
        has_newer_copy = any(share_terms(newer, earlier) for newer in removed)
        if is_original and is_gone and not has_newer_copy:
            removed.append(earlier)
            former[earlier.path] = _former_paths(earlier, searched)

    glossaries = []
    for candidate in (*current, *removed):
        paths = [candidate.path, *_newest_version_first(former[candidate.path])]
        glossaries.append(_found_glossary(candidate, paths, searched))
    return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))


def _newest_version_first(paths: Iterable[str]) -> list[str]:
    """Returns the paths in the order in which they are tried at a release: first those without a
    version folder, then the versions from new to old, then drafts.

    >>> _newest_version_first(["next/words.md", "v1/words.md", "words.md", "v2/words.md"])
    ['words.md', 'v2/words.md', 'v1/words.md', 'next/words.md']
    """
    versions = {path: path_variant(path).version for path in paths}
    numbered = ordered(set(versions.values()) - {"", *NEXT_FOLDERS})
    without_version = ""
    order = [without_version, *reversed(numbered), *sorted(NEXT_FOLDERS)]
    return sorted(versions, key=lambda path: order.index(versions[path]))


def _former_paths(candidate: GlossaryCandidate, searched: SearchedRepository) -> list[str]:
    """Returns the former paths of a glossary file that git's rename detection finds, newest first;
    none for a folder."""
    is_folder = candidate.path not in candidate.files
    if is_folder:
        return []  # git detects the renames of files only
    paths = []
    try:
        for path in former_paths(searched.folder, candidate.release.commit, candidate.path):
            if is_plain(path) and path != candidate.path:
                paths.append(path)
    except TooManyPathsError as error:
        searched.leave_out_paths(error)
    return list(dict.fromkeys(paths))


def _successor(
    earlier: GlossaryCandidate, current: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> GlossaryCandidate | None:
    """Returns the current glossary that continues an earlier one at another path, or None."""
    for candidate in current:
        if _continues(candidate, earlier, searched):
            return candidate
    return None


def _continues(
    current: GlossaryCandidate, earlier: GlossaryCandidate, searched: SearchedRepository
) -> bool:
    """True if a current glossary has the terms of an earlier one at another path."""
    is_translation = earlier.language not in (current.language, "")
    if is_translation or not share_terms(current, earlier):
        return False
    # The last release with the earlier path does not have the current one.
    was_moved = not searched.has(earlier.release, current.path)
    if was_moved:
        return True
    # The earlier one is a copy that was left behind if it is older and has nearly the same terms.
    # Otherwise it is another glossary with some terms in common.
    with_earlier = (one for one in searched.releases if searched.has(one, earlier.path))
    oldest = next(with_earlier, earlier.release)
    is_older = not searched.has(oldest, current.path)
    number_of_common = len(current.names & earlier.names)
    are_nearly_same = 5 * number_of_common >= 4 * len(earlier.names)
    return is_older and are_nearly_same


def _found_glossary(
    candidate: GlossaryCandidate, paths: Sequence[str], searched: SearchedRepository
) -> FoundGlossary:
    """Returns the glossary at these paths, the newest first."""
    return FoundGlossary(
        paths=tuple(paths),
        entries=len(candidate.names),
        last_release=searched.newest_with(candidate.path).label,
        is_current=candidate.release is searched.newest,
        section=candidate.section,
        versions=_version_folders(candidate, searched),
        format=candidate.format,
    )


# The folders of versions.


def _version_folders(candidate: GlossaryCandidate, searched: SearchedRepository) -> str:
    """Returns the path of a glossary in its version folders, such as
    `versioned_docs/{version}/words.md`; empty if it is kept in no such folders."""
    if candidate.version:
        return _template(candidate.path, candidate.version)
    if candidate.release is not searched.newest:
        return ""  # a removed glossary gets no new versions

    # The newest version may be at a path without version, and only the older ones in folders.
    name = PurePosixPath(candidate.path).name
    for path in by_folder(searched.named_files(searched.newest.tree)):
        other = path_variant(path)
        has_same_name = PurePosixPath(other.generic).name == name
        if other.version and has_same_name and other.language == candidate.language:
            return _template(path, other.version)
    return ""


def _template(path: str, version: str) -> str:
    """Returns a path with `{version}` in place of the folder of its version.

    >>> _template("docs/v1/words.md", "v1")
    'docs/{version}/words.md'
    """
    parts = path.split("/")
    parts[parts.index(version)] = PLACEHOLDER
    return "/".join(parts)
