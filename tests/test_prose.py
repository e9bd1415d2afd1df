"""Definitions in three forms, and the sanitizer on hostile ones."""

from __future__ import annotations

import pytest
from glossaries import from_text
from hypothesis import given
from hypothesis import strategies as st

from sitegen.text.prose import from_html, reference_href, reference_target, without_headings


def test_three_forms_of_a_definition():
    """A definition has clean HTML, plain text with code ranges, and references."""
    made = from_html(
        f'<p>A <code>mm</code> of a <a href="{reference_href("Leaf Op")}">leaf\n '
        f"op</a>.</p><ul><li>x</ul>"
    )
    assert made.html == (
        '<p>A <code>mm</code> of a <a href="term:Leaf%20Op">leaf op</a>.</p><ul><li>x</li></ul>'
    )
    assert made.text == "A mm of a leaf op.\n\nx"
    assert [made.text[start:end] for start, end in made.code] == ["mm"]
    assert [(r.target, r.text) for r in made.references] == [("Leaf Op", "leaf op")]


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href="javascript:alert(1)">x</a>',
        '<a href="JaVa\tScRiPt:alert(1)">x</a>',
        '<p onclick="alert(1)" style="background:url(x)">x</p>',
        "<svg><script>alert(1)</script></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></math>",
        '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>',
        '<a href="data:text/html,x">x</a>',
        '<code class="x&quot; onmouseover=alert(1)">x</code>',
        "<base href=//evil.example><form action=//evil.example><button>x</button></form>",
        '<div id="location" name="cookie">x</div>',
    ],
)
def test_hostile_html_is_inert(hostile: str):
    """No script, handler, style, frame, form, id or dangerous address survives."""
    html = from_html(f"<p>before</p>{hostile}<p>after</p>").html.lower()
    dangers = (
        "<script",
        "javascript",
        "onerror",
        "onclick",
        "onmouse",
        "<iframe",
        "style",
        "data:",
        " id=",
        "<form",
        "<svg",
    )
    for danger in dangers:
        assert danger not in html
    assert "before" in html
    assert "after" in html


def test_a_definition_without_its_headings() -> None:
    """Headings and rubrics go, with their code; a definition without any, or of headings alone,
    stays as it is."""
    text = "<p>Run <code>a</code>.</p>"
    assert without_headings(from_html(text)) == from_html(text)
    headed = from_html(f'<h3>The <code>b</code></h3>{text}<p class="rubric">Why</p><h5>How</h5>')
    assert without_headings(headed) == from_html(text)
    only_heading = from_html("<h3>Why</h3>")
    assert without_headings(only_heading) == only_heading


def test_images_become_links_to_them():
    """An image is shown as a link with its alternative text; a page loads nothing from
    elsewhere."""
    assert from_html('<p><img src="a/b.png" alt="a plot"></p>').html == (
        '<p><a class="image" href="a/b.png">a plot</a></p>'
    )


def test_an_image_that_leads_to_an_image_is_the_image():
    """A link from an image of the repository to a larger one is dropped; any other link shows the
    image's words."""
    shown = "".join(
        from_html(f'<p><a href="{to}"><img alt="a plot" src="{image}"></a></p>').html
        for to, image in (("b-large.PNG", "b.png"), ("https://example.org/b.svg?raw=1", "b.png"))
    )
    assert shown == '<p><a class="image" href="b.png">a plot</a></p>' * 2
    linked = from_html(
        '<p><a href="https://example.org"><img alt="a plot" src="b.png"></a></p>'
    ).html
    assert linked == '<p><a href="https://example.org"><span>a plot</span></a></p>'


def test_what_nobody_sees_is_in_no_form():
    """Invisible characters are removed, unless they shape letters or are in code."""
    for spelled in ("&shy;", "&#173;", "&#xAD;", "\xad"):
        made = from_html(
            f"<p>An ab{spelled}bey, <code>&amp;shy;</code> می\u200cخواهم</p><pre>{spelled}</pre>"
        )
        assert made == from_html("<p>An abbey, <code>&amp;shy;</code> می\u200cخواهم</p><pre></pre>")


@pytest.mark.parametrize("spelled", ["\u202e", "&#8238;", "\x1b", "&#27;"])
def test_attributes_have_no_invisible_characters(spelled: str) -> None:
    """Control characters and direction marks are removed from titles, however they are spelled."""
    read = from_html(f'<abbr title="A l{spelled}eaf">L</abbr>')
    assert read.html == '<abbr title="A leaf">L</abbr>'


def test_escape_sequences_are_removed_as_a_whole() -> None:
    """Nothing of a terminal's escape sequence is left in a definition."""
    assert from_html("<p>A \x1b[31mleaf.</p>").text == "A leaf."


def test_code_blocks_keep_their_shape():
    """White space in code blocks stays, except blank lines around it and spaces at line ends."""
    made = from_html('<pre><code class="language-python">\nif x:  \n    y\n\n</code></pre>')
    assert made.html == '<pre><code class="language-python">if x:\n    y</code></pre>'


@pytest.mark.parametrize(
    "html",
    [
        "<pre><b>Usage:</b> jig [options]</pre>",
        "<pre>$ <b>make</b></pre>",
        "<pre><code>make</code>\njig</pre>",
    ],
)
def test_code_keeps_the_text_around_its_markup(html: str) -> None:
    """Only blank lines around code are left out."""
    assert from_html(html).html == html


def test_an_image_without_a_file_is_no_link() -> None:
    """An image that has no file is replaced by its words."""
    assert from_html('<p><img alt="A jig"> holds.</p>').html == "<p><span>A jig</span> holds.</p>"


def test_text_survives_any_depth():
    """Too deep nesting is flattened, and its words stay."""
    for depth in (70, 300, 10_000):
        assert from_html("<blockquote>" * depth + "deep words").text == "deep words"


def test_same_words_give_the_same_html_however_lines_were_wrapped():
    """Line breaks of the source do not matter outside code."""
    assert from_html("<p>a\nb  <b>c</b>\n</p>\n").html == from_html("<p>a b <b>c</b></p>").html


@given(st.text(max_size=200))
def test_any_text_is_readable_and_repeatable(text: str):
    """No text raises an error, and the result is always the same."""
    assert from_html(text) == from_html(text)
    assert "<script" not in from_text(text).html


@given(st.text(min_size=1, max_size=40))
def test_references_carry_any_name(name: str):
    """A reference keeps any characters of its name, with white space folded."""
    name = "".join(sign for sign in name if sign.isprintable())
    assert (
        reference_target(reference_href(name)) == " ".join(name.split(" ")).strip() or "  " in name
    )


def test_many_line_breaks_are_no_depth() -> None:
    """Empty elements do not count as nesting."""
    read = from_html("<p>" + "a<br>" * 300 + "<em>b</em> <img src='x.png' alt='c'></p>")
    assert read.html.count("<br>") == 300
    assert "<em>b</em>" in read.html


@pytest.mark.parametrize(
    "html", ['<code class="note-title">x</code>', '<p>a <kbd class="note-title">b</kbd></p>']
)
def test_code_as_the_title_of_a_note(html: str) -> None:
    """Code of the class of titles is no text, and no error either."""
    assert from_html(html).code == ()
