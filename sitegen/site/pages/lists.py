"""Pages that list terms: A–Z, its letters, and one page for each section.

A–Z has every term on one page, so that the browser's search and published ids work. If it is long,
it has no first sentences: a script shows them on demand, and in a very large glossary the pages of
letters have them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from markupsafe import Markup

from sitegen.addresses import urls
from sitegen.model import SitePart, grouped
from sitegen.model.terms import Life
from sitegen.site import letters
from sitegen.site.pages.page import SEPARATOR, Page, Writer, page_part
from sitegen.site.pages.status import BADGES, RELEASE_LABELS, Badge, filters, last_change
from sitegen.site.pages.term_names import rename_to_present, renames_from
from sitegen.site.pages.translated_terms import behind
from sitegen.site.sections import Section
from sitegen.site.site import Site
from sitegen.text.collation import order
from sitegen.text.names import fold, usable
from sitegen.text.summary import summary

MANY_TERMS = 1_000
"""If there are more terms, each letter has its own page of A–Z."""
MANY_LINES = 30
"""If more terms are in force, A–Z and the first page have no first sentences, so that the pages are
small."""
LONG_NAME = 20
"""If more than half of the names are longer, a phone has them in one column, else in two."""
NAME_BREAK = r"(?<=[a-z]{2})(?=[A-Z])|(?<=\w[._])(?=\w)|(?<=\w)(?=\()"
"""Matches where a name without spaces may break: `Data|Parallel`, `torch.|hub`, `नोड|(node)`;
but not `mTLS`."""


class LineBadge(NamedTuple):
    """A badge of a line. A reader can filter the list by it."""

    name: Badge
    release: str
    """The release that it is about; empty if it is about none."""
    text: Markup


class TermLine(NamedTuple):
    """A term as a line of a list."""

    link: Markup
    badges: Sequence[LineBadge]
    also: str = ""
    """The source or section that tells the term from others, and its other names; often empty."""
    summary: str = ""
    """The first sentence of its definition, or a link to the term of which it is a synonym."""
    ended: str = ""
    """Phrases about its removal and what to use instead; empty for a current term."""
    sources: str = ""
    """The sources that define it, or that defined it if it was removed, for the filter by
    source."""
    anchors: Sequence[str] = ()
    """Ids by which Sphinx linked to it."""


class Bucket(NamedTuple):
    """The terms under a letter."""

    heading: Markup
    """The letter; a link to its page, if it has one."""
    id: str
    lines: Sequence[TermLine]


def letters_with_page(site: Site) -> tuple[str, ...]:
    """Returns the letters that have a page of their own in A–Z. If there are many terms, these are
    the initials of all terms. A letter also keeps its page once it was published."""
    labels = set()
    if len(site.lives) > MANY_TERMS:
        labels.update([letters.initial(life.entry, site.language) for life in site.lives])

    # The page of the letter "A" was published at `a-z/a/`.
    for address in site.addresses.archive.by_address:
        folder, _, part = address.removesuffix("/").rpartition("/")
        if f"{folder}/" == urls.A_TO_Z:
            labels.add(letters.label_in(part))
    return letters.in_order(labels, site.language)


def a_to_z(site: Site) -> Iterator[SitePart[Page]]:
    """Yields the page that lists every term, and the pages of letters."""
    with_page = letters_with_page(site)
    yield page_part(urls.A_TO_Z, partial(_full_list, with_page, site))
    for label in with_page:
        make = partial(_letter, label, with_page, site)
        yield page_part(letters.page(urls.A_TO_Z, label), make)


def _full_list(with_page: Sequence[str], site: Site) -> Page:
    """Returns the list of all terms. `with_page` are the letters that have a page."""
    writer = Writer(site, urls.A_TO_Z)

    # Sphinx links to ids such as `term-tensor` on this page, so the line of a term has them.
    sphinx_ids = sorted(site.addresses.sphinx_ids.items())
    ids_by_key = grouped((key, sphinx_id) for sphinx_id, key in sphinx_ids)

    lines = ListLines(writer, is_brief=len(site.defined) > MANY_LINES, anchors=ids_by_key)
    initials = [letters.initial(life.entry, site.language) for life in site.defined]
    return lines.page(
        site.lives,
        heading=writer.say("a-z.title"),
        sentence=writer.say("terms", len(site.defined)),
        description=writer.say("a-z.description", len(site.defined), site=site.title),
        links=letters.links_within(initials, site.language),
        with_page=with_page,
        renamed=_renames(writer),
        # A script adds first sentences from the data of the search. If letters have pages, those
        # pages have the sentences.
        has_more=lines.is_brief and not with_page,
    )


def _renames(writer: Writer) -> list[TermLine]:
    """Returns a line for each former main name of a current term, in alphabetical order, with the
    name that it has now."""
    site = writer.site
    lines = []
    for life in site.defined:
        for folded_name, change in renames_from(life).items():
            if folded_name == fold(life.name):  # the term has this name again
                continue
            assert change.before, "a rename has an entry with the former name"
            name = change.before.name
            rename = rename_to_present(life, change)
            release = writer.version_of(site.source(rename.source), rename.release)
            now = writer.say("status.now-called", term=writer.term(life.key), release=release)
            line = TermLine(link=writer.text(name), badges=(), ended=now)
            lines.append((order(name, site.language), line))
    return [line for _, line in sorted(lines, key=itemgetter(0))]


def _letter(label: str, with_page: Sequence[str], site: Site) -> Page:
    """Returns the list of the terms under a letter. A published page of a letter stays, even if the
    letter has no terms any more."""
    address = letters.page(urls.A_TO_Z, label)
    writer = Writer(site, address)
    lives = [life for life in site.lives if letters.initial(life.entry, site.language) == label]
    count = len([life for life in lives if life.is_defined])
    sentence = writer.say("a-z.letter-terms", count, letter=label)
    return ListLines(writer).page(
        lives,
        heading=writer.say("a-z.letter", letter=label),
        sentence=sentence,
        description=sentence,
        links=letters.links_to_pages(urls.A_TO_Z, with_page, site.language, page_address=address),
    )


@dataclass(frozen=True)
class ListLines:
    """Builds the lines of a list of terms, and a page that has them by letter."""

    writer: Writer
    is_brief: bool = False
    """True if lines have no first sentences."""
    anchors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Term key to the ids by which Sphinx once linked to it."""

    def page(
        self,
        lives: Sequence[Life],
        *,
        heading: Markup,
        sentence: Markup,
        description: Markup,
        links: Markup,
        with_page: Sequence[str] = (),
        renamed: Sequence[TermLine] = (),
        has_more: bool = False,
    ) -> Page:
        """Returns a page that lists these terms by letter, and the removed ones at its end. The
        headings of the letters `with_page` lead to the pages of these letters; `links` are those
        above the list. With `has_more`, a script adds the first sentences."""
        writer = self.writer
        language = writer.site.language
        current = [life for life in lives if life.is_defined]
        removed = [life for life in lives if not life.is_defined]
        buckets = []
        lines: list[TermLine] = []
        for label, lives_of_letter in letters.by_letter(current, language).items():
            text = writer.text(label)
            if label in with_page:
                text = writer.link(label, letters.page(urls.A_TO_Z, label))
            bucket = Bucket(text, letters.anchor(label), [*map(self.line, lives_of_letter)])
            buckets.append(bucket)
            lines += bucket.lines
        removed_lines = [*map(self.line, letters.listed(removed, language))]
        return Page(
            address=writer.address,
            template="pages/a-z.html",
            title=heading,
            description=description,
            context={
                "heading": heading,
                "sentence": sentence,
                "behind": behind(current, writer),
                "letters": links,
                "buckets": buckets,
                "removed": removed_lines,
                "renamed": renamed,
                "is_brief": self.is_brief,
                "has_long_names": has_long_names(current),
                "has_more": has_more,
                "badges": [*self._filters(lines)],
                "sources": [*self._sources([*lines, *removed_lines])],
            },
        )

    def _sources(self, lines: Iterable[TermLine]) -> Iterator[tuple[str, str]]:
        """Yields the sources that filter the lines, each as its value in the address and its title.
        If all lines have the same sources, there is nothing to filter by."""
        combinations = {line.sources for line in lines}
        if len(combinations) > 1:
            for source in self.writer.site.sources:
                yield urls.release_slug(source.id), source.title

    def _filters(self, lines: Sequence[TermLine]) -> Iterator[tuple[Badge, Markup]]:
        """Yields each badge that filters the lines, with its label. A badge of all lines or none is
        left out."""
        badges: list[LineBadge] = []
        for line in lines:
            badges += line.badges
        releases_by_badge = grouped((badge.name, badge.release) for badge in badges)
        for name in BADGES:
            releases = releases_by_badge.get(name, ())  # one for each line with the badge
            if 0 < len(releases) < len(lines):
                yield name, self._label(name, sorted({*releases}))

    def _label(self, name: Badge, releases: Sequence[str]) -> Markup:
        """Returns the text of a badge. A badge about releases names them: "New in 2.0"."""
        if name in RELEASE_LABELS:
            return self.writer.say(RELEASE_LABELS[name], release=self.writer.versions(releases))
        return self.writer.say(f"kind.{name}")

    def line(self, life: Life) -> TermLine:
        """Returns the line of a term."""
        badges = []
        for name, release in filters(life).items():
            badges.append(LineBadge(name, release, self._label(name, [release])))
        return TermLine(
            link=self._link(life),
            also=self._hint_and_other_names(life),
            summary="" if self.is_brief else self._summary(life),
            badges=badges,
            ended=self._removal_and_replacement(life),
            sources=" ".join(_sources_for_filter(life)),
            anchors=self.anchors.get(life.key, ()),
        )

    def _link(self, life: Life) -> Markup:
        """Returns a link to a term. In a narrow column, a name without spaces may break before a
        capital letter after two small ones, as in `Data|Parallel`, after a dot or an underscore,
        and before a parenthesis."""
        name = self.writer.text(life.name)
        if " " not in life.name:
            name = Markup(re.sub(NAME_BREAK, "<wbr>", name))  # noqa: S704
        return self.writer.link(name, self.writer.site.address(life.key))

    def _hint_and_other_names(self, life: Life) -> Markup:
        """Returns the text beside the name of a term: the source or section that tells it from
        another term of the same name, and its other names. A term without releases has its source
        too, if other sources have releases."""
        writer = self.writer
        parts = []
        hint = writer.site.hint(life.key)
        if not hint and not life.dated_courses and writer.site.dated_sources:
            # The releases of the site say nothing about the term.
            hint = writer.site.source_title(life.entry.place.source)
        if hint:
            parts.append(writer.text(hint))
        other_names = usable(life.names[1:])  # the first is the preferred name
        if other_names:
            parts.append(writer.say("a-z.also", names=writer.listed(other_names)))
        return SEPARATOR.join(parts)

    def _summary(self, life: Life) -> Markup:
        """Returns the first sentence of a term's definition. For a synonym, it says of which term;
        a merged term has none."""
        if life.merged_into:
            # The phrase about its removal names the other term.
            return Markup()
        if life.synonym_of:
            return self.writer.say("a-z.same-as", term=self.writer.term(life.synonym_of))
        return self.writer.text(summary(life.entry.definition))

    def _removal_and_replacement(self, life: Life) -> Markup:
        """Returns when a removed term was removed, and what to use instead of a removed or
        deprecated term. For a current term, the result is empty."""
        writer = self.writer
        phrases = []
        removal = last_change(life, "removed", "merged")
        if removal and not life.is_defined:
            release = writer.version(removal.release)
            if life.merged_into:
                term = writer.term(life.merged_into)
                return writer.say("a-z.merged", term=term, release=release)
            phrases.append(writer.say("a-z.removed-in", release=release))
        if life.replaced_by:
            phrases.append(writer.say("status.use-instead", term=writer.term(life.replaced_by)))
        return writer.listed(phrases)


def has_long_names(lives: Sequence[Life]) -> bool:
    """True if most of these terms have long names."""
    long_names = [life.name for life in lives if len(life.name) > LONG_NAME]
    return len(long_names) > len(lives) / 2


def without_common_badges(lines: Sequence[TermLine]) -> list[TermLine]:
    """Returns the lines. A badge about a release is left out if more than half of the lines have
    it."""
    counts: Counter[Badge] = Counter()
    for line in lines:
        counts.update(badge.name for badge in line.badges)

    common = {name for name, count in counts.items() if count > len(lines) / 2}
    lines_without = []
    for line in lines:
        badges = [one for one in line.badges if not one.release or one.name not in common]
        lines_without.append(line._replace(badges=badges))
    return lines_without


def _sources_for_filter(life: Life) -> list[str]:
    """Returns the sources that define a term, as values of the filter by source. A removed term has
    the sources that defined it."""
    current_courses = [course for course in life.courses if course.current]
    courses = current_courses or life.courses
    return [urls.release_slug(course.source.id) for course in courses]


def _former_sections(site: Site) -> Iterator[str]:
    """Yields the published headings of sections that have no terms now."""
    present = {urls.section(section.heading) for section in site.sections.values()}
    for address, page in site.addresses.archive.by_address.items():
        if address.startswith("section/") and address not in present:
            yield page.name


def _counts(lives: Sequence[Life], writer: Writer) -> Markup:
    """Returns the number of terms, and the number of deprecated terms if there are any."""
    counts = [writer.say("terms", len(lives))]
    deprecated = [life for life in lives if life.status == "deprecated"]
    if deprecated:
        counts.append(writer.say("count.deprecated", len(deprecated)))
    return writer.listed(counts)


def sections(site: Site) -> Iterator[Page]:
    """Yields a page for each section with terms, and for each section that once had a page."""
    lines = ListLines(Writer(site, urls.section("any")))
    current = [*site.sections.values()]
    pages = [(urls.section(section.heading), section.heading) for section in current]
    former = [Section(heading=heading, lives=()) for heading in _former_sections(site)]
    for number, (heading, lives) in enumerate([*current, *former]):
        sentence = lines.writer.say("kept.section")
        if lives:
            sentence = _counts(lives, lines.writer)
        yield Page(
            address=urls.section(heading),
            template="pages/section.html",
            title=heading,
            description=sentence,
            context={
                "heading": heading,
                "sentence": sentence,
                "behind": behind(lives, lines.writer),
                "items": [*map(lines.line, lives)],
                "previous": pages[number - 1 : number] if lives else (),
                "following": pages[number + 1 : number + 2],
            },
        )
