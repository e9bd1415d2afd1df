"""Slugs: plain, readable, and never changing. `contributing/slugs.md` has the reference list."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.addresses.slugs import MAX_BYTES, MAX_LENGTH, slug

TEXT = (Path(__file__).parent.parent / "contributing" / "slugs.md").read_text(encoding="utf-8")

ROW = re.compile(r'^\| `(".*?")`(?: × (\d+))? \| `(.+?)` \|', re.M)
"""A name as JSON, how often it is repeated, and its slug."""

FROZEN = [
    (json.loads(name) * int(times or 1), expected) for name, times, expected in ROW.findall(TEXT)
]

SPELLED = {
    "letters and signs": (0x0000, 0x3400, "556f43bdcf"),
    "more scripts": (0xA000, 0xAC00, "70a336de93"),
    "other forms of letters": (0xF900, 0x10000, "17cf0d2795"),
    "pictures": (0x1F000, 0x1FC00, "23a3d9816f"),
}
"""Stretches of Unicode, each with a digest of how its characters are spelled, alone and within a
word."""


@pytest.mark.parametrize(("name", "expected"), FROZEN, ids=range(len(FROZEN)))
def test_a_slug_never_changes(name: str, expected: str) -> None:
    """A name has the slug in contributing/slugs.md: published addresses depend on it."""
    assert slug(name) == expected


def test_a_long_run_of_signs() -> None:
    """A very long run of signs has the slug of a shorter one, as both are truncated."""
    assert slug(f"x {'*' * 300_000} y") == slug(f"x {'*' * 100} y")


def test_every_row_of_the_tables_is_read() -> None:
    """The test above reads every row of contributing/slugs.md, including the hardest names."""
    rows = [
        line
        for line in TEXT.splitlines()
        if line.startswith("| ") and not line.startswith("| name")
    ]
    assert len(FROZEN) == len(rows) > 90
    hardest = (
        "C C++ C# (c) >>> ... -1 HEAD head straße strasse a а CON Nul constructor "
        "__proto__ 🚀 中文 العربية"
    )
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
    """Every name gives a slug that is short, plain, in normal form C, without capitals, and not
    empty."""
    made = slug(name)
    for word in made.split("-"):
        assert unicodedata.category(word[0])[0] in "LN"
        assert all(unicodedata.category(sign)[0] in "LMN" for sign in word)
    assert len(made) <= MAX_LENGTH
    assert len(made.encode()) <= MAX_BYTES
    assert unicodedata.normalize("NFC", made) == made
    assert unicodedata.normalize("NFC", made.casefold()) == made


@pytest.mark.parametrize("name", ["が", "한국어", "Ελλάδα", "йод", "सिंह", "ἄνθρωπος"])
def test_both_normal_forms_of_a_name_have_one_slug(name: str) -> None:
    """A name that is typed with separate accents gets the slug of the composed form."""
    assert slug(unicodedata.normalize("NFD", name)) == slug(name)


def test_a_slug_is_a_name_of_a_folder() -> None:
    """The longest slugs leave room for a number within the 255 bytes that file systems allow."""
    assert {len(slug(sign * 500).encode()) for sign in "中𠮷ฟ"} == {198, 200}


@given(st.text(max_size=40), st.sampled_from(" \t\n\u00a0"))
def test_white_space_makes_no_difference(name: str, space: str) -> None:
    """Names that differ only in white space have the same slug."""
    assert slug(f"{space}{name}{space}{space}") == slug(name)
