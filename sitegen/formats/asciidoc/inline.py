"""Renders AsciiDoc inside a paragraph as HTML: quotes, links, references, macros and attributes.

The rules are Asciidoctor's substitutions, in their order, as far as glossaries use them. An unknown macro is rendered
as the text in its brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from pathlib import PurePosixPath

from sitegen.formats.common.raw_text import without_math
from sitegen.text.prose import reference_href

CHARACTERS = {
    "amp": "&",
    "apos": "'",
    "asterisk": "*",
    "backslash": "\\",
    "backtick": "`",
    "brvbar": "¦",
    "caret": "^",
    "cpp": "C++",
    "deg": "°",
    "empty": "",
    "endsb": "]",
    "gt": ">",
    "ldquo": "“",
    "lsquo": "‘",
    "lt": "<",
    "nbsp": " ",
    "plus": "+",
    "pp": "++",
    "quot": '"',
    "rdquo": "”",
    "rsquo": "’",
    "sp": " ",
    "startsb": "[",
    "tilde": "~",
    "two-colons": "::",
    "two-semicolons": ";;",
    "vbar": "|",
    "wj": "",
    "zwsp": "",
}
"""The predefined attributes."""
ATTRIBUTE = re.compile(r"(?<!\\)\{(\w[\w-]*)\}")
MAX_ADDED = 500_000
"""The maximum number of characters that all uses of attributes may add to a document."""
RAW = re.compile(
    r"(?<!\\)(?:\+\+\+(?P<html>.+?)\+\+\+|pass:(?P<rules>[\w,]*)\[(?P<passed>[^\[\]]*)\]"
    r"|(?<![\w`])`\+(?P<literal>.{1,1000}?)\+`(?![\w`])|``(?P<doubled>.+?)``"
    r"|(?<![\w`\\\"'])`(?=\S)(?P<code>[^`]*?[^\s`])`(?![\w`\"'])"
    r"|(?<![\w+])\+\+(?=\S)(?P<pluses>.{1,1000}?)\+\+|(?<![\w+])\+(?=\S)(?P<plus>[^+\n]+?)\+(?!\w))",
    re.S,
)
"""Matches passthroughs and code: HTML, text between plus signs that is not substituted, and code, which is."""
SUBSTITUTED = frozenset(("q", "quotes", "m", "macros", "n", "normal"))
ESCAPED = frozenset(("c", "specialchars", "specialcharacters", "v", "verbatim"))
"""Names of the substitutions that a passthrough macro may name."""
STASHED = re.compile(r"\0(\d+)\0")
REFERENCE = re.compile(r"(?<!\\)&lt;&lt;#?([^,&<>\0]+?)(?:,\s*([^<>]{1,300}?))?&gt;&gt;")
XREF = re.compile(r"(?<!\\)\bxref:([^\s\[\0]*)\[([^\[\]]*)\]", re.S)
LINK = re.compile(
    r"(?<!\\)\blink:\+*([^\s\[\0]+?)\+*\[([^\[\]]*)\]|(?<![\w:\\])((?:https?|ftp|irc)://[^\s\[\]<>\0]*[^\s\[\]<>\0.,;:)])(?:\[([^\[\]]*)\])?",
    re.S,
)
MAIL = re.compile(r"\bmailto:([^\s\[]+)\[([^\[\]]*)\]")
MACRO = re.compile(r"(?<![\w\\])([a-z][\w-]*):([^\s:\[\]\0]*)\[((?:[^\[\]\\]|\\.)*+)\]", re.S)
FORMULA = re.compile(r"(?<![\w\\])(stem|latexmath|asciimath):\[((?:[^\]\\]|\\.)*+)\]", re.S)
ANCHOR = re.compile(r"\[\[([\w:][^\],\[]*+)(?:,[^\]\[]*+)?\]\]|\banchor:[\w-]+\[\]")
CHARACTER_REFERENCE = re.compile(r"&amp;((?:[a-zA-Z]{2,20}[0-9]{0,2}|#[0-9]{2,6}|#x[0-9a-fA-F]{2,5});)")
HIDDEN_INDEX = re.compile(r"\(\(\([^()]*\)\)\)\s?")
SHOWN_INDEX = re.compile(r"\(\((?!\()([^()]+)\)\)")
ROLE = r"(?:\[[^\]\[]*\])?"
QUOTES = (
    (re.compile(rf"{ROLE}\*\*(?=\S)(.+?)\*\*", re.S), r"<strong>\1</strong>"),
    (re.compile(rf"(?<![\w*\\;:}}]){ROLE}\*(?=\S)([^*]*?[^\s*])\*(?![\w*])", re.S), r"<strong>\1</strong>"),
    (re.compile(rf"{ROLE}__(?=\S)(.+?)__", re.S), r"<em>\1</em>"),
    (re.compile(rf"(?<![\w_\\;:}}/]){ROLE}_(?=\S)([^_]*?[^\s_])_(?![\w_])", re.S), r"<em>\1</em>"),
    (re.compile(rf"(?<![\w#&\\]){ROLE}##(?=\S)(.+?)##", re.S), r"\1"),
    (re.compile(rf"(?<![\w#&\\]){ROLE}#(?=\S)([^#\n]*?[^\s#])#(?![\w#])"), r"\1"),
    (re.compile(r"(?<!\\)\^([^\s^]+)\^"), r"<sup>\1</sup>"),
    (re.compile(r"(?<!\\)~([^\s~]+)~"), r"<sub>\1</sub>"),
    (re.compile(r"(?<!\w)\"`(?=\S)([^`]+)`\"", re.S), r"“\1”"),
    (re.compile(r"(?<!\w)'`(?=\S)([^`]+)`'", re.S), r"‘\1’"),
    (re.compile(r"(?<=\w)`'|'`(?=\w)"), "’"),
    (re.compile(r"(?<=\w)--(?=\w)|(?<=\s)--(?=\s)"), "—"),
    (re.compile(r"\(C\)"), "©"),
    (re.compile(r"\(R\)"), "®"),
    (re.compile(r"\(TM\)"), "™"),
    (re.compile(r" \+(?=\n|\Z)"), "<br>"),
    (re.compile(r"\\{1,2}(?=[*_`#^~+\[{<&'\"]|https?:)"), ""),
)
NAMED = re.compile(r"\s*[\w-]+=")
"""A named attribute in the brackets of a macro."""
NAMED_LATER = re.compile(r"(?:^|,)\s*(?:window|opts|role|title|rel|id)=")
ALT = re.compile(r"(?:^|,)\s*alt=(\"[^\"]*\"|[^,]*)")
SPECIAL = re.compile(r"[&*_`#^~+\\\[\]{}<>\0\'\"]|\(\(|\([CRT]|--|:[^\s]")
TAG = re.compile(r"<[^>]*>")


class Attributes(dict[str, str]):
    """The attributes that a document has defined so far, and the number of characters that they may still add."""

    left = MAX_ADDED


def with_attributes(text: str, attributes: Attributes) -> str:
    """Returns a text with attribute references replaced by values. Unknown references are unchanged."""

    def value(match: re.Match[str]) -> str:
        name = match[1].lower()
        shown = attributes.get(name, CHARACTERS.get(name))
        if shown is None:
            return match[0]
        attributes.left -= len(shown)
        return shown if attributes.left >= 0 else match[0]

    return ATTRIBUTE.sub(value, text) if "{" in text else text


def html(text: str, attributes: Attributes, titles: Mapping[str, str]) -> str:
    """Returns the HTML of a paragraph. `titles` has the texts of references without words, by their targets."""
    if not SPECIAL.search(text):
        return escape(text, quote=False)
    stash: list[str] = []

    def keep(shown: str) -> str:
        stash.append(shown)
        return f"\0{len(stash) - 1}\0"

    def raw(match: re.Match[str]) -> str:
        if match["html"] is not None:
            return keep(match["html"])
        if match["passed"] is not None:
            return keep(_passed(match["rules"], match["passed"], substituted))
        if code := match["code"] or match["doubled"]:
            return keep(f"<code>{substituted(code)}</code>")
        literal = next(match[group] for group in ("literal", "plus", "pluses") if match[group] is not None)
        shown = escape(literal, quote=False)
        return keep(f"<code>{shown}</code>" if match["literal"] is not None else shown)

    def link(address: str, words: str) -> str:
        opening = keep(f'<a href="{escape(address)}">')
        return f"{opening}{words}{keep('</a>')}"

    def reference(target: str, words: str | None) -> str:
        place = target.rpartition("#")[2].strip() if "#" in target else target.strip()
        if "#" not in target and target.endswith((".adoc", ".html")):
            return words or re.sub(r"\.\w+$", "", re.split("[/:$]", target)[-1]).replace("_", " ")
        shown = words or titles.get(place) or place.removeprefix("_").replace("_", " ")
        return link(reference_href(f"#{place}"), shown)

    def web(match: re.Match[str]) -> str:
        address, words = match[1] or match[3], (match[2] if match[1] else match[4]) or ""
        if NAMED_LATER.search(words):
            words = _first(words)
        return link(address, words.rstrip("^") or address)

    def substituted(text: str) -> str:
        text = CHARACTER_REFERENCE.sub(r"&\1", escape(with_attributes(text, attributes), quote=False))
        text = HIDDEN_INDEX.sub("", text)
        text = SHOWN_INDEX.sub(r"\1", text)
        text = ANCHOR.sub("", text)
        text = REFERENCE.sub(lambda match: reference(match[1], match[2]), text)
        text = XREF.sub(lambda match: reference(match[1], match[2]), text)
        text = LINK.sub(web, text)
        text = MAIL.sub(lambda match: link(f"mailto:{match[1]}", match[2] or match[1]), text)
        text = MACRO.sub(lambda match: _macro(match[1], match[2], match[3]), text)
        for pattern, shown in QUOTES:
            text = pattern.sub(shown, text)
        return text

    text = FORMULA.sub(lambda match: keep(formula(match[1], match[2], attributes)), text.replace("\0", ""))
    text = substituted(RAW.sub(raw, text))
    while "\0" in text:
        text = STASHED.sub(lambda match: stash[int(match[1])], text)
    return text


def _passed(rules: str, text: str, substituted: Callable[[str], str]) -> str:
    """Returns the text of a passthrough macro, with the substitutions that it names."""
    names = {*rules.split(",")}
    if names & SUBSTITUTED:
        return substituted(text)
    return escape(text, quote=False) if names & ESCAPED else text


def formula(notation: str, source: str, attributes: Attributes, *, tag: str = "span") -> str:
    """Returns the HTML of a formula: LaTeX is marked as such, AsciiMath is code."""
    shown = escape(source.replace("\\]", "]").strip(), quote=False)
    if notation == "latexmath" or (notation == "stem" and attributes.get("stem") in {"latexmath", "tex"}):
        return f'<{tag} class="math">{shown}</{tag}>'
    return f"<code>{shown}</code>" if tag == "span" else f"<pre><code>{shown}</code></pre>"


def _macro(name: str, target: str, content: str) -> str:
    words = content.replace("\\]", "]")
    match name:
        case "footnote" | "footnoteref":
            return f" ({words})" if words else ""
        case "image" | "icon":
            return (
                f'<img src="{escape(target)}" alt="{escape(alternative(words, target))}">' if name == "image" else ""
            )
        case "kbd":
            return f"<kbd>{words}</kbd>"
        case "btn":
            return f"<b>{words}</b>"
        case "menu":
            path = (part.strip() for part in (target, *words.split("&gt;")))
            return f"<b>{' › '.join(filter(None, path))}</b>"
        case "linkgit":
            return f"{target}({words})" if words else target
        case "indexterm" | "anchor":
            return ""
        case "indexterm2":
            return words
    return words or target


def alternative(content: str, target: str) -> str:
    """Returns the text of an image: the first value in its brackets, that of `alt`, or the name of the file."""
    if found := ALT.search(content):
        return found[1].strip('"')
    return _first(content) or re.sub("[-_]", " ", PurePosixPath(target).stem)


def _first(content: str) -> str:
    """Returns the first value in the brackets of a macro, if it is not a named attribute."""
    first = re.match(r'\s*"([^"]*)"|([^,]*)', content)
    return "" if NAMED.match(content) or not first else first[1] or first[2] or ""


def plain(text: str, attributes: Attributes) -> str:
    """Returns a title or a term without its markup."""
    return " ".join(unescape(TAG.sub("", without_math(html(text, attributes, {})))).split())
