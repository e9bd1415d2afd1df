"""Applies the corrections in site.toml, of source ids and of names, to the rows of the ledger.

Documents do not show that a name was corrected in the files of its release, or an id in site.toml: a `[[rename]]`
without a release, or `formerly`, declares it. The ledger's file keeps what was published.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from sitegen.config.tables import Rename, Verdict
from sitegen.model import Edition
from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    as_wordings,
    name_mark,
    own_words,
    promised_releases,
    words_by_release,
)
from sitegen.permanence.shown_words import SourceRelease, wording_of
from sitegen.text.names import fold

EVER = ""
"""The key of all releases together, among names by release."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedLedger:
    """The ledger, renames and verdicts that a build starts from."""

    ledger: Ledger
    """With the present ids and names."""
    renames: tuple[Rename, ...]
    """Those that are events in the life of a term, with the present names; they are for `merge`."""
    verdicts: tuple[Verdict, ...]
    """With the present names."""


def correct(
    ledger: Ledger,
    *,
    ids: Mapping[str, str],
    renames: tuple[Rename, ...],
    verdicts: tuple[Verdict, ...],
    editions: Mapping[str, tuple[Edition, ...]],
) -> CorrectedLedger:
    """Returns the ledger, renames and verdicts with the present ids (`ids`: new by old) and corrected names.

    A rename corrects the name of a row when the row's release no longer defines the old name and defines the new one.
    """
    if ids:
        ledger = {address: _with_ids(row, ids) for address, row in ledger.items()}
    if not any(not rename.release for rename in renames):
        return CorrectedLedger(ledger=ledger, renames=renames, verdicts=verdicts)
    names = _Names(renames, editions)
    rows = {row.address: names.in_row(row) for row in ledger.values() if row.kind in ("term", "frozen")}
    published = {(row.source, fold(row.name)) for row in ledger.values() if row.kind == "term"}
    return CorrectedLedger(
        ledger={**ledger, **rows},
        renames=tuple(names.in_rename(rename) for rename in renames if not names.is_spent(rename, published)),
        verdicts=tuple(map(names.in_verdict, verdicts)),
    )


def words_of(edition: Edition | None, terms: Iterable[str]) -> str:
    """Returns a digest of the names and words of terms in an edition. A [[corrected]] table in site.toml has it."""
    names = set(map(fold, terms))
    wordings = [wording_of(one) for one in (edition.entries if edition else ()) if fold(one.name) in names]
    return hashlib.sha256("\n".join(sorted(wordings)).encode()).hexdigest()[:12]


def _with_ids(row: LedgerRow, ids: Mapping[str, str]) -> LedgerRow:
    """Returns a row with the present ids of sources."""

    def present(text: str, separator: str) -> str:
        source, _, rest = text.partition(separator)
        return f"{ids.get(source, source)}{separator}{rest}"

    row = replace(row, source=ids.get(row.source, row.source))
    if row.kind != "term":
        return row
    fragments = tuple((id, present(meaning, " ")) for id, meaning in row.fragments)
    wordings = tuple((present(run, "\t"), words) for run, words in row.wordings)
    return replace(row, fragments=fragments, wordings=wordings)


class _Names:
    """Finds what names were corrected to."""

    def __init__(self, renames: Iterable[Rename], editions: Mapping[str, tuple[Edition, ...]]) -> None:
        self._steps: dict[tuple[str, str], list[Rename]] = defaultdict(list)
        for rename in renames:
            if not rename.release:
                self._steps[rename.source, fold(rename.old)].append(rename)
        self._by_mark = {(source, name_mark(old)): old for source, old in self._steps}
        self._editions = editions
        self._defined = {source: _names_by_release(editions.get(source, ())) for source, _ in self._steps}
        self._used: set[Rename] = set()
        self._new: dict[tuple[str, str], str] = {}
        """(source, folded name that nothing has any more) to the name that replaced it."""

    def in_row(self, row: LedgerRow) -> LedgerRow:
        """Returns a row with the names that its releases have for the same term now."""
        wordings = words_by_release(row.wordings)
        changed = {at: new for at, old in wordings.items() if (new := self._wording(at, old)) != old}
        name = self._name(row) if row.source in self._defined else row.name
        if not changed and name == row.name:
            return row
        return replace(row, name=name, wordings=as_wordings({**wordings, **changed}) if changed else row.wordings)

    def _name(self, row: LedgerRow) -> str:
        """Returns the name that the first release with this name has for the same term now."""
        old = fold(row.name)
        for names in self._names_at(row):
            if old in names:
                return row.name
            if new := self._new_name(row.source, old, names):
                return new
        return row.name

    def _names_at(self, row: LedgerRow) -> Iterator[AbstractSet[str]]:
        """Yields the names that releases define: a row's first one, then others that had it under its name.

        Then yields the corrected names under which others were promised, if they still have the same words. If no
        promised release is read, yields the names of all releases.
        """
        words, of_name = own_words(row), promised_releases(row)
        read = [one for one in self._editions.get(row.source, ()) if one.release in {row.first, *words} - {EVER}]
        read.sort(key=lambda one: (one.release != row.first, one.release not in of_name))
        for one in read:
            is_named = one.release == row.first or one.release in of_name
            entries = (entry for entry in one.entries if is_named or wording_of(entry) == words[one.release])
            yield frozenset(fold(entry.name) for entry in entries)
        if not read:
            yield self._defined[row.source][EVER]

    def _wording(self, at: SourceRelease, wording: str) -> str:
        """Returns a wording with the name that its release has for the same term now."""
        source, release = at
        names, old = self._defined.get(source, {}).get(release), self._by_mark.get((source, wording[12:]), "")
        new = self._new_name(source, old, names) if old and names and old not in names else ""
        return wording[:12] + name_mark(new) if new else wording

    def _new_name(self, source: str, old: str, names: AbstractSet[str]) -> str:
        """Returns the name among `names` that renames lead to; empty if they lead to none."""
        if not (path := self._path(source, old, names)):
            return ""
        self._used.update(path)
        if old not in self._defined[source][EVER]:
            self._new[source, old] = path[-1].new
        return path[-1].new

    def _path(self, source: str, name: str, names: AbstractSet[str]) -> tuple[Rename, ...]:
        """Returns the renames that lead from a name to one of `names`; empty if there are none."""
        paths: list[tuple[Rename, ...]] = [(rename,) for rename in self._steps.get((source, name), ())]
        reached = {name}
        for path in paths:
            last = fold(path[-1].new)
            if last in names:
                return path
            if last not in reached:
                reached.add(last)
                paths += [(*path, rename) for rename in self._steps.get((source, last), ())]
        return ()

    def is_spent(self, rename: Rename, published: AbstractSet[tuple[str, str]]) -> bool:
        """True for a rename that corrected a row or a published name, and is no event in the life of a term."""
        if rename in self._used:
            return True
        defined = self._defined.get(rename.source, {EVER: frozenset()})[EVER]
        is_between = not rename.release and (rename.source, fold(rename.old)) in published
        return is_between and not {fold(rename.old), fold(rename.new)} & defined

    def in_rename(self, rename: Rename) -> Rename:
        """Returns a rename with the names that its source has now."""
        return replace(
            rename, old=self._present(rename.source, rename.old), new=self._present(rename.source, rename.new)
        )

    def in_verdict(self, verdict: Verdict) -> Verdict:
        """Returns a verdict about one source with the names that it has now."""
        return replace(verdict, names=tuple(self._present(verdict.source, name) for name in verdict.names))

    def _present(self, source: str, name: str) -> str:
        return self._new.get((source, fold(name)), name)


def _names_by_release(editions: Iterable[Edition]) -> Mapping[str, AbstractSet[str]]:
    """Returns the folded names that a source defines, by release, and ever."""
    names = {edition.release: frozenset(fold(entry.name) for entry in edition.entries) for edition in editions}
    return {**names, EVER: frozenset().union(*names.values())}
