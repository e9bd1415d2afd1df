"""Writes the Markdown version of a term's page: definition, facts and history in a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from sitegen.addresses import urls
from sitegen.model import Entry
from sitegen.model.terms import Life
from sitegen.site import elsewhere
from sitegen.site.exports import fit
from sitegen.site.exports.labels import Labels
from sitegen.site.exports.markdown import link, markdown
from sitegen.site.site import Site
from sitegen.text.markdown_escaping import escaped

ROOT = urls.root(urls.term("any"))


def of_term(life: Life, site: Site, labels: Labels, *, standing: str) -> bytes:
    """Returns a term as Markdown. `standing` is the status sentence under its name."""
    return _TermMarkdown(life, site, labels).render(standing)


@dataclass(frozen=True)
class _TermMarkdown:
    life: Life
    site: Site
    labels: Labels

    def render(self, standing: str) -> bytes:
        shown = self.site.defining_term(self.life.key).entry
        parts = (
            f"# {escaped(fit.line(self.life.name))}",
            escaped(fit.line(standing)),
            markdown(
                shown.definition,
                lambda target: self._resolved(shown, target),
                elsewhere.addresses(self.site, shown, ROOT),
            ),
            "\n".join(self._facts(shown)),
            f"## {self.labels.messages['history']}" if self.life.changes else "",
            "\n".join(reversed([*self._history()])),
        )
        return fit.text("\n\n".join(filter(None, parts)) + "\n").encode()

    def _facts(self, shown: Entry) -> Iterator[str]:
        life = self.life
        if self.site.base_url:
            yield from self._fact("about.address", [self.site.base_url + urls.term(self.site.slugs[life.key])])
        admitted, avoided = (
            [name.text for name in life.names[1:] if (name.status == "deprecated") is deprecated]
            for deprecated in (False, True)
        )
        yield from self._fact("names.also-called", (escaped(fit.line(name)) for name in admitted))
        yield from self._fact("names.avoid", (escaped(fit.line(name)) for name in avoided))
        yield from self._fact("names.formerly", (escaped(fit.line(name)) for name, _ in life.former_names))
        others = dict.fromkeys((life.synonym_of, life.replaced_by, *self.site.see_also[life.key]))
        yield from self._fact("names.see-also", (self._link(key) for key in others if key))
        yield from self._fact("table.source", [escaped(fit.line(self.labels.cited(shown.citation)))])

    def _fact(self, label: str, values: Iterable[str]) -> Iterator[str]:
        if listed := self.labels.comma.join(values):
            yield f"- {self.labels.messages[label]}: {listed}"

    def _history(self) -> Iterator[str]:
        changes = groupby(self.life.changes, key=lambda change: (change.source, change.release))
        for (source, release), together in changes:
            name = fit.line(self.labels.releases[source, release])
            wording = self.site.wordings.get((self.life.key, source, release))
            linked = link(name, urls.link(wording, ROOT)) if wording else escaped(name)
            yield f"- {linked}: {self.labels.listed(change.kind for change in together)}"

    def _resolved(self, entry: Entry, target: str) -> str | None:
        key = self.site.references.get((entry.place.source, target))
        return self._beside(key) if key else None

    def _link(self, key: str) -> str:
        return link(fit.line(self.site.names[key]), self._beside(key))

    def _beside(self, key: str) -> str:
        """Returns the relative address from one Markdown file to another."""
        return f"../{self.site.slugs[key]}/index.md"
