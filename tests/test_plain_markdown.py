"""Plain Markdown that is read without the parser gives the same result as with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.formats.markdown import commonmark
from sitegen.formats.markdown.blocks import parse_whole
from sitegen.formats.markdown.commonmark import render, tokens
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.plain_markdown import blocks as plain_blocks

EASY = [
    *("\n", "\n", "\n\n", "\n\n\n", " ", ": ", " **bold** ", " *em*. ", "[x y](https://a.b/c)", r"`a\b`", "`<b>&`"),
    *"word Word . , `code` [label](#place) (top) a_b é “x” 中 % ! — ' \" top ( ) 9 + =".split(),
]
HARD = [
    *("  ", "- ", "    ", "\t", "> q", "::: tip", ": def", "\u00a0", "`a\x00b`", "`a\rb`"),
    *"* ** ` `` [ ] ]( _ | :// http://x.y // !!! ??? 1. = --- === <b> &amp; & \\ $ $$ ~ ~~ ^ { } # a@b.c".split(),
    *"ftp: mailto:a@b.c [^1] [[toc]] www.a.b [x](y) ![i](#a) [top](#top) <!--".split(),
]


def check(text: str) -> None:
    read = plain_blocks(text, to_reference)
    assert read is None or read == parse_whole(text, (), (), to_reference).blocks


@given(st.lists(st.sampled_from(EASY), max_size=12))
def test_plain_texts(parts: list[str]) -> None:
    """Any combination of harmless parts gives the parser's result, or is left to the parser."""
    check("## Name\n\nA " + "".join(parts))


@given(st.lists(st.sampled_from(EASY), max_size=6), st.lists(st.sampled_from(HARD), max_size=2), st.integers(0, 6))
def test_texts_that_may_be_plain(parts: list[str], hard: list[str], place: int) -> None:
    """One part with possible markup leaves the text to the parser, unless it means itself there."""
    check("## A name: b\n" + "".join([*parts[:place], *hard, *parts[place:]]))


@pytest.mark.parametrize(
    "text",
    [
        "## Leaf operation",
        "### x/y (z)\n\nWords, `code` and a [link](#leaf-operation).\n\n\nMore **of** it (*here*),\nand here.",
        "# Glossary\nThe words of this project: see https for nothing.",
    ],
)
def test_what_is_plain(text: str) -> None:
    """Most entries need no parser."""
    assert plain_blocks(text, to_reference) == parse_whole(text, (), (), to_reference).blocks


ADDRESSES = (
    "http: https: HTTP:// // / ftp:// mailto: Mailto: a@b.c x.y &colon; &sol; \\/ \\: &#47; * ` [a]( ) < > ( é . a"
)


@given(st.lists(st.sampled_from([*ADDRESSES.split(), " ", "\n"]), max_size=10))
def test_what_is_passed_over_has_no_web_address(parts: list[str]) -> None:
    """Texts that skip the search for web addresses have none."""
    text = "".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commonmark, "_may_link", lambda _text: True)
        everything = render(tokens(text), to_reference)
    assert render(tokens(text), to_reference) == everything
