"""Renders docutils nodes as plain HTML. No file is opened.

It also resolves links within the document, footnotes and substitutions, with limits on their number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape

from docutils import nodes, utils
from docutils.transforms.references import Footnotes

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.raw_text import without_math
from sitegen.formats.rst.directives import GlossaryItem
from sitegen.model import Problem
from sitegen.text.prose import reference_href

MAX_SUBSTITUTIONS = 2_000
"""The maximum number in a document: a few short lines can cause millions."""
MAX_NESTED = 20
"""The maximum nesting of substitutions."""
BREAK = "<br>"


class Renderer:
    """Renders nodes of one document, and collects a problem for each link or substitution without a target."""

    def __init__(self, document: nodes.document) -> None:
        if document.autofootnotes or document.symbol_footnotes:
            Footnotes(document).apply()
        self.document = document
        targets = list(document.findall(nodes.target))
        self.targets = {name: target for target in targets for name in target["names"] + target["dupnames"]}
        # Anonymous references belong to anonymous targets in the order of both.
        anonymous = filter(_is_anonymous, document.findall(nodes.reference))
        self.anonymous = dict(zip(anonymous, filter(_is_anonymous, targets), strict=False))
        items = document.findall(GlossaryItem)
        self.labels = {nodes.fully_normalize_name(label) for item in items for label in item["anchors"]}
        self.substituting: dict[str, nodes.Element] = {}
        self.substitutions = 0
        self.problems: list[Problem] = []

    def html(self, node: nodes.Node) -> str:
        """Returns the HTML of a node."""
        if isinstance(node, nodes.Text):
            return escape(node.astext(), quote=False)
        name = type(node).__name__
        if name in SPECIAL and isinstance(node, nodes.Element):
            return SPECIAL[name](self, node)
        if name in SILENT:
            return ""
        inner = self.inside(node)
        return f"<{WRAPPED[name]}>{inner}</{WRAPPED[name]}>" if name in WRAPPED else inner

    def inside(self, node: nodes.Node) -> str:
        """Returns the HTML of a node's children."""
        return "".join(self.html(child) for child in node.children)

    def words(self, node: nodes.Node) -> str:
        """Returns a node's text on one line, without markup."""
        html = without_math(self.inside(node)).replace(BREAK, " ")
        return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())

    def report(self, node: nodes.Node, found: str) -> None:
        line = utils.get_source_line(node)[1] or 0
        self.problems.append(Problem(path=self.document["source"], line=line, found=found))


def _is_anonymous(node: nodes.Element) -> bool:
    return bool(node.get("anonymous"))


def _compact(renderer: Renderer, node: nodes.Node) -> str:
    """Returns the HTML of a node's children, without `<p>` around a single paragraph, or one before lists only."""
    first, others = next(iter(node.children), None), node.children[1:]
    if isinstance(first, nodes.paragraph) and all(isinstance(other, nodes.Sequential) for other in others):
        return renderer.inside(first) + "".join(renderer.html(other) for other in others)
    return renderer.inside(node)


def _item(renderer: Renderer, node: nodes.Node) -> str:
    return f"<li>{_compact(renderer, node)}</li>"


def _definition(renderer: Renderer, node: nodes.Node) -> str:
    return f"<dd>{_compact(renderer, node)}</dd>"


def _numbered(renderer: Renderer, node: nodes.Element) -> str:
    start = f' start="{node["start"]}"' if "start" in node else ""
    return f"<ol{start}>{renderer.inside(node)}</ol>"


def _entry(renderer: Renderer, node: nodes.Element) -> str:
    """Returns the names, each with its classifiers, and their definition."""
    names: list[str] = []
    for child in node.children:
        if isinstance(child, nodes.term):
            names.append(renderer.inside(child))
        elif isinstance(child, nodes.classifier):
            names[-1] += f" : <em>{renderer.inside(child)}</em>"
    return "".join(f"<dt>{name}</dt>" for name in names) + renderer.html(node.children[-1])


def _options(_renderer: Renderer, node: nodes.Element) -> str:
    return f"<dt><code>{escape(', '.join(option.astext() for option in node.children))}</code></dt>"


def _cell(renderer: Renderer, node: nodes.Element) -> str:
    tag = "th" if isinstance(node.parent.parent, nodes.thead) else "td"
    spans = {"colspan": node.get("morecols", 0), "rowspan": node.get("morerows", 0)}
    attributes = "".join(f' {name}="{more + 1}"' for name, more in spans.items() if more)
    return f"<{tag}{attributes}>{_compact(renderer, node)}</{tag}>"


def _lines(renderer: Renderer, node: nodes.Element) -> str:
    lines = "<br>".join(renderer.inside(line) for line in node.findall(nodes.line))
    return f'<div class="lines">{lines}</div>'


def _code(renderer: Renderer, node: nodes.Element) -> str:
    return sphinx_markup.marked_code(renderer.inside(node), node.get("language", ""))


def _session(renderer: Renderer, node: nodes.Element) -> str:
    return sphinx_markup.marked_code(renderer.inside(node), "pycon")


def _math(renderer: Renderer, node: nodes.Element) -> str:
    return f'<div class="math">{renderer.inside(node)}</div>'


def _rubric(renderer: Renderer, node: nodes.Element) -> str:
    return f'<p class="rubric">{renderer.inside(node)}</p>'


def _title(renderer: Renderer, node: nodes.Element) -> str:
    return f"<h3>{renderer.inside(node)}</h3>"


def _table(renderer: Renderer, node: nodes.Element) -> str:
    titles = [child for child in node.children if isinstance(child, nodes.title)]
    rows = "".join(renderer.html(child) for child in node.children if child not in titles)
    return "".join(f"<p>{renderer.inside(title)}</p>" for title in titles) + f"<table>{rows}</table>"


def _note(renderer: Renderer, node: nodes.Element) -> str:
    if "label" in node:
        return sphinx_markup.note(node["label"], renderer.inside(node))
    title, *rest = node.children
    return sphinx_markup.titled(renderer.inside(title), "".join(renderer.html(child) for child in rest))


def _change(renderer: Renderer, node: nodes.Element) -> str:
    return sphinx_markup.change(node["kind"], node["version"], renderer.inside(node))


def _image(_renderer: Renderer, node: nodes.Element) -> str:
    shown = sphinx_markup.image(node["uri"], node["alt"])
    return shown if isinstance(node.parent, nodes.TextElement) else f"<p>{shown}</p>"


def _role(renderer: Renderer, node: nodes.Element) -> str:
    """Returns the HTML of one of our roles, which is an attribute of the node."""
    return str(node["html"]) if "html" in node else renderer.inside(node)


def _footnote(renderer: Renderer, node: nodes.Element) -> str:
    """Returns a footnote or citation: a paragraph that starts with its mark."""
    label = next(iter(node.findall(nodes.label)), None)
    mark = f"[{renderer.inside(label)}] " if label else ""
    rest = "".join(renderer.html(child) for child in node.children if child is not label)
    return f"<p>{mark}{rest.removeprefix('<p>')}" if rest.startswith("<p>") else f"<p>{mark}</p>{rest}"


def _mark(renderer: Renderer, node: nodes.Element) -> str:
    return f"<sup>[{renderer.inside(node)}]</sup>"


def _message(renderer: Renderer, node: nodes.Element) -> str:
    """Returns the source of text that docutils could not parse, if the message has it."""
    return "".join(renderer.html(child) for child in node.children if isinstance(child, nodes.literal_block))


def _reference(renderer: Renderer, node: nodes.Element) -> str:
    inner = renderer.inside(node)
    href = _address(renderer, node)
    if not href:
        renderer.report(node, f"the link '{renderer.words(node)}' leads to a target that is not in this document")
        return inner
    return f'<a href="{escape(href)}">{inner}</a>'


def _address(renderer: Renderer, node: nodes.Element | None, depth: int = 10) -> str:
    """Returns the address of a reference or a target: `term:…` within the same source; empty if unknown."""
    if node is None or not depth:
        return ""
    if "refuri" in node:
        uri = str(node["refuri"])
        return reference_href(uri) if uri.startswith("#") else uri
    if "refname" in node:
        return _named_address(renderer, node["refname"], depth - 1)
    if node.get("anonymous") and isinstance(node, nodes.reference):
        return _address(renderer, renderer.anonymous.get(node), depth - 1)
    following = node.next_node(siblings=True, descend=False)
    if isinstance(following, nodes.target) and not node.children:
        return _address(renderer, following, depth - 1)
    return reference_href("#" + node["ids"][0]) if node["ids"] else ""


def _named_address(renderer: Renderer, name: str, depth: int) -> str:
    if name in renderer.labels:
        return reference_href("#" + nodes.make_id(name))
    if name in renderer.targets:
        return _address(renderer, renderer.targets[name], depth)
    anchor = renderer.document.nameids.get(name)
    return reference_href(f"#{anchor}") if anchor else ""


def _substitution(renderer: Renderer, node: nodes.Element) -> str:
    name = str(node["refname"])
    key = renderer.document.substitution_names.get(name.lower(), name)
    definition = renderer.document.substitution_defs.get(key)
    renderer.substitutions += 1
    if definition is None and key.lower() == "br":  # usually defined in conf.py
        return BREAK
    if definition is None:
        renderer.report(node, f"nothing in this document says what |{name}| stands for")
    elif key in renderer.substituting or _has_too_many(renderer):
        outermost = next(iter(renderer.substituting.values()), node)
        renderer.report(outermost, f"|{outermost['refname']}| stands for itself, or for too many others")
    else:
        renderer.substituting[key] = node
        inner = renderer.inside(definition)
        del renderer.substituting[key]
        return inner
    return renderer.inside(node)


def _has_too_many(renderer: Renderer) -> bool:
    return renderer.substitutions > MAX_SUBSTITUTIONS or len(renderer.substituting) > MAX_NESTED


WRAPPED = {
    "block_quote": "blockquote",
    "bullet_list": "ul",
    "caption": "p",
    "definition_list": "dl",
    "emphasis": "em",
    "field_list": "dl",
    "field_name": "dt",
    "GlossaryList": "dl",
    "literal": "code",
    "option_list": "dl",
    "paragraph": "p",
    "row": "tr",
    "strong": "strong",
    "tbody": "tbody",
    "thead": "thead",
}
SILENT = frozenset("colspec comment pending raw substitution_definition transition".split())
SPECIAL: dict[str, Callable[[Renderer, nodes.Element], str]] = {
    "VersionRemark": _change,
    "LineBreak": lambda _renderer, _node: BREAK,
    "LabelledNote": _note,
    "GlossaryItem": _entry,
    "attribution": lambda renderer, node: f"<p>— {renderer.inside(node)}</p>",
    "citation": _footnote,
    "citation_reference": lambda renderer, node: f"[{renderer.inside(node)}]",
    "definition": _definition,
    "definition_list_item": _entry,
    "description": _definition,
    "doctest_block": _session,
    "entry": _cell,
    "enumerated_list": _numbered,
    "field_body": _definition,
    "footnote": _footnote,
    "footnote_reference": _mark,
    "image": _image,
    "inline": _role,
    "line_block": _lines,
    "list_item": _item,
    "literal_block": _code,
    "math_block": _math,
    "option_group": _options,
    "reference": _reference,
    "rubric": _rubric,
    "substitution_reference": _substitution,
    "system_message": _message,
    "table": _table,
    "title": _title,
}
