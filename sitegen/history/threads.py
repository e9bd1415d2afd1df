"""Tracks terms while the releases of a source are read: a `Thread` is one term in one source, and becomes a `Lane`.

A `Chain` has the threads of a source, adds one release after another to them, and finds them by name. `matching`
decides which entry continues which thread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from operator import attrgetter

from sitegen.model import Edition, Entry, Problem, Rename, Source, Verdict
from sitegen.model.terms import Identity, Lane, Step, Tie
from sitegen.text.names import Keys

LaneFields = tuple[Source, tuple[str, ...], tuple[Entry | None, ...], list[int], list[Step]]
"""The fields of a lane: source, names of its releases, entry at each release, numbers of turns, steps at turns."""
ThreadMember = tuple["Thread", LaneFields]
"""A thread with the fields of its lane."""


@dataclass(eq=False, slots=True)
class Thread:
    """One term in one source, while the releases are being read. It becomes a `Lane` at the end."""

    key: str
    number: int = 0
    """Its index among the threads of its source."""
    turns: list[int] = field(default_factory=list)
    """The same as `Lane.turns`."""
    turned: list[Step] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    homonyms: frozenset[str] = frozenset()
    """Keys of the threads that had the same name at the same release, including its own; empty if there were none."""
    entry: Entry | None = None
    """The last entry that was not the same as in the release before, also if the term was removed since."""
    name: str = ""
    """Key of its preferred name."""
    other_names: tuple[str, ...] = ()
    """Keys of its other names."""
    live: bool = False
    """True if the term is defined at the last release that could be read."""
    merged_into: Thread | None = None

    @property
    def is_defined(self) -> bool:
        """True if the term is defined at the last release."""
        return bool(self.turned) and self.turned[-1].state == "defined"

    def define(self, number: int, step: Step) -> None:
        """Adds the next release, which defines the term."""
        assert step.entry
        if self.entry is None or not self.is_defined or not _says_the_same(self.entry, step.entry):
            self._turn(number, step)
        self.entry, self.live, self.merged_into = step.entry, True, None

    def pass_over(self, number: int, step: Step) -> None:
        """Adds the next release, which does not define the term, or could not be read."""
        if not self.turned or self.turned[-1].state != step.state:
            self._turn(number, step)

    def merge(self, number: int, step: Step, into: Thread) -> None:
        """Adds the next release, in which the term was merged into another one."""
        self._turn(number, step)
        self.live, self.merged_into = False, into

    def _turn(self, number: int, step: Step) -> None:
        self.turns.append(number)
        self.turned.append(step)

    def course(self, source: Source, releases: tuple[str, ...], entries: tuple[Entry | None, ...]) -> LaneFields:
        """Returns the fields of its lane; `entries` has the entry of each release."""
        return source, releases, entries, self.turns, self.turned


def lane(course: LaneFields) -> Lane:
    """Returns the lane of a thread whose releases are all read."""
    source, releases, entries, turns, turned = course
    return Lane(source=source, releases=releases, entries=entries, turns=tuple(turns), turned=tuple(turned))


def _says_the_same(one: Entry, two: Entry) -> bool:
    """True if the entries differ at most by release and line, as in most consecutive releases."""
    return (one.text is two.text or one.text == two.text) and one.place.name == two.place.name


@dataclass(frozen=True, slots=True)
class Declarations:
    """The renames and verdicts in site.toml that apply to one source."""

    keys: Keys
    renames: tuple[Rename, ...]
    verdicts: tuple[Verdict, ...]

    def distinct(self, one: str, two: str) -> bool:
        return any(verdict.kind == "distinct" and {one, two} <= self._named(verdict) for verdict in self.verdicts)

    def same_as(self, name: str) -> tuple[str, ...]:
        """Returns the keys of the names that a `[[same]]` in site.toml equates with this key."""
        declared = (self._named(verdict) for verdict in self.verdicts if verdict.kind == "same")
        return tuple(sorted({other for named in declared if name in named for other in named} - {name}))

    def _named(self, verdict: Verdict) -> set[str]:
        return {self.keys.key(name) for name in verdict.names}


Origin = tuple[Thread, Identity | None]
"""The thread that a new one is split from, with the declaration if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Which entries of a release continue which threads."""

    again: Sequence[tuple[Entry, int]]
    """Entries that are the same as in the previous release, with the numbers of their threads."""
    new: Sequence[Entry]
    """All others."""
    given: Mapping[int, Thread]
    """By the id of an entry."""
    claimed: AbstractSet[Thread]
    """The threads that continue, or were merged into another one."""
    identities: Mapping[int, Identity]
    """By the id of an entry: the rule that matched it, if the page shows that rule."""
    origins: Mapping[int, Origin]
    """By the id of an entry that starts a thread."""
    has_homonyms: bool
    """True if some name is defined several times."""


TEXT = attrgetter("text")


class Chain:
    """The threads of one source after the releases that were added so far, in order."""

    def __init__(self, source: str, declarations: Declarations) -> None:
        self.source = source
        """Its id."""
        self.keys = declarations.keys
        self.declarations = declarations
        self.applied: set[Rename] = set()
        self.threads: list[Thread] = []
        self.by_name: dict[str, list[Thread]] = defaultdict(list)
        """Maps the key of each preferred name to its threads."""
        self.shared: set[str] = set()
        """The names that several threads have or had."""
        self.taken: dict[str, int] = {}
        """Maps each thread key in use to the highest number that was appended to it."""
        self.problems: list[Problem] = []
        self.editions: list[Edition] = []
        self.entries: list[dict[int, Entry]] = []
        """For each release, its entries by the numbers of their threads."""
        self.standing: dict[int, int] = {}
        """Maps the id of each `EntryText` object of the last release to the number of its thread."""
        self.documents: frozenset[str] = frozenset()

    @property
    def before(self) -> Mapping[int, Entry]:
        """The entries of the last release, by the numbers of their threads."""
        return self.entries[-1] if self.entries else {}

    def members(self, source: Source) -> list[ThreadMember]:
        """Returns every thread with the fields of its lane."""
        releases, numbers = tuple([edition.release for edition in self.editions]), range(len(self.threads))
        entries = zip(*[map(row.get, numbers) for row in self.entries], strict=True)
        return [
            (thread, thread.course(source, releases, own)) for thread, own in zip(self.threads, entries, strict=True)
        ]

    def unused(self) -> Iterator[Problem]:
        """Yields a problem for each rename that applied to no release."""
        for rename in self.declarations.renames:
            if rename not in self.applied:
                yield Problem(
                    path="site.toml",
                    line=rename.line,
                    found=f"[[rename]] {rename.old!r} to {rename.new!r} in {self.source} fits no release",
                    wanted="the old name must be defined before, the new one at that release, and the old one "
                    "must be gone there, or another term's, for which release has to say where",
                )

    def pass_over(self, edition: Edition) -> None:
        """Adds a release without entries: all terms are marked as unread, not as removed."""
        step = Step(release=edition.release, state="unread")
        for thread in self.threads:
            thread.pass_over(len(self.editions), step)
        self._end(edition, {})

    def add(self, edition: Edition, matches: Matches) -> None:
        """Adds the next release to all threads. Entries without a match start new threads."""
        now, release = len(self.editions), edition.release
        absent, unread = Step(release=release, state="absent"), Step(release=release, state="unread")
        for thread in [thread for thread in self.threads if thread not in matches.claimed]:
            if self._is_unknown(edition, thread):
                thread.pass_over(now, unread)
            else:
                thread.pass_over(now, absent)
                thread.live = False
        behind = _Behind(edition, self.editions)
        entries = {number: entry for entry, number in matches.again}
        for entry in matches.new:
            name = self.keys.preferred(entry)
            thread = matches.given.get(id(entry)) or self._begin(
                name, release, origin=matches.origins.get(id(entry)), behind=behind[entry.place.name]
            )
            if thread.entry is None or thread.entry.designations is not entry.designations:
                self._call(thread, entry, name)
            thread.define(now, Step(release, "defined", entry, matches.identities.get(id(entry))))
            entries[thread.number] = entry
        if matches.has_homonyms:
            self._mark_homonyms()
        self._end(edition, entries)
        self.documents = frozenset(edition.documents)

    def _end(self, edition: Edition, entries: dict[int, Entry]) -> None:
        self.editions.append(edition)
        self.entries.append(entries)
        self.standing = dict(zip(map(id, map(TEXT, entries.values())), entries, strict=True))

    def _call(self, thread: Thread, entry: Entry, name: str) -> None:
        """Indexes a thread by the names of its next entry."""
        thread.other_names = self.keys.admitted(entry)
        if thread.name != name:
            if thread.entry:
                self.by_name[thread.name].remove(thread)
            thread.name = name
            self.by_name[name].append(thread)
            if len(self.by_name[name]) > 1:
                self.shared.add(name)

    def _is_unknown(self, edition: Edition, thread: Thread) -> bool:
        """True if a document that could not be read may define this term."""
        assert thread.entry
        home = thread.entry.place.name
        if (home, thread.entry.name) in edition.kept_as_text:
            return True
        return home in edition.unread or (thread.live and _may_hide(edition, home, documents=self.documents))

    def _begin(self, name: str, release: str, *, origin: Origin | None, behind: Thread) -> Thread:
        thread = Thread(self._key(f"{self.source}:{name}"), len(self.threads), [*behind.turns], [*behind.turned])
        if origin:
            whole, identity = origin
            thread.ties.append(
                Tie(kind="split", source=self.source, release=release, other=whole.key, identity=identity)
            )
        self.threads.append(thread)
        return thread

    def _mark_homonyms(self) -> None:
        """Updates `homonyms` of the threads that share a name in this release."""
        sharing: dict[str, list[Thread]] = defaultdict(list)
        for thread in self.threads:
            if thread.is_defined:
                sharing[thread.name].append(thread)
        for threads in sharing.values():
            together = frozenset([thread.key for thread in threads])
            for thread in threads if len(threads) > 1 else ():
                thread.homonyms = together if thread.homonyms <= together else thread.homonyms | together

    def _key(self, name: str) -> str:
        """Returns an unused key: the name, with a number appended if the name is in use."""
        key, number = name, self.taken.get(name, 1)
        while key in self.taken:
            number += 1
            key = f"{name}#{number}"
        self.taken[name] = number
        self.taken.setdefault(key, 1)
        return key


class _Behind(dict[str, Thread]):
    """Maps a document name to a thread with a step for each release before a new thread of that document.

    Computed when a document is first looked up.
    """

    def __init__(self, edition: Edition, before: Sequence[Edition]) -> None:
        super().__init__()
        self._before = before
        self._documents = frozenset((*edition.documents, *edition.unread))

    def __missing__(self, home: str) -> Thread:
        self[home] = behind = Thread("")
        for number, edition in enumerate(self._before):
            is_unread = not edition.entries or home in edition.unread
            is_unknown = is_unread or _may_hide(edition, home, documents=self._documents)
            behind.pass_over(number, Step(edition.release, "unread" if is_unknown else "absent"))
        return behind


def _may_hide(edition: Edition, home: str, *, documents: frozenset[str]) -> bool:
    """True if an unread document of the edition may be `home` under another path.

    That is the case if the edition has no document `home`, and has an unread document that is not in `documents`.
    """
    return not documents.issuperset(edition.unread) and home not in edition.documents
