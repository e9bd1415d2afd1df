"""Repositories with a glossary and its translations: how tests write and read them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from repositories import Repository

from sitegen.model import ProblemKind
from sitegen.model.term_translations import Translation
from sitegen.pipeline.site_build import assembled, read_inputs
from sitegen.pipeline.source_languages import SourceLanguage, source_languages
from sitegen.sources.git.repositories import Clones

EN, FR = "docs/en", "docs/fr"
CACHE = "A cache keeps results so that they can be used again."
CACHE_2 = "A cache keeps the newest results in memory for the next request."
NODE = "A node is one machine of a cluster."
CACHE_FR = "Un cache garde des résultats pour les réutiliser."
CACHE_FR_2 = "Un cache garde en mémoire les résultats récents pour la prochaine requête."
NODE_FR = "Un nœud est une machine d'une grappe."
DAYS = [date(2021, 1, 1) + timedelta(days=number) for number in range(1000)]
SETTINGS = """
[[source]]
id = "words"
title = "Words"
git = "."
paths = ["docs/en"]
by = "day"

[[translation]]
of = "words"
language = "fr"
paths = ["docs/fr"]
"""


def repository(folder: Path, settings: str = SETTINGS) -> Repository:
    """Returns a repository with these settings, not committed."""
    made = Repository(folder)
    (folder / "site.toml").write_text(settings, encoding="utf-8")
    return made


def term(name: str, text: str, **front: str) -> str:
    """Returns the text of a file with one term."""
    more = "".join(f"{key}: {value}\n" for key, value in front.items())
    return f"---\ntitle: {name}\n{more}---\n\n{text}\n"


def languages(folder: Path) -> dict[str, SourceLanguage]:
    """Returns the languages of the site in a folder, by their tags."""
    clones = Clones(folder=folder.parent / "cache", update=False)
    inputs = read_inputs(folder, folder / "site", clones=clones)
    return {one.table.language: one for one in source_languages(inputs.config, inputs.glossaries)}


def problems(folder: Path) -> list[str]:
    """Returns the problems of the site in a folder with its settings, as a build prints them."""
    clones = Clones(folder=folder.parent / "cache", update=False)
    found = assembled(read_inputs(folder, folder / "site", clones=clones)).problems
    return [str(problem) for problem in found if problem.kind == ProblemKind.SETTINGS]


def states(folder: Path, language: str = "fr") -> Mapping[str, Translation]:
    """Returns the states of a language by the names of the originals."""
    found = languages(folder)[language].translations
    return {one.original.name: one for one in found if one.original}


def both(folder: Path) -> None:
    """Commits two terms, then their translations."""
    made = repository(folder)
    made.commit(
        {f"{EN}/cache.md": term("Cache", CACHE), f"{EN}/node.md": term("Node", NODE)}, day=DAYS[0]
    )
    made.commit(
        {f"{FR}/cache.md": term("Le cache", CACHE_FR), f"{FR}/node.md": term("Nœud", NODE_FR)},
        day=DAYS[1],
    )


def commit(folder: Path, files: dict[str, str | None], day: date) -> str:
    """Commits these files to the repository of `both`, and returns the id of the commit."""
    made = Repository.at(folder)
    return made.commit(files, day=day)
