"""What changed in a release, counted and listed by kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import compress

from markupsafe import Markup

from sitegen.model import Entry
from sitegen.model.terms import Change
from sitegen.site.comparisons import Event
from sitegen.site.pages.differences import Comparison, comparison
from sitegen.site.pages.page import SEPARATOR, Writer
from sitegen.site.pages.sentences import sentences
from sitegen.site.pages.spans import MINOR

KINDS = (
    "added reworded renamed deprecated removed restored merged split names-changed moved reformatted first-read"
).split()
"""In the order in which a release tells them."""

MANY = 12
"""Above so many differences on a page they are closed at first."""

MOST = 200
"""Of so many changes of a kind a page says more than the name."""

NOTHING = Markup()


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCount:
    """How often a kind of change happened, and where those are listed."""

    kind: str
    text: Markup


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChangeLine:
    """A change as a line of a list. Compared by identity, so that the HTML of one can be reused on several pages."""

    link: Markup
    """The term's name, leading to where its page tells of the change."""
    source: Markup
    """Title of the source, where the site has several."""
    summary: Markup = field(default_factory=Markup)
    sentences: tuple[Markup, ...] = ()
    comparison: Comparison | None = None


Line = tuple[ChangeLine, Markup]
"""A change, and links to both wordings where they are wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesOfKind:
    kind: str
    lines: tuple[Line, ...]
    named: tuple[ChangeLine, ...]
    """Further ones, of which there is no more than the name."""
    is_open: bool
    """Whether differences are open at first."""
    is_minor: bool
    """Collapsed at first: a change that leaves the words the same."""
    total: Markup


def counts(events: Iterable[Event], writer: Writer) -> tuple[KindCount, ...]:
    """Returns how many changes of each kind there are; kinds that did not happen are left out."""
    kinds = [event.change.kind for event in events]
    return tuple(
        KindCount(kind=kind, text=writer.say(f"count.{kind}", kinds.count(kind))) for kind in KINDS if kind in kinds
    )


class Listing:
    """The changes listed on pages of one depth. Many pages list the same changes, so lines are cached by event."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        # These are asked for the same event, or release, by page after page.
        self._told, self._named = cache(self._item), cache(self._name)
        self._called, self._around = cache(self._wording), cache(self._wordings)

    def by_kind(self, events: Iterable[Event], *, since: str = "") -> tuple[ChangesOfKind, ...]:
        """Returns the changes in the order of their kinds, and by name within one.

        Where they lead from one release to another that may be far, `since` is the older one, and what was reworded
        comes with links to both wordings.
        """
        gathered: dict[str, list[Event]] = {kind: [] for kind in KINDS}
        for event in events:
            gathered[event.change.kind].append(event)
        return tuple(self._kind(kind, listed, since) for kind, listed in gathered.items() if listed)

    def _kind(self, kind: str, events: Sequence[Event], since: str) -> ChangesOfKind:
        told = 0 if kind in MINOR else MOST
        return ChangesOfKind(
            kind=kind,
            lines=tuple([(self._told(one), self._links(one, since) if since else NOTHING) for one in events[:told]]),
            named=tuple(map(self._named, events[told:])),
            is_open=len(events) <= MANY and not since,
            is_minor=kind in MINOR,
            total=self.writer.say("terms", len(events)),
        )

    def _item(self, event: Event) -> ChangeLine:
        writer, change, both = self.writer, event.change, _both(event.change)
        return replace(
            self._named(event),
            summary=NOTHING if both else writer.text(writer.data.summary(_entry(change))),
            sentences=sentences(change, of=event.key, writer=writer) if change.kind != "first-read" else (),
            comparison=comparison(*both, of=event.key, writer=writer) if both else None,
        )

    def _name(self, event: Event) -> ChangeLine:
        writer, change = self.writer, event.change
        return ChangeLine(
            link=writer.link(_entry(change).name, writer.data.revision(event.key, change.source, change.release)),
            source=writer.text(writer.data.titles[change.source]) if writer.data.several_sources else NOTHING,
        )

    def _links(self, event: Event, since: str) -> Markup:
        """Links to both wordings. What was reworded since a release read so in it, wherever it had begun to."""
        before, after = self._around(event)
        return Markup(f"{before}{self._called(since)}{after}") if before else after  # noqa: S704

    def _wordings(self, event: Event) -> tuple[Markup, Markup]:
        """The same, up to what the older wording is called and from there on, where each page has a name for it."""
        both = _both(event.change)
        if not both:
            return NOTHING, NOTHING
        life = self.writer.data.site.by_key[event.key]
        names = [self._called(entry.citation.release) for entry in both]
        addresses = [self.writer.data.wording(life, entry) for entry in both]
        links = SEPARATOR.join(map(self.writer.link, compress(names, addresses), filter(None, addresses)))
        if event.change.kind != "reworded" or not addresses[0]:
            return NOTHING, links
        before, _, after = links.partition(names[0])
        return before, after

    def _wording(self, release: str) -> Markup:
        return self.writer.say("compare.wording", release=self.writer.version(release))


def _both(change: Change) -> tuple[()] | tuple[Entry, Entry]:
    """The two wordings of a change that is shown as a difference."""
    if change.before and change.after and change.kind in ("reworded", "restored"):
        return change.before, change.after
    return ()


def _entry(change: Change) -> Entry:
    entry = change.after or change.before
    assert entry, "a change has at least one side"
    return entry
