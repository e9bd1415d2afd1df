"""How a text begins that defines something: `**Name**: …`, `**Name** (aside) — …`, in a list also `name - …`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile

from markdown_it.token import Token

from sitegen.formats.common.signposts import is_label
from sitegen.formats.markdown.commonmark import BREAKS, plain
from sitegen.formats.markdown.inline_html import identifiers

MAX_NAME = 80
"""Characters."""
MAX_WORDS = 6
"""Of a name that nothing but its place marks as one."""
AFTER_MARKED = re.compile(r"(\s*\([^()]{1,80}\))?(?:\s*(?:[:：](?!:)|[—–])|\s+(?:-{1,2}|=)(?=\s)|\.(?=\s))\s*")
"""What separates a bold name from its definition. An aside in brackets belongs to the name."""
AFTER_UNMARKED = re.compile(r"\s+[-–—]{1,2}\s+|\s*：\s*|:\s+|\s*:$")
RAW_BREAK = re.compile(r"<br\s*/?>", re.I)
BETWEEN_NAMES = re.compile(r"\s*(?:,|/|\bor\b|\band\b)\s*")


@dataclass(frozen=True, slots=True)
class Lead:
    names: tuple[str, ...]
    rest: tuple[Token, ...]
    """The inline tokens of the definition."""
    anchors: tuple[str, ...] = ()
    is_separate: bool = True
    """A colon or a dash follows the names; otherwise they only have a line of their own."""


def marked(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with bold names (or emphasised ones, where a separator follows)."""
    anchors, start = leading_anchors(children)
    names, end = _marked_names(children, start)
    if not names:
        return None
    aside, rest = _after_names(children[end:])
    if rest is not None:
        return _lead((*names[:-1], names[-1] + aside), rest, anchors)
    rest = tuple(dropwhile(lambda token: token.type == "text" and token.content.isspace(), children[end:]))
    if names[-1].endswith((":", "：")):
        return _lead(names, rest, anchors)
    has_own_line = not rest or _ends_line(rest[0])
    if has_own_line and children[start].type == "strong_open" and _reads_as_heading(names[-1]):
        return _lead(names, rest[1:], anchors, is_separate=False)
    return None


def _lead(
    names: Sequence[str], rest: tuple[Token, ...], anchors: tuple[str, ...], *, is_separate: bool = True
) -> Lead | None:
    cleaned = tuple(name.rstrip(":： ") for name in names)
    return Lead(cleaned, rest, anchors, is_separate) if all(map(_is_name, cleaned)) else None


def _is_name(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME and not is_label(name)


def leading_anchors(children: Sequence[Token]) -> tuple[tuple[str, ...], int]:
    """Returns the anchors of the raw HTML that a text begins with, and how many tokens that is."""
    count = next((number for number, token in enumerate(children) if token.type != "html_inline"), len(children))
    return tuple(name for token in children[:count] for name in identifiers(token.content)), count


def _marked_names(children: Sequence[Token], start: int) -> tuple[tuple[str, ...], int]:
    """The names that stand in a row from `start`, and where they end."""
    names: list[str] = []
    end = start
    while end < len(children) and children[end].type in {"strong_open", "em_open"}:
        closing = _closing(children, end)
        names.append(plain(children[end + 1 : closing]))
        following = children[closing + 1 : closing + 3]
        end = closing + 1
        if (
            len(following) == 2
            and following[1].type == "strong_open"
            and BETWEEN_NAMES.fullmatch(following[0].content)
        ):
            end += 1
    return tuple(names), end


def _closing(children: Sequence[Token], start: int) -> int:
    level, closing = children[start].level, children[start].type.replace("open", "close")
    following = range(start + 1, len(children))
    return next(number for number in following if (children[number].type, children[number].level) == (closing, level))


def _after_names(children: Sequence[Token]) -> tuple[str, tuple[Token, ...] | None]:
    """An aside that belongs to the name, and what follows the separator; None where there is no separator."""
    separator = AFTER_MARKED.match(children[0].content) if children and children[0].type == "text" else None
    if separator is None:
        return "", None
    return separator[1] or "", _cut(children, 0, separator.end())


def _cut(children: Sequence[Token], index: int, start: int) -> tuple[Token, ...]:
    """The tokens from `index` on, the first one (a text) from its character `start` on."""
    first = children[index].copy(content=children[index].content[start:])
    return (first, *children[index + 1 :]) if first.content else tuple(children[index + 1 :])


def _ends_line(token: Token) -> bool:
    return token.type in BREAKS or (token.type == "html_inline" and RAW_BREAK.fullmatch(token.content) is not None)


def _reads_as_heading(name: str) -> bool:
    return len(name.split()) <= MAX_WORDS and not name.endswith((".", "!", "?", ";", ","))


def unmarked(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with a short name and a separator, and neither bold nor a link."""
    anchors, start = leading_anchors(children)
    for index in range(start, len(children)):
        token = children[index]
        if token.type == "link_open" or token.type in BREAKS:
            return None
        separator = AFTER_UNMARKED.search(token.content) if token.type == "text" and token.level == 0 else None
        if separator:
            before = token.copy(content=token.content[: separator.start()])
            name = plain((*children[start:index], before))
            rest = _cut(children, index, separator.end())
            return _lead((name,), rest, anchors) if len(name.split()) <= MAX_WORDS else None
    return None


def lines(children: Sequence[Token]) -> list[tuple[int, list[Token]]]:
    """Returns a paragraph cut before each line that begins with a bold name and a separator, and their numbers."""
    parts: list[tuple[int, list[Token]]] = []
    for number, line in enumerate(_single_lines(children)):
        lead = marked(line) if line[0].type == "strong_open" else None
        if not parts or (lead and lead.is_separate):
            parts.append((number, line))
        else:
            parts[-1][1].extend(line)
    return parts


def _single_lines(children: Sequence[Token]) -> list[list[Token]]:
    """The lines of a paragraph, each with the break that ends it."""
    found: list[list[Token]] = [[]]
    for token in children:
        found[-1].append(token)
        if token.type in BREAKS and token.level == 0:
            found.append([])
    return [line for line in found if line]
