"""Finds glossaries whose names do not suggest one: a repository with a page for each term, and
sections of larger files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from math import ceil
from pathlib import PurePosixPath

from sitegen.sources.discovery.classification import (
    TERM_FILE,
    are_pages,
    defined,
    entries,
    first_title,
    section_of,
)
from sitegen.sources.discovery.glossary_candidates import GlossaryCandidate
from sitegen.sources.discovery.other_documents import is_something_else
from sitegen.sources.discovery.search_results import LeftOut
from sitegen.sources.discovery.searched_repository import SearchedRepository
from sitegen.sources.glossary_names import (
    PAGES,
    TEXTS,
    dimensions,
    is_beside_terms,
    is_main_language,
    is_skipped,
    suggests_glossary,
)

MIN_ENTRIES = 3
"""The minimum number of terms of a glossary, if any candidate has as many."""
MAX_SECTIONS = 200
"""The maximum number of larger files that are searched for a section of terms."""
MAX_DEPTH = 1
"""The maximum number of folders above such a file."""
SAMPLE = 8
"""The number of pages of a folder that are read to check whether each defines one term."""


def is_titled_glossary(searched: SearchedRepository) -> bool:
    """Returns whether the title of the README says that the repository is a glossary, such as in a
    clone that has another name."""
    for path, id in searched.newest_files.items():
        is_readme = "/" not in path and PurePosixPath(path).stem.lower() == "readme"
        if not is_readme:
            continue
        for _, text in searched.texts({path: id}):
            if suggests_glossary(first_title(text)):
                return True
    return False


def folder_of_pages(searched: SearchedRepository) -> GlossaryCandidate | None:
    """Returns the largest folder of the repository in which each page defines one term, or None.
    The folders of its translations are left out."""
    folders = _folders_of_pages(searched.newest_files)

    def rank(folder: str) -> tuple[bool, int, str]:
        is_translated = not is_main_language(dimensions(folder)[1])
        return is_translated, -len(folders[folder]), folder

    large = []
    for folder, files in folders.items():
        if len(files) >= MIN_ENTRIES:
            large.append(folder)
    for folder in sorted(large, key=rank)[:SAMPLE]:
        files = folders[folder]
        step = ceil(len(files) / SAMPLE)
        sample = searched.texts(dict(islice(files.items(), 0, None, step)))
        number = sum(len(entries(path, text)) == 1 for path, text in sample)
        format = ""
        if 4 * number < 3 * len(sample):
            if not are_pages(sample):
                continue
            format = TERM_FILE
        searched.left_out[:] = _translations_of(folder, folders)
        return GlossaryCandidate(
            path=folder,
            files=files,
            release=searched.newest,
            names=frozenset(PurePosixPath(path).stem.casefold() for path in files),
            generic=folder,
            format=format,
        )
    return None


def _folders_of_pages(files: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Returns the files that may define one term each, by their folders; those in folders of one
    letter, such as `a/`, by the folder above."""
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for path, id in files.items():
        *parents, name = path.split("/")
        if PurePosixPath(name).suffix.lower() not in PAGES or any(map(is_skipped, parents)):
            continue
        if parents and len(parents[-1]) == 1:
            parents.pop()
        if parents and not is_beside_terms(name):
            folders["/".join(parents)][path] = id
    return folders


def _translations_of(folder: str, folders: Iterable[str]) -> list[LeftOut]:
    """Returns those of the folders that differ from one in the language only."""
    generic, _, _ = dimensions(folder)
    translations = []
    for other in sorted(folders):
        if other != folder and dimensions(other)[0] == generic:
            translations.append(LeftOut(path=other, why=f"translations of {folder}"))
    return translations


def section_of_terms(searched: SearchedRepository) -> GlossaryCandidate | None:
    """Returns the best of the larger files with a section of terms, or None; READMEs are searched
    first."""
    files = {path: searched.newest_files[path] for path in _near_texts(searched)[:MAX_SECTIONS]}
    found = []
    for path, text in searched.texts(files):
        section = section_of(text)
        if not section or is_something_else(path, text):
            continue
        names = defined(path, text, section)
        if len(names) >= MIN_ENTRIES:
            candidate = GlossaryCandidate(
                path=path,
                files={path: files[path]},
                release=searched.newest,
                names=names,
                section=section,
                generic=path,
            )
            found.append(candidate)
    return min(found, key=_section_rank, default=None)


def _section_rank(candidate: GlossaryCandidate) -> tuple[int, int, str]:
    return candidate.path.count("/"), -len(candidate.names), candidate.path


def _near_texts(searched: SearchedRepository) -> list[str]:
    """Returns the paths of the texts near the top of the repository, READMEs first."""
    left_out = {one.path for one in searched.left_out}
    paths = []
    for path in searched.newest_files:
        place = PurePosixPath(path)
        is_near = path.count("/") <= MAX_DEPTH and not any(map(is_skipped, place.parts[:-1]))
        if is_near and place.suffix.lower() in TEXTS and path not in left_out:
            paths.append(path)
    return sorted(
        paths, key=lambda path: (path.count("/"), not path.lower().startswith("readme"), path)
    )


def leave_out_elsewhere(searched: SearchedRepository) -> None:
    """Names the files that are called like a glossary in folders that are not searched, such as
    `templates`."""
    for path in searched.newest_files:
        name = PurePosixPath(path)
        is_named = suggests_glossary(name.stem) and name.suffix.lower() in PAGES
        skipped = list(filter(is_skipped, name.parts[:-1]))
        if is_named and skipped:
            why = f"a folder called {skipped[0]} is not searched; name the file with --path"
            searched.leave_out(path, why)
