"""Reads front matter: the YAML above a Markdown text.

Only single values and plain lists of them are read. If the YAML is damaged, the lines `key: value` are still read.
The parser's events are read without recursion, so deep nesting does no harm.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

FENCED = re.compile(r"\A\s*^---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
PLAIN_LINE = re.compile(r"""^(?P<key>\w[\w-]*)[ \t]*:[ \t]+["']?(?P<value>.*?)["']?[ \t]*$""", re.M)
MAX_LENGTH = 8_000
"""The maximum number of characters in front matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By key in lower case: one value, or the values of a list."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """1-based line of each key in the document."""
    damaged_at: int = 0
    """The first line that is not YAML; 0 if there is none."""

    def first(self, *keys: str) -> str:
        """Returns the first value of the keys that is not blank."""
        return next((value for key in keys for value in self.all(key)), "")

    def all(self, *keys: str) -> tuple[str, ...]:
        """Returns the values of the keys that are not blank."""
        values = (" ".join(value.split()) for key in keys for value in self.values.get(key, ()))
        return tuple(filter(None, values))


def split(text: str) -> tuple[FrontMatter, str]:
    """Returns the front matter, and the document with blank lines in its place, which keeps the line numbers."""
    fenced = FENCED.match(text[:MAX_LENGTH])
    matter = _read(fenced["yaml"], text.count("\n", 0, fenced.start("yaml")) + 1) if fenced else FrontMatter()
    if fenced is None or not matter.values:
        return FrontMatter(), text
    return matter, "\n" * text.count("\n", 0, fenced.end()) + text[fenced.end() :]


def _read(source: str, first_line: int) -> FrontMatter:
    values: defaultdict[str, list[str]] = defaultdict(list)
    lines: dict[str, int] = {}
    try:
        for key, value, line in _pairs(source):
            lines.setdefault(key, first_line + line)
            values[key].append(value)
    except _DamagedError as damaged:
        return _read_lines(source, first_line, first_line + damaged.line)
    return FrontMatter(values={key: tuple(found) for key, found in values.items()}, lines=lines)


def _read_lines(source: str, first_line: int, damaged_at: int) -> FrontMatter:
    found = list(PLAIN_LINE.finditer(source))
    return FrontMatter(
        values={match["key"].lower(): (match["value"],) for match in found},
        lines={match["key"].lower(): first_line + source.count("\n", 0, match.start()) for match in found},
        damaged_at=damaged_at,
    )


class _DamagedError(Exception):
    """The text is not YAML from a line on, counted from 0."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _pairs(source: str) -> Iterator[tuple[str, str, int]]:
    """Yields each key of the outermost mapping with each of its values and the key's line, counted from 0.

    Raises `_DamagedError` if the text is not YAML.
    """
    import yaml  # few documents have front matter

    try:
        yield from _parsed_pairs(source)
    except yaml.MarkedYAMLError as error:
        raise _DamagedError(error.problem_mark.line if error.problem_mark else 0) from None
    except yaml.YAMLError:
        raise _DamagedError(0) from None


def _parsed_pairs(source: str) -> Iterator[tuple[str, str, int]]:
    import yaml

    mapping: list[type[yaml.Event]] = [yaml.MappingStartEvent]
    list_in_mapping = [yaml.MappingStartEvent, yaml.SequenceStartEvent]
    inside: list[type[yaml.Event]] = []
    key: yaml.ScalarEvent | None = None
    for event in yaml.parse(source, Loader=yaml.CBaseLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            inside.append(type(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            inside.pop()
        elif isinstance(event, yaml.ScalarEvent) and inside == mapping and key is None:
            key = event
            continue
        elif isinstance(event, yaml.ScalarEvent) and key and inside in (mapping, list_in_mapping):
            yield key.value.lower(), event.value, key.start_mark.line if key.start_mark else 0
        if inside == mapping and not isinstance(event, yaml.CollectionStartEvent):
            key = None
