"""The periods of a term: releases with changes, and runs of releases without."""

from __future__ import annotations

from sites import event_sentences, glossary, markup, text

from sitegen.config.tables import Rename
from sitegen.model.terms import Life
from sitegen.site.pages.term_events import periods
from sitegen.site.site import Site

A, B, C = (
    "A tape for states.",
    "A tape that holds states of a machine.",
    "Something else that nobody knows.",
)


def life(site: Site, name: str) -> Life:
    return next(life for life in site.lives if life.name == name)


def test_releases_without_changes_are_one_period() -> None:
    """A release with a change is a period, and so is each run of releases without one."""
    site = glossary(
        {
            "1": {"volume": B},
            "2": {"volume": B, "tape": A},
            "3": {"volume": B, "tape": A},
            "4": {"volume": B, "tape": "Deprecated. Use volume."},
            "5": None,
            "6": {"volume": B},
            "7": {"volume": B},
        }
    )
    tape = life(site, "tape")
    assert [(period.names, period.state, period.kinds) for period in periods(tape.courses[0])] == [
        (("1",), "absent", ()),
        (("2",), "defined", ("added",)),
        (("3",), "defined", ()),
        (("4",), "deprecated", ("reworded", "deprecated")),
        (("5",), "unread", ()),
        (("6",), "absent", ("removed",)),
        (("7",), "absent", ()),
    ]


def test_terms_that_change_alike_keep_their_names_and_places() -> None:
    """Terms that change in the same releases have their own former names, lines and wordings on
    their pages."""
    site = glossary(
        {
            "1": {"tape": A, "reel": B, "disk": "Round."},
            "2": {"band": A, "spool": B, "disk": "Round."},
        },
        renames=(
            Rename(source="example", old="tape", new="band"),
            Rename(source="example", old="reel", new="spool"),
        ),
    )
    for name, before, words_ in (("band", "tape", A), ("spool", "reel", B)):
        address = f"term/{name}/"
        assert before in text(site, address, "term-status")[0]
        assert any(before in result for result in event_sentences(site, address))
        assert f"line {life(site, name).entry.line}" in text(site, address, "term-place")[0]
        assert words_ in markup(site, address)
