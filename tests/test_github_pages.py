"""GitHub Pages as we understand it: which file answers an address."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest
from built_site import BuiltSite, dead_links
from pages_server import published, resolve

FILES = {
    "index.html": "home",
    "404.html": "lost",
    "file.html": "file",
    "folder/index.html": "folder",
    "both.html": "the file",
    "both/index.html": "the folder",
    "empty/data.json": "{}",
    "capital/Index.html": "capital",
    "a b/größe.html": "spelled",
    ".hidden/index.html": "hidden",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


RULES = [
    ("/", 200, "index.html"),
    ("/index.html", 200, "index.html"),
    ("/file.html", 200, "file.html"),
    ("/file", 200, "file.html"),
    ("/file/", 404, "404.html"),
    ("/folder/", 200, "folder/index.html"),
    ("/folder", 301, "/folder/"),
    ("/folder/index", 200, "folder/index.html"),
    ("/both", 200, "both.html"),
    ("/both/", 200, "both/index.html"),
    ("/Folder/", 404, "404.html"),
    ("/capital/", 404, "404.html"),
    ("/empty/", 404, "404.html"),
    ("/empty/data.json", 200, "empty/data.json"),
    ("/empty/data", 404, "404.html"),
    ("/a%20b/gr%C3%B6%C3%9Fe.html", 200, "a b/größe.html"),
    ("/folder/?q=/", 200, "folder/index.html"),
    ("/folder/../file.html", 404, "404.html"),
    ("/.hidden/", 200, ".hidden/index.html"),
    ("/404.html", 200, "404.html"),
    ("/nowhere", 404, "404.html"),
]


@pytest.mark.parametrize(("path", "status", "file"), RULES)
def test_address_is_answered_as_on_github(site: Path, path: str, status: int, file: str) -> None:
    """Folders have an index, `.html` may be left out, case counts, and lost addresses have a
    page."""
    assert resolve(site, path) == (status, file)


@pytest.mark.parametrize(
    ("path", "status", "file"),
    [
        ("/vocabulary/", 200, "index.html"),
        ("/vocabulary", 301, "/vocabulary/"),
        ("/vocabulary/folder", 301, "/vocabulary/folder/"),
        ("/vocabulary/nowhere/", 404, "404.html"),
        ("/", 404, ""),
        ("/vocabularyfile.html", 404, ""),
        ("/file.html", 404, ""),
    ],
)
def test_site_of_a_project_stands_below_its_name(
    site: Path, path: str, status: int, file: str
) -> None:
    """With a base path every file is below it, and other paths are not ours."""
    assert resolve(site, path, "/vocabulary/") == (status, file)


@pytest.mark.parametrize("base", ["/", "/vocabulary/"])
def test_server_answers_by_the_same_rules(site: Path, base: str) -> None:
    """A client on the loopback gets the status and the file that the rules say, after one redirect
    at most."""
    with published(site, base) as address:
        for path, status, file in RULES:
            wanted = (200, FILES["folder/index.html"]) if status == 301 else (status, FILES[file])
            assert fetch(address + path[1:]) == wanted, path


def fetch(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("../nowhere/index.html", "where nothing is"),
        ("../Folder/index.html", "where nothing is"),
        ("../folder/#gone", "and nothing there has the id “gone”"),
        ("/folder/", "where nothing is"),
        ("https://example.org/site/gone/", "where nothing is"),
        ("http://[half/", "where nothing is"),
    ],
)
def test_dead_link_is_found(url: str, fault: str) -> None:
    """A link within a site to no page, or to no id, is dead."""
    assert [*dead_links(linking(url))] == [f"page/index.html:2: links to {url}, {fault}"]


@pytest.mark.parametrize(
    "url",
    [
        "../folder",
        "../folder/index?from=here#r1.0",
        "",
        "#top",
        "/site",
        "https://example.org/another/project/",
        "mailto:keeper@example.org",
        "data:,",
    ],
)
def test_live_link_is_not_dead(url: str) -> None:
    """Links that GitHub Pages answers, also after a redirect, and links to other sites are not
    dead."""
    assert [*dead_links(linking(url))] == []


def linking(url: str) -> BuiltSite:
    """Returns a site with a link on the second line of a page."""
    home = b'<link rel="canonical" href="https://example.org/site/">'
    page = f'<!doctype html>\n<a href="{url}">a link</a>'
    return BuiltSite(
        [
            ("index.html", home),
            ("folder/index.html", b'<h2 id="r1.0">x</h2>'),
            ("page/index.html", page.encode()),
        ]
    )
