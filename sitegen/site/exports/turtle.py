"""Writes the glossary as a SKOS vocabulary in Turtle.

The glossary is a concept scheme (W3C). Every term is a concept; removed and merged terms are marked
`owl:deprecated`. Former and deprecated names are hidden labels: tools search for them and do not
show them. A preferred label belongs to one concept only: if terms share a name, the first has it,
and the source's title is appended to the labels of the others. glossary.json has the history.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sitegen.addresses import urls
from sitegen.model import Entry, File, grouped
from sitegen.model.terms import Life
from sitegen.site.exports.escaping import fit_for_xml, one_line
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
    """Returns the Turtle text of all statements about a resource."""
    lines = [f"{property} {value}" for property, value in facts]
    return f"\n<{address}> " + " ;\n    ".join(lines) + " .\n"


def _literal(text: str, language: str) -> str:
    """Returns a text with its language."""
    # Turtle uses the same escapes in quoted strings as JSON.
    return f"{compact_json.text(fit_for_xml(text))}@{language}"


class _Scheme:
    def __init__(self, site: Site) -> None:
        self.site = site
        self.translated = grouped(
            (slug, (translation.language, entry))
            for slug, _, translation, entry in site.translated_terms()
        )
        """Slug to the languages of a term, each with its entry."""
        self.preferred = _preferred_labels(site)

    def resources(self) -> Iterator[str]:
        """Yields the statements about each resource."""
        yield _resource(SCHEME, [("a", "skos:ConceptScheme"), *self._about()])
        for life in self.site.lives:
            facts = [
                ("a", "skos:Concept"),
                ("skos:inScheme", f"<{SCHEME}>"),
                *self._labels(life),
                *self._definition(life.entry),
                *self._translations(self.site.slugs[life.key]),
                *self._relations(life),
            ]
            yield _resource(self.site.address(life.key), facts)
        for slug, page in self.site.addresses.former_slugs.items():
            facts = [("dcterms:isReplacedBy", self._term(page.key)), DEPRECATED]
            yield _resource(urls.term(slug), facts)

    def _about(self) -> Iterator[Statement]:
        """Yields the facts about the glossary: its title, the license and the latest version of
        each source, and its terms in force."""
        for property in ("dcterms:title", "skos:prefLabel"):
            yield property, self._literal_line(self.site.title)

        for source in self.site.sources:
            license = self.site.table_of(source).license
            if license:
                yield "dcterms:rights", self._literal_line(f"{source.title}: {license}")
            published = [release.name for release in source.releases if not release.unreleased]
            if published and not source.undated:
                yield "owl:versionInfo", self._literal_line(f"{source.title} {published[-1]}")

        for life in self.site.lives:
            if life.is_defined:
                yield "skos:hasTopConcept", self._term(life.key)

    def _labels(self, life: Life) -> Iterator[Statement]:
        """Yields the present and former names of a term as labels. A label may have one property
        only (SKOS, S13): the first of those below."""
        names = [("skos:prefLabel", self.preferred[life.key])]
        names += [(LABEL_PROPERTIES[name.status], name.text) for name in life.names[1:]]
        names += [("skos:hiddenLabel", name) for name, _ in life.former_names]
        seen_labels: set[str] = set()
        for property, name in names:
            label = one_line(name)
            if label not in seen_labels:
                yield property, _literal(label, self.site.language)
            seen_labels.add(label)

    def _definition(self, entry: Entry) -> list[Statement]:
        """Returns the definition of a term, and the release that it is taken from as a citation.
        A definition that is only an image has no text, and is left out."""
        release_title = self.site.release_titles[entry.place.source, entry.place.release]
        # The title is in the language of the interface, which may be another than the glossary's.
        label = _literal(release_title, self.site.words.language)
        citation = ("dcterms:bibliographicCitation", label)
        text = with_titles(entry.definition).text  # also the titles of notes
        if not text:
            return [citation]
        return [("skos:definition", _literal(text, self.site.language)), citation]

    def _translations(self, slug: str) -> Iterator[Statement]:
        """Yields the names and definitions of a term in the other languages."""
        for language, entry in self.translated.get(slug, ()):
            names = [one_line(name.text) for name in entry.designations]
            preferred, *others = dict.fromkeys(names)  # each name once
            yield "skos:prefLabel", _literal(preferred, language)
            for name in others:
                yield LABEL_PROPERTIES["admitted"], _literal(name, language)
            text = with_titles(entry.definition).text
            if text:
                yield "skos:definition", _literal(text, language)

    def _relations(self, life: Life) -> Iterator[Statement]:
        """Yields whether a term is deprecated, the terms that replaced it, and related terms."""
        if life.status != "current":
            yield DEPRECATED
        for key in (life.replaced_by, life.merged_into):
            if key:
                yield "dcterms:isReplacedBy", self._term(key)

        # A synonym is only "related": mapping relations such as exactMatch are for concepts of
        # different schemes.
        related_keys = dict.fromkeys((life.synonym_of, *self.site.linked_terms[life.key]))
        for key in related_keys:
            if key and key != life.merged_into:  # what replaces the term is stated already
                yield "skos:related", self._term(key)

    def _literal_line(self, text: str) -> str:
        """Returns a text on one line in the language of the glossary."""
        return _literal(one_line(text), self.site.language)

    def _term(self, key: str) -> str:
        """Returns a reference to a term."""
        return f"<{self.site.address(key)}>"  # an address has nothing to escape


def _preferred_labels(site: Site) -> Mapping[str, str]:
    """Returns a unique label for each term key: the name, or if another term has that label, the
    name with the source or with the slug in brackets."""
    labels: dict[str, str] = {}
    used_labels: set[str] = set()
    # Terms in force come first, so that they get the labels without brackets.
    for life in sorted(site.lives, key=lambda life: not life.is_defined):
        name = one_line(life.name)
        label = name
        if label in used_labels:
            label = f"{name} ({one_line(site.source_title(life.entry.place.source))})"
        if label in used_labels:
            label = f"{name} ({site.slugs[life.key]})"
        used_labels.add(label)
        labels[life.key] = label
    return labels
