"""Which glossaries are found in a repository, and by what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from discovered import WORDS, find, markdown, page, sphinx
from repositories import Repository

from sitegen.sources.discovery.language_detection import detected_language
from sitegen.sources.discovery.searched_repository import FoundGlossary


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


def test_pages_may_have_only_labels_as_headings(repository: Repository) -> None:
    """Files name their terms if they have the same headings, none of which is a title."""
    below = "\n## See also\n\nOther words.\n"
    pages = {
        f"docs/glossary/{word.lower()}.md": f"## Definition\n\nA {word}.\n{below if n % 2 else ''}"
        for n, word in enumerate(WORDS)
    }
    repository.commit(pages)
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries, glossary.format) == (("docs/glossary",), 6, "page")


def test_pages_may_be_in_several_folders(tmp_path: Path) -> None:
    """Of a repository called glossary, the pages of several folders are one glossary, if they are
    in no language and most are not in one of the folders."""
    repository = Repository(tmp_path / "glossary")
    below = {"tools": WORDS[:3], "parts": WORDS[3:6], "fr": ("Verre", "Bois", "Fer")}
    repository.commit(
        {f"content/{folder}/{word}.md": page(word) for folder in below for word in below[folder]}
    )
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries) == (("content",), 6)

    repository.commit({f"content/tools/{word}.md": page(word) for word in ("Rig", "Jig", "Saw")})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries) == (("content/tools",), 6)


def test_a_folder_called_glossary_comes_before_others(tmp_path: Path) -> None:
    """A larger folder of pages is a glossary only if there is none that is called so."""
    repository = Repository(tmp_path / "glossary")
    other = {f"static/words/{word}.md": page(word) for word in (*WORDS, "Jig", "Saw")}
    repository.commit(other)
    assert [one.paths for one in find(repository)] == [("static/words",)]
    repository.commit({f"docs/terms/{word}.md": page(word) for word in WORDS})
    assert [one.paths for one in find(repository)] == [("docs/terms",)]


def test_a_folder_may_have_its_terms_in_several_files_of_data(repository: Repository) -> None:
    """Files of records in a folder that is called glossary are one glossary, but not if they have
    the same terms, or if several are called like languages: all files of a folder are read."""

    def records(words: tuple[str, ...]) -> str:
        return json.dumps([{"term": word, "definition": f"A {word} is here."} for word in words])

    parts = {"data/terms/a.json": records(WORDS[:4]), "data/terms/b.json": records(WORDS[4:])}
    repository.commit(parts)
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.entries) == (("data/terms",), 7)

    repository.commit({"data/terms/fr.json": records(("Verre", "Bois", "Fer"))})
    assert find(repository) == ()
    many = {f"data/terms/word{number}.json": records((f"W{number}",)) for number in range(20)}
    repository.commit(many)
    (glossary,) = find(repository)
    assert glossary.entries == 30
    repository.commit(dict.fromkeys((*many, "data/terms/fr.json")))

    repository.commit({"data/terms/a.json": records(WORDS), "data/terms/b.json": records(WORDS)})
    assert find(repository) == ()


@pytest.mark.parametrize(
    ("folder", "is_searched"),
    [("test-automation", True), ("test-data", False), ("tests_old", False), ("test_run", False)],
)
def test_folders_of_tests(repository: Repository, folder: str, is_searched: bool) -> None:
    """Folders of tests are not searched, but those of documents on testing are."""
    repository.commit({f"docs/{folder}/glossary.md": markdown()})
    assert bool(find(repository)) == is_searched


def test_the_data_of_a_program_is_no_glossary(repository: Repository) -> None:
    """A folder that is called like a glossary may have a program, or its settings."""
    package = {"name": "glossary", "version": "1.0", "description": "Shows all terms of the shop."}
    settings = {"compilerOptions": {"target": "es2020", "lib": ["dom"]}}
    texts = {"package.json": package, "tsconfig.json": settings}
    files = {f"packages/glossary/{name}": json.dumps(text) for name, text in texts.items()}
    repository.commit({**files, "packages/glossary/src/index.ts": ""})
    assert find(repository) == ()


def test_names_that_differ_in_punctuation_are_the_same(repository: Repository) -> None:
    """Data that was made from pages is left out, though ids are its names."""
    names = ("Load Balancer", "Table Saw", "Big Jig")
    ids = [name.lower().replace(" ", "-") for name in names]
    repository.commit(
        {
            "docs/glossary.md": markdown(names),
            "glossary.json": json.dumps([{"term": id, "definition": f"{id}!"} for id in ids]),
        }
    )
    assert [one.paths for one in find(repository)] == [("docs/glossary.md",)]


def test_terms_of_service_are_no_glossary(repository: Repository) -> None:
    """A contract is called terms in many languages, and may begin its paragraphs in bold."""
    rules = "".join([f"<p><b>{word}</b>: You may not sell it.</p>" for word in WORDS])
    for number, title in enumerate(("Terms of Service", "이용약관", "Términos de uso")):
        path = f"{number}/terms.html"
        repository.commit({path: f"<html><title>Shop</title><h1>{title}</h1>{rules}</html>"})
    assert find(repository) == ()


def test_a_configuration_is_no_glossary(repository: Repository) -> None:
    """A file whose name says that it configures a tool comes after a glossary."""
    settings = "".join([f"{word}: A text of {word} that is set.\n" for word in WORDS])
    repository.commit({"glossary-config.yaml": settings, "docs/terms.md": markdown(WORDS[:3])})
    assert [one.paths for one in find(repository)] == [("docs/terms.md",)]


def test_the_readme_of_a_program_is_no_section_of_terms(repository: Repository) -> None:
    """A program that is called glossary describes itself below its name."""
    headings = "Technology stack", "Usage (local environment)", "Testing", "License"
    below = "".join([f"## {heading}\n\nIt is described here.\n\n" for heading in headings])
    repository.commit({"README.md": f"# Glossary\n\n{below}"})
    assert find(repository) == ()


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


def test_a_section_of_a_larger_file_is_found(repository: Repository) -> None:
    """Without a file of its own, a glossary is found below its heading in a README or another
    file."""
    terms = "- **Blob**: a file.\n- **Ref**: a name.\n- **Tag**: a mark."
    text = f"# Project\n\nText.\n\n## Glossary\n\n{terms}\n\n## Usage\n\nText.\n"
    repository.commit({"README.md": text, "docs/usage.md": "# Usage\n\n## Install\n\nText.\n"})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.section, glossary.entries) == (("README.md",), "Glossary", 3)


def test_the_definitions_of_a_license_are_no_glossary(repository: Repository) -> None:
    """The section of a README is, even if the license defines more words."""
    words = "\n".join(f"- **{word}**: the meaning of {word} here." for word in WORDS)
    terms = "- **Blob**: a file.\n- **Ref**: a name.\n- **Tag**: a mark."
    license = f"# License\n\nText.\n\n## 1. Definitions\n\n{words}\n\n## 2. Scope\n\nText.\n"
    repository.commit({"LICENSE.md": license})
    assert not find(repository)
    repository.commit({"README.md": f"# Project\n\nText.\n\n## Glossary\n\n{terms}\n"})
    (glossary,) = find(repository)
    assert (glossary.paths, glossary.section) == (("README.md",), "Glossary")
    repository.commit({"docs/license-glossary.md": f"# License glossary\n\n{words}\n"})
    assert [found.paths for found in find(repository)] == [("docs/license-glossary.md",)]


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
