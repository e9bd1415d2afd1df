"""MyST that needs no parser: paragraphs of words with `code`, {roles}, links and *stress*.

Most entries of most glossaries say no more than that. What is recognised here is what MyST would read in just this
way and no other; the least doubt leaves a text to its parser.
"""

from __future__ import annotations

import re
from html import escape

from sitegen.formats import _roles
from sitegen.formats._inline_html import Address
from sitegen.formats._plain_markdown import CODE, LABEL, LINK

# What means itself wherever it stands in a line, once a letter has begun it.
PLAIN = r"[A-Za-z0-9 ,;.?()'\"%+=@:/#–—‘’“”…-]++|[^\W_]"
WORDS = rf"(?:{PLAIN}|(?<=[a-zA-Z0-9])_(?=[a-zA-Z0-9])|!(?!\[)|[<&](?= ))"
ROLE = r"\{[A-Za-z:+-]+\}`[^`\n\r\x00](?:[^`\n\r\x00]|\n(?=[^\W\d_]))*`(?!`)"
STRESSED = rf"(?:(?<=[ (])|(?<!.))(?:\*\*{LABEL}\*\*|\*{LABEL}\*)(?=[ ,;.?!:)\n]|\Z)"

# What could begin anything but a paragraph does not begin a line of it: no number, and no `(target)=`.
BEGINNING = r"(?=[^\W\d_]|`|\{[A-Za-z]|[(\[\"'“‘*]{1,2}[^\W\d_])(?!\([^\n]*\)=(?:\n|\Z))"
LINE = rf"{BEGINNING}(?:{WORDS}|{CODE}|{ROLE}|{LINK}|{STRESSED})++(?<! )"
PARAGRAPH = re.compile(rf"{LINE}(?:\n{LINE})*+")
NAME = re.compile(rf"(?:{WORDS}|{CODE}|{ROLE}|{STRESSED})++")
MARKED = re.compile(
    r"`(?P<code>[^`]+)`|\{(?P<role>[^}]+)\}`(?P<content>[^`]+)`|\[(?P<label>[^]]+)\]\((?P<place>[^)]+)\)"
    r"|\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*"
)
BETWEEN = re.compile(r"\n{2,}")


def html(text: str, address: Address) -> str | None:
    """Returns a definition as HTML; None where it takes a parser to tell what it is."""
    paragraphs = BETWEEN.split(text)
    if not all(map(PARAGRAPH.fullmatch, paragraphs)):
        return None
    return "".join([f"<p>{_inline(paragraph, address)}</p>\n" for paragraph in paragraphs])


def name(text: str) -> str | None:
    """Returns the HTML of one line that is a name; None where it takes a parser to tell."""
    return _inline(text, str) if NAME.fullmatch(text) else None


def _inline(paragraph: str, address: Address) -> str:
    """The HTML of a paragraph: of its marks, and of the words between them."""
    parts, past = [], 0
    for mark in MARKED.finditer(paragraph):
        parts += [_escaped(paragraph[past : mark.start()]), _marked(mark, address)]
        past = mark.end()
    return "".join([*parts, _escaped(paragraph[past:])])


def _marked(mark: re.Match[str], address: Address) -> str:
    match mark.lastgroup:
        case "code":
            return f"<code>{_escaped(mark['code'])}</code>"
        case "content":
            return _roles.read(mark["role"], mark["content"].replace("\n", " ")).html()
        case "place":
            return f'<a href="{escape(address(mark["place"]))}">{mark["label"]}</a>'
        case "strong":
            return f"<strong>{mark['strong']}</strong>"
        case _:
            return f"<em>{mark['emphasis']}</em>"


def _escaped(words: str) -> str:
    return escape(words, quote=False).replace('"', "&quot;")
