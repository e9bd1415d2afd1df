"""The glossaries of a document in reStructuredText, or its definition lists where it has none.

How the directive splits into entries is in `_glossary`, how docutils is kept harmless in `_rst`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docutils import nodes

from sitegen.formats.common import entries as _entries
from sitegen.formats.common.glossary_lines import sorting_key
from sitegen.formats.common.sections import Placed, reading
from sitegen.formats.rst.directives import EMPTY, Change, GlossaryList
from sitegen.formats.rst.entries import DEPENDS, Read
from sitegen.formats.rst.html_writer import Renderer
from sitegen.formats.rst.parser import parse
from sitegen.formats.rst.rst_in_markdown import Unwrapped, unwrap
from sitegen.formats.rst.standalone import is_alone, links_in
from sitegen.formats.rst.surroundings import Around, Glossary
from sitegen.model import Document, Entry, Problem, Reading
from sitegen.text.known import Known


def around(text: str, known: Known, *, backquotes_are_code: bool) -> Around:
    """Returns what a document says around its glossaries, of which nothing is left but their first lines."""
    tree = parse(text, known, path="", backquotes_are_code=backquotes_are_code)
    renderer = Renderer(tree.document)
    glossaries = [
        Glossary(found["first"], bool(found["sorted"]), _titles(found, renderer))
        for found in tree.document.findall(GlossaryList)
    ]
    lines = {0, *(glossary.first for glossary in glossaries)}
    if any(one.line in lines and one.found != EMPTY for one in (*tree.problems, *renderer.problems)):
        return Around()  # what is odd in the whole, or where a glossary begins, must not be lost
    return Around(tuple(glossaries), _section_title(tree.document), frozenset(tree.document.nameids))


def around_lists(text: str, known: Known) -> Around:
    """Returns what a document says around its definition lists, of which nothing is left but one item each."""
    tree = parse(text, known, path="")
    renderer = Renderer(tree.document)
    lists = [(one, _items(one)) for one in _bare_lists(tree.document)]
    found = [Glossary(_line(items[0]), is_sorted=False, titles=_titles(one, renderer)) for one, items in lists]
    # What is odd, anywhere, must not be lost.
    if tree.problems or renderer.problems or any(len(items) > 1 for _, items in lists):
        return Around()
    return Around(tuple(found), _section_title(tree.document), frozenset(tree.document.nameids))


def of_items(texts: Sequence[str], known: Known) -> list[Read]:
    """Returns what several items of a definition list say; what depends on its document, or is odd, says that."""
    tree = parse("\n\n".join(texts), known, path="")
    renderer = Renderer(tree.document)
    items = [item for found in _bare_lists(tree.document) for item in _items(found)]
    if len(items) != len(texts):
        return [DEPENDS for _ in texts]
    read = [_of_item(item, renderer) for item in items]
    return read if not (tree.problems or renderer.problems) else [DEPENDS for _ in texts]


def _of_item(item: nodes.Element, renderer: Renderer) -> Read:
    read = _read(item, renderer)
    if not all(map(is_alone, item.findall(include_self=False))):
        return DEPENDS
    return read._replace(links=links_in(item))


def read(document: Document, known: Known) -> Reading:
    """Returns the entries of all glossaries in a document; of its definition lists when it has no glossary."""
    unwrapped = unwrap(document.text)
    tree = parse(unwrapped.text, known, path=document.path, backquotes_are_code=unwrapped.headings is not None)
    renderer = Renderer(tree.document)
    glossaries = list(tree.document.findall(GlossaryList))
    placed = [
        one
        for found in glossaries or _bare_lists(tree.document)
        for one in _placed(found, _of_list(found, renderer, document, known), renderer, unwrapped)
    ]
    problems = _inside((*tree.problems, *renderer.problems), glossaries)
    title = unwrapped.headings.title if unwrapped.headings else _section_title(tree.document)
    return reading(placed, problems, known, document=document, title=title)


def _bare_lists(document: nodes.document) -> Iterator[nodes.definition_list]:
    for found in document.findall(nodes.definition_list):
        if isinstance(found.parent, nodes.document | nodes.section):
            yield found


def _items(found: nodes.definition_list) -> list[nodes.Element]:
    return [item for item in found.children if isinstance(item, nodes.Element)]


def _of_list(found: nodes.definition_list, renderer: Renderer, document: Document, known: Known) -> list[Entry]:
    entries = [_entry(item, renderer, document, known) for item in _items(found)]
    return sorted(entries, key=lambda entry: sorting_key(entry.name)) if found.get("sorted") else entries


def _entry(item: nodes.Element, renderer: Renderer, document: Document, known: Known) -> Entry:
    read: Read = item.get("read") or _read(item, renderer)
    anchors = tuple(map(nodes.make_id, item.get("anchors", ())))
    made = _entries.Item(names=read.names, html=read.html, line=_line(item), anchors=anchors)
    return _entries.entry(document, made, known, deprecated=read.deprecated)


def _read(item: nodes.Element, renderer: Renderer) -> Read:
    terms = [child for child in item.children if isinstance(child, nodes.term)]
    definition = next(child for child in item.children if isinstance(child, nodes.definition))
    changes = (child["kind"] for child in definition.children if isinstance(child, Change))
    names = tuple(renderer.words(term) or term.rawsource for term in terms)
    read = Read(names, renderer.inside(definition), deprecated="deprecated" in changes)
    renderer.document.settings.entries.keep(item, read)
    return read


def _line(item: nodes.Element) -> int:
    """Where an entry begins: a glossary's says so; that of a bare list is where its first name stands."""
    if "first" in item:
        return int(item["first"])
    return next(child.line or 0 for child in item.children if isinstance(child, nodes.term))


def _placed(
    found: nodes.Node, entries: Iterable[Entry], renderer: Renderer, unwrapped: Unwrapped
) -> Iterator[Placed]:
    """The entries of a list, each with the headings above it: Markdown's where there are any, else the sections."""
    if unwrapped.headings:
        return (Placed(entry=entry, headings=unwrapped.headings.above(entry.line)) for entry in entries)
    titles = _titles(found, renderer)
    return (Placed(entry=entry, headings=titles) for entry in entries)


def _titles(found: nodes.Node, renderer: Renderer) -> tuple[str, ...]:
    """The titles of the sections around a list, outermost first."""
    titles: list[str] = []
    node: nodes.Node | None = found
    while node is not None:
        if isinstance(node, nodes.section):
            titles.insert(0, renderer.words(node.children[0]))
        node = node.parent
    return tuple(titles)


def _section_title(tree: nodes.document) -> str:
    """The document's own title: its only section at the top."""
    sections = [child for child in tree.children if isinstance(child, nodes.section)]
    return " ".join(sections[0].children[0].astext().split()) if len(sections) == 1 else ""


def _inside(problems: Sequence[Problem], glossaries: Sequence[GlossaryList]) -> list[Problem]:
    """The problems with glossaries. A document may hold much else, which is no concern of ours."""
    lines = {line for glossary in glossaries for line in range(glossary["first"], glossary["last"] + 1)}
    return [problem for problem in problems if problem.line in lines or not glossaries or not problem.line]
