"""The order of releases: declared, else by version, else in natural order."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.text.release_names import as_listed, date_in, declared_order, ordered


def check(text: str, *, declared: str = "") -> None:
    """Asserts that the names of `text`, in any input order, are sorted as written."""
    names = text.split()
    for listing in (names, names[::-1], sorted(names)):
        assert declared_order(ordered(listing), declared.split()) == tuple(names)


@pytest.mark.parametrize(
    "names",
    [
        "0.9 0.10 1.0 1.0.1 1.2 10.0",
        "v1.0.0 v2.0.0 v3.5.0 v3.7.0 v10.0.0",
        "1.8.2 v1.9 release-1.10 rel_1_11 Version-2",
        "2.0.dev1 2.0a1 2.0b2 2.0rc1 2.0 2.0.post1 2.1",
        "1.0-SNAPSHOT 1.0 5.0.0-next.3 5.0.0",
        "2021-12-01 2022-08-01 2023-08-01",
        "2023 2024-07 2024-10 2025-01",
        "torch-1.2rc1 torch-1.2 torch-1.10",
        "4.2.0.Beta 4.2.0.Final 4.3",
        "2.3.15 2.4.1 2.4.x 2.5",
        "2nd 3rd 10th",
    ],
)
def test_versions_are_ordered_by_what_they_say(names: str):
    """Numbers are compared as numbers, pre-releases precede their release, and prefixes do not
    count."""
    check(names)


def test_other_names_are_sorted_as_a_person_would():
    """Names without a version follow those with one, ordered by words and numbers."""
    check("1.8.2 draft-2 draft-10 expanded tutorials")


def test_other_names_are_in_the_order_of_their_times():
    """Words do not say which release is older; a late release of an old line stays in that line."""
    times = {"review": 1, "first-print": 2, "errata.1": 3, "errata.2": 5, "draft": 4, "1.0": 6}
    wanted = ("1.0", "review", "first-print", "errata.1", "errata.2", "draft")
    assert ordered(sorted(times), times=times) == wanted


@pytest.mark.parametrize("head", ["main", "master", "HEAD", "unreleased", "nightly"])
def test_a_moving_branch_is_newest(head: str):
    """A branch comes after every release."""
    check(f"1.0 2.0 zeta {head}")


def test_a_maintenance_release_stands_in_its_line():
    """A late release of an old line is ordered within its line."""
    check("2.7.17 2.7.18 3.4 3.5")


def test_letters_after_a_number_follow_it():
    """A letter after a version is no pre-release, as in OpenSSL and Oracle; where it is one, the
    times of the releases say so."""
    check("1.0.1 1.0.2 1.0.2a 1.0.2b 1.0.3 11g 12c 18c")
    check("koa koa.2 koa.2a koa.3")
    assert ordered(["2.0", "2.0b", "2.0a"], times={"2.0a": 1, "2.0b": 2, "2.0": 3}) == (
        "2.0a",
        "2.0b",
        "2.0",
    )


def test_declared_order_wins():
    """A declared order overrides all rules."""
    check("3.4 3.5 2.7.18", declared="3.4 3.5 2.7.18")


def test_declared_names_take_each_others_places():
    """Names that are not declared keep the place that the rule gives them."""
    check("0.1 zeta alpha main", declared="zeta alpha")
    check("0.9 2.0 1.0 3.0", declared="2.0 1.0")


def test_a_declared_name_that_is_absent_is_passed_over():
    """An unknown or repeated name in the declared order changes nothing."""
    check("b a", declared="b missing a b")


def test_equal_versions_keep_one_order():
    """Names of equal versions are ordered by their letters."""
    check("1.0 1.0.0 v1.0")


def test_a_release_for_long_use_is_no_earlier_than_its_version():
    """A suffix such as "lts" does not make a version an earlier one; an unknown one does."""
    names = ("1.9", "2.0-rc-x", "2.0", "2.0-lts", "2.0.1")
    assert ordered(names[::-1]) == names


def test_a_name_of_a_thousand_digits_is_ordered():
    """A number too long for Python is ordered like other names."""
    long = "9" * 5000
    assert ordered([long, "1.0"]) == ("1.0", long)


names = st.one_of(
    st.text(max_size=12), st.from_regex(r"\A(v|release-|x)?[0-9]{1,3}([._-][0-9a-c]{1,3}){0,3}\Z")
)


@given(st.lists(names), st.lists(names), st.randoms())
def test_order_is_total_and_does_not_depend_on_the_listing(listing, declared, random):
    """The result has every name once, and depends neither on the input order nor on sorting
    again."""
    declared += listing[:3]
    result = declared_order(ordered(listing), declared)
    shuffled = random.sample(listing, len(listing))
    assert sorted(result) == sorted(set(listing))
    assert declared_order(ordered(shuffled), declared) == result
    assert declared_order(ordered(result), declared) == result


@given(st.lists(names, unique=True), st.lists(names, unique=True))
def test_declared_names_stand_in_declared_order(listing, declared):
    """Existing declared names are in the declared order."""
    result = declared_order(ordered(listing), declared)
    assert [name for name in result if name in declared] == [
        name for name in declared if name in listing
    ]


def test_a_list_is_taken_as_it_is_written():
    """The order of [[release]] tables counts, not their dates."""
    assert as_listed([("b", None), ("a", date(2020, 1, 1)), ("c", None)]) == ("b", "a", "c")
    assert as_listed([("3.8", date(2019, 10, 14)), ("2.7.18", date(2020, 4, 20))]) == (
        "3.8",
        "2.7.18",
    )
    assert as_listed(
        [("a", date(2021, 1, 1)), ("b", date(2020, 1, 1)), ("c", date(2022, 1, 1))]
    ) == ("a", "b", "c")


def test_a_list_written_newest_first_is_turned_around():
    """A list whose dates all decrease begins with the newest release."""
    assert as_listed([("c", date(2022, 1, 1)), ("b", None), ("a", date(2020, 1, 1))]) == (
        "a",
        "b",
        "c",
    )


def test_a_release_named_after_a_day_has_that_date():
    """A name that is a whole date is the release's date; months, versions and impossible days are
    not."""
    assert date_in("2021-12-01") == date(2021, 12, 1)
    assert [date_in(name) for name in ("2024-07", "20211201", "1.2.3", "2021-02-30", "main")] == [
        None
    ] * 5
