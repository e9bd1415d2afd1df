"""The inputs of a part are recorded as it is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import pytest
from sites import glossary

from sitegen.pipeline.dependencies import Lookups, Recorder
from sitegen.site import pages
from sitegen.site.pages import letters


@dataclass(frozen=True, kw_only=True)
class Shelf:
    title: str = "Shelf"
    books: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    @cached_property
    def authors(self) -> Mapping[str, tuple[str, ...]]:
        return {book: (author,) for book, author in self.books.items()}

    def author(self, book: str) -> str:
        return self.books[book]


SHELF = Shelf(books={"Emma": "Austen", "Dubliners": "Joyce"}, order=("Emma", "Dubliners"))


def notes(*questions: str, shelf: Shelf = SHELF) -> tuple[Recorder, Lookups]:
    """Returns the recorder, and the lookups recorded while the questions are evaluated on a
    shelf."""
    recorder = Recorder()
    recorderd = recorder.recording(shelf)
    for question in questions:
        eval(question, {"shelf": recorderd})  # questions of ours
    return recorder, recorder.take()


def test_every_question_is_noted_once() -> None:
    """By key where one was asked for, as a whole where all were looked at; also by way of
    methods."""
    assert notes("shelf.books['Emma']", "shelf.author('Emma')")[1] == {"Shelf.books": ["Emma"]}
    assert notes("shelf.books.get('Ulysses')", "'Emma' in shelf.books")[1] == {
        "Shelf.books": ["Ulysses", "Emma"]
    }
    assert notes("list(shelf.books)")[1] == {"Shelf.books": [None]}
    assert notes("shelf.order[0]", "len(shelf.order)")[1] == {"Shelf.order": [None]}
    assert notes("shelf.books['Emma']", "shelf.order[0]")[1] == {
        "Shelf.books": ["Emma"],
        "Shelf.order": [None],
    }


def test_what_is_derived_is_asked_like_what_is_given() -> None:
    """A value that is worked out once for all notes what it is asked for, and not what it was
    worked out from."""
    assert notes("shelf.authors['Emma']")[1] == {"Shelf.authors": ["Emma"]}


def test_notes_are_taken_once() -> None:
    """Each part gets its own notes."""
    recorder, _ = notes("shelf.books['Emma']")
    assert recorder.take() == {}


def test_answers_change_with_what_was_asked_for_alone() -> None:
    """The same questions have other answers when something else is found, or nothing, and only
    then."""

    def answers(shelf: Shelf) -> list[str]:
        recorder = Recorder()
        recorder.recording(shelf)
        return [recorder.digest({"Shelf.books": [book]}) for book in ("Emma", "Ulysses")]

    emma, ulysses = answers(SHELF)
    assert answers(Shelf(books={"Emma": "Austen"}, order=())) == [emma, ulysses]
    assert answers(Shelf(books={"Emma": "Jane Austen"}))[0] != emma
    assert answers(Shelf(books={}))[0] not in (emma, answers(Shelf(books={"Emma": ""}))[0])
    assert answers(Shelf(books={**SHELF.books, "Ulysses": ""}))[1] != ulysses
    changed = answers(Shelf(books=SHELF.books, title="Other"))
    assert changed[0] != emma and changed[1] != ulysses, "what cannot be asked counts always"


def test_several_answers_are_told_together() -> None:
    """The digest depends on each answer, and on which question has which answer."""
    recorder, asked = notes("shelf.books['Emma']", "shelf.books['Dubliners']", "shelf.order[0]")
    told = recorder.digest(asked)
    assert notes(shelf=replace(SHELF, order=("Emma",)))[0].digest(asked) != told
    assert (
        notes(shelf=replace(SHELF, books={"Emma": "Joyce", "Dubliners": "Austen"}))[0].digest(asked)
        != told
    )
    assert notes(shelf=replace(SHELF))[0].digest(asked) == told


def test_pages_of_one_letter_or_two_releases_ask_for_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Groups with a name, which can be cached, do not read collections that have one element per
    term."""
    monkeypatch.setattr(letters, "MANY_TERMS", 1)
    first = {"disk": "Old.", "drum": "Round.", "tape": "Slow."}
    site = glossary({"1": first, "2": {"disk": "New.", "tape": "Slow.", "volume": "It."}})
    recorder, shared = Recorder(), pages.PageData(site)
    data = recorder.recording(shared, site=recorder.recording(site))
    terms = recorder.recording_mapping(pages.release_terms(shared), "release_terms")
    named = [group for group in pages.groups(data, terms) if group.name]
    recorder.take()
    made = [page.address for group in named for page in group.make()]
    assert made == [
        "a-z/d/",
        "a-z/t/",
        "a-z/v/",
        "release/1/",
        "release/2/",
        "release/1/terms/",
        "release/2/terms/",
        "compare/1/2/",
    ]
    assert made == [group.name for group in named]
    looked_through = {name for name, keys in recorder.take().items() if None in keys}
    assert looked_through == {"Site.releases_out", "Site.sources", "PageData.letters"}
