"""Finds what has a name: as the name is spelled, in any case, or by the stems of its words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from sitegen.text.names import exact, fold, stems

Named = TypeVar("Named")
"""What has names: for references in definitions a term in a source, for other documents a term."""


class NameIndex(Generic[Named]):
    """Names, and what has them. Of several holders of a name, the caller chooses."""

    def __init__(self, names: Iterable[tuple[str, Named]]) -> None:
        self._holders: dict[str, list[Named]] = defaultdict(list)
        for name, holder in names:
            for form in {exact(name), fold(name)}:
                self._holders[form].append(holder)
        self._by_stems: dict[str, Mapping[str, Sequence[Named]]] = {}

    @property
    def forms(self) -> Iterable[str]:
        """The names as they are spelled, and folded."""
        return self._holders.keys()

    def spelled(self, name: str) -> Sequence[Named]:
        """Returns what has a name with the same spelling."""
        return self._holders.get(exact(name), ())

    def folded(self, name: str) -> Sequence[Named]:
        """Returns what has a name with the same letters, in any case."""
        return self._holders.get(fold(name), ())

    def alike(self, name: str, language: str) -> Sequence[Named]:
        """Returns what has a name whose words have the same stems, such as a plural."""
        if language not in self._by_stems:
            self._by_stems[language] = self._holders_by_stems(language)
        return self._by_stems[language].get(stems(name, language), ())

    def _holders_by_stems(self, language: str) -> Mapping[str, Sequence[Named]]:
        """Returns the holders by the stems of their names. Few look-ups need it."""
        found: dict[str, list[Named]] = defaultdict(list)
        for form, holders in self._holders.items():
            if form == fold(form):  # those of any other form are there as well
                found[stems(form, language)] += holders
        return found
