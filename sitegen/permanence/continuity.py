"""Checks that the sources continue what was published.

`identified` finds which published source is which source of site.toml, also if its id changed
since: the archive maps former ids of sources to present ones (`FormerSource`).

`check_continuity` refuses another file or another language. A published address stays for ever, so
words that are published by mistake stay too. Of two releases, the later one continues the earlier
one if it has at least half of the earlier entries, each with one of its names and with similar
words. A [[continues]] table says that a release is right all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sitegen.config.parsing import Config
from sitegen.config.toml import table_text
from sitegen.model import Entry, Release, SitegenError, Source, counted, grouped
from sitegen.permanence.archive import (
    READING,
    Archive,
    ArchivedEdition,
    FormerSource,
    SourceRelease,
)
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.archive_union import united
from sitegen.permanence.archived_releases import archived_documents, archived_release
from sitegen.permanence.composition import ComposedRelease
from sitegen.text.names import fold
from sitegen.text.words import words_of

MIN_COMPARED = 5
"""The minimum number of entries by which a glossary is recognized without its files."""
MAX_SHOWN_PATHS = 3
"""The maximum number of paths in a message."""

ReleaseWords = tuple[str, str, tuple[str, ...]]
"""(release, folded name, words) of an entry."""

ByName = Mapping[str, Sequence[Entry]]
"""Entries by each of their folded names."""


class ContinuityError(SitegenError):
    """A build would publish words of something else."""


def identified(
    read: Sequence[Source], published: Archive, config: Config
) -> tuple[Archive, tuple[FormerSource, ...]]:
    """Returns the archive in which the published sources have their ids in site.toml, and the
    former ids that were found now. `read` are the sources that were read.

    Raises `ContinuityError` if a new source has the former id of another one.
    """
    ids = [table.id for table in config.sources]
    archive = _with_ids_of_config(ids, published)
    for id in ids:
        present = archive.present_id(id)
        if present != id:
            found = f"{id}: the source {present} had this id when it was published"
            raise ContinuityError(f"{found}; give the new source another id")

    # First the former ids in site.toml, then those of sources that their words identify.
    declared = tuple(_declared(config, archive))
    archive = united([archive, archive_of(declared)])
    recognized = tuple(_recognized(read, archive, present_ids=ids))
    archive = united([archive, archive_of(recognized)])
    return archive, (*declared, *recognized)


def _with_ids_of_config(ids: Collection[str], archive: Archive) -> Archive:
    """Returns an archive in which no id in site.toml is a former id. If a source was `a`, then `b`,
    and is `a` again in site.toml, `b` becomes the former id."""
    lines = dict(archive.lines)
    reversed_lines = []
    for sum, former in archive.sources.items():
        last_id = archive.present_id(former.id)
        is_back = former.id in ids and last_id not in ids
        if is_back:
            # The line that says `a` became `b` is replaced with one that says `b` became `a`.
            del lines[sum]
            reversed_lines.append(FormerSource(id=last_id, present=former.id))
    if not reversed_lines:
        return archive
    return united([Archive(lines), archive_of(reversed_lines)])


def _declared(config: Config, archive: Archive) -> Iterator[FormerSource]:
    """Yields the former ids in site.toml under which something was published. If something was
    published under the present id too, they stay two sources: each has its own words for one
    release."""
    published = {*archive.releases}
    for former, present in config.former_ids.items():
        if former in published and present not in published:
            published.add(present)
            yield FormerSource(id=former, present=present)


def _recognized(
    read: Iterable[Source], archive: Archive, *, present_ids: Collection[str]
) -> Iterator[FormerSource]:
    """Yields the published sources that have a new id now: a new source has more than half of their
    words in the same releases. Of several new sources, the one that shares most words is taken.

    `present_ids` are those of all sources of the site.
    """
    published = archive.releases
    former_ids = [id for id in published if id not in present_ids]
    if not former_ids:
        return
    words_of_new = {one.id: _release_words(one.releases) for one in read if one.id not in published}
    for former_id in former_ids:
        editions = published[former_id].values()
        words = _release_words(archived_release(edition, archive) for edition in editions)
        best_id = ""
        most_shared = 0
        for id, words_of_source in words_of_new.items():
            shared = len(words & words_of_source)
            has_most_words = 2 * shared > len(words)
            if has_most_words and shared > most_shared:
                best_id = id
                most_shared = shared
        if best_id:
            del words_of_new[best_id]
            yield FormerSource(id=former_id, present=best_id)


def _release_words(releases: Iterable[Release]) -> set[ReleaseWords]:
    """Returns the names and words of all entries of releases."""
    words = set()
    for release in releases:
        for entry in release.entries:
            words.add((release.name, fold(entry.name), words_of(entry.definition).keys))
    return words


@dataclass(frozen=True, kw_only=True)
class PublishedCourse:
    """The releases of a source, with what was published of them."""

    releases: Mapping[str, ComposedRelease]
    order: Sequence[str]
    """The names of all releases, oldest first, with those that are withdrawn."""
    editions: Mapping[str, ArchivedEdition]
    """The last editions, by release."""
    archive: Archive
    elsewhere: ByName
    """The entries of the other sources: terms can move to another source."""
    renamed: Mapping[str, Sequence[str]]
    """The folded names that site.toml renames, each with its new names."""

    def release(self, name: str) -> Release | None:
        """Returns a release as it was published. A new release is returned as it is read; a
        withdrawn one is None."""
        if edition := self.editions.get(name):
            return archived_release(edition, self.archive)
        new = self.releases.get(name)
        return new.release if new else None


def _by_name(entries: Iterable[Entry]) -> ByName:
    """Returns entries by each of their folded names."""
    return grouped((fold(name.text), entry) for entry in entries for name in entry.designations)


def check_continuity(
    source: str,
    order: Sequence[str],
    releases: Mapping[SourceRelease, ComposedRelease],
    *,
    editions: Mapping[str, ArchivedEdition],
    archive: Archive,
    config: Config,
) -> None:
    """Raises `ContinuityError` if a release of a source does not continue its own last edition, or
    the release before it.

    `order` has the names of all releases of the source, `releases` what all sources show, and
    `editions` the last editions of the source that are not withdrawn.
    """
    if not editions:
        return  # nothing was published that could be continued
    own_releases = {}
    elsewhere: list[Entry] = []
    for (id, name), composed in releases.items():
        if id == source:
            own_releases[name] = composed
        else:
            elsewhere += composed.release.entries
    course = PublishedCourse(
        releases=own_releases,
        order=order,
        editions=editions,
        archive=archive,
        elsewhere=_by_name(elsewhere),
        renamed=grouped((fold(one.old), fold(one.new)) for one in config.renames),
    )
    accepted = {one.release for one in config.continues if one.source == source}
    for composed in own_releases.values():
        release = composed.release
        if release.name in accepted or not _has_new_words(composed, course):
            continue
        fault = _fault(release, course)
        if fault:
            raise _refusal(source, release, fault)


def _fault(release: Release, course: PublishedCourse) -> str:
    """Returns why a release does not continue what was published, or is not continued by it; empty
    if there is no reason."""
    neighbor = _neighbor(release.name, course)
    if neighbor is None:
        return ""
    if course.order.index(release.name) < course.order.index(neighbor.name):
        return _Comparison(earlier=release, later=neighbor, course=course).fault()
    return _Comparison(earlier=neighbor, later=release, course=course).fault()


def _refusal(source: str, release: Release, fault: str) -> ContinuityError:
    """Returns the error for a release that does not continue what was published."""
    paths = sorted({entry.place.path for entry in release.entries})
    values = {"source": source, "release": release.name, "reason": "…"}
    return ContinuityError(
        f"{source}: {fault} ({', '.join(paths[:MAX_SHOWN_PATHS])}); if that is another document, "
        f"correct [[source]]; if it is right, add to site.toml:\n"
        f"{table_text('[[continues]]', values).rstrip()}"
    )


def _has_new_words(composed: ComposedRelease, course: PublishedCourse) -> bool:
    """True if a release must be compared: if its source has words that were not published."""
    release = composed.release
    edition = course.editions.get(release.name)
    if not composed.is_read or not release.entries:
        return False
    if edition is None:
        return True
    # If another version of sitegen read other words, or site.toml takes over new ones, it is no
    # other document.
    was_read_otherwise = edition.reading != READING
    is_corrected_now = edition.corrections != composed.corrections
    if was_read_otherwise or is_corrected_now:
        return False
    published_texts = [document.texts for document in course.archive.documents_of(edition)]
    texts = [document.texts for document in archived_documents(release)]
    return texts != published_texts


def _neighbor(name: str, course: PublishedCourse) -> Release | None:
    """Returns the release with which a release to be published is compared. For a published one, it
    is its own last edition. For a new 3.0 beside 1.0, 2.0 and 4.0, it is the first of 2.0, 1.0 and
    4.0 that has entries.

    A release that was read in full is preferred. Returns None if none of them has entries.
    """
    number = course.order.index(name)
    before = course.order[:number]
    after = course.order[number + 1 :]
    if name in course.editions:
        names = [name]
    elif course.editions.keys().isdisjoint(before):
        names = [*after]  # what is before is new too, and shows nothing
    else:
        names = [*reversed(before), *after]

    read_in_part = None
    for other_name in names:
        other = course.release(other_name)
        if other is None or not other.entries:
            continue
        if not other.gaps:
            return other
        if read_in_part is None:
            read_in_part = other
    return read_in_part


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """Compares the documents of a release, the later one, with those of the release before it, the
    earlier one."""

    earlier: Release
    later: Release
    course: PublishedCourse

    @cached_property
    def _later_entries(self) -> ByName:
        return _by_name(self.later.entries)

    def fault(self) -> str:
        """Returns why the later release does not continue the earlier one; empty if it does."""
        # Can enough of the earlier entries be looked for?
        comparable = self._comparable_entries()
        if 2 * len(comparable) < len(self.earlier.entries):
            return ""  # most of the later release could not be read
        are_few = len(comparable) < MIN_COMPARED
        if are_few and self.earlier.gaps:
            return ""  # the later release may have the earlier terms that were not read

        # Are at least half of them continued? A few may also be recognized by their files.
        number_continued = sum(map(self._is_continued, comparable))
        if are_few:
            number_continued = max(number_continued, self._number_in_same_files())
        later = self.later.name or "the glossary"
        if 2 * number_continued < len(comparable):
            terms = self._counted_terms(len(comparable))
            return f"{number_continued} of the {terms} are in {later} with similar words"

        # Is most of the later release from other files?
        number_new = len(self._names_in_new_files())
        if number_new >= MIN_COMPARED and 2 * number_new > len(comparable):
            return f"{later} has {counted(number_new, 'new term')} in other files"
        return ""

    def _counted_terms(self, number: int) -> str:
        """Returns a number of earlier terms in words: `12 terms of 1.0`. If both releases have the
        same name, it is `12 published terms`."""
        earlier = self.earlier.name
        if earlier and earlier != self.later.name:
            return f"{counted(number, 'term')} of {earlier}"
        return counted(number, "published term")

    def _comparable_entries(self) -> Sequence[Entry]:
        """Returns the earlier entries that can be looked for in the later release. If some
        documents could not be read there, their entries are left out."""
        if not self.later.gaps:
            return self.earlier.entries
        names_read = self.later.names_read
        return [entry for entry in self.earlier.entries if entry.place.name in names_read]

    def _number_in_same_files(self) -> int:
        """Returns how many earlier entries have a later entry of the same name in the same file."""
        in_later = {_file_and_name(entry) for entry in self.later.entries}
        return sum(_file_and_name(entry) in in_later for entry in self.earlier.entries)

    def _names_in_new_files(self) -> set[str]:
        """Returns the new names in files that no published release had. If 1.0 had `docs/words.md`,
        and 2.0 also has `docs/other.md`, these are the names in `docs/other.md`."""
        if self.earlier.gaps:
            return set()  # the names in the gaps are not known, and would seem to be new
        earlier_files = {entry.place.name for entry in self.earlier.entries}
        later_files = {entry.place.name for entry in self.later.entries}
        if earlier_files.isdisjoint(later_files):
            return set()  # all files were moved
        published_files = set()
        for edition in self.course.editions.values():
            for document in self.course.archive.documents_of(edition):
                published_files.add(document.name)
        names = set()
        for entry in self.later.entries:
            if entry.place.name not in published_files:
                names.add(fold(entry.name))
        return names - _by_name(self.earlier.entries).keys()

    def _is_continued(self, entry: Entry) -> bool:
        """True if the later release, or another source, has an entry of the same name with similar
        words. Words are similar if both definitions have at least half of the words of the shorter
        one."""
        names = [fold(name.text) for name in entry.designations]
        for name in [*names]:
            names += self.course.renamed.get(name, ())
        words = Counter(words_of(entry.definition).keys)
        for name in names:
            candidates = (*self._later_entries.get(name, ()), *self.course.elsewhere.get(name, ()))
            for candidate in candidates:
                candidate_words = Counter(words_of(candidate.definition).keys)
                in_both = (words & candidate_words).total()
                in_shorter = min(words.total(), candidate_words.total())
                if 2 * in_both >= in_shorter:
                    return True
        return False


def _file_and_name(entry: Entry) -> tuple[str, str]:
    """Returns the file and the folded name of an entry."""
    return entry.place.name, fold(entry.name)
