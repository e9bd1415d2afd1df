"""The ledger: written line by line, merged by git, refused when damaged."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.ledger import HEAD, TAIL, Ledger, LedgerError, Row, dump, grown, missing, parse

ATEN = Row(
    address="/term/aten/",
    kind="term",
    name="ATen",
    source="s",
    first="1",
    last="2",
    fragments=(("r1", "s 1"), ("r2", "s 2")),
)
KERNEL = Row(
    address="/term/kernel/", kind="term", name="Kernel", source="s", first="1", last="2", fragments=(("r1", "s 1"),)
)


def ledger(*rows: Row) -> Ledger:
    return {row.address: row for row in rows}


ROWS = st.builds(
    Row,
    address=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).map(lambda text: f"/{text}"),
    kind=st.sampled_from(["page", "release", "term", "frozen", "data"]),
    name=st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    source=st.sampled_from(["", "s"]),
    first=st.sampled_from(["", "1"]),
    words=st.sampled_from(["", "ab"]),
    fragments=st.dictionaries(st.sampled_from(["r1", "r2", "#"]), st.sampled_from(["", "s 1"])).map(
        lambda found: tuple(sorted(found.items()))
    ),
)


@given(st.lists(ROWS, max_size=5))
@example([Row(address="/term/x/", kind="term", name="next line \x85 and \u2028")])
def test_what_is_written_is_read_back(rows: list[Row]):
    """Any ledger survives writing and reading, and is the same text whatever the order of its rows."""
    made = ledger(*rows)
    assert parse(dump(made), "x") == made
    assert dump(made) == dump(dict(reversed(list(made.items()))))


def test_one_address_stands_on_one_line_in_order():
    """Each address has a line of its own, sorted, between a fixed first and last line."""
    lines = dump(ledger(KERNEL, ATEN)).splitlines()
    assert [lines[0], lines[-1]] == [HEAD, TAIL]
    assert [line.split('"')[1] for line in lines[1:-1]] == ["/term/aten/", "/term/kernel/"]


@pytest.mark.parametrize(
    ("damage", "place", "found"),
    [
        (lambda text: "", "p.json:1", "no ledger"),
        (lambda text: text[: text.rindex('"end"')], "p.json:3", "cut short"),
        (lambda text: text[:60], "p.json:2", "cut short"),
        (lambda text: text.replace("ATen", "Aten"), "p.json:2", "was changed"),
        (lambda text: text.replace('"r2":', '"r3":'), "p.json:2", "was changed"),
        (lambda text: text.replace('"/term/kernel/":', '"/term/kernel/"'), "p.json:3", "no ledger line"),
        (
            lambda text: text.replace('"/term/kernel/":', '<<<<<<< ours\n"/term/kernel/":'),
            "p.json:3",
            "merge conflict",
        ),
    ],
)
def test_damage_is_refused_with_its_line(damage, place: str, found: str):  # type: ignore[no-untyped-def]
    """A ledger that was cut short, edited or left in conflict is refused, and the line named."""
    with pytest.raises(LedgerError, match=found) as refused:
        parse(damage(dump(ledger(ATEN, KERNEL))), "p.json")
    assert str(refused.value).startswith(f"{place}:")


def test_growing_drops_nothing_and_keeps_the_beginning():
    """A build adds addresses and fragments, and may only move the last release and the successor."""
    later = replace(ATEN, first="2", last="3", fragments=(("r2", "s 9"), ("r3", "s 3")), successor="/term/b/")
    result = grown(ledger(ATEN, KERNEL), [later])
    fragments = (("r1", "s 1"), ("r2", "s 2"), ("r3", "s 3"))
    assert result["/term/aten/"] == replace(ATEN, last="3", fragments=fragments, successor="/term/b/")
    assert result["/term/kernel/"] == KERNEL


def test_what_a_ledger_has_lost_is_named():
    """Addresses and fragments that were published and are not in the ledger are listed."""
    published = ledger(ATEN, KERNEL)
    assert list(missing(ledger(replace(ATEN, fragments=(("r1", "s 1"),))), published)) == [
        "/term/aten/#r2",
        "/term/kernel/",
    ]


def test_branches_that_both_add_terms_merge_with_plain_git(tmp_path: Path):
    """Two branches add neighbouring terms and a release each; git merges their ledgers and the result reads."""

    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=tmp_path, check=True)

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
