"""Our reading of real glossaries, held against what Sphinx itself read from the same files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sitegen import formats
from sitegen.model import Document, Entry, Reading
from sitegen.text import words

CORPORA = ("django", "pyramid", "pytorch", "sphinx")
ROLE = re.compile(r":[a-z][\w:+-]*:`([^`]*)`")
KNOWN_PROBLEMS = {("pytorch", "md10"): ["a link that is never closed"]}


def read(path: Path) -> Reading:
    text = path.read_text(encoding="utf-8")
    return formats.read(Document(source="s", release="r", path=path.name, name=path.name, text=text))


def names(entry: Entry) -> tuple[str, ...]:
    return tuple(designation.text for designation in entry.designations)


def spoken(text: str) -> str:
    """The words of a text. Sphinx leaves the markup of roles it was not told of; we show what they say."""
    return words.fold(ROLE.sub(r"\1", text))


@pytest.mark.parametrize("corpus", CORPORA)
def test_same_entries_and_words_as_sphinx(shared: Path, corpus: str) -> None:
    """Every entry of every release has the names, and its definition the words, that Sphinx read; in its order."""
    oracle = json.loads((shared / "corpora" / "oracle" / f"{corpus}.json").read_text(encoding="utf-8"))
    for release, expected in oracle.items():
        reading = read(shared / "corpora" / expected["file"])
        ours = [(names(entry), spoken(entry.definition.text)) for entry in reading.entries]
        theirs = [(tuple(entry["terms"]), spoken(entry["definition"])) for entry in expected["entries"]]
        assert ours == theirs, f"{corpus} {release}"
        found = [problem.found for problem in reading.problems]
        assert found == KNOWN_PROBLEMS.get((corpus, release), []), f"{corpus} {release}"


@pytest.mark.parametrize("corpus", CORPORA)
def test_lines_of_real_names(shared: Path, corpus: str) -> None:
    """The line cited for an entry is the one that holds its name."""
    oracle = json.loads((shared / "corpora" / "oracle" / f"{corpus}.json").read_text(encoding="utf-8"))
    for expected in oracle.values():
        path = shared / "corpora" / expected["file"]
        lines = path.read_text(encoding="utf-8").split("\n")
        for entry in read(path).entries:
            assert lines[entry.citation.line - 1].strip() == entry.name


def test_name_too_far_right_in_a_real_file(shared: Path) -> None:
    """Of a name that Sphinx eats a letter of, nothing is lost, and the place is reported."""
    folder = shared / "corpora/pytorch/variants/id17529179301-rst-in-md"
    reading = read(folder / "GLOSSARY.md")
    assert len(reading.entries) == 16
    assert "Non-Leaf Operation" in [entry.name for entry in reading.entries]
    assert [(problem.path, problem.line) for problem in reading.problems] == [("GLOSSARY.md", 61)]
    assert not any(mark in entry.definition.text for entry in reading.entries for mark in "`[]")


def test_sphinx_markup_in_a_real_myst_fence(shared: Path) -> None:
    """The same glossary reads the same, whether a directive or a MyST fence stands around it."""
    fence = read(shared / "corpora/pytorch/variants/pr-60f68ad6-myst-in-rst/docs/source/glossary.rst")
    directive = read(shared / "corpora/pytorch/stored/rst15-ad6b2852/docs/source/glossary.rst")
    by_name = sorted((entry.name, entry.definition.html) for entry in fence.entries)
    assert by_name == [(entry.name, entry.definition.html) for entry in directive.entries]
    assert fence.problems == ()


def test_real_definition_lists(shared: Path) -> None:
    """Mercurial's glossary is a bare definition list of 67 entries, later 69, without anything odd."""
    paths = sorted((shared / "corpora/mercurial").glob("*/mercurial/help*/glossary.txt"))
    assert [len(read(path).entries) for path in paths] == [67, 69, 69, 69, 69]
    assert not any(read(path).problems for path in paths)


def test_real_documents_of_other_forms(shared: Path) -> None:
    """Neither Sphinx nor MyST claims a document that is written in something else."""
    seeds = sorted((shared / "seeds").glob("00[123]*.txt"))
    forms = [shared / "corpora" / form for form in ("redux", "vue", "twisted", "cncf")]
    corpora = [path for form in forms for path in form.glob("**/*.*") if path.is_file()]
    assert len(seeds) == 3
    assert len(corpora) > 50
    for path in (*seeds, *corpora):
        text = path.read_text(encoding="utf-8")
        format = formats.recognise(Document(source="s", release="r", path="p", name="p", text=text))
        assert format is None or format.name not in {"sphinx", "myst"}, path
