"""The first page: an introduction, the search, changes by release, the newest changes, and sections
or terms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import Release, Source, grouped
from sitegen.model.terms import CHANGES, COMPARED, MARKS, Change, ChangeKind, Mark
from sitegen.site import letters
from sitegen.site.pages import translated_terms
from sitegen.site.pages.about import first_of_note, introduction, origin
from sitegen.site.pages.change_texts import counts, legend
from sitegen.site.pages.lists import (
    MANY_LINES,
    ListLines,
    TermLine,
    has_long_names,
    without_common_badges,
)
from sitegen.site.pages.page import Page, Writer
from sitegen.site.pages.releases import release_facts, release_summary
from sitegen.site.site import Site

MOST_TERMS = 6
"""Maximum number of terms of a kind of change in the newest release that are named."""
FEW_TERMS = 60
"""Maximum number of terms that are all listed."""
MORE_TERMS = 200
"""The same if most terms have one letter, as in Chinese: links to letters would lead nowhere."""
TERMS_OF_SECTION = 3
"""Number of terms of a section that are named."""
MOST_BARS = 12
"""Maximum number of releases in the chart; the newest are shown. On a phone, their bars are
24 pixels wide, which a finger can hit."""
LOW_CHART = 5
"""If no release has more changes, the chart is low: bars of one or two changes should not look like
many."""
HIGHEST = 85
"""The height of the highest bar in percent of the chart; its number stands above it."""


class BarPart(NamedTuple):
    """The changes of a bar that have one mark, in percent of the height of the chart."""

    mark: Mark
    top: int
    """The distance from the top of the chart."""
    height: int


class Bar(NamedTuple):
    """A release in the chart of changes."""

    address: str
    name: Markup
    counts: Markup
    """The number of changes of each kind, as text."""
    changes: int
    """The number of all changes."""
    parts: Sequence[BarPart]
    """From the ground up."""


def home(site: Site) -> Page:
    """Returns the site's first page."""
    writer = Writer(site, urls.HOME)
    what = introduction(writer)

    latest_releases: list[Mapping[str, object]] = []
    charts = []
    kinds_in_charts: set[str] = set()
    earlier_releases = []
    for source in site.dated_sources:
        latest_releases += _latest_releases(source, writer)

        changes_of_release = _changes_of_newest(source, writer)
        has_changes = any(changes_of_release.values())
        if has_changes:
            charts.append(_chart(source, changes_of_release, writer))
        for changes in changes_of_release.values():
            kinds_in_charts.update([change.kind for change in changes])

        links = _earlier_releases(source, writer)
        if links:
            earlier_releases.append((site.title_if_several(source), links))

    # A small glossary is shown whole.
    terms: list[TermLine] = []
    is_brief = len(site.defined) > MANY_LINES
    if len(site.defined) <= FEW_TERMS or _is_in_one_letter(site):
        lines = ListLines(writer, is_brief=is_brief)
        lives = letters.listed(site.defined, site.language)
        terms = without_common_badges([lines.line(life) for life in lives])
    return Page(
        address=urls.HOME,
        template="pages/home.html",
        title="",
        description=what,
        context={
            "what": what,
            "translated": translated_terms.progress(writer),
            # Without a note, the page says where the releases come from.
            "note": first_of_note(writer) or origin(writer),
            "latest": latest_releases,
            "charts": charts,
            "legend": legend(kinds_in_charts, writer),
            "release_count": len(site.by_release),
            "since": earlier_releases,
            "terms": terms,
            "is_brief": is_brief,
            "has_long_names": has_long_names(site.defined),
            "sections": list(_sections(writer, has_names=not terms)),
            "letters": letters.links_to_a_to_z(site.defined, site.language, root=writer.root),
        },
    )


def _sections(writer: Writer, *, has_names: bool) -> Iterator[tuple[Markup, int, Markup]]:
    """Yields a link to each section, the number of its terms, and the names of the first ones if
    the page does not list all terms."""
    for heading, lives in writer.site.sections.values():
        first_lives = lives[:TERMS_OF_SECTION] if has_names else ()
        names = writer.listed([life.name for life in first_lives])
        yield writer.link(heading, urls.section(heading)), len(lives), names


def _is_in_one_letter(site: Site) -> bool:
    """True if most terms have the same letter, and there are at most `MORE_TERMS`."""
    lives_by_letter = letters.by_letter(site.defined, site.language)
    number_in_largest = max(map(len, lives_by_letter.values()), default=0)
    return number_in_largest > len(site.defined) / 2 and len(site.defined) <= MORE_TERMS


def _shown_changes(source: Source, release: str, writer: Writer) -> list[Change]:
    """Returns the changes of a release that matter to readers, the same that a comparison of
    releases lists."""
    changes = writer.site.changes.get((source.id, release), ())
    return [change for change in changes if change.kind in COMPARED]


def _changes_of_newest(source: Source, writer: Writer) -> Mapping[str, Sequence[Change]]:
    """Returns the changes of each release in the chart of a source, newest release first."""
    changes_of_release = {}
    for release in reversed(source.releases[-MOST_BARS:]):
        if not release.is_read:
            continue  # nothing is known
        changes = _shown_changes(source, release.name, writer)
        is_oldest = release is source.releases[0]
        if is_oldest and not changes:
            continue  # nothing can have changed: the history begins here
        changes_of_release[release.name] = changes
    return changes_of_release


def _chart(
    source: Source, changes_of_release: Mapping[str, Sequence[Change]], writer: Writer
) -> Mapping[str, object]:
    """Returns the chart of a source, with a bar for each of these releases."""
    source_title = writer.site.title_if_several(source)
    title = writer.text(source_title) if source_title else writer.say("home.by-release")
    if len(source.releases) > MOST_BARS:
        title = writer.say("home.chart-last", title=title, count=len(changes_of_release))

    highest = max(map(len, changes_of_release.values()))
    bars = []
    for release, changes in changes_of_release.items():
        bars.append(_bar(release, changes, highest, writer))
    is_low = highest <= LOW_CHART
    return {"source": source_title, "title": title, "bars": bars, "is_low": is_low}


def _bar(release: str, changes: Sequence[Change], highest: int, writer: Writer) -> Bar:
    """Returns the bar of a release. `highest` is the number of changes of the highest bar."""
    counts_by_mark = Counter([MARKS[change.kind] for change in changes])

    # Each part begins where the one below it ends.
    parts = []
    changes_so_far = 0
    height_below = 0
    for mark in dict.fromkeys(MARKS.values()):  # each mark once
        if mark not in counts_by_mark:
            continue
        changes_so_far += counts_by_mark[mark]
        height = math.ceil(HIGHEST * changes_so_far / highest)  # of this part and all below it
        parts.append(BarPart(mark, top=100 - height, height=height - height_below))
        height_below = height
    return Bar(
        address=urls.release(release),
        name=writer.version(release),
        counts=writer.listed(counts(changes, writer).values()),
        changes=len(changes),
        parts=parts,
    )


def _latest_releases(source: Source, writer: Writer) -> Iterator[Mapping[str, object]]:
    """Yields the newest release, and the unreleased states with changes."""
    is_only = len(source.releases) == 1
    released = [release for release in source.releases if not release.unreleased]
    if released:
        newest = released[-1]
        # About the only release, the page says nothing but that it could not be read.
        if not is_only or not newest.is_read:
            yield _latest(source, newest, writer)
    for release in source.releases:
        if release.unreleased:
            facts = _latest(source, release, writer)
            if facts["counts"] or is_only:
                yield facts


def _latest(source: Source, release: Release, writer: Writer) -> Mapping[str, object]:
    """Returns a release of a source in brief, with its first changes."""
    summary = release_summary(source, release, writer)
    title = writer.version(release.name)
    if writer.site.several_sources:
        title = writer.say("release.of", source=source.title, release=title)
    if release.unreleased:
        title = writer.say("home.unreleased", release=title)
    elif len(source.releases) > 1:
        title = writer.say("home.latest", release=title)

    # If there are no counts, a sentence says why, and no terms are named.
    keys_by_kind: Mapping[ChangeKind, Sequence[str]] = {}
    if summary["counts"]:
        shown = _shown_changes(source, release.name, writer)
        keys_by_kind = grouped((change.kind, change.term) for change in shown)
    changes = []
    for kind in CHANGES:
        if kind in keys_by_kind:
            terms = _first_terms(keys_by_kind[kind], urls.release(release.name), writer)
            changes.append((kind, terms))

    # Without the date, the only fact would be that it is the latest release, as the title says.
    facts: Sequence[Markup] = ()
    if writer.date(source.id, release.name):
        facts = release_facts(source, release, writer)
    return {**summary, "title": title, "facts": facts, "changes": changes}


def _first_terms(keys: Sequence[str], address: str, writer: Writer) -> Markup:
    """Returns links to the first of these terms, and a link to the address of the others."""
    links = [writer.term(key) for key in keys[:MOST_TERMS]]
    number_of_others = len(keys) - MOST_TERMS
    if number_of_others > 0:
        links.append(writer.link(writer.say("home.more", number_of_others), address))
    return writer.listed(links)


def _earlier_releases(source: Source, writer: Writer) -> list[tuple[Markup, str]]:
    """Returns the releases before the latest one, newest first. With each is the address of the
    page about the changes since then."""
    earlier = []
    for release in source.releases:
        if release.name == source.latest:
            break
        if release.is_read:  # else there is nothing to compare with
            earlier.append((writer.version(release.name), urls.comparison(release.name)))
    return earlier[::-1]
