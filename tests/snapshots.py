"""Small glossaries of a snapshot and a volume for the tests of pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from glossaries import Glossary, source
from sites import (
    html,
    site_of,
    words,
)

from sitegen.model import Source
from sitegen.site.site import Site

FIXED = "A fixed pointer to the state of a volume."
NAMED = "A named pointer to the state of a volume."
OTHER = {"volume": "A space for data."}
VOLUME = "<a href='term:volume'>volume</a>"
"""Something that is always there, so that no release is empty."""

LINKED = (
    "<p>A pointer to a <a href='term:volume'>volume</a>, made by a <a href='term:clone'>clone</a>"
    " of a <a href='term:volume'>volume</a>.</p>"
)


def life_of(*wordings: str | None, releases: str = "0.4 1.2 1.8.2 2.4") -> Glossary:
    """Returns a glossary in which `snapshot` has these wordings, one for each release; an empty one
    means absent."""
    return {
        release: None
        if wording is None
        else {**OTHER, **({"snapshot": wording} if wording else {})}
        for release, wording in zip(releases.split(), wordings, strict=False)
    }


def undated(id: str, wording: dict[str, str]) -> Source:
    """Returns a source of one document without releases."""
    read = source(id, {"": wording})
    return replace(read, retrieved=date(2025, 3, 1))


def dated(read: Source, *days: str) -> Source:
    """Returns the same source with the dates of its releases."""
    releases = tuple(
        replace(release, date=date.fromisoformat(day))
        for release, day in zip(read.releases, days, strict=True)
    )
    return replace(read, releases=releases)


def events(site: Site, address: str = "term/snapshot/") -> list[str]:
    """Returns the release and the kinds of every event."""
    heads = html(site, address).xpath("//*[contains(@class, 'event')]/details/summary")
    return [
        " ".join(words(part) for part in head if part.get("class") != "event-date")
        for head in heads
    ]


def every_state() -> Site:
    """Returns a glossary with a term in each state."""
    first = {
        "still": "It stays.",
        "word": FIXED,
        "old name": "Words of this term alone.",
        "warned": "It is old.",
        "gone": "It goes.",
        "part": "Same as whole.",
        "whole": "It holds the parts.",
        "away": "It goes and comes.",
    }
    second = {
        key: value
        for key, value in first.items()
        if key not in ("old name", "gone", "part", "whole", "away")
    }
    second |= {
        "new name": first["old name"],
        "warned": "Deprecated. Use still instead.",
        "whole; part": first["whole"],
    }
    third = {**second, "word": NAMED, "away": first["away"], "fresh": "It is new."}
    one = source("manual", {"1": first, "2": second, "3": third})
    return site_of(one, undated("guide", {"Still": "A picture that moves not."}))
