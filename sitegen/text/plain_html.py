"""A fast path for simple HTML: paragraphs of text with code, emphasis and links, as in most definitions.

The results are the same as those of the tree parser in `prose`, which takes much longer. Links are the only unsafe
part of such HTML; if all of them lead to terms, the output of the sanitiser can be computed without running it.
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
class PlainHtml:
    """Normalised paragraphs, with their text, code ranges and links."""

    html: str
    """With single spaces, and no spaces at the start and end of paragraphs."""
    text: str
    code: tuple[tuple[int, int], ...]
    """Ranges of the text that are code."""
    links: tuple[tuple[str, str], ...]
    """(address, text) of each link."""

    def clean(self) -> str | None:
        """Returns the HTML as the sanitiser would; None if some link does not lead to a term."""
        if not all(TO_TERM.fullmatch(href) for href, _ in self.links):
            return None
        return self.html.replace('">', '" rel="noopener">').replace("&quot;", '"')


def read(html: str) -> PlainHtml | None:
    """Parses HTML that consists of simple paragraphs; returns None for any other HTML."""
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
    return PlainHtml(html=tidied, text=text, code=tuple(code), links=tuple(links))


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
