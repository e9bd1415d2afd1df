"""The ledger: one line for each address, merged by git, refused if damaged."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.permanence.ledger import (
    HEAD,
    Ledger,
    LedgerError,
    LedgerRow,
    dump,
    grown,
    lost,
    name_mark,
    parse,
    sealed,
    united,
)
from sitegen.text.decoding import is_plain

ATEN = LedgerRow(
    address="/term/aten/",
    kind="term",
    name="ATen",
    source="s",
    first="1",
    last="2",
    fragments=(("r1", "s 1"), ("r2", "s 2")),
)
KERNEL = LedgerRow(
    address="/term/kernel/",
    kind="term",
    name="Kernel",
    source="s",
    first="1",
    last="2",
    fragments=(("r1", "s 1"),),
)

FROZEN = LedgerRow(
    address="/term/aten/1/", kind="frozen", name="ATen", source="s", first="1", last="1", words="ab"
)


def ledger(*rows: LedgerRow) -> Ledger:
    return {row.address: row for row in rows}


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SLUGS = st.from_regex("[a-z0-9-]+", fullmatch=True)
ADDRESSES = st.one_of(
    st.tuples(
        TEXTS.filter(is_plain).map(lambda text: f"/{text}"),
        st.sampled_from(["page", "release", "data"]),
    ),
    st.tuples(SLUGS.map(lambda slug: f"/term/{slug}/"), st.just("term")),
    st.tuples(SLUGS.map(lambda slug: f"/term/{slug}/1.0/"), st.just("frozen")),
)
ROWS = st.builds(
    lambda place, **facts: LedgerRow(address=place[0], kind=place[1], **facts),
    ADDRESSES,
    name=TEXTS,
    source=st.sampled_from(["", "s"]),
    first=st.sampled_from(["", "1"]),
    words=st.sampled_from(["", "ab"]),
    fragments=st.dictionaries(st.sampled_from(["r1", "r2", "#"]), st.sampled_from(["", "s 1"])).map(
        lambda found: tuple(sorted(found.items()))
    ),
)


@given(st.lists(ROWS, max_size=5))
@example([LedgerRow(address="/term/x/", kind="term", name="next line \x85 and \u2028")])
def test_what_is_written_is_read_back(rows: list[LedgerRow]):
    """Any ledger is the same after writing and reading; the order of its rows does not change the
    text."""
    made = ledger(*rows)
    assert parse(dump(made), "x") == made
    assert dump(made) == dump(dict(reversed(list(made.items()))))


def test_one_address_stands_on_one_line_in_order():
    """Each address has one line, sorted, between fixed first and last lines."""
    lines = dump(ledger(KERNEL, ATEN)).splitlines()
    assert lines[0] == HEAD
    assert lines[-1].startswith('"end": {"addresses": 2, ')
    assert [line.split('"')[1] for line in lines[1:-1]] == ["/term/aten/", "/term/kernel/"]


@pytest.mark.parametrize(
    ("damage", "place", "found"),
    [
        (lambda text: "", "p.json:1", "no ledger"),
        (lambda text: text[: text.rindex('"end"')], "p.json:3", "cut short"),
        (lambda text: text[:60], "p.json:2", "cut short"),
        (lambda text: text.replace("ATen", "Aten"), "p.json:2", "was changed"),
        (lambda text: text.replace('"r2":', '"r3":'), "p.json:2", "was changed"),
        (
            lambda text: text.replace('"/term/kernel/":', '"/term/kernel/"'),
            "p.json:3",
            "no ledger line",
        ),
        (lambda text: text.replace('"/term/kernel/":', "[" * 10**5), "p.json:3", "no ledger line"),
        (
            lambda text: text.replace('"/term/k', '<<<<<<< ours\n"/term/k'),
            "p.json:3",
            "merge conflict",
        ),
        (
            lambda text: text.replace('"/term/k', '||||||| base\n"/term/k'),
            "p.json:3",
            "merge conflict",
        ),
    ],
)
def test_damage_is_refused_with_its_line(damage, place: str, found: str):  # type: ignore[no-untyped-def]
    """A truncated, edited or conflicting ledger is refused with its line and a remedy."""
    with pytest.raises(LedgerError, match=found) as refused:
        parse(damage(dump(ledger(ATEN, KERNEL))), "p.json", cure="fetch it again")
    assert str(refused.value).startswith(f"{place}: ")
    assert ("conflict" in found) == (not str(refused.value).endswith("; fetch it again"))


@pytest.mark.parametrize(
    ("row", "facts"),
    [
        ("/term/aten/", {"kind": "thesaurus"}),
        ("/term/aten/", {"kind": "term", "color": "red"}),
        ("/term/aten/", {"kind": "term", "name": ["ATen"]}),
        ("/term/aten/", {"kind": "term", "fragments": ["r1"]}),
        ("/aten/", {"kind": "term", "name": "ATen"}),
    ],
)
def test_what_a_newer_version_wrote_is_refused_as_such(row: str, facts: dict[str, object]):
    """An intact line of an unknown form asks for a newer version, and is not called damaged."""
    made = dump(ledger(ATEN))
    line = sealed(f"{json.dumps(row)}: {json.dumps(facts)}".removesuffix("}"))
    with pytest.raises(LedgerError, match=r"p\.json:2: .* not understood.*upgrade"):
        parse(made.replace(made.splitlines()[1], line), "p.json")
    with pytest.raises(LedgerError, match=r"p\.json:1: .*newer sitegen; upgrade"):
        parse(made.replace("ledger 1", "ledger 2"), "p.json")


def test_growing_drops_nothing_and_keeps_the_beginning():
    """A build adds addresses and fragments, and changes only the last release and the successor of
    a row."""
    later = replace(
        ATEN, first="2", last="3", fragments=(("r2", "s 9"), ("r3", "s 3")), successor="/term/b/"
    )
    result = grown(ledger(ATEN, KERNEL), [later])
    fragments = (("r1", "s 1"), ("r2", "s 2"), ("r3", "s 3"))
    assert result["/term/aten/"] == replace(
        ATEN, last="3", fragments=fragments, successor="/term/b/"
    )
    assert result["/term/kernel/"] == KERNEL


def test_what_a_ledger_has_lost_is_named():
    """Addresses and fragments that a ledger lacks, or gives another meaning than the published one,
    are listed."""
    other = replace(KERNEL, name="Loop")
    kept = ledger(replace(ATEN, fragments=(("r1", "s 1"),)), other)
    assert list(lost(kept, ledger(ATEN, KERNEL))) == ["/term/aten/#r2", "/term/kernel/"]
    moved = replace(ATEN, fragments=(("r1", "s 9"), ("r2", "s 2")))
    assert list(lost(ledger(moved), ledger(ATEN))) == ["/term/aten/#r1"]
    assert list(lost(ledger(ATEN, KERNEL), ledger(ATEN))) == []


def union_merge(*versions: Ledger) -> str:
    """Returns the union merge of versions of a file."""
    lines = [dump(version).splitlines() for version in versions]
    return "\n".join(
        [HEAD, *(line for version in lines for line in version[1:-1]), *(one[-1] for one in lines)]
    )


@pytest.mark.parametrize("lost_line", [1, 2])
def test_lost_line_is_noticed(lost_line: int):
    """A file that lacks a line, or has an outdated one, is refused."""
    lines = dump(ledger(ATEN, KERNEL)).splitlines()
    with pytest.raises(LedgerError, match="has 1 addresses, and 2 were written"):
        parse("\n".join([*lines[:lost_line], *lines[lost_line + 1 :]]), "p.json")
    lines[lost_line] = dump(
        ledger(replace(ATEN, last="1"), replace(KERNEL, last="1"))
    ).splitlines()[lost_line]
    with pytest.raises(LedgerError, match="older than others"):
        parse("\n".join(lines), "p.json")


def test_lines_lost_in_a_merge_are_noticed():
    """A merged file needs at least as many lines as each merged version."""
    text = union_merge(ledger(ATEN, KERNEL), ledger(ATEN))
    assert set(parse(text, "p.json")) == {"/term/aten/", "/term/kernel/"}
    lines = text.splitlines()
    with pytest.raises(LedgerError, match="and 2 were written"):
        parse("\n".join([lines[0], lines[1], *lines[-2:]]), "p.json")


def test_words_of_a_row_are_those_of_the_site():
    """A row takes the words that its page shows, and keeps the published names where names were
    corrected."""
    words, old, new = "0123456789ab", name_mark("Old"), name_mark("New")
    before = replace(ATEN, wordings={("s", "1"): f"{words}{old}"})
    after = replace(ATEN, wordings={("s", release): f"ba9876543210{new}" for release in "12"})
    assert grown(ledger(before), [after])["/term/aten/"].wordings == after.wordings
    corrected = ledger(replace(ATEN, wordings={("s", "1"): f"{words}{new}"}))
    assert grown(ledger(before), [after], corrected)["/term/aten/"].wordings == {
        ("s", "1"): f"ba9876543210{old}",
        ("s", "2"): f"ba9876543210{new}",
    }


def test_united_ledgers_have_the_words_of_the_first():
    """Of two ledgers, all rows, ids and words are promised; where words differ, those of the
    first."""
    one = replace(ATEN, wordings={("s", "1"): "ab"}, fragments=(("r1", "s 1"),))
    two = replace(ATEN, wordings={("s", "1"): "cd", ("s", "2"): "cd"}, fragments=(("r2", "s 2"),))
    both = united(ledger(one), ledger(two, KERNEL), places=("one", "two"))
    assert both["/term/aten/"].wordings == {("s", "1"): "ab", ("s", "2"): "cd"}
    assert both["/term/aten/"].fragments == ATEN.fragments
    assert both["/term/kernel/"] == KERNEL
    with pytest.raises(LedgerError, match="one: /term/aten/ has a different meaning in two"):
        united(ledger(one), ledger(replace(ATEN, source="t")), places=("one", "two"))


@pytest.mark.parametrize("turned", [False, True])
def test_two_lines_for_a_term_that_both_branches_brought_are_one(turned: bool):
    """A term that two branches added at different releases is one row: git puts the published one
    first."""
    firsts = ("1.10", "1.9") if turned else ("1.9", "1.10")
    read = parse(union_merge(*(ledger(replace(ATEN, first=first)) for first in firsts)), "p.json")
    assert read == ledger(replace(ATEN, first=firsts[0]))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (ATEN, replace(ATEN, name="A ten")),
        (ATEN, replace(ATEN, source="t")),
    ],
)
def test_two_lines_that_say_different_things_are_refused(one: LedgerRow, two: LedgerRow):
    """If branches gave one address to two terms, a person must choose the published one."""
    with pytest.raises(
        LedgerError, match=r"p\.json:3: two lines give /term/aten/.*published first"
    ):
        parse(union_merge(ledger(one), ledger(two)), "p.json")


def test_branches_that_both_add_terms_merge_with_plain_git(tmp_path: Path):
    """Two branches add neighboring terms and a release each; the ledger that git merges is
    valid."""

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=tmp_path, check=True
        )

    def commit(made: Ledger) -> None:
        (tmp_path / "permalinks.json").write_text(dump(made), encoding="utf-8")
        git("add", "-A")
        git("commit", "-qm", "build")

    git("init", "-qb", "main")
    (tmp_path / ".gitattributes").write_text("permalinks.json merge=union\n", encoding="utf-8")
    commit(ledger(ATEN))
    git("checkout", "-qb", "one")
    commit(grown(ledger(ATEN), [KERNEL, replace(ATEN, fragments=(("r3", "s 3"),))]))
    git("checkout", "-q", "main")
    other = replace(KERNEL, address="/term/leaf/", name="Leaf")
    commit(grown(ledger(ATEN), [other, replace(ATEN, fragments=(("r4", "s 4"),))]))
    git("merge", "-q", "one", "-m", "merge")
    result = parse((tmp_path / "permalinks.json").read_text(encoding="utf-8"), "permalinks.json")
    assert set(result) == {"/term/aten/", "/term/kernel/", "/term/leaf/"}
    assert result["/term/aten/"].fragments == tuple((f"r{n}", f"s {n}") for n in (1, 2, 3, 4))


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\x1b", "\x07", "\n"])
def test_an_address_that_is_not_plain_is_refused(sign: str) -> None:
    """An address with a control character, or another that is not visible, is refused with its
    line."""
    row = replace(KERNEL, address=f"/term/ker{sign}nel/")
    with pytest.raises(LedgerError) as error:
        parse(dump({row.address: row}), "permalinks.json")
    assert str(error.value) == (
        f"permalinks.json:2: the address {json.dumps(row.address)} has characters that are not "
        f"visible; "
        "take it back from git"
    )
