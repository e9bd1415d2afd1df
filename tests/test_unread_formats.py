"""Formats that are not read, data that are hostile, and texts that mention another format."""

from __future__ import annotations

import sys

import pytest

from sitegen import formats
from sitegen.model import Document, Reading
from sitegen.text.file_names import refusal


def document(name: str, text: str) -> Document:
    return Document(source="s", release="1", path=name, name=name, text=text)


def read(name: str, text: str) -> Reading:
    return formats.read(document(name, text))


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
        (
            "aliases.yml",  # a list of 1,000 values, 1,000 times
            "a: &a [" + "x, " * 1_000 + "]\nb: [" + "*a, " * 1_000 + "]",
            "more than 350,000 values",
        ),
        (
            "texts.yml",  # joined, the texts would be a gigabyte
            "a: &a " + "x" * 100_000 + "\nb: {definition: [" + "*a, " * 10_000 + "]}",
            "more than 350,000 values",
        ),
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


def test_aliases_of_aliases_are_not_read() -> None:
    """A few lines of YAML that expand to millions of values are one problem."""
    (problem,) = read("bomb.yml", BOMB).problems
    assert problem.found == "more than 350,000 values"


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


@pytest.mark.parametrize("name", ["words.xml", "words.bib"])
def test_some_formats_are_known_by_their_text_alone(name: str) -> None:
    """The name of a file does not say whether XML is DocBook, or what else to write."""
    assert refusal(name) is None
