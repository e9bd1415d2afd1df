"""Which entry continues which term, by its names, its words and its file."""

from __future__ import annotations

import pytest
from glossaries import (
    change_lines,
    lives_of,
    merged,
    source,
)
from short_histories import LONG, REST, check, life_in_files, states

from sitegen.config.tables import Rename, Same


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("SHA1", "SHA-1"),
        ("Co-located repos", "Colocated repos"),
        ("Faster blocks — MIP6", "Faster Blocks"),
        ("APN - Access point name", "APN"),
        ("MSC Mobile Switching Center", "MSC - Mobile switching center"),
        ("Root (of a tree)", "Root of a tree"),
        ("Widely–used", "Widely-used"),
        ("Bulk copy", "Bulk copy 👎"),
    ],
)
def test_punctuation_or_remark_is_no_other_term(before: str, after: str):
    """A name that differs in hyphens, dashes or brackets, in a remark behind a dash, or in an
    emoji, is a rename."""
    check(
        {"1": {before: "One.", "x": "X."}, "2": {after: "One.", "x": "X."}},
        after,
        "1 first-read",
        "2 renamed",
    )


def test_remark_behind_a_name_is_no_other_term():
    """A name that gains a remark in parentheses is renamed, not removed, unless two terms have that
    name now."""
    result = {
        "1": {"job": "Work.", "x": "X."},
        "2": {"job (before 2: task)": "Some work.", "x": "X."},
    }
    check(result, "job (before 2: task)", "1 first-read", "2 renamed", "2 reworded")
    result["2"] = {"job (print)": "Work on paper.", "job (build)": "Work on code.", "x": "X."}
    check(result, "job", "1 first-read", "2 removed")


def test_same_distinctive_words_under_a_new_name_are_a_rename():
    """A name that appears with the distinctive words of one that disappears at that release is a
    rename."""
    life = lives_of(
        source("s", {"1": {"image": LONG, "x": "X."}, "2": {"snapshot": LONG, "x": "X."}})
    )["snapshot"]
    assert change_lines(life) == ["1 first-read", "2 renamed"]
    assert life.changes[1].identity and life.changes[1].identity.rule == "same words"
    assert life.former_names == (("image", "2"),)


def test_most_of_the_words_prove_nothing():
    """Similar definitions alone do not make a new name a rename."""
    near = LONG.replace("pointer", "name")
    check(
        {"1": {"image": LONG, "x": "X."}, "2": {"snapshot": near, "x": "X."}}, "snapshot", "2 added"
    )


def test_plural_is_a_rename():
    """A name that differs from a removed one in the s of its plural is a rename, whatever the
    definition."""
    releases = {"1": {"Partition": "X.", "a": "A."}, "2": {"Partitions": "Y.", "a": "A."}}
    check(releases, "Partitions", "1 first-read", "2 renamed", "2 reworded")


@pytest.mark.parametrize(
    ("before", "after"),
    [("AT", "ATS"), ("Part 1", "Part 2"), ("import", "export"), ("compiler", "compiled")],
)
def test_another_letter_is_another_term(before: str, after: str):
    """Names that differ in a letter are names of different terms."""
    check({"1": {before: "X.", "a": "A."}, "2": {after: "Y.", "a": "A."}}, after, "2 added")


@pytest.mark.parametrize(
    "now", ["Workflow (formerly known as DAX, until 5.0)", "Workflow or DAX", "DAX, Workflow"]
)
def test_name_that_tells_a_removed_one_continues_it(now: str):
    """A removed name that a new name tells is not removed: its term has the new name, or is merged
    into its term."""
    check(
        {"1": {"DAX": "One.", "x": "X."}, "2": {now: "Two.", "x": "X."}},
        now,
        "1 first-read",
        "2 renamed",
        "2 reworded",
    )
    both = {"1": {"DAX": "One.", "Workflow": "See DAX.", "x": "X."}, "2": {now: "One.", "x": "X."}}
    assert "2 removed" not in [
        line for life in lives_of(source("s", both)).values() for line in change_lines(life)
    ]


def test_a_name_within_a_name_says_nothing_where_it_has_an_entry() -> None:
    """Of two terms of one name, the one that is gone is removed and not renamed to a name that
    contains it, if the other one still has the name."""
    two = {"Gate": "A door of a garden.", "Gate=": "A circuit with one output."}
    now = {"Gate": "A door of a garden.", "Gate or Barrier": "What stops a car."}
    check({"1": two, "2": now}, "Gate or Barrier", "2 added")


def test_name_that_told_another_one_before_continues_nothing():
    """A term whose name contained the name of another one before does not take it over when that is
    removed."""
    both = {"DAX": "One.", "Workflow or DAX": "Two."}
    check({"1": both, "2": {"Workflow or DAX": "Two."}}, "DAX", "1 first-read", "2 removed")


def test_name_of_a_term_removed_long_ago_is_the_weaker_sign():
    """A term that takes the name of one that was removed before is itself, not that one."""
    result = {"1": {"box": "A field.", "old box": LONG}, "2": {"old box": LONG}, "3": {"box": LONG}}
    removed, renamed = merged(source("s", result)).terms
    assert states(removed) == ["defined", "absent", "absent"]
    assert states(renamed) == ["defined"] * 3


def test_terms_of_one_name_are_told_apart_by_their_words():
    """If one of two terms with the same name goes, the other one continues, though its words
    changed."""
    two = {
        "run": "The length of a sequence of equal values.",
        "run=": "To start a program on a machine.",
    }
    lives = merged(
        source("s", {"1": two, "2": {"run": "To start a program on one or more machines."}})
    ).terms
    assert [states(term) for term in lives] == [
        ["defined", "absent"],
        ["defined"] * 2,
    ]


def test_same_words_said_by_several_prove_nothing():
    """Words that two terms share do not show a rename."""
    check(
        {"1": {"a": LONG, "b": LONG, "x": "X."}, "2": {"c": LONG, "b": LONG, "x": "X."}},
        "c",
        "2 added",
    )
    check({"1": {"a": LONG, "b": LONG}, "2": {"c": LONG, "b": "Bee."}}, "c", "2 added")


def test_short_definitions_prove_nothing():
    """A few common words do not show a rename."""
    check({"1": {"a": "A tool.", "x": "X."}, "2": {"b": "A tool.", "x": "X."}}, "b", "2 added")


def test_same_words_after_a_pause_are_no_rename():
    """Equal words show a rename only between consecutive releases."""
    check(
        {"1": {"a": LONG, "x": "X."}, "2": {"x": "X."}, "3": {"b": LONG, "x": "X."}}, "b", "3 added"
    )


def test_other_name_that_becomes_preferred_is_a_rename():
    """If another name of a term becomes its preferred name, the term was renamed."""
    life = lives_of(source("s", {"1": {"old; new": "One."}, "2": {"new; old": "One."}}))["new"]
    assert change_lines(life) == ["1 first-read", "2 renamed"]
    assert life.former_names == ()


def test_preferred_name_that_becomes_another_one_is_a_rename():
    """If the preferred name of a term becomes another name of a new entry, the term was renamed,
    whatever the words."""
    releases = {"1": {"old": "One.", "x": "X."}, "2": {"new; old": "Two.", "x": "X."}}
    life = lives_of(source("s", releases))["new"]
    assert change_lines(life) == ["1 first-read", "2 renamed", "2 reworded"]
    assert life.changes[1].identity and life.changes[1].identity.rule == "other name"


def test_second_name_of_another_entry_is_a_merge():
    """A term whose name becomes another name of another entry is merged into it, not removed."""
    glossary = {
        "7": {"master document": LONG, "root document": "Same as master document."},
        "8": {"master document; root document": LONG},
    }
    lives = lives_of(source("s", glossary))
    root, master = lives["root document"], lives["master document"]
    assert change_lines(root) == ["7 first-read", "8 merged"]
    assert root.changes[1].identity and root.changes[1].identity.rule == "other name"
    assert (root.status, root.merged_into) == ("merged", master.key)
    assert change_lines(master) == ["7 first-read", "8 names-changed"]


def test_merge_is_told_once():
    """A merged term stays merged in later releases without another change."""
    glossary = {"1": {"a": LONG, "b": "Bee."}, "2": {"a; b": LONG}, "3": {"a; b": LONG}}
    assert change_lines(lives_of(source("s", glossary))["b"]) == ["1 first-read", "2 merged"]


def test_removed_term_whose_name_another_takes_is_merged_into_that():
    """If a removed name becomes another name of a term, its page leads to that term."""
    glossary = {
        "1": {"a": LONG, "b": "Bee."},
        "2": {"a": LONG},
        "3": {"a; b": LONG},
        "4": {"a; b": LONG},
    }
    lives = lives_of(source("s", glossary))
    assert change_lines(lives["b"]) == ["1 first-read", "2 removed", "3 merged"]
    assert (lives["b"].status, lives["b"].merged_into) == ("merged", lives["a"].key)


def test_removed_term_that_comes_back_beside_its_name_is_restored():
    """A removed term that has an entry again is not merged into another one with its name."""
    glossary = {"1": {"a": LONG, "b": "Bee."}, "2": {"a": LONG}, "3": {"a; b": LONG, "b": "Bee."}}
    lives = lives_of(source("s", glossary))
    assert change_lines(lives["b"]) == ["1 first-read", "2 removed", "3 restored"]


def test_merged_term_goes_with_its_name():
    """A merged term stays with the term it was merged into, even if another term has the same other
    name."""
    both = {"a; b": LONG, "c; b": "Cee."}
    glossary = {
        "1": {"a": LONG, "b": "Bee.", "c": "Cee."},
        "2": both,
        "3": both,
        "4": {"a": LONG, "c; b": "Cee."},
    }
    lives = lives_of(source("s", glossary))
    assert change_lines(lives["b"]) == ["1 first-read", "2 merged", "4 merged"]
    assert [change.other for change in lives["b"].changes] == [None, lives["a"].key, lives["c"].key]


def test_other_name_that_gets_an_entry_of_its_own_is_a_split():
    """Another name of a term that becomes an entry beside it was split from it."""
    life = lives_of(source("s", {"1": {"a; b": LONG}, "2": {"a": LONG, "b": "Bee."}}))["b"]
    assert change_lines(life) == ["2 split"]


def test_other_name_of_two_terms_that_are_gone_begins_a_term():
    """Another name of two terms continues neither, and is split only from a term that stays."""
    check({"1": {"a; c": "A.", "b; c": "B."}, "2": {"c": "C."}}, "c", "2 added")


def test_nothing_is_split_from_a_term_that_is_merged():
    """Another name of a term that is merged into another one at that release begins a term."""
    renames = (Rename(source="s", old="a", new="c", release="2"),)
    glossary = {"1": {"a; b": "A.", "c": "C."}, "2": {"b": "Bee.", "c": "C."}}
    lives = lives_of(source("s", glossary), renames=renames)
    assert change_lines(lives["a"]) == ["1 first-read", "2 merged"]
    assert change_lines(lives["b"]) == ["2 added"]


def test_name_freed_by_one_term_and_taken_by_another_are_two_terms():
    """A renamed term keeps its history; a new entry with its old name is a new term."""
    glossary = {
        "1": {"a": LONG, "x": "X."},
        "2": {"b": LONG, "x": "X."},
        "3": {"b": LONG, "a": "New.", "x": "X."},
    }
    lives = lives_of(source("s", glossary))
    assert change_lines(lives["b"]) == ["1 first-read", "2 renamed"]
    assert change_lines(lives["a"]) == ["3 added"]


def test_names_side_by_side_that_differ_in_case_are_two_terms():
    """`HEAD` and `head` in one document are two terms, each with its own history."""
    glossary = {
        "1": {"HEAD": "The tip.", "head": "A tip."},
        "2": {"HEAD": "The tip.", "head": "Any tip."},
    }
    lives = lives_of(source("s", glossary))
    assert change_lines(lives["HEAD"]) == ["1 first-read"]
    assert change_lines(lives["head"]) == ["1 first-read", "2 reworded"]


def test_a_name_that_has_another_one_twice_continues_it():
    """An entry whose name tells a former name in two spellings is one entry with that name."""
    now = {"1": {"Gate": "One.", "x": "X."}, "2": {"Gate or GATE": "Two.", "x": "X."}}
    check(now, "Gate or GATE", "1 first-read", "2 renamed", "2 reworded")


def test_a_term_that_two_sources_name_alike_is_one_candidate():
    """A term continues a term of two earlier sources by another name, or by [[same]], also if only
    one of these has further names."""
    earlier = (
        source("a", {"1": {"Tensor; Array": "An array."}}),
        source("b", {"1": {"Tensor": "An array."}}),
    )
    by_other_name = merged(*earlier, source("c", {"1": {"Ndarray; Tensor": "A block."}}))
    assert [term.key for term in by_other_name.terms] == ["a:tensor"]
    same = Same(names=("Ndarray", "Tensor"))
    declared = merged(*earlier, source("c", {"1": {"Ndarray": "A block."}}), verdicts=(same,))
    assert [term.key for term in declared.terms] == ["a:tensor"]


@pytest.mark.parametrize("moved", ["a/term.md", "b/term.md"])
def test_the_only_term_of_a_file_keeps_its_life_under_a_new_name(moved: str) -> None:
    """A term that has a file of its own is renamed if its name and words change, also if the file
    moves."""
    life = life_in_files(
        {"1": {"old": "One.", **REST}, "2": {"new": "Two.", **REST}},
        {"old": "a/term.md", "new": moved},
    )
    assert change_lines(life)[:2] == ["1 first-read", "2 renamed"]
    assert life.changes[1].identity and life.changes[1].identity.rule == "same file"


@pytest.mark.parametrize(
    ("folder", "expected"),
    [("b/term", ["1 first-read", "2 renamed", "2 reworded"]), ("b/other", ["2 added"])],
)
def test_an_index_counts_by_its_folder(folder: str, expected: list[str]) -> None:
    """A term in the index of a folder keeps its life where that folder moves, and an index in a
    folder of another name is of another term."""
    glossary = {"1": {"old": "One.", **REST}, "2": {"new": "Two.", **REST}}
    life = life_in_files(glossary, {"old": "a/term/index.md", "new": f"{folder}/index.md"})
    assert change_lines(life) == expected


def test_a_file_of_several_terms_identifies_none() -> None:
    """Where files have several terms, a name that comes as another goes is a new term."""
    files = dict.fromkeys(["old", "new", "w", "x", "y"], "terms.md")
    glossary = {"1": {"old": "One.", **REST}, "2": {"new": "Two.", **REST}}
    assert change_lines(life_in_files(glossary, files)) == ["2 added"]
    others = {name: f"{name} holds." for name in "abcd"}
    glossary = {release: {**terms, **others} for release, terms in glossary.items()}
    files = {"old": "term.md", "new": "term.md", **dict.fromkeys(others, "terms.md")}
    assert change_lines(life_in_files(glossary, files)) == ["2 added"]


def test_a_term_that_gets_a_file_of_its_own_is_moved() -> None:
    """A term moves if its earlier file is still there, or its new one was there before."""
    glossary = {"1": {"old": LONG, **REST}, "2": {"new": LONG, **REST}}
    life = life_in_files(glossary, {"old": "w", "new": "term.md"})
    assert change_lines(life) == ["1 first-read", "2 renamed", "2 moved"]
