"""Finds the releases of a source in git: tags, branches, version folders or dated states.

The paths are tried in order at every release, so that a moved file keeps one history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import dropwhile

from sitegen.config.declared_releases import DeclaredReleases
from sitegen.config.patterns import literal, matches_any
from sitegen.config.tables import SourceTable
from sitegen.config.toml import key_value
from sitegen.model import Problem, ProblemKind, Release, Skipped, Trouble
from sitegen.sources.commit_files import CommitFiles
from sitegen.sources.dated_releases import DatedReleases
from sitegen.sources.git.dated_states import published_period
from sitegen.sources.git.repositories import Repository, branch_name, default_branch
from sitegen.sources.git.tags import TagChoice, TagReleases, read_tags, summarize, with_names
from sitegen.sources.packages import packages_around
from sitegen.sources.trees import released_folders
from sitegen.text.release_names import HEADS, date_in, ordered, parse_label

AUTO = "auto"
MAX_EXCLUDED = 8
"""The maximum number of tags that a message proposes to exclude by name."""


class ReleaseFinder:
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
        self.published = published
        self.files = CommitFiles(repository, table)
        self.dated = DatedReleases(repository, table, declared, self.files, languages=languages)
        self.skipped: list[Skipped] = []
        self._problems: list[Problem] = [*repository.problems]

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*self._problems, *self.dated.problems)

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

    # Tags.

    def _of_tags(self) -> list[Release]:
        """Returns the tags that are releases; with `by`, after the dated states up to the first tag
        that has the glossary."""
        tags = self._tags()
        heads = [tags.head] if tags.head else []
        self.files.trees.fetch(release.tree for release in (*tags.tagged, *heads))
        self._problems += tags.problems
        self.skipped += tags.skipped
        releases: list[Release] = []
        dropped = []
        for tag in tags.tagged:
            release = self.files.at(tag)
            is_repeated = bool(releases) and release.files == releases[-1].files
            if tag in tags.maintenance and not is_repeated:
                dropped.append(tag.label)
            else:
                releases.append(release)
        if dropped:
            self.skipped.append(Skipped(reason="maintenance", names=tuple(dropped)))
        if self.table.by not in ("", AUTO):
            releases = self._after_dated_states(releases)
        return releases + [self.files.unreleased(tip) for tip in heads]

    def _tags(self) -> TagReleases:
        choice = TagChoice(
            table=self.table,
            declared=self.declared,
            has_glossary=lambda tag: bool(self.files.at(tag).files),
            packages=self._packages,
            published=self.published,
        )
        head = self.table.head
        if not head and not self.repository.tags:
            head = "HEAD"
        return read_tags(self.repository, choice, head=head)

    def _packages(self) -> Iterator[str]:
        """Yields the names of the packages that contain the glossary, the nearest first."""
        tip, _ = self.repository.head("HEAD")
        if tip:
            yield from packages_around(self.table.paths, tip.tree, self.files.trees)

    def _after_dated_states(self, releases: Sequence[Release]) -> list[Release]:
        """Returns the releases that have the glossary, after the dated states up to the first of
        them."""
        having = list(dropwhile(lambda one: not one.files, releases))
        names = {release.name for release in having}
        first = having[0] if having else None
        states = self.dated.find(self.table.by, until=first)
        return [one for one in states if one.name not in names] + having

    def pending(self, newest: Release) -> Release | None:
        """Returns the state of the current branch, if it has edits that were made after the newest
        tag, also on the default branch after a tag on another one."""
        tip, _ = self.repository.head("HEAD")
        if tip is None or newest.kind != "tag":
            return None
        state = self.files.at(tip)
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

    # Branches.

    def _of_branches(self) -> list[Release]:
        """Returns each branch as a release; and the branch `head`, if it is not one of them, as
        unreleased."""
        ids = self.repository.branches
        chosen = {name: ids[name] for name in self._chosen_branches()}
        if not chosen:
            found = f"no branch matches {', '.join(self.table.branches)}"
            wanted = f"the repository has {', '.join(sorted(ids)[:5])}"
            self._report(Trouble(ProblemKind.MISSING, found, wanted))
        resolved, problems = self.repository.resolve(chosen, kind="branch")
        named = {release.name: release for release in with_names(tuple(resolved.values()))}
        releases = []
        for name in self.declared.in_order(ordered(named)):
            releases.append(self.files.at(named[name]))
        tip, more = self.repository.head(self.table.head)
        if tip and tip.label not in resolved:
            releases.append(self.files.unreleased(tip))
        self._problems += (*problems.values(), *more, *self.repository.incompleteness())
        return releases

    def _chosen_branches(self) -> list[str]:
        """Returns the branches that are releases: those of the most common family that `branches`
        matches, and those that it names."""
        patterns = self.table.branches
        families: dict[str, str] = {}
        for name in self.repository.branches:
            if matches_any(name, patterns):
                families[name] = parse_label(name).family
        if not families:
            return []
        ((usual, _),) = Counter(families.values()).most_common(1)
        chosen = [name for name in families if name in patterns or families[name] == usual]
        # Where there is a branch 2.4.x, those of single patches, such as 2.4.1, are left out.
        line_branches = [name for name in chosen if name.endswith(".x")]
        lines = tuple(name.removesuffix("x") for name in line_branches)
        patches = [name for name in chosen if name.startswith(lines) and name not in line_branches]
        return [name for name in chosen if name not in patches]

    # Dated states.

    def _of_dates(self) -> list[Release]:
        """Returns the commits that changed the glossary, grouped into dated states."""
        by = self.table.by
        if by == AUTO:
            by = published_period(self.published()) if self.published else ""
        releases = self.dated.find(by)
        tip, _ = self.repository.head(self.table.head or "HEAD")
        if tip and not releases:
            releases = [self.files.at(tip)]
        if self.table.by != AUTO:
            self._report_tags(releases)
        self._problems += self.repository.incompleteness()
        return releases

    def _report_tags(self, states: Sequence[Release]) -> None:
        """Reports the tags with the glossary, which are not read beside these dated states."""
        days = [state.date for state in states if state.date]
        if not days:
            return
        tagged = []
        for tag in self._tags().tagged:
            is_later = tag.date is not None and tag.date >= days[0]
            if is_later and self.files.at(tag).files:
                tagged.append(tag)
        if tagged:
            labels = summarize([tag.label for tag in tagged])
            found = f"{labels} not read, as `by` makes dated states"
            keys = " and ".join(_keys_for_tags(tagged, after=days[-1]))
            wanted = f"add {keys} beside `by`: the dated states stay, tags follow"
            self._report(Trouble(ProblemKind.RELEASES, found, wanted))

    # Folders.

    def _of_folders(self) -> list[Release]:
        """Returns each version folder of the newest commit as a release."""
        tip, problems = self.repository.head(self.table.head or "HEAD")
        self._problems += problems
        if tip is None:
            return []
        folders = released_folders(self.files.trees, tip.tree, self.table.versions)
        releases = []
        for name in self.declared.in_order(ordered(folders)):
            folder = replace(
                tip,
                name=name,
                date=date_in(name),
                kind="folder",
                unreleased=name.lower() in HEADS,
            )
            releases.append(self.files.at(folder, [folders[name]]))
        newest = self.files.unreleased(tip)
        if newest.files:
            releases.append(newest)
        return releases

    def _report(self, trouble: Trouble) -> None:
        self._problems.append(trouble.at(self.repository.place))


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
