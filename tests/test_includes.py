"""Included files come from the same release of the repository, and from nowhere else."""

from __future__ import annotations

import pytest
from glossaries import FilesInMemory

from sitegen import formats
from sitegen.model import Document
from sitegen.sources.included_files import MAX_INCLUDED, with_includes

RST = (
    ".. glossary::\n\n   cable\n      Holds a ship.\n\n      .. include:: {}\n\n   deck\n      "
    "A floor.\n"
)


def document(text: str, name: str = "docs/glossary.rst") -> Document:
    return Document(source="s", release="1", path=name, name=name, text=text)


def test_an_included_file_is_part_of_the_definition() -> None:
    """The text of an included file replaces the include, also recursively; lines are those of the
    document."""
    files = {
        "docs/_parts/old.rst": ".. warning::\n\n   .. include:: more.rst\n",
        "docs/_parts/more.rst": "Worn\nout.",
    }
    one = with_includes(document(RST.format("_parts/old.rst")), FilesInMemory(files))
    reading = formats.read(one)
    assert reading.problems == ()
    assert [(entry.name, entry.line) for entry in reading.entries] == [("cable", 3), ("deck", 8)]
    assert reading.entries[0].definition.text == "Holds a ship.\n\nWorn out."


def test_an_included_file_has_headings() -> None:
    """The headings of an included file are below that of the document, whatever their style, and
    what follows the directive has its own level."""
    text = "Glossary\n********\n\n.. include:: a.rst\n\nLate\n====\n\n**deck**\n\n  A floor.\n"
    more = (
        "****\nA\n****\n\n**anchor**\n\n  Holds a ship.\n\n****\nB\n****\n\n**buoy**\n\n  A mark.\n"
    )
    one = with_includes(document(text), FilesInMemory({"docs/a.rst": more}))
    reading = formats.read(one)
    assert reading.problems == ()
    assert [(entry.name, entry.definition.text) for entry in reading.entries] == [
        ("anchor", "Holds a ship."),
        ("buoy", "A mark."),
        ("deck", "A floor."),
    ]


def test_asciidoc_includes_terms() -> None:
    """Terms of an included file have the line of the include."""
    text = "= Glossary\n\n[glossary]\nanchor:: Holds a ship.\n\ninclude::more.adoc[]\n"
    one = with_includes(
        document(text, "glossary.adoc"), FilesInMemory({"more.adoc": "buoy:: A mark.\n"})
    )
    assert [(entry.name, entry.line) for entry in formats.read(one).entries] == [
        ("anchor", 4),
        ("buoy", 6),
    ]


def test_regions_of_a_file_are_not_included() -> None:
    """An include that names regions of a file is reported, and nothing of the file is read."""
    text = "= Glossary\n\n[glossary]\nanchor:: Holds.\n\ninclude::more.adoc[tag=mark]\n"
    one = with_includes(
        document(text, "glossary.adoc"), FilesInMemory({"more.adoc": "buoy:: A mark.\n"})
    )
    reading = formats.read(one)
    assert [entry.name for entry in reading.entries] == ["anchor"]
    assert reading.is_partial
    assert "the file 'more.adoc' that is included here is not read" in reading.problems[0].found


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("partial$saw.adoc", "docs/modules/ROOT/partials/saw.adoc"),
        ("shop:partial$saw.adoc", "docs/modules/shop/partials/saw.adoc"),
        ("2.0@tools:shop:example$a/saw.adoc", "docs/modules/shop/examples/a/saw.adoc"),
    ],
)
def test_a_resource_of_antora_is_included(target: str, path: str) -> None:
    """The family of a resource names the folder of its module."""
    text = f"= Glossary\n\n== Saw\n\ninclude::{target}[]\n"
    one = document(text, "docs/modules/ROOT/pages/glossary.adoc")
    one = with_includes(one, FilesInMemory({path: "Cuts along a line.\n"}))
    (entry,) = formats.read(one).entries
    assert entry.definition.text == "Cuts along a line."


def test_a_document_may_be_called_like_the_folder_of_modules() -> None:
    """A document called `modules` is in no module of Antora."""
    one = document(RST.format("missing.rst"), "docs/modules")
    assert with_includes(one, FilesInMemory({})).includes == ()


@pytest.mark.parametrize(
    "target", ["../../etc/passwd", "../../../x", "https://example.org/x", "missing.rst"]
)
def test_files_outside_of_the_repository_are_not_read(target: str) -> None:
    """An include from outside the repository is a problem with its line."""
    files = FilesInMemory({})
    (problem,) = formats.read(with_includes(document(RST.format(target)), files)).problems
    assert problem.line == 6
    assert [path for path in files.asked if path.startswith(("/", "..")) or "etc" in path] == []


def test_files_that_include_each_other_end() -> None:
    """A circle of includes stops at a small depth, and the number of files is limited."""
    circle = with_includes(
        document(RST.format("a.rst")), FilesInMemory({"docs/a.rst": ".. include:: a.rst\n" * 3})
    )
    assert len(circle.includes[0][1]) < 10_000
    numbers = range(2 * MAX_INCLUDED)
    many = "".join(f".. include:: {number}.rst\n" for number in numbers)
    files = FilesInMemory({f"docs/{number}.rst": "Words." for number in numbers})
    assert len(with_includes(document(many), files).includes) == MAX_INCLUDED


def test_an_include_from_the_root_of_the_documents() -> None:
    """A target with a slash at its start is sought in each folder above the document, the highest
    first."""
    files = {"docs/parts/old.rst": "Worn out.", "docs/a/parts/old.rst": "Wrong."}
    one = with_includes(
        document(RST.format("/parts/old.rst"), "docs/a/glossary.rst"), FilesInMemory(files)
    )
    assert formats.read(one).entries[0].definition.text == "Holds a ship.\n\nWorn out."


@pytest.mark.parametrize(
    ("name", "text", "is_partial"),
    [
        ("glossary.rst", f"{RST.split('      ..')[0]}.. include:: more.rst\n", True),
        ("glossary.rst", "Glossary\n========\n\ncable\n   Holds.\n\n.. include:: more.rst\n", True),
        ("glossary.rst", f"{RST.split('      ..')[0]}.. include:: <isonum.txt>\n", False),
        ("glossary.adoc", "= Glossary\n\ncable:: Holds.\n\ninclude::more.adoc[]\n", True),
        ("glossary.adoc", "= Glossary\n\ncable:: Holds.\n\ninclude::{more}/a.adoc[]\n", False),
        ("glossary.adoc", "= Glossary\n\ncable:: Holds.\ninclude::more.adoc[]\n", True),
        ("glossary.adoc", "= Glossary\n\ncable:: Holds.\n+\n----\ninclude::a.c[]\n----\n", False),
    ],
)
def test_an_include_that_is_not_read_may_have_terms(name: str, text: str, is_partial: bool) -> None:
    """A document with a file of the repository that is not read is read in part, so that the terms
    of that file are not removed, and its line is a problem also outside of a glossary."""
    reading = formats.read(with_includes(document(text, name), FilesInMemory({})))
    assert [entry.name for entry in reading.entries] == ["cable"]
    assert reading.is_partial == is_partial
    line = 1 + text[: text.index("include::")].count("\n")
    if is_partial:
        assert [problem.line for problem in reading.problems] == [line]


def test_an_encoding_of_an_included_file() -> None:
    """Options of an include that do not choose a part of the file change nothing."""
    text = RST.format("old.rst\n         :encoding: utf-8")
    one = with_includes(document(text), FilesInMemory({"docs/old.rst": "Worn."}))
    assert formats.read(one).entries[0].definition.text == "Holds a ship.\n\nWorn."


def test_a_file_that_includes_itself() -> None:
    """It is read, and the include that is left is reported."""
    files = FilesInMemory({"docs/old.rst": "Worn.\n\n.. include:: old.rst\n"})
    reading = formats.read(with_includes(document(RST.format("old.rst")), files))
    assert [entry.name for entry in reading.entries] == ["cable", "deck"]
    assert {problem.found for problem in reading.problems} == {
        "the directive 'include' does nothing: the file that it names is not read"
    }


def test_asciidoc_has_no_mark_of_the_reader() -> None:
    """The character with which HTML is marked is left out, also where an attribute has it."""
    text = "= Glossary\n:signs: a\0b\n\n[glossary]\nanchor:: Holds {signs}.\n"
    (entry,) = formats.read(document(text, "docs/glossary.adoc")).entries
    assert entry.definition.text == "Holds ab."
