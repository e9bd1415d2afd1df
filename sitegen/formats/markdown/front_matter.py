"""Front matter: the few lines of YAML above a Markdown text.

Only single values and plain lists of them are read (`_yaml`). Where the YAML is damaged, each line that says
`key: value` still counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

FENCED = re.compile(r"\A\s*^---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
PLAIN_LINE = re.compile(r"""^(?P<key>\w[\w-]*)[ \t]*:[ \t]+["']?(?P<value>.*?)["']?[ \t]*$""", re.M)
MAX_LENGTH = 8_000
"""Characters; what is longer is no front matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By key in lower case: one value, or those of a list."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """1-based line of each key in the document."""
    damaged_at: int = 0
    """The line where it stops being YAML; 0 when it is sound."""

    def first(self, *keys: str) -> str:
        """Returns the first value that is not blank under any of the keys."""
        return next((value for key in keys for value in self.all(key)), "")

    def all(self, *keys: str) -> tuple[str, ...]:
        """Returns the values that are not blank under the keys."""
        values = (" ".join(value.split()) for key in keys for value in self.values.get(key, ()))
        return tuple(filter(None, values))


def split(text: str) -> tuple[FrontMatter, str]:
    """Returns a document's front matter, and its text with blank lines instead, so that lines keep their numbers."""
    fenced = FENCED.match(text[:MAX_LENGTH])
    matter = _read(fenced["yaml"], text.count("\n", 0, fenced.start("yaml")) + 1) if fenced else FrontMatter()
    if fenced is None or not matter.values:
        return FrontMatter(), text
    return matter, "\n" * text.count("\n", 0, fenced.end()) + text[fenced.end() :]


def _read(source: str, first_line: int) -> FrontMatter:
    from sitegen.formats.common.yaml_values import DamagedError, pairs  # few documents have any

    values: defaultdict[str, list[str]] = defaultdict(list)
    lines: dict[str, int] = {}
    try:
        for key, value, line in pairs(source):
            lines.setdefault(key, first_line + line)
            values[key].append(value)
    except DamagedError as damaged:
        return _read_lines(source, first_line, first_line + damaged.line)
    return FrontMatter(values={key: tuple(found) for key, found in values.items()}, lines=lines)


def _read_lines(source: str, first_line: int, damaged_at: int) -> FrontMatter:
    found = list(PLAIN_LINE.finditer(source))
    return FrontMatter(
        values={match["key"].lower(): (match["value"],) for match in found},
        lines={match["key"].lower(): first_line + source.count("\n", 0, match.start()) for match in found},
        damaged_at=damaged_at,
    )
