"""Suggests pairs of terms that may be one term, with the evidence and the tables for site.toml that
decide it.

Within a source, entries that a release removes are compared with those that it adds or rewords: the
term may have been renamed, split or merged, by the words, the names, the place in the file, and the
terms that refer to it. Between sources, names that differ only in a plural or an abbreviation may
be one term. Pairs that are decided in site.toml are left out. Suggestions do not change any page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import NamedTuple

from sitegen.config.tables import Rename, Verdict
from sitegen.config.toml import table
from sitegen.history.likeness import DISTINCTIVE, IndexPair, as_letters, pairs
from sitegen.model import Entry, Release
from sitegen.site.site import Site
from sitegen.text import names
from sitegen.text.names import spelled_out, stems
from sitegen.text.words import fold, words_of

SIMILAR_WORDS = 60
"""The minimum similarity of definitions, of 100, for a suggestion."""
SIMILAR_NAMES = 85
"""The minimum similarity of names, of 100, for a suggestion."""
NAMES_THAT_DECIDE = 70
"""The minimum similarity of names, of 100, for entries whose definitions have the same few
words."""
PART = 80
"""The minimum share of a definition, of 100, that is also in another one, of which it may be a
part."""
MOST_BY_PLACE = 70
"""The highest score of entries whose words say nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    score: int
    """The similarity of the two entries, of 100."""
    reason: str
    before: Entry
    after: Entry
    """The newer entry, or that of the later source."""
    same: str
    """The table for site.toml if they are one term."""
    distinct: str
    """The table for site.toml if they are two."""

    @property
    def is_within_source(self) -> bool:
        """True if one was removed and the other added, in one release of a source."""
        return self.before.place.source == self.after.place.source


References = Mapping[tuple[str, str], str]
"""(source id, target of a reference) to the key of the term, as in `Site.references`."""


def suggestions(
    site: Site, *, renames: Iterable[Rename] = (), verdicts: Iterable[Verdict] = ()
) -> tuple[Suggestion, ...]:
    """Returns the suggestions by source and release, the most similar first; those between sources
    come last.

    `renames` and `verdicts` are the tables that site.toml has already.
    """
    decided = _Decided(renames, verdicts)
    return (*_renames(site, decided), *_shared(site, decided))


class _Decided:
    """The pairs of names about which site.toml decides."""

    def __init__(self, renames: Iterable[Rename], verdicts: Iterable[Verdict]) -> None:
        self._names: list[tuple[set[str], str]] = []
        """The folded names of each table, and its source, which is empty for every one."""
        for rename in renames:
            pair = {names.fold(rename.old), names.fold(rename.new)}
            self._names.append((pair, rename.source))
        for verdict in verdicts:
            self._names.append(({*map(names.fold, verdict.names)}, verdict.source))

    def has(self, first: Entry, second: Entry, sources: Collection[str]) -> bool:
        """True if site.toml decides about two entries in one of these sources."""
        pair = {names.fold(first.name), names.fold(second.name)}
        for decided_names, source in self._names:
            if pair <= decided_names and (not source or source in sources):
                return True
        return False


# Within a source: removed here, added there.


class _Found(NamedTuple):
    """An entry of a term that a release adds, removes or rewords."""

    key: str
    """The key of the term."""
    entry: Entry
    before: Entry | None
    """The entry before the release."""


@dataclass(frozen=True, slots=True)
class _Guess:
    """A possible rename, with the indexes of the removed and the added entry in their lists."""

    score: int
    names: int
    """The similarity of the names, of 100; 0 if they are less alike than `NAMES_THAT_DECIDE`."""
    before: int
    after: int
    reason: str


def _renames(site: Site, decided: _Decided) -> Iterator[Suggestion]:
    found = _found_by_change(site)
    for source in site.sources:
        for older, newer in pairwise(source.releases):
            removed = found.get(("removed", source.id, newer.name), ())
            added = found.get(("added", source.id, newer.name), ())
            others = [*added, *found.get(("reworded", source.id, newer.name), ())]
            guesses = [*_guesses(removed, added)]
            if removed and added:
                guesses += _by_place(removed, added, older, newer, site.references)
            best = [*_best_guesses(guesses)]
            known = {(guess.before, guess.after) for guess in best}
            parts = _by_parts(removed, others)
            best += [guess for guess in parts if (guess.before, guess.after) not in known]
            for guess in best:
                before, after = removed[guess.before].entry, others[guess.after].entry
                if not decided.has(before, after, [source.id]):
                    yield _rename(guess, before, after, source=source.id, release=newer.name)


def _found_by_change(site: Site) -> Mapping[tuple[str, str, str], Sequence[_Found]]:
    """Returns the entries that were changed, by the kind of change, the source and the release."""
    found: dict[tuple[str, str, str], list[_Found]] = defaultdict(list)
    for life in site.lives:
        for change in life.changes:
            entry = change.before if change.kind == "removed" else change.after
            if entry:
                place = (change.kind, change.source, change.release)
                found[place].append(_Found(life.key, entry, change.before))
    return found


def _rename(guess: _Guess, before: Entry, after: Entry, *, source: str, release: str) -> Suggestion:
    rename = {"source": source, "from": before.name, "to": after.name, "release": release}
    return Suggestion(
        score=guess.score,
        reason=guess.reason,
        before=before,
        after=after,
        same=table("[[rename]]", rename),
        distinct=table("[[distinct]]", {"names": (before.name, after.name), "source": source}),
    )


def _guesses(removed: Sequence[_Found], added: Sequence[_Found]) -> Iterator[_Guess]:
    """Yields the guesses by definitions and names, one for each kind of evidence."""
    if not removed or not added:
        return
    old, new = [one.entry for one in removed], [one.entry for one in added]
    alike = _alike_names(old, new)
    yield from _by_definition(old, new, alike)
    for pair, score in alike.items():
        if score >= SIMILAR_NAMES:
            yield _Guess(score, score, *pair, "the names are very similar")


def _alike_names(removed: Sequence[Entry], added: Sequence[Entry]) -> Mapping[IndexPair, int]:
    """Returns the similarity of the names that may be of one term; 100 for those with one stem."""
    old, new = [names.fold(one.name) for one in removed], [names.fold(one.name) for one in added]
    alike = pairs(old, new, at_least=NAMES_THAT_DECIDE)
    old_stems, new_stems = [_stem(one.name) for one in removed], [_stem(one.name) for one in added]
    for pair in pairs(old_stems, new_stems, at_least=100):
        alike[pair] = 100
    return alike


def _by_definition(
    removed: Sequence[Entry], added: Sequence[Entry], alike: Mapping[IndexPair, int]
) -> Iterator[_Guess]:
    """Yields the pairs whose definitions share most of their words, in order.

    Equal definitions are a guess if a build does not treat them as a rename: if they have few
    words, or if other entries have the same words.
    """
    alphabet: dict[str, int] = {}
    old = [as_letters(entry, alphabet) for entry in removed]
    new = [as_letters(entry, alphabet) for entry in added]
    same: dict[tuple[str, ...], list[IndexPair]] = defaultdict(list)
    for pair, score in pairs(old, new, at_least=SIMILAR_WORDS).items():
        before, after = removed[pair[0]], added[pair[1]]
        one, two = words_of(before.definition).keys, words_of(after.definition).keys
        if one == two:
            same[one].append(pair)
        elif min(len(one), len(two)) >= DISTINCTIVE:
            reason = f"{score}% of the words of their definitions are the same"
            yield _Guess(score, alike.get(pair, 0), *pair, reason)
    for words, group in same.items():
        why = "but few" if len(words) < DISTINCTIVE else "and other entries have them too"
        reason = f"their definitions have the same words, {why}"
        for pair in group:
            if len(group) == 1 or pair in alike:
                yield _Guess(100, alike.get(pair, 0), *pair, reason)


def _by_place(
    removed: Sequence[_Found],
    added: Sequence[_Found],
    older: Release,
    newer: Release,
    references: References,
) -> Iterator[_Guess]:
    """Yields the pairs that are between the same two terms, and to which the same terms refer.

    One of both is enough; but the place is only evidence where terms are not in alphabetical order.
    """
    old_order = [names.fold(entry.name) for entry in older.entries]
    new_order = [names.fold(entry.name) for entry in newer.entries]
    is_alphabetical = new_order == sorted(new_order)
    kept = {*old_order} & {*new_order}
    old_places, new_places = _places(older, old_order, kept), _places(newer, new_order, kept)
    old_uses, new_uses = _uses(older, references), _uses(newer, references)
    for (old, one), (new, other) in product(enumerate(removed), enumerate(added)):
        if not (as_letters(one.entry, {}) and as_letters(other.entry, {})):
            continue
        place = old_places.get(one.entry)
        is_there = place is not None and place == new_places.get(other.entry)
        users, new_users = old_uses.get(one.key, set()), new_uses.get(other.key, set())
        is_used = not users.isdisjoint(new_users)
        if is_there and is_used:
            reason = "they are in the same place, and the same terms refer to them"
            yield _Guess(MOST_BY_PLACE, 0, old, new, reason)
        elif is_there and not is_alphabetical:
            yield _Guess(50, 0, old, new, "they are in the same place")
        elif is_used and users & kept <= new_users:
            yield _Guess(50, 0, old, new, "the same terms refer to them")


def _places(
    release: Release, order: Sequence[str], kept: Collection[str]
) -> Mapping[Entry, tuple[str, str]]:
    """Returns the names before and after each entry that is alone between two terms that are kept,
    or at an end. `order` has the folded names of the entries."""
    places = {}
    for entry, one, other in zip(release.entries, ["", *order], [*order[1:], ""], strict=False):
        are_kept = (not one or one in kept) and (not other or other in kept)
        if are_kept and (one or other):
            places[entry] = one, other
    return places


def _uses(release: Release, references: References) -> Mapping[str, set[str]]:
    """Returns the folded names of the terms that refer to a term, by the key of that term."""
    uses: dict[str, set[str]] = defaultdict(set)
    for entry in release.entries:
        for reference in entry.definition.references:
            key = references.get((entry.place.source, reference.target), "")
            uses[key].add(names.fold(entry.name))
    return uses


def _by_parts(removed: Sequence[_Found], others: Sequence[_Found]) -> Iterator[_Guess]:
    """Yields the pairs of which one definition is a part of the other: a term was merged into
    another, or split."""
    for (old, one), (new, other) in product(enumerate(removed), enumerate(others)):
        phrases, theirs = _phrases(one.entry), _phrases(other.entry)
        small, large = len(phrases), len(theirs)
        if not other.before:
            small, large = sorted((small, large))
        known = _phrases(other.before) if other.before else set()
        shared = phrases & (theirs - known)
        score = 100 * len(shared) // (small or 1)
        if small >= DISTINCTIVE and score >= PART and 100 * small <= PART * large:
            reason = (
                f"{score}% of the shorter definition is a part of the other: it was merged "
                f"into it, or split off"
            )
            yield _Guess(score, 0, old, new, reason)


def _phrases(entry: Entry) -> set[tuple[str, str]]:
    """Returns each two words that follow each other in a definition."""
    return {*pairwise(words_of(entry.definition).keys)}


def _best_guesses(guesses: Iterable[_Guess]) -> Iterator[_Guess]:
    """Yields the best guesses, at most one for each entry."""
    before, after = set[int](), set[int]()
    for guess in sorted(guesses, key=_rank):
        if guess.before not in before and guess.after not in after:
            before.add(guess.before)
            after.add(guess.after)
            yield guess


def _rank(guess: _Guess) -> tuple[int, int, int, int]:
    return -guess.score, -guess.names, guess.before, guess.after


# Between sources: names with the same stem.


def _shared(site: Site, decided: _Decided) -> Iterator[Suggestion]:
    """Yields the terms of different sources whose names differ only in an ending or an
    abbreviation."""
    order = {source.id: number for number, source in enumerate(site.sources)}
    sources: dict[str, frozenset[str]] = {}
    by_form: dict[str, list[tuple[str, Entry]]] = defaultdict(list)
    for life in site.lives:
        sources[life.key] = frozenset(course.source.id for course in life.term.courses)
        for course in life.term.courses:
            last = course.revisions[-1].latest
            for form in _forms(last.name):
                by_form[form].append((life.key, last))
    suggested: set[tuple[str, str]] = set()
    for group in by_form.values():
        for pair in combinations(group, 2):
            (one, before), (two, after) = sorted(pair, key=lambda of: order[of[1].place.source])
            if sources[one] & sources[two] or (one, two) in suggested:
                continue
            if not decided.has(before, after, sources[one] | sources[two]):
                suggested.add((one, two))
                yield _same(before, after)


def _forms(name: str) -> list[str]:
    """Returns the stems of a name, and of what it is short for."""
    stems_of_name = {_stem(one) for one in (name, *spelled_out(name))}
    return sorted(stems_of_name - {""})


def _same(before: Entry, after: Entry) -> Suggestion:
    reason = "one of the names is short for the other"
    if _stem(before.name) == _stem(after.name):
        reason = "the names differ in an ending or a space"
    pair = {"names": (before.name, after.name)}
    return Suggestion(
        score=100,
        reason=reason,
        before=before,
        after=after,
        same=table("[[same]]", pair),
        distinct=table("[[distinct]]", pair),
    )


def _stem(name: str) -> str:
    """Returns a name without spaces, hyphens and its ending: `Data centers` and `data-center` are
    equal."""
    return stems(fold(name).replace(" ", ""))
