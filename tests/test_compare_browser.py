"""Comparing any two releases in a real browser, from a server and from disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import source
from pages_server import published
from sites import site_of, templates

from sitegen.addresses import urls
from sitegen.pipeline import assembly
from sitegen.site.comparisons import by_source
from sitegen.site.pages import change_texts
from sitegen.site.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

DISK = {"disk": "What all of it is written to in the end."}
POINTER = (
    "<p>A named pointer to the state of a volume at one moment, "
    "made by <code>snap_one()</code> &amp; kept as long as you like.</p>"
)
NAMED = POINTER.replace("named", "numbered").replace("as long as you like", "for ever")


@pytest.fixture(scope="module")
def site() -> Site:
    """A source with most kinds of change, and another with a release of the same name."""
    manual = source(
        "manual",
        {
            "1.0": {**DISK, "volume": POINTER, "loop": "Code that runs again."},
            "1.1": {
                **DISK,
                "image": POINTER,
                "loop": "Code that is run again and again.",
                "tape": "Slow.",
            },
            "<2>": {**DISK, "image": NAMED, "tape": "Deprecated. Use a disk."},
            "3.0": {**DISK, "image; tape": POINTER, "loop": "Code that runs again."},
            "4.0": None,
            "5.0": {**DISK, "image": NAMED, "tape": "Slow.", "loop": "An endless one."},
        },
    )
    guide = source("guide", {"1.0": {"disc": "A flat one."}, "9": {"disc": "A round one."}})
    return site_of(manual, guide)


def written(site: Site, root: Path) -> Path:
    """Writes a site into a folder, and returns the folder."""
    for file in assembly.files(site, templates()):
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_bytes(file.content)
    return root


@pytest.fixture(scope="module")
def folder(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(site, tmp_path_factory.mktemp("compared"))


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with published(folder, "/words/") as address:
        yield f"{address}compare/"


def compared(page: Page, address: str, older: str, newer: str) -> list[str]:
    """Returns the changes of the manual that the page lists, as short lines: `volume reworded`."""
    page.goto(address + urls.chosen_comparison(older, newer).removeprefix(urls.COMPARE))
    page.locator("[data-results] h2").first.wait_for()
    rows = (
        "(all) => all.map((row) => [row.querySelector('a').textContent, "
        "row.closest('section').dataset.kind])"
    )
    return sorted(
        " ".join(row) for row in page.locator("[data-results] .kind li").evaluate_all(rows)
    )


def test_any_two_releases_are_compared_as_the_pages_do(
    page: Page, site: Site, address: str
) -> None:
    """For any two releases, the script lists the changes that the program computes."""
    comparison = next(by_source(site))
    for older, newer in combinations((release.name for release in comparison.source.releases), 2):
        changes = [event.change for event in comparison.changes(older, newer)]
        expected = sorted(f"{(one.after or one.before).name} {one.kind}" for one in changes)
        assert compared(page, address, older, newer) == expected, (older, newer)


def test_the_other_way_round(page: Page, address: str) -> None:
    """From a newer release to an older one, additions are removals and the other way round."""
    assert compared(page, address, "<2>", "1.1") == [
        "image reworded",
        "loop added",
        "tape reworded",
    ]
    assert compared(page, address, "1.1", "1.0") == [
        "loop reworded",
        "tape removed",
        "volume renamed",
    ]


def test_a_choice_is_made_and_shared(page: Page, address: str) -> None:
    """Two releases are compared when one is chosen; the address has both, and Back works."""
    page.goto(address)
    page.get_by_role("combobox", name="From").select_option("1.0")
    page.get_by_role("combobox", name="To").select_option("1.1")
    page.wait_for_url(f"{address}?from=1.0&to=1.1")
    page.get_by_role("heading", name="Changes from 1.0 to 1.1").wait_for()
    assert page.title() == "Changes from 1.0 to 1.1 — Example glossary"
    page.get_by_role("button", name="Swap").click()
    page.wait_for_url(f"{address}?from=1.1&to=1.0")
    assert page.get_by_role("combobox", name="From").input_value() == "1.1"
    assert (
        page.get_by_role("button", name="Open all differences").count() == 0
    )  # few differences are open at first
    page.go_back()
    page.wait_for_url(f"{address}?from=1.0&to=1.1")
    page.get_by_role("heading", name="Changes from 1.0 to 1.1").wait_for()
    assert page.get_by_role("combobox", name="From").input_value() == "1.0"


def test_all_differences_are_opened_at_once(page: Page, tmp_path: Path) -> None:
    """In a comparison of many terms, one button opens every difference, and an address leads to one
    of them."""
    names = [f"term {number}" for number in range(12)]
    root = written(
        site_of(
            source("manual", {"1": dict.fromkeys(names, "One."), "2": dict.fromkeys(names, "Two.")})
        ),
        tmp_path,
    )
    with published(root, "/words/") as address:
        page.goto(f"{address}compare/?from=1&to=2#reworded-term-7")
        differences = page.locator("[data-results] details")
        page.get_by_role("button", name="Open all differences").click()
        page.locator("[data-results] details[open] .before-after").nth(11).wait_for()
        assert differences.count() == 12
        assert page.locator("#reworded-term-7 a").first.inner_text() == "term 7"
        assert page.locator(".counts").inner_text() == "12 reworded"


def test_very_many_changes_are_listed_in_parts(page: Page, tmp_path: Path) -> None:
    """Above 300 changes of a kind, the others are listed on demand, and the focus goes to the first
    of them."""
    many = {f"term {number:03}": "A word." for number in range(310)}
    root = written(
        site_of(source("manual", {"1": {"x": "A sign."}, "2": {"x": "A sign.", **many}})), tmp_path
    )
    page.goto((root / "compare/index.html").as_uri())
    more = page.get_by_role("button", name="and 10 more")
    more.wait_for()
    assert page.locator(".items > li").count() == 300
    more.click()
    assert page.locator(".items > li").count() == 310
    assert page.evaluate("document.activeElement.textContent") == "term 300"


def test_what_changed_since_is_one_choice_away(page: Page, folder: Path) -> None:
    """Choosing a release on the home page opens its comparison with the latest, from disk too."""
    page.goto((folder / "index.html").as_uri())
    page.get_by_label("What changed since").select_option("1.1")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/compare/1.1/index.html")
    assert page.locator("h1").inner_text() == "Changes since 1.1"


def test_differences_are_those_of_the_page_that_stands_ready(page: Page, address: str) -> None:
    """Rows of few changes show the words that went and came, and which are code, as the page made
    beforehand does."""
    seen = []
    compared(page, address, "1.1", "<2>")
    page.locator("[data-results] ins").first.wait_for()
    ready = f"{address}1.1/{urls.release_slug('<2>')}/"
    for _ in range(2):
        shown = page.locator("#reworded ~ .items li").first
        marked = shown.locator("ins, del")
        code = shown.locator("code").all_text_contents()
        # Marks for those who hear the page are inside or before an element.
        seen.append(
            (
                [re.sub(r"\[\w+: |\]", "", words).strip() for words in marked.all_text_contents()],
                code,
            )
        )
        page.goto(ready)
    assert seen[0] == seen[1]
    assert seen[0][1] == ["snap_one()"]


def test_the_differences_of_a_long_list_are_made_on_demand(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A difference that a long list leaves out is made when it is opened, with the newer words'
    lists."""
    monkeypatch.setattr(change_texts, "MAX_DETAILED", 1)
    senses = (
        "<p>Two:</p><ol><li>A <a href='term:disk'>disk</a> of {0}.</li><li>Its "
        "<code>{0}()</code>.</li></ol>"
    )
    releases = {
        release: {**DISK, "a": f"It is {word}.", "volume": senses.format(word)}
        for release, word in {"1": "glass", "2": "steel"}.items()
    }
    root = written(site_of(source("manual", releases)), tmp_path)
    with published(root, "/words/") as address:
        for path in ("compare/1/2/", "release/2/"):
            page.goto(address + path)
            item = page.locator("#reworded-volume")
            item.get_by_text("What changed").click()
            item.locator("ins").first.wait_for()
            assert item.locator("ol > li del").all_text_contents() == [
                "[removed: glass.]",
                "[removed: glass().]",
            ]
            assert "".join(item.locator("ol > li ins").all_text_contents()) == "steel.steel()."
            assert item.locator("li a").get_attribute("href") == f"{address}term/disk/index.html"


def test_wordings_can_be_followed_from_disk(page: Page, folder: Path, heard: list[str]) -> None:
    """From disk, where no data can be fetched, a comparison has the same list and links to both
    wordings."""
    from_disk = (folder / "compare/index.html").as_uri()
    assert "image reworded" in compared(page, from_disk, "1.1", "<2>")
    page.get_by_role("link", name="Wording of 1.1").first.click()
    assert page.locator(".term-status").inner_text().startswith("Wording of 1.0 to 1.1 · ")
    assert heard == []


@pytest.mark.parametrize(
    ("older", "newer", "sentence"),
    [
        ("4.0", "5.0", "4.0 could not be read, so there is nothing to compare."),
        ("1.0", "1.0", "Choose two different releases."),
        ("1.1", "9", "No source has both 1.1 and 9."),
        (
            "<img src=x onerror=alert(1)>",
            "9",
            "This site has no release <img src=x onerror=alert(1)>.",
        ),
    ],
)
def test_what_cannot_be_compared(
    page: Page, address: str, older: str, newer: str, sentence: str
) -> None:
    """Two releases that cannot be compared give the reason."""
    assert compared(page, address, older, newer) == []
    assert page.locator("[data-results] .lead").inner_text() == sentence


def test_without_scripts_the_pages_that_stand_ready_are_offered(
    page_without_scripts: Page, address: str
) -> None:
    """Without scripts there is no form, and a link to each prepared page."""
    page = page_without_scripts
    page.goto(address)
    assert not page.locator("form[data-form]").is_visible()
    page.get_by_role("link", name="Changes from 1.0 to 1.1").click()
    assert page.locator("h1").inner_text() == "Changes from 1.0 to 1.1"
