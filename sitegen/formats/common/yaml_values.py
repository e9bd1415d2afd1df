"""The single values in a text in YAML, and plain lists of them.

They are read from the parser's events: those are flat, so that nothing nested too deep can hurt.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

MAPPING: list[type[yaml.Event]] = [yaml.MappingStartEvent]
LIST_IN_MAPPING = [yaml.MappingStartEvent, yaml.SequenceStartEvent]


class DamagedError(Exception):
    """The text is not YAML from a line on, counted from 0."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def pairs(source: str) -> Iterator[tuple[str, str, int]]:
    """Yields every key of the outermost mapping with each of its values, and the key's line counted from 0.

    Raises `DamagedError` where the text stops being YAML.
    """
    try:
        yield from _pairs(source)
    except yaml.MarkedYAMLError as error:
        raise DamagedError(error.problem_mark.line if error.problem_mark else 0) from None
    except yaml.YAMLError:
        raise DamagedError(0) from None


def _pairs(source: str) -> Iterator[tuple[str, str, int]]:
    inside: list[type[yaml.Event]] = []
    key: yaml.ScalarEvent | None = None
    for event in yaml.parse(source, Loader=yaml.CBaseLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            inside.append(type(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            inside.pop()
        elif isinstance(event, yaml.ScalarEvent) and inside == MAPPING and key is None:
            key = event
            continue
        elif isinstance(event, yaml.ScalarEvent) and key and inside in (MAPPING, LIST_IN_MAPPING):
            yield key.value.lower(), event.value, key.start_mark.line if key.start_mark else 0
        if inside == MAPPING and not isinstance(event, yaml.CollectionStartEvent):
            key = None
