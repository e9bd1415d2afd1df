"""Hosts: the files that `sitegen init` writes for each, and the files of a site that some hosts
read."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import Command
from glossary_folder import FILES, glossary, write
from repositories import Repository
from workflows import ours

from sitegen.config.forges import web_of
from sitegen.config.hosts import HOSTS, default_address, default_host, setup
from sitegen.site import exports
from sitegen.site.templates import read_templates
from sitegen.tools.installation import installation

ROOT = Path(__file__).resolve().parent.parent
ACTIONS = {
    "actions/checkout": "3d3c42e5aac5ba805825da76410c181273ba90b1",
    "actions/setup-python": "5fda3b95a4ea91299a34e894583c3862153e4b97",
    "actions/upload-pages-artifact": "fc324d3547104276b827a68afc52ff2a11cc49c9",
    "actions/deploy-pages": "cd2ce8fcbc39b97be8ca5fce6e763baed58fa128",
    "actions/upload-artifact": "330a01c490aca151604b8cf639adc76d48f6c5d4",
    "actions/download-artifact": "018cc2cf5baa6db3ef3c5f8a56943fffe632ef53",
    "pypa/gh-action-pypi-publish": "ed0c53931b1dc9bd32cbe73a98c7f6766f8a527e",
}
"""The commits that we have looked at."""

ONE = glossary(ATen="A library.", Kernel="A loop.", Tensor="A grid of numbers.")


@pytest.fixture
def project(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a glossary and a release, as the current folder."""
    project = Repository(tmp_path / "project")
    project.release("v1.0", ONE)
    monkeypatch.chdir(project.path)
    return project


# What is set up.


def workflow() -> dict[Any, Any]:
    read: dict[Any, Any] = yaml.safe_load(
        Path(".github/workflows/glossary.yml").read_text(encoding="utf-8")
    )
    return read


def test_workflow_may_do_what_it_must_and_no_more(project: Repository, command: Command) -> None:
    """A pull request can only read; each publishing job has one write permission. Where a person
    starts the workflow on another branch, it promises nothing: GitHub would not deploy it."""
    command("init")
    jobs = workflow()["jobs"]
    assert workflow()["permissions"] == {"contents": "read"}
    assert "permissions" not in jobs["build"]
    assert jobs["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert [step["uses"].partition("@")[0] for step in jobs["deploy"]["steps"]] == [
        "actions/deploy-pages"
    ]
    assert jobs["deploy"]["needs"] == ["build", "archive"]
    assert jobs["archive"]["permissions"] == {"contents": "write"}
    assert jobs["tag"]["permissions"] == {"actions": "write"}
    assert {jobs[name]["if"] for name in ("archive", "deploy")} == {
        "github.ref_name == github.event.repository.default_branch"
    }


def test_workflow_builds_from_the_whole_history_and_keeps_promises(
    project: Repository, command: Command
) -> None:
    """Tags are fetched, no credentials stay, new addresses never fail a build, and deployments
    queue."""
    command("init")
    build = workflow()["jobs"]["build"]
    checkout = next(
        step for step in build["steps"] if step.get("uses", "").startswith("actions/checkout@")
    )
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
    commands = [step["run"] for step in build["steps"] if "run" in step]
    assert commands[0].splitlines() == [installation().command]
    assert commands[1:] == [
        'sitegen diff HEAD^1..HEAD >> "$GITHUB_STEP_SUMMARY"',
        'git remote set-head origin "$BRANCH"\nsitegen build\n',
    ]
    assert workflow()["concurrency"]["cancel-in-progress"] is False


def test_actions_are_pinned(project: Repository, command: Command) -> None:
    """Every action is pinned to its commit, with the version beside it."""
    command("init")
    for text in (Path(".github/workflows/glossary.yml").read_text(), *map(Path.read_text, ours())):
        for name, commit in re.findall(r"^ *(?:- )?uses: (.*?)@(.*)", text, re.MULTILINE):
            assert commit.startswith(f"{ACTIONS[name]} # v")


def test_action_builds_what_it_is_told(tmp_path: Path) -> None:
    """The action's last command builds its folder with the installed sitegen."""
    write(tmp_path / "words")
    sitegen = tmp_path / "runner/sitegen/bin/sitegen"
    sitegen.parent.mkdir(parents=True)
    sitegen.write_text(f'#!/bin/sh\nexec {sys.executable} -m sitegen "$@"\n')
    sitegen.chmod(0o755)
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    command = [step["run"] for step in action["runs"]["steps"] if "run" in step][-1]
    world = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "RUNNER_TEMP": str(tmp_path / "runner"),
        "OUTPUT": "a site",
        "FOLDER": "words",
    }
    run = partial(
        subprocess.run, ["bash", "-e", "-c", command], cwd=tmp_path, env=world, capture_output=True
    )
    assert run().returncode == 0
    assert (tmp_path / "a site/index.html").is_file()


def test_workflow_watches_the_main_branch(project: Repository, command: Command) -> None:
    """The workflow names the repository's default branch, if the name needs no quoting."""
    project.git("branch", "--move", "trunk")
    command("init")
    assert workflow()[True]["push"] == {
        "branches": ["trunk"],
        "tags": ["**"],
    }  # YAML takes `on` for true
    assert yaml.safe_load(
        setup(HOSTS["github"], read_templates(), branch="${{ x }}", install="", output="site")
    )[True]["push"] == {"branches": ["main"], "tags": ["**"]}


@pytest.mark.parametrize("host", [*HOSTS])
def test_names_that_a_shell_would_obey_are_in_no_workflow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command, host: str
) -> None:
    """Names of folders, branches, tags and remotes are in no file that a shell reads."""
    folder, branch = "do$(touch ran)cs", "x$(touch${IFS}ran)`touch${IFS}ran`;'\"{{x}}"
    project = Repository(tmp_path / "re$(touch ran)po")
    project.commit(
        {f"{folder}/GLOSSARY.md": "# Glossary\n\n## Leaf\n\nA leaf.\n\n## Tree\n\nA tree.\n"}
    )
    for line in (["branch", "--move", branch], ["tag", "v1$(touch${IFS}ran)"], ["tag", "v1.0"]):
        project.git(*line)
    project.git("remote", "add", "origin", 'https://github.com/o"$(touch${IFS}ran)/r')
    monkeypatch.chdir(project.path)
    assert command("init", "--host", host).status == 0
    written = [
        path
        for path in project.path.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(project.path).parts
    ]
    assert {path.name for path in written if "touch" in path.read_text()} == {"site.toml"}


@pytest.mark.parametrize(
    ("host", "file"),
    [("github", ".github/workflows/glossary.yml"), ("gitlab", ".gitlab-ci.yml"), ("none", "")],
)
def test_host_may_be_named(project: Repository, command: Command, host: str, file: str) -> None:
    """Only the named host's files are written; site.toml does not mention it."""
    result = command("init", "--host", host)
    assert result.status == 0
    written = {
        line[3:] for line in project.git("status", "--short", "--untracked-files=all").splitlines()
    }
    assert written == {"site.toml", ".gitignore", file} - {""}
    assert "host" not in tomllib.loads(Path("site.toml").read_text())["site"]


def test_host_that_is_added_later_publishes_the_output_of_site_toml(
    project: Repository, command: Command
) -> None:
    """The file of a host that is added to a site.toml has the folder that site.toml names."""
    Path("site.toml").write_text('[site]\noutput = "public"\n')
    assert command("init", "--host", "netlify").status == 0
    assert tomllib.loads(Path("netlify.toml").read_text())["build"]["publish"] == "public"


def test_gitlab_builds_into_public(project: Repository, command: Command) -> None:
    """GitLab's job `pages` builds into `public` from the whole history."""
    command("init", "--host", "gitlab")
    job = yaml.safe_load(Path(".gitlab-ci.yml").read_text())["pages"]
    assert job["artifacts"] == {"paths": ["public"]}
    assert job["variables"] == {"GIT_DEPTH": "0"}
    assert (
        job["script"][-1] == 'sitegen build --ledger "$CI_PAGES_URL/archive.jsonl" --output public'
    )


def test_netlify_builds_into_site(project: Repository, command: Command) -> None:
    """netlify.toml has the build command, and the site has the files that Netlify reads."""
    command("init", "--host", "netlify")
    build = tomllib.loads(Path("netlify.toml").read_text())["build"]
    assert build["publish"] == "site"
    assert build["command"].endswith('sitegen build --ledger "$URL/archive.jsonl"\n')
    assert tomllib.loads(Path("site.toml").read_text())["site"]["host"] == "netlify"
    command("build")
    assert Path("site/_headers").is_file()


def test_a_quiet_build_says_nothing_of_a_site_toml(project: Repository, command: Command) -> None:
    """Without a site.toml a build says what it reads, unless it is quiet."""
    assert "no site.toml here; `sitegen init` would write one for:" in command("build").err
    quiet = command("build", "--quiet")
    assert (quiet.status, quiet.out, quiet.err) == (0, "", "")


def test_cloudflare_is_told_on_its_own_pages(project: Repository, command: Command) -> None:
    """No file is written for Cloudflare's build service; the values to enter there are printed."""
    result = command("init", "--host", "cloudflare")
    assert f"{installation().command} && sitegen build" in result.out
    assert tomllib.loads(Path("site.toml").read_text())["site"]["host"] == "cloudflare"


def test_what_is_there_is_kept(project: Repository, command: Command) -> None:
    """An existing workflow is not overwritten, and a host can be added to an existing site.toml."""
    place = Path(".github/workflows/glossary.yml")
    write(Path(), {str(place): "name: mine\n"})
    assert f"{place}: is there already, and was not changed" in command("init").out
    assert place.read_text() == "name: mine\n"
    place.unlink()
    before = Path("site.toml").read_bytes()
    nothing = command("init", "--host", "none")
    assert (nothing.status, nothing.out) == (0, "nothing to set up for the host none\n")
    assert command("init", "--host", "github").status == 0
    assert "Glossary" in place.read_text()
    assert Path("site.toml").read_bytes() == before


@pytest.mark.parametrize(
    ("remote", "host", "where"),
    [
        ("git@github.com:Ada/Words.git", "github", "https://ada.github.io/Words/"),
        ("https://github.com/ada/ada.github.io", "github", "https://ada.github.io/"),
        ("https://gitlab.com/ada/words.git", "gitlab", ""),
        ("https://gitlab.example.org/ada/words.git", "gitlab", ""),
        ("https://codeberg.org/ada/words.git", "none", ""),
        ("/srv/git/words.git", "github", ""),
    ],
)
def test_host_goes_with_the_remote(remote: str, host: str, where: str) -> None:
    """The default host is the forge's own, with the project's usual address where that is
    certain."""
    web = web_of(remote)
    assert (default_host(web).name, default_address(default_host(web), web)) == (host, where)


@pytest.mark.parametrize(
    ("host", "file", "lines"),
    [
        (
            "gitlab",
            ".gitlab-ci.yml",
            [
                "    - sitegen build --output public/glossary --ledger "
                '"$CI_PAGES_URL/glossary/archive.jsonl"'
            ],
        ),
        (
            "netlify",
            "netlify.toml",
            ['    - sitegen build --output FOLDER/glossary --ledger "$URL/'],
        ),
        (
            "readthedocs",
            ".readthedocs.yaml",
            ["    - sitegen build --output $READTHEDOCS_OUTPUT/html/glossary"],
        ),
    ],
)
def test_lines_to_add_are_said(
    project: Repository, command: Command, host: str, file: str, lines: list[str]
) -> None:
    """An existing file of a host is kept, and the lines to add are printed."""
    write(Path(), {file: "# mine\n"})
    result = command("init", "--host", host).out
    assert Path(file).read_text() == "# mine\n"
    assert all(line in result for line in lines)


def test_live_site_is_not_replaced(project: Repository, command: Command) -> None:
    """If a workflow or branch publishes a site already, no workflow is written, and the next step
    is printed."""
    write(
        Path(),
        {".github/workflows/docs.yml": "jobs: {a: {steps: [{uses: actions/deploy-pages@v4}]}}\n"},
    )
    result = command("init", "--host", "github").out
    assert ".github/workflows/docs.yml: publishes a site on GitHub Pages already" in result
    assert (
        "        sitegen build --output FOLDER/glossary --ledger ADDRESS/archive.jsonl\n" in result
    )
    assert "choose GitHub Actions" not in result
    lines = "add the lines above to what publishes the site"
    assert f"  {lines}: without them, a push publishes no glossary\n" in result
    assert not Path(".github/workflows/glossary.yml").exists()
    Path(".github/workflows/docs.yml").unlink()
    project.git("branch", "gh-pages")
    assert "gh-pages: holds a site already" in command("init", "--host", "github").out
    assert not Path(".github/workflows/glossary.yml").exists()


LINES = "/site/\n/.site.new-*/\n"


@pytest.mark.parametrize(
    ("before", "after"), [("", LINES), ("*.o", f"*.o\n{LINES}"), ("site/\n", "site/\n")]
)
def test_built_site_is_ignored(
    project: Repository, command: Command, before: str, after: str
) -> None:
    """`init` adds the site's folder to .gitignore, unless it is there."""
    if before:
        Path(".gitignore").write_text(before)
    command("init")
    assert Path(".gitignore").read_text() == after


def test_a_gitignore_that_cannot_be_read_is_named(project: Repository, command: Command) -> None:
    """A folder called .gitignore is said to be unreadable, and not that it cannot be written."""
    Path(".gitignore").mkdir()
    result = command("init")
    assert (result.status, result.err.partition(": ")[2].partition(":")[0]) == (2, "cannot be read")


# What the site has for its host.


def test_headers_are_for_every_page(command: Command) -> None:
    """The headers are below the pattern for all pages."""
    write(
        Path("words"),
        {**FILES, "site.toml": FILES["site.toml"].replace("[site]", '[site]\nhost = "netlify"')},
    )
    command("build", "words")
    first, *others = Path("site/_headers").read_text().splitlines()
    assert first == "/*"
    assert dict(line.strip().split(": ", 1) for line in others) == exports.HEADERS


def test_other_hosts_get_no_files_of_their_own(command: Command) -> None:
    """Without a host that reads them, a site has no such file."""
    for host in ("", '\nhost = "gitlab"'):
        write(
            Path("words"),
            {**FILES, "site.toml": FILES["site.toml"].replace("[site]", f"[site]{host}")},
        )
        command("build", "words")
        assert not Path("site/_headers").exists()


def test_unknown_host_is_a_mistake(command: Command) -> None:
    """An unknown host is a mistake, with the nearest known name."""
    write(Path("words"), {**FILES, "site.toml": '[site]\nhost = "netlfy"\n'})
    assert (
        "words/site.toml:2: unknown host 'netlfy'; did you mean 'netlify'? (site.host)"
        in command("build", "words").err
    )
