"""Compares the ranking of the search with MiniSearch and Pagefind, on the judged queries of
queries.txt, questions.txt and paraphrases.txt.

All engines search the same pages: the terms of real glossaries in ../shared. MiniSearch has the
names and the definitions, with prefixes and a fuzziness of 0.2; Pagefind has the built site, and
runs in Chromium. Both come from npm into build/others/search: `make bench ARGS=ranking` installs
them, and `make bench` runs those that are there. A result counts only in the list itself: success
at 1, success at 5, mean reciprocal rank.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from browsing import ARGUMENTS, NAMES, serving

from sitegen.permanence.archive import Archive
from sitegen.pipeline.assembly import assemble
from sitegen.site.search import files
from sitegen.site.search.searched_terms import searchables
from sitegen.site.site import Site
from sitegen.site.templates import asset_files, read_templates
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("SITEGEN_SHARED", HERE.parent.parent / "shared"))
INSTALLED = Path("build/others/search")
PACKAGES = ("minisearch@7.2.0", "pagefind@1.6.0")
PARTS = ("words", "names", "engine")
MOST = 10
FILES = ("queries.txt", "questions.txt", "paraphrases.txt")

Answers = Sequence[Sequence[str]]
"""The slugs of the first results of each query."""


@dataclass(frozen=True, kw_only=True)
class Query:
    """A typed query, and the names of the terms that answer it."""

    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Quality:
    """The quality of an engine's answers, each figure from 0 to 1."""

    first: float
    """Queries of which the first result answers."""
    among_five: float
    reciprocal: float
    """The mean of 1 over the place of the first result that answers."""


def queries(file: str) -> Mapping[str, Sequence[Query]]:
    """Returns the judged queries of a file by glossary."""
    found: dict[str, list[Query]] = {}
    for line in (HERE / file).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            glossary, text, names = line.split(" | ")
            found.setdefault(glossary, []).append(Query(text=text, names=tuple(names.split("; "))))
    return found


def folder_of(glossary: str, shared: Path = SHARED) -> Path:
    """Returns the folder of a glossary: the project's own, or a real one."""
    return HERE.parent / glossary if glossary == "content" else shared / "corpora" / glossary


def read_site(folder: Path) -> Site:
    config = read_config(folder)
    return assemble(
        config, SourceReader(folder, clones=Clones(folder=folder)).read(config), Archive()
    )


def places(site: Site, asked: Sequence[Query], answers: Answers) -> Iterator[int]:
    """Yields for each query the place of the first result that answers it, from 1; 0 without
    one."""
    slugs: dict[str, set[str]] = {}
    for life in site.lives:
        own = slugs.setdefault(life.name, set())
        own.add(site.slugs[life.key])
        own.add(site.slugs[site.defining_term(life.key).key])
    for query, results in zip(asked, answers, strict=True):
        good = set().union(*(slugs[name] for name in query.names))
        yield next((place for place, slug in enumerate(results, start=1) if slug in good), 0)


def quality(found: Sequence[int]) -> Quality:
    return Quality(
        first=sum(place == 1 for place in found) / len(found),
        among_five=sum(0 < place <= 5 for place in found) / len(found),
        reciprocal=sum(1 / place for place in found if place) / len(found),
    )


def ours(site: Site, asked: Sequence[Query]) -> Answers:
    """Returns the answers of this project's search, run by node."""
    scripts = read_templates()
    published = {file.path: file.content.decode() for file in files(site)}
    published |= {
        file.path: file.content.decode() for file in asset_files(scripts) if "search" in file.path
    }
    given = {
        "scripts": [scripts[f"assets/js/search-{part}.js"] for part in PARTS],
        "files": published,
        "queries": [query.text for query in asked],
    }
    return _node("ranking.js", given)


def minisearch(site: Site, asked: Sequence[Query]) -> Answers:
    """Returns the answers of MiniSearch, run by node."""
    given = {
        "terms": [
            {
                "id": term.slug,
                "names": "\n".join((term.name, *term.other_names, *term.former_names)),
                "text": "\n\n".join([term.text, *term.other_texts]),
            }
            for term in searchables(site)
        ],
        "queries": [query.text for query in asked],
    }
    return _node("minisearch.js", given, installed("minisearch").parent.parent)


def pagefind(folder: Path, asked: Sequence[Query]) -> Answers:
    """Returns the answers of Pagefind on a built site, in Chromium. Writes its index into the
    site."""
    from playwright.sync_api import sync_playwright

    program = installed("pagefind").parent / ".bin" / "pagefind"
    command = [program, "--site", folder, "--glob", "term/*/index.html"]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603  (our own commands, here and below)
    chromium = next(filter(None, map(shutil.which, NAMES)))
    search = """async ({ queries, most }) => {
        const engine = await import("/pagefind/pagefind.js"), answers = [];
        for (const query of queries) {
            const { results } = await engine.search(query);
            const found = await Promise.all(results.slice(0, most).map((result) => result.data()));
            answers.push(found.map(({ url }) => url.split("/")[2]));
        }
        return answers;
    }"""
    with serving(folder) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(bypass_csp=True)
        page.goto(f"{address}/about/index.html")
        answers: Answers = page.evaluate(
            search, {"queries": [query.text for query in asked], "most": MOST}
        )
        browser.close()
    return answers


def installed(package: str) -> Path:
    """Returns the folder of a package, and installs both packages when they are not there."""
    folder = INSTALLED / "node_modules" / package
    if not folder.is_dir():
        command = [
            "npm",
            "install",
            *PACKAGES,
            "--prefix",
            INSTALLED,
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
        ]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    return folder.resolve()


def _node(script: str, given: object, *arguments: Path) -> Answers:
    run = subprocess.run(  # noqa: S603
        [str(shutil.which("node")), HERE / script, *arguments],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise SystemExit(f"{script}: {run.stderr}")
    answers: Answers = json.loads(run.stdout)
    return answers


def pagefind_of(glossary: Path, asked: Sequence[Query]) -> Answers:
    """Returns the answers of Pagefind on the site of a glossary, which is built for it."""
    from tempfile import TemporaryDirectory

    from running import sitegen

    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "site"
        sitegen("build", glossary, "--output", folder, "--no-ledger", "--quiet")
        return pagefind(folder, asked)


def main(*, is_installing: bool = True) -> None:
    """Prints the quality of all engines; of ours alone if the others are neither installed nor may
    be."""
    if shutil.which("node") is None or not SHARED.is_dir():
        print("ranking: needs node, and real glossaries in ../shared")
        return
    has_others = is_installing or INSTALLED.is_dir()
    for file in FILES:
        found: dict[str, list[int]] = {}
        for name, asked in queries(file).items():
            glossary = folder_of(name)
            site = read_site(glossary)
            answers = {"sitegen": ours(site, asked)}
            if has_others:
                answers |= {
                    "MiniSearch": minisearch(site, asked),
                    "Pagefind": pagefind_of(glossary, asked),
                }
            for engine, several in answers.items():
                found.setdefault(engine, []).extend(places(site, asked, several))
        print(
            f"{file:16}{len(found['sitegen']):4} "
            f"queries{'first':>14}{'among five':>14}{'reciprocal':>14}"
        )
        for engine, places_found in found.items():
            good = quality(places_found)
            print(f"{engine:28}{good.first:14.3f}{good.among_five:14.3f}{good.reciprocal:14.3f}")


if __name__ == "__main__":
    main()
