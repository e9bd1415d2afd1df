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

from sitegen.config.declared_releases import declared_releases
from sitegen.config.parsing import Config
from sitegen.config.patterns import matches, matches_any
from sitegen.config.tables import Retired, SourceTable
from sitegen.history.merging import merge
from sitegen.model import Entry, Release, Source, grouped
from sitegen.permanence.archive import (
    Archive,
    ArchivedEdition,
    FormerSource,
    Line,
    SourceRelease,
    in_published_order,
    tidied,
    united,
)
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.archived_releases import archived_release
from sitegen.permanence.composition import (
    Composer,
    Composition,
    NamePairs,
    PublishedDifference,
)
from sitegen.permanence.continuity import (
    ContinuityError,
    PublishedCourse,
    by_name,
    check_continuity,
)
from sitegen.text.names import fold
from sitegen.text.release_names import is_prerelease, period_in
from sitegen.text.words import words_of

AUTO = "auto"
FETCH_TAGS = "`git fetch --tags` brings them (in a workflow on GitHub, `fetch-depth: 0`)"

ReleaseWords = tuple[str, str, tuple[str, ...]]
"""(release, folded name, words) of an entry."""


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
        for source, editions in self.archive.releases.items():
            composition = self.compositions.get(source)
            published = composition.published if composition else {}
            withdrawn += [one for name, one in editions.items() if name not in published]
        return withdrawn

    @property
    def pairs(self) -> Mapping[SourceRelease, Sequence[tuple[str, str]]]:
        """The (former name, present name) of entries, by source and release."""
        pairs = {}
        for source, composition in self.compositions.items():
            for release, own in composition.pairs.items():
                pairs[source, release] = own
        return pairs

    @property
    def differences(self) -> Mapping[SourceRelease, Sequence[PublishedDifference]]:
        """What closed releases say otherwise now, by source and release."""
        found: list[PublishedDifference] = []
        for composition in self.compositions.values():
            found += composition.differences
        return grouped(((one.entry.place.source, one.entry.place.release), one) for one in found)

    def gone(self, source: str, release: str) -> tuple[int, int]:
        """Returns the number of published terms that a closed release does not have any more, and
        the number of those that it had."""
        published = 0
        for one in self.compositions[source].releases:
            if one.name == release:
                published += len(one.entries)
        now = [one.now for one in self.differences.get((source, release), ())]
        return now.count(None), published

    @cached_property
    def following(self) -> Archive:
        """The archive with the releases that are new, without lines that the next build lacks."""
        return tidied(united([self.archive, archive_of(self.lines())]))

    def lines(self) -> Iterator[Line]:
        """Yields the lines that publishing these releases adds to the archive."""
        yield from self.renamed
        for composition in self.compositions.values():
            yield from composition.lines()


def compose(read: Sequence[Source], archive: Archive, config: Config) -> ComposedSources:
    """Returns the sources with the releases that were published.

    `read` are the parsed sources. Raises `ContinuityError` if a release does not continue what was
    published.
    """
    tables = {table.id: table for table in config.sources}
    archive = _with_ids_of(tables, archive)
    for id in tables:
        if (present := archive.present_id(id)) != id:
            found = f"{id}: the source {present} had this id when it was published"
            raise ContinuityError(f"{found}; give the new source another id")
    declared = [*_declared_sources(config, archive)]
    archive = united([archive, archive_of(declared)])
    recognized = [*_renamed_sources(read, archive, known=tables)]
    archive = united([archive, archive_of(recognized)])
    compositions = {}
    for source in read:
        compositions[source.id] = _composed(tables[source.id], source.releases, archive, config)
    for id in compositions:
        _check_continuity(id, compositions, archive, config)
    sources = [_with_releases(source, compositions[source.id]) for source in read]
    return ComposedSources(
        sources=tuple(sources),
        compositions=compositions,
        archive=archive,
        renamed=(*declared, *recognized),
    )


def _composed(
    table: SourceTable, read: Iterable[Release], archive: Archive, config: Config
) -> Composition:
    """Returns the releases of one source. `read` are those that it has now."""
    read = [one for one in read if not retirement((table.id, one.name), config.retired, archive)]
    published = _published(table, read, archive, config)
    read = _without_branch(table, read, published)
    corrected = [one for one in config.corrected if one.source == table.id]
    composer = Composer(table.id, read, published, archive, corrected)
    editions = archive.releases.get(table.id, {})
    new = _new_releases(read, editions)
    after = {name: edition.after for name, edition in editions.items()}
    after.update(new)  # they count as published, so that the next build has the same order
    order = in_order([release.name for release in read], in_published_order(after))
    composition = composer.compose(declared_releases(table, config).in_order(order))
    pairs = {}
    for release in composition.releases:
        if edition := published.get(release.name):
            pairs[release.name] = _pairs(release, edition, archive, config)
    return replace(composition, pairs=pairs, new=new)


def _without_branch(
    table: SourceTable, read: list[Release], published: Mapping[str, ArchivedEdition]
) -> list[Release]:
    """Returns the releases that a source has now, without the branch that is read only because this
    clone lacks its tags. Raises `ContinuityError` if dated states are read for this reason."""
    has_published_tags = any(edition.kind == "tag" for edition in published.values())
    kinds = {release.kind for release in read}
    if not has_published_tags or "tag" in kinds:
        return read
    if table.by == AUTO and "dated" in kinds:
        raise ContinuityError(f"{table.id}: no published tag is in this clone; {FETCH_TAGS}")
    if table.head:
        return read
    return [release for release in read if not release.unreleased]


def _published(
    table: SourceTable, read: Sequence[Release], archive: Archive, config: Config
) -> Mapping[str, ArchivedEdition]:
    """Returns the published releases of a source by their names, without those that site.toml
    leaves out."""
    names = {release.name for release in read}
    has_releases = any(one.documents and not one.unreleased for one in read)
    published = {}
    for name, edition in archive.releases.get(table.id, {}).items():
        is_left_out = name not in names and _is_withdrawn(
            edition, table, config.retired, archive, has_releases=has_releases
        )
        if not is_left_out:
            published[name] = edition
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
    if edition.kind == "tag" and matches_any(edition.label, table.exclude):
        return True
    if not has_releases:  # `paths` or `tags` that find nothing are a mistake, and leave nothing out
        return False
    if edition.unreleased:  # a release has taken its place
        return not table.head and not matches_any(edition.label, table.branches)
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
    published = archive.published_id(present, release)
    for one in retired:
        if one.withdraws(present, release):
            return one
        if one.releases and one.withdraws(published, release):
            return one
    return None


def _is_chosen(tag: str, table: SourceTable) -> bool:
    """True if the name of a tag that is not excluded is one that site.toml wants. Which of these
    are releases was decided when they were published."""
    if table.tags:
        return matches_any(tag, table.tags)
    return table.prereleases or not is_prerelease(tag)


def _has_path(edition: ArchivedEdition, table: SourceTable, archive: Archive) -> bool:
    """True if one of the paths in site.toml matches a document of a published release."""
    names = [archive.documents[sum].name for sum in edition.documents]
    return any(matches(path, name) for path in table.paths for name in names)


def _with_releases(source: Source, composition: Composition) -> Source:
    """Returns a source with composed releases, numbered in their order."""
    releases = [replace(one, number=i) for i, one in enumerate(composition.releases)]
    is_undated = any(not release.name for release in releases)
    return replace(source, releases=tuple(releases), undated=is_undated)


def _new_releases(read: Iterable[Release], published: Collection[str]) -> Mapping[str, str]:
    """Returns the releases that are published first now, each with the one that is read before
    it."""
    before, after = "", {}
    for release in read:
        is_new = release.name not in published
        if is_new and not release.documents:
            continue
        if is_new:
            after[release.name] = before
        before = release.name
    return after


def in_order(read: Iterable[str], published: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of all releases, oldest first, from those that are read and those that were
    published, each in their order.

    The order is that in which they are read. A release that is not read stands directly behind the
    one that is before it in the published order.
    """
    names = [*read]
    behind_last = 0
    for name in published:
        if name not in names:
            names.insert(behind_last, name)
        behind_last = names.index(name) + 1
    return tuple(names)


def _pairs(
    release: Release, edition: ArchivedEdition, archive: Archive, config: Config
) -> NamePairs:
    """Returns the names of the published entries of a release with the names that they have now, as
    two releases are compared in the history."""
    names = {entry.name for entry in release.entries}
    if not names or archive.names_of(edition) <= names:
        return edition.pairs
    earlier = replace(archived_release(edition, archive), name="", number=0)
    later = replace(release, number=1)
    source = archive.present_id(edition.source)
    merged = merge(
        [Source(id=source, title="", releases=(earlier, later))],
        renames=config.renames,
        verdicts=config.verdicts,
    )
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
    for name, edition in archive.releases.get(source, {}).items():
        if not retirement(edition.at, config.retired, archive):
            editions[name] = edition
    elsewhere: list[Entry] = []
    for other in compositions.values():
        if other.source != source:
            for release in other.releases:
                elsewhere += release.entries
    course = PublishedCourse(
        composition=compositions[source],
        editions=editions,
        archive=archive,
        elsewhere=by_name(elsewhere),
    )
    accepted = {one.release for one in config.continues if one.source == source}
    check_continuity(course, config.renames, accepted=accepted)


# Sources that have another id in site.toml than they had when they were published.


def _with_ids_of(present: Collection[str], archive: Archive) -> Archive:
    """Returns an archive for which the ids in site.toml are the present ones, also an id that a
    source had before and has again."""
    lines, renewed = dict(archive.lines), []
    for sum, one in archive.sources.items():
        last = archive.present_id(one.id)
        if one.id in present and last not in present:
            del lines[sum]
            renewed.append(FormerSource(id=last, present=one.id))
    return united([Archive(lines), archive_of(renewed)]) if renewed else archive


def _declared_sources(config: Config, archive: Archive) -> Iterator[FormerSource]:
    """Yields the former ids in site.toml under which something was published.

    A source has a former id only until it is published itself. Two that were both published have
    other words and ids for one release, so they stay two sources.
    """
    published = {*archive.releases}
    for former, present in config.former_ids.items():
        if former in published and present not in published:
            published.add(present)
            yield FormerSource(id=former, present=present)


def _renamed_sources(
    read: Iterable[Source], archive: Archive, *, known: Collection[str]
) -> Iterator[FormerSource]:
    """Yields the published sources that site.toml lacks, and of whose words a new source has more
    than half in the same releases; of several the one that has most.

    `known` are the ids of all sources of the site.
    """
    published = archive.releases
    former_ids = [id for id in published if id not in known]
    if not former_ids:
        return
    words_of_new = {one.id: _words(one.releases) for one in read if one.id not in published}
    for former in former_ids:
        words = _words(archived_release(one, archive) for one in published[former].values())
        shared = {id: len(words & own) for id, own in words_of_new.items()}
        best = max(shared, key=shared.__getitem__, default="")
        if best and 2 * shared[best] > len(words):
            del words_of_new[best]
            yield FormerSource(id=former, present=best)


def _words(releases: Iterable[Release]) -> set[ReleaseWords]:
    """Returns the names and words of all entries of releases."""
    words = set()
    for release in releases:
        for entry in release.entries:
            words.add((release.name, fold(entry.name), words_of(entry.definition).keys))
    return words
