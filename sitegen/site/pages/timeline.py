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
from operator import attrgetter
from typing import Literal, NamedTuple

from sitegen.model import Source
from sitegen.model.terms import COMPARED, MARKS, ChangeKind, Ids, main_kind
from sitegen.site.messages import Catalog, plain
from sitegen.site.pages.term_events import Period

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
WINDOWS: Mapping[tuple[bool, bool], LabelWindow] = {
    (True, True): "",
    (True, False): "on-narrow",
    (False, True): "on-wide",
}
"""The window by whether a label is in a narrow picture, and in a wide one."""


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
    histories: Sequence[Sequence[Period]], anchors: Ids, words: Catalog
) -> tuple[list[Mapping[str, object]], str]:
    """Returns the picture of a term's history in its sources, and the same in one sentence, for
    screen readers.

    `histories` are its periods by source, and `anchors` the HTML ids of all releases on the page.
    """
    lanes = []
    sentences = []
    for periods in histories:
        source = periods[0].source
        positions = _positions(source, mirrored=words.direction == "rtl")
        title = ""
        sentence = _sentence(periods, words)
        if len(histories) > 1:
            title = source.title
            sentence = plain(words.say("timeline.source", source=title, life=sentence))
        lanes.append(_lane(periods, positions, anchors, words, title=title))
        sentences.append(sentence)
    return lanes, plain(words.listed(sentences))


def _positions(source: Source, *, mirrored: bool) -> Positions:
    """Returns the positions of releases, from left to right or mirrored."""
    last = max(1, len(source.releases) - 1)
    positions = {}
    for number, release in enumerate(source.releases):
        x = number * WIDTH // last
        positions[release.name] = WIDTH - x if mirrored else x
    return positions


def _ticked(releases: Sequence[str]) -> list[str]:
    """Returns the releases that have a tick: all, or of very many the first of each minor version:
    1.8.0, and neither 1.8.1 nor 1.8.2."""
    if len(releases) <= MAX_TICKS:
        return list(releases)
    first_of_minor = []
    before = None
    for name in releases:
        minor = re.findall(r"\d+", name)[:2]  # "1" and "8"
        if minor != before:
            first_of_minor.append(name)
        before = minor
    return first_of_minor


def _lane(
    periods: Sequence[Period], positions: Positions, anchors: Ids, words: Catalog, *, title: str
) -> Mapping[str, object]:
    """Returns the values of the template for one source. Its title is empty if there is only
    one."""
    ticks = [f"M{positions[name]} {MIDDLE - TICK}v{2 * TICK}" for name in _ticked([*positions])]
    marks = []
    for period in periods:
        if period.is_event:
            marks.append(_mark(period, positions, anchors, words))
    labels = _labels(periods, positions, words)
    return {
        "title": title,
        "height": max(label.y for label, _ in labels) + BELOW,
        "ticks": "".join(ticks),
        # State of the term to the SVG path of its lines.
        "strokes": _strokes(periods, positions),
        "marks": marks,
        "labels": labels,
    }


def _strokes(periods: Iterable[Period], positions: Positions) -> Mapping[str, str]:
    """Returns the SVG path of the lines for each state of a term. A line goes on to the release
    that begins another state: "M0 10H500" if there is no other before 500."""
    states, starts = [], []
    for state, of_state in groupby(periods, key=attrgetter("state")):
        first = next(of_state)
        states.append(state)
        starts.append(positions[first.release.name])
    last = [*positions.values()][-1]
    ends = [*starts[1:], last]
    paths: dict[str, str] = defaultdict(str)
    for state, start, end in zip(states, starts, ends, strict=True):
        heights = [MIDDLE]
        if state == "deprecated":
            heights = [MIDDLE - APART, MIDDLE + APART]
        for height in heights:
            paths[state] += f"M{start} {height}H{end}"
    return paths


def _mark(event: Period, positions: Positions, anchors: Ids, words: Catalog) -> TimelineMark:
    """Returns the mark of an event."""
    release = event.release.name
    return TimelineMark(
        kinds=_marked(event.kinds),
        x=_percent(positions[release]),
        id=anchors[event.source.id, release],
        title=plain(words.happened(event.kinds, release)),
    )


def _marked(kinds: Iterable[ChangeKind]) -> list[ChangeKind]:
    """Returns the kinds of which a mark is shown: the one that represents all, and those with other
    marks that comparisons list too."""
    main = main_kind(kinds)
    by_mark = {MARKS[main]: main}
    for kind in kinds:
        if kind in COMPARED:
            by_mark.setdefault(MARKS[kind], kind)
    return [*by_mark.values()]


def _percent(position: int) -> str:
    """Returns a position as SVG has it.

    >>> _percent(375)
    '37.5%'
    """
    return f"{position / (WIDTH / 100):g}%"


def _labels(
    periods: Sequence[Period], positions: Positions, words: Catalog
) -> list[tuple[TimelineLabel, LabelWindow]]:
    """Returns labels of the first and the last release, and of changes, where they overlap no
    other, and the window that shows each. A wide window has room for more in a row."""
    texts = _label_texts(periods, words)
    narrow = _placed(texts, positions, picture_width=NARROW)
    wide = _placed(texts, positions, picture_width=WIDE)
    # A label may be in another row, or have another alignment, in a wide window.
    every = dict.fromkeys([*narrow, *wide])
    return [(label, WINDOWS[label in narrow, label in wide]) for label in every]


def _label_texts(periods: Sequence[Period], words: Catalog) -> dict[str, str]:
    """Returns the texts of the releases that may have a label: the first and the last one, then
    those with changes from the newest back."""
    releases = periods[0].source.releases
    changed = [period.release.name for period in reversed(periods) if period.is_event]
    texts = {}
    for name in (releases[0].name, releases[-1].name, *changed):
        text = words.version_text(name)
        if len(text) > LONGEST:
            text = f"{text[: LONGEST - 1]}…"
        texts[name] = text
    return texts


def _placed(
    texts: Mapping[str, str], positions: Positions, *, picture_width: int
) -> list[TimelineLabel]:
    """Returns the labels of a picture of a width, each in the first row in which it overlaps no
    other; one without room is left out. `texts` are by release."""
    labels = []
    rows: dict[int, list[Extent]] = {y: [] for y in ROWS}
    for name, text in texts.items():
        x = positions[name]
        anchor = _anchor(text, x, picture_width)
        width = len(text) * CHARACTER
        start = x * picture_width / WIDTH - width * ANCHORS[anchor]
        extent = (start, start + width)
        for y, others in rows.items():
            if not any(_overlap(extent, other) for other in others):
                others.append(extent)
                labels.append(TimelineLabel(text, _percent(x), y, anchor))
                break
    return labels


def _overlap(one: Extent, two: Extent) -> bool:
    """True if two labels with these extents have less than the minimum distance."""
    return one[0] < two[1] + GAP and two[0] < one[1] + GAP


def _anchor(text: str, position: int, picture_width: int) -> str:
    """Returns the alignment of a label: at an edge of the picture, it would not fit in the
    middle."""
    half = len(text) * CHARACTER / 2 * WIDTH / picture_width  # of its width, as a position
    if position < half:
        return "start"
    return "end" if position > WIDTH - half else "middle"


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
