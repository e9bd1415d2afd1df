"""The current status of a term: a sentence for its page, its mark, and a badge for lists."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Literal, get_args

from markupsafe import Markup

from sitegen.model.terms import CHANGES, Change, ChangeKind, Course, Life, Span
from sitegen.site.pages.page import SEPARATOR, Writer

Badge = Literal["new", "unreleased", "reworded", "deprecated", "removed", "merged", ""]
BADGES: tuple[Badge, ...] = get_args(Badge)
"""In the order of the filters of a list. "" is no badge."""
RELEASE_LABELS: Mapping[Badge, str] = {"new": "status.new", "reworded": "status.reworded-in"}
"""The messages of badges that are about a release."""


def badge(life: Life) -> Badge:
    """Returns a term's badge in lists, if any."""
    if life.status != "current":
        return life.status
    if _is_unreleased(life):
        return "unreleased"
    return _news_badge(life)


def filters(life: Life) -> Mapping[Badge, str]:
    """Returns the badges of a term by which a list is filtered, "new" and "reworded" with their
    release. A term that was deprecated and reworded in 2.0 has `{"deprecated": "", "reworded":
    "2.0"}`. A removed term has none."""
    if not life.is_defined:
        return {}
    releases: dict[Badge, str] = {}
    own_badge = badge(life)
    if own_badge:
        releases[own_badge] = ""
    news = _news_badge(life)
    if news:
        releases[news] = life.main_course.words_since
    return releases


def _news_badge(life: Life) -> Badge:
    """Returns "new" or "reworded" if the latest release added or reworded a term, else "". A
    restored term has no badge, even if its words differ from the earlier ones."""
    course = life.main_course
    has_history = len(course.releases) > 1 and not course.source.undated
    release = course.words_since
    if not has_history or release not in _latest_releases(course):
        return ""

    first_change = course.changes[0]
    if first_change.release == release:
        # Of a term that the first release has, it is unknown when it was added.
        return "new" if CHANGES[first_change.kind].begins else ""

    change = last_change(life, "reworded", "restored")
    if change and change.kind == "reworded" and change.release == release:
        return "reworded"
    return ""


def last_change(life: Life, *kinds: ChangeKind) -> Change | None:
    """Returns the last change of these kinds in the main source of a term."""
    for change in reversed(life.main_course.changes):
        if change.kind in kinds:
            return change
    return None


def mark_and_label(life: Life, writer: Writer) -> tuple[str, Markup]:
    """Returns the mark of a term's status and the label of its definition, such as "Last
    definition:". Both may be empty; a definition in force has no label."""
    # A synonym shows the definition of another term.
    defining_term = writer.site.defining_term(life.key)
    if defining_term is not life:
        mark = "merged" if life.main_course.last_merge else ""
        return mark, writer.say("status.definition-of", term=defining_term.name)

    if life.status == "removed":
        return "removed", writer.say("status.last-definition")

    own_badge = badge(life)
    if own_badge:
        return own_badge, Markup()

    restoration = last_change(life, "restored")
    if restoration and restoration.release == life.main_course.words_since:
        return "restored", Markup()
    return "", Markup()


def status(life: Life, writer: Writer) -> Markup:
    """Returns the sentence under a term's name. If the latest releases could not be read, it ends
    with their names."""
    sentence = _sentence(life, writer)
    course = life.main_course
    unread_releases = course.source.releases[_read_count(course) :]
    if not unread_releases:
        return sentence

    names = writer.versions(release.name for release in unread_releases)
    return sentence + SEPARATOR + writer.say("status.unread", releases=names)


def wordings_beside_status(life: Life, writer: Writer) -> Markup:
    """Returns how often a deprecated term was reworded, and since when the glossary has it: its
    status says neither. The status of any other term says it, so the result is empty."""
    if life.status != "deprecated" or not life.main_course.changes or _is_unreleased(life):
        return Markup()
    return _since_when(life, writer)


def was_reworded_last(life: Life) -> bool:
    """True if a term was reworded, and neither renamed nor restored since."""
    change = last_change(life, "renamed", "reworded", "restored")
    return change is not None and change.kind == "reworded"


def rename_in_status(life: Life) -> Change | None:
    """Returns the last rename of a term, for its status. The result is None if the status says
    something else, for example that the term was reworded since."""
    if life.status != "current" or life.synonym_of:
        return None
    # The sentence about these comes first.
    if _is_unreleased(life) or _news_badge(life):
        return None
    change = last_change(life, "renamed", "reworded", "restored")
    if change is None or change.kind != "renamed":
        return None
    return change


def absence(change: Change, course: Course) -> tuple[str, str]:
    """Returns the first and the last release without the term before it was restored."""
    number_of_restoration = course.releases.index(change.release)
    absent_spans: list[Span] = []  # since the last release that had the term
    for span in course.spans:
        if span.past > number_of_restoration:
            break
        if span.entry:
            absent_spans = []
        elif span.state == "absent":
            absent_spans.append(span)
    first = absent_spans[0].first
    last = absent_spans[-1].past - 1  # `past` is the number after the last release
    return course.releases[first], course.releases[last]


def _read_count(course: Course) -> int:
    """Returns the number of releases up to the last one that could be read."""
    last_span = course.spans[-1]
    if last_span.state == "unread":
        return last_span.first
    return len(course.releases)


def _latest_releases(course: Course) -> Set[str]:
    """Returns the last published release that could be read, and all unreleased ones."""
    readable_releases = course.releases[: _read_count(course)]
    unreleased = course.source.unreleased
    published = [name for name in readable_releases if name not in unreleased]
    return {*published[-1:], *unreleased}  # there may be no published release


def _is_unreleased(life: Life) -> bool:
    """True for a term that is in no published release."""
    course = life.main_course
    releases = [entry.place.release for entry in course.entries if entry]
    return not course.source.undated and course.source.unreleased.issuperset(releases)


def _sentence(life: Life, writer: Writer) -> Markup:
    """Returns the status without the names of the releases that could not be read."""
    source = life.main_course.source

    # The page shows the definition of the other term, so the status leads there.
    if life.synonym_of and writer.site.defining_term(life.key) is not life:
        term = writer.onward(life.synonym_of)
        merge = life.main_course.last_merge
        if merge is None:
            return writer.say("status.synonym", term=term)
        release = writer.version_of(source, merge.release)
        return writer.say("status.merged", term=term, release=release)

    if life.status in ("removed", "deprecated"):
        return _out_of_use(life, writer)
    if not source.undated:
        return _in_use(life, writer)

    # A source without releases has only the day on which it was retrieved.
    if source.retrieved is None:
        return writer.say("status.undated", source=source.title)
    date = writer.words.date(source.retrieved)
    return writer.say("status.retrieved", source=source.title, date=date)


def _out_of_use(life: Life, writer: Writer) -> Markup:
    """Returns the sentence about a removed or deprecated term, and what to use instead."""
    if life.status == "deprecated":
        sentences = [_deprecated(life, writer)]
    else:
        sentences = [_removed(life, writer)]

    if life.replaced_by:
        term = writer.onward(life.replaced_by)
        sentences.append(writer.say("status.use-instead", term=term))
    elif life.status == "removed":
        sentences.append(writer.say("status.no-replacement"))
    return SEPARATOR.join(sentences)


def _removed(life: Life, writer: Writer) -> Markup:
    """Returns a sentence on when a term was removed, with the first and the last release that had
    it."""
    change = last_change(life, "removed", "merged")
    assert change, "a removed term has a removal in its main source"
    release = writer.version_of(life.main_course.source, change.release)
    revisions = life.main_course.revisions
    releases = writer.words.span(revisions[0].first, revisions[-1].last)
    return writer.say("status.removed", release=release, releases=releases)


def _deprecated(life: Life, writer: Writer) -> Markup:
    """Returns a sentence on since when a term is deprecated, if that is known."""
    course = life.main_course
    if _is_unreleased(life):
        return writer.say("status.deprecated-undated") + SEPARATOR + writer.say("status.unreleased")
    if not course.changes:
        return writer.say("status.deprecated-undated")
    # A term without a change "deprecated" has been deprecated from its first change on.
    change = last_change(life, "deprecated") or course.changes[0]
    was_first_read = change.kind == "first-read"
    key = "status.deprecated-earlier" if was_first_read else "status.deprecated"
    return writer.say(key, release=writer.version_of(course.source, change.release))


def _in_use(life: Life, writer: Writer) -> Markup:
    """Returns the sentence about a term in use. The first that is true counts: the term is new, is
    unreleased, was renamed or was restored; else the sentence says since when the term has its
    words."""
    course = life.main_course
    first = course.changes[0]
    since = course.words_since
    is_in_latest = since in _latest_releases(course)
    # Also in the only release of a source. Lists have no badge then: all terms would have it.
    if since == first.release and is_in_latest and first.kind != "first-read":
        return writer.say("status.new", release=writer.version_of(course.source, since))
    if _is_unreleased(life):
        return writer.say("status.unreleased")

    rename = rename_in_status(life)
    if rename:
        return _renamed(rename, course, writer)
    restoration = last_change(life, "restored")
    if restoration and restoration.release == since:
        return _restored(restoration, course, writer)
    return _since_when(life, writer)


def _renamed(rename: Change, course: Course, writer: Writer) -> Markup:
    """Returns the sentence about the last rename of a term."""
    assert rename.before, "a rename has an entry with the former name"
    return writer.say(
        "status.renamed",
        name=rename.before.name,
        release=writer.version_of(course.source, rename.release),
        origin=_wordings_and_origin(course, writer),
    )


def _restored(restoration: Change, course: Course, writer: Writer) -> Markup:
    """Returns the sentence about the last restoration of a term."""
    first_absent, _ = absence(restoration, course)
    origin = _wordings_and_origin(course, writer)
    return writer.say(
        "status.restored",
        removed=writer.version(first_absent),
        release=writer.version_of(course.source, restoration.release),
        # The message has it at the beginning of a sentence.
        origin=origin[:1].upper() + origin[1:],
    )


def _since_when(life: Life, writer: Writer) -> Markup:
    """Returns the sentence about the release since which a term has its words."""
    course = life.main_course
    first = course.changes[0]
    since = course.words_since
    release = writer.version_of(course.source, since)
    origin = _origin(first, writer)
    if since != first.release:
        # "Reworded in the latest release" would be wrong about a branch or a day.
        is_no_release = since in course.source.unreleased or since in writer.words.dated
        is_news = _news_badge(life) == "reworded" and not is_no_release
        key = "status.reworded" if is_news else "status.changed"
        return writer.say(key, _rewording_count(course), release=release, origin=origin)
    # Nothing is known of a term that only the latest release has.
    if first.kind == "first-read" and since in _latest_releases(course):
        return writer.say("status.first-read", release=release)
    return writer.say("status.unchanged", origin=origin)


def _wordings_and_origin(course: Course, writer: Writer) -> Markup:
    """Returns how often a term was reworded, if it was, and since when the glossary has it."""
    origin = _origin(course.changes[0], writer)
    count = _rewording_count(course)
    if count == 0:
        return origin
    return writer.say("status.rewordings", count, origin=origin)


def _origin(first: Change, writer: Writer) -> Markup:
    """Returns since when the glossary has a term. `first` is the term's first change."""
    release = writer.version(first.release)
    if first.kind == "split" and first.other:
        return writer.say("status.split", term=writer.term(first.other), release=release)
    key = "status.earlier" if first.kind == "first-read" else "status.added"
    return writer.say(key, release=release)


def _rewording_count(course: Course) -> int:
    """Returns how often a term was reworded in one source."""
    return len([change for change in course.changes if change.kind == "reworded"])
