"""The terms that the search finds, with their names and texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from sitegen.history.meanings import summary_of
from sitegen.model.terms import Life, TermStatus
from sitegen.site.messages import plain
from sitegen.site.site import Site
from sitegen.text.names import fold


class Searchable(NamedTuple):
    """The searched texts of one term."""

    slug: str
    name: str
    status: TermStatus = "current"
    other_names: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    merged_names: tuple[str, ...] = ()
    """The names of the terms that were merged into it."""
    ended: Mapping[str, str] = MappingProxyType({})
    """Each former or merged name to the release in which it ended, as text."""
    sentence: str = ""
    """The first sentence of the definition on the term's page, which search results show."""
    text: str = ""
    """Its definition in plain text."""
    other_texts: Mapping[str, str] = MappingProxyType({})
    """Each other definition to the title of its source."""
    hint: str = ""
    """The source or section of a term whose name another term has too, and what to use instead of a
    term that is not current."""


@dataclass(slots=True)
class _Names:
    """The names by which a term is found besides its own, some of them several times."""

    others: list[str] = field(default_factory=list)
    former: list[str] = field(default_factory=list)
    merged: list[str] = field(default_factory=list)
    ended: dict[str, str] = field(default_factory=dict)
    """Names to the release in which they ended."""

    def add(self, life: Life, *, is_own: bool) -> None:
        """Adds the names of a term. `is_own` is false for a synonym or a merged term, which is
        found under the name of the other term."""
        present_names = [name.text for name in life.names]
        former_names = [name for name, _ in life.former_names]

        # Former names, and the last names of a term that was removed or merged.
        self.ended |= dict(life.former_names)
        changes = life.main_course.changes
        if changes and not life.is_defined:
            self.ended |= dict.fromkeys(present_names, changes[-1].release)

        if not is_own and life.merged_into:
            self.merged += present_names + former_names
        elif not is_own and not life.is_defined:  # a removed synonym
            self.former += present_names + former_names
        else:  # the term itself, or a synonym in force
            self.others += present_names
            self.former += former_names


def searchables(site: Site) -> tuple[Searchable, ...]:
    """Returns every term that has a definition of its own, in the site's order, which ranks equal
    matches.

    A synonym ("Same as X") is found as another name of X, a merged term as a merged name of the
    term that it became, and a translation also by the names of its original.
    """
    names: dict[str, _Names] = defaultdict(_Names)
    lives = []
    for life in site.lives:
        defining = site.defining_term(life.key)
        is_in_cycle = bool(defining.synonym_of)  # "Same as B", of which B says "Same as A"
        is_own = defining is life or is_in_cycle
        if is_own:
            lives.append(life)
        found = names[life.key if is_own else defining.key]
        found.add(life, is_own=is_own)
        found.others += _names_of_original(life, site)
    return tuple([_searchable(life, names[life.key], site) for life in lives])


def _names_of_original(life: Life, site: Site) -> Sequence[str]:
    """Returns the names of the original that a translated term does not have itself. A term without
    an original has none."""
    if not site.is_translation:
        return ()
    pair = site.own_translations.get(site.slugs[life.key])
    if pair is None or pair.entry is None:
        return ()
    own_names = set(map(fold, life.all_names))
    names_of_original = [name.text for name in pair.original.designations]
    return [name for name in names_of_original if fold(name) not in own_names]


def _searchable(life: Life, names: _Names, site: Site) -> Searchable:
    """Returns what the search knows of a term: names, own definition, and definitions of other
    sources."""
    text = life.entry.definition.text
    other_texts: dict[str, str] = {}
    for revision in life.revisions:
        other = revision.latest.definition.text
        if revision.ended == "current" and other != text:
            other_texts.setdefault(other, site.source_title(revision.source))

    # Each name is found once, in the first of its roles.
    other_names = _without((life.name,), names.others)
    former_names = _without((life.name, *other_names), names.former)
    merged_names = _without((life.name, *other_names, *former_names), names.merged)
    ended = {}
    for name in (*former_names, *merged_names):
        ended[name] = site.words.version_text(names.ended.get(name, ""))
    return Searchable(
        slug=site.slugs[life.key],
        name=life.name,
        status=life.status,
        other_names=other_names,
        former_names=former_names,
        merged_names=merged_names,
        ended=ended,
        sentence=summary_of(site.defining_term(life.key)),
        text=text,
        other_texts=other_texts,
        hint=_hint(life, site),
    )


def _hint(life: Life, site: Site) -> str:
    """Returns how a term differs from others of its name, and what to use instead of it."""
    hints = [site.hint(life.key)]
    if life.replaced_by and life.status != "current":
        name = site.by_key[life.replaced_by].name
        hints.append(plain(site.words.say("status.use-instead", term=name)))
    return plain(site.words.listed(filter(None, hints)))


def _without(known: Collection[str], names: Iterable[str]) -> tuple[str, ...]:
    """Returns the names that are not known yet, each once."""
    return tuple([name for name in dict.fromkeys(names) if name not in known])
