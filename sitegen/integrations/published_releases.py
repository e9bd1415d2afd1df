"""The sources and releases of a glossary.json, and which release a name means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sitegen.model import SitegenError
from sitegen.text.release_names import is_later_patch, ordered, parse_label

MANY = 16
"""So many releases are not listed in a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRelease:
    """A release of a source."""

    name: str
    date: str | None
    """ISO 8601; None if it is not known."""
    link: str
    unreleased: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSource:
    """A glossary as its publisher keeps it, with its releases, oldest first."""

    id: str
    title: str
    releases: tuple[PublishedRelease, ...]


class ReleaseIndex:
    """Finds releases by their names and tags, and their order in each source."""

    def __init__(self, sources: Iterable[PublishedSource]) -> None:
        self._sources = {source.id: source for source in sources}
        self._numbers: dict[tuple[str, str], int] = {}
        """(source id, release) to its place in the order of the source."""
        for source in self._sources.values():
            self._numbers[source.id, ""] = 0  # the state of an undated source has no name
            for number, release in enumerate(source.releases):
                self._numbers[source.id, release.name] = number
        names = [name for _, name in self._numbers if name]
        self.names = tuple(dict.fromkeys(names))
        """The releases of all sources, each name once, oldest first."""

    def has(self, source: str, release: str) -> bool:
        """Returns whether a source has a release."""
        return (source, release) in self._numbers

    def is_past(self, source: str, release: str, *, at: str) -> bool:
        """Returns whether a release of a source is no later than another one, as far as the source
        has both."""
        if not (self.has(source, release) and self.has(source, at)):
            return True
        return self._numbers[source, release] <= self._numbers[source, at]

    def run(self, source: str, first: str, last: str) -> Sequence[PublishedRelease]:
        """Returns the releases of a source from one to another; none if it does not have both."""
        if not (self.has(source, first) and self.has(source, last)):
            return ()
        start, end = self._numbers[source, first], self._numbers[source, last]
        return self._sources[source].releases[start : end + 1]

    def source(self, id: str) -> PublishedSource | None:
        return self._sources.get(id)

    def date(self, source: str, release: str) -> str | None:
        """Returns the date of a release; None if it is not known."""
        for found in self.run(source, release, release):
            return found.date
        return None

    def named(self, name: str) -> str:
        """Returns the release that a name means. Raises `SitegenError` if there is none."""
        release = self.meant(name)
        if not release:
            raise SitegenError(f"no source has the release {name}{self.choice()}")
        return release

    def meant(self, name: str) -> str:
        """Returns the release with a name, or with the tag of that name, as 1.0.0 for `v1.0.0`; for
        a later patch the one before it, as 1.0.2 for 1.0.3. Empty if there is none."""
        if name in self.names:
            return name
        label = parse_label(name).name
        for release in reversed(self.names):
            if parse_label(release).name == label:
                return release
        before = self.before(name)
        return before if is_later_patch(label, before) else ""

    def before(self, name: str) -> str:
        """Returns the newest release that is older than one which no source has; empty if all are
        newer."""
        label = parse_label(name).name
        in_order = ordered((*self.names, label))
        number = in_order.index(label)
        return in_order[number - 1] if number else ""

    def choice(self) -> str:
        """Returns the end of a message that lists the releases, or counts many."""
        if not self.names:
            return ""
        listed = ", ".join(self.names)
        if len(self.names) >= MANY:
            listed = f"{len(self.names):,} from {self.names[0]} to {self.names[-1]}"
        return f"; it is one of {listed}"
