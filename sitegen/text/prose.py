"""Creates definitions (`Prose`): sanitised HTML, plain text with code ranges, and references to terms.

Every format renders a definition to HTML and passes it to `from_html`. The sanitiser here runs last, so all HTML on
pages has passed it. References are resolved, and code is highlighted, when pages are rendered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote

import lxml.html
import nh3
from lxml import etree

from sitegen.model import Prose, Reference
from sitegen.text.decoding import visible
from sitegen.text.words import digest_of

MAX_BYTES = 256 * 1024
MAX_DEPTH = 60
MAX_SENTENCES = 50_000
"""Size of the cache of first sentences, which many lists of terms share."""
MAX_REFERENCES = 100_000
"""Size of the caches of reference targets and addresses."""
PARSER_DEPTH = 200
"""The maximum nesting to parse. libxml2 stops at 256 levels and would lose the rest of the text."""

BLOCKS = frozenset(
    "address article aside blockquote caption dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header"
    " hr li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)
TIGHT = frozenset("li dt dd tr caption".split())
CODE = frozenset("code pre kbd samp tt".split())
# Elements whose content is not part of a definition's text, such as forms, scripts and media in HTML sources.
SILENT = frozenset(
    "applet audio base button canvas embed form frame frameset head iframe input link meta noembed noframes"
    " noscript object script select style svg template textarea title video".split()
)

TAGS = {
    *"a abbr b blockquote br cite code dd del dfn div dl dt em h3 h4 h5 h6 hr i ins kbd li ol p pre q s samp small"
    " span strong sub sup table tbody td tfoot th thead tr u ul var".split()
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
LANGUAGE = re.compile(r"language-[A-Za-z0-9_+#.-]{1,40}")
SPACE = re.compile(r"[ \t\r\n\f\v]+")


def from_html(html: str) -> Prose:
    """Returns a definition from rendered HTML, which is sanitised here.

    A reference to a term is an `<a href="term:NAME">`; `reference_href` returns the address. `<pre>` may contain a
    `<code class="language-x">`; `<div class="note">` is a note. Images become links of the class `image`. `doc:PATH`
    is the address of another document without its suffix. Never raises: HTML that is nested too deeply is reduced to
    its text, and HTML longer than `MAX_BYTES` is truncated.
    """
    html = visible(html)
    plain = read_plain(html) if len(html) <= MAX_BYTES else None
    return _read_plain(plain) if plain else _read(html)


def _read(html: str) -> Prose:
    tree = _parse(html)
    _tidy(tree)
    if _depth(tree) > MAX_DEPTH:
        tree = _parse(f"<p>{_escape(SPACE.sub(' ', ''.join(tree.itertext())))}</p>")
    found = _Text(tree)
    html = _SANITISER.clean(_inner_html(tree))
    return _trimmed(html, "".join(found.parts), code=found.code, references=found.references)


def _read_plain(plain: PlainHtml) -> Prose:
    named = ((reference_target(href), words) for href, words in plain.links if href.startswith("term:"))
    references = (Reference(target=target, text=words) for target, words in named)
    html = plain.clean()
    return _trimmed(
        _SANITISER.clean(plain.html) if html is None else html, plain.text, code=plain.code, references=references
    )


def _trimmed(html: str, text: str, *, code: Iterable[tuple[int, int]], references: Iterable[Reference]) -> Prose:
    text = text.rstrip()
    end = len(text)
    inside = tuple([(start, min(stop, end)) for start, stop in code if start < end])
    return Prose(
        html=html.strip(), text=text, code=inside, references=tuple(references), words=digest_of(text, inside)
    )


def from_text(text: str) -> Prose:
    """Returns a definition of plain paragraphs separated by blank lines."""
    paragraphs = re.split(r"\n[ \t]*\n", text.strip())
    return from_html("".join(f"<p>{_escape(paragraph)}</p>" for paragraph in paragraphs if paragraph.strip()))


@lru_cache(maxsize=MAX_REFERENCES)
def reference_href(target: str) -> str:
    """Returns the `term:` address that marks a reference to a term."""
    return "term:" + quote(SPACE.sub(" ", target).strip(), safe="")


@lru_cache(maxsize=MAX_REFERENCES)
def reference_target(href: str) -> str:
    """Returns the name of the term in a `term:` address: the reverse of `reference_href`."""
    return unquote(href.removeprefix("term:"))


def _parse(html: str) -> lxml.html.HtmlElement:
    # lxml rejects text with characters that are invalid in XML.
    html = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", "", html[:MAX_BYTES])
    if _nesting(html) > PARSER_DEPTH:
        html = f"<p>{re.sub('<[^>]*>', ' ', html)}</p>"
    parser = lxml.html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")
    return lxml.html.fragment_fromstring(html.encode(), create_parent="div", parser=parser)


def _nesting(html: str) -> int:
    """Returns an upper bound of the nesting depth, by counting tags."""
    deepest = depth = 0
    for match in re.finditer(r"<(/?)(?!(?:br|hr|img|col|input|source|wbr)\b)[a-zA-Z]", html):
        depth += -1 if match.group(1) else 1
        deepest = max(deepest, depth)
    return deepest


def _tidy(tree: lxml.html.HtmlElement) -> None:
    """Drops `SILENT` elements, converts images to links, limits headings to h3-h6, and collapses white space."""
    for element in list(tree.iter()):
        tag = element.tag
        if tag in SILENT and element is not tree:
            element.drop_tree()
        elif tag == "img":
            _link_image(element)
        elif tag == "tt":
            element.tag = "code"
        elif isinstance(tag, str) and re.fullmatch("h[1-6]", tag):
            element.tag = f"h{max(3, int(tag[1]))}"
        elif tag not in TAGS and element is not tree:
            _unwrap(element)
    show_only_visible(tree)
    _fold_space(tree, inside_pre=False)
    for element in tree.iter("pre"):
        _trim_pre(element)


def show_only_visible(tree: etree._Element) -> None:
    """Removes invisible characters from a tree."""
    text = "".join(map(str, tree.itertext()))
    for element in tree.iter() if visible(text) != text else ():
        element.text, element.tail = visible(element.text or ""), visible(element.tail or "")


def _unwrap(element: lxml.html.HtmlElement) -> None:
    """Replaces an element that is not allowed with its content; a block element becomes a `<div>`."""
    if element.tag in BLOCKS:
        element.tag = "div"
    else:
        element.drop_tag()


IMAGE_FILE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|avif)(?:[?#].*)?$", re.I)
OUTSIDE = re.compile(r"[a-z][a-z+.-]*:|//", re.I)


def _link_image(image: lxml.html.HtmlElement) -> None:
    words = image.get("alt") or image.get("title") or (image.get("src") or "").rsplit("/", 1)[-1] or "image"
    source = image.get("src") or ""
    around = next(image.iterancestors("a"), None)
    if around is not None and IMAGE_FILE.search(around.get("href") or "") and not OUTSIDE.match(source):
        around.drop_tag()  # it leads to the same image, or to a larger one
        around = None
    tail = image.tail
    image.attrib.clear()
    image.tag = "span" if around is not None or source.startswith("data:") else "a"
    if image.tag == "a":
        image.set("class", "image")
        image.set("href", source)
    image.text, image.tail = words, tail


def _fold_space(tree: lxml.html.HtmlElement, *, inside_pre: bool) -> None:
    """Collapses white space outside `<pre>` to single spaces, and drops it at the start and end of blocks."""
    for event, element in etree.iterwalk(tree, events=("start", "end")):
        if element.tag == "pre":
            inside_pre = event == "start"
        block = element.tag in BLOCKS
        if event == "start" and element.text and not inside_pre:
            element.text = SPACE.sub(" ", element.text)
            if block:
                element.text = element.text.lstrip(" ")
        if event == "end" and element.tail and not inside_pre:
            element.tail = SPACE.sub(" ", element.tail)
            following, parent = element.getnext(), element.getparent()
            if block or element.tag == "br":
                element.tail = element.tail.lstrip(" ")
            last_in_block = following is None and (parent is None or parent.tag in BLOCKS)
            if last_in_block or (following is not None and following.tag in BLOCKS):
                element.tail = element.tail.rstrip(" ")
        if event == "end" and block and not len(element) and element.text and element.tag != "pre":
            element.text = element.text.rstrip(" ")


def _trim_pre(element: lxml.html.HtmlElement) -> None:
    """Drops blank lines around a code block, and spaces at its line ends."""
    if len(element) == 0 and element.text:
        element.text = _trim_code(element.text)
    elif len(element) == 1 and not (element.text or "").strip() and len(element[0]) == 0:
        element.text, element[0].tail = None, None
        element[0].text = _trim_code(element[0].text or "")


def _trim_code(text: str) -> str:
    return re.sub(r"[ \t]+(?=\n)", "", text.replace("\r\n", "\n")).strip("\n").rstrip()


def _depth(tree: lxml.html.HtmlElement) -> int:
    deepest = depth = 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def _inner_html(tree: lxml.html.HtmlElement) -> str:
    start = _escape(tree.text or "")
    return start + "".join(lxml.html.tostring(child, encoding="unicode") for child in tree)


def _filter(tag: str, attribute: str, value: str) -> str | None:
    if tag == "code" and attribute == "class":
        return value if LANGUAGE.fullmatch(value) else None
    if attribute in {"start", "colspan", "rowspan"}:
        return value if re.fullmatch(r"[0-9]{1,4}", value) else None
    return value


_SANITISER = nh3.Cleaner(
    tags=TAGS,
    attributes={**ATTRIBUTES, "code": {"class"}},
    allowed_classes=CLASSES,
    attribute_filter=_filter,
    url_schemes={"http", "https", "mailto", "ftp", "term", "doc"},
    link_rel="noopener",
    strip_comments=True,
)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class _Text:
    """Extracts the plain text, code ranges and references of a tidied tree."""

    def __init__(self, tree: lxml.html.HtmlElement) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.code: list[tuple[int, int]] = []
        self.references: list[Reference] = []
        self.open_code: list[int] = []
        self.open_reference: tuple[str, int] | None = None
        for event, element in etree.iterwalk(tree, events=("start", "end")):
            if event == "start":
                self._start(element)
            else:
                self._end(element, is_root=element is tree)

    def _start(self, element: lxml.html.HtmlElement) -> None:
        tag = element.tag
        if element.get("class") == "note-title":
            return  # The markup shows the kind of a note; the title is not part of the author's text.
        if tag in BLOCKS:
            self._break(tag)
        if tag in CODE:
            self.open_code.append(self.length)
        href = element.get("href") or ""
        if tag == "a" and href.startswith("term:"):
            self.open_reference = (reference_target(href), self.length)
        if tag == "br":
            self._add("\n")
        self._add(element.text or "")

    def _end(self, element: lxml.html.HtmlElement, *, is_root: bool) -> None:
        tag = element.tag
        if tag in CODE:
            start = self.open_code.pop()
            if not self.open_code and start < self.length:
                self.code.append((start, self.length))
        if tag == "a" and self.open_reference:
            target, start = self.open_reference
            self.references.append(Reference(target=target, text="".join(self.parts)[start : self.length]))
            self.open_reference = None
        if is_root:
            return
        if tag in BLOCKS and (element.tail or "").strip():
            self._break(tag)
        self._add(element.tail or "")

    def _break(self, tag: str) -> None:
        if self.parts and self.length:
            ends = "".join(self.parts[-2:])
            wanted = 1 if tag in TIGHT else 2
            if tag in {"td", "th"}:
                self._add("" if ends.endswith(("\n", "\t")) else "\t")
                return
            missing = wanted - (len(ends) - len(ends.rstrip("\n")))
            self._add("\n" * max(0, missing))

    def _add(self, text: str) -> None:
        if text:
            self.parts.append(text)
            self.length += len(text)


@lru_cache(maxsize=MAX_SENTENCES)
def first_sentence(text: str, limit: int = 140) -> str:
    """Returns the first sentence of a plain text, truncated at a word with an ellipsis if longer than `limit`.

    A single word ("Deprecated.") is joined with the next sentence, and a paragraph that ends in a colon with the
    next paragraph.
    """
    line, *others = text.strip().split("\n\n", 2)
    if line.endswith((":", "：")):
        line = f"{line} {others[0]}" if others else f"{line[:-1]}…"
    if "  " in line or not line.isprintable():
        line = SPACE.sub(" ", line)
    end = next((end for end in _sentence_ends(line) if " " in line[:end] or not line[:end].isascii()), len(line))
    line = line[:end]
    if len(line) <= limit:
        return line
    return line[:limit].rsplit(" ", 1)[0][: limit - 1].rstrip(" ,;:–—") + "…"


SENTENCE_END = re.compile(r"[.!?…؟۔।][\"'”’»)\]]*(?=\s+\S)|[。！？][」』”’）]*")
GOING_ON = re.compile(
    r"\s+[a-zà-öø-ÿа-яё]|(?<=\b[Aa]rt\.)\s+\d|(?<=\bKap\.)\s+\d|(?<=[」』”’）])[のとはをがにでもなや]"
    r"|(?<=\d\.)\s+(?:Januar|Februar|März|April|Mai|Jun|Jul|August|September|Oktober|November|Dezember|Jahrhundert)"
)
"""What follows a full stop that ends no sentence: a small letter, a number, a Japanese particle, a German date."""
# Full stops after these do not end a sentence: in English, German, French, Spanish, Portuguese, and Russian.
ABBREVIATION = re.compile(
    r"(?:^|[\s(’'])(?:e\.g|i\.e|etc|vs|cf|approx|resp|ca|no|fig|al|Dr|Mr|Ms|Mrs|St|[A-Z]"
    r"|z\. ?[BT]|d\. ?h|u\. ?a|o\. ?ä|bzw|ggf|evtl|vgl|sog|inkl|usw|Nr|Abs|Abb|Mio|Mrd|bzgl"
    r"|p\. ?ex|p\. ?ej|c\.-à-d|Mme|Sr|Sra|núm|pág|т\. ?[едпк]|др|напр|см|рис|стр)\.$",
    re.I,
)
LONGEST = 16
"""The number of characters before a sentence end in which to look for an abbreviation."""


def _sentence_ends(text: str) -> Iterator[int]:
    for match in SENTENCE_END.finditer(text):
        end = match.end()
        if not ABBREVIATION.search(text, max(0, end - LONGEST), end) and not GOING_ON.match(text, end):
            yield end


# A fast path for simple HTML: paragraphs of text with code, emphasis and links, as in most definitions. The results
# are the same as those of the tree parser, which takes much longer. Links are the only unsafe part of such HTML; if
# all of them lead to terms, the output of the sanitiser can be computed without running it.
PLAIN_WORDS = r"(?:[^<>&\x00-\x09\x0b-\x1f\x7f-\xa0\ud800-\udfff\ufffe\uffff]++|&(?:amp|lt|gt|quot);)*+"
PLAIN_CODE = f"<code>{PLAIN_WORDS}</code>"
STRESSED = f"<em>{PLAIN_WORDS}</em>|<strong>{PLAIN_WORDS}</strong>"
LINK = rf'<a href="[A-Za-z0-9%:/.#_?=+-]+">(?:{PLAIN_WORDS}|{PLAIN_CODE})</a>'
PARAGRAPHS = re.compile(rf"(?:<p>{PLAIN_WORDS}(?:(?:{PLAIN_CODE}|{STRESSED}|{LINK}){PLAIN_WORDS})*+</p>[ \n]*+)++")
PART = re.compile(r'<(?P<tag>/?[a-z]+)(?: href="(?P<href>[^"]+)")?>|[^<]+')
TO_TERM = re.compile(r"term:[A-Za-z0-9%._~-]*")
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainHtml:
    """Normalised paragraphs, with their text, code ranges and links."""

    html: str
    """With single spaces, and no spaces at the start and end of paragraphs."""
    text: str
    code: tuple[tuple[int, int], ...]
    """Ranges of the text that are code."""
    links: tuple[tuple[str, str], ...]
    """(address, text) of each link."""

    def clean(self) -> str | None:
        """Returns the HTML as the sanitiser would; None if some link does not lead to a term."""
        if not all(TO_TERM.fullmatch(href) for href, _ in self.links):
            return None
        return self.html.replace('">', '" rel="noopener">').replace("&quot;", '"')


def read_plain(html: str) -> PlainHtml | None:
    """Parses HTML that consists of simple paragraphs; returns None for any other HTML."""
    if not PARAGRAPHS.fullmatch(html):
        return None
    tidied = _tidied(html)
    text = href = ""
    code_begins = link_begins = 0
    code, links = [], []
    for part in PART.finditer(tidied):
        match part["tag"]:
            case None:
                text += _unescaped(part[0])
            case "p" if text and not text.endswith("\n\n"):
                text += "\n\n"
            case "code":
                code_begins = len(text)
            case "/code" if code_begins < len(text):
                code.append((code_begins, len(text)))
            case "a":
                href, link_begins = part["href"], len(text)
            case "/a":
                links.append((href, text[link_begins:]))
    return PlainHtml(html=tidied, text=text, code=tuple(code), links=tuple(links))


def _tidied(html: str) -> str:
    html = html.replace("\n", " ")
    while "  " in html:
        html = html.replace("  ", " ")
    return html.replace("<p> ", "<p>").replace(" </p>", "</p>").replace("</p> ", "</p>")


def _unescaped(text: str) -> str:
    if "&" in text:
        for entity, character in ENTITIES:
            text = text.replace(entity, character)
    return text
