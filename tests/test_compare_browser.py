"""Comparisons of releases in a real browser, from a server and from disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import source
from pages_server import published
from sites import files_of, glossary, site_of, templates

from sitegen.site.pages.change_texts import MAX_OPEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with a release whose name is no part of an address, and with dated states, in a
    folder."""
    root = tmp_path_factory.mktemp("compared")
    manual = source("manual", {"1.0": {"a": "One."}, "<2>": {"a": "Two."}, "3.0": {"a": "Three."}})
    wiki = source("wiki", {"2021-03-04": {"b": "Four."}, "2021-05-06": {"b": "Five."}})
    states = [replace(release, kind="dated") for release in wiki.releases]
    site = site_of(manual, replace(wiki, releases=tuple(states)))
    for file in files_of(site, templates()):
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_bytes(file.content)
    return root


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with published(folder, "/words/") as address:
        yield f"{address}compare/"


def test_all_folded_wordings_are_shown_at_once(page: Page, tmp_path: Path) -> None:
    """One box shows all folded differences of a kind, and folds them again."""
    terms = [f"term {number}" for number in range(MAX_OPEN + 1)]
    site = glossary({"1": dict.fromkeys(terms, "One."), "2": dict.fromkeys(terms, "Two.")})
    for file in files_of(site, templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    page.goto((tmp_path / "compare/1/index.html").as_uri())
    shown = page.locator("details[open]")
    assert shown.count() == 0
    page.get_by_label("Show all wordings").check()
    assert shown.count() == len(terms)
    page.get_by_label("Show all wordings").uncheck()
    assert shown.count() == 0


def test_the_number_of_changed_terms_is_the_link_of_its_row(page: Page, folder: Path) -> None:
    """The number of terms that changed since a release leads to them, as a click anywhere in its row
    does, but for the number of those that the release itself changed; the oldest has a phrase."""
    page.goto((folder / "compare/index.html").as_uri())
    row = page.locator("tr", has_text="<2>").first
    assert row.locator("th a").count() == 0
    assert row.locator("td").first.get_by_role("link").inner_text() == "1 term"
    oldest = page.locator("tr[data-release='1.0']")
    assert oldest.locator("td").last.inner_text() == "the oldest release"
    oldest.locator("th").click(force=True)  # the link is over the row
    page.wait_for_url("**/compare/1.0/index.html")
    page.go_back()
    row.locator("td").last.get_by_role("link").click()
    page.wait_for_url("**/release/*/index.html")


def test_what_changed_since_is_one_choice_away(page: Page, folder: Path) -> None:
    """Choosing a release on the home page opens its comparison with the latest, from disk too."""
    page.goto((folder / "index.html").as_uri())
    page.get_by_label("What changed since").select_option("1.0")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/compare/1.0/index.html")
    assert page.locator("h1").inner_text() == "Terms changed since 1.0"


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("?from=1.0&to=3.0", "Terms changed since 1.0"),
        ("?from=%3C2%3E&to=1.0", "Terms changed since <2>"),
        ("?from=3.0&to=1.0", "Terms changed since 3.0"),
        ("?from=2021-03-04", "Terms changed since 4 Mar 2021"),
        ("?from=4+Mar+2021", "Terms changed since 4 Mar 2021"),
        ("?from=9&to=1.0", "What changed since your release"),
        ("?to=1.0", "What changed since your release"),
    ],
)
def test_an_address_with_a_release_leads_to_what_changed_since(
    page: Page, address: str, folder: Path, query: str, heading: str
) -> None:
    """An address opens what changed since the release that it names, from disk too, also by the day
    that a page shows, and in the form of earlier versions; with an unknown one it opens the list."""
    for place in (address, (folder / "compare/index.html").as_uri()):
        page.goto(place + query)
        page.get_by_role("heading", name=heading, exact=True).wait_for()


def test_the_list_needs_no_scripts(page_without_scripts: Page, address: str) -> None:
    """Without scripts there is a link to each comparison."""
    page = page_without_scripts
    page.goto(address)
    page.get_by_role("row", name="<2>").get_by_role("link").nth(1).click()
    assert page.locator("h1").inner_text() == "Terms changed in <2>"


def test_on_a_phone_each_link_of_the_list_is_in_one_line(browser: Browser, tmp_path: Path) -> None:
    """Numbers of terms do not break in the table on a phone."""
    words = {f"term {number}": "A word." for number in range(12)}
    manual = source("manual", {"1.10.0": {"a": "."}, "1.11.0": words, "1.12.0": words})
    day = date(2023, 11, 28)
    releases = tuple(replace(release, date=day) for release in manual.releases)
    for file in files_of(site_of(replace(manual, releases=releases)), templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto((tmp_path / "compare/index.html").as_uri())
    lines = {
        link.inner_text(): link.evaluate("(link) => link.getClientRects().length")
        for link in page.locator("td a").all()
    }
    assert lines == {"13 terms": 1}
    page.close()


def test_the_kind_of_change_stays_in_view_above_its_terms(browser: Browser, tmp_path: Path) -> None:
    """On a long list, the change in the address is right below the heading of its kind."""
    terms = {f"term {number:02}": "A word." for number in range(60)}
    for file in files_of(site_of(source("manual", {"1": {"a": "."}, "2": terms})), templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto((tmp_path / "compare/1/index.html").as_uri() + "#added-term-30")
    bottom, top = (
        page.locator(one).evaluate(f"(one) => one.getBoundingClientRect().{edge}")
        for one, edge in (("#added", "bottom"), ("#added-term-30", "top"))
    )
    assert 30 < bottom <= top < 100
    page.close()
