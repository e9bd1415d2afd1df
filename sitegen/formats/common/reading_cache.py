"""How the reading of a document is kept between builds: a list of keys of entry texts, with their lines and marks.

The entry texts are kept by `entry_text.said`, once for all documents. If one of them is no longer in the store, the
document is read again.
"""

from __future__ import annotations

from dataclasses import asdict

from sitegen.formats.common.entry_text import marked, said
from sitegen.model import Document, Place, Problem, Reading, entries_at
from sitegen.model.digests import SIZE, digest
from sitegen.text import compact_json
from sitegen.text.memo import Codec


def _key(document: Document) -> bytes:
    about = (document.source, document.release, document.path, document.name, document.format, document.section)
    return digest(repr(about).encode(), document.digest)


def _dump(reading: Reading) -> bytes:
    texts = [text for text, _, _ in reading.entries]
    marks = [(text.section, text.deprecated) for text in texts]
    data = {
        "said": b"".join([text.key for text in texts]).hex(),
        "lines": [line for _, _, line in reading.entries],
        "marks": marks if any(map(any, marks)) else (),
        "place": asdict(reading.entries[0].place) if reading.entries else {},
        "problems": [asdict(problem) for problem in reading.problems],
        "is_partial": reading.is_partial,
        "is_furniture": reading.is_furniture,
    }
    return compact_json.dump(data)


def _load(data: bytes) -> Reading | None:
    read = compact_json.load(data)
    joined = bytes.fromhex(read["said"])
    texts = [text for start in range(0, len(joined), SIZE) if (text := said.at(joined[start : start + SIZE]))]
    if len(texts) < len(read["lines"]):
        return None
    if read["marks"]:
        marks = zip(texts, read["marks"], strict=True)
        texts = [marked(text, section=section, deprecated=deprecated) for text, (section, deprecated) in marks]
    entries = entries_at(Place(**read["place"]), texts, read["lines"]) if texts else ()
    problems = tuple([Problem(**problem) for problem in read["problems"]])
    return Reading(
        entries=entries, problems=problems, is_partial=read["is_partial"], is_furniture=read["is_furniture"]
    )


READING = Codec(room="readings", key=_key, dump=_dump, load=_load)
