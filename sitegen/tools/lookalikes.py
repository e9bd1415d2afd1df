"""Finds names of different terms that look the same, such as a Latin and a Cyrillic "A"."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable

from sitegen.config.tables import Verdict
from sitegen.model import Citation, Problem, ProblemKind, Trouble
from sitegen.site.site import Site
from sitegen.text.names import exact, fold

# Letters of other alphabets that look like a Latin letter in common typefaces.
_LOOKALIKES = {
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


NameUse = tuple[str, str, Citation]
"""A name of a term, the term's key, and the last citation of the name."""


def lookalikes(
    site: Site, *, verdicts: Iterable[Verdict] = (), shown: Callable[[str], str] = str
) -> tuple[Problem, ...]:
    """Returns a problem for each name that looks like another term's, unless a verdict says they are distinct.

    Of names that look alike, the one with the fewest unusual characters has no problem. `shown` converts the path of
    an input to the path to show.
    """
    by_shape: dict[str, dict[str, NameUse]] = defaultdict(dict)
    for life in sorted(site.lives, key=lambda life: life.is_defined):  # the last citation of a name is kept
        entries = (lane.entries[span.past - 1] for lane in life.term.lanes for span in lane.spans)
        for entry in filter(None, entries):
            for name in (exact(designation.text) for designation in entry.designations):
                by_shape[shape(name)][fold(name)] = (name, life.key, entry.citation)
    distinct = [set(map(fold, verdict.names)) for verdict in verdicts if verdict.kind == "distinct"]
    problems = []
    for alike in by_shape.values():
        plain, *others = sorted(alike.values(), key=lambda use: (len(_odd(use[0])), use[0]))
        for use in others:
            pair = {fold(use[0]), fold(plain[0])}
            if use[1] != plain[1] and not any(pair <= names for names in distinct):
                problems.append(_lookalike(use, plain, shown=shown))
    return tuple(sorted(problems))


def _lookalike(use: NameUse, plain: NameUse, *, shown: Callable[[str], str]) -> Problem:
    (name, _, citation), (plain_name, _, plain_citation) = use, plain
    place = f"{shown(plain_citation.path)}:{plain_citation.line}"
    odd = (f"U+{ord(char):04X} {unicodedata.name(char, 'a character without a name')}" for char in _odd(name))
    return Trouble(
        ProblemKind.LOOK_ALIKE,
        f"“{name}” looks like “{plain_name}” ({place}) and is not: it has {', '.join(odd)}",
        "write both with the same characters, or say in site.toml that they are [[distinct]]",
    ).at(shown(citation.path), line=citation.line)


def _odd(name: str) -> tuple[str, ...]:
    """Returns the unusual characters of a name."""
    return tuple(dict.fromkeys(char for char in name if _plain_look(char) != char))


def shape(name: str) -> str:
    """Returns a key that is equal for names that look the same, ignoring case."""
    return fold("".join(map(_plain_look, exact(name))))


def _plain_look(char: str) -> str:
    """Returns the plain characters that a character looks like; none for an invisible one."""
    category = unicodedata.category(char)
    if category == "Cf" or char in _BLANKS:
        return ""
    if category == "Pd":
        return "-"
    if lookalike := _LOOKALIKES.get(char) or _QUOTES.get(char):
        return lookalike
    if unicodedata.decomposition(char).startswith(_VARIANTS):
        return "".join(map(_plain_look, unicodedata.normalize("NFKC", char)))
    return char
