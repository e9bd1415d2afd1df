"""Builds the list of names, which the browser loads first; most queries need nothing else.

It is text in columns with a line for each term, which is short and fast to parse. Values that only few terms have are
mapped by row; a slug is left out if it consists of the words of the term's name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sitegen.model.terms import Life, TermStatus
from sitegen.site.search.words import words
from sitegen.site.site import Site
from sitegen.text.prose import first_sentence

SUGGESTIONS = 6


class Searchable(NamedTuple):
    """The searched texts of one term."""

    slug: str
    name: str
    status: TermStatus = "current"
    other_names: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    sentence: str = ""
    """The first sentence of the definition on the term's page, which search results show."""
    text: str = ""
    """Its different definitions in plain text."""


def searchables(site: Site) -> tuple[Searchable, ...]:
    """Returns every term except merged ones, in the site's order, in which equal matches are ranked."""
    merged = _merged(site)
    names: dict[str, list[str]] = defaultdict(list)
    for life in site.lives:
        if life.key in merged:
            names[merged[life.key]] += [life.name, *(name for name, _ in life.former_names)]
    return tuple(_searchable(site, life, names.get(life.key, ())) for life in site.lives if life.key not in merged)


def suggested(site: Site, terms: Sequence[Searchable]) -> tuple[int, ...]:
    """Returns the rows of the terms that most other definitions mention, the most mentioned first."""
    rows = {term.slug: row for row, term in enumerate(terms) if term.status == "current"}
    mentions = Counter(site.slugs[key] for life in site.lives for key in site.see_also[life.key])
    often = sorted((slug for slug in mentions if slug in rows), key=lambda slug: (-mentions[slug], rows[slug]))
    return tuple(rows[slug] for slug in often[:SUGGESTIONS])


def _merged(site: Site) -> Mapping[str, str]:
    """Returns the keys of merged terms that no source defines any more, to the keys of the terms they became."""
    gone = (life for life in site.lives if life.merged_into)
    became = {life.key: site.defining_term(life.key).key for life in gone}
    return {key: other for key, other in became.items() if other != key and other not in became}


def _searchable(site: Site, life: Life, merged_names: Iterable[str]) -> Searchable:
    names = [designation.text for designation in life.names]
    former = (name for name, _ in life.former_names)
    return Searchable(
        slug=site.slugs[life.key],
        name=life.name,
        status=life.status,
        other_names=_unique(names[1:], without=names[:1]),
        former_names=_unique((*former, *merged_names), without=names),
        sentence=first_sentence(site.defining_term(life.key).entry.definition.text),
        text="\n\n".join(_definitions(life)),
    )


def _unique(names: Iterable[str], *, without: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name not in without))


def _definitions(life: Life) -> tuple[str, ...]:
    """Returns the term's main wording, then the current wordings of other sources."""
    current = (revision.latest for revision in life.revisions if revision.ended == "current")
    return tuple(dict.fromkeys(entry.definition.text for entry in (life.entry, *current)))


MAX_SENTENCES = 200_000
"""The maximum number of characters of all first sentences, about 60 kB compressed. Longer ones are left out."""
STATES = {"current": "=", "deprecated": "!", "removed": "~"}
"""The character before a term's name, by the term's status."""
OTHER_NAME, FORMER_NAME = "+", "-"
"""The characters before its other names and before its former names."""


def names_list(terms: Sequence[Searchable], *, index: str, suggestions: Sequence[int] = ()) -> dict[str, object]:
    """Returns the list of names. `index` is the name of the index of words, which refers to terms by their rows."""
    listed: dict[str, object] = {
        "index": index,
        "suggestions": suggestions,
        "names": "\n".join(map(_names, terms)),
        "slugs": {
            row: term.slug
            for row, term in enumerate(terms)
            if not term.slug.isascii() or term.slug != "-".join(words(term.name))
        },
    }
    sentences = "\n".join(_line(term.sentence) for term in terms)
    return {**listed, "sentences": sentences} if len(sentences) <= MAX_SENTENCES else listed


def _names(term: Searchable) -> str:
    names = ((STATES[term.status], term.name), *((OTHER_NAME, name) for name in term.other_names))
    return "\t".join(
        mark + _line(name) for mark, name in (*names, *((FORMER_NAME, name) for name in term.former_names))
    )


def _line(text: str) -> str:
    return text if text.isprintable() else re.sub(r"[\x00-\x1f]+", " ", text)
