"""What the browser searches: a list of names, and an index of the words of names and definitions.

The list answers by name at once. The index is loaded only when names are not enough, and of a large one only the
parts that a query needs. Every file is a script that sets one property, because a page opened from disk may run a
script beside it and read nothing else. The readers are `templates/assets/js/search-*.js`.

lunr provides the stop words and the stemmer of English, run as its pipeline (`words`), and the ranking formula that
the browser's part computes. Folding, the endings of other languages (`endings`), pairs of Chinese and Japanese
characters, the list of names and the shards are ours:
lunr's index of 10,000 terms would be one file of 4 MB.
"""

from __future__ import annotations

from collections.abc import Sequence

from sitegen.site.search.index import endings_script, index_files, script
from sitegen.site.search.names import Searchable, names_list, searchables, suggested
from sitegen.site.site import Site

__all__ = ["Searchable", "files", "search_files", "searchables"]


def files(site: Site) -> tuple[tuple[str, bytes], ...]:
    """Returns the path and content of each file that a search of this site reads."""
    terms = searchables(site)
    return search_files(terms, language=site.language, suggestions=suggested(site, terms))


def search_files(
    terms: Sequence[Searchable], *, language: str, suggestions: Sequence[int] = ()
) -> tuple[tuple[str, bytes], ...]:
    """Returns the path and content of each file that a search among these terms reads.

    `suggestions` are the rows of terms that are offered before anything is typed.
    """
    words = index_files(terms, language=language)
    names = names_list(terms, index=next(iter(words)), suggestions=suggestions)
    scripts = {"names": script("names", names) + endings_script(language), **words}
    return tuple((f"search/{name}.js", content) for name, content in scripts.items())
