"""Writes the glossary as TBX-Basic (ISO 30042:2019), which translation tools read.

A term is a concept entry, and each of its names is a term section with its administrative status. Former names, and
all names of removed or merged terms, are superseded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import Change, Life
from sitegen.site.exports import fit
from sitegen.site.exports.labels import Labels
from sitegen.site.site import Site

_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="dca" xml:lang="{language}" xmlns="urn:iso:std:iso:30042:ed-2">
<tbxHeader>
<fileDesc><titleStmt><title>{title}</title></titleStmt><sourceDesc>{sources}</sourceDesc></fileDesc>
<encodingDesc><p type="XCSURI">TBXXCS.xcs</p></encodingDesc>
</tbxHeader>
<text><body>
"""
_TAIL = "</body></text>\n</tbx>\n"

STANDING = {
    "preferred": "preferredTerm-admn-sts",
    "admitted": "admittedTerm-admn-sts",
    "deprecated": "deprecatedTerm-admn-sts",
    "superseded": "supersededTerm-admn-sts",
}


def files(site: Site, labels: Labels) -> Iterator[File]:
    """Yields the whole glossary as one document."""
    yield File(path=urls.TBX, content="".join(_Base(site, labels).parts()).encode())


@dataclass(frozen=True)
class _Base:
    site: Site
    labels: Labels

    def parts(self) -> Iterator[str]:
        sources = "".join(f"<p>{fit.xml(source.title)}</p>" for source in self.site.sources)
        yield _HEAD.format(language=self.site.language, title=fit.xml(self.site.title), sources=sources)
        yield from map(self._entry, self.site.lives)
        yield _TAIL

    def _entry(self, life: Life) -> str:
        about = [*self._address(life), *self._history(life), *self._references(life)]
        parts = [*about, f'<langSec xml:lang="{self.site.language}">', *self._definition(life), *_names(life)]
        return f'<conceptEntry id="{self._id(life.key)}">' + "\n".join(parts) + "</langSec></conceptEntry>\n"

    def _address(self, life: Life) -> Iterator[str]:
        if self.site.base_url:
            address = self.site.base_url + urls.term(self.site.slugs[life.key])
            yield f'<xref type="externalCrossReference" target="{fit.xml(address)}">{fit.xml(life.name)}</xref>'

    def _history(self, life: Life) -> Iterator[str]:
        """Yields every change, with its date if known. "first-read" is left out: it is not a change."""
        for change in life.changes:
            if change.kind != "first-read":
                day = self.site.days.get((change.source, change.release))
                kind = "origination" if change.kind in ("added", "split") else "modification"
                date = f"<date>{day.isoformat()}</date>" if day else ""
                yield (
                    f'<transacGrp><transac type="transactionType">{kind}</transac>'
                    f"{date}<note>{self._note(change)}</note></transacGrp>"
                )

    def _note(self, change: Change) -> str:
        release = self.labels.releases[change.source, change.release]
        return fit.xml(f"{release}: {self.labels.kind(change.kind)}")

    def _references(self, life: Life) -> Iterator[str]:
        others = (life.synonym_of, life.replaced_by, *self.site.see_also[life.key])
        for key in dict.fromkeys(filter(None, others)):
            name = fit.xml(self.site.by_key[key].name)
            yield f'<ref type="crossReference" target="{self._id(key)}">{name}</ref>'

    def _definition(self, life: Life) -> Iterator[str]:
        if life.entry.definition.text:
            text, source = fit.xml(life.entry.definition.text), fit.xml(self.labels.cited(life.entry.citation))
            definition = f'<descrip type="definition">{text}</descrip>'
            yield f'<descripGrp>{definition}<admin type="source">{source}</admin></descripGrp>'

    def _id(self, key: str) -> str:
        """Returns the XML id of a concept. The prefix is needed because an XML name begins with a letter."""
        return f"term-{self.site.slugs[key]}"


def _names(life: Life) -> Iterator[str]:
    for name in life.names:
        yield _name(name.text, _standing(life, name.status))
    for text, _ in life.former_names:
        yield _name(text, "superseded")


def _standing(life: Life, status: str) -> str:
    """Returns the status of a name: the term's own status takes precedence if that is worse."""
    if life.status in ("removed", "merged"):
        return "superseded"
    return "deprecated" if life.status == "deprecated" else status


def _name(text: str, standing: str) -> str:
    status = f'<termNote type="administrativeStatus">{STANDING[standing]}</termNote>'
    return f"<termSec><term>{fit.xml(fit.line(text))}</term>{status}</termSec>"
