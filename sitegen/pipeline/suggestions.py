"""Suggests pairs of terms that may be one term, with the evidence and the tables for site.toml that
decide it.

Within a source, entries that a release removes are compared with those that it adds or rewords: the
term may have been renamed, split or merged, by the words, the names, the place in the file, and the
terms that refer to it. Between sources, names that differ only in a plural or an abbreviation may
be one term. Pairs that are decided in site.toml are left out. Suggestions do not change any page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import NamedTuple

from sitegen.config.tables import Rename, Verdict
from sitegen.config.toml import table
from sitegen.history.likeness import DISTINCTIVE, Pair, as_letters, pairs
from sitegen.model import Entry, Release, grouped
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
IsOpen = Callable[[Entry, Entry, Iterable[str]], bool]
"""Returns True unless site.toml decides about two entries in one of these sources."""


def suggestions(
    site: Site, *, renames: Iterable[Rename] = (), verdicts: Iterable[Verdict] = ()
) -> tuple[Suggestion, ...]:
    """Returns the suggestions by source and release, the most similar first; those between sources
    come last.

    `renames` and `verdicts` are the tables that site.toml has already.
    """
    decided = [
        ({names.fold(rename.old), names.fold(rename.new)}, rename.source) for rename in renames
    ]
    decided += [({*map(names.fold, verdict.names)}, verdict.source) for verdict in verdicts]

    def is_open(first: Entry, second: Entry, sources: Iterable[str]) -> bool:
        pair, places = {names.fold(first.name), names.fold(second.name)}, {"", *sources}
        return not any(
            source in places and pair <= decided_names for decided_names, source in decided
        )

    return (*_renames(site, is_open), *_shared(site, is_open))


# Within a source: removed here, added there.


def _renames(site: Site, is_open: IsOpen) -> Iterator[Suggestion]:
    changes = ((life.key, change) for life in site.lives for change in life.changes)
    found = grouped(
        ((str(change.kind), change.source, change.release), _Found(key, entry, change.before))
        for key, change in changes
        if (entry := change.before if change.kind == "removed" else change.after)
    )
    for source in site.sources:
        for older, newer in pairwise(source.releases):
            kinds = ("removed", "added", "reworded")
            removed, added, grown = (found.get((kind, source.id, newer.name), ()) for kind in kinds)
            guesses = [*_guesses([one.entry for one in removed], [one.entry for one in added])]
            if removed and added:
                guesses += _by_place(removed, added, older, newer, site.references)
            best = [*_best_guesses(guesses)]
            known = {(guess.before, guess.after) for guess in best}
            best += [
                one
                for one in _by_parts(removed, [*added, *grown])
                if (one.before, one.after) not in known
            ]
            for guess in best:
                before, after = removed[guess.before].entry, [*added, *grown][guess.after].entry
                if is_open(before, after, [source.id]):
                    yield _rename(guess, before, after, source=source.id, release=newer.name)


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


class _Found(NamedTuple):
    """An entry of a term that a release adds, removes or rewords."""

    key: str
    """The key of the term."""
    entry: Entry
    before: Entry | None = None
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


def _guesses(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[_Guess]:
    """Yields the guesses, one for each kind of evidence."""
    if not removed or not added:
        return
    folded = ([names.fold(entry.name) for entry in entries] for entries in (removed, added))
    joined = ([_stem(entry.name) for entry in entries] for entries in (removed, added))
    alike = pairs(*folded, at_least=NAMES_THAT_DECIDE) | dict.fromkeys(
        pairs(*joined, at_least=100), 100
    )
    yield from _by_definition(removed, added, alike)
    for pair, score in alike.items():
        if score >= SIMILAR_NAMES:
            yield _Guess(score, score, *pair, "the names are very similar")


def _by_definition(
    removed: Sequence[Entry], added: Sequence[Entry], alike: Mapping[Pair, int]
) -> Iterator[_Guess]:
    """Yields the pairs whose definitions share most of their words, in order.

    Equal definitions are a guess if a build does not treat them as a rename: if they have few
    words, or if other entries have the same words.
    """
    alphabet: dict[str, int] = {}
    definitions = (
        [as_letters(entry, alphabet) for entry in entries] for entries in (removed, added)
    )
    same: dict[tuple[str, ...], list[Pair]] = defaultdict(list)
    for pair, score in pairs(*definitions, at_least=SIMILAR_WORDS).items():
        one, two = (
            words_of(removed[pair[0]].definition).keys,
            words_of(added[pair[1]].definition).keys,
        )
        if one == two:
            same[one].append(pair)
        elif min(len(one), len(two)) >= DISTINCTIVE:
            reason = f"{score}% of the words of their definitions are the same"
            yield _Guess(score, alike.get(pair, 0), *pair, reason)
    for words, group in same.items():
        why = "but few" if len(words) < DISTINCTIVE else "and other entries have them too"
        for pair in group:
            if len(group) == 1 or pair in alike:
                yield _Guess(
                    100, alike.get(pair, 0), *pair, f"their definitions have the same words, {why}"
                )


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
    kept = frozenset.intersection(
        *(frozenset(names.fold(entry.name) for entry in one.entries) for one in (older, newer))
    )
    places = [_places(release, kept) for release in (older, newer)]
    uses = [_uses(release, references) for release in (older, newer)]
    order = [names.fold(entry.name) for entry in newer.entries]
    for (old, one), (new, other) in product(enumerate(removed), enumerate(added)):
        if not (as_letters(one.entry, {}) and as_letters(other.entry, {})):
            continue
        is_there = places[0].get(one.entry) is not None and places[0].get(one.entry) == places[
            1
        ].get(other.entry)
        used = uses[0][one.key] & uses[1][other.key]
        if is_there and used:
            yield _Guess(
                MOST_BY_PLACE,
                0,
                old,
                new,
                "they are in the same place, and the same terms refer to them",
            )
        elif is_there and order != sorted(order):
            yield _Guess(50, 0, old, new, "they are in the same place")
        elif used and uses[0][one.key] & kept <= uses[1][other.key]:
            yield _Guess(50, 0, old, new, "the same terms refer to them")


def _places(release: Release, kept: frozenset[str]) -> Mapping[Entry, tuple[str, str]]:
    """Returns the names before and after each entry that is alone between two terms that are kept,
    or at an end."""
    folded = ["", *(names.fold(entry.name) for entry in release.entries), ""]
    around = zip(release.entries, folded, folded[2:], strict=False)
    return {
        entry: (one, other)
        for entry, one, other in around
        if {one, other} <= {*kept, ""} and one + other
    }


def _uses(release: Release, references: References) -> Mapping[str, set[str]]:
    """Returns the folded names of the terms that refer to a term, by the key of that term."""
    uses: dict[str, set[str]] = defaultdict(set)
    for entry in release.entries:
        for reference in entry.definition.references:
            uses[references.get((entry.place.source, reference.target), "")].add(
                names.fold(entry.name)
            )
    return uses


def _by_parts(removed: Sequence[_Found], others: Sequence[_Found]) -> Iterator[_Guess]:
    """Yields the pairs of which one definition is a part of the other: a term was merged into
    another, or split."""
    for (old, one), (new, other) in product(enumerate(removed), enumerate(others)):
        entries = (one.entry, other.entry, other.before)
        # Each two words that follow each other in a definition.
        phrases, theirs, known = (
            {*pairwise(words_of(of.definition).keys)} if of else set() for of in entries
        )
        small, large = (
            (len(phrases), len(theirs)) if other.before else sorted((len(phrases), len(theirs)))
        )
        score = 100 * len(phrases & (theirs - known)) // (small or 1)
        if small >= DISTINCTIVE and score >= PART and 100 * small <= PART * large:
            reason = (
                f"{score}% of the shorter definition is a part of the other: it was merged "
                f"into it, or split off"
            )
            yield _Guess(score, 0, old, new, reason)


def _best_guesses(guesses: Iterable[_Guess]) -> Iterator[_Guess]:
    """Yields the best guesses, at most one for each entry."""
    before, after = set[int](), set[int]()
    for guess in sorted(
        guesses, key=lambda guess: (-guess.score, -guess.names, guess.before, guess.after)
    ):
        if guess.before not in before and guess.after not in after:
            before.add(guess.before)
            after.add(guess.after)
            yield guess


# Between sources: names with the same stem.


def _shared(site: Site, is_open: IsOpen) -> Iterator[Suggestion]:
    """Yields the terms of different sources whose names differ only in an ending or an
    abbreviation."""
    order = {source.id: number for number, source in enumerate(site.sources)}
    sources = {
        life.key: frozenset(course.source.id for course in life.term.courses) for life in site.lives
    }
    courses = ((life.key, course) for life in site.lives for course in life.term.courses)
    last = (
        (key, next(entry for entry in reversed(course.entries) if entry)) for key, course in courses
    )
    forms = ((one, {*map(_stem, (one[1].name, *spelled_out(one[1].name)))} - {""}) for one in last)
    by_form = grouped((form, one) for one, several in forms for form in sorted(several))
    suggested: set[tuple[str, str]] = set()
    for pair in (pair for group in by_form.values() for pair in combinations(group, 2)):
        (one, before), (two, after) = sorted(pair, key=lambda last: order[last[1].place.source])
        if sources[one] & sources[two] or (one, two) in suggested:
            continue
        if is_open(before, after, sources[one] | sources[two]):
            suggested.add((one, two))
            is_inflected = _stem(before.name) == _stem(after.name)
            yield Suggestion(
                score=100,
                reason="the names differ in an ending or a space"
                if is_inflected
                else "one of the names is short for the other",
                before=before,
                after=after,
                same=table("[[same]]", {"names": (before.name, after.name)}),
                distinct=table("[[distinct]]", {"names": (before.name, after.name)}),
            )


def _stem(name: str) -> str:
    """Returns a name without spaces, hyphens and its ending: `Data centers` and `data-center` are
    equal."""
    return stems(fold(name).replace(" ", ""))
