"""Recognises the lines of AsciiDoc: titles, attributes, delimiters, items of lists."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?")
UNDERLINE = re.compile(r"(=|-|~|\^|\+)\1{2,}")
ENTRY = re.compile(r":(!?)([\w][\w-]*)(!?):(?:[ \t]+(.*))?")
BLOCK_ATTRIBUTES = re.compile(r"\[(?!\[)([^\]\n]*)\]")
BLOCK_ANCHOR = re.compile(r"\[\[([\w:][^\],]*)(?:,[^\]]*)?\]\]")
BLOCK_TITLE = re.compile(r"\.(?![. \t])(\S.*)")
ID = re.compile(r"(?:^|,)\s*(?:[\w-]*#([\w:.-]+)|id=\"?([\w:.-]+))")
DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\w*|\|={3,}|,={3,}|!={3,})")
LABEL = re.compile(r"[ \t]*((?:\[\[[^\]]+\]\]){0,8})(?!//|\[[^\[])(\S.*?)(:{2,4}|;;)(?:[ \t]+(.*))?")
FOOTNOTE = re.compile(r"footnote:\w*\[((?:[^\[\]\\]|\\.)*+)\]")
MARK = re.compile(r"(?<=\S)\s+\^[^\s^]+\^\s*$")
"""Matches a superscript mark after a name, which a legend explains: `AEE ^RV^`."""
BULLET = re.compile(r"[ \t]*(\*{1,5}|-|•)[ \t]+(?:\[[ x*]\][ \t]+)?(.*)")
NUMBER = re.compile(r"[ \t]*(\.{1,5}|\d+\.|[a-zA-Z]\.)[ \t]+(.*)")
MACRO = re.compile(r"(\w+)::(\S*?)\[(.*)\]")
ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(.*)")
CELL = re.compile(r"(?:(?<=\s)|^)(?:\d+(?:\.\d+)?[+*])?[<^>.]*[adehlmsv]?\|")


@dataclass(frozen=True, slots=True)
class AsciidocLine:
    number: int
    text: str


@dataclass(slots=True)
class BlockMetadata:
    """The attributes, anchors and title above a block."""

    style: str = ""
    language: str = ""
    anchors: list[str] = field(default_factory=list)
    title: str = ""


def list_mark(text: str) -> str:
    """Returns the mark of a list's item; empty for other lines."""
    if found := BULLET.fullmatch(text):
        return found[1]
    if found := NUMBER.fullmatch(text):
        return found[1] if found[1][0] == "." else "1."
    found = LABEL.fullmatch(text)
    return found[3] if found else ""


def is_plain_list(text: str) -> bool:
    return (BULLET.fullmatch(text) or NUMBER.fullmatch(text)) is not None


def ends_item(text: str) -> bool:
    """True if a line ends the text of a list item."""
    return (
        ends_paragraph(text)
        or text.strip() == "+"
        or bool(list_mark(text))
        or BLOCK_ANCHOR.fullmatch(text.strip()) is not None
    )


def ends_paragraph(text: str) -> bool:
    stripped = text.strip()
    return (
        stripped in ("", "+")
        or DELIMITER.fullmatch(text.rstrip()) is not None
        or (
            stripped[0] == "["
            and (BLOCK_ATTRIBUTES.fullmatch(stripped) or BLOCK_ANCHOR.fullmatch(stripped)) is not None
        )
        or MACRO.fullmatch(stripped) is not None
    )
