"""`sitegen correct`, and what may be edited without it."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path

import pytest
from commands import Command
from glossary_folder import FILES, glossary, write
from remedies import paste
from repositories import Repository

WORDS, TOML = Path("words"), Path("words/site.toml")
OLD, NEWEST = Path("words/library/1.0/GLOSSARY.md"), Path("words/library/1.1/GLOSSARY.md")


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Command:
    """Runs the command beside the folder `words`, whose site was built."""
    write(tmp_path / "words")
    assert command("build", "words").status == 0
    return command


def edit(file: Path) -> None:
    file.write_text(file.read_text().replace("tensor library", "library of tensors"))


def pages_with(text: str) -> set[str]:
    files = Path("site").rglob("index.html")
    return {
        path.parent.relative_to("site").as_posix() for path in files if text in path.read_text()
    }


def test_typo_in_the_newest_folder_is_mended_without_a_word(run: Command) -> None:
    """The words of the newest folder may be edited, and no page says that they were."""
    edit(NEWEST)
    result = run("build", "words")
    assert (result.status, result.err) == (0, "")
    assert "The library of tensors of it all." in Path("site/term/aten/1.1/index.html").read_text()
    assert pages_with("corrected") == set()


def test_typo_in_the_newest_folder_of_a_repository_is_mended(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A published ledger in git leaves the words of the newest folder open too."""
    project = Repository(tmp_path / "r")
    write(
        project.path,
        {f"words/{name}": text for name, text in FILES.items()} | {".gitignore": "site/\n"},
    )
    monkeypatch.chdir(project.path)
    assert command("build", "words").status == 0
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "built")
    for file, status in ((OLD, 2), (NEWEST, 0)):
        edit(file)
        assert command("build", "words").status == status
        project.git("checkout", "--quiet", ".")


def test_final_closes_the_newest_folder(run: Command) -> None:
    """With `final = true` in its [[release]], the words of the newest folder are promised; a date
    closes nothing."""
    toml = TOML.read_text()
    for key, status in (("date = 2020-01-01", 0), ("final = true", 2)):
        TOML.write_text(f'{toml}[[release]]\nname = "1.1"\n{key}\n')
        edit(NEWEST)
        assert run("build", "words").status == status
        NEWEST.write_text(FILES["library/1.1/GLOSSARY.md"])
        assert run("build", "words").status == 0


def test_refusal_says_first_that_an_unpublished_ledger_can_be_deleted(run: Command) -> None:
    """Without version control the first line of a refusal names the way out for a site that nobody
    has seen."""
    edit(OLD)
    first = run("build", "words").err.splitlines()[0]
    assert first.startswith("words/permalinks.json: this build would break ")
    assert first.endswith("; if the site is not published yet, delete this file")
    Path("words/permalinks.json").unlink()
    assert run("build", "words", "--output", "another").status == 0


def test_correct_writes_what_a_build_accepts(run: Command) -> None:
    """The command shows the words, and writes term, digest, reason and date; only these pages say
    it."""
    edit(OLD)
    assert run("build", "words").status == 2
    before = date.today()
    result = run("correct", "words", "--reason", "a typo")
    assert result.status == 0, result.err
    assert "ATen: A library of tensors." in result.out
    [table] = tomllib.loads(TOML.read_text())["corrected"]
    assert (table["source"], table["release"], table["term"]) == ("library", "1.0", ["ATen"])
    assert table["reason"] == "a typo"
    assert before <= table["date"] <= date.today()
    assert run("build", "words", "--strict").err == ""
    assert pages_with("a typo") - {"about"} == {"term/aten", "term/aten/1.0"}
    assert "were corrected on" in Path("site/term/aten/index.html").read_text()
    assert (
        "all words are as they were published" in run("correct", "words", "--reason", "again").out
    )


def test_reason_that_is_pasted_as_it_is_printed_is_asked_for(run: Command) -> None:
    """The dots of a printed table are no reason: the build asks for one, and no page shows them; it
    has the date."""
    edit(OLD)
    before = date.today()
    paste(run("build", "words").err, TOML, reason="…")
    [table] = tomllib.loads(TOML.read_text())["corrected"]
    assert before <= table["date"] <= date.today()
    result = run("build", "words")
    assert result.status == 0
    assert "the reason is still to be written; say why; a page shows it" in result.err
    assert "corrected: …" not in Path("site/term/aten/index.html").read_text()


def test_refusal_names_terms_before_comparisons_and_releases(run: Command) -> None:
    """Of many broken addresses, the message names that of a term."""
    edit(OLD)
    text = OLD.read_text()
    Path("words/manual/2.0/GLOSSARY.md").unlink()
    OLD.write_text(text)
    last = run("build", "words").err.splitlines()[-1]
    assert last.strip().startswith("/term/")


def test_name_without_other_words_is_shown_for_the_releases_that_have_it(run: Command) -> None:
    """After a rename without other words, data and frozen pages have the new name for newer
    releases."""
    newer = glossary(
        Core="What runs on a device, once for each element.", Volume="A disk that is not there."
    )
    write(WORDS, {"library/1.2/GLOSSARY.md": newer})
    assert run("build", "words").status == 0
    term = json.loads(Path("site/term/core/index.json").read_text())
    runs = [(one["name"], one["first"], one["last"], one["url"]) for one in term["wordings"]]
    url = "term/kernel/1.0/"
    assert runs == [("Kernel", "1.0", "1.1", url), ("Core", "1.2", "1.2", url)]
    of_release = json.loads(Path("site/release/1.2/index.json").read_text())["terms"]
    assert [one["name"] for one in of_release if one["slug"] == "core"] == ["Core"]
