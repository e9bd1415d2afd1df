"""Matches the entries of a release with the terms of their source that are known from earlier
releases.

The rules apply in the order of their certainty (`apply_rules`). An entry that no rule matches
begins a new term. `source_terms` keeps the terms; `merging` joins those of several sources.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import PurePosixPath

from sitegen.config.tables import Rename
from sitegen.history import relations
from sitegen.history.likeness import DISTINCTIVE, closest
from sitegen.history.source_terms import KnownTerm, MatchedEntry, SourceTerms, without_repetition
from sitegen.model import Entry, Release, grouped
from sitegen.model.terms import Identity
from sitegen.text import names
from sitegen.text.file_names import INDEX_STEMS
from sitegen.text.words import same_words, words_of

MIN_SINGLE_TERM_FILES = 3
"""The minimum number of documents with one term each by which terms are matched by their files."""

PATH = attrgetter("place.name")


def add_release(known: SourceTerms, release: Release) -> None:
    """Adds the next release to the terms of a source. Its entries without a match begin new
    terms."""
    matching = _Matching(known, release)
    matching.apply_rules()
    known.add(release, matches=matching.matches(), settled=matching.settled)
    if matching.has_homonyms:
        known.mark_homonyms()


class _Matching:
    """Matches the entries of one release. Each rule only matches entries that no rule before it
    has matched."""

    def __init__(self, known: SourceTerms, release: Release) -> None:
        self.known = known
        self.keys = known.keys
        self.release = release
        self.entries: Collection[Entry] = release.entries
        self.entry_of_name: dict[str, Entry] = {}
        """The first entry of each preferred name."""
        for entry in self.entries:
            self.entry_of_name.setdefault(self.keys.preferred(entry), entry)
        self.has_homonyms = len(self.entry_of_name) < len(self.entries)
        if self.has_homonyms:
            self.entries, problems = without_repetition(self.entries, self.keys)
            known.problems += problems
        self.unmatched = dict.fromkeys(self.entries)
        """The entries about which no rule has decided yet, in order."""
        self.matched: dict[Entry, MatchedEntry] = {}
        """The other entries, each with the term that it continues, or from which it is split."""
        self.settled: set[KnownTerm] = set()
        """The terms that entries continue, and those that were merged into one of them."""
        self.by_other_name = known.by_other_name()

    def apply_rules(self) -> None:
        """Matches entries with terms. After each rule there is an example: a term → its entry."""
        self.declared_renames()  # Blob → Tensor, as [[rename]] in site.toml says
        self.declared_same()  # Blob → Tensor, as [[same]] in site.toml says
        self.same_name()  # Tensor → tensor
        self.other_name_becomes_preferred()  # Tensor, also Array → Array
        self.preferred_becomes_other_name()  # Array → Tensor, also Array
        self.same_file()  # Cache in cache.md → Caching in cache.md
        self.same_distinctive_words()  # Blob → Tensor, with the definition of Blob
        self.almost_same_name()  # Write-back → write back (cache)
        self.name_of_removed()  # Tensor, removed some releases before → Tensor
        self.name_within_name()  # DAX → Flow (formerly DAX)

    def matches(self) -> Iterator[MatchedEntry]:
        """Yields every entry with its term."""
        continued = {matched.term for matched in self.matched.values()}
        for entry in self.entries:
            if entry in self.matched:
                yield self.matched[entry]
                continue
            # A new term is split from one that goes on, and had its name as another name.
            split_from = None
            for term in self.by_other_name.get(self.keys.preferred(entry), ()):
                if term in continued:
                    split_from = term
                    break
            yield MatchedEntry(entry, split_from=split_from)

    def _continue(self, entry: Entry, term: KnownTerm, identity: Identity | None = None) -> None:
        """Notes that an entry, which is not matched yet, continues a term."""
        self.matched[entry] = MatchedEntry(entry, term, identity)
        self.settled.add(term)
        del self.unmatched[entry]

    def _continue_or_merge(self, entry: Entry, term: KnownTerm, identity: Identity) -> None:
        """Notes that an entry continues a term. If the entry continues another term already, the
        term is merged into the other one. An entry that site.toml splits from a term continues
        none."""
        if entry in self.unmatched:
            self._continue(entry, term, identity)
            return
        other = self.matched[entry].term
        if other and other is not term:
            self.settled.add(term)
            term.merge(other, identity)

    def declared_renames(self) -> None:
        """Continues the terms that site.toml renames. The entry of a second new name of a term
        begins a term of its own."""
        term_of_rename = {}
        for rename in self.known.declarations.renames:
            term = self._renamed(rename)
            if term:
                term_of_rename[rename] = term
        given_up = {term.name_key for term in term_of_rename.values()}
        for rename, term in term_of_rename.items():
            self.known.declarations.applied.add(rename)
            if term not in self.settled:
                self._rename(rename, term, given_up)
        for rename, term in term_of_rename.items():
            self._split(rename, term)

    def _rename(self, rename: Rename, term: KnownTerm, given_up: Collection[str]) -> None:
        """Applies a rename of a term. `given_up` are the names that renames take from terms."""
        name = self.keys.key(rename.new)
        if name not in given_up:
            self._continue_owner(name)
        identity = Identity(rule="declared", reason=rename.reason)
        self._continue_or_merge(self.entry_of_name[name], term, identity)

    def _split(self, rename: Rename, term: KnownTerm) -> None:
        """Notes that the entry with the new name of a rename begins a term, which is split from the
        renamed term. An entry that continues a term already, or has the name of one, does not."""
        name = self.keys.key(rename.new)
        entry = self.entry_of_name[name]
        if entry in self.unmatched and not self.known.of_name(name):
            self.matched[entry] = MatchedEntry(entry, split_from=term)
            del self.unmatched[entry]

    def declared_same(self) -> None:
        """Continues the terms in `[[same]]` tables whose names are gone, with the entry of the
        first name in the table that is there."""
        for verdict, names_of_one in self.known.declarations.same:
            present = [name for name in names_of_one if name in self.entry_of_name]
            if not present:
                continue
            identity = Identity(rule="declared", reason=verdict.reason)
            for name in names_of_one:
                term = self.known.live_of_name(name)
                if term and name not in present and term not in self.settled:
                    self._continue_owner(present[0])
                    self._continue_or_merge(self.entry_of_name[present[0]], term, identity)

    def _continue_owner(self, name: str) -> None:
        """Continues the term that has a name already with the first entry of this name. A term that
        is renamed to the name is merged into that term then."""
        owner = self.known.live_of_name(name)
        entry = self.entry_of_name[name]
        if owner and owner not in self.settled and entry in self.unmatched:
            self._continue(entry, owner)

    def _renamed(self, rename: Rename) -> KnownTerm | None:
        """Returns the term that a rename in site.toml continues at this release, or None."""
        if rename in self.known.declarations.applied:
            return None
        if rename.release not in ("", self.release.name):
            return None
        old, new = self.keys.key(rename.old), self.keys.key(rename.new)
        term = self.known.live_of_name(old)
        if term is None or new not in self.entry_of_name:
            return None
        if old not in self.entry_of_name:
            return term
        # A rename with a release lets another term take the old name from there on.
        if rename.release and self._is_taken(old, term):
            return term
        return None

    def _is_taken(self, name: str, term: KnownTerm) -> bool:
        """True if the name of a term is that of another term now: each entry with the name has
        other words than the last entry of the term."""
        if term.entry is None:
            return False
        for entry in self.entries:
            is_named = self.keys.preferred(entry) == name
            if is_named and same_words(entry.definition, term.entry.definition):
                return False
        return True

    def same_name(self) -> None:
        """Continues the terms that still have an entry of their preferred name."""
        for name, entries in self._unmatched_by_name().items():
            terms = self.known.of_name(name)
            if any(term.live for term in terms):
                self._continue_by_words(entries, terms)

    def name_of_removed(self) -> None:
        """Restores the removed terms whose preferred name an entry has again."""
        for name, entries in self._unmatched_by_name().items():
            self._continue_by_words(entries, self.known.of_name(name))

    def _unmatched_by_name(self) -> Mapping[str, Sequence[Entry]]:
        """Returns the entries that have no match yet by their preferred names."""
        return grouped((self.keys.preferred(entry), entry) for entry in self.unmatched)

    def _continue_by_words(self, entries: Sequence[Entry], terms: Iterable[KnownTerm]) -> None:
        """Continues terms with entries of the same name, those with the most similar words first;
        nearly always there is one of each."""
        free = [term for term in terms if term not in self.settled]
        last_entries = [term.entry for term in free if term.entry]  # each term has had one
        for number_of_entry, number_of_term in closest(entries, last_entries):
            self._continue(entries[number_of_entry], free[number_of_term])

    def other_name_becomes_preferred(self) -> None:
        """Continues a term with an entry whose preferred name was another name of the term, and of
        no other term."""
        if not self.by_other_name:
            return
        for entry in list(self.unmatched):
            terms = []
            for term in self.by_other_name.get(self.keys.preferred(entry), ()):
                if term not in self.settled and self._may_be(term, entry):
                    terms.append(term)
            if len(terms) == 1:
                self._continue(entry, terms[0], Identity(rule="other name"))

    def preferred_becomes_other_name(self) -> None:
        """Continues a term whose preferred name became another name of an entry, or merges it into
        the entry's term."""
        by_other_name = grouped(
            (key, entry) for entry in self.entries for key in self.keys.admitted(entry)
        )
        for key, entries in by_other_name.items():
            if key in self.entry_of_name:
                continue
            for term in self.known.of_name(key):
                # A term stays merged as long as the other term has its name.
                owners = {self._term_of(entry) for entry in entries} - {None}
                stays_merged = term.merged_into in owners
                if term not in self.settled and not stays_merged:
                    self._continue_or_merge_first(entries, term)

    def _continue_or_merge_first(self, entries: Iterable[Entry], term: KnownTerm) -> None:
        """Continues a term with the first of some entries that `[[distinct]]` does not separate
        from the term, or merges the term into the term of this entry."""
        for entry in entries:
            if self._may_be(term, entry):
                self._continue_or_merge(entry, term, Identity(rule="other name"))
                return

    def same_file(self) -> None:
        """Continues a term with the entry in its file, if most files of both releases have one term
        each."""
        if not self.unmatched:
            return
        earlier = _term_files(self.known.last_entries)
        current = _term_files(self.entries)
        if not (earlier and current):
            return
        for key in (PATH, _stem):  # a file that moved has another path, but the same stem
            for entry, term in self._only_pairs(key):
                assert term.entry
                if entry.place.name in current and term.entry.place.name in earlier:
                    self._continue(entry, term, Identity(rule="same file"))

    def same_distinctive_words(self) -> None:
        """Continues a term with the entry that has the words of the term, if the words are
        distinctive (`_distinctive_words`), and no other entry has them at either release."""
        pairs = self._only_pairs(_distinctive_words)
        if not pairs:
            return
        live_entries = [term.entry for term in self.known.terms if term.live and term.entry]
        earlier = Counter(map(_words, live_entries))
        current = Counter(map(_words, self.entries))
        for entry, term in pairs:
            words = _words(entry)
            if current[words] == 1 and earlier[words] == 1:
                self._continue(entry, term, Identity(rule="same words"))

    def almost_same_name(self) -> None:
        """Continues a term with an entry whose name differs in punctuation, spaces, a plural's s or
        a remark alone."""
        for entry, term in self._only_pairs(lambda entry: names.joined(entry.name)):
            self._continue(entry, term)
        for entry, term in self._only_pairs(lambda entry: names.loosely_folded(entry.name)):
            self._continue(entry, term)

    def name_within_name(self) -> None:
        """Continues a term with the only new or changed entry whose name contains its name, or
        merges it into the entry's term: "Gate or Barrier" contains "Gate"."""
        if not self._missing():
            return
        containing: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            term = self._term_of(entry)
            is_new = term is None or not term.is_same(entry)
            if is_new:
                for name in names.names_within(entry.name):
                    containing[self.keys.key(name)].append(entry)
        for key, entries in containing.items():
            if len(entries) > 1 or key in self.entry_of_name:
                continue
            for term in self.known.of_name(key):
                if term.live and term not in self.settled:
                    self._continue_or_merge_first(entries, term)

    def _term_of(self, entry: Entry) -> KnownTerm | None:
        """Returns the term that an entry continues; None if it continues none."""
        matched = self.matched.get(entry)
        return matched.term if matched else None

    def _missing(self) -> list[KnownTerm]:
        """Returns the terms that were defined before, and that no entry has continued yet."""
        return [term for term in self.known.terms if term.live and term not in self.settled]

    def _only_pairs(self, by: Callable[[Entry], Hashable]) -> list[tuple[Entry, KnownTerm]]:
        """Returns pairs of an unmatched entry and a missing term with the same value of `by`, if no
        other unmatched entry and no other missing term has the value. With `PATH`, the value is the
        file of the entry, and that of the last entry of the term."""
        if not self.unmatched:
            return []
        old = grouped((by(term.entry), term) for term in self._missing() if term.entry)
        if not old:
            return []
        new = grouped((by(entry), entry) for entry in self.unmatched)
        pairs = []
        for value, entries in new.items():
            terms = old.get(value, ())
            if not value or len(entries) != 1 or len(terms) != 1:
                continue
            (entry,), (term,) = entries, terms
            if self._may_be(term, entry):
                pairs.append((entry, term))
        return pairs

    def _may_be(self, term: KnownTerm, entry: Entry) -> bool:
        """True unless `[[distinct]]` in site.toml says that a term and an entry are two terms."""
        return not self.known.declarations.distinct(term.name_key, self.keys.preferred(entry))


def _term_files(entries: Iterable[Entry]) -> frozenset[str]:
    """Returns the names of the documents with one entry each, if most entries are in such
    documents; none if there are few."""
    number = Counter(map(PATH, entries))
    single = frozenset([name for name, count in number.items() if count == 1])
    if len(single) < MIN_SINGLE_TERM_FILES or 2 * len(single) <= number.total():
        return frozenset()
    return single


def _stem(entry: Entry) -> str:
    """Returns `cache` for an entry in `terms/cache.md` and for one in `terms/cache/index.md`."""
    path = PurePosixPath(entry.place.name)
    if path.stem.lower() in (*INDEX_STEMS, "readme"):
        return path.parent.name
    return path.stem


def _words(entry: Entry) -> tuple[str, ...]:
    """Returns the words of the definition of an entry."""
    return words_of(entry.definition).keys


def _distinctive_words(entry: Entry) -> tuple[str, ...]:
    """Returns the words of a definition; empty if it is too short, or only refers to a synonym."""
    words = _words(entry)
    if len(words) < DISTINCTIVE or relations.synonym_of(entry.definition) is not None:
        return ()
    return words
