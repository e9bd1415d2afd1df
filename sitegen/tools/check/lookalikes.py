"""Finds names of different terms that differ only in characters which look the same.

Examples are a Cyrillic а in a Latin word, a full-width letter, an invisible character, or another kind of hyphen.
Readers see one name, but links, search and sorting see two.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from sitegen.model import Citation, Problem, Verdict
from sitegen.site.site import Site
from sitegen.text.names import exact, fold

# Letters of other alphabets that look like a Latin letter in common typefaces.
_TWINS = {
    **dict(zip("аеорсухѕіјһԁԛԝѵӏү", "aeopcyxsijhdqwvly", strict=True)),
    **dict(zip("АВЕЗКМНОРСТУХЅІЈԌԚԜѴӀҮ", "ABE3KMHOPCTYXSIJGQWVIY", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ", strict=True)),
    **dict(zip("ονιρϲϳ", "ovipcj", strict=True)),
    **dict(zip("ɡıɑ", "gia", strict=True)),
}
_QUOTES = {**dict.fromkeys("‘’‚‛′ʹʼ`´", "'"), **dict.fromkeys("“”„‟″«»", '"')}
# Decompositions of full-width, half-width and mathematical letters and of ligatures.
_VARIANTS = ("<wide>", "<narrow>", "<font>", "<compat>", "<noBreak>")
# Invisible characters that are not in the category Cf.
_BLANKS = frozenset("\u034f\u115f\u1160\u3164\uffa0\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """A name of a term, and its last citation."""

    key: str
    name: str
    citation: Citation


def lookalikes(
    site: Site, *, verdicts: Iterable[Verdict] = (), shown: Callable[[str], str] = str
) -> tuple[Problem, ...]:
    """Returns a problem for each name that looks like another term's, unless a verdict says they are distinct.

    `shown` turns a path into the path to show.
    """
    verdicts = tuple(verdicts)
    gathered: dict[str, dict[str, _Use]] = defaultdict(dict)
    for use in _uses(site):
        gathered[shape(use.name)][fold(use.name)] = use
    return tuple(
        sorted(
            problem
            for uses in gathered.values()
            if len(uses) > 1
            for problem in _problems(sorted(uses.values(), key=_by_oddity), verdicts, shown=shown)
        )
    )


def _uses(site: Site) -> Iterator[_Use]:
    """Yields every name of every term; current terms come last, so that their citation is kept."""
    for life in sorted(site.lives, key=lambda life: life.is_defined):
        for lane in life.term.lanes:
            for entry in lane.entries:
                if entry:
                    for designation in entry.designations:
                        yield _Use(key=life.key, name=exact(designation.text), citation=entry.citation)


def _by_oddity(use: _Use) -> tuple[int, str]:
    return (len(_odd(use.name)), use.name)


def _problems(uses: list[_Use], verdicts: tuple[Verdict, ...], *, shown: Callable[[str], str]) -> Iterator[Problem]:
    """Yields a problem for each of the names but the one with the fewest unusual characters."""
    plain, *others = uses
    for use in others:
        if use.key != plain.key and not _are_distinct(use.name, plain.name, verdicts):
            place = f"{shown(plain.citation.path)}:{plain.citation.line}"
            yield Problem(
                path=shown(use.citation.path),
                line=use.citation.line,
                found=f"“{use.name}” looks like “{plain.name}” ({place}) and is not: it has {_described(use.name)}",
                wanted="write both with the same characters, or say in site.toml that they are [[distinct]]",
            )


def _are_distinct(one: str, two: str, verdicts: tuple[Verdict, ...]) -> bool:
    said = (set(map(fold, verdict.names)) for verdict in verdicts if verdict.kind == "distinct")
    return any({fold(one), fold(two)} <= names for names in said)


def _described(name: str) -> str:
    """Returns the Unicode names of a name's unusual characters."""
    called = (f"U+{ord(char):04X} {unicodedata.name(char, 'a character without a name')}" for char in _odd(name))
    return ", ".join(called)


def _odd(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(char for char in name if _seen(char) != char))


@lru_cache(maxsize=50_000)
def shape(name: str) -> str:
    """Returns a key that is equal for names that look the same, ignoring case."""
    return fold("".join(map(_seen, exact(name))))


@lru_cache(maxsize=10_000)
def _seen(char: str) -> str:
    """Returns the plain characters that a character looks like; none for an invisible one."""
    category = unicodedata.category(char)
    if category == "Cf" or char in _BLANKS:
        return ""
    if category == "Pd":
        return "-"
    if twin := _TWINS.get(char) or _QUOTES.get(char):
        return twin
    if unicodedata.decomposition(char).startswith(_VARIANTS):
        return "".join(map(_seen, unicodedata.normalize("NFKC", char)))
    return char
