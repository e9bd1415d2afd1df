"""One release's entries meeting the threads of a source so far: the rules of who continues whom.

They are tried in the order of their certainty: a person's word, the same name, another name, the same words. Most
entries say the very same as in the release before: they go on, and no rule looks at them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from sitegen import names, relations
from sitegen.lives import Identity, Step, Tie
from sitegen.model import Edition, Entry, Problem, Rename, Verdict
from sitegen.repetition import without_repetition
from sitegen.threads import Thread
from sitegen.words import same_words, words_of

if TYPE_CHECKING:
    from sitegen.chains import Chain

SAID, NAME = attrgetter("said"), attrgetter("name")

DISTINCTIVE = 5
"""A definition of fewer words proves nothing about who is who."""


class Round:
    """One release's entries meeting the threads so far. Each rule gives entries that nobody has claimed yet."""

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
        """How it is known whose entries these are, where a rule says so that has to be told."""
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
        """Rule 1: a person says that one name was continued by another."""
        renamed = {rename: thread for rename in self.chain.word.renames if (thread := self._renamed(rename))}
        left = {thread.name for thread in renamed.values()}
        for rename, thread in renamed.items():
            self.chain.applied.add(rename)
            identity = Identity(rule="declared", reason=rename.reason)
            self._continue(thread, self.keys.key(rename.new), identity, left=left)
        for verdict in self.chain.word.verdicts:
            if verdict.kind == "same":
                self._same(verdict)

    def _renamed(self, rename: Rename) -> Thread | None:
        """The thread that a person says goes on under another name, if this is where it does."""
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
        for entry in [entry for entry in self.entries if len(entry.said.designations) > 1]:
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
        """Rule 4: one gone, one come, in consecutive releases, with the same distinctive words and nobody else."""
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

    def split_from(self, entry: Entry) -> Thread | None:
        """The term of which this entry's name was another name until now, and which lives on."""
        for thread in self.by_other_name.get(self.keys.preferred(entry), ()):
            if thread in self.claimed:
                return thread
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
