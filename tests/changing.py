"""A small glossary that changes at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

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
