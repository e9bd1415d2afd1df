"""What earlier versions had: each name is refused in one line that says what to use instead."""

from __future__ import annotations

import pytest
from commands import Command

from sitegen.config.parsing import ConfigError, parse
from sitegen.formats import names


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('by = "week"', "unknown period 'week'; it was removed; write day, month or year"),
        ('by = "quarter"', "unknown period 'quarter'; it was removed; write month or year"),
    ],
)
def test_removed_settings(line: str, message: str) -> None:
    """A removed value of site.toml is one mistake, with its line and what to write instead."""
    table = f'[[source]]\nid = "words"\ngit = "."\npaths = "a.md"\n{line}\n'
    with pytest.raises(ConfigError) as refused:
        parse(table, path="site.toml", formats=names)
    key = line.partition(" ")[0]
    assert str(refused.value) == f"site.toml:5: {message} (source.{key})"
