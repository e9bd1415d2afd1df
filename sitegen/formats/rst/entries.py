"""The types for glossary entries in reStructuredText, and a grammar for entries that need no parser.

Most entries are paragraphs of words with ``code``, roles and *emphasis*. Parsing these with docutils takes about 1 ms
each; `plain` reads them with one regular expression. It accepts only text that docutils parses to the same result,
and returns None for all other text. Measured: reading 1,000 terms at 10 releases takes 0.4 s of CPU time instead of
1.8 s.
"""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.raw_text import LABEL, STRESS, inline, paragraphs, stressed


class RstEntry(NamedTuple):
    """An entry that does not depend on its document."""

    names: tuple[str, ...]
    html: str
    deprecated: bool = False
    links: tuple[tuple[str, str], ...] = ()
    """The names and addresses of link targets, which other texts of the document may refer to."""
    steps: int = 0
    """The steps of docutils that parsing took, see `parser`."""

    @property
    def is_dependent(self) -> bool:
        """True if the entry has to be parsed with its document: it refers to other parts of it, or has errors."""
        return not self.names


STEPS_FOR_AN_ENTRY = 15
"""The steps for an entry, in addition to those for its lines."""
MIN_STEPS = 15_000
CHARACTERS_FOR_A_STEP = 4
"""The maximum number of steps grows with the length of a document. Real documents have 8 to 60 characters for a step
of about 25 µs."""


def most_steps(text: str) -> float:
    """Returns the maximum number of steps of docutils for a document."""
    return max(MIN_STEPS, len(text) / CHARACTERS_FOR_A_STEP)


class RstSection(NamedTuple):
    """A glossary or a definition list: its first line, and the titles of the sections around it, outermost first."""

    first: int
    is_sorted: bool
    titles: tuple[str, ...]


class DocumentFrame(NamedTuple):
    """A document without its entries."""

    sections: tuple[RstSection, ...] = ()
    title: str = ""
    names: tuple[str, ...] = ()
    """Names that references may use: titles, targets, footnotes; sorted."""


# Characters that have no meaning anywhere in a line. (`:` may belong to an address or a role, `_` to a reference.)
PLAIN = r"[A-Za-z0-9 ,;.?!()'\"%+=/&<>#$–—‘’“”…-]++|[^\W_]"
WORDS = rf"(?:{PLAIN}|(?<=[a-zA-Z0-9])_(?=[a-zA-Z0-9])|:(?=[ \n]|\Z))"
BEGINS, ENDS = r"(?:(?<=[ (\n])|(?<!.))", r"(?=[ ,;.?!)\n]|:[ \n]|:?\Z)"
"""The characters before and after a mark. docutils allows more, depending on both sides."""
CODE = rf"{BEGINS}``[^\s`)](?:[^`\n]*[^\s`])?``{ENDS}"
CONTENT = r"[^\s`\\\x00](?:(?:[^`\\\x00\n]|\n(?=<?[^\W\d_]))*[^\s`\\\x00])?"
ROLE = rf"{BEGINS}:[a-z]+(?::[a-z]+)?:`(?!\)){CONTENT}`{ENDS}"
STRESSED = rf"{BEGINS}(?:\*\*{LABEL}\*\*|\*{LABEL}\*){ENDS}"

# A line that may begin a list, or underline a title, is not plain.
ENUMERATED = r"\(?(?:\d+|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+)[.)](?:[ \n]|\Z)"
LINE = rf"(?=[^\W_]|``[^`]|:[a-z]|[(\"'“‘*]+[^\W_])(?:{WORDS}|{CODE}|{ROLE}|{STRESSED})++(?<! )"
PARAGRAPH = re.compile(rf"(?!{ENUMERATED}|\d){LINE}(?:\n{LINE})*+")
NAME = re.compile(rf"(?! ){WORDS}++")
MARKED = re.compile(rf"``(?P<code>[^`]+)``|:(?P<role>[a-z:]+):`(?P<content>[^`]+)`|{STRESS}")


def plain(names: tuple[str, ...], body: str) -> RstEntry | None:
    """Parses an entry, given the lines of its names and the text of its definition; None if it needs docutils."""
    if not all(map(NAME.fullmatch, names)) or not (texts := paragraphs(body, PARAGRAPH)):
        return None
    html = "".join([f"<p>{inline(one, MARKED, _marked, _escaped)}</p>" for one in texts])
    return RstEntry(tuple([" ".join(name.split()) for name in names]), html)


def _marked(mark: re.Match[str]) -> str:
    if mark.lastgroup == "code":
        return f"<code>{_escaped(mark['code'])}</code>"
    if mark.lastgroup == "content":
        return sphinx_markup.role(mark["role"], mark["content"]).html()
    return stressed(mark)


def _escaped(words: str) -> str:
    return escape(words, quote=False)
