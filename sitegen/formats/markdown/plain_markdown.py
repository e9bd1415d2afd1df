"""Markdown that needs no parser: a heading, and paragraphs of words with `code`, links and *stress*.

Most entries of most glossaries say no more than that. What is recognised here is what CommonMark would read in just
this way and no other; the least doubt leaves a text to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from sitegen.formats.common.headings import heading_anchor
from sitegen.formats.common.passages import Block, heading
from sitegen.formats.common.raw_text import LABEL, STRESS, stressed
from sitegen.formats.markdown.inline_html import Address

# What means itself wherever it stands in a line; `:` and `/` could also belong to a web address.
PLAIN = r"[A-Za-z0-9 ,;.?()'\"%+=@–—‘’“”…-]++|[^\W_]"
WORDS = rf"(?:{PLAIN}|(?<=[a-zA-Z0-9])_(?=[a-zA-Z0-9])|:(?=[ \n]|\Z)|/(?!/)|!(?!\[))"
CODE = r"(?<!`)`(?![` ])[^`\n\r\x00]+(?<! )`(?!`)"
PLACE = r"#[a-z0-9-]+|https?://[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/[A-Za-z0-9._-]+)*/?"
LINK = rf"\[{LABEL}\]\((?:{PLACE})\)"
STRESSED = rf"(?<=[ (])(?:\*\*{LABEL}\*\*|\*{LABEL}\*)(?=[ ,;.?!:)\n]|\Z)"

# What could begin anything but a paragraph does not begin a line of it.
LINE = rf"(?=[^\W\d_]|`|[(\"'“‘][^\W\d_])(?:{WORDS}|{CODE}|{LINK}|{STRESSED})++(?<! )"
PARAGRAPH = re.compile(rf"{LINE}(?:\n{LINE})*+")
HEADING = re.compile(rf"(?P<marks>#{{1,6}}) (?P<name>(?! ){WORDS}++)(?<! )")
MARKED = re.compile(rf"`(?P<code>[^`]+)`|\[(?P<label>[^]]+)\]\((?P<place>[^)]+)\)|{STRESS}")


def blocks(text: str, address: Address) -> tuple[Block, ...] | None:
    """Returns the blocks of a text; None where it takes a parser to tell what they are."""
    first, _, below = text.partition("\n")
    found = HEADING.fullmatch(first)
    paragraphs = tuple(_paragraphs(below)) if found else ()
    if not found or not all(PARAGRAPH.fullmatch(paragraph) for _, paragraph in paragraphs):
        return None
    name = " ".join(found["name"].split())
    title = heading(name, level=len(found["marks"]), line=1, anchor=heading_anchor(name))
    texts = (Block(line=line, html=f"<p>{_html(paragraph, address)}</p>\n") for line, paragraph in paragraphs)
    return (title, *texts)


def _paragraphs(below: str) -> Iterator[tuple[int, str]]:
    """What stands below the first line, cut at empty lines, each with its line."""
    line = 2
    for part in below.split("\n\n"):
        paragraph = part.lstrip("\n")
        if paragraph:
            yield line + len(part) - len(paragraph), paragraph.rstrip("\n")
        line += part.count("\n") + 2


def _html(paragraph: str, address: Address) -> str:
    return MARKED.sub(lambda mark: _marked(mark, address), escape(paragraph, quote=False).replace('"', "&quot;"))


def _marked(mark: re.Match[str], address: Address) -> str:
    match mark.lastgroup:
        case "code":
            return f"<code>{mark['code']}</code>"
        case "place":
            return f'<a href="{escape(address(mark["place"]))}">{mark["label"]}</a>'
        case _:
            return stressed(mark)
