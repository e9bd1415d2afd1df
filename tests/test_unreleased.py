"""A branch that is read as an unreleased state."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from glossaries import Glossary, elsewhere, source, with_entries
from sites import data_of, html, site_of, text, words

from sitegen.config.forges import web_of
from sitegen.integrations.term_links import linked
from sitegen.model import Source
from sitegen.site.site import Site

FIXED = "A fixed pointer to the state of a volume."
NAMED = "A named pointer to the state of a volume."
DEPRECATED = "Deprecated. Use volume instead."
OTHER = {"volume": "A space for data."}
MAIN = "main, not in a release yet"


def moving(releases: Glossary) -> Source:
    """Returns a source whose last release is the head of a branch."""
    read = source("example", releases)
    *settled, head = read.releases
    return replace(read, releases=(*settled, replace(head, unreleased=True)))


def site(*wordings: str, releases: str) -> Site:
    """Returns a glossary in which `snapshot` has these wordings; an empty one means absent."""
    return site_of(
        moving(
            {
                release: {**OTHER, **({"snapshot": wording} if wording else {})}
                for release, wording in zip(releases.split(), wordings, strict=True)
            }
        )
    )


@pytest.mark.parametrize(
    ("releases", "wordings", "sentence"),
    [
        ("main", [FIXED], "Not in a release yet"),
        ("1.0 main", ["", FIXED], "New in main, not in a release yet"),
        ("1.0 main", ["", DEPRECATED], "Deprecated · Not in a release yet · use volume"),
        (
            "1.0 main",
            [FIXED, NAMED],
            f"Reworded in {MAIN} · in the glossary since 1.0 or earlier · see what changed",
        ),
        (
            "1.0 main",
            [FIXED, ""],
            f"Removed in {MAIN} · defined in 1.0 · no replacement recorded",
        ),
        (
            "1.0 1.1 main",
            [FIXED, "", FIXED],
            "In the glossary since 1.0 or earlier · removed in 1.1, back since main, not in a release yet",
        ),
        (
            "1.0 1.1 main",
            [FIXED, NAMED, NAMED],
            "Reworded in 1.1, the latest release · in the glossary since 1.0 or earlier · "
            "see what changed",
        ),
        ("1.0 1.1 main", ["", FIXED, FIXED], "New in 1.1"),
        (
            "1.0 1.1 main",
            ["", FIXED, NAMED],
            f"Reworded in {MAIN} · added in 1.1 · see what changed",
        ),
        (
            "1.0 1.1 main",
            [FIXED, FIXED, FIXED],
            "Never reworded · in the glossary since 1.0 or earlier",
        ),
        (
            "1.0 main",
            [FIXED, DEPRECATED],
            f"Deprecated since {MAIN} · use volume. "
            f"Reworded in {MAIN} · in the glossary since 1.0 or earlier · see what changed",
        ),
    ],
)
def test_the_status_says_what_is_in_no_release(
    releases: str, wordings: list[str], sentence: str
) -> None:
    """A branch's changes are marked as unreleased; the latest release's changes stay in the
    status."""
    made = site(*wordings, releases=releases)
    assert ". ".join(text(made, "term/snapshot/", "term-status")) == sentence


def test_the_history_says_so_too() -> None:
    """An event on a branch is marked as unreleased; it has an anchor and no frozen page."""
    made = site(FIXED, NAMED, releases="1.0 main")
    page = html(made, "term/snapshot/")
    assert words(page.xpath("//h3")[0]) == "main, not in a release yet"
    assert page.xpath("//li[@id='rmain']")
    assert not page.xpath("//a[contains(@href, 'snapshot/main')]")


def test_the_page_of_a_branch_says_so() -> None:
    """The page of a branch, and the list of releases, mark it as unreleased."""
    made = site(FIXED, NAMED, releases="1.0 main")
    assert text(made, "release/main/", "lead") == ["Not in a release yet."]
    assert text(made, "release/1.0/", "lead") == ["1.0 is the oldest release here, with 2 terms."]
    newest, oldest = html(made, "release/").xpath("//tbody/tr")
    assert "Not in a release yet." in words(newest)
    rows = html(made, "about/").xpath("//table[thead]//th[@scope='row']")
    assert [words(row) for row in rows] == ["main, not in a release yet", "1.0"]
    assert "Not in a release yet." not in words(oldest)


def test_the_first_page_tells_the_latest_release_and_what_is_to_come() -> None:
    """The home page begins with the latest release; a branch with changes follows."""
    made = site(FIXED, FIXED, NAMED, releases="1.0 1.1 main")
    assert [words(title) for title in html(made, "").xpath("//div[@class='home-news']//h2")] == [
        "Terms changed in 1.1",
        "Not in a release yet: main",
    ]
    made = site(FIXED, NAMED, NAMED, releases="1.0 1.1 main")
    assert [words(title) for title in html(made, "").xpath("//div[@class='home-news']//h2")] == [
        "Terms changed in 1.1"
    ]


def test_the_first_page_has_the_day_of_a_branch() -> None:
    """A branch has a line with its date, a release also says that it is the latest."""
    made = site(FIXED, FIXED, NAMED, releases="1.0 1.1 main")
    read = made.sources[0]
    days = (None, date(2024, 2, 1), date(2024, 5, 4))
    releases = [replace(one, date=day) for one, day in zip(read.releases, days, strict=True)]
    made = site_of(replace(read, releases=tuple(releases)))
    lines = html(made, "").xpath("//div[@class='home-news']//p[@class='muted']")
    assert [words(line) for line in lines] == ["1 Feb 2024 · the latest release", "4 May 2024"]


def test_a_repository_without_releases() -> None:
    """If there is only a branch, the home page says so, and no page mentions a first release."""
    made = site(FIXED, releases="main")
    [title] = html(made, "").xpath("//div[@class='home-news']//h2")
    assert words(title) == "Not in a release yet: main"
    assert "main has 2 terms." in words(html(made, "").find_class("home-news")[0])
    assert text(made, "release/main/", "lead") == ["Not in a release yet.", "main has 2 terms."]


def test_a_quotation_names_releases_only() -> None:
    """A quotation ends its range at the last release with its words, and one of a branch alone
    names none."""
    made = site(FIXED, FIXED, FIXED, releases="1.0 1.1 main")
    assert " — Example 1.0 to 1.1\n" in linked(data_of(made), "snapshot").quotation
    made = site("", FIXED, releases="1.0 main")
    assert " — Example\n" in linked(data_of(made), "snapshot").quotation


def test_a_quotation_names_releases_as_pages_do() -> None:
    """A state of the end of a month has the month in words; a folder has its name."""
    folders = source("example", {"2026-05": {"tape": "Slow."}})
    months = source("example", {"2026-05": {"tape": "Slow."}})
    state = replace(months.releases[0], date=date(2026, 5, 9), kind="dated")
    for read, release in (
        (folders, "2026-05"),
        (replace(months, releases=(state,)), "May 2026"),
    ):
        made = site_of(read)
        assert f" — Example {release}\n" in linked(data_of(made), "tape").quotation
        [button] = html(made, "term/tape/").xpath("//button[@data-cite]")
        assert button.get("data-release") == release


def test_a_frozen_wording_is_current_in_a_release() -> None:
    """A frozen page names the last state with its wording, and an unreleased end is marked."""
    made = site(FIXED, FIXED, FIXED, releases="1.0 1.1 main")
    assert text(made, "term/snapshot/1.0/", "notice-frozen") == [
        "These words: 1.0 to main History of snapshot"
    ]
    made = site(FIXED, "", releases="1.0 main")
    assert text(made, "term/snapshot/1.0/", "notice-frozen") == [
        "Removed in main, not in a release yet History of snapshot"
    ]


def test_a_source_that_could_not_be_read_is_named() -> None:
    """If one of two sources has no releases, the page about the sources names it."""
    made = site_of(source("example", {"1.0": OTHER}), source("lost", {}))
    assert "Lost" in [words(title) for title in html(made, "about/").xpath("//main//h3")]


HOSTILE = 'docs/"><script>alert(1)</script> {line}.md'


def test_lines_are_links_where_the_source_is_on_a_forge() -> None:
    """Every location links to the line at its release, with hostile names quoted."""
    web = web_of("https://github.com/o/r")
    assert web
    read = source(
        "example", {"1.0": {**OTHER, "snapshot": FIXED}, "1.1": {**OTHER, "snapshot": NAMED}}
    )
    releases = tuple(
        replace(release, line_pattern=web.lines("tag", f"v{release.name}"))
        for release in read.releases
    )
    plain = site_of(read)
    made = site_of(replace(read, releases=releases))
    assert not html(plain, "term/snapshot/").xpath("//a[contains(@href, 'github')]")
    links = html(made, "term/snapshot/").xpath("//a[starts-with(@href, 'https://github.com/')]")
    assert {link.get("href") for link in links} == {
        "https://github.com/o/r/blob/v1.0/GLOSSARY.md?plain=1#L2",
        "https://github.com/o/r/blob/v1.1/GLOSSARY.md?plain=1#L2",
    }
    assert {words(link) for link in links} == {"GLOSSARY.md, line 2"}
    entries = [elsewhere(entry, name=HOSTILE) for entry in releases[1].entries]
    renamed = with_entries(releases[1], "example", entries)
    hostile = site_of(replace(read, releases=(releases[0], renamed)))
    links = html(hostile, "term/snapshot/").xpath("//a[starts-with(@href, 'https://github.com/')]")
    quoted = "docs/%22%3E%3Cscript%3Ealert%281%29%3C/script%3E%20%7Bline%7D.md"
    assert f"https://github.com/o/r/blob/v1.1/{quoted}?plain=1#L2" in {
        link.get("href") for link in links
    }
    assert not html(hostile, "term/snapshot/").xpath("//body//script")
