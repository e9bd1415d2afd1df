"""What happened to terms: their changes, revisions and statuses, in one source and in several."""

from __future__ import annotations

from dataclasses import replace

from glossaries import (
    change_lines,
    lives_of,
    merged,
    source,
    with_entries,
)
from short_histories import check


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
