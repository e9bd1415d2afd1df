"""reStructuredText that needs no parser: paragraphs of words with ``code``, roles and *stress*.

Most entries of most glossaries say no more than that. What is recognised here is what docutils would read in just
this way and no other; the least doubt leaves a text to it.
"""

from __future__ import annotations

import re
from html import escape

from sitegen.formats import _roles

# What means itself wherever it stands in a line; `:` could also belong to an address or a role, `_` to a reference.
PLAIN = r"[A-Za-z0-9 ,;.?!()'\"%+=/&<>#$–—‘’“”…-]++|[^\W_]"
WORDS = rf"(?:{PLAIN}|(?<=[a-zA-Z0-9])_(?=[a-zA-Z0-9])|:(?=[ \n]|\Z))"
LABEL = r"[^\W_](?:(?:[^\W_]|[ ,.'-])*[^\W_])?"
BEGINS, ENDS = r"(?:(?<=[ (\n])|(?<!.))", r"(?=[ ,;.?!)\n]|:[ \n]|:?\Z)"
"""What a mark has around it. docutils knows more, by character and by what stands on the other side."""
CODE = rf"{BEGINS}``[^\s`)](?:[^`\n]*[^\s`])?``{ENDS}"
CONTENT = r"[^\s`\\\x00](?:(?:[^`\\\x00\n]|\n(?=<?[^\W\d_]))*[^\s`\\\x00])?"
ROLE = rf"{BEGINS}:[a-z]+(?::[a-z]+)?:`(?!\)){CONTENT}`{ENDS}"
STRESSED = rf"{BEGINS}(?:\*\*{LABEL}\*\*|\*{LABEL}\*){ENDS}"

# What could begin anything but a paragraph does not begin one, and what could underline a title no line.
ENUMERATED = r"\(?(?:\d+|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+)[.)](?:[ \n]|\Z)"
LINE = rf"(?=[^\W_]|``[^`]|:[a-z]|[(\"'“‘*]+[^\W_])(?:{WORDS}|{CODE}|{ROLE}|{STRESSED})++(?<! )"
PARAGRAPH = re.compile(rf"(?!{ENUMERATED}|\d){LINE}(?:\n{LINE})*+")
NAME = re.compile(rf"(?! ){WORDS}++")
MARKED = re.compile(
    r"``(?P<code>[^`]+)``|:(?P<role>[a-z:]+):`(?P<content>[^`]+)`"
    r"|\*\*(?P<strong>[^*]+)\*\*|\*(?P<emphasis>[^*]+)\*"
)
BETWEEN = re.compile(r"\n{2,}")


def html(text: str) -> str | None:
    """Returns a definition as HTML; None where it takes a parser to tell what it is."""
    paragraphs = BETWEEN.split(text)
    if not all(map(PARAGRAPH.fullmatch, paragraphs)):
        return None
    return "".join([f"<p>{_inline(paragraph)}</p>" for paragraph in paragraphs])


def name(text: str) -> str | None:
    """Returns what a line says; None where it takes a parser to tell."""
    return " ".join(text.split()) if NAME.fullmatch(text) else None


def _inline(paragraph: str) -> str:
    """The HTML of a paragraph: of its marks, and of the words between them."""
    parts, past = [], 0
    for mark in MARKED.finditer(paragraph):
        parts += [escape(paragraph[past : mark.start()], quote=False), _marked(mark)]
        past = mark.end()
    return "".join([*parts, escape(paragraph[past:], quote=False)])


def _marked(mark: re.Match[str]) -> str:
    match mark.lastgroup:
        case "code":
            return f"<code>{escape(mark['code'], quote=False)}</code>"
        case "content":
            return _roles.read(mark["role"], mark["content"]).html()
        case "strong":
            return f"<strong>{mark['strong']}</strong>"
        case _:
            return f"<em>{mark['emphasis']}</em>"
