"""HTML that needs no tree: paragraphs of words with code, stress and links, as most definitions are.

What is recognised here reads and is tidied as the tree in `prose` would have it, in a fraction of the time. Nothing
in it can do harm but a link; where all of them lead to terms, what the sanitiser would make of it is known as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

WORDS = r"(?:[^<>&\x00-\x09\x0b-\x1f\x7f-\xa0\ud800-\udfff\ufffe\uffff]++|&(?:amp|lt|gt|quot);)*+"
CODE = f"<code>{WORDS}</code>"
STRESSED = f"<em>{WORDS}</em>|<strong>{WORDS}</strong>"
LINK = rf'<a href="[A-Za-z0-9%:/.#_?=+-]+">(?:{WORDS}|{CODE})</a>'
PARAGRAPHS = re.compile(rf"(?:<p>{WORDS}(?:(?:{CODE}|{STRESSED}|{LINK}){WORDS})*+</p>[ \n]*+)++")
PART = re.compile(r'<(?P<tag>/?[a-z]+)(?: href="(?P<href>[^"]+)")?>|[^<]+')
TO_TERM = re.compile(r"term:[A-Za-z0-9%._~-]*")
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """Paragraphs, and what they say."""

    html: str
    """With single spaces, and none at the edges of paragraphs."""
    text: str
    code: tuple[tuple[int, int], ...]
    """Ranges of the text that are code."""
    links: tuple[tuple[str, str], ...]
    """Each with its address and the words it shows."""

    def clean(self) -> str | None:
        """Returns the HTML as the sanitiser leaves it; None where it has to look at an address."""
        if not all(TO_TERM.fullmatch(href) for href, _ in self.links):
            return None
        return self.html.replace('">', '" rel="noopener">').replace("&quot;", '"')


def read(html: str) -> Plain | None:
    """Returns the prose of paragraphs; None for HTML with any other element."""
    if not PARAGRAPHS.fullmatch(html):
        return None
    tidied = _tidied(html)
    text = href = ""
    code_begins = link_begins = 0
    code, links = [], []
    for part in PART.finditer(tidied):
        match part["tag"]:
            case None:
                text += _unescaped(part[0])
            case "p" if text and not text.endswith("\n\n"):
                text += "\n\n"
            case "code":
                code_begins = len(text)
            case "/code" if code_begins < len(text):
                code.append((code_begins, len(text)))
            case "a":
                href, link_begins = part["href"], len(text)
            case "/a":
                links.append((href, text[link_begins:]))
    return Plain(html=tidied, text=text, code=tuple(code), links=tuple(links))


def _tidied(html: str) -> str:
    html = html.replace("\n", " ")
    while "  " in html:
        html = html.replace("  ", " ")
    return html.replace("<p> ", "<p>").replace(" </p>", "</p>").replace("</p> ", "</p>")


def _unescaped(text: str) -> str:
    if "&" in text:
        for entity, character in ENTITIES:
            text = text.replace(entity, character)
    return text
