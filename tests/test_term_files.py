"""Files that hold one term: what their names and front matter say beside the case file's examples."""

from __future__ import annotations

from sitegen import formats
from sitegen.model import Document, Reading


def read(text: str, *, name: str) -> Reading:
    return formats.read(Document(source="s", release="1", path=f"1/{name}", name=name, text=text))


def test_files_of_the_folder_itself_are_passed_over_in_silence() -> None:
    """Section pages, templates and pages with a layout and no text hold no term, and nothing is odd about them."""
    for name, text in (
        ("terms/_index.md", "\n---\ntitle: Our words\n---\n\n# Our words\n\nHow to add one.\n"),
        ("terms/_template.md", "---\ntitle: Name\n---\n\n## What it is\n\nSay it.\n"),
        ("terms/search.md", "---\ntitle: Search\nlayout: search\n---\n"),
    ):
        assert read(text, name=name) == Reading(is_furniture=True)


def test_entry_answers_to_the_name_of_its_file() -> None:
    """The file's stem is an anchor; of an index file, that of its folder."""
    text = "---\ntitle: Table saw\n---\nCuts.\n"
    assert read(text, name="en/table_saw.md").entries[0].anchors == ("table_saw", "table-saw")
    assert read(text, name="en/table_saw/index.md").entries[0].anchors == ("table_saw", "table-saw")


def test_links_to_sibling_files() -> None:
    """All ways of writing the address of a sibling are references to it; pictures and the web are not."""
    siblings = ("/saw/", "/saw", "saw.md", "./saw.md", "../saw/", "../saw.md#teeth", "/en/saw/", "saw/?x=1")
    others = ("https://example.org/saw/", "/guide/saw/", "saw.png", "mailto:saw@example.org", "//example.org/saw")
    links = " ".join(f"[x]({address})" for address in (*siblings, *others))
    (entry,) = read(f"---\ntitle: Jig\n---\n{links}\n", name="jig.md").entries
    assert [reference.target for reference in entry.definition.references] == ["#saw"] * len(siblings)
    assert all(f'href="{address}"' in entry.definition.html for address in others)


def test_deprecation_in_front_matter() -> None:
    """A status or a switch marks a term as deprecated; any other status does not."""
    for line, expected in (
        ("status: Deprecated", True),
        ("deprecated: true", True),
        ("deprecated: false", False),
        ("status: Completed", False),
    ):
        (entry,) = read(f"---\ntitle: Jig\n{line}\n---\nHolds.\n", name="jig.md").entries
        assert entry.deprecated is expected


def test_glossary_with_front_matter_is_no_term_file() -> None:
    """Where the title above or in the text says glossary, the headings are the terms."""
    for matter, heading in (("title: Glossary", ""), ("title: Workshop", "# Words of the workshop\n\n")):
        reading = read(f"---\n{matter}\n---\n{heading}## Jig\n\nHolds.\n\n## Saw\n\nCuts.\n", name="words.md")
        assert [entry.name for entry in reading.entries] == ["Jig", "Saw"]


def test_a_rule_is_no_front_matter() -> None:
    """Two rules around a text are not taken for front matter."""
    reading = read("---\nWords of the workshop\n---\n\n**Jig**: holds\n\n**Saw**: cuts\n", name="words.md")
    assert [(entry.name, entry.citation.line) for entry in reading.entries] == [("Jig", 5), ("Saw", 7)]
