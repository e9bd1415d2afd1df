"""What the text of a file says: its terms, its section of terms, or that it is another kind of document."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from sitegen import formats
from sitegen.formats import unread
from sitegen.formats.common import columns
from sitegen.model import Document, Entry
from sitegen.sources import glossary_names as names
from sitegen.sources.discovery.paths import READABLE

DECISION = ({"decision", "consequences"}, {"decisions", "consequences"})
"""Headings that identify an architecture decision record."""
MANUAL_PAGE = re.compile(r"^(?:#+ |\.SH )?NAME\b.*?^(?:#+ |\.SH )?SYNOPSIS\b", re.DOTALL | re.MULTILINE)
HOW_TO = re.compile(
    r"(?:how|verif|check|review|spin|build|creat|add|writ|updat|contribut|generat|us(?:e|ing)|new|import|export|manag|maintain|about)"
    r"[a-z]*[-_ ]",
    re.IGNORECASE,
)
FORM = re.compile(r"[-_ ](?:format|template|schema|guidelines|style-?guide|verify|prompt)\.\w+$", re.IGNORECASE)
STEP = re.compile(
    r"usage|configuration|installation|customi[sz]ation|getting started|set-?up|examples?|options|troubleshooting"
    r"|requirements|prerequisites|quick ?start|next steps"
    r"|(?:add|us|creat|writ|edit|runn?|build|configur|install|updat|remov|enabl|contribut|generat|defin)ing .+"
)
"""Headings of instructions, in lower case."""
TABLE_HEAD = re.compile(r"^ {0,3}\|([^\n]+)\|[ \t]*\n {0,3}\|(?=[-: |]+$)", re.MULTILINE)
TITLE = re.compile(r"\A(?:---\n.*?\n---\n)?\s*(?:#+ +(.+)|(.+)\n[=-]{3,}$)", re.DOTALL | re.MULTILINE)


def refusal(path: str) -> str:
    """Returns the reason why a file cannot be read if no format supports its suffix, else an empty string."""
    ending = PurePosixPath(path).suffix.lower()
    return f"{unread.DOCUMENTS[ending]} is not read" if ending not in READABLE else ""


def entries(path: str, text: str, section: str = "", *, format: str = "") -> tuple[Entry, ...]:
    document = Document(source="", release="", path=path, name=path, text=text, section=section, format=format)
    return formats.read(document).entries


def defined(path: str, text: str, section: str = "", *, format: str = "") -> frozenset[str]:
    return frozenset(entry.name.casefold() for entry in entries(path, text, section, format=format))


def title_of_text(text: str) -> str:
    """Returns the heading that a text begins with; empty if there is none."""
    title = TITLE.match(text)
    return ((title[1] or title[2]) if title else "").partition("\n")[0].strip()


def is_something_else(path: str, text: str) -> str:
    """Returns what kind of other document a file is; empty if it may be a glossary."""
    headings = {heading.strip().casefold() for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    words = title_of_text(text)
    steps = sum(1 for heading in headings if STEP.fullmatch(heading))
    if HOW_TO.match(PurePosixPath(path).stem) or HOW_TO.match(words) or FORM.search(path):
        return "instructions"
    if steps > 1 and 2 * steps >= len(headings) - 1:
        return "instructions"
    if MANUAL_PAGE.search(text):
        return "a manual page"
    return "a record of a decision" if any(one <= headings for one in DECISION) else ""


def has_table_of_terms(text: str) -> bool:
    """Returns whether a Markdown text has a table whose first column is titled "Term", and another "Definition"."""
    rows = ([cell.strip(" *") for cell in row.split("|")] for row in TABLE_HEAD.findall(text))
    return any(
        columns.folded(row[0]) in columns.TERMS and columns.column(row, columns.DEFINITIONS, (0,)) for row in rows
    )


def section_of(path: str, text: str) -> str:
    """Returns the first heading of a glossary section in a text; empty if there is none."""
    lines = text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=False):
        heading = re.match(r"#{1,6} +(.*?) *#* *$", line)
        is_underlined = bool(re.fullmatch(r"([=\-~^*+\"'.#])\1{2,} *", below)) and line.strip() == line != ""
        title = heading[1] if heading else line if is_underlined else ""
        if title and names.SECTION.fullmatch(names.plain(title).rstrip(": ")):
            return title.strip()
    return ""
