"""Formats of other distributions, and formats that are not read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitegen import formats
from sitegen.model import Document, Reading

CONTRIBUTING = Path(__file__).parent.parent / "CONTRIBUTING.md"


def document(name: str, text: str) -> Document:
    return Document(source="s", release="1", path=name, name=name, text=text)


def read(name: str, text: str) -> Reading:
    return formats.read(document(name, text))


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The format of CONTRIBUTING.md, installed."""
    code, table = re.findall(
        r"```(?:python|toml)\n(.*?)```", CONTRIBUTING.read_text(encoding="utf-8"), re.S
    )[-2:]
    (tmp_path / "words_format.py").write_text(code, encoding="utf-8")
    about = tmp_path / "words_format-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: words-format\nVersion: 1.0\n")
    group, line = re.findall(r'entry-points."(.*?)"\]\n(.*?)\n', table)[0]
    entry = line.replace('"', "")
    (about / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    formats.all_formats.cache_clear()
    yield
    sys.modules.pop("words_format", None)
    formats.all_formats.cache_clear()


@pytest.mark.usefixtures("plugin")
def test_another_distribution_adds_a_format() -> None:
    """The example of CONTRIBUTING.md is found by its entry point, and reads files by their name or
    content."""
    for name in ("glossary.words", "glossary"):
        reading = read(name, "#words\nAnchor = Holds a ship.\nBuoy = A mark that floats.\n")
        assert [(entry.name, entry.line) for entry in reading.entries] == [
            ("Anchor", 2),
            ("Buoy", 3),
        ]


MARKDOWN = "# Glossary\n\n## Anchor\n\nHolds a ship.\n\n## Buoy\n\nA mark that floats.\n"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("glossary.org", MARKDOWN, "Org"),
        ("glossary.tex", MARKDOWN, "LaTeX"),
        ("glossary", f"% terms\n\\newglossaryentry{{anchor}}{{name=Anchor}}\n{MARKDOWN}", "LaTeX"),
        ("glossary.tsx", MARKDOWN, "program code"),
        ("glossary.toml", MARKDOWN, "TOML"),
        ("glossary", f"#+TITLE: Glossary\n{MARKDOWN}", "Org"),
        ("glossary", f"\\input texinfo\n{MARKDOWN}", "Texinfo"),
        ("glossary.md", f"{{\\rtf1 {MARKDOWN}", "RTF"),
        ("words.tbx", "<tbx><text/></tbx>", "TBX"),
        ("words", '<?xml version="1.0"?>\n<martif type="TBX"><text/></martif>', "TBX"),
        ("words.obo", "[Term]\nid: A:1\nname: leaf\n", "OBO"),
        ("words", "format-version: 1.4\n\n[Term]\nname: leaf\n", "OBO"),
    ],
)
def test_a_format_that_is_not_read_is_named(name: str, text: str, found: str) -> None:
    """A file whose name or first bytes show an unsupported format is one problem, and has no
    terms."""
    (problem,) = read(name, text).problems
    assert problem.found == f"this is {found}, which is not read"
    assert formats.recognize(document(name, text)) is None


DEEP_XML = "this is no XML: Excessive depth in document: 256, use XML_PARSE_HUGE option"
BOMB = "a: &a {x: y}\n" + "".join(
    f"{key}: &{key} {{{', '.join(f'k{number}: *{before}' for number in range(9))}}}\n"
    for before, key in zip("abcdefghijk", "bcdefghijkl", strict=True)
)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("deep.yml", "[" * 100_000, "values are nested more than 60 deep"),
        ("deep.dbk", "<glossary>" + "<para>" * 100_000, DEEP_XML),
        ("deep.json", '{"a":' * 100_000, "values are nested more than 60 deep"),
        (
            "open.json",
            '{"a": "' + "\\\\" * 100_000,
            "this is no YAML or JSON: found unexpected end of stream",
        ),
        ("aliases.yml", "a: &a {x: y}\nb: [" + "*a, " * 11_000 + "]", "more than 10,000 aliases"),
        (
            "long.rdf",
            f"<rdf:RDF xmlns:rdf='a'><rdf:a>{'a' * 300_000}</rdf:a></rdf:RDF>",
            "a text that is too long for a definition",
        ),
        (
            "marks.rdf",
            f"<rdf:RDF>{'>' * 200_000}<a>{'a' * 300_000}</a></rdf:RDF>",
            "a text that is too long for a definition",
        ),
        ("long.ttl", f"<a> <b> '''{'a' * 300_000}", "a text that is too long for a definition"),
        (
            "quoted.ttl",
            '<a> <b> """' + 'a"b' * 100_000 + '""" .',
            "a text that is too long for a definition",
        ),
        (
            "open.csv",
            'term,definition\n"a,' + "x" * 200_000,
            "this is no table: field larger than field limit (131072)",
        ),
    ],
)
def test_hostile_data_is_one_problem(name: str, text: str, found: str) -> None:
    """Data that are nested, repeated or unclosed without end are one problem, with its line."""
    (problem,) = read(name, text).problems
    assert (problem.found, problem.line > 0) == (found, "too long" not in found)


def test_aliases_of_aliases_are_read_once() -> None:
    """A few lines of YAML that expand to millions of values are read once each."""
    assert [entry.name for entry in read("bomb.yml", BOMB).entries] == ["x"]


def test_vocabularies_need_an_optional_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rdflib a vocabulary is one problem, which says how to install it."""
    monkeypatch.setitem(sys.modules, "rdflib", None)
    (problem,) = read("words.ttl", "@prefix : <https://example.org/> .\n").problems
    assert problem.wanted == "pip install 'rdflib>=7', in the environment of sitegen"


@pytest.mark.parametrize("example", ["[glossary]\nbow:: The front.", "\\newacronym{a}{A}{B}"])
def test_markdown_that_shows_another_format_stays_markdown(example: str) -> None:
    """A Markdown glossary with another format's markup in a code block stays Markdown."""
    text = f"{MARKDOWN}\n```\n{example}\n```\n"
    assert [entry.name for entry in read("glossary.md", text).entries] == ["Anchor", "Buoy"]
