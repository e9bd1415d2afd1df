"""Searching in a real browser, from a server and from disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import source
from hostile_queries import HOSTILE
from servers import Silent, started
from sites import export_files, files_of, glossary, pages_of, site_of, site_of_glossaries
from sites import templates as read_templates

from sitegen.site import search
from sitegen.site.rendering import Renderer
from sitegen.site.templates import asset_files

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from sitegen.site.site import Site

TEMPLATES = Path(__file__).parent.parent / "templates"
PREFIX = "project/glossary"

GLOSSARY = {
    "1.0": {
        "state image": "A named pointer to the state of a volume. It is read-only.",
        "volume": "Where data lives.",
        "mirror": "A volume that repeats another.",
    },
    "1.1": {
        "snapshot; capture": "A named pointer to the state of a volume. It is read-only.",
        "volume": "Where data lives.",
        "<img src=x onerror=alert(1)>": "<p>Hostile {{ braces }} and "
        "&lt;script&gt;alert(1)&lt;/script&gt;.</p>",
        "__proto__": "What an object inherits from.",
        "C++": "A language.",
        "grip": "An id of handles.",
    },
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small site below a prefix."""
    folder = tmp_path_factory.mktemp("served")
    site = site_of_glossaries(GLOSSARY)
    data = search.files(site)
    templates = {
        path.relative_to(TEMPLATES).as_posix(): path.read_text()
        for path in TEMPLATES.rglob("*")
        if path.is_file()
    }
    renderer = Renderer(templates, site)
    rendered = map(renderer.render, pages_of(site).values())
    for file in chain(
        asset_files(templates), data, [renderer.panels()], rendered, export_files(site)
    ):
        path = folder / PREFIX / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    return folder


@contextmanager
def served(folder: Path, *, handler: type[Silent] = Silent) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
    with started(server) as address:
        yield address


@pytest.fixture(scope="module")
def server(built: Path) -> Iterator[str]:
    """The address of that site on a server, below its prefix."""
    with served(built) as address:
        yield f"{address}/{PREFIX}"


@pytest.fixture(scope="module", params=["served", "from disk"])
def root(request: pytest.FixtureRequest, built: Path) -> str:
    """The site's root, once on a server and once on disk."""
    if request.param == "served":
        address: str = request.getfixturevalue("server")
        return address
    return (built / PREFIX).as_uri()


@pytest.fixture
def quiet(page: Page, heard: list[str]) -> Iterator[Page]:
    """A tab in which console output, script errors and policy violations fail the test."""
    yield page
    assert heard == []


def write(site: Site, folder: Path) -> None:
    """Writes the files of a site."""
    for file in files_of(site, read_templates()):
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(file.content)


def search_page(page: Page, root: str, query: str = "") -> Locator:
    """Opens the search page, and returns its box."""
    page.goto(f"{root}/search/index.html{query}")
    return page.get_by_role("main").get_by_label("Search terms")


def rows(page: Page) -> Locator:
    return page.locator("[data-results] > li")


def row(page: Page, text: str) -> None:
    """Waits for a row with this text, white space aside."""
    rows(page).filter(has_text=text).first.wait_for()


def arrive(page: Page, address: str) -> None:
    """Waits until the page has this address, with or without `index.html`."""
    page.wait_for_url(lambda url: url.replace("/index.html", "/") == address)


def sentence(page: Page, text: str) -> None:
    """Waits until the page has this text."""
    page.locator("p:visible").get_by_text(text).first.wait_for()


def test_a_name_is_found_while_it_is_typed(quiet: Page, root: str) -> None:
    """A few letters give a result with name, status and first sentence, which links to the term."""
    search_page(quiet, root).press_sequentially("snap")
    row(quiet, "snapshot")
    assert rows(quiet).count() == 1
    assert (
        rows(quiet).locator("p").inner_text()
        == "A named pointer to the state of a volume. It is read-only."
    )
    quiet.get_by_role("link", name="snapshot").click()
    arrive(quiet, f"{root}/term/snapshot/")


def test_a_row_can_be_pressed_while_more_are_found(quiet: Page, server: str) -> None:
    """Results by words are added below those by name, and take neither focus nor click."""
    held: list[Route] = []
    quiet.route("**/search/words-*.js", lambda route: held.append(route), times=1)
    search_page(quiet, server).fill("volume")
    link = rows(quiet).get_by_role("link", name="volume").first
    link.focus()
    link.hover()
    quiet.mouse.down()
    while not held:
        quiet.wait_for_timeout(10)
    assert rows(quiet).count() == 1
    held[0].continue_()
    row(quiet, "snapshot")
    assert link.evaluate("link => link === document.activeElement")
    quiet.mouse.up()
    arrive(quiet, f"{server}/term/volume/")


def test_the_address_keeps_the_query_and_back_returns_to_it(quiet: Page, root: str) -> None:
    """The address has the query, and Back restores the results."""
    box = search_page(quiet, root)
    box.fill("volume")
    row(quiet, "volume")
    arrive(quiet, f"{root}/search/?q=volume")
    rows(quiet).get_by_role("link", name="volume").first.click()
    arrive(quiet, f"{root}/term/volume/")
    quiet.go_back()
    row(quiet, "volume")
    assert box.input_value() == "volume"


def test_a_shared_query_is_answered_on_arrival(quiet: Page, server: str) -> None:
    """A link with a query shows its results."""
    assert search_page(quiet, server, "?q=C%2B%2B").input_value() == "C++"
    row(quiet, "C++")


def test_enter_follows_the_marked_first_result(quiet: Page, server: str) -> None:
    """The first row is marked, and Enter in the box leads to it."""
    box = search_page(quiet, server)
    box.fill("snap")
    row(quiet, "↵")
    box.press("Enter")
    arrive(quiet, f"{server}/term/snapshot/")


def test_other_and_former_names_say_so(quiet: Page, server: str) -> None:
    """A result found by another name shows that name."""
    box = search_page(quiet, server)
    box.fill("state image")
    row(quiet, "formerly state image (before 1.1)")
    box.fill("capture")
    row(quiet, "also: capture")


def test_removed_terms_are_marked(quiet: Page, server: str) -> None:
    """A removed term is found, and its row has the status as a chip, as lists have it; other terms
    have none."""
    box = search_page(quiet, server)
    box.fill("mirror")
    row(quiet, "Removed")
    assert rows(quiet).locator(".chip").all_inner_texts() == ["Removed"]
    assert " ".join(rows(quiet).first.text_content().split()).startswith("mirror, Removed ↵")
    box.fill("grip")
    row(quiet, "grip")
    assert rows(quiet).locator(".chip").count() == 0


def test_words_of_definitions_are_found_below_names(quiet: Page, root: str) -> None:
    """Words of definitions are found below names."""
    box = search_page(quiet, root)
    box.fill("pointers")
    row(quiet, "snapshot")
    box.fill("volume")
    row(quiet, "snapshot")
    assert [link.inner_text() for link in rows(quiet).get_by_role("link").all()] == [
        "volume",
        "snapshot",
        "mirror",
    ]


def test_passages_come_in_one_request(quiet: Page, server: str) -> None:
    """The index and the definitions of all results are one file."""
    asked: list[str] = []
    quiet.on("request", lambda request: asked.append(request.url))
    search_page(quiet, server).fill("of a volume")
    rows(quiet).locator("p mark").first.wait_for()
    assert sum("/search/words-" in url for url in asked) == 1
    assert not [url for url in asked if url.endswith("index.json")]


def test_the_passage_that_matched_is_shown_with_marks(quiet: Page, root: str) -> None:
    """A term found by words of its definition shows the passage, in which they are marked, but for
    those of one or two letters."""
    box = search_page(quiet, root)
    for query, marked in (
        ("pointers to the state of it", ["pointer", "state"]),
        ("id handles", ["handles"]),
    ):
        box.fill(query)
        row(quiet, marked[0])
        rows(quiet).locator("mark").first.wait_for()
        assert rows(quiet).locator("mark").all_inner_texts() == marked


def test_the_words_of_a_query_are_marked_in_names(quiet: Page, server: str) -> None:
    """The words of a query are marked in the name that a term was found by, the last also where it
    is not finished; words of one or two letters are not, nor names that are only near."""
    for query, marked in (
        ("what+is+a+snapshot+of", ["snapshot"]),
        ("snap", ["snapshot"]),
        ("capture", ["capture"]),
        ("snapshoot", []),
    ):
        search_page(quiet, server, f"?q={query}")
        row(quiet, "snapshot")
        assert rows(quiet).first.locator("div mark").all_inner_texts() == marked


def test_a_passage_of_another_source_names_it(quiet: Page, tmp_path: Path) -> None:
    """A passage that is not from the definition on the term's page begins with its source."""
    one = source("one", {"1": {"anchor": "Iron. It is heavy."}})
    two = source("two", {"1": {"anchor": "A hook. It holds a ship in a storm."}})
    write(site_of(one, two), tmp_path)
    box = search_page(quiet, tmp_path.as_uri())
    for query, shown in (
        ("storm", "Two: It holds a ship in a storm."),
        ("heavy", "Iron. It is heavy."),
    ):
        box.fill(query)
        rows(quiet).get_by_text(shown, exact=True).wait_for()


def test_a_passage_is_more_than_one_word(quiet: Page, tmp_path: Path) -> None:
    """The word "Deprecated." at the beginning of a paragraph is shown with the next sentence."""
    words = "<p>A reel of data.</p><p>Deprecated. Use a disk. It is faster.</p>"
    write(site_of(source("one", {"1": {"tape": words}})), tmp_path)
    search_page(quiet, tmp_path.as_uri()).fill("deprecated")
    rows(quiet).get_by_text("Deprecated. Use a disk.", exact=True).wait_for()


def test_the_number_of_results_is_shown(quiet: Page, server: str) -> None:
    """The number of all results stands above them, and no number before all are found."""
    held: list[Route] = []
    quiet.route("**/search/words-*.js", lambda route: held.append(route), times=1)
    box = search_page(quiet, server)
    box.fill("volume")
    row(quiet, "volume")
    while not held:
        quiet.wait_for_timeout(10)
    assert quiet.locator("[data-count]").inner_text() == "…"
    held[0].continue_()
    sentence(quiet, "3 terms")
    box.fill("")
    quiet.get_by_text("3 terms").wait_for(state="hidden")


def test_the_number_says_how_many_terms_have_all_words(quiet: Page, server: str) -> None:
    """If no more terms have all words of a query, those that have some follow; the line above them
    says how many have all. A word that no term has counts."""
    for query, said in (
        ("pointer+volume", "3 terms: 1 with all your words, then the closest"),
        (
            "pointer+to+the+moon+volume",
            "No term has all your words. The closest: 3 terms.",
        ),
    ):
        search_page(quiet, server, f"?q={query}")
        sentence(quiet, said)
        assert rows(quiet).count() == 3


def test_rows_keep_their_height(quiet: Page, server: str) -> None:
    """Results by word appear with their passages, so no row becomes higher; a sentence of one line
    takes one line."""
    held: list[Route] = []
    quiet.route("**/search/words-*.js", lambda route: held.append(route), times=1)
    search_page(quiet, server).fill("volume")
    row(quiet, "volume")
    while not held:
        quiet.wait_for_timeout(10)
    sentence_of_first = rows(quiet).first.locator("p")
    height = sentence_of_first.bounding_box()
    assert rows(quiet).count() == 1
    held[0].continue_()
    row(quiet, "snapshot")
    assert sentence_of_first.bounding_box() == height
    lines = "place => place.getBoundingClientRect().height / parseFloat(getComputedStyle(place).lineHeight)"
    assert round(sentence_of_first.evaluate(lines)) == 1


def test_enter_is_marked_while_it_leads_to_the_first_result(quiet: Page, server: str) -> None:
    """The sign for Enter is seen while the box has the focus, and not by readers who came with a
    link or went on to the results."""
    box = search_page(quiet, server, "?q=snap")
    row(quiet, "snapshot")
    sign = rows(quiet).first.get_by_text("↵")
    assert sign.is_hidden()
    box.focus()
    assert sign.is_visible()
    box.press("ArrowDown")
    assert sign.is_hidden()


def test_a_section_is_found_by_its_name(quiet: Page, tmp_path: Path) -> None:
    """Who types the name of a section, or begins to, is led to the page of all its terms, and the
    whole name lists them; a few letters, and words that only some names of its terms have, lead to
    no section."""
    terms = {
        "Knots & hitches/ bowline": "Makes a loop.",
        "Knots & hitches/ clove hitch": "Holds a rope to a post.",
        "Sails/ jib": "A small one.",
    }
    write(site_of_glossaries({"1": terms}), tmp_path)
    box = search_page(quiet, tmp_path.as_uri())
    section = quiet.get_by_role("link", name="Section “Knots & hitches”: 2 terms")
    box.fill("knot")
    section.wait_for()
    assert rows(quiet).count() == 0
    for query in ("knots hitches", "Knots & hitches"):
        box.fill(query)
        section.wait_for()
        row(quiet, "clove hitch")
        assert rows(quiet).get_by_role("link").all_inner_texts() == ["bowline", "clove hitch"]
    assert quiet.locator("[data-count]").inner_text() == ""  # the link to the section says it
    box.fill("hitch")
    row(quiet, "clove hitch")
    section.wait_for(state="hidden")
    box.fill("kno")
    sentence(quiet, "No term matches “kno”.")
    section.wait_for(state="hidden")
    box.fill("knots")
    section.click()
    quiet.get_by_role("heading", name="Knots & hitches").wait_for()


def test_a_release_is_found_by_its_name(quiet: Page, tmp_path: Path) -> None:
    """Who types the name of a release is led to what it changed; its digits are looked for in no
    definition. The beginning of a name leads to no release."""
    entries = {"bowline": "Makes a loop, in 10 ways or 1.", "jib": "A small one."}
    write(site_of_glossaries({"1.9.0": entries, "1.10.0": {"jib": "A small one."}}), tmp_path)
    box = search_page(quiet, tmp_path.as_uri(), "?q=1.10.0")
    release = quiet.get_by_role("link", name="Terms changed in 1.10.0")
    release.wait_for()
    assert rows(quiet).count() == 0
    assert quiet.locator("[data-nothing]").is_hidden()
    box.fill("1.10")
    release.wait_for(state="hidden")
    box.fill("1.10.0")
    release.click()
    quiet.get_by_role("heading", name="Terms changed in 1.10.0").wait_for()


@pytest.mark.parametrize(
    ("query", "label", "terms", "place"),
    [
        ("deprecated", "Deprecated · 2 terms", ["boom", "yard"], "?only=deprecated"),
        ("removed", "Removed or merged · 1 term", ["jib"], "#removed"),
    ],
)
def test_the_deprecated_and_the_removed_terms_are_found_by_these_words(
    query: str, label: str, terms: list[str], place: str, quiet: Page, tmp_path: Path
) -> None:
    """Who types "deprecated" or "removed" is led to these terms in A–Z, which are the first
    results; who begins to type it sees only the link."""
    kept = {
        "boom": "Deprecated: say spar.",
        "spar": "A pole that can be removed, and is not deprecated.",
        "yard": "Deprecated. A pole.",
    }
    write(site_of_glossaries({"1": {**kept, "jib": "A small one."}, "2": kept}), tmp_path)
    box = search_page(quiet, tmp_path.as_uri(), f"?q={query[:-2]}")
    link = quiet.get_by_role("link", name=label)
    link.wait_for()
    row(quiet, "spar")
    box.fill(query)
    expect = [*terms, "spar"]
    quiet.wait_for_function(
        """terms => {
            const links = [...document.querySelectorAll("[data-results] a")];
            return links.map((link) => link.innerText).join() === terms.join();
        }""",
        arg=expect,
    )
    link.click()
    quiet.wait_for_url(f"**/a-z/index.html{place}")
    listed = quiet.locator(".bucket li:visible a").all_inner_texts()
    assert listed == terms if query == "deprecated" else terms[0] in listed


def test_the_dialog_closes_for_a_place_on_its_own_page(quiet: Page, tmp_path: Path) -> None:
    """A link of the search to a part of the page shows this part, also if the address has it
    already."""
    terms = {f"term {number}": "One of many." for number in range(40)}
    write(site_of_glossaries({"1": {**terms, "jib": "A small one."}, "2": terms}), tmp_path)
    quiet.goto((tmp_path / "a-z/index.html").as_uri())
    for _ in range(2):
        quiet.locator("header [data-search]").click()
        dialog = quiet.get_by_role("dialog")
        dialog.get_by_label("Search terms").fill("removed")
        dialog.get_by_role("link", name="Removed or merged").click()
        dialog.wait_for(state="hidden")
        assert quiet.url.endswith("#removed")


def test_a_release_is_found_in_a_language_whose_numbers_have_other_forms(
    quiet: Page, tmp_path: Path
) -> None:
    """The sentence about a section has a number of terms, which a release has not."""
    releases = {"1.0": {"jib": "A small one."}, "1.1": {"jib": "A sail."}}
    write(glossary(releases, language="ru"), tmp_path)
    search_page(quiet, tmp_path.as_uri(), "?q=1.1")
    quiet.locator("[data-section] a").get_by_text("1.1").wait_for()
    assert quiet.locator("[data-failure]").is_hidden()


def test_the_name_of_a_release_may_be_a_word(quiet: Page, tmp_path: Path) -> None:
    """The name of a release that has no digits, or only begins with those that are typed, is looked
    for in definitions too."""
    entries = {"berth": "A stable place.", "jib": "It was new in 2024."}
    write(site_of_glossaries({"2024-05": entries, "stable": entries}), tmp_path)
    search_page(quiet, tmp_path.as_uri(), "?q=stable")
    quiet.get_by_role("link", name="Terms changed in stable").wait_for()
    rows(quiet).filter(has_text="berth").wait_for()
    search_page(quiet, tmp_path.as_uri(), "?q=2024")
    rows(quiet).filter(has_text="jib").wait_for()


def test_a_sentence_of_a_section_has_the_words(quiet: Page, tmp_path: Path) -> None:
    """Terms of a section have the words of the query marked in their sentences, also if they are
    far on."""
    steps = "A rope " + "and a rope " * 9 + "as in knots."
    write(site_of_glossaries({"1": {"Knots/ bowline": "Of two kinds: " + steps}}), tmp_path)
    box = search_page(quiet, tmp_path.as_uri())
    box.fill("knots")
    quiet.locator("p mark").first.wait_for()
    cut = rows(quiet).nth(0).locator("p").inner_html()
    assert cut.startswith("… ") and cut.endswith(" in <mark>knots</mark>.")


def test_the_name_of_a_section_is_text(quiet: Page, tmp_path: Path) -> None:
    """A section may be named in another script, or with signs of HTML. Its name has a direction of
    its own, by characters for it, and is said to screen readers with the number of its terms."""
    write(site_of_glossaries({"1": {"<i>חבל</i>/ halyard": "Raises a sail."}}), tmp_path)
    search_page(quiet, tmp_path.as_uri(), "?q=<i>חבל</i>")
    label = "Section “\u2068<i>חבל</i>\u2069”: 1 term"
    quiet.locator("[data-section] a").get_by_text(label).wait_for()
    quiet.locator("[data-said]").filter(has_text=label).wait_for(state="attached")


def test_near_names_are_results(quiet: Page, server: str) -> None:
    """A query without matches lists similar names, marked as such, and Enter opens the best."""
    box = search_page(quiet, server)
    box.fill("snapshoot")
    sentence(quiet, "No term is called “snapshoot”. Similar names:")
    row(quiet, "snapshot")
    box.press("Enter")
    arrive(quiet, f"{server}/term/snapshot/")


def test_an_empty_box_offers_recent_searches_and_terms(quiet: Page, server: str) -> None:
    """After a search that led to a term, the empty box suggests it."""
    box = search_page(quiet, server)
    box.fill("capture")
    row(quiet, "also: capture")
    rows(quiet).get_by_role("link").first.click()
    box = search_page(quiet, server)
    box.focus()
    quiet.get_by_role("button", name="capture").click()
    row(quiet, "also: capture")


def test_nothing_found_is_said_without_a_guess(quiet: Page, server: str) -> None:
    """If no name is similar, none is suggested."""
    search_page(quiet, server).fill("qqq")
    sentence(quiet, "No term matches “qqq”. Browse A–Z.")


def test_the_status_says_what_was_found(page_with_clock: Page, server: str) -> None:
    """After a pause, the number of results and the first are announced; focus alone announces
    nothing."""
    page = page_with_clock
    page.clock.install()
    box = search_page(page, server)
    box.focus()
    status = page.get_by_role("status")
    assert status.inner_text() == ""
    for text, found, said in (
        ("volume", "mirror", "3 results. First: volume."),
        ("capture", "also: capture", "1 result: snapshot."),
        (
            "snapshoot",
            "snapshot",
            "No term is called “snapshoot”. Similar names: 1 result: snapshot.",
        ),
    ):
        box.fill(text)
        row(page, found)
        page.clock.fast_forward(1_000)
        status.get_by_text(said).wait_for()


def test_nothing_is_loaded_before_it_is_needed(quiet: Page, server: str, asked: list[str]) -> None:
    """The list of names loads when the link to the search has the focus, the index with the first
    query."""
    quiet.goto(f"{server}/term/volume/index.html")
    assert f"{server}/assets/site.js" in asked
    assert not [url for url in asked if f"{server}/search/" in url]
    with quiet.expect_response("**/search/names.js"):
        quiet.get_by_role("link", name="Search terms").click()
    assert not [url for url in asked if "words" in url]
    with quiet.expect_response("**/search/words-*.js"):
        quiet.get_by_role("dialog").get_by_label("Search terms").fill("pointer")
    row(quiet, "snapshot")


class Keeping(Silent):
    """A server whose answers a browser may cache for an hour."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()


def test_a_search_of_yesterday_does_not_answer_for_today(
    page: Page, built: Path, tmp_path: Path
) -> None:
    """After a new build the search uses the new files, whatever the browser has cached."""
    site = shutil.copytree(built / PREFIX, tmp_path / "site")
    with served(site, handler=Keeping) as address:
        search_page(page, address).fill("pointer")
        row(page, "snapshot")
        shutil.rmtree(site / "search")
        (site / "search").mkdir()
        shutil.copy(built / PREFIX / "search/index.html", site / "search/index.html")
        for file in search.files(
            site_of_glossaries({"1.0": {"ant": "A pointer.", "snapshot": "A state.", "zoo": ""}})
        ):
            (site / file.path).write_bytes(file.content)
        search_page(page, address).fill("pointer")
        row(page, "ant")
        assert rows(page).count() == 1


def test_a_search_that_does_not_load_says_so_and_tries_again(page: Page, server: str) -> None:
    """If its list does not load, the page says so, and the next letter tries again."""
    page.route("**/search/names.js", lambda route: route.abort())
    box = search_page(page, server)
    box.fill("snap")
    sentence(page, "Search did not load. Browse A–Z.")
    page.unroute("**/search/names.js")
    box.fill("snaps")
    row(page, "snapshot")
    page.locator("[data-failure]").wait_for(state="hidden")


def test_names_answer_when_the_index_does_not_load(page: Page, server: str) -> None:
    """Results by name stay as they are if the index cannot be loaded."""
    page.route("**/search/words-*.js", lambda route: route.abort())
    search_page(page, server).fill("snap")
    row(page, "snapshot")
    sentence(page, "Search did not load. Browse A–Z.")
    assert rows(page).locator("mark").all_inner_texts() == ["snapshot"]


def test_whatever_is_typed_is_answered_and_inert(quiet: Page, server: str) -> None:
    """Signs, scripts, right-to-left text, an emoji and ten thousand letters do no harm."""
    box = search_page(quiet, server)
    for text in HOSTILE:
        box.fill(text)
    box.fill("x" * 10_000)
    sentence(quiet, f"No term matches “{'x' * 200}”. Browse A–Z.")
    box.fill("__proto__")
    row(quiet, "__proto__")
    box.fill("<img")
    row(quiet, "<img src=x onerror=alert(1)>")
    assert quiet.locator("main img, main script").count() == 0


def test_without_scripts_the_page_leads_to_the_list(page_without_scripts: Page, root: str) -> None:
    """Without scripts no search box is shown, and the A–Z list is one link away."""
    page = page_without_scripts
    assert search_page(page, root).is_hidden()
    page.get_by_role("link", name="Browse A–Z").click()
    arrive(page, f"{root}/a-z/")


def test_a_query_that_ends_with_a_common_word_marks_no_words_that_begin_with_it(
    quiet: Page, server: str
) -> None:
    """A word without a meaning of its own marks nothing, also at the end of a query."""
    search_page(quiet, server).fill("pointers to the state of the")
    rows(quiet).locator("mark").first.wait_for()
    assert rows(quiet).locator("mark").all_inner_texts() == ["pointer", "state"]


def test_a_shared_query_is_few_requests(quiet: Page, server: str, asked: list[str]) -> None:
    """A search page with a query, also with an unknown word, loads seven files."""
    search_page(quiet, server, "?q=unheard+pointers")
    rows(quiet).locator("p mark").first.wait_for()
    loaded = [url for url in asked if url.startswith(server) and "favicon" not in url]
    assert len(loaded) == 7
