"""A term's history in one source as periods (each release with changes, and each run of releases
without), and its picture: a lane for each source, along which its releases are spaced equally.

The picture is stretched to the available width, so horizontal positions are in thousandths of its
width. Sizes of shapes and labels are in pixels, and fit on the narrowest screen that shows the
picture.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import accumulate, groupby, pairwise
from operator import attrgetter, itemgetter
from typing import NamedTuple

from sitegen.model import Release, Source, grouped
from sitegen.model.terms import MINOR, Change, ChangeKind, Course, CourseState, Ids, main_kind
from sitegen.site.messages import Catalog, plain

DEFINED = frozenset({"defined", "deprecated"})
"""States of a term that has a definition."""

WIDTH = 1000
MANY = 40
"""If there are more releases, only minor versions have a tick."""

WIDTHS = {"": 312, "wide": 672}
"""The minimum width of a picture in any window and in a wide one, in pixels."""
CHARACTER, GAP = 7, 8
"""The width of a character, and the minimum distance of two labels, in pixels."""
LONGEST = 14
"""Maximum number of characters in a label."""
MIDDLE, APART, TICK = 10, 2, 4
"""The vertical position of the line, and the distances of a double line and of a tick's ends from
it, in pixels."""


TimelineMark = tuple[str, str, str, str]
"""The kind of a change, whose shape is drawn, its x, the id of its event, and its title."""
TimelineLabel = tuple[str, str, str, str]
"""A text, its x, the part of the text that is at x (start, middle or end), and the window that
shows it."""


Positions = Mapping[str, int]
"""The x of each release of a source."""


class Period(NamedTuple):
    """One release of a source with changes of a term, or a run of releases without."""

    source: Source
    first: int
    """The number of the first release."""
    past: int
    """The number of the release after the last."""
    state: CourseState
    """The state of the term."""
    changes: tuple[Change, ...]

    @property
    def release(self) -> Release:
        """The first release."""
        return self.source.releases[self.first]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the releases."""
        return tuple([release.name for release in self.source.releases[self.first : self.past]])

    @property
    def kinds(self) -> tuple[ChangeKind, ...]:
        return tuple([change.kind for change in self.changes])

    @property
    def is_gap(self) -> bool:
        return self.state == "unread"

    @property
    def is_event(self) -> bool:
        return not MINOR.issuperset(self.kinds)


def periods(course: Course) -> tuple[Period, ...]:
    """Returns the periods of a term in one source, oldest first."""
    changes = grouped((change.release, change) for change in course.changes)
    states: list[CourseState] = []
    for span in course.spans:
        states += [span.state] * (span.past - span.first)

    def run(number: int) -> object:
        """Groups releases without changes; defined and deprecated are one group, since a change
        separates them."""
        if course.releases[number] in changes:
            return number
        return "defined" if states[number] in DEFINED else states[number]

    found = []
    for _, group in groupby(range(len(states)), key=run):
        numbers = [*group]
        first, past = numbers[0], numbers[-1] + 1
        changed = changes.get(course.releases[first], ())
        found.append(Period(course.source, first, past, states[first], changed))
    return tuple(found)


def events(histories: Iterable[Sequence[Period]]) -> tuple[Sequence[Period], ...]:
    """Returns the events of a term and the gaps between them, newest first, each with the periods
    that it determines.

    `histories` are its periods by source. The events of different sources are sorted by date if all
    dates are known; those of one source stay in the order of its releases, also where an older one
    has a later date.
    """
    found: list[tuple[date, Sequence[Period]]] = []
    for periods in histories:
        own = _events(periods)
        days = accumulate((event[0].release.date or date.min for event in own), max)
        found += reversed([*zip(days, own, strict=True)])
    if all(event[0].release.date for _, event in found):
        found.sort(key=itemgetter(0), reverse=True)
    return tuple([event for _, event in found])


def _events(periods: Iterable[Period]) -> list[list[Period]]:
    """Returns the events and gaps in one source, oldest first. Periods before the first event
    belong to it."""
    groups: list[list[Period]] = []
    early: list[Period] = []
    in_force: list[Period] | None = None
    for period in periods:
        if period.is_event:
            in_force = [period]
            groups.append(in_force)
        elif in_force is None:
            early.append(period)
        elif period.is_gap and in_force[-1].state in DEFINED:
            groups.append([period])
        else:
            in_force.append(period)
    groups[0].extend(early)
    return groups


# The picture.


def timeline(
    histories: Sequence[Sequence[Period]], anchors: Ids, words: Catalog
) -> tuple[list[Mapping[str, object]], str]:
    """Returns the picture of a term's history in its sources, and the same in one sentence, for
    screen readers.

    `histories` are its periods by source, and `anchors` the HTML ids of all releases on the page.
    """
    lanes, lives = [], []
    for periods in histories:
        source, title, life = periods[0].source, "", _sentence(periods, words)
        if len(histories) > 1:
            title = source.title
            life = plain(words.say("timeline.source", source=title, life=life))
        positions = _positions(source, mirrored=words.direction == "rtl")
        lanes.append(_lane(periods, positions, anchors, words, title=title))
        lives.append(life)
    return lanes, plain(words.listed(lives))


def _positions(source: Source, *, mirrored: bool) -> Positions:
    """Returns the positions of releases, from left to right or mirrored."""
    last = max(1, len(source.releases) - 1)
    positions = {}
    for number, release in enumerate(source.releases):
        x = number * WIDTH // last
        positions[release.name] = WIDTH - x if mirrored else x
    return positions


def ticked(releases: Sequence[str]) -> list[str]:
    """Returns the releases that have a tick: all, or of very many the first of each minor
    version."""
    if len(releases) <= MANY:
        return list(releases)
    first_of_minor = []
    before = None
    for name in releases:
        minor = re.findall(r"\d+", name)[:2]
        if minor != before:
            first_of_minor.append(name)
        before = minor
    return first_of_minor


def _lane(
    periods: Sequence[Period], positions: Positions, anchors: Ids, words: Catalog, *, title: str
) -> Mapping[str, object]:
    """Returns the values of the template for one source. Its title is empty if there is only
    one."""
    ticks = [f"M{positions[name]} {MIDDLE - TICK}v{2 * TICK}" for name in ticked([*positions])]
    events = [period for period in periods if period.is_event]
    return {
        "title": title,
        "ticks": "".join(ticks),
        # State of the term to the SVG path of its lines.
        "strokes": _strokes(periods, positions),
        "marks": [_mark(event, positions, anchors, words) for event in events],
        "labels": [*_labels(periods, positions, words)],
    }


def _strokes(periods: Iterable[Period], positions: Positions) -> Mapping[str, str]:
    """Returns the SVG path of the lines for each state of a term."""
    states, starts = [], []
    for state, several in groupby(periods, key=attrgetter("state")):
        states.append(state)
        starts.append(positions[next(several).release.name])
    end = [*positions.values()][-1]
    paths: dict[str, str] = defaultdict(str)
    for state, (start, stop) in zip(states, pairwise([*starts, end]), strict=True):
        heights = [MIDDLE]
        if state == "deprecated":
            heights = [MIDDLE - APART, MIDDLE + APART]
        for height in heights:
            paths[state] += f"M{start} {height}H{stop}"
    return paths


def _mark(event: Period, positions: Positions, anchors: Ids, words: Catalog) -> TimelineMark:
    release = event.release.name
    title = words.happened(event.kinds, release)
    id = anchors[event.source.id, release]
    return main_kind(event.kinds), _percent(positions[release]), id, plain(title)


def _percent(position: int) -> str:
    return f"{position / (WIDTH / 100):g}%"


def _labels(
    periods: Sequence[Period], positions: Positions, words: Catalog
) -> Iterator[TimelineLabel]:
    """Yields labels of the first and the last release, and of changes from the newest back, where
    they overlap no other. A wide window has room for more."""
    releases = periods[0].source.releases
    changed = [period.release.name for period in reversed(periods) if period.is_event]
    texts = {}
    for name in (releases[0].name, releases[-1].name, *changed):
        text = words.version_text(name)
        texts[name] = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    shown: list[str] = []
    for window, width in WIDTHS.items():
        extents = {name: _extent(text, positions[name], width) for name, text in texts.items()}
        for name, text in texts.items():
            if not any(_overlap(extents[name], extents[other]) for other in shown):
                shown.append(name)
                x = positions[name]
                yield text, _percent(x), _anchor(text, x), window


def _overlap(one: tuple[float, float], two: tuple[float, float]) -> bool:
    """True if two labels with these extents have less than the minimum distance."""
    return one[0] < two[1] + GAP and two[0] < one[1] + GAP


def _anchor(text: str, position: int) -> str:
    """Returns the alignment of a label: at an edge of the narrowest picture, it would not fit in
    the middle."""
    half = len(text) * CHARACTER / 2 * WIDTH / WIDTHS[""]
    if position < half:
        return "start"
    return "end" if position > WIDTH - half else "middle"


def _extent(text: str, position: int, picture_width: int) -> tuple[float, float]:
    """Returns the start and the end of a label in a picture of a width."""
    width = len(text) * CHARACTER
    part_before = {"start": 0, "middle": 0.5, "end": 1}[_anchor(text, position)]
    start = position * picture_width / WIDTH - width * part_before
    return start, start + width


def _sentence(periods: Sequence[Period], words: Catalog) -> str:
    """Returns the history in one source as a sentence."""
    events = []
    for period in periods:
        kinds: Sequence[str] = period.kinds if period.is_event else ()
        if period.is_gap:
            kinds = ("unread",)
        events += [words.happened([kind], period.release.name) for kind in kinds]
    releases = periods[0].source.releases
    first, last = words.version(releases[0].name), words.version(releases[-1].name)
    return plain(words.say("timeline", first=first, last=last, events=words.listed(events)))
