"""README, ARCHITECTURE.md and docs/ agree with the code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import reference
from commands import Command
from sites import read_site

from sitegen.config import parsing
from sitegen.formats import FORMATS
from sitegen.model.glossary_sources import MAX_ENTRIES
from sitegen.text.names import heading_id

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DOCS = {
    path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))
}

ALL = README + CONTRIBUTING + ARCHITECTURE + "".join(DOCS.values())


def test_readme_is_for_a_minute() -> None:
    """README is short, and its beginning says what, why, for whom and how to start."""
    lines = README.splitlines()
    assert len(lines) <= 110
    beginning = "\n".join(lines[:40])
    for needed in (
        "turns the glossary",
        "Most projects",
        "It is for **maintainers**",
        "uvx",
        "pipx",
        "sitegen init",
    ):
        assert needed in beginning, needed
    assert {"make site", "make test"} <= set(
        re.findall(r"^    (make \w+)", README.partition("## Developing")[2], re.M)
    )


def test_figures_are_those_of_a_build() -> None:
    """The numbers in README are those of a build of content/."""
    site = read_site(ROOT / "content")
    counts = site.counts
    assert (
        f"{counts['terms']} terms and {counts['changes']} changes in {counts['releases']} releases"
        in README
    )


def test_example_is_what_a_build_says(command: Command) -> None:
    """The lines that README shows are those that a build prints, but for the seconds."""
    Path("words/1.0").mkdir(parents=True)
    text = ".. glossary::\n\n   Kernel\n      A :term:`lop`.\n\n   Loop\n      What repeats.\n"
    Path("words/1.0/glossary.rst").write_text(text)
    result = command("build", "words")
    shown = (
        README.partition("## What it says")[2].partition("It replaces")[0].strip().splitlines()[2:]
    )
    problem, summary = (line.strip() for line in shown)
    assert [problem] == result.err.splitlines()
    assert summary.rpartition(" in ")[0] == result.out.splitlines()[0].rpartition(" in ")[0]


def test_index_of_the_docs_has_every_page() -> None:
    """docs/index.md, which the footer of our site leads to, links to each other page once."""
    linked = re.findall(r"\]\(([\w-]+\.md)\)", DOCS["index.md"])
    assert sorted(linked) == sorted(DOCS.keys() - {"index.md"})


def test_references_are_current() -> None:
    """The reference pages are equal to the output of `make reference`."""
    for name, text in reference.pages().items():
        assert DOCS[name] == text, f"docs/{name} is out of date: run `make reference`"


def test_tables_in_the_docs_are_valid() -> None:
    """Every table of site.toml in the docs is valid."""
    shown = 0
    for name, text in DOCS.items():
        for block in re.findall(r"^    \[\[?\w+\]\]?\n(?:    .*\n|\n(?=    \S))*", text, re.M):
            parsing.parse(re.sub("^    ", "", block, flags=re.M).replace("…", "x"), path=name)
            shown += 1
    assert shown >= 3


def test_links_between_papers_lead_somewhere() -> None:
    """Every relative link of README and docs leads to a file, and to an existing heading."""
    papers = {"README.md": README, **{f"docs/{name}": text for name, text in DOCS.items()}}
    for place, text in papers.items():
        for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
            file, _, id = target.partition("#")
            path = (ROOT / place).parent / file if file else ROOT / place
            assert path.exists(), f"{place}: {target}"
            if id:
                headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
                assert id in {heading_id(heading.replace("`", "")) for heading in headings}, (
                    f"{place}: {target}"
                )


def test_every_key_of_the_data_is_documented() -> None:
    """The lists in docs/data.md name every key of the schema, and no other."""
    section = DOCS["data.md"].partition("## glossary.json")[2].partition("\n## ")[0]
    keys = set(
        names(json.loads((ROOT / "templates/glossary.schema.json").read_text(encoding="utf-8")))
    )
    assert [key for key in sorted(keys) if f"`{key}`" not in section] == []
    listed = " ".join(re.findall(r"^- (`.*?`): ", section, re.M))
    assert set(re.findall(r"`(\w+)`", listed)) <= keys


def names(schema: dict[str, Any]) -> Iterator[str]:
    """Yields every property that a schema describes, but those of the files of terms and
    releases."""
    definitions = {
        name: one
        for name, one in schema.get("$defs", {}).items()
        if name not in ("term-file", "release")
    }
    for key, value in schema.get("properties", {}).items():
        yield key
        yield from names(value.get("items", value))
    for value in definitions.values():
        yield from names(value)


def test_every_format_is_documented() -> None:
    """The list of formats in docs/sources.md has each format once."""
    listed = DOCS["sources.md"].partition("\nIn Markdown:")[0]
    documented = re.findall(r"^- `(\w+)`: ", listed, re.M)
    assert sorted(documented) == sorted(format.name for format in FORMATS)


def test_every_package_is_on_the_map() -> None:
    """ARCHITECTURE.md names every package."""
    here = {f"{path.name}/" for path in (ROOT / "sitegen").iterdir() if any(path.glob("*.py"))}
    assert [name for name in sorted(here) if f"`{name}`" not in ARCHITECTURE] == []


def test_every_file_on_the_map_exists() -> None:
    """Every module, folder and script that ARCHITECTURE.md names exists, and has the names given in
    parentheses."""
    folders = [
        ROOT / name for name in ("sitegen", "templates", "tests", "bench", "docs", "contributing")
    ]
    there = (*folders, *(path for folder in folders for path in folder.rglob("*")))
    files = {f"/{path.relative_to(ROOT).as_posix()}": path for path in there}

    def paths(named: str) -> list[Path]:
        return [path for file, path in files.items() if file.endswith(f"/{named.rstrip('/')}")]

    named = re.findall(r"`([\w.-]+/[\w./-]*|[\w.-]+\.(?:py|js|css|md))`", ARCHITECTURE)
    assert len(named) > 50
    assert [name for name in named if not paths(name)] == []
    anchors = re.findall(r"`([\w./-]+)` \(((?:`[\w-]+`(?:, )?)+)\)", ARCHITECTURE)
    assert len(anchors) > 15
    for name, listed in anchors:
        for word in re.findall(r"[\w-]+", listed):
            assert any(word in path.read_text(encoding="utf-8") for path in paths(name)), (
                f"{name}: {word}"
            )


def test_every_name_on_the_map_is_in_the_code() -> None:
    """Each name that ARCHITECTURE.md has as code is in the program or its templates."""
    words: set[str] = set()
    for folder, suffix in (("sitegen", "py"), ("templates", "*")):
        for path in (ROOT / folder).rglob(f"*.{suffix}"):
            words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    named = re.findall(r"`([A-Za-z_][\w.]*)`", ARCHITECTURE)
    assert len(named) > 100
    assert [name for name in named if not words.issuperset(name.split("."))] == []


def test_names_in_contributing_are_in_their_modules() -> None:
    """CONTRIBUTING.md names functions, tables and types that are in the module beside them."""
    named = re.findall(r"`(\w+)`(?: or `(\w+)`)?\s+in\s+`(sitegen/[\w/]+\.py)`", CONTRIBUTING)
    assert len(named) > 8
    for *names, module in named:
        text = (ROOT / module).read_text(encoding="utf-8")
        for name in filter(None, names):
            defined = rf"^\s*(?:def |class )?{name}\b[^=\n]*[=:(]"
            assert re.search(defined, text, re.M), f"{module}: {name}"


def test_limits_are_those_of_the_code() -> None:
    """Each limit in contributing/limits.md is the number that is in the module beside it."""
    paper = (ROOT / "contributing/limits.md").read_text(encoding="utf-8")
    numbers = 0
    for row in re.findall(r"^\| (?!what |---).*$", paper, re.M):
        _, what, limit, where, _ = row.split("|")
        module, *names = re.findall(r"`([\w./]+)`", where)
        assert (ROOT / "sitegen" / module).exists(), what
        for name in names:
            path = module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            number = getattr(import_module(f"sitegen.{path}"), name)
            shown = {
                f"{number:,}",
                f"{round(number * MAX_ENTRIES):,}",
                f"{number // 2**10} KiB",
                f"{number // 2**20} MiB",
            }
            found = re.findall(r"[\d,.]*\d(?: [KM]iB)?", limit)
            assert shown.intersection(found), f"{what}: {name}"
            numbers += 1
    assert numbers > 25


def test_commands_of_the_papers_exist() -> None:
    """Every `make` target in a paper is in the Makefile."""
    targets = set(re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(), re.M))
    named = set(re.findall(r"`make ([a-z]+)`|^    make ([a-z]+)", ALL, re.M))
    assert {one or other for one, other in named} <= targets


def test_nothing_is_promised_of_paths_that_are_not_there() -> None:
    """Every project path in a paper exists."""
    reported = re.findall(
        r"`((?:sitegen|templates|tests|content)/[a-z_][\w./-]*)`",
        ALL,
    )
    assert len(reported) > 5
    assert [path for path in reported if not (ROOT / path).exists()] == []
