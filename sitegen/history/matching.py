"""Matches the entries of a release with the terms of their source that are known from earlier
releases.

The rules apply in the order of their certainty: site.toml, the same name, another name, the same
file of one term, the same words, almost the same name, a name that contains the other. An entry
that no rule matches begins a new term. `source_terms` keeps the terms; `merging` joins those of
several sources.
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
from sitegen.text.words import same_words, words_of

MIN_TERM_FILES = 3
"""The minimum number of documents with one term each by which terms are matched by their files."""

PATH = attrgetter("place.name")


def add_release(known: SourceTerms, release: Release) -> None:
    """Adds the next release to the terms of a source. Its entries without a match begin new
    terms."""
    matching = _Matching(known, release)
    matching.apply_rules()
    known.add(release, matches=matching.matches(), claimed=matching.claimed)
    if matching.has_homonyms:
        known.mark_homonyms()


class _Matching:
    """Matches the entries of one release. Each rule only matches unclaimed entries."""

    def __init__(self, known: SourceTerms, release: Release) -> None:
        self.known = known
        self.keys = known.keys
        self.release = release
        self.entries: Collection[Entry] = release.entries
        self.of_name: dict[str, Entry] = {}
        """The first entry of each preferred name."""
        for entry in self.entries:
            self.of_name.setdefault(self.keys.preferred(entry), entry)
        self.has_homonyms = len(self.of_name) < len(self.entries)
        if self.has_homonyms:
            self.entries, problems = without_repetition(self.entries, self.keys)
            known.problems += problems
        self.term_of: dict[Entry, KnownTerm] = {}
        """Maps each matched entry to its term."""
        self.claimed: set[KnownTerm] = set()
        """The terms that continue, or were merged into another one."""
        self.unclaimed = dict.fromkeys(self.entries)
        """The entries that have no match yet, in order."""
        self.identities: dict[Entry, Identity] = {}
        """The rule that matched an entry, if the page shows that rule."""
        self.splits: dict[Entry, KnownTerm] = {}
        """Maps an entry to the term from which its term was split, as declared in site.toml."""
        self.by_other_name = known.by_other_name()

    def apply_rules(self) -> None:
        self.declared()
        self.same_name()
        self.other_name_becomes_preferred()
        self.preferred_becomes_other_name()
        self.same_file()
        self.same_distinctive_words()
        self.almost_same_name()
        self.same_name(of_removed=True)
        self.name_within_name()

    def matches(self) -> Iterator[MatchedEntry]:
        """Yields every entry with its term."""
        for entry in self.entries:
            if term := self.term_of.get(entry):
                yield MatchedEntry(entry, term, self.identities.get(entry))
            else:
                yield MatchedEntry(entry, split_from=self._split_from(entry))

    def _split_from(self, entry: Entry) -> KnownTerm | None:
        """Returns the term from which the new term of an entry is split, if there is one.

        A split is declared in site.toml, or the entry's name was another name of a term that still
        exists.
        """
        if entry in self.splits:
            return self.splits[entry]
        for term in self.by_other_name.get(self.keys.preferred(entry), ()):
            if term in self.claimed:
                return term
        return None

    def _claim(self, entry: Entry, term: KnownTerm, identity: Identity | None = None) -> None:
        """Continues a term with an entry."""
        self.term_of[entry] = term
        if identity:
            self.identities[entry] = identity
        self.claimed.add(term)
        del self.unclaimed[entry]

    def _merge(self, term: KnownTerm, into: KnownTerm, identity: Identity) -> None:
        self.claimed.add(term)
        term.merge(len(self.known.releases), into, identity)

    def declared(self) -> None:
        """Rule 1: site.toml declares that a term continues under another name."""
        renamed = {}
        for rename in self.known.declarations.renames:
            term = self._renamed(rename)
            if term:
                renamed[rename] = term
        given_up = {term.name_key for term in renamed.values()}
        for rename, term in renamed.items():
            self.known.declarations.applied.add(rename)
            self._rename(rename, term, given_up)
        for verdict, names_of_one in self.known.declarations.same:
            self._continue_as_same(names_of_one, Identity(rule="declared", reason=verdict.reason))

    def _rename(self, rename: Rename, term: KnownTerm, given_up: Collection[str]) -> None:
        """Applies a rename. If an earlier one continued the term, a new term is split from it."""
        name = self.keys.key(rename.new)
        entry = self.of_name[name]
        if term not in self.claimed:
            identity = Identity(rule="declared", reason=rename.reason)
            self._continue(term, name, identity, given_up=given_up)
        elif entry in self.unclaimed and not self.known.of_name(name):
            self.splits[entry] = term
            del self.unclaimed[entry]

    def _continue_as_same(self, names_of_one: Iterable[str], identity: Identity) -> None:
        """Continues the terms whose names are gone under the first of these names that is there."""
        present = [name for name in names_of_one if name in self.of_name]
        if not present:
            return
        for name in names_of_one:
            if name in self.of_name:
                continue
            term = self.known.live_of_name(name)
            if term and term not in self.claimed:
                self._continue(term, present[0], identity)

    def _renamed(self, rename: Rename) -> KnownTerm | None:
        """Returns the term that a rename in site.toml continues at this release, or None."""
        if rename in self.known.declarations.applied:
            return None
        if rename.release not in ("", self.release.name):
            return None
        old, new = self.keys.key(rename.old), self.keys.key(rename.new)
        term = self.known.live_of_name(old)
        if term is None or new not in self.of_name:
            return None
        if old not in self.of_name:
            return term
        # A rename with a release lets another term take the old name from there on.
        if rename.release and self._is_taken(old, term):
            return term
        return None

    def _is_taken(self, name: str, term: KnownTerm) -> bool:
        """True if no entry that now has the term's name has the same words as the term's last
        entry."""
        if term.entry is None:
            return False
        for entry in self.entries:
            is_named = self.keys.preferred(entry) == name
            if is_named and same_words(entry.definition, term.entry.definition):
                return False
        return True

    def _continue(
        self, term: KnownTerm, name: str, identity: Identity, *, given_up: Collection[str] = ()
    ) -> None:
        """Continues a term under another name, or merges it into the term that already has that
        name.

        A term whose name was just given up by a rename does not count.
        """
        entry = self.of_name[name]
        holder = self.term_of.get(entry)
        if holder is None and name not in given_up:
            holder = self.known.live_of_name(name)
        if holder is None:
            self._claim(entry, term, identity)
        elif holder is not term:
            if holder not in self.claimed:
                self._claim(entry, holder)
            self._merge(term, holder, identity)

    def same_name(self, *, of_removed: bool = False) -> None:
        """Rule 2: the same preferred name. Several entries of one name are matched by their words.

        Rule 7: the name of a removed term, which is restored unless an earlier rule matches the
        entry.
        """
        by_name = grouped((self.keys.preferred(entry), entry) for entry in self.unclaimed)
        for name, entries in by_name.items():
            terms = self.known.of_name(name)
            if of_removed or any(term.live for term in terms):
                free = [term for term in terms if term not in self.claimed]
                for entry, term in _pairs(entries, free):
                    self._claim(entry, term)

    def other_name_becomes_preferred(self) -> None:
        """Rule 3: an entry's preferred name was another name of a term whose preferred name is
        gone."""
        if not self.by_other_name:
            return
        for entry in list(self.unclaimed):
            terms = []
            for term in self.by_other_name.get(self.keys.preferred(entry), ()):
                if term not in self.claimed and self._may_join(term, entry):
                    terms.append(term)
            if len(terms) == 1:
                self._claim(entry, terms[0], Identity(rule="other name"))

    def preferred_becomes_other_name(self) -> None:
        """Rule 3: a term's preferred name became another name of an entry, which continues the term
        or absorbs it.

        A term that was merged earlier stays merged as long as the other term has its name.
        """
        for key, entries in self._by_admitted_name().items():
            if key in self.of_name:
                continue
            for term in self.known.of_name(key):
                holders = [self.term_of.get(entry) for entry in entries]
                is_merged = term.merged_into is not None and term.merged_into in holders
                if term not in self.claimed and not is_merged:
                    self._join(term, entries)

    def _by_admitted_name(self) -> Mapping[str, Sequence[Entry]]:
        """Returns the entries by the keys of their other names."""
        found: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            for key in self.keys.admitted(entry):
                found[key].append(entry)
        return found

    def _join(self, term: KnownTerm, entries: Iterable[Entry]) -> None:
        """Continues a term with the first entry that may be the same term, or merges it into the
        entry's term."""
        identity = Identity(rule="other name")
        for entry in entries:
            if not self._may_join(term, entry):
                continue
            if entry in self.term_of:
                self._merge(term, self.term_of[entry], identity)
            else:
                self._claim(entry, term, identity)
            return

    def same_file(self) -> None:
        """Rule 4: the same file, which has one term, as most files of its folder have."""
        if not self.unclaimed:
            return
        earlier = _term_files(self.known.last_entries)
        current = _term_files(self.entries)
        if not (earlier and current):
            return
        for key in (PATH, _stem):
            for entry, term in self._one_of_each(key):
                assert term.entry
                if entry.place.name in current and term.entry.place.name in earlier:
                    self._claim(entry, term, Identity(rule="same file"))

    def same_distinctive_words(self) -> None:
        """Rule 5: one term was removed and one added in consecutive releases, and no others have
        the same words.

        The definition must be distinctive (`_distinctive_words`).
        """
        pairs = self._one_of_each(_distinctive_words)
        if not pairs:
            return
        current = Counter(map(_words, self.entries))
        earlier: Counter[tuple[str, ...]] = Counter()
        for term in self.known.terms:
            if term.live and term.entry:
                earlier[_words(term.entry)] += 1
        for entry, term in pairs:
            words = _words(entry)
            if current[words] == 1 and earlier[words] == 1:
                self._claim(entry, term, Identity(rule="same words"))

    def almost_same_name(self) -> None:
        """Rule 6: one name is gone and one is new that differ in case, hyphens, spaces, a plural's
        s or a remark."""
        for entry, term in self._one_of_each(lambda entry: names.loosely_folded(entry.name)):
            self._claim(entry, term)

    def name_within_name(self) -> None:
        """Rule 8: a name is gone, and a new one contains it: "Flow (formerly DAX)", "Gate or
        Barrier"."""
        if not self._missing():
            return
        containing: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            term = self.term_of.get(entry)
            is_new = term is None or not term.is_same(entry)
            if is_new:
                for name in names.names_within(entry.name):
                    containing[self.keys.key(name)].append(entry)
        for key, entries in containing.items():
            if len(entries) > 1 or key in self.of_name:
                continue
            for term in self.known.of_name(key):
                if term.live and term not in self.claimed:
                    self._join(term, entries)

    def _missing(self) -> list[KnownTerm]:
        """Returns the terms that were defined before, and that no entry has continued yet."""
        return [term for term in self.known.terms if term.live and term not in self.claimed]

    def _one_of_each(self, by: Callable[[Entry], Hashable]) -> list[tuple[Entry, KnownTerm]]:
        """Returns pairs of an unclaimed entry and a missing term that alone have the same value of
        `by`."""
        if not self.unclaimed:
            return []
        old = grouped((by(term.entry), term) for term in self._missing() if term.entry)
        if not old:
            return []
        new = grouped((by(entry), entry) for entry in self.unclaimed)
        pairs = []
        for value, entries in new.items():
            terms = old.get(value, ())
            if not value or len(entries) != 1 or len(terms) != 1:
                continue
            (entry,), (term,) = entries, terms
            if self._may_join(term, entry):
                pairs.append((entry, term))
        return pairs

    def _may_join(self, term: KnownTerm, entry: Entry) -> bool:
        return not self.known.declarations.distinct(term.name_key, self.keys.preferred(entry))


def _term_files(entries: Iterable[Entry]) -> frozenset[str]:
    """Returns the documents that have one entry each; none if they are few, or have fewer entries
    than others."""
    number = Counter(map(PATH, entries))
    single = frozenset([name for name, count in number.items() if count == 1])
    if len(single) < MIN_TERM_FILES or 2 * len(single) <= number.total():
        return frozenset()
    return single


def _stem(entry: Entry) -> str:
    """Returns the file's name without suffix and folder; of an index, the name of its folder."""
    path = PurePosixPath(entry.place.name)
    if path.stem.lower() in ("index", "_index", "readme"):
        return path.parent.name
    return path.stem


def _words(entry: Entry) -> tuple[str, ...]:
    return words_of(entry.definition).keys


def _distinctive_words(entry: Entry) -> tuple[str, ...]:
    """Returns the words of a definition; empty if it is too short, or only refers to a synonym."""
    words = _words(entry)
    if len(words) < DISTINCTIVE or relations.synonym_of(entry.definition) is not None:
        return ()
    return words


def _pairs(entries: Sequence[Entry], terms: list[KnownTerm]) -> list[tuple[Entry, KnownTerm]]:
    """Pairs entries with terms of the same name, those with the most similar words first."""
    if not terms:
        return []
    if len(entries) == 1 and len(terms) == 1:
        return [(entries[0], terms[0])]
    earlier = []
    for term in terms:
        assert term.entry
        earlier.append(term.entry)
    return [(entries[new], terms[old]) for new, old in closest(entries, earlier)]
