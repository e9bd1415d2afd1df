"""When two names are the same name.

Names are compared after NFC, white space and case folding. Where one document defines two names that only folding
makes equal (`HEAD` beside `head`), folding proves nothing about them, and they are compared exactly everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from sitegen.model import Entry

_SPACE = re.compile(r"\s+")


def exact(name: str) -> str:
    """Returns a name in its normal form: NFC, single spaces."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", name)).strip()


@lru_cache(maxsize=50_000)
def fold(name: str) -> str:
    """Returns what a name is compared by: `exact`, without regard to case."""
    # Folding case can undo the normal form (Unicode 3.13, D145), so it is restored.
    return unicodedata.normalize("NFC", exact(name).casefold())


@dataclass(frozen=True, slots=True)
class Keys:
    """Gives each name the key by which it is the same name as another."""

    ambiguous: frozenset[str]
    """Folded names that stand for several names in some document."""

    def key(self, name: str) -> str:
        folded = fold(name)
        return exact(name) if folded in self.ambiguous else folded

    def preferred(self, entry: Entry) -> str:
        return self.key(entry.name)

    def admitted(self, entry: Entry) -> tuple[str, ...]:
        """Keys of an entry's other names, each once, without the preferred one."""
        keys = dict.fromkeys(self.key(designation.text) for designation in entry.designations)
        return tuple(key for key in keys if key != self.preferred(entry))


def keys(readings: Iterable[Iterable[Entry]]) -> Keys:
    """Returns the keys for all names of these readings, each the entries of one source at one release."""
    ambiguous: set[str] = set()
    for entries in readings:
        ambiguous.update(_side_by_side(entries))
    return Keys(frozenset(ambiguous))


def _side_by_side(entries: Iterable[Entry]) -> set[str]:
    """Folded names under which two entries stand whose preferred names differ exactly."""
    seen: dict[str, str] = {}
    found = set()
    for entry in entries:
        folded, name = fold(entry.name), exact(entry.name)
        if seen.setdefault(folded, name) != name:
            found.add(folded)
    return found
