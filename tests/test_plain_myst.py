"""What MyST's parser is not asked for reads as it would read it: texts that are plain, and entries met before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.formats.myst import chunks, html_writer, plain_myst, reader
from sitegen.model import Document, Reading
from sitegen.text.known import Known

EASY = [
    *("\n", "\n", "\n\n", " ", ": ", " **bold** ", " *em*. ", "[x y](https://a.b/c)", "`a\\b`", "{term}`a b <c>`"),
    *("{py:class}`~a.B`: ", "{term}`a\nb`", "a < b & c", "**bold** "),
    *"word Word . , `code` [label](#place) (top) a_b é “x” 中 % ! — ' \" / : = # @ ( ) 9 + `<b>&`".split(),
]
HARD = [
    *(
        "  ",
        "- ",
        "    ",
        "\t",
        "> q",
        "\u00a0",
        "\r",
        "\x00",
        "`a\x00b`",
        "`a\rb`",
        "`a\nb`",
        "{term} `c`",
        "[x](#a 't')",
    ),
    *(
        "\n::: tip\n",
        "\n: def",
        "\n(a)=",
        "\n\n(a b)=\n",
        "\n% c",
        "\n+++ a",
        "\n1. ",
        "\n\n2) ",
        "\n| a | b |\n|--|--|",
    ),
    *("\n---\n", "\n===\n", "\n```\n", "\n```{note}\n", "\n# a", "\n[a]: b", "\n[^1]: c", "{term}`a\n- b`", "` a `"),
    *"* ** ` `` ``` [ ] ]( _ | & &amp; < <b> <!-- --> \\ \\* $ $$ $a$ ~ ~~a~~ ^ { } [a] [^1] ![i](#a) [x](y)".split(),
    *"{term}`a {term}``a`` {a.b}`c` {}`c` {rfc}`1` {math}`a<b` {abbr}`a(b)` ***a*** _a_ a*b* **a**b <a@b.c>".split(),
]
easy, mixed = st.lists(st.sampled_from(EASY), max_size=10), st.lists(st.sampled_from(EASY + HARD), max_size=8)
texts = st.one_of(easy, mixed).map("".join)


def document(*entries: tuple[str, str], above: str = "") -> Document:
    """A glossary of names and definitions, with something above it."""
    inside = "\n".join(f"{name}\n{_indented(text)}\n" for name, text in entries)
    text = f"# Title\n\n{above}\n{'`' * 20}{{glossary}}\n{inside}{'`' * 20}\n"
    return Document(source="s", release="r", path="p.md", name="p.md", text=text)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line.strip() else line for line in text.split("\n"))


def by_the_parser(one: Document) -> Reading:
    """What the parser reads, of the whole glossary at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_myst, "html", lambda _text, _address: None)
        patch.setattr(plain_myst, "name", lambda _text: None)
        patch.setattr(chunks, "CUT", re.compile(r"(?!)"))
        return reader.parse(one, Known())


@given(texts, texts)
@example("", "Some text.\n(and) more=\n(a)=")
@example("", "{term}`a\nb` and [c](#d)")
def test_what_is_plain_reads_as_the_parser_reads_it(name: str, text: str) -> None:
    """Whatever is put together, what needs no parser is what the parser would make of it, to the letter."""
    for one in (f"A {text}", text):
        plain = plain_myst.html(one, html_writer.address)
        shown, words = html_writer.render(one, ()), html_writer.words(name)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plain_myst, "html", lambda _text, _address: None)
            patch.setattr(plain_myst, "name", lambda _text: None)
            assert html_writer.render(one, ()) == shown
            assert plain is None or shown == html_writer.Rendered(plain)
            assert html_writer.words(name) == words


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Words,\nand more.", "<p>Words,\nand more.</p>\n"),
        ("See {class}`~a.b.C`.\n\nAnd `a < b`.", "<p>See <code>C</code>.</p>\n<p>And <code>a &lt; b</code>.</p>\n"),
        ("A [*](x) b", None),
        ("{term}`thing\n<of>` is", None),
        ("{term}`thing\nof` is **it**", '<p><a href="term:thing%20of">thing of</a> is <strong>it</strong></p>\n'),
    ],
)
def test_what_is_plain(text: str, html: str | None) -> None:
    """Most entries need no parser."""
    assert plain_myst.html(text, html_writer.address) == html


LAYOUT = [
    *("name\n", "a : b\n", "  text\n", "   more\n", "    deep\n", " stray\n", "\n", "\n\n", "(x)=\n", "(y)= z\n"),
    *(
        ".. c\n",
        ".. _x:\n",
        "  [a]\n",
        "  [b](c\n",
        "  ```{nope}\n  n\n  ```\n",
        " \n",
        "\t\n",
        "\u00a0x\n",
        "\x0c\n",
    ),
    *(": text\n", ":   [b](c\n", ":\n", ":\t\n", "name\n: text\n\n", "(z)=\n: text\n\n"),
    *("name\n  text\n\n", "n2\n  **t**\n\n", "  :::{deprecated} 1\n  :::\n", ":sorted:\n"),
]


@given(st.lists(st.lists(st.sampled_from(LAYOUT), max_size=12).map("".join), min_size=1, max_size=3))
@example(["a\n  b\n\n(x)=\n  c\n"])
@example(["a\n  b\n\n.. c\n\n d\n   e\n"])
def test_a_glossary_that_was_cut_reads_as_a_whole(releases: list[str]) -> None:
    """Whatever its layout, and whatever was met before, a glossary says the same, cut or read at once."""
    known = Known()
    for inside in releases:
        text = f"# T\n\n[a]: b\n\n{'`' * 9}{{glossary}}\n{inside}{'`' * 9}\n"
        one = Document(source="s", release="r", path="p.md", name="p.md", text=text)
        assert reader.parse(one, known) == reader.parse(one, Known()) == by_the_parser(one)


class Kept(dict[bytes, bytes]):
    """What was kept from a build before."""

    put = dict.__setitem__

    def __call__(self, _room: str) -> Kept:
        return self


def test_an_entry_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What took the parser once does not take it in the next release, nor in the next build."""
    kept, parsed = Kept(), []
    listed = "Kinds:\n\n* one\n* two"
    first, second = (
        document(("a", listed), ("b", "B")),
        document(("a", listed), ("b", "B"), ("c", f"{listed}\n* three")),
    )
    reader.parse(first, Known(kept))
    fresh = by_the_parser(second)
    render = html_writer.render
    monkeypatch.setattr(chunks, "render", lambda *given: (parsed.append(given[0]), render(*given))[1])
    assert reader.parse(second, Known(kept)) == fresh
    assert parsed == [f"{listed}\n* three"]


def test_links_that_a_document_defines_are_part_of_what_an_entry_depends_on() -> None:
    """An entry that uses a link of its document is read again where that leads elsewhere."""
    known = Known(Kept())
    for place in ("/one", "/two"):
        reading = reader.parse(document(("a", "See [x]."), ("b", "B"), above=f"[x]: {place}"), known)
        assert f'href="{place}"' in reading.entries[0].definition.html


def test_real_documents_read_the_same(shared: Path) -> None:
    """Every real glossary reads as its parser reads it, one after the other with what was met before."""
    known, read = Known(), 0
    for path in sorted(shared.rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        one = Document(source="s", release="r", path=str(path), name=path.name, text=text)
        if reader.looks_like(one, known):
            assert reader.parse(one, known) == by_the_parser(one), path
            read += 1
    assert read > 3
