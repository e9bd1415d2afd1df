"""Extensions of Markdown, as plug-ins of markdown-it: definition lists, notes, and marks of several dialects.

Definition lists may have several names for one definition, and need no blank lines between entries.

Notes have four spellings: `> [!NOTE]`, a quote that begins with **Note**, `::: tip`, `!!! note`.

Attributes (`{: .note }` on a line of its own or after a link) and abbreviations (`*[VM]: Virtual Machine`) are not
shown. Hugo's shortcode that mentions a term becomes a reference to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin

from sitegen.formats.common.sphinx_markup import NOTES, names_kind
from sitegen.text.prose import reference_href

DEFINITION = re.compile(r" {0,3}[:~][ \t]+\S")
MAX_NAMES = 8
"""The maximum number of consecutive lines with names that share one definition."""

MARK = re.compile(r"\[!(\w+)\][ \t]*(.*)")
KINDS = {**NOTES, "info": "Info"}
KIND_TAGS, TITLE_TAGS = ('<p class="note-title">', "</p>\n"), ("<p><strong>", "</strong></p>\n")
"""The tags around a title that is only the kind of the note, and around a title that the author chose."""
CONTAINER = re.compile(r"\s*\{?([A-Za-z][\w-]*)\}?\s*(.*)")

ATTRIBUTE = r"""(?:[.#][\w:-]+|[\w:-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+))"""
ATTRIBUTES = rf"\{{:?[ ]*{ATTRIBUTE}(?:[ ]+{ATTRIBUTE})*[ ]*\}}"
BEHIND = re.compile(ATTRIBUTES)
NOT_SHOWN = re.compile(rf"(?:{ATTRIBUTES}|\{{:(?![ ]*toc\b)[^{{}}]*\}}|\*\[[^\]]+\]:[ ].*)[ \t]*")
"""A line that is not shown. `{:toc}` is excluded: it stands for a table of contents."""
MARKED = frozenset({"link_close", "image"})
VALUE = re.compile(r"""\b(text|term_id)=(?:(["'])(.+?)\2|([^\s"'{}<>%]+))""")
MENTION = re.compile(r"\{\{[<%]\s*glossary_tooltip\b(?P<values>[^{}]*?)[%>]\}\}")


def definition_lists(parser: MarkdownIt) -> None:
    """Adds definition lists.

    The plug-in allows one name for a definition, and reads a name that follows a definition without a blank line as
    part of that definition. A rule that runs before the plug-in corrects both.
    """
    parser.use(deflist_plugin)
    single = next(rule for rule in parser.block.ruler.getRules("") if rule.__name__ == "deflist")

    def read_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent:
            return state.ddIndent >= 0 and _names(state, start, end) > 0
        return _read_names_list(single, state, start, end)

    parser.block.ruler.before("deflist", "deflist_names", read_list, {"alt": ["paragraph"]})


def _read_names_list(single: RuleFuncBlockType, state: StateBlock, start: int, end: int) -> bool:
    """Reads a definition list whose first definition has several names."""
    extra = _names(state, start, end) - 1
    before = len(state.tokens)
    if extra < 1 or not single(state, start + extra, end, False):
        return False
    first = before + 1  # after the opening of the list
    state.tokens[before].map = [start, state.line]
    state.tokens[first:first] = [token for line in range(start, start + extra) for token in _name(state, line)]
    return True


def _name(state: StateBlock, line: int) -> tuple[Token, Token, Token]:
    content = state.getLines(line, line + 1, state.blkIndent, False).strip()
    level = state.level + 1
    return (
        Token("dt_open", "dt", 1, map=[line, line], level=level, block=True),
        Token("inline", "", 0, map=[line, line], level=level + 1, content=content, children=[], block=True),
        Token("dt_close", "dt", -1, level=level, block=True),
    )


def _names(state: StateBlock, start: int, end: int) -> int:
    """Returns the number of lines above the first line that begins with a colon; 0 if there is no such line."""
    for line in range(start, min(start + MAX_NAMES + 1, end)):
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        if DEFINITION.match(text):
            return line - start
        if not text.strip():
            return 0
    return 0


def notes(parser: MarkdownIt) -> None:
    """Adds notes."""
    container_plugin(parser, "note", validate=lambda info, _: CONTAINER.match(info) is not None, render=_container)
    admon_plugin(parser, render=_admonition)
    parser.core.ruler.push("notes", _read_quotes)
    parser.add_render_rule("note_open", _note)
    parser.add_render_rule("note_close", _note)


def _note_start(kind: str, title: str) -> str:
    title = title or KINDS.get(kind.lower(), "")
    before, after = _title_tags(kind, title)
    return f'<div class="note">{before}{escape(title, quote=False)}{after}' if title else "<div>"


def _title_tags(kind: str, title: str) -> tuple[str, str]:
    return KIND_TAGS if names_kind(title, (kind,)) else TITLE_TAGS


def _container(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    info = CONTAINER.match(tokens[index].info)
    return _note_start(info[1], info[2].strip("[] ")) if info and tokens[index].nesting > 0 else "</div>\n"


def _admonition(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    match tokens[index].type:
        case "admonition_open":
            return '<div class="note">'
        case "admonition_title_open":
            return _title_tags(tokens[index].markup.split()[-1], tokens[index + 1].content)[0]
        case "admonition_title_close":
            return _title_tags(tokens[index - 2].markup.split()[-1], tokens[index - 1].content)[1]
        case _:
            return "</div>\n"


def _note(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    return _note_start(token.meta["kind"], token.meta["title"]) if token.nesting > 0 else "</div>\n"


def _read_quotes(state: StateCore) -> None:
    """Converts quotes that are marked as notes to notes."""
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
    """Removes the kind and title of a note from the start of a quote's first paragraph, and returns them."""
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


def dialects(parser: MarkdownIt) -> None:
    """Adds attributes, abbreviations and mentions of terms."""
    parser.block.ruler.before(
        "table", "not_shown", _not_shown, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    parser.inline.ruler.push("attributes", _attributes)
    parser.inline.ruler.push("mention", _mention)


def _not_shown(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if text[:1] not in {"{", "*"} or state.is_code_block(start) or not NOT_SHOWN.fullmatch(text):
        return False
    if not silent:
        state.line = start + 1
    return True


def _attributes(state: StateInline, silent: bool) -> bool:
    if silent or state.pending or not state.tokens or state.tokens[-1].type not in MARKED:
        return False
    found = BEHIND.match(state.src, state.pos)
    state.pos = found.end() if found else state.pos
    return found is not None


def _mention(state: StateInline, silent: bool) -> bool:
    found = MENTION.match(state.src, state.pos)
    values = {name: quoted or bare for name, _, quoted, bare in VALUE.findall(found["values"])} if found else {}
    if not found or "term_id" not in values:
        return False
    state.pos = found.end()
    if silent:
        return True
    shown = values.get("text") or values["term_id"].replace("-", " ")
    if state.linkLevel:
        state.push("text", "", 0).content = shown
    else:
        state.push("link_open", "a", 1).attrs = {"href": reference_href(f"#{values['term_id']}")}
        state.push("text", "", 0).content = shown
        state.push("link_close", "a", -1)
    return True
