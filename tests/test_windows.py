"""What writers use runs without the modules that only POSIX systems have; the rest says so in one
line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from glossaries import source
from sites import site_of

from sitegen.config.tables import Rename
from sitegen.site.exports import data

ROOT = Path(__file__).parent.parent
BLOCKED = """
import os, sys
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("fork", "geteuid", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_CLOEXEC"):
    if hasattr(os, name):
        delattr(os, name)
"""
RELEASES = {
    "1.0": {"master": "Leads all of the others."},
    "2.0": {"primary": "Leads all of the others."},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a glossary.json, a text and documentation."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKED)
    renames = (Rename(source="words", old="master", new="primary", release="2.0"),)
    site = site_of(
        source("words", RELEASES), renames=renames, base_url="https://example.org/words/"
    )
    content = next(iter(data.files(site))).content
    (tmp_path / "glossary.json").write_bytes(content)
    (tmp_path / "notes.md").write_text("The master.\n")
    (tmp_path / "conf.py").write_text(
        'extensions = ["sitegen.sphinx"]\nsitegen_glossary = "glossary.json"\n'
    )
    (tmp_path / "index.rst").write_text("Docs\n====\n\nTwo :term:`primaries <primary>`.\n")
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python without these modules: sitecustomize is imported before anything else."""
    world = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT), *sys.path])}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=world, capture_output=True, text=True)


API = """
from sitegen.api import load
glossary = load("glossary.json")
print(glossary.find("Masters").term.name, len(glossary.check("The master.")))
import sys
del sys.modules["fcntl"]  # the SDK imports it unless the platform is Windows
import mcp.server.mcpserver
sys.modules["fcntl"] = None
import sitegen.integrations.assistant_server as server
print(server.Tools(glossary).define("master").splitlines()[0])
"""


def test_the_api_and_the_server_run_everywhere(folder: Path) -> None:
    """The API loads, finds and checks, and the server for assistants answers."""
    outcome = run(folder, "-c", API)
    assert outcome.stdout.splitlines() == [
        "primary 1",
        "primary: since 1.0 or earlier, renamed in 2.0.",
    ], outcome.stderr


def test_commands_for_writers_run_everywhere(folder: Path) -> None:
    """check-text and link work with a glossary.json."""
    place = ("--glossary", "glossary.json")
    checked = run(folder, "-m", "sitegen", "check-text", "notes.md", *place)
    assert checked.stdout == "notes.md:1:5: “master” is a former name since 2.0; use “primary”\n", (
        checked.stderr
    )
    linked = run(folder, "-m", "sitegen", "link", "master", *place)
    assert linked.stdout == "https://example.org/words/term/primary/\n", linked.stderr


def test_the_extension_runs_everywhere(folder: Path) -> None:
    """Sphinx builds with the extension."""
    outcome = run(folder, "-m", "sphinx", "-W", "-q", ".", "out")
    assert outcome.returncode == 0, outcome.stderr
    assert "https://example.org/words/term/primary/" in (folder / "out/index.html").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check-text", "notes.md"), "reading sources needs Linux or macOS; name a built site"),
        (
            ("build", "."),
            "this command needs Linux or macOS; check-text, link and mcp read",
        ),
    ],
)
def test_what_needs_git_and_links_says_so(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    """What cannot run there is one line."""
    outcome = run(folder, "-m", "sitegen", *arguments)
    assert outcome.returncode == 2
    assert message in outcome.stderr and len(outcome.stderr.splitlines()) == 1, outcome.stderr
