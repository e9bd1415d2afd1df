"""Names with definitions in HTML: items of a list that begin with a name, and paragraphs with a bold name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from sitegen.formats.common.columns import MAX_WORDS
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import is_label

ITEM = re.compile(r"<li>\s*(.*?)\s*</li>", re.S)
LEAD = re.compile(
    r"(?:<p>)?(?P<name>[^<>]{1,80}?|<(?P<tag>strong|em|b)>[^<>]{1,80}</(?P=tag)>)(?:\s+[-–—](?:\s+|$)|:(?:\s+|$))"
)
PARAGRAPH = re.compile(
    r"<p><strong>(?P<name>.{1,80}?)</strong>(?P<short> ?\([^()<>]{1,40}\)(?=\s*[:—–]))?"
    r"(?P<separator>\s*(?::|[—–]|\s-{1,2}(?=\s))\s*|)(?P<rest>.*)</p>",
    re.S,
)
"""A paragraph that begins with a bold name. A colon inside or after the name, or a dash, may separate it."""


def read(html: str, lines: Sequence[int]) -> tuple[Candidate, ...]:
    """Returns the items of a list as terms if all are `Name - text`; `lines` are the first lines of the items."""
    leads = [LEAD.match(item) for item in ITEM.findall(html)]
    names = [unescape(re.sub("<[^<>]*>", "", lead["name"])).strip() if lead else "" for lead in leads]
    if len(leads) != len(lines) or not all(name and len(name.split()) <= MAX_WORDS for name in names):
        return ()
    if any(map(is_label, names)):
        return ()
    texts = [lead.string[lead.end() :].removesuffix("</p>") for lead in leads if lead]
    found = zip(names, texts, lines, strict=True)
    return tuple([Candidate((name,), f"<p>{text}</p>", line) for name, text, line in found])


def lead(html: str, line: int) -> Candidate | None:
    """Returns the bold name that a paragraph begins with, with its short form, and the rest of the paragraph."""
    found = PARAGRAPH.fullmatch(html)
    if found is None:
        return None
    shown = f"{found['name']}{found['short'] or ''}"
    name = " ".join(unescape(re.sub(r"<[^>]*>", "", shown)).split()).rstrip(":")
    rest = f"<p>{found['rest']}</p>" if found["rest"] else ""
    is_separate = found["separator"] or found["name"].endswith(":") or not rest
    return Candidate(names=(name,), html=rest, line=line) if name and is_separate else None
