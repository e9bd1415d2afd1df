"""Numbered senses become a list without a change of words."""

from __future__ import annotations

import pytest

from sitegen.formats.common.senses import senses_as_list
from sitegen.text import prose, words

THREE = "<p>(1:formal) A map. (2:informal) An <em>array</em>. (3:in code) A handle.</p>"


def test_senses_become_items() -> None:
    """Each sense is an item that begins with its label; text before them stays a paragraph."""
    assert senses_as_list(THREE) == (
        "<ol><li>(formal) A map.</li><li>(informal) An <em>array</em>.</li><li>(in code) A "
        "handle.</li></ol>"
    )
    assert senses_as_list("<p>Two things:<br>\n(1:a) x (2:b) y</p><p>z</p>") == (
        "<p>Two things:</p><ol><li>(a) x</li><li>(b) y</li></ol><p>z</p>"
    )


def test_senses_keep_their_words() -> None:
    """The same senses as an author's own list, or with labels without numbers, have the same
    words."""
    read = prose.from_html(senses_as_list(THREE))
    listed = prose.from_html(
        "<ol><li>(Formal) a map</li><li>(informal) an array</li><li>(in code) a handle</li></ol>"
    )
    unnumbered = prose.from_html("<p>(formal) A map. (informal) An array. (in code) A handle.</p>")
    assert words.same_words(read, listed)
    assert words.same_words(read, unnumbered)


@pytest.mark.parametrize(
    "html",
    [
        "<p>(1:only) one sense</p>",
        "<p>(1:a) x (3:b) y</p>",
        "<p>(2:a) x (1:b) y</p>",
        "<p>either (1) this or (2) that</p>",
        "<p>(1:a) x <code>(2:b) y</code></p>",
        "<p><em>(1:a) x (2:b)</em> y</p>",
        "<p>(1:a) x</p><p>(2:b) y</p>",
        "(1:a) x (2:b) y",
    ],
)
def test_what_is_no_list_of_senses_stays(html: str) -> None:
    """Numbers out of order, a single one, or senses inside other markup stay as they are."""
    assert senses_as_list(html) == html
