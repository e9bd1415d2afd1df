"""Guesses about who is who that are too weak to act on: each with what speaks for it, and the lines that settle it.

Within a source, what one release no longer has is held against what it has anew: perhaps a term was renamed. Between
sources, names that are the same but for a plural or an abbreviation are perhaps one term. What a person has said
already is not asked again, and nothing here changes any page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from textwrap import shorten

from rapidfuzz import fuzz, process

from sitegen.config.toml_text import table
from sitegen.history import relations
from sitegen.history.matching import DISTINCTIVE
from sitegen.history.references import stems
from sitegen.model import Citation, Entry, Rename, Verdict
from sitegen.model.terms import Life
from sitegen.site.site import Site
from sitegen.text import names
from sitegen.text.words import fold, words_of

SIMILAR_WORDS = 60
"""Of 100: definitions at least so much alike are worth a question."""
SIMILAR_NAMES = 85
"""Of 100: the same for names, letter by letter."""
NAMES_THAT_DECIDE = 70
"""Of 100: where several definitions have the same few words, only names so much alike are worth one."""

COMPARED = 1_000
"""Words of a definition that are compared: a longer one shows soon enough what it is."""
SHOWN = 100
"""Characters of a definition that are shown."""

Place = tuple[str, str]
"""(source id, release name)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two entries that may belong to one term."""

    name: str
    citation: Citation
    words: str
    """The first ones of its definition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    score: int
    """How much alike the two are in what speaks for the guess, of 100."""
    reason: str
    before: Side
    after: Side
    """The newer entry, or that of the later source."""
    same: str
    """What to paste into site.toml if it is one term."""
    distinct: str
    """What to paste if it is two."""


def suggestions(
    site: Site, *, renames: Iterable[Rename] = (), verdicts: Iterable[Verdict] = ()
) -> tuple[Suggestion, ...]:
    """Returns the guesses, by source and release, the likeliest first; those between sources come last.

    `renames` and `verdicts` are what site.toml says already.
    """
    said = _Said(tuple(renames), tuple(verdicts))
    return (*_renames(site, said), *_shared(site, said))


@dataclass(frozen=True, slots=True)
class _Said:
    """What a person has said."""

    renames: tuple[Rename, ...]
    verdicts: tuple[Verdict, ...]

    def settles(self, one: str, two: str, sources: Iterable[str]) -> bool:
        """True where it was said of these names, in one of these sources, who is who."""
        pair, places = {names.fold(one), names.fold(two)}, {"", *sources}
        named = [({rename.old, rename.new}, rename.source) for rename in self.renames]
        named += [({*verdict.names}, verdict.source) for verdict in self.verdicts]
        return any(source in places and pair <= set(map(names.fold, said)) for said, source in named)


# Within a source: removed here, added there.


@dataclass(frozen=True, slots=True)
class _Guess:
    """That an entry of before goes on as one of after, with numbers of both in their lists."""

    score: int
    names: int
    before: int
    after: int
    reason: str


def _renames(site: Site, said: _Said) -> Iterator[Suggestion]:
    gone, come = _removed_and_added(site)
    for source in site.sources:
        for release in source.releases:
            place = (source.id, release.name)
            for guess in _one_for_each(_guesses(gone[place], come[place])):
                before, after = gone[place][guess.before], come[place][guess.after]
                if not said.settles(before.name, after.name, [source.id]):
                    yield _rename(before, after, guess)


def _removed_and_added(site: Site) -> tuple[dict[Place, list[Entry]], dict[Place, list[Entry]]]:
    """What each release of a source removed, and what it added, in order of name."""
    gone: dict[Place, list[Entry]] = defaultdict(list)
    come: dict[Place, list[Entry]] = defaultdict(list)
    for life in site.lives:
        for change in life.changes:
            if change.kind == "removed" and change.before:
                gone[change.source, change.release].append(change.before)
            elif change.kind == "added" and change.after:
                come[change.source, change.release].append(change.after)
    return gone, come


def _guesses(gone: Sequence[Entry], come: Sequence[Entry]) -> Iterator[_Guess]:
    """What speaks for one entry being another, each thing for itself."""
    if gone and come:
        alike = _names_alike(gone, come)
        yield from _by_definition(gone, come, alike)
        yield from _by_name(alike)


_Alike = dict[tuple[int, int], int]
"""How much alike the names of two entries are, by their numbers, of 100."""


def _names_alike(gone: Sequence[Entry], come: Sequence[Entry]) -> _Alike:
    old, new = ([names.fold(entry.name) for entry in entries] for entries in (gone, come))
    found = _pairs(old, new, at_least=NAMES_THAT_DECIDE)
    joined = ([_stem(entry.name) for entry in entries] for entries in (gone, come))
    return found | {pair: 100 for pair, score in _pairs(*joined, at_least=100).items()}


def _by_name(alike: _Alike) -> Iterator[_Guess]:
    for (before, after), score in alike.items():
        if score >= SIMILAR_NAMES:
            yield _Guess(score, score, before, after, "the names are much alike")


def _by_definition(gone: Sequence[Entry], come: Sequence[Entry], alike: _Alike) -> Iterator[_Guess]:
    same: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for (before, after), score in _definitions_alike(gone, come).items():
        one, two = (words_of(entry.definition).keys for entry in (gone[before], come[after]))
        if one == two:
            same[one].append((before, after))
        elif min(len(one), len(two)) >= DISTINCTIVE:
            reason = f"{score}% of the words of their definitions are the same"
            yield _Guess(score, alike.get((before, after), 0), before, after, reason)
    for words, pairs in same.items():
        yield from _by_same_words(words, pairs, alike)


def _by_same_words(words: tuple[str, ...], pairs: list[tuple[int, int]], alike: _Alike) -> Iterator[_Guess]:
    """The same words, which for some reason were not proof enough."""
    few = len(words) < DISTINCTIVE
    reason = f"their definitions have the same words, {'but few' if few else 'and other entries have them too'}"
    for pair in pairs:
        if len(pairs) == 1 or pair in alike:
            yield _Guess(100, alike.get(pair, 0), *pair, reason)


def _definitions_alike(gone: Sequence[Entry], come: Sequence[Entry]) -> dict[tuple[int, int], int]:
    """Pairs of definitions that have most of their words, in order, in common."""
    numbers: dict[str, int] = {}
    old, new = ([_as_letters(entry, numbers) for entry in entries] for entries in (gone, come))
    return _pairs(old, new, at_least=SIMILAR_WORDS)


def _as_letters(entry: Entry, numbers: dict[str, int]) -> str:
    """A definition with one character for each of its words: texts of characters are compared fastest."""
    if relations.synonym_of(entry.definition) is not None:
        return ""  # "See X" says nothing about its own term
    words = words_of(entry.definition).keys[:COMPARED]
    return "".join(chr(0xE000 + numbers.setdefault(word, len(numbers)) % 1_000_000) for word in words)


def _pairs(old: Sequence[str], new: Sequence[str], *, at_least: int) -> dict[tuple[int, int], int]:
    """How much alike two texts are, of 100, by their numbers, for those that are so at all and not empty."""
    return {
        (before, after): int(score)
        for before, text in enumerate(old)
        if text
        for _, score, after in process.extract(text, new, scorer=fuzz.ratio, score_cutoff=at_least, limit=None)
    }


def _one_for_each(guesses: Iterable[_Guess]) -> Iterator[_Guess]:
    """The likeliest guesses, of which no two are about the same entry."""
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


# Between sources: names that come to the same.


def _shared(site: Site, said: _Said) -> Iterator[Suggestion]:
    """Terms of different sources whose names are the same but for an ending or an abbreviation."""
    order = {source.id: number for number, source in enumerate(site.sources)}
    sources = {life.key: frozenset(lane.source.id for lane in life.term.lanes) for life in site.lives}
    settled: set[tuple[str, str]] = set()
    for pair in _of_one_form(site.lives):
        (one, before), (two, after) = sorted(pair, key=lambda held: order[held[1].citation.source])
        apart = not sources[one] & sources[two] and (one, two) not in settled
        if apart and not said.settles(before.name, after.name, sources[one] | sources[two]):
            settled.add((one, two))
            yield _same(before, after)


_Held = tuple[str, Entry]
"""A term's key, and its last entry in one source."""


def _of_one_form(lives: Iterable[Life]) -> Iterator[tuple[_Held, _Held]]:
    """Every two entries of different terms that share a form of their names, in order of name."""
    gathered: dict[str, list[_Held]] = defaultdict(list)
    for life in lives:
        for lane in life.term.lanes:
            entry = next(entry for entry in reversed(lane.entries) if entry)
            for form in sorted(_forms(entry.name)):
                gathered[form].append((life.key, entry))
    for together in gathered.values():
        yield from ((one, two) for one, two in combinations(together, 2) if one[0] != two[0])


_SPELLED_OUT = re.compile(r"(?P<one>[^()]+?)\s*\((?P<two>[^()]+)\)")


def _forms(name: str) -> set[str]:
    """What a name comes to; `Convolutional Neural Network (CNN)` comes to its abbreviation too."""
    parts = [name]
    match = _SPELLED_OUT.fullmatch(name)
    if match and (_is_short_for(match["two"], match["one"]) or _is_short_for(match["one"], match["two"])):
        parts += [match["one"], match["two"]]
    return {form for part in parts if (form := _stem(part))}


def _is_short_for(short: str, long: str) -> bool:
    initials = "".join(word[0] for word in fold(long).split())
    return len(initials) > 1 and fold(short).removesuffix("s") == initials


def _stem(name: str) -> str:
    """A name without spaces and hyphens, and without its ending: `Data centers` and `data-center` are one."""
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


def _side(entry: Entry) -> Side:
    return Side(
        name=entry.name, citation=entry.citation, words=shorten(entry.definition.text, SHOWN, placeholder=" …")
    )
