"""Suggests pairs of terms that may be one term, with the evidence and the tables for site.toml that
decide it.

The entries that a release of a source removes are compared with those that it adds: one with
similar words or a similar name may be the same term, renamed. Pairs that are decided in site.toml
are left out. Suggestions do not change any page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sitegen.config.tables import Rename, Verdict
from sitegen.config.toml import table_text
from sitegen.model import Entry
from sitegen.pipeline.rename_guesses import Guess, guesses
from sitegen.site.site import Site
from sitegen.text import names

DecidedNames = tuple[str, set[str]]
"""The source and the folded names of a table of site.toml. An empty source means any source."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    score: int
    """The similarity of the two entries, of 100."""
    reason: str
    before: Entry
    """What a release of the source removed."""
    after: Entry
    """What it added."""
    same: str
    """The table for site.toml if they are one term."""
    distinct: str
    """The table for site.toml if they are two."""


def suggestions(
    site: Site, *, renames: Iterable[Rename] = (), verdicts: Iterable[Verdict] = ()
) -> tuple[Suggestion, ...]:
    """Returns the suggestions by source and release, the most similar first.

    `renames` and `verdicts` are the tables that site.toml has already.
    """
    decided: list[DecidedNames] = []
    for rename in renames:
        decided.append((rename.source, {names.fold(rename.old), names.fold(rename.new)}))
    for verdict in verdicts:
        decided.append((verdict.source, {*map(names.fold, verdict.names)}))
    return tuple(_renames(site, decided))


def _is_decided(before: Entry, after: Entry, decided: Iterable[DecidedNames]) -> bool:
    """True if a table about their source has the names of both entries."""
    pair = {names.fold(before.name), names.fold(after.name)}
    for source, decided_names in decided:
        if source in ("", before.place.source) and pair <= decided_names:
            return True
    return False


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
                if not _is_decided(before, after, decided):
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
