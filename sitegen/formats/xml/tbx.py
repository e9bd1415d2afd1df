"""TBX: concepts of a termbase with their terms, in versions 2 (`<martif>`) and 3 (`<tbx>`).

If there are several languages, one is read: the one that the document's section names, else
English, else the first. Terms that are marked as deprecated or superseded are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.formats.xml import Element, attribute, name_of, parts_of, words
from sitegen.formats.xml import parse as parse_xml
from sitegen.model import Document, Reading

DEPRECATED = re.compile(r"deprecated|superseded|obsolete", re.I)


def parse(document: Document) -> Reading:
    """Returns the entries of a termbase."""
    elements = (
        one for one in parse_xml(document).iter() if name_of(one) in ("conceptentry", "termentry")
    )
    concepts = entries.limited(document, elements, of="concepts")
    candidates = [one for concept in concepts for one in _candidates(concept, document.section)]
    return entries.read(document, candidates, wanted="wanted concepts with terms and a definition")


def _candidates(concept: Element, language: str) -> Iterator[Candidate]:
    parts = {
        attribute(part, "lang").lower(): part for part in parts_of(concept, "langsec", "langset")
    }
    section = next(
        (parts[key] for key in (language.lower(), "en", "en-us", "en-gb", *parts) if key in parts),
        None,
    )
    if section is None:
        return
    terms = (part for part in section.iter() if name_of(part) in ("termsec", "tig", "ntig"))
    sections = [part for part in terms if not _is_deprecated(part)]
    names = [words(term) for part in sections for term in part.iter() if name_of(term) == "term"]
    definitions = (
        words(part)
        for parent in (section, concept)
        for part in parent.iter()
        if _is_definition(part)
    )
    definition = next(definitions, "")
    yield Candidate(
        names=tuple(dict.fromkeys(filter(None, names))),
        html=f"<p>{escape(definition, quote=False)}</p>" if definition else "",
        line=concept.sourceline or 0,
        anchors=tuple(filter(None, [attribute(concept, "id")])),
        section=next(
            (words(one) for one in concept.iter() if attribute(one, "type") == "subjectField"), ""
        ),
    )


def _is_definition(part: Element) -> bool:
    is_described = name_of(part) == "descrip" and attribute(part, "type") in (
        "definition",
        "explanation",
    )
    return is_described or name_of(part) == "definition"


def _is_deprecated(term: Element) -> bool:
    notes = (
        note for note in term.iter() if "administrativestatus" in attribute(note, "type").lower()
    )
    return any(DEPRECATED.search(words(note)) for note in notes)
