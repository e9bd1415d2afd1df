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
        has_repeated_names = len(self.entry_of_name) < len(self.entries)
        if has_repeated_names:
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
        """Yields every entry, with the term that it continues if there is one."""
        continued_terms = {matched.term for matched in self.matched.values()}
        for entry in self.entries:
            if entry in self.matched:
                yield self.matched[entry]
                continue
            # The entry begins a new term. If its name was another name of a term that goes on, the
            # new term is split from that one.
            split_from = None
            for term in self.by_other_name.get(self.keys.preferred(entry), ()):
                if term in continued_terms:
                    split_from = term
                    break
            yield MatchedEntry(entry, split_from=split_from)

    def _continue(self, entry: Entry, term: KnownTerm, identity: Identity | None = None) -> None:
        """Notes that an entry, which is not matched yet, continues a term."""
        self.matched[entry] = MatchedEntry(entry, term, identity)
        self.settled.add(term)
        del self.unmatched[entry]

    def _continue_or_merge(self, entry: Entry, term: KnownTerm, identity: Identity) -> None:
        """Continues `term` with an entry. If the entry continues another term already, merges
        `term` into that one."""
        if entry in self.unmatched:
            self._continue(entry, term, identity)
            return
        term_of_entry = self.matched[entry].term
        if term_of_entry and term_of_entry is not term:  # none, if site.toml splits the entry off
            self.settled.add(term)
            term.merge(term_of_entry, identity)

    def declared_renames(self) -> None:
        """Continues the terms that site.toml renames. If it gives one term several new names, the
        first name continues the term, and each other name begins a new term."""
        term_of_rename = {}
        for rename in self.known.declarations.renames:
            term = self._term_to_rename(rename)
            if term:
                term_of_rename[rename] = term
        former_names = {term.name_key for term in term_of_rename.values()}

        # The first rename of each term continues it; then the term is settled.
        for rename, term in term_of_rename.items():
            self.known.declarations.applied.add(rename)
            if term not in self.settled:
                self._apply_rename(rename, term, former_names)

        # The entries of the other new names are still unmatched.
        for rename, term in term_of_rename.items():
            self._begin_split_term(rename, term)

    def _term_to_rename(self, rename: Rename) -> KnownTerm | None:
        """Returns the term that a rename in site.toml applies to at this release, or None."""
        if rename in self.known.declarations.applied:
            return None
        if rename.release not in ("", self.release.name):  # without a release, it fits at each
            return None
        old_name, new_name = self.keys.key(rename.old), self.keys.key(rename.new)
        term = self.known.live_of_name(old_name)
        if term is None or new_name not in self.entry_of_name:
            return None
        if old_name not in self.entry_of_name:
            return term
        # The old name is still there. That is a rename only if site.toml gives the release, and the
        # name has other words now.
        if rename.release and self._has_other_words(old_name, term):
            return term
        return None

    def _has_other_words(self, name: str, term: KnownTerm) -> bool:
        """True if no entry with this name has the words of the last entry of a term."""
        assert term.entry, "a term begins with an entry"
        for entry in self.entries:
            is_named = self.keys.preferred(entry) == name
            if is_named and same_words(entry.definition, term.entry.definition):
                return False
        return True

    def _apply_rename(self, rename: Rename, term: KnownTerm, former_names: Collection[str]) -> None:
        """Continues a term with the entry of its new name. `former_names` are the names that terms
        lose by renames at this release."""
        name = self.keys.key(rename.new)
        # A term that has the new name already goes on with the entry first, and `term` is merged
        # into it. A term that loses that name at this release has no claim to the entry.
        if name not in former_names:
            self._continue_live_term_of(name)
        identity = Identity(rule="declared", reason=rename.reason)
        self._continue_or_merge(self.entry_of_name[name], term, identity)

    def _begin_split_term(self, rename: Rename, renamed_term: KnownTerm) -> None:
        """Begins a term, split from the renamed one, with the entry of a rename's new name. Does
        nothing if a rule matched the entry already, or if some term has the new name."""
        name = self.keys.key(rename.new)
        entry = self.entry_of_name[name]
        if entry in self.unmatched and not self.known.of_name(name):
            self.matched[entry] = MatchedEntry(entry, split_from=renamed_term)
            del self.unmatched[entry]

    def declared_same(self) -> None:
        """Continues terms by the `[[same]]` tables. If the name of a term is gone, the term goes on
        with the first present name in the table, or is merged into the term of this name."""
        for verdict, same_keys in self.known.declarations.same:
            present_keys = [key for key in same_keys if key in self.entry_of_name]
            gone_keys = [key for key in same_keys if key not in self.entry_of_name]
            if not present_keys:
                continue
            new_key = present_keys[0]
            identity = Identity(rule="declared", reason=verdict.reason)
            for key in gone_keys:
                term = self.known.live_of_name(key)
                if term and term not in self.settled:
                    self._continue_live_term_of(new_key)
                    self._continue_or_merge(self.entry_of_name[new_key], term, identity)

    def _continue_live_term_of(self, name: str) -> None:
        """Continues the live term of a name, if there is one, with the first entry of the name."""
        owner = self.known.live_of_name(name)
        entry = self.entry_of_name[name]
        if owner and owner not in self.settled and entry in self.unmatched:
            self._continue(entry, owner)

    def same_name(self) -> None:
        """Continues terms with entries of the same preferred name, if a term with the name is
        live. Names that only removed terms had come later, in `name_of_removed`."""
        for name, entries in self._unmatched_by_name().items():
            terms = self.known.of_name(name)
            if any(term.live for term in terms):
                self._continue_by_words(entries, terms)  # a removed term may have the words

    def name_of_removed(self) -> None:
        """Continues removed terms with entries that have their preferred name again."""
        for name, entries in self._unmatched_by_name().items():
            self._continue_by_words(entries, self.known.of_name(name))

    def _unmatched_by_name(self) -> Mapping[str, Sequence[Entry]]:
        """Returns preferred names, each with its entries that have no match yet."""
        return grouped((self.keys.preferred(entry), entry) for entry in self.unmatched)

    def _continue_by_words(self, entries: Sequence[Entry], terms: Iterable[KnownTerm]) -> None:
        """Continues terms with entries of the same name. If there are several, the entry and the
        term with the most similar words are paired first."""
        unsettled_terms = [term for term in terms if term not in self.settled]
        last_entries = []
        for term in unsettled_terms:
            assert term.entry, "a term begins with an entry"
            last_entries.append(term.entry)
        for number_of_entry, number_of_term in closest(entries, last_entries):
            self._continue(entries[number_of_entry], unsettled_terms[number_of_term])

    def other_name_becomes_preferred(self) -> None:
        """Continues a term with an entry whose preferred name was another name of the term, and of
        no other term."""
        for entry in list(self.unmatched):
            terms = []
            for term in self.by_other_name.get(self.keys.preferred(entry), ()):
                if term not in self.settled and self._may_be(term, entry):
                    terms.append(term)
            if len(terms) == 1:
                self._continue(entry, terms[0], Identity(rule="other name"))

    def preferred_becomes_other_name(self) -> None:
        """Continues a term with an entry, if the term's preferred name became another name of the
        entry. If the entry continues another term already, merges the term into that one."""
        entries_by_other_name = grouped(
            (key, entry) for entry in self.entries for key in self.keys.admitted(entry)
        )
        for key, entries in entries_by_other_name.items():
            if key in self.entry_of_name:  # the name is also preferred, so its term has an entry
                continue
            for term in self.known.of_name(key):
                if term not in self.settled and not self._stays_merged(term, entries):
                    self._continue_or_merge_first(entries, term)

    def _stays_merged(self, term: KnownTerm, entries: Iterable[Entry]) -> bool:
        """True if a term was merged into the term of one of these entries."""
        if term.merged_into is None:
            return False
        return term.merged_into in map(self._term_of, entries)

    def _continue_or_merge_first(self, entries: Iterable[Entry], term: KnownTerm) -> None:
        """Continues or merges a term (`_continue_or_merge`) by the first of these entries that may
        be the term. If `[[distinct]]` in site.toml separates the term from all of them, does
        nothing."""
        for entry in entries:
            if self._may_be(term, entry):
                self._continue_or_merge(entry, term, Identity(rule="other name"))
                return

    def same_file(self) -> None:
        """Continues a term with the entry in the same file, if most files of both releases have one
        term each."""
        earlier_files = _single_term_files(self.known.last_entries)
        current_files = _single_term_files(self.entries)
        if not earlier_files or not current_files:
            return
        for file_of in (PATH, _stem):  # a file that moved has another path, but the same stem
            for entry, term in self._only_pairs(file_of):
                assert term.entry
                was_alone = term.entry.place.name in earlier_files
                is_alone = entry.place.name in current_files
                if was_alone and is_alone:
                    self._continue(entry, term, Identity(rule="same file"))

    def same_distinctive_words(self) -> None:
        """Continues a term with the entry that has the same definition. The words must be
        distinctive (`_distinctive_words`), and no second entry of either release may have them."""
        pairs = self._only_pairs(_distinctive_words)
        if not pairs:
            return
        earlier_entries = [term.entry for term in self.known.terms if term.live and term.entry]
        earlier_uses = Counter(map(_words, earlier_entries))
        current_uses = Counter(map(_words, self.entries))
        for entry, term in pairs:
            words = _words(entry)
            if current_uses[words] == 1 and earlier_uses[words] == 1:
                self._continue(entry, term, Identity(rule="same words"))

    def almost_same_name(self) -> None:
        """Continues a term with an entry of almost the same name. First, only spaces and
        punctuation may differ; then also the s of a plural, and a remark at the end."""
        for entry, term in self._only_pairs(lambda entry: names.folded_letters(entry.name)):
            self._continue(entry, term)
        for entry, term in self._only_pairs(lambda entry: names.loosely_folded(entry.name)):
            self._continue(entry, term)

    def name_within_name(self) -> None:
        """Continues a term with an entry whose name contains the term's name: "Gate" with "Gate or
        Barrier". If the entry continues another term already, merges the term into that one.

        No other entry may contain the name; entries that did not change do not count.
        """
        if not self._missing_terms():
            return
        entries_of_part: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            term = self._term_of(entry)
            is_unchanged = term is not None and term.is_same(entry)
            # An unchanged entry was there beside the missing term, so it is of another term.
            if is_unchanged:
                continue
            parts = map(self.keys.key, names.names_within(entry.name))
            for part in dict.fromkeys(parts):  # "Gate (GATE)" has one twice
                entries_of_part[part].append(entry)
        for key, entries in entries_of_part.items():
            has_own_entry = key in self.entry_of_name
            if len(entries) > 1 or has_own_entry:
                continue
            for term in self.known.of_name(key):
                if term.live and term not in self.settled:
                    self._continue_or_merge_first(entries, term)

    def _term_of(self, entry: Entry) -> KnownTerm | None:
        """Returns the term that an entry continues; None if it continues none."""
        matched = self.matched.get(entry)
        return matched.term if matched else None

    def _missing_terms(self) -> list[KnownTerm]:
        """Returns the live terms that no entry has continued yet."""
        return [term for term in self.known.terms if term.live and term not in self.settled]

    def _only_pairs(self, by: Callable[[Entry], Hashable]) -> list[tuple[Entry, KnownTerm]]:
        """Returns pairs of an unmatched entry and a missing term for which `by` gives the same
        value. `by` is called with the entry, and with the last entry of the term: `PATH` pairs
        those in the same file. A value of two entries or of two terms makes no pair."""
        if not self.unmatched:
            return []
        terms_by_value = grouped(
            (by(term.entry), term) for term in self._missing_terms() if term.entry
        )
        entries_by_value = grouped((by(entry), entry) for entry in self.unmatched)
        pairs = []
        for value, entries in entries_by_value.items():
            terms = terms_by_value.get(value, ())
            is_only_pair = len(entries) == 1 and len(terms) == 1
            if not value or not is_only_pair:
                continue
            entry, term = entries[0], terms[0]
            if self._may_be(term, entry):
                pairs.append((entry, term))
        return pairs

    def _may_be(self, term: KnownTerm, entry: Entry) -> bool:
        """True unless `[[distinct]]` in site.toml says that a term and an entry are two terms."""
        return not self.known.declarations.distinct(term.name_key, self.keys.preferred(entry))


def _single_term_files(entries: Iterable[Entry]) -> frozenset[str]:
    """Returns the names of the documents that have one entry each. If there are few such documents,
    or if they have half of the entries or less, there are none."""
    entries_in_file = Counter(map(PATH, entries))
    files = frozenset([name for name, count in entries_in_file.items() if count == 1])
    is_rare = 2 * len(files) <= entries_in_file.total()
    if len(files) < MIN_SINGLE_TERM_FILES or is_rare:
        return frozenset()
    return files


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
