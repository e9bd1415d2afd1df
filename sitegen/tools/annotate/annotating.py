"""A Markdown text with its terms linked: each where it is first mentioned, and nowhere else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from sitegen.site.pages import desk
from sitegen.site.pages.copying import absolute, wording_address
from sitegen.site.site import Site
from sitegen.text.names import exact
from sitegen.tools.annotate.linking import check, entry_at
from sitegen.tools.annotate.mentions import Mention, Mentions
from sitegen.tools.annotate.stretches import linkable


def annotated(site: Site, text: str, *, release: str = "") -> str:
    """Returns a Markdown text in which the first mention of every term is a link; all else is as it was.

    Code, links, headings and HTML are left alone. With a release, links lead to the words that were in force then;
    terms that it did not have are not linked. A term that the text links to already is not linked again. Raises
    SitegenError when nobody has said where the site will be, or when no source has the release.
    """
    check(site, release)
    addresses = dict(_addresses(site, release))
    pieces, done = [], 0
    for mention in _first(
        Mentions(_names(site, addresses)), text, linked={key for key, one in addresses.items() if one in text}
    ):
        pieces += [text[done : mention.start], f"[{text[mention.start : mention.end]}]({addresses[mention.value]})"]
        done = mention.end
    return "".join((*pieces, text[done:]))


def _names(site: Site, linkable: Collection[str]) -> Iterator[tuple[str, str]]:
    """Names of terms that can be linked, with their keys; none that several terms have."""
    meant: dict[str, set[str]] = defaultdict(set)
    for life in site.lives:
        if life.key in linkable:
            for name in life.names:
                meant[exact(name.text)].add(life.key)
    return ((name, min(keys)) for name, keys in meant.items() if len(keys) == 1)


def _first(mentions: Mentions[str], text: str, *, linked: set[str]) -> Iterator[Mention[str]]:
    for stretch in linkable(text):
        for mention in mentions.find(text, *stretch):
            if mention.value not in linked:
                linked.add(mention.value)
                yield mention


def _addresses(site: Site, release: str) -> Iterator[tuple[str, str]]:
    """Term key to where its links lead, for the terms that are defined, or were in the release."""
    shared = desk(site)
    for life in site.lives:
        if release:
            entry = entry_at(life, release)
            if entry is not None:
                yield life.key, absolute(wording_address(life, entry, shared), shared)
        elif life.is_defined:
            yield life.key, absolute(shared.address(life.key), shared)
