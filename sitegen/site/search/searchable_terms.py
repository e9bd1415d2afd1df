"""The texts of terms that a search looks in: names, definitions, and first sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sitegen.model.terms import Life, TermStatus
from sitegen.site.search.search_words import words
from sitegen.site.site import Site
from sitegen.text.summary import summary


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
    setting: str = ""
    """The source or section of a term whose name another term has too."""


def searchables(site: Site) -> tuple[Searchable, ...]:
    """Returns every term that has a definition of its own, in the site's order, in which equal
    matches are ranked.

    A synonym ("Same as X") is found as another name of the term that it stands for, a merged term
    that no source defines any more as a former name of the term that it became.
    """
    became = {life.key: site.defining_term(life.key).key for life in site.lives if life.synonym_of}
    folded = {key: other for key, other in became.items() if other != key and other not in became}
    others: dict[str, list[str]] = defaultdict(list)
    former: dict[str, list[str]] = defaultdict(list)
    for life in site.lives:
        key = folded.get(life.key, life.key)
        names = others if key == life.key or life.is_defined else former
        names[key] += [one.text for one in life.names]
        former[key] += [name for name, _ in life.former_names]
    lives = [life for life in site.lives if life.key not in folded]
    return tuple([_searchable(life, others[life.key], former[life.key], site) for life in lives])


def _searchable(life: Life, others: Sequence[str], former: Sequence[str], site: Site) -> Searchable:
    # The term's main wording, then the current wordings of other sources.
    current = [revision.latest for revision in life.revisions if revision.ended == "current"]
    entries = (life.entry, *current)
    text = "\n\n".join(dict.fromkeys(entry.definition.text for entry in entries))
    names = dict.fromkeys((life.name, *others))
    names |= dict.fromkeys(names_in_parentheses(tuple(names), text))
    return Searchable(
        slug=site.slugs[life.key],
        name=life.name,
        status=life.status,
        other_names=tuple(names)[1:],
        former_names=tuple([name for name in dict.fromkeys(former) if name not in names]),
        sentence=summary(site.defining_term(life.key).entry.definition),
        text=text,
        setting=site.setting(life.key),
    )


def names_in_parentheses(names: Sequence[str], text: str) -> Iterator[str]:
    """Yields what a definition has in parentheses after a name of its term, if that is short for
    the name or spells it otherwise: "a virtual machine (VM)", "multitenancy (or multi-tenancy)"."""
    if " (" not in text:
        return
    spellings = {"".join(words(name)) for name in names}
    for name in names:
        parts = words(name)
        if not parts:
            continue
        spelled = r"[\s-]+".join(map(re.escape, parts))
        pattern = rf"\b{spelled}s? \((?:or )?([^()]{{2,40}})\)"
        initials = "".join(part[0] for part in parts)
        for found in re.finditer(pattern, text, re.IGNORECASE):
            other = found[1].strip()
            letters = "".join(words(other))
            is_short = letters.rstrip("s") == initials or sum(map(str.isupper, other)) > 1
            if " " in other or other in names:
                continue
            if is_short or letters in spellings:
                yield other
