"""How a term stands today, in one sentence, and in one word for lists."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from markupsafe import Markup

from sitegen.model import Change, Lane, Life, Revision
from sitegen.pages.page import SEPARATOR, Pen

Badge = Literal["new", "reworded", "deprecated", "removed", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The facts about a term in the source that speaks for it."""

    life: Life
    lane: Lane
    changes: tuple[Change, ...]
    revision: Revision
    """The last wording."""
    known: int
    """How many releases there were up to the last of which something is known."""
    recent: tuple[str, ...]
    """The last release about which something is known, and what is still to come after it."""

    @property
    def unread(self) -> tuple[str, ...]:
        """The releases at the end that could not be read."""
        return tuple(step.release for step in self.lane.steps[self.known :])

    @property
    def is_unreleased(self) -> bool:
        """True for a term that no release has had yet."""
        defined = (step.release for step in self.lane.steps if step.state == "defined")
        return bool(self.changes) and all(release in self.lane.source.unreleased for release in defined)

    def version(self, release: str, pen: Pen) -> Markup:
        return pen.version_of(self.lane.source, release)

    def last(self, *kinds: str) -> Change | None:
        return next((change for change in reversed(self.changes) if change.kind in kinds), None)

    @property
    def badge(self) -> Badge:
        """What a list says about the term, if anything."""
        if self.life.status != "current":
            return self.life.status
        since = self.revision.first
        if self.lane.source.undated or len(self.lane.source.releases) == 1 or since not in self.recent:
            return ""
        if len(self.changes) and self.changes[0].release == since:
            return "new" if self.changes[0].kind in ("added", "split") else ""
        change = self.last("reworded", "restored")
        return "reworded" if change and change.release == since and change.kind == "reworded" else ""


def standing_of(life: Life) -> Standing:
    """Returns how a term stands today."""
    speaking = life.entry.citation.source
    lane = next(lane for lane in life.term.lanes if lane.source.id == speaking)
    known = next(number for number in range(len(lane.steps), 0, -1) if lane.steps[number - 1].state != "unread")
    read, unreleased = lane.steps[:known], lane.source.unreleased
    to_come = sum(1 for step in read if step.release in unreleased) if unreleased else 0
    return Standing(
        life=life,
        lane=lane,
        changes=tuple([change for change in life.changes if change.source == speaking]),
        revision=[revision for revision in life.revisions if revision.source == speaking][-1],
        known=known,
        recent=tuple([step.release for step in read[-1 - to_come :]]),
    )


def status(life: Life, pen: Pen) -> Markup:
    """Returns the one sentence under a term's name."""
    standing = standing_of(life)
    sentence = _sentence(standing, pen)
    if not standing.unread:
        return sentence
    return sentence + SEPARATOR + pen.say("status.unread", releases=pen.versions(standing.unread))


def _sentence(standing: Standing, pen: Pen) -> Markup:
    life = standing.life
    if life.synonym_of:
        return _synonym(standing, pen)
    if life.status == "removed":
        return _removed(standing, pen)
    if life.status == "deprecated":
        return _deprecated(standing, pen)
    if standing.lane.source.undated:
        return _undated(standing, pen)
    return _current(standing, pen)


def _synonym(standing: Standing, pen: Pen) -> Markup:
    assert standing.life.synonym_of
    term = pen.term(standing.life.synonym_of)
    merged = standing.last("merged")
    if merged and merged is standing.changes[-1]:
        return pen.say("status.merged", term=term, release=standing.version(merged.release, pen))
    return pen.say("status.synonym", term=term)


def _removed(standing: Standing, pen: Pen) -> Markup:
    change = standing.last("removed", "merged")
    assert change, "a removed term was removed in the source that speaks for it"
    release, last = standing.version(change.release, pen), pen.version(standing.revision.last)
    removed = pen.say("status.removed", release=release, last=last)
    return removed + SEPARATOR + (_use_instead(standing.life, pen) or pen.say("status.no-replacement"))


def _use_instead(life: Life, pen: Pen) -> Markup:
    return pen.say("status.use-instead", term=pen.onward(life.replaced_by)) if life.replaced_by else Markup()


def _deprecated(standing: Standing, pen: Pen) -> Markup:
    change = standing.last("deprecated") or (standing.changes[0] if standing.changes else None)
    if standing.is_unreleased:
        sentence = pen.say("status.deprecated-undated") + " " + pen.say("event.unreleased")
    elif change is None:
        sentence = pen.say("status.deprecated-undated")
    else:
        key = "status.deprecated-earlier" if change.kind == "first-read" else "status.deprecated"
        sentence = pen.say(key, release=standing.version(change.release, pen))
    return Markup(" ").join(filter(None, (sentence, _use_instead(standing.life, pen))))


def _undated(standing: Standing, pen: Pen) -> Markup:
    source = standing.lane.source
    if source.retrieved is None:
        return pen.say("status.undated", source=source.title)
    return pen.say("status.retrieved", source=source.title, date=pen.desk.words.date(source.retrieved))


def _current(standing: Standing, pen: Pen) -> Markup:
    if standing.is_unreleased:
        return pen.say("status.unreleased")
    first, since = standing.changes[0], standing.revision.first
    if first.release == since and since in standing.recent and first.kind != "first-read":
        return pen.say("status.new", release=pen.version(since))
    returned = standing.last("restored")
    if returned and returned.release == since:
        return restored(returned, life=standing.life, pen=pen)
    if standing.badge == "reworded":
        key = "status.reworded-unreleased" if since in standing.lane.source.unreleased else "status.reworded"
        return pen.say(key, release=standing.version(since, pen))
    renamed = standing.last("renamed", "reworded", "restored")
    if renamed and renamed.before and renamed.kind == "renamed":
        release = standing.version(renamed.release, pen)
        return pen.say("status.renamed", name=renamed.before.name, release=release, origin=_origin(first, pen))
    if since != first.release:
        return pen.say("status.changed", release=pen.version(since), origin=_origin(first, pen))
    if first.kind != "first-read":
        return pen.say("status.unchanged", release=pen.version(first.release))
    sentence = pen.say("status.first-read", release=pen.version(first.release))
    return sentence if first.release in standing.recent else sentence + SEPARATOR + pen.say("status.unchanged-since")


def restored(returned: Change, *, life: Life, pen: Pen) -> Markup:
    """Returns when a term that came back was gone."""
    own = [change for change in life.changes if change.source == returned.source]
    before = takewhile(lambda change: change.release != returned.release, own)
    gone = [change for change in before if change.kind in ("removed", "merged")][-1]
    source = pen.desk.site.source(returned.source)
    return pen.say(
        "status.restored", removed=pen.version(gone.release), release=pen.version_of(source, returned.release)
    )


def _origin(first: Change, pen: Pen) -> Markup:
    key = "status.earlier" if first.kind == "first-read" else "status.added"
    return pen.say(key, release=pen.version(first.release))
