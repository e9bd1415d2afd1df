"""The current status of a term: a sentence for its page, its mark, and a badge for lists."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Literal, get_args

from markupsafe import Markup

from sitegen.model.terms import CHANGES, Change, ChangeKind, Course, Life, Span
from sitegen.site.pages.page import SEPARATOR, Writer
from sitegen.text.names import fold

Badge = Literal["new", "unreleased", "reworded", "deprecated", "removed", "merged", ""]
BADGES: tuple[Badge, ...] = get_args(Badge)
"""In the order of the filters of a list."""
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
    """Returns the filters that leave a term in a list: its badge, and "reworded" also beside
    another badge; those that are about a release with its name. None leaves a removed term."""
    if not life.is_defined:
        return {}
    found: dict[Badge, str] = {}
    own_badge = badge(life)
    if own_badge:
        found[own_badge] = ""
    news = _news_badge(life)
    if news:
        found[news] = life.main_course.revisions[-1].first
    return found


def _news_badge(life: Life) -> Badge:
    """Returns "new" or "reworded" if the latest release added or reworded a term. A term that it
    restored is neither, also if it has other words than before."""
    course = life.main_course
    has_history = len(course.releases) > 1 and not course.source.undated
    release = course.revisions[-1].first
    if not has_history or release not in _latest_releases(course):
        return ""
    first = course.changes[0]
    if first.release == release:
        return "new" if CHANGES[first.kind].begins else ""
    change = last_change(life, "reworded", "restored")
    if change is None or change.release != release:
        return ""
    return "reworded" if change.kind == "reworded" else ""


def last_change(life: Life, *kinds: ChangeKind) -> Change | None:
    """Returns the last change of these kinds in the main source of a term."""
    for change in reversed(life.main_course.changes):
        if change.kind in kinds:
            return change
    return None


def mark_and_label(life: Life, writer: Writer) -> tuple[str, Markup]:
    """Returns the kind of the mark of a term's status, if any, and the label of its definition,
    such as "Last definition:".

    The label is empty for a current definition of the name.
    """
    defining_term = writer.site.defining_term(life.key)
    if defining_term is not life:
        mark = "merged" if life.main_course.merge else ""
        return mark, writer.say("status.definition-of", term=defining_term.name)
    if life.status == "removed":
        return "removed", writer.say("status.last-definition")
    own_badge = badge(life)
    if own_badge:
        return own_badge, Markup()
    restored = last_change(life, "restored")
    if restored and restored.release == life.main_course.revisions[-1].first:
        return "restored", Markup()
    return "", Markup()


def status(life: Life, writer: Writer) -> Markup:
    """Returns the one sentence under a term's name."""
    sentence = _sentence(life, writer)
    course = life.main_course
    unread = course.source.releases[_read_count(course) :]
    if not unread:
        return sentence
    is_gone = all(release.gaps == ("",) for release in unread)  # no file of it was found
    if is_gone:
        end = writer.say("status.gone", release=writer.version(unread[0].name))
    else:
        names = writer.versions(release.name for release in unread)
        end = writer.say("status.unread", releases=names)
    return sentence + SEPARATOR + end


def rename_in_status(life: Life) -> Change | None:
    """Returns the rename that the status of a term in force names: the last one, if the term was
    neither reworded nor restored since."""
    if life.status != "current" or life.synonym_of:
        return None
    if _is_unreleased(life) or _news_badge(life):
        return None
    change = last_change(life, "renamed", "reworded", "restored")
    if change is None or change.kind != "renamed":
        return None
    return change


def absence(change: Change, course: Course) -> tuple[str, str]:
    """Returns the first and the last release before a restoration in which the term was absent."""
    number = course.releases.index(change.release)
    absent: list[Span] = []  # since the last release that had the term
    for span in course.spans:
        if span.past > number:
            break
        if span.entry:
            absent = []
        elif span.state == "absent":
            absent.append(span)
    return course.releases[absent[0].first], course.releases[absent[-1].past - 1]


def _read_count(course: Course) -> int:
    """Returns the number of releases up to the last one that could be read."""
    last = course.spans[-1]
    return last.first if last.state == "unread" else len(course.releases)


def _latest_releases(course: Course) -> Set[str]:
    """Returns the last published release that could be read, and all unreleased ones."""
    read = course.releases[: _read_count(course)]
    published = [name for name in read if name not in course.source.unreleased]
    return {*published[-1:], *course.source.unreleased}


def _is_unreleased(life: Life) -> bool:
    """True for a term that is in no published release."""
    course = life.main_course
    releases = [entry.place.release for entry in course.entries if entry]
    return not course.source.undated and course.source.unreleased.issuperset(releases)


def _sentence(life: Life, writer: Writer) -> Markup:
    """Returns the status without the releases that could not be read."""
    source = life.main_course.source
    if life.synonym_of and writer.site.defining_term(life.key) is not life:
        term = writer.onward(life.synonym_of)
        merge = life.main_course.merge
        if merge is None:
            return writer.say("status.synonym", term=term)
        release = writer.version_of(source, merge.release)
        return writer.say("status.merged", term=term, release=release)
    if life.status in ("removed", "deprecated"):
        return _out_of_use(life, writer)
    if not source.undated:
        return _news_sentence(life, writer) or _sentence_of_earlier(life, writer)
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
    if life.replaced_by and not _leads_to_replacement(life, writer):
        term = writer.onward(life.replaced_by)
        sentences.append(writer.say("status.use-instead", term=term))
    elif life.status == "removed":
        sentences.append(writer.say("status.no-replacement"))
    deprecation = last_change(life, "deprecated")
    if life.status == "deprecated" and deprecation:
        course = life.main_course
        was_in_force_before = deprecation.release != course.changes[0].release
        if was_in_force_before:
            sentences.append(_wordings_and_origin(course, writer))
    return SEPARATOR.join(sentences)


def _leads_to_replacement(life: Life, writer: Writer) -> bool:
    """True if the first paragraph of a deprecated term says that it is, and has a link to the
    replacement; the status above it does not repeat that."""
    replacement = life.replaced_by
    if life.status != "deprecated" or replacement not in writer.site.see_also[life.key]:
        return False
    name = writer.site.by_key[replacement].name
    beginning = fold(life.entry.definition.text.partition("\n\n")[0])
    return "deprecated" in beginning and fold(name) in beginning


def _removed(life: Life, writer: Writer) -> Markup:
    """Returns when a term was removed, and the first and the last release that had it."""
    change = last_change(life, "removed", "merged")
    assert change, "a removed term has a removal in its main source"
    release = writer.version_of(life.main_course.source, change.release)
    revisions = life.main_course.revisions
    releases = writer.words.span(revisions[0].first, revisions[-1].last)
    return writer.say("status.removed", release=release, releases=releases)


def _deprecated(life: Life, writer: Writer) -> Markup:
    """Returns since when a term is deprecated."""
    course = life.main_course
    if _is_unreleased(life):
        return writer.say("status.deprecated-undated") + SEPARATOR + writer.say("status.unreleased")
    if not course.changes:
        return writer.say("status.deprecated-undated")
    began = course.changes[0]
    change = last_change(life, "deprecated") or began
    was_first_read = change.kind == "first-read"
    key = "status.deprecated-earlier" if was_first_read else "status.deprecated"
    return writer.say(key, release=writer.version_of(course.source, change.release))


def _origin(first: Change, writer: Writer) -> Markup:
    """Returns since when the glossary has a term. `first` is its first change."""
    if first.kind == "split" and first.other:
        term = writer.term(first.other)
        return writer.say("status.split", term=term, release=writer.version(first.release))
    key = "status.earlier" if first.kind == "first-read" else "status.added"
    return writer.say(key, release=writer.version(first.release))


def _rewording_count(course: Course) -> int:
    """Returns how often a term was reworded in its main source."""
    return len([change for change in course.changes if change.kind == "reworded"])


def _wordings_and_origin(course: Course, writer: Writer) -> Markup:
    """Returns how often a term was reworded, if it was, and since when the glossary has it."""
    origin = _origin(course.changes[0], writer)
    count = _rewording_count(course)
    return writer.say("status.rewordings", count, origin=origin) if count else origin


def _news_sentence(life: Life, writer: Writer) -> Markup | None:
    """Returns the sentence about a term that the latest release added or reworded, or that is in no
    release; None about another term."""
    course = life.main_course
    first = course.changes[0]
    since = course.revisions[-1].first  # the release of the present words
    release = writer.version_of(course.source, since)
    is_added = first.kind != "first-read"
    if is_added and since == first.release and since in _latest_releases(course):
        return writer.say("status.new", release=release)
    if _is_unreleased(life):
        return writer.say("status.unreleased")
    if _news_badge(life) != "reworded":
        return None
    # A day is no release.
    is_other = since in course.source.unreleased or since in writer.words.dated
    key = "status.changed" if is_other else "status.reworded"
    count = _rewording_count(course)
    return writer.say(key, count, release=release, origin=_origin(first, writer))


def _sentence_of_earlier(life: Life, writer: Writer) -> Markup:
    """Returns the sentence about a term that the latest release neither added nor reworded: its
    rename, its restoration, or since when it has its words."""
    course = life.main_course
    first = course.changes[0]
    since = course.revisions[-1].first
    wordings_and_origin = _wordings_and_origin(course, writer)
    renamed = rename_in_status(life)
    if renamed:
        assert renamed.before, "a rename has an entry with the former name"
        name = renamed.before.name
        release = writer.version_of(course.source, renamed.release)
        return writer.say("status.renamed", name=name, release=release, origin=wordings_and_origin)
    restored = last_change(life, "restored")
    if restored and restored.release == since:
        first_absent, _ = absence(restored, course)
        removed = writer.version(first_absent)
        release = writer.version_of(course.source, since)
        origin = wordings_and_origin[:1].upper() + wordings_and_origin[1:]
        return writer.say("status.restored", removed=removed, release=release, origin=origin)
    origin = _origin(first, writer)
    has_first_words = since == first.release
    if not has_first_words:
        count = _rewording_count(course)
        return writer.say("status.changed", count, release=writer.version(since), origin=origin)
    if first.kind == "first-read" and since in _latest_releases(course):
        return writer.say("status.first-read", release=writer.version(since))
    return writer.say("status.unchanged", origin=origin)
