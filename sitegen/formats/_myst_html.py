"""MyST as HTML: one Markdown parser with roles and directives, which degrade to what a reader sees of them.

Directives are fences to the parser; here each becomes the block that `_blocks` says it is. `env` travels through the
parser with what is known about a text: its first line in the document, how many directives are around it, and what
the document defines elsewhere; and it brings back remarks, and whether the entry is deprecated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from sitegen.formats import _blocks, _inline_html, _roles
from sitegen.formats._fences import DIRECTIVE, options
from sitegen.prose import reference_href

MAX_DEPTH = 100
"""markdown-it leaves out what is nested deeper."""
MAX_DIRECTIVES = 20
"""Directives inside directives."""
MAX_SEARCH = 100_000_000
"""For the end of each bracket the rest of its paragraph is searched: so many characters are looked at, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    line: int
    found: str
    wanted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    html: str
    is_deprecated: bool
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    name: str
    argument: str
    options: dict[str, str]
    lines: tuple[str, ...]
    line: int
    """Of the fence."""
    first: int
    """Of what is left when the options are taken away."""

    @property
    def text(self) -> str:
        """All its text: a directive that takes no argument goes on from the line of its name."""
        return "\n".join((self.argument, *self.lines))


@dataclass(frozen=True, slots=True)
class Scope:
    """The links and footnotes that a document defines outside its glossaries; every definition may use them."""

    references: dict[str, Any]
    footnotes: dict[str, Any]


def scope(text: str) -> Scope:
    """Returns what the text around the glossaries defines."""
    env: dict[str, Any] = {}
    _parse(text, env)
    return Scope(env.get("references", {}), env.get("footnotes", {}).get("refs", {}))


def render(text: str, scope: Scope, *, line: int) -> Rendered:
    """Returns a definition as HTML. What cannot be parsed is shown as it was written, and said in a remark."""
    env: dict[str, Any] = {
        "line": line,
        "depth": 0,
        "is_deprecated": False,
        "remarks": [],
        "references": dict(scope.references),
        "footnotes": {"refs": dict(scope.footnotes)},
    }
    html = _html_of(text, env)
    return Rendered(html=html, is_deprecated=env["is_deprecated"], remarks=tuple(env["remarks"]))


def _html_of(text: str, env: dict[str, Any]) -> str:
    tokens = _parse(text, env) if env["depth"] < MAX_DIRECTIVES else None
    if tokens is None:
        found, wanted = "text that cannot be parsed", "it is shown as it was written"
        env["remarks"].append(Remark(line=env["line"], found=found, wanted=wanted))
        return f"<p>{escape(text, quote=False)}</p>"
    env["remarks"] += _unclosed_links(tokens, env["line"])
    return str(PARSER.renderer.render(tokens, PARSER.options, env))


def _parse(text: str, env: dict[str, Any]) -> list[Token] | None:
    """The tokens of a text; none at all where some of it would be lost, or take too long."""
    if len(text) * text.count("[") > MAX_SEARCH:
        return None
    try:
        tokens = PARSER.parse(text, env)
    except Exception:  # a bug in a plug-in
        return None
    return tokens if all(token.level < MAX_DEPTH - 1 for token in tokens) else None


def words(text: str) -> str:
    """Returns what one line of MyST says, without its markup."""
    html = PARSER.renderInline(text, {})
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def _unclosed_links(tokens: Sequence[Token], line: int) -> list[Remark]:
    found, wanted = "a link that is never closed", "end its address with ')'"
    return [
        Remark(line=line + (token.map or [0])[0], found=found, wanted=wanted)
        for token in tokens
        for child in token.children or ()
        if child.type == "text" and "](" in child.content
    ]


def _fence(self: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, Any]) -> str:
    token = tokens[index]
    lines = token.content.removesuffix("\n").split("\n")
    line = env["line"] + (token.map or [0])[0]
    match = DIRECTIVE.fullmatch(token.info.strip())
    if match is None:
        plain = token.type == "colon_fence"
        return _inside(token.content, line + 1, env) if plain else _blocks.code(token.content, token.info.strip())
    given, taken = options(lines)
    directive = Directive(
        name=match["name"].lower(),
        argument=match["argument"].strip(),
        options=given,
        lines=tuple(lines[taken:]),
        line=line,
        first=line + 1 + taken,
    )
    if directive.name == "deprecated" and env["depth"] == token.level == 0:
        env["is_deprecated"] = True
    return BLOCKS.get(directive.name, _unknown)(directive, env)


def _inside(text: str, line: int, env: dict[str, Any]) -> str:
    """Renders text inside a directive, as part of the same definition."""
    return _html_of(text, {**env, "line": line, "depth": env["depth"] + 1})


def _inline(text: str, env: dict[str, Any]) -> str:
    return str(PARSER.renderInline(text, env))


def _content(directive: Directive, env: dict[str, Any]) -> str:
    return _inside("\n".join(directive.lines), directive.first, env)


def _all(directive: Directive, env: dict[str, Any]) -> str:
    return _inside(directive.text, directive.first - 1, env)


def _note(directive: Directive, env: dict[str, Any]) -> str:
    return _blocks.note(_blocks.NOTES[directive.name], _all(directive, env))


def _titled(directive: Directive, env: dict[str, Any]) -> str:
    return _blocks.titled(_inline(directive.argument, env), _content(directive, env))


def _change(directive: Directive, env: dict[str, Any]) -> str:
    version, _, rest = directive.argument.partition(" ")
    return _blocks.change(directive.name, version, _all(replace(directive, argument=rest), env))


def _quote(directive: Directive, env: dict[str, Any]) -> str:
    return f"<blockquote>{_all(directive, env)}</blockquote>"


def _rubric(directive: Directive, env: dict[str, Any]) -> str:
    return f'<p class="rubric">{_inline(directive.argument, env)}</p>{_content(directive, env)}'


def _code(directive: Directive, _env: dict[str, Any]) -> str:
    return _blocks.code("\n".join(directive.lines), directive.argument or _blocks.CODE[directive.name])


def _letters(directive: Directive, _env: dict[str, Any]) -> str:
    return _blocks.code(directive.text.strip("\n"), "")


def _math_block(directive: Directive, _env: dict[str, Any]) -> str:
    return f'<div class="math">{escape(directive.text.strip(), quote=False)}</div>'


def _picture(directive: Directive, env: dict[str, Any]) -> str:
    return f"<p>{_blocks.image(directive.argument, directive.options.get('alt', ''))}</p>{_content(directive, env)}"


def _silent(_directive: Directive, _env: dict[str, Any]) -> str:
    return ""


def _inert(directive: Directive, env: dict[str, Any]) -> str:
    found = f"the directive '{directive.name}' does nothing: {_blocks.INERT[directive.name]}"
    env["remarks"].append(Remark(line=directive.line, found=found, wanted=_blocks.UNREAD))
    return ""


def _table(directive: Directive, env: dict[str, Any]) -> str:
    return f"<p>{_inline(directive.argument, env)}</p>{_content(directive, env)}"


def _unknown(directive: Directive, env: dict[str, Any]) -> str:
    found = f"the directive '{directive.name}' is not known here"
    env["remarks"].append(Remark(line=directive.line, found=found, wanted="its words are shown as plain text"))
    return _all(directive, env)


BLOCKS: dict[str, Callable[[Directive, dict[str, Any]], str]] = {
    **dict.fromkeys(_blocks.NOTES, _note),
    **dict.fromkeys(_blocks.CHANGES, _change),
    **dict.fromkeys(_blocks.TITLED, _titled),
    **dict.fromkeys(_blocks.QUOTES, _quote),
    **dict.fromkeys((*_blocks.PLAIN, *_blocks.LABELLED), _content),
    **dict.fromkeys(_blocks.CODE, _code),
    **dict.fromkeys(_blocks.SILENT, _silent),
    **dict.fromkeys(_blocks.INERT, _inert),
    "csv-table": _letters,
    "figure": _picture,
    "image": _picture,
    "list-table": _table,
    "math": _math_block,
    "rubric": _rubric,
    "table": _table,
}


def _myst_role(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return _roles.read(str(tokens[index].meta["name"]), tokens[index].content).html()


def _link_open(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<a href="{escape(_address(str(tokens[index].attrs.get("href", ""))))}">'


def _address(href: str) -> str:
    """A link to a place in the same source is a reference."""
    return reference_href(unquote(href)) if href.startswith("#") else href


def _html(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return _inline_html.as_written(tokens[index].content, _address)


def _math_inline(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<span class="math">{escape(tokens[index].content, quote=False)}</span>'


def _nothing(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return ""


def _footnote_ref(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f"<sup>[{escape(str(tokens[index].meta['label']))}]</sup>"


def _mark_footnotes(state: StateCore) -> None:
    """A footnote is a paragraph that starts with its mark."""
    for number, token in enumerate(state.tokens):
        text = state.tokens[number + 2] if number + 2 < len(state.tokens) else token
        if token.type == "footnote_reference_open" and text.children:
            mark = Token("text", "", 0, content=f"[{token.meta['label']}] ")
            text.children = [mark, *text.children]


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": MAX_DEPTH})
    parser.enable(["table", "strikethrough"])
    for plugin in (colon_fence_plugin, deflist_plugin, myst_block_plugin, myst_role_plugin):
        parser.use(plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False)
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.core.ruler.push("mark_footnotes", _mark_footnotes)
    # The sanitiser judges addresses; refused here, a link would stay behind as raw markup.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    rules = {
        "fence": _fence,
        "colon_fence": _fence,
        "footnote_ref": _footnote_ref,
        "footnote_reference_close": _nothing,
        "footnote_reference_open": _nothing,
        "html_block": _html,
        "html_inline": _html,
        "link_open": _link_open,
        "math_inline": _math_inline,
        "myst_block_break": _nothing,
        "myst_line_comment": _nothing,
        "myst_role": _myst_role,
        "myst_target": _nothing,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


PARSER = _parser()
