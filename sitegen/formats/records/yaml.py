"""Reads YAML: lists and mappings of terms, as in Jekyll's `_data`, Quarto, glosario, Glossarist or DataHub."""

from __future__ import annotations

from itertools import count

import yaml

from sitegen.formats.records import Record, RecordBuilder, RecordList, RecordText, RecordValue, shapes
from sitegen.model import Document, ProblemKind, Reading, UnreadableError

MAX_ALIASES = 10_000


def parse(document: Document) -> Reading:
    """Returns the terms in a YAML file."""
    return shapes.read(document, _yaml_value(document))


def _yaml_value(document: Document) -> RecordValue:
    """Returns the value of a YAML text. Raises UnreadableError."""
    builder = RecordBuilder(document)
    anchors: dict[str, RecordValue] = {}
    aliases = count(1)
    try:
        for event in yaml.parse(document.text, Loader=yaml.CBaseLoader):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.CollectionEndEvent):
                builder.close()
            elif isinstance(event, yaml.AliasEvent):
                if next(aliases) > MAX_ALIASES:
                    raise UnreadableError(f"more than {MAX_ALIASES:,} aliases", kind=ProblemKind.LIMIT, line=line)
                builder.add(anchors.get(str(event.anchor), RecordText(line, "")))
            elif isinstance(event, yaml.ScalarEvent):
                is_null = event.implicit[0] and event.value in ("null", "~", "Null")
                builder.add(text := RecordText(line, "" if is_null else event.value))
                anchors[event.anchor or ""] = text
            elif isinstance(event, yaml.CollectionStartEvent):
                is_list = isinstance(event, yaml.SequenceStartEvent)
                builder.open(inner := RecordList(line, []) if is_list else Record(line, []))
                anchors[event.anchor or ""] = inner
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", str(error).split("\n")[0])
        raise UnreadableError(f"this is no YAML: {problem}", line=mark.line + 1 if mark else 1) from None
    return builder.root() or RecordList(1, [])
