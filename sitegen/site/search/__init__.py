"""What the browser searches: a list of names, and an index of the words of definitions.

The list answers by name at once; the index knows every word, and is fetched only when names do not say enough, and of
a large one only the parts that a query asks about. Every file is a script that sets one property, because a page from
disk may run a script beside it and read nothing else. The readers are `templates/assets/js/search-*.js`.

Everything that is written here comes from `Searchable`s alone, which are plain values: it can be done in a process of
its own while the pages are made.
"""

from __future__ import annotations

from collections.abc import Sequence

from sitegen.site.search.index import indexed
from sitegen.site.search.names import names_list
from sitegen.site.search.script import script
from sitegen.site.search.searchable import Searchable, searchables
from sitegen.site.search.shards import sharded
from sitegen.site.site import Site

__all__ = ["Searchable", "files", "searchables", "written"]


def files(site: Site) -> tuple[tuple[str, bytes], ...]:
    """Returns the path and content of each file that a search of this site reads."""
    return written(searchables(site), language=site.language)


def written(terms: Sequence[Searchable], *, language: str) -> tuple[tuple[str, bytes], ...]:
    """Returns the path and content of each file that a search among these terms reads.

    In English, words are stemmed and stop words left out; any other language's words stand as they are.
    """
    words = sharded(indexed(terms, english=language.partition("-")[0].lower() == "en"))
    directory = next(iter(words))
    scripts = {"names": script("names", names_list(terms, index=directory)), **words}
    return tuple((f"search/{name}.js", content) for name, content in scripts.items())
