"""Slugs: plain, readable, and never changing. `docs/slugs.md` has the reference list."""

from __future__ import annotations

import hashlib
import json
import re
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.addresses.slugs import MAX_LENGTH, slug

TEXT = (Path(__file__).parent.parent / "docs" / "slugs.md").read_text(encoding="utf-8")

ROW = re.compile(r'^\| `(".*?")`(?: × (\d+))? \| `(.+?)` \|', re.M)
"""A name as JSON, how often it is repeated, and its slug."""

FROZEN = [(json.loads(name) * int(times or 1), expected) for name, times, expected in ROW.findall(TEXT)]

SPELLED = {
    "letters and signs": (0x0000, 0x3400, "b9168cce78"),
    "more scripts": (0xA000, 0xAC00, "25d075dc55"),
    "other forms of letters": (0xF900, 0x10000, "696f842501"),
    "pictures": (0x1F000, 0x1FC00, "23a3d9816f"),
}
"""Stretches of Unicode, each with a digest of how its characters are spelled, alone and within a word."""


@pytest.mark.parametrize(("name", "expected"), FROZEN, ids=range(len(FROZEN)))
def test_a_slug_never_changes(name: str, expected: str) -> None:
    """A name has the slug in docs/slugs.md: published addresses depend on it."""
    assert slug(name) == expected


def test_every_row_of_the_tables_is_read() -> None:
    """The test above reads every row of docs/slugs.md, including the hardest names."""
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| name")]
    assert len(FROZEN) == len(rows) > 90
    hardest = "C C++ C# (c) >>> ... -1 HEAD head straße strasse a а CON Nul constructor __proto__ 🚀 中文 العربية"
    assert set(hardest.split()) <= {name for name, _ in FROZEN}
    assert max(len(name) for name, _ in FROZEN) >= 500


@pytest.mark.parametrize(("first", "end", "digest"), SPELLED.values(), ids=SPELLED)
def test_no_character_is_ever_spelled_otherwise(first: int, end: int, digest: str) -> None:
    """The spelling of each character is fixed, also under a Python with a newer Unicode."""
    signs = [chr(code) for code in range(first, end)]
    spelled = chain.from_iterable((slug(sign), slug(f"x{sign}y")) for sign in signs)
    assert hashlib.sha256("\n".join(spelled).encode()).hexdigest()[:10] == digest


@given(st.text(max_size=600))
def test_any_name_gives_an_address(name: str) -> None:
    """The slug of any name is short, plain and not empty."""
    made = slug(name)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", made)
    assert len(made) <= MAX_LENGTH


@given(st.text(max_size=40), st.sampled_from(" \t\n\u00a0"))
def test_white_space_makes_no_difference(name: str, space: str) -> None:
    """Names that differ only in white space have the same slug."""
    assert slug(f"{space}{name}{space}{space}") == slug(name)
