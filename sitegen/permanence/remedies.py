"""Remedies: a build fails if it would break a promise of the ledger, and says what to do about it.

The module `breaches` finds the broken promises. `remedies` finds what happened to the sources, and gives one remedy
for each cause: what to put back, or a table for site.toml that works when it is pasted. `check_made` compares the
files with the ledger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

from sitegen.addresses import urls
from sitegen.config.toml import TomlValue, key_value, table
from sitegen.model import Edition, Entry, File, Problem, ProblemKind, SitegenError, Source, Trouble
from sitegen.permanence.breaches import FAULT, Breach, breaches, needed, page_of
from sitegen.permanence.corrections import words_of
from sitegen.permanence.ledger import (
    Ledger,
    LedgerRow,
    name_mark,
    of_kind,
    own_words,
    promised_releases,
)
from sitegen.permanence.promises import Permanence
from sitegen.permanence.shown_words import SourceRelease
from sitegen.sources.git.dated_states import period_in
from sitegen.text.names import fold
from sitegen.text.words import digest

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


@dataclass(frozen=True, slots=True, kw_only=True)
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

    def __str__(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The facts about the sources that explain a breach."""

    releases: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By source id."""
    editions: Mapping[SourceRelease, Edition] = field(default_factory=dict)
    unread: Collection[tuple[str, str]] = ()
    """(source id, release) with a document that could not be read."""
    left_out: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Why a release that its source has is not read, by (source id, release): a reason of `Skipped`, or a text."""
    unreadable: bool = False
    """The system refused to read a file or a folder, or a repository cannot be read."""
    unread_problems: tuple[Problem, ...] = ()
    shallow_problems: tuple[Problem, ...] = ()
    untagged: Mapping[str, Problem] = field(default_factory=dict)
    """By the id of a source of which no release is read."""
    former_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By the id of a source that site.toml lists."""


class GateError(SitegenError):
    """A build would break promises. The text has at most ten lines; `report` has every address and remedy."""

    def __init__(
        self, ledger: str, remedies: Iterable[Remedy], *, report: str = "", may_be_deleted: bool = False
    ) -> None:
        """`report` is the file with the full text; `may_be_deleted` is true for a ledger that only this disk has."""
        self.ledger = ledger
        self.remedies = tuple(remedies)
        self.breaches = tuple(breach for remedy in self.remedies for breach in remedy.breaches)
        count = len({breach.address for breach in self.breaches})
        self._addresses = "1 published address" if count == 1 else f"{count:,} published addresses"
        self._head = f"{ledger}: this build would break {self._addresses}"
        self._way_out = "; if the site is not published yet, delete this file" if may_be_deleted else ""
        self.lines = tuple(self._lines(report))
        """The lines of the message: what is broken, the remedies, and the first address."""
        super().__init__("\n".join(self.lines))

    @property
    def is_cut(self) -> bool:
        """True if the message does not have all remedies, or not all addresses."""
        return len(self.breaches) > 1 and not self.remedies[0].is_about_inputs

    @property
    def report(self) -> str:
        """Everything, as TOML: remedies to paste, each under the addresses that it is for, as comments."""
        parts = [f"# {self._head}", "# Pasted into site.toml as a whole, these tables mend everything."]
        for remedy in self.remedies:
            found = (f"# {breach.address}: {breach.found}" for breach in remedy.breaches)
            parts += ("", *found, f"# {remedy.advice}", *remedy.tables)
        return "\n".join(part.rstrip("\n") for part in parts) + "\n"

    def _lines(self, report: str) -> Iterator[str]:
        if self.remedies[0].is_about_inputs:
            yield from self.remedies[0].lines
            yield f"{self.ledger}: {self._addresses} need files or releases that were not read; nothing was built"
            return
        yield self._head + self._way_out
        lines = [line for remedy in self.remedies for line in remedy.lines]
        if report and (len(lines) > MAX_LINES - 2 or max(map(len, lines)) > MAX_WIDTH):
            # A part of what is to be pasted would only uncover the rest.
            advice = (remedy.advice for remedy in self.remedies)
            lines = [f"what to paste is in {report}, which mends everything, or:", *advice]
        yield from (f"  {line[:MAX_WIDTH]}" for line in lines[: MAX_LINES - 2])
        first = min(self.breaches, key=Breach.sort_key)
        more = f"; all are listed in {report}" if report and self.is_cut else ""
        yield f"  {first.address}: {first.found}{more}"


def lacking(promised: Mapping[str, Collection[str]], file: File) -> tuple[str, ...]:
    """Returns the promised ids that a file does not have, each as `address#id`. A template may have lost them.

    `promised` maps addresses to ids.
    """
    address = f"/{urls.address(file.path)}"
    if not file.path.endswith(".html") or not (ids := promised.get(address)):
        return ()
    # A template has a space before each attribute; to look for any white space takes seven times as long.
    _, *rest = file.content.split(b' id="')
    present = {unescape(text.partition(b'"')[0].decode()) for text in rest}
    return tuple(f"{address}#{id}" for id in ids if id not in present)


def check_made(ledger: Ledger, paths: Collection[str], lacking: Iterable[str], *, place: str) -> None:
    """Raises `GateError` when a file that the ledger promises is not among those made, or one is `lacking` ids."""
    missing = [
        f"/{urls.address(path)}"
        for row in ledger.values()
        if row.kind != "site"
        for path in _files(row)
        if path not in paths
    ]
    if lost := sorted((*missing, *lacking)):
        found = tuple(Breach(address=address, found="was not made") for address in lost)
        raise GateError(place, [Remedy(advice="correct the template that leaves it out", breaches=found)])


def _files(row: LedgerRow) -> tuple[str, ...]:
    """Returns the paths of the files that a row promises: with the page of a term, its data and its text."""
    page = urls.path(row.address[1:])
    slug = urls.slug_in(row.address)
    return (page, urls.term_data(slug), urls.term_markdown(slug)) if row.kind == "term" else (page,)


Cause = tuple[str, ...]
"""The kind of event and its object, such as a source. Breaches with equal causes have one remedy."""

GONE = {"successor", "source", "release"}
"""The kinds of causes that an incomplete clone or a folder without permission has too."""
ORDER = ("site", "successor", "source", "release", "name", "words", "address", "error")
RANKS = {"name": 1, "words": 2, "address": 3}
"""Kinds of causes to the ranks of their remedies."""


def broken_promises(
    permanence: Permanence,
    sources: Iterable[Source],
    editions: Mapping[SourceRelease, Edition],
    *,
    problems: Iterable[Problem],
    former_ids: Mapping[str, tuple[str, ...]],
) -> tuple[Remedy, ...]:
    """Returns the remedies for all promises that publishing a site would break; none if it breaks none.

    `problems` are the site's problems, with paths as messages show them; `former_ids` those of each source that
    site.toml lists.
    """
    if not (found := tuple(breaches(permanence.ledger, permanence.rows))):
        return ()
    problems, sources = tuple(problems), tuple(sources)
    unread = {place: edition.unread for place, edition in editions.items() if edition.unread}
    names = tuple({name for of_source in unread.values() for name in of_source if name})
    found_none = "no release is read, only what is still to come"
    wanted = "`git fetch --tags` brings the tags (in a workflow on GitHub, `fetch-depth: 0`)"
    inputs = Inputs(
        releases={source.id: {release.name for release in source.releases} for source in sources},
        editions=editions,
        unread=unread.keys(),
        left_out=dict(_left_out(sources, permanence.ledger)),
        unread_problems=tuple(one for one in problems if one.kind in NOT_REACHED or one.path.endswith(names)),
        unreadable=any(one.kind in NOT_REACHED for one in problems),
        shallow_problems=tuple(one for one in problems if one.kind == ProblemKind.SHALLOW),
        untagged={
            source.id: Trouble(ProblemKind.RELEASES, found_none, wanted).at(source.id)
            for source in sources
            if source.releases and all(release.unreleased for release in source.releases)
        },
        former_ids=former_ids,
    )
    return remedies(found, permanence.ledger, permanence.rows, inputs)


def _left_out(sources: Iterable[Source], ledger: Ledger) -> Iterator[tuple[tuple[str, str], str]]:
    """Yields (source id, release) of releases that exist but are not read, each with the reason.

    These are skipped tags, with and without the prefix `v`, and dated states of a source whose `by` has changed.
    """
    for source in sources:
        periods = {"", *(period_in(release.name) for release in source.releases)}
        for row in of_kind(ledger, "release"):
            if row.source == source.id and (period := period_in(row.first)) not in periods:
                yield (source.id, row.first), f'by = "{period}" reads it'
        for skipped in source.skipped:
            for tag in skipped.names:
                for release in (tag, tag.removeprefix("v")):
                    yield (source.id, release), skipped.reason


def remedies(found: Iterable[Breach], ledger: Ledger, built: Ledger, inputs: Inputs) -> tuple[Remedy, ...]:
    """Returns a remedy for each cause, the widest cause first.

    Where sources were not read in full, or a clone has not the whole history, that is the only thing to correct.
    """
    causes = _Causes(ledger, built, inputs)
    by_cause: dict[Cause, list[Breach]] = defaultdict(list)
    for breach in found:
        by_cause[causes.of(breach)].append(breach)
    kinds = {kind for kind, *_ in by_cause}
    untagged = {cause[1] for cause in by_cause if cause[0] == "release"} & inputs.untagged.keys()
    problems: Iterable[Problem]
    if "unread" in kinds or (inputs.unreadable and kinds & GONE):
        problems = inputs.unread_problems
    elif inputs.shallow_problems and kinds & GONE:
        problems = inputs.shallow_problems
    elif untagged:
        problems = [inputs.untagged[source] for source in sorted(untagged)]
    else:
        order = sorted(by_cause, key=lambda cause: (ORDER.index(cause[0]), cause))
        return tuple(causes.remedy(cause, tuple(sorted(by_cause[cause], key=Breach.sort_key))) for cause in order)
    advice = "\n".join([str(problem) for problem in problems][: MAX_LINES - 1]) or "not all was read"
    all_breaches = tuple(breach for of_cause in by_cause.values() for breach in of_cause)
    return (Remedy(advice=advice, breaches=all_breaches, is_about_inputs=True),)


class _Causes:
    """Finds the causes of breaches, and the remedy for each."""

    def __init__(self, ledger: Ledger, built: Ledger, inputs: Inputs) -> None:
        self._ledger = ledger
        self._built = built
        self._inputs = inputs
        self._former_site = next((row.address for row in of_kind(ledger, "site") if row.address not in built), "")
        self._published = _releases_by_source(ledger)
        self._successors = {one: self._successor(one) for one in self._published if one not in inputs.releases}
        self._new_names: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for row in of_kind(built, "term"):
            for wording in _words(row) if row.address not in ledger else ():
                self._new_names[wording].append(row.name)

    def of(self, breach: Breach) -> Cause:
        """Returns the cause of a breach."""
        row = breach.row
        if row is None:
            return ("error",)
        if row.kind == "site":
            return ("site", row.address)
        if row.kind == "data" and row.address.endswith(urls.feed("/")) and self._former_site:
            return ("site", self._former_site)
        page = self._ledger.get(page_of(row.address), row)
        if page is not row and page.address not in self._built:
            row, breach = page, Breach(address=page.address, found="", row=page, needs=needed(page))
        for source, release in self._living(row) if row.address == breach.address else breach.needs:
            if source not in self._inputs.releases:
                return ("successor", successor) if (successor := self._successors[source]) else ("source", source)
            if release and release not in self._inputs.releases[source]:
                return ("release", source, self._inputs.left_out.get((source, release), ""))
            if self._inputs.unreadable and (source, release) in self._inputs.unread:
                return ("unread",)
        if breach.wording or row.kind == "frozen":
            return self._cause_of_words(breach, row)
        found = {name for wording in _words(row) for name in self._new_names.get(wording, ())}
        names = {name for name in found if fold(name) != fold(row.name)}
        if row.kind == "term" and len(names) == 1:
            return ("name", row.source, row.name, *names)
        return ("address",)

    def _cause_of_words(self, breach: Breach, row: LedgerRow) -> Cause:
        """Returns the cause of other words: a name was corrected, if the release has the words under another name."""
        source, release = breach.needs[0]
        wording = breach.wording or row.words + name_mark(row.name)
        read = self._entries(source, release)
        new = {entry.name for entry in read if digest(entry.definition) == wording[:12]}
        if len(new) == 1 and wording[12:] == name_mark(row.name) not in {name_mark(entry.name) for entry in read}:
            return ("name", source, row.name, *new)
        return ("words", source, release)

    def _entries(self, source: str, release: str) -> tuple[Entry, ...]:
        edition = self._inputs.editions.get((source, release))
        return edition.entries if edition else ()

    def _reworded_terms(self, source: str, release: str, found: Iterable[Breach]) -> tuple[str, ...]:
        """Returns the names that terms with other words have in a release; that of the page if they have none."""
        names = {name_mark(row.name): row.name for row in self._ledger.values() if row.kind == "term"}
        names |= {name_mark(entry.name): entry.name for entry in self._entries(source, release)}
        terms = (
            names.get(breach.shown[12:]) or names.get(breach.wording[12:]) or breach.row.name
            for breach in found
            if breach.row
        )
        return tuple(sorted(set(terms)))

    def _living(self, row: LedgerRow) -> tuple[SourceRelease, ...]:
        """Returns what a row needs: of a term, the releases that still are read, if there are any."""
        read = self._inputs.releases.get(row.source, ())
        current = tuple((row.source, release) for release in promised_releases(row) if release in read)
        return current or needed(row)

    def remedy(self, cause: Cause, found: tuple[Breach, ...]) -> Remedy:
        """Returns the remedy for the breaches of a cause."""
        advice, *tables = self._advice(cause, found)
        source = cause[1] if cause[0] == "successor" and cause[1] in self._inputs.former_ids else ""
        return Remedy(advice=advice, tables=tuple(tables), breaches=found, source=source, rank=RANKS.get(cause[0], 0))

    def _advice(self, cause: Cause, found: tuple[Breach, ...]) -> tuple[str, ...]:
        """Returns the advice for the breaches of a cause, and the tables or the line to paste."""
        match cause:
            case ("site", address):
                advice = f'put base_url = "{address}" back; if the site moved and answers at both addresses, add'
                return advice, _retired(address=address)
            case ("successor", successor):
                return self._advice_about_successor(successor, found)
            case ("source", source):
                return f"put the source {source} back, or say that it is gone", _retired(source=source)
            case ("release", source, reason):
                read = self._inputs.releases[source]
                needs = [release for one in found for of, release in self._needs(one) if of == source]
                missing = tuple(dict.fromkeys(release for release in needs if release and release not in read))
                if reason == "maintenance":
                    advice = f"{source} {_brief(missing)} comes after a higher version now; say that it is to be read"
                    return advice, *(table("[[release]]", {"name": one, "source": source}) for one in missing)
                why = f" ({LEFT_OUT.get(reason, reason)})" if reason else ""
                advice = f"put {source} {_brief(missing)} back{why}, or say that the release is gone"
                return advice, _retired(source=source, release=_one_or_all(missing))
            case ("words", source, release):
                terms = self._reworded_terms(source, release, found)
                is_unread = (source, release) in self._inputs.unread
                reason = "".join(f"{problem}; " for problem in self._inputs.unread_problems[:1] if is_unread)
                advice = (
                    f"{reason}put the words of {source} {release} back; if they were corrected on purpose, say so"
                )
                words = words_of(self._inputs.editions.get((source, release)), terms)
                values = {"source": source, "release": release, "term": _one_or_all(terms), "words": words}
                return advice, table("[[corrected]]", {**values, "reason": REASON})
            case ("name", source, old, new):
                advice = f"call it “{old}” again, or say what it is called now"
                return advice, table("[[rename]]", {"source": source, "from": old, "to": new})
            case ("error",):
                return (FAULT,)
            case _:
                addresses = [one.address.partition("#")[0] for one in found]
                lost = [page if (page := page_of(one)) not in self._built else one for one in addresses]
                advice = "put it back, or keep a page there that says why it is gone"
                return advice, _retired(address=_one_or_all(tuple(dict.fromkeys(lost))))

    def _needs(self, breach: Breach) -> tuple[SourceRelease, ...]:
        page = self._ledger.get(page_of(breach.row.address)) if breach.row else None
        return (*breach.needs, *(needed(page) if page else ()))

    def _advice_about_successor(self, successor: str, found: tuple[Breach, ...]) -> tuple[str, ...]:
        """Returns the advice for a source that seems to have another id now, or for several that became one."""
        sources = (source for breach in found for source, _ in self._needs(breach))
        missing = tuple(dict.fromkeys(one for one in sources if self._successors.get(one) == successor))
        listed = self._inputs.former_ids
        former = _one_or_all((*listed.get(successor, ()), *missing))
        header = f'[[source]] id = "{successor}"'
        if successor not in listed:  # site.toml has no [[source]]
            do = f"add {header} with the former id"
            pasted = table("[[source]]", {"id": successor, "folder": ".", "formerly": former})
        else:
            do = f"{'replace formerly in' if listed[successor] else 'add the former id to'} {header}"
            pasted = key_value("formerly", former)
        which = f"the source {missing[0]} is" if len(missing) == 1 else f"the sources {_brief(missing)} are"
        tables = " and ".join(f'[[retired]] source = "{one}"' for one in missing)
        return f"{which} gone; if {successor} is the same, {do}, else {tables}", pasted

    def _successor(self, source: str) -> str:
        """Returns the id that a source seems to have now; empty if there is none.

        Most of its terms, by name and first release, have new addresses in that source; or that is the only new
        source; or it has all releases of the source, and none of them was published under the present id.
        """
        published = {(row.name, row.first) for row in of_kind(self._ledger, "term") if row.source == source}
        count_by_source: dict[str, int] = defaultdict(int)
        for row in of_kind(self._built, "term"):
            if row.source not in self._published or row.address not in self._ledger:
                count_by_source[row.source] += (row.name, row.first) in published
        best = max(count_by_source, key=lambda one: (count_by_source[one], one), default="")
        if best and count_by_source[best]:
            return best
        new = count_by_source.keys() - self._published.keys()
        if len(new) == 1:
            return next(iter(new))
        return next(
            (
                one
                for one, names in self._inputs.releases.items()
                if self._published[source] <= {*names} - self._published.get(one, set())
            ),
            "",
        )


def _words(row: LedgerRow) -> Iterator[tuple[str, str, str]]:
    """Yields (source id, release, digest) of the words that a term's own source has under the row's name."""
    yield row.source, row.first, row.words
    words = own_words(row)
    for release in promised_releases(row):
        yield row.source, release, words[release].partition(" ")[0]


def _releases_by_source(ledger: Ledger) -> Mapping[str, set[str]]:
    """Returns source ids to the releases for which something was published."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in ledger.values():
        if row.source:
            found[row.source].add(row.first)
        if row.kind == "term":
            for _, meaning in row.fragments:
                source, _, release = meaning.partition(" ")
                found[source].add(release)
    return found


def _retired(**values: TomlValue) -> str:
    return table("[[retired]]", {**values, "reason": REASON})


def _one_or_all(values: tuple[str, ...]) -> str | tuple[str, ...]:
    return values if len(values) > 1 else "".join(values)


def _brief(names: tuple[str, ...]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:2])} and {len(names) - 2} more releases"
