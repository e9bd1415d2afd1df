"""How the reading of a document is kept from one build to the next: who says it, what, by reference, and where.

The words are kept by themselves (`_said`), once for all documents. A reading that leads on to words that are not
there any more is none.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from operator import attrgetter

from sitegen.digests import SIZE, digest
from sitegen.formats._said import SAID, marked
from sitegen.known import Form, Known
from sitegen.model import Document, Entry, Place, Problem, Reading


def _key(document: Document) -> bytes:
    about = (document.source, document.release, document.path, document.name, document.format, document.section)
    return digest(repr(about).encode(), document.digest)


def _dump(reading: Reading, known: Known) -> bytes:
    keys = known.keys(SAID, attrgetter("designations"))
    data = {
        "said": b"".join(keys[id(entry.said.designations)] for entry in reading.entries).hex(),
        "lines": [entry.line for entry in reading.entries],
        "sections": [entry.section for entry in reading.entries],
        "deprecated": [entry.deprecated for entry in reading.entries],
        "places": [(place.source, place.release, place.path, place.name) for _, place, _ in reading.entries[:1]],
        "problems": [asdict(problem) for problem in reading.problems],
        "is_furniture": reading.is_furniture,
    }
    return json.dumps(data, ensure_ascii=False).encode(errors="surrogatepass")


def _load(data: bytes, known: Known) -> Reading | None:
    read = json.loads(data.decode(errors="surrogatepass"))
    joined = bytes.fromhex(read["said"])
    met = known.kept(SAID)
    keys = [joined[start : start + SIZE] for start in range(0, len(joined), SIZE)]
    said = [met.get(key) or known.at(key, SAID) for key in keys]
    rows = zip(said, read["lines"], read["sections"], read["deprecated"], strict=True)
    places = [
        Place(source=source, release=release, path=path, name=name) for source, release, path, name in read["places"]
    ]
    entries = [
        Entry(marked(one, known, section=section, deprecated=deprecated), place, line)
        for place in places
        for one, line, section, deprecated in rows
        if one
    ]
    if len(entries) < len(said):
        return None
    problems = tuple([Problem(**problem) for problem in read["problems"]])
    return Reading(entries=tuple(entries), problems=problems, is_furniture=read["is_furniture"])


READING = Form(_key, _dump, _load)
