"""Measures a first build, and one after an edit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import glossary
from glossary import FORMATS, Format, Release
from running import MEGABYTE, Cost, build, scratch

AGAIN = 3
"""How often what is quick is measured; the median counts."""


@dataclass(frozen=True, kw_only=True)
class Builds:
    """The cost of each build of a glossary."""

    terms: int
    releases: int
    format: str
    files: int
    pages: int
    megabytes: float
    """Of the site."""
    clean: Cost
    one_edit: Cost


def measure(terms: int, count: int, *, format: str) -> Builds:
    """Returns what builds of so many terms at so many releases take, written down in a format."""
    form, releases = FORMATS[format], glossary.releases(terms, count=count)
    folder = scratch()
    content, site = folder / "content", folder / "site"
    form.write(content, releases)
    (content / "site.toml").write_text(
        f'[[release]]\nname = "{releases[-1].name}"\nunreleased = true\n'
    )
    clean = build(content, site)
    files = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    return Builds(
        terms=terms,
        releases=count,
        format=format,
        files=len(files),
        pages=sum(1 for _ in site.rglob("*.html")),
        megabytes=sum(files) / MEGABYTE,
        clean=clean,
        one_edit=_median(
            [_edited(releases, number, form, content, site) for number in range(AGAIN)]
        ),
    )


def long_lived(releases: tuple[Release, ...]) -> list[int]:
    """Returns the places, in the newest release, of terms that no release has changed."""
    first = set(releases[0].glossary)
    return [place for place, term in enumerate(releases[-1].glossary) if term in first]


def _edited(
    releases: tuple[Release, ...], number: int, format: Format, content: Path, site: Path
) -> Cost:
    """Returns the cost of a build after one word was changed in the newest release, each time of
    another term.

    That release is unreleased, because published words are promised.
    """
    *_, newest = releases
    changed = newest.glossary
    for place in long_lived(releases)[: number + 1]:
        changed = glossary.edited(changed, place, "edited")
    format.write(content, [replace(newest, glossary=changed)])
    return build(content, site)


def _median(costs: list[Cost]) -> Cost:
    return Cost(
        seconds=median(cost.seconds for cost in costs),
        cpu_seconds=median(cost.cpu_seconds for cost in costs),
        peak_megabytes=median(cost.peak_megabytes for cost in costs),
    )
