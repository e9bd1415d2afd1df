"""The ranking of the search, on judged queries over real glossaries (`bench/queries.txt`,
`bench/questions.txt`, `bench/paraphrases.txt`)."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
import ranking
from sites import site_of_glossaries

from sitegen.site.site import Site


@cache
def site_of(glossary: str, shared: Path) -> Site:
    return ranking.read_site(ranking.folder_of(glossary, shared))


@pytest.fixture(autouse=True, scope="module")
def node() -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which runs the browser's scripts here")


@pytest.mark.parametrize(
    ("file", "least"),
    [
        ("queries.txt", (0.94, 0.98, 0.95)),
        ("questions.txt", (0.9, 0.98, 0.93)),
        ("paraphrases.txt", (0.69, 0.89, 0.77)),
    ],
)
def test_the_right_term_comes_first(
    file: str, least: tuple[float, float, float], shared: Path
) -> None:
    """Enough judged queries have their answer first and among five; the mean reciprocal rank is
    high enough."""
    found: list[int] = []
    for name, asked in ranking.queries(file).items():
        site = site_of(name, shared)
        found += ranking.places(site, asked, ranking.ours(site, asked))
    good = ranking.quality(found)
    reached = (good.first, good.among_five, good.reciprocal)
    assert all(value >= limit for value, limit in zip(reached, least, strict=True)), good


@pytest.mark.parametrize("glossary", ["content", "pyramid"])
def test_a_question_about_a_name_finds_the_name_first(glossary: str, shared: Path) -> None:
    """Every question about a term of the project's own glossary and of Pyramid's has the term
    first."""
    site = site_of(glossary, shared)
    asked = [
        ranking.Query(text=question.format(life.name), names=(life.name,))
        for question in ("what is a {}", "What are {}?", "meaning of {}", "define {}")
        for life in site.lives
        if life.is_defined
    ]
    found = ranking.places(site, asked, ranking.ours(site, asked))
    assert [query.text for query, place in zip(asked, found, strict=True) if place != 1] == []


def answers(entries: dict[str, str], *queries: str) -> list[list[str]]:
    site = site_of_glossaries({"1.0": entries})
    return [
        list(slugs)
        for slugs in ranking.ours(site, [ranking.Query(text=text, names=()) for text in queries])
    ]


def test_common_words_of_a_question_do_not_decide() -> None:
    """A term that has only "up" of a question does not come before one that has the word that it is
    about; between two that have that word, "up" decides."""
    entries = {
        "checkpoint": "Is needed to take up, to give up and to back up.",
        "warm-up": "A few steps that make it faster. They are slow at first.",
        "scale": "Making a service larger.",
        "growth": "Making a service larger by going up.",
    }
    first, second, third = answers(entries, "how to set up faster", "larger up", "up")
    assert first[0] == "warm-up"
    assert second[0] == "growth"
    assert "checkpoint" in third


def test_terms_with_all_words_come_before_those_with_one_in_the_name() -> None:
    """Of several words, all of them in a first sentence weigh more than one in a name, and all of
    them in a name weigh more than one in a first sentence."""
    entries = {
        "loop": "A statement.",
        "reactor": "The loop that waits for events and calls back.",
        "event loop policy": "An object.",
        "event": "It is handled by a loop.",
    }
    assert answers(entries, "calls loop", "policies of loops") == [
        ["reactor", "loop", "event", "event-loop-policy"],
        ["event-loop-policy", "loop", "event", "reactor"],
    ]


def test_words_of_the_first_sentence_weigh_more_than_others() -> None:
    """Of terms with the same words, the one that has them in its first sentence comes first."""
    filler = "It was written and read by several people, and it was kept for a long time."
    entries = {
        "afterwards": f"{filler} It is a farm with servers.",
        "beginning": f"It is a farm with servers. {filler}",
    }
    assert answers(entries, "server farm") == [["beginning", "afterwards"]]


def test_an_abbreviation_finds_a_name_if_nothing_else_does() -> None:
    """Letters of a name in their order find it where no other name and no definition has them."""
    entries = {
        "source directory": "Where the files are.",
        "bfloat16": "A format of numbers.",
        "fitting": "It needs an srcd.",
    }
    assert answers(entries, "srcdir", "bf16", "srcd", "dirsrc") == [
        ["source-directory"],
        ["bfloat16"],
        ["fitting"],
        [],
    ]


def test_near_names_are_guessed_only_for_unknown_words() -> None:
    """A name that is like a query is no result if definitions have all words of the query."""
    entries = {
        "loss function": "What is made small.",
        "objective": "The cost function, which has a value. It is a function.",
    }
    assert answers(entries, "cost function", "lost function") == [
        ["objective", "loss-function"],
        ["loss-function", "objective"],
    ]


def test_a_name_in_parentheses_finds_its_term() -> None:
    """A short name or another spelling in parentheses in a definition finds its term first."""
    entries = {
        "hypervisor": "It makes virtual machines (VM) and shares its memory (RAM).",
        "multitenancy": "Multitenancy (or multi-tenancy) serves many.",
        "mutual transport security": "Mutual transport security (mTLS) checks both ends.",
        "virtual machine": "A virtual machine (VM) is a computer within another.",
    }
    assert answers(entries, "VM", "multi-tenancy", "mTLS") == [
        ["virtual-machine", "hypervisor"],
        ["multitenancy"],
        ["mutual-transport-security"],
    ]


def test_a_misspelled_name_is_found_among_other_words() -> None:
    """A word that is nowhere finds the names that it is like, those with the other words first."""
    entries = {
        "canary": "A small bird.",
        "canary deployment": "Some try the new version.",
        "deployment": "What makes a version run.",
    }
    assert answers(entries, "why canarry deployment", "a canarry cage") == [
        ["canary-deployment", "canary", "deployment"],
        ["canary", "canary-deployment"],
    ]


def test_terms_without_all_words_only_fill_a_short_list() -> None:
    """If many terms have all words, the others are left out; eight are shown where fewer have."""
    some = {f"fast {number}": "A fast boat." for number in range(9)}
    others = {f"slow {number}": "A slow boat." for number in range(9)}
    found = [*answers(some | others, "fast boat", "fast slow boat")]
    assert found[0] == [f"fast-{number}" for number in range(9)]
    assert len(found[1]) == 8


def test_signs_of_code_are_found_in_definitions() -> None:
    """A query of signs alone, or with words, finds the definitions that have them."""
    entries = {
        "floor division": "Written `a // b`.",
        "dunder": "A name such as `__init__`.",
        "division": "Written `a / b`.",
    }
    assert answers(entries, "//", "__", "written //") == [
        ["floor-division"],
        ["dunder"],
        ["floor-division", "division"],
    ]
