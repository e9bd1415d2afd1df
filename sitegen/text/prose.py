"""Creates definitions (`Prose`): sanitized HTML, plain text with code ranges, and references to
terms.

Every format renders a definition to HTML and passes it to `from_html`. The sanitizer here runs
last, so all HTML on pages has passed it. References are resolved, and code is highlighted, when
pages are rendered.
"""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote, unquote

import lxml.html
import nh3
from lxml import etree

from sitegen.model import Prose, Reference
from sitegen.text import labels
from sitegen.text.decoding import NOT_XML, show_only_visible, visible
from sitegen.text.memo import memo
from sitegen.text.words import TextSpan, without_tags

MAX_DEFINITION_BYTES = 256 * 1024
MAX_DEPTH = 60
"""The maximum nesting of a definition, as its elements are read by recursion."""
PARSER_DEPTH = 200
"""The maximum nesting to parse. libxml2 stops at 256 levels and would lose the rest of the text."""

BLOCKS = frozenset(
    """
    address article aside blockquote caption dd details div dl dt figcaption figure footer h1 h2 h3
    h4 h5 h6 header hr li main nav ol p pre section table tbody td tfoot th thead tr ul
    """.split()
)
TIGHT = frozenset("li dt dd tr caption".split())
"""Blocks before and after which there is no empty line."""
CODE = frozenset("code pre kbd samp tt".split())
# Elements whose content is not part of a definition's text, such as forms, scripts and media in
# HTML sources.
SILENT_TAGS = frozenset(
    """
    applet audio base button canvas embed form frame frameset head iframe input link meta noembed
    noframes noscript object script select style svg template textarea title video
    """.split()
)

TAGS = {
    *"""
    a abbr b blockquote br cite code dd del dfn div dl dt em h3 h4 h5 h6 hr i ins kbd li ol p pre q
    s samp small span strong sub sup table tbody td tfoot th thead tr u ul var
    """.split()
}
ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
CLASSES = {
    "a": {"image"},
    "div": {"note", "math", "lines"},
    "p": {"note-title", "rubric"},
    "span": {"math"},
}
LANGUAGE_CLASS = re.compile(r"language-[A-Za-z0-9_+#.-]{1,40}")
SPACE = re.compile(r"[ \t\r\n\f\v]+")
_HEADING = re.compile(r'<h(\d)>.*?</h\1>|<p class="rubric">.*?</p>', re.S)


def from_html(html: str) -> Prose:
    """Returns a definition from rendered HTML, which it sanitizes. Never raises.

    A link to `term:NAME` is a reference to a term (see `reference_href`), and one to `doc:PATH`
    leads to another document, without its suffix. `<pre>` may contain a `<code
    class="language-x">`; `<div class="note">` is a note. Images become links of the class `image`.
    HTML that is nested too deeply is reduced to its text, and HTML longer than
    `MAX_DEFINITION_BYTES` is cut.
    """
    tree = _parse(visible(html))
    _tidy(tree)
    tidied = _html(tree)
    if _nesting(tidied) >= MAX_DEPTH:
        text = SPACE.sub(" ", "".join(tree.itertext()))
        tidied = f"<p>{escape(text, quote=False)}</p>"
        tree = _parse(tidied)
    return _prose(_SANITIZER.clean(tidied).strip(), tree)


def _html(tree: lxml.html.HtmlElement) -> str:
    """Returns the HTML in the element of a tree."""
    html = escape(tree.text or "", quote=False)
    for child in tree:
        html += lxml.html.tostring(child, encoding="unicode")
    return html


@memo
def with_titles(prose: Prose) -> Prose:
    """Returns a definition whose plain text has the titles of notes, such as “See also”, for
    readers of text."""
    if "note-title" not in prose.html:
        return prose
    return _prose(prose.html, _parse(prose.html), titles=True)


@memo
def without_headings(prose: Prose) -> Prose:
    """Returns a definition without the headings in it, if it has other words."""
    html = _HEADING.sub("", prose.html)
    if html == prose.html:
        return prose
    without = _prose(html, _parse(html))
    return without if without.text else prose


def _prose(html: str, tree: lxml.html.HtmlElement, *, titles: bool = False) -> Prose:
    """Returns the definition with this sanitized HTML. Its text, its code and its references are
    read from the tree of the HTML; the text has the titles of notes if `titles` is set."""
    plain = _PlainText(titles=titles)
    plain.read(tree)
    whole = "".join(plain.pieces)
    references = []
    for target, (start, end) in plain.references:
        references.append(Reference(target=target, text=whole[start:end], start=start))

    # The text loses the space at its end, so code ends there too.
    text = whole.rstrip()
    code = []
    for start, end in plain.code:
        if start < len(text):
            code.append((start, min(end, len(text))))
    return Prose(html=html, text=text, code=tuple(code), references=tuple(references))


def from_sanitized(html: str) -> Prose:
    """Returns the definition with HTML that `from_html` returned before; other HTML is
    sanitized."""
    is_sanitized = _SANITIZER.clean(visible(html)).strip() == html
    if not is_sanitized:
        return from_html(html)
    return _prose(html, _parse(html))


def reference_href(target: str) -> str:
    """Returns the address of a link that refers to a term, or to an anchor (`#jig`). The name may
    have a status, "Rig (deprecated)".

    >>> reference_href("table saw"), reference_href("#jig")
    ('term:table%20saw', 'term:%23jig')
    """
    name = labels.without_status(SPACE.sub(" ", target).strip())
    return "term:" + quote(name, safe="")


def reference_target(href: str) -> str:
    """Returns the name of the term in a `term:` address: the reverse of `reference_href`."""
    return unquote(href.removeprefix("term:"))


def _nesting(html: str) -> int:
    """Returns how deep the elements of HTML are nested.

    >>> _nesting("<p>a <b>c</b><br></p>")
    2
    """
    deepest = depth = 0
    for tag in re.finditer(r"<(/?)(?!(?:br|hr|img|col|input|source|wbr)\b)[a-zA-Z]", html):
        if tag[1]:
            depth -= 1
        else:
            depth += 1
            deepest = max(deepest, depth)
    return deepest


def _parse(html: str) -> lxml.html.HtmlElement:
    """Returns the tree of HTML, in a `<div>`."""
    html = NOT_XML.sub("", html[:MAX_DEFINITION_BYTES])
    if _nesting(html) > PARSER_DEPTH:
        html = f"<p>{without_tags(html, instead=' ')}</p>"
    parser = lxml.html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")
    return lxml.html.fragment_fromstring(html.encode(), create_parent="div", parser=parser)


def _tidy(tree: lxml.html.HtmlElement) -> None:
    """Changes a tree, so that it has only the elements of definitions, and single spaces."""
    for element in [*tree.iterdescendants()]:
        tag = element.tag
        if tag in SILENT_TAGS:
            element.drop_tree()
        elif tag == "img":
            _link_image(element)
        elif tag == "tt":
            element.tag = "code"
        elif tag in {"h1", "h2"}:
            element.tag = "h3"
        elif tag not in TAGS and tag in BLOCKS:
            element.tag = "div"
        elif tag not in TAGS:
            element.drop_tag()  # its content stays
    show_only_visible(tree)
    _fold_space(tree)
    for element in tree.iter("pre"):
        _trim_pre(element)


IMAGE_FILE = r"(?i)\.(?:png|jpe?g|gif|svg|webp|avif)(?:[?#].*)?$"
OUTSIDE = r"(?i)[a-z][a-z+.-]*:|//"


def _link_image(image: lxml.html.HtmlElement) -> None:
    """Replaces an image by a link to it: `<a class="image" href="jig.png">A jig</a>`.

    An image without a file is replaced by its words alone. So is one in a link, unless an image of
    the repository links to itself or to a larger one: then that link is dropped.
    """
    source = image.get("src") or ""
    _, _, file_name = source.rpartition("/")
    words = image.get("alt") or image.get("title") or file_name or "image"
    has_file = source != "" and not source.startswith("data:")
    link = next(image.iterancestors("a"), None)
    if link is not None and not re.match(OUTSIDE, source):
        leads_to_image = re.search(IMAGE_FILE, link.get("href") or "")
        if leads_to_image:  # the same image, or a larger one
            link.drop_tag()
            link = None

    image.attrib.clear()
    image.tag = "span"
    if has_file and link is None:
        image.tag = "a"
        image.set("class", "image")
        image.set("href", source)
    image.text = words


def _fold_space(tree: lxml.html.HtmlElement) -> None:
    """Collapses white space outside `<pre>` to single spaces, and drops it at the start and end of
    blocks. lxml has the text before the first child of an element as its `text`, and the text after
    an element as its `tail`."""
    is_in_pre = False
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if element.tag == "pre":
            is_in_pre = event == "start"  # at its end, the text after it is outside
        if is_in_pre:
            continue
        if event == "start" and element.text:
            _fold_space_in_text(element)
        if event == "end" and element.tail:
            _fold_space_in_tail(element)


def _fold_space_in_text(element: etree._Element) -> None:
    """Collapses white space in the text before the first child of an element."""
    text = SPACE.sub(" ", element.text or "")
    if element.tag in BLOCKS:
        text = text.lstrip(" ")
        if len(element) == 0:
            text = text.rstrip(" ")
    element.text = text


def _fold_space_in_tail(element: etree._Element) -> None:
    """Collapses white space in the text after an element."""
    tail = SPACE.sub(" ", element.tail or "")
    if element.tag in BLOCKS or element.tag == "br":
        tail = tail.lstrip(" ")
    # The text ends where a block begins, or with the block that it is in.
    boundary = element.getnext()
    if boundary is None:
        boundary = element.getparent()
    if boundary is None or boundary.tag in BLOCKS:
        tail = tail.rstrip(" ")
    element.tail = tail


def _trim_pre(element: lxml.html.HtmlElement) -> None:
    """Drops the blank lines around a code block, and the spaces at the ends of its lines. Code with
    markup inside is not changed."""
    code = element
    if len(element) == 1:
        text_around = (element.text or "") + (element[0].tail or "")
        if not text_around.strip():  # <pre><code>
            code = element[0]
    has_markup = len(code) > 0
    if has_markup:
        return
    if code is not element:
        element.text = code.tail = None  # blank lines
    text = (code.text or "").replace("\r\n", "\n")
    code.text = re.sub(r"[ \t]+(?=\n)", "", text).strip("\n").rstrip()


def _kept_attribute(tag: str, attribute: str, value: str) -> str | None:
    """Returns the value of an attribute. Returns None for a class of code that names no language,
    and for a `colspan` or the like that is no number."""
    if tag == "code" and attribute == "class" and not LANGUAGE_CLASS.fullmatch(value):
        return None
    is_number = attribute in {"start", "colspan", "rowspan"}
    if is_number and not re.fullmatch(r"[0-9]{1,4}", value):
        return None
    return value


_SANITIZER = nh3.Cleaner(
    tags=TAGS,
    attributes={**ATTRIBUTES, "code": {"class"}},
    allowed_classes=CLASSES,
    attribute_filter=_kept_attribute,
    url_schemes={"http", "https", "mailto", "ftp", "term", "doc"},
    link_rel=None,
    strip_comments=True,
)


class _PlainText:
    """The plain text of a tidied tree, with its code and its references."""

    def __init__(self, *, titles: bool) -> None:
        self.titles = titles
        self.pieces: list[str] = []
        self.length = 0
        self.end = ""
        """The last two characters."""
        self.code: list[TextSpan] = []
        self.references: list[tuple[str, TextSpan]] = []
        """The names of terms, and the words that refer to them."""

    def read(self, element: etree._Element, *, is_in_code: bool = False) -> None:
        """Adds the text in an element, but not the text after the element."""
        # The markup shows the kind of a note; its title is not part of the author's text.
        if element.get("class") == "note-title" and not self.titles:
            return

        self._add(_separator_before(self.end, element.tag))
        start = self.length
        if element.tag == "br":
            self._add("\n")
        self._add(element.text or "")

        is_code = element.tag in CODE
        for child in element:
            self.read(child, is_in_code=is_code or is_in_code)
            tail = child.tail or ""
            if tail.strip():
                # A text after a block is separated from the block as the block is from others.
                self._add(_separator_before(self.end, child.tag))
            self._add(tail)

        is_outermost_code = is_code and not is_in_code
        if is_outermost_code and start < self.length:
            self.code.append((start, self.length))

        href = element.get("href") or ""
        if element.tag == "a" and href.startswith("term:"):
            self.references.append((reference_target(href), (start, self.length)))

    def _add(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)
        self.end = (self.end + text)[-2:]


def _separator_before(end: str, tag: str) -> str:
    """Returns what separates a text from the block with this tag that follows: line breaks, or a
    tab before a table cell. Returns an empty text for inline elements.

    >>> _separator_before("d.", "p"), _separator_before("d\\n", "p"), _separator_before("d.", "td")
    ('\\n\\n', '\\n', '\\t')
    """
    is_first = not end
    if is_first or tag not in BLOCKS:
        return ""
    if tag in {"td", "th"}:
        if end.endswith(("\n", "\t")):
            return ""
        return "\t"
    wanted_breaks = 2
    if tag in TIGHT:
        wanted_breaks = 1
    present_breaks = len(end) - len(end.rstrip("\n"))
    return "\n" * (wanted_breaks - present_breaks)  # none if there are enough
