"""The terms in force as a `DefinedTermSet` of schema.org, for search engines and whoever else reads JSON-LD.

Removed and merged terms are left out: the vocabulary has no word for one that is not to be used.
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
"""The site's root, as seen from it."""


def files(site: Site) -> Iterator[File]:
    """Gives the set, one term on each line."""
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
