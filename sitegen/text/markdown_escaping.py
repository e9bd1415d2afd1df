"""Escapes text for Markdown, so that it is shown literally: without markup, links or mentions of
users.

Forges look for user names, issue numbers and addresses in the rendered text, where an escaped `@`
is an `@` again. A zero-width space after the character prevents that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

ZERO = "\u200b"
"""A zero-width space."""

QUOTED = 600
"""The length in characters at which a quotation is truncated."""

# Characters that are active by the CommonMark specification or by GitHub's extensions: "~" strikes,
# "|" makes tables, "$" makes formulas. "_" is literal between letters, and other characters are
# active only at the start of a line. For speed, both patterns begin with a set of all characters
# that can begin a match.
_MARKUP = re.compile(
    r"""[\\`*\[\]<|~$_&]
    (?: (?<![_&])
      | (?<=_) (?: (?<![^\W_]_) | (?![^\W_]))
      | (?<=&) (?=\#?\w+;)
    )""",
    re.X,
)
_START = re.compile(r"\n(?:\d+(?=[.)])|(?=[-+=#>:]))")
_CALLS = re.compile(
    r"""[@\#!%&:GgWw]
    (?: (?<=[@\#!%&]) (?=\w)           # a user, an issue, a merge request; on GitLab also others
      | (?<=[Gg]) [Hh]-(?=\d)
      | (?<=:) (?=[\w+-]+:)          # a picture, :tada:
      | (?<=:) (?=//)                # a web address, which a forge would link
      | (?<=[Ww]) [Ww]{2}(?=\.)
    )""",
    re.X,
)


def literal(text: str) -> str:
    """Returns Markdown that shows a text literally, without mentions. Line breaks are kept."""
    return escaped(_CALLS.sub(lambda match: match[0] + ZERO, text))


def escaped(text: str) -> str:
    """Returns Markdown that shows a text literally, for files that no forge renders: mentions stay
    active."""
    # No line may begin a list, a heading or a quotation. The pattern begins with a line end, which
    # is faster than `^`, and ends before the sign.
    escaped_lines = _START.sub(lambda start: f"{start[0]}\\", f"\n{inline(text)}")
    return escaped_lines.removeprefix("\n")


def inline(text: str) -> str:
    """Returns Markdown that shows a text literally within a line. Mentions stay active."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", text)


def quotation(text: str, code: Iterable[tuple[int, int]] = ()) -> str:
    """Returns Markdown that quotes a text. A text of more than `QUOTED` characters is cut.

    `code` has the ranges of the text that are code, in order. Those that are blocks become fenced
    code blocks.
    """
    blocks = [(start, past) for start, past in code if is_block(text, start, past)]
    if len(text) > QUOTED:
        without_last_word, *_ = text[:QUOTED].rsplit(None, 1) or [""]
        text = without_last_word.rstrip(" ,;:–—") + " …"

    lines: list[str] = []
    end_of_block = 0
    for start, past in blocks:
        if start >= len(text):  # the block is cut off
            break
        lines += _literal_lines(text[end_of_block:start])
        lines += fenced(text[start:past]).split("\n")
        end_of_block = past
    lines += _literal_lines(text[end_of_block:])
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _literal_lines(text: str) -> Iterator[str]:
    """Yields the lines of the text before or after a block, without the line ends at the block."""
    if text:
        for line in text.removeprefix("\n").removesuffix("\n").split("\n"):
            yield literal(" ".join(line.split()))


def is_block(text: str, start: int, past: int) -> bool:
    """True if a range of a text has several lines, or blank lines around it."""
    begins = start == 0 or text.endswith("\n\n", 0, start)
    ends = past == len(text) or text.startswith("\n\n", past)
    return "\n" in text[start:past] or (begins and ends)


def link(text: str, address: str) -> str:
    """Returns Markdown for a link with bold text."""
    return f"**[{literal(' '.join(text.split()))}]({address})**"


def code(text: str) -> str:
    """Returns Markdown that shows a text as inline code on one line. An `@name` in inline
    code notifies no person.

    >>> code("a `b`")
    '`` a `b` ``'
    """
    line = " ".join(text.split())
    fence = "`" * (_longest_run(line) + 1)
    # A space separates a backtick of the text from the fence. Markdown drops it.
    space = ""
    if line.startswith("`") or line.endswith("`"):
        space = " "
    return f"{fence}{space}{line}{space}{fence}"


def fenced(text: str, language: str = "") -> str:
    """Returns Markdown that shows lines as a fenced code block."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _longest_run(text: str) -> int:
    """Returns the length of the longest run of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)
