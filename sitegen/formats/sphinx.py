"""Sphinx's `.. glossary::`, wherever it stands, and bare definition lists in reStructuredText.

A Markdown file that holds the directive is read here too, and so is a MyST fence with reStructuredText inside: it is
the markup of the definitions that counts. How the directive splits into entries is in `_glossary`, how docutils is
kept harmless in `_rst`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docutils import nodes

from sitegen.formats import _blocks, _outline
from sitegen.formats._glossary import sorting_key
from sitegen.formats._hosts import Unwrapped, unwrap
from sitegen.formats._rst import DIRECTIVE, Message, Tree
from sitegen.formats._rst import parse as parse_rst
from sitegen.formats._rst_directives import Change, GlossaryItem, GlossaryList
from sitegen.formats._rst_html import Renderer
from sitegen.formats._sections import Placed, reading
from sitegen.model import Document, Problem, Reading

EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]+(?![_|\[])(?:(?P<name>[\w:+.-]+)::)?|$)")
SHOWN = frozenset({*_blocks.CODE, *_blocks.SILENT, *_blocks.INERT, "parsed-literal"})
"""Directives inside which a glossary is an example."""
UNDERLINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}")
NOT_A_NAME = re.compile(r"[-*+•|>#<{}\[;%] ?|\d+[.)] |:\w|\.\. |.*:$|.{120}")
MIN_NAMES = 2


def looks_like(document: Document) -> bool:
    """True when the document holds a glossary directive, or is for the most part one definition list."""
    unwrapped = unwrap(document.text)
    if _has_directive(unwrapped):
        return True
    return unwrapped.headings is None and _is_definition_list(unwrapped.text.split("\n"))


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in the document; of its definition lists when it has no glossary."""
    unwrapped = unwrap(document.text)
    tree = parse_rst(unwrapped.text, backquotes_are_code=unwrapped.headings is not None)
    renderer = Renderer(tree.document)
    glossaries = list(tree.document.findall(GlossaryList))
    lists = glossaries or [found for found in tree.document.findall(nodes.definition_list) if _is_bare(found)]
    placed = [one for found in lists for one in _entries(found, renderer, unwrapped, document)]
    problems = _problems(tree, renderer, glossaries, document.path)
    return reading(placed, problems, document=document, title=_title(tree.document, unwrapped))


def _has_directive(unwrapped: Unwrapped) -> bool:
    lines = unwrapped.text.split("\n")
    is_markdown = unwrapped.headings is not None
    return any(DIRECTIVE.match(line) and not _is_shown(lines, number, is_markdown) for number, line in enumerate(lines))


def _is_shown(lines: list[str], number: int, is_markdown: bool) -> bool:
    """True when a line stands inside code or a comment: the lines above it that are indented less tell."""
    margin = _indent(lines[number])
    if is_markdown and margin > 3:
        return True
    for line in reversed(lines[:number]):
        if line.strip() and _indent(line) < margin:
            margin = _indent(line)
            explicit = EXPLICIT.match(line)
            if explicit and (explicit["name"] is None or explicit["name"].lower() in SHOWN):
                return True
            if not explicit and line.rstrip().endswith("::"):
                return True
    return False


def _is_definition_list(lines: list[str]) -> bool:
    """True when most of what starts in the first column is a name with something indented right below it."""
    names = others = 0
    for number, line in enumerate(lines):
        above = lines[number - 1] if number else ""
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if not line.strip() or line[0].isspace() or (above.strip() and not above[0].isspace()):
            continue
        if below.strip() and below[0].isspace() and not NOT_A_NAME.match(line):
            names += 1
        elif not (UNDERLINE.fullmatch(below.strip()) or UNDERLINE.fullmatch(line.strip()) or line.startswith(".. ")):
            others += 1
    return names >= MIN_NAMES and names > others


def _is_bare(found: nodes.definition_list) -> bool:
    return isinstance(found.parent, nodes.document | nodes.section)


def _entries(
    found: nodes.definition_list, renderer: Renderer, unwrapped: Unwrapped, document: Document
) -> Iterator[Placed]:
    items = [_item(item, renderer) for item in found.children if isinstance(item, nodes.definition_list_item)]
    if found.get("sorted"):
        items.sort(key=lambda pair: sorting_key(pair[0].names[0]))
    for item, deprecated in items:
        above = unwrapped.headings.above(item.line) if unwrapped.headings else tuple(_headings(found, renderer))
        entry = _outline.entry(document, item, deprecated=deprecated)
        yield Placed(entry=entry, headings=above)


def _item(item: nodes.definition_list_item, renderer: Renderer) -> tuple[_outline.Item, bool]:
    """What an entry says, and whether it is marked as deprecated."""
    terms = [child for child in item.children if isinstance(child, nodes.term)]
    definition = next(child for child in item.children if isinstance(child, nodes.definition))
    made = _outline.Item(
        names=tuple(renderer.words(term) or term.rawsource for term in terms),
        html=_html(definition, renderer),
        line=terms[0].line or 0,
        anchors=tuple(nodes.make_id(label) for label in item.get("anchors", ())),
    )
    return made, any(isinstance(child, Change) and child["kind"] == "deprecated" for child in definition.children)


def _html(definition: nodes.definition, renderer: Renderer) -> str:
    return renderer.inside(definition)


def _headings(node: nodes.Node, renderer: Renderer) -> Iterator[str]:
    """The titles of the sections around a node, outermost first."""
    if node.parent is None:
        return
    yield from _headings(node.parent, renderer)
    if isinstance(node.parent, nodes.section):
        yield renderer.words(node.parent.children[0])


def _title(tree: nodes.document, unwrapped: Unwrapped) -> str:
    """The document's own title: its only section at the top."""
    if unwrapped.headings:
        return unwrapped.headings.title
    sections = [child for child in tree.children if isinstance(child, nodes.section)]
    return " ".join(sections[0].children[0].astext().split()) if len(sections) == 1 else ""


def _problems(
    tree: Tree, renderer: Renderer, glossaries: Sequence[GlossaryList], path: str
) -> Iterator[Problem]:
    """What is odd inside the glossaries; a document may hold much else, which is no concern of ours."""
    unresolved = (Message(line, found, "") for line, found in renderer.unresolved)
    for message in (*tree.messages, *unresolved):
        inside = any(glossary["first"] <= message.line <= glossary["last"] for glossary in glossaries)
        if inside or not glossaries or not message.line:
            yield Problem(path=path, line=message.line, found=message.found, wanted=message.wanted)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
