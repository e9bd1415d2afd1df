"""Reads a source that is kept in git: its releases, and the glossary at each of them.

The paths are tried in order at every release, so that a moved file keeps one history. Files that
did not change from release to release have the same object id, and are read once. The preview also
reads the working copy: the saved files, whether committed or not, as the newest, unreleased state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import dropwhile
from pathlib import Path, PurePosixPath

from sitegen.config.declared_releases import NOTHING_DECLARED, DeclaredReleases
from sitegen.config.forges import is_address, web_of
from sitegen.config.patterns import literal, matches_any
from sitegen.config.tables import SourceTable
from sitegen.config.toml import key_value
from sitegen.model import (
    Problem,
    ProblemKind,
    Release,
    Skipped,
    Source,
    Trouble,
)
from sitegen.sources.folders import ROOT, FolderFiles, FolderTrees, failure
from sitegen.sources.git.dated_states import (
    DatedState,
    dated_states,
    published_period,
    reworded,
)
from sitegen.sources.git.process import GitError, Object, Objects
from sitegen.sources.git.repositories import (
    Clones,
    Repository,
    branch_name,
    default_branch,
    open_repository,
)
from sitegen.sources.git.tags import TagChoice, TagReleases, read_tags, summarize, with_names
from sitegen.sources.linked_files import with_files
from sitegen.sources.parsed_sources import entries_of, wordings
from sitegen.sources.release_documents import (
    first_places,
    from_first_glossary,
    source_of,
    with_documents,
    with_settings,
)
from sitegen.sources.section_titles import ReleaseFiles
from sitegen.sources.trees import GitTrees, find_files, released_folders
from sitegen.text.credentials import shown_address
from sitegen.text.decoding import MAX_DOCUMENT_BYTES, Decoded, decode, too_large
from sitegen.text.release_names import HEADS, date_in, ordered, parse_label

AUTO = "auto"
WORKING_COPY = "working copy"
"""The name of the working copy if no branch is read as an unreleased state."""
MANIFESTS = frozenset({"Cargo.toml", "package.json", "pyproject.toml"})
PACKAGE_NAME = re.compile(rb'(?:^|[{,])\s*"?name"?\s*[:=]\s*"([^"\n]+)"', re.MULTILINE)
OF_DOCUMENTS = frozenset({"doc", "docs", "documentation", "site", "src", "website"})
"""Names of folders in a package, which are no packages."""
MAX_EXCLUDED = 8
"""The maximum number of tags that a message proposes to exclude by name."""
SHORT = 10
"""The number of hex digits of commit ids in messages and citations."""


def read_git(
    table: SourceTable,
    declared: DeclaredReleases = NOTHING_DECLARED,
    *,
    root: Path,
    clones: Clones,
    working_copy: bool = False,
    languages: Sequence[str] = (),
    published: Callable[[], Collection[str]] | None = None,
) -> Source:
    """Reads a source in git, relative to the folder `root`. A repository that cannot be read is one
    problem.

    Maintenance releases that are declared are read; `published` returns the releases that have
    addresses. `working_copy` reads saved files as an unreleased state. Dated states differ in
    words, in any of the `languages` of the files.
    """
    try:
        with open_repository(table.git, root=root, clones=clones) as repository:
            finder = _ReleaseFinder(
                repository, table, declared, languages=languages, published=published
            )
            folder, working = root / table.git, None
            if working_copy and not is_address(table.git) and (folder / ".git").exists():
                working = FolderTrees(folder)
            return _Reader(finder, working).source()
    except GitError as error:
        return source_of(table, problems=[error.problem(table.git)])
    except OSError as error:
        return source_of(table, problems=[failure(error).at(shown_address(table.git))])


class _ReleaseFinder:
    """Finds the releases of one source, with the ids of their files."""

    def __init__(
        self,
        repository: Repository,
        table: SourceTable,
        declared: DeclaredReleases,
        *,
        languages: Sequence[str],
        published: Callable[[], Collection[str]] | None,
    ) -> None:
        self.repository = repository
        self.table = table
        self.declared = declared
        self.languages = languages
        self.published = published
        self.trees = GitTrees(repository.objects)
        self.web = web_of(repository.remote)
        self.problems: list[Problem] = [*repository.problems]
        self.skipped: list[Skipped] = []

    def releases(self) -> list[Release]:
        """Returns the releases, oldest first, and adds to the problems and the skipped tags."""
        if self.table.versions:
            return self._of_folders()
        if self.table.branches:
            return self._of_branches()
        if self._is_dated():
            return self._of_dates()
        return self._of_tags()

    def _is_dated(self) -> bool:
        """True if the releases are dated states alone."""
        if self.table.tags or not self.table.by:
            return False
        return self.table.by != AUTO or not self.repository.tags

    def _of_tags(self) -> list[Release]:
        """Returns the tags that are releases; with `by`, after the dated states up to the first tag
        that has the glossary."""
        tags = self._tags()
        heads = [tags.head] if tags.head else []
        self.trees.fetch(release.tree for release in (*tags.tagged, *heads))
        self.problems += tags.problems
        self.skipped += tags.skipped
        releases: list[Release] = []
        dropped = []
        for tag in tags.tagged:
            release = self._with_files(tag)
            is_repeated = bool(releases) and release.files == releases[-1].files
            if tag in tags.maintenance and not is_repeated:
                dropped.append(tag.label)
            else:
                releases.append(release)
        if dropped:
            self.skipped.append(Skipped(reason="maintenance", names=tuple(dropped)))
        if self.table.by not in ("", AUTO):
            releases = self._after_dated_states(releases)
        return releases + [self._head(tip) for tip in heads]

    def _tags(self) -> TagReleases:
        choice = TagChoice(
            table=self.table,
            declared=self.declared,
            has_glossary=lambda tag: bool(self._with_files(tag).files),
            packages=self._packages,
            published=self.published,
        )
        head = self.table.head or ("" if self.repository.tags else "HEAD")
        return read_tags(self.repository, choice, head=head)

    def _packages(self) -> Iterator[str]:
        """Yields the names of the folders above the newest path, and of the packages in them, the
        nearest first."""
        tip, _ = self.repository.head("HEAD")
        if tip is None:
            return
        for folder in self._folders_above(tip):
            tree = self.trees.below(tip.tree, str(folder))
            files = self.trees.files(tree) if tree else {}
            manifests = [id for name, id in files.items() if name in MANIFESTS]
            for manifest in self.repository.objects.read(manifests, limit=MAX_DOCUMENT_BYTES):
                if name := PACKAGE_NAME.search(manifest.data or b""):
                    yield name[1].decode("utf-8", "replace")
            if folder.name not in OF_DOCUMENTS:
                yield folder.name

    def _folders_above(self, tip: Release) -> Iterator[PurePosixPath]:
        """Yields the folders above the first file of the glossary, the nearest first, but for the
        top of the repository."""
        for path in self.table.paths:
            for file in self.trees.find(tip.tree, path).files:
                yield from PurePosixPath(file).parents[:-1]
                return

    def _after_dated_states(self, releases: Sequence[Release]) -> list[Release]:
        """Returns the releases that have the glossary, after the dated states up to the first of
        them."""
        having = list(dropwhile(lambda one: not one.files, releases))
        names = {release.name for release in having}
        first = next(iter(having), None)
        states = [one for one in self._dated_states(until=first) if one.name not in names]
        return states + having

    def _of_branches(self) -> list[Release]:
        """Returns each branch as a release; and the branch `head`, if it is not one of them, as
        unreleased."""
        ids = self.repository.branches
        chosen = {name: ids[name] for name in self._chosen_branches()}
        resolved, problems = self.repository.resolve(chosen, kind="branch")
        self.problems += problems.values()
        named = {release.name: release for release in with_names(tuple(resolved.values()))}
        releases = []
        for name in self.declared.in_order(ordered(named)):
            releases.append(replace(self._with_files(named[name]), moves=True))
        tip, more = self.repository.head(self.table.head)
        if tip and tip.label not in resolved:
            releases.append(self._head(tip))
        self.problems += more
        if not chosen:
            found = f"no branch matches {', '.join(self.table.branches)}"
            wanted = f"the repository has {', '.join(sorted(ids)[:5])}"
            trouble = Trouble(ProblemKind.MISSING, found, wanted)
            self.problems.append(trouble.at(self.repository.place))
        self.problems += self.repository.incompleteness()
        return releases

    def _chosen_branches(self) -> list[str]:
        """Returns the branches that are releases: those of the most common family that `branches`
        matches, and those that it names."""
        patterns = self.table.branches
        matching = [name for name in self.repository.branches if matches_any(name, patterns)]
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
            releases = [self._with_files(tip)]
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
        for tag in self._tags().tagged:
            is_later = tag.date is not None and tag.date >= days[0]
            if is_later and self._with_files(tag).files:
                tagged.append(tag)
        if not tagged:
            return
        labels = summarize([tag.label for tag in tagged])
        found = f"{labels} not read, as `by` makes dated states"
        keys = " and ".join(_keys_for_tags(tagged, after=days[-1]))
        wanted = f"add {keys} beside `by`: the dated states stay, tags follow"
        yield Trouble(ProblemKind.RELEASES, found, wanted).at(self.repository.place)

    def _dated_states(self, until: Release | None = None) -> list[Release]:
        """Returns the dated states of the glossary on its branch, up to the commit of `until`."""
        tip, problems = self.repository.head(self.table.head or "HEAD")
        self.problems += problems
        if tip is None:
            return []
        by, folder = self.table.by, self.repository.folder
        if by == AUTO:
            by = published_period(self.published() if self.published else ())
        states = dated_states(folder, tip, self.table.paths, by=by, until=until)
        found = self._at_commits(states)
        words = _WordsOfCommits(self.repository, self.table, self.languages, found)
        releases = {}
        for state in reworded(states, words.are_same, named=self.declared.names):
            if release := found.get(state.commit):
                label = state.commit[:SHORT]
                # A build may have published any state before the last commit of its period.
                releases[state.name] = replace(
                    release, name=state.name, date=state.day, label=label, moves=True
                )
        return [releases[name] for name in self.declared.in_order(releases)]

    def _at_commits(self, states: Iterable[DatedState]) -> Mapping[str, Release]:
        """Returns the state at each commit of dated states, with its files."""
        commits: dict[str, str] = {}
        for state in states:
            commits |= {commit: commit for commit in (*state.before, state.commit)}
        resolved, unresolved = self.repository.resolve(commits, kind="dated")
        self.problems += unresolved.values()
        self.trees.fetch(release.tree for release in resolved.values())
        return {commit: self._with_files(release) for commit, release in resolved.items()}

    def _of_folders(self) -> list[Release]:
        """Returns each version folder of the newest commit as a release."""
        tip, problems = self.repository.head(self.table.head or "HEAD")
        self.problems += problems
        if tip is None:
            return []
        folders = released_folders(self.trees, tip.tree, self.table.versions)
        releases = []
        for name in self.declared.in_order(ordered(folders)):
            folder = replace(
                tip,
                name=name,
                date=date_in(name),
                kind="folder",
                moves=True,
                unreleased=name.lower() in HEADS,
            )
            releases.append(self._with_files(folder, paths=[folders[name]]))
        newest = self._head(tip)
        if newest.files:
            releases.append(newest)
        return releases

    def pending(self, newest: Release) -> Release | None:
        """Returns the state of the current branch, if it has edits that were made after the newest
        tag, also on the default branch after a tag on another one."""
        tip, _ = self.repository.head("HEAD")
        if tip is None or newest.kind != "tag":
            return None
        state = self._with_files(tip)
        if not state.files or state.files == newest.files:
            return None
        default = branch_name(default_branch(self.repository.folder))
        goes_on = self.repository.is_ancestor(newest.commit, tip.commit)
        # The newest tag may be on a maintenance branch; another branch may be one itself.
        is_later = tip.label == default and (newest.time or 0) < (tip.time or 0)
        if not goes_on and not is_later:
            return None
        # A topic branch is read as what the default branch will be.
        return replace(state, label=default or tip.label)

    def _head(self, tip: Release) -> Release:
        """Returns the unreleased state of a branch."""
        return replace(self._with_files(tip), unreleased=True)

    def _with_files(self, release: Release, paths: Sequence[str] | None = None) -> Release:
        """Returns a release with its files and its addresses on a forge. `paths` are by default
        those of the source."""
        paths = self.table.paths if paths is None else paths
        listing = find_files(self.trees, release.tree, paths)
        release = replace(release, files=listing.files, unread=listing.refused)
        if self.web is None:
            return release
        lines = self.web.lines_at_commit(release.commit)
        if release.kind == "tag":
            link, lines = self.web.tag(release.label), self.web.lines_at_tag(release.label)
        elif release.kind == "branch":
            link = self.web.branch(release.label)
        else:
            link = self.web.commit(release.commit)
        return replace(release, link=link, lines=lines)


def _keys_for_tags(tagged: Sequence[Release], *, after: date) -> Iterator[str]:
    """Yields the keys of site.toml with which these tags are read after the last dated state."""
    prefixes = {parse_label(tag.label).prefix for tag in tagged}
    patterns = tuple(sorted(f"{literal(prefix)}[0-9]*" for prefix in prefixes))
    yield key_value("tags", patterns).strip()
    earlier = tuple(tag.label for tag in tagged if tag.date and tag.date < after)
    if len(earlier) > MAX_EXCLUDED:
        yield f"exclude, with patterns for the {len(earlier):,} tags before {after},"
    elif earlier:
        yield key_value("exclude", earlier).strip()


class _WordsOfCommits:
    """The words of the glossary at several commits, by which dated states are compared."""

    def __init__(
        self,
        repository: Repository,
        table: SourceTable,
        languages: Sequence[str],
        releases: Mapping[str, Release],
    ) -> None:
        """`releases` has those of the commits, with their files."""
        self._repository = repository
        self._tables = [table, *(replace(table, section=language) for language in languages)]
        self._releases = releases
        self._of_file: dict[tuple[str, str], list[frozenset[object]]] = {}

    def are_same(self, one: str, other: str) -> bool:
        """True if the glossary has the same words at two commits."""
        words = self._words(one)
        has_words = bool(words) and bool(words[0])
        return has_words and words == self._words(other)

    def _words(self, commit: str) -> list[frozenset[object]]:
        """Returns the names, words and sections at a commit, for each language; none if there is no
        glossary."""
        release = self._releases.get(commit)
        if release is None or not release.files:
            return []
        words = [frozenset[object]()] * len(self._tables)
        for path, id in release.files.items():
            for number, of_file in enumerate(self._words_of_file(path, id)):
                words[number] |= of_file
        return words

    def _words_of_file(self, path: str, id: str) -> list[frozenset[object]]:
        if (path, id) not in self._of_file:
            release = Release(name="", files={path: id})
            texts = read_texts(self._repository, self._tables[0], [release])
            read = with_documents(release, self._tables[0], texts)
            words: list[frozenset[object]] = []
            for table in self._tables:
                documents = [with_settings(document, table) for document in read.documents]
                words.append(wordings(entries_of(documents)))
            self._of_file[path, id] = words
        return self._of_file[path, id]


class _Reader:
    """Reads the documents of the releases of a source."""

    def __init__(self, finder: _ReleaseFinder, working: FolderTrees | None) -> None:
        """`working` has the files of the working copy if they are to be read."""
        self.finder = finder
        self.repository = finder.repository
        self.table = finder.table
        self.contents = FileContents(finder.repository.objects)
        self.working = working

    def source(self) -> Source:
        """Returns the source with its releases and their documents."""
        found = self.finder.releases()
        releases, texts = found, read_texts(self.repository, self.table, found)
        if self.working and self.table.paths:
            releases, texts = self._with_working_copy(self.working, found, texts)
        place = self.repository.place
        source = from_first_glossary(self.table, releases, texts, place=place)
        files = [self._files_of(release) for release in source.releases]
        source = with_files(source, files, encoding=self.table.encoding)
        return replace(
            source,
            skipped=(*source.skipped, *self.finder.skipped),
            problems=(*self.finder.problems, *source.problems),
            pending=self._pending(found[-1]) if found and not self.working else None,
        )

    def _pending(self, newest: Release) -> Release | None:
        pending = self.finder.pending(newest)
        if pending is None:
            return None
        texts = read_texts(self.repository, self.table, [pending])
        read = with_documents(pending, self.table, texts)
        return read if read.documents else None

    def _files_of(self, release: Release) -> ReleaseFiles:
        """Returns the files of a release; of one without a tree, those of the working copy."""
        if not release.tree and self.working:
            return FolderFiles(self.working, ROOT)
        return CommitFiles(self.finder.trees, self.contents, release.tree)

    def _with_working_copy(
        self, working: FolderTrees, releases: Sequence[Release], texts: Mapping[str, Decoded]
    ) -> tuple[list[Release], Mapping[str, Decoded]]:
        """Adds the saved files as the newest state, which replaces the unreleased state of the
        branch.

        The files are those of the first path that matches any.
        """
        files = find_files(working, ROOT, self.table.paths).files
        keys: dict[str, str] = {}
        every = {**texts}
        for path in sorted(files):
            keys[path] = f"{WORKING_COPY}:{path}"
            every[keys[path]] = working.decoded(files[path], path, self.table)
        name, released = WORKING_COPY, [*releases]
        if releases and releases[-1].unreleased:
            name = released.pop().name
        elif releases and _texts_of(releases[-1].files, every) == _texts_of(keys, every):
            return released, every
        copy = Release(name=name, kind="branch", unreleased=True, label=WORKING_COPY, files=keys)
        return [*released, copy], every


def _texts_of(files: Mapping[str, str], texts: Mapping[str, Decoded]) -> Mapping[str, str | None]:
    """Returns the texts of files by their paths; `texts` has them by their ids."""
    return {path: texts[id].text for path, id in files.items()}


def read_texts(
    repository: Repository, table: SourceTable, releases: Sequence[Release]
) -> Mapping[str, Decoded]:
    """Returns the text of each file by id, with problems that name the first path at which it is
    found."""
    places, limit = first_places(releases), table.max_bytes
    texts = {}
    for object in repository.objects.read(places, limit=limit):
        place = places[object.name]
        texts[object.name] = decoded(object, place, encoding=table.encoding, limit=limit)
    return texts


class FileContents:
    """The contents of included files and images, each read once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._contents: dict[str, bytes | None] = {}

    def read(self, id: str) -> bytes | None:
        if id not in self._contents:
            (object,) = self._objects.read([id], limit=MAX_DOCUMENT_BYTES)
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

    def find(self, pattern: str) -> tuple[str, ...]:
        return tuple(self._trees.find(self._tree, pattern).files)


def decoded(
    object: Object, path: str, *, encoding: str, limit: int = MAX_DOCUMENT_BYTES
) -> Decoded:
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
