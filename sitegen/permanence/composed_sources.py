"""Composes all sources of a site from what they say now and what was published.

site.toml is the maintainer's will: a published release that it leaves out is withdrawn. What is
merely missing, such as a deleted tag, stays a release. What does not continue what was published is
refused (`continuity`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sitegen.config.declared_releases import declared_releases
from sitegen.config.parsing import Config
from sitegen.config.patterns import matches, matches_any
from sitegen.config.tables import Retired, SourceTable
from sitegen.history.merging import merge
from sitegen.model import Entry, Release, Source
from sitegen.permanence.archive import (
    READING,
    Archive,
    ArchivedEdition,
    FormerSource,
    Line,
    SourceRelease,
    in_published_order,
    tidied,
    united,
)
from sitegen.permanence.archive_lines import archive_of, sum_of_line
from sitegen.permanence.composition import Composer, Composition, PublishedDifference, may_be_edited
from sitegen.permanence.continuity import (
    ContinuityError,
    PublishedCourse,
    by_name,
    check_continuity,
)
from sitegen.permanence.renamed_sources import declared_sources, renamed_sources, with_ids_of
from sitegen.permanence.states import (
    ReleaseState,
    archived_state,
    archived_text,
    read_state,
)
from sitegen.text.release_names import is_prerelease, period_in

AUTO = "auto"
FETCH_TAGS = "`git fetch --tags` brings them (in a workflow on GitHub, `fetch-depth: 0`)"


@dataclass(frozen=True, kw_only=True)
class ComposedSources:
    """The sources of a site with all their releases."""

    sources: tuple[Source, ...] = ()
    compositions: Mapping[str, Composition] = field(default_factory=dict)
    """By source."""
    archive: Archive = field(default_factory=Archive)
    """What was published, with the former ids of sources that were found now."""
    renamed: tuple[FormerSource, ...] = ()
    """The former ids that were found now."""
    separate: tuple[FormerSource, ...] = ()
    """The former ids in site.toml that are other sources, since both were published."""

    @property
    def withdrawn(self) -> Sequence[ArchivedEdition]:
        """The published releases that site.toml leaves out."""
        withdrawn: list[ArchivedEdition] = []
        for source, editions in self.archive.release_orders.items():
            found = self.compositions.get(source)
            published = found.published if found else {}
            withdrawn += [one for one in editions if one.release not in published]
        return withdrawn

    @property
    def pairs(self) -> Mapping[SourceRelease, Sequence[tuple[str, str]]]:
        """The (former name, present name) of entries, by source and release."""
        pairs = {}
        for found in self.compositions.values():
            for state in found.states:
                pairs[state.at] = state.pairs
        return pairs

    @property
    def differences(self) -> Iterator[PublishedDifference]:
        """What closed releases say otherwise now."""
        for found in self.compositions.values():
            yield from found.differences

    @cached_property
    def following(self) -> Archive:
        """The archive with the releases that are new, without lines that the next build lacks."""
        return tidied(united([self.archive, archive_of(self.lines())]))

    def lines(self) -> Iterator[Line]:
        """Yields the lines that publishing these releases adds to the archive."""
        yield from self.renamed
        for found in self.compositions.values():
            for state in found.states:
                release = state.release.name
                if release in found.published or release in found.new:
                    edition = found.published.get(release)
                    yield from _lines(state, edition, after=found.new.get(release, ""))


def compose(read: Sequence[Source], archive: Archive, config: Config) -> ComposedSources:
    """Returns the sources with the releases that were published.

    `read` are the parsed sources. Raises `ContinuityError` if a release does not continue what was
    published.
    """
    tables = {table.id: table for table in config.sources}
    states = {}
    for source in read:
        states[source.id] = tuple(read_state(source.id, one) for one in source.releases)
    archive = with_ids_of(tables, archive)
    declared = [*declared_sources(config, archive)]
    archive = united([archive, archive_of(declared)])
    found = [*renamed_sources(states, archive, known=tables)]
    archive = united([archive, archive_of(found)])
    compositions = {}
    for id, own in states.items():
        compositions[id] = _composed(tables[id], own, archive, config)
    for id in compositions:
        _check_continuity(id, compositions, archive, config)
    sources = [_with_releases(source, compositions[source.id]) for source in read]
    separate = []
    for former, present in config.former_ids.items():
        if former in archive.release_orders:
            separate.append(FormerSource(id=former, present=present))
    return ComposedSources(
        sources=tuple(sources),
        compositions=compositions,
        archive=archive,
        renamed=(*declared, *found),
        separate=tuple(separate),
    )


def _composed(
    table: SourceTable, read: Iterable[ReleaseState], archive: Archive, config: Config
) -> Composition:
    """Returns the releases of one source. `read` are those that it has now."""
    read = [state for state in read if not retirement(state.at, config.retired, archive)]
    published = _published(table, read, archive, config)
    has_tags = any(edition.kind == "tag" for edition in published.values())
    is_tagged = any(state.release.kind == "tag" for state in read)
    if has_tags and not is_tagged:
        if table.by == AUTO and any(state.release.kind == "dated" for state in read):
            raise ContinuityError(f"{table.id}: no published tag is in this clone; {FETCH_TAGS}")
        if not table.head:  # without tags, the branch is read as an unreleased state
            read = [state for state in read if not state.release.unreleased]
    corrected = [one for one in config.corrected if one.source == table.id]
    composer = Composer(table.id, read, published, archive, corrected)
    editions = archive.release_orders.get(table.id, ())
    new = _new_releases(read, editions)
    # The new releases count as published, so that the next build has the same order.
    after = {**{edition.release: edition.after for edition in editions}, **new}
    order = in_order([state.release.name for state in read], in_published_order(after))
    found = composer.compose(declared_releases(table, config).in_order(order))
    states = []
    for state in found.states:
        pairs = _pairs(state, published.get(state.release.name), archive, config)
        states.append(replace(state, pairs=pairs))
    return replace(found, states=states, new=new)


def _published(
    table: SourceTable, read: Sequence[ReleaseState], archive: Archive, config: Config
) -> Mapping[str, ArchivedEdition]:
    """Returns the published releases of a source by their names, without those that site.toml
    leaves out."""
    names = {state.release.name for state in read}
    has_releases = any(state.is_read for state in read)
    published = {}
    for edition in archive.release_orders.get(table.id, ()):
        if edition.release in names or not _is_withdrawn(
            edition, table, config.retired, archive, has_releases=has_releases
        ):
            published[edition.release] = edition
    return published


def _is_withdrawn(
    edition: ArchivedEdition,
    table: SourceTable,
    retired: Iterable[Retired],
    archive: Archive,
    *,
    has_releases: bool,
) -> bool:
    """True if site.toml leaves out a published release that is not read. `table` is that of its
    source, and `has_releases` is True if others of it are read."""
    if retirement(edition.at, retired, archive):
        return True
    if not table.git:
        return bool(table.files) and edition.release not in table.files
    if edition.unreleased:  # a release has taken its place, unless it is merely missing
        return has_releases and not table.head and not matches_any(edition.label, table.branches)
    if edition.kind == "tag" and not _is_chosen(edition.label, table):
        return True
    if edition.kind == "branch" and not matches_any(edition.label, table.branches):
        return True
    if edition.kind == "dated" and table.by not in ("", AUTO, period_in(edition.release)):
        return True
    return bool(table.paths) and not _has_path(edition, table, archive)


def retirement(at: SourceRelease, retired: Iterable[Retired], archive: Archive) -> Retired | None:
    """Returns the [[retired]] table that names a release by any id of its source, or the source by
    the id that it has now: a source with another id is a new one to a table that withdraws the old
    one. None if there is none."""
    source, release = at
    present = archive.present_id(source)
    ids = {source, present, archive.published_ids.get(at, source)}
    for one in retired:
        if one.withdraws(present, release):
            return one
        if one.releases and any(one.withdraws(id, release) for id in ids):
            return one
    return None


def _is_chosen(tag: str, table: SourceTable) -> bool:
    """True if the name of a tag is one that site.toml wants. Which of these are releases was
    decided when they were published."""
    if matches_any(tag, table.exclude):
        return False
    if table.tags:
        return matches_any(tag, table.tags)
    return table.prereleases or not is_prerelease(tag)


def _has_path(edition: ArchivedEdition, table: SourceTable, archive: Archive) -> bool:
    names = [archive.documents[sum].name for sum in edition.documents]
    return any(matches(path, name) for path in table.paths for name in names)


def _with_releases(source: Source, found: Composition) -> Source:
    """Returns a source with composed releases, numbered in their order."""
    releases = [state.composed(number) for number, state in enumerate(found.states)]
    is_undated = any(not release.name for release in releases)
    return replace(source, releases=tuple(releases), undated=is_undated)


def _new_releases(
    read: Iterable[ReleaseState], published: Iterable[ArchivedEdition]
) -> Mapping[str, str]:
    """Returns the releases that are published first now, each with the one that is read before
    it."""
    known = {edition.release for edition in published}
    before, after = "", {}
    for state in read:
        name = state.release.name
        if name not in known:
            if not state.is_read:
                continue
            after[name] = before
        before = name
    return after


def in_order(read: Iterable[str], published: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of all releases, oldest first, from those that are read and those that were
    published, each in their order.

    The order is that in which they are read. A release that is not read stands directly behind the
    one that is before it in the published order.
    """
    names = [*read]
    position = 0
    for name in published:
        if name not in names:
            names.insert(position, name)
        position = names.index(name) + 1
    return tuple(names)


def _pairs(
    state: ReleaseState, edition: ArchivedEdition | None, archive: Archive, config: Config
) -> tuple[tuple[str, str], ...]:
    """Returns the names of the published entries of a release with the names that they have now, as
    two releases are compared in the history."""
    if edition is None:
        return ()
    names = {entry.name for entry in state.entries}
    if not names or archive.names_of(edition) <= names:
        return edition.pairs
    published = archived_state(edition, archive)
    earlier = replace(published, release=Release(name=""))
    source = Source(id=state.source, title="", releases=(earlier.composed(0), state.composed(1)))
    merged = merge([source], renames=config.renames, verdicts=config.verdicts)
    pairs = dict(edition.pairs)
    for term in merged.terms:
        old, new = term.courses[0].entries
        if old and new and old.name != new.name:
            pairs[old.name] = new.name
    return tuple(pairs.items())


def _check_continuity(
    source: str, compositions: Mapping[str, Composition], archive: Archive, config: Config
) -> None:
    """Raises `ContinuityError` if a release of a source does not continue what was published."""
    editions = {}
    for edition in archive.release_orders.get(source, ()):
        if not retirement(edition.at, config.retired, archive):
            editions[edition.release] = edition
    elsewhere: list[Entry] = []
    for id, other in compositions.items():
        if id != source:
            for state in other.states:
                elsewhere += state.entries
    course = PublishedCourse(
        source=source,
        states=compositions[source].states,
        order=compositions[source].order,
        editions=editions,
        archive=archive,
        elsewhere=by_name(elsewhere),
    )
    accepted = {one.release for one in config.continues if one.source == source}
    check_continuity(course, config.renames, accepted=accepted)


def _lines(state: ReleaseState, edition: ArchivedEdition | None, *, after: str) -> Iterator[Line]:
    """Yields the lines that a release needs beyond those of its published `edition`; none if
    nothing about it has changed."""
    documents = [document.archived for document in state.documents]
    before = edition or _unpublished(state, after=after)
    following = _next_edition(state, tuple(map(sum_of_line, documents)), before)
    if replace(following, number=before.number) == before:
        return
    for entry in state.entries:
        yield archived_text(entry.text)
    yield from documents
    yield following


def _unpublished(state: ReleaseState, *, after: str) -> ArchivedEdition:
    """Returns a release without words, before it is published first."""
    release = state.release
    return ArchivedEdition(
        source=state.source,
        release=release.name,
        number=0,
        kind=release.kind,
        unreleased=release.unreleased,
        label=release.label,
        day=release.date,
        commit=release.commit,
        link=release.link,
        lines=release.lines,
        after=after,
    )


def _next_edition(
    state: ReleaseState, documents: tuple[str, ...], edition: ArchivedEdition
) -> ArchivedEdition:
    """Returns the next published state of a release; it differs in its number alone if nothing
    about its words has changed."""
    has_same_words = documents == edition.documents
    # A closed release has the words of its first commit, until others are taken over.
    takes_nothing = edition.is_closed and state.corrections == edition.corrections
    has_same_commit = has_same_words or takes_nothing
    return replace(
        edition,
        number=edition.number + 1,
        is_closed=edition.is_closed or not may_be_edited(state.release),
        commit=edition.commit if has_same_commit else state.release.commit,
        documents=documents,
        reading=edition.reading if has_same_words else READING,
        corrections=state.corrections,
        pairs=state.pairs,
    )
