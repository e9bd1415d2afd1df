"""Configures the Markdown parser: CommonMark with the extensions that glossaries use.

- Definition lists may have several names for one definition, and need no blank lines between
  entries.
- Notes have four spellings: `> [!NOTE]`, a quote that begins with **Note**, `::: tip`, `!!! note`.
- Attributes (`{: .note }` on a line of its own or after a link) and abbreviations (`*[VM]: Virtual
  Machine`) are not shown.
- Roles and directives of MyST are read.
- Texts whose time would grow with the square of their length have limits of work, not of time, so
  that a text has the same result on every machine.

`candidates` decides which tokens are names and definitions, and `markdown_html` converts tokens to
HTML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import lru_cache
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

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import symbols, without_asterisks
from sitegen.formats.common.sphinx_markup import NOTES
from sitegen.formats.markdown import inline_html
from sitegen.model import TooMuchWorkError

MAX_DEPTH = 100
"""The maximum nesting of blocks. markdown-it leaves out deeper ones."""
MAX_PARAGRAPH = 10_000
"""A paragraph, heading or cell with more characters is shown as it was written."""
MAX_SEARCH = 3_000_000
"""The maximum product of a paragraph's length and the depth of its nested brackets, which are
searched for links."""
MAX_ADDRESS = 2_000
"""The maximum length of a web address in a text."""
MAX_PENDING = 4_000
"""The maximum number of characters without markup before `://`, which are searched for the start of
an address."""
STEPS_AT_LEAST = 200_000
STEPS_FOR_A_CHARACTER = 0.35
"""The maximum number of steps, each of about 10 µs. A step is a test whether a line begins a block.
An ordinary text takes a step for 10 characters, and a nested list in short lines one for 4. The
least is enough for 7,500 rows of four cells."""
STEPS_FOR_A_TEXT = 5
"""The number of steps for a paragraph, a heading, a cell or a block of HTML."""
LINK_OR_TAG = re.compile(r"[\[<]")
STEPS_FOR_A_LINK_OR_TAG = 2
STEPS_FOR_A_CHUNK = 5
"""The number of steps for each part of a document that is parsed alone."""
MAX_CONTAINERS = 8
"""The maximum nesting of containers (`::: note`), each of which is searched for its end. Deeper
ones are shown as text."""
CONTAINERS = "sitegen containers"
"""The key of the number of open containers in the environment of a parse."""

BRACKET = re.compile(r"[\[\]]")
SCHEME = re.compile(r"(?:^|[^a-z])(?:https?|ftp)$", re.I)
LINKS = ("link", "image", "footnote_ref")
STEPS = "sitegen steps"
"""The key of the number of remaining steps in the environment of a parse."""
MAX_NAMES = 8
"""The maximum number of consecutive lines with names that share one definition."""
ANCHOR = re.compile(r"\s*(?:\{#[^}]*\}|(?<=\s)\(#[a-z][\w-]*\))$")
"""The anchor of a heading."""
BREAKS = frozenset({"softbreak", "hardbreak"})
DEFINITION = re.compile(r" {0,3}[:~][ \t]+\S")
ROLE = re.compile(
    r"\{(?P<name>[A-Za-z][\w:+.-]*)\}(?P<ticks>`+)(?P<content>[^`]+|(?:(?!(?P=ticks)).)+)(?P=ticks)(?!`)",
    re.S,
)

MARK = r"\[!(\w+)\][ \t]*(.*)"
CONTAINER = re.compile(r"\s*\{?([A-Za-z][\w-]*)\}?\s*(?:\{title=[\"']?([^\"'}]*)[\"']?\}|(.*))")
ATTRIBUTE = r"""(?:[.#][\w:-]+|[\w:-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+))"""
ATTRIBUTES = rf"\{{:?[ ]*{ATTRIBUTE}(?:[ ]+{ATTRIBUTE})*[ ]*\}}"
BEHIND = re.compile(ATTRIBUTES)
NOT_SHOWN = rf"(?:{ATTRIBUTES}|\{{:(?![ ]*toc\b)[^{{}}]*\}}|\*\[[^\]]+\]:[ ].*)[ \t]*"
"""A line that is not shown. `{:toc}` is excluded: it stands for a table of contents."""


LinkDefinition = tuple[str, str, str]
"""The label, address and title of a link."""
LinkDefinitions = tuple[LinkDefinition, ...]


def tokens(
    text: str, env: dict[str, Any] | None = None, parser: MarkdownIt | None = None
) -> list[Token]:
    """Returns the markdown-it tokens of a text; their lines are counted from 0.

    `env` contains the links that are defined elsewhere; the parser adds those that this text
    defines.
    """
    env = {} if env is None else env
    env[STEPS] = steps_allowed(len(text))
    # mdit-py-plugins reads one character past an open container at the end of a quote.
    return (parser or PARSER).parse(text if text.endswith("\n") else f"{text}\n", env)


def steps_allowed(length: int) -> int:
    """Returns the maximum number of steps for a text of some length."""
    return max(STEPS_AT_LEAST, int(length * STEPS_FOR_A_CHARACTER))


def steps_taken(env: Mapping[str, Any], length: int) -> int:
    """Returns the number of steps that a text took to parse, by its environment."""
    return STEPS_FOR_A_CHUNK + steps_allowed(length) - int(env[STEPS])


def too_many_steps(line: int = 0) -> TooMuchWorkError:
    """Returns the error for a text that takes too many steps."""
    found = "too many small blocks, such as lists, notes, cells and footnotes"
    return TooMuchWorkError(found, "divide the document; nothing of it is read", line=line)


def references(links: LinkDefinitions) -> dict[str, dict[str, str]]:
    """Returns links as markdown-it has them in its environment, under "references"."""
    return {label: {"href": href, "title": title} for label, href, title in links}


def defined_links(env: dict[str, Any]) -> LinkDefinitions:
    """Returns the links in the environment of markdown-it."""
    return tuple(
        (label, link["href"], link["title"]) for label, link in env.get("references", {}).items()
    )


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


def headings(parsed: Sequence[Token]) -> list[tuple[int, int, str]]:
    """Returns the line, level and text of each heading that is in no other block."""
    found = []
    for token, inline in pairwise(parsed):
        if token.type == "heading_open" and token.level == 0 and token.map:
            name = ANCHOR.sub("", plain(inline.children or []))
            found.append((token.map[0] + 1, int(token.tag[1]), name))
    return found


def plain(children: Sequence[Token]) -> str:
    """Returns the text of inline tokens on one line, without their markup."""
    return without_asterisks(" ".join("".join(map(_plain, children)).split()))


def _plain(token: Token) -> str:
    if token.type in BREAKS:
        return " "
    if token.type.startswith("math_inline"):
        return symbols(token.content.strip())
    return inline_html.as_text(token.content) if token.type == "html_inline" else token.content


def parser() -> MarkdownIt:
    """Returns a parser, to which plug-ins can be added."""
    parser = MarkdownIt("commonmark", {"html": True, "linkify": True, "maxNesting": MAX_DEPTH})
    parser.enable(["table", "strikethrough", "linkify"])
    assert parser.linkify is not None
    # "README.md" and "torch.nn" are not web addresses.
    parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    # It is slow: it takes a third of the parsing time, and still searches for these.
    pretest = parser.linkify.pretest
    parser.linkify.pretest = lambda text: _may_link(text) and pretest(text)
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
    parser.inline.ruler.before("backticks", "role", _read_role)
    parser.use(
        dollarmath_plugin,
        allow_space=False,
        allow_digits=False,
        allow_labels=False,
        double_inline=True,
    )
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.core.ruler.push("mark_footnotes", _mark_footnotes)
    _limit(parser)
    # The sanitizer checks every address. If the parser rejected one, the markup of the link would
    # be shown as text.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


def _may_link(text: str) -> bool:
    """Returns False only if a text contains no address. One that is written with escapes is
    none."""
    return "//" in text or (":" in text and "mailto:" in text.lower())


def _drop_empty_text(state: StateCore) -> None:
    """Drops the empty text before a bold word that begins a line, so that the bold word is the
    first token."""
    for token in state.tokens:
        if token.children:
            token.children = [
                child for child in token.children if child.type != "text" or child.content
            ]


def _mark_footnotes(state: StateCore) -> None:
    """Inserts the mark of each footnote at the start of its text."""
    for number, token in enumerate(state.tokens[:-2]):
        children = state.tokens[number + 2].children
        if token.type == "footnote_reference_open" and children:
            children.insert(0, Token("text", "", 0, content=f"[{token.meta['label']}] "))


def several_names(parser: MarkdownIt) -> None:
    """Allows several names for one definition, and names right below a definition.

    The plug-in allows one name, and reads a name that follows a definition without a blank line as
    part of that definition. A rule that runs before the plug-in corrects both.
    """
    single: RuleFuncBlockType = next(
        rule for rule in parser.block.ruler.getRules("") if rule.__name__ == "deflist"
    )

    def read_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        names = _names_above(state, start, end)
        if silent:
            return state.ddIndent >= 0 and names > 0
        index, extra = len(state.tokens), names - 1
        if extra < 1 or not single(state, start + extra, end, False):
            return False
        first = index + 1  # after the opening of the list
        state.tokens[index].map = [start, state.line]
        state.tokens[first:first] = [
            token for line in range(start, start + extra) for token in _name(state, line)
        ]
        return True

    parser.block.ruler.before("deflist", "deflist_names", read_list, {"alt": ["paragraph"]})


def _name(state: StateBlock, line: int) -> tuple[Token, Token, Token]:
    content = state.getLines(line, line + 1, state.blkIndent, False).strip()
    level = state.level + 1
    return (
        Token("dt_open", "dt", 1, map=[line, line], level=level, block=True),
        Token(
            "inline",
            "",
            0,
            map=[line, line],
            level=level + 1,
            content=content,
            children=[],
            block=True,
        ),
        Token("dt_close", "dt", -1, level=level, block=True),
    )


def _names_above(state: StateBlock, start: int, end: int) -> int:
    """Returns the number of lines above the first line that begins with a colon; 0 if there is no
    such line."""
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
            kind, title = info[1], (info[2] or info[3] or "").strip("[] ")
        elif token.type == "container_note_close" or (
            token.type == "blockquote_close" and open_quotes.pop()
        ):
            token.type = "note_close"
        if kind:
            token.type, token.meta = "note_open", {"kind": kind, "title": title}


def _take_title(start: Sequence[Token]) -> tuple[str, str]:
    """Removes the kind and title of a note from the start of a quote's first paragraph, and returns
    them."""
    children = start[1].children if len(start) > 1 and start[0].type == "paragraph_open" else None
    if not children:
        return "", ""
    mark = re.fullmatch(MARK, children[0].content)
    if mark and mark[1].lower() in NOTES:
        start[1].children = children[2:]
        return mark[1], mark[2]
    if children[0].type != "strong_open":
        return "", ""
    kind = children[1].content.strip().removesuffix(":").lower()
    if kind not in NOTES or children[2].type != "strong_close":
        return "", ""
    rest = children[3:]
    if rest and rest[0].type == "text":
        rest[0].content = rest[0].content.removeprefix(":").lstrip()
    start[1].children = rest[1:] if rest and rest[0].type in BREAKS else rest
    return kind, ""


def _read_not_shown(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if text[:1] not in {"{", "*"} or state.is_code_block(start):
        return False
    if not re.fullmatch(NOT_SHOWN, text):
        return False
    if not silent:
        state.line = start + 1
    return True


def _read_attributes(state: StateInline, silent: bool) -> bool:
    """Skips the attributes after a link or an image."""
    if silent or state.pending or not state.tokens:
        return False
    if state.tokens[-1].type not in {"link_close", "image"}:
        return False
    match = BEHIND.match(state.src, state.pos)
    if match:
        state.pos = match.end()
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


InlineRule = Callable[[StateInline, bool], bool]
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def _limit(parser: MarkdownIt) -> None:
    """Adds the limits to a parser that has all its rules."""
    parse = parser.inline.parse

    def parse_short(text: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        if len(text) <= MAX_PARAGRAPH:
            return parse(text, md, env, tokens)
        tokens.append(Token("text", "", 0, content=text))
        return tokens

    parser.inline.parse = parse_short  # type: ignore[method-assign, assignment]
    if linkify := parser.linkify:
        pretest, match_at_start = linkify.pretest, linkify.match_at_start
        linkify.pretest = lambda text: len(text) <= MAX_PARAGRAPH and pretest(text)
        linkify.match_at_start = lambda text: match_at_start(text[:MAX_ADDRESS])
    for inline in [*parser.inline.ruler.__rules__]:
        if inline.name in LINKS:
            parser.inline.ruler.at(inline.name, _limited_links(inline.fn))
        elif inline.name == "linkify":
            parser.inline.ruler.at(inline.name, _limited_addresses(inline.fn))
    for rule in [*parser.block.ruler.__rules__]:
        if rule.name == "container_note":
            parser.block.ruler.at(rule.name, _limited_containers(rule.fn), {"alt": rule.alt})
    parser.core.ruler.after("block", "texts", _count_texts)
    first = parser.block.ruler.__rules__[0].name
    parser.block.ruler.before(
        first, "steps", _count_line, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _count_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule that counts the lines that the parser tests, and matches nothing."""
    _count_steps(state.env, 1)
    return False


def _count_texts(state: StateCore) -> None:
    """Counts paragraphs, headings, cells and blocks of HTML before their texts are parsed."""
    for token in state.tokens:
        if token.type == "html_block":
            _count_steps(state.env, STEPS_FOR_A_TEXT)
        elif token.type == "inline":
            links_and_tags = len(LINK_OR_TAG.findall(token.content))
            _count_steps(state.env, STEPS_FOR_A_TEXT + STEPS_FOR_A_LINK_OR_TAG * links_and_tags)


def _count_steps(env: MutableMapping[str, Any], steps: int) -> None:
    if STEPS in env:  # a single line of text has no limit
        env[STEPS] -= steps
        if env[STEPS] < 0:
            raise too_many_steps()


def _limited_containers(rule: BlockRule) -> BlockRule:
    """Returns a rule that finds no containers that are nested too deeply."""

    def limited(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        depth = state.env.get(CONTAINERS, 0)
        if depth == MAX_CONTAINERS:
            return False
        state.env[CONTAINERS] = depth + 1
        is_found = rule(state, start, end, silent)
        state.env[CONTAINERS] = depth
        return is_found

    return limited


def _limited_links(rule: InlineRule) -> InlineRule:
    """Returns a rule that finds no links in a paragraph with too many nested brackets."""

    def limited(state: StateInline, silent: bool) -> bool:
        return state.src[state.pos] in "[!" and _is_searched(state.src) and rule(state, silent)

    return limited


@lru_cache(maxsize=4)
def _is_searched(text: str) -> bool:
    deepest = depth = 0
    for bracket in BRACKET.findall(text):
        depth = depth + 1 if bracket == "[" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return len(text) * deepest <= MAX_SEARCH


def _limited_addresses(rule: InlineRule) -> InlineRule:
    """Returns a rule that searches for web addresses only directly after a known scheme."""

    def limited(state: StateInline, silent: bool) -> bool:
        if len(state.pending) > MAX_PENDING or not SCHEME.search(state.pending[-6:]):
            return False
        return rule(state, silent)

    return limited


PARSER = parser()
