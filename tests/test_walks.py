"""Three walks to a published glossary: from the wheel in an empty environment to a renamed term."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from walks import Person, environment_in, eventually, run_workflow, shows, wheel_of

TERMS = {
    "Kernel": "A function that runs on a device.",
    "Tensor": "A grid of numbers.",
    "Device": "What runs a kernel.",
    "Stream": "A queue of work.",
}
SPHINX = ".. glossary::\n\n" + "".join(f"   {name}\n      {text}\n\n" for name, text in TERMS.items())
MYST = "# Glossary\n\n```{glossary}\n" + "\n".join(f"{name}\n  {text}\n" for name, text in TERMS.items()) + "```\n"
DOCUSAURUS = "---\nid: glossary\n---\n\n# Glossary\n" + "".join(
    f"\n## {name}\n\n{text}\n" for name, text in TERMS.items()
)
TERM = "---\ntitle: {name}\n---\n\n{text}\n"


pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(tmp_path_factory.mktemp("wheels")).parent


@pytest.fixture
def person(tmp_path: Path, wheels: Path) -> Person:
    """Returns an empty folder with an environment in which the wheel is installed."""
    (tmp_path / "project").mkdir()
    person = Person(folder=tmp_path / "project", programs=environment_in(tmp_path / "env"), wheels=wheels)
    assert person("command -v sitegen || echo none").out == "none\n"
    [wheel] = wheels.glob("*.whl")
    person(f"python -m pip install -q {wheel}")
    person("git init -q -b main .")
    return person


@pytest.fixture
def forge(tmp_path: Path, person: Person) -> Path:
    """A bare repository that is the project's origin."""
    remote = tmp_path / "forge.git"
    person(f"git init -q --bare -b main {remote} && git remote add origin {remote}")
    return remote


def set_up(person: Person, *, base_url: str = "https://ada.example.org/words/") -> None:
    """From `init` to a first build that is committed and pushed."""
    said = person("sitegen init --host github")
    assert "sitegen build" in said.out
    text = (person.folder / "site.toml").read_text(encoding="utf-8")
    if "base_url" not in text:
        person.edit("site.toml", "[site]\n", f'[site]\nbase_url = "{base_url}"\n')
    person("sitegen build")
    person("git add -A && git commit -qm 'Publish the glossary' && git push -q origin main --tags")


def edit_under_serve(person: Person, name: str, page: str) -> None:
    """A saved word is on its page, and is not kept."""
    before = (person.folder / name).read_text(encoding="utf-8")
    with person.serving() as address:
        assert eventually(lambda: shows(f"{address}{page}", "grid"))
        person.edit(name, "A grid of numbers.", "A rectangular grid of numbers.")
        assert eventually(lambda: shows(f"{address}{page}", "rectangular"))
    (person.folder / name).write_text(before, encoding="utf-8")


def test_sphinx_project_that_moved_to_myst(person: Person, forge: Path, tmp_path: Path) -> None:
    """Five tags and two formats: published from two clones, with a later tag, a fork's change and a renamed term."""
    for minor in range(3):
        person.write({"docs/glossary.rst": SPHINX.replace("numbers.", f"numbers.{' Typed.' * minor}")})
        person(f"git add -A && git commit -qm {minor} && git tag v1.{minor}")
    (person.folder / "docs/glossary.rst").unlink()
    person.write({"docs/glossary.md": MYST})
    person("git add -A && git commit -qm myst && git tag v2.0 && git commit -q --allow-empty -m x && git tag v2.1")
    set_up(person)
    assert "5 releases" in person("sitegen build").out
    edit_under_serve(person, "docs/glossary.md", "term/tensor/")

    person("sitegen publish --dry-run")
    assert "commit" in person("sitegen publish").out
    assert "unchanged" in person("sitegen publish").out

    # A second clone reworks a term, releases it, and publishes.
    other = person.at(tmp_path / "other")
    person(f"git clone -q {forge} {other.folder}")
    other.edit("docs/glossary.md", "A queue of work.", "A queue of kernels.")
    other("git commit -qam reword && git tag v2.2 && sitegen build && git commit -qam Ledger")
    other("git push -q origin main v2.2")
    assert "1 term reworded in 2.2" in other("sitegen publish").out
    assert "git pull" in person("sitegen publish", fails=True).err
    person("git pull -q --tags origin main && sitegen build")
    assert "unchanged" in person("sitegen publish").out

    # A tag that is made on the server is published without anyone's machine, and its addresses are kept there.
    person(f"git -C {forge} tag v2.2.1 main")
    site = run_workflow(person, forge, tmp_path / "runner", event="workflow_dispatch", ref="main")
    assert site is not None
    assert (site / "release/2.2.1/index.html").is_file()
    assert '"/release/2.2.1/"' in person(f"git -C {forge} show sitegen-ledger:permalinks.json").out

    # A fork's pull request rewords a term, and says so.
    other("git checkout -q -b topic")
    other.edit("docs/glossary.md", "A queue of kernels.", "A line of kernels.")
    other("git commit -qam topic && git push -q origin topic")
    assert run_workflow(person, forge, tmp_path / "runner", event="pull_request", ref="origin/topic") is None
    assert "1 term reworded" in (tmp_path / "summary.md").read_text(encoding="utf-8")

    # A term is renamed in the next release, and its old address leads on.
    person.edit("docs/glossary.md", "Stream\n", "Queue\n")
    person("git commit -qam rename && git tag v2.3")
    person("sitegen build")
    assert (person.folder / "site/term/stream/index.html").is_file()
    assert (person.folder / "site/term/queue/index.html").is_file()


def test_docusaurus_project(person: Person, forge: Path, tmp_path: Path) -> None:
    """A glossary among the docs of Docusaurus: its old ids lead on, and its workflow runs from a clean machine."""
    person.write(
        {"docs/glossary.md": DOCUSAURUS, "docusaurus.config.js": "export default {};\n", "package.json": "{}\n"}
    )
    person("git add -A && git commit -qm 1 && git tag v1.0.0")
    person.edit("docs/glossary.md", "A grid of numbers.", "A grid of numbers of one type.")
    person("git commit -qam 2 && git tag v1.1.0")
    set_up(person)
    with (person.folder / "site.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[redirect]]\nfrom = "docs/glossary/"\n')
    person("sitegen build && git add -A && git commit -qm redirect && git push -q origin main")
    assert 'id="tensor"' in (person.folder / "site/docs/glossary/index.html").read_text(encoding="utf-8")
    [wheel] = person.wheels.glob("*.whl")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert f"--hash=sha256:{digest}" in (person.folder / ".github/workflows/glossary.yml").read_text(encoding="utf-8")

    clean = Person(folder=tmp_path, programs=environment_in(tmp_path / "clean"), wheels=person.wheels)
    site = run_workflow(clean, forge, tmp_path / "runner", event="push", ref="main")
    assert site is not None
    assert (site / "term/kernel/index.html").is_file()


def test_one_file_for_each_term_and_no_tag(person: Person, forge: Path) -> None:
    """Without a release there is a site all the same, published below a folder of a branch with other files."""
    person.write(
        {
            "glossary/kernel.md": TERM.format(name="Kernel", text="A function that runs on a device."),
            "glossary/tensor.md": TERM.format(name="Tensor", text="A grid of numbers."),
            "glossary/stream.md": TERM.format(name="Stream", text="A queue of work."),
        }
    )
    person("git add -A && git commit -qm 1")
    set_up(person)
    edit_under_serve(person, "glossary/tensor.md", "term/tensor/")
    person("git checkout -q --orphan gh-pages && git rm -rfq . && echo docs > index.html && git add index.html")
    person("git commit -qm docs && git push -q origin gh-pages && git checkout -qf main")
    assert "--prefix" in person("sitegen publish", fails=True).err
    assert "folder words/" in person("sitegen publish --prefix words").out
    assert person("git fetch -q origin && git show origin/gh-pages:index.html").out == "docs\n"
    person("sitegen check --site site")
    person("sitegen link Kernel --markdown")
