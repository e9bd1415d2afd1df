"""Shared fixtures: the folder of real glossaries, the command, and a browser."""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import environment
import glossary_folder
import pytest
import running
import soaking
from commands import Command, CommandResult
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from repositories import Repository

from sitegen.commands import main
from sitegen.permanence.archive_file import ArchiveStore
from sitegen.pipeline import staging
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones
from sitegen.text import memo

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

# The same examples everywhere, and an example that takes long is no failure. Hypothesis would load
# a profile of its own where the environment has CI.
settings.register_profile(
    "tests",
    parent=settings.get_profile("default"),
    max_examples=100 if soaking.IS_SOAK else 50,
    derandomize=not soaking.IS_SOAK,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=soaking.IS_SOAK,
)
settings.load_profile("tests")
# Hypothesis tries constants of the modules that are loaded, which depends on the tests before.
providers.is_local_module_file = lambda path: False

ROOT = Path(__file__).resolve().parent.parent

CHROMIUM = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PATIENCE = 300_000
"""Milliseconds within which pages do what tests wait for."""
QUIET_CHROMIUM = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(autouse=True)
def _no_results() -> None:
    """Clears the memo before each test."""
    memo.clear()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real glossaries and the results of other readers."""
    folder = Path(os.environ.get("SITEGEN_SHARED", ROOT.parent / "shared")).resolve()
    if not (folder / "corpora").is_dir():
        pytest.skip(
            f"no real glossaries here: {folder}/corpora is absent (SITEGEN_SHARED names another "
            f"place)"
        )
    return folder


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Gives the tests their own cache folder."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("user-cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """Skips the sync to disk in builds of this process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(staging, "flush", lambda tree: None)
        patched.setattr(os, "fsync", lambda opened: None)
        yield


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository without a commit."""
    return Repository(tmp_path / "project")


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Command:
    """Runs the command in a fresh folder with its own cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*arguments: str) -> CommandResult:
        monkeypatch.setattr(sys, "argv", ["sitegen", *arguments])
        status = main.run()
        result = capfd.readouterr()
        return CommandResult(status=status, out=result.out, err=result.err)

    return run


@pytest.fixture(scope="session")
def built_glossary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The glossary of `shelf` with its archive, and its site in `site`, to be copied."""
    folder = glossary_folder.write(tmp_path_factory.mktemp("shelf") / "words")
    clones = Clones(folder=folder.parent / "cache")
    archive_store = ArchiveStore(path=folder / "archive.jsonl")
    build(
        folder,
        folder.parent / "site",
        notify=lambda doing: None,
        clones=clones,
        archive_store=archive_store,
    )
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser for all tests, which waits long for what a busy machine makes slow."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        pytest.skip("no browser here: none of " + ", ".join(CHROMIUM) + " is on the path")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=QUIET_CHROMIUM)
        make_context = browser.new_context

        def new_context(**options: Any) -> BrowserContext:
            context = make_context(**options)
            context.set_default_timeout(PATIENCE)
            return context

        browser.new_context = new_context
        playwright.expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def heard() -> list[str]:
    """What pages in `page` said: `console: …`, `error: …` or `dialog: …`."""
    return []


@pytest.fixture(scope="session")
def asked() -> list[str]:
    """The addresses that pages in `page`, and their workers, asked for."""
    return []


@pytest.fixture(scope="session")
def profiles(
    browser: Browser, heard: list[str], asked: list[str]
) -> Iterator[Callable[..., BrowserContext]]:
    """Returns the profile of this name, which is made with these options when it is first asked
    for."""

    def dismiss(dialog: Dialog) -> None:
        heard.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    @cache
    def profile(name: str, **options: Any) -> BrowserContext:
        context = browser.new_context(**options)
        context.on("console", lambda message: heard.append(f"console: {message.text}"))
        context.on("weberror", lambda error: heard.append(f"error: {error.error}"))
        context.on("dialog", dismiss)
        context.on("request", lambda request: asked.append(request.url))
        return context

    yield profile
    for context in browser.contexts:
        context.close()


@pytest.fixture
def page(
    profiles: Callable[..., BrowserContext], heard: list[str], asked: list[str]
) -> Iterator[Page]:
    """A tab that each test finds empty. Tests take turns in it, since a new one takes half a second
    of CPU.

    A test that adds a script to all pages, which nothing removes, needs a profile of its own.
    """
    heard.clear()
    asked.clear()
    yield from turn(profiles("ordinary"))


@pytest.fixture
def page_with_clock(
    profiles: Callable[..., BrowserContext], heard: list[str], asked: list[str]
) -> Iterator[Page]:
    """A tab like `page`, in which tests may stop the clock."""
    heard.clear()
    asked.clear()
    profile = profiles("with a clock")
    profile.clock.resume()
    yield from turn(profile)


@pytest.fixture
def page_without_scripts(profiles: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A tab like `page`, in which no script runs."""
    yield from turn(profiles("without scripts", java_script_enabled=False))


def turn(profile: BrowserContext) -> Iterator[Page]:
    """Gives the tab of a profile, with nothing stored, and empties it afterwards."""
    page = profile.pages[0] if profile.pages else profile.new_page()
    devtools = profile.new_cdp_session(page)
    devtools.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    devtools.detach()
    yield page
    try:
        empty(page)
    except Exception:
        page.close()  # The next test gets a new tab.


def empty(page: Page) -> None:
    """Leaves a tab as it was when it was new: blank, with nothing routed, emulated or pointed
    at."""
    for other in page.context.pages:
        if other != page:
            other.close()
    page.unroute_all()
    page.context.clear_permissions()
    page.goto("about:blank")
    page.mouse.move(-1, -1)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(
        media="null", color_scheme="null", forced_colors="null", reduced_motion="null"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Enters the environment of the tests.

    Puts the folders of tests and all temporary files into memory, if that has room and lets
    programs run: a disk takes twice as long.
    """
    if running.place() == running.MEMORY and not os.statvfs(running.MEMORY).f_flag & os.ST_NOEXEC:
        tempfile.tempdir = os.environ["TMPDIR"] = str(running.MEMORY)
    home = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    environment.enter(Path(home))


def pytest_collection_finish() -> None:
    """Collects garbage as rarely as the program does, and not in what stays loaded."""
    gc.set_threshold(500_000, 20, 1_000)
    gc.collect()
    gc.freeze()


LONG = frozenset({"test_first_year.py", "test_fuzz.py", "test_hostile.py"})
"""Files of tests that take longest."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests that use the browser, so that `-m 'not browser'` skips them, and puts the longest
    tests first.

    A worker that is left with a long test alone makes all others wait.
    """
    items.sort(key=lambda item: item.path.name not in LONG)
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden", action="store_true", help="rewrite the golden site instead of comparing with it"
    )


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Names a test, its error, and its failing example when it fails, as pytest does only after the
    last test."""
    if not report.failed:
        return None
    category = "failed" if report.when == "call" else "error"
    crash = getattr(report.longrepr, "reprcrash", None)
    error = (crash.message if crash else report.longreprtext).partition("\n")[0]
    return category, f"\nFAILED {report.nodeid}: {error}\n{example(report.longreprtext)}", "FAILED"


def example(failure: str) -> str:
    """Returns what Hypothesis found, in the form in which it can be pasted above a test."""
    found = re.search(r"^E +Failing test case: \w+(\(\n.*?^E +\)\n)", failure, re.M | re.S)
    if not found:
        return ""
    arguments = re.sub(r"^E {7}", "", found[1], flags=re.M)
    return f"@example{arguments}"
