"""Compact JSON, which the standard library reads back, whatever the texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
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
    assert compact_json.load(compact_json.dump(data)) == data
    assert compact_json.load(json.dumps(data)) == data


@pytest.mark.parametrize("text", ["", "{", '{"a": 1', '["\\ud800"', "[1] 2", "{'a': 1}", "\ud800"])
def test_what_is_no_json_is_refused(text: str) -> None:
    """Invalid JSON is refused as text and as bytes."""
    with pytest.raises(ValueError):
        compact_json.load(text)
    with pytest.raises(ValueError):
        compact_json.load(text.encode(errors=compact_json.DAMAGED))


def test_deeper_than_any_data_of_ours() -> None:
    """Values nested too deeply for the fast writer are written by the standard library."""
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    assert compact_json.load(compact_json.dump(deep)) == deep
