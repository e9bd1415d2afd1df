"""The lists of terms: from A to Z, by section, and the pages of releases."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from glossaries import UNREADABLE, elsewhere, source, with_entries
from sites import (
    glossary,
    html,
    site_of,
    text,
    words,
)
from snapshots import FIXED, NAMED, OTHER, life_of

from sitegen.permanence.archive import ArchivedPage
from sitegen.permanence.archive_lines import archive_of
from sitegen.site.pages import release_terms


def test_the_list_from_a_to_z() -> None:
    """Terms are listed under their first letter without diacritics; digits and signs have their own
    groups."""
    site = glossary(
        {"1": dict.fromkeys(("zebra", "Éclair", "eagle", "3D", ">>>", "Жук", "(c)"), "Words.")}
    )
    page = html(site, "a-z/")
    listed = {
        words(bucket.find("h2")): [words(item.find("a")) for item in bucket.iter("li")]
        for bucket in page.find_class("bucket")
    }
    assert listed == {
        "E": ["eagle", "Éclair"],
        "Z": ["zebra"],
        "Ж": ["Жук"],
        "0–9": ["3D"],
        "#": [">>>", "(c)"],
    }
    letters = page.find_class("letters")[0]
    assert [words(letter) for letter in letters.iter("a")] == ["E", "Z", "Ж", "0–9", "#"]
    assert not letters.findall(".//span"), "most letters have no terms"


def test_badges_and_removed_terms() -> None:
    """The list marks terms that are new, reworded in the latest release or deprecated; removed
    terms are last."""
    site = glossary(
        {
            "1": {"alpha": FIXED, "beta": "Deprecated.", "gamma": "It stays.", "delta": "It goes."},
            "2": {
                "alpha": NAMED,
                "beta": "Deprecated.",
                "gamma": "It stays.",
                "epsilon": "It comes.",
            },
        }
    )
    rows = [words(row) for row in html(site, "a-z/").xpath("//ul[@class='items']/li")]
    assert rows == [
        f"alpha Reworded in 2 {NAMED}",
        "beta Deprecated Deprecated.",
        "epsilon New in 2 It comes.",
        "gamma It stays.",
        "delta removed in 2 It goes.",
    ]


def test_a_removed_term_in_the_list_says_what_to_use() -> None:
    """The list of removed terms has the term that replaces each, if one is recorded."""
    first = {"tape": FIXED, "reel": "Deprecated. Use tape instead."}
    site = glossary({"1": first, "2": {"tape": FIXED}})
    rows = [words(row) for row in html(site, "a-z/").xpath("//ul[@class='items']/li")]
    assert rows[-1].startswith("reel removed in 2, use tape")


def test_former_names_are_in_the_list() -> None:
    """After the removed terms, each former main name has the name that the term has now, also after
    two renames, and the release that brought it; a name that the term has again is not among them,
    and one that ended twice is there once."""
    card = "Words of the card alone."
    site = glossary(
        {
            "1": {"reel": FIXED, "card": card},
            "2": {"tape": FIXED, "stack": card},
            "3": {"band": FIXED, "card": card},
            "4": {"band": FIXED, "stack": card},
            "5": {"band": FIXED, "card": card},
        }
    )
    page = html(site, "a-z/")
    assert page.xpath("//p[@class='lead apart']/a/@href") == ["#renamed"]
    lines = page.xpath("//section[@aria-labelledby='renamed']//li")
    assert [words(line) for line in lines] == [
        "reel Now called band, since 3",
        "stack Now called card, since 5",
        "tape Now called band, since 3",
    ]
    assert text(site, "term/reel/", "term-status") == ["Now called band, since 3"]
    assert not html(glossary({"1": OTHER}), "a-z/").xpath("//*[@id='renamed']")


def test_a_section_counts_its_deprecated_terms() -> None:
    """Below its heading, a section has the number of its terms, and of those not to be used."""
    site = glossary({"1": {"Files/ tape": FIXED, "Files/ reel": "Deprecated. Use tape instead."}})
    assert text(site, "section/files/", "lead") == ["2 terms, 1 deprecated"]


def test_a_section_leads_to_its_neighbors() -> None:
    """Below its terms are links to the sections before and after it; an only section has none."""
    sections = {f"{name}/ {name} item": FIXED for name in ("Files", "Disks", "Tapes")}
    site = glossary({"1": sections})
    for address, links in {
        "section/files/": ["Next: Disks"],
        "section/disks/": ["Previous: Files", "Next: Tapes"],
        "section/tapes/": ["Previous: Disks"],
    }.items():
        [neighbors] = html(site, address).find_class("neighbors")
        assert [words(link) for link in neighbors] == links
    only = glossary({"1": {"Files/ tape": FIXED}})
    assert html(only, "section/files/").find_class("neighbors") == []


def test_a_synonym_in_the_list() -> None:
    """A synonym is marked in the list, and a merged term is no longer in its section."""
    site = glossary(
        {
            "1": {"Files/ master": "The first document.", "Files/ root": "The one that holds all."},
            "2": {"Files/ master; root": "The first document.", "Files/ main": "Same as master."},
        }
    )
    rows = [words(row) for row in html(site, "a-z/").xpath("//ul[@class='items']/li")]
    assert rows[0] == "main New in 2 Same as master"
    assert rows[-1] == "root merged into master in 2"
    section = html(site, "section/files/").find_class("items")[0]
    assert [words(row.find("a")) for row in section.iter("li")] == ["main", "master"]


def test_a_release_lists_what_changed() -> None:
    """A release counts its changes, and each count links to a list; first are those after which a
    reader has to act, last what was added."""
    site = glossary(
        {
            "1": {
                "alpha": FIXED,
                "gone": "It goes.",
                "old name": "Words of this term alone.",
            },
            "2": {
                "alpha": NAMED,
                "fresh": "It comes.",
                "new name": "Words of this term alone.",
            },
            "3": {
                "alpha": NAMED,
                "fresh": "It comes.",
                "new name": "Words of this term alone.",
            },
        }
    )
    page = html(site, "release/2/")
    counted = {count.get("href"): words(count) for count in page.find_class("count")}
    assert list(counted.items()) == [
        ("#removed", "1 removed"),
        ("#renamed", "1 renamed"),
        ("#reworded", "1 reworded"),
        ("#added", "1 added"),
    ]
    assert [f"#{section.find('h2').get('id')}" for section in page.find_class("kind")] == list(
        counted
    )
    assert words(page.find_class("neighbors")[0]) == "Previous: 1 Next: 3"
    assert text(site, "release/3/", "lead") == ["No terms changed in 3."]
    assert text(site, "release/1/", "lead") == ["1 is the oldest release here, with 3 terms."]


def test_a_release_says_what_to_use_instead() -> None:
    """A deprecated or removed term has its replacement below it, on the page of the release and in
    comparisons."""
    first = {"tape": FIXED, "reel": "Deprecated. Use tape instead.", "card": "A stiff one."}
    second = {"tape": FIXED, "card": "Deprecated. Use tape instead."}
    site = glossary({"1": first, "2": second})
    for address in ("release/2/", "compare/1/"):
        page = html(site, address)
        for kind in ("deprecated", "removed"):
            [line] = page.xpath(f"//li[starts-with(@id, '{kind}-')]")
            assert words(line.find_class("item-sentence")[-1]) == "Use tape"


@pytest.mark.parametrize(("terms", "boxes"), [(6, 0), (7, 1)])
def test_many_folded_wordings_are_shown_at_once(terms: int, boxes: int) -> None:
    """Where differences are folded, one box above them shows all; added terms have none."""
    before = {f"term {number}": FIXED for number in range(terms)}
    added = {f"new {number}": FIXED + str(number) for number in range(terms)}
    site = glossary({"1": before, "2": {**dict.fromkeys(before, NAMED), **added}})
    for address in ("release/2/", "compare/1/"):
        page = html(site, address)
        assert len(page.xpath("//details[@class='event-difference']")) == terms
        labels = [words(box.getparent()) for box in page.xpath("//input[@data-open-all]")]
        assert labels == ["Show all wordings"] * boxes


def test_a_release_of_two_sources_has_a_part_for_each() -> None:
    """Where two sources have a release of one name, each part has its own changes, neighbors and
    address."""
    core = source("core", {"1": {"alpha": FIXED}, "2": {"alpha": NAMED, "beta": FIXED}})
    site = site_of(
        core, source("cli", {"2": {"flag": FIXED}, "3": {"flag": FIXED}, "2.1": {"flag": NAMED}})
    )
    page = html(site, "release/2/")
    assert [part.get("id") for part in page.find_class("part")] == ["source-core", "source-cli"]
    assert [words(part) for part in page.find_class("neighbors")] == ["Previous: 1", "Next: 3"]
    assert [count.get("href") for count in page.find_class("count")] == ["#reworded", "#added"]
    again = html(
        site_of(core, source("cli", {"1": {"flag": FIXED}, "2": {"flag": NAMED}})), "release/2/"
    )
    assert [count.get("href") for count in again.find_class("count")] == [
        "#reworded",
        "#added",
        "#reworded-cli",
    ]
    assert {"reworded", "reworded-cli"} <= {*again.xpath("//@id")}
    assert not html(site, "release/1/").find_class("part")


def test_a_release_folds_formatting_away() -> None:
    """Terms of which only the formatting changed are in a closed list."""
    site = glossary(life_of(FIXED, f"<p><b>{FIXED}</b></p>"))
    folded = html(site, "release/1.2/").find_class("kind")
    assert [(part.tag, words(part)) for part in folded] == [
        ("details", "Reformatted 1 term snapshot")
    ]
    assert text(site, "release/1.2/", "count") == ["1 reformatted"]


def test_an_unread_release_says_so() -> None:
    """The page of an unreadable release does not say that nothing changed."""
    site = glossary(life_of(FIXED, None, FIXED))
    assert "could not be read in 1.2" in text(site, "release/1.2/", "lead")[0]
    assert any("could not be read in 1.2" in result for result in text(site, "release/", "muted"))


def test_a_release_says_with_which_one_it_is_compared() -> None:
    """The page of a release names the last one before it that was read. The first one, and one that
    was not read, name none."""
    site = glossary({"1": OTHER, "3": None, "4": {**OTHER, "tape": "Slow."}})
    compared = {name: "compared with 1" in words(html(site, f"release/{name}/")) for name in "134"}
    assert compared == {"1": False, "3": False, "4": True}


def test_the_history_begins_with_the_first_release_that_was_read() -> None:
    """The home page does not promise the changes of a first release that could not be read."""
    site = glossary({"1": None, "2": OTHER, "3": {**OTHER, "tape": "Slow."}})
    assert text(site, "", "lead") == ["2 terms and what they mean, with all changes since 2."]


def test_a_later_release_is_not_called_the_first_one() -> None:
    """The first release of a document is not called the source's first if others were read
    before."""
    src = source("s", {"1": {"snapshot": FIXED}, "2": {"snapshot": FIXED, "tape": NAMED}})
    one, two = src.releases
    entries = (two.entries[0], elsewhere(two.entries[1], name="tapes.md"))
    releases = (replace(one, unread={"tapes.md": UNREADABLE}), with_entries(two, "s", entries))
    site = site_of(replace(src, releases=releases))
    assert text(site, "release/2/", "lead") == []
    assert text(site, "release/2/", "count") == ["1 in its oldest known wording"]
    assert text(site, "term/tape/", "term-status") == ["In the glossary since 2 or earlier"]


def test_a_release_leads_to_what_changed_since() -> None:
    """Every release but the latest links to its comparison with the latest."""
    site = glossary({"1": OTHER, "2": OTHER})
    links = {name: html(site, f"release/{name}/").xpath("//main/p[1]")[0] for name in "12"}
    assert words(links["1"]) == "Terms changed since 1 · Glossary as of 1"
    assert words(links["2"]) == "Glossary as of 2"
    assert text(site, "release/2/", "muted") == ["the latest release · compared with 1"]


def test_the_list_of_releases_names_the_latest_one() -> None:
    """Where others lead to what changed since, it says that the release is the latest one."""
    site = glossary({"1": OTHER, "2": OTHER})
    rows = html(site, "release/").xpath("//tbody/tr")
    assert [words(row[-1]) for row in rows] == [
        "the latest release",
        "Changed since, up to 2 · 0 terms",
    ]


def test_a_release_without_a_date_has_no_stray_sign() -> None:
    """The facts of a release are separated by dots only where there are several."""
    read = source("one", {"1": OTHER})
    releases = (replace(read.releases[0], link="https://example.org/notes"),)
    assert (
        text(site_of(replace(read, releases=releases)), "release/1/", "muted")[0] == "Release notes"
    )


def test_lists_of_releases_say_which_date_is_unknown() -> None:
    """A release without a date says so where others have theirs; an unreleased one has none."""
    read = source("one", {"1": OTHER, "2": OTHER})
    one, two = read.releases
    dated = replace(read, releases=(one, replace(two, date=date(2025, 3, 1))))
    branch = replace(two, unreleased=True)
    ahead = replace(read, releases=(replace(one, date=date(2025, 3, 1)), branch))
    assert text(site_of(dated), "release/", "event-date") == ["1 Mar 2025", "date unknown"]
    assert text(site_of(ahead), "release/", "event-date") == ["1 Mar 2025"]
    assert not text(site_of(read), "release/", "event-date")


def test_a_release_can_be_read_whole() -> None:
    """The glossary as of a release has every term in the wording then in force, linked to its
    frozen page."""
    site = glossary(
        {
            "1": {"tape": "Slow."},
            "2": {"tape": "Slow.", "disk": "Fast."},
            "3": {"tape": "Magnetic."},
        }
    )
    page = html(site, "release/2/terms/")
    assert [words(one) for one in page.find_class("wording")] == ["disk Fast.", "tape Slow."]
    assert [one.get("id") for one in page.find_class("wording")] == ["disk", "tape"]
    assert page.xpath("//h2/a/@href")[1] == "../../../term/tape/1/index.html"
    assert html(site, "release/2/").xpath("//a[. = 'Glossary as of 2']/@href") == [
        "../../release/2/terms/index.html"
    ]


def test_a_long_glossary_as_of_a_release_has_letters() -> None:
    """The letters above many terms lead to the first term of each; above a few there are none."""
    many = {f"{letter}{number}": "Fast." for letter in "ab" for number in range(20)}
    site = glossary({"1": many, "2": {"tape": "Slow."}})
    page = html(site, "release/1/terms/")
    assert page.xpath("//nav[@class='letters-nav']//a/@href") == ["#letter-a", "#letter-b"]
    first = page.xpath("//*[@id='letter-b']/following-sibling::section[1]/@id")
    assert first == ["b0"]
    assert not html(site, "release/2/terms/").find_class("letters-nav")


def test_of_very_many_wordings_releases_have_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a very large site, the glossary as of a release has names with links to their wordings."""
    monkeypatch.setattr(release_terms, "MAX_WORDINGS", 3)
    page = html(
        glossary({"1": {"tape": "Slow."}, "2": {"tape": "Slow.", "disk": "Fast."}}),
        "release/2/terms/",
    )
    [names] = page.find_class("items-brief")
    assert [(one.get("id"), words(one)) for one in names] == [("disk", "disk"), ("tape", "tape")]
    assert not page.find_class("wording")


def test_a_published_section_without_terms_keeps_its_page() -> None:
    """The page of a section says that no term is in it today, and has no neighbors."""
    published = archive_of([ArchivedPage(address="section/reels/", name="Reels")])
    site = glossary({"1": {"Files/ tape": "Slow."}}, archive=published)
    assert text(site, "section/reels/", "lead") == ["No term is in this section today."]
    assert html(site, "section/reels/").find_class("neighbors") == []


def test_a_long_release_has_a_page_for_each_letter() -> None:
    """Above three hundred terms, definitions are on pages by letter."""
    site = glossary(
        {"1": {f"{letter} {number}": "A word." for letter in "ab" for number in range(151)}}
    )
    assert html(site, "release/1/terms/").xpath("//nav[@class='letters-nav']//a/text()") == [
        "A",
        "B",
    ]
    assert len(html(site, "release/1/terms/b/").find_class("wording")) == 151
