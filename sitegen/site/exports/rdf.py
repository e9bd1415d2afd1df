"""Statements about addresses, written as Turtle and as JSON-LD: the same graph in both.

Addresses are relative to the site's root. With a base URL they become absolute; without one they are meant as seen
from where the file is found, which is the root as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from sitegen.site.exports import fit
from sitegen.text import compact_json

PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


Written = tuple[str, str]
"""Something as it is written in Turtle, and in JSON-LD."""
Fact = tuple[str, Written]
"""A property and its value."""


def link(address: str) -> Written:
    """Another resource, by its address, which is one of ours: nothing in it needs an escape."""
    return f"<{address}>", f'{{"@id": "{address}"}}'


# A definition is said of its term and of the wording that it is.
@lru_cache(maxsize=256)
def words(text: str, language: str, own: str = "") -> Written:
    """A text, in the language of the document unless it has its own."""
    # What JSON does to a text to put it between quotes is what Turtle asks for too.
    quoted = compact_json.text(fit.text(text))
    said = f'{{"@value": {quoted}, "@language": {compact_json.text(own)}}}' if own else quoted
    return f"{quoted}@{own or language}", said


def literal(text: str, type: str) -> Written:
    """A value of a type of XML Schema, such as `date`."""
    return f'"{text}"^^xsd:{type}', f'{{"@value": "{text}", "@type": "xsd:{type}"}}'


class Resource(NamedTuple):
    """Something that has an address, and what is said of it."""

    address: str
    facts: list[Fact]
    type: str = ""


def written(resource: Resource) -> Written:
    """Returns the statements about a resource."""
    address, facts, type = resource
    lines = [f"a {type}"] if type else []
    lines += [f"{property} {value}" for property, (value, _) in facts]
    said: dict[str, str] = {}
    for property, (_, value) in facts:
        said[property] = f"{said[property]}, {value}" if property in said else value
    kind = f', "@type": "{type}"' if type else ""
    objects = "".join([f', "{property}": [{values}]' for property, values in said.items()])
    return f"\n<{address}> " + " ;\n    ".join(lines) + " .\n", f'{{"@id": "{address}"{kind}{objects}}}'


def turtle(resources: Iterable[Written], *, base: str) -> str:
    """Returns a Turtle document."""
    head = f"@base <{base}> .\n" if base else ""
    prefixes = [f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items()]
    return "".join([head, *prefixes, *(resource for resource, _ in resources)])


def json_ld(resources: Iterable[Written], *, base: str, language: str) -> str:
    """Returns a JSON-LD document, with a line for each resource."""
    context = {**({"@base": base} if base else {}), "@language": language, **PREFIXES}
    nodes = ",\n".join([resource for _, resource in resources])
    return f'{{"@context": {compact_json.text(context)}, "@graph": [\n{nodes}\n]}}\n'
