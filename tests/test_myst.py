"""Hostile MyST glossaries, and those that no case file can hold. Others are in formats/myst.md."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.formats import myst
from sitegen.model import Document, Reading

FRAGMENTS = (
    *(
        "word ",
        "\n",
        "\n\n",
        "\n  ",
        "\n    ",
        "```",
        "`````",
        ":::",
        "{note}",
        "{glossary}",
        "{term}`",
        "`",
        "*",
        "**",
    ),
    *(
        "[",
        "](",
        ")",
        "[^1]",
        "[^1]: ",
        "[a]: b",
        "$",
        "$$",
        "> ",
        "- ",
        "1. ",
        ": ",
        "| a |",
        "|---|",
        "# ",
        "---",
        "+++",
    ),
    *(
        "% ",
        "(a)=",
        "<b>",
        "<!--",
        "-->",
        "{",
        "}",
        ":class: x",
        "\\",
        "\t",
        "~~~",
        "{deprecated} 1",
        "&amp;",
        "\x00",
        "====",
    ),
)


def document(text: str) -> Document:
    return Document(source="s", release="r", path="p.md", name="p.md", text=text)


def read(body: str) -> Reading:
    """Reads a glossary whose first definition has this body; a second one follows."""
    indented = "".join(f"  {line}\n" for line in body.split("\n"))
    return myst.parse(
        document(f"{'`' * 200}{{glossary}}\nfirst\n{indented}\nsecond\n  Fine.\n{'`' * 200}\n")
    )


@pytest.mark.parametrize("mark", ["> ", "- ", "["])
def test_definition_nested_too_deeply(mark: str) -> None:
    """A definition nested too deeply keeps its words, and does not change the other: its deepest
    blocks are shown as they are written."""
    reading = read(mark * 20_000 + "deep")
    first, second = reading.entries
    assert first.definition.text.endswith(mark * 19_900 + "deep")
    assert second.definition.text == "Fine."
    assert not reading.problems


def test_directives_in_directives_without_end() -> None:
    """Nested directives are read to a limit; deeper text is shown as code."""
    opening = "\n".join("`" * (100 - depth) + "{note}" for depth in range(60))
    reading = read(f"{opening}\ndeep")
    assert "deep" in reading.entries[0].definition.text
    assert "<pre><code" in reading.entries[0].definition.html


def test_fences_in_fences_without_end() -> None:
    """Thousands of unclosed fences are read to a limit, and give no glossary."""
    text = "".join(":" * (depth + 3) + "x\n" for depth in range(1000)) + "{glossary}\n"
    assert not myst.looks_like(document(text))
    assert myst.parse(document(text)) == Reading()


def test_links_that_run_programs_are_words() -> None:
    """A `javascript:` address is never a link."""
    html = read(
        "[a](javascript:alert(1)) [b] <javascript:c> ![d](javascript:x)\n\n[b]: javascript:alert(1)"
    ).entries[0]
    assert "href" not in html.definition.html
    assert html.definition.text == "a b javascript:c d"


def test_markup_for_browsers_is_inert() -> None:
    """Scripts, handlers and raw directives do nothing; other HTML is shown as written."""
    reading = read(
        "<script>alert(1)</script> <img src=x onerror=alert(1)> {raw}`<b>`\n\n```{raw} html\n"
        "<svg>\n```"
    )
    html = reading.entries[0].definition.html
    assert "<script" not in html
    assert "onerror" not in html
    assert "<svg" not in html
    assert [problem.line for problem in reading.problems] == [5]


def test_label_of_a_note_is_no_word_of_the_author() -> None:
    """The kind of a note is shown, but not compared or searched."""
    entry = read("Before.\n\n```{warning} Mind.\n```").entries[0]
    assert "Warning" in entry.definition.html
    assert entry.definition.text == "Before.\n\nMind."


@settings(max_examples=150)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60))
def test_nothing_raises(fragments: list[str]) -> None:
    """With any markup a document is read, and entries keep their lines."""
    body = "".join(fragments)
    reading = read(body)
    assert reading.entries[0].line == 2
    assert reading == read(body)
    for text in (body, f"```{{glossary}}\n{body}"):
        myst.looks_like(document(text))
        myst.parse(document(text))


def test_links_of_the_document_decide_where_entries_lead() -> None:
    """A reference link in an entry uses the definitions of its own document."""
    for address in ("/one", "/two"):
        text = f"# Title\n\n[x]: {address}\n\n```{{glossary}}\na\n  See [x].\n```\n"
        (entry,) = myst.parse(document(text)).entries
        assert f'href="{address}"' in entry.definition.html
