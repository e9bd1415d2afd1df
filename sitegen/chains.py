"""One source from release to release: which entry continues which term.

The rules are tried in the order of their certainty: a person's word, the same name, another name, the same words.
Each release is a round in which entries meet the threads so far; entries that nobody claims begin threads. Of a
glossary at work only the newest edition changes: what those before it came to is known from another time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice

from sitegen import names, relations
from sitegen.known import Known
from sitegen.lives import Identity, Step, Tie
from sitegen.model import Edition, Entry, Problem, Rename, Verdict
from sitegen.repetition import without_repetition
from sitegen.threads import Named, Thread, Word
from sitegen.words import same_words, words_of

Given = tuple[str, Word, tuple[Edition, ...]]
"""A source's id, what a person says about it, and its editions."""

DISTINCTIVE = 5
"""A definition of fewer words proves nothing about who is who."""


def chains(sources: Iterable[Given], known: Known) -> tuple[Chain, ...]:
    """Returns what the editions of each source come to. For the next time, all but the newest ones are remembered."""
    sources = tuple(sources)
    beginnings = [(source, word, editions[:-1]) for source, word, editions in sources]
    begun = known.each(_begun, beginnings)
    return tuple(
        _read(chain.continued(word), editions[-1:]) for chain, (_, word, editions) in zip(begun, sources, strict=True)
    )


def _begun(given: Given, _known: Known) -> Chain:
    source, word, editions = given
    return _read(Chain(source, word), editions)


def _read(chain: Chain, editions: Iterable[Edition]) -> Chain:
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
        self.taken: set[str] = set()
        """The keys of all threads."""
        self.problems: list[Problem] = []
        self.unborn = Thread("")
        """What a thread that begins now has behind it."""
        self.documents: frozenset[str] = frozenset()

    def continued(self, word: Word) -> Chain:
        """Returns another that goes on from here, with the same word as it is written now."""
        chain = Chain(self.source, word)
        chain.threads = twins = [thread.twin() for thread in self.threads]
        for twin in twins:
            twin.merged_into = twins[twin.merged_into.number] if twin.merged_into else None
        for name, threads in self.by_name.items():
            chain.by_name[name] = [twins[thread.number] for thread in threads]
        chain.unborn = self.unborn.twin()
        chain.applied, chain.taken = {*self.applied}, {*self.taken}
        chain.problems, chain.documents = [*self.problems], self.documents
        return chain

    def unused(self) -> Iterator[Problem]:
        """Yields what a person said that fits no release."""
        for rename in self.word.renames:
            if rename not in self.applied:
                yield Problem(
                    path="site.toml",
                    line=rename.line,
                    found=f"[[rename]] {rename.old!r} to {rename.new!r} in {self.source} fits no release",
                    wanted="the old name must be defined before and gone at that release, the new one defined there",
                )

    def read(self, edition: Edition) -> None:
        """Takes the next release."""
        if not edition.entries:
            self._pass_over(edition)
            return
        named = list(zip(edition.entries, self.keys.all_preferred(edition.entries), strict=True))
        said, problems = without_repetition(named)
        self.problems += problems
        round_ = _Round(self, edition, said)
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
        for thread in (*self.threads, self.unborn):
            thread.pass_over(step)

    def _settle(self, edition: Edition, round_: _Round) -> None:
        """Writes this release's step into every thread; entries nobody claimed begin threads of their own."""
        absent = Step(release=edition.release, state="absent")
        for thread in [thread for thread in self.threads if thread not in round_.claimed]:
            thread.pass_over(self._missing(edition, thread) or absent)
        release, given, identities = edition.release, round_.given, round_.identities
        for entry, name in round_.named:
            number = id(entry)
            thread = given.get(number) or self._begin(entry, name, round_)
            if thread.entry is None or thread.entry.designations is not entry.designations:
                self._call(thread, entry, name)
            thread.define(entry, Step(release, "defined", entry, identities.get(number)))
        round_.mark_homonyms()
        self.unborn.pass_over(absent)

    def _call(self, thread: Thread, entry: Entry, name: str) -> None:
        """Lets a thread be known by the names of its next entry."""
        thread.other_names = self.keys.admitted(entry)
        if thread.name != name:
            if thread.entry:
                self.by_name[thread.name].remove(thread)
            thread.name = name
            self.by_name[name].append(thread)

    def _missing(self, edition: Edition, thread: Thread) -> Step | None:
        """What is known of a thread without an entry in this release; None when it is gone."""
        if self._unknown(edition, thread):
            return Step(release=edition.release, state="unread")
        thread.live = False
        return None

    def _unknown(self, edition: Edition, thread: Thread) -> bool:
        """True when a document that could not be read may well be the one that defines this term."""
        if not edition.unread or not thread.live or thread.entry is None:
            return False
        home = thread.entry.citation.name
        moved = home not in edition.documents and not set(edition.unread) <= self.documents
        return home in edition.unread or moved

    def _begin(self, entry: Entry, name: str, round_: _Round) -> Thread:
        base = f"{self.source}:{name}"
        key = next(key for key in _numbered(base) if key not in self.taken)
        self.taken.add(key)
        thread = Thread(key, len(self.threads), list(self.unborn.steps), list(self.unborn.turns))
        if origin := round_.split_from(entry):
            thread.ties.append(
                Tie(kind="split", source=self.source, release=round_.edition.release, other=origin.key)
            )
        self.threads.append(thread)
        return thread


def _numbered(base: str) -> Iterable[str]:
    yield base
    number = 2
    while True:
        yield f"{base}#{number}"
        number += 1


class _Round:
    """One release's entries meeting the threads so far. Each rule gives entries that nobody has claimed yet."""

    def __init__(self, chain: Chain, edition: Edition, named: list[Named]) -> None:
        self.chain = chain
        self.keys = chain.keys
        self.edition = edition
        self.named = named
        self.entries = [entry for entry, _ in named]
        numbers = tuple(map(id, self.entries))
        self.given: dict[int, Thread] = {}
        self.identities: dict[int, Identity] = {}
        """How it is known whose entries these are, where a rule says so that has to be told."""
        self.unclaimed = dict(zip(numbers, self.entries, strict=True))
        self.claimed: set[Thread] = set()
        self.preferred = dict(zip(numbers, [name for _, name in named], strict=True))
        self.names_now = set(self.preferred.values())
        # Living threads come before dead ones, so that a name goes to who has it now.
        self.sharing = {
            name: sorted(threads, key=lambda thread: (not thread.live, thread.number))
            for name, threads in chain.by_name.items()
            if len(threads) > 1
        }
        self.by_other_name: dict[str, list[Thread]] = defaultdict(list)
        for thread in [thread for thread in chain.threads if thread.other_names and thread.live]:
            for key in thread.other_names:
                self.by_other_name[key].append(thread)

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
        thread.pass_over(Step(release=self.edition.release, state="absent"))
        thread.live, thread.merged_into = False, into
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
        for rename in self.chain.word.renames:
            if rename in self.chain.applied or rename.release not in ("", self.edition.release):
                continue
            old, new = self.keys.key(rename.old), self.keys.key(rename.new)
            thread = next((thread for thread in self._of_name(old) if thread.live), None)
            if thread is None or old in self.names_now or new not in self.names_now:
                continue
            self.chain.applied.add(rename)
            self._continue(thread, new, Identity(rule="declared", reason=rename.reason))
        for verdict in self.chain.word.verdicts:
            if verdict.kind == "same":
                self._same(verdict)

    def _same(self, verdict: Verdict) -> None:
        named = [self.keys.key(name) for name in verdict.names]
        gone = [self._of_name(key)[0] for key in named if key not in self.names_now and self._of_name(key)]
        here = [key for key in named if key in self.names_now]
        for thread in gone:
            if here and thread not in self.claimed and thread.live:
                self._continue(thread, here[0], Identity(rule="declared", reason=verdict.reason))

    def _continue(self, thread: Thread, name: str, identity: Identity) -> None:
        """Lets a thread go on under another name, or merge into the term that already has it."""
        entry = next(entry for entry in self.entries if self.preferred[id(entry)] == name)
        holder = next((holder for holder in self._of_name(name) if holder.live), None)
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
        if len(self.names_now) == len(self.entries):
            self._give_all(self._alone())
        waiting: dict[str, list[Entry]] = defaultdict(list)
        for number, entry in self.unclaimed.items():
            waiting[self.preferred[number]].append(entry)
        for name, entries in waiting.items():
            threads = [thread for thread in self._of_name(name) if thread not in self.claimed]
            for entry, thread in _pair(entries, threads):
                self._give(entry, thread)

    def _alone(self) -> dict[int, Thread]:
        """Threads that are the only one of their name, by the numbers of entries that are as well: most of them."""
        by_name, preferred, claimed = self.chain.by_name, self.preferred, self.claimed
        return {
            number: threads[0]
            for number in self.unclaimed
            if (threads := by_name.get(preferred[number])) and len(threads) == 1 and threads[0] not in claimed
        }

    def _give_all(self, given: dict[int, Thread]) -> None:
        self.given |= given
        self.claimed.update(given.values())
        self.unclaimed = {number: entry for number, entry in self.unclaimed.items() if number not in given}

    def other_name_becomes_preferred(self) -> None:
        """Rule 3: an entry's preferred name was another name of a term that has lost its own."""
        for entry in list(self.unclaimed.values()):
            threads = [
                thread
                for thread in self.by_other_name[self.preferred[id(entry)]]
                if thread not in self.claimed and self._may_join(thread, entry)
            ]
            if len(threads) == 1:
                self._give(entry, threads[0], Identity(rule="other name"))

    def preferred_becomes_other_name(self) -> None:
        """Rule 3: a term's preferred name became another name of an entry: continued by it, or merged into it."""
        for entry in [entry for entry in self.entries if len(entry.designations) > 1]:
            for key in self.keys.admitted(entry):
                if key in self.names_now:
                    continue
                for thread in self._of_name(key):
                    if thread in self.claimed or not self._may_join(thread, entry):
                        continue
                    if id(entry) not in self.given:
                        self._give(entry, thread, Identity(rule="other name"))
                    elif thread.merged_into is not self.given[id(entry)]:
                        self._merge(thread, self.given[id(entry)], Identity(rule="other name"))

    def same_but_for_case(self) -> None:
        """Rule 2 where folding is ambiguous in general, yet only one of each is left over here."""
        for entry, thread in self._one_of_each(lambda entry: names.fold(entry.name)):
            self._give(entry, thread)

    def same_words(self) -> None:
        """Rule 4: one gone, one come, in consecutive releases, with the same distinctive words and nobody else."""
        for entry, thread in self._one_of_each(_distinctive_words):
            before = (thread.entry for thread in self.chain.threads if thread.live and thread.entry)
            if _is_alone(entry, self.entries) and _is_alone(entry, before):
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
        return not self.chain.word.distinct(thread.name, self.preferred[id(entry)])

    def split_from(self, entry: Entry) -> Thread | None:
        """The term of which this entry's name was another name until now, and which lives on."""
        for thread in self.by_other_name[self.preferred[id(entry)]]:
            if thread in self.claimed:
                return thread
        return None

    def mark_homonyms(self) -> None:
        """Notes which threads stand under one name in this release."""
        if len(self.names_now) == len(self.entries):
            return
        sharing: dict[str, list[Thread]] = defaultdict(list)
        for thread in self.chain.threads:
            if thread.steps[-1].entry:
                sharing[thread.name].append(thread)
        for threads in sharing.values():
            for thread in threads:
                thread.homonyms.update(other.key for other in threads if other is not thread)


def _distinctive_words(entry: Entry) -> tuple[str, ...]:
    """The words of a definition; none where others may well say the same."""
    words = words_of(entry.definition).keys
    return words if len(words) >= DISTINCTIVE and relations.synonym_of(entry.definition) is None else ()


def _is_alone(entry: Entry, entries: Iterable[Entry]) -> bool:
    """True when at most one of the entries says the same words."""
    words = words_of(entry.definition).keys
    same = (other for other in entries if words_of(other.definition).keys == words)
    return len(list(islice(same, 2))) < 2


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
