"""Finds the words of other documents that are not code, addresses or markup.

Words are returned as ranges, pairs of offsets in the text. Markdown is parsed, as MkDocs, MyST,
Quarto, Docusaurus and MDX read it; the content of a directive is parsed again.
reStructuredText is read line by line, with directives recognized by name; the content of an unknown
directive is prose. Inline markup is found by regular expressions. Any other file is all words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.fences import options, without_front_matter
from sitegen.formats.markdown.definition_lists import several_names
from sitegen.text.file_names import MARKDOWN_SUFFIXES, RST_SUFFIXES

STANDARD_INPUT = "-"
"""The path of standard input."""
MarkupLanguage = Literal["markdown", "rst", "text"]
SUFFIXES: dict[str, MarkupLanguage] = {
    **dict.fromkeys(MARKDOWN_SUFFIXES, "markdown"),
    **dict.fromkeys(RST_SUFFIXES, "rst"),
}
_RST_SIGN = re.compile(
    r"^[ \t]*\.\. (?:_[^:\n]+:|(?:\|[^|\n]+\|[ ]+)?[\w:+.-]+::|\[[#\w*]+\][ "
    r"])|:[a-z][\w:+-]*:`[^`]+`|``[^`\n]+``",
    re.M,
)
"""Matches a construct that only reStructuredText has: Markdown and plain text do not."""


def markup_of(text: str, path: str) -> MarkupLanguage:
    """Returns the markup of a document, by the suffix of its path.

    A `.txt` file and standard input are reStructuredText if they contain a construct of it. Other
    standard input is Markdown; other files are plain text.
    """
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    is_standard_input = path == STANDARD_INPUT
    may_be_rst = is_standard_input or suffix == ".txt"
    if may_be_rst and _RST_SIGN.search(text):
        return "rst"
    return "markdown" if is_standard_input else "text"


# Words.

TextRange = tuple[int, int]
Flavor = Literal["markdown", "quarto", "mdx"]
LineRange = tuple[int, int]
"""The number of the first line, from 0, and that of the line after the last one."""

_FLAVORS: dict[str, Flavor] = {".mdx": "mdx", ".qmd": "quarto", ".rmd": "quarto"}
_WEB = r"[^\s<>()]*[^\s<>().,;:!?]"
_ADDRESS = rf"<[a-z][\w+.-]*:[^\s<>]*> | \b(?:https?|ftp|mailto):{_WEB} | \bwww\.{_WEB}"
_ATTRIBUTES = r"""(?:[^<>"'{]++|"[^"]*"|'[^']*'|\{[^{}]*\}|\{)*+"""
_ATTRIBUTE = r"""(?:[#.][\w:-]++|[\w:@-]++=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]++))"""


_CODE = "code|kbd|pre|samp|script|style|textarea|tt|var"
_NO_WORDS = re.compile(
    rf"""(?P<fence>`+)(?!`).*?(?<!`)(?P=fence)(?!`)  # code
      | \\.
      | \{{[\w:+-]+\}}`[^`]*`                        # a role of MyST
      | !\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?         # a picture
      | <!--.*?-->                                 # HTML
      | <(?P<element>{_CODE})(?=[\s>]){_ATTRIBUTES}(?<!/)>.*?</(?P=element)\s*>
      | <(?:/?[a-z]|[!?]){_ATTRIBUTES}>
      | ^[ ]{{0,3}}\[(?!\^)[^\]]+\]:.*$              # a link definition
      | \[\^[^\]\s]+\]                              # the mark of a footnote
      | ^[ \t>]*(?:[-*+][ \t]+)?(?:`{{3,}}|~{{3,}}|:{{3,}})
        [ \t]*\{{?[\w:.-]*\}}?                       # the name of a directive
      | ^[ \t]*-+8<-+.*$                             # a snippet of MkDocs
      | ^[ \t]*\{{:[^{{}}\n]*\}}[ \t]*$               # attributes of a paragraph
      | ^[ \t]*(?:!!!|\?\?\?\+?)[ \t]+[\w -]*        # the kind of an admonition
      | \{{:?[ ]*+(?:{_ATTRIBUTE}[ ]*+)++\}}
      | (?<![\w:]):[a-z][\w+-]*:(?![\w:`])           # an icon
      | (?<![\w@])@[\w:.\#+/-]+                      # a handle, or a key of a bibliography
      | \$[^$\n]+\$
      | \{{\{{(?:(?!\{{\{{).)*?\}}\}} | \{{%(?:(?!\{{%).)*?%\}}  # a tag of Hugo or Jekyll
      | {_ADDRESS}""",
    re.S | re.X | re.M | re.I,
)
"""The parts of a Markdown paragraph that are not words."""
_MDX_EXPRESSION = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}")
_TARGET = r"(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])"
_LINK_TARGET = re.compile(rf"(?<=\]){_TARGET}")
_IN_RST = re.compile(
    rf"""``.*?`` | :[\w:+.-]+:`[^`]*` | `[^`]*`_{{0,2}}
      | \|(?!\s)[^|\n]+(?<!\s)\|                        # a substitution
      | ^[ \t]*:[a-z]+[ ][^:\n]+:(?!\S)                 # a parameter
      | ^[ \t]*>>>[ ].*                               # a doctest
      | {_ADDRESS}""",
    re.S | re.X | re.M | re.I,
)
_TERM_ROLE = re.compile(
    r"(?:(?<![\w`]):(?:std:)?term:|\{(?:std:)?term\})`!?(?:[^`<]*<(?P<target>[^`>]+)>|(?P<name>[^`<]+))`"
)
"""A reference to a term: :term:`name`, {term}`text <name>`."""
_IN_PLAIN = re.compile(_ADDRESS, re.X | re.I)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


def worded_ranges(text: str, *, path: str) -> Iterator[TextRange]:
    """Yields the ranges of a document that are words: the text without code, addresses and markup.
    Links, headings and references to terms have words too."""
    lines: Iterable[TextRange]
    match markup_of(text, path):
        case "markdown":
            lines = _markdown_lines(text, path)
            patterns = [_NO_WORDS, _LINK_TARGET]
            if _flavor(path) == "mdx":
                patterns.append(_MDX_EXPRESSION)
        case "rst":
            lines = _rst_paragraphs(text)
            patterns = [_IN_RST]
        case _:
            yield from _without_matches(text, (0, len(text)), [_IN_PLAIN])
            return
    for line in lines:
        yield from _without_matches(text, line, patterns)
        # The patterns match whole roles, so the names in references to terms are added.
        for role in _TERM_ROLE.finditer(text, *line):
            yield role.span("target" if role["target"] else "name")


def _flavor(path: str) -> Flavor:
    """Returns the kind of Markdown of a document, by its suffix."""
    return _FLAVORS.get(PurePosixPath(path).suffix.lower(), "markdown")


def _markdown_lines(text: str, path: str) -> Iterator[TextRange]:
    """Yields the ranges of headings, paragraphs, list items and table rows, each in whole lines."""
    lines = _LINE.findall(text)
    offsets = [0, *accumulate(map(len, lines))]  # the start of each line, and the end of the text
    without_ends = [line.rstrip("\r\n") for line in lines]
    document = "\n".join(without_front_matter(without_ends))
    first_new_line = 0
    for first, past in prose(document, _flavor(path)):
        # Each cell of a table has the lines of its row, which the row itself has yielded.
        if first < first_new_line:
            continue
        first_new_line = past
        past_in_text = min(past, len(lines))  # the last block may have a line too many
        yield offsets[first], offsets[past_in_text]


def _without_matches(
    text: str, line: TextRange, patterns: Iterable[re.Pattern[str]]
) -> Iterator[TextRange]:
    """Yields the parts of a range of a text that match none of the patterns."""
    matches: list[TextRange] = []
    for pattern in patterns:
        matches += [match.span() for match in pattern.finditer(text, *line)]
    start, end = line
    for match_start, match_end in sorted(matches):
        if match_end <= start:  # inside a match of another pattern
            continue
        if match_start > start:
            yield start, match_start
        start = match_end
    if end > start:
        yield start, end


# Blocks of Markdown.

WITHOUT_PROSE = frozenset((*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT)).union(
    "bibliography command-output eval-rst exec glossary image inheritance-diagram math plantuml "
    "plot program-output tikz unicode".split()
)
"""Directives without prose, and `glossary`, which defines outdated names itself."""
WITH_TITLE = frozenset(
    (*sphinx_markup.NOTES, *sphinx_markup.VERSION_NOTES, *sphinx_markup.TITLED)
).union("centered csv-table deprecated-removed list-table replace rubric tab-item table".split())
"""Directives whose argument is prose."""

_DIRECTIVE = re.compile(r"\{(?P<name>[a-zA-Z][\w:.+-]*)\}")
_TITLE = re.compile(r"[\w-]+(?:\[|[ \t]+(?!\{))[^\]]+\]?")
"""The kind and title of an admonition of Docusaurus: `tip[Title]`, `tip Title`."""
_TAB = re.compile(r'^([ \t]*)===[!+]?[ \t]+(?=")', re.M)
"""The beginning of a tab of Material, which is written as an admonition is."""
_STATEMENT = re.compile(
    r"import[ \t]*(?:['\"{*]|[\w$]+[ \t]*(?:,|from\b))"
    r"|export[ \t]*(?:[{*]|(?:async|class|const|default|function|let|var)\b)"
)
"""The beginning of a statement of MDX."""
MAX_DEPTH = 50
"""The greatest depth of nested directives that are read."""


def _parser() -> MarkdownIt:
    """Returns a parser of Markdown with the blocks of MyST, MkDocs and Docusaurus."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.use(myst_block_plugin).use(admon_plugin).use(colon_fence_plugin)
    parser.use(deflist_plugin).use(several_names)
    return parser.use(footnote_plugin, inline=False, move_to_end=False)


_PARSER = _parser()
_MDX_PARSER = _parser().disable("code")
"""MDX has no code without a fence."""


def prose(text: str, flavor: Flavor, depth: int = 0) -> Iterator[LineRange]:
    """Yields the lines of headings, paragraphs, list items and table cells: `(0, 1)` for the
    heading of a document that begins with `# Terms`."""
    parser = _MDX_PARSER if flavor == "mdx" else _PARSER
    with_tabs_as_admonitions = _TAB.sub(r"\1!!! tab ", f"{text}\n")
    open_brackets = 0
    for token in parser.parse(with_tabs_as_admonitions):
        if token.map is None:
            continue
        first, past = token.map
        if token.type in ("fence", "colon_fence"):
            yield from _prose_of_fence(token, flavor, depth)
            continue
        # A statement of MDX goes on over empty lines as long as brackets are open.
        begins_statement = flavor == "mdx" and _STATEMENT.match(token.content) is not None
        if begins_statement or open_brackets > 0:
            open_brackets += _unclosed_brackets(token.content)
        elif token.type in ("inline", "tr_open"):
            yield first, max(past, first + 1)  # a range has at least its first line


def _unclosed_brackets(code: str) -> int:
    """Returns how many more brackets a text opens than it closes."""
    opened = sum(map(code.count, "([{"))
    return opened - sum(map(code.count, ")]}"))


def _prose_of_fence(token: Token, flavor: Flavor, depth: int) -> Iterator[LineRange]:
    """Yields the lines of prose in a fenced block: a directive or a container has some, and code
    has none."""
    assert token.map is not None, "it is a block"
    first, past = token.map
    info = token.info.strip()  # what follows the opening fence

    directive = _DIRECTIVE.match(info)
    if directive:
        name = directive["name"].lower()
        has_argument = directive.end() < len(info)
        has_title = name in WITH_TITLE and has_argument
        # In Quarto, `{name}` is the language of code that it runs.
        has_prose = name not in WITHOUT_PROSE and flavor != "quarto"
    else:
        has_title = _TITLE.fullmatch(info) is not None
        has_prose = token.type == "colon_fence"
    if not has_prose:
        return

    # The title is on the line of the opening fence.
    first_inside = first + 1
    if has_title:
        yield first, first_inside
    if depth == MAX_DEPTH:  # too deep to parse, so all of it is taken for prose
        yield first_inside, past
        return

    lines = token.content.split("\n")
    _, option_lines = options(lines)
    start = first_inside + option_lines
    content = "\n".join(lines[option_lines:])
    for first_in_content, past_in_content in prose(content, flavor, depth + 1):
        yield start + first_in_content, start + past_in_content


# reStructuredText.

_MARGIN = re.compile(r"[ \t]*(?:(?:[-*+•]|\(?(?:\d+|[a-zA-Z#])[.)])[ \t]+)*")
"""The indentation of a line, with the markers of list items."""
_EXPLICIT = re.compile(
    r"""\.\. (?: [ \t]+ (?: (?P<footnote>\[[^\]]+\](?=\s))
                          | (?:\|[^|]+\|[ \t]+)? (?:\w+:)* (?P<directive>\w[\w+.-]*)[ \t]?::(?!\S) )
              | (?!\S) )""",
    re.X,
)
"""The start of a footnote, a directive, a target or a comment."""
_OPTION = re.compile(r"[ \t]+:[^:\s][^:]*:(?!\S)")

Hidden = Literal["nothing", "block", "paragraph", "options"]
"""The indented lines that are not prose: none; all; all up to an empty line; or the option lines,
up to an empty line."""


def _rst_paragraphs(text: str) -> Iterator[TextRange]:
    """Yields the ranges of prose: one for lines that follow each other without a gap."""
    start = end = 0
    for line_start, line_end in _rst_lines(text):
        follows_without_gap = line_start == end
        if not follows_without_gap:
            yield start, end  # empty if the text begins without prose
            start = line_start
        end = line_end
    yield start, end


def _rst_lines(text: str) -> Iterator[TextRange]:
    """Yields the range of the prose in each line that has any.

    A line decides which of the lines below it are hidden, as long as they begin further right than
    its own text.
    """
    hidden_below: Hidden = "nothing"
    column_above = 0  # of the text of the last line that was not hidden
    end = 0
    for line in text.splitlines(keepends=True):
        start = end
        end += len(line)
        is_empty = not line.strip()
        if is_empty:  # ends a paragraph or the options, but not a block
            if hidden_below != "block":
                hidden_below = "nothing"
            continue
        is_below = _indentation(line) > column_above
        if is_below and _is_hidden(line, hidden_below):
            continue
        margin = _MARGIN.match(line)
        margin_length = margin.end() if margin else 0
        column_above = len(line[:margin_length].expandtabs())
        prose_offset, hidden_below = _prose_offset_and_hidden(line, margin_length)
        if prose_offset < len(line):
            yield start + prose_offset, end


def _indentation(line: str) -> int:
    """Returns the number of columns before the text of a line."""
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def _is_hidden(line: str, hidden: Hidden) -> bool:
    """Returns whether an indented line is hidden by a line above it."""
    if hidden == "options":
        return _OPTION.match(line) is not None
    return hidden in ("block", "paragraph")


def _prose_offset_and_hidden(line: str, margin_length: int) -> tuple[int, Hidden]:
    """Returns where the prose of a line begins, and which indented lines below it are hidden.

    `.. note:: Read` gives `(9, "options")`. Without prose, the offset is the length of the line:
    `.. code:: x` gives `(11, "block")`.
    """
    mark = _EXPLICIT.match(line, margin_length)
    if mark is None:  # a line of prose, perhaps with a marker of a list
        has_code_below = line.rstrip().endswith("::")
        return 0, "block" if has_code_below else "nothing"

    directive = (mark["directive"] or "").lower()
    if mark["footnote"] or directive in WITH_TITLE:  # prose follows on the line
        return mark.end(), "options"
    is_comment_or_target = directive == ""
    if is_comment_or_target or directive in WITHOUT_PROSE:
        return len(line), "block"
    has_argument = line[mark.end() :].strip() != ""
    if has_argument:  # which may go on below
        return len(line), "paragraph"
    return len(line), "options"
