"""Finds the files and folders that may be glossaries, and the terms in them: those whose names
suggest it, else a folder with a page for each term, and sections of larger files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import ceil
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.config.patterns import literal
from sitegen.formats.common.headings import title_of
from sitegen.model import Document, Release
from sitegen.sources.discovery.classification import (
    TERM_FILE,
    are_pages,
    defined,
    folded_name,
    headings,
    is_clearly_glossary,
    no_terms_reason,
    section_of,
    unread_reason,
)
from sitegen.sources.discovery.other_documents import kind_of_other_document
from sitegen.sources.discovery.searched_repository import SearchedRepository
from sitegen.sources.glossary_names import (
    PAGE_SUFFIXES,
    TEXT_SUFFIXES,
    by_folder,
    is_beside_terms,
    is_context,
    is_data_file,
    is_main_language,
    is_skipped,
    path_variant,
    suggests_glossary,
)
from sitegen.sources.included_files import with_includes
from sitegen.sources.language_tags import language_tag, without_translations
from sitegen.sources.trees import TreeFiles
from sitegen.text.file_names import INDEX_STEMS
from sitegen.text.release_names import is_version

MAIN_PAGES = frozenset({*INDEX_STEMS, "readme", "main", "page", "overview"})
"""Stems of a folder's index page."""
MIN_ENTRIES = 3
"""The minimum number of terms of a glossary, if any candidate has as many."""
MAX_SECTIONS = 200
"""The maximum number of larger files that are searched for a section of terms."""
MAX_FOLDERS_ABOVE = 1
"""The maximum number of folders above a file that is searched for a section."""
SAMPLED_PAGES = 8
"""The number of pages of a folder that are read to check whether each defines one term."""
MAX_FOLDERS = 8
"""The maximum number of folders of pages that are looked at."""


@dataclass(frozen=True, kw_only=True)
class GlossaryCandidate:
    """A file or folder that may be a glossary, at the newest release that contains it."""

    path: str
    files: Mapping[str, str] = field(repr=False)
    """Maps the paths of its files to the ids of their contents."""
    release: Release
    names: frozenset[str] = field(default=frozenset(), repr=False)
    """The names of its terms."""
    section: str = ""
    """The heading of its terms, if only a section of the file is a glossary."""
    generic_path: str = ""
    """The path without its language and its version."""
    language: str = ""
    """The language in the path; empty if it has none."""
    version: str = ""
    """The folder of a version in the path; empty if it has none."""
    format: str = ""
    """The format of its files, if it cannot be detected from their content."""


def find_candidates(release: Release, searched: SearchedRepository) -> list[GlossaryCandidate]:
    """Returns a candidate for every path of a release with a name like a glossary's."""
    candidates = []
    for path, files in by_folder(searched.named_files(release.tree)).items():
        candidate = GlossaryCandidate(path=path, files=files, release=release)
        candidates.append(with_terms(candidate, searched))
    return candidates


def with_terms(candidate: GlossaryCandidate, searched: SearchedRepository) -> GlossaryCandidate:
    """Returns the candidate with the names of its terms, or without names if it is no glossary."""
    variant = path_variant(candidate.path)
    candidate = replace(
        candidate,
        generic_path=variant.generic_path,
        language=variant.language,
        version=variant.version,
    )

    if len(candidate.files) == 1:
        (path,) = candidate.files
        # A file in an unread format may have no text, so it is reported before it is decoded.
        why = unread_reason(path)
        if why:
            searched.leave_out(candidate.path, why, candidate.release)
            return candidate

    documents = searched.documents(candidate.files)
    if len(documents) != 1:
        return _folder_with_terms(candidate, documents, searched)
    (document,) = documents
    return _file_with_terms(candidate, document, searched)


def _folder_with_terms(
    candidate: GlossaryCandidate, documents: Sequence[Document], searched: SearchedRepository
) -> GlossaryCandidate:
    """Returns a folder with the names of its terms, if it is a glossary. At least half of the
    candidate's files define terms, and the candidate has at least half of the folder's files."""
    readable = [document for document in documents if _may_have_terms(document)]

    # Each file may be the page of one term. Then the headings in it are no terms.
    terms_per_file = [len(defined(document)) for document in readable]
    most_define_one = 10 * terms_per_file.count(1) >= 9 * len(terms_per_file)
    if not most_define_one and are_pages(documents):
        candidate = replace(candidate, format=TERM_FILE)
        readable = [document for document in readable if not is_beside_terms(document.path)]

    names_of_files = []
    for document in readable:
        names = defined(replace(document, format=candidate.format))
        if names:
            names_of_files.append(names)
    if 2 * len(names_of_files) < len(candidate.files):
        return candidate

    all_names = frozenset().union(*names_of_files)
    if all(map(is_data_file, candidate.files)):
        # A `package.json` has one description. Files with the same terms are states or translations
        # of one glossary.
        are_copies = 5 * len(all_names) < 4 * sum(map(len, names_of_files))
        if are_copies or len(all_names) < MIN_ENTRIES:
            return candidate

    # The files of the candidate are those with a name like a glossary's.
    listing = searched.trees.find(candidate.release.tree, literal(candidate.path))
    if 2 * len(candidate.files) < len(without_translations(listing.files)):
        return candidate
    return replace(candidate, names=all_names)


def _may_have_terms(document: Document) -> bool:
    """True for a file of a folder that can be read, unless it is data of another kind."""
    if unread_reason(document.path):
        return False
    return not (is_data_file(document.path) and kind_of_other_document(document))


def _file_with_terms(
    candidate: GlossaryCandidate, document: Document, searched: SearchedRepository
) -> GlossaryCandidate:
    """Returns a candidate of one file with the names of its terms. If only a section of the file
    is a glossary, the candidate gets this section and its terms."""
    path = document.path
    why = kind_of_other_document(document)
    if why:
        searched.leave_out(path, why, candidate.release)
        return candidate

    names = _names_in_whole_file(candidate, document, searched)
    section = section_of(document.text)
    if section and not names:
        names_in_section = defined(replace(document, section=section))
        if names_in_section:
            return replace(candidate, names=names_in_section, section=section)

    is_called_glossary = suggests_glossary(PurePosixPath(path).stem)
    if is_called_glossary and not names:
        searched.leave_out(path, no_terms_reason(document), candidate.release)

    # Another file in a folder called glossary is no glossary by itself.
    if is_called_glossary or is_context(path) or _is_main_page(path):
        return replace(candidate, names=names)
    return candidate


def _names_in_whole_file(
    candidate: GlossaryCandidate, document: Document, searched: SearchedRepository
) -> frozenset[str]:
    """Returns the names of the terms in a file, and in the files that it includes. A CONTEXT.md
    that is no glossary as a whole has none: its headings only look like terms."""
    if is_context(document.path):
        title = title_of(headings(document.text))
        is_glossary = suggests_glossary(title) or is_clearly_glossary(document)
        if not is_glossary or section_of(document.text):
            return frozenset()
    files = TreeFiles(searched.trees, candidate.release.tree)
    return defined(with_includes(document, files))


def _is_main_page(path: str) -> bool:
    """True for the main page of a folder whose name suggests a glossary."""
    place = PurePosixPath(path)
    return place.stem.lower() in MAIN_PAGES and suggests_glossary(place.parent.name)


# Glossaries whose names do not suggest one.


def folder_of_pages(searched: SearchedRepository) -> GlossaryCandidate | None:
    """Returns the largest folder of the repository in which each page defines one term, or
    None."""
    # Folders in the main language come first, then those with the most files.
    ranked = []
    for folder, files in _folders_of_pages(searched.newest_files).items():
        if len(files) >= MIN_ENTRIES:
            is_translated = not is_main_language(path_variant(folder).language)
            ranked.append((is_translated, -len(files), folder, files))
    ranked.sort()

    for _, _, folder, files in ranked[:MAX_FOLDERS]:
        format = _format_of_pages(files, searched)
        if format is None:
            continue
        return GlossaryCandidate(
            path=folder,
            files=files,
            release=searched.newest,
            names=frozenset([folded_name(PurePosixPath(path).stem) for path in files]),
            generic_path=folder,
            format=format,
        )
    return None


def _format_of_pages(files: Mapping[str, str], searched: SearchedRepository) -> str | None:
    """Returns the format of a folder in which most files define one term each: `TERM_FILE` if a
    file is a term as a whole; empty if the format that recognizes a file finds one term in it.
    Returns None for other folders."""
    step = ceil(len(files) / SAMPLED_PAGES)
    sample = searched.documents(dict(islice(files.items(), 0, None, step)))
    if not sample:  # none can be decoded
        return None
    terms_per_file = [len(formats.read(document).entries) for document in sample]
    most_define_one = 4 * terms_per_file.count(1) >= 3 * len(terms_per_file)
    if most_define_one:
        return ""
    if are_pages(sample):
        return TERM_FILE
    return None


def _folders_of_pages(files: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Returns the files that may define one term each, by their folders, and by those above whose
    pages are in several folders: `docs/tools/jig.md` and `docs/parts/vise.md` are in `docs`. It is
    no such folder if most of its pages are in one folder below, or if these are languages or
    versions."""
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for path, id in files.items():
        *parents, name = path.split("/")
        is_page = PurePosixPath(name).suffix.lower() in PAGE_SUFFIXES
        if not is_page or any(map(is_skipped, parents)):
            continue
        if is_beside_terms(name):
            continue
        while parents:
            folders["/".join(parents)][path] = id
            folder = parents.pop()
            if language_tag(folder) or is_version(folder):
                break
    with_most_below = set()
    for folder, pages in folders.items():
        above = str(PurePosixPath(folder).parent)
        if 2 * len(pages) > len(folders.get(above, ())):
            with_most_below.add(above)
    return {folder: pages for folder, pages in folders.items() if folder not in with_most_below}


def section_of_terms(searched: SearchedRepository) -> GlossaryCandidate | None:
    """Returns the best section of terms in a file that is no glossary as a whole, or None."""
    paths = _texts_near_root(searched)[:MAX_SECTIONS]
    files = {path: searched.newest_files[path] for path in paths}
    sections = []
    for document in searched.documents(files):
        section = section_of(document.text)
        if not section or kind_of_other_document(document):
            continue
        names = defined(replace(document, section=section))
        if len(names) >= MIN_ENTRIES:
            path = document.path
            candidate = GlossaryCandidate(
                path=path,
                files={path: files[path]},
                release=searched.newest,
                names=names,
                section=section,
                generic_path=path,
            )
            sections.append(candidate)
    return min(sections, key=_section_rank, default=None)


def _section_rank(candidate: GlossaryCandidate) -> tuple[int, int, str]:
    """Returns the sort key of a file with a section: near the top first, then the most terms."""
    return candidate.path.count("/"), -len(candidate.names), candidate.path


def _texts_near_root(searched: SearchedRepository) -> list[str]:
    """Returns the paths of the texts at the top of the repository or one folder below, READMEs
    first: `README.md`, `GUIDE.md`, `docs/guide.md`."""
    # A file that was left out as a whole has no section of terms either.
    left_out = {one.path for one in searched.left_out}
    paths = []
    for path in searched.newest_files:
        place = PurePosixPath(path)
        folders = place.parts[:-1]
        if len(folders) > MAX_FOLDERS_ABOVE or any(map(is_skipped, folders)):
            continue
        if place.suffix.lower() in TEXT_SUFFIXES and path not in left_out:
            paths.append(path)
    return sorted(paths, key=_text_rank)


def _text_rank(path: str) -> tuple[int, bool, str]:
    """Returns the sort key of a text: READMEs of each depth come first."""
    return path.count("/"), not path.lower().startswith("readme"), path
