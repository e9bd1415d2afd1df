"""The wordings of terms at each release: which one the page of a term shows, and which term has a
wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from sitegen.model import Entry
from sitegen.model.terms import Lane
from sitegen.permanence.ledger import SourceRelease, name_mark
from sitegen.text.words import digest

LanesByKey = Mapping[str, Sequence[Lane]]
"""Terms: their lanes by their keys."""


def wording_of(entry: Entry) -> str:
    """Returns the wording of an entry in a row: a digest of its words, and a short digest of its
    name."""
    return digest(entry.definition) + name_mark(entry.name)


class ShownWordings:
    """The wordings of all terms at the published releases."""

    def __init__(self, lanes: LanesByKey | None = None) -> None:
        self.lanes = lanes or {}
        self._shown: dict[str, Mapping[SourceRelease, str]] = {}
        self._keys: dict[SourceRelease, dict[str, str]] = {}

    def of(self, key: str) -> Mapping[SourceRelease, str]:
        """Returns the wording of a term for each published release in which it is defined."""
        if key not in self._shown:
            self._shown[key] = {
                (lane.source.id, release): wording
                for lane in self.lanes.get(key, ())
                if not lane.source.undated
                for span in lane.spans
                if span.entry
                for wording in [wording_of(span.entry)]
                for release in lane.names_in(span)
                if release not in lane.source.unreleased
            }
        return self._shown[key]

    @cached_property
    def _latest(self) -> Mapping[tuple[str, str], str]:
        """(source id, digest of words) to the key of the last term that had them."""
        latest: dict[tuple[str, str], tuple[int, str]] = {}
        for key, lanes in self.lanes.items():
            for lane in lanes:
                for span in lane.spans:
                    if span.entry:
                        words = lane.source.id, digest(span.entry.definition)
                        latest[words] = max(latest.get(words, (0, "")), (span.past, key))
        return {words: key for words, (_, key) in latest.items()}

    def last_with(self, words: str, source: str) -> str:
        """Returns the key of the last term of a source that had these words, under any name; empty
        if none had."""
        return self._latest.get((source, words), "")

    def term_with(self, wording: str, at: SourceRelease) -> str:
        """Returns the key of a term that has a wording in a release, or words or a name; empty if
        none has it."""
        if at not in self._keys:
            self._keys[at] = {}
            for key in self.lanes:
                if (found := self.of(key).get(at)) is not None:
                    for one in (found, found[:12], found[12:]):
                        self._keys[at].setdefault(one, key)
        return self._keys[at].get(wording, "")
