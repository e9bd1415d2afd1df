"""Matches the entries of each release of a source with its terms.

A `Thread` is one term in one source while the releases are read. A `Chain` has the threads of a source, and adds one
release after another to them. A `Round` matches the entries of one release with the threads; an unmatched entry
starts a new thread. Rules apply in the order of their certainty: site.toml, the same name, another name, the same
file of one term, the same words, almost the same name, a name that tells the other. `merging` joins the threads of
several sources into terms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Literal

from sitegen.history import relations
from sitegen.history.likeness import DISTINCTIVE, closest
from sitegen.model import Edition, Entry, Problem, Rename, Source, Verdict
from sitegen.model.terms import Identity, Lane, Step, Tie
from sitegen.text import names
from sitegen.text.names import Keys
from sitegen.text.words import same_words, words_of

MIN_TERM_FILES = 3
"""The minimum number of documents with one term each by which terms are matched by their files."""

NAME, PATH, TEXT = attrgetter("name"), attrgetter("place.name"), attrgetter("text")


@dataclass(eq=False, slots=True)
class Thread:
    """One term in one source, while the releases are being read. It becomes a `Lane` at the end."""

    key: str
    number: int
    """Its index among the threads of its source."""
    turns: list[int]
    """The same as `Lane.turns`."""
    turned: list[Step]
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

    def turn(self, number: int, step: Step) -> None:
        """Adds a release at which the term is not as in the release before."""
        self.turns.append(number)
        self.turned.append(step)

    def define(self, number: int, step: Step) -> None:
        """Adds the next release, which defines the term."""
        old, new = self.entry, step.entry
        assert new
        # In most consecutive releases, the entries differ at most by release and line.
        is_equal = old and (old.text is new.text or old.text == new.text) and old.place.name == new.place.name
        if not is_equal or not self.is_defined:
            self.turn(number, step)
        self.entry, self.live, self.merged_into = new, True, None

    def pass_over(self, number: int, step: Step) -> None:
        """Adds the next release, which does not define the term, or could not be read."""
        if not self.turned or self.turned[-1].state != step.state:
            self.turn(number, step)


class Declarations:
    """The renames and verdicts in site.toml that apply to one source, with the keys of the names of each verdict."""

    def __init__(self, source: Source, keys: Keys, renames: Iterable[Rename], verdicts: Iterable[Verdict]) -> None:
        self.keys = keys
        self.renames = tuple(rename for rename in renames if rename.source == source.id)
        named = [(one, tuple(map(keys.key, one.names))) for one in verdicts if one.source in ("", source.id)]
        self.same = [(verdict, keys) for verdict, keys in named if verdict.kind == "same"]
        self._distinct = [{*keys} for verdict, keys in named if verdict.kind == "distinct"]

    def distinct(self, first: str, second: str) -> bool:
        return any({first, second} <= keys for keys in self._distinct)

    def same_as(self, name: str) -> tuple[str, ...]:
        """Returns the keys of the names that a `[[same]]` in site.toml equates with this key."""
        return tuple(sorted({other for _, keys in self.same if name in keys for other in keys} - {name}))


class Chain:
    """The threads of one source after the releases that were read so far, in order."""

    def __init__(self, source: Source, declarations: Declarations) -> None:
        self.source = source
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
        self.numbers_by_text: dict[int, int] = {}
        """Maps the id of each `EntryText` object of the last release to the number of its thread."""
        self.documents: frozenset[str] = frozenset()

    @property
    def last_entries(self) -> Mapping[int, Entry]:
        """The entries of the last release, by the numbers of their threads."""
        return self.entries[-1] if self.entries else {}

    def lanes(self) -> list[tuple[Thread, Lane]]:
        """Returns every thread with its lane."""
        releases, numbers = tuple([edition.release for edition in self.editions]), range(len(self.threads))
        entries = zip(*[map(row.get, numbers) for row in self.entries], strict=True)
        return [
            (
                thread,
                Lane(
                    source=self.source,
                    releases=releases,
                    turns=tuple(thread.turns),
                    turned=tuple(thread.turned),
                    entries=of_thread,
                ),
            )
            for thread, of_thread in zip(self.threads, entries, strict=True)
        ]

    def unused(self) -> Iterator[Problem]:
        """Yields a problem for each rename that applied to no release."""
        for rename in self.declarations.renames:
            if rename not in self.applied:
                yield Problem(
                    path="site.toml",
                    line=rename.line,
                    found=f"[[rename]] {rename.old!r} to {rename.new!r} in {self.source.id} fits no release",
                    wanted="the old name must be defined before, the new one at that release, and the old one "
                    "must be gone there, or another term's, for which release has to say where",
                )

    def read(self, edition: Edition) -> None:
        """Adds the next release to all threads. Its entries without a match start new threads."""
        entries: dict[int, Entry] = {}
        if edition.entries:
            matched = Round(self, edition)
            matched.apply_rules()
            self.problems += matched.problems
            self._pass_over(edition, matched.claimed)
            entries = self._define(edition, matched)
            if len(matched.names_now) < len(matched.entries):
                self._mark_homonyms()
            self.documents = frozenset(edition.documents)
        else:  # All terms are unread, not removed.
            step = Step(edition.release, "unread")
            for thread in self.threads:
                thread.pass_over(len(self.editions), step)
        self.editions.append(edition)
        self.entries.append(entries)
        self.numbers_by_text = dict(zip(map(id, map(TEXT, entries.values())), entries, strict=True))

    def _pass_over(self, edition: Edition, claimed: Collection[Thread]) -> None:
        """Adds a release to the threads that it does not continue."""
        absent, unread = Step(edition.release, "absent"), Step(edition.release, "unread")
        for thread in [thread for thread in self.threads if thread not in claimed]:
            if self._is_unknown(edition, thread):
                thread.pass_over(len(self.editions), unread)
            else:
                thread.pass_over(len(self.editions), absent)
                thread.live = False

    def _is_unknown(self, edition: Edition, thread: Thread) -> bool:
        """True if a document that could not be read may define this term."""
        assert thread.entry
        home = thread.entry.place.name
        if (home, thread.entry.name) in edition.kept_as_text:
            return True
        return home in edition.unread or (thread.live and _may_hide(edition, home, documents=self.documents))

    def _define(self, edition: Edition, matched: Round) -> dict[int, Entry]:
        """Adds a release to the threads that it defines, and returns its entries by the numbers of their threads."""
        documents = frozenset((*edition.documents, *edition.unread))
        steps_before = cache(lambda home: self._steps_before(home, documents=documents))
        entries = {number: entry for entry, number in matched.again}
        for entry in matched.new:
            name, thread = self.keys.preferred(entry), matched.thread_of.get(id(entry))
            if thread is None:
                turns, turned = steps_before(entry.place.name)
                key = self._unused_key(f"{self.source.id}:{name}")
                thread = Thread(key, len(self.threads), [*turns], [*turned], ties=matched.split_ties(entry))
                self.threads.append(thread)
            if thread.entry is None or thread.entry.designations is not entry.designations:
                self._index(thread, entry, name)
            identity = matched.identities.get(id(entry))
            thread.define(len(self.editions), Step(edition.release, "defined", entry, identity))
            entries[thread.number] = entry
        return entries

    def _steps_before(self, home: str, *, documents: frozenset[str]) -> tuple[list[int], list[Step]]:
        """Returns the turns of a new thread of the document `home` before this release, which has these documents."""
        thread = Thread("", 0, [], [])
        for number, edition in enumerate(self.editions):
            is_unread = not edition.entries or home in edition.unread
            is_unknown = is_unread or _may_hide(edition, home, documents=documents)
            thread.pass_over(number, Step(edition.release, "unread" if is_unknown else "absent"))
        return thread.turns, thread.turned

    def _index(self, thread: Thread, entry: Entry, name: str) -> None:
        """Indexes a thread by the names of its next entry."""
        thread.other_names = self.keys.admitted(entry)
        if thread.name != name:
            if thread.entry:
                self.by_name[thread.name].remove(thread)
            thread.name = name
            self.by_name[name].append(thread)
            if len(self.by_name[name]) > 1:
                self.shared.add(name)

    def _mark_homonyms(self) -> None:
        """Updates `homonyms` of the threads that share a name in this release."""
        sharing: dict[str, list[Thread]] = defaultdict(list)
        for thread in self.threads:
            if thread.is_defined:
                sharing[thread.name].append(thread)
        for threads in sharing.values():
            together = frozenset([thread.key for thread in threads])
            for thread in threads if len(threads) > 1 else ():
                # Thousands of threads can have one name, so they share the set.
                thread.homonyms = together if thread.homonyms <= together else thread.homonyms | together

    def _unused_key(self, name: str) -> str:
        """Returns the name as a key, with a number appended if the name is in use."""
        key, number = name, self.taken.get(name, 1)
        while key in self.taken:
            number += 1
            key = f"{name}#{number}"
        self.taken[name] = number
        self.taken.setdefault(key, 1)
        return key


def _may_hide(edition: Edition, home: str, *, documents: frozenset[str]) -> bool:
    """True if an unread document of the edition may be `home` under another path.

    That is the case if the edition has no document `home`, and has an unread document that is not in `documents`.
    """
    return not documents.issuperset(edition.unread) and home not in edition.documents


class Round:
    """Matches the entries of one release with the existing threads. Each rule only matches unclaimed entries."""

    def __init__(self, chain: Chain, edition: Edition) -> None:
        self.chain = chain
        self.keys = chain.keys
        self.edition = edition
        self.entries: Collection[Entry] = edition.entries
        self.problems: list[Problem] = []
        self.again = self._unchanged()
        """Entries that are the same as in the previous release, with the numbers of their threads."""
        self.thread_of = {id(entry): chain.threads[number] for entry, number in self.again}
        """Maps the id of each matched entry to its thread."""
        self.new = [entry for entry in self.entries if id(entry) not in self.thread_of]
        """All other entries."""
        self.names_now = {*self.keys.all_preferred(self.new), *map(NAME, self.thread_of.values())}
        if len(self.names_now) < len(self.entries):  # Some name is defined twice, so that all entries are compared.
            self.entries, self.problems = without_repetition(self.entries, self.keys)
            self.again, self.thread_of, self.new = [], {}, [*self.entries]
        self.claimed = set(self.thread_of.values())
        """The threads that continue, or were merged into another one."""
        self.unclaimed = {id(entry): entry for entry in self.new}
        self.identities: dict[int, Identity] = {}
        """Maps the id of an entry to the rule that matched it, if the page shows that rule."""
        self.splits: dict[int, tuple[Thread, Identity]] = {}
        """Maps the id of an entry to the thread from which its term was split, as declared in site.toml."""
        self.by_other_name: dict[str, list[Thread]] = defaultdict(list)
        for thread in [thread for thread in chain.threads if thread.other_names and thread.live]:
            for key in thread.other_names:
                self.by_other_name[key].append(thread)

    def apply_rules(self) -> None:
        self.declared()
        self.same_name()
        self.other_name_becomes_preferred()
        self.preferred_becomes_other_name()
        self.same_file()
        self.same_words()
        self.almost_same_name()
        self.same_name(of_removed=True)
        self.name_within_name()

    def split_ties(self, entry: Entry) -> list[Tie]:
        """Returns the tie of an unmatched entry to the thread from which it is split, if there is one.

        A split is declared in site.toml, or the entry's name was another name of a term that still exists.
        """
        candidates = self.by_other_name.get(self.keys.preferred(entry), ())
        existing = [(thread, None) for thread in candidates if thread in self.claimed]
        splits = [self.splits[id(entry)]] if id(entry) in self.splits else existing[:1]
        return [self._tie("split", original, identity) for original, identity in splits]

    def _tie(self, kind: Literal["merged", "split"], other: Thread, identity: Identity | None) -> Tie:
        source, release = self.chain.source.id, self.edition.release
        return Tie(kind=kind, source=source, release=release, other=other.key, identity=identity)

    def _unchanged(self) -> list[tuple[Entry, int]]:
        """Returns the entries whose `EntryText` object and document name are the same as in the previous release.

        Leaves out entries whose name is, or was, shared by several threads.
        """
        threads, shared, previous = self.chain.threads, self.chain.shared, self.chain.last_entries
        numbers = map(self.chain.numbers_by_text.get, map(id, map(TEXT, self.entries)))
        return [
            (entry, number)
            for entry, number in zip(self.entries, numbers, strict=True)
            if number is not None
            and previous[number].place.name == entry.place.name
            and threads[number].name not in shared
        ]

    def _of_name(self, name: str) -> list[Thread]:
        """Returns the threads whose current or last name this is, live ones first."""
        threads = self.chain.by_name.get(name, [])
        return sorted(threads, key=lambda thread: (not thread.live, thread.number)) if len(threads) > 1 else threads

    def _named(self, name: str) -> Entry:
        return next(entry for entry in self.entries if self.keys.preferred(entry) == name)

    def _claim(self, entry: Entry, thread: Thread, identity: Identity | None = None) -> None:
        """Continues a thread with an entry."""
        self.thread_of[id(entry)] = thread
        if identity:
            self.identities[id(entry)] = identity
        self.claimed.add(thread)
        del self.unclaimed[id(entry)]

    def _merge(self, thread: Thread, into: Thread, identity: Identity) -> None:
        self.claimed.add(thread)
        thread.turn(len(self.chain.editions), Step(self.edition.release, "absent"))
        thread.live, thread.merged_into = False, into
        thread.ties.append(self._tie("merged", into, identity))

    def declared(self) -> None:
        """Rule 1: site.toml declares that a term continues under another name."""
        renamed = {rename: thread for rename in self.chain.declarations.renames if (thread := self._renamed(rename))}
        left = {thread.name for thread in renamed.values()}
        for rename, thread in renamed.items():
            self.chain.applied.add(rename)
            name, identity = self.keys.key(rename.new), Identity(rule="declared", reason=rename.reason)
            entry = self._named(name)
            if thread not in self.claimed:
                self._continue(thread, name, identity, left=left)
            elif id(entry) in self.unclaimed and not self._of_name(name):
                # An earlier declaration continued the thread already: another term begins, split from it.
                self.splits[id(entry)] = thread, identity
                del self.unclaimed[id(entry)]
        for verdict, keys in self.chain.declarations.same:
            missing = [self._of_name(name)[0] for name in keys if name not in self.names_now and self._of_name(name)]
            present = [name for name in keys if name in self.names_now]
            for thread in missing if present else ():
                if thread not in self.claimed and thread.live:
                    self._continue(thread, present[0], Identity(rule="declared", reason=verdict.reason))

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

    def _continue(self, thread: Thread, name: str, identity: Identity, *, left: Collection[str] = ()) -> None:
        """Continues a thread under another name, or merges it into the thread that already has that name.

        Names in `left` were just given up by renames, so the threads that had them do not count.
        """
        entry = self._named(name)
        holder = self.thread_of.get(id(entry)) or next(
            (holder for holder in self._of_name(name) if holder.live and name not in left), None
        )
        if holder is None:
            self._claim(entry, thread, identity)
        elif holder is not thread:
            if holder not in self.claimed:
                self._claim(entry, holder)
            self._merge(thread, holder, identity)

    def same_name(self, *, of_removed: bool = False) -> None:
        """Rule 2: the same preferred name. Several entries of one name are matched by their words.

        Rule 7: the name of a removed term, which is restored unless a better rule knows the entry.
        """
        waiting: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.unclaimed.values():
            if (name := self.keys.preferred(entry)) in self.chain.by_name:
                waiting[name].append(entry)
        for name, entries in waiting.items():
            threads = self._of_name(name)
            if of_removed or any(thread.live for thread in threads):
                for entry, thread in _pairs(entries, [thread for thread in threads if thread not in self.claimed]):
                    self._claim(entry, thread)

    def other_name_becomes_preferred(self) -> None:
        """Rule 3: an entry's preferred name was another name of a term whose preferred name is gone."""
        for entry in list(self.unclaimed.values()) if self.by_other_name else ():
            threads = [
                thread
                for thread in self.by_other_name.get(self.keys.preferred(entry), ())
                if thread not in self.claimed and self._may_join(thread, entry)
            ]
            if len(threads) == 1:
                self._claim(entry, threads[0], Identity(rule="other name"))

    def preferred_becomes_other_name(self) -> None:
        """Rule 3: a term's preferred name became another name of an entry, which continues the term or absorbs it.

        A term that was merged earlier stays merged as long as the other term has its name.
        """
        by_name: dict[str, list[Entry]] = defaultdict(list)
        for key, entry in self.keys.all_admitted(self.entries):
            if key not in self.names_now:
                by_name[key].append(entry)
        for key, entries in by_name.items():
            for thread in [thread for thread in self._of_name(key) if thread not in self.claimed]:
                holders = [self.thread_of.get(id(entry)) for entry in entries]
                if thread.merged_into is None or thread.merged_into not in holders:
                    self._join(thread, entries)

    def _join(self, thread: Thread, entries: Iterable[Entry]) -> None:
        """Continues a thread with the first entry that may be the same term, or merges it into the entry's thread."""
        entry = next((entry for entry in entries if self._may_join(thread, entry)), None)
        if entry is None:
            return
        if id(entry) in self.thread_of:
            self._merge(thread, self.thread_of[id(entry)], Identity(rule="other name"))
        else:
            self._claim(entry, thread, Identity(rule="other name"))

    def same_file(self) -> None:
        """Rule 4: the same file, which has one term, as most files of its folder have."""
        earlier = _term_files(self.chain.last_entries.values()) if self.unclaimed else frozenset()
        current = _term_files(self.entries) if earlier else frozenset()
        for key in (PATH, _stem) if current else ():
            for entry, thread in self._one_of_each(key):
                if entry.place.name in current and thread.entry and thread.entry.place.name in earlier:
                    self._claim(entry, thread, Identity(rule="same file"))

    def same_words(self) -> None:
        """Rule 5: one term was removed and one added in consecutive releases, and no others have the same words.

        The definition must be distinctive (`_distinctive_words`).
        """
        pairs = self._one_of_each(_distinctive_words)
        if not pairs:
            return
        current = Counter(map(_words, self.entries))
        earlier = Counter(_words(thread.entry) for thread in self.chain.threads if thread.live and thread.entry)
        for entry, thread in pairs:
            if current[_words(entry)] == 1 and earlier[_words(entry)] == 1:
                self._claim(entry, thread, Identity(rule="same words"))

    def almost_same_name(self) -> None:
        """Rule 6: one name is gone and one is new that differ in case, hyphens, spaces, a plural's s or a remark."""
        for entry, thread in self._one_of_each(lambda entry: names.loosely_folded(entry.name)):
            self._claim(entry, thread)

    def name_within_name(self) -> None:
        """Rule 8: a name is gone, and a new one contains it: "Flow (formerly DAX)", "Gate or Barrier"."""
        by_inner_name: dict[str, list[Entry]] = defaultdict(list)
        is_any_missing = any(thread.live and thread not in self.claimed for thread in self.chain.threads)
        for entry in self.new if is_any_missing else ():
            for name in names.names_within(entry.name):
                by_inner_name[self.keys.key(name)].append(entry)
        for key, entries in by_inner_name.items():
            for thread in [thread for thread in self._of_name(key) if thread.live and thread not in self.claimed]:
                if len(entries) == 1 and key not in self.names_now:
                    self._join(thread, entries)

    def _one_of_each(self, by: Callable[[Entry], Hashable]) -> list[tuple[Entry, Thread]]:
        """Returns pairs of an unclaimed entry and an unclaimed live thread that alone have the same value of `by`."""
        old: dict[Hashable, list[Thread]] = defaultdict(list)
        for thread in self.chain.threads if self.unclaimed else ():
            if thread.live and thread not in self.claimed and thread.entry:
                old[by(thread.entry)].append(thread)
        new: dict[Hashable, list[Entry]] = defaultdict(list)
        for entry in self.unclaimed.values() if old else ():
            new[by(entry)].append(entry)
        pairs = [(new[value][0], old[value][0]) for value in new if value and len(new[value]) == len(old[value]) == 1]
        return [(entry, thread) for entry, thread in pairs if self._may_join(thread, entry)]

    def _may_join(self, thread: Thread, entry: Entry) -> bool:
        return not self.chain.declarations.distinct(thread.name, self.keys.preferred(entry))


def without_repetition(entries: Iterable[Entry], keys: Keys) -> tuple[list[Entry], list[Problem]]:
    """Returns the entries without duplicates: entries with the name and the words of an earlier one.

    Every entry that defines a name again is reported as a problem, also if its words differ.
    """
    named = [(entry, keys.preferred(entry)) for entry in entries]
    times = Counter(name for _, name in named)
    first: dict[str, Entry] = {}
    alike: dict[tuple[str, tuple[str, ...]], list[Entry]] = defaultdict(list)
    kept, problems = [], []
    for entry, name in named:
        twins = alike[name, _words(entry)] if times[name] > 1 else []
        twin = next((twin for twin in twins if same_words(twin.definition, entry.definition)), None)
        if name in first:
            problems.append(_defined_again(entry, twin or first[name], same=twin is not None))
        if twin is None:
            first.setdefault(name, entry)
            twins.append(entry)
            kept.append(entry)
    return kept, problems


def _defined_again(entry: Entry, first: Entry, *, same: bool) -> Problem:
    found = "in the same words" if same else "in other words: both are kept, as two terms of one name"
    wanted = "define it once" if same else "give one of them a name of its own"
    return Problem(
        path=entry.place.path,
        line=entry.line,
        found=f"“{entry.name}” is defined again, {found}",
        wanted=f"{wanted}; the first is at {first.place.path}:{first.line}",
    )


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


def _pairs(entries: list[Entry], threads: list[Thread]) -> list[tuple[Entry, Thread]]:
    """Pairs entries with threads of the same name, those with the most similar words first."""
    if len(entries) == 1 and len(threads) == 1:
        return [(entries[0], threads[0])]
    with_entry = [(thread, thread.entry) for thread in threads if thread.entry]
    closest_pairs = closest(entries, [entry for _, entry in with_entry])
    return [(entries[new], with_entry[old][0]) for new, old in closest_pairs]
