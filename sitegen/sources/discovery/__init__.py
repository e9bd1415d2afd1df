"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`.

A file is a candidate by its name, and a glossary if a format finds terms in it. Among translations,
copies for older versions and files with the same terms, one is selected, and the others are left
out with a reason. Earlier paths are found by git's rename detection, or by shared terms if a move
changed too much for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil
from pathlib import Path, PurePosixPath

from sitegen.config.patterns import literal, one_matches
from sitegen.model import Problem, Release
from sitegen.sources.discovery.choice import (
    WITHIN,
    FoundGlossary,
    FoundTranslation,
    GlossaryCandidate,
    LeftOut,
    chosen,
    found_translations,
    is_earlier_path,
    languages_within,
    overlap,
    template,
)
from sitegen.sources.discovery.classification import (
    TERM_FILE,
    are_pages,
    defined,
    entries,
    first_title,
    has_terms_only,
    included,
    no_terms,
    section_of,
    title_of_text,
    unread_reason,
)
from sitegen.sources.discovery.other_documents import is_something_else
from sitegen.sources.git.dated_states import former_paths
from sitegen.sources.git.listing import TooManyPathsError, list_commit
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import NO_COMMIT, Clones, Repository, open_repository
from sitegen.sources.git.tags import read_tags
from sitegen.sources.git_trees import GitTrees
from sitegen.sources.glossary_names import (
    NEXT,
    PAGES,
    TEXTS,
    by_folder,
    current_first,
    dimensions,
    is_beside_terms,
    is_context,
    is_main_language,
    is_skipped,
    is_version_folder,
    may_be_glossary,
    suggests_glossary,
)
from sitegen.sources.language_tags import without_translations
from sitegen.sources.trees import PLACEHOLDER, TreeFiles
from sitegen.text.decoding import MAX_DOCUMENT_BYTES, decode, is_plain
from sitegen.text.release_names import HEADS, is_version, ordered

MIN_ENTRIES = 3
"""The minimum number of terms of a glossary, if any candidate has as many."""
MAX_RELEASES = 24
"""The maximum number of releases that are searched. If there are more, they are sampled at equal
distances."""
MAX_FILES = 500
"""The maximum number of files of one glossary that are read to count its terms."""
MAX_SECTIONS = 200
"""The maximum number of larger files that are searched for a section of terms."""
MAX_DEPTH = 1
"""The maximum number of folders above such a file."""
SAMPLE = 8
"""The number of pages of a folder that are read to check whether each defines one term."""
MAIN_PAGES = frozenset({"index", "_index", "readme", "main", "page", "overview"})
"""Stems of a folder's index page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResult:
    """The result of searching a repository."""

    glossaries: tuple[FoundGlossary, ...] = ()
    """Sorted: current ones first, then by size."""
    left_out: tuple[LeftOut, ...] = ()
    problems: tuple[Problem, ...] = ()


def find_glossaries(
    address: str, *, root: Path, clones: Clones, paths: Sequence[str] = ()
) -> SearchResult:
    """Returns the glossaries of a repository, which is a folder relative to `root`, or an address.

    If `paths` are given, they are used as the glossary, and nothing else is searched.
    """
    try:
        with open_repository(address, root=root, clones=clones) as repository:
            search = _Search(repository)
            result = search.at_paths(paths) if paths else search.anywhere()
            return replace(result, problems=repository.problems)
    except GitError as error:
        return SearchResult(problems=(error.problem(address),))


class _Search:
    """The search of one repository."""

    def __init__(self, repository: Repository) -> None:
        self.folder, self.project = repository.folder, repository.name
        self.trees = GitTrees(repository.objects)
        tags = read_tags(repository, head="HEAD")
        self.newest_first = tags.tagged[::-1]
        step = ceil(len(tags.tagged) / MAX_RELEASES) or 1
        self.releases = [*reversed(self.newest_first[::step])]
        if tags.head:
            self.releases.append(tags.head)
        if not self.releases:
            raise GitError(f"{NO_COMMIT}; commit the glossary first")
        self.newest = self.releases[-1]
        self.left_out: list[LeftOut] = []
        self.listings: dict[str, Mapping[str, str]] = {}
        self.newest_files = self._all_files(self.newest.tree)
        self.is_too_large = bool(self.left_out)

    def at_paths(self, paths: Sequence[str]) -> SearchResult:
        """Returns the glossary at these paths, with the former names of the first, regardless of
        file names."""
        release = self._newest_with(paths[0])
        files = self.trees.find(release.tree, paths[0]).files
        candidate = self._with_terms(GlossaryCandidate(path=paths[0], files=files, release=release))
        if not candidate.names:
            names: set[str] = set()
            for path, text in self._texts(files):
                if not unread_reason(path):
                    names |= defined(path, text)
            candidate = replace(candidate, names=frozenset(names))
        all_paths = dict.fromkeys((*paths, *self._former_paths(candidate)))
        glossaries = []
        if candidate.names:
            glossary = self._glossary(candidate, [*all_paths])
            glossaries.append(self._with_translations(glossary))
        return SearchResult(
            glossaries=tuple(glossaries), left_out=tuple(dict.fromkeys(self.left_out))
        )

    def anywhere(self) -> SearchResult:
        """Returns the glossaries of the repository, and what was left out."""
        if self.is_too_large:
            return SearchResult(left_out=tuple(self.left_out))
        candidates = [self._with_terms(one) for one in self._candidates()]
        present = [one for one in candidates if one.release is self.newest]
        large = [one for one in candidates if len(one.names) >= MIN_ENTRIES]
        past = [one for one in large if one.release is not self.newest]
        past += [one for one in large if one.release is self.newest and not one.version]
        current = self._current(present)
        if not current:
            self._leave_out_elsewhere()
        glossaries = [*map(self._with_translations, self._with_earlier(current, past))]
        left_out = dict.fromkeys(self.left_out)
        unused = [one for one in left_out if not _is_used(one.path, glossaries)]
        return SearchResult(glossaries=tuple(glossaries), left_out=tuple(unused))

    def _current(self, present: Sequence[GlossaryCandidate]) -> Sequence[GlossaryCandidate]:
        """Returns the glossaries of the newest release, of these candidates; if there are none, the
        pages of the repository or a section of a file."""
        current, left_out = chosen(present, project=self.project)
        self.left_out += left_out
        if suggests_glossary(self.project) or (not current and self._is_titled_glossary()):
            pages = self._pages()
            best = max((len(one.names) for one in current), default=0)
            if pages and len(pages.files) > best:
                current = [pages]
        large = [one for one in current if len(one.names) >= MIN_ENTRIES or is_context(one.path)]
        if not large:
            return current or self._sections()
        for one in current:
            if one not in large:
                why = f"it has fewer than {MIN_ENTRIES} terms, and {large[0].path} has more"
                self._leave_out(one, one.path, why)
        return large

    def _with_translations(self, glossary: FoundGlossary) -> FoundGlossary:
        if not glossary.is_current:
            return glossary
        files = self.trees.find(self.newest.tree, glossary.patterns[0]).files
        originals = without_translations(files)
        several = {path: id for path, id in originals.items() if path.lower().endswith(WITHIN)}
        within = languages_within(self._texts(several))
        found: list[FoundTranslation] = []
        try:
            found += found_translations(
                glossary,
                originals,
                self.newest_files,
                folder=self.folder,
                commit=self.newest.commit,
            )
        except GitError as error:
            self._leave_out_paths(error)
        return replace(glossary, translations=(*found, *within))

    # Candidates: files whose name or folder suggests a glossary.

    def _candidates(self) -> list[GlossaryCandidate]:
        """Returns every path whose name suggests a glossary, at the newest release that has it, the
        newest first."""
        candidates: dict[str, GlossaryCandidate] = {}
        labels: dict[str, set[str]] = defaultdict(set)
        for release in reversed(self.releases):
            for path, files in by_folder(self._files(release.tree)).items():
                if path not in candidates:
                    candidates[path] = GlossaryCandidate(path=path, files=files, release=release)
                labels[path].add(release.label)
        return [replace(one, labels=frozenset(labels[path])) for path, one in candidates.items()]

    def _files(self, tree: str) -> Mapping[str, str]:
        """Returns the files of a tree whose names or folders suggest a glossary."""
        if tree not in self.listings:
            files = self.newest_files if tree == self.newest.tree else self._all_files(tree)
            named = {path: id for path, id in files.items() if may_be_glossary(path)}
            self.listings[tree] = named
        return self.listings[tree]

    def _with_terms(self, candidate: GlossaryCandidate) -> GlossaryCandidate:
        """Returns the candidate with the names of its terms, which are empty if it is not a
        glossary."""
        generic, language, version = dimensions(candidate.path)
        if version and not self._is_one_of_several(candidate, generic, version):
            generic, version = candidate.path, ""
        candidate = replace(candidate, generic=generic, language=language, version=version)
        # Files in these formats may have no text at all.
        if len(candidate.files) == 1 and (why := unread_reason(next(iter(candidate.files)))):
            self._leave_out(candidate, candidate.path, why)
            return candidate
        texts = self._texts(candidate.files)
        if len(texts) == 1:
            return self._file_with_terms(candidate, *texts[0])
        return self._folder_with_terms(candidate, texts)

    def _folder_with_terms(
        self, candidate: GlossaryCandidate, texts: list[tuple[str, str]]
    ) -> GlossaryCandidate:
        readable = [(path, text) for path, text in texts if not unread_reason(path)]
        name_sets = [defined(path, text) for path, text in readable]
        single = [names for names in name_sets if len(names) == 1]
        if 10 * len(single) < 9 * len(name_sets) and are_pages(texts):
            pages = [(path, text) for path, text in readable if not is_beside_terms(path)]
            name_sets = [defined(path, text, format=TERM_FILE) for path, text in pages]
            candidate = replace(candidate, format=TERM_FILE)
        # The listing is without images and the like.
        listing = self.trees.find(candidate.release.tree, literal(candidate.path))
        number = len(without_translations(listing.files))
        have_terms = 2 * len([names for names in name_sets if names]) >= len(candidate.files)
        if not have_terms or 2 * len(candidate.files) < number:
            return candidate
        return replace(candidate, names=frozenset().union(*name_sets))

    def _file_with_terms(
        self, candidate: GlossaryCandidate, path: str, text: str
    ) -> GlossaryCandidate:
        if why := is_something_else(path, text):
            self._leave_out(candidate, path, why)
            return candidate
        names: frozenset[str] = frozenset()
        section = section_of(text)
        if not is_context(path) or (not section and _is_all_glossary(path, text)):
            files = TreeFiles(self.trees, candidate.release.tree)
            names = defined(path, text, includes=included(path, text, files))
        if section and not names:
            section_names = defined(path, text, section)
            if section_names:
                return replace(candidate, names=section_names, section=section)
        is_named = suggests_glossary(PurePosixPath(path).stem)
        if is_named and not names:
            self._leave_out(candidate, path, no_terms(path, text))
        if is_named or is_context(path) or _is_main_page(path):
            return replace(candidate, names=names)
        return candidate

    def _leave_out(self, candidate: GlossaryCandidate, path: str, why: str) -> None:
        if candidate.release is self.newest:
            self.left_out.append(LeftOut(path=path, why=why))

    def _is_one_of_several(self, candidate: GlossaryCandidate, generic: str, version: str) -> bool:
        """Returns False for a version folder without another one, or a current file, beside it."""
        if version in NEXT or version.startswith("version-"):
            return True
        parent, _, _ = candidate.path.partition(f"{version}/")
        tree = candidate.release.tree
        siblings = self.trees.folders(self.trees.below(tree, parent.rstrip("/")) or "")
        versions = [name for name in siblings if is_version_folder(name)]
        return len(versions) > 1 or generic in self._files(tree)

    def _texts(self, files: Mapping[str, str]) -> list[tuple[str, str]]:
        """Returns the paths and texts of those of the first files that can be decoded."""
        first = dict(islice(files.items(), MAX_FILES))
        blobs = {}
        for blob in self.trees.objects.read(first.values(), limit=MAX_DOCUMENT_BYTES):
            blobs[blob.id] = blob.data
        texts = []
        for path, id in first.items():
            data = blobs[id]
            text = None if data is None else decode(data, path=path).text
            if text is not None:
                texts.append((path, text))
        return texts

    # Other locations: a page for each term, and sections of larger files.

    def _is_titled_glossary(self) -> bool:
        """Returns whether the title of the README says that the repository is a glossary, such as
        in a clone that has another name."""
        for path, id in self.newest_files.items():
            if "/" in path or PurePosixPath(path).stem.lower() != "readme":
                continue
            if any(suggests_glossary(first_title(text)) for _, text in self._texts({path: id})):
                return True
        return False

    def _pages(self) -> GlossaryCandidate | None:
        """Returns the largest folder of the repository in which each page defines one term, or
        None."""
        folders = self._folders_of_pages()

        def rank(folder: str) -> tuple[bool, int, str]:
            is_translated = not is_main_language(dimensions(folder)[1])
            return is_translated, -len(folders[folder]), folder

        large = [folder for folder, files in folders.items() if len(files) >= MIN_ENTRIES]
        for folder in sorted(large, key=rank)[:SAMPLE]:
            files = folders[folder]
            step = ceil(len(files) / SAMPLE)
            sample = self._texts(dict(islice(files.items(), 0, None, step)))
            single = [path for path, text in sample if len(entries(path, text)) == 1]
            is_single = 4 * len(single) >= 3 * len(sample)
            if is_single or are_pages(sample):
                self.left_out = _translations_of(folder, folders)
                return GlossaryCandidate(
                    path=folder,
                    files=files,
                    release=self.newest,
                    names=frozenset(PurePosixPath(path).stem.casefold() for path in files),
                    generic=folder,
                    format="" if is_single else TERM_FILE,
                )
        return None

    def _folders_of_pages(self) -> Mapping[str, Mapping[str, str]]:
        """Returns the files that may define one term each, by their folders; those in folders of
        one letter, such as `a/`, by the folder above."""
        folders: dict[str, dict[str, str]] = defaultdict(dict)
        for path, id in self.newest_files.items():
            *parents, name = path.split("/")
            if PurePosixPath(name).suffix.lower() not in PAGES or any(map(is_skipped, parents)):
                continue
            if parents and len(parents[-1]) == 1:
                parents.pop()
            if parents and not is_beside_terms(name):
                folders["/".join(parents)][path] = id
        return folders

    def _all_files(self, tree: str) -> Mapping[str, str]:
        """Returns the ids of all files below a tree by their paths, without links, submodules and
        names that cannot be shown; none if there are too many."""
        files = {}
        try:
            for file in list_commit(self.folder, tree):
                if file.mode.startswith("100") and is_plain(file.path):
                    files[file.path] = file.id
        except TooManyPathsError as error:
            self._leave_out_paths(error)
        return files

    def _leave_out_elsewhere(self) -> None:
        """Names the files that are called like a glossary in folders that are not searched, such
        as `templates`."""
        for path in self.newest_files:
            name = PurePosixPath(path)
            is_named = suggests_glossary(name.stem) and name.suffix.lower() in PAGES
            skipped = [folder for folder in name.parts[:-1] if is_skipped(folder)]
            if is_named and skipped:
                why = f"a folder called {skipped[0]} is not searched; name the file with --path"
                self.left_out.append(LeftOut(path=path, why=why))

    def _leave_out_paths(self, error: GitError) -> None:
        wanted = "write the path of the glossary, its former paths and translations in `paths`"
        self.left_out.append(LeftOut(path=self.project, why=f"{error}; {wanted}"))

    def _sections(self) -> list[GlossaryCandidate]:
        """Returns the best of the larger files with a section of terms, in a list; READMEs are
        searched first."""
        files = self.newest_files
        left_out = {candidate.path for candidate in self.left_out}
        paths = []
        for path in files:
            place = PurePosixPath(path)
            is_near = path.count("/") <= MAX_DEPTH and not any(map(is_skipped, place.parts[:-1]))
            if is_near and place.suffix.lower() in TEXTS and path not in left_out:
                paths.append(path)
        paths.sort(key=lambda path: (path.count("/"), not path.lower().startswith("readme"), path))
        found = []
        for path, text in self._texts({path: files[path] for path in paths[:MAX_SECTIONS]}):
            section = section_of(text)
            if not section or is_something_else(path, text):
                continue
            terms = defined(path, text, section)
            if len(terms) >= MIN_ENTRIES:
                one = GlossaryCandidate(
                    path=path, files={path: files[path]}, release=self.newest, generic=path
                )
                found.append(replace(one, names=terms, section=section))
        return sorted(found, key=lambda one: (one.path.count("/"), -len(one.names), one.path))[:1]

    # Earlier paths.

    def _with_earlier(
        self, current: Sequence[GlossaryCandidate], past: Sequence[GlossaryCandidate]
    ) -> list[FoundGlossary]:
        """Returns the current glossaries with their earlier paths from `past`, and those that were
        removed."""
        paths = {}
        for one in current:
            paths[one.path] = [one.path, *self._versions_of(one), *self._former_paths(one)]
        former: list[GlossaryCandidate] = []
        for one in past:
            if any(one.path in known for known in paths.values()):
                continue
            successor = self._successor(one, current)
            if successor:
                paths[successor.path].append(one.path)
                continue
            is_present = one.release is self.newest
            is_main = is_main_language(one.language) and not one.version
            if is_main and not is_present and not any(overlap(other, one) for other in former):
                former.append(one)
        glossaries = [self._glossary(one, current_first(paths[one.path])) for one in current]
        glossaries += [self._glossary(one, [one.path, *self._former_paths(one)]) for one in former]
        return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))

    def _successor(
        self, earlier: GlossaryCandidate, current: Sequence[GlossaryCandidate]
    ) -> GlossaryCandidate | None:
        """Returns the current glossary that was kept at the path of an earlier one, or None."""
        order = [release.label for release in self.releases]
        for one in current:
            if is_earlier_path(one, earlier, order):
                return one
        return None

    def _versions_of(self, candidate: GlossaryCandidate) -> list[str]:
        """Returns the paths of the older versions of a glossary that has a folder for each
        version."""
        if not candidate.version:
            return []
        path = template(candidate.path, candidate.version)
        above, _, _ = path.partition(PLACEHOLDER)
        folders = self.trees.folders(self.trees.below(self.newest.tree, above) or "")
        labels = [name for name in folders if is_version(name) and name.lower() not in HEADS]
        newest_first = reversed(ordered(name for name in labels if name != candidate.version))
        return [path.replace(PLACEHOLDER, label) for label in newest_first]

    def _glossary(self, candidate: GlossaryCandidate, paths: Sequence[str]) -> FoundGlossary:
        if candidate.version:
            versions = template(candidate.path, candidate.version)
        else:
            versions = self._copies_of(candidate)
        return FoundGlossary(
            paths=tuple(paths),
            entries=len(candidate.names),
            last=self._newest_with(literal(candidate.path)).label,
            is_current=candidate.release is self.newest,
            section=candidate.section,
            versions=versions,
            format=candidate.format,
        )

    def _newest_with(self, pattern: str) -> Release:
        """Returns the newest release that has a file at these paths, also one that was not
        searched; the newest of all if none has."""
        for release in (self.newest, *self.newest_first):
            if self.trees.find(release.tree, pattern).files:
                return release
        return self.newest

    def _copies_of(self, candidate: GlossaryCandidate) -> str:
        """Returns the path template of folders with older versions of a glossary; empty if there
        are none."""
        if candidate.release is not self.newest:
            return ""
        name = PurePosixPath(candidate.path).name
        for path in by_folder(self._files(self.newest.tree)):
            generic, language, version = dimensions(path)
            is_same = language == candidate.language and PurePosixPath(generic).name == name
            if version and is_same:
                return template(path, version)
        return ""

    def _former_paths(self, candidate: GlossaryCandidate) -> list[str]:
        """Returns the former paths of a file, newest first, as far as git's rename detection finds
        them."""
        path = candidate.path
        if path not in candidate.files:
            return []
        former: list[str] = []
        try:
            for one in former_paths(self.folder, candidate.release.commit, path):
                if one != path and one not in former and is_plain(one):
                    former.append(one)
        except TooManyPathsError as error:
            self._leave_out_paths(error)
        return former


def _is_used(path: str, glossaries: Sequence[FoundGlossary]) -> bool:
    """True if a path is one of a glossary, or of a translation of one."""
    for glossary in glossaries:
        if path in glossary.paths:
            return True
        for translation in glossary.translations:
            if one_matches(translation.patterns, f"{path}/x.md"):
                return True
    return False


def _is_all_glossary(path: str, text: str) -> bool:
    """True for the glossary of a context that has nothing but terms, by its title or its look."""
    return suggests_glossary(title_of_text(text)) or has_terms_only(path, text)


def _is_main_page(path: str) -> bool:
    """True for the main page of a folder whose name suggests a glossary."""
    place = PurePosixPath(path)
    return place.stem.lower() in MAIN_PAGES and suggests_glossary(place.parent.name)


def _translations_of(folder: str, folders: Iterable[str]) -> list[LeftOut]:
    """Returns those of the folders that differ from one in the language only."""
    generic = dimensions(folder)[0]
    others = sorted(one for one in folders if one != folder and dimensions(one)[0] == generic)
    return [LeftOut(path=one, why=f"translations of {folder}") for one in others]
