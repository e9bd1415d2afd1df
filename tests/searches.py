"""The files of a search, and what the scripts of the browser find in them (run by node)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from glossaries import from_text

from sitegen.addresses.slugs import slug
from sitegen.site.search import search_files
from sitegen.site.search.search_words import index_word
from sitegen.site.search.searched_terms import Searchable
from sitegen.text.summary import summary

HERE = Path(__file__).parent / "search"
SCRIPTS = Path(__file__).parent.parent / "templates" / "assets" / "js"
NAMES = tuple(SCRIPTS / f"search-{part}.js" for part in ("words", "names", "near"))


def searchable(name: str, **more: Any) -> Searchable:
    return Searchable(name=name, slug=slug(name) or "x", **more)


def scripts(*terms: Searchable, language: str = "en") -> dict[str, bytes]:
    """Returns the files of a search by name."""
    return {
        file.path.removeprefix("search/").removesuffix(".js"): file.content
        for file in search_files(terms, language=language)
    }


def values(script: bytes) -> dict[str, Any]:
    """Returns the properties that a script sets, by name."""
    lines = (line.partition("[")[2].partition("] = ") for line in script.decode().splitlines())
    return {json.loads(name): json.loads(value.rstrip(";\n")) for name, _, value in lines}


def names_list(*terms: Searchable) -> dict[str, Any]:
    found: dict[str, Any] = values(scripts(*terms)["names"])["names"]
    return found


def index(*terms: Searchable, language: str = "en") -> tuple[dict[str, Any], list[str]]:
    """Returns the index of the words of these terms, and its lines."""
    (script,) = [
        script for name, script in scripts(*terms, language=language).items() if name != "names"
    ]
    read: dict[str, Any] = values(script)["words"]
    return read, read.pop("lines").split("\n")


def node(script: str, *arguments: str | Path, given: object) -> Any:
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which runs the browser's scripts here")
    run = subprocess.run(
        ["node", HERE / script, *arguments],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def reported(
    terms: tuple[Searchable, ...], *queries: str, language: str = "en"
) -> dict[str, list[dict[str, Any]]]:
    """Runs queries in the browser's scripts and returns their results."""
    given = {"list": scripts(*terms, language=language)["names"].decode(), "queries": queries}
    answer: dict[str, list[dict[str, Any]]] = node("names.js", *NAMES, given=given)
    return answer


def find(terms: tuple[Searchable, ...], *queries: str) -> list[dict[str, Any]]:
    return reported(terms, *queries)["found"]


def check(terms: tuple[Searchable, ...], expected: Mapping[str, list[str]]) -> None:
    """Asserts that each query finds these names, in this order."""
    found = [[result["name"] for result in answer["results"]] for answer in find(terms, *expected)]
    assert dict(zip(expected, found, strict=True)) == dict(expected)


def corpus(shared: Path, name: str) -> tuple[Searchable, ...]:
    """Every term that a real glossary ever had, as Sphinx reads it."""
    releases = json.loads((shared / "corpora" / "oracle" / f"{name}.json").read_text())
    entries = {
        entry["terms"][0]: entry for release in releases.values() for entry in release["entries"]
    }
    return tuple(
        searchable(
            name,
            other_names=tuple(entry["terms"][1:]),
            sentence=summary(from_text(entry["definition"])),
            text=entry["definition"],
        )
        for name, entry in sorted(entries.items())
    )


def indexed(query: Sequence[str]) -> list[str]:
    """The forms of a query's words in an English index."""
    return [index_word(word, language="en") for word in query]
