"""Describes the effects of a change, such as a pull request, on a glossary, release by release.

`commit_reader` reads the glossary on both sides of the change, and `review_report` writes the
result. Two states of a source are compared by the same rules as two releases in a build. Possible
renames that a build would not apply are reported as guesses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import starmap, zip_longest
from posixpath import relpath

from sitegen.addresses import urls
from sitegen.config.parsing import Config, ConfigError
from sitegen.config.tables import SourceTable
from sitegen.config.toml import key_value, table
from sitegen.model import (
    Entry,
    Problem,
    ProblemKind,
    Release,
    SitegenError,
    Source,
    Trouble,
    grouped,
)
from sitegen.model.terms import CHANGES, ChangeKind
from sitegen.permanence.archive import Archive, lost
from sitegen.permanence.archive_lines import dump
from sitegen.permanence.composition_notes import difference_problems, id_note, notes
from sitegen.permanence.continuity import ContinuityError
from sitegen.permanence.permalinks import references_of
from sitegen.permanence.published_archive import in_git
from sitegen.pipeline.assembly import assemble, next_archive
from sitegen.pipeline.suggestions import Suggestion, suggestions
from sitegen.site.site import Site
from sitegen.sources.git.process import GitError, Objects, run
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.parsed_sources import parse_all
from sitegen.sources.projects import Project
from sitegen.sources.reading import (
    Glossaries,
    SourceReader,
    read_config,
    with_settings_of_releases,
)
from sitegen.sources.release_documents import source_of, with_releases
from sitegen.text.names import fold
from sitegen.tools.commit_reader import (
    CommitReader,
    CommitSide,
    merge_base,
    moves,
    repository_of,
    sides,
)
from sitegen.tools.translators import left_behind

BEFORE, AFTER = "before", "after"
"""The names of the two states, used as releases while they are compared."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TermChange:
    """The changes of one term."""

    name: str
    kinds: tuple[ChangeKind, ...]
    """By rank: the term is listed under the first one."""
    before: Entry | None
    after: Entry | None
    used_by: tuple[str, ...]
    """The names of the terms whose definitions refer to it."""
    addresses: tuple[str, ...]
    """Its published addresses."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StateComparison:
    """The differences between two states of a source."""

    source: str
    """The title of the source."""
    release: str
    previous: str
    is_new: bool
    terms: tuple[TermChange, ...]
    guesses: tuple[Suggestion, ...]
    """Possible renames, with the tables for this release."""
    unread: tuple[Problem, ...]
    """Why files could not be read. Their terms do not count as removed."""
    hides_terms: bool
    """True if a file with terms in the earlier state is among them, or no term of the later state
    could be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeletedSource:
    """A source that only the base has documents of."""

    title: str
    paths: Mapping[str, str]
    """The paths of its documents, to the paths where they are in the repository now; empty if they
    were deleted."""
    setting: str
    """The line of its table in site.toml with which they are read there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """The effects of a change on a glossary."""

    comparisons: tuple[StateComparison, ...]
    new: tuple[str, ...]
    """Titles of the sources that only the head has documents of."""
    deleted: tuple[DeletedSource, ...]
    elsewhere: tuple[str, ...]
    """Titles of sources that are not in this repository and were not compared."""
    notes: tuple[str, ...]
    """What a build of the head says about what was published."""
    differing: tuple[Problem, ...]
    """What closed releases say otherwise than was published; a build shows the published words."""
    forgotten: tuple[str, ...]
    """What the archive lacks after the change."""
    added: int
    """The number of lines of the archive that the change adds, and a build would not."""
    refusal: str
    """Why a build would be refused, or the archive cannot be read; or an empty string."""
    left_behind: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The terms of which a commit of the change left translations behind, each with their
    languages."""

    @property
    def breaks(self) -> bool:
        """True if the change harms what was published."""
        return bool(self.forgotten or self.added or self.refusal)

    @property
    def fails(self) -> bool:
        """True if a glossary is deleted or cannot be read any more, or if a build would fail."""
        return self.breaks or bool(self.deleted) or any(one.hides_terms for one in self.comparisons)


def review(change: str, project: Project) -> Review:
    """Returns the effects of a change, `BASE..HEAD`, on the glossary of a project. Raises
    `SitegenError`.

    Commits without a site.toml are read with the one in the folder. An empty `change` stands for
    the changes of HEAD since it left the default branch, as that was last fetched.
    """
    repository = repository_of(project.folder)
    published = in_git(repository.root / urls.ARCHIVE)
    default = published.refs[0] if published else "HEAD"
    change = change or f"{default}...HEAD"
    base, head = sides(change, repository.git)
    try:
        with Objects(repository.git) as objects:
            reader = CommitReader(objects, repository, project)
            config = reader.configured(head) or read_config(project.folder)
            after = reader.read(head, config)
            with suppress(
                ConfigError
            ):  # an earlier site.toml that cannot be read is replaced by the later one
                config = reader.configured(base) or config
            before = reader.read(
                base, config, published_at=merge_base(base.id, default, repository.git)
            )
            moved = moves(base, head, repository.git)
    except GitError as error:
        raise SitegenError(f"{change}: {error}") from None
    if not any(
        state.files
        for side in (before, after)
        for states in side.states.values()
        for state in states
    ):
        raise SitegenError(f"{change}: no glossary was found on either side, in {project.folder}")
    found = _review_of(before, after, moved, project=project, folder=repository.folder)
    if not after.config.translations:
        return found
    commits = (
        run(repository.git, "rev-list", "--end-of-options", head.id, f"^{base.id}")
        .decode("ascii")
        .split()
    )
    return replace(found, left_behind=left_behind(project, frozenset(commits)))


def _review_of(
    base: CommitSide, head: CommitSide, moved: Mapping[str, str], *, project: Project, folder: str
) -> Review:
    """Returns the differences between two sides. `moved` has the new paths of files; `folder` is
    the site's, from the root of the repository."""
    titles = {
        source.id: source.title or source.id
        for source in (*base.config.sources, *head.config.sources)
    }
    tables = {table.id: table for table in head.config.sources}
    renamed = _renamed(base, head)
    former = {**dict(renamed), **head.config.former_ids}
    found, refusal = _built(base, head, project)
    of_build = notes(found.composed) if found else starmap(id_note, renamed)
    base_states = {former.get(id, id): states for id, states in base.states.items()}
    base_ids, head_ids = _ids(base_states), _ids(head.states)
    return Review(
        new=tuple(titles[id] for id in head.states if id in head_ids - base_ids),
        deleted=tuple(
            _deleted(states, tables.get(id), moved, title=titles[id], folder=folder)
            for id, states in base_states.items()
            if id in base_ids - head_ids
        ),
        comparisons=tuple(
            _comparisons(
                base_states,
                head,
                base.archive,
                {id: titles[id] for id in head.states if id in head_ids},
            )
        ),
        elsewhere=head.elsewhere,
        notes=tuple(of_build),
        differing=tuple(difference_problems(found.composed)) if found else (),
        forgotten=() if head.damage else tuple(lost(head.archive, base.archive)),
        added=_added_lines(base, head, found),
        refusal=head.damage or refusal,
    )


def _renamed(base: CommitSide, head: CommitSide) -> tuple[tuple[str, str], ...]:
    """Returns the sources that only the base has, with those that only the head has and that have a
    file of theirs."""
    former = head.config.former_ids
    gone = [id for id in base.states if id not in head.states and id not in former]
    new = [id for id in head.states if id not in base.states and id not in former.values()]
    renamed = []
    for old in gone:
        for id in new:
            if _files(base.states[old]) & _files(head.states[id]):
                renamed.append((old, id))
                new.remove(id)
                break
    return tuple(renamed)


def _files(states: Iterable[Release]) -> set[str]:
    """Returns the names of files, and the ids of their contents."""
    files: set[str] = set()
    for state in states:
        files.update(state.files.keys(), state.files.values())
    return files


def _built(base: CommitSide, head: CommitSide, project: Project) -> tuple[Site | None, str]:
    """Returns the site that a build of the head makes after the base was published, and why it is
    refused. There is none if nothing was published, or if releases are kept elsewhere."""
    if not base.archive or head.elsewhere:
        return None, ""
    glossaries = _glossaries_in_git(head.config, project)
    in_git = {source.id: source for source in glossaries.sources}
    sources = []
    for settings in head.config.sources:
        states = {state.name: state for state in head.states[settings.id]}
        source = in_git.get(settings.id) or _source(settings, states, head.config)
        sources.append(source)
    try:
        glossaries = replace(glossaries, sources=tuple(sources))
        return assemble(head.config, glossaries, base.archive), ""
    except ContinuityError as error:
        return None, str(error)


def _glossaries_in_git(config: Config, project: Project) -> Glossaries:
    """Returns the sources in git with their releases, which are tags in most cases."""
    tables = tuple(table for table in config.sources if table.git)
    if not tables:
        return Glossaries(sources=())
    clones = clones_here(lambda _: None, update=False)
    return SourceReader(project.folder, clones=clones).read(replace(config, sources=tables))


def _added_lines(base: CommitSide, head: CommitSide, site: Site | None) -> int:
    """Returns the number of lines that the head adds to the archive, and a build does not.

    The change that publishes first brings the whole archive.
    """
    if not base.archive:
        return 0
    known = set(dump(base.archive).splitlines())
    if site:
        known |= set(dump(next_archive(site)).splitlines())
    return len(set(dump(head.archive).splitlines()) - known)


def _ids(side: Mapping[str, Sequence[Release]]) -> set[str]:
    """Returns the ids of the sources with files on a side."""
    return {
        id
        for id, states in side.items()
        if any(state.files or any(state.unread) for state in states)
    }


def _deleted(
    states: Sequence[Release],
    table: SourceTable | None,
    moved: Mapping[str, str],
    *,
    title: str,
    folder: str,
) -> DeletedSource:
    """Returns a source whose documents are gone. `table` is None if site.toml has lost it too."""
    paths = {
        document.path: moved.get(document.path, "")
        for state in states
        for document in state.documents
    }
    new, setting = tuple(filter(None, paths.values())), ""
    if new and table and table.git:
        setting = key_value("paths", tuple(dict.fromkeys([*new, *table.paths])))
    elif new and table and table.file:
        setting = key_value("file", relpath(new[0], folder))
    return DeletedSource(title=title, paths=paths, setting=setting)


StatePair = tuple[Release | None, Release]
"""Two states of a source to compare. The first is None if the source is new."""


def _comparisons(
    base_states: Mapping[str, Sequence[Release]],
    head: CommitSide,
    archive: Archive,
    titles: Mapping[str, str],
) -> Iterator[StateComparison]:
    """Compares the newest states of all sources together, because terms of one may refer to those
    of another."""
    pages = _pages(archive)
    pairs = {id: [*_state_pairs(base_states.get(id, ()), head.states[id])] for id in titles}
    config = _of_two_states(head.config)
    for nth_newest in zip_longest(*(found[::-1] for found in pairs.values())):
        chosen = {id: pair for id, pair in zip(pairs, nth_newest, strict=True) if pair}
        site = assemble(config, _glossaries(chosen, head, config), Archive())
        guesses = suggestions(site, renames=head.config.renames, verdicts=head.config.verdicts)
        for id, (before, after) in chosen.items():
            is_new = before is None or before.name != after.name
            terms = tuple(_term_changes(site, id, pages))
            yield StateComparison(
                source=titles[id],
                release=after.name,
                previous=before.name if before else "",
                is_new=is_new,
                terms=terms,
                guesses=tuple(_with_release(guesses, id, after.name if is_new else "")),
                unread=tuple(_unread(site, id, after, terms)),
                hides_terms=_hides_terms(site, id),
            )


def _of_two_states(config: Config) -> Config:
    """Returns the settings without tables about single releases. Renames apply to every
    comparison."""
    renames = tuple(replace(one, release="") for one in config.renames)
    return replace(config, releases=(), retired=(), renames=renames)


def _unread(
    site: Site, source: str, state: Release, terms: Iterable[TermChange]
) -> Iterator[Problem]:
    """Yields why the files of a state could not be read, and which terms were left without a
    definition."""
    *_, release = _releases(site, source)
    documents = {document.name: document for document in parse_all(state.documents)}
    for name in release.gaps:
        if name in state.unread:
            place = state.path(name) if name else state.label or "."
            yield state.unread[name].at(place)
        elif name in documents and (reading := documents[name].reading):
            yield from reading.problems[:1]
    renamed = {one.before.name for one in terms if one.before and one.after}
    for name, term in sorted(release.kept_as_text):
        if term not in renamed:
            found = f"“{term}” is in the text, but no longer as a term with its definition"
            yield Trouble(ProblemKind.ENTRY, found).at(documents[name].path)


def _hides_terms(site: Site, source: str) -> bool:
    """True if a file with terms in the earlier state cannot be read, or no term of the later state
    can."""
    *earlier, release = _releases(site, source)
    if not release.entries:
        return bool(release.gaps)
    return any(not {*release.gaps}.isdisjoint(one.names_read) for one in earlier)


def _releases(site: Site, source: str) -> tuple[Release, ...]:
    (releases,) = [one.releases for one in site.sources if one.id == source]
    return releases


def _state_pairs(before: Sequence[Release], after: Sequence[Release]) -> Iterator[StatePair]:
    """Yields each new release with the one before it, and each edited release with its earlier
    state."""
    by_release = {state.name: state for state in before}
    previous: Release | None = None
    for state in after:
        earlier = by_release.get(state.name, previous)
        if earlier is None or earlier.name != state.name or earlier.files != state.files:
            yield earlier, state
        previous = state


def _glossaries(chosen: Mapping[str, StatePair], head: CommitSide, config: Config) -> Glossaries:
    sources = []
    for settings in head.config.sources:
        if states := head.states.get(settings.id):
            before, after = chosen.get(settings.id, (states[-1], states[-1]))
            named = {BEFORE: before, AFTER: after} if before else {AFTER: after}
            source = _source(settings, named, config)
            # All terms of a new source are new.
            sources.append(replace(source, complete=before is None))
    return Glossaries(sources=tuple(sources))


def _source(settings: SourceTable, states: Mapping[str, Release], config: Config) -> Source:
    """Returns a source whose releases are these states, under other names."""
    releases = []
    for name, state in states.items():
        documents = tuple(
            replace(document, source=settings.id, release=name) for document in state.documents
        )
        releases.append(Release(name=name, documents=documents, unread=state.unread))
    source = with_releases(source_of(settings), releases)
    return with_settings_of_releases(source, settings, config)


def _term_changes(site: Site, source: str, pages: Pages) -> Iterator[TermChange]:
    used_by = grouped(
        (key, site.by_key[user].name) for user, used in site.see_also.items() for key in used
    )
    for life in site.lives:
        changes = {
            change.kind: change
            for change in life.changes
            if change.source == source and change.release == AFTER and CHANGES[change.kind].heading
        }
        if changes:
            kinds = tuple(sorted(changes, key=lambda kind: CHANGES[kind].rank))
            first = changes[kinds[0]]
            names = [entry.name for entry in (first.before, first.after) if entry]
            yield TermChange(
                name=names[-1],
                kinds=kinds,
                before=first.before,
                after=first.after,
                used_by=used_by.get(life.key, ()),
                addresses=tuple(
                    sorted({address for name in names for address in pages[source, fold(name)]})
                ),
            )


Pages = Mapping[tuple[str, str], Sequence[str]]
"""Maps a source and a folded name to the addresses of terms with that name, and the addresses
replaced by them."""


def _pages(archive: Archive) -> Pages:
    pages: dict[tuple[str, str], list[str]] = defaultdict(list)
    for address, lines in archive.by_address.items():
        for entry in references_of(lines):
            if urls.is_of_term(address):
                pages[archive.present_id(entry.source), fold(entry.name)].append(address)
    return pages


def _with_release(guesses: Sequence[Suggestion], source: str, release: str) -> Iterator[Suggestion]:
    """Yields the possible renames of a source, for the release of which it was compared instead of
    `AFTER`."""
    for guess in guesses:
        if (guess.before.place.source, guess.before.place.release) == (source, BEFORE):
            rename = {
                "source": source,
                "from": guess.before.name,
                "to": guess.after.name,
                "release": release,
            }
            yield replace(guess, same=table("[[rename]]", rename))
