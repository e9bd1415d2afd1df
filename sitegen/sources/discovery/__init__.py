"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`.

A file is a candidate by its name, and a glossary if a format finds terms in it. Among translations,
copies for older versions and files with the same terms, one is selected, and the others are left
out with a reason. The earlier path of a file is the one from which git finds that a commit moved
it, or else that of a glossary with the same terms before the commit that added it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from sitegen.config.patterns import literal
from sitegen.model import Release
from sitegen.sources.discovery.choice import chosen, share_terms
from sitegen.sources.discovery.classification import defined, unread_reason
from sitegen.sources.discovery.glossary_candidates import (
    MIN_ENTRIES,
    GlossaryCandidate,
    find_candidates,
    folder_of_pages,
    section_of_terms,
    with_terms,
)
from sitegen.sources.discovery.searched_repository import (
    FoundGlossary,
    SearchedRepository,
    SearchResult,
)
from sitegen.sources.discovery.translations import find_translations
from sitegen.sources.git.listing import TooManyPathsError, former_path
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.glossary_names import (
    NEXT_FOLDERS,
    by_folder,
    is_called_glossary,
    is_context,
    path_variant,
    suggests_glossary,
)
from sitegen.sources.trees import PLACEHOLDER
from sitegen.text.decoding import is_plain
from sitegen.text.release_names import ordered

MAX_MOVES = 20
"""The maximum number of times that a glossary may have been added or moved."""


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
    return [_found_glossary(candidate, [*all_paths], searched)]


def _all_glossaries(searched: SearchedRepository) -> list[FoundGlossary]:
    """Returns the glossaries of the newest state of a repository, wherever they are."""
    if searched.is_too_large:
        return []
    candidates = find_candidates(searched.newest, searched)
    glossaries = []
    for candidate in _current_glossaries(candidates, searched):
        paths = [candidate.path, *_former_paths(candidate, searched)]
        glossaries.append(_found_glossary(candidate, paths, searched))
    return sorted(glossaries, key=lambda one: (-one.entries, one.paths))


def _current_glossaries(
    present: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[GlossaryCandidate]:
    """Returns the glossaries among the candidates of the newest release.

    If there is none, a section of a file is taken.
    """
    current: Sequence[GlossaryCandidate] = chosen(present, searched)
    # A repository that is a glossary may have its terms in a folder with any name.
    if suggests_glossary(searched.name):
        current = _or_folder_of_pages(current, searched)
    large = _without_small(current, searched)
    if large:
        return large
    section = section_of_terms(searched)
    if section is None:
        return []
    return [section]


def _or_folder_of_pages(
    current: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[GlossaryCandidate]:
    """Returns the largest folder with a page for each term, if none of the current glossaries is a
    folder and it has more pages than each of them has terms; then all of these are left out. Else
    returns the current ones."""
    if any(len(one.files) > 1 for one in current):
        return current
    pages = folder_of_pages(searched)
    most_terms = max([len(one.names) for one in current], default=0)
    if not pages or len(pages.files) <= most_terms:
        return current
    for candidate in current:
        why = f"it has fewer terms than {pages.path}"
        searched.leave_out(candidate.path, why, candidate.release)
    # The search has left out pages of this folder one by one.
    below = f"{pages.path}/"
    searched.left_out = [one for one in searched.left_out if not one.path.startswith(below)]
    return [pages]


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


# Earlier paths.


def _former_paths(candidate: GlossaryCandidate, searched: SearchedRepository) -> list[str]:
    """Returns the former paths of a glossary in the order in which they are tried at a release."""
    is_folder = candidate.path not in candidate.files
    path, commit = candidate.path, candidate.release.commit
    paths = []
    try:
        for _ in range(MAX_MOVES):
            commit, former = former_path(searched.folder, commit, path, is_folder=is_folder)
            if not commit:
                break
            # A move may change too much for git. A file may also be removed, and added again at its
            # path.
            path = former or _path_of_same_terms(candidate, commit, searched) or path
            paths += [path, *_gone_versions(path, commit, candidate.release, searched)]
    except TooManyPathsError as error:
        searched.leave_out_paths(error)
    except GitError:  # a damaged commit ends the search
        pass
    former_paths = [path for path in paths if is_plain(path) and path != candidate.path]
    return _newest_version_first(former_paths)


def _gone_versions(
    path: str, commit: str, release: Release, searched: SearchedRepository
) -> Iterator[str]:
    """Yields the copies for other versions that a glossary in a version folder had at a commit, and
    that a later release does not have: `v1/words.md` of `v2/words.md`."""
    variant = path_variant(path)
    if not variant.version:
        return
    # The paths of folders of term files, and of files that are alone.
    glossary_paths = by_folder(searched.named_files(f"{commit}^{{tree}}"))
    for other in glossary_paths:
        # The paths of a copy differ in their versions alone.
        is_copy = path_variant(other)._replace(version=variant.version) == variant
        if is_copy and not searched.has(release, other):
            yield other


def _newest_version_first(paths: Iterable[str]) -> list[str]:
    """Returns the paths without duplicates: first those without a version folder, then the versions
    from new to old, then drafts.

    >>> _newest_version_first(["next/words.md", "v1/words.md", "words.md", "v2/words.md"])
    ['words.md', 'v2/words.md', 'v1/words.md', 'next/words.md']
    """
    versions = {path: path_variant(path).version for path in paths}
    numbered = ordered(set(versions.values()) - {"", *NEXT_FOLDERS})
    order = ["", *reversed(numbered), *sorted(NEXT_FOLDERS)]
    return sorted(versions, key=lambda path: order.index(versions[path]))


def _path_of_same_terms(
    candidate: GlossaryCandidate, commit: str, searched: SearchedRepository
) -> str:
    """Returns the path at which a glossary was at a commit; empty if it is not found. The earlier
    glossary has the same terms. It is gone today, or was left behind as a copy."""
    before = Release(name=commit, commit=commit, tree=f"{commit}^{{tree}}")
    for earlier in find_candidates(before, searched):
        is_translation = earlier.language not in (candidate.language, "")
        if is_translation or not share_terms(candidate, earlier):
            continue
        is_gone = not searched.has(candidate.release, earlier.path)
        if is_gone or _was_copied(earlier, candidate):
            return earlier.path
    return ""


def _was_copied(earlier: GlossaryCandidate, later: GlossaryCandidate) -> bool:
    """True if a later glossary, at another place, has four fifths of the terms of an earlier one.
    With fewer terms in common it is another glossary."""
    common = later.names & earlier.names
    if len(common) < MIN_ENTRIES or 5 * len(common) < 4 * len(earlier.names):
        return False
    # With equal generic paths, it is the same glossary in another version or language.
    return earlier.generic_path != later.generic_path


def _found_glossary(
    candidate: GlossaryCandidate, paths: Sequence[str], searched: SearchedRepository
) -> FoundGlossary:
    """Returns the glossary at these paths, the newest first, with its translations."""
    return FoundGlossary(
        paths=tuple(paths),
        entries=len(candidate.names),
        last_release=searched.newest_with(candidate.path).label,
        is_current=candidate.release is searched.newest,
        section=candidate.section,
        versions=_version_folders(candidate, searched),
        format=candidate.format,
        translations=tuple(find_translations(paths[0], searched)),
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
        has_same_name = PurePosixPath(other.generic_path).name == name
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
