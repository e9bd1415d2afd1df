"""Converts paragraphs of numbered senses, `(1:formal) … (2:informal) …`, to lists."""

from __future__ import annotations

import re

PARAGRAPH = r"(?s)<p>((?:(?!</?p\b).)*)</p>"
SENSE = r"\((?P<number>\d{1,2}):\s*(?P<label>[^()<>]{1,60})\)\s*"
LINE_ENDS = r"(?:\s|<br\s*/?>)+$"


def senses_as_list(html: str) -> str:
    """Returns the HTML in which each paragraph of numbered senses is an ordered list.

    `(1:formal) … (2:informal) …` becomes two items, which begin with `(formal)` and `(informal)`.
    So the words are the same as in a release that writes the senses as a list. A paragraph is
    unchanged if the numbers are not 1, 2, 3 and so on, or if a sense begins inside code, emphasis
    or a link.
    """
    if "(1:" in html:
        return re.sub(PARAGRAPH, _with_senses, html)
    return html


def _with_senses(paragraph: re.Match[str]) -> str:
    """Returns the HTML of a paragraph with its senses as a list. The text before the first sense
    stays a paragraph. A paragraph without senses is unchanged."""
    text = paragraph[1]
    marks = [*re.finditer(SENSE, text)]
    if len(marks) < 2:
        return paragraph[0]
    starts = [mark.start() for mark in marks]
    introduction = text[: starts[0]]
    if not _is_balanced(introduction):
        return paragraph[0]

    items = ""
    ends = [*starts[1:], len(text)]
    for number, (mark, end) in enumerate(zip(marks, ends, strict=True), start=1):
        sense = text[mark.end() : end]
        if int(mark["number"]) != number or not _is_balanced(sense):
            return paragraph[0]
        sense = re.sub(LINE_ENDS, "", sense.strip())
        items += f"<li>({mark['label']}) {sense}</li>"

    introduction = re.sub(LINE_ENDS, "", introduction.strip())
    if introduction:
        return f"<p>{introduction}</p><ol>{items}</ol>"
    return f"<ol>{items}</ol>"


def _is_balanced(html: str) -> bool:
    """Returns whether every element that begins in this HTML also ends in it: `<b>a</b>`, and not
    `<b>a`."""
    start_tags = re.findall(r"<(?!/|br\b|img\b|wbr\b)", html)
    return html.count("</") == len(start_tags)
