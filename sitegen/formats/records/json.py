"""Reads JSON: lists and mappings of terms, including our own `glossary.json`."""

from __future__ import annotations

import json
import re

from sitegen.formats.records import Record, RecordBuilder, RecordList, RecordText, RecordValue, shapes
from sitegen.model import Document, Reading, UnreadableError

TOKEN = re.compile(r'[ \t\r\n]*(?:([\[\]{}])|([:,])|("(?:[^"\\\n]++|\\.)*+")|([^\s\[\]{}:,"]+))')
OPENING = {"{": "}", "[": "]"}
SPACE = re.compile(r"\s*")


def parse(document: Document) -> Reading:
    """Returns the terms in a JSON file."""
    return shapes.read(document, _json_value(document))


def _json_value(document: Document) -> RecordValue:
    """Returns the value of a JSON text. Raises UnreadableError.

    Commas and colons are not checked, because files written by hand often have one too many, or lack a value.
    """
    builder, text = RecordBuilder(document), document.text
    closing = []
    line, past, end = 1, 0, len(text.rstrip())
    while past < end:
        token = TOKEN.match(text, past)
        start = token.start(token.lastindex or 0) if token else SPACE.match(text, past).end()  # type: ignore[union-attr]
        line += text.count("\n", past, start)
        if token is None:
            raise UnreadableError("this is no JSON from here on", line=line)
        past = token.end()
        bracket, _, quoted, word = token.groups()
        if bracket in OPENING:
            builder.open(Record(line, []) if bracket == "{" else RecordList(line, []))
            closing.append(OPENING[bracket])
        elif bracket:
            if not closing or closing.pop() != bracket:
                raise UnreadableError(f"'{bracket}' closes nothing here", line=line)
            builder.close()
        elif quoted:
            builder.add(RecordText(line, _unquoted(quoted, line) if "\\" in quoted else quoted[1:-1]))
        elif word:
            builder.add(RecordText(line, "" if word == "null" else word))
    if closing or (root := builder.root()) is None:
        raise UnreadableError(f"the file ends, and '{closing[-1] if closing else '{'}' is missing", line=line)
    return root


def _unquoted(quoted: str, line: int) -> str:
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        raise UnreadableError("an escape that JSON does not have", line=line) from None
