"""Limits on inputs: what exceeds one is refused with a line, in little time and memory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from archives import edition, page
from commands import Command

from sitegen import formats
from sitegen.config.parsing import ConfigError, parse
from sitegen.formats.rst import parser
from sitegen.model import Document, Source
from sitegen.permanence.archive_lines import archive_of
from sitegen.pipeline import assembly
from sitegen.sources.git.repositories import Clones
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries, SourceReader, read_config
from sitegen.text.decoding import visible


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a." * 40_000 + "a = 1", "a key of more than 16 parts"),
        ("[" + "'a' . " * 40_000 + "a]", "a key of more than 16 parts"),
        ("a = " + "9" * 5_000, "a number of more than 60 digits"),
        ("a = -" + "1" * 5_000, "a number of more than 60 digits"),
        ("a = " + "[" * 40_000, "nested more than 32 deep"),
        ("a = " + "{a=" * 40_000, "nested more than 32 deep"),
        ("a = 1\n" * 170_000, "more than 1,000,000 characters"),
        ('a = "' + '\\"' * 200_000, "unterminated string"),
    ],
    ids=lambda text: text[:12] if len(text) > 60 else "",
)
def test_site_toml_above_a_limit(text: str, found: str) -> None:
    """A site.toml that would take tomllib too long or too much memory is refused before it is
    parsed."""
    with pytest.raises(ConfigError, match=rf"site\.toml.*{found}"):
        parse(text, path="site.toml")


def many(unit: str, number: int) -> str:
    return "".join(unit.replace("9", str(n)) for n in range(number))


ABOVE = {
    "csv": ("term,definition\n" + many("Leaf 9,Grows.\n", 11), "rows"),
    "csv of rows without definitions": ("term,definition\n" + many("Leaf 9,\n", 11), "rows"),
    "dbk": (
        "<glossary>"
        + many(
            "<glossentry><glossterm>Leaf "
            "9</glossterm><glossdef><para>Grows.</para></glossdef></glossentry>",
            11,
        )
        + "</glossary>",
        "entries",
    ),
    "dbk of empty paragraphs": (
        "<glossary><glossentry>" + "<para/>" * 100 + "</glossentry></glossary>",
        "tags",
    ),
    "yml": (many("Leaf 9: Grows.\n", 11), "entries"),
    "yml of numbers": ("- 1\n" * 101, "values"),
    "json": ('{"a": "b"' + many(', "Leaf 9": "Grows."', 11) + "}", "entries"),
    "json of lists": ("[" + "[]," * 101 + "[]]", "values"),
    "adoc": ("= Glossary\n\n[glossary]\n" + many("Leaf 9:: Grows.\n", 11), "lines"),
    "ttl": ("# " + "x" * 640 + "\n<#a> <#b> <#c> .\n", "characters of RDF"),
    "ttl of a list": ("<#a> <#b> (" + "1 " * 30 + ") .\n", "statements of RDF"),
    "html": ("<dl>" + many("<dt>Leaf 9<dd>Grows.", 11) + "</dl>", "entries"),
    "html of breaks": ("<dl><dt>Leaf<dd>" + "<br>" * 101, "tags"),
    "md": ("# Glossary\n\n" + many("## Leaf 9\n\nGrows.\n\n", 11), "headings and bold names"),
    "md of rows": ("# Glossary\n\n|Term|Definition|\n|-|-|\n" + many("|a9|b9|\n", 11), "entries"),
    "mdx": ("# Glossary\n\n" + "{a}" * 101, "tags"),
    "md of MyST": ("```{glossary}\n" + many("Leaf 9\n  Grows.\n\n", 11) + "```\n", "names"),
    "md of a long text in MyST": (
        f"```{{glossary}}\nLeaf\n  {'It grows. ' * 61}\n```\n",
        "characters of MyST glossaries",
    ),
    "rst": (".. glossary::\n\n" + many("   Leaf 9\n      Grows.\n\n", 11), "entries"),
    "rst without blank lines": (
        ".. glossary::\n\n" + many("   Leaf 9\n      Grows.\n", 11),
        "entries",
    ),
    "rst of sections": (
        many("Leaf 9\n======\n\nGrows :ref:`x`.\n\n", 30),
        "characters of reStructuredText",
    ),
    "txt": ("Glossary\n\n" + many("Leaf 9\n\nIt grows on a tree.\n\n", 11), "entries"),
}


@pytest.mark.parametrize("name", ABOVE)
def test_a_document_with_too_much_is_one_problem(name: str) -> None:
    """A document above the limit is one problem, which says what there is too much
    of."""
    text, of = ABOVE[name]
    path = f"glossary.{name.partition(' ')[0]}"
    document = Document(source="s", release="1", path=path, name=path, text=text, max_entries=10)
    read = formats.read(document)
    (problem,) = read.problems
    assert problem.found.startswith("more than ") and problem.found.endswith(f" {of}")
    assert "divide the document" in problem.wanted and not read.entries


@pytest.mark.parametrize("name", ["csv", "dbk", "yml", "json", "adoc", "html", "md", "rst", "txt"])
def test_a_document_at_the_limit_is_read(name: str) -> None:
    """A document within the limit is read."""
    text, _ = ABOVE[name]
    path = f"glossary.{name}"
    read = formats.read(
        Document(source="s", release="1", path=path, name=path, text=text, max_entries=30)
    )
    assert len(read.entries) >= 10


LEVELS = "".join(f"<!ENTITY l{level} '{{}}{f'&l{level - 1};' * 10}'>" for level in range(1, 10))
NAMES = (
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:s="http://www.w3.org/2004/02/skos/core#"'
)
EXPANDING = {
    "words.rdf": f"<rdf:RDF {NAMES}><s:Concept rdf:about='#a'><s:prefLabel>A</s:prefLabel>"
    "<s:definition>&l9;</s:definition></s:Concept></rdf:RDF>",
    "words.dbk": "<glossary><glossentry><glossterm>A</glossterm><glossdef><para>&l9;</para></glossdef></glossentry>"
    "</glossary>",
}


@pytest.mark.parametrize("before", ["", ">", '"', "<!ENTITY "])
@pytest.mark.parametrize("name", EXPANDING)
def test_entities_that_expand_without_end_are_not_expanded(name: str, before: str) -> None:
    """An entity that is made of others, a billion times the first, is refused or stays as it is
    written."""
    doctype = f"<!DOCTYPE x [<!ENTITY l0 'lol'>{LEVELS.format(*[before] * 9)}]>"
    document = Document(
        source="s", release="1", path=name, name=name, text=doctype + EXPANDING[name]
    )
    assert all("lollol" not in entry.definition.html for entry in formats.read(document).entries)


@pytest.mark.parametrize("mark", ["> ", "- ", "::: note\n", "1. "])
def test_blocks_that_nest_too_deeply_are_shown_as_they_are_written(mark: str) -> None:
    """Of Markdown blocks that are nested too deeply nothing is lost: the deepest are text."""
    for depth in (7, 30, 1_000):
        text = f"# Glossary\n\n## Bud\n\nSmall.\n\n## Leaf\n\n{mark * depth}grows\n"
        read = formats.read(Document(source="s", release="1", path="g.md", name="g.md", text=text))
        assert [entry.name for entry in read.entries] == ["Bud", "Leaf"]
        words = read.entries[1].definition.text
        assert "grows" in words
        assert (mark.split()[0] in words) == (depth > 7)


LARGE = {
    "table": "| Term | Definition | Source | Note |\n|---|---|---|---|\n"
    + "".join(f"| Term {n} | Words {n} | Book | x |\n" for n in range(5_000)),
    "headings": "".join(f"## Term {n}\n\nWords {n}.\n\n" for n in range(5_000)),
    "names in a row": "".join(f"Term {n}\nWord {n}\n: Words {n}.\n" for n in range(5_000)),
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_markdown_glossary_of_five_thousand_short_entries_is_read(text: str) -> None:
    """A long table or row of headings is read, also if its definitions are short."""
    document = Document(
        source="s", release="1", path="g.md", name="g.md", text=f"# Glossary\n\n{text}"
    )
    assert len(formats.read(document).entries) == 5_000


def test_lists_that_nest_too_deeply_are_beside_the_lists_above() -> None:
    """A list of AsciiDoc inside twelve others is beside the innermost of them."""
    marks = "* ** *** **** ***** - 1. . .. ... .... .....".split()
    text = "= Glossary\n\nLeaf:: Grows.\n" + "".join(f"{mark} on a tree\n" for mark in marks)
    read = formats.read(Document(source="s", release="1", path="g.adoc", name="g.adoc", text=text))
    (entry,) = read.entries
    assert entry.definition.html.endswith(
        "</ol><ol><li>on a tree</li></ol>" + "</li></ol>" * 4 + "</li></ul>" * 6
    )


LONG_WORD = "a:" * 8_000
NESTED = "- " * 300
RULE_OF_GRID = f"   {'+-' * 3000}+\n"
ROW_OF_GRID = f"   {'|a' * 3000}|\n"
TOO_MUCH_IN_RST = {
    "glossary": f".. glossary::\n\n   Leaf\n      Grows.\n\n   Bud\n      {LONG_WORD}\n",
    "definition list": f"Leaf\n   Grows.\n\nBud\n   {LONG_WORD}\n",
    "sections": f"Leaf\n----\n\nGrows.\n\nBud\n---\n\n{LONG_WORD}\n",
    "deep lists": ".. glossary::\n\n"
    + "".join(f"   Leaf {n}\n      {NESTED}\n\n" for n in range(16)),
    "long row of CSV": ".. glossary::\n\n   Leaf\n      .. csv-table::\n\n"
    + f"         {'a,' * 2000}\n"
    + "         b\n" * 200,
    # docutils reads the whole lines of a cell to find it.
    "wide grid": f".. glossary::\n\n   Leaf\n   {RULE_OF_GRID}"
    + f"   {ROW_OF_GRID}   {RULE_OF_GRID}" * 4,
}


@pytest.mark.parametrize("text", TOO_MUCH_IN_RST.values(), ids=TOO_MUCH_IN_RST)
def test_restructuredtext_above_the_limit_is_not_read_in_another_way(text: str) -> None:
    """reStructuredText that takes docutils too long is one problem, and is not read as Markdown."""
    reading = formats.read(
        Document(source="s", release="1", path="words.rst", name="words.rst", text=text)
    )
    assert [problem.found for problem in reading.problems] == [
        "too many small blocks, such as lists, fields, tables and notes"
    ]
    assert not reading.entries


@pytest.mark.parametrize("target", [".. _leaf{}: https://a.example\n\n", ".. _leaf{}:\n\n"])
def test_targets_below_empty_lines_take_work_in_proportion(target: str) -> None:
    """Four times as many targets take docutils four times the steps."""

    def steps(number: int) -> int:
        text = "".join(target.format(index) for index in range(number))
        tree = parser.parse(text, path="words.rst").document
        return int(tree.settings.steps.taken)

    assert steps(4_000) < 4.1 * steps(1_000)


@pytest.mark.parametrize(
    "text", ["# Glossary\n\n## Leaf\n\n{}\n", "```{{glossary}}\nLeaf\n  {}\n```\n"]
)
def test_a_paragraph_above_the_limit_is_shown_as_written(text: str) -> None:
    """A paragraph in which finding links would take very long is shown without its markup; a
    shorter one with it, and a long one of few marks."""
    for paragraph, is_marked in (
        ("[*Grows*](a). ", True),
        ("*Grows*. " * 2_000, True),
        ("[*Grows*](a). " * 2_000, False),
    ):
        document = Document(
            source="s", release="1", path="g.md", name="g.md", text=text.format(paragraph)
        )
        (entry,) = formats.read(document).entries
        assert ("<em>" in entry.definition.html, "*Grows*" in entry.definition.text) == (
            is_marked,
            not is_marked,
        )


@pytest.mark.parametrize(
    ("name", "title", "before", "word", "after"),
    [
        ("g.md", "# Glossary\n\n## Leaf\n\n", "[", "[w](w)", "]"),
        ("g.rst", "Glossary\n========\n\nLeaf\n----\n\n", "*a* ", "*w*", " *a*"),
    ],
)
def test_a_paragraph_with_too_many_marks_is_shown_as_written(
    name: str, title: str, before: str, word: str, after: str
) -> None:
    """A paragraph in which finding the markup would take very long is shown as it is written."""
    for times, is_as_written in ((1, False), (1_900, True)):
        text = title + before * times + word + after * times + "\n"
        (entry,) = formats.read(
            Document(source="s", release="1", path=name, name=name, text=text)
        ).entries
        assert (word in entry.definition.text) == is_as_written


def lines_run(function: Callable[[], object]) -> int:
    """Returns the number of lines of Python that a function runs."""
    number = 0

    def count(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal number
        number += event == "line"
        return count

    sys.settrace(count)
    try:
        function()
    finally:
        sys.settrace(None)
    return number


NOTHING = Glossaries(sources=())


def test_lost_addresses_take_work_in_proportion() -> None:
    """Four times as many lost terms take about four times the work."""

    def work(terms: int) -> int:
        names = [f"old-{number}" for number in range(terms)]
        lines = edition("1", dict.fromkeys(names, "Gone."), is_closed=True)
        archive = archive_of([*lines, *(page(name, "1") for name in names)])
        config = parse("", path="site.toml")
        assert len(assembly.assemble(config, NOTHING, archive).kept) >= terms
        return lines_run(lambda: assembly.assemble(config, NOTHING, archive))

    work(1)
    assert work(1_200) < 6 * work(300)


def test_a_translated_glossary_takes_work_in_proportion() -> None:
    """Four times as many entries and messages of a gettext catalog take about four times the
    work."""

    def work(number: int) -> int:
        catalog = many('msgid "Leaf 9"\nmsgstr "Blatt 9"\n\n', number)
        original = "# Glossary\n\n" + many("## Leaf 9\n\nGrows.\n\n", number)
        includes = (("words.md", original),)

        def entries(release: str) -> int:
            one = Document(
                source="s",
                release=release,
                path="de.po",
                name="de.po",
                text=catalog,
                includes=includes,
            )
            return len(formats.read(one).entries)

        assert entries("1") == number
        return lines_run(lambda: entries("2"))

    assert work(1_200) < 6 * work(300)


def test_blank_lines_above_a_text_take_work_in_proportion() -> None:
    """A text below thousands of blank lines is recognized like any other."""
    text = "\n \n" * 2_000 + "= Words\n\n[glossary]\nleaf:: Grows.\n"
    (entry,) = formats.read(
        Document(source="s", release="r", path="p", name="p", text=text)
    ).entries
    assert entry.name == "leaf"


def test_limits_of_other_formats_do_not_count() -> None:
    """A long plain text is read, although Markdown of its length is not."""
    text = "Glossary\n\n" + many(f"Leaf 9\n\nIt grows {'and grows ' * 20}on a tree.\n\n", 10)
    read = formats.read(
        Document(source="s", release="1", path="a.txt", name="a.txt", text=text, max_entries=10)
    )
    assert len(read.entries) == 10 and not read.problems


def test_a_long_markdown_document_is_refused() -> None:
    """Markdown of more characters than its limit is refused before it is parsed."""
    text = "# Glossary\n\n## Leaf\n\n" + "a\n" * 400
    read = formats.read(
        Document(source="s", release="1", path="a.md", name="a.md", text=text, max_entries=10)
    )
    assert [problem.found for problem in read.problems] == ["more than 600 characters of Markdown"]


def only_source(folder: Path) -> Source:
    """Returns the source of a folder as it is read."""
    reader = SourceReader(folder, clones=Clones(folder=folder))
    (source,) = reader.read(read_config(folder)).sources
    return source


def test_a_file_with_too_many_entries_is_a_gap(tmp_path: Path) -> None:
    """A file with too many entries makes its release a gap."""
    (tmp_path / "1.0").mkdir()
    rows = "Leaf,It grows.\n" * 35_001
    (tmp_path / "1.0/glossary.csv").write_text(f"term,definition\n{rows}")
    (release,) = parsed(only_source(tmp_path)).releases
    assert (release.entries, release.gaps) == ((), ("glossary.csv",))


def test_many_mistakes_are_cut_short() -> None:
    """At most twenty mistakes in tables are reported."""
    with pytest.raises(ConfigError) as caught:
        parse("".join(f"key-{number} = 1\n" for number in range(1_000)), path="site.toml")
    assert str(caught.value).count("\n") == 19


@pytest.mark.parametrize(
    "spelled", ["\x1b]0;x\x07", "\x1b[2J", "\x07", "\x7f", "\x00", "\x9b2J", "\u202e", "\u2066"]
)
def test_control_characters_are_not_visible(spelled: str) -> None:
    """Control characters and direction marks, however they are spelled, are removed from text."""
    assert (
        not {*spelled}
        & {*visible(f"Leaf{spelled}")}
        & {"\x1b", "\x07", "\x7f", "\x00", "\x9b", "\u202e", "\u2066"}
    )


def test_front_matter_spells_no_escape(command: Command, tmp_path: Path) -> None:
    """A name spelled with escape sequences in YAML has none in the site or on the terminal."""
    terms = tmp_path / "words/1.0/terms"
    terms.mkdir(parents=True)
    (terms / "leaf.md").write_text(
        '---\ntitle: "Leaf\\e]0;X\\a\\e[31m\\u202e\\r"\n---\n\nA leaf.\n'
    )
    (terms / "tree.md").write_text('---\ntitle: "Tree\\x7f"\n---\n\nA tree.\n')
    (tmp_path / "words/site.toml").write_text('[site]\ntitle = "Words"\nnote = "\\u001b[2J"\n')
    result = command("build", "words", "--no-ledger")
    assert result.status == 0
    files = (
        path for path in Path("site").rglob("*") if path.is_file() and path.name != "objects.inv"
    )
    written = "".join(path.read_bytes().decode() for path in files)
    assert not set("\x1b\x07\x7f\u202e") & set(written + result.out + result.err)
