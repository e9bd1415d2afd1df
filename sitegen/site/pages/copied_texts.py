"""The texts that the copy buttons of a term's pages put into the clipboard: links, quotations in
Markdown, and the address, source, release and year for a citation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lxml import html

from sitegen.model import Entry, Prose
from sitegen.model.terms import Course, Life, Revision
from sitegen.site.messages import plain
from sitegen.site.pages.page import Writer
from sitegen.text import markdown_escaping
from sitegen.text.names import fold
from sitegen.text.prose import from_html


def copies(life: Life, entry: Entry, *, address: str, writer: Writer) -> Mapping[str, str]:
    """Returns the texts for the copy buttons of a page at `address` that shows an entry of a term.
    Without a base_url, addresses are relative to the root of the site; a script makes them
    absolute."""
    site = writer.site
    base_url = site.base_url
    place = entry.place
    course = life.course(place.source)
    source = course.source
    revision = course.revision_at(place.release)
    assert revision, "an entry is of a wording"

    # A citation names the releases that have had the words so far, and the year of the first one.
    releases = releases_so_far = ""
    origin = source.title
    first = place.release
    if not source.undated:
        cited = part_with_name(entry.name, revision, course)
        first = cited.first
        last = course.last_released(cited) or place.release
        releases = plain(writer.releases_of(cited))
        releases_so_far = plain(writer.words.span(first, last))
        origin += f" {releases_so_far}"
    # Only git knows when words were written: those in a folder may be younger than the release.
    release = site.release_of[source.id, first]
    year = f"{release.date.year}" if release.date and release.commit else ""

    # A quotation leads to the frozen page of the wording, or else to the page itself.
    quoted = base_url + (site.frozen_address(life.key, revision) or address)
    link = markdown_escaping.link(entry.name, quoted)
    quoted_words = _numbered(entry.definition)
    quotation = markdown_escaping.quotation(quoted_words.text, quoted_words.code)
    is_only_source = len(site.sources) == 1
    return {
        "name": entry.name,
        "link": base_url + address,
        "quoted": quoted,
        "markdown": f"{link} — {markdown_escaping.literal(origin)}\n{quotation}",
        # The citation has the title of the site.
        "source": "" if is_only_source or source.title == site.title else source.title,
        "releases": releases,
        "releases_so_far": releases_so_far,
        "year": year,
    }


def part_with_name(name: str, revision: Revision, course: Course) -> Revision:
    """Returns the part of a revision in which the term had this name."""
    numbers = course.source.numbers
    spans = []
    for span in course.spans:
        is_of_revision = numbers[revision.first] <= span.first <= numbers[revision.last]
        if is_of_revision and span.entry and fold(span.entry.name) == fold(name):
            spans.append(span)
    first = course.releases[spans[0].first]
    last = course.releases[spans[-1].past - 1]
    if last != revision.last:
        revision = replace(revision, ended="renamed")
    return replace(revision, first=first, last=last)


def _numbered(definition: Prose) -> Prose:
    """Returns a definition in which the items of ordered lists have their numbers."""
    if "<ol" not in definition.html:
        return definition
    document = html.fragment_fromstring(definition.html, create_parent="div")
    for ordered_list in document.iter("ol"):
        start = int(ordered_list.get("start") or 1)
        for number, item in enumerate(ordered_list, start=start):
            # The text of an item may be in a paragraph.
            begins_with_paragraph = len(item) > 0 and item[0].tag == "p"
            first_element = item[0] if begins_with_paragraph else item
            first_element.text = f"{number}. {first_element.text or ''}"
    return from_html(html.tostring(document, encoding="unicode"))
