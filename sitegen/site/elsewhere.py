"""Addresses of the files to which definitions link: images of the site, and documents on a forge or in other docs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from posixpath import relpath
from urllib.parse import quote, unquote, urljoin

from sitegen.config.forges import file_link
from sitegen.model import Entry, Place, Release
from sitegen.site.site import Site

SOURCE = re.compile(r"\.(?:md|mdx|markdown|rst|txt|adoc|html?)$", re.I)
INDEX = re.compile(r"(^|/)(?:_?index|README)$")


def addresses(site: Site, entry: Entry, root: str) -> Callable[[str], str | None]:
    """Returns a function from links in a definition to addresses. `root` is the path or address of the root."""

    def of(href: str) -> str | None:
        if href.startswith("image/"):
            return root + href
        return address(site.release_of[entry.place.source, entry.place.release], entry.place, href)

    return of


def address(release: Release, place: Place, href: str) -> str | None:
    """Returns the absolute address of a link in a document at a release; None if it is unknown.

    `href` is `file:PATH` for a file of the repository, or an address relative to the document, as it is written.
    """
    path, mark, anchor = href.partition("#")
    anchor = mark + anchor
    known = path.startswith("file:")
    path = unquote(path.removeprefix("file:").removeprefix("doc:"))
    if release.page and (not known or SOURCE.search(path)):
        here = release.page.replace("{name}", quote(PurePosixPath(place.name).stem))
        return _page(here, relpath(path, PurePosixPath(place.name).parent) if known else path) + anchor
    if not known or not release.lines:
        return None
    return file_link(release.lines, path=path) + anchor


def _page(here: str, path: str) -> str:
    """Returns the address of another page, seen from a published page: both have the same ending."""
    if not SOURCE.search(path) and PurePosixPath(path).suffix:
        return urljoin(here, quote(path))
    stem = SOURCE.sub("", path).rstrip("/")
    if here.endswith("/"):
        above = "" if stem.startswith("/") else "../"
        return urljoin(here, f"{above}{quote(INDEX.sub('', stem) or '.')}/")
    return urljoin(here, quote(INDEX.sub(r"\1index", stem)) + PurePosixPath(here).suffix)
