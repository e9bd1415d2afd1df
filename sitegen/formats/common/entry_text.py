"""Entry texts: names, definition and anchors of a term. Each is built once and kept between builds."""

from __future__ import annotations

import re
from dataclasses import replace

from sitegen.formats.common import senses
from sitegen.model import Designation, Prose, Reference, Said
from sitegen.text import compact_json, prose
from sitegen.text.decoding import visible
from sitegen.text.memo import Codec, digest_of_arguments, memo

Given = tuple[tuple[str, ...], tuple[str, ...], str]
"""Names, anchors, and the HTML of a definition."""

HALF = re.compile("[\ud800-\udfff]")
"""Half a character, which markup may ask for by number, and no file can hold."""


def _dump(said: Said) -> bytes:
    names = [designation.text for designation in said.designations]
    made = said.definition
    references = [(reference.target, reference.text) for reference in made.references]
    data = (said.key.hex(), names, said.anchors, made.html, made.text, made.code, references, made.words)
    return compact_json.dump(data)


def _load(data: bytes) -> Said:
    key, names, anchors, html, text, code, references, words = compact_json.load(data)
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
        key=bytes.fromhex(key),
    )


@memo(Codec(room="said", dump=_dump, load=_load))
def said(names: tuple[str, ...], anchors: tuple[str, ...], html: str) -> Said:
    """Returns the entry text of names, anchors, and the HTML of a definition."""
    key = digest_of_arguments(names, anchors, html)
    names, anchors = (tuple(map(_whole, texts)) for texts in (names, anchors))
    return Said(
        designations=_designations(*(dict.fromkeys(filter(None, map(visible, names))) or names)),
        definition=prose.from_html(senses.as_list(html)),
        anchors=tuple(dict.fromkeys(anchors)),
        key=key,
    )


def _whole(text: str) -> str:
    return text if text.isascii() else HALF.sub("\ufffd", text)


def _designations(name: str, *others: str) -> tuple[Designation, ...]:
    return (Designation(text=name), *[Designation(text=other, status="admitted") for other in others])


def marked(about: Said, *, section: str, deprecated: bool = False) -> Said:
    """Returns the text of an entry that is in a section, or marked as deprecated."""
    return _marked(about, section, deprecated) if section or deprecated else about


@memo()
def _marked(about: Said, section: str, deprecated: bool) -> Said:
    return replace(about, section=_whole(section), deprecated=deprecated)
