"""Glossaries in git, from the command line to the site."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import date
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from commands import Command
from conftest import ROOT
from repositories import PLACES, SIXTY_CHANGES, Repository, configure, sixty_releases
from servers import Silent, started

from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config

ONE = "# Glossary\n\n## ATen\n\nA library.\n\n## Kernel\n\nA loop.\n"
TWO = ONE.replace("A library", "The tensor library of PyTorch")
DANGLING = (
    ".. glossary::\n\n   ATen\n      A library for :term:`tensors`.\n\n   Kernel\n      A loop.\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    """A repository with two releases of a glossary, `project`, beside which commands are given."""
    repository = Repository(tmp_path / "project")
    repository.release("v1.0", ONE, day=date(2020, 1, 1))
    repository.release("v1.1", TWO, day=date(2021, 1, 1))
    return repository


def data(site: Path = Path("site")) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((site / "glossary.json").read_text(encoding="utf-8"))
    return result


def page(address: str) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(
        Path("site", address, "index.html").read_text(encoding="utf-8")
    )


def reported(address: str, name: str) -> str:
    """Returns the text of the first element with a class on a page."""
    return " ".join(page(address).find_class(name)[0].text_content().split())


def releases() -> list[str]:
    return [release["name"] for source in data()["sources"] for release in source["releases"]]


# A repository that the command line names


def test_sixty_releases_come_out_as_they_were_scripted(command: Command, tmp_path: Path) -> None:
    """A file that moves and changes its format twice, over sixty tags of all kinds, has the
    scripted history."""
    sixty_releases(Repository(tmp_path / "project"))
    paths = [part for path, _ in reversed(PLACES) for part in ("--path", path)]
    outcome = command("build", "--git", "project", *paths)
    assert outcome.status == 0
    assert "4 terms, 60 releases, 3 changes" in outcome.out
    assert [
        (term["name"], change["kind"], change["release"], change["citation"]["path"])
        for term in data()["terms"]
        for change in term["history"]
    ] == list(SIXTY_CHANGES)
    assert (
        "project: one release after the first with the glossary has no docs/source/" in outcome.err
    )
    assert reported("term/tree", "term-status") == (
        "Never reworded · in the glossary since 0.0 or earlier"
    )
    assert "5.0 could not be read" in reported("term/tree", "term")


def test_terms_of_a_glossary_that_is_gone_say_so(command: Command, tmp_path: Path) -> None:
    """A term whose glossary is in none of the newest releases names them."""
    repository = Repository(tmp_path / "project")
    repository.commit({"GLOSSARY.md": ONE})
    repository.git("tag", "1.0")
    repository.commit({"GLOSSARY.md": None})
    repository.git("tag", "2.0")
    repository.commit({"NEWS.md": "New."})
    repository.git("tag", "2.1")
    assert command("build", "--git", "project", "--path", "GLOSSARY.md").status == 0
    assert reported("term/kernel", "term-status").endswith(" · 2.0 and 2.1 could not be read")


def test_a_site_is_called_what_its_repository_is(command: Command, project: Repository) -> None:
    """Title and source have the name of the repository's remote, or else of its folder."""
    command("build", "--git", "project", "--path", "GLOSSARY.md")
    assert (data()["title"], data()["sources"][0]["title"]) == ("project", "project")
    project.git("remote", "add", "origin", "https://example.org/teams/Words.git")
    command("build", "--git", "project", "--path", "GLOSSARY.md", "--no-ledger", "-o", "other")
    assert (data(Path("other"))["title"], data(Path("other"))["sources"][0]["id"]) == (
        "Words",
        "words",
    )


def test_a_trial_leaves_the_archive_of_the_current_folder_alone(
    command: Command, project: Repository
) -> None:
    """With --git, the archive beside a site.toml is neither read nor written: it is that of another
    glossary."""
    configure(Path(), 'git = "."', 'paths = "words.md"')
    archive = Path("archive.jsonl")
    archive.write_bytes(b"the words of another glossary\n")
    outcome = command("build", "--git", "project", "--path", "GLOSSARY.md")
    assert outcome.status == 0
    assert "an archive is kept only with --ledger FILE" in outcome.out
    assert archive.read_bytes() == b"the words of another glossary\n"
    served = partial(Silent, directory=Path("project"))  # it has no archive
    with started(ThreadingHTTPServer(("127.0.0.1", 0), served)) as address:
        place = f"{address}/archive.jsonl"
        outcome = command("build", "--git", "project", "--path", "GLOSSARY.md", "--ledger", place)
    assert outcome.status == 0, outcome.err
    assert archive.read_bytes() == b"the words of another glossary\n"


def test_tags_that_are_no_releases_are_told_with_the_reason(
    command: Command, tmp_path: Path
) -> None:
    """The about page counts releases without the glossary, pre-releases, and tags excluded or of
    other families."""
    repository = Repository(tmp_path / "project")
    repository.commit({"README.md": "Nothing to see."})
    repository.git("tag", "v0.9")
    repository.release("v1.0", ONE)
    for tag in ("v1.1rc1", "v1.1-docs", "nightly", "v1.1"):
        repository.release(tag, TWO)
    configure(
        tmp_path / "words", 'git = "../project"', 'paths = ["GLOSSARY.md"]', 'exclude = ["*-docs"]'
    )
    assert command("build", "words").status == 0
    [reported] = page("about").find_class("about")[0].iter("ul")
    assert [" ".join(line.text_content().split()) for line in reported] == [
        "1 release without a glossary (0.9)",
        "1 pre-release (v1.1rc1)",
        "1 tag excluded by this site's editors (v1.1-docs)",
        "1 tag that moves or repeats a release (nightly)",
    ]


NO_REPOSITORY = "no git repository here; name the folder of one, or make one with `git init`"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--path", "GLOSSARY.md"], "--path goes with --git, which names a repository"),
        (
            ["project", "--git", "project", "--path", "x"],
            "project: with --git no folder is read; leave it out",
        ),
        (
            ["--git", "project", "--path", "../x"],
            "project: the repository has no ../x with terms in it; name a file or folder that its "
            "branch has",
        ),
        (
            ["--git", "nowhere", "--path", "x"],
            f"nowhere: {NO_REPOSITORY}",
        ),
        (
            ["--git", "words-1.0.tgz", "--path", "x"],
            "words-1.0.tgz: this is an archive, which is not read; unpack it into a folder named "
            "after its release",
        ),
        (
            ["--git", "project", "--path", "x.md"],
            "project: the repository has no x.md with terms in it; name a file or folder that its "
            "branch has",
        ),
    ],
)
def test_mistakes_are_told(
    command: Command, project: Repository, arguments: list[str], line: str
) -> None:
    """A mistaken or missing place is a line on standard error, and status 2."""
    Path("words-1.0.tgz").touch()
    outcome = command("build", *arguments)
    assert (outcome.status, outcome.err.splitlines()[0]) == (2, line)


def test_a_file_that_is_not_read_is_not_missing(command: Command, tmp_path: Path) -> None:
    """Of a glossary that is in a release, and in a format that is not read, nothing says that no
    release has it."""
    repository = Repository(tmp_path / "project")
    for tag, name in (("v1.0", "README.md"), ("v2.0", "words.docx")):
        repository.commit({name: "A text."})
        repository.git("tag", tag)
    configure(tmp_path / "words", 'git = "../project"', 'paths = ["words.docx"]')
    assert command("build", "words").err.splitlines() == [
        "v2.0:words.docx: this is a word processor's file, which is not read; export it as HTML",
    ]


def test_this_project_is_a_repository_too(command: Command, tmp_path: Path) -> None:
    """A glossary of this project, kept in git without tags, has the history of its folders."""
    place = "content/pytorch/2.9.0/docs/source/glossary.rst"
    repository = Repository(tmp_path / "vocabulary")
    shutil.copytree(ROOT / "content", repository.path / "content")
    repository.commit({})
    outcome = command("build", "--git", "vocabulary", "--path", place, "--strict")
    assert outcome.status == 0
    assert len(data()["terms"]) > 50
    assert (releases()[0], releases()[-1]) == ("2.0.0", "2.9.0")
    assert not data()["sources"][0]["releases"][0]["unreleased"]


def test_hundreds_of_tags_take_a_handful_of_processes(
    command: Command, project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finding and reading 250 tags starts git as often as reading one."""
    tree = project.git("rev-parse", "HEAD^{tree}")
    commit = project.git("rev-parse", "HEAD")
    lines = ""
    for number in range(250):
        commit = project.git(
            "commit-tree", tree, "-p", commit, "-m", "Another release", day=date(2021, 1, 2)
        )
        lines += f"create refs/tags/v1.{number + 2} {commit}\n"
    project.git("update-ref", "--stdin", given=lines.encode())
    started: list[object] = []
    start = subprocess.Popen.__init__

    def counting(self: subprocess.Popen[bytes], *arguments: Any, **options: Any) -> None:
        started.append(arguments)
        start(self, *arguments, **options)

    monkeypatch.setattr(subprocess.Popen, "__init__", counting)
    outcome = command("build", "--git", "project", "--path", "GLOSSARY.md", "--no-ledger")
    assert "2 terms, 252 releases, 1 change, 0 problems" in outcome.out
    assert len(started) < 40


# A repository that site.toml names


def test_a_repository_may_stand_beside_the_configuration(
    command: Command, project: Repository
) -> None:
    """Places in a repository are shown in git's notation, those of settings by their table, and
    those of files relative to the current folder."""
    project.commit({"docs/g.rst": DANGLING})
    project.git("tag", "v2.0")
    configure(
        Path("content"),
        'git = "../project"',
        'paths = ["docs/g.rst", "GLOSSARY.md"]',
        'tags = ["v*", "x*"]',
    )
    outcome = command("build")
    assert outcome.status == 0
    assert outcome.err.splitlines() == [
        "content/site.toml:2: no tag matches 'x*'; the repository has 3 tags (v1.0, v1.1, v2.0)",
        "v2.0:docs/g.rst:3: refers to “tensors”, which no source defines; write the name of a "
        "term as it is defined",
    ]
    assert "/project" not in Path("site/about/index.html").read_text(encoding="utf-8").replace(
        "../project", ""
    )


def test_what_site_toml_says_of_a_release_wins(command: Command, project: Repository) -> None:
    """Dates and links of [[release]] tables override those of tags, and their order is kept."""
    project.release("v0.9", ONE)
    more = '[[release]]\nname = "1.1"\ndate = 2019-05-06\nlink = "https://example.org/1.1"\n'
    more += '[[release]]\nname = "0.9"\n[[release]]\nname = "1.0"\n'
    configure(
        Path("content"),
        'git = "../project"',
        'paths = "GLOSSARY.md"',
        more=more,
    )
    assert command("build", "--strict").status == 0
    assert releases() == ["1.1", "0.9", "1.0"]
    assert page("release/1.1").xpath("//time/@datetime")[0] == "2019-05-06"
    assert "https://example.org/1.1" in page("release/1.1").xpath("//main//a/@href")
    assert page("release/1.0").xpath("//time/@datetime")[0] == "2020-01-01"


def test_format_section_and_encoding_are_those_of_the_source(
    command: Command, project: Repository
) -> None:
    """A section of a larger file is read in the format and the character set that site.toml
    gives."""
    text = (
        "# Manual\n\n## Words\n\n### Größe\n\nWie viel.\n\n### Maß\n\nWomit.\n\n## More\n\n"
        "### Other\n\nNothing.\n"
    )
    (project.path / "MANUAL").write_bytes(text.encode("cp1250"))
    project.commit({})
    project.git("tag", "v2.0")
    configure(
        Path("content"),
        'git = "../project"',
        'paths = "MANUAL"',
        'format = "markdown"',
        'section = "Words"',
        'encoding = "windows-1250"',
    )
    assert command("build", "--strict").status == 0
    assert [term["name"] for term in data()["terms"]] == ["Größe", "Maß"]


def test_a_branch_is_told_to_be_in_no_release(command: Command, project: Repository) -> None:
    """The head of a branch is read after the tags; its changes are marked as unreleased."""
    project.commit({"GLOSSARY.md": TWO.replace("A loop", "The innermost loop")})
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"', 'head = "main"')
    assert command("build", "--strict").status == 0
    assert releases() == ["1.0", "1.1", "main"]
    assert reported("term/kernel", "term-status") == (
        "Reworded in main, not in a release yet · in the glossary since 1.0 or earlier · "
        "see what changed"
    )
    assert reported("release/main", "lead") == "Not in a release yet."
    assert not Path("site/term/kernel/main").exists()


def test_lines_and_releases_are_linked_on_a_known_forge(
    command: Command, project: Repository
) -> None:
    """If the remote is on a known forge, each place links to its line, and each release to its
    page."""
    project.git("remote", "add", "origin", "git@github.com:pytorch/words.git")
    command("build", "--git", "project", "--path", "GLOSSARY.md")
    links = page("term/aten").xpath("//a[starts-with(@href, 'https:')]/@href")
    assert {link for link in links if "/blob/" in link} == {
        "https://github.com/pytorch/words/blob/v1.0/GLOSSARY.md?plain=1#L3",
        "https://github.com/pytorch/words/blob/v1.1/GLOSSARY.md?plain=1#L3",
    }
    notes = "https://github.com/pytorch/words/releases/tag/v1.0"
    assert notes in page("release/1.0").xpath("//main//a/@href")


def test_a_branch_is_linked_by_its_name_and_its_lines_by_the_commit(
    command: Command, project: Repository
) -> None:
    """The page of a branch links to what the branch is now; the lines that were read are those of
    its commit."""
    project.git("remote", "add", "origin", "git@github.com:pytorch/words.git")
    project.commit({"GLOSSARY.md": TWO.replace("A loop", "The innermost loop")})
    commit = project.git("rev-parse", "HEAD").strip()
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"', 'head = "main"')
    command("build")
    branch = "https://github.com/pytorch/words/tree/main"
    assert branch in page("release/main").xpath("//main//a/@href")
    lines = f"https://github.com/pytorch/words/blob/{commit}/GLOSSARY.md"
    assert page("term/kernel").xpath(f"//a[starts-with(@href, '{lines}')]")


@pytest.mark.parametrize(
    "remote", ["javascript:alert(1)", 'https://github.com/o/r"><script>alert(1)</script>']
)
def test_a_hostile_remote_gives_no_link(command: Command, project: Repository, remote: str) -> None:
    """A remote's address that is unusual in any way gives no link, and only the plain name is on
    pages."""
    project.git("remote", "add", "origin", remote)
    command("build", "--git", "project", "--path", "GLOSSARY.md")
    assert page("term/aten").xpath("//a[contains(@href, ':')]/@href") == []
    assert page("term/aten").xpath("//body//script") == []


def test_tags_with_hostile_names_have_pages(command: Command, project: Repository) -> None:
    """Tags that look like options or contain markup are releases if they are selected."""
    for tag in ("--output=x", "<b>bold</b>"):
        project.commit({"NEWS.md": tag})
        project.git("update-ref", f"refs/tags/{tag}", "HEAD")
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"', 'tags = "*"')
    outcome = command("build")
    assert outcome.status == 0
    assert {"--output=x", "<b>bold</b>"} < set(releases())
    assert page("release").xpath("//main//b[text()='bold']") == []
    assert not Path("x").exists()


def test_one_of_two_sources_may_be_unreadable(command: Command, project: Repository) -> None:
    """A missing repository is a problem; the other sources are built."""
    more = '[[source]]\nid = "lost"\ngit = "../nowhere"\npaths = "x.md"\n'
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"', more=more)
    outcome = command("build")
    assert outcome.status == 0
    assert outcome.err == f"content/../nowhere: {NO_REPOSITORY}\n"
    assert "nowhere" in Path("site/about/index.html").read_text(encoding="utf-8")


# Tags that go


def test_a_deleted_tag_stays_a_release(command: Command, project: Repository) -> None:
    """If a tag is deleted its release is shown as it was published, until a [[retired]] table
    withdraws it; its page stays."""
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build").status == 0
    project.release("v1.2", TWO, day=date(2022, 1, 1))
    project.git("tag", "--delete", "v1.1")
    outcome = command("build")
    assert outcome.status == 0
    assert "words are shown; `git fetch --tags` brings tags that this clone lacks" in outcome.out
    assert releases() == ["1.0", "1.1", "1.2"]
    with Path("content/site.toml").open("a") as file:
        file.write('\n[[retired]]\nsource = "words"\nrelease = "1.1"\nreason = "withdrawn"\n')
    assert command("build").status == 0
    assert releases() == ["1.0", "1.2"]
    assert "withdrawn" in Path("site/release/1.1/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("tags", [(), ('tags = "v*"',)])
def test_a_published_prerelease_goes_when_prereleases_are_not_wanted_any_more(
    command: Command, project: Repository, tags: tuple[str, ...]
) -> None:
    """A pre-release is left out once `prereleases` is gone, whatever `tags` says, also if its tag
    is deleted."""
    project.release("v1.2rc1", TWO, day=date(2022, 1, 1))
    keys = ('git = "../project"', 'paths = "GLOSSARY.md"', *tags)
    configure(Path("content"), *keys, "prereleases = true")
    assert command("build").status == 0
    assert releases() == ["1.0", "1.1", "1.2rc1"]
    project.git("tag", "--delete", "v1.2rc1")
    configure(Path("content"), *keys)
    assert command("build").status == 0
    assert releases() == ["1.0", "1.1"]


@pytest.mark.parametrize(
    "keys", ['paths = "GLOSARY.md"', 'paths = "GLOSSARY.md"\ntags = "rel-*"\nhead = "main"']
)
def test_a_pattern_that_finds_nothing_leaves_nothing_out(
    command: Command, project: Repository, keys: str
) -> None:
    """Where `paths` or `tags` find nothing, a build names the mistake, and shows the releases as
    they were published, also beside the unreleased state."""
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build").status == 0
    configure(Path("content"), 'git = "../project"', keys)
    outcome = command("build")
    assert outcome.status == 0
    assert "content/site.toml:" in outcome.err
    assert "1.0 (v1.0), 1.1 (v1.1): not read now; the published words are shown" in outcome.out
    assert {"1.0", "1.1"} <= set(releases())


def test_a_clone_without_tags_shows_the_published_words(
    command: Command, project: Repository
) -> None:
    """Where a clone has no tag that `tags` wants, the message has the command that brings them."""
    wanted = ('git = "../project"', 'paths = "GLOSSARY.md"', 'tags = "v*"')
    configure(Path("content"), *wanted)
    assert command("build").status == 0
    project.git("tag", "--delete", "v1.0", "v1.1")
    outcome = command("build")
    assert "no tag matches 'v*'; this clone has no tags; `git fetch --tags` brings" in outcome.err
    assert releases() == ["1.0", "1.1"]


def test_a_release_is_withdrawn_although_it_can_be_read(
    command: Command, project: Repository
) -> None:
    """A [[retired]] table withdraws a release whose tag is still there; its page says why."""
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    project.release("v1.2", TWO, day=date(2022, 1, 1))
    assert command("build").status == 0
    with Path("content/site.toml").open("a") as file:
        file.write('\n[[retired]]\nsource = "words"\nrelease = "1.1"\nreason = "withdrawn"\n')
    assert command("build").status == 0
    assert releases() == ["1.0", "1.2"]
    assert "withdrawn" in Path("site/release/1.1/index.html").read_text(encoding="utf-8")


def test_a_source_that_is_retired_has_no_release(command: Command, project: Repository) -> None:
    """If [[retired]] names the only source, the error names [[retired]]. Under another id, the
    source is a new one to that table, and goes on."""
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build").status == 0
    text = Path("content/site.toml").read_text()
    retired = '\n[[retired]]\nsource = "words"\nreason = "renamed"\n'
    Path("content/site.toml").write_text(text + retired)
    outcome = command("build")
    assert outcome.status == 2
    assert "content: site.toml leaves out every published release; correct" in outcome.err
    Path("content/site.toml").write_text(text.replace('id = "words"', 'id = "terms"') + retired)
    assert command("build").status == 0
    assert releases() == ["1.0", "1.1"]
    assert command("build", "--locked").status == 0


def test_the_first_tag_changes_no_address(command: Command, tmp_path: Path) -> None:
    """A glossary that was published before its first release keeps its addresses when that release
    rewords it."""
    repository = Repository(tmp_path / "project")
    repository.commit({"GLOSSARY.md": ONE})
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build").status == 0
    assert releases() == ["main"]
    repository.release("v1.0", ONE.replace("A library", "Something else"))
    assert command("build").status == 0
    assert releases() == ["1.0"]
    assert reported("term/aten", "term-status") == "In the glossary since 1.0 or earlier"


# Repositories that are elsewhere


def test_an_address_is_cloned_into_the_cache(
    command: Command, project: Repository, tmp_path: Path
) -> None:
    """A remote repository is cloned into the user's cache folder, updated, and read offline."""
    address = f"file://{project.path}"
    arguments = ("build", "--git", address, "--path", "GLOSSARY.md", "--strict")
    assert command(*arguments).status == 0
    (clone,) = (tmp_path / "cache/sitegen").iterdir()
    assert clone.name.startswith("project-")
    assert not list(tmp_path.glob("cache/**/GLOSSARY.md"))
    assert (data()["title"], releases()) == ("project", ["1.0", "1.1"])
    project.release("v1.2", TWO, day=date(2022, 1, 1))
    assert command(*arguments).status == 0
    assert releases() == ["1.0", "1.1", "1.2"]
    project.path.rename(tmp_path / "gone")
    outcome = command(*arguments)
    assert (outcome.status, releases()) == (1, ["1.0", "1.1", "1.2"])
    assert f"\n{address}: git says: fatal: " in outcome.err


def test_a_cache_that_is_relative_is_not_used(
    command: Command, project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative cache folder is ignored, and `.cache` in the home folder is used."""
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    command("build", "--git", f"file://{project.path}", "--path", "GLOSSARY.md")
    assert len(list((tmp_path / "home/.cache/sitegen").iterdir())) == 1
    assert not Path("relative").exists()


def test_commits_that_change_no_words_are_no_dated_states(tmp_path: Path) -> None:
    """Of a history by date, each state has other words than the one before, in their newest
    formatting."""
    project = Repository(tmp_path / "project")
    marked = ONE.replace("library", "**library**")
    for month, text in [
        (1, ONE),
        (2, marked),
        (3, TWO),
        (4, TWO.replace("\n\n", "\n\n\n")),
        (5, ONE),
        (5, TWO),
        (6, ONE),
    ]:
        project.commit({"GLOSSARY.md": text}, day=date(2020, month, 1))
    configure(project.path, 'git = "."', 'paths = "GLOSSARY.md"', 'by = "month"')
    reader = SourceReader(project.path, clones=Clones(folder=tmp_path))
    [held] = reader.read(read_config(project.path)).sources
    texts = [(document.release, document.text) for document in held.documents]
    # In May the words changed and changed back: its last commit is the state of March.
    assert texts == [("2020-01", marked), ("2020-03", TWO), ("2020-06", ONE)]
    # The date is of the period, though a later commit has the same words.
    assert [str(release.date) for release in held.releases] == [
        "2020-01-01",
        "2020-03-01",
        "2020-06-01",
    ]


def test_an_address_is_told_without_its_password(command: Command, tmp_path: Path) -> None:
    """Messages and pages show an address without its password."""
    outcome = command("build", "--git", f"file://me:secret@{tmp_path}/nowhere", "--path", "x.md")
    assert outcome.status == 2
    assert outcome.err.startswith(f"file://{tmp_path}/nowhere: git says: ")
    assert "secret" not in outcome.err


def test_a_moved_tag_publishes_no_hotfix(command: Command, tmp_path: Path) -> None:
    """A hotfix that a build has not read gets no addresses when the newest tag is moved to a later
    commit."""
    project = Repository(tmp_path / "project")
    project.release("v1.0.0", ONE, day=date(2020, 1, 1))
    project.release("v1.1.0", ONE.replace("A library", "Something else"), day=date(2020, 2, 1))
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build", "content").status == 0
    project.git("checkout", "--quiet", "-b", "hotfix", "v1.0.0")
    project.release("v1.0.1", ONE.replace("A library", "A fixed library"), day=date(2020, 3, 1))
    project.git("checkout", "--quiet", "main")
    for day in (date(2020, 3, 2), date(2020, 4, 1)):
        outcome = command("build", "content")
        assert (outcome.status, releases()) == (0, ["1.0.0", "1.1.0"])
        assert "1 tag (v1.0.1) not read: of an older line" in outcome.err + outcome.out
        assert "exclude leaves out a stray tag" in outcome.err + outcome.out
        project.commit({"GLOSSARY.md": ONE.replace("A library", "Something else.")}, day=day)
        project.git("tag", "--force", "v1.1.0")


def test_a_moved_tag_is_named_with_its_former_commit(command: Command, tmp_path: Path) -> None:
    """A published tag that is moved past a higher version stays a release with its published words,
    and the build names the commit that has them, also after other words were taken over."""
    project = Repository(tmp_path / "project")
    project.release("v1.0.0", ONE, day=date(2020, 1, 1))
    project.release("v1.1.0", ONE.replace("A library", "Something else"), day=date(2020, 2, 1))
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build", "content").status == 0
    former = project.git("rev-parse", "v1.0.0").strip()
    project.commit({"GLOSSARY.md": ONE.replace("A library", "A moved one")}, day=date(2020, 3, 1))
    project.git("tag", "--force", "v1.0.0")
    outcome = command("build", "content")
    assert (outcome.status, releases()) == (0, ["1.0.0", "1.1.0"])
    assert "1.0.0: 1 term differs from what was published (ATen)" in outcome.err
    assert f"put the tag back to {former[:10]}, or `sitegen correct`" in outcome.err
    assert "not read" not in outcome.err + outcome.out
    assert command("correct", "content", "--reason", "a typo").status == 0
    assert command("build", "content").status == 0
    corrected = project.git("rev-parse", "v1.0.0").strip()
    project.commit({"GLOSSARY.md": ONE.replace("A library", "A third one")}, day=date(2020, 4, 1))
    project.git("tag", "--force", "v1.0.0")
    assert f"put the tag back to {corrected[:10]}" in command("build", "content").err


def test_releases_keep_their_order_without_the_repository(command: Command, tmp_path: Path) -> None:
    """Without its repository, a source has its releases in the order in which they were published,
    also where a patch of an older version is younger than a higher version."""
    project = Repository(tmp_path / "project")
    project.release("v1.0.0", ONE, day=date(2020, 1, 1))
    project.git("checkout", "--quiet", "-b", "patches")
    project.release("v1.0.1", ONE, day=date(2020, 3, 1))
    project.git("checkout", "--quiet", "main")
    project.release("v1.1.0", TWO, day=date(2020, 2, 1))
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"')
    assert command("build", "content").status == 0
    archive = Path("content/archive.jsonl").read_bytes()
    assert releases() == ["1.0.0", "1.0.1", "1.1.0"]
    project.path.rename(tmp_path / "elsewhere")
    assert command("build", "content").status == 0
    assert releases() == ["1.0.0", "1.0.1", "1.1.0"]
    assert Path("content/archive.jsonl").read_bytes() == archive


def test_a_shallow_clone_makes_no_release_unknown(command: Command, tmp_path: Path) -> None:
    """A release that only the whole history has is not called unknown: the clone is what has to be
    completed."""
    project = Repository(tmp_path / "project")
    project.release("v1.0", ONE, day=date(2020, 1, 1))
    project.release("v1.1", ONE, day=date(2020, 2, 1))
    options = ["--quiet", "--depth=1", "--no-tags"]
    subprocess.run(["git", "clone", *options, f"file://{project.path}", "clone"], check=True)
    table = '\n[[release]]\nname = "1.0"\nfinal = true\n'
    for place in ("project", "clone"):
        configure(Path("content"), f'git = "../{place}"', 'paths = "GLOSSARY.md"')
        site_toml = Path("content/site.toml")
        site_toml.write_text(site_toml.read_text() + table)
        outcome = command("build", "content", "--no-ledger")
        assert ("a shallow clone" in outcome.err) == (place == "clone")
        assert "unknown release" not in outcome.err


def test_a_clone_without_tags_makes_no_release_unknown(command: Command, tmp_path: Path) -> None:
    """A release that site.toml names is not called unknown where the clone has the whole history
    but no tags, so that none of the releases is known."""
    project = Repository(tmp_path / "project")
    project.release("v1.0", ONE, day=date(2020, 1, 1))
    project.git("tag", "--delete", "v1.0")
    more = '[[release]]\nname = "1.0"\nfinal = true\n'
    configure(Path("content"), 'git = "../project"', 'paths = "GLOSSARY.md"', more=more)
    outcome = command("build", "content", "--no-ledger")
    assert (outcome.status, "unknown release" in outcome.err) == (0, False), outcome.err


def test_an_edit_on_a_branch_is_a_correction(command: Command, tmp_path: Path) -> None:
    """The text of a release that is a branch may be edited after it was published; no promise is
    broken."""
    project = Repository(tmp_path / "project")
    project.commit({"GLOSSARY.md": ONE})
    project.git("branch", "v1.0")
    project.git("branch", "v1.1")
    configure(project.path / "content", 'git = ".."', 'paths = "GLOSSARY.md"', 'branches = "v*"')
    assert command("build", "project/content").status == 0
    project.commit({})
    project.git("checkout", "--quiet", "v1.1")
    project.commit({"GLOSSARY.md": ONE.replace("A library", "Something else")})
    project.git("checkout", "--quiet", "main")
    outcome = command("build", "project/content")
    assert (outcome.status, releases()) == (0, ["1.0", "1.1"])


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        ('paths = ["GLOSARY.md"]', "no release has GLOSARY.md; correct `paths`"),
        (
            'paths = ["GLOSSARY.md"]\nhead = "mian"',
            "no branch 'mian'; did you mean 'main'?",
        ),
        (
            'paths = ["GLOSSARY.md"]\n[[translation]]\nof = "words"\nlanguage = "fr"\n'
            'paths = ["fr.md"]',
            "no release has fr.md; correct `paths`",
        ),
    ],
)
def test_a_setting_that_fits_nothing_is_one_line_at_its_table(
    command: Command, project: Repository, setting: str, found: str
) -> None:
    """What a table of a source names and its repository lacks is one problem, at the table."""
    configure(Path("content"), 'git = "../project"', setting)
    text = Path("content/site.toml").read_text(encoding="utf-8")
    table = "[[translation]]" if "fr" in setting else "[[source]]"
    line = text.partition(table)[0].count("\n") + 1
    assert command("build").err.splitlines() == [f"content/site.toml:{line}: {found}"]


def test_a_committed_site_is_no_glossary(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site that was built into the folder of the terms and committed is not read at later
    releases."""
    repository = Repository(tmp_path / "project")
    monkeypatch.chdir(repository.path)
    configure(repository.path, 'git = "."', 'paths = ["docs"]', 'format = "page"')
    repository.commit({"docs/aten.md": "# ATen\n\nA library.\n"})
    repository.git("tag", "v1.0")
    assert command("build", "--output", "docs/words").status == 0
    repository.git("add", "docs")
    repository.git("commit", "--quiet", "--message=site")
    repository.commit({"docs/kernel.md": "# Kernel\n\nA loop.\n"})
    repository.git("tag", "v2.0")
    outcome = command("build", "--output", "docs/words")
    assert (outcome.status, outcome.err) == (0, "")
    assert [term["name"] for term in data(Path("docs/words"))["terms"]] == ["ATen", "Kernel"]


def test_dated_states_do_not_follow_published_tags(command: Command, project: Repository) -> None:
    """They are older than the tags, so words would come back that were reworded: `by` is refused
    until the tags are withdrawn."""
    keys = ('git = "../project"', 'paths = "GLOSSARY.md"')
    configure(Path("content"), *keys)
    assert command("build").status == 0
    configure(Path("content"), *keys, 'by = "day"')
    outcome = command("build")
    assert outcome.status == 2
    assert "words: dated states cannot follow the published tags; correct `by`" in outcome.err
    assert releases() == ["1.0", "1.1"]
    with Path("content/site.toml").open("a") as file:
        file.write('\n[[retired]]\nsource = "words"\nrelease = ["1.0", "1.1"]\nreason = "days"\n')
    assert command("build").status == 0
    assert not {"1.0", "1.1"} & set(releases())
