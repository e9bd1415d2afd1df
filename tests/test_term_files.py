"""Term files: their names and front matter, beyond the examples of the case file."""

from __future__ import annotations

import pytest
from glossaries import with_documents

from sitegen import formats
from sitegen.model import Document, Reading, Source
from sitegen.sources.parsed_sources import parsed

SOURCE = Source(id="s", title="S", releases=())


def read(text: str, *, name: str) -> Reading:
    return formats.read(Document(source="s", release="1", path=f"1/{name}", name=name, text=text))


def test_files_of_the_folder_itself_are_passed_over_in_silence() -> None:
    """Section pages, templates and pages without text are skipped without a problem."""
    for name, text in (
        ("terms/_index.md", "\n---\ntitle: Our words\n---\n\n# Our words\n\nHow to add one.\n"),
        ("terms/_template.md", "---\ntitle: Name\n---\n\n## What it is\n\nSay it.\n"),
        ("terms/search.md", "---\ntitle: Search\nlayout: search\n---\n"),
    ):
        assert read(text, name=name) == Reading(is_auxiliary=True)


def test_damaged_front_matter_is_a_gap() -> None:
    """The problem has its line, and headings in the page of a term do not become terms."""
    page = "---\ntitle: Jig: a holder\n---\n\nHolds.\n\n## See also\n\nSaws.\n\n## Use\n\nHold.\n"
    reading = read(page, name="words/jig.md")
    assert [str(problem) for problem in reading.problems] == [
        "1/words/jig.md:2: the front matter cannot be read as YAML; quote values that contain a "
        "colon, and write out what `<<` merges"
    ]
    assert not reading.entries and not reading.is_auxiliary


def test_values_that_go_into_data_are_visible() -> None:
    """A character that YAML spells out is not in the text of the file."""
    page = '---\ntitle: Jig\nkind: "t\\u202eo\\u00adol"\nnone: "\\u200b"\n---\n\nHolds.\n'
    [entry] = read(page, name="words/jig.md").entries
    assert entry.text.metadata == (("kind", ("tool",)),)


def test_template_may_be_a_term() -> None:
    """The page of a folder that is called template is a term if it defines that word, and a form
    otherwise."""
    for text, names in (
        ("A frame from which a series is made.", ["Jig", "Saw", "Template"]),
        ("…", ["Jig", "Saw"]),
    ):
        pages = {
            "jig": "# Jig\n\nHolds.\n",
            "saw": "# Saw\n\nCuts.\n",
            "template": f"# Template\n\n{text}\n",
        }
        documents = [
            Document(
                source="s",
                release="1",
                path=name,
                name=f"glossary/{name}.md",
                text=page,
                format="page",
            )
            for name, page in pages.items()
        ]
        (release,) = parsed(with_documents(SOURCE, documents)).releases
        assert [entry.name for entry in release.entries] == names


def test_glossary_of_several_terms_among_pages_is_read() -> None:
    """A file that is called a glossary, with several terms, is read beside pages of one term."""
    pages = {
        "jig": "# Jig\n\nHolds.\n",
        "saw": "# Saw\n\nCuts.\n",
        "glossary": "# Glossary\n\n## Peg\n\nKeeps its place.\n\n## Vice\n\nPresses.\n",
    }
    documents = []
    for name, page in pages.items():
        path = f"terms/{name}.md"
        documents.append(
            Document(source="s", release="1", path=path, name=path, text=page, format="page")
        )
    (release,) = parsed(with_documents(SOURCE, documents)).releases
    assert [entry.name for entry in release.entries] == ["Jig", "Saw", "Peg", "Vice"]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "glossary.py",
            "# reads the pages\n\nnames = []\n",
            "this is program code, which is not read",
        ),
        ("glossary.yaml", "- Jig: ''\n", "no terms found"),
    ],
)
def test_data_and_programs_beside_pages_are_no_pages(name: str, text: str, found: str) -> None:
    """A file with the ending of data or of a program is not read as the page of a term."""
    pages = {"jig.md": "# Jig\n\nHolds.\n", name: text}
    documents = []
    for file, page in pages.items():
        path = f"terms/{file}"
        documents.append(
            Document(source="s", release="1", path=path, name=path, text=page, format="page")
        )
    source = parsed(with_documents(SOURCE, documents))
    (release,) = source.releases
    assert [entry.name for entry in release.entries] == ["Jig"]
    assert [problem.found for problem in source.problems] == [found]


def test_section_pages_with_headings_are_no_terms_among_term_files() -> None:
    """A section page of Hugo with several headings may be a glossary, but is none where most files
    are one term."""
    section = (
        "---\ntitle: Help us\n---\n\nWelcome.\n\n## Working on words\n\nSay it.\n\n## "
        "Licence\n\nOurs.\n"
    )
    pages = {
        name.lower(): f"---\ntitle: {name}\n---\n\nHolds a part.\n"
        for name in ("Jig", "Saw", "Vice")
    }
    documents = [
        Document(source="s", release="1", path=name, name=f"content/en/{name}.md", text=text)
        for name, text in {**pages, "_index": section, "help/_index": section}.items()
    ]
    (release,) = parsed(with_documents(SOURCE, documents)).releases
    assert [entry.name for entry in release.entries] == ["Jig", "Saw", "Vice"]


def test_entry_answers_to_the_name_of_its_file() -> None:
    """The file's stem is an anchor; for an index file, the name of its folder."""
    text = "---\ntitle: Table saw\n---\nCuts.\n"
    assert read(text, name="en/table_saw.md").entries[0].anchors == ("table_saw", "table-saw")
    assert read(text, name="en/table_saw/index.md").entries[0].anchors == ("table_saw", "table-saw")


def test_links_to_sibling_files() -> None:
    """All forms of a sibling's address are references to it; pictures and web addresses are not."""
    siblings = (
        "/saw/",
        "/saw",
        "saw.md",
        "saw.qmd",
        "./saw.md",
        "../saw/",
        "../saw.md#teeth",
        "/en/saw/",
        "saw/?x=1",
    )
    others = (
        "https://example.org/saw/",
        "/guide/saw/",
        "saw.png",
        "mailto:saw@example.org",
        "//example.org/saw",
    )
    links = " ".join(f"[x]({address})" for address in (*siblings, *others))
    (entry,) = read(f"---\ntitle: Jig\n---\n{links}\n", name="jig.md").entries
    assert [reference.target for reference in entry.definition.references] == ["#saw"] * len(
        siblings
    )
    assert all(f'href="{address}"' in entry.definition.html for address in others)


def test_names_in_front_matter() -> None:
    """Names have the same keys as in other records: a text of several, a list, or mappings with a
    name each. Addresses of pages are no names."""
    lines = (
        "title: Table saw",
        "synonyms: bench saw, saw bench",
        "aliases: [/saws/, Sawmill]",
        "names-to-avoid: buzz saw",
        "nonPreferred: {0: {title: chop saw, link: }, 1: {title: , link: }}",
        "relatedTerm: [{title: Jig}]",
        "siehe auch: Clamp",
        "reviewer: Ada",
    )
    (entry,) = read("\n".join(("---", *lines, "---", "Cuts.\n")), name="saw.md").entries
    names = [(one.text, one.status) for one in entry.designations]
    assert names == [
        ("Table saw", "preferred"),
        ("bench saw", "admitted"),
        ("saw bench", "admitted"),
        ("Sawmill", "admitted"),
        ("buzz saw", "deprecated"),
        ("chop saw", "deprecated"),
    ]
    assert entry.definition.text == "Cuts.\n\nSee also: Jig, Clamp"
    assert entry.text.metadata == (("reviewer", ("Ada",)),)


def test_deprecation_in_front_matter() -> None:
    """Certain statuses, or a switch, deprecate a term; other statuses do not."""
    for line, expected in (
        ("status: Deprecated", True),
        ("deprecated: true", True),
        ("deprecated: false", False),
        ("status: Completed", False),
    ):
        (entry,) = read(f"---\ntitle: Jig\n{line}\n---\nHolds.\n", name="jig.md").entries
        assert entry.deprecated is expected


def test_glossary_with_front_matter_is_no_term_file() -> None:
    """If the title says glossary, the headings are the terms."""
    for matter, heading in (
        ("title: Glossary", ""),
        ("title: Workshop", "# Words of the workshop\n\n"),
    ):
        reading = read(
            f"---\n{matter}\n---\n{heading}## Jig\n\nHolds.\n\n## Saw\n\nCuts.\n", name="words.md"
        )
        assert [entry.name for entry in reading.entries] == ["Jig", "Saw"]


def test_a_rule_is_no_front_matter() -> None:
    """A text between two rules is not front matter."""
    reading = read(
        "---\nWords of the workshop\n---\n\n**Jig**: holds\n\n**Saw**: cuts\n", name="words.md"
    )
    assert [(entry.name, entry.line) for entry in reading.entries] == [("Jig", 5), ("Saw", 7)]


def test_front_matter_may_be_long() -> None:
    """Sources and notes in front matter are no text, however long they are."""
    sources = f"sources: {'A book about wood. ' * 1_000}"
    (jig,) = read(f"---\nterm: Jig\n{sources}\n---\n\nHolds.\n", name="jig.md").entries
    assert (jig.name, jig.definition.text) == ("Jig", "Holds.")
