"""Parsed sources: the entries of each release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from glossaries import change_lines, lives_of, with_documents

from sitegen.model import Document, Release, Source
from sitegen.sources.parsed_sources import parsed

WORDS = "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n"
CUT = "```{glossary}\nATen\n  A library.\n\n  ```c\n  int a;\n  ```\n\nKernel\n  A loop.\n```\n"
ODD = "Glossary\n========\n\n.. glossary::\n\n   ATen\n      A library.\n\n   Kernel\n"
SOURCE = Source(id="s", title="S", releases=())


def document(release: str, text: str, name: str = "GLOSSARY.md") -> Document:
    return Document(source="s", release=release, path=f"v{release}:{name}", name=name, text=text)


def tags(documents: Iterable[Document], unread: Iterable[tuple[str, str]] = ()) -> Source:
    """Returns a source in git, whose tags have these documents, and lack (release, name)."""
    source = with_documents(SOURCE, [*documents], unread=unread)
    releases = [replace(release, commit=f"id of v{release.name}") for release in source.releases]
    return replace(source, releases=tuple(releases))


def read(
    *documents: Document, unread: Iterable[tuple[str, str]] = ()
) -> tuple[tuple[Release, ...], list[str]]:
    source = parsed(tags(documents, unread))
    return source.releases, list(map(str, source.problems))


def test_each_release_cites_its_own_copy_of_a_text() -> None:
    """The entries of an unchanged document are equal, but for the release and the path; a moved one
    has its new name."""
    (one, two, three), problems = read(
        document("1.0", WORDS), document("1.1", WORDS), document("1.2", WORDS, name="docs/words.md")
    )
    assert problems == []
    cited = [
        [(entry.name, entry.place.path, entry.line) for entry in one.entries] for one in (one, two)
    ]
    assert cited == [
        [("ATen", f"v{release}:GLOSSARY.md", 3), ("Kernel", f"v{release}:GLOSSARY.md", 7)]
        for release in ("1.0", "1.1")
    ]
    assert {entry.place.release for entry in two.entries} == {"1.1"}
    assert one.entries[0].definition == two.entries[0].definition
    assert three.entries[0].place.name == "docs/words.md"


EXAMPLE = "**An example:** A tape that is read from its end.\n\n"
REMARKS = f"# Tape in detail\n\n{EXAMPLE}**With us:** We use no tapes at all today.\n"


def test_words_that_a_later_release_has_beside_its_terms_are_not_removed() -> None:
    """What a document keeps word by word, but not as a term, is unknown, also where the document
    moves; what is gone is removed."""
    later = (
        f"# Glossary\n\n## Tape\n\nA medium.\n\n{EXAMPLE}## Disk\n\nAnother one.\n\n## Drum\n"
        f"\nThe first one.\n"
    )
    documents = [
        document("1", REMARKS),
        document("2", later),
        document("3", later + "\n", name="docs/words.md"),
    ]
    lives = lives_of(parsed(with_documents(SOURCE, documents)))
    assert change_lines(lives["An example"]) == ["1 first-read"]
    assert change_lines(lives["With us"]) == ["1 first-read", "2 removed"]


@pytest.mark.parametrize(
    ("name", "text", "definition"),
    [
        (
            "words.adoc",
            "= Glossary\n\n[glossary]\ntape::\n  Another.\n\ndisk::\n  A medium.\n",
            "  A medium.\n",
        ),
        (
            "words.md",
            "| Term | Definition |\n| - | - |\n| tape | Another. |\n| disk | A medium. |\n",
            "A medium.",
        ),
    ],
)
def test_a_name_without_a_definition_is_not_removed(name: str, text: str, definition: str) -> None:
    """A term whose name a document still has, but no definition that can be read, is unknown for
    that time."""
    later = text.replace(definition, "")
    documents = [document(release, text if release == "1" else later, name) for release in "123"]
    source = parsed(tags(documents))
    [problem] = source.problems
    assert (problem.terms, change_lines(lives_of(source)["disk"])) == (
        ("disk",),
        ["1 first-read"],
    )


def test_what_is_odd_in_a_shared_text_is_said_once() -> None:
    """The problem of a file that all tags share is reported once; of folders, in which each has a
    file of its own, each time."""
    documents = [document(release, ODD, name="g.rst") for release in ("1.0", "1.1")]
    _, problems = read(*documents)
    assert len(problems) == 1
    assert problems[0].startswith("v1.0:g.rst:9: ")
    in_folders = parsed(with_documents(SOURCE, documents)).problems
    assert [problem.path for problem in in_folders] == ["v1.0:g.rst", "v1.1:g.rst"]


def test_nothing_found_is_unread() -> None:
    """A document without any recognized entry is a problem, and its terms are unknown at that
    release."""
    (one, two), problems = read(document("1.0", WORDS), document("1.1", "Nothing.\n"))
    assert (one.names_read, one.gaps) == (("GLOSSARY.md",), ())
    assert (two.names_read, two.gaps) == ((), ("GLOSSARY.md",))
    assert len(problems) == 1


def test_a_document_that_breaks_off_is_unread() -> None:
    """If only part of a document could be read, its other terms are unknown at that release."""
    (one, two), problems = read(document("1.0", WORDS), document("1.1", CUT))
    assert [entry.name for entry in two.entries] == ["ATen"]
    assert (two.names_read, two.gaps) == ((), ("GLOSSARY.md",))
    assert len(problems) == 1
    kernel = lives_of(Source(id="s", title="S", releases=(one, two)))["Kernel"]
    assert change_lines(kernel) == ["1.0 first-read"]


def test_what_could_not_be_decoded_is_unread() -> None:
    """A gap that the reader of files reports stays a gap of its release."""
    (one, two), _ = read(document("1.0", WORDS), unread=[("1.1", "")])
    assert (one.gaps, two.gaps, two.entries) == ((), ("",), ())


PAGE = "---\ntitle: {0}\n---\n\nThe meaning of {0} here.\n"


def test_what_stands_beside_files_of_terms_is_no_gap() -> None:
    """A README among term files, or a file that is unreadable at every release, does not hide a
    removal."""
    names = {"1.0": ("Ape", "Bear", "Cat", "Dog"), "1.1": ("Ape", "Bear", "Cat")}
    documents = [
        one
        for release, words in names.items()
        for one in (
            *(document(release, PAGE.format(word), name=f"terms/{word}.md") for word in words),
            document(release, "Source this first.\n", name="terms/README.md"),
            document(release, "## One\n\n## Two\n", name="terms/prose.md"),
        )
    ]
    releases, problems = read(*documents)
    assert [release.gaps for release in releases] == [(), ()]
    assert len(problems) == 1 and problems[0].startswith("v1.0:terms/prose.md: ")


def test_a_file_of_terms_that_cannot_be_read_is_a_gap() -> None:
    """A term whose file had it before, and now has none that can be read, is unknown, not
    removed."""
    documents = []
    for release in ("1.0", "1.1"):
        for word in ("Ape", "Bear", "Cat"):
            text = PAGE.format(word)
            if (release, word) == ("1.1", "Ape"):
                text = "## One\n\n## Two\n"
            documents.append(document(release, text, name=f"terms/{word}.md"))
    releases, _ = read(*documents)
    assert [release.gaps for release in releases] == [(), ("terms/Ape.md",)]
    life = lives_of(Source(id="s", title="S", releases=releases))["Ape"]
    assert change_lines(life) == ["1.0 first-read"]


def test_a_merge_conflict_is_a_gap() -> None:
    """A text with an unresolved conflict says nothing about its terms, so none of them is
    removed."""
    conflict = (
        WORDS + "\n<<<<<<< HEAD\n## Plane\n=======\n## Planer\n>>>>>>> other\n\nSmooths a board.\n"
    )
    (_, middle, _), problems = read(
        document("1.0", WORDS), document("1.1", conflict), document("1.2", WORDS)
    )
    assert (middle.entries, middle.names_read, middle.gaps) == ((), (), ("GLOSSARY.md",))
    assert [problem.partition(": ")[2].partition(";")[0] for problem in problems] == [
        "a merge conflict that was committed"
    ]
