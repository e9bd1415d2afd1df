"""The first page: an introduction, the search, changes by release, the newest changes, and sections
or terms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import Release, Source, grouped
from sitegen.model.terms import CHANGES, COMPARED, MARKS, ChangeKind, Mark, main_kind
from sitegen.site.messages import plain
from sitegen.site.pages import letters, translated_terms
from sitegen.site.pages.change_texts import counts, legend
from sitegen.site.pages.introduction import introduction, origin
from sitegen.site.pages.lists import ListLines, TermLine, distinctive
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.releases import release_facts, release_summary
from sitegen.site.release_pairs import Event, latest
from sitegen.text.prose import from_html
from sitegen.text.summary import summary

MOST_TERMS = 6
"""Maximum number of terms of a kind of change in the newest release that are named."""
FEW_TERMS = 60
"""A glossary of this many terms or fewer is shown whole."""
MOST_BARS = 12
"""Maximum number of releases in the chart; the newest are shown. On a phone, their bars are
24 pixels wide, which a finger can hit."""
HIGHEST = 85
"""The height of the highest bar in percent of the chart; its number stands above it."""
CUT = 77
"""The height of a bar that is cut, below the gap."""
CUT_TOP = 5
"""The height of its piece above the gap."""
FAR_ABOVE = 4
"""A bar of more than so many times the terms of another is far above it."""

TOP_ABOVE_OTHERS = 1.5
"""The top of a chart with bars that are cut, as a multiple of its highest other bar."""


class BarPart(NamedTuple):
    """The terms of a bar whose change has one mark, in percent of the height of the chart."""

    mark: Mark
    top: int
    """The distance from the top of the chart."""
    height: int


class Bar(NamedTuple):
    """A release in the chart of changes."""

    address: str
    name: Markup
    counts: Markup
    """The number of terms with each kind of change, as text."""
    terms: int
    """The number of all terms that changed."""
    parts: Sequence[BarPart]
    """From the ground up."""


def home(data: PageData) -> Page:
    """Returns the site's first page."""
    writer, site = Writer(data, urls.root(urls.HOME)), data.site
    what = introduction(writer)
    releases: list[Mapping[str, object]] = []
    charts, since = [], []
    kinds: set[str] = set()
    for source in site.dated_sources:
        releases += _latest_releases(source, writer)
        charted = _charted(source, writer)
        if any(charted.values()):
            charts.append(_chart(source, charted, writer))
        for events in charted.values():
            kinds.update([event.change.kind for event in events])
        earlier = _since(source, writer)
        if earlier:
            since.append((data.title_if_several(source), earlier))
    terms: list[TermLine] = []
    if len(data.current) <= FEW_TERMS:
        lines = ListLines(writer)
        terms = distinctive([lines.line(life) for life in data.current])
    return Page(
        address=urls.HOME,
        template="pages/home.html",
        title="",
        description=plain(what),
        context={
            "what": what,
            "translated": translated_terms.progress(writer),
            "note": _note(writer),
            "latest": releases,
            "charts": charts,
            "legend": legend(kinds, writer),
            "release_count": len(site.release_names()),
            "since": since,
            "terms": terms,
            "sections": list(_sections(writer)),
            "letters": letters.links_to_anchors(site, writer.root),
        },
    )


def _note(writer: Writer) -> Markup:
    """Returns the first sentence of the site's note; without a note, what its releases are."""
    note = writer.site.settings.note
    if not note:
        return origin(writer)
    return writer.text(summary(from_html(escape(note))))


def _shown_changes(source: Source, release: str, writer: Writer) -> list[Event]:
    """Returns the changes of a release that comparisons of releases list too."""
    events = writer.data.changes.get((source.id, release), ())
    return [event for event in events if event.change.kind in COMPARED]


def _charted(source: Source, writer: Writer) -> Mapping[str, Sequence[Event]]:
    """Returns the changes of each release in the chart of a source, newest first: of each term the
    one that represents all, so that the chart counts terms, as comparisons do."""
    charted = {}
    for release in reversed(source.releases[-MOST_BARS:]):
        events = _shown_changes(source, release.name, writer)
        if not events and release is source.releases[0]:
            continue  # the history begins here
        by_term = grouped((event.key, event) for event in events)
        charted[release.name] = [_main_change(several) for several in by_term.values()]
    return charted


def _main_change(events: Sequence[Event]) -> Event:
    """Returns the change that represents all changes of a term in one release."""
    main = main_kind([event.change.kind for event in events])
    return next(event for event in events if event.change.kind == main)


def _chart(
    source: Source, charted: Mapping[str, Sequence[Event]], writer: Writer
) -> Mapping[str, object]:
    """Returns the chart of a source: a bar for each release that is charted."""
    terms_at_top = _terms_at_top([len(events) for events in charted.values()])
    source_title = writer.data.title_if_several(source)
    title = writer.text(source_title) if source_title else writer.say("home.by-release")
    if len(source.releases) > MOST_BARS:
        title = writer.say("home.chart-last", title=title, count=len(charted))
    return {
        "source": source_title,
        "title": title,
        "bars": [
            _bar(release, events, terms_at_top, writer) for release, events in charted.items()
        ],
    }


def _terms_at_top(numbers: Sequence[int]) -> float:
    """Returns the number of terms at the top of a chart. At most a tenth of the bars are cut: if
    they are far above all others, the others would be flat beside them."""
    highest = max(numbers)
    others = [number for number in numbers if number * FAR_ABOVE < highest]
    cut = len(numbers) - len(others)
    if cut * 10 > len(numbers) or not any(others):
        return highest
    return max(others) * TOP_ABOVE_OTHERS


def _bar(release: str, events: Sequence[Event], terms_at_top: float, writer: Writer) -> Bar:
    """Returns the bar of a release. A bar of more terms than are at the top of the chart is cut."""
    numbers = Counter([MARKS[event.change.kind] for event in events])
    is_cut = len(events) > terms_at_top
    full_height, full_terms = HIGHEST, terms_at_top
    if is_cut:
        full_height, full_terms = CUT, len(events)
    parts = []
    terms_so_far = height_so_far = 0
    for mark in dict.fromkeys(MARKS.values()):
        if mark not in numbers:
            continue
        terms_so_far += numbers[mark]
        height = math.ceil(full_height * terms_so_far / full_terms)
        parts.append(BarPart(mark, top=100 - height, height=height - height_so_far))
        height_so_far = height
    if is_cut:
        parts.append(BarPart(parts[-1].mark, top=100 - HIGHEST, height=CUT_TOP))
    return Bar(
        address=urls.release(release),
        name=writer.version(release),
        counts=writer.listed(counts(events, writer).values()),
        terms=len(events),
        parts=parts,
    )


def _latest_releases(source: Source, writer: Writer) -> Iterator[Mapping[str, object]]:
    """Yields the newest release, and unreleased ones that have changes. The only release is left
    out if it could be read, since the whole page shows it."""
    is_only = len(source.releases) == 1
    released = [release for release in source.releases if not release.unreleased]
    if released:
        newest = released[-1]
        is_unread = (source.id, newest.name) in writer.data.unread
        if is_unread or not is_only:
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
    if writer.data.several_sources:
        title = writer.say("release.of", source=source.title, release=title)
    if release.unreleased:
        title = writer.say("home.unreleased", release=title)
    elif len(source.releases) > 1:
        title = writer.say("home.latest", release=title)
    keys_of: Mapping[ChangeKind, Sequence[str]] = {}
    if summary["counts"]:
        events = _shown_changes(source, release.name, writer)
        keys_of = grouped((event.change.kind, event.key) for event in events)
    changes = []
    for kind in CHANGES:
        if kind in keys_of:
            terms = _first_terms(keys_of[kind], urls.release(release.name), writer)
            changes.append((kind, terms))
    facts = release_facts(source, release, writer)
    return {**summary, "title": title, "facts": facts, "changes": changes}


def _first_terms(keys: Sequence[str], address: str, writer: Writer) -> Markup:
    """Returns links to the first of these terms, and a link to the address of the others."""
    links = [_term(key, writer) for key in keys[:MOST_TERMS]]
    others = len(keys) - MOST_TERMS
    if others > 0:
        links.append(writer.link(writer.say("home.more", others), address))
    return writer.listed(links)


def _term(key: str, writer: Writer) -> Markup:
    """Returns a link to a term, and where it differs from another term of its name."""
    term, hint = writer.term(key), writer.site.hint(key)
    return writer.say("names.homonym", term=term, hint=hint) if hint else term


def _since(source: Source, writer: Writer) -> list[tuple[Markup, str]]:
    """Returns the releases before the latest, newest first, each with the address of the changes
    since it."""
    names = [release.name for release in source.releases]
    if not names:
        return []
    earlier = names[: names.index(latest(source))]
    return [(writer.version(name), urls.comparison(name)) for name in reversed(earlier)]


def _sections(writer: Writer) -> Iterator[tuple[Markup, Markup]]:
    """Yields a link to each section with the number of its terms, and last how many are in none."""
    in_sections = 0
    for heading, lives in writer.site.sections.values():
        in_sections += len(lives)
        yield writer.link(heading, urls.section(heading)), writer.say("terms", len(lives))
    others = len(writer.data.current) - in_sections
    if in_sections and others > 0:
        yield writer.say("home.no-section"), writer.say("terms", others)
