"""Hover cards: a page on another origin shows the definitions of our terms, in a real browser."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pages_server import published
from sites import files_of, glossary, templates

from sitegen.addresses import urls

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

HOSTILE = {"<b>": "<p>One &lt;img src=x&gt; two.</p>"}
RELEASES = {
    "1.0": {"state image": "A pointer to a volume.", "ball": "Round.", **HOSTILE},
    "1.1": {"snapshot": "A pointer to a volume.", "ball": "A round thing.", **HOSTILE},
    "2.0": {
        "snapshot": "A pointer to a volume.",
        "ball": "Deprecated. Use sphere.",
        "sphere": "Same as ball.",
    },
}

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Elsewhere</title>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src {origin}; connect-src {origin}; style-src 'none'; trusted-types 'none';
  require-trusted-types-for 'script'">
<script src="{base}assets/embed.js" defer {script}></script></head>
<body>
<p id="own">My own words.</p><p id="start" tabindex="0">Start</p><p>{links}</p><p id="away">Away</p>
</body></html>
"""

LINKS = {
    "now": '<a href="{base}term/ball/">ball</a>',
    "spelled": '<a href="{base}term/ball/index.html#history">ball</a>',
    "unspelled": '<a href="{base}term/ball?from=here">ball</a>',
    "pinned": '<a href="{base}term/ball/" data-release="1.1">ball</a>',
    "frozen": '<a href="{base}term/ball/1.0/">ball</a>',
    "unchanged": '<a href="{base}term/snapshot/1.1/">image</a>',
    "marked": '<span><b data-term="ball">ball</b></span>',
    "classed": '<em class="glossary-term-sphere">sphere</em>',
    "place": '<a href="{base}term/ball/#r1.1">ball</a>',
    "former": '<a href="{base}term/state-image/">image</a>',
    "synonym": '<a href="{base}term/sphere/">sphere</a>',
    "hostile": '<a href="{base}term/b/">b</a>',
    "described": '<a href="{base}term/ball/" aria-describedby="own">ball</a>',
    "absent": '<a href="{base}term/sphere/" data-release="1.0">sphere</a>',
    "unknown": '<a href="{base}term/nothing/">nothing</a>',
    "other": '<a href="{base}release/2.0/">2.0</a>',
    "foreign": '<a href="/term/ball/">ball</a>',
}


@dataclass
class Elsewhere:
    """A page of another site, open in a browser."""

    page: Page
    base: str

    def rest_on(self, link: str) -> list[str]:
        """Moves the pointer onto a link and returns what is shown: name, words and status line."""
        self._hover(link)
        self.page.wait_for_selector("glossary-card:popover-open")
        return self.card()

    def rest_in_vain(self, link: str) -> bool:
        """Moves the pointer onto a link and returns True if no card is shown."""
        self._hover(link)
        for _ in range(2):  # a synonym asks twice
            self.page.evaluate(
                "(data) => fetch(data).then((file) => file.text())", f"{self.base}glossary.json"
            )
        return self.card() == []

    def _hover(self, link: str) -> None:
        self.page.mouse.move(0, 0)
        self.page.clock.run_for(1_000)
        self.page.hover(f"#{link} :is(a, b, em)")
        self.page.clock.run_for(400)

    def card(self) -> list[str]:
        """Returns the lines of the card, if one is shown."""
        lines = self.page.locator("glossary-card:popover-open p").all_inner_texts()
        return [line for line in lines if line]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a published site."""
    folder = tmp_path_factory.mktemp("site")
    for file in files_of(glossary(RELEASES), templates()):
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(file.content)
    with published(folder, base="/words/") as base:
        yield base


@pytest.fixture(scope="module")
def address(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of another site. It has a page with links to our terms, and a page about release
    1.0."""
    folder = tmp_path_factory.mktemp("elsewhere")
    origin = site.removesuffix("/words/")
    links = "\n".join(f'<span id="{name}">{link}</span>' for name, link in LINKS.items()).format(
        base=site
    )
    for name, script in {"index.html": "", "then.html": 'data-release="1.0"'}.items():
        text = PAGE.format(base=site, origin=origin, links=links, script=script)
        (folder / name).write_text(text, encoding="utf-8")
    with published(folder) as home:
        yield home


@pytest.fixture
def elsewhere(
    page_with_clock: Page, address: str, site: str, heard: list[str]
) -> Iterator[Elsewhere]:
    """The other site's page, which writes nothing to the console and keeps its own security
    policy."""
    page_with_clock.clock.install()
    page_with_clock.goto(address)
    yield Elsewhere(page=page_with_clock, base=site)
    assert [text for text in heard if "404" not in text and "ERR_FAILED" not in text] == []


def test_a_link_shows_what_its_term_means(elsewhere: Elsewhere) -> None:
    """A pointer on a link shows the term's name, definition and status, whichever address of the
    term is linked."""
    now = [
        "ball",
        "Deprecated. Use sphere.",
        "Deprecated since 2.0 · use sphere",
    ]
    assert elsewhere.rest_on("now") == now
    assert elsewhere.page.get_attribute("glossary-card", "lang") == "en"
    assert elsewhere.rest_on("spelled") == now
    assert elsewhere.rest_on("unspelled") == now
    assert elsewhere.rest_on("former")[:2] == ["snapshot", "A pointer to a volume."]
    assert elsewhere.rest_on("synonym")[:2] == ["sphere", "Deprecated. Use sphere."]


def test_a_page_may_replace_its_body(elsewhere: Elsewhere) -> None:
    """Cards still work after the page replaced its body, and for links in a shadow root."""
    assert elsewhere.rest_on("now")
    elsewhere.page.evaluate("""() => {
        const place = document.querySelector("#now"), host = document.createElement("div");
        place.id = "inside";
        host.attachShadow({ mode: "open" }).append(place);
        document.body.replaceChildren(host);
    }""")
    assert elsewhere.rest_on("inside")[0] == "ball"


def test_a_link_may_be_pinned_to_a_release(elsewhere: Elsewhere) -> None:
    """An attribute, an address or a parent element pins a link to a release, whose words the card
    shows."""
    assert elsewhere.rest_on("pinned") == ["ball", "A round thing.", "1.1"]
    assert elsewhere.rest_on("frozen") == ["ball", "Round.", "1.0"]
    assert elsewhere.rest_on("unchanged")[1:] == ["A pointer to a volume.", "1.1"]
    assert elsewhere.rest_on("place") == ["ball", "A round thing.", "1.1"]


def test_any_element_may_name_a_term(elsewhere: Elsewhere) -> None:
    """An element with the slug of a term, as an attribute or a class, shows it, and can have the
    focus."""
    assert elsewhere.rest_on("marked")[:2] == ["ball", "Deprecated. Use sphere."]
    assert elsewhere.rest_on("classed")[0] == "sphere"
    elsewhere.page.focus("#marked b")
    assert elsewhere.page.evaluate("document.activeElement.textContent") == "ball"


def test_a_page_may_be_pinned_to_a_release(elsewhere: Elsewhere, address: str) -> None:
    """The release that the script names applies to links without one of their own; names are of
    that release too."""
    elsewhere.page.goto(f"{address}then.html")
    assert elsewhere.rest_on("now") == ["ball", "Round.", "1.0"]
    assert elsewhere.rest_on("former") == ["state image", "A pointer to a volume.", "1.0"]
    assert elsewhere.rest_on("place") == ["ball", "A round thing.", "1.1"]
    assert elsewhere.rest_in_vain("synonym")


def test_nothing_is_shown_where_nothing_is_known(elsewhere: Elsewhere) -> None:
    """A term that was not defined then, an address without a term, and other sites get no card."""
    assert all(map(elsewhere.rest_in_vain, ("absent", "unknown", "other", "foreign")))


def test_hostile_words_are_shown_as_text(elsewhere: Elsewhere) -> None:
    """Names and definitions are shown as text; they create no element."""
    assert elsewhere.rest_on("hostile")[:2] == ["<b>", "One <img src=x> two."]
    made = "[...document.querySelector('glossary-card').shadowRoot.querySelectorAll('*')].map((one) => one.localName)"
    assert elsewhere.page.evaluate(made) == ["div", "p", "p", "p"]


def test_a_card_can_be_read_with_a_pointer(elsewhere: Elsewhere) -> None:
    """A card stays while the pointer is on it, does not cover its link, and closes when the pointer
    leaves."""
    elsewhere.rest_on("now")
    link, card = (elsewhere.page.locator(one).bounding_box() for one in ("#now a", "glossary-card"))
    assert link
    assert card
    assert card["y"] >= link["y"] + link["height"] or card["y"] + card["height"] <= link["y"]
    elsewhere.page.mouse.move(card["x"] + 20, card["y"] + 20, steps=5)
    elsewhere.page.clock.run_for(3_000)
    assert elsewhere.card()
    elsewhere.page.hover("#away", force=True)
    elsewhere.page.mouse.move(1, 1)
    elsewhere.page.clock.run_for(300)
    assert elsewhere.card() == []


def test_an_answer_that_comes_too_late_is_not_shown(elsewhere: Elsewhere) -> None:
    """The card of a link stays when the definition of a link that the pointer has left arrives."""
    late: list[Route] = []
    elsewhere.page.route("**/term/ball/index.json", lambda route: late.append(route))
    assert elsewhere.rest_in_vain("now")
    assert elsewhere.rest_on("former")[0] == "snapshot"
    with elsewhere.page.expect_event("requestfinished"):
        late[0].continue_()
    elsewhere.page.evaluate("(data) => fetch(data).then((file) => file.text())", elsewhere.base)
    assert elsewhere.card()[0] == "snapshot"


def test_a_card_comes_to_the_keyboard_and_goes_with_escape(elsewhere: Elsewhere) -> None:
    """A focused link is described by its card until Escape is pressed; the focus does not move."""
    page = elsewhere.page
    page.focus("#start")
    page.keyboard.press("Tab")
    page.clock.run_for(600)
    page.wait_for_selector("glossary-card:popover-open")
    assert (
        description(page, "#now a")
        == "ball Deprecated. Use sphere. Deprecated since 2.0 · use sphere"
    )
    page.keyboard.press("Escape")
    assert elsewhere.card() == []
    assert page.evaluate("document.activeElement.textContent") == "ball"
    assert description(page, "#now a") == ""


def description(page: Page, selector: str) -> str:
    """Returns the accessible description of an element."""
    session: Any = page.context.new_cdp_session(page)
    document = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": document, "selector": selector})["nodeId"]
    (reported,) = session.send(
        "Accessibility.getPartialAXTree", {"nodeId": node, "fetchRelatives": False}
    )["nodes"]
    return " ".join(reported.get("description", {}).get("value", "").split())


def test_a_description_that_was_there_stays(elsewhere: Elsewhere) -> None:
    """A card is added to the description that a link has already, and only the card is removed
    later."""
    elsewhere.rest_on("described")
    assert description(elsewhere.page, "#described a").startswith("My own words. ball Deprecated.")
    elsewhere.page.keyboard.press("Escape")
    assert elsewhere.page.get_attribute("#described a", "aria-describedby") == "own"


def test_the_page_is_left_as_it_was(elsewhere: Elsewhere) -> None:
    """The script defines no global name, and adds one element to the document when it needs it."""
    page = elsewhere.page
    names, elements = "Object.getOwnPropertyNames(window)", "document.querySelectorAll('*').length"
    before = page.evaluate(elements)
    elsewhere.rest_on("now")
    elsewhere.rest_on("pinned")
    assert page.evaluate(elements) == before + 1
    with_script = set(page.evaluate(names))
    page.route("**/embed.js", lambda route: route.abort())
    page.reload()
    assert with_script - set(page.evaluate(names)) == set()


def test_fingers_follow_links(browser: Browser, address: str) -> None:
    """On a touch screen no card is shown: the link is followed."""
    context = browser.new_context(has_touch=True)
    page = context.new_page()
    page.goto(address)
    page.tap("#now a")
    page.wait_for_url("**/words/term/ball/")
    context.close()


def test_the_script_is_small() -> None:
    """The script has less than 3 kB (gzip)."""
    content = next(
        file.content
        for file in files_of(glossary(RELEASES), templates())
        if file.path == urls.EMBED
    )
    assert len(gzip.compress(content, 9, mtime=0)) < 3_000


def test_only_the_first_mention_stays_marked(page: Page, tmp_path: Path) -> None:
    """`first-mention.js` keeps the first abbreviation of each title and leaves the words of the
    others."""
    script = templates()["assets/first-mention.js"]
    marks = (
        '<p>A <abbr title="x">b</abbr>, <abbr title="x">bs</abbr> and <abbr title="y">c</abbr>.</p>'
    )
    (tmp_path / "page.html").write_text(f"<!doctype html><script>{script}</script>{marks}")
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("abbr").all_inner_texts() == ["b", "c"]
    assert page.locator("p").inner_text() == "A b, bs and c."
