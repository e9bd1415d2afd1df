"""docs/ is short, its commands work, and it has each option of the command line."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import click
import pytest
from commands import Command
from repositories import Repository

from sitegen.commands.main import COMMANDS, sitegen
from sitegen.config.hosts import HOSTS
from sitegen.permanence.archive_file import ArchiveStore
from sitegen.pipeline.site_build import build
from sitegen.site.messages import INTERFACE_LANGUAGES
from sitegen.sources.git.repositories import Clones

ROOT = Path(__file__).parent.parent
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("docs/*.md"))}
MAX_WORDS = 11_000
ENDLESS = ("serve", "mcp")
"""Commands that run until they are stopped."""
SUBSTITUTES = {
    "HOST/PATH@COMMIT": f"example.org/ada/sitegen@{'0' * 40}",
    "FOLDER": "public",
    "https://example.org/project/glossary/archive.jsonl": "archive.jsonl",
}
"""What a reader replaces in the commands."""
WORDS = """\
# Glossary

## Kernel

A loop that runs on a device.

## leaf operation

An operation that is in terms of no other one.

## snapshot

A pointer to the state of a volume{end}.
"""
TRANSLATED = "# Glossaire\n\n## Kernel\n\nUne boucle.\n\n## snapshot\n\nUn pointeur.\n"
SETTINGS = """\
[site]
base_url = "https://example.org/vocabulary/"

[[source]]
id = "words"
git = "."
paths = ["docs/glossary.md"]

[[translation]]
of = "words"
language = "fr"
paths = ["docs/glossary.fr.md"]
"""


class Shown(NamedTuple):
    """A command on a page."""

    page: str
    line: str

    @property
    def arguments(self) -> list[str]:
        """The arguments, with the places of an example filled in."""
        line = self.line
        for name, value in SUBSTITUTES.items():
            line = line.replace(name, value)
        arguments: list[str] = []
        for word in shlex.split(line, comments=True)[1:]:
            arguments += sorted(map(str, Path().glob(word))) if "*" in word else [word]
        return arguments


def shown(pattern: str) -> list[Shown]:
    """Returns the lines of all pages that a pattern with a group matches."""
    found = []
    for page, text in PAGES.items():
        lines = dict.fromkeys(re.findall(pattern, text, re.M))
        found += [Shown(page, line) for line in lines]
    return found


COMMAND_LINES = shown(r"^ {4,}(sitegen .*)$") + shown(r"`(sitegen [a-z-]+ [^`A-Z]+)`")
"""The commands in blocks of code, and those in sentences that have arguments."""
GIT_LINES = shown(r"^ {4,}(git (?!clone|=).*)$")
"""The commands of git, but for those that need the network."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a repository that has all that the commands of docs/ name, and its remote. It
    was built."""
    folder = tmp_path_factory.mktemp("docs")
    project = Repository(folder / "project")
    files = {
        "site.toml": SETTINGS,
        ".gitignore": "/site/\n",
        "docs/conf.py": "",
        "mkdocs.yml": "",
        "GLOSSARY.md": WORDS,
        "words/1.8.2/GLOSSARY.md": WORDS,
        "words/2.0.0/docs/glossary.md": WORDS,
        "docs/glossary.fr.md": TRANSLATED,
    }
    for number, tag in enumerate(("v1.0", "v1.1", "v1.8.2"), start=1):
        files["docs/glossary.md"] = WORDS.replace("{end}", " at one moment" * number)
        project.commit(files, day=date(2024, number, 1))
        project.git("tag", tag)
    project.git("branch", "topic")
    project.git("init", "--quiet", "--bare", "../hub.git")
    project.git("remote", "add", "origin", "../hub.git")
    site, archive = project.path / "site", ArchiveStore(path=project.path / "archive.jsonl")
    clones = Clones(folder=folder / "cache")
    build(project.path, site, notify=lambda doing: None, clones=clones, archive_store=archive)
    project.commit({}, day=date(2024, 4, 1))
    project.git("push", "--quiet", "--set-upstream", "origin", "main")
    return folder


@pytest.fixture
def project(
    folder: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> Repository:
    """A copy of that repository, as the current folder."""
    copytree(folder, tmp_path / "docs", symlinks=True)
    project = Repository.at(tmp_path / "docs/project")
    monkeypatch.chdir(project.path)
    for name in ("NAME", "EMAIL"):
        monkeypatch.setenv(f"GIT_AUTHOR_{name}", "ada@example.org")
        monkeypatch.setenv(f"GIT_COMMITTER_{name}", "ada@example.org")
    return project


def named(one: Shown) -> str:
    return f"{one.page}: {one.line[:40]}"


@pytest.mark.parametrize("one", GIT_LINES, ids=named)
def test_commands_of_git_in_the_docs_run(one: Shown, project: Repository) -> None:
    """Each command of git in docs/ does its work in a project with something to commit."""
    (project.path / "new.md").write_text("New.\n")
    if "commit" in one.line:
        project.git("add", "--all")
    if "push origin v" in one.line:
        project.git("tag", one.line.split()[-1])
    subprocess.run(shlex.split(one.line, comments=True), check=True, capture_output=True)


@pytest.mark.parametrize("one", COMMAND_LINES, ids=named)
def test_commands_of_the_docs_run(one: Shown, project: Repository, command: Command) -> None:
    """Each command of sitegen in docs/ does its work in a project such as its page is about."""
    name, *others = one.arguments
    if name in ENDLESS:
        context = click.Context(sitegen, info_name="sitegen")
        served = sitegen.get_command(context, name)
        assert served is not None
        served.make_context(name, others)
        return
    if name == "init":
        for path in ("site.toml", "archive.jsonl"):
            (project.path / path).unlink()
        project.commit({})
    result = command(*one.arguments)
    # Translations are behind, and a check of texts may find something.
    assert result.status in ((0, 1) if name in ("translations", "check-text") else (0,)), result.err
    assert "Traceback" not in result.err


def options() -> Iterator[tuple[str, str]]:
    """Yields each command with each of its options."""
    context = click.Context(sitegen, info_name="sitegen")
    for name in COMMANDS:
        command = sitegen.get_command(context, name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                yield name, max(parameter.opts, key=len)


def test_every_option_is_in_the_docs() -> None:
    """No option is without a page that needs it."""
    text = "".join(PAGES.values())
    missing = [one for one in options() if not re.search(rf"{one[1]}\b", text)]
    assert missing == []


def test_every_host_and_language_is_in_the_docs() -> None:
    """docs/publish.md names each host that `init` takes, docs/theme.md each language of the
    interface."""
    assert [name for name in HOSTS if f"`{name}`" not in PAGES["publish.md"]] == []
    [languages] = re.findall(r"`language` of `\[site\]`: (.*)\.$", PAGES["theme.md"], re.M)
    assert sorted(re.split(", | or ", languages)) == sorted(INTERFACE_LANGUAGES)


def test_every_option_in_the_docs_exists() -> None:
    """Every command in docs/ and README, in a block or in a sentence, has the options that it is
    shown with."""
    known = {*options()}
    text = "".join(PAGES.values()) + (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:`|^ {4,})sitegen ([a-z-]+)([^`\n#]*)", text, re.M)
    assert len(named) > 40
    for command, arguments in named:
        assert command in COMMANDS, command
        for option in re.findall(r"--[a-z-]+", arguments):
            assert (command, option) in known, f"{command} {option}"


def test_there_are_at_most_twelve_commands() -> None:
    """The command line has at most twelve commands."""
    assert len(COMMANDS) <= 12


def test_docs_are_short() -> None:
    """docs/ has at most 11,000 words."""
    assert sum(len(text.split()) for text in PAGES.values()) <= MAX_WORDS
