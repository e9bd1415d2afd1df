"""Renders docutils nodes as plain HTML. No file is opened.

Links within the document, footnotes and substitutions are resolved, with limits on their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from docutils import nodes, utils
from docutils.transforms.references import Footnotes

from sitegen.formats.common import sphinx_markup
from sitegen.formats.common.entries import text_of_html
from sitegen.model import Problem, ProblemKind, Trouble
from sitegen.text.prose import reference_href

MAX_SUBSTITUTED = 100_000
"""The maximum number of characters that substitutions add to a document: a few short lines can
cause millions."""
MAX_NESTED = 20
"""The maximum nesting of substitutions."""
BREAK = "<br>"


class NodeRenderer:
    """Renders nodes of one document, and adds a problem for each link or substitution without a
    target."""

    def __init__(self, document: nodes.document, problems: list[Problem]) -> None:
        if document.autofootnotes or document.symbol_footnotes:
            Footnotes(document).apply()  # gives `[#]_` and `[*]_` their numbers and signs
        self.document = document
        self.problems = problems
        self.targets: dict[str, nodes.target] = {}
        targets = [*document.findall(nodes.target)]
        for target in targets:
            for name in target["names"] + target["dupnames"]:
                self.targets[name] = target
        # Anonymous references belong to anonymous targets in the order of both.
        self.anonymous: dict[nodes.Element, nodes.Element] = {}
        anonymous_targets = _anonymous(targets)
        if anonymous_targets:  # otherwise the document need not be searched
            references = _anonymous(document.findall(nodes.reference))
            self.anonymous = dict(zip(references, anonymous_targets, strict=False))
        self.open_substitutions: list[nodes.Element] = []
        """The references to the substitutions that are being rendered, from the outermost."""
        self.substituted = 0
        """The number of characters that substitutions have added."""

    def html(self, node: nodes.Node) -> str:
        """Returns the HTML of a node. An unknown node is shown as what is in it."""
        if isinstance(node, nodes.Text):
            return escape(node.astext(), quote=False)
        name = type(node).__name__
        if name in SPECIAL and isinstance(node, nodes.Element):
            return SPECIAL[name](self, node)
        if name in SILENT_NODES:
            return ""
        if name in COMPACT:
            return f"<{COMPACT[name]}>{self.compact(node)}</{COMPACT[name]}>"
        inner = self.inner_html(node)
        if name in TAGS:
            return f"<{TAGS[name]}>{inner}</{TAGS[name]}>"
        return inner

    def inner_html(self, node: nodes.Node) -> str:
        """Returns the HTML of a node's children."""
        return "".join(map(self.html, node.children))

    def compact(self, node: nodes.Node) -> str:
        """Returns the HTML of a node's children, without `<p>` around the first if nothing, or only
        lists, follow it: an item `* Tools` above a list is `Tools<ul>…</ul>`."""
        if not node.children or not isinstance(node.children[0], nodes.paragraph):
            return self.inner_html(node)
        first, *others = node.children
        if all(isinstance(other, nodes.Sequential) for other in others):
            return self.inner_html(first) + "".join(map(self.html, others))
        return self.inner_html(node)

    def words(self, node: nodes.Node) -> str:
        """Returns a node's text on one line, without markup."""
        return text_of_html(self.inner_html(node).replace(BREAK, " "))

    def report(self, node: nodes.Node, found: str, wanted: str) -> None:
        _, line = utils.get_source_line(node)
        trouble = Trouble(ProblemKind.MARKUP, found, wanted)
        self.problems.append(trouble.at(self.document["source"], line=line or 0))


def _anonymous(elements: Iterable[nodes.Element]) -> list[nodes.Element]:
    return [element for element in elements if element.get("anonymous")]


def _numbered(renderer: NodeRenderer, node: nodes.Element) -> str:
    items = renderer.inner_html(node)
    if "start" in node:
        return f'<ol start="{node["start"]}">{items}</ol>'
    return f"<ol>{items}</ol>"


def _named_definition(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns the names, each with its classifiers, and their definition: `<dt>jig : <em>noun</em>
    </dt><dd>Holds.</dd>` of `jig : noun` above an indented "Holds."."""
    names: list[str] = []
    for child in node.children:
        if isinstance(child, nodes.term):
            names.append(renderer.inner_html(child))
        elif isinstance(child, nodes.classifier):
            names[-1] += f" : <em>{renderer.inner_html(child)}</em>"
    terms = "".join([f"<dt>{name}</dt>" for name in names])
    return terms + renderer.html(node.children[-1])


def _cell(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns a cell of a table. docutils counts the columns and rows that it spans beyond one."""
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
    language = node.get("language", "")
    if isinstance(node, nodes.doctest_block):
        language = "pycon"
    return sphinx_markup.marked_code(renderer.inner_html(node), language)


def _table(renderer: NodeRenderer, node: nodes.Element) -> str:
    title, rows = _title_and_rest(renderer, node)
    if title:
        return f"<p>{title}</p><table>{rows}</table>"
    return f"<table>{rows}</table>"


def _title_and_rest(renderer: NodeRenderer, node: nodes.Element) -> tuple[str, str]:
    """Returns the HTML of a node's title (of a note, a table), or of its label (of a footnote), and
    that of its other children."""
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
    """Returns the HTML of a role, which `parser` put into the node."""
    if "html" in node:
        return str(node["html"])
    return renderer.inner_html(node)


def _footnote(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns a footnote or citation: a paragraph that starts with its mark."""
    label, html = _title_and_rest(renderer, node)
    if label:
        label = f"[{label}] "
    if html.startswith("<p>"):
        return f"<p>{label}{html.removeprefix('<p>')}"
    return f"<p>{label}</p>{html}"


def _message(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns the source of text that docutils could not parse, if the message has it."""
    html = ""
    for child in node.children:
        if isinstance(child, nodes.literal_block):
            html += renderer.html(child)
    return html


def _reference(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns the HTML of a link; the words alone, with a problem, if its target is not in the
    document."""
    inner = renderer.inner_html(node)
    href = _address(renderer, node)
    if href:
        return f'<a href="{escape(href)}">{inner}</a>'
    words = renderer.words(node)
    found = f"the link '{words}' leads to a target that is not in this document"
    renderer.report(node, found, f"write `{words} <address>`_, or :term:`{words}` for a term")
    return inner


def _address(renderer: NodeRenderer, node: nodes.Element | None, depth: int = 10) -> str:
    """Returns the address of a reference or a target; empty if it is unknown. At most `depth` nodes
    are followed."""
    # Nodes may form a circle: `.. _a: b_` and `.. _b: a_`.
    if node is None or not depth:
        return ""

    # 1. A web address, or `#jig`, which may be an anchor in another document.
    if "refuri" in node:
        uri = str(node["refuri"])
        return reference_href(uri) if uri.startswith("#") else uri

    # 2. The name of a target, or an anonymous reference.
    if "refname" in node:
        return _address_of_name(renderer, node["refname"], depth)
    if isinstance(node, nodes.reference):
        return _address(renderer, renderer.anonymous.get(node), depth - 1)

    # 3. A target. `.. _a:` right above `.. _b:` leads where `_b` leads.
    following = node.next_node(siblings=True, descend=False)
    if isinstance(following, nodes.target) and not node.children:
        return _address(renderer, following, depth - 1)
    if node["ids"]:
        return reference_href("#" + node["ids"][0])
    return ""


def _address_of_name(renderer: NodeRenderer, name: str, depth: int) -> str:
    """Returns the address of the target with a name: a link or a heading."""
    if name in renderer.targets:
        return _address(renderer, renderer.targets[name], depth - 1)
    anchor = renderer.document.nameids.get(name)
    if anchor:
        return reference_href(f"#{anchor}")
    return ""


def _substitution(renderer: NodeRenderer, node: nodes.Element) -> str:
    """Returns the HTML that a substitution stands for: "1.0" for "|release|" with `.. |release|
    replace:: 1.0`. One without a definition, or one that contains itself, is shown as its name.
    """
    name = str(node["refname"])
    key = renderer.document.substitution_names.get(name.lower(), name)
    # By custom, |br| is raw HTML for a line break. conf.py may define it, which is not read.
    if key.lower() == "br":
        return BREAK
    definition = renderer.document.substitution_defs.get(key)
    if definition is None:
        found = f"the substitution |{name}| has no definition in this document"
        renderer.report(node, found, "define it here: what conf.py adds is not read")
        return renderer.inner_html(node)
    around = renderer.open_substitutions
    if len(around) == MAX_NESTED or renderer.substituted > MAX_SUBSTITUTED:
        outermost = around[0] if around else node
        found = (
            f"the substitution |{outermost['refname']}| contains itself, or is nested too deeply"
        )
        renderer.report(outermost, found, "write the text here instead")
        return renderer.inner_html(node)
    around.append(node)
    inner = renderer.inner_html(definition)
    around.pop()
    renderer.substituted += 1 + len(inner)
    return inner


COMPACT = {"definition": "dd", "description": "dd", "field_body": "dd", "list_item": "li"}
"""The elements of nodes in which one paragraph needs no `<p>`."""
TAGS = {
    "GlossaryList": "dl",
    "block_quote": "blockquote",
    "bullet_list": "ul",
    "caption": "p",
    "definition_list": "dl",
    "emphasis": "em",
    "field_list": "dl",
    "field_name": "dt",
    "literal": "code",
    "option_list": "dl",
    "paragraph": "p",
    "row": "tr",
    "strong": "strong",
    "tbody": "tbody",
    "thead": "thead",
    "title": "h3",
}
"""The elements of other nodes."""
SILENT_NODES = frozenset("colspec comment pending substitution_definition transition".split())
"""Nodes that show nothing."""
SPECIAL: dict[str, Callable[[NodeRenderer, nodes.Element], str]] = {
    "DirectiveNode": _directive,
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
    "option_group": lambda _renderer, node: f"<dt>{escape(node.astext())}</dt>",
    "reference": _reference,
    "substitution_reference": _substitution,
    "system_message": _message,
    "table": _table,
}
"""The functions that render nodes of other types."""
