"""Kinds of change and statuses of terms: what templates, scripts, messages and documents must say
about each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from sitegen.model.terms import (
    CHANGES,
    MARKS,
    STATUSES,
    ChangeKind,
    Mark,
    TermStatus,
    main_kind,
)
from sitegen.site.messages import catalog

ROOT = Path(__file__).parent.parent
SHAPES, CHIPS, TOKENS, NAMES, DATA = (
    (ROOT / path).read_text(encoding="utf-8")
    for path in (
        "templates/partials/shapes.html",
        "templates/assets/css/chip.css",
        "templates/assets/css/tokens.css",
        "templates/assets/js/search-names.js",
        "docs/data.md",
    )
)


def test_each_kind_and_status_is_in_its_table() -> None:
    """The tables have every kind of change and every status once, and no two kinds have the same
    rank."""
    assert {*CHANGES} == {*get_args(ChangeKind)}
    assert {*STATUSES} == {*get_args(TermStatus)}
    assert sorted(traits.rank for traits in CHANGES.values()) == [*range(1, len(CHANGES) + 1)]
    assert main_kind(CHANGES) == "removed"


def test_each_mark_has_a_shape_and_colors() -> None:
    """shapes.html has the shape of each mark and those of the states of translations, chip.css the
    colors of each mark, and tokens.css the colors themselves."""
    of_marks, of_states = (
        re.findall(r'^  "([a-z-]+)": "M', table, re.M) for table in SHAPES.split("OWN_PATHS = ")
    )
    colors = re.findall(r"\.chip-([a-z-]+)[, ]", CHIPS)
    assert sorted(of_marks) == sorted(get_args(Mark)) == sorted({*colors})
    assert of_states
    assert {*of_states} <= {*MARKS}
    used = re.findall(r"--(?:ink|tint): var\(--([a-z-]+)\)", CHIPS)
    assert {*used} <= {*re.findall(r"--([a-z-]+): ", TOKENS)}


@pytest.mark.parametrize("name", MARKS)
def test_each_chip_has_its_word(name: str) -> None:
    """There is a message for each chip: a kind of change, a status, or a state of translations."""
    messages = catalog("en").messages
    assert f"kind.{name}" in messages or f"state.{name}" in messages


def test_the_search_knows_each_status() -> None:
    """search-names.js reads the sign of each status; statuses with one sign are the same to the
    search."""
    [table] = re.findall(r"const STATES = \{(.*?)\}", NAMES)
    read = dict(re.findall(r'"(.)": "([a-z-]+)"', table))
    assert {traits.sign for traits in STATUSES.values()} == {*read}
    assert {status for sign, status in read.items() if STATUSES[status].sign == sign} == {
        *read.values()
    }


def test_documents_list_each_kind_and_status() -> None:
    """docs/data.md lists the kinds of change and the statuses that are in glossary.json."""
    [kinds] = re.findall(r"^- `kind`: (.*)$", DATA, re.M)
    [statuses] = re.findall(r"^- `status`: (.*?);", DATA, re.M)
    assert {*re.findall(r"`([a-z-]+)`", kinds)} == {*CHANGES}
    assert {*re.findall(r"`([a-z-]+)`", statuses)} == {*STATUSES}
