"""Reads a source that is kept in git: its releases, and the glossary at each of them.

The paths are tried in order at every release, so that a moved file keeps one history. Files that
did not change from release to release have the same object id, and are read once. The preview also
reads the working copy: the saved files, whether committed or not, as the newest, unreleased state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import dropwhile
from pathlib import Path, PurePosixPath
from typing import Literal

from sitegen.config.forges import is_address, web_of
from sitegen.config.patterns import literal
from sitegen.config.tables import SourceTable
from sitegen.config.toml import key_value
from sitegen.model import Document, Problem, ProblemKind, Release, Skipped, Trouble
from sitegen.sources.editions import entries_of, wordings
from sitegen.sources.folders import ROOT, FolderTrees, failure
from sitegen.sources.git.dated_states import dated_states, reworded
from sitegen.sources.git.process import GitError, Object
from sitegen.sources.git.repositories import Clones, Point, Repository, open_repository
from sitegen.sources.git.tags import Points, TagChoice, read_points, summarize, with_names
from sitegen.sources.git.trees import find_files, released_folders
from sitegen.sources.linked_files import ReleaseFiles, with_files
from sitegen.sources.open_folders import open_folders
from sitegen.sources.snapshots import (
    RawSource,
    ReleaseSnapshot,
    combine_snapshots,
    first_places,
    with_settings,
)
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
) -> RawSource:
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
            has_copy = working_copy and not is_address(table.git) and (folder / ".git").exists()
            with open_folders(folder) if has_copy else nullcontext() as opened:
                reader.working = FolderTrees(opened, folder) if opened else None
                raw = reader.raw_source()
            return replace(raw, problems=(*repository.problems, *raw.problems))
    except GitError as error:
        return RawSource(problems=(error.problem(table.git),))
    except OSError as error:
        return RawSource(problems=(failure(error).at(shown_address(table.git)),))


class _RepositoryReader:
    """Reads one source."""

    def __init__(
        self, repository: Repository, table: SourceTable, arrange: Arrange, named: Collection[str]
    ) -> None:
        self.repository, self.table, self.arrange, self.named = repository, table, arrange, named
        self.place, self.trees, self.objects = (
            repository.place,
            repository.trees,
            repository.objects,
        )
        self.web = web_of(repository.remote)
        self.blobs: dict[str, bytes | None] = {}
        """The contents of included files and images by id."""
        self.working: FolderTrees | None = None
        """The files of the working copy if they are to be read, else None."""
        self.languages: Sequence[str] = ()
        self.published: Callable[[], Collection[str]] | None = None

    def raw_source(self) -> RawSource:
        if self.table.versions:
            return self._of_folders()
        if self.table.branches:
            return self._of_branches()
        is_dated = self.table.by and not (self.table.by == AUTO and self.repository.tags)
        return self._of_dates() if is_dated and not self.table.tags else self._of_tags()

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

    def _of_tags(self) -> RawSource:
        """Reads the tags as releases; with `by`, the dated states up to the first tag that has the
        glossary too."""
        points = self._points()
        self.trees.fetch(point.tree for point in (*points.tagged, *filter(None, [points.head])))
        snapshots: list[ReleaseSnapshot] = []
        dropped = []
        for point in points.tagged:
            snapshot = self._snapshot(point, self._release(point, "tag"))
            if point in points.maintenance and not (
                snapshots and snapshot.files == snapshots[-1].files
            ):
                dropped.append(point.label)
            else:
                snapshots.append(snapshot)
        problems = points.problems
        if self.table.by not in ("", AUTO):
            snapshots = list(dropwhile(lambda one: not one.files, snapshots))
            first = next(
                (
                    point
                    for point in points.tagged
                    if snapshots and point.label == snapshots[0].label
                ),
                None,
            )
            states, odd = self._dated_states(until=first)
            tagged = {snapshot.release.name for snapshot in snapshots}
            snapshots[:0] = [state for state in states if state.release.name not in tagged]
            problems += tuple(odd)
        if points.head:
            snapshots.append(self._snapshot(points.head, self._release(points.head, "head")))
        skipped = (Skipped(reason="maintenance", names=tuple(dropped)),) if dropped else ()
        raw = self._gather(snapshots, skipped=(*points.skipped, *skipped), problems=problems)
        return (
            raw
            if points.head or self.working
            else replace(raw, pending=self._pending(points, snapshots))
        )

    def _pending(
        self, points: Points, snapshots: Sequence[ReleaseSnapshot]
    ) -> tuple[Document, ...]:
        """Returns the documents of the current branch, if it has edits that were made after the
        newest release."""
        tip, _ = self.repository.head("HEAD")
        newest = next(
            (point for point in points.tagged if snapshots and point.label == snapshots[-1].label),
            None,
        )
        if tip is None or newest is None:
            return ()
        state = self._snapshot(tip, Release(name=tip.label))
        if (
            not state.files
            or state.files == snapshots[-1].files
            or not self.repository.is_ancestor(newest, tip)
        ):
            return ()  # the branch may be older, or another line
        return combine_snapshots(
            self.table, [state], self._texts([state]), place=self.place
        ).documents

    def _of_branches(self) -> RawSource:
        """Reads each branch as a release; and the branch `head`, if it is not one of them, as
        unreleased."""
        ids, patterns = self.repository.branches, self.table.branches
        chosen = {
            name: id
            for name, id in ids.items()
            if any(fnmatchcase(name, pattern) for pattern in patterns)
        }
        families = {name: parse_label(name).family for name in chosen}
        usual = Counter(families.values()).most_common(1)
        chosen = {
            name: id
            for name, id in chosen.items()
            if name in patterns or families[name] == usual[0][0]
        }
        # Where there is a branch 2.4.x, those of single patches, such as 2.4.1, are left out.
        lines = tuple(name.removesuffix("x") for name in chosen if name.endswith(".x"))
        chosen = {
            name: id
            for name, id in chosen.items()
            if name.endswith(".x") or not name.startswith(lines)
        }
        resolved, problems = self.repository.resolve(chosen)
        points = {point.release: point for point in with_names(tuple(resolved.values()))}
        snapshots = [
            self._snapshot(points[name], self._release(points[name], "branch"))
            for name in self.arrange(ordered(points))
        ]
        tip, more = self.repository.head(self.table.head)
        if tip and tip.label not in resolved:
            snapshots.append(self._snapshot(tip, self._release(tip, "head")))
        if not chosen:
            wanted = f"the repository has {', '.join(sorted(ids)[:5])}"
            trouble = Trouble(
                ProblemKind.MISSING, f"no branch matches {', '.join(patterns)}", wanted
            )
            more.append(trouble.at(self.place))
        more += self.repository.incompleteness()
        return self._gather(snapshots, problems=(*problems.values(), *more))

    def _of_dates(self) -> RawSource:
        """Reads the commits that changed the glossary as releases, grouped into dated states."""
        snapshots, problems = self._dated_states()
        tip, _ = self.repository.head(self.table.head or "HEAD")
        if tip and not snapshots:
            snapshots = [self._snapshot(tip, self._release(tip, "commit"))]
        problems += [*self._unread_tags(snapshots), *self.repository.incompleteness()]
        return self._gather(snapshots, problems=problems)

    def _unread_tags(self, states: Sequence[ReleaseSnapshot]) -> Iterator[Problem]:
        """Yields a problem if there are tags with the glossary, which are not read beside these
        dated states."""
        days = [state.release.date for state in states if state.release.date]
        tagged = [
            point
            for point in (self._points().tagged if days and self.table.by != AUTO else ())
            if point.date
            and point.date >= days[0]
            and find_files(self.trees, point.tree, self.table.paths).files
        ]
        if tagged:
            patterns = tuple(
                sorted({f"{literal(parse_label(point.label).prefix)}[0-9]*" for point in tagged})
            )
            earlier = tuple(point.label for point in tagged if point.date and point.date < days[-1])
            keys = [
                key_value("tags", patterns),
                *([key_value("exclude", earlier)] if earlier else ()),
            ]
            yield Trouble(
                ProblemKind.RELEASES,
                f"{summarize([point.label for point in tagged])} not read, as `by` makes dated "
                f"states",
                f"add {' and '.join(map(str.strip, keys))} beside `by`: the dated states stay, "
                f"tags follow",
            ).at(self.place)

    def _dated_states(
        self, until: Point | None = None
    ) -> tuple[list[ReleaseSnapshot], list[Problem]]:
        """Returns the dated states of the glossary on its branch, up to the commit of `until`."""
        tip, problems = self.repository.head(self.table.head or "HEAD")
        by, folder, paths = (
            self.table.by.removeprefix(AUTO),
            self.repository.folder,
            self.table.paths,
        )
        states = dated_states(folder, tip, paths, by=by, until=until) if tip else ()
        commits = dict.fromkeys(
            commit for state in states for commit in (*state.before, state.commit)
        )
        resolved, unresolved = self.repository.resolve({commit: commit for commit in commits})
        points = {}
        for state in reworded(states, self._word_comparison(resolved), named=self.named):
            if point := resolved.get(state.commit):
                points[state.name] = replace(point, label=state.commit[:SHORT], release=state.name)
        snapshots = [
            # A build may have published any state before the last commit of its period.
            self._snapshot(
                points[name], replace(self._release(points[name], "commit"), moves=True, dated=True)
            )
            for name in self.arrange([*points])
        ]
        return snapshots, [*problems, *unresolved.values()]

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
            self.repository.read_documents(
                files.get(commit, {}).values(), limit=self.table.max_bytes
            )
            found = [words_in(path, id) for path, id in files.get(commit, {}).items()]
            return [frozenset().union(*of_language) for of_language in zip(*found, strict=True)]

        return lambda one, other: any(words(one)[:1]) and words(one) == words(other)

    def _wordings(self, files: Mapping[str, str]) -> list[frozenset[object]]:
        """Returns the names, words and sections in files, by which dated states are compared, for
        each language."""
        snapshot = ReleaseSnapshot(release=Release(name=""), label="", files=files)
        raw = combine_snapshots(self.table, [snapshot], self._texts([snapshot]), place="")
        tables = [
            self.table,
            *(replace(self.table, section=language) for language in self.languages),
        ]
        return [
            wordings(entries_of(with_settings(one, table) for one in raw.documents))
            for table in tables
        ]

    def _of_folders(self) -> RawSource:
        """Reads each version folder of the newest commit as a release."""
        tip, problems = self.repository.head(self.table.head or "HEAD")
        if tip is None:
            return RawSource(problems=tuple(problems))
        folders = released_folders(self.trees, tip.tree, self.table.versions)
        snapshots = []
        for name in self.arrange(ordered(folders)):
            point = replace(tip, release=name, date=date_in(name))
            release = replace(
                self._release(point, "commit"), unreleased=name.lower() in HEADS, moves=True
            )
            snapshots.append(self._snapshot(point, release, [folders[name]]))
        if self.table.paths:
            newest = self._snapshot(tip, self._release(tip, "head"))
            snapshots += [newest] if newest.files else []
        return self._gather(snapshots, problems=problems)

    def _gather(
        self,
        snapshots: Sequence[ReleaseSnapshot],
        *,
        skipped: Sequence[Skipped] = (),
        problems: Sequence[Problem] = (),
    ) -> RawSource:
        texts = self._texts(snapshots)
        if self.working and self.table.paths:
            snapshots, texts = self._with_working_copy(self.working, snapshots, texts)
        raw = combine_snapshots(self.table, snapshots, texts, place=self.place)
        trees = {snapshot.release.name: snapshot.tree for snapshot in snapshots}
        raw = with_files(
            raw, lambda release: self._files(trees[release]), encoding=self.table.encoding
        )
        return replace(raw, skipped=(*raw.skipped, *skipped), problems=(*problems, *raw.problems))

    def _texts(self, snapshots: Sequence[ReleaseSnapshot]) -> Mapping[str, Decoded]:
        """Returns the text of each file by id, with problems that name the first path at which it
        is found."""
        places, limit = first_places(snapshots), self.table.max_bytes
        objects = self.repository.read_documents(places, limit=limit)
        return {
            id: decoded(objects[id], place, encoding=self.table.encoding, limit=limit)
            for id, place in places.items()
        }

    def _files(self, tree: str) -> ReleaseFiles:
        """Returns the files in a tree; without one, those of the working copy."""
        if not tree and self.working:
            return self.working.linked(ROOT)

        def read(path: str) -> bytes | None:
            id = self.trees.file(tree, path)
            if id is not None and id not in self.blobs:
                (object,) = self.objects.read([id], limit=MAX_BYTES)
                self.blobs[id] = object.data
            return self.blobs[id] if id is not None else None

        return ReleaseFiles(has=lambda path: self.trees.file(tree, path) is not None, read=read)

    def _with_working_copy(
        self,
        working: FolderTrees,
        snapshots: Sequence[ReleaseSnapshot],
        texts: Mapping[str, Decoded],
    ) -> tuple[Sequence[ReleaseSnapshot], Mapping[str, Decoded]]:
        """Adds the saved files as the newest state, which replaces the unreleased state of the
        branch.

        The files are those of the first path that matches any.
        """
        listing = find_files(working, ROOT, self.table.paths)
        keys = {path: f"{WORKING_COPY}:{path}" for path in sorted(listing.files)}
        saved = {
            keys[path]: working.decoded(id, path, self.table) for path, id in listing.files.items()
        }
        head = snapshots[-1].release if snapshots and snapshots[-1].release.unreleased else None
        released = snapshots[:-1] if head else snapshots
        if not head and released:
            committed = {path: texts[id].text for path, id in released[-1].files.items()}
            if committed == {path: saved[key].text for path, key in keys.items()}:
                return snapshots, {**texts, **saved}
        release = replace(
            head or Release(name=WORKING_COPY), unreleased=True, date=None, link="", lines=""
        )
        return (*released, ReleaseSnapshot(release=release, label=WORKING_COPY, files=keys)), {
            **texts,
            **saved,
        }

    def _snapshot(
        self, point: Point, release: Release, paths: Sequence[str] | None = None
    ) -> ReleaseSnapshot:
        listing = find_files(self.trees, point.tree, self.table.paths if paths is None else paths)
        return ReleaseSnapshot(
            release=release,
            label=point.label,
            tree=point.tree,
            files=listing.files,
            refused=listing.refused,
        )

    def _release(self, point: Point, kind: Literal["tag", "head", "branch", "commit"]) -> Release:
        """Returns a release with its addresses on a forge. `head` is the unreleased state of a
        branch."""
        release = Release(
            name=point.release, date=point.date, unreleased=kind == "head", moves=kind == "branch"
        )
        web = self.web
        if web is None:
            return release
        if kind == "tag":
            return replace(release, link=web.tag(point.label), lines=web.lines_at_tag(point.label))
        link = web.commit(point.commit) if kind == "commit" else web.branch(point.label)
        return replace(release, link=link, lines=web.lines_at_commit(point.commit))


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
