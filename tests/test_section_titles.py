"""Titles of sections and documents that references of Sphinx lead to."""

from __future__ import annotations

import pytest
from glossaries import FilesInMemory, with_documents

from sitegen.model import Document, Release, Source
from sitegen.sources.linked_files import with_linked_files
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.section_titles import MAX_SEARCHES

RST = "Words\n=====\n\n.. glossary::\n\n   saw\n      Cuts. See {}.\n"
MYST = "# Words\n\n```{{glossary}}\nsaw\n  Cuts. See {}.\n```\n"
CONF = {"docs/conf.py": ""}


def definitions(
    text: str, *releases: dict[str, str], name: str = "docs/a/words.rst"
) -> tuple[list[str], list[FilesInMemory]]:
    """Returns the definition of the one term at each release, and the files of each release."""
    documents = [
        Document(source="s", release=str(number), path=name, name=name, text=text)
        for number, _ in enumerate(releases)
    ]
    source = with_documents(Source(id="s", title="S", releases=()), documents)
    files = [FilesInMemory({**CONF, **release}) for release in releases]
    source = parsed(with_linked_files(source, lambda release: files[int(release.name)]))
    return [release.entries[0].definition.text for release in source.releases], files


@pytest.mark.parametrize(
    ("section", "title"),
    [
        (".. _tools:\n\nThe tools\n---------\n", "The tools"),
        (".. _Tools:\n.. _other:\n\n=========\nThe tools\n=========\n", "The tools"),
        (
            ".. _`tools`:\n\nThe :mod:`shop.tools` and ``x``\n*****************************\n",
            "The shop.tools and x",
        ),
        (".. _tools: https://example.org\n\nThe tools\n---------\n", "tools"),
        (".. _tools:\n\nA paragraph.\n", "tools"),
        ("(tools)=\n## The *tools*\n", "The tools"),
    ],
)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        (RST.format(":ref:`tools`"), "docs/a/words.rst"),
        (MYST.format("{ref}`tools`"), "docs/a/words.md"),
    ],
)
def test_a_label_shows_the_title_of_its_section(
    section: str, title: str, text: str, name: str
) -> None:
    """The documents below the settings of Sphinx define the labels; a label of no section is shown
    as it is."""
    texts, _ = definitions(text, {"docs/b/tools.rst": section}, name=name)
    assert texts == [f"Cuts. See {title}."]


@pytest.mark.parametrize("reference", ["/b/tools", "../b/tools", "/b/../b/tools"])
@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        (
            "docs/b/tools.rst",
            "..\n   A remark\n\n.. _t:\n\nThe *tools*\n===========\n",
            "The tools",
        ),
        ("docs/b/tools.md", "---\nlayout: page\n---\n\n(t)=\n# The tools\n", "The tools"),
        ("docs/b/tools.rst", ".. include:: /x.rst\n=========\nThe tools\n=========\n", "The tools"),
        ("docs/b/tools.rst", "A paragraph.\n", None),
        ("docs/b/saws.rst", "The saws\n========\n", None),
    ],
)
def test_a_document_is_shown_by_its_title(
    path: str, content: str, words: str | None, reference: str
) -> None:
    """`:doc:` without words shows the title of its document; without one, the path."""
    expected = [f"Cuts. See {words or reference}."]
    rst = RST.format(f":doc:`{reference}`")
    assert definitions(rst, {path: content})[0] == expected
    myst = MYST.format(f"{{doc}}`{reference}`")
    assert definitions(myst, {path: content}, name="docs/a/words.md")[0] == expected


def test_a_document_that_moves_has_the_same_title() -> None:
    """The words of a term are the same when a document that it refers to moves."""
    texts, _ = definitions(
        RST.format(":doc:`/tools`, :ref:`tools`, :doc:`the saws </saws>`"),
        {"docs/tools.rst": ".. _tools:\n\nTools\n-----\n"},
    )
    moved, _ = definitions(
        RST.format(":doc:`/b/tools`, :ref:`tools`, :doc:`the saws </b/saws>`"),
        {"docs/b/tools.md": "(tools)=\n# Tools\n"},
    )
    assert texts == moved == ["Cuts. See Tools, Tools, the saws."]


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        (":ref:`hand_tools`", "hand tools"),
        (":ref:`python:built-in-types`", "built in types"),
        (":ref:`a/tools:Tools of wood`", "Tools of wood"),
        (":ref:`the tools <hand_tools>`", "the tools"),
    ],
)
def test_an_unknown_label_is_words(reference: str, words: str) -> None:
    """A label of another project, or of no section, is no code."""
    texts, _ = definitions(RST.format(reference), {})
    assert texts == [f"Cuts. See {words}."]


def test_titles_are_those_of_each_release() -> None:
    """The title is that at the release, also where the section moved to another document."""
    texts, files = definitions(
        RST.format(":ref:`tools` and :ref:`else`"),
        {"docs/b.rst": ".. _tools:\n\nTools\n-----\n"},
        {"docs/b.rst": ".. _tools:\n\nHand tools\n----------\n", "docs/c.rst": ""},
        {"docs/b.rst": "", "docs/c.rst": ".. _tools:\n\nOld tools\n---------\n"},
    )
    assert texts == [
        f"Cuts. See {title} and else." for title in ("Tools", "Hand tools", "Old tools")
    ]
    # The document that had the label before is read alone, and what no document has only once.
    assert "docs/c.rst" not in files[1].asked


def test_a_document_that_became_a_notebook_keeps_its_title() -> None:
    """Words that stayed are not reworded because their document has another format."""
    texts, _ = definitions(
        RST.format(":doc:`/tools`"),
        {"docs/tools.rst": "Tools\n-----\n"},
        {"docs/tools.ipynb": "{}"},
    )
    assert texts == ["Cuts. See Tools."] * 2


def test_folders_may_have_signs_of_patterns() -> None:
    """A folder `a[1]` is searched for labels like any other."""
    section = ".. _tools:\n\nThe tools\n---------\n"
    name, files = "a[1]/words.rst", {"a[1]/tools.rst": section}
    texts, _ = definitions(RST.format(":ref:`tools`"), files, name=name)
    assert texts == ["Cuts. See The tools."]


def test_a_problem_beside_a_title_is_reported_once() -> None:
    """A file that did not change is one text at all releases, also with the titles in it."""
    text = RST.format(":ref:`tools`") + "\n   plane\n"
    documents = [
        Document(source="s", release=release, path=f"{release}:w.rst", name="w.rst", text=text)
        for release in ("1.0", "2.0")
    ]
    tags = (Release(name="1.0", commit="a"), Release(name="2.0", commit="b"))
    source = with_documents(Source(id="s", title="S", releases=tags), documents)
    files = FilesInMemory({"tools.rst": ".. _tools:\n\nThe tools\n---------\n"})
    (problem,) = parsed(with_linked_files(source, lambda _: files)).problems
    assert str(problem).startswith("1.0:w.rst:9: 'plane' has no definition")


def test_searches_for_labels_are_few() -> None:
    """Above the limit, a title that was found before is kept."""
    section = ".. _tools:\n\nTools {}\n--------\n"
    releases = [
        {f"docs/{number}.rst": section.format(number)} for number in range(MAX_SEARCHES + 2)
    ]
    texts, _ = definitions(RST.format(":ref:`tools`"), *releases)
    last = MAX_SEARCHES - 1
    assert texts == [f"Cuts. See Tools {min(number, last)}." for number in range(len(releases))]
