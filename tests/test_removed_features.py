"""What earlier versions had: each name is refused in one line that says what to use instead."""

from __future__ import annotations

import pytest
from commands import Command

from sitegen import formats
from sitegen.config.parsing import ConfigError, parse
from sitegen.model import Document


@pytest.mark.parametrize(("name", "instead"), [("annotate", "`sitegen link` prints")])
def test_removed_commands(command: Command, name: str, instead: str) -> None:
    """A removed command ends with status 2, and its message names what to use."""
    outcome = command(name, "notes.md")
    assert outcome.status == 2
    assert f"no such command '{name}'; it was removed; {instead}" in " ".join(outcome.err.split())


@pytest.mark.parametrize(
    ("arguments", "instead"),
    [
        (("check-text", "--fix"), "replace the names yourself"),
        (("check", "--git"), "`build` and `serve` have it, for a trial"),
        (("diff", "--path"), "`build` and `serve` have it, for a trial"),
        (("build", "--jobs"), "a build has a process for each core"),
    ],
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
        ('format = "tbx"', "unknown format 'tbx'; it was removed; convert it to SKOS, CSV or JSON"),
        ('format = "obo"', "unknown format 'obo'; it was removed; convert it to SKOS, CSV or JSON"),
        ('by = "quarter"', "unknown period 'quarter'; it was removed; write month or year"),
    ],
)
def test_removed_settings(line: str, message: str) -> None:
    """A removed value of site.toml is one mistake, with its line and what to write instead."""
    table = f'[[source]]\nid = "words"\ngit = "."\npaths = "a.md"\n{line}\n'
    with pytest.raises(ConfigError) as refused:
        parse(table, path="site.toml", formats=formats.names)
    key = line.partition(" ")[0]
    assert str(refused.value) == f"site.toml:5: {message} (source.{key})"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("words.tbx", "<tbx><text/></tbx>", "TBX"),
        ("words", '<?xml version="1.0"?>\n<martif type="TBX"><text/></martif>', "TBX"),
        ("words.obo", "[Term]\nid: A:1\nname: leaf\n", "OBO"),
        ("words", "format-version: 1.4\n\n[Term]\nname: leaf\n", "OBO"),
    ],
)
def test_removed_formats(name: str, text: str, found: str) -> None:
    """A document in a removed format is refused by name, whatever its file is called."""
    read = formats.read(Document(source="s", release="1", path=name, name=name, text=text))
    assert read.entries == ()
    assert [str(problem) for problem in read.problems] == [
        f"{name}: this is {found}, which is not read; convert it to SKOS, CSV or JSON"
    ]
