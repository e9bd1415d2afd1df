"""Renders the additional Markdown pages of a site. Relative links between them work, as on a forge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import PurePosixPath
from posixpath import normpath, relpath
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.addresses.slugs import heading_id

if TYPE_CHECKING:
    from markdown_it.token import Token

INDEX = "index.md"
"""The page that links to the others. Without it, the footer of every page links to all of them."""


class ExtraPage(NamedTuple):
    """An additional page of a site."""

    address: str
    title: str
    html: Markup
    is_linked: bool
    """True if the footer of every page links to it."""


def extra_pages(texts: Mapping[str, str]) -> tuple[ExtraPage, ...]:
    """Returns the pages for Markdown texts by their paths, in the order of the paths.

    A heading of level 1 at the beginning is the title of its page. Headings have the ids that GitHub gives them.
    Links to files without a page are shown as text.
    """
    return tuple(_page(path, texts) for path in sorted(texts))


def _page(path: str, texts: Mapping[str, str]) -> ExtraPage:
    # Imported here because a build with no changes also reads the theme.
    from markdown_it import MarkdownIt

    from sitegen.text.prose import from_html

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    title, tokens = PurePosixPath(path).stem.replace("-", " ").capitalize(), markdown.parse(texts[path])
    if tokens and tokens[0].tag == "h1":
        title, tokens = _plain(tokens[1]), tokens[3:]
    ids = _ids(tokens)
    for token in tokens:
        if re.fullmatch("h[1-5]", token.tag):
            token.tag = f"h{max(3, int(token.tag[1]) + 1)}"
        _rewrite_links(token, path, texts)
    # The sanitiser allows only headings from h3 on and no ids, so headings are moved down one level, and back after
    # it.
    html = from_html(markdown.renderer.render(tokens, markdown.options, {})).html
    html = re.sub("<h([3-6])>", lambda match: f'<h{int(match[1]) - 1} id="{next(ids, "")}">', html)
    html = re.sub("</h([3-6])>", lambda match: f"</h{int(match[1]) - 1}>", html)
    is_linked = INDEX not in texts or path == INDEX
    return ExtraPage(address=_address(path), title=title, html=Markup(html), is_linked=is_linked)  # noqa: S704  (sanitised)


def _address(path: str) -> str:
    return urls.extra_page("" if path == INDEX else path.removesuffix(".md"))


def _ids(tokens: list[Token]) -> Iterator[str]:
    """Returns an id for each heading; a heading of the same words as an earlier one has its number at the end."""
    ids = [heading_id(_plain(text)) for opening, text in pairwise(tokens) if opening.type == "heading_open"]
    seen: Counter[str] = Counter()
    for id in ids:
        yield f"{id}-{seen[id]}" if seen[id] else id
        seen[id] += 1


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


def _rewrite_links(inline: Token, path: str, texts: Mapping[str, str]) -> None:
    """Converts links to Markdown files of the folder to links to their pages, and removes other relative links."""
    is_kept = [True]
    kept = []
    for token in inline.children or ():
        if token.type == "link_open":
            href = _rewritten(str(token.attrs["href"]), path, texts)
            token.attrs["href"] = href
            is_kept.append(bool(href))
        if is_kept[-1] or token.type not in ("link_open", "link_close"):
            kept.append(token)
        if token.type == "link_close":
            is_kept.pop()
    if inline.children:
        inline.children = kept


def _rewritten(href: str, path: str, texts: Mapping[str, str]) -> str:
    """Returns the address of a link in the site; empty for a relative link to a file without a page."""
    if re.match(r"#|[a-z]+:", href):
        return href
    target, _, id = href.partition("#")
    found = normpath(str(PurePosixPath(path).parent / target))
    if found not in texts:
        return ""
    here = relpath(f"{_address(found)}index.html", _address(path))
    return f"{here}#{id}" if id else here
