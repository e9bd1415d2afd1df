"""`sitegen check-text` as a gate: what it reads as a use, and what is left out."""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path

import pytest
from commands import Command
from glossaries import source
from repositories import Repository
from sites import data_of, site_of

from sitegen.config.tables import Rename
from sitegen.integrations.outdated import findings, outdated

BASE = "https://example.org/words/"
WORDS = data_of(
    site_of(
        source(
            "words",
            {
                "1": {"master": "Leads.", "query": "Asks.", "log": "Is kept.", "Boat": "Floats."},
                "2": {
                    "primary": "Leads.",
                    "search entry": "Asks.",
                    "log": "Deprecated. Use journal.",
                    "Ship": "Floats.",
                },
            },
        ),
        renames=tuple(
            Rename(source="words", old=old, new=new, release="2")
            for old, new in {"master": "primary", "query": "search entry", "Boat": "Ship"}.items()
        ),
        base_url=BASE,
    )
)


def found(text: str, path: str = "notes.md") -> list[str]:
    """Returns the uses found in a document, each with its line."""
    uses = findings(WORDS, outdated(WORDS), {path: text})
    return [f"{use.line}: {use.text}" for use in uses]


DOCUMENTS: dict[str, tuple[str, str, list[str]]] = {
    "a role is a use": ("A :term:`master` and `master`.\n", "a.rst", ["1: master"]),
    "the target of a role counts": (
        ":term:`the leader <master>`, :term:`master <primary>`\n",
        "a.rst",
        ["1: master"],
    ),
    "a role of MyST": (
        "A {term}`master` and {term}`a leader <master>`.\n",
        "a.md",
        ["1: master", "1: master"],
    ),
    "a role that names a release": (":external+words-at-1:term:`master`\n", "a.rst", []),
    "a cell of a table": ("| a | b |\n|---|---|\n| the master | `x` |\n", "a.md", ["3: master"]),
    "text that is reStructuredText": (
        ".. code:: sh\n\n   master\n\nA master, ``master``.\n",
        "a.txt",
        ["5: master"],
    ),
    "text that is not": ("The master and `master`.\n", "a.txt", ["1: master", "1: master"]),
    "an ignored line of Markdown": (
        "The master. <!-- sitegen: ignore -->\nThe master.\n",
        "a.md",
        ["2: master"],
    ),
    "an ignored paragraph": (
        "<!-- sitegen: ignore -->\nThe master\nand the master.\n\nThe master.\n",
        "a.md",
        ["5: master"],
    ),
    "two ignored paragraphs, the second below a comment in the last line of the first": (
        "<!-- sitegen: ignore -->\nThe master.\n<!-- sitegen: ignore -->\n\nThe master.\n\n"
        "The master.\n",
        "a.md",
        ["7: master"],
    ),
    "an ignored paragraph of reStructuredText": (
        ".. sitegen: ignore\n\nThe master.\n\nThe master.\n",
        "a.rst",
        ["5: master"],
    ),
    "code below a sentence": ("Run this::\n\n   master\n\nThe master.\n", "a.rst", ["5: master"]),
    "an ignored line of text": (
        "The master  # sitegen: ignore\nThe master\n",
        "a.log",
        ["2: master"],
    ),
    "a quoted name": (
        'We replace master. "master" is old. The master was renamed.\n',
        "a.md",
        [],
    ),
    "a quoted phrase": ('The "master node" leads.\n', "a.md", ["1: master"]),
    "a name before a sign": ("A master# is another thing.\n", "a.md", []),
    "a used name": (
        "The master replaces that. Rename the master node.\n",
        "a.md",
        ["1: master"],
    ),
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_what_is_a_use(case: str) -> None:
    """Roles are uses; ignored lines are none, and a name quoted as a name is none."""
    text, path, expected = DOCUMENTS[case]
    assert found(text, path) == expected


def test_a_name_that_tells_its_former_one_does_not_use_it() -> None:
    """In "Flow (formerly DAX)", DAX is only mentioned as a former name, so it is outdated."""
    glossary = data_of(
        site_of(
            source(
                "words",
                {
                    "1": {"DAX": "Runs.", "Node": "Is one."},
                    "2": {"Flow (formerly DAX)": "Runs.", "Node": "Is one."},
                },
            ),
            base_url=BASE,
        )
    )
    uses = findings(glossary, outdated(glossary), {"notes.md": "A DAX has nodes.\n"})
    assert [use.text for use in uses] == ["DAX"]


@pytest.mark.parametrize(
    ("name", "text", "uses"),
    [
        ("कर", "वह करे और कर।", ["कर"]),  # a vowel sign makes another word
        ("cafe", "A cafe\u0301 is no cafe.", ["cafe"]),
        ("são", "Um sa\u0303o.", ["sa\u0303o"]),
        ("İzmir", "In İzmir.", ["İzmir"]),
    ],
)
def test_marks_are_parts_of_words(name: str, text: str, uses: list[str]) -> None:
    """A combining mark belongs to its word, composed or not."""
    releases = {"1": {name: "Is a word.", "Node": "Is one."}, "2": {"Node": "Is one."}}
    releases["2"]["word"] = "Is a word."
    renames = (Rename(source="words", old=name, new="word", release="2"),)
    glossary = data_of(site_of(source("words", releases), renames=renames, base_url=BASE))
    found_uses = findings(glossary, outdated(glossary), {"notes.txt": text})
    assert [use.text for use in found_uses] == uses


@pytest.mark.parametrize("part", ["{{ ", "{% ", "<!-- sitegen: ignore -->\n"])
def test_a_hostile_document_takes_no_long_time(part: str) -> None:
    """Tags that are never closed, and comments in each other's paragraphs, are read in one pass."""
    begun = time.process_time()
    assert found(part * 20_000) == []
    assert time.process_time() - begun < 5


@pytest.fixture
def run(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the command in a repository with a glossary, a built site's data and a document."""
    monkeypatch.chdir(tmp_path)
    for release, name in {"1.0": "master", "2.0": "primary"}.items():
        (tmp_path / "words" / release).mkdir(parents=True)
        (tmp_path / "words" / release / "GLOSSARY.md").write_text(
            f"# Glossary\n\n## {name}\n\nLeads.\n\n## node\n\nIs one.\n"
        )
    rename = '[[rename]]\nsource = "glossary"\nfrom = "master"\nto = "primary"\n'
    (tmp_path / "words/site.toml").write_text(f'[site]\nbase_url = "{BASE}"\n{rename}')
    (tmp_path / "notes.md").write_text("The master.\n")
    return command


def test_settings_of_the_glossary(run: Command) -> None:
    """[check-text] in site.toml leaves out files and names."""
    with Path("words/site.toml").open("a") as file:
        file.write('[check-text]\nexclude = ["old/*", "CHANGELOG.md"]\n')
    Path("old").mkdir()
    for name in ("old/a.md", "CHANGELOG.md"):
        Path(name).write_text("The master.\n")
    assert run(
        "check-text", "--glossary", "words", "old/a.md", "CHANGELOG.md", "notes.md"
    ).out.startswith("notes.md:1")
    with Path("words/site.toml").open("a") as file:
        file.write('ignore = "Master"\n')
    assert run("check-text", "--glossary", "words", "notes.md").status == 0


def test_settings_of_content_come_before_those_of_the_current_folder(run: Command) -> None:
    """The settings are those of the glossary that is read by default, in content."""
    Path("words").rename("content")
    Path("site.toml").write_text('[check-text]\nexclude = ["notes.md"]\n')
    assert run("check-text", "notes.md").out.startswith("notes.md:1")


def test_settings_are_not_read_through_a_link(run: Command) -> None:
    """A site.toml that is a link is refused: it may lead out of the checkout."""
    Path("words/glossary.json").write_text("{}")
    Path("elsewhere.toml").write_text("[check-text]\n")
    Path("site.toml").symlink_to("elsewhere.toml")
    outcome = run("check-text", "--glossary", "words/glossary.json", "notes.md")
    assert (outcome.status, outcome.err[:28]) == (2, "site.toml: is a symbolic lin")


def test_settings_in_another_encoding(run: Command) -> None:
    """A site.toml that is not UTF-8 is named with its line; a byte order mark does no harm."""
    Path("words/glossary.json").write_text("{}")
    settings = b'[check-text]\nexclude = ["notes.md"]\n'
    Path("site.toml").write_bytes(settings + b"ignore = 'caf\xe9'\n")
    arguments = ("check-text", "--glossary", "words/glossary.json", "notes.md")
    outcome = run(*arguments)
    assert (outcome.status, outcome.err[:28]) == (2, "site.toml:3: is not UTF-8; s")
    Path("site.toml").write_bytes(b"\xef\xbb\xbf" + settings)
    assert run("check-text", "--glossary", "words", "notes.md").status == 1
    assert run("build", "words", "--output", "out").status == 0
    assert run("check-text", "--glossary", "out", "notes.md").err == "left out: notes.md\n"


HISTORIES = (
    "CHANGES.rst",
    "docs/whatsnew-1.0.rst",
    "BFG_HISTORY.rst",
    "docs/what's new/3.md",
    "release notes.md",
    "newsfragments/1.md",
)


@pytest.mark.parametrize("name", HISTORIES)
def test_what_speaks_of_former_names_rightly_is_left_out(run: Command, name: str) -> None:
    """Changelogs and what's-new pages are not checked, and the output names them and says how to
    leave out more."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("The master.\n")
    outcome = run("check-text", "--glossary", "words", name, "notes.md")
    assert f"left out: {name}\n" in outcome.err
    assert "`exclude` and `ignore` in [check-text] of site.toml" in outcome.err
    assert all(line.startswith("notes.md:") for line in outcome.out.splitlines())
    assert run("check-text", "--glossary", "words", name).status == 0


def test_files_of_the_glossary_are_left_out(run: Command, tmp_path: Path) -> None:
    """The glossary itself is not checked, in folders and in a repository."""
    file = "words/1.0/GLOSSARY.md"
    outcome = run("check-text", "--glossary", "words", file)
    assert (outcome.status, outcome.err) == (0, f"left out: {file}\n")
    project = Repository(tmp_path / "project")
    for tag, name in {"v1.0": "master", "v2.0": "primary"}.items():
        project.release(tag, f"# Glossary\n\n## {name}\n\nLeads.\n\n## node\n\nA master.\n")
    rename = '[[rename]]\nsource = "g"\nfrom = "master"\nto = "primary"\n'
    settings = f'[[source]]\nid = "g"\ngit = "."\npaths = ["GLOSSARY.md"]\n{rename}'
    (project.path / "site.toml").write_text(settings)
    arguments = ("--glossary", "project", "project/GLOSSARY.md", "notes.md")
    outcome = run("check-text", *arguments)
    assert "left out: project/GLOSSARY.md\n" in outcome.err
    assert outcome.out.startswith("notes.md:1:5: “master”")


@pytest.mark.parametrize("name", ["releasing.md", "docs/exchanges.md", "newsletter.md"])
def test_other_documents_are_checked(run: Command, name: str) -> None:
    """A document is not taken for a changelog because its name has the same letters."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text("The master.\n")
    assert run("check-text", "--glossary", "words", name).status == 1


def test_findings_as_data(run: Command) -> None:
    """--json prints each use with its place, its name and the name to use."""
    Path("notes.md").write_text("Ask\nthe master.\n")
    read = json.loads(run("check-text", "--glossary", "words", "notes.md", "NEWS", "--json").out)
    (use,) = read["findings"]
    assert (use["path"], use["line"], use["column"], use["length"]) == ("notes.md", 2, 5, 6)
    assert (use["rule"], use["name"], use["instead"]) == ("renamed", "master", "primary")
    assert (read["left_out"], read["unread"]) == (["NEWS"], [])


def test_many_uses_of_one_name_are_counted(run: Command) -> None:
    """After some uses of one name, their number is reported; JSON has all of them."""
    Path("notes.md").write_text("The master.\n" * 12)
    arguments = ("check-text", "--glossary", "words", "notes.md", "--max", "3")
    lines = run(*arguments).out.splitlines()
    assert len(lines) == 4 and lines[-1] == "and 9 more uses of “master”"
    assert len(json.loads(run(*arguments, "--json").out)["findings"]) == 12


def test_standard_input(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` is standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"The master, a node.\n")))
    outcome = run("check-text", "-", "--glossary", "words")
    assert outcome.out.startswith("-:1:5: “master”")


def test_a_built_site_is_a_glossary(run: Command) -> None:
    """--glossary takes a built site, and its glossary.json."""
    assert run("build", "words", "--output", "out").status == 0
    for place in ("out", "out/glossary.json"):
        assert run("check-text", "--glossary", place, "notes.md").status == 1
        assert run("link", "nodes", "--glossary", place).out == f"{BASE}term/node/\n"
