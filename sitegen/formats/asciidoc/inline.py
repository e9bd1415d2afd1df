"""Renders AsciiDoc inside a paragraph as HTML: quotes, links, references, macros and attributes.

The rules are Asciidoctor's substitutions, in their order, as far as glossaries use them. An unknown
macro is rendered as the text in its brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from pathlib import PurePosixPath

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import text_of_html
from sitegen.formats.common.structure import MarkupProblem
from sitegen.text.file_names import ASCIIDOC_SUFFIXES
from sitegen.text.prose import reference_href

IN_HTML = "amp apos brvbar deg gt ldquo lsquo lt quot rdquo rsquo".split()
SIGNS = """
    asterisk * backslash \\ backtick ` caret ^ cpp C++ endsb ] plus + pp ++ startsb [ tilde ~
    two-colons :: two-semicolons ;; vbar |
""".split()
PREDEFINED = {
    **{name: unescape(f"&{name};") for name in IN_HTML},
    **dict(zip(SIGNS[::2], SIGNS[1::2], strict=True)),
    **dict.fromkeys(("blank", "empty", "wj", "zwsp"), ""),
    **dict.fromkeys(("nbsp", "sp"), " "),
}
"""The predefined attributes."""
ATTRIBUTE = re.compile(r"(?<!\\)\{(\w[\w-]*)\}")
MAX_ADDED = 500_000
"""The maximum number of characters that all uses of attributes may add to a document."""
MAX_PROBLEMS = 20
"""The maximum number of problems that are reported for one document."""
RAW = re.compile(
    r"(?<!\\)(?:\+\+\+(?P<html>.+?)\+\+\+|pass:(?P<rules>[\w,]*)\[(?P<passed>[^\[\]]*)\]"
    r"|(?<![\w`])`\+(?P<literal>.{1,1000}?)\+`(?![\w`])|``(?P<doubled>.+?)``"
    r"|(?<![\w`\\\"'])`(?=\S)(?P<code>[^`]*?[^\s`])`(?![\w`\"'])"
    r"|(?<![\w+])\+\+(?=\S)(?P<pluses>.{1,1000}?)\+\+|(?<![\w+])\+(?=\S)(?P<plus>[^+\n]+?)\+(?!\w))",
    re.S,
)
"""Matches passthroughs and code: HTML, text between plus signs that is not substituted, and code,
which is."""
KEPT = re.compile(r"\0(\d+)\0")
"""The mark of HTML that is kept aside (`_Paragraph`)."""
REFERENCE = re.compile(r"(?<!\\)&lt;&lt;#?([^,&<>\0]+?)(?:,\s*([^<>]{1,300}?))?&gt;&gt;")
# An address has at most 2,000 characters: searches from each beginning of a link to the end of the
# text would take quadratic time.
XREF = re.compile(r"(?<!\\)\bxref:([^\s\[\0]{0,2000}+)\[([^\[\]]*)\]", re.S)
LINK = re.compile(
    r"(?<!\\)\blink:(?=[^\s\[\0]{1,2000}+\[)\+*([^\s\[\0]+?)\+*\[([^\[\]]*)\]|(?<![\w:\\])((?:https?|ftp|irc)://[^\s\[\]<>\0]*[^\s\[\]<>\0.,;:)])(?:\[([^\[\]]*)\])?",
    re.S,
)
UNSET_LINK = re.compile(r"(?<![\w:/\\])\{(\w[\w-]*)\}[^\s\[\]\0]{0,2000}+\[([^\[\]]+)\]", re.S)
"""A link whose address begins with an attribute that has no value."""
INLINE_MACRO = re.compile(
    r"(?<![\w\\])([a-z][\w-]*):((?:[\w.@-]+:[a-z]+\$)?[^\s:\[\]\0]*)"
    r"\[((?:[^\[\]\\]|\\.)*+)\]",
    re.S,
)
"""`kbd:[Ctrl]`; a target in Antora may name a module: `image:core:image$jig.png[]`."""
INLINE_ANCHOR = re.compile(r"\[\[([\w:][^\],\[]*+)(?:,[^\]\[]*+)?\]\]|\banchor:[\w-]+\[\]")
CHARACTER_REFERENCE = re.compile(
    r"&amp;((?:[a-zA-Z]{2,20}[0-9]{0,2}|#[0-9]{2,6}|#x[0-9a-fA-F]{2,5});)"
)
HIDDEN_INDEX = re.compile(r"\(\(\((?:[^()]|\([^()]*\))*+\)\)\)\s?")
SHOWN_INDEX = re.compile(r"\(\((?!\()([^()]+)\)\)")
InlineRule = tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]]
"""A sign that is in all texts that the pattern matches, the pattern, and the replacement."""
ROLE = r"(?:\[[^\]\[]*\])?"
"""How a text in quotes is styled: `[.small]#words#`."""
QUOTES: tuple[InlineRule, ...] = (
    ("**", re.compile(rf"{ROLE}\*\*(?=\S)(.+?)\*\*", re.S), r"<strong>\1</strong>"),
    (
        "*",
        re.compile(rf"(?<![\w*\\;:}}]){ROLE}\*(?=\S)([^*]*?[^\s*])\*(?![\w*])", re.S),
        r"<strong>\1</strong>",
    ),
    ("__", re.compile(rf"{ROLE}__(?=\S)(.+?)__", re.S), r"<em>\1</em>"),
    (
        "_",
        re.compile(rf"(?<![\w_\\;:}}/]){ROLE}_(?=\S)([^_]*?[^\s_])_(?![\w_])", re.S),
        r"<em>\1</em>",
    ),
    ("##", re.compile(rf"(?<![\w#&\\]){ROLE}##(?=\S)(.+?)##", re.S), r"\1"),
    ("#", re.compile(rf"(?<![\w#&\\]){ROLE}#(?=\S)([^#\n]*?[^\s#])#(?![\w#])"), r"\1"),
    ("^", re.compile(r"(?<!\\)\^([^\s^]+)\^"), r"<sup>\1</sup>"),
    ("~", re.compile(r"(?<!\\)~([^\s~]+)~"), r"<sub>\1</sub>"),
    ('"`', re.compile(r"(?<!\w)\"`(?=\S)([^`]+)`\"", re.S), r"“\1”"),
    ("'`", re.compile(r"(?<!\w)'`(?=\S)([^`]+)`'", re.S), r"‘\1’"),
    ("`", re.compile(r"(?<=\w)`'|'`(?=\w)"), "’"),
    ("--", re.compile(r"(?<=\w)--(?=\w)|(?<=\s)--(?=\s)"), "—"),
    ("(C)", re.compile(r"\(C\)"), "©"),
    ("(R)", re.compile(r"\(R\)"), "®"),
    ("(TM)", re.compile(r"\(TM\)"), "™"),
    (" +", re.compile(r" \+(?=\n|\Z)"), "<br>"),
    ("\\", re.compile(r"\\{1,2}(?=[*_`#^~+\[{<&'\"]|https?:)"), ""),
)
"""The rules of quotes and of signs such as `--`."""
NAMED = re.compile(r"\s*[\w-]+=")
"""A named attribute in the brackets of a macro."""
NAMED_LATER = re.compile(r"(?:^|,)\s*(?:window|opts|role|title|rel|id)=")
"""A named attribute, also after the words: `Words,window=_blank`."""
ALT = re.compile(r"(?:^|,)\s*alt=(\"[^\"]*\"|[^,]*)")


class Markup:
    """The markup of one document. Its attributes change as entries are read."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self.attributes: dict[str, str] = {}
        self.titles = titles
        """The texts that references without words show, by their targets."""
        self.characters_left = MAX_ADDED
        """The number of characters that attributes may still add."""
        self.problems: list[MarkupProblem] = []
        self.unset: list[str] = []
        """The attributes without a value with which links begin."""
        self.is_partial = False
        """True if the document includes a file that is not read."""

    def report(self, line: int, found: str, wanted: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(MarkupProblem(line, found, wanted))

    def set_attribute(self, entry: re.Match[str]) -> None:
        """Sets an attribute of the document, `:saw: a tool`, or unsets it, `:!saw:` or `:saw!:`."""
        before, name, after, value = entry.groups()
        is_unset = before or after
        if is_unset:
            self.attributes.pop(name.lower(), None)
        else:
            self.attributes[name.lower()] = self.with_attributes((value or "").strip())

    def with_attributes(self, text: str) -> str:
        """Returns a text with attribute references replaced by values: `C{plus}{plus}` is "C++".
        Unknown references are unchanged."""
        return ATTRIBUTE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        """Returns the value of an attribute; unknown ones, and those beyond the limit, as they are
        written."""
        name = match[1].lower()
        value = self.attributes.get(name, PREDEFINED.get(name))
        if value is None:
            return match[0]
        self.characters_left -= len(value)
        if self.characters_left >= 0:
            return value
        return match[0]

    def html(self, text: str) -> str:
        """Returns the HTML of a paragraph."""
        return _Paragraph(self).html(text)

    def plain(self, text: str) -> str:
        """Returns a title or a term without its markup."""
        return text_of_html(self.html(text))


class _Paragraph:
    """Renders one paragraph.

    HTML that is complete is kept aside, so that no later rule changes it, and its number between
    two NUL characters is in the text until the end: the first code in a paragraph is 0.
    """

    def __init__(self, markup: Markup) -> None:
        self.markup = markup
        self.kept: list[str] = []

    def html(self, text: str) -> str:
        """Returns the HTML of the paragraph. Passthroughs and code are kept aside."""
        text = RAW.sub(lambda raw: self._keep(self._raw(raw)), text)
        text = self._substituted(text)
        while "\0" in text:  # kept HTML may have marks of other HTML in it
            text = KEPT.sub(lambda mark: self.kept[int(mark[1])], text)
        return text

    def _keep(self, html: str) -> str:
        """Keeps HTML aside, and returns its mark."""
        self.kept.append(html)
        return f"\0{len(self.kept) - 1}\0"

    def _raw(self, match: re.Match[str]) -> str:
        """Returns the HTML of a passthrough or of code."""
        # 1. `+++<b>a</b>+++`
        if match["html"] is not None:
            return match["html"]

        # 2. `pass:[<b>]`, or with rules, `pass:q[*a*]`
        passed = match["passed"]
        if passed is not None:
            return self._substituted(passed) if match["rules"] else passed

        # 3. Code, in which markup counts: "`*a*`" is `<code><strong>a</strong></code>`.
        code = match["code"] or match["doubled"]
        if code:
            return f"<code>{self._substituted(code)}</code>"

        # 4. Code as it is written: "`+*a*+`" is `<code>*a*</code>`.
        if match["literal"] is not None:
            return f"<code>{escape(match['literal'], quote=False)}</code>"

        # 5. Text as it is written: `+*a*+` is `*a*`.
        return escape(match["plus"] or match["pluses"], quote=False)

    def _substituted(self, text: str) -> str:
        """Returns the HTML of a text, with its references, links, macros and quotes."""
        text = escape(self.markup.with_attributes(text), quote=False)
        # A text without the sign of a rule, as most are, needs no search for its pattern.
        rules: tuple[InlineRule, ...] = (
            ("&amp;", CHARACTER_REFERENCE, r"&\1"),
            ("(((", HIDDEN_INDEX, ""),
            ("((", SHOWN_INDEX, r"\1"),
            ("[", INLINE_ANCHOR, ""),
            ("&lt;&lt;", REFERENCE, self._reference),
            ("xref:", XREF, self._reference),
            (":", LINK, self._web_link),
            ("{", UNSET_LINK, self._unset_link),
            ("[", INLINE_MACRO, self._macro),
        )
        for sign, pattern, replacement in (*rules, *QUOTES):
            if sign in text:
                text = pattern.sub(replacement, text)
        return text

    def _link(self, address: str, words: str) -> str:
        """Returns a link whose tags are kept aside. Later rules may change its words."""
        opening = self._keep(f'<a href="{escape(unescape(address))}">')
        return f"{opening}{words}{self._keep('</a>')}"

    def _reference(self, match: re.Match[str]) -> str:
        """Returns a link to a place of the document: `<<jig>>` shows the title below `[[jig]]`. Of
        a link to another file, only the words are shown: "table saw" for
        `xref:table_saw.adoc[]`."""
        target, words = match.groups()
        if target.endswith((*ASCIIDOC_SUFFIXES, ".html")):
            file = re.split("[/:$]", target)[-1]  # Antora has `module:page$jig.adoc`
            stem, _, _ = file.rpartition(".")
            return words or _as_words(stem)
        _, _, place = target.rpartition("#")
        place = place.strip()
        words = words or self.markup.titles.get(place) or _as_words(place)
        return self._link(reference_href(f"#{place}"), words)

    def _web_link(self, match: re.Match[str]) -> str:
        """Returns the link of the macro `link`, or of an address, with the words in brackets:
        `link:a.html[Words]`, `https://example.org[Words^]`. `^` opens another window, and so may an
        attribute after the words: `[Words,window=_blank]`."""
        macro_address, macro_words, plain_address, plain_words = match.groups("")
        address = macro_address or plain_address
        words = macro_words or plain_words
        if NAMED_LATER.search(words):
            words = _first_value(words)
        return self._link(address, words.rstrip("^") or address)

    def _unset_link(self, match: re.Match[str]) -> str:
        """Returns the words of a link whose address another file sets, such as antora.yml."""
        name, words = match.groups()
        self.markup.unset.append(name)
        return words.rstrip("^")

    def _macro(self, match: re.Match[str]) -> str:
        """Returns what an inline macro shows: `kbd:[Ctrl]` is "Ctrl". An unknown macro shows its
        words, or else its target."""
        name, target, content = match.groups()
        words = content.replace("\\]", "]")
        match name:
            case "footnote" | "footnoteref":
                return f" ({words})" if words else ""
            case "image":
                target = unescape(target)
                return self._keep(sphinx_markup.image(target, alternative(unescape(words), target)))
            case "icon" | "indexterm" | "anchor":
                return ""
            case "linkgit" if words:  # a page of Git's manual: `linkgit:git-log[1]`
                return f"{target}({words})"
        return words or target


def _as_words(written: str) -> str:
    """Returns the name of a file or a place as words: `_table_saw` as "table saw"."""
    return written.removeprefix("_").replace("_", " ")


def alternative(content: str, target: str) -> str:
    """Returns the text of an image: the value of `alt`, or the first value in its brackets, as "A
    jig" of `[A jig,200]`. An image without either has the name of its file: "table saw" of
    `table-saw.png[]`."""
    alt = ALT.search(content)
    if alt:
        return alt[1].strip('"')
    return _first_value(content) or re.sub("[-_]", " ", PurePosixPath(target).stem)


def _first_value(content: str) -> str:
    """Returns the first value in the brackets of a macro: `A` of `A,window=_blank`. The value is
    empty if a named attribute comes first."""
    if NAMED.match(content):
        return ""
    quoted = re.match(r'\s*"([^"]*)"', content)
    if quoted:
        return quoted[1]
    return content.split(",")[0]
