"""What the pages of a term and of its wordings tell search engines and previews of links: a
description, the status, and structured data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from sitegen.model import Prose
from sitegen.model.terms import Life
from sitegen.site.messages import plain
from sitegen.site.pages.page import Page
from sitegen.site.site import Site
from sitegen.text.summary import summary
from sitegen.text.words import is_unspaced

DESCRIPTION_BYTES = 300


def described(
    page: Page,
    life: Life,
    site: Site,
    *,
    name: str,
    definition: Prose,
    status: Markup,
    start: str = "",
    other_names: Sequence[str] = (),
) -> Page:
    """Returns a page of a term with its description and structured data. `status` is the sentence
    under the name, and the description begins with `start`."""
    standing = plain(status)
    thing: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": name,
        "description": summary(definition),
        "disambiguatingDescription": standing,
        "termCode": site.slugs[life.key],
    }
    glossary = {"@type": "DefinedTermSet", "name": site.title}
    if site.base_url:
        thing["url"] = site.base_url + page.address
        glossary["url"] = site.base_url
    if site.languages:  # else the language may be only the default
        glossary["inLanguage"] = site.language
    thing["inDefinedTermSet"] = glossary
    if other_names:
        thing["alternateName"] = other_names
    return replace(
        page,
        description=_description(definition, standing, start=start),
        canonical=site.address(life.key),
        standing=standing,
        structured_data=thing,
    )


def _description(definition: Prose, standing: str, *, start: str) -> str:
    """Returns a page's description: the summary of the definition, then the status. If both are too
    long, the summary is cut."""
    text = f"{start} {summary(definition)}".strip()
    max_bytes = DESCRIPTION_BYTES - len(f" {standing}".encode())
    return f"{_cut(text, max_bytes)} {standing}".strip()


def _cut(text: str, max_bytes: int) -> str:
    """Returns a text, cut at the end of a word if it has too many bytes. Chinese and Japanese have
    no spaces and are cut at any character, as is one long word."""
    encoded = text.encode()
    if len(encoded) <= max_bytes:
        return text
    truncated = encoded[: max(0, max_bytes - len("…".encode()))].decode(errors="ignore")
    end = len(truncated)
    while end > 0 and truncated[end - 1] != " " and not is_unspaced(truncated[end - 1]):
        end -= 1
    words = truncated[:end] or truncated
    return words.rstrip(" ,;:–—،؛") + "…"
