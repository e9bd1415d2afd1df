"""What changed in a release, counted and listed by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from sitegen.model import Change, Entry, Life
from sitegen.pages.differences import Comparison, comparison
from sitegen.pages.page import Pen
from sitegen.pages.sentences import sentences
from sitegen.pages.spans import MINOR

KINDS = (
    "added reworded renamed deprecated removed restored merged split names-changed moved reformatted first-read"
).split()
"""In the order in which a release tells them."""

MANY = 12
"""Above so many differences on a page they are closed at first."""

MOST = 200
"""Of so many changes of a kind a page says more than the name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often a kind of change happened, and where those are listed."""

    kind: str
    text: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A change as a line of a list."""

    address: str
    name: str
    source: str
    """Title of the source, where the site has several."""
    summary: str = ""
    sentences: tuple[Markup, ...] = ()
    comparison: Comparison | None = None
    wordings: tuple[Markup, ...] = ()
    """Links to both wordings where they stand for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    kind: str
    items: tuple[Item, ...]
    is_open: bool
    """Whether differences are open at first."""
    is_minor: bool
    """Folded away: nobody who reads the words would notice."""
    total: Markup


Event = tuple[Life, Change]


def counts(events: Iterable[Event], pen: Pen) -> tuple[Count, ...]:
    """Returns how many changes of each kind there are; kinds that did not happen are left out."""
    kinds = [change.kind for _, change in events]
    return tuple(
        Count(kind=kind, text=pen.say(f"count.{kind}", kinds.count(kind))) for kind in KINDS if kind in kinds
    )


def by_kind(events: Iterable[Event], pen: Pen, *, apart: bool = False) -> tuple[Kind, ...]:
    """Returns the changes in the order of their kinds, and by name within one.

    Where the two releases may lie far `apart`, what was reworded comes with links to both wordings.
    """
    gathered: dict[str, list[Event]] = {kind: [] for kind in KINDS}
    for life, change in events:
        gathered[change.kind].append((life, change))
    return tuple(
        Kind(
            kind=kind,
            items=tuple(_items(listed, pen, apart=apart)),
            is_open=len(listed) <= MANY and not apart,
            is_minor=kind in MINOR,
            total=pen.say("terms", len(listed)),
        )
        for kind, listed in gathered.items()
        if listed
    )


def _items(events: list[Event], pen: Pen, *, apart: bool) -> Iterator[Item]:
    for life, change in events[:MOST]:
        yield _item(life, change, pen, apart=apart)
    for life, change in events[MOST:]:
        yield _named(life, change, pen)


def _item(life: Life, change: Change, pen: Pen, *, apart: bool) -> Item:
    before, after = change.before, change.after
    both = (before, after) if before and after and change.kind in ("reworded", "restored") else ()
    return replace(
        _named(life, change, pen),
        summary="" if both else pen.desk.summary(_entry(change)),
        sentences=sentences(change, life=life, pen=pen) if change.kind != "first-read" else (),
        comparison=comparison(*both, of=life.key, pen=pen) if both else None,
        wordings=_wordings(life, both, pen) if apart else (),
    )


def _named(life: Life, change: Change, pen: Pen) -> Item:
    return Item(
        address=pen.desk.revision(life.key, change.source, change.release),
        name=_entry(change).name,
        source=pen.desk.titles[change.source] if pen.desk.several_sources else "",
    )


def _entry(change: Change) -> Entry:
    entry = change.after or change.before
    assert entry, "a change has at least one side"
    return entry


def _wordings(life: Life, entries: Iterable[Entry], pen: Pen) -> tuple[Markup, ...]:
    """Links to where wordings stand for good: those that are in a release."""
    found = ((entry.citation.release, pen.desk.wording(life, entry)) for entry in entries)
    return tuple(
        pen.link(pen.say("compare.wording", release=pen.version(release)), address)
        for release, address in found
        if address
    )
