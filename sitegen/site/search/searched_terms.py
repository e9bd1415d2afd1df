"""The terms that the search finds, with their names and texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from sitegen.model.terms import Life, TermStatus
from sitegen.site.messages import plain
from sitegen.site.site import Site
from sitegen.text.names import fold
from sitegen.text.summary import summary


class Searchable(NamedTuple):
    """The searched texts of one term."""

    slug: str
    name: str
    status: TermStatus = "current"
    other_names: tuple[str, ...] = ()
    former_names: Mapping[str, str] = MappingProxyType({})
    """Each former name to the release in which it ended, as text."""
    merged_names: Mapping[str, str] = MappingProxyType({})
    """Each name of a term that was merged into this one, to the release in which the name
    ended."""
    sentence: str = ""
    """The first sentence of the definition on the term's page."""
    text: str = ""
    """Its definition in plain text."""
    other_texts: Mapping[str, str] = MappingProxyType({})
    """Each other definition to the title of its source."""
    hint: str = ""
    """The source or section of a term whose name another term has too, and what to use instead of a
    term that is not current."""


def searchables(site: Site) -> tuple[Searchable, ...]:
    """Returns every term that has a definition of its own, in the site's order, which ranks equal
    matches, and last the terms that a translation lacks.

    A synonym ("Same as X") is found as another name of X, a merged term as a merged name of the
    term that it became, and a translation also by the names of its original.
    """
    terms_found_by: dict[str, list[Life]] = defaultdict(list)
    lives = []
    for life in site.lives:
        defining = site.defining_term(life.key)
        if defining.synonym_of:  # a cycle: A is "Same as B", and B is "Same as A"
            defining = life
        if defining is life:
            lives.append(life)
        terms_found_by[defining.key].append(life)
    found = [_searchable(life, terms_found_by[life.key], site) for life in lives]
    return (*found, *_not_translated(site))


def _not_translated(site: Site) -> Iterator[Searchable]:
    """Yields the terms that a translation lacks. Their pages show the originals."""
    for slug, translation in site.own_translations.items():
        is_found = slug in site.addresses.pages  # by the words of a former translation
        if translation.entry is None and not is_found:
            original = translation.original
            name, *other_names = [name.text for name in original.designations]
            yield Searchable(
                slug=slug,
                name=name,
                other_names=tuple(other_names),
                sentence=summary(original.definition),
                text=original.definition.text,
                hint=plain(site.words.say("state.untranslated")),
            )


def _searchable(life: Life, terms: Sequence[Life], site: Site) -> Searchable:
    """Returns what the search knows of a term: its names, its own definition, and definitions of
    other sources. `terms` are the term and those that are found under its name."""
    names: list[str] = []
    former: dict[str, str] = {}
    merged: dict[str, str] = {}
    for term in terms:
        present_names = [name.text for name in term.names]
        ended_names = dict(term.former_names)
        if term is life or term.is_defined:
            names += present_names
        else:
            # A removed or merged term lost its last names with its last change.
            last_change = term.main_course.changes[-1]
            ended_names = dict.fromkeys(present_names, last_change.release) | ended_names
        if term is not life and term.merged_into:
            merged |= ended_names
        else:
            former |= ended_names
        names += _names_of_original(term, site)

    # Each name is found once, in the first of its roles.
    other_names = _without((life.name,), names)
    former_names = _without((life.name, *other_names), former)
    merged_names = _without((life.name, *other_names, *former_names), merged)
    return Searchable(
        slug=site.slugs[life.key],
        name=life.name,
        status=life.status,
        other_names=other_names,
        former_names={name: site.words.version_text(former[name]) for name in former_names},
        merged_names={name: site.words.version_text(merged[name]) for name in merged_names},
        sentence=summary(site.defining_term(life.key).entry.definition),
        text=life.entry.definition.text,
        other_texts=_other_texts(life, site),
        hint=_hint(life, site),
    )


def _names_of_original(life: Life, site: Site) -> Sequence[str]:
    """Returns the names of the original that a translated term does not have itself. A term without
    an original has none."""
    if not site.is_translation:
        return ()
    translation = site.own_translations.get(site.slugs[life.key])
    if translation is None or translation.entry is None:
        return ()
    own_names = set(map(fold, life.all_names))
    names_of_original = [name.text for name in translation.original.designations]
    return [name for name in names_of_original if fold(name) not in own_names]


def _other_texts(life: Life, site: Site) -> Mapping[str, str]:
    """Returns the present definitions of a term that differ from the one on its page, each with the
    title of its source."""
    titles: dict[str, str] = {}
    for revision in life.revisions:
        text = revision.latest.definition.text
        if revision.ended == "current" and text != life.entry.definition.text:
            titles.setdefault(text, site.source_title(revision.source))
    return titles


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
