"""A term as a search sees it: its names, how it stands, and what its definitions say now.

Only what the site says today is searched, so that the index of a glossary does not grow with its releases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sitegen.model.terms import Life, TermStatus
from sitegen.site.site import Site
from sitegen.text.prose import first_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Searchable:
    """What a search needs to know of one term."""

    slug: str
    name: str
    status: TermStatus = "current"
    other_names: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    sentence: str = ""
    """What the term's row says: the first sentence of the definition on its page."""
    text: str = ""
    """Its definitions in plain text, one for each source that words it differently."""


def searchables(site: Site) -> tuple[Searchable, ...]:
    """Returns every term as a search sees it, in the site's order, which also ranks equal matches."""
    return tuple(_searchable(site, life) for life in site.lives)


def _searchable(site: Site, life: Life) -> Searchable:
    names = [designation.text for designation in life.names]
    return Searchable(
        slug=site.slugs[life.key],
        name=life.name,
        status=life.status,
        other_names=_each_once(names[1:], without=names[:1]),
        former_names=_each_once((name for name, _ in life.former_names), without=names),
        sentence=first_sentence(site.speaker(life.key).entry.definition.text),
        text="\n\n".join(_definitions(life)),
    )


def _each_once(names: Iterable[str], *, without: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name not in without))


def _definitions(life: Life) -> tuple[str, ...]:
    """The wording that speaks for the term, then what other sources say now."""
    current = (revision.latest for revision in life.revisions if revision.ended == "current")
    return tuple(dict.fromkeys(entry.definition.text for entry in (life.entry, *current)))
