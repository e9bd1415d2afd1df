"""The Markdown parser skips the search for web addresses only where there are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.formats.markdown import commonmark
from sitegen.formats.markdown.commonmark import tokens
from sitegen.formats.markdown.inline_html import to_reference
from sitegen.formats.markdown.markdown_html import render

ADDRESSES = (
    "http: https: HTTP:// // / ftp:// mailto: Mailto: a@b.c x.y &colon; &sol; \\/ \\: "
    "&#47; * ` [a]( ) < > ( é . a"
)


@given(st.lists(st.sampled_from([*ADDRESSES.split(), " ", "\n"]), max_size=10))
def test_what_is_passed_over_has_no_web_address(parts: list[str]) -> None:
    """Texts that skip the search for web addresses have none."""
    text = "".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commonmark, "_may_link", lambda _text: True)
        everything = render(tokens(text), to_reference)
    assert render(tokens(text), to_reference) == everything
