"""Suggests pairs of terms that may be one term, with the evidence and the tables for site.toml that decide it.

Within a source, entries that a release removes are compared with those that it adds: the term may have been renamed.
Between sources, names that differ only in a plural or an abbreviation may be one term. Pairs that are decided in
site.toml are left out. Suggestions do not change any page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from textwrap import shorten

from sitegen.config.toml import table
from sitegen.history.likeness import DISTINCTIVE, as_letters, pairs
from sitegen.model import Citation, Entry, Rename, Verdict
from sitegen.model.terms import Life
from sitegen.site.site import Site
from sitegen.text import names
from sitegen.text.names import stems
from sitegen.text.words import fold, words_of

SIMILAR_WORDS = 60
"""The minimum similarity of definitions, of 100, for a suggestion."""
SIMILAR_NAMES = 85
"""The minimum similarity of names, of 100, for a suggestion."""
NAMES_THAT_DECIDE = 70
"""The minimum similarity of names, of 100, for entries whose definitions have the same few words."""

SHOWN = 100
"""The number of characters of a definition that are shown."""

SourceRelease = tuple[str, str]
"""A source id and a release name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedEntry:
    """One of the two entries of a suggestion."""

    name: str
    citation: Citation
    words: str
    """The first words of its definition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    score: int
    """The similarity of the two entries, of 100."""
    reason: str
    before: SuggestedEntry
    after: SuggestedEntry
    """The newer entry, or that of the later source."""
    same: str
    """The table for site.toml if they are one term."""
    distinct: str
    """The table for site.toml if they are two."""


def suggestions(
    site: Site, *, renames: Iterable[Rename] = (), verdicts: Iterable[Verdict] = ()
) -> tuple[Suggestion, ...]:
    """Returns the suggestions by source and release, the most similar first; those between sources come last.

    `renames` and `verdicts` are the tables that site.toml has already.
    """
    decisions = _Decisions(tuple(renames), tuple(verdicts))
    return (*_renames(site, decisions), *_shared(site, decisions))


@dataclass(frozen=True, slots=True)
class _Decisions:
    """The decisions in site.toml."""

    renames: tuple[Rename, ...]
    verdicts: tuple[Verdict, ...]

    def settles(self, one: str, two: str, sources: Iterable[str]) -> bool:
        """Returns True if site.toml decides about these two names in one of these sources."""
        pair, places = {names.fold(one), names.fold(two)}, {"", *sources}
        named = [({rename.old, rename.new}, rename.source) for rename in self.renames]
        named += [({*verdict.names}, verdict.source) for verdict in self.verdicts]
        return any(source in places and pair <= set(map(names.fold, named_pair)) for named_pair, source in named)


# Within a source: removed here, added there.


@dataclass(frozen=True, slots=True)
class _Guess:
    """A possible rename, with the indexes of the removed and the added entry in their lists."""

    score: int
    names: int
    before: int
    after: int
    reason: str


def _renames(site: Site, decisions: _Decisions) -> Iterator[Suggestion]:
    removed, added = _removed_and_added(site)
    for source in site.sources:
        for release in source.releases:
            place = (source.id, release.name)
            for guess in _best_guesses(_guesses(removed[place], added[place])):
                before, after = removed[place][guess.before], added[place][guess.after]
                if not decisions.settles(before.name, after.name, [source.id]):
                    yield _rename(before, after, guess)


def _removed_and_added(site: Site) -> tuple[dict[SourceRelease, list[Entry]], dict[SourceRelease, list[Entry]]]:
    """Returns the entries that each release of a source removed and added, in order of name."""
    removed: dict[SourceRelease, list[Entry]] = defaultdict(list)
    added: dict[SourceRelease, list[Entry]] = defaultdict(list)
    for life in site.lives:
        for change in life.changes:
            if change.kind == "removed" and change.before:
                removed[change.source, change.release].append(change.before)
            elif change.kind == "added" and change.after:
                added[change.source, change.release].append(change.after)
    return removed, added


def _guesses(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[_Guess]:
    """Yields the guesses, one for each kind of evidence."""
    if removed and added:
        name_scores = _name_scores(removed, added)
        yield from _by_definition(removed, added, name_scores)
        yield from _by_name(name_scores)


_NameScores = dict[tuple[int, int], int]
"""Maps the indexes of two entries to the similarity of their names, of 100."""


def _name_scores(removed: Sequence[Entry], added: Sequence[Entry]) -> _NameScores:
    old, new = ([names.fold(entry.name) for entry in entries] for entries in (removed, added))
    found = pairs(old, new, at_least=NAMES_THAT_DECIDE)
    joined = ([_stem(entry.name) for entry in entries] for entries in (removed, added))
    return found | {pair: 100 for pair, score in pairs(*joined, at_least=100).items()}


def _by_name(name_scores: _NameScores) -> Iterator[_Guess]:
    for (before, after), score in name_scores.items():
        if score >= SIMILAR_NAMES:
            yield _Guess(score, score, before, after, "the names are much alike")


def _by_definition(removed: Sequence[Entry], added: Sequence[Entry], name_scores: _NameScores) -> Iterator[_Guess]:
    same: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for (before, after), score in _definition_scores(removed, added).items():
        one, two = (words_of(entry.definition).keys for entry in (removed[before], added[after]))
        if one == two:
            same[one].append((before, after))
        elif min(len(one), len(two)) >= DISTINCTIVE:
            reason = f"{score}% of the words of their definitions are the same"
            yield _Guess(score, name_scores.get((before, after), 0), before, after, reason)
    for words, group in same.items():
        yield from _by_same_words(words, group, name_scores)


def _by_same_words(
    words: tuple[str, ...], pairs: list[tuple[int, int]], name_scores: _NameScores
) -> Iterator[_Guess]:
    """Yields guesses for entries with the same words that a build does not treat as a rename."""
    few = len(words) < DISTINCTIVE
    reason = f"their definitions have the same words, {'but few' if few else 'and other entries have them too'}"
    for pair in pairs:
        if len(pairs) == 1 or pair in name_scores:
            yield _Guess(100, name_scores.get(pair, 0), *pair, reason)


def _definition_scores(removed: Sequence[Entry], added: Sequence[Entry]) -> dict[tuple[int, int], int]:
    """Returns the pairs of definitions that share most of their words, in order."""
    numbers: dict[str, int] = {}
    old, new = ([as_letters(entry, numbers) for entry in entries] for entries in (removed, added))
    return pairs(old, new, at_least=SIMILAR_WORDS)


def _best_guesses(guesses: Iterable[_Guess]) -> Iterator[_Guess]:
    """Yields the best guesses, at most one for each entry."""
    before, after = set[int](), set[int]()
    for guess in sorted(guesses, key=lambda guess: (-guess.score, -guess.names, guess.before, guess.after)):
        if guess.before not in before and guess.after not in after:
            before.add(guess.before)
            after.add(guess.after)
            yield guess


def _rename(before: Entry, after: Entry, guess: _Guess) -> Suggestion:
    source, release = after.citation.source, after.citation.release
    return Suggestion(
        score=guess.score,
        reason=guess.reason,
        before=_side(before),
        after=_side(after),
        same=table("[[rename]]", {"source": source, "from": before.name, "to": after.name, "release": release}),
        distinct=table("[[distinct]]", {"names": (before.name, after.name), "source": source}),
    )


# Between sources: names with the same stem.


def _shared(site: Site, decisions: _Decisions) -> Iterator[Suggestion]:
    """Yields the terms of different sources whose names differ only in an ending or an abbreviation."""
    order = {source.id: number for number, source in enumerate(site.sources)}
    sources = {life.key: frozenset(lane.source.id for lane in life.term.lanes) for life in site.lives}
    settled: set[tuple[str, str]] = set()
    for pair in _pairs_of_one_form(site.lives):
        (one, before), (two, after) = sorted(pair, key=lambda last: order[last[1].citation.source])
        apart = not sources[one] & sources[two] and (one, two) not in settled
        if apart and not decisions.settles(before.name, after.name, sources[one] | sources[two]):
            settled.add((one, two))
            yield _same(before, after)


_LastEntry = tuple[str, Entry]
"""A term's key and its last entry in one source."""


def _pairs_of_one_form(lives: Iterable[Life]) -> Iterator[tuple[_LastEntry, _LastEntry]]:
    """Yields each two entries of different terms that share a form of their names, in order of name."""
    by_form: dict[str, list[_LastEntry]] = defaultdict(list)
    for life in lives:
        for lane in life.term.lanes:
            entry = next(entry for entry in reversed(lane.entries) if entry)
            for form in sorted(_forms(entry.name)):
                by_form[form].append((life.key, entry))
    for group in by_form.values():
        yield from ((one, two) for one, two in combinations(group, 2) if one[0] != two[0])


_SPELLED_OUT = re.compile(r"(?P<one>[^()]+?)\s*\((?P<two>[^()]+)\)")


def _forms(name: str) -> set[str]:
    """Returns the forms of a name; `Convolutional Neural Network (CNN)` has its abbreviation as well."""
    parts = [name]
    match = _SPELLED_OUT.fullmatch(name)
    if match and (_is_short_for(match["two"], match["one"]) or _is_short_for(match["one"], match["two"])):
        parts += [match["one"], match["two"]]
    return {form for part in parts if (form := _stem(part))}


def _is_short_for(short: str, long: str) -> bool:
    initials = "".join(word[0] for word in fold(long).split())
    return len(initials) > 1 and fold(short).removesuffix("s") == initials


def _stem(name: str) -> str:
    """Returns a name without spaces, hyphens and its ending: `Data centers` and `data-center` are equal."""
    return stems(fold(name).replace(" ", ""))


def _same(before: Entry, after: Entry) -> Suggestion:
    ending = _stem(before.name) == _stem(after.name)
    pair = (before.name, after.name)
    return Suggestion(
        score=100,
        reason="the names differ in an ending or a space" if ending else "one of the names is short for the other",
        before=_side(before),
        after=_side(after),
        same=table("[[same]]", {"names": pair}),
        distinct=table("[[distinct]]", {"names": pair}),
    )


def _side(entry: Entry) -> SuggestedEntry:
    return SuggestedEntry(
        name=entry.name, citation=entry.citation, words=shorten(entry.definition.text, SHOWN, placeholder=" …")
    )
