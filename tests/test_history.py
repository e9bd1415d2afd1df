"""Histories of small glossaries over a few releases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import pytest
from glossaries import (
    UNREADABLE,
    Glossary,
    change_lines,
    elsewhere,
    lives_of,
    merged,
    source,
    with_entries,
)

from sitegen.config.tables import Distinct, Rename, Same
from sitegen.model import Source
from sitegen.model.terms import Life, Term

LONG = "A named pointer to the state of a volume at one moment."


def check(
    glossary: dict[str, dict[str, str] | None], name: str, *expected: str, complete: bool = False
) -> None:
    life = lives_of(source("s", glossary, complete=complete))[name]
    assert change_lines(life) == list(expected)


def test_first_release_read_is_not_called_an_addition():
    """A term of the oldest release read is not "added": it may be older."""
    check({"1": {"a": "One."}, "2": {"a": "One."}}, "a", "1 first-read")


def test_first_release_of_a_complete_history_adds_its_terms():
    """A source with `complete = true` added its first terms in its first release."""
    check({"1": {"a": "One."}}, "a", "1 added", complete=True)


def test_later_term_is_added_with_the_release_before_named():
    """A term that appears in a later release was added there; the change names the release
    before."""
    life = lives_of(source("s", {"1": {"a": "One."}, "2": {"a": "One.", "b": "Two."}}))["b"]
    assert [(change.kind, change.release, change.previous) for change in life.changes] == [
        ("added", "2", "1")
    ]


def test_other_markup_is_reformatted_and_other_words_are_reworded():
    """Case, quotes, dashes and emphasis are formatting; another word is a rewording."""
    check(
        {
            "1": {"a": "The “Quick” fox."},
            "2": {"a": "<p>the <em>quick</em> fox</p>"},
            "3": {"a": "The slow fox."},
        },
        "a",
        "1 first-read",
        "2 reformatted",
        "3 reworded",
    )


def test_every_character_counts_inside_code():
    """Two pieces of code that differ only in punctuation are different words."""
    check(
        {
            "1": {"a": "<p>Say <code>f(x)</code> now</p>"},
            "2": {"a": "<p>Say <code>f[x]</code> now</p>"},
        },
        "a",
        "1 first-read",
        "2 reworded",
    )


def test_code_that_was_plain_text_before_is_the_same_words():
    """A plain-text version of a marked-up definition has the same words."""
    check(
        {
            "1": {"a": "Called aten::matmul."},
            "2": {"a": "<p>Called <code>aten::matmul</code>.</p>"},
        },
        "a",
        "1 first-read",
        "2 reformatted",
    )


def test_reworded_definition_starts_a_revision():
    """A release that changes the wording begins a revision; unchanged releases extend it."""
    life = lives_of(source("s", {"1": {"a": "One."}, "2": {"a": "One."}, "3": {"a": "Two."}}))["a"]
    assert [(r.first, r.last, r.ended) for r in life.revisions] == [
        ("1", "2", "reworded"),
        ("3", "3", "current"),
    ]


def test_wording_that_returns_names_the_release_it_returns_to():
    """A change back to an earlier wording names the last release that had it."""
    one, two = {"a": "One."}, {"a": "Two."}
    life = lives_of(source("s", {"1": one, "2": two, "3": one, "4": two, "5": one}))["a"]
    assert [change.same_as for change in life.changes] == [None, None, "1", "2", "3"]


def test_acronym_that_is_spelled_out_is_the_same_term():
    """A name that gains its long form or its acronym in brackets is renamed."""
    check(
        {"1": {"CWE": "One."}, "2": {"Common Weakness Enumeration (CWE)": "Two of them."}},
        "Common Weakness Enumeration (CWE)",
        "1 first-read",
        "2 renamed",
        "2 reworded",
    )


def test_name_in_other_case_is_the_same_term():
    """A name that changes only in case is reformatted, not renamed."""
    check(
        {"1": {"Tensor": "One."}, "2": {"tensor": "One."}},
        "tensor",
        "1 first-read",
        "2 reformatted",
    )


def test_removed_and_restored():
    """A term that is removed and comes back is one term."""
    check(
        {"1": {"a": "One.", "b": "Two."}, "2": {"b": "Two."}, "3": {"a": "One.", "b": "Two."}},
        "a",
        "1 first-read",
        "2 removed",
        "3 restored",
    )


def test_release_that_could_not_be_read_removes_nothing():
    """A release without a readable document is a gap: later releases are compared across it."""
    life = lives_of(source("s", {"1": {"a": "One."}, "2": None, "3": {"a": "Two."}}))["a"]
    assert [(c.kind, c.release, c.previous) for c in life.changes] == [
        ("first-read", "1", None),
        ("reworded", "3", "1"),
    ]


def test_release_in_which_nothing_was_found_removes_nothing():
    """A document without entries is a gap too."""
    check({"1": {"a": "One."}, "2": {}, "3": {"a": "One."}}, "a", "1 first-read")


def test_term_still_stands_when_the_last_release_could_not_be_read():
    """A term is current if only the last release could not be read."""
    assert lives_of(source("s", {"1": {"a": "One."}, "2": None}))["a"].status == "current"


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


def test_name_that_told_another_one_before_continues_nothing():
    """A term whose name contained the name of another one before does not take it over when that is
    removed."""
    both = {"DAX": "One.", "Workflow or DAX": "Two."}
    check({"1": both, "2": {"Workflow or DAX": "Two."}}, "DAX", "1 first-read", "2 removed")


def states(term: Term) -> list[str]:
    """Returns the state of a term at each release of its first source."""
    course = term.courses[0]
    return [course.span_at(number).state for number in range(len(course.releases))]


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


def test_homonyms_are_both_kept():
    """Two different definitions of one name in one document are two terms."""
    glossary = source("s", {"1": {"a": "One.", "a=": "Two."}, "2": {"a": "Two.", "a=": "One."}})
    assert change_lines(lives_of(glossary)["a"]) == ["1 first-read"]
    assert len(merged(glossary).terms) == 2


def test_deprecation_in_words_names_its_replacement():
    """A definition that becomes "Deprecated. Use X instead." is deprecated in favor of X."""
    glossary = {
        "1": {"a": "One.", "b": "Two."},
        "2": {"a": "Deprecated. Use b instead.", "b": "Two."},
    }
    lives = lives_of(source("s", glossary))
    assert change_lines(lives["a"]) == ["1 first-read", "2 reworded", "2 deprecated"]
    assert (lives["a"].status, lives["a"].replaced_by) == ("deprecated", lives["b"].key)


def test_same_as_is_a_synonym():
    """An entry that says only "Same as X." is a synonym of X."""
    lives = lives_of(source("s", {"1": {"a": "Same as b.", "b": "Two."}}))
    assert lives["a"].synonym_of == lives["b"].key


def test_moved_between_sections_that_both_exist():
    """A term in another section was moved; a retitled section moves no term."""
    check(
        {
            "1": {"I/ a": "One.", "II/ b": "Two.", "I/ c": "C."},
            "2": {"II/ a": "One.", "II/ b": "Two.", "I/ c": "C."},
        },
        "a",
        "1 first-read",
        "2 moved",
    )
    check({"1": {"I/ a": "One."}, "2": {"One/ a": "One."}}, "a", "1 first-read")


def test_sources_are_separate_lanes_of_one_term():
    """The same name in two sources is one term; each source has its own changes."""
    life = lives_of(
        source("s", {"1": {"a": "One."}, "2": {"a": "Two."}}),
        source("t", {"9": {"A": "Other."}, "10": {"b": "B."}}),
    )["a"]
    assert [course.source.id for course in life.courses] == ["s", "t"]
    assert change_lines(life) == ["1 first-read", "2 reworded", "9 first-read", "10 removed"]
    assert life.status == "current"


def test_another_source_has_the_term_of_the_same_name() -> None:
    """A term of another source is the one with its preferred name, before one that has it as
    another name."""
    both = {"a": "One.", "b; a": "Two."}
    lives = lives_of(source("s", {"1": both}), source("t", {"1": {"a": "Other."}}))
    assert [course.source.id for course in lives["a"].courses] == ["s", "t"]
    assert [course.source.id for course in lives["b"].courses] == ["s"]


def test_two_terms_of_one_name_in_another_source_stay_two() -> None:
    """Of two terms of one name, one is the term of that name in an earlier source."""
    terms = merged(
        source("s", {"1": {"a": "One."}}),
        source("t", {"1": {"a": "Other.", "a=": "A second meaning."}}),
    ).terms
    ids = [[course.source.id for course in term.courses] for term in terms]
    assert ids == [["s", "t"], ["t"]]


def test_a_name_that_is_defined_twice_is_the_same_problem_at_each_release() -> None:
    """The problem has no line of the first definition in the same document, which differs from
    release to release."""
    src = source("s", {"1": {"a": "One.", "a=": "A second meaning."}, "2": {"a": "One."}})
    releases = []
    for number, release in enumerate(src.releases):
        first, *_ = release.entries
        second = src.releases[0].entries[1]._replace(place=first.place)
        entries = [first._replace(line=5 + number), second._replace(line=7 + number)]
        releases.append(with_entries(release, "s", entries))
    problems = merged(replace(src, releases=tuple(releases))).problems
    assert [problem.place for problem in problems] == ["1/GLOSSARY.md:7", "2/GLOSSARY.md:8"]
    assert {problem.wanted for problem in problems} == {
        "give one of them a name of its own; the first is above"
    }


def in_files(glossary: Glossary, unread: Mapping[str, str], *, complete: bool = False) -> Source:
    """Returns a source with a file for each term, named like it; `unread` has the unreadable ones
    by release."""
    src = source("s", glossary, complete=complete)
    releases = []
    for release in src.releases:
        entries = [elsewhere(entry, name=entry.name) for entry in release.entries]
        gaps = dict.fromkeys(unread.get(release.name, "").split(), UNREADABLE)
        documents = with_entries(release, "s", entries).documents if entries else ()
        releases.append(replace(release, documents=documents, unread=gaps))
    return replace(src, releases=tuple(releases))


def life_in_files(glossary: dict[str, dict[str, str]], files: dict[str, str]) -> Life:
    """Returns the life of `new`; each term is in the file of its name, or in the one that `files`
    names."""
    src = source("s", {**glossary})
    releases = []
    for release in src.releases:
        entries = [
            elsewhere(entry, name=files.get(entry.name, entry.name)) for entry in release.entries
        ]
        releases.append(with_entries(release, "s", entries))
    return lives_of(replace(src, releases=tuple(releases)))["new"]


REST = {"w": "W.", "x": "X.", "y": "Y."}


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


def stood(life: Life) -> list[str]:
    """Returns a term's state at each release."""
    return states(life)


def test_document_that_could_not_be_read_hides_only_its_own_terms():
    """If one of several documents is unreadable, terms of the others can still be removed."""
    lives = lives_of(
        in_files({"1": {"a": "One.", "b": "Two.", "c": "C."}, "2": {"c": "C."}}, {"2": "a"})
    )
    assert (lives["a"].status, lives["b"].status) == ("current", "removed")


def test_document_that_could_not_be_read_hides_no_term_of_one_that_was():
    """A term is removed if its document was read without it, also beside a new one that was not."""
    src = source("s", {"1": {"a": "One.", "b": "Two."}, "2": {"a": "One."}})
    first, second = src.releases
    second = replace(second, unread={"more.md": UNREADABLE})
    life = lives_of(replace(src, releases=(first, second)))["b"]
    assert change_lines(life) == ["1 first-read", "2 removed"]


def test_removed_term_is_not_in_a_new_document_that_could_not_be_read():
    """A document that could not be read may be that of a term under another name only if the term
    was there until then."""
    glossary = {"1": {"a": "One.", "b": "Two."}, "2": {"a": "One."}, "3": {"a": "One."}}
    assert stood(lives_of(in_files(glossary, {"3": "new"}))["b"]) == ["defined", "absent", "absent"]
    assert stood(lives_of(in_files(glossary, {"2": "new"}))["b"]) == ["defined", "unread", "absent"]


@pytest.mark.parametrize("complete", [False, True])
def test_term_of_a_document_that_could_not_be_read_first_is_not_new(complete: bool):
    """Terms of a document that was unreadable before may be older, as in a first release."""
    glossary = {"1": {"a": "One."}, "2": {"a": "One.", "b": "Two.", "c": "C."}}
    lives = lives_of(in_files(glossary, {"1": "b"}, complete=complete))
    assert (change_lines(lives["b"]), stood(lives["b"])) == (
        ["2 first-read"],
        ["unread", "defined"],
    )
    assert change_lines(lives["a"]) == ["1 added" if complete else "1 first-read"]
    assert change_lines(lives["c"]) == ["2 added"]


def test_complete_history_whose_first_release_could_not_be_read_adds_nothing():
    """If the first release is unreadable, terms of the second may have been in it."""
    check({"1": None, "2": {"a": "One."}}, "a", "2 first-read", complete=True)


def test_term_of_a_document_that_was_called_otherwise_when_it_could_not_be_read_is_not_new():
    """A document that appears when an unreadable one disappears may be the same; not if both exist
    at once."""
    glossary = {"1": {"a": "One."}, "2": {"a": "One.", "b": "Two."}}
    assert change_lines(lives_of(in_files(glossary, {"1": "old"}))["b"]) == ["2 first-read"]
    assert change_lines(lives_of(in_files(glossary, {"1": "old", "2": "old"}))["b"]) == ["2 added"]


def test_term_that_came_while_its_document_could_not_be_read_is_added_after_that():
    """New and changed terms belong to the next release that was read, compared with the last one
    before."""
    one, two = {"a": "One.", "c": "Old."}, {"a": "One.", "c": "New.", "b": "Two."}
    lives = lives_of(in_files({"1": one, "2": {"a": "One."}, "3": two}, {"2": "b c"}))
    assert stood(lives["b"]) == ["absent", "unread", "defined"]
    last = [
        (change.kind, change.release, change.previous)
        for name in "bc"
        for change in lives[name].changes[-1:]
    ]
    assert last == [("added", "3", "1"), ("reworded", "3", "1")]


def test_removed_term_may_be_back_where_its_document_could_not_be_read():
    """A removed term may be back if its document is unreadable, so its state is unknown."""
    one, two = {"a": "One."}, {"a": "One.", "b": "Two."}
    life = lives_of(in_files({"1": two, "2": one, "3": one, "4": two}, {"3": "b"}))["b"]
    assert stood(life) == ["defined", "absent", "unread", "defined"]
    assert [(change.kind, change.previous) for change in life.changes[1:]] == [
        ("removed", "1"),
        ("restored", "2"),
    ]
