"""The list of releases and comparisons of releases in a real browser, from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from glossaries import source
from sites import files_of, glossary, site_of, templates

from sitegen.site.pages.change_texts import MAX_OPEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_all_folded_wordings_are_shown_at_once(page: Page, tmp_path: Path) -> None:
    """One box shows all folded differences of a kind, and folds them again; what did not change in
    them stays closed."""
    terms = [f"term {number}" for number in range(MAX_OPEN + 1)]
    words = "<p>A {} bed.</p>" + "<p>Oak.</p>" * 4
    old, new = (words.format(color) for color in ("red", "blue"))
    site = glossary({"1": dict.fromkeys(terms, old), "2": dict.fromkeys(terms, new)})
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


def test_what_changed_since_is_one_choice_away(page: Page, tmp_path: Path) -> None:
    """Choosing a release on the home page opens its comparison with the latest. It begins with the
    release that the reader chose on the page of a term."""
    releases = {"1.0": {"a": "One."}, "1.1": {"a": "One."}, "2.0": {"a": "Two."}}
    for file in files_of(glossary(releases), templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_label("What changed since").select_option("1.0")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/compare/1.0/index.html")
    assert page.locator("h1").inner_text() == "Terms changed since 1.0"
    for chosen, first in (("", "1.1"), ("1.0", "1.0")):
        page.evaluate("(release) => glossaryPage.choose('release', release)", chosen)
        page.goto((tmp_path / "index.html").as_uri())
        choice = page.get_by_label("What changed since")
        assert choice.evaluate("(one) => one.selectedOptions[0].text") == first


def test_on_a_phone_what_changed_since_has_a_line_of_its_own(
    browser: Browser, tmp_path: Path
) -> None:
    """On a phone, the words above the number of terms are before it, below the other changes; on a
    wide screen they are above the column only."""
    site = glossary({"1": {"a": "."}, "2": {"a": ".", "b": "."}, "3": {"b": "."}})
    for file in files_of(site, templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    for width, is_below in ((360, True), (1280, False)):
        page = browser.new_page(viewport={"width": width, "height": 740})
        page.goto((tmp_path / "release/index.html").as_uri())
        row = page.get_by_role("row", name="2 1 added")
        assert row.get_by_text("Changed since, up to 3").is_visible() == is_below
        tops = [
            link.evaluate("(link) => link.getBoundingClientRect().top")
            for link in (row.get_by_text("1 added"), row.get_by_text("1 term"))
        ]
        assert (tops[1] > tops[0] + 20) == is_below
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
