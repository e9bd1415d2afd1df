"""Applies a site's theme: pictures, colours, a style sheet, templates and pages from the folder of site.toml.

All files are added to the mapping of templates, so caches that depend on the templates depend on the theme too.
Pictures are stored as base64. A site's template replaces the built-in one of the same path, which stays available as
`sitegen/PATH`, so that the site's template can extend it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.config import contrast
from sitegen.config.tables import ThemeTable
from sitegen.config.values import did_you_mean
from sitegen.model import File, SitegenError

OURS = "sitegen/"
"""The prefix of built-in templates that were replaced."""
STYLE = "assets/css/~theme.css"
"""The path of the site's own style: `~` sorts after the built-in names."""
PICTURES, PAGES = "theme/assets/", "theme/pages/"

MAX_BYTES = 1_000_000
"""Maximum size of a file of a theme."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraPage:
    """A page that the site's editors wrote."""

    address: str
    title: str
    html: Markup


def themed(templates: Mapping[str, str], theme: ThemeTable, folder: Path) -> Mapping[str, str]:
    """Returns the templates with everything that a theme adds. Raises SitegenError if a file cannot be used."""
    texts = dict(templates)
    for name, picture in (("logo", theme.logo), ("favicon", theme.favicon)):
        if picture:
            content = _read(folder / picture, folder)
            texts[PICTURES + name + Path(picture).suffix.lower()] = base64.b64encode(content).decode()
    if theme.favicon:
        texts.pop("assets/favicon.svg", None)
    if theme.accent or theme.accent_dark or theme.style:
        texts[STYLE] = _style(theme, folder)
    if theme.templates:
        for path, text in _texts(folder / theme.templates, "*.html", folder):
            if path not in templates:
                known = [name for name in templates if name.endswith(".html")]
                raise SitegenError(
                    f"{theme.templates}/{path}: there is no such template; {did_you_mean(path, known)}"
                )
            texts[OURS + path] = templates[path]
            texts[path] = text
    if theme.pages:
        texts |= {PAGES + path: text for path, text in _texts(folder / theme.pages, "*.md", folder)}
    return texts


def pictures(templates: Mapping[str, str]) -> Iterator[File]:
    """Yields the pictures of a theme as files of the site."""
    for path, text in templates.items():
        if path.startswith(PICTURES):
            yield File(path=f"assets/{path.removeprefix(PICTURES)}", content=base64.b64decode(text))


def picture(templates: Mapping[str, str], name: str) -> str:
    """Returns the address of the logo or the favicon; empty if the theme has none."""
    found = (path for path in templates if path.startswith(f"{PICTURES}{name}."))
    return next((f"assets/{path.removeprefix(PICTURES)}" for path in found), "")


def extra_pages(templates: Mapping[str, str]) -> tuple[ExtraPage, ...]:
    """Returns the pages that a theme adds, sorted by address."""
    paths = sorted(path for path in templates if path.startswith(PAGES))
    return tuple(_page(path.removeprefix(PAGES).removesuffix(".md"), templates[path]) for path in paths)


def _page(name: str, text: str) -> ExtraPage:
    """Returns a page. A heading of level 1 at the beginning is its title.

    The other headings are moved down one level and back after sanitising.
    """
    # Imported here because a build with no changes also reads the theme.
    from markdown_it import MarkdownIt

    from sitegen.text.prose import from_html

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    title, tokens = name.replace("-", " ").capitalize(), markdown.parse(text)
    if tokens and tokens[0].tag == "h1":
        title, tokens = tokens[1].content, tokens[3:]
    for token in tokens:
        if re.fullmatch("h[1-5]", token.tag):
            token.tag = f"h{max(3, int(token.tag[1]) + 1)}"
    html = from_html(markdown.renderer.render(tokens, markdown.options, {})).html
    raised = re.sub("(</?)h([3-6])>", lambda match: f"{match[1]}h{int(match[2]) - 1}>", html)
    return ExtraPage(address=urls.extra_page(name), title=title, html=Markup(raised))  # noqa: S704  (sanitised)


def _style(theme: ThemeTable, folder: Path) -> str:
    """Returns the accent colour as a rule in the layer `tokens`, and the site's own rules."""
    style = ""
    if theme.accent or theme.accent_dark:
        light = theme.accent or "#1e4eac"
        dark = theme.accent_dark or contrast.lightened(light)
        colour = f"light-dark({light}, {dark})"
        style = f"@layer tokens{{:root{{--accent:{colour};--link:{colour}}}}}\n"
    own = _read(folder / theme.style, folder).decode(errors="replace") if theme.style else ""
    return style + own


def _texts(root: Path, pattern: str, folder: Path) -> Iterator[tuple[str, str]]:
    if not root.is_dir():
        raise SitegenError(f"{root}: there is no such folder; correct [theme] in site.toml")
    for path in sorted(root.rglob(pattern)):
        yield path.relative_to(root).as_posix(), _read(path, folder).decode(errors="replace")


def _read(path: Path, folder: Path) -> bytes:
    """Returns the content of a file. Raises SitegenError if it is missing, too large, or outside the folder, also by
    a symbolic link.
    """
    if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        raise SitegenError(f"{path}: there is no such file; correct [theme] in site.toml")
    if path.stat().st_size > MAX_BYTES:
        raise SitegenError(f"{path}: has more than {MAX_BYTES:,} bytes; use a smaller file")
    return path.read_bytes()
