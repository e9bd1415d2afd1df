"""What changed since a release: the states at both ends, and the pages that say it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from glossaries import UNREADABLE, Glossary, elsewhere, source, with_entries
from sites import glossary, html, pages_of, site_of, text, words

from sitegen.config.tables import Rename
from sitegen.model.terms import COMPARED
from sitegen.permanence.archive import ArchivedPage
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.kept_pages import kept_pages
from sitegen.site.pages import change_texts
from sitegen.site.pages.comparison_pages import differences
from sitegen.site.site import Site

POINTER = "A named pointer to the state of a volume at one moment."
DISK = {"disk": "What all of it is written to in the end."}
"""Something that is always there."""


def reported(site: Site, older: str, newer: str) -> list[str]:
    """Returns the changes that a comparison lists, as short lines: `volume reworded`."""
    [source] = site.sources
    changes, _ = differences(site, source, older, newer)
    return [f"{(change.after or change.before).name} {change.kind}" for change in changes]


@pytest.mark.parametrize(
    ("before", "between", "after", "expected"),
    [
        ({}, {}, {"volume": POINTER}, ["volume added"]),
        ({"volume": POINTER}, {"volume": POINTER}, {}, ["volume removed"]),
        ({"volume": POINTER}, {"volume": "Loud."}, {"volume": "Quiet."}, ["volume reworded"]),
        ({"volume": POINTER}, {"volume": "Loud."}, {"volume": POINTER}, []),
        ({"volume": POINTER}, {}, {"volume": POINTER}, []),
        ({"volume": POINTER}, {}, {"volume": "Loud."}, ["volume reworded"]),
        ({}, {"volume": POINTER}, {}, []),
        ({"volume": POINTER}, {"disc": POINTER}, {"image": POINTER}, ["image renamed"]),
        ({"volume": POINTER}, {"disc": POINTER}, {"volume": POINTER}, []),
        (
            {"volume": POINTER},
            {"volume": "Deprecated. Old."},
            {"volume": "Deprecated."},
            ["volume reworded deprecated"],
        ),
        ({"volume": POINTER}, {"volume": "Deprecated. Old."}, {"volume": POINTER}, []),
        ({"volume": POINTER}, {}, {"volume": "Deprecated. Old."}, ["volume reworded deprecated"]),
        ({"volume": POINTER}, {"volume": POINTER}, {"volume": f"<p>{POINTER}</p>"}, []),
    ],
)
def test_only_the_ends_count(
    before: Glossary, between: Glossary, after: Glossary, expected: list[str]
) -> None:
    """The states at both ends are compared; changes that were undone between them do not count."""
    site = glossary({"1": {**DISK, **before}, "2": {**DISK, **between}, "3": {**DISK, **after}})
    lines = [f"{line.split()[0]} {kind}" for line in expected for kind in line.split()[1:]]
    assert reported(site, "1", "3") == lines


def test_what_was_there_before_comes_back() -> None:
    """A term that is new since a release, and existed before it, was restored."""
    site = glossary(
        {"1": {**DISK, "volume": POINTER}, "2": DISK, "3": DISK, "4": {**DISK, "volume": "Loud."}}
    )
    assert reported(site, "2", "4") == reported(site, "3", "4") == ["volume restored"]
    assert reported(site, "1", "4") == ["volume reworded"]


def test_a_merged_term_and_one_that_was_split_off() -> None:
    """A merged term is not removed, and a split term is not added."""
    both = {"hash": "A short name of a long text.", "digest": "What a hash function gives."}
    one = {"hash; digest": "A short name of a long text."}
    assert reported(glossary({"1": both, "2": one, "3": one}), "1", "3") == ["digest merged"]
    assert reported(glossary({"1": one, "2": one, "3": both}), "1", "3") == ["digest split"]


def test_a_rename_says_how_it_is_known_where_there_was_one() -> None:
    """The page gives the reason of a single rename between the releases; of several it cannot."""
    rename = Rename(source="example", old="mirror", new="replica", release="2", reason="told")
    words = (
        {"mirror": "A copy that is kept in step."},
        {"replica": "Another disk with the same on it."},
    )
    read = source("example", {"1": words[0], "2": words[1], "3": words[1]})
    for reason, note in (("told", " Editors’ note: told."), ("", "")):
        site = site_of(read, renames=(replace(rename, reason=reason),))
        sentences = text(site, "compare/1/", "item-sentence")
        assert f"Formerly “mirror”.{note}" in sentences
    twice = glossary({"1": {"volume": POINTER}, "2": {"disc": POINTER}, "3": {"image": POINTER}})
    assert text(twice, "compare/1/", "item-sentence") == ["Formerly “volume”."]


def test_neighbors_differ_by_what_the_release_changed(eventful: Site) -> None:
    """Compared with the one before it, a release has the changes of its own page, without
    formatting."""
    [source] = eventful.sources
    names = [name for name in source.numbers if name != "5"]
    for older, newer in pairwise(names):
        every = [change for life in eventful.lives for change in life.changes]
        changes = [
            (one.term, one.kind) for one in every if one.release == newer and one.kind in COMPARED
        ]
        listed, _ = differences(eventful, source, older, newer)
        assert sorted((one.term, one.kind) for one in listed) == sorted(changes)


@pytest.fixture
def eventful() -> Site:
    """A source with many changes, and one unreadable release."""
    return glossary(
        {
            "1": {**DISK, "volume": POINTER, "loop": "Code that runs again."},
            "2": {
                **DISK,
                "image": POINTER,
                "loop": "Code that is run again and again.",
                "tape": "Slow.",
            },
            "3": {**DISK, "image": POINTER, "tape": "Deprecated. Use a disk."},
            "4": {**DISK, "image; tape": POINTER, "loop": "Code that runs again."},
            "5": None,
            "6": {**DISK, "image": POINTER, "tape": "Slow."},
        }
    )


def test_what_could_not_be_read_is_not_compared(eventful: Site) -> None:
    """If one of the two is unreadable, the page says so and lists nothing."""
    assert reported(eventful, "4", "5") == []
    assert text(eventful, "compare/5/", "lead") == [
        "5 could not be read, so there is nothing to compare."
    ]
    assert text(eventful, "compare/5/", "kind") == []


def test_of_a_part_that_could_not_be_read_nothing_is_said() -> None:
    """If one of several documents is unreadable, the page counts the unknown terms."""
    read = source("example", {"1": {**DISK, "volume": POINTER}, "2": {**DISK, "volume": "Loud."}})
    first, second = read.releases
    away = with_entries(second, "example", [elsewhere(second.entries[0], name="disks.md")])
    away = replace(away, unread={"GLOSSARY.md": UNREADABLE})
    site = site_of(replace(read, releases=(first, away)))
    assert "1 term could not be compared: it could not be read in one of the two releases." in text(
        site, "compare/1/", "muted"
    )


def test_every_release_is_compared_with_the_latest() -> None:
    """Each release has a page of what changed since."""
    site = glossary(dict.fromkeys("1 2 3 4".split(), DISK))
    found = [address for address in pages_of(site) if address.startswith("compare/")]
    assert found == ["compare/1/", "compare/2/", "compare/3/", "compare/4/"]
    assert text(site, "compare/4/", "lead") == ["4 is the latest release."]
    assert text(site, "compare/1/", "lead") == ["No terms changed from 1 to 4."]


def test_the_list_says_how_many_terms_changed() -> None:
    """The list of releases says how many terms changed from a release to the latest, newest first,
    beside what each release changed itself."""
    site = glossary({"1": DISK, "2": {**DISK, "volume": POINTER}, "3": {"volume": "A lot."}})
    assert [words(row) for row in html(site, "release/").xpath("//tr")] == [
        "Release Changed in this release Changed since, up to 3",
        "3 1 removed 1 reworded the latest release",
        "2 1 added Changed since, up to 3 · 2 terms",
        "1 1 is the oldest release here, with 1 term. Changed since, up to 3 · 2 terms",
    ]
    assert text(site, "compare/2/", "count") == ["1 removed", "1 reworded"]


def test_a_comparison_says_why_its_numbers_are_more_than_its_terms() -> None:
    """One that is reworded and deprecated counts twice."""
    site = glossary(
        {
            "1": {**DISK, "tape": "Slow.", "volume": "Loud."},
            "2": {**DISK, "tape": "Deprecated. Use a disk.", "image": POINTER},
        }
    )
    counted = ["1 deprecated", "1 removed", "1 reworded", "1 added"]
    assert text(site, "compare/1/", "count") == counted
    note = "1 term is in more than one list."
    assert text(site, "compare/1/", "muted")[:2] == ["1 to 2 · 3 terms changed", note]
    assert note in text(site, "release/2/", "muted")
    simple = glossary({"1": DISK, "2": {**DISK, "volume": POINTER}})
    for address in ("compare/1/", "release/2/"):
        assert text(simple, address, "muted")[1] == "Nothing was removed."


def test_a_total_leaves_out_what_comparisons_do_not_list() -> None:
    """Above the chips of a release, the total is that of comparisons; the other kinds are marked. If
    there is one count only, it is the total. The heading says so if terms were only added."""
    first = {"Speed/ disk": "Fast.", "Speed/ tape": "Slow."}
    second = {"Size/ disk": "Fast.", "Speed/ tape": "Very slow.", "Speed/ reel": "Round."}
    site = glossary({"1": first, "2": second, "3": {**second, "Speed/ card": "Old."}})
    assert "2 terms changed" in text(site, "release/2/", "muted")[0]
    counts = html(site, "release/2/").xpath("//ul[@class='counts']")[0].text_content().split("\n")
    assert [one for one in counts if one] == [
        "1 reworded",
        "1 added",
        "not counted: 1 moved",
    ]
    assert not any("changed" in said for said in text(site, "release/3/", "muted")[:1])
    headings = [html(site, f"release/{number}/").xpath("string(//h1)") for number in (1, 2, 3)]
    assert headings == ["Terms in 1", "Terms changed in 2", "Terms added in 3"]


def test_a_removed_term_has_the_release_that_removed_it() -> None:
    """A comparison of several releases says which one removed a term; a page of a release has that
    in its title."""
    site = glossary({"1": {**DISK, "tape": "Slow."}, "2": DISK, "3": DISK})
    assert text(site, "compare/1/", "item-sentence") == ["Removed in 2."]
    assert text(site, "release/2/", "item-sentence") == []


def test_an_address_of_two_releases_from_an_archive_has_a_page() -> None:
    """An archived address of two releases, as earlier versions had them, has a page that leads to
    what the newer one changed."""
    archive = archive_of([ArchivedPage(address="compare/1/2/")])
    site = glossary({"1": DISK, "2": {**DISK, "tape": "Slow."}}, archive=archive)
    site = replace(site, kept=kept_pages(site.addresses, []))
    [link] = html(site, "compare/1/2/").xpath("//main//p[2]/a")
    assert (words(link), link.get("href")) == ("Terms added in 2", "../../../release/2/index.html")


def test_what_is_still_to_come_is_compared_with_the_latest_release() -> None:
    """The page of an unreleased state has what changed from the latest release to it."""
    read = source("example", {"1": DISK, "2": DISK, "main": {**DISK, "volume": POINTER}})
    coming = replace(
        read, releases=(*read.releases[:2], replace(read.releases[2], unreleased=True))
    )
    site = site_of(coming)
    assert text(site, "compare/main/", "count") == ["1 added"]
    [first, *_] = html(site, "release/").xpath("//tbody/tr")
    assert words(first) == "main Not in a release yet. 1 added Changed since, up to 2 · 2 to main"
    assert text(site, "compare/1/", "lead") == ["No terms changed from 1 to 2."]


def test_sources_are_compared_each_by_itself() -> None:
    """If two sources have a release each has its part, with its own ids; one that lacks it has
    none."""
    one = source("one", {"1": DISK, "2": {**DISK, "volume": POINTER}})
    two = source("two", {"1": DISK, "2": DISK, "3": {**DISK, "tape": "Slow."}})
    site = site_of(one, two)
    assert text(site, "compare/1/", "part") == ["One", "Two"]
    assert [link.get("href") for link in html(site, "compare/1/").find_class("count")] == [
        "#added",
        "#added-two",
    ]
    assert text(site, "compare/3/", "part") == ["Two"]


def test_one_release_has_nothing_to_be_compared_with() -> None:
    """The list of a source with one release has no column for what changed since, and no
    explanation of it unless another source has that column."""
    one, two = source("one", {"1": DISK}), source("two", {"1": DISK, "2": DISK})
    page = html(site_of(one), "release/")
    assert (len(page.xpath("//tr/td")), page.find_class("lead")) == (1, [])
    page = html(site_of(one, two), "release/")
    assert [len(row.xpath("td")) for row in page.xpath("//tbody/tr")] == [1, 2, 2]
    assert len(page.find_class("lead")) == 1


def test_without_releases_the_list_says_so() -> None:
    """A source whose releases lack the glossary, as that of a language may be, has no table."""
    page = html(glossary({}), "release/")
    assert page.xpath("//main//table") == []
    assert "No release has been read" in words(page)


def test_the_number_of_terms_leads_to_what_changed_since_a_release() -> None:
    """In the list of releases, the number of terms that changed since a release is a link to these
    changes; "0 terms" is no link."""
    site = glossary({"1": DISK, "2": {**DISK, "volume": POINTER}, "3": {**DISK, "volume": POINTER}})
    cells = html(site, "release/").xpath("//tbody/tr/td[2]")
    assert [words(cell) for cell in cells[1:]] == [
        "Changed since, up to 3 · 0 terms",
        "Changed since, up to 3 · 1 term",
    ]
    links = {words(link): link.get("href") for cell in cells for link in cell.iter("a")}
    assert links == {"1 term": "../compare/1/index.html"}


def test_nothing_is_counted_since_a_release_that_could_not_be_read() -> None:
    """Beside a release that could not be read is no number. If the latest one could not be read, the
    others name what would be compared."""
    site = glossary({"1": DISK, "2": None, "3": DISK})
    cells = html(site, "release/").xpath("//tbody/tr/td[2]")
    assert [words(cell) for cell in cells[1:]] == ["", "Changed since, up to 3 · 0 terms"]
    site = glossary({"1": DISK, "2": None})
    assert words(html(site, "release/").xpath("//tbody/tr[2]/td[2]/a")[0]) == "1 to 2"


def test_releases_of_one_wording_have_the_same_links_to_wordings() -> None:
    """Releases with one wording share the links of the next change to both wordings."""
    site = glossary(
        {
            "1": {**DISK, "volume": "Loud."},
            "2": DISK | {"volume": POINTER},
            "3": DISK | {"volume": POINTER},
        }
        | {"4": {**DISK, "volume": "A named pointer to the state of a volume, kept for good."}}
    )
    words = [text(site, f"compare/{older}/", "event-links") for older in "123"]
    latest = "Wording of 4 and later"
    assert words == [[f"Wording of {older} · {latest}"] for older in ("1", "2 to 3", "2 to 3")]


def test_links_in_the_older_words_lead_to_what_was_meant_at_the_older_release() -> None:
    """The older words may be those of an earlier release, at which the other term meant something
    else."""
    on_a_disk = "<p>On a <a href='term:disk'>disk</a>.</p>"
    site = glossary(
        {
            "1": {"disk": "What spins.", "volume": on_a_disk},
            "2": {"disk": "What stores.", "volume": on_a_disk},
            "3": {"disk": "All of the storage there is.", "volume": "Something else altogether."},
        }
    )
    [link] = html(site, "compare/2/").xpath("//div[@class='before']//a/@href")
    assert link == "../../term/disk/2/index.html"


def test_changes_since_a_release_name_both_wordings() -> None:
    """The page of the changes since a release names the wordings by their releases."""
    old, new = {**DISK, "volume": POINTER}, {**DISK, "volume": "A hole."}
    site = glossary({"1": old, "2": old, "3": new, "4": new})
    assert text(site, "compare/2/", "event-links") == ["Wording of 1 to 2 · Wording of 3 and later"]


def test_of_very_many_changes_all_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page shows the differences of the first changes of a kind, and has links to both wordings
    of the others."""
    monkeypatch.setattr(change_texts, "MAX_DETAILED", 1)
    names = "anchor bell tape".split()
    site = glossary(
        {"1": DISK | dict.fromkeys(names, "Loud."), "2": DISK | dict.fromkeys(names, "Quiet.")}
    )
    for address in ("release/2/", "compare/1/"):
        lines = html(site, address).xpath("//section[h2/@id='reworded']//li")
        assert [words(line.find("a")) for line in lines] == names
        assert [bool(line.xpath(".//details")) for line in lines] == [True, False, False]
        assert (
            words(lines[2].find_class("event-links")[0]) == "Wording of 1 · Wording of 2 and later"
        )
