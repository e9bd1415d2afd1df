"""A definition as it stands on one page: references become links, code gets its colours.

A definition's HTML comes out of the sanitiser (`prose`), which spells it in one way only: lower-case names, double
quotes, every bracket in a value escaped. That is why whole tags can be recognised by pattern here. Only tags are
replaced or left out and text is never unescaped outside of code, so what was harmless stays harmless.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import unescape

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from sitegen.model import Prose
from sitegen.text.prose import reference_target

MAX_COLOURED = 20_000
"""Characters in one code block above which it stays plain: some lexers take quadratic time."""

_LINK = re.compile(r'<a(?: [a-z]+="[^"]*")*>|</a>')
_HREF = re.compile(r' href="([^"]*)"')
OUTWARD = re.compile(r"(?:https?|ftp)://|mailto:", re.I)
"""How the address of a link begins that leads somewhere from any page."""
_CODE = re.compile(r'<pre><code class="language-([^"]+)">([^<]*)</code></pre>')
_FORMATTER = HtmlFormatter(nowrap=True)

Resolve = Callable[[str], str | None]
"""From the target of a reference to the address it has on this page, or None where it leads nowhere."""


def definition_html(prose: Prose, resolve: Resolve) -> Markup:
    """Returns a definition for a page. A term is linked where it is first mentioned, and is plain text after that.

    Links that lead nowhere on this site (dangling references, paths relative to the document) become their text.
    """
    linked = linked_html(prose, resolve)
    return Markup(_CODE.sub(_coloured, linked))  # noqa: S704  (sanitised by prose; see the module's first paragraph)


def linked_html(prose: Prose, resolve: Resolve) -> str:
    """Returns the same without colours, for readers that have no styles of ours."""
    return _LINK.sub(_Links(resolve), prose.html)


class _Links:
    """Says for each tag of a link what stands in its place."""

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = resolve
        self.seen: set[str] = set()
        self.open = False

    def __call__(self, match: re.Match[str]) -> str:
        if match[0] == "</a>":
            return "</a>" if self.open else ""
        target, outward = _read(match[0])
        start = outward if target is None else self._term(target)
        self.open = start != ""
        return start

    def _term(self, target: str) -> str:
        address = self.resolve(target)
        if address is None or address in self.seen:
            return ""
        self.seen.add(address)
        return f'<a class="term" href="{escape(address)}">'


@lru_cache(maxsize=10_000)
def _read(tag: str) -> tuple[str | None, str]:
    """The term that a link is to, or None, and the link that stays where it is to something else."""
    found = _HREF.search(tag)
    href = unescape(found[1]) if found else ""
    if href.startswith("term:"):
        return reference_target(href), ""
    return None, tag if OUTWARD.match(href) else ""


def _coloured(match: re.Match[str]) -> str:
    lexer, code = _lexer(match[1]), unescape(match[2])
    if lexer is None or len(code) > MAX_COLOURED:
        return match[0]
    coloured = highlight(code, lexer, _FORMATTER).rstrip("\n")
    return f'<pre><code class="language-{match[1]}">{coloured}</code></pre>'


@lru_cache
def _lexer(name: str) -> Lexer | None:
    """The lexer that the source names; never a guess."""
    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
