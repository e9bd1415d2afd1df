"""Types into the search page in Chromium, and measures the time to the first results.

Two clocks run: the one on the wall, from a keystroke to the frame that shows what it found, which
also notices what else the machine is doing; and that of the page's main thread, which counts its
own work alone.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
BETWEEN_KEYS = 100
"""Milliseconds before and after each keystroke."""
WATCH = """() => {
    self.answers = [];
    let typed;
    addEventListener("input", (event) => { typed = event.timeStamp; }, true);
    new MutationObserver(() => {
        const since = typed;
        typed = undefined;
        if (since) requestAnimationFrame(() => setTimeout(() => answers.push(performance.now() - since)));
    }).observe(document.querySelector("[data-search-page]"),
        { subtree: true, childList: true, attributes: true, characterData: true });
}"""


@dataclass(frozen=True, kw_only=True)
class Typing:
    """Milliseconds; the first is for the first letter after the list of names was loaded."""

    answers: Sequence[float]
    """From each keystroke to its answer, on the wall."""
    work: Sequence[float]
    """Of the main thread after each keystroke, until the next."""


def typing(files: Mapping[str, bytes], queries: Sequence[str]) -> Typing | None:
    """Returns what was measured while these queries were typed, letter by letter; None where there
    is no Chromium.

    `files` are those that the search reads.
    """
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if chromium is None:
        return None
    with _served(files) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page()
        page.goto(f"{address}/search/index.html")
        page.evaluate(WATCH)
        work = list(_typed(page, queries))
        answers = page.evaluate("answers")
        browser.close()
    return Typing(answers=answers, work=work)


def _typed(page: Page, queries: Sequence[str]) -> Iterator[float]:
    box = page.locator("[data-search-page] input")
    box.focus()
    while not page.evaluate("Boolean(self.glossarySearch?.names)"):
        page.wait_for_timeout(BETWEEN_KEYS)
    clock = page.context.new_cdp_session(page)
    clock.send("Performance.enable", {"timeDomain": "threadTicks"})
    for query in queries:
        box.fill("")
        for letter in query:
            page.wait_for_timeout(BETWEEN_KEYS)
            begun = _worked(clock)
            page.keyboard.type(letter)
            page.wait_for_timeout(BETWEEN_KEYS)
            yield _worked(clock) - begun


def _worked(clock: CDPSession) -> float:
    """Returns the milliseconds that the page's main thread has worked."""
    metrics = clock.send("Performance.getMetrics")["metrics"]
    return next(1000 * metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serves a folder on the loopback, and yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def _served(files: Mapping[str, bytes]) -> Iterator[str]:
    """Serves a small site with these files, and gives its address."""
    with TemporaryDirectory() as folder:
        site = Path(folder, "site")
        Path(folder, "1.0").mkdir()
        Path(folder, "1.0/GLOSSARY.md").write_text(
            "# Glossary\n\n## Term\n\nA word.\n\n## Word\n\nA sign.\n"
        )
        subprocess.run(  # noqa: S603
            [sys.executable, "-m", "sitegen", "build", folder, "--output", site, "--quiet"],
            check=True,
        )
        for path, content in files.items():
            (site / path).write_bytes(content)
        with serving(site) as address:
            yield address
