"""Links to terms: `linked` returns the address of a term and a quotation."""

from __future__ import annotations

from typing import NamedTuple

from sitegen.integrations.glossary import Glossary
from sitegen.integrations.published_terms import PublishedTerm, PublishedWording
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


def linked(glossary: Glossary, name: str, *, release: str = "") -> TermLink:
    """Returns a link to the term with this name, present or former. With a `release`, the link is
    to the wording of that release.

    A name in another language gives the page in that language, and a quotation in the original
    one. Without a base_url, addresses are relative to the root of the site. Raises `SitegenError`
    if there is no such term or release.
    """
    term, address = _term_and_address(glossary, name)
    if not release:
        shown_term = term.defining_term  # the page of a synonym shows another term's definition
        return TermLink(address, _quotation(shown_term, shown_term.wording))
    release_name = glossary.known_release(release)
    wording = term.at(release_name)
    if wording is None:
        releases_with_term = [other for other in glossary.releases if term.at(other)]
        advice = f"it was in {', '.join(releases_with_term)}"
        raise SitegenError(f"“{term.name}” was not defined in {release_name}; {advice}")
    return TermLink(wording.url, _quotation(term, wording))


def _term_and_address(glossary: Glossary, name: str) -> tuple[PublishedTerm, str]:
    """Returns the term with a name, and the address of its page in the language of the name. Raises
    `SitegenError` if there is no such term."""
    match = glossary.find(name)
    if match:
        return match.term, match.term.url
    for term in glossary.terms:
        for translation in term.translations:
            if translation.name and fold(translation.name) == fold(name):
                return term, glossary.base_url + translation.page
    similar = similar_terms(glossary, name)
    advice = f"; did you mean {similar}?" if similar else ""
    raise SitegenError(f"“{name}”: no term has this name{advice}")


def similar_terms(glossary: Glossary, name: str) -> str:
    """Returns up to three names of terms that are similar to a name: `“anchor”, “anchors”`. Empty
    if there are none."""
    similar = similar_names(name, [term.name for term in glossary.terms])
    return ", ".join(f"“{similar_name}”" for similar_name in similar)


def _quotation(term: PublishedTerm, wording: PublishedWording) -> str:
    """Returns a wording as a quotation, below a line with its link and its releases."""
    link = markdown_escaping.link(wording.name, wording.url)
    origin = markdown_escaping.literal(_origin(term, wording))
    return f"{link} — {origin}\n{markdown_escaping.quotation(wording.text, wording.code)}"


def _origin(term: PublishedTerm, wording: PublishedWording) -> str:
    """Returns the title of the source of a wording, and the releases that have these words."""
    from sitegen.site.messages import catalog, plain

    source = term.glossary.source(wording.source)
    if source is None:
        return wording.source
    # If a term was renamed and kept its words, several wordings have the same `since`. The last of
    # these is where the words end.
    of_source = [other for other in term.wordings if other.source == wording.source]
    same_words = [other for other in of_source if other.since == wording.since]
    run = term.glossary.run(source.id, wording.since, same_words[-1].last)
    releases = [release for release in run if not release.unreleased]
    if not releases:
        return source.title
    # A folder may have the name of a day, too; the date of its release is seldom known.
    dated = [release.name for release in releases if (release.date or "").startswith(release.name)]
    words = catalog(term.glossary.language, dated)
    return f"{source.title} {plain(words.span(releases[0].name, releases[-1].name))}"
