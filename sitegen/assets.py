"""Styles and scripts as they are published: one file of styles, one of the scripts that every page has.

`assets/css/*.css` and `assets/js/common/*.js` are joined in the order of their names; `tokens.css` comes first, for
it declares the layers. What else stands in `assets/` is published as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sitegen import urls
from sitegen.model import File

TOKENS = "assets/css/tokens.css"


def files(templates: Mapping[str, str]) -> Iterator[File]:
    """Gives every style and script of the site. `templates` maps paths below the templates folder to their text."""
    styles = [path for path in templates if path.startswith("assets/css/")]
    scripts = [path for path in templates if path.startswith("assets/js/common/")]
    yield _joined(urls.STYLE, sorted(styles, key=lambda path: (path != TOKENS, path)), templates)
    yield _joined(urls.SCRIPT, sorted(scripts), templates)
    for path in sorted(templates):
        if path.startswith("assets/") and path not in {*styles, *scripts}:
            yield File(path=path, content=templates[path].encode())


def _joined(path: str, parts: list[str], templates: Mapping[str, str]) -> File:
    return File(path=path, content="".join(templates[part] for part in parts).encode())
