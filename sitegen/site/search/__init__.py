"""Writes the data for the search in the browser: a list of names, and an index of the words of names and definitions.

The list is enough for queries by name. The index is loaded only if names are not enough, and of a large one only the
shards that a query needs. Every file is a script that sets one property, because a page that is opened from disk can
run scripts but not read other files. The scripts that use the data are `templates/assets/js/search-*.js`.

lunr provides the stop words and the stemmer of English (`search_words`), and the ranking formula, which the browser
computes. lunr's own index of 10,000 terms would be one file of 4 MB.

The list of names, which the browser loads first, has a line for each term. Values that only few terms have are mapped
by row; a slug is left out if it consists of the words of the term's name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sitegen.model import File
from sitegen.model.terms import STATUSES, Life, TermStatus
from sitegen.site.messages import catalog
from sitegen.site.search.index import index_files, script
from sitegen.site.search.search_words import question_pattern, rules, words
from sitegen.site.site import Site
from sitegen.text.prose import summary

SUGGESTIONS = 6
"""The number of terms that are shown before anything is typed."""
MAX_SENTENCES = 200_000
"""The maximum number of characters of all first sentences, about 60 kB compressed. Longer ones are left out."""


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


def files(site: Site) -> list[File]:
    """Returns the files that a search of this site reads.

    The terms that most other definitions mention are suggested before anything is typed, the most mentioned first.
    """
    terms = searchables(site)
    rows = {term.slug: row for row, term in enumerate(terms) if term.status == "current"}
    mentions = Counter(site.slugs[key] for life in site.lives for key in site.see_also[life.key])
    often = sorted((slug for slug in mentions if slug in rows), key=lambda slug: (-mentions[slug], rows[slug]))
    suggestions = [rows[slug] for slug in often[:SUGGESTIONS]]
    return search_files(terms, language=site.language, suggestions=suggestions)


def searchables(site: Site) -> tuple[Searchable, ...]:
    """Returns every term that has a definition of its own, in the site's order, in which equal matches are ranked.

    A synonym ("Same as X") is found as another name of the term that it stands for, a merged term that no source
    defines any more as a former name of the term that it became.
    """
    became = {life.key: site.defining_term(life.key).key for life in site.lives if life.synonym_of}
    folded = {key: other for key, other in became.items() if other != key and other not in became}
    others: dict[str, list[str]] = defaultdict(list)
    former: dict[str, list[str]] = defaultdict(list)
    for life in site.lives:
        key = folded.get(life.key, life.key)
        (others if key == life.key or life.is_defined else former)[key] += [one.text for one in life.names]
        former[key] += [name for name, _ in life.former_names]
    lives = [life for life in site.lives if life.key not in folded]
    return tuple([_searchable(life, others[life.key], former[life.key], site) for life in lives])


def _searchable(life: Life, others: Sequence[str], former: Sequence[str], site: Site) -> Searchable:
    names = dict.fromkeys((life.name, *others))
    # The term's main wording, then the current wordings of other sources.
    entries = (life.entry, *(revision.latest for revision in life.revisions if revision.ended == "current"))
    return Searchable(
        slug=site.slugs[life.key],
        name=life.name,
        status=life.status,
        other_names=tuple(names)[1:],
        former_names=tuple([name for name in dict.fromkeys(former) if name not in names]),
        sentence=summary(site.defining_term(life.key).entry.definition.text),
        text="\n\n".join(dict.fromkeys(entry.definition.text for entry in entries)),
        setting=site.setting(life.key),
    )


def search_files(terms: Sequence[Searchable], *, language: str, suggestions: Sequence[int] = ()) -> list[File]:
    """Returns the files that a search among these terms reads; `suggestions` are rows of terms.

    The list of names has the name of the index, which refers to terms by their rows.
    """
    index = index_files(
        (" ".join((term.name, *term.other_names, *term.former_names)) for term in terms),
        (term.text for term in terms),
        language=language,
    )
    rows = [*enumerate(terms)]
    say = catalog(language).plain_text
    sentences = "\n".join(_on_one_line(term.sentence) for term in terms)
    names = {
        "index": next(iter(index)),
        "suggestions": suggestions,
        "questions": question_pattern(say("search.questions")),
        "joining": say("search.joining"),
        "endings": rules(language),
        "names": "\n".join(map(_line_of_names, terms)),
        "slugs": {row: term.slug for row, term in rows if not _is_words_of(term.name, term.slug)},
        "settings": {row: term.setting for row, term in rows if term.setting},
        **({"sentences": sentences} if len(sentences) <= MAX_SENTENCES else {}),
    }
    scripts = {"names": script("names", names), **index}
    return [File(path=f"search/{name}.js", content=content) for name, content in scripts.items()]


def _is_words_of(name: str, slug: str) -> bool:
    return slug.isascii() and slug == "-".join(words(name))


def _line_of_names(term: Searchable) -> str:
    names = [STATUSES[term.status].sign + _on_one_line(term.name)]
    names += ["+" + _on_one_line(name) for name in term.other_names]
    names += ["-" + _on_one_line(name) for name in term.former_names]
    return "\t".join(names)


def _on_one_line(text: str) -> str:
    return text if text.isprintable() else re.sub(r"[\x00-\x1f]+", " ", text)
