"""How the reading of a document is kept from one build to the next: who says it, what, by reference, and where.

The words are kept by themselves (`_said`), once for all documents. A reading that leads on to words that are not
there any more is none.
"""

from __future__ import annotations

from dataclasses import asdict
from operator import attrgetter

from sitegen.formats.common.entry_text import SAID, marked
from sitegen.model import Document, Place, Problem, Reading, entries_at
from sitegen.model.digests import SIZE, digest
from sitegen.text import compact_json
from sitegen.text.known import Form, Known


def _key(document: Document) -> bytes:
    about = (document.source, document.release, document.path, document.name, document.format, document.section)
    return digest(repr(about).encode(), document.digest)


def _dump(reading: Reading, known: Known) -> bytes:
    keys = known.keys(SAID, attrgetter("designations"))
    marks = [(said.section, said.deprecated) for said, _, _ in reading.entries]
    data = {
        "said": b"".join([keys[id(said.designations)] for said, _, _ in reading.entries]).hex(),
        "lines": [line for _, _, line in reading.entries],
        "marks": marks if any(map(any, marks)) else (),
        "place": asdict(reading.entries[0].place) if reading.entries else {},
        "problems": [asdict(problem) for problem in reading.problems],
        "is_partial": reading.is_partial,
        "is_furniture": reading.is_furniture,
    }
    return compact_json.dump(data)


def _load(data: bytes, known: Known) -> Reading | None:
    read = compact_json.load(data)
    joined = bytes.fromhex(read["said"])
    said = known.every([joined[start : start + SIZE] for start in range(0, len(joined), SIZE)], SAID)
    if said is None:
        return None
    if read["marks"]:
        marks = zip(said, read["marks"], strict=True)
        said = [marked(one, known, section=section, deprecated=deprecated) for one, (section, deprecated) in marks]
    entries = entries_at(Place(**read["place"]), said, read["lines"]) if said else ()
    problems = tuple([Problem(**problem) for problem in read["problems"]])
    return Reading(
        entries=entries, problems=problems, is_partial=read["is_partial"], is_furniture=read["is_furniture"]
    )


READING = Form("readings", _key, _dump, _load)
