"""A build after a change gives the same bytes as a first build, whatever changed."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from soaking import seeds

from sitegen.pipeline import workers
from sitegen.pipeline.site_build import build
from sitegen.site.pages import letters
from sitegen.site.rendering import Renderer
from sitegen.sources.git.repositories import Clones

CHANGES = 6

NAMES = "anchor boat crew deck engine flag galley helm".split()
WORDS = "holds the ship in its place while nobody is on board and waits for wind".split()


@dataclass
class Keeper:
    """Makes random changes to a glossary."""

    folder: Path
    random: Random
    releases: dict[str, dict[str, str]] = field(default_factory=dict)
    title: str = "Ships"

    def begin(self) -> None:
        for number in range(3):
            self.releases[f"1.{number}"] = {
                name: self.words() for name in self.random.sample(NAMES, 6)
            }
        self.write()

    def words(self) -> str:
        mention = f"See :term:`{self.random.choice(NAMES)}`." if self.random.random() < 0.6 else ""
        return " ".join([*self.random.choices(WORDS, k=self.random.randint(2, 7)), mention]).strip()

    def change(self) -> str:
        """Makes a change and returns its description."""
        release = self.releases[self.random.choice(list(self.releases))]
        name = self.random.choice(list(release))
        changes: dict[str, Callable[[], object]] = {
            "reword": lambda: release.update({name: self.words()}),
            "remove": lambda: release.pop(name) if len(release) > 2 else None,
            "add": lambda: release.update({self.random.choice(NAMES): self.words()}),
            "rename": lambda: release.update(
                {f"{name} {self.random.randint(2, 9)}": release.pop(name)}
            ),
            "same as": lambda: release.update({name: f"See :term:`{self.random.choice(NAMES)}`."}),
            "other name": lambda: release.update(
                {f"{name}\n   {name.title()}s": release.pop(name)}
            ),
            "reorder": lambda: release.update({name: release.pop(name)}),
            "release": lambda: self.releases.update({f"1.{len(self.releases)}": dict(release)}),
            "title": lambda: setattr(self, "title", f"Ships {self.random.randint(2, 99)}"),
        }
        what = self.random.choice(list(changes))
        changes[what]()
        self.write()
        return what

    def write(self) -> None:
        (self.folder / "words").mkdir(parents=True, exist_ok=True)
        (self.folder / "site.toml").write_text(
            f'[site]\ntitle = "{self.title}"\n[[source]]\nid = "ships"\nfolder = "words"\n'
        )
        for release, terms in self.releases.items():
            entries = "".join(f"   {name}\n      {words}\n" for name, words in terms.items())
            (self.folder / "words" / release).mkdir(exist_ok=True)
            (self.folder / "words" / release / "glossary.rst").write_text(
                f".. glossary::\n\n{entries}"
            )


def built(folder: Path, site: Path, *, jobs: int) -> dict[str, bytes]:
    build(
        folder, site, notify=lambda doing: None, clones=Clones(folder=folder / "clones"), jobs=jobs
    )
    return {
        str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(test=2, soak=10))
def test_as_a_first_build_would(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each of a sequence of changes, the updated site equals one built from nothing."""
    monkeypatch.setattr(workers, "WORTHWHILE", 4)
    monkeypatch.setattr(letters, "MANY_TERMS", 4)
    keeper = Keeper(tmp_path / "content", Random(seed))
    keeper.begin()
    done = ["nothing"]
    for _ in range(CHANGES):
        kept = built(keeper.folder, tmp_path / "kept/site", jobs=2)
        anew = built(keeper.folder, tmp_path / "anew/site", jobs=1)
        different = [path for path in kept.keys() | anew.keys() if kept.get(path) != anew.get(path)]
        assert different == [], done
        shutil.rmtree(tmp_path / "anew")
        done.append(keeper.change())


def test_only_what_changed_is_made(tmp_path: Path) -> None:
    """After one word changed, pages of other terms are the same files as before, even if they
    mention the term."""
    keeper = Keeper(tmp_path / "content", Random(1))
    keeper.releases = {
        "1.0": dict.fromkeys(NAMES[:6], "Holds."),
        "1.1": dict.fromkeys(NAMES, "Waits on a :term:`deck`."),
    }
    keeper.write()
    built(keeper.folder, tmp_path / "site", jobs=1)
    before = {path: path.stat().st_ino for path in (tmp_path / "site/term").rglob("index.html")}
    keeper.releases["1.1"]["deck"] = "Waits once."
    keeper.write()
    built(keeper.folder, tmp_path / "site", jobs=1)
    after = {path: path.stat().st_ino for path in (tmp_path / "site/term").rglob("index.html")}
    changed = {
        path.relative_to(tmp_path / "site/term").parts[0]
        for path in after
        if after[path] != before.get(path)
    }
    assert changed == {"deck"}


def test_only_releases_that_say_something_else_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a term changed in the newest release, pages of older releases are not written again."""
    made: list[str] = []
    render = Renderer.render
    monkeypatch.setattr(
        Renderer, "render", lambda self, page: made.append(page.address) or render(self, page)
    )
    keeper = Keeper(tmp_path / "content", Random(1))
    keeper.releases = {
        "1.0": dict.fromkeys(NAMES[:6], "Holds."),
        "1.1": dict.fromkeys(NAMES, "Waits."),
    }
    keeper.releases["1.2"] = {**keeper.releases["1.1"]}
    keeper.write()
    built(keeper.folder, tmp_path / "site", jobs=1)
    made.clear()
    keeper.releases["1.2"]["deck"] = "Waits once."
    keeper.write()
    built(keeper.folder, tmp_path / "site", jobs=1)
    pages = [address for address in made if address.startswith("release/")]
    assert pages == ["release/", "release/1.2/", "release/1.2/terms/"]


def test_only_lists_that_changed_are_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a change in the newest release, only its inventory is compressed again."""
    packed = []
    compress = zlib.compress
    monkeypatch.setattr(
        zlib, "compress", lambda lines, level: packed.append(lines) or compress(lines, level)
    )
    keeper = Keeper(tmp_path / "content", Random(1))
    keeper.releases = {
        "1.0": dict.fromkeys(NAMES[:6], "Holds."),
        "1.1": dict.fromkeys(NAMES, "Waits."),
    }
    keeper.releases["1.2"] = {**keeper.releases["1.1"]}
    keeper.write()
    built(keeper.folder, tmp_path / "site", jobs=1)
    assert len(packed) == 4
    packed.clear()
    keeper.releases["1.2"]["deck"] = "Waits once."
    keeper.write()
    built(keeper.folder, tmp_path / "site", jobs=1)
    assert [b"term/deck/1.2/" in lines for lines in packed] == [True]
