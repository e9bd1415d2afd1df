"""The history of all terms: those that changed most first, each with its marks."""

from __future__ import annotations

import pytest
from glossaries import Glossary, source
from lxml.html import HtmlElement
from sites import glossary, html, site_of, words

from sitegen.site.pages import histories
from sitegen.site.site import Site

DISK = {"disk": "What all of it is written to in the end."}
POINTER = "A named pointer to the state of a volume at one moment."


def lines(element: HtmlElement) -> list[str]:
    """Returns the text of each row of a list."""
    return [words(row) for row in element.xpath("./li")]


def groups(site: Site) -> dict[str, list[str]]:
    """Returns the rows below each heading."""
    found = {}
    for heading in html(site, "history/").xpath("//main/h2 | //main/h3"):
        following = heading.getnext()
        if following.tag == "ul":
            found[words(heading)] = lines(following)
    return found


@pytest.fixture
def eventful() -> Glossary:
    return {
        "1": {**DISK, "volume": POINTER, "loop": "Code that runs again."},
        "2": {
            **DISK,
            "image": POINTER,
            "loop": "Code that is run again and again.",
            "tape": "Slow.",
        },
        "3": {**DISK, "image": POINTER, "tape": "Deprecated. Use a disk."},
        "4": {
            **DISK,
            "image": POINTER,
            "loop": "Code that runs again.",
            "tape": "Deprecated. Use a disk.",
        },
        "5": None,
        "6": {
            **DISK,
            "image": POINTER,
            "loop": "Code that runs again.",
            "tape": "Deprecated. Use a disk.",
        },
    }


def test_terms_that_changed_most_are_first(eventful: Glossary) -> None:
    """Terms have a heading for the number of releases that changed them; each has its releases with
    what happened in them, oldest first. A term that never changed is at its first release."""
    assert groups(glossary(eventful)) == {
        "Changed in 3 releases": [
            "loop Oldest known wording 1 Reworded 2 Removed 3 Restored 4",
        ],
        "Changed in 1 release": [
            "image Oldest known wording 1 Renamed 2",
            "tape Added 2 Reworded, Deprecated 3",
        ],
        "Never changed, by first release": ["Oldest known wording 1 disk"],
    }


def test_a_term_that_is_gone_is_quiet() -> None:
    """A term that was removed is not as strong as those that are defined."""
    site = glossary({"1": {**DISK, "tape": "Slow."}, "2": DISK})
    (quiet,) = html(site, "history/").xpath("//ul/li[@class='muted']/a")
    assert quiet.text_content() == "tape"


def test_each_change_in_a_release_has_its_mark(eventful: Glossary) -> None:
    """Where a term was reworded and deprecated in one release, both marks are before the release;
    what comparisons leave out has none."""
    shapes = {}
    for release in html(glossary(eventful), "history/").xpath("//ul/li/ul/li"):
        shapes[words(release)] = release.xpath("./svg/@class")
    assert shapes["Reworded, Deprecated 3"] == ["chip-reworded", "chip-deprecated"]
    assert shapes["Renamed 2"] == ["chip-renamed"]


def test_terms_that_changed_as_often_are_in_alphabetical_order() -> None:
    """Among terms with as many changes, a newer one is found where its name is, as in A–Z."""
    site = glossary(
        {
            "1": {**DISK, "zone": "Here."},
            "2": {**DISK, "zone": "There.", "area": "All over."},
            "3": {**DISK, "zone": "There.", "area": "Everywhere."},
        }
    )
    assert groups(site)["Changed in 1 release"] == [
        "area Added 2 Reworded 3",
        "zone Oldest known wording 1 Reworded 2",
    ]


def test_terms_that_never_changed_are_listed_by_release() -> None:
    """Terms that never changed are together at the release that added them, the newest first. Other
    formatting, section or file is no change."""
    site = glossary(
        {"1": DISK, "2": {"disk": f"<p>{DISK['disk']}</p>", "tape": "Slow.", "a": "B."}}
    )
    assert groups(site) == {
        "Never changed, by first release": ["Added 2 a, tape", "Oldest known wording 1 disk"]
    }


def test_what_comparisons_leave_out_is_no_change() -> None:
    """Other names are no change here, as in comparisons. A term that began by a split was added,
    and is unchanged since then."""
    named = {"disk; drive": DISK["disk"]}
    split = {**DISK, "drive": "It turns."}
    site = glossary({"1": DISK, "2": named, "3": split})
    assert groups(site) == {
        "Never changed, by first release": ["Added 3 drive", "Oldest known wording 1 disk"],
    }


def test_the_legend_tells_what_there_is(eventful: Glossary) -> None:
    """The legend has the shapes of the page, each once."""
    legend = html(glossary(eventful), "history/").find_class("legend")[0]
    shapes = "Added, Restored, Reworded, Renamed, Deprecated, Removed, Oldest known wording"
    assert ", ".join(words(line) for line in legend) == shapes
    assert len(legend.xpath(".//use")) == 6


def test_each_source_has_a_list() -> None:
    """Each source has its own terms below its title; one with a single release says that it has no
    history yet."""
    one = source("one", {"1": DISK, "2": {**DISK, "volume": POINTER}})
    two = source("two", {"2024": {"disk": "A flat one."}})
    page = html(site_of(one, two), "history/")
    assert [words(part) for part in page.find_class("part")] == ["One", "Two"]
    captions = [
        "What happened to each term, and in which release, from 1 to 2. The terms that changed most "
        "often come first.",
        "History starts at the next release.",
    ]
    assert [words(caption) for caption in page.xpath("//main/p")] == captions
    assert [words(heading) for heading in page.xpath("//main/h3")] == [
        "Never changed, by first release"
    ]


def test_of_a_large_glossary_the_terms_that_changed_most_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If there are very many terms, those with the most changes are shown, and the page says so."""
    monkeypatch.setattr(histories, "MAX_TERMS", 2)
    names = "anchor bell buoy".split()
    site = glossary(
        {
            "1": {**DISK, **dict.fromkeys(names, "One.")},
            "2": {**DISK, **dict.fromkeys(names, "Two.")},
            "3": {**DISK, "anchor": "Two.", "buoy": "Three.", "bell": "Two."},
        }
    )
    shown = groups(site)
    assert [row.split()[0] for rows in shown.values() for row in rows] == ["buoy", "anchor"]
    [caption] = html(site, "history/").xpath("//main/p")
    assert words(caption) == "The 2 terms that changed most, 1 to 3"
