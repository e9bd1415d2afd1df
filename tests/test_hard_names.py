"""Difficult names: each has an address, a page, a row, a search result and a data file."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import lxml.html
import pytest
from pages_server import published, resolve

from sitegen.addresses import urls
from sitegen.config.parsing import ConfigError
from sitegen.config.parsing import parse as config_of
from sitegen.model import SitegenError
from sitegen.permanence.archive_file import ArchiveStore
from sitegen.permanence.archive_lines import parse
from sitegen.pipeline.site_build import build
from sitegen.sources.git.repositories import Clones

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = "-".join(["interoperability"] * 30)[:500]
UNBROKEN = "x" * 500

SLUGS = {
    "C": "c",
    "C++": "c-plus-plus",
    "C#": "c-sharp",
    "(c)": "c-2",
    ">>>": "gt-gt-gt",
    "...": "dot-dot-dot",
    "-1": "minus-1",
    "1": "1",
    "HEAD": "head",
    "head": "head-2",
    "straße": "strasse-2",
    "strasse": "strasse",
    "a": "a",
    "а": "a-2",
    "CON": "con-term",
    "Nul": "nul-term",
    "constructor": "constructor",
    "__proto__": "proto",
    "toString": "tostring",
    LONG: "interoperability-interoperability-interoperability-interoperability",
    UNBROKEN: "x" * 80,
    "🚀": "rocket",
    "中文": "中文",
    "العربية": "العربية",
    "機械学習モデル": "機械学習モデル",
    "한국어 사전": "한국어-사전",
    "обучение": "obuchenie",
    "μνήμη": "mnimi",
    "leaf operation": "leaf-operation",
    "leaf-operation": "leaf-operation-2",
    "leaf operation!": "leaf-operation-3",
    "leaf.operation": "leaf-operation-4",
    "leaf_operation": "leaf-operation-5",
    "<script>alert(1)</script>": "script-alert-1-script",
    "{{ name }}": "name",
    "%2e%2e/": "2e-2e",
    "index.html": "index-html",
}


def meaning(name: str) -> str:
    return f"What number {list(SLUGS).index(name) if name in SLUGS else -1} in the list means."


def write(folder: Path, release: str, names: Iterable[str]) -> None:
    """Writes a release as an HTML page, which can hold every name."""
    (folder / release).mkdir(parents=True)
    entries = "\n".join(
        f"<dt>{html.escape(name)}</dt><dd>{meaning(name)} {UNBROKEN}</dd>" for name in names
    )
    text = f"<!doctype html><title>Glossary</title>\n<dl>\n{entries}\n</dl>\n"
    (folder / release / "glossary.html").write_text(text, encoding="utf-8")


def built(folder: Path, output: Path, *, keep: bool = True) -> dict[str, str]:
    """Builds a site, and returns the names of its terms with their slugs."""
    archive_store = ArchiveStore(path=folder / "archive.jsonl") if keep else None
    build(
        folder,
        output,
        notify=lambda doing: None,
        clones=Clones(folder=output),
        archive_store=archive_store,
    )
    terms = json.loads((output / "glossary.json").read_text(encoding="utf-8"))["terms"]
    return {term["name"]: term["slug"] for term in terms}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds a site of all these names in `site`, from the sources in `words`."""
    folder = tmp_path_factory.mktemp("hard")
    write(folder / "words", "1.0", SLUGS)
    built(folder / "words", folder / "site")
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with published(folder / "site") as address:
        yield address


def test_slugs_are_distinct_and_readable(folder: Path) -> None:
    """Every name has its own slug, and names with the same plain slug get theirs in a fixed
    order."""
    given = built(folder / "words", folder / "unpromised", keep=False)
    assert given == SLUGS
    assert len({slug.casefold() for slug in given.values()}) == len(SLUGS)


def test_a_second_build_changes_no_address(folder: Path) -> None:
    """A second build has the same archive, and every address works."""
    archive = (folder / "words/archive.jsonl").read_bytes()
    assert built(folder / "words", folder / "site") == SLUGS
    assert (folder / "words/archive.jsonl").read_bytes() == archive
    promised = parse(archive.decode(), "archive.jsonl").by_address
    assert len(promised) >= 2 * len(SLUGS)
    assert {resolve(folder / "site", f"/{address}")[0] for address in promised} == {200}


def test_what_comes_later_moves_nobody(tmp_path: Path) -> None:
    """A later name gets a free slug, even if it sorts first; a removed one keeps its own."""
    write(tmp_path, "1.0", SLUGS)
    built(tmp_path, tmp_path / "site")
    newcomers = ["Con-term", "c 2", "(C#)", "A!"]
    write(tmp_path, "2.0", [*newcomers, *(name for name in SLUGS if name != "C")])
    later = built(tmp_path, tmp_path / "site")
    assert {name: later[name] for name in SLUGS} == SLUGS
    assert [later[name] for name in newcomers] == ["con-term-2", "c-2-2", "c-sharp-2", "a-3"]


def test_pages_of_long_and_odd_names_stay_in_view(
    page: Page, address: str, heard: list[str]
) -> None:
    """The pages of such names do not scroll sideways, and log nothing."""
    odd: list[str] = []
    for name in (LONG, UNBROKEN, "العربية", "<script>alert(1)</script>", "{{ name }}"):
        page.goto(f"{address}term/{SLUGS[name]}/")
        odd += [f"{name[:20]} on {width}" for width in (360, 1280) if scrolls(page, width)]
    assert odd + heard == []


def scrolls(page: Page, width: int) -> bool:
    page.set_viewport_size({"width": width, "height": 740})
    return bool(page.evaluate("document.documentElement.scrollWidth") > width)


@pytest.mark.parametrize("path", ["a-z/", "release/1.0/", "", "about/"])
def test_lists_of_such_names_stay_in_view(page: Page, address: str, path: str) -> None:
    """No name makes a list scroll sideways."""
    page.goto(address + path)
    assert [width for width in (360, 1280) if scrolls(page, width)] == []


def test_every_name_has_its_row(page: Page, address: str) -> None:
    """The A–Z list has one row for each name, which links to its page."""
    page.goto(f"{address}a-z/")
    rows = page.locator(".items > li > a").evaluate_all(
        "all => all.map((one) => [one.textContent, one.pathname])"
    )
    assert sorted(rows) == sorted([name, quote(f"/term/{slug}/")] for name, slug in SLUGS.items())


def test_every_name_is_found(page: Page, address: str) -> None:
    """Typed into the search, each name is the first result."""
    page.goto(f"{address}search/")
    box = page.get_by_role("main").get_by_role("searchbox")
    found = {}
    for name, slug in SLUGS.items():
        box.fill(name)
        first = page.locator(
            f'[data-results] > li:first-child a[href$="/term/{quote(slug)}/index.html"]'
        )
        first.wait_for()
        found[name] = first.text_content()
    assert found == {name: name for name in SLUGS}


def test_every_name_has_its_data(folder: Path) -> None:
    """Each page has a data file with the name as it was written."""
    for name, slug in SLUGS.items():
        data = json.loads((folder / "site/term" / slug / "index.json").read_text(encoding="utf-8"))
        assert (data["name"], data["slug"]) == (name, slug)


def test_every_name_has_its_page_and_its_frozen_page(folder: Path) -> None:
    """Each name has a page below its slug, and a frozen one, which have the name as title and show
    its definition."""
    for name, slug in SLUGS.items():
        for path, title in (("", name), ("1.0/", f"{name}, 1.0 and later")):
            page = lxml.html.parse(folder / f"site/term/{slug}/{path}index.html").getroot()
            assert [heading.text_content() for heading in page.iter("h1")] == [title]
            assert meaning(name) in page.text_content()


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ('[[slug]]\nname = "Leaf"\nslug = "con"', "'con' is a name that not every disk can hold"),
        (
            f'[[slug]]\nname = "Leaf"\nslug = "{"x" * 300}"',
            "is a name that not every disk can hold",
        ),
        (f'[[redirect]]\nfrom = "{"x" * 300}.html"', "is a path that not every disk can hold"),
        (f'[[redirect]]\nfrom = "{"x/" * 600}"', "is a path that not every disk can hold"),
        (
            '[[redirect]]\nfrom = "docs/aux.html"',
            "'docs/aux.html' is a path that not every disk can hold",
        ),
        (
            '[[redirect]]\nfrom = "docs./a.html"',
            "'docs./a.html' is a path that not every disk can hold",
        ),
        ('[[redirect]]\nfrom = ".git/a.html"', "'.git/a.html' is hidden, and not published"),
        ('[[redirect]]\nfrom = "Term/leaf/"', "'Term/leaf/' is a page of this site"),
        ('[[redirect]]\nfrom = "./"', "'./' is a page of this site"),
    ],
)
def test_a_name_that_cannot_be_published_is_refused_with_its_line(table: str, found: str) -> None:
    """A slug or an old page that some disk cannot hold is one line, before anything is read."""
    with pytest.raises(ConfigError, match=rf"\Asite\.toml:[23]: .*{re.escape(found)}") as caught:
        config_of(table, path="site.toml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("address", [*urls.OVERVIEWS, urls.SEARCH])
def test_a_page_about_the_glossary_is_no_old_page(address: str) -> None:
    """Each page about the whole glossary is a page of this site, which no old page replaces."""
    with pytest.raises(ConfigError, match="is a page of this site"):
        config_of(f'[[redirect]]\nfrom = "{address}"', path="site.toml")


@pytest.mark.parametrize(
    "old",
    ['["docs/A.html", "docs/a.html"]', '["a/", "a/index.html"]', '["a.html", "a.html/b.html"]'],
)
def test_two_old_pages_that_are_one_file_are_refused(tmp_path: Path, old: str) -> None:
    """Two old pages that are one file, on some disks or on all, end the build, and no site is
    left."""
    write(tmp_path / "words", "1.0", ["Leaf"])
    (tmp_path / "words/site.toml").write_text(f"[[redirect]]\nfrom = {old}\n")
    with pytest.raises(SitegenError, match="two files "):
        built(tmp_path / "words", tmp_path / "site")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["words"]


def test_a_file_of_a_theme_is_no_page(tmp_path: Path) -> None:
    """A file of [theme] with the name of a page ends the build, which says what to rename."""
    write(tmp_path / "words", "1.0", ["Leaf"])
    (tmp_path / "words/site.toml").write_text('[theme]\nfiles = "files"\n')
    (tmp_path / "words/files").mkdir()
    (tmp_path / "words/files/index.html").write_text("Welcome.")
    found = "'index.html': two files of the site have this name; rename the one that \\[theme]"
    with pytest.raises(SitegenError, match=found):
        built(tmp_path / "words", tmp_path / "site")
