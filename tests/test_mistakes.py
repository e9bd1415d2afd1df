"""Typical mistakes: each gives a few lines that name the next step, and docs/mistakes.md shows
them."""

from __future__ import annotations

from pathlib import Path

import pytest
from mistakes import Mistake, mistakes
from reference import kinds_of_problems

from sitegen.model import ProblemKind

PAGE = Path(__file__, "../../docs/mistakes.md").resolve().read_text(encoding="utf-8")


@pytest.mark.parametrize("mistake", mistakes(), ids=lambda mistake: mistake.title)
def test_mistake_names_the_next_step(mistake: Mistake, tmp_path: Path) -> None:
    """A mistake gives at most five lines without a traceback, and the docs quote them."""
    (tmp_path / "place").mkdir()
    status, lines = mistake.play(tmp_path / "place")
    assert status in (0, 2)
    assert 1 <= len(lines) <= 5
    assert "Traceback" not in "".join(lines)
    assert mistake.section(lines) in PAGE, "docs/mistakes.md is out of date: run `make reference`"


def test_there_are_enough_mistakes() -> None:
    """At least 25 mistakes are played."""
    assert len(mistakes()) >= 25


def test_every_kind_of_problem_is_described() -> None:
    """docs/mistakes.md has a line for each kind of problem."""
    section = kinds_of_problems()
    assert section in PAGE, "docs/mistakes.md is out of date: run `make reference`"
    assert [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")] == [
        *ProblemKind
    ]
