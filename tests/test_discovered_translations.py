"""Which translations of a glossary are found."""

from __future__ import annotations

import json

import pytest
from discovered import WORDS, find, left_out, markdown, page, translations
from repositories import Repository

from sitegen.sources.glossary_names import path_variant


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


def test_a_name_that_ends_like_a_language_is_no_translation(repository: Repository) -> None:
    """The one term of many that ends in `_id` is not in Indonesian, but several terms are."""
    words = [f"word{number}" for number in range(20)]
    pages = {f"terms/{word}.md": page(word) for word in words}
    repository.commit({**pages, "terms/word7_id.md": page("Id of a word 7")})
    (glossary,) = find(repository)
    assert translations(glossary) == {}
    repository.commit({f"terms/{word}_id.md": page(f"Kata {word}") for word in words[:3]})
    (glossary,) = find(repository)
    assert translations(glossary) == {"id": ("terms/**/*_id.md",)}


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


def test_a_translation_has_the_generic_path_of_its_original() -> None:
    """Also with an underscore before its name, as partial pages have."""
    assert path_variant("docs/_glossary.fr.md") == ("docs/glossary.md", "fr", "")
    assert path_variant("docs/_glossary.md") == ("docs/glossary.md", "", "")
