"""Notes in Markdown, in four spellings: `> [!NOTE]`, a quote that begins with **Note**, `::: tip`, `!!! note`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin

from sitegen.formats.common.directive_blocks import NOTES, names_kind

MARK = re.compile(r"\[!(\w+)\][ \t]*(.*)")
KINDS = {**NOTES, "info": "Info"}
KIND, TITLE = ('<p class="note-title">', "</p>\n"), ("<p><strong>", "</strong></p>\n")
"""What stands around a title that only names the kind of a note, and around one of the author's own."""
CONTAINER = re.compile(r"\s*\{?([A-Za-z][\w-]*)\}?\s*(.*)")


def notes(parser: MarkdownIt) -> None:
    """A markdown-it plug-in."""
    container_plugin(parser, "note", validate=lambda info, _: CONTAINER.match(info) is not None, render=_container)
    admon_plugin(parser, render=_admonition)
    parser.core.ruler.push("notes", _read_quotes)
    parser.add_render_rule("note_open", _note)
    parser.add_render_rule("note_close", _note)


def _start(kind: str, title: str) -> str:
    title = title or KINDS.get(kind.lower(), "")
    before, after = _around(kind, title)
    return f'<div class="note">{before}{escape(title, quote=False)}{after}' if title else "<div>"


def _around(kind: str, title: str) -> tuple[str, str]:
    return KIND if names_kind(title, (kind,)) else TITLE


def _container(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    info = CONTAINER.match(tokens[index].info)
    return _start(info[1], info[2].strip("[] ")) if info and tokens[index].nesting > 0 else "</div>\n"


def _admonition(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    match tokens[index].type:
        case "admonition_open":
            return '<div class="note">'
        case "admonition_title_open":
            return _around(tokens[index].markup.split()[-1], tokens[index + 1].content)[0]
        case "admonition_title_close":
            return _around(tokens[index - 2].markup.split()[-1], tokens[index - 1].content)[1]
        case _:
            return "</div>\n"


def _note(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    return _start(token.meta["kind"], token.meta["title"]) if token.nesting > 0 else "</div>\n"


def _read_quotes(state: StateCore) -> None:
    """Makes notes of the quotes that say they are one."""
    open_quotes: list[bool] = []
    for index, token in enumerate(state.tokens):
        if token.type == "blockquote_open":
            kind, title = _take_title(state.tokens[index + 1 : index + 3])
            open_quotes.append(kind != "")
            if kind:
                token.type, token.meta = "note_open", {"kind": kind, "title": title}
        elif token.type == "blockquote_close" and open_quotes.pop():
            token.type = "note_close"


def _take_title(start: Sequence[Token]) -> tuple[str, str]:
    """Returns the kind and title of the note that a quote's first paragraph begins with, and cuts them from it."""
    children = start[1].children if len(start) > 1 and start[0].type == "paragraph_open" else None
    if not children:
        return "", ""
    mark = MARK.fullmatch(children[0].content)
    if mark and mark[1].lower() in NOTES:
        start[1].children = children[2:]
        return mark[1], mark[2]
    kind = children[1].content.strip().removesuffix(":").lower() if children[0].type == "strong_open" else ""
    if kind not in NOTES or children[2].type != "strong_close":
        return "", ""
    start[1].children = _without_colon(children[3:])
    return kind, ""


def _without_colon(children: list[Token]) -> list[Token]:
    if children and children[0].type == "text":
        children[0].content = children[0].content.removeprefix(":").lstrip()
    return children[1:] if children and children[0].type in {"softbreak", "hardbreak"} else children
