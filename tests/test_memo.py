"""The memo: results of pure functions are computed once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitegen import formats
from sitegen.model import Document
from sitegen.text import memo


def document(text: str, path: str = "1/GLOSSARY.md") -> Document:
    return Document(source="s", release="1", path=path, name="GLOSSARY.md", text=text)


asked: list[str] = []


@memo.memo
def shouted(word: str, mark: str) -> str:
    """Returns a word in capitals."""
    asked.append(word)
    return word.upper() + mark


@memo.memo
def first_word(text: str, *, fallback: str = "") -> str | None:
    """Returns the first word of a text."""
    asked.append(text)
    return (text.split() or [fallback])[0] or None


@pytest.fixture(autouse=True)
def _nothing_asked() -> None:
    asked.clear()


def test_a_result_is_computed_once() -> None:
    """Equal arguments give the same object, also None, without another call."""
    assert shouted("a", "!") is shouted("a", "!") == "A!"
    assert first_word("") is first_word("") is None
    assert first_word("", fallback="x") == first_word("", fallback="x") == "x"
    assert asked == ["a", "", ""]
    assert shouted.__doc__ == "Returns a word in capitals."


def test_results_are_evicted() -> None:
    """After `clear`, results of every function are computed again."""
    shouted("a", "!"), first_word("b")
    memo.clear()
    shouted("a", "!"), first_word("b")
    assert asked == ["a", "b", "a", "b"]


def test_an_edited_document_is_another() -> None:
    """A document with another text is another argument, also at the same path."""
    one = document("# Glossary\n\n## A\n\nOne.\n")
    assert one.digest == document(one.text, "2/GLOSSARY.md").digest
    edited = replace(one, text=one.text.replace("One", "Two"))
    assert edited.digest != one.digest
    assert [formats.read(each).entries[0].definition.text for each in (one, edited)] == [
        "One.",
        "Two.",
    ]
