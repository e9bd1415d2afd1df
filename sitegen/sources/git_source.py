"""Reads a source that is kept in git: its releases, and the glossary at each of them.

The paths are tried in order at every release, so that a moved file keeps one history. Files that
did not change from release to release have the same object id, and are read once. The preview also
reads the working copy: the saved files, whether committed or not, as the newest, unreleased state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import dropwhile
from pathlib import Path, PurePosixPath

from sitegen.config.forges import is_address, web_of
from sitegen.config.patterns import literal
from sitegen.config.tables import SourceTable
from sitegen.config.toml import key_value
from sitegen.model import (
    Problem,
    ProblemKind,
    Release,
    ReleaseKind,
    Skipped,
    Source,
    Trouble,
)
from sitegen.sources.folders import ROOT, FolderFiles, FolderTrees, failure
from sitegen.sources.git.dated_states import dated_states, reworded
from sitegen.sources.git.process import GitError, Object, Objects
from sitegen.sources.git.repositories import Clones, Point, Repository, open_repository
from sitegen.sources.git.tags import Points, TagChoice, read_points, summarize, with_names
from sitegen.sources.linked_files import ReleaseFiles, with_files
from sitegen.sources.parsed_sources import entries_of, wordings
from sitegen.sources.release_documents import (
    first_places,
    from_first_glossary,
    source_of,
    with_documents,
    with_settings,
)
from sitegen.sources.trees import GitTrees, find_files, released_folders
from sitegen.text.credentials import shown_address
from sitegen.text.decoding import MAX_BYTES, Decoded, decode, too_large
from sitegen.text.release_names import HEADS, Arrange, date_in, ordered, parse_label

AUTO = "auto"
WORKING_COPY = "working copy"
"""The name of the working copy if no branch is read as an unreleased state."""
MANIFESTS = frozenset({"Cargo.toml", "package.json", "pyproject.toml"})
PACKAGE_NAME = re.compile(rb'(?:^|[{,])\s*"?name"?\s*[:=]\s*"([^"\n]+)"', re.MULTILINE)
OF_DOCUMENTS = frozenset({"doc", "docs", "documentation", "site", "src", "website"})
"""Names of folders in a package, which are no packages."""
SHORT = 10
"""The number of hex digits of commit ids in messages and citations."""


def read_git(
    table: SourceTable,
    *,
    root: Path,
    clones: Clones,
    arrange: Arrange = tuple,
    named: Collection[str] = (),
    working_copy: bool = False,
    languages: Sequence[str] = (),
    published: Callable[[], Collection[str]] | None = None,
) -> Source:
    """Reads a source in git, relative to the folder `root`. A repository that cannot be read is one
    problem.

    Maintenance releases in `named` are read; `published` returns the releases that have addresses.
    `working_copy` reads saved files as an unreleased state. Dated states differ in words, in any of
    the `languages` of the files.
    """
    try:
        with open_repository(table.git, root=root, clones=clones) as repository:
            reader = _RepositoryReader(repository, table, arrange, named)
            reader.languages, reader.published = languages, published
            folder = root / table.git
            if working_copy and not is_address(table.git) and (folder / ".git").exists():
                reader.working = FolderTrees(folder)
            source = reader.source()
            return replace(source, problems=(*repository.problems, *source.problems))
    except GitError as error:
        return source_of(table, problems=[error.problem(table.git)])
    except OSError as error:
        return source_of(table, problems=[failure(error).at(shown_address(table.git))])


class _RepositoryReader:
    """Reads one source."""

    def __init__(
        self, repository: Repository, table: SourceTable, arrange: Arrange, named: Collection[str]
    ) -> None:
        self.repository, self.table, self.arrange, self.named = repository, table, arrange, named
        self.place, self.objects = repository.place, repository.objects
        self.trees = GitTrees(repository.objects)
        self.web = web_of(repository.remote)
        self.contents = FileContents(repository.objects)
        self.working: FolderTrees | None = None
        """The files of the working copy if they are to be read, else None."""
        self.languages: Sequence[str] = ()
        self.published: Callable[[], Collection[str]] | None = None
        self.problems: list[Problem] = []
        self.skipped: list[Skipped] = []

    def source(self) -> Source:
        """Returns the source with its releases and their documents."""
        if self.table.versions:
            releases = self._of_folders()
        elif self.table.branches:
            releases = self._of_branches()
        elif self._is_dated():
            releases = self._of_dates()
        else:
            releases = self._of_tags()
        return self._with_documents(releases)

    def _is_dated(self) -> bool:
        """True if the releases are dated states alone."""
        if self.table.tags or not self.table.by:
            return False
        return self.table.by != AUTO or not self.repository.tags

    def _points(self) -> Points:
        table = self.table
        choice = TagChoice(
            table=table,
            has_glossary=lambda point: bool(find_files(self.trees, point.tree, table.paths).files),
            packages=self._packages,
            named=self.named,
            published=self.published,
        )
        head = table.head or ("" if self.repository.tags else "HEAD")
        return read_points(self.repository, choice, head=head, arrange=self.arrange)

    def _packages(self) -> Iterator[str]:
        """Yields the names of the folders above the newest path, and of the packages in them, the
        nearest first."""
        tip, _ = self.repository.head("HEAD")
        paths = (
            path for one in self.table.paths if tip for path in self.trees.find(tip.tree, one).files
        )
        for folder in [*PurePosixPath(next(paths, "")).parents][:-1]:
            tree = self.trees.below(tip.tree, str(folder)) if tip else None
            files = self.trees.files(tree).items() if tree else ()
            manifests = [id for name, id in files if name in MANIFESTS]
            for manifest in self.objects.read(manifests, limit=MAX_BYTES):
                if name := PACKAGE_NAME.search(manifest.data or b""):
                    yield name[1].decode("utf-8", "replace")
            if folder.name not in OF_DOCUMENTS:
                yield folder.name

    def _of_tags(self) -> list[Release]:
        """Returns the tags that are releases; with `by`, after the dated states up to the first tag
        that has the glossary."""
        points = self._points()
        heads = [points.head] if points.head else []
        self.trees.fetch(point.tree for point in (*points.tagged, *heads))
        self.problems += points.problems
        self.skipped += points.skipped
        releases: list[Release] = []
        dropped = []
        for point in points.tagged:
            release = self._release(point, "tag")
            is_repeated = bool(releases) and release.files == releases[-1].files
            if point in points.maintenance and not is_repeated:
                dropped.append(point.label)
            else:
                releases.append(release)
        if dropped:
            self.skipped.append(Skipped(reason="maintenance", names=tuple(dropped)))
        if self.table.by not in ("", AUTO):
            releases = self._after_dated_states(releases, points)
        return releases + [self._head(point) for point in heads]

    def _after_dated_states(self, releases: Sequence[Release], points: Points) -> list[Release]:
        """Returns the releases that have the glossary, after the dated states up to the first of
        them."""
        having = list(dropwhile(lambda one: not one.files, releases))
        point_of = {point.label: point for point in points.tagged}
        first = point_of[having[0].label] if having else None
        names = {release.name for release in having}
        states = self._dated_states(until=first)
        return [state for state in states if state.name not in names] + having

    def _pending(self, releases: Sequence[Release]) -> Release | None:
        """Returns the state of the current branch, if it has edits that were made after the newest
        tag."""
        tip, _ = self.repository.head("HEAD")
        if tip is None or not releases or releases[-1].kind != "tag":
            return None
        newest, state = releases[-1], self._release(tip, "branch")
        if not state.files or state.files == newest.files:
            return None
        if not self.repository.is_ancestor(newest.commit, tip.commit):
            return None  # the branch may be older, or another line
        read = with_documents(state, self.table, self._texts([state]))
        return read if read.documents else None

    def _of_branches(self) -> list[Release]:
        """Returns each branch as a release; and the branch `head`, if it is not one of them, as
        unreleased."""
        ids, patterns = self.repository.branches, self.table.branches
        chosen = self._chosen_branches()
        resolved, problems = self.repository.resolve({name: ids[name] for name in chosen})
        points = {point.release: point for point in with_names(tuple(resolved.values()))}
        releases = [
            self._release(points[name], "branch", moves=True)
            for name in self.arrange(ordered(points))
        ]
        self.problems += problems.values()
        tip, more = self.repository.head(self.table.head)
        if tip and tip.label not in resolved:
            releases.append(self._head(tip))
        self.problems += more
        if not chosen:
            found = f"no branch matches {', '.join(patterns)}"
            wanted = f"the repository has {', '.join(sorted(ids)[:5])}"
            trouble = Trouble(ProblemKind.MISSING, found, wanted)
            self.problems.append(trouble.at(self.place))
        self.problems += self.repository.incompleteness()
        return releases

    def _chosen_branches(self) -> list[str]:
        """Returns the branches that are releases: those of the most common family that `branches`
        matches, and those that it names."""
        patterns = self.table.branches
        matching = [
            name
            for name in self.repository.branches
            if any(fnmatchcase(name, pattern) for pattern in patterns)
        ]
        if not matching:
            return []
        families = {name: parse_label(name).family for name in matching}
        ((usual, _),) = Counter(families.values()).most_common(1)
        chosen = [name for name in matching if name in patterns or families[name] == usual]
        # Where there is a branch 2.4.x, those of single patches, such as 2.4.1, are left out.
        lines = tuple(name.removesuffix("x") for name in chosen if name.endswith(".x"))
        return [name for name in chosen if name.endswith(".x") or not name.startswith(lines)]

    def _of_dates(self) -> list[Release]:
        """Returns the commits that changed the glossary, grouped into dated states."""
        releases = self._dated_states()
        tip, _ = self.repository.head(self.table.head or "HEAD")
        if tip and not releases:
            releases = [self._release(tip, "branch")]
        self.problems += self._unread_tags(releases)
        self.problems += self.repository.incompleteness()
        return releases

    def _unread_tags(self, states: Sequence[Release]) -> Iterator[Problem]:
        """Yields a problem if there are tags with the glossary, which are not read beside these
        dated states."""
        days = [state.date for state in states if state.date]
        if not days or self.table.by == AUTO:
            return
        tagged = []
        for point in self._points().tagged:
            is_later = point.date is not None and point.date >= days[0]
            if is_later and find_files(self.trees, point.tree, self.table.paths).files:
                tagged.append(point)
        if not tagged:
            return
        prefixes = {parse_label(point.label).prefix for point in tagged}
        patterns = tuple(sorted(f"{literal(prefix)}[0-9]*" for prefix in prefixes))
        keys = [key_value("tags", patterns).strip()]
        earlier = tuple(point.label for point in tagged if point.date and point.date < days[-1])
        if earlier:
            keys.append(key_value("exclude", earlier).strip())
        labels = summarize([point.label for point in tagged])
        found = f"{labels} not read, as `by` makes dated states"
        wanted = f"add {' and '.join(keys)} beside `by`: the dated states stay, tags follow"
        yield Trouble(ProblemKind.RELEASES, found, wanted).at(self.place)

    def _dated_states(self, until: Point | None = None) -> list[Release]:
        """Returns the dated states of the glossary on its branch, up to the commit of `until`."""
        tip, problems = self.repository.head(self.table.head or "HEAD")
        self.problems += problems
        if tip is None:
            return []
        by, folder = self.table.by.removeprefix(AUTO), self.repository.folder
        states = dated_states(folder, tip, self.table.paths, by=by, until=until)
        commits = [commit for state in states for commit in (*state.before, state.commit)]
        resolved, unresolved = self.repository.resolve({commit: commit for commit in commits})
        self.problems += unresolved.values()
        releases = {}
        for state in reworded(states, self._word_comparison(resolved), named=self.named):
            if point := resolved.get(state.commit):
                named = replace(point, label=state.commit[:SHORT], release=state.name)
                # A build may have published any state before the last commit of its period.
                releases[state.name] = self._release(named, "dated", moves=True)
        return [releases[name] for name in self.arrange([*releases])]

    def _word_comparison(self, commits: Mapping[str, Point]) -> Callable[[str, str], bool]:
        """Returns a function that is true for two commits at which the glossary has the same
        words."""
        self.trees.fetch(point.tree for point in commits.values())
        files = {
            id: find_files(self.trees, point.tree, self.table.paths).files
            for id, point in commits.items()
        }
        words_in = cache(lambda path, id: self._wordings({path: id}))

        @cache
        def words(commit: str) -> list[frozenset[object]]:
            found = [words_in(path, id) for path, id in files.get(commit, {}).items()]
            return [frozenset().union(*of_language) for of_language in zip(*found, strict=True)]

        return lambda one, other: any(words(one)[:1]) and words(one) == words(other)

    def _wordings(self, files: Mapping[str, str]) -> list[frozenset[object]]:
        """Returns the names, words and sections in files, by which dated states are compared, for
        each language."""
        release = Release(name="", files=files)
        read = with_documents(release, self.table, self._texts([release]))
        tables = [self.table]
        tables += [replace(self.table, section=language) for language in self.languages]
        return [
            wordings(entries_of(with_settings(one, table) for one in read.documents))
            for table in tables
        ]

    def _of_folders(self) -> list[Release]:
        """Returns each version folder of the newest commit as a release."""
        tip, problems = self.repository.head(self.table.head or "HEAD")
        self.problems += problems
        if tip is None:
            return []
        folders = released_folders(self.trees, tip.tree, self.table.versions)
        releases = []
        for name in self.arrange(ordered(folders)):
            point = replace(tip, release=name, date=date_in(name))
            release = self._release(
                point,
                "folder",
                moves=True,
                unreleased=name.lower() in HEADS,
                paths=[folders[name]],
            )
            releases.append(release)
        if self.table.paths:
            newest = self._head(tip)
            releases += [newest] if newest.files else []
        return releases

    def _head(self, tip: Point) -> Release:
        """Returns the unreleased state of a branch."""
        return self._release(tip, "branch", unreleased=True)

    def _release(
        self,
        point: Point,
        kind: ReleaseKind,
        *,
        moves: bool = False,
        unreleased: bool = False,
        paths: Sequence[str] | None = None,
    ) -> Release:
        """Returns a release with its files and its addresses on a forge. `paths` are by default
        those of the source."""
        listing = find_files(self.trees, point.tree, self.table.paths if paths is None else paths)
        release = Release(
            name=point.release,
            date=point.date,
            commit=point.commit,
            kind=kind,
            moves=moves,
            unreleased=unreleased,
            label=point.label,
            tree=point.tree,
            files=listing.files,
            unread=listing.refused,
        )
        web = self.web
        if web is None:
            return release
        if kind == "tag":
            return replace(release, link=web.tag(point.label), lines=web.lines_at_tag(point.label))
        link = web.branch(point.label) if kind == "branch" else web.commit(point.commit)
        return replace(release, link=link, lines=web.lines_at_commit(point.commit))

    def _with_documents(self, releases: list[Release]) -> Source:
        """Returns the source with the documents of these releases."""
        read, texts = releases, self._texts(releases)
        if self.working and self.table.paths:
            read, texts = self._with_working_copy(self.working, releases, texts)
        source = from_first_glossary(self.table, read, texts, place=self.place)
        files = [self._files_of(release) for release in source.releases]
        source = with_files(source, files, encoding=self.table.encoding)
        return replace(
            source,
            skipped=(*source.skipped, *self.skipped),
            problems=(*self.problems, *source.problems),
            pending=None if self.working else self._pending(releases),
        )

    def _texts(self, releases: Sequence[Release]) -> Mapping[str, Decoded]:
        """Returns the text of each file by id, with problems that name the first path at which it
        is found."""
        places, limit = first_places(releases), self.table.max_bytes
        objects = self.repository.read_documents(places, limit=limit)
        return {
            id: decoded(objects[id], place, encoding=self.table.encoding, limit=limit)
            for id, place in places.items()
        }

    def _files_of(self, release: Release) -> ReleaseFiles:
        """Returns the files of a release; of one without a tree, those of the working copy."""
        if not release.tree and self.working:
            return FolderFiles(self.working, ROOT)
        return CommitFiles(self.trees, self.contents, release.tree)

    def _with_working_copy(
        self, working: FolderTrees, releases: Sequence[Release], texts: Mapping[str, Decoded]
    ) -> tuple[list[Release], Mapping[str, Decoded]]:
        """Adds the saved files as the newest state, which replaces the unreleased state of the
        branch.

        The files are those of the first path that matches any.
        """
        listing = find_files(working, ROOT, self.table.paths)
        keys = {path: f"{WORKING_COPY}:{path}" for path in sorted(listing.files)}
        saved = {
            keys[path]: working.decoded(id, path, self.table) for path, id in listing.files.items()
        }
        every = {**texts, **saved}
        name, released = WORKING_COPY, [*releases]
        if releases and releases[-1].unreleased:
            name = released.pop().name
        elif releases:
            committed = {path: texts[id].text for path, id in releases[-1].files.items()}
            if committed == {path: saved[key].text for path, key in keys.items()}:
                return released, every
        copy = Release(name=name, kind="branch", unreleased=True, label=WORKING_COPY, files=keys)
        return [*released, copy], every


class FileContents:
    """The contents of included files and images, each read once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._contents: dict[str, bytes | None] = {}

    def read(self, id: str) -> bytes | None:
        if id not in self._contents:
            (object,) = self._objects.read([id], limit=MAX_BYTES)
            self._contents[id] = object.data
        return self._contents[id]


class CommitFiles:
    """The files of a commit, by the id of its tree."""

    def __init__(self, trees: GitTrees, contents: FileContents, tree: str) -> None:
        self._trees = trees
        self._contents = contents
        self._tree = tree

    def has(self, path: str) -> bool:
        return self._trees.file(self._tree, path) is not None

    def read(self, path: str) -> bytes | None:
        id = self._trees.file(self._tree, path)
        return None if id is None else self._contents.read(id)


def decoded(object: Object, path: str, *, encoding: str, limit: int = MAX_BYTES) -> Decoded:
    """Decodes a file. If it is missing, damaged or too large, the text is None and the problem says
    why."""
    if object.data is not None and object.kind == "blob":
        return decode(object.data, path=path, configured=encoding, limit=limit)
    trouble = Trouble(ProblemKind.NOT_READ, f"a {object.kind}, not a file")
    if object.kind == "missing":
        found, wanted = "missing or damaged in the repository", "`git fsck` may say more"
        trouble = Trouble(ProblemKind.REPOSITORY, found, wanted)
    elif object.kind == "blob":
        trouble = too_large(path, object.size, limit)
    return Decoded(text=None, problems=(trouble.at(path),))
