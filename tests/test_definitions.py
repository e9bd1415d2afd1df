"""Definitions on a page: references, links that lead nowhere, code."""

from __future__ import annotations

import re
from html import escape, unescape

import lxml.html
import pytest
from glossaries import source
from sites import site_of

from sitegen.site.definitions import (
    MAX_HIGHLIGHTED,
    LinkAddresses,
    definition_html,
    link_addresses,
)
from sitegen.text.prose import from_html, reference_href

ADDRESSES = {"volume": "../../term/volume/index.html", "odd": "../../term/odd\"&'/index.html"}


def shown(html: str) -> str:
    return definition_html(from_html(html), LinkAddresses(ADDRESSES.get))


def check(html: str, expected: str) -> None:
    assert shown(html) == expected


def reference(name: str, text: str) -> str:
    return f'<a href="{reference_href(name)}">{text}</a>'


def test_a_reference_becomes_a_link() -> None:
    """A mention of a term links to its page, with a class of its own."""
    check(
        f"<p>A {reference('volume', 'volume')}.</p>",
        '<p>A <a class="term" href="../../term/volume/index.html">volume</a>.</p>',
    )


def test_only_the_first_mention_is_a_link() -> None:
    """Later mentions of the same term are plain text."""
    check(
        f"<p>{reference('volume', 'Volumes')} and <em>{reference('volume', 'a volume')}</em></p>",
        '<p><a class="term" href="../../term/volume/index.html">Volumes</a> and <em>a '
        "volume</em></p>",
    )


def test_a_dangling_reference_becomes_text() -> None:
    """A mention of an undefined term keeps its words and its markup, and is no link."""
    check(
        f"<p>{reference('nobody', 'the <code>nobody</code>')} here</p>",
        "<p>the <code>nobody</code> here</p>",
    )


def test_links_into_the_document_become_text() -> None:
    """An address relative to the source document means nothing here; one on the web stays."""
    check(
        '<p><a href="../x.html">one</a> <a href="#y">two</a> <a href="//z.example">three</a> '
        "<a>four</a>"
        ' <a href="https://example.org/?a=1&amp;b">five</a> <a '
        'href="mailto:a@example.org">six</a></p>',
        '<p>one two three four <a href="https://example.org/?a=1&amp;b">five</a>'
        ' <a href="mailto:a@example.org">six</a></p>',
    )


def test_an_address_is_escaped() -> None:
    """An address with quotes in it cannot break out of its attribute."""
    html = shown(f"<p>{reference('odd', 'x')}</p>")
    assert re.fullmatch(r'<p><a class="term" href="[^"<>]*">x</a></p>', html)
    assert unescape(html).count(ADDRESSES["odd"]) == 1


def test_images_are_those_of_the_site() -> None:
    """An image that was copied into the site is shown from its root, with its words as the
    alternative text."""
    read = source("shop", {"1.0": {"saw": "Cuts."}})
    prose = from_html("<p><img src='image/1f.png' alt='A &quot;saw&quot;'></p>")
    (entry,) = read.releases[0].entries
    addresses = link_addresses(site_of(read), entry, root="../../", term=ADDRESSES.get)
    assert definition_html(prose, addresses) == (
        '<p><img alt="A &quot;saw&quot;" src="../../image/1f.png" loading="lazy"></p>'
    )


def test_a_title_with_brackets_is_no_tag() -> None:
    """A link whose title holds brackets and quotes is still one tag."""
    check('<p><a href="x" title="a > b &quot; <c>">text</a></p>', "<p>text</p>")


def test_a_formula_becomes_mathml() -> None:
    """LaTeX is MathML on a page, with its source beside it; a block of it stays a block."""
    assert shown('<p>An <span class="math">x_1 &lt; 2</span>.</p>') == (
        '<p>An <math data-tex="x_1 &lt; 2" display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub>'
        "<mo>&lt;</mo><mn>2</mn></mrow></math>.</p>"
    )
    assert shown('<div class="math">\\frac{a}{b}</div>').startswith(
        '<div class="math"><math data-tex="\\frac{a}{b}"'
    )


@pytest.mark.parametrize(
    "source",
    [
        r"\frac{",
        r"\unknown{x}",
        r"\text{<b>x</b>}",
        r"\boxed{x}",
        "{" * 900 + "}" * 900,
        "x" * 2_001,
    ],
)
def test_a_formula_that_is_not_understood_is_its_source(source: str) -> None:
    """What cannot be converted completely, or asks for more than MathML Core, is shown as it was
    written."""
    html = f'<p><span class="math">{escape(source, quote=False)}</span></p>'
    check(html, html)


@pytest.mark.parametrize(
    "source",
    [r"\href{javascript:alert(1)}{x}", r"\style{background:url(//evil)}{x}", r"\class{a}{x}"],
)
def test_a_formula_carries_no_link_and_no_style(source: str) -> None:
    """Of a hostile formula only elements and attributes of MathML Core are kept, beside its source
    as a value."""
    formula = lxml.html.fragment_fromstring(
        shown(f'<p><span class="math">{escape(source)}</span></p>')
    ).find("math")
    assert {name for part in formula.iter() for name in part.attrib} == {"data-tex", "display"}


def test_images_and_other_documents_get_addresses() -> None:
    """A copied image is shown with its words, a link to a file leads where it is; without an
    address words stay."""
    places = {"image/ab.png": "../../image/ab.png", "a.md#b": "https://example.org/a.md#b"}
    html = (
        '<p><img src="image/ab.png" alt="A &quot;box&quot;"> <img src="no.png" alt="a saw">'
        ' <a href="a.md#b">a</a> <a href="no.md">no</a></p>'
    )
    assert definition_html(from_html(html), LinkAddresses(ADDRESSES.get, places.get)) == (
        '<p><img alt="A &quot;box&quot;" src="../../image/ab.png" loading="lazy"> a saw'
        ' <a href="https://example.org/a.md#b">a</a> no</p>'
    )


def test_named_code_is_colored() -> None:
    """Code whose language its source names is colored, and says the same to the letter."""
    html = shown('<pre><code class="language-python">if a &lt; b:\n    pass</code></pre>')
    assert '<span class="k">if</span>' in html
    assert re.sub(r"<[^>]+>", "", html) == "if a &lt; b:\n    pass"


def test_unnamed_code_is_left_alone() -> None:
    """Code without a language, or with an unknown one, is not highlighted."""
    check("<pre><code>if a:</code></pre>", '<pre tabindex="0"><code>if a:</code></pre>')
    check(
        '<pre><code class="language-klingon">if a:</code></pre>',
        '<pre tabindex="0"><code class="language-klingon">if a:</code></pre>',
    )


def test_code_and_tables_scroll_by_keyboard() -> None:
    """Code and tables, which may be wider than a phone, are stops of the keyboard."""
    check(
        "<table><tr><td>x</td></tr></table>",
        '<table tabindex="0"><tbody><tr><td>x</td></tr></tbody></table>',
    )


def test_very_long_code_is_left_alone() -> None:
    """Code above the limit stays plain."""
    html = shown(f'<pre><code class="language-python">{"x = 1;" * MAX_HIGHLIGHTED}</code></pre>')
    assert "<span" not in html


def test_hostile_code_stays_text() -> None:
    """Markup inside code is shown and never taken for markup."""
    html = definition_html(
        from_html(
            '<pre><code class="language-html">&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>'
        ),
        LinkAddresses(ADDRESSES.get, ADDRESSES.get),
    )
    assert "<script" not in html
    assert "alert" in html
