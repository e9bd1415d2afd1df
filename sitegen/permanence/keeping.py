"""Keeps published sections, addresses and ids that the sources no longer produce.

A breach is answered by the first declaration of site.toml that names a cause of it. `[[retired]]`
keeps an address by a page with the reason, or by a notice if the page exists; it never covers
changed words. `[[corrected]]` accepts words, by the digest of the current ones. Three things are
kept without a declaration: the page of a section without terms, ids that mark a position in a list,
and ids of releases of which the page of a term showed no words. All other breaches are broken
promises.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.config.tables import Corrected, Retired
from sitegen.model import Problem, ProblemKind, Trouble, counted, grouped
from sitegen.permanence.breaches import Breach, Cause, breaches
from sitegen.permanence.corrections import CorrectedLedger
from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    SourceRelease,
    name_mark,
    of_kind,
    published_releases,
)
from sitegen.permanence.permalinks import KeptAddress, Permanence
from sitegen.permanence.promises import History, promises
from sitegen.permanence.shown_words import ShownWordings, wording_of

EDITED = "edited since it was published"
"""The reason that is shown on a frozen page of a release whose text may be edited, if its words
changed."""
LISTS = ("page", "release", "section")
"""The kinds of pages on which an id marks a position in a list."""


def keep(
    permanence: Permanence,
    history: History,
    pages: Iterable[LedgerRow],
    config: Config,
    corrections: CorrectedLedger,
) -> tuple[Permanence, tuple[Problem, ...]]:
    """Returns the addresses of a site with all published ones that it must keep, and problems of
    the declarations.

    `pages` are the rows of pages that are not about one term. A declaration without effect is a
    problem.
    """
    ledger = permanence.ledger
    rows = promises(pages, history, permanence)
    found = breaches(ledger, rows, history.sources)
    answers = _Answers(found, history, config, corrections, permanence.wordings)
    keeping = _Keeping(rows, corrections)
    for breach in found:
        keeping.add(breach, answers.of(breach))
    for row in of_kind(rows, "frozen"):
        if row.address not in ledger:
            keeping.corrected[row.address].update(dict.fromkeys(_accepted_for(row, corrections)))
    problems = (*answers.unused(), *(_added_terms(ledger, rows, found, history) if ledger else ()))
    return keeping.result(permanence), problems


class _Keeping:
    """Keeps what is promised where a breach was answered, or needs no answer."""

    def __init__(self, rows: Ledger, corrections: CorrectedLedger) -> None:
        self._rows = rows
        self._kept: dict[str, KeptAddress] = {}
        self._ids: list[tuple[LedgerRow, str]] = []
        """Published ids that nothing uses any more, each with the row of its page."""
        self.corrected: dict[str, dict[Corrected, None]] = defaultdict(dict)
        """Address to the corrections of its words."""
        for address, several in corrections.used.items():
            self.corrected[address].update(dict.fromkeys(several))
        self._broken: list[Breach] = []

    def add(self, breach: Breach, answer: Retired | Corrected | None) -> None:
        """Adds a breach with the table that answers for it."""
        row = breach.row
        if breach.id and not breach.wording and not breach.is_fault:
            if answer or row.kind in LISTS or not breach.causes or breach.at not in row.wordings:
                self._ids.append((row, breach.id))
            else:
                self._broken.append(breach)
        elif answer is None:
            self._broken.append(breach)
        elif isinstance(answer, Corrected) and row.address in self._rows:
            self.corrected[row.address][answer] = None
        else:
            has_page = row.address in self._rows
            self._kept[row.address] = KeptAddress(row=row, reason=answer.reason, has_page=has_page)

    def result(self, permanence: Permanence) -> Permanence:
        """Returns the addresses of the site with all that is kept, and the broken promises."""
        return replace(
            permanence,
            rows=_with_kept(self._rows, self._kept.values(), self._ids),
            corrected={address: self._noted(address) for address in self.corrected},
            kept=tuple(
                _with_terms(self._kept[address], permanence) for address in sorted(self._kept)
            ),
            kept_fragments=grouped((row.address, id) for row, id in self._ids),
            broken=tuple(self._broken),
        )

    def _noted(self, address: str) -> tuple[Corrected, ...]:
        """Returns the corrections that a page tells of. Withheld words tell it themselves, but for
        a frozen page."""
        is_frozen = address in self._rows and self._rows[address].kind == "frozen"
        return tuple(
            one for one in self.corrected[address] if one.words or (one.reason and is_frozen)
        )


def _accepted_for(row: LedgerRow, corrections: CorrectedLedger) -> Iterator[Corrected]:
    """Yields the corrections of the words of a new frozen page, which may exist because of them."""
    mark = name_mark(row.name)
    for one in corrections.accepted:
        if (one.source, one.release) == (row.source, row.first) and mark in map(
            name_mark, one.terms
        ):
            yield one


def _with_terms(kept: KeptAddress, permanence: Permanence) -> KeptAddress:
    """Returns a kept address of a term or a wording with the terms that its page leads to."""
    row = kept.row
    if row.kind not in ("term", "frozen"):
        return kept
    owner = permanence.owners.get(urls.slug_in(row.address), "") if row.kind == "frozen" else ""
    promised = [row.words, *(wording[:12] for wording in row.wordings.values())]
    terms = filter(None, (permanence.wordings.last_with(words, row.source) for words in promised))
    return kept._replace(terms=tuple(dict.fromkeys(terms)) or (owner,) * bool(owner))


class _Answers:
    """Finds the declaration that answers for a breach."""

    def __init__(
        self,
        found: Iterable[Breach],
        history: History,
        config: Config,
        corrections: CorrectedLedger,
        wordings: ShownWordings,
    ) -> None:
        self._config = config
        self._has_words = wordings.term_with
        self._used: set[Retired | Corrected] = {*chain.from_iterable(corrections.used.values())}
        self._retired: dict[Cause, list[Retired]] = defaultdict(list)
        for table in (*config.retired, *_retired_by_edits(found, history)):
            for address in table.addresses:
                self._retired[address].append(table)
            for release in table.releases or ([""] if table.source else []):
                self._retired[table.source, release].append(table)
        corrected = (*corrections.accepted, *_edited_releases(history))
        self._corrected = grouped(((one.source, one.release), one) for one in corrected)

    def of(self, breach: Breach) -> Retired | Corrected | None:
        """Returns the first table that names a cause of a breach, or else a correction of its
        words."""
        keys = (key for cause in breach.causes for key in _keys(cause))
        if tables := [table for key in keys for table in self._retired.get(key, ())]:
            self._used.update(tables)
            return min(tables, key=lambda table: table.line or math.inf)
        if not (breach.at and breach.wording):
            return None
        marks = {breach.wording[12:], name_mark(breach.row.name)}
        if not self._has_words(
            breach.wording[:12], breach.at
        ):  # else they have another name, or another page
            marks.add(breach.shown[12:])
        for one in self._corrected.get(breach.at, ()):
            is_named = marks & {*map(name_mark, one.terms)}
            # Of an open release only the words are open, and not the addresses.
            is_open = not (one.words or one.reason)
            if (is_named or not one.terms) and not (
                is_open and breach.is_about_page and not breach.shown
            ):
                self._used.add(one)
                return one
        return None

    def unused(self) -> Iterator[Problem]:
        """Yields a problem for each table of site.toml that answers for no breach."""
        for table in self._config.retired:
            if table not in self._used:
                names = ", ".join(filter(None, (*table.addresses, table.source, *table.releases)))
                found = f"[[retired]] {names} names nothing that was published and is missing"
                wanted = "remove the table, or correct what it names"
                yield Trouble(ProblemKind.SETTINGS, found, wanted).at(
                    self._config.path, line=table.line
                )
        for one in self._config.corrected:
            if one not in self._used:
                about = " ".join((one.source, one.release, *one.terms))
                found = f"[[corrected]] {about} is about other words than the present ones"
                wanted = "remove the table; where words changed again, the build prints a new one"
                yield Trouble(ProblemKind.SETTINGS, found, wanted).at(
                    self._config.path, line=one.line
                )


def _keys(cause: Cause) -> tuple[Cause, ...]:
    """Returns what a table can name for a cause: an address; a release, its source, or the release
    of any source."""
    return (cause,) if isinstance(cause, str) else (cause, (cause[0], ""), ("", cause[1]))


def _edited_releases(history: History) -> Iterator[Corrected]:
    """Yields corrections for each release whose text may be edited; one without a reason for a
    newest, open one."""
    for source in history.sources:
        for release in source.releases:
            for reason in ("",) * release.open + (EDITED,) * release.moves:
                yield Corrected(
                    source=source.id, release=release.name, terms=(), words="", reason=reason
                )


def _retired_by_edits(found: Iterable[Breach], history: History) -> Iterator[Retired]:
    """Yields a table for each lost term that only releases had whose text may be edited."""
    moving = {
        (source.id, one.name) for source in history.sources for one in source.releases if one.moves
    }
    for row in (
        (one.row for one in found if one.is_about_page and one.row.kind == "term") if moving else ()
    ):
        if (row.source, row.first) in moving:
            yield Retired(addresses=(row.address,), reason=EDITED)


def _with_kept(
    rows: Ledger, kept: Iterable[KeptAddress], ids: Iterable[tuple[LedgerRow, str]]
) -> Ledger:
    """Returns rows with those of kept addresses and ids."""
    with_kept = {**rows}
    for one in kept:
        now = rows.get(one.row.address, replace(one.row, successor=""))
        with_kept[one.row.address] = replace(
            one.row, successor=now.successor, fragments=now.fragments, wordings=now.wordings
        )
    for row, id in ids:
        now = with_kept[row.address]
        pair = (id, dict(row.fragments)[id])
        with_kept[row.address] = replace(now, fragments=tuple(sorted((*now.fragments, pair))))
    return with_kept


def _added_terms(
    ledger: Ledger, rows: Ledger, breaches: Iterable[Breach], history: History
) -> Iterator[Problem]:
    """Yields a problem for each published release that has terms which it did not have when it was
    published."""
    published = published_releases(ledger)
    editable = {(one.source, one.release) for one in _edited_releases(history)}
    added: dict[SourceRelease, set[str]] = defaultdict(set)
    for address, row in rows.items():
        before = ledger.get(address)
        if row.kind == "term" and row is not before:
            promised = before.wordings if before else {}
            for at, wording in row.wordings.items():
                if at not in promised and at not in editable and at in published:
                    added[at].add(wording)
    known = {(breach.at, breach.shown) for breach in breaches}
    for row in of_kind(ledger, "term") if added else ():
        known.update(row.wordings.items())
    for at, wordings in added.items():
        new = {wording for wording in wordings if (at, wording) not in known}
        if entries := [
            entry for entry in history.by_release[at].entries if wording_of(entry) in new
        ]:
            terms = f"{counted(len(entries), 'term')} that it did not have when it was published"
            found = f"{' '.join(at)} has {terms}, such as “{entries[0].name}”"
            yield Problem(
                kind=ProblemKind.ADDED,
                path=entries[0].place.path,
                line=entries[0].line,
                found=found,
            )
