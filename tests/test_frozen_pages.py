"""Frozen pages: what they show, what they are called, and where they lead."""

from __future__ import annotations

from glossaries import source
from sites import (
    glossary,
    html,
    site_of,
    text,
    words,
)
from snapshots import FIXED, LINKED, NAMED, every_state, life_of


def test_a_frozen_page_leads_to_the_present_or_to_the_history() -> None:
    """The frozen page of a term in force leads to its definition, that of a removed or merged one
    to its history."""
    sentences = {
        name: text(every_state(), f"term/{name}/1/", "notice-frozen")[0]
        for name in ("word", "gone", "part")
    }
    assert sentences["word"].endswith("Current definition: word")
    assert sentences["gone"].endswith("History of gone")
    assert sentences["part"].endswith("History of part")


def test_a_frozen_page_says_where_its_words_hold_again() -> None:
    """The page of a wording that returned is not called superseded, and says since when the words
    hold again; that of the present wording leads to the history."""
    site = glossary(life_of(FIXED, NAMED, FIXED))
    assert text(site, "term/snapshot/0.4/", "notice-frozen") == [
        "Replaced in 1.2, these words again since 1.8.2 Current definition: snapshot"
    ]
    assert not html(site, "term/snapshot/0.4/").find_class("state")
    assert text(site, "term/snapshot/1.8.2/", "notice-frozen") == [
        "These words: 1.8.2 (latest) History of snapshot"
    ]


def test_a_frozen_page_shows_what_changed() -> None:
    """The page of a wording shows its difference from the wording before; that of the first has
    none."""
    site = every_state()
    assert text(site, "term/word/3/", "difference") == [
        "A [removed: fixed] [added: named] pointer to the state of a volume."
    ]
    assert not html(site, "term/word/1/").find_class("difference")


def test_the_only_release_is_not_called_the_oldest() -> None:
    """A glossary of one release has no changes: its first page speaks of none, and the list of
    releases says how many terms it has."""
    site = glossary({"1": {"snapshot": FIXED}})
    assert not html(site, "").find_class("home-news")
    assert words(html(site, "release/").find_class("releases")[0]) == "1 1 has 1 term."


def test_a_rewritten_frozen_page_has_both_wordings() -> None:
    """Of a change with few words in common, it shows the words before and those after."""
    rewritten = "Whatever the system remembers, frozen at once."
    site = glossary({"1": {"snapshot": FIXED}, "2": {"snapshot": rewritten}})
    page = html(site, "term/snapshot/2/")
    assert [words(one) for one in page.xpath("//h2")] == ["What changed in 2"]
    shown = [words(one) for one in page.xpath("//*[@class='before-after']/*")]
    assert shown == [f"Before {FIXED}", f"After {rewritten}"]


def test_old_words_lead_to_what_terms_meant_then() -> None:
    """A link in an earlier wording leads to the wording that its term had in that release, if it
    was reworded since; so does a link in the glossary as of a release."""
    site = glossary(
        {
            "1": {"clone": FIXED, "snapshot": LINKED, "volume": "A space for data."},
            "2": {"clone": FIXED, "snapshot": LINKED, "volume": "Room that data can take."},
            "3": {"clone": FIXED, "snapshot": NAMED, "volume": "Room that data can take."},
        }
    )
    volume = "../../../term/volume/"
    clone = "../../../term/clone/index.html"
    links = {
        address: html(site, address).xpath("//*[@class='term']/@href")
        for address in ("term/snapshot/1/", "release/1/terms/", "release/2/terms/")
    }
    assert links == {
        "term/snapshot/1/": [f"{volume}1/index.html", clone],
        "release/1/terms/": [f"{volume}1/index.html", clone],
        "release/2/terms/": [f"{volume}index.html", clone],
    }


def test_a_frozen_page_is_headed_by_the_releases_of_its_wording() -> None:
    """Its heading and its title have the first and the last release, or say that the wording is
    still in force. Of a former name, they have the releases that had the wording under it."""
    headings = {
        "word/1": "word, 1 to 2",
        "word/3": "word, 3 and later",
        "old-name/1": "old name, 1",
    }
    for address, heading in headings.items():
        page = html(every_state(), f"term/{address}/")
        assert words(page.find(".//h1")) == heading
        assert page.find(".//title").text.startswith(f"{heading} — ")


def test_a_frozen_page_of_several_sources_names_its_source() -> None:
    """Where several sources have releases, the heading says of which one they are."""
    one, other = source("manual", {"1": {"word": FIXED}}), source("guide", {"1": {"word": NAMED}})
    site = site_of(one, other)
    headings = [
        words(html(site, address).find(".//h1"))
        for address in sorted(site.frozen_addresses.values())
    ]
    assert headings == ["word, Manual 1 and later", "word, Guide 1 and later"]
