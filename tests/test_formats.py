"""Formats are tested by the documents in `tests/formats/`; `format_cases.py` says how they are
written.

A failing case shows what was read in the notation of these files: when it is right, paste it.
"""

from __future__ import annotations

import re

import pytest
from format_cases import FOLDER, Case, cases, outcome

from sitegen import formats
from sitegen.model import Document
from sitegen.text.file_names import UNREAD


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.format}: {case.title}") for case in cases()]
)
def test_case(case: Case) -> None:
    """The reading of the document is the one in its case."""
    assert outcome(case) == case.expected


def test_every_case_is_complete() -> None:
    """Each fence of a case file is a case, also the last one; no file is without a case."""
    for path in FOLDER.glob("*.md"):
        fences = re.findall("^`{8,}", path.read_text(encoding="utf-8"), re.M)
        assert fences, path.name
        assert len(fences) == 2 * len([*cases(path.stem)]), path.name


@pytest.mark.parametrize("text", ["Jig: Holds a part.\nSaw: Cuts.\n", '{"Jig": "Holds a part."}'])
def test_data_is_recognized_by_the_name_of_its_file(text: str) -> None:
    """YAML and JSON are read in files with their suffixes, or by the format in site.toml."""
    for name, format, is_read in (
        ("a.yml", "", True),
        ("a.txt", "", False),
        ("a.txt", "yaml", True),
    ):
        document = Document(
            source="s", release="1", path=name, name=name, text=f"---\n{text}", format=format
        )
        names = [entry.name for entry in formats.read(document).entries]
        assert ("Jig" in names) == is_read


def test_linked_data_in_a_json_file_is_rdf() -> None:
    """A file whose name ends in .json is read as SKOS if it is JSON-LD of that vocabulary, else as
    records."""
    skos = '{"@context": {"skos": "http://www.w3.org/2004/02/skos/core#"}, "skos:prefLabel": "a"}'
    documents = [
        Document(source="s", release="1", path="a.json", name="a.json", text=text)
        for text in (
            skos,
            '{"@context": "https://schema.org", "name": "a"}',
            '{"anchor": "Holds."}',
        )
    ]
    assert [format.name for document in documents if (format := formats.recognize(document))] == [
        "skos",
        "json",
        "json",
    ]


def test_other_keys_of_front_matter_are_data() -> None:
    """What no part of an entry is made of is kept with the entry."""
    text = (
        "---\ntitle: Jig\nauthor: [Ann, Bo]\nweight: 3\nstatus: stable\ndescription: Short.\n"
        "---\nHolds a part.\n"
    )
    document = Document(source="s", release="1", path="jig.md", name="glossary/jig.md", text=text)
    (entry,) = formats.read(document).entries
    assert entry.text.metadata == (
        ("author", ("Ann", "Bo")),
        ("weight", ("3",)),
        ("description", ("Short.",)),
    )


def test_no_format_that_is_read_is_called_unread() -> None:
    """A suffix belongs to a format that is read, or to one that a message calls unread."""
    read = {suffix for one in formats.FORMATS for suffix in one.suffixes}
    unread = {suffix for one in UNREAD for suffix in one.suffixes}
    assert not read & unread
