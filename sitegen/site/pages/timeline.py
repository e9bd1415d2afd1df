"""The picture of a term's history: a lane for each source, along which its releases are spaced
equally.

The picture is stretched to the available width, so horizontal positions are in thousandths of its
width. Sizes of shapes and labels are in pixels, and fit on the narrowest screen that shows the
picture.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Literal, NamedTuple

from sitegen.model import Source
from sitegen.model.terms import COMPARED, MARKS, ChangeKind, Course, CourseState, Ids, main_kind
from sitegen.site.messages import Catalog, plain
from sitegen.site.pages.term_events import TermEvent

WIDTH = 1000
MAX_TICKS = 40
"""If there are more releases, only minor versions have a tick."""

NARROW, WIDE = 312, 672
"""The minimum width of a picture in any window and in a wide one, in pixels."""
CHARACTER, GAP = 7, 8
"""The width of a character, and the minimum distance of two labels, in pixels."""
LONGEST = 14
"""Maximum number of characters in a label."""
MIDDLE, APART, TICK = 10, 2, 4
"""The vertical position of the line, and the distances of a double line and of a tick's ends from
it, in pixels."""
ROWS = (34, 48, 62)
"""The vertical positions of the rows of labels, in pixels. A row has those that do not fit in the
one above."""
BELOW = 8
"""The height below the last row, in pixels."""
ANCHORS = {"start": 0, "middle": 0.5, "end": 1}
"""The part of a label that is before its x."""

Positions = Mapping[str, int]
"""The x of each release of a source."""
Extent = tuple[float, float]
"""The start and the end of a label, in pixels."""
LabelWindow = Literal["", "on-narrow", "on-wide"]
"""The window that shows a label; empty for any."""


class TimelineMark(NamedTuple):
    """The shapes of an event, which lead to it."""

    kinds: Sequence[ChangeKind]
    """A kind for each shape; the first is on the line, and the others are above it."""
    x: str
    id: str
    """The HTML id of the event."""
    title: str


class TimelineLabel(NamedTuple):
    """The name of a release below the line."""

    text: str
    x: str
    y: int
    anchor: str
    """The part of the text that is at x, one of ANCHORS."""


def timeline(
    courses: Sequence[Course], events: Sequence[TermEvent], anchors: Ids, words: Catalog
) -> tuple[list[Mapping[str, object]], str]:
    """Returns the picture of a term's history in its sources, and a sentence with the same content
    for screen readers.

    `courses` are those of the term in these sources. `events` are its events in all of them, newest
    first, without the gaps: releases that could not be read. `anchors` are the HTML ids of all
    releases on the page.
    """
    lanes = []
    sentences = []
    for course in courses:
        title = course.source.title if len(courses) > 1 else ""
        events_of_source = [event for event in reversed(events) if event.course is course]
        lanes.append(_lane(course, events_of_source, anchors, words, title=title))
        sentence = _sentence(course, events_of_source, words)
        if title:
            sentence = plain(words.say("timeline.source", source=title, life=sentence))
        sentences.append(sentence)
    return lanes, plain(words.listed(sentences))


def _lane(
    course: Course, events: Sequence[TermEvent], anchors: Ids, words: Catalog, *, title: str
) -> Mapping[str, object]:
    """Returns the lane of a source. `events` are those of the term there, oldest first; `title` is
    empty if there is only one source."""
    positions = _positions(course.source, mirrored=words.direction == "rtl")
    labels = _labels(course.source, events, positions, words)
    ticks = ""
    for name in _releases_with_tick(course.releases):
        ticks += f"M{positions[name]} {MIDDLE - TICK}v{2 * TICK}"
    return {
        "title": title,
        "height": max(label.y for label, _ in labels) + BELOW,
        "ticks": ticks,
        # State of the term to the SVG path of its lines.
        "strokes": _strokes(course, positions),
        "marks": [_mark(event, positions, anchors, words) for event in events],
        "labels": labels,
    }


def _positions(source: Source, *, mirrored: bool) -> Positions:
    """Returns the positions of releases, from left to right or mirrored."""
    number_of_steps = max(1, len(source.releases) - 1)  # 1 if there is one release
    positions = {}
    for number, release in enumerate(source.releases):
        x = number * WIDTH // number_of_steps
        positions[release.name] = WIDTH - x if mirrored else x
    return positions


def _releases_with_tick(releases: Sequence[str]) -> list[str]:
    """Returns the releases that have a tick. If there are very many, only the first release of each
    minor version has one: 1.8.0, but not 1.8.1."""
    if len(releases) <= MAX_TICKS:
        return list(releases)
    first_of_minor_versions = []
    previous_version = None
    for name in releases:
        minor_version = re.findall(r"\d+", name)[:2]  # ["1", "8"]
        if minor_version != previous_version:
            first_of_minor_versions.append(name)
        previous_version = minor_version
    return first_of_minor_versions


def _states(course: Course) -> list[tuple[CourseState, str]]:
    """Returns the states of a term, each with the release in which it begins."""
    states: list[tuple[CourseState, str]] = []
    for state, spans in groupby(course.spans, key=attrgetter("state")):
        first_span = next(spans)
        states.append((state, course.releases[first_span.first]))
    return states


def _strokes(course: Course, positions: Positions) -> Mapping[str, str]:
    """Returns the SVG path of the lines for each state of a term. A line ends where the next state
    begins: "M0 10H500" is a state from 0 to 500."""
    states = _states(course)
    starts = [positions[release] for _, release in states]
    ends = [*starts[1:], positions[course.releases[-1]]]
    paths: dict[str, str] = defaultdict(str)
    for (state, _), start, end in zip(states, starts, ends, strict=True):
        heights = [MIDDLE]
        if state == "deprecated":
            heights = [MIDDLE - APART, MIDDLE + APART]  # a double line
        for height in heights:
            paths[state] += f"M{start} {height}H{end}"
    return paths


def _mark(event: TermEvent, positions: Positions, anchors: Ids, words: Catalog) -> TimelineMark:
    """Returns the mark of an event."""
    release = event.release.name
    return TimelineMark(
        kinds=_kinds_of_shapes(event.kinds),
        x=_percent(positions[release]),
        id=anchors[event.course.source.id, release],
        title=plain(words.happened(event.kinds, release)),
    )


def _kinds_of_shapes(kinds: Iterable[ChangeKind]) -> list[ChangeKind]:
    """Returns the kinds of change that have a shape in a mark: the main kind first, then those that
    comparisons list too. Kinds that look the same have one shape."""
    main = main_kind(kinds)
    kind_of_shape = {MARKS[main]: main}
    for kind in kinds:
        if kind in COMPARED:
            kind_of_shape.setdefault(MARKS[kind], kind)
    return [*kind_of_shape.values()]


def _percent(position: int) -> str:
    """Returns a position as SVG has it.

    >>> _percent(375)
    '37.5%'
    """
    return f"{position / (WIDTH / 100):g}%"


def _labels(
    source: Source, events: Sequence[TermEvent], positions: Positions, words: Catalog
) -> list[tuple[TimelineLabel, LabelWindow]]:
    """Returns the labels of releases, each with the window that shows it. In a wide window there is
    room for more of them, and some are in another place."""
    texts = _label_texts(source, events, words)
    narrow = _labels_with_room(texts, positions, picture_width=NARROW)
    wide = _labels_with_room(texts, positions, picture_width=WIDE)
    labels: list[tuple[TimelineLabel, LabelWindow]] = []
    for label in dict.fromkeys([*narrow, *wide]):  # each label once
        if label not in wide:
            labels.append((label, "on-narrow"))
        elif label not in narrow:
            labels.append((label, "on-wide"))
        else:
            labels.append((label, ""))
    return labels


def _label_texts(source: Source, events: Sequence[TermEvent], words: Catalog) -> dict[str, str]:
    """Returns the texts of the releases that may have a label. The most important ones are first:
    the first and the last release, then those with changes, newest first."""
    releases = source.releases
    changed = [event.release.name for event in reversed(events)]
    texts = {}
    for name in (releases[0].name, releases[-1].name, *changed):
        text = words.version_text(name)
        if len(text) > LONGEST:
            text = f"{text[: LONGEST - 1]}…"
        texts[name] = text
    return texts


def _labels_with_room(
    texts: Mapping[str, str], positions: Positions, *, picture_width: int
) -> list[TimelineLabel]:
    """Returns the labels of a picture with this width, in pixels. A label is in the first row in
    which it overlaps no other label; a label without room is left out.

    `texts` are by release, the most important first.
    """
    labels = []
    rows: dict[int, list[Extent]] = {y: [] for y in ROWS}
    for name, text in texts.items():
        x = positions[name]
        anchor = _anchor(text, x, picture_width)
        width = len(text) * CHARACTER
        start = x * picture_width / WIDTH - width * ANCHORS[anchor]
        extent = (start, start + width)
        for y, extents_in_row in rows.items():
            if not any(_overlap(extent, other) for other in extents_in_row):
                extents_in_row.append(extent)
                labels.append(TimelineLabel(text, _percent(x), y, anchor))
                break
    return labels


def _overlap(one: Extent, two: Extent) -> bool:
    """True if two labels with these extents have less than the minimum distance."""
    return one[0] < two[1] + GAP and two[0] < one[1] + GAP


def _anchor(text: str, position: int, picture_width: int) -> str:
    """Returns the alignment of a label with a position. It is centered, unless that would take it
    over an edge of the picture."""
    half_width = len(text) * CHARACTER / 2 * WIDTH / picture_width  # from pixels to positions
    if position < half_width:
        return "start"
    if position > WIDTH - half_width:
        return "end"
    return "middle"


def _sentence(course: Course, events: Iterable[TermEvent], words: Catalog) -> str:
    """Returns the history in one source as a sentence. `events` are the events there, oldest
    first."""
    numbers = course.source.numbers
    phrases = []  # each after the number of its release
    for event in events:
        for kind in event.kinds:
            phrases.append((event.numbers[0], words.happened([kind], event.release.name)))
    for state, release in _states(course):
        if state == "unread":
            phrases.append((numbers[release], words.happened(["unread"], release)))
    phrases.sort(key=itemgetter(0))

    happened = words.listed(phrase for _, phrase in phrases)
    first, last = words.version(course.releases[0]), words.version(course.releases[-1])
    return plain(words.say("timeline", first=first, last=last, events=happened))
