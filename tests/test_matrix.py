"""The matrix: a table of every term in every release, with its content in words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import Glossary, source
from lxml.html import HtmlElement
from sites import glossary, html, site_of, templates, text, words

from sitegen.pipeline import assembly
from sitegen.site.pages import matrix
from sitegen.site.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DISK = {"disk": "What all of it is written to in the end."}
POINTER = "A named pointer to the state of a volume at one moment."


def label(cell: HtmlElement) -> str:
    """Returns what a cell of the table says: the name of its mark, or hidden words."""
    return cell.xpath("string(div/@title)") or words(cell)


def rows(site: Site, address: str = "history/") -> dict[str, list[str]]:
    """Returns the texts of each term's cells, with the number of columns of each."""
    return {
        words(row.find("th")): [
            re.sub(r" in [\w.]+$", "", label(cell))
            + f" ×{cell.get('colspan')}" * ("colspan" in cell.attrib)
            for cell in row.iter("td")
        ]
        for row in html(site, address).xpath("//tbody/tr")
    }


@pytest.fixture
def eventful() -> Glossary:
    return {
        "1": {**DISK, "volume": POINTER, "loop": "Code that runs again."},
        "2": {
            **DISK,
            "image": POINTER,
            "loop": "Code that is run again and again.",
            "tape": "Slow.",
        },
        "3": {**DISK, "image": POINTER, "tape": "Deprecated. Use a disk."},
        "4": {
            **DISK,
            "image": POINTER,
            "loop": "Code that runs again.",
            "tape": "Deprecated. Use a disk.",
        },
        "5": None,
        "6": {
            **DISK,
            "image": POINTER,
            "loop": "Code that runs again.",
            "tape": "Deprecated. Use a disk.",
        },
    }


def test_each_state_is_a_cell(eventful: Glossary) -> None:
    """A change has a cell that names it, and each run of releases without a change has one of its
    width."""
    assert rows(glossary(eventful)) == {
        "image": [
            "Oldest known wording",
            "Renamed",
            "Unchanged ×2",
            "Could not be read",
            "Unchanged",
        ],
        "loop": [
            "Oldest known wording",
            "Reworded",
            "Removed",
            "Restored",
            "Could not be read",
            "Unchanged",
        ],
        "tape": [
            "Not defined",
            "Added",
            "Reworded, Deprecated",
            "Deprecated, unchanged",
            "Could not be read",
            "Deprecated, unchanged",
        ],
    }


def test_a_cell_has_one_mark(eventful: Glossary) -> None:
    """Of several changes in one release, the most important one has a mark; the text names all."""
    site = glossary(eventful)
    shapes = {
        label(cell): cell.xpath("./div/svg/@class") for cell in html(site, "history/").iter("td")
    }
    assert shapes["Reworded, Deprecated in 3"] == ["chip-deprecated"]
    assert shapes["Renamed in 2"] == ["chip-renamed"]


def test_rows_are_as_long_as_there_are_releases() -> None:
    """Rows are as wide as the number of releases, in a shorter and in a longer history."""
    changed = {"1": {"volume": "Loud."}, "2": {"volume": "Quiet."}}
    assert rows(glossary(changed)) == {"volume": ["Oldest known wording", "Reworded"]}
    longer = changed | {name: {"volume": "Quiet."} for name in "345"}
    assert rows(glossary(longer)) == {
        "volume": ["Oldest known wording", "Reworded", "Unchanged ×3"]
    }


def test_terms_are_in_alphabetical_order() -> None:
    """A newer term is found where its name is, as in A–Z."""
    site = glossary(
        {"1": {**DISK, "zone": "Here."}, "2": {**DISK, "zone": "There.", "area": "All over."}}
    )
    assert [*rows(site)] == ["area", "zone"]


def test_what_never_changed_is_only_named(eventful: Glossary) -> None:
    """Terms without a change have no row; they are counted, and listed on demand."""
    [rest] = html(glossary(eventful), "history/").xpath("//main//details")
    assert words(rest) == "1 term unchanged since 1 disk"


def test_the_legend_tells_what_there_is(eventful: Glossary) -> None:
    """The legend has the shapes of the table, each once, and the lines that differ from a plain
    one."""
    [legend] = html(glossary(eventful), "history/").find_class("legend")
    shapes = "Added, Restored, Reworded, Renamed, Deprecated, Removed, Oldest known wording"
    lines = "Deprecated, unchanged"
    assert ", ".join(words(line) for line in legend) == f"{shapes}, {lines}, Could not be read"
    assert len(legend.xpath(".//use")) == 6


def test_of_many_releases_those_that_changed_something_are_shown() -> None:
    """Above forty releases, only those with a change, the first and the last have a column."""
    site = glossary(
        {
            f"1.{number}": {**DISK, "volume": "Loud." if number < 20 else "Quiet."}
            for number in range(50)
        }
    )
    columns = [words(cell) for cell in html(site, "history/").xpath("//thead//th")]
    assert columns == ["Term", "1.0", "1.20", "1.49"]
    assert rows(site) == {"volume": ["Oldest known wording", "Reworded", "Unchanged"]}
    assert "Releases that changed nothing are left out." in text(site, "history/", "muted")


def test_each_source_has_a_table() -> None:
    """Each source has its own table; one without history says why it has none."""
    one = source("one", {"1": DISK, "2": {**DISK, "volume": POINTER}})
    two = source("two", {"2024": {"disk": "A flat one."}})
    three = source("three", {"a": DISK, "b": DISK})
    page = html(site_of(one, two, three), "history/")
    parts = [words(part) for part in page.xpath("//main/div")]
    assert parts[0].startswith("One 1 term added or changed, 1 to 2")
    assert parts[1:] == [
        "Two History starts at the next release.",
        "Three No term changed. 1 term unchanged since a disk",
    ]


def test_of_a_large_glossary_the_terms_that_changed_most_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If very many terms changed, those with the most changes are shown, in their usual order."""
    monkeypatch.setattr(matrix, "MOST", 2)
    names = "anchor bell buoy".split()
    site = glossary(
        {
            "1": {**DISK, **dict.fromkeys(names, "One.")},
            "2": {**DISK, **dict.fromkeys(names, "Two.")},
            "3": {**DISK, "anchor": "Two.", "buoy": "Three.", "bell": "Two."},
        }
    )
    assert [*rows(site)] == ["anchor", "buoy"]
    assert words(html(site, "history/").xpath("//main/div")[0]).startswith(
        "The 2 terms that changed most, 1 to 3"
    )
    assert not html(site, "history/").xpath("//main//details")


def write(site: Site, folder: Path) -> None:
    for file in assembly.files(site, templates()):
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(file.content)


@pytest.mark.parametrize("width", [360, 1280])
def test_columns_have_one_width(
    browser: Browser, tmp_path: Path, eventful: Glossary, width: int
) -> None:
    """Releases have columns of one width, whether a term has a mark there or none."""
    write(glossary(eventful), tmp_path)
    page = browser.new_page(viewport={"width": width, "height": 740})
    page.goto((tmp_path / "history/index.html").as_uri())
    first, *others = [
        column.bounding_box() for column in page.locator("thead th:not(:first-child)").all()
    ]
    assert first
    assert [box and box["width"] for box in others] == pytest.approx([first["width"]] * 5, abs=1)
    page.close()


def test_a_name_is_above_its_picture_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    """On a phone twenty releases fit: each name is above its row, which has the whole width, and the
    names of the releases stay in view."""
    releases = {
        f"1.{number}": {**DISK, "volume": f"Number {number} of a kind."} for number in range(19)
    }
    write(glossary(releases), tmp_path)
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto((tmp_path / "history/index.html").as_uri())
    frame = page.locator(".matrix-frame")
    assert frame.evaluate("(frame) => frame.scrollWidth <= frame.clientWidth")
    name = page.get_by_role("link", name="volume").bounding_box()
    first, last = page.locator("td").first.bounding_box(), page.locator("td").last.bounding_box()
    mark = page.locator("td div").first.bounding_box()
    assert name and first and last and mark
    assert name["y"] + name["height"] <= mark["y"]
    assert first["x"] == pytest.approx(name["x"], abs=1)
    assert last["x"] + last["width"] > 330
    head = page.locator("thead")
    assert head.evaluate("(head) => getComputedStyle(head).position") == "sticky"
    page.close()


def test_the_picture_scrolls_in_its_own_place(browser: Browser, tmp_path: Path) -> None:
    """On a phone the table begins with the oldest release. It scrolls by itself, also with the
    keyboard, and names stay visible. It fades where there is more, but not on paper."""
    releases = {
        f"1.{number}": {**DISK, "volume": f"Number {number} of a kind."} for number in range(30)
    }
    write(glossary(releases), tmp_path)
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto((tmp_path / "history/index.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    frame = page.get_by_role("region", name="1 term added or changed, 1.0 to 1.29")
    assert frame.evaluate("(frame) => frame.scrollLeft") == 0
    frame.focus()
    before = page.get_by_role("link", name="volume").bounding_box()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    moved = (
        "(frame) => new Promise((done) => frame.scrollLeft ? done() : "
        "frame.addEventListener('scroll', done))"
    )
    frame.evaluate(moved)
    assert page.get_by_role("link", name="volume").bounding_box() == before
    fade = "(frame) => getComputedStyle(frame).maskImage"
    assert frame.evaluate(fade) != "none"
    page.emulate_media(media="print")
    assert frame.evaluate(fade) == "none"
    context.close()
