"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`.

A file is a candidate by its name, and a glossary if a format finds terms in it. Among translations, copies for older
versions and files with the same terms, one is selected, and the others are left out with a reason. Earlier paths are
found by git's rename detection, or by shared terms if a move changed too much for it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from sitegen import formats
from sitegen.config.patterns import literally
from sitegen.config.repositories import without_password
from sitegen.model import Document, Entry, Problem
from sitegen.sources import glossary_names as names
from sitegen.sources.git.clones import Clones
from sitegen.sources.git.metadata import title_of
from sitegen.sources.git.process import GitError, Objects, run
from sitegen.sources.git.reading import name_of, open_repository
from sitegen.sources.git.refs import read_points, read_refs
from sitegen.sources.git.tags import EVERY_VERSION, Point
from sitegen.sources.git.trees import Trees
from sitegen.sources.git.versions import PLACEHOLDER, is_version
from sitegen.sources.releases import HEADS, ordered, parse_label
from sitegen.text.decoding import MAX_BYTES, decode

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
READABLE = names.READABLE | frozenset([".xml", *formats.suffixes()])
"""Suffixes of files that a format can read."""
DATA = frozenset({".csv", ".json", ".tsv", ".yaml", ".yml"})
PAGES = names.READABLE - {"", ".txt"}
"""Suffixes of files that may define one term each."""
DECISION = ({"decision", "consequences"}, {"decisions", "consequences"})
"""Headings that identify an architecture decision record."""
MANUAL_PAGE = re.compile(r"^(?:#+ |\.SH )?NAME\b.*?^(?:#+ |\.SH )?SYNOPSIS\b", re.DOTALL | re.MULTILINE)
MAIN_PAGES = frozenset({"index", "_index", "readme", "main", "page", "overview"})
"""Stems of a folder's index page."""
NEXT = frozenset({"draft", "latest", "next"})
"""Names of folders for unreleased or latest versions, beside those of numbered versions."""
HOW_TO = re.compile(
    r"(?:how|verif|check|review|spin|build|creat|add|writ|updat|contribut|generat|us(?:e|ing)|new|import|export|manag|maintain|about)"
    r"[a-z]*[-_ ]",
    re.IGNORECASE,
)
FORM = re.compile(r"[-_ ](?:format|template|schema|guidelines|style-?guide|verify|prompt)\.\w+$", re.IGNORECASE)
SECTION = (
    r"^(#+ +)?([0-9.]+ )?(the |our )?(glossary|terminology|key (terms|concepts)|terms and definitions|definitions"
    r"|vocabulary|ubiquitous language|glossaire|glossar|glosario)( of terms)? *:? *#*$"
)
"""A regular expression for headings, for `git grep`."""
TITLE = re.compile(r"\A(?:---\n.*?\n---\n)?\s*(?:#+ +(.+)|(.+)\n[=-]{3,}$)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    """A glossary that was found."""

    paths: tuple[str, ...]
    """Its paths, newest first: a file, or a folder with a file for each term."""
    entries: int
    """The number of its terms."""
    last: str
    """The newest tag or branch that contains it."""
    is_current: bool
    """True if the newest searched state of the repository contains it."""
    section: str = ""
    """The heading of the section, if the glossary is part of a larger file."""
    versions: str = ""
    """The path of the version folders, with `{version}`."""
    names: frozenset[str] = field(default=frozenset(), repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A file whose name suggests a glossary, but that is not proposed."""

    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The result of searching a repository."""

    glossaries: tuple[Glossary, ...] = ()
    """Sorted: current ones first, then by size."""
    left_out: tuple[LeftOut, ...] = ()
    title: str = ""
    """The title of the project; empty if unknown."""
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file or folder that may be a glossary, at the newest point that contains it."""

    path: str
    files: Mapping[str, str] = field(repr=False)
    point: Point
    points: frozenset[str] = frozenset()
    """Tags and branches that contain files at this path."""
    names: frozenset[str] = field(default=frozenset(), repr=False)
    """The names of its terms."""
    section: str = ""
    generic: str = ""
    """The path without language and version components."""
    language: str = ""
    version: str = ""


def find_glossaries(repository: str, *, root: Path, clones: Clones, paths: Sequence[str] = ()) -> Found:
    """Returns the glossaries of a repository, which is a folder relative to `root`, or an address.

    If `paths` are given, they are used as the glossary, and nothing else is searched.
    """
    place = without_password(repository)
    try:
        folder, problems = open_repository(repository, root=root, clones=clones)
        with Objects(folder) as objects:
            search = _Search(folder, objects, project=name_of(repository, root=root), place=place)
            found = search.named(paths) if paths else search.found()
            title = search.title(found)
    except GitError as error:
        return Found(problems=(Problem(path=place, found=str(error)),))
    return replace(found, title=title, problems=problems)


class _Search:
    """The search of one repository."""

    def __init__(self, folder: Path, objects: Objects, *, project: str, place: str) -> None:
        self.folder, self.objects, self.project = folder, objects, project
        self.trees = Trees(objects)
        points = read_points(
            folder, objects, EVERY_VERSION, refs=read_refs(folder), head="HEAD", path=place, project=project
        )
        tagged = points.tagged[::-1][:: -(-len(points.tagged) // MAX_POINTS) or 1][::-1]
        self.points = (*tagged, *([points.head] if points.head else []))
        self.now = self.points[-1] if self.points else None
        self.left_out: list[LeftOut] = []
        self.listings: dict[tuple[str, bool], dict[str, str]] = {}

    def named(self, paths: Sequence[str]) -> Found:
        """Returns the glossary at these paths, with the former names of the first."""
        if self.now is None:
            return Found()
        files = self.trees.find(self.now.tree, paths[0]).files
        candidate = self._read(Candidate(path=paths[0], files=files, point=self.now))
        every = dict.fromkeys((*paths, *self._earlier(candidate)))
        return Found(glossaries=(self._glossary(candidate, [*every]),) if files else ())

    def found(self) -> Found:
        candidates = [self._read(one) for one in self._candidates()]
        current = self._chosen([one for one in candidates if one.point is self.now and one.names])
        if names.tells(self.project):
            pages = self._pages()
            best = max((len(one.names) for one in current), default=0)
            current = [pages] if pages and len(pages.files) > best else current
        if not any(len(one.names) >= MIN_ENTRIES for one in current):
            current = current or self._sections()
        current = [one for one in current if len(one.names) >= MIN_ENTRIES] or current
        past = [one for one in candidates if one.point is not self.now and len(one.names) >= MIN_ENTRIES]
        glossaries = self._with_earlier(current, past)
        return Found(glossaries=tuple(glossaries), left_out=tuple(dict.fromkeys(self.left_out)))

    def title(self, found: Found) -> str:
        """Returns the project's title."""
        if self.now is None or not found.glossaries:
            return ""
        path = found.glossaries[0].paths[0]
        return title_of(self.objects, self.trees, self.now.tree, path=path, name=self.project)

    # Candidates: files whose name or folder suggests a glossary.

    def _candidates(self) -> list[Candidate]:
        """Returns every path whose name suggests a glossary, at the newest point that contains it; newest first."""
        found: dict[str, Candidate] = {}
        having: dict[str, set[str]] = defaultdict(set)
        for point in reversed(self.points):
            for path, files in _by_place(self._files(point.tree)).items():
                if path not in found:
                    found[path] = Candidate(path=path, files=files, point=point)
                having[path].add(point.label)
        return [replace(one, points=frozenset(having[path])) for path, one in found.items()]

    def _files(self, tree: str) -> Mapping[str, str]:
        """Returns the files of a tree whose names or folders suggest a glossary."""
        level, seen = [tree], set()
        while level:
            self.trees.fetch(level)
            seen.update(level)
            below = (id for one in level for name, id in self.trees.folders(one).items() if not _is_skipped(name))
            level = [id for id in dict.fromkeys(below) if id not in seen and (id, False) not in self.listings]
        return self._listed(tree, is_inside=False)

    def _listed(self, tree: str, *, is_inside: bool) -> dict[str, str]:
        if (tree, is_inside) not in self.listings:
            files = self.trees.files(tree).items()
            listing = {name: id for name, id in files if _may_be_glossary(name, is_inside=is_inside)}
            self.listings[tree, is_inside] = listing
            for name, id in self.trees.folders(tree).items():
                if not _is_skipped(name):
                    below = self._listed(id, is_inside=is_inside or names.tells(name))
                    listing.update((f"{name}/{path}", id) for path, id in below.items())
        return self.listings[tree, is_inside]

    def _read(self, one: Candidate) -> Candidate:
        """Returns the candidate with the names of its terms, which are empty if it is not a glossary."""
        generic, language, version = _dimensions(one.path)
        one = replace(one, generic=generic, language=language, version=version)
        texts = self._texts(one.files)
        if len(texts) != 1:
            read = [_defined(path, text) for path, text in texts if not _refusal(path)]
            is_folder = 2 * sum(map(bool, read)) >= len(one.files) and 2 * len(one.files) >= self._size(one)
            return replace(one, names=frozenset().union(*read) if is_folder else frozenset())
        ((path, text),) = texts
        if why := _refusal(path) or _is_something_else(path, text):
            self.left_out += [LeftOut(path=path, why=why)] if one.point is self.now else []
            return one
        section = _section_of(path, text)
        is_context = PurePosixPath(path).name in names.CONTEXT
        found = frozenset() if is_context else _defined(path, text)
        if not found and section:
            return replace(one, names=_defined(path, text, section), section=section)
        stem = PurePosixPath(path).stem
        is_own_page = stem.lower() in MAIN_PAGES and names.tells(PurePosixPath(path).parent.name)
        is_named = is_context or names.tells(stem) or is_own_page
        return replace(one, names=found if is_named else frozenset())

    def _size(self, one: Candidate) -> int:
        """Returns the number of files in a folder, without images and the like."""
        return len(self.trees.find(one.point.tree, literally(one.path)).files)

    def _texts(self, files: Mapping[str, str]) -> list[tuple[str, str]]:
        kept = dict([*files.items()][:MAX_FILES])
        blobs = {blob.id: blob.data for blob in self.objects.read(kept.values(), limit=MAX_BYTES)}
        texts = ((path, blobs.get(id)) for path, id in kept.items())
        decoded = ((path, decode(data, path=path).text) for path, data in texts if data is not None)
        return [(path, text) for path, text in decoded if text is not None]

    # Selection among languages, versions and copies.

    def _chosen(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Returns the newest candidate of each current glossary; large ones first."""
        groups: dict[str, list[Candidate]] = defaultdict(list)
        for one in candidates:
            groups[one.generic].append(one)
        chosen = [self._of_language(group) for group in groups.values()]
        main = [group for group in chosen if _is_main_language(group[0].language)]
        for group in chosen if main else ():
            if group not in main:
                self._leave_out(group, f"in another language ({group[0].language})")
        kept = sorted(main or chosen, key=_by_size)
        unversioned = [group for group in kept if not all(one.version for one in group)]
        result: list[Candidate] = []
        for group in [*unversioned, *(group for group in kept if group not in unversioned)]:
            newest = _newest(group)
            twin = next((one for one in result if _overlap(one, newest) and one.section == newest.section), None)
            if twin is None:
                result.append(newest)
            elif newest.version:
                self._leave_out(group, f"older versions of {twin.path}")
            else:
                self._leave_out(group, f"the same terms as {twin.path}")
        return result

    def _of_language(self, group: list[Candidate]) -> list[Candidate]:
        """Returns the candidates of a group that are in the main language."""
        languages: dict[str, list[Candidate]] = defaultdict(list)
        for one in group:
            languages[one.language].append(one)
        if len(languages) == 1:
            return group
        main = min(
            languages,
            key=lambda code: (
                not _is_main_language(code),
                code != "",
                -sum(len(one.names) for one in languages[code]),
            ),
        )
        others = [one for code, ones in languages.items() if code != main for one in ones]
        self._leave_out(others, f"translations of {languages[main][0].path}")
        return languages[main]

    def _leave_out(self, candidates: Iterable[Candidate], why: str) -> None:
        self.left_out += (LeftOut(path=one.path, why=why) for one in candidates)

    # Other locations: a page for each term, and sections of larger files.

    def _pages(self) -> Candidate | None:
        """Returns the largest folder of the repository in which each page defines one term, or None."""
        folders: dict[str, dict[str, str]] = defaultdict(dict)
        for path, id in self._every_file().items():
            *above, name = path.split("/")
            ending = PurePosixPath(name).suffix.lower()
            if ending in PAGES and not any(map(_is_skipped, above)):
                folder = "/".join(above[:-1] if above and len(above[-1]) == 1 else above)
                if folder and not names.is_beside_terms(name):
                    folders[folder][path] = id
        ranked = sorted(
            folders, key=lambda one: (not _is_main_language(_dimensions(one)[1]), -len(folders[one]), one)
        )
        for folder in ranked[:SAMPLE]:
            files = folders[folder]
            if len(files) < MIN_ENTRIES or self.now is None:
                continue
            sample = dict([*files.items()][:: -(-len(files) // SAMPLE)])
            single = [path for path, text in self._texts(sample) if len(_entries(path, text)) == 1]
            if 4 * len(single) >= 3 * len(sample):
                stems = frozenset(PurePosixPath(path).stem.casefold() for path in files)
                self._leave_out_others(folder, folders)
                return Candidate(path=folder, files=files, point=self.now, names=stems, generic=folder)
        return None

    def _leave_out_others(self, folder: str, folders: Mapping[str, Mapping[str, str]]) -> None:
        generic = _dimensions(folder)[0]
        others = sorted(one for one in folders if one != folder and _dimensions(one)[0] == generic)
        self.left_out = [LeftOut(path=one, why=f"translations of {folder}") for one in others]

    def _every_file(self) -> Mapping[str, str]:
        if self.now is None:
            return {}
        said = run(self.folder, "ls-tree", "-r", "-z", "--format=%(objectname) %(path)", self.now.tree)
        lines = (line.decode("utf-8", "replace").partition(" ") for line in said.split(b"\0") if line)
        return {path: id for id, _, path in lines}

    def _sections(self) -> list[Candidate]:
        """Returns the best of the larger files with a section of terms, in a list; READMEs are searched first."""
        if self.now is None:
            return []
        options = ("grep", "-I", "-l", "-z", "-i", "-E", "-e", SECTION, self.now.commit)
        said = b""
        with suppress(GitError):  # git exits with 1 if nothing matches
            said = run(self.folder, *options, "--", "*.md", "*.mdx", "*.rst", "*.markdown")
        paths = [path.partition(":")[2] for path in said.decode("utf-8", "replace").split("\0") if path]
        paths = [path for path in paths if path.count("/") <= MAX_DEPTH]
        paths = [path for path in paths if not any(map(_is_skipped, path.split("/")[:-1]))]
        paths.sort(key=lambda path: (path.count("/"), not path.lower().startswith("readme"), path))
        files = self._every_file()
        found = []
        for path in paths[:MAX_SECTIONS]:
            files_here = {path: files[path]} if path in files else {}
            for _, text in self._texts(files_here):
                section = "" if _is_something_else(path, text) else _section_of(path, text)
                terms = frozenset(entry.name.casefold() for entry in _entries(path, text, section)) if section else ()
                if len(terms) >= MIN_ENTRIES:
                    found.append(
                        Candidate(
                            path=path,
                            files=files_here,
                            point=self.now,
                            names=frozenset(terms),
                            section=section,
                            generic=path,
                        )
                    )
        return sorted(found, key=lambda one: (one.path.count("/"), -len(one.names), one.path))[:1]

    # Earlier paths.

    def _with_earlier(self, current: Sequence[Candidate], past: Sequence[Candidate]) -> list[Glossary]:
        """Returns the current glossaries with their earlier paths from `past`, and those that were removed."""
        paths = {one.path: [one.path, *self._versions_of(one), *self._earlier(one)] for one in current}
        gone: list[Candidate] = []
        older: dict[str, list[Candidate]] = defaultdict(list)
        for one in past:
            if any(one.path in known for known in paths.values()):
                continue
            heir = next((now for now in current if self._is_heir(now, one)), None)
            if heir is not None and one.version:
                older[heir.path].append(one)
            elif heir is not None:
                paths[heir.path].append(one.path)
            elif _is_main_language(one.language) and not one.version:
                gone += [] if any(_overlap(other, one) for other in gone) else [one]
        for path, ones in older.items():
            by_version = {one.version: one.path for one in ones}
            paths[path] += [by_version[version] for version in reversed(_by_age(by_version))]
        glossaries = [self._glossary(one, _current_first(paths[one.path])) for one in current]
        glossaries += [self._glossary(one, [one.path, *self._earlier(one)]) for one in gone]
        return sorted(glossaries, key=lambda one: (not one.is_current, -one.entries, one.paths))

    def _is_heir(self, now: Candidate, before: Candidate) -> bool:
        """True if `before` is an earlier location of `now`: not yet moved at that point, with the same terms."""
        return (
            before.point.label not in now.points and before.language in (now.language, "") and _overlap(now, before)
        )

    def _versions_of(self, one: Candidate) -> list[str]:
        """Returns the paths of the older versions of a glossary that has a folder for each version."""
        if not one.version or self.now is None:
            return []
        template = _template(one)
        folders = self.trees.folders(self.trees.below(self.now.tree, template.partition(PLACEHOLDER)[0]) or "")
        labels = [name for name in folders if is_version(name) and name.lower() not in HEADS]
        return [template.replace(PLACEHOLDER, label) for label in reversed(ordered(labels)) if label != one.version]

    def _glossary(self, one: Candidate, paths: Sequence[str]) -> Glossary:
        return Glossary(
            paths=tuple(paths),
            entries=len(one.names),
            last=one.point.label,
            is_current=one.point is self.now,
            section=one.section,
            versions=_template(one) if one.version else self._copies_of(one),
            names=one.names,
        )

    def _copies_of(self, one: Candidate) -> str:
        """Returns the path template of folders with older versions of a glossary; empty if there are none."""
        if self.now is None or one.point is not self.now:
            return ""
        for other in _by_place(self._files(self.now.tree)):
            generic, language, version = _dimensions(other)
            if version and language == one.language and PurePosixPath(generic).name == PurePosixPath(one.path).name:
                return other.replace(f"/{version}/", f"/{PLACEHOLDER}/", 1)
        return ""

    def _earlier(self, one: Candidate) -> list[str]:
        """Returns the former names of a file, newest first, as far as git's rename detection finds them."""
        if one.path not in one.files:
            return []
        options = ("--follow", "--find-renames", "--diff-filter=R", "--name-status", "--format=", "-z")
        safe = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-mailmap", "--no-color")
        said = b""
        with suppress(GitError):
            which = ("--end-of-options", one.point.commit, "--", one.path)
            said = run(self.folder, "--literal-pathspecs", "log", *options, *safe, *which)
        # Similarity, old name, new name, and so on.
        found = [name.decode("utf-8", "replace") for name in said.split(b"\0")[1::3]]
        return [path for path in dict.fromkeys(found) if path != one.path]


def _is_skipped(folder: str) -> bool:
    return names.is_elsewhere(folder) and not (names.tells(folder) and not folder.startswith("."))


def _may_be_glossary(name: str, *, is_inside: bool) -> bool:
    path = PurePosixPath(name)
    stem, ending = path.stem, path.suffix.lower()
    if name.startswith("."):
        return False
    if is_inside and not names.tells(stem):
        return ending in PAGES
    is_told = names.tells(stem) or name in names.CONTEXT
    return is_told and (ending in READABLE or ending in names.OTHER_FORMATS)


def _by_place(files: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Groups the files by the folder whose name suggests a glossary; other files are groups of their own."""
    places: dict[str, dict[str, str]] = defaultdict(dict)
    for path, id in sorted(files.items()):
        *folders, _ = path.split("/")
        depth = next((depth for depth, folder in enumerate(folders, 1) if names.tells(folder)), 0)
        while depth and depth < len(folders) and (names.language_of(folders[depth]) or is_version(folders[depth])):
            depth += 1
        is_other = PurePosixPath(path).suffix.lower() not in PAGES
        places["/".join(folders[:depth]) if depth and not is_other else path][path] = id
    # A folder with a single file is not a folder of term files.
    return {next(iter(inside)) if len(inside) == 1 else path: inside for path, inside in places.items()}


def _dimensions(path: str) -> tuple[str, str, str]:
    """Returns a path without language and version, the language, and the name of the version folder."""
    *folders, name = path.split("/")
    language = next((found for part in folders if (found := names.language_of(part))), "")
    version = next((part for part in folders if _is_version_folder(part)), "")
    stem, dot, ending = name.rpartition(".")
    match = re.fullmatch(r"(.+?)[._-]([A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?)", stem)
    if dot and match and not language and (found := names.language_of(match[2])):
        language, name = found, f"{match[1]}.{ending}"
    elif not dot and not language and (found := names.language_of(name)):
        language, name = found, ""
    generic = [part for part in folders if part not in (language, version)]
    return "/".join([*generic, name]), language, version


def _by_age(versions: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of version folders, oldest first; `NEXT` folders come before numbered ones."""
    ordered_names = ordered(versions)
    return (*(name for name in ordered_names if name in NEXT), *(name for name in ordered_names if name not in NEXT))


def _current_first(paths: Iterable[str]) -> list[str]:
    """Returns the paths without duplicates, with those in version folders last."""
    newest, *others = dict.fromkeys(paths)
    versioned = {path: _dimensions(path)[2] for path in others}
    by_version = {version: path for path, version in versioned.items() if version}
    archived = [by_version[version] for version in reversed(_by_age(by_version))]
    return [newest, *(path for path in others if path not in archived), *archived]


def _is_version_folder(name: str) -> bool:
    if name in NEXT:
        return True
    label = parse_label(name)
    return label.scheme != "word" and label.family in ("", "docs") and bool(re.search(r"\d", name))


def _is_main_language(code: str) -> bool:
    return code == "" or code.lower().startswith("en")


def _by_size(group: Sequence[Candidate]) -> tuple[bool, int, bool, str]:
    """Returns a sort key: documents before data, then by number of terms, then paths that contain `glossary`."""
    path = group[0].path
    is_data = PurePosixPath(path).suffix.lower() in DATA
    return is_data, -max(len(one.names) for one in group), "glossary" not in path.lower(), path


def _newest(group: Sequence[Candidate]) -> Candidate:
    """Returns the candidate without a version that has the most terms, or that of the highest version."""
    plain = [one for one in group if not one.version]
    if plain:
        return max(plain, key=lambda one: len(one.names))
    by_version = {one.version: one for one in group}
    return by_version[ordered(by_version)[-1]]


def _overlap(one: Candidate, other: Candidate) -> bool:
    """True if two candidates share at least half of the terms of the smaller one."""
    smaller = min(len(one.names), len(other.names))
    return bool(smaller) and 2 * len(one.names & other.names) >= smaller


def _template(one: Candidate) -> str:
    parts = one.path.split("/")
    parts[parts.index(one.version)] = PLACEHOLDER
    return "/".join(parts)


def _refusal(path: str) -> str:
    """Returns the reason why a file cannot be read if no format supports its suffix, else an empty string."""
    ending = PurePosixPath(path).suffix.lower()
    return f"{names.OTHER_FORMATS[ending]} is not read" if ending not in READABLE else ""


def _entries(path: str, text: str, section: str = "") -> tuple[Entry, ...]:
    document = Document(source="", release="", path=path, name=path, text=text, section=section)
    return formats.read(document).entries


def _defined(path: str, text: str, section: str = "") -> frozenset[str]:
    return frozenset(entry.name.casefold() for entry in _entries(path, text, section))


def _is_something_else(path: str, text: str) -> str:
    """Returns what kind of other document a file is; empty if it may be a glossary."""
    headings = {heading.strip().casefold() for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    title = TITLE.match(text)
    words = ((title[1] or title[2]) if title else "").strip()
    if HOW_TO.match(PurePosixPath(path).stem) or HOW_TO.match(words) or FORM.search(path):
        return "instructions"
    if MANUAL_PAGE.search(text):
        return "a manual page"
    return "a record of a decision" if any(one <= headings for one in DECISION) else ""


def _section_of(path: str, text: str) -> str:
    """Returns the first heading of a glossary section in a text; empty if there is none."""
    lines = text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=False):
        heading = re.match(r"#{1,6} +(.*?) *#* *$", line)
        is_underlined = bool(re.fullmatch(r"([=\-~^*+\"'.#])\1{2,} *", below)) and line.strip() == line != ""
        title = heading[1] if heading else line if is_underlined else ""
        if title and names.SECTION.fullmatch(names.plain(title).rstrip(": ")):
            return title.strip()
    return ""
