"""`sitegen import`: a source as plain files, which give the same site."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commands import Command
from repositories import PLACES, Repository, configure, sixty_releases

ONE = "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n"
TWO = ONE.replace("A library", "The tensor library of PyTorch")


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "project")


def glossary(site: str) -> dict[str, Any]:
    """Returns the terms of a site, with locations reduced to the path within the release."""
    text = Path(site, "glossary.json").read_text(encoding="utf-8")
    # What comes before that is a tag, or the source's folder and the release's.
    text = re.sub(r'"path":"(?:[^":]*:|(?:words|manual|project)/[^/"]*/)', '"path":"', text)
    result: dict[str, Any] = json.loads(text)
    return result


def imported(command: Command, *arguments: str) -> dict[str, Any]:
    """Imports a site and returns the new site.toml, which gives the same glossary."""
    assert command("build", *arguments, "--no-ledger", "-o", "before").status == 0
    outcome = command("import", *arguments, "-o", "plain")
    assert (outcome.status, outcome.out.startswith("plain: ")) == (0, True)
    assert command("build", "plain", "--no-ledger", "-o", "after").status == 0
    assert glossary("before") == glossary("after")
    return tomllib.loads(Path("plain/site.toml").read_text(encoding="utf-8"))


def test_a_repository_as_files(command: Command, project: Repository) -> None:
    """Sixty tags with moves, gaps and new formats become folders that give the same histories and gaps."""
    sixty_releases(project)
    paths = [part for path, _ in reversed(PLACES) for part in ("--path", path)]
    written = imported(command, "--git", "project", *paths)
    assert written["source"] == [{"id": "project", "title": "project", "folder": "project"}]
    assert written["release"][1] == {"name": "0.1", "date": written["release"][1]["date"]}
    assert len(written["release"]) == 60
    assert Path("plain/project/0.0/GLOSSARY.md").is_file()
    assert Path("plain/project/5.9/docs/source/glossary.rst").is_file()
    assert [path.name for path in Path("plain/project/5.0").iterdir()] == [".gitkeep"]


def test_links_and_what_is_to_come_are_kept(command: Command, project: Repository) -> None:
    """The new site.toml has the links of releases, the unreleased branch, and a declared order."""
    project.git("remote", "add", "origin", "https://github.com/o/r")
    project.release("v1.0", ONE)
    project.release("v0.9", TWO)
    project.commit({"GLOSSARY.md": TWO + "\n## Tensor\n\nA grid.\n"})
    configure(
        Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"', 'head = "main"', 'order = ["1.0", "0.9"]'
    )
    written = imported(command, "content")
    assert [release["name"] for release in written["release"]] == ["1.0", "0.9", "main"]
    assert [release.get("unreleased") for release in written["release"]] == [None, None, True]
    assert written["release"][0]["link"] == "https://github.com/o/r/releases/tag/v1.0"


def test_what_a_person_said_is_kept(command: Command, project: Repository) -> None:
    """The new site.toml has all titles and declarations of the old one."""
    project.release("v1.0", ONE)
    project.release("v1.1", ONE.replace("## ATen", "## Library"))
    more = (
        '[site]\ntitle = "Words"\nnote = "Line\\nbreaks"\n'
        '[[rename]]\nsource = "words"\nfrom = "ATen"\nto = "Library"\nreason = "why not"\n'
        '[[same]]\nnames = ["x", "y"]\n[[distinct]]\nnames = ["z"]\n'
        '[[retired]]\naddress = "/term/x/"\nreason = "gone"\n[[slug]]\nname = "x"\nslug = "ex"\n'
        '[check-text]\nignore = "tape"\n'
    )
    configure(
        Path("content"),
        'git = "../project"',
        'paths = "GLOSSARY.md"',
        "complete = true",
        'formerly = "terms"',
        'format = "markdown"',
        'license = "CC0"',
        more=more,
    )
    written = imported(command, "content")
    assert written["site"] == {"title": "Words", "language": "en", "note": "Line\nbreaks"}
    assert written["rename"] == [{"source": "words", "from": "ATen", "to": "Library", "reason": "why not"}]
    assert (written["same"], written["distinct"]) == ([{"names": ["x", "y"]}], [{"names": ["z"]}])
    assert written["retired"] == [{"reason": "gone", "address": ["/term/x/"]}]
    assert written["check-text"] == {"ignore": ["tape"]}
    assert written["slug"] == [{"name": "x", "slug": "ex"}]
    assert written["source"] == [
        {
            "id": "words",
            "title": "Words",
            "folder": "words",
            "complete": True,
            "format": "markdown",
            "formerly": ["terms"],
            "license": "CC0",
        }
    ]


@pytest.mark.parametrize(
    ("folder", "repository", "expected"),
    [
        (".", "https://github.com/o/r", "https://github.com/o/r/tree/HEAD/plain"),
        (".", "https://github.com/o/r/tree/main/docs", "https://github.com/o/r/tree/main/docs/plain"),
        (".", "https://gitlab.com/o/r", None),
        ("content", "https://github.com/o/r/tree/main/content", None),
    ],
)
def test_the_place_to_edit_is_the_new_one(
    command: Command, project: Repository, folder: str, repository: str, expected: str | None
) -> None:
    """Edit links lead to the new files, or are missing if their address is unknown."""
    project.release("v1.0", ONE)
    up = Path(*[".."] * len(Path(folder).parts))
    configure(
        Path(folder),
        f'git = "{up / "project"}"',
        'paths = "GLOSSARY.md"',
        more=f'[site]\nrepository = "{repository}"',
    )
    assert command("import", folder, "-o", "plain").status == 0
    written = tomllib.loads(Path("plain/site.toml").read_text(encoding="utf-8"))
    assert written["site"].get("repository") == expected


def test_published_addresses_come_along(command: Command, project: Repository) -> None:
    """The ledger is copied, and a locked build of the files adds nothing to it."""
    project.release("v1.0", ONE)
    project.release("v1.1", TWO)
    configure(Path("words"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build", "words").status == 0
    assert command("import", "words", "-o", "plain").status == 0
    assert Path("plain/permalinks.json").read_bytes() == Path("words/permalinks.json").read_bytes()
    assert command("build", "plain", "--locked").status == 0


def test_sources_of_every_kind_come_along(command: Command, project: Repository) -> None:
    """A site with several kinds of sources keeps them all."""
    project.release("v1.0", ONE)
    for path, text in {"content/manual/1.0/a.md": TWO, "content/page.md": ONE}.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    more = '[[source]]\nid = "page"\nfile = "page.md"\nretrieved = 2025-03-01\n'
    more += '[[source]]\nid = "manual"\nfolder = "manual"\n'
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"', more=more)
    written = imported(command, "content")
    assert [source["id"] for source in written["source"]] == ["page", "manual", "words"]
    assert written["source"][0]["file"] == "page"
    assert [release["source"] for release in written["release"]] == ["words"]


def test_names_that_no_disk_can_hold(command: Command, project: Repository) -> None:
    """Releases and files with names that a disk cannot hold get other file names."""
    names = ("docs/what?.md", ".github/terms.md", "a:b.md", "con.md")
    project.commit({name: ONE.replace("ATen", f"ATen {number}") for number, name in enumerate(names)})
    for tag in ("readme", "one/two", "CON", "<b>"):
        project.git("tag", tag)
    configure(Path("content"), 'git = "../project"', 'paths = ["**/*.md"]', 'tags = "*"')
    assert command("build", "--no-ledger", "-o", "before").status == 0
    assert command("import", "-o", "plain").status == 0
    written = tomllib.loads(Path("plain/site.toml").read_text(encoding="utf-8"))
    assert sorted(written["source"][0]["files"].values()) == [
        "words/_CON",
        "words/_b_",
        "words/one-two",
        "words/readme",
    ]
    assert sorted(path.name for path in Path("plain/words/readme").iterdir()) == ["_con.md", "a_b.md", "docs"]
    assert command("build", "plain", "--no-ledger", "-o", "after").status == 0
    before, after = ({term["name"] for term in glossary(site)["terms"]} for site in ("before", "after"))
    assert before == after


def test_a_text_that_declares_another_character_set(command: Command, project: Repository) -> None:
    """A decoded text that declares another character set is read correctly from the new file."""
    page = '<html><head><meta charset="windows-1252"></head><body><dl><dt>Größe<dd>Wie viel.<dt>Maß<dd>Womit.</dl>'
    project.path.joinpath("glossary.html").write_bytes(page.encode("cp1252"))
    project.commit({})
    project.git("tag", "v1.0")
    imported(command, "--git", "project", "--path", "glossary.html")
    assert [term["name"] for term in glossary("after")["terms"]] == ["Größe", "Maß"]


def test_what_is_there_is_kept(command: Command, project: Repository) -> None:
    """A folder that is not empty is not changed."""
    project.release("v1.0", ONE)
    Path("content").mkdir()
    Path("content/thesis.tex").write_text("mine")
    outcome = command("import", "--git", "project", "--path", "GLOSSARY.md")
    assert (outcome.status, outcome.err) == (2, "content: is there already; name a new or an empty folder\n")
    assert sorted(path.name for path in Path().iterdir()) == ["content", "project"]
    assert [path.name for path in Path("content").iterdir()] == ["thesis.tex"]


def test_nothing_to_import(command: Command, project: Repository) -> None:
    """If no source can be read, nothing is written, and the reasons are printed."""
    project.release("v1.0", ONE)
    outcome = command("import", "--git", "project", "--path", "x.md")
    assert outcome.status == 2
    assert outcome.err.splitlines()[-1].startswith(".: no glossary was found here; ")
    assert not Path("content").exists()
