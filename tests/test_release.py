"""A release: name, version, metadata, files, and how others install the same."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_bytes
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import yaml
from packaging.requirements import Requirement

from sitegen import DISTRIBUTION, __version__
from sitegen.commands.main import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
DIGEST = "ab" * 32


def test_version_is_said_in_one_place() -> None:
    """pyproject.toml takes the version from the package, and the installed metadata has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dynamic"] == ["version"]
    assert metadata.version(DISTRIBUTION) == __version__


def test_changelog_has_the_version_and_its_date() -> None:
    """The newest section of the changelog has the version and its date, once it has one."""
    newest = re.findall(
        r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )[0]
    assert re.fullmatch(rf"{re.escape(__version__)} · (\d{{4}}-\d\d-\d\d|not released yet)", newest)


def test_files_of_a_release_are_whole(tmp_path: Path) -> None:
    """The sdist has what `make test` needs, and the wheel complete metadata and the marker of a
    typed package."""
    build = [sys.executable, "-m", "hatchling", "build", "-d", tmp_path]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [sdist], [wheel] = tmp_path.glob("*.tar.gz"), tmp_path.glob("*.whl")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = (
        "Makefile constraints.txt content/site.toml contributing/slugs.md tests/conftest.py "
        "bench/run.py action.yml"
    )
    assert {*needed.split(), ".ci/run", "templates/hosts/github.yml", "CONTRIBUTING.md"} <= names
    assert not {name for name in names if name.startswith((".venv", "site/", ".git/"))}
    with ZipFile(wheel) as archive:
        assert "sitegen/py.typed" in archive.namelist()
        [path] = (name for name in archive.namelist() if name.endswith("/METADATA"))
        reported = message_from_bytes(archive.read(path))
    assert (reported["Name"], reported["Version"]) == (DISTRIBUTION, __version__)
    assert all(
        reported[field]
        for field in ("Summary", "Author", "Keywords", "License-Expression", "Requires-Python")
    )
    assert len(reported.get_all("Project-URL")) >= 2
    assert len(reported.get_all("Classifier")) >= 10


def test_every_version_of_sphinx_can_have_its_parser_of_myst() -> None:
    """The parsers of MyST for Sphinx 7.4 and 9 need other versions of the same libraries: both are
    allowed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {need.name: need.specifier for need in map(Requirement, project["dependencies"])}
    for name, versions in {
        "markdown-it-py": ("3.0.0", "4.0.0"),
        "mdit-py-plugins": ("0.4.1", "0.5.0"),
    }.items():
        assert [one for one in versions if one in needed[name]] == [*versions]
    assert "0.21.2" in needed["docutils"]


def test_nothing_is_released_by_accident() -> None:
    """A tag is refused unless it is the version, the changelog has its date, the metadata its
    repository, and no page says that nothing is on PyPI."""
    mistakes = runpy.run_path(str(ROOT / ".ci/release.py"))["mistakes"]
    reported = list(mistakes("v9.9", "https://example.org/x"))
    assert [line.partition(" ")[0] for line in reported] == [
        "the",
        "CHANGELOG.md",
        "pyproject.toml",
        "README.md",
        "SECURITY.md",
        *("docs/assistants.md", "docs/publish.md", "docs/sphinx.md", "docs/start.md"),
    ]


def test_no_page_installs_what_is_not_released() -> None:
    """Until the first release, no page says to install the name from an index, which anyone may
    register."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    installs = re.compile(
        r"(install|--from|inject)\s+\S*sitegen-glossary|pypi\.org/project/sitegen"
    )
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *(ROOT / "content").rglob("*.md")]
    found = [page.name for page in pages if installs.search(page.read_text(encoding="utf-8"))]
    assert found == [] or f"## {__version__} · not released yet" not in changes


def test_hooks_name_commands_that_exist() -> None:
    """Each pre-commit hook runs one of our commands, and blocks no commit: it only advises, or a
    person starts it."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {tuple(hook["entry"].split()[:2]) for hook in hooks} <= {
        ("sitegen", command) for command in COMMANDS
    }
    assert all(
        "--advisory" in hook.get("args", ()) or hook.get("stages") == ["manual"] for hook in hooks
    )


def test_pictures_are_seen_on_pypi() -> None:
    """In a release, README links pictures and pages by their addresses at the tag."""
    linked = runpy.run_path(str(ROOT / ".ci/release.py"))["linked"]
    text = linked((ROOT / "README.md").read_text(encoding="utf-8"), "v1", "https://example.org/a/b")
    assert "](https://example.org/a/b/raw/v1/docs/term.webp)" in text
    assert "[Your first site](https://example.org/a/b/blob/v1/docs/start.md)" in text
    assert not re.search(r"\]\((?!https?:)", text)
