"""Readings that are kept between builds are those of the first time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_texts import document, texts

from sitegen import formats
from sitegen.formats.stored_readings import store_open
from sitegen.text import memo


class DictRoom(dict[bytes, bytes]):
    put = dict.__setitem__


class DictStore(dict[str, DictRoom]):
    def __call__(self, name: str) -> DictRoom:
        return self.setdefault(name, DictRoom())


@settings(max_examples=50)
@given(
    st.lists(texts, min_size=1, max_size=3),
    st.sampled_from(["markdown", "myst", "sphinx", "html", "text"]),
)
@example(["```{glossary}\na\n  ```c\n  ```\nb\n  c\n```\n"], "myst")
def test_kept_readings_are_those_of_the_first_time(releases: list[str], format: str) -> None:
    """A document reads as it does alone and at first, whatever of it and of others is kept, or lost
    since."""
    documents = [document(text, format=format) for text in releases]
    fresh = []
    for one in documents:
        memo.clear()
        fresh.append(formats.read(one))
    assert [formats.read(one) for one in documents] == fresh
    store = DictStore()
    for _ in range(2):
        with store_open(store):
            assert [formats.read(one) for one in documents] == fresh
    for room in [*store.values()]:
        for key in [*room]:
            value = room.pop(key)
            with store_open(store):
                assert [formats.read(one) for one in documents] == fresh
            room[key] = value


def test_a_kept_document_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept document is neither parsed nor sanitized, and equal entry texts are one object at
    every release."""
    text = "# Glossary\n\n## Parts\n\n### A\n\nOne *thing*.\n\n## Wholes\n\n### B\n\nAnother.\n"
    releases = [document(text), document(f"{text}\n")]
    store = DictStore()
    with store_open(store):
        for one in releases:
            formats.read(one)
    monkeypatch.setattr("sitegen.text.prose.from_html", None)
    with store_open(store):
        first, second = (formats.read(one).entries[0] for one in releases)
    assert first.text is second.text
    assert first.section == "Parts"


def test_readings_of_paths_that_are_no_unicode_text_are_not_kept() -> None:
    """A problem with a path that JSON cannot have is found again at the next build."""
    damaged = replace(document("# Glossary\n\n## A\n\n```\nOpen\n"), path="1/\udcff.md")
    store = DictStore()
    for _ in range(2):
        with store_open(store):
            assert [problem.path for problem in formats.read(damaged).problems] == ["1/\udcff.md"]
    assert not store["readings"]


def test_a_changed_definition_is_not_used() -> None:
    """A document is read again if the sanitizer would change a stored definition of it."""
    leaf, store = document("# Glossary\n\n## Leaf\n\nPart of a tree.\n"), DictStore()
    with store_open(store):
        formats.read(leaf)
    ((key, row),) = store["entry_texts"].items()
    for words, kept in (
        ("of a <em>wood</em>", True),
        ("<script>alert(1)</script>", False),
        ("<b onclick=x>", False),
    ):
        store["entry_texts"][key] = row.replace(b"of a tree", words.encode())
        with store_open(store):
            (entry,) = formats.read(leaf).entries
        assert (words in entry.definition.html) == kept
