"""One term's life in one source while it is being read, and what a person says about who is who there."""

from __future__ import annotations

from dataclasses import dataclass, field

from sitegen.known import Known
from sitegen.lives import Lane, Step, Tie
from sitegen.model import Entry, Rename, Source, Verdict
from sitegen.names import Keys

Named = tuple[Entry, str]
"""An entry with the key of its preferred name."""
Course = tuple[Source, tuple[str, ...], tuple[Entry | None, ...], list[int], list[Step]]
"""What a lane is made from: a source, the names of its releases, what each says, the turns, and the steps there."""
Member = tuple["Thread", Course]
"""A thread with the whole of it."""


@dataclass(eq=False, slots=True)
class Thread:
    """One term's life in one source, while it is being read."""

    key: str
    number: int = 0
    """Its place among the threads of its source."""
    turns: list[int] = field(default_factory=list)
    """As a lane has them."""
    turned: list[Step] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    homonyms: frozenset[str] = frozenset()
    """Keys of the threads that ever stood under its name beside it, and its own."""
    entry: Entry | None = None
    """The last entry that differed from the one before by more than release and line, whether or not it stands."""
    name: str = ""
    """Key of its preferred name."""
    other_names: tuple[str, ...] = ()
    """Keys of its other names."""
    live: bool = False
    """Defined at the last release that could be read."""
    merged_into: Thread | None = None

    @property
    def is_defined(self) -> bool:
        """True when it was defined at the last release."""
        return bool(self.turned) and self.turned[-1].state == "defined"

    def define(self, number: int, step: Step) -> None:
        """Takes the next release, in which the term is defined."""
        assert step.entry
        if self.entry is None or not self.is_defined or not _says_the_same(self.entry, step.entry):
            self._turn(number, step)
        self.entry, self.live, self.merged_into = step.entry, True, None

    def pass_over(self, number: int, step: Step) -> None:
        """Takes the next release, in which it is not, or not known to be."""
        if not self.turned or self.turned[-1].state != step.state:
            self._turn(number, step)

    def merge(self, number: int, step: Step, into: Thread) -> None:
        """Takes the next release, from which on it is part of another term, whether or not it was gone before."""
        self._turn(number, step)
        self.live, self.merged_into = False, into

    def _turn(self, number: int, step: Step) -> None:
        self.turns.append(number)
        self.turned.append(step)

    def course(self, source: Source, releases: tuple[str, ...], entries: tuple[Entry | None, ...]) -> Course:
        """Returns the whole of it, with what each release says."""
        return source, releases, entries, self.turns, self.turned

    def twin(self) -> Thread:
        """Returns another that goes on from here."""
        return Thread(
            self.key,
            self.number,
            [*self.turns],
            [*self.turned],
            [*self.ties],
            self.homonyms,
            self.entry,
            self.name,
            self.other_names,
            self.live,
            self.merged_into,
        )


def lane(course: Course, _known: Known) -> Lane:
    """Returns what became of a thread that nothing is added to any more."""
    source, releases, entries, turns, turned = course
    return Lane(source=source, releases=releases, entries=entries, turns=tuple(turns), turned=tuple(turned))


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
