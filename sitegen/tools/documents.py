"""Reads and writes other documents, and finds their words, and the names of terms among these.

Words are what is not code, addresses or markup. They are returned as ranges, pairs of offsets in the text. Markdown
is parsed by markdown-it. reStructuredText is read line by line, with directives recognized by name; the content of an
unknown directive is treated as prose. Inline markup is found by regular expressions. Any other file is all words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Literal

from lunr.stop_word_filter import WORDS as STOP_WORDS
from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from sitegen.formats.common import sphinx_markup
from sitegen.model import SitegenError
from sitegen.sources import safe_files
from sitegen.text.names import exact, fold, spelled_out

MAX_BYTES = 64 * 1024 * 1024
"""The maximum size of a document."""


def read_document(file: Path) -> str:
    """Returns the text of a UTF-8 file. Raises `SitegenError` if it cannot be read."""
    try:
        if file.is_relative_to("/dev"):  # standard input, or the output of another command
            with file.open("rb") as opened:
                return opened.read(MAX_BYTES).decode("utf-8")
        return safe_files.read(file, limit=MAX_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SitegenError(f"{file}:{line}: is not UTF-8; save the file in UTF-8") from None
    except OSError as error:
        raise SitegenError(f"{file}: cannot be read ({error.strerror})") from None


def write_document(file: Path, text: str) -> None:
    """Replaces a file atomically, and keeps its mode. Raises `SitegenError` if it cannot be written."""
    try:
        mode = file.stat().st_mode & 0o777 if safe_files.is_file(file) else safe_files.FILE_MODE
        safe_files.replace(file, text.encode(), mode=mode)
    except OSError as error:
        raise SitegenError(f"{file}: cannot be written ({error.strerror})") from None


def delete_document(file: Path) -> None:
    """Deletes a file, if there is one. Raises `SitegenError` if it is a link, or cannot be deleted."""
    try:
        if safe_files.is_file(file):
            with safe_files.folder(file.parent) as folder:
                os.unlink(file.name, dir_fd=folder)
    except OSError as error:
        raise SitegenError(f"{file}: cannot be deleted ({error.strerror})") from None


# Words.

TextRange = tuple[int, int]

_MARKDOWN = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
_WEB = r"[^\s<>()]*[^\s<>().,;:!?]"
_ADDRESS = rf"<[a-z][\w+.-]*:[^\s<>]*> | \b(?:https?|ftp|mailto):{_WEB} | \bwww\.{_WEB}"
_ATTRIBUTES = r"""(?:[^<>"']++|"[^"]*"|'[^']*')*+"""


def _in_markdown(elements: str) -> re.Pattern[str]:
    """Returns a pattern for the parts of a Markdown paragraph that are not words, including these HTML elements."""
    return re.compile(
        rf"""(?P<fence>`+)(?!`).*?(?<!`)(?P=fence)(?!`)  # code
          | \\.
          | \{{[\w:+-]+\}}`[^`]*`                        # a role of MyST
          | !\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?         # a picture
          | <!--.*?-->                                 # HTML
          | <(?P<element>{elements})(?=[\s>]){_ATTRIBUTES}(?<!/)>.*?</(?P=element)\s*>
          | <(?:/?[a-z]|[!?]){_ATTRIBUTES}>
          | ^[ ]{{0,3}}\[[^\]]+\]:.*$                    # a link definition
          | \$[^$\n]+\$
          | \{{\{{.*?\}}\}} | \{{%.*?%\}}                  # a tag of Hugo or Jekyll
          | {_ADDRESS}""",
        re.S | re.X | re.M | re.I,
    )


_CODE = "code|kbd|pre|samp|script|style|textarea|tt|var"
_NO_WORDS = _in_markdown(_CODE)
_NO_LINKS = _in_markdown(f"a|button|{_CODE}")
_TARGET = r"(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])"
_LINK = re.compile(rf"\[(?:[^\[\]]|\[[^\[\]]*\])*\]{_TARGET}?")
_LINK_TARGET = re.compile(rf"(?<=\]){_TARGET}")
_IN_RST = re.compile(
    rf"""``.*?`` | :[\w:+.-]+:`[^`]*` | `[^`]*`_{{0,2}}
      | \|(?!\s)[^|\n]+(?<!\s)\|                        # a substitution
      | ^[ \t]*:[a-z]+[ ][^:\n]+:(?!\S)                 # a parameter
      | ^[ \t]*>>>[ ].*                               # a doctest
      | {_ADDRESS}""",
    re.S | re.X | re.M | re.I,
)
_RST_TITLE = re.compile(r"^[^\n]+\n([^\w\s])\1+[ \t]*$", re.M)
"""A title of reStructuredText with the line below it, which must be as long as the title."""
_IN_PLAIN = re.compile(_ADDRESS, re.X | re.I)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


def words(text: str, *, path: str) -> Iterator[TextRange]:
    """Yields the words of a document, including those of links and headings. The suffix of the path is the format."""
    match PurePosixPath(path).suffix.lower():
        case ".md" | ".markdown" | ".mdx" | ".qmd":
            return _without_matches(text, _markdown_lines(text, headings=True), _NO_WORDS, _LINK_TARGET)
        case _ if is_rst(path):
            return _without_matches(text, _rst_paragraphs(text), _IN_RST)
        case _:
            return _without_matches(text, [(0, len(text))], _IN_PLAIN)


def linkable(text: str, *, path: str = "") -> Iterator[TextRange]:
    """Yields the words of a text that may become links: none in links or headings.

    The text is reStructuredText if the path has that suffix, else Markdown.
    """
    if is_rst(path):
        titles = [match.span() for match in _RST_TITLE.finditer(text)]
        return (one for one in words(text, path=path) if not any(start <= one[0] < end for start, end in titles))
    return _without_matches(text, _markdown_lines(text, headings=False), _NO_LINKS, _LINK)


def is_rst(path: str) -> bool:
    """Returns True for the path of a document in reStructuredText."""
    return PurePosixPath(path).suffix.lower() in (".rst", ".rest")


def _markdown_lines(text: str, *, headings: bool) -> Iterator[TextRange]:
    """Yields the lines of paragraphs, list items and table rows."""
    starts = [0, *accumulate(map(len, _LINE.findall(text)))]
    is_heading = False
    for token in _MARKDOWN.parse(text):
        if token.type in {"inline", "tr_open"} and token.map and (headings or not is_heading):
            first, end = token.map
            yield starts[first], starts[min(end, len(starts) - 1)]
        is_heading = token.type == "heading_open"


def _without_matches(text: str, lines: Iterable[TextRange], *patterns: re.Pattern[str]) -> Iterator[TextRange]:
    """Yields the lines without the matches of any of the patterns."""
    for start, end in lines:
        for first, last in sorted(match.span() for one in patterns for match in one.finditer(text, start, end)):
            if first > start:
                yield start, first
            start = max(start, last)
        if end > start:
            yield start, end


# reStructuredText.

TITLED = frozenset(
    (*sphinx_markup.NOTES, *sphinx_markup.CHANGES, *sphinx_markup.TITLED, *sphinx_markup.QUOTES)
).union("centered csv-table deprecated-removed list-table replace rubric tab-item table".split())
"""Directives whose argument is prose."""
SILENT = frozenset((*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT)).union(
    "bibliography command-output exec glossary image inheritance-diagram jupyter-execute math plantuml plot"
    " program-output tikz unicode".split()
)
"""Directives without prose, and `glossary`, which defines outdated names itself."""

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
"""The indented lines that are not prose: none, all, those up to an empty line, or the option lines."""


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
    """Returns which of the indented lines below a line are hidden, and the offset of the line's own prose."""
    mark = _EXPLICIT.match(line, at)
    if mark is None:
        return ("block" if line.rstrip().endswith("::") else "nothing"), 0
    name = (mark["directive"] or "").lower()
    if mark["footnote"] or name in TITLED:
        return "options", mark.end()
    if not name or name in SILENT:
        return "block", len(line)
    return ("paragraph" if line[mark.end() :].strip() else "options"), len(line)


# Names.

_PIECE = re.compile(r"\w+|[^\w\s]")
_JOINT = re.compile(r"[-.:/\\@#$+]")
"""Signs that join two words into one: `torch.nn` does not mention `torch`."""
_PART = frozenset("#+")
"""Signs that belong to the word before them: `C#` does not mention `C`."""
_BOUND = re.compile(rf"\w|{_JOINT.pattern}")


@dataclass(frozen=True, slots=True)
class NameMention:
    """A range of a text that mentions a name."""

    start: int
    end: int
    name: str
    """The name as it was given to `Mentions`."""


@dataclass(slots=True)
class _Node:
    following: dict[str, _Node] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """The names that end at this node: maps their spellings to the names as they were given."""


class Mentions:
    """Finds the names that a text mentions: whole words, the longest name first, singular or plural.

    Names are stored in a tree of words and signs, so the time does not grow with their number. Case is ignored,
    unless two names differ only in case, or a name is in capitals (`10 th` does not mention `TH`) or a single letter.
    If most names are in small letters, a word with a capital is a proper name: `environment variable` does not
    mention the class `Variable`. Stop words (`in`, `while`) and names without letters (`<`, `-1`) are never mentions.
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Takes names; of equal names, the first counts. `Long Form (LF)` is also found as `Long Form` and `LF`."""
        self._root = _Node()
        names = tuple(names)
        spellings = [(name, name) for name in names] + [(form, name) for name in names for form in spelled_out(name)]
        words = [form for form, _ in spellings if form.isalpha()]
        self._capitals_count = sum(map(str.islower, words)) > sum(map(str.istitle, words))
        for form, name in spellings:
            if form not in STOP_WORDS and any(map(str.isalpha, form)):
                node = self._root
                for piece in _PIECE.findall(fold(form)):
                    node = node.following.setdefault(piece, _Node())
                node.names.setdefault(exact(form), name)

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[NameMention]:
        """Yields the mentions in a range of a text, from left to right, without overlaps."""
        pieces = [match.span() for match in _PIECE.finditer(text, start, len(text) if end is None else end)]
        number = 0
        while number < len(pieces):
            found = self._longest(text, pieces, number)
            if found is None:
                number += 1
                continue
            last, name = found
            yield NameMention(pieces[number][0], pieces[last][1], name)
            number = last + 1

    def _longest(self, text: str, pieces: list[tuple[int, int]], first: int) -> tuple[int, str] | None:
        """Returns the last piece of the longest name that begins at a piece, and the name."""
        found: tuple[int, str] | None = None
        node = self._root
        for number in range(first, len(pieces)):
            piece = fold(text[slice(*pieces[number])])
            singular = node.following.get(piece.removesuffix("s")) if piece.endswith("s") else None
            for ending in filter(None, (singular, node.following.get(piece))):
                span = (pieces[first][0], pieces[number][1])
                name = self._name_for(ending.names, text[slice(*span)])
                if name is not None and _stands_alone(text, *span):
                    found = number, name
            if piece not in node.following:
                break
            node = node.following[piece]
        return found

    def _name_for(self, names: dict[str, str], spelling: str) -> str | None:
        """Returns the name that is meant by what is written, or None if that is ambiguous or an ordinary word."""
        spelling = exact(spelling)
        for form in (spelling, spelling.removesuffix("s")):
            if form in names:
                return names[form]
        only = next(iter(names), "")
        is_own_word = only.isupper() or (self._capitals_count and only.isalpha() and only.istitle())
        needs_exact_spelling = len(names) != 1 or len(only) == 1 or is_own_word or fold(only) in STOP_WORDS
        return None if needs_exact_spelling else names[only]


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Returns False if the range is part of a longer word, a path or a number: `torch.nn`, `e-mail`, `#tag`."""
    before, after, next_one = text[start - 1 : start], text[end : end + 1], text[end + 1 : end + 2]
    return not (_BOUND.match(before) or after in _PART or (_JOINT.match(after) and _BOUND.match(next_one)))
