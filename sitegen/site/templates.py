"""Reads templates, styles and scripts.

Styles and scripts are bundled: one style sheet, one script for every page, and two for the search.
`assets/css/*.css` and `assets/js/common/*.js` are joined in the order of their names, but
`tokens.css`, which declares the layers, and `base.js`, which the other scripts use, come first. The
scripts of the search are joined too. Other files in `assets/`, and JSON Schemas, are published as
they are. Comments and spaces are removed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.compiled import templates_folder
from sitegen.site.theme import STYLE, theme_files

JOINED_FIRST = ("assets/css/tokens.css", "assets/js/common/base.js")
SEARCH_PARTS = ("words", "names", "engine", "rows", "box", "dialog", "page")
SEARCH = tuple(f"assets/js/search-{part}.js" for part in SEARCH_PARTS)
SEARCH_INDEX_PARTS = ("index", "near", "passages")
SEARCH_INDEX = tuple(f"assets/js/search-{part}.js" for part in SEARCH_INDEX_PARTS)

SCHEMA = ".schema.json"
"""The ending of the JSON Schemas, which are published at the root of the site."""

_REMOVED = {
    # A nested rule needs no `&` before a descendant.
    "css": re.compile(
        r"/\*.*?\*/\s*|(?<=\s)& (?=[\w.:\[])|(?<=[{};,:>])\s+|\s+(?=[{>])|;(?=\s*\})", re.S
    ),
    # Whole lines, because two slashes may be part of an address.
    "js": re.compile(r"^\s*//.*\n|^\s+", re.M),
}
"""Matches comments, indentation and empty lines, and in styles the space around signs. No string
depends on them."""


def read_templates() -> Mapping[str, str]:
    """Returns the text of each file by its path in the folder. Hidden files and editors' backups
    are ignored. Raises OSError."""

    def refuse(error: OSError) -> None:
        raise error

    root = templates_folder()
    paths = []
    for parent, _, names in os.walk(root, onerror=refuse):  # a part of them makes no site
        for name in names:
            is_left_out = name.startswith((".", "#")) or name.endswith("~")
            if not is_left_out:
                paths.append(Path(parent, name))
    texts = {}
    for path in sorted(paths):
        texts[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
    return texts


def asset_files(templates: Mapping[str, str]) -> Iterator[File]:
    """Yields the styles and scripts of the site, the files of its theme, and the JSON Schemas. Many
    styles and scripts are joined to one file. `templates` maps paths below the templates folder to
    texts."""
    texts: dict[str, str] = {}
    for path, text in templates.items():
        if path.startswith("assets/"):
            texts[path] = _without_comments(path, text)

    # False sorts before True, so the files of JOINED_FIRST come first.
    paths = sorted(texts, key=lambda path: (path not in JOINED_FIRST, path))
    styles = [path for path in paths if path.startswith("assets/css/")]
    scripts = [path for path in paths if path.startswith("assets/js/common/")]
    joined = {
        urls.STYLE: styles,
        urls.SCRIPT: scripts,
        urls.SEARCH_SCRIPT: SEARCH,
        urls.SEARCH_INDEX: SEARCH_INDEX,
    }
    for path, parts in joined.items():
        yield File(path=path, content="".join(texts[part] for part in parts).encode())

    yield from theme_files(templates)
    for path, text in templates.items():
        if path.endswith(SCHEMA):
            yield File(path=path, content=text.encode())

    # Other assets are files of their own.
    joined_parts = set(chain.from_iterable(joined.values()))
    for path in sorted(texts.keys() - joined_parts):
        yield File(path=path, content=texts[path].encode())


def _without_comments(path: str, text: str) -> str:
    """Returns the text of an asset without comments and indentation. A site's own style stays as it
    is."""
    removed = _REMOVED.get(path.rpartition(".")[2])
    if removed is None or path == STYLE:
        return text
    return removed.sub("", text)
