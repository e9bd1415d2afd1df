"""What a page is about, for machines: in the vocabulary of schema.org, as it stands in the page's head."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sitegen.addresses import urls
from sitegen.model import Prose
from sitegen.site.pages.page import Desk, brief

Thing = Mapping[str, object]


def defined_term(
    name: str, definition: Prose, *, slug: str, address: str = "", others: Iterable[str] = (), desk: Desk
) -> Thing:
    """Returns a term of the glossary, or one wording of it where its address says so."""
    thing = {
        "@context": "https://schema.org",
        "@type": "DefinedTerm",
        "name": name,
        "alternateName": list(others),
        "description": brief(definition),
        "termCode": slug,
        "url": _url(address or urls.term(slug), desk),
        "inDefinedTermSet": _told({"@type": "DefinedTermSet", "name": desk.site.title, "url": _url("", desk)}),
    }
    return _told(thing)


def _url(address: str, desk: Desk) -> str:
    return desk.site.base_url and desk.site.base_url + address


def _told(thing: Thing) -> Thing:
    """The same without what there is nothing to say of."""
    return {key: value for key, value in thing.items() if value}
