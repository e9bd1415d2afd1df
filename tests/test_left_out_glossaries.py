"""Which files and folders that look like a glossary are left out, and that they are named."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from discovered import WORDS, find, left_out, markdown
from repositories import Repository


def test_abbreviations_that_pages_include_are_no_glossary_beside_another(
    repository: Repository,
) -> None:
    """A list in `includes/`, which a generator adds to every page, is left out where there is a
    glossary."""
    acronyms = "".join(f"*[{word[:3].upper()}]: {word}\n" for word in WORDS)
    repository.commit({"docs/glossary/index.md": markdown(), "includes/acronyms.md": acronyms})
    assert [one.paths for one in find(repository)] == [("docs/glossary/index.md",)]
    assert set(left_out(repository)) == {"includes/acronyms.md"}


def test_damaged_data_is_named_with_its_line(repository: Repository) -> None:
    """A data file that cannot be parsed is left out with the cause, so that its maintainer can mend
    it."""
    repository.commit(
        {
            "data/glossary.yaml": "jig:\n  definition: Holds.\nvice:\n  definition: Clamps\nand "
            "holds.\n"
        }
    )
    assert find(repository) == ()
    assert left_out(repository) == {
        "data/glossary.yaml": "this is no YAML or JSON: could not find expected ':' (line 6)"
    }


def test_a_name_with_the_word_terms_is_no_second_glossary(repository: Repository) -> None:
    """A file called `search-terms` is a glossary only where no name says more."""
    repository.commit({"docs/search-terms.md": markdown(("One", "Two", "Three"))})
    assert [one.paths for one in find(repository)] == [("docs/search-terms.md",)]
    repository.commit({"docs/glossary.md": markdown()})
    assert [one.paths for one in find(repository)] == [("docs/glossary.md",)]
    assert left_out(repository) == {
        "docs/search-terms.md": "its name says less than that of docs/glossary.md"
    }


def test_a_copy_is_left_out(repository: Repository) -> None:
    """Of two files with the same terms the larger is found."""
    repository.commit(
        {"docs/glossary.md": markdown(), "web/glossary.md": markdown((*WORDS, "Worktree"))}
    )
    assert [glossary.paths for glossary in find(repository)] == [("web/glossary.md",)]
    assert left_out(repository) == {"docs/glossary.md": "shares terms with web/glossary.md"}


def test_a_list_of_acronyms_is_left_out(repository: Repository) -> None:
    """Of two files with the same terms a list of acronyms is not found, even if it has more."""
    repository.commit(
        {"glossary.md": markdown(), "acronyms.md": markdown((*WORDS, "Worktree", "Bisect"))}
    )
    assert [glossary.paths for glossary in find(repository)] == [("glossary.md",)]
    assert left_out(repository) == {"acronyms.md": "shares terms with glossary.md"}


def test_a_built_page_is_left_out(repository: Repository) -> None:
    """Of a document and the page that was built from it, the document is found, even if the page is
    the larger."""
    terms = "".join(
        f"<dt>{word}</dt><dd>The meaning of {word}.</dd>" for word in (*WORDS, "Worktree")
    )
    page = f"<html><body><h1>Glossary</h1><dl>{terms}</dl></body></html>"
    repository.commit({"docs/glossary.html": page, "src/glossary.md": markdown()})
    assert [glossary.paths for glossary in find(repository)] == [("src/glossary.md",)]
    assert left_out(repository) == {"docs/glossary.html": "shares terms with src/glossary.md"}


API = """\
openapi: 3.1.0
info:
  title: Terms of the service
  version: 1.0.0
paths:
  /terms:
    get:
      description: Gets all the terms that the server offers.
"""
SCHEMA = """\
title: Accepted terms
type: object
properties:
  accepted:
    description: The terms that a person has agreed to.
  refused:
    description: The terms that a person has not agreed to.
"""
MANUAL = (
    "name(7)\n=======\n\nNAME\n----\nx - a\n\nSYNOPSIS\n--------\n*\n\nDESCRIPTION\n"
    "-----------\n\nText.\n"
)
DECISION = (
    "# Vocabulary\n\n## Background\n\nText.\n\n## Decision\n\nText.\n\n## Consequences\n\nText.\n"
)
HOW_TO = "# Build a glossary\n\n## Get it\n\nText.\n\n## Write it\n\nText.\n\n## Send it\n\nText.\n"
FEATURE = (
    "# Abbreviations\n\n## Configuration\n\nText.\n\n## Adding a word\n\nText.\n\n## "
    "Lists\n\nText.\n"
)
MANAGEMENT = "# Glossary management\n\n## Shared lists\n\nText.\n\n## From a file\n\nText.\n"
GUIDE = (
    "# Glossary\n\n## Create a glossary\n\nText.\n\n## Add terms from a file\n\nText.\n\n## "
    "Roles\n\nText.\n"
)
GETTING = (
    "# Vocabularies\n\n## Get the list\n\n### Hook\n\nText.\n\n## Get vocabularies\n\n### "
    "Hook\n\nText.\n\n### Values\n\nText.\n"
)
STEPS = "# Words\n\n## Step 1: Find words\n\nText.\n\n## Step 2: Send them\n\nText.\n"
TASKS = (
    ".. _words:\n\n=====\nTerms\n=====\n\nText.\n\nAdd a term\n==========\n\nText.\n\nList\n~~~~\n\nText.\n\n"
    "Delete a term\n=============\n\nText.\n"
)
SYSTEM = "# Glossary system\n\n## Lists\n\nText.\n\n## Words\n\nText.\n"
STYLE = (
    "# Glossary\n\n## Our words\n\nText.\n\n## Tips for writers\n\nText.\n\n## Style "
    "guidelines\n\nText.\n"
)
SECTIONS = (
    "# Vocabulary\n\n## Building vocabularies\n\nText.\n\n### From words\n\nText.\n\n### From "
    "files\n\nText.\n\n### From lists\n\nText.\n\n## More options\n\nText.\n"
)
FILES = (
    "# Glossary files\n\n## Structure\n\nText.\n\n## File naming convention\n\nText.\n\n## Current "
    "lists\n\nText.\n\n## Adding words\n\nText.\n\n## Quality guidelines\n\nText.\n"
)
APP = (
    "# Glossary app\n\n## Tech stack\n\nText.\n\n## Prerequisites\n\nText.\n\n## Features\n\nText.\n\n"
    "## Learn more\n\nText.\n\n## Deployment\n\nText.\n"
)
PHRASES = json.dumps(
    {"machine learning": "apprentissage automatique", "batch size": "taille de lot"}
)
NO_DEFINITIONS = "codes or translations, as its values are no definitions"
PREFIXES = json.dumps({"coolRack": "rk-", "flourSilo": "fs", "packLine": "pl-"})
TRANSLATIONS = json.dumps({"Save": "Speichern", "Cancel": "Abbrechen", "Go on": "Weiter"})
MESSAGES = json.dumps({"words": {"listTitle": "All words", "searchTerms": "Search terms"}})


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("doc/projectglossary.txt", MANUAL, "a manual page"),
        ("docs/vocabulary.md", DECISION, "a record of a decision"),
        ("new-glossary.md", HOW_TO, "instructions"),
        ("translating-glossary.md", markdown(), "instructions"),
        ("style/glossary.md", STYLE, "instructions"),
        ("abbreviations.md", FEATURE, "instructions"),
        ("docs/terms.md", markdown().replace("# Glossary", "# Working with terms"), "instructions"),
        ("docs/terms.md", markdown().replace("# Glossary", "# Terms query"), "instructions"),
        ("legal/terms.md", markdown().replace("# Glossary", "# Our Terms of Use"), "a contract"),
        ("docs/features/glossary.md", MANAGEMENT, "instructions"),
        ("docs/glossary.md", SYSTEM, "instructions"),
        ("terms-importer/README.md", SYSTEM.replace("system", "importer"), "instructions"),
        ("docs/vocabulary.md", SECTIONS, "instructions"),
        ("glossary/README.md", FILES, "instructions"),
        ("glossary-app/README.md", APP, "instructions"),
        ("words/thesaurus.ttl", "# " + 2_000_000 * "-", "more than 1,960,000 characters of RDF"),
        ("terms/glossary.json", PHRASES, NO_DEFINITIONS),
        ("docs/business-glossary.md", GUIDE, "instructions"),
        ("docs/actions/vocabularies.md", GETTING, "instructions"),
        ("vocabularies/README.md", STEPS, "instructions"),
        ("manual/terms.rst", TASKS, "instructions"),
        ("infra/abbreviations.json", PREFIXES, NO_DEFINITIONS),
        ("glossary.json", TRANSLATIONS, NO_DEFINITIONS),
        ("web/glossary.yaml", MESSAGES, NO_DEFINITIONS),
        ("api/v2_terms.yaml", API, "a description of an API or of data"),
        ("data/terms.yaml", SCHEMA, "a description of an API or of data"),
        ("glossary.odt", "anything", "a word processor's file is not read; export it as HTML"),
        (
            "glossary.tex",
            "\\newacronym{a}{A}{Anchor}",
            "LaTeX is not read; keep the terms as Markdown, YAML or CSV",
        ),
        (
            "glossary-1.0.tar.gz",
            "\x1f\x8b\0",
            "an archive is not read; unpack it into a folder named after its release",
        ),
        (
            "data/the glossary.xlsx",
            "PK\0\1",
            "a spreadsheet is not read; export it as CSV, JSON or Markdown",
        ),
    ],
)
def test_what_is_no_glossary_is_named(
    repository: Repository, path: str, text: str, why: str
) -> None:
    """A file that has a glossary's name and is not one, or cannot be read, is named with the
    reason."""
    repository.commit({path: text})
    assert find(repository) == ()
    assert left_out(repository) == {path: why}


def test_files_are_left_out_where_a_folder_of_pages_is_smaller(tmp_path: Path) -> None:
    """In a repository called glossary, the reason for a file is given, unless a folder of pages is
    chosen."""
    repository = Repository(tmp_path / "glossary")
    pages = {f"words/{word}.md": f"# {word}\n\nThe meaning of {word}.\n" for word in WORDS[:3]}
    unclear = {"docs/terminology.md": "Nothing is defined here.\n"}
    repository.commit({**pages, **unclear, "docs/glossary.md": markdown()})
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/glossary.md",)
    assert left_out(repository) == {"docs/terminology.md": "no terms are recognized in it"}


def test_terms_that_are_called_like_parts_of_a_manual_are_found(repository: Repository) -> None:
    """A glossary of programs may have terms called "Usage", and abbreviations of two words."""
    abbreviations = {
        "API": "Application programming interface",
        "vm": "Virtual machine",
        "IO": "IO",
    }
    repository.commit(
        {
            "GLOSSARY.md": markdown(("Usage", "Output", "Pipeline", "API", "Drift", "Plan")),
            "abbreviations.json": json.dumps(abbreviations),
        }
    )
    assert [one.paths for one in find(repository)] == [("GLOSSARY.md",), ("abbreviations.json",)]


def test_a_small_glossary_beside_a_larger_one_is_named(repository: Repository) -> None:
    """A glossary of two terms is left out with a line where another has three."""
    repository.commit({"GLOSSARY.md": markdown(), "docs/terminology.md": markdown(("Ape", "Bear"))})
    assert [one.paths for one in find(repository)] == [("GLOSSARY.md",)]
    why = "it has fewer than 3 terms, and GLOSSARY.md is read"
    assert left_out(repository) == {"docs/terminology.md": why}


def test_a_context_file_that_is_titled_a_glossary_is_one(repository: Repository) -> None:
    """CONTEXT.md is read as a whole if its title says so; otherwise only its section of terms
    is."""
    repository.commit(
        {"CONTEXT.md": markdown().replace("# Glossary", "# Context: our ubiquitous language")}
    )
    assert [(one.paths, one.section) for one in find(repository)] == [(("CONTEXT.md",), "")]


def test_a_section_with_the_same_terms_is_left_out(repository: Repository) -> None:
    """A section of CONTEXT.md whose terms are all in another glossary is none of its own."""
    context = "# Shop\n\nText.\n\n## Language\n\n" + "".join(
        f"**{word}**:\nSaid here.\n\n" for word in WORDS[:4]
    )
    repository.commit({"UBIQUITOUS_LANGUAGE.md": markdown(), "CONTEXT.md": context})
    assert [one.paths for one in find(repository)] == [("UBIQUITOUS_LANGUAGE.md",)]


def test_a_context_file_of_tables_of_terms_is_a_glossary(repository: Repository) -> None:
    """CONTEXT.md is read as a whole if a table in it is one of terms; a table of commands is
    none."""
    rows = "".join(f"| **{word}** | The meaning of {word} here. |\n" for word in WORDS)
    repository.commit(
        {"CONTEXT.md": f"# Shop\n\n## People\n\n| Term | Definition |\n|---|---|\n{rows}"}
    )
    assert [one.entries for one in find(repository)] == [7]
    repository.commit(
        {"CONTEXT.md": f"# Shop\n\n## Commands\n\n| Name | Description |\n|---|---|\n{rows}"}
    )
    assert find(repository) == ()


PLAIN_CONTEXT = (
    "# Domain\n\n## Tide Window\n\nA Tide Window is a time.\n\n## Pilot Order\n\nThe "
    "pilot order asks.\n"
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (PLAIN_CONTEXT, 2),
        (PLAIN_CONTEXT.replace("A Tide Window is", "This is").replace("The pilot order", "It"), 0),
        (
            "# Ordering\n\n**Account**: A person. _Avoid_: user\n\n**Order**: What somebody "
            "wants.\n",
            2,
        ),
        (
            "# Shop\n\n**Build**: Run make.\n\n**Test**: Run pytest. Avoid sleeping: use events.\n",
            0,
        ),
    ],
)
def test_a_context_is_a_glossary_by_the_look_of_its_terms(
    repository: Repository, text: str, terms: int
) -> None:
    """The names in CONTEXT.md are terms if definitions begin with them, or if names to avoid are
    given."""
    repository.commit({"CONTEXT.md": text})
    assert [one.entries for one in find(repository)] == ([terms] if terms else [])


def test_a_sample_beside_the_glossary_is_left_out(repository: Repository) -> None:
    """A stem with `test` or `old` is that of a copy; words of the project's name tell nothing."""
    repository.commit(
        {
            "data/test_glossary.md": markdown(WORDS[:3]),
            "data/old_glossary.md": markdown((*WORDS, "Worktree")),
            "data/project_words_glossary.md": markdown((*WORDS, "Stash")),
        }
    )
    (glossary,) = find(repository)
    assert glossary.paths == ("data/project_words_glossary.md",)


def test_a_few_terms_beside_all_of_them_are_left_out(repository: Repository) -> None:
    many = "\n".join(f"word {number}: What the word {number} means." for number in range(50))
    repository.commit(
        {"data/my-glossary.yml": many, "data/glossary.yml": "Blob: A blob.\nTree: A tree.\n"}
    )
    (glossary,) = find(repository)
    assert glossary.paths == ("data/my-glossary.yml",)


def test_a_large_file_that_has_the_terms_of_a_small_one_is_the_glossary(
    repository: Repository,
) -> None:
    repository.commit({"glossary.md": markdown(WORDS[:2]), "docs/all-of-the-terms.md": markdown()})
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/all-of-the-terms.md",)


def test_a_committed_site_is_no_glossary(repository: Repository) -> None:
    """The files of a built site, such as its glossary.csv, are not proposed."""
    table = "Term,Definition\n" + "".join(f"{word},The meaning of {word}.\n" for word in WORDS)
    repository.commit({"words/glossary.csv": table})
    assert [one.paths for one in find(repository)] == [("words/glossary.csv",)]
    repository.commit({"words/.sitegen": "This site was built by sitegen.\n"})
    assert find(repository) == ()


def test_sites_without_number_are_left_out_in_one_pass(repository: Repository) -> None:
    """Forty thousand folders that say that they are built sites take a few seconds."""
    glossary = "# Glossary\n\n" + "".join(f"- **{word}**: {word} is one.\n" for word in WORDS)
    site = repository.commit_tree([("100644", b".sitegen", repository.write("blob", b""))], tag="a")
    entries = [("40000", f"{number:05}".encode(), site) for number in range(40_000)]
    entries.append(("100644", b"GLOSSARY.md", repository.write("blob", glossary.encode())))
    repository.commit_tree(entries, tag="b")
    repository.git("update-ref", "HEAD", "b")
    begun = time.process_time()
    assert [one.paths for one in find(repository)] == [("GLOSSARY.md",)]
    assert time.process_time() - begun < 10
