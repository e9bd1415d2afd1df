"""The current status of a term: a sentence for its page, a chip, and a badge for lists."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Literal

from markupsafe import Markup

from sitegen.model.terms import CHANGES, Change, ChangeKind, Lane, Life, Revision
from sitegen.site.pages.page import SEPARATOR, Writer

Badge = Literal["new", "unreleased", "reworded", "deprecated", "removed", "merged", ""]


def badge(life: Life) -> Badge:
    """Returns a term's badge in lists, if any."""
    if life.status != "current":
        return life.status
    if _is_unreleased(life):
        return "unreleased"
    return _news(life)


def filters(life: Life) -> Mapping[Badge, str]:
    """Returns the filters that leave a term in a list: its badge, and "reworded" also beside
    another badge; those that are about a release with its name."""
    news, own = _news(life), badge(life)
    found: dict[Badge, str] = {own: ""} if own else {}
    if news and life.status in ("current", "deprecated"):
        found[news] = _revision(life).first
    return found


def _news(life: Life) -> Badge:
    """Returns "new" or "reworded" if that is what the last release did to a term."""
    lane, since, changes = _lane(life), _revision(life).first, _changes(life)
    if lane.source.undated or len(lane.releases) == 1 or since not in _recent(lane):
        return ""
    if changes and changes[0].release == since:
        return "new" if CHANGES[changes[0].kind].begins else ""
    change = last_change(life, "reworded", "restored")
    return "reworded" if change and change.release == since and change.kind == "reworded" else ""


def merge_of(life: Life) -> Change | None:
    """Returns the merge of a term into another one, if that is its last change."""
    return next((change for change in _changes(life)[-1:] if change.kind == "merged"), None)


def last_change(life: Life, *kinds: ChangeKind) -> Change | None:
    """Returns the last change of these kinds in the main source of a term."""
    return next((one for one in reversed(_changes(life)) if one.kind in kinds), None)


def state(life: Life, writer: Writer) -> tuple[str, Markup]:
    """Returns the chip beside a term's name and the line above its definition, such as "Last
    definition:".

    The line is empty for a current definition of the name.
    """
    if (defining_term := writer.data.site.defining_term(life.key)) is not life:
        label = writer.say("status.definition-of", term=defining_term.name)
        return "merged" if merge_of(life) else "", label
    if life.status == "removed":
        return "removed", writer.say("status.last-definition")
    restored = last_change(life, "restored")
    is_back = life.status == "current" and restored and restored.release == _revision(life).first
    return badge(life) or ("restored" if is_back else ""), Markup()


def status(life: Life, writer: Writer) -> Markup:
    """Returns the one sentence under a term's name."""
    sentence, lane = _sentence(life, writer), _lane(life)
    if not (unread := lane.releases[_read_count(lane) :]):
        return sentence
    releases = lane.source.releases[-len(unread) :]
    if any(release.names_read or release.gaps != ("",) for release in releases):
        return sentence + SEPARATOR + writer.say("status.unread", releases=writer.versions(unread))
    return sentence + SEPARATOR + writer.say("status.gone", release=writer.version(unread[0]))


def absence(change: Change, lane: Lane) -> tuple[str, str]:
    """Returns the first and the last release before a restoration in which the term was absent."""
    number = lane.releases.index(change.release)
    earlier = (span for span in reversed(lane.spans) if span.past <= number)
    absent = [
        span for span in takewhile(lambda span: not span.entry, earlier) if span.state == "absent"
    ]
    return lane.releases[absent[-1].first], lane.releases[absent[0].past - 1]


def _lane(life: Life) -> Lane:
    """Returns the lane of a term in its main source."""
    return life.term.lane(life.entry.place.source)


def _changes(life: Life) -> list[Change]:
    return life.changes_in(life.entry.place.source)


def _revision(life: Life) -> Revision:
    """Returns the last wording in the main source of a term."""
    return life.revisions_in(life.entry.place.source)[-1]


def _read_count(lane: Lane) -> int:
    """Returns the number of releases up to the last one that could be read."""
    return lane.spans[-1].first if lane.spans[-1].state == "unread" else len(lane.releases)


def _recent(lane: Lane) -> tuple[str, ...]:
    """Returns the last release that could be read, and the unreleased ones before it."""
    read = lane.releases[: _read_count(lane)]
    return read[-1 - sum(name in lane.source.unreleased for name in read) :]


def _is_unreleased(life: Life) -> bool:
    """True for a term that is in no published release."""
    lane = _lane(life)
    releases = [entry.place.release for entry in lane.entries if entry]
    return not lane.source.undated and lane.source.unreleased.issuperset(releases)


def _sentence(life: Life, writer: Writer) -> Markup:
    source = _lane(life).source
    if life.synonym_of and writer.data.site.defining_term(life.key) is not life:
        term, merged = writer.onward(life.synonym_of), merge_of(life)
        if merged is None:
            return writer.say("status.synonym", term=term)
        return writer.say(
            "status.merged", term=term, release=writer.version_of(source, merged.release)
        )
    if life.status in ("removed", "deprecated"):
        instead = Markup()
        if life.replaced_by:
            instead = writer.say("status.use-instead", term=writer.onward(life.replaced_by))
        if life.status == "deprecated":
            return SEPARATOR.join(filter(None, (_deprecated(life, writer), instead)))
        change = last_change(life, "removed", "merged") or last_change(life, "moved")
        assert change, "a removed term has a removal in its main source"
        release, last = (
            writer.version_of(source, change.release),
            writer.version(_revision(life).last),
        )
        removed = writer.say("status.removed", release=release, last=last)
        return removed + SEPARATOR + (instead or writer.say("status.no-replacement"))
    if source.undated:
        if source.retrieved is None:
            return writer.say("status.undated", source=source.title)
        return writer.say(
            "status.retrieved", source=source.title, date=writer.words.date(source.retrieved)
        )
    return _current(life, writer)


def _deprecated(life: Life, writer: Writer) -> Markup:
    """Returns since when a term is deprecated."""
    change = last_change(life, "deprecated") or next(iter(_changes(life)), None)
    if change is None or _is_unreleased(life):
        unreleased = writer.say("status.unreleased") if _is_unreleased(life) else ""
        return SEPARATOR.join(filter(None, (writer.say("status.deprecated-undated"), unreleased)))
    key = "status.deprecated-earlier" if change.kind == "first-read" else "status.deprecated"
    return writer.say(key, release=writer.version_of(_lane(life).source, change.release))


def _current(life: Life, writer: Writer) -> Markup:
    """Returns the sentence about a current term of a source with releases."""
    lane, changes, since = _lane(life), _changes(life), _revision(life).first
    first, is_recent = changes[0], since in _recent(lane)
    first_read = first.kind == "first-read"
    if first.release == since and is_recent and not first_read:
        return writer.say("status.new", release=writer.version_of(lane.source, since))
    if _is_unreleased(life):
        return writer.say("status.unreleased")
    if badge(life) == "reworded":
        # A day is no release.
        is_other = since in lane.source.unreleased or since in writer.words.dated
        key = "status.reworded-in" if is_other else "status.reworded"
        return writer.say(key, release=writer.version_of(lane.source, since))
    origin = writer.say(
        "status.earlier" if first_read else "status.added", release=writer.version(first.release)
    )
    returned, renamed = (
        last_change(life, "restored"),
        last_change(life, "renamed", "reworded", "restored"),
    )
    if returned and returned.release == since:
        removed, _ = absence(returned, lane)
        return writer.say(
            "status.restored",
            removed=writer.version(removed),
            release=writer.version_of(lane.source, since),
            origin=origin,
        )
    if renamed and renamed.kind == "renamed" and renamed.before:
        release = writer.version_of(lane.source, renamed.release)
        return writer.say(
            "status.renamed", name=renamed.before.name, release=release, origin=origin
        )
    if since != first.release:
        return writer.say("status.changed", release=writer.version(since), origin=origin)
    key = (
        "status.unchanged"
        if not first_read
        else "status.first-read"
        if is_recent
        else "status.unchanged-since"
    )
    return writer.say(key, release=writer.version(first.release))
