"""DocBook: the entries of `<glossary>` and `<glosslist>`, in versions 4 and 5, in XML or well-formed SGML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from sitegen.formats.common import entries, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import heading_kind
from sitegen.formats.xml.parsing import DamagedError, Element, attribute, name_of, words
from sitegen.formats.xml.parsing import parse as parse_xml
from sitegen.model import Document, Problem, Reading
from sitegen.text.prose import reference_href

SIGN = re.compile(r"<(?:\w+:)?(?:glossary|glosslist|glossentry)\b")
CODE = frozenset(
    "classname code command computeroutput constant envar filename function literal markup methodname option"
    " parameter property replaceable sgmltag structfield structname symbol systemitem tag type uri userinput"
    " varname".split()
)
WRAPPED = {
    "blockquote": "blockquote",
    "citetitle": "em",
    "emphasis": "em",
    "entry": "td",
    "firstterm": "em",
    "formalpara": "div",
    "itemizedlist": "ul",
    "listitem": "li",
    "orderedlist": "ol",
    "para": "p",
    "row": "tr",
    "simpara": "p",
    "simplelist": "ul",
    "member": "li",
    "subscript": "sub",
    "superscript": "sup",
    "informaltable": "table",
    "table": "table",
    "variablelist": "dl",
}
SILENT = frozenset("anchor indexterm remark titleabbrev colspec info".split())
NOTES = frozenset("caution important note tip warning".split())


def looks_like(document: Document) -> bool:
    """True if the document begins with a tag and has an element of a DocBook glossary."""
    return document.text.lstrip().startswith("<") and SIGN.search(document.text) is not None


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in a DocBook document."""
    try:
        root = parse_xml(document)
    except DamagedError as error:
        return Reading(problems=(Problem(path=document.path, line=error.line, found=str(error)),))
    listed = [*entries.limited(document, (one for one in root.iter() if name_of(one) == "glossentry"))]
    _name_references(root, listed)
    found = [_candidate(entry) for entry in listed]
    if not found:
        wanted = "wanted <glossentry> with <glossterm> and <glossdef>"
        return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=wanted),))
    return entries.read(document, found)


def _name_references(root: Element, listed: list[Element]) -> None:
    """Inserts the names of entries into the references to them that have no text."""
    names: dict[str, str] = {}
    for entry in listed:
        terms = [part for part in entry if name_of(part) == "glossterm"]
        names |= {id: words(terms[0]) for one in (entry, *terms) if terms and (id := attribute(one, "id"))}
    for reference in root.iter():
        if name_of(reference) in ("glosssee", "glossseealso", "xref") and not words(reference):
            reference.text = names.get(attribute(reference, "otherterm", "linkend"), "") or reference.text


def _candidate(entry: Element) -> Candidate:
    parts = [child for child in entry if name_of(child)]
    names = [words(part) for part in parts if name_of(part) in ("glossterm", "acronym", "abbrev")]
    html = "".join(_definition(part) for part in parts if name_of(part) in ("glossdef", "glosssee"))
    anchors = (attribute(one, "id") for one in (entry, *(part for part in parts if name_of(part) == "glossterm")))
    return Candidate(
        names=tuple(dict.fromkeys(filter(None, names))),
        html=html,
        line=entry.sourceline or 0,
        anchors=tuple(filter(None, anchors)),
        section=_section(entry),
    )


def _section(entry: Element) -> str:
    """Returns the title of the division around an entry, unless it is a letter."""
    for around in entry.iterancestors():
        if name_of(around) == "glossdiv":
            title = next((words(part) for part in around if name_of(part) == "title"), "")
            return "" if heading_kind(title) == "letter" else title
    return ""


def _definition(part: Element) -> str:
    if name_of(part) == "glosssee":
        return f"<p>See {_reference(part, words(part))}.</p>"
    related = [child for child in part if name_of(child) == "glossseealso"]
    links = ", ".join(_reference(one, words(one)) for one in related)
    inner = "".join(_html(child) for child in part if name_of(child) != "glossseealso")
    return inner + (f"<p>See also: {links}</p>" if links else "")


def _reference(element: Element, shown: str) -> str:
    target = attribute(element, "linkend", "otherterm")
    shown = escape(shown or target, quote=False)
    return f'<a href="{escape(reference_href(f"#{target}" if target else words(element)))}">{shown}</a>'


def _html(element: Element) -> str:
    """Returns the HTML of an element, without the text that follows it."""
    name = name_of(element)
    if not name or name in SILENT:
        return ""
    inner = "".join(_inside(element))
    if name in CODE:
        return f"<code>{inner}</code>"
    if name in NOTES:
        return sphinx_markup.note(sphinx_markup.NOTES[name], inner)
    match name:
        case "programlisting" | "screen" | "literallayout" | "synopsis":
            return sphinx_markup.code("".join(element.itertext()).strip("\n"), attribute(element, "language"))
        case "xref":
            target = attribute(element, "linkend")
            return _reference(element, words(element) or attribute(element, "endterm") or target)
        case "glossterm":
            named = attribute(element, "baseform") or words(element)
            href = reference_href(f"#{target}" if (target := attribute(element, "linkend")) else named)
            return f'<a href="{escape(href)}">{inner}</a>'
        case "link" | "ulink":
            if target := attribute(element, "linkend"):
                return f'<a href="{escape(reference_href(f"#{target}"))}">{inner}</a>'
            address = attribute(element, "href", "url")
            return f'<a href="{escape(address)}">{inner or escape(address)}</a>'
        case "quote":
            return f"“{inner}”"
        case "footnote":
            return f" ({' '.join(re.sub(r'</?p>', ' ', inner).split())})"
        case "term":
            return f"<dt>{inner}</dt>"
        case "title":
            is_caption = WRAPPED.get(name_of(element.getparent())) == "table"
            return f"<caption>{inner}</caption>" if is_caption else f"<p><strong>{inner}</strong></p>"
        case "varlistentry":
            return inner.replace("<li>", "<dd>").replace("</li>", "</dd>")
        case "emphasis" if attribute(element, "role") in ("bold", "strong"):
            return f"<strong>{inner}</strong>"
        case "imagedata" | "graphic":
            return sphinx_markup.image(attribute(element, "fileref"), "")
    return f"<{WRAPPED[name]}>{inner}</{WRAPPED[name]}>" if name in WRAPPED else inner


def _inside(element: Element) -> Iterator[str]:
    yield escape(element.text or "", quote=False)
    for child in element:
        yield _html(child)
        yield escape(child.tail or "", quote=False)
