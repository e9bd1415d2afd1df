"""Composes all sources of a site from what they say now and what was published.

site.toml is the maintainer's will: a published release that it leaves out is withdrawn. What is
merely missing, such as a deleted tag, stays a release; so do all releases of a source in which
site.toml finds none, by mistake. What does not continue what was published is refused
(`continuity`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sitegen.config.parsing import Config, in_declared_order
from sitegen.config.patterns import matches_any, one_matches
from sitegen.config.tables import Retired, SourceTable
from sitegen.config.values import AUTO
from sitegen.history.merging import merge
from sitegen.model import Release, Source
from sitegen.permanence.archive import (
    READING,
    Archive,
    ArchivedEdition,
    FormerSource,
    Line,
    NamePairs,
    SourceRelease,
    in_published_order,
)
from sitegen.permanence.archive_lines import archive_of, sum_of_line
from sitegen.permanence.archive_union import tidied, united
from sitegen.permanence.archived_releases import (
    archived_documents,
    archived_release,
    archived_text,
)
from sitegen.permanence.composition import ComposedRelease, Composer, may_be_edited
from sitegen.permanence.continuity import ContinuityError, check_continuity, identified
from sitegen.text.release_names import period_in

FETCH_TAGS = "`git fetch --tags` brings them (in a workflow on GitHub, `fetch-depth: 0`)"


@dataclass(frozen=True, kw_only=True)
class ComposedSources:
    """The sources of a site with all their releases."""

    sources: tuple[Source, ...] = ()
    releases: Mapping[SourceRelease, ComposedRelease] = field(default_factory=dict)
    """By source and release, oldest first."""
    archive: Archive = field(default_factory=Archive)
    """The published archive, with the former ids of sources that were found now."""
    renamed: tuple[FormerSource, ...] = ()
    """The former ids that were found now."""
    read_otherwise: int = 0
    """The number of archived texts that this version of sitegen reads otherwise."""

    @property
    def withdrawn(self) -> Mapping[SourceRelease, ArchivedEdition]:
        """The published releases that site.toml leaves out."""
        withdrawn = {}
        for source, editions in self.archive.releases.items():
            for name, edition in editions.items():
                if (source, name) not in self.releases:
                    withdrawn[source, name] = edition
        return withdrawn

    @cached_property
    def new(self) -> Archive:
        """The lines that publishing these releases adds to the archive."""
        lines: list[Line] = [*self.renamed]
        for composed in self.releases.values():
            lines += _edition_lines(composed)
        return archive_of(lines)

    @cached_property
    def following(self) -> Archive:
        """The archive with the new releases, without the lines that nothing needs any more."""
        return tidied(united([self.archive, self.new]))


def _edition_lines(composed: ComposedRelease) -> Iterator[Line]:
    """Yields the lines of the next edition of a release. A release that is as it was published last
    has none, and neither has a new one without documents."""
    release = composed.release
    if composed.edition is None and not release.documents:
        return
    last_edition = composed.edition or _empty_edition(composed)
    documents = [*archived_documents(release)]
    sums = tuple(map(sum_of_line, documents))
    edition = _with_present_words(composed, last_edition, documents=sums)
    if edition == last_edition:
        return
    for entry in release.entries:
        yield archived_text(entry.text)
    yield from documents
    yield replace(edition, number=last_edition.number + 1)


def _empty_edition(composed: ComposedRelease) -> ArchivedEdition:
    """Returns the edition 0 of a release, without words: what there is before it is published
    first."""
    release = composed.release
    return ArchivedEdition(
        source=composed.source,
        release=release.name,
        number=0,
        kind=release.kind,
        unreleased=release.unreleased,
        label=release.label,
        day=release.date,
        commit=release.commit,
        link=release.link,
        lines=release.line_pattern,
        after=composed.after,
    )


def _with_present_words(
    composed: ComposedRelease, edition: ArchivedEdition, *, documents: tuple[str, ...]
) -> ArchivedEdition:
    """Returns an edition with the words that its release has now. `documents` are the sums of the
    release's documents."""
    release, corrections = composed.release, composed.corrections
    commit, reading = edition.commit, edition.reading
    if documents != edition.documents:
        reading = READING
        # A closed release without new corrections has the words of its first commit, though this
        # version of sitegen reads them otherwise.
        keeps_words = edition.is_closed and corrections == edition.corrections
        if not keeps_words:
            commit = release.commit
    return replace(
        edition,
        is_closed=edition.is_closed or not may_be_edited(release),
        commit=commit,
        documents=documents,
        reading=reading,
        corrections=corrections,
        pairs=composed.pairs,
    )


def compose(read: Sequence[Source], published: Archive, config: Config) -> ComposedSources:
    """Returns the sources with the releases that were published.

    `read` are the parsed sources. Raises `ContinuityError` if a release does not continue what was
    published.
    """
    tables = {table.id: table for table in config.sources}
    archive, former_ids = identified(read, published, config)
    releases: dict[SourceRelease, ComposedRelease] = {}
    sources = []
    orders = {}
    read_otherwise = 0
    for source in read:
        composer = _composer(tables[source.id], source.releases, archive, config)
        orders[source.id] = composer.order
        shown = []
        for name in composer.order:
            composed = composer.release(name)
            if composed is None:
                continue  # it is withdrawn
            pairs = _name_pairs(composed, archive, config)
            releases[source.id, name] = replace(composed, pairs=pairs)
            shown.append(composed.release)
        sources.append(replace(source, releases=tuple(shown)))
        read_otherwise += len(composer.rereading.read_otherwise)
    # A term may have moved to another source, so each source is checked when all are composed.
    for id, order in orders.items():
        editions = {}
        for name, edition in archive.releases.get(id, {}).items():
            # What [[retired]] withdraws need not be continued.
            if not retirement(edition.at, config.retired, archive):
                editions[name] = edition
        check_continuity(id, order, releases, editions=editions, archive=archive, config=config)
    return ComposedSources(
        sources=tuple(sources),
        releases=releases,
        archive=archive,
        renamed=former_ids,
        read_otherwise=read_otherwise,
    )


def _composer(
    table: SourceTable, read: Iterable[Release], archive: Archive, config: Config
) -> Composer:
    """Returns the composer of the releases of one source. `read` are those that the source has
    now."""
    # Which releases does it have?
    not_retired = []
    for release in read:
        if not retirement((table.id, release.name), config.retired, archive):
            not_retired.append(release)
    published = _published_releases(table, not_retired, archive, config)
    present = _without_branch_instead_of_tags(table, not_retired, published)

    # In which order? The new ones are ordered as if they were published, since the next build finds
    # them in the archive, and must have the same order.
    editions = archive.releases.get(table.id, {})
    previous_of_new = _previous_of_new(present, editions)
    previous = {name: edition.after for name, edition in editions.items()}
    previous.update(previous_of_new)
    read_by_name = {release.name: release for release in present}
    order = joined_order(read_by_name, in_published_order(previous))
    return Composer(
        source=table.id,
        read=read_by_name,
        published=published,
        order=in_declared_order(order, config.declared_releases(table.id)),
        previous_of_new=previous_of_new,
        archive=archive,
        corrected=[one for one in config.corrected if one.source == table.id],
    )


def _without_branch_instead_of_tags(
    table: SourceTable, read: list[Release], published: Mapping[str, ArchivedEdition]
) -> list[Release]:
    """Returns the releases that a source has now, without a branch that was read because this clone
    lacks the tags.

    Raises `ContinuityError` if dated states were read instead of tags: they would follow tags that
    are of the same days, or later.
    """
    kinds = {release.kind for release in read}
    has_published_tags = any(edition.kind == "tag" for edition in published.values())
    lacks_tags = has_published_tags and "tag" not in kinds
    if not lacks_tags:
        return read
    # `auto` reads dated states only where there are no tags.
    if table.by == AUTO and "dated" in kinds:
        raise ContinuityError(f"{table.id}: no published tag is in this clone; {FETCH_TAGS}")
    for release in read:
        if release.kind == "dated" and release.name not in published:
            raise ContinuityError(
                f"{table.id}: dated states cannot follow the published tags; correct `by` and "
                f"`tags`, or leave the tags out by [[retired]]; {FETCH_TAGS}"
            )
    if table.head:  # site.toml asks for the branch
        return read
    return [release for release in read if not release.unreleased]


def _published_releases(
    table: SourceTable, read: Sequence[Release], archive: Archive, config: Config
) -> Mapping[str, ArchivedEdition]:
    """Returns the published releases of a source by their names, without those that site.toml
    leaves out."""
    names_read = {release.name for release in read}
    # If `paths` or `tags` find no release, they are taken for a mistake, and leave nothing out.
    # Folders are only left out by their names (`_is_excluded`).
    finds_releases = any(one.documents and not one.unreleased for one in read)
    may_leave_out = bool(table.git) and finds_releases
    published = {}
    for name, edition in archive.releases.get(table.id, {}).items():
        is_left_out = (
            retirement(edition.at, config.retired, archive)
            or _is_excluded(edition, table)
            or (may_leave_out and not _is_chosen(edition, table, archive))
        )
        if name in names_read or not is_left_out:
            published[name] = edition
    return published


def _is_excluded(edition: ArchivedEdition, table: SourceTable) -> bool:
    """True if the table of a source excludes a release by its name or its tag."""
    if table.git:
        return edition.kind == "tag" and matches_any(edition.label, table.exclude)
    return bool(table.files) and edition.release not in table.files


def _is_chosen(edition: ArchivedEdition, table: SourceTable, archive: Archive) -> bool:
    """True if the table of a git repository asks for a published release: for its tag, branch or
    period, and for the path of one of its documents."""
    if edition.unreleased:
        return bool(table.head) or matches_any(edition.label, table.branches)
    if edition.kind == "tag":
        # Only the table is asked. Other reasons against the tag counted when it was published.
        is_asked_for = table.reason_to_skip(edition.label) is None
    elif edition.kind == "branch":
        is_asked_for = matches_any(edition.label, table.branches)
    elif edition.kind == "dated":
        is_asked_for = table.by in ("", AUTO, period_in(edition.release))
    else:
        is_asked_for = True
    if not is_asked_for:
        return False
    names = [document.name for document in archive.documents_of(edition)]
    return not table.paths or any(one_matches(table.paths, name) for name in names)


def retirement(at: SourceRelease, retired: Iterable[Retired], archive: Archive) -> Retired | None:
    """Returns the [[retired]] table that withdraws a release; None if there is none.

    A table with releases may use the id under which the release was published. A table for a whole
    source must use the present id: if the id changes, the table withdraws nothing any more.
    """
    source, release = at
    present_id = archive.present_id(source)
    published_id = archive.published_id(present_id, release)
    for table in retired:
        if table.withdraws(present_id, release):
            return table
        if table.releases and table.withdraws(published_id, release):
            return table
    return None


def _previous_of_new(read: Iterable[Release], published: Collection[str]) -> Mapping[str, str]:
    """Returns each new release with the one before it, empty if there is none. If 1.0 was
    published, and 2.0 and 3.0 are new, that is 1.0 for 2.0, and 2.0 for 3.0.

    A new release without documents is not published, so it is passed over.
    """
    previous_of_new = {}
    previous = ""
    for release in read:
        is_new = release.name not in published
        if is_new and not release.documents:
            continue
        if is_new:
            previous_of_new[release.name] = previous
        previous = release.name
    return previous_of_new


def joined_order(read: Iterable[str], published: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of all releases, oldest first: those that are read, and those that were
    published.

    The order of the read releases is kept. A published release that is not read comes directly
    after the release that is before it in the published order.

    >>> joined_order(["1.0", "3.0", "4.0"], ["1.0", "2.0", "3.0"])
    ('1.0', '2.0', '3.0', '4.0')
    """
    names = [*read]
    next_index = 0  # the index after the published release before
    for name in published:
        if name not in names:
            names.insert(next_index, name)
        next_index = names.index(name) + 1
    return tuple(names)


def _name_pairs(composed: ComposedRelease, archive: Archive, config: Config) -> NamePairs:
    """Returns (published name, present name) of each entry of a release that has another name now:
    `("Array", "Tensor")`."""
    release, edition = composed.release, composed.edition
    if edition is None:
        return ()
    names = {entry.name for entry in release.entries}
    keeps_all_names = archive.names_of(edition) <= names
    # If nothing is read, or every published name is still there, no more names have changed.
    if not names or keeps_all_names:
        return edition.pairs

    # Match the entries as if the published edition were a release before this one, of another name.
    as_published = replace(archived_release(edition, archive), name="")
    source = archive.present_id(edition.source)
    merged = merge(
        [Source(id=source, title="", releases=(as_published, release))],
        renames=config.renames,
        verdicts=config.verdicts,
    )
    pairs = dict(edition.pairs)
    for term in merged.terms:
        (course,) = term.courses  # there is one source
        published_entry, present_entry = course.entries
        if not published_entry or not present_entry:
            continue
        if published_entry.name != present_entry.name:
            pairs[published_entry.name] = present_entry.name
    return tuple(pairs.items())
