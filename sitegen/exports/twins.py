"""The glossary for readers of plain text: a Markdown twin beside each term's page, and llms.txt that lists them.

llms.txt is a Markdown file of links by which a language model finds its way (llmstxt.org). What it may skip stands
under a heading that must read “Optional” in any language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from sitegen import urls
from sitegen.exports import fit
from sitegen.exports.labels import Labels
from sitegen.exports.markdown import link, markdown
from sitegen.markdown_text import escaped
from sitegen.model import Entry, File, Life
from sitegen.prose import first_sentence
from sitegen.site import Site
from sitegen.wording import plain

MANY = 2_000
"""A larger glossary is listed without first sentences: the list has to be read at once."""


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Gives the twin of each term's page, and the list of all."""
    twins = _Twins(site, labels)
    for life in site.lives:
        content = twins.twin(life)
        yield from (File(path=urls.term_twin(slug), content=content) for slug in site.slugs_of[life.key])
    yield File(path=urls.LLMS, content=twins.listed())


@dataclass(frozen=True)
class _Twins:
    site: Site
    labels: Labels

    def twin(self, life: Life) -> bytes:
        shown = self.site.speaker(life.key).entry
        parts = (
            f"# {escaped(fit.line(life.name))}",
            escaped(fit.line(self.labels.standing(life))),
            markdown(shown.definition, lambda target: self._resolved(shown, target)),
            "\n".join(self._facts(life, shown)),
            f"## {self.labels.say('history')}" if life.changes else "",
            "\n".join(reversed([*self._happened(life)])),
        )
        return fit.text("\n\n".join(filter(None, parts)) + "\n").encode()

    def _facts(self, life: Life, shown: Entry) -> Iterator[str]:
        if self.site.base_url:
            yield from self._fact("about.address", [self.site.base_url + urls.term(self.site.slugs[life.key])])
        yield from self._fact("names.also-called", (escaped(fit.line(name.text)) for name in life.names[1:]))
        yield from self._fact("names.formerly", (escaped(fit.line(name)) for name, _ in life.former_names))
        others = dict.fromkeys((life.synonym_of, life.replaced_by, *self.site.see_also[life.key]))
        yield from self._fact("names.see-also", (self._link(key) for key in others if key))
        yield from self._fact("table.source", [escaped(fit.line(self.labels.cited(shown.citation)))])

    def _fact(self, label: str, values: Iterable[str]) -> Iterator[str]:
        if listed := ", ".join(values):
            yield f"- {self.labels.say(label)}: {listed}"

    def _happened(self, life: Life) -> Iterator[str]:
        for (source, release), changes in groupby(life.changes, key=lambda change: (change.source, change.release)):
            name = fit.line(self.labels.releases[source, release])
            wording = self.site.wordings.get((life.key, source, release))
            linked = link(name, urls.link(wording, self.labels.pen.root)) if wording else escaped(name)
            yield f"- {linked}: {self.labels.listed(change.kind for change in changes)}"

    def _resolved(self, entry: Entry, target: str) -> str | None:
        key = self.site.references.get((entry.citation.source, target))
        return self._beside(key) if key else None

    def _link(self, key: str) -> str:
        return link(fit.line(self.site.by_key[key].name), self._beside(key))

    def _beside(self, key: str) -> str:
        """The way from one twin to another."""
        return f"../{self.site.slugs[key]}/index.md"

    def listed(self) -> bytes:
        terms = [life for life in self.site.lives if life.status != "removed"]
        about = self.labels.words.say("a-z.description", len(self.site.lives), site=self.site.title)
        gone = [life for life in self.site.lives if life.status == "removed"]
        data = f"- {link(self.labels.say('data'), self.site.base_url + urls.DATA)}"
        parts = (
            f"# {escaped(fit.line(self.site.title))}",
            f"> {escaped(fit.line(plain(about)))}",
            escaped(fit.line(self.site.note)),
            f"## {self.labels.say('about.terms')}",
            "\n".join(map(self._line, terms)),
            "## Optional",
            "\n".join((data, *map(self._line, gone))),
        )
        return fit.text("\n\n".join(filter(None, parts)) + "\n").encode()

    def _line(self, life: Life) -> str:
        twin = self.site.base_url + urls.term_twin(self.site.slugs[life.key])
        linked = link(fit.line(life.name), twin)
        sentence = first_sentence(life.entry.definition.text) if len(self.site.lives) <= MANY else ""
        return f"- {linked}: {escaped(fit.line(sentence))}" if sentence else f"- {linked}"
