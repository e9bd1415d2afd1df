"""Translates the markup of site generators to Markdown, so that their tags are never shown as text.

Links through `{{< ref >}}` and `{% link %}` become ordinary links, those through `@ref` too if they
lead to a heading of the document. Mentions of terms (`{{< glossary x >}}`, `[[ref: x]]`, `[[x]]`,
`[x][]` without a definition of that label) become references. Of components, imports, comments and
attributes only the text inside is shown. All other tags are left out, with a problem. Headings in
HTML become headings of Markdown.

The text is translated before it is parsed. Code is left unchanged, and all lines keep their
numbers. Supported are tags of Hugo, Jekyll, MkDocs, Docusaurus (MDX), mdBook, Quarto, Pandoc,
Spec-Up, Obsidian and Documenter.jl.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from itertools import chain
from typing import Literal, NamedTuple

from sitegen.formats.common.structure import MarkupProblem
from sitegen.text.prose import reference_href

SUSPECT = re.compile(
    r"\{\{|\{%|\{/\*|[\]*`]\{|\[\[|\]\[|\]\(@|:(?:material|fontawesome|octicons|simple)-"
    r"|<(?:h[1-6]|summary|/?[A-Z])|\n(?:import|export|r\[)"
)
"""A part of all markup of site generators. A text that has none of these is not translated.

Some are looked for below a line end, which is found faster than the start of a line.
"""

FENCED_CODE = (
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:.*?\n)??(?: {0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
)
"""Code between fences; without a second fence, all text below the first."""
INLINE_CODE = (
    r"(?<!`)(?P<ticks>`++)(?!`)(?:[^`\n]|\n(?!\n)|(?<!`)(?!(?P=ticks)(?!`))`++)+?(?P=ticks)(?!`)"
)
HTML_HEADING = (
    r"^<h(?P<level>[1-6])(?:[^<>]*\bid=\"(?P<id>[^\"]*)\")?[^<>]*>(?P<name>[^<>\n]{1,80})</h(?P=level)>"
    r"[ \t]*$(?=\n\S)"
)
"""A heading right above a text, which Markdown reads as one block of HTML."""
FORMULA = r"(?<![\\$])\$\$?(?!\s)[^$]+?(?<!\s)\$\$?"
COMMENT = (
    r"\{/\*(?:(?!\{/\*|\*/\}).)*\*/\}"
    r"|\{\{/\*(?:(?!/\*|\*/).)*\*/\}\}"
    r"|\{%-?\s*comment\s*-?%\}(?:(?!\{%-?\s*(?:end)?comment\b).)*\{%-?\s*endcomment\s*-?%\}"
)
"""`{/* note */}`, `{{/* note */}}`, `{% comment %}note{% endcomment %}`"""
LINK = (
    r"\]\(\s*(?:\{\{[<%]\s*(?:rel)?ref\s+[\"']?(?P<hugo>[^\"'\s<>%{}]+)[\"']?[^{}]*\}\}"
    r"|\{%-?\s*(?:link|post_url)\s+(?P<jekyll>[^\s%]+)\s*-?%\})(?P<place>[^)\s]*)\s*\)"
)
"""The end of a link: `]({{< ref "jig.md" >}}#use)`, `]({% link jig.md %})`"""
ADDRESS = (
    r"\{\{\s*(?:site|page)\.[\w.]+\s*\}\}"
    r"|\{\{\s*[\"'](?P<path>[^\"'{}]*)[\"']\s*\|\s*(?:rel|absol)\w*url\s*\}\}"
)
"""`{{ site.baseurl }}`, `{{ "/jig" | relative_url }}`"""
SHORTCODE = (
    r"\{\{(?:[<%]|(?=#))\s*(?P<end>/?)\s*(?P<shortcode>#?\w[\w./-]*)(?P<arguments>[^{}]*?)"
    r"/?\s*[>%]?\}\}"
    r"(?:(?P<shortcode_words>[^{}\[\]<\n]+)\{\{[<%]\s*/\s*(?P=shortcode)\s*[>%]\}\})?"
)
"""A shortcode, `{{< term "jig" >}}`, with plain words and its end tag if they follow."""
TAG = (
    r"\{%-?\s*(?P<tag>\w+)(?:(?P<quoted>\s+(?:\w+=)?[\"'][^{}]*?)-?|[^{}]*)%\}"
    r"(?:(?P<tag_words>[^{}\[\]<\n]+)\{%-?\s*end(?P=tag)\s*-?%\})?"
)
"""A tag, `{% term "jig" %}`, also with words and its end tag."""
SPEC_UP = r"\[\[(?:\s*[xt]?ref|(?<=\w \[\[)def)\s*:(?P<names>[^\[\]|]+)\]\](?![(\[:])"
"""A reference, `[[ref: jig]]`; a definition within a sentence, `[[def: jig]]`, is one too."""
WIKI = (
    r"(?P<embed>!?)\[\[(?!\s*(?:_?toc|def\b))(?P<page>[^\[\]|\n]+)"
    r"(?:\|(?P<words>[^\[\]\n]+))?\]\](?![(\[:])"
)
"""`[[Jig|the jig]]`, `![[Jig]]`"""
SPAN = (
    r"(?:(?<![\]!])\[(?P<span>[^\[\]\n]+)\]|(?<=[*`])(?=\{:?\s*[#.]))"
    r"\{:?\s*(?P<attributes>[#.][^{}\n]*|[\w-]+=[^{}\n]*)\}"
)
"""Words in brackets with attributes, `[jig]{#jig}`, or the attributes behind bold words or code."""
REFERENCE = r"(?<![\w\])!\\])\[(?P<shown>[^\[\]\n]+)\]\[(?P<label>[^\[\]\n]*)\]"
"""`[the jig][jig]`, `[jig][]`"""
DOCUMENTER = r"\[(?P<linked>[^\[\]]{1,200})\]\(@(?P<macro>ref|id)(?:\s+(?P<header>[^()\n]+))?\)"
"""`[the saw](@ref Saw)`, and in a heading `[Saw](@id saw)`."""
MODULE = (
    r"^(?:import\s+(?:[\w{*][^;\"']{0,2000}?\sfrom\s+)?[\"'][^\"'\n]+[\"'];?[ \t]*"
    r"|export\s+(?:const|let|default|function|async)\b[^\n]*(?:\n[^\n]+)*)$"
)
"""An import or export of MDX: `import Jig from "./jig"`."""
RULE = r"^r\[(?P<rule>[\w.-]+)\][ \t]*$"
"""`r[jig.use]`"""
TERM = (
    r"<(?P<element>[A-Z]\w*)(?P<element_properties>(?:\s[^<>]*)?)(?<!/)>"
    r"(?P<element_words>[^<>{}\n]+)</(?P=element)>"
)
"""A component around plain words: `<Term id="jig">the jig</Term>`."""
COMPONENT = r"</?(?P<component>[A-Z]\w*(?:\.\w+)*)(?P<properties>(?:\s[^<>]*?)?)/?>"
"""The tag of another component: `<Term id="jig" />`."""
ICON = r":(?:material|fontawesome|octicons|simple)-[a-z0-9-]+:(?:\{[^{}\n]*\})?[ \t]?"
ATTRIBUTE = r"\s[A-Za-z][\w-]*=\{(?:[^{}\n]|\{[^{}\n]*\})*+\}"
"""An attribute of a tag whose value is an expression: ` style={{color: "red"}}`."""
EXPRESSION = r"(?<![\\={])\{(?![#:%{]|title=)(?:[^{}\n]|\{[^{}\n]*\})*+\}(?!`)"
"""`{props.name}`"""

CLOSED = r"</([A-Z]\w*(?:\.\w+)*)\s*>|<([A-Z]\w*(?:\.\w+)*)(?:\s[^<>]*)?/>"
"""A tag that shows that its name is a component, and not a type parameter as in `List<String>`."""
HTML = frozenset(
    "a b br dd dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p s sub sup td th tr u ul".split()
)
"""Elements of HTML that may be in capital letters, as in `<BR>`. No component is called so."""
PAIRED = r"\{\{[<%]\s*/\s*([\w./-]+)|\{%-?\s*end(\w+)"
"""The end of a tag around a text. The text is shown without the tag."""
DEFINED = r"(?m)^ {0,3}(?:> ?)*\[([^\[\]\n]+)\]:"
"""The label of a link that the text defines: `[jig]: jig.md`."""
MENTIONS = frozenset(
    """
    glossary glossary-term glossary_term glossaryterm gloss gl gls glspl term def definition dfn
    tooltip
    """.split()
)
"""Shortcodes and components that show the name of a term."""
ARGUMENT = (
    r"""(?:(?P<key>[\w-]+)\s*=\s*)?(?:"(?P<quoted>[^"]*)"|'(?P<single>[^']*)'|\{["'](?P<braced>[^"']*)["']\}"""
    r"""|(?P<bare>[^\s"'=>,]+))"""
)
"""An argument of a shortcode or a component: `jig`, `"jig"`, `id='jig'`, `id={"jig"}`."""
IN_LINK = re.compile(r"[^\[\]\n]{0,1000}\]\(")
"""What follows a mention in the text of a link, which may have no other link in it."""
IGNORED = r"#|end|raw$|toc$|br$|relref$|ref$|anchor$"
"""Tags that are left out without a problem: they close another tag, quote, or are link targets."""


def translated(text: str) -> tuple[str, list[MarkupProblem]]:
    """Translates the markup of site generators in a text. Returns the text, and a problem for each
    tag that was left out.

    "[[jig]], {{< year >}}" becomes "[jig](term:jig), ", and `year` is left out.
    """
    if not SUSPECT.search(f"\n{text}"):  # SUSPECT matches below a line end
        return text, []
    translation = _Translation(text)
    has_modules = re.search(MODULE, translation.text, re.M) is not None
    is_mdx = has_modules or translation.components
    markup = MDX_MARKUP if is_mdx else MARKUP
    body = re.sub(markup, translation.replaced, translation.text)
    return body, [*translation.problems()]


def _with_as_many_lines(original: str, replacement: str) -> str:
    """Returns a replacement with line ends added, so that the lines below keep their numbers."""
    missing = original.count("\n") - replacement.count("\n")
    if missing and "](" in replacement:
        # Markdown ignores one line end in the address of a link. The other lines are `&#32;`, a
        # space: a blank line would end the paragraph.
        return replacement.replace("](", "](\n", 1) + "\n&#32;" * (missing - 1)
    return replacement + "\n" * missing


class _Translation:
    """A text whose markup is translated, with the components and labels in it, and the tags that
    are left out."""

    def __init__(self, text: str) -> None:
        self.text = text
        closed = {*chain.from_iterable(re.findall(CLOSED, text))} - {""}
        self.components = {name for name in closed if name.lower() not in HTML}
        """The names of the components in the text."""
        self.labels = {_folded(label) for label in re.findall(DEFINED, text)}
        """The labels of the links that the text defines."""
        self.paired = {*chain.from_iterable(re.findall(PAIRED, text))}
        """The names of tags that have an end tag in the text."""
        self.left_out: dict[str, int] = {}
        """The names of tags that are left out, with the place of the first of each in the text."""

    def problems(self) -> Iterator[MarkupProblem]:
        """Yields a problem for each tag that is left out."""
        line, past = 1, 0
        for name, start in self.left_out.items():
            line += self.text.count("\n", past, start)
            past = start
            found = f"'{name}' is left out, as only the tool of that site can fill it in"
            yield MarkupProblem(line, found, "write the text it shows")

    def replaced(self, markup: re.Match[str]) -> str:
        """Returns the translation of a match of `MARKUP`, with as many lines."""
        # The last group to end is the outermost one, which has the name of the rule.
        rule = RULES[str(markup.lastgroup)]
        return _with_as_many_lines(markup[0], rule.translate(self, markup))

    def kept(self, markup: re.Match[str]) -> str:
        return markup[0]

    def removed(self, _markup: re.Match[str]) -> str:
        return ""

    def heading(self, markup: re.Match[str]) -> str:
        """Returns `## Jig` for `<h2>Jig</h2>`, with an anchor for its id."""
        anchor = f'<a id="{escape(markup["id"])}"></a>' if markup["id"] else ""
        return f"{'#' * int(markup['level'])} {anchor}{markup['name'].strip()}"

    def link(self, markup: re.Match[str]) -> str:
        """Returns the end of a link: `](jig.md#use)` for `]({{< ref "jig.md" >}}#use)` and
        `]({% link jig.md %}#use)`."""
        return f"]({markup['hugo'] or markup['jekyll']}{markup['place']})"

    def address(self, markup: re.Match[str]) -> str:
        """Returns `/jig` for `{{ "/jig" | relative_url }}`, nothing for `{{ site.baseurl }}`."""
        return markup["path"] or ""

    def shortcode(self, markup: re.Match[str]) -> str:
        """Translates `{{< term "jig" >}}`; other shortcodes and end tags are left out."""
        words = markup["shortcode_words"] or ""
        if markup["end"]:
            return words
        return self._mention(markup["shortcode"], markup["arguments"], markup, words)

    def tag(self, markup: re.Match[str]) -> str:
        """Translates `{% term "jig" %}`; tags without quotes are left out."""
        words = markup["tag_words"] or ""
        if markup["quoted"] is None:
            return self._leave_out(markup, markup["tag"]) + words
        return self._mention(markup["tag"], markup["quoted"], markup, words)

    def spec_up(self, markup: re.Match[str]) -> str:
        """Translates `[[ref: jig]]` and `[[ref: shop, jig]]`, also with a line end in it."""
        _, _, target = markup["names"].rpartition(",")
        return _reference(target.strip(), target.strip())

    def wiki_link(self, markup: re.Match[str]) -> str:
        """Translates `[[Jig]]` and `[[Jig|the jig]]`. What `![[Jig]]` embeds is left out."""
        if markup["embed"]:
            return self._leave_out(markup, markup["page"])
        target = markup["page"].strip()
        page, _, _ = target.partition("#")
        return _reference(markup["words"] or target, page or target)

    def span(self, markup: re.Match[str]) -> str:
        """Returns `<span id="jig">a jig</span>` for `[a jig]{#jig}`, "jig" for `[jig]{.tool}`."""
        # Attributes right behind bold words, `**jig**{.tool}`, have no words in brackets.
        words = markup["span"] or ""
        anchor = re.search(r"#([\w:.-]+)", markup["attributes"])
        if anchor:
            return f'<span id="{anchor[1]}">{words}</span>'
        return words

    def reference(self, markup: re.Match[str]) -> str:
        """Translates `[the jig][jig]` and `[jig][]`, unless the label is that of a link."""
        words = markup["shown"]
        label = markup["label"] or words
        if _folded(label) in self.labels:
            return markup[0]
        return _reference(words, label.strip("`"))

    def documenter(self, markup: re.Match[str]) -> str:
        """Returns the words of `[the saw](@ref Saw)`, as a reference if `Saw` is a heading of the
        text or the anchor of one, and those of `[Saw](@id saw)` with that anchor."""
        words = markup["linked"]
        target = markup["header"] or words
        if markup["macro"] == "id":
            return f'<a id="{escape(target)}"></a>{words}'
        if f"# {target}\n" in self.text:
            return _reference(words, target)
        if f"(@id {target})" in self.text:
            return _reference(words, f"#{target}")
        return words

    def rule_anchor(self, markup: re.Match[str]) -> str:
        """Translates `r[jig.use]`, the anchor of the paragraph below in mdBook."""
        return f'<a id="{markup["rule"]}"></a>'

    def words_in_component(self, markup: re.Match[str]) -> str:
        """Translates `<Term id="jig">the jig</Term>`; of other components only the words stay."""
        name, words = markup["element"], markup["element_words"]
        if name not in self.components:
            return markup[0]
        if not _is_mention(name):
            return words
        return self._mention(name, markup["element_properties"], markup, words)

    def component(self, markup: re.Match[str]) -> str:
        """Translates `<Term id="jig" />`. Other components of this form are left out, with a
        problem. Of a component around a text, only the tags `<Tab>` and `</Tab>` are left out.
        `<String>` in `List<String>` is no component, and stays."""
        if markup["component"] not in self.components:
            return markup[0]
        if not markup[0].endswith("/>"):
            return ""
        return self._mention(markup["component"], markup["properties"], markup)

    def expression(self, markup: re.Match[str]) -> str:
        return self._leave_out(markup, markup[0])

    def _mention(self, name: str, arguments: str, markup: re.Match[str], words: str = "") -> str:
        """Returns the Markdown of a shortcode or a component that mentions a term. Of others, only
        the words between their two tags stay.

        `term` with the arguments `"jig" "the jig"`, or `id="jig" text="the jig"`, becomes
        `[the jig](term:jig)`.
        """
        if not _is_mention(name):
            return self._leave_out(markup, name) + words
        # Arguments without a name are the target and the text.
        values = _arguments(arguments)
        target = _first(values, "term_id", "term", "id", "key", "name", "0")
        text = words or _first(values, "text", "display", "label", "title", "1")
        if "term_id" in values:  # Kubernetes names a term by its anchor
            text = text or target.replace("-", " ")
            target = f"#{target}"
        text = text or target

        # In the text of a link, the reference would be a link in a link.
        if not text or IN_LINK.match(self.text, markup.end()):
            return text
        return _reference(text, target or text)

    def _leave_out(self, markup: re.Match[str], name: str) -> Literal[""]:
        """Adds a tag to those that are left out, if that is a problem. Returns an empty text."""
        if name not in self.paired and not re.match(IGNORED, name):
            self.left_out.setdefault(name, markup.start())
        return ""


def _arguments(arguments: str) -> dict[str, str]:
    """Returns the arguments of a shortcode or a component: `{"0": "jig", "text": "the jig"}` for
    `"jig" text='the jig'`. An argument without a name has its number as key."""
    values: dict[str, str] = {}
    for number, match in enumerate(re.finditer(ARGUMENT, arguments)):
        # The group that ends last has the value: "quoted", "single", "braced" or "bare".
        values[match["key"] or str(number)] = match[str(match.lastgroup)]
    return values


def _first(values: Mapping[str, str], *keys: str) -> str:
    """Returns the first value of the keys that is not empty."""
    for key in keys:
        if values.get(key):
            return values[key]
    return ""


def _is_mention(name: str) -> bool:
    return name.lower() in MENTIONS or "gloss" in name.lower()


def _reference(text: str, target: str) -> str:
    return f"[{text}]({reference_href(target)})"


def _folded(label: str) -> str:
    return " ".join(label.split()).lower()


class _Rule(NamedTuple):
    """A pattern, and the function that translates what it matches."""

    pattern: str
    translate: Callable[[_Translation, re.Match[str]], str]


RULES = {
    "FENCED_CODE": _Rule(FENCED_CODE, _Translation.kept),
    "INLINE_CODE": _Rule(INLINE_CODE, _Translation.kept),
    "HTML_HEADING": _Rule(HTML_HEADING, _Translation.heading),
    "FORMULA": _Rule(FORMULA, _Translation.kept),
    "ATTRIBUTE": _Rule(ATTRIBUTE, _Translation.removed),
    "ICON": _Rule(ICON, _Translation.removed),
    "COMMENT": _Rule(COMMENT, _Translation.removed),
    "LINK": _Rule(LINK, _Translation.link),
    "ADDRESS": _Rule(ADDRESS, _Translation.address),
    "SHORTCODE": _Rule(SHORTCODE, _Translation.shortcode),
    "TAG": _Rule(TAG, _Translation.tag),
    "SPEC_UP": _Rule(SPEC_UP, _Translation.spec_up),
    "WIKI": _Rule(WIKI, _Translation.wiki_link),
    "SPAN": _Rule(SPAN, _Translation.span),
    "REFERENCE": _Rule(REFERENCE, _Translation.reference),
    "DOCUMENTER": _Rule(DOCUMENTER, _Translation.documenter),
    "MODULE": _Rule(MODULE, _Translation.removed),
    "RULE": _Rule(RULE, _Translation.rule_anchor),
    "TERM": _Rule(TERM, _Translation.words_in_component),
    "COMPONENT": _Rule(COMPONENT, _Translation.component),
    "EXPRESSION": _Rule(EXPRESSION, _Translation.expression),
}
"""At each place of a text, the first rule whose pattern matches translates it."""
MDX_RULES = frozenset({"FORMULA", "ATTRIBUTE", "EXPRESSION"})
"""The rules that count only in MDX."""


def _any_of(names: Iterable[str]) -> str:
    """Returns a pattern for these rules, in which each is a group of its name."""
    return "(?ms)" + "|".join([f"(?P<{name}>{RULES[name].pattern})" for name in names])


MDX_MARKUP = _any_of(RULES)
MARKUP = _any_of([name for name in RULES if name not in MDX_RULES])
