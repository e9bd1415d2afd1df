"""Comparing definitions by their words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from glossaries import from_text
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.model import Prose
from sitegen.text.differing_words import MAX_WORDS, Wording, difference, seen_words
from sitegen.text.prose import from_html
from sitegen.text.words import (
    _have_same_code,
    case_folded,
    compare,
    folded_words,
    same_words,
    word_spans,
    words_of,
)


def prose(text: str) -> Prose:
    return from_html(text) if text.startswith("<") else from_text(text)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("A tensor.", "A tensor.", "unchanged"),
        ("A  tensor\nlibrary.", "A tensor library.", "unchanged"),
        ("A “Tensor Library”.", 'a "tensor library"', "reformatted"),
        ("multi-dimensional — data", "multi dimensional data", "reformatted"),
        ("<p>A <b>leaf</b></p>", "<p>A <em>leaf</em></p>", "reformatted"),
        ('<p><a href="a.md">x</a></p>', '<p><a href="b.md">x</a></p>', "reformatted"),
        ("<p>単語の間に\nの空白</p>", "<p>単語の間にの空白</p>", "reformatted"),
        ("<p>単語の <b>間</b> に</p>", "<p>単語の間に</p>", "reformatted"),
        ("<p>単語\nAPI</p>", "<p>単語API</p>", "reworded"),
        ("<ul><li>犬</li><li>猫</li></ul>", "<p>犬猫</p>", "reworded"),
        ("<p>한국 어</p>", "<p>한국어</p>", "reworded"),
        ("A tensor.", "A tensors.", "reworded"),
        ("a value of -1", "a value of 1", "reworded"),
        ("C++ code", "C code", "reworded"),
        ("50% of it", "50 of it", "reworded"),
        ("x > y", "x < y", "reworded"),
        ("<p><code>a &gt;= b</code></p>", "<p><code>a &gt; b</code></p>", "reworded"),
        ("<p><code>'a'</code></p>", '<p><code>"a"</code></p>', "reworded"),
        ("<pre>if x:\n  y</pre>", "<pre>if x:\n    y</pre>", "reformatted"),
        ("<p><code>aten::mm</code></p>", "aten::mm", "reformatted"),
        ("<p><code>foo</code>s</p>", "foos", "reformatted"),
        ("<p>The <code>...</code> literal</p>", "The ... literal", "reformatted"),
        (
            "<p><code>(</code> <code>)</code> 1</p>",
            "<p><code>(</code> <code>)</code> <b>1</b></p>",
            "reformatted",
        ),
        (
            "<p><code>(</code> <code>)</code> one</p>",
            "<p><code>[</code> <code>)</code> one</p>",
            "reworded",
        ),
        (
            "<p><code>(</code> <code>)</code> one</p>",
            "<p><code>)</code> <code>(</code> one</p>",
            "reworded",
        ),
        (
            "<p><code>x</code><code>y</code> is</p>",
            "<p><code>x</code><code>y</code> <b>is</b></p>",
            "reformatted",
        ),
        (
            "<pre><code>a(\n    b\n)</code></pre>",
            "<pre><code>a(\n\tb\n)</code></pre>",
            "reformatted",
        ),
        (
            "<pre><code>a(\n    b\n)</code></pre>",
            "<pre><code>a(\n    b;\n)</code></pre>",
            "reworded",
        ),
    ],
)
def test_what_counts_as_a_change_of_words(before: str, after: str, expected: str):
    """Markup, case and punctuation do not count; words, symbols and characters of code do, except
    indentation."""
    assert compare(prose(before), prose(after)) == expected


def reported(before: str, after: str) -> str:
    marks = {"same": "{}", "deleted": "[-{}-]", "inserted": "[+{}+]"}
    return "".join(
        marks[s.kind].format(s.text) for s in difference(prose(before), prose(after)).segments
    )


def test_difference_reads_as_the_newer_text_with_marks():
    """Deleted words come before inserted ones, each with the space that follows."""
    assert (
        reported("A fixed pointer to it.", "A named pointer to it.")
        == "A [-fixed -][+named +]pointer to it."
    )


def test_removed_words_are_before_the_signs_that_took_their_place():
    """A sentence that ends earlier than it did is read without words that follow its end; signs
    that were there before are where they were."""
    shorter = {
        "The pods on a cluster of machines. They run.": "The pods on a cluster[- of machines-]. They run.",
        "The pods on a cluster; wrapping one. They run.": (
            "The pods on a cluster[-; wrapping one-]. They run."
        ),
        "The pods on a cluster. It is big. They run.": (
            "The pods on a cluster. [-It is big. -]They run."
        ),
    }
    for before, marked in shorter.items():
        assert reported(before, "The pods on a cluster. They run.") == marked


def test_removed_words_are_in_the_paragraph_in_which_they_were():
    """A sentence that ended a paragraph is not shown in the heading below it; one that began a
    paragraph is shown there."""
    shorter = "<p>A pod runs.</p><h2>Use</h2><p>It is small here.</p>"
    assert reported(
        "<p>A pod runs. It is big.</p><h2>Use</h2><p>It is small here.</p>", shorter
    ) == ("A pod runs.[-It is big.-]\n\nUse\n\nIt is small here.")
    assert reported(
        "<p>A pod runs.</p><h2>Use</h2><p>Take care. It is small here.</p>", shorter
    ) == ("A pod runs.\n\nUse\n\n[-Take care. -]It is small here.")


def test_the_signs_before_replaced_words_can_be_read_in_both_wordings():
    """If they differ, each wording has its own before its words."""
    before, after = "Pods on one cluster, chosen by hand.", "Pods on one cluster. They run."
    assert reported(before, after) == "Pods on one cluster[-, chosen by hand.-][+. They run.+]"
    assert reported(after, before) == "Pods on one cluster[-. They run.-][+, chosen by hand.+]"


def test_difference_never_splits_a_word_as_readers_see_words():
    """A compound with one changed part is changed as a whole."""
    assert reported("some multi-part thing is here now", "some multi-course thing is here now") == (
        "some [-multi-part -][+multi-course +]thing is here now"
    )


def test_small_islands_between_changes_are_folded_in():
    """One or two equal words between changes are part of the change."""
    assert reported(
        "one two big of small five six seven", "one two tiny of large five six seven"
    ) == ("one two [-big of small -][+tiny of large +]five six seven")


def test_code_that_differs_in_punctuation_is_marked():
    """Code that differs in any character is marked, even if its words are the same."""
    before, after = (
        "<p>call it as <code>f(x)</code> in all cases</p>",
        "<p>call it as <code>f[x]</code> in all cases</p>",
    )
    assert reported(before, after) == "call it as [-f(x) -][+f[x] +]in all cases"


def test_pieces_of_code_in_one_place_are_marked_where_one_of_them_differs():
    """Several pieces of code in one word are equal if each of them is."""
    before = "<p>call it as <code>x</code><code>y</code> in all cases</p>"
    assert reported(before, before) == "call it as xy in all cases"
    after = "<p>call it as <code>X</code><code>y</code> in all cases</p>"
    assert reported(before, after) == "call it as [-xy -][+Xy +]in all cases"


def test_words_are_counted_as_readers_count():
    """A hyphenated compound is one word, a lone dash none."""
    counted = difference(
        prose("A pointer to the state"), prose("A well-known – pointer to the state")
    )
    assert (counted.added, counted.removed) == (1, 0)


@pytest.mark.parametrize(
    ("before", "after", "expected", "counts"),
    [
        (
            "缓存保存最近的结果，以便更快地读取。",
            "缓存保存最近的文件，以便更快地读取。",
            "缓存保存最近的[-结果，-][+文件，+]以便更快地读取。",
            (2, 2, "characters"),
        ),
        (
            "これはテストです。API を使う。",
            "これは試験です。API を使う。",
            "これは[-テスト-][+試験+]です。API を使う。",
            (2, 3, "characters"),
        ),
        (
            "漢字の例は𠮟𠮷である。",
            "漢字の例は𠮟𡈽である。",
            "漢字の例は𠮟[-𠮷-][+𡈽+]である。",
            (1, 1, "characters"),
        ),
        ("메모리를 읽는다", "디스크를 읽는다", "[-메모리를 -][+디스크를 +]읽는다", (1, 1, "words")),
    ],
)
def test_chinese_and_japanese_are_compared_by_character(
    before: str, after: str, expected: str, counts: tuple[int, int, str]
):
    """Languages without spaces are marked and counted by character, Korean by word."""
    assert reported(before, after) == expected
    found = difference(prose(before), prose(after))
    assert (found.added, found.removed, found.unit) == counts


def test_mostly_new_wording_is_called_rewritten():
    """Above 60% of changed words, a change is a rewriting."""
    assert difference(prose("one two three"), prose("four five six")).rewritten
    assert not difference(
        prose("one two three four five"), prose("one two three four six")
    ).rewritten


def test_very_long_texts_are_shown_before_and_after():
    """Above the limit no difference is computed."""
    long = " ".join(f"w{number}" for number in range(MAX_WORDS + 1))
    result = difference(prose(long), prose(long + " more"))
    assert [segment.kind for segment in result.segments] == ["deleted", "inserted"]


TEXT = st.text(alphabet=st.sampled_from("ab cd-.,'`<>+1\n\t“é"), max_size=60)


@example("1 1", "1")
@given(TEXT, TEXT)
def test_difference_gives_back_both_texts(before: str, after: str):
    """What is not deleted is the newer text; deleted and unchanged words are the older one's, in
    order.

    Where the newer text ends, no space parts what was deleted behind it: whoever shows it puts one
    there.
    """
    one, two = from_text(before), from_text(after)
    segments = difference(one, two).segments
    assert "".join(s.text for s in segments if s.kind != "deleted") == two.text
    gone = from_text(" ".join(s.text for s in segments if s.kind != "inserted"))
    assert same_words(gone, one)


SIGNS = "Word two3 a_b - -1 + 50% ( ) . , ` é x-y --".split()
PIECES = st.lists(st.sampled_from([*SIGNS, " ", "\n"]), max_size=12)


@given(PIECES, st.lists(st.integers(0, 40), max_size=4))
def test_words_are_the_same_wherever_they_are_looked_for(
    pieces: list[str], ends: list[int]
) -> None:
    """The words of a definition are those with a place in its text, and those that overlap with
    code are code."""
    text = "".join(pieces)
    places = sorted(min(end, len(text)) for end in ends)
    code = tuple(
        (start, end) for start, end in zip(places[::2], places[1::2], strict=False) if start < end
    )
    words = words_of(Prose(html=f"{pieces}{code}", text=text, code=code))
    spans = word_spans(text)
    assert words.keys == tuple(text[start:end].lower() for start, end in spans)
    assert [exact for _, _, exact in words.code] == [text[start:end] for start, end in code]
    for (first, past, _), (start, end) in zip(words.code, code, strict=True):
        inside = [number for number, word in enumerate(spans) if word[0] < end and start < word[1]]
        assert [*range(first, past)] == inside


@given(PIECES, st.sets(st.integers(0, 12)))
def test_a_text_is_cut_at_its_words(pieces: list[str], places: set[int]) -> None:
    """Each part has one word, and the joined parts are the text."""
    prose = Prose(html=f"{pieces}", text="".join(pieces))
    wording = Wording(prose, seen_words(prose))
    number_of_words = len(wording.words)
    for number, word in enumerate(wording.words):
        start, past = wording.start(number), wording.start(number + 1)
        assert folded_words(prose.text[start:past]) == word.key
        assert start <= word.end <= past
    ends = [wording.start(place) for place in sorted(places) if place < number_of_words]
    stretches = pairwise([0, *ends, len(prose.text)])
    assert "".join(wording.segment("same", *one).text for one in stretches) == prose.text


@given(TEXT)
def test_same_words_as_itself(text: str):
    """A definition has the same words as itself."""
    assert compare(from_text(text), from_text(text)) == "unchanged"


WORDINGS = st.lists(
    st.sampled_from(
        "one One. two, <code>one</code> <code>One</code> <code>one two</code>".split(" ")
    )
)


@example(["<code>one"], ["one"])
@given(WORDINGS, WORDINGS)
def test_same_words_have_the_same_code(before: list[str], after: list[str]) -> None:
    """Two wordings are the same exactly if their words and the code in one place are equal."""
    one, two = (from_html(f"<p>{' '.join(pieces)}</p>") for pieces in (before, after))
    words = words_of(one), words_of(two)
    assert same_words(one, two) == (words[0].keys == words[1].keys and _have_same_code(*words))


def test_no_word_is_struck_and_added_again() -> None:
    """A word on both sides of a change is kept, even if another one was matched to it."""
    before = prose(
        "A unit of work. typically performed on or for one or more tensors. For example, a "
        "product of them."
    )
    found = difference(before, prose("A unit of work. For example, a product of them."))
    assert [(one.kind, one.text) for one in found.segments] == [
        ("same", "A unit of work. "),
        ("deleted", "typically performed on or for one or more tensors. "),
        ("same", "For example, a product of them."),
    ]


@given(st.text("aß1-−_~$ )\n単語。", max_size=30))
def test_words_of_a_text_are_those_of_its_lines(text: str) -> None:
    """A line break separates words, so `parsed_sources` folds each line once for all releases."""
    assert folded_words(text) == " ".join(filter(None, map(folded_words, text.split("\n"))))


def test_capitals_with_accents_are_the_same_letters() -> None:
    """A capital that has no single character with both its accents is folded to the small one."""
    assert case_folded("ΐ".upper()) == case_folded("ΐ")
