"""A second build writes what a first build would write."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Command
from hypothesis import given
from hypothesis import strategies as st
from written_sites import contents

from sitegen.model import digest
from sitegen.pipeline import site_build as build
from sitegen.pipeline.output import record, recorded_digests
from sitegen.sources.folder_trees import MARKER

SITE = '[site]\nbase_url = "https://example.org/words/"\n'
DATED = f'{SITE}[[release]]\nname = "1.0"\ndate = 2024-02-29\n'
TEXT = "# Glossary\n\n## Anchor\n\nHolds.\n\n## Boat\n\nFloats, see `Anchor`.\n"


@pytest.fixture
def run(command: Command, words: Path) -> Command:
    return command


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A glossary of two releases, in the current folder."""
    for release, text in {"1.0": TEXT, "1.1": TEXT.replace("Holds.", "Holds a boat.")}.items():
        (tmp_path / "words" / release).mkdir(parents=True)
        (tmp_path / "words" / release / "GLOSSARY.md").write_text(text)
    (tmp_path / "words/site.toml").write_text(SITE)
    return tmp_path / "words"


def anew(run: Command) -> dict[str, bytes]:
    """Returns the files that a build of the same words without a cache writes."""
    shutil.copytree("words", "again/words", dirs_exist_ok=True)
    assert run("build", "again/words", "-o", "again/site", "--no-ledger").status == 0
    files = contents(Path("again/site"))
    shutil.rmtree("again")
    return files


def test_nothing_has_changed(run: Command, words: Path) -> None:
    """Without changes, the site, the archive and the output stay the same."""
    first = run("build", "words").out.partition(" in ")[0]
    before = contents(Path())
    assert run("build", "words").out.partition(" in ")[0] == first
    assert contents(Path()) == before


def _edit(path: str, text: str) -> Callable[[], None]:
    def edit() -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)

    return edit


CHANGES: dict[str, Callable[[], None]] = {
    "a word of a definition": _edit("words/1.1/GLOSSARY.md", TEXT.replace("Floats", "Swims")),
    "a line more": _edit("words/1.1/GLOSSARY.md", TEXT.replace("## Boat", "\n## Boat")),
    "a release more": _edit("words/1.2/GLOSSARY.md", TEXT),
    "a term more": _edit("words/1.1/GLOSSARY.md", TEXT + "\n## Crew\n\nSails.\n"),
    "what site.toml says": _edit("words/site.toml", f'{SITE}title = "Ships"\n'),
    "a day of a release": _edit("words/site.toml", DATED),
    "a page that is gone": lambda: Path("site/a-z/index.html").unlink(),
    "a site that is gone": lambda: shutil.rmtree("site"),
    "a page that was touched": lambda: Path("site/index.html").touch(),
    "nothing": lambda: None,
}


@pytest.mark.parametrize("change", CHANGES)
def test_as_if_for_the_first_time(run: Command, words: Path, change: str) -> None:
    """After any change of the sources or the site, a build writes the files of a first build."""
    assert run("build", "words", "--no-ledger").status == 0
    CHANGES[change]()
    assert run("build", "words", "--no-ledger").status == 0
    assert contents(Path("site")) == anew(run)


@pytest.mark.parametrize("page", ["site/index.html", "site/mine/index.html"])
def test_page_of_the_user_is_found_without_other_changes(
    run: Command, words: Path, page: str
) -> None:
    """A page that a person wrote into the site stops the next build, also if nothing else has
    changed."""
    assert run("build", "words", "--no-ledger").status == 0
    _edit(page, "mine")()
    assert page.removeprefix("site/") in run("build", "words", "--no-ledger").err
    assert Path(page).read_text() == "mine"


def test_another_template(run: Command, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed template renders every page again."""
    run("build", "words")
    templates = build.read_templates()
    layout = templates["layout.html"].replace("<body>", '<body class="mine">')
    monkeypatch.setattr(build, "read_templates", lambda: {**templates, "layout.html": layout})
    run("build", "words")
    assert b'<body class="mine">' in Path("site/index.html").read_bytes()


def test_an_archive_that_was_changed(run: Command, words: Path) -> None:
    """A changed archive is noticed, even if nothing else changed."""
    assert run("build", "words").status == 0
    archive = words / "archive.jsonl"
    archive.write_text(archive.read_text().replace("anchor", "ankle"))
    assert "was changed" in run("build", "words").err


def test_another_archive(run: Command, words: Path) -> None:
    """A build with an archive and one without differ."""
    run("build", "words", "--no-ledger")
    assert not Path("site/archive.jsonl").exists()
    run("build", "words")
    assert Path("site/archive.jsonl").exists()


def test_an_archive_that_is_gone(run: Command, words: Path) -> None:
    """An archive that was not published and is deleted is written again."""
    subprocess.run(["git", "init", "--quiet"], check=True)
    run("build", "words")
    archive = words / "archive.jsonl"
    before = archive.read_bytes()
    archive.unlink()
    assert run("build", "words").status == 0
    assert archive.read_bytes() == before


def test_a_lost_archive_is_taken_from_the_site(run: Command, words: Path) -> None:
    """Outside of git, a build without the archive of its site is refused, and `--ledger` takes in
    what the site has, as the message says."""
    assert run("build", "words").status == 0
    archive = words / "archive.jsonl"
    before = archive.read_bytes()
    archive.unlink()
    refused = run("build", "words")
    assert refused.status == 2
    assert "take in what the site has with --ledger site/archive.jsonl;" in refused.err
    assert run("build", "words", "--ledger", "site/archive.jsonl").status == 0
    assert archive.read_bytes() == before


def test_nothing_else_is_kept(run: Command, words: Path) -> None:
    """A build writes nothing but its site and its archive."""
    for _ in range(2):
        run("build", "words")
    assert {path.name for path in Path().iterdir()} == {"words", "site"}
    assert {path.name for path in words.iterdir()} == {
        ".gitattributes",
        "1.0",
        "1.1",
        "archive.jsonl",
        "site.toml",
    }


EVIL = "<p>Something else</p>"


def test_a_prepared_site_is_built_anew(run: Command, words: Path) -> None:
    """A site that a checkout or an archive brings is replaced, though its record is right."""
    run("build", "words", "--no-ledger")
    page, marker = Path("site/index.html"), Path("site", MARKER)
    page.write_text(EVIL)
    digests = recorded_digests(marker.read_bytes())
    marker.write_bytes(record({**digests, "index.html": digest(EVIL.encode()).hex()}))
    assert run("build", "words", "--no-ledger").status == 0
    assert page.read_text() != EVIL


@given(st.binary(max_size=200), st.integers(0, 300), st.integers(0, 300))
def test_a_damaged_record_has_only_what_can_be_read(more: bytes, start: int, end: int) -> None:
    """A record is read as it was written; from a damaged one, nothing is raised."""
    digests = {"a b.html": "00", "é": "11", "\udc80": "22"}
    content = record(digests)
    assert recorded_digests(content) == digests
    recorded_digests(content[:start] + more + content[end:])
