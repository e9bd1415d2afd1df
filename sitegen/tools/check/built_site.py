"""A built site as its visitors find it: the ids and links of every page, and where each link leads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote, urljoin, urlsplit

import lxml.html
from lxml import etree

from sitegen.addresses import urls
from sitegen.addresses.github_pages import Host

NOWHERE = "https://site.invalid/"
"""Stands for the site's own address where that is not known. Nobody can have it (RFC 2606)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    url: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is said in one page's HTML."""

    ids: frozenset[str]
    links: tuple[Link, ...]
    """In the order of the page."""
    status_links: tuple[str, ...]
    """Those in the sentence that says how a term stands."""
    canonical: str


def parse_page(html: bytes) -> Page:
    """Returns a page's ids and links. Raises nothing: what is no HTML has none."""
    try:
        tree = lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8", huge_tree=True))
    except (etree.ParserError, ValueError):
        return Page(ids=frozenset(), links=(), status_links=(), canonical="")
    elements: tuple[lxml.html.HtmlElement, ...] = tuple(tree.iter(etree.Element))
    statuses = (element for element in elements if "term-status" in element.get("class", "").split())
    return Page(
        ids=frozenset(id for element in elements for id in _ids(element)),
        links=tuple(link for element in elements for link in _links(element)),
        status_links=tuple(link.get("href", "") for status in statuses for link in status.iter("a")),
        canonical=next((link.get("href", "") for link in tree.iter("link") if link.get("rel") == "canonical"), ""),
    )


def _ids(element: lxml.html.HtmlElement) -> Iterator[str]:
    for attribute in ("id", "name") if element.tag == "a" else ("id",):
        if (id := element.get(attribute)) is not None:
            yield id


def _links(element: lxml.html.HtmlElement) -> Iterator[Link]:
    line = element.sourceline or 0
    for attribute in ("href", "src", "action"):
        if (url := element.get(attribute)) is not None:
            yield Link(url=url, line=line)
    yield from (Link(url=url, line=line) for url in _candidates(element.get("srcset", "")))


def _candidates(srcset: str) -> Iterator[str]:
    """Pictures to choose from: each an address and perhaps its width, with commas between them."""
    return (match[1] for match in re.finditer(r"\s*([^\s,]\S*[^\s,]|[^\s,])(?:\s+[^,]*)?(?:,|$)", srcset))


class BuiltSite:
    """The pages of a site, and the host that answers for it."""

    def __init__(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Takes paths with contents, which may come one by one; only what is said in pages is kept."""
        paths = []
        pages = {}
        for path, content in files:
            paths.append(path)
            if path.endswith(".html"):
                pages[path] = parse_page(content)
        self.pages: Mapping[str, Page] = pages
        self.host = Host(paths, base=urlsplit(self.address).path or "/")

    @cached_property
    def address(self) -> str:
        """Where the site says it stands."""
        home = self.pages.get(urls.path(urls.HOME))
        return home.canonical if home and home.canonical.endswith("/") else NOWHERE

    def file(self, address: str) -> str:
        """Returns the file that answers an address as the ledger has it, `/term/aten/`; empty where none does."""
        answer = self.host.answer(_quoted(self.host.base + address.removeprefix("/")))
        return answer.file if answer.status == 200 else ""

    def leads_to(self, path: str, url: str) -> tuple[str, str] | None:
        """Returns the file and the id to which a link on a page leads.

        The file is empty where nothing is; the whole is None for a link that leads out of the site.
        """
        if not url.partition("#")[0]:
            return path, unquote(url[1:])
        # The page for lost addresses is shown wherever somebody got lost.
        here = urljoin(self.address, _quoted(path if path != urls.NOT_FOUND else f"lost/there/{path}"))
        try:
            there = urlsplit(urljoin(here, url))
        except ValueError:
            return "", ""
        own = urlsplit(self.address)
        inside = f"{there.path}/".startswith(self.host.base)
        # Beside the site there may be others of the same owner; a link that names the host means one of them.
        if (there.scheme, there.netloc) != (own.scheme, own.netloc) or (not inside and urlsplit(url).netloc):
            return None
        return self._found(there.path), unquote(there.fragment)

    def _found(self, path: str) -> str:
        answer = self.host.answer(path)
        if answer.status == 301:
            answer = self.host.answer(answer.location)
        return answer.file if answer.status == 200 else ""


def _quoted(path: str) -> str:
    """A path as it stands in an address; names of files need not be text."""
    return quote(path, errors="surrogatepass")
