"""The course of a term as spans: what happened when, without names, words and lines."""

from __future__ import annotations

from sites import glossary, markup, text

from sitegen.model import Rename
from sitegen.model.terms import Life
from sitegen.site.pages.spans import courses, spans
from sitegen.site.site import Site

A, B, C = "A tape for states.", "A tape that holds states of a machine.", "Something else that nobody knows."


def life(site: Site, name: str) -> Life:
    return next(life for life in site.lives if life.name == name)


def test_what_happened_is_told_apart_from_words() -> None:
    """Terms that changed at the same releases have one course, without names, words and lines."""
    site = glossary(
        {
            "1": {"tape": A, "reel": B, "spool": A},
            "2": {"tape": C, "reel": A, "spool": A},
            "3": {"tape": C, "reel": A, "spool": C},
        }
    )
    tape, reel, spool = (courses(life(site, name)) for name in ("tape", "reel", "spool"))
    assert tape == reel
    assert tape != spool


def test_spans_follow_from_a_course() -> None:
    """A release with a change is a span, and so is each run of releases without one."""
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
    told = [(span.releases, span.state, span.kinds) for span in spans(courses(life(site, "tape"))[0])]
    assert told == [
        (("1",), "absent", ()),
        (("2",), "defined", ("added",)),
        (("3",), "defined", ()),
        (("4",), "deprecated", ("reworded", "deprecated")),
        (("5",), "unread", ()),
        (("6",), "absent", ("removed",)),
        (("7",), "absent", ()),
    ]


def test_terms_with_one_course_keep_their_names_and_places() -> None:
    """Terms that share a course keep their own former names, lines and wordings."""
    site = glossary(
        {"1": {"tape": A, "reel": B, "disk": "Round."}, "2": {"band": A, "spool": B, "disk": "Round."}},
        renames=(Rename(source="example", old="tape", new="band"), Rename(source="example", old="reel", new="spool")),
    )
    assert courses(life(site, "band")) == courses(life(site, "spool"))
    for name, before, words_ in (("band", "tape", A), ("spool", "reel", B)):
        address = f"term/{name}/"
        assert before in text(site, address, "term-status")[0]
        assert any(before in said for said in text(site, address, "event-sentence"))
        assert f"line {life(site, name).entry.line}" in text(site, address, "term-place")[0]
        assert words_ in markup(site, address)
