"""SKOS and other vocabularies in RDF: Turtle, N-Triples, RDF/XML and JSON-LD, through rdflib.

A concept is a resource with a preferred label (or another label) and a definition (or a comment).
If there are several languages, one is read: the one that the document's section names, else
English, else texts without a language, else the first.

rdflib is an optional dependency. Because it would fetch contexts of JSON-LD from the web and expand
entities, documents with either are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import count
from typing import Any

from sitegen.formats.common import entries, sphinx_markup
from sitegen.formats.common.entries import Candidate, distinct
from sitegen.model import Document, ProblemKind, Reading, TooMuchWorkError, UnreadableError

CHARACTERS_OF_AN_ENTRY = 56
"""How many characters a document may have for each entry of its limit (`max_entries`): rdflib
parses about 1,500,000 per second."""
STATEMENTS_OF_AN_ENTRY = 2.3
"""How many statements it may have for each entry: rdflib needs about 1 kB for a statement."""
MAX_REASON = 100
"""The maximum number of characters of rdflib's messages that are shown."""
MAX_TEXT = 256 * 1024
LITERAL = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3})?|'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?"""
    r"""|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""",
    re.S,
)
"""Matches a text of Turtle, also one that is never closed."""
ENTITY = re.compile(r"""<!ENTITY(?:[^"'>]|"[^"]*+"|'[^']*+')*+""")
"""Matches the declaration of an entity; a quoted text in it may contain `>`."""
FOREIGN = re.compile(r"[&%]\w|\s%|\b(?:SYSTEM|PUBLIC)\b")
"""In the declaration of an entity: another entity, or the address of a file."""
SUBJECT = re.compile(r"(?!\s)(?:<(?:[^>]*[#/:])?([^>#/]+)>|[\w-]*:([\w.%-]+))")
"""The subject that a line of Turtle begins with: `jig` of `ex:jig` and of
`<https://example.org/jig>`."""
ABOUT = re.compile(
    r"rdf:(?:about|ID)=[\"'](?:[^\"']*[#/])?([^\"'#/]+)[\"']|\"@id\":\s*\"(?:[^\"]*[#/:])?([^\"#/]+)\""
)
"""The subject of an element of RDF/XML, or of an object of JSON-LD: `jig` of `rdf:about="#jig"`."""
XML_TEXT = re.compile(r">[^<]*+")
SKOS, RDFS, DC, ELEMENTS, OWL = (
    "http://www.w3.org/2004/02/skos/core#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://purl.org/dc/terms/",
    "http://purl.org/dc/elements/1.1/",
    "http://www.w3.org/2002/07/owl#",
)
OBO_DEFINITION = "http://purl.obolibrary.org/obo/IAO_0000115"
ONTOLEX_DEFINITION = "http://www.w3.org/ns/lemon/skos#definition"


def _schema(name: str) -> tuple[str, str]:
    """Returns both addresses of a name of schema.org."""
    return (f"http://schema.org/{name}", f"https://schema.org/{name}")


LABEL_PROPERTIES = (
    f"{SKOS}prefLabel",
    f"{RDFS}label",
    *_schema("name"),
    f"{DC}title",
    f"{ELEMENTS}title",
)
DEFINITION_PROPERTIES = (
    f"{SKOS}definition",
    OBO_DEFINITION,
    f"{SKOS}scopeNote",
    *_schema("description"),
    f"{DC}description",
    f"{ELEMENTS}description",
    f"{RDFS}comment",
    ONTOLEX_DEFINITION,
)
OTHER_LABEL_PROPERTIES = (f"{SKOS}altLabel", *_schema("alternateName"))
NOTE_PROPERTIES = (f"{SKOS}scopeNote", f"{SKOS}note")
EXAMPLE_PROPERTIES = (f"{SKOS}example",)
RELATED_PROPERTIES = (f"{SKOS}related", f"{RDFS}seeAlso")
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
CONTAINER_TYPES = {
    f"{SKOS}ConceptScheme",
    f"{SKOS}Collection",
    f"{SKOS}OrderedCollection",
    f"{OWL}Ontology",
    *_schema("DefinedTermSet"),
}
"""Types of resources that contain terms and are not terms themselves."""
SCHEMA_CONTEXT = re.compile(r"https?://schema\.org(?:/|/docs/jsonldcontext\.json(?:ld)?)?")
"""The only remote context that is supported, because all its names are in one vocabulary."""
BASE = "https://document.invalid/"
"""The base of relative addresses in a document that declares none."""
EXTRA = "pip install 'rdflib>=7', in the environment of sitegen"


def parse(document: Document) -> Reading:
    """Returns the concepts of a vocabulary."""
    entries.check_length(document, len(document.text), "RDF", each=CHARACTERS_OF_AN_ENTRY)
    candidates = _Vocabulary(_graph(document), document).candidates()
    wanted = "wanted concepts with skos:prefLabel and skos:definition"
    return entries.read(document, candidates, wanted=wanted)


def _graph(document: Document) -> Any:
    """Returns the statements of a document. Raises UnreadableError or TooMuchWorkError."""
    syntax = _syntax(document)
    text = _checked_text(document.text, syntax)
    try:
        from rdflib import Graph, term
    except ImportError:
        found = "RDF is read through rdflib, which is not installed"
        raise UnreadableError(found, EXTRA, kind=ProblemKind.FORMAT) from None
    term.logger.disabled = True  # rdflib warns of every odd address, on the terminal
    store = _limited_store(document)
    try:
        return Graph(store=store).parse(data=text, format=syntax, publicID=BASE)
    except TooMuchWorkError:
        raise
    except Exception as error:
        raise UnreadableError(f"this cannot be read as {syntax}: {_reason(error)}") from None


def _limited_store(document: Document) -> Any:
    """Returns a store of rdflib that raises TooMuchWorkError for too many statements."""
    from rdflib.plugins.stores.memory import Memory  # rdflib is optional, so the class is made here

    statement_numbers = count(1)

    class LimitedStore(Memory):
        def add(self, *triple: Any, **options: Any) -> None:
            statements = next(statement_numbers)
            if statements > document.max_entries * STATEMENTS_OF_AN_ENTRY:
                raise entries.too_many(document, "statements of RDF", STATEMENTS_OF_AN_ENTRY)
            super().add(*triple, **options)

    return LimitedStore()


def _reason(error: Exception) -> str:
    """Returns in a few words why rdflib cannot read a text: "Bad syntax (expected directive or
    statement)", or the first line of its message."""
    syntax_error = re.search(r"Bad syntax \([^)]*\)", str(error))
    if syntax_error:
        return syntax_error[0]
    first_line, _, _ = str(error).partition("\n")
    return first_line[:MAX_REASON]


def _syntax(document: Document) -> str:
    """Returns the syntax of RDF by the name of a document, or else by its text."""
    if document.name.lower().endswith(".nt"):
        return "nt"
    text = document.text.lstrip()
    if document.name.lower().endswith((".jsonld", ".json")) or re.match(r"\{|\[\s*\{", text):
        return "json-ld"
    if re.match(r"<(?:\?xml|!|rdf:RDF\b|[\w:]+\s)", text):
        return "xml"
    return "turtle"


def _checked_text(text: str, syntax: str) -> str:
    """Checks that rdflib loads and expands nothing. Returns the text; JSON has its contexts in it.
    Raises UnreadableError or TooMuchWorkError."""
    if syntax == "json-ld":
        return _checked_json(text)
    if syntax == "xml":
        for entity in ENTITY.finditer(text):
            if FOREIGN.search(entity[0]):
                found = "an entity that contains others, or is in another file"
                raise UnreadableError(found, "write it into the file")

    literals = XML_TEXT if syntax == "xml" else LITERAL
    for literal in literals.finditer(text):
        if len(literal[0]) > MAX_TEXT:  # rdflib would take long to join its parts
            found = "a text that is too long for a definition"
            raise TooMuchWorkError(found, f"at most {MAX_TEXT:,} characters")
    return text


def _checked_json(text: str) -> str:
    """Returns JSON without contexts that are on the web."""
    try:
        value = json.loads(text)
        _make_contexts_local(value)
        return json.dumps(value)
    except (ValueError, RecursionError):
        found = "JSON that cannot be read, or is nested too deeply"
        raise UnreadableError(found) from None


def _make_contexts_local(value: Any) -> None:
    """Changes a value of JSON: `"@context": "https://schema.org"` becomes `[{"@vocab":
    "https://schema.org/"}]`. Raises UnreadableError for other contexts on the web."""
    if isinstance(value, list):
        for inner in value:
            _make_contexts_local(inner)
    if not isinstance(value, dict):
        return
    context = value.get("@context")
    if context:
        contexts = context if isinstance(context, list) else [context]
        value["@context"] = [_local_context(one_context) for one_context in contexts]
    for inner in value.values():
        _make_contexts_local(inner)


def _local_context(context: Any) -> Any:
    """Returns a context that is not on the web: an object, an empty text, or the object that does
    for schema.org. Raises UnreadableError for one that is on the web."""
    if isinstance(context, str) and SCHEMA_CONTEXT.fullmatch(context):
        return {"@vocab": "https://schema.org/"}
    is_address = isinstance(context, str) and context != ""
    # An import may be at any depth.
    if is_address or "@import" in str(context):
        raise UnreadableError("a @context that is on the web", "write it into the file")
    return context


class _Vocabulary:
    """The values of each resource of a graph, by its properties."""

    def __init__(self, graph: Any, document: Document) -> None:
        self.language = document.section.lower()  # the section of a vocabulary is a language
        self.first_lines = FirstLines(document.text)
        self.resources: dict[Any, dict[str, list[Any]]] = {}
        """The values of each property of each resource."""
        for subject, predicate, value in graph:
            self.resources.setdefault(subject, {}).setdefault(str(predicate), []).append(value)
        self.names: dict[Any, str] = {}
        self.languages: dict[Any, str] = {}
        """The language of each name; English for a name without a language."""
        for subject, values in self.resources.items():
            name, language = _text_in_language(values, LABEL_PROPERTIES, self.language)
            self.names[subject] = name
            self.languages[subject] = language or "en"

    def candidates(self) -> list[Candidate]:
        """Returns the concepts, sorted by line, and on one line by name: a graph has no order."""
        candidates = []
        for subject in self.resources:
            if self.names[subject] and self._is_concept(subject):
                candidates.append(self._candidate(subject))
        return sorted(candidates, key=lambda candidate: (candidate.line, candidate))

    def _is_concept(self, subject: Any) -> bool:
        """Returns whether a resource is a concept: it has a preferred label or a definition, and is
        no scheme, collection or older wording."""
        values = self.resources[subject]
        if f"{DC}isVersionOf" in values:  # an older wording, in an export of ours
            return False
        types = {str(kind) for kind in values.get(RDF_TYPE, ())}
        if not types.isdisjoint(CONTAINER_TYPES):
            return False
        return f"{SKOS}prefLabel" in values or self._definition(subject) != ""

    def _definition(self, subject: Any) -> str:
        values = self.resources[subject]
        definition, _ = _text_in_language(values, DEFINITION_PROPERTIES, self.language)
        return definition

    def _candidate(self, subject: Any) -> Candidate:
        """Returns the term of a concept. Its anchor is the last part of its address: `jig` of
        `https://example.org/words#jig`."""
        values = self.resources[subject]
        name = self.names[subject]
        deprecations = {str(value).lower() for value in values.get(f"{OWL}deprecated", ())}
        anchor = ""
        # A resource without an address gets another name at each parse, which is no anchor.
        has_address = type(subject).__name__ != "BNode"
        if has_address:
            anchor = re.split(r"[#/:]", str(subject).rstrip("#/"))[-1]
        return Candidate(
            names=distinct((name, *self._texts(subject, OTHER_LABEL_PROPERTIES))),
            html=self._html(subject),
            line=self.first_lines.of(anchor, name),
            anchors=distinct((anchor,)),
            deprecated="true" in deprecations,
        )

    def _texts(self, subject: Any, properties: Iterable[str]) -> list[str]:
        """Returns the texts of a concept in the language of its name, and those without a language.
        The texts are sorted, as a graph has no order."""
        name_language = self.languages[subject]
        texts = []
        for value in _all_values(self.resources[subject], properties):
            language = _language(value)
            is_close = _is_kind_of(language, name_language) or _is_kind_of(name_language, language)
            if not language or is_close:
                texts.append(str(value))
        return sorted(texts)

    def _html(self, subject: Any) -> str:
        """Returns the HTML of a definition, followed by notes, examples, and links to other
        concepts. The HTML is empty without a definition."""
        values = self.resources[subject]
        definition = self._definition(subject)
        if not definition:
            return ""
        html = _paragraphs(definition)
        for note in self._texts(subject, NOTE_PROPERTIES):
            is_repeated = note.strip() == definition  # `scopeNote` may be the definition
            if not is_repeated:
                html += sphinx_markup.note("Note", _paragraphs(note))
        for example in self._texts(subject, EXAMPLE_PROPERTIES):
            html += sphinx_markup.titled("Example", _paragraphs(example))

        replacing = sorted(values.get(f"{DC}isReplacedBy", ()), key=str)
        names = [self.names[other] for other in replacing if other in self.names]
        html += sphinx_markup.use_instead(html, names)
        for other in replacing:
            if other not in self.names:  # the concept is in another vocabulary
                html += f"<p>Replaced by {escape(str(other))}.</p>"

        related = _all_values(values, RELATED_PROPERTIES)
        related_names = {self.names.get(other, "") for other in related}
        # A concept of another vocabulary has no name here.
        return html + sphinx_markup.see_also_terms(sorted(related_names - {""}))


def _paragraphs(text: str) -> str:
    """Returns the HTML of a plain text, whose paragraphs are separated by empty lines."""
    html = ""
    for part in re.split(r"\n\s*\n", text):
        if part:
            html += f"<p>{escape(part, quote=False)}</p>"
    return html


def _text_in_language(
    values: Mapping[str, list[Any]], properties: Iterable[str], language: str
) -> tuple[str, str]:
    """Returns the text of the first property that has a text, and its language. Both are empty if
    no property has a text."""
    for key in properties:
        text, language_of_text = _in_language(values.get(key, ()), language)
        if text:
            return text, language_of_text
    return "", ""


def _in_language(values: Iterable[Any], language: str) -> tuple[str, str]:
    """Returns the text in a language, and the language of the text. If there is none, the text is
    in English, else without a language, else in the first language of the alphabet.

    Of "Jig"@en and "Lehre"@de, the text in `de` is "Lehre".
    """
    texts: dict[str, str] = {}
    # Sorted, so that the last one in a language is the same at each build.
    for value in sorted(values, key=str):
        texts[_language(value)] = str(value).strip()
    languages = sorted(texts)
    for wanted in filter(None, (language, "en")):
        for language_of_text in languages:
            if _is_kind_of(language_of_text, wanted):
                return texts[language_of_text], language_of_text
    if not languages:
        return "", ""
    first = languages[0]  # empty if there is a text without a language
    return texts[first], first


def _is_kind_of(language: str, other: str) -> bool:
    """Returns whether a language is another one, or its form in a country: `de-at` of `de`."""
    return language == other or language.startswith(f"{other}-")


def _all_values(values: Mapping[str, list[Any]], properties: Iterable[str]) -> Iterator[Any]:
    for key in properties:
        yield from values.get(key, ())


def _language(value: Any) -> str:
    """Returns the language of a value in lower case; empty if the value names none."""
    return (getattr(value, "language", None) or "").lower()


class FirstLines:
    """The lines of a text on which subjects and labels are first named."""

    def __init__(self, text: str) -> None:
        self.subjects: dict[str, int] = {}
        self.labels: dict[str, int] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            for subject in (ABOUT.search(line), SUBJECT.match(line)):
                if subject:
                    self.subjects.setdefault(subject[1] or subject[2], number)
            # A label is between quotes or tags.
            for label in re.findall(r"[\"'>]([^\"'<>]+)[\"'<]", line):
                self.labels.setdefault(label, number)

    def of(self, subject: str, label: str) -> int:
        """Returns the first line with a subject, else with a label, else 1."""
        return self.subjects.get(subject) or self.labels.get(label, 1)
