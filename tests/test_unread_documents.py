"""What could not be read neither adds nor removes a term."""

from __future__ import annotations

from dataclasses import replace

import pytest
from glossaries import (
    UNREADABLE,
    change_lines,
    lives_of,
    source,
)
from short_histories import check, in_files, states


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
    assert states(lives_of(in_files(glossary, {"3": "new"}))["b"]) == [
        "defined",
        "absent",
        "absent",
    ]
    assert states(lives_of(in_files(glossary, {"2": "new"}))["b"]) == [
        "defined",
        "unread",
        "absent",
    ]


@pytest.mark.parametrize("complete", [False, True])
def test_term_of_a_document_that_could_not_be_read_first_is_not_new(complete: bool):
    """Terms of a document that was unreadable before may be older, as in a first release."""
    glossary = {"1": {"a": "One."}, "2": {"a": "One.", "b": "Two.", "c": "C."}}
    lives = lives_of(in_files(glossary, {"1": "b"}, complete=complete))
    assert (change_lines(lives["b"]), states(lives["b"])) == (
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
    assert states(lives["b"]) == ["absent", "unread", "defined"]
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
    assert states(life) == ["defined", "absent", "unread", "defined"]
    assert [(change.kind, change.previous) for change in life.changes[1:]] == [
        ("removed", "1"),
        ("restored", "2"),
    ]
