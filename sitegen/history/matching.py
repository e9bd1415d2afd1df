"""Matches the entries of each release with the terms of the same source.

A `Round` matches the entries of one release with the existing `threads` of the source; an unmatched entry starts a
new thread. Rules apply in the order of their certainty: site.toml, the same name, another name, the same file of one
term, the same words, almost the same name, a name that tells the other. `merging` joins the threads of several
sources into terms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from operator import attrgetter
from pathlib import PurePosixPath

from sitegen.history import relations
from sitegen.history.likeness import DISTINCTIVE, closest
from sitegen.history.repetition import without_repetition
from sitegen.history.threads import TEXT, Chain, Declarations, Matches, Origin, Thread
from sitegen.model import Edition, Entry, Problem, Rename, Verdict
from sitegen.model.terms import Identity, Step, Tie
from sitegen.text import names
from sitegen.text.words import same_words, words_of


def chain_of(source: str, declarations: Declarations, editions: Iterable[Edition]) -> Chain:
    """Returns a `Chain` that has read these editions of a source; `declarations` are its renames and verdicts."""
    chain = Chain(source, declarations)
    for edition in editions:
        _read(chain, edition)
    return chain


def _read(chain: Chain, edition: Edition) -> None:
    """Matches the entries of the next release, and adds it."""
    if not edition.entries:
        chain.pass_over(edition)
        return
    matching = Round(chain, edition)
    chain.problems += matching.problems
    for rule in (
        matching.declared,
        matching.same_name,
        matching.other_name_becomes_preferred,
        matching.preferred_becomes_other_name,
        matching.same_file,
        matching.same_words,
        matching.almost_same_name,
        matching.same_name_as_before,
        matching.name_within_name,
    ):
        rule()
    chain.add(edition, matching.matches())


NAME, PATH = attrgetter("name"), attrgetter("place.name")

MIN_TERM_FILES = 3
"""The minimum number of documents with one term each by which terms are matched by their files."""


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
        """Returns the entries whose `EntryText` object and document name are the same as in the previous release.

        Leaves out entries whose name is, or was, shared by several threads.
        """
        threads, shared, before = self.chain.threads, self.chain.shared, self.chain.before
        numbers = map(self.chain.standing.get, map(id, map(TEXT, self.entries)))
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
        renamed = {rename: thread for rename in self.chain.declarations.renames if (thread := self._renamed(rename))}
        left = {thread.name for thread in renamed.values()}
        for rename, thread in renamed.items():
            self.chain.applied.add(rename)
            identity = Identity(rule="declared", reason=rename.reason)
            if thread in self.claimed:
                self._split(thread, self.keys.key(rename.new), identity)
            else:
                self._continue(thread, self.keys.key(rename.new), identity, left=left)
        for verdict in self.chain.declarations.verdicts:
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
        """Rule 2: the same preferred name. Several entries of one name are matched by their words."""
        self._same_name(lambda threads: any(thread.live for thread in threads))

    def same_name_as_before(self) -> None:
        """Rule 7: the name of a removed term, which is restored unless a better rule knows the entry."""
        self._same_name(lambda threads: True)

    def _same_name(self, may: Callable[[list[Thread]], bool]) -> None:
        waiting: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.unclaimed.values():
            name = self.keys.preferred(entry)
            if name in self.chain.by_name and may(self._of_name(name)):
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
        for key, entry in self.keys.all_admitted(self.entries):
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

    def same_file(self) -> None:
        """Rule 4: the same file, which has one term, as most files of its folder have."""
        before = _term_files(self.chain.before.values()) if self.unclaimed else frozenset()
        now = _term_files(self.entries) if before else frozenset()
        for key in (PATH, _stem):
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

    def almost_same_name(self) -> None:
        """Rule 6: one name is gone and one is new that differ in case, hyphens, spaces, a plural's s or a remark."""
        for entry, thread in self._one_of_each(lambda entry: names.loosely_folded(entry.name)):
            self._give(entry, thread)

    def name_within_name(self) -> None:
        """Rule 8: a name is gone, and a new one tells it: "Flow (formerly DAX)", "Gate or Barrier"."""
        told: dict[str, list[Entry]] = defaultdict(list)
        is_any_gone = any(thread.live and thread not in self.claimed for thread in self.chain.threads)
        for entry in self.new if is_any_gone else ():
            for name in names.names_within(entry.name):
                told[self.keys.key(name)].append(entry)
        for key, entries in told.items():
            for thread in [thread for thread in self._of_name(key) if thread.live and thread not in self.claimed]:
                if len(entries) == 1 and key not in self.names_now:
                    self._join(thread, entries)

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
        return not self.chain.declarations.distinct(thread.name, self.keys.preferred(entry))

    def matches(self) -> Matches:
        """Returns what the rules have matched."""
        unmatched = [entry for entry in self.new if id(entry) not in self.given]
        origins = ((id(entry), self._split_from(entry)) for entry in unmatched)
        return Matches(
            again=self.again,
            new=self.new,
            given=self.given,
            claimed=self.claimed,
            identities=self.identities,
            origins={id: origin for id, origin in origins if origin},
            has_homonyms=len(self.names_now) < len(self.entries),
        )

    def _split_from(self, entry: Entry) -> Origin | None:
        """Returns the thread from which this entry is split, with the declaration if there is one; otherwise None.

        A split is declared in site.toml, or the entry's name was another name of a term that still exists.
        """
        if id(entry) in self.splits:
            return self.splits[id(entry)]
        for thread in self.by_other_name.get(self.keys.preferred(entry), ()):
            if thread in self.claimed:
                return thread, None
        return None


def _term_files(entries: Iterable[Entry]) -> frozenset[str]:
    """Returns the documents that have one entry each; none if they are few, or have fewer entries than others."""
    number = Counter(map(PATH, entries))
    single = frozenset([name for name, count in number.items() if count == 1])
    return single if 2 * len(single) > number.total() and len(single) >= MIN_TERM_FILES else frozenset()


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
    """Pairs entries with threads of the same name, those with the most similar words first."""
    if len(entries) == 1 and len(threads) == 1:
        return [(entries[0], threads[0])]
    known = [(thread, thread.entry) for thread in threads if thread.entry]
    return [(entries[one], known[two][0]) for one, two in closest(entries, [entry for _, entry in known])]
