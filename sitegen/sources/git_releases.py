"""Finds the releases of a source in git: tags, branches, version folders or dated states.

The paths are tried in order at every release, so that a moved file keeps one history. The
folders above the glossary say which tags are of its package. `git.dated_states` groups commits into
dated states; those without new words are left out here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import dropwhile
from pathlib import PurePosixPath

from sitegen.config.parsing import DeclaredReleases, in_declared_order
from sitegen.config.patterns import matches_any
from sitegen.config.tables import SourceTable
from sitegen.config.toml import key_value
from sitegen.config.values import AUTO
from sitegen.model import Problem, ProblemKind, Release, Skipped, Trouble, first_of
from sitegen.sources.git.dated_states import dated_states, published_period
from sitegen.sources.git.repositories import SHORT, Repository, branch_name, default_branch
from sitegen.sources.git.tags import (
    TagChoice,
    TagReleases,
    pattern_of_versions,
    read_tags,
    reason_in_name,
    summarize,
    with_names,
)
from sitegen.sources.git_trees import CommitFiles
from sitegen.sources.parsed_sources import ComparedEntry, compared_entries, entries_of
from sitegen.sources.release_documents import with_settings
from sitegen.sources.trees import released_folders
from sitegen.text.names import did_you_mean
from sitegen.text.release_names import HEADS, date_in, ordered

OF_DOCUMENTS = frozenset({"doc", "docs", "documentation", "site", "src", "website"})
"""Names of folders within a package, which are no packages themselves."""


@dataclass
class ReleaseFinder:
    """Finds the releases of one source, with the ids of their files."""

    repository: Repository
    table: SourceTable
    declared: DeclaredReleases
    languages: Sequence[str]
    """The other languages in the same files."""
    published: Collection[str]
    """The names of the releases that have addresses."""
    skipped: list[Skipped] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def files(self) -> CommitFiles:
        """The files of the source at each commit."""
        return CommitFiles(self.repository, self.table)

    def releases(self) -> list[Release]:
        """Returns the releases, oldest first. Adds to `problems` and `skipped`."""
        branches, head = self.repository.branches, self.table.head
        if head not in ("", "HEAD", *branches):
            found = f"no branch '{head}'"
            self._report(Trouble(ProblemKind.MISSING, found, did_you_mean(head, branches)))
        if self.table.versions:
            return self._of_folders()
        if self.table.branches:
            return self._of_branches()
        if self._is_dated():
            return self._of_dates()
        return self._of_tags()

    def _is_dated(self) -> bool:
        """True if the releases are dated states alone."""
        if self.table.tags:
            return False  # `_of_tags` adds the dated states before the first tag
        if self.table.by == AUTO:
            return not self._has_tags
        return self.table.by != ""

    @cached_property
    def _has_tags(self) -> bool:
        """True if a tag has the name of a release, even if site.toml leaves it out. False if all
        tags have names such as `nightly`, or there is none."""
        if self.table.tags:  # then the names of releases may be any
            return bool(self.repository.tags)
        reasons = {reason_in_name(tag, self.table) for tag in self.repository.tags}
        return not reasons <= {"alias", "other"}

    # Tags.

    def _of_tags(self) -> list[Release]:
        """Returns the tags that are releases, and then the state of the branch. If `by` is set,
        dated states come first."""
        tags = self._tags()
        self.problems += tags.problems
        self.skipped += tags.skipped
        releases: list[Release] = []
        left_out = []
        for tag in tags.tagged:
            release = self.files.with_files(tag)
            # A maintenance release is left out, unless it has the files of the release before.
            has_same_files = bool(releases) and release.files == releases[-1].files
            if tag in tags.maintenance and not has_same_files:
                left_out.append(tag.label)
            else:
                releases.append(release)
        if left_out:
            self.skipped.append(Skipped(reason="maintenance", names=tuple(left_out)))

        if self.table.by not in ("", AUTO):
            releases = self._with_dated_states_before(releases)
        if tags.head:
            releases.append(self.files.unreleased(tags.head))
        return releases

    def _tags(self) -> TagReleases:
        """Returns the tags that are releases of the source."""
        choice = TagChoice(
            table=self.table,
            declared=self.declared,
            has_glossary=lambda tag: bool(self.files.with_files(tag).files),
            packages=self._packages,
            published=self.published,
        )
        head = self.table.head
        if not head and not self._has_tags:
            head = "HEAD"  # the newest commit is all there is
        return read_tags(self.repository, choice, head=head)

    def _packages(self) -> Iterator[str]:
        """Yields the folders above the glossary that may be packages, the nearest first: `cli` and
        `packages` for `packages/cli/docs/words.md`."""
        tip, _ = self.repository.tip_of("HEAD")
        if tip is None:
            return
        file = next(iter(self.files.with_files(tip).files), "")
        for folder in reversed(PurePosixPath(file).parent.parts):
            if folder not in OF_DOCUMENTS:
                yield folder

    def _with_dated_states_before(self, releases: Sequence[Release]) -> list[Release]:
        """Returns the dated states up to the first release with the glossary, then that release
        and all later ones."""
        with_glossary = [*dropwhile(lambda release: not release.files, releases)]
        first = next(iter(with_glossary), None)
        states = self._dated_releases(self.table.by, self._tip(), until=first)

        # A tag may be named like a dated state. Then the tag is the release.
        names = {release.name for release in with_glossary}
        states = [state for state in states if state.name not in names]
        return [*states, *with_glossary]

    def pending(self, newest: Release) -> Release | None:
        """Returns the state of the current branch if the glossary was edited after the newest tag;
        else None."""
        tip, _ = self.repository.tip_of("HEAD")
        if tip is None or newest.kind != "tag":
            return None
        state = self.files.with_files(tip)
        if not state.files or state.files == newest.files:
            return None
        # The newest tag may be on a maintenance branch, outside of the history of the default
        # branch. Then a later commit on the default branch is enough.
        default = branch_name(default_branch(self.repository.folder))
        is_later_on_default = tip.label == default and (newest.time or 0) < (tip.time or 0)
        if is_later_on_default or newest.label in self.repository.tags_in(tip.commit):
            # The edits of a topic branch will be merged into the default branch.
            return replace(state, label=default or tip.label)
        return None

    # Branches.

    def _of_branches(self) -> list[Release]:
        """Returns each branch that matches `branches` as a release. The branch `head` is the
        unreleased state, unless it is one of them."""
        patterns = self.table.branches
        branches = self.repository.branches
        chosen = {}
        for name, id in branches.items():
            if matches_any(name, patterns) and not matches_any(name, self.table.exclude):
                chosen[name] = id
        if not chosen:
            found = f"no branch matches {', '.join(patterns)}"
            wanted = f"the repository has {first_of(sorted(branches), 5) or 'none'}"
            self._report(Trouble(ProblemKind.MISSING, found, wanted))
        resolved, problems = self.repository.resolve(chosen, kind="branch")
        named = {release.name: release for release in with_names(tuple(resolved.values()))}
        in_order = in_declared_order(ordered(named), self.declared)
        releases = [self.files.with_files(named[name]) for name in in_order]
        tip, problems_of_head = self.repository.tip_of(self.table.head)
        if tip and tip.label not in resolved:
            releases.append(self.files.unreleased(tip))
        self.problems += (*problems.values(), *problems_of_head)
        self.problems += self.repository.incompleteness()
        return releases

    # Dated states.

    def _of_dates(self) -> list[Release]:
        """Returns the dated states of the glossary, such as `2024-03`. If there are none, returns
        the newest commit."""
        by = self.table.by
        if by == AUTO:
            by = published_period(self.published)  # new states are named like the published ones
        tip = self._tip()
        releases = self._dated_releases(by, tip)
        if tip and not releases:
            releases = [self.files.with_files(tip)]
        if self.table.by != AUTO:  # with AUTO, no tag is a release
            self._report_tags()
        self.problems += self.repository.incompleteness()
        return releases

    def _dated_releases(
        self, by: str, tip: Release | None, *, until: Release | None = None
    ) -> list[Release]:
        """Returns the dated states up to `tip` that have new words, or are in site.toml, as
        releases.

        If the period `by` is empty, one is chosen. With `until`, the states end at that release.
        """
        if tip is None:
            return []
        states = dated_states(self.repository.folder, tip, self.table.paths, by=by, until=until)
        commits = {state.name: state.commit for state in states}
        resolved, unresolved = self.repository.resolve(commits, kind="dated")
        self.problems += unresolved.values()
        by_name: dict[str, Release] = {}
        for state in states:
            if state.name in resolved:
                release = self.files.with_files(resolved[state.name])
                label = state.commit[:SHORT]
                by_name[state.name] = replace(release, date=state.day, label=label)
        reworded = self._reworded(by_name.values())
        return [reworded[name] for name in in_declared_order(reworded, self.declared)]

    def _reworded(self, states: Iterable[Release]) -> Mapping[str, Release]:
        """Returns the dated states that have new words, or are in site.toml, by their names.

        A state without new words replaces the one before, as its markup may be newer, but with the
        name and the date of that one.
        """
        words = _Words(self.table, self.files, self.languages)
        reworded: dict[str, Release] = {}
        before: Release | None = None
        for state in states:
            if before and state.name not in self.declared and words.are_same(before, state):
                state = replace(state, name=before.name, date=before.date)
            reworded[state.name] = state
            before = state
        return reworded

    def _report_tags(self) -> None:
        """Reports the tags with the glossary, which are not read beside dated states."""
        tagged = [tag.label for tag in self._tags().tagged if self.files.with_files(tag).files]
        if tagged:
            found = f"{summarize(tagged)} not read, as `by` makes dated states"
            patterns = sorted(set(map(pattern_of_versions, tagged)))
            key = key_value("tags", tuple(patterns)).strip()
            wanted = f"add {key} beside `by`: the dated states stay, tags follow"
            self._report(Trouble(ProblemKind.RELEASES, found, wanted))

    # Folders.

    def _of_folders(self) -> list[Release]:
        """Returns each version folder of the newest commit as a release. A folder such as `next` is
        an unreleased state, and so are the files at `paths`, which are outside these folders."""
        tip = self._tip()
        if tip is None:
            return []
        folders = released_folders(self.files.trees, tip.tree, self.table.versions)
        if not folders:
            found = f"no folder matches {self.table.versions}"
            self._report(Trouble(ProblemKind.MISSING, found, "correct `versions`"))
        releases = []
        for name in in_declared_order(ordered(folders), self.declared):
            release = replace(
                tip,
                name=name,
                date=date_in(name),
                kind="folder",
                unreleased=name.lower() in HEADS,
            )
            path = folders[name]
            releases.append(self.files.with_files(release, [path]))
        outside_folders = self.files.unreleased(tip)
        if outside_folders.files:
            releases.append(outside_folders)
        return releases

    def _tip(self) -> Release | None:
        """Returns the newest state of the branch that is read, or None. Adds to `problems`."""
        tip, problems = self.repository.tip_of(self.table.head or "HEAD")
        self.problems += problems
        return tip

    def _report(self, trouble: Trouble) -> None:
        """Adds a problem of the table of the source."""
        self.problems.append(self.table.problem(trouble, place=self.repository.place))


class _Words:
    """The words of the glossary, by which dated states are compared."""

    def __init__(self, table: SourceTable, files: CommitFiles, languages: Sequence[str]) -> None:
        # A format reads another language of a file as a section of that name.
        self._tables = [table, *(replace(table, section=language) for language in languages)]
        self._files = files
        self._in_file = cache(self._read)

    def are_same(self, one: Release, other: Release) -> bool:
        """True if two states have the same words, in each language."""
        words = self._in_state(one)
        if not words:
            return False  # the files of `one` may be unreadable
        return words == self._in_state(other)

    def _in_state(self, state: Release) -> set[tuple[str, ComparedEntry]]:
        """Returns what is compared of each entry of a state, with the name of the section that the
        entry is in: a heading, or another language."""
        words: set[tuple[str, ComparedEntry]] = set()
        for path, id in state.files.items():
            words |= self._in_file(path, id)
        return words

    def _read(self, path: str, id: str) -> set[tuple[str, ComparedEntry]]:
        """Returns what is compared of each entry of a file, as `_in_state` does."""
        read = self._files.read(Release(name="", files={path: id}))
        words = set()
        for table in self._tables:
            documents = [with_settings(document, table) for document in read.documents]
            for entry in compared_entries(entries_of(documents)):
                words.add((table.section, entry))
        return words
