"""The bytes that a page loads stay within their budgets, for our own and for other glossaries."""

from __future__ import annotations

from pathlib import Path

import budgets
import pytest
import views
from sites import files_of, templates

ROOT = Path(__file__).parent.parent


def check(folder: Path) -> None:
    files = {file.path: file.content for file in files_of(views.read(folder), templates())}
    weights = list(budgets.weights(files))
    assert {weight.name for weight in weights} >= {
        "term",
        "frozen page",
        "styles",
        "requests for a term",
    }
    assert [weight for weight in weights if not weight.holds] == []


@pytest.mark.parametrize("folder", ["content", "tests/golden/input"])
def test_our_own_pages_are_light(folder: str) -> None:
    """No page, style, script or list of our site exceeds its budget."""
    check(ROOT / folder)


@pytest.mark.parametrize("folder", ["seeds", "corpora/pyramid", "corpora/sphinx"])
def test_pages_of_real_glossaries_are_light(folder: str, shared: Path) -> None:
    """No page of a real glossary exceeds its budget."""
    check(shared / folder)
