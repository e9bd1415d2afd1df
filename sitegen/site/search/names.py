"""The list of names, which answers at once: what the browser loads first, and for most queries all that it loads.

It is text by columns, a line for each term, because that is short and quickly read: what only a few terms have is
listed by row, and of slugs only those that are not simply the words of their name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sitegen.site.search.folding import words
from sitegen.site.search.searchable import Searchable

MAX_SENTENCES = 200_000
"""The characters of all first sentences, some 60 kB as they are sent, above which a list goes without them."""
STATES = {"current": "=", "deprecated": "!", "removed": "~"}
"""What stands before a term's name, and says how it stands."""
ALSO, FORMERLY = "+", "-"
"""What stands before its other and its former names."""


def names_list(terms: Sequence[Searchable], *, index: str) -> dict[str, object]:
    """Returns the list of names. `index` is what the index of words is called, which knows terms by their rows."""
    listed: dict[str, object] = {
        "index": index,
        "names": "\n".join(map(_names, terms)),
        "slugs": {row: term.slug for row, term in enumerate(terms) if term.slug != "-".join(words(term.name))},
    }
    sentences = "\n".join(_line(term.sentence) for term in terms)
    return {**listed, "sentences": sentences} if len(sentences) <= MAX_SENTENCES else listed


def _names(term: Searchable) -> str:
    names = ((STATES[term.status], term.name), *((ALSO, name) for name in term.other_names))
    return "\t".join(mark + _line(name) for mark, name in (*names, *((FORMERLY, name) for name in term.former_names)))


def _line(text: str) -> str:
    return text if text.isprintable() else re.sub(r"[\x00-\x1f]+", " ", text)
