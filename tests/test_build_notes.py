"""What a build says besides problems."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from shutil import rmtree
from textwrap import dedent

import pytest
from commands import Command
from repositories import Repository

GLOSSARY = "# Glossary\n\n## A\n\nOne thing.\n\n## B\n\nTwo things.\n"


def test_edits_that_no_release_has_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """A build names the number of terms that were changed since the newest tag, unless the branch
    is read."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    settings = '[[source]]\nid = "words"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
    project.commit({"site.toml": settings})
    project.release("v1.0", GLOSSARY)
    assert "not shown" not in command("build").out
    project.commit({"GLOSSARY.md": f"{GLOSSARY}\n"})
    assert "not shown" not in command("build").out
    project.commit({"GLOSSARY.md": GLOSSARY.replace("One", "Some").replace("Two", "Few")})
    note = (
        'note: words: 2 terms changed since 1.0 are not shown (A, B); head = "main" in [[source]] '
        "shows unreleased changes\n"
    )
    assert note in command("build").out
    assert note in command("build").out
    assert "Few" not in (project.path / "site/term/b/index.html").read_text(encoding="utf-8")
    project.git("checkout", "--quiet", "-b", "topic")
    assert note in command("build").out, "the branch that is read is the default one"
    project.git("checkout", "--quiet", "main")
    project.git("branch", "--quiet", "next")
    project.git("checkout", "--quiet", "--force", "v1.0")
    assert "not shown" not in command("build").out
    (project.path / "site.toml").write_text(f'{settings}head = "next"\n', encoding="utf-8")
    assert "not shown" not in command("build").out


def test_a_term_that_shows_titles_or_included_words_is_no_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """A term whose document has other edits is not counted because of the title of a section to
    which it leads, or of the text that its document includes."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    glossary = dedent("""
        .. glossary::

           jig
              Holds a part, see :ref:`all-tools`.

              .. include:: note.txt

           saw
              Cuts.
        """)
    project.commit(
        {
            "site.toml": '[[source]]\nid = "words"\ngit = "."\npaths = ["glossary.rst"]\n',
            "tools.rst": ".. _all-tools:\n\nThe tools\n=========\n",
            "note.txt": "Made of wood.\n",
        }
    )
    project.commit({"glossary.rst": glossary})
    project.git("tag", "v1.0")
    project.commit({"glossary.rst": glossary.replace("Cuts.", "Cuts wood.")})
    assert "1 term changed since 1.0 is not shown (saw)" in build(command)


def test_edits_on_the_main_branch_are_counted_though_the_newest_tag_is_on_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """After a release from a maintenance branch, a build of the main branch names what is not
    shown, if it is newer, and a build of the maintenance branch does not speak of its own edits."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    settings = '[[source]]\nid = "words"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
    project.commit({"site.toml": settings}, day=date(2024, 1, 1))
    project.release("v1.0", GLOSSARY, day=date(2024, 1, 2))
    project.git("checkout", "--quiet", "-b", "repairs")
    project.release("v1.1", GLOSSARY, day=date(2024, 2, 1))
    project.git("checkout", "--quiet", "main")
    more = f"{GLOSSARY}\n## C\n\nThree things.\n"
    project.commit({"GLOSSARY.md": more}, day=date(2024, 3, 1))
    note = 'words: 1 term changed since 1.1 is not shown (C); head = "main" in [[source]]'
    assert note in build(command)
    project.git("checkout", "--quiet", "repairs")
    project.release("v1.2", GLOSSARY, day=date(2024, 4, 1))
    project.git("checkout", "--quiet", "main")
    assert "not shown" not in build(command)
    project.git("checkout", "--quiet", "-b", "old", "v1.0")
    project.commit({"GLOSSARY.md": more}, day=date(2024, 5, 1))
    assert "not shown" not in build(command)


def test_probable_renames_are_shown_before_the_first_publication(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """The first build of a history says how many removed and added terms are probably one; what
    site.toml decides, and what was published, is not asked again."""
    words = "A named pointer to the state of a volume at one moment, kept until it is deleted"
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    project.release("v1.0", f"{GLOSSARY}\n## State image\n\n{words}.\n")
    project.release("v1.1", f"{GLOSSARY}\n## Snapshot\n\n{words} by hand.\n")
    settings = '[[source]]\nid = "words"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
    (project.path / "site.toml").write_text(settings, encoding="utf-8")
    note = "note: 1 term was probably renamed; decide what `sitegen check` says of them before"
    assert note in build(command)
    table = '[[rename]]\nsource = "words"\nfrom = "State image"\nto = "Snapshot"\n'
    (project.path / "site.toml").write_text(f"{settings}\n{table}", encoding="utf-8")
    assert "probably renamed" not in build(command)
    page = Path("site/term/snapshot/index.html").read_text(encoding="utf-8")
    assert "<title>Snapshot" in page
    (project.path / "site.toml").write_text(settings, encoding="utf-8")
    assert "probably renamed" in build(command)
    project.commit({})
    assert "probably renamed" not in build(command)


def build(command: Command) -> str:
    """Builds a new site of the current folder, and returns what was printed."""
    rmtree("site", ignore_errors=True)
    return command("build").out


def test_a_rename_is_checked_by_the_published_words_of_a_missing_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """Without the folder of a published release, a rename of one of its terms still applies, and
    a rename that fits no term is a problem."""
    monkeypatch.chdir(tmp_path)
    tables = '[[source]]\nid = "words"\nfolder = "words"\n'
    for old, new in (("A", "C"), ("Typo", "B")):
        tables += f'[[rename]]\nsource = "words"\nfrom = "{old}"\nto = "{new}"\n'
    Path("site.toml").write_text(tables, encoding="utf-8")
    for release, first in (("1.0", "## A\n\nOne.\n\n"), ("1.1", "## C\n\nOther words.\n\n")):
        glossary = Path("words", release, "GLOSSARY.md")
        glossary.parent.mkdir(parents=True)
        text = f"# Glossary\n\n{first}## B\n\nTwo.\n"
        glossary.write_text(text, encoding="utf-8")
    for _ in range(2):
        outcome = command("build")
        assert "[[rename]] 'Typo' is not the name of a term in words" in outcome.err
        assert "'A'" not in outcome.err
        rmtree("words/1.0", ignore_errors=True)


def test_a_rename_is_not_checked_where_a_published_tag_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """A clone without a published tag may lack other tags too, to which a rename may apply."""
    project = Repository(tmp_path / "project")
    monkeypatch.chdir(project.path)
    settings = '[[source]]\nid = "words"\ngit = "."\npaths = ["GLOSSARY.md"]\n'
    rename = '[[rename]]\nsource = "words"\nfrom = "Later"\nto = "B"\n'
    project.commit({"site.toml": settings + rename})
    for tag in ("v1.0", "v1.1"):
        project.release(tag, GLOSSARY)
    problem = "[[rename]] 'Later' is not the name of a term in words"
    assert problem in command("build").err
    project.commit({"archive.jsonl": Path("archive.jsonl").read_text(encoding="utf-8")})
    assert problem in command("build").err
    project.git("tag", "--delete", "v1.0")
    assert problem not in command("build").err


def test_what_is_missing_in_a_glossary_without_releases_is_said_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """A term that left, or a file that cannot be read, is one note, which has no empty name of a
    release."""
    monkeypatch.chdir(tmp_path)
    Path("site.toml").write_text('[[source]]\nid = "words"\nfolder = "words"\n', encoding="utf-8")
    glossary = Path("words/GLOSSARY.md")
    glossary.parent.mkdir()
    glossary.write_text(GLOSSARY, encoding="utf-8")
    command("build")
    glossary.write_text(GLOSSARY.replace("## B", "## C"), encoding="utf-8")
    note = "note: words does not have B any more; the published pages stay\n"
    assert note in command("build").out
    glossary.unlink()
    note = "note: words: not read now; the published words are shown\n"
    assert note in command("build").out


def test_releases_that_are_left_out_are_one_note_after_a_new_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """Releases that were published under two ids of a source are named by its present id."""
    monkeypatch.chdir(tmp_path)
    for id, release in (("old", "1.0"), ("new", "1.1")):
        place = Path("words", release, "GLOSSARY.md")
        place.parent.mkdir(parents=True)
        place.write_text(GLOSSARY, encoding="utf-8")
        source = f'[[source]]\nid = "{id}"\nfolder = "words"\n'
        Path("site.toml").write_text(source, encoding="utf-8")
        command("build")
    Path("words/1.2").mkdir()
    Path("words/1.2/GLOSSARY.md").write_text(GLOSSARY, encoding="utf-8")
    retired = '[[retired]]\nsource = "new"\nrelease = ["1.0", "1.1"]\nreason = "too early"\n'
    Path("site.toml").write_text(source + retired, encoding="utf-8")
    assert "note: new 1.0, 1.1: left out by site.toml" in command("build").out
