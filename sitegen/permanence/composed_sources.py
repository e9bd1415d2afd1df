"""Composes all sources of a site from what they say now and what was published.

It refuses what does not continue what was published (`continuity`), and says what differs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sitegen.config.declared_releases import declared_releases
from sitegen.config.parsing import Config
from sitegen.config.tables import SourceTable
from sitegen.history.merging import merge
from sitegen.model import Release, Source, entries_at
from sitegen.permanence.archive import (
    READING,
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    FormerSource,
    Line,
    SourceRelease,
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
from sitegen.permanence.release_order import AUTO, in_order, is_retired, is_withdrawn
from sitegen.permanence.renamed_sources import renamed_sources
from sitegen.permanence.states import (
    DocumentState,
    ReleaseState,
    archived_text,
    entry_text,
    read_state,
)
from sitegen.text.names import fold
from sitegen.text.words import words_of

FETCH_TAGS = "`git fetch --tags` brings them (in a workflow on GitHub, `fetch-depth: 0`)"


@dataclass(frozen=True, kw_only=True)
class ComposedSources:
    """The sources of a site with all their releases."""

    sources: tuple[Source, ...] = ()
    compositions: Mapping[str, Composition] = field(default_factory=dict)
    """By source."""
    archive: Archive = field(default_factory=Archive)
    """What was published, with the former ids of sources that were found now."""
    published: Mapping[SourceRelease, ArchivedEdition] = field(default_factory=dict)
    """The published releases, by the present ids of their sources."""
    withdrawn: tuple[ArchivedEdition, ...] = ()
    """The published releases that site.toml leaves out."""
    renamed: tuple[FormerSource, ...] = ()
    """The former ids that were found now."""

    @property
    def pairs(self) -> Mapping[SourceRelease, Sequence[tuple[str, str]]]:
        """The (former name, present name) of entries, by source and release."""
        pairs = {}
        for found in self.compositions.values():
            for state in found.states:
                pairs[state.at] = state.pairs
        return pairs

    @property
    def order(self) -> Mapping[str, Sequence[str]]:
        """The releases of each source, oldest first, with those that are withdrawn."""
        return {id: found.order for id, found in self.compositions.items()}

    @property
    def differences(self) -> Iterator[PublishedDifference]:
        """What closed releases say otherwise now."""
        for found in self.compositions.values():
            yield from found.differences

    @cached_property
    def following(self) -> Archive:
        """The archive with the releases that are new."""
        return united([self.archive, archive_of(self.lines())])

    @cached_property
    def better_words(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        """Published words, as wordings are compared, to those that this version of sitegen reads in
        the same bytes."""
        words = {}
        for found in self.compositions.values():
            for sum, text in found.better.items():
                published = words_of(entry_text(self.archive.texts[sum]).definition)
                words[published.keys] = words_of(text.definition).keys
        return words

    def lines(self) -> Iterator[Line]:
        """Yields the lines that publishing these releases adds to the archive."""
        yield from self.renamed
        for found in self.compositions.values():
            states = {state.release.name: state for state in found.states}
            after = ""
            for release in found.order:
                state = states.get(release)
                edition = self.published.get(state.at) if state else None
                if state:
                    yield from lines_of(state, edition, after=after)
                if not state or edition or state.is_read:
                    after = release


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
    renamed = (*_declared(config, archive), *renamed_sources(states, archive, known=tables))
    archive = united([archive, archive_of(renamed)])
    for id, own in states.items():
        kept = [one for one in own if not is_retired(one.at, config.retired, archive)]
        states[id] = tuple(kept)
    published, withdrawn = _published(archive, states, config)
    compositions = {}
    for id, own in states.items():
        of_source = {release: one for (source, release), one in published.items() if source == id}
        compositions[id] = _composed(id, own, of_source, tables[id], archive, config)
    sources = [_with_releases(source, compositions[source.id]) for source in read]
    result = ComposedSources(
        sources=tuple(sources),
        compositions=compositions,
        archive=archive,
        published=published,
        withdrawn=tuple(withdrawn),
        renamed=renamed,
    )
    for id in compositions:
        _check_continuity(id, result, config)
    return result


def _published(
    archive: Archive, states: Mapping[str, Sequence[ReleaseState]], config: Config
) -> tuple[dict[SourceRelease, ArchivedEdition], list[ArchivedEdition]]:
    """Returns the published releases, by the present ids of their sources, and those that site.toml
    leaves out. `states` are the releases as they are now."""
    tables = {table.id: table for table in config.sources}
    published: dict[SourceRelease, ArchivedEdition] = {}
    withdrawn = []
    for edition, *_ in archive.states.values():
        id = archive.present_id(edition.source)
        table, read = tables.get(id), states.get(id, ())
        if table is None or _is_left_out(edition, table, read, archive, config):
            withdrawn.append(edition)
        else:
            published.setdefault((id, edition.release), edition)
    return published, withdrawn


def _is_left_out(
    edition: ArchivedEdition,
    table: SourceTable,
    read: Sequence[ReleaseState],
    archive: Archive,
    config: Config,
) -> bool:
    """True if a published release is not read now because site.toml withdraws it."""
    if any(state.release.name == edition.release for state in read):
        return False
    has_releases = any(state.is_read for state in read)
    return is_withdrawn(edition, table, config.retired, archive, has_releases=has_releases)


def _declared(config: Config, archive: Archive) -> Iterator[FormerSource]:
    """Yields the former ids in site.toml under which something was published."""
    ids = {source for source, _ in archive.states}
    for former, present in config.former_ids.items():
        if former in ids and archive.present_id(former) == former:
            yield FormerSource(id=former, present=present)


def _with_ids_of(present: Collection[str], archive: Archive) -> Archive:
    """Returns an archive for which the ids in site.toml are the present ones, also an id that a
    source had before and has again."""
    ids_again: dict[str, str] = {}
    for id in present:
        last = archive.present_id(id)
        if last not in present:
            ids_again[last] = id
    lines, renewed = dict(archive.lines), []
    for sum, one in archive.sources.items():
        if again := ids_again.get(archive.present_id(one.id)):
            del lines[sum]
            former = {one.id, one.present} - {again}
            renewed += [FormerSource(id=id, present=again) for id in former]
    return united([Archive(lines), archive_of(renewed)])


def _composed(
    source: str,
    read: Sequence[ReleaseState],
    published: Mapping[str, ArchivedEdition],
    table: SourceTable,
    archive: Archive,
    config: Config,
) -> Composition:
    """Returns the releases of one source."""
    has_tags = any(edition.kind == "tag" for edition in published.values())
    is_tagged = any(state.release.kind == "tag" for state in read)
    if has_tags and not is_tagged:
        if table.by == AUTO and any(state.release.kind == "dated" for state in read):
            raise ContinuityError(f"{source}: no published tag is in this clone; {FETCH_TAGS}")
        if not table.head:  # without tags, the branch is read as an unreleased state
            read = [state for state in read if not state.release.unreleased]
    corrected = [one for one in config.corrected if one.source == source]
    composer = Composer(source, read, published, archive, corrected)
    editions = {one.release: one for one in archive.release_orders.get(source, ())}
    names = declared_releases(table, config).in_order(editions)
    found = composer.compose(in_order(read, [editions[name] for name in names]))
    states = []
    for state in found.states:
        pairs = _pairs(state, published.get(state.release.name), archive, config)
        states.append(replace(state, pairs=pairs))
    return replace(found, states=states)


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
    before = [entry_text(text) for text in archive.texts_of(edition)]
    names = {fold(entry.name) for entry in state.entries}
    if all(fold(text.designations[0].text) in names for text in before):
        return edition.pairs
    place = state.entries[0].place if state.entries else None
    if place is None:
        return edition.pairs
    entries = entries_at(place, before, [0] * len(before))
    document = DocumentState(name=place.name, entries=entries)
    earlier = ReleaseState(source=state.source, release=Release(name=""), documents=(document,))
    source = Source(id=state.source, title="", releases=(earlier.composed(0), state.composed(1)))
    merged = merge([source], renames=config.renames, verdicts=config.verdicts)
    pairs = dict(edition.pairs)
    for term in merged.terms:
        old, new = term.courses[0].entries
        if old and new and fold(old.name) != fold(new.name):
            pairs[old.name] = new.name
    return tuple(pairs.items())


def _check_continuity(source: str, found: ComposedSources, config: Config) -> None:
    """Raises `ContinuityError` if a release of a source does not continue what was published."""
    archive = found.archive
    editions: dict[str, ArchivedEdition] = {}
    for of_release in archive.states.values():
        edition = of_release[0]
        is_own = archive.present_id(edition.source) == source
        if is_own and not is_retired(edition.at, config.retired, archive):
            editions.setdefault(edition.release, edition)
    others = [one for id, one in found.compositions.items() if id != source]
    entries = [entry for one in others for state in one.states for entry in state.entries]
    course = PublishedCourse(
        source=source,
        states=found.compositions[source].states,
        order=found.order[source],
        editions=editions,
        archive=archive,
        elsewhere=by_name(entry.text for entry in entries),
    )
    accepted = {one.release for one in config.continues if one.source == source}
    check_continuity(course, config.renames, accepted=accepted)


def lines_of(state: ReleaseState, edition: ArchivedEdition | None, *, after: str) -> Iterator[Line]:
    """Yields the lines that a release needs beyond those of its published `edition`.

    A release of which nothing could be read is not published.
    """
    if not (edition or state.is_read):
        return
    documents = [_document_line(document) for document in state.documents]
    one = _edition_line(state, edition, tuple(map(sum_of_line, documents)), after=after)
    if edition and replace(one, number=edition.number) == edition:
        return
    for entry in state.entries:
        yield archived_text(entry.text)
    yield from documents
    yield one


def _document_line(document: DocumentState) -> ArchivedDocument:
    return ArchivedDocument(
        name=document.name,
        digest=document.digest,
        texts=document.texts,
        is_unread=document.is_unread,
        kept_as_text=document.kept_as_text,
    )


def _edition_line(
    state: ReleaseState,
    edition: ArchivedEdition | None,
    documents: tuple[str, ...],
    *,
    after: str,
) -> ArchivedEdition:
    """Returns the next published state of a release; it differs in its number alone if nothing
    about its words has changed."""
    release = state.release
    is_closed = not may_be_edited(release)
    if edition:
        # A closed release has the words of its first commit, until others are taken over.
        is_kept = edition.is_closed and state.corrections == edition.corrections
        is_kept = is_kept or documents == edition.documents
        return replace(
            edition,
            number=edition.number + 1,
            is_closed=edition.is_closed or is_closed,
            commit=edition.commit if is_kept else release.commit,
            documents=documents,
            reading=edition.reading if documents == edition.documents else READING,
            corrections=state.corrections,
            pairs=state.pairs,
        )
    return ArchivedEdition(
        source=state.source,
        release=release.name,
        number=1,
        is_closed=is_closed,
        kind=release.kind,
        unreleased=release.unreleased,
        label=release.label,
        day=release.date,
        commit=release.commit,
        link=release.link,
        lines=release.lines,
        after=after,
        documents=documents,
        reading=READING,
    )
