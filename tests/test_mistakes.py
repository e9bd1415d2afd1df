"""Typical mistakes: each gives a few lines that name the next step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mistakes import Mistake, mistakes
from reference import pages

from sitegen.model import ProblemKind


@pytest.mark.parametrize("mistake", mistakes(), ids=lambda mistake: mistake.title)
def test_mistake_names_the_next_step(mistake: Mistake, tmp_path: Path) -> None:
    """A mistake gives at most five lines without a traceback, with a next step."""
    (tmp_path / "place").mkdir()
    status, lines = mistake.play(tmp_path / "place")
    assert status in (0, 2)
    assert 1 <= len(lines) <= 5
    assert "Traceback" not in "".join(lines)
    assert re.search(r"; |\?$|, which ", "\n".join(lines), re.M)


def test_there_are_enough_mistakes() -> None:
    """At least 25 mistakes are played."""
    assert len(mistakes()) >= 25


def test_every_kind_of_problem_is_described() -> None:
    """docs/mistakes.md has a line for each kind of problem."""
    page = pages()["mistakes.md"]
    assert [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")] == [
        *ProblemKind
    ]
