"""Finds outdated names and links in documents: of deprecated, renamed and removed terms, and of earlier wordings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal
from urllib.parse import unquote, urlsplit

from sitegen.addresses import urls
from sitegen.addresses.permalinks import FrozenPage
from sitegen.model.terms import Life
from sitegen.site.site import Site
from sitegen.text.names import fold
from sitegen.tools.annotate.mentions import Mentions
from sitegen.tools.annotate.prose import words

OutdatedRule = Literal["deprecated", "renamed", "removed", "merged", "stale-link"]

RULES: dict[OutdatedRule, str] = {
    "deprecated": "A name whose term, or which itself, is deprecated",
    "renamed": "A name that its term no longer has",
    "removed": "The name of a term that was removed",
    "merged": "The name of a term that became part of another",
    "stale-link": "A link to a wording that is no longer in force",
}
"""The rules, each with a description of the uses that break it."""

_TERM_LINK = re.compile(
    r"""https?://[^\s<>"'`)\]]*/term/(?P<slug>[^\s<>"'`)\]/?#]+)/(?:(?P<release>[^\s<>"'`)\]/?#]+)/)?"""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """An outdated name, which should not be used any more."""

    name: str
    rule: OutdatedRule
    why: str
    instead: str = ""
    """The name to use, or an empty string."""
    address: str
    """The address of the term's page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedName:
    """An outdated name or link in a document."""

    path: str
    line: int
    column: int
    """Line and column are counted from 1; columns are characters."""
    length: int
    rule: OutdatedRule
    found: str
    wanted: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.found}" + (f"; {self.wanted}" if self.wanted else "")


def outdated(site: Site, *, unreplaced: bool = False) -> tuple[Outdated, ...]:
    """Returns the outdated names, sorted. A name that is the current name of any term is not outdated.

    The names of removed terms without a replacement count only if `unreplaced`: most of them are ordinary words that
    left the glossary, not the project. For the same reason, a name whose change was inferred does not count if a
    current name or definition still uses it.
    """
    found: dict[str, Outdated] = {}
    for old in (*_deprecated(site), *_removed(site, unreplaced=unreplaced), *_given_up(site)):
        found.setdefault(fold(old.name), old)
    good = set(map(fold, good_names(site)))
    return tuple(old for name, old in sorted(found.items()) if name not in good)


def good_names(site: Site) -> Iterator[str]:
    """Yields the current names."""
    for life in site.lives:
        if life.status == "current" and life.is_defined:
            yield from (name.text for name in life.names if name.status != "deprecated")


def findings(site: Site, names: Iterable[Outdated], texts: Mapping[str, str]) -> tuple[OutdatedName, ...]:
    """Returns the uses of outdated names and links in documents, in order. `texts` maps paths to texts.

    An outdated name inside a longer current name does not count.
    """
    bad: Iterator[tuple[str, tuple[Outdated, ...]]] = ((old.name, (old,)) for old in names)
    good: Iterator[tuple[str, tuple[Outdated, ...]]] = ((name, ()) for name in good_names(site))
    mentions = Mentions([*bad, *good])
    return tuple(one for path, text in texts.items() for one in _findings(site, mentions, text, path=path))


def _findings(site: Site, mentions: Mentions[tuple[Outdated, ...]], text: str, *, path: str) -> list[OutdatedName]:
    places = _LineIndex(text, path)
    found = [
        places.finding(
            mention.start,
            mention.end,
            rule=one.rule,
            found=f"“{text[mention.start : mention.end]}” {one.why}",
            wanted=f"use “{one.instead}”" if one.instead else "",
        )
        for stretch in words(text, path=path)
        for mention in mentions.find(text, *stretch)
        for one in mention.value
    ]
    return sorted((*found, *_links(site, text, places)), key=lambda one: (one.line, one.column))


def _deprecated(site: Site) -> Iterator[Outdated]:
    for life in site.lives:
        is_deprecated = life.status == "deprecated"
        instead = _instead(site, life) if is_deprecated else life.name
        for name in life.names:
            if is_deprecated or name.status == "deprecated":
                yield _outdated(
                    site, life, name.text, "deprecated", _since(life, "deprecated", "is deprecated"), instead
                )


def _removed(site: Site, *, unreplaced: bool) -> Iterator[Outdated]:
    for life in site.lives:
        is_replaced = life.replaced_by or any(change.kind == "deprecated" for change in life.changes)
        if life.status == "removed" and (is_replaced or unreplaced):
            why = _since(life, "removed", "was removed").replace(" since ", " in ")
            yield from (_outdated(site, life, one.text, "removed", why, _instead(site, life)) for one in life.names)


def _given_up(site: Site) -> Iterator[Outdated]:
    """Yields the names of merged and renamed terms that the glossary no longer uses."""
    inferred = [*_merged(site), *_renamed(site)]
    mentions = Mentions((old.name, old.name) for old in inferred)
    used = {mention.value for text in _current_texts(site) for mention in mentions.find(text)}
    declared = {
        fold(change.before.name)
        for life in site.lives
        for change in life.changes
        if change.before and change.identity and change.identity.rule == "declared"
    }
    return (old for old in inferred if old.name not in used or fold(old.name) in declared)


def _current_texts(site: Site) -> Iterator[str]:
    for life in site.lives:
        if life.status == "current" and life.is_defined:
            yield life.entry.definition.text
            yield from (name.text for name in life.names)


def _merged(site: Site) -> Iterator[Outdated]:
    for life in site.lives:
        if life.merged_into:
            present = site.defining_term(life.key).name
            why = _since(life, "merged", f"became part of “{present}”").replace(" since ", " in ")
            names = (*(name.text for name in life.names), *(name for name, _ in life.former_names))
            yield from (_outdated(site, life, name, "merged", why, present) for name in names)


def _renamed(site: Site) -> Iterator[Outdated]:
    for life in site.lives:
        if life.status == "current":
            for name, release in life.former_names:
                why = f"is called “{life.name}” since {release}"
                yield _outdated(site, life, name, "renamed", why, life.name)


def _outdated(site: Site, life: Life, name: str, rule: OutdatedRule, why: str, instead: str) -> Outdated:
    address = site.base_url + urls.term(site.slugs[life.key])
    return Outdated(name=name, rule=rule, why=why, instead=instead, address=address)


def _instead(site: Site, life: Life) -> str:
    return site.by_key[life.replaced_by].name if life.replaced_by else ""


def _since(life: Life, kind: str, words: str) -> str:
    releases = [change.release for change in life.changes if change.kind == kind]
    return f"{words} since {releases[-1]}" if releases and releases[-1] else words


# Links to the pages of the site.


def _links(site: Site, text: str, places: _LineIndex) -> Iterator[OutdatedName]:
    frozen = {one.address: one for one in site.frozen}
    for match in _TERM_LINK.finditer(text):
        if not _is_ours(match[0], site):
            continue
        address = "/" + urls.term(unquote(match["slug"])) + (f"{match['release']}/" if match["release"] else "")
        if (fault := _stale(address, frozen, site)) is not None:
            found, wanted = fault
            yield places.finding(*match.span(), rule="stale-link", found=found, wanted=wanted)


def _is_ours(link: str, site: Site) -> bool:
    """Returns True for a link to this site; without a base_url, for a link to any site."""
    ours, theirs = urlsplit(site.base_url), urlsplit(link)
    return not site.base_url or (ours.netloc == theirs.netloc and theirs.path.startswith(ours.path))


def _stale(address: str, frozen: dict[str, FrozenPage], site: Site) -> tuple[str, str] | None:
    """Returns the fault of a link and its remedy, or None."""
    key = site.owners.get(address.split("/")[2])
    if key is None:
        return f"{address} is not a page of the glossary", "link to one of its terms"
    life, living = site.by_key[key], site.base_url + urls.term(site.slugs[key])
    if life.status == "removed":
        return f"the link leads to “{life.name}”, which was removed", _use(site, life)
    if address in frozen:
        entry = frozen[address].entry
        ended = next(
            (one.ended for one in life.revisions if (one.source, one.first) == _origin(frozen[address])), "current"
        )
        if ended == "reworded":
            return f"the link shows “{life.name}” as it was in {entry.citation.release}; it was reworded since", (
                f"if today's words are meant, link to {living}"
            )
    return None


def _origin(one: FrozenPage) -> tuple[str, str]:
    return one.entry.citation.source, one.entry.citation.release


def _use(site: Site, life: Life) -> str:
    return f"link to “{instead}”" if (instead := _instead(site, life)) else ""


class _LineIndex:
    """Finds the line and column of an offset in a document."""

    def __init__(self, text: str, path: str) -> None:
        self._path = path
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def finding(self, start: int, end: int, *, rule: OutdatedRule, found: str, wanted: str) -> OutdatedName:
        line = bisect_right(self._starts, start)
        column = start - self._starts[line - 1] + 1
        return OutdatedName(
            path=self._path, line=line, column=column, length=end - start, rule=rule, found=found, wanted=wanted
        )
