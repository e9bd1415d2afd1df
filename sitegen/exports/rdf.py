"""Statements about addresses, written as Turtle and as JSON-LD: the same graph in both.

Addresses are relative to the site's root. With a base URL they become absolute; without one they are meant as seen
from where the file is found, which is the root as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sitegen.exports import fit

PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


class Value(NamedTuple):
    """What is said, as it is written in each of the two."""

    turtle: str
    json: str


def link(address: str) -> Value:
    """Another resource, by its address, which is one of ours: nothing in it needs an escape."""
    return Value(f"<{address}>", f'{{"@id": "{address}"}}')


# A definition is said of its term and of the wording that it is.
@lru_cache(maxsize=256)
def words(text: str, language: str, own: str = "") -> Value:
    """A text, in the language of the document unless it has its own."""
    # What JSON does to a text to put it between quotes is what Turtle asks for too.
    quoted = fit.json(fit.text(text))
    said = f'{{"@value": {quoted}, "@language": {fit.json(own)}}}' if own else quoted
    return Value(f"{quoted}@{own or language}", said)


def literal(text: str, type: str) -> Value:
    """A value of a type of XML Schema, such as `date`."""
    return Value(f'"{text}"^^xsd:{type}', f'{{"@value": "{text}", "@type": "xsd:{type}"}}')


Fact = tuple[str, Value]
"""A property and its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Something that has an address, and what is said of it."""

    address: str
    type: str = ""
    facts: tuple[Fact, ...]


def turtle(resources: Iterable[Resource], *, base: str) -> Iterator[str]:
    """Yields the lines of a Turtle document."""
    if base:
        yield f"@base <{base}> .\n"
    yield from (f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())
    for resource in resources:
        said = [f"a {resource.type}"] if resource.type else []
        said += [f"{property} {value.turtle}" for property, value in resource.facts]
        yield f"\n<{resource.address}> " + " ;\n    ".join(said) + " .\n"


def json_ld(resources: Iterable[Resource], *, base: str, language: str) -> Iterator[str]:
    """Yields the lines of a JSON-LD document, one for each resource."""
    context = {**({"@base": base} if base else {}), "@language": language, **PREFIXES}
    yield f'{{"@context": {fit.json(context)}, "@graph": [\n'
    yield ",\n".join(map(_node, resources))
    yield "\n]}\n"


def _node(resource: Resource) -> str:
    said: dict[str, list[str]] = {}
    for property, value in resource.facts:
        said.setdefault(property, []).append(value.json)
    type = f', "@type": "{resource.type}"' if resource.type else ""
    facts = "".join([f', "{property}": [{", ".join(values)}]' for property, values in said.items()])
    return f'{{"@id": "{resource.address}"{type}{facts}}}'
