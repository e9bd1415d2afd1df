"""A term's page in a real browser: buttons and switches, addresses, and the page without
scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import source
from pages_server import published
from sites import files_of, glossary, site_of, templates, with_settings
from views import write

from sitegen.addresses import urls
from sitegen.text.prose import reference_href

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

WORDINGS = (
    "A fixed pointer to the state of a volume.",
    "Whatever the system remembers.",
    "<p>A named pointer to the <code>state()</code> of a volume.</p><p>It costs nothing.</p>",
    "<p>A named pointer to the <code>state[]</code> of a volume.</p><p>It costs nothing.</p>",
    "<p>A named pointer to the <code>state[]</code> of a volume, at one moment.</p><ul><li>It is "
    "cheap.</li></ul>",
    "A named pointer to the whole state of a volume.",
)
RELEASES = ("1.0", "1.1", "1.2", "2.0", "2.1", "3.0")
ALLOWED = ["clipboard-read", "clipboard-write"]


def written(releases: Mapping[str, Mapping[str, str]], root: Path, **settings: str) -> Path:
    """Writes the site of a glossary into a folder, and returns the folder."""
    for file in files_of(with_settings(glossary(releases), **settings), templates()):
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_bytes(file.content)
    return root


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site without base_url, and another one below it."""
    releases = {name: {"snapshot": words} for name, words in zip(RELEASES, WORDINGS, strict=True)}
    tapes = {
        name: words if name == "1.0" else words | {"tape": "Slow."}
        for name, words in releases.items()
    }
    root = tmp_path_factory.mktemp("term")
    written({"7": {"tape": "Slow."}}, root / "other", title="Other words")
    written({"7": {"tape": "Langsam."}}, root / "de", language="de")
    return written(tapes, root)


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with published(folder, "/words/") as address:
        yield address


@pytest.fixture
def term(page: Page, address: str) -> Page:
    """The page of the term, on a server."""
    page.context.grant_permissions(ALLOWED)
    page.goto(f"{address}term/snapshot/")
    return page


def clipboard(page: Page) -> str:
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_a_link_is_copied_and_confirmed(page_with_clock: Page, address: str) -> None:
    """The address of the wording is copied; the button and the status region confirm it for a while."""
    term = page_with_clock
    term.context.grant_permissions(ALLOWED)
    term.clock.install()
    term.goto(f"{address}term/snapshot/")
    term.get_by_role("button", name="Copy link").first.click()
    term.get_by_role("button", name="Link copied").wait_for()
    said = "Link copied. The link always shows the wording of 3.0."
    term.locator("[data-part=copied]", has_text=said).wait_for()
    term.get_by_role("button", name="Link copied").click()
    term.clock.fast_forward(10_000)
    term.get_by_role("button", name="Link copied").wait_for(state="detached")
    assert term.locator(".actions button").first.inner_text() == "Copy link to this wording"
    assert clipboard(term) == f"{address}term/snapshot/3.0/"


def test_what_is_said_about_a_copied_link_is_apart_from_its_button(
    term: Page, address: str
) -> None:
    """It does not touch the button, and goes when a menu opens over it."""
    term.goto(f"{address}term/snapshot/1.1/")
    copy = term.locator(".actions button").first
    copy.click()
    note = term.locator("[data-part=exact]")
    note.wait_for()
    above, below = copy.bounding_box(), note.bounding_box()
    assert above and below
    assert below["y"] >= above["y"] + above["height"] + 8
    term.locator(".menu summary").last.click()
    note.wait_for(state="detached")


def test_what_is_beside_a_button_stays_in_place(term: Page, address: str) -> None:
    """The words that confirm a copied link make its button no narrower and no wider."""
    for path in ("term/snapshot/", "term/snapshot/1.1/"):
        term.goto(address + path)
        menu = term.locator(".menu summary").last
        before = menu.bounding_box()
        term.locator(".actions button").first.click()
        term.get_by_role("button", name="Link copied").wait_for()
        assert menu.bounding_box() == before


def test_a_quotation_leads_to_what_it_quotes(term: Page, address: str) -> None:
    """The quotation has the whole address of its wording."""
    term.locator(".menu summary").last.click()
    term.get_by_role("button", name="Copy as Markdown").click()
    term.get_by_role("button", name="Markdown copied").wait_for()
    assert (
        clipboard(term)
        == f"**[snapshot]({address}term/snapshot/3.0/)** — Example 3.0\n> {WORDINGS[-1]}"
    )


def test_the_address_points_at_what_a_key_copies(term: Page, address: str) -> None:
    """With a marked revision, the key copies the address of its frozen page."""
    term.goto(f"{address}term/snapshot/#r1.1")
    term.keyboard.press("c")
    term.locator("[id='r1.1']").get_by_role("button", name="Link copied").wait_for()
    assert clipboard(term) == f"{address}term/snapshot/1.1/"


def test_what_may_not_be_copied_is_shown(term: Page, address: str) -> None:
    """If the clipboard is blocked, the text is shown in a field and selected."""
    term.context.clear_permissions()
    term.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    term.get_by_role("button", name="Copy link").first.click()
    field = term.get_by_label("Copy this")
    assert field.input_value() == f"{address}term/snapshot/3.0/"
    assert term.evaluate("getSelection().toString()") == f"{address}term/snapshot/3.0/"


def test_without_scripts_nothing_waits_to_be_pressed(
    page_without_scripts: Page, folder: Path
) -> None:
    """Without scripts no dead control is shown; text, timeline and differences are."""
    page = page_without_scripts
    page.goto((folder / "term/snapshot/index.html").as_uri())
    assert not any(one.is_visible() for one in page.locator("article :is(button, select)").all())
    page.locator(".timeline").wait_for()
    page.locator(".difference").first.wait_for()


def test_an_address_opens_what_it_points_into(folder: Path, page: Page) -> None:
    """A folded part opens when the address points into it, at once and later."""
    page.goto((folder / "term/snapshot/index.html").as_uri())
    page.evaluate("document.querySelector('.event-full').id = 'words'")
    assert not page.locator("#words").is_visible()
    page.evaluate("location.hash = 'words'")
    page.locator("#words").wait_for()


def test_a_mark_of_the_timeline_opens_the_difference(term: Page) -> None:
    """A click on a mark leads to its event and opens the difference, without an error."""
    errors: list[object] = []
    term.on("pageerror", lambda error: errors.append(error))
    mark = term.locator(".timeline a").nth(3)
    mark.hover()
    mark.click()
    term.wait_for_url("**#r2.0")
    term.locator("[id='r2.0'] details[open] .difference").wait_for()
    assert errors == []


def test_a_release_is_chosen_above_the_name(term: Page, address: str) -> None:
    """What a term meant at the chosen release is shown above its definition, on all pages, until the
    reader stops it. The definition is folded below a label if its words are others, open if the term
    was absent or the page is printed, and not there if they are the same."""
    term.get_by_label("Wording in release").select_option("1.1")
    chosen = term.locator(".chosen")
    chosen.get_by_text("In 1.1:", exact=True).wait_for()
    assert WORDINGS[1] in chosen.inner_text()
    current = term.get_by_text("Wording of 3.0 (latest)", exact=True)
    definition = term.locator(".definition-main")
    source = term.get_by_text("Source: Example 3.0")
    assert not definition.is_visible() and not source.is_visible()
    current.click()
    definition.wait_for()
    assert source.is_visible()
    current.click()
    definition.wait_for(state="hidden")
    term.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert definition.is_visible() and source.is_visible(), "all is open in print"
    term.goto(f"{address}term/tape/")
    chosen.get_by_text("In 1.1: same words as today, unchanged since 1.1").wait_for()
    assert not current.is_visible()
    term.get_by_label("Wording in release").select_option("1.0")
    chosen.get_by_text("Not defined in 1.0").wait_for()
    assert chosen.get_by_text("added in 1.1").is_visible()
    assert term.get_by_text("Wording of 1.1 to 3.0 (latest)").is_visible()
    assert definition.is_visible()
    term.goto(f"{address}term/snapshot/")
    term.get_by_role("button", name="Back to latest").click()
    assert chosen.count() == 0 and definition.is_visible()
    assert term.get_by_label("Wording in release").evaluate(SELECTED) == "3.0 (latest)"
    term.goto(f"{address}term/tape/")
    assert term.evaluate("glossaryPage.choice('release')") == ""


def test_a_chosen_wording_has_no_closed_parts(page: Page, tmp_path: Path) -> None:
    """From disk, the words are those of a difference, without its marks and with the parts that are
    closed in it."""
    words = "<p>A {} bed.</p>" + "<p>Oak.</p>" * 3 + "<p>Elm.</p>"
    old, new, newest = (words.format(color) for color in ("red", "blue", "green"))
    written({"1": {"shed": old}, "2": {"shed": new}, "3": {"shed": newest}}, tmp_path)
    page.goto((tmp_path / "term/shed/index.html").as_uri())
    page.get_by_label("Wording in release").select_option("2")
    chosen = page.locator(".chosen .definition")
    chosen.get_by_text("Elm.").wait_for()
    assert chosen.inner_text().split() == ["A", "blue", "bed.", *["Oak."] * 3, "Elm."]


def test_after_a_merge_the_status_names_the_other_term(page: Page, tmp_path: Path) -> None:
    """At a release after the merge of a term, its page says that it is not defined there, and above
    this, in its status, which term it was merged into."""
    merged = {"whole; part": "It holds the parts."}
    first = {"part": "Same as whole.", "whole": "It holds the parts."}
    written({"1": first, "2": merged, "3": merged}, tmp_path)
    page.goto((tmp_path / "term/part/index.html").as_uri())
    page.get_by_label("Wording in release").select_option("2")
    page.locator(".chosen").get_by_text("Not defined in 2").wait_for()
    assert not page.locator("[data-added]").is_visible()
    status = page.locator(".term-status:has(~ [data-part=chosen])")
    assert status.inner_text().strip() == "Merged into whole in 2"
    # Its words now are those of another term.
    buttons = page.locator(".actions > .copy, .actions > [data-copy]")
    visible = [one.inner_text() for one in buttons.all() if one.is_visible()]
    assert visible == ["Copy link"]


def test_the_address_has_the_release_that_is_shown(term: Page, address: str) -> None:
    """Who is sent the address of the page sees the words that the reader saw."""
    term.goto(f"{address}term/snapshot/#history")
    term.get_by_label("Wording in release").select_option("1.1")
    term.locator(".chosen").wait_for()
    assert term.url == f"{address}term/snapshot/?as-of=1.1#history"
    term.get_by_role("button", name="Back to latest").click()
    assert term.url == f"{address}term/snapshot/#history"


def test_the_chosen_wording_is_what_is_copied(term: Page, address: str) -> None:
    """The buttons copy the wording that is shown first, until the reader stops it; they are below
    it, with its source; one of them copies its link."""
    frozen = f"{address}term/snapshot/1.1/"
    choice = term.get_by_label("Wording in release")
    choice.select_option("1.1")
    term.locator(".chosen").wait_for()
    term.get_by_role("button", name="Copy link to this wording", exact=True).click()
    term.get_by_role("button", name="Link copied").wait_for()
    assert clipboard(term) == frozen
    assert term.locator(".chosen .actions").is_visible()
    place = term.locator(".chosen").get_by_text("Source: Example 1.1, glossary.md, line 1")
    place.wait_for()
    assert not term.get_by_text("Source: Example 3.0").is_visible(), "of the current wording"
    assert term.get_by_role("button", name="Copy link to the term").count() == 0, (
        "one link is enough"
    )
    term.locator(".menu summary").last.click()
    term.get_by_role("button", name="Copy as Markdown").click()
    term.get_by_role("button", name="Markdown copied").wait_for()
    assert clipboard(term) == f"**[snapshot]({frozen})** — Example 1.1\n> {WORDINGS[1]}"
    term.get_by_role("button", name="Cite").click()
    text = term.get_by_label("Plain text", exact=True).input_value()
    assert text.startswith(f"snapshot: {WORDINGS[1]}\n")
    assert text.endswith(f"\n{frozen}")
    term.get_by_role("button", name="Close").click()
    choice.select_option("3.0 (latest)")
    term.locator(".menu summary").last.click()
    term.get_by_role("button", name="Copy link to the term", exact=True).click()
    term.get_by_role("button", name="Link copied").first.wait_for()
    assert clipboard(term) == f"{address}term/snapshot/"
    assert place.count() == 0
    assert term.locator(".definition-main + .actions").is_visible()


def test_the_actions_are_above_a_chosen_article(page: Page, tmp_path: Path) -> None:
    """The actions are above the words of a chosen release if they are above those of today, and
    return to their place."""
    article = "<p>A blade.</p><h3>Use</h3><p>It cuts {}.</p>"
    first, last = article.format("wood"), article.format("steel")
    written({"1": {"saw": first}, "2": {"saw": last}}, tmp_path)
    page.goto((tmp_path / "term/saw/index.html").as_uri())
    page.get_by_label("Wording in release").select_option("1")
    page.locator(".chosen > .actions + .definition").get_by_text("It cuts wood.").wait_for()
    page.get_by_role("button", name="Back to latest").click()
    page.locator("header + .actions + .definition-main").wait_for()


def test_a_release_is_chosen_after_copying(term: Page, address: str) -> None:
    """After the link to the current wording was copied, a chosen release has its own link, and the
    reader can go back."""
    copy = term.get_by_role("button", name="Copy link to this wording", exact=True)
    copy.click()
    term.locator("[data-part=exact]").wait_for()
    choice = term.get_by_label("Wording in release")
    choice.select_option("1.1")
    term.locator(".chosen .actions").wait_for()
    assert term.locator("[data-part=exact]").count() == 0
    term.get_by_role("button", name="Link copied").wait_for(state="detached")
    copy.click()
    term.get_by_role("button", name="Link copied").wait_for()
    assert clipboard(term) == f"{address}term/snapshot/1.1/"
    term.get_by_role("button", name="Back to latest").click()
    term.locator(".chosen").wait_for(state="detached")
    assert term.locator(".definition-main + .actions + .term-place").is_visible()


def test_the_chosen_wording_leads_to_its_page(page: Page, tmp_path: Path) -> None:
    """Above other words than those of today is a link to their page, which is named after their
    releases, also if it is one."""
    written({"1": {"saw": "Steel."}, "2": {"saw": "Steel."}, "3": {"saw": "A blade."}}, tmp_path)
    written({"1": {"saw": "Steel."}, "2": {"saw": "A blade."}}, tmp_path / "short")
    with published(tmp_path, "/words/") as address:
        page.goto(f"{address}short/term/saw/?as-of=1")
        page.locator(".chosen").get_by_text("In 1:", exact=True).wait_for()
        page.locator(".chosen").get_by_text("These words: 1").wait_for()
        page.goto(f"{address}term/saw/?as-of=2")
        page.locator(".chosen").get_by_text("These words: 1 to 2").wait_for()
        page.locator(".chosen").get_by_role("link", name="1 to 2").click()
        page.wait_for_url("**/term/saw/1/")
        assert page.locator("h1").inner_text() == "saw, 1 to 2"


def test_other_words_have_the_links_of_their_release(page: Page, tmp_path: Path) -> None:
    """The words of an earlier release have links, which lead to what other terms meant in it, and
    the source there; the names of the latest release are folded with its words."""
    blade = f'<a href="{reference_href("blade")}">blade</a>'
    first = {"saw": f"<p>A {blade} that moves.</p>", "blade": "Steel."}
    written({"1": first, "2": {"saw": f"<p>It has a {blade}.</p>", "blade": "Teeth."}}, tmp_path)
    with published(tmp_path, "/words/") as address:
        page.goto(f"{address}term/saw/?as-of=1")
        chosen = page.locator(".chosen")
        chosen.get_by_text("Source: Example 1").wait_for()
        chosen.get_by_role("link", name="blade").click()
        page.wait_for_url("**/term/blade/?as-of=1")
        chosen.get_by_text("Steel.").wait_for()
        page.goto(f"{address}term/blade/?as-of=1")
        names = page.get_by_text("Mentioned in")
        names.wait_for(state="hidden")
        page.get_by_text("Wording of 2 (latest)", exact=True).click()
        names.wait_for()
        chosen.get_by_role("button", name="Back to latest").click()
        assert names.is_visible()


def test_what_comes_late_is_not_of_another_release(term: Page) -> None:
    """The page of a wording that arrives after the reader chose another release changes nothing, and
    the note about a copied link goes with the words that it is about."""
    held: list[Route] = []
    term.route("**/term/snapshot/1.1/", lambda route: held.append(route))
    choice, chosen = term.get_by_label("Wording in release"), term.locator(".chosen")
    choice.select_option("1.1")
    chosen.get_by_text("In 1.1:", exact=True).wait_for()
    chosen.get_by_role("button", name="Copy link to this wording").click()
    note = chosen.locator("[data-part=exact]")
    note.wait_for()
    choice.select_option("2.0")
    chosen.get_by_text("Source: Example 2.0").wait_for()
    assert note.count() == 0
    with term.expect_response("**/term/snapshot/1.1/") as late:
        held[0].continue_()
    late.value.finished()
    term.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert chosen.get_by_text("Source: Example 2.0").is_visible()
    assert WORDINGS[1] not in chosen.inner_text()


def test_a_name_of_the_chosen_release_is_told(page: Page, tmp_path: Path) -> None:
    """If the term had another name at the chosen release, the page says so beside its words."""
    written({"1": {"image": WORDINGS[0]}, "2": {"snapshot": WORDINGS[0]}}, tmp_path)
    with published(tmp_path, "/words/") as address:
        page.goto(f"{address}term/snapshot/?as-of=1")
        page.locator(".chosen").get_by_text("Its name then: image").wait_for()


def test_other_pages_say_which_release_is_chosen(term: Page, address: str) -> None:
    """The header of a page without a choice says which release the pages of terms show, and ends the
    choice; without a choice, it says nothing. A page as of another release shows that one, a page of
    one wording always that wording."""
    kept = term.get_by_text("You chose 1.1 for term pages")
    term.goto(f"{address}a-z/")
    assert kept.count() == 0
    term.goto(f"{address}term/snapshot/")
    term.get_by_label("Wording in release").select_option("1.1")
    term.locator(".chosen").wait_for()
    for path in ("", "a-z/", "search/"):
        term.goto(address + path)
        kept.wait_for()
    term.goto(f"{address}term/snapshot/2.0/")
    assert kept.count() == 0
    term.goto(f"{address}release/2.0/terms/")
    term.get_by_role("link", name="snapshot").click()
    term.wait_for_url("**/term/snapshot/?as-of=2.0")
    term.locator(".chosen").get_by_text("In 2.0:", exact=True).wait_for()
    assert kept.count() == 0
    term.goto(f"{address}a-z/")
    kept.get_by_role("button", name="Back to latest").click()
    kept.wait_for(state="detached")
    assert term.evaluate("glossaryPage.choice('release')") == ""


def test_the_same_words_are_copied_with_the_address_of_their_wording(
    term: Page, address: str
) -> None:
    """At a release with the words of the page, the copied link leads to the page of that wording,
    which is headed by all its releases."""
    term.goto(f"{address}term/tape/?as-of=1.2")
    term.get_by_role("button", name="Copy link to this wording", exact=True).click()
    term.get_by_role("button", name="Link copied").wait_for()
    assert clipboard(term) == f"{address}term/tape/1.1/"
    term.goto(clipboard(term))
    assert term.locator("h1").inner_text() == "tape, 1.1 and later"


def test_the_source_of_the_latest_release_is_not_below_an_earlier_one(
    term: Page, address: str
) -> None:
    """At an earlier release with the words of the page, the source of the latest release is hidden;
    at the latest release it is there."""
    term.goto(f"{address}term/tape/?as-of=1.2")
    term.locator(".chosen").wait_for()
    place = term.get_by_text("Source: Example 3.0")
    assert place.is_hidden()
    for release in ("1.2", "1.0", "1.2", "3.0 (latest)"):
        term.get_by_label("Wording in release").select_option(release)
        place.wait_for(state="hidden" if release == "1.2" else "visible")


SELECTED = "select => select.selectedOptions[0].text"
SHOWN = "release => (new URL(location).searchParams.get('as-of') || 'latest') === release"


def test_what_is_cited_is_the_wording_at_the_chosen_release(page: Page, tmp_path: Path) -> None:
    """Whether its words are those of the page, others, or those of the page before they returned:
    what is copied and cited is the wording at the release, with its releases so far and the year of
    the first of them."""
    wordings = ("A pointer.", "A pointer.", "A name.", "A pointer.", "A pointer.")
    releases = {str(number): {"snapshot": words} for number, words in enumerate(wordings, start=1)}
    read = source("example", releases)
    dated = [
        replace(one, commit="1a2b3c4", date=date(2018 + number, 3, 1))
        for number, one in enumerate(read.releases)
    ]
    write(site_of(replace(read, releases=tuple(dated))), tmp_path)
    page.goto((tmp_path / "term/snapshot/index.html").as_uri())
    cited = {}
    for release in ("1", "2", "3", "4", "latest"):
        option = "5 (latest)" if release == "latest" else release
        page.get_by_label("Wording in release").select_option(option)
        page.wait_for_function(SHOWN, arg=release)
        page.locator(".menu summary").last.click()
        page.get_by_role("button", name="Cite", exact=True).click()
        text, place, address = page.get_by_label("Plain text", exact=True).input_value().split("\n")
        page.get_by_role("button", name="Close").click()
        link = page.locator(".actions button").first.get_attribute("data-address")
        folder = address.partition("/term/")[2].removesuffix("index.html")
        wording = re.findall(r"^snapshot \(wording of (.*)\). Example glossary. (\d+). ", place)
        cited[release] = (text, *wording, folder, link)
    assert cited == {
        "1": ("snapshot: A pointer.", ("1 to 2", "2018"), "snapshot/1/", "term/snapshot/1/"),
        "2": ("snapshot: A pointer.", ("1 to 2", "2018"), "snapshot/1/", "term/snapshot/1/"),
        "3": ("snapshot: A name.", ("3", "2020"), "snapshot/3/", "term/snapshot/3/"),
        "4": ("snapshot: A pointer.", ("4 to 5", "2021"), "snapshot/4/", "term/snapshot/4/"),
        "latest": ("snapshot: A pointer.", ("4 to 5", "2021"), "snapshot/4/", "term/snapshot/4/"),
    }


def test_the_choice_has_the_release_that_is_shown(term: Page, address: str) -> None:
    """The release of the choice is the one that the page shows, so pages that show none have no
    choice."""
    choice = term.get_by_label("Wording in release")
    choice.select_option("1.1")
    term.locator(".chosen").wait_for()
    for path in ("", "a-z/", "term/snapshot/2.0/"):
        term.goto(address + path)
        assert choice.count() == 0, path
    term.goto(f"{address}term/tape/")
    term.locator(".chosen").wait_for()
    assert choice.evaluate(SELECTED) == "1.1"
    term.goto(f"{address}term/snapshot/?as-of=2.0")
    term.locator(".chosen").wait_for()
    assert choice.evaluate(SELECTED) == "2.0"


def test_previews_are_of_the_chosen_release(term: Page, address: str) -> None:
    """The preview of a term shows its words at the release that a reader chose."""
    term.get_by_label("Wording in release").select_option("1.1")
    term.locator(".chosen").wait_for()
    term.goto(f"{address}term/snapshot/2.0/")
    term.get_by_role("main").get_by_role("link", name="snapshot", exact=True).hover()
    term.locator("[data-part=preview]").get_by_text(WORDINGS[1]).wait_for()


def test_previews_know_any_name_of_a_release(page: Page, tmp_path: Path) -> None:
    """The name of a chosen release may have signs that addresses write otherwise, and that of a
    dated state is a day, which pages show in words; a link with a release comes before the choice."""
    names = ("100% off+on", "2026-05-09", "2026-11-24")
    read = source("tools", {name: {"blade": f"In {name}."} for name in names})
    dated = [replace(one, kind="dated") for one in read.releases[1:]]
    write(site_of(replace(read, releases=(read.releases[0], *dated))), tmp_path)
    link = page.get_by_role("main").get_by_role("link", name="blade", exact=True)
    preview = page.locator("[data-part=preview]")
    with published(tmp_path, "/words/") as address:
        for name, shown in zip(names[:2], ("100% off+on", "9 May 2026"), strict=True):
            page.goto(f"{address}term/blade/")
            page.get_by_label("Wording in release").select_option(shown)
            page.locator(".chosen").get_by_text(f"In {name}.").wait_for()
            assert page.evaluate("new URL(location).searchParams.get('as-of')") == name
            page.goto(f"{address}a-z/")
            page.locator(".kept-release").get_by_text(
                f"You chose {shown} for term pages"
            ).wait_for()
            page.goto(f"{address}term/blade/{names[2]}/")
            link.hover()
            preview.get_by_text(f"In {name}.").wait_for()
        page.goto(address + urls.release_terms(names[0]))
        link.hover()
        preview.get_by_text(f"In {names[0]}.").wait_for()


def test_from_disk_the_preview_of_a_chosen_release_is_not_of_the_latest(
    page_with_clock: Page, folder: Path
) -> None:
    """A script cannot read from disk what a term meant at a release, so there is no preview of a link
    to that."""
    page = page_with_clock
    page.clock.install()
    page.goto((folder / "release/1.1/terms/index.html").as_uri())
    for is_shown, setting in ((False, "1.1"), (True, "")):
        page.evaluate("release => glossaryPage.choose('release', release)", setting)
        page.goto((folder / "term/snapshot/2.0/index.html").as_uri())
        # Another process may show the page, which hears of the choice a moment later.
        while page.evaluate("glossaryPage.choice('release')").partition("\n")[0] != setting:
            page.wait_for_timeout(10)
        page.get_by_role("main").get_by_role("link", name="snapshot", exact=True).hover()
        page.evaluate("glossaryPage.load('assets/js/search.js')")
        page.clock.run_for(2_000)
        page.evaluate("glossarySearch.open(glossaryPage.root).names()")
        assert page.locator("[data-part=preview]").is_visible() == is_shown


def test_only_links_of_this_site_lead_to_the_chosen_release(term: Page, address: str) -> None:
    """A link to another site stays as it is, also if its address has that of this site in it."""
    elsewhere = f"https://archive.example/2020/{address}term/tape/"
    assert term.evaluate(LED_TO, elsewhere) == elsewhere
    assert term.evaluate(LED_TO, f"{address}term/tape/1.1/") == f"{address}term/tape/?as-of=1.2"


LED_TO = """(href) => {
    const link = Object.assign(document.createElement("a"), { href });
    glossaryPage.leadTo("1.2", [link]);
    return link.href;
}"""


def test_the_focus_stays_near_a_choice_that_ends(term: Page, address: str) -> None:
    """The button that ends a choice goes with it; the focus is then on the list of releases, or at
    the beginning of a page without one."""
    choice = term.get_by_label("Wording in release")
    choice.select_option("1.1")
    term.get_by_role("button", name="Back to latest").press("Enter")
    assert choice.evaluate("select => select === document.activeElement")
    choice.select_option("1.1")
    term.locator(".chosen").wait_for()
    term.goto(f"{address}a-z/")
    term.get_by_role("button", name="Back to latest").press("Enter")
    assert term.locator("main").evaluate("main => main === document.activeElement")
    assert term.locator(".kept-release").count() == 0


def test_a_release_that_cannot_be_shown_is_not_selected(
    term: Page, address: str, heard: list[str]
) -> None:
    """If what shows a release is not loaded, the list says latest, as the page is, and nothing
    fails, also on a page without a list."""
    term.route("**/assets/panels.js", lambda route: route.abort())
    choice = term.get_by_label("Wording in release")
    choice.select_option("1.1")
    while choice.evaluate(SELECTED) != "3.0 (latest)":
        term.wait_for_timeout(10)
    term.goto(f"{address}a-z/")
    term.wait_for_load_state("networkidle")
    assert [said for said in heard if said.startswith("error")] == []


def test_only_the_names_of_the_term_have_the_latest_release(page: Page, tmp_path: Path) -> None:
    """The list of shortcuts, which looks like that of names, has no release above it."""
    written({"1": {"saw": "Steel."}, "2": {"saw": "A blade."}}, tmp_path)
    page.goto((tmp_path / "term/saw/index.html").as_uri())
    page.keyboard.press("?")
    page.get_by_role("button", name="Close").click()
    page.get_by_label("Wording in release").select_option("1")
    page.locator(".chosen").get_by_text("Steel.").wait_for()
    assert page.locator("[data-as-of]").count() == 0


def test_a_list_in_the_header_of_a_project_is_not_that_of_the_releases(
    page: Page, tmp_path: Path
) -> None:
    """A theme adds any HTML to the top of every page."""
    written({"1": {"saw": "Steel."}, "2": {"saw": "Teeth on steel."}}, tmp_path)
    file = tmp_path / "term/saw/index.html"
    own_header = "</header><header><select><option>Other</select></header>"
    file.write_text(file.read_text("utf-8").replace("</header>", own_header, 1), "utf-8")
    page.goto(file.as_uri())
    page.get_by_label("Wording in release").select_option("1")
    page.locator(".chosen").get_by_text("Steel.").wait_for()


def test_a_chosen_release_is_of_one_glossary(term: Page, address: str) -> None:
    """Another glossary on the same server does not show the release that a reader chose in this
    one, nor does the glossary in another language, where releases may have other names."""
    term.get_by_label("Wording in release").select_option("1.1")
    term.locator(".chosen").wait_for()
    for folder in ("other/", "de/"):
        term.goto(f"{address}{folder}a-z/")
        assert term.evaluate("glossaryPage.choice('release')") == ""
    term.goto(f"{address}term/tape/")
    assert term.evaluate("glossaryPage.choice('release')") == "1.1"


def test_a_chosen_wording_leads_to_what_changed_since(term: Page, address: str) -> None:
    """Beside other words is a link to the change of the term since the release, which is open."""
    term.goto(f"{address}term/snapshot/?as-of=1.1")
    term.get_by_role("link", name="Terms changed since 1.1").click()
    term.wait_for_url("**/compare/1.1/#reworded-snapshot")
    term.locator("[id='reworded-snapshot'] details[open]").wait_for()


def test_a_chosen_wording_says_which_release_reworded_it(page: Page, tmp_path: Path) -> None:
    """Below other words is the release that reworded them, with a link to what it changed; below
    those that ended otherwise there is none."""
    known = {"saw": "Teeth on steel.", "file": "Steel."}
    written(
        {
            "1": {**known, "tape": "Slow."},
            "2": {**known, "saw": "Teeth on a blade.", "tape": "Slow."},
            "3": {**known, "saw": "A blade.", "tape": "Slow."},
            "4": {**known, "saw": "A blade."},
            "5": {**known, "saw": "A blade.", "tape": "Fast."},
        },
        tmp_path,
    )
    page.goto((tmp_path / "term/saw/index.html").as_uri())
    page.get_by_label("Wording in release").select_option("1")
    page.locator(".chosen").get_by_text("Replaced in 2 · see what changed").wait_for()
    page.locator(".chosen").get_by_role("link", name="see what changed").click()
    page.locator("[id=r2]:target details[open]").wait_for()
    page.get_by_label("Wording in release").select_option("2")
    page.locator(".chosen").get_by_text("Replaced in 3 · see what changed").wait_for()
    page.goto((tmp_path / "term/tape/index.html").as_uri())
    page.get_by_label("Wording in release").select_option("3")
    page.locator(".chosen").get_by_text("Slow.").wait_for()
    assert not page.locator("[data-reworded]").is_visible()


def test_words_with_a_link_lead_to_what_changed_since(page: Page, tmp_path: Path) -> None:
    """The link to what changed since a release names it, also below words that have links, and if
    the name of the release is no part of an address."""
    linked = '<p>What a <a href="https://example.org/">carpenter</a> moves.</p>'
    written({"<1>": {"saw": linked}, "2": {"saw": "Teeth on steel."}}, tmp_path)
    page.goto((tmp_path / "term/saw/index.html").as_uri())
    page.get_by_label("Wording in release").select_option("<1>")
    page.locator(".chosen").get_by_role("link", name="carpenter").wait_for()
    page.get_by_role("link", name="Terms changed since <1>").click()
    page.wait_for_url("**/compare/1~*/index.html#reworded-saw")


def test_the_address_of_a_wording_is_copied(term: Page, address: str) -> None:
    """A page copies the link to the present wording too, and a frozen page that to its own; then it
    says which releases have it."""
    term.locator(".actions").get_by_role("button", name="Copy link to this wording").click()
    term.get_by_role("button", name="Link copied").wait_for()
    assert clipboard(term) == f"{address}term/snapshot/3.0/"
    term.locator(".actions + p", has_text="The link always shows the wording of 3.0.").wait_for()
    term.goto(f"{address}term/snapshot/1.1/")
    term.get_by_role("button", name="Copy link to this wording").click()
    term.get_by_role("button", name="Link copied").wait_for()
    assert clipboard(term) == f"{address}term/snapshot/1.1/"


def test_a_copied_link_has_the_words_of_a_range_of_releases(page: Page, tmp_path: Path) -> None:
    """The link to the wording of a chosen release names the first release with it, so the page says
    which others have it; in the history too."""
    written({"1": {"saw": "A."}, "2": {"saw": "A."}, "3": {"saw": "B."}}, tmp_path)
    page.context.grant_permissions(ALLOWED)
    with published(tmp_path, "/words/") as address:
        page.goto(f"{address}term/saw/?as-of=2")
        page.locator(".chosen").get_by_role("button", name="Copy link to this wording").click()
        note = "The link always shows the wording of 1 to 2."
        page.locator(".chosen .actions + p", has_text=note).wait_for()
        page.goto(f"{address}term/saw/#r1")
        page.locator(".event").get_by_role("button", name="Copy link to this wording").last.click()
        page.locator(".event-links + p", has_text=note).wait_for()


def test_the_choice_of_a_release_is_readable_on_a_phone(term: Page) -> None:
    """On a phone, the list of releases is below the name of the term, as wide as its longest release;
    its label can be read."""
    term.set_viewport_size({"width": 320, "height": 740})
    label = term.locator("header label")
    choice = label.locator("select")
    name_box, label_box = term.locator("h1").bounding_box(), label.bounding_box()
    assert name_box
    assert label_box
    assert label_box["y"] >= name_box["y"] + name_box["height"]
    assert label.evaluate("label => parseFloat(getComputedStyle(label).fontSize)") >= 11
    width = choice.evaluate("list => list.offsetWidth")
    choice.evaluate("list => { list.style.inlineSize = 'max-content' }")
    assert choice.evaluate("list => list.offsetWidth") == width


def test_following_a_link_chooses_no_release(term: Page, address: str) -> None:
    """A link can name a release, which is shown on its page and not kept; a link to a wording keeps
    none."""
    term.goto(f"{address}term/snapshot/?as-of=2.0")
    chosen = term.locator(".chosen")
    chosen.get_by_text("In 2.0:", exact=True).wait_for()
    assert "A named pointer to the state[] of a volume." in chosen.inner_text()
    term.goto(f"{address}term/snapshot/1.1/")
    term.locator(".actions summary", has_text="All wordings").click()
    term.locator(".menu a", has_text="2.0").click()
    term.wait_for_url("**/term/snapshot/2.0/")
    term.goto(f"{address}term/snapshot/")
    assert term.evaluate("glossaryPage.choice('release')") == ""
    assert chosen.count() == 0
    term.get_by_label("Wording in release").select_option("2.0")
    chosen.get_by_text("In 2.0:", exact=True).wait_for()


def test_a_click_beside_a_menu_closes_it(term: Page, address: str) -> None:
    """One menu is open at a time, and none after a click elsewhere."""
    term.goto(f"{address}term/snapshot/1.1/")
    wordings, more = term.locator(".menu").all()
    wordings.locator("summary").click()
    more.locator("summary").click()
    opened = [menu.get_attribute("open") is not None for menu in (more, wordings)]
    assert opened == [True, False]
    term.locator("h1").click()
    assert more.get_attribute("open") is None


def test_a_citation_is_copied(term: Page) -> None:
    """The citation is shown as text and as BibTeX, and each can be copied. Both have the term and
    its wording as title, the glossary that it is in, and the day of access, in fields that every
    style prints, but no author. Neither has a year where the release has no date."""
    term.locator(".menu summary").last.click()
    term.get_by_role("button", name="Cite").click()
    box = term.get_by_label("BibTeX", exact=True)
    box.wait_for()
    assert term.locator(".menu[open]").count() == 0
    assert box.evaluate("one => one.scrollHeight - one.clientHeight") <= 0
    entry, day = re.sub(r"20\d\d-\d\d-\d\d", "DAY", box.input_value()), "Accessed DAY"
    start, *fields, end = entry.splitlines()
    assert (start, end) == ("@misc{term-snapshot-3-0,", "}")
    found = dict(re.findall(r"  (\w+) = \{(.*)\},?$", "\n".join(fields), flags=re.M))
    place = found.pop("howpublished")
    address = place.removeprefix("Example glossary, \\url{").removesuffix("}")
    title = "snapshot (wording of 3.0)"
    assert found == {"key": "snapshot", "title": f"{{{title}}}", "note": day}
    plain = term.get_by_label("Plain text", exact=True).input_value()
    plain = re.sub(r"20\d\d-\d\d-\d\d", "DAY", plain)
    assert plain.split("\n")[1:] == [f"{title}. Example glossary. {day}.", address]
    term.get_by_role("button", name="Copy: BibTeX").click()
    term.get_by_role("button", name="Citation copied").wait_for()
    assert clipboard(term) == box.input_value()


def test_a_citation_is_of_what_is_at_its_address(page: Page, tmp_path: Path) -> None:
    """On the page of a former name, a citation has the name that the definition has now; each
    paragraph is a line, items have their numbers, and a heading ends with a colon."""
    words = (
        "<p>A picture\nof a volume.</p><h3>Use</h3><ol><li><p>Go back.</p></li><li>Copy.</li></ol>"
        "<h3>Why?</h3><p>Safety.</p>"
    )
    written({"1": {"image": words}, "2": {"snapshot": words}}, tmp_path)
    page.goto((tmp_path / "term/image/index.html").as_uri())
    page.locator(".menu summary").last.click()
    page.get_by_role("button", name="Cite").click()
    text = page.get_by_label("Plain text", exact=True).input_value()
    assert text.splitlines()[:6] == [
        "snapshot: A picture of a volume.",
        "Use:",
        "1. Go back.",
        "2. Copy.",
        "Why?",
        "Safety.",
    ]
    entry = page.get_by_label("BibTeX", exact=True).input_value()
    assert "title = {{snapshot (wording of 2)}}" in entry


def test_escape_closes_a_menu(term: Page) -> None:
    """Escape closes a menu, and its button has the focus again."""
    button = term.locator(".menu summary").last
    button.click()
    term.get_by_role("button", name="Cite").focus()
    term.keyboard.press("Escape")
    assert not term.locator(".menu[open]").count()
    assert button.evaluate("(one) => one === document.activeElement")


def test_a_marked_revision_has_a_bar_and_a_tint(folder: Path, page: Page) -> None:
    """The bar is at the start, which is the right in right-to-left languages."""
    page.goto((folder / "term/snapshot/index.html").as_uri() + "#r2.1")
    shadow = "(one) => getComputedStyle(one).boxShadow"
    assert "3px 0px" in page.locator(".event:target").evaluate(shadow)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert "-3px 0px" in page.locator(".event:target").evaluate(shadow)


def test_the_picture_hides_where_it_has_no_room(folder: Path, page: Page) -> None:
    """Below 22rem there is only the list."""
    page.goto((folder / "term/snapshot/index.html").as_uri())
    seen = []
    for width in (351, 352):
        page.set_viewport_size({"width": width, "height": 740})
        seen.append(page.locator(".timeline").is_visible())
    assert seen == [False, True]


def test_labels_of_the_picture_never_overlap(folder: Path, page: Page) -> None:
    """Labels do not overlap on the narrowest screen with a timeline."""
    page.set_viewport_size({"width": 352, "height": 740})
    page.goto((folder / "term/snapshot/index.html").as_uri())
    boxes = page.locator(".timeline text").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) > 3
    for top in {box["top"] for box in boxes}:
        row = sorted((box["left"], box["right"]) for box in boxes if box["top"] == top)
        assert all(right < left for (_, right), (left, _) in pairwise(row))


def test_the_last_menu_is_beside_the_button(page: Page, folder: Path) -> None:
    """Where its list has room on both sides of it, the last menu of a term follows the button."""
    for width in (768, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto((folder / "term/snapshot/index.html").as_uri())
        button = page.locator(".actions > [data-copy]").bounding_box()
        menu = page.locator(".actions > .menu").last.bounding_box()
        assert button and menu
        assert 0 < menu["x"] - (button["x"] + button["width"]) < 24


def test_shapes_survive_forced_colors(page: Page, folder: Path) -> None:
    """In forced colors, the timeline has the color of text."""
    page.emulate_media(forced_colors="active")
    page.goto((folder / "term/snapshot/index.html").as_uri())
    drawn = {
        page.locator(f".timeline {part}").first.evaluate(f"(one) => getComputedStyle(one).{paint}")
        for part, paint in (
            ("[class^=chip-] path", "fill"),
            (".defined", "stroke"),
            ("text", "fill"),
        )
    }
    assert drawn == {page.locator("body").evaluate("(one) => getComputedStyle(one).color")}


def test_a_phone_shares_the_link(browser: Browser, address: str) -> None:
    """Where the system can share, a phone has a button for it before the one that copies, which
    shares the same; a desktop has none."""
    for is_phone in (True, False):
        context = browser.new_context(is_mobile=is_phone, has_touch=is_phone)
        page = context.new_page()
        page.add_init_script("Navigator.prototype.share = async (data) => { self.shared = data; }")
        page.goto(f"{address}term/snapshot/")
        share = page.get_by_role("button", name="Share")
        assert share.count() == is_phone
        if is_phone:
            share.click()
            assert page.evaluate("self.shared.url") == f"{address}term/snapshot/3.0/"
            page.goto(f"{address}term/snapshot/?as-of=1.1")
            page.locator(".chosen .actions").wait_for()
            share.click()
            assert page.evaluate("self.shared.url") == f"{address}term/snapshot/1.1/"
        context.close()


def test_a_change_of_code_scrolls_in_its_box(page: Page, tmp_path: Path) -> None:
    """The words for screen readers behind the marks in a long line make no page wider than the
    window."""
    code = "<pre><code>saw.cut(board, length=1, width=2, depth=3, speed={}, teeth={})</code></pre>"
    written({"1.0": {"saw": code.format(4, 5)}, "1.1": {"saw": code.format(6, 7)}}, tmp_path)
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("release/1.1/index.html", "term/saw/index.html"):
        page.goto((tmp_path / path).as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        assert page.locator("pre ins").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path


@pytest.mark.parametrize("chosen", ["", "?as-of=1.1"])
def test_on_a_phone_the_actions_share_a_row_as_wide_as_the_text(
    term: Page, address: str, chosen: str
) -> None:
    """The button and the menu have the whole width together, also of a chosen release."""
    term.set_viewport_size({"width": 360, "height": 740})
    term.goto(f"{address}term/snapshot/{chosen}")
    if chosen:
        term.locator(".chosen .actions").wait_for()
    edges = (
        "(all) => all.filter((one) => one.offsetWidth).map((one) => one.getBoundingClientRect())"
    )
    row = term.locator(".actions").evaluate("(one) => one.getBoundingClientRect().toJSON()")
    copies = term.locator(".actions > [data-copy]").evaluate_all(f"(all) => ({edges})(all)")
    menus = term.locator(".actions > .menu").evaluate_all(f"(all) => ({edges})(all)")
    [copy], [menu] = copies, menus
    assert (copy["left"], menu["right"]) == (row["left"], row["right"])
    assert copy["top"] <= menu["top"] < copy["bottom"]


def test_on_a_phone_the_choice_of_a_release_is_below_the_name(page: Page, tmp_path: Path) -> None:
    """The choice begins a line below the name and the status, for keyboards too. On a wide screen it
    is above them, beside the section."""
    written({"1": {"tape": "A strip."}, "2": {"tape": "A long strip."}}, tmp_path)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto((tmp_path / "term/tape/index.html").as_uri())
    edges = "(one) => one.getBoundingClientRect().toJSON()"
    heading, status, choice = [
        page.locator(one) for one in ("h1", ".term-status", ".term-status ~ label")
    ]
    edge_of_choice = choice.evaluate(edges)
    assert edge_of_choice["left"] == heading.evaluate(edges)["left"]
    assert edge_of_choice["top"] >= status.evaluate(edges)["bottom"] + 8
    page.set_viewport_size({"width": 1280, "height": 740})
    assert choice.evaluate(edges)["bottom"] <= heading.evaluate(edges)["top"]
