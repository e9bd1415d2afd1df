"""Hostile Sphinx glossaries, and those that no case file can hold. Others are in
formats/sphinx.md."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from docutils.parsers.rst import directives, roles
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.formats import rst
from sitegen.model import Document, Reading

OPENING = ".. glossary::\n\n   first\n"
FRAGMENTS = (
    *(
        "word ",
        "\n",
        "\n\n",
        "\n   ",
        "\n      ",
        " : ",
        "::",
        "*",
        "**",
        "`",
        "``",
        "|",
        "_",
        "__",
        "<",
        ">",
        "[",
        "](",
    ),
    *(
        ":term:`",
        ":ref:`a <",
        ".. ",
        ".. note::",
        ".. glossary::\n",
        ".. image::",
        ".. |x| replace::",
        ".. _a:",
        "[1]_",
    ),
    *(
        "+---+",
        "| a |",
        "====",
        "- ",
        "1. ",
        ">>> ",
        "-o ",
        ":f: ",
        ".. code::",
        ".. table::",
        "\\",
        "\t",
        "\x0b",
        "#. ",
    ),
)


def document(text: str) -> Document:
    return Document(source="s", release="r", path="p.rst", name="p.rst", text=text)


def read(text: str) -> Reading:
    return rst.parse(document(text))


def definition(body: str) -> str:
    """Returns the HTML of one definition with this body."""
    indented = "".join(f"      {line}\n" for line in body.split("\n"))
    return read(OPENING + indented).entries[0].definition.html


@pytest.mark.parametrize(
    "body",
    [
        "".join("      " + " " * depth + "quote\n" for depth in range(1000)),
        "      " + "- " * 1500 + "deep\n",
        "".join("      " + "   " * depth + ".. note::\n\n" for depth in range(300)),
    ],
    ids=["quotes", "lists", "notes"],
)
def test_definition_nested_too_deeply(body: str) -> None:
    """A definition nested too deeply keeps its words, is a problem, and does not change the
    other."""
    reading = read(f"{OPENING}{body}\n   second\n      Fine.\n")
    first, second = reading.entries
    assert first.definition.text.split() == body.split()
    assert second.definition.text == "Fine."
    assert [problem.found for problem in reading.problems] == ["this definition cannot be parsed"]


def test_document_nested_too_deeply() -> None:
    """If docutils cannot parse a document, nothing of it is read."""
    reading = read(
        f".. |x| replace:: word\n\n{'- ' * 2000}deep\n\n{OPENING}      A |x|.\n\nAfter.\n"
    )
    assert not reading.entries
    assert [str(problem) for problem in reading.problems] == [
        "p.rst: this document cannot be parsed; have fewer blocks inside others"
    ]


@pytest.mark.parametrize(
    "directive",
    [
        ".. include:: mine.svg",
        ".. literalinclude:: mine.svg",
        ".. raw:: html\n   :file: mine.svg",
        ".. csv-table::\n   :file: mine.svg",
        ".. image:: mine.svg\n   :loading: embed",
        ".. figure:: mine.svg\n   :figwidth: image",
        ".. parsed-literal::\n   :include: mine.svg",
    ],
)
def test_no_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, directive: str) -> None:
    """No directive reads another file, even if a configuration file in the current folder allows
    it."""
    (tmp_path / "mine.svg").write_text("<svg>SECRET</svg>")
    (tmp_path / "docutils.conf").write_text(
        "[general]\nfile_insertion_enabled: yes\nraw_enabled: yes\n"
    )
    monkeypatch.chdir(tmp_path)
    assert "SECRET" not in definition(f"Words.\n\n{directive}")


def test_no_role_or_directive_outlives_its_document() -> None:
    """Roles and directives that one document defines are unknown in the next."""
    before = directives.directive, roles.role
    read(f".. role:: shout(strong)\n.. default-role:: strong\n\n{OPENING}      :shout:`a` `b`\n")
    assert (directives.directive, roles.role) == before
    assert "shout" not in roles._roles
    assert definition(":shout:`a` `b`") == "<p>a <em>b</em></p>"


def test_links_that_run_programs_are_words() -> None:
    """A `javascript:` address is never a link."""
    html = definition(
        "`a <javascript:alert(1)>`_ [b](javascript:alert(1)) c_ `d`__ <javascript:x>\n\n"
        ".. _c: javascript:alert(1)\n__ javascript:alert(1)\n\n.. image:: javascript:alert(1)"
    )
    assert "href" not in html
    assert all(f">{word}<" in html for word in "abcd")


def test_markup_for_browsers_is_text() -> None:
    """HTML in a definition, a name or a title is shown as text."""
    reading = read(
        ".. glossary::\n\n   <script>alert(1)</script>\n      <img src=x onerror=alert(1)>\n\n"
        "      .. admonition:: <svg onload=alert(1)>\n\n         {{ 7 * 7 }}\n"
    )
    entry = reading.entries[0]
    assert entry.name == "<script>alert(1)</script>"
    assert "<img" not in entry.definition.html
    assert "<svg" not in entry.definition.html
    assert "&lt;img src=x onerror=alert(1)&gt;" in entry.definition.html


def test_substitutions_that_grow_without_end() -> None:
    """Substitutions that expand to millions of words are cut at some thousands, with a problem."""
    letters = "abcdefghijklmno"
    bomb = "".join(f".. |{one}| replace:: {f'|{two}| ' * 10}\n" for one, two in pairwise(letters))
    reading = read(f"{bomb}.. |o| replace:: boom\n\n{OPENING}      |a|\n")
    assert 10 < len(reading.entries[0].definition.text.split()) < 10_000
    assert [problem.found for problem in reading.problems] == [
        "the substitution |a| contains itself, or is nested too deeply"
    ]


def test_many_short_substitutions() -> None:
    """Thousands of uses of a short text are no expansion without end."""
    entries = "".join(f"   a{one}\n      {'|s| ' * 20}\n\n" for one in range(150))
    assert read(f".. |s| replace:: ship\n\n.. glossary::\n\n{entries}").problems == ()


@pytest.mark.parametrize("length", [2, 500])
def test_substitutions_in_a_circle_or_a_chain(length: int) -> None:
    """A substitution in a circle or a long chain shows its name."""
    chain = "".join(f".. |x{one}| replace:: |x{(one + 1) % length}|\n" for one in range(length))
    reading = read(f"{chain}\n{OPENING}      |x0|\n")
    assert reading.entries[0].definition.text.startswith("x")
    assert [problem.found for problem in reading.problems] == [
        "the substitution |x0| contains itself, or is nested too deeply"
    ]


def test_line_ends_of_every_kind() -> None:
    """Lines are counted by line feeds alone, as editors count them."""
    reading = read(
        "Words\n\u2028\x0c\x85\r\n.. glossary::\n\n   one\x00\n      The\u2028first\x1dline.\r\n"
    )
    entry = reading.entries[0]
    assert (entry.name, entry.line, entry.definition.text) == ("one", 5, "The first line.")


def test_a_line_that_is_too_long() -> None:
    """The beginning of a very long line is read, and the rest of the document."""
    reading = read(f"{OPENING}      {'x' * 50_000}\n\n   second\n      Fine.\n")
    assert [len(entry.definition.text) for entry in reading.entries] == [20_000 - 6, 5]
    assert [str(problem) for problem in reading.problems] == [
        "p.rst:4: a line of 50006 characters; at most 20000 are read"
    ]


def test_marks_without_end() -> None:
    """A paragraph of unclosed marks is text, without a search for all their ends."""
    reading = read(f"{OPENING}{'      *a `b |c ``d [e' * 1000}\n\n   second\n      *Fine*.\n")
    assert reading.entries[0].definition.text.startswith("*a `b |c ``d [e")
    assert reading.entries[1].definition.html == "<p><em>Fine</em>.</p>"
    assert "a paragraph with too many marks" in [problem.found for problem in reading.problems]


def test_links_lead_to_targets_in_other_entries() -> None:
    """An entry may use the link target of another one."""
    reading = read(f"{OPENING}      * `two <http://a.b>`_\n\n   second\n      Other `two`_.\n")
    assert 'href="http://a.b"' in reading.entries[1].definition.html


def test_table_that_is_damaged() -> None:
    """A damaged table is shown line by line as written."""
    reading = read(f"{OPENING}      ==== ====\n      some words\n      === ===\n")
    assert "some words" in reading.entries[0].definition.text
    assert [problem.found for problem in reading.problems] == ["a table whose lines do not meet"]


def test_label_of_a_note_is_no_word_of_the_author() -> None:
    """The kind of a note is shown, but not compared or searched."""
    entry = read(f"{OPENING}      Before.\n\n      .. warning:: Mind.\n").entries[0]
    assert "Warning" in entry.definition.html
    assert entry.definition.text == "Before.\n\nMind."


@settings(max_examples=150)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60))
def test_nothing_raises(fragments: list[str]) -> None:
    """With any markup a document is read, and entries keep their lines."""
    text = OPENING + "      " + "".join(fragments) + "\n\n   last\n      Words.\n"
    rst.looks_like(document(text))
    reading = read(text)
    assert reading.entries[0].line == 3
    assert reading == read(text)
