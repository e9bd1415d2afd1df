"""The archive is a set of lines: lost and edited lines are found, and unions need no judgment."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from archives import edition, page, random_archive, text
from glossaries import lives_of, source
from soaking import seeds

from sitegen.permanence.archive import (
    READING,
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    ArchivedPage,
    Correction,
    EntryReference,
    FormerSource,
    Line,
    known_names,
    published_page,
)
from sitegen.permanence.archive_lines import (
    DamagedArchiveError,
    archive_of,
    dump,
    line_of,
    parse,
)
from sitegen.permanence.archive_union import lost, tidied, united
from sitegen.permanence.archived_releases import entry_text
from sitegen.permanence.published_entries import EntryIndex, references_of

SEEDS = seeds(test=40, soak=400)

pytestmark = pytest.mark.soak


def _cut(text: str, number: int) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[:number] + lines[number + 1 :])


def test_an_archive_is_read_as_it_was_written() -> None:
    """Parsing the text of an archive returns the archive, in any order of its lines."""
    for seed in SEEDS:
        random = Random(seed)
        archive = random_archive(random)
        lines = dump(archive).splitlines(keepends=True)
        random.shuffle(lines)
        assert parse("".join(lines), "a") == archive
        assert lines == [] or sorted(lines) == dump(archive).splitlines(keepends=True)


def test_a_union_is_the_same_in_any_order() -> None:
    """The union of two archives is commutative, idempotent, and loses nothing of either."""
    for seed in SEEDS:
        one, two = random_archive(Random(seed)), random_archive(Random(f"other {seed}"))
        union = united([one, two])
        assert union == united([two, one, one])
        assert [*lost(union, one), *lost(union, two)] == []
        assert union.editions_of == united([two, one]).editions_of
        assert parse(dump(one) + dump(two), "a") == union, "git merges by lines"


def test_a_lost_id_of_a_source_is_found() -> None:
    """An archive that lacks a former id of a source has lost it, and the smallest sum counts."""
    one, two = (Archive({sum: FormerSource(id="old", present=sum)}) for sum in ("1", "2"))
    assert [*lost(one, two)] == ["old"]
    assert united([two, one]).present_id("old") == "1"


def test_entries_under_a_new_id_are_those_of_the_own_source() -> None:
    """An entry that was published after the id of a page's own source changed comes before those of
    other sources."""
    archive = archive_of([FormerSource(id="old", present="new")])
    entries = [EntryReference(source=id, release="1.0", name="Saw") for id in ("manual", "new")]
    line = ArchivedPage(address="term/saw/", name="Saw", source="old", entries=tuple(entries))
    assert [one.source for one in references_of(published_page([line]), archive)] == [
        "new",
        "manual",
    ]


def test_of_editions_under_two_ids_the_highest_number_counts() -> None:
    """If two branches published a release under two ids of its source, the ids do not decide."""
    lines: list[Line] = [FormerSource(id="g", present="new")]
    for id, number in (("g", 1), ("new", 2)):
        *texts, one = edition("1.0", {"Saw": f"words {number}"}, number=number)
        assert isinstance(one, ArchivedEdition)
        lines += [*texts, replace(one, source=id)]
    assert archive_of(lines).releases["new"]["1.0"].number == 2


def test_an_entry_has_the_name_of_the_edition_that_counts_under_each_id_of_its_source() -> None:
    """An entry that was published under two ids of its source, and has another name now, is found
    under both."""
    lines: list[Line] = [FormerSource(id="g", present="new")]
    words = {"Blade": "It cuts."}
    for id, number, pairs in (("g", 2, (("Saw", "Blade"),)), ("new", 1, ())):
        *texts, one = edition("1.0", words, number=number, pairs=pairs)
        assert isinstance(one, ArchivedEdition)
        lines += [*texts, replace(one, source=id)]
    lives = lives_of(source("new", {"1.0": words}))
    index = EntryIndex(lives.values(), archive_of(lines))
    for id in ("g", "new"):
        found = index.entry(EntryReference(source=id, release="1.0", name="Saw"))
        assert found and found.entry.name == "Blade"


def test_a_lost_line_is_found_or_harmless() -> None:
    """An archive without one of its lines is refused, or lacks something, or still has all names
    and all that counts."""
    for seed in SEEDS:
        archive = tidied(random_archive(Random(seed)))
        text = dump(archive)
        for number in range(text.count("\n")):
            try:
                rest = parse(_cut(text, number), "a")
            except DamagedArchiveError as error:
                assert "is missing" in str(error)
                continue
            if not [*lost(rest, archive)]:
                assert rest.pages == archive.pages
                for at, states in archive.editions_of.items():
                    assert rest.editions_of[at][0] == states[0]
                    assert known_names(rest, rest.editions_of[at]) == known_names(archive, states)


def test_an_edited_line_is_refused() -> None:
    """A line with another content than its sum says is refused, with its number."""
    text = dump(archive_of([*edition("1.0", {"Kernel": "The core."}), page("Kernel", "1.0")]))
    for number, line in enumerate(text.splitlines(), start=1):
        for old, new in (("Kernel", "Colonel"), ("1.0", "1.1"), ("core", "chore"), ("sum", "sun")):
            if old in line:
                with pytest.raises(DamagedArchiveError, match=f"^a:{number}: "):
                    parse(text.replace(line, line.replace(old, new)), "a")


def test_the_highest_number_counts() -> None:
    """Of the states of a release the highest number counts, then the closed one, then the higher
    reading."""
    first = edition("1.0", {"Kernel": "one"}, number=1, is_closed=True)
    second = edition("1.0", {"Kernel": "two"}, number=2)
    closed = edition("1.0", {"Kernel": "three"}, number=2, is_closed=True)
    better = edition("1.0", {"Kernel": "four"}, number=2, is_closed=True, reading=2)
    for lines, expected in (
        ([*second, *first], second),
        ([*closed, *second], closed),
        ([*better, *closed, *second], better),
    ):
        archive = archive_of(lines)
        assert archive.editions_of["g", "1.0"][0] == expected[-1]


def test_a_state_stays_as_long_as_it_has_a_lost_name() -> None:
    """Of a release, earlier states are dropped, except one with a name that no later state knows."""
    first = edition("1.0", {"Kernel": "one", "Leaf": "a"}, number=1)
    renamed = edition("1.0", {"Core": "one", "Leaf": "a"}, number=2, pairs=(("Kernel", "Core"),))
    lost_name = edition("1.0", {"Core": "one"}, number=3, pairs=(("Kernel", "Core"),))
    assert tidied(archive_of([*first, *renamed])) == archive_of(renamed)
    assert tidied(archive_of([*first, *renamed, *lost_name])) == archive_of([*renamed, *lost_name])


def test_names_that_differ_in_case_alone_are_different_names() -> None:
    """A state with two such names stays when a later one has one of them. A name whose case changed
    is a pair of names."""
    first = edition("1.0", {"Leaf": "one"}, number=1)
    changed = edition("1.0", {"leaf": "one"}, number=2, pairs=(("Leaf", "leaf"),))
    both = edition("1.0", {"leaf": "one", "Leaf": "two"}, number=2)
    last = edition("1.0", {"leaf": "one"}, number=3)
    assert tidied(archive_of([*first, *changed])) == archive_of(changed)
    assert tidied(archive_of([*both, *last])) == archive_of([*both, *last])
    assert [*lost(archive_of(last), archive_of([*both, *last]))] == ["g 1.0: Leaf"]


def test_a_line_of_a_page_replaces_those_with_fewer_entries() -> None:
    """Of a page, a line with fewer entries than another one is dropped, and one of two lines with
    the same entries; lines of two branches, each with an entry of its own, both stay."""
    first, branch = page("Kernel", "1.0"), page("Kernel", "3.0")
    second = replace(first, entries=(*first.entries, *page("Kernel", "2.0").entries))
    editions = [
        line
        for release in ("1.0", "2.0", "3.0")
        for line in edition(release, {"Kernel": release}, is_closed=True)
    ]
    both = archive_of([*editions, first, second])
    assert tidied(both) == archive_of([*editions, second])
    assert [*lost(tidied(both), both)] == []
    assert [*lost(archive_of([*editions, first]), both)] == ["/term/kernel/"]
    turned = replace(second, entries=second.entries[::-1])
    assert len(tidied(archive_of([*editions, second, turned])).pages) == 1
    merged = archive_of([*editions, branch, first, second])
    assert merged.by_address["term/kernel/"].lines == (second, branch)
    assert tidied(merged) == archive_of([*editions, second, branch])


def test_a_line_of_a_newer_version_asks_for_an_upgrade() -> None:
    """Lines and facts that this version does not know are refused with the advice to upgrade."""
    from sitegen.permanence.archive_lines import sum_of

    for key, content in (("picture", "{}"), ("page", '{"address":"/term/a/","color":"red"}')):
        line = f'{{"{key}":{content},"sum":"{sum_of(key, content)}"}}\n'
        with pytest.raises(DamagedArchiveError, match="upgrade"):
            parse(line, "a")


def test_a_release_that_a_newer_version_read_otherwise_asks_for_an_upgrade() -> None:
    """A release with a higher number of the reading is refused: its words would be undone."""
    *texts, state = edition("1.0", {"Kernel": "a"})
    assert isinstance(state, ArchivedEdition)
    newer = archive_of([*texts, replace(state, reading=READING + 1)])
    with pytest.raises(DamagedArchiveError, match=r"1\.0 was read otherwise: .*upgrade"):
        parse(dump(newer), "a")


@pytest.mark.parametrize(
    "address",
    [
        "/../a/",
        "/term/../",
        "/term/../../a/",
        "term/a/",
        "/term/a/b/c/",
        "javascript:a/",
        "/x.html",
    ],
)
def test_a_page_outside_of_the_site_is_refused(address: str) -> None:
    """An address that no version can have published is refused."""
    from sitegen.permanence.archive_lines import sum_of

    content = f'{{"address":"{address}"}}'
    line = f'{{"page":{content},"sum":"{sum_of("page", content)}"}}\n'
    with pytest.raises(DamagedArchiveError, match="no address of a site"):
        parse(line, "a")


def test_a_page_of_a_wording_has_an_entry() -> None:
    """A line of a frozen page that says no wording is refused."""
    page = ArchivedPage(address="term/kernel/1.0/", name="Kernel")
    with pytest.raises(DamagedArchiveError, match="has no entry"):
        parse(dump(archive_of([page])), "a")


@pytest.mark.parametrize("words", ["<b>a</b><script>alert(1)</script>", "<b>a\u202e</b>"])
def test_the_words_of_an_archive_pass_the_sanitizer(words: str) -> None:
    """HTML of an archive that the sanitizer would change, or with invisible characters, is
    sanitized when it is read."""
    [evil, *_] = edition("1.0", {"Kernel": words})
    archive = parse(dump(archive_of([evil])), "a")
    [text] = archive.texts.values()
    assert entry_text(text).definition.html == "<p><b>a</b></p>"


@pytest.mark.parametrize(
    "line",
    [
        text("Ker\u202enel", "a"),
        ArchivedDocument(name="a\x1b.md"),
        ArchivedPage(address="term/kernel/", name="Ker\u202enel"),
        edition("1\u202e", {})[-1],
        edition("1.0", {}, corrections=(Correction(terms=(), reason="\x1b[2J"),))[-1],
    ],
)
def test_a_line_with_what_nobody_sees_is_refused(line: Line) -> None:
    """No version writes a name, a path or a reason with invisible characters."""
    with pytest.raises(DamagedArchiveError, match="cannot be shown"):
        parse(line_of(line), "a")


def test_an_empty_archive_has_nothing() -> None:
    """An archive without lines is empty, and says so."""
    assert parse("", "a") == Archive()
    assert not Archive()


def test_the_digest_of_a_document_is_one() -> None:
    """A line of a document with a digest that no version can have written is refused."""
    with pytest.raises(DamagedArchiveError, match="a digest that is none"):
        parse(dump(archive_of([ArchivedDocument(name="GLOSSARY.md", digest="abc")])), "a")
