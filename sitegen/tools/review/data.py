"""What a change does to a glossary, as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sitegen.model import Entry
from sitegen.tools.review.comparing import Comparison, Item, Review

Json = dict[str, Any]


def data(review: Review) -> Json:
    """Returns all of a review."""
    return {
        "comparisons": [_comparison(comparison) for comparison in review.comparisons],
        "withdrawn": [{"source": title, "release": release} for title, release in review.withdrawn],
        "elsewhere": review.elsewhere,
        "broken": [
            {"address": breach.address, "found": breach.found, "way_out": breach.way_out}
            for breach in review.breaches
        ],
        "forgotten": review.forgotten,
        "damage": review.damage,
    }


def _comparison(comparison: Comparison) -> Json:
    return {
        "source": comparison.title,
        "release": comparison.release,
        "previous": comparison.previous,
        "is_new": comparison.is_new,
        "terms": [_item(item) for item in comparison.items],
        "guesses": [asdict(guess) for guess in comparison.guesses],
        "unread": comparison.unread,
    }


def _item(item: Item) -> Json:
    return {
        "name": item.name,
        "kinds": item.kinds,
        "before": _entry(item.before),
        "after": _entry(item.after),
        "used_by": item.used_by,
        "addresses": item.addresses,
    }


def _entry(entry: Entry | None) -> Json | None:
    if entry is None:
        return None
    place = entry.citation
    return {"name": entry.name, "text": entry.definition.text, "path": place.path, "line": place.line}
