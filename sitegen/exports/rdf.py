"""Statements about addresses, written as Turtle and as JSON-LD: the same graph in both.

Addresses are relative to the site's root. With a base URL they become absolute; without one they are meant as seen
from where the file is found, which is the root as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sitegen.exports import fit

PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


@dataclass(frozen=True, slots=True)
class Link:
    """Another resource, by its address."""

    address: str


@dataclass(frozen=True, slots=True)
class Words:
    """A text, in the language of the document unless another is given."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Literal:
    """A value of a type of XML Schema, such as `date`."""

    text: str
    type: str


Value = Link | Words | Literal
Fact = tuple[str, Value]
"""A property and its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Something that has an address, and what is said of it."""

    address: str
    type: str = ""
    facts: tuple[Fact, ...]


def turtle(resources: Iterable[Resource], *, base: str, language: str) -> Iterator[str]:
    """Yields the lines of a Turtle document."""
    if base:
        yield f"@base <{base}> .\n"
    yield from (f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())
    for resource in resources:
        said = [f"a {resource.type}"] if resource.type else []
        said += [f"{property} {_turtle(value, language)}" for property, value in resource.facts]
        yield f"\n<{resource.address}> " + " ;\n    ".join(said) + " .\n"


def _turtle(value: Value, language: str) -> str:
    # What JSON does to a text to put it between quotes is what Turtle asks for too.
    match value:
        case Link(address):
            return f"<{address}>"
        case Words(text, own):
            return f"{_quoted(text)}@{own or language}"
        case Literal(text, type):
            return f"{_quoted(text)}^^xsd:{type}"


def json_ld(resources: Iterable[Resource], *, base: str, language: str) -> Iterator[str]:
    """Yields the lines of a JSON-LD document, one for each resource."""
    context = {**({"@base": base} if base else {}), "@language": language, **PREFIXES}
    yield f'{{"@context": {fit.json(context)}, "@graph": [\n'
    yield ",\n".join(fit.json(_node(resource)) for resource in resources)
    yield "\n]}\n"


def _node(resource: Resource) -> dict[str, object]:
    said: dict[str, list[object]] = {}
    for property, value in resource.facts:
        said.setdefault(property, []).append(_json_ld(value))
    type = {"@type": resource.type} if resource.type else {}
    return {"@id": resource.address, **type, **said}


def _json_ld(value: Value) -> object:
    match value:
        case Link(address):
            return {"@id": address}
        case Words(text, language):
            return {"@value": fit.text(text), "@language": language} if language else fit.text(text)
        case Literal(text, type):
            return {"@value": fit.text(text), "@type": f"xsd:{type}"}


def _quoted(text: str) -> str:
    return fit.json(fit.text(text))
