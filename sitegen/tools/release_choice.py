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
from sitegen.model import ProblemKind, Release, SitegenError, Source, counted
from sitegen.sources.discovery.searched_repository import FoundGlossary, FoundTranslation
from sitegen.sources.git.dated_states import commits_of, period_of
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.git.tags import pattern_of_versions, read_tags
from sitegen.sources.reading import SourceReader
from sitegen.sources.translated_sources import history_of, read_logs, source_table
from sitegen.sources.trees import PLACEHOLDER
from sitegen.tools.proposed_sources import (
    ProposedSource,
    proposed_table,
    translation_table,
)

_NUMBERS = re.compile(r"\d+(?:\.\d+)*")
MAX_PATTERNS = 8
"""The maximum number of patterns for tags that are proposed."""
MIN_FOLDERS = 2
"""The minimum number of folders of versions; a single one may be called so for another reason."""
MAX_AGE = timedelta(days=365)
"""A release that is older than this may not be the state of today: the branch is read as well."""


@dataclass(frozen=True, kw_only=True)
class Survey:
    """The facts by which the releases of a glossary are chosen."""

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
    """The days on which the glossary changed on the current branch, oldest first."""


@dataclass(frozen=True)
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
        """Returns the source of a proposal. Each proposal is read once. Raises `SitegenError` if it
        cannot be read, as in a partial clone."""
        text = self._site_toml(source)
        if text not in self.sources:
            config = configuration.parse(text, path="")
            reader = SourceReader(self.folder, clones=self.clones)
            (read,) = reader.read(config).sources
            for problem in read.problems:
                if not read.releases and problem.kind == ProblemKind.UNREADABLE:
                    raise SitegenError(str(problem))
            self.sources[text] = read
        return self.sources[text]

    def with_releases(self, source: ProposedSource) -> ProposedSource:
        """Returns a source with the kind of releases that the first fitting rule chooses."""
        survey = self._survey(source)
        rules = (self._from_folders, _from_tags, _from_tags_to_come)
        for rule in rules:
            with_releases = rule(source, survey)
            if with_releases:
                return with_releases

        # Else each day, month or year with changes counts as a release.
        by = period_of(survey.days)
        note = (
            f"no tag has it, so its history is by {by}; once a tag has it, add tags = "
            f'["v[0-9]*"] and keep `by`'
        )
        return replace(source, by=by, note=note)

    def _survey(self, source: ProposedSource) -> Survey:
        """Returns the facts by which the releases of a glossary are chosen. Raises GitError."""
        at_tags = self.read(source)
        tagged: Sequence[Release] = ()
        # The newest release first: it is the likeliest to have terms.
        if any(map(_has_terms, reversed(at_tags.releases))):
            tagged = _released(at_tags)
        with open_repository(self.repository, root=self.folder, clones=self.clones) as repository:
            tip, _ = repository.tip_of("HEAD")
            if tip is None:  # the branch has no commit
                return Survey(at_tags=at_tags, tagged=tagged)
            days_of_tags = [tag.date for tag in read_tags(repository).tagged if tag.date]
            paths = _changing_paths(source.glossary, is_tagged=bool(tagged))
            return Survey(
                at_tags=at_tags,
                tagged=tagged,
                branch=tip.label,
                day=tip.date,
                newest_tag=max(days_of_tags, default=None),
                days=[day for _, day in commits_of(repository.folder, tip, paths)],
            )

    def _from_folders(self, source: ProposedSource, survey: Survey) -> ProposedSource | None:
        """Rule 1: the folders of versions are the releases, if at least two of them have terms, and
        if there are more of them than of tags. Else returns None."""
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
        releases = _released(self.read(candidate))
        with_terms = [release for release in releases if _has_terms(release)]
        if len(with_terms) < MIN_FOLDERS or len(with_terms) <= len(survey.tagged):
            return None
        return replace(candidate, note=f"the folders {template} are its releases")

    def with_translations(self, source: ProposedSource, language: str) -> ProposedSource:
        """Returns a source, which is in `language`, with its translations that have terms today."""
        # A language may be found twice: in files of its own, and within those of the original.
        by_language = {found.language: found for found in source.glossary.translations}
        # Files such as `terms.de.md` may be beside an original that is in German itself.
        by_language.pop(language, None)
        if not by_language or source.versions:  # folders of versions have no [[translation]]
            return source
        translations = []
        entry_counts = self._entry_counts(source, by_language)
        for found, entries in zip(by_language.values(), entry_counts, strict=True):
            if entries:
                translations.append(replace(found, entries=entries))
        return replace(source, translations=tuple(translations))

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
        # With no bytes left for earlier commits, only the files of today are read.
        logs, _problems = read_logs(
            [original, *translated], root=self.folder, clones=self.clones, max_bytes=0
        )
        for table in translated:
            history, _problems_of_terms = history_of(logs[table.id], logs[original.id])
            yield len(history.current)


def _changing_paths(glossary: FoundGlossary, *, is_tagged: bool) -> Sequence[str]:
    """Returns the patterns of the files whose changes count. For a tagged glossary, the files of
    its translations are among them."""
    paths = [*glossary.patterns]
    # Without tags, each change becomes a state of the glossary, which no translation changes.
    if is_tagged:
        for translation in glossary.translations:
            paths += translation.patterns
    return paths


def _from_tags(source: ProposedSource, survey: Survey) -> ProposedSource | None:
    """Rule 2: the tags of versions are the releases. If the branch has changed long after the
    newest tag, it is read as unreleased. Returns None without tags."""
    if not survey.tagged:
        return None
    with_own_tags = _with_own_tags(source, survey.at_tags)
    newest = survey.tagged[-1]
    if not source.glossary.is_current:
        return with_own_tags  # the branch does not have it any more
    if not newest.date:
        return with_own_tags
    later_days = [day for day in survey.days if day > newest.date]
    last_change = max(later_days, default=newest.date)
    if last_change - newest.date < MAX_AGE:
        return with_own_tags
    note = (
        f"the newest release, {newest.name}, is of {newest.date}; "
        f"{survey.branch} is read for {counted(len(later_days), 'change')} since then"
    )
    return replace(with_own_tags, head=survey.branch, note=note)


def _from_tags_to_come(source: ProposedSource, survey: Survey) -> ProposedSource | None:
    """Rule 3: the next tags will be the releases, if no tag has the glossary yet. Returns None if
    the branch does not have it any more, or if another tag is not likely: the project has none, or
    its newest one is old."""
    if not survey.newest_tag or not survey.day or not source.glossary.is_current:
        return None
    if survey.day - survey.newest_tag >= MAX_AGE:
        return None
    # No tag has the glossary (rule 2), so its last release is a branch.
    branch = source.glossary.last_release
    return replace(_with_own_tags(source, survey.at_tags), head=branch)


def _released(source: Source) -> Sequence[Release]:
    """Returns the releases of a source without its unreleased state."""
    return [release for release in source.releases if not release.unreleased]


def _has_terms(release: Release) -> bool:
    """True if a document of a release has terms."""
    return any(formats.read(document).entries for document in release.documents)


def _with_own_tags(source: ProposedSource, read: Source) -> ProposedSource:
    """Returns a source with patterns that tell its own tags from other tags of the repository.

    Beside `tool-3`, the tags `v1.0` and `v1.1` are read by `v[0-9]*`. Beside `1.0-proof3`, no
    pattern has `1.0` alone, so `*-proof*` is excluded. If that fails too, there is only a note.
    """
    about_other_tags = [one for one in read.problems if one.kind == ProblemKind.OTHER_TAGS]
    if not about_other_tags:
        return source
    with_note = replace(source, note=about_other_tags[0].found)

    own_tags = set[str]()
    for document in read.documents:
        tag, _, _path = document.path.partition(":")  # "v1.0:docs/terms.md"
        own_tags.add(tag)
    other_tags = set[str]()
    for skipped in read.skipped:
        if skipped.reason == "other":
            other_tags.update(skipped.names)

    own_patterns = {*map(pattern_of_versions, own_tags)}
    if own_tags and _separates(own_patterns, own_tags, other_tags):
        return replace(with_note, tags=tuple(sorted(own_patterns)))
    other_patterns = {*map(_without_numbers, other_tags)}
    if _separates(other_patterns, other_tags, own_tags):
        return replace(with_note, exclude=tuple(sorted(other_patterns)))
    return with_note


def _separates(patterns: Collection[str], wanted: Iterable[str], others: Iterable[str]) -> bool:
    """Returns whether these patterns match all wanted tags and none of the others. False if there
    are too many patterns for a site.toml."""
    if len(patterns) > MAX_PATTERNS:
        return False
    # A tag may have a pattern that does not match the tag itself, as `[0-9]*` of `draft-x1`.
    matching = re.compile("|".join(map(fnmatch.translate, patterns))).match
    return all(map(matching, wanted)) and not any(map(matching, others))


def _without_numbers(tag: str) -> str:
    """Returns a pattern for the tags that are equal to a tag but for their numbers.

    >>> _without_numbers("1.0-proof3")
    '*-proof*'
    """
    return "*".join(literal(part) for part in _NUMBERS.split(tag))
