"""Composes all sources of a site from what they say now and what was published.

It refuses what does not continue what was published (`continuity`), and says what differs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from sitegen.config.declared_releases import declared_releases
from sitegen.config.parsing import Config
from sitegen.config.tables import SourceTable
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
from sitegen.permanence.release_order import AUTO, in_order, is_retired, is_withdrawn, new_releases
from sitegen.permanence.renamed_sources import renamed_sources
from sitegen.permanence.states import (
    ReleaseState,
    archived_state,
    archived_text,
    read_state,
)

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
    archive = _with_ids_of(tables, archive)
    declared = [*_declared(config, archive)]
    archive = united([archive, archive_of(declared)])
    found = [*renamed_sources(states, archive, known=tables)]
    archive = united([archive, archive_of(found)])
    compositions = {}
    for id, own in states.items():
        compositions[id] = _composed(tables[id], own, archive, config)
    for id in compositions:
        _check_continuity(id, compositions, archive, config)
    sources = [_with_releases(source, compositions[source.id]) for source in read]
    return ComposedSources(
        sources=tuple(sources),
        compositions=compositions,
        archive=archive,
        renamed=(*declared, *found),
    )


def _declared(config: Config, archive: Archive) -> Iterator[FormerSource]:
    """Yields the former ids in site.toml under which something was published."""
    ids = {source for source, _ in archive.states}
    for former, present in config.former_ids.items():
        if former in ids and archive.present_id(former) == former:
            yield FormerSource(id=former, present=present)


def _with_ids_of(present: Collection[str], archive: Archive) -> Archive:
    """Returns an archive for which the ids in site.toml are the present ones, also an id that a
    source had before and has again."""
    lines, renewed = dict(archive.lines), []
    for sum, one in archive.sources.items():
        last = archive.present_id(one.id)
        if one.id in present and last not in present:
            del lines[sum]
            renewed.append(FormerSource(id=last, present=one.id))
    return united([Archive(lines), archive_of(renewed)])


def _composed(
    table: SourceTable, read: Iterable[ReleaseState], archive: Archive, config: Config
) -> Composition:
    """Returns the releases of one source. `read` are those that it has now."""
    read = [state for state in read if not is_retired(state.at, config.retired, archive)]
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
    new = new_releases(read, editions)
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
        if edition.release in names or not is_withdrawn(
            edition, table, config.retired, archive, has_releases=has_releases
        ):
            published[edition.release] = edition
    return published


def _with_releases(source: Source, found: Composition) -> Source:
    """Returns a source with composed releases, numbered in their order."""
    releases = [state.composed(number) for number, state in enumerate(found.states)]
    is_undated = any(not release.name for release in releases)
    return replace(source, releases=tuple(releases), undated=is_undated)


def _pairs(
    state: ReleaseState, edition: ArchivedEdition | None, archive: Archive, config: Config
) -> tuple[tuple[str, str], ...]:
    """Returns the names of the published entries of a release with the names that they have now, as
    two releases are compared in the history."""
    if edition is None:
        return ()
    key_of = partial(archive.key, edition.at)
    names = {key_of(entry.name) for entry in state.entries}
    if not names or archive.names_of(edition) <= names:
        return edition.pairs
    published = archived_state(edition, archive)
    earlier = replace(published, release=Release(name=""))
    source = Source(id=state.source, title="", releases=(earlier.composed(0), state.composed(1)))
    merged = merge([source], renames=config.renames, verdicts=config.verdicts)
    pairs = dict(edition.pairs)
    for term in merged.terms:
        old, new = term.courses[0].entries
        if old and new and key_of(old.name) != key_of(new.name):
            pairs[old.name] = new.name
    return tuple(pairs.items())


def _check_continuity(
    source: str, compositions: Mapping[str, Composition], archive: Archive, config: Config
) -> None:
    """Raises `ContinuityError` if a release of a source does not continue what was published."""
    editions = {}
    for edition in archive.release_orders.get(source, ()):
        if not is_retired(edition.at, config.retired, archive):
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
