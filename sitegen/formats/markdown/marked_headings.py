"""Converts terms that are written in HTML or as admonitions to headings of Markdown."""

from __future__ import annotations

import re
from html import escape

MARKDOWN_CODE = (
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:.*?\n)??(?: {0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`++)(?!`)(?:[^`\n]|\n(?!\n)|(?<!`)(?!(?P=ticks)(?!`))`++)+?(?P=ticks)(?!`)"
)
"""Fenced code, also without an end, and inline code."""
HEADING = r"(?m)^#{2,6} +(?!\S{1,2}\s*$)\S"
ADMONITION = (
    r"(?m)^(?:\?\?\?\+?|!!!)[ \t]+[\w-]+[ \t]+\"(?P<name>[^\"\n]{1,80})\"[ \t]*\n"
    r"(?P<body>(?:[ \t]*\n| {4}[^\n]*(?:\n|\Z))+)"
)
HTML_HEADING = (
    rf"(?ms)(?P<code>{MARKDOWN_CODE})|"
    r"^<h(?P<level>[1-6])(?:[^<>]*\bid=\"(?P<id>[^\"]*)\")?[^<>]*>(?P<name>[^<>\n]{1,80})</h(?P=level)>"
    r"[ \t]*$(?=\n\S)"
)
"""A heading right above a text, which Markdown reads as one block of HTML; or code."""


def with_headings(text: str) -> str:
    """Converts headings in HTML to Markdown, and admonitions if they are the terms of the text."""
    if "</h" in text:
        text = re.sub(HTML_HEADING, _markdown_heading, text)
    # A single heading is the title, and a single admonition is a note.
    has_headings_of_terms = len(re.findall(HEADING, text)) > 1
    if not has_headings_of_terms and len(re.findall(ADMONITION, text)) > 1:
        return re.sub(ADMONITION, _admonition_heading, text)
    return text


def _admonition_heading(match: re.Match[str]) -> str:
    """Returns `###### Jig` above "Holds." for `??? note "Jig"` above an indented "Holds."."""
    body = re.sub("^ {4}", "", match["body"], flags=re.M)
    return f"###### {match['name']}\n{body}"


def _markdown_heading(match: re.Match[str]) -> str:
    """Returns `## Jig` for `<h2>Jig</h2>`, with an anchor for its id."""
    # The pattern also matches code, so that headings in it stay.
    if match["code"]:
        return match["code"]
    anchor = f'<a id="{escape(match["id"])}"></a>' if match["id"] else ""
    return f"{'#' * int(match['level'])} {anchor}{match['name'].strip()}"
