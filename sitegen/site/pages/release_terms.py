"""The glossary as of a release: every term with the wording then in force, on one page or on a page for each letter.

The letters of a release depend only on that release, so a published page keeps its address. In a site of very many
terms and releases, these pages only have the names of terms, with links to their wordings.

Most wordings are in force in many releases, so the HTML of each is cached (`ReleaseTerms`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from markupsafe import Markup, escape

from sitegen.addresses import urls
from sitegen.model import Entry
from sitegen.site.messages import plain
from sitegen.site.pages import letters
from sitegen.site.pages.overview import PageGroup, ReleasePart, Whole
from sitegen.site.pages.page import Page, PageData, Writer
from sitegen.site.pages.wordings import runs
from sitegen.site.site import Site
from sitegen.text.collation import Order, letter, order

MAX_ON_ONE_PAGE = 300
"""Above this many terms, a release has a page for each letter."""
MAX_WORDINGS = 20_000
"""A site with more terms times releases than this names the terms only."""

Parts = tuple[ReleasePart, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleaseWording:
    """A wording of a term in one source. Compared by identity, so that it can be a key."""

    key: str
    order: Order
    letter: str
    entry: Entry
    address: str


class ReleaseTerms(Mapping[str, Mapping[str, Parts]]):
    """Release to its pages: letter to the parts of its page. "" is the main page, empty if there are letters."""

    def __init__(self, data: PageData, *, is_brief: bool) -> None:
        self._data = data
        self._is_brief = is_brief
        self._html: dict[tuple[ReleaseWording, str], str] = {}
        self._values: dict[str, Mapping[str, Parts]] = {}

    @cached_property
    def _wordings(self) -> Mapping[str, Mapping[str, Sequence[ReleaseWording]]]:
        """Release to source id to its terms in order, with the wording then in force."""
        found = sorted(_wordings(self._data), key=lambda one: (one[0].order, one[0].key))
        wordings: dict[str, dict[str, list[ReleaseWording]]] = {
            name: {source.id: [] for source, _ in self._data.site.releases(name)} for name in self
        }
        for wording, releases in found:
            for release in releases:
                wordings[release][wording.entry.place.source].append(wording)
        return wordings

    def __getitem__(self, release: str) -> Mapping[str, Parts]:
        if release not in self._values:
            self._values[release] = self._pages(release)
        return self._values[release]

    def _pages(self, release: str) -> Mapping[str, Parts]:
        wordings = self._wordings[release]
        labels = _letters([one.letter for several in wordings.values() for one in several], self._data.site.language)
        list_ = urls.release_terms(release)
        if not labels:
            return {"": self._parts(wordings, urls.root(list_))}
        by_letter: dict[str, dict[str, list[ReleaseWording]]] = {label: defaultdict(list) for label in labels}
        for source, several in wordings.items():
            for one in several:
                by_letter[one.letter][source].append(one)
        root = urls.root(letters.page(list_, "a"))
        return {"": (), **{label: self._parts(own, root) for label, own in by_letter.items()}}

    def _parts(self, wordings: Mapping[str, Sequence[ReleaseWording]], root: str) -> Parts:
        return tuple(self._part(source, several, root) for source, several in wordings.items() if several)

    def _part(self, source: str, wordings: Sequence[ReleaseWording], root: str) -> ReleasePart:
        return ReleasePart(
            source=self._data.titles[source] if self._data.several_sources else "",
            count=len(wordings),
            terms=Markup("".join([self._html.get((one, root)) or self._write(one, root) for one in wordings])),  # noqa: S704
        )

    def _write(self, wording: ReleaseWording, root: str) -> str:
        writer = Writer(self._data, root)
        id = "" if self._data.several_sources else f' id="{escape(self._data.site.slugs[wording.key])}"'
        link = writer.link(wording.entry.name, wording.address)
        if self._is_brief:
            html = f"<li{id}>{link}</li>\n"
        else:
            definition = f'<div class="definition">{writer.definition(wording.entry, of=wording.key)}</div>'
            html = f'<section class="wording"{id}>\n<h3>{link}</h3>\n{definition}\n</section>\n'
        self._html[wording, root] = html
        return html

    def __iter__(self) -> Iterator[str]:
        return iter(self._data.site.release_names())

    def __len__(self) -> int:
        return len(self._data.site.release_names())


def _wordings(data: PageData) -> Iterator[tuple[ReleaseWording, Sequence[str]]]:
    """Yields each wording of each term, with the releases in which it is in force."""
    site = data.site
    for life in site.lives:
        for lane in life.term.lanes:
            if lane.source.undated:
                continue
            for entry, since, releases in runs(life, lane):
                wording = ReleaseWording(
                    key=life.key,
                    order=order(entry.name, site.language),
                    letter=letter(entry.name, site.language),
                    entry=entry,
                    address=site.wordings.get((life.key, lane.source.id, since)) or data.address(life.key),
                )
                yield wording, releases


def releases_in_full(whole: Whole) -> Iterator[PageGroup]:
    """Yields the pages of every release that has terms."""
    for name in whole.data.site.release_names():
        if next(_entries(whole.data.site, name), None):
            yield PageGroup(name=urls.release_terms(name), make=partial(_pages, name, whole))


def addresses(site: Site, release: str) -> tuple[str, ...]:
    """Returns the addresses of the pages with all terms of a release; none if the release could not be read."""
    found = [letter(entry.name, site.language) for entry in _entries(site, release)]
    list_ = urls.release_terms(release)
    return (list_, *(letters.page(list_, label) for label in _letters(found, site.language))) if found else ()


def _letters(found: Sequence[str], language: str) -> tuple[str, ...]:
    """Returns the letters that have their own pages; `found` has the letter of each term."""
    return letters.in_order({*found}, language) if len(found) > MAX_ON_ONE_PAGE else ()


def names_terms_only(site: Site) -> bool:
    """True for a very large site, whose pages of releases leave out definitions."""
    return len(site.lives) * len(site.release_names()) > MAX_WORDINGS


def _entries(site: Site, release: str) -> Iterator[Entry]:
    numbers = {
        source.id: next(number for number, one in enumerate(source.releases) if one.name == release)
        for source, _ in site.releases(release)
    }
    for life in site.lives:
        for lane in life.term.lanes:
            if lane.source.id in numbers and (entry := lane.entries[numbers[lane.source.id]]):
                yield entry


def _pages(release: str, whole: Whole) -> Iterator[Page]:
    list_, data = urls.release_terms(release), whole.data
    terms = whole.terms[release]
    labels = tuple(filter(None, terms))
    writer = Writer(data, urls.root(list_))
    total = sum(map(_count, terms.values()))
    yield _page(release, "", terms[""], count=total, row=_row(list_, labels, writer), whole=whole, writer=writer)
    if labels:
        writer = Writer(data, urls.root(letters.page(list_, labels[0])))
        row = _row(list_, labels, writer)
    for label in labels:
        own, count = letters.current_letter(row, writer.href(letters.page(list_, label))), _count(terms[label])
        yield _page(release, label, terms[label], count=count, row=own, whole=whole, writer=writer)


def _count(parts: Parts) -> int:
    return sum(part.count for part in parts)


def _row(list_: str, labels: Sequence[str], writer: Writer) -> Markup:
    """Returns the letters as links to their pages; nothing if there are none."""
    language = writer.data.site.language
    row = letters.row(labels, language, leads_to=lambda label: writer.href(letters.page(list_, label)))
    return row if labels else Markup()


def _page(release: str, label: str, parts: Parts, *, count: int, row: Markup, whole: Whole, writer: Writer) -> Page:
    list_ = urls.release_terms(release)
    key = "as-of.letter" if label else "as-of.title"
    title = writer.say(key, release=writer.version(release), letter=label)
    site_title = writer.data.site.title
    return Page(
        address=letters.page(list_, label) if label else list_,
        template="pages/release-terms.html",
        title=plain(title),
        description=plain(writer.say("as-of.description", count, site=site_title, release=release)),
        context={
            "heading": title,
            "count": writer.say("terms", count),
            "changes": writer.all_changes(release),
            "letters": row,
            "is_brief": whole.is_brief,
            "parts": parts,
        },
    )
