"""Writes the data for the search in the browser: a list of names, and an index of the words of names and definitions.

The list is enough for queries by name. The index is loaded only if names are not enough, and of a large one only the
shards that a query needs. Every file is a script that sets one property, because a page that is opened from disk can
run scripts but not read other files. The scripts that use the data are `templates/assets/js/search-*.js`.

lunr provides the stop words and the stemmer of English, run as its pipeline (`words`), and the ranking formula, which
the browser computes. Folding, the endings of other languages (`endings`), pairs of Chinese and Japanese characters,
the list of names and the shards are ours: lunr's index of 10,000 terms would be one file of 4 MB.
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

    `suggestions` are the rows of terms that are shown before anything is typed.
    """
    words = index_files(terms, language=language)
    names = names_list(terms, index=next(iter(words)), suggestions=suggestions)
    scripts = {"names": script("names", names) + endings_script(language), **words}
    return tuple((f"search/{name}.js", content) for name, content in scripts.items())
