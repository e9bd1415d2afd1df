"""One term's life in one source while it is being read, and what a person says about who is who there."""

from __future__ import annotations

from dataclasses import dataclass, field

from sitegen.lives import Lane, Step, Tie
from sitegen.model import Entry, Rename, Source, Verdict
from sitegen.names import Keys

Named = tuple[Entry, str]
"""An entry with the key of its preferred name."""


@dataclass(eq=False, slots=True)
class Thread:
    """One term's life in one source, while it is being read."""

    key: str
    number: int = 0
    """Its place among the threads of its source."""
    steps: list[Step] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    """As a lane has them."""
    ties: list[Tie] = field(default_factory=list)
    homonyms: set[str] = field(default_factory=set)
    entry: Entry | None = None
    """The last entry, whether or not it still stands."""
    name: str = ""
    """Key of its preferred name."""
    other_names: tuple[str, ...] = ()
    """Keys of its other names."""
    live: bool = False
    """Defined at the last release that could be read."""
    merged_into: Thread | None = None

    def define(self, entry: Entry, step: Step) -> None:
        """Takes the next release, in which the term is defined."""
        before, steps = self.entry, self.steps
        if before is None or not _says_the_same(before, entry) or steps[-1].state != "defined":
            self.turns.append(len(steps))
        steps.append(step)
        self.entry, self.live, self.merged_into = entry, True, None

    def pass_over(self, step: Step) -> None:
        """Takes the next release, in which it is not, or not known to be."""
        if not self.steps or self.steps[-1].state != step.state:
            self.turns.append(len(self.steps))
        self.steps.append(step)

    def lane(self, source: Source) -> Lane:
        """Returns the whole of it."""
        return Lane(source=source, steps=tuple(self.steps), turns=tuple(self.turns))

    def twin(self) -> Thread:
        """Returns another that goes on from here."""
        return Thread(
            self.key,
            self.number,
            [*self.steps],
            [*self.turns],
            [*self.ties],
            {*self.homonyms},
            self.entry,
            self.name,
            self.other_names,
            self.live,
            self.merged_into,
        )


def _says_the_same(one: Entry, two: Entry) -> bool:
    """True where nothing but the release and the line can differ, as between most releases."""
    return (one.said is two.said or one.said == two.said) and one.place.name == two.place.name


@dataclass(frozen=True, slots=True)
class Word:
    """A person's word about one source."""

    keys: Keys
    renames: tuple[Rename, ...]
    verdicts: tuple[Verdict, ...]

    def distinct(self, one: str, two: str) -> bool:
        return any(verdict.kind == "distinct" and {one, two} <= self._named(verdict) for verdict in self.verdicts)

    def same_as(self, name: str) -> tuple[str, ...]:
        """Keys of the names that are said to mean the same as this one."""
        said = (self._named(verdict) for verdict in self.verdicts if verdict.kind == "same")
        return tuple(sorted({other for named in said if name in named for other in named} - {name}))

    def _named(self, verdict: Verdict) -> set[str]:
        return {self.keys.key(name) for name in verdict.names}
