"""Remedies: a build fails if it would break a promise of the ledger, and says what to do about it.

`keeping` finds the broken promises. `broken_promises` finds what happened to the sources, and gives
one remedy for each event: what to put back, or a table for site.toml that works when it is pasted.
`check_made` compares the files with the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from sitegen.addresses import urls
from sitegen.config.toml import TomlValue, key_value, table
from sitegen.model import (
    Entry,
    Problem,
    ProblemKind,
    SitegenError,
    Trouble,
    counted,
    grouped,
)
from sitegen.permanence.breaches import Breach, page_of
from sitegen.permanence.corrections import words_of
from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    SourceRelease,
    name_mark,
    needed,
    of_kind,
    published_releases,
)
from sitegen.permanence.permalinks import Permanence
from sitegen.permanence.promises import History
from sitegen.sources.git.dated_states import period_in
from sitegen.text.words import digest

FAULT = "this is an error in sitegen: please report it"
REASON = "…"
LEFT_OUT = {
    "before": "none of its files match paths",
    "pre-release": "prereleases leaves it out",
    "excluded": "exclude leaves it out",
    "alias": "its tag repeats a fuller one or moves",
    "other": "tags leaves it out",
}
"""The reason for which a tag is skipped to its explanation."""
NOT_REACHED = frozenset({ProblemKind.UNREADABLE, ProblemKind.REPOSITORY})
"""Kinds of problems of inputs that may be there all the same."""
MAX_LINES = 10
"""Lines of a message; the rest is in the report."""
MAX_WIDTH = 300
"""Characters of a line to paste that a message shows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remedy:
    """The way to keep the promises that one cause would break."""

    advice: str
    tables: tuple[str, ...] = ()
    """Tables, or a line of one, to paste into site.toml."""
    breaches: tuple[Breach, ...]
    source: str = ""
    """The id of the [[source]] to which the line to paste belongs; empty for tables."""
    rank: int = 0
    """A remedy repairs only what remedies of lower ranks do not."""
    is_about_inputs: bool = False
    """True if the sources were not read in full; then no other remedy is given."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The advice, and the lines to paste."""
        if not self.tables:
            return tuple(self.advice.splitlines())
        pasted = (line for one in self.tables for line in one.rstrip().splitlines())
        return f"{self.advice}:", *(f"  {line}".rstrip() for line in pasted)

    @property
    def needs(self) -> str:
        """The number of addresses, for a remedy about inputs."""
        return f"{_addresses(self.breaches)} need files or releases that were not read"

    def __str__(self) -> str:
        return "\n".join(self.lines)


def _addresses(breaches: Iterable[Breach]) -> str:
    return counted(len({breach.address for breach in breaches}), "published address")


class GateError(SitegenError):
    """A build would break promises. The text has at most ten lines; `report` has every address and
    remedy."""

    def __init__(
        self, ledger: str, remedies: Iterable[Remedy], *, report: str = "", way_out: str = ""
    ) -> None:
        """`report` is the file with the full text; `way_out` is what to do where no remedy is
        needed."""
        self.ledger = ledger
        self.remedies = tuple(remedies)
        self.breaches = tuple(breach for remedy in self.remedies for breach in remedy.breaches)
        self._head = f"{ledger}: this build would break {_addresses(self.breaches)}"
        self._way_out = f"; {way_out}" if way_out else ""
        self.lines = tuple(self._lines(report))
        """The lines of the message: what is broken, the remedies, and the first address."""
        super().__init__("\n".join(self.lines))

    @property
    def is_cut(self) -> bool:
        """True if the message does not have all remedies, or not all addresses."""
        return len(self.breaches) > 1 and not self.remedies[0].is_about_inputs

    @property
    def report(self) -> str:
        """Everything, as TOML: remedies to paste, each under the addresses that it is for, as
        comments."""
        parts = [
            f"# {self._head}",
            "# Pasted into site.toml as a whole, these tables mend everything.",
        ]
        for remedy in self.remedies:
            found = (f"# {breach.address}: {breach.found}" for breach in remedy.breaches)
            parts += ("", *found, f"# {remedy.advice}", *remedy.tables)
        return "\n".join(part.rstrip("\n") for part in parts) + "\n"

    def _lines(self, report: str) -> Iterator[str]:
        if self.remedies[0].is_about_inputs:
            yield from self.remedies[0].lines
            yield f"{self.ledger}: {self.remedies[0].needs}; nothing was built"
            return
        yield self._head + self._way_out
        lines = [line for remedy in self.remedies for line in remedy.lines]
        if (
            report
            and self.is_cut
            and (len(lines) > MAX_LINES - 2 or max(map(len, lines)) > MAX_WIDTH)
        ):
            # A part of what is to be pasted would only uncover the rest.
            advice = (remedy.advice for remedy in self.remedies)
            lines = [f"paste the tables in {report}, which mend everything, or:", *advice]
        yield from (f"  {line[:MAX_WIDTH]}" for line in lines[: MAX_LINES - 2])
        first = min(self.breaches, key=Breach.sort_key)
        more = f"; all are listed in {report}" if report and self.is_cut else ""
        yield f"  {first.address}: {first.found}{more}"


def check_made(ledger: Ledger, paths: Collection[str], *, place: str) -> None:
    """Raises `GateError` when a file that the ledger promises is not among those made."""
    rows = (
        row
        for row in ledger.values()
        if row.kind != "site" and any(path not in paths for path in _files(row))
    )
    if found := tuple(Breach(row=row, found="was not made", is_fault=True) for row in rows):
        raise GateError(place, [Remedy(advice=FAULT, breaches=found)])


def _files(row: LedgerRow) -> tuple[str, ...]:
    """Returns the paths of the files that a row promises: with the page of a term, its data and its
    text."""
    folder = row.address[1:]
    page = urls.path(folder)
    return (page, f"{folder}index.json", f"{folder}index.md") if row.kind == "term" else (page,)


Event = tuple[str, ...]
"""What happened: the kind of event and its object, such as a source. Breaches of equal events have
one remedy."""

GONE = {"successor", "source", "release"}
"""The kinds of events that an incomplete clone or a folder without permission looks like."""
RANKS = {
    "site": 0,
    "successor": 0,
    "source": 0,
    "release": 0,
    "name": 1,
    "words": 2,
    "address": 3,
    "error": 3,
}
"""Kinds of events in the order of messages, to the ranks of their remedies."""


def broken_promises(
    permanence: Permanence,
    history: History,
    *,
    problems: Iterable[Problem],
    former_ids: Mapping[str, tuple[str, ...]],
    day: date | None = None,
) -> tuple[Remedy, ...]:
    """Returns the remedies for all promises that publishing a site would break, the widest event
    first.

    Where sources were not read in full, or a clone has not the whole history, that is the only
    thing to correct. `problems` are the site's problems, with paths as messages show them;
    `former_ids` those of each source that site.toml lists; `day` is the date of corrections.
    """
    if not permanence.broken:
        return ()
    problems = tuple(problems)
    events = _Events(permanence, history, problems, former_ids, day)
    by_event = grouped((events.of(breach), breach) for breach in permanence.broken)
    kinds = {kind for kind, *_ in by_event}
    shallow = [one for one in problems if one.kind == ProblemKind.SHALLOW]
    untagged = [*unreleased(history, {event[1] for event in by_event if event[0] == "release"})]
    if "unread" in kinds or (events.is_refused and kinds & GONE):
        unread = events.unread_problems
    elif not (unread := shallow if shallow and kinds & GONE else untagged):
        in_order = sorted(by_event, key=lambda event: ([*RANKS].index(event[0]), event))
        return tuple(
            events.remedy(event, sorted(by_event[event], key=Breach.sort_key)) for event in in_order
        )
    advice = (
        "\n".join([str(problem) for problem in unread][: MAX_LINES - 1])
        or "not everything was read"
    )
    return (Remedy(advice=advice, breaches=permanence.broken, is_about_inputs=True),)


def unreleased(history: History, sources: Collection[str]) -> Iterator[Problem]:
    """Yields a problem for each of some sources of which no release is read: the clone may lack the
    tags."""
    wanted = "`git fetch --tags` brings the tags (in a workflow on GitHub, `fetch-depth: 0`)"
    for source in sorted(history.sources, key=lambda source: source.id):
        if (
            source.id in sources
            and source.releases
            and all(release.unreleased for release in source.releases)
        ):
            found = "no release was read, only unreleased changes"
            yield Trouble(ProblemKind.RELEASES, found, wanted).at(source.id)


class _Events:
    """Finds what happened to the sources of broken promises, and the remedy for each event."""

    def __init__(
        self,
        permanence: Permanence,
        history: History,
        problems: Iterable[Problem],
        former_ids: Mapping[str, tuple[str, ...]],
        day: date | None,
    ) -> None:
        self._ledger, self._rows, self._history = permanence.ledger, permanence.rows, history
        self._former_ids, self._day = former_ids, day
        self._releases = {
            source.id: {one.name for one in source.releases} for source in history.sources
        }
        missing = (
            one for one in permanence.broken if one.is_about_page and one.address not in self._rows
        )
        self._missing_pages = {breach.address: breach for breach in missing}
        self._unread = {at for at, release in history.by_release.items() if release.gaps}
        files = tuple({name for at in self._unread for name in history.by_release[at].gaps if name})
        self.unread_problems = [
            one for one in problems if one.kind in NOT_REACHED or one.path.endswith(files)
        ]
        self.is_refused = any(one.kind in NOT_REACHED for one in self.unread_problems)
        """True if the system refused to read something, which may be there all the same."""
        self._published = {row.source for row in self._ledger.values() if row.source}
        self._published |= {source for source, _ in published_releases(self._ledger)}
        self._successors = {
            one: self._successor(one) for one in self._published if one not in self._releases
        }

    def of(self, breach: Breach) -> Event:
        """Returns the event that broke a promise."""
        breach = self._missing_pages.get(page_of(breach.row.address), breach)
        row = breach.row
        if breach.is_fault:
            return ("error",)
        for cause in breach.causes:
            if isinstance(cause, str):
                if urls.is_web(cause):
                    return ("site", cause)
                break
            source, release = cause
            if source in self._releases:
                return ("release", source, self._reason(source, release))
            return (
                ("successor", successor)
                if (successor := self._successors[source])
                else ("source", source)
            )
        needs = (breach.at,) if breach.at else needed(row)
        if self.is_refused and not self._unread.isdisjoint(needs):
            return ("unread",)
        if breach.wording and breach.at:
            return self._event_of_name(row.name, breach.at, breach.wording) or ("words", *breach.at)
        words = {(row.source, row.first): row.words + name_mark(row.name), **row.wordings}
        found = (
            self._event_of_name(row.name, at, wording)
            for at, wording in words.items()
            if row.kind == "term"
        )
        return next(filter(None, found), ("address",))

    def _event_of_name(self, name: str, at: SourceRelease, wording: str) -> Event:
        """Returns the event of a name that was corrected: the release has the words under another
        one; else ()."""
        read, mark = self._entries(*at), name_mark(name)
        new = {entry.name for entry in read if digest(entry.definition) == wording[:12]}
        is_corrected = wording[12:] == mark and mark not in {
            name_mark(entry.name) for entry in read
        }
        return ("name", at[0], name, *new) if is_corrected and len(new) == 1 else ()

    def _entries(self, source: str, release: str) -> tuple[Entry, ...]:
        read = self._history.by_release.get((source, release))
        return read.entries if read else ()

    def _reason(self, source_id: str, release: str) -> str:
        """Returns why a release that its source has is not read; empty if it does not have it.

        It is a dated state of another `by`, or a skipped tag, with or without the prefix `v`.
        """
        source = next(source for source in self._history.sources if source.id == source_id)
        tags = (f"v{release}", release)
        if skipped := next(
            (one for one in source.skipped if not {*tags}.isdisjoint(one.names)), None
        ):
            return skipped.reason
        is_row = any(
            row.source == source_id and row.first == release
            for row in of_kind(self._ledger, "release")
        )
        period = period_in(release) if is_row else ""
        is_read = period in {"", *(period_in(one.name) for one in source.releases)}
        return "" if is_read else f'by = "{period}" reads it'

    def remedy(self, event: Event, found: Collection[Breach]) -> Remedy:
        """Returns the remedy for the breaches of an event."""
        advice, *tables = self._advice(event, found)
        source = event[1] if event[0] == "successor" and event[1] in self._former_ids else ""
        rank = RANKS[event[0]]
        return Remedy(
            advice=advice, tables=tuple(tables), breaches=tuple(found), source=source, rank=rank
        )

    def _advice(self, event: Event, found: Collection[Breach]) -> tuple[str, ...]:
        """Returns the advice for the breaches of an event, and the tables or the line to paste."""
        match event:
            case ("site", address):
                advice = (
                    f'put base_url = "{address}" back; if the site moved and answers at '
                    f"both addresses, add"
                )
                return advice, _retired(address=address)
            case ("successor", successor):
                return self._advice_about_successor(successor, found)
            case ("source", source):
                return f"put the source {source} back, or say that it is gone", _retired(
                    source=source
                )
            case ("release", source, reason):
                return self._advice_about_release(source, reason, found)
            case ("words", source, release):
                return self._advice_about_words(source, release, found)
            case ("name", source, old, new):
                advice = f"call it “{old}” again, or say what it is called now"
                return advice, table("[[rename]]", {"source": source, "from": old, "to": new})
            case ("error",):
                return (FAULT,)
            case _:
                pages = {one.row.address: page_of(one.row.address) for one in found}
                lost = [address if page in self._rows else page for address, page in pages.items()]
                advice = "put it back, or keep a page there that says why it is gone"
                return advice, _retired(address=_one_or_all(tuple(dict.fromkeys(lost))))

    def _advice_about_release(
        self, source: str, reason: str, found: Iterable[Breach]
    ) -> tuple[str, ...]:
        """Returns the advice for releases that are gone, or not read for a reason."""
        missing = tuple(dict.fromkeys(release for of, release in self._gone(found) if of == source))
        if reason == "maintenance":
            advice = (
                f"{source} {_brief(missing)} comes after a higher version now; say that it "
                f"is a release"
            )
            return advice, *(
                table("[[release]]", {"name": one, "source": source}) for one in missing
            )
        why = f" ({LEFT_OUT.get(reason, reason)})" if reason else ""
        advice = f"put {source} {_brief(missing)} back{why}, or say that the release is gone"
        return advice, _retired(source=source, release=_one_or_all(missing))

    def _advice_about_words(
        self, source: str, release: str, found: Iterable[Breach]
    ) -> tuple[str, ...]:
        """Returns the advice for words of a release that were edited."""
        terms = self._reworded_terms(source, release, found)
        is_unread = (source, release) in self._unread
        reason = "".join(f"{problem}; " for problem in self.unread_problems[:1] if is_unread)
        advice = (
            f"{reason}put the words of {source} {release} back; if they were corrected on "
            f"purpose, say so"
        )
        words = words_of(self._history.by_release.get((source, release)), terms)
        values = {"source": source, "release": release, "term": _one_or_all(terms), "words": words}
        return advice, table("[[corrected]]", {**values, "reason": REASON, "date": self._day})

    def _reworded_terms(
        self, source: str, release: str, found: Iterable[Breach]
    ) -> tuple[str, ...]:
        """Returns the names that terms have in a release: the promised ones, or those of the
        promised words."""
        read = self._entries(source, release)
        present = {name_mark(entry.name): entry.name for entry in read}
        of_words = {digest(entry.definition): entry.name for entry in read}
        known = {name_mark(row.name): row.name for row in of_kind(self._ledger, "term")} | present
        terms = set()
        for breach in found:
            words, name = breach.wording[:12], breach.wording[12:]
            there = present.get(name) or of_words.get(words)
            terms.add(there or known.get(breach.shown[12:]) or known.get(name) or breach.row.name)
        return tuple(sorted(terms))

    def _gone(self, found: Iterable[Breach]) -> Iterator[SourceRelease]:
        """Yields the releases that are gone and because of which promises are broken."""
        causes = (cause for breach in found for cause in breach.causes)
        yield from (cause for cause in causes if not isinstance(cause, str))

    def _advice_about_successor(self, successor: str, found: Iterable[Breach]) -> tuple[str, ...]:
        """Returns the advice for a source that seems to have another id now, or for several that
        became one."""
        sources = (source for source, _ in self._gone(found))
        missing = tuple(
            dict.fromkeys(one for one in sources if self._successors.get(one) == successor)
        )
        former = _one_or_all((*self._former_ids.get(successor, ()), *missing))
        header = f'[[source]] id = "{successor}"'
        if successor not in self._former_ids:  # site.toml has no [[source]]
            do = f"add {header} with the former id"
            pasted = table("[[source]]", {"id": successor, "folder": ".", "formerly": former})
        else:
            verb = "replace formerly in" if self._former_ids[successor] else "add the former id to"
            do = f"{verb} {header}"
            pasted = key_value("formerly", former)
        which = (
            f"the source {missing[0]} is"
            if len(missing) == 1
            else f"the sources {_brief(missing)} are"
        )
        tables = " and ".join(f'[[retired]] source = "{one}"' for one in missing)
        return f"{which} gone; if {successor} is the same, {do}, else {tables}", pasted

    def _successor(self, source: str) -> str:
        """Returns the id that a source seems to have now; empty if there is none.

        Most of its terms, by name and first release, have new addresses in that source; or that is
        the only new source.
        """
        published = {
            (row.name, row.first) for row in of_kind(self._ledger, "term") if row.source == source
        }
        counts: Counter[str] = Counter()
        for row in of_kind(self._rows, "term"):
            if row.source not in self._published or row.address not in self._ledger:
                counts[row.source] += (row.name, row.first) in published
        best = max(counts, key=lambda one: (counts[one], one), default="")
        if best and counts[best]:
            return best
        new = counts.keys() - self._published
        return next(iter(new)) if len(new) == 1 else ""


def _retired(**values: TomlValue) -> str:
    return table("[[retired]]", {**values, "reason": REASON})


def _one_or_all(values: tuple[str, ...]) -> str | tuple[str, ...]:
    return values if len(values) > 1 else "".join(values)


def _brief(names: tuple[str, ...]) -> str:
    return (
        ", ".join(names)
        if len(names) <= 3
        else f"{', '.join(names[:2])} and {len(names) - 2} more releases"
    )
