"""GitHub Pages as we understand it: which file answers an address, and which files it refuses."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest
from pages_server import published, resolve

from sitegen.tools.built_site import FILE_LIMIT, SITE_LIMIT, unfit

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


# What it will not take.


def found(sizes: dict[str, int]) -> list[str]:
    return [f"{problem.path}: {problem.found}" for problem in unfit(sizes)]


def test_site_as_we_write_it_is_taken() -> None:
    """Pages, files and .nojekyll raise no problem."""
    assert found({"term/a.html": 1, "a.b": 1, ".nojekyll": 0}) == []


@pytest.mark.parametrize(
    ("files", "result"),
    [
        (
            {"a": FILE_LIMIT + 1},
            "a: it has 100,000,001 bytes, and GitHub accepts at most 100,000,000 in one file",
        ),
    ],
)
def test_what_github_does_not_take_is_named(files: dict[str, int], result: str) -> None:
    """Each file or folder that cannot be published as it is gives one problem that names it."""
    [problem] = found(files)
    assert problem.startswith(result)


def test_what_is_just_allowed_is_taken() -> None:
    """Files and sites of exactly the limit are no problem."""
    assert found({"a": FILE_LIMIT}) == []
    assert found({str(number): SITE_LIMIT // 10 for number in range(10)}) == []


def test_site_as_a_whole_can_be_too_large() -> None:
    """A site above one gigabyte is a problem, even if no file is too large."""
    [result] = found({str(number): SITE_LIMIT // 10 for number in range(11)})
    assert (
        result == "index.html: the site has 1,100,000,000 bytes, and GitHub Pages accepts at most "
        "1,000,000,000"
    )
