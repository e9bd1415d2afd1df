"""Bare definition lists in reStructuredText: item by item they say what docutils makes of the document."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_plain_rst import AROUND, EASY, HARD, Kept, by_docutils

from sitegen.formats.rst import definition_lists, glossaries, reader
from sitegen.model import Document, Entry
from sitegen.text.known import Known

NAMES = [
    "Anchor",
    "Boat, small",
    "``code`` name",
    "*Crew*",
    "l : m",
    "A. B",
    "E) F",
    "iv. G",
    "Two::",
    "Three:",
    "3 D",
]
LAYOUTS = [
    "{}\n    {}\n\n",
    "{}\n  {}\n\n",
    "{}\n    {}\n",
    "{}\n\n    {}\n\n",
    "  {}\n      {}\n\n",
    "{}\n {}\n\n\n\n",
]
ITEMS = st.builds(
    lambda layout, name, text: layout.format(name, text.replace("\n", "\n    ")),
    st.sampled_from(LAYOUTS[:2] * 4 + LAYOUTS),
    st.sampled_from(NAMES[:2] * 4 + NAMES),
    st.one_of(
        st.lists(st.sampled_from(EASY), min_size=1, max_size=6).map(lambda parts: f"A {''.join(parts)}"),
        st.lists(st.sampled_from(EASY + HARD), min_size=1, max_size=4).map("".join),
    ),
)
DOCUMENTS = st.lists(st.one_of(ITEMS, ITEMS, ITEMS, st.sampled_from(AROUND)), max_size=8).map("".join)


def document(text: str) -> Document:
    return Document(source="s", release="r", path="p.rst", name="p.rst", text=text)


@given(st.lists(DOCUMENTS, min_size=1, max_size=3))
def test_lists_read_as_a_whole(texts: list[str]) -> None:
    """Whatever is put together, and whatever was met before, a document reads as docutils reads it."""
    known, kept = Known(), Kept()
    for text in texts:
        one = document(text)
        assert reader.parse(one, known) == reader.parse(one, Known(kept)) == by_docutils(one)
        other = replace(one, text=f"Words.\n\n{text}\nEnd\n===\n\nWords.\n")
        assert reader.parse(other, known) == by_docutils(other)


LIST = "Glossary\n========\n\nAnchor\n    Holds *a boat*.\n\nBoat\n    - floats\n    - `sails <http://a.b>`_\n\n"
MORE = "On land\n-------\n\nCrew\n    Walks::\n\n      a long way\n"


def told(entries: tuple[Entry, ...]) -> list[tuple[str, int, str]]:
    return [(entry.name, entry.line, entry.section) for entry in entries]


def test_a_list_of_known_items_takes_no_docutils(monkeypatch: pytest.MonkeyPatch) -> None:
    """From one build to the next, docutils is asked for nothing that it has read, wherever an item stands by then."""
    kept = Kept()
    releases = [document(LIST + MORE), document(LIST.replace("Anchor", "A\n    New.\n\nAnchor") + MORE)]
    fresh = [by_docutils(one) for one in releases]
    assert told(fresh[1].entries) == [("A", 4, ""), ("Anchor", 7, ""), ("Boat", 10, ""), ("Crew", 17, "On land")]
    assert reader.parse(releases[0], Known(kept)) == fresh[0]
    monkeypatch.setattr(glossaries, "parse", None)
    assert [reader.parse(one, Known(kept)) for one in releases] == fresh


def test_new_items_are_parsed_together_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a list in which one item changed, that item alone is parsed."""
    parsed: list[str] = []
    parse = glossaries.parse
    monkeypatch.setattr(
        glossaries, "parse", lambda text, *rest, **options: (parsed.append(text), parse(text, *rest, **options))[1]
    )
    known = Known()
    reader.parse(document(LIST), known)
    reader.parse(document(LIST.replace("floats", "sinks")), known)
    boat = "Boat\n    - {}\n    - `sails <http://a.b>`_"
    assert parsed == [
        f"Glossary\n========\n\n{definition_lists.STAND_IN}",
        boat.format("floats"),
        boat.format("sinks"),
    ]


def test_items_that_refer_to_each_other_are_read_with_their_document() -> None:
    """What depends on its document is read there, each time."""
    one = document(f"{LIST}Crew\n    Goes by what `sails`_.\n\nDeck\n    See Glossary_.\n")
    known = Known()
    for _ in range(2):
        assert reader.parse(one, known) == by_docutils(one)
