"""Serialises RDF statements as Turtle and as JSON-LD. Both contain the same graph.

Addresses are relative to the site's root. `base`, if given, makes them absolute; otherwise a reader resolves them
against the address of the file, which is in the root folder.
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
"""A node as text in Turtle, and in JSON-LD."""
Fact = tuple[str, Written]
"""A property and its value."""


def link(address: str) -> Written:
    """Returns a reference to a resource of this site. Its address needs no escaping."""
    return f"<{address}>", f'{{"@id": "{address}"}}'


# Cached because each definition occurs twice: for its term and for its wording.
@lru_cache(maxsize=256)
def words(text: str, language: str, own: str = "") -> Written:
    """Returns a text with a language: `own` if given, otherwise that of the document."""
    # Turtle uses the same escapes in quoted strings as JSON.
    quoted = compact_json.text(fit.text(text))
    said = f'{{"@value": {quoted}, "@language": {compact_json.text(own)}}}' if own else quoted
    return f"{quoted}@{own or language}", said


def literal(text: str, type: str) -> Written:
    """Returns a literal with an XML Schema type, such as `date`."""
    return f'"{text}"^^xsd:{type}', f'{{"@value": "{text}", "@type": "xsd:{type}"}}'


class Resource(NamedTuple):
    """A resource: its address, and its properties with their values."""

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
    """Returns a JSON-LD document with one line for each resource."""
    context = {**({"@base": base} if base else {}), "@language": language, **PREFIXES}
    nodes = ",\n".join([resource for _, resource in resources])
    return f'{{"@context": {compact_json.text(context)}, "@graph": [\n{nodes}\n]}}\n'
