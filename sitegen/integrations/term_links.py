"""Links to terms: `linked` returns the address of a term and a quotation."""

from __future__ import annotations

from typing import NamedTuple

from sitegen.integrations.published_terms import PublishedTerm, PublishedTerms, PublishedWording
from sitegen.model import SitegenError
from sitegen.text import markdown_escaping
from sitegen.text.names import fold, similar_names

NO_BASE_URL = (
    'links need the address of the site; add base_url = "https://…/" to [site] of site.toml'
)


class TermLink(NamedTuple):
    """The address of a term, and a quotation in Markdown, as the copy buttons of its page have
    them."""

    address: str
    quotation: str


def linked(glossary: PublishedTerms, name: str, *, release: str = "") -> TermLink:
    """Returns a link to the term with this name, present or former; with a release, to the wording
    of that release. A name in another language links to its page in that language; the words are
    those of the original.

    Without a base_url, addresses are relative to the root of the site. Raises `SitegenError` if
    there is no such term or release.
    """
    term, address = _named(glossary, name)
    if not release:
        shown = term.defining_term
        return TermLink(address, _quotation(shown, shown.wording))
    found = glossary.known_release(release)
    wording = term.at(found)
    if wording is None:
        having = [one for one in glossary.releases if term.at(one)]
        was = f"it was in {', '.join(having)}"
        raise SitegenError(f"“{term.name}” was not defined in {found}; {was}")
    return TermLink(wording.url, _quotation(term, wording))


def _named(glossary: PublishedTerms, name: str) -> tuple[PublishedTerm, str]:
    """Returns the term with a name, and the address of its page. Raises `SitegenError` if there is
    none."""
    if match := glossary.find(name):
        return match.term, match.term.url
    for term in glossary.terms:
        for one in term.translations:
            if one.name and fold(one.name) == fold(name):
                return term, glossary.base_url + one.page
    like = similar_terms(glossary, name)
    advice = f"; did you mean {like}?" if like else ""
    raise SitegenError(f"“{name}”: no term has this name{advice}")


def similar_terms(glossary: PublishedTerms, name: str) -> str:
    """Returns up to three terms whose names are like another one, in quotation marks; empty if
    there are none."""
    similar = similar_names(name, [term.name for term in glossary.terms])
    return ", ".join(f"“{one}”" for one in similar)


def _quotation(term: PublishedTerm, wording: PublishedWording) -> str:
    """Returns a wording as a quotation, below a line with its link and its releases."""
    link = markdown_escaping.link(wording.name, wording.url)
    origin = markdown_escaping.literal(_origin(term, wording))
    return f"{link} — {origin}\n{markdown_escaping.quotation(wording.text, wording.code)}"


def _origin(term: PublishedTerm, wording: PublishedWording) -> str:
    """Returns the title of a source, and the published releases that have a wording."""
    from sitegen.site.messages import catalog

    source = term.glossary.source(wording.source)
    if source is None:
        return wording.source
    last = wording.last
    for other in term.wordings:
        # The same words under another name are another wording, with the same `since`.
        if other.source == wording.source and other.since == wording.since:
            last = other.last
    run = term.glossary.run(source.id, wording.since, last)
    releases = [one.name for one in run if not one.unreleased]
    if not releases:
        return source.title
    words = catalog(term.glossary.language)
    return f"{source.title} {words.span_text(releases[0], releases[-1])}"
