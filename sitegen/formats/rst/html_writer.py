"""Renders docutils nodes as plain HTML, and finds the entries and blocks in them. No file is
opened.

It also resolves links within the document, footnotes and substitutions, with limits on their
number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Literal

from docutils import nodes, utils
from docutils.transforms.references import Footnotes

from sitegen.formats.common import listed_terms, sphinx_markup
from sitegen.formats.common.entries import Candidate, without_math, words_of
from sitegen.formats.common.structure import Block, heading
from sitegen.formats.rst.directives import DirectiveNode, GlossaryItem
from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.text.prose import reference_href

MAX_SUBSTITUTIONS = 2_000
"""The maximum number in a document: a few short lines can cause millions."""
MAX_NESTED = 20
"""The maximum nesting of substitutions."""
BREAK = "<br>"


class NodeRenderer:
    """Renders nodes of one document, and adds a problem for each link or substitution without a
    target."""

    def __init__(self, document: nodes.document, problems: list[Problem]) -> None:
        if document.autofootnotes or document.symbol_footnotes:
            Footnotes(document).apply()
        self.document = document
        self.problems = problems
        self.targets: dict[str, nodes.target] = {}
        anonymous_targets = []
        for target in document.findall(nodes.target):
            self.targets.update(dict.fromkeys(target["names"] + target["dupnames"], target))
            if target.get("anonymous"):
                anonymous_targets.append(target)
        # Anonymous references belong to anonymous targets in the order of both.
        references = [one for one in document.findall(nodes.reference) if one.get("anonymous")]
        self.anonymous = dict(zip(references, anonymous_targets, strict=False))
        self.labels: set[str] = set()
        for item in document.findall(GlossaryItem):
            self.labels.update(map(nodes.fully_normalize_name, item["anchors"]))
        self.substituting: dict[str, nodes.Element] = {}
        self.substitutions = 0

    def html(self, node: nodes.Node) -> str:
        """Returns the HTML of a node."""
        if isinstance(node, nodes.Text):
            return escape(node.astext(), quote=False)
        name = type(node).__name__
        if name in SPECIAL and isinstance(node, nodes.Element):
            return SPECIAL[name](self, node)
        if name in SILENT:
            return ""
        if name in COMPACT:
            return f"<{COMPACT[name]}>{self.compact(node)}</{COMPACT[name]}>"
        inner = self.inner_html(node)
        if name in TAGS:
            return f"<{TAGS[name]}>{inner}</{TAGS[name]}>"
        return inner

    def inner_html(self, node: nodes.Node) -> str:
        """Returns the HTML of a node's children."""
        return "".join(self.html(child) for child in node.children)

    def compact(self, node: nodes.Node) -> str:
        """Returns the same, without `<p>` around a single paragraph, or around one before lists
        only."""
        if not node.children or not isinstance(node.children[0], nodes.paragraph):
            return self.inner_html(node)
        first, *others = node.children
        if all(isinstance(other, nodes.Sequential) for other in others):
            return self.inner_html(first) + "".join(map(self.html, others))
        return self.inner_html(node)

    def words(self, node: nodes.Node) -> str:
        """Returns a node's text on one line, without markup."""
        return words_of(without_math(self.inner_html(node)).replace(BREAK, " "))

    def report(self, node: nodes.Node, found: str) -> None:
        line = utils.get_source_line(node)[1] or 0
        path = self.document["source"]
        self.problems.append(Trouble(ProblemKind.MARKUP, found).at(path, line=line))


def _numbered(renderer: NodeRenderer, node: nodes.Element) -> str:
    start = f' start="{node["start"]}"' if "start" in node else ""
    return f"<ol{start}>{renderer.inner_html(node)}</ol>"


def _named_definition(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns the names, each with its classifiers, and their definition."""
    names: list[str] = []
    for child in node.children:
        if isinstance(child, nodes.term):
            names.append(renderer.inner_html(child))
        elif isinstance(child, nodes.classifier):
            names[-1] += f" : <em>{renderer.inner_html(child)}</em>"
    return "".join(f"<dt>{name}</dt>" for name in names) + renderer.html(node.children[-1])


def _options(_renderer: NodeRenderer, node: nodes.Element) -> str:
    options = ", ".join(option.astext() for option in node.children)
    return f"<dt><code>{escape(options)}</code></dt>"


def _cell(renderer: NodeRenderer, node: nodes.Element) -> str:
    tag = "th" if isinstance(node.parent.parent, nodes.thead) else "td"
    attributes = ""
    for name, key in (("colspan", "morecols"), ("rowspan", "morerows")):
        if more := node.get(key, 0):
            attributes += f' {name}="{more + 1}"'
    return f"<{tag}{attributes}>{renderer.compact(node)}</{tag}>"


def _lines(renderer: NodeRenderer, node: nodes.Element) -> str:
    lines = BREAK.join(map(renderer.inner_html, node.findall(nodes.line)))
    return f'<div class="lines">{lines}</div>'


def _code(renderer: NodeRenderer, node: nodes.Element) -> str:
    language = "pycon" if isinstance(node, nodes.doctest_block) else node.get("language", "")
    return sphinx_markup.marked_code(renderer.inner_html(node), language)


def _table(renderer: NodeRenderer, node: nodes.Element) -> str:
    title, rows = _title_and_rest(renderer, node)
    if title:
        return f"<p>{title}</p><table>{rows}</table>"
    return f"<table>{rows}</table>"


def _title_and_rest(renderer: NodeRenderer, node: nodes.Element) -> tuple[str, str]:
    """Returns the HTML of a node's title, or of its label, and that of its other children."""
    title = rest = ""
    for child in node.children:
        if isinstance(child, nodes.title | nodes.label):
            title = renderer.inner_html(child)
        else:
            rest += renderer.html(child)
    return title, rest


def _directive(renderer: NodeRenderer, node: nodes.Element) -> str:
    title, inner = _title_and_rest(renderer, node)
    name, version = node["directive"], node["version"]
    return sphinx_markup.directive(name, title=title, version=version, inner=inner)


def _image(_renderer: NodeRenderer, node: nodes.Element) -> str:
    html = sphinx_markup.image(node["uri"], node["alt"])
    if isinstance(node.parent, nodes.TextElement):
        return html
    return f"<p>{html}</p>"


def _role(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns the HTML of one of our roles, which is an attribute of the node."""
    if "html" in node:
        return str(node["html"])
    return renderer.inner_html(node)


def _footnote(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns a footnote or citation: a paragraph that starts with its mark."""
    label, html = _title_and_rest(renderer, node)
    mark = f"[{label}] " if label else ""
    if html.startswith("<p>"):
        return f"<p>{mark}{html.removeprefix('<p>')}"
    return f"<p>{mark}</p>{html}"


def _message(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns the source of text that docutils could not parse, if the message has it."""
    sources = [child for child in node.children if isinstance(child, nodes.literal_block)]
    return "".join(map(renderer.html, sources))


def _reference(renderer: NodeRenderer, node: nodes.Element) -> str:
    inner = renderer.inner_html(node)
    href = _address(renderer, node)
    if not href:
        words = renderer.words(node)
        renderer.report(node, f"the link '{words}' leads to a target that is not in this document")
        return inner
    return f'<a href="{escape(href)}">{inner}</a>'


def _address(renderer: NodeRenderer, node: nodes.Element | None, depth: int = 10) -> str:
    """Returns the address of a reference or a target: `term:…` within the same source; empty if
    unknown."""
    if node is None or not depth:
        return ""
    if "refuri" in node:
        uri = str(node["refuri"])
        return reference_href(uri) if uri.startswith("#") else uri
    if "refname" in node:
        name = node["refname"]
        if name in renderer.labels:
            return reference_href(f"#{nodes.make_id(name)}")
        if name in renderer.targets:
            return _address(renderer, renderer.targets[name], depth - 1)
        anchor = renderer.document.nameids.get(name)
        return reference_href(f"#{anchor}") if anchor else ""
    if node.get("anonymous") and isinstance(node, nodes.reference):
        return _address(renderer, renderer.anonymous.get(node), depth - 1)
    following = node.next_node(siblings=True, descend=False)
    if isinstance(following, nodes.target) and not node.children:
        return _address(renderer, following, depth - 1)
    return reference_href("#" + node["ids"][0]) if node["ids"] else ""


def _substitution(renderer: NodeRenderer, node: nodes.Element) -> str:
    name = str(node["refname"])
    key = renderer.document.substitution_names.get(name.lower(), name)
    definition = renderer.document.substitution_defs.get(key)
    renderer.substitutions += 1
    if definition is None and key.lower() == "br":  # usually defined in conf.py
        return BREAK
    if definition is None:
        renderer.report(node, f"the substitution |{name}| has no definition in this document")
        return renderer.inner_html(node)
    open_ones = renderer.substituting
    is_limit = renderer.substitutions > MAX_SUBSTITUTIONS or len(open_ones) > MAX_NESTED
    if key in open_ones or is_limit:
        outermost = next(iter(open_ones.values()), node)
        name = outermost["refname"]
        found = f"the substitution |{name}| contains itself, or is nested too deeply"
        renderer.report(outermost, found)
        return renderer.inner_html(node)
    open_ones[key] = node
    inner = renderer.inner_html(definition)
    del open_ones[key]
    return inner


COMPACT = {"definition": "dd", "description": "dd", "field_body": "dd", "list_item": "li"}
TAGS = {
    **dict.fromkeys("definition_list field_list GlossaryList option_list".split(), "dl"),
    **{name: name for name in ("strong", "tbody", "thead")},
    "block_quote": "blockquote",
    "bullet_list": "ul",
    "caption": "p",
    "emphasis": "em",
    "field_name": "dt",
    "literal": "code",
    "paragraph": "p",
    "row": "tr",
    "title": "h3",
}
SILENT = frozenset("colspec comment pending raw substitution_definition transition".split())
SPECIAL: dict[str, Callable[[NodeRenderer, nodes.Element], str]] = {
    "DirectiveNode": _directive,
    "LineBreak": lambda _renderer, _node: BREAK,
    "GlossaryItem": _named_definition,
    "attribution": lambda renderer, node: f"<p>— {renderer.inner_html(node)}</p>",
    "citation": _footnote,
    "citation_reference": lambda renderer, node: f"[{renderer.inner_html(node)}]",
    "definition_list_item": _named_definition,
    "doctest_block": _code,
    "entry": _cell,
    "enumerated_list": _numbered,
    "footnote": _footnote,
    "footnote_reference": lambda renderer, node: f"<sup>[{renderer.inner_html(node)}]</sup>",
    "image": _image,
    "inline": _role,
    "line_block": _lines,
    "literal_block": _code,
    "math_block": lambda renderer, node: f'<div class="math">{renderer.inner_html(node)}</div>',
    "option_group": _options,
    "reference": _reference,
    "substitution_reference": _substitution,
    "system_message": _message,
    "table": _table,
}


def items_of(node: nodes.Element) -> list[nodes.Element]:
    return [item for item in node.children if isinstance(item, nodes.Element)]


def line_of(item: nodes.Element) -> int:
    """Returns the line of the first name of an entry."""
    if "first" in item:
        return int(item["first"])
    terms = [child for child in item.children if isinstance(child, nodes.term)]
    return terms[0].line or 0


def candidate_of(item: nodes.Element, renderer: NodeRenderer) -> Candidate:
    """Returns an item of a glossary or a definition list as a candidate."""
    names: list[str] = []
    html = ""
    is_deprecated = False
    for child in item.children:
        if isinstance(child, nodes.term):
            names.append(renderer.words(child) or child.rawsource)
        elif isinstance(child, nodes.definition):
            html = renderer.inner_html(child)
            is_deprecated = any(map(_is_deprecation, child.children))
    return Candidate(tuple(names), html, line_of(item), deprecated=is_deprecated)


def _is_deprecation(node: nodes.Node) -> bool:
    return isinstance(node, DirectiveNode) and node["directive"] == "deprecated"


NO_TEXT = (nodes.title, nodes.transition)


def blocks(parent: nodes.Element, renderer: NodeRenderer, *, level: int = 0) -> Iterator[Block]:
    """Yields the blocks of a document or a section, with the headings of the sections inside it."""
    is_below_lead = False
    for node in parent.children:
        if isinstance(node, nodes.section):
            yield _heading(node, renderer, level=min(level + 1, 6))
            yield from blocks(node, renderer, level=level + 1)
        elif isinstance(node, nodes.target):
            yield Block(line=node.line or 0, html="", anchors=tuple(node["ids"]))
        elif isinstance(node, nodes.Element) and not isinstance(node, NO_TEXT):
            is_definition = is_below_lead and isinstance(node, nodes.block_quote)
            html = renderer.inner_html(node) if is_definition else renderer.html(node)
            if html:
                yield _text_block(node, html, renderer)
        is_bold = len(node.children) == 1 and isinstance(node.children[0], nodes.strong)
        is_below_lead = is_bold and isinstance(node, nodes.paragraph)


def _heading(section: nodes.section, renderer: NodeRenderer, *, level: int) -> Block:
    title = section.children[0]
    line = (title.line or 1) - 1  # docutils counts the underline
    anchors = tuple(section["ids"])
    return heading(renderer.words(title), level=level, line=line, anchors=anchors)


def _text_block(node: nodes.Element, html: str, renderer: NodeRenderer) -> Block:
    """Returns the block of a text, with the terms in it."""
    form: Literal["paragraph", "list", "table"] = "paragraph"
    candidates: list[Candidate] = []
    listed = None
    if isinstance(node, nodes.paragraph):
        lead = listed_terms.bold_name(html, node.line or 0)
        candidates = [lead] if lead else []
    elif isinstance(node, nodes.bullet_list):
        form = "list"
        candidates = _leads(node, renderer)
    elif isinstance(node, nodes.definition_list):
        form = "table"
        candidates = [candidate_of(item, renderer) for item in items_of(node)]
    elif isinstance(node, nodes.table):
        form = "table"
        listed = _table_terms(node, renderer)
    listed = listed or listed_terms.ListedTerms(tuple(candidates))
    return listed_terms.text_block(html, utils.get_source_line(node)[1] or 0, form, listed)


def _leads(bullets: nodes.Element, renderer: NodeRenderer) -> list[Candidate]:
    """Returns the items of a list, if most of them begin with a bold name."""
    leads = [_item_lead(item, renderer) for item in items_of(bullets)]
    named = [lead for lead in leads if lead.names]
    if 2 * len(named) > len(leads):
        return leads
    return []


def _table_terms(table: nodes.Element, renderer: NodeRenderer) -> listed_terms.ListedTerms:
    rows: list[listed_terms.TableRow] = []
    for row in table.findall(nodes.row):
        cells = []
        for cell in items_of(row):
            html = renderer.inner_html(cell).strip()
            if html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1:
                html = html.removeprefix("<p>").removesuffix("</p>")
            cells.append(html)
        rows.append((_first_line(row), cells))
    return listed_terms.table_terms(rows)


def _first_line(row: nodes.Element) -> int:
    for node in row.findall():
        if node.line:
            return node.line
    return 0


def _item_lead(item: nodes.Element, renderer: NodeRenderer) -> Candidate:
    """Returns the bold name that a list item begins with, and the rest of the item."""
    first, *rest = item.children or [nodes.paragraph()]
    is_text = isinstance(first, nodes.paragraph)
    lead = listed_terms.bold_name(renderer.html(first), first.line or 0) if is_text else None
    if lead is None:
        return Candidate(names=(), html=renderer.inner_html(item), line=item.line or 0)
    return lead._replace(html=lead.html + "".join(map(renderer.html, rest)))
