"""The head of a page: data for search engines, link previews and programs."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml.html import HtmlElement
from sites import export_files, glossary, html, markup, pages_of

from sitegen.config.tables import Rename
from sitegen.site.site import Site
from sitegen.site.templates import read_templates

BASE = "https://example.org/glossary/"
HOSTILE = "</script><script>alert('1')</script>&amp;\u2028<!--"


def renamed(**facts: Any) -> Site:
    """`image` is reworded in 1.2 and called `snapshot` in 2.0."""
    return glossary(
        {
            "0.4": {"image": "A fixed pointer to a volume.", "volume": "A space."},
            "1.2": {"image": "A named pointer to a volume.", "volume": "A space."},
            "2.0": {"snapshot": "A named pointer to a volume.", "volume": "A space."},
        },
        renames=(Rename(source="example", old="image", new="snapshot"),),
        **{"base_url": BASE, **facts},
    )


def result(page: HtmlElement, name: str) -> list[str]:
    """Returns the content of a meta element by its name or property."""
    return page.xpath(f"head/meta[@name='{name}' or @property='{name}']/@content")


def thing(page: HtmlElement) -> Any:
    (text,) = page.xpath("head/script[@type='application/ld+json']/text()")
    return json.loads(text)


def test_a_term_is_shown_with_its_words() -> None:
    """The preview of a term's page has its name, definition and status."""
    page = html(renamed(), "term/snapshot/")
    assert result(page, "og:title") == ["snapshot"]
    assert result(page, "og:site_name") == ["Example glossary"]
    assert result(page, "og:url") == [f"{BASE}term/snapshot/"]
    assert result(page, "og:type") == ["article"]
    assert result(page, "og:description") == result(page, "description")
    assert result(page, "og:description")[0].startswith(
        "A named pointer to a volume. Called “image” before 2.0"
    )
    assert result(page, "twitter:label1") == ["History"]
    assert result(page, "twitter:data1")[0].startswith("Called “image” before 2.0")


def test_a_long_definition_without_spaces_is_cut_at_a_character() -> None:
    """A description has at most 300 bytes, also in Chinese."""
    site = glossary({"1.0": {"张量": "多维数组，可以存储数据，" * 12}}, language="zh-Hans")
    [description] = result(html(site, "term/张量/"), "description")
    assert description.startswith("多维数组，可以存储数据，多维数组")
    assert 280 < len(description.encode()) <= 300


def test_a_cut_description_ends_with_a_word() -> None:
    """No comma is left before the ellipsis, also where a word takes many bytes."""
    site = glossary({"1.0": {"सूची": "शब्द, " * 80}})
    [description] = result(html(site, "term/सूची/"), "description")
    assert "शब्द… " in description


def test_descriptions_are_plain_text() -> None:
    """Descriptions have no elements, also if the interface lacks the glossary's language."""
    site = renamed(language="la")
    for page in pages_of(site).values():
        [description] = result(html(site, page.address), "description")
        assert "<" not in description


def test_a_frozen_page_unfurls_its_own_words() -> None:
    """The preview of a frozen page has its wording; its canonical address is the term's page."""
    page = html(renamed(), "term/image/0.4/")
    assert result(page, "og:title") == ["image, 0.4"]
    assert result(page, "og:url") == [f"{BASE}term/image/0.4/"]
    assert result(page, "og:description")[0].startswith(
        "As of 0.4: A fixed pointer to a volume. Replaced in 1.2"
    )
    assert page.xpath("head/link[@rel='canonical']/@href") == [f"{BASE}term/snapshot/"]


def test_a_former_name_keeps_its_address() -> None:
    """The preview of a former name has the present name, and its canonical address is the term's
    page."""
    page = html(renamed(), "term/image/")
    assert result(page, "og:url") == [f"{BASE}term/image/"]
    assert result(page, "twitter:data1") == ["Now called snapshot, since 2.0"]
    assert page.xpath("head/link[@rel='canonical']/@href") == [f"{BASE}term/snapshot/"]


def test_every_page_can_be_shared() -> None:
    """Every page has a title, the site's name and its own address."""
    site = renamed()
    for address in pages_of(site):
        page = html(site, address)
        assert result(page, "og:title")[0]
        assert result(page, "og:site_name") == ["Example glossary"]
        assert result(page, "og:url") == ([] if address == "404.html" else [BASE + address])


def test_a_term_for_machines() -> None:
    """The structured data of a term have its names, its slug and its address."""
    site = glossary({"1": {"snapshot; old: state capture": "A pointer."}}, base_url=BASE)
    assert thing(html(site, "term/snapshot/")) == {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": "snapshot",
        "alternateName": ["old: state capture"],
        "description": "A pointer.",
        "disambiguatingDescription": "In the glossary since 1 or earlier",
        "termCode": "snapshot",
        "url": f"{BASE}term/snapshot/",
        "inDefinedTermSet": {"@type": "DefinedTermSet", "name": "Example glossary", "url": BASE},
    }


def test_a_wording_for_machines() -> None:
    """The structured data of a frozen page have the name and wording of then, those of a former
    name its own."""
    site = renamed()
    frozen, former = thing(html(site, "term/image/0.4/")), thing(html(site, "term/image/"))
    assert (frozen["name"], frozen["url"]) == ("image", f"{BASE}term/image/0.4/")
    assert frozen["description"] == "A fixed pointer to a volume."
    assert frozen["termCode"] == "snapshot"
    assert (former["name"], former["url"]) == ("image", f"{BASE}term/image/")
    assert former["disambiguatingDescription"] == "Now called snapshot, since 2.0"
    assert former["description"] == thing(html(site, "term/snapshot/"))["description"]


def test_no_text_breaks_out_of_the_data() -> None:
    """A name or definition with markup stays a string of the structured data."""
    site = glossary({"1": {HOSTILE: f"{HOSTILE} is here."}}, title=HOSTILE)
    address = next(address for address in pages_of(site) if address.startswith("term/"))
    (data,) = re.findall(
        r'<script type="application/ld\+json">(.*?)</script>', markup(site, address)
    )
    assert not re.search("[<>&']", data)
    assert json.loads(data)["inDefinedTermSet"]["name"] == HOSTILE


def test_nothing_is_claimed_without_an_address() -> None:
    """Without base_url, heads contain no addresses."""
    page = html(renamed(base_url=""), "term/snapshot/")
    assert result(page, "og:url") == []
    assert "url" not in thing(page)
    assert "url" not in thing(page)["inDefinedTermSet"]


def test_data_beside_pages() -> None:
    """A term's page and the home page link to their data."""
    site = renamed()
    files = {file.path for file in export_files(site)}
    for address in ("", "term/snapshot/", "term/image/"):
        (href,) = html(site, address).xpath(
            "head/link[@rel='alternate'][@type='application/json']/@href"
        )
        assert address + href.removeprefix("./") in files


@pytest.mark.parametrize("base_url", ["", "https://example.org/"])
def test_every_other_form_of_a_page_is_there(base_url: str) -> None:
    """Linked data, Markdown versions and feeds are files of the site."""
    site = renamed(base_url=base_url)
    files = {file.path for file in export_files(site)}
    kinds = set()
    for address in pages_of(site):
        for link in html(site, address).xpath("head/link[@rel='alternate']"):
            assert urljoin(f"/{address}", link.get("href"))[1:] in files
            kinds.add(link.get("type"))
    data = {"application/json", "text/csv", "text/turtle", "text/markdown"}
    assert kinds == data | ({"application/atom+xml"} if base_url else set())


def test_the_browser_has_the_colors_of_the_page() -> None:
    """The theme color is the page's background in both schemes."""
    tokens = read_templates()["assets/css/tokens.css"]
    (colors,) = re.findall(r"--bg: light-dark\((\S+), (\S+)\);", tokens)
    page = html(renamed(), "")
    assert tuple(result(page, "theme-color")) == colors
