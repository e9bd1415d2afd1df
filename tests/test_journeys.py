"""Journeys with keyboard, pointer and touch in a real browser: search, previews, shortcuts, theme.

Each journey is one reader's, from a server unless it says so. On none of them does a page say a
word on the console.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import source
from hostile_queries import HOSTILE
from pages_server import published
from sites import files_of, site_of, templates

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

IMAGE = "<p>A pointer to the state of a <a href='term:volume'>volume</a>. It is read-only.</p>"
LONG = "A volume that repeats another. " * 20
WORDS = {
    "volume": "Where data lives.",
    "mirror": LONG,
    "C++": "A language.",
    "مرآة": "صورة من وحدة تخزين.",
    **{
        f"disk {letter}": "<p>One of many; a <a href='term:volume'>volume</a>.</p>"
        for letter in "abcdefghij"
    },
}
GLOSSARY = {
    "1.0": {**WORDS, "state image": IMAGE, "tape": "Slow and cheap."},
    "1.1": {**WORDS, "snapshot; capture": IMAGE},
    "2.0": {
        **WORDS,
        "snapshot; capture": f"{IMAGE}<p>Kept apart from the <a href='term:mirror'>mirror</a>.</p>",
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("journeys")
    for file in files_of(site_of(source("example", GLOSSARY)), templates()):
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_bytes(file.content)
    return root


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The address of the site's home page."""
    with published(folder) as address:
        yield address


@pytest.fixture
def reader(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Creates tabs, each with its own profile. Console output of a page fails the test."""
    result: list[str] = []
    contexts: list[BrowserContext] = []

    def tab(**options: object) -> Page:
        contexts.append(browser.new_context(**options))  # type: ignore[arg-type]
        page = contexts[-1].new_page()
        page.on("console", lambda message: result.append(message.text))
        page.on("pageerror", lambda error: result.append(str(error)))
        page.on("dialog", lambda dialog: result.append(dialog.message))
        return page

    yield tab
    for context in contexts:
        context.close()
    assert result == []


@pytest.fixture
def page(page: Page, heard: list[str]) -> Iterator[Page]:
    """A tab in which console output and script errors fail the test."""
    yield page
    assert heard == []


@pytest.fixture
def page_with_clock(page_with_clock: Page, heard: list[str]) -> Iterator[Page]:
    yield page_with_clock
    assert heard == []


def snapshot(site: str) -> str:
    return f"{site}term/snapshot/"


def dialog(page: Page) -> Locator:
    return page.locator("dialog[open]")


def rows(page: Page) -> Locator:
    return page.locator("[data-results] > li")


def focused(page: Page) -> str:
    """Returns the label or text of the focused element."""
    label: str = page.evaluate(
        "(document.activeElement.ariaLabel || document.activeElement.textContent).trim()"
    )
    return label


def arrive(page: Page, address: str) -> None:
    """Waits until the page has this address, with or without `index.html`."""
    page.wait_for_url(lambda url: url.replace("/index.html", "/") == address)


def at_rest(page: Page, address: str) -> None:
    """Opens a page with a stopped clock, and loads previews, as the first link with the pointer or
    the focus does."""
    page.clock.install(time=0)
    page.goto(address)
    page.evaluate("glossaryPage.load('assets/js/preview.js')")
    page.clock.pause_at(3_600_000)


def search(page: Page, text: str) -> None:
    """Opens the search with its key, types, and waits for the first results."""
    page.keyboard.press("/")
    dialog(page).wait_for()
    page.keyboard.type(text)
    rows(page).first.wait_for()


# The search.


@pytest.mark.parametrize("key", ["/", "S"])
def test_a_key_a_name_and_enter_lead_to_the_term(page: Page, site: str, key: str) -> None:
    """A key opens the search, typing shows results, and Enter follows the first, which is
    marked."""
    page.goto(f"{site}term/volume/")
    page.keyboard.press(key)
    dialog(page).wait_for()
    assert focused(page) == "Search terms"
    page.keyboard.type("state im")
    formerly = "snapshot ↵ formerly state image (before 1.1)"
    rows(page).first.filter(has_text=formerly).get_by_text("↵").wait_for()
    assert page.url == f"{site}term/volume/"
    page.keyboard.press("Enter")
    arrive(page, snapshot(site))


def test_arrows_move_the_focus_through_the_results(page: Page, site: str) -> None:
    """↓ and ↑ move the focus between the box and the results without wrapping, and Enter follows
    the focused one."""
    page.goto(site)
    search(page, "disk")
    walked = []
    for key in ["ArrowUp", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", *["ArrowDown"] * 12]:
        page.keyboard.press(key)
        walked.append(focused(page))
    box, more = "Search terms", "All results for “disk”"
    assert walked[:5] == [box, "disk a", "disk b", "disk a", box]
    assert walked[5:] == [f"disk {letter}" for letter in "abcdefgh"] + [more] * 4
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    arrive(page, f"{site}term/disk-h/")


def test_tab_goes_where_it_always_goes(page: Page, site: str) -> None:
    """In the dialog Tab moves from the box to the button and the links."""
    page.goto(site)
    search(page, "disk")
    walked = []
    for _ in range(3):
        page.keyboard.press("Tab")
        walked.append(focused(page))
    assert walked == ["Close", "disk a", "disk b"]


def test_escape_closes_and_the_focus_returns(page: Page, site: str) -> None:
    """Esc closes the search, also with a query, and the focus returns."""
    page.goto(snapshot(site))
    page.locator("[data-search]").focus()
    page.keyboard.press("Enter")
    dialog(page).wait_for()
    page.keyboard.type("disk")
    page.keyboard.press("Escape")
    dialog(page).wait_for(state="detached")
    assert focused(page).startswith("Search terms")
    page.get_by_role("link", name="volume").first.focus()
    page.keyboard.press("/")
    dialog(page).wait_for()
    page.keyboard.press("Escape")
    dialog(page).wait_for(state="detached")
    assert focused(page) == "volume"


def test_a_click_opens_and_a_click_beside_closes(page: Page, site: str) -> None:
    """A click in the header opens the search; the button, or a click outside, closes it."""
    page.goto(snapshot(site))
    for close in (
        lambda: page.get_by_role("button", name="Close").click(),
        lambda: page.mouse.click(5, 5),
    ):
        page.get_by_role("banner").get_by_role("link", name="Search terms").click()
        dialog(page).wait_for()
        close()
        dialog(page).wait_for(state="detached")


def test_a_short_list_has_no_link_to_all_results(page: Page, site: str) -> None:
    """Where the dialog shows all results, it has no link to all of them."""
    page.goto(site)
    search(page, "repeats")
    dialog(page).get_by_text("1 term", exact=True).wait_for()
    assert page.get_by_role("link", name="All results").is_hidden()


def test_more_than_eight_results_are_on_the_search_page(page: Page, site: str) -> None:
    """The dialog shows eight results and links to all of them, on a page with its own address."""
    page.goto(site)
    search(page, "disk")
    assert rows(page).count() == 8
    page.get_by_role("link", name="All results for “disk”").click()
    arrive(page, f"{site}search/?q=disk")
    rows(page).nth(9).wait_for()
    page.keyboard.press("/")
    assert focused(page) == "Search terms"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    arrive(page, f"{site}term/disk-a/")
    page.go_back()
    arrive(page, f"{site}search/?q=disk")
    rows(page).nth(9).wait_for()


def test_what_was_found_is_said_after_a_second(page_with_clock: Page, site: str) -> None:
    """The number of results and the first one are announced after typing has stopped."""
    page = page_with_clock
    at_rest(page, site)
    search(page, "capture")
    status = dialog(page).get_by_role("status")
    page.clock.run_for(900)
    assert status.inner_text() == ""
    assert said_after(page, status, "") == "1 result: snapshot."
    dialog(page).get_by_role("searchbox").fill("disk")
    rows(page).nth(7).wait_for()
    assert said_after(page, status, "1 result: snapshot.") == "10 results. First: disk a."


def said_after(page: Page, status: Locator, before: str) -> str:
    """Returns the next announcement. Results by words, which come when they are loaded, begin its
    second anew."""
    for _ in range(50):
        page.clock.run_for(200)
        if (result := status.inner_text()) != before:
            break
    return result


def test_a_near_miss_is_one_arrow_away(page: Page, site: str) -> None:
    """If no name matches, the nearest one is a result."""
    page.goto(site)
    page.keyboard.press("/")
    dialog(page).wait_for()
    page.keyboard.type("snapshoot")
    dialog(page).get_by_text("No term is called “snapshoot”. Similar names:").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    arrive(page, snapshot(site))


def test_whatever_is_typed_is_answered(page: Page, folder: Path) -> None:
    """Signs, markup, right-to-left text, an emoji and ten thousand letters are searched as text."""
    page.goto((folder / "term/snapshot/index.html").as_uri())
    page.keyboard.press("/")
    dialog(page).wait_for()
    box = dialog(page).get_by_role("searchbox")
    for text in (*HOSTILE, "x" * 10_000):
        box.fill(text)
    dialog(page).get_by_text(f"No term matches “{'x' * 200}”.").wait_for()
    for text, name in (("C++", "C++"), ("مرآة", "مرآة")):
        box.fill(text)
        rows(page).filter(has_text=name).wait_for()
    assert dialog(page).locator("img, script").count() == 0
    page.keyboard.press("Enter")
    page.locator("h1", has_text="مرآة").wait_for()


def test_nothing_typed_is_lost_while_the_search_loads(page: Page, site: str) -> None:
    """On a slow connection, letters typed after the key are in the box when the search has
    loaded."""
    held: list[Callable[[], None]] = []
    page.route("**/assets/panels.js", lambda route: held.append(route.continue_))
    page.goto(snapshot(site))
    page.keyboard.type("/disk?s")
    assert dialog(page).count() == 0
    held[0]()
    dialog(page).wait_for()
    assert dialog(page).get_by_role("searchbox").input_value() == "disk?s"
    assert len(held) == 1


def test_nothing_of_the_search_is_loaded_before_it_is_wanted(
    reader: Callable[..., Page], site: str
) -> None:
    """A page loads its styles and one script; the search loads with the first key, without a layout
    shift."""
    page = reader()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site)))
    page.add_init_script(
        "new PerformanceObserver((seen) => { self.moved = seen.getEntries().length; })"
        ".observe({ type: 'layout-shift', buffered: true })"
    )
    page.goto(snapshot(site))
    page.wait_for_load_state("networkidle")
    assert asked[:3] == ["term/snapshot/", "assets/site.css", "assets/site.js"]
    assert set(asked[3:]) <= {"assets/favicon.svg"}
    loaded = len(asked)
    assert page.evaluate("self.moved ?? 0") == 0
    page.keyboard.press("/")
    while not page.evaluate("Boolean(self.glossarySearch?.names && glossarySearch.start)"):
        page.wait_for_timeout(10)
    wanted = {
        "assets/panels.js",
        "assets/js/search.js",
        "assets/js/search-start.js",
        "search/names.js",
    }
    assert set(asked[loaded:]) - {"assets/favicon.svg"} == wanted


def test_an_empty_search_page_has_the_focus_and_something_to_begin_with(
    reader: Callable[..., Page], site: str
) -> None:
    """A search page without a query is ready to be typed in, and lists the most referenced terms; it
    loads at most eight files, and moves nothing that is there. With a query it leaves the focus,
    since the keyboard of a phone would hide the results."""
    page = reader()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(
        "self.moved = 0; new PerformanceObserver((list) => {"
        " for (const entry of list.getEntries()) self.moved += entry.value;"
        "}).observe({ type: 'layout-shift', buffered: true });"
    )
    page.goto(f"{site}search/")
    page.get_by_text("Most referenced terms").wait_for()
    rows(page).first.wait_for()
    assert page.get_by_role("searchbox").evaluate("box => box === document.activeElement")
    assert len(asked) <= 8
    assert page.evaluate("self.moved") == 0
    page.goto(f"{site}search/?q=pointer")
    rows(page).first.wait_for()
    assert page.evaluate("document.activeElement === document.body")


def test_a_search_that_does_not_load_leads_to_its_page(browser: Browser, site: str) -> None:
    """If the dialog cannot load, the link opens the search page, which says what failed."""
    context = browser.new_context()
    page = context.new_page()
    page.route("**/assets/js/search.js", lambda route: route.abort())
    page.goto(snapshot(site))
    page.keyboard.press("/")
    arrive(page, f"{site}search/")
    page.keyboard.press("/")
    page.get_by_text("Search did not load. Browse A–Z.").wait_for()
    page.unroute("**/assets/js/search.js")
    page.keyboard.type("disk")
    rows(page).nth(9).wait_for()
    assert page.get_by_text("Search did not load.").is_hidden()
    context.close()


# Previews.

PREVIEW = "[role=tooltip]:popover-open"


def preview(page: Page) -> Locator:
    return page.locator(PREVIEW)


def shows(page: Page, *, after: int, text: str) -> None:
    """Asserts that a preview is not shown just before a time, and is shown soon after it."""
    page.clock.run_for(after - 10)
    assert preview(page).count() == 0
    page.clock.run_for(20)
    preview(page).get_by_text(text).wait_for()


def definition_link(page: Page, name: str = "volume") -> Locator:
    return page.locator(".definition-main a", has_text=name)


def tab_to(page: Page, link: Locator) -> None:
    """Moves the focus to a link with Tab."""
    while not link.evaluate("(link) => link === document.activeElement"):
        page.keyboard.press("Tab")


def test_a_preview_by_keyboard(page_with_clock: Page, folder: Path) -> None:
    """After half a second, a focused link is described by a preview, also from disk; Esc closes it,
    and the focus stays."""
    page = page_with_clock
    at_rest(page, (folder / "term/snapshot/index.html").as_uri())
    link = definition_link(page)
    tab_to(page, link)
    shows(page, after=500, text="Where data lives.")
    assert preview(page).locator("p").all_inner_texts() == ["volume", "Where data lives."]
    described = page.locator(f"#{link.get_attribute('aria-describedby')}")
    assert described.inner_text() == preview(page).inner_text()
    page.keyboard.press("Escape")
    assert preview(page).count() == 0
    assert focused(page) == "volume"
    assert link.get_attribute("aria-describedby") is None


def test_a_preview_by_pointer(page_with_clock: Page, site: str) -> None:
    """The preview is six pixels from its link, can be pointed at, and closes shortly after the
    pointer left."""
    page = page_with_clock
    at_rest(page, snapshot(site))
    link = definition_link(page)
    link.hover()
    shows(page, after=350, text="Where data lives.")
    at, box = link.bounding_box(), preview(page).bounding_box()
    assert at and box
    assert box["y"] - (at["y"] + at["height"]) == pytest.approx(6, abs=0.5)
    preview(page).hover()
    page.clock.run_for(2000)
    assert preview(page).count() == 1
    page.mouse.move(5, 5)
    page.clock.run_for(240)
    assert preview(page).count() == 1
    page.clock.run_for(20)
    assert preview(page).count() == 0


def test_a_wording_has_a_preview(page_with_clock: Page, site: str) -> None:
    """A link to an old wording shows that wording, with its name and releases."""
    page = page_with_clock
    at_rest(page, f"{site}term/snapshot/2.0/")
    page.locator(".menu summary").first.click()
    page.locator(".menu").first.locator("a").last.hover()
    shows(page, after=350, text="A pointer to the state of a volume.")
    assert preview(page).locator("p").first.inner_text() == "state image, 1.0"


def test_a_pointer_takes_no_preview_from_the_keyboard(page_with_clock: Page, site: str) -> None:
    """A preview opened by focus stays while the link has the focus, wherever the pointer moves."""
    page = page_with_clock
    at_rest(page, snapshot(site))
    tab_to(page, definition_link(page))
    shows(page, after=500, text="Where data lives.")
    page.mouse.move(5, 5)
    page.mouse.move(300, 5)
    page.clock.run_for(1000)
    assert preview(page).count() == 1
    page.keyboard.press("Tab")
    page.clock.run_for(260)
    assert preview(page).get_by_text("Where data lives.").count() == 0


def test_a_preview_is_short_and_stays_in_view(page_with_clock: Page, site: str) -> None:
    """A preview shows the first sentences, above the link if that is at the bottom of the
    window."""
    page = page_with_clock
    page.set_viewport_size({"width": 320, "height": 400})
    at_rest(page, snapshot(site))
    link = definition_link(page, "mirror")
    page.evaluate("document.body.style.paddingBlockEnd = '100vh'")
    link.evaluate(
        "(link) => scrollTo(0, link.getBoundingClientRect().bottom + scrollY - innerHeight)"
    )
    link.hover()
    page.clock.run_for(360)
    preview(page).get_by_text("mirror", exact=True).wait_for()
    assert len(preview(page).inner_text()) < 100
    at, box = link.bounding_box(), preview(page).bounding_box()
    assert at and box
    assert at["y"] - (box["y"] + box["height"]) == pytest.approx(6, abs=0.5)
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320


def test_no_room_no_preview(page_with_clock: Page, site: str) -> None:
    """If a preview would cover its link, none is shown."""
    page = page_with_clock
    page.set_viewport_size({"width": 320, "height": 90})
    at_rest(page, snapshot(site))
    definition_link(page).hover()
    with page.expect_response("**/assets/panels.js"):
        page.clock.run_for(360)
    page.wait_for_load_state("networkidle")
    assert preview(page).count() == 0
    assert definition_link(page).get_attribute("aria-describedby") is None


def test_touch_follows_the_link(reader: Callable[..., Page], site: str) -> None:
    """On a touch screen a finger on a link shows no preview, and a tap follows it."""
    page = reader(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site)))
    at_rest(page, snapshot(site))
    link = definition_link(page)
    link.dispatch_event("pointerover", {"bubbles": True, "pointerType": "touch"})
    page.clock.run_for(400)
    page.wait_for_load_state("networkidle")
    assert preview(page).count() == 0
    link.tap()
    arrive(page, f"{site}term/volume/")
    assert not [path for path in asked if path.endswith("index.json")]


def test_what_cannot_be_read_has_no_preview(browser: Browser, site: str) -> None:
    """If a term's data cannot be loaded, no preview is shown and no error occurs."""
    context = browser.new_context()
    page = context.new_page()
    odd: list[str] = []
    page.on("pageerror", lambda error: odd.append(str(error)))
    page.route("**/term/volume/index.json", lambda route: route.abort())
    page.goto(snapshot(site))
    with page.expect_event("requestfailed"):
        definition_link(page).hover()
    page.wait_for_load_state("networkidle")
    assert preview(page).count() == 0
    assert odd == []
    context.close()


# Shortcuts.


def test_keys_are_left_alone_where_they_mean_something_else(page: Page, site: str) -> None:
    """Shortcuts do nothing with Ctrl, Alt or Meta, during composition, and in a text box."""
    page.goto(snapshot(site))
    for chord in ("Control+/", "Alt+s", "Meta+s"):
        page.keyboard.press(chord)
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 's', isComposing: true, "
        "bubbles: true }))"
    )
    page.goto(f"{site}search/")
    box = page.get_by_role("searchbox")
    box.press_sequentially("s/?c")
    assert box.input_value() == "s/?c"
    assert dialog(page).count() == 0


def test_keys_copy_what_the_buttons_copy(page: Page, site: str) -> None:
    """`c` copies the link to the term or to the marked wording; Shift+C copies it as Markdown."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copied = []
    for address, key, result in (
        ("", "c", "Link"),
        ("#r2.0", "c", "Link"),
        ("", "Shift+C", "Markdown"),
        ("#r1.0", "Shift+C", "Markdown"),
    ):
        page.goto(site)
        page.goto(snapshot(site) + address)
        page.keyboard.press(key)
        page.get_by_role("status").get_by_text(f"{result} copied").wait_for()
        copied.append(page.evaluate("navigator.clipboard.readText()"))
    assert copied[:2] == [f"{site}term/snapshot/", f"{site}term/snapshot/2.0/"]
    assert copied[2].startswith("**[snapshot](")
    assert copied[3].startswith(f"**[state image]({site}term/state-image/1.0/)**")


def test_shortcuts_can_be_turned_off(page: Page, site: str) -> None:
    """`?` lists the shortcuts; its switch turns single keys off on all pages."""
    page.goto(snapshot(site))
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard shortcuts").wait_for()
    assert "Open the first result" in dialog(page).inner_text()
    page.get_by_role("switch", name="Single-key shortcuts").press(" ")
    page.keyboard.press("Escape")
    for address in (snapshot(site), f"{site}term/volume/"):
        page.goto(address)
        for key in ("/", "s", "?", "c"):
            page.keyboard.press(key)
        assert dialog(page).count() == 0
        assert page.locator(".search-trigger kbd").is_hidden()
    page.get_by_role("button", name="Keyboard shortcuts").press("Enter")
    page.get_by_role("switch", name="Single-key shortcuts").click()
    page.get_by_role("button", name="Close").click()
    assert page.evaluate("localStorage.length") == 0
    page.keyboard.press("/")
    dialog(page).wait_for()


def test_previews_can_be_turned_off(page_with_clock: Page, site: str) -> None:
    """With their switch off, no page shows previews."""
    page = page_with_clock
    page.goto(f"{site}term/volume/")
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("switch", name="Show previews of linked terms").click()
    page.keyboard.press("Escape")
    at_rest(page, snapshot(site))
    definition_link(page).hover()
    tab_to(page, definition_link(page))
    page.clock.run_for(2000)
    page.wait_for_load_state("networkidle")
    assert preview(page).count() == 0


# Theme.

BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(17, 20, 25)"
FRAME = (
    "[...document.querySelectorAll('[name=theme-color]')].find(meta => "
    "matchMedia(meta.media).matches).content"
)


def becomes(page: Page, color: str) -> None:
    """Waits for a background color, without evaluating text in the page, which its policy
    forbids."""
    from playwright.sync_api import expect

    expect(page.locator("html")).to_have_css("background-color", color)


def test_a_theme_is_kept(page: Page, site: str) -> None:
    """A chosen theme applies to every page and tab until Auto is chosen, which removes the
    setting."""
    page.goto(snapshot(site))
    other = page.context.new_page()
    other.goto(site)
    assert page.evaluate(BACKGROUND) == LIGHT
    page.get_by_role("radio", name="Auto").press("ArrowLeft")
    assert page.get_by_role("radio", name="Dark").is_checked()
    assert page.evaluate(BACKGROUND) == DARK
    becomes(other, DARK)
    assert other.get_by_role("radio", name="Dark").is_checked()
    page.get_by_role("link", name="A–Z").click()
    arrive(page, f"{site}a-z/")
    assert page.evaluate(BACKGROUND) == DARK
    page.get_by_role("radio", name="Auto").check()
    assert page.evaluate(BACKGROUND) == LIGHT
    assert page.evaluate("localStorage.length") == 0
    page.go_back()
    becomes(page, LIGHT)


def test_a_theme_is_there_before_anything_is_painted(page: Page, site: str) -> None:
    """No page is painted in the other theme while its scripts load."""
    page.goto(site)
    page.get_by_role("radio", name="Dark").check()
    page.route("**/assets/site.js", lambda route: None)
    page.goto(snapshot(site), wait_until="commit")
    becomes(page, DARK)


def test_light_over_a_dark_system(page: Page, site: str) -> None:
    """The reader's choice overrides the system's theme, and print is always light."""
    page.emulate_media(color_scheme="dark")
    page.goto(snapshot(site))
    assert (page.evaluate(BACKGROUND), page.evaluate(FRAME)) == (DARK, "#111419")
    page.get_by_role("radio", name="Light").check()
    assert (page.evaluate(BACKGROUND), page.evaluate(FRAME)) == (LIGHT, "#ffffff")
    page.get_by_role("radio", name="Dark").check()
    page.emulate_media(media="print")
    assert page.evaluate(BACKGROUND) == LIGHT


def test_a_browser_that_keeps_nothing(reader: Callable[..., Page], site: str) -> None:
    """If storage is forbidden, a choice applies to the page, and no error occurs."""
    page = reader()
    page.add_init_script(
        "Object.defineProperty(self, 'localStorage', { get() { throw new Error('forbidden'); } })"
    )
    page.goto(snapshot(site))
    page.get_by_role("radio", name="Dark").check()
    assert page.evaluate(BACKGROUND) == DARK
    page.keyboard.press("?")
    page.get_by_role("switch", name="Single-key shortcuts").click()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("/")
    assert dialog(page).count() == 0


# Without scripts, and other ways to look at a page.


def test_without_scripts_nothing_is_dead(reader: Callable[..., Page], site: str) -> None:
    """Without scripts, no control is shown that would do nothing, and the search's link leads to
    every term."""
    page = reader(java_script_enabled=False)
    page.goto(snapshot(site))
    for dead in ("button", "radio"):
        assert page.get_by_role(dead).count() == 0  # type: ignore[arg-type]
    assert page.locator("kbd").is_hidden()
    page.get_by_role("link", name="Search terms").click()
    arrive(page, f"{site}search/")
    assert page.get_by_role("searchbox").count() == 0
    page.get_by_role("link", name="Browse A–Z").click()
    page.get_by_role("link", name="snapshot", exact=True).first.click()
    arrive(page, snapshot(site))


def test_everything_from_the_right(page_with_clock: Page, site: str) -> None:
    """In a right-to-left language a preview begins at the right end of its link."""
    page = page_with_clock
    at_rest(page, snapshot(site))
    page.evaluate("document.documentElement.dir = 'rtl'")
    link = definition_link(page)
    link.hover()
    page.clock.run_for(360)
    preview(page).wait_for()
    at, box = link.bounding_box(), preview(page).bounding_box()
    assert at and box
    assert box["x"] + box["width"] == pytest.approx(at["x"] + at["width"], abs=0.5)


def test_fingers_reach_everything(reader: Callable[..., Page], site: str) -> None:
    """On a phone, targets are 44 pixels high, dialogs fill the screen, and nothing scrolls
    sideways."""
    page = reader(has_touch=True, is_mobile=True, viewport={"width": 320, "height": 640})
    page.goto(snapshot(site))
    pressed = page.locator(".site-footer label, .actions .copy, .menu > summary, .search-trigger")
    assert [
        box
        for box in pressed.evaluate_all("all => all.map(one => one.offsetHeight)")
        if 0 < box < 44
    ] == []
    page.get_by_role("link", name="Search terms").tap()
    dialog(page).wait_for()
    assert dialog(page).bounding_box() == {"x": 0, "y": 0, "width": 320, "height": 640}
    dialog(page).get_by_role("searchbox").fill("disk")
    rows(page).first.wait_for()
    assert page.evaluate("document.querySelector('dialog[open]').scrollWidth") <= 320
    row = rows(page).nth(1).bounding_box()
    assert row
    page.touchscreen.tap(row["x"] + row["width"] - 5, row["y"] + row["height"] - 5)
    arrive(page, f"{site}term/disk-b/")
