"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`.

A file is a candidate by its name, and a glossary if a format finds terms in it. Among translations,
copies for older versions and files with the same terms, one is selected, and the others are left
out with a reason. Earlier paths are found by git's rename detection, or by shared terms if a move
changed too much for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sitegen.config.patterns import literal, matches
from sitegen.model import Problem, Release
from sitegen.sources.discovery.choice import (
    WITHIN,
    FoundGlossary,
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
    is_something_else,
    no_terms,
    refusal,
    section_of,
    title_of_text,
)
from sitegen.sources.git.dated_states import former_paths
from sitegen.sources.git.listing import TooManyPathsError, list_commit
from sitegen.sources.git.process import GitError
from sitegen.sources.git.repositories import NO_COMMIT, Clones, Repository, open_repository
from sitegen.sources.git.tags import read_tags
from sitegen.sources.git_source import CommitFiles, FileContents
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
from sitegen.sources.trees import PLACEHOLDER, GitTrees
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
        self.contents = FileContents(repository.objects)
        tags = read_tags(repository, head="HEAD")
        step = -(-len(tags.tagged) // MAX_RELEASES) or 1
        self.newest_first = tags.tagged[::-1]
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
            read = (defined(path, text) for path, text in self._texts(files) if not refusal(path))
            candidate = replace(candidate, names=frozenset().union(*read))
        all_paths = dict.fromkeys((*paths, *self._former_paths(candidate)))
        glossaries = [self._glossary(candidate, [*all_paths])] if candidate.names else []
        glossaries = [*map(self._with_translations, glossaries)]
        return SearchResult(
            glossaries=tuple(glossaries), left_out=tuple(dict.fromkeys(self.left_out))
        )

    def anywhere(self) -> SearchResult:
        """Returns the glossaries of the repository, and what was left out."""
        if self.is_too_large:
            return SearchResult(left_out=tuple(self.left_out))
        candidates = [self._with_terms(one) for one in self._candidates()]
        past = [
            one
            for one in candidates
            if one.release is not self.newest and len(one.names) >= MIN_ENTRIES
        ]
        present = [one for one in candidates if one.release is self.newest]
        current, left_out = chosen(present, project=self.project)
        self.left_out += left_out
        if suggests_glossary(self.project) or (not current and self._is_titled_glossary()):
            pages = self._pages()
            best = max((len(one.names) for one in current), default=0)
            current = [pages] if pages and len(pages.files) > best else current
        large = [one for one in current if len(one.names) >= MIN_ENTRIES or is_context(one.path)]
        for one in current:
            if large and one not in large:
                why = f"it has fewer than {MIN_ENTRIES} terms, and {large[0].path} has more"
                self._leave_out(one, one.path, why)
        current = large or current or self._sections()
        replaced = [one for one in present if len(one.names) >= MIN_ENTRIES and not one.version]
        if not current:
            self._leave_out_elsewhere()
        glossaries = self._with_earlier(current, [*past, *replaced])
        glossaries = [*map(self._with_translations, glossaries)]
        used = {path for one in glossaries for path in one.paths}
        translated = [
            path for one in glossaries for other in one.translations for path in other.patterns
        ]
        left_out = [
            one
            for one in dict.fromkeys(self.left_out)
            if one.path not in used
            and not any(matches(path, f"{one.path}/x.md") for path in translated)
        ]
        return SearchResult(glossaries=tuple(glossaries), left_out=tuple(left_out))

    def _with_translations(self, glossary: FoundGlossary) -> FoundGlossary:
        if not glossary.is_current:
            return glossary
        originals = without_translations(
            self.trees.find(self.newest.tree, glossary.patterns[0]).files
        )
        several = {path: id for path, id in originals.items() if path.lower().endswith(WITHIN)}
        within = languages_within(self._texts(several))
        try:
            found = tuple(
                found_translations(
                    glossary,
                    originals,
                    self.newest_files,
                    folder=self.folder,
                    commit=self.newest.commit,
                )
            )
        except GitError as error:
            self._leave_out_paths(error)
            found = ()
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
            is_newest = tree == self.newest.tree
            files = (self.newest_files if is_newest else self._all_files(tree)).items()
            self.listings[tree] = {path: id for path, id in files if may_be_glossary(path)}
        return self.listings[tree]

    def _with_terms(self, candidate: GlossaryCandidate) -> GlossaryCandidate:
        """Returns the candidate with the names of its terms, which are empty if it is not a
        glossary."""
        generic, language, version = dimensions(candidate.path)
        if version and not self._is_one_of_several(candidate, generic, version):
            generic, version = candidate.path, ""
        candidate = replace(candidate, generic=generic, language=language, version=version)
        # Files in these formats may have no text at all.
        if len(candidate.files) == 1 and (why := refusal(next(iter(candidate.files)))):
            self._leave_out(candidate, candidate.path, why)
            return candidate
        texts = self._texts(candidate.files)
        if len(texts) == 1:
            return self._file_with_terms(candidate, *texts[0])
        return self._folder_with_terms(candidate, texts)

    def _folder_with_terms(
        self, candidate: GlossaryCandidate, texts: list[tuple[str, str]]
    ) -> GlossaryCandidate:
        name_sets = [defined(path, text) for path, text in texts if not refusal(path)]
        if 10 * sum(len(names) == 1 for names in name_sets) < 9 * len(name_sets) and are_pages(
            texts
        ):
            name_sets = [
                defined(path, text, format=TERM_FILE)
                for path, text in texts
                if not is_beside_terms(path) and not refusal(path)
            ]
            candidate = replace(candidate, format=TERM_FILE)
        listing = self.trees.find(
            candidate.release.tree, literal(candidate.path)
        )  # without images and the like
        number = len(without_translations(listing.files))
        is_folder = (
            2 * sum(map(bool, name_sets)) >= len(candidate.files)
            and 2 * len(candidate.files) >= number
        )
        return replace(candidate, names=frozenset().union(*name_sets) if is_folder else frozenset())

    def _file_with_terms(
        self, candidate: GlossaryCandidate, path: str, text: str
    ) -> GlossaryCandidate:
        if why := is_something_else(path, text):
            self._leave_out(candidate, path, why)
            return candidate
        stem, folder = PurePosixPath(path).stem, PurePosixPath(path).parent.name
        is_larger = is_context(path) and not (
            suggests_glossary(title_of_text(text)) or has_terms_only(path, text)
        )
        section = section_of(text)
        is_part = is_larger or (is_context(path) and section)
        includes = included(
            path, text, CommitFiles(self.trees, self.contents, candidate.release.tree)
        )
        names = frozenset() if is_part else defined(path, text, includes=includes)
        section = "" if names else section
        if section and (section_names := defined(path, text, section)):
            return replace(candidate, names=section_names, section=section)
        if not names and suggests_glossary(stem):
            self._leave_out(candidate, path, no_terms(path, text))
        is_own_page = stem.lower() in MAIN_PAGES and suggests_glossary(folder)
        is_named = is_context(path) or suggests_glossary(stem) or is_own_page
        return replace(candidate, names=names if is_named else frozenset())

    def _leave_out(self, candidate: GlossaryCandidate, path: str, why: str) -> None:
        self.left_out += [LeftOut(path=path, why=why)] if candidate.release is self.newest else []

    def _is_one_of_several(self, candidate: GlossaryCandidate, generic: str, version: str) -> bool:
        """Returns False for a version folder without another one, or a current file, beside it."""
        parent = candidate.path[: candidate.path.index(f"{version}/")].rstrip("/")
        siblings = self.trees.folders(self.trees.below(candidate.release.tree, parent) or "")
        is_archive = version in NEXT or version.startswith("version-")
        return (
            is_archive
            or sum(map(is_version_folder, siblings)) > 1
            or generic in self._files(candidate.release.tree)
        )

    def _texts(self, files: Mapping[str, str]) -> list[tuple[str, str]]:
        first = dict([*files.items()][:MAX_FILES])
        blobs = {
            blob.id: blob.data
            for blob in self.trees.objects.read(first.values(), limit=MAX_DOCUMENT_BYTES)
        }
        texts = [
            (path, decode(data, path=path).text)
            for path, id in first.items()
            if (data := blobs[id]) is not None
        ]
        return [(path, text) for path, text in texts if text is not None]

    # Other locations: a page for each term, and sections of larger files.

    def _is_titled_glossary(self) -> bool:
        """Returns whether the title of the README says that the repository is a glossary, such as
        in a clone that has another name."""
        readmes = {
            path: id
            for path, id in self.newest_files.items()
            if PurePosixPath(path.lower()).stem == "readme" and "/" not in path
        }
        return any(suggests_glossary(first_title(text)) for _, text in self._texts(readmes))

    def _pages(self) -> GlossaryCandidate | None:
        """Returns the largest folder of the repository in which each page defines one term, or
        None."""
        folders: dict[str, dict[str, str]] = defaultdict(dict)
        for path, id in self.newest_files.items():
            *parents, name = path.split("/")
            ending = PurePosixPath(name).suffix.lower()
            if ending in PAGES and not any(map(is_skipped, parents)):
                folder = "/".join(parents[:-1] if parents and len(parents[-1]) == 1 else parents)
                if folder and not is_beside_terms(name):
                    folders[folder][path] = id
        large = (folder for folder, files in folders.items() if len(files) >= MIN_ENTRIES)
        ranked = sorted(
            large,
            key=lambda one: (not is_main_language(dimensions(one)[1]), -len(folders[one]), one),
        )
        for folder in ranked[:SAMPLE]:
            files = folders[folder]
            sample = self._texts(dict([*files.items()][:: -(-len(files) // SAMPLE)]))
            is_single = 4 * sum(len(entries(path, text)) == 1 for path, text in sample) >= 3 * len(
                sample
            )
            if is_single or are_pages(sample):
                generic = dimensions(folder)[0]
                translations = sorted(
                    one for one in folders if one != folder and dimensions(one)[0] == generic
                )
                self.left_out = [
                    LeftOut(path=one, why=f"translations of {folder}") for one in translations
                ]
                return GlossaryCandidate(
                    path=folder,
                    files=files,
                    release=self.newest,
                    names=frozenset(PurePosixPath(path).stem.casefold() for path in files),
                    generic=folder,
                    format="" if is_single else TERM_FILE,
                )
        return None

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
        paths = [path for path in files if path.count("/") <= MAX_DEPTH and path not in left_out]
        paths = [path for path in paths if PurePosixPath(path).suffix.lower() in TEXTS]
        paths = [path for path in paths if not any(map(is_skipped, path.split("/")[:-1]))]
        paths.sort(key=lambda path: (path.count("/"), not path.lower().startswith("readme"), path))
        found = []
        for path, text in self._texts({path: files[path] for path in paths[:MAX_SECTIONS]}):
            section = "" if is_something_else(path, text) else section_of(text)
            terms = defined(path, text, section) if section else frozenset()
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
        paths = {
            one.path: [one.path, *self._versions_of(one), *self._former_paths(one)]
            for one in current
        }
        former: list[GlossaryCandidate] = []
        order = [release.label for release in self.releases]
        for one in past:
            if any(one.path in known for known in paths.values()):
                continue
            successor = next(
                (successor for successor in current if is_earlier_path(successor, one, order)), None
            )
            if successor is not None:
                paths[successor.path].append(one.path)
            elif (
                is_main_language(one.language)
                and not one.version
                and one.release is not self.newest
            ):
                former += [] if any(overlap(other, one) for other in former) else [one]
        glossaries = [self._glossary(one, current_first(paths[one.path])) for one in current]
        glossaries += [self._glossary(one, [one.path, *self._former_paths(one)]) for one in former]
        return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))

    def _versions_of(self, candidate: GlossaryCandidate) -> list[str]:
        """Returns the paths of the older versions of a glossary that has a folder for each
        version."""
        if not candidate.version:
            return []
        path = template(candidate.path, candidate.version)
        folders = self.trees.folders(
            self.trees.below(self.newest.tree, path.partition(PLACEHOLDER)[0]) or ""
        )
        labels = [name for name in folders if is_version(name) and name.lower() not in HEADS]
        return [
            path.replace(PLACEHOLDER, label)
            for label in reversed(ordered(labels))
            if label != candidate.version
        ]

    def _glossary(self, candidate: GlossaryCandidate, paths: Sequence[str]) -> FoundGlossary:
        return FoundGlossary(
            paths=tuple(paths),
            entries=len(candidate.names),
            last=self._newest_with(literal(candidate.path)).label,
            is_current=candidate.release is self.newest,
            section=candidate.section,
            versions=template(candidate.path, candidate.version)
            if candidate.version
            else self._copies_of(candidate),
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
        former: dict[str, None] = {}
        try:
            former |= dict.fromkeys(former_paths(self.folder, candidate.release.commit, path))
        except TooManyPathsError as error:
            self._leave_out_paths(error)
        return [one for one in former if one != path and is_plain(one)]
