"""`sitegen correct`, and what may be edited without it."""

from __future__ import annotations

import json
import shutil
import tomllib
from datetime import date
from pathlib import Path

import pytest
from commands import Command
from glossary_folder import FILES, glossary, write
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
    """Returns the pages with a text, except the one about the glossary."""
    files = Path("site").rglob("index.html")
    return {
        path.parent.relative_to("site").as_posix() for path in files if text in path.read_text()
    } - {"about"}


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
    """A published archive in git leaves the words of the newest folder open too; those of an older
    one stay."""
    project = Repository(tmp_path / "r")
    files = {f"words/{name}": text for name, text in FILES.items()}
    write(project.path, {**files, ".gitignore": "site/\n"})
    monkeypatch.chdir(project.path)
    assert command("build", "words").status == 0
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "built")
    for file, is_edited in ((OLD, False), (NEWEST, True)):
        edit(file)
        assert command("build", "words").status == 0
        assert bool(pages_with("library of tensors")) == is_edited
        project.git("checkout", "--quiet", ".")


@pytest.mark.parametrize(
    ("key", "is_edited"), [("date = 2020-01-01", True), ("final = true", False)]
)
def test_final_closes_the_newest_folder(run: Command, key: str, is_edited: bool) -> None:
    """With `final = true` in its [[release]], the words of the newest folder stay as they are
    published; a date closes nothing."""
    TOML.write_text(f'{TOML.read_text()}[[release]]\nname = "1.1"\n{key}\n')
    assert run("build", "words").status == 0
    edit(NEWEST)
    assert run("build", "words").status == 0
    assert bool(pages_with("library of tensors")) == is_edited


def test_correct_takes_the_words_over(run: Command) -> None:
    """An edit of an older release is shown once it is taken over, with the reason on its pages."""
    edit(OLD)
    assert "differs from what was published (ATen)" in run("build", "words").err
    assert pages_with("library of tensors") == set()
    assert pages_with("The source says something else") == {"term/aten", "term/aten/1.0"}
    before = date.today()
    result = run("correct", "words", "--reason", "a typo")
    assert result.status == 0, result.err
    assert "  ATen: A tensor library.\n    now: A library of tensors.\n" in result.out
    [table] = tomllib.loads(TOML.read_text())["corrected"]
    assert (table["source"], table["release"], table["reason"]) == ("library", "1.0", "a typo")
    assert before <= table["date"] <= date.today()
    assert run("build", "words", "--strict").err == ""
    assert pages_with("a typo") == {"term/aten", "term/aten/1.0"}
    assert "all words are as they were published" in run("correct", "words", "--reason", "x").out


def test_correct_keeps_the_line_ends_of_windows(run: Command) -> None:
    """Tables that are added to a file with CRLF have it too."""
    TOML.write_bytes(TOML.read_bytes().replace(b"\n", b"\r\n"))
    edit(OLD)
    assert run("correct", "words", "--reason", "a typo").status == 0
    content = TOML.read_bytes()
    assert b"[[corrected]]" in content
    assert content.count(b"\n") == content.count(b"\r\n")


def test_what_is_not_read_is_not_compared(run: Command) -> None:
    """If a published release cannot be read, `correct` names it, and says nothing of its words."""
    shutil.rmtree(OLD.parent)
    result = run("correct", "words")
    assert "note: library 1.0 (library/1.0): not read now; the published" in result.out
    assert "all words that were read are as they were published" in result.out


def test_words_that_are_gone_are_told_as_gone(run: Command) -> None:
    """If most terms of a published file are gone, the message names the option of `correct` for it."""
    OLD.write_text("# Glossary\n\nIt is elsewhere now.\n")
    result = run("build", "words")
    assert (
        "1.0: 3 of 3 published terms are gone (ATen, Kernel, Volume); put the words back, or "
        "`sitegen correct --all` takes over everything"
    ) in result.err
    assert "differ" not in result.err
    assert run("correct", "words", "--reason", "it moved").status == 2
    assert run("correct", "words", "--all", "--reason", "it moved").status == 0
    assert "gone" not in run("build", "words").err


def test_correction_keeps_a_published_rename(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rename that was recognized by the words of an old release stays one when these are
    corrected."""
    project = Repository(tmp_path / "r")
    monkeypatch.chdir(project.path)
    words = "A named pointer to the state of a volume at one moment, kept until it is deleted."
    settings = '[[source]]\nid = "g"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
    others = {"Disk": "Where it is.", "Host": "Who has it."}
    project.commit({"site.toml": settings, ".gitignore": "site/\n"})
    project.release("v1.0", glossary(**others, Image=words))
    project.release("v1.1", glossary(**others, Snapshot=words))
    assert command("build").status == 0
    project.commit({})
    project.git("checkout", "--quiet", "--detach", "v1.0")
    typo = words.replace("named pointer", "labeled pointer")
    project.commit({"GLOSSARY.md": glossary(**others, Image=typo)})
    project.git("tag", "--force", "v1.0")
    project.git("checkout", "--quiet", "main")
    assert (
        "with a table that keeps a published rename" in command("correct", "--reason", "a typo").out
    )
    assert command("build").status == 0
    (term,) = [
        one
        for one in json.loads(Path("site/glossary.json").read_text())["terms"]
        if one["name"] == "Snapshot"
    ]
    assert [change["kind"] for change in term["history"]][:2] == ["first-read", "renamed"]


def test_without_a_reason_words_are_only_shown(run: Command) -> None:
    """Without a reason, `correct` shows both words and the option for it, and writes
    nothing."""
    edit(OLD)
    before = TOML.read_text()
    result = run("correct", "words")
    assert (result.status, result.out.splitlines()[0]) == (0, "library 1.0:")
    assert result.out.endswith("say why with --reason TEXT\n")
    assert TOML.read_text() == before


@pytest.mark.parametrize("reason", ["two\nlines", " ", "\udcff"])
def test_a_reason_that_no_build_would_read_is_refused(run: Command, reason: str) -> None:
    """A reason is a line of visible characters; otherwise the next build would refuse site.toml."""
    edit(OLD)
    before = TOML.read_bytes()
    result = run("correct", "words", "--reason", reason)
    assert result.status == 2
    assert "is no name; use a line of visible characters" in result.err
    assert TOML.read_bytes() == before


def test_correction_counts_once(run: Command) -> None:
    """After the words were taken over, a later edit of the release is not."""
    edit(OLD)
    assert run("correct", "words", "--reason", "a typo").status == 0
    assert run("build", "words").status == 0
    OLD.write_text(OLD.read_text().replace("library of tensors", "heap of tensors"))
    assert "differs from what was published (ATen)" in run("build", "words").err
    assert pages_with("heap of tensors") == set()


def test_a_table_that_is_there_twice_is_shown_once(run: Command) -> None:
    """A [[corrected]] table that was pasted twice is one notice on each page."""
    edit(OLD)
    table = '[[corrected]]\nsource = "library"\nrelease = "1.0"\nreason = "a typo"\n'
    TOML.write_text(TOML.read_text() + 2 * table)
    assert run("build", "words").status == 0
    assert Path("site/term/aten/1.0/index.html").read_text().count("a typo") == 1


def test_the_reason_of_a_correction_is_shown_on_the_page_of_what_is_gone(run: Command) -> None:
    """The kept page of a term says why its words were taken out, also if the first [[corrected]]
    table of the release has only the placeholder of a reason."""
    for file in (OLD, NEWEST):
        file.write_text(file.read_text().replace("## Kernel", "Also a kernel:"))
    for reason in ("…", "not ours"):
        TOML.write_text(
            f'{TOML.read_text()}[[corrected]]\nsource = "library"\nrelease = "1.0"\n'
            f'reason = "{reason}"\n'
        )
    assert run("build", "words").status == 0
    assert "not ours" in Path("site/term/kernel/index.html").read_text()


def test_an_added_file_is_taken_over_once(run: Command) -> None:
    """A file that was added to an older release is shown once it is taken over, and a later edit of
    it is not."""
    more = OLD.with_name("MORE.md")
    more.write_text(glossary(Axle="It turns a wheel."))
    assert run("build", "words").status == 0
    assert pages_with("It turns a wheel.") == set()
    assert run("correct", "words", "--reason", "late").status == 0
    assert run("build", "words").status == 0
    assert pages_with("It turns a wheel.")
    more.write_text(glossary(Axle="It holds a rim."))
    for _ in range(2):
        assert run("build", "words").status == 0
        assert pages_with("It turns a wheel.")
        assert pages_with("It holds a rim.") == set()
        edit(NEWEST)


def test_words_that_were_published_by_mistake_are_replaced_as_a_whole(run: Command) -> None:
    """A release with other terms is only taken over with --all."""
    OLD.write_text(glossary(Sail="It takes the wind.", Mast="It holds a sail."))
    assert "--all" in run("correct", "words", "--reason", "the wrong file").err
    assert run("correct", "words", "--all", "--reason", "the wrong file").status == 0
    assert run("build", "words").status == 0
    assert pages_with("It takes the wind.")


def test_a_release_with_half_of_its_terms_is_taken_over(run: Command) -> None:
    """A release of which half of the published terms are left needs no --all."""
    newer = {"manual/2.1/GLOSSARY.md": FILES["manual/2.0/GLOSSARY.md"]}
    half = {"manual/2.0/GLOSSARY.md": glossary(Widget="What is shown on a screen.")}
    write(WORDS, newer)
    assert run("build", "words").status == 0
    write(WORDS, half)
    result = run("correct", "words", "--reason", "not ours")
    assert result.status == 0, result.err
    assert "1 [[corrected]] added" in result.out


def test_name_without_other_words_is_shown_for_the_releases_that_have_it(run: Command) -> None:
    """After a rename without other words, data and frozen pages have the new name for newer
    releases."""
    newer = FILES["library/1.1/nodes.md"] + glossary(
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
