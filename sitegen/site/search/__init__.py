"""Writes the data for the search in the browser: a list of names, an index of words, and the
definitions.

The list is enough for queries by name. The index (`word_index`) is loaded only if names are not
enough, and of a large one only the shards that a query needs. With it come the definitions, which
show where the words of a query are. The scripts that use the data are
`templates/assets/js/search-*.js`.

The list of names, which the browser loads first, has a line for each term. Values that only few
terms have are mapped by row; a slug is left out if it consists of the words of the term's name. It
has the names of the other files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from sitegen.model import File
from sitegen.model.terms import STATUSES
from sitegen.site.messages import catalog
from sitegen.site.search.data_files import hashed_name, in_parts, script
from sitegen.site.search.search_words import question_pattern, rules, words
from sitegen.site.search.searchable_terms import Searchable as Searchable
from sitegen.site.search.searchable_terms import searchables as searchables
from sitegen.site.search.word_index import index_files
from sitegen.site.site import Site

SUGGESTIONS = 6
"""The number of terms that are shown before anything is typed."""
MAX_SENTENCES = 200_000
"""The maximum number of characters of all first sentences, about 60 kB compressed. Longer ones are
left out."""
TEXTS = 24_000
"""The number of characters of a file of definitions: 8 kB compressed."""
ALL_TEXTS = 240_000
"""Definitions of at most this many characters are one file, so that those of the results are one
request. Ten results need most of the parts of so few definitions anyway."""


def files(site: Site) -> list[File]:
    """Returns the files that a search of this site reads.

    The terms that most other definitions mention are suggested before anything is typed, the most
    mentioned first.
    """
    terms = searchables(site)
    mentions: Counter[str] = Counter()
    for keys in site.see_also.values():
        mentions.update([site.slugs[key] for key in keys])
    rows = []
    for row, term in enumerate(terms):
        if term.status == "current" and mentions[term.slug]:
            rows.append(row)
    rows.sort(key=lambda row: -mentions[terms[row].slug])
    return search_files(terms, language=site.language, suggestions=rows[:SUGGESTIONS])


def search_files(
    terms: Sequence[Searchable], *, language: str, suggestions: Sequence[int] = ()
) -> list[File]:
    """Returns the files that a search among these terms reads; `suggestions` are rows of terms.

    The list of names has the name of the index, which refers to terms by their rows.
    """
    index = index_files(terms, language=language)
    texts, first_rows = _text_files(terms)
    say = catalog(language).plain_text
    slugs = {}
    settings = {}
    for row, term in enumerate(terms):
        if not _is_words_of(term.name, term.slug):
            slugs[row] = term.slug
        if term.setting:
            settings[row] = term.setting
    names = {
        "index": next(iter(index)),
        "texts": first_rows,
        "suggestions": suggestions,
        "questions": question_pattern(say("search.questions")),
        "joining": say("search.joining"),
        "endings": rules(language),
        "names": "\n".join(map(_line_of_names, terms)),
        "slugs": slugs,
        "settings": settings,
    }
    sentences = "\n".join([_on_one_line(term.sentence) for term in terms])
    if len(sentences) <= MAX_SENTENCES:
        names["sentences"] = sentences
    scripts = {"names": script("names", names), **index, **texts}
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


def _text_files(
    terms: Sequence[Searchable],
) -> tuple[Mapping[str, bytes], Sequence[tuple[int, str]]]:
    """Returns the script of each file of definitions by its name, and the row of the first
    definition of each with its name."""
    scripts = {}
    first_rows = []
    first = 0
    for texts in in_parts([term.text for term in terms], size=TEXTS, whole=ALL_TEXTS):
        name = hashed_name("texts", str(texts))
        scripts[name] = script(name, texts)
        first_rows.append((first, name))
        first += len(texts)
    return scripts, first_rows
