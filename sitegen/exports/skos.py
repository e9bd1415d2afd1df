"""The glossary as a concept scheme (W3C SKOS), each wording as a version of its concept (DCMI Terms).

Every term is a concept, removed ones too: `owl:deprecated` says that it is not to be used any more. A name that is no
longer, or should no longer be, used is a hidden label: searched for, and not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from sitegen import urls
from sitegen.exports import fit, rdf
from sitegen.exports.labels import Labels
from sitegen.exports.rdf import Fact, Resource, Value, link, literal
from sitegen.model import Change, Entry, File, Life, Revision
from sitegen.site import Site

SCHEME = "./"
"""The site's root, as seen from it."""
DEPRECATED: Fact = ("owl:deprecated", literal("true", "boolean"))


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Gives the scheme in Turtle and in JSON-LD."""
    resources = tuple(_Scheme(site, labels).resources())
    turtle = rdf.turtle(resources, base=site.base_url)
    json_ld = rdf.json_ld(resources, base=site.base_url, language=site.language)
    for path, lines in ((urls.TURTLE, turtle), (urls.JSON_LD, json_ld)):
        yield File(path=path, content="".join(lines).encode())


@dataclass(frozen=True)
class _Scheme:
    site: Site
    labels: Labels

    def resources(self) -> Iterator[Resource]:
        yield Resource(address=SCHEME, type="skos:ConceptScheme", facts=(self._title(self.site.title),))
        for life in self.site.lives:
            versions = tuple(self._versions(life))
            yield self._concept(life, versions)
            yield from versions
        for slug, key in self.site.former_slugs.items():
            yield Resource(address=urls.term(slug), facts=(("dcterms:isReplacedBy", self._link(key)), DEPRECATED))

    def _concept(self, life: Life, versions: tuple[Resource, ...]) -> Resource:
        return Resource(
            address=urls.term(self.site.slugs[life.key]),
            type="skos:Concept",
            facts=(
                ("skos:inScheme", link(SCHEME)),
                *self._labels(life),
                *self._definition(life.entry),
                *self._relations(life),
                *(("skos:changeNote", self._note(change)) for change in life.changes),
                *(("dcterms:hasVersion", link(version.address)) for version in versions),
            ),
        )

    def _relations(self, life: Life) -> Iterator[Fact]:
        if life.status != "current":
            yield DEPRECATED
        if life.replaced_by:
            yield "dcterms:isReplacedBy", self._link(life.replaced_by)
        if life.synonym_of:
            yield "skos:exactMatch", self._link(life.synonym_of)
        for key in self.site.see_also[life.key]:
            if key != life.synonym_of:
                yield "skos:related", self._link(key)

    def _versions(self, life: Life) -> Iterator[Resource]:
        """The wordings that are frozen, each with the one before and the one after it in its source."""
        for source, run in groupby(life.revisions, key=lambda revision: revision.source):
            frozen = [one for one in run if (life.key, source, one.first) in self.site.wordings]
            for before, revision, after in zip([None, *frozen], frozen, [*frozen[1:], None], strict=False):
                yield self._version(life, revision, before, after)

    def _version(self, life: Life, revision: Revision, before: Revision | None, after: Revision | None) -> Resource:
        facts = [
            ("dcterms:isVersionOf", self._link(life.key)),
            self._title(revision.entry.name),
            *self._definition(revision.entry),
            *self._issued(revision),
        ]
        if before:
            facts.append(("dcterms:replaces", link(self._frozen(life, before))))
        if after:
            facts.append(("dcterms:isReplacedBy", link(self._frozen(life, after))))
        return Resource(address=self._frozen(life, revision), facts=tuple(facts))

    def _frozen(self, life: Life, revision: Revision) -> str:
        return self.site.wordings[life.key, revision.source, revision.first]

    def _issued(self, revision: Revision) -> Iterator[Fact]:
        day = self.site.days.get((revision.source, revision.first))
        if day:
            yield "dcterms:issued", literal(day.isoformat(), "date")

    def _definition(self, entry: Entry) -> Iterator[Fact]:
        if entry.definition.text:
            yield "skos:definition", self._words(entry.definition.text)
        yield "dcterms:bibliographicCitation", self._in_words(self.labels.cited(entry.citation))

    def _note(self, change: Change) -> Value:
        return self._in_words(
            f"{self.labels.releases[change.source, change.release]}: {self.labels.kind(change.kind)}"
        )

    def _title(self, text: str) -> Fact:
        return "dcterms:title", self._words(fit.line(text))

    def _labels(self, life: Life) -> Iterator[Fact]:
        """Each name under one label only, which SKOS demands (S13)."""
        named = [("skos:prefLabel", life.name)]
        named += [(_OTHER[name.status], name.text) for name in life.names[1:]]
        named += [("skos:hiddenLabel", name) for name, _ in life.former_names]
        said: set[str] = set()
        for property, name in named:
            label = fit.line(name)
            if label not in said:
                yield property, self._words(label)
            said.add(label)

    def _words(self, text: str) -> Value:
        return rdf.words(text, self.site.language)

    def _in_words(self, text: str) -> Value:
        """Words of ours."""
        return rdf.words(text, self.site.language, self._own)

    @cached_property
    def _own(self) -> str:
        """The language of what we say, where it is another than the glossary's."""
        words = self.labels.words
        return words.language if words.glossary else ""

    def _link(self, key: str) -> Value:
        return link(urls.term(self.site.slugs[key]))


_OTHER = {"preferred": "skos:altLabel", "admitted": "skos:altLabel", "deprecated": "skos:hiddenLabel"}
