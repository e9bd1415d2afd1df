"""TBX: concepts of a termbase with their terms, in versions 2 (`<martif>`) and 3 (`<tbx>`).

If there are several languages, one is read: the one that the document's section names, else English, else the first.
Terms that are marked as deprecated or superseded are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.formats.xml.parsing import DamagedError, Element, attribute, name_of, words
from sitegen.formats.xml.parsing import parse as parse_xml
from sitegen.model import Document, Problem, Reading

SIGN = re.compile(r"<(?:martif|tbx|conceptEntry|termEntry)\b")
CONCEPTS = ("conceptentry", "termentry")
LANGUAGES = ("langsec", "langset")
TERMS = ("termsec", "tig", "ntig")
OVER = re.compile(r"deprecated|superseded|obsolete", re.I)


def looks_like(document: Document) -> bool:
    """True if the document begins with a tag and has an element of a termbase."""
    return document.text.lstrip().startswith("<") and SIGN.search(document.text) is not None


def parse(document: Document) -> Reading:
    """Returns the entries of a termbase."""
    try:
        root = parse_xml(document)
    except DamagedError as error:
        return Reading(problems=(Problem(path=document.path, line=error.line, found=str(error)),))
    concepts = [*entries.limited(document, (one for one in root.iter() if name_of(one) in CONCEPTS), of="concepts")]
    found = [one for concept in concepts for one in _candidates(concept, document.section)]
    if not found:
        wanted = "wanted concepts with terms and a definition"
        return Reading(problems=(Problem(path=document.path, found="no terms found", wanted=wanted),))
    return entries.read(document, found)


def _candidates(concept: Element, language: str) -> Iterator[Candidate]:
    parts = {attribute(part, "lang").lower(): part for part in concept if name_of(part) in LANGUAGES}
    chosen = next((parts[key] for key in (language.lower(), "en", "en-us", "en-gb", *parts) if key in parts), None)
    if chosen is None:
        return
    sections = [part for part in chosen.iter() if name_of(part) in TERMS]
    names = [words(term) for one in sections for term in one.iter() if name_of(term) == "term" and not _is_over(one)]
    definition = next((found for around in (chosen, concept) for found in _definitions(around)), "")
    yield Candidate(
        names=tuple(dict.fromkeys(filter(None, names))),
        html=f"<p>{escape(definition, quote=False)}</p>" if definition else "",
        line=concept.sourceline or 0,
        anchors=tuple(filter(None, [attribute(concept, "id")])),
        section=_subject(concept),
    )


def _definitions(around: Element) -> Iterator[str]:
    for part in around.iter():
        if (name_of(part) == "descrip" and attribute(part, "type") in ("definition", "explanation")) or name_of(
            part
        ) == "definition":
            yield words(part)


def _subject(concept: Element) -> str:
    return next((words(one) for one in concept.iter() if attribute(one, "type") == "subjectField"), "")


def _is_over(term: Element) -> bool:
    notes = (note for note in term.iter() if "administrativestatus" in attribute(note, "type").lower())
    return any(OVER.search(words(note)) for note in notes)
