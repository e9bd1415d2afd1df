"""What changed in a release, counted and listed by kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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
"""Above so many differences of a kind a page only says where each is."""


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
    summary: str
    sentences: tuple[Markup, ...]
    comparison: Comparison | None
    wordings: tuple[Markup, ...]
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
            items=tuple(
                _item(life, change, pen, differs=number < MOST, apart=apart)
                for number, (life, change) in enumerate(listed)
            ),
            is_open=len(listed) <= MANY and not apart,
            is_minor=kind in MINOR,
            total=pen.say("terms", len(listed)),
        )
        for kind, listed in gathered.items()
        if listed
    )


def _item(life: Life, change: Change, pen: Pen, *, differs: bool, apart: bool) -> Item:
    desk = pen.desk
    entry = change.after or change.before
    assert entry, "a change has at least one side"
    compared = change.kind in ("reworded", "restored") and change.before and change.after
    return Item(
        address=desk.revision(life.key, change.source, change.release),
        name=entry.name,
        source=desk.titles[change.source] if desk.several_sources else "",
        summary="" if compared else desk.summary(entry),
        sentences=sentences(change, life=life, pen=pen) if change.kind != "first-read" else (),
        comparison=comparison(change.before, change.after, of=life.key, pen=pen)
        if compared and differs and change.before and change.after
        else None,
        wordings=_wordings(life, (change.before, change.after), pen) if compared and apart else (),
    )


def _wordings(life: Life, entries: Iterable[Entry | None], pen: Pen) -> tuple[Markup, ...]:
    """Links to where wordings stand for good: those that are in a release."""
    found = ((entry.citation.release, pen.desk.wording(life, entry)) for entry in entries if entry)
    return tuple(
        pen.link(pen.say("compare.wording", release=pen.version(release)), address)
        for release, address in found
        if address
    )
