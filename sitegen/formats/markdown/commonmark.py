"""Configures the Markdown parser: CommonMark with the extensions that glossaries use.

- Definition lists may have several names for one definition (`definition_lists`).
- Notes have three spellings: `> [!NOTE]`, `::: tip`, `!!! note`.
- Attributes (`{: .note }` on a line of its own or after a link) and abbreviations (`*[VM]: Virtual
  Machine`) are not shown.
- Roles, directives and labels (`(jig)=`) of MyST are read.
- Work is limited: the depth of blocks, and in a paragraph its length with the number of its marks.

`candidates` decides which tokens are names and definitions, and `markdown_html` converts tokens to
HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks.index import target
from mdit_py_plugins.myst_role import myst_role_plugin

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import without_asterisks
from sitegen.formats.common.sphinx_markup import RoleText, names_kind
from sitegen.formats.markdown import inline_html
from sitegen.formats.markdown.definition_lists import several_names

MAX_DEPTH = 20
"""The maximum nesting of blocks, where a list takes two: each line is tested in every block around
it. Deeper ones are shown as they are written."""
MAX_SEARCH = 3_000_000
"""The maximum product of the length of a paragraph and the number of its marks: the parser searches
the rest of the paragraph for the end of each. A paragraph above it is shown as it was written."""
SEARCHED = re.compile(r"[\[<$]|://")
"""The marks whose end is searched: of a link, a tag and a formula, and a web address."""
BREAKS = frozenset({"softbreak", "hardbreak"})
NOTE_MARK = r"\[!(?P<kind>\w+)\][-+]?[ \t]*(?P<title>.*)"
"""The first line of a note of GitHub or Obsidian: `[!TIP] Saws`, and `[!TIP]-` if it is folded."""
CONTAINER = re.compile(
    r"\s*\{?(?P<kind>[A-Za-z][\w-]*)\}?\s*(?:\{title=[\"']?(?P<title>[^\"'}]*)[\"']?\}|(?P<words>.*))"
)
"""What follows the colons of a container: `tip Saws`, `{note}`, `info {title="Saws"}`."""
ATTRIBUTE = r"""(?:[.#][\w:-]+|[\w:-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+))"""
ATTRIBUTES = rf"\{{:?[ ]*{ATTRIBUTE}(?:[ ]+{ATTRIBUTE})*[ ]*\}}"
BEHIND = re.compile(ATTRIBUTES)
"""The attributes after a link: `{:.external target="_blank"}`."""
NOT_SHOWN = rf"(?:{ATTRIBUTES}|\{{:(?![ ]*toc\b)[^{{}}]*\}}|\*\[[^\]]+\]:[ ].*)[ \t]*"
"""A line that is not shown. `{:toc}` is excluded: it stands for a table of contents."""


class LinkDefinition(NamedTuple):
    """A link that a text defines: `[label]: href "title"`."""

    label: str
    href: str
    title: str


LinkDefinitions = tuple[LinkDefinition, ...]


def tokens(text: str, env: dict[str, Any], parser: MarkdownIt | None = None) -> list[Token]:
    """Returns the markdown-it tokens of a text; their lines are counted from 0.

    `env` has the links that are defined elsewhere, and gets those that this text defines.
    """
    if not text.endswith("\n"):
        # mdit-py-plugins reads one character past an open container at the end of a quote.
        text += "\n"
    return (parser or PARSER).parse(text, env)


def references(links: LinkDefinitions) -> dict[str, dict[str, str]]:
    """Returns links in the form that markdown-it reads, by their labels: `{"JIG": {"href":
    "jig.md", "title": ""}}`."""
    return {link.label: {"href": link.href, "title": link.title} for link in links}


def defined_links(env: dict[str, Any]) -> LinkDefinitions:
    """Returns the links in the environment of markdown-it."""
    links: list[LinkDefinition] = []
    for label, link in env.get("references", {}).items():
        links.append(LinkDefinition(label, link["href"], link["title"]))
    return tuple(links)


def elements(sequence: Sequence[Token]) -> Iterator[list[Token]]:
    """Yields the outermost elements, each as its tokens: a paragraph, a list, an item of a list."""
    element: list[Token] = []
    depth = 0
    for token in sequence:
        element.append(token)
        depth += token.nesting
        if depth == 0:
            yield element
            element = []


def inside(element: Sequence[Token]) -> Sequence[Token]:
    """Returns the tokens of an element without the first and the last, which open and close it."""
    return element[1:-1]


def first_line(token: Token) -> int:
    """Returns the line on which a token begins."""
    return token.map[0] + 1 if token.map else 0


def plain(children: Sequence[Token]) -> str:
    """Returns the text of inline tokens on one line, without their markup: "table saw" for
    `**table** <b>saw</b>`."""
    text = "".join(map(_token_text, children))
    # The parser leaves asterisks in the text if they are no valid markup: `* saw*`.
    return without_asterisks(" ".join(text.split()))


def _token_text(token: Token) -> str:
    """Returns a token as plain text: a line end as a space."""
    if token.type in BREAKS:
        return " "
    if token.type == "myst_role":
        return role(token).text
    if token.type == "html_inline":
        return inline_html.as_text(token.content)
    return token.content


def role(token: Token) -> RoleText:
    """Returns the text of a role, `{term}` and a name in backquotes."""
    return sphinx_markup.role(token.meta["name"], " ".join(token.content.split()))


def has_only_links(children: Sequence[Token]) -> bool:
    """Returns whether all words of a text are in links."""
    is_in_link = False
    for token in children:
        if token.type == "link_open":
            is_in_link = True
        elif token.type == "link_close":
            is_in_link = False
        has_words = token.type != "html_inline" and re.search(r"\w", token.content)
        if has_words and not is_in_link:
            return False
    return True


def parser() -> MarkdownIt:
    """Returns a parser, to which plug-ins can be added."""
    parser = MarkdownIt("commonmark", {"html": True, "linkify": True, "maxNesting": 2 * MAX_DEPTH})
    parser.block.ruler.before("code", "deep_text", _deep_text)
    parser.enable(["table", "strikethrough"])
    # This rule links web addresses with a scheme. The rule of the same name in `core` would link
    # "README.md" and "torch.nn" too.
    parser.inline.ruler.enable("linkify")
    parser.core.ruler.push("without_empty_text", _drop_empty_text)

    parser.use(deflist_plugin).use(several_names)

    parser.use(container_plugin, "note", validate=lambda info, _: CONTAINER.match(info) is not None)
    parser.use(admon_plugin)
    parser.core.ruler.push("notes", _find_notes)

    parser.block.ruler.before(
        "table",
        "not_shown",
        _read_not_shown,
        {"alt": ["paragraph", "reference", "blockquote", "list"]},
    )
    parser.inline.ruler.push("attributes", _read_attributes)
    parser.use(myst_role_plugin)
    parser.block.ruler.before("hr", "myst_target", target, {"alt": ["paragraph", "list"]})

    parser.use(
        dollarmath_plugin,
        allow_space=False,
        allow_digits=False,
        allow_labels=False,
        double_inline=True,
    )

    # Footnotes stay where they are, so that each text can be shown with its own.
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.core.ruler.push("mark_footnotes", _mark_footnotes)

    parser.inline.parse = _inline_parser(parser)  # type: ignore[method-assign, assignment]
    # The sanitizer checks every address. If the parser rejected one, the markup of the link would
    # be shown as text.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


InlineParser = Callable[[str, MarkdownIt, Any, list[Token]], list[Token]]
"""Adds the tokens of a text to a list, and returns the list."""


def _inline_parser(parser: MarkdownIt) -> InlineParser:
    """Returns the inline parser of a parser, for which a text that takes too much work is a single
    token of plain text."""
    parse = parser.inline.parse

    def parse_cheap(text: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        if len(text) * len(SEARCHED.findall(text)) <= MAX_SEARCH:
            return parse(text, md, env, tokens)
        tokens.append(Token("text", "", 0, content=text))
        return tokens

    return parse_cheap


def _deep_text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule by which blocks that are nested too deeply are a paragraph, as they are written."""
    if silent or state.level <= MAX_DEPTH:
        return False
    return paragraph(state, start, end, silent)


def _drop_empty_text(state: StateCore) -> None:
    """Drops empty texts. markdown-it puts one before a bold word at the start of a line, and
    without it the bold word is the first token."""
    for token in state.tokens:
        if not token.children:
            continue
        kept = []
        for child in token.children:
            is_empty_text = child.type == "text" and not child.content
            if not is_empty_text:
                kept.append(child)
        token.children = kept


def _mark_footnotes(state: StateCore) -> None:
    """Inserts the mark of each footnote, `[1] `, at the start of its text."""
    # The text of a footnote is in the second token after the one that opens it.
    for footnote, _paragraph, inline in zip(
        state.tokens, state.tokens[1:], state.tokens[2:], strict=False
    ):
        if footnote.type == "footnote_reference_open" and inline.children:
            mark = Token("text", "", 0, content=f"[{footnote.meta['label']}] ")
            inline.children.insert(0, mark)


def _find_notes(state: StateCore) -> None:
    """Converts containers, and quotes that are marked as notes, to notes."""
    open_quotes: list[bool] = []  # whether each open quote is a note, the outermost first
    for index, token in enumerate(state.tokens):
        match token.type:
            case "blockquote_open":
                # A quote begins with the opening and the text of a paragraph.
                mark = _note_mark(state.tokens[index + 1 : index + 3])
                open_quotes.append(mark is not None)
                if mark:
                    _make_note(token, mark["kind"], mark["title"] or mark["kind"].capitalize())
            case "blockquote_close":
                is_note = open_quotes.pop()
                if is_note:
                    token.type = "note_close"
            case "container_note_open":
                info = CONTAINER.match(token.info)
                if info:  # always true: the plug-in has matched the same pattern
                    title = info["title"] or info["words"] or ""
                    _make_note(token, info["kind"], title.strip("[] "))
            case "container_note_close":
                token.type = "note_close"
            case "admonition_title_open":
                _format_title(token, state.tokens[index + 1])


def _make_note(opening: Token, kind: str, title: str) -> None:
    """Changes the token that opens a quote or a container, so that it opens a note."""
    opening.type = "note_open"
    opening.meta = {"kind": kind, "title": title}


def _format_title(opening: Token, title: Token) -> None:
    """Changes the tokens of the title of a note. A title that only names the kind of the note gets
    a class, as in `!!! tip "Tip"`. Another title becomes bold."""
    _mark, _, kind = opening.markup.rpartition(" ")  # "tip" of `!!! tip`
    opening.attrs = {}
    if names_kind(title.content, (kind,)):
        opening.attrs = {"class": "note-title"}
        return
    bold_start = Token("strong_open", "strong", 1)
    bold_end = Token("strong_close", "strong", -1)
    title.children = [bold_start, *(title.children or ()), bold_end]


def _note_mark(start: Sequence[Token]) -> re.Match[str] | None:
    """Returns the mark of a note, `[!TIP] Saws`, from the paragraph in these two tokens, with which
    a quote begins, and removes this line from the paragraph. Returns None for other quotes."""
    if [token.type for token in start] != ["paragraph_open", "inline"]:
        return None
    _opening, paragraph = start
    children = paragraph.children or []
    first_line = [*takewhile(lambda token: token.type not in BREAKS, children)]
    mark = re.fullmatch(NOTE_MARK, plain(first_line))
    if mark:
        paragraph.children = children[len(first_line) + 1 :]
    return mark


def _read_not_shown(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Skips a line that shows nothing: attributes, or an abbreviation (`*[VM]: Virtual machine`).
    Returns whether the line is such a line.

    This is a block rule of markdown-it: if `silent` is true, it only answers, and skips nothing.
    """
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if text[:1] not in {"{", "*"} or state.is_code_block(start):
        return False
    if not re.fullmatch(NOT_SHOWN, text):
        return False
    if not silent:
        state.line = start + 1
    return True


def _read_attributes(state: StateInline, silent: bool) -> bool:
    """Skips the attributes after a link or an image. Returns whether there are any."""
    if silent:  # the parser is inside the text of a link, and makes no tokens
        return False
    has_text_between = state.pending != ""
    if has_text_between or not state.tokens:
        return False
    if state.tokens[-1].type not in {"link_close", "image"}:
        return False
    match = BEHIND.match(state.src, state.pos)
    if match:
        state.pos = match.end()
    return match is not None


PARSER = parser()
