"""Real glossaries in Markdown, plain text and HTML: every term, nothing else, and no false
change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from sitegen import formats
from sitegen.model import Document, Entry, Reading
from sitegen.text import words
from sitegen.text.decoding import decode

RAW = re.compile(r"\[\[|\{#|\]\(|\*\*|```|<!--|</?[a-z]+>")
"""Markup that a reader must not see in a text."""


def read(path: Path, *, within: Path | None = None) -> Reading:
    """Reads a document after decoding it, as a build does."""
    text = decode(path.read_bytes(), path=path.name).text or ""
    name = path.relative_to(within).as_posix() if within else path.name
    return formats.read(Document(source="s", release="r", path=path.name, name=name, text=text))


def by_name(reading: Reading) -> dict[str, Entry]:
    return {entry.name: entry for entry in reading.entries}


def reworded(before: Reading, after: Reading) -> list[str]:
    """Returns the names of entries on both sides with different words."""
    one, two = by_name(before), by_name(after)
    both = (name for name in one if name in two)
    return [
        name
        for name in both
        if words.compare(one[name].definition, two[name].definition) == "reworded"
    ]


def sections(reading: Reading) -> list[str]:
    return list(dict.fromkeys(entry.section for entry in reading.entries))


@pytest.fixture
def seeds(shared: Path) -> tuple[Reading, Reading, Reading, Reading]:
    tutorials, expanded, plain, scraped = (
        read(path) for path in sorted((shared / "seeds").glob("*.txt"))
    )
    return plain, expanded, tutorials, scraped


def test_seeds_have_the_entries_their_readme_counts(seeds: tuple[Reading, ...]) -> None:
    """The seeds have 15 entries in plain text, 17 in Markdown, 36 in Sphinx and 5 in the page,
    without problems."""
    assert [len(reading.entries) for reading in seeds] == [15, 17, 36, 5]
    assert [len(sections(reading)) for reading in seeds] == [2, 2, 1, 1]
    assert not any(reading.problems for reading in seeds)


def test_seeds_differ_in_the_words_their_readme_names(seeds: tuple[Reading, ...]) -> None:
    """Four definitions are reworded from plain text to Markdown, and none by the loss of markup
    alone."""
    plain, expanded, tutorials, _ = seeds
    four = ["ATen", "Operation", "Native Operation", "Custom Operation"]
    assert reworded(plain, expanded) == four
    assert set(reworded(expanded, tutorials)) == {*four, "Compound Kernel", "JIT", "TorchScript"}
    assert reworded(plain, tutorials) == ["Compound Kernel", "JIT", "TorchScript"]


def test_seed_with_three_senses(seeds: tuple[Reading, ...]) -> None:
    """The numbered senses of Tensor are three items of one list."""
    html = by_name(seeds[1])["Tensor"].definition.html
    assert (
        html.index("<ol>")
        < html.index("(formal)")
        < html.index("(PyTorch implementation)")
        < html.index("</ol>")
    )
    assert html[: html.index("</ol>")].count("<li>") == 3


def test_navigation_and_title_of_the_scraped_seed(seeds: tuple[Reading, ...]) -> None:
    """Its navigation and its title are not terms."""
    names = [
        "PyTorch NumPy",
        "Variables and Autograd",
        "Dynamic Graphs",
        "Optim Package",
        "Multiprocessing",
    ]
    assert [entry.name for entry in seeds[3].entries] == names


def redux(shared: Path) -> Iterator[Reading]:
    versions = ("v4.0.1", "v4.0.5", "v4.2.0", "v5.0.0", "v5.0.1")
    return (read(next((shared / "corpora/redux" / version).rglob("*.md"))) for version in versions)


def test_redux_has_the_same_ten_terms_at_every_release(shared: Path) -> None:
    """With or without front matter, wherever the file is, and with its code in its language."""
    paths = sorted((shared / "corpora/redux").rglob("*.md"))
    readings = [read(path) for path in paths]
    assert len(paths) == 13
    assert {tuple(by_name(reading)) for reading in readings} == {tuple(by_name(readings[0]))}
    assert len(readings[0].entries) == 10
    assert all('class="language-js"' in entry.definition.html for entry in readings[0].entries)


def test_redux_changes_of_markup_are_no_changes_of_words(shared: Path) -> None:
    """Neither other marks for emphasis nor other link targets reword a definition."""
    emphasis, after, targets, moved, last = redux(shared)
    assert reworded(emphasis, after) == reworded(after, targets) == reworded(moved, last) == []
    # These two really say something else in 5.0.0.
    assert reworded(targets, moved) == ["Reducer", "Action Creator"]


def test_pytorch_markdown_did_not_change(shared: Path) -> None:
    """15 terms in two sections, the same to the letter from 1.13.1 to 2.6.0, and a stray line
    changes none."""
    folder = shared / "corpora/pytorch"
    first, last = (read(folder / release / "GLOSSARY.md") for release in ("1.13.1", "2.6.0"))
    stray = read(folder / "variants/pr-07920b53-AAAAAA/GLOSSARY.md")
    assert len(first.entries) == 15
    assert sections(first) == ["Operation and Kernel", "JIT Compilation"]
    assert [entry.definition for entry in first.entries] == [
        entry.definition for entry in last.entries
    ]
    assert list(by_name(stray)) == list(by_name(first))


def test_vue_terms_and_the_links_between_them(shared: Path) -> None:
    """38 terms, later 39; every link within a document leads to the anchor of a term in it."""
    readings = [read(path) for path in sorted((shared / "corpora/vue").rglob("*.md"))]
    assert [len(reading.entries) for reading in readings] == [38, 38, 39, 39]
    assert by_name(readings[-1]).keys() - by_name(readings[0]).keys() == {"cache static"}
    for reading in readings:
        anchors = {f"#{anchor}" for entry in reading.entries for anchor in entry.anchors}
        targets = {
            reference.target
            for entry in reading.entries
            for reference in entry.definition.references
        }
        assert targets <= anchors
    assert [reworded(*pair) for pair in pairwise(readings)] == [
        ["in-DOM template"],
        ["hoisting"],
        [],
    ]


def test_twisted_terms_and_the_links_between_them(shared: Path) -> None:
    """53 terms, then 52, in one glossary and one in the other; the name of an anchor is its
    term's."""
    folder = shared / "corpora/twisted"
    core = [read(path) for path in sorted(folder.glob("*/doc/core/howto/glossary.html"))]
    web = [read(path) for path in sorted(folder.glob("*/doc/web/howto/glossary.html"))]
    assert [len(reading.entries) for reading in (*core, *web)] == [53, 52, 52, 1, 1, 1]
    assert reworded(core[1], core[2]) == []
    adaptee = by_name(core[0])["adaptee"]
    assert [reference.target for reference in adaptee.definition.references] == ["#Adapter"]
    assert "Adapter" in by_name(core[0])["Adapter"].anchors
    code = (
        'class="language-python">from twisted.web.resource import Resource\n\nclass '
        "Greeting(Resource):"
    )
    assert code in web[0].entries[0].definition.html


def test_cncf_files_are_a_term_each(shared: Path) -> None:
    """Every file but the section page, the template and the search page holds one term, with its
    section."""
    for release, count in (("2021-12-01", 54), ("2022-08-01", 72), ("2023-08-01", 79)):
        root = shared / "corpora/cncf" / release
        readings = {path.name: read(path, within=root) for path in root.rglob("*.md")}
        entries = [entry for reading in readings.values() for entry in reading.entries]
        assert not any(reading.problems for reading in readings.values())
        without = {name for name, reading in readings.items() if not reading.entries}
        assert without - {"search.md"} == {"_index.md", "_TEMPLATE.md"}
        assert len(entries) == count
        assert {entry.section for entry in entries} <= {"Concept", "Property", "Technology", ""}


def test_cncf_links_lead_to_files(shared: Path) -> None:
    """A link to a sibling's address is a reference to the term in the file of that name."""
    root = shared / "corpora/cncf/2021-12-01"
    gateway = read(root / "content/en/api_gateway.md", within=root).entries[0]
    targets = [reference.target for reference in gateway.definition.references]
    assert targets == ["#application_programming_interface", "#observability"]
    interface = read(root / "content/en/application_programming_interface.md", within=root).entries[
        0
    ]
    assert "application_programming_interface" in interface.anchors


def test_cncf_deprecations_are_marked(shared: Path) -> None:
    """The status in front matter deprecates terms, in any case of its key."""
    root = shared / "corpora/cncf/2023-08-01"
    entries = [entry for path in root.rglob("*.md") for entry in read(path, within=root).entries]
    deprecated = {entry.name for entry in entries if entry.deprecated}
    assert len(deprecated) == 8
    assert {"Firewall", "Software as a Service (SaaS)"} <= deprecated


def documents(shared: Path) -> Iterator[Path]:
    for folder in ("redux", "vue", "twisted", "cncf", "pytorch/1.13.1"):
        paths = (shared / "corpora" / folder).rglob("*")
        yield from (path for path in sorted(paths) if path.suffix in {".md", ".html"})


def test_lines_are_those_of_the_names(shared: Path) -> None:
    """The line of an entry has the first word of its name, in every document."""
    for path in documents(shared):
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
        for entry in read(path).entries:
            assert entry.name.split()[0] in lines[entry.line - 1], f"{path}: {entry.name}"


def test_no_markup_is_left_in_texts(shared: Path) -> None:
    """Names and definitions have no markup outside code."""
    for path in documents(shared):
        for entry in read(path).entries:
            assert not RAW.search(entry.name + _without_code(entry)), f"{path}: {entry.name}"


def _without_code(entry: Entry) -> str:
    text = entry.definition.text
    edges = [0, *(edge for code in entry.definition.code for edge in code), len(text)]
    return "".join(text[start:past] for start, past in zip(edges[::2], edges[1::2], strict=True))
