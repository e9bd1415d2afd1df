"""Our reading of real glossaries, compared with that of Sphinx."""

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
    return formats.read(
        Document(source="s", release="r", path=path.name, name=path.name, text=text)
    )


def names(entry: Entry) -> tuple[str, ...]:
    return tuple(designation.text for designation in entry.designations)


def spoken(text: str) -> str:
    """Returns the words of a text without the markup of unknown roles, which Sphinx removes."""
    return words.folded_words(ROLE.sub(r"\1", text))


@pytest.mark.parametrize("corpus", CORPORA)
def test_same_entries_and_words_as_sphinx(shared: Path, corpus: str) -> None:
    """Every entry of every release has the names, words and order that Sphinx reads."""
    oracle = json.loads(
        (shared / "corpora" / "oracle" / f"{corpus}.json").read_text(encoding="utf-8")
    )
    for release, expected in oracle.items():
        reading = read(shared / "corpora" / expected["file"])
        ours = [(names(entry), spoken(entry.definition.text)) for entry in reading.entries]
        theirs = [
            (tuple(entry["terms"]), spoken(entry["definition"])) for entry in expected["entries"]
        ]
        assert ours == theirs, f"{corpus} {release}"
        found = [problem.found for problem in reading.problems]
        assert found == KNOWN_PROBLEMS.get((corpus, release), []), f"{corpus} {release}"


@pytest.mark.parametrize("corpus", CORPORA)
def test_lines_of_real_names(shared: Path, corpus: str) -> None:
    """The line of an entry contains its name."""
    oracle = json.loads(
        (shared / "corpora" / "oracle" / f"{corpus}.json").read_text(encoding="utf-8")
    )
    for expected in oracle.values():
        path = shared / "corpora" / expected["file"]
        lines = path.read_text(encoding="utf-8").split("\n")
        for entry in read(path).entries:
            assert lines[entry.line - 1].strip() == entry.name


def test_name_too_far_right_in_a_real_file(shared: Path) -> None:
    """A name that Sphinx would cut is read whole, and its location is reported."""
    folder = shared / "corpora/pytorch/variants/id17529179301-rst-in-md"
    reading = read(folder / "GLOSSARY.md")
    assert len(reading.entries) == 16
    assert "Non-Leaf Operation" in [entry.name for entry in reading.entries]
    assert [(problem.path, problem.line) for problem in reading.problems] == [("GLOSSARY.md", 61)]
    assert not any(mark in entry.definition.text for entry in reading.entries for mark in "`[]")


def test_sphinx_markup_in_a_real_myst_fence(shared: Path) -> None:
    """A glossary reads the same in a directive and in a MyST fence."""
    fence = read(
        shared / "corpora/pytorch/variants/pr-60f68ad6-myst-in-rst/docs/source/glossary.rst"
    )
    directive = read(shared / "corpora/pytorch/stored/rst15-ad6b2852/docs/source/glossary.rst")
    by_name = sorted((entry.name, entry.definition.html) for entry in fence.entries)
    assert by_name == [(entry.name, entry.definition.html) for entry in directive.entries]
    assert fence.problems == ()


def test_real_definition_lists(shared: Path) -> None:
    """Mercurial's glossary is a definition list of 67 entries, later 69, without a problem."""
    paths = sorted((shared / "corpora/mercurial").glob("*/mercurial/help*/glossary.txt"))
    assert [len(read(path).entries) for path in paths] == [67, 69, 69, 69, 69]
    assert not any(read(path).problems for path in paths)


def test_real_documents_of_other_forms(shared: Path) -> None:
    """Documents in other formats are claimed neither by Sphinx nor by MyST."""
    seeds = sorted((shared / "seeds").glob("00[123]*.txt"))
    forms = [shared / "corpora" / form for form in ("redux", "vue", "twisted", "cncf")]
    corpora = [path for form in forms for path in form.glob("**/*.*") if path.is_file()]
    assert len(seeds) == 3
    assert len(corpora) > 50
    for path in (*seeds, *corpora):
        text = path.read_text(encoding="utf-8")
        format = formats.recognize(Document(source="s", release="r", path="p", name="p", text=text))
        assert format is None or format.name not in {"sphinx", "myst"}, path
