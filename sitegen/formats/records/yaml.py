"""Reads YAML: lists and mappings of terms, as in Jekyll's `_data`, Quarto, glosario, Glossarist or DataHub."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count

import yaml

from sitegen.formats.records import Record, RecordBuilder, RecordList, RecordText, RecordValue, shapes
from sitegen.model import Document, ProblemKind, Reading, UnreadableError

MAX_ALIASES = 10_000
LANGUAGE_LINE = re.compile(r" +([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?):\s*")
"""The beginning of a mapping of a language."""


def parse(document: Document) -> Reading:
    """Returns the terms in a YAML file."""
    language = document.section
    if shapes.LANGUAGE.fullmatch(language):
        document = replace(document, text=_of_language(document.text, language))
    return shapes.read(document, _yaml_value(document))


def _of_language(text: str, language: str) -> str:
    """Returns a text without the mappings of other languages, on the same lines: reading them all takes too long."""
    lines = text.split("\n")
    depth = -1
    for number, line in enumerate(lines):
        indentation = len(line) - len(line.lstrip(" "))
        if depth >= 0 and (indentation > depth or not line.strip()):
            lines[number] = ""
            continue
        match = LANGUAGE_LINE.fullmatch(line)
        is_other = match and match[1] != language and match[1].partition("-")[0] in shapes.CODES
        depth = indentation if is_other else -1
        lines[number] = "" if is_other else line
    return "\n".join(lines)


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
