"""The first page of a site, and the page about it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from glossaries import source, with_documents
from sites import (
    glossary,
    html,
    site_of,
    site_of_glossaries,
    text,
    words,
)
from snapshots import OTHER

from sitegen.addresses import urls
from sitegen.config.tables import Distinct, Rename
from sitegen.model import Document, Reading, Skipped
from sitegen.site import search


def test_about_says_how_renames_were_decided() -> None:
    """The about page has the reason for every rename, and every release with its files."""
    site = site_of(
        source("manual", {"1": {"a b": "One thing."}, "2": {"c d": "Another thing."}}),
        renames=(Rename(source="manual", old="a b", new="c d", reason="clearer"),),
        note="All of this is made up.",
    )
    page = words(html(site, "about/"))
    assert "“a b” became c d in Manual 2: declared by this site's editors: clearer" in page
    assert "All of this is made up." in page
    assert text(site, "about/", "stack")[0] == (
        "Release Terms Files read 2 1 term GLOSSARY.md 1 1 term GLOSSARY.md"
    )


WHO = "Made up for these tests, of words that have no owner and are the work of no project."


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        (f"{WHO} Nothing of it is true.", [WHO]),
        ("By *us* &\n<b>you</b>", ["By *us* & <b>you</b>"]),
        ("", []),
    ],
)
def test_the_first_page_has_the_beginning_of_the_note(note: str, shown: list[str]) -> None:
    """The note of site.toml says who made the site, which readers should know before they search.
    It is text, in which signs of Markdown and HTML mean nothing."""
    page = html(glossary({"1": OTHER}, note=note), "")
    notes = page.xpath("//p[preceding-sibling::p[@class='lead']]")
    assert [words(note) for note in notes] == shown


def test_every_other_page_has_the_note_in_its_footer() -> None:
    """Who arrives at a term by a link learns it too. About has the whole note anyway."""
    site = glossary({"1": OTHER}, note=f"{WHO} Nothing of it is true.")
    footers = {}
    for address in (urls.HOME, urls.ABOUT, urls.A_TO_Z, urls.NOT_FOUND):
        [footer] = html(site, address).find_class("site-footer")
        footers[address] = WHO in words(footer)
    assert [address for address, has_note in footers.items() if has_note] == [
        urls.A_TO_Z,
        urls.NOT_FOUND,
    ]


def test_about_folds_many_files() -> None:
    """The files of a release are listed; more than five are behind their number, and of a release
    before the newest there is only their number."""
    reading = Reading(is_auxiliary=True)
    documents = []
    for number in range(6):
        file = {"path": f"{number}.md", "name": f"{number}.md"}
        document = Document(source="manual", release="1", text="", reading=reading, **file)
        documents.append(document)
    few = site_of(with_documents(source("manual", {}), documents[:5]))
    many = site_of(with_documents(source("manual", {}), documents))
    assert not html(few, "about/").xpath("//table//summary")
    assert words(html(many, "about/").xpath("//table//summary")[0]) == "Files read (6)"
    later = [replace(document, release="2") for document in documents[:5]]
    grown = site_of(with_documents(source("manual", {}), [*documents, *later]))
    rows = html(grown, "about/").xpath("//table[thead]//td[last()]")
    assert [words(row) for row in rows][1:] == ["6"]


def test_about_counts_a_term_once() -> None:
    """A term that a release defines twice in the same words is one term of that release."""
    site = glossary(
        {"1": {"tape": "Slow.", "disk": "Round.", "tape=": "Slow."}, "2": {"tape": "Slow."}}
    )
    assert text(site, "about/", "number") == ["1 term", "2 terms"]


def test_about_says_what_was_not_read_and_why() -> None:
    """The about page counts unread tags by reason, and names some."""
    read = source("manual", {"1": OTHER})
    skipped = (
        Skipped(reason="before", names=("0.1",)),
        Skipped(reason="pre-release", names=tuple(f"1.0a{number}" for number in range(7))),
    )
    page = words(html(site_of(replace(read, skipped=skipped)), "about/"))
    assert "Not read: 1 release without a glossary (0.1) 7 pre-releases (1.0a0, 1.0a1" in page
    assert "1.0a4 …)" in page


def test_home_has_the_newest_release_and_sections() -> None:
    """The home page has a search, the newest changes with the choice of an older release to compare
    with, a bar for each release but a first one without changes, and the terms or their sections,
    with the number of their terms and the names of the first three."""
    site = glossary(
        {"1": {"Storage/ tape": "Slow."}, "2": {"Storage/ tape": "Slow.", "Storage/ disk": "Fast."}}
    )
    page = html(site, "")
    assert page.xpath("//main//a[@data-search]/@href") == ["./search/index.html"]
    assert (
        words(page.find_class("home-news")[0]) == "Terms changed in 2 Added disk "
        "What changed since 1 Show What changed since your release"
    )
    [chart] = page.find_class("bars")
    bars = [(words(one), one.get("title")) for one in chart.iter("a")]
    assert bars == [("1 2", "1 added")]
    assert [words(line) for line in page.xpath("//section[@class='bucket']//li")] == [
        "disk New in 2 Fast.",
        "tape Slow.",
    ]
    small = html(glossary({"1": {f"disk {number:02}": "Fast." for number in range(31)}}), "")
    listed = [words(line) for line in small.xpath("//section[@class='bucket']//li")]
    assert listed == [f"disk {number:02}" for number in range(31)], "without what they mean"
    many = {
        f"{section}/ {section} {number}": "A word."
        for section in ("Storage", "Network")
        for number in range(40)
    }
    rows = html(glossary({"1": {**many, "disk": "Fast."}}), "").xpath(
        "//section[@id='sections']//li"
    )
    assert [words(row) for row in rows] == [
        "Storage 40 Storage 0, Storage 1, Storage 10",
        "Network 40 Network 0, Network 1, Network 10",
    ]
    assert words(page.get_element_by_id("sections")) == "Sections Storage 2", "all are listed"


def test_a_chart_of_few_changes_is_low() -> None:
    """A bar of one or two changes does not look like many."""
    for count, is_low in ((5, True), (6, False)):
        words_of_release = {
            release: {f"disk {number}": text for number in range(count)}
            for release, text in (("1", "Fast."), ("2", "Slow."))
        }
        page = html(glossary(words_of_release), "")
        assert bool(page.find_class("low")) == is_low


def test_home_lists_terms_that_letters_would_not_part() -> None:
    """More than 60 terms are listed too if most of them begin with one letter, as in Chinese."""
    numbers = range(70)
    in_one = html(glossary({"1": {f"語{number}": "一。" for number in numbers}}, language="zh"), "")
    assert len(in_one.xpath("//section[@class='bucket']//ul[contains(@class, 'items')]/li")) == 70
    names = [f"{'ab'[number % 2]}{number}" for number in numbers]
    in_two = html(glossary({"1": dict.fromkeys(names, "A word.")}), "")
    assert not in_two.xpath("//section[@class='bucket']//ul[contains(@class, 'items')]")


def test_home_offers_only_what_could_be_read() -> None:
    """A release that could not be read is neither in the chart nor among those to compare with."""
    site = glossary({"1": OTHER, "2": None, "3": {**OTHER, "tape": "Slow."}})
    page = html(site, "")
    assert [words(bar) for bar in page.find_class("bars")[0]] == ["1 3"]
    assert [words(option) for option in page.xpath("//select[@id='since']/option")] == ["1"]


def test_home_of_a_source_without_releases_offers_none() -> None:
    """The site of a language whose files no release has still has a first page."""
    assert not html(glossary({}), "").xpath("//a[contains(@href, 'compare/1')]")


def test_home_introduces_itself_for_any_titles() -> None:
    """The first sentence says how many terms there are, and since when, whatever the sources are
    called."""
    changed = {"1": OTHER, "2": OTHER}
    assert text(glossary(changed), "", "lead") == [
        "1 term and what it means, with all changes since 1."
    ]
    two = site_of(
        source("one", {**changed, "2": {**OTHER, "volume": "Where data lives."}}),
        source("two", {"a": OTHER, "b": OTHER}),
    )
    assert text(two, "", "lead") == ["1 term and what it means, with all changes."]
    assert text(glossary({"1": {**OTHER, "loop": "Code that runs again."}}), "", "lead") == [
        "2 terms and what they mean."
    ]


def test_home_has_the_newest_changes_by_kind() -> None:
    """Each kind of change in the newest release is a line with its terms, so that a term with two
    changes is in two; the bar of the release counts both, as the page of the release does."""
    site = glossary({"1": {"tape": "Slow."}, "2": {"tape": "Deprecated. Use a disk."}})
    page = html(site, "")
    assert [words(line) for line in page.find_class("latest-changes")[0]] == [
        "Deprecated tape",
        "Reworded tape",
    ]
    [chart] = page.find_class("bars")
    assert chart.xpath(".//text/text()") == ["2"]
    assert chart.xpath(".//a/@title") == ["1 deprecated, 1 reworded"]
    assert chart.xpath(".//rect/@class") == ["chip-deprecated", "chip-reworded"]


def test_home_has_a_bar_for_each_release_with_a_part_for_each_kind() -> None:
    """The parts of a bar are as high as the shares of their kinds, which a legend names. The newest
    releases are in the chart; its title says how many if there are others, and a link, which counts
    all, leads to them."""
    before = {f"term {number}": "One." for number in range(4)}
    after = {**before, "term 0": "Two.", "term 1": "Two.", "new": "One.", "other": "Two words."}
    page = html(glossary({"1": before, "2": after}), "")
    assert [
        (part.get("class"), part.get("height")) for part in page.find_class("bars")[0].iter("rect")
    ] == [("chip-reworded", "43%"), ("chip-added", "42%")]
    legend = page.find_class("legend")[0]
    assert [words(line) for line in legend] == ["Reworded", "Added"]
    assert words(legend.getnext()) == "A term counts once for each kind of change."
    assert page.xpath("//main//a[text()='All releases (2)']/@href") == ["./release/index.html"]
    assert words(page.get_element_by_id("by-release")) == "Changes in each release"
    many = {str(number): {**OTHER, "tape": f"Words {number}."} for number in range(30)}
    page = html(glossary(many), "")
    bars = [words(one) for one in page.find_class("bars")[0]]
    assert (len(bars), bars[0], bars[-1]) == (12, "1 29", "1 18")
    assert words(page.get_element_by_id("by-release")) == "Changes in each release (the last 12)"


def test_terms_of_one_name_name_their_source_or_section() -> None:
    """In lists, a term whose name another term has too says where it is from."""
    one = source(
        "one", {"1": {"kernel": "Code for a device."}, "2": {"kernel": "The code for one device."}}
    )
    two = source("two", {"1": {"Kernel": "A small tensor of weights that moves."}})
    site = site_of(one, two, verdicts=(Distinct(names=("kernel", "Kernel")),))
    listed = [
        words(line) for line in html(site, "a-z/").xpath("//ul[contains(@class, 'items')]/li")
    ]
    assert listed == [
        "Kernel Two A small tensor of weights that moves.",
        "kernel Reworded in 2 One The code for one device.",
    ]
    assert [(term.name, term.hint) for term in search.searchables(site)] == [
        ("Kernel", "Two"),
        ("kernel", "One"),
    ]
    # The page of a term has its source below the definition, and a link to the other term above it.
    for life in site.lives:
        page = html(site, site.address(life.key))
        assert not page.find_class("term-section")
        assert "Also with this name" in words(page.find_class("term-homonyms")[0])


def test_terms_without_releases_name_their_source_beside_those_with_releases() -> None:
    """In lists, a term of a source without releases names it if other sources have releases, but not
    the term; of sources that are alike, none is named."""
    guide, course = source("guide", {"": {"loop": "A."}}), source("course", {"": {"layer": "B."}})
    dated, with_loop = source("one", {"1": OTHER}), source("one", {"1": {"loop": "A."}})
    for other, named in ((dated, ["Guide"]), (course, []), (with_loop, [])):
        assert text(site_of(guide, other), "a-z/", "item-aside") == named


def test_terms_of_one_name_in_one_source_name_their_section() -> None:
    """The source does not tell two of three terms apart."""
    one = source("one", {"1": {"GPU/ kernel": "Code for a device.", "Math/ Kernel": "A space."}})
    two = source("two", {"1": {"kernel": "A small tensor of weights that moves."}})
    site = site_of(one, two, verdicts=(Distinct(names=("kernel",)),))
    assert [term.hint for term in search.searchables(site)] == ["Math", "GPU", "Two"]


def test_the_search_says_what_to_use_instead() -> None:
    """Results name the replacement of a deprecated term."""
    entries = {"old": "Deprecated. Use new instead.", "new": "Words."}
    site = site_of(source("one", {"1": entries}))
    hints = {term.name: term.hint for term in search.searchables(site)}
    assert hints == {"new": "", "old": "use new"}


def test_home_offers_what_changed_since() -> None:
    """Any release but the latest can be chosen for a comparison, also without scripts."""
    page = html(glossary({"1": OTHER, "2": OTHER, "3": OTHER}), "")
    options = {
        option.text: option.get("value") for option in page.xpath("//form[@data-since]//option")
    }
    assert options == {name: f"./compare/{name}/index.html" for name in ("2", "1")}
    assert page.xpath("//noscript//a/@href") == ["./release/index.html"]
    assert not html(glossary({"1": OTHER}), "").find_class("since")


def test_a_release_says_what_replaces_a_removed_term() -> None:
    """The page of a release names what to use instead of a term that it removes."""
    deprecated = {"image": "Deprecated: use snapshot.", "snapshot": "A state."}
    site = glossary({"1": deprecated, "2": {"snapshot": "A state."}})
    assert "Use snapshot" in words(html(site, "release/2/").xpath("//main")[0])


def test_a_glossary_of_several_sources_has_no_letters() -> None:
    """As each source begins with its own A, a release of several has no links to letters."""
    terms = {f"{letter}{number}": "A." for letter in "abcdefghij" for number in range(5)}
    site = site_of_glossaries({"1": terms}, {"1": {"x": "A."}})
    assert not html(site, "release/1/terms/").find_class("letters-nav")
    assert html(glossary({"1": terms}), "release/1/terms/").find_class("letters-nav")
