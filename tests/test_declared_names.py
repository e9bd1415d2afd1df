"""What site.toml says about names: renames, and names of one term or of two."""

from __future__ import annotations

from itertools import permutations

import pytest
from glossaries import (
    change_lines,
    lives_of,
    merged,
    source,
)
from short_histories import LONG

from sitegen.config.tables import Distinct, Rename, Same


def test_declared_rename_wins_over_the_words():
    """A declared rename joins terms that no rule could join."""
    rename = Rename(source="s", old="image", new="snapshot", release="2", reason="clearer")
    life = lives_of(
        source("s", {"1": {"image": "One."}, "2": {"snapshot": "Two."}}), renames=(rename,)
    )["snapshot"]
    assert change_lines(life) == ["1 first-read", "2 renamed", "2 reworded"]
    assert life.changes[1].identity and life.changes[1].identity.reason == "clearer"


def test_two_declared_renames_of_one_name_are_a_split():
    """The first declared name continues the term, and the second begins one that was split from
    it."""
    renames = tuple(Rename(source="s", old="a", new=new, release="2") for new in ("b", "c"))
    lives = lives_of(
        source("s", {"1": {"a": LONG}, "2": {"b": "Bee.", "c": LONG}}), renames=renames
    )
    assert change_lines(lives["b"]) == ["1 first-read", "2 renamed", "2 reworded"]
    assert change_lines(lives["c"]) == ["2 split"]
    assert lives["c"].changes[0].other == lives["b"].key


def test_declared_split_gives_way_to_another_declared_rename():
    """A name to which two terms are renamed continues the one that has no other new name, whatever
    the order of the tables is."""
    pairs = [("a", "b"), ("a", "c"), ("d", "c")]
    glossary = {"1": {"a": LONG, "d": "Dee."}, "2": {"b": "Bee.", "c": "Sea."}}
    for ordered in permutations(pairs[1:]):
        renames = [
            Rename(source="s", old=old, new=new, release="2") for old, new in (pairs[0], *ordered)
        ]
        lives = lives_of(source("s", glossary), renames=tuple(renames))
        assert change_lines(lives["b"]) == ["1 first-read", "2 renamed", "2 reworded"]
        assert change_lines(lives["c"]) == ["1 first-read", "2 renamed", "2 reworded"]


def test_declared_split_does_not_continue_a_term_by_its_other_name():
    """An entry that site.toml splits from a term begins a term, also if its other name is that of a
    term which is gone."""
    renames = tuple(Rename(source="s", old="a", new=new, release="2") for new in ("b", "c"))
    glossary = {"1": {"a": LONG, "d": "Dee."}, "2": {"b": "Bee.", "c; d": "Sea."}}
    lives = lives_of(source("s", glossary), renames=renames)
    assert change_lines(lives["c"]) == ["2 split"]
    assert change_lines(lives["d"]) == ["1 first-read", "2 removed"]


def test_declared_rename_into_a_living_term_is_a_merge():
    """A rename to the name of an existing term is a merge."""
    rename = Rename(source="s", old="Variable", new="Tensor", release="2")
    glossary = {"1": {"Variable": "One.", "Tensor": "Two."}, "2": {"Tensor": "Three."}}
    lives = lives_of(source("s", glossary), renames=(rename,))
    assert change_lines(lives["Variable"]) == ["1 first-read", "2 merged"]
    assert lives["Variable"].synonym_of == lives["Tensor"].key


def test_declared_rename_that_applies_to_nothing_is_a_problem():
    """A rename that applies to no release is a problem with its line in site.toml."""
    rename = Rename(source="s", old="b", new="a", line=7)
    found = merged(
        source("s", {"1": {"a": "One."}, "2": {"a": "One.", "b": "Two."}}), renames=(rename,)
    ).problems
    assert [str(one).partition(" applies")[0] for one in found] == [
        "site.toml:7: [[rename]] 'b' to 'a' in s"
    ]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("chekpoint", "sync", "'chekpoint' is not the name of a term in s at any release; did you"),
        ("Checkpoint", "zebra", "'zebra' is not the name of a term in s at any release; write it"),
    ],
)
def test_declared_rename_of_a_name_that_never_was(old: str, new: str, wanted: str) -> None:
    """A rename with a name that no release has is a problem, with the most similar name."""
    rename = Rename(source="s", old=old, new=new, line=7)
    glossary = {"1": {"Checkpoint": "One."}, "2": {"sync": "Two."}}
    (found,) = merged(source("s", glossary), renames=(rename,)).problems
    assert str(found).startswith(f"site.toml:7: [[rename]] {wanted}")


def test_declared_rename_whose_old_name_another_term_takes():
    """With `release`, a term continues under its new name even if another term has the old name
    from then on."""
    rename = Rename(source="s", old="image", new="snapshot", release="2")
    glossary = {"1": {"image": LONG}, "2": {"snapshot": "A copy.", "image": "A picture."}}
    lives = lives_of(source("s", glossary), renames=(rename,))
    assert change_lines(lives["snapshot"]) == ["1 first-read", "2 renamed", "2 reworded"]
    assert change_lines(lives["image"]) == ["2 added"]


def _at(release: str, names: str) -> Rename:
    return Rename(source="s", old=names[0], new=names[1], release=release)


def test_declared_renames_that_swap_names():
    """Two terms can swap names, and a third can take a name that became free."""
    one, two = "The first of all letters there is.", "The second of all letters there is."
    swapped = lives_of(
        source("s", {"1": {"a": one, "b": two}, "2": {"a": two, "b": one}}),
        renames=(_at("2", "ab"), _at("2", "ba")),
    )
    assert change_lines(swapped["a"]) == change_lines(swapped["b"]) == ["1 first-read", "2 renamed"]
    assert swapped["a"].revisions[0].entry.name == "b"
    moved = lives_of(
        source("s", {"1": {"a": one, "b": two}, "2": {"b": one, "c": two}}),
        renames=(_at("2", "ab"), _at("2", "bc")),
    )
    assert change_lines(moved["b"]) == change_lines(moved["c"]) == ["1 first-read", "2 renamed"]


def test_declared_rename_of_a_name_that_still_says_the_same_is_reported():
    """A declared rename of a term that still has its old name and words is a problem."""
    rename = Rename(source="s", old="image", new="snapshot", release="2", line=3)
    glossary = {"1": {"image": LONG}, "2": {"snapshot": "A copy.", "image": LONG}}
    problems = merged(source("s", glossary), renames=(rename,)).problems
    assert [problem.line for problem in problems] == [3]
    assert change_lines(lives_of(source("s", glossary), renames=(rename,))["image"]) == [
        "1 first-read"
    ]


def test_declared_same_joins_across_sources():
    """Names in a [[same]] are one term in all sources."""
    verdict = Same(names=("volume", "disk"))
    lives = lives_of(
        source("s", {"1": {"volume": "One."}}),
        source("t", {"1": {"disk": "Two."}}),
        verdicts=(verdict,),
    )
    assert [course.source.id for course in lives["volume"].courses] == ["s", "t"]


def test_declared_distinct_prevents_a_rename():
    """A [[distinct]] separates what equal words would join."""
    verdict = Distinct(names=("image", "snapshot"))
    glossary = {"1": {"image": LONG, "x": "X."}, "2": {"snapshot": LONG, "x": "X."}}
    assert change_lines(lives_of(source("s", glossary), verdicts=(verdict,))["snapshot"]) == [
        "2 added"
    ]


@pytest.mark.parametrize("kind", ["same", "distinct"])
@pytest.mark.parametrize(
    ("id", "names", "unfit"),
    [
        ("", ("HEAD", "head", "tip", "X", "y"), ""),
        ("s", ("HEAD", "tip", "X"), ""),
        ("", ("y", "Head"), "'Head' is not the name of a term at any release"),
        ("s", ("X", "y"), "'y' is not the name of a term in s at any release"),
    ],
)
def test_verdict_on_a_name_that_nobody_had_is_a_problem(kind, id, names, unfit):
    """A [[same]] or [[distinct]] with a name that its source, or any source, never had is a
    problem."""
    verdict = {"same": Same, "distinct": Distinct}[kind](names=names, source=id, line=7)
    glossary = {"1": {"HEAD; tip": LONG, "head": "One."}, "2": {"x": LONG}}
    problems = merged(
        source("s", glossary), source("t", {"1": {"y": "Y."}}), verdicts=(verdict,)
    ).problems
    change_lines = [(problem.path, problem.line, problem.found) for problem in problems]
    assert change_lines == ([("site.toml", 7, f"[[{kind}]] {unfit}")] if unfit else [])


def test_verdict_on_an_unknown_name_suggests_a_known_one():
    """The problem with a name in a [[same]] has the most similar name that a term had."""
    verdict = Same(names=("snapshto", "copy"), line=7)
    glossary = {"1": {"snapshot": LONG, "copy": "A copy."}}
    (problem,) = merged(source("s", glossary), verdicts=(verdict,)).problems
    assert problem.wanted == "did you mean 'snapshot'?"


def test_verdict_on_a_name_of_another_source_suggests_one_of_its_own():
    """The suggested name is one of the source that the [[same]] is about, as it was called last."""
    sources = (
        source("s", {"1": {"copy": LONG}, "2": {"Copy": LONG}}),
        source("t", {"1": {"copi": LONG}}),
    )
    verdict = Same(names=("copi",), source="s", line=7)
    (problem,) = merged(*sources, verdicts=(verdict,)).problems
    assert problem.wanted == "did you mean 'Copy'?"
