"""The wordings of a term: the releases of each, and the list from which a reader chooses one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from sitegen.model.terms import Course, Life, Revision
from sitegen.site.messages import Catalog
from sitegen.site.pages.page import Writer


def is_in_force(revision: Revision) -> bool:
    """True for a wording that nothing has ended in the releases that could be read."""
    return revision.ended in ("current", "unread", "moved")


def releases_of(revision: Revision, words: Catalog) -> Markup:
    """Returns the releases of a wording, such as "1.5.0 to 1.9.1" or "1.10.0 and later"."""
    if is_in_force(revision):
        return words.say("release.onwards", release=words.version(revision.first))
    return words.span(revision.first, revision.last)


def wordings(life: Life, shown: Revision, writer: Writer) -> Mapping[str, object] | None:
    """Returns the values of the list of wordings, newest first, or None if there is only one."""
    courses = life.term.dated_courses
    lists = [
        (course.source.title if len(courses) > 1 else "", _links(life, course, writer))
        for course in courses
    ]
    if sum(len(links) for _, links in lists) < 2:
        return None
    label = writer.say("frozen.neighbors")
    if shown.first:
        label = writer.say("frozen.wording", release=releases_of(shown, writer.words))
    return {"label": label, "lists": lists}


def _links(life: Life, course: Course, writer: Writer) -> Sequence[Markup]:
    """Returns links to the wordings in a source: to their frozen pages, or to their event."""
    data, source, links = writer.data, course.source.id, []
    for revision in reversed(course.revisions):
        page = data.site.wordings.get((life.key, source, revision.first))
        address = page or data.revision(life.key, source, revision.first)
        links.append(writer.link(releases_of(revision, writer.words), address))
    return links
