"""One source from release to release: which entry continues which term.

Each release is a round (`rounds`) in which entries meet the threads so far; entries that nobody claims begin threads.
Of a glossary at work only the newest edition changes: what those before it came to is known from another time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sitegen.known import Known
from sitegen.lives import Step, Tie
from sitegen.model import Edition, Entry, Problem, Rename, Source
from sitegen.rounds import SAID, Round
from sitegen.threads import Member, Thread, Word

Given = tuple[str, Word, tuple[Edition, ...]]
"""A source's id, what a person says about it, and its editions."""


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
        self.shared: set[str] = set()
        """The names that several threads have, or had."""
        self.taken: dict[str, int] = {}
        """The keys of all threads, and up to which number there are others of the kind."""
        self.problems: list[Problem] = []
        self.editions: list[Edition] = []
        self.entries: list[dict[int, Entry]] = []
        """What each release says, by the numbers of threads."""
        self.standing: dict[int, int] = {}
        """What the last of them says, by its identity, to the numbers of threads."""
        self.documents: frozenset[str] = frozenset()

    def continued(self, word: Word) -> Chain:
        """Returns another that goes on from here, with the same word as it is written now."""
        chain = Chain(self.source, word)
        chain.threads = twins = [thread.twin() for thread in self.threads]
        for twin in twins:
            twin.merged_into = twins[twin.merged_into.number] if twin.merged_into else None
        for name, threads in self.by_name.items():
            chain.by_name[name] = [twins[thread.number] for thread in threads]
        chain.shared = {*self.shared}
        chain.editions, chain.entries, chain.standing = [*self.editions], [*self.entries], self.standing
        chain.applied, chain.taken = {*self.applied}, {**self.taken}
        chain.problems, chain.documents = [*self.problems], self.documents
        return chain

    @property
    def before(self) -> Mapping[int, Entry]:
        """What the last release says."""
        return self.entries[-1] if self.entries else {}

    def members(self, source: Source) -> list[Member]:
        """Returns every thread, with the whole of it."""
        releases, numbers = tuple([edition.release for edition in self.editions]), range(len(self.threads))
        entries = zip(*[map(said.get, numbers) for said in self.entries], strict=True)
        return [
            (thread, thread.course(source, releases, said))
            for thread, said in zip(self.threads, entries, strict=True)
        ]

    def unused(self) -> Iterator[Problem]:
        """Yields what a person said that fits no release."""
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
        """Takes the next release."""
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
        """Writes what is new in this release into threads; entries nobody claimed begin threads of their own."""
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
        """Lets a thread be known by the names of its next entry."""
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
        if origin := round_.split_from(entry):
            thread.ties.append(
                Tie(kind="split", source=self.source, release=round_.edition.release, other=origin.key)
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
    """What a thread that begins in an edition has behind it, by the name of the document in which it does."""

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
