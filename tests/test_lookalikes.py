"""Names that look the same: which characters are confusable, and what is reported."""

from __future__ import annotations

import unicodedata

import pytest
from glossaries import source
from sites import glossary, site_of

from sitegen.config.tables import Distinct, Same
from sitegen.tools.lookalikes import lookalikes, shape

FIRST, SECOND = "A library of tensors, and of what is done with them.", "Something else altogether."

CYRILLIC_A, GREEK_O, FULL_WIDTH_A, ZERO_WIDTH = "\u0410", "\u03bf", "\uff21", "\u200b"


@pytest.mark.parametrize(
    ("plain", "odd", "called"),
    [
        ("ATen", f"{CYRILLIC_A}Ten", "U+0410 CYRILLIC CAPITAL LETTER A"),
        ("node", f"n{GREEK_O}de", "U+03BF GREEK SMALL LETTER OMICRON"),
        ("ATen", f"{FULL_WIDTH_A}Ten", "U+FF21 FULLWIDTH LATIN CAPITAL LETTER A"),
        ("kernel", f"ker{ZERO_WIDTH}nel", "U+200B ZERO WIDTH SPACE"),
        ("kernel", "ker\ufe0fnel", "U+FE0F VARIATION SELECTOR-16"),
        ("copy-on-write", "copy\u2010on\u2010write", "U+2010 HYPHEN"),
        ("Shor's code", "Shor\u2019s code", "U+2019 RIGHT SINGLE QUOTATION MARK"),
        ("aten", f"{CYRILLIC_A}Ten", "U+0410 CYRILLIC CAPITAL LETTER A"),
    ],
)
def test_name_that_looks_like_another(plain: str, odd: str, called: str) -> None:
    """A confusable name is reported with both locations and the character that differs."""
    [problem] = lookalikes(glossary({"1": {plain: FIRST, odd: SECOND}}))
    assert (problem.path, problem.line) == ("1/GLOSSARY.md", 2)
    assert problem.found == f"“{odd}” looks like “{plain}” (1/GLOSSARY.md:1) and is not: it has {called}"


@pytest.mark.parametrize(
    ("one", "two"),
    [("HEAD", "head"), ("x2", "x²"), ("alpha", "α"), ("naïve", "naive"), ("C", "C+"), ("1", "l"), ("TM", "™")],
)
def test_names_that_a_reader_can_tell_apart(one: str, two: str) -> None:
    """Capitals, accents, superscripts and merely similar letters are not reported."""
    assert lookalikes(glossary({"1": {one: FIRST, two: SECOND}})) == ()


def test_glossaries_in_other_alphabets_are_no_problem() -> None:
    """A name in one alphabet is not reported."""
    names = ("сервер", "ось", "ΑΒΓ", "テスト", "한글", "ＡＰＩ")
    assert lookalikes(glossary({"1": dict.fromkeys(names, FIRST)})) == ()


def test_other_names_are_looked_at_too() -> None:
    """Other names of a term can be confusable too."""
    [problem] = lookalikes(glossary({"1": {"library; ATen": FIRST, f"{CYRILLIC_A}Ten": SECOND}}))
    assert "looks like “ATen”" in problem.found


def test_names_of_one_term_deceive_nobody() -> None:
    """Two spellings of one term are not reported."""
    assert lookalikes(glossary({"1": {f"ATen; {CYRILLIC_A}Ten": FIRST}})) == ()
    assert lookalikes(glossary({"1": {f"{CYRILLIC_A}Ten": FIRST}, "2": {"ATen": FIRST}})) == ()


def test_past_names_are_told_where_they_stood_last() -> None:
    """A name of a removed term is reported with its last location."""
    result = lookalikes(glossary({"1": {f"{CYRILLIC_A}Ten": FIRST}, "2": {"ATen": SECOND}}))
    assert [(problem.path, "2/GLOSSARY.md:1" in problem.found) for problem in result] == [("1/GLOSSARY.md", True)]


def test_sources_are_held_against_each_other() -> None:
    """Confusable names in two sources are reported: they should be one term."""
    reads = source("one", {"1": {"copy-on-write": FIRST}}), source("two", {"1": {"copy\u2011on\u2011write": FIRST}})
    assert len(lookalikes(site_of(*reads))) == 1


def test_distinct_is_the_last_word() -> None:
    """Names in a [[distinct]] are not reported."""
    site = glossary({"1": {"P": FIRST, "\u03a1": SECOND}})
    assert len(lookalikes(site)) == 1
    assert lookalikes(site, verdicts=[Distinct(names=("P", "\u03a1"))]) == ()
    assert len(lookalikes(site, verdicts=[Same(names=("P", "\u03a1"))])) == 1


def test_shape_of_plain_text_is_itself() -> None:
    """Every printable ASCII name, and any normal form of letters, has its own shape."""
    ascii_only = "".join(map(chr, range(33, 127))).replace("`", "")
    assert shape(ascii_only) == ascii_only.casefold()
    assert shape(unicodedata.normalize("NFD", "Größe")) == "grösse"
