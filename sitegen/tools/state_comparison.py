"""Compares two states of each source of a glossary, by the same rules as two releases in a build.

Possible renames that a build would not apply are reported as guesses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.config.tables import SourceTable
from sitegen.model import Entry, Problem, ProblemKind, Release, Source, Trouble
from sitegen.model.terms import CHANGES, Change, ChangeKind, Life
from sitegen.permanence.archive import Archive
from sitegen.permanence.published_entries import references_of
from sitegen.pipeline.assembly import assemble
from sitegen.pipeline.suggestions import Suggestion, suggestions
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import parse_all
from sitegen.sources.reading import Glossaries, with_settings_of_releases
from sitegen.sources.release_documents import source_of
from sitegen.text.names import fold
from sitegen.tools.commit_reader import CommitSide

BEFORE, AFTER = "before", "after"
"""The names of the two states, used as releases while they are compared."""

AddressesByName = Mapping[tuple[str, str], Sequence[str]]
"""Maps a source and a folded name to the published addresses of terms with that name, also to
earlier addresses, which lead there."""


class StatePair(NamedTuple):
    """Two states of a source to compare."""

    before: Release | None
    """None if the source has no state before it."""
    after: Release

    @property
    def is_new(self) -> bool:
        """True if the later state is that of another release than the earlier one."""
        return self.before is None or self.before.name != self.after.name


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
class StateComparison:
    """The differences between two states of a source."""

    title: str
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
    """True if no term of the later state could be read, or if an unread file had terms in the
    earlier state."""


def comparisons(
    base_releases: Mapping[str, Sequence[Release]],
    head: CommitSide,
    archive: Archive,
    titles: Mapping[str, str],
) -> Iterator[StateComparison]:
    """Yields the comparisons of some sources, newest states first. `titles` maps the ids of these
    sources to their titles.

    The newest states of all sources are compared together, because terms of one source may refer to
    those of another; then the states before them, and so on.
    """
    addresses = _addresses_by_name(archive)
    remaining_pairs = {}
    for id in titles:
        remaining_pairs[id] = [*_state_pairs(base_releases.get(id, ()), head.releases[id])]
    config = _without_releases(head.config)
    while any(remaining_pairs.values()):
        newest_pairs = {}
        for id, pairs in remaining_pairs.items():
            if pairs:
                newest_pairs[id] = pairs.pop()
        site = assemble(config, _glossaries(newest_pairs, head, config), Archive())
        guesses = suggestions(site, head.config)
        for id, pair in newest_pairs.items():
            yield _comparison(site, id, pair, addresses, guesses, title=titles[id])


def _comparison(
    site: Site,
    source: str,
    states: StatePair,
    addresses: AddressesByName,
    guesses: Sequence[Suggestion],
    *,
    title: str,
) -> StateComparison:
    """Returns the differences between two states, which are the releases of a source in a site."""
    release = states.after.name
    terms = tuple(_term_changes(site, source, addresses))
    # A [[rename]] names the release that renames a term. An edit renames it within a release.
    renaming_release = release if states.is_new else ""
    return StateComparison(
        title=title,
        release=release,
        previous=states.before.name if states.before else "",
        is_new=states.is_new,
        terms=terms,
        guesses=tuple(_guesses_about(source, guesses, release=renaming_release)),
        unread=(
            *_unread_files(site, source, states.after),
            *_terms_kept_as_text(site, source, terms),
        ),
        hides_terms=_hides_terms(site, source),
    )


def _without_releases(config: Config) -> Config:
    """Returns the settings without tables about releases, and about published pages. Renames apply
    to every comparison."""
    renames = tuple(replace(rename, release="") for rename in config.renames)
    return replace(config, releases=(), retired=(), renames=renames)


def _unread_files(site: Site, source: str, state: Release) -> Iterator[Problem]:
    """Yields why the files of a later state could not be read."""
    documents = {document.name: document for document in parse_all(state.documents)}
    # The gaps of a release are the names of its files whose terms are unknown.
    for name in site.source(source).releases[-1].gaps:
        if name in state.unread:
            path = state.path(name)
            is_whole_release = name == ""
            if is_whole_release:
                path = state.label or "."
            yield state.unread[name].at(path)
        elif name in documents:
            reading = documents[name].reading
            if reading:
                yield from reading.problems[:1]  # the others follow from it in most files


def _terms_kept_as_text(site: Site, source: str, terms: Iterable[TermChange]) -> Iterator[Problem]:
    """Yields the terms that are still in the text of a file, but have no definition any more."""
    # The old name of a renamed term may well be in the text.
    old_names = {change.before.name for change in terms if change.before and change.after}
    for document in site.source(source).releases[-1].documents:
        for term in sorted(document.kept_as_text.difference(old_names)):
            found = f"“{term}” is in the text, but no longer as a term with its definition"
            yield Trouble(ProblemKind.ENTRY, found).at(document.path)


def _hides_terms(site: Site, source: str) -> bool:
    """Returns whether files that cannot be read hide terms: all terms of the later state, or those
    of a file that could be read in the earlier state."""
    *earlier_releases, later_release = site.source(source).releases
    unread_files = set(later_release.gaps)
    if not later_release.entries:
        return bool(unread_files)
    for earlier_release in earlier_releases:
        if unread_files.intersection(earlier_release.names_read):
            return True
    return False


def _state_pairs(before: Sequence[Release], after: Sequence[Release]) -> Iterator[StatePair]:
    """Yields the pairs to compare: each new release with the release before it, and each edited
    release with itself before the edit. Unchanged releases are left out."""
    by_release = {state.name: state for state in before}
    previous: Release | None = None
    for state in after:
        pair = StatePair(by_release.get(state.name, previous), state)
        is_edited = pair.before is not None and pair.before.files != state.files
        if pair.is_new or is_edited:
            yield pair
        previous = state


def _glossaries(chosen: Mapping[str, StatePair], head: CommitSide, config: Config) -> Glossaries:
    """Returns all sources of the head, each with two states as its releases: those of `chosen`.

    A source that `chosen` lacks gets its newest state twice, because the terms of other sources may
    refer to its terms.
    """
    sources = []
    for settings in head.config.sources:
        states = head.releases.get(settings.id)
        if not states:
            continue
        newest = states[-1]
        pair = chosen.get(settings.id, StatePair(newest, newest))
        releases = {AFTER: pair.after}
        if pair.before is not None:
            releases = {BEFORE: pair.before, AFTER: pair.after}
        source = source_with(settings, releases, config)
        # A source without an earlier state is new, and all its terms are added. Else the terms of
        # the earlier state may be older than that state.
        sources.append(replace(source, complete=pair.before is None))
    return Glossaries(sources=tuple(sources))


def source_with(settings: SourceTable, states: Mapping[str, Release], config: Config) -> Source:
    """Returns a source with these states as its releases. The keys of `states` are the new names of
    the releases."""
    releases = []
    for name, state in states.items():
        documents = []
        for document in state.documents:
            documents.append(replace(document, source=settings.id, release=name))
        releases.append(Release(name=name, documents=tuple(documents), unread=state.unread))
    source = replace(source_of(settings), releases=tuple(releases))
    return with_settings_of_releases(source, settings, config)


def _term_changes(
    site: Site, source: str, addresses_by_name: AddressesByName
) -> Iterator[TermChange]:
    """Yields the changes of each term between the two states of a source. Terms without a change
    are left out."""
    used_by: dict[str, list[str]] = defaultdict(list)
    for user, used_terms in site.linked_terms.items():
        for used in used_terms:
            used_by[used].append(site.by_key[user].name)
    for life in site.lives:
        changes = _reported_changes(life, source)
        if not changes:
            continue
        main_change = changes[0]
        before, after = main_change.before, main_change.after
        addresses: set[str] = set()
        for entry in (before, after):
            if entry:
                addresses.update(addresses_by_name.get((source, fold(entry.name)), ()))
        yield TermChange(
            name=main_change.entry.name,
            kinds=tuple(change.kind for change in changes),
            before=before,
            after=after,
            used_by=tuple(used_by[life.key]),
            addresses=tuple(sorted(addresses)),
        )


def _reported_changes(life: Life, source: str) -> Sequence[Change]:
    """Returns the changes of a term in the later state, one of each kind, by rank. Kinds without a
    heading are not reported."""
    by_kind = {}
    for course in life.courses:
        if course.source.id == source:
            by_kind = {change.kind: change for change in course.changes_at(AFTER)}
    ranked = sorted(by_kind.values(), key=lambda change: CHANGES[change.kind].rank)
    return [change for change in ranked if CHANGES[change.kind].heading]


def _addresses_by_name(archive: Archive) -> AddressesByName:
    """Returns the published addresses of terms by their names."""
    addresses: dict[tuple[str, str], list[str]] = defaultdict(list)
    for address, page in archive.by_address.items():
        if not urls.is_of_term(address):
            continue
        for entry in references_of(page, archive):
            key = (archive.present_id(entry.source), fold(entry.name))
            addresses[key].append(urls.with_slash(address))
    return addresses


def _guesses_about(
    source: str, guesses: Sequence[Suggestion], *, release: str
) -> Iterator[Suggestion]:
    """Yields the possible renames of a source, with tables that name `release` instead of
    `AFTER`."""
    for guess in guesses:
        if guess.before.place.source == source:
            yield replace(guess, release=release)
