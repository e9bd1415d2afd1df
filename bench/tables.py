"""Prints results as aligned tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from statistics import median

from builds import Builds
from growing import SIZES, Growth
from ordinary import Ordinary
from others import Race
from running import Cost, spread
from wanted import Judged
from watching import Watch


def show_builds(rows: Sequence[Builds]) -> None:
    heads = (
        "terms",
        "releases",
        "format",
        "pages",
        "files",
        "MB",
        "build",
        "wall s",
        "CPU s",
        "peak MB",
    )
    lines = (
        (
            f"{row.terms:,}",
            f"{row.releases}",
            row.format,
            f"{row.pages:,}",
            f"{row.files:,}",
            f"{row.megabytes:,.0f}",
            name,
            *_cost(cost),
        )
        for row in rows
        for name, cost in (("clean", row.clean), ("one edit", row.one_edit))
    )
    _show("Builds", heads, lines)


def show_ordinary(rows: Sequence[Ordinary]) -> None:
    heads = (
        "glossary",
        "terms",
        "pages",
        "first build: CPU s",
        "Hugo: CPU s",
        "ratio",
    )
    lines = (
        (
            row.name,
            f"{row.terms:,}",
            f"{row.pages:,}",
            f"{row.first.cpu_seconds:.2f}",
            f"{row.hugo.cpu_seconds:.2f}" if row.hugo else "",
            f"{row.first.cpu_seconds / row.hugo.cpu_seconds:.2f}" if row.hugo else "",
        )
        for row in rows
    )
    _show("Ordinary glossaries", heads, lines)


def show_growths(rows: Sequence[Growth]) -> None:
    small, large = SIZES
    lines = (
        (row.shape, f"{row.small:.2f}", f"{row.large:.2f}", f"{row.ratio:.2f}") for row in rows
    )
    _show("Growth", ("shape", f"CPU s, {small:,} terms", f"{large:,} terms", "ratio"), lines)


def show_watches(rows: Sequence[Watch]) -> None:
    lines = (
        (f"{row.terms:,}", row.kind, f"{median(row.seconds):.2f}", spread(row.seconds))
        for row in rows
    )
    _show("From save to served", ("terms", "edit", "median s", "spread"), lines)


def show_searches(rows: Sequence[Mapping[str, float]]) -> None:
    names = dict.fromkeys(name for row in rows for name in row)
    lines = ((name, *(f"{row[name]:,}" if name in row else "" for row in rows)) for name in names)
    _show("Search", ("what", *("" for _ in rows)), lines)


def show_races(rows: Sequence[Race]) -> None:
    heads = (
        "against",
        "terms",
        "pages",
        "ours s",
        "theirs s",
        "ratio per page",
        "spread",
        "by CPU",
        "spread",
    )
    _show("Others", heads, map(_race, rows))


def show_wanted(rows: Iterable[Judged]) -> None:
    heads = ("what", "measured", "spread", "wanted", "")
    lines = (
        (
            row.what,
            f"{row.measured:,.3g}",
            row.spread,
            f"at most {row.limit:,g}",
            "reached" if row.is_reached else "SHORT",
        )
        for row in rows
    )
    _show("What we want", heads, lines)


def _cost(cost: Cost) -> tuple[str, str, str]:
    return f"{cost.seconds:.2f}", f"{cost.cpu_seconds:.2f}", f"{cost.peak_megabytes:.0f}"


def _race(row: Race) -> tuple[str, ...]:
    return (
        row.other,
        f"{row.terms:,}",
        f"{row.pages:,}",
        f"{median(cost.seconds for cost in row.ours):.1f}",
        f"{median(cost.seconds for cost in row.theirs):.1f}",
        f"{median(row.ratios()):.2f}",
        spread(row.ratios()),
        f"{median(row.cpu_ratios()):.2f}",
        spread(row.cpu_ratios()),
    )


def _show(title: str, heads: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    """Prints a table, unless it is empty: words to the left, figures to the right."""
    if not (rows := list(lines)):
        return
    widths = [max(map(len, column)) for column in zip_longest(heads, *rows, fillvalue="")]
    rights = [
        all(cell[:1].isdigit() or not cell for cell in column) for column in zip(*rows, strict=True)
    ]
    print(title)
    for row in (heads, *rows):
        cells = (
            cell.rjust(width) if is_figure else cell.ljust(width)
            for cell, width, is_figure in zip(row, widths, rights, strict=True)
        )
        print("  " + "  ".join(cells).rstrip())
    print(flush=True)
