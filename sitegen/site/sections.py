"""The sections of a site: the terms in force under each heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import grouped
from sitegen.model.terms import Life


class Section(NamedTuple):
    heading: str
    lives: tuple[Life, ...]
    """The terms in force in this section, by name."""


def sections(lives: Sequence[Life], sources: Sequence[str]) -> Mapping[str, Section]:
    """Returns the sections of terms, by the key of the section. They are in the order of the
    sources, and within a source in the order of documents and lines; the terms of a section keep
    the order of `lives`."""

    def sort_key(life: Life) -> tuple[int, str, int]:
        place = life.entry.place
        return sources.index(place.source), place.name, life.entry.line

    lives_in_sections = [life for life in lives if life.entry.section]
    lives_of_section = grouped(
        (urls.section_key(life.entry.section), life) for life in lives_in_sections
    )

    # The first term of a section decides its place, and how its heading is written.
    sections: dict[str, Section] = {}
    for life in sorted(lives_in_sections, key=sort_key):
        heading = life.entry.section
        key = urls.section_key(heading)
        if key not in sections:
            sections[key] = Section(heading=heading, lives=lives_of_section[key])
    return sections
