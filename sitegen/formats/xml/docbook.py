"""DocBook: the entries of `<glossary>` and `<glosslist>`, in versions 4 and 5, in XML or
well-formed SGML."""

from __future__ import annotations

import re
from html import escape

from sitegen.formats.common import entries, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.formats.common.headings import heading_kind
from sitegen.formats.xml import Element, attribute, name_of, parts_of, words
from sitegen.formats.xml import parse as parse_xml
from sitegen.model import Document, Reading
from sitegen.text.prose import reference_href

CODE = (
    "classname code command computeroutput constant envar filename function literal markup "
    "methodname option"
    " parameter property replaceable sgmltag structfield structname symbol systemitem tag type "
    "uri userinput"
    " varname"
)
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
SILENT = frozenset("anchor indexterm remark titleabbrev colspec info".split())


def parse(document: Document) -> Reading:
    """Returns the entries of all glossaries in a DocBook document."""
    root = parse_xml(document)
    listed = entries.limited(document, (one for one in root.iter() if name_of(one) == "glossentry"))
    _name_references(root, listed)
    wanted = "wanted <glossentry> with <glossterm> and <glossdef>"
    return entries.read(document, map(_candidate, listed), wanted=wanted)


def _name_references(root: Element, listed: list[Element]) -> None:
    """Inserts the names of entries into the references to them that have no text."""
    names: dict[str, str] = {}
    for entry in listed:
        terms = parts_of(entry, "glossterm")
        names |= {
            id: words(terms[0]) for one in (entry, *terms) if terms and (id := attribute(one, "id"))
        }
    for reference in root.iter():
        if name_of(reference) in ("glosssee", "glossseealso", "xref") and not words(reference):
            reference.text = (
                names.get(attribute(reference, "otherterm", "linkend"), "") or reference.text
            )


def _candidate(entry: Element) -> Candidate:
    names = map(words, parts_of(entry, "glossterm", "acronym", "abbrev"))
    anchors = (attribute(one, "id") for one in (entry, *parts_of(entry, "glossterm")))
    divisions = (ancestor for ancestor in entry.iterancestors() if name_of(ancestor) == "glossdiv")
    titles = parts_of(next(divisions, ()), "title")
    division = words(titles[0]) if titles else ""
    return Candidate(
        names=tuple(dict.fromkeys(filter(None, names))),
        html="".join(map(_definition, parts_of(entry, "glossdef", "glosssee"))),
        line=entry.sourceline or 0,
        anchors=tuple(filter(None, anchors)),
        section="" if heading_kind(division) == "letter" else division,
    )


def _definition(part: Element) -> str:
    if name_of(part) == "glosssee":
        return f"<p>See {_reference(part)}.</p>"
    inner = "".join(_html(child) for child in part if name_of(child) != "glossseealso")
    return inner + sphinx_markup.see_also(map(_reference, parts_of(part, "glossseealso")))


def _reference(element: Element, words_elsewhere: str = "") -> str:
    target, text = attribute(element, "linkend", "otherterm"), words(element)
    return sphinx_markup.reference(
        f"#{target}" if target else text, text or words_elsewhere or target
    )


def _link(element: Element, inner: str) -> str:
    address = attribute(element, "href", "url")
    if target := attribute(element, "linkend"):
        href = reference_href(f"#{target}")
    elif name_of(element) == "glossterm":
        href = reference_href(attribute(element, "baseform") or words(element))
    else:
        href = address
    return f'<a href="{escape(href)}">{inner or escape(address)}</a>'


def _html(element: Element) -> str:
    """Returns the HTML of an element, without the text that follows it."""
    name = name_of(element)
    if not name or name in SILENT:
        return ""
    inner = escape(element.text or "", quote=False)
    inner += "".join(_html(child) + escape(child.tail or "", quote=False) for child in element)
    match name:
        case "caution" | "important" | "note" | "tip" | "warning":
            return sphinx_markup.note(sphinx_markup.NOTES[name], inner)
        case "programlisting" | "screen" | "literallayout" | "synopsis":
            return sphinx_markup.code(
                "".join(element.itertext()).strip("\n"), attribute(element, "language")
            )
        case "xref":
            return _reference(element, attribute(element, "endterm"))
        case "glossterm" | "link" | "ulink":
            return _link(element, inner)
        case "quote":
            return f"“{inner}”"
        case "footnote":
            return f" ({' '.join(re.sub(r'</?p>', ' ', inner).split())})"
        case "title":
            is_caption = TAGS.get(name_of(element.getparent())) == "table"
            return (
                f"<caption>{inner}</caption>" if is_caption else f"<p><strong>{inner}</strong></p>"
            )
        case "varlistentry":
            return inner.replace("<li>", "<dd>").replace("</li>", "</dd>")
        case "emphasis" if attribute(element, "role") in ("bold", "strong"):
            return f"<strong>{inner}</strong>"
        case "imagedata" | "graphic":
            return sphinx_markup.image(attribute(element, "fileref"), "")
    return f"<{TAGS[name]}>{inner}</{TAGS[name]}>" if name in TAGS else inner
