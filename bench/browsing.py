"""Types into the search page of a site in Chromium, and measures how soon something stands below the box.

From the moment of a keystroke to the frame that shows what it found. The tasks of the page's main thread are watched
meanwhile: while one of 50 ms runs, a page does not respond.
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

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
BETWEEN_KEYS = 120
"""Milliseconds between two keystrokes of a quick typist."""
WATCH = """() => {
    self.seen = { answers: [], tasks: [] };
    let typed;
    const note = (since) => seen.answers.push(performance.now() - since);
    const page = document.querySelector("[data-search-page]");
    addEventListener("input", (event) => { typed = event.timeStamp; }, true);
    new MutationObserver(() => {
        const since = typed;
        typed = undefined;
        if (since) requestAnimationFrame(() => setTimeout(note, 0, since));
    }).observe(page, { subtree: true, childList: true, attributes: true, characterData: true });
    new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: "longtask", buffered: true });
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """Milliseconds."""

    first: float
    """From the first keystroke, which comes when the list of names is there, to its answer."""
    answers: Sequence[float]
    """From each keystroke to its answer."""
    longest_task: float
    """That the page's main thread was busy at a stretch; 0 for less than 50."""


def typing(files: Mapping[str, bytes], queries: Sequence[str]) -> Typing | None:
    """Returns what was measured while these queries were typed, letter by letter; None where there is no Chromium.

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
        box = page.locator("[data-search-page] input")
        box.focus()
        while not page.evaluate("Boolean(self.glossarySearch?.names)"):
            page.wait_for_timeout(50)
        for query in queries:
            box.fill("")
            page.keyboard.type(query, delay=BETWEEN_KEYS)
        page.wait_for_timeout(500)
        seen = page.evaluate("seen")
        browser.close()
    first, *_ = seen["answers"]
    return Typing(first=first, answers=seen["answers"], longest_task=max(seen["tasks"], default=0))


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def _served(files: Mapping[str, bytes]) -> Iterator[str]:
    """The address of a small site with these files in it."""
    with TemporaryDirectory() as folder:
        site = Path(folder, "site")
        Path(folder, "1.0").mkdir()
        Path(folder, "1.0/GLOSSARY.md").write_text("# Glossary\n\n## Term\n\nA word.\n\n## Word\n\nA sign.\n")
        subprocess.run([sys.executable, "-m", "sitegen", "build", folder, "--output", site, "--quiet"], check=True)  # noqa: S603
        for path, content in files.items():
            (site / path).write_bytes(content)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=site)) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}"
            server.shutdown()
