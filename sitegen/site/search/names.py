"""The list of names: what the browser loads first, and for most queries all that it loads.

It is text in columns with a line for each term, because that is short and quickly read. Values that few terms have
are given by row, and of slugs only those that are not the words of the term's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sitegen.site.search.searchable import Searchable
from sitegen.site.search.words import words

MAX_SENTENCES = 200_000
"""Characters of all first sentences, about 60 kB when compressed. A list with more leaves the sentences out."""
STATES = {"current": "=", "deprecated": "!", "removed": "~"}
"""The character before a term's name, by the term's status."""
ALSO, FORMERLY = "+", "-"
"""The characters before its other names and before its former names."""


def names_list(terms: Sequence[Searchable], *, index: str, suggestions: Sequence[int] = ()) -> dict[str, object]:
    """Returns the list of names, with the name of the index of words, which refers to terms by their rows here."""
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
    names = ((STATES[term.status], term.name), *((ALSO, name) for name in term.other_names))
    return "\t".join(mark + _line(name) for mark, name in (*names, *((FORMERLY, name) for name in term.former_names)))


def _line(text: str) -> str:
    return text if text.isprintable() else re.sub(r"[\x00-\x1f]+", " ", text)
