"""The sources that `sitegen init` proposes, with the choice of their releases.

`proposing` makes a whole site.toml of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from sitegen.config import parsing as configuration
from sitegen.config.patterns import literal
from sitegen.config.toml import table
from sitegen.config.values import as_id
from sitegen.model import Release
from sitegen.sources.discovery import FoundGlossary
from sitegen.sources.git.history import STALE, Survey, period_of, survey
from sitegen.sources.git.refs import OTHERS
from sitegen.sources.git.repositories import Clones
from sitegen.sources.git.trees import PLACEHOLDER
from sitegen.sources.reading import LoadedSource, read_sources
from sitegen.text.release_names import parse_label

MAX_PATTERNS = 8
"""The maximum number of patterns for tags that are proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A glossary as a source."""

    glossary: FoundGlossary
    id: str
    title: str
    head: str = ""
    """The branch that is read as unreleased."""
    tags: tuple[str, ...] = ()
    by: str = ""
    branches: str = ""
    versions: str = ""
    paths: tuple[str, ...] = ()
    """Empty if `versions` has them all."""
    note: str = ""
    """The reason for the choice of releases, if they are not simply the tags."""
    releases: tuple[Release, ...] = ()
    """The releases that reading the source gives."""

    def lines(self) -> Iterator[str]:
        """Yields the lines that `sitegen init` prints about it, but for its note, which other sources may share."""
        newest, *before = self.glossary.paths
        section = f", section “{self.glossary.section}”" if self.glossary.section else ""
        earlier = f" (before that {', '.join(before[:3])}{', …' if len(before) > 3 else ''})" if before else ""
        released = [release.name for release in self.releases if not release.unreleased]
        span = "not in a release yet"
        if released:
            names = released[0] if len(released) == 1 else f"{released[0]} to {released[-1]}"
            span = f"{_count(len(released), 'dated state' if self.by else 'release')}, {names}"
        yield f"{newest}{section}{earlier}: {_count(self.glossary.entries, 'term')}, {span}"
        if not self.glossary.is_current:
            yield f"  it is gone since {self.glossary.last}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def named(glossaries: Sequence[FoundGlossary], name: str, title: str) -> tuple[Proposed, ...]:
    """Returns the sources with ids and titles: of the project for a single one, else of their files."""
    if len(glossaries) == 1:
        return (Proposed(glossary=glossaries[0], id=as_id(name), title=title),)
    taken: set[str] = set()
    sources = []
    for glossary in glossaries:
        path = PurePosixPath(glossary.paths[0])
        base = as_id(str(path.with_suffix("")))
        numbered = (base, *(f"{base}-{number}" for number in range(2, len(glossaries) + 1)))
        id = next(candidate for candidate in numbered if candidate not in taken)
        taken.add(id)
        sources.append(Proposed(glossary=glossary, id=id, title=str(path)))
    return tuple(sources)


@dataclass(frozen=True, slots=True)
class ReleaseChoice:
    """Chooses the kind of releases of a glossary by reading it with each candidate configuration."""

    folder: Path
    site: str
    repository: str
    clones: Clones
    loaded_sources: dict[str, LoadedSource] = field(default_factory=dict)
    """A cache of the loaded sources, by the text of site.toml."""

    def _text(self, source: Proposed) -> str:
        return f"{self.site}\n{source_table(source, self.repository)}"

    def read(self, source: Proposed) -> LoadedSource:
        """Returns the loaded source of a proposal. Each proposal is read once."""
        text = self._text(source)
        if text not in self.loaded_sources:
            (self.loaded_sources[text],) = read_sources(
                configuration.parse(text, path="site.toml"), self.folder, clones=self.clones
            )
        return self.loaded_sources[text]

    def with_releases(self, source: Proposed) -> Proposed:
        """Returns a source with releases chosen from the project's tags, folders, branches or dated states."""
        loaded = self.read(replace(source, head=""))
        tagged = [release for release in loaded.source.releases if not release.unreleased and loaded.documents]
        released = tagged[-1].date if tagged else None
        facts = survey(
            self.repository,
            root=self.folder,
            clones=self.clones,
            paths=source.glossary.patterns,
            released=released,
        )
        folders = self._of_folders(source)
        if folders and len(folders.releases) > len(tagged):
            return folders
        is_of_version = facts.branches and fnmatchcase(facts.branch, facts.branches)
        if tagged and not is_of_version:
            return self._with_head(self._pinned(source, loaded), tagged[-1], facts)
        if facts.branches:
            note = f"the branches {facts.branches} are its releases"
            return replace(source, branches=facts.branches, head=facts.branch, note=note)
        if facts.newest and facts.day and facts.day - facts.newest < STALE and source.glossary.is_current:
            return replace(source, head=source.glossary.last)
        by = period_of(facts.days)
        note = f"no tag has it, so its history is by {by}; once tags have it, remove `by`"
        return replace(source, by=by, note=note)

    def _of_folders(self, source: Proposed) -> Proposed | None:
        """Returns the source with its folders of versions as releases, if there are at least two."""
        template = source.glossary.versions
        if not template:
            return None
        newest = source.glossary.paths[0]
        parts = list(zip(template.split("/"), newest.split("/"), strict=False))
        is_version = all(one in (other, PLACEHOLDER) for one, other in parts) and newest.count("/") == template.count(
            "/"
        )
        paths = () if is_version else (newest,)
        found = replace(source, versions=template, paths=paths, head="")
        loaded = self.read(found)
        released = tuple(release for release in loaded.source.releases if not release.unreleased)
        note = f"the folders {template} are its releases"
        return replace(found, note=note, releases=released) if len(released) > 1 else None

    def _with_head(self, source: Proposed, newest: Release, facts: Survey) -> Proposed:
        """Returns the source with its branch as unreleased, if that has changed long after the newest release."""
        later = [day for day in facts.days if newest.date and day > newest.date]
        if not later or not newest.date or later[-1] - newest.date < STALE or not source.glossary.is_current:
            return source
        note = (
            f"the newest release, {newest.name}, is of {newest.date}; "
            f"{_count(len(later), 'change')} since then are read from {facts.branch}"
        )
        return replace(source, head=facts.branch, note=note)

    def _pinned(self, source: Proposed, loaded: LoadedSource) -> Proposed:
        """Returns the source with patterns for its tags, if the repository has other tags too."""
        others = [problem.found for problem in loaded.problems if problem.found.startswith(OTHERS)]
        if not others:
            return source
        labels = {document.path.partition(":")[0] for document in loaded.documents}
        patterns = tuple(sorted({f"{literal(parse_label(label).prefix)}[0-9]*" for label in labels}))
        pinned = replace(source, tags=patterns, note=others[0])
        skipped = [tag for one in loaded.source.skipped if one.reason == "other" for tag in one.names]
        matching = [label for label in labels if any(fnmatchcase(label, pattern) for pattern in patterns)]
        too_wide = any(fnmatchcase(tag, pattern) for tag in skipped for pattern in patterns)
        # A tag may have no number behind its prefix.
        if len(patterns) > MAX_PATTERNS or too_wide or len(matching) < len(labels):
            return replace(source, note=others[0])
        # The patterns match the same tags, so reading them would give the same again.
        left = tuple(problem for problem in loaded.problems if not problem.found.startswith(OTHERS))
        self.loaded_sources[self._text(pinned)] = replace(loaded, problems=left)
        return pinned


def source_table(source: Proposed, repository: str) -> str:
    """Returns the `[[source]]` table of a source."""
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
            "tags": source.tags,
            "branches": source.branches,
            "by": source.by,
            "head": source.head,
        },
    )
