"""Prepares a definition for a page: resolves references to links, highlights code, and converts formulas to MathML.

A definition's HTML comes from the sanitiser (`prose`), which normalises it: lower-case names, double quotes, escaped
brackets in values. So regular expressions can match whole tags here. Only tags are replaced or removed, and text is
never unescaped outside of code, so the HTML stays safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from html import unescape
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from sitegen.model import Prose
from sitegen.site import formulas
from sitegen.text.prose import reference_target

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MAX_HIGHLIGHTED = 20_000
"""A code block with more characters is not highlighted: some lexers take quadratic time."""

_IMAGE = re.compile(r'<a class="image" href="(image/[\w.]+)"[^>]*>([^<]*)</a>')
_LINK = re.compile(r'<a(?: [a-z]+="[^"]*")*>|</a>')
_HREF = re.compile(r' href="([^"]*)"')
ABSOLUTE = re.compile(r"(?:https?|ftp)://|mailto:", re.I)
"""Matches the beginning of an absolute address."""
_CODE = re.compile(r'<pre><code class="language-([^"]+)">([^<]*)</code></pre>')
_FORMULA = re.compile(r'<(?P<tag>span|div) class="math">(?P<source>[^<]*)</(?P=tag)>')

Resolve = Callable[[str], str | None]
"""Returns the address of a target for this page, or None if the target is unknown."""


def definition_html(prose: Prose, resolve: Resolve, place: Resolve) -> Markup:
    """Returns a definition as HTML. The first mention of a term is a link, later mentions are plain text.

    `resolve` gets the name in a reference, `place` the address of an image or of another document. Links without an
    address become plain text.
    """
    linked = linked_html(prose, resolve, place)
    if 'class="math"' in linked:
        linked = _FORMULA.sub(_formula, linked)
    return Markup(_CODE.sub(_highlighted, linked))  # noqa: S704  (sanitised by prose; see the module's first paragraph)


def linked_html(prose: Prose, resolve: Resolve, place: Resolve) -> str:
    """Returns the same without highlighting and MathML, for feeds, which do not have the site's style sheet."""
    html = prose.html
    if 'class="image"' in html:
        html = _IMAGE.sub(partial(_image, place), html).replace('<a class="image"', "<a")
    return _LINK.sub(_Links(resolve, place), html)


def _image(place: Resolve, link: re.Match[str]) -> str:
    words = link[2].replace('"', "&quot;")
    return f'<img alt="{words}" src="{escape(place(link[1]) or "")}" loading="lazy">'


class _Links:
    """Returns the replacement of each tag of a link."""

    def __init__(self, resolve: Resolve, place: Resolve) -> None:
        self.resolve = resolve
        self.place = place
        self.seen: set[str] = set()
        self.open = False

    def __call__(self, match: re.Match[str]) -> str:
        if match[0] == "</a>":
            return "</a>" if self.open else ""
        target, href = _link_target(match[0])
        if target is not None:
            start = self._term(target)
        elif ABSOLUTE.match(href):
            start = match[0]
        else:
            address = self.place(href) if href else None
            start = f'<a href="{escape(address)}" rel="noopener">' if address else ""
        self.open = start != ""
        return start

    def _term(self, target: str) -> str:
        address = self.resolve(target)
        if address is None or address in self.seen:
            return ""
        self.seen.add(address)
        return f'<a class="term" href="{escape(address)}">'


@lru_cache(maxsize=10_000)
def _link_target(tag: str) -> tuple[str | None, str]:
    """Returns the term that a link refers to, or None, and the address of any other link."""
    found = _HREF.search(tag)
    href = unescape(found[1]) if found else ""
    if href.startswith("term:"):
        return reference_target(href), ""
    return None, href


def _formula(match: re.Match[str]) -> str:
    """Returns a formula as MathML, or its source unchanged."""
    is_block = match["tag"] == "div"
    mathml = formulas.mathml(unescape(match["source"]).strip(), is_block=is_block)
    return f'<div class="math">{mathml}</div>' if mathml and is_block else mathml or match[0]


def _highlighted(match: re.Match[str]) -> str:
    from pygments import highlight  # few glossaries have code in a named language
    from pygments.formatters.html import HtmlFormatter

    lexer, code = _lexer(match[1]), unescape(match[2])
    if lexer is None or len(code) > MAX_HIGHLIGHTED:
        return match[0]
    highlighted = highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    return f'<pre><code class="language-{match[1]}">{highlighted}</code></pre>'


@lru_cache
def _lexer(name: str) -> Lexer | None:
    """Returns the lexer that the source names, or None. The language is never guessed."""
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
