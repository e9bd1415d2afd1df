"""Applies a site's theme: pictures, colors, a style sheet, HTML and pages from the folder of
site.toml.

All files are added to the mapping of templates, so what depends on the templates depends on the
theme too. Pictures are in it as base64. HTML is placed on every page as it is: templates of a
checkout would be programs. The pages are Markdown; relative links between them work, as on a forge.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import NamedTuple
from urllib.parse import unquote

from markupsafe import Markup, escape

from sitegen import safe_files
from sitegen.addresses import urls
from sitegen.config.tables import ThemeTable
from sitegen.model import File, SitegenError
from sitegen.safe_files import real_path
from sitegen.site.messages import plain
from sitegen.text import images
from sitegen.text.colors import lightened
from sitegen.text.names import heading_id
from sitegen.text.prose import OUTSIDE, from_html

STYLE = "assets/css/~theme.css"
"""The path of the site's own style: `~` sorts after the built-in names."""
PICTURES, PAGES, FILES, HTML = "theme/assets/", "theme/pages/", "theme/files/", "theme/html/"
"""The beginnings of the paths of what a theme adds, in the mapping of templates."""
PAGE_PLACES = ("head", "header", "footer")
"""The places on every page for HTML of a theme."""

ACCENT = "#1e4eac"
"""The accent color of a site that has none of its own."""

PARENT = "../"
"""The beginning of a path beside the folder `content`."""
INDEX = "index.md"
"""The page that links to the others. Without it, the footer of every page links to all of them."""
MAX_THEME_BYTES = 1_000_000
"""Maximum size of a file of a theme."""


class ExtraPage(NamedTuple):
    """An additional page of a site."""

    address: str
    title: str
    html: Markup
    is_linked: bool
    """True if the footer of every page links to it."""


def themed(templates: Mapping[str, str], theme: ThemeTable, folder: Path) -> Mapping[str, str]:
    """Returns the templates with everything that a theme adds. Raises SitegenError if a file cannot
    be used."""
    texts = dict(templates)
    if theme.favicon:
        texts.pop("assets/favicon.svg", None)
    elif theme.accent:
        texts["assets/favicon.svg"] = texts["assets/favicon.svg"].replace(ACCENT, theme.accent)
    texts.update(_added(theme, folder))
    return texts


def _added(theme: ThemeTable, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields the path and the text of each file that a theme adds. Pictures and further files are
    in base64, because they may not be text."""
    for name, picture in (("logo", theme.logo), ("favicon", theme.favicon)):
        if picture:
            suffix = Path(picture).suffix.lower()
            yield f"{PICTURES}{name}{suffix}", _as_base64(folder / picture, folder)
    if theme.accent or theme.style:
        yield STYLE, _style(theme, folder)

    if theme.html:
        for path, text in _file_texts(folder / theme.html, "*.html", folder):
            place = path.removesuffix(".html")
            if place not in PAGE_PLACES:
                wanted = "only head.html, header.html and footer.html are"
                raise SitegenError(f"{theme.html}/{path}: is not placed on pages; {wanted}")
            yield HTML + place, text

    if theme.pages:
        # `../docs` is a folder beside `content`.
        root = _folder_above_content(folder) if theme.pages.startswith(PARENT) else folder
        pages = root / theme.pages.removeprefix(PARENT)
        for path, text in _file_texts(pages, "*.md", root):
            yield PAGES + path, text

    if theme.files:
        for path in _paths(folder / theme.files, "*"):
            yield FILES + path, _as_base64(folder / theme.files / path, folder)


def theme_files(templates: Mapping[str, str]) -> Iterator[File]:
    """Yields the pictures and the further files of a theme as files of the site."""
    for path, text in templates.items():
        if path.startswith(FILES):
            yield File(path=path.removeprefix(FILES), content=base64.b64decode(text))
        elif path.startswith(PICTURES):
            yield _picture_file(path.removeprefix(PICTURES), base64.b64decode(text))


def _picture_file(file_name: str, content: bytes) -> File:
    """Returns the file of the logo or the favicon. Raises SitegenError if it is no picture, or one
    of another format than its name says."""
    name, _, suffix = file_name.partition(".")
    try:
        kind, content = images.checked(content)
    except images.ImageError as error:
        raise SitegenError(f"{name} in [theme] cannot be used: {error}") from None
    if kind != suffix:
        raise SitegenError(
            f"{name} in [theme] cannot be used: it ends in .{suffix}, but is {kind.upper()}"
        )
    return File(path=f"assets/{file_name}", content=content)


def picture_address(templates: Mapping[str, str], name: str) -> str:
    """Returns the address of the logo or the favicon; empty if the theme has none."""
    for path in templates:
        if path.startswith(f"{PICTURES}{name}."):
            return f"assets/{path.removeprefix(PICTURES)}"
    return ""


def _folder_above_content(folder: Path) -> Path:
    """Returns the folder above `content`. Raises SitegenError for other folders, and if `content`
    is a repository."""
    folder = folder.resolve()
    if folder.name != "content" or (folder / ".git").exists():
        raise SitegenError(
            f"{folder}: only content/site.toml may name pages outside its folder; correct [theme]"
        )
    return folder.parent


def _style(theme: ThemeTable, folder: Path) -> str:
    """Returns the accent color as a rule in the layer `tokens`, and the site's own rules."""
    style = ""
    if theme.accent:
        color = f"light-dark({theme.accent}, {lightened(theme.accent)})"
        style = f"@layer tokens{{:root{{--accent:{color}}}}}\n"
    if theme.style:
        style += _file_content(folder / theme.style, folder).decode(errors="replace")
    return style


def _file_texts(root: Path, pattern: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields the relative path and the text of each file below a folder; see `_file_content`."""
    for path in _paths(root, pattern):
        yield path, _file_content(root / path, folder).decode(errors="replace")


def _paths(root: Path, pattern: str) -> Iterator[str]:
    """Yields the relative path of each file and each link below a folder that matches a pattern.
    Raises SitegenError if there is no such folder."""
    if not root.is_dir():
        raise SitegenError(f"{root}: there is no such folder; correct [theme] in site.toml")
    for path in sorted(root.rglob(pattern)):
        if path.is_symlink() or not path.is_dir():
            yield path.relative_to(root).as_posix()


def _file_content(path: Path, folder: Path) -> bytes:
    """Returns the content of a file. Raises SitegenError if the file is missing, a link, too large,
    or outside of `folder`."""
    real_parent = real_path(path.parent)
    try:
        if not real_parent.is_relative_to(real_path(folder)):
            raise FileNotFoundError  # as if the file were missing
        # Follows no link at the end of the path.
        return safe_files.read(real_parent / path.name, limit=MAX_THEME_BYTES)
    except OSError:
        raise SitegenError(f"{path}: there is no such file; correct [theme] in site.toml") from None


def _as_base64(path: Path, folder: Path) -> str:
    """Returns the content of a file as text; see `_file_content`."""
    return base64.b64encode(_file_content(path, folder)).decode()


def page_texts(templates: Mapping[str, str]) -> Mapping[str, str]:
    """Returns the Markdown pages of a theme by their paths."""
    paths = [path for path in templates if path.startswith(PAGES)]
    return {path.removeprefix(PAGES): templates[path] for path in paths}


def extra_pages(texts: Mapping[str, str]) -> tuple[ExtraPage, ...]:
    """Returns the pages for Markdown texts by their paths: the index, then the others in the order
    in which it links to them, or in the order of their paths.

    A heading of level 1 at the beginning is the title of its page. Headings have the ids that
    GitHub gives them. Links to files without a page, and images in the repository, are shown as
    text.
    """
    pages = {path: _extra_page(path, texts) for path in texts}
    links = re.findall('<a href="([^"#]*)', pages[INDEX].html) if INDEX in pages else []

    def place(path: str) -> int:
        """Returns the place of the first link to a page among the links of the index."""
        href = escape(_href(path, INDEX))
        return links.index(href) if href in links else len(links)

    paths = sorted(pages, key=lambda path: (path != INDEX, place(path), path))
    return tuple(pages[path] for path in paths)


def _extra_page(path: str, texts: Mapping[str, str]) -> ExtraPage:
    """Returns the page of a Markdown file. It may link to the pages of other files, so `texts` has
    the texts of all files."""
    from markdown_it import MarkdownIt  # few sites have pages of their own

    content = MarkdownIt("commonmark", {"html": False}).enable("table").render(texts[path])

    # A first heading is the title, else the name of the file is.
    title = PurePosixPath(path).stem.replace("-", " ")
    title = title[:1].upper() + title[1:]
    first_heading = re.match("<h1>(.*?)</h1>", content, re.S)
    if first_heading:
        title = plain(Markup(first_heading[1]))  # noqa: S704
        content = content[first_heading.end() :]

    # The sanitizer keeps the headings h3 to h6 only, and no ids:
    #
    #     in the file           h1  h2  h3  h4  h5  h6
    #     for the sanitizer     h3  h3  h4  h5  h6  h6
    #     on the page           h2  h2  h3  h4  h5  h5
    sanitized = from_html(_with_lowered_headings(content)).html
    html = _with_raised_headings_and_ids(sanitized)
    html = html.replace('<a class="image"', "<a")  # an image is a link, too
    html = re.sub(
        '<a href="([^"]*)"[^>]*>(.*?)</a>',
        lambda link: _linked(link, path, texts),
        html,
        flags=re.S,
    )

    # An index page links to all others, so only it is in the footer.
    is_linked = INDEX not in texts or path == INDEX
    return ExtraPage(address=_address(path), title=title, html=Markup(html), is_linked=is_linked)  # noqa: S704  (sanitized)


def _with_lowered_headings(html: str) -> str:
    """Returns the HTML with each heading one level lower, at level 3 to 6."""

    def lowered_heading(tag: re.Match[str]) -> str:
        level = int(tag["level"])
        return f"{tag['start']}{max(3, level + 1)}>"

    return re.sub("(?P<start></?h)(?P<level>[1-5])>", lowered_heading, html)


def _with_raised_headings_and_ids(html: str) -> str:
    """Returns the HTML with each heading one level higher, and with an id. Ids are unique: the
    second `<h3>To do</h3>` becomes `<h2 id="to-do-1">To do</h2>`."""
    # Each id so far, with the last number that was appended to it.
    last_numbers: dict[str, int] = {}

    def raised_heading(heading: re.Match[str]) -> str:
        words = heading["words"]
        id_of_words = id = heading_id(plain(Markup(words)))  # noqa: S704
        while id in last_numbers:  # another heading may be "To do 1"
            last_numbers[id_of_words] += 1
            id = f"{id_of_words}-{last_numbers[id_of_words]}"
        last_numbers[id] = 0
        level = int(heading["level"])
        tag = f"h{level - 1}"
        return f'<{tag} id="{id}">{words}</{tag}>'

    pattern = r"<h(?P<level>[3-6])>(?P<words>.*?)</h(?P=level)>"
    return re.sub(pattern, raised_heading, html, flags=re.S)


def _address(path: str) -> str:
    """Returns the address of the page of a Markdown file."""
    return urls.extra_page("" if path == INDEX else path.removesuffix(".md"))


def _linked(link: re.Match[str], path: str, texts: Mapping[str, str]) -> str:
    """Returns a link of the page of a file, with its address in the site: the link `check.md#ids`
    in `publish.md` leads to `../check/index.html#ids`. A link to a file without a page becomes
    text."""
    address, words = link.groups()
    is_within_page = address.startswith("#")
    if is_within_page or re.match(OUTSIDE, address):
        return link[0]
    target, mark, id = unescape(address).partition("#")
    page = normpath(str(PurePosixPath(path).parent / unquote(target)))
    if page not in texts:
        return words
    return f'<a href="{escape(_href(page, path) + mark + id)}">{words}</a>'


def _href(page: str, path: str) -> str:
    """Returns the link to the page of a file on the page of the file at `path`."""
    return relpath(f"{_address(page)}index.html", _address(path))
