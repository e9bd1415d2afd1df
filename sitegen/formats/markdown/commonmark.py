"""Configures the Markdown parser (CommonMark with the extensions that glossaries use), and renders its tokens.

- Definition lists may have several names for one definition, and need no blank lines between entries.
- Notes have four spellings: `> [!NOTE]`, a quote that begins with **Note**, `::: tip`, `!!! note`.
- Attributes (`{: .note }` on a line of its own or after a link) and abbreviations (`*[VM]: Virtual Machine`) are not
  shown.
- Roles and directives of MyST are read.

`candidates` decides which tokens are names and definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
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
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from sitegen.formats.common import fences, sphinx_markup
from sitegen.formats.common.entries import symbols, without_asterisks
from sitegen.formats.common.fences import DIRECTIVE
from sitegen.formats.common.markdown_limits import STEPS, limit
from sitegen.formats.common.sphinx_markup import NOTES, names_kind
from sitegen.formats.markdown import inline_html
from sitegen.formats.markdown.inline_html import Address

MAX_DIRECTIVES = 20
"""The maximum nesting of directives."""
MAX_NAMES = 8
"""The maximum number of consecutive lines with names that share one definition."""
ANCHOR = re.compile(r"\s*\{#[^}]*\}$")
"""The anchor of a heading."""
BREAKS = frozenset({"softbreak", "hardbreak"})
DEFINITION = re.compile(r" {0,3}[:~][ \t]+\S")
ROLE = re.compile(
    r"\{(?P<name>[A-Za-z][\w:+.-]*)\}(?P<ticks>`+)(?P<content>[^`]+|(?:(?!(?P=ticks)).)+)(?P=ticks)(?!`)", re.S
)
LOOKS_LIKE_MATH = re.compile(r"[\\^_={}<>+]|^\w$")

MARK = re.compile(r"\[!(\w+)\][ \t]*(.*)")
CONTAINER = re.compile(r"\s*\{?([A-Za-z][\w-]*)\}?\s*(.*)")
KINDS = {**NOTES, "info": "Info"}
KIND_TAGS, TITLE_TAGS = ('<p class="note-title">', "</p>\n"), ("<p><strong>", "</strong></p>\n")
"""The tags around a title that is only the kind of the note, and around a title that the author chose."""

ATTRIBUTE = r"""(?:[.#][\w:-]+|[\w:-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+))"""
ATTRIBUTES = rf"\{{:?[ ]*{ATTRIBUTE}(?:[ ]+{ATTRIBUTE})*[ ]*\}}"
BEHIND = re.compile(ATTRIBUTES)
NOT_SHOWN = re.compile(rf"(?:{ATTRIBUTES}|\{{:(?![ ]*toc\b)[^{{}}]*\}}|\*\[[^\]]+\]:[ ].*)[ \t]*")
"""A line that is not shown. `{:toc}` is excluded: it stands for a table of contents."""


def tokens(text: str, env: dict[str, Any] | None = None) -> list[Token]:
    """Returns the markdown-it tokens of a text; their lines are counted from 0.

    `env` contains the links that are defined elsewhere; the parser adds those that this text defines.
    """
    env = {} if env is None else env
    env.pop(STEPS, None)
    # mdit-py-plugins reads one character past an open container at the end of a quote.
    return _PARSER.parse(text if text.endswith("\n") else f"{text}\n", env)


def groups(sequence: Sequence[Token]) -> Iterator[list[Token]]:
    """Yields the tokens of each outermost element: a paragraph, a list, an item of a list."""
    group: list[Token] = []
    depth = 0
    for token in sequence:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []


def headings(text: str) -> list[tuple[int, int, str]]:
    """Returns the line, level and text of each heading that is in no other block."""
    return [
        (token.map[0] + 1, int(token.tag[1]), ANCHOR.sub("", plain(inline.children or [])))
        for token, inline in pairwise(tokens(text))
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def render(sequence: Sequence[Token], address: Address, *, depth: int = 0) -> str:
    """Returns tokens as HTML; `address` maps each link to its address, `depth` counts the directives around them."""
    return str(_PARSER.renderer.render(sequence, _PARSER.options, {"address": address, "depth": depth}))


def plain(children: Sequence[Token]) -> str:
    """Returns the text of inline tokens on one line, without their markup."""
    return without_asterisks(" ".join("".join(map(_plain, children)).split()))


def _plain(token: Token) -> str:
    if token.type in BREAKS:
        return " "
    if token.type.startswith("math_inline"):
        return symbols(token.content.strip())
    return inline_html.as_text(token.content) if token.type == "html_inline" else token.content


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "linkify": True})
    parser.enable(["table", "strikethrough", "linkify"])
    assert parser.linkify is not None
    # "README.md" and "torch.nn" are not web addresses.
    parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    pretest = parser.linkify.pretest  # slow: it takes a third of the parsing time, and still searches for these
    parser.linkify.pretest = lambda text: _may_link(text) and pretest(text)
    parser.core.ruler.push("without_empty_text", _drop_empty_text)
    parser.use(deflist_plugin).use(_several_names)
    parser.use(container_plugin, "note", validate=lambda info, _: CONTAINER.match(info) is not None)
    parser.use(admon_plugin)
    parser.core.ruler.push("notes", _find_notes)
    parser.block.ruler.before(
        "table", "not_shown", _read_not_shown, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    parser.inline.ruler.push("attributes", _read_attributes)
    parser.inline.ruler.before("backticks", "role", _read_role)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False, double_inline=True)
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    limit(parser)
    # The sanitizer checks every address. If the parser rejected one, the markup of the link would be shown as text.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.renderer.rules |= RENDERERS  # type: ignore[attr-defined]
    return parser


def _may_link(text: str) -> bool:
    """Returns False only if a text contains no web address, also none that is written with escapes."""
    return "//" in text or "&" in text or "\\" in text or "mailto:" in text.lower()


def _drop_empty_text(state: StateCore) -> None:
    """Drops the empty text before a bold word that begins a line, so that the bold word is the first token."""
    for token in state.tokens:
        if token.children:
            token.children = [child for child in token.children if child.type != "text" or child.content]


def _several_names(parser: MarkdownIt) -> None:
    """Allows several names for one definition, and names right below a definition.

    The plug-in allows one name, and reads a name that follows a definition without a blank line as part of that
    definition. A rule that runs before the plug-in corrects both.
    """
    single: RuleFuncBlockType = next(rule for rule in parser.block.ruler.getRules("") if rule.__name__ == "deflist")

    def read_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        names = _names_above(state, start, end)
        if silent:
            return state.ddIndent >= 0 and names > 0
        index, extra = len(state.tokens), names - 1
        if extra < 1 or not single(state, start + extra, end, False):
            return False
        first = index + 1  # after the opening of the list
        state.tokens[index].map = [start, state.line]
        state.tokens[first:first] = [token for line in range(start, start + extra) for token in _name(state, line)]
        return True

    parser.block.ruler.before("deflist", "deflist_names", read_list, {"alt": ["paragraph"]})


def _name(state: StateBlock, line: int) -> tuple[Token, Token, Token]:
    content = state.getLines(line, line + 1, state.blkIndent, False).strip()
    level = state.level + 1
    return (
        Token("dt_open", "dt", 1, map=[line, line], level=level, block=True),
        Token("inline", "", 0, map=[line, line], level=level + 1, content=content, children=[], block=True),
        Token("dt_close", "dt", -1, level=level, block=True),
    )


def _names_above(state: StateBlock, start: int, end: int) -> int:
    """Returns the number of lines above the first line that begins with a colon; 0 if there is no such line."""
    for line in range(start, min(start + MAX_NAMES + 1, end)):
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        if DEFINITION.match(text):
            return line - start
        if not text.strip():
            return 0
    return 0


def _find_notes(state: StateCore) -> None:
    """Converts containers, and quotes that are marked as notes, to notes."""
    open_quotes: list[bool] = []
    for index, token in enumerate(state.tokens):
        kind = title = ""
        if token.type == "blockquote_open":
            kind, title = _take_title(state.tokens[index + 1 : index + 3])
            open_quotes.append(kind != "")
        elif token.type == "container_note_open" and (info := CONTAINER.match(token.info)):
            kind, title = info[1], info[2].strip("[] ")
        elif token.type == "container_note_close" or (token.type == "blockquote_close" and open_quotes.pop()):
            token.type = "note_close"
        if kind:
            token.type, token.meta = "note_open", {"kind": kind, "title": title}


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
    rest = children[3:]
    if rest and rest[0].type == "text":
        rest[0].content = rest[0].content.removeprefix(":").lstrip()
    start[1].children = rest[1:] if rest and rest[0].type in BREAKS else rest
    return kind, ""


def _read_not_shown(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if text[:1] not in {"{", "*"} or state.is_code_block(start) or not NOT_SHOWN.fullmatch(text):
        return False
    if not silent:
        state.line = start + 1
    return True


def _read_attributes(state: StateInline, silent: bool) -> bool:
    """Skips the attributes after a link or an image."""
    if silent or state.pending or not state.tokens or state.tokens[-1].type not in {"link_close", "image"}:
        return False
    match = BEHIND.match(state.src, state.pos)
    state.pos = match.end() if match else state.pos
    return match is not None


def _read_role(state: StateInline, silent: bool) -> bool:
    """Reads a MyST role (`{term}`name``): also files that are not MyST may have some."""
    match = ROLE.match(state.src, state.pos) if state.src[state.pos] == "{" else None
    if match is None:
        return False
    state.pos = match.end()
    if not silent:
        role = sphinx_markup.role(match["name"], " ".join(match["content"].split()))
        state.push("role", "", 0).content = role.text
        state.tokens[-1].meta = {"html": role.html()}
    return True


# The functions below render one token each. Their arguments are those of the rules of markdown-it's renderer.


def _link(tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    href, title = (str(tokens[index].attrs.get(name, "")) for name in ("href", "title"))
    title_attribute = f' title="{escape(title)}"' if title else ""
    is_empty = tokens[index + 1].type == "link_close" and "://" in href
    return f'<a href="{escape(env["address"](href))}"{title_attribute}>{escape(f" {href}") if is_empty else ""}'


def _fence(tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    directive = DIRECTIVE.fullmatch(token.info.strip())
    if directive:
        html = _directive(directive["name"].lower(), directive["argument"].strip(), token.content, env)
        if html is not None:
            return html
    language = re.match(r"[\s{.]*([\w+#.-]*)", token.info)
    return sphinx_markup.code(token.content, language[1] if language else "")


def _directive(name: str, argument: str, content: str, env: Any) -> str | None:
    """Returns the HTML of a MyST directive in a file without a glossary directive; None for code."""
    if name in sphinx_markup.SILENT:
        return ""
    if env["depth"] == MAX_DIRECTIVES:
        return None

    def rendered(text: str) -> str:
        return render(tokens(text), env["address"], depth=env["depth"] + 1)

    lines = content.split("\n")
    body = "\n".join(lines[fences.options(lines)[1] :])
    if name in sphinx_markup.LABELED:
        return rendered(body)
    if name in sphinx_markup.TITLED:
        title = rendered(argument).strip().removeprefix("<p>").removesuffix("</p>")
        return sphinx_markup.directive(name, title=title, inner=rendered(body))
    version, _, rest = argument.partition(" ") if name in sphinx_markup.CHANGES else ("", "", argument)
    is_known = name in {*NOTES, *sphinx_markup.CHANGES, *sphinx_markup.QUOTES}
    return sphinx_markup.directive(name, version=version, inner=rendered(f"{rest}\n{body}")) if is_known else None


def _math(tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    words = escape(tokens[index].content, quote=False)
    following = tokens[index + 1].content if index + 1 < len(tokens) else ""
    if LOOKS_LIKE_MATH.search(tokens[index].content) and not following[:1].isalnum():
        return f'<span class="math">{words}</span>'
    return f"${words}$"


def _note(tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    kind = tokens[index].meta["kind"]
    title = tokens[index].meta["title"] or KINDS.get(kind.lower(), "")
    before, after = _title_tags(kind, title)
    return f'<div class="note">{before}{escape(title, quote=False)}{after}' if title else "<div>"


def _title_tags(kind: str, title: str) -> tuple[str, str]:
    return KIND_TAGS if names_kind(title, (kind,)) else TITLE_TAGS


RENDERERS = {
    "link_open": _link,
    "fence": _fence,
    "html_inline": lambda tokens, index, _, env: inline_html.as_written(tokens[index].content, env["address"]),
    "html_block": lambda tokens, index, _, env: inline_html.as_block(tokens[index].content, env["address"]),
    "role": lambda tokens, index, *_: tokens[index].meta["html"],
    "math_inline": _math,
    "math_inline_double": lambda tokens, index, *_: (
        f'<span class="math">{escape(tokens[index].content.strip(), quote=False)}</span>'
    ),
    "footnote_ref": lambda tokens, index, *_: f"<sup>[{escape(tokens[index].meta['label'])}]</sup>",
    "note_open": _note,
    "note_close": lambda *_: "</div>\n",
    "admonition_open": lambda *_: '<div class="note">',
    "admonition_title_open": lambda tokens, index, *_: _title_tags(
        tokens[index].markup.split()[-1], tokens[index + 1].content
    )[0],
    "admonition_title_close": lambda tokens, index, *_: _title_tags(
        tokens[index - 2].markup.split()[-1], tokens[index - 1].content
    )[1],
    "admonition_close": lambda *_: "</div>\n",
}
"""The functions that render types of tokens for which markdown-it has none, or another."""
_PARSER = _parser()
