"""Writes the terms in force as a schema.org `DefinedTermSet`, for search engines and other readers of JSON-LD.

Removed and merged terms are left out: the vocabulary cannot mark a term as deprecated.
"""

from __future__ import annotations

from collections.abc import Iterator

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import Life
from sitegen.site.exports import fit
from sitegen.site.site import Site
from sitegen.text import compact_json

SET = "./"
"""The site's root, relative to the file."""


def files(site: Site) -> Iterator[File]:
    """Yields the set, with one term on each line."""
    base = {"@base": site.base_url} if site.base_url else {}
    head = {
        "@context": {"@vocab": "https://schema.org/", "@language": site.language, **base},
        "@type": "DefinedTermSet",
        "@id": SET,
        "name": fit.line(site.title),
        "hasDefinedTerm": [],
    }
    terms = (_term(life, site.slugs[life.key]) for life in site.lives if life.is_defined)
    lines = map(compact_json.text, terms)
    text = compact_json.text(head).removesuffix("]}") + "\n" + ",\n".join(lines) + "\n]}\n"
    yield File(path=urls.DEFINED_TERMS, content=text.encode())


def _term(life: Life, slug: str) -> dict[str, object]:
    term: dict[str, object] = {
        "@type": "DefinedTerm",
        "@id": urls.term(slug),
        "termCode": slug,
        "name": fit.line(life.name),
        "inDefinedTermSet": {"@id": SET},
    }
    if others := [fit.line(name.text) for name in life.names[1:] if name.status != "deprecated"]:
        term["alternateName"] = others
    if life.entry.definition.text:
        term["description"] = fit.text(life.entry.definition.text)
    return term
