"""Applies a site's theme: pictures, colours, a style sheet, templates and pages from the folder of site.toml.

All files are added to the mapping of templates, so caches that depend on the templates depend on the theme too.
Pictures are stored as base64. A site's template replaces the built-in one of the same path, which stays available as
`sitegen/PATH`, so that the site's template can extend it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from pathlib import Path

from sitegen.config import contrast
from sitegen.config.tables import ThemeTable
from sitegen.config.values import did_you_mean
from sitegen.model import File, SitegenError
from sitegen.sources import safe_files
from sitegen.sources.safe_files import real_path

BUILT_IN = "sitegen/"
"""The prefix of built-in templates that were replaced."""
STYLE = "assets/css/~theme.css"
"""The path of the site's own style: `~` sorts after the built-in names."""
PICTURES, PAGES = "theme/assets/", "theme/pages/"

PARENT = "../"
"""The beginning of a path beside the folder `content`."""
MAX_BYTES = 1_000_000
"""Maximum size of a file of a theme."""


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
            texts[BUILT_IN + path] = templates[path]
            texts[path] = text
    if theme.pages:
        root = _project(folder) if theme.pages.startswith(PARENT) else folder
        pages = root / theme.pages.removeprefix(PARENT)
        texts |= {PAGES + path: text for path, text in _texts(pages, "*.md", root)}
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


def page_texts(templates: Mapping[str, str]) -> Mapping[str, str]:
    """Returns the Markdown pages of a theme by their paths."""
    return {path.removeprefix(PAGES): text for path, text in templates.items() if path.startswith(PAGES)}


def _project(folder: Path) -> Path:
    """Returns the folder above `content`. Raises SitegenError for other folders, and if `content` is a repository."""
    folder = folder.resolve()
    if folder.name != "content" or (folder / ".git").exists():
        raise SitegenError(f"{folder}: only content/site.toml may name pages outside its folder; correct [theme]")
    return folder.parent


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
    """Returns the content of a file. Raises SitegenError if it is missing, a link, too large, or outside."""
    real = real_path(path.parent)
    try:
        if not real.is_relative_to(real_path(folder)):
            raise FileNotFoundError
        return safe_files.read(real / path.name, limit=MAX_BYTES)
    except OSError:
        raise SitegenError(f"{path}: there is no such file; correct [theme] in site.toml") from None
