"""The names of a glossary.json: which term has or had one.

A name finds its term as the references of definitions do: as it is spelled, in any case, then by
the stems of its words if these belong to one term.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from sitegen.model import grouped
from sitegen.text.names import exact, fold, spelled_out, stems

Json = Mapping[str, Any]
MatchKind = Literal["preferred", "other case", "plural", "synonym", "former", "avoided"]
KINDS: Mapping[str, MatchKind] = {
    "preferred": "preferred",
    "admitted": "synonym",
    "deprecated": "avoided",
}
"""The kind of a match by the status of the name."""

DEFINED = frozenset({"current", "deprecated", "unread"})
"""The statuses of a term that some source defines."""


class Holder(NamedTuple):
    """A term, by its number, with one of its names."""

    rank: int
    """0 for a preferred name, 1 for another, 2 for a former one, and 3 more if the term is not
    defined any more."""
    number: int
    name: str
    kind: MatchKind


class NameIndex:
    """Finds who has a name."""

    def __init__(self, rows: Sequence[Json], *, language: str) -> None:
        """`rows` are the `terms` of a glossary.json; `language` is that of their names, without a
        region."""
        self._rows = rows
        self._language = language

    def find(self, name: str) -> Holder | None:
        """Returns the term that has or had a name, in any case or in the plural, with the kind of
        the match; or None.

        Names in force come before former ones and those of removed terms. A plural that may belong
        to several terms finds none.
        """
        wanted, (by_key, by_stem) = exact(name), self._by_name
        if holders := by_key.get(fold(name)):
            found = min(holders, key=lambda one: (one.rank > 1, one.name != wanted, one.rank))
            is_spelled_otherwise = found.kind == "preferred" and found.name != wanted
            return found._replace(kind="other case") if is_spelled_otherwise else found
        alike = by_stem.get(stems(name, self._language), ())
        for several in ([one for one in alike if one.rank < 2], alike):
            if len({one.number for one in several}) == 1:
                found = min(several)
                return (
                    found._replace(kind="plural")
                    if found.rank < 2 and found.kind != "avoided"
                    else found
                )
        return None

    def keyed(self, name: str) -> Json:
        """Returns the keys of a name that the data do not have."""
        return {"key": fold(name), "stem": stems(name, self._language)}

    @cached_property
    def _by_name(self) -> tuple[Mapping[str, Sequence[Holder]], Mapping[str, Sequence[Holder]]]:
        """Who has a name, by its key and by its stem."""
        holders = [*self._holders()]
        by_stem = grouped((stem, holder) for _, stem, holder in holders)
        return grouped((key, holder) for key, _, holder in holders), by_stem

    def _holders(self) -> Iterator[tuple[str, str, Holder]]:
        """Yields the key and the stem of each name, and who has it. The acronym in a name is a
        name, too."""
        for number, row in enumerate(self._rows):
            later = 0 if row["status"] in DEFINED else 3
            for place, name in enumerate(row["names"]):
                holder = Holder(
                    min(place, 1) + later, number, exact(name["text"]), KINDS[name["status"]]
                )
                yield name["key"], name["stem"], holder
                for form in spelled_out(name["text"]) if name["text"].endswith(")") else ():
                    other = holder._replace(rank=1 + later, name=form, kind="synonym")
                    yield fold(form), self.keyed(form)["stem"], other
            for name in row["former_names"]:
                yield (
                    name["key"],
                    name["stem"],
                    Holder(2 + later, number, exact(name["text"]), "former"),
                )
