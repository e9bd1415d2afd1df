"""Which term a reference means: by name in the same source first, by former names, by anchor, by plural.

A target is looked up exactly, then without regard to case, then by the stems of its words, where only one term can
be meant. A reference to nothing is reported once, where it stands last, and becomes plain text on the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from snowballstemmer import stemmer

from sitegen.model import Citation, Entry, Lane, Life, Problem, Term
from sitegen.names import MAX_NAMES, exact, fold

_ENGLISH = stemmer("english")
MAX_WORDS = 100_000
"""Words of names whose stems are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    targets: Mapping[tuple[str, str], str]
    """(source id, target) to term key; dangling ones are missing."""
    problems: tuple[Problem, ...]


def resolve_all(lives: Iterable[Life], resolver: Resolver) -> Resolved:
    """Returns what every reference of every entry means, and a problem for each that means nothing."""
    lives = tuple(lives)
    removed = {life.key: _removed_in(life) for life in lives if life.status == "removed"}
    targets: dict[tuple[str, str], str] = {}
    last: dict[tuple[str, str], tuple[Citation, bool]] = {}
    for life in lives:
        for lane in life.term.lanes:
            for entry, current in _wordings(lane):
                for reference in entry.definition.references:
                    last[lane.source.id, reference.target] = (entry.citation, current)
    for source, target in last:
        key = resolver.resolve(target, source=source)
        if key is not None:
            targets[source, target] = key
    problems = (
        _problem(target, citation, removed.get(targets.get((source, target), "")))
        for (source, target), (citation, current) in last.items()
        if (source, target) not in targets or (current and targets[source, target] in removed)
    )
    return Resolved(targets=targets, problems=tuple(sorted(problems)))


def _removed_in(life: Life) -> str:
    gone = [change.release for change in life.changes if change.kind == "removed"]
    return gone[-1] if gone else ""


def _wordings(lane: Lane) -> Iterator[tuple[Entry, bool]]:
    """What a source said, oldest first, as it stood last, and whether it stands now."""
    for past in (*lane.turns[1:], len(lane.steps)):
        if entry := lane.steps[past - 1].entry:
            yield entry, past == len(lane.steps)


def _problem(target: str, citation: Citation, removed_in: str | None) -> Problem:
    name = target.removeprefix("#")
    if removed_in is None:
        found, wanted = f"refers to “{name}”, which no source defines", "the name of a term, as it is defined"
    else:
        found = f"refers to “{name}”, which was removed" + (f" in {removed_in}" if removed_in else "")
        wanted = "the name of a term that is still defined"
    return Problem(path=citation.path, line=citation.line, found=found, wanted=wanted)


class Resolver:
    """Finds the term that a name, as written somewhere, means."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._names: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        """(source id or "", form of a name) to (rank, term key), lower ranks first."""
        self._anchors: dict[tuple[str, str], str] = {}
        self._stems: dict[tuple[str, str], set[str]] = defaultdict(set)
        for term in terms:
            for lane in term.lanes:
                self._enter(term.key, lane)

    def resolve(self, target: str, *, source: str = "") -> str | None:
        """Returns the key of the term that `target` means when it is read in `source`, or None."""
        if target.startswith("#"):
            return self._anchors.get((source, fold(target[1:])))
        for form in (exact(target), fold(target)):
            for scope in (source, ""):
                if found := self._names.get((scope, form)):
                    return min(found, key=lambda ranked: ranked[0])[1]
        for scope in (source, ""):
            keys = self._stems.get((scope, stems(target)), set())
            if len(keys) == 1:
                return next(iter(keys))
        return None

    def _enter(self, key: str, lane: Lane) -> None:
        newer: Entry | None = None
        for entry in (entry for number in reversed(lane.turns) if (entry := lane.steps[number].entry)):
            if newer and entry.designations == newer.designations and entry.anchors == newer.anchors:
                continue
            for place, designation in enumerate(entry.designations):
                # Current preferred names, then current other names, then names of the past.
                rank = 2 if newer else min(place, 1)
                self._enter_name(key, lane.source.id, designation.text, rank)
            for anchor in entry.anchors:
                self._anchors.setdefault((lane.source.id, fold(anchor)), key)
            newer = entry

    def _enter_name(self, key: str, source: str, name: str, rank: int) -> None:
        forms = dict.fromkeys((exact(name), fold(name)))
        for scope in (source, ""):
            for form in forms:
                if (rank, key) not in self._names[scope, form]:
                    self._names[scope, form].append((rank, key))
            self._stems[scope, stems(name)].add(key)


@lru_cache(maxsize=MAX_NAMES)
def stems(name: str) -> str:
    """Returns the English stems of a name's words: `Compound Operations` and `compound operation` are one."""
    return " ".join(map(_stem, fold(name).split()))


@lru_cache(maxsize=MAX_WORDS)
def _stem(word: str) -> str:
    return str(_ENGLISH.stemWord(word))
