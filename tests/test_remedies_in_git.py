"""The gate and git: what happens to tags and clones, and that what is printed then works."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from commands import Command
from remedies import paste
from repositories import Repository, markdown
from sites import read_site
from soaking import seeds

TOML = '[[source]]\nid = "s"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
ONE = markdown({"Kernel": "What runs on a device.", "Tree": "A folder with all below it."})
TWO = markdown(
    {
        "Kernel": "What runs on a device, once for each element.",
        "Leaf": "What has nothing below it.",
    }
)


@pytest.fixture
def project(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with two releases whose ledger is committed to the default branch."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    project.commit({"site.toml": TOML, ".gitignore": "site\n"})
    project.release("v1.0", ONE, day=date(2020, 2, 1))
    project.release("v2.0", TWO, day=date(2020, 4, 1))
    publish(project, command)
    return project


def publish(project: Repository, command: Command) -> None:
    assert command("build").status == 0
    project.commit({}, day=date(2020, 5, 1))


def clone(project: Repository, monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    """Clones the repository, and enters the clone."""
    copy = project.path.parent / "copy"
    project.git("config", "uploadpack.allowFilter", "true")
    project.git("clone", "--quiet", *options, f"file://{project.path}", str(copy))
    monkeypatch.chdir(copy)


@pytest.mark.parametrize(
    ("options", "found", "cure"),
    [
        (("--depth=1",), "a shallow clone", "git fetch --quiet --unshallow --tags"),
        (("--depth=1", "--no-tags"), "a shallow clone", "git fetch --quiet --unshallow --tags"),
        (("--no-tags",), "no release was read", "git fetch --quiet --tags"),
        (
            ("--filter=blob:none",),
            "a partial clone",
            "git fetch --quiet --refetch --no-filter --tags",
        ),
    ],
)
def test_clone_without_its_history_says_how_to_fetch_it(
    project: Repository,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    found: str,
    cure: str,
) -> None:
    """Where the clone lacks releases, that is all that is said; after the fetch the build passes.

    `check` says it first, and how many addresses that are; no declaration about other releases is
    to be removed.
    """
    table = (
        '[[corrected]]\nsource = "s"\nrelease = "1.0"\nterm = "Kernel"\nwords = '
        '"0123456789ab"\nreason = "x"\n'
    )
    table += '[[release]]\nname = "1.0"\nlink = "https://example.org/1.0"\n'
    project.commit({"site.toml": TOML + table})
    clone(project, monkeypatch, *options)
    for locked in ((), ("--locked",)):
        result = command("build", *locked)
        assert result.status == 2
        first, *rest = result.err.splitlines()
        assert found in first and cure.replace(" --quiet", "") in first
        assert all("that were not read; nothing was built" in line for line in rest)
    checked = command("check")
    lines = [line.strip() for line in (checked.out + checked.err).splitlines()]
    assert sum(found in line for line in lines) == 1
    assert sum("permalinks.json" in line for line in lines) <= 1
    assert found in "".join(lines[:3]) and ("shallow" not in found or found in lines[1])
    assert not any("remove the table" in line or "unknown release" in line for line in lines)
    assert found in command("correct", "--reason", "a typo").err
    Repository.git(project, "-C", str(Path.cwd()), *cure.split()[1:])
    assert command("build", "--locked").status == 0


def test_a_repository_that_is_not_reached_retires_nothing(
    project: Repository, command: Command
) -> None:
    """Where a repository cannot be read, that is said, whether other sources are read or not."""
    toml = project.path / "site.toml"
    toml.write_text(TOML.replace('"."', '"../project"'))
    publish(project, command)
    toml.write_text(TOML.replace('"."', '"../elsewhere"'))
    for other in ("", TOML.replace('"s"', '"t"')):
        toml.write_text(toml.read_text() + other)
        result = command("build")
        assert (result.status, "retired" in result.err) == (2, False), result.err
        assert result.err.startswith("../elsewhere: no git repository here")
        assert "no glossary" not in result.err


def no_tag(project: Repository) -> None:
    project.git("tag", "--delete", "v1.0")


def leave_out(project: Repository) -> None:
    add(project, 'exclude = ["v1.0"]\n')


def choose_others(project: Repository) -> None:
    add(project, 'tags = ["v2.*"]\n')


def other_words(project: Repository) -> None:
    project.commit({"GLOSSARY.md": TWO.replace("device", "machine")})
    project.git("tag", "--force", "v2.0")


def other_id(project: Repository) -> None:
    toml = project.path / "site.toml"
    toml.write_text(toml.read_text().replace('id = "s"', 'id = "t"'))


def rewrite(project: Repository) -> None:
    """Other commits have the tags, and a release is gone."""
    project.git("tag", "--delete", "v2.0")
    project.commit(
        {"GLOSSARY.md": markdown({"Kernel": "What was never said of it."})}, day=date(2020, 2, 2)
    )
    project.git("tag", "--force", "v1.0")


def late_tag(project: Repository) -> None:
    """A commit that is older than a published release gets a higher version."""
    project.git("checkout", "--quiet", "-b", "other", "v2.0~1")
    project.release("v5.0", ONE + "\n**Twig**\n: A thin branch.\n", day=date(2020, 3, 1))
    project.git("checkout", "--quiet", "main")


def maintenance(project: Repository) -> None:
    """A release of an older version is made and not read, while another release is deleted."""
    project.git("checkout", "--quiet", "-b", "other", "v1.0")
    project.release("v1.1", ONE + "\n**Twig**\n: A thin branch.\n", day=date(2020, 6, 1))
    project.git("checkout", "--quiet", "main")
    project.git("tag", "--delete", "v2.0")
    project.release("v3.0", ONE, day=date(2020, 6, 2))


@pytest.mark.parametrize(
    ("happen", "found"),
    [
        (no_tag, "put s 1.0 back, or say that the release is gone"),
        (leave_out, "put s 1.0 back (exclude leaves it out), or say that the release is gone"),
        (choose_others, "put s 1.0 back (tags leaves it out), or say that the release is gone"),
        (other_words, "put the words of s 2.0 back; if they were corrected on purpose, say so"),
        (other_id, "the source s is gone; if t is the same"),
        (rewrite, "put s 2.0 back, or say that the release is gone"),
        (late_tag, "s 2.0 comes after a higher version now; say that it is a release"),
        (maintenance, "put s 2.0 back, or say that the release is gone"),
    ],
)
def test_what_happens_to_tags_has_a_remedy_that_works(
    project: Repository, command: Command, happen: object, found: str
) -> None:
    """Whatever happens to published tags, the message has ten lines at most, and what it says to
    paste works."""
    assert callable(happen)
    happen(project)
    result = command("build")
    assert (result.status, found in result.err) == (2, True), result.err
    assert len(result.err.splitlines()) <= 10
    paste(result.err, project.path / "site.toml")
    assert command("build", "--strict").err == ""
    assert command("build", "--locked").status == 0


def test_only_words_of_releases_that_are_read_are_corrected(
    project: Repository, command: Command
) -> None:
    """`correct` accepts no words of a release that is not read, and says first how to read it."""
    late_tag(project)
    project.commit({"GLOSSARY.md": TWO.replace("device", "machine")}, day=date(2020, 6, 1))
    project.git("tag", "--force", "v2.0")
    toml = project.path / "site.toml"
    result = command("correct", "--reason", "a typo")
    assert (result.status, toml.read_text()) == (2, TOML)
    assert "no longer there" not in result.out
    paste(result.err, toml)
    before = date.today()
    result = command("correct", "--reason", "a typo")
    assert (result.status, "Kernel: What runs on a machine, once" in result.out) == (0, True), (
        result
    )
    [written] = re.findall(r"date = (.*)", toml.read_text())
    assert before <= date.fromisoformat(written) <= date.today()
    assert command("build", "--strict").err == ""


def test_ledger_that_a_commit_has_deleted_is_missed_by_check_too(
    project: Repository, command: Command
) -> None:
    """`check` says what a build says about a ledger that was deleted on the default branch."""
    project.commit({"permalinks.json": None})
    built, checked = command("build"), command("check")
    assert (built.status, checked.status) == (2, 2)
    assert "the ledger was deleted in" in built.err
    assert checked.err == built.err


def test_first_tag_of_a_glossary_with_dated_states(command: Command, tmp_path: Path) -> None:
    """Where tags take the place of published dated states, the message names the period that reads
    these again."""
    project = Repository(tmp_path / "dated")
    toml = TOML.replace("git = ", 'by = "auto"\ngit = ')
    project.commit({"site.toml": toml, "GLOSSARY.md": ONE}, day=date(2020, 2, 1))
    project.commit({"GLOSSARY.md": TWO}, day=date(2020, 4, 1))
    assert command("build", str(project.path)).status == 0
    project.commit({}, day=date(2020, 5, 1))
    project.git("tag", "v1.0")
    result = command("build", str(project.path))
    assert (
        result.status,
        'put s 2020-02-01, 2020-04-01 back (by = "day" reads it)' in result.err,
    ) == (2, True), result.err
    (project.path / "site.toml").write_text(toml.replace("auto", "day"))
    result = command("build", str(project.path), "--locked")
    line = re.search(r"add (tags = .*) beside `by`", result.err)
    assert result.status == 0 and line, result.err
    (project.path / "site.toml").write_text(
        toml.replace("auto", "day").replace("git = ", f"{line[1]}\ngit = ")
    )
    assert command("build", str(project.path), "--strict").status == 0
    with_tags = read_site(project.path).sources[0].releases
    assert [release.name for release in with_tags] == ["2020-02-01", "2020-04-01", "1.0"]


def add(project: Repository, line: str) -> None:
    toml = project.path / "site.toml"
    toml.write_text(toml.read_text() + line)


# A year of a project that is kept in git, at random.


def shown() -> dict[str, str]:
    """Returns the words that the site shows for each id of a release on a page of a term, and on
    frozen pages."""
    words = {}
    for file in Path("site/term").glob("*/index.json"):
        for wording in json.loads(file.read_text(encoding="utf-8"))["wordings"]:
            words |= {f"{file.parent.name}#{id}": wording["text"] for id in wording["releases"]}
            words |= {wording["url"]: wording["text"]} if wording["url"] else {}
    return words


def play_tags(seed: int, project: Repository, command: Command) -> None:
    """Publishes a year in which first tags, tags that move, hotfixes and renames come as they
    do."""
    random, day, terms = (
        Random(seed),
        date(2021, 1, 10),
        {"Tree": "A folder with all below it.", "Leaf": "An end."},
    )
    major, minor, published = 0, 0, dict[str, str]()
    dated = TOML.replace("git = ", 'by = "day"\ngit = ')
    for step in range(8):
        day += timedelta(days=40)
        event = random.choice(("reword", "rename", "add", "hotfix", "alias")) if major else "reword"
        if event == "hotfix" and major > 1:  # on a branch of the line before, after later releases
            tag = f"v{major - 1}.0.{step}"
            project.git("checkout", "--quiet", "-b", f"fix{step}", f"v{major - 1}.0")
            text = (project.path / "GLOSSARY.md").read_text()
            project.release(tag, text.replace("folder", "directory"), day=day)
            project.git("checkout", "--quiet", "main")
        else:
            name = random.choice([*terms])
            if event == "rename":
                terms[f"{name} {step}"] = terms.pop(name)
            elif event == "add":
                terms[f"New {step}"] = f"What came in step {step} and in no other."
            else:
                terms[name] += f" In other words, {step}."
            toml = dated.replace("git = ", 'tags = ["v*"]\ngit = ') if step > 1 else dated
            project.commit({"GLOSSARY.md": markdown(terms), "site.toml": toml}, day=day)
            if step > 1:  # before, there were dated states alone
                major, minor = (
                    (major + 1, 0) if random.random() < 0.5 or not major else (major, minor + 1)
                )
                project.git("tag", f"v{major}.{minor}")
        for alias in (
            ("latest", f"v{major}") if major and event in ("alias", "add", "reword") else ()
        ):
            project.git("tag", "--force", alias, f"v{major}.{minor}")
        result = command("build")
        assert result.status == 0, f"year {seed}, step {step}, {event}: {result.err}"
        now = shown()
        lost = {address: text for address, text in published.items() if now.get(address) != text}
        assert {address for address in lost if not linked(address)} == set(), (
            f"year {seed}, step {step}, {event}"
        )
        published |= now
        project.commit({}, day=day)


def linked(address: str) -> bool:
    """True if an id is on the page of a former name, which shows what the page of the present name
    does."""
    slug, _, id = address.partition("#")
    return f'id="{id}"' in Path(f"site/term/{slug}/index.html").read_text(encoding="utf-8")


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(test=2, soak=8))
def test_tags_that_come_late_move_or_mend_older_lines_break_nothing(
    seed: int, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No step of an ordinary year is refused, no published word changes, and a partial clone
    retires nothing."""
    project = Repository(tmp_path / "year")
    monkeypatch.chdir(project.path)
    project.commit({"site.toml": TOML, ".gitignore": "site\n"}, day=date(2021, 1, 1))
    play_tags(seed, project, command)
    clone(project, monkeypatch, "--filter=blob:none")
    result = command("build")
    assert "retired" not in result.err
    assert result.status == 0 or "a partial clone" in result.err
