"""The pages of a built site as a browser receives them: dead links, and published addresses that
are lost.

Which file answers an address is decided as GitHub Pages does. Each rule
names its source: GitHub's documentation (docs.github.com, under Pages), or, where it is silent,
what others observed (github.com/slorber/trailing-slash-guide, a table of what hosts do with slashes
and endings).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote, urljoin, urlsplit

import lxml.html
from lxml import etree

from sitegen.addresses import urls
from sitegen.permanence.archive import Archive
from sitegen.pipeline.assembly import published_paths

NOWHERE = "https://site.invalid/"
"""The site's address if it has no base_url. RFC 2606 reserves the domain."""


@dataclass(frozen=True, kw_only=True)
class PageLink:
    url: str
    line: int


@dataclass(frozen=True, kw_only=True)
class CheckedPage:
    """The ids and links of one page's HTML."""

    ids: frozenset[str]
    links: tuple[PageLink, ...]
    """In document order."""
    canonical: str


def parse_page(html: bytes) -> CheckedPage:
    """Returns a page's ids and links. Raises no error: a file that is not HTML has none."""
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        tree = lxml.html.document_fromstring(html, parser=parser)
    except (etree.ParserError, ValueError):
        return CheckedPage(ids=frozenset(), links=(), canonical="")
    ids: set[str] = set()
    links: list[PageLink] = []
    canonical = ""
    elements: Iterable[lxml.html.HtmlElement] = tree.iter(etree.Element)
    for element in elements:
        ids.update(_ids(element))
        for url in _urls(element):
            links.append(PageLink(url=url, line=element.sourceline or 0))
        is_canonical = element.tag == "link" and element.get("rel") == "canonical"
        if is_canonical and not canonical:
            canonical = element.get("href", "")
    return CheckedPage(ids=frozenset(ids), links=tuple(links), canonical=canonical)


def _ids(element: lxml.html.HtmlElement) -> Iterator[str]:
    if "id" in element.attrib:
        yield element.attrib["id"]
    if element.tag == "a" and "name" in element.attrib:
        yield element.attrib["name"]


def _urls(element: lxml.html.HtmlElement) -> Iterator[str]:
    """Yields the addresses in the attributes of an element."""
    for attribute in ("href", "src", "action"):
        if attribute in element.attrib:
            yield element.attrib[attribute]
    # A srcset has candidates separated by commas, each with an optional width.
    yield from re.findall(
        r"\s*([^\s,]\S*[^\s,]|[^\s,])(?:\s+[^,]*)?(?:,|$)", element.get("srcset", "")
    )


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
        if home is None or not home.canonical.endswith("/"):
            return NOWHERE
        return home.canonical

    def file(self, address: str) -> str:
        """Returns the file that answers a published address, such as `/term/aten/`, or an
        empty string."""
        return self.host.file(_quoted(self.host.base + address.removeprefix("/")))

    def leads_to(self, path: str, url: str) -> tuple[str, str] | None:
        """Returns the file and the id that a link on a page leads to, or None for a link that
        leaves the site.

        The file is empty if the link is dead.
        """
        if not url.partition("#")[0]:
            return path, unquote(url[1:])
        # The page 404.html is shown at any address, so its links must work from any depth.
        shown_at = f"lost/there/{path}" if path == urls.NOT_FOUND else path
        page_url = urljoin(self.address, _quoted(shown_at))
        try:
            target = urlsplit(urljoin(page_url, url))
        except ValueError:
            return "", ""
        home = urlsplit(self.address)
        if (target.scheme, target.netloc) != (home.scheme, home.netloc):
            return None
        # The host may have other sites of the same owner; an absolute link outside the base path
        # means one of them.
        is_below = f"{target.path}/".startswith(self.host.base)
        if not is_below and urlsplit(url).netloc:
            return None
        return self.host.file(target.path), unquote(target.fragment)


def _quoted(path: str) -> str:
    """Returns a path percent-encoded. File names need not be valid Unicode."""
    return quote(path, errors="surrogatepass")


def dead_links(site: BuiltSite) -> Iterator[str]:
    """Yields a sentence for each link within the site that leads to no page or to no id; each once
    for each page."""
    for path, page in sorted(site.pages.items()):
        seen = set()
        for link in page.links:
            if link.url in seen:
                continue
            seen.add(link.url)
            if fault := _fault(site, path, link.url):
                yield f"{path}:{link.line}: links to {link.url}, {fault}"


def _fault(site: BuiltSite, path: str, url: str) -> str:
    """Returns why a link on a page is dead; empty if it is not."""
    target = site.leads_to(path, url)
    if target is None:
        return ""
    file, id = target
    if not file:
        return "where nothing is"
    if file not in site.pages or id in ("", "top") or id in site.pages[file].ids:
        return ""
    return f"and nothing there has the id “{id}”"


def lost_addresses(archive: Archive, site: BuiltSite) -> Iterator[str]:
    """Yields a sentence for each published address that the site lacks."""
    for path in sorted(published_paths(archive)):
        address = f"/{urls.address(path)}"
        if not site.file(address):
            yield f"{address} was published, and is missing"


INDEX = "index.html"


class PublishedSite:
    """A published site: the paths of its files, and its base path."""

    def __init__(self, files: Iterable[str], *, base: str = "/") -> None:
        self.files = frozenset(files)
        self.base = base
        """Begins and ends with a slash; a project's site is below `/<repository>/` ("What is GitHub
        Pages?")."""

    def file(self, path: str) -> str:
        """Returns the file that is sent for a path, if need be after a redirect; empty for an
        error."""
        path = unquote(path.partition("?")[0])
        if f"{path}/" == self.base:
            path = self.base
        if not path.startswith(self.base):
            return ""
        path = path.removeprefix(self.base)
        # A folder is answered by its index.html, spelled just so: the host distinguishes small
        # letters from capitals ("Troubleshooting 404 errors"). The ending may be left out, and the
        # page of that name comes before the folder, to which a redirect leads. With a slash at its
        # end a file is not found (trailing-slash-guide: /file, /both, /file/).
        names = [path, f"{path}.html", f"{path}/{INDEX}"]
        if path == "" or path.endswith("/"):
            names = [path + INDEX]
        for name in names:
            if name in self.files:
                return name
        return ""
