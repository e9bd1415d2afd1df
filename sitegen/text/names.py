"""Decides whether two names are the same, and finds the names inside a name.

Names are compared after normalizing to NFC, collapsing white space and folding case. If a source
defines two names at one release that are equal only after folding (`HEAD` and `head`), these names
are compared exactly everywhere. `NameIndex` finds what a name means.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from sitegen.model import Designation, Entry, first_of
from sitegen.text.words import case_folded

_SPACE = re.compile(r"\s+")
_REMARK = re.compile(
    r"(?<=\S) (?:\([^()]*\)|[-—–] .*|[\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]+)$"
)
"""Matches what follows a name: a remark in brackets or after a dash, or an emoji."""
MAX_NAMES = 1_000_000
"""Size of the cache of names: more than a site has, as each name is looked up at every release."""


def exact(name: str) -> str:
    """Returns a name in its normal form: NFC, single spaces."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", name)).strip()


@lru_cache(maxsize=MAX_NAMES)
def fold(name: str) -> str:
    """Returns the case-folded form of a name, by which names are compared."""
    return case_folded(exact(name))


def folded_letters(name: str) -> str:
    """Returns the folded form of a name without spaces and punctuation.

    >>> folded_letters("Co-location (of data)"), folded_letters("Co–Location - of data")
    ('colocationofdata', 'colocationofdata')
    """
    return re.sub(r"[\s\-‐-―()\[\],:]", "", fold(name))


def loosely_folded(name: str) -> str:
    """Returns the folded letters of a name without a remark at its end and the s of a plural.

    All of these give "colocation": "Co-locations (since 2.0)", "Colocation — MIP7",
    "Colocation - at one place" and "Colocation 👎".
    """
    without_remark = folded_letters(_REMARK.sub("", exact(name)))
    # An s after five letters, the last of which is no s: "gas" and "class" are no plurals.
    return re.sub(r"(?<=[a-z]{4}[a-rt-z])s$", "", without_remark)


def usable(names: Iterable[Designation]) -> list[str]:
    """Returns the names that are not to be avoided."""
    return [name.text for name in names if name.status != "deprecated"]


def avoided(names: Iterable[Designation]) -> list[str]:
    """Returns the names that are to be avoided."""
    return [name.text for name in names if name.status == "deprecated"]


class Keys:
    """Computes the keys of names: two names are the same if their keys are equal. The key of "HEAD"
    is "head", or "HEAD" where a release has "head" too."""

    def __init__(self, names_by_release: Iterable[Iterable[str]]) -> None:
        """`names_by_release` has the preferred names of all terms at each release."""
        self._ambiguous: set[str] = set()
        """The folded names that several different names of one release share."""
        for names in names_by_release:
            spellings = set(map(exact, names))
            counts = Counter(map(fold, spellings))
            self._ambiguous.update(folded for folded, count in counts.items() if count > 1)

    def key(self, name: str) -> str:
        """Returns the key of a name: the same for all spellings, unless a release has several terms
        that differ in their spelling only."""
        folded = fold(name)
        return exact(name) if folded in self._ambiguous else folded

    def preferred(self, entry: Entry) -> str:
        """Returns the key of an entry's preferred name."""
        return self.key(entry.designations[0].text)

    def admitted(self, entry: Entry) -> tuple[str, ...]:
        """Returns the keys of an entry's other names, without duplicates.

        "Common Weakness Enumeration (CWE)" has two other names: its long form, and its acronym.
        """
        name = entry.designations[0].text
        # Most entries have one name and no acronym in brackets.
        if len(entry.designations) == 1 and not name.endswith(")"):
            return ()
        names = [*usable(entry.designations), *spelled_out(name)]
        keys = dict.fromkeys(map(self.key, names))
        keys.pop(self.preferred(entry), None)
        return tuple(keys)


# Names inside a name: a former one, alternatives, and an acronym with its long form.

_WITH_ACRONYM = re.compile(r"([^()]+?)\s*\(([^()]+)\)")
_ACRONYM = re.compile(r"\(([A-Z0-9][A-Z0-9./&-]*[A-Z0-9]s?)\)")
_FORMERLY = re.compile(
    r"\b(?:formerly|previously|originally|once)(?: known as| called| named)? ([^(),;]+)",
    re.IGNORECASE,
)
_OR = re.compile(r" or | / |, ")


def names_within(name: str) -> tuple[str, ...]:
    """Returns the other names that a name contains.

    >>> names_within("Workflow (formerly known as DAX)"), names_within("Gate or Barrier")
    (('DAX',), ('Gate', 'Barrier'))
    """
    names = [*_ACRONYM.findall(name), *_FORMERLY.findall(name)]
    alternatives = _OR.split(name)
    has_alternatives = len(alternatives) > 1
    if has_alternatives:
        names += alternatives
    return tuple(filter(None, map(str.strip, names)))


def without_former_names(name: str) -> str:
    """Returns a name without the words in it about earlier names.

    >>> without_former_names("Flow, formerly DAX")
    'Flow, '
    """
    return _FORMERLY.sub("", name)


def spelled_out(name: str) -> tuple[str, ...]:
    """Returns the long form and the acronym of a name that has both; else an empty tuple.

    >>> spelled_out("CWE (Common Weakness Enumeration)")
    ('Common Weakness Enumeration', 'CWE')
    """
    match = _WITH_ACRONYM.fullmatch(name)
    if not match:
        return ()
    # Either may be in the brackets.
    long, short = sorted(match.groups(), key=len, reverse=True)
    capitals = sum(map(str.isupper, short))
    is_acronym = len(short) > 1 and capitals > len(short) / 2
    if is_acronym and _is_short_for(short, long):
        return long, short
    return ()


def _is_short_for(short: str, long: str) -> bool:
    """True if the words of a long name have all letters of a short one in order.

    A word counts if it begins with the next letter. A word may have further ones: "HTML" is short
    for "HyperText Markup Language", where the first word has "H" and "T"."""
    missing_letters = "".join(re.findall(r"\w", short.casefold()))
    for word in re.findall(r"\w+", long.casefold()):
        next_letter = missing_letters[:1]
        if word[0] == next_letter:
            # Each letter of the word that comes next is no longer missing.
            for letter in word:
                missing_letters = missing_letters.removeprefix(letter)
    return not missing_letters


# Words of languages without a stemmer are their own stems.

_STEMMERS = """
    ar:arabic ca:catalan cs:czech da:danish de:german el:greek en:english es:spanish et:estonian
    eu:basque fi:finnish fr:french ga:irish hi:hindi hu:hungarian hy:armenian id:indonesian
    it:italian lt:lithuanian nb:norwegian ne:nepali nl:dutch nn:norwegian no:norwegian pl:polish
    pt:portuguese ro:romanian ru:russian sr:serbian sv:swedish ta:tamil tr:turkish
"""
SNOWBALL = dict(pair.split(":") for pair in _STEMMERS.split())
"""Language to the name of its stemmer. Snowball's releases differ in the languages that they
have."""


def main_language(tag: str) -> str:
    """Returns the language of a tag, without script and region.

    >>> main_language("pt-BR")
    'pt'
    """
    return tag.partition("-")[0].lower()


def has_traditional_characters(tag: str) -> bool:
    """True for Chinese in traditional characters. Its tag names the script, or a region with that
    script.

    >>> has_traditional_characters("zh-TW"), has_traditional_characters("zh")
    (True, False)
    """
    return re.match(r"zh-(hant|tw|hk|mo)\b", tag, re.I) is not None


def stems(name: str, language: str = "en") -> str:
    """Returns the stems of a name's words. The stems are the same for the singular and the plural.

    >>> stems("Compound Operations") == stems("compound operation")
    True
    """
    return " ".join([_stem(word, language) for word in fold(name).split()])


def _stem(word: str, language: str) -> str:
    """Returns the stem of a folded word; the word itself if the language has no stemmer."""
    stemmer = _stemmer(language)
    if stemmer is None:
        return word
    if language == "en":
        # Snowball gives "index" and "indices" other stems.
        word = re.sub(r"(?<=[rtd])(?:ices|ixes|exes|ex)$", "ix", word)
    return str(stemmer.stemWord(word))


@cache
def _stemmer(language: str) -> Any:
    """Returns the stemmer of a language; None if there is none."""
    # Imported lazily: snowballstemmer loads the stemmers of all languages.
    from snowballstemmer import algorithms, stemmer

    name = SNOWBALL.get(language, "")
    if name in algorithms():
        return stemmer(name)
    return None


def plural(name: str, language: str = "en") -> str:
    """Returns the regular plural of an English name; empty for other languages, and for names that
    end in s.

    >>> plural("branch"), plural("policy"), plural("saw")
    ('branches', 'policies', 'saws')
    """
    last = name[-1:]
    if not language.startswith("en") or not last.isalpha() or last in "sS":
        return ""
    if re.search(r"(?:x|z|ch|sh)$", name):
        return f"{name}es"
    if re.search(r"[^aeiou]y$", name):
        return f"{name.removesuffix('y')}ies"
    return f"{name}s"


def heading_id(heading: str) -> str:
    """Returns the id of a heading as GitHub and Docusaurus make it.

    >>> heading_id("Big-endian (byte order)")
    'big-endian-byte-order'
    """
    id = ""
    for sign in heading.lower().replace(" ", "-"):
        is_mark = unicodedata.category(sign).startswith("M")  # a vowel of Hindi or Thai
        if is_mark or sign.isalnum() or sign in "-_":
            id += sign
    return id


def heading_ids(heading: str) -> tuple[str, ...]:
    """Returns the ids that tools give a heading, first that of GitHub. MkDocs leaves out the vowels
    of Hindi, and the dot above the lower case of `İ`.

    >>> heading_ids("İp")
    ('i\u0307p', 'ip')
    """
    id = heading_id(heading)
    return tuple(dict.fromkeys((id, re.sub(r"[^\w-]", "", id))))


class NameHolder(Protocol):
    """A term, or another thing, that has or had a name."""

    @property
    def name(self) -> str:
        """The name in its normal form."""

    @property
    def rank(self) -> int:
        """0 for a preferred name in force; more for other names."""

    @property
    def key(self) -> str:
        """Equal for all names of one term."""


Holder = TypeVar("Holder", bound=NameHolder)


class NameIndex(Generic[Holder]):
    """Finds what a name means, for references in definitions and for other documents alike. The
    holders are what has the names, such as terms."""

    def __init__(self, holders: Iterable[Holder], *, language: str) -> None:
        """`language` is that of the names. Plurals in it and in English are found."""
        self._languages = dict.fromkeys((main_language(language), "en"))
        self._holders: dict[str, list[Holder]] = defaultdict(list)
        for holder in holders:
            self._holders[fold(holder.name)].append(holder)
        self._by_stems: dict[str, Mapping[str, Sequence[Holder]]] = {}

    def find(self, name: str, *, goes_first: Callable[[Holder], bool]) -> Holder | None:
        """Returns the holder of a name in any case, or else of another form of the name, such as
        its plural. Returns None if no term has one, or several have.

        `goes_first` is true for holders that are preferred to others.
        """
        spelling = exact(name)

        def rank(holder: Holder) -> tuple[bool, bool, int]:
            return not goes_first(holder), holder.name != spelling, holder.rank

        holders = self.folded(name)
        if holders:
            return min(holders, key=rank)

        # Another form must belong to one term alone: among those that go first, or else among all.
        for language in self._languages:
            same_stems = self._with_same_stems(name, language)
            preferred = [holder for holder in same_stems if goes_first(holder)]
            for candidates in (preferred, same_stems):
                terms = {holder.key for holder in candidates}
                if len(terms) == 1:
                    return min(candidates, key=attrgetter("rank"))
        return None

    def folded(self, name: str) -> Sequence[Holder]:
        """Returns the holders of a name with the same letters, in any case."""
        return self._holders.get(fold(name), ())

    def _with_same_stems(self, name: str, language: str) -> Sequence[Holder]:
        """Returns the holders of names with the same stems."""
        # Made for a language when it is first needed: few look-ups need it.
        if language not in self._by_stems:
            by_stems: dict[str, list[Holder]] = defaultdict(list)
            for form, holders in self._holders.items():
                by_stems[stems(form, language)] += holders
            self._by_stems[language] = by_stems
        return self._by_stems[language].get(stems(name, language), ())


# Advice about unknown names.

LIKENESS = 70
"""The minimum similarity, of 100, of the names that a message suggests."""
MAX_LISTED = 16
"""The maximum number of known names that a message lists."""


def similar_names(name: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """Returns the known names that are similar to an unknown name, the most similar first. Upper
    and lower case do not count.

    >>> similar_names("tesnor", ["Tensor", "Tag"])
    ['Tensor']
    """
    from rapidfuzz import process  # most builds have no unknown name

    if len(name) == 1:
        return []  # one character is part of most names
    # Sorted, so that of "Tag" and "tag" always the same one is returned.
    by_folded = {known_name.casefold(): known_name for known_name in sorted(known)}
    similar = process.extract(name.casefold(), [*by_folded], limit=limit, score_cutoff=LIKENESS)
    return [by_folded[folded] for folded, *_ in similar]


def did_you_mean(name: str, known: Collection[str], *, otherwise: str = "") -> str:
    """Returns advice about an unknown name: the most similar known one, else `otherwise`, else a
    list of known names."""
    similar = similar_names(name, known, limit=1)
    if similar:
        return f"did you mean '{similar[0]}'?"
    if otherwise:
        return otherwise
    if not known:
        return "there is none"
    return f"known: {first_of([*dict.fromkeys(known)], MAX_LISTED)}"
