"""The sources that `sitegen init` proposes: each glossary that was found, with its releases and its
translations.

Each proposed source is read once before, to check that it works and to choose and show its
releases.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sitegen import formats
from sitegen.config import parsing as configuration
from sitegen.config.patterns import literal
from sitegen.config.toml import table
from sitegen.config.values import as_id, as_name
from sitegen.model import ProblemKind, Release, Source, counted, first_of
from sitegen.safe_files import read
from sitegen.sources.discovery.searched_repository import FoundGlossary, FoundTranslation
from sitegen.sources.git.dated_states import commits_of, period_of
from sitegen.sources.git.repositories import Clones, open_repository
from sitegen.sources.git.tags import pattern_of_versions, read_tags
from sitegen.sources.reading import SourceReader
from sitegen.sources.translated_sources import history_of, read_logs, source_table
from sitegen.sources.trees import PLACEHOLDER
from sitegen.text.decoding import MAX_DOCUMENT_BYTES
from sitegen.tools.version_branches import NO_BRANCHES, VersionBranches, version_branches

CONTEXT_MAP = "CONTEXT-MAP.md"
_MAP_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s#]+)\)")
NUMBERS = re.compile(r"\d+(?:\.\d+)*")
MAX_PATTERNS = 8
"""The maximum number of patterns for tags that are proposed."""
STALE = timedelta(days=365)
"""After this time without a new release, the branch is read as well."""


class ProposedTranslation(NamedTuple):
    """A translation of a source."""

    found: FoundTranslation
    entries: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposedSource:
    """A glossary as a source."""

    glossary: FoundGlossary
    id: str
    title: str
    head: str = ""
    """The branch that is read as unreleased."""
    tags: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    by: str = ""
    branches: str = ""
    versions: str = ""
    paths: tuple[str, ...] = ()
    """Empty if `versions` has them all."""
    note: str = ""
    """The reason for the choice of releases, if they are not simply the tags."""
    releases: tuple[Release, ...] = ()
    """The releases that reading the source gives."""
    translations: tuple[ProposedTranslation, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yields the lines that `sitegen init` prints about it, but for its note, which other
        sources may share."""
        newest, *before = self.glossary.paths
        place = newest
        if self.glossary.section:
            place += f", section “{self.glossary.section}”"
        if before:
            place += f" (before that {first_of(before, 3)})"
        yield f"{place}: {counted(self.glossary.entries, 'term')}, {self._span()}"
        if not self.glossary.is_current:
            yield f"  it was last there in {self.glossary.last}"
        for one in self.translations:
            places = ", ".join(one.found.patterns) or "the same files"
            yield f"  {one.found.language}: {counted(one.entries, 'term')} in {places}"

    def _span(self) -> str:
        """Returns the number of releases, and the first and the last one."""
        names = [release.name for release in self.releases if not release.unreleased]
        if not names:
            return "not in a release yet"
        span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
        return f"{counted(len(names), 'dated state' if self.by else 'release')}, {span}"


def context_titles(folder: Path) -> Mapping[str, str]:
    """Returns the names that CONTEXT-MAP.md gives to contexts in its links, by the paths of their
    glossaries."""
    try:
        text = read(folder / CONTEXT_MAP, limit=MAX_DOCUMENT_BYTES).decode(errors="replace")
    except OSError:
        return {}
    titles = {}
    for title, target in _MAP_LINK.findall(text):
        titles[posixpath.normpath(target)] = as_name(title)
    return titles


def named_sources(
    glossaries: Sequence[FoundGlossary], name: str, title: str, titles: Mapping[str, str]
) -> tuple[ProposedSource, ...]:
    """Returns the sources with ids and titles: of the project for a single one, else those of their
    files."""
    if len(glossaries) == 1:
        return (ProposedSource(glossary=glossaries[0], id=as_id(name), title=title),)
    sources: dict[str, ProposedSource] = {}
    for glossary in glossaries:
        path = PurePosixPath(glossary.paths[0])
        id_of_path = as_id(str(path.with_suffix("")))
        id = id_of_path
        number = 1
        while id in sources:
            number += 1
            id = f"{id_of_path}-{number}"
        own_title = titles.get(str(path)) or str(path)
        sources[id] = ProposedSource(glossary=glossary, id=id, title=own_title)
    return tuple(sources.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """What a glossary may have as releases."""

    read: Source
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
    site: str
    repository: str
    clones: Clones
    sources: dict[str, Source] = field(default_factory=dict)
    """A cache of the sources that were read, by the text of site.toml."""

    def _site_toml(self, source: ProposedSource) -> str:
        """Returns a site.toml with this source alone."""
        return f"{self.site}\n{proposed_table(source, self.repository)}"

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
        """Returns a source with the releases that the first rule that fits gives it."""
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
                return Survey(read=read, tagged=tagged)
            days: list[date] = []
            if not _is_recent(tagged, tip.date):
                days = [day for _, day in commits_of(repository.folder, tip, paths)]
            days_of_tags = [tag.date for tag in read_tags(repository).tagged if tag.date]
            return Survey(
                read=read,
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
        pattern = re.escape(template).replace(re.escape(PLACEHOLDER), "[^/]+")
        is_in_folder = re.fullmatch(pattern, newest) is not None
        # A newest file outside of these folders is the unreleased state.
        paths = () if is_in_folder else (newest,)
        candidate = replace(source, versions=template, paths=paths)
        folders = [one for one in _released(self.read(candidate)) if _has_terms(one)]
        if len(folders) < 2 or len(folders) <= len(survey.tagged):
            return None
        return replace(candidate, note=f"the folders {template} are its releases")

    def with_translations(self, source: ProposedSource, language: str) -> ProposedSource:
        """Returns a source, which is in `language`, with its translations that have terms."""
        found = {one.language: one for one in source.glossary.translations}
        found.pop(language, None)
        if not found or source.versions:
            return source
        tables = [translation_table(source, one) for one in found.values()]
        text = "\n".join([self._site_toml(source), *tables])
        config = configuration.parse(text, path="")
        (original,) = config.sources
        own = [source_table(original, one) for one in config.translations]
        # The terms of today are read without their history.
        logs, _ = read_logs([original, *own], root=self.folder, clones=self.clones, max_bytes=0)
        proposed = []
        for one, own_table in zip(found.values(), own, strict=True):
            history, _ = history_of(logs[own_table.id], logs[original.id])
            if history.current:
                proposed.append(ProposedTranslation(one, len(history.current)))
        return replace(source, translations=tuple(proposed))


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
    return newest is not None and day is not None and day - newest < STALE


def _of_tags(source: ProposedSource, survey: Survey) -> ProposedSource | None:
    """Rule 2: the tags of versions, unless the current branch is that of a version. The branch is
    read as unreleased if it has changed long after the newest tag."""
    if not survey.tagged or fnmatch.fnmatchcase(survey.branch, survey.branches.pattern):
        return None
    pinned = _pinned(source, survey.read)
    newest = survey.tagged[-1]
    if not newest.date or not source.glossary.is_current:
        return pinned
    later = [day for day in survey.days if day > newest.date]
    if not later or later[-1] - newest.date < STALE:
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
    if survey.day - survey.newest_tag >= STALE:
        return None
    return replace(_pinned(source, survey.read), head=source.glossary.last)


def _released(source: Source) -> Sequence[Release]:
    """Returns the releases of a source without its unreleased state."""
    return [release for release in source.releases if not release.unreleased]


def _has_terms(release: Release) -> bool:
    """True if a document of a release has terms."""
    return any(formats.read(document).entries for document in release.documents)


def _pinned(source: ProposedSource, read: Source) -> ProposedSource:
    """Returns a source with patterns for its tags; if none fit, with patterns for the other tags of
    the repository to exclude. Without other tags, or without fitting patterns, it needs none."""
    notes = [one.found for one in read.problems if one.kind == ProblemKind.OTHER_TAGS]
    if not notes:
        return source
    noted = replace(source, note=notes[0])
    own_tags, other_tags = set[str](), set[str]()
    for document in read.documents:
        tag, _, _path = document.path.partition(":")
        own_tags.add(tag)
    for skipped in read.skipped:
        if skipped.reason == "other":
            other_tags.update(skipped.names)
    tags = {*map(pattern_of_versions, own_tags)}
    if own_tags and _separates(tags, own_tags, other_tags):
        return replace(noted, tags=tuple(sorted(tags)))
    exclude = {*map(_without_numbers, other_tags)}
    if _separates(exclude, other_tags, own_tags):
        return replace(noted, exclude=tuple(sorted(exclude)))
    return noted


def _separates(patterns: Collection[str], wanted: Iterable[str], others: Iterable[str]) -> bool:
    """True if a few patterns match all wanted tags, and none of the others. A tag may have no
    number behind its prefix."""
    if len(patterns) > MAX_PATTERNS:
        return False
    matching = re.compile("|".join(map(fnmatch.translate, patterns))).match
    return all(map(matching, wanted)) and not any(map(matching, others))


def _without_numbers(tag: str) -> str:
    """Returns a pattern for the tags that differ from one in their numbers alone."""
    return "*".join(literal(part) for part in NUMBERS.split(tag))


def translation_table(source: ProposedSource, found: FoundTranslation) -> str:
    """Returns the `[[translation]]` table of a source."""
    return table(
        "[[translation]]", {"of": source.id, "language": found.language, "paths": found.patterns}
    )


def proposed_table(source: ProposedSource, repository: str, *, docs_url: str = "") -> str:
    """Returns the `[[source]]` table of a source. `docs_url` is the address of its page."""
    paths = tuple(map(literal, source.paths)) if source.versions else source.glossary.patterns
    return table(
        "[[source]]",
        {
            "id": source.id,
            "title": source.title,
            "git": repository,
            "versions": source.versions,
            "paths": paths,
            "format": source.glossary.format,
            "section": source.glossary.section,
            "docs_url": docs_url,
            "tags": source.tags,
            "exclude": source.exclude,
            "branches": source.branches,
            "by": source.by,
            "head": source.head,
        },
    )
