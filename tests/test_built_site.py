"""Links, ids and rows that `check` reads from pages and archives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sites import pages_of, templates

from sitegen.model import Problem, ProblemKind
from sitegen.site.rendering import Renderer
from sitegen.site.site import Site
from sitegen.tools.built_site import BuiltSite, parse_page
from sitegen.tools.findings import Checked, Finding

PAGE = b"""<!doctype html>
<link rel="canonical" href="https://example.org/">
<body id="top-of-it"><a name="old" href="#a&amp;b">x</a>
<p class="term-status lead">now <strong><a href="b/">B</a></strong></p>
<img src=c.png srcset="d,1.png, e.png 2x , data:image/png;base64,AA 3x"><form action='f'></form>
"""


def test_page_gives_its_ids_and_links() -> None:
    """Ids, old-style names and links of every kind are found with their lines, entities
    resolved."""
    page = parse_page(PAGE)
    assert page.ids == {"top-of-it", "old"}
    assert [(link.url, link.line) for link in page.links] == [
        ("https://example.org/", 2),
        ("#a&b", 3),
        ("b/", 4),
        ("c.png", 5),
        ("d,1.png", 5),
        ("e.png", 5),
        ("data:image/png;base64,AA", 5),
        ("f", 5),
    ]
    assert page.canonical == "https://example.org/"


@given(st.binary(max_size=200))
def test_no_page_raises(html: bytes) -> None:
    """Any bytes in a page are read without an error."""
    parse_page(html)


@pytest.mark.parametrize(
    "html", [b"", b"\x00", b"<" * 50_000, b"<b>" * 50_000 + b"<a id=deep>", b"\xff\xfe<\x00a\x00"]
)
def test_odd_pages_have_no_links(html: bytes) -> None:
    """Files that are empty, not HTML or nested too deeply have no links."""
    assert parse_page(html).links == ()


def built(site: Site) -> BuiltSite:
    renderer = Renderer(templates(), site)
    files = (renderer.render(page) for page in pages_of(site).values())
    return BuiltSite((file.path, file.content) for file in files)


def test_findings_are_told_by_kind() -> None:
    """Findings are listed below the title of their kind, equal ones once, with their details
    indented."""
    link = Finding(
        problem=Problem(
            kind=ProblemKind.LINK, path="a.html", line=3, found="links to b, where nothing is"
        )
    )
    reference = Finding(
        problem=Problem(
            kind=ProblemKind.REFERENCE, path="a:b", found="a bad name", wanted="a better"
        ),
        more=("why",),
    )
    assert [*Checked(findings=(reference, link, link), pages=2, links=9, addresses=1).lines()] == [
        "Links that lead nowhere (2)",
        "  a.html:3: links to b, where nothing is (and at 1 more place, last a.html:3)",
        "References to what is not defined (1)",
        "  a:b: a bad name; a better",
        "      why",
        "3 findings in 2 pages, 9 links and 1 published address",
    ]
