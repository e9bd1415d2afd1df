"""A reStructuredText document that is parsed entry by entry reads as docutils reads the whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.formats import rst
from sitegen.formats.rst import glossaries
from sitegen.formats.rst.glossaries import EntryParsedAlone
from sitegen.model import Document, Reading

EASY = [
    *(
        "\n",
        "\n",
        "\n\n",
        " ",
        ": ",
        " **bold** ",
        " *em*. ",
        ":term:`a b <c>`",
        ":py:class:`~a.B`: ",
        "``a\\b``",
    ),
    *"word Word . , ``code`` :ref:`place` (top) a_b é "
    "“x” 中 % ! — ' \" / ( ) 9 = + & < > ``<b>&``".split(),
]
HARD = [
    *(
        "  ",
        "- ",
        "\n  ",
        ".. note:: x",
        " : ",
        "\n====\n",
        "\n\n1. ",
        "\n\nA. ",
        "\n\n-a  ",
        "\n\n> ",
        "\n\n:f: a",
    ),
    *"* ** ` `` | _ __ [ ] a_ `a`_ `a`__ `a <http://b>`_ |s| [1]_ [#]_ _`t` :a: :a:`b :a:` "
    "`b`:a: a@b.c ::".split(),
    *(
        "http://x.y",
        "mailto:a@b.c",
        "\\",
        "\\ ",
        "\\*",
        "[x](y)",
        "\n\n| a",
        "\n\n(a) b",
        "\n\n>>> a",
        "\n\n__ c",
    ),
    *"$ ~ ^ { } -- (*a*) ``)`` ``a``s :sup:`2` \n.. _a:".split(" "),
    *(":term:`a\nb`", "``a\nb``", "*a\nb*", ".. _a: b"),
]
easy, mixed = (
    st.lists(st.sampled_from(EASY), max_size=10),
    st.lists(st.sampled_from(EASY + HARD), max_size=8),
)
bodies = st.one_of(easy, mixed).map("".join)


def glossary(*entries: tuple[str, str], below: str = "") -> Document:
    """Returns a glossary of names and definitions, followed by other text."""
    texts = (f"   {name}\n{_indented(text)}\n\n" for name, text in entries)
    text = f"Title\n=====\n\n.. glossary::\n\n{''.join(texts)}{below}\n"
    return Document(source="s", release="r", path="p.rst", name="p.rst", text=text)


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" if line.strip() else "" for line in text.split("\n"))


def by_docutils(one: Document) -> Reading:
    """Returns docutils' reading of the whole, in which no entry is parsed alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(glossaries, "_parse_entry_alone", lambda *_: EntryParsedAlone(None, 0))
        return read(one)


def read(one: Document) -> Reading:
    text, headings = rst.unwrap(one.text)
    return glossaries.read(text, one, headings=headings).reading


AROUND = [
    *(
        "Title\n=====\n\n",
        "Part\n----\n\n",
        "Part\n----\n\n",
        ".. only:: html\n\n",
        "Words `a`_, |s|.\n\n",
        "* one\n",
    ),
    *(
        ".. _a: http://b\n",
        ".. |s| replace:: t\n\n",
        ".. _label:\n\n",
        "::\n\n",
        "..\n\n",
        "   \n\n",
        "# Title\n\n",
    ),
    *(
        ".. default-role:: code\n\n",
        ".. unknown:: x\n\n",
        "`Part`_\n\n",
        "Part\n",
        ".. [1] note\n\n",
        "*open\n\n",
    ),
]
GLOSSARIES = [
    *(
        ".. glossary::\n\n",
        ".. glossary::\n\n",
        ".. glossary::\n   :sorted:\n\n",
        "   .. glossary::\n\n   ",
    ),
    *(
        ".. glossary::\n",
        ".. glossary:: x\n\n",
        ".. Glossary::\n\n\n",
        ".. glossary::\n    :sorted:\n\n",
        "x\n.. glossary::\n",
    ),
]
ENTRIES = [
    *(
        "   one\n     Words, *more*.\n\n",
        "   two\n   three\n     Words `Part`_.\n\n",
        "   Anna\n      A `l <http://x>`_.\n\n",
    ),
    *(
        "   ben\n      - item\n\n",
        "   one\n\n     Words.\n",
        "     stray\n       Words.\n",
        "   .. _a-label:\n\n   x\n     y\n",
    ),
    *(
        "   .. comment\n",
        "   none\n\n",
        "   .. glossary::\n\n      in\n        it.\n",
        "\n",
        "   tab\n\tWords.\n",
        "   end\r\n     x.\n",
    ),
    *(
        "   `l`_\n     of |s|\n",
        "  two\n    to the left\n",
        "   :f: x\n     y\n",
        "   uni\n     \x85\u2028words\n",
    ),
]


def document(text: str) -> Document:
    return Document(source="s", release="r", path="p.rst", name="p.rst", text=text)


@given(
    st.lists(
        st.sampled_from(["word", "a_b", "(c)", "d/e", "f: g", "'h'", "*i*", "``j``", "k_", "l : m"])
    ),
    bodies,
)
@example(["word"], "Some text.\n\nv. Another.\n\nDeprecated. Iv. X)")
@example(["word"], "mix. of words")
@example(["word"], ":ref:`a`: text")
def test_entries_read_as_docutils_reads_them(names: list[str], text: str) -> None:
    """An entry parsed by itself has the content that it has within its document."""
    for body in (f"A {text}", text.strip() or "A"):
        one = glossary((" ".join(["Name", *names]), body))
        assert read(one) == by_docutils(one)


@given(st.lists(bodies, min_size=1, max_size=4), st.sampled_from(HARD))
def test_entries_with_other_text_around_read_the_same(texts: list[str], below: str) -> None:
    """Entries read as docutils reads them, whatever follows them."""
    one = glossary(
        *((f"n{number}", f"A {text}") for number, text in enumerate(texts)), below=f"B {below}\n"
    )
    assert read(one) == by_docutils(one)


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(AROUND), max_size=3),
            st.lists(st.sampled_from(GLOSSARIES), max_size=1),
            st.lists(st.sampled_from(ENTRIES), max_size=3),
        ),
        max_size=4,
    ),
)
def test_glossaries_read_as_docutils_reads_them(parts: list[tuple[list[str], ...]]) -> None:
    """A document reads as docutils reads it, whatever surrounds its glossaries, also when moved
    down."""
    text = "".join("".join(part) for several in parts for part in several)
    for one in (document(text), document(f"Words.\n\n{text}\n")):
        assert read(one) == by_docutils(one)


LISTED = "Kinds:\n\n* *one*\n* `two <http://a.b>`_"
LIST = (
    "Glossary\n========\n\nAnchor\n    Holds *a boat*.\n\nBoat\n    - floats\n    - `sails "
    "<http://a.b>`_\n\n"
)


def test_links_lead_to_targets_in_other_entries() -> None:
    """An entry that uses a link target of another one is parsed with its document."""
    one = glossary(("a", LISTED), ("b", "Other `two`_."))
    assert read(one) == by_docutils(one)
    assert 'href="http://a.b"' in read(one).entries[1].definition.html
    other = document(f"{LIST}Crew\n    Goes by what `sails`_.\n\nDeck\n    See Glossary_.\n")
    assert read(other) == by_docutils(other)


def test_real_documents_read_the_same(shared: Path) -> None:
    """Every real glossary reads as docutils reads the whole."""
    documents = 0
    for path in sorted(shared.rglob("*.[rt][sx]t")):
        one = replace(document(path.read_text(encoding="utf-8", errors="replace")), path=str(path))
        if rst.looks_like(one):
            assert read(one) == by_docutils(one), path
            documents += 1
    assert documents > 20
