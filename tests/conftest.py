"""What several test files share: the folder of real glossaries, a browser, and a site to look at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parent.parent

QUIET_CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real glossaries and what other readers made of them."""
    folder = Path(os.environ.get("SITEGEN_SHARED", ROOT.parent / "shared")).resolve()
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no real glossaries here: {folder}/corpora is absent (SITEGEN_SHARED names another place)")
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser, shared by all tests that look at pages."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        pytest.skip("no browser here: none of " + ", ".join(names) + " is on the path")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=QUIET_CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh tab in a fresh profile."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks every test that asks for the browser, so that `-m 'not browser'` leaves them out."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the golden site instead of comparing with it")
