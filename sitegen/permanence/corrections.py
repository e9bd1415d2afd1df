"""Applies the corrections in site.toml, of source ids, names and words, to the rows of the ledger.

Documents do not show that a name or words were corrected in the files of their release, or an id in
site.toml: a `[[rename]]` without a release, `[[corrected]]` or `formerly` declares it. The ledger's
file keeps what was published.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from sitegen.config.tables import Corrected, Rename, Verdict
from sitegen.model import Release, Source
from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    SourceRelease,
    name_mark,
    own_words,
)
from sitegen.permanence.shown_words import wording_of
from sitegen.text.names import fold
from sitegen.text.words import digest

EVER = ""
"""The key of all releases together, among names by release."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectedLedger:
    """The ledger, renames and verdicts that a build starts from."""

    ledger: Ledger
    """With the present ids and names."""
    renames: tuple[Rename, ...]
    """Those that are events in the life of a term, with the present names; they are for `merge`."""
    verdicts: tuple[Verdict, ...]
    """With the present names."""
    accepted: tuple[Corrected, ...]
    """The corrections that accept the words that are there now."""
    used: Mapping[str, tuple[Corrected, ...]]
    """Address to those of the words that were promised there."""


def correct(
    ledger: Ledger,
    *,
    ids: Mapping[str, str],
    renames: tuple[Rename, ...],
    verdicts: tuple[Verdict, ...],
    corrected: Iterable[Corrected],
    sources: Iterable[Source],
) -> CorrectedLedger:
    """Returns the ledger, renames and verdicts with the present ids (`ids`: new by old), corrected
    names and words.

    A rename corrects the name of a row when the row's release no longer defines the old name and
    defines the new one. A correction counts as long as its terms have the words that it accepts;
    one without a digest always does.
    """
    if ids:
        ledger = {address: _with_ids(row, ids) for address, row in ledger.items()}
    releases = {source.id: source.releases for source in sources}
    names = _Names(renames, releases)
    if any(not rename.release for rename in renames):
        rows = {
            row.address: names.in_row(row)
            for row in ledger.values()
            if row.kind in ("term", "frozen")
        }
        published = {(row.source, fold(row.name)) for row in ledger.values() if row.kind == "term"}
        ledger = {**ledger, **rows}
        renames = tuple(
            names.in_rename(rename) for rename in renames if not names.is_spent(rename, published)
        )
        verdicts = tuple(map(names.in_verdict, verdicts))
    read = {(source, one.name): one for source, several in releases.items() for one in several}
    words = _Words(corrected, names, read)
    accepted = tuple(words.accepted)
    ledger = {address: words.in_row(row) for address, row in ledger.items()} if accepted else ledger
    used = {address: tuple(several) for address, several in words.used.items()}
    return CorrectedLedger(
        ledger=ledger, renames=renames, verdicts=verdicts, accepted=accepted, used=used
    )


def words_of(release: Release | None, terms: Iterable[str], *, called: Iterable[str] = ()) -> str:
    """Returns a digest of the names and words of terms in a release. A [[corrected]] table in
    site.toml has it.

    `called` are the names that the terms have there, if they were corrected since the table was
    written.
    """
    terms, entries = tuple(terms), release.entries if release else ()
    wordings = {
        digest(entry.definition) + name_mark(term)
        for term, name in zip(terms, called or terms, strict=True)
        for entry in entries
        if fold(entry.name) == fold(name)
    }
    return hashlib.sha256("\n".join(sorted(wordings)).encode()).hexdigest()[:12]


def _with_ids(row: LedgerRow, ids: Mapping[str, str]) -> LedgerRow:
    """Returns a row with the present ids of sources."""

    def present(meaning: str) -> str:
        source, _, release = meaning.partition(" ")
        return f"{ids.get(source, source)} {release}"

    row = replace(row, source=ids.get(row.source, row.source))
    if row.kind != "term":
        return row
    fragments = tuple((id, present(meaning)) for id, meaning in row.fragments)
    # Of words that were published under both ids, those under the present one are newer.
    of_former = sorted(row.wordings, key=lambda at: at[0] not in ids)
    wordings = {(ids.get(at[0], at[0]), at[1]): row.wordings[at] for at in of_former}
    return replace(row, fragments=fragments, wordings=wordings)


class _Words:
    """Finds what words were corrected to."""

    def __init__(
        self,
        corrected: Iterable[Corrected],
        names: _Names,
        releases: Mapping[SourceRelease, Release],
    ) -> None:
        self.accepted: list[Corrected] = []
        self._by_name: dict[tuple[SourceRelease, str], Corrected] = {}
        """(source, release) and the mark of a name, to the correction that names it."""
        self._present: dict[tuple[SourceRelease, str], str] = {}
        """(source, release) and a digest of words or the mark of a name, to the wording that is
        there now."""
        self.used: dict[str, dict[Corrected, None]] = defaultdict(dict)
        for one in corrected:
            at = one.source, one.release
            called = [names.at(at, name) for name in one.terms]
            if one.words and one.words != words_of(releases.get(at), one.terms, called=called):
                continue
            self.accepted.append(one)
            self._by_name.update({(at, name_mark(name)): one for name in called})
            for wording in map(wording_of, releases[at].entries if at in releases else ()):
                self._present.setdefault((at, wording[12:]), wording)
                self._present.setdefault((at, wording[:12]), wording)

    def in_row(self, row: LedgerRow) -> LedgerRow:
        """Returns a row with the words that its releases have for its names now."""
        if row.kind == "frozen":
            wording = row.words + name_mark(row.name)
            return replace(
                row, words=self._corrected(row, (row.source, row.first), wording)[:12] or row.words
            )
        now = {at: self._corrected(row, at, wording) for at, wording in row.wordings.items()}
        return (
            row
            if now == row.wordings
            else replace(row, wordings={at: one for at, one in now.items() if one})
        )

    def _corrected(self, row: LedgerRow, at: SourceRelease, wording: str) -> str:
        """Returns the present wording for a promised one; empty if a correction says that it is
        gone."""
        # Words that the release still has under another name were not corrected: the address leads
        # there.
        same = self._present.get((at, wording[:12]), "")
        marks = (wording[12:], same[12:], name_mark(row.name))
        correction = next(
            (self._by_name[at, mark] for mark in marks if (at, mark) in self._by_name), None
        )
        if correction is None:
            return wording
        self.used[row.address][correction] = None
        return same or self._present.get((at, wording[12:]), "")


class _Names:
    """Finds what names were corrected to."""

    def __init__(
        self, renames: Iterable[Rename], releases: Mapping[str, tuple[Release, ...]]
    ) -> None:
        self._steps: _Steps = defaultdict(list)
        """(source, folded name) to the names to which it was corrected."""
        self._steps_from_any: _Steps = defaultdict(list)
        """The same, and to those from which it was corrected."""
        self._by_mark: dict[tuple[str, str], str] = {}
        for rename in renames:
            if not rename.release:
                old, new = (rename.source, fold(rename.old)), (rename.source, fold(rename.new))
                self._steps[old].append((rename, rename.new))
                self._steps_from_any[old].append((rename, rename.new))
                self._steps_from_any[new].append((rename, rename.old))
                self._by_mark |= {
                    (rename.source, name_mark(name)): name for name in (rename.old, rename.new)
                }
        sources = {source for source, _ in self._steps}
        self._defined = {source: _names_by_release(releases.get(source, ())) for source in sources}
        self._with_words = {source: _names_by_words(releases.get(source, ())) for source in sources}
        self._used: set[Rename] = set()
        self._new: dict[tuple[str, str], str] = {}
        """(source, folded name that nothing has any more) to the name that replaced it."""

    def in_row(self, row: LedgerRow) -> LedgerRow:
        """Returns a row with the names that its releases have for the same term now."""
        wordings = {at: self._wording(at, wording) for at, wording in row.wordings.items()}
        name = self._name(row) if row.source in self._defined else row.name
        return replace(row, name=name, wordings=wordings)

    def _name(self, row: LedgerRow) -> str:
        """Returns the name that a row's first release, or else another that had its name, has for
        its term now.

        Words decide before names. If none of these releases is read, others with promised words
        count, or else all.
        """
        old, first = fold(row.name), row.first
        promised = {first: row.words} if row.kind == "frozen" else own_words(row)
        marks = {name_mark(row.name)}
        if not any(
            wording[12:] in marks for wording in promised.values()
        ):  # the name was corrected everywhere
            marks = {mark for source, mark in self._by_mark if source == row.source}
        defined, with_words = self._defined[row.source], self._with_words[row.source]
        called = {
            release: with_words.get((release, words[:12]), frozenset())
            for release, words in promised.items()
        }
        of_name = [release for release in promised if promised[release][12:] in marks]
        # A name that one of them keeps was not corrected, whatever the others have for it now.
        of_name = [first, *sorted(of_name, key=lambda release: old not in called[release])]
        for release in of_name:
            if new := self._of_words(
                (row.source, release), promised.get(release, "")[:12], row.name
            ):
                return new
        read = [*filter(None, (*map(defined.get, of_name), *called.values()))]
        for names in read or [defined[EVER]]:
            if old in names:
                return row.name
            if new := self._new_name(row.source, old, names):
                return new
        return row.name

    def _wording(self, at: SourceRelease, wording: str) -> str:
        """Returns a wording with the name that its release has for the same term now."""
        if old := self._by_mark.get((at[0], wording[12:]), ""):
            new = self._of_words(at, wording[:12], old) or self.at(at, old)
            return wording[:12] + name_mark(new)
        return wording

    def _of_words(self, at: SourceRelease, words: str, name: str) -> str:
        """Returns the name that a release has for words that it had under another name; empty if it
        has no such."""
        source, release = at
        names = self._with_words.get(source, {}).get((release, words), frozenset())
        # What has a name that was corrected again may have been published with any of its names.
        return (
            name
            if fold(name) in names
            else self._new_name(source, fold(name), names, self._steps_from_any)
        )

    def at(self, at: SourceRelease, name: str) -> str:
        """Returns the name that a release has for the term that was called so; the same if it has
        none."""
        source, release = at
        names, old = self._defined.get(source, {}).get(release), fold(name)
        return (self._new_name(source, old, names) if names and old not in names else "") or name

    def _new_name(
        self, source: str, old: str, names: AbstractSet[str], steps: _Steps | None = None
    ) -> str:
        """Returns the name among `names` that renames lead to; empty if they lead to none."""
        called, path = _reached(source, old, names, steps or self._steps)
        self._used.update(path)
        if path and old not in self._defined[source][EVER]:
            self._new[source, old] = called
        return called

    def is_spent(self, rename: Rename, published: AbstractSet[tuple[str, str]]) -> bool:
        """True for a rename that corrected a row or a published name, and is no event in the life
        of a term."""
        if rename in self._used:
            return True
        defined = self._defined.get(rename.source, {EVER: frozenset()})[EVER]
        is_between = not rename.release and (rename.source, fold(rename.old)) in published
        return is_between and not {fold(rename.old), fold(rename.new)} & defined

    def in_rename(self, rename: Rename) -> Rename:
        """Returns a rename with the names that its source has now."""
        return replace(
            rename,
            old=self._present(rename.source, rename.old),
            new=self._present(rename.source, rename.new),
        )

    def in_verdict(self, verdict: Verdict) -> Verdict:
        """Returns a verdict about one source with the names that it has now."""
        return replace(
            verdict, names=tuple(self._present(verdict.source, name) for name in verdict.names)
        )

    def _present(self, source: str, name: str) -> str:
        return self._new.get((source, fold(name)), name)


_Steps = dict[tuple[str, str], list[tuple[Rename, str]]]


def _reached(
    source: str, name: str, names: AbstractSet[str], steps: _Steps
) -> tuple[str, tuple[Rename, ...]]:
    """Returns the first of `names` that renames lead to from a name, and the renames; empty if they
    lead to none."""
    paths: dict[str, tuple[Rename, ...]] = {name: ()}
    queue = [name]
    for reached in queue:
        for rename, new in steps.get((source, reached), ()):
            if fold(new) in names:
                return new, (*paths[reached], rename)
            if fold(new) not in paths:
                paths[fold(new)] = (*paths[reached], rename)
                queue.append(fold(new))
    return "", ()


def _names_by_release(releases: Iterable[Release]) -> Mapping[str, AbstractSet[str]]:
    """Returns the folded names that a source defines, by release, and ever."""
    names = {
        release.name: frozenset(fold(entry.name) for entry in release.entries)
        for release in releases
    }
    return {**names, EVER: frozenset().union(*names.values())}


def _names_by_words(releases: Iterable[Release]) -> Mapping[tuple[str, str], AbstractSet[str]]:
    """Returns the folded names that a source defines, by release and the digest of their words."""
    names: dict[tuple[str, str], set[str]] = defaultdict(set)
    for release in releases:
        for entry in release.entries:
            names[release.name, digest(entry.definition)].add(fold(entry.name))
    return names
