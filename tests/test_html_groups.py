"""A page that is cut into groups gives the same entries as the whole page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen import formats
from sitegen.formats.common.passages import Block
from sitegen.formats.html import clean, html_reader
from sitegen.formats.html.html_blocks import blocks
from sitegen.formats.html.html_reader import CutPage
from sitegen.model import Document

WORDS = [
    *("word", "a &lt; b", "&amp;c", "\n", "é", "<p>one</p>", "<code>x</code>", "<em>y</em>", '<a href="#a">b</a>'),
    *("<a href='page.html#c'>d</a>", "<ul>\n<li>e</li>\n</ul>", "<pre>f\n g</pre>", "<p>n<p>o"),
    *('<div class="note"><p>k</p></div>', '<a class="headerlink" href="#l">¶</a>', '<span hidden="">m</span>'),
    *("<div\nclass=q>r</div>", "<table><tr><td>s</td></tr></table>", '<img src="i" alt="j">', "<br>"),
    '<div class="highlight-c"><pre>t</pre></div>',
]
BROKEN = [
    *"</div> </p> <b> </b> <div> </dd> <dd> <dt> </dl> <dl> <!-- --> < > & <script> </script> <textarea> \0".split(),
    *(
        "<p>x<ul><li>y</ul></p>",
        "<h2>u</h2>",
        "<li>v",
        "<div><p></div>",
        "<p><div></p></div>",
        '<p role="main">w</p>',
    ),
    *("<dl><dt>in</dt><dd>deeper</dd></dl>", "<table><dl>", "<a href=\n#z>z</a>", '<a title="', '">', "<P>z</P>"),
    '<p role="main">w</p>',
    *("<aside>one</aside>", '<h4 id="toc">two</h4>', '<aside class="note"><p>three</p></aside>'),
    *"<p/> <main> </li> <td> <form> <select> <svg> </html>".split(),
]
BETWEEN = [
    *("", "", "", "\n", "\n\n", "<dt>A</dt>", "<dd>B</dd>", "<dt></dt>", '<dt id="x"></dt>\n', "<!-- c -->\n"),
    *("</dl>\n<h2>Next</h2>\n<dl>\n", "<div></div>\n", "</dl><dl class='highlight-python'>", "<ul><li><dl>"),
    *('<dt class="menu">T</dt>', '<dd id="toc">U</dd>', "<aside>V</aside>", "</dl><h3>W</h3><aside>X</aside><dl>"),
    *("<dt hidden>C</dt>", "<dd hidden>D</dd>", "<dd><dl>", "</dl></dd>", "<nav><dl>", '<a title="', '">', "\r\n"),
    *"text <div> </div> </dl> <dl> </nav> <section> </section> <!-- --> <h2>Heading</h2> <p>x</p> <p><b>".split(),
]
PAGES = [
    *("<dl>\n{}</dl>", "<!doctype html><title>Glossary</title><nav>x</nav><main><h1>T</h1>\n<dl>{}</dl></main>"),
    *("<html><body><h1>Glossary</h1><div class='sidebar'><dl>{}</dl></div><h2>See also</h2><p>x</p>", "<html>{}"),
    "<html><body><div><div><dl><div>{}</div></dl></div></div></body></html>",
]
result = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("".join)
hard = st.lists(st.sampled_from(WORDS + BROKEN), max_size=3).map("".join)


def group(names: list[str], definitions: list[str], space: str) -> str:
    listed = [f'<dt id="i">{name}</dt>{space}' for name in names]
    return "".join([*listed, *(f"<dd>{definition}</dd>{space}" for definition in definitions)])


def groups(words: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(words, min_size=1, max_size=2)
    return st.builds(group, several, several, st.sampled_from(["", "\n", "\n\n  "]))


def pages(words: st.SearchStrategy[str], between: list[str]) -> st.SearchStrategy[str]:
    parts = st.lists(st.tuples(groups(words), st.sampled_from(between)).map("".join), max_size=5).map("".join)
    return st.builds(str.replace, st.sampled_from(PAGES), st.just("{}"), parts)


def document(text: str) -> Document:
    return Document(source="s", release="r", path="page.html", name="page.html", text=text)


def blocks_of(cut: CutPage) -> list[Block] | None:
    """Returns the blocks of a page, without the lines of texts, which no result uses."""
    page = clean.parsed(cut.text)
    lines = cut.lines(page) if page is not None else {}
    if lines is None:
        return None
    content = clean.content(page)
    clean.tidy(content, own_name="page.html")
    filled = cut.filled(blocks(content), lines)
    return None if filled is None else [replace(block, line=block.line if block.level else 0) for block in filled]


def check(text: str) -> None:
    one = document(text)
    assert html_reader.outline_of(one) == html_reader.outline_of_whole(one)
    if clean.parsed(text) is not None:
        assert blocks_of(html_reader.cut_page(text, "page.html")) in (None, blocks_of(CutPage(text, ())))


@given(pages(result, ["", "\n", "</dl>\n<h2>Next</h2>\n<dl>\n"]))
def test_groups_read_as_the_page_does(text: str) -> None:
    """A page read in groups gives the same blocks as the whole page."""
    check(text)


@given(pages(hard, BETWEEN))
@example("<dl><dt></dt>\n\n<dt>A</dt><dd>one</dd>\n<dt>B</dt><dd>two</dd></dl>")
@example("<html><div><p>x</p><dl><dt>A</dt><dd>a</div></dd><dt>B</dt><dd>b</dd></dl></div><p>y</p>")
@example("<dl><dt>A</dt><dd>a</dd><dd>b <dl><dt>n</dt><dd>m</dd></dl></dd><dt>B</dt><dd>c</dd></dl>")
def test_broken_pages_read_as_a_whole(text: str) -> None:
    """The same holds with tags missing or misplaced in a group or around it."""
    check(text)


def test_a_group_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of one definition, only its group and the page around the groups are parsed."""
    parsed: list[str] = []
    parse = clean.parsed

    def noting(text: str) -> clean.Element | None:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(clean, "parsed", noting)
    for words in ("a thing", "a thing,\nat last"):
        text = f"<dl>\n<dt>A</dt>\n<dd>{words}</dd>\n<dt id=b>B</dt>\n<dd><p>Another.</p></dd>\n</dl>\n"
        reading = formats.read(document(text))
        assert [(entry.name, entry.line) for entry in reading.entries] == [("A", 2), ("B", 4 + words.count("\n"))]
    assert [text.count("<dd>a thing") + text.count("Another") for text in parsed] == [1, 1, 0, 1, 0]


def test_real_pages_read_the_same(shared: Path) -> None:
    """Every real HTML page gives the same blocks in groups and as a whole."""
    paths = sorted(shared.rglob("*.html"))
    assert len(paths) > 3
    for path in paths:
        check(path.read_text(encoding="utf-8", errors="replace"))
