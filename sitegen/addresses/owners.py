"""Finds the owner of each ledger row: the term of a page, and the wording that a frozen page shows.

A row says which name a source had for a term, when, and in which words. Here this is looked up in what was read.
Where several terms match a row, `permalinks` chooses.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sitegen.addresses.ledger import LedgerRow, words_by_release
from sitegen.model import Entry
from sitegen.model.terms import Lane, Life, Term
from sitegen.text.names import fold
from sitegen.text.words import digest

KeysByName = Mapping[str, tuple[str, ...]]
"""The keys of the terms that ever had a name, by the folded name."""

KeyedEntry = tuple[str, Entry]
"""The key of a term, and an entry of it."""


NONE = (0, 0, 0)


class OwnerCandidate(NamedTuple):
    """A term for which a row may stand."""

    key: str
    has_words: bool
    """True if the term has the row's words; computed only where there are several candidates."""
    is_spelled_so: bool


def wording_of(entry: Entry) -> str:
    """Returns the ledger's value for an entry: a digest of its words, and a short digest of its name."""
    return f"{digest(entry.definition)} {_name_digest(fold(entry.name))}"


def _name_digest(name: str) -> str:
    return hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:6]


def keys_by_name(named: Iterable[tuple[str, str]]) -> KeysByName:
    """Maps each folded name to the keys of the terms that had it. Takes (folded name, key) pairs."""
    gathered: dict[str, list[str]] = defaultdict(list)
    for name, key in named:
        gathered[name].append(key)
    return {name: tuple(keys) for name, keys in gathered.items()}


def slug_of(address: str) -> str:
    """Returns the slug in an address that begins `/term/`."""
    return address.split("/")[2]


def promised_releases(row: LedgerRow) -> tuple[str, ...]:
    """Returns the releases of a term's source that its page promises words of: those with its name, or else all."""
    of_name = f" {_name_digest(fold(row.name))}"
    by_release = {
        release: wording
        for (source, release), wording in words_by_release(row.wordings).items()
        if source == row.source
    }
    named = tuple(release for release, wording in by_release.items() if wording.endswith(of_name))
    return named or tuple(by_release)


def candidates(row: LedgerRow, terms: Iterable[Term]) -> tuple[OwnerCandidate, ...]:
    """Returns the terms for which a row of the ledger may stand, among those that ever had its name.

    It is the term that the row's source called so at the row's first release. If that release is gone, it is the term
    that has most of the wordings that the row promises, or else its name at those releases. Otherwise it is a term
    with the same words under the same name, or with the name at the row's last release. A term that was published
    before its first release has no words to compare.
    """
    lanes = {term.key: term.lanes for term in terms}
    for called in (
        _called(row, row.source, row.first, lanes),
        _worded(row, lanes),
        (one for one in _ever_called(row, lanes) if digest(one[1].definition) == row.words),
        _called(row, row.source, row.last, lanes),
        _ever_called(row, lanes) if not row.first else (),
    ):
        if found := list(called):
            return tuple([_candidate(key, entry, row, is_alone=len(found) == 1) for key, entry in found])
    return ()


def wordings(
    rows: Iterable[LedgerRow], owners: Mapping[str, str], lives: Mapping[str, Life], keys: KeysByName
) -> Mapping[str, KeyedEntry]:
    """Maps each frozen page's address to the term and entry that it shows.

    That is an entry with the promised words, whichever term has it now; else the entry of the page's term at that
    release. `owners` are the keys of the terms that have the slugs, `lives` the terms by key.
    """
    found = {}
    for row in rows:
        key = owners.get(slug_of(row.address), "")
        entry = _entry(lives[key].term.lanes, row.source, row.first) if key in lives else None
        if entry is None or digest(entry.definition) != row.words:
            lanes = {other: lives[other].term.lanes for other in keys.get(fold(row.name), ())}
            named = _called(row, row.source, row.first, lanes)
            shown = next((one for one in named if digest(one[1].definition) == row.words), None)
            if shown:
                found[row.address] = shown
                continue
        if entry:
            found[row.address] = key, entry
    return found


def _candidate(key: str, entry: Entry, row: LedgerRow, *, is_alone: bool) -> OwnerCandidate:
    return OwnerCandidate(key, is_alone or digest(entry.definition) == row.words, is_alone or entry.name == row.name)


def _called(row: LedgerRow, source: str, release: str, lanes: Mapping[str, Iterable[Lane]]) -> Iterator[KeyedEntry]:
    """The entries that a source had under a row's name at a release."""
    called = fold(row.name)
    for key, of_term in lanes.items():
        entry = _entry(of_term, source, release)
        if entry and fold(entry.name) == called:
            yield key, entry


def _worded(row: LedgerRow, lanes: Mapping[str, Iterable[Lane]]) -> Iterator[KeyedEntry]:
    """The terms that kept most of what a row promises for single releases, each with its last such entry.

    The name in the row's own source counts more than wordings of other sources, which the page may have had for a
    time. A name counts where it was promised; in any release, if it was corrected since and no promise has it.
    """
    kept: dict[str, tuple[int, int, int]] = {}
    """Term key to how often the row's source has its name, how often the term has the promised wording, and how often
    it has the row's name.
    """
    entries: dict[str, Entry] = {}
    called, of_name = fold(row.name), f" {_name_digest(fold(row.name))}"
    is_corrected = not any(promised.endswith(of_name) for _, promised in row.wordings)
    for (source, release), promised in words_by_release(row.wordings).items():
        is_called = is_corrected or promised.endswith(of_name)
        for key, of_term in lanes.items():
            entry = _entry(of_term, source, release)
            is_named = entry is not None and is_called and fold(entry.name) == called
            if (
                entry
                and (found := (is_named and source == row.source, wording_of(entry) == promised, is_named)) > NONE
            ):
                own, worded, named = kept.get(key, NONE)
                kept[key], entries[key] = (own + found[0], worded + found[1], named + found[2]), entry
    most = max(kept.values(), default=None)
    return ((key, entries[key]) for key, found in kept.items() if found == most)


def _ever_called(row: LedgerRow, lanes: Mapping[str, Iterable[Lane]]) -> Iterator[KeyedEntry]:
    """The entries that a row's source ever had under its name."""
    called = fold(row.name)
    for key, of_term in lanes.items():
        steps = (step for lane in of_term if lane.source.id == row.source for step in lane.turned)
        for step in steps:
            if step.entry and fold(step.entry.name) == called:
                yield key, step.entry


def _entry(lanes: Iterable[Lane], source: str, release: str) -> Entry | None:
    """Returns the entry of a term in a release of a source."""
    for lane in lanes:
        if lane.source.id == source:
            return lane.at(release)
    return None
