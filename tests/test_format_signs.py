"""Signs of formats are found at the beginning of a line, including the first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.formats.common.raw_text import MARKDOWN, has_sign
from sitegen.formats.plain_text import MARKUP

TEXTS = st.text(st.sampled_from("#`~:{}<!-/.[|*+=1) _aW\t\n\N{NO-BREAK SPACE}"), max_size=30)


@pytest.mark.parametrize("sign", [MARKDOWN, MARKUP])
@given(text=TEXTS)
def test_is_found_where_a_line_begins(sign: re.Pattern[str], text: str) -> None:
    """A sign is found on the first, the last and the only line."""
    assert has_sign(text, sign) == bool(sign.search(f"\n{text}"))
