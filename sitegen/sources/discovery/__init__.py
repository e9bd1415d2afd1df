"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`.

A file is a candidate by its name, and a glossary if a format finds terms in it. Among translations, copies for older
versions and files with the same terms, one is selected, and the others are left out with a reason. Earlier paths are
found by git's rename detection, or by shared terms if a move changed too much for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sitegen.config.forges import without_password
from sitegen.config.patterns import literal
from sitegen.model import Problem
from sitegen.sources.discovery.choice import (
    FoundGlossary,
    GlossaryCandidate,
    LeftOut,
    chosen,
    is_earlier_path,
    joined,
    overlap,
    template,
)
from sitegen.sources.discovery.texts import (
    TERM_FILE,
    are_pages,
    defined,
    entries,
    has_table_of_terms,
    is_something_else,
    no_terms,
    refusal,
    section_of,
    title_of,
    title_of_text,
)
from sitegen.sources.git.history import former_paths
from sitegen.sources.git.process import GitError, run
from sitegen.sources.git.repositories import NO_COMMIT, Clones, Repository, open_repository
from sitegen.sources.git.tags import read_points
from sitegen.sources.git.trees import PLACEHOLDER, is_version
from sitegen.sources.glossary_names import (
    CONTEXT,
    NEXT,
    PAGES,
    by_folder,
    current_first,
    dimensions,
    is_beside_terms,
    is_main_language,
    is_skipped,
    is_version_folder,
    may_be_glossary,
    suggests_glossary,
)
from sitegen.text.decoding import MAX_BYTES, decode
from sitegen.text.release_names import HEADS, ordered

MIN_ENTRIES = 3
"""The minimum number of terms of a glossary, if any candidate has as many."""
MAX_POINTS = 24
"""The maximum number of releases that are searched. If there are more, they are sampled at equal distances."""
MAX_FILES = 500
"""The maximum number of files of one glossary that are read to count its terms."""
MAX_SECTIONS = 40
"""The maximum number of larger files that are searched for a section of terms."""
MAX_DEPTH = 1
"""The maximum number of folders above such a file."""
SAMPLE = 8
"""The number of pages of a folder that are read to check whether each defines one term."""
MAIN_PAGES = frozenset({"index", "_index", "readme", "main", "page", "overview"})
"""Stems of a folder's index page."""
SECTION = (
    r"^(#+ +)?([0-9.]+ )?(the |our )?(glossary|terminology|key (terms|concepts)|terms and definitions|definitions"
    r"|vocabulary|ubiquitous language|glossaire|glossar|glosario)( of terms)? *:? *#*$"
)
"""A regular expression for headings, for `git grep`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The result of searching a repository."""

    glossaries: tuple[FoundGlossary, ...] = ()
    """Sorted: current ones first, then by size."""
    left_out: tuple[LeftOut, ...] = ()
    title: str = ""
    """The title of the project; empty if unknown."""
    problems: tuple[Problem, ...] = ()


def find_glossaries(address: str, *, root: Path, clones: Clones, paths: Sequence[str] = ()) -> SearchResult:
    """Returns the glossaries of a repository, which is a folder relative to `root`, or an address.

    If `paths` are given, they are used as the glossary, and nothing else is searched.
    """
    try:
        with open_repository(address, root=root, clones=clones) as repository:
            search = _Search(repository)
            found = search.named(paths) if paths else search.found()
            newest = [glossary.paths[0] for glossary in found.glossaries[:1]]
            titles = [title_of(search.trees, search.now.tree, path=path, name=search.project) for path in newest]
            return replace(found, title="".join(titles), problems=repository.problems)
    except GitError as error:
        return SearchResult(problems=(Problem(path=without_password(address), found=str(error)),))


class _Search:
    """The search of one repository."""

    def __init__(self, repository: Repository) -> None:
        self.folder, self.trees, self.project = repository.folder, repository.trees, repository.name
        points = read_points(repository, head="HEAD")
        tagged = points.tagged[::-1][:: -(-len(points.tagged) // MAX_POINTS) or 1][::-1]
        self.points = (*tagged, *([points.head] if points.head else []))
        if not self.points:
            raise GitError(f"{NO_COMMIT}; commit the glossary first")
        self.now = self.points[-1]
        self.left_out: list[LeftOut] = []
        self.listings: dict[tuple[str, bool], dict[str, str]] = {}

    def named(self, paths: Sequence[str]) -> SearchResult:
        """Returns the glossary at these paths, with the former names of the first, whatever they are called."""
        files = self.trees.find(self.now.tree, paths[0]).files
        candidate = self._read(GlossaryCandidate(path=paths[0], files=files, point=self.now))
        if not candidate.names:
            read = (defined(path, text) for path, text in self._texts(files) if not refusal(path))
            candidate = replace(candidate, names=frozenset().union(*read))
        every = dict.fromkeys((*paths, *self._earlier(candidate)))
        return SearchResult(glossaries=(self._glossary(candidate, [*every]),) if candidate.names else ())

    def found(self) -> SearchResult:
        candidates = [self._read(one) for one in self._candidates()]
        past = [one for one in candidates if one.point is not self.now and len(one.names) >= MIN_ENTRIES]
        present = [one for one in candidates if one.point is self.now]
        current, left_out = chosen(present, project=self.project)
        current = joined(current, past)
        self.left_out += left_out
        if suggests_glossary(self.project):
            pages = self._pages()
            best = max((len(one.names) for one in current), default=0)
            current = [pages] if pages and len(pages.files) > best else current
        current = [one for one in current if len(one.names) >= MIN_ENTRIES] or current or self._sections()
        replaced = [one for one in present if len(one.names) >= MIN_ENTRIES and not one.version]
        glossaries = self._with_earlier(current, [*past, *replaced])
        used = {path for one in glossaries for path in one.paths}
        left_out = [one for one in dict.fromkeys(self.left_out) if one.path not in used]
        return SearchResult(glossaries=tuple(glossaries), left_out=tuple(left_out))

    # Candidates: files whose name or folder suggests a glossary.

    def _candidates(self) -> list[GlossaryCandidate]:
        """Returns every path whose name suggests a glossary, at the newest point that contains it; newest first."""
        found: dict[str, GlossaryCandidate] = {}
        having: dict[str, set[str]] = defaultdict(set)
        for point in reversed(self.points):
            for path, files in by_folder(self._files(point.tree)).items():
                if path not in found:
                    found[path] = GlossaryCandidate(path=path, files=files, point=point)
                having[path].add(point.label)
        return [replace(one, points=frozenset(having[path])) for path, one in found.items()]

    def _files(self, tree: str) -> Mapping[str, str]:
        """Returns the files of a tree whose names or folders suggest a glossary."""
        level, seen = [tree], set()
        while level:
            self.trees.fetch(level)
            seen.update(level)
            below = (id for one in level for name, id in self.trees.folders(one).items() if not is_skipped(name))
            level = [id for id in dict.fromkeys(below) if id not in seen and (id, False) not in self.listings]
        return self._listed(tree, is_inside=False)

    def _listed(self, tree: str, *, is_inside: bool) -> dict[str, str]:
        if (tree, is_inside) not in self.listings:
            files = self.trees.files(tree).items()
            listing = {name: id for name, id in files if may_be_glossary(name, is_inside=is_inside)}
            self.listings[tree, is_inside] = listing
            for name, id in self.trees.folders(tree).items():
                if not is_skipped(name):
                    below = self._listed(id, is_inside=is_inside or suggests_glossary(name))
                    listing.update((f"{name}/{path}", id) for path, id in below.items())
        return self.listings[tree, is_inside]

    def _read(self, one: GlossaryCandidate) -> GlossaryCandidate:
        """Returns the candidate with the names of its terms, which are empty if it is not a glossary."""
        generic, language, version = dimensions(one.path)
        if version and not self._is_one_of_several(one, generic, version):
            generic, version = one.path, ""
        one = replace(one, generic=generic, language=language, version=version)
        # Files in these formats may have no text at all.
        if len(one.files) == 1 and (why := refusal(next(iter(one.files)))):
            self._leave_out(one, one.path, why)
            return one
        texts = self._texts(one.files)
        return self._read_file(one, *texts[0]) if len(texts) == 1 else self._read_folder(one, texts)

    def _read_folder(self, one: GlossaryCandidate, texts: list[tuple[str, str]]) -> GlossaryCandidate:
        read = [defined(path, text) for path, text in texts if not refusal(path)]
        if 10 * sum(len(found) == 1 for found in read) < 9 * len(read) and are_pages(texts):
            read = [
                defined(path, text, format=TERM_FILE)
                for path, text in texts
                if not is_beside_terms(path) and not refusal(path)
            ]
            one = replace(one, format=TERM_FILE)
        size = len(self.trees.find(one.point.tree, literal(one.path)).files)  # without images and the like
        is_folder = 2 * sum(map(bool, read)) >= len(one.files) and 2 * len(one.files) >= size
        return replace(one, names=frozenset().union(*read) if is_folder else frozenset())

    def _read_file(self, one: GlossaryCandidate, path: str, text: str) -> GlossaryCandidate:
        if why := is_something_else(path, text):
            self._leave_out(one, path, why)
            return one
        stem, above = PurePosixPath(path).stem, PurePosixPath(path).parent.name
        is_context = PurePosixPath(path).name in CONTEXT
        is_larger = is_context and not (suggests_glossary(title_of_text(text)) or has_table_of_terms(text))
        found = frozenset() if is_larger else defined(path, text)
        section = "" if found else section_of(text)
        if section and (within := defined(path, text, section)):
            return replace(one, names=within, section=section)
        if not found and suggests_glossary(stem):
            self._leave_out(one, path, no_terms(path, text))
        is_own_page = stem.lower() in MAIN_PAGES and suggests_glossary(above)
        is_named = is_context or suggests_glossary(stem) or is_own_page
        return replace(one, names=found if is_named else frozenset())

    def _leave_out(self, one: GlossaryCandidate, path: str, why: str) -> None:
        self.left_out += [LeftOut(path=path, why=why)] if one.point is self.now else []

    def _is_one_of_several(self, one: GlossaryCandidate, generic: str, version: str) -> bool:
        """Returns False for a version folder without another one, or a current file, beside it."""
        above = one.path[: one.path.index(f"{version}/")].rstrip("/")
        beside = self.trees.folders(self.trees.below(one.point.tree, above) or "")
        is_archive = version in NEXT or version.startswith("version-")
        return is_archive or sum(map(is_version_folder, beside)) > 1 or generic in self._files(one.point.tree)

    def _texts(self, files: Mapping[str, str]) -> list[tuple[str, str]]:
        kept = dict([*files.items()][:MAX_FILES])
        blobs = {blob.id: blob.data for blob in self.trees.objects.read(kept.values(), limit=MAX_BYTES)}
        texts = [(path, decode(data, path=path).text) for path, id in kept.items() if (data := blobs[id]) is not None]
        return [(path, text) for path, text in texts if text is not None]

    # Other locations: a page for each term, and sections of larger files.

    def _pages(self) -> GlossaryCandidate | None:
        """Returns the largest folder of the repository in which each page defines one term, or None.

        The pages of a wiki are in no folder, and most have no title.
        """
        is_wiki = self.project.lower().endswith(".wiki")
        folders: dict[str, dict[str, str]] = defaultdict(dict)
        for path, id in self._every_file().items():
            *above, name = path.split("/")
            ending = PurePosixPath(name).suffix.lower()
            if ending in PAGES and not any(map(is_skipped, above)):
                folder = "/".join(above[:-1] if above and len(above[-1]) == 1 else above)
                folder = f"*{PurePosixPath(name).suffix}" if is_wiki and not above else folder
                if folder and not is_beside_terms(name):
                    folders[folder][path] = id
        ranked = sorted(folders, key=lambda one: (not is_main_language(dimensions(one)[1]), -len(folders[one]), one))
        for folder in ranked[:SAMPLE]:
            files = folders[folder]
            if len(files) < MIN_ENTRIES:
                continue
            sample = self._texts(dict([*files.items()][:: -(-len(files) // SAMPLE)]))
            is_single = 4 * sum(len(entries(path, text)) == 1 for path, text in sample) >= 3 * len(sample)
            if is_single or folder.startswith("*.") or are_pages(sample):
                generic = dimensions(folder)[0]
                others = sorted(one for one in folders if one != folder and dimensions(one)[0] == generic)
                self.left_out = [LeftOut(path=one, why=f"translations of {folder}") for one in others]
                return GlossaryCandidate(
                    path=folder,
                    files=files,
                    point=self.now,
                    names=frozenset(PurePosixPath(path).stem.casefold() for path in files),
                    generic=folder,
                    format="" if is_single else TERM_FILE,
                    is_wiki=is_wiki and folder.startswith("*."),
                )
        return None

    def _every_file(self) -> Mapping[str, str]:
        said = run(self.folder, "ls-tree", "-r", "-z", "--format=%(objectname) %(path)", self.now.tree)
        lines = (line.decode("utf-8", "replace").partition(" ") for line in said.split(b"\0") if line)
        return {path: id for id, _, path in lines}

    def _sections(self) -> list[GlossaryCandidate]:
        """Returns the best of the larger files with a section of terms, in a list; READMEs are searched first."""
        options = ("grep", "-I", "-l", "-z", "-i", "-E", "-e", SECTION, self.now.commit)
        said = b""
        with suppress(GitError):  # git exits with 1 if nothing matches
            said = run(self.folder, *options, "--", "*.md", "*.mdx", "*.rst", "*.markdown")
        paths = [path.partition(":")[2] for path in said.decode("utf-8", "replace").split("\0") if path]
        seen = {one.path for one in self.left_out}
        paths = [path for path in paths if path.count("/") <= MAX_DEPTH and path not in seen]
        paths = [path for path in paths if not any(map(is_skipped, path.split("/")[:-1]))]
        paths.sort(key=lambda path: (path.count("/"), not path.lower().startswith("readme"), path))
        files = self._every_file()
        found = []
        for path in paths[:MAX_SECTIONS]:
            one = GlossaryCandidate(
                path=path, files={path: files[path]} if path in files else {}, point=self.now, generic=path
            )
            for _, text in self._texts(one.files):
                section = "" if is_something_else(path, text) else section_of(text)
                terms = defined(path, text, section) if section else frozenset()
                if len(terms) >= MIN_ENTRIES:
                    found.append(replace(one, names=terms, section=section))
        return sorted(found, key=lambda one: (one.path.count("/"), -len(one.names), one.path))[:1]

    # Earlier paths.

    def _with_earlier(
        self, current: Sequence[GlossaryCandidate], past: Sequence[GlossaryCandidate]
    ) -> list[FoundGlossary]:
        """Returns the current glossaries with their earlier paths from `past`, and those that were removed."""
        paths = {one.path: [one.path, *self._versions_of(one), *self._earlier(one)] for one in current}
        gone: list[GlossaryCandidate] = []
        order = [point.label for point in self.points]
        for one in past:
            if any(one.path in known for known in paths.values()) or any(one.path in now.folders for now in current):
                continue
            successor = next((now for now in current if is_earlier_path(now, one, order)), None)
            if successor is not None:
                paths[successor.path].append(one.path)
            elif is_main_language(one.language) and not one.version and one.point is not self.now:
                gone += [] if any(overlap(other, one) for other in gone) else [one]
        glossaries = [self._glossary(one, current_first(paths[one.path])) for one in current]
        glossaries += [self._glossary(one, [one.path, *self._earlier(one)]) for one in gone]
        return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))

    def _versions_of(self, one: GlossaryCandidate) -> list[str]:
        """Returns the paths of the older versions of a glossary that has a folder for each version."""
        if not one.version:
            return []
        path = template(one.path, one.version)
        folders = self.trees.folders(self.trees.below(self.now.tree, path.partition(PLACEHOLDER)[0]) or "")
        labels = [name for name in folders if is_version(name) and name.lower() not in HEADS]
        return [path.replace(PLACEHOLDER, label) for label in reversed(ordered(labels)) if label != one.version]

    def _glossary(self, one: GlossaryCandidate, paths: Sequence[str]) -> FoundGlossary:
        return FoundGlossary(
            paths=tuple(paths),
            entries=len(one.names),
            last=one.point.label,
            is_current=one.point is self.now,
            section=one.section,
            versions=template(one.path, one.version) if one.version else self._copies_of(one),
            format=one.format,
            folders=one.folders,
            is_wiki=one.is_wiki,
        )

    def _copies_of(self, one: GlossaryCandidate) -> str:
        """Returns the path template of folders with older versions of a glossary; empty if there are none."""
        if one.point is not self.now:
            return ""
        for other in by_folder(self._files(self.now.tree)):
            generic, language, version = dimensions(other)
            if version and language == one.language and PurePosixPath(generic).name == PurePosixPath(one.path).name:
                return template(other, version)
        return ""

    def _earlier(self, one: GlossaryCandidate) -> list[str]:
        """Returns the former paths of a file, newest first, as far as git's rename detection finds them."""
        found = former_paths(self.folder, one.point.commit, one.path) if one.path in one.files else ()
        return [path for path in dict.fromkeys(found) if path != one.path]
