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
from sitegen.sources.discovery.choice import chosen, overlap
from sitegen.sources.discovery.classification import defined, unread_reason
from sitegen.sources.discovery.glossary_candidates import (
    MIN_ENTRIES,
    GlossaryCandidate,
    find_candidates,
    folder_of_pages,
    is_titled_glossary,
    leave_out,
    leave_out_elsewhere,
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
    """Returns the glossaries of a repository, which is a folder relative to `root`, or an address.

    If `paths` are given, they are used as the glossary, and nothing else is searched.
    """
    try:
        with open_repository(address, root=root, clones=clones) as repository:
            searched = SearchedRepository(repository)
            if paths:
                glossaries = _at_paths(paths, searched)
            else:
                glossaries = _anywhere(searched)
    except GitError as error:
        return SearchResult(problems=(error.problem(address),))
    left_out = []
    for one in dict.fromkeys(searched.left_out):
        is_found = any(glossary.has(one.path) for glossary in glossaries)
        if paths or not is_found:
            left_out.append(one)
    return SearchResult(
        glossaries=tuple(glossaries), left_out=tuple(left_out), problems=repository.problems
    )


def _at_paths(paths: Sequence[str], searched: SearchedRepository) -> list[FoundGlossary]:
    """Returns the glossary at these paths, whatever their names are, with the former paths of the
    first; none if it has no terms."""
    release = searched.newest_with(paths[0])
    files = searched.trees.find(release.tree, paths[0]).files
    candidate = with_terms(GlossaryCandidate(path=paths[0], files=files, release=release), searched)
    if not candidate.names:
        names: set[str] = set()
        for document in searched.documents(files):
            if not unread_reason(document.path):
                names |= defined(document)
        candidate = replace(candidate, names=frozenset(names))
    if not candidate.names:
        return []
    all_paths = dict.fromkeys((*paths, *_former_paths(candidate, searched)))
    return [_with_translations(_found_glossary(candidate, [*all_paths], searched), searched)]


def _anywhere(searched: SearchedRepository) -> list[FoundGlossary]:
    """Returns the glossaries of a repository."""
    if searched.is_too_large:
        return []
    present: list[GlossaryCandidate] = []
    past: list[GlossaryCandidate] = []
    for one in find_candidates(searched):
        if one.release is searched.newest:
            present.append(one)
        else:
            past.append(one)
    current = _current(present, searched)
    if not current:
        leave_out_elsewhere(searched)
    # A file that is kept beside a glossary with the same terms may be an earlier place of it.
    possible = [*past, *(one for one in present if not one.version)]
    large = [one for one in possible if len(one.names) >= MIN_ENTRIES]
    glossaries = _with_earlier_paths(current, large, searched)
    return [_with_translations(one, searched) for one in glossaries]


def _current(
    present: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[GlossaryCandidate]:
    """Returns the glossaries of the newest release, of these candidates. Without any, a section of
    a file or the README can be one. In a repository that is a glossary itself, the pages of a
    folder are one, if they are more than the terms of any other."""
    current = chosen(present, searched)
    is_glossary = suggests_glossary(searched.name)
    if is_glossary or (not current and is_titled_glossary(searched)):
        pages = folder_of_pages(searched)
        most = max([len(one.names) for one in current], default=0)
        if pages and len(pages.files) > most:
            current = [pages]
    large = _without_small(current, searched)
    if large:
        return large
    in_text = section_of_terms(searched) or readme_of_terms(searched)
    return [in_text] if in_text else []


def _without_small(
    current: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> Sequence[GlossaryCandidate]:
    """Returns the glossaries with at least `MIN_ENTRIES` terms; if there are none, those with the
    word glossary in their paths. The others are left out."""
    why = f"it has fewer than {MIN_ENTRIES} terms"
    kept = [one for one in current if len(one.names) >= MIN_ENTRIES or is_context(one.path)]
    if kept:
        why += f", and {kept[0].path} has more"
    else:
        kept = [one for one in current if is_called_glossary(one.path)]
    for one in current:
        if one not in kept:
            leave_out(one, why, searched)
    return kept


def _with_translations(glossary: FoundGlossary, searched: SearchedRepository) -> FoundGlossary:
    """Returns a glossary with its translations at the newest release."""
    translations = find_translations(glossary.paths[0], searched)
    return replace(glossary, translations=tuple(translations))


# Earlier paths.


def _with_earlier_paths(
    current: Sequence[GlossaryCandidate],
    past: Sequence[GlossaryCandidate],
    searched: SearchedRepository,
) -> list[FoundGlossary]:
    """Returns the current glossaries, each with its earlier paths, and the removed glossaries.
    `past` are the candidates of earlier releases."""
    former = {one.path: _former_paths(one, searched) for one in current}
    known = {*former, *chain.from_iterable(former.values())}
    removed: list[GlossaryCandidate] = []
    for one in past:
        if one.path in known:
            continue
        if successor := _successor(one, current, searched):
            former[successor.path].append(one.path)
        elif _is_removed(one, searched) and not any(overlap(other, one) for other in removed):
            removed.append(one)
            former[one.path] = _former_paths(one, searched)
    glossaries = []
    for one in (*current, *removed):
        paths = [one.path, *_newest_version_first(former[one.path])]
        glossaries.append(_found_glossary(one, paths, searched))
    return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))


def _is_removed(candidate: GlossaryCandidate, searched: SearchedRepository) -> bool:
    """True for a glossary of earlier releases alone that is no translation or copy for a
    version."""
    is_original = is_main_language(candidate.language) and not candidate.version
    return is_original and candidate.release is not searched.newest


def _newest_version_first(paths: Iterable[str]) -> list[str]:
    """Returns paths in the order in which a release is looked for: those without the folder of a
    version, those with one, the newest first, and drafts. A release may have all of them.

    >>> _newest_version_first(["next/words.md", "v1/words.md", "words.md", "v2/words.md"])
    ['words.md', 'v2/words.md', 'v1/words.md', 'next/words.md']
    """
    versions = {path: path_variant(path).version for path in paths}
    numbered = ordered(set(versions.values()) - {"", *NEXT_FOLDERS})
    order = ["", *reversed(numbered), *sorted(NEXT_FOLDERS)]
    return sorted(versions, key=lambda path: order.index(versions[path]))


def _former_paths(candidate: GlossaryCandidate, searched: SearchedRepository) -> list[str]:
    """Returns the former paths of a file, newest first, as far as git's rename detection finds
    them."""
    is_folder = candidate.path not in candidate.files
    if is_folder:
        return []
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
    """Returns the current glossary that was kept at the path of an earlier one, or None."""
    labels = [release.label for release in searched.releases if release.label in earlier.labels]
    for one in current:
        if _is_earlier_path(one, earlier, first=labels[0]):
            return one
    return None


def _is_earlier_path(current: GlossaryCandidate, earlier: GlossaryCandidate, *, first: str) -> bool:
    """True if a glossary was kept at an earlier path: the terms are the same, and some release has
    the earlier path alone. `first` is the oldest release with that."""
    is_translation = earlier.language not in (current.language, "")
    if is_translation or not overlap(current, earlier):
        return False
    was_moved = earlier.release.label not in current.labels
    if was_moved:
        return True
    # The newest release has both: the earlier one is a copy that was left behind, if it is older
    # and nearly all of its terms are the same, else another glossary with some terms in common.
    number_of_common = len(current.names & earlier.names)
    return 5 * number_of_common >= 4 * len(earlier.names) and first not in current.labels


def _found_glossary(
    candidate: GlossaryCandidate, paths: Sequence[str], searched: SearchedRepository
) -> FoundGlossary:
    """Returns the glossary at these paths, the newest first."""
    return FoundGlossary(
        paths=tuple(paths),
        entries=len(candidate.names),
        last=searched.newest_with(literal(candidate.path)).label,
        is_current=candidate.release is searched.newest,
        section=candidate.section,
        versions=_version_folders(candidate, searched),
        format=candidate.format,
    )


# The folders of versions.


def _version_folders(candidate: GlossaryCandidate, searched: SearchedRepository) -> str:
    """Returns the path template of the folders of the versions of a glossary, or of the copies for
    older versions that are beside it, such as `versioned_docs/{version}/words.md`; empty if there
    are none."""
    if candidate.version:
        return _template(candidate.path, candidate.version)
    if candidate.release is not searched.newest:
        return ""
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
