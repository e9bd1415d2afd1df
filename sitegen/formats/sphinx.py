"""Sphinx's `.. glossary::`, wherever it stands, and bare definition lists in reStructuredText.

A Markdown file that holds the directive is read here too, and so is a MyST fence with reStructuredText inside: it is
the markup of the definitions that counts. How the directive splits into entries is in `_glossary`, how docutils is
kept harmless in `_rst`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docutils import nodes

from sitegen.formats import _blocks, _entries
from sitegen.formats._fences import is_markdown
from sitegen.formats._glossary import sorting_key
from sitegen.formats._hosts import Unwrapped, unwrap
from sitegen.formats._rst import DIRECTIVE
from sitegen.formats._rst import parse as parse_rst
from sitegen.formats._rst_directives import Change, GlossaryList
from sitegen.formats._rst_html import Renderer
from sitegen.formats._sections import Placed, reading
from sitegen.known import Known
from sitegen.model import Document, Entry, Problem, Reading

EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]+(?![_|\[])(?:(?P<name>[\w:+.-]+)::)?|$)")
SHOWN = frozenset({*_blocks.CODE, *_blocks.SILENT, *_blocks.INERT, "parsed-literal"})
"""Directives inside which a glossary is an example."""
IN_RST = re.compile(r":(?=:)(?<=glossary:)", re.I)
IN_MYST = re.compile(r"\{glossary\}", re.I)
WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|\?xml)", re.I)
UNDERLINE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}")
NOT_A_NAME = re.compile(r"[-*+•|>#<{}\[;%] ?|\d+[.)] |:\w|\.\. |.*[:{(;,=]$|.{120}")
MIN_NAMES = 2


def looks_like(document: Document, _known: Known) -> bool:
    """True when the document holds a glossary directive, or is for the most part one definition list."""
    if WEB_PAGE.match(document.text):
        return False
    if is_markdown(document.text) and not _names_directive(document.text):
        return False
    unwrapped = unwrap(document.text)
    lines = unwrapped.text.split("\n")
    in_markdown = unwrapped.headings is not None
    return _has_directive(lines, in_markdown=in_markdown) or (not in_markdown and _is_definition_list(lines))


def _names_directive(text: str) -> bool:
    return (":" in text and IN_RST.search(text) is not None) or ("{" in text and IN_MYST.search(text) is not None)


def parse(document: Document, known: Known) -> Reading:
    """Returns the entries of all glossaries in the document; of its definition lists when it has no glossary."""
    unwrapped = unwrap(document.text)
    tree = parse_rst(unwrapped.text, path=document.path, backquotes_are_code=unwrapped.headings is not None)
    renderer = Renderer(tree.document)
    glossaries = list(tree.document.findall(GlossaryList))
    placed = [
        Placed(entry=entry, headings=_headings(found, entry, renderer=renderer, unwrapped=unwrapped))
        for found in glossaries or _bare_lists(tree.document)
        for entry in _of_list(found, renderer, document, known)
    ]
    problems = _inside((*tree.problems, *renderer.problems), glossaries)
    return reading(placed, problems, known, document=document, title=_title(tree.document, unwrapped))


def _has_directive(lines: Sequence[str], *, in_markdown: bool) -> bool:
    """True when a glossary directive stands in none of the lines that are shown as code or not at all."""
    around: list[tuple[int, bool]] = []
    for line in filter(str.strip, lines):
        margin = _indent(line)
        while around and around[-1][0] >= margin:
            around.pop()
        is_shown = (in_markdown and margin > 3) or any(shown for _, shown in around[-1:])
        if DIRECTIVE.match(line) and not is_shown:
            return True
        around.append((margin, is_shown or _shows_code(line)))
    return False


def _shows_code(line: str) -> bool:
    """True for a line that opens a literal block, a comment, or a directive that shows code."""
    explicit = EXPLICIT.match(line)
    if explicit:
        return explicit["name"] is None or explicit["name"].lower() in SHOWN
    return line.rstrip().endswith("::")


def _is_definition_list(lines: Sequence[str]) -> bool:
    """True when most of what begins in the first column is a name with something indented right below it."""
    names = others = 0
    for above, line, below in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if _indent(line) or not line or (above and not _indent(above)):
            continue
        if below.strip() and _indent(below) and not NOT_A_NAME.match(line):
            names += 1
        elif not (UNDERLINE.fullmatch(below) or UNDERLINE.fullmatch(line) or line.startswith(".. ")):
            others += 1
    return names >= MIN_NAMES and names > others


def _bare_lists(document: nodes.document) -> Iterator[nodes.definition_list]:
    for found in document.findall(nodes.definition_list):
        if isinstance(found.parent, nodes.document | nodes.section):
            yield found


def _of_list(found: nodes.definition_list, renderer: Renderer, document: Document, known: Known) -> list[Entry]:
    entries = [_entry(item, renderer, document, known) for item in found.children if isinstance(item, nodes.Element)]
    return sorted(entries, key=lambda entry: sorting_key(entry.name)) if found.get("sorted") else entries


def _entry(item: nodes.Element, renderer: Renderer, document: Document, known: Known) -> Entry:
    terms = [child for child in item.children if isinstance(child, nodes.term)]
    definition = next(child for child in item.children if isinstance(child, nodes.definition))
    made = _entries.Item(
        names=tuple(renderer.words(term) or term.rawsource for term in terms),
        html=renderer.inside(definition),
        line=terms[0].line or 0,
        anchors=tuple(map(nodes.make_id, item.get("anchors", ()))),
    )
    changes = (child["kind"] for child in definition.children if isinstance(child, Change))
    return _entries.entry(document, made, known, deprecated="deprecated" in changes)


def _headings(found: nodes.Node, entry: Entry, *, renderer: Renderer, unwrapped: Unwrapped) -> tuple[str, ...]:
    """The headings above an entry, outermost first: Markdown's where there are any, else the sections around it."""
    if unwrapped.headings:
        return unwrapped.headings.above(entry.citation.line)
    titles: list[str] = []
    node: nodes.Node | None = found
    while node is not None:
        if isinstance(node, nodes.section):
            titles.insert(0, renderer.words(node.children[0]))
        node = node.parent
    return tuple(titles)


def _title(tree: nodes.document, unwrapped: Unwrapped) -> str:
    """The document's own title: its only section at the top."""
    if unwrapped.headings:
        return unwrapped.headings.title
    sections = [child for child in tree.children if isinstance(child, nodes.section)]
    return " ".join(sections[0].children[0].astext().split()) if len(sections) == 1 else ""


def _inside(problems: Sequence[Problem], glossaries: Sequence[GlossaryList]) -> list[Problem]:
    """The problems with glossaries. A document may hold much else, which is no concern of ours."""
    lines = {line for glossary in glossaries for line in range(glossary["first"], glossary["last"] + 1)}
    return [problem for problem in problems if problem.line in lines or not glossaries or not problem.line]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
