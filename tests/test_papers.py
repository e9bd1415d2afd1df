"""The papers tell the truth: what README and ARCHITECTURE.md say is held against what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitegen.config import parsing
from sitegen.config.tables import PLACES, PLACES_OF, keys_of
from sitegen.formats import FORMATS
from sitegen.site.exports.schema import GLOSSARY

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def example() -> str:
    """The site.toml that README shows."""
    return README.partition("```toml\n")[2].partition("```")[0]


def test_example_configuration_is_valid() -> None:
    """README's site.toml is read without a mistake, and so is each line in it that is commented out."""
    parsing.parse(example(), path="README.md")
    others = re.findall(r"^# ((\w+) = .*?)(?: +#.*)?$", example(), re.M)
    assert len(others) > 5
    for line, key in others:
        if key == "unreleased":
            parsing.parse(f'[[release]]\nname = "1.8.2"\n{line}\n', path="README.md")
            continue
        place = key if key in PLACES else PLACES_OF.get(key, PLACES)[0]
        lines = {place: f'{place} = "x"', key: line}
        if place in PLACES_OF["paths"]:
            lines.setdefault("paths", 'paths = "x"')
        parsing.parse("\n".join(["[[source]]", 'id = "library"', *lines.values()]), path="README.md")


@pytest.mark.parametrize("table", ["site", "release", "source", "rename", "same", "distinct", "retired"])
def test_every_key_of_a_table_is_in_the_example(table: str) -> None:
    """README's site.toml names every key that a table may have."""
    told = set(re.findall(r"[a-z_]+", example()))
    # Where a release or a name belongs to one source only: said by `sitegen` itself to those who need it.
    assert set(keys_of((table,))) - told - {"source"} == set()


def test_every_key_of_the_data_is_documented() -> None:
    """README's tables of glossary.json name every key of the schema, and no other."""
    section = README.partition("## glossary.json")[2].partition("\n## ")[0]
    keys = set(names(GLOSSARY))
    assert [key for key in sorted(keys) if f"`{key}`" not in section] == []
    first_cells = " ".join(re.findall(r"^\| (`.*?) \|", section, re.M))
    assert set(re.findall(r"`(\w+)`", first_cells)) <= keys


def names(schema: dict[str, Any]) -> Iterator[str]:
    for key, value in schema.get("properties", {}).items():
        yield key
        yield from names(value.get("items", value))


def test_every_format_is_documented() -> None:
    """README's table of formats has each format once."""
    documented = re.findall(r"^\| `(\w+)` \|", README.partition("## site.toml")[0], re.M)
    assert sorted(documented) == sorted(format.name for format in FORMATS)


def test_every_package_is_on_the_map() -> None:
    """ARCHITECTURE.md names every package of ours."""
    here = {f"{path.name}/" for path in (ROOT / "sitegen").iterdir() if any(path.glob("*.py"))}
    assert [name for name in sorted(here) if f"`{name}`" not in ARCHITECTURE] == []


def test_commands_of_the_papers_exist() -> None:
    """Every `make` target that a paper names is in the Makefile."""
    targets = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.M))
    named = set(re.findall(r"`make ([a-z]+)|^    make ([a-z]+)", README + CONTRIBUTING + ARCHITECTURE, re.M))
    assert {one or other for one, other in named} <= targets


def test_nothing_is_promised_of_paths_that_are_not_there() -> None:
    """Every path in this project that a paper points to exists."""
    told = re.findall(r"`((?:sitegen|templates|tests|content)/[\w./-]*)`", README + CONTRIBUTING + ARCHITECTURE)
    assert len(told) > 5
    assert [path for path in told if not (ROOT / path).exists()] == []
