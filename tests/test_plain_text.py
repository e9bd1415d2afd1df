"""Plain text is read paragraph by paragraph, and Markdown is only tried where it can apply."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from sitegen import formats
from sitegen.formats.markdown import reader
from sitegen.model import Document

WORDS = (
    "word,Glossary,A sentence.,(an aside),“Quoted”,3 things,中文,é, ,  ,: ,` ,*x*,x_y,_,**b**: "
    "c,a | b,1) "
).split(",")
LINES = [
    *("\n", "\n\n", "\n    ", "\n\t", "\r\n", "\r", "\n\u00a0", "\n\u2028", "\x0c", "\0"),
    *(
        "\n===\n",
        "\n---\n",
        "\n# ",
        "\n- ",
        "\n1. ",
        "\n: ",
        "\n|-|-|\n",
        "\n> ",
        "\n<h2>a</h2>\n",
        "\n!!! note\n",
    ),
    *("\n\\", "\n&#42;", "\n&nbsp;", "\n[x]: /y\n", "\n~ ", "\n::: tip\n", "\ntitle: x\n"),
]


def document(result: str) -> Document:
    return Document(source="s", release="r", path="p", name="p", text=result)


@given(st.lists(st.sampled_from(WORDS + LINES), max_size=12).map("".join))
@example("A\nbold\r**name**: words")
@example("\ufeff# A\n\nWords.")
def test_markdown_without_a_sign_is_no_glossary(result: str) -> None:
    """A text without any sign of Markdown has no Markdown entries, so the parser can be skipped."""
    (format,) = (one for one in formats.FORMATS if one.name == "markdown")
    one = document(f"Glossary\n\n{result}\n")
    assert format.looks_like(one) == reader.looks_like(one)


def test_no_real_glossary_in_markdown_lacks_the_sign(shared: Path) -> None:
    """Every real Markdown glossary has such a sign."""
    (format,) = (one for one in formats.FORMATS if one.name == "markdown")
    texts = (
        path.read_text(encoding="utf-8", errors="replace") for path in sorted(shared.rglob("*.md"))
    )
    found = [one for one in map(document, texts) if reader.looks_like(one)]
    assert len(found) > 50
    assert all(format.looks_like(one) for one in found)
