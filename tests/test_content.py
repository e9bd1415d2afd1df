"""This project's own glossary: its archive is up to date, and it shows every kind of change."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import get_args

import pytest
from built_site import BuiltSite, dead_links, lost_addresses
from conftest import ROOT, Command
from sites import read_site

from sitegen import formats
from sitegen.model import Document
from sitegen.model.terms import ChangeKind
from sitegen.permanence.archive_lines import parse
from sitegen.permanence.published_archive import in_git

CONTENT = ROOT / "content"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    shutil.copytree(ROOT / "docs", project / "docs")
    return Path(shutil.copytree(CONTENT, project / "content"))


def test_every_link_and_published_address_leads_somewhere(
    copy: Path, tmp_path: Path, command: Command
) -> None:
    """A locked build passes, so the archive was committed with the last change; no link within the
    site is dead, and every address in its archive is answered."""
    folder = tmp_path / "site"
    result = command("build", str(copy), "-o", str(folder), "--locked", "--strict")
    assert result.status == 0, result.err
    paths = [path for path in folder.rglob("*") if path.is_file()]
    site = BuiltSite((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)
    archive = parse((folder / "archive.jsonl").read_text(encoding="utf-8"), "archive.jsonl")
    assert [*dead_links(site), *lost_addresses(archive, site)] == []
    assert archive.by_address
    assert (folder / "pages/index.html").is_file()


def test_no_commit_took_a_line_from_its_archive() -> None:
    """In a clone of this repository, the archive of content/ can be read as the build reads it."""
    archive_in_git = in_git(CONTENT / "archive.jsonl")
    if archive_in_git is None:
        pytest.skip("not in a clone of its repository")
    assert archive_in_git.read().by_address


def test_every_kind_of_change_occurs() -> None:
    """At least 60 terms over at least 8 releases go through every kind of change there is."""
    site = read_site(CONTENT)
    assert len(site.lives) >= 60
    assert len(site.by_release) >= 8
    assert {change.kind for life in site.lives for change in life.changes} >= {
        *get_args(ChangeKind)
    }


def test_every_format_is_used() -> None:
    """The documents are in all text formats."""
    found = set()
    for path in sorted(path for path in CONTENT.glob("*/**/*") if path.is_file()):
        text = path.read_text(encoding="utf-8")
        document = Document(source="s", release="1", path=path.name, name=path.name, text=text)
        form = formats.recognize(document)
        found.add(form.name if form else None)
    assert found == {"html", "markdown", "myst", "sphinx", "text"}
