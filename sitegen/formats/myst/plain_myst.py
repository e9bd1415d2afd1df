"""MyST that needs no parser: paragraphs of words with `code`, {roles}, links and *stress*.

Most entries of most glossaries say no more than that. What is recognised here is what MyST would read in just this
way and no other; the least doubt leaves a text to its parser.
"""

from __future__ import annotations

import re
from html import escape

from sitegen.formats.common import roles
from sitegen.formats.common.plain_text import LABEL, STRESS, inline, paragraphs, stressed
from sitegen.formats.markdown.inline_html import Address
from sitegen.formats.markdown.plain_markdown import CODE, LINK

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
    rf"|{STRESS}"
)


def html(text: str, address: Address) -> str | None:
    """Returns a definition as HTML; None where it takes a parser to tell what it is."""
    found = paragraphs(text, PARAGRAPH)
    return "".join([f"<p>{_inline(one, address)}</p>\n" for one in found]) if found else None


def name(text: str) -> str | None:
    """Returns the HTML of one line that is a name; None where it takes a parser to tell."""
    return _inline(text, str) if NAME.fullmatch(text) else None


def _inline(paragraph: str, address: Address) -> str:
    return inline(paragraph, MARKED, lambda mark: _marked(mark, address), _escaped)


def _marked(mark: re.Match[str], address: Address) -> str:
    match mark.lastgroup:
        case "code":
            return f"<code>{_escaped(mark['code'])}</code>"
        case "content":
            return roles.read(mark["role"], mark["content"].replace("\n", " ")).html()
        case "place":
            return f'<a href="{escape(address(mark["place"]))}">{mark["label"]}</a>'
        case _:
            return stressed(mark)


def _escaped(words: str) -> str:
    return escape(words, quote=False).replace('"', "&quot;")
