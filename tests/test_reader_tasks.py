"""Tasks of a reader, each in as few clicks as it takes; what is typed and chosen from a list
is no click."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from views import SITES, View, publishing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COUNTING = """addEventListener("click", ({ isTrusted, detail }) => {
    if (isTrusted && detail) sessionStorage.clicks = Number(sessionStorage.clicks || 0) + 1;
}, true);"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with publishing(tmp_path_factory.mktemp("clicks"), {"golden": SITES["golden"]}) as address:
        yield address(View(name="home", path=""))


@pytest.fixture(scope="module")
def counter(browser: Browser) -> Iterator[Page]:
    """A tab that counts clicks."""
    context = browser.new_context()
    context.add_init_script(COUNTING)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(counter: Page, site: str) -> Page:
    """That tab, with a count of zero, and no release chosen."""
    counter.goto(site)
    counter.evaluate("sessionStorage.clear(), localStorage.clear()")
    return counter


def meaning(page: Page, site: str) -> str:
    page.goto(site)
    page.get_by_role("main").get_by_role("link", name="volume", exact=True).first.click()
    page.wait_for_url("**/term/volume/**")
    return page.locator(".definition-main").inner_text()


def release(page: Page, site: str) -> str:
    page.goto(f"{site}term/snapshot/")
    page.get_by_label("Wording in release").select_option("0.4")
    page.locator(".chosen").wait_for()
    return page.locator(".chosen").inner_text()


def any_wording(page: Page, site: str) -> str:
    page.goto(f"{site}term/snapshot/")
    page.get_by_label("Wording in release").select_option("0.4")
    page.locator(".chosen [data-releases]").click()
    page.wait_for_url("**/0.4/**")
    return page.locator("h1").inner_text()


def changes_since(page: Page, site: str) -> str:
    page.goto(site)
    page.get_by_label("What changed since").select_option("0.4")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/compare/0.4/**")
    return page.locator("h1").inner_text()


def old_link(page: Page, site: str) -> str:
    page.goto(f"{site}term/snapshot/1.9.0/")
    page.locator("[data-answer] > p").last.wait_for()
    return page.locator("h1").inner_text()


def quotation(page: Page, site: str) -> str:
    page.goto(f"{site}term/snapshot/")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator(".menu summary").last.click()
    page.get_by_role("button", name="Copy as Markdown").click()
    return page.get_by_label("Copy this").input_value()


def former_name(page: Page, site: str) -> str:
    page.goto(site)
    page.keyboard.press("/")
    page.locator("dialog[open]").wait_for()
    page.keyboard.type("state image")
    page.locator("[data-results] > li a").first.click()
    page.wait_for_url("**/term/snapshot/**")
    return page.locator("h1").inner_text()


def topic(page: Page, site: str) -> str:
    page.goto(site)
    page.get_by_role("main").get_by_role("link", name="Storage", exact=True).click()
    page.wait_for_url("**/section/storage/**")
    return page.locator("h1").inner_text()


def subscription(page: Page, site: str) -> str:
    page.goto(site)
    link = page.get_by_role("link", name="Subscribe to changes")
    link.evaluate("(link) => link.addEventListener('click', (event) => event.preventDefault())")
    link.click()
    return link.evaluate("(link) => link.href")


TASKS: dict[str, tuple[Callable[[Page, str], str], int, str]] = {
    "what a term means now": (meaning, 1, ""),
    "how it read in a release": (release, 0, "In 0.4:"),
    "the page of a wording": (any_wording, 1, "state image, 0.4"),
    "what changed since a release": (changes_since, 1, "Terms changed since 0.4"),
    "where an old link leads": (old_link, 0, "snapshot in 1.9.0"),
    "a quotation": (quotation, 2, "snapshot"),
    "a term by a name that it had": (former_name, 1, "snapshot"),
    "the terms of a topic": (topic, 1, "Storage"),
    "a subscription": (subscription, 1, "feed.xml"),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_takes_few_clicks(page: Page, site: str, task: str) -> None:
    """A reader gets what the task asks for, in so many clicks and no more."""
    do, clicks, expected = TASKS[task]
    assert expected in do(page, site)
    assert int(page.evaluate("sessionStorage.clicks || 0")) == clicks
