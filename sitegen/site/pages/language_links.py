"""The links of each page to its other languages, and the style of their menu."""

from __future__ import annotations

from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model.term_translations import TermPath
from sitegen.site.messages import plain
from sitegen.site.site import Site


class LanguageLink(NamedTuple):
    """A link to a page in a language: to the same term or page, else to the first page."""

    tag: str
    href: str
    is_missing: bool
    """True if the language does not have the term: the page shows the original."""


def root_of_originals(site: Site, root: str) -> str:
    """Returns the path to the root of the site of the originals. `root` is the path to the root of
    this site, which may be in a folder of that one."""
    return f"{root}../" if site.is_translation else root


def language_links(site: Site, address: str, root: str) -> list[LanguageLink]:
    """Returns the links to a page in all languages. A page that a language does not have is
    replaced by its first page."""
    pages_of_term = site.alternates.get(urls.slug_in(address), {})

    # All languages have the overviews and the search.
    other_page = urls.HOME
    if address in urls.OVERVIEWS or address == urls.SEARCH:
        other_page = address

    links = []
    for tag, _, folder in site.languages:
        target = pages_of_term.get(tag) or TermPath(folder + other_page, has_text=True)
        href = urls.link(target.path, root_of_originals(site, root))
        links.append(LanguageLink(tag, href, is_missing=not target.has_text))
    return links


def language_style(site: Site, style: str) -> bytes:
    """Returns the style of the language menu with the names of the languages, and with the label of
    a language without the term. These texts are in the style, so that not every page has them."""
    style += "\n"
    for language in site.languages:
        style += f'.languages [lang="{language.tag}"]::before {{ content: "{language.name}" }}\n'
    missing = plain(site.words.say("state.untranslated"))
    style += f'.languages .missing::after {{ content: "{missing}" }}\n'
    return style.encode()
