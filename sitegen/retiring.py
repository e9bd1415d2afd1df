"""What a site keeps although nothing in its sources asks for it: sections, addresses and ids that were published.

A section without terms keeps its page by itself, and so do places in lists. Other addresses are kept where a person
said that they are retired, and why: by a page that says so, or, where something still stands there, by a notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sitegen import urls
from sitegen.gate import term_address
from sitegen.ledger import Ledger, Row
from sitegen.model import Problem, Retired
from sitegen.promises import promises
from sitegen.site import Kept, Site


def keep(site: Site, retired: Iterable[Retired], *, path: str) -> Site:
    """Returns the site with all that it has to keep.

    `retired` are a person's words in the file `path`; one that speaks of nothing that is missing is a problem.
    """
    site = replace(site, former_sections=_former_sections(site))
    there = promises(site)
    words = tuple(retired)
    unmet = [row for _, row in sorted(site.ledger.items()) if not _is_met(row, there)]
    lost = [(row, id) for row in site.ledger.values() if row.address in there for id in _lost_ids(row, there)]
    ids: dict[str, list[str]] = {}
    for row, id in lost:
        if row.kind in LISTS or any(_covers_id(word, row, id) for word in words):
            ids.setdefault(row.address, []).append(id)
    spoken = ((row, next((word for word in words if _covers(word, row, site.ledger)), None)) for row in unmet)
    unused = (word for word in words if site.ledger and not _is_used(word, unmet, lost, site.ledger))
    return replace(
        site,
        kept=tuple(Kept(row=row, reason=word.reason, stands=row.address in there) for row, word in spoken if word),
        kept_fragments={address: tuple(lost) for address, lost in ids.items()},
        problems=tuple(sorted({*site.problems, *(_unused(word, path) for word in unused)})),
    )


LISTS = ("page", "release", "section")
"""Pages on which an id only marks a place."""


def _former_sections(site: Site) -> tuple[str, ...]:
    there = {urls.section(section.heading) for section in site.sections.values()}
    sections = (row for row in site.ledger.values() if row.kind == "section")
    return tuple(sorted(row.name for row in sections if row.address.removeprefix("/") not in there))


def _is_met(row: Row, there: Ledger) -> bool:
    given = there.get(row.address)
    return given is not None and (given.kind, given.meaning) == (row.kind, row.meaning)


def _lost_ids(row: Row, there: Ledger) -> Iterator[str]:
    ids = dict(there[row.address].fragments)
    return (id for id, _ in row.fragments if id not in ids)


def _is_used(word: Retired, unmet: Iterable[Row], lost: Iterable[tuple[Row, str]], ledger: Ledger) -> bool:
    return any(_covers(word, row, ledger) for row in unmet) or any(_covers_id(word, row, id) for row, id in lost)


def _covers(word: Retired, row: Row, ledger: Ledger) -> bool:
    """True when a word speaks of an address: of itself or its term, or of the release or the source that fills it."""
    if row.kind == "data":
        row = ledger.get(term_address(row.address), row)  # a term's data stand for the term
    return _names(word, row) or (bool(row.source) and _is_of(word, row.source, row.first))


def _covers_id(word: Retired, row: Row, id: str) -> bool:
    source, _, release = dict(row.fragments)[id].partition(" ")
    return _names(word, row) or _is_of(word, source, release)


def _names(word: Retired, row: Row) -> bool:
    return bool({row.address, term_address(row.address)} & {*word.addresses})


def _is_of(word: Retired, source: str, release: str) -> bool:
    return bool(word.source or word.release) and word.source in ("", source) and word.release in ("", release)


def _unused(word: Retired, path: str) -> Problem:
    what = ", ".join(filter(None, (*word.addresses, word.source, word.release)))
    return Problem(
        path=path,
        line=word.line,
        found=f"[[retired]] {what} speaks of nothing that is missing",
        wanted="take it out, or put right what it names",
    )
