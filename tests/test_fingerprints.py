"""A fingerprint tells a value from any other, and is the same wherever and whenever it is taken."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import date
from typing import Any, Literal

import pytest
from markupsafe import Markup

from sitegen.fingerprints import Fingerprints
from sitegen.lives import Ids, Lane, Step
from sitegen.model import Designation, Entry, Place, Prose, Reference, Release, Said, Source

ENTRY = Entry(
    Said(
        designations=(Designation(text="anchor"),),
        definition=Prose(html="<p>Holds.</p>", text="Holds.", references=(Reference(target="boat", text="boat"),)),
    ),
    Place(source="ships", release="1.0", path="words/1.0/a.md", name="a.md"),
    line=3,
)


def saying(**changes: Any) -> Entry:
    """The entry, if something else were said."""
    return ENTRY._replace(said=replace(ENTRY.said, **changes))


CHANGED = saying(section="Parts")


def fingerprint(value: object) -> str:
    return Fingerprints().of(value)


@pytest.mark.parametrize(
    "other",
    [
        saying(deprecated=True),
        CHANGED,
        saying(designations=(Designation(text="anchor", status="admitted"),)),
        saying(definition=replace(ENTRY.definition, references=())),
        ENTRY._replace(line=4),
        ENTRY._replace(place=replace(ENTRY.place, path="words/1.0/b.md")),
    ],
)
def test_the_smallest_difference_counts(other: Entry) -> None:
    """However deep two values differ, so do their fingerprints; equal ones have the same."""
    assert fingerprint(ENTRY) != fingerprint(other)
    assert fingerprint((ENTRY, ENTRY)) == fingerprint((saying(), saying()))
    assert fingerprint((ENTRY, other)) != fingerprint((other, ENTRY))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("1", 1),
        (1, True),
        ("", None),
        (("a", "b"), ("ab",)),
        ((("a",), "b"), ("a", ("b",))),
        ({"a": "b"}, {"b": "a"}),
        (Ids({("ships", "1.0"): "r1.0"}), Ids({("ships", "1.0"): "r1"})),
        (frozenset({"a"}), frozenset({"b"})),
        (date(2024, 2, 29), date(2024, 3, 1)),
        (Release(name="1.0"), Designation(text="1.0")),
        (Markup("<b>"), Markup("<i>")),
        ("\ud800", "\ud801"),
    ],
)
def test_one_is_not_taken_for_another(one: object, two: object) -> None:
    """Values of other kinds, or put together otherwise, are not mixed up."""
    assert fingerprint(one) != fingerprint(two)


def lane(*entries: Entry | None) -> Lane:
    """A lane that turns wherever there is more to tell than another place."""
    states: list[Literal["absent", "defined"]] = ["defined" if entry else "absent" for entry in entries]
    steps = [Step(release=str(n), state=states[n], entry=entry) for n, entry in enumerate(entries)]
    turns = [n for n, entry in enumerate(entries) if n == 0 or states[n] != states[n - 1] or entry == CHANGED]
    return Lane(source=Source(id="ships", title="Ships", releases=()), steps=tuple(steps), turns=tuple(turns))


def test_every_step_of_a_lane_counts() -> None:
    """Where nothing turns, a lane is told by where its entries stand; where something does, by all of it."""
    moved = ENTRY._replace(line=9)
    lanes = (
        lane(ENTRY, ENTRY, ENTRY),
        lane(ENTRY, moved, ENTRY),
        lane(ENTRY, ENTRY, moved),
        lane(ENTRY, ENTRY, CHANGED),
        lane(ENTRY, None, ENTRY),
    )
    assert len(set(map(fingerprint, lanes))) == len(lanes)
    assert fingerprint(lanes[1]) == fingerprint(lane(ENTRY, moved, ENTRY))


def test_values_that_come_and_go() -> None:
    """A value that stands where another one stood a moment ago is not taken for that."""
    fingerprints = Fingerprints()
    several = (saying(section=str(number)) for number in range(100))
    assert len({fingerprints.of(entry) for entry in several}) == 100


def test_the_same_in_another_run() -> None:
    """Neither the order in which sets are walked nor which values are one object shows."""
    program = (
        "from sitegen.fingerprints import Fingerprints as F; from sys import intern;"
        "print(F().of((frozenset('abcdef'), {'a': intern('a' * 9)}, 'a' * 9)))"
    )
    seeds = ({**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2", "3"))
    runs = {subprocess.check_output([sys.executable, "-c", program], env=seed) for seed in seeds}
    assert len(runs) == 1
