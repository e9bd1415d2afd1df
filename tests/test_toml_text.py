"""Written TOML has the same values when it is read."""

from __future__ import annotations

import tomllib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.config.toml import table_text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(text: str) -> None:
    """TOML gives back any text, as a value, in a list and as a key."""
    written = table_text("[a]", {"text": text, "list": (text, "x"), "table": {text: text}})
    read = tomllib.loads(written)["a"]
    assert read.get("text", "") == text
    assert (read["list"], read["table"]) == ([text, "x"], {text: text})


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("pytorch", 'key = "pytorch"'),
        (True, "key = true"),
        (date(2021, 7, 23), "key = 2021-07-23"),
        (("a.md", "b.md"), 'key = ["a.md", "b.md"]'),
        ({"1.8.2": "a.md", "main": "b.md"}, 'key = { "1.8.2" = "a.md", main = "b.md" }'),
    ],
)
def test_values_are_written_as_people_do(value: object, line: str) -> None:
    """Each kind of value has its usual form."""
    assert table_text("[[source]]", {"key": value}) == f"[[source]]\n{line}\n"  # type: ignore[dict-item]


def test_what_says_nothing_is_left_out() -> None:
    """Empty texts and lists, missing dates and false are left out."""
    assert table_text("[a]", {"a": "", "b": (), "c": None, "d": False, "e": {}}) == "[a]\n"


def test_long_lists_stand_one_below_the_other() -> None:
    """A long list has a line for each item, and reads the same."""
    items = tuple(f"docs/source/{number}.rst" for number in range(9))
    written = table_text("[a]", {"paths": items})
    assert written.count("\n") == 12
    assert tomllib.loads(written)["a"]["paths"] == list(items)
