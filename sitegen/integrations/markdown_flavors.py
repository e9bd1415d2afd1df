"""Finds the prose of Markdown documents as MkDocs, MyST, Quarto, Docusaurus and MDX read them.

The plug-ins of markdown-it find admonitions, definitions, footnotes, targets and comments. The
content of a directive is parsed again. `documents` leaves out code, addresses and markup within a
line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.fences import options
from sitegen.formats.markdown.commonmark import several_names

Flavor = Literal["markdown", "quarto", "mdx"]
LineRange = tuple[int, int]
"""The number of the first line, from 0, and that of the line after the last one."""

SILENT = frozenset((*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT)).union(
    "bibliography command-output eval-rst exec glossary image inheritance-diagram math plantuml "
    "plot program-output tikz unicode".split()
)
"""Directives without prose, and `glossary`, which defines outdated names itself."""
TITLED = frozenset((*sphinx_markup.NOTES, *sphinx_markup.CHANGES, *sphinx_markup.TITLED)).union(
    "centered csv-table deprecated-removed list-table replace rubric tab-item table".split()
)
"""Directives whose argument is prose."""
PROGRAMMING_LANGUAGES = frozenset(
    "bash css dot fortran go haskell html java javascript js julia node octave ojs perl php "
    "powershell py python r ruby rust scala sh shell sql stan ts typescript".split()
)
"""Languages of which Quarto and knitr run a block: ```{python}."""

_DIRECTIVE = re.compile(r"\{(?P<name>[a-zA-Z][\w:.+-]*)\}")
_TITLE = re.compile(r"[\w-]+(?:\[|[ \t]+(?!\{))[^\]]+\]?")
"""The kind and title of an admonition of Docusaurus: `tip[Title]`, `tip Title`."""
_TAB = re.compile(r'^([ \t]*)===[!+]?[ \t]+(?=")', re.M)
"""The beginning of a tab of Material, which is written as an admonition is."""
_STATEMENT = re.compile(
    r"import[ \t]*(?:['\"{*]|[\w$]+[ \t]*(?:,|from\b))"
    r"|export[ \t]*(?:[{*]|(?:async|class|const|default|function|let|var)\b)"
)
"""The beginning of a statement of MDX."""
DEPTH = 50
"""The greatest depth of nested directives that are read."""


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.use(myst_block_plugin).use(admon_plugin).use(colon_fence_plugin)
    parser.use(deflist_plugin).use(several_names)
    return parser.use(footnote_plugin, inline=False, move_to_end=False)


_PARSER = _parser()
_MDX_PARSER = _parser().disable("code")
"""MDX has no code without a fence."""


def prose(text: str, flavor: Flavor, depth: int = 0) -> Iterator[LineRange]:
    """Yields the lines of headings, paragraphs, list items and table rows."""
    parser = _MDX_PARSER if flavor == "mdx" else _PARSER
    brackets = 0
    for token in parser.parse(_TAB.sub(r"\1!!! tab ", f"{text}\n")):
        if token.map is None:
            continue
        first, past = token.map
        if token.type in ("fence", "colon_fence"):
            yield from _prose_of_fence(token, flavor, depth)
        elif brackets > 0 or (flavor == "mdx" and _STATEMENT.match(token.content)):
            # A statement of MDX ends at an empty line outside of brackets.
            brackets += _open_brackets(token.content)
        elif token.type in ("inline", "tr_open"):
            yield first, max(past, first + 1)


def _open_brackets(code: str) -> int:
    opened = sum(map(code.count, "([{"))
    return opened - sum(map(code.count, ")]}"))


def _prose_of_fence(token: Token, flavor: Flavor, depth: int) -> Iterator[LineRange]:
    """Yields the prose of a directive or container; none of code."""
    assert token.map is not None, "it is a block"
    first, past = token.map
    info = token.info.strip()
    directive = _DIRECTIVE.match(info)
    name = directive["name"].lower() if directive else ""
    has_argument = directive is not None and directive.end() < len(info)
    is_container = not name and token.type == "colon_fence"
    if not is_container and not _has_prose(name, flavor):
        return
    if (name in TITLED and has_argument) or (is_container and _TITLE.fullmatch(info)):
        yield first, first + 1
    if depth == DEPTH:
        yield first + 1, past
        return
    lines = token.content.split("\n")
    _, skipped = options(lines)
    start = first + 1 + skipped
    for inner, past_inner in prose("\n".join(lines[skipped:]), flavor, depth + 1):
        yield start + inner, start + past_inner


def _has_prose(name: str, flavor: Flavor) -> bool:
    """True for a directive with prose. Quarto runs blocks of any language."""
    is_code = not name or name in SILENT or name in PROGRAMMING_LANGUAGES
    return not is_code and flavor != "quarto"
