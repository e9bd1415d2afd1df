"""Finds the promises of the ledger that a site would break, with a remedy for each cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitegen.addresses.breaches import breaches
from sitegen.addresses.gate import MAINTENANCE, Inputs, Remedy, remedies
from sitegen.addresses.ledger import of_kind
from sitegen.model import Problem, Source
from sitegen.site.promises import promises, words_of
from sitegen.site.site import Each, Site
from sitegen.sources.git.dated import period_in
from sitegen.sources.git.refs import SHALLOW

UNREADABLE = ("no permission to read", "cannot be read")
"""The beginnings of problems about files and folders that the operating system refuses to read."""

LEFT_OUT = {
    "before": "none of its files match paths",
    "pre-release": "prereleases leaves it out",
    "excluded": "exclude leaves it out",
    "maintenance": MAINTENANCE,
    "other": "tags leaves it out",
}
"""The reason for which a tag is skipped to its explanation."""


def broken_promises(site: Site, problems: Iterable[Problem] | None = None) -> tuple[Remedy, ...]:
    """Returns the remedies for all promises that publishing the site would break; none if it breaks none.

    `problems` are the site's problems, with paths as messages show them.
    """
    found = tuple(breaches(site.ledger, there := promises(site)))
    return remedies(found, site.ledger, there, _inputs(site, tuple(problems or site.problems))) if found else ()


def _inputs(site: Site, problems: tuple[Problem, ...]) -> Inputs:
    editions = {(source, one.release): one for source, all_of in site.editions.items() for one in all_of}
    unread = {place: edition.unread for place, edition in editions.items() if edition.unread}
    names = {name for of_edition in unread.values() for name in of_edition if name}
    return Inputs(
        releases={source.id: {release.name for release in source.releases} for source in site.sources},
        words=Each(editions, lambda place: words_of(editions[place])),
        unread=unread.keys(),
        left_out=dict(_left_out(site)),
        unread_problems=tuple(
            one
            for one in problems
            if one.found.startswith(UNREADABLE) or any(one.path.endswith(name) for name in names)
        ),
        unreadable=any(one.found.startswith(UNREADABLE) for one in problems),
        shallow_problems=tuple(one for one in problems if one.found == SHALLOW),
        untagged={source.id: _untagged(source) for source in site.sources if _is_untagged(source)},
    )


def _is_untagged(source: Source) -> bool:
    """True if nothing but the unreleased state was read, as in a clone without tags."""
    return bool(source.releases) and all(release.unreleased for release in source.releases)


def _untagged(source: Source) -> Problem:
    wanted = "`git fetch --tags` brings the tags (in a workflow on GitHub, `fetch-depth: 0`)"
    return Problem(path=source.id, found="no release is read, only what is still to come", wanted=wanted)


def _left_out(site: Site) -> Iterator[tuple[tuple[str, str], str]]:
    """Yields the releases that a source has and that are not read: by tag name, with and without the prefix `v`, and
    dated states that a source without `by`, or with another period, has no longer.
    """
    for source in site.sources:
        periods = {"", *(period_in(release.name) for release in source.releases)}
        for row in of_kind(site.ledger, "release"):
            if row.source == source.id and (period := period_in(row.first)) not in periods:
                yield (source.id, row.first), f'by = "{period}" reads it'
        for skipped in source.skipped:
            for tag in skipped.names:
                for release in (tag, tag.removeprefix("v")):
                    yield (source.id, release), LEFT_OUT[skipped.reason]
