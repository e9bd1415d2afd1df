"""Links to terms: `linked` returns the address of a term and a quotation."""

from __future__ import annotations

from typing import NamedTuple

from sitegen.integrations.published_terms import PublishedTerm, PublishedTerms, PublishedWording
from sitegen.model import SitegenError
from sitegen.text import markdown_escaping
from sitegen.text.release_names import parse_label

NO_BASE_URL = (
    'links need the address of the site; add base_url = "https://…/" to [site] of site.toml'
)
LIKENESS = 70
"""The minimum similarity, of 100, of the names that an error message suggests."""


class TermLink(NamedTuple):
    """The address of a term, and a quotation in Markdown, as the copy buttons of its page have
    them."""

    address: str
    quotation: str
    note: str = ""
    """Which release is meant, if it is another one than was asked for."""


def linked(glossary: PublishedTerms, name: str, *, release: str = "") -> TermLink:
    """Returns a link to the term with this name, present or former; with a release, to the wording
    of that release.

    Without a base_url, addresses are relative to the root of the site. Raises `SitegenError` if
    there is no such term or release.
    """
    asked, release = release, glossary.release_named(release)
    match = glossary.find(name)
    if match is None:
        like = similar_names(glossary, name)
        raise SitegenError(
            f"“{name}”: no term has this name" + (f"; did you mean {like}?" if like else "")
        )
    term = match.term
    wording = term.at(release) if release else term.defining_term.wording
    if wording is None:
        releases = ", ".join(one for one in glossary.releases if term.at(one))
        raise SitegenError(f"“{term.name}” was not defined in {release}; it was in {releases}")
    origin = _origin(glossary, term if release else term.defining_term, wording)
    quotation = f"{markdown_escaping.link(wording.name, wording.url)} — {origin}\n"
    quotation += markdown_escaping.quotation(wording.text)
    return TermLink(wording.url if release else term.url, quotation, other_release(asked, release))


def other_release(asked: str, release: str) -> str:
    """Returns a sentence if the glossary has another release than was asked for; empty if it is
    that of the tag."""
    if parse_label(asked).name == parse_label(release).name:
        return ""
    return f"the glossary has no release {asked}; these are the words of {release}"


def similar_names(glossary: PublishedTerms, name: str) -> str:
    """Returns up to three names that are like another one, in quotation marks; empty if there are
    none."""
    from rapidfuzz import process

    like = process.extract(
        name, [term.name for term in glossary.terms], limit=3, score_cutoff=LIKENESS
    )
    return ", ".join(f"“{similar}”" for similar, *_ in like)


def _origin(glossary: PublishedTerms, term: PublishedTerm, wording: PublishedWording) -> str:
    """Returns the title of a source, and the published releases that have a wording."""
    from sitegen.site.messages import catalog

    source = next((one for one in glossary.sources if one.id == wording.source), None)
    if source is None:
        return markdown_escaping.literal(wording.source)
    runs = [
        one for one in term.wordings if (one.source, one.since) == (wording.source, wording.since)
    ]
    first = glossary.number(source.id, wording.since) or 0
    last = glossary.number(source.id, runs[-1].last) or 0
    having = [one.name for one in source.releases[first : last + 1] if not one.unreleased]
    if not having:
        return markdown_escaping.literal(source.title)
    span = having[0]
    if len(having) > 1:
        words = catalog(glossary.language)
        span = words.plain_text("table.span", first=having[0], last=having[-1])
    return markdown_escaping.literal(f"{source.title} {span}")
