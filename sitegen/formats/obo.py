"""OBO: the `[Term]` stanzas of an ontology, version 1.2 or 1.4, read line by line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from html import escape
from io import StringIO

from sitegen.formats.common import entries, sphinx_markup
from sitegen.formats.common.entries import Candidate
from sitegen.model import Document, Reading

QUOTED = re.compile(r'(?<!\\)"((?:[^"\\]|\\.)*+)"')
ESCAPE = re.compile(r"\\(.)")
TAG = re.compile(r"([\w-]+):(.*)")
COMMENT = re.compile(r"(?<!\\)!")

Stanza = dict[str, list[str]]


def parse(document: Document) -> Reading:
    """Returns the terms of an ontology. The document's section selects a namespace."""
    stanzas = entries.limited(document, _stanzas(document.text), of="terms")
    names = {one["id"][0]: one["name"][0] for _, one in stanzas if "id" in one}
    namespace = document.section.casefold()
    candidates = [
        _candidate(line, one, names)
        for line, one in stanzas
        if namespace in ("", *(space.casefold() for space in one.get("namespace", ())))
    ]
    return entries.read(document, candidates, wanted="wanted [Term] stanzas")


def _stanzas(text: str) -> Iterator[tuple[int, Stanza]]:
    """Yields each term that has a name, with its line."""
    stanza: Stanza = defaultdict(list)
    first, is_term = 0, False
    for number, line in enumerate(StringIO(text, newline="\n"), start=1):
        if line.startswith("["):
            if "name" in stanza:
                yield first, stanza
            stanza, first, is_term = defaultdict(list), number, line.strip().lower() == "[term]"
        elif is_term and (tag := TAG.fullmatch(line.strip())):
            first = number if tag[1] == "name" else first
            stanza[tag[1]].append(COMMENT.split(tag[2], maxsplit=1)[0].strip())
    if "name" in stanza:
        yield first, stanza


def _candidate(line: int, tags: Stanza, names: dict[str, str]) -> Candidate:
    stanza = defaultdict(list, tags)
    definition = _quoted(stanza["def"][0]) if stanza["def"] else ""
    html = f"<p>{escape(definition, quote=False)}</p>" if definition else ""
    related = [
        key.split(" ")[0] for key in (*stanza["is_a"], *stanza["replaced_by"], *stanza["consider"])
    ]
    links = ", ".join(
        sphinx_markup.reference(f"#{key}", names[key]) for key in related if key in names
    )
    is_obsolete = "true" in stanza["is_obsolete"]
    synonyms = [
        _quoted(text) for text in stanza["synonym"] if "EXACT" in text or "ABBREVIATION" in text
    ]
    return Candidate(
        names=tuple(dict.fromkeys(filter(None, (_unescaped(stanza["name"][0]), *synonyms)))),
        html=html
        + (f"<p>{'Use' if is_obsolete else 'See also'}: {links}</p>" if links and html else ""),
        line=line,
        anchors=tuple(stanza["id"][:1]),
        section=next(iter(stanza["namespace"]), ""),
        deprecated=is_obsolete,
    )


def _quoted(text: str) -> str:
    match = QUOTED.search(text)
    return _unescaped(match[1]) if match else ""


def _unescaped(text: str) -> str:
    return " ".join(
        ESCAPE.sub(lambda mark: {"n": "\n", "t": " ", "W": " "}.get(mark[1], mark[1]), text).split()
    )
