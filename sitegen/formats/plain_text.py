"""Reads plain text without markup, such as a glossary from a mail.

Only length and punctuation distinguish names from definitions:

- A name is one short line (at most eight words) that does not end like a sentence. It is a separate
  paragraph, or it is directly above its definition: the line ends although the next word would fit,
  or the definition is indented.
- All paragraphs after a name, up to the next name, are its definition.
- In a text of lines such as `Jig: Holds wood.`, a separator is between them, and indented lines
  continue a definition.
- A name followed by a name is a section, or the title. Text above a title that says glossary, and
  text before the first name, is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.fences import indentation
from sitegen.formats.common.headings import GLOSSARY, could_be_name, is_label
from sitegen.formats.common.outline import Outline
from sitegen.model import Document, Reading
from sitegen.text.memo import memo

MAX_NAME = 60
"""The maximum number of characters of a name."""
MAX_WORDS = 8
"""The maximum number of words of a name."""
NEAR_TOP = 12
"""The number of parts at the top of the text that are searched for a title: a mail has some lines
above it."""
MAX_PARAGRAPHS = 2
"""The maximum average number of paragraphs of a definition, in a text without a title that says
glossary."""
ONE_LINE = re.compile(
    rf"(?P<name>\S.{{0,{MAX_NAME}}}?)(?:\s*(?:：|:\s)\s*|\s+(?:[-–—]{{1,2}}|=)\s+|\t+)(?P<text>\S.*)"
)
"""A name and its definition on one line, with a colon, a dash, `=` or a tab between them."""
MIN_LINES = 3
"""The minimum number of such lines in a text of them."""
BULLET = re.compile(r"\s*[-*•◦▪–]\s+")
SENTENCE_END = re.compile(r"""[.!?:;,。！？…]["'”’»)\]]*$""")
MARKUP = re.compile(r"\n(?:#{1,6} |```|~~~|\.\. |:\w+:|<[!/a-z?]|[-=~*+|]{3,}|[{\[]$)", re.M | re.I)
"""Markup at the beginning of a line."""
INLINE_MARKUP = re.compile(r"\]\(|\{\{|&\w+;")


class TextPart(NamedTuple):
    """A paragraph, or a name on a line of its own."""

    line: int
    text: str
    html: str
    """The HTML of a paragraph; empty for a name."""

    @property
    def is_name(self) -> bool:
        return not self.html


def looks_like(document: Document) -> bool:
    """Returns whether a text without markup has at least two names with definitions that read like
    definitions."""
    text = document.text
    if MARKUP.search(f"\n{text}") or INLINE_MARKUP.search(text):
        return False
    return _outlined(document).is_convincing


def parse(document: Document) -> Reading:
    """Returns the entries of a plain text."""
    return _outlined(document).reading


@memo
def _outlined(document: Document) -> Outline:
    """Returns the names with the texts below them, and whether they look like a glossary."""
    lines = document.text.split("\n")
    one_line_parts = _one_line_parts(lines)
    parts, is_titled = _below_title(one_line_parts or _parts(lines))
    items = _candidates(parts)
    defined = [item for item in items if item.html]
    if not defined:
        wanted = "wanted names on lines of their own, each with a definition below it"
        problem = entries.no_terms(wanted).problem(document.path)
        return Outline(Reading(problems=(problem,)), is_convincing=False)
    is_list = is_titled or (bool(one_line_parts) and _are_mostly_names(defined))
    is_convincing = len(defined) > 1 and (is_list or _is_convincing(parts, defined))
    return Outline(entries.read(document, items), is_convincing)


def _is_convincing(parts: Sequence[TextPart], items: Sequence[Candidate]) -> bool:
    """Returns whether names and texts read like those of a glossary without a title."""
    texts = sentences = 0
    for part in parts:
        if part.is_name:
            continue
        texts += 1
        if SENTENCE_END.search(part.text):
            sentences += 1
    are_mostly_sentences = sentences > texts / 2
    are_short = texts <= MAX_PARAGRAPHS * len(items)
    return _are_mostly_names(items) and are_mostly_sentences and are_short


def _are_mostly_names(items: Sequence[Candidate]) -> bool:
    """Returns whether more than three of four items have a name that could be a term."""
    names = 0
    for item in items:
        if could_be_name(item.names[0]):
            names += 1
    return names > len(items) * 3 / 4


class NamedLines(NamedTuple):
    """A name, and the lines of the text that defines it. The name of a section has no text."""

    number: int
    name: str
    definition: list[str]


def _one_line_parts(lines: Sequence[str]) -> list[TextPart]:
    """Returns the names and texts of lines such as `Jig: Holds.`, and the sections between these
    lines. The result is empty for a text with fewer than three such lines."""
    named_lines = _named_lines(lines)
    with_definition = sum(one.definition != [] for one in named_lines)
    if with_definition < MIN_LINES:
        return []
    parts: list[TextPart] = []
    for one in named_lines:
        parts.append(_name_part(one.name, one.number))
        if one.definition:  # a section has none
            parts.append(_text_part(one.definition, one.number))
    return parts


def _named_lines(lines: Sequence[str]) -> list[NamedLines]:
    """Returns the lines such as `Jig: Holds.`, and the sections between these lines. The result is
    empty for a text that has other lines below the first of them."""
    found: list[NamedLines] = []
    has_entry = False
    line_above = ""
    for number, line in enumerate(lines, start=1):
        entry = ONE_LINE.fullmatch(line)
        is_below_blank = not line_above.strip()
        is_below_definition = bool(found and found[-1].definition) and not is_below_blank
        if entry and _is_name(entry["name"]):
            has_entry = True
            found.append(NamedLines(number, entry["name"], [entry["text"]]))
        elif indentation(line) and is_below_definition:
            found[-1].definition.append(line)
        elif line.strip() and is_below_blank and _is_name(line):
            found.append(NamedLines(number, line, []))
        elif line.strip() and has_entry:
            return []
        line_above = line
    return found


def _parts(lines: Sequence[str]) -> list[TextPart]:
    """Returns the names and texts in a text: "Jig" and "Holds wood." for `Jig` above an indented
    `Holds wood.`, or above an empty line and `Holds wood.`"""
    parts: list[TextPart] = []
    paragraph: list[str] = []
    width = max(map(len, lines))
    # An empty line at the end closes the last paragraph.
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            parts += _split_at_names(paragraph, number - len(paragraph), width)
            paragraph = []
    return parts


def _split_at_names(lines: list[str], first: int, width: int) -> Iterator[TextPart]:
    """Yields the names and texts in a paragraph, which begins at the line `first`. `width` is the
    length of the longest line of the document."""
    *lines_above, last = lines
    is_one_line = not lines_above
    if is_one_line and _is_name(last):
        yield _name_part(last, first)
        return

    # In a longer paragraph, a line right above its definition may be a name.
    start = 0  # the index of the first line below the last name
    for index, line in enumerate(lines_above):
        if _is_name(line) and _is_above_definition(lines, index, width):
            if start < index:
                yield _text_part(lines[start:index], first + start)
            yield _name_part(line, first + index)
            start = index + 1
    yield _text_part(lines[start:], first + start)


def _name_part(line: str, number: int) -> TextPart:
    return TextPart(number, " ".join(line.split()), html="")


def _text_part(lines: list[str], number: int) -> TextPart:
    text = " ".join(" ".join(lines).split())
    return TextPart(number, text, _html(lines, text))


def _html(lines: list[str], text: str) -> str:
    """Returns the HTML of a paragraph, which may be a list."""
    if not BULLET.match(lines[0]):
        return f"<p>{escape(text)}</p>"
    points = re.split(rf"\n(?={BULLET.pattern})", "\n".join(lines))
    items = ""
    for point in points:
        items += f"<li>{escape(BULLET.sub('', point, count=1))}</li>"
    return f"<ul>{items}</ul>"


def _is_name(line: str) -> bool:
    """Returns whether a line may be a name: it is short, and no sentence, point or label."""
    if len(line.strip()) > MAX_NAME or len(line.split()) > MAX_WORDS:
        return False
    if BULLET.match(line) or ": " in line or is_label(line):
        return False
    is_sentence = SENTENCE_END.search(line) and re.search(r"\w", line)  # `...` is no sentence
    return not is_sentence


def _is_above_definition(lines: list[str], index: int, width: int) -> bool:
    """Returns whether the line of a paragraph at `index` is above a definition: the next line is
    indented, or its first word would have fitted on the line at `index`."""
    line, line_below = lines[index], lines[index + 1]
    if indentation(line_below) > indentation(line):
        return True

    # Without indentation, only the first line can be a name, and a sentence must follow.
    is_first = index == 0
    ends_with_sentence = SENTENCE_END.search(lines[-1]) is not None
    if not is_first or not ends_with_sentence:
        return False

    # `Jig` above `Holds a piece of wood in its place.` was not wrapped: "Holds" would have fitted.
    next_word = line_below.split()[0]
    return len(line) + len(next_word) < width


def _below_title(parts: list[TextPart]) -> tuple[list[TextPart], bool]:
    """Returns the parts below a title that says glossary, and True. Without such a title, returns
    all parts, and False."""
    for number, part in enumerate(parts[:NEAR_TOP]):
        if not part.is_name or not GLOSSARY.search(part.text):
            continue
        # "Glossary" is always a title. "Terms" may be a name with a definition, but not at the top
        # or above another name.
        says_glossary = re.search(r"\bgloss?ar", part.text, re.I) is not None
        is_above_name = number + 1 < len(parts) and parts[number + 1].is_name
        if number == 0 or is_above_name or says_glossary:
            return parts[number + 1 :], True
    return parts, False


def _candidates(parts: Sequence[TextPart]) -> list[Candidate]:
    """Returns the names with definitions, followed by the names without one.

    Of several names above a text, the last one is the term. The names "Words", "Tools", "Jig" are
    the title, a section and a term.
    """
    items: list[Candidate] = []
    undefined: list[TextPart] = []
    section = ""
    for names, texts in entries.pairs(parts, lambda part: part.is_name):
        if not names or not texts:
            undefined += names
            continue
        # The last name has the definition, and the name above it is the section.
        *names_above, name = names
        if names_above:
            section = names_above[-1].text
            # Above the first term, the others are titles of the text.
            if items:
                undefined += names_above[:-1]
        html = "".join([text.html for text in texts])
        items.append(Candidate(names=(name.text,), html=html, line=name.line, section=section))

    # A name that is also a section or a term elsewhere is not reported.
    used_names: set[str] = set()
    for item in items:
        used_names |= {item.names[0], item.section}
    for name in undefined:
        if name.text not in used_names:
            items.append(Candidate(names=(name.text,), html="", line=name.line))
    return items
