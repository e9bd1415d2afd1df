"""Texts escaped as Markdown, read by a parser with GitHub's extensions."""

from __future__ import annotations

import re

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sitegen.text.markdown_escaping import QUOTED, ZERO, code, fenced, link, literal, quotation

GITHUB = MarkdownIt("gfm-like")
# It would also link what only looks like a host, which no forge does.
GITHUB.linkify.set({"fuzzy_link": False, "fuzzy_email": False})  # type: ignore[union-attr]

CALLS = re.compile(r"@\w|#\d|GH-\d|:[\w+-]+:|https?://|www\.", re.I)
"""What a forge would make a link of, after rendering."""

pieces = st.lists(
    st.sampled_from(
        """\\ ` `` * ** _ __ ~ ~~ [ ] ( ) < > # ## - + = | : $ & ! ^ { } " ' . .. 1. 2) a é 語 b_c __init__ @team
        o/r#12 #7 GH-3 :tada: <b> &amp; &#64;x http://x.org/a_b https://github.com/o/r/issues/1 www.x.org m@x.org
        [x](y) ![x](y) --- === *** ``` ~~~ | x |--- [x]: <!--""".split()
    ),
    min_size=1,
    max_size=8,
)


def shown(markdown: str) -> lxml.html.HtmlElement:
    return lxml.html.fragment_fromstring(GITHUB.render(markdown), create_parent=True)


def seen(element: lxml.html.HtmlElement) -> str:
    return " ".join(element.text_content().replace(ZERO, "").split())


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("A pointer to the state of a volume.", "A pointer to the state of a volume."),
        ("snake_case and __init__", r"snake_case and \_\_init\_\_"),
        ("2 * 3 < 7", r"2 \* 3 \< 7"),
        ("# not a heading", r"\# not a heading"),
        ("1. not an item", r"1\. not an item"),
        ("ask @team", f"ask @{ZERO}team"),
        ("see o/r#12 or GH-3", f"see o/r#{ZERO}12 or GH-{ZERO}3"),
        ("https://x.org", f"https:{ZERO}//x.org"),
    ],
)
def test_a_text_is_escaped_only_where_it_would_do_something(text: str, markdown: str) -> None:
    """Plain text is not escaped, so that it reads well unrendered."""
    assert literal(text) == markdown


@given(pieces, st.booleans())
def test_any_text_reads_as_its_words(pieces: list[str], apart: bool) -> None:
    """Rendered, a quotation is one block of text without markup, links or mentions."""
    text = (" " if apart else "").join(pieces).strip()
    quote = shown(quotation(text))
    assert seen(quote) == " ".join(text.split())
    assert {element.tag for element in quote.iterdescendants()} <= {"blockquote", "p"}
    assert not CALLS.search(quote.text_content())


@given(pieces)
def test_any_name_can_be_linked(pieces: list[str]) -> None:
    """A linked name is bold and leads to the address."""
    name = " ".join(pieces).strip() or "x"
    paragraph = shown(link(name, "https://x.org/term/a/"))
    assert seen(paragraph) == " ".join(name.split())
    assert [one.get("href") for one in paragraph.xpath("./p/strong/a")] == ["https://x.org/term/a/"]
    assert not CALLS.search(paragraph.text_content())


@given(pieces)
def test_any_text_can_be_code(pieces: list[str]) -> None:
    """Inline and block code keep the whole text, with any backticks."""
    text = " ".join(pieces)
    [within] = shown(f"x {code(text)} y").iter("code")
    [block] = shown(f"{fenced(text, 'toml')}\n\nafter").iter("code")
    assert (within.text_content(), block.text_content()) == (text, f"{text}\n")


def test_blocks_stay_blocks() -> None:
    """Paragraphs and lines of a text are those of its quotation."""
    assert quotation("One.\n\nTwo:\n  - a\n\tb") == "> One.\n>\n> Two:\n> \\- a\n> b"


def test_code_stays_code_in_a_quotation() -> None:
    """A block of code is fenced in a quotation, with its indentation; code in a line is text."""
    text = "Run x:\n\nif x:\n    @run\n\nThen y."
    code = [(4, 5), (8, 22), (29, 30)]
    quote = "> Run x:\n>\n> ```\n> if x:\n>     @run\n> ```\n>\n> Then y."
    assert quotation(text, code) == quote
    assert quotation("a = 1", [(0, 5)]) == "> ```\n> a = 1\n> ```"


def test_a_long_text_breaks_off() -> None:
    """A long quotation ends at a word, with an ellipsis."""
    quote = quotation("word, " * QUOTED)
    assert quote.endswith("word …")
    assert len(quote) < QUOTED + 10
    assert quotation("x\n" * QUOTED, [(0, 2 * QUOTED - 1)]).endswith("\n> x …\n> ```")
