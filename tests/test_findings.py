"""`check` on a glossary that is broken in one place: it names that place and no other."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from repositories import Repository
from translated import DAYS, repository
from translated import SETTINGS as TRANSLATED

from sitegen.commands import main
from sitegen.model import Problem, ProblemKind
from sitegen.permanence.archive_file import ArchiveStore
from sitegen.permanence.archive_lines import DamagedArchiveError
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones
from sitegen.sources.projects import Project
from sitegen.tools.findings import Checked, check

SETTINGS = """
[site]
title = "Storage"
base_url = "https://example.org/storage/"

[[source]]
id = "manual"
folder = "manual"
"""

VOLUME = "Space that can be written to. An `image` is taken of it."
IMAGE = "A named pointer to the state of a volume at one moment, from which it can be restored."


def glossary(terms: Mapping[str, str]) -> str:
    return "# Glossary\n\n" + "".join(
        f"## {name}\n\n{definition}\n\n" for name, definition in terms.items()
    )


RELEASES = {
    "1.0": glossary({"Volume": VOLUME, "Image": IMAGE}),
    "1.1": glossary({"Volume": VOLUME, "Snapshot": IMAGE}),
    "1.2": glossary({"Volume": VOLUME + " It has a size.", "Snapshot": IMAGE}),
}


def quiet(doing: str) -> None:
    pass


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a glossary, `words`, its archive, and its `site`."""
    folder = tmp_path_factory.mktemp("original")
    for release, text in RELEASES.items():
        (folder / "words/manual" / release).mkdir(parents=True)
        (folder / "words/manual" / release / "GLOSSARY.md").write_text(text)
    (folder / "words/site.toml").write_text(SETTINGS)
    archive_store = ArchiveStore(path=folder / "words/archive.jsonl")
    build(
        folder / "words",
        folder / "site",
        notify=quiet,
        clones=Clones(folder=folder),
        archive_store=archive_store,
    )
    return folder


@pytest.fixture
def here(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it as the current folder."""
    shutil.copytree(original, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(checked: Checked) -> list[str]:
    return [f"{one.kind} {one.path}:{one.line}: {one.found}" for one in checked.findings]


def in_memory() -> list[str]:
    """Returns the findings in the folder `words`."""
    return found(check(Project(folder=Path("words")), notify=quiet))


def change(path: str, old: str, new: str, *, times: int = 1) -> None:
    """Replaces a text in a file, which must contain it."""
    text = Path(path).read_text()
    assert text.count(old) >= times
    Path(path).write_text(text.replace(old, new, times))


def line_of(path: str, part: str) -> int:
    lines = Path(path).read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if part in line)


def test_nothing_is_found_after_a_build(here: Path) -> None:
    """A glossary without mistakes has no finding."""
    assert in_memory() == []


def test_edited_archive_beside_the_sources_is_refused(here: Path) -> None:
    """Nothing is checked with a damaged archive: the error names its line."""
    number = line_of("words/archive.jsonl", '"/term/image/"')
    change("words/archive.jsonl", '"/term/image/"', '"/term/picture/"')
    with pytest.raises(DamagedArchiveError, match=f"words/archive.jsonl:{number}: .*changed"):
        in_memory()


def test_edited_release_is_told(here: Path) -> None:
    """Words of a closed release that differ from what was published are a finding."""
    path = Path("words/manual/1.0/GLOSSARY.md")
    path.write_text(path.read_text().replace("Space that", "A space that"))
    [result] = in_memory()
    assert "1 term differs from what was published (Volume)" in result


def test_sources_are_checked_with_the_site_they_give(here: Path) -> None:
    """Dangling references, suggestions and other problems are findings of their own kinds."""
    Path("words/manual/1.2/GLOSSARY.md").write_text(
        glossary(
            {
                "Volume": VOLUME,
                "Capture": "A name for the state of a volume at one moment, to which it can be "
                "put back.",
                "Image": "Another thing.",
            }
        )
    )
    Path("words/manual/1.1/odd.md").write_text("")
    kinds = {one.kind: one for one in check(Project(folder=Path("words")), notify=quiet).findings}
    assert {"no-terms", "suggestion"} <= kinds.keys()
    assert kinds["no-terms"].path == "words/manual/1.1/odd.md"
    assert "\n    [[rename]]\n" in kinds["suggestion"].details


def test_likely_pairs_of_a_translation_come_with_their_tables(tmp_path: Path) -> None:
    """A finding about terms without an original has a table for each likely pair."""
    folder = tmp_path / "project"
    settings = TRANSLATED.replace("/en", "/en.md").replace("/fr", "/fr.md")
    made = repository(folder, settings)
    made.commit({"docs/en.md": glossary({"Cache": "One.", "Node": "Two."})}, day=DAYS[0])
    made.commit({"docs/fr.md": glossary({"Cache": "Un.", "Nœud": "Deux."})}, day=DAYS[1])
    [finding] = check(Project(folder=folder), notify=quiet).findings
    assert finding.found == "1 without an original in 'fr': Nœud"
    assert finding.details == '[[same]]\nlanguage = "fr"\nnames = ["Node", "Nœud"]\n'


def test_dangling_reference_is_told_where_it_stands(here: Path) -> None:
    """A reference to an undefined term is reported with the line of its entry."""
    Path("words/archive.jsonl").unlink()
    Path("words/manual/1.2/GLOSSARY.md").unlink()
    Path("words/manual/1.2/glossary.rst").write_text(
        ".. glossary::\n\n   Volume\n      Space, kept in a :term:`shadow`.\n\n   Snapshot\n      "
        + IMAGE
        + "\n"
    )
    assert in_memory() == [
        "reference words/manual/1.2/glossary.rst:3: refers to “shadow”, which no source defines",
    ]


def test_site_among_the_releases_is_none_of_them(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site built into the folder of its sources is not read as a release."""
    shutil.move("site", "words/manual/site")
    Path("words/site.toml").unlink()
    Path("words/archive.jsonl").unlink()
    result = found(check(Project(folder=Path("words/manual")), notify=quiet))
    assert result == []


# The command.


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sitegen", "check", *arguments])
        status = main.run()
        result = capfd.readouterr()
        return status, result.out, result.err

    return run


def test_command_says_that_nothing_was_found(run: Run) -> None:
    """Without findings the status is 0, and one line counts what was checked."""
    assert run("words") == (0, "2 terms and 3 releases, no mistake found\n", "")


def test_findings_are_told_by_kind() -> None:
    """Findings are listed below the title of their kind, equal ones once, with their details
    indented."""
    entry = Problem(kind=ProblemKind.ENTRY, path="a.md", line=3, found="no definition")
    reference = Problem(
        kind=ProblemKind.REFERENCE,
        path="a:b",
        found="a bad name",
        wanted="a better",
        details="why",
    )
    counts = {"terms": 2, "releases": 1, "changes": 0}
    assert [*Checked(findings=(reference, entry, entry), counts=counts).lines()] == [
        "Problems in the sources (2)",
        "  a.md:3: no definition (and at 1 more place, last a.md:3)",
        "References to what is not defined (1)",
        "  a:b: a bad name; a better",
        "      why",
        "3 findings in 2 terms and 1 release",
    ]


def test_command_gives_data(run: Run) -> None:
    """`--json` gives every finding as data on one line; the status is 1."""
    change("words/manual/1.0/GLOSSARY.md", "Space that", "A space that")
    status, out, _ = run("words", "--json")
    data = json.loads(out)
    assert status == 1
    [finding] = data.pop("findings")
    assert (finding["kind"], finding["terms"], finding["more"]) == ("differs", [], [])
    assert data == {"terms": 2, "releases": 3, "changes": 2}


def test_command_checks_what_a_repository_holds(run: Run) -> None:
    """The tags of a repository without a site.toml are checked, with places in it. Only
    suggestions end with status 3."""
    repository = Repository(Path("there"))
    repository.release("v1.0", glossary({"Volume": VOLUME, "Image": IMAGE}))
    repository.release(
        "v1.1", glossary({"Volume": VOLUME, "Capture": IMAGE.replace("restored", "put back")})
    )
    status, out, _ = run("there")
    assert status == 3
    assert re.findall(r"^  (\S+) “(\w+)” and “(\w+)” may be one term", out, re.M) == [
        ("v1.1:GLOSSARY.md:7:", "Image", "Capture")
    ]


def test_same_finding_at_several_places_is_one_line(run: Run) -> None:
    """A mistake that every release repeats is printed once, with the number of its places."""
    repository = Repository(Path("there"))
    text = glossary({"Volume": VOLUME, "Image": IMAGE, "Lop": ""})
    for tag in ("v1.0", "v1.1", "v1.2"):
        repository.release(tag, text.replace("## Image", f"<!-- {tag} -->\n\n## Image"))
    _, out, _ = run("there")
    assert out.count("'Lop' has no definition") == 1
    assert "(and at 2 more places, last v1.2:GLOSSARY.md:" in out


def test_command_says_why_it_cannot(run: Run) -> None:
    """If there is nothing to check, the status is 2 with one line."""
    error = "nowhere: no such folder; name one that holds glossaries\n"
    assert run("nowhere") == (2, "", error)


def test_check_writes_nothing(run: Run, here: Path) -> None:
    """Neither the sources nor the site change, and no folder is created."""
    before = {path: path.stat().st_mtime_ns for path in here.rglob("*")}
    run("words")
    assert {path: path.stat().st_mtime_ns for path in here.rglob("*")} == before


def test_what_was_not_read_comes_first() -> None:
    """Sources that were not read explain other findings, so they are printed first."""
    mistake = Problem(path="a.md", line=1, kind=ProblemKind.MARKUP, found="an image", wanted="")
    unread = Problem(path="b.md", line=0, kind=ProblemKind.SHALLOW, found="it is gone", wanted="")
    found = Checked(findings=(mistake, unread), counts={"terms": 1, "releases": 1, "changes": 0})
    titles = [line for line in found.lines() if not line.startswith(" ")]
    assert titles[0].startswith("Sources that were not read in full")
