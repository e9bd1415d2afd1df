"""Helpers for unparsed text: signs of a format, paragraphs that need no parser, and formulas in names."""

from __future__ import annotations

import re
from collections.abc import Callable

LABEL = r"[^\W_](?:(?:[^\W_]|[ ,.'-])*[^\W_])?"
"""A few words without punctuation other than commas, periods, apostrophes and hyphens."""
STRESS = r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*"
MATH = re.compile(r'<span class="math">([^<]*)</span>')
DELIMITED = re.compile(r"\\\((.+?)\\\)|(?<!\w)\$(?=[^$]*[\\^_])([^$\s](?:[^$]*[^$\s])?)\$(?!\w)")
"""A formula between dollar signs or `\\(` and `\\)`."""
STYLED = re.compile(r"\\(?:math\w+|text\w*|operatorname|boldsymbol)\s*\{([^{}]*)\}")
BLANK_LINES = re.compile(r"\n{2,}")


def has_sign(text: str, sign: re.Pattern[str]) -> bool:
    """True if a line of the text begins with a sign. The pattern starts with the end of the line above."""
    end = text.find("\n")
    first = text if end < 0 else text[:end]
    # Adding a line end to a long text would copy it, which takes longer than the search.
    return sign.match(f"\n{first}") is not None or sign.search(text) is not None


def paragraphs(text: str, plain: re.Pattern[str]) -> list[str]:
    """Returns the paragraphs of a text; an empty list if one of them does not match `plain`."""
    found = BLANK_LINES.split(text)
    return found if all(map(plain.fullmatch, found)) else []


def inline(
    paragraph: str, marks: re.Pattern[str], render: Callable[[re.Match[str]], str], escaped: Callable[[str], str]
) -> str:
    """Returns the HTML of a paragraph: its rendered marks, and the escaped words between them."""
    parts, past = [], 0
    for mark in marks.finditer(paragraph):
        parts += [escaped(paragraph[past : mark.start()]), render(mark)]
        past = mark.end()
    return "".join([*parts, escaped(paragraph[past:])])


def stressed(mark: re.Match[str]) -> str:
    """Returns the HTML of a match of `STRESS`."""
    return f"<em>{mark['emphasis']}</em>" if mark["strong"] is None else f"<strong>{mark['strong']}</strong>"


def symbols(formula: str) -> str:
    """Returns a formula as plain text: commands for characters are replaced with these, and styles are left out."""
    from latex2mathml.symbols_parser import convert_symbol  # few names have formulas

    def character(command: re.Match[str]) -> str:
        code = convert_symbol(command[0])
        return chr(int(code, 16)) if code else command[0]

    return re.sub(r"\\[a-zA-Z]+", character, STYLED.sub(r"\1", formula))


def without_math(html: str) -> str:
    """Returns the HTML of a name with its formulas as plain text."""
    return MATH.sub(lambda found: symbols(found[1]), html) if "math" in html else html


def plain_name(name: str) -> str:
    """Returns a name in which formulas that are written as LaTeX are plain text."""
    if "$" not in name and "\\(" not in name:
        return name
    return DELIMITED.sub(lambda found: symbols(found[1] or found[2]), name)
