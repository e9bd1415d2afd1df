"""The summary of a term: the first sentence of prose of its definition, whatever comes first."""

from __future__ import annotations

import json

import pytest
from glossaries import from_text
from hypothesis import given
from hypothesis import strategies as st
from sites import data_of, export_files, glossary, html, words

from sitegen.site.search.searched_terms import searchables
from sitegen.site.site import Site
from sitegen.text.prose import from_html
from sitegen.text.summary import LIMIT, summary

BLOCKS: dict[str, tuple[str, str]] = {
    "a paragraph": (
        "<p>A boat that floats. It is made of wood.</p>",
        "A boat that floats. It is made of wood.",
    ),
    "text without a paragraph": ("A <em>boat</em> that floats.", "A boat that floats."),
    "a heading": ("<h3>What it is</h3><p>A boat that floats.</p>", "A boat that floats."),
    "sentences without a space": (
        "<p>船は浮く。木でできている。</p>",
        "船は浮く。木でできている。",
    ),
    "two headings": ("<h2>Boat</h2><h4>In short</h4><p>It floats.</p>", "It floats."),
    "a heading in bold": ("<p><strong>What it is</strong></p><p>It floats.</p>", "It floats."),
    "a long form in emphasis": (
        "<p><em>A Boat on Four Sails</em></p><p>It floats.</p>",
        "It floats.",
    ),
    "a heading in bold with a colon": ("<p><b>Meaning:</b></p><p>It floats.</p>", "It floats."),
    "a rubric": ('<p class="rubric">Meaning</p><p>It floats.</p>', "It floats."),
    "a part of speech": ("<p><em>noun</em></p><p>It floats.</p>", "It floats."),
    "a name in bold": ("<p><strong>Boats</strong> float.</p>", "Boats float."),
    "a sentence in bold": ("<p><strong>It floats.</strong></p><p>Or sinks.</p>", "It floats."),
    "a block of code": ("<pre><code>type Boat = Ship</code></pre><p>It floats.</p>", "It floats."),
    "a line of code": ("<p><code>boat(sail)</code></p><p>It floats.</p>", "It floats."),
    "code with signs": (
        "<p><code>boat</code> → <code>ship</code></p><p>It floats.</p>",
        "It floats.",
    ),
    "code with a label": ("<p>Type: <code>Boat</code></p><p>It floats.</p>", "It floats."),
    "code in a sentence": ("<p><code>sail()</code> moves a boat.</p>", "sail() moves a boat."),
    "a formula": ('<div class="math">a + b</div><p>It floats.</p>', "It floats."),
    "a formula in a sentence": ('<p>The <span class="math">n</span>th boat.</p>', "The nth boat."),
    "a picture": ('<p><img src="a.png" alt="A boat"></p><p>It floats.</p>', "It floats."),
    "a picture in a sentence": ('<p><img src="a.png" alt="Boat"> It floats.</p>', "It floats."),
    "a short link": ('<p><a href="/">More</a></p><p>It floats.</p>', "It floats."),
    "a sentence in a link": (
        '<p><a href="/">A boat that floats</a></p><p>See also it.</p>',
        "A boat that floats",
    ),
    "a link alone": ('<p><a href="term:ship">ship</a></p>', "ship"),
    "a table": (
        "<table><tr><th>Kind</th><td>Boat</td></tr></table><p>It floats.</p>",
        "It floats.",
    ),
    "a rule": ("<hr><p>It floats.</p>", "It floats."),
    "a quotation": (
        "<blockquote><p>For ships, see ship.</p></blockquote><p>It floats.</p>",
        "It floats.",
    ),
    "a note": (
        '<div class="note"><p class="note-title">New in 2.0</p><p>Use it.</p></div><p>It floats.</p>',
        "It floats.",
    ),
    "a quotation alone": (
        "<blockquote><p>It floats, said Noah.</p></blockquote>",
        "It floats, said Noah.",
    ),
    "a note alone": (
        '<div class="note"><p class="note-title">Note</p><p>It floats.</p></div>',
        "It floats.",
    ),
    "a remark in brackets": ("<p>(Java Low Level Library)</p><p>It floats.</p>", "It floats."),
    "a remark in brackets alone": ("<p>(Java Low Level Library)</p>", "(Java Low Level Library)"),
    "a label before a sentence": ("<p><strong>Definition</strong>: It floats.</p>", "It floats."),
    "a label alone": ("<p><em>noun</em></p>", "noun"),
    "a list of sentences": (
        "<ol><li>A boat that floats.</li><li>A tray.</li></ol>",
        "A boat that floats.",
    ),
    "a list of paragraphs": (
        "<ul><li><p>A boat that floats.</p><p>More.</p></li></ul>",
        "A boat that floats.",
    ),
    "a list of words before a sentence": ("<ul><li>ship</li></ul><p>It floats.</p>", "It floats."),
    "a list of words with other letters": (
        "<ul><li>Kühlmittel</li></ul><p>It floats.</p>",
        "It floats.",
    ),
    "a list of words": ("<ul><li>a ship</li><li>a tray</li></ul>", "a ship"),
    "a list of parts": (
        "<p>A boat has these parts:</p><ul><li>The keel, below.</li><li>The sail, above.</li></ul>",
        "A boat has these parts…",
    ),
    "descriptions": ("<dl><dt>At sea</dt><dd>A boat that floats.</dd></dl>", "A boat that floats."),
    "nothing but a heading": ("<h3>Boat</h3>", ""),
    "nothing but code": ("<pre>boat()</pre><p><code>ship()</code></p>", ""),
    "nothing but a table": ("<table><tr><td>Boat</td></tr></table>", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("case", BLOCKS)
def test_the_first_prose_counts(case: str) -> None:
    """A summary is never a heading, code, a formula, a picture or a table; notes, quotations, labels
    and words of a list count only if there is no other prose."""
    html, expected = BLOCKS[case]
    assert summary(from_html(html)) == expected


ITEMS = "<ol><li>At sea, a boat that floats.</li><li>In the kitchen, a tray.</li></ol>"


@pytest.mark.parametrize(
    "announcement",
    [
        "The word has two senses, and this glossary uses the last:",
        "There are three common uses of the term:",
        "This term can mean either of these:",
        "May refer to:",
        "One of two things:",
        "Depending on the context:",
        "It has several meanings.",
        "An ambiguous term. It can refer to:",
        "Das Wort hat zwei Bedeutungen:",
        "Ce mot a deux sens :",
        "Puede referirse a:",
        "Pode ter dois significados:",
        "У слова два значения:",
        "次の意味がある：",
        "有两种含义：",
        "له معنيان:",
    ],
)
def test_senses_are_not_announced(announcement: str) -> None:
    """The first sense is shown instead of the sentence that announces senses."""
    definition = from_html(f"<p>{announcement}</p>{ITEMS}")
    assert summary(definition) == "At sea, a boat that floats."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p>The word has two meanings. At sea, a boat. In the kitchen, a tray.</p>",
            "At sea, a boat. In the kitchen, a tray.",
        ),
        ("<p>It has several related meanings.</p><p>At sea, a boat.</p>", "At sea, a boat."),
        ("<p>The term is used in two ways.</p><p>At sea, a boat.</p>", "At sea, a boat."),
        (
            "<p>There are two common uses:</p><ul><li>Sea boats</li><li>Sauce boats</li></ul>"
            "<p>A sea boat floats.</p>",
            "A sea boat floats.",
        ),
        (
            "<p>What floats. There are two kinds:</p><ul><li>A ship of steel.</li></ul>",
            "What floats.",
        ),
        (
            "<p>It has two meanings:</p><ol><li>a boat that floats on water;</li>"
            "<li>a boat for sauce.</li></ol>",
            "a boat that floats on water",
        ),
        ("<p>It has two meanings.</p>", "It has two meanings."),
        ("<p>What floats. The word has two meanings.</p>", "What floats."),
        ("<p>A word with two meanings.</p><p>Also a pun.</p>", "A word with two meanings."),
    ],
)
def test_announcements_in_other_places(html: str, expected: str) -> None:
    """An announcement is left out within a paragraph and before paragraphs, not if it is all there
    is; a definition that speaks of meanings is none."""
    assert summary(from_html(html)) == expected


MORE = "The rest is this:"
"""A sentence that a summary does not join with the one before it."""


@pytest.mark.parametrize(
    "sentence",
    [
        "One thing.",
        "Done, e.g. this one.",
        "An office of the U.S. Treasury in Washington.",
        "Version 1.8 is out.",
        "Is it really?!",
        "State of the art.",
        "Deprecated. It was that.",
        "A number (see sec. 6 of it).",
        "A method (Rev. Five (new). Or six).",
        "Things such as boats, etc.",
        "Ein Ding, z. B. Holz, bzw. Stahl.",
        "Ein Knoten, z. B. ein Server, läuft seit dem 3. Mai.",
        "Ein Verweis auf Art. 5 bzw. Kap. 2.",
        "Une chose (p. ex. Bois).",
        "C’est, p. ex., l’art. 5 du code.",
        "Uma coisa, p. ej. Madera.",
        "Un nodo, p. ej. un servidor, del Sr. García.",
        "Um nó, p. ex. um servidor.",
        "Вещь, т. е. Предмет.",
        "Вещь версии 2. вторая.",
        "Узел, напр. сервер, т. е. машина.",
        "هل هذا شيء؟",
        "العقدة هي جهاز.",
        "노드는 기계입니다.",
        "节点是一台机器。",
        "「何か」と言う。」",
        "ノードとは「機械。」のことです。",
    ],
)
def test_where_a_sentence_ends(sentence: str) -> None:
    """Abbreviations, versions, dates, brackets and quotations end no sentence; one word alone is
    none."""
    following = "残りはこれ：" if sentence.endswith(("。", "」")) else f" {MORE}"
    assert summary(from_text(sentence + following)) == sentence
    assert summary(from_text(f"{sentence}\n\n{MORE}")) == sentence


def test_a_short_sentence_takes_a_second_one() -> None:
    """A summary has a second sentence if the first has fewer than 60 characters and both have room;
    after at most four words it has the beginning of the second one."""
    two = "A queue is a line. It is first in, first out."
    assert summary(from_text(f"{two} It has ends.")) == two
    long = "A sentence that has more than sixty characters, which is enough for a line."
    assert summary(from_text(f"{long} Two.")) == long
    assert summary(from_text(f"{long} queue.Queue is one.")) == long
    five = "A queue is a line. "
    assert summary(from_text(f"{five}{long * 2}")) == five.strip()
    assert summary(from_text(f"First in. {long} {long}")).startswith("First in. A sentence that")


def test_a_long_sentence_is_cut_at_a_word() -> None:
    """A sentence of more than 140 characters is cut between words, with an ellipsis, not after an
    abbreviation."""
    found = summary(from_text("word " * 60))
    assert found == "word " * 27 + "word…"
    assert len(summary(from_text("語" * 200))) == LIMIT
    filled = "letter " * 19
    assert summary(from_text(f"{filled}(e.g. {filled})")) == f"{filled.strip()}…"
    assert summary(from_text(f"{filled}end. go on and on")) == f"{filled}end."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>A loop of:</p><p>this and that.</p>", "A loop of: this and that."),
        ("<p>A loop of:</p><pre>code</pre>", "A loop of…"),
        ("<p>A loop of:</p><table><tr><td>x</td></tr></table>", "A loop of…"),
        ("<p>A loop of:</p><ul><li>this</li></ul>", "A loop of…"),
        ("<p>A loop of:</p>", "A loop of…"),
        ("<p>A loop of:</p><p><code>x</code></p>", "A loop of…"),
        (
            "<p>A loop of:</p><div class='note'><p class='note-title'>Note</p><p>Wait.</p></div>",
            "A loop of…",
        ),
    ],
)
def test_what_follows_a_colon(html: str, expected: str) -> None:
    """A paragraph that ends in a colon is joined with a paragraph of words only, not with code, a
    table, a list or the title of a note."""
    assert summary(from_html(html)) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>See <a href='term:ship'>ship</a>. It floats.</p>", "It floats."),
        ("<p>It floats. See also ship.</p>", "It floats."),
        ("<p><b>Synonyms</b>: ship, vessel.</p><p>It floats.</p>", "It floats."),
        ("<p>See also: ship.</p><p>It floats.</p>", "It floats."),
        ("<p>Zobacz też: ship.</p><p>It floats.</p>", "It floats."),
        ("<p>Pronunciation: boht.</p><p>It floats.</p>", "It floats."),
        ("<p><b>Etymology:</b> Old English.</p><p>It floats.</p>", "It floats."),
        ("<p>(see also ship)</p><p>It floats.</p>", "It floats."),
        ("<p>→ see ship</p><p>It floats.</p>", "It floats."),
        ("<p>What it is</p><p>It floats.</p>", "It floats."),
        ("<p>Definition:</p><p>It floats.</p>", "It floats."),
        ("<p>Siehe Schiff.</p><p>Es schwimmt.</p>", "Es schwimmt."),
        ("<p>船を参照してください。</p><p>浮くもの。</p>", "浮くもの。"),
        ("<p>See <a href='term:ship'>ship</a>.</p>", "See ship."),
        (
            "<p>It refers to a boat that floats.</p><ul><li>See also the ship.</li></ul>",
            "It refers to a boat that floats.",
        ),
    ],
)
def test_sentences_that_tell_nothing(html: str, expected: str) -> None:
    """References and labels with synonyms count only if there is no other prose."""
    assert summary(from_html(html)) == expected


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>It floats. ",
                "</p>",
                "<h3>Boat",
                "</h3>",
                "<pre>x",
                "</pre>",
                "<ul><li>a b c d",
                "</li></ul>",
                "<b>",
                "</b>",
                "<br>",
                "<code>y</code>",
                "two meanings:",
                "<blockquote>",
                "</blockquote>",
            ]
        ),
        max_size=12,
    )
)
def test_a_summary_is_short_and_on_one_line(pieces: list[str]) -> None:
    """A summary of any markup has one line of at most 140 characters, and none of its code blocks
    or headings alone."""
    found = summary(from_html("".join(pieces)))
    assert len(found) <= LIMIT
    assert "\n" not in found


SAID = "A boat that floats on water and carries goods for those who have paid."
HEADED = f"<h3>What it is</h3><pre>type Boat</pre><p>{SAID} It has a sail.</p>"


@pytest.fixture(scope="module")
def site() -> Site:
    """A glossary with a definition that begins with a heading and code."""
    releases = {
        "1": {"Ships/ ship": "Large."},
        "2": {"Ships/ ship": "Large.", "Ships/ boat": HEADED},
    }
    return glossary(releases, base_url="https://example.org/", exports=("abbreviations", "links"))


@pytest.mark.parametrize("address", ["", "a-z/", "section/ships/", "release/2/", "compare/1/"])
def test_lists_have_the_summary(site: Site, address: str) -> None:
    """The first page, A–Z, sections, releases and comparisons show the summary, and no heading or
    code of the definition."""
    shown = words(html(site, address).find(".//main"))
    assert SAID in shown
    assert "What it is" not in shown
    assert "type Boat" not in shown


def test_link_previews_have_the_summary(site: Site) -> None:
    """The description of a page and its structured data have the summary."""
    head = html(site, "term/boat/").find("head")
    assert head.xpath("meta[@name='description']/@content") == [f"{SAID} New in 2"]
    (data,) = head.xpath("script[@type='application/ld+json']/text()")
    assert json.loads(data)["description"] == SAID
    frozen = html(site, "term/boat/2/").xpath("head/meta[@name='description']/@content")
    assert frozen[0].startswith(f"As of 2: {SAID} These words: 2 (latest)")


def test_data_have_the_summary(site: Site) -> None:
    """llms.txt, abbreviations.md, the search, glossary.json, the file of a term and the API have the
    same summary."""
    files = {file.path: file.content.decode(errors="replace") for file in export_files(site)}
    assert f"): {SAID}\n" in files["llms.txt"]
    assert f"*[boat]: {SAID}\n" in files["abbreviations.md"]
    found = {one.name: one.sentence for one in searchables(site)}
    assert found["boat"] == SAID
    for row in (
        json.loads(files["glossary.json"])["terms"][0],
        json.loads(files["term/boat/index.json"]),
    ):
        assert row["definition"]["summary"] == row["wordings"][0]["summary"] == SAID
    assert data_of(site).find("boat").term.summary == SAID
