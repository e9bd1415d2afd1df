"""The history on the page of a term: its events, their order, and the differences in them."""

from __future__ import annotations

from glossaries import source
from sites import (
    event_sentences,
    glossary,
    html,
    site_of,
    text,
    words,
)
from snapshots import FIXED, NAMED, dated, events, life_of, undated


def test_the_history_says_where_the_words_are_those_above() -> None:
    """An event that brought the words of the page, and shows no difference, says so."""
    events = html(glossary(life_of(FIXED, NAMED, FIXED)), "term/snapshot/").find_class("event")
    assert ["Same words as at the top of this page." in words(event) for event in events] == [
        False,
        False,
        True,
    ]


def test_the_history_of_one_wording_does_not_repeat_it() -> None:
    """Where there never were other words, no event says that its words are those above."""
    site = glossary({"1": {"state image": FIXED}, "2": {"snapshot": FIXED}})
    events = html(site, "term/snapshot/").find_class("event")
    assert len(events) == 2
    assert not any("Same words as" in words(event) for event in events)


def test_the_formatting_of_an_event_is_said_once() -> None:
    """A change of formatting together with another one is a mark of the event and no sentence."""
    one, other = "<p>A pointer.</p>", "<p>A <em>pointer</em>.</p>"
    site = glossary({"1": {"snapshot": one}, "2": {"snapshot; image": other}})
    event = html(site, "term/snapshot/").find_class("event")[0]
    assert words(event).count("Reformatted") == 1


def test_history_is_told_newest_first() -> None:
    """Events are listed newest first, each with its kinds; a gap is between them."""
    site = glossary(life_of(FIXED, NAMED, None, FIXED))
    assert events(site) == ["2.4 Reworded", "1.2 Reworded", "0.4 Oldest known wording"]
    assert text(site, "term/snapshot/", "event-gap") == ["1.8.2 could not be read"]
    assert "Back to the wording of 0.4." in event_sentences(site, "term/snapshot/")


def test_a_difference_can_be_heard() -> None:
    """Deleted words come before inserted ones, both labeled for screen readers."""
    site = glossary(life_of(FIXED, NAMED))
    assert text(site, "term/snapshot/", "difference") == [
        "A [removed: fixed] [added: named] pointer to the state of a volume."
    ]
    assert text(site, "term/snapshot/", "event-date") == ["1 word added, 1 removed"]
    marks = html(site, "term/snapshot/").find_class("difference")[0]
    assert [mark.tag for mark in marks.iter("del", "ins")] == ["del", "ins"]


def test_words_that_part_at_the_end_are_kept_apart() -> None:
    """A space separates deleted and inserted words at the end of a text."""
    site = glossary(
        life_of("It holds the state of one volume here.", "It holds the state of one volume there.")
    )
    assert "[removed: here.] [added: there.]" in text(site, "term/snapshot/", "difference")[0]


def test_a_rewritten_definition_stands_twice() -> None:
    """If little stayed, both wordings are shown whole, also where the newer one is the
    definition."""
    rewritten = "Whatever the system remembers, frozen at once."
    site = glossary(life_of(FIXED, rewritten, FIXED))
    assert text(site, "term/snapshot/", "before") == [f"Before {rewritten}", f"Before {FIXED}"]
    assert text(site, "term/snapshot/", "after") == [f"After {FIXED}", f"After {rewritten}"]
    assert not html(site, "term/snapshot/").find_class("difference")


def test_a_difference_keeps_the_form_of_the_definition() -> None:
    """A difference has the lists and code of the newer wording, so numbered senses keep their
    numbers."""
    senses = (
        "<p>It has two senses:</p><ol><li>a pointer to the state</li><li>{} file of "
        "<code>tar</code></li></ol>"
    )
    site = glossary(life_of(senses.format("an old"), senses.format("any")))
    shown = html(site, "term/snapshot/").find_class("difference")[0]
    assert [words(item) for item in shown.iter("li")] == [
        "a pointer to the state",
        "[removed: an old] [added: any] file of tar",
    ]
    assert words(shown.find(".//code")) == "tar"


def test_lines_of_code_have_one_mark() -> None:
    """Lines of code that were replaced are marked as a whole, not word by word, and begin on a line
    of their own."""
    code = "<pre><code class='language-python'>def one({0}):\n    return {0}</code></pre>"
    words_after = "<p>A function that gives back what it was given, whatever that may be.</p>"
    site = glossary(life_of(code.format("a") + words_after, code.format("b") + words_after))
    [block] = html(site, "term/snapshot/").find_class("difference")[0].iter("pre")
    assert block.text_content() == (
        "def [removed: one(a):\n    return a]\n[added: one(b):\n    return b]"
    )
    assert [mark.text_content() for mark in block.iter("ins")] == ["one(b):\n    return b"]


def test_an_unchanged_term_has_one_sentence() -> None:
    """A term that never changed has a status and no history; its page has an id for every
    release."""
    site = glossary(life_of("", FIXED, FIXED, FIXED))
    page = html(site, "term/snapshot/")
    assert text(site, "term/snapshot/", "term-status") == ["Never reworded · added in 1.2"]
    assert not page.xpath("//*[@id='history']")
    assert {f"r{release}" for release in ("0.4", "1.2", "1.8.2", "2.4")} <= set(page.xpath("//@id"))


def test_formatting_alone_is_no_history() -> None:
    """If only the formatting or the place of a term changed, the page says so in a line below the
    source, and has no history."""
    site = glossary(life_of(FIXED, f"<p><b>{FIXED}</b></p>", f"<p><i>{FIXED}</i></p>"))
    page = html(site, "term/snapshot/")
    assert text(site, "term/snapshot/", "term-place")[1:] == [
        "Only the formatting changed in 1.2 and 1.8.2"
    ]
    assert not page.xpath("//*[@id='history']")
    assert {"r0.4", "r1.2", "r1.8.2"} <= set(page.xpath("//@id"))


def test_an_event_is_one_line() -> None:
    """An event has its release, its kind, its date and what was counted; its links are inside."""
    read = source("one", {"1": {"snapshot": FIXED}, "2": {"snapshot": NAMED}})
    site = site_of(dated(read, "2020-01-01", "2024-01-01"))
    newest, oldest = html(site, "term/snapshot/").xpath("//li/details")
    assert words(newest.find("summary")) == "2 Reworded 1 Jan 2024 · 1 word added, 1 removed"
    assert ("open" in newest.attrib, "open" in oldest.attrib) == (True, False)
    assert not newest.find("summary").xpath(".//a")
    links = words(newest.find_class("event-links")[0])
    assert links == "Copy link to this wording Terms changed in 2 Source: GLOSSARY.md, line 1"


def test_formatting_is_folded_away() -> None:
    """Releases that changed only the formatting are named in the small line of the event before
    them."""
    markup = (f"<p><b>{NAMED}</b></p>", f"<p><i>{NAMED}</i></p>")
    site = glossary(life_of(FIXED, NAMED, *markup))
    assert events(site) == ["1.2 Reworded", "0.4 Oldest known wording"]
    assert event_sentences(site, "term/snapshot/") == []
    [line, *_] = text(site, "term/snapshot/", "event-links")
    assert line.endswith(", line 2 Only the formatting changed in 1.8.2 and 2.4")


def test_a_later_move_has_its_release() -> None:
    """A move to another section is a sentence of the event before it, with its own release."""
    others = {"Old/ volume": "Space.", "New/ tape": "Slow."}
    first, second = ({"Old/ snapshot": words, **others} for words in (FIXED, NAMED))
    site = glossary({"1": first, "2": second, "3": {"New/ snapshot": NAMED, **others}})
    assert event_sentences(site, "term/snapshot/") == ["In 3: Moved from “Old” to “New”."]


def test_every_release_has_an_anchor() -> None:
    """Each release of a source has an id, at the event then in force."""
    page = html(glossary(life_of("", FIXED, FIXED, NAMED)), "term/snapshot/")
    held = {
        event.get("id"): [span.get("id") for span in event.find_class("anchor")]
        for event in page.find_class("event")
    }
    assert held == {"r2.4": [], "r1.2": ["r1.8.2", "r0.4"]}


def test_history_starts_at_the_next_release() -> None:
    """With one release read, the page says why there is no history."""
    assert "History starts at the next release." in words(
        html(glossary(life_of(FIXED)), "term/snapshot/")
    )


def test_dates_order_the_events_of_several_sources() -> None:
    """If all dates are known, the events of all sources are one list, each with its source and its
    own id."""
    one = dated(
        source("one", {"1.0": {"snapshot": FIXED}, "2.0": {"snapshot": NAMED}}),
        "2020-01-01",
        "2024-01-01",
    )
    two = dated(
        source("two", {"1.0": {"snapshot": NAMED}, "2.0": {"snapshot": FIXED}}),
        "2021-01-01",
        "2023-01-01",
    )
    site = site_of(one, two)
    assert [head.partition(" Re")[0].partition(" Oldest")[0] for head in events(site)] == [
        "One 2.0",
        "Two 2.0",
        "Two 1.0",
        "One 1.0",
    ]
    ids = html(site, "term/snapshot/").xpath("//li[contains(@class, 'event')]/@id")
    assert ids == ["r2.0", "s-two~2.0", "s-two~1.0", "r1.0"]


def test_the_events_of_one_source_stay_in_its_order() -> None:
    """A release that was tagged anew has a later date than the ones after it, and keeps its place
    among them."""
    wordings = {
        "1.0": {"snapshot": FIXED},
        "1.1": {"snapshot": NAMED},
        "1.2": {"snapshot": "Frozen words."},
    }
    site = site_of(dated(source("one", wordings), "2020-01-01", "2024-01-01", "2023-01-01"))
    ids = html(site, "term/snapshot/").xpath("//li[contains(@class, 'event')]/@id")
    assert ids == ["r1.2", "r1.1", "r1.0"]


def test_other_sources_are_compared() -> None:
    """If another source defines a term differently the difference is shown; if not, the page says
    so."""
    site = site_of(
        source("manual", {"1.0": {"snapshot": FIXED, "volume": "A space for data."}}),
        undated("guide", {"snapshot": NAMED, "Volume": "A space for data", "tape": "Slow."}),
    )
    assert text(site, "term/snapshot/", "other")[0].startswith(
        "Guide (retrieved 1 Mar 2025) A named pointer"
    )
    assert "Differences from" in text(site, "term/snapshot/", "other")[0]
    assert "Same words as at the top of this page." in text(site, "term/volume/", "other")[0]
    assert text(site, "term/tape/", "term-status") == ["Defined in Guide, retrieved 1 Mar 2025"]
