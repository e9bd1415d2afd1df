"""Reads MyST: the `{glossary}` directive, in both fence styles and inside other directives.

Names and definitions are separated as in Sphinx (`formats.common.glossary_directives`), or as in a definition list of
Markdown. Each entry is rendered separately, by a Markdown parser with roles and directives, and the result is
memoized. The parser returns directives as fences; `formats.common.sphinx_markup` determines how each is rendered.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import zip_longest
from typing import Any, NamedTuple

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
from sitegen.formats.common.entries import check_length, entry_text, limited, marked, words_of
from sitegen.formats.common.fences import DIRECTIVE, Fence, fences, options, without_front_matter
from sitegen.formats.common.glossary_directives import (
    GlossaryLine,
    PlacedEntry,
    glossary_entries,
    nested,
    placed_entries,
    reading_in_sections,
    without_classifier,
)
from sitegen.formats.common.markdown_limits import STEPS, limit
from sitegen.formats.markdown import commonmark
from sitegen.formats.markdown.inline_html import as_written, to_reference
from sitegen.model import Document, Entry, EntryText, Problem, ProblemKind, Reading, Trouble
from sitegen.text.memo import memo

SHOWN = frozenset({*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT, "math"})
"""Directives that show code: a glossary inside them is an example."""
MAX_FENCES = 20
"""The maximum number of fences around a glossary."""
MAX_DIRECTIVES = 20
"""The maximum nesting of directives in a definition."""
MAX_DEPTH = 100
"""The maximum nesting of blocks: markdown-it leaves out deeper ones."""

LinkDefinitions = tuple[tuple[str, str, str], ...]
"""Label, address and title of each link that a document defines."""
MystProblem = tuple[int, str, str]
"""The number of lines above the oddity, a description of it, and a correction."""


class MystEntry(NamedTuple):
    """An entry's text, and the oddities in its definition, with their lines counted from its start."""

    text: EntryText
    problems: tuple[MystProblem, ...]


def looks_like(document: Document) -> bool:
    """Returns whether the document has a fence `{glossary}` that is not itself shown as code."""
    return any(_glossaries(fences(without_front_matter(document.text.split("\n")))))


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document."""
    lines = without_front_matter(document.text.split("\n"))
    outer = [*fences(lines)]
    glossaries = [*_glossaries(outer)]
    check_length(document, sum(len(line) for _, fence, _ in glossaries for line in fence.body), "MyST glossaries")
    for fence in outer:
        lines[fence.first : fence.past] = [""] * (fence.past - fence.first)
    markdown = "\n".join(lines)
    headings, links = nested(commonmark.headings(markdown)), _link_definitions(markdown)
    placed: list[PlacedEntry] = []
    problems: list[Problem] = []
    is_partial = False
    for line, fence, following in glossaries:
        entries, new_problems = _entries_and_problems(fence, links, document, line=line)
        placed += placed_entries(entries, headings, is_sorted="sorted" in options(fence.body)[0])
        problems += new_problems
        if end := fence.early_end(following):
            is_partial = True
            found = "the end of this fence ends the glossary around it: the lines below are not read"
            wanted = f"fence the glossary with {end[1]}{end[1][0]}"
            problems.append(Trouble(ProblemKind.MARKUP, found, wanted).at(document.path, line=line + 1 + end[0]))
    reading = reading_in_sections(placed, problems, document=document, title=headings.title)
    return replace(reading, is_partial=is_partial)


def _glossaries(
    outer: Iterable[Fence], *, lines_above: int = 0, depth: int = 0
) -> Iterator[tuple[int, Fence, Fence | None]]:
    """Yields the glossaries among fences and in them, each with its line and the fence below it.

    `lines_above` is the number of lines above the fences.
    """
    outer = [*outer]
    for fence, following in zip_longest(outer, outer[1:]):
        line = lines_above + fence.first + 1
        if fence.directive == "glossary":
            yield line, fence, following
        elif not fence.is_code and fence.directive not in SHOWN and depth < MAX_FENCES:
            yield from _glossaries(fences(fence.body), lines_above=line, depth=depth + 1)


def _link_definitions(text: str) -> LinkDefinitions:
    """Returns the links that a text defines for other texts: `[name]: address`."""
    env: dict[str, dict[str, dict[str, str]]] = {}
    if "]:" in text:
        _tokens(text, env)
    return tuple((label, link["href"], link["title"]) for label, link in env.get("references", {}).items())


def _entries_and_problems(
    glossary: Fence, links: LinkDefinitions, document: Document, *, line: int
) -> tuple[list[Entry], list[Problem]]:
    """Returns the entries of a glossary that begins at a line, and its problems."""
    _, option_lines = options(glossary.body)
    text = textwrap.dedent("\n".join(glossary.body[option_lines:]))
    items, problems = glossary_entries([*_glossary_lines(text, line + option_lines + 1)], path=document.path)
    limited(document, (name for item in items for name in item.names), of="names")

    def report(number: int, found: str, wanted: str, *, kind: ProblemKind = ProblemKind.MARKUP) -> None:
        problems.append(Trouble(kind, found, wanted).at(document.path, line=number))

    if not glossary.is_closed:
        report(line, "a glossary whose fence is never closed", "end it with the same fence")
    if not text or text.isspace():
        wanted = "put names and definitions inside its fence"
        report(line, "a glossary without entries", wanted, kind=ProblemKind.NO_TERMS)
    entries: list[Entry] = []
    for item in items:
        names = tuple([without_classifier(name.text) for name in item.names])
        body = "\n".join([line.text for line in item.body])
        parsed = _rendered_entry(names, tuple(item.anchors), body, links if "[" in body else ())
        entries.append(Entry(parsed.text, document.place, item.names[0].number))
        for index, found, wanted in parsed.problems:
            report(item.body[: index + 1][-1].number, found, wanted)
    return entries, problems


def _glossary_lines(text: str, first: int) -> Iterator[GlossaryLine]:
    """Yields the lines of a text. `: words` begins a definition, as in a definition list."""
    for number, line in enumerate(text.split("\n"), start=first):
        is_definition = line.startswith((": ", ":\t"))
        if is_definition:
            yield GlossaryLine("", number)
        yield GlossaryLine(f" {line[1:]}" if is_definition else line, number)


@memo
def _rendered_entry(names: tuple[str, ...], anchors: tuple[str, ...], body: str, links: LinkDefinitions) -> MystEntry:
    """Renders an entry; `links` are the links that its document defines outside of fences."""
    problems: list[MystProblem] = []
    html = _html(body, _Context(links=links, problems=problems))
    is_deprecated = any(fence.directive == "deprecated" for fence in fences(body.split("\n")))
    plain_names = tuple([words_of(PARSER.renderInline(name, {})) or name for name in names])
    text = marked(entry_text(plain_names, anchors, html), section="", deprecated=is_deprecated)
    return MystEntry(text, tuple(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Context:
    """The position of a text in a definition, and the oddities that are collected from it."""

    links: LinkDefinitions
    problems: list[MystProblem]
    line: int = 0
    """The number of lines of the definition above the text."""
    depth: int = 0
    """The number of directives around the text."""

    def env(self) -> dict[str, Any]:
        """Returns the environment that markdown-it passes on."""
        references = {label: {"href": href, "title": title} for label, href, title in self.links}
        return {"context": self, "references": references}

    def report(self, line: int, found: str, wanted: str) -> None:
        self.problems.append((line, found, wanted))


def _html(text: str, context: _Context) -> str:
    """Returns a text as HTML. One that cannot be parsed is shown unchanged, and reported."""
    env = context.env()
    tokens = _tokens(text, env) if context.depth < MAX_DIRECTIVES else None
    if tokens is None:
        context.report(context.line, "text that cannot be parsed", "it is shown as it was written")
        return f"<p>{escape(text, quote=False)}</p>"
    for token in tokens:
        if any(child.type == "text" and "](" in child.content for child in token.children or ()):
            context.report(
                context.line + _first_line(token), "a link that is never closed", "end its address with ')'"
            )
    return str(PARSER.renderer.render(tokens, PARSER.options, env))


def _tokens(text: str, env: dict[str, Any]) -> list[Token] | None:
    """Returns the tokens of a text; None if it is nested too deeply, takes too many steps, or the parser fails."""
    env.pop(STEPS, None)
    try:
        tokens = PARSER.parse(f"{text}\n", env)  # a plug-in fails if the text has no final line end
    except Exception:
        return None
    return tokens if all(token.level < MAX_DEPTH - 1 for token in tokens) else None


def _first_line(token: Token) -> int:
    """Returns a token's first line in its text, counted from 0."""
    return token.map[0] if token.map else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Directive:
    name: str
    argument: str
    options: dict[str, str]
    lines: Sequence[str]
    line: int
    """The line of the fence."""
    first: int
    """The first line below the options."""
    context: _Context

    def titled_html(self, argument: str) -> str:
        """Returns the HTML of a text that begins beside the directive's name."""
        return self.html((argument, *self.lines), self.first - 1)

    def content(self) -> str:
        return self.html(self.lines, self.first)

    def html(self, lines: Sequence[str], first: int) -> str:
        context = replace(self.context, line=first, depth=self.context.depth + 1)
        return _html("\n".join(lines), context)

    def inline(self, text: str) -> str:
        return str(PARSER.renderInline(text, self.context.env()))

    def report(self, found: str, wanted: str) -> None:
        self.context.report(self.line, found, wanted)


def _fence(token: Token, env: dict[str, Any]) -> str:
    """Renders code, a container of colons without a name, or a directive."""
    context: _Context = env["context"]
    line = context.line + _first_line(token)
    match = DIRECTIVE.fullmatch(token.info.strip())
    if match is None and token.type == "fence":
        return sphinx_markup.code(token.content, token.info.strip())
    if match is None:
        return _html(token.content, replace(context, line=line + 1, depth=context.depth + 1))
    lines = token.content.removesuffix("\n").split("\n")
    values, option_lines = options(lines)
    directive = _Directive(
        name=match["name"].lower(),
        argument=match["argument"].strip(),
        options=values,
        lines=lines[option_lines:],
        line=line,
        first=line + 1 + option_lines,
        context=context,
    )
    return BLOCKS.get(directive.name, _unknown)(directive)


def _titled(directive: _Directive) -> str:
    title = directive.inline(directive.argument)
    return sphinx_markup.directive(directive.name, title=title, inner=directive.content())


def _change(directive: _Directive) -> str:
    version, _, words = directive.argument.partition(" ")
    return sphinx_markup.directive(directive.name, version=version, inner=directive.titled_html(words))


def _block(directive: _Directive) -> str:
    return sphinx_markup.directive(directive.name, inner=directive.titled_html(directive.argument))


def _code(directive: _Directive) -> str:
    caption = directive.options.get("caption", "")
    caption_html = f"<p>{directive.inline(caption)}</p>" if caption else ""
    language = directive.argument or sphinx_markup.CODE[directive.name]
    return caption_html + sphinx_markup.code("\n".join(directive.lines), language)


def _verbatim(directive: _Directive) -> str:
    return sphinx_markup.code("\n".join((directive.argument, *directive.lines)).strip("\n"), "")


def _math(directive: _Directive) -> str:
    text = "\n".join((directive.argument, *directive.lines)).strip()
    return f'<div class="math">{escape(text, quote=False)}</div>'


def _picture(directive: _Directive) -> str:
    image = sphinx_markup.image(directive.argument, directive.options.get("alt", ""))
    return f"<p>{image}</p>{directive.content()}"


def _table(directive: _Directive) -> str:
    return f"<p>{directive.inline(directive.argument)}</p>{directive.content()}"


def _inert(directive: _Directive) -> str:
    reason = sphinx_markup.INERT[directive.name]
    directive.report(f"the directive '{directive.name}' does nothing: {reason}", sphinx_markup.UNREAD)
    return ""


def _unknown(directive: _Directive) -> str:
    directive.report(f"the directive '{directive.name}' is not known here", sphinx_markup.AS_TEXT)
    return directive.titled_html(directive.argument)


BLOCKS: dict[str, Callable[[_Directive], str]] = {
    **dict.fromkeys((*sphinx_markup.NOTES, *sphinx_markup.QUOTES), _block),
    **dict.fromkeys(sphinx_markup.CHANGES, _change),
    **dict.fromkeys(sphinx_markup.TITLED, _titled),
    **dict.fromkeys((*sphinx_markup.PLAIN, *sphinx_markup.LABELED), _Directive.content),
    **dict.fromkeys(sphinx_markup.CODE, _code),
    **dict.fromkeys(sphinx_markup.SILENT, lambda _directive: ""),
    **dict.fromkeys(sphinx_markup.INERT, _inert),
    "csv-table": _verbatim,
    "figure": _picture,
    "image": _picture,
    "list-table": _table,
    "math": _math,
    "table": _table,
}


def _mark_footnotes(state: StateCore) -> None:
    """Converts each footnote to a paragraph that starts with its mark."""
    for number, token in enumerate(state.tokens):
        text = state.tokens[number + 2] if number + 2 < len(state.tokens) else token
        if token.type == "footnote_reference_open" and text.children:
            mark = Token("text", "", 0, content=f"[{token.meta['label']}] ")
            text.children = [mark, *text.children]


TokenRenderer = Callable[[Token, dict[str, Any]], str]
UNSHOWN = "footnote_reference_close footnote_reference_open myst_block_break myst_line_comment myst_target".split()
RENDERERS: dict[str, TokenRenderer] = {
    **dict.fromkeys(("fence", "colon_fence"), _fence),
    **dict.fromkeys(("html_block", "html_inline"), lambda token, _: as_written(token.content, to_reference)),
    **dict.fromkeys(UNSHOWN, lambda _token, _: ""),
    "footnote_ref": lambda token, _: f"<sup>[{escape(str(token.meta['label']))}]</sup>",
    "link_open": lambda token, _: f'<a href="{escape(to_reference(str(token.attrs.get("href", ""))))}">',
    "math_inline": lambda token, _: f'<span class="math">{escape(token.content, quote=False)}</span>',
    "myst_role": lambda token, _: sphinx_markup.role(str(token.meta["name"]), token.content).html(),
}


def _rule(render: TokenRenderer) -> Callable[..., str]:
    """Returns a rule of markdown-it for a function of a token."""

    def rule(_self: Any, tokens: Sequence[Token], index: int, _options: Any, env: dict[str, Any]) -> str:
        return render(tokens[index], env)

    return rule


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": MAX_DEPTH})
    parser.enable(["table", "strikethrough"])
    for plugin in (colon_fence_plugin, deflist_plugin, myst_block_plugin, myst_role_plugin):
        parser.use(plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False)
    parser.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)
    parser.core.ruler.push("mark_footnotes", _mark_footnotes)
    limit(parser)
    # The sanitizer checks every address. If the parser rejected one, the markup of the link would be shown as text.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    for name, render in RENDERERS.items():
        parser.add_render_rule(name, _rule(render))
    return parser


PARSER = _parser()
