"""Marks around runs of words in the HTML of a definition."""

from __future__ import annotations

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from sites import glossary, markup

from sitegen.site.pages.marked_wordings import MarkedRun, marked
from sitegen.text.prose import from_html

BLOCKS = (
    "<p>A &lt;named&gt; <b>pointer</b>.</p>",
    "<ul><li>first</li><li>second &amp; last</li></ul>",
    "<pre>if x:\n    y = 'é'</pre>",
    '<div class="note"><p class="note-title">Note</p><p>Mind the <code>gap()</code>.</p></div>',
    "<table><tr><td>one</td><td>two</td></tr></table>",
    "<p>kept&nbsp;together</p>",
    "<p>ends<br>here, <a href='term:x'>x</a>y</p>",
)


def mark(text: str, number: int) -> MarkedRun:
    return MarkedRun(text, f'<span class="m{number}">', "</span>", after=f"<small>{number}</small>")


def check(html: str, *texts: str) -> str:
    return str(marked(Markup(html), [mark(text, number) for number, text in enumerate(texts)]))


@pytest.mark.parametrize(
    ("html", "texts", "expected"),
    [
        (
            "<p>one two</p>",
            ("one ", "two"),
            '<p><span class="m0">one</span><small>0</small> <span '
            'class="m1">two</span><small>1</small></p>',
        ),
        (
            "<p>a <b>b c</b> d</p>",
            ("a b ", "c d"),
            '<p><span class="m0">a </span><b><span class="m0">b</span><small>0</small> <span '
            'class="m1">c</span></b>'
            ' <span class="m1">d</span><small>1</small></p>',
        ),
        (
            "<p>x &lt; y</p>",
            ("x <", " y"),
            '<p><span class="m0">x &lt;</span><small>0</small> <span '
            'class="m1">y</span><small>1</small></p>',
        ),
        (
            '<p>a <math data-tex="x &lt; 1"><mi>x</mi></math> b</p>',
            ("a x ", "< 1 b"),
            '<p><span class="m0">a </span><span class="m0"><math data-tex="x &lt; '
            '1"><mi>x</mi></math></span>'
            '<small>0</small> <span class="m1">b</span><small>1</small></p>',
        ),
    ],
)
def test_a_run_is_marked_in_every_element_it_runs_through(
    html: str, texts: tuple[str, ...], expected: str
) -> None:
    """Marks are split at tags, leave out white space at their edges, and are followed by a
    label."""
    assert check(html, *texts) == expected


def test_what_is_beside_a_run_is_outside_of_its_code() -> None:
    """HTML before and after a run that begins and ends with an inline element is outside of that
    element."""
    runs = (
        MarkedRun("a ", after="<i>1</i>"),
        MarkedRun("b ", "<ins>", "</ins>", "<i>2</i>", "<i>3</i>"),
        MarkedRun("c"),
    )
    html = marked(Markup("<p>a <code>b</code> c</p>"), runs)
    assert html == "<p>a<i>1</i> <i>2</i><code><ins>b</ins></code><i>3</i> c</p>"


def test_what_is_before_a_run_is_beside_its_words() -> None:
    """A formula is part of the run in which it begins. HTML before a run that begins at its end is
    before the first word after it."""
    runs = (MarkedRun("x+"), MarkedRun("y cat", "<ins>", "</ins>", "<i>1</i>", "<i>2</i>"))
    formula = '<math data-tex="x+y"><mi>x</mi></math>'
    html = marked(Markup(f"<p>{formula} <b>cat</b></p>"), runs)
    assert html == f"<p>{formula} <i>1</i><b><ins>cat</ins></b><i>2</i></p>"


def test_signs_after_a_run_are_escaped_once() -> None:
    """The text after a run is written as it is, also if what is after the run is known as HTML."""
    runs = (MarkedRun("a ", after=Markup("<i>1</i>")), MarkedRun('"b" & c'))
    html = marked(Markup('<p>a "b" &amp; <b>c</b></p>'), runs)
    assert html == '<p>a<i>1</i> "b" &amp; <b>c</b></p>'


@given(
    st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=4),
    st.lists(st.integers(0, 200), max_size=4),
)
def test_any_definition_can_be_marked_anywhere(blocks: list[str], places: list[int]) -> None:
    """Each run's words are in its marks; without the marks, the HTML is unchanged."""
    prose = from_html("".join(blocks))
    cuts = sorted({place for place in places if 0 < place < len(prose.text)})
    runs = [
        prose.text[start:end]
        for start, end in zip([0, *cuts], [*cuts, len(prose.text)], strict=True)
    ]
    runs = [run for run in runs if run.strip()]
    html = check(prose.html, *runs)
    tree = lxml.html.fragment_fromstring(html, create_parent=True)
    for number, run in enumerate(runs):
        result = "".join(element.text_content() for element in tree.find_class(f"m{number}"))
        assert "".join(result.split()) == "".join(run.split())
    for number in range(len(runs)):
        html = html.replace(f'<span class="m{number}">', "").replace(f"<small>{number}</small>", "")
    assert html.replace("</span>", "") == prose.html.replace("</span>", "").replace(
        "&nbsp;", "\xa0"
    )


def test_a_word_that_began_an_item_is_shown_in_that_item() -> None:
    """Words that nothing replaces come before the next words if they began a line."""
    before = "<ul><li>Keeps all wood dry</li><li>big boards too</li><li>and other things</li></ul>"
    after = before.replace("big ", "")
    site = glossary({"1.0": {"shed": before}, "1.1": {"shed": after}})
    assert "<li><del>" in markup(site, "term/shed/")


STEPS = "<h3>Steps</h3><p>Cut it.</p><ul><li>Dry it<ol><li>twice</li></ol></li></ul><pre>glue</pre>"


@pytest.mark.parametrize(
    ("before", "after", "closed"),
    [
        # The last unchanged part, as a heading, is shown where another change follows.
        (f"<p>Oak.</p>{STEPS}<h3>Use</h3><p>A bed.</p>", "A bed", ["Cut it.", "twice", "glue"]),
        (f"<p>A bed.</p>{STEPS}", "A bed", ["Steps", "Cut it.", "glue"]),
        ("<p>A bed.</p><p>Oak.</p><p>Elm.</p><p>Ash.</p>", "A bed", []),
    ],
)
def test_long_parts_without_changes_are_closed(before: str, after: str, closed: list[str]) -> None:
    """In a difference, a line with their number opens them; nothing is left out."""
    site = glossary({"1.0": {"shed": before}, "1.1": {"shed": before.replace(after, "A red bed")}})
    [marks] = lxml.html.fromstring(markup(site, "term/shed/")).find_class("difference")
    details = marks.findall("details")
    assert len(details) == bool(closed)
    for part in details:
        text = part.text_content()
        assert part.findtext("summary") == f"{len(part) - 1} unchanged parts"
        assert [one for one in closed if one not in text] == []
        assert part.xpath(".//ins | .//del") == []
        part.find("summary").drop_tree()
    for sign in marks.find_class("visually-hidden"):
        sign.drop_tree()
    new = lxml.html.fromstring(before.replace(after, "A red bed")).text_content()
    assert marks.text_content().split() == new.split()


def test_the_number_of_closed_parts_is_in_the_language_of_the_interface() -> None:
    """The definition around it may be in another language, of another direction."""
    words = "<p>A bed.</p><p>Oak.</p><p>Elm.</p><p>Ash.</p><p>Fir.</p>"
    releases = {"1.0": {"shed": words}, "1.1": {"shed": words.replace("bed", "red bed")}}
    page = lxml.html.fromstring(markup(glossary(releases, language="sv"), "term/shed/"))
    [marks] = page.find_class("difference")
    [line] = marks.iter("summary")
    assert (marks.get("lang"), line.get("lang"), line.get("dir")) == ("sv", "en", "auto")


def test_the_title_of_a_note_stays_open() -> None:
    """A reader sees of what the closed parts are: of a note."""
    note = '<p class="note-title">Note</p><p>Oak.</p><p>Elm.</p><p>Ash.</p><p>Fir.</p>'
    words = f'<p>A bed.</p><div class="note">{note}</div>'
    site = glossary({"1.0": {"shed": words}, "1.1": {"shed": words.replace("bed", "red bed")}})
    [marks] = lxml.html.fromstring(markup(site, "term/shed/")).find_class("difference")
    [details] = marks.findall(".//details")
    assert [title.text for title in marks.find_class("note-title")] == ["Note"]
    assert details.getparent().get("class") == "note"
    assert "Note" not in details.text_content()


def test_a_difference_without_marks_is_open() -> None:
    """White space in code is words that changed, but has no marks."""
    code = "<pre><code>a  b</code></pre><p>Oak.</p><p>Elm.</p><p>Ash.</p>"
    site = glossary({"1.0": {"shed": code}, "1.1": {"shed": code.replace("  ", " ")}})
    [marks] = lxml.html.fromstring(markup(site, "term/shed/")).find_class("difference")
    assert marks.findall("details") == []
