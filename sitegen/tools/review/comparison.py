"""Compares the two sides of a change: the terms that it adds, rewords, renames or removes, release by release.

Two states of a source are compared by the same rules as two releases in a build. Possible renames that a build would
not recognise are reported as guesses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from sitegen.addresses.gate import Remedy
from sitegen.addresses.ledger import Ledger, lost
from sitegen.build.pipeline import assemble, remedies
from sitegen.config.parsing import Config
from sitegen.config.tables import SourceTable
from sitegen.config.toml import table
from sitegen.model import Entry, Release
from sitegen.model.terms import ChangeKind
from sitegen.site.site import Site
from sitegen.sources.reading import LoadedSource, loaded_source
from sitegen.sources.snapshots import RawSource
from sitegen.text.names import fold
from sitegen.tools.review.states import CommitSide, ReviewState
from sitegen.tools.suggestions import Suggestion, suggestions

BEFORE, AFTER = "before", "after"
"""The names of the two states, used as releases while they are compared."""

KINDS: tuple[ChangeKind, ...] = (
    "removed",
    "added",
    "renamed",
    "merged",
    "split",
    "reworded",
    "deprecated",
    "names-changed",
    "moved",
    "reformatted",
)
"""A changed term is listed under the first of these kinds that applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermChange:
    """The changes of one term."""

    name: str
    kinds: tuple[ChangeKind, ...]
    before: Entry | None
    after: Entry | None
    used_by: tuple[str, ...]
    """The names of the terms whose definitions refer to it."""
    addresses: tuple[str, ...]
    """Its published addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameGuess:
    """Two names that may belong to one term."""

    before: str
    after: str
    reason: str
    same: str
    """The table for site.toml if they do."""
    distinct: str
    """The table for site.toml if they do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePair:
    """Two states of a source to compare."""

    source: str
    before: ReviewState | None
    """None if the source is new."""
    after: ReviewState

    @property
    def is_new(self) -> bool:
        """True for a release that the change adds."""
        return self.before is None or self.before.release != self.after.release


@dataclass(frozen=True, slots=True, kw_only=True)
class StateComparison:
    """The differences between two states of a source."""

    title: str
    """The title of the source."""
    release: str
    previous: str
    is_new: bool
    items: tuple[TermChange, ...]
    guesses: tuple[RenameGuess, ...]
    unread: tuple[str, ...]
    """The files that could not be read. Their terms do not count as removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The effects of a change on a glossary."""

    comparisons: tuple[StateComparison, ...]
    withdrawn: tuple[tuple[str, str], ...]
    """The (source title, release) pairs that only the base has."""
    new: tuple[str, ...]
    """Titles of the sources that only the head has documents of."""
    deleted: tuple[str, ...]
    """Titles of the sources that only the base has documents of."""
    elsewhere: tuple[str, ...]
    """Titles of sources that are not in this repository and were not compared."""
    remedies: tuple[Remedy, ...]
    """Published addresses that would break."""
    forgotten: tuple[str, ...]
    """Published addresses that the ledger lacks after the change."""
    damage: str
    """The error of reading the ledger, or an empty string."""

    @property
    def breaks(self) -> bool:
        """True if a build would fail because of published addresses."""
        return bool(self.remedies or self.forgotten or self.damage)

    @property
    def fails(self) -> bool:
        """True if a glossary is deleted, or if a build would fail."""
        return self.breaks or bool(self.deleted)


def compare(base: CommitSide, head: CommitSide) -> Review:
    """Returns the differences from one side to the other."""
    titles = {source.id: source.title or source.id for source in (*base.config.sources, *head.config.sources)}
    former = head.config.former_ids
    known = {former.get(id, id): states for id, states in base.states.items()}
    pairs = {id: list(_pairs(id, known.get(id, ()), states)) for id, states in head.states.items()}
    had, has = _documented(known), _documented(head.states)
    return Review(
        new=tuple(titles[id] for id in head.states if id in has - had),
        deleted=tuple(titles[id] for id in known if id in had - has),
        comparisons=tuple(_comparisons(pairs, head, base.ledger, titles)),
        withdrawn=tuple(
            (titles[id], state.release)
            for id, states in known.items()
            for state in states
            if state.release not in {one.release for one in head.states.get(id, ())}
        ),
        elsewhere=head.elsewhere,
        remedies=_remedies(base, head),
        forgotten=() if head.damage else tuple(lost(head.ledger, base.ledger)),
        damage=head.damage,
    )


def _documented(states: Mapping[str, Sequence[ReviewState]]) -> set[str]:
    """Returns the ids of the sources that have a document, readable or not, in some state."""
    return {id for id, several in states.items() if any(state.documents or state.unread for state in several)}


def _pairs(source: str, before: Sequence[ReviewState], after: Sequence[ReviewState]) -> Iterator[StatePair]:
    """Yields each new release with the one before it, and each edited release with its earlier state."""
    known = {state.release: state for state in before}
    previous: ReviewState | None = None
    for state in after:
        was = known.get(state.release, previous)
        if was is None or was.release != state.release or was.files != state.files:
            yield StatePair(source=source, before=was, after=state)
        previous = state


def _comparisons(
    pairs: Mapping[str, list[StatePair]], head: CommitSide, ledger: Ledger, titles: Mapping[str, str]
) -> Iterator[StateComparison]:
    """Compares the newest states of all sources together, because terms of one may refer to those of another."""
    pages = _pages(ledger)
    for together in zip_longest(*(found[::-1] for found in pairs.values())):
        chosen = {pair.source: pair for pair in together if pair}
        site = assemble(_undated(head.config), tuple(_loaded_sources(chosen, head)), {})
        guessed = suggestions(site, renames=head.config.renames, verdicts=head.config.verdicts)
        for id, pair in chosen.items():
            yield StateComparison(
                title=titles[id],
                release=pair.after.release,
                previous=pair.before.release if pair.before else "",
                is_new=pair.is_new,
                items=tuple(_items(site, id, pages)),
                guesses=tuple(_guesses(guessed, pair)),
                unread=pair.after.unread,
            )


def _undated(config: Config) -> Config:
    """Returns the configuration without tables about single releases. Renames apply to every comparison."""
    return replace(
        config,
        releases=(),
        retired=(),
        mentions=(),
        renames=tuple(replace(one, release="") for one in config.renames),
    )


def _loaded_sources(chosen: Mapping[str, StatePair], head: CommitSide) -> Iterator[LoadedSource]:
    for one in head.config.sources:
        if states := head.states.get(one.id):
            pair = chosen.get(one.id) or StatePair(source=one.id, before=states[-1], after=states[-1])
            sides = {AFTER: pair.after} if pair.before is None else {BEFORE: pair.before, AFTER: pair.after}
            loaded = _loaded_source(one, sides, _undated(head.config))
            # All terms of a new source are new.
            yield replace(loaded, source=replace(loaded.source, complete=pair.before is None))


def _loaded_source(one: SourceTable, states: Mapping[str, ReviewState], config: Config) -> LoadedSource:
    raw = RawSource(
        releases=tuple(Release(name=name) for name in states),
        documents=tuple(
            replace(document, source=one.id, release=name)
            for name, state in states.items()
            for document in state.documents
        ),
        unread=tuple((name, missing) for name, state in states.items() for missing in state.unread),
    )
    return loaded_source(one, raw, config)


def _items(site: Site, source: str, pages: Pages) -> Iterator[TermChange]:
    used_by: dict[str, list[str]] = defaultdict(list)
    for user, used in site.see_also.items():
        for key in used:
            used_by[key].append(site.by_key[user].name)
    for life in site.lives:
        changes = {
            change.kind: change
            for change in life.changes
            if change.source == source and change.release == AFTER and change.kind in KINDS
        }
        if changes:
            kinds = tuple(kind for kind in KINDS if kind in changes)
            first = changes[kinds[0]]
            names = [entry.name for entry in (first.before, first.after) if entry]
            yield TermChange(
                name=names[-1],
                kinds=kinds,
                before=first.before,
                after=first.after,
                used_by=tuple(used_by[life.key]),
                addresses=tuple(sorted({address for name in names for address in pages[source, fold(name)]})),
            )


Pages = Mapping[tuple[str, str], Sequence[str]]
"""Maps a source and a folded name to the addresses of terms with that name, and the addresses replaced by them."""


def _pages(ledger: Ledger) -> Pages:
    pages: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in ledger.values():
        if row.kind == "term":
            pages[row.source, fold(row.name)].append(row.address)
            if row.successor in ledger:
                following = ledger[row.successor]
                pages[following.source, fold(following.name)].append(row.address)
    return pages


def _guesses(guessed: Iterable[Suggestion], pair: StatePair) -> Iterator[RenameGuess]:
    release = pair.after.release if pair.is_new else ""
    for one in guessed:
        if (one.before.citation.source, one.before.citation.release) == (pair.source, BEFORE):
            same = {"source": pair.source, "from": one.before.name, "to": one.after.name, "release": release}
            yield RenameGuess(
                before=one.before.name,
                after=one.after.name,
                reason=one.reason,
                same=table("[[rename]]", same),
                distinct=one.distinct,
            )


def _remedies(base: CommitSide, head: CommitSide) -> tuple[Remedy, ...]:
    """Returns the promises that a build would break, if all sources are in this repository."""
    tables = head.config.sources
    if not base.ledger or head.elsewhere or any(one.git for one in tables):
        return ()
    loaded_sources = [
        _loaded_source(one, {state.release: state for state in head.states[one.id]}, head.config) for one in tables
    ]
    site = assemble(head.config, loaded_sources, base.ledger)
    return remedies(site, head.config, loaded_sources, base.ledger) if site.lives else ()
