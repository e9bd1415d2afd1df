"""Configures the Markdown parser (CommonMark with the extensions that glossaries use), and renders its tokens.

`candidates` decides which tokens are names and definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from sitegen.formats.common import raw_text, sphinx_markup
from sitegen.formats.common.markdown_limits import STEPS, limit
from sitegen.formats.common.raw_text import DIRECTIVE, symbols
from sitegen.formats.markdown import inline_html
from sitegen.formats.markdown.extensions import definition_lists, dialects, notes
from sitegen.formats.markdown.inline_html import Address

MAX_DIRECTIVES = 20
"""The maximum nesting of directives."""
BREAKS = frozenset({"softbreak", "hardbreak"})
ROLE = re.compile(
    r"\{(?P<name>[A-Za-z][\w:+.-]*)\}(?P<ticks>`+)(?P<content>[^`]+|(?:(?!(?P=ticks)).)+)(?P=ticks)(?!`)", re.S
)
LOOKS_LIKE_MATH = re.compile(r"[\\^_={}<>+]|^\w$")


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


def render(sequence: Sequence[Token], address: Address, *, depth: int = 0) -> str:
    """Returns tokens as HTML; `address` maps each link to its address, `depth` counts the directives around them."""
    return str(_PARSER.renderer.render(sequence, _PARSER.options, {"address": address, "depth": depth}))


def plain(children: Sequence[Token]) -> str:
    """Returns the text of inline tokens on one line, without their markup.

    Asterisks that are not valid markup, as in `* name*`, are left out around the whole text.
    """
    text = " ".join("".join(map(_plain, children)).split())
    return text.strip("* ") or text if text[:1] == "*" == text[-1:] else text


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
    parser.use(definition_lists).use(notes).use(dialects)
    parser.inline.ruler.before("backticks", "role", _read_role)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False, double_inline=True)
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    limit(parser)
    # The sanitiser checks every address. If the parser rejected one, the markup of the link would be shown as text.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    for rule in (
        _link_open,
        _html_inline,
        _html_block,
        _fence,
        _math_inline,
        _math_inline_double,
        _footnote_ref,
        _role,
    ):
        parser.add_render_rule(rule.__name__.removeprefix("_"), rule)
    return parser


def _may_link(text: str) -> bool:
    """Returns False only if a text contains no web address, also none that is written with escapes."""
    return "//" in text or "&" in text or "\\" in text or "mailto:" in text.lower()


def _drop_empty_text(state: StateCore) -> None:
    """Drops the empty text before a bold word that begins a line, so that the bold word is the first token."""
    for token in state.tokens:
        if token.children:
            token.children = [child for child in token.children if child.type != "text" or child.content]


def _read_role(state: StateInline, silent: bool) -> bool:
    """Reads a MyST role (`{term}`name``): also files that are not MyST may have some."""
    found = ROLE.match(state.src, state.pos) if state.src[state.pos] == "{" else None
    if found is None:
        return False
    state.pos = found.end()
    if not silent:
        role = sphinx_markup.role(found["name"], " ".join(found["content"].split()))
        state.push("role", "", 0).content = role.text
        state.tokens[-1].meta = {"html": role.html()}
    return True


def _role(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return str(tokens[index].meta["html"])


def _link_open(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    href, title = (str(tokens[index].attrs.get(name, "")) for name in ("href", "title"))
    shown = f' title="{escape(title)}"' if title else ""
    is_empty = tokens[index + 1].type == "link_close" and "://" in href
    return f'<a href="{escape(env["address"](href))}"{shown}>{escape(f" {href}") if is_empty else ""}'


def _html_inline(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return inline_html.as_written(tokens[index].content, env["address"])


def _html_block(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return inline_html.as_block(tokens[index].content, env["address"])


def _fence(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    token = tokens[index]
    directive = DIRECTIVE.fullmatch(token.info.strip())
    shown = (
        _directive(directive["name"].lower(), directive["argument"].strip(), token.content, env)
        if directive
        else None
    )
    if shown is not None:
        return shown
    language = re.match(r"[\s{.]*([\w+#.-]*)", token.info)
    return sphinx_markup.code(token.content, language[1] if language else "")


def _directive(name: str, argument: str, content: str, env: Any) -> str | None:
    """Returns the HTML of a MyST directive in a file without a glossary directive; None for code."""
    if name in sphinx_markup.SILENT:
        return ""
    if env["depth"] == MAX_DIRECTIVES:
        return None
    lines = content.split("\n")
    below = "\n".join(lines[raw_text.options(lines)[1] :])
    if name in sphinx_markup.NOTES:
        return sphinx_markup.note(sphinx_markup.NOTES[name], _rendered(f"{argument}\n{below}", env))
    if name in sphinx_markup.CHANGES:
        version, _, rest = argument.partition(" ")
        return sphinx_markup.change(name, version, _rendered(f"{rest}\n{below}", env))
    if name in sphinx_markup.TITLED:
        title = _rendered(argument, env).strip().removeprefix("<p>").removesuffix("</p>")
        return sphinx_markup.titled(title, _rendered(below, env))
    return _rendered(below, env) if name in {*sphinx_markup.QUOTES, *sphinx_markup.LABELLED} else None


def _rendered(text: str, env: Any) -> str:
    return render(tokens(text), env["address"], depth=env["depth"] + 1)


def _math_inline(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    words = escape(tokens[index].content, quote=False)
    following = tokens[index + 1].content if index + 1 < len(tokens) else ""
    if LOOKS_LIKE_MATH.search(tokens[index].content) and not following[:1].isalnum():
        return f'<span class="math">{words}</span>'
    return f"${words}$"


def _math_inline_double(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return f'<span class="math">{escape(tokens[index].content.strip(), quote=False)}</span>'


def _footnote_ref(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    return f"<sup>[{escape(tokens[index].meta['label'])}]</sup>"


_PARSER = _parser()
