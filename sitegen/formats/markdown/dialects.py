"""What dialects of Markdown say to their programs and not to readers: attributes, abbreviations, Hugo's shortcodes.

`{: .note }` on a line of its own or behind a link, and `*[VM]: Virtual Machine`, show nothing. The shortcode that
mentions a term is a reference to it; of any other nobody here knows what it shows.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from sitegen.text.prose import reference_href

ATTRIBUTE = r"""(?:[.#][\w:-]+|[\w:-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s"'{}]+))"""
ATTRIBUTES = rf"\{{:?[ ]*{ATTRIBUTE}(?:[ ]+{ATTRIBUTE})*[ ]*\}}"
BEHIND = re.compile(ATTRIBUTES)
UNSEEN = re.compile(rf"(?:{ATTRIBUTES}|\{{:(?![ ]*toc\b)[^{{}}]*\}}|\*\[[^\]]+\]:[ ].*)[ \t]*")
"""A line that shows nothing; `{:toc}` stands for a table of contents."""
MARKED = frozenset({"link_close", "image"})
VALUE = re.compile(r"""\b(text|term_id)=(?:(["'])(.+?)\2|([^\s"'{}<>%]+))""")
MENTION = re.compile(r"\{\{[<%]\s*glossary_tooltip\b(?P<values>[^{}]*?)[%>]\}\}")


def dialects(parser: MarkdownIt) -> None:
    """A markdown-it plug-in."""
    parser.block.ruler.before("table", "unseen", _unseen, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.inline.ruler.push("attributes", _attributes)
    parser.inline.ruler.push("mention", _mention)


def _unseen(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if text[:1] not in {"{", "*"} or state.is_code_block(start) or not UNSEEN.fullmatch(text):
        return False
    if not silent:
        state.line = start + 1
    return True


def _attributes(state: StateInline, silent: bool) -> bool:
    if silent or state.pending or not state.tokens or state.tokens[-1].type not in MARKED:
        return False
    found = BEHIND.match(state.src, state.pos)
    state.pos = found.end() if found else state.pos
    return found is not None


def _mention(state: StateInline, silent: bool) -> bool:
    found = MENTION.match(state.src, state.pos)
    values = {name: quoted or bare for name, _, quoted, bare in VALUE.findall(found["values"])} if found else {}
    if not found or "term_id" not in values:
        return False
    state.pos = found.end()
    if silent:
        return True
    shown = values.get("text") or values["term_id"].replace("-", " ")
    if state.linkLevel:
        state.push("text", "", 0).content = shown
    else:
        state.push("link_open", "a", 1).attrs = {"href": reference_href(f"#{values['term_id']}")}
        state.push("text", "", 0).content = shown
        state.push("link_close", "a", -1)
    return True
