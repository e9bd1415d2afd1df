"""Suggests pairs of terms that may be one term, with the evidence and the tables for site.toml that
decide it.

Within a source, entries that a release removes are compared with those that it adds: one with
similar words or a similar name may be the same term, renamed.
Between sources, names that differ only in a plural or an abbreviation may be one term. Pairs that
are decided in site.toml are left out. Suggestions do not change any page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from sitegen.config.tables import Rename, Verdict
from sitegen.config.toml import table_text
from sitegen.model import Entry
from sitegen.model.terms import Life
from sitegen.pipeline.rename_guesses import Guess, guesses, name_stem
from sitegen.site.site import Site
from sitegen.text import names
from sitegen.text.names import spelled_out

DecidedNames = tuple[str, set[str]]
"""The source and the folded names of a table of site.toml. An empty source means any source."""


class EntryOfTerm(NamedTuple):
    """An entry, with the key of its term."""

    key: str
    """The key of the term."""
    entry: Entry


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
        """True if one release of a source removed the first and added the second."""
        return self.before.place.source == self.after.place.source


def suggestions(
    site: Site, *, renames: Iterable[Rename] = (), verdicts: Iterable[Verdict] = ()
) -> tuple[Suggestion, ...]:
    """Returns the suggestions by source and release, the most similar first; those between sources
    come last.

    `renames` and `verdicts` are the tables that site.toml has already.
    """
    decided: list[DecidedNames] = []
    for rename in renames:
        decided.append((rename.source, {names.fold(rename.old), names.fold(rename.new)}))
    for verdict in verdicts:
        decided.append((verdict.source, {*map(names.fold, verdict.names)}))
    return (*_renames(site, decided), *_alike_terms(site, decided))


def _is_decided(
    first: Entry, second: Entry, sources: Collection[str], decided: Iterable[DecidedNames]
) -> bool:
    """True if a table about one of these sources has the names of both entries."""
    pair = {names.fold(first.name), names.fold(second.name)}
    for source, decided_names in decided:
        is_about_sources = source == "" or source in sources
        if is_about_sources and pair <= decided_names:
            return True
    return False


# Within a source: removed here, added there.


def _renames(site: Site, decided: Sequence[DecidedNames]) -> Iterator[Suggestion]:
    """Yields the possible renames of each release, without those that are decided."""
    changed_entries = _changed_entries(site)
    for source in site.sources:
        for release in source.releases:
            removed = changed_entries.get(("removed", source.id, release.name), ())
            added = changed_entries.get(("added", source.id, release.name), ())
            for guess in guesses(removed, added):
                number_removed, number_added = guess.pair
                before, after = removed[number_removed], added[number_added]
                if not _is_decided(before, after, [source.id], decided):
                    yield _about_rename(guess, before, after, release=release.name)


def _changed_entries(site: Site) -> Mapping[tuple[str, str, str], Sequence[Entry]]:
    """Returns the changed entries by (kind of change, source, release). A removed entry is the last
    one before the removal."""
    entries: dict[tuple[str, str, str], list[Entry]] = defaultdict(list)
    for life in site.lives:
        for change in life.changes:
            entry = change.before if change.kind == "removed" else change.after
            if entry:
                entries[change.kind, change.source, change.release].append(entry)
    return entries


def _about_rename(guess: Guess, before: Entry, after: Entry, *, release: str) -> Suggestion:
    """Returns the suggestion that a release of a source renamed an entry."""
    names = (before.name, after.name)
    return Suggestion(
        score=guess.score,
        reason=guess.reason,
        before=before,
        after=after,
        same=rename_table(before, after, release=release),
        distinct=table_text("[[distinct]]", {"names": names, "source": after.place.source}),
    )


def rename_table(before: Entry, after: Entry, *, release: str) -> str:
    """Returns the table for site.toml that says that a release renamed an entry. `release` is empty
    if it is not known which release did."""
    values = {"source": after.place.source, "from": before.name, "to": after.name}
    return table_text("[[rename]]", {**values, "release": release})


# Between sources: names with the same stem.


def _alike_terms(site: Site, decided: Sequence[DecidedNames]) -> Iterator[Suggestion]:
    """Yields the terms of different sources whose names differ only in an ending or an
    abbreviation."""
    if len(site.sources) < 2:
        return
    sources_of_term = {life.key: _sources_of(life) for life in site.lives}
    suggested: set[tuple[str, str]] = set()
    for entries in _last_entries_by_stem(site).values():
        for first, second in combinations(entries, 2):
            keys = first.key, second.key
            if keys in suggested:  # by another stem, or by entries of other sources
                continue
            first_sources = sources_of_term[first.key]
            second_sources = sources_of_term[second.key]
            if first_sources & second_sources:  # a source that has both tells them apart
                continue
            sources = first_sources | second_sources
            if not _is_decided(first.entry, second.entry, sources, decided):
                suggested.add(keys)
                yield _about_names(first.entry, second.entry)


def _sources_of(life: Life) -> frozenset[str]:
    """Returns the ids of the sources that have or had a term."""
    return frozenset(course.source.id for course in life.term.courses)


def _last_entries_by_stem(site: Site) -> Mapping[str, Sequence[EntryOfTerm]]:
    """Returns the newest entry of each term in each source, by the stems of its name. The entries
    of a stem are in the order of the sources."""
    entries_of_stem: dict[str, list[EntryOfTerm]] = defaultdict(list)
    for life in site.lives:
        for course in life.term.courses:
            last_entry = course.revisions[-1].latest
            for stem in _stems(last_entry.name):
                entries_of_stem[stem].append(EntryOfTerm(life.key, last_entry))
    number_of_source = {source.id: number for number, source in enumerate(site.sources)}
    for entries in entries_of_stem.values():
        entries.sort(key=lambda one: number_of_source[one.entry.place.source])
    return entries_of_stem


def _stems(name: str) -> list[str]:
    """Returns the stem of a name; of "Random-access memory (RAM)", also those of its long form and
    of its abbreviation."""
    stems_of_name = {name_stem(one) for one in (name, *spelled_out(name))}
    stems_of_name.discard("")  # a name of signs alone has no stem
    return sorted(stems_of_name)


def _about_names(first: Entry, second: Entry) -> Suggestion:
    """Returns the suggestion that entries of two sources are one term."""
    reason = "one of the names is short for the other"
    if name_stem(first.name) == name_stem(second.name):
        reason = "the names differ in an ending or a space"
    pair = {"names": (first.name, second.name)}
    return Suggestion(
        score=100,  # only guesses of renames differ in their score
        reason=reason,
        before=first,
        after=second,
        same=table_text("[[same]]", pair),
        distinct=table_text("[[distinct]]", pair),
    )
