"""Discovery of glossaries in a repository, with all their earlier paths."""

from __future__ import annotations

import json
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from repositories import TODAY, Repository

from sitegen.sources.discovery import find_glossaries
from sitegen.sources.discovery.language_detection import detected_language
from sitegen.sources.discovery.searched_repository import FoundGlossary
from sitegen.sources.git.repositories import Clones
from sitegen.sources.glossary_names import path_variant

WORDS = ("Blob", "Commit", "Index", "Object", "Ref", "Tag", "Tree")


def markdown(words: tuple[str, ...] = WORDS) -> str:
    return (
        "# Glossary\n\n"
        + "\n\n".join(f"## {word}\n\nThe meaning of {word} here." for word in words)
        + "\n"
    )


def sphinx(words: tuple[str, ...] = WORDS) -> str:
    body = "\n\n".join(f"   {word}\n      A {word}, in other words." for word in words)
    return f"Glossary\n========\n\n.. glossary::\n\n{body}\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "project")


def find(repository: Repository) -> tuple[FoundGlossary, ...]:
    clones = Clones(folder=repository.path.parent / "cache")
    found = find_glossaries(".", root=repository.path, clones=clones)
    assert found.problems == ()
    return found.glossaries


def left_out(repository: Repository) -> dict[str, str]:
    """Maps the path of each file that is not proposed to the reason."""
    clones = Clones(folder=repository.path.parent / "cache")
    return {
        one.path: one.why
        for one in find_glossaries(".", root=repository.path, clones=clones).left_out
    }


def test_a_glossary_is_found_by_its_name_and_its_terms(repository: Repository) -> None:
    """A file is found if its name suggests a glossary and it defines terms; either alone is not
    enough."""
    repository.commit(
        {
            "docs/glossary.md": markdown(),
            "docs/other.md": markdown(),
            "docs/terminology.md": "Nothing is defined here.\n",
            "TERMS-OF-SERVICE.md": markdown(),
            "node_modules/x/GLOSSARY.md": markdown(),
            "tests/glossary/glossary.md": markdown(),
            "docs/_theme/glossary/list.html": "<h1>Glossary</h1><h2>Blob</h2><p>A.</p><h2>Ref</h2><p>B.</p>",
            "build/_sources/glossary.md": markdown(),
            "src/glossary.py": "x = 1\n",
        }
    )
    repository.git("tag", "v1.0")
    (glossary,) = find(repository)
    assert glossary == FoundGlossary(
        paths=("docs/glossary.md",), entries=7, last_release="main", is_current=True
    )


def test_a_small_glossary_is_found_where_there_is_no_larger_one(repository: Repository) -> None:
    """A file with two terms is found, unless larger glossaries are there."""
    repository.commit({"docs/glossary.md": markdown(WORDS[:2])})
    repository.git("tag", "v1.0")
    assert [glossary.paths for glossary in find(repository)] == [("docs/glossary.md",)]
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.1")
    assert [glossary.paths for glossary in find(repository)] == [("GLOSSARY.md",)]


def test_a_move_that_changed_the_format_is_followed(repository: Repository) -> None:
    """A glossary that moved and changed its format is recognized by the names it defines."""
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit(
        {"GLOSSARY.md": None, "docs/source/glossary.rst": sphinx((*WORDS, "Worktree"))}
    )
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/source/glossary.rst", "GLOSSARY.md")


def test_names_that_tell_nothing_are_known_from_renames(repository: Repository) -> None:
    """An earlier path of a glossary is found through git's renames, even if its name suggests
    nothing."""
    repository.commit({"help/words.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"help/words.md": None, "help/lexikon.md": markdown()})
    for _ in range(2):  # a move that was taken back, and done again
        repository.commit({"help/lexikon.md": None, "docs/glossary.md": markdown()})
        repository.commit({"help/lexikon.md": markdown(), "docs/glossary.md": None})
    repository.commit({"help/lexikon.md": None, "docs/glossary.md": markdown()})
    repository.git("tag", "v2.0")
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/glossary.md", "help/lexikon.md", "help/words.md")


def test_a_folder_of_terms_is_one_glossary(repository: Repository) -> None:
    """A folder with a telling name and a file for each term is found as one source."""
    files = {
        f"docs/glossary/{word.lower()}.md": f"---\ntitle: {word}\n---\n\nThe meaning of {word} "
        f"here.\n"
        for word in WORDS
    }
    repository.commit({**files, "docs/glossary/logo.png": "no text"})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries) == (("docs/glossary",), 7)


def page(name: str, *, below: str = "") -> str:
    return f"# {name}\n\nThe meaning of {name} here.\n{below}"


@pytest.mark.parametrize("project", ["terms", "glossary"])
def test_a_page_may_have_headings(tmp_path: Path, project: str) -> None:
    """A folder of pages with the same headings below their titles has one term for each page."""
    repository = Repository(tmp_path / project)
    below = "\n## Examples\n\nThere is one.\n\n### Why {}\n\nBecause.\n"
    pages = {
        f"pages/{word[0]}/a-{word.lower()}.md": page(word, below=below.format(word))
        for word in WORDS
    }
    repository.commit(
        pages | {"pages/README.md": "# All pages\n\nThey are here.\n\n## Examples\n\nNone.\n"}
    )
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries, glossary.format) == (("pages",), len(WORDS), "page")


def test_a_page_may_have_no_heading(repository: Repository) -> None:
    """Pages whose files name their terms are terms, and so is the one among them that has headings
    in its text."""
    pages = {
        f"docs/glossary/{word.lower()}.md": f"---\ntemplate: x\n---\nA {word}.\n"
        for word in WORDS[:5]
    }
    pages["docs/glossary/tree.md"] = (
        "---\ntemplate: x\n---\n# Tree\n\nA tree.\n\n### Root\n\nThe top.\n\n### Leaf\n\nAn end.\n"
    )
    repository.commit(pages)
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries, glossary.format) == (("docs/glossary",), 5, "page")


def test_pages_of_several_terms_are_no_pages_of_one(repository: Repository) -> None:
    """A folder whose files have different headings has a term for each heading."""
    half = len(WORDS) // 2
    repository.commit(
        {"glossary/a.md": markdown(WORDS[:half]), "glossary/b.md": markdown(WORDS[half:])}
    )
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries, glossary.format) == (("glossary",), len(WORDS), "")


def test_pages_may_be_asciidoc(repository: Repository) -> None:
    """A folder of AsciiDoc files with a term each is a glossary; a file that only includes them
    adds nothing."""
    pages = {
        f"docs/terms/{word[0]}/{word}.adoc": f"= {word}\n\nThe meaning of {word}.\n"
        for word in WORDS
    }
    lists = {
        "docs/terms/index.adoc": "\n".join(f"include::{word[0]}/{word}.adoc[]" for word in WORDS)
    }
    repository.commit({**pages, **lists})
    assert [(one.paths, one.entries) for one in find(repository)] == [(("docs/terms",), 7)]


def test_translations_are_found(repository: Repository) -> None:
    """Of a glossary in several languages the English one is the original, and the others are its
    translations."""
    repository.commit(
        {"de/glossary.md": markdown((*WORDS, "Worktree")), "en/glossary.md": markdown()}
    )
    repository.commit(
        {"docs/terms.md": markdown(("Ape", "Bear", "Cat")), "docs/terms.pt-BR.md": markdown(WORDS)}
    )
    assert [glossary.paths for glossary in find(repository)] == [
        ("en/glossary.md",),
        ("docs/terms.md",),
    ]
    assert left_out(repository) == {}
    assert [translations(glossary) for glossary in find(repository)] == [
        {"de": ("de/glossary.md",)},
        {"pt-BR": ("docs/terms.pt-BR.md",)},
    ]


def test_abbreviations_that_pages_include_are_no_glossary_beside_another(
    repository: Repository,
) -> None:
    """A list in `includes/`, which a generator adds to every page, is left out where there is a
    glossary."""
    acronyms = "".join(f"*[{word[:3].upper()}]: {word}\n" for word in WORDS)
    repository.commit({"docs/glossary/index.md": markdown(), "includes/acronyms.md": acronyms})
    assert [one.paths for one in find(repository)] == [("docs/glossary/index.md",)]
    assert set(left_out(repository)) == {"includes/acronyms.md"}


def test_a_field_with_a_short_name_is_no_language(repository: Repository) -> None:
    """The key `id` of records is Indonesian only where the words depend on it."""
    records = [{"id": word[0], "term": word, "definition": f"What a {word} is."} for word in WORDS]
    repository.commit({"glossary.json": json.dumps(records, indent=1)})
    assert translations(find(repository)[0]) == {}
    records = [
        {
            "slug": word,
            "en": {"term": word, "def": "Words."},
            "id": {"term": f"{word}i", "def": "Kata."},
        }
        for word in WORDS
    ]
    repository.commit({"glossary.json": json.dumps(records, indent=1)})
    assert translations(find(repository)[0]) == {"id": ()}


def translations(glossary: FoundGlossary) -> dict[str, tuple[str, ...]]:
    """Returns the patterns of a glossary's translations by their languages."""
    return {one.language: one.patterns for one in glossary.translations}


@pytest.mark.parametrize(
    "path",
    [
        "i18n/fr/docusaurus-plugin-content-docs/current/glossary.md",
        "locale/fr/LC_MESSAGES/glossary.po",
        "locale/fr/LC_MESSAGES/docs.po",
        "locales/fr/glossary.md",
        "docs/fr/glossary.md",
        "_fr/docs/glossary.md",
        "docs/glossary.fr.md",
        "docs/glossary_fr.md",
    ],
)
def test_translations_are_found_in_each_layout(repository: Repository, path: str) -> None:
    """A folder called `template`, an older version and a language that is none are no
    translations."""
    others = (
        "docs/template/glossary.md",
        "i18n/fr/docusaurus-plugin-content-docs/version-1/glossary.md",
    )
    repository.commit({name: markdown() for name in ("docs/glossary.md", *others, path)})
    assert [translations(glossary) for glossary in find(repository)] == [{"fr": (path,)}]


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("docs/en/glossary.md", "docs/de/glossar.md"),
        ("content/en/glossary/_index.md", "content/de/glossar/_index.md"),
        ("docs/glossary.md", "docs/glossar.de.md"),
        ("docs/Glossary.md", "docs/de/Glossar.md"),
        ("docs/GLOSSARY.md", "docs/de/GLOSSARY.md"),
        ("docs/glossaries.md", "docs/de/glossaries.md"),
        ("docs/en/glossar.md", "docs/de/glossar.md"),
    ],
)
def test_a_translation_may_be_called_glossary_in_its_language(
    repository: Repository, english: str, german: str
) -> None:
    """A file or a folder in a language may have the word of that language in its name."""
    repository.commit({english: markdown(), german: markdown(("Affe", "Bär", "Katze", "Dachs"))})
    found = find(repository)
    assert [one.paths for one in found] == [(english,)]
    assert [translations(one) for one in found] == [{"de": (german,)}]
    assert left_out(repository) == {}


def test_a_variant_of_the_language_of_the_original_is_no_translation(
    repository: Repository,
) -> None:
    """British English is no translation of English."""
    paths = ("docs/en-GB/glossary.md", "docs/fr/glossary.md")
    newest = markdown((*WORDS, "Worktree"))
    repository.commit({"docs/en/glossary.md": newest, **dict.fromkeys(paths, markdown())})
    found = find(repository)
    assert [one.paths for one in found] == [("docs/en/glossary.md",)]
    assert [translations(one) for one in found] == [{"fr": ("docs/fr/glossary.md",)}]


def test_former_folders_of_a_translation_are_found(repository: Repository) -> None:
    """A folder that was renamed is one language, also if its former name is that of a country."""
    files = {
        name: f"---\ntitle: {name}\n---\n\nThe {name} is one of them.\n"
        for name in ("ape", "bear", "cat")
    }
    repository.commit({f"glossary/en/{name}.md": text for name, text in files.items()})
    repository.commit({f"glossary/jp/{name}.md": text for name, text in files.items()})
    moved: dict[str, str | None] = {f"glossary/jp/{name}.md": None for name in files}
    repository.commit(moved | {f"glossary/ja/{name}.md": text for name, text in files.items()})
    moved = {f"glossary/ja/{name}.md": None for name in files}
    repository.commit(moved | {f"glossary/ja-JP/{name}.md": text for name, text in files.items()})
    assert [translations(one) for one in find(repository)] == [
        {"ja-JP": ("glossary/ja-JP", "glossary/ja", "glossary/jp")}
    ]


def test_a_catalog_of_a_folder_is_a_translation_by_itself(repository: Repository) -> None:
    """Other catalogs beside it are no part of the glossary."""
    repository.commit(
        {
            "docs/glossary/a/files.md": markdown(WORDS[:3]),
            "docs/glossary/a/names.md": markdown(WORDS[3:]),
            "locale/fr/LC_MESSAGES/glossary.po": "",
            "locale/fr/LC_MESSAGES/tutorial.po": "",
        }
    )
    (glossary,) = find(repository)
    assert translations(glossary) == {"fr": ("locale/fr/LC_MESSAGES/glossary.po",)}


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


@pytest.mark.parametrize(
    "path",
    "glossaire.md glosario.rst glossário.md begriffe.md słownik.md Sözlük.md 用語集.md 术语表.md 용어집.md"
    " глоссарий.md معجم.md glossary.mdx UBIQUITOUS_LANGUAGE.md docs/TERMINOLOGY.md "
    "abbreviations.md acronyms.md"
    " book/glossary.qmd doc/build/glossary.md includes/abbreviations.md thesaurus.md"
    " core/clause_3_terms_and_definitions.md".split(),
)
def test_names_of_glossaries(repository: Repository, path: str) -> None:
    """A glossary is found by its name in many languages and with many endings."""
    repository.commit({path: sphinx() if path.endswith("rst") else markdown()})
    assert [glossary.paths for glossary in find(repository)] == [(path,)]


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


@pytest.mark.parametrize("readme", ["# Glossary of tools\n", "[![x](y)](z)\n\n# Our Glossary\n"])
def test_a_repository_is_a_glossary_by_the_title_of_its_readme(
    repository: Repository, readme: str
) -> None:
    """A repository of pages with a term each is a glossary under any name, if its README is titled
    so; another repository of pages is none."""
    pages = {f"content/en/{word}.md": f"# {word}\n\nThe meaning of {word}.\n" for word in WORDS}
    repository.commit({**pages, "README.md": "# Blog\n"})
    assert find(repository) == ()
    decisions = {f"decision-records/{word}.md": f"# Use {word}\n\nText.\n" for word in range(9)}
    repository.commit({**decisions, "README.md": readme})
    assert [one.paths for one in find(repository)] == [("content/en",)]


def test_a_readme_may_be_the_glossary(repository: Repository) -> None:
    """A README with the title of a glossary and many terms is one, but not with instructions."""
    terms = "".join(f"## Word {number}\n\nIts meaning.\n\n" for number in range(12))
    repository.commit({"readme.md": f"# Tool jargon\n\n{terms}## Installation\n\nText.\n"})
    assert find(repository) == ()
    repository.commit({"readme.md": f"# Tool jargon\n\n{terms}"})
    assert [(one.paths, one.entries) for one in find(repository)] == [(("readme.md",), 12)]


def test_a_file_of_a_program_is_no_glossary(repository: Repository) -> None:
    """The suffix before the last one may say that a file is of a program."""
    text = markdown().replace("# Glossary", "# Words")
    repository.commit({"src/glossary.component.md": text, "src/terms.lagda.md": text})
    assert find(repository) == ()
    repository.commit({"src/glossary.md": text})
    assert [one.paths for one in find(repository)] == [("src/glossary.md",)]


@pytest.mark.parametrize("title", ["Important terms", "User terms", "Management glossary"])
def test_a_title_that_begins_like_instructions_is_a_glossary(
    repository: Repository, title: str
) -> None:
    """A word that only begins as a verb of instructions does is part of a name."""
    repository.commit({"glossary.md": markdown().replace("# Glossary", f"# {title}")})
    assert [one.paths for one in find(repository)] == [("glossary.md",)]


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


@pytest.mark.parametrize(
    ("path", "text", "part"),
    [
        (
            "docs/modules/ROOT/pages/glossary.adoc",
            "= Glossary\n\ninclude::partial$words.adoc[]\n",
            "docs/modules/ROOT/partials/words.adoc",
        ),
        (
            "docs/glossary.adoc",
            "= Glossary\n\ninclude::parts/words.adoc[]\n",
            "docs/parts/words.adoc",
        ),
    ],
)
def test_a_glossary_may_be_included(
    repository: Repository, path: str, text: str, part: str
) -> None:
    """A page that only includes the terms is the glossary."""
    terms = "".join(f"{word}::\n  The meaning of {word}.\n\n" for word in WORDS)
    repository.commit({path: text, part: terms})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries) == ((path,), len(WORDS))


def test_a_small_glossary_beside_a_larger_one_is_named(repository: Repository) -> None:
    """A glossary of two terms is left out with a line where another has three."""
    repository.commit({"GLOSSARY.md": markdown(), "docs/terminology.md": markdown(("Ape", "Bear"))})
    assert [one.paths for one in find(repository)] == [("GLOSSARY.md",)]
    why = "it has fewer than 3 terms, and GLOSSARY.md is read"
    assert left_out(repository) == {"docs/terminology.md": why}


def test_any_file_can_be_named(repository: Repository) -> None:
    """A file that the user names needs no suffix of a format."""
    repository.commit({"words.log": markdown()})
    clones = Clones(folder=repository.path.parent / "cache")
    named = find_glossaries(".", root=repository.path, clones=clones, paths=["words.log"])
    assert [one.entries for one in named.glossaries] == [len(WORDS)]


def test_folders_with_the_end_of_another_name_are_versions(repository: Repository) -> None:
    """`rev2` is no version, and the folders `v1` and `v2` in it are."""
    repository.commit({f"rev2/v{number}/glossary.md": markdown() for number in (1, 2)})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.versions) == (
        ("rev2/v2/glossary.md",),
        "rev2/{version}/glossary.md",
    )


def test_a_list_beside_a_folder_of_pages_is_no_earlier_path(tmp_path: Path) -> None:
    """A repository that is a glossary has its terms in a folder; a document beside it stays one of
    its own, and what is not read is named."""
    repository = Repository(tmp_path / "glossary")
    pages = {f"pages/{word}.md": f"# {word}\n\nThe meaning of {word} here.\n" for word in WORDS}
    repository.commit(pages)
    repository.git("tag", "v1.0")
    repository.commit({"docs/glossary.md": markdown(WORDS[:4]), "docs/terms.pdf": "%PDF"})
    assert [one.paths for one in find(repository)] == [("pages",)]
    assert left_out(repository) == {
        "docs/glossary.md": "it has fewer terms than pages",
        "docs/terms.pdf": "PDF is not read; read the document that it was made from",
    }


def test_a_folder_that_cannot_be_decoded_is_no_glossary(tmp_path: Path) -> None:
    """Pages without a readable text are no terms, whatever their files are called."""
    repository = Repository(tmp_path / "glossary")
    (repository.path / "pages").mkdir()
    for number in range(4):
        (repository.path / f"pages/{number}.md").write_bytes(b"\x81\x8d\x00\xff" * 20)
    repository.commit({"n": ""})
    assert find(repository) == ()


def test_a_section_of_a_larger_file_is_found(repository: Repository) -> None:
    """Without a file of its own, a glossary is found below its heading in a README or another
    file."""
    terms = "- **Blob**: a file.\n- **Ref**: a name.\n- **Tag**: a mark."
    text = f"# Project\n\nText.\n\n## Glossary\n\n{terms}\n\n## Usage\n\nText.\n"
    repository.commit({"README.md": text, "docs/usage.md": "# Usage\n\n## Install\n\nText.\n"})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.section, glossary.entries) == (("README.md",), "Glossary", 3)


@pytest.mark.parametrize("title", ["Глоссарий", "Глосарій", "Glossário", "Słownik", "用語集"])
def test_a_section_is_found_by_its_title_in_any_language(
    repository: Repository, title: str
) -> None:
    """Titles are compared without accents, whatever letters they are on."""
    terms = "\n".join(f"- **{word}**: the meaning of {word} here." for word in WORDS)
    repository.commit({"reference.md": f"# Lesson\n\nText.\n\n## {title}\n\n{terms}\n"})
    (glossary,) = find(repository)
    assert (glossary.section, glossary.entries) == (title, len(WORDS))


def test_a_section_is_found_in_a_file_with_an_accent_in_its_name(repository: Repository) -> None:
    """Names of files may have any letters, also where git would write them with escapes."""
    section = "\n\n".join(f"### {word}\n\nThe meaning of {word} here." for word in WORDS)
    repository.commit({"présentation.md": f"# Projet\n\nUne page.\n\n## Glossary\n\n{section}\n"})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.section) == (("présentation.md",), "Glossary")


def test_a_repository_may_be_a_glossary(repository: Repository) -> None:
    """In a repository called glossary, the folder with a page for each term is found, in its main
    language."""
    page = "---\ntitle: {word}\n---\n\nThe meaning of {word} here.\n"
    repository.git("remote", "add", "origin", "https://example.org/teams/glossary.git")
    pages = {
        f"content/{code}/{word}.md": page.format(word=word)
        for code in ("de", "en")
        for word in WORDS
    }
    repository.commit({**pages, "content/en/_index.md": "---\ntitle: Home\n---\n\nWelcome.\n"})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries) == (("content/en",), 7)
    assert (left_out(repository), translations(glossary)) == ({}, {"de": ("content/de",)})


def test_a_glossary_with_older_versions_has_translations(repository: Repository) -> None:
    """Docusaurus keeps the older versions of a page and its translations each in folders of their
    own."""
    plugin = "i18n/uk/docusaurus-plugin-content-docs"
    paths = (
        "docs/glossary/index.md",
        "versioned_docs/version-3/glossary/index.md",
        f"{plugin}/current/glossary/index.md",
    )
    repository.commit(dict.fromkeys(paths, markdown()))
    (glossary,) = find(repository)
    assert glossary.paths == ("docs/glossary/index.md",)
    assert translations(glossary) == {"uk": (f"{plugin}/current/glossary/index.md",)}


def test_docusaurus_may_have_several_folders_of_documents(repository: Repository) -> None:
    """Each has its translations in a folder that ends with its name."""
    plugin = "i18n/uk/docusaurus-plugin-content-docs"
    paths = ("docs/glossary.md", f"{plugin}/current/glossary.md")
    others = ("docs-tools/glossary.md", f"{plugin}-tools/current/glossary.md")
    tools = markdown(("jig", "saw", "vise", "plane", "chisel"))
    repository.commit({**dict.fromkeys(paths, markdown()), **dict.fromkeys(others, tools)})
    found = {glossary.paths: translations(glossary) for glossary in find(repository)}
    assert found == {paths[:1]: {"uk": paths[1:]}, others[:1]: {"uk": others[1:]}}
    assert left_out(repository) == {}


def test_folders_of_versions_are_one_glossary(repository: Repository) -> None:
    """Folders of versions are one source, with the pattern of their paths."""
    for version in ("v1.9", "v1.10"):
        repository.commit({f"content/{version}/learn/glossary.md": markdown()})
    (glossary,) = find(repository)
    assert glossary.versions == "content/{version}/learn/glossary.md"
    assert glossary.paths == ("content/v1.10/learn/glossary.md",)


def test_folders_of_versions_may_be_in_one_of_a_major_version(repository: Repository) -> None:
    """Of `v2/2.9`, the inner folder is that of the version."""
    for version in ("2.0", "2.9", "2.10"):
        repository.commit({f"docs/v2/{version}/learn/glossary.md": markdown()})
    (glossary,) = find(repository)
    assert glossary.versions == "docs/v2/{version}/learn/glossary.md"
    assert glossary.paths == ("docs/v2/2.10/learn/glossary.md",)


@pytest.mark.parametrize(
    ("layout", "folders"),
    [
        ("{version}/glossary/index.html", "1.0 1.1 latest dev"),  # mike
        ("{version}/glossary.html", "v1.0 v1.1 main"),  # sphinx-multiversion
        ("en/{version}/glossary.html", "1.0 2.0 latest stable"),  # Read the Docs
    ],
)
def test_published_versions_are_one_glossary(
    repository: Repository, layout: str, folders: str
) -> None:
    """The folders that a tool publishes, one for each version, are one source."""
    terms = "".join(f"<dt>{word}</dt><dd>The meaning of {word}.</dd>" for word in WORDS)
    page = f"<html><head><title>Glossary</title></head><body><h1>Glossary</h1><dl>{terms}</dl></body></html>"
    repository.commit({layout.replace("{version}", name): page for name in folders.split()})
    assert [glossary.versions for glossary in find(repository)] == [layout]


def test_a_larger_copy_for_a_version_is_not_the_glossary(repository: Repository) -> None:
    """What Docusaurus keeps of an older version is left out beside a smaller glossary of today at
    another path."""
    copy = "versioned_docs/version-1.0/glossary.md"
    repository.commit({copy: markdown(), "docs/words/glossary.md": markdown(WORDS[:4])})
    assert [one.paths for one in find(repository)] == [("docs/words/glossary.md",)]
    assert left_out(repository) == {copy: "older versions of docs/words/glossary.md"}


def test_of_equal_files_the_one_called_glossary_is_found(repository: Repository) -> None:
    repository.commit({"docs/begriffe.md": markdown(), "docs/glossary.md": markdown()})
    assert [one.paths for one in find(repository)] == [("docs/glossary.md",)]


@pytest.mark.parametrize(
    ("path", "number", "is_found"),
    [
        ("docs/glossary.md", 1, True),
        ("docs/glossary/terms.md", 1, True),
        ("docs/terminology.md", 2, False),
        ("docs/terminology.md", 3, True),
    ],
)
def test_one_or_two_terms_are_a_glossary_if_the_file_or_its_folder_is_named_so(
    repository: Repository, path: str, number: int, is_found: bool
) -> None:
    """A page with a heading or two is left out, with the reason, if its path only suggests a
    glossary."""
    repository.commit({path: markdown(WORDS[:number])})
    assert [glossary.paths for glossary in find(repository)] == [(path,)] * is_found
    reasons = {} if is_found else {path: "it has fewer than 3 terms"}
    assert left_out(repository) == reasons


def test_a_single_name_in_common_is_no_sign_of_an_earlier_path(repository: Repository) -> None:
    """A sample of a table has one row, whose name is also a term of an older glossary."""
    repository.commit({"docs/glossary.md": markdown()})
    repository.git("tag", "1.0")
    table = "name,description\nBlob,A thing.\n"
    repository.commit({"docs/glossary.md": None, "rows/glossary.csv": table})
    assert [glossary.paths for glossary in find(repository)] == [("rows/glossary.csv",)]


def test_a_glossary_that_is_gone_is_still_found(repository: Repository) -> None:
    """Where no glossary is left, that of the newest release with one is found."""
    repository.commit({"GLOSSARY.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"GLOSSARY.md": None})
    (gone,) = find(repository)
    assert (gone.paths, gone.last_release, gone.is_current) == (("GLOSSARY.md",), "v1.0", False)
    repository.commit({"vocabulary.md": markdown(("Ape", "Bear", "Cat"))})
    (current,) = find(repository)
    assert (current.paths, current.is_current) == (("vocabulary.md",), True)


def test_what_stood_beside_a_glossary_was_not_its_place(repository: Repository) -> None:
    """A deleted file that existed beside a glossary with the same terms is not an earlier path of
    it."""
    repository.commit({"GLOSSARY.md": markdown(), "docs/glossary.md": markdown()})
    repository.git("tag", "v1.0")
    repository.commit({"GLOSSARY.md": None})
    assert [glossary.paths for glossary in find(repository)] == [("docs/glossary.md",)]


def test_many_releases_are_looked_at_in_samples(repository: Repository) -> None:
    """In a repository with many releases a sample is read, which contains the newest."""
    for number in range(130):
        repository.git(
            "commit",
            "--quiet",
            "--allow-empty",
            "--message=Change",
            day=TODAY + timedelta(days=number),
        )
        repository.git("tag", f"v1.{number}")
    repository.commit({"GLOSSARY.md": markdown()}, day=date(2021, 1, 1))
    (glossary,) = find(repository)
    assert glossary.last_release == "main"


def test_a_repository_of_too_many_paths_is_not_searched(repository: Repository) -> None:
    """Of a repository with 10^8 folders, one line says to write the path, and a named path is
    read."""
    repository.commit({"GLOSSARY.md": markdown()})
    repository.commit_without_end({"GLOSSARY.md": markdown()}, tag="v1.0", branch="main")
    assert find(repository) == ()
    (why,) = left_out(repository).values()
    assert why.startswith("more than 200,000 paths")
    assert "in `paths`" in why
    clones = Clones(folder=repository.path.parent / "cache")
    named = find_glossaries(".", root=repository.path, clones=clones, paths=["GLOSSARY.md"])
    assert [one.entries for one in named.glossaries] == [len(WORDS)]


def test_a_path_that_looks_like_a_pattern_is_a_path(repository: Repository) -> None:
    """A glossary in a folder such as `[lang]` is found by its path."""
    path = "app/[lang]/words.md"
    repository.commit({path: markdown()})
    clones = Clones(folder=repository.path.parent / "cache")
    (glossary,) = find_glossaries(".", root=repository.path, clones=clones, paths=[path]).glossaries
    assert (glossary.paths, glossary.entries) == ((path,), len(WORDS))


def test_releases_of_too_many_paths_are_not_searched(repository: Repository) -> None:
    """A glossary is found where an older release has too many paths."""
    repository.commit_without_end({"words.md": markdown()}, tag="v1.0")
    repository.release("v2.0", markdown())
    assert [one.paths for one in find(repository)] == [("GLOSSARY.md",)]


def test_no_repository_is_a_problem(tmp_path: Path) -> None:
    """Outside a repository nothing is found, and one line gives the reason."""
    found = find_glossaries(".", root=tmp_path, clones=Clones(folder=tmp_path / "cache"))
    assert found.glossaries == ()
    assert [problem.found for problem in found.problems] == [
        "no git repository here; name the folder of one, or make one with `git init`"
    ]


def test_no_command_of_the_repository_runs(repository: Repository, tmp_path: Path) -> None:
    """Discovery runs neither the repository's signature checker nor its text converters."""
    canary = tmp_path / "canary"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{canary}'\ncat \"$@\" 2>/dev/null\n", encoding="utf-8")
    script.chmod(0o755)
    repository.commit({"glossary.md": markdown(), ".gitattributes": "*.md diff=trap\n"})
    head = repository.git("cat-file", "commit", "HEAD")
    header, _, message = head.partition("\n\n")
    signed = (
        f"{header}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP "
        f"SIGNATURE-----\n\n{message}\n"
    )
    repository.git("update-ref", "HEAD", repository.write("commit", signed.encode()))
    for key, value in {
        "log.showSignature": "true",
        "gpg.program": str(script),
        "diff.trap.textconv": str(script),
        "diff.external": str(script),
    }.items():
        repository.git("config", key, value)
    repository.git("log", "--follow", "--", "glossary.md", check=False)
    assert canary.exists()
    canary.unlink()
    repository.git("config", "log.showSignature", "false")
    repository.git("log", "--patch", "--", "glossary.md", check=False)
    assert canary.exists()
    canary.unlink()
    repository.git("config", "log.showSignature", "true")

    assert len(find(repository)) == 1
    assert not canary.exists()


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


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "The index is what the next commit is made from, and it is a list of files that the "
            "tree has.",
            "en",
        ),
        (
            "Ein Baum ist eine Liste von Dateien, und der Name einer Datei ist nicht in der "
            "Datei selbst.",
            "de",
        ),
        (
            "Un arbre est une liste de fichiers, et le nom du fichier n'est pas dans le fichier "
            "lui-même.",
            "fr",
        ),
        (
            "Un árbol es una lista de los archivos, y el nombre de un archivo no está en el "
            "archivo.",
            "es",
        ),
        (
            "Uma árvore é uma lista de arquivos, e o nome do arquivo não está no próprio arquivo.",
            "pt-BR",
        ),
        (
            "Un albero è una lista di file, e il nome di un file non è nel file stesso, ma è "
            "nella lista.",
            "it",
        ),
        (
            "Drzewo to lista plików, a nazwa pliku nie jest w pliku, lecz na liście, o ile się "
            "do niej dostanie.",
            "pl",
        ),
        (
            "Ett träd är en lista av filer, och namnet på en fil är inte i filen, det är i den "
            "listan.",
            "sv",
        ),
        ("Дерево — это список файлов, а имя файла записано не в самом файле.", "ru"),
        ("Дърво е списък от файлове, а името на файла не е в самия файл.", ""),
        ("Blob は file の中身であり、名前を持たない。", "ja"),
        ("树是文件的列表，这个列表还有文件的名字。", "zh-Hans"),
        ("樹是檔案的清單，這個清單還有檔案的名字。", "zh-Hant"),
        ("الشجرة قائمة بالملفات", "ar"),
        ("درخت فهرستی از پرونده‌هاست", ""),
        ("Blob, Commit, Index", ""),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    """It is known from the script or from frequent words; a text without either has none."""
    assert detected_language([text]) == language


def test_a_translation_has_the_generic_path_of_its_original() -> None:
    """Also with an underscore before its name, as partial pages have."""
    assert path_variant("docs/_glossary.fr.md") == ("docs/glossary.md", "fr", "")
    assert path_variant("docs/_glossary.md") == ("docs/glossary.md", "", "")


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
