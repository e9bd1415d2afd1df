"""Pages of a glossary without releases, whose dated states are called by their days."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from glossaries import source
from sites import event_sentences, html, site_of, text, words

from sitegen.site.exports import feeds
from sitegen.site.site import Site

DAYS = ("2026-05-09", "2026-11-24")


@pytest.fixture(scope="module")
def site() -> Site:
    """A glossary with a state of each day."""
    wordings = {
        DAYS[0]: {"snapshot": "A fixed pointer to a volume.", "alpha": "The state before a copy."},
        DAYS[1]: {"snapshot": "A named pointer to a volume.", "beta": "The state before a copy."},
    }
    read = source("example", wordings)
    named = [
        replace(
            one,
            date=date.fromisoformat(one.name),
            kind="dated",
            link=f"https://example.org/commit/{one.name}",
        )
        for one in read.releases
    ]
    return site_of(replace(read, releases=tuple(named)))


def test_a_month_is_not_repeated_as_a_date() -> None:
    """A state that is named after its month is listed without its day."""
    read = source("example", {"2026-05": {"alpha": "The state before a copy."}})
    state = replace(read.releases[0], date=date(2026, 5, 9), kind="dated")
    [line] = html(site_of(replace(read, releases=(state,))), "release/").xpath("//tbody/tr")
    assert words(line) == "May 2026 May 2026 has 1 term."


ADDRESSES = (
    "",
    "a-z/",
    "release/",
    "release/2026-11-24/",
    "about/",
    "term/snapshot/",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_days_are_written_as_dates(site: Site, address: str) -> None:
    """No text, title or label on a page has a day as the name of its release is written."""
    page = html(site, address)
    shown = page.xpath(
        "//body//text()[not(ancestor::script)] | //body//@title | //body//@aria-label"
        " | //body//@data-release"
    )
    assert [one for one in shown if any(day in one for day in DAYS)] == []
    assert "24 Nov 2026" in "".join(shown) or address == "a-z/"


def test_a_feed_names_days(site: Site) -> None:
    """The titles of the site's feed have dates, as the pages have."""
    [read] = site.sources
    published = site_of(read, base_url="https://example.org/")
    files = {file.path: file.content.decode() for file in feeds.files(published)}
    assert re.findall(r"<title>(Terms .*)</title>", files["feed.xml"]) == [
        "Terms changed on 24 Nov 2026",
        "Terms changed on 9 May 2026",
    ]


def test_an_unreleased_day_is_not_called_the_latest_release(site: Site) -> None:
    """The choice of wordings calls a day the latest only if it is released."""
    [read] = site.sources
    first, last = read.releases
    unreleased = site_of(replace(read, releases=(first, replace(last, unreleased=True))))
    pages = [html(one, "term/snapshot/") for one in (site, unreleased)]
    labels = [page.xpath("string(//option)").strip() for page in pages]
    assert labels == ["24 Nov 2026 (latest)", "24 Nov 2026"]


def test_the_timeline_names_days(site: Site) -> None:
    """Labels, marks and the sentence of a timeline have dates."""
    timeline = html(site, "term/snapshot/").xpath("//*[@class='timeline']")[0]
    assert timeline.xpath(".//g/text/text()") == ["9 May 2026", "24 Nov 2026"]
    assert timeline.xpath(".//a/title/text()") == [
        "Oldest known wording on 9 May 2026",
        "Reworded on 24 Nov 2026",
    ]
    assert timeline.get("aria-label").startswith("From 9 May 2026 to 24 Nov 2026: ")


def test_a_day_is_said_once(site: Site) -> None:
    """A state that is named after its day has no second date, and its link leads to a commit."""
    assert (
        html(site, "release/2026-11-24/").xpath("//time/@datetime").count("2026-11-24") == 2
    )  # heading, whole list
    assert [
        words(one)
        for one in html(site, "release/2026-11-24/").xpath("//h1/following-sibling::*[1]")
    ] == ["the latest release · compared with 9 May 2026 · 2 terms changed · Source at that time"]
    assert text(site, "term/snapshot/", "event-date") == ["1 word added, 1 removed"]


def test_a_rename_says_from_what_to_what(site: Site) -> None:
    """Also on the page of the former name, where the new one is not the heading."""
    said = ["Renamed from “alpha” to “beta”. The definition is the same."]
    assert (
        event_sentences(site, "term/beta/"),
        event_sentences(site, "term/alpha/"),
    ) == (said, said)
