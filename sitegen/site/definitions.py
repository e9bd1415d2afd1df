"""Prepares a definition for a page: gives links their addresses, highlights code, and converts
formulas to MathML.

A definition's HTML comes from the sanitizer (`prose`), which normalizes it: lower-case names,
double quotes, escaped brackets in values. So regular expressions can match whole tags here. Only
tags are replaced or removed, and text is never unescaped outside of code and formulas, so the HTML
stays safe. The converter of formulas is not trusted: only elements and attributes that are listed
here get onto a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import unescape
from pathlib import PurePosixPath
from posixpath import relpath
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin

from lxml import etree
from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.config.forges import file_link
from sitegen.model import Entry, Place, Prose, Release
from sitegen.site.site import Site
from sitegen.text import safe_xml
from sitegen.text.file_names import DOCUMENT_SUFFIXES
from sitegen.text.prose import reference_target

MAX_HIGHLIGHTED = 4_000
"""A code block with more characters is not highlighted: some lexers take quadratic time."""

ABSOLUTE = re.compile(r"(?:https?|ftp)://|mailto:", re.I)
"""Matches the beginning of an absolute address."""
_IMAGE = r'<a class="image" href="(image/[\w.]+)"[^>]*>([^<]*)</a>'
_LINK = re.compile(r'(?P<tag><a(?: [a-z]+="[^"]*")*>)(?P<words>.*?)</a>', re.S)
"""Matches a link. The sanitizer leaves none within another one."""
_HREF = re.compile(r' href="([^"]+)"')
_CODE = re.compile(r'<pre><code class="language-([^"]+)">([^<]*)</code></pre>')

_DOCUMENT_SUFFIX = re.compile(rf"(?:{'|'.join(map(re.escape, DOCUMENT_SUFFIXES))})$", re.I)
_INDEX = re.compile(r"(^|/)(?:_?index|README)$")
"""Matches the name of a folder's first document, at the end of its path."""

MAX_FORMULA = 2_000
"""The maximum number of characters of a formula; a longer one is shown as its source."""
_FORMULA = r'<(?P<tag>span|div) class="math">(?P<source>[^<]*)</(?P=tag)>'

_MATHML = frozenset(
    "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms "
    "mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split()
)
_MATHML_ATTRIBUTES = frozenset(
    "accent accentunder columnspan depth display displaystyle fence form height largeop "
    "linethickness lspace mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel "
    "separator stretchy symmetric voffset width".split()
)
_MATHML_VALUE = re.compile(r"[A-Za-z0-9 .%+-]{1,60}")
_ALIGNED = (
    r"(\\(?:begin|end))\{(?:aligned|alignedat|split|gathered|equation\*?|gather\*?|multline\*?)\}"
)
"""Matches environments that the converter does not support. They are converted as `align*`."""

Resolve = Callable[[str], str | None]
"""Takes the target of a link, and returns its address as the page needs it; None if the target is
unknown."""


def _nowhere(target: str) -> str | None:
    """Returns None, the address of a link that leads nowhere."""
    return None


class LinkAddresses(NamedTuple):
    """The addresses to which the links in a definition lead; by default, none."""

    of_term: Resolve = _nowhere
    """Takes the name of a term, as a reference has it."""
    of_file: Resolve = _nowhere
    """Takes the address of an image or of another document, as the definition has it."""


def definition_html(
    prose: Prose, addresses: LinkAddresses, *, is_highlighted: bool = True
) -> Markup:
    """Returns a definition as HTML. The first mention of a term is a link; later mentions, and
    links without an address, are plain text."""
    # A formula that cannot be converted stays as its source.
    html = re.sub(_FORMULA, _formula, linked_html(prose, addresses))
    if is_highlighted:
        html = with_highlighted_code(html)
    return scrolling(html)


def with_highlighted_code(html: str) -> str:
    """Returns sanitized HTML with its code in colors, where the language is named."""
    return _CODE.sub(_highlighted, html)


def scrolling(html: str) -> Markup:
    """Returns sanitized HTML whose code and tables can be scrolled by keyboard: they may be wider
    than a phone."""
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", '<table tabindex="0">')
    return Markup(html)  # noqa: S704  (sanitized by prose; see the module's first paragraph)


def linked_html(prose: Prose, addresses: LinkAddresses) -> str:
    """Returns a definition as HTML with links, but without highlighting and MathML. Feeds use it,
    because they do not have the site's style sheet."""
    html = prose.html
    if 'class="image"' in html:
        html = re.sub(_IMAGE, lambda image: _image(image, addresses), html)
        html = html.replace('<a class="image"', "<a")  # an image of another site is a plain link
    linked: set[str] = set()  # the addresses of the terms that are links already

    def written(link: re.Match[str]) -> str:
        start_tag = _start_tag(link["tag"], addresses, linked)
        return f"{start_tag}{link['words']}</a>" if start_tag else link["words"]

    return _LINK.sub(written, html)


def _start_tag(tag: str, addresses: LinkAddresses, linked: set[str]) -> str:
    """Returns the start tag of a link for a page. It is empty if the link leads nowhere, or to a
    term that is a link already; `linked` has the addresses of these terms."""
    href_attribute = _HREF.search(tag)
    if href_attribute is None:
        return ""
    href = unescape(href_attribute[1])
    if ABSOLUTE.match(href):
        return tag
    if not href.startswith("term:"):  # a link to another document
        file_address = addresses.of_file(href)
        return f'<a href="{escape(file_address)}">' if file_address else ""

    address = addresses.of_term(reference_target(href))
    if not address or address in linked:
        return ""
    linked.add(address)
    return f'<a class="term" href="{escape(address)}">'


def _image(match: re.Match[str], addresses: LinkAddresses) -> str:
    """Returns an image with its alternative text. An image without an address is replaced by the
    text."""
    source, text = match.groups()
    address = addresses.of_file(source)
    if not address:
        return str(text)
    words = text.replace('"', "&quot;")
    return f'<img alt="{words}" src="{escape(address)}" loading="lazy">'


def _highlighted(match: re.Match[str]) -> str:
    """Returns code with highlighting. Code in an unknown language stays as it is: the language is
    never guessed."""
    language, code = match.groups()
    html = _code_html(language, unescape(code))
    if not html:
        return match[0]
    return f'<pre><code class="language-{language}">{html}</code></pre>'


# A definition is on several pages. A first build of 10 terms with code and 13 releases takes 0.7 s
# instead of 0.9 s.
@lru_cache(maxsize=1_000)
def _code_html(language: str, code: str) -> str:
    """Returns highlighted code; "" if the language is unknown, or the code is too long."""
    from pygments import highlight  # few glossaries have code in a named language
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return ""
    if len(code) > MAX_HIGHLIGHTED:
        return ""
    return highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")


def _formula(match: re.Match[str]) -> str:
    """Returns a formula as MathML, or as it is if it cannot be converted."""
    is_block = match["tag"] == "div"
    mathml = _mathml(unescape(match["source"]).strip(), is_block=is_block)
    if not mathml:
        return match[0]
    if is_block:
        return f'<div class="math">{mathml}</div>'
    return mathml


# A definition is on several pages. A build of 60 terms with formulas and 10 releases takes 0.9 s
# instead of 1.5 s.
@lru_cache(maxsize=1_000)
def _mathml(source: str, *, is_block: bool) -> str:
    """Returns a formula as MathML Core, which browsers show without a script; "" if it cannot be
    converted whole. The attribute `data-tex` has its source."""
    if len(source) > MAX_FORMULA:
        return ""
    from latex2mathml.converter import convert  # few pages have formulas

    aligned = re.sub(_ALIGNED, r"\1{align*}", source)
    try:
        converted = convert(aligned, display="block" if is_block else "inline")
        formula = etree.fromstring(converted, safe_xml.parser())
    except Exception:  # of any kind: the converter does not expect malformed LaTeX
        return ""
    for element in formula.iter():
        if etree.QName(element).localname not in _MATHML:
            return ""
        # The converter leaves commands that it does not support as text.
        is_unknown_command = re.match(r"\\[a-zA-Z]", element.text or "") is not None
        if is_unknown_command:
            return ""
    # Marks of changed words need the source: it is the plain text of the formula.
    return _mathml_text(formula).replace("<math", f'<math data-tex="{escape(source)}"', 1)


def _mathml_text(element: etree._Element) -> str:
    """Returns an element of MathML as text, with the attributes that are allowed. Text after an
    element is left out: MathML has text only in the innermost elements."""
    name = etree.QName(element).localname
    attributes = ""
    for key in map(str, element.attrib):
        value = str(element.attrib[key])
        if key in _MATHML_ATTRIBUTES and _MATHML_VALUE.fullmatch(value):
            attributes += f' {key}="{value}"'
    children = "".join(map(_mathml_text, element))
    return f"<{name}{attributes}>{escape(element.text or '')}{children}</{name}>"


def link_addresses(
    site: Site, entry: Entry, *, root: str, term: Callable[[str], str | None]
) -> LinkAddresses:
    """Returns the addresses to which the links in an entry's definition lead.

    `root` is the path or address of the site's root, and `term` returns the address of a term by
    its key.
    """
    place = entry.place

    def resolve(target: str) -> str | None:
        key = site.references.get((place.source, target))
        if key:
            return term(key)
        # In the site of a language, the originals may have a term that is not translated.
        slug = site.references_to_originals.get((place.source, target))
        if not slug:
            return None
        return urls.link(site.address_of_original(slug), root)

    def file_address(href: str) -> str | None:
        if href.startswith("image/"):
            return root + href
        release = site.release_of.get((place.source, place.release))
        # Without a release, the entry is the original of a translation at a commit.
        return published_address(release, place, href) if release else None

    return LinkAddresses(resolve, file_address)


def published_address(release: Release, place: Place, href: str) -> str | None:
    """Returns the absolute address of a link in a document at a release: on a forge, or in other
    documentation. None if the address is unknown.

    `file:docs/start.md#run` is a file of the repository. On a forge, it leads to
    `docs/start.md#run` at the tag of the release; in published documentation, to `…/start/#run`.
    `doc:guide/start` is a document without its suffix. Other addresses, such as `../start.html`,
    are relative to the document with the link.
    """
    target, mark, anchor = href.partition("#")
    is_file = target.startswith("file:")
    path = unquote(target.removeprefix("file:").removeprefix("doc:"))
    document = PurePosixPath(place.name)

    # Documents lead to the documentation if that is published, other files to the forge.
    is_document = not is_file or _DOCUMENT_SUFFIX.search(path) is not None
    if release.page and is_document:
        page = release.page.replace("{name}", quote(document.stem))
        # The path of a file begins at the root of the repository.
        path_from_document = relpath(path, document.parent) if is_file else path
        has_suffix = not target.startswith("doc:")
        return _page_address(page, path_from_document, has_suffix=has_suffix) + mark + anchor
    if is_file and release.line_pattern:
        return file_link(release.line_pattern, path=path) + mark + anchor
    return None


def _page_address(page: str, path: str, *, has_suffix: bool) -> str:
    """Returns the published address of a document or file. `page` is the published address of the
    glossary. `path` is relative to the glossary; if it has no suffix, it names a document.

    All documents are published in the same way: if the glossary is at `…/1.0/glossary/`,
    `guide/start.md` is at `…/1.0/guide/start/`, and `guide/README.md` at `…/1.0/guide/`; if it is
    at `…/glossary.html`, they are at `…/guide/start.html` and `…/guide/index.html`. The names of
    other files stay as they are.
    """
    # Without a suffix, `whatsnew/v1.2` is the document v1.2.
    suffix = PurePosixPath(path).suffix if has_suffix else ""
    is_document = suffix == "" or _DOCUMENT_SUFFIX.search(path) is not None
    if not is_document:
        return urljoin(page, quote(path))
    stem = _DOCUMENT_SUFFIX.sub("", path).rstrip("/")
    if page.endswith("/"):
        # The page is itself a folder, so a relative path begins one level higher.
        parent = "" if stem.startswith("/") else "../"
        folder = _INDEX.sub("", stem) or "."  # "." for the first document
        return urljoin(page, f"{parent}{quote(folder)}/")
    file = _INDEX.sub(r"\1index", stem)
    return urljoin(page, quote(file) + PurePosixPath(page).suffix)
