"""The texts for a page's copy buttons: permanent addresses, and a quotation in Markdown."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sitegen.model import Entry
from sitegen.model.terms import Life, Revision
from sitegen.site.messages import Catalogue
from sitegen.site.pages.page import PageData, Writer
from sitegen.site.pages.wordings import frozen_address, in_force, lane_of, last_released
from sitegen.text import markdown_escaping


class Copies(NamedTuple):
    """The texts to copy. Without a base_url, addresses are relative to the root; a script makes them absolute."""

    link: str
    quoted: str
    """The address in the quotation: the frozen page of the wording, or else the term's."""
    markdown: str


def copies(life: Life, shown: Entry, *, address: str, writer: Writer) -> Copies:
    """Returns the texts to copy for a page at `address` that shows an entry of a term."""
    revision = in_force(life, shown.place.source, shown.place.release)
    quoted = absolute(_address(life, revision, writer.data), writer.data)
    head = f"{markdown_escaping.link(shown.name, quoted)} — {_origin(life, shown, revision, writer)}"
    return Copies(
        link=absolute(address, writer.data),
        quoted=quoted,
        markdown=f"{head}\n{markdown_escaping.quotation(shown.definition.text)}",
    )


def wording_address(life: Life, entry: Entry, data: PageData) -> str:
    """Returns the address of the frozen page with an entry's words, or else of its term."""
    return _address(life, in_force(life, entry.place.source, entry.place.release), data)


def _address(life: Life, revision: Revision | None, data: PageData) -> str:
    return (frozen_address(life, revision, data) if revision else "") or data.address(life.key)


def absolute(address: str, data: PageData) -> str:
    """Returns an absolute address if the site has a base_url."""
    return data.site.base_url + address


def _origin(life: Life, entry: Entry, revision: Revision | None, writer: Writer) -> str:
    """Returns the source, and the releases that have the wording."""
    lane = lane_of(life, entry.place.source)
    if lane.source.undated or revision is None:
        return markdown_escaping.literal(lane.source.title)
    last = last_released(revision, lane) or entry.place.release
    return _cited_releases(lane.source.title, revision.first, last, writer.data.words)


@lru_cache(maxsize=4096)
def _cited_releases(source: str, first: str, last: str, words: Catalogue) -> str:
    span = first if last == first else words.plain_text("table.span", first=first, last=last)
    return markdown_escaping.literal(f"{source} {span}")
