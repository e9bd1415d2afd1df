"""Finds the names inside a name: a former one, alternatives, and an acronym with its long form."""

from __future__ import annotations

import re

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

    A word counts if it begins with the next letter. It may have further ones: "HTML" is short for
    "HyperText Markup Language", where the first word has "H" and "T".
    """
    missing_letters = "".join(re.findall(r"\w", short.casefold()))
    for word in re.findall(r"\w+", long.casefold()):
        next_letter = missing_letters[:1]
        if word[0] == next_letter:
            # Each letter of the word that comes next is no longer missing.
            for letter in word:
                missing_letters = missing_letters.removeprefix(letter)
    return not missing_letters
