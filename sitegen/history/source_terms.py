"""The terms of one source while its releases are read, oldest first.

`matching` decides which entries of a release continue which terms. This module keeps the terms, and
adds a release to each of them: as defined, absent or unread. It also finds the entries of a release
that define a name again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sitegen.config.tables import Rename, Verdict
from sitegen.history import relations
from sitegen.model import Entry, Problem, ProblemKind, Release, Source, Trouble, grouped
from sitegen.model.terms import Course, CourseState, Identity, Span
from sitegen.text.names import Keys
from sitegen.text.words import same_words, words_of


@dataclass(eq=False)
class KnownTerm:
    """A term of a source while the releases are read. It becomes a `Course` at the end."""

    key: str
    index: int
    """Its place among the terms of its source."""
    entries: list[Entry | None] = field(default_factory=list)
    """Its entry at each release so far."""
    starts: list[Span] = field(default_factory=list)
    """Its spans so far; their ends are set by `spans`, when all releases are read."""
    entry: Entry | None = None
    """Its last entry, also if the term was removed since."""
    name_key: str = ""
    """Key of its preferred name."""
    other_name_keys: tuple[str, ...] = ()
    """Keys of its other names."""
    merged_into: KnownTerm | None = None
    live: bool = False
    """True if the term is defined at the last release that could be read. A term that is defined in
    1.0, and unread in 2.0, is live after 2.0, but not `is_defined`."""

    @property
    def is_defined(self) -> bool:
        """True if the term is defined at the last release."""
        return bool(self.entries) and self.entries[-1] is not None

    def is_same(self, entry: Entry) -> bool:
        """True if an entry of the next release says the same as that of the last release, in a file
        of the same path. Its line may differ."""
        last_entry = self.entry
        if last_entry is None or not self.is_defined:
            return False
        if last_entry.place.name != entry.place.name:
            return False
        return last_entry.text == entry.text

    def define(self, entry: Entry, identity: Identity | None, split_from: KnownTerm | None) -> None:
        """Adds the next release, which defines the term by an entry."""
        if not self.is_same(entry):
            is_deprecated = relations.is_deprecated(entry)
            state: CourseState = "deprecated" if is_deprecated else "defined"
            key_of_origin = split_from.key if split_from else None
            self._start(state, entry, identity, key_of_origin)
        self.entries.append(entry)
        self.entry = entry
        self.merged_into = None
        self.live = True

    def pass_over(self, state: CourseState) -> None:
        """Adds the next release, in which the term is absent or unread."""
        state_changes = not self.starts or self.starts[-1].state != state
        if state_changes:
            self._start(state)
        self.entries.append(None)
        if state == "absent":
            self.live = False

    def merge(self, into: KnownTerm, identity: Identity) -> None:
        """Adds the next release, in which the term is merged into the term `into`."""
        self._start("absent", identity=identity, other=into.key)
        self.entries.append(None)
        self.merged_into = into
        self.live = False

    def _start(
        self,
        state: CourseState,
        entry: Entry | None = None,
        identity: Identity | None = None,
        other: str | None = None,
    ) -> None:
        """Begins a span with the next release. `other` is the key of the term from which the term
        is split, or into which it is merged."""
        number = len(self.entries)
        past = number  # empty, until `spans` knows where the next span begins
        self.starts.append(Span(number, past, state, entry, identity, other))

    def spans(self) -> tuple[Span, ...]:
        """Returns the spans of the term; each ends where the next span begins."""
        ends = [span.first for span in self.starts[1:]]
        ends.append(len(self.entries))
        return tuple([span._replace(past=end) for span, end in zip(self.starts, ends, strict=True)])


class MatchedEntry(NamedTuple):
    """An entry of a release with the term that it continues."""

    entry: Entry
    term: KnownTerm | None = None
    """None if the entry begins a new term."""
    identity: Identity | None = None
    """The rule that matched the entry with the term, if the page shows that rule."""
    split_from: KnownTerm | None = None
    """The term from which a new term was split, if there is one."""


class Declarations:
    """The renames and verdicts in site.toml that apply to one source."""

    def __init__(
        self, source: Source, keys: Keys, renames: Iterable[Rename], verdicts: Iterable[Verdict]
    ) -> None:
        self.keys = keys
        self.renames = [rename for rename in renames if rename.source == source.id]
        self.same: list[tuple[Verdict, tuple[str, ...]]] = []
        """The `[[same]]` tables, each with the keys of its names."""
        self._distinct: list[frozenset[str]] = []
        for verdict in verdicts:
            if verdict.source in ("", source.id):
                names = tuple(map(keys.key, verdict.names))
                if verdict.kind == "same":
                    self.same.append((verdict, names))
                else:
                    self._distinct.append(frozenset(names))
        self.applied: set[Rename] = set()
        """The renames that continued a term at some release."""

    def distinct(self, first: str, second: str) -> bool:
        """True if site.toml says that two names are of different terms. The names are given by
        their keys."""
        return any({first, second} <= names for names in self._distinct)

    def same_as(self, key: str) -> list[str]:
        """Returns the keys of the other names that are in a `[[same]]` table with the name of this
        key."""
        same_keys: set[str] = set()
        for _, keys in self.same:
            if key in keys:
                same_keys.update(keys)
        same_keys.discard(key)
        return sorted(same_keys)


class SourceTerms:
    """The terms of one source, as known from the releases that were read so far."""

    def __init__(self, source: Source, declarations: Declarations) -> None:
        self.source = source
        self.keys = declarations.keys
        self.declarations = declarations
        self.terms: list[KnownTerm] = []
        self.by_name: dict[str, list[KnownTerm]] = defaultdict(list)
        """Maps the key of each preferred name to its terms."""
        self.number_of_key: dict[str, int] = {}
        """Maps each term key in use to the highest number that was appended to it."""
        self.problems: list[Problem] = []
        self.releases: list[Release] = []
        self.documents: frozenset[str] = frozenset()
        """The documents that were read at the last release with entries."""

    @property
    def last_entries(self) -> Iterator[Entry]:
        """The entries of the last release."""
        last_number = len(self.releases) - 1
        for term in self.terms:
            # A term that was merged while the next release is added has one entry more.
            entry = term.entries[last_number]
            if entry:
                yield entry

    def of_name(self, name: str) -> list[KnownTerm]:
        """Returns the terms with this preferred name, live ones first. The name of a removed term
        is its last one."""
        terms = self.by_name.get(name, [])
        return sorted(terms, key=lambda term: (not term.live, term.index))

    def live_of_name(self, name: str) -> KnownTerm | None:
        """Returns the first live term of this name, or None."""
        for term in self.of_name(name):
            if term.live:
                return term
        return None

    def by_other_name(self) -> dict[str, tuple[KnownTerm, ...]]:
        """Returns the live terms by the keys of their other names."""
        live = [term for term in self.terms if term.live]
        return grouped((key, term) for term in live for key in term.other_name_keys)

    def courses(self) -> list[tuple[KnownTerm, Course]]:
        """Returns every term with its course."""
        releases = tuple([release.name for release in self.releases])
        courses = []
        for term in self.terms:
            course = Course(
                source=self.source,
                releases=releases,
                spans=term.spans(),
                entries=tuple(term.entries),
            )
            courses.append((term, course))
        return courses

    def add(
        self,
        release: Release,
        *,
        matches: Iterable[MatchedEntry],
        settled: Collection[KnownTerm],
    ) -> None:
        """Adds the next release. `matches` are its entries with their terms. `settled` are the
        terms that go on, or were merged into others."""
        # The terms that no entry continues are absent or unread.
        for term in self.terms:
            if term in settled:
                continue
            assert term.entry
            # A term that was gone before does not move now.
            state = _state_without_entry(
                release, term.entry, documents=self.documents, may_move=term.live
            )
            term.pass_over(state)

        # Earlier releases are compared with all documents of this one, also with unread ones.
        documents = frozenset((*release.names_read, *release.gaps))
        for entry, continued_term, identity, split_from in matches:
            name = self.keys.preferred(entry)
            term = continued_term or self._add_new_term(entry, name, documents=documents)
            self._index(term, entry, name)
            term.define(entry, identity, split_from)

        if release.entries:  # else it could not be read
            self.documents = frozenset(release.names_read)
        self.releases.append(release)

    def _add_new_term(self, entry: Entry, name: str, *, documents: frozenset[str]) -> KnownTerm:
        """Adds a term that begins with an entry of the next release, and returns it. In earlier
        releases, it is absent or unread. `documents` are those of the next release."""
        term = KnownTerm(self._unused_key(f"{self.source.id}:{name}"), len(self.terms))
        for release in self.releases:
            term.pass_over(_state_without_entry(release, entry, documents=documents))
        self.terms.append(term)
        return term

    def _index(self, term: KnownTerm, entry: Entry, name: str) -> None:
        """Indexes a term by the names of its next entry; `name` is the preferred one."""
        term.other_name_keys = self.keys.admitted(entry)
        if term.name_key == name:
            return
        is_indexed = term.entry is not None  # a new term has no entry yet
        if is_indexed:
            self.by_name[term.name_key].remove(term)
        term.name_key = name
        self.by_name[name].append(term)

    def _unused_key(self, name: str) -> str:
        """Returns a name as a key: `s:tensor`, or `s:tensor#2` if `s:tensor` is in use."""
        key = name
        number = self.number_of_key.get(name, 1)
        while key in self.number_of_key:
            number += 1
            key = f"{name}#{number}"
        self.number_of_key[name] = number
        self.number_of_key.setdefault(key, 1)  # a term may be called "tensor#2"
        return key


def _state_without_entry(
    release: Release, entry: Entry, *, documents: Collection[str], may_move: bool = True
) -> CourseState:
    """Returns the state of a term at a release in which no entry of the term was read. The state is
    "unread" if an unread document of the release may have the term, else "absent".

    `entry` is an entry of the term at another release, and `documents` are all documents of that
    release. If the term `may_move`, another document may have it here.
    """
    name = entry.place.name
    if not release.entries or name in release.gaps:
        return "unread"
    if entry.name in release.kept_as_text:  # a document has the name, but not as an entry
        return "unread"
    # A term of `terms.md` may be in `docs/terms.md` here: an unread document that the other release
    # does not have.
    new_gaps = [gap for gap in release.gaps if gap not in documents]
    if may_move and new_gaps and name not in release.names_read:
        return "unread"
    return "absent"


# Entries of a release that define a name again.


def without_repetition(entries: Iterable[Entry], keys: Keys) -> tuple[list[Entry], list[Problem]]:
    """Returns the entries without repeated ones, and a problem for each entry that defines a name
    again. An entry in the words of an earlier one of its name is left out. One in other words is
    kept."""
    first_of_name: dict[str, Entry] = {}
    first_of_words: dict[tuple[str, tuple[str, ...]], Entry] = {}
    kept: list[Entry] = []
    problems: list[Problem] = []
    for entry in entries:
        name = keys.preferred(entry)
        first = first_of_name.setdefault(name, entry)
        same = first_of_words.setdefault((name, words_of(entry.definition).keys), entry)
        # These words may differ in code, where every character counts.
        is_repeated = same is not entry and same_words(same.definition, entry.definition)
        if is_repeated:
            problems.append(_repetition(entry, same, "in the same words", "define it once"))
            continue
        if first is not entry:
            found = "with other words: both are kept, as two terms of one name"
            wanted = "give one of them a name of its own"
            problems.append(_repetition(entry, first, found, wanted))
        kept.append(entry)
    return kept, problems


def _repetition(entry: Entry, earlier: Entry, found: str, wanted: str) -> Problem:
    """Returns the problem of an entry that defines the name of an earlier entry again."""
    first = f"at {earlier.place.path}:{earlier.line}"
    if earlier.place.path == entry.place.path:
        first = "above"  # without the line, it is the same problem at each release
    trouble = Trouble(
        ProblemKind.ENTRY,
        f"“{entry.name}” is defined again, {found}",
        f"{wanted}; the first is {first}",
    )
    return trouble.at(entry.place.path, line=entry.line)
