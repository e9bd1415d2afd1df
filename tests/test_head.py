"""The head of a page: what search engines, previews of links and machines are told of it."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml.html import HtmlElement
from sites import glossary, html, markup, pages_of

from sitegen.model import Rename
from sitegen.site import exports
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


def said(page: HtmlElement, name: str) -> list[str]:
    """What the head says under a name or a property."""
    return page.xpath(f"head/meta[@name='{name}' or @property='{name}']/@content")


def thing(page: HtmlElement) -> Any:
    (text,) = page.xpath("head/script[@type='application/ld+json']/text()")
    return json.loads(text)


def test_a_term_is_shown_with_its_words() -> None:
    """A link to a term unfurls as its name, its definition and how it stands."""
    page = html(renamed(), "term/snapshot/")
    assert said(page, "og:title") == ["snapshot"]
    assert said(page, "og:site_name") == ["Example glossary"]
    assert said(page, "og:url") == [f"{BASE}term/snapshot/"]
    assert said(page, "og:type") == ["article"]
    assert said(page, "og:description") == said(page, "description")
    assert said(page, "og:description")[0].startswith("A named pointer to a volume. Called “image” until 2.0")
    assert said(page, "twitter:label1") == ["History"]
    assert said(page, "twitter:data1")[0].startswith("Called “image” until 2.0")


def test_a_frozen_page_unfurls_its_own_words() -> None:
    """A link to a wording shows that wording under its own address, and leaves being found to the living page."""
    page = html(renamed(), "term/image/0.4/")
    assert said(page, "og:title") == ["image in 0.4"]
    assert said(page, "og:url") == [f"{BASE}term/image/0.4/"]
    assert said(page, "og:description")[0].startswith("As of 0.4: A fixed pointer to a volume. Wording as of 0.4.")
    assert page.xpath("head/link[@rel='canonical']/@href") == [f"{BASE}term/snapshot/"]


def test_a_former_name_keeps_its_address() -> None:
    """A link to a former name shows what it is called now, and the term's own page stands for it."""
    page = html(renamed(), "term/image/")
    assert said(page, "og:url") == [f"{BASE}term/image/"]
    assert said(page, "twitter:data1") == ["image is now called snapshot (since 2.0)"]
    assert page.xpath("head/link[@rel='canonical']/@href") == [f"{BASE}term/snapshot/"]


def test_every_page_can_be_shared() -> None:
    """Whatever page a link leads to, it has a title, the site's name and an address of its own."""
    site = renamed()
    for address in pages_of(site):
        page = html(site, address)
        assert said(page, "og:title")[0]
        assert said(page, "og:site_name") == ["Example glossary"]
        assert said(page, "og:url") == ([] if address == "404.html" else [BASE + address])


def test_a_term_for_machines() -> None:
    """A term is a defined term of the glossary, with its other names, its slug and its address."""
    site = glossary({"1": {"snapshot; old: state capture": "A pointer."}}, base_url=BASE)
    assert thing(html(site, "term/snapshot/")) == {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": "snapshot",
        "alternateName": ["old: state capture"],
        "description": "A pointer.",
        "termCode": "snapshot",
        "url": f"{BASE}term/snapshot/",
        "inDefinedTermSet": {"@type": "DefinedTermSet", "name": "Example glossary", "url": BASE},
    }


def test_a_wording_for_machines() -> None:
    """A frozen page is its term as it was then called and worded; the page of a former name is the term itself."""
    site = renamed()
    frozen, former = thing(html(site, "term/image/0.4/")), thing(html(site, "term/image/"))
    assert (frozen["name"], frozen["url"]) == ("image", f"{BASE}term/image/0.4/")
    assert frozen["description"] == "A fixed pointer to a volume."
    assert frozen["termCode"] == "snapshot"
    assert former == thing(html(site, "term/snapshot/"))


def test_no_text_breaks_out_of_the_data() -> None:
    """A name or a definition that is markup stays a string of the data, to the letter."""
    site = glossary({"1": {HOSTILE: f"{HOSTILE} is here."}}, title=HOSTILE)
    address = next(address for address in pages_of(site) if address.startswith("term/"))
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', markup(site, address))
    assert not re.search("[<>&']", data)
    assert json.loads(data)["inDefinedTermSet"]["name"] == HOSTILE


def test_nothing_is_claimed_without_an_address() -> None:
    """A site that does not know where it is published names no addresses in its heads."""
    page = html(renamed(base_url=""), "term/snapshot/")
    assert said(page, "og:url") == []
    assert "url" not in thing(page)
    assert "url" not in thing(page)["inDefinedTermSet"]


@pytest.mark.parametrize(
    ("language", "locale"),
    [("en", ["en_US"]), ("pt-BR", ["pt_BR"]), ("zh-Hant", ["zh_TW"]), ("nl", []), ("ar-eg", ["ar_EG"])],
)
def test_a_locale_has_a_territory(language: str, locale: list[str]) -> None:
    """Previews get a locale: that of the language as it is named, or the usual one of a language of the interface."""
    assert said(html(renamed(language=language), ""), "og:locale") == locale


def test_data_beside_pages() -> None:
    """A term's page, and the first one, name the data that say the same."""
    site = renamed()
    files = {file.path for file in exports.files(site)}
    for address in ("", "term/snapshot/", "term/image/"):
        (href,) = html(site, address).xpath("head/link[@rel='alternate'][@type='application/json']/@href")
        assert address + href.removeprefix("./") in files


@pytest.mark.parametrize("base_url", ["", "https://example.org/"])
def test_every_other_form_of_a_page_is_there(base_url: str) -> None:
    """Data and twins that pages name are files of the site, and so are feeds where the site knows its address."""
    site = renamed(base_url=base_url)
    files = {file.path for file in exports.files(site)}
    kinds = set()
    for address in pages_of(site):
        for link in html(site, address).xpath("head/link[@rel='alternate']"):
            assert urljoin(f"/{address}", link.get("href"))[1:] in files
            kinds.add(link.get("type"))
    data = {"application/json", "application/ld+json", "text/csv", "text/turtle", "text/markdown"}
    assert kinds == data | ({"application/atom+xml"} if base_url else set())


def test_the_browser_has_the_colours_of_the_page() -> None:
    """What a browser draws around a page has the page's own background, in both schemes."""
    tokens = read_templates()["assets/css/tokens.css"]
    (colours,) = re.findall(r"--bg: light-dark\((\S+), (\S+)\);", tokens)
    page = html(renamed(), "")
    assert tuple(said(page, "theme-color")) == colours
