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
    """Returns the heading of each term's section, by the key of the term. Terms without a section
    are left out.

    `originals` has the section of the original by the key of each translated term. Translators may
    name one section in several ways, or leave its name untranslated. All terms of the section get
    the name that is used most often.
    """
    own_headings = {life.key: life.entry.section for life in lives if life.entry.section}

    # The section of the originals, to how often each of its translated headings is used.
    translated_headings: dict[str, Counter[str]] = defaultdict(Counter)
    for key, heading in own_headings.items():
        translated_headings[originals.get(key, "")][heading] += 1

    common_headings = {}
    for key, heading in own_headings.items():
        section_of_original = originals.get(key, "")
        if section_of_original:
            heading, _ = translated_headings[section_of_original].most_common(1)[0]
        common_headings[key] = heading
    return common_headings


def sections(
    lives: Sequence[Life], headings: Mapping[str, str], sources: Sequence[str]
) -> Mapping[str, Section]:
    """Returns the sections of terms, by the key of the section. The sections are in the order of
    the sources, and within a source in the order of documents and lines; the terms of a section
    keep the order of `lives`.

    `headings` has the heading of each term with a section, and `sources` the ids of all sources.
    """

    def sort_key(life: Life) -> tuple[int, str, int]:
        place = life.entry.place
        return sources.index(place.source), place.name, life.entry.line

    lives_in_sections = [life for life in lives if life.key in headings]
    lives_of_section = grouped(
        (urls.section_key(headings[life.key]), life) for life in lives_in_sections
    )

    # The first term of a section decides its place, and how its heading is written.
    sections: dict[str, Section] = {}
    for life in sorted(lives_in_sections, key=sort_key):
        heading = headings[life.key]
        key = urls.section_key(heading)
        if key not in sections:
            sections[key] = Section(heading=heading, lives=lives_of_section[key])
    return sections
