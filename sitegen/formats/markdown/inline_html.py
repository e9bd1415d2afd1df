"""Converts HTML inside Markdown: tags that mark up text are kept, others are shown as text,
comments are left out.

So `<kbd>` is shown as a key, and `Vec<T>` as the author typed it. This module does not make HTML
safe: the sanitizer in `text.prose` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html import escape, unescape
from itertools import takewhile
from urllib.parse import unquote

from markdown_it.token import Token

from sitegen.text.prose import reference_href

KEPT = frozenset(
    """
    a abbr acronym b bdi big blockquote br center cite code dd del details dfn div dl dt em
    figcaption figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark nobr ol p picture pre q rp rt
    ruby s samp small source span strike strong sub summary sup table tbody td tfoot th thead tr tt
    u ul var wbr emphasis firstterm glossterm
    """.split()
)
"""Elements that mark up text. The last three are left over where DocBook became Markdown."""
BEGINS_BLOCK = (
    r"(?i)\s*</?(?:blockquote|center|dd|details|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|summary|table|tbody|td|tfoot|th|thead"
    r"|tr|ul)\b"
)
TAG = re.compile(r"</?(?P<element>[A-Za-z][A-Za-z0-9-]*)(?=[\s/>])[^<>]*>|<")
UNSEEN = re.compile(r"<(?:(?P<element>script|style)\b[^<>]*>|(?:link|meta)\s[^<>]*=[^<>]*>)", re.I)
"""Elements of a page that show nothing. A tag alone, as in "the `<script>` tag", is text."""
HREF = re.compile(r"""(?<=\shref=)(["']?)(?P<address>[^"'\s>]+)\1""")
IDENTIFIER = re.compile(r"""(?<=\s)(?:id|name)\s*=\s*["']?#?([^"'\s>]+)""")

Address = Callable[[str], str]
"""Maps the address of a link as written to the address that it gets."""


def to_reference(href: str) -> str:
    """Returns the address of a link; for a link to a place in the same document, a reference:
    `term:%23jig` for `#jig`."""
    if href.startswith("#") and len(href) > 1:
        return reference_href(unquote(href))
    return href


# `parse_text` is memoized by its arguments. The function is one of them, so each file name has the
# same function each time.
@cache
def references_in(name: str) -> Address:
    """Returns the function that maps the links in a file: in `words.md` it maps `#jig`,
    `words.md#jig` and `./words.md#jig` to `term:%23jig`."""

    def address(href: str) -> str:
        path, _, place = href.partition("#")
        if place and unquote(path).removeprefix("./") == name:
            return to_reference(f"#{place}")
        return to_reference(href)

    return address


def as_written(html: str, address: Address) -> str:
    """Returns raw HTML without comments and scripts; tags that mark up no text are escaped:
    `<b>a</b> <T>` is `<b>a</b> &lt;T&gt;`."""
    return TAG.sub(lambda tag: _tag(tag, address), _without_unseen(html))


def as_block(html: str, address: Address) -> str:
    """Returns raw HTML that is not inside a paragraph, wrapped in `<p>` unless it is a block
    element."""
    cleaned = as_written(html, address)
    if re.match(BEGINS_BLOCK, cleaned):
        return cleaned
    return f"<p>{cleaned}</p>\n"


def as_text(html: str) -> str:
    """Returns the text that a piece of raw HTML adds to a name: `<T>` for `<T>`, and nothing for a
    tag that marks up text, such as `<b>`."""
    text = as_written(html, str)  # `str` changes no address
    if text.startswith("<"):  # the tag marks up text: others are escaped
        return ""
    return unescape(text)


def identifiers(html: str) -> tuple[str, ...]:
    """Returns the `id` and `name` attributes in raw HTML, which are link targets."""
    names: list[str] = []
    for tag in TAG.finditer(html):
        if tag["element"]:
            names += IDENTIFIER.findall(tag[0])
    return tuple(names)


def leading_anchors(children: Sequence[Token]) -> tuple[tuple[str, ...], Sequence[Token]]:
    """Returns the anchors in the raw HTML at the start of a text, and the tokens after it: of
    `<a id="jig"></a>**Jig**`, `jig` and the tokens of `**Jig**`."""
    leading = [*takewhile(lambda token: token.type == "html_inline", children)]
    return anchors_in(leading), children[len(leading) :]


def anchors_in(children: Sequence[Token]) -> tuple[str, ...]:
    """Returns the anchors in the raw HTML of inline tokens."""
    names: list[str] = []
    for token in children:
        if token.type == "html_inline":
            names += identifiers(token.content)
    return tuple(names)


def shows_nothing(html: str) -> bool:
    """Returns whether the HTML shows nothing: a comment, an empty anchor."""
    if re.search(r"<(?:img|hr)\b", html):
        return False
    return not TAG.sub(_without_markup, _without_unseen(html)).strip()


def _without_unseen(html: str) -> str:
    """Returns HTML without comments and scripts."""
    first, *others = html.split("<!--")
    visible = first
    for other in others:
        _comment, _, below = other.partition("-->")
        visible += below
    if UNSEEN.search(visible):
        return "".join(_without_scripts(visible))
    return visible


def _without_scripts(html: str) -> Iterator[str]:
    """Yields the parts of HTML that are outside of scripts and styles, and of tags of the page's
    head: "a" and "b" of `a<script>x</script>b`."""
    shown_from = 0
    for tag in UNSEEN.finditer(html):
        is_in_script = tag.start() < shown_from
        if is_in_script:
            continue
        end = tag.end()
        if element := tag["element"]:
            closing = re.compile(rf"</{element}[^>]*>?", re.I).search(html, end)
            if closing is None:
                break  # a tag without its end is text
            end = closing.end()
        yield html[shown_from : tag.start()]
        shown_from = end
    yield html[shown_from:]


def _tag(tag: re.Match[str], address: Address) -> str:
    """Returns a tag that marks up text, with its address mapped. Other tags are escaped."""
    if not _is_kept(tag):
        return escape(tag[0], quote=False)
    return HREF.sub(lambda href: f'"{escape(address(href["address"]))}"', tag[0])


def _without_markup(tag: re.Match[str]) -> str:
    return "" if _is_kept(tag) else tag[0]


def _is_kept(tag: re.Match[str]) -> bool:
    element = tag["element"] or ""
    return element.lower() in KEPT
