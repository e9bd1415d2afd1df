"""Renders the tokens of Markdown as HTML, with the roles and directives of MyST.

In a MyST glossary, directives that are unknown or do nothing are reported. In other Markdown these
are code, such as ```` ```{python} ````.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.fences import DIRECTIVE, options
from sitegen.formats.common.sphinx_markup import NOTES, names_kind
from sitegen.formats.common.structure import MarkupProblem
from sitegen.formats.markdown import commonmark, site_markup
from sitegen.formats.markdown.commonmark import LinkDefinitions, first_line
from sitegen.formats.markdown.inline_html import Address, as_block, as_written, to_reference
from sitegen.text.memo import memo

MAX_DIRECTIVES = 20
"""The maximum nesting of directives. Deeper ones are shown as code."""
LOOKS_LIKE_MATH = re.compile(r"[\\^_={}<>+]|^\w$")
"""Signs of a formula, or a single letter: `x^2`, `n`."""
MARKUP = re.compile(r"[*_`\[\]<>&\\|#~$]|^\s*(?:[-+]|\d+[.)])\s|://|\n", re.M)
"""A sign that a text may have Markdown in it."""
TITLES_OF_KINDS = {**NOTES, "info": "Info"}


@dataclass(frozen=True, kw_only=True)
class Context:
    """The settings with which a text becomes HTML."""

    address: Address
    """Maps each link to its address."""
    parser: MarkdownIt = commonmark.PARSER
    """The parser; in a MyST glossary, one with more syntax."""
    links: LinkDefinitions = ()
    """The links that are defined elsewhere."""
    problems: list[MarkupProblem] = field(default_factory=list)
    """The problems of a MyST glossary, to which rendering adds; of other texts, nothing reads
    them."""
    line: int = 0
    """The number of lines above the text."""
    depth: int = 0
    """The number of directives around the text."""

    @property
    def is_myst(self) -> bool:
        return self.parser is not commonmark.PARSER

    def html(self, text: str) -> str:
        """Returns a text as HTML."""
        env = self._env()
        tokens = commonmark.tokens(text, env, self.parser)
        for token in tokens:
            if _has_open_link(token):
                found = "a link that is never closed"
                self.report(first_line(token), found, "end its address with ')'")
        return str(self.parser.renderer.render(tokens, self.parser.options, env))

    def inline(self, text: str) -> str:
        """Returns the text of a line as HTML."""
        return str(self.parser.renderInline(text, self._env()))

    def report(self, line: int, found: str, wanted: str) -> None:
        """Adds a problem on a line of the text."""
        self.problems.append(MarkupProblem(self.line + line, found, wanted))

    def inner(self, fence: Token, lines: int) -> Context:
        """Returns the context of the text in a fence, below some lines of it."""
        line = self.line + first_line(fence) + lines
        return replace(self, line=line, depth=self.depth + 1)

    def _env(self) -> dict[str, Any]:
        return {"context": self, "references": commonmark.references(self.links)}


@memo
def html_of(text: str) -> str:
    """Returns the HTML of a definition that is one text, the value of a record or of front matter.
    The text may have Markdown in it, and shortcodes."""
    text = text.strip()
    if not text:
        return ""
    if not MARKUP.search(text):
        return f"<p>{escape(text, quote=False)}</p>"
    markdown, left_out = site_markup.translated(text)
    # A text with a tag that would be left out is not translated.
    return Context(address=to_reference).html(text if left_out else markdown)


def render(sequence: Sequence[Token], address: Address) -> str:
    """Returns tokens of ordinary Markdown as HTML."""
    parser = commonmark.PARSER
    env = {"context": Context(address=address)}
    return str(parser.renderer.render(sequence, parser.options, env))


def _has_open_link(token: Token) -> bool:
    """Returns whether the text of a token has the beginning of a link that was not read as one."""
    for child in token.children or ():
        # Of `[jig](a b`, the parser leaves `](` in the text.
        if child.type == "text" and "](" in child.content:
            return True
    return False


@dataclass(frozen=True, kw_only=True)
class _Directive:
    """A directive of MyST: a fence `{name} argument`, with options and a content."""

    name: str
    argument: str
    options: dict[str, str]
    content: str
    """The text below the options."""
    context: Context
    """The context of the content."""
    option_lines: int

    def html(self) -> str:
        return self.context.html(self.content)

    def html_with(self, words: str) -> str:
        """Returns the HTML of the content, below words that are beside the directive's name."""
        context = replace(self.context, line=self.context.line - 1)
        return context.html(f"{words}\n{self.content}")

    def verbatim(self) -> str:
        return f"{self.argument}\n{self.content}".strip("\n")

    def report(self, found: str, wanted: str) -> None:
        """Adds a problem on the line of the directive's name, which is above the options."""
        self.context.report(-self.option_lines, f"the directive '{self.name}' {found}", wanted)


def _titled(directive: _Directive) -> str:
    title = directive.context.inline(directive.argument)
    return sphinx_markup.directive(directive.name, title=title, inner=directive.html())


def _version_note(directive: _Directive) -> str:
    """Renders `{versionadded} 3.2 words`."""
    version, _, words = directive.argument.partition(" ")
    return sphinx_markup.version_note(directive.name, version, directive.html_with(words))


def _note(directive: _Directive) -> str:
    return sphinx_markup.note(NOTES[directive.name], directive.html_with(directive.argument))


def _code(directive: _Directive) -> str:
    """Renders `{code-block} python`, below its caption."""
    language = directive.argument or sphinx_markup.CODE[directive.name]
    html = sphinx_markup.code(directive.content, language)
    caption = directive.options.get("caption")
    if caption:
        return f"<p>{directive.context.inline(caption)}</p>{html}"
    return html


def _verbatim(directive: _Directive) -> str:
    return sphinx_markup.code(directive.verbatim(), "")


def _math_block(directive: _Directive) -> str:
    return f'<div class="math">{escape(directive.verbatim().strip(), quote=False)}</div>'


def _picture(directive: _Directive) -> str:
    image = sphinx_markup.image(directive.argument, directive.options.get("alt", ""))
    return f"<p>{image}</p>{directive.html()}"


def _table(directive: _Directive) -> str:
    return f"<p>{directive.context.inline(directive.argument)}</p>{directive.html()}"


def _unknown(directive: _Directive) -> str:
    """Reports a directive that is not in DIRECTIVES. One that does nothing is not shown."""
    if reason := sphinx_markup.INERT.get(directive.name):
        directive.report(f"does nothing: {reason}", sphinx_markup.WRITE_IT_HERE)
        return ""
    directive.report("is not known here", sphinx_markup.AS_TEXT)
    return directive.html_with(directive.argument)


DIRECTIVES: dict[str, Callable[[_Directive], str]] = {
    **dict.fromkeys(NOTES, _note),
    **dict.fromkeys(sphinx_markup.VERSION_NOTES, _version_note),
    **dict.fromkeys(sphinx_markup.TITLED, _titled),
    **dict.fromkeys((*sphinx_markup.UNFRAMED, *sphinx_markup.LABELED), _Directive.html),
    **dict.fromkeys(sphinx_markup.CODE, _code),
    **dict.fromkeys(sphinx_markup.SILENT, lambda _directive: ""),
    "csv-table": _verbatim,
    "figure": _picture,
    "image": _picture,
    "list-table": _table,
    "math": _math_block,
    "table": _table,
}


# The functions below render one token each. Their arguments are those of the rules of markdown-it's
# renderer.


def _link_start(tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Renders the start of a link. One without words shows its web address: `[](https://a.b)`."""
    attributes = tokens[index].attrs
    href = str(attributes.get("href", ""))
    title = str(attributes.get("title", ""))
    html = f'<a href="{escape(env["context"].address(href))}"'
    if title:
        html += f' title="{escape(title)}"'
    has_no_words = tokens[index + 1].type == "link_close"
    if has_no_words and "://" in href:
        return f"{html}> {escape(href)}"
    # MyST shows the title of the target, which is not known here.
    if has_no_words and env["context"].is_myst:
        return f"{html}>{escape(unquote(href.removeprefix('#')))}"
    return f"{html}>"


def _fence(tokens: Sequence[Token], index: int, _options: Any, env: Any) -> str:
    """Renders code, a directive, or a container of colons without a name."""
    token, context = tokens[index], env["context"]
    info = token.info.strip()
    if context.depth < MAX_DIRECTIVES:  # deeper directives are shown as code
        match = DIRECTIVE.fullmatch(info)
        if match:
            name, argument = match["name"].lower(), match["argument"].strip()
            html = _html_of_directive(name, argument, token, context)
            if html is not None:
                return html
        elif token.type == "colon_fence":
            return str(context.inner(token, lines=0).html(token.content))

    # Code may be "```python" or "```{.python}".
    language = re.match(r"[\s{.]*([\w+#.-]*)", info)
    return sphinx_markup.code(token.content, language[1] if language else "")


def _html_of_directive(name: str, argument: str, token: Token, context: Context) -> str | None:
    """Returns the HTML of the directive in a fence `{name} argument`; None for code, such as
    `{python}`."""
    renderer = DIRECTIVES.get(name)
    if renderer is None and context.is_myst:
        renderer = _unknown
    if renderer is None:
        return None
    lines = token.content.removesuffix("\n").split("\n")
    values, option_lines = options(lines)
    directive = _Directive(
        name=name,
        argument=argument,
        options=values,
        content="\n".join(lines[option_lines:]),
        context=context.inner(token, lines=option_lines),
        option_lines=option_lines,
    )
    return renderer(directive)


def _math(tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Renders a text between dollar signs: a formula, or words between two prices."""
    words = escape(tokens[index].content, quote=False)
    # In "from $5 to $7", a number is right behind the second sign.
    is_last = index + 1 == len(tokens)
    is_before_word = not is_last and tokens[index + 1].content[:1].isalnum()
    is_formula = LOOKS_LIKE_MATH.search(tokens[index].content) and not is_before_word
    # In MyST, dollars are always around a formula.
    if is_formula or env["context"].is_myst:
        return f'<span class="math">{words}</span>'
    return f"${words}$"


def _note_start(tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Renders the start of a note, with its title. A note without a title is a mere container."""
    kind = tokens[index].meta["kind"]
    title = tokens[index].meta["title"] or TITLES_OF_KINDS.get(kind.lower(), "")
    if not title:
        return "<div>"
    # "Warning" only names the kind of the note. Other titles are words of the author.
    if names_kind(title, (kind,)):
        return f'<div class="note"><p class="note-title">{escape(title, quote=False)}</p>'
    return f'<div class="note"><p><strong>{escape(title, quote=False)}</strong></p>'


UNSHOWN = """
    footnote_reference_close footnote_reference_open myst_block_break myst_line_comment myst_target
""".split()
RENDERERS: dict[str, Callable[..., str]] = {
    "link_open": _link_start,
    **dict.fromkeys(("fence", "colon_fence"), _fence),
    **dict.fromkeys(UNSHOWN, lambda *_: ""),
    "html_inline": lambda tokens, index, _, env: as_written(
        tokens[index].content, env["context"].address
    ),
    "html_block": lambda tokens, index, _, env: as_block(
        tokens[index].content, env["context"].address
    ),
    "myst_role": lambda tokens, index, *_: commonmark.role(tokens[index]).html(),
    "math_inline": _math,
    "math_inline_double": lambda tokens, index, *_: (
        f'<span class="math">{escape(tokens[index].content.strip(), quote=False)}</span>'
    ),
    "footnote_ref": lambda tokens, index, *_: f"<sup>[{escape(tokens[index].meta['label'])}]</sup>",
    "note_open": _note_start,
    "note_close": lambda *_: "</div>\n",
    "admonition_open": lambda *_: '<div class="note">',
    "admonition_close": lambda *_: "</div>\n",
}
"""The functions that render types of tokens for which markdown-it has none, or another."""
commonmark.PARSER.renderer.rules |= RENDERERS  # type: ignore[attr-defined]
