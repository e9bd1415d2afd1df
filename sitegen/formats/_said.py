"""What is said about a term: the same wherever it stands, made once, and kept from one build to the next."""

from __future__ import annotations

import json
import marshal
from dataclasses import dataclass

from sitegen import prose
from sitegen.digests import digest
from sitegen.fingerprints import FORM
from sitegen.formats import senses
from sitegen.known import Form, Known
from sitegen.model import Designation, Prose, Reference

ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False)

Given = tuple[tuple[str, ...], tuple[str, ...], str]
"""Names, anchors, and the HTML of a definition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is the same wherever an entry stands."""

    designations: tuple[Designation, ...]
    definition: Prose
    anchors: tuple[str, ...]


def said(given: Given, _known: Known) -> Said:
    """Returns what names, anchors and HTML come to."""
    names, anchors, html = given
    return Said(
        designations=_designations(*dict.fromkeys(names)),
        definition=prose.from_html(senses.as_list(html)),
        anchors=tuple(dict.fromkeys(anchors)),
    )


def _designations(name: str, *others: str) -> tuple[Designation, ...]:
    return (Designation(text=name), *[Designation(text=other, status="admitted") for other in others])


def _key(given: Given) -> bytes:
    return digest(marshal.dumps(given, FORM))


def _dump(said: Said, _known: Known) -> bytes:
    names = [designation.text for designation in said.designations]
    made = said.definition
    references = [(reference.target, reference.text) for reference in made.references]
    data = (names, said.anchors, made.html, made.text, made.code, references, made.words)
    return ENCODER.encode(data).encode(errors="surrogatepass")


def _load(data: bytes, _known: Known) -> Said:
    names, anchors, html, text, code, references, words = json.loads(data.decode(errors="surrogatepass"))
    return Said(
        designations=_designations(*names),
        definition=Prose(
            html=html,
            text=text,
            code=tuple(map(tuple, code)),
            references=tuple([Reference(target=target, text=shown) for target, shown in references]),
            words=words,
        ),
        anchors=tuple(anchors),
    )


SAID = Form(_key, _dump, _load)
