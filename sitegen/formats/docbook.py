"""DocBook: the entries of `<glossary>` and `<glosslist>`, in versions 4 and 5, in XML or
well-formed SGML.

The parser reads no document type, entity or network, so that a document cannot expand or load
anything.
"""

from __future__ import annotations

import re
from html import escape
from html.entities import html5

from lxml import etree

from sitegen.formats.common import entries, sphinx_markup
from sitegen.formats.common.elements import Element, text_of
from sitegen.formats.common.entries import Candidate, check_tags, distinct
from sitegen.formats.common.headings import heading_kind
from sitegen.model import Document, Reading, UnreadableError
from sitegen.text import safe_xml
from sitegen.text.decoding import NOT_XML
from sitegen.text.file_names import MARKDOWN_SUFFIXES
from sitegen.text.prose import reference_href

DOCTYPE = re.compile(r"<!DOCTYPE\b[^>\[]*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*+\]\s*)?>", re.I)
NAMED_ENTITY = re.compile(
    r"(?P<cdata>(?s:<!\[CDATA\[.*?(?:\]\]>|\Z)))"
    r"|&(?!(?:amp|lt|gt|quot|apos|#\w+);)(?P<name>[A-Za-z][\w.-]*);"
)
"""A named entity; or a CDATA section, in which `&` begins none."""
DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")

CODE = """
    classname code command computeroutput constant envar filename function literal markup methodname
    option parameter property replaceable sgmltag structfield structname symbol systemitem tag type
    uri userinput varname
"""
TAGS = {
    **dict.fromkeys(CODE.split(), "code"),
    **dict.fromkeys(("citetitle", "emphasis", "firstterm"), "em"),
    **dict.fromkeys(("listitem", "member"), "li"),
    **dict.fromkeys(("para", "simpara"), "p"),
    **dict.fromkeys(("informaltable", "table"), "table"),
    **dict.fromkeys(("itemizedlist", "simplelist"), "ul"),
    "blockquote": "blockquote",
    "entry": "td",
    "formalpara": "div",
    "orderedlist": "ol",
    "row": "tr",
    "subscript": "sub",
    "superscript": "sup",
    "term": "dt",
    "variablelist": "dl",
}
SILENT_ELEMENTS = frozenset("anchor indexterm remark titleabbrev colspec info".split())
IDS_OF_TARGETS = ("otherterm", "linkend")
"""The attributes of a reference that have the id of an entry."""


def looks_like(document: Document) -> bool:
    """Returns whether the document may be DocBook. A Markdown file is not: it only mentions
    elements of DocBook."""
    return not document.name.lower().endswith(MARKDOWN_SUFFIXES)


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in a DocBook document."""
    root = _parsed_xml(document)
    all_entries = [element for element in root.iter() if _name_of(element) == "glossentry"]
    entry_elements = entries.limited(document, all_entries)
    _insert_names_into_references(root, entry_elements)
    wanted = "wanted <glossentry> with <glossterm> and <glossdef>"
    return entries.read(document, map(_candidate, entry_elements), wanted=wanted)


def _insert_names_into_references(root: Element, entry_elements: list[Element]) -> None:
    """Changes each reference without a text, such as `<glosssee otherterm="jig"/>`: its text
    becomes the name of the entry with this id."""
    names_by_id: dict[str, str] = {}
    for entry in entry_elements:
        terms = _children_named(entry, "glossterm")
        if not terms:
            continue
        for element in (entry, *terms):
            id = _attribute(element, "id")
            if id:
                names_by_id[id] = text_of(terms[0])

    for element in root.iter():
        is_reference = _name_of(element) in ("glosssee", "glossseealso", "link", "xref")
        if is_reference and not text_of(element):
            target = _attribute(element, *IDS_OF_TARGETS)
            element.text = names_by_id.get(target) or element.text


def _candidate(entry: Element) -> Candidate:
    """Returns the term of a `glossentry`."""
    terms = _children_named(entry, "glossterm")
    names = map(text_of, _children_named(entry, "glossterm", "acronym", "abbrev"))
    anchors = [_attribute(element, "id") for element in (entry, *terms)]
    definitions = map(_definition, _children_named(entry, "glossdef", "glosssee"))
    return Candidate(
        names=distinct(names),
        html="".join(definitions),
        line=entry.sourceline or 0,
        anchors=tuple(filter(None, anchors)),
        section=_division(entry),
    )


def _division(entry: Element) -> str:
    """Returns the title of the division around an entry: "Tools" in `<glossdiv><title>Tools`. The
    title is empty without a division, and if it is only a letter."""
    divisions = [outer for outer in entry.iterancestors() if _name_of(outer) == "glossdiv"]
    if not divisions:
        return ""
    division = divisions[0]  # the innermost
    titles = _children_named(division, "title")
    for info in _children_named(division, "info"):  # DocBook 5 may have the title here
        titles += _children_named(info, "title")
    title = text_of(titles[0]) if titles else ""
    return "" if heading_kind(title) == "letter" else title


def _definition(part: Element) -> str:
    """Returns the HTML of a definition (`glossdef`), or of a reference instead of one
    (`glosssee`)."""
    if _name_of(part) == "glosssee":
        return f"<p>See {_reference(part)}.</p>"
    html = escape(part.text or "", quote=False)
    for child in part:
        if _name_of(child) != "glossseealso":
            html += _html(child)
        html += escape(child.tail or "", quote=False)
    related_terms = map(_reference, _children_named(part, "glossseealso"))
    return html + sphinx_markup.see_also(related_terms)


def _reference(element: Element) -> str:
    """Returns the HTML of a reference to a term, by its id, else by its text."""
    text = text_of(element)
    target = _attribute(element, *IDS_OF_TARGETS)
    if target:
        return sphinx_markup.reference(f"#{target}", text or target)
    return sphinx_markup.reference(text, text)


def _link(element: Element, inner: str) -> str:
    """Returns the HTML of a link to an id, to the term that a `glossterm` names, or to an
    address."""
    web_address = _attribute(element, "href", "url")
    target = _attribute(element, "linkend")
    if web_address.startswith("#"):
        target = web_address.removeprefix("#")
    if target:
        href = reference_href(f"#{target}")
    elif _name_of(element) == "glossterm":
        href = reference_href(text_of(element))
    else:
        href = web_address
    # A link without a text shows its address.
    return f'<a href="{escape(href)}">{inner or escape(web_address or target)}</a>'


def _html(element: Element) -> str:
    """Returns the HTML of an element, without the text that follows it. An unknown element becomes
    its content."""
    name = _name_of(element)
    if name in SILENT_ELEMENTS:
        return ""
    inner = escape(element.text or "", quote=False)
    for child in element:
        inner += _html(child) + escape(child.tail or "", quote=False)
    match name:
        case "caution" | "important" | "note" | "tip" | "warning":
            return sphinx_markup.note(sphinx_markup.NOTES[name], inner)
        case "programlisting" | "screen" | "literallayout" | "synopsis":
            text = "".join(element.itertext()).strip("\n")
            return sphinx_markup.code(text, _attribute(element, "language"))
        case "xref":
            return _reference(element)
        case "glossterm" | "link" | "ulink":
            return _link(element, inner)
        case "quote":
            return f"“{inner}”"
        case "footnote":
            # A note is shown inside the sentence, so without paragraphs.
            words = re.sub(r"</?p>", " ", inner).split()
            return f" ({' '.join(words)})"
        case "title":
            return f"<p><strong>{inner}</strong></p>"
        case "listitem" if _name_of(element.getparent()) == "varlistentry":
            return f"<dd>{inner}</dd>"
        case "emphasis" if _attribute(element, "role") in ("bold", "strong"):
            return f"<strong>{inner}</strong>"
        case "imagedata" | "graphic":
            return sphinx_markup.image(_attribute(element, "fileref"), "")
    if name in TAGS:
        return f"<{TAGS[name]}>{inner}</{TAGS[name]}>"
    return inner


def _parsed_xml(document: Document) -> Element:
    """Returns the root of a document, without its document type and comments.

    Entities of HTML become characters, and other entities their names. Raises UnreadableError for a
    document that is not well-formed, or has too many tags.
    """
    check_tags(document)
    # XML forbids some characters. A declaration may name another encoding than `text.encode()`.
    text = DECLARATION.sub("", NOT_XML.sub("", document.text))
    # Line ends stay, so that errors have the right lines.
    text = DOCTYPE.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
    text = NAMED_ENTITY.sub(_without_entity, text)
    try:
        return etree.fromstring(text.encode(), safe_xml.parser())
    except etree.XMLSyntaxError as error:
        line, _ = error.position or (1, 0)
        # The message ends with the line, which the problem has anyway.
        reason, _, _ = str(error.msg).partition(", line")
        raise UnreadableError(f"this is no XML: {reason}", line=line or 1) from None


def _without_entity(match: re.Match[str]) -> str:
    """Returns the character of a named entity, or else its name. A CDATA section is unchanged."""
    return match["cdata"] or html5.get(f"{match['name']};", match["name"])


def _name_of(element: Element) -> str:
    """Returns the name of an element without its namespace, in lower case."""
    return _local_name(element.tag)


def _local_name(name: str) -> str:
    """Returns the part of a name of XML after its namespace: "id" for `{http://…}id`."""
    _, _, local = name.rpartition("}")
    return local.lower()


def _children_named(parent: Element, *names: str) -> list[Element]:
    """Returns the children of an element that have one of these names."""
    return [child for child in parent if _name_of(child) in names]


def _attribute(element: Element, *names: str) -> str:
    """Returns the value of the first of these attributes that an element has, in any namespace. It
    is empty if the element has none of them."""
    # Only the names are read here: to read all values takes quadratic time in lxml.
    keys = {_local_name(key): key for key in element.attrib}
    for name in names:
        if name in keys:
            return str(element.get(keys[name]))
    return ""
