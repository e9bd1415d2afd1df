"""Writes the glossary as a concept scheme (W3C SKOS), with each wording as a version of its concept (DCMI Terms).

Every term is a concept; removed and merged terms are marked `owl:deprecated`. Former and deprecated names are hidden
labels: tools search for them and do not show them. A label belongs to one concept only: if terms share a name, the
first has it as its label, and the source's title is appended to the labels of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Entry, File
from sitegen.model.terms import Change, Life, Revision
from sitegen.site.exports import fit
from sitegen.site.exports.labels import Labels
from sitegen.site.site import Site
from sitegen.text import compact_json

PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


NodeText = tuple[str, str]
"""A node as text in Turtle, and in JSON-LD."""
Statement = tuple[str, NodeText]
"""A property and its value."""


def link(address: str) -> NodeText:
    """Returns a reference to a resource of this site. Its address needs no escaping."""
    return f"<{address}>", f'{{"@id": "{address}"}}'


# Cached because each definition occurs twice: for its term and for its wording.
@lru_cache(maxsize=256)
def words(text: str, language: str, own: str = "") -> NodeText:
    """Returns a text with a language: `own` if given, otherwise that of the document."""
    # Turtle uses the same escapes in quoted strings as JSON.
    quoted = compact_json.text(fit.text(text))
    written_once = f'{{"@value": {quoted}, "@language": {compact_json.text(own)}}}' if own else quoted
    return f"{quoted}@{own or language}", written_once


def literal(text: str, type: str) -> NodeText:
    """Returns a literal with an XML Schema type, such as `date`."""
    return f'"{text}"^^xsd:{type}', f'{{"@value": "{text}", "@type": "xsd:{type}"}}'


class Resource(NamedTuple):
    """A resource: its address, and its properties with their values."""

    address: str
    facts: list[Statement]
    type: str = ""


def written(resource: Resource) -> NodeText:
    """Returns the statements about a resource."""
    address, facts, type = resource
    lines = [f"a {type}"] if type else []
    lines += [f"{property} {value}" for property, (value, _) in facts]
    written_once: dict[str, str] = {}
    for property, (_, value) in facts:
        written_once[property] = f"{written_once[property]}, {value}" if property in written_once else value
    kind = f', "@type": "{type}"' if type else ""
    objects = "".join([f', "{property}": [{values}]' for property, values in written_once.items()])
    return f"\n<{address}> " + " ;\n    ".join(lines) + " .\n", f'{{"@id": "{address}"{kind}{objects}}}'


def turtle(resources: Iterable[NodeText], *, base: str) -> str:
    """Returns a Turtle document."""
    head = f"@base <{base}> .\n" if base else ""
    prefixes = [f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items()]
    return "".join([head, *prefixes, *(resource for resource, _ in resources)])


def json_ld(resources: Iterable[NodeText], *, base: str, language: str) -> str:
    """Returns a JSON-LD document with one line for each resource."""
    context = {**({"@base": base} if base else {}), "@language": language, **PREFIXES}
    nodes = ",\n".join([resource for _, resource in resources])
    return f'{{"@context": {compact_json.text(context)}, "@graph": [\n{nodes}\n]}}\n'


SCHEME = "./"
"""The site's root, relative to the file."""
DEPRECATED: Statement = ("owl:deprecated", literal("true", "boolean"))


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Yields the scheme in Turtle and in JSON-LD."""
    resources = [written(resource) for resource in _Scheme(site, labels).resources()]
    yield File(path=urls.TURTLE, content=turtle(resources, base=site.base_url).encode())
    linked = json_ld(resources, base=site.base_url, language=site.language)
    yield File(path=urls.JSON_LD, content=linked.encode())


@dataclass(frozen=True)
class _Scheme:
    site: Site
    labels: Labels

    def resources(self) -> Iterator[Resource]:
        yield Resource(address=SCHEME, type="skos:ConceptScheme", facts=[*self._about()])
        for life in self.site.lives:
            versions = self._versions(life)
            yield self._concept(life, versions)
            yield from versions
        for slug, key in self.site.former_slugs.items():
            yield Resource(address=urls.term(slug), facts=[("dcterms:isReplacedBy", self._link(key)), DEPRECATED])

    def _about(self) -> Iterator[Statement]:
        """Yields the facts about the scheme itself."""
        yield self._title(self.site.title)
        yield "skos:prefLabel", self._words(fit.line(self.site.title))
        for source in self.site.sources:
            if source.licence:
                yield "dcterms:rights", self._words(fit.line(f"{source.title}: {source.licence}"))
            if not source.undated and (out := [one.name for one in source.releases if not one.unreleased]):
                yield "owl:versionInfo", self._words(fit.line(f"{source.title} {out[-1]}"))
        for life in self.site.lives:
            if life.is_defined:
                yield "skos:hasTopConcept", self._link(life.key)

    def _concept(self, life: Life, versions: Sequence[Resource]) -> Resource:
        facts = [
            ("skos:inScheme", link(SCHEME)),
            *self._labels(life),
            *self._definition(life.entry),
            *self._relations(life),
            *self._dates(life),
            *[("skos:changeNote", self._note(change)) for change in life.changes],
            *[("dcterms:hasVersion", link(version.address)) for version in versions],
        ]
        return Resource(address=urls.term(self.site.slugs[life.key]), type="skos:Concept", facts=facts)

    def _dates(self, life: Life) -> Iterator[Statement]:
        """Yields the dates on which the term was added and last changed, where known."""
        for property, several in (
            ("dcterms:created", [one for one in life.changes if one.kind in ("added", "split")][:1]),
            ("dcterms:modified", [one for one in life.changes if one.kind != "first-read"]),
        ):
            days = [day for one in several if (day := self.site.days.get((one.source, one.release)))]
            if days:
                yield property, literal(max(days).isoformat(), "date")

    def _relations(self, life: Life) -> Iterator[Statement]:
        if life.status != "current":
            yield DEPRECATED
        if life.replaced_by:
            yield "dcterms:isReplacedBy", self._link(life.replaced_by)
        if life.merged_into:
            yield "dcterms:isReplacedBy", self._link(life.merged_into)
        # Mapping relations such as exactMatch are for concepts of different schemes.
        others = (life.synonym_of if not life.merged_into else None, *self.site.see_also[life.key])
        for key in dict.fromkeys(filter(None, others)):
            if key != life.merged_into:
                yield "skos:related", self._link(key)

    def _versions(self, life: Life) -> list[Resource]:
        """Returns the frozen wordings, each linked to the previous and the next one in its source."""
        versions: list[Resource] = []
        before = ""
        for revision in life.revisions:
            if address := self.site.wordings.get((life.key, revision.source, revision.first)):
                versions.append(self._version(address, revision, self._link(life.key)))
                if before == revision.source:
                    older, newer = versions[-2:]
                    newer.facts.append(("dcterms:replaces", link(older.address)))
                    older.facts.append(("dcterms:isReplacedBy", link(newer.address)))
                before = revision.source
        return versions

    def _version(self, address: str, revision: Revision, concept: NodeText) -> Resource:
        entry, day = revision.entry, self.site.days.get((revision.source, revision.first))
        facts = [("dcterms:isVersionOf", concept), self._title(entry.name), *self._definition(entry)]
        if day:
            facts.append(("dcterms:issued", literal(day.isoformat(), "date")))
        return Resource(address=address, facts=facts)

    def _definition(self, entry: Entry) -> list[Statement]:
        cited = self._citations[entry.citation.source, entry.citation.release]
        return [("skos:definition", self._words(text)), cited] if (text := entry.definition.text) else [cited]

    @cached_property
    def _citations(self) -> Mapping[tuple[str, str], Statement]:
        """(source id, release) to the bibliographic citation."""
        return {
            place: ("dcterms:bibliographicCitation", self._in_words(label))
            for place, label in self.labels.releases.items()
        }

    def _note(self, change: Change) -> NodeText:
        return self._in_words(
            f"{self.labels.releases[change.source, change.release]}: {self.labels.kind(change.kind)}"
        )

    def _title(self, text: str) -> Statement:
        return "dcterms:title", self._words(fit.line(text))

    def _labels(self, life: Life) -> Iterator[Statement]:
        """Yields each name as one label only (SKOS, S13), and as a label of one concept only."""
        own = self._preferred[life.key]
        named = [("skos:prefLabel", own)]
        named += [(_OTHER[name.status], name.text) for name in life.names[1:]]
        named += [("skos:hiddenLabel", name) for name, _ in life.former_names]
        written_once: set[str] = set()
        for property, name in named:
            label = fit.line(name)
            if label not in written_once and self._owners.setdefault(label, life.key) == life.key:
                yield property, self._words(label)
            written_once.add(label)

    @cached_property
    def _preferred(self) -> Mapping[str, str]:
        """Term key to its preferred label. Labels are unique; terms in force are served first."""
        labels: dict[str, str] = {}
        taken: set[str] = set()
        for life in sorted(self.site.lives, key=lambda life: not life.is_defined):
            label = fit.line(life.name)
            if label in taken:
                label = f"{label} ({fit.line(self.site.source(life.entry.place.source).title)})"
            if label in taken:
                label = f"{fit.line(life.name)} ({self.site.slugs[life.key]})"
            taken.add(label)
            labels[life.key] = label
        return labels

    @cached_property
    def _owners(self) -> dict[str, str]:
        """Label to the key of the term that has it."""
        return {label: key for key, label in self._preferred.items()}

    def _words(self, text: str) -> NodeText:
        return words(text, self.site.language)

    def _in_words(self, text: str) -> NodeText:
        """Returns a text in the interface's language."""
        return words(text, self.site.language, self._own)

    @cached_property
    def _own(self) -> str:
        """The interface's language, or "" if it is that of the glossary."""
        words = self.labels.words
        return words.language if words.glossary else ""

    def _link(self, key: str) -> NodeText:
        return link(urls.term(self.site.slugs[key]))


_OTHER = {"preferred": "skos:altLabel", "admitted": "skos:altLabel", "deprecated": "skos:hiddenLabel"}
