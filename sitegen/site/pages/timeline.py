"""The timeline of a term: a lane for each source, along which its releases are spaced equally.

The picture is stretched to the available width, so horizontal positions are in thousandths of its
width. Sizes of shapes and labels are in pixels, and fit on the narrowest screen that shows the
picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from sitegen.model import Source
from sitegen.model.terms import Ids, main_kind
from sitegen.site.messages import Catalog, plain
from sitegen.site.pages.periods import Period

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
LABEL, ROW, ROWS = 34, 16, 2
"""The position of the first row of labels, the height of a row in pixels, and the maximum number of
rows."""


TimelineMark = tuple[str, str, str, str]
"""The kind of a change, whose shape is drawn, its x, the id of its event, and its title."""
TimelineLabel = tuple[str, str, int, str, str]
"""A text, its x and y, the part of the text that is at x (start, middle or end), and the window
that shows it."""


Positions = Mapping[str, int]
"""The x of each release of a source."""


def timeline(
    histories: Sequence[Sequence[Period]], anchors: Ids, words: Catalog
) -> tuple[list[Mapping[str, object]], str]:
    """Returns the picture of a term's history in its sources, and the same in one sentence, for
    screen readers.

    `histories` are its periods by source, and `anchors` the HTML ids of all releases on the page.
    """
    lanes, lives = [], []
    for periods in histories:
        source = periods[0].source
        title, life = source.title if len(histories) > 1 else "", _sentence(periods, words)
        positions = _positions(source, mirrored=words.direction == "rtl")
        lanes.append(_lane(periods, positions, anchors, words, title=title))
        lives.append(
            words.plain_text("timeline.source", source=title, life=life) if title else life
        )
    return lanes, plain(words.listed(lives))


def _positions(source: Source, *, mirrored: bool) -> Positions:
    """Returns the positions of releases, from left to right or mirrored."""
    last = max(1, len(source.releases) - 1)
    positions = {
        release.name: number * WIDTH // last for number, release in enumerate(source.releases)
    }
    return {name: WIDTH - x if mirrored else x for name, x in positions.items()}


def ticked(releases: Sequence[str]) -> list[str]:
    """Returns the releases that have a tick: all, or of very many the first of each minor
    version."""
    if len(releases) <= MANY:
        return list(releases)
    minors = [re.findall(r"\d+", name)[:2] for name in releases]
    return [
        name
        for name, before, minor in zip(releases, [None, *minors], minors, strict=False)
        if minor != before
    ]


def _lane(
    periods: Sequence[Period], positions: Positions, anchors: Ids, words: Catalog, *, title: str
) -> Mapping[str, object]:
    """Returns the values of the template for one source. Its title is empty if there is only
    one."""
    labels = [*_labels(periods, positions, words)]
    return {
        "title": title,
        "ticks": "".join(
            f"M{positions[name]} {MIDDLE - TICK}v{2 * TICK}" for name in ticked([*positions])
        ),
        # State of the term to the SVG path of its lines.
        "strokes": _strokes(periods, positions),
        "marks": [
            _mark(period, positions, anchors, words) for period in periods if period.is_event
        ],
        "labels": labels,
        "height": max(y for _, _, y, _, _ in labels) + GAP,
    }


def _strokes(periods: Iterable[Period], positions: Positions) -> Mapping[str, str]:
    runs = [
        (state, next(several))
        for state, several in groupby(periods, key=lambda period: period.state)
    ]
    stops = [*(positions[period.release.name] for _, period in runs), [*positions.values()][-1]]
    paths: dict[str, str] = {}
    for (state, _), (start, stop) in zip(runs, pairwise(stops), strict=True):
        heights = (MIDDLE - APART, MIDDLE + APART) if state == "deprecated" else (MIDDLE,)
        paths[state] = paths.get(state, "") + "".join(
            f"M{start} {height}H{stop}" for height in heights
        )
    return paths


def _mark(event: Period, positions: Positions, anchors: Ids, words: Catalog) -> TimelineMark:
    kinds = plain(words.listed(words.plain_text(f"kind.{kind}") for kind in event.kinds))
    title = plain(
        words.say("timeline.event", kind=kinds, release=words.version(event.release.name))
    )
    id, x = anchors[event.source.id, event.release.name], positions[event.release.name]
    return main_kind(event.kinds), _percent(x), id, title


def _percent(position: int) -> str:
    return f"{position / (WIDTH / 100):g}%"


def _labels(
    periods: Sequence[Period], positions: Positions, words: Catalog
) -> Iterator[TimelineLabel]:
    """Yields labels of the first and the last release, and of changes from the newest back, as long
    as they fit.

    Each label takes the row nearest to the line in which it overlaps no other. A wide window has
    room for more.
    """
    releases = periods[0].source.releases
    changed = (period.release.name for period in reversed(periods) if period.is_event)
    names = {
        name: plain(words.version(name)) for name in (releases[0].name, releases[-1].name, *changed)
    }
    texts = {
        name: text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
        for name, text in names.items()
    }
    rows: list[list[str]] = [[] for _ in range(ROWS)]
    for window, width in WIDTHS.items():
        for name in texts:
            x, (start, stop) = positions[name], _extent(texts[name], positions[name], width)
            for number, row in enumerate(rows if not any(name in row for row in rows) else ()):
                others = [_extent(texts[other], positions[other], width) for other in row]
                if not any(start < end + GAP and begin < stop + GAP for begin, end in others):
                    row.append(name)
                    yield (
                        texts[name],
                        _percent(x),
                        LABEL + ROW * number,
                        _anchor(texts[name], x),
                        window,
                    )
                    break


def _anchor(text: str, position: int) -> str:
    """Returns the alignment of a label: at an edge of the narrowest picture, it would not fit in
    the middle."""
    half = len(text) * CHARACTER / 2 * WIDTH / WIDTHS[""]
    return "start" if position < half else "end" if position > WIDTH - half else "middle"


def _extent(text: str, position: int, picture_width: int) -> tuple[float, float]:
    """Returns the start and the end of a label in a picture of a width."""
    width = len(text) * CHARACTER
    start = (
        position * picture_width / WIDTH
        - width * {"start": 0, "middle": 0.5, "end": 1}[_anchor(text, position)]
    )
    return start, start + width


def _sentence(periods: Sequence[Period], words: Catalog) -> str:
    """Returns the history in one source as a sentence."""
    events = [
        words.say(
            "timeline.event",
            kind=words.say(f"kind.{kind}"),
            release=words.version(period.release.name),
        )
        for period in periods
        for kind in (("unread",) if period.is_gap else period.kinds if period.is_event else ())
    ]
    releases = periods[0].source.releases
    first, last = words.version(releases[0].name), words.version(releases[-1].name)
    return plain(words.say("timeline", first=first, last=last, events=words.listed(events)))
