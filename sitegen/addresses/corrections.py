"""The ledger as it reads today: with the ids of sources and the spelling of names that a person has put right since.

A name that was corrected in every release, or an id that was changed in site.toml, leaves no trace in what is read:
only a person can say what became of it. The ledger's file keeps what was published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sitegen.addresses.ledger import Ledger, Row
from sitegen.model import Edition, Rename
from sitegen.text.names import fold

Name = tuple[str, str]
"""(source id, folded name)."""


def today(
    ledger: Ledger,
    *,
    ids: Mapping[str, str],
    renames: Iterable[Rename],
    editions: Mapping[str, tuple[Edition, ...]],
) -> tuple[Ledger, tuple[Rename, ...]]:
    """Returns the ledger with new ids for sources, by old ones, and corrected names; and the renames that are left.

    Those that are left tell of the life of a term, and are for `merge`.
    """
    renames = tuple(renames)
    ledger = _amended(ledger, ids, {})
    if not renames:
        return ledger, ()
    corrected = _corrections(renames, ledger, editions)
    names = {(rename.source, fold(rename.old)): rename.new for rename in corrected}
    return _amended(ledger, {}, names), tuple(rename for rename in renames if rename not in corrected)


def _corrections(
    renames: tuple[Rename, ...], ledger: Ledger, editions: Mapping[str, tuple[Edition, ...]]
) -> tuple[Rename, ...]:
    """The renames of what was published under a name that no release of its source has any more."""
    published = {(row.source, fold(row.name)) for row in ledger.values() if row.kind == "term"}
    published |= {(rename.source, fold(rename.new)) for rename in renames}
    suspects = [rename for rename in renames if (rename.source, fold(rename.old)) in published]
    defined = {
        (source, fold(entry.name))
        for source in {rename.source for rename in suspects}
        for edition in editions.get(source, ())
        for entry in edition.entries
    }
    return tuple(rename for rename in suspects if (rename.source, fold(rename.old)) not in defined)


def _amended(ledger: Ledger, ids: Mapping[str, str], names: Mapping[Name, str]) -> Ledger:
    if not ids and not names:
        return ledger
    return {address: _amended_row(row, ids, names) for address, row in ledger.items()}


def _amended_row(row: Row, ids: Mapping[str, str], names: Mapping[Name, str]) -> Row:
    source = ids.get(row.source, row.source)
    if row.kind != "term":
        return replace(row, source=source)
    fragments = tuple((id, _of_source(meaning, ids)) for id, meaning in row.fragments)
    return replace(row, source=source, name=_last(source, row.name, names), fragments=fragments)


def _last(source: str, name: str, names: Mapping[Name, str]) -> str:
    """What a name is called now, however often it was corrected."""
    seen: set[str] = set()
    while (source, fold(name)) in names and fold(name) not in seen:
        seen.add(fold(name))
        name = names[source, fold(name)]
    return name


def _of_source(meaning: str, ids: Mapping[str, str]) -> str:
    source, space, release = meaning.partition(" ")
    return f"{ids.get(source, source)}{space}{release}"
