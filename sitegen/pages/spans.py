"""A term's life cut into spans, and spans gathered into episodes: the bones of a history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import chain, groupby

from sitegen.model import Change, Lane, Release, Source, Step

MINOR = frozenset({"reformatted", "moved"})
"""Changes that no reader of the words would notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One release of a source in which something changed, or a run of releases in which nothing did."""

    source: Source
    first: Release
    releases: tuple[str, ...]
    steps: tuple[Step, ...]
    changes: tuple[Change, ...]

    @property
    def is_gap(self) -> bool:
        return self.steps[0].state == "unread"

    @property
    def is_told(self) -> bool:
        """False for the time before a term and after it."""
        return bool(self.changes) or self.steps[0].state != "absent"

    @property
    def is_event(self) -> bool:
        return any(change.kind not in MINOR for change in self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An event or a gap, and the spans during which it was the state of things."""

    span: Span
    others: tuple[Span, ...]

    @property
    def releases(self) -> tuple[str, ...]:
        return tuple(chain(self.span.releases, *[span.releases for span in self.others]))

    @property
    def date(self) -> date | None:
        return self.span.first.date


def spans(lane: Lane, changes: Iterable[Change]) -> tuple[Span, ...]:
    """Returns a lane's spans, oldest first. `changes` are those of the lane's term."""
    by_release: dict[str, tuple[Change, ...]] = {}
    for change in changes:
        if change.source == lane.source.id:
            by_release[change.release] = (*by_release.get(change.release, ()), change)
    grouped = groupby(lane.steps, key=lambda step: step.release if step.release in by_release else step.state)
    return tuple(_spans(lane.source, (tuple(steps) for _, steps in grouped), by_release))


def _spans(
    source: Source, runs: Iterable[tuple[Step, ...]], changes: Mapping[str, tuple[Change, ...]]
) -> Iterator[Span]:
    place = 0
    for steps in runs:
        releases = tuple([step.release for step in steps])
        yield Span(
            source=source,
            first=source.releases[place],
            releases=releases,
            steps=steps,
            changes=changes.get(releases[0], ()),
        )
        place += len(steps)


def episodes(spans: Iterable[Span]) -> tuple[Episode, ...]:
    """Returns the events of one lane and the gaps between them, oldest first; every span belongs to one of them."""
    gathered: list[list[Span]] = []
    early: list[Span] = []
    in_force: list[Span] | None = None
    for span in spans:
        if span.is_event:
            in_force = [span]
            gathered.append(in_force)
        elif in_force is None:
            early.append(span)
        elif span.is_gap and in_force[-1].steps[-1].state == "defined":
            gathered.append([span])
        else:
            in_force.append(span)
    gathered[0].extend(early)
    return tuple(Episode(span=first, others=tuple(others)) for first, *others in gathered)


def newest_first(lanes: Iterable[tuple[Episode, ...]]) -> tuple[Episode, ...]:
    """Returns the episodes of all lanes: by date where every date is known, else lane by lane."""
    told = [episode for lane in lanes for episode in reversed(lane)]
    dates = {id(episode): episode.date or date.min for episode in told}
    if date.min in dates.values():
        return tuple(told)
    return tuple(sorted(told, key=lambda episode: dates[id(episode)], reverse=True))
