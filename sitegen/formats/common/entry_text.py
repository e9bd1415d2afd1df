"""What is said about a term: the same wherever it stands, made once, and kept from one build to the next."""

from __future__ import annotations

import re
from dataclasses import replace

from sitegen.formats.common import senses
from sitegen.model import Designation, Prose, Reference, Said
from sitegen.model.digests import digest_of
from sitegen.text import compact_json, prose
from sitegen.text.decoding import visible
from sitegen.text.known import Form, Known

Given = tuple[tuple[str, ...], tuple[str, ...], str]
"""Names, anchors, and the HTML of a definition."""

HALF = re.compile("[\ud800-\udfff]")
"""Half a character, which markup may ask for by number, and no file can hold."""


def said(given: Given, _known: Known) -> Said:
    """Returns what names, anchors and HTML come to."""
    names, anchors, html = given
    names, anchors = (tuple(map(_whole, texts)) for texts in (names, anchors))
    return Said(
        designations=_designations(*(dict.fromkeys(filter(None, map(visible, names))) or names)),
        definition=prose.from_html(senses.as_list(html)),
        anchors=tuple(dict.fromkeys(anchors)),
    )


def _whole(text: str) -> str:
    return text if text.isascii() else HALF.sub("\ufffd", text)


def _designations(name: str, *others: str) -> tuple[Designation, ...]:
    return (Designation(text=name), *[Designation(text=other, status="admitted") for other in others])


def _dump(said: Said, _known: Known) -> bytes:
    names = [designation.text for designation in said.designations]
    made = said.definition
    references = [(reference.target, reference.text) for reference in made.references]
    data = (names, said.anchors, made.html, made.text, made.code, references, made.words)
    return compact_json.dump(data)


def _load(data: bytes, _known: Known) -> Said:
    names, anchors, html, text, code, references, words = compact_json.load(data)
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


SAID: Form[Given, Said] = Form("said", digest_of, _dump, _load)


def marked(about: Said, known: Known, *, section: str, deprecated: bool = False) -> Said:
    """Returns what is said about a term that stands in a section, or is marked as deprecated."""
    return known.of(_marked)[about, section, deprecated] if section or deprecated else about


def _marked(given: tuple[Said, str, bool], _known: Known) -> Said:
    about, section, deprecated = given
    return replace(about, section=_whole(section), deprecated=deprecated)
