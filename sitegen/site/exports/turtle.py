"""Writes the glossary as a SKOS vocabulary in Turtle.

The glossary is a concept scheme (W3C). Every term is a concept; removed and merged terms are marked
`owl:deprecated`. Former and deprecated names are hidden labels: tools search for them and do not
show them. A preferred label belongs to one concept only: if terms share a name, the first has it,
and the source's title is appended to the labels of the others. glossary.json has earlier wordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sitegen.addresses import urls
from sitegen.model import Entry, File, grouped
from sitegen.model.terms import CHANGES, Change, Life
from sitegen.site.exports.escaping import fit, one_line
from sitegen.site.messages import plain
from sitegen.site.site import Site
from sitegen.text import compact_json
from sitegen.text.prose import with_titles

PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
SCHEME = "./"
"""The site's root, relative to the file."""

Statement = tuple[str, str]
"""A property and its value, as Turtle has them."""

DEPRECATED: Statement = ("owl:deprecated", '"true"^^xsd:boolean')
LABEL_PROPERTIES = {
    "preferred": "skos:altLabel",
    "admitted": "skos:altLabel",
    "deprecated": "skos:hiddenLabel",
}
"""The property of a name other than the first, by the status of the name."""


def files(site: Site) -> Iterator[File]:
    """Yields the scheme in Turtle."""
    head = [f"@base <{site.base_url}> .\n"] if site.base_url else []
    head += [f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items()]
    resources = _Scheme(site).resources()
    yield File(path=urls.TURTLE, content="".join([*head, *resources]).encode())


def _resource(address: str, facts: Iterable[Statement]) -> str:
    """Returns the statements about a resource."""
    lines = [f"{property} {value}" for property, value in facts]
    return f"\n<{address}> " + " ;\n    ".join(lines) + " .\n"


def _link(address: str) -> str:
    """Returns a reference to a resource of this site. Its address needs no escaping."""
    return f"<{address}>"


def _literal(text: str, language: str) -> str:
    """Returns a text with its language."""
    # Turtle uses the same escapes in quoted strings as JSON.
    return f"{compact_json.text(fit(text))}@{language}"


class _Scheme:
    def __init__(self, site: Site) -> None:
        self.site = site
        self.interface_language = site.language
        if site.words.glossary:
            self.interface_language = site.words.language
        self.translated = grouped(
            (slug, (one.language, entry)) for slug, _, one, entry in site.translated_terms()
        )
        """Slug to the languages of a term, each with its entry."""
        self.preferred = _preferred_labels(site)

    def resources(self) -> Iterator[str]:
        """Yields the statements about each resource."""
        yield _resource(SCHEME, [("a", "skos:ConceptScheme"), *self._about()])
        for life in self.site.lives:
            facts = [
                ("a", "skos:Concept"),
                ("skos:inScheme", _link(SCHEME)),
                *self._labels(life),
                *self._definition(life.entry),
                *self._translations(self.site.slugs[life.key]),
                *self._relations(life),
                *self._changes(life),
            ]
            yield _resource(self.site.address(life.key), facts)
        for slug, page in self.site.addresses.former_slugs.items():
            replaced = [("dcterms:isReplacedBy", self._term(page.key)), DEPRECATED]
            yield _resource(urls.term(slug), replaced)

    def _about(self) -> Iterator[Statement]:
        """Yields the facts about the scheme itself."""
        for property in ("dcterms:title", "skos:prefLabel"):
            yield self._line(property, self.site.title)
        for source in self.site.sources:
            license = self.site.table_of(source).license
            if license:
                yield self._line("dcterms:rights", f"{source.title}: {license}")
            published = [one.name for one in source.releases if not one.unreleased]
            if published and not source.undated:
                yield self._line("owl:versionInfo", f"{source.title} {published[-1]}")
        for life in self.site.lives:
            if life.is_defined:
                yield "skos:hasTopConcept", self._term(life.key)

    def _labels(self, life: Life) -> Iterator[Statement]:
        """Yields each name as one label only (SKOS, S13)."""
        named = [("skos:prefLabel", self.preferred[life.key])]
        named += [(LABEL_PROPERTIES[name.status], name.text) for name in life.names[1:]]
        named += [("skos:hiddenLabel", name) for name, _ in life.former_names]
        seen: set[str] = set()
        for property, name in named:
            label = one_line(name)
            if label not in seen:
                yield property, _literal(label, self.site.language)
            seen.add(label)

    def _definition(self, entry: Entry) -> list[Statement]:
        """Returns the definition of a term, if it has words, and where they are from."""
        label = self.site.release_titles[entry.place.source, entry.place.release]
        cited = ("dcterms:bibliographicCitation", _literal(label, self.interface_language))
        text = with_titles(entry.definition).text
        if not text:
            return [cited]
        return [("skos:definition", _literal(text, self.site.language)), cited]

    def _translations(self, slug: str) -> Iterator[Statement]:
        """Yields names and definitions in the other languages."""
        for language, entry in self.translated.get(slug, ()):
            preferred, *others = dict.fromkeys(one_line(name.text) for name in entry.designations)
            yield "skos:prefLabel", _literal(preferred, language)
            for name in others:
                yield LABEL_PROPERTIES["admitted"], _literal(name, language)
            if text := with_titles(entry.definition).text:
                yield "skos:definition", _literal(text, language)

    def _relations(self, life: Life) -> Iterator[Statement]:
        """Yields the relations of a term: deprecated, the term that replaced it, and related
        terms."""
        if life.status != "current":
            yield DEPRECATED
        for other in (life.replaced_by, life.merged_into):
            if other:
                yield "dcterms:isReplacedBy", self._term(other)
        # Mapping relations such as exactMatch are for concepts of different schemes.
        for key in dict.fromkeys((life.synonym_of, *self.site.see_also[life.key])):
            if key and key != life.merged_into:
                yield "skos:related", self._term(key)

    def _changes(self, life: Life) -> Iterator[Statement]:
        """Yields when the term was added and last changed, where known, and a note on each
        change."""
        begun = [one for one in life.changes if CHANGES[one.kind].begins]
        modified = [one for one in life.changes if one.kind != "first-read"]
        yield from self._last_day("dcterms:created", begun[:1])
        yield from self._last_day("dcterms:modified", modified)
        for change in life.changes:
            release = self.site.release_titles[change.source, change.release]
            note = f"{release}: {plain(self.site.words.say(f'kind.{change.kind}'))}"
            yield "skos:changeNote", _literal(note, self.interface_language)

    def _last_day(self, property: str, changes: Sequence[Change]) -> Iterator[Statement]:
        """Yields the last day of some changes, if it is known."""
        days = [self.site.release_of[one.source, one.release].date for one in changes]
        known = [day for day in days if day]
        if known:
            yield property, f'"{max(known).isoformat()}"^^xsd:date'

    def _line(self, property: str, text: str) -> Statement:
        """Returns a statement with a text on one line."""
        return property, _literal(one_line(text), self.site.language)

    def _term(self, key: str) -> str:
        """Returns a reference to a term."""
        return _link(self.site.address(key))


def _preferred_labels(site: Site) -> Mapping[str, str]:
    """Returns term key to preferred label. Labels are unique; terms in force are served first."""
    labels: dict[str, str] = {}
    used: set[str] = set()
    for life in sorted(site.lives, key=lambda life: not life.is_defined):
        label = one_line(life.name)
        if label in used:
            label = f"{label} ({one_line(site.source_title(life.entry.place.source))})"
        if label in used:
            label = f"{one_line(life.name)} ({site.slugs[life.key]})"
        used.add(label)
        labels[life.key] = label
    return labels
