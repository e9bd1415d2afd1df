"""Rewrites documents of MkDocs, MyST, Quarto, Docusaurus and MDX as CommonMark, line by line.

Each line of the result is the line of the document with the same number: without the indentation of
the admonition, tab, definition or footnote that it belongs to, or empty if it is a marker, an
option, a target or a statement of code. So a parser of CommonMark finds the same paragraphs as the
tool does, at their lines. What is no prose within a line is found by `documents`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from sitegen.formats.common import sphinx_markup

Flavor = Literal["markdown", "quarto", "mdx"]

SILENT = frozenset((*sphinx_markup.CODE, *sphinx_markup.SILENT, *sphinx_markup.INERT)).union(
    "bibliography command-output eval-rst exec glossary image inheritance-diagram math plantuml "
    "plot program-output tikz unicode".split()
)
"""Directives without prose, and `glossary`, which defines outdated names itself."""
TITLED = frozenset(
    (*sphinx_markup.NOTES, *sphinx_markup.CHANGES, *sphinx_markup.TITLED, *sphinx_markup.QUOTES)
).union("centered csv-table deprecated-removed list-table replace rubric tab-item table".split())
"""Directives whose argument is prose."""
PROGRAMMING_LANGUAGES = frozenset(
    "bash css dot fortran go haskell html java javascript js julia node octave ojs perl php "
    "powershell py python r ruby rust scala sh shell sql stan ts typescript".split()
)
"""Languages of which Quarto and knitr run a block: ```{python}."""

_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,}|:{3,})[ \t]*(?P<info>.*)")
_DIRECTIVE = re.compile(r"\{(?P<name>[a-zA-Z][\w:.+-]*)\}")
_TITLE = re.compile(r"[\w-]+(?:\[|[ \t]+(?!\{))(?P<title>[^\]]+)\]?[ \t]*")
"""The kind and title of an admonition of Docusaurus: `:::tip[Title]`, `:::tip Title`."""
_OPTION = re.compile(r"[ \t]*:[a-zA-Z][\w-]*:(?:[ \t].*)?")
_CONTAINER = re.compile(
    r"""(?P<indent>[ \t]*) (?:
        (?:!!!|\?\?\?\+?)(?:[ \t]++[\w-]++)++[ \t]*+(?P<title>"[^"]*")?   # an admonition of MkDocs
      | ===[!+]?[ \t]++(?P<tab>"[^"]*")                                  # a tab of Material
    )[ \t]*+""",
    re.X,
)
_DEFINITION = re.compile(r"(?P<indent>[ ]{0,3}):(?P<space>[ \t]+)(?=\S)")
_FOOTNOTE = re.compile(r"(?P<indent>[ ]{0,3})\[\^[^\]\s]+\]:[ \t]*")
_NO_PROSE = re.compile(
    r"""[ \t]*(?: \([^()\s]+\)=                 # a target of MyST
      | %(?:[ \t].*)?                          # a comment of MyST
      | \+\+\+(?:[ \t].*)?                     # a break between blocks of MyST
      | -{1,}8<-{1,}.*                         # a snippet of MkDocs
      | \{:[^{}]*\}                            # attributes of a paragraph
    )[ \t]*""",
    re.X,
)
_STATEMENT = re.compile(
    r"import[ \t]*(?:['\"{*]|[\w$]+[ \t]*(?:,|from\b))"
    r"|export[ \t]*(?:[{*]|(?:async|class|const|default|function|let|var)\b)"
)
WIDTH = 4
"""The columns by which the content of an admonition, a tab or a footnote is indented."""
DEPTH = 50
"""The number of blocks in blocks that are told apart."""


def as_commonmark(lines: Sequence[str], flavor: Flavor) -> list[str]:
    """Returns as many lines as there are, as CommonMark would have them."""
    start = _end_of_front_matter(lines)
    return [*lines[:start], *_Rewriting(lines[start:], flavor).result()]


def _end_of_front_matter(lines: Sequence[str]) -> int:
    if lines and lines[0].rstrip() == "---":
        for number, line in enumerate(lines[1:], start=1):
            if line.rstrip() in ("---", "..."):
                return number + 1
    return 0


class _Rewriting:
    """The lines of a document, or of a block in it, while they are rewritten."""

    def __init__(self, lines: Sequence[str], flavor: Flavor, depth: int = 0) -> None:
        self._lines = lines
        self._flavor = flavor
        self._depth = depth
        self._result: list[str] = []
        self._readers: Sequence[Callable[[str], Sequence[str]]] = (
            self._fence,
            self._container,
            self._definition,
            self._footnote,
            self._statement,
            self._no_prose,
        )
        """Each reads a block that begins with a line, and returns it rewritten; nothing if none
        begins there."""

    def result(self) -> list[str]:
        while len(self._result) < len(self._lines):
            line = self._lines[len(self._result)]
            self._result += self._block(line) if line.strip() else [""]
        return self._result

    def _block(self, line: str) -> Sequence[str]:
        for read in self._readers:
            if block := read(line):
                return block
        return [line]

    @property
    def _next(self) -> int:
        """The number of the line after the one that is read."""
        return len(self._result) + 1

    def _inner(self, lines: Sequence[str]) -> list[str]:
        """Returns the content of a block, rewritten. Blocks that are too deep stay as they are."""
        if self._depth == DEPTH:
            return [*lines]
        return _Rewriting(lines, self._flavor, self._depth + 1).result()

    def _fence(self, line: str) -> Sequence[str]:
        """Reads a fence of code, which stays, or a directive, of which the content stays."""
        match = _FENCE.fullmatch(line)
        if match is None:
            return ()
        mark = match["mark"]
        directive = _DIRECTIVE.match(match["info"])
        name = directive["name"].lower() if directive else ""
        if mark.startswith(":") and not name:
            titled = _TITLE.fullmatch(match["info"])
            return [match["indent"] + (titled["title"] if titled else "")]
        is_prose = self._has_prose(name)
        argument = match["info"].partition("}")[2].strip() if name in TITLED else ""
        title = match["indent"] + argument
        if is_prose and mark.startswith(":"):
            # Its end is a mark too, so that blocks in blocks need no count.
            return [title, *[""] * self._options(len(self._lines))]
        end = self._end_of_fence(mark)
        if is_prose:
            head = [title, *[""] * self._options(end)]
            content = self._inner(self._lines[self._next - 1 + len(head) : end])
            content[-1:] = [""] if content else []
            return [*head, *content]
        return [""] * (end - self._next + 1) if name else self._lines[self._next - 1 : end]

    def _has_prose(self, name: str) -> bool:
        """True for a directive with prose. Quarto runs blocks of any language."""
        is_code = not name or name in SILENT or name in PROGRAMMING_LANGUAGES
        return not is_code and self._flavor != "quarto"

    def _end_of_fence(self, mark: str) -> int:
        """Returns the number of the line after a block."""
        for number in range(self._next, len(self._lines)):
            closing = self._lines[number].strip()
            if closing.startswith(mark) and not closing.strip(mark[0]):
                return number + 1
        return len(self._lines)

    def _options(self, end: int) -> int:
        """Returns the number of lines with options at the beginning of a directive."""
        number = self._next
        if number < end and self._lines[number].strip() == "---":
            for last in range(number + 1, end):
                if self._lines[last].strip() == "---":
                    return last + 1 - number
        while number < end and _OPTION.fullmatch(self._lines[number]):
            number += 1
        return number - self._next

    def _container(self, line: str) -> Sequence[str]:
        """Reads an admonition of MkDocs or a tab of Material."""
        match = _CONTAINER.fullmatch(line)
        if match is None:
            return ()
        title = match["title"] or match["tab"] or ""
        indent = len(match["indent"].expandtabs(WIDTH))
        return [match["indent"] + title, *self._indented(indent, WIDTH)]

    def _definition(self, line: str) -> Sequence[str]:
        """Reads a definition of a list: `: text` below a term."""
        match = _DEFINITION.match(line)
        if match is None or not any(before.strip() for before in self._result[-2:]):
            return ()
        width = min(WIDTH, len(match[0].expandtabs(WIDTH)))
        return [line[match.end() :], *self._indented(0, width)]

    def _footnote(self, line: str) -> Sequence[str]:
        match = _FOOTNOTE.match(line)
        return [line[match.end() :], *self._indented(0, WIDTH)] if match else ()

    def _indented(self, indent: int, width: int) -> list[str]:
        """Returns the next lines that are indented further than a marker, without `width`
        columns."""
        number = end = self._next
        while number < len(self._lines):
            line = self._lines[number].expandtabs(WIDTH)
            number += 1
            if not line.strip():
                continue
            if len(line) - len(line.lstrip()) < indent + width:
                break
            end = number
        lines = [line.expandtabs(WIDTH) for line in self._lines[self._next : end]]
        return self._inner([line[:indent] + line[indent + width :] for line in lines])

    def _statement(self, line: str) -> Sequence[str]:
        """Reads statements of MDX, up to an empty line outside of brackets."""
        is_inside = self._result and self._result[-1].strip()
        if self._flavor != "mdx" or is_inside or not _STATEMENT.match(line):
            return ()
        depth, end = 0, self._next - 1
        while end < len(self._lines) and (depth > 0 or self._lines[end].strip()):
            depth += sum(map(self._lines[end].count, "([{"))
            depth -= sum(map(self._lines[end].count, ")]}"))
            end += 1
        return [""] * (end - self._next + 1)

    def _no_prose(self, line: str) -> Sequence[str]:
        return [""] if _NO_PROSE.fullmatch(line) else ()
