"""GitHub Pages as we understand it: which file answers an address, and which files it refuses."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import pytest
from pages_server import published, resolve

from sitegen.tools.github_pages import FILE_LIMIT, SITE_LIMIT, SiteFile, unfit

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
    ("/.hidden/", 404, "404.html"),
    ("/404.html", 200, "404.html"),
    ("/nowhere", 404, "404.html"),
]


@pytest.mark.parametrize(("path", "status", "file"), RULES)
def test_address_is_answered_as_on_github(site: Path, path: str, status: int, file: str) -> None:
    """Folders have an index, `.html` may be left out, case counts, and lost addresses have a page."""
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
def test_site_of_a_project_stands_below_its_name(site: Path, path: str, status: int, file: str) -> None:
    """With a base path every file is below it, and other paths are not ours."""
    assert resolve(site, path, "/vocabulary/") == (status, file)


@pytest.mark.parametrize("base", ["/", "/vocabulary/"])
def test_server_answers_by_the_same_rules(site: Path, base: str) -> None:
    """A client on the loopback gets the status and the file that the rules say, after one redirect at most."""
    with published(site, base) as address:
        for path, status, file in RULES:
            wanted = (200, FILES["folder/index.html"]) if status == 301 else (status, FILES[file])
            assert fetch(address + path[1:]) == wanted, path


def fetch(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


# What it will not take.


def found(*files: SiteFile) -> list[str]:
    return [f"{problem.path}: {problem.found}" for problem in unfit(files)]


def test_site_as_we_write_it_is_taken() -> None:
    """Files and folders readable by all, and .nojekyll, raise no problem."""
    assert (
        found(
            SiteFile(path="term", kind="folder", mode=0o755), SiteFile(path="term/a.html"), SiteFile(path=".nojekyll")
        )
        == []
    )


@pytest.mark.parametrize(
    ("file", "result"),
    [
        (SiteFile(path="a", kind="link"), "a symbolic link"),
        (SiteFile(path="a", kind="other"), "neither a file nor a folder"),
        (SiteFile(path="a", mode=0o600), "not everybody may read it: its mode is 0600"),
        (SiteFile(path="a", mode=0o044), "not everybody may read it: its mode is 0044"),
        (SiteFile(path="a", kind="folder", mode=0o744), "not everybody may read it: its mode is 0744"),
        (SiteFile(path=".well-known", kind="folder", mode=0o755), "begins with a dot"),
        (SiteFile(path="term/.DS_Store"), "begins with a dot"),
        (SiteFile(path="a:b"), "a name that not every disk can hold"),
        (SiteFile(path="term/con.html"), "a name that not every disk can hold"),
        (SiteFile(path="a" * 256), "a name that not every disk can hold"),
        (
            SiteFile(path="a", size=FILE_LIMIT + 1),
            "it has 100,000,001 bytes, and GitHub takes 100,000,000 in one file",
        ),
    ],
)
def test_what_github_does_not_take_is_named(file: SiteFile, result: str) -> None:
    """Each file that cannot be published as it is gives one problem that names it."""
    [problem] = unfit([file])
    assert (problem.path, problem.found.startswith(result)) == (file.path, True)


def test_what_is_just_allowed_is_taken() -> None:
    """Files and sites of exactly the limit, and modes without the group's bits, are no problem."""
    part = SITE_LIMIT // 10
    assert found(SiteFile(path="a", size=FILE_LIMIT, mode=0o404), SiteFile(path="b", kind="folder", mode=0o705)) == []
    assert found(*(SiteFile(path=str(number), size=part) for number in range(10))) == []


def test_site_as_a_whole_can_be_too_large() -> None:
    """A site above one gigabyte is a problem, even if no file is too large."""
    part = SITE_LIMIT // 10
    [result] = found(*(SiteFile(path=str(number), size=part) for number in range(11)))
    assert result == "index.html: the site has 1,100,000,000 bytes, and GitHub Pages takes 1,000,000,000"


def test_names_that_some_disks_take_for_one() -> None:
    """Names that differ only in case or normal form are a problem; the same name in two folders is none."""
    assert found(SiteFile(path="term/HEAD"), SiteFile(path="term/head"), SiteFile(path="release/head")) == [
        "term/head: some disks take it for term/HEAD"
    ]
    assert len(found(SiteFile(path="caf\u00e9"), SiteFile(path="cafe\u0301"))) == 1
