"""The current status of a term: a sentence for its page, a chip, and a badge for lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Literal

from markupsafe import Markup

from sitegen.model import Source
from sitegen.model.terms import Change, Life, TermStatus
from sitegen.site.messages import Catalog
from sitegen.site.pages.page import SEPARATOR, Writer
from sitegen.site.pages.spans import DEFINED, CourseChange, TermCourse, course, lane_of, spans

Badge = Literal["new", "reworded", "deprecated", "removed", "merged", ""]


@dataclass(frozen=True, eq=False)
class Standing:
    """The facts about a term in its main source. They are equal for all terms with equal changes."""

    status: TermStatus
    course: TermCourse
    since: str
    """The release that brought the last wording."""
    until: str
    """The last release that had it."""

    @cached_property
    def _read_count(self) -> int:
        """The number of releases up to the last one that could be read."""
        number, state = self.course.states[-1]
        return number if state == "unread" else len(self.course.source.releases)

    @cached_property
    def recent(self) -> tuple[str, ...]:
        """The last release that could be read, and the unreleased ones after it."""
        read = self.course.source.releases[: self._read_count]
        unreleased = sum(release.unreleased for release in read)
        return tuple([release.name for release in read[-1 - unreleased :]])

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """The releases at the end that could not be read."""
        return tuple([release.name for release in self.course.source.releases[self._read_count :]])

    @cached_property
    def is_unreleased(self) -> bool:
        """True for a term that is in no published release."""
        defined = (one for span in spans(self.course) if span.state in DEFINED for one in span.releases)
        return bool(self.course.changes) and self.course.source.unreleased.issuperset(defined)

    def last(self, *kinds: str) -> CourseChange | None:
        return next((one for one in reversed(self.course.changes) if one.kind in kinds), None)

    @cached_property
    def merged(self) -> CourseChange | None:
        """The merge into another term, if that is the last change."""
        return next((change for change in self.course.changes[-1:] if change.kind == "merged"), None)

    @cached_property
    def badge(self) -> Badge:
        """The term's badge in lists, if any."""
        if self.status != "current":
            return self.status
        source, changes = self.course.source, self.course.changes
        if source.undated or len(source.releases) == 1 or self.since not in self.recent:
            return ""
        if changes and changes[0].release == self.since:
            return "new" if changes[0].kind in ("added", "split") else ""
        change = self.last("reworded", "restored")
        return "reworded" if change and change.release == self.since and change.kind == "reworded" else ""


_standing = lru_cache(maxsize=4096)(Standing)


def standing_of(life: Life) -> Standing:
    """Returns the current status of a term."""
    source = life.entry.place.source
    revision = next(revision for revision in reversed(life.revisions) if revision.source == source)
    return _standing(life.status, course(lane_of(life, source), life.changes), revision.first, revision.last)


def state(life: Life, writer: Writer) -> tuple[str, Markup]:
    """Returns the chip beside a term's name and the line above its definition, such as "Last definition (2.4.0):".

    Both are empty for a current definition of the name.
    """
    standing = standing_of(life)
    if (defining_term := writer.data.site.defining_term(life.key)) is not life:
        label = writer.say("status.definition-of", term=defining_term.name)
        return "merged" if standing.merged else "", label
    if life.status == "removed":
        return "removed", writer.say("status.last-definition", release=writer.version(standing.until))
    return "deprecated" if life.status == "deprecated" else "", Markup()


def status(life: Life, writer: Writer) -> Markup:
    """Returns the one sentence under a term's name."""
    standing = standing_of(life)
    sentence = _sentence(life, standing, writer)
    if not standing.unread:
        return sentence
    editions = writer.data.site.editions[standing.course.source.id][-len(standing.unread) :]
    if any(edition.documents or edition.unread != ("",) for edition in editions):
        return sentence + SEPARATOR + writer.say("status.unread", releases=writer.versions(standing.unread))
    return sentence + SEPARATOR + writer.say("status.gone", release=writer.version(standing.unread[0]))


def _sentence(life: Life, standing: Standing, writer: Writer) -> Markup:
    source = standing.course.source
    if life.synonym_of and writer.data.site.defining_term(life.key) is not life:
        term, merged = writer.onward(life.synonym_of), standing.merged
        if merged is None:
            return writer.say("status.synonym", term=term)
        release = writer.version_of(source, merged.release)
        return writer.say("status.merged", name=life.name, term=term, release=release)
    if life.status in ("removed", "deprecated"):
        replacement = writer.onward(life.replaced_by) if life.replaced_by else ""
        instead = writer.say("status.use-instead", term=replacement) if replacement else Markup()
        if life.status == "deprecated":
            return Markup(" ").join(filter(None, (_deprecated(standing, writer), instead)))
        change = standing.last("removed", "merged") or standing.last("moved")
        assert change, "a removed term was removed in the source that speaks for it"
        release, last = writer.version_of(source, change.release), writer.version(standing.until)
        removed = writer.say("status.removed", release=release, last=last)
        return removed + SEPARATOR + (instead or writer.say("status.no-replacement"))
    if source.undated:
        if source.retrieved is None:
            return writer.say("status.undated", source=source.title)
        return writer.say("status.retrieved", source=source.title, date=writer.words.date(source.retrieved))
    renamed = standing.last("renamed", "reworded", "restored")
    before = life.changes[renamed.number].before if renamed and renamed.kind == "renamed" else None
    return _current(standing, before.name if before else "", writer.words)


def _deprecated(standing: Standing, writer: Writer) -> Markup:
    change = standing.last("deprecated") or next(iter(standing.course.changes), None)
    if standing.is_unreleased:
        return writer.say("status.deprecated-undated") + " " + writer.say("event.unreleased")
    if change is None:
        return writer.say("status.deprecated-undated")
    key = "status.deprecated-earlier" if change.kind == "first-read" else "status.deprecated"
    return writer.say(key, release=writer.version_of(standing.course.source, change.release))


@lru_cache(maxsize=4096)
def _current(standing: Standing, formerly: str, words: Catalog) -> Markup:
    """Returns the sentence about a current term. `formerly` is its former name, if its rename is the last change."""
    if standing.is_unreleased:
        return words.say("status.unreleased")
    source, first, since = standing.course.source, standing.course.changes[0], standing.since
    first_read = first.kind == "first-read"
    if first.release == since and since in standing.recent and not first_read:
        return words.say("status.new", release=words.version(since))
    returned, renamed = standing.last("restored"), standing.last("renamed")
    if returned and returned.release == since:
        return restored(since, standing.course.changes, source, words)
    if standing.badge == "reworded":
        key = "status.reworded-unreleased" if since in source.unreleased else "status.reworded"
        return words.say(key, release=words.version_of(source, since))
    origin = words.say("status.earlier" if first_read else "status.added", release=words.version(first.release))
    if renamed and formerly:
        release = words.version_of(source, renamed.release)
        return words.say("status.renamed", name=formerly, release=release, origin=origin)
    if since != first.release:
        return words.say("status.changed", release=words.version(since), origin=origin)
    if not first_read:
        return words.say("status.unchanged", release=words.version(first.release))
    sentence = words.say("status.first-read", release=words.version(first.release))
    return sentence if since in standing.recent else sentence + SEPARATOR + words.say("status.unchanged-since")


def restored(release: str, changes: Iterable[Change | CourseChange], source: Source, words: Catalog) -> Markup:
    """Returns a sentence about the absence of a restored term. `changes` are all its changes in the source."""
    earlier = takewhile(lambda one: one.release != release, changes)
    *_, removal = takewhile(lambda one: one.kind in ("removed", "merged", "moved"), reversed([*earlier]))
    removed = words.version(removal.release)
    return words.say("status.restored", removed=removed, release=words.version_of(source, release))
