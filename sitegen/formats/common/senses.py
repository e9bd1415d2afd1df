"""Converts numbered senses, `(1:formal) … (2:informal) …` in a paragraph, to an ordered list.

The label is kept as a word, `(formal)`; the number becomes that of the list item. So the words of the definition are
the same as in a release that writes the senses as a list, or the labels without numbers.
"""

from __future__ import annotations

import re

PARAGRAPH = re.compile(r"<p>((?:(?!</?p\b).)*)</p>", re.S)
MARK = re.compile(r"\((\d{1,2}):\s*([^()<>]{1,60})\)\s*")


def as_list(html: str) -> str:
    """Returns the HTML with every paragraph of two or more numbered senses converted to an ordered list.

    Text before the first sense stays a paragraph. Numbers that are not 1, 2, 3 and so on are left unchanged, and so
    is a paragraph in which a sense begins inside code, emphasis or a link.
    """
    return PARAGRAPH.sub(_paragraph, html) if "(1:" in html else html


def _paragraph(paragraph: re.Match[str]) -> str:
    words = paragraph[1]
    marks = list(MARK.finditer(words))
    numbers = [int(mark[1]) for mark in marks]
    if len(marks) < 2 or numbers != list(range(1, len(marks) + 1)):
        return paragraph[0]
    ends = [mark.start() for mark in marks[1:]] + [len(words)]
    senses = [words[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    before = words[: marks[0].start()]
    if not all(map(_is_balanced, (before, *senses))):
        return paragraph[0]
    items = (f"<li>({mark[2]}) {_trim(sense)}</li>" for mark, sense in zip(marks, senses, strict=True))
    return (f"<p>{_trim(before)}</p>" if _trim(before) else "") + f"<ol>{''.join(items)}</ol>"


def _is_balanced(html: str) -> bool:
    """Returns whether every element that begins here ends here."""
    return html.count("</") == len(re.findall(r"<(?!/|br\b|img\b|wbr\b)", html))


def _trim(html: str) -> str:
    return re.sub(r"(?:\s|<br\s*/?>)+$", "", html.strip())
