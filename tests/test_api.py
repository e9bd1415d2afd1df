"""`sitegen.api`: a glossary as Python values, from glossary.json alone."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from glossaries import source
from pages_server import published
from sites import data_of, export_files, glossary, site_of

from sitegen.api import SitegenError, load
from sitegen.config.tables import Rename

BASE = "https://example.org/vocabulary/"
RELEASES = {
    "1.0": {
        "Storage/ state image": "A fixed pointer to the state of a volume.",
        "tape": "Slow and cheap.",
    },
    "1.1": {"Storage/ snapshot; capture": "A fixed pointer to the state of a volume."},
    "2.0": {
        "Storage/ snapshot; capture": "Deprecated. Use checkpoint instead.",
        "checkpoint": "A pointer that the system makes.",
        "save point": "Same as checkpoint.",
        "Recovery Point Objective (RPO)": "How much may be lost.",
    },
}
SITE = glossary(RELEASES, base_url=BASE)
WORDS = data_of(SITE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a built site, as far as the API reads it."""
    folder = tmp_path_factory.mktemp("site")
    for file in export_files(SITE):
        if file.path == "glossary.json":
            (folder / file.path).write_bytes(file.content)
    return folder


FOUND = [
    ("snapshot", "snapshot", "preferred"),
    ("Snapshot", "snapshot", "preferred"),
    ("snapshots", "snapshot", "preferred"),
    ("SAVE  POINTS", "save point", "preferred"),
    ("capture", "snapshot", "synonym"),
    ("rpo", "Recovery Point Objective (RPO)", "synonym"),
    ("Recovery Point Objectives", "Recovery Point Objective (RPO)", "synonym"),
    ("state image", "snapshot", "former"),
    ("State Images", "snapshot", "former"),
    ("tape", "tape", "preferred"),
]


@pytest.mark.parametrize(("name", "term", "kind"), FOUND)
def test_a_name_finds_its_term(name: str, term: str, kind: str) -> None:
    """A term is found by every name that it has or had, in any case and in the plural."""
    match = WORDS.find(name)
    assert match is not None
    assert (match.term.name, match.kind) == (term, kind)


@pytest.mark.parametrize("name", ["snap", "snapshot of", "point", "image", "", "objective", "shot"])
def test_a_part_of_a_name_finds_nothing(name: str) -> None:
    """Names are compared as a whole."""
    assert WORDS.find(name) is None


def test_a_name_in_force_comes_first() -> None:
    """A name that one term had and another has finds the other, and names that differ in case are
    told apart."""
    words = data_of(
        site_of(
            source(
                "own",
                {
                    "1": {"boat": "Floats."},
                    "2": {"ship": "Floats.", "boat": "Is small.", "HEAD": "A.", "head": "B."},
                },
            ),
            renames=(Rename(source="own", old="boat", new="ship", release="2"),),
        )
    )
    assert [words.find(name).term.definition for name in ("boat", "Boats", "HEAD", "head")] == [  # type: ignore[union-attr]
        "Is small.",
        "Is small.",
        "A.",
        "B.",
    ]


def test_a_plural_of_two_terms_finds_none() -> None:
    """A form whose stems two terms share finds neither."""
    words = data_of(glossary({"1": {"operation": "Is done.", "operational": "Works."}}))
    assert words.find("operations") is None


def test_what_a_term_was() -> None:
    """A term knows its words, names and address in each release, and what to use instead."""
    term = WORDS.find("capture").term  # type: ignore[union-attr]
    wordings = {release: term.at(release) for release in WORDS.releases}
    assert {release: one and (one.name, one.text) for release, one in wordings.items()} == {
        "1.0": ("state image", "A fixed pointer to the state of a volume."),
        "1.1": ("snapshot", "A fixed pointer to the state of a volume."),
        "2.0": ("snapshot", "Deprecated. Use checkpoint instead."),
    }
    assert wordings["1.1"] and wordings["1.1"].url == f"{BASE}term/state-image/1.0/"
    assert term.at("3") is None and WORDS.find("tape").term.at("1.1") is None  # type: ignore[union-attr]
    assert term.instead and term.instead.name == "checkpoint"
    assert WORDS.find("save point").term.definition == "A pointer that the system makes."  # type: ignore[union-attr]


STANDINGS = {
    "snapshot": "deprecated since 2.0; use “checkpoint”",
    "tape": "removed in 1.1",
    "checkpoint": "since 2.0",
}


@pytest.mark.parametrize("name", STANDINGS)
def test_every_term_has_a_state(name: str) -> None:
    """The state of a term names the release in which it began."""
    assert WORDS.find(name).term.standing == STANDINGS[name]  # type: ignore[union-attr]


def test_the_glossary_as_of_a_release() -> None:
    """As of a release there are the terms, names, words and changes of then."""
    then = WORDS.as_of("1.1")
    assert [term.name for term in then.terms if term.is_defined] == ["snapshot"]
    snapshot = then.find("snapshot").term  # type: ignore[union-attr]
    assert (snapshot.status, snapshot.definition) == (
        "current",
        "A fixed pointer to the state of a volume.",
    )
    assert [change.release for change in snapshot.history] == ["1.0", "1.1", "1.1"]
    first = WORDS.as_of("1.0")
    assert (first.find("snapshot"), first.find("state image").kind) == (None, "preferred")  # type: ignore[union-attr]
    assert first.find("tape").term.status == "current"  # type: ignore[union-attr]
    assert then.find("tape") is None
    with pytest.raises(SitegenError, match=r"no source has the release 3; known: 1.0, 1.1, 2.0"):
        WORDS.as_of("3")


def test_changes_since() -> None:
    """Changes after a release are returned with their term and place."""
    changes = WORDS.changes("1.1")
    assert {(change.term.name, change.kind) for change in changes if change.kind != "added"} == {
        ("snapshot", "reworded"),
        ("snapshot", "deprecated"),
    }
    assert {(change.path, change.line > 0) for change in changes} == {("2.0/GLOSSARY.md", True)}
    assert WORDS.changes("2.0") == ()
    with pytest.raises(
        SitegenError,
        match=r"“9” is no day, such as 2026-11-24, and no release; known: 1.0, 1.1, 2.0",
    ):
        WORDS.changes("9")


def test_a_text_is_checked() -> None:
    """`check` finds what `sitegen check-text` finds, in each format."""
    [use] = WORDS.check("The state images, `state image`.")
    assert (
        str(use) == "text.markdown:1:5: “state images” is a former name since 1.1; use “checkpoint”"
    )
    [over_two_lines] = WORDS.check("The state\n  images.")
    assert over_two_lines.message == use.message
    assert [use.name.rule for use in WORDS.check("Take a snapshot.")] == ["deprecated"]
    assert [use.line for use in WORDS.check("One.\n\n``snapshot``\n\nA snapshot.\n", "rst")] == [5]


def test_where_a_glossary_is_loaded_from(folder: Path, tmp_path: Path) -> None:
    """A glossary is loaded from the folder of a site, from its file and from its address."""
    for place in (folder, str(folder), folder / "glossary.json"):
        assert [term.name for term in load(place).terms] == [term.name for term in WORDS.terms]
    with published(folder, base="/words/") as address:
        assert load(address).find("tape") and load(f"{address}glossary.json").find("tape")
        with pytest.raises(
            SitegenError, match=r"cannot be fetched \([\w ]+\); name the address of a built site"
        ):
            load(f"{address}nothing/")
    with pytest.raises(SitegenError, match=r"cannot be fetched \(Connection refused; check the"):
        load("https://127.0.0.1:1/")
    with pytest.raises(SitegenError, match="only https addresses are read"):
        load("http://example.org/")


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"terms": 1}', "[" * 100_000, '{"terms": [[]]}']
)
def test_what_is_no_glossary_is_one_error(content: str, tmp_path: Path) -> None:
    """A file that is no glossary.json, or is missing, is an error of one line."""
    (tmp_path / "glossary.json").write_text(content)
    with pytest.raises(SitegenError, match=r"glossary\.json: is no glossary\.json") as refused:
        load(tmp_path)
    assert "\n" not in str(refused.value)
    with pytest.raises(SitegenError, match="cannot be read"):
        load(tmp_path / "none.json")


def test_devices_and_pipes_are_not_read(tmp_path: Path) -> None:
    """A glossary.json or a site that is a device, a pipe, or a link to one is an error of one
    line."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "site").symlink_to("/dev/zero")
    (tmp_path / "glossary.json").symlink_to("/dev/zero")
    for name in ("pipe", "site", "glossary.json", ""):
        with pytest.raises(SitegenError, match=r"cannot be read \(it is not a regular file\)"):
            load(tmp_path / name)


def test_data_of_an_older_version_are_one_error(folder: Path, tmp_path: Path) -> None:
    """A file in which any row lacks a key that is read is refused when it is loaded, not when the
    key is read."""
    data = json.loads((folder / "glossary.json").read_text())
    [source], term = data["sources"], next(term for term in data["terms"] if term["former_names"])
    parts = {
        "former_names[0].until": term["former_names"][0],
        "wordings[0].since": term["wordings"][0],
        "history[0].citation": term["history"][0],
        "synonym_of": term,
        "sources[0].releases[0].date": source["releases"][0],
        "sources[0].releases": source,
    }
    for place, part in parts.items():
        key = place.rpartition(".")[2]
        value = part.pop(key)
        (tmp_path / "glossary.json").write_text(json.dumps(data))
        with pytest.raises(SitegenError) as refused:
            load(tmp_path)
        assert f"{place} is missing); build the site with this version" in str(refused.value)
        part[key] = value
    (tmp_path / "glossary.json").write_text(json.dumps(data))
    assert load(tmp_path).find("state image")


def test_many_releases_are_counted() -> None:
    """An error about a release lists the first, and counts the others."""
    words = data_of(glossary({f"1.{number}": {"tape": "Slow."} for number in range(78)}))
    with pytest.raises(SitegenError, match=r"the release 9; known: 1\.0, .*, 1\.15 and 62 more$"):
        words.known_release("9")


def test_links_of_a_glossary_lead_to_the_web(folder: Path, tmp_path: Path) -> None:
    """A base_url of another scheme, which would become the address of links, is refused."""
    data = json.loads((folder / "glossary.json").read_text())
    (tmp_path / "glossary.json").write_text(
        json.dumps({**data, "base_url": "javascript:alert(1)//"})
    )
    with pytest.raises(SitegenError, match="its base_url is no address of the web"):
        load(tmp_path)


def _output(command: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    ).stdout


def test_the_api_imports_little() -> None:
    """Importing the API loads no template engine, parser, configuration or command."""
    command = (
        "import sys, sitegen.api; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"jinja2", "lxml", "pydantic", "docutils", "click", "lunr", "yaml", "http"}.isdisjoint(
        loaded
    )


def test_a_build_loads_no_integration() -> None:
    """The modules of a build import none of the integrations."""
    command = (
        "import sys, sitegen.pipeline.assembly, sitegen.pipeline.site_build; print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    ).stdout.split()
    assert [
        name for name in loaded if name.startswith(("sitegen.integrations", "sitegen.api"))
    ] == []


def test_the_examples_of_the_docs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of the examples in docs/python.md has the value that its comment says."""
    text = (Path(__file__).parent.parent / "docs/python.md").read_text(encoding="utf-8")
    monkeypatch.chdir(folder.parent)
    values: dict[str, object] = {}
    checked = 0
    for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
        for line in block.replace('load("site")', f'load("{folder}")').splitlines():
            code, _, comment = line.partition("  # ")
            if comment and not code.startswith("glossary ="):
                value = eval(code, values)
                wanted = ast.literal_eval(comment.strip())
                assert value == wanted, line
                checked += 1
            else:
                exec(code, values)
    assert checked >= 12
