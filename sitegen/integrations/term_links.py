"""Links to terms: `linked` returns the address of a term and a quotation."""

from __future__ import annotations

from typing import NamedTuple

from sitegen.integrations.published_terms import PublishedTerm, PublishedTerms, PublishedWording
from sitegen.model import SitegenError
from sitegen.text import markdown_escaping
from sitegen.text.names import similar_names

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
    of that release.

    Without a base_url, addresses are relative to the root of the site. Raises `SitegenError` if
    there is no such term or release.
    """
    match = glossary.find(name)
    if match is None:
        like = similar_terms(glossary, name)
        advice = f"; did you mean {like}?" if like else ""
        raise SitegenError(f"“{name}”: no term has this name{advice}")
    if not release:
        term = match.term.defining_term
        return TermLink(match.term.url, _quotation(term, term.wording))
    term, found = match.term, glossary.known_release(release)
    wording = term.at(found)
    if wording is None:
        having = [one for one in glossary.releases if term.at(one)]
        was = f"it was in {', '.join(having)}"
        raise SitegenError(f"“{term.name}” was not defined in {found}; {was}")
    return TermLink(wording.url, _quotation(term, wording))


def similar_terms(glossary: PublishedTerms, name: str) -> str:
    """Returns up to three terms whose names are like another one, in quotation marks; empty if
    there are none."""
    similar = similar_names(name, [term.name for term in glossary.terms])
    return ", ".join(f"“{one}”" for one in similar)


def _quotation(term: PublishedTerm, wording: PublishedWording) -> str:
    """Returns a wording as a quotation, below a line with its link and its releases."""
    link = markdown_escaping.link(wording.name, wording.url)
    origin = markdown_escaping.literal(_origin(term, wording))
    return f"{link} — {origin}\n{markdown_escaping.quotation(wording.text)}"


def _origin(term: PublishedTerm, wording: PublishedWording) -> str:
    """Returns the title of a source, and the published releases that have a wording."""
    from sitegen.site.messages import catalog, plain

    source = term.glossary.source(wording.source)
    if source is None:
        return wording.source
    last = wording.last
    for other in term.wordings:
        # The same words under another name are another wording, with the same `since`.
        if (other.source, other.since) == (wording.source, wording.since):
            last = other.last
    run = term.glossary.run(source.id, wording.since, last)
    releases = [one.name for one in run if not one.unreleased]
    if not releases:
        return source.title
    if len(releases) == 1:
        return f"{source.title} {releases[0]}"
    words = catalog(term.glossary.language)
    span = plain(words.say("table.span", first=releases[0], last=releases[-1]))
    return f"{source.title} {span}"
