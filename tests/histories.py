"""Random lives of a glossary, with the truth beside them: which concept stood under which name at which release.

Every concept has a word of its own, its mark, in each of its definitions, by which it can be known again whatever it
is called. A history is played release by release; each release is written in some format, and may come with words of
a person for site.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from sitegen.config import parse
from sitegen.model import Document, Release, Source
from sitegen.sources import Holding

NAMES = (
    "C;C++;C#;(c);head;HEAD;straße;strasse;tensor;Tensor;>>>;...;-1;constructor;__proto__;CON;Nul;аpi;api;"
    "leaf node;Leaf-node;a b;a-b;a.b;a/b;volume;snapshot;image;キー;مفتاح;🚀;x 2;x;naïve;naive"
).split(";")


@dataclass(slots=True)
class Concept:
    mark: str
    name: str
    others: list[str] = field(default_factory=list)
    edition: int = 0
    merged_into: Concept | None = None
    defined: bool = True

    def definition(self) -> str:
        return f"The {self.mark} thing of this story, told for time {self.edition}, stands alone in every way."


@dataclass(slots=True)
class World:
    """A glossary that changes at random from release to release."""

    random: Random
    concepts: list[Concept] = field(default_factory=list)
    released: list[tuple[str, str, str]] = field(default_factory=list)
    """(release, file name, text)"""
    said: list[str] = field(default_factory=list)
    """Tables for site.toml."""
    withdrawn: set[str] = field(default_factory=set)

    def live(self) -> list[Concept]:
        return [concept for concept in self.concepts if concept.defined]

    def free_names(self) -> list[str]:
        taken = {name.casefold() for concept in self.live() for name in (concept.name, *concept.others)}
        return [name for name in NAMES if name.casefold() not in taken]

    def play(self, release: str) -> None:
        """Lets something happen, then releases the glossary."""
        for _ in range(self.random.randint(1, 3) if self.concepts else 6):
            self.random.choice(self._possible())(release)
        write = self.random.choice((markdown, restructured, myst))
        self.released.append((release, *write(self.live())))
        if len(self.released) > 4 and self.random.random() < 0.08:
            self._withdraw()

    def _possible(self):  # type: ignore[no-untyped-def]
        happenings = [self._add] * 3
        if self.concepts and self.released:
            happenings += [self._bring_back, self._swap_case, self._reword]
        if len(self.live()) > 3 and self.released:
            happenings += [self._rename, self._rename_by_word, self._delete, self._merge]
        return happenings

    def _add(self, release: str) -> None:
        mark = "mark" + "".join(self.random.choices("bcdfghklmnpqrstvwz", k=8))
        self.concepts.append(Concept(mark, self.random.choice(self.free_names())))

    def _settled(self) -> list[Concept]:
        """Concepts that nothing has happened to since the last release."""
        last = self.released[-1][2]
        return [one for one in self.live() if one.definition() in last and one.merged_into is None]

    def _rename(self, release: str) -> None:
        if settled := self._settled():
            self.random.choice(settled).name = self.random.choice(self.free_names())

    def _rename_by_word(self, release: str) -> None:
        if settled := self._settled():
            concept = self.random.choice(settled)
            old, new = concept.name, self.random.choice(self.free_names())
            concept.name, concept.edition = new, concept.edition + 1
            self.said.append(
                f'[[rename]]\nsource = "s"\nfrom = "{old}"\nto = "{new}"\nrelease = "{release}"\nreason = "told"\n'
            )

    def _delete(self, release: str) -> None:
        self.random.choice(self.live()).defined = False

    def _bring_back(self, release: str) -> None:
        free = self.free_names()
        gone = [one for one in self.concepts if not one.defined and not one.merged_into and one.name in free]
        if gone:
            self.random.choice(gone).defined = True

    def _swap_case(self, release: str) -> None:
        concept = self.random.choice(self.concepts)
        concept.name = concept.name.swapcase() if concept.name.isascii() else concept.name

    def _reword(self, release: str) -> None:
        self.random.choice(self.concepts).edition += 1

    def _merge(self, release: str) -> None:
        if len(settled := self._settled()) > 1:
            into, gone = self.random.sample(settled, 2)
            gone.defined, gone.merged_into = False, into
            into.others.append(gone.name)

    def _withdraw(self) -> None:
        release = self.random.choice([name for name, _, _ in self.released[:-1] if name not in self.withdrawn])
        self.withdrawn.add(release)
        self.said = [table for table in self.said if f'release = "{release}"' not in table]
        self.said.append(f'[[retired]]\nsource = "s"\nrelease = "{release}"\nreason = "withdrawn"\n')

    def inputs(self):  # type: ignore[no-untyped-def]
        """What a build reads: the configuration, and every release that still stands."""
        standing = [one for one in self.released if one[0] not in self.withdrawn]
        source = Source(id="s", title="S", releases=tuple(Release(name=release) for release, _, _ in standing))
        documents = tuple(
            Document(source="s", release=release, path=f"{release}/{name}", name=name, text=text)
            for release, name, text in standing
        )
        text = '[[source]]\nid = "s"\nfolder = "s"\n' + "".join(self.said)
        return parse(text, path="site.toml"), [Holding(source=source, documents=documents, unread=(), problems=())]


def markdown(concepts: list[Concept]) -> tuple[str, str]:
    return restructured(concepts) if any(one.others for one in concepts) else ("GLOSSARY.md", _markdown(concepts))


def _markdown(concepts: list[Concept]) -> str:
    escaped = {
        one.mark: "".join(f"\\{sign}" if sign in r"\`*_{}[]<>()#+-.!|" else sign for sign in one.name)
        for one in concepts
    }
    return "# Glossary\n\n" + "".join(f"## {escaped[one.mark]}\n\n{one.definition()}\n\n" for one in concepts)


def restructured(concepts: list[Concept]) -> tuple[str, str]:
    return "docs/glossary.rst", "Glossary\n========\n\n.. glossary::\n\n" + "".join(
        _item(one, "   ") for one in concepts
    )


def myst(concepts: list[Concept]) -> tuple[str, str]:
    body = "".join(_item(one, "") for one in concepts)
    return "docs/glossary.md", f"# Glossary\n\n```{{glossary}}\n{body}```\n"


def _item(concept: Concept, indent: str) -> str:
    names = "".join(f"{indent}{_escaped(name)}\n" for name in (concept.name, *concept.others))
    return f"{names}{indent}   {concept.definition()}\n\n"


def _escaped(name: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_|<>.-+#" else sign for sign in name)


def worlds(seed: int, releases: int) -> Iterator[World]:
    """Plays a history and gives the world after each of its releases."""
    world = World(Random(seed))
    for number in range(1, releases + 1):
        world.play(f"{number}.0")
        yield world
