"""Accessibility: axe, which checks the rules of WCAG, finds no violation on any kind and state of
page.

Nor has the browser: nothing is on the console, no policy is broken, and nothing is asked of anybody
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import npm
import pytest
import views
from views import VIEWS, View

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOOKS = ((360, "light"), (1280, "dark"))
"""Widths and themes. Wide pages show only one word more, the key of the search, which axe passes over."""
ALIKE = frozenset(
    "arabic-home one-a-z one-home one-term release-newest term term-first-read term-unchanged "
    "term-undated".split()
)
"""Views of which each part is in another one."""
RULES = {
    "type": "tag",
    "values": "wcag2a wcag2aa wcag21a wcag21aa wcag22aa best-practice".split(),
}
"""The rules that axe checks."""
ASK = """async (rules) => (await axe.run({ preload: false, resultTypes: ["violations"], runOnly: rules })).violations
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`))"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe."""
    return (npm.installed("axe-core") / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[View], str]]:
    with views.publishing(tmp_path_factory.mktemp("views")) as address:
        yield address


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One tab for all views, so that files are loaded once."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    "view", [view for view in VIEWS if view.name not in ALIKE], ids=lambda view: view.name
)
def test_nothing_bars_the_way(
    view: View, tab: Page, address: Callable[[View], str], axe: str
) -> None:
    """Narrow and light, wide and dark, a view breaks no rule of WCAG 2.2 A and AA, and logs
    nothing."""
    odd: list[str] = []
    where = address(view)
    tab.on("console", hear := lambda message: odd.append(message.text))
    tab.on("pageerror", fail := lambda error: odd.append(str(error)))
    tab.on("request", ask := lambda request: odd.append(request.url))
    tab.emulate_media(color_scheme="light")
    if "#" in where:  # which leads to another place on the same page, if that is open
        tab.goto("about:blank")
    tab.goto(where)
    view.act(tab)
    tab.evaluate(axe)
    broken = []
    for width, theme in LOOKS:
        tab.set_viewport_size({"width": width, "height": 740})
        tab.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        broken += [f"{width}, {theme}: {result}" for result in tab.evaluate(ASK, RULES)]
    for name, listener in (("console", hear), ("pageerror", fail), ("request", ask)):
        tab.remove_listener(name, listener)
    assert broken == []
    assert [one for one in odd if not is_ordinary(one, view, where)] == []


def is_ordinary(event: str, view: View, address: str) -> bool:
    """True for a request to the site, and for the browser's message about a page with status
    404."""
    host = "/".join(address.split("/")[:3])
    return event.startswith((f"{host}/", "data:")) or (view.is_lost and "404" in event)
