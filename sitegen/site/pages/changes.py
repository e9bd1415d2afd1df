"""Counts and lists the changes of a release by kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import compress
from typing import NamedTuple

from markupsafe import Markup

from sitegen.model import Entry
from sitegen.model.terms import Change
from sitegen.site.comparisons import Event
from sitegen.site.pages.differences import WordingComparison, comparison
from sitegen.site.pages.page import SEPARATOR, Writer
from sitegen.site.pages.sentences import sentences
from sitegen.site.pages.spans import MINOR

KINDS = (
    "added reworded renamed deprecated removed restored merged split names-changed moved reformatted first-read"
).split()
"""The kinds of change, in the order in which the page of a release lists them."""

MAX_OPEN = 12
"""If a page has more differences, they are collapsed initially."""

MAX_DETAILED = 200
"""Maximum number of changes of a kind that are shown with details; of further ones only the name is shown."""

NOTHING = Markup()


class KindCount(NamedTuple):
    """A kind of change, and the number of its changes as text."""

    kind: str
    text: Markup


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChangeLine:
    """A change as a line of a list. Compared by identity, so that the HTML of one can be reused on several pages."""

    link: Markup
    """The term's name, as a link to the change on its page."""
    source: Markup
    """Title of the source, if the site has several."""
    summary: Markup = field(default_factory=Markup)
    sentences: tuple[Markup, ...] = ()
    comparison: WordingComparison | None = None


ListedChange = tuple[ChangeLine, Markup]
"""A change, and links to both wordings, or nothing."""


class ChangesOfKind(NamedTuple):
    kind: str
    lines: tuple[ListedChange, ...]
    named: tuple[ChangeLine, ...]
    """Further changes, with the name only."""
    is_open: bool
    """True if differences are expanded initially."""
    is_minor: bool
    """True for a change that leaves the words the same. Such changes are collapsed initially."""
    total: Markup


def counts(events: Iterable[Event], writer: Writer) -> tuple[KindCount, ...]:
    """Returns how many changes of each kind there are; kinds that did not happen are left out."""
    kinds = [event.change.kind for event in events]
    return tuple(
        KindCount(kind=kind, text=writer.say(f"count.{kind}", kinds.count(kind))) for kind in KINDS if kind in kinds
    )


class ChangeListing:
    """The changes listed on pages of one depth. Many pages list the same changes, so lines are cached by event."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        # Cached because many pages list the same events and releases.
        self._cached_item, self._cached_name = cache(self._item), cache(self._name)
        self._cached_wording, self._cached_links = cache(self._wording), cache(self._wordings)

    def by_kind(self, events: Iterable[Event], *, since: str = "") -> tuple[ChangesOfKind, ...]:
        """Returns the changes in the order of their kinds, and by name within one.

        In a comparison of two releases, `since` is the older one, and reworded terms have links to both wordings.
        """
        found: dict[str, list[Event]] = {kind: [] for kind in KINDS}
        for event in events:
            found[event.change.kind].append(event)
        return tuple(self._kind(kind, listed, since) for kind, listed in found.items() if listed)

    def _kind(self, kind: str, events: Sequence[Event], since: str) -> ChangesOfKind:
        detailed = 0 if kind in MINOR else MAX_DETAILED
        return ChangesOfKind(
            kind=kind,
            lines=tuple(
                [(self._cached_item(one), self._links(one, since) if since else NOTHING) for one in events[:detailed]]
            ),
            named=tuple(map(self._cached_name, events[detailed:])),
            is_open=len(events) <= MAX_OPEN and not since,
            is_minor=kind in MINOR,
            total=self.writer.say("terms", len(events)),
        )

    def _item(self, event: Event) -> ChangeLine:
        writer, change, both = self.writer, event.change, _both(event.change)
        return replace(
            self._cached_name(event),
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
        """Returns links to both wordings. The older one is labelled with the release `since`, if given."""
        before, after = self._cached_links(event)
        return Markup(f"{before}{self._cached_wording(since)}{after}") if before else after  # noqa: S704

    def _wordings(self, event: Event) -> tuple[Markup, Markup]:
        """Returns the HTML of the links before and after the label of the older wording, which differs by page."""
        both = _both(event.change)
        if not both:
            return NOTHING, NOTHING
        life = self.writer.data.site.by_key[event.key]
        names = [self._cached_wording(entry.citation.release) for entry in both]
        addresses = [self.writer.data.wording(life, entry) for entry in both]
        links = SEPARATOR.join(map(self.writer.link, compress(names, addresses), filter(None, addresses)))
        if event.change.kind != "reworded" or not addresses[0]:
            return NOTHING, links
        before, _, after = links.partition(names[0])
        return before, after

    def _wording(self, release: str) -> Markup:
        return self.writer.say("compare.wording", release=self.writer.version(release))


def _both(change: Change) -> tuple[()] | tuple[Entry, Entry]:
    """Returns both entries of a change that is shown as a difference, else ()."""
    if change.before and change.after and change.kind in ("reworded", "restored"):
        return change.before, change.after
    return ()


def _entry(change: Change) -> Entry:
    entry = change.after or change.before
    assert entry, "a change has at least one side"
    return entry
