"""Damaged, hostile or oversized documents: each is read as far as possible, and none raises an
error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen import formats
from sitegen.formats.markdown import site_markup
from sitegen.model import Document, Reading
from sitegen.text.decoding import decode

MANY = 10_000

HUGE = {
    "nothing": "",
    "only white space": " \n\t\n\r\n",
    "front matter alone": "---\nkind: none\n---\n",
    "front matter that nests": "---\na: " + "[" * 45_000 + "\n---\n",
    "front matter that never ends": "---\ntitle: x\n" * MANY,
    "nested quotes": ">" * MANY + " x",
    "nested quotes and space": "# Glossary\n\n## A\n\n" + "> " * MANY + "x",
    "nested lists": "# Glossary\n\n" + "- " * MANY + "x",
    "one long line": "word " * 200_000,
    "one long word": "x" * 1_000_000,
    "a huge table": "# Glossary\n\n| Term | Definition |\n|-|-|\n" + "| a |\n" * MANY,
    "a wide table": "|a" * 2_000 + "\n" + "|-" * 2_000 + "\n" + "|x\n" * 50,
    "unclosed fences": "# Glossary\n\n## A\n\n" + "```\nx\n\n~~~\n" * 999 + "```",
    "unclosed links": "# Glossary\n\n## A\n\n" + "[a](" * MANY,
    "unclosed emphasis": "# Glossary\n\n## A\n\n" + "*a **b " * MANY,
    "unclosed comments": "# Glossary\n\n## A\n\n<div>" + "<!-- " * MANY,
    "unclosed braces": "# Glossary\n\n## A {#" + "x" * MANY,
    "unclosed containers": "# Glossary\n\n## A\n\n" + "::: note\n" * MANY,
    "unclosed elements": "# Glossary\n\n## A\n\n" + "<div>" * MANY,
    "elements without end": "<html><body><dl>" + "<dt>a<dd>" * MANY,
    "elements nested too deep": "<html><body>" + "<div>" * MANY + "<dl><dt>a<dd>b</dl>",
    "names only": "Glossary\n\n" + "name\n\n" * MANY,
    "zero characters": "\0" * MANY,
    "half characters": "# Glossary\n\n## \ud800\n\n\udfff\n\n## B\n\nb\n",
}

PIECES = (
    "# ,## ,### ,Glossary,term,a definition that ends., ,\n,\n\n,**,*,_,`,```\n,~~~,- ,1. ,: ,~ "
    ",—,|,|-|-|\n,"
    "| Term | Definition |\n,> ,> [!NOTE]\n,::: tip\n,:::,!!! note\n,    "
    ",\t,<dl>,<dt>,<dd>,</dl>,<a name='x'>,</a>,"
    "<!--,-->,<br>,<script>,[x](#y),[,],(,),[^1],[^1]: ,$,$$\n,---\n,title: x\n,===\n"
    ",{#id},{:toc},[[TOC]],(1:a) x,"
    "(2:b) y,<h2>,</h2>,<p>,<pre>,<html>,<!doctype "
    "html>,\\,&lt;,&,\x00,\u2028,İ,中,http://a.b,\r\n,\r,<table>,<td>,"
    "<div class='note'>,![,~~,***,::,<,]("
).split(",")


def document(
    text: str, *, name: str = "glossary.md", section: str = "", format: str = ""
) -> Document:
    return Document(
        source="s",
        release="1",
        path=f"1/{name}",
        name=name,
        text=text,
        section=section,
        format=format,
    )


def readings(text: str, *, section: str = "") -> dict[str, Reading]:
    """Returns the readings of a text by the three formats that guess."""
    formats.read(document(text, section=section))
    names = ("html", "markdown", "text")
    return {name: formats.read(document(text, section=section, format=name)) for name in names}


def decoded(text: str) -> str:
    """Returns a text as it is after a file was read."""
    return decode(text.encode(), path="glossary.md").text or ""


@pytest.mark.parametrize("name", HUGE)
def test_huge_and_broken_documents(name: str) -> None:
    """Every reading has entries or says in a problem, with its path, why there is none."""
    for format, reading in readings(HUGE[name]).items():
        assert reading.entries or reading.problems, format
        assert all(
            problem.path == "1/glossary.md" and problem.found for problem in reading.problems
        )


def test_nothing_read_is_one_clear_line() -> None:
    """A document without terms gives one problem, which describes a term."""
    for reading in readings("Just a sentence.\n").values():
        (problem,) = reading.problems
        assert problem.found == "no terms found"
        assert problem.wanted.startswith("wanted ")


def test_terms_before_what_is_broken_are_read() -> None:
    """An unclosed code block or comment hides what it contains, and is reported with its line."""
    for opened in ("```", "<!--"):
        reading = readings(f"# Glossary\n\n## A\n\na\n\n{opened}\n\n## B\n\nb\n")["markdown"]
        assert [entry.name for entry in reading.entries] == ["A"]
        assert [problem.line for problem in reading.problems] == [7]


def test_elements_too_deep_are_reported() -> None:
    """HTML that is nested too deeply is reported with its line."""
    text = "<html><body><dl><dt>a<dd>b</dl>\n" + "<div>" * 300 + "lost"
    reading = readings(text)["html"]
    assert [entry.name for entry in reading.entries] == ["a"]
    assert [(problem.line, problem.found) for problem in reading.problems] == [
        (2, "elements nest too deep from here on")
    ]


def test_windows_and_old_mac_line_ends() -> None:
    """Line ends of any kind count as lines."""
    for end in ("\n", "\r\n", "\r"):
        markdown = readings(decoded("# Glossary\n\n## A\n\na\n\n## B\n\nb\n".replace("\n", end)))[
            "markdown"
        ]
        text = readings(
            decoded("Glossary\n\nA\n\nThe first.\n\nB\n\nThe second.\n".replace("\n", end))
        )["text"]
        assert [entry.line for entry in markdown.entries] == [3, 7]
        assert [entry.line for entry in text.entries] == [3, 7]


@pytest.mark.parametrize(
    "text",
    [
        ".. |x| unicode:: U+D800\n\n.. glossary::\n\n   a |x| b\n      c |x| d\n\n   e\n      f\n",
        "# Glossary\n\n## a \ud800 b\n\nc \udfff d\n\n## e\n\nf\n",
    ],
)
def test_half_characters_are_told_as_such(text: str) -> None:
    """Unpaired surrogates are replaced in names, in every format."""
    assert [entry.name for entry in formats.read(document(text)).entries] == ["a \ufffd b", "e"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"term": "a", "definition": "b", "section": "S\\u00ad\\u202e"},'
        '{"term": "c", "definition": "d"}]',
        "# Glossary\n\n## S&shy;&#x202e;\n\n### a\n\nb\n\n*Avoid*: x&shy;\n\n## T\n\n### c\n\nd\n",
    ],
)
def test_what_nobody_sees_is_in_no_name(text: str) -> None:
    """A section or a name to avoid has no invisible characters, however they are spelled: an archive
    with them is refused."""
    name = "glossary.json" if text.startswith("[") else "glossary.md"
    first, _ = formats.read(document(text, name=name)).entries
    assert first.text.section == "S"
    assert {name.text for name in first.text.designations} <= {"a", "x"}


def test_invisible_names_to_avoid_and_anchors_are_left_out() -> None:
    """A name to avoid or an anchor has a visible character, and is listed once however it is
    spelled; the name of the term is none to avoid."""
    text = "# Glossary\n\n## a {#&shy;}\n\nb\n\n*Avoid*: x, x&shy;, &shy;, a&shy;\n"
    [entry] = formats.read(document(text, name="glossary.md")).entries
    assert [name.text for name in entry.text.designations] == ["a", "x"]
    assert entry.text.anchors == ("a",)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=50), st.sampled_from(["", "Glossary"]))
def test_any_mixture_of_markup(pieces: list[str], section: str) -> None:
    """With any mixture of markup no reading raises, and every entry has a name, a line and a
    definition."""
    for reading in readings("".join(pieces), section=section).values():
        for entry in reading.entries:
            assert entry.name.strip()
            assert entry.line > 0
            assert entry.definition.text


def test_tags_that_are_never_closed_are_read_fast() -> None:
    """Thousands of unclosed tags of site generators are read in linear time, with all lines."""
    parts = (
        "{/*  {{/*  {%comment%}  `a  ``a`b  [[a  [a]{  {{<a  {%a  <A  [a][  ]({{<ref  {a  "
        "{a{b}  $a  $$a  <A>a"
    )
    for part in (*parts.split("  "), "import {a", "import a,"):
        text = "{{ " + f"{part} \n" * 5_000
        for opening in ("", 'import A from "a"\n'):
            translated, _ = site_markup.translated(opening + text)
            assert translated.count("\n") == (opening + text).count("\n")


def test_many_comments_at_the_top_of_xml_are_read_fast() -> None:
    """A license in 60 comments takes no time above any root. It took hours, as in a real file."""
    comments = "<!-- a line of the license -->\n" * 60
    for root in ("<changes/>", "<html/>", "<rdf:RDF/>"):
        text = f'<?xml version="1.0"?>\n{comments}{root}\n'
        assert not formats.read(document(text, name="changes.xml")).entries
        assert not formats.read(document(text, name="changes")).entries
