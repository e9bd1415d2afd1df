"""What a site keeps although nothing in its sources asks for it: sections, addresses and ids that were published.

A section without terms keeps its page by itself, and so do places in lists, and the places of releases on the page of
a term that a source no longer shares: the page says where to look. Other addresses are kept where a person said that
they are retired, and why: by a page that says so, or, where something still stands there, by a notice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

from sitegen.addresses import urls
from sitegen.addresses.gate import term_address
from sitegen.addresses.ledger import Ledger, Row, keeps, of_kind, stands_for_the_same
from sitegen.model import Problem, Retired
from sitegen.model.terms import Life
from sitegen.site.promises import promises
from sitegen.site.site import Kept, Site
from sitegen.text.names import fold

LISTS = ("page", "release", "section")
"""Pages on which an id only marks a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """What was published and is not there by itself."""

    rows: tuple[Row, ...]
    """Addresses with nothing there, or with something else."""
    ids: tuple[tuple[Row, str], ...]
    """Ids missing from pages that are there."""


def keep(site: Site, retired: Iterable[Retired], *, path: str) -> Site:
    """Returns the site with all that it has to keep.

    `retired` are a person's words in the file `path`; one that speaks of nothing that is missing is a problem.
    """
    if not site.ledger:
        return site
    site = replace(site, former_sections=_former_sections(site))
    words = tuple(retired)
    there = promises(site)
    lost = _losses(site.ledger, there)
    return replace(
        site,
        rows=there,
        kept=tuple(_kept(lost, words, site.ledger, there)),
        kept_fragments=_by_address((row, id) for row, id in lost.ids if _stays(row, id, words, site)),
        moved=_moved(lost, site),
        problems=tuple(sorted({*site.problems, *_unused(lost, words, site.ledger, path=path)})),
    )


def _former_sections(site: Site) -> tuple[str, ...]:
    there = {urls.section(section.heading) for section in site.sections.values()}
    return tuple(
        sorted(row.name for row in of_kind(site.ledger, "section") if row.address.removeprefix("/") not in there)
    )


def _losses(ledger: Ledger, there: Ledger) -> Losses:
    rows = zip(ledger.values(), map(there.get, ledger), strict=True)
    doubtful = [row for row, given in rows if given is not row and (given is None or not keeps(given, row))]
    doubtful.sort(key=attrgetter("address"))
    return Losses(
        rows=tuple(row for row in doubtful if not _is_met(row, there)),
        ids=tuple((row, id) for row in doubtful if row.address in there for id in _missing_ids(row, there)),
    )


def _is_met(row: Row, there: Ledger) -> bool:
    given = there.get(row.address)
    return given is not None and stands_for_the_same(given, row)


def _missing_ids(row: Row, there: Ledger) -> Iterator[str]:
    ids = dict(there[row.address].fragments)
    return (id for id, _ in row.fragments if id not in ids)


def _kept(lost: Losses, words: tuple[Retired, ...], ledger: Ledger, there: Ledger) -> Iterator[Kept]:
    for row in lost.rows:
        if word := next((word for word in words if _covers(word, row, ledger)), None):
            yield Kept(row=row, reason=word.reason, stands=row.address in there)


def _by_address(ids: Iterable[tuple[Row, str]]) -> Mapping[str, tuple[str, ...]]:
    gathered: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for row, id in ids:
        gathered[row.address] += (id,)
    return dict(gathered)


def _stays(row: Row, id: str, words: tuple[Retired, ...], site: Site) -> bool:
    return row.kind in LISTS or _is_read(row, id, site) or any(_covers_id(word, row, id) for word in words)


def _is_read(row: Row, id: str, site: Site) -> bool:
    """True where an id stands for a release that there still is: its source has a term of its own there by now."""
    source, release = _stood_for(row, id)
    return any(one.id == source and any(known.name == release for known in one.releases) for one in site.sources)


def _stood_for(row: Row, id: str) -> tuple[str, str]:
    source, _, release = dict(row.fragments)[id].partition(" ")
    return source, release


def _moved(lost: Losses, site: Site) -> Mapping[str, tuple[str, ...]]:
    """For pages that a source has left: the keys of the terms that it calls by the name that was shared."""
    gone: dict[str, set[str]] = defaultdict(set)
    for row, id in lost.ids:
        if row.kind == "term" and _is_read(row, id, site):
            gone[row.address].add(_stood_for(row, id)[0])
    return {
        address: tuple(life.key for life in site.lives if _is_called(life, site.ledger[address].name, sources))
        for address, sources in gone.items()
    }


def _is_called(life: Life, name: str, sources: set[str]) -> bool:
    entries = (entry for lane in life.term.lanes if lane.source.id in sources for entry in lane.entries)
    return any(entry and fold(entry.name) == fold(name) for entry in entries)


def _covers(word: Retired, row: Row, ledger: Ledger) -> bool:
    """True when a word speaks of an address: of itself or its term, or of the release or the source that fills it."""
    if row.kind == "data":
        row = ledger.get(term_address(row.address), row)  # a term's data stand for the term
    return _names(word, row) or (bool(row.source) and any(_is_of(word, row.source, one) for one in row.releases))


def _covers_id(word: Retired, row: Row, id: str) -> bool:
    return _names(word, row) or _is_of(word, *_stood_for(row, id))


def _names(word: Retired, row: Row) -> bool:
    return bool({row.address, term_address(row.address)} & {*word.addresses})


def _is_of(word: Retired, source: str, release: str) -> bool:
    return bool(word.source or word.release) and word.source in ("", source) and word.release in ("", release)


def _unused(lost: Losses, words: tuple[Retired, ...], ledger: Ledger, *, path: str) -> Iterator[Problem]:
    """Words to no effect."""
    for word in words:
        if any(_covers(word, row, ledger) for row in lost.rows) or any(_covers_id(word, *one) for one in lost.ids):
            continue
        what = ", ".join(filter(None, (*word.addresses, word.source, word.release)))
        yield Problem(
            path=path,
            line=word.line,
            found=f"[[retired]] {what} speaks of nothing that is missing",
            wanted="take it out, or put right what it names",
        )
