"""The releases of a term that its page lets a reader compare: those in which it was defined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sitegen.model import Life


class Choice(NamedTuple):
    id: str
    """Stands on the page for the release, where its wording is found."""
    name: str
    """The release's, after that of its source where there are several."""
    is_newest: bool
    """Of the source that comes first: what the others are first compared with."""


def choices(life: Life, anchors: Mapping[tuple[str, str], str]) -> tuple[Choice, ...]:
    """Returns what can be compared, by source, oldest first; nothing where there is one wording."""
    lanes = [lane for lane in life.term.lanes if not lane.source.undated]
    sources = {lane.source.id for lane in lanes}
    if sum(1 for revision in life.revisions if revision.source in sources) < 2:
        return ()
    newest = [step.release for step in lanes[0].steps if step.entry][-1]
    return tuple(
        Choice(
            id=anchors[lane.source.id, step.release],
            name=f"{lane.source.title} {step.release}" if len(lanes) > 1 else step.release,
            is_newest=lane is lanes[0] and step.release == newest,
        )
        for lane in lanes
        for step in lane.steps
        if step.entry
    )
