"""Matches the entries of each release with the terms of the same source.

Each release is a round: its entries are matched with the threads of the source so far, and an unmatched entry begins
a thread. Rules apply in the order of their certainty: site.toml, the same name, another name, the same
words. `merging` joins the threads of several sources into terms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from sitegen.history import relations
from sitegen.model import Edition, Entry, Problem, Rename, Source, Verdict
from sitegen.model.terms import Identity, Lane, Step, Tie
from sitegen.text import names
from sitegen.text.names import Keys
from sitegen.text.words import same_words, words_of

Named = tuple[Entry, str]
"""An entry with the key of its preferred name."""
Course = tuple[Source, tuple[str, ...], tuple[Entry | None, ...], list[int], list[Step]]
"""The parts of a lane: a source, the names of its releases, the entry of each, the turns, and the steps at turns."""
Member = tuple["Thread", Course]
"""A thread with the whole of it."""


@dataclass(eq=False, slots=True)
class Thread:
    """One term's life in one source, while it is being read."""

    key: str
    number: int = 0
    """Its place among the threads of its source."""
    turns: list[int] = field(default_factory=list)
    """As a lane has them."""
    turned: list[Step] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    homonyms: frozenset[str] = frozenset()
    """Keys of the threads that ever stood under its name beside it, and its own."""
    entry: Entry | None = None
    """The last entry that differed from the one before by more than release and line, even if the term is gone."""
    name: str = ""
    """Key of its preferred name."""
    other_names: tuple[str, ...] = ()
    """Keys of its other names."""
    live: bool = False
    """Defined at the last release that could be read."""
    merged_into: Thread | None = None

    @property
    def is_defined(self) -> bool:
        """True when it was defined at the last release."""
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
        """Adds the next release, from which on the term is part of another one."""
        self._turn(number, step)
        self.live, self.merged_into = False, into

    def _turn(self, number: int, step: Step) -> None:
        self.turns.append(number)
        self.turned.append(step)

    def course(self, source: Source, releases: tuple[str, ...], entries: tuple[Entry | None, ...]) -> Course:
        """Returns the parts of its lane; `entries` has the entry of each release."""
        return source, releases, entries, self.turns, self.turned


def lane(course: Course) -> Lane:
    """Returns the lane of a thread that is complete."""
    source, releases, entries, turns, turned = course
    return Lane(source=source, releases=releases, entries=entries, turns=tuple(turns), turned=tuple(turned))


def _says_the_same(one: Entry, two: Entry) -> bool:
    """True where nothing but the release and the line can differ, as between most releases."""
    return (one.said is two.said or one.said == two.said) and one.place.name == two.place.name


@dataclass(frozen=True, slots=True)
class Word:
    """Renames and verdicts that site.toml has for one source."""

    keys: Keys
    renames: tuple[Rename, ...]
    verdicts: tuple[Verdict, ...]

    def distinct(self, one: str, two: str) -> bool:
        return any(verdict.kind == "distinct" and {one, two} <= self._named(verdict) for verdict in self.verdicts)

    def same_as(self, name: str) -> tuple[str, ...]:
        """Returns the keys of names that site.toml says mean the same as this one."""
        said = (self._named(verdict) for verdict in self.verdicts if verdict.kind == "same")
        return tuple(sorted({other for named in said if name in named for other in named} - {name}))

    def _named(self, verdict: Verdict) -> set[str]:
        return {self.keys.key(name) for name in verdict.names}


def without_repetition(named: list[Named]) -> tuple[list[Named], list[Problem]]:
    """Returns the entries without those that say again, in the same words, what another of the same name said before.

    Each that defines a name again, in whatever words, is a problem.
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

DISTINCTIVE = 5
"""A definition of fewer words proves nothing about who is who."""


class Round:
    """Matches the entries of one release with the threads so far. Each rule matches entries that are still free."""

    def __init__(self, chain: Chain, edition: Edition) -> None:
        self.chain = chain
        self.keys = chain.keys
        self.edition = edition
        self.entries = edition.entries
        self.problems: list[Problem] = []
        self.again = self._said_again()
        """Entries that say what was said in the release before, with the numbers of the threads that go on so."""
        self.given = {id(entry): chain.threads[number] for entry, number in self.again}
        """Threads by the identity of their entries."""
        self.new = [entry for entry in self.entries if id(entry) not in self.given]
        self.names_now = {*self.keys.all_preferred(self.new), *map(NAME, self.given.values())}
        if len(self.names_now) < len(self.entries):
            self._compare_all()
        self.claimed = set(self.given.values())
        self.unclaimed = {id(entry): entry for entry in self.new}
        self.identities: dict[int, Identity] = {}
        """The rule by which an entry was matched, by id of the entry, if the page has to name it."""
        self.splits: dict[int, tuple[Thread, Identity]] = {}
        """Entries that begin a term split from another one, as site.toml declares."""
        # Living threads come before dead ones, so that a name goes to who has it now.
        self.sharing = {
            name: sorted(chain.by_name[name], key=lambda thread: (not thread.live, thread.number))
            for name in chain.shared
        }
        self.by_other_name: dict[str, list[Thread]] = defaultdict(list)
        for thread in [thread for thread in chain.threads if thread.other_names and thread.live]:
            for key in thread.other_names:
                self.by_other_name[key].append(thread)

    def _said_again(self) -> list[tuple[Entry, int]]:
        """What is the very same, in a document of the same name, where nobody else has the name of the thread."""
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
        """Where a name is defined twice, nothing is taken for granted."""
        named = [*zip(self.entries, self.keys.all_preferred(self.entries), strict=True)]
        kept, self.problems = without_repetition(named)
        self.entries = tuple([entry for entry, _ in kept])
        self.again, self.given, self.new = [], {}, [*self.entries]

    def _of_name(self, name: str) -> list[Thread]:
        """The threads that have a name, or had it last."""
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
        """Rule 1: site.toml says that one name was continued by another."""
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
        """Returns the thread that site.toml says continues under another name at this release."""
        if rename in self.chain.applied or rename.release not in ("", self.edition.release):
            return None
        old, new = self.keys.key(rename.old), self.keys.key(rename.new)
        thread = next((thread for thread in self._of_name(old) if thread.live), None)
        if thread is None or new not in self.names_now:
            return None
        stays = old in self.names_now and not (rename.release and self._is_taken(old, thread))
        return None if stays else thread

    def _is_taken(self, name: str, thread: Thread) -> bool:
        """True where what has the name of a thread now does not say what the thread said."""
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
        """Lets a thread go on under another name, or merge into the term that already has it.

        Nobody has a name any more who has just `left` it.
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
        """Lets an entry begin a term that was split from a thread, which an earlier declaration has continued."""
        entry = next(entry for entry in self.entries if self.keys.preferred(entry) == name)
        if id(entry) in self.unclaimed and not self._of_name(name):
            self.splits[id(entry)] = thread, identity
            del self.unclaimed[id(entry)]

    def same_name(self) -> None:
        """Rule 2: the same preferred name. Among several of one name, the same words decide, then their order."""
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
        """Rule 3: an entry's preferred name was another name of a term that has lost its own."""
        for entry in list(self.unclaimed.values()) if self.by_other_name else ():
            threads = [
                thread
                for thread in self.by_other_name.get(self.keys.preferred(entry), ())
                if thread not in self.claimed and self._may_join(thread, entry)
            ]
            if len(threads) == 1:
                self._give(entry, threads[0], Identity(rule="other name"))

    def preferred_becomes_other_name(self) -> None:
        """Rule 3: a term's preferred name became another name of an entry: continued by it, or merged into it.

        A term that was merged before stays where it is as long as its name is there.
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
        """Rule 2 where folding is ambiguous in general, yet only one of each is left over here."""
        for entry, thread in self._one_of_each(lambda entry: names.fold(entry.name)):
            self._give(entry, thread)

    def same_words(self) -> None:
        """Rule 4: one gone, one come, in consecutive releases, with the same distinctive words, and no others."""
        pairs = [*self._one_of_each(_distinctive_words)]
        if not pairs:
            return
        now = Counter(map(_words, self.entries))
        before = Counter(_words(thread.entry) for thread in self.chain.threads if thread.live and thread.entry)
        for entry, thread in pairs:
            if now[_words(entry)] == 1 and before[_words(entry)] == 1:
                self._give(entry, thread, Identity(rule="same words"))

    def _one_of_each(self, by: Callable[[Entry], Hashable]) -> Iterator[tuple[Entry, Thread]]:
        """Pairs of an entry that came and a thread that went, where no others came or went that are alike."""
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
        """Returns the term that lives on and from which this entry is split: as declared, or because the entry's name
        was another name of that term until now.
        """
        if id(entry) in self.splits:
            return self.splits[id(entry)]
        for thread in self.by_other_name.get(self.keys.preferred(entry), ()):
            if thread in self.claimed:
                return thread, None
        return None

    def mark_homonyms(self) -> None:
        """Notes which threads stand under one name in this release."""
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


def _words(entry: Entry) -> tuple[str, ...]:
    return words_of(entry.definition).keys


def _distinctive_words(entry: Entry) -> tuple[str, ...]:
    """The words of a definition; none where others may well say the same."""
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
    """Returns the threads of a source, by its id, its renames and verdicts, and its editions."""
    chain = Chain(source, word)
    for edition in editions:
        chain.read(edition)
    return chain


class Chain:
    """Follows one source from release to release, giving every entry to the thread that it continues."""

    def __init__(self, source: str, word: Word) -> None:
        self.source = source
        """Its id."""
        self.keys = word.keys
        self.word = word
        self.applied: set[Rename] = set()
        self.threads: list[Thread] = []
        self.by_name: dict[str, list[Thread]] = defaultdict(list)
        """All threads by the keys of their names."""
        self.shared: set[str] = set()
        """The names that several threads have, or had."""
        self.taken: dict[str, int] = {}
        """The keys of all threads, and up to which number there are others of the kind."""
        self.problems: list[Problem] = []
        self.editions: list[Edition] = []
        self.entries: list[dict[int, Entry]] = []
        """The entries of each release, by the numbers of their threads."""
        self.standing: dict[int, int] = {}
        """The id of each entry text of the last release, to the number of its thread."""
        self.documents: frozenset[str] = frozenset()

    @property
    def before(self) -> Mapping[int, Entry]:
        """The entries of the last release, by the numbers of their threads."""
        return self.entries[-1] if self.entries else {}

    def members(self, source: Source) -> list[Member]:
        """Returns every thread with the parts of its lane."""
        releases, numbers = tuple([edition.release for edition in self.editions]), range(len(self.threads))
        entries = zip(*[map(said.get, numbers) for said in self.entries], strict=True)
        return [
            (thread, thread.course(source, releases, said))
            for thread, said in zip(self.threads, entries, strict=True)
        ]

    def unused(self) -> Iterator[Problem]:
        """Yields a problem for each rename that fits no release."""
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
            round_.same_words,
        ):
            rule()
        self._settle(edition, round_)
        self.documents = frozenset(edition.documents)

    def _pass_over(self, edition: Edition) -> None:
        """A release that gave no entries at all is a gap in what we know, never a mass removal."""
        step = Step(release=edition.release, state="unread")
        for thread in self.threads:
            thread.pass_over(len(self.editions), step)
        self._end(edition, {})

    def _settle(self, edition: Edition, round_: Round) -> None:
        """Adds this release to all threads; entries that no rule matched begin new threads."""
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
        """True when a document that could not be read may well be the one that defines this term."""
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
        """A key that no thread has yet: the name, or with a number behind it."""
        key, number = name, self.taken.get(name, 1)
        while key in self.taken:
            number += 1
            key = f"{name}#{number}"
        self.taken[name] = number
        self.taken.setdefault(key, 1)
        return key


class _Behind(dict[str, Thread]):
    """The releases before a thread begins, as a thread, by the name of the document in which it begins."""

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
    """True when one of these documents may be called otherwise in an edition, and be what could not be read there."""
    return not documents.issuperset(edition.unread) and home not in edition.documents
