"""Suggestions of terms that may be the same: few, with evidence, and answered by the lines they
print."""

from __future__ import annotations

from pathlib import Path

import pytest
from glossaries import Glossary, source
from hypothesis import given
from hypothesis import strategies as st
from sites import site_of

from sitegen.config import parsing
from sitegen.config.tables import Distinct, Rename
from sitegen.model import Source
from sitegen.permanence.archive import Archive
from sitegen.pipeline import assembly
from sitegen.pipeline.suggestions import Suggestion, suggestions
from sitegen.site.site import Site
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config
from sitegen.text.decoding import is_plain
from sitegen.text.names import exact, stems

LONG = (
    "A named pointer to the state of a volume at one moment, from which the volume can be restored."
)
NEAR = (
    "A named pointer to the state of a volume at one moment, to which the volume can be put back."
)
OTHER = (
    "Storage that is slow to read and costs next to nothing while nobody asks for what it holds."
)


def suggested(*sources: Source, result: str = "") -> tuple[Suggestion, ...]:
    """Returns the suggestions for these sources, with these tables in site.toml."""
    word = configured(sources, result)
    site = site_of(*sources, renames=word.renames, verdicts=word.verdicts)
    return suggestions(site, word)


def configured(sources: tuple[Source, ...], result: str) -> parsing.Config:
    tables = "".join(f'[[source]]\nid = "{read.id}"\nfolder = "{read.id}"\n' for read in sources)
    return parsing.parse(tables + result, path="site.toml")


def check(releases: Glossary, *expected: tuple[str, str, int]) -> tuple[Suggestion, ...]:
    """Asserts that one source gives exactly these suggestions: (before, after, score)."""
    found = suggested(source("library", releases))
    assert tuple((one.before.name, one.after.name, one.score) for one in found) == expected
    return found


def test_similar_definitions_are_a_suggestion() -> None:
    """A removed and an added term that share most words are a suggestion, with the words as
    evidence."""
    [found] = check({"1": {"image": LONG}, "2": {"snapshot": NEAR}}, ("image", "snapshot", 87))
    assert found.reason == "87% of the words of their definitions are the same"
    assert (found.before.place.release, found.after.place.release) == ("1", "2")
    assert (found.before.definition.text, found.after.definition.text) == (LONG, NEAR)


def test_different_definitions_are_none() -> None:
    """Terms that share neither name nor words are not suggested, even if one replaces the other, or
    is in its place."""
    check({"1": {"image": LONG}, "2": {"tape": OTHER}})
    others = {"Axis": "A line.", "Volume": "Holds blocks."}
    check({"1": {"image": LONG, **others}, "2": {"tape": OTHER, **others}})


def test_similar_short_definitions_are_none() -> None:
    """A few words in common prove nothing if there are only a few."""
    check({"1": {"axis": "A straight line."}, "2": {"edge": "Any straight line."}})


def test_similar_names_are_a_suggestion() -> None:
    """A name that differs in a letter or two is suggested, whatever the definition."""
    check(
        {"1": {"data centre": LONG}, "2": {"data center": OTHER}},
        ("data centre", "data center", 90),
    )
    check({"1": {"volume": LONG}, "2": {"tape": OTHER}})


def test_same_words_are_a_suggestion() -> None:
    """Equal definitions that are too short to prove a rename are a suggestion, and so are those
    that a third term has; where several are gone, none is likelier than another."""
    [found] = check({"1": {"core": "A loop."}, "2": {"kernel": "A loop."}}, ("core", "kernel", 100))
    assert found.reason == "their definitions have the same words"
    same = "A hypervisor that is supported by the project."
    check(
        {"1": {"Xen": same, "Hyper-V": same}, "2": {"Xen": same, "VMware": same}},
        ("Hyper-V", "VMware", 100),
    )
    check({"1": {"Hyper-V": same, "Zones": same}, "2": {"KVM": same, "Xen": same}})


def test_references_and_empty_definitions_prove_nothing() -> None:
    """ "See X" and empty definitions are no evidence."""
    check({"1": {"X": LONG, "one": "See X."}, "2": {"X": LONG, "two": "See X."}})
    check({"1": {"X": LONG, "one": "…"}, "2": {"X": LONG, "two": "…"}})


def test_each_term_is_in_one_suggestion_of_a_release() -> None:
    """A term is only in its most likely suggestion."""
    near = LONG.replace("pointer", "name")
    check(
        {"1": {"image": LONG}, "2": {"snapshot": NEAR, "capture": near}}, ("image", "capture", 94)
    )
    check(
        {"1": {"image": LONG, "picture": near}, "2": {"capture": near + " Always."}},
        ("picture", "capture", 97),
    )


def test_only_consecutive_releases_are_compared() -> None:
    """Only terms of consecutive releases are suggested; unreadable releases between them do not
    count."""
    check(
        {"1": {"X": OTHER, "image": LONG}, "2": {"X": OTHER}, "3": {"X": OTHER, "snapshot": NEAR}}
    )
    check({"1": {"image": LONG}, "2": None, "3": {"snapshot": NEAR}}, ("image", "snapshot", 87))


def test_certain_identity_is_no_suggestion() -> None:
    """Terms that the rules join are not suggested."""
    check({"1": {"image": LONG}, "2": {"snapshot": LONG}})
    check({"1": {"image": LONG}, "2": {"snapshot; image": NEAR}})


def test_suggestions_come_by_release_and_the_likeliest_first() -> None:
    """Suggestions are ordered by source, release and likelihood, whatever the order of entries."""
    near = LONG.replace("pointer", "name")
    first = {"a": LONG, "zone": "A loop."}
    second = {"snapshot": near, "zones": OTHER}
    third = {"zones": OTHER, "capture": NEAR + " Ever."}
    expected = (("a", "snapshot", 94), ("zone", "zones", 88), ("snapshot", "capture", 80))
    check({"1": first, "2": second, "3": third}, *expected)
    turned = (dict(reversed(wording.items())) for wording in (first, second, third))
    check(dict(zip("123", turned, strict=True)), *expected)


# Settled by what comes with them.


@pytest.mark.parametrize("answer", ["same", "distinct"])
def test_pasted_lines_settle_a_rename(answer: str) -> None:
    """Either answer, pasted into site.toml, ends the suggestion; the first joins the two terms."""
    read = source("library", {"1": {"image": LONG}, "2": {"snapshot": NEAR}})
    [found] = suggested(read)
    result = getattr(found, answer)
    assert suggested(read, result=result) == ()
    word = configured((read,), result)
    lives = site_of(read, renames=word.renames, verdicts=word.verdicts).lives
    assert len(lives) == (1 if answer == "same" else 2)


TEXTS = (
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12).map(exact).filter(is_plain)
)


@given(TEXTS, TEXTS)
def test_any_name_can_be_pasted(one: str, two: str) -> None:
    """The printed lines give back any name."""
    old, new = f"1{one}.", f"2{two}."
    read = source("library", {"1": {old: LONG}, "2": {new: NEAR}})
    for found in suggested(read):
        pair = (found.before.name, found.after.name)
        [rename] = configured((read,), found.same).renames
        [verdict] = configured((read,), found.distinct).verdicts
        assert (rename, verdict) == (
            Rename(source="library", old=pair[0], new=pair[1], release="2"),
            Distinct(source="library", names=pair),
        )


def test_lines_can_be_pasted_where_nothing_was_configured() -> None:
    """Without a site.toml, the printed lines are a whole one."""
    [found] = suggested(source("glossary", {"1": {"image": LONG}, "2": {"snapshot": NEAR}}))
    [rename] = parsing.parse(found.same, path="site.toml").renames
    assert (rename.source, rename.old, rename.new) == ("glossary", "image", "snapshot")


def test_what_was_said_of_another_source_settles_nothing() -> None:
    """An answer for one source does not end the suggestion for another."""
    releases: Glossary = {"1": {"image": LONG}, "2": {"snapshot": NEAR}}
    one, two = source("one", releases), source("two", {"1": {"X": OTHER}, "2": {"X": OTHER}})
    result = '[[distinct]]\nnames = ["image", "snapshot"]\nsource = '
    assert len(suggested(one, two, result=f'{result}"two"')) == 1
    assert len(suggested(one, two, result=f'{result}"one"')) == 0


def test_terms_of_two_sources_are_no_suggestion() -> None:
    """Only a source decides what became of its terms."""
    one, two = source("one", {"1": {"Tensor": LONG}}), source("two", {"1": {"Tensors": LONG}})
    assert suggested(one, two) == ()


# Real glossaries.


def real(folder: Path) -> Site:
    word = read_config(folder)
    read = SourceReader(folder, clones=Clones(folder=folder)).read(word)
    return assembly.assemble(word, read, Archive())


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ("sphinx", [("description unit", "object", 85)]),
        ("pyramid", [("pyramid_sqla", "Akhet", 67)]),
        ("cncf", []),
        ("twisted", []),
        ("django", []),
    ],
)
def test_real_glossaries_give_few_and_plausible_ones(
    shared: Path, corpus: str, expected: list[tuple[str, str, int]]
) -> None:
    """In years of real releases the suggestions are exactly the renames that a person finds."""
    folder = shared / "corpora" / corpus
    found = suggestions(real(folder), read_config(folder))
    assert [(one.before.name, one.after.name, one.score) for one in found] == expected


def test_stems_in_a_language_without_a_stemmer() -> None:
    """Words are their own stems where the language has no stemmer."""
    assert stems("Verbs of Latin", language="la") == "verbs of latin"
