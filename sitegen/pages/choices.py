"""The releases of a term that its page lets a reader compare: those in which it was defined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitegen.model import Lane, Life


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    id: str
    """Stands on the page for the release, where its wording is found."""
    name: str
    """The release's, after that of its source where there are several."""


def choices(life: Life, anchors: Mapping[tuple[str, str], str]) -> tuple[Choice, ...]:
    """Returns what can be compared, by source, oldest first; nothing where there is one wording."""
    lanes = [lane for lane in life.term.lanes if not lane.source.undated]
    sources = {lane.source.id for lane in lanes}
    if sum(1 for revision in life.revisions if revision.source in sources) < 2:
        return ()
    return tuple(choice for lane in lanes for choice in _of(lane, anchors, several=len(lanes) > 1))


def _of(lane: Lane, anchors: Mapping[tuple[str, str], str], *, several: bool) -> Iterator[Choice]:
    prefix = f"{lane.source.title} " if several else ""
    for step in lane.steps:
        if step.state == "defined":
            yield Choice(id=anchors[lane.source.id, step.release], name=prefix + step.release)
