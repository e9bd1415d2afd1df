"""Formats are tested by documents: each `tests/formats/<format>.md` is a list of cases for one format.

A case is a heading, prose that says why, and a fence of eight backticks. The input ends at a line that holds only a
dot; below it stands what is read from it. `forced` after the backticks skips the question whether the content is
recognized, `section=NAME` reads only that section, `name=FILE` is the name of the document's file.

    line: name | other name
       section: heading, where there is one
       anchors: one, two
       deprecated
       <p>HTML, each block on a new line.</p>
    ! line: what was found; what would have worked

`not recognized` instead of entries says that the format leaves the document to others. A failing case shows what was
read in this same notation: when it is right, paste it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sitegen import formats
from sitegen.model import Designation, Document, Entry, Problem, Reading

FOLDER = Path(__file__).parent / "formats"
PARTS = re.compile(
    r"^##[ ](?P<title>.+)$|^`{8,}[ ]*(?P<options>.*)\n(?P<input>(?:.*\n)*?)\.\n(?P<expected>(?:.*\n)*?)`{8,}$", re.M
)
BLOCK = re.compile(r"(?<!^)(?=<(?:p|ul|ol|li|dl|dt|dd|pre|div|table|tr|blockquote|h[3-6])\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
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
            name=name[1] if name else "glossary",
            text=self.input,
            section=section[1] if section else "",
            format=self.format if "forced" in self.options else "",
        )


def cases() -> Iterator[Case]:
    for path in sorted(FOLDER.glob("*.md")):
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


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.format}: {case.title}") for case in cases()])
def test_case(case: Case) -> None:
    """The reading of the document is the one in its case."""
    document = case.document()
    format = next(format for format in formats.FORMATS if format.name == case.format)
    if case.expected == "not recognized\n":
        assert not format.looks_like(document)
        return
    if "forced" not in case.options:
        assert formats.recognize(document) is format
    assert notation(formats.read(document)) == case.expected


def notation(reading: Reading) -> str:
    """Returns a reading in the notation of the case files."""
    lines = [line for entry in reading.entries for line in _entry(entry)]
    lines += [_problem(problem) for problem in reading.problems]
    return "".join(f"{line}\n" for line in lines)


def _entry(entry: Entry) -> Iterator[str]:
    names = (_name(designation, number) for number, designation in enumerate(entry.designations))
    yield f"{entry.citation.line}: {' | '.join(names)}"
    if entry.section:
        yield f"   section: {entry.section}"
    if entry.anchors:
        yield f"   anchors: {', '.join(entry.anchors)}"
    if entry.deprecated:
        yield "   deprecated"
    html = entry.definition.html.replace(' rel="noopener"', "")
    for line in BLOCK.sub("\n", html).split("\n") if html else ():
        yield f"   {line}" if line else ""


def _name(designation: Designation, number: int) -> str:
    usual = "admitted" if number else "preferred"
    return designation.text if designation.status == usual else f"{designation.text} ({designation.status})"


def _problem(problem: Problem) -> str:
    return f"! {problem.line}: {problem.found}" + (f"; {problem.wanted}" if problem.wanted else "")


def test_linked_data_in_a_json_file_is_rdf() -> None:
    """A file whose name ends in .json is read as SKOS if it is JSON-LD of that vocabulary, else as records."""
    skos = '{"@context": {"skos": "http://www.w3.org/2004/02/skos/core#"}, "skos:prefLabel": "a"}'
    documents = [
        Document(source="s", release="1", path="a.json", name="a.json", text=text)
        for text in (skos, '{"@context": "https://schema.org", "name": "a"}', '{"anchor": "Holds."}')
    ]
    assert [format.name for document in documents if (format := formats.recognize(document))] == [
        "skos",
        "json",
        "json",
    ]


def test_other_keys_of_front_matter_are_data() -> None:
    """What no part of an entry is made of is kept with the entry."""
    text = "---\ntitle: Jig\nauthor: [Ann, Bo]\nweight: 3\nstatus: stable\ndescription: Short.\n---\nHolds a part.\n"
    document = Document(source="s", release="1", path="jig.md", name="glossary/jig.md", text=text)
    (entry,) = formats.read(document).entries
    assert entry.text.metadata == (("author", ("Ann", "Bo")), ("weight", ("3",)), ("description", ("Short.",)))
