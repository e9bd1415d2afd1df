"""The current status of a term: a sentence for its page, a chip, and a badge for lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Literal, NamedTuple

from markupsafe import Markup

from sitegen.model import Source
from sitegen.model.terms import Change, Life, TermStatus
from sitegen.site.messages import Catalogue
from sitegen.site.pages.page import SEPARATOR, Writer, version_of
from sitegen.site.pages.spans import DEFINED, CourseChange, TermCourse, course, spans
from sitegen.site.pages.wordings import lane_of

EMPTY = Markup()

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
    def _known(self) -> int:
        """The number of releases up to the last one that could be read."""
        number, state = self.course.states[-1]
        return number if state == "unread" else len(self.course.source.releases)

    @cached_property
    def _releases(self) -> tuple[str, ...]:
        return tuple(release.name for release in self.course.source.releases)

    @cached_property
    def recent(self) -> tuple[str, ...]:
        """The last release that could be read, and the unreleased ones after it."""
        known = self._releases[: self._known]
        to_come = sum(map(self.course.source.unreleased.__contains__, known))
        return known[-1 - to_come :]

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """The releases at the end that could not be read."""
        return self._releases[self._known :]

    @cached_property
    def is_unreleased(self) -> bool:
        """True for a term that is in no published release."""
        defined = (one for span in spans(self.course) if span.state in DEFINED for one in span.releases)
        return bool(self.course.course_changes) and self.course.source.unreleased.issuperset(defined)

    def last(self, *kinds: str) -> CourseChange | None:
        return next((one for one in reversed(self.course.course_changes) if one.kind in kinds), None)

    @cached_property
    def merged(self) -> CourseChange | None:
        """The merge into another term, if that is the last change."""
        merged = self.last("merged")
        return merged if merged and merged is self.course.course_changes[-1] else None

    @cached_property
    def badge(self) -> Badge:
        """The term's badge in lists, if any."""
        if self.status != "current":
            return self.status
        source, course_changes = self.course.source, self.course.course_changes
        if source.undated or len(source.releases) == 1 or self.since not in self.recent:
            return ""
        if course_changes and course_changes[0].release == self.since:
            return "new" if course_changes[0].kind in ("added", "split") else ""
        change = self.last("reworded", "restored")
        return "reworded" if change and change.release == self.since and change.kind == "reworded" else ""


def standing_of(life: Life) -> Standing:
    """Returns the current status of a term."""
    speaking = life.entry.place.source
    revision = next(revision for revision in reversed(life.revisions) if revision.source == speaking)
    return _standing(life.status, course(lane_of(life, speaking), life.changes), revision.first, revision.last)


_standing = lru_cache(maxsize=4096)(Standing)


class TermState(NamedTuple):
    """The chip and the label on a term's page if the definition is not a current definition of its name."""

    kind: str = ""
    """The chip beside the name: removed, deprecated or merged; empty for other terms."""
    label: Markup = EMPTY
    """The line above the definition, such as "Last definition (2.4.0):"."""


def state(life: Life, writer: Writer) -> TermState:
    """Returns the chip and the label of a term's page."""
    standing = standing_of(life)
    if life.synonym_of and writer.data.defining_term(life) is not life:
        label = writer.say("status.definition-of", term=writer.data.defining_term(life).name)
        return TermState(kind="merged" if standing.merged else "", label=label)
    if life.status == "removed":
        label = writer.say("status.last-definition", release=writer.version(standing.until))
        return TermState(kind="removed", label=label)
    return TermState(kind="deprecated" if life.status == "deprecated" else "")


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
    if life.synonym_of and writer.data.defining_term(life) is not life:
        return _synonym(life.name, life.synonym_of, standing, writer)
    if life.status == "removed":
        return _removed(life, standing, writer)
    if life.status == "deprecated":
        return _deprecated(life, standing, writer)
    if standing.course.source.undated:
        return _undated(standing.course.source, writer)
    return _current(standing, _formerly(life, standing), writer.data.words)


def _synonym(name: str, of: str, standing: Standing, writer: Writer) -> Markup:
    if standing.merged:
        release = writer.version_of(standing.course.source, standing.merged.release)
        return writer.say("status.merged", name=name, term=writer.onward(of), release=release)
    return writer.say("status.synonym", term=writer.onward(of))


def _removed(life: Life, standing: Standing, writer: Writer) -> Markup:
    change = standing.last("removed", "merged") or standing.last("moved")
    assert change, "a removed term was removed in the source that speaks for it"
    release = writer.version_of(standing.course.source, change.release)
    removed = writer.say("status.removed", release=release, last=writer.version(standing.until))
    return removed + SEPARATOR + (_use_instead(life, writer) or writer.say("status.no-replacement"))


def _use_instead(life: Life, writer: Writer) -> Markup:
    return writer.say("status.use-instead", term=writer.onward(life.replaced_by)) if life.replaced_by else Markup()


def _deprecated(life: Life, standing: Standing, writer: Writer) -> Markup:
    change = standing.last("deprecated") or next(iter(standing.course.course_changes), None)
    if standing.is_unreleased:
        sentence = writer.say("status.deprecated-undated") + " " + writer.say("event.unreleased")
    elif change is None:
        sentence = writer.say("status.deprecated-undated")
    else:
        key = "status.deprecated-earlier" if change.kind == "first-read" else "status.deprecated"
        sentence = writer.say(key, release=writer.version_of(standing.course.source, change.release))
    return Markup(" ").join(filter(None, (sentence, _use_instead(life, writer))))


def _undated(source: Source, writer: Writer) -> Markup:
    if source.retrieved is None:
        return writer.say("status.undated", source=source.title)
    return writer.say("status.retrieved", source=source.title, date=writer.data.words.date(source.retrieved))


def _formerly(life: Life, standing: Standing) -> str:
    """Returns the former name of the term, if the rename is the last change."""
    renamed = standing.last("renamed", "reworded", "restored")
    before = life.changes[renamed.number].before if renamed and renamed.kind == "renamed" else None
    return before.name if before else ""


@lru_cache(maxsize=4096)
def _current(standing: Standing, formerly: str, words: Catalogue) -> Markup:
    if standing.is_unreleased:
        return words.say("status.unreleased")
    source, first, since = standing.course.source, standing.course.course_changes[0], standing.since
    if first.release == since and since in standing.recent and first.kind != "first-read":
        return words.say("status.new", release=words.version(since))
    returned = standing.last("restored")
    if returned and returned.release == since:
        return restored(since, standing.course.course_changes, source, words)
    if standing.badge == "reworded":
        key = "status.reworded-unreleased" if since in source.unreleased else "status.reworded"
        return words.say(key, release=version_of(words, source, since))
    renamed = standing.last("renamed")
    if renamed and formerly:
        release = version_of(words, source, renamed.release)
        return words.say("status.renamed", name=formerly, release=release, origin=_origin(first, words))
    if since != first.release:
        return words.say("status.changed", release=words.version(since), origin=_origin(first, words))
    if first.kind != "first-read":
        return words.say("status.unchanged", release=words.version(first.release))
    sentence = words.say("status.first-read", release=words.version(first.release))
    return (
        sentence if first.release in standing.recent else sentence + SEPARATOR + words.say("status.unchanged-since")
    )


def restored(release: str, happened: Iterable[Change | CourseChange], source: Source, words: Catalogue) -> Markup:
    """Returns a sentence about the absence of a restored term. `happened` are all its changes in the source."""
    before = takewhile(lambda one: one.release != release, happened)
    *_, gone = takewhile(lambda one: one.kind in ("removed", "merged", "moved"), reversed([*before]))
    return words.say(
        "status.restored", removed=words.version(gone.release), release=version_of(words, source, release)
    )


def _origin(first: CourseChange, words: Catalogue) -> Markup:
    key = "status.earlier" if first.kind == "first-read" else "status.added"
    return words.say(key, release=words.version(first.release))
