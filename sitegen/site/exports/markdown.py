"""Converts definitions from HTML to Markdown (CommonMark).

The HTML comes from the sanitiser (`prose`), so only the elements that the sanitiser allows are converted. Characters
that Markdown would read as markup are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape

from lxml import etree

from sitegen.model import Prose
from sitegen.site.definitions import ABSOLUTE
from sitegen.text.markdown_escaping import escape_line_starts, escaped, inline
from sitegen.text.prose import BLOCKS, PLAIN_CODE, PLAIN_WORDS, reference_target

Resolve = Callable[[str], str | None]
"""Returns the address for the target of a reference, or None if the target is unknown."""

_LONE_BAR = re.compile(r"(?<!\\)\|")
_NO_ADDRESS = re.compile(r"[\s()<>\\\x00-\x1f]")
_ONE_PARAGRAPH = re.compile(r"<p>([^<&]*)</p>")
_LINK = rf'<a href="[^"]*"[^>]*>{PLAIN_WORDS}</a>'
PLAIN = re.compile(rf"(?:<p>{PLAIN_WORDS}(?:(?:{PLAIN_CODE}|{_LINK}){PLAIN_WORDS})*+</p>)++")
"""Matches paragraphs of text, code and links, the usual case, which are converted without an HTML parser."""
_PIECE = re.compile(r'<code>([^<]*)</code>|<a href="([^"]*)"[^>]*>([^<]*)</a>|([^<]+)')
_PARSER = etree.HTMLParser()
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}


def markdown(prose: Prose, resolve: Resolve, place: Resolve) -> str:
    """Returns a definition as Markdown, with its references to terms as links; as `definition_html` does."""
    if one := _ONE_PARAGRAPH.fullmatch(prose.html):
        return escaped(one[1])
    if PLAIN.fullmatch(prose.html):
        return _Writer(resolve, place).plain(prose.html)
    document = etree.fromstring(f"<div>{prose.html}</div>", _PARSER)
    return "\n\n".join(_Writer(resolve, place).blocks(document[0][0]))


def link(text: str, address: str) -> str:
    """Returns a Markdown link."""
    return f"[{inline(text)}]({_target(address)})"


def _target(address: str) -> str:
    return _NO_ADDRESS.sub(lambda match: f"%{ord(match[0]):02X}", address)


class _Writer:
    def __init__(self, resolve: Resolve, place: Resolve) -> None:
        self.resolve = resolve
        self.place = place

    def plain(self, html: str) -> str:
        """Returns HTML that matches `PLAIN` as Markdown, with the same result as `blocks`."""
        paragraphs = (escape_line_starts(_PIECE.sub(self._piece, one).strip()) for one in html[3:-4].split("</p><p>"))
        return "\n\n".join(filter(None, paragraphs))

    def _piece(self, piece: re.Match[str]) -> str:
        code, href, shown, text = map(unescape, piece.groups(""))
        if text:
            return inline(text)
        return self._linked(inline(shown), href) if shown else _code(code)

    def blocks(self, element: etree._Element) -> list[str]:
        """Returns the blocks in an element. Text between blocks becomes a paragraph."""
        found: list[str] = []
        running = inline(element.text or "")
        for child in element:
            if child.tag in BLOCKS:
                found += [escape_line_starts(running.strip()), *self._block(child)]
                running = ""
            else:
                running += self._inline(child)
            running += inline(child.tail or "")
        return [block for block in (*found, escape_line_starts(running.strip())) if block]

    def _block(self, element: etree._Element) -> Iterable[str]:
        match element.tag:
            case "pre":
                return [_fenced(element)]
            case "ul" | "ol":
                return ["\n".join(self._items(element))]
            case "table":
                return ["\n".join(self._rows(element))]
            case "blockquote":
                return [self._quoted(element)]
            case "div" if element.get("class") == "note":
                return [self._quoted(element)]
            case "p" if element.get("class") == "note-title":
                return [f"**{self._line(element)}**"]
            case "hr":
                return ["* * *"]
            case "dt" | "h3" | "h4" | "h5" | "h6":
                return [f"**{title}**"] if (title := self._line(element)) else []
            case _:
                return self.blocks(element)

    def _quoted(self, element: etree._Element) -> str:
        return _prefixed("> ", "> ", "\n\n".join(self.blocks(element)))

    def _items(self, element: etree._Element) -> Iterator[str]:
        for number, item in enumerate(element, start=int(element.get("start") or 1)):
            mark = f"{number}. " if element.tag == "ol" else "- "
            yield _prefixed(mark, " " * len(mark), "\n\n".join(self.blocks(item)))

    def _rows(self, table: etree._Element) -> Iterator[str]:
        for number, row in enumerate(table.iter("tr")):
            cells = [_LONE_BAR.sub(r"\|", self._line(cell)) for cell in row]
            yield f"| {' | '.join(cells)} |"
            if number == 0:
                yield f"|{' --- |' * len(cells)}"

    def _line(self, element: etree._Element) -> str:
        return " ".join(" ".join(self.blocks(element)).replace("\\\n", " ").split())

    def _inline(self, element: etree._Element) -> str:
        if element.tag in ("code", "kbd", "samp"):
            return _code("".join(map(str, element.itertext())))
        if element.tag == "br":
            return "\\\n"
        inside = inline(element.text or "")
        inside += "".join(self._inline(child) + inline(child.tail or "") for child in element)
        if element.tag == "a":
            return self._linked(inside, element.get("href") or "")
        words = inside.strip()
        if not words:
            return inside
        # CommonMark reads an emphasis mark only directly next to a word.
        mark = _MARKS.get(element.tag, "") if words[0].isalnum() and words[-1].isalnum() else ""
        return inside.replace(words, mark + words + mark, 1)

    def _linked(self, inside: str, href: str) -> str:
        words = inside.strip()
        return inside.replace(words, self._link(href, words), 1) if words else inside

    def _link(self, href: str, words: str) -> str:
        if href.startswith("term:"):
            address = self.resolve(reference_target(href))
        else:
            address = href if ABSOLUTE.match(href) else self.place(href) if href else None
        mark = "!" if href.startswith("image/") else ""
        return f"{mark}[{words}]({_target(address)})" if address else words


def _prefixed(first: str, others: str, text: str) -> str:
    return re.sub(" +$", "", first + text.replace("\n", f"\n{others}"), flags=re.M)


def _fenced(element: etree._Element) -> str:
    text = "".join(map(str, element.itertext()))
    code = element.find("code")
    language = "" if code is None else (code.get("class") or "").removeprefix("language-")
    fence = "`" * max(3, 1 + _longest_run(text))
    return f"{fence}{language}\n{text}\n{fence}"


def _code(text: str) -> str:
    ticks = "`" * (1 + _longest_run(text))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text.strip() else text


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
