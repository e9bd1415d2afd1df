"""Markdown is parsed in chunks, which does not change what is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_texts import DOCUMENT, texts

from sitegen.formats.markdown import reader
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.reader import Markdown


def whole_document(text: str) -> Markdown:
    """Returns a document, parsed in one chunk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "BOUNDARY", re.compile(r"(?!)"))
        patch.setattr(reader, "BOUNDARY_AROUND_DEFINITIONS", reader.BOUNDARY)
        return reader.parse_chunks(text, to_reference, DOCUMENT)


def check(texts: Iterable[str]) -> None:
    for text in texts:
        assert reader.parse_chunks(text, to_reference, DOCUMENT) == whole_document(text)


@given(texts)
@example("\n\n[x y]: /u\n\n\n## A\n\n> [x\n> y]")
def test_chunks_read_as_the_whole_document(text: str) -> None:
    """A document parsed in chunks has the same blocks, lines and unclosed markup as parsed
    whole."""
    check([text])


LABELS = [
    *(
        "[x y]",
        "[X  Y]",
        "[x\ny]",
        "> [x\n> y]",
        "- > [x\n  > y]",
        "[x y][]",
        "![x y]",
        "[x [x y]]",
        "[t][x\ny]",
    ),
    *(
        "[x\xa0y]",
        "[a\\]b]",
        "[a `\\` b]",
        "[a `\\` b",
        "`[`",
        "\\[",
        "[",
        "]",
        "[ss]",
        "[ß]",
        "[ẞ]",
        "[^n]",
        "[^^n]",
    ),
    *(
        "| a |\n|---|\n| [x\\|y] |",
        "| a |\n|---|\n| [^n\\|m] |",
        "[x|y]",
        "[^n|m]",
        "x [^n] [x y] [ss]",
        "[^[x y]",
    ),
]
DEFINED = (
    "[x y]: /u|[X y]: /v|[a\\]b]: /w|[a `\\` b]: /c|[x:y]: /p|[SS]: /s|[ß]: /z|[^n]: note "
    "[ss]|[^n:m]: two"
).split("|")

labeled = st.lists(
    st.sampled_from(
        [*LABELS, *(f"\n\n{one.replace(':y', '|y').replace(':m', '|m')}\n" for one in DEFINED)]
        + ["\n\n## A\n\n"] * 6
    ),
    max_size=16,
).map("".join)


@given(labeled)
def test_links_and_footnotes_lead_from_any_chunk_to_any_other(text: str) -> None:
    """A chunk receives every link that it uses, however its label is written; a text with footnotes
    is one chunk."""
    check([text])


def test_real_documents_read_the_same_in_chunks(shared: Path) -> None:
    """Every real glossary in Markdown has the same blocks in chunks and whole."""
    paths = sorted(shared.rglob("*.md"))
    assert len(paths) > 50
    check(path.read_text(encoding="utf-8", errors="replace") for path in paths)
