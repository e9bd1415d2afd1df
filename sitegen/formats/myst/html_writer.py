"""MyST as HTML: one Markdown parser with roles and directives, which degrade to what a reader sees of them.

Directives are fences to the parser; here each becomes the block that `_blocks` says it is. A `Place` travels
through the parser with every text, so that what is odd can be told with its line.
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

from sitegen.formats.common import directive_blocks, roles
from sitegen.formats.common.fences import DIRECTIVE, fences, options
from sitegen.formats.markdown import inline_html
from sitegen.formats.myst import plain_myst
from sitegen.text.prose import reference_href

MAX_DEPTH = 100
"""markdown-it leaves out what is nested deeper."""
MAX_DIRECTIVES = 20
"""Directives inside directives."""
MAX_SEARCH = 100_000_000
"""For the end of each bracket the rest of its paragraph is searched: so many characters are looked at, at most."""


Links = tuple[tuple[str, str, str], ...]
"""Label, address and title of the links that a document defines."""
Odd = tuple[int, str, str]
"""Lines before it, what was found, and what would have worked."""


class Rendered(NamedTuple):
    html: str
    is_deprecated: bool = False
    odd: tuple[Odd, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a text stands: how many lines of the definition are above it, and how many directives around it."""

    links: Links
    odd: list[Odd]
    """Gathers what is odd."""
    line: int = 0
    depth: int = 0

    def env(self) -> dict[str, Any]:
        """What travels through markdown-it with the text."""
        references = {label: {"href": href, "title": title} for label, href, title in self.links}
        return {"place": self, "references": references}

    def report(self, line: int, found: str, wanted: str) -> None:
        self.odd.append((line, found, wanted))


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


def links(text: str) -> Links:
    """Returns the addresses that a text defines for links elsewhere: `[name]: address`."""
    env: dict[str, dict[str, dict[str, str]]] = {}
    if "]:" in text:
        _parse(text, env)
    return tuple((label, link["href"], link["title"]) for label, link in env.get("references", {}).items())


def render(text: str, links: Links) -> Rendered:
    """Returns a definition as HTML. What cannot be parsed is shown as it was written, and reported."""
    if plain := plain_myst.html(text, address):
        return Rendered(plain)
    place = Place(links=links, odd=[])
    html = _html_of(text, place)
    is_deprecated = any(fence.directive == "deprecated" for fence in fences(text.split("\n")))
    return Rendered(html=html, is_deprecated=is_deprecated, odd=tuple(place.odd))


def _html_of(text: str, place: Place) -> str:
    env = place.env()
    tokens = _parse(text, env) if place.depth < MAX_DIRECTIVES else None
    if tokens is None:
        place.report(place.line, "text that cannot be parsed", "it is shown as it was written")
        return f"<p>{escape(text, quote=False)}</p>"
    for token in tokens:
        if any(child.type == "text" and "](" in child.content for child in token.children or ()):
            place.report(place.line + _first(token), "a link that is never closed", "end its address with ')'")
    return str(PARSER.renderer.render(tokens, PARSER.options, env))


def _parse(text: str, env: dict[str, Any]) -> list[Token] | None:
    """The tokens of a text; none at all where some of it would be lost, or take too long."""
    if len(text) * text.count("[") > MAX_SEARCH:
        return None
    try:
        tokens = PARSER.parse(f"{text}\n", env)  # a plug-in looks past the end of a text without a line end
    except Exception:
        return None
    return tokens if all(token.level < MAX_DEPTH - 1 for token in tokens) else None


def _first(token: Token) -> int:
    """A token's first line in its text, counted from 0."""
    return token.map[0] if token.map else 0


def words(text: str) -> str:
    """Returns what one line of MyST says, without its markup."""
    html = plain_myst.name(text) or PARSER.renderInline(text, {})
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def _fence(self: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, Any]) -> str:
    """Code, a plain container of colons, or a directive."""
    token, place = tokens[index], env["place"]
    line = place.line + _first(token)
    match = DIRECTIVE.fullmatch(token.info.strip())
    if match:
        return _directive(match, token.content.removesuffix("\n").split("\n"), line=line, place=place)
    if token.type == "colon_fence":
        return _inside(token.content, line + 1, place)
    return directive_blocks.code(token.content, token.info.strip())


def _directive(match: re.Match[str], lines: list[str], *, line: int, place: Place) -> str:
    given, taken = options(lines)
    directive = Directive(
        name=match["name"].lower(),
        argument=match["argument"].strip(),
        options=given,
        lines=tuple(lines[taken:]),
        line=line,
        first=line + 1 + taken,
    )
    return BLOCKS.get(directive.name, _unknown)(directive, place)


def _inside(text: str, line: int, place: Place) -> str:
    """Renders text inside a directive, as part of the same definition."""
    return _html_of(text, replace(place, line=line, depth=place.depth + 1))


def _inline(text: str, place: Place) -> str:
    return str(PARSER.renderInline(text, place.env()))


def _content(directive: Directive, place: Place) -> str:
    return _inside("\n".join(directive.lines), directive.first, place)


def _all(directive: Directive, place: Place) -> str:
    return _inside(directive.text, directive.first - 1, place)


def _note(directive: Directive, place: Place) -> str:
    return directive_blocks.note(directive_blocks.NOTES[directive.name], _all(directive, place))


def _titled(directive: Directive, place: Place) -> str:
    return directive_blocks.titled(_inline(directive.argument, place), _content(directive, place))


def _change(directive: Directive, place: Place) -> str:
    version, _, rest = directive.argument.partition(" ")
    return directive_blocks.change(directive.name, version, _all(replace(directive, argument=rest), place))


def _quote(directive: Directive, place: Place) -> str:
    return f"<blockquote>{_all(directive, place)}</blockquote>"


def _rubric(directive: Directive, place: Place) -> str:
    return f'<p class="rubric">{_inline(directive.argument, place)}</p>{_content(directive, place)}'


def _code(directive: Directive, place: Place) -> str:
    caption = directive.options.get("caption", "")
    above = f"<p>{_inline(caption, place)}</p>" if caption else ""
    return above + directive_blocks.code(
        "\n".join(directive.lines), directive.argument or directive_blocks.CODE[directive.name]
    )


def _letters(directive: Directive, _place: Place) -> str:
    return directive_blocks.code(directive.text.strip("\n"), "")


def _math(directive: Directive, _place: Place) -> str:
    return f'<div class="math">{escape(directive.text.strip(), quote=False)}</div>'


def _picture(directive: Directive, place: Place) -> str:
    image = directive_blocks.image(directive.argument, directive.options.get("alt", ""))
    return f"<p>{image}</p>{_content(directive, place)}"


def _table(directive: Directive, place: Place) -> str:
    return f"<p>{_inline(directive.argument, place)}</p>{_content(directive, place)}"


def _silent(_directive: Directive, _place: Place) -> str:
    return ""


def _inert(directive: Directive, place: Place) -> str:
    found = f"the directive '{directive.name}' does nothing: {directive_blocks.INERT[directive.name]}"
    place.report(directive.line, found, directive_blocks.UNREAD)
    return ""


def _unknown(directive: Directive, place: Place) -> str:
    place.report(directive.line, f"the directive '{directive.name}' is not known here", directive_blocks.AS_TEXT)
    return _all(directive, place)


BLOCKS: dict[str, Callable[[Directive, Place], str]] = {
    **dict.fromkeys(directive_blocks.NOTES, _note),
    **dict.fromkeys(directive_blocks.CHANGES, _change),
    **dict.fromkeys(directive_blocks.TITLED, _titled),
    **dict.fromkeys(directive_blocks.QUOTES, _quote),
    **dict.fromkeys((*directive_blocks.PLAIN, *directive_blocks.LABELLED), _content),
    **dict.fromkeys(directive_blocks.CODE, _code),
    **dict.fromkeys(directive_blocks.SILENT, _silent),
    **dict.fromkeys(directive_blocks.INERT, _inert),
    "csv-table": _letters,
    "figure": _picture,
    "image": _picture,
    "list-table": _table,
    "math": _math,
    "rubric": _rubric,
    "table": _table,
}


def _myst_role(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return roles.read(str(tokens[index].meta["name"]), tokens[index].content).html()


def _link_open(self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<a href="{escape(address(str(tokens[index].attrs.get("href", ""))))}">'


def address(href: str) -> str:
    """Returns the address of a link: a reference where it leads to a place in the same source."""
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
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
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
