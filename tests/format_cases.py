"""The cases of the formats: documents in `tests/formats/`, each with what is read from it.

`tests/formats/<format>.md` has those of one format. A case is a heading, prose that says why, and a
fence of eight backticks. The input ends at a line that holds only a dot; below it stands what is
read from it. `forced` after the backticks skips the question whether the content is recognized,
`section=NAME` reads only that section, `name=FILE` is the name of the document's file.

    line: name | other name
       section: heading, where there is one
       anchors: one, two
       deprecated
       <p>HTML, each block on a new line.</p>
    ! line: what was found; what would have worked

`not recognized` instead of entries says that the format leaves the document to others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sitegen import formats
from sitegen.model import Designation, Document, Entry, Problem, Reading

FOLDER = Path(__file__).parent / "formats"
PARTS = re.compile(
    r"^##[ ](?P<title>.+)$|^`{8,}[ "
    r"]*(?P<options>.*)\n(?P<input>(?:.*\n)*?)\.\n(?P<expected>(?:.*\n)*?)`{8,}$",
    re.M,
)
ENDINGS = {"yaml": ".yaml", "json": ".json"}
"""The suffixes of formats that are known only by them."""
BLOCK = re.compile(r"(?<!^)(?=<(?:p|ul|ol|li|dl|dt|dd|pre|div|table|tr|blockquote|h[3-6])\b)")


@dataclass(frozen=True, kw_only=True)
class Case:
    format: str
    title: str
    options: str
    input: str
    expected: str

    def document(self) -> Document:
        section = re.search(r"section=(.+)", self.options)
        name = re.search(r"name=(\S+)", self.options)
        return Document(
            source="example",
            release="1.0",
            path="example/1.0/glossary",
            name=name[1] if name else f"glossary{ENDINGS.get(self.format, '')}",
            text=self.input,
            section=section[1] if section else "",
            format=self.format if "forced" in self.options else "",
        )


def cases(format: str = "*") -> Iterator[Case]:
    """Yields the cases of a format, or those of all."""
    for path in sorted(FOLDER.glob(f"{format}.md")):
        title = ""
        for part in PARTS.finditer(path.read_text(encoding="utf-8")):
            title = part["title"] or title
            if part["title"] is None:
                yield Case(
                    format=path.stem,
                    title=title,
                    options=part["options"],
                    input=part["input"],
                    expected=part["expected"],
                )


def outcome(case: Case) -> str:
    """Returns what is read from the document of a case, in the notation of the case files."""
    document = case.document()
    format = next(format for format in formats.FORMATS if format.name == case.format)
    recognized = formats.recognize(document)
    if "forced" in case.options or recognized is format:
        return _notation(formats.read(document))
    assert not format.looks_like(document), recognized
    return "not recognized\n"


def _notation(reading: Reading) -> str:
    """Returns a reading in the notation of the case files."""
    lines = [line for entry in reading.entries for line in _entry(entry)]
    lines += [_problem(problem) for problem in reading.problems]
    return "".join(f"{line}\n" for line in lines)


def _entry(entry: Entry) -> Iterator[str]:
    names = (_name(designation, number) for number, designation in enumerate(entry.designations))
    yield f"{entry.line}: {' | '.join(names)}"
    if entry.section:
        yield f"   section: {entry.section}"
    if entry.anchors:
        yield f"   anchors: {', '.join(entry.anchors)}"
    if entry.deprecated:
        yield "   deprecated"
    html = entry.definition.html
    for line in BLOCK.sub("\n", html).split("\n") if html else ():
        yield f"   {line}" if line else ""


def _name(designation: Designation, number: int) -> str:
    usual = "admitted" if number else "preferred"
    return (
        designation.text
        if designation.status == usual
        else f"{designation.text} ({designation.status})"
    )


def _problem(problem: Problem) -> str:
    return f"! {problem.line}: {problem.found}" + (f"; {problem.wanted}" if problem.wanted else "")
