"""The pages of a built site as a browser receives them: their ids and links, and the target file of each link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote, urljoin, urlsplit

import lxml.html
from lxml import etree

from sitegen.addresses import urls
from sitegen.addresses.github_pages import PublishedSite

NOWHERE = "https://site.invalid/"
"""The site's address if it has no base_url. RFC 2606 reserves the domain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    url: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPage:
    """The ids and links of one page's HTML."""

    ids: frozenset[str]
    links: tuple[PageLink, ...]
    """In document order."""
    status_links: tuple[str, ...]
    """Those in the status sentence of a term."""
    canonical: str


def parse_page(html: bytes) -> CheckedPage:
    """Returns a page's ids and links. Raises no error: a file that is not HTML has none."""
    try:
        tree = lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8", huge_tree=True))
    except (etree.ParserError, ValueError):
        return CheckedPage(ids=frozenset(), links=(), status_links=(), canonical="")
    elements: tuple[lxml.html.HtmlElement, ...] = tuple(tree.iter(etree.Element))
    statuses = (element for element in elements if "term-status" in element.get("class", "").split())
    return CheckedPage(
        ids=frozenset(id for element in elements for id in _ids(element)),
        links=tuple(link for element in elements for link in _links(element)),
        status_links=tuple(link.get("href", "") for status in statuses for link in status.iter("a")),
        canonical=next((link.get("href", "") for link in tree.iter("link") if link.get("rel") == "canonical"), ""),
    )


def _ids(element: lxml.html.HtmlElement) -> Iterator[str]:
    for attribute in ("id", "name") if element.tag == "a" else ("id",):
        if (id := element.get(attribute)) is not None:
            yield id


def _links(element: lxml.html.HtmlElement) -> Iterator[PageLink]:
    line = element.sourceline or 0
    for attribute in ("href", "src", "action"):
        if (url := element.get(attribute)) is not None:
            yield PageLink(url=url, line=line)
    yield from (PageLink(url=url, line=line) for url in _candidates(element.get("srcset", "")))


def _candidates(srcset: str) -> Iterator[str]:
    """Yields the addresses in a srcset attribute: candidates separated by commas, each with an optional width."""
    return (match[1] for match in re.finditer(r"\s*([^\s,]\S*[^\s,]|[^\s,])(?:\s+[^,]*)?(?:,|$)", srcset))


class BuiltSite:
    """The pages of a site, and the responses of its host."""

    def __init__(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Takes paths and contents. Keeps only ids and links."""
        paths = []
        pages = {}
        for path, content in files:
            paths.append(path)
            if path.endswith(".html"):
                pages[path] = parse_page(content)
        self.pages: Mapping[str, CheckedPage] = pages
        self.host = PublishedSite(paths, base=urlsplit(self.address).path or "/")

    @cached_property
    def address(self) -> str:
        """The site's address according to the canonical link of its home page."""
        home = self.pages.get(urls.path(urls.HOME))
        return home.canonical if home and home.canonical.endswith("/") else NOWHERE

    def file(self, address: str) -> str:
        """Returns the file that answers an address of the ledger, such as `/term/aten/`, or an empty string."""
        answer = self.host.answer(_quoted(self.host.base + address.removeprefix("/")))
        return answer.file if answer.status == 200 else ""

    def leads_to(self, path: str, url: str) -> tuple[str, str] | None:
        """Returns the file and the id that a link on a page leads to, or None for a link that leaves the site.

        The file is empty if the link is dead.
        """
        if not url.partition("#")[0]:
            return path, unquote(url[1:])
        # The page 404.html is shown at any address, so its links must work from any depth.
        here = urljoin(self.address, _quoted(path if path != urls.NOT_FOUND else f"lost/there/{path}"))
        try:
            there = urlsplit(urljoin(here, url))
        except ValueError:
            return "", ""
        own = urlsplit(self.address)
        inside = f"{there.path}/".startswith(self.host.base)
        # The host may have other sites of the same owner; an absolute link outside the base path means one of them.
        if (there.scheme, there.netloc) != (own.scheme, own.netloc) or (not inside and urlsplit(url).netloc):
            return None
        return self._found(there.path), unquote(there.fragment)

    def _found(self, path: str) -> str:
        answer = self.host.answer(path)
        if answer.status == 301:
            answer = self.host.answer(answer.location)
        return answer.file if answer.status == 200 else ""


def _quoted(path: str) -> str:
    """Returns a path percent-encoded. File names need not be valid Unicode."""
    return quote(path, errors="surrogatepass")
