"""What docutils is not asked for reads as docutils reads it: entries that are plain, and entries met before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.formats.rst import directives, glossaries, parser, plain_rst, reader
from sitegen.model import Document, Reading
from sitegen.text.known import Known


class Kept(dict[bytes, bytes]):
    """What one build left to the next."""

    put = dict.__setitem__

    def __call__(self, _room: str) -> Kept:
        return self


EASY = [
    *("\n", "\n", "\n\n", " ", ": ", " **bold** ", " *em*. ", ":term:`a b <c>`", ":py:class:`~a.B`: ", "``a\\b``"),
    *"word Word . , ``code`` :ref:`place` (top) a_b é “x” 中 % ! — ' \" / ( ) 9 = + & < > ``<b>&``".split(),
]
HARD = [
    *("  ", "- ", "\n  ", ".. note:: x", " : ", "\n====\n", "\n\n1. ", "\n\nA. ", "\n\n-a  ", "\n\n> ", "\n\n:f: a"),
    *"* ** ` `` | _ __ [ ] a_ `a`_ `a`__ `a <http://b>`_ |s| [1]_ [#]_ _`t` :a: :a:`b :a:` `b`:a: a@b.c ::".split(),
    *("http://x.y", "mailto:a@b.c", "\\", "\\ ", "\\*", "[x](y)", "\n\n| a", "\n\n(a) b", "\n\n>>> a", "\n\n__ c"),
    *"$ ~ ^ { } -- (*a*) ``)`` ``a``s :sup:`2` \n.. _a:".split(" "),
    *(":term:`a\nb`", "``a\nb``", "*a\nb*", ".. _a: b"),
]
easy, mixed = st.lists(st.sampled_from(EASY), max_size=10), st.lists(st.sampled_from(EASY + HARD), max_size=8)
bodies = st.one_of(easy, mixed).map("".join)


def document(*entries: tuple[str, str], below: str = "") -> Document:
    """A glossary of names and definitions, with something below it."""
    texts = (f"   {name}\n{_indented(text)}\n\n" for name, text in entries)
    text = f"Title\n=====\n\n.. glossary::\n\n{''.join(texts)}{below}\n"
    return Document(source="s", release="r", path="p.rst", name="p.rst", text=text)


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" if line.strip() else "" for line in text.split("\n"))


def by_docutils(one: Document) -> Reading:
    """What docutils reads, and nothing else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_rst, "html", lambda _text: None)
        return glossaries.read(one, Known())


@given(st.lists(st.sampled_from(["word", "a_b", "(c)", "d/e", "f: g", "'h'", "*i*", "``j``", "k_", "l : m"])), bodies)
@example(["word"], "Some text.\n\nv. Another.\n\nDeprecated. Iv. X)")
@example(["word"], "mix. of words")
@example(["word"], ":ref:`a`: text")
def test_what_is_plain_reads_as_docutils_reads_it(names: list[str], text: str) -> None:
    """Whatever is put together, an entry that needs no parser says what docutils would make of it."""
    one = document((" ".join(["Name", *names]), f"A {text}"))
    assert reader.parse(one, Known()) == by_docutils(one)
    one = document((" ".join(["Name", *names]), f"{text.strip() or 'A'}"))
    assert reader.parse(one, Known()) == by_docutils(one)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Words,\nand more.", "<p>Words,\nand more.</p>"),
        ("See :class:`~a.b.C`.\n\nAnd ``a < b``.", "<p>See <code>C</code>.</p><p>And <code>a &lt; b</code>.</p>"),
        ("A :term:`thing\n<of>`.", '<p>A <a href="term:of">thing</a>.</p>'),
    ],
)
def test_what_is_plain(text: str, html: str) -> None:
    """Most entries need no parser."""
    assert plain_rst.html(text) == html


@given(st.lists(st.lists(bodies, min_size=1, max_size=4), min_size=1, max_size=3), st.sampled_from(HARD))
def test_what_was_met_before_reads_the_same(releases: list[list[str]], below: str) -> None:
    """Whatever entries were met, in whatever document, another document reads as it does the first time."""
    known, kept = Known(), Kept()
    for texts in releases:
        one = document(*((f"n{number}", f"A {text}") for number, text in enumerate(texts)), below=f"B {below}\n")
        assert reader.parse(one, known) == reader.parse(one, Known(kept)) == by_docutils(one)


AROUND = [
    *(
        "Title\n=====\n\n",
        "Part\n----\n\n",
        "Part\n----\n\n",
        ".. only:: html\n\n",
        "Words `a`_, |s|.\n\n",
        "* one\n",
    ),
    *(".. _a: http://b\n", ".. |s| replace:: t\n\n", ".. _label:\n\n", "::\n\n", "..\n\n", "   \n\n", "# Title\n\n"),
    *(".. default-role:: code\n\n", ".. unknown:: x\n\n", "`Part`_\n\n", "Part\n", ".. [1] note\n\n", "*open\n\n"),
]
GLOSSARIES = [
    *(".. glossary::\n\n", ".. glossary::\n\n", ".. glossary::\n   :sorted:\n\n", "   .. glossary::\n\n   "),
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
    *("   `l`_\n     of |s|\n", "  two\n    to the left\n", "   :f: x\n     y\n", "   uni\n     \x85\u2028words\n"),
]


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
def test_a_document_that_was_cut_reads_as_a_whole(parts: list[tuple[list[str], ...]]) -> None:
    """Whatever stands around its glossaries, a document that is cut reads as docutils reads it whole."""
    text = "".join("".join(part) for several in parts for part in several)
    one = Document(source="s", release="r", path="p.rst", name="p.rst", text=text)
    known = Known()
    assert reader.parse(one, known) == by_docutils(one)
    other = replace(one, text=f"Words.\n\n{text}\n")
    assert reader.parse(other, known) == by_docutils(other)


LISTED = "Kinds:\n\n* *one*\n* `two <http://a.b>`_"
REFERRING = "Other `two`_."


def test_a_document_of_known_entries_takes_no_docutils(monkeypatch: pytest.MonkeyPatch) -> None:
    """From one build to the next, docutils is asked for nothing that it has read."""
    kept = Kept()
    releases = [document(("a", LISTED), ("b", "Words.")), document(("b", "Words."), ("c", "More."), ("a", LISTED))]
    read = [reader.parse(releases[0], Known(kept)), by_docutils(releases[1])]
    monkeypatch.setattr(parser, "parse", None)
    monkeypatch.setattr(glossaries, "parse", None)
    assert [reader.parse(one, Known(kept)) for one in releases] == read


def test_an_entry_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What took docutils once does not take it in the next release; what refers to it there still finds it."""
    known = Known()
    first, second = document(("a", LISTED)), document(("a", LISTED), ("b", REFERRING))
    reader.parse(first, known)
    fresh, parsed = by_docutils(second), []
    definition = directives.Glossary._definition
    monkeypatch.setattr(
        directives.Glossary,
        "_definition",
        lambda self, lines: (parsed.append(lines[0].text), definition(self, lines))[1],
    )
    assert reader.parse(second, known) == fresh
    assert parsed == ["Other `two`_."]
    assert 'href="http://a.b"' in fresh.entries[1].definition.html


def test_real_documents_read_the_same(shared: Path) -> None:
    """Every real glossary reads as docutils reads it, one after the other with what was met before."""
    known, plain = Known(), 0
    for path in sorted(shared.rglob("*.[rt][sx]t")):
        text = path.read_text(encoding="utf-8", errors="replace")
        one = Document(source="s", release="r", path=str(path), name=path.name, text=text)
        if reader.looks_like(one, known):
            assert reader.parse(one, known) == by_docutils(one), path
            plain += 1
    assert plain > 20
