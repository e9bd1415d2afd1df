"""Structured data for the head of a page, in the vocabulary of schema.org."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sitegen.addresses import urls
from sitegen.model import Prose
from sitegen.site.pages.page import PageData, brief

Thing = Mapping[str, object]


def defined_term(
    name: str, definition: Prose, *, slug: str, address: str = "", others: Iterable[str] = (), data: PageData
) -> Thing:
    """Returns a term of the glossary, or one wording of it if `address` is that of a frozen page."""
    thing = {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": name,
        "alternateName": list(others),
        "description": brief(definition),
        "termCode": slug,
        "url": _url(address or urls.term(slug), data),
        "inDefinedTermSet": _without_empty(
            {"@type": "DefinedTermSet", "name": data.site.title, "url": _url("", data)}
        ),
    }
    return _without_empty(thing)


def _url(address: str, data: PageData) -> str:
    return data.site.base_url and data.site.base_url + address


def _without_empty(thing: Thing) -> Thing:
    """Returns the same without empty values."""
    return {key: value for key, value in thing.items() if value}
