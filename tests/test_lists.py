"""The A–Z list: long lists, other languages, and filters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import source
from sites import (
    export_files,
    files_of,
    glossary,
    html,
    markup,
    pages_of,
    read_site,
    site_of,
    templates,
    words,
)

from sitegen.permanence.archive import ArchivedPage
from sitegen.permanence.archive_lines import archive_of
from sitegen.pipeline.assembly import pages_beside_terms
from sitegen.site import letters
from sitegen.site.pages import lists
from sitegen.site.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

NAMES = dict.fromkeys(
    "anchor buoy cable éclair zone 3D Жук".split(), "Something at sea. It floats."
)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patches the limit, so that a few terms are a long list."""
    monkeypatch.setattr(lists, "MANY_TERMS", 3)
    monkeypatch.setattr(lists, "MANY_LINES", 3)


def rows(site_html: object) -> list[str]:
    return [words(row) for row in site_html.xpath("//ul[contains(@class, 'items')]/li")]  # type: ignore[attr-defined]


def test_a_long_name_breaks_between_its_words() -> None:
    """In a narrow column a name in code is in two lines, not cut within a word. One of several
    words breaks between these."""
    names = [
        "DataParallel",
        "torch.hub",
        "no_grad",
        "R&D",
        "A<b_c>",
        "GitHub 1.2",
        "नोड(node)",
        "mTLS",
    ]
    page = markup(glossary({"1": dict.fromkeys(names, "A name.")}), "a-z/")
    for name in (
        "Data<wbr>Parallel",
        "torch.<wbr>hub",
        "no_<wbr>grad",
        "R&amp;D",
        "नोड<wbr>(node)",
        "mTLS",
    ):
        assert f">{name}</a>" in page
    assert ">A&lt;b_<wbr>c&gt;</a>" in page
    assert ">GitHub 1.2</a>" in page


@pytest.mark.usefixtures("short")
def test_a_long_list_has_names_alone_and_a_page_for_each_letter() -> None:
    """A long list has all names and ids; definitions are on the letters' pages."""
    site = glossary({"1": {**NAMES, "bell": "It rings."}, "2": NAMES})
    assert rows(html(site, "a-z/")) == [
        *"anchor buoy cable éclair zone Жук 3D".split(),
        "bell removed in 2",
    ]
    assert html(site, "a-z/").xpath("//*[@id='term-anchor']") and html(site, "a-z/").xpath(
        "//*[@id='letter-b']"
    )
    assert html(site, "a-z/").xpath("//h2[@id='letter-e']/a/@href") == ["../a-z/e/index.html"]
    assert rows(html(site, "a-z/b/")) == [
        "buoy Something at sea. It floats.",
        "bell removed in 2 It rings.",
    ]
    own = {address for address in pages_of(site) if address.startswith("a-z/")}
    assert own == {"a-z/", *(f"a-z/{part}/" for part in "a b c e z ж digits".split())}
    assert own - {"a-z/"} <= promised(site)


@pytest.mark.usefixtures("short")
def test_a_letter_leads_to_the_others() -> None:
    """A letter's page shows the letters with pages as links, itself marked."""
    [letters] = html(glossary({"1": NAMES}), "a-z/ж/").find_class("letters")
    assert letters.xpath(".//*[@aria-current]/text()") == ["Ж"]
    assert letters.xpath(".//a[text()='Z']/@href") == ["../../a-z/z/index.html"]


def test_a_published_letter_keeps_its_page() -> None:
    """A letter's page that was published stays, even without a term."""
    published = [ArchivedPage(address=f"a-z/{part}/") for part in ("ж", "b", "digits")]
    site = glossary({"1": {"anchor": "Iron.", "buoy": "It floats."}}, archive=archive_of(published))
    assert rows(html(site, "a-z/b/")) == ["buoy It floats."]
    assert rows(html(site, "a-z/ж/")) == []
    assert words(html(site, "a-z/ж/").find_class("lead")[0]) == "0 terms under Ж."
    assert "a-z/a/" not in promised(site)


def promised(site: Site) -> set[str]:
    return {page.address for page in pages_beside_terms(site)}


def test_letters_are_those_of_the_language() -> None:
    """In Swedish `Ö` is a letter after `Z`, shown even when no term begins with it. If terms begin
    with fewer than half of the letters of the alphabet, there are only these."""
    names = dict.fromkeys(("öga", "zon", *"abcdefghijklmnop"), "Det man ser med.")
    page = html(glossary({"1": names}, language="sv"), "a-z/")
    assert [words(heading) for heading in page.iter("h2")][-2:] == ["Z", "Ö"]
    assert [words(letter) for letter in page.find_class("letters")[0]][-4:] == ["Z", "Å", "Ä", "Ö"]
    names = dict.fromkeys(("DevOps", "नोड", "पॉड"), "A word.")
    page = html(glossary({"1": names}, language="hi"), "a-z/")
    assert [words(letter) for letter in page.find_class("letters")[0]] == ["D", "न", "प"]


def test_a_badge_of_most_terms_is_not_on_the_first_page() -> None:
    """Where most terms have one badge about a release, the first page leaves it out; one of few is
    shown there."""
    old = dict.fromkeys(("anchor", "bell", "buoy"), "One.")
    most = html(glossary({"1": old, "2": {**old, "anchor": "Two.", "bell": "Two."}}), "")
    few = html(glossary({"1": old, "2": {**old, "anchor": "Two."}}), "")
    assert rows(most) == ["anchor Two.", "bell Two.", "buoy One."]
    assert rows(few) == ["anchor Reworded in 2 Two.", "bell One.", "buoy One."]


def test_what_to_use_instead_is_beside_the_name() -> None:
    """A deprecated or removed term is listed with the term that replaced it."""
    tape = {"tape": "It is slow."}
    page = html(
        glossary(
            {
                "1": {**tape, "reel": "It holds tape.", "drum": "It turns."},
                "2": {**tape, "reel": "Deprecated. Use tape.", "drum": "Deprecated. Use tape."},
                "3": {**tape, "reel": "Deprecated: use tape instead."},
            }
        ),
        "a-z/",
    )
    assert rows(page) == [
        "reel Deprecated Reworded in 3 use tape Deprecated: use tape instead.",
        "tape It is slow.",
        "drum removed in 3, use tape Deprecated. Use tape.",
    ]


@pytest.mark.parametrize(
    ("first_name", "has_long_names"), [("Infrastructure as code {}", True), ("Code {}", False)]
)
def test_a_phone_has_long_names_in_one_column(first_name: str, *, has_long_names: bool) -> None:
    """A–Z and the first page name the terms of a long list, in two columns if most are short."""
    names = [first_name.format(number) for number in range(20)]
    names += [f"node {number}" for number in range(15)]
    site = glossary({"1": dict.fromkeys(names, "It floats.")})
    for path in ("a-z/", ""):
        long_lists = html(site, path).xpath("//ul[contains(@class, 'items-brief items-long')]")
        assert bool(long_lists) == has_long_names


@pytest.mark.parametrize(("count", "is_brief"), [(30, False), (31, True)])
def test_the_first_page_and_a_to_z_are_brief_alike(count: int, *, is_brief: bool) -> None:
    """Removed terms do not count."""
    current = {f"node {number}": "It floats." for number in range(count)}
    site = glossary({"1": {**current, "raft": "It floats."}, "2": current})
    for path in ("", "a-z/"):
        assert bool(html(site, path).find_class("items-brief")) == is_brief


def test_nothing_is_offered_that_would_not_filter() -> None:
    """Without terms to filter there is no filter and no script."""
    page = html(glossary({"1": {"anchor": "Iron.", "buoy": "It floats."}}), "a-z/")
    assert not page.find_class("filters")
    assert not page.xpath("//script[contains(@src, 'a-z.js')]")


def written(site: Site, folder: Path) -> str:
    """Writes a site into a folder, and returns the address of its list A–Z."""
    for file in files_of(site, templates()):
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(file.content)
    return (folder / "a-z/index.html").as_uri()


def test_first_sentences_of_a_long_list_are_shown_on_demand(page: Page, tmp_path: Path) -> None:
    """A long list has names only; a tick adds what they mean and keeps it in the address."""
    names = {f"buoy {number}": f"It floats, number {number}." for number in range(31)}
    page.goto(written(glossary({"1": names}), tmp_path))
    first = page.locator(".bucket li").first
    assert first.inner_text() == "buoy 0"
    page.get_by_role("checkbox", name="Show definitions").check()
    first.get_by_text("It floats, number 0.").wait_for()
    page.reload()
    first.get_by_text("It floats, number 0.").wait_for()
    page.get_by_role("checkbox", name="Show definitions").uncheck()
    assert first.get_by_text("It floats").is_hidden()


def test_marks_of_a_long_list_stay_in_the_line_of_their_name(page: Page, tmp_path: Path) -> None:
    """In the columns of a long list, what was reworded has a small mark, which a filter explains, and
    a deprecated term says so; both are beside the name, whose row is no higher for them."""
    names = {f"buoy {number}": f"It floats, number {number}." for number in range(31)}
    changed = {**names, "buoy 1": "It floats on.", "buoy 2": f"Deprecated. {names['buoy 2']}"}
    page.set_viewport_size({"width": 1280, "height": 740})
    page.goto(written(glossary({"1": names, "2": changed}), tmp_path))
    rows = page.locator(".bucket li")
    heights = {round(box["height"]) for box in map(box_of, rows.all()[:4])}
    assert len(heights) == 1
    deprecated = rows.filter(has_text="Deprecated")
    assert deprecated.locator(".chip-deprecated").inner_text() == "Deprecated"
    mark = box_of(page.locator(".bucket .chip-reworded").first)
    assert 0 < mark["width"] < 20
    assert page.locator(".filters .chip-reworded").inner_text() == "Reworded in 2"


def test_filters_are_side_by_side_on_a_phone(page: Page, tmp_path: Path) -> None:
    """On a phone, the filters are below "Show only", side by side where they fit."""
    before = {"buoy": "It floats.", "oar": "It rows.", "raft": "It floats."}
    after = {**before, "buoy": "It floats on.", "raft": "Deprecated. Use buoy."}
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(written(glossary({"1": before, "2": after}), tmp_path))
    legend, first, second = map(box_of, page.locator(".filters :is(legend, label)").all())
    assert legend["x"] == first["x"] < second["x"]
    assert legend["y"] < first["y"] == second["y"]


def box_of(place: Locator) -> FloatRect:
    box = place.bounding_box()
    assert box
    return box


def test_ticks_filter_the_list_and_are_shared(page: Page, tmp_path: Path) -> None:
    """A filter shows and counts its terms, which removed ones are not, and is part of the
    address."""
    one = source(
        "one",
        {
            "1": {"anchor": "Iron.", "buoy": "It floats.", "bell": "It rings."},
            "2": {
                "anchor": "Deprecated. Rust.",
                "buoy": "It floats on.",
                "zone": "A stretch of sea.",
            },
        },
    )
    two = source("two", {"9": {"anchor": "Heavy.", "cable": "Long."}})
    for file in files_of(site_of(one, two), templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    shown = page.locator(".bucket li:visible > a")
    page.goto((tmp_path / "a-z/index.html").as_uri())
    page.get_by_role("checkbox", name="Reworded in 2").check()
    page.get_by_role("checkbox", name="Deprecated").check()
    assert shown.all_inner_texts() == ["anchor", "buoy"]
    assert page.get_by_role("status").inner_text() == "2 terms"
    page.get_by_text("Filter by source").click()
    page.get_by_role("checkbox", name="Two").check()
    assert shown.all_inner_texts() == ["anchor"]
    assert page.locator(".letters li > :visible").all_inner_texts() == ["A"]
    assert page.get_by_role("link", name="Removed or merged").is_hidden()
    page.goto(page.url.replace("only=reworded&", "").replace("two", "one"))
    assert shown.all_inner_texts() == ["anchor"]
    page.get_by_role("checkbox", name="Deprecated").uncheck()
    page.get_by_role("checkbox", name="One").uncheck()
    assert shown.count() == 5
    assert page.get_by_role("status").inner_text() == "4 terms"
    assert page.url.endswith("a-z/index.html")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "g.rst",
            "Words\n=====\n\n.. glossary::\n\n   用語 : よ\n      A word.\n\n   雨 : あ\n      "
            "Rain.\n\n   Fog\n      Mist.\n",
        ),
        (
            "g.md",
            "# Words\n\n```{glossary}\n用語 : よ\n  A word.\n\n雨 : あ\n  Rain.\n\nFog\n  Mist.\n"
            "```\n",
        ),
    ],
)
def test_lists_are_in_the_order_of_sort_keys(tmp_path: Path, name: str, text: str) -> None:
    """The key after ` : ` says where a Sphinx term is in A–Z, on the first page and in llms.txt,
    and is no part of its name."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "site.toml").write_text(
        f'[site]\nlanguage = "ja"\n\n[[source]]\nid = "w"\nfile = "{name}"\n', encoding="utf-8"
    )
    site = read_site(tmp_path)
    in_order = ["Fog", "雨", "用語"]
    assert list(letters.by_letter(site.defined, site.language)) == ["F", "あ", "よ"]
    assert [row.split()[0] for row in rows(html(site, "a-z/"))] == in_order
    assert [row.split()[0] for row in rows(html(site, ""))] == in_order
    (llms,) = (file for file in export_files(site) if file.path == "llms.txt")
    items = [line for line in llms.content.decode().splitlines() if "](term/" in line]
    assert [item.removeprefix("- [").partition("]")[0] for item in items] == in_order


def test_names_are_beside_definitions_where_there_is_room(page: Page, tmp_path: Path) -> None:
    """On a wide screen a row has its definition beside its name, on a phone below it."""
    page.goto(written(glossary({"1": {"anchor": "Iron.", "buoy": "It floats."}}), tmp_path))
    row = page.locator(".items > li").first
    for width, is_beside in ((1280, True), (360, False)):
        page.set_viewport_size({"width": width, "height": 740})
        name, words = (row.locator(part).bounding_box() for part in ("a", ".item-summary"))
        assert name and words
        assert (words["x"] > name["x"] + name["width"]) == is_beside
        assert (words["y"] > name["y"] + name["height"] / 2) != is_beside


def test_filters_fit_a_phone(page: Page, tmp_path: Path) -> None:
    """The sources are listed on demand, and one with a long title wraps on a phone of 320 pixels.
    Removed terms are no part of what a source defines."""
    title = "The handbook of everything that floats, sinks or is towed behind a ship at sea"
    releases = {"1": {"anchor": "Iron.", "cork": "It floats."}, "2": {"anchor": "Iron."}}
    handbook = replace(source("handbook", releases), title=title)
    other = source("other", {"1": {"buoy": "It floats."}})
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto(written(site_of(handbook, other), tmp_path))
    assert not page.get_by_role("checkbox", name=title).is_visible()
    page.get_by_text("Filter by source").click()
    page.get_by_role("checkbox", name=title).check()
    assert page.locator(".bucket li:visible").all_inner_texts() == ["anchor\nIron."]
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator(".filters").evaluate("(form) => form.scrollWidth <= form.clientWidth")


def test_a_source_whose_last_release_is_unread_still_defines_its_terms() -> None:
    """The filter by source finds a term that two sources define, also where the last release of
    one could not be read."""
    handbook = source("handbook", {"1": {"anchor": "Iron."}, "2": None})
    other = source("other", {"1": {"anchor": "Iron."}})
    [line] = html(site_of(handbook, other), "a-z/").xpath("//li[@data-source]")
    assert line.get("data-source") == "handbook other"


def test_a_phone_has_all_bars_and_all_letters(page: Page, tmp_path: Path) -> None:
    """On a phone, each bar of the chart of the home page is wide enough for a finger; the
    letters of the alphabet are in several rows, and with the filters they leave room for the list."""
    releases = {f"{number}.0": {**NAMES, "tape": f"It was {number}."} for number in range(18)}
    page.set_viewport_size({"width": 360, "height": 740})
    list_ = written(glossary(releases), tmp_path)
    page.goto((tmp_path / "index.html").as_uri())
    bars = [bar.bounding_box() for bar in page.locator(".bars a").all()]
    assert len(bars) == 12
    for box in bars:
        assert box
        assert (box["x"] >= 0, box["x"] + box["width"] <= 360, box["width"] >= 24) == (True,) * 3
    page.goto(list_)
    letters = page.locator(".letters")
    assert letters.evaluate("(list) => list.scrollWidth <= list.clientWidth")
    assert letters.locator("li").last.is_visible()
    assert page.locator(".filters").is_visible()
    term = page.locator(".buckets a").first.bounding_box()
    assert term
    assert term["y"] + term["height"] < 740, "the list begins on the first screen"
