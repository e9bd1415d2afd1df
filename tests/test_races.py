"""A link that takes the place of a file or folder between a check and its use is followed
nowhere."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_repositories import GLOSSARY, everything
from soaking import IS_SOAK
from system_calls import before_call
from written_sites import write_site

from sitegen.model import File, SitegenError
from sitegen.permanence.ledger_file import LedgerStore
from sitegen.pipeline import staging
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones

FILES = {"index.html": b"first", "term/leaf/index.html": b"Leaf", "term/tree/index.html": b"Tree"}
SECRET = "## Secret\n\nOnly outside of the checkout.\n"


def link(place: Path, target: Path) -> None:
    """Puts a link in the place of a file or folder, which is moved aside."""
    with suppress(FileNotFoundError):
        place.rename(place.with_name(f"{place.name}.aside"))
    with suppress(FileNotFoundError, FileExistsError):
        place.symlink_to(target)


def tree(root: Path) -> Path:
    """The tree of the build that is running, or of one that was killed."""
    return next(root.glob(".site.new-????????"), root / ".none")


PLACES: dict[str, Callable[[Path], Path]] = {
    "the folder above": lambda root: root,
    "the tree": tree,
    "a folder of the tree": lambda root: tree(root) / "term",
    "a folder in a folder of the tree": lambda root: tree(root) / "term/leaf",
    "a file of the tree": lambda root: tree(root) / "index.html",
    "the site": lambda root: root / "site",
    "a folder of the site": lambda root: root / "site/term",
    "a file of the site": lambda root: root / "site/index.html",
}


def moments(calls: int) -> range:
    """Numbers of calls at which a link appears: all in a soak, else eight."""
    return range(1, calls + 1, 1 if IS_SOAK else max(1, calls // 8))


@pytest.mark.soak
@pytest.mark.parametrize("place", PLACES)
def test_a_link_in_the_place_of_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """At whichever moment a link appears, nothing outside changes; the write fails in a line, or is
    right."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for path, content in FILES.items():
        (outside / path).parent.mkdir(parents=True, exist_ok=True)
        (outside / path).write_bytes(content + b" outside")
    (outside / "mine.txt").write_text("mine")
    inside.mkdir()
    monkeypatch.chdir(inside)
    monkeypatch.setattr(staging, "flush", lambda opened: None)  # other programs keep the disk busy
    before = everything(outside)
    target = outside / ("index.html" if place.startswith("a file") else "")

    def at_call(number: int) -> int:
        root = inside / f"{number}"
        for content in (b"", b" again"):
            write(Path(root.name), content)
        with (
            before_call(number, lambda: link(PLACES[place](root), target)) as count,
            suppress(SitegenError),
        ):
            write(Path(root.name), b"")
        return count[0]

    calls = at_call(0)
    assert calls > 50
    for number in moments(calls):
        at_call(number)
        assert everything(outside) == before, f"call {number} of {calls}"


def write(root: Path, more: bytes) -> None:
    write_site(
        root / "site", [File(path=path, content=content + more) for path, content in FILES.items()]
    )


READ = ("words", "words/1.0", "words/1.0/deep", "words/1.0/deep/GLOSSARY.md", "words/theme", "words/theme/logo.svg",
        "words/site.toml", "words/permalinks.json")  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("place", READ)
def test_a_link_in_the_place_of_what_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """At whichever moment a link appears, no page has a word from outside, and nothing there
    changes."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for root, more in ((outside, SECRET), (inside, "")):
        (root / "words/1.0/deep").mkdir(parents=True)
        (root / "words/theme").mkdir()
        (root / "words/1.0/deep/GLOSSARY.md").write_text(GLOSSARY + more)
        (root / "words/theme/logo.svg").write_text(f"<svg>{more}</svg>")
        (root / "words/site.toml").write_text(
            f'[site]\ntitle = "{more[3:9]}"\n[theme]\nlogo = "theme/logo.svg"\n'
        )
        (root / "words/permalinks.json").write_text("")
    before = everything(outside)
    monkeypatch.chdir(inside)
    monkeypatch.setattr(staging, "flush", lambda opened: None)
    words, site = Path("words"), Path("site")

    def run() -> None:
        with suppress(SitegenError):
            ledger_store = LedgerStore(path=words / "permalinks.json")
            build(
                words,
                site,
                notify=lambda result: None,
                clones=Clones(folder=tmp_path / "clones"),
                ledger_store=ledger_store,
            )

    with before_call(0, lambda: None) as count:
        run()
    for number in moments(count[0]):
        shutil.rmtree(site, ignore_errors=True)
        with before_call(number, lambda: link(inside / place, outside / place)):
            run()
        found = [
            path for path in [*site.rglob("*")] if path.is_file() and b"Secret" in path.read_bytes()
        ]
        assert found == [], f"call {number} of {count[0]}"
        assert everything(outside) == before, f"call {number} of {count[0]}"
        if (inside / place).is_symlink():
            (inside / place).unlink()
            (inside / f"{place}.aside").rename(inside / place)


@pytest.mark.parametrize(
    "place", ["site/term", "site/term/leaf", "{tree}", "{tree}/term", "{tree}/term/leaf"]
)
def test_a_mount_in_what_a_build_replaces(tmp_path: Path, place: str) -> None:
    """What is mounted in a site or a tree stops a build in a line, and nothing in it is deleted."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "mine.txt").write_text("mine")
    write(tmp_path, b"")
    (tmp_path / ".site.new-00000000/term/leaf").mkdir(parents=True)
    mounted = tmp_path / place.format(tree=tree(tmp_path).relative_to(tmp_path))
    mounted.mkdir(exist_ok=True)
    if (
        subprocess.run(
            ["mount", "--bind", outside, mounted], capture_output=True, check=False
        ).returncode
        != 0
    ):
        pytest.skip("only root may mount here")
    try:
        with pytest.raises(SitegenError, match="is a mount point"):
            write(tmp_path, b"new")
    finally:
        subprocess.run(["umount", mounted], check=True)
    assert [path.name for path in outside.iterdir()] == ["mine.txt"]
