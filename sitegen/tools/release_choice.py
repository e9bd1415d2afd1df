"""Chooses the releases and the translations of each source that `sitegen init` proposes.

Each proposal is read before, as a build would read it, to see that it works and what it gives.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

from sitegen import formats
from sitegen.config import parsing as configuration
from sitegen.config.patterns import literal
from sitegen.model import ProblemKind, Release, Source, counted
from sitegen.sources.discovery.searched_repository import FoundGlossary, FoundTranslation
from sitegen.sources.git.dated_states import commits_of, period_of
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.git.tags import pattern_of_versions, read_tags
from sitegen.sources.reading import SourceReader
from sitegen.sources.translated_sources import history_of, read_logs, source_table
from sitegen.sources.trees import PLACEHOLDER
from sitegen.tools.proposed_sources import (
    ProposedSource,
    ProposedTranslation,
    proposed_table,
    translation_table,
)
from sitegen.tools.version_branches import NO_BRANCHES, VersionBranches, version_branches

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")
MAX_PATTERNS = 8
"""The maximum number of patterns for tags that are proposed."""
MAX_AGE = timedelta(days=365)
"""A release that is older than this may not be the state of today: the branch is read as well."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """What a glossary may have as releases."""

    at_tags: Source
    """The glossary, read at the tags of versions."""
    tagged: Sequence[Release] = ()
    """Its releases at these tags; empty if no document there has terms."""
    branch: str = ""
    """The current branch."""
    day: date | None = None
    """The day of its newest commit."""
    newest_tag: date | None = None
    """The date of the newest tag of the project's own tag family."""
    days: Sequence[date] = ()
    """The days on which the glossary changed on the current branch, oldest first; empty if its
    newest release is recent."""
    branches: VersionBranches = NO_BRANCHES
    """The branches that each contain the glossary of a version."""


@dataclass(frozen=True, slots=True)
class ReleaseChoice:
    """Chooses the kind of releases of a glossary by reading it with each candidate
    configuration."""

    folder: Path
    site_tables: str
    """The tables of site.toml that are about no source."""
    repository: str
    clones: Clones
    sources: dict[str, Source] = field(default_factory=dict)
    """A cache of the sources that were read, by the text of site.toml."""

    def _site_toml(self, source: ProposedSource) -> str:
        """Returns a site.toml with this source alone."""
        return f"{self.site_tables}\n{proposed_table(source, self.repository)}"

    def read(self, source: ProposedSource) -> Source:
        """Returns the source of a proposal. Each proposal is read once."""
        text = self._site_toml(source)
        if text not in self.sources:
            config = configuration.parse(text, path="")
            reader = SourceReader(self.folder, clones=self.clones)
            (read,) = reader.read(config).sources
            self.sources[text] = read
        return self.sources[text]

    def with_releases(self, source: ProposedSource) -> ProposedSource:
        """Returns a source with the kind of releases that the first fitting rule chooses."""
        survey = self._survey(source)
        for rule in (self._of_folders, _of_tags, _of_branches, _of_tags_to_come):
            if chosen := rule(source, survey):
                return chosen
        by = period_of(survey.days)
        note = (
            f"no tag has it, so its history is by {by}; once a tag has it, add tags = "
            f'["v[0-9]*"] and keep `by`'
        )
        return replace(source, by=by, note=note)

    def _survey(self, source: ProposedSource) -> Survey:
        """Returns what a glossary may have as releases. Raises GitError."""
        read = self.read(source)
        tagged: Sequence[Release] = ()
        if any(formats.read(document).entries for document in reversed(read.documents)):
            tagged = _released(read)
        paths = _changing_paths(source.glossary, is_tagged=bool(tagged))
        with open_repository(self.repository, root=self.folder, clones=self.clones) as repository:
            tip, _ = repository.head("HEAD")
            if tip is None:
                return Survey(at_tags=read, tagged=tagged)
            days: list[date] = []
            if not _is_recent(tagged, tip.date):
                days = [day for _, day in commits_of(repository.folder, tip, paths)]
            days_of_tags = [tag.date for tag in read_tags(repository).tagged if tag.date]
            return Survey(
                at_tags=read,
                tagged=tagged,
                branch=tip.label,
                day=tip.date,
                newest_tag=max(days_of_tags, default=None),
                days=days,
                branches=version_branches(repository, paths),
            )

    def _of_folders(self, source: ProposedSource, survey: Survey) -> ProposedSource | None:
        """Rule 1: the folders of versions, if at least two have terms, and more than tags."""
        template = source.glossary.versions
        if not template:
            return None
        newest = source.glossary.paths[0]
        # `docs/{version}/terms.md` has `docs/2.0/terms.md`, and not `next/terms.md`.
        pattern = re.escape(template).replace(re.escape(PLACEHOLDER), "[^/]+")
        is_in_folder = re.fullmatch(pattern, newest) is not None
        # A newest file outside of these folders is the unreleased state.
        paths = () if is_in_folder else (newest,)
        candidate = replace(source, versions=template, paths=paths)
        with_terms = [one for one in _released(self.read(candidate)) if _has_terms(one)]
        if len(with_terms) < 2 or len(with_terms) <= len(survey.tagged):
            return None
        return replace(candidate, note=f"the folders {template} are its releases")

    def with_translations(self, source: ProposedSource, language: str) -> ProposedSource:
        """Returns a source, which is in `language`, with its translations that have terms today."""
        # A language may be found twice: in files of its own, and within those of the original.
        found = {one.language: one for one in source.glossary.translations}
        # Files such as `terms.de.md` may be beside an original that is in German itself.
        found.pop(language, None)
        if not found or source.versions:  # folders of versions have no [[translation]]
            return source
        proposed = []
        for one, entries in zip(found.values(), self._entry_counts(source, found), strict=True):
            if entries:
                proposed.append(ProposedTranslation(one, entries))
        return replace(source, translations=tuple(proposed))

    def _entry_counts(
        self, source: ProposedSource, found: Mapping[str, FoundTranslation]
    ) -> Iterator[int]:
        """Yields the number of entries that each translation has today, in the order of `found`. A
        site.toml with the translations is parsed, so that the files are read as in a build."""
        tables = [translation_table(source, one) for one in found.values()]
        text = "\n".join([self._site_toml(source), *tables])
        config = configuration.parse(text, path="")
        (original,) = config.sources
        translated = [source_table(original, one) for one in config.translations]
        logs, _ = read_logs(
            [original, *translated],
            root=self.folder,
            clones=self.clones,
            max_bytes=0,  # only the files of today
        )
        for table in translated:
            history, _ = history_of(logs[table.id], logs[original.id])
            yield len(history.current)


def _changing_paths(glossary: FoundGlossary, *, is_tagged: bool) -> Sequence[str]:
    """Returns the patterns of the files whose changes count. The branch of a tagged glossary is
    read if it has changed since the newest tag, also in translations. Without tags, the changes are
    the states of the glossary itself."""
    paths = [*glossary.patterns]
    if is_tagged:
        for translation in glossary.translations:
            paths += translation.patterns
    return paths


def _is_recent(tagged: Sequence[Release], day: date | None) -> bool:
    """True if the newest of these releases is not old on a day."""
    newest = tagged[-1].date if tagged else None
    return newest is not None and day is not None and day - newest < MAX_AGE


def _of_tags(source: ProposedSource, survey: Survey) -> ProposedSource | None:
    """Rule 2: the tags of versions, unless the current branch is that of a version. The branch is
    read as unreleased if it has changed long after the newest tag."""
    if not survey.tagged or fnmatch.fnmatchcase(survey.branch, survey.branches.pattern):
        return None
    pinned = _pinned(source, survey.at_tags)
    newest = survey.tagged[-1]
    if not newest.date or not source.glossary.is_current:
        return pinned
    later = [day for day in survey.days if day > newest.date]
    if not later or later[-1] - newest.date < MAX_AGE:
        return pinned
    note = (
        f"the newest release, {newest.name}, is of {newest.date}; "
        f"{survey.branch} is read for {counted(len(later), 'change')} since then"
    )
    return replace(pinned, head=survey.branch, note=note)


def _of_branches(source: ProposedSource, survey: Survey) -> ProposedSource | None:
    """Rule 3: the branches of versions. The current branch is read as unreleased, as the branch of
    the next version begins there."""
    of_versions = survey.branches.pattern
    if not of_versions:
        return None
    exclude: tuple[str, ...] = ()
    if survey.branches.others:
        exclude = (survey.branches.others,)
    note = f"the branches {of_versions} are its releases"
    return replace(source, branches=of_versions, exclude=exclude, head=survey.branch, note=note)


def _of_tags_to_come(source: ProposedSource, survey: Survey) -> ProposedSource | None:
    """Rule 4: the next tags, if no tag has the glossary yet, and the newest tag is not old."""
    if not survey.newest_tag or not survey.day or not source.glossary.is_current:
        return None
    if survey.day - survey.newest_tag >= MAX_AGE:
        return None
    return replace(_pinned(source, survey.at_tags), head=source.glossary.last)


def _released(source: Source) -> Sequence[Release]:
    """Returns the releases of a source without its unreleased state."""
    return [release for release in source.releases if not release.unreleased]


def _has_terms(release: Release) -> bool:
    """True if a document of a release has terms."""
    return any(formats.read(document).entries for document in release.documents)


def _pinned(source: ProposedSource, read: Source) -> ProposedSource:
    """Returns a source that keeps reading the tags that it has, if the repository has tags of
    something else: with patterns for its own tags, else for the others to exclude, else without.

    Beside `tool-3`, the tags `v1.0` and `v1.1` are read by `v[0-9]*`. Beside `1.0-proof3`, the tag
    `1.0` has no such pattern, so `*-proof*` is excluded.
    """
    notes = [one.found for one in read.problems if one.kind == ProblemKind.OTHER_TAGS]
    if not notes:
        return source
    noted = replace(source, note=notes[0])
    own_tags, other_tags = set[str](), set[str]()
    for document in read.documents:
        tag, _, _path = document.path.partition(":")  # "v1.0:docs/terms.md"
        own_tags.add(tag)
    for skipped in read.skipped:
        if skipped.reason == "other":
            other_tags.update(skipped.names)
    own_patterns = {*map(pattern_of_versions, own_tags)}
    if own_tags and _separates(own_patterns, own_tags, other_tags):
        return replace(noted, tags=tuple(sorted(own_patterns)))
    other_patterns = {*map(_without_numbers, other_tags)}
    if _separates(other_patterns, other_tags, own_tags):
        return replace(noted, exclude=tuple(sorted(other_patterns)))
    return noted


def _separates(patterns: Collection[str], wanted: Iterable[str], others: Iterable[str]) -> bool:
    """True if a few patterns match all wanted tags, and none of the others. `[0-9]*`, the
    pattern of the tag `draft-x1`, does not match it."""
    if len(patterns) > MAX_PATTERNS:
        return False
    matching = re.compile("|".join(map(fnmatch.translate, patterns))).match
    return all(map(matching, wanted)) and not any(map(matching, others))


def _without_numbers(tag: str) -> str:
    """Returns a pattern for the tags that differ from one in their numbers alone.

    >>> _without_numbers("1.0-proof3")
    '*-proof*'
    """
    return "*".join(literal(part) for part in _NUMBERS.split(tag))
