"""Finds the earlier paths of glossaries, by git's rename detection, or by shared terms if a move
changed too much for it; and the folders of their versions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from sitegen.config.patterns import literal
from sitegen.sources.discovery.choice import overlap
from sitegen.sources.discovery.glossary_candidates import GlossaryCandidate
from sitegen.sources.discovery.search_results import FoundGlossary
from sitegen.sources.discovery.searched_repository import SearchedRepository
from sitegen.sources.git.dated_states import former_paths
from sitegen.sources.git.listing import TooManyPathsError
from sitegen.sources.glossary_names import by_folder, current_first, dimensions, is_main_language
from sitegen.sources.trees import PLACEHOLDER
from sitegen.text.decoding import is_plain
from sitegen.text.release_names import HEADS, is_version, ordered


def with_earlier_paths(
    current: Sequence[GlossaryCandidate],
    past: Sequence[GlossaryCandidate],
    searched: SearchedRepository,
) -> list[FoundGlossary]:
    """Returns the current glossaries with their earlier paths from `past`, and those that were
    removed."""
    paths = {}
    for one in current:
        paths[one.path] = [one.path, *_versions_of(one, searched), *renamed_from(one, searched)]
    former: list[GlossaryCandidate] = []
    for one in past:
        if any(one.path in known for known in paths.values()):
            continue
        successor = _successor(one, current, searched)
        if successor:
            paths[successor.path].append(one.path)
            continue
        is_present = one.release is searched.newest
        is_main = is_main_language(one.language) and not one.version
        if is_main and not is_present and not any(overlap(other, one) for other in former):
            former.append(one)
    glossaries = []
    for one in current:
        glossaries.append(found_glossary(one, current_first(paths[one.path]), searched))
    for one in former:
        glossaries.append(found_glossary(one, [one.path, *renamed_from(one, searched)], searched))
    return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))


def renamed_from(candidate: GlossaryCandidate, searched: SearchedRepository) -> list[str]:
    """Returns the former paths of a file, newest first, as far as git's rename detection finds
    them."""
    path = candidate.path
    if path not in candidate.files:
        return []
    former: list[str] = []
    try:
        for one in former_paths(searched.folder, candidate.release.commit, path):
            if one != path and one not in former and is_plain(one):
                former.append(one)
    except TooManyPathsError as error:
        searched.leave_out_paths(error)
    return former


def _successor(
    earlier: GlossaryCandidate, current: Sequence[GlossaryCandidate], searched: SearchedRepository
) -> GlossaryCandidate | None:
    """Returns the current glossary that was kept at the path of an earlier one, or None."""
    order = [release.label for release in searched.releases]
    for one in current:
        if _is_earlier_path(one, earlier, order):
            return one
    return None


def _is_earlier_path(
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


def found_glossary(
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


def _versions_of(candidate: GlossaryCandidate, searched: SearchedRepository) -> list[str]:
    """Returns the paths of the older versions of a glossary that has a folder for each version."""
    if not candidate.version:
        return []
    path = _template(candidate.path, candidate.version)
    above, _, _ = path.partition(PLACEHOLDER)
    folders = searched.trees.folders(searched.trees.below(searched.newest.tree, above) or "")
    labels = []
    for name in folders:
        if is_version(name) and name.lower() not in HEADS and name != candidate.version:
            labels.append(name)
    return [path.replace(PLACEHOLDER, label) for label in reversed(ordered(labels))]


def _version_folders(candidate: GlossaryCandidate, searched: SearchedRepository) -> str:
    """Returns the path template of the folders of the versions of a glossary, or of copies for
    older versions; empty if there are none."""
    if candidate.version:
        return _template(candidate.path, candidate.version)
    if candidate.release is not searched.newest:
        return ""
    name = PurePosixPath(candidate.path).name
    for path in by_folder(searched.named_files(searched.newest.tree)):
        generic, language, version = dimensions(path)
        is_same = language == candidate.language and PurePosixPath(generic).name == name
        if version and is_same:
            return _template(path, version)
    return ""


def _template(path: str, version: str) -> str:
    """Returns a path with `{version}` in place of the folder of its version."""
    parts = path.split("/")
    parts[parts.index(version)] = PLACEHOLDER
    return "/".join(parts)
