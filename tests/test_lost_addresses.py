"""The page for lost addresses, in a real browser on a host like GitHub Pages, below a base path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages_server import published
from sites import files_of, glossary, templates

from sitegen.site.theme import extra_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

BASE = "/project/glossary/"

NOTHING = f"This site has no page {BASE}term/snapshoot/."

IMAGE = "A fixed pointer to the state of a volume. It is read-only."
WORDS = {
    "volume": "Where data lives.",
    "mirror": "A volume that repeats another.",
    "C": "A language.",
    "C++": "Another language.",
    "leaf operation": "An operation that calls no other.",
    **{f"zinc {letter}": "A metal." for letter in "abcdefg"},
}
GLOSSARY = {
    "1.0": {**WORDS, "state image": IMAGE, "tape": "Slow and cheap."},
    "1.1": {**WORDS, "snapshot; capture": IMAGE, "tape": "Slow and cheap."},
    "1.2": None,
    "Spring 1.3": {**WORDS, "snapshot; capture": IMAGE},
    "2.0": {**WORDS, "snapshot; capture": "A named pointer to a state."},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lost")
    site = glossary(GLOSSARY, base_url=f"https://example.org{BASE}")
    # The title of a page is no release, also if it looks like one.
    site = replace(site, extra_pages=extra_pages({"notes.md": "# 1.9\n"}))
    for file in files_of(site, templates()):
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_bytes(file.content)
    return root


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of the site's home page."""
    with published(folder, BASE) as address:
        yield address


def spring(folder: Path) -> str:
    """Returns the slug of the release with a blank in its name."""
    return next(
        path.name for path in (folder / "release").iterdir() if path.name.startswith("spring")
    )


def answer(page: Page, address: str) -> str:
    """Returns the answer of the 404 page, when it has one."""
    assert page.goto(address).status == 404
    page.locator("[data-answer] > p").last.wait_for()
    return " ".join(page.locator("[data-answer]").inner_text().split())


def names(page: Page, address: str) -> list[str]:
    """Returns the names of the suggested rows."""
    assert page.goto(address).status == 404
    page.locator("[data-results] > li").first.wait_for()
    return page.locator("[data-results] > li a").all_inner_texts()


def look(page: Page, address: str) -> None:
    """Opens the 404 page, and waits until it has an answer, or has what it suggests names with."""
    assert page.goto(address).status == 404
    page.evaluate(HAS_LOOKED)


HAS_LOOKED = """async () => {
    const near = "assets/js/search-index.js";
    const hasLoaded = (path) =>
        performance.getEntriesByType("resource").some((one) => one.name.endsWith(path));
    const isAnswered = () => document.querySelector("[data-answer] > p");
    while (!isAnswered() && !(hasLoaded("search/names.js") && hasLoaded(near)))
        await new Promise((done) => setTimeout(done, 5));
    // What the page does with the names is done before what is asked for here.
    const names = glossarySearch.open(glossaryPage.root).names();
    await Promise.allSettled([names, glossaryPage.load(near)]);
}"""


def test_a_frozen_page_that_was_never_built_leads_to_the_one_with_its_words(
    page: Page, address: str
) -> None:
    """A release without a change leads to the frozen page of the wording then in force."""
    result = answer(page, f"{address}term/mirror/2.0/")
    assert result == "In 2.0 the definition was the same as in 1.0. History of mirror"
    page.get_by_role("link", name="1.0", exact=True).click()
    page.wait_for_url(f"{address}term/mirror/1.0/")
    assert page.locator("h1").inner_text() == "mirror, 1.0 and later"


def test_an_address_of_nothing_is_named_and_similar_names_are_listed(
    page: Page, address: str
) -> None:
    """The page says which address it has no page for, and lists terms with similar names."""
    assert names(page, f"{address}term/snapshoot/") == ["snapshot"]
    assert page.locator("[data-answer]").inner_text() == NOTHING


def test_an_address_of_nothing_is_named_if_the_search_fails(page: Page, address: str) -> None:
    """Without the names of terms, the page still says which address it has no page for."""
    page.route("**/search/names.js", lambda route: route.abort())
    assert answer(page, f"{address}term/snapshoot/") == NOTHING


def test_a_frozen_page_is_found_under_a_former_name(page: Page, address: str) -> None:
    """An address with a former name, or with the raw name of a release, is resolved."""
    assert answer(page, f"{address}term/state-image/1.1/").startswith(
        "In 1.1 the definition was the same as in 1.0."
    )
    page.get_by_role("link", name="snapshot", exact=True).click()
    page.wait_for_url(f"{address}term/snapshot/#r1.1")


def test_a_release_with_a_blank_in_its_name(page: Page, address: str, folder: Path) -> None:
    """The sentence shows the release's name, not its slug."""
    assert answer(page, f"{address}term/mirror/{spring(folder)}/").startswith(
        "In Spring 1.3 the definition was the same as in 1.0."
    )


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("term/tape/2.0/", "In 2.0 this term was not defined."),
        ("term/mirror/1.2/", "1.2 could not be read, so the definition in it is unknown."),
        ("term/mirror/v2.0.0/", "In 2.0 the definition was the same as in 1.0."),
        ("term/mirror/1/", "Did you mean mirror/1.0?"),
        (
            "term/mirror/1.1.7/more/",
            "This site has no release 1.1.7. In the release before it, the definition was the same "
            "as in 1.0.",
        ),
        ("term/mirror/0.9/", "This site has no release 0.9 of this term."),
        ("term/mirror/Autumn/", "This site has no release Autumn of this term."),
        ("term/tape/2.1/", "This site has no release 2.1 of this term."),
        ("release/9.9/", "This site has no release 9.9. All releases"),
        ("Term/Mirror/2.0", "In 2.0 the definition was the same as in 1.0."),
        ("term/mirror/2.0/index.html", "In 2.0 the definition was the same as in 1.0."),
    ],
)
def test_what_is_known_of_a_release_is_said(
    page: Page, address: str, path: str, sentence: str
) -> None:
    """The page states what happened to a term in the release."""
    assert answer(page, address + path).startswith(sentence)


def test_the_releases_beside_one_without_a_page_are_named(
    page: Page, folder: Path, address: str
) -> None:
    """A release that the site does not have has links to those before and after it, also at the
    address of a comparison."""
    for path in ("release/1.10/", "compare/1.10/"):
        said = answer(page, address + path)
        assert said.startswith("This site has no release 1.10. All releases")
        page.get_by_role("link", name="Terms changed in 2.0").wait_for()
    links = page.locator("[data-answer] a").all_inner_texts()
    assert links == ["All releases", "Terms changed in 1.2", "Terms changed in 2.0"]
    answer(page, f"{address}release/v1.2/")
    page.get_by_role("link", name="Terms changed in 1.2").wait_for()
    for slug in ("1.2", spring(folder)):
        said = answer(page, f"{address}release/{slug}/lines/")
        assert said.startswith("This site has no page")
    assert answer(page, f"{address}release/Spring 1.3/") == "Terms changed in Spring 1.3"


def revision(source: str, *releases: str) -> dict[str, object]:
    return {
        "source": source,
        "first": releases[0] if releases else "",
        "releases": {f"r{name}": name for name in releases},
    }


VERSIONS = [
    ([revision("a", "1.8", "1.10")], "1.9", ["after", "1.8"]),
    ([revision("a", "1.8", "1.10")], "v1.10.0", ["same", "1.10"]),
    ([revision("a", "1.8", "1.10")], "r1.8", ["same", "1.8"]),
    ([revision("a", "1.8"), revision("a", "1.10", "2.0")], "1.11", ["after", "1.10"]),
    ([revision("a", "1.8"), revision("page")], "1.9", ["after", "1.8"]),
    ([revision("a", "1.8"), revision("b", "1.0")], "1.9", ["unknown", None]),
    ([revision("a", "1.8"), revision("a", "1.8.5")], "1.8.4", ["after", "1.8"]),
    ([revision("a", "1.8")], "1.8-rc1", ["unknown", None]),
    ([revision("a", "spring")], "summer", ["unknown", None]),
]


def test_versions_are_understood(page: Page, address: str) -> None:
    """An unknown version means the one before it, unless it could belong to two sources."""
    page.goto(f"{address}nowhere/")
    ask = (
        "([term, asked]) => { const { state, name } = glossarySearch.atRelease(term, asked); "
        "return [state, name]; }"
    )
    for revisions, asked, found in VERSIONS:
        term = {"wordings": revisions, "absent": {}, "unread": {}}
        assert (asked, page.evaluate(ask, [term, asked])) == (asked, found)


@pytest.mark.parametrize(
    ("path", "meant", "shown"),
    [
        ("Term/MIRROR/", "term/mirror/", "mirror"),
        ("term/mirror/1.0/INDEX.HTML", "term/mirror/1.0/", "mirror/1.0"),
        ("term//Mirror//1.0", "term/mirror/1.0/", "mirror/1.0"),
        ("A-Z/", "a-z/", "a-z"),
        ("Release/2.0", "release/2.0/", "release/2.0"),
        ("releases/2.0/", "release/2.0/", "release/2.0"),
    ],
)
def test_other_letters_and_slashes_lead_to_the_page(
    page: Page, address: str, path: str, meant: str, shown: str
) -> None:
    """An address in another case or with other slashes redirects to its page in one step."""
    assert answer(page, address + path) == f"Did you mean {shown}?"
    page.locator("[data-answer] a").click()
    page.wait_for_url(address + meant)


def test_two_releases_without_a_page_lead_to_the_first(page: Page, address: str) -> None:
    """The address of two releases without a page leads to what changed since the first."""
    assert answer(page, f"{address}compare/2.0/1.0/") == "Did you mean compare/2.0?"
    page.locator("[data-answer] a").click()
    page.wait_for_url(f"{address}compare/2.0/")


def test_the_address_of_all_comparisons_leads_to_the_releases(page: Page, address: str) -> None:
    """The address `compare/` of earlier versions leads to the list of releases."""
    assert answer(page, f"{address}compare/") == "Did you mean release?"
    page.locator("[data-answer] a").click()
    page.wait_for_url(f"{address}release/")


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("term/snapshoot/", "snapshot"),
        ("term/state-imege/", "snapshot"),
        ("term/captrue/1.0/", "snapshot"),
        ("term/leaf/", "leaf operation"),
        ("term/leaf_operatoin.html", "leaf operation"),
        ("term/C%2B%2B/", "C++"),
        ("glossary.html#term-Leaf-Operation", "leaf operation"),
        ("old/place/of/the/Mirrors", "mirror"),
        ("term/zinc/", "zinc a"),
    ],
)
def test_terms_with_a_name_like_it_are_offered(
    page: Page, address: str, path: str, first: str
) -> None:
    """At most five similar names are suggested as links, the nearest first."""
    offered = names(page, address + path)
    assert offered[0] == first
    assert len(offered) <= 5
    assert len(offered) == len(set(offered))
    assert (
        page.get_by_text("similar name", exact=True).count() == 0
    )  # the line above the list says it


def test_a_former_name_says_so(page: Page, address: str) -> None:
    """A suggestion for another name shows that name, as in the search, and leads to the term."""
    names(page, f"{address}term/state-imege/")
    row = page.locator("[data-results] > li").first.inner_text()
    assert row.splitlines()[:2] == ["snapshot", "formerly state image (before 1.1)"]
    page.locator("[data-results] > li a").first.click()
    page.wait_for_url(f"{address}term/snapshot/")


def test_nothing_like_it_leaves_the_ways_onward(page: Page, address: str) -> None:
    """Without similar names no empty list is announced, and the page links to all terms."""
    look(page, f"{address}xyzzy-plugh/")
    assert page.locator("[data-like]").is_hidden()
    page.get_by_role("link", name="A–Z", exact=True).click()
    page.wait_for_url(f"{address}a-z/")


HOSTILE = [
    "term/<img src=x onerror=alert(1)>/1.0/",
    "term/mirror/<img src=x onerror=alert(1)>/",
    "release/%3Cscript%3Ealert(1)%3C%2Fscript%3E/",
    "<svg onload=alert(1)>#term-<img src=x onerror=alert(1)>",
    "term/%2e%2e%2f%2e%2e%2fsecret/1.0/",
    "%2F%2Fevil.example/term/mirror/1.0",
    "javascript:alert(1)//",
    "term/mirror/__proto__/",
    "term/constructor/1.0/",
    "term/%E0%A4%A/1.0/",
    "%ED%A0%80/%00/",
    "term/mirror/" + "9" * 5000 + "/",
    "-".join(["leaf"] * 1000),
]


def test_nothing_in_an_address_does_harm(
    page: Page, address: str, heard: list[str], asked: list[str]
) -> None:
    """Markup and paths in an address are text: no script runs, and nothing outside the site is
    requested."""
    odd: list[str] = []
    page.set_viewport_size({"width": 360, "height": 740})
    for path in HOSTILE:
        look(page, address + path)
        if (
            page.locator("main :is(img, svg, script, iframe)").count()
            or page.locator("h1").count() != 1
        ):
            odd.append(f"{path} is part of the page")
        if page.evaluate("document.documentElement.scrollWidth") > 360:
            odd.append(f"{path} makes the page wide")
    assert odd == []
    assert {
        result for result in heard if not result.startswith("console:")
    } == set()  # it says that the status is 404
    assert (
        len(asked) > len(HOSTILE) and {url for url in asked if not url.startswith(address)} == set()
    )


def test_without_scripts_the_page_leads_onward(page_without_scripts: Page, address: str) -> None:
    """Without scripts there are the search and the letters, no empty frame, and links that work
    from any depth."""
    page = page_without_scripts
    page.goto(f"{address}term/nothing/1.0/deep/")
    headings = page.get_by_role("heading").all_inner_texts()
    assert headings == ["Page not found", "All terms, A–Z"]
    assert page.locator("main").get_by_role("link", name="Search terms").is_visible()
    page.get_by_role("link", name="S", exact=True).click()
    assert page.url == f"{address}a-z/index.html#letter-s"


def test_a_list_of_names_that_does_not_load_leaves_the_page_as_it_is(
    page: Page, address: str, heard: list[str]
) -> None:
    """If the names cannot be loaded, nothing is suggested, and no error occurs."""
    page.route("**/search/names.js", lambda route: route.abort())
    look(page, f"{address}term/snapshoot/")
    assert [result for result in heard if not result.startswith("console:")] == []
    assert page.locator("[data-like]").is_hidden()
