"""Random histories of glossaries, with the truth: the name of each concept at each release.

Every concept has a word of its own, its mark, in each of its definitions, by which it can be known
again whatever it is called. A history is played release by release; each release is written in some
format, and may come with words of a person for site.toml, or have a file that cannot be read. A
second glossary may appear on the way, and share names with the first. `history_files` writes a
history to the disk; `accidents` are what happens to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum
from random import Random
from typing import Literal

from sitegen.text.release_names import ordered

NAMES = (
    "C;C++;C#;(c);head;HEAD;straße;strasse;tensor;Tensor;>>>;...;-1;constructor;__proto__;CON;Nul;аpi;api;"
    "leaf node;Leaf-node;a b;a-b;a.b;a/b;volume;snapshot;image;キー;مفتاح;🚀;x 2;x;naïve;naive"
).split(";")

FOLDERS = ("", "more/")
"""Where a glossary has its files: each concept stays in one of them."""
OWN = "@own@"
"""In tables for site.toml: a placeholder for the id of the glossary that the table belongs to."""

Kind = Literal["folders", "tags", "months"]
"""Where a world keeps its releases: folders, the tags of a repository, or the months of its
commits."""


class Special(Enum):
    """What can be in the place of a file."""

    LINK = "a symbolic link"
    DEVICE = "neither a file nor a link"


Files = dict[str, str | bytes | Special]
"""The files of a release, by their names."""


@dataclass
class Concept:
    mark: str
    name: str
    others: list[str] = field(default_factory=list)
    edition: int = 0
    merged_into: Concept | None = None
    defined: bool = True
    folder: str = ""

    def definition(self) -> str:
        return (
            f"The {self.mark} thing of this story, told for time {self.edition}, stands alone "
            f"in every way."
        )


@dataclass
class Glossary:
    """A glossary that changes at random from release to release."""

    id: str
    random: Random
    formerly: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    """The releases in the order that site.toml declares."""
    concepts: list[Concept] = field(default_factory=list)
    released: list[tuple[str, Files]] = field(default_factory=list)
    """Each release with its files."""
    result: list[str] = field(default_factory=list)
    """Tables for site.toml."""
    settings: dict[str, str] = field(default_factory=dict)
    """Further keys of its [[source]]."""
    untagged: set[str] = field(default_factory=set)
    """Releases whose tags were deleted."""
    moved: dict[str, Files] = field(default_factory=dict)
    """Releases whose tags were moved to a commit beside the main line, with its files."""
    days_later: int = 0
    """The number of days by which all dates of commits were changed."""
    depth: int = 0
    """The number of commits in a shallow clone; 0 for a whole one."""
    withdrawn: set[str] = field(default_factory=set)
    freed: list[str] = field(default_factory=list)
    """Names that a concept had before and has no longer."""
    recent: frozenset[str] = frozenset()
    """Names in the last release. A concept that took one over at once would be indistinguishable
    from the previous one.
    """
    origin: str = "s"
    """Its first id, after which its folder is named."""
    said: str = ""
    """The texts of the last release."""

    def live(self) -> list[Concept]:
        return [concept for concept in self.concepts if concept.defined]

    def name(self) -> str:
        """Returns a free name: often one that a concept had before, and sometimes one that differs
        only in case."""
        fold = str if self.random.random() < 0.05 else str.casefold
        taken = {fold(name) for one in self.live() for name in (one.name, *one.others)} | {
            *map(fold, self.recent)
        }
        free = [name for name in NAMES if fold(name) not in taken]
        second_hand = [name for name in free if name in self.freed]
        return self.random.choice(
            second_hand if second_hand and self.random.random() < 0.5 else free
        )

    def play(self, release: str) -> None:
        """Applies random events, then releases the glossary."""
        for _ in range(self.random.randint(1, 3) if self.concepts else 6):
            self.random.choice(self._possible())(release)
        self.write(release)
        names = frozenset(name for one in self.live() for name in (one.name, *one.others))
        self.freed += sorted(self.recent - names)
        self.recent = names
        if len(self.released) > 4 and self.random.random() < 0.08:
            self._withdraw()

    def write(self, release: str) -> None:
        """Writes a file for each folder with concepts; now and then one of several is
        unreadable."""
        write = self.random.choice((markdown, restructured, myst))
        files: Files = {}
        for folder in FOLDERS:
            if concepts := [one for one in self.live() if one.folder == folder]:
                name, text = write(concepts)
                files[folder + name] = text
        self.said = "".join(map(str, files.values()))
        self.released.append((release, files))
        if len(files) > 1 and self.random.random() < 0.2:
            files[self.random.choice([*files])] = Special.LINK

    def _possible(self) -> list[Callable[[str], None]]:
        course_changes = [self._add] * 3
        if self.concepts and self.released:
            course_changes += [self._bring_back, self._swap_case, self._reword, self._split]
        if len(self.live()) > 3 and self.released:
            course_changes += [
                self._rename,
                self._rename_again,
                self._rename_by_word,
                self._delete,
                self._merge,
            ]
            course_changes += [self._admit, self._say_distinct, self._say_same]
        return course_changes

    def _add(self, release: str) -> None:
        folder = self.random.choices(FOLDERS, weights=(3, 1))[0]
        self.concepts.append(Concept(self._mark(), self.name(), folder=folder))

    def _mark(self) -> str:
        return "mark" + "".join(self.random.choices("bcdfghklmnpqrstvwz", k=8))

    def _settled(self) -> list[Concept]:
        """Returns concepts without an event since the last release."""
        return [
            one
            for one in self.live()
            if one.definition() in self.said and one.name in self.recent and not one.merged_into
        ]

    def _rename(self, release: str) -> None:
        if settled := self._settled():
            self.random.choice(settled).name = self.name()

    def _rename_again(self, release: str) -> None:
        if settled := [one for one in self._settled() if one.name in self.freed]:
            self.random.choice(settled).name = self.name()

    def _rename_by_word(self, release: str) -> None:
        """Renames a concept with a [[rename]]; now and then another concept takes the old name at
        once."""
        if settled := self._settled():
            concept = self.random.choice(settled)
            old, new = concept.name, self.name()
            concept.name, concept.edition = new, concept.edition + 1
            self._say(
                "rename", f'from = "{old}"\nto = "{new}"\nrelease = "{release}"\nreason = "told"\n'
            )
            if self.random.random() < 0.4:
                self.concepts.append(Concept(self._mark(), old))

    def _say(self, table: str, keys: str) -> None:
        self.result.append(f'[[{table}]]\nsource = "{OWN}"\n{keys}')

    def _say_distinct(self, release: str) -> None:
        self._say(
            "distinct", f'names = ["{self.random.choice(NAMES)}", "{self.random.choice(NAMES)}"]\n'
        )

    def _say_same(self, release: str) -> None:
        """Adds a [[same]] of a removed concept and a present one."""
        gone = [one for one in self.concepts if not one.defined and not one.merged_into]
        if gone and (settled := self._settled()):
            one, other = self.random.choice(gone), self.random.choice(settled)
            self._say("same", f'names = ["{one.name}", "{other.name}"]\n')

    def _delete(self, release: str) -> None:
        self.random.choice(self.live()).defined = False

    def _bring_back(self, release: str) -> None:
        taken = {name.casefold() for one in self.live() for name in (one.name, *one.others)}
        gone = [one for one in self.concepts if not one.defined and not one.merged_into]
        if free := [
            one
            for one in gone
            if one.name.casefold() not in taken | {*map(str.casefold, self.recent)}
        ]:
            self.random.choice(free).defined = True

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

    def _admit(self, release: str) -> None:
        self.random.choice(self.live()).others.append(self.name())

    def _split(self, release: str) -> None:
        """Makes another name a concept of its own, with the old or a new content."""
        if rich := [one for one in self._settled() if one.others]:
            whole = self.random.choice(rich)
            name = whole.others.pop()
            merged = [one for one in self.concepts if one.merged_into is whole and one.name == name]
            if merged:
                merged[0].defined, merged[0].merged_into = True, None
            else:
                self.concepts.append(Concept(self._mark(), name))

    def _withdraw(self) -> None:
        release = self.random.choice(
            [name for name, _ in self.released[:-1] if name not in self.withdrawn]
        )
        self.withdrawn.add(release)
        self.result = [table for table in self.result if f'release = "{release}"' not in table]
        self._say("retired", f'release = "{release}"\nreason = "withdrawn"\n')

    def table(self, kind: Kind) -> str:
        """Returns its [[source]]."""
        place = {"folder": f'"{self.origin}"'}
        if kind != "folders":
            place = {"git": f'"{self.origin}"', "paths": '["docs"]'}
        if kind == "months":
            place["by"] = '"month"'
        keys = {**place, "formerly": f"{self.formerly}", **self.settings}
        lines = [f"{key} = {value}" for key, value in keys.items() if value]
        return "\n".join(["[[source]]", f'id = "{self.id}"', *lines, ""])

    def words(self) -> str:
        tables = [f'[[release]]\nsource = "{OWN}"\nname = "{name}"\n' for name in self.order]
        return "".join(table.replace(OWN, self.id) for table in (*self.result, *tables))

    def standing(self) -> Iterator[tuple[str, Files]]:
        """Yields the releases that are not withdrawn."""
        return (one for one in self.released if one[0] not in self.withdrawn)


@dataclass
class World:
    """One glossary, perhaps a second one later, in either order; ids can change and sources can be
    dropped."""

    random: Random
    glossaries: list[Glossary] = field(default_factory=list)
    result: list[str] = field(default_factory=list)
    kind: Kind = "folders"
    settings: dict[str, str] = field(default_factory=dict)
    """The keys of [site]."""

    def play(self, release: str) -> None:
        if not self.glossaries:
            self.glossaries.append(Glossary("s", self.random, origin="s"))
        elif len(self.glossaries) == 1 and not self.result and self.random.random() < 0.15:
            id = "u" if "t" in self.glossaries[0].origin else "t"
            self.glossaries.append(Glossary(id, self.random, origin=id))
        elif len(self.glossaries) == 2:
            self._rearrange()
        for glossary in self.glossaries:
            glossary.play(release)

    def release(self, release: str) -> None:
        """Releases all glossaries as they are."""
        for glossary in self.glossaries:
            glossary.write(release)

    def take(self, other: World) -> None:
        """Makes this the same as another world."""
        self.random, self.kind = other.random, other.kind
        self.glossaries, self.result, self.settings = other.glossaries, other.result, other.settings

    def _rearrange(self) -> None:
        chance = self.random.random()
        if chance < 0.1:
            self.glossaries.reverse()
        elif chance < 0.15:
            renamed = self.random.choice(self.glossaries)
            renamed.formerly.append(renamed.id)
            renamed.id += "x"
        elif chance < 0.2:
            dropped = self.glossaries.pop(self.random.randint(0, 1))
            gone = [dropped.id, *dropped.formerly]
            self.result += map(dropped_table, gone)

    def site_toml(self) -> str:
        site = "".join(f"{key} = {value}\n" for key, value in self.settings.items())
        tables = "".join(glossary.table(self.kind) for glossary in self.glossaries)
        words = (glossary.words() for glossary in self.glossaries)
        return "".join((f"[site]\n{site}", tables, *self.result, *words))


def dropped_table(id: str) -> str:
    return f'[[retired]]\nsource = "{id}"\nreason = "dropped"\n'


def markdown(concepts: list[Concept]) -> tuple[str, str]:
    return (
        restructured(concepts)
        if any(one.others for one in concepts)
        else ("GLOSSARY.md", _markdown(concepts))
    )


def _markdown(concepts: list[Concept]) -> str:
    escaped = {
        one.mark: "".join(
            f"\\{sign}" if sign in r"\`*_{}[]<>()#+-.!|" else sign for sign in one.name
        )
        for one in concepts
    }
    return "# Glossary\n\n" + "".join(
        f"## {escaped[one.mark]}\n\n{one.definition()}\n\n" for one in concepts
    )


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


def worlds(seed: int, releases: int, kind: Kind = "folders") -> Iterator[World]:
    """Plays a history and gives the world after each of its releases."""
    world = World(Random(seed), kind=kind)
    for number in range(1, releases + 1):
        world.play(release_name(number, kind))
        yield world


def release_name(number: int, kind: Kind) -> str:
    """Returns the name of the release with a number, counted from 1: of a month, its year and
    month."""
    name = f"{number}.0"
    return f"{day_of(name):%Y-%m}" if kind == "months" else name


def day_of(release: str) -> date:
    """Returns the day of a release: `2.1` is ten days after `2.0`."""
    if "-" in release:
        return date.fromisoformat(f"{release}-15")
    month, days = map(int, release.split("."))
    return date(2015, 1, 15) + timedelta(days=31 * (month - 1) + 10 * days)


# Branches: lines of development that share releases up to a point, and are merged again.


def fork(world: World) -> World:
    """Returns a copy that goes on by itself, with the same random numbers."""
    return deepcopy(world, {id(world.random): world.random})


def merge(world: World, branch: World, base: World) -> None:
    """Merges a branch into a world, as git and a person do; `base` is what both were."""
    before, ours, theirs = (
        {one.origin: one for one in each.glossaries} for each in (base, world, branch)
    )
    dropped = before.keys() - (ours.keys() & theirs.keys())
    for glossary in branch.glossaries:
        if glossary.origin in ours:
            _merge_glossary(ours[glossary.origin], glossary, before.get(glossary.origin))
        elif glossary.origin not in before:
            world.glossaries.append(glossary)
    gone = [one for one in (*world.glossaries, *branch.glossaries) if one.origin in dropped]
    world.glossaries = [glossary for glossary in world.glossaries if glossary.origin not in dropped]
    tables = [dropped_table(id) for one in gone for id in (one.id, *one.formerly)]
    world.result = [*dict.fromkeys((*world.result, *branch.result, *tables))]


def _merge_glossary(ours: Glossary, theirs: Glossary, base: Glossary | None) -> None:
    if base and ours.id == base.id:
        ours.id = theirs.id
    former = (*ours.formerly, *theirs.formerly, theirs.id)
    ours.formerly = [id for id in dict.fromkeys(former) if id != ours.id]
    files = dict(theirs.released) | dict(ours.released)
    ours.released = [(release, files[release]) for release in ordered(files)]
    ours.result = [*dict.fromkeys((*ours.result, *theirs.result))]
    ours.withdrawn |= theirs.withdrawn
    ours.freed += theirs.freed
    ours.recent |= theirs.recent
    ours.concepts = _merged_concepts(ours.concepts, theirs.concepts, base.concepts if base else [])


def _merged_concepts(
    ours: list[Concept], theirs: list[Concept], base: list[Concept]
) -> list[Concept]:
    """What one side changed is taken from it, ours where both did; of two that claim a name, ours
    has it."""
    before, mine = {one.mark: one for one in base}, {one.mark: one for one in ours}
    merged = [
        one for one in theirs if one.mark not in mine or mine[one.mark] == before.get(one.mark)
    ]
    chosen = mine | {one.mark: one for one in merged}
    taken: set[str] = set()
    for one in (*(mine[mark] for mark in mine if chosen[mark] is mine[mark]), *merged):
        one.merged_into = chosen[one.merged_into.mark] if one.merged_into else None
        one.defined = one.defined and one.name.casefold() not in taken
        one.others = [name for name in one.others if name.casefold() not in taken]
        taken |= {name.casefold() for name in (one.name, *one.others)} if one.defined else set()
    return [*chosen.values()]
