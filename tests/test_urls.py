"""Addresses of pages, and relative links between them."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.addresses import urls
from sitegen.text.file_names import is_portable_name
from sitegen.text.words import case_folded

AWKWARD = (
    "",
    ".",
    "..",
    "../x",
    "/etc/passwd",
    "v1/2",
    "<script>alert(1)</script>",
    "1.0 ",
    "1.0.",
    "1.0RC1",
    "1.0rc1",
    "con",
    "NUL.txt",
    "nul.txt",
    "index.html",
    "index.json",
    ".hidden",
    "straße",
    "strasse",
    "a~0123456789",
    "x" * 500,
    "релиз",
    "\u202e1.0",
    "a\nb",
    "%2e%2e",
    "release 1",
    "release-1",
)


def is_one_safe_name(slug: str) -> bool:
    is_plain = "/" not in slug and not slug.startswith(".") and slug == slug.lower()
    return is_plain and is_portable_name(slug)


@pytest.mark.parametrize("name", ["1.8.2", "v2.0", "2024-07", "main", "4.0.0-rc.1", "lts_22"])
def test_ordinary_release_names_stay(name: str) -> None:
    """A release name that is safe in a path is kept."""
    assert urls.release_slug(name) == name


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_release_names_become_safe(name: str) -> None:
    """Any release name gives one harmless folder name."""
    assert is_one_safe_name(urls.release_slug(name))


def test_awkward_names_stay_apart() -> None:
    """Difficult names have different folders, also if case is ignored."""
    assert len({case_folded(urls.release_slug(name)) for name in AWKWARD}) == len(AWKWARD)


@given(st.lists(st.text(max_size=20), unique=True, min_size=2, max_size=8))
def test_distinct_releases_have_distinct_folders(names: list[str]) -> None:
    """Different release names have different folders inside the site."""
    slugs = [urls.release_slug(name) for name in names]
    assert len({case_folded(slug) for slug in slugs}) == len(names)
    assert all(map(is_one_safe_name, slugs))


def test_what_made_a_name_safe_can_be_read() -> None:
    """A changed name keeps its letters, and always changes in the same way."""
    assert urls.release_slug("Spring Release") == urls.release_slug("Spring Release")
    assert urls.release_slug("Spring Release").startswith("spring-release~")


def test_sections_differ_by_more_than_case() -> None:
    """Headings that differ only in case and white space are one section."""
    assert (
        urls.section("Storage  Things")
        == urls.section("storage things")
        == "section/storage-things/"
    )
    assert urls.section("storage-things") != urls.section("storage things")
    assert is_one_safe_name(urls.section_slug("<script>"))
    assert urls.section_slug("con") != "con"  # Windows opens a device


def test_a_link_spells_out_the_file() -> None:
    """A link ends with index.html, so that it works from disk."""
    assert urls.link(urls.term("aten"), "../../") == "../../term/aten/index.html"
    assert urls.link(urls.term("aten", anchor="r1.0"), "../") == "../term/aten/index.html#r1.0"
    assert urls.link(urls.HOME, "../../") == "../../index.html"
    assert urls.link(urls.DATA, "./") == "./glossary.json"


@pytest.mark.parametrize(
    "address", [urls.HOME, urls.A_TO_Z, urls.term("aten"), urls.release("1.0")]
)
def test_the_root_is_where_a_page_says(address: str) -> None:
    """From any page, the relative path to the root leads to the root."""
    page = urls.path(address)
    assert posixpath.normpath(posixpath.join(posixpath.dirname(page), urls.root(address))) == "."


def test_the_lost_page_knows_the_whole_path() -> None:
    """The 404 page, served at any depth, uses absolute paths."""
    assert urls.root(urls.NOT_FOUND, base_path="/glossary/") == "/glossary/"
    assert urls.root(urls.NOT_FOUND) == "/"


@pytest.mark.parametrize(
    ("name", "anchors"),
    [
        ("Leaf Operation", ("term-Leaf-Operation", "term-leaf-operation")),
        ("tensor", ("term-tensor",)),
        ("__init__.py", ("term-__init__.py", "term-init-py")),
        ("  two  spaces ", ("term-two-spaces",)),
        ("naïve", ("term-naive",)),
        (">>>", ()),
    ],
)
def test_sphinx_anchors(name: str, anchors: tuple[str, ...]) -> None:
    """A name has the ids of present Sphinx and of Sphinx before version 3."""
    assert urls.sphinx_anchors(name) == anchors


def test_two_sources_with_one_release() -> None:
    """Releases with one name in two sources have different ids."""
    assert urls.revision_anchor("1.0") == "r1.0"
    assert urls.revision_anchor("1.0", source="guide") not in {urls.revision_anchor("1.0"), "guide"}


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (urls.release("1.8.2"), "release/1.8.2/"),
        (urls.release("v1.0-rc.1"), "release/v1.0-rc.1/"),
        (urls.release("Spring Release"), "release/spring-release~9627c625a1/"),
        (urls.release("a/b"), "release/a-b~c14cddc033/"),
        (urls.release("con"), "release/con~1143da2bc5/"),
        (urls.release("版本"), "release/版本~5f76b2bf82/"),
        (urls.section("Data  loading"), "section/data-loading/"),
        (urls.section("C & C++"), "section/c-c~b7f4058b02/"),
        (urls.section("Über uns"), "section/uber-uns~692fb4e1b4/"),
        (urls.revision_anchor("1.8.2"), "r1.8.2"),
        (urls.revision_anchor("1.8.2", source="guide"), "s-guide~1.8.2"),
    ],
)
def test_addresses_never_change(address: str, expected: str) -> None:
    """The parts of an address never change: they are not taken from the archive."""
    assert address == expected
