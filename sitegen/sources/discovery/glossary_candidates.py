"""Finds the files and folders whose names suggest a glossary, and the terms in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from sitegen.config.patterns import literal
from sitegen.model import Release
from sitegen.sources.discovery.classification import (
    TERM_FILE,
    are_pages,
    defined,
    has_terms_only,
    included,
    no_terms,
    section_of,
    title_of_text,
    unread_reason,
)
from sitegen.sources.discovery.other_documents import is_something_else
from sitegen.sources.discovery.searched_repository import SearchedRepository
from sitegen.sources.glossary_names import (
    NEXT,
    by_folder,
    dimensions,
    is_beside_terms,
    is_context,
    is_version_folder,
    suggests_glossary,
)
from sitegen.sources.language_tags import without_translations
from sitegen.sources.trees import TreeFiles

MAIN_PAGES = frozenset({"index", "_index", "readme", "main", "page", "overview"})
"""Stems of a folder's index page."""


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


def find_candidates(searched: SearchedRepository) -> list[GlossaryCandidate]:
    """Returns every path whose name suggests a glossary, at the newest release that has it, the
    newest first."""
    candidates: dict[str, GlossaryCandidate] = {}
    labels: dict[str, set[str]] = defaultdict(set)
    for release in reversed(searched.releases):
        for path, files in by_folder(searched.named_files(release.tree)).items():
            if path not in candidates:
                candidates[path] = GlossaryCandidate(path=path, files=files, release=release)
            labels[path].add(release.label)
    found = []
    for path, candidate in candidates.items():
        found.append(with_terms(replace(candidate, labels=frozenset(labels[path])), searched))
    return found


def with_terms(candidate: GlossaryCandidate, searched: SearchedRepository) -> GlossaryCandidate:
    """Returns the candidate with the names of its terms, which are empty if it is not a
    glossary."""
    generic, language, version = dimensions(candidate.path)
    if version and not _is_one_of_several(candidate, generic, version, searched):
        generic, version = candidate.path, ""
    candidate = replace(candidate, generic=generic, language=language, version=version)
    if len(candidate.files) == 1:
        (path,) = candidate.files
        # Files in these formats may have no text at all.
        if why := unread_reason(path):
            leave_out(candidate, why, searched)
            return candidate
    texts = searched.texts(candidate.files)
    if len(texts) != 1:
        return _folder_with_terms(candidate, texts, searched)
    ((path, text),) = texts
    return _file_with_terms(candidate, path, text, searched)


def leave_out(candidate: GlossaryCandidate, why: str, searched: SearchedRepository) -> None:
    """Says why a candidate of the newest release is not proposed."""
    if candidate.release is searched.newest:
        searched.leave_out(candidate.path, why)


def _is_one_of_several(
    candidate: GlossaryCandidate, generic: str, version: str, searched: SearchedRepository
) -> bool:
    """Returns False for a version folder without another one, or a current file, beside it."""
    if version in NEXT or version.startswith("version-"):
        return True
    parent, _, _ = candidate.path.partition(f"{version}/")
    tree = candidate.release.tree
    siblings = searched.trees.folders(searched.trees.below(tree, parent.rstrip("/")) or "")
    versions = list(filter(is_version_folder, siblings))
    return len(versions) > 1 or generic in searched.named_files(tree)


def _folder_with_terms(
    candidate: GlossaryCandidate, texts: Sequence[tuple[str, str]], searched: SearchedRepository
) -> GlossaryCandidate:
    readable = []
    for path, text in texts:
        if not unread_reason(path):
            readable.append((path, text))
    name_sets = [defined(path, text) for path, text in readable]
    sizes = list(map(len, name_sets))
    if 10 * sizes.count(1) < 9 * len(sizes) and are_pages(texts):
        candidate = replace(candidate, format=TERM_FILE)
        name_sets = []
        for path, text in readable:
            if not is_beside_terms(path):
                name_sets.append(defined(path, text, format=TERM_FILE))
    # The listing is without images and the like.
    listing = searched.trees.find(candidate.release.tree, literal(candidate.path))
    number = len(without_translations(listing.files))
    having_terms = list(filter(None, name_sets))
    if 2 * len(having_terms) < len(candidate.files) or 2 * len(candidate.files) < number:
        return candidate
    return replace(candidate, names=frozenset().union(*name_sets))


def _file_with_terms(
    candidate: GlossaryCandidate, path: str, text: str, searched: SearchedRepository
) -> GlossaryCandidate:
    if why := is_something_else(path, text):
        leave_out(replace(candidate, path=path), why, searched)
        return candidate
    names: frozenset[str] = frozenset()
    section = section_of(text)
    if not is_context(path) or (not section and _is_all_glossary(path, text)):
        files = TreeFiles(searched.trees, candidate.release.tree)
        names = defined(path, text, includes=included(path, text, files))
    if section and not names:
        section_names = defined(path, text, section)
        if section_names:
            return replace(candidate, names=section_names, section=section)
    is_named = suggests_glossary(PurePosixPath(path).stem)
    if is_named and not names:
        leave_out(replace(candidate, path=path), no_terms(path, text), searched)
    if is_named or is_context(path) or _is_main_page(path):
        return replace(candidate, names=names)
    return candidate


def _is_all_glossary(path: str, text: str) -> bool:
    """True for the glossary of a context that has nothing but terms, by its title or its look."""
    return suggests_glossary(title_of_text(text)) or has_terms_only(path, text)


def _is_main_page(path: str) -> bool:
    """True for the main page of a folder whose name suggests a glossary."""
    place = PurePosixPath(path)
    return place.stem.lower() in MAIN_PAGES and suggests_glossary(place.parent.name)
