"""The memo: results of pure functions are computed once, and stored between builds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitegen import formats
from sitegen.model import Document, Reading
from sitegen.sources.editions import forget_others, read_all
from sitegen.text import memo
from sitegen.text.memo import Codec, Results


class DictRoom(dict[bytes, bytes]):
    put = dict.__setitem__


class DictStore(dict[str, DictRoom]):
    def __call__(self, name: str) -> DictRoom:
        return self.setdefault(name, DictRoom())


PIECES = (
    "# Glossary\n,## A\n,## A\n,### b\n,words,`code`,[x],[x][y],[x]: /u\n,[y]: #a\n,  [z]: /u 't\n,[^1],[^1]: note\n,"
    "[^2],\n[^2]: see [x] and [^1]\n,- [^2]: deep\n,"
    "**Name**: text,**Name**\n,\n\n,\n\n,\n\n,\n,- item\n,  more\n,    deep\n,> quote\n,```\n,~~~ x\n,::: tip\n,"
    ":::\n,!!! note\n,<!--,-->\n,<div>\n,</div>\n,<a name='x'></a>\n,<h2>raw</h2>\n,---\n,===\n,$$\n,$,"
    ": definition\n,term\n,| a | b |\n,|---|---|\n,{#id},[[toc]],[top](#glossary),\\,<script>,</script>,*,_,&amp;,"
    "<dl>\n,<dt>x,<dd>\n,</dl>\n,{: .x},{: .x}\n,*[A]: b\n,{{< glossary_tooltip term_id='b' >}},{{< x >}},<br>"
).split(",")

texts = st.lists(st.sampled_from(PIECES), max_size=25).map(lambda pieces: "".join(pieces) + "\n")


def document(text: str, path: str = "1/GLOSSARY.md") -> Document:
    return Document(source="s", release="1", path=path, name="GLOSSARY.md", text=text)


CODEC = Codec(table="test_words", dump=lambda text: str(text).encode(), load=lambda data: data.decode())
asked: list[str] = []


@memo.memo(codec=CODEC)
def shouted(word: str, mark: str) -> str:
    """Returns a word in capitals."""
    asked.append(word)
    return word.upper() + mark


@memo.memo()
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


def test_a_store_keeps_results_for_the_next_build() -> None:
    """Results with a codec are loaded from the store of an earlier build."""
    store = DictStore()
    with memo.store_open(store):
        assert shouted("a", "!") == "A!"
    with memo.store_open(store):
        assert shouted("a", "!") is shouted("a", "!") == "A!"
    assert asked == ["a"]
    assert shouted("a", "!") == "A!"
    assert asked == ["a", "a"]


def test_a_result_that_cannot_be_loaded_is_computed_again() -> None:
    """If a codec loads None, the function is called."""
    store = DictStore()
    lost: Results[str] = Results(Codec(table="test_lost_addresses", dump=str.encode, load=lambda _: None))
    with memo.store_open(store):
        lost.put("A", "a")
    with memo.store_open(store):
        assert lost.get("a") is None


def test_results_made_together_are_kept_one_by_one() -> None:
    """Results that were put are found by their arguments, and in the store by their key."""
    store, made_together = DictStore(), Results(CODEC)
    with memo.store_open(store):
        assert made_together.get("a") is None
        made_together.put("1", "a")
        (key,) = store["test_words"]
        assert (made_together.get("a"), made_together.at(key), made_together.at(b"")) == ("1", "1", None)


def test_results_of_old_arguments_are_evicted() -> None:
    """Only evicted results are computed again."""
    shouted("a", "!"), shouted("b", "!")
    memo.forget(lambda argument: argument == "a")
    shouted("a", "!"), shouted("b", "!")
    assert asked == ["a", "b", "a"]


def test_an_edited_document_is_another() -> None:
    """A document with another text is another argument, also at the same path."""
    one = document("# Glossary\n\n## A\n\nOne.\n")
    assert one.digest == document(one.text, "2/GLOSSARY.md").digest
    edited = replace(one, text=one.text.replace("One", "Two"))
    assert edited.digest != one.digest
    assert [formats.read(each).entries[0].definition.text for each in (one, edited)] == ["One.", "Two."]


def test_documents_that_are_over_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document is parsed once while the site has it, and again when it comes back."""
    read: list[str] = []

    def reading(document: Document) -> Reading:
        read.append(document.text)
        return Reading(is_auxiliary=True)

    any_format = SimpleNamespace(name="any", suffixes=(), looks_like=lambda document: True, parse=reading)
    monkeypatch.setattr(formats, "all_formats", lambda: (any_format,))
    for text in ("a", "a", "b", "a"):
        documents = [document(text), document(text, "2/GLOSSARY.md")]
        assert len(list(read_all(documents))) == 2
        forget_others(documents)
    assert read == ["a", "b", "a"]


FORMATS = st.sampled_from(["markdown", "myst", "sphinx", "html", "text"])


@settings(max_examples=50)
@given(st.lists(texts, min_size=1, max_size=3), FORMATS)
@example(["```{glossary}\na\n  ```c\n  ```\nb\n  c\n```\n"], "myst")
def test_a_document_reads_as_it_does_the_first_time(releases: list[str], format: str) -> None:
    """The reading of a document does not depend on the store or on earlier readings."""
    documents = [replace(document(text), format=format) for text in releases]
    memo.clear()
    together = [formats.read(one) for one in documents]
    alone = []
    for one in documents:
        memo.clear()
        alone.append(formats.read(one))
    store, stored = DictStore(), []
    for _ in range(2):
        with memo.store_open(store):
            stored.append([formats.read(one) for one in documents])
    assert stored == [together, together] == [alone, alone]
