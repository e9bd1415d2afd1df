"""sitemap.xml: what search engines index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest
from glossaries import source
from lxml import etree
from sites import export_files, glossary, pages_of, site_of

from sitegen.addresses import urls
from sitegen.site import exports
from sitegen.site.site import Site

BASE = "https://example.org/words/"
RELEASES = {
    "1.0": {"Storage/ state image": "A pointer to a volume.", "tape": "Slow."},
    "2.0": {"Storage/ snapshot": "A pointer to a volume.", "ball": "Round."},
    "3.0": {"Storage/ snapshot": "A pointer to a volume.", "ball": "Round."},
}
NOT_LISTED = (
    "pages/frozen.html",
    "pages/search.html",
    "pages/404.html",
    "pages/kept.html",
    "pages/release-terms.html",
    "pages/changes-since.html",
)


def made(site: Site) -> Mapping[str, bytes]:
    return {file.path: file.content for file in export_files(site)}


def listed(content: bytes) -> dict[str, str]:
    """Returns the addresses in a sitemap, with the dates of their last changes."""
    root = etree.fromstring(content)
    assert root.nsmap[None] == "http://www.sitemaps.org/schemas/sitemap/0.9"
    return {entry.findtext("{*}loc"): entry.findtext("{*}lastmod", "") for entry in root}


def dated() -> Site:
    read = source("example", RELEASES)
    days = {"1.0": date(2020, 1, 2), "2.0": date(2021, 3, 4)}
    releases = tuple(replace(one, date=days.get(one.name)) for one in read.releases)
    return site_of(replace(read, releases=releases), base_url=BASE)


def test_every_living_page_is_listed() -> None:
    """The sitemap has every canonical page, also of removed terms, and no other."""
    site = dated()
    living = {
        BASE + page.address
        for page in pages_of(site).values()
        if page.canonical in (None, page.address) and page.template not in NOT_LISTED
    }
    assert listed(made(site)["sitemap.xml"]).keys() == living
    assert f"{BASE}term/tape/" in living
    assert f"{BASE}term/state-image/" not in living


def test_pages_have_the_day_of_what_changed_last() -> None:
    """A term has the date of its last dated change, a list that of the newest release."""
    days = listed(made(dated())["sitemap.xml"])
    assert days[f"{BASE}term/snapshot/"] == "2021-03-04"
    assert days[f"{BASE}release/1.0/"] == "2020-01-02"
    assert days[BASE] == "2021-03-04"
    assert set(listed(made(glossary(RELEASES, base_url=BASE))["sitemap.xml"]).values()) == {""}


def test_a_large_sitemap_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit sitemap.xml has the first addresses; search engines find the others on these
    pages."""
    whole = listed(made(dated())["sitemap.xml"])
    monkeypatch.setattr(exports, "MAX_IN_SITEMAP", 4)
    assert [*listed(made(dated())["sitemap.xml"])] == [*whole][:4]


def test_addresses_are_escaped() -> None:
    """Addresses in a sitemap have ASCII characters only, as its protocol says."""
    site = glossary({"1.0": {"张量": "A grid."}}, base_url=BASE)
    assert f"{BASE}term/%E5%BC%A0%E9%87%8F/" in listed(made(site)["sitemap.xml"])


@pytest.mark.parametrize("base", ["", "https://example.org/words/"])
def test_what_is_written_where(base: str) -> None:
    """A sitemap needs absolute addresses."""
    assert (urls.SITEMAP in made(glossary(RELEASES, base_url=base))) == (base != "")
