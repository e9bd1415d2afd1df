"""Takes a screenshot of every view: `make screenshots`.

Every view in every width and theme, the term's page as it looks to people who see or read it
another way, and the picture that README shows. Names of views, or beginnings of names, as
arguments take fewer.
"""

from __future__ import annotations

import shutil
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import glossary as made_up
import views
from conftest import CHROMIUM, QUIET_CHROMIUM
from playwright.sync_api import sync_playwright
from sites import glossary
from views import SITES, VIEWS, View

from sitegen.site.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "screenshots"
HIGHEST = 6000
"""Pixels of a page that a picture shows at most."""

LONG = (
    "a name that goes on and on, as names of standards do, well beyond the point at which "
    "anybody would remember it"
)
UNBROKEN = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2


def thousand() -> Site:
    releases = made_up.releases(1_000, count=10)
    result = {
        one.name: {term.name: " ".join(term.sentences) for term in one.glossary} for one in releases
    }
    return glossary(result)


def long_names() -> Site:
    names = {
        LONG: "One name among many.",
        UNBROKEN: "A word.",
        "It": f"<p>See <a href='term:{LONG}'>{LONG}</a>.</p>",
    }
    return glossary(
        {
            "1.0": dict.fromkeys(names, "Something."),
            "2.0.0-alpha.1+exp.sha.5114f85.of.a.long.branch": names,
        }
    )


MORE_SITES: Mapping[str, Callable[[], Site]] = {
    "content": lambda: views.read(ROOT / "content"),
    "thousand": thousand,
    "long": long_names,
}

MORE_VIEWS = (
    View(name="content-home", path="", site="content"),
    View(name="content-a-z", path="a-z/", site="content"),
    View(name="content-releases", path="release/", site="content"),
    View(name="content-release", path="release/2.0.0/", site="content"),
    View(name="content-about", path="about/", site="content"),
    View(name="content-term", path="term/tensor/", site="content"),
    View(name="content-renamed", path="term/torch-func/", site="content"),
    View(name="thousand-home", path="", site="thousand"),
    View(name="thousand-a-z", path="a-z/", site="thousand"),
    View(name="thousand-release", path="release/1.9/", site="thousand"),
    View(name="long-home", path="", site="long"),
    View(name="long-a-z", path="a-z/", site="long"),
    View(name="long-term", path="term/it/", site="long", act=views.unfold),
)


@dataclass(frozen=True, kw_only=True)
class Look:
    """A combination of width, color scheme and medium."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the browser's context."""
    before: Callable[[Page], object] = views.nothing


def _wide(width: int, **options: Any) -> dict[str, Any]:
    return {"viewport": {"width": width, "height": 740}, **options}


def _grey(page: Page) -> None:
    page.context.new_cdp_session(page).send(
        "Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"}
    )


LOOKS = tuple(
    Look(name=f"{width}-{theme}", options=_wide(width, color_scheme=theme))
    for width, theme in product((360, 768, 1280), ("light", "dark"))
)
OTHER_LOOKS = (
    Look(name="greyscale", options=_wide(768), before=_grey),
    Look(name="forced-colors", options=_wide(768, forced_colors="active")),
    Look(
        name="forced-colors-dark", options=_wide(768, forced_colors="active", color_scheme="dark")
    ),
    Look(name="print", options=_wide(794), before=lambda page: page.emulate_media(media="print")),
    Look(name="no-script", options=_wide(768, java_script_enabled=False)),
    # 1280 pixels at 400% are 320.
    Look(
        name="zoom-400",
        options={"viewport": {"width": 320, "height": 185}, "device_scale_factor": 4},
    ),
    Look(name="touch", options=_wide(360, has_touch=True, is_mobile=True)),
)
README = Look(
    name="readme", options={"viewport": {"width": 900, "height": 995}, "device_scale_factor": 2}
)
IN_README = {
    "content-renamed": ROOT / "docs" / "term.webp",
}
LOOKED_AT_OTHERWISE = frozenset({"term", "term-several-sources", "arabic-term"})

Shot = tuple[Look, View]


def shots() -> Iterator[Shot]:
    """Yields every picture, grouped by look."""
    for look in LOOKS:
        yield from ((look, view) for view in (*VIEWS, *MORE_VIEWS))
    for look in OTHER_LOOKS:
        yield from ((look, view) for view in VIEWS if view.name in LOOKED_AT_OTHERWISE)
    yield from ((README, view) for view in MORE_VIEWS if view.name in IN_README)


def main() -> None:
    wanted = [
        (look, view)
        for look, view in shots()
        if not sys.argv[1:] or view.name.startswith(tuple(sys.argv[1:]))
    ]
    FOLDER.mkdir(exist_ok=True)
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        sys.exit(f"none of {', '.join(CHROMIUM)} is on the path")
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=QUIET_CHROMIUM)
        with views.publishing(Path(folder), {**SITES, **MORE_SITES}) as address:
            for look, group in groupby(wanted, key=lambda shot: shot[0]):
                take(browser, look, [view for _, view in group], address)
        browser.close()
    print(f"{len(wanted)} pictures in {FOLDER.name}/")


def take(browser: Browser, look: Look, group: list[View], address: Callable[[View], str]) -> None:
    """Takes the pictures of one look, each in a new tab."""
    context = browser.new_context(**look.options)
    for view in group:
        page = context.new_page()
        look.before(page)
        page.goto(address(view))
        view.act(page)
        if look is README:
            IN_README[view.name].write_bytes(small_picture(page))
        else:
            picture(page, FOLDER / f"{view.name}-{look.name}.png")
        page.close()
    context.close()


def small_picture(page: Page) -> bytes:
    """Returns the viewport as WebP."""
    session = page.context.new_cdp_session(page)
    return b64decode(
        session.send("Page.captureScreenshot", {"format": "webp", "quality": 80})["data"]
    )


def picture(page: Page, path: Path) -> None:
    """Returns the whole page; with an overlay, or if it is very long, the viewport or its
    beginning."""
    if page.locator("dialog[open], [role=tooltip]:popover-open").count():
        page.screenshot(path=path)
        return
    size = page.viewport_size
    assert size
    height = page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(height, HIGHEST)}
    page.screenshot(path=path, full_page=True, clip=clip)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
