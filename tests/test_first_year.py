"""Three newcomers publish a glossary: from the wheel in an empty environment to a renamed term."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest
from loaded_program import sitegen
from newcomer import Person, environment_in, eventually, pull_request, run_workflow, shows, wheel_of

TERMS = {
    "Kernel": "A function that runs on a device.",
    "Tensor": "A grid of numbers.",
    "Device": "What runs a kernel.",
    "Stream": "A queue of work.",
}
SPHINX = ".. glossary::\n\n" + "".join(
    f"   {name}\n      {text}\n\n" for name, text in TERMS.items()
)
MYST = (
    "# Glossary\n\n```{glossary}\n"
    + "\n".join(f"{name}\n  {text}\n" for name, text in TERMS.items())
    + "```\n"
)
DOCUSAURUS = "---\nid: glossary\n---\n\n# Glossary\n" + "".join(
    f"\n## {name}\n\n{text}\n" for name, text in TERMS.items()
)
TERM = "---\ntitle: {name}\n---\n\n{text}\n"


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(tmp_path_factory.mktemp("wheels")).parent


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Path:
    """The programs of an environment into which pip has installed the wheel, by its name."""
    programs = environment_in(tmp_path_factory.mktemp("env") / "env")
    someone = Person(folder=programs.parent, programs=programs, wheels=wheels)
    assert someone("command -v sitegen || echo none").out == "none\n"
    someone("python -m pip install -q sitegen-glossary")
    return programs


@pytest.fixture(scope="session")
def loaded_programs(tmp_path_factory: pytest.TempPathFactory, programs: Path) -> Path:
    """The same programs, but sitegen is loaded once."""
    folder = tmp_path_factory.mktemp("loaded")
    (folder / "gh").symlink_to(programs / "gh")
    sitegen(folder, python=programs / "python", root=None)
    return folder


@pytest.fixture
def person(tmp_path: Path, loaded_programs: Path, wheels: Path) -> Person:
    """Someone in an empty repository, who has installed the wheel."""
    (tmp_path / "project").mkdir()
    person = Person(folder=tmp_path / "project", programs=loaded_programs, wheels=wheels)
    person("git init -q -b main .")
    return person


@pytest.fixture
def forge(tmp_path: Path, person: Person) -> Path:
    """A bare repository that is the project's origin."""
    remote = tmp_path / "forge.git"
    person(f"git init -q --bare -b main {remote} && git remote add origin {remote}")
    return remote


@dataclass(frozen=True, kw_only=True)
class FirstYear:
    """What one person does between `init` and a renamed term.

    Only the first test takes every step. The others take those in which their project differs.
    """

    person: Person
    forge: Path
    glossary: str
    """The file with the definition of “Tensor”."""
    other: str
    """The file with the name “Stream”."""
    publish: str = "sitegen publish"

    def set_up(self, *, releases: str) -> None:
        """From `init` to a first build that is committed and pushed, with an id that is corrected
        before."""
        result = self.person("sitegen init --host github")
        assert "nothing is promised yet" in result.out
        self.person.edit(
            "site.toml", "[site]\n", '[site]\nbase_url = "https://ada.example.org/words/"\n'
        )
        assert releases in self.person("sitegen build").out
        text = (self.person.folder / "site.toml").read_text(encoding="utf-8")
        [id] = re.findall(r'^id = "(.*)"$', text, re.M)
        self.person.edit("site.toml", f'id = "{id}"', 'id = "words"')
        self.person("sitegen build")  # what was never published binds nothing
        self.person(
            "git add -A && git commit -qm 'Publish the glossary' && git push -q origin main --tags"
        )

    def edit_under_serve(self) -> None:
        """A saved word is on its page, and is not kept."""
        before = (self.person.folder / self.glossary).read_text(encoding="utf-8")
        with self.person.serving() as address:
            assert eventually(lambda: shows(f"{address}term/tensor/", "grid"))
            self.person.edit(self.glossary, "A grid of numbers.", "A rectangular grid of numbers.")
            assert eventually(lambda: shows(f"{address}term/tensor/", "rectangular"))
        (self.person.folder / self.glossary).write_text(before, encoding="utf-8")

    def change_published_id(self) -> None:
        """An id that changed after publication keeps its addresses."""
        self.person.edit("site.toml", 'id = "words"', 'id = "terms"')
        self.person("sitegen build && git commit -qam 'Correct the id' && git push -q origin main")

    def publish_from_second_clone(self, place: Path, *, tag: str) -> Person:
        """A second clone rewords a term, releases it and publishes; the first one takes that in."""
        second = self.person.at(place)
        self.person(f"git clone -q {self.forge} {second.folder}")
        second.edit(self.other, "A queue of work.", "A queue of kernels.")
        second(f"git commit -qam reword && git tag {tag}")
        second("sitegen build && git commit -qam Archive")
        second(f"git push -q origin main {tag}")
        assert "commit" in second(self.publish).out
        self.person(self.publish)  # the tag is not here yet
        assert "promise nothing new" in self.person("sitegen addresses").out
        self.person("git pull -q --tags origin main && sitegen build")
        self.person(self.publish)
        assert "promise nothing new" in self.person("sitegen addresses").out
        return second

    def tag_on_server(self, runner: Path, *, tag: str, release: str) -> None:
        """A tag that is made on the forge is published by the workflow, which keeps the addresses
        there."""
        self.person(f"git -C {self.forge} tag {tag} main")
        site = run_workflow(self.person, self.forge, runner, event="workflow_dispatch", ref="main")
        assert site is not None
        assert (site / f"release/{release}/index.html").is_file()
        assert (
            f'"{release}"'
            in self.person(f"git -C {self.forge} show sitegen-ledger:archive.jsonl").out
        )

    def pull_request_from_fork(self, contributor: Person, runner: Path) -> None:
        """A pull request from a fork rewords a term and adds one; the workflow says so and does not
        fail."""
        fork = runner.parent / "fork.git"
        contributor(f"git clone -q --bare {self.forge} {fork} && git checkout -q -b topic")
        contributor.edit(self.other, "A queue of kernels.", "A line of kernels.")
        contributor(f"git commit -qam topic && git push -q {fork} topic")
        ref = pull_request(self.person, self.forge, fork, "topic")
        assert run_workflow(self.person, self.forge, runner, event="pull_request", ref=ref) is None
        assert "1 term reworded" in (runner.parent / "summary.md").read_text(encoding="utf-8")

    def rename_term(self, *, tag: str) -> None:
        """A term has another name in the next release: the suggested lines make one term of the
        two."""
        self.person("git pull -q --tags origin main")
        self.person.edit(self.other, "Stream", "Queue")
        self.person(f"git commit -qam rename && git tag {tag}")
        found = self.person("sitegen check --advisory").out
        _, is_suggested, after = found.partition("if they are one, paste into site.toml:\n")
        if is_suggested:
            table = dedent(after.partition("\n      and if")[0])
            with (self.person.folder / "site.toml").open("a", encoding="utf-8") as file:
                file.write(f"\n{table}\n")
        self.person("sitegen build && git commit -qam rename && git push -q origin main --tags")
        assert "term/queue" in (self.person.folder / "site/term/stream/index.html").read_text(
            encoding="utf-8"
        )
        self.person(self.publish)


def test_sphinx_project_that_moved_to_myst(person: Person, forge: Path, tmp_path: Path) -> None:
    """Five tags and two formats, from the first `init` to a renamed term."""
    for minor in range(3):
        person.write(
            {"docs/glossary.rst": SPHINX.replace("numbers.", f"numbers.{' Typed.' * minor}")}
        )
        person(f"git add -A && git commit -qm {minor} && git tag v1.{minor}")
    (person.folder / "docs/glossary.rst").unlink()
    person.write({"docs/glossary.md": MYST})
    person(
        "git add -A && git commit -qm myst && git tag v2.0 && git commit -q --allow-empty -m x "
        "&& git tag v2.1"
    )
    year = FirstYear(
        person=person, forge=forge, glossary="docs/glossary.md", other="docs/glossary.md"
    )
    year.set_up(releases="5 releases")
    year.edit_under_serve()
    assert "commit" in person("sitegen publish").out
    assert "unchanged" in person("sitegen publish").out
    year.change_published_id()
    second = year.publish_from_second_clone(tmp_path / "second", tag="v2.2")
    year.tag_on_server(tmp_path / "runner", tag="v2.2.1", release="2.2.1")
    year.pull_request_from_fork(second, tmp_path / "runner")
    year.rename_term(tag="v2.3")


def test_docusaurus_project(person: Person, forge: Path, tmp_path: Path) -> None:
    """A glossary among the docs of Docusaurus: its old ids lead on, also from the site that its
    workflow builds."""
    person.write(
        {
            "docs/glossary.md": DOCUSAURUS,
            "docusaurus.config.js": "export default {};\n",
            "package.json": "{}\n",
        }
    )
    person("git add -A && git commit -qm 1 && git tag v1.0.0")
    person.edit("docs/glossary.md", "A grid of numbers.", "A grid of numbers. All have one type.")
    person("git commit -qam 2 && git tag v1.1.0")
    year = FirstYear(
        person=person, forge=forge, glossary="docs/glossary.md", other="docs/glossary.md"
    )
    year.set_up(releases="2 releases")
    with (person.folder / "site.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[redirect]]\nfrom = "docs/glossary/"\n')
    person("sitegen build && git add -A && git commit -qm redirect && git push -q origin main")
    site = run_workflow(person, forge, tmp_path / "runner", event="push", ref="main")
    assert site is not None
    assert 'id="tensor"' in (site / "docs/glossary/index.html").read_text(encoding="utf-8")
    assert "commit" in person("sitegen publish").out


def test_one_file_for_each_term_and_no_tag(person: Person, forge: Path, tmp_path: Path) -> None:
    """Without a release there is a site all the same. A branch with other files is left alone, and
    another one is published."""
    person.write(
        {
            "glossary/kernel.md": TERM.format(
                name="Kernel", text="A function that runs on a device."
            ),
            "glossary/tensor.md": TERM.format(name="Tensor", text="A grid of numbers."),
            "glossary/stream.md": TERM.format(name="Stream", text="A queue of work."),
        }
    )
    person("git add -A && git commit -qm 1")
    publish = "sitegen publish --branch words"
    year = FirstYear(
        person=person,
        forge=forge,
        glossary="glossary/tensor.md",
        other="glossary/stream.md",
        publish=publish,
    )
    year.set_up(releases="3 terms")
    person(
        "git checkout -q --orphan gh-pages && git rm -rfq . && echo docs > index.html && git add "
        "index.html"
    )
    person("git commit -qm docs && git push -q origin gh-pages && git checkout -qf main")
    refused = person("sitegen publish", fails=True)
    assert "name another --branch" in refused.err
    assert "branch words: " in person(publish).out
    assert person("git fetch -q origin && git show origin/gh-pages:index.html").out == "docs\n"
    # The site has its history by day, as `init` found no tag, and is built the same with one.
    day = person("git log -1 --format=%cs -- glossary").out.strip()
    year.tag_on_server(tmp_path / "runner", tag="v1.1", release=day)
    year.rename_term(tag="v1.2")
    person("sitegen link Kernel --markdown")
