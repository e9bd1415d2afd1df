"""Markdown is parsed in chunks, and documents are kept between builds: neither changes what is read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitegen import formats
from sitegen.formats.markdown import chunks
from sitegen.formats.markdown.chunks import Markdown
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.model import Document
from sitegen.text import memo

PIECES = (
    "# Glossary\n,## A\n,## A\n,### b\n,words,`code`,[x],[x][y],[x]: /u\n,[y]: #a\n,  [z]: /u 't\n,[^1],[^1]: note\n,"
    "[^2],\n[^2]: see [x] and [^1]\n,- [^2]: deep\n,"
    "**Name**: text,**Name**\n,\n\n,\n\n,\n\n,\n,- item\n,  more\n,    deep\n,> quote\n,```\n,~~~ x\n,::: tip\n,"
    ":::\n,!!! note\n,<!--,-->\n,<div>\n,</div>\n,<a name='x'></a>\n,<h2>raw</h2>\n,---\n,===\n,$$\n,$,"
    ": definition\n,term\n,| a | b |\n,|---|---|\n,{#id},[[toc]],[top](#glossary),\\,<script>,</script>,*,_,&amp;,"
    "<dl>\n,<dt>x,<dd>\n,</dl>\n,{: .x},{: .x}\n,*[A]: b\n,{{< glossary_tooltip term_id='b' >}},{{< x >}},<br>"
).split(",")

texts = st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces) + "\n")


def document(text: str, *, format: str = "") -> Document:
    return Document(source="s", release="1", path="1/GLOSSARY.md", name="GLOSSARY.md", text=text, format=format)


DOCUMENT = document("")


class DictRoom(dict[bytes, bytes]):
    put = dict.__setitem__


class DictStore(dict[str, DictRoom]):
    def __call__(self, name: str) -> DictRoom:
        return self.setdefault(name, DictRoom())


def whole_document(text: str) -> Markdown:
    """Returns a document, parsed in one chunk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "SPLIT", re.compile(r"(?!)"))
        patch.setattr(chunks, "SPLIT_AROUND_DEFINITIONS", chunks.SPLIT)
        return chunks.parse(text, to_reference, DOCUMENT)


def check(texts: Iterable[str]) -> None:
    for text in texts:
        assert chunks.parse(text, to_reference, DOCUMENT) == whole_document(text)


@given(texts)
def test_chunks_read_as_the_whole_document(text: str) -> None:
    """A document parsed in chunks has the same blocks, lines and unclosed markup as parsed whole."""
    check([text])


LABELS = [
    *("[x y]", "[X  Y]", "[x\ny]", "> [x\n> y]", "- > [x\n  > y]", "[x y][]", "![x y]", "[x [x y]]", "[t][x\ny]"),
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
    *("| a |\n|---|\n| [x\\|y] |", "| a |\n|---|\n| [^n\\|m] |", "[x|y]", "[^n|m]", "x [^n] [x y] [ss]", "[^[x y]"),
]
DEFINED = (
    "[x y]: /u|[X y]: /v|[a\\]b]: /w|[a `\\` b]: /c|[x:y]: /p|[SS]: /s|[ß]: /z|[^n]: note [ss]|[^n:m]: two".split("|")
)

labeled = st.lists(
    st.sampled_from(
        [*LABELS, *(f"\n\n{one.replace(':y', '|y').replace(':m', '|m')}\n" for one in DEFINED)] + ["\n\n## A\n\n"] * 6
    ),
    max_size=16,
).map("".join)


@given(labeled)
def test_links_and_footnotes_lead_from_any_chunk_to_any_other(text: str) -> None:
    """A chunk receives every link and footnote that it uses, however their labels are written."""
    check([text])


def test_real_documents_read_the_same_in_chunks(shared: Path) -> None:
    """Every real glossary in Markdown has the same blocks in chunks and whole."""
    paths = sorted(shared.rglob("*.md"))
    assert len(paths) > 50
    check(path.read_text(encoding="utf-8", errors="replace") for path in paths)


@settings(max_examples=50)
@given(st.lists(texts, min_size=1, max_size=3), st.sampled_from(["markdown", "myst", "sphinx", "html", "text"]))
@example(["```{glossary}\na\n  ```c\n  ```\nb\n  c\n```\n"], "myst")
def test_kept_readings_are_those_of_the_first_time(releases: list[str], format: str) -> None:
    """A document reads as it does the first time, whatever of it and of others is kept, or lost since."""
    documents = [document(text, format=format) for text in releases]
    memo.clear()
    fresh = [formats.read(one) for one in documents]
    store = DictStore()
    for _ in range(2):
        with memo.store_open(store):
            assert [formats.read(one) for one in documents] == fresh
    for room in [*store.values()]:
        for key in [*room]:
            value = room.pop(key)
            with memo.store_open(store):
                assert [formats.read(one) for one in documents] == fresh
            room[key] = value


def test_a_kept_document_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kept document is neither parsed nor sanitized, and equal entry texts are one object at every release."""
    text = "# Glossary\n\n## Parts\n\n### A\n\nOne *thing*.\n\n## Wholes\n\n### B\n\nAnother.\n"
    releases = [document(text), document(f"{text}\n")]
    store = DictStore()
    with memo.store_open(store):
        for one in releases:
            formats.read(one)
    monkeypatch.setattr("sitegen.text.prose.from_html", None)
    with memo.store_open(store):
        first, second = (formats.read(one).entries[0] for one in releases)
    assert first.text is second.text
    assert first.section == "Parts"
