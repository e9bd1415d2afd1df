"""Compact JSON, which the standard library reads back, whatever the texts."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sitegen.text import compact_json

TEXT = st.text(st.characters())
"""With half characters among them."""
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(DATA)
def test_is_what_the_standard_library_writes(data: Any) -> None:
    """Only necessary characters are escaped, there is no white space, and values are read back."""
    expected = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    assert compact_json.text(data) == expected
    assert json.loads(expected) == data
