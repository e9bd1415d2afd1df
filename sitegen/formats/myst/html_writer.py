"""Renders MyST as HTML: a Markdown parser with roles and directives.

The parser returns directives as fences; `formats.common.directive_blocks` determines how each is rendered. A
`Context` is passed through the parser with every text, so that oddities are reported with their lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape, unescape
from typing import Any, NamedTuple
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

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.markdown_limits import STEPS, limit
from sitegen.formats.common.raw_text import DIRECTIVE, fences, options
from sitegen.formats.markdown import inline_html
from sitegen.text.prose import reference_href

MAX_DEPTH = 100
"""The maximum nesting of blocks: markdown-it leaves out deeper ones."""
MAX_DIRECTIVES = 20
"""The maximum nesting of directives."""

LinkDefinitions = tuple[tuple[str, str, str], ...]
"""Label, address and title of each link that a document defines."""
Oddity = tuple[int, str, str]
"""The number of lines above the oddity, a description of it, and a correction."""


class Rendered(NamedTuple):
    html: str
    is_deprecated: bool = False
    odd: tuple[Oddity, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The position of a text in a definition, and the oddities that are collected from it."""

    links: LinkDefinitions
    odd: list[Oddity]
    line: int = 0
    """The number of lines of the definition above the text."""
    depth: int = 0
    """The number of directives around the text."""

    def env(self) -> dict[str, Any]:
        """Returns the environment that markdown-it passes on."""
        references = {label: {"href": href, "title": title} for label, href, title in self.links}
        return {"context": self, "references": references}

    def report(self, line: int, found: str, wanted: str) -> None:
        self.odd.append((line, found, wanted))


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    name: str
    argument: str
    options: dict[str, str]
    lines: tuple[str, ...]
    line: int
    """The line of the fence."""
    first: int
    """The first line below the options."""

    @property
    def text(self) -> str:
        """The whole text: in a directive without arguments, it begins on the line with the directive's name."""
        return "\n".join((self.argument, *self.lines))


def link_definitions(text: str) -> LinkDefinitions:
    """Returns the links that a text defines for other texts: `[name]: address`."""
    env: dict[str, dict[str, dict[str, str]]] = {}
    if "]:" in text:
        _parse(text, env)
    return tuple((label, link["href"], link["title"]) for label, link in env.get("references", {}).items())


def render(text: str, links: LinkDefinitions) -> Rendered:
    """Returns a definition as HTML. Text that cannot be parsed is shown unchanged, and reported."""
    context = Context(links=links, odd=[])
    html = _html_of(text, context)
    is_deprecated = any(fence.directive == "deprecated" for fence in fences(text.split("\n")))
    return Rendered(html=html, is_deprecated=is_deprecated, odd=tuple(context.odd))


def _html_of(text: str, context: Context) -> str:
    env = context.env()
    tokens = _parse(text, env) if context.depth < MAX_DIRECTIVES else None
    if tokens is None:
        context.report(context.line, "text that cannot be parsed", "it is shown as it was written")
        return f"<p>{escape(text, quote=False)}</p>"
    for token in tokens:
        if any(child.type == "text" and "](" in child.content for child in token.children or ()):
            context.report(context.line + _first(token), "a link that is never closed", "end its address with ')'")
    return str(PARSER.renderer.render(tokens, PARSER.options, env))


def _parse(text: str, env: dict[str, Any]) -> list[Token] | None:
    """Returns the tokens of a text; None if it is nested too deeply, takes too many steps, or the parser fails."""
    env.pop(STEPS, None)
    try:
        tokens = PARSER.parse(f"{text}\n", env)  # a plug-in fails if the text has no final line end
    except Exception:
        return None
    return tokens if all(token.level < MAX_DEPTH - 1 for token in tokens) else None


def _first(token: Token) -> int:
    """Returns a token's first line in its text, counted from 0."""
    return token.map[0] if token.map else 0


def text_of(line: str) -> str:
    """Returns one line of MyST without its markup."""
    html = PARSER.renderInline(line, {})
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def _fence(self: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, Any]) -> str:
    """Renders code, a container of colons without a name, or a directive."""
    token, context = tokens[index], env["context"]
    line = context.line + _first(token)
    match = DIRECTIVE.fullmatch(token.info.strip())
    if match:
        return _directive(match, token.content.removesuffix("\n").split("\n"), line=line, context=context)
    if token.type == "colon_fence":
        return _inside(token.content, line + 1, context)
    return sphinx_markup.code(token.content, token.info.strip())


def _directive(match: re.Match[str], lines: list[str], *, line: int, context: Context) -> str:
    given, taken = options(lines)
    directive = Directive(
        name=match["name"].lower(),
        argument=match["argument"].strip(),
        options=given,
        lines=tuple(lines[taken:]),
        line=line,
        first=line + 1 + taken,
    )
    return BLOCKS.get(directive.name, _unknown)(directive, context)


def _inside(text: str, line: int, context: Context) -> str:
    """Renders text inside a directive, as part of the same definition."""
    return _html_of(text, replace(context, line=line, depth=context.depth + 1))


def _inline(text: str, context: Context) -> str:
    return str(PARSER.renderInline(text, context.env()))


def _content(directive: Directive, context: Context) -> str:
    return _inside("\n".join(directive.lines), directive.first, context)


def _all(directive: Directive, context: Context) -> str:
    return _inside(directive.text, directive.first - 1, context)


def _note(directive: Directive, context: Context) -> str:
    return sphinx_markup.note(sphinx_markup.NOTES[directive.name], _all(directive, context))


def _titled(directive: Directive, context: Context) -> str:
    return sphinx_markup.titled(_inline(directive.argument, context), _content(directive, context))


def _change(directive: Directive, context: Context) -> str:
    version, _, rest = directive.argument.partition(" ")
    return sphinx_markup.change(directive.name, version, _all(replace(directive, argument=rest), context))


def _quote(directive: Directive, context: Context) -> str:
    return f"<blockquote>{_all(directive, context)}</blockquote>"


def _rubric(directive: Directive, context: Context) -> str:
    return f'<p class="rubric">{_inline(directive.argument, context)}</p>{_content(directive, context)}'


def _code(directive: Directive, context: Context) -> str:
    caption = directive.options.get("caption", "")
    above = f"<p>{_inline(caption, context)}</p>" if caption else ""
    return above + sphinx_markup.code(
        "\n".join(directive.lines), directive.argument or sphinx_markup.CODE[directive.name]
    )


def _letters(directive: Directive, _context: Context) -> str:
    return sphinx_markup.code(directive.text.strip("\n"), "")


def _math(directive: Directive, _context: Context) -> str:
    return f'<div class="math">{escape(directive.text.strip(), quote=False)}</div>'


def _picture(directive: Directive, context: Context) -> str:
    image = sphinx_markup.image(directive.argument, directive.options.get("alt", ""))
    return f"<p>{image}</p>{_content(directive, context)}"


def _table(directive: Directive, context: Context) -> str:
    return f"<p>{_inline(directive.argument, context)}</p>{_content(directive, context)}"


def _silent(_directive: Directive, _context: Context) -> str:
    return ""


def _inert(directive: Directive, context: Context) -> str:
    found = f"the directive '{directive.name}' does nothing: {sphinx_markup.INERT[directive.name]}"
    context.report(directive.line, found, sphinx_markup.UNREAD)
    return ""


def _unknown(directive: Directive, context: Context) -> str:
    context.report(directive.line, f"the directive '{directive.name}' is not known here", sphinx_markup.AS_TEXT)
    return _all(directive, context)


BLOCKS: dict[str, Callable[[Directive, Context], str]] = {
    **dict.fromkeys(sphinx_markup.NOTES, _note),
    **dict.fromkeys(sphinx_markup.CHANGES, _change),
    **dict.fromkeys(sphinx_markup.TITLED, _titled),
    **dict.fromkeys(sphinx_markup.QUOTES, _quote),
    **dict.fromkeys((*sphinx_markup.PLAIN, *sphinx_markup.LABELLED), _content),
    **dict.fromkeys(sphinx_markup.CODE, _code),
    **dict.fromkeys(sphinx_markup.SILENT, _silent),
    **dict.fromkeys(sphinx_markup.INERT, _inert),
    "csv-table": _letters,
    "figure": _picture,
    "image": _picture,
    "list-table": _table,
    "math": _math,
    "rubric": _rubric,
    "table": _table,
}


def _myst_role(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return sphinx_markup.role(str(tokens[index].meta["name"]), tokens[index].content).html()


def _link_open(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<a href="{escape(address(str(tokens[index].attrs.get("href", ""))))}">'


def address(href: str) -> str:
    """Returns the address of a link; a `term:` reference if it leads into the same document."""
    return reference_href(unquote(href)) if href.startswith("#") else href


def _html(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return inline_html.as_written(tokens[index].content, address)


def _math_inline(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<span class="math">{escape(tokens[index].content, quote=False)}</span>'


def _nothing(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return ""


def _footnote_ref(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f"<sup>[{escape(str(tokens[index].meta['label']))}]</sup>"


def _mark_footnotes(state: StateCore) -> None:
    """Converts each footnote to a paragraph that starts with its mark."""
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
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    parser.core.ruler.push("mark_footnotes", _mark_footnotes)
    limit(parser)
    # The sanitiser checks every address. If the parser rejected one, the markup of the link would be shown as text.
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
