"""The terms that references lead to."""

from __future__ import annotations

import pytest
from glossaries import merged, source

from sitegen.history.lives import lives
from sitegen.history.references import Resolver, resolve_all

GLOSSARY = {
    "1": {"Compound Operation": "One.", "Kernel; kern": "Two.", "old name": "A long enough definition to tell."},
    "2": {"Compound Operation": "One.", "Kernel; kern": "Two.", "new name": "A long enough definition to tell."},
}


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("Compound Operation", "Compound Operation"),
        ("compound  operation", "Compound Operation"),
        ("Compound Operations", "Compound Operation"),
        ("kern", "Kernel"),
        ("old name", "new name"),
        ("nothing", None),
    ],
)
def test_references_find_terms(target: str, name: str | None):
    """A reference finds its term by any present or former name, in any case, and in the plural."""
    terms = merged(source("s", GLOSSARY)).terms
    expected = {term.lanes[0].steps[-1].entry.name: term.key for term in terms if term.lanes[0].steps[-1].entry}
    assert Resolver(terms).resolve(target, source="s") == expected.get(name or "")


def test_dangling_references_are_reported_where_they_stand():
    """A reference to an unknown or removed term is a problem with its location."""
    read = source(
        "s",
        {
            "1": {"a": "One.", "b": '<p><a href="term:nowhere">x</a></p>'},
            "2": {"b": '<p>To <a href="term:nowhere">x</a> and <a href="term:a">a</a></p>'},
        },
    )
    terms = merged(read).terms
    resolver = Resolver(terms)
    found = resolve_all(lives(terms, editions={"s": read[1]}, resolver=resolver), resolver)
    assert [str(problem).partition(";")[0] for problem in found.problems] == [
        "2/GLOSSARY.md:1: refers to “a”, which was removed in 2",
        "2/GLOSSARY.md:1: refers to “nowhere”, which no source defines",
    ]
    assert set(found.targets) == {("s", "a")}
