"""What to paste to link a term: its address, or a quotation of its words, today's or those of a release."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz import process

from sitegen.addresses import urls
from sitegen.history.references import Resolver
from sitegen.model import Entry, SitegenError
from sitegen.model.terms import Life
from sitegen.site.pages import desk
from sitegen.site.pages.copying import absolute, copies, wording_address
from sitegen.site.pages.page import Pen
from sitegen.site.site import Site

LIKENESS = 70
"""Of 100: names less alike are not offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A term, ready to paste."""

    name: str
    address: str
    markdown: str


def linked(site: Site, name: str, *, release: str = "") -> Linked:
    """Returns what links a term by any of its names; with a release, the words in force then.

    Raises SitegenError when there is no such term or release, when the term was not defined then, or when nobody has
    said where the site will be.
    """
    check(site, release)
    life = _term(site, name)
    shared, shown = desk(site), site.speaker(life.key).entry
    address = shared.address(life.key)
    if release:
        shown = _entry(life, release)
        address = wording_address(life, shown, shared)
    copied = copies(life, shown, address=address, pen=Pen(shared, urls.root("")))
    return Linked(name=life.name, address=absolute(address, shared), markdown=copied.markdown)


def check(site: Site, release: str) -> None:
    """Raises SitegenError when nobody has said where the site will be, or when no source has the release."""
    if not site.base_url:
        raise SitegenError('site.toml: a link needs to know where the site is; add base_url = "https://…/" to [site]')
    if release and not site.releases(release):
        known = ", ".join(site.release_names())
        raise SitegenError(f"no source has the release {release}" + (f"; it is one of {known}" if known else ""))


def _term(site: Site, name: str) -> Life:
    key = Resolver(life.term for life in site.lives).resolve(name)
    if key is None:
        like = process.extract(name, [life.name for life in site.lives], limit=3, score_cutoff=LIKENESS)
        advice = ", ".join(f"“{found}”" for found, *_ in like)
        raise SitegenError(f"“{name}”: no term has this name" + (f"; did you mean {advice}?" if advice else ""))
    return site.by_key[key]


def entry_at(life: Life, release: str) -> Entry | None:
    """Returns what the first of a term's sources that defined it in a release said then; None where none did."""
    steps = (step for lane in life.term.lanes for step in lane.steps if step.release == release)
    return next((step.entry for step in steps if step.entry), None)


def _entry(life: Life, release: str) -> Entry:
    entry = entry_at(life, release)
    if entry is None:
        known = ", ".join(
            dict.fromkeys(step.release for lane in life.term.lanes for step in lane.steps if step.entry)
        )
        raise SitegenError(f"“{life.name}” was not defined in {release}; it was in {known}")
    return entry
