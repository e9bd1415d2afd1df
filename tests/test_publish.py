"""A site in the place of an earlier glossary: pages at its old addresses."""

from __future__ import annotations

from pathlib import Path

import lxml.html
import pytest
from commands import Command
from glossary_folder import FILES, write

from sitegen.text.names import heading_id, heading_ids

WITH_REDIRECT = {
    **FILES,
    "site.toml": FILES["site.toml"] + '\n[[redirect]]\nfrom = ["glossary.html", "docs/words/"]\n',
}


def test_old_pages_lead_on(command: Command) -> None:
    """A redirect lists every term under its ids in Sphinx and Markdown, and leads to its page."""
    write(Path("words"), WITH_REDIRECT)
    assert command("build", "words").status == 0
    for path, root in (("glossary.html", "./"), ("docs/words/index.html", "../../")):
        page = lxml.html.fromstring(Path("site", path).read_text(encoding="utf-8"))
        [item] = page.xpath('//li[span[@id="term-Kernel"] and span[@id="kernel"]]')
        assert item.find("a").get("href") == f"{root}term/kernel/index.html"
        ids = [element.get("id") for element in page.iter() if element.get("id")]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "place", ["term/x.html", "index.html", "/glossary.html", "glossary.pdf", "../up.html"]
)
def test_old_page_is_no_page_of_ours(place: str, command: Command) -> None:
    """A redirect from a page of the site itself, or from no page, is refused with its line."""
    write(
        Path("words"),
        {**FILES, "site.toml": FILES["site.toml"] + f'\n[[redirect]]\nfrom = "{place}"\n'},
    )
    result = command("build", "words")
    assert result.status == 2
    assert "words/site.toml:" in result.err


def test_heading_ids_are_those_of_github() -> None:
    """Punctuation is removed, spaces become hyphens, and letters of any alphabet stay."""
    assert [heading_id(name) for name in ("C++", "Größe (SI)", "a_b c-d", "हिन्दी")] == [
        "c",
        "größe-si",
        "a_b-c-d",
        "हिन्दी",
    ]


def test_heading_ids_of_mkdocs_lack_marks() -> None:
    """A link or an earlier address may have the id that MkDocs gives a heading, without vowels and
    dots that are characters of their own."""
    assert heading_ids("हिन्दी") == ("हिन्दी", "हनद")
    assert heading_ids("İğne") == ("i̇ğne", "iğne")
    assert heading_ids("Jig") == ("jig",)
