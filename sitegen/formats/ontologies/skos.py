"""SKOS and other vocabularies in RDF: Turtle, N-Triples, RDF/XML and JSON-LD, through rdflib.

A concept is a resource with a preferred label (or another label) and a definition (or a comment). If there are
several languages, one is read: the one that the document's section names, else English, else texts without a
language, else the first.

rdflib is an optional dependency. Because it would fetch contexts of JSON-LD from the web and expand entities,
documents with either are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from sitegen.formats.common import entries
from sitegen.formats.common.entries import Candidate
from sitegen.model import Document, Problem, Reading, TooMuchWorkError
from sitegen.text.prose import reference_href

SIGN = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*(?:@prefix|@base|PREFIX|BASE)\s|\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<rdf:RDF\b", re.S
)
CHARACTERS = 56
"""The number of characters for each entry of the document's limit; rdflib parses about 1,500,000 per second."""
STATEMENTS = 2.3
"""The number of statements for each entry of the document's limit; rdflib needs about 1 kB for each."""
MAX_TEXT = 256 * 1024
LITERAL = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3})?|'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?"""
    r"""|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""",
    re.S,
)
"""Matches a text of Turtle, also one that is never closed."""
XML_TEXT = re.compile(r">[^<]*+")
SKOS, RDFS, DC, ELEMENTS, OWL = (
    "http://www.w3.org/2004/02/skos/core#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://purl.org/dc/terms/",
    "http://purl.org/dc/elements/1.1/",
    "http://www.w3.org/2002/07/owl#",
)
OBO_DEFINITION = "http://purl.obolibrary.org/obo/IAO_0000115"
ENGLISH = ("en", "en-us", "en-gb")
SCHEMA = "schema.org/"
LABELS = (
    *(f"{SKOS}prefLabel", f"{RDFS}label", f"http://{SCHEMA}name", f"https://{SCHEMA}name"),
    *(f"{DC}title", f"{ELEMENTS}title"),
)
DEFINITIONS = (
    *(f"{SKOS}definition", OBO_DEFINITION, f"{SKOS}scopeNote", f"http://{SCHEMA}description"),
    *(
        f"https://{SCHEMA}description",
        f"{DC}description",
        f"{ELEMENTS}description",
        f"{RDFS}comment",
        "http://www.w3.org/ns/lemon/skos#definition",
    ),
)
OTHERS = (f"{SKOS}altLabel", f"http://{SCHEMA}alternateName", f"https://{SCHEMA}alternateName")
RELATED = (f"{SKOS}related", f"{RDFS}seeAlso")
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
WHOLES = frozenset(
    {
        *(f"{SKOS}ConceptScheme", f"{SKOS}Collection", f"{SKOS}OrderedCollection", f"{OWL}Ontology"),
        *(f"http://{SCHEMA}DefinedTermSet", f"https://{SCHEMA}DefinedTermSet"),
    }
)
"""Types of resources that contain terms and are not terms themselves."""
SCHEMA_CONTEXT = re.compile(r"https?://schema\.org(?:/|/docs/jsonldcontext\.json(?:ld)?)?")
"""The only remote context that is supported, because all its names are in one vocabulary."""
BASE = "https://document.invalid/"
"""The base address of a document that declares none."""
EXTRA = "pip install 'sitegen-glossary[rdf]'"


def looks_like(document: Document) -> bool:
    """True if the document begins like Turtle or RDF/XML."""
    return SIGN.match(document.text) is not None


def parse(document: Document) -> Reading:
    """Returns the concepts of a vocabulary."""
    entries.check_length(document, len(document.text), "RDF", each=CHARACTERS)
    syntax = _syntax(document)
    text, refused = (
        _local_json(document.text) if syntax == "json-ld" else (document.text, _refused(document.text, syntax))
    )
    if refused:
        return _problem(document, refused, "write it into the file")
    if _has_long_text(text, syntax):
        wanted = f"at most {MAX_TEXT:,} characters"
        return _problem(document, "a text that is too long for a definition", wanted)
    try:
        from rdflib import Graph, term
        from rdflib.plugins.stores.memory import Memory
    except ImportError:
        return _problem(document, "RDF is read through rdflib, which is not installed", EXTRA)
    term.logger.disabled = True  # it warns of every odd address, on the terminal
    left = iter(range(int(document.max_entries * STATEMENTS)))

    class Store(Memory):
        def add(self, *triple: Any, **options: Any) -> None:
            if next(left, None) is None:
                raise entries.too_many(document, "statements of RDF", STATEMENTS)
            super().add(*triple, **options)

    try:
        graph = Graph(store=Store()).parse(data=text, format=syntax, publicID=BASE)
    except TooMuchWorkError:
        raise
    except Exception as error:
        said = re.search(r"Bad syntax \([^)]*\)", str(error)) or re.match(r"[^\n]{0,100}", str(error))
        return _problem(document, f"this cannot be read as {syntax}: {said[0] if said else 'it is damaged'}", "")
    candidates = _candidates(graph, document)
    if not candidates:
        return _problem(document, "no terms found", "wanted concepts with skos:prefLabel and skos:definition")
    return entries.read(document, candidates)


def _problem(document: Document, found: str, wanted: str, *, line: int = 0) -> Reading:
    return Reading(problems=(Problem(path=document.path, line=line, found=found, wanted=wanted),))


def _syntax(document: Document) -> str:
    name, text = document.name.lower(), document.text.lstrip()
    if name.endswith(".nt"):
        return "nt"
    if name.endswith((".jsonld", ".json")) or text.startswith(("{", "[")):
        return "json-ld"
    return "xml" if text.startswith("<") and re.match(r"<(?:\?xml|!|rdf:)", text) else "turtle"


def _has_long_text(text: str, syntax: str) -> bool:
    """Returns whether a text in a document is so long that rdflib would take long to join its parts."""
    pattern = XML_TEXT if syntax == "xml" else LITERAL
    return syntax != "json-ld" and any(len(found[0]) > MAX_TEXT for found in pattern.finditer(text))


def _refused(text: str, syntax: str) -> str:
    """Returns the reason why a document is not passed to rdflib; empty if it is passed."""
    if syntax == "xml" and re.search(r"<!ENTITY[^>]*[&%]\w|<!ENTITY\s+%|<!ENTITY[^>]*\b(?:SYSTEM|PUBLIC)\b", text):
        return "an entity that is made of others, or is in another file"
    return ""


def _local_json(text: str) -> tuple[str, str]:
    """Returns JSON-LD with the context of schema.org written out, and the reason why it is not passed to rdflib."""
    try:
        value = json.loads(text)
        _write_context(value)
        return json.dumps(value), "a @context that is on the web" if _has_remote_context(value) else ""
    except (ValueError, RecursionError):
        return "", "JSON that cannot be read, or is nested too deeply"


def _write_context(value: Any) -> None:
    """Replaces the name of schema.org's context with the context."""
    if isinstance(value, dict):
        named = value.get("@context")
        contexts = [
            {"@vocab": "https://schema.org/"} if isinstance(one, str) and SCHEMA_CONTEXT.fullmatch(one) else one
            for one in (named if isinstance(named, list) else [named])
        ]
        if named:
            value["@context"] = contexts
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _write_context(inner)


def _has_remote_context(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_has_remote_context, value))
    if not isinstance(value, dict):
        return False
    context = value.get("@context", {})
    remote = (one for one in (context if isinstance(context, list) else [context]) if isinstance(one, str))
    return any(remote) or "@import" in str(context) or any(map(_has_remote_context, value.values()))


def _candidates(graph: Any, document: Document) -> list[Candidate]:
    by_subject: dict[Any, dict[str, list[Any]]] = {}
    for subject, predicate, value in graph:
        by_subject.setdefault(subject, {}).setdefault(str(predicate), []).append(value)
    language = document.section.lower()
    found = []
    names: dict[Any, str] = {}
    for subject, about in by_subject.items():
        if label := _text(about, LABELS, language):
            names[subject] = label
    lines = _Lines(document.text)
    for subject, name in names.items():
        about = by_subject[subject]
        if any(str(kind) in WHOLES for kind in about.get(RDF_TYPE, ())):
            continue
        definition = _text(about, DEFINITIONS, language)
        if not definition and f"{SKOS}prefLabel" not in about:
            continue
        others = sorted(str(one) for key in OTHERS for one in about.get(key, ()) if _speaks(one, language))
        related = sorted(names[one] for key in RELATED for one in about.get(key, ()) if one in names)
        is_over = any(str(one).lower() == "true" for one in about.get(f"{OWL}deprecated", ()))
        html = "".join(
            f"<p>{escape(part, quote=False)}</p>" for part in re.split(r"\n\s*\n", definition.strip()) if part
        )
        # A blank node gets another name at each parse.
        anchor = re.split(r"[#/:]", str(subject).rstrip("#/"))[-1] if type(subject).__name__ != "BNode" else ""
        found.append(
            Candidate(
                names=tuple(dict.fromkeys((name, *others))),
                html=html + _see_also(related) if html else "",
                line=lines.of(anchor, name),
                anchors=(anchor,) if anchor else (),
                deprecated=is_over,
            )
        )
    return sorted(found, key=lambda one: (one.line, one.names))


def _see_also(names: Iterable[str]) -> str:
    links = [
        f'<a href="{escape(reference_href(name))}">{escape(name, quote=False)}</a>' for name in dict.fromkeys(names)
    ]
    return f"<p>See also: {', '.join(links)}</p>" if links else ""


def _text(about: dict[str, list[Any]], properties: Iterable[str], language: str) -> str:
    """Returns the text of the first property that has one, in the language that is read."""
    for key in properties:
        texts = {
            (getattr(one, "language", None) or "").lower(): str(one) for one in sorted(about.get(key, ()), key=str)
        }
        chosen = next(
            (texts[one] for one in (*filter(None, [language]), *ENGLISH, "", *sorted(texts)) if one in texts), ""
        )
        if chosen.strip():
            return chosen.strip()
    return ""


def _speaks(value: Any, language: str) -> bool:
    own = (getattr(value, "language", None) or "").lower()
    return own in (language, "", *(() if language else ENGLISH))


class _Lines:
    """The lines on which subjects, or their labels, are first named."""

    def __init__(self, text: str) -> None:
        self._first: dict[str, int] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            subject = re.match(r"\s*(?:<(?:[^>]*[#/:])?([^>#/]+)>|[\w-]*:([\w.%-]+))", line)
            about = re.search(
                r"rdf:(?:about|ID)=[\"'](?:[^\"']*[#/])?([^\"'#/]+)[\"']|\"@id\":\s*\"(?:[^\"]*[#/:])?([^\"#/]+)\"",
                line,
            )
            for match in (about, subject if line[:1].strip() else None):
                if match:
                    self._first.setdefault(match[1] or match[2], number)
            for label in re.findall(r"[\"'>]([^\"'<>]+)[\"'<]", line):
                self._first.setdefault(f'"{label}', number)

    def of(self, anchor: str, name: str) -> int:
        return self._first.get(anchor) or self._first.get(f'"{name}', 1)
