"""What changed in a release, counted and listed by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from sitegen.model import Change, Entry, Life
from sitegen.pages.differences import Comparison, comparison
from sitegen.pages.page import SEPARATOR, Pen
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

    link: Markup
    """The term's name, leading to where its page tells of the change."""
    source: Markup
    """Title of the source, where the site has several."""
    summary: Markup = field(default_factory=Markup)
    sentences: tuple[Markup, ...] = ()
    comparison: Comparison | None = None
    is_named: bool = False
    """There is no more to it than the name."""
    wordings: tuple[tuple[str, str], ...] = ()
    """The release of each wording that is compared, and its address where it stands for good."""


Line = tuple[Item, Markup]
"""A change, and links to both wordings where they are wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    kind: str
    lines: tuple[Line, ...]
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


class Listing:
    """The changes that pages of one depth list. Pages have many of them in common, and each is told once."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self._items: dict[tuple[object, ...], Item] = {}
        self._names: dict[str, Markup] = {}
        """Release to what a wording of then is called."""

    def by_kind(self, events: Iterable[Event], *, since: str = "") -> tuple[Kind, ...]:
        """Returns the changes in the order of their kinds, and by name within one.

        Where they lead from one release to another that may be far, `since` is the older one, and what was reworded
        comes with links to both wordings.
        """
        gathered: dict[str, list[Event]] = {kind: [] for kind in KINDS}
        for life, change in events:
            gathered[change.kind].append((life, change))
        return tuple(
            Kind(
                kind=kind,
                lines=tuple(self._lines(listed, since)),
                is_open=len(listed) <= MANY and not since,
                is_minor=kind in MINOR,
                total=self.pen.say("terms", len(listed)),
            )
            for kind, listed in gathered.items()
            if listed
        )

    def _lines(self, events: list[Event], since: str) -> Iterator[Line]:
        for number, (life, change) in enumerate(events):
            is_told = number < MOST
            key = (life.key, *_sides(change), is_told)
            if key not in self._items:
                self._items[key] = self._item(life, change) if is_told else self._named(life, change)
            yield self._items[key], self._wordings(self._items[key], change, since) if since else Markup()

    def _item(self, life: Life, change: Change) -> Item:
        pen, both = self.pen, _both(change)
        return replace(
            self._named(life, change),
            is_named=False,
            summary=Markup() if both else pen.text(pen.desk.summary(_entry(change))),
            sentences=sentences(change, life=life, pen=pen) if change.kind != "first-read" else (),
            comparison=comparison(*both, of=life.key, pen=pen) if both else None,
            wordings=tuple((entry.citation.release, pen.desk.wording(life, entry)) for entry in both),
        )

    def _named(self, life: Life, change: Change) -> Item:
        pen, source = self.pen, change.source
        return Item(
            link=pen.link(_entry(change).name, pen.desk.revision(life.key, source, change.release)),
            source=pen.text(pen.desk.titles[source]) if pen.desk.several_sources else Markup(),
            is_named=True,
        )

    def _wordings(self, item: Item, change: Change, since: str) -> Markup:
        """Links to both. What was reworded since a release read so in it, wherever it had begun to."""
        told = [
            self.pen.link(self._name(since if at == 0 and change.kind == "reworded" else release), address)
            for at, (release, address) in enumerate(item.wordings)
            if address
        ]
        return SEPARATOR.join(told)

    def _name(self, release: str) -> Markup:
        if release not in self._names:
            self._names[release] = self.pen.say("compare.wording", release=self.pen.version(release))
        return self._names[release]


def _sides(change: Change) -> tuple[object, ...]:
    """What tells a change of a term from all others of it."""
    before, after = (entry and entry.citation.release for entry in (change.before, change.after))
    return change.kind, change.source, change.release, change.other, before, after


def _both(change: Change) -> tuple[()] | tuple[Entry, Entry]:
    """The two wordings of a change that is told by what differs."""
    if change.before and change.after and change.kind in ("reworded", "restored"):
        return change.before, change.after
    return ()


def _entry(change: Change) -> Entry:
    entry = change.after or change.before
    assert entry, "a change has at least one side"
    return entry
