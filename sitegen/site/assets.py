"""Bundles styles and scripts: one style sheet, one script for every page, and two for the search.

`assets/css/*.css` and `assets/js/common/*.js` are joined in the order of their names, but `tokens.css`, which
declares the layers, and `base.js`, which the other scripts use, come first. The scripts of the search are joined
too. Other files in `assets/` are published as they are. Comments and indentation are removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.theme import pictures

FIRST = ("assets/css/tokens.css", "assets/js/common/base.js")
SEARCH_PARTS = ("words", "names", "engine", "rows", "box", "dialog", "page")
SEARCH = tuple(f"assets/js/search-{part}.js" for part in SEARCH_PARTS)
SEARCH_WORKER = ("assets/js/search-words.js", "assets/js/search-index.js")

_COMMENTS = {
    "css": re.compile(r"/\*.*?\*/\s*|^ +", re.S | re.M),
    "js": re.compile(r"^\s*//.*\n|^\s+", re.M),  # whole lines: two slashes may be part of an address
}
"""Matches comments, indentation and empty lines. No string in the assets depends on the indentation of its lines."""


def files(templates: Mapping[str, str]) -> Iterator[File]:
    """Yields all styles and scripts of the site. `templates` maps paths below the templates folder to texts."""
    texts = {path: _stripped(path, text) for path, text in templates.items() if path.startswith("assets/")}
    joined = {
        urls.STYLE: _in("assets/css/", texts),
        urls.SCRIPT: _in("assets/js/common/", texts),
        urls.SEARCH_SCRIPT: SEARCH,
        urls.SEARCH_WORKER: SEARCH_WORKER,
    }
    for path, parts in joined.items():
        yield File(path=path, content="".join(texts[part] for part in parts).encode())
    for part in chain.from_iterable(joined.values()):
        texts.pop(part, None)
    yield from pictures(templates)
    for path in sorted(texts):
        yield File(path=path, content=texts[path].encode())


def _in(folder: str, paths: Iterable[str]) -> list[str]:
    return sorted((path for path in paths if path.startswith(folder)), key=lambda path: (path not in FIRST, path))


def _stripped(path: str, text: str) -> str:
    comments = _COMMENTS.get(path.rpartition(".")[2])
    return comments.sub("", text) if comments else text
