"""One page of every kind and state, and of every control in use.

The tests of accessibility, of valid HTML and the gallery of pictures all go through this one table.
Most views are of the golden site, in which everything happens that can happen to a term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from arabic import arabic
from pages_server import published
from sites import files_of, glossary, templates

from sitegen.permanence.archive import Archive
from sitegen.permanence.kept_pages import KeptPage
from sitegen.pipeline import assembly
from sitegen.site.site import Site
from sitegen.sources.git.repositories import Clones
from sitegen.sources.reading import SourceReader, read_config

if TYPE_CHECKING:
    from playwright.sync_api import Page

GOLDEN = Path(__file__).parent / "golden" / "input"


def nothing(page: Page) -> None:
    """Leaves a page as it is."""


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")


def copy_and_unfold(page: Page) -> None:
    """Presses a copy button, whose text the blocked clipboard makes visible, and unfolds all."""
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator(".menu summary").last.click()
    page.get_by_role("button", name="Copy as Markdown").click()
    page.get_by_label("Copy this").wait_for()
    unfold(page)


def preview(page: Page) -> None:
    page.locator(".definition-main a").first.hover()
    page.locator("[role=tooltip]:popover-open").wait_for()


def search(page: Page) -> None:
    page.keyboard.press("/")
    page.locator("dialog[open]").wait_for()
    page.keyboard.type("sna")
    page.locator("[data-results] > li").first.wait_for()


def list_shortcuts(page: Page) -> None:
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()


def await_results(page: Page) -> None:
    page.locator("[data-results] > *").first.wait_for()


def await_answer(page: Page) -> None:
    page.locator("[data-answer] > p").last.wait_for()


def await_chosen(page: Page) -> None:
    page.locator(".chosen").wait_for()


def choose(page: Page) -> None:
    """Chooses a release, and forgets it again, since other pages of the browser would show it."""
    page.evaluate("glossaryPage.choose('release', '1.2')")
    page.reload()
    page.locator(".kept-release").wait_for()
    page.evaluate("localStorage.clear()")


@dataclass(frozen=True, kw_only=True)
class View:
    """A state of a page, and the steps that lead to it."""

    name: str
    path: str
    """Below the home page of its site."""
    site: str = "golden"
    act: Callable[[Page], None] = nothing
    """What a reader does there."""

    @property
    def is_lost(self) -> bool:
        """True if no page was published at this address."""
        return self.name.startswith("lost")


def _view(
    name: str, path: str, act: Callable[[Page], None] = nothing, *, site: str = "golden"
) -> View:
    return View(name=name, path=path, act=act, site=site)


VIEWS = (
    _view("home", ""),
    _view("a-z", "a-z/"),
    _view("section", "section/storage/"),
    _view("releases", "release/"),
    _view("release", "release/1.8.2/"),
    _view("release-newest", "release/2.4/"),
    _view("release-unread", "release/1.6/"),
    _view("release-terms", "release/2.4/terms/"),
    _view("compare-since", "compare/1.2/"),
    _view("about", "about/"),
    _view("search", "search/"),
    _view("search-results", "search/?q=sna", await_results),
    _view("search-near", "search/?q=snapshoot", await_results),
    _view("search-dialog", "term/volume/", search),
    _view("shortcuts", "term/volume/", list_shortcuts),
    _view("lost", "term/snapshoot/", await_results),
    _view("lost-release", "term/snapshot/1.9.0/", await_answer),
    _view("term", "term/snapshot/"),
    _view("term-unfolded", "term/snapshot/#r1.8.2", copy_and_unfold),
    _view("term-preview", "term/snapshot/", preview),
    _view("term-several-sources", "term/quota/", unfold),
    _view("term-as-of", "term/snapshot/?as-of=1.2", await_chosen),
    _view("term-as-of-same", "term/snapshot/?as-of=2.0", await_chosen),
    _view("a-z-chosen", "a-z/", choose),
    _view("term-new", "term/c-plus-plus-script-alert-1-script/"),
    _view("term-unchanged", "term/checkpoint/"),
    _view("term-first-read", "term/volume/"),
    _view("term-deprecated", "term/clone/"),
    _view("term-removed", "term/tape/"),
    _view("term-restored", "term/restore/", unfold),
    _view("term-undated", "term/cold-storage/"),
    _view("term-synonym", "term/frozen-volume/"),
    _view("former-name", "term/state-image/"),
    _view("frozen-current", "term/snapshot/1.8.2/"),
    _view("frozen-superseded", "term/restore/0.4/"),
    _view("retired-term", "term/drum/", site="one"),
    _view("one-home", "", site="one"),
    _view("one-a-z", "a-z/", site="one"),
    _view("one-releases", "release/", site="one"),
    _view("one-term", "term/volume/", site="one"),
    _view("arabic-home", "", site="arabic"),
    _view("arabic-term", "term/فهرس/", unfold, site="arabic"),
)


def read(folder: Path) -> Site:
    """Returns the site of a folder with a glossary."""
    config = read_config(folder)
    return assembly.assemble(
        config, SourceReader(folder, clones=Clones(folder=folder)).read(config), Archive()
    )


def one() -> Site:
    """Returns a glossary of one term and one release, without a withdrawn term."""
    kept = KeptPage(address="term/drum/", name="drum", reason="It was published by mistake.")
    site = glossary({"1.0": {"volume": "Where data lives."}})
    return replace(site, kept=(kept,))


SITES: Mapping[str, Callable[[], Site]] = {
    "golden": lambda: read(GOLDEN),
    "arabic": arabic,
    "one": one,
}


@contextmanager
def publishing(
    folder: Path, sites: Mapping[str, Callable[[], Site]] = SITES
) -> Iterator[Callable[[View], str]]:
    """Gives a function from a view to its address on a server; sites are built when first used."""
    with ExitStack() as stack:

        @cache
        def home(name: str) -> str:
            site = sites[name]()
            write(site, folder / name)
            return stack.enter_context(
                published(folder / name, urlsplit(site.base_url).path or "/")
            )

        yield lambda view: home(view.site) + view.path


def write(site: Site, folder: Path) -> None:
    for file in files_of(site, templates()):
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(file.content)
