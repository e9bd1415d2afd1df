"""The events of a term, and what its page shows of them."""

from __future__ import annotations

from sites import event_sentences, glossary, markup, text

from sitegen.config.tables import Rename
from sitegen.model.terms import Life
from sitegen.site.pages.term_events import events
from sitegen.site.pages.timeline import timeline
from sitegen.site.site import Site

A, B, C = (
    "A tape for states.",
    "A tape that holds states of a machine.",
    "Something else that nobody knows.",
)


def life(site: Site, name: str) -> Life:
    return next(life for life in site.lives if life.name == name)


def test_events_have_the_releases_that_keep_what_they_brought() -> None:
    """An event has the releases without changes after it, the first one also those before it, and
    releases that could not be read are a gap."""
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
    assert [(event.names, event.kinds) for event in events(tape.courses)] == [
        (["6", "7"], ("removed",)),
        (["5"], ()),
        (["4"], ("reworded", "deprecated")),
        (["2", "3", "1"], ("added",)),
    ]


def test_a_line_ends_where_the_state_does() -> None:
    """A term that is deprecated in two releases only has a double line from the first of them to
    the release after the second."""
    deprecated = f"Deprecated. {A}"
    site = glossary(
        {
            "1": {"tape": deprecated},
            "2": {"tape": deprecated},
            "3": {"tape": A},
            "4": {"tape": A},
        }
    )
    tape = life(site, "tape")
    ids = site.addresses.pages["tape"].ids
    [lane], _ = timeline(tape.courses, events(tape.courses), ids, site.words)
    assert lane["strokes"] == {"deprecated": "M0 8H666M0 12H666", "defined": "M666 10H1000"}


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
