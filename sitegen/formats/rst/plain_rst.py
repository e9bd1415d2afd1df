"""reStructuredText that needs no parser: paragraphs of words with ``code``, roles and *stress*.

Most entries of most glossaries say no more than that. What is recognised here is what docutils would read in just
this way and no other; the least doubt leaves a text to it.
"""

from __future__ import annotations

import re
from html import escape

from sitegen.formats.common import roles
from sitegen.formats.common.plain_text import LABEL, STRESS, inline, paragraphs, stressed

# What means itself wherever it stands in a line; `:` could also belong to an address or a role, `_` to a reference.
PLAIN = r"[A-Za-z0-9 ,;.?!()'\"%+=/&<>#$–—‘’“”…-]++|[^\W_]"
WORDS = rf"(?:{PLAIN}|(?<=[a-zA-Z0-9])_(?=[a-zA-Z0-9])|:(?=[ \n]|\Z))"
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
MARKED = re.compile(rf"``(?P<code>[^`]+)``|:(?P<role>[a-z:]+):`(?P<content>[^`]+)`|{STRESS}")


def html(text: str) -> str | None:
    """Returns a definition as HTML; None where it takes a parser to tell what it is."""
    found = paragraphs(text, PARAGRAPH)
    return "".join([f"<p>{inline(one, MARKED, _marked, _escaped)}</p>" for one in found]) if found else None


def name(text: str) -> str | None:
    """Returns what a line says; None where it takes a parser to tell."""
    return " ".join(text.split()) if NAME.fullmatch(text) else None


def _marked(mark: re.Match[str]) -> str:
    match mark.lastgroup:
        case "code":
            return f"<code>{_escaped(mark['code'])}</code>"
        case "content":
            return roles.read(mark["role"], mark["content"]).html()
        case _:
            return stressed(mark)


def _escaped(words: str) -> str:
    return escape(words, quote=False)
