"""What earlier versions had: each name is refused in one line that says what to use instead."""

from __future__ import annotations

import pytest
from commands import Command


@pytest.mark.parametrize(("name", "instead"), [("annotate", "`sitegen link` prints")])
def test_removed_commands(command: Command, name: str, instead: str) -> None:
    """A removed command ends with status 2, and its message names what to use."""
    outcome = command(name, "notes.md")
    assert outcome.status == 2
    assert f"no such command '{name}'; it was removed; {instead}" in " ".join(outcome.err.split())


@pytest.mark.parametrize(
    ("arguments", "instead"), [(("check-text", "--fix"), "replace the names yourself")]
)
def test_removed_options(command: Command, arguments: tuple[str, ...], instead: str) -> None:
    """A removed option ends with status 2, and its message names what to use."""
    outcome = command(*arguments, "notes.md")
    assert outcome.status == 2
    expected = f"no such option '{arguments[-1]}'; it was removed; {instead}"
    assert expected in " ".join(outcome.err.split())
