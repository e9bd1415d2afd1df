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
from sitegen.model import (
    Document,
    Entry,
    Problem,
    ProblemKind,
    Release,
    Source,
    Trouble,
)
from sitegen.model.terms import CHANGES, Change, ChangeKind, Life
from sitegen.permanence.archive import Archive
from sitegen.permanence.published_entries import references_of
from sitegen.pipeline.assembly import assemble
from sitegen.pipeline.suggestions import Suggestion, rename_table, suggestions
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import parse_all
from sitegen.sources.reading import Glossaries, with_settings_of_releases
from sitegen.sources.release_documents import source_of, with_releases
from sitegen.text.names import fold
from sitegen.tools.commit_reader import CommitSide

BEFORE, AFTER = "before", "after"
"""The names of the two states, used as releases while they are compared."""

Pages = Mapping[tuple[str, str], Sequence[str]]
"""Maps a source and a folded name to the addresses of terms with that name, and the addresses
replaced by them."""


class StatePair(NamedTuple):
    """Two states of a source to compare."""

    before: Release | None
    """None if the source has no state before it."""
    after: Release

    @property
    def is_new(self) -> bool:
        """True if the later state is that of another release than the earlier one."""
        return self.before is None or self.before.name != self.after.name


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
    """True if a file with terms in the earlier state is among them, or no term of the later state
    could be read."""


def comparisons(
    base_releases: Mapping[str, Sequence[Release]],
    head: CommitSide,
    archive: Archive,
    titles: Mapping[str, str],
) -> Iterator[StateComparison]:
    """Yields the comparisons of the sources with these titles, by their ids, newest states first.

    The newest states of all sources are compared together, because terms of one may refer to those
    of another; then those before them.
    """
    pages = _pages(archive)
    pairs_of = {}
    for id in titles:
        pairs_of[id] = [*_state_pairs(base_releases.get(id, ()), head.releases[id])]
    config = _of_two_states(head.config)
    while any(pairs_of.values()):
        chosen = {}
        for id, pairs in pairs_of.items():
            if pairs:
                chosen[id] = pairs.pop()  # the newest one that is left
        site = assemble(config, _glossaries(chosen, head, config), Archive())
        guesses = suggestions(site, renames=head.config.renames, verdicts=head.config.verdicts)
        for id, pair in chosen.items():
            yield _comparison(site, id, pair, pages, guesses, title=titles[id])


def _comparison(
    site: Site,
    source: str,
    states: StatePair,
    pages: Pages,
    guesses: Sequence[Suggestion],
    *,
    title: str,
) -> StateComparison:
    """Returns the differences between two states, which are the releases of a source in a site."""
    release = states.after.name
    terms = tuple(_term_changes(site, source, pages))
    # A [[rename]] names the release that renames a term. If a release was edited, none does.
    renaming = release if states.is_new else ""
    return StateComparison(
        title=title,
        release=release,
        previous=states.before.name if states.before else "",
        is_new=states.is_new,
        terms=terms,
        guesses=tuple(_with_release(guesses, source, renaming)),
        unread=tuple(_unread(site, source, states.after, terms)),
        hides_terms=_hides_terms(site, source),
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
    release = site.source(source).releases[-1]
    documents = {document.name: document for document in parse_all(state.documents)}
    for name in release.gaps:
        if name in state.unread:
            is_whole_release = name == ""
            path = (state.label or ".") if is_whole_release else state.path(name)
            yield state.unread[name].at(path)
        elif name in documents:
            yield from _problems_of(documents[name])[:1]
    renamed = {one.before.name for one in terms if one.before and one.after}
    for document in release.documents:
        for term in sorted(document.kept_as_text.difference(renamed)):
            found = f"“{term}” is in the text, but no longer as a term with its definition"
            yield Trouble(ProblemKind.ENTRY, found).at(document.path)


def _problems_of(document: Document) -> Sequence[Problem]:
    """Returns the problems that were found in a document."""
    return document.reading.problems if document.reading else ()


def _hides_terms(site: Site, source: str) -> bool:
    """True if a file with terms in the earlier state cannot be read, or no term of the later state
    can."""
    *earlier, release = site.source(source).releases
    if not release.entries:
        return bool(release.gaps)
    return any({*release.gaps} & {*one.names_read} for one in earlier)


def _state_pairs(before: Sequence[Release], after: Sequence[Release]) -> Iterator[StatePair]:
    """Yields each new release with the one before it, and each edited release with its earlier
    state."""
    by_release = {state.name: state for state in before}
    previous: Release | None = None
    for state in after:
        pair = StatePair(by_release.get(state.name, previous), state)
        is_edited = pair.before is not None and pair.before.files != state.files
        if pair.is_new or is_edited:
            yield pair
        previous = state


def _glossaries(chosen: Mapping[str, StatePair], head: CommitSide, config: Config) -> Glossaries:
    """Returns all sources of the head, each with the two states to compare as its releases.

    A source without states to compare has its newest one twice: terms of others may refer to it.
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
        # The first release of a new source adds its terms; terms of others may be older.
        sources.append(replace(source, complete=pair.before is None))
    return Glossaries(sources=tuple(sources))


def source_with(settings: SourceTable, states: Mapping[str, Release], config: Config) -> Source:
    """Returns a source whose releases are these states, by their new names."""
    releases = []
    for name, state in states.items():
        documents = []
        for document in state.documents:
            documents.append(replace(document, source=settings.id, release=name))
        releases.append(Release(name=name, documents=tuple(documents), unread=state.unread))
    source = with_releases(source_of(settings), releases)
    return with_settings_of_releases(source, settings, config)


def _term_changes(site: Site, source: str, pages: Pages) -> Iterator[TermChange]:
    """Yields what the later state of a source changes of each term."""
    used_by: dict[str, list[str]] = defaultdict(list)
    for user, several in site.see_also.items():
        for used in several:
            used_by[used].append(site.by_key[user].name)
    for life in site.lives:
        changes = _changes(life, source)
        if not changes:
            continue
        before, after = changes[0].before, changes[0].after
        addresses: set[str] = set()
        for entry in (before, after):
            if entry:
                addresses.update(pages.get((source, fold(entry.name)), ()))
        yield TermChange(
            name=changes[0].entry.name,
            kinds=tuple(change.kind for change in changes),
            before=before,
            after=after,
            used_by=tuple(used_by[life.key]),
            addresses=tuple(sorted(addresses)),
        )


def _changes(life: Life, source: str) -> Sequence[Change]:
    """Returns the changes of a term in the later state, one of each kind, by rank."""
    changes = {}
    for course in life.term.courses:
        if course.source.id == source:
            changes = {change.kind: change for change in course.changes_at(AFTER)}
    ranked = sorted(changes.values(), key=lambda change: CHANGES[change.kind].rank)
    return [change for change in ranked if CHANGES[change.kind].heading]


def _pages(archive: Archive) -> Pages:
    """Returns the published addresses of terms by their names."""
    pages: dict[tuple[str, str], list[str]] = defaultdict(list)
    for address, lines in archive.by_address.items():
        for entry in references_of(lines):
            if urls.is_of_term(address):
                pages[archive.present_id(entry.source), fold(entry.name)].append(
                    urls.with_slash(address)
                )
    return pages


def _with_release(guesses: Sequence[Suggestion], source: str, release: str) -> Iterator[Suggestion]:
    """Yields the possible renames of a source. Their tables name the compared release, not
    `AFTER`."""
    for guess in guesses:
        if guess.is_within_source and guess.before.place.source == source:
            yield replace(guess, same=rename_table(guess.before, guess.after, release=release))
