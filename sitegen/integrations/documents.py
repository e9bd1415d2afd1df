"""Finds the words of other documents that are not code, addresses or markup.

Words are returned as ranges, pairs of offsets in the text. The paragraphs of Markdown are
found by `markdown_flavors`.
reStructuredText is read line by line, with directives recognized by name; the content of an unknown
directive is prose. Inline markup is found by regular expressions. Any other file is all words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Literal

from sitegen.formats.common.fences import MARKDOWN_SUFFIXES, without_front_matter
from sitegen.integrations.markdown_flavors import SILENT, TITLED, Flavor, prose

STANDARD_INPUT = "-"
"""The path of standard input."""
MarkupLanguage = Literal["markdown", "rst", "text"]
SUFFIXES: dict[str, MarkupLanguage] = {
    **dict.fromkeys(MARKDOWN_SUFFIXES, "markdown"),
    **dict.fromkeys((".rst", ".rest"), "rst"),
}
_RST_SIGN = re.compile(
    r"^[ \t]*\.\. (?:_[^:\n]+:|(?:\|[^|\n]+\|[ ]+)?[\w:+.-]+::|\[[#\w*]+\][ "
    r"])|:[a-z][\w:+-]*:`[^`]+`|``[^`\n]+``",
    re.M,
)
"""What reStructuredText has, and Markdown and plain text have not."""


def markup_of(text: str, path: str) -> MarkupLanguage:
    """Returns the markup of a document, by the suffix of its path. `.txt` may be reStructuredText.

    Standard input is Markdown if it is not reStructuredText, and so is a text without a path.
    """
    if markup := SUFFIXES.get(PurePosixPath(path).suffix.lower()):
        return markup
    if (path.lower().endswith(".txt") or path == STANDARD_INPUT) and _RST_SIGN.search(text):
        return "rst"
    return "markdown" if path in ("", STANDARD_INPUT) else "text"


# Words.

TextRange = tuple[int, int]

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
      | \{{\{{.*?\}}\}} | \{{%.*?%\}}                  # a tag of Hugo or Jekyll
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
_IN_PLAIN = re.compile(_ADDRESS, re.X | re.I)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


def words(text: str, *, path: str) -> Iterator[TextRange]:
    """Yields the words of a document, including those of links, headings and references to
    terms."""
    match markup_of(text, path):
        case "markdown":
            patterns = [_NO_WORDS, _LINK_TARGET]
            if _flavor(path) == "mdx":
                patterns.append(_MDX_EXPRESSION)
            return _without_matches(text, _markdown_lines(text, path), *patterns)
        case "rst":
            return _without_matches(text, _rst_paragraphs(text), _IN_RST)
        case _:
            return _without_matches(text, [(0, len(text))], _IN_PLAIN)


def term_references(text: str, *, path: str) -> Iterator[TextRange]:
    """Yields the names in the roles that refer to terms: :term:`name`, {term}`text <name>`."""
    markup = markup_of(text, path)
    if markup == "text":
        return
    lines = _rst_paragraphs(text) if markup == "rst" else _markdown_lines(text, path)
    for start, end in lines:
        for match in _TERM_ROLE.finditer(text, start, end):
            yield match.span("target" if match["target"] else "name")


def _flavor(path: str) -> Flavor:
    return _FLAVORS.get(PurePosixPath(path).suffix.lower(), "markdown")


def _markdown_lines(text: str, path: str) -> Iterator[TextRange]:
    """Yields the lines of headings, paragraphs, list items and table rows."""
    lines = _LINE.findall(text)
    starts = [0, *accumulate(map(len, lines))]
    done = 0
    plain = without_front_matter([line.rstrip("\r\n") for line in lines])
    for first, past in prose("\n".join(plain), _flavor(path)):
        if first >= done:  # every cell of a table has the lines of its row
            done = past
            yield starts[first], starts[min(past, len(lines))]


def _without_matches(
    text: str, lines: Iterable[TextRange], *patterns: re.Pattern[str]
) -> Iterator[TextRange]:
    """Yields the lines without the matches of any of the patterns in them."""
    for start, end in lines:
        hidden: list[TextRange] = []
        for pattern in patterns:
            hidden += [match.span() for match in pattern.finditer(text, start, end)]
        yield from _outside((start, end), sorted(hidden))


def _outside(stretch: TextRange, hidden: Iterable[TextRange]) -> Iterator[TextRange]:
    """Yields the parts of a range that are not hidden."""
    start, end = stretch
    for first, last in hidden:
        if last > start and first < end:
            if first > start:
                yield start, first
            start = last
    if end > start:
        yield start, end


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
"""The indented lines that are not prose: none, all, those up to an empty line, or the option
lines."""


def _rst_paragraphs(text: str) -> Iterator[TextRange]:
    """Yields the ranges of prose, none longer than a paragraph."""
    begin = end = 0
    for first, last in _rst_lines(text):
        if first != end:
            yield begin, end
            begin = first
        end = last
    yield begin, end


def _rst_lines(text: str) -> Iterator[TextRange]:
    """Yields the prose of each line, if any."""
    hidden: Hidden = "nothing"
    column = end = 0
    for line in text.splitlines(keepends=True):
        start, end = end, end + len(line)
        if not line.strip():
            hidden = "block" if hidden == "block" else "nothing"
            continue
        indent = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if hidden != "nothing" and indent > column and (hidden != "options" or _OPTION.match(line)):
            continue
        margin = _MARGIN.match(line)
        at = margin.end() if margin else 0
        column = len(line[:at].expandtabs())
        hidden, begin = _rst_line(line, at)
        if begin < len(line):
            yield start + begin, end


def _rst_line(line: str, at: int) -> tuple[Hidden, int]:
    """Returns which of the indented lines below a line are hidden, and the offset of the line's own
    prose."""
    mark = _EXPLICIT.match(line, at)
    if mark is None:
        is_before_code = line.rstrip().endswith("::")
        return ("block" if is_before_code else "nothing"), 0
    name = (mark["directive"] or "").lower()
    if mark["footnote"] or name in TITLED:
        return "options", mark.end()
    if not name or name in SILENT:
        return "block", len(line)
    has_argument = line[mark.end() :].strip()
    return ("paragraph" if has_argument else "options"), len(line)
