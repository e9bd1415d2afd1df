"""Sites in other languages: Arabic from right to left, and a language without a translated
interface."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import lxml.html
import pytest
from arabic import GUIDE, LAST, arabic
from glossaries import Glossary, source
from lxml.html import HtmlElement
from sites import files_of, glossary, html, site_of, templates
from snapshots import dated
from views import write

from sitegen.addresses import urls
from sitegen.site.messages import INTERFACE_LANGUAGES
from sitegen.site.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

LATIN = re.compile(r"[A-Za-z]{2,}")
NAMES = (
    "sitegen GLOSSARY.md glossary.json conf.py JSON Schema CSV SKOS Turtle Sphinx MyST Markdown"
    " intersphinx GitHub CC0 1.2-rc Readers’ guide"
)
"""What has one name in every language."""
KEPT = frozenset(
    LATIN.findall(" ".join((NAMES, *LAST, *LAST.values(), *GUIDE.values(), "ar_EG BibTeX")))
)
SAID = ("aria-label", "alt", "content", "label", "placeholder", "title")
MACHINES = frozenset(
    "Content-Security-Policy viewport color-scheme theme-color og:url og:type twitter:card".split()
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Arabic site in a folder."""
    root = tmp_path_factory.mktemp("arabic")
    for file in files_of(arabic(), templates()):
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_bytes(file.content)
    return root


@pytest.fixture(scope="module")
def pages(folder: Path) -> Mapping[str, HtmlElement]:
    """Every page by path, and the texts that scripts add."""
    texts = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*.html")
    }
    script = (folder / urls.PANELS).read_text(encoding="utf-8")
    texts[urls.PANELS] = json.loads(script[script.index('"') : script.rindex('"') + 1])
    return {path: lxml.html.document_fromstring(text) for path, text in texts.items()}


def reported(page: HtmlElement) -> Iterator[str]:
    """Returns all text of a page: visible, for screen readers, in previews, and from scripts."""
    silent = set(page.xpath("//script | //kbd | //code | //*[@class='printed-address']/bdi"))
    for element in page.iter(lxml.html.etree.Element):
        if MACHINES.isdisjoint(
            (element.get("name"), element.get("property"), element.get("http-equiv"))
        ):
            for name, value in element.items():
                spoken = " " in value and name.startswith("data-") and name != "data-kinds"
                yield value if spoken or name in SAID else ""
        yield from filter(None, ("" if element in silent else element.text, element.tail))


def test_no_english_is_left(pages: Mapping[str, HtmlElement]) -> None:
    """No page of an Arabic site has an English word that is not in the glossary."""
    silent = re.compile(r"\{\w+\}|https?://[^\s)]+")
    left = {
        path: set(LATIN.findall(silent.sub("", " ".join(reported(page))))) - KEPT
        for path, page in pages.items()
    }
    assert {path: words for path, words in left.items() if words} == {}


def test_no_markup_is_told(pages: Mapping[str, HtmlElement]) -> None:
    """The markup around names in sentences never shows: not in a title, a label or a
    description."""
    for path, page in pages.items():
        assert not [value for value in page.xpath("//@* | //title/text()") if "bdi" in value], path


def test_pages_say_their_direction(pages: Mapping[str, HtmlElement]) -> None:
    """Every page is Arabic and right-to-left; other text is marked or isolated."""
    for path, page in pages.items():
        if path != urls.PANELS:
            assert (page.get("lang"), page.get("dir")) == ("ar", "rtl"), path
    home, term = pages["index.html"], pages["term/فهرس/index.html"]
    assert home.xpath("//a/bdi/text()[. = 'ISBN']")
    assert home.xpath("//bdi[@dir='ltr']/text()[. = '2.0']")
    assert term.xpath(
        "//*[@dir='ltr']//text()[contains(., 'A list of all that the library holds')]"
    )


def french() -> Site:
    """A glossary in a language that the interface does not speak."""
    first = {"Relief/ île": "Une terre entourée d’eau.", "eau": "Ce qui l’entoure."}
    last = {
        "Relief/ île; islet": "Une terre entourée de tous côtés par de l’eau.",
        "eau": "Ce qui l’entoure.",
    }
    return glossary({"1": first, "2": last}, language="ro", title="Glossaire")


def test_words_of_another_language_are_marked() -> None:
    """If the interface is not translated, it is English, and the glossary's words have their
    language."""
    page = html(french(), "term/ile/")
    assert (page.get("lang"), page.get("dir")) == ("en", "ltr")
    for place in (
        "h1//*",
        "p[@class='term-section']//*",
        "*[contains(@class, 'definition-main')]/*",
    ):
        assert page.xpath(f"//{place}[@lang='ro']"), place
    assert page.xpath("//div[@class='difference definition']/@lang") == ["ro"]
    assert page.xpath("//p[@class='term-status']//@lang") == []
    listed = html(french(), "a-z/")
    assert listed.xpath("//*[@lang='ro']/text()[. = 'île']")
    assert listed.xpath("//*[@lang='ro']/text()[starts-with(., 'Une terre')]")


def test_a_language_of_ours_needs_no_marks() -> None:
    """If glossary and interface share a language, it is set once."""
    assert html(glossary({"1": {"isle": "Land."}}, language="en-GB"), "term/isle/").xpath(
        "//@lang"
    ) == ["en-GB"]


KINDS = (
    "",
    "a-z/",
    "about/",
    "compare/1.0/",
    "release/",
    "release/2.0/",
    "release/2.0/terms/",
    "search/",
    "term/isbn/",
    "term/فهرس/",
    "term/فهرس/1.0/",
)
"""A page of each kind."""


def test_pages_fit_and_mirror(page: Page, folder: Path) -> None:
    """On a phone no page scrolls sideways, its title is at the right, and code is left-to-right."""
    page.set_viewport_size({"width": 320, "height": 740})
    for path in KINDS:
        page.goto((folder / path / "index.html").as_uri())
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path
        edges = page.locator("h1").evaluate(
            "(one) => [getComputedStyle(one).direction, getComputedStyle(one).textAlign]"
        )
        assert edges == ["rtl", "start"], path
    page.goto((folder / "release/2.0/index.html").as_uri())
    arrow = page.locator(".chip-renamed svg").first
    assert arrow.evaluate("(one) => getComputedStyle(one).scale") == "-1 1"
    page.goto((folder / "term/isbn/index.html").as_uri())
    code = page.locator(".definition-main :is(pre, code)")
    assert set(code.evaluate_all("all => all.map((one) => getComputedStyle(one).direction)")) == {
        "ltr"
    }


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
def test_releases_fit_in_every_language(page: Page, tmp_path: Path, language: str) -> None:
    """On a phone the table of releases has room for the words of each interface, and a date."""
    terms: Glossary = {}
    for number in range(12):
        terms[f"2.{number}.0"] = {f"isle {one}": f"Land {number}." for one in range(12)}
    read = dated(source("example", terms), *["2023-11-28"] * len(terms))
    write(site_of(read, language=language), tmp_path)
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto((tmp_path / "release/index.html").as_uri())
    assert page.locator("time").count() == len(terms)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_english_sentences_stand_right_beside_persian(page: Page, tmp_path: Path) -> None:
    """Persian has no interface of its own: an English sentence ends at the right edge, with its full
    stop."""
    site = glossary({"1": {"حافظه": "نتایج را دارد."}}, language="fa")
    for file in files_of(site, templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto((tmp_path / "about/index.html").as_uri())
    gap = page.get_by_text("This site sets no cookies").evaluate(
        """(sentence) => {
            const stop = document.createRange(), text = sentence.firstChild;
            stop.setStart(text, text.length - 1);
            stop.setEnd(text, text.length);
            return sentence.getBoundingClientRect().right - stop.getBoundingClientRect().right;
        }"""
    )
    assert abs(gap) < 1


def test_english_words_stay_in_order_beside_persian(page: Page, tmp_path: Path) -> None:
    """Where an English line is from left to right, its numbers are before their words, and a
    release is behind the words about it: in links, dates and lines that open."""
    old, new = "نتایج را دارد.", "همه نتایج را دارد."
    write(glossary({"1": {"حافظه": old}, "2": {"حافظه": new}}, language="fa"), tmp_path)
    [address] = (tmp_path / "term").iterdir()
    for path, text in (
        (address, "1 word added"),
        (address, "Terms changed in 2"),
        (tmp_path / "release/2", "1 word added"),
    ):
        page.goto((path / "index.html").as_uri())
        line = page.locator("main").get_by_text(text).last
        assert line.evaluate(
            """(line) => {
                const letters = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), range = document.createRange();
                const lefts = [];
                while (letters.nextNode()) {
                    const text = letters.currentNode;
                    for (let place = 0; place < text.length; place++) {
                        range.setStart(text, place);
                        range.setEnd(text, place + 1);
                        lefts.push(range.getBoundingClientRect().left);
                    }
                }
                return lefts.every((left, place) => !place || left >= lefts[place - 1]);
            }"""
        ), text


def test_a_search_counts_in_arabic(page_with_clock: Page, folder: Path) -> None:
    """Two results are announced in the dual form."""
    page = page_with_clock
    page.clock.install()
    page.goto((folder / "search/index.html").as_uri() + "?q=ISBN")
    result = page.locator("[data-said]")
    page.locator("[data-results] > li").first.wait_for()
    page.clock.fast_forward(1_000)
    result.filter(has_text="نتيجتان").wait_for(state="attached")
    assert result.inner_text() == "نتيجتان. أولاهما: ISBN."


PHYSICAL = re.compile(
    r"(?:margin|padding|border|inset|scroll-margin|scroll-padding|radius)-(?:left|right)|\b(?:left|right)\s*:"
    r"|:\s*(?:left|right)\b|(?:top|bottom)-(?:left|right)|translateX"
)
SIDES = re.compile(
    r"(?<![\w-])(?:margin|padding|inset|border-width|border-radius):\s*(\S+) (\S+) (\S+) (\S+);"
)
SHADOW = re.compile(r"box-shadow: (?!(?:inset )?(?:0 |none|var|calc\([^;]*--forward))[^;]+")


@pytest.mark.parametrize("path", sorted(path for path in templates() if path.endswith(".css")))
def test_styles_know_no_left_and_right(path: str) -> None:
    """Styles use logical directions, so that one style sheet serves both."""
    styles = re.sub(r"/\*.*?\*/", "", templates()[path], flags=re.S)
    assert PHYSICAL.findall(styles) == []
    assert [sides for sides in SIDES.findall(styles) if sides[1] != sides[3]] == []
    assert SHADOW.findall(styles) == []
