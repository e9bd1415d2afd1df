"""A fingerprint differs for different values, and is the same in every run of the program."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import date
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from glossaries import UNREADABLE, elsewhere, entry, with_entries
from markupsafe import Markup

from sitegen.config.tables import Rename
from sitegen.history.changes import lives
from sitegen.history.merging import merge
from sitegen.history.references import Resolver
from sitegen.model import (
    Designation,
    Entry,
    EntryText,
    Place,
    Prose,
    Reference,
    Release,
    Source,
)
from sitegen.model.terms import Ids, Lane, Life, Span
from sitegen.pipeline.dependencies import Fingerprints

ENTRY = Entry(
    EntryText(
        designations=(Designation(text="anchor"),),
        definition=Prose(
            html="<p>Holds.</p>", text="Holds.", references=(Reference(target="boat", text="boat"),)
        ),
    ),
    Place(source="ships", release="1.0", path="words/1.0/a.md", name="a.md"),
    line=3,
)


def saying(**changes: Any) -> Entry:
    """Returns the entry with another text."""
    return ENTRY._replace(text=replace(ENTRY.text, **changes))


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
    """Values that differ at any depth have different fingerprints; equal values have the same."""
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
    """Values of other types, or grouped in another way, have different fingerprints."""
    assert fingerprint(one) != fingerprint(two)


NAMES = ("anchor", "boat", "crew")
SEVERAL = (
    ("anchor",),
    ("boat",),
    ("anchor", "boat"),
    ("crew", "anchor"),
    ("crew", "anchor", "anchor"),
)
WORDINGS = (
    "Holds.",
    "Holds, also known as crew.",
    "Deprecated. Use boat instead.",
    '<p>See <a href="term:boat">boat</a>.</p>',
    '<p>See <a href="term:crew">boat</a>.</p>',
    "<p><em>Holds.</em></p>",
)


def history(random: Random) -> tuple[Life, ...]:
    """Returns lives of a few terms in one or two sources, with texts so short that they repeat."""
    wordings, folder = random.sample(WORDINGS, 2), random.choice(("", "words/"))
    sources = [
        Source(
            id=id,
            title=id,
            complete=random.random() < 0.1,
            releases=tuple(
                release_of(random, wordings, source=id, number=number, folder=folder)
                for number in range(2)
            ),
        )
        for id in random.choice((("ships",), ("ships",), ("ships", "boats")))
    ]
    reported = (
        Rename(source="ships", old="anchor", new="boat", reason=random.choice(("", "told"))),
    )
    terms = merge(sources, renames=random.choice(((), reported)), verdicts=()).terms
    found = lives(terms, sources=sources, resolver=Resolver(terms))
    return tuple(map(without_documents, found))


def without_documents(life: Life) -> Life:
    """Returns a life whose sources have no documents, which do not count when lives are compared."""
    lanes = []
    for lane in life.term.lanes:
        releases = tuple(replace(release, documents=()) for release in lane.source.releases)
        releases = tuple(replace(release, unread={}) for release in releases)
        lanes.append(replace(lane, source=replace(lane.source, releases=releases)))
    return replace(life, term=replace(life.term, lanes=tuple(lanes)))


def release_of(
    random: Random, wordings: list[str], *, source: str, number: int, folder: str
) -> Release:
    release = str(number + 1)
    if random.random() < 0.05:
        return Release(name=release, number=number, unread={"a.md": UNREADABLE})
    entries = []
    for line, name in enumerate(random.choice(SEVERAL), start=1):
        names = name if random.random() < 0.9 else f"{name};{random.choice(NAMES)}"
        section = random.choice(("", "", "", "Deck", "Hull"))
        result = entry(
            names,
            random.choice(wordings),
            source=source,
            release=release,
            line=line,
            section=section,
        )
        document = random.choice(("a.md", "a.md", "b.md"))
        entries.append(elsewhere(result, path=f"{folder}{release}/{document}", name=document))
    return with_entries(Release(name=release, number=number), source, entries)


def test_lives_are_told_from_each_other() -> None:
    """Two lives have the same fingerprint exactly if they are equal."""
    histories = (history(Random(seed)) for seed in range(2000))
    reported = {(fingerprint(life), repr(life)) for lives in histories for life in lives}
    assert (
        len({one for one, _ in reported})
        == len({life for _, life in reported})
        == len(reported)
        > 1000
    )


def lane(*entries: Entry | None) -> Lane:
    """Returns a lane with a span for each entry that differs from the previous one in more than its
    place."""
    starts = [
        n
        for n, entry in enumerate(entries)
        if n == 0 or bool(entry) != bool(entries[n - 1]) or entry == CHANGED
    ]
    return Lane(
        source=Source(id="ships", title="Ships", releases=()),
        releases=tuple(map(str, range(len(entries)))),
        entries=entries,
        spans=tuple(
            Span(
                first=first,
                past=past,
                state="defined" if entries[first] else "absent",
                entry=entries[first],
            )
            for first, past in pairwise((*starts, len(entries)))
        ),
    )


def test_every_release_of_a_lane_counts() -> None:
    """The fingerprint of a lane contains the places of all entries, and all else of the first one
    of each span."""
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
    """A value that takes the memory address of a deleted one is not confused with it."""
    fingerprints = Fingerprints()
    several = (saying(section=str(number)) for number in range(100))
    assert len({fingerprints.of(entry) for entry in several}) == 100


def test_the_same_in_another_run() -> None:
    """Neither the iteration order of sets nor the identity of objects changes a fingerprint."""
    program = (
        "from sitegen.pipeline.dependencies import Fingerprints as F; from sys import intern;"
        "print(F().of((frozenset('abcdef'), {'a': intern('a' * 9)}, 'a' * 9)))"
    )
    seeds = ({**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2", "3"))
    runs = {subprocess.check_output([sys.executable, "-c", program], env=seed) for seed in seeds}
    assert len(runs) == 1


def test_a_value_that_differs_in_each_run_is_refused() -> None:
    """A value that is known only by its place in memory has no fingerprint: each build would take
    it for a change."""
    with pytest.raises(TypeError, match="different in each run"):
        fingerprint(object())
