"""Slugs: readable, distinct, and the same for ever."""

from __future__ import annotations

import re

import pytest
from glossaries import lives_of, source
from hypothesis import given
from hypothesis import strategies as st

from sitegen.permalinks import permalinks
from sitegen.slugs import slug

FROZEN = {
    "C": "c",
    "C++": "c-plus-plus",
    "C#": "c-sharp",
    "(c)": "c",
    ">>>": "gt-gt-gt",
    "...": "dot-dot-dot",
    "-1": "minus-1",
    "HEAD": "head",
    "straße": "strasse",
    "а": "a",
    "CON": "con-term",
    "Nul": "nul-term",
    "constructor": "constructor",
    "__proto__": "proto",
    "torch.compile": "torch-compile",
    "aten::matmul": "aten-matmul",
    "naïve Bayes": "naive-bayes",
    "operator +": "operator-plus",
    "🚀": "rocket",
    "中文": "u4e2d-u6587",
    "العربية": "alef-lam-ain-reh-beh-yeh-teh-marbuta",
    "Ελληνικά": "ellinika",
    "Жизнь": "zhizn",
    "İstanbul": "istanbul",
}


@pytest.mark.parametrize(("name", "expected"), FROZEN.items())
def test_slugs_never_change(name: str, expected: str):
    """A name gives the slug it always gave: published addresses depend on it."""
    assert slug(name) == expected


@given(st.text(max_size=600))
def test_any_name_gives_an_address(name: str):
    """Whatever the name, its slug is short, plain and not empty."""
    made = slug(name)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", made)
    assert len(made) <= 90


def test_terms_whose_names_give_one_slug_are_numbered_in_order_of_appearance():
    """Who came first has the plain slug, whatever comes later."""
    lives = lives_of(source("s", {"1": {"C": "One."}, "2": {"(c)": "Two.", "C": "One."}}))
    given = permalinks(lives.values(), {}).current
    assert (given[lives["C"].key], given[lives["(c)"].key]) == ("c", "c-2")


def test_former_name_keeps_its_slug():
    """A renamed term leaves its old slug behind, which leads to it; a newcomer of that name gets another."""
    long = "A named pointer to the state of a volume."
    lives = lives_of(
        source(
            "s", {"1": {"a": long, "x": "X."}, "2": {"b": long, "x": "X."}, "3": {"b": long, "a": "New.", "x": "X."}}
        )
    )
    given = permalinks(lives.values(), {})
    assert given.current[lives["b"].key] == "b"
    assert given.former == {"a": lives["b"].key}
    assert given.current[lives["a"].key] == "a-2"
