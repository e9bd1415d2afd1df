"""The sections of a site: the terms in force under each heading."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import grouped
from sitegen.model.terms import Life


class Section(NamedTuple):
    heading: str
    lives: tuple[Life, ...]
    """The terms in force in this section, by name."""


def headings(lives: Sequence[Life], originals: Mapping[str, str]) -> Mapping[str, str]:
    """Returns the heading of the section of each term that has one, by the key of the term.

    `originals` has the sections of the originals of translated terms. Translators may name such a
    section in several ways, or not translate its name: it has the name that most of its
    translations have.
    """
    found = {life.key: life.entry.section for life in lives if life.entry.section}
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for key, heading in found.items():
        if originals.get(key):
            names[originals[key]][heading] += 1
    for key in found:
        if originals.get(key):
            [(found[key], _)] = names[originals[key]].most_common(1)
    return found


def sections(
    lives: Sequence[Life], headings: Mapping[str, str], sources: Sequence[str]
) -> Mapping[str, Section]:
    """Returns the sections of terms, by the key of the section: in the order of the sources, and in
    each by document and line."""

    def sort_key(life: Life) -> tuple[int, str, int]:
        place = life.entry.place
        return sources.index(place.source), place.name, life.entry.line

    with_heading = [life for life in lives if life.key in headings]
    lives_of = grouped((urls.section_key(headings[life.key]), life) for life in with_heading)
    found: dict[str, Section] = {}
    for life in sorted(with_heading, key=sort_key):
        heading = headings[life.key]
        key = urls.section_key(heading)
        if key not in found:
            found[key] = Section(heading=heading, lives=lives_of[key])
    return found
