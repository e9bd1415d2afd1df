"""Pages in a real browser: from disk, on a phone and a desktop, light and dark, with hostile
text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest
import translated
import views
from pages_server import published
from sites import glossary

from sitegen.config.tables import LinkTable, ThemeTable
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Locator, Page, Request

HOSTILE = "c-plus-plus-script-alert-1-script"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The golden site in a folder."""
    root = tmp_path_factory.mktemp("site")
    views.write(views.read(views.GOLDEN), root)
    return root


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The golden site on a server."""
    with published(folder) as address:
        yield address


def paths() -> set[str]:
    """Returns the path of a page of each kind."""
    golden = [view for view in views.VIEWS if view.site == "golden" and not view.is_lost]
    return {f"{urlsplit(view.path).path}index.html" for view in golden}


def test_every_kind_of_page_opens_from_disk(page: Page, folder: Path, heard: list[str]) -> None:
    """Opened as files, pages load their files, log nothing, and never scroll sideways."""
    odd: list[str] = []

    def fail(request: Request) -> None:
        if (
            request.failure != "net::ERR_ABORTED"
        ):  # which it is when the browser leaves the page meanwhile
            odd.append(f"{page.url}: no {request.url}")

    page.on("requestfailed", fail)
    for path in sorted(paths()):
        page.goto((folder / path).as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            # A script fits a table to the window when the window's next frame begins.
            page.evaluate(
                "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
            )
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                odd.append(f"{path} is {wide} wide on {width}")
    page.remove_listener("requestfailed", fail)
    assert odd + heard == []


def test_wide_words_do_not_widen_a_phone(page: Page, tmp_path: Path) -> None:
    """A link above each page breaks if it must, and a formula in a line scrolls within the
    definition."""
    formula = f"<span class='math'>{'x + ' * 40}y</span>"
    site = glossary({"1": {"sum": f"<p>It is {formula} here.</p>"}})
    links = []
    for text in ("wind" * 20, "All that is known of winds, of tides and of ships"):
        links.append(LinkTable(text=text, url="https://example.org/"))
    views.write(replace(site, theme=ThemeTable(header=tuple(links))), tmp_path)
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto((tmp_path / "term/sum/index.html").as_uri())
    assert page.locator(".definition math").bounding_box()["width"] > 320
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_no_code_is_cut_on_paper(page: Page, tmp_path: Path) -> None:
    """On a screen, long lines of code scroll; in print, they go on below."""
    views.write(glossary({"1": {"sum": f"<pre><code>{'add ' * 90}</code></pre>"}}), tmp_path)
    page.goto((tmp_path / "term/sum/index.html").as_uri())
    code = page.locator(".definition pre")
    for media, is_cut in (("screen", True), ("print", False)):
        page.emulate_media(media=media)
        assert code.evaluate("(one) => one.scrollWidth > one.clientWidth") == is_cut


def test_links_lead_from_page_to_page_on_disk(page: Page, folder: Path) -> None:
    """From disk, links lead from the home page to a term, its section and back, without scripts."""
    page.goto((folder / "index.html").as_uri())
    page.get_by_role("link", name="snapshot", exact=True).first.click()
    assert page.locator("h1").inner_text() == "snapshot"
    page.get_by_role("link", name="Storage").click()
    assert page.locator("h1").inner_text() == "Storage"
    page.get_by_role("link", name="Example glossary").click()
    assert page.locator("h1").inner_text() == "Example glossary"


def test_harmful_text_does_nothing(page: Page, folder: Path, heard: list[str]) -> None:
    """A name that is a script is shown as text and never runs."""
    page.goto((folder / "term" / HOSTILE / "index.html").as_uri())
    assert page.locator("h1").inner_text() == "C++ <script>alert(1)</script>"
    assert "{{ braces }} & <b>angles</b> stay text" in page.locator(".definition-main").inner_text()
    assert heard == []


def test_no_script_within_a_page_would_run(page: Page, folder: Path) -> None:
    """The page's policy forbids inline scripts."""
    page.goto((folder / "index.html").as_uri())
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran "
        "= 1'}))"
    )
    assert page.evaluate("window.ran") is None


def test_the_letters_of_a_list_stay_in_view_on_a_phone(page: Page, folder: Path) -> None:
    """In the list, its letters are at the top of the screen, and do not cover the letter that a link
    leads to."""
    page.set_viewport_size({"width": 360, "height": 300})
    page.goto((folder / "a-z" / "index.html").as_uri())
    letters = page.locator(".letters-nav")
    letters.get_by_role("link").nth(2).click()
    shown = box(letters)
    heading = box(page.locator(":target h2, h2:target"))
    assert shown["y"] == 0
    assert shown["height"] < 100
    assert heading["y"] >= shown["height"]


def test_long_words_in_the_footer_and_in_filters_break(page: Page, folder: Path) -> None:
    """A link of the footer, or the title of a source in a filter, may be one long word."""
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto((folder / "a-z" / "index.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    labels = page.locator(".site-footer a, fieldset label, summary")
    labels.evaluate_all("(all) => all.forEach((one) => one.append('w'.repeat(80)))")
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize(("width", "rows"), [(343, [13, 13]), (680, [26])])
def test_an_alphabet_leaves_no_letter_alone(
    page: Page, folder: Path, width: int, rows: list[int]
) -> None:
    """Beside what is new on the first page, the 26 letters are one row; on a phone they are two."""
    page.goto((folder / "a-z" / "index.html").as_uri())
    letters = page.locator(".letters")
    letters.evaluate("(all, width) => { all.style.inlineSize = `${width}px` }", width)
    letters.evaluate(
        "(all) => all.replaceChildren(...Array.from({length: 26}, () => all.firstElementChild.cloneNode(true)))"
    )
    tops = page.locator(".letters > li").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert [tops.count(top) for top in sorted({*tops})] == rows


def test_four_rows_of_letters_cover_nothing(page: Page, folder: Path) -> None:
    """On a phone, what a link leads to and what has the focus is below the letters, however many the
    alphabet has."""
    page.set_viewport_size({"width": 320, "height": 500})
    page.goto((folder / "a-z" / "index.html").as_uri())
    letters = page.locator(".letters-nav")
    page.evaluate(
        "document.querySelectorAll('.letters li:nth-child(-n+8)').forEach((one) => one.after(one.cloneNode(true)))"
    )
    page.locator("main a").last.focus()
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        focus = page.locator(":focus")
        if focus.evaluate("one => !!one.closest('.letters-nav')"):
            break
        assert box(focus)["y"] >= box(letters)["y"] + box(letters)["height"]
    page.evaluate("location.hash = '#letter-s'")
    heading = box(page.locator(":target h2, h2:target"))
    assert box(letters)["y"] == 0
    assert heading["y"] >= box(letters)["height"]


@pytest.mark.parametrize("width", [360, 1280])
def test_the_focus_goes_through_the_header_as_it_is_read(
    page: Page, folder: Path, width: int
) -> None:
    """From row to row, and in a row from left to right: the order on the screen differs on a
    phone."""
    page.set_viewport_size({"width": width, "height": 740})
    page.goto((folder / "about" / "index.html").as_uri())
    page.locator(".skip").focus()
    middles = []
    for _ in range(page.locator(".site-header").get_by_role("link").count()):
        page.keyboard.press("Tab")
        place = box(page.locator(".site-header :focus"))
        middles.append((round((place["y"] + place["height"] / 2) / 30), place["x"]))
    assert middles == sorted(middles)


@pytest.mark.parametrize(("words", "is_one_line"), [(3, True), (12, False)])
def test_a_title_has_one_line_if_the_search_has_room_beside_it(
    page: Page, folder: Path, words: int, is_one_line: bool
) -> None:
    """On a tablet, the search is as narrow as the title needs it, and always beside it."""
    page.set_viewport_size({"width": 768, "height": 740})
    page.goto((folder / "about" / "index.html").as_uri())
    title = page.locator(".site-title > :last-child")
    title.evaluate("(one, words) => { one.textContent = 'Glossary '.repeat(words) }", words)
    search = box(page.locator(".search-trigger"))
    assert (box(title)["height"] < 40) == is_one_line
    assert search["y"] < box(title)["y"] + box(title)["height"] / 2 < search["y"] + search["height"]
    assert 740 < search["x"] + search["width"] < 768


def test_the_legend_has_the_colors_of_the_chart(page: Page, folder: Path) -> None:
    """Each part of a bar has the color of its line in the legend, also in forced colors."""
    page.goto((folder / "index.html").as_uri())
    for forced in ("none", "active"):
        page.emulate_media(forced_colors=forced)
        for part in page.locator(".bars rect").all():
            line = page.locator(f".legend .{part.get_attribute('class')} svg").first
            color = part.evaluate("(one) => getComputedStyle(one).fill")
            assert line.evaluate("(one) => getComputedStyle(one).backgroundColor") == color


def test_a_finger_has_room_between_links_to_related_terms(browser: Browser, folder: Path) -> None:
    """On a touch screen, links in two lines are at least 24 pixels apart from middle to middle."""
    context = browser.new_context(has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto((folder / "term/snapshot/index.html").as_uri())
    lines = page.locator(".names dd").first
    assert float(lines.evaluate("(one) => parseFloat(getComputedStyle(one).lineHeight)")) >= 24
    context.close()


def test_a_phone_shows_the_definition_at_once(browser: Browser, folder: Path) -> None:
    """On a phone, a page opens with its whole definition and the button that copies its link, and
    has no list of keys. The header takes at most 120 pixels, and the definition begins in the upper
    half of the screen; of a deprecated term, a line lower."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    for name in ("snapshot", "state-image", "tape", "clone", "restore", "quota"):
        page.goto((folder / "term" / name / "index.html").as_uri())
        header = box(page.locator(".site-header"))
        search = box(page.locator(".search-trigger"))
        definition = box(page.locator(".definition-main"))
        copy = box(page.get_by_role("button", name="Copy link").first)
        assert header["height"] <= 120, name
        assert min(search["width"], search["height"], copy["height"]) >= 44, name
        assert definition["y"] <= (400 if name == "clone" else 740 / 2), name
        assert definition["y"] + definition["height"] < 740, name
        assert copy["y"] + copy["height"] < 740, name
        assert page.get_by_role("button", name="Keyboard shortcuts").count() == 0, name
    context.close()


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_removed_term_reads_as_any_other(
    page: Page, folder: Path, theme: Literal["light", "dark"]
) -> None:
    """The last definition of a removed term has full contrast."""
    page.emulate_media(color_scheme=theme)
    looks = []
    for term in ("snapshot", "tape"):
        page.goto((folder / "term" / term / "index.html").as_uri())
        words = page.locator(".definition-main p").first
        looks.append(
            words.evaluate("(one) => [getComputedStyle(one).color, getComputedStyle(one).opacity]")
        )
    assert looks[0] == looks[1]


def test_the_address_that_is_copied_is_clean(page: Page, address: str) -> None:
    """On a server, the address bar shows the address without `index.html`, with its fragment."""
    page.goto(f"{address}release/1.8.2/")
    page.locator(".items a", has_text="snapshot").first.click()
    page.wait_for_url(f"{address}term/snapshot/#r1.8.2")
    assert page.locator("li:target").count() == 1


def test_a_fragment_marks_what_was_in_force(page: Page, folder: Path) -> None:
    """The fragment of a release without a change marks the event then in force."""
    plain = "rgba(0, 0, 0, 0)"
    page.goto((folder / "term/snapshot/index.html").as_uri() + "#r2.1")
    colors = page.locator(".event").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert colors[0] != plain
    assert set(colors[1:]) == {plain}


def test_the_heading_above_the_changes_of_an_original_is_in_view(
    page: Page, tmp_path: Path
) -> None:
    """The link in the status of a translation leads to what changed in its original, below the
    whole heading, on a phone too."""
    project = tmp_path / "project"
    translated.both(project)
    reworded = translated.term("Cache", f"{translated.CACHE_2} " * 20)
    translated.commit(project, {f"{translated.EN}/cache.md": reworded}, translated.DAYS[2])
    build(project, tmp_path / "site", notify=print, clones=Clones(folder=tmp_path / "cache"))
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto((tmp_path / "site" / "fr" / "term" / "cache" / "index.html").as_uri())
    page.locator(".term-status a").click()
    assert page.locator(".translation .difference, .translation .before-after").is_visible()
    assert box(page.locator(".translation h2"))["y"] >= 0


def test_differences_survive_without_color(page: Page, folder: Path) -> None:
    """In forced colors, deletions are struck through and insertions underlined."""
    page.emulate_media(forced_colors="active")
    page.goto((folder / "term/snapshot/index.html").as_uri())
    lines = [
        page.locator(f".difference {tag}").first.evaluate(
            "(one) => getComputedStyle(one).textDecorationLine"
        )
        for tag in ("del", "ins")
    ]
    assert lines == ["line-through", "underline"]


def test_dark_is_dark(page: Page, folder: Path) -> None:
    """A page follows the system's color scheme, and is light in print."""
    page.emulate_media(color_scheme="dark")
    page.goto((folder / "term/snapshot/index.html").as_uri())
    color = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(color) == "rgb(17, 20, 25)"
    page.emulate_media(media="print")
    assert page.evaluate(color) == "rgb(255, 255, 255)"
