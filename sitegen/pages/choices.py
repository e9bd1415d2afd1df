"""The releases of a term that its page lets a reader compare: those in which it was defined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitegen.model import Lane, Life


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The releases of one source, oldest first."""

    source: str
    releases: tuple[tuple[str, str], ...]
    """The id that stands on the page for a release, where its wording is found, and its name."""


def choices(life: Life, anchors: Mapping[tuple[str, str], str]) -> tuple[Choice, ...]:
    """Returns what can be compared; nothing where there is one wording."""
    lanes = [lane for lane in life.term.lanes if not lane.source.undated]
    dated = {lane.source.id for lane in lanes}
    if sum(1 for revision in life.revisions if revision.source in dated) < 2:
        return ()
    return tuple(Choice(source=lane.source.title, releases=tuple(_defined(lane, anchors))) for lane in lanes)


def _defined(lane: Lane, anchors: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    for step in lane.steps:
        if step.state == "defined":
            yield anchors[lane.source.id, step.release], step.release
