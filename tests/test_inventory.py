"""objects.inv: Sphinx projects link to our terms, tested with Sphinx on a served site."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import lxml.html
import pytest
from glossaries import Glossary, source
from pages_server import published
from sites import export_files, files_of, glossary, html, site_of, words

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.site import Site
from sitegen.site.templates import read_templates

ATEN = {"ATen; A Tensor Library": "A library."}
POINTER = "A pointer to the state of a volume."
RELEASES = {
    "1.0": {**ATEN, "state image": POINTER, "tape": "Slow and cheap."},
    "1.1": {**ATEN, "snapshot": POINTER},
    "2.0": {"ATen; A Tensor Library": "The library of it all.", "snapshot": POINTER},
}


def entries(file: File) -> Mapping[str, str]:
    """Returns the names of an inventory with their addresses, relative to the site's root."""
    lines = zlib.decompress(file.content.split(b"\n", 4)[4]).decode().splitlines()
    fields = (line.split(" std:term -1 ") for line in lines)
    return {name: urljoin("/" + file.path, rest.removesuffix(" -"))[1:] for name, rest in fields}


def inventory(site: Site, release: str = "") -> Mapping[str, str]:
    path = urls.release_inventory(release) if release else urls.INVENTORY
    return entries(next(file for file in export_files(site) if file.path == path))


def test_every_name_of_a_term_leads_to_its_page() -> None:
    """Preferred, other and former names are listed, and those of removed terms."""
    assert inventory(glossary(RELEASES)) == {
        "A Tensor Library": "term/aten/",
        "ATen": "term/aten/",
        "snapshot": "term/snapshot/",
        "state image": "term/snapshot/",
        "tape": "term/tape/",
    }


def test_a_release_lists_what_it_called_and_how_it_was_worded() -> None:
    """The inventory of a release has its names, which lead to the wordings then in force."""
    site = glossary(RELEASES)
    assert inventory(site, "1.0") == {
        "A Tensor Library": "term/aten/1.0/",
        "ATen": "term/aten/1.0/",
        "state image": "term/state-image/1.0/",
        "tape": "term/tape/1.0/",
    }
    assert inventory(site, "1.1") == {
        "A Tensor Library": "term/aten/1.0/",
        "ATen": "term/aten/1.0/",
        "snapshot": "term/state-image/1.0/",
    }
    assert inventory(site, "2.0")["ATen"] == "term/aten/2.0/"


def test_every_address_in_a_list_is_on_the_site() -> None:
    """Every address in an inventory exists on the site."""
    site = glossary(RELEASES)
    files = {file.path: file for file in files_of(site, read_templates())}
    lists = [file for path, file in files.items() if path.endswith("objects.inv")]
    assert len(lists) == 4
    led_to = {urls.path(address) for file in lists for address in entries(file).values()}
    assert led_to - files.keys() == set()


def test_the_name_of_a_term_in_force_is_never_anothers() -> None:
    """A former name, or a name of a removed term, gives way to a current name, also in another
    case."""
    site = glossary({"1": {"HEAD": "The commit.", "head": "A branch."}, "2": {"head": "A branch."}})
    assert {life.name: life.status for life in site.lives} == {"HEAD": "removed", "head": "current"}
    assert inventory(site) == {"head": "term/head-2/"}


def test_names_told_apart_by_case_are_both_listed() -> None:
    """HEAD and head, defined side by side, have their own entries: Sphinx looks for the exact case
    first."""
    assert inventory(glossary({"1": {"HEAD": "The commit.", "head": "A branch."}})) == {
        "HEAD": "term/head/",
        "head": "term/head-2/",
    }


def test_what_is_in_no_release_has_no_list() -> None:
    """A branch has no inventory; in a later release its words lead to the term's page."""
    read = source("example", {"1.0": {"a": "One."}, "main": {"a": "Two."}, "2.0": {"a": "Two."}})
    heads = tuple(replace(release, unreleased=release.name == "main") for release in read.releases)
    site = site_of(replace(read, releases=heads))
    paths = {file.path for file in export_files(site)}
    assert {
        path for path in paths if path.endswith("objects.inv") and path.startswith("release/")
    } == {
        "release/1.0/objects.inv",
        "release/2.0/objects.inv",
    }
    assert inventory(site, "2.0") == {"a": "term/a/#r2.0"}


@pytest.mark.parametrize(
    "name",
    ["foo std:term 1 x", "foo bar:baz 1", "diabetes of type 2", "a b -1 c", "x y 3", "a b ٣"],
)
def test_a_name_that_would_forge_an_entry_is_left_out(name: str) -> None:
    """A name that Sphinx would split is in no inventory; it is no problem."""
    site = glossary({"1": {name: "A definition.", "good": "Another."}})
    assert inventory(site) == {"good": "term/good/"}
    assert inventory(site, "1") == {"good": "term/good/1/"}
    assert site.problems == ()


@pytest.mark.parametrize(
    "name", ["type 2 diabetes", "ISO 1087", "3", "a b c", "C++", ":ref:`x`", "é\u200f", "-1 -1"]
)
def test_other_odd_names_are_listed(name: str) -> None:
    """Names with numbers or any other characters are listed."""
    site = glossary({"1": {name: "A definition."}})
    assert list(inventory(site)) == [name]


def test_sphinx_reads_just_what_was_written() -> None:
    """From an inventory of hostile names, Sphinx reads exactly the listed ones."""
    reader = pytest.importorskip(
        "sphinx.util.inventory", reason="sphinx is not installed"
    ).InventoryFile
    names = [
        "x py:function 1 evil",
        "a\nb std:label -1 evil Evil",
        "$",
        "# Project: x",
        "ok - -",
        "9 9",
        "'\"<>&",
    ]
    site = glossary({"1": dict.fromkeys(names, "A definition.")})
    content = next(file.content for file in export_files(site) if file.path == urls.INVENTORY)
    data = reader.loads(content, uri="").data
    assert {kind: sorted(listed) for kind, listed in data.items()} == {
        "std:term": ["# Project: x", "$", "'\"<>&", "9 9", "ok - -"]
    }


def test_line_breaks_and_control_characters_in_a_name() -> None:
    """Line breaks become spaces, and characters that UTF-8 cannot encode are replaced."""
    site = glossary({"1": {"a\nb\u2028c\x85d": "One.", "x\udc80y\x00": "Two."}})
    assert set(inventory(site)) == {"a b c d", "x\ufffdy\ufffd"}


def test_the_title_cannot_break_the_head() -> None:
    """A title of two lines is one line of the header."""
    (file, *_) = (
        file
        for file in export_files(glossary(RELEASES, title="A\nB"))
        if file.path == urls.INVENTORY
    )
    assert file.content.splitlines()[1] == b"# Project: A B"


MAPPING = re.compile(r'^ +"(\S+)": \("(\S+)", None\),$', re.MULTILINE)


def test_a_plain_reference_means_the_term_of_today() -> None:
    """Sphinx lets the last mapping by name win: in docs/ that of the whole site, which the about
    page has alone."""
    docs = (Path(__file__).parent.parent / "docs/sphinx.md").read_text(encoding="utf-8")
    mappings = MAPPING.findall(docs)
    assert len(mappings) == 2
    assert max(mappings)[1] == "https://example.org/vocabulary/"
    assert not any("." in name for name, _ in mappings)
    site = glossary({"1.0": ATEN}, base_url="https://example.org/vocabulary/")
    mapping = 'intersphinx_mapping = {"glossary-now": ("https://example.org/vocabulary/", None)}'
    assert mapping in html(site, "about/").text_content()


# Sphinx itself.

CONF = """
extensions = ["sphinx.ext.intersphinx", "myst_parser"]
intersphinx_mapping = {{"words-now": ("{base}", None), "words-at-1_0": ("{base}release/1.0/", None)}}
nitpicky = True
"""

RST = """
Words
=====

:term:`ATen`, :term:`aten`, :term:`a tensor library`, :term:`shown so <snapshot>`, :term:`state
image`, :external+words-at-1_0:term:`state image`, :external+words-at-1_0:term:`ATen`

.. toctree:: myst
"""

MYST = """
# More words

{term}`ATen`, {external+words-at-1_0:term}`tape`, <inv:words-at-1_0:std:term#ATen>
"""


@pytest.fixture(scope="module")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, str]:
    """The base address of a served site, a Sphinx project built against it, and Sphinx's
    messages."""
    for needed in ("sphinx", "myst_parser"):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    folder = tmp_path_factory.mktemp("documentation")
    site = glossary(RELEASES)
    for file in files_of(site, read_templates()):
        path = folder / "site" / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    with published(folder / "site", base="/words/") as base:
        (folder / "docs").mkdir()
        for name, text in {
            "conf.py": CONF.format(base=base),
            "index.rst": RST,
            "myst.md": MYST,
        }.items():
            (folder / "docs" / name).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "sphinx", "-q", "-E", folder / "docs", folder / "html"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    return base, folder / "html", run.stderr


def links(page: Path) -> list[tuple[str | None, str | None]]:
    """Returns the texts of a page's external links, and the addresses that a client requests."""
    requests = pytest.importorskip("requests", reason="requests is not installed")
    found = lxml.html.parse(page).getroot().find_class("external")
    return [
        (words(link), requests.Request("GET", link.get("href")).prepare().url) for link in found
    ]


def test_a_real_sphinx_finds_every_name(documentation: tuple[str, Path, str]) -> None:
    """`:term:` in reStructuredText resolves every name to our pages, in any case, without a
    warning."""
    base, html, result = documentation
    assert result == ""
    assert links(html / "index.html")[:7] == [
        ("ATen", f"{base}term/aten/"),
        ("aten", f"{base}term/aten/"),
        ("a tensor library", f"{base}term/aten/"),
        ("shown so", f"{base}term/snapshot/"),
        ("state image", f"{base}term/snapshot/"),
        ("state image", f"{base}term/state-image/1.0/"),
        ("ATen", f"{base}term/aten/1.0/"),
    ]


def test_a_real_myst_finds_them_too(documentation: tuple[str, Path, str]) -> None:
    """The roles and links of MyST resolve them too."""
    base, html, _ = documentation
    assert links(html / "myst.html") == [
        ("ATen", f"{base}term/aten/"),
        ("tape", f"{base}term/tape/1.0/"),
        ("ATen", f"{base}term/aten/1.0/"),
    ]


def test_each_spelling_of_a_name_keeps_its_id() -> None:
    """The ids that Sphinx gave to a name lead to its term, whatever its capitals were; that of
    another name leads to the first term with the name, unless it is the address of a term."""
    releases: Glossary = {
        "1": {"AJAX": "A way to load.", "Core; Kernel": "A loop."},
        "2": {"Ajax": "A way to load.", "Kernel": "Another one.", "Tail; Root": "The end."},
        "3": {"Ajax": "A way to load.", "Zone; Root": "A part."},
    }
    site = site_of(source("s", releases))
    name_of_key = {life.key: life.name for life in site.lives}
    names = {id: name_of_key[key] for id, key in site.addresses.sphinx_ids.items()}
    assert names["term-AJAX"] == names["term-Ajax"] == names["term-ajax"] == "Ajax"
    assert names["term-Kernel"] == "Kernel"
    assert names["term-Root"] == "Tail"
