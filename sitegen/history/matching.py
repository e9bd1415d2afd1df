"""Matches the entries of each release with the terms of the same source.

A `Round` matches the entries of one release with the existing threads of the source; an unmatched entry starts a new
thread. Rules apply in the order of their certainty: site.toml, the same name, another name, the same file
of one term, the same words.
`merging` joins the threads of several sources into terms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import PurePosixPath

from sitegen.history import relations
from sitegen.model import Edition, Entry, Problem, Rename, Source, Verdict
from sitegen.model.terms import Identity, Lane, Step, Tie
from sitegen.text import names
from sitegen.text.names import Keys
from sitegen.text.words import same_words, words_of

Named = tuple[Entry, str]
"""An entry with the key of its preferred name."""
Course = tuple[Source, tuple[str, ...], tuple[Entry | None, ...], list[int], list[Step]]
"""The fields of a lane: source, names of its releases, entry at each release, numbers of turns, steps at turns."""
Member = tuple["Thread", Course]
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

    def course(self, source: Source, releases: tuple[str, ...], entries: tuple[Entry | None, ...]) -> Course:
        """Returns the fields of its lane; `entries` has the entry of each release."""
        return source, releases, entries, self.turns, self.turned


def lane(course: Course) -> Lane:
    """Returns the lane of a thread whose releases are all read."""
    source, releases, entries, turns, turned = course
    return Lane(source=source, releases=releases, entries=entries, turns=tuple(turns), turned=tuple(turned))


def _says_the_same(one: Entry, two: Entry) -> bool:
    """True if the entries differ at most by release and line, as in most consecutive releases."""
    return (one.said is two.said or one.said == two.said) and one.place.name == two.place.name


@dataclass(frozen=True, slots=True)
class Word:
    """The renames and verdicts in site.toml that apply to one source."""

    keys: Keys
    renames: tuple[Rename, ...]
    verdicts: tuple[Verdict, ...]

    def distinct(self, one: str, two: str) -> bool:
        return any(verdict.kind == "distinct" and {one, two} <= self._named(verdict) for verdict in self.verdicts)

    def same_as(self, name: str) -> tuple[str, ...]:
        """Returns the keys of the names that a `[[same]]` in site.toml equates with this key."""
        said = (self._named(verdict) for verdict in self.verdicts if verdict.kind == "same")
        return tuple(sorted({other for named in said if name in named for other in named} - {name}))

    def _named(self, verdict: Verdict) -> set[str]:
        return {self.keys.key(name) for name in verdict.names}


def without_repetition(named: list[Named]) -> tuple[list[Named], list[Problem]]:
    """Returns the entries without duplicates: entries with the name and the words of an earlier one.

    Every entry that defines a name again is reported as a problem, also if its words differ.
    """
    times = Counter(name for _, name in named)
    first: dict[str, Entry] = {}
    alike: dict[tuple[str, tuple[str, ...]], list[Entry]] = defaultdict(list)
    kept, problems = [], []
    for entry, name in named:
        twins = alike[name, words_of(entry.definition).keys] if times[name] > 1 else []
        twin = next((twin for twin in twins if same_words(twin.definition, entry.definition)), None)
        if name in first:
            problems.append(_again(entry, twin or first[name], same=twin is not None))
        if twin is None:
            first.setdefault(name, entry)
            twins.append(entry)
            kept.append((entry, name))
    return kept, problems


def _again(entry: Entry, first: Entry, *, same: bool) -> Problem:
    place = f"{first.citation.path}:{first.citation.line}"
    return Problem(
        path=entry.citation.path,
        line=entry.citation.line,
        found=f"“{entry.name}” is defined again, first at {place}, "
        + ("in the same words" if same else "in other words: both are kept, as two terms of one name"),
        wanted="define it once" if same else "give one of them a name of its own",
    )


SAID, NAME = attrgetter("said"), attrgetter("name")

MIN_TERM_FILES = 3
"""The minimum number of documents with one term each by which terms are matched by their files."""
DISTINCTIVE = 5
"""The minimum number of words by which a definition can identify a term."""


class Round:
    """Matches the entries of one release with the existing threads. Each rule only matches unclaimed entries."""

    def __init__(self, chain: Chain, edition: Edition) -> None:
        self.chain = chain
        self.keys = chain.keys
        self.edition = edition
        self.entries = edition.entries
        self.problems: list[Problem] = []
        self.again = self._said_again()
        """Entries that are the same as in the previous release, with the numbers of their threads."""
        self.given = {id(entry): chain.threads[number] for entry, number in self.again}
        """Maps the id of each matched entry to its thread."""
        self.new = [entry for entry in self.entries if id(entry) not in self.given]
        self.names_now = {*self.keys.all_preferred(self.new), *map(NAME, self.given.values())}
        if len(self.names_now) < len(self.entries):
            self._compare_all()
        self.claimed = set(self.given.values())
        self.unclaimed = {id(entry): entry for entry in self.new}
        self.identities: dict[int, Identity] = {}
        """Maps the id of an entry to the rule that matched it, if the page shows that rule."""
        self.splits: dict[int, tuple[Thread, Identity]] = {}
        """Maps the id of an entry to the thread from which its term was split, as declared in site.toml."""
        # Live threads come first, so that a name is matched with the thread that has it now.
        self.sharing = {
            name: sorted(chain.by_name[name], key=lambda thread: (not thread.live, thread.number))
            for name in chain.shared
        }
        self.by_other_name: dict[str, list[Thread]] = defaultdict(list)
        for thread in [thread for thread in chain.threads if thread.other_names and thread.live]:
            for key in thread.other_names:
                self.by_other_name[key].append(thread)

    def _said_again(self) -> list[tuple[Entry, int]]:
        """Returns the entries whose `Said` object and document name are the same as in the previous release.

        Leaves out entries whose name is, or was, shared by several threads.
        """
        threads, shared, before = self.chain.threads, self.chain.shared, self.chain.before
        numbers = map(self.chain.standing.get, map(id, map(SAID, self.entries)))
        return [
            (entry, number)
            for entry, number in zip(self.entries, numbers, strict=True)
            if number is not None
            and before[number].place.name == entry.place.name
            and threads[number].name not in shared
        ]

    def _compare_all(self) -> None:
        """Discards the matches of unchanged entries and drops duplicates, as some name is defined twice."""
        named = [*zip(self.entries, self.keys.all_preferred(self.entries), strict=True)]
        kept, self.problems = without_repetition(named)
        self.entries = tuple([entry for entry, _ in kept])
        self.again, self.given, self.new = [], {}, [*self.entries]

    def _of_name(self, name: str) -> list[Thread]:
        """Returns the threads whose current or last name this is, live ones first."""
        return self.sharing.get(name) or self.chain.by_name.get(name) or []

    def _give(self, entry: Entry, thread: Thread, identity: Identity | None = None) -> None:
        self.given[id(entry)] = thread
        if identity:
            self.identities[id(entry)] = identity
        self.claimed.add(thread)
        del self.unclaimed[id(entry)]

    def _merge(self, thread: Thread, into: Thread, identity: Identity) -> None:
        self.claimed.add(thread)
        thread.merge(len(self.chain.editions), Step(release=self.edition.release, state="absent"), into)
        thread.ties.append(
            Tie(
                kind="merged",
                source=self.chain.source,
                release=self.edition.release,
                other=into.key,
                identity=identity,
            )
        )

    def declared(self) -> None:
        """Rule 1: site.toml declares that a term continues under another name."""
        renamed = {rename: thread for rename in self.chain.word.renames if (thread := self._renamed(rename))}
        left = {thread.name for thread in renamed.values()}
        for rename, thread in renamed.items():
            self.chain.applied.add(rename)
            identity = Identity(rule="declared", reason=rename.reason)
            if thread in self.claimed:
                self._split(thread, self.keys.key(rename.new), identity)
            else:
                self._continue(thread, self.keys.key(rename.new), identity, left=left)
        for verdict in self.chain.word.verdicts:
            if verdict.kind == "same":
                self._same(verdict)

    def _renamed(self, rename: Rename) -> Thread | None:
        """Returns the thread that a rename in site.toml continues at this release, or None."""
        if rename in self.chain.applied or rename.release not in ("", self.edition.release):
            return None
        old, new = self.keys.key(rename.old), self.keys.key(rename.new)
        thread = next((thread for thread in self._of_name(old) if thread.live), None)
        if thread is None or new not in self.names_now:
            return None
        stays = old in self.names_now and not (rename.release and self._is_taken(old, thread))
        return None if stays else thread

    def _is_taken(self, name: str, thread: Thread) -> bool:
        """True if no entry that now has the thread's name has the same words as the thread's last entry."""
        named = (entry for entry in self.entries if self.keys.preferred(entry) == name)
        return thread.entry is not None and not any(
            same_words(entry.definition, thread.entry.definition) for entry in named
        )

    def _same(self, verdict: Verdict) -> None:
        named = [self.keys.key(name) for name in verdict.names]
        gone = [self._of_name(key)[0] for key in named if key not in self.names_now and self._of_name(key)]
        here = [key for key in named if key in self.names_now]
        for thread in gone:
            if here and thread not in self.claimed and thread.live:
                self._continue(thread, here[0], Identity(rule="declared", reason=verdict.reason))

    def _continue(self, thread: Thread, name: str, identity: Identity, *, left: Collection[str] = ()) -> None:
        """Continues a thread under another name, or merges it into the thread that already has that name.

        Names in `left` were just given up by renames, so the threads that had them do not count.
        """
        entry = next(entry for entry in self.entries if self.keys.preferred(entry) == name)
        holder = next((holder for holder in self._of_name(name) if holder.live and name not in left), None)
        if id(entry) in self.given:
            holder = self.given[id(entry)]
        if holder is None:
            self._give(entry, thread, identity)
        elif holder is not thread:
            if holder not in self.claimed:
                self._give(entry, holder)
            self._merge(thread, holder, identity)

    def _split(self, thread: Thread, name: str, identity: Identity) -> None:
        """Marks an entry as the start of a term split from a thread that an earlier declaration already continued."""
        entry = next(entry for entry in self.entries if self.keys.preferred(entry) == name)
        if id(entry) in self.unclaimed and not self._of_name(name):
            self.splits[id(entry)] = thread, identity
            del self.unclaimed[id(entry)]

    def same_name(self) -> None:
        """Rule 2: the same preferred name. Several entries of one name are matched by words, then by order."""
        waiting: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.unclaimed.values():
            name = self.keys.preferred(entry)
            if name in self.chain.by_name:
                waiting[name].append(entry)
        for name, entries in waiting.items():
            threads = [thread for thread in self._of_name(name) if thread not in self.claimed]
            for entry, thread in _pair(entries, threads):
                self._give(entry, thread)

    def other_name_becomes_preferred(self) -> None:
        """Rule 3: an entry's preferred name was another name of a term whose preferred name is gone."""
        for entry in list(self.unclaimed.values()) if self.by_other_name else ():
            threads = [
                thread
                for thread in self.by_other_name.get(self.keys.preferred(entry), ())
                if thread not in self.claimed and self._may_join(thread, entry)
            ]
            if len(threads) == 1:
                self._give(entry, threads[0], Identity(rule="other name"))

    def preferred_becomes_other_name(self) -> None:
        """Rule 3: a term's preferred name became another name of an entry, which continues the term or absorbs it.

        A term that was merged earlier stays merged as long as the other term has its name.
        """
        called: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            for key in self.keys.admitted(entry):
                if key not in self.names_now:
                    called[key].append(entry)
        for key, entries in called.items():
            for thread in [thread for thread in self._of_name(key) if thread not in self.claimed]:
                holders = [self.given.get(id(entry)) for entry in entries]
                if thread.merged_into is None or thread.merged_into not in holders:
                    self._join(thread, entries)

    def _join(self, thread: Thread, entries: Iterable[Entry]) -> None:
        entry = next((entry for entry in entries if self._may_join(thread, entry)), None)
        if entry is None:
            return
        if id(entry) in self.given:
            self._merge(thread, self.given[id(entry)], Identity(rule="other name"))
        else:
            self._give(entry, thread, Identity(rule="other name"))

    def same_but_for_case(self) -> None:
        """Rule 2 for names that are ambiguous when folded, if only one entry and one thread of the name are left."""
        for entry, thread in self._one_of_each(lambda entry: names.fold(entry.name)):
            self._give(entry, thread)

    def same_file(self) -> None:
        """Rule 4: the same file, which has one term, as most files of its folder have."""
        before = _term_files(self.chain.before.values()) if self.unclaimed else frozenset()
        now = _term_files(self.entries) if before else frozenset()
        for key in (_path, _stem):
            pairs = self._one_of_each(key)
            for entry, thread in [pair for pair in pairs if pair[0].place.name in now]:
                if thread.entry and thread.entry.place.name in before:
                    self._give(entry, thread, Identity(rule="same file"))

    def same_words(self) -> None:
        """Rule 5: one term was removed and one added in consecutive releases, and no others have the same words.

        The definition must be distinctive (`_distinctive_words`).
        """
        pairs = [*self._one_of_each(_distinctive_words)]
        if not pairs:
            return
        now = Counter(map(_words, self.entries))
        before = Counter(_words(thread.entry) for thread in self.chain.threads if thread.live and thread.entry)
        for entry, thread in pairs:
            if now[_words(entry)] == 1 and before[_words(entry)] == 1:
                self._give(entry, thread, Identity(rule="same words"))

    def _one_of_each(self, by: Callable[[Entry], Hashable]) -> Iterator[tuple[Entry, Thread]]:
        """Yields pairs of an unclaimed entry and an unclaimed live thread that alone have the same value of `by`."""
        if not self.unclaimed:
            return
        gone: dict[Hashable, list[Thread]] = defaultdict(list)
        for thread in [thread for thread in self.chain.threads if thread.live and thread not in self.claimed]:
            if thread.entry:
                gone[by(thread.entry)].append(thread)
        come: dict[Hashable, list[Entry]] = defaultdict(list)
        for entry in self.unclaimed.values() if gone else ():
            come[by(entry)].append(entry)
        for what, entries in come.items():
            if what and len(entries) == 1 and len(gone[what]) == 1 and self._may_join(gone[what][0], entries[0]):
                yield entries[0], gone[what][0]

    def _may_join(self, thread: Thread, entry: Entry) -> bool:
        return not self.chain.word.distinct(thread.name, self.keys.preferred(entry))

    def split_from(self, entry: Entry) -> tuple[Thread, Identity | None] | None:
        """Returns the thread from which this entry is split, with the declaration if there is one; otherwise None.

        A split is declared in site.toml, or the entry's name was another name of a term that still exists.
        """
        if id(entry) in self.splits:
            return self.splits[id(entry)]
        for thread in self.by_other_name.get(self.keys.preferred(entry), ()):
            if thread in self.claimed:
                return thread, None
        return None

    def mark_homonyms(self) -> None:
        """Updates `homonyms` of the threads that share a name in this release."""
        if len(self.names_now) == len(self.entries):
            return
        sharing: dict[str, list[Thread]] = defaultdict(list)
        for thread in self.chain.threads:
            if thread.is_defined:
                sharing[thread.name].append(thread)
        for threads in sharing.values():
            together = frozenset([thread.key for thread in threads])
            for thread in threads if len(threads) > 1 else ():
                thread.homonyms = together if thread.homonyms <= together else thread.homonyms | together


def _term_files(entries: Iterable[Entry]) -> frozenset[str]:
    """Returns the documents that have one entry each; none if they are few, or have fewer entries than others."""
    number = Counter(map(_path, entries))
    single = frozenset([name for name, count in number.items() if count == 1])
    return single if 2 * len(single) > number.total() and len(single) >= MIN_TERM_FILES else frozenset()


def _path(entry: Entry) -> str:
    return entry.place.name


def _stem(entry: Entry) -> str:
    """Returns the file's name without suffix and folder; of an index, the name of its folder."""
    path = PurePosixPath(entry.place.name)
    return path.parent.name if path.stem.lower() in ("index", "_index", "readme") else path.stem


def _words(entry: Entry) -> tuple[str, ...]:
    return words_of(entry.definition).keys


def _distinctive_words(entry: Entry) -> tuple[str, ...]:
    """Returns the words of a definition; empty if it is too short, or only refers to a synonym."""
    words = _words(entry)
    return words if len(words) >= DISTINCTIVE and relations.synonym_of(entry.definition) is None else ()


def _pair(entries: list[Entry], threads: list[Thread]) -> list[tuple[Entry, Thread]]:
    """Pairs entries with threads of the same name: those with the same words first, the rest in order."""
    if len(entries) == 1 and len(threads) == 1:
        return [(entries[0], threads[0])]
    pairs = []
    entries, threads = list(entries), list(threads)
    for entry in list(entries):
        twin = next(
            (thread for thread in threads if thread.entry and same_words(thread.entry.definition, entry.definition)),
            None,
        )
        if twin:
            pairs.append((entry, twin))
            entries.remove(entry)
            threads.remove(twin)
    return pairs + list(zip(entries, threads, strict=False))


def chain_of(source: str, word: Word, editions: Iterable[Edition]) -> Chain:
    """Returns a `Chain` that has read these editions of a source; `word` has the source's renames and verdicts."""
    chain = Chain(source, word)
    for edition in editions:
        chain.read(edition)
    return chain


class Chain:
    """Reads the releases of one source in order, and assigns every entry to a thread."""

    def __init__(self, source: str, word: Word) -> None:
        self.source = source
        """Its id."""
        self.keys = word.keys
        self.word = word
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
        """Maps the id of each `Said` object of the last release to the number of its thread."""
        self.documents: frozenset[str] = frozenset()

    @property
    def before(self) -> Mapping[int, Entry]:
        """The entries of the last release, by the numbers of their threads."""
        return self.entries[-1] if self.entries else {}

    def members(self, source: Source) -> list[Member]:
        """Returns every thread with the fields of its lane."""
        releases, numbers = tuple([edition.release for edition in self.editions]), range(len(self.threads))
        entries = zip(*[map(said.get, numbers) for said in self.entries], strict=True)
        return [
            (thread, thread.course(source, releases, said))
            for thread, said in zip(self.threads, entries, strict=True)
        ]

    def unused(self) -> Iterator[Problem]:
        """Yields a problem for each rename that applied to no release."""
        for rename in self.word.renames:
            if rename not in self.applied:
                yield Problem(
                    path="site.toml",
                    line=rename.line,
                    found=f"[[rename]] {rename.old!r} to {rename.new!r} in {self.source} fits no release",
                    wanted="the old name must be defined before, the new one at that release, and the old one "
                    "must be gone there, or another term's, for which release has to say where",
                )

    def read(self, edition: Edition) -> None:
        """Matches the entries of the next release."""
        if not edition.entries:
            self._pass_over(edition)
            return
        round_ = Round(self, edition)
        self.problems += round_.problems
        for rule in (
            round_.declared,
            round_.same_name,
            round_.other_name_becomes_preferred,
            round_.preferred_becomes_other_name,
            round_.same_but_for_case,
            round_.same_file,
            round_.same_words,
        ):
            rule()
        self._settle(edition, round_)
        self.documents = frozenset(edition.documents)

    def _pass_over(self, edition: Edition) -> None:
        """Adds a release without entries: all terms are marked as unread, not as removed."""
        step = Step(release=edition.release, state="unread")
        for thread in self.threads:
            thread.pass_over(len(self.editions), step)
        self._end(edition, {})

    def _settle(self, edition: Edition, round_: Round) -> None:
        """Adds this release to all threads. Entries that no rule matched start new threads."""
        now, release = len(self.editions), edition.release
        absent, unread = Step(release=release, state="absent"), Step(release=release, state="unread")
        for thread in [thread for thread in self.threads if thread not in round_.claimed]:
            if self._is_unknown(edition, thread):
                thread.pass_over(now, unread)
            else:
                thread.pass_over(now, absent)
                thread.live = False
        behind = _Behind(edition, self.editions)
        entries = {number: entry for entry, number in round_.again}
        for entry in round_.new:
            name = self.keys.preferred(entry)
            given = round_.given.get(id(entry))
            thread = given or self._begin(entry, name, round_, behind=behind[entry.place.name])
            if thread.entry is None or thread.entry.designations is not entry.designations:
                self._call(thread, entry, name)
            thread.define(now, Step(release, "defined", entry, round_.identities.get(id(entry))))
            entries[thread.number] = entry
        round_.mark_homonyms()
        self._end(edition, entries)

    def _end(self, edition: Edition, entries: dict[int, Entry]) -> None:
        self.editions.append(edition)
        self.entries.append(entries)
        self.standing = dict(zip(map(id, map(SAID, entries.values())), entries, strict=True))

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
        return home in edition.unread or (thread.live and _may_hide(edition, home, documents=self.documents))

    def _begin(self, entry: Entry, name: str, round_: Round, *, behind: Thread) -> Thread:
        thread = Thread(self._key(f"{self.source}:{name}"), len(self.threads), [*behind.turns], [*behind.turned])
        if split := round_.split_from(entry):
            origin, identity = split
            release = round_.edition.release
            thread.ties.append(
                Tie(kind="split", source=self.source, release=release, other=origin.key, identity=identity)
            )
        self.threads.append(thread)
        return thread

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
