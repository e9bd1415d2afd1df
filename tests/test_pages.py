"""Pages as readers see them: a term's status and history, lists, releases, and rules for every
page.

Sites are made of small glossaries (`glossaries`); pages are looked at as HTML, by the classes that
name their parts.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import replace
from datetime import date

import lxml.html
import pytest
from glossaries import UNREADABLE, Glossary, elsewhere, source, with_documents, with_entries
from sites import (
    event_sentences,
    export_files,
    glossary,
    html,
    markup,
    pages_of,
    site_of,
    templates,
    text,
    words,
)

from sitegen.config.tables import Distinct, Rename
from sitegen.model import Document, File, Reading, Skipped, Source
from sitegen.permanence.archive import ArchivedPage
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.term_addresses import KeptPage
from sitegen.site import search
from sitegen.site.pages import page as page_module
from sitegen.site.rendering import THEME_SCRIPT, Renderer, policy
from sitegen.site.site import Site
from sitegen.site.templates import asset_files

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


@pytest.mark.parametrize(
    ("wordings", "sentence"),
    [
        (("", FIXED, FIXED), "Never reworded · added in 1.2"),
        (("", FIXED, NAMED, NAMED), "Reworded in 1.8.2 · added in 1.2"),
        ((FIXED, NAMED, NAMED), "Reworded in 1.2 · in the glossary since 0.4 or earlier"),
        ((FIXED, FIXED), "Never reworded · in the glossary since 0.4 or earlier"),
        ((FIXED,), "In the glossary since 0.4 or earlier"),
        (
            ("", FIXED, NAMED),
            "Reworded in 1.8.2, the latest release · added in 1.2 · see what changed",
        ),
        (
            ("", FIXED, NAMED, FIXED, FIXED),
            "Reworded 2 times, last in 2.4 · added in 1.2",
        ),
        (
            (FIXED, NAMED, FIXED),
            "Reworded 2 times, last in 1.8.2, the latest release · in the glossary since 0.4 or "
            "earlier · see what changed",
        ),
        (("", FIXED), "New in 1.2"),
        (("", FIXED, f"<p><em>{FIXED}</em></p>"), "Never reworded · added in 1.2"),
        ((FIXED, FIXED, ""), "Removed in 1.8.2 · defined in 0.4 to 1.2 · no replacement recorded"),
        (("", FIXED, ""), "Removed in 1.8.2 · defined in 1.2 · no replacement recorded"),
        (("", FIXED, "", FIXED), "Added in 1.2 · removed in 1.8.2, back since 2.4"),
        (
            (FIXED, "", None, "", FIXED),
            "In the glossary since 0.4 or earlier · removed in 1.2, back since 3.0",
        ),
        (
            ("", FIXED, NAMED, None),
            "Reworded in 1.8.2, the latest release · added in 1.2 · 2.4 could not be read · "
            "see what changed",
        ),
        (
            ("", FIXED, "Deprecated. Use volume instead."),
            "Deprecated since 1.8.2 · use volume · reworded once · added in 1.2",
        ),
        (
            ("", FIXED, f"<p>Deprecated. Use {VOLUME}.</p>"),
            "Deprecated since 1.8.2 · use volume · reworded once · added in 1.2",
        ),
        (
            ("", FIXED, f"<p>A {VOLUME}, once.</p><p>Deprecated. Use {VOLUME} instead.</p>"),
            "Deprecated since 1.8.2 · use volume · reworded once · added in 1.2",
        ),
        (("Deprecated.", "Deprecated."), "Deprecated since 0.4 or earlier"),
        (("", FIXED, "Same as volume."), "Same as volume"),
    ],
)
def test_the_status_sentence(wordings: tuple[str | None, ...], sentence: str) -> None:
    """The status is one sentence without a full stop, which says "added" only where that is
    known."""
    releases = "0.4 1.2 1.8.2 2.4 3.0"
    assert text(
        glossary(life_of(*wordings, releases=releases)), "term/snapshot/", "term-status"
    ) == [sentence]


def every_state() -> Site:
    """Returns a glossary with a term in each state."""
    first = {
        "still": "It stays.",
        "word": FIXED,
        "old name": "Some words that nobody else says.",
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


@pytest.mark.parametrize(
    ("address", "mark", "sentence"),
    [
        ("term/still/", "", "Never reworded · in the glossary since 1 or earlier"),
        ("term/fresh/", "added", "New in 3"),
        (
            "term/word/",
            "reworded",
            "Reworded in 3, the latest release · in the glossary since 1 or earlier · "
            "see what changed",
        ),
        ("term/new-name/", "", "Called “old name” before 2 · in the glossary since 1 or earlier"),
        ("term/old-name/", "renamed", "Now called new name, since 2"),
        (
            "term/warned/",
            "deprecated",
            "Deprecated since 2 · use still · reworded once · in the glossary since 1 or earlier",
        ),
        ("term/gone/", "removed", "Removed in 2 · defined in 1 · no replacement recorded"),
        ("term/part/", "renamed", "Merged into whole in 2"),
        ("term/away/", "added", "In the glossary since 1 or earlier · removed in 2, back since 3"),
        ("term/still/1/", "", "These words: 1 to 3 (latest) History of still"),
        (
            "term/word/1/",
            "reworded",
            "Replaced in 3 · see what changed Current definition: word",
        ),
        (
            "term/old-name/1/",
            "renamed",
            "Same words in 3, under the name new name History of new name",
        ),
        (
            "term/warned/2/",
            "deprecated",
            "Deprecated since 2 · These words: 2 to 3 (latest) History of warned",
        ),
        ("term/gone/1/", "removed", "Removed in 2 History of gone"),
        (
            "term/away/1/",
            "",
            "Removed in 2, back since 3 Current definition: away",
        ),
        ("term/part/1/", "renamed", "Merged into whole in 2 History of part"),
    ],
)
def test_the_state_is_seen_at_a_glance(address: str, mark: str, sentence: str) -> None:
    """Each state has its mark and its sentence, on the page of the term, of a former name and of a
    frozen wording."""
    site = every_state()
    page = html(site, address)
    [line] = page.find_class("notice-frozen") or page.find_class("term-status")
    assert words(line) == sentence
    assert line.xpath("contains(concat(@class, ' '), $chip)", chip=f"chip-{mark} ") == bool(mark)
    assert len(line.findall(".//svg")) == bool(mark)
    has_bar = bool(page.xpath("//div[contains(@class, 'definition-main chip-')]"))
    assert has_bar == (
        mark in ("removed", "renamed", "deprecated") and not page.find_class("notice-frozen")
    )


def test_a_frozen_page_leads_to_the_present_or_to_the_history() -> None:
    """The frozen page of a term in force leads to its definition, that of a removed or merged one
    to its history."""
    sentences = {
        name: text(every_state(), f"term/{name}/1/", "notice-frozen")[0]
        for name in ("word", "gone", "part")
    }
    assert sentences["word"].endswith("Current definition: word")
    assert sentences["gone"].endswith("History of gone")
    assert sentences["part"].endswith("History of part")


def test_a_frozen_page_says_where_its_words_hold_again() -> None:
    """The page of a wording that returned is not called superseded, and says since when the words
    hold again; that of the present wording leads to the history."""
    site = glossary(life_of(FIXED, NAMED, FIXED))
    assert text(site, "term/snapshot/0.4/", "notice-frozen") == [
        "Replaced in 1.2, these words again since 1.8.2 Current definition: snapshot"
    ]
    assert not html(site, "term/snapshot/0.4/").find_class("state")
    assert text(site, "term/snapshot/1.8.2/", "notice-frozen") == [
        "These words: 1.8.2 (latest) History of snapshot"
    ]


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


def test_a_frozen_page_shows_what_changed() -> None:
    """The page of a wording shows its difference from the wording before; that of the first has
    none."""
    site = every_state()
    assert text(site, "term/word/3/", "difference") == [
        "A [removed: fixed] [added: named] pointer to the state of a volume."
    ]
    assert not html(site, "term/word/1/").find_class("difference")


def test_the_only_release_is_not_called_the_oldest() -> None:
    """A glossary of one release has no changes: its first page speaks of none, and the list of
    releases says how many terms it has."""
    site = glossary({"1": {"snapshot": FIXED}})
    assert not html(site, "").find_class("home-news")
    assert words(html(site, "release/").find_class("releases")[0]) == "1 1 has 1 term."


def test_a_rewritten_frozen_page_has_both_wordings() -> None:
    """Of a change with few words in common, it shows the words before and those after."""
    rewritten = "Whatever the system remembers, frozen at once."
    site = glossary({"1": {"snapshot": FIXED}, "2": {"snapshot": rewritten}})
    page = html(site, "term/snapshot/2/")
    assert [words(one) for one in page.xpath("//h2")] == ["What changed in 2"]
    shown = [words(one) for one in page.xpath("//*[@class='before-after']/*")]
    assert shown == [f"Before {FIXED}", f"After {rewritten}"]


def test_old_words_lead_to_what_terms_meant_then() -> None:
    """A link in an earlier wording leads to the wording that its term had in that release, if it
    was reworded since; so does a link in the glossary as of a release."""
    site = glossary(
        {
            "1": {"clone": FIXED, "snapshot": LINKED, "volume": "A space for data."},
            "2": {"clone": FIXED, "snapshot": LINKED, "volume": "Room that data can take."},
            "3": {"clone": FIXED, "snapshot": NAMED, "volume": "Room that data can take."},
        }
    )
    volume = "../../../term/volume/"
    clone = "../../../term/clone/index.html"
    links = {
        address: html(site, address).xpath("//*[@class='term']/@href")
        for address in ("term/snapshot/1/", "release/1/terms/", "release/2/terms/")
    }
    assert links == {
        "term/snapshot/1/": [f"{volume}1/index.html", clone],
        "release/1/terms/": [f"{volume}1/index.html", clone],
        "release/2/terms/": [f"{volume}index.html", clone],
    }


def test_a_synonym_does_not_mention_the_term_that_it_names() -> None:
    """Its page shows the definition of that term, to which its status leads."""
    site = glossary(
        {"1": {"AMP": "Same as mixed precision.", "mixed precision": "Two dtypes in one model."}}
    )
    assert text(site, "term/amp/", "term-status") == ["Same as mixed precision"]
    assert text(site, "term/amp/", "names") == []


def test_pages_of_a_term_list_its_wordings_with_their_releases() -> None:
    """The page of a term and those of its wordings have the same list, which says how many there
    are."""
    site = glossary(
        {
            "1.9": {"tape": FIXED},
            "1.10": {"tape": NAMED},
            "1.11": {"tape": NAMED},
            "1.12": {"tape": "Slow."},
        }
    )
    releases = ["1.12 and later", "1.10 to 1.11", "1.9"]
    for page in ("", "1.12/", "1.10/", "1.9/"):
        menu, _ = html(site, f"term/tape/{page}").find_class("menu")
        assert words(menu.find("summary")) == "All wordings"
        assert [words(link) for link in menu.iter("a")] == releases
    assert [link.get("href") for link in menu.iter("a")] == [
        f"../../../term/tape/{release}/index.html" for release in ("1.12", "1.10", "1.9")
    ]


def test_a_frozen_page_is_headed_by_the_releases_of_its_wording() -> None:
    """Its heading and its title have the first and the last release, or say that the wording is
    still in force. Of a former name, they have the releases that had the wording under it."""
    headings = {
        "word/1": "word, 1 to 2",
        "word/3": "word, 3 and later",
        "old-name/1": "old name, 1",
    }
    for address, heading in headings.items():
        page = html(every_state(), f"term/{address}/")
        assert words(page.find(".//h1")) == heading
        assert page.find(".//title").text.startswith(f"{heading} — ")


def test_a_frozen_page_of_several_sources_names_its_source() -> None:
    """Where several sources have releases, the heading says of which one they are."""
    one, other = source("manual", {"1": {"word": FIXED}}), source("guide", {"1": {"word": NAMED}})
    site = site_of(one, other)
    headings = [
        words(html(site, address).find(".//h1"))
        for address in sorted(site.frozen_addresses.values())
    ]
    assert headings == ["word, Manual 1 and later", "word, Guide 1 and later"]


def test_a_page_does_not_list_its_own_name() -> None:
    """A former name is neither under Formerly nor under Also called on its own page."""
    first = {"capture": FIXED, **OTHER}
    site = glossary({"1": first, "2": {"snapshot; capture": FIXED, **OTHER}})
    assert text(site, "term/capture/", "names") == []
    assert text(site, "term/snapshot/", "names") == ["Also called capture"]


def test_a_rename_is_said_once() -> None:
    """The line of a former name leaves out what the status says; after a change of words, the
    status says that, and the line has the release of the rename."""
    first = {"capture": FIXED, "image": NAMED, **OTHER}
    second = {"snapshot; capture": FIXED, "picture": NAMED, **OTHER}
    third = {"snapshot; capture": f"{FIXED} It is cheap.", "picture": f"{NAMED} Or two.", **OTHER}
    site = glossary({"1": first, "2": second, "3": third})
    assert text(site, "term/snapshot/", "names") == ["Also called capture (main name before 2)"]
    assert text(site, "term/picture/", "term-homonyms") == ["Formerly image (before 2)"]
    site = glossary({"1": first, "2": second})
    assert text(site, "term/picture/", "names") == []
    [status] = text(site, "term/picture/", "term-status")
    assert status == "Called “image” before 2 · in the glossary since 1 or earlier"


def test_a_merged_term_whose_name_is_in_use_is_no_former_name() -> None:
    """A term that was merged is under Also called if the other term has its name today."""
    site = glossary(
        {
            "1": {"snapshot": FIXED, "capture": "A copy. Or two."},
            "2": {"snapshot; capture": FIXED},
        }
    )
    assert text(site, "term/snapshot/", "names") == ["Also called capture"]
    assert html(site, "term/snapshot/").xpath("//a[text()='capture']")


def test_other_names_are_joined_in_words() -> None:
    """A list of names in a sentence ends with "and"."""
    site = glossary({"1": {"snapshot": FIXED}, "2": {"snapshot; capture; image": FIXED}})
    assert event_sentences(site, "term/snapshot/") == ["Also called “capture” and “image”."]


def test_a_renamed_term() -> None:
    """A renamed term shows its former name, and whether the rename is a guess."""
    site = glossary(
        {"0.4": OTHER, "1.0": {**OTHER, "state image": FIXED}, "1.2": {**OTHER, "snapshot": FIXED}}
    )
    assert text(site, "term/snapshot/", "term-status") == [
        "Called “state image” before 1.2 · added in 1.0"
    ]
    assert event_sentences(site, "term/snapshot/") == [
        "Renamed from “state image” to “snapshot”: the definition is the same."
    ]


def test_a_page_stays_under_the_former_name() -> None:
    """The former name keeps a page with the present name, the definition and a link."""
    site = glossary(
        {"1.0": {**OTHER, "state image": FIXED}, "1.2": {**OTHER, "snapshot": FIXED}},
        base_url="https://example.org/",
    )
    address = "term/state-image/"
    assert text(site, address, "term-status") == ["Now called snapshot, since 1.2"]
    assert html(site, address).xpath("//p[@class='term-status state chip-renamed']")
    assert html(site, address).xpath("//div[@class='definition definition-main chip-renamed']")
    assert text(site, address, "definition-main") == [FIXED]
    assert words(html(site, address).find(".//h1")) == "state image"
    assert html(site, address).xpath("//link[@rel='canonical']/@href") == [
        "https://example.org/term/snapshot/"
    ]


def test_a_page_under_a_former_name_leads_to_who_has_that_name_now() -> None:
    """If another term has the former name now, the page under that name links to both."""
    old, new = {**OTHER, "image": FIXED}, {**OTHER, "snapshot": FIXED}
    site = glossary({"1.0": old, "1.1": new, "1.2": {**new, "image": "A picture. Or two."}})
    assert text(site, "term/image/", "term-status") == ["Now called snapshot, since 1.1"]
    assert text(site, "term/image/", "term-homonyms") == [
        "Also with this name: image (A picture. Or two.)"
    ]
    assert html(site, "term/image/").xpath("//p/a[text()='image']/@href") == [
        "../../term/image-2/index.html"
    ]
    pages = ("term/image/", "term/image-2/", "term/snapshot/")
    assert [text(site, page, "names") for page in pages] == [[], [], []]


def test_the_definition_comes_first() -> None:
    """A term's page has its section, name, status and definition, then names, then history."""
    site = glossary(
        {"1.0": {"Storage/ snapshot; capture": FIXED}, "1.1": {"Storage/ snapshot; capture": NAMED}}
    )
    page = html(site, "term/snapshot/")
    parts = "term-section term-status definition-main names timeline".split()
    order = [
        element for element in page.iter() if set((element.get("class") or "").split()) & set(parts)
    ]
    assert [
        next(part for part in parts if part in element.get("class").split()) for element in order
    ] == parts
    assert words(page.find(".//h1/dfn")) == "snapshot"
    assert (
        page.find_class("term-section")[0].find(".//a").get("href")
        == "../../section/storage/index.html"
    )


def test_related_names() -> None:
    """A page names other names, and terms that refer to it; those that it refers to are links in
    its definition."""
    site = glossary(
        {
            "1": {
                "snapshot; capture": LINKED,
                "volume": "A space for data.",
                "clone": "<p>A copy of a <a href='term:snapshot'>snapshot</a>.</p>",
                "picture": "Same as snapshot.",
            }
        }
    )
    assert [
        words(line) for line in html(site, "term/snapshot/").xpath("//dl[@class='names']/div")
    ] == [
        "Also called capture, picture",
        "Mentioned in clone",
    ]
    assert text(site, "term/volume/", "names") == ["Mentioned in snapshot"]


def test_a_synonym_shows_the_definition() -> None:
    """A synonym shows the definition of the other term, on its own page."""
    site = glossary({"1": {"snapshot": FIXED, "picture": "Same as snapshot."}})
    assert text(site, "term/picture/", "definition-main") == [FIXED]


def test_a_synonym_shows_the_definition_of_another_source() -> None:
    """The page of a synonym of a term in another source shows no other release: it has none
    there."""
    first = {"picture": "Same as snapshot."}
    site = site_of(
        source("one", {"1": {"snapshot": FIXED}, "2": {"snapshot": NAMED}}),
        source("two", {"1": first, "2": {**first, **OTHER}}),
    )
    assert text(site, "term/picture/", "definition-main") == [NAMED]
    assert not html(site, "term/picture/").xpath("//select")


def test_synonyms_of_each_other() -> None:
    """Two terms that refer to each other have pages, each with its own definition."""
    site = glossary({"1": {"one": "Same as two.", "two": "Same as one."}})
    assert text(site, "term/one/", "definition-main") == ["Same as two."]
    assert text(site, "term/one/", "term-status") == ["In the glossary since 1 or earlier"]


def test_a_removal_names_the_release_that_had_the_term() -> None:
    """The event of a removal leads to the changes of its release; the last release that defined the
    term and the place there are above the history. Once the term is back, the event names it, and
    the page of the release says so too."""
    site = glossary(life_of(FIXED, FIXED, ""))
    assert text(site, "term/snapshot/", "event-links")[0] == "Terms changed in 1.8.2"
    assert event_sentences(site, "term/snapshot/") == []
    back = glossary(life_of(FIXED, FIXED, "", FIXED))
    assert "Back in 2.4." in event_sentences(back, "term/snapshot/")
    assert text(back, "release/1.8.2/", "item-sentence") == ["Back in 2.4."]
    place = "Source: Example 1.2, GLOSSARY.md, line"
    assert text(site, "term/snapshot/", "term-place")[0].startswith(place)


def test_a_citation_has_the_year_of_the_release_that_it_names() -> None:
    """A term's page, which cites that of its wording, and the page of a wording are cited with the
    year of the last release that has the wording; if that has no date, without a year."""
    read = dated(
        source("manual", life_of(FIXED, NAMED, NAMED)), "2020-01-02", "2021-01-02", "2022-01-02"
    )
    addresses = ["term/snapshot/", "term/snapshot/0.4/", "term/snapshot/1.2/"]
    years = [html(site_of(read), one).xpath("//*[@data-cite]/@data-year")[0] for one in addresses]
    assert years == ["2022", "2020", "2022"]
    last_undated = (*read.releases[:2], replace(read.releases[2], date=None))
    site = site_of(replace(read, releases=last_undated))
    assert html(site, "term/snapshot/").xpath("//*[@data-cite]/@data-year") == [""]


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


def test_homonyms_name_each_other() -> None:
    """Terms of one name link to each other, also from different sources, with source and section or
    first words."""
    site = glossary({"1": {"Metal/ lead": "A heavy metal.", "Music/ lead=": "The first voice."}})
    assert text(site, "term/lead/", "term-homonyms") == ["Also with this name: lead (Music)"]
    assert text(site, "term/lead-2/", "term-homonyms") == ["Also with this name: lead (Metal)"]
    code, course = (
        source("code", {"1": {"kernel": FIXED}}),
        source("course", {"1": {"Kernel": "Weights."}}),
    )
    both = site_of(code, course, verdicts=(Distinct(names=("kernel",)),))
    assert text(both, "term/kernel/", "term-homonyms") == ["Also with this name: Kernel (Course)"]
    assert text(both, "term/kernel-2/", "term-homonyms") == ["Also with this name: kernel (Code)"]


def test_merged_and_split_terms() -> None:
    """A merged term names the other and shows its definition; a split one names its origin."""
    site = glossary(
        {
            "1": {"master": "The first document of all.", "root": "Same as master.", **OTHER},
            "2": {"master; root": "The first document of all.", **OTHER},
        }
    )
    assert text(site, "term/root/", "term-status") == ["Merged into master in 2"]
    assert text(site, "term/root/", "definition-main") == ["The first document of all."]
    assert "Merged into master in 2." in event_sentences(site, "term/root/")
    fork = {
        "1": {"alarm": "A message."},
        "2": {"flood alarm": "A message now.", "storm alarm": "A message then."},
    }
    site = glossary(
        fork, renames=tuple(Rename(source="example", old="alarm", new=new) for new in fork["2"])
    )
    assert event_sentences(site, "term/storm-alarm/") == ["Split off from flood alarm."]
    for page in ("flood-alarm", "alarm"):
        assert "Split off storm alarm" in text(site, f"term/{page}/", "names")[0]


def test_the_list_from_a_to_z() -> None:
    """Terms are listed under their first letter without diacritics; digits and signs have their own
    groups."""
    site = glossary(
        {"1": dict.fromkeys(("zebra", "Éclair", "eagle", "3D", ">>>", "Жук", "(c)"), "Words.")}
    )
    page = html(site, "a-z/")
    listed = {
        words(bucket.find("h2")): [words(item.find("a")) for item in bucket.iter("li")]
        for bucket in page.find_class("bucket")
    }
    assert listed == {
        "E": ["eagle", "Éclair"],
        "Z": ["zebra"],
        "Ж": ["Жук"],
        "0–9": ["3D"],
        "#": [">>>", "(c)"],
    }
    letters = page.find_class("letters")[0]
    assert [words(letter) for letter in letters.iter("a")] == ["E", "Z", "Ж", "0–9", "#"]
    assert "A" in [words(letter) for letter in letters.iter("span")]


def test_badges_and_removed_terms() -> None:
    """The list marks terms that are new, reworded in the latest release or deprecated; removed
    terms are last."""
    site = glossary(
        {
            "1": {"alpha": FIXED, "beta": "Deprecated.", "gamma": "It stays.", "delta": "It goes."},
            "2": {
                "alpha": NAMED,
                "beta": "Deprecated.",
                "gamma": "It stays.",
                "epsilon": "It comes.",
            },
        }
    )
    rows = [words(row) for row in html(site, "a-z/").xpath("//ul[@class='items']/li")]
    assert rows == [
        f"alpha Reworded in 2 {NAMED}",
        "beta Deprecated Deprecated.",
        "epsilon New in 2 It comes.",
        "gamma It stays.",
        "delta removed in 2 It goes.",
    ]


def test_a_removed_term_in_the_list_says_what_to_use() -> None:
    """The list of removed terms has the term that replaces each, if one is recorded."""
    first = {"tape": FIXED, "reel": "Deprecated. Use tape instead."}
    site = glossary({"1": first, "2": {"tape": FIXED}})
    rows = [words(row) for row in html(site, "a-z/").xpath("//ul[@class='items']/li")]
    assert rows[-1].startswith("reel removed in 2, use tape")


def test_a_section_counts_its_deprecated_terms() -> None:
    """Below its heading, a section has the number of its terms, and of those not to be used."""
    site = glossary({"1": {"Files/ tape": FIXED, "Files/ reel": "Deprecated. Use tape instead."}})
    assert text(site, "section/files/", "lead") == ["2 terms, 1 deprecated"]


def test_a_synonym_in_the_list() -> None:
    """A synonym is marked in the list, and a merged term is no longer in its section."""
    site = glossary(
        {
            "1": {"Files/ master": "The first document.", "Files/ root": "The one that holds all."},
            "2": {"Files/ master; root": "The first document.", "Files/ main": "Same as master."},
        }
    )
    rows = [words(row) for row in html(site, "a-z/").xpath("//ul[@class='items']/li")]
    assert rows[0] == "main New in 2 Same as master"
    assert rows[-1] == "root merged into master in 2"
    section = html(site, "section/files/").find_class("items")[0]
    assert [words(row.find("a")) for row in section.iter("li")] == ["main", "master"]


def test_old_sphinx_anchors_lead_to_the_term() -> None:
    """Sphinx's ids of names are in the row of the term that first had the name, permanently."""
    site = glossary(
        {
            "1": {**OTHER, "State Image": FIXED},
            "2": {**OTHER, "Snapshot; State Capture": FIXED, "state-image": "New."},
        }
    )
    rows = {
        words(row.find("a")): row.xpath("descendant-or-self::*/@id")
        for row in html(site, "a-z/").xpath("//ul[@class='items']/li")
    }
    assert rows["Snapshot"] == [
        f"term-{name}"
        for name in (
            "Snapshot",
            "State-Capture",
            "State-Image",
            "snapshot",
            "state-capture",
            "state-image",
        )
    ]
    assert rows["state-image"] == []


def test_a_release_lists_what_changed() -> None:
    """A release counts its changes, and each count links to a list in the fixed order."""
    site = glossary(
        {
            "1": {
                "alpha": FIXED,
                "gone": "It goes.",
                "old name": "Some words that nobody else says.",
            },
            "2": {
                "alpha": NAMED,
                "fresh": "It comes.",
                "new name": "Some words that nobody else says.",
            },
            "3": {
                "alpha": NAMED,
                "fresh": "It comes.",
                "new name": "Some words that nobody else says.",
            },
        }
    )
    page = html(site, "release/2/")
    counted = {count.get("href"): words(count) for count in page.find_class("count")}
    assert list(counted.items()) == [
        ("#added", "1 added"),
        ("#reworded", "1 reworded"),
        ("#renamed", "1 renamed"),
        ("#removed", "1 removed"),
    ]
    assert [f"#{section.find('h2').get('id')}" for section in page.find_class("kind")] == list(
        counted
    )
    assert words(page.find_class("neighbors")[0]) == "Previous: 1 Next: 3"
    assert text(site, "release/3/", "lead") == ["No terms changed in 3."]
    assert text(site, "release/1/", "lead") == ["1 is the oldest release here, with 3 terms."]


@pytest.mark.parametrize(("terms", "boxes"), [(6, 0), (7, 1)])
def test_many_folded_wordings_are_shown_at_once(terms: int, boxes: int) -> None:
    """Where differences are folded, one box above them shows all; added terms have none."""
    before = {f"term {number}": FIXED for number in range(terms)}
    added = {f"new {number}": FIXED + str(number) for number in range(terms)}
    site = glossary({"1": before, "2": {**dict.fromkeys(before, NAMED), **added}})
    for address in ("release/2/", "compare/1/"):
        page = html(site, address)
        assert len(page.xpath("//details[@class='event-difference']")) == terms
        labels = [words(box.getparent()) for box in page.xpath("//input[@data-open-all]")]
        assert labels == ["Show all wordings"] * boxes


def test_a_release_of_two_sources_has_a_part_for_each() -> None:
    """Where two sources have a release of one name, each part has its own changes, neighbors and
    address."""
    core = source("core", {"1": {"alpha": FIXED}, "2": {"alpha": NAMED, "beta": FIXED}})
    site = site_of(
        core, source("cli", {"2": {"flag": FIXED}, "3": {"flag": FIXED}, "2.1": {"flag": NAMED}})
    )
    page = html(site, "release/2/")
    assert [part.get("id") for part in page.find_class("part")] == ["source-core", "source-cli"]
    assert [words(part) for part in page.find_class("neighbors")] == ["Previous: 1", "Next: 3"]
    assert [count.get("href") for count in page.find_class("count")] == ["#added", "#reworded"]
    again = html(
        site_of(core, source("cli", {"1": {"flag": FIXED}, "2": {"flag": NAMED}})), "release/2/"
    )
    assert [count.get("href") for count in again.find_class("count")] == [
        "#added",
        "#reworded",
        "#reworded-cli",
    ]
    assert {"reworded", "reworded-cli"} <= {*again.xpath("//@id")}
    assert not html(site, "release/1/").find_class("part")


def test_a_release_folds_formatting_away() -> None:
    """Terms of which only the formatting changed are in a closed list."""
    site = glossary(life_of(FIXED, f"<p><b>{FIXED}</b></p>"))
    folded = html(site, "release/1.2/").find_class("kind")
    assert [(part.tag, words(part)) for part in folded] == [
        ("details", "Reformatted 1 term snapshot")
    ]
    assert text(site, "release/1.2/", "count") == ["1 reformatted"]


def test_a_removed_name_leads_on_once_another_term_has_it() -> None:
    """The page of a removed name links to the term that has it now; its own return is dated."""
    gone = {"1": {"tape": FIXED, "reel": NAMED}, "2": {"tape": FIXED}, "3": {"tape; reel": FIXED}}
    reel = glossary(gone)
    assert text(reel, "term/reel/", "term-status") == [
        "Merged into tape in 3 · what it meant before"
    ]
    assert html(reel, "term/reel/").xpath("//p[contains(@class, 'term-status')]/a/@href") == [
        "../../term/reel/1/index.html"
    ]
    assert events(glossary(gone), "term/reel/") == [
        "3 Merged",
        "2 Removed",
        "1 Oldest known wording",
    ]
    back = glossary({**gone, "4": gone["1"]})
    assert text(back, "term/reel/", "term-status") == [
        "In the glossary since 1 or earlier · removed in 2, back since 4"
    ]


def test_a_term_that_was_merged_is_no_former_name() -> None:
    """The page of the other term says that it was merged, and when."""
    both = {"1": {"tape": FIXED, "reel": NAMED}, "2": {"tape": FIXED}}
    site = glossary(both, renames=(Rename(source="example", old="reel", new="tape"),))
    assert text(site, "term/tape/", "term-homonyms") == ["reel was merged into this term in 2"]


def test_only_a_main_name_is_a_former_name() -> None:
    """A name that the term lost and that never was its main name is in its history alone."""
    site = glossary({"1": {"snapshot; capture": FIXED, **OTHER}, "2": {"snapshot": FIXED, **OTHER}})
    assert text(site, "term/snapshot/", "names") == []
    assert event_sentences(site, "term/snapshot/") == ["No longer called “capture”."]


def test_an_unread_release_says_so() -> None:
    """The page of an unreadable release does not say that nothing changed."""
    site = glossary(life_of(FIXED, None, FIXED))
    assert "could not be read in 1.2" in text(site, "release/1.2/", "lead")[0]
    assert any("could not be read in 1.2" in result for result in text(site, "release/", "muted"))


def test_a_later_release_is_not_called_the_first_one() -> None:
    """The first release of a document is not called the source's first if others were read
    before."""
    src = source("s", {"1": {"snapshot": FIXED}, "2": {"snapshot": FIXED, "tape": NAMED}})
    one, two = src.releases
    entries = (two.entries[0], elsewhere(two.entries[1], name="tapes.md"))
    releases = (replace(one, unread={"tapes.md": UNREADABLE}), with_entries(two, "s", entries))
    site = site_of(replace(src, releases=releases))
    assert text(site, "release/2/", "lead") == []
    assert text(site, "release/2/", "count") == ["1 in its oldest known wording"]
    assert text(site, "term/tape/", "term-status") == ["In the glossary since 2 or earlier"]


def test_about_says_how_renames_were_decided() -> None:
    """The about page has the reason for every rename, and every release with its files."""
    site = site_of(
        source("manual", {"1": {"a b": "One thing."}, "2": {"c d": "Another thing."}}),
        renames=(Rename(source="manual", old="a b", new="c d", reason="clearer"),),
        note="All of this is made up.",
    )
    page = words(html(site, "about/"))
    assert "“a b” became c d in Manual 2: declared by this site's editors: clearer" in page
    assert "All of this is made up." in page
    assert text(site, "about/", "stack")[0] == (
        "Release Terms Files read 2 1 term GLOSSARY.md 1 1 term GLOSSARY.md"
    )


WHO = "Made up for these tests, of words that have no owner and are the work of no project."


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        (f"{WHO} Nothing of it is true.", [WHO]),
        ("By *us* &\n<b>you</b>", ["By *us* & <b>you</b>"]),
        ("", []),
    ],
)
def test_the_first_page_has_the_beginning_of_the_note(note: str, shown: list[str]) -> None:
    """The note of site.toml says who made the site, which readers should know before they search.
    It is text, in which signs of Markdown and HTML mean nothing."""
    page = html(glossary({"1": OTHER}, note=note), "")
    notes = page.xpath("//p[preceding-sibling::p[@class='lead']]")
    assert [words(note) for note in notes] == shown


def test_about_folds_many_files() -> None:
    """The files of a release are listed; more than five are behind their number, and of a release
    before the newest there is only their number."""
    reading = Reading(is_auxiliary=True)
    documents = []
    for number in range(6):
        file = {"path": f"{number}.md", "name": f"{number}.md"}
        document = Document(source="manual", release="1", text="", reading=reading, **file)
        documents.append(document)
    few = site_of(with_documents(source("manual", {}), documents[:5]))
    many = site_of(with_documents(source("manual", {}), documents))
    assert not html(few, "about/").xpath("//table//summary")
    assert words(html(many, "about/").xpath("//table//summary")[0]) == "Files read (6)"
    later = [replace(document, release="2") for document in documents[:5]]
    grown = site_of(with_documents(source("manual", {}), [*documents, *later]))
    rows = html(grown, "about/").xpath("//table[thead]//td[last()]")
    assert [words(row) for row in rows][1:] == ["6"]


def test_about_counts_a_term_once() -> None:
    """A term that a release defines twice in the same words is one term of that release."""
    site = glossary(
        {"1": {"tape": "Slow.", "disk": "Round.", "tape=": "Slow."}, "2": {"tape": "Slow."}}
    )
    assert text(site, "about/", "number") == ["1 term", "2 terms"]


def test_about_says_what_was_not_read_and_why() -> None:
    """The about page counts unread tags by reason, and names some."""
    read = source("manual", {"1": OTHER})
    skipped = (
        Skipped(reason="before", names=("0.1",)),
        Skipped(reason="pre-release", names=tuple(f"1.0a{number}" for number in range(7))),
    )
    page = words(html(site_of(replace(read, skipped=skipped)), "about/"))
    assert "Not read: 1 release without a glossary (0.1) 7 pre-releases (1.0a0, 1.0a1" in page
    assert "1.0a4 …)" in page


def test_a_release_leads_to_what_changed_since() -> None:
    """Every release but the latest links to its comparison with the latest."""
    site = glossary({"1": OTHER, "2": OTHER})
    assert text(site, "release/1/", "muted") == ["Glossary as of 1 · Terms changed since 1"]
    assert text(site, "release/2/", "muted") == ["the latest release · Glossary as of 2"]


def test_home_has_the_newest_release_and_sections() -> None:
    """The home page has a search, the newest changes with the choice of an older release to compare
    with, a bar for each release but a first one without changes, and the terms or their sections,
    with the number of their terms."""
    site = glossary(
        {"1": {"Storage/ tape": "Slow."}, "2": {"Storage/ tape": "Slow.", "Storage/ disk": "Fast."}}
    )
    page = html(site, "")
    assert page.xpath("//main//a[@data-search]/@href") == ["./search/index.html"]
    assert (
        words(page.find_class("home-news")[0])
        == "Terms changed in 2 the latest release Added disk "
        "What changed since 1 Show What changed since your release"
    )
    bars = [(words(one), one.get("title")) for one in page.xpath("//ol[@class='bars']//a")]
    assert bars == [("1 2", "1 added")]
    assert [words(line) for line in page.xpath("//section[@class='bucket']//li")] == [
        "disk New in 2 Fast.",
        "tape Slow.",
    ]
    small = html(glossary({"1": {f"disk {number:02}": "Fast." for number in range(31)}}), "")
    listed = [words(line) for line in small.xpath("//section[@class='bucket']//li")]
    assert listed == [f"disk {number:02}" for number in range(31)], "without what they mean"
    many = {
        f"{section}/ {section} {number}": "A word."
        for section in ("Storage", "Network")
        for number in range(20)
    }
    rows = html(glossary({"1": {**many, "disk": "Fast."}}), "").xpath(
        "//section[@id='sections']//li"
    )
    assert [words(row) for row in rows] == ["Storage", "Network"]


def test_home_introduces_itself_for_any_titles() -> None:
    """The first sentence says how many terms there are, and since when, whatever the sources are
    called."""
    changed = {"1": OTHER, "2": OTHER}
    assert text(glossary(changed), "", "lead") == [
        "1 term and what it means, with all changes since 1."
    ]
    two = site_of(
        source("one", {**changed, "2": {**OTHER, "volume": "Where data lives."}}),
        source("two", {"a": OTHER, "b": OTHER}),
    )
    assert text(two, "", "lead") == ["1 term and what it means, with all changes."]
    assert text(glossary({"1": {**OTHER, "loop": "Code that runs again."}}), "", "lead") == [
        "2 terms and what they mean."
    ]


def test_home_has_the_newest_changes_by_kind() -> None:
    """Each kind of change in the newest release is a line with its terms, so that a term with two
    changes is in two; the bar of the release counts it once, for the change that represents both."""
    site = glossary({"1": {"tape": "Slow."}, "2": {"tape": "Deprecated. Use a disk."}})
    page = html(site, "")
    assert [words(line) for line in page.find_class("latest-changes")[0]] == [
        "Reworded tape",
        "Deprecated tape",
    ]
    assert page.xpath("//ol[@class='bars']//text/text()") == ["1"]
    assert page.xpath("//ol[@class='bars']//rect/@class") == ["chip-deprecated"]


def test_home_has_a_bar_for_each_release_with_a_part_for_each_kind() -> None:
    """The parts of a bar are as high as the shares of their kinds, which a legend names. The newest
    releases are in the chart; its title says how many if there are others, and a link, which counts
    all, leads to them."""
    before = {f"term {number}": "One." for number in range(4)}
    after = {**before, "term 0": "Two.", "term 1": "Two.", "new": "One.", "other": "Two words."}
    page = html(glossary({"1": before, "2": after}), "")
    assert [
        (part.get("class"), part.get("height")) for part in page.xpath("//ol[@class='bars']//rect")
    ] == [("chip-added", "43%"), ("chip-reworded", "42%")]
    assert [words(line) for line in page.find_class("legend")[0]] == ["Added", "Reworded"]
    assert page.xpath("//main//a[text()='All releases (2)']/@href") == ["./release/index.html"]
    assert words(page.get_element_by_id("by-release")) == "Terms changed in each release"
    many = {str(number): {**OTHER, "tape": f"Words {number}."} for number in range(30)}
    page = html(glossary(many), "")
    bars = [words(one) for one in page.xpath("//ol[@class='bars']/li")]
    assert (len(bars), bars[0], bars[-1]) == (12, "1 29", "1 18")
    assert (
        words(page.get_element_by_id("by-release")) == "Terms changed in each release (the last 12)"
    )


def test_terms_of_one_name_name_their_source_or_section() -> None:
    """In lists, a term whose name another term has too says where it is from."""
    one = source(
        "one", {"1": {"kernel": "Code for a device."}, "2": {"kernel": "The code for one device."}}
    )
    two = source("two", {"1": {"Kernel": "A small tensor of weights that moves."}})
    site = site_of(one, two, verdicts=(Distinct(names=("kernel", "Kernel")),))
    listed = [
        words(line) for line in html(site, "a-z/").xpath("//ul[contains(@class, 'items')]/li")
    ]
    assert listed == [
        "Kernel Two A small tensor of weights that moves.",
        "kernel Reworded in 2 One The code for one device.",
    ]
    assert [(term.name, term.hint) for term in search.searchables(site)] == [
        ("Kernel", "Two"),
        ("kernel", "One"),
    ]


def test_terms_of_one_name_in_one_source_name_their_section() -> None:
    """The source does not tell two of three terms apart."""
    one = source("one", {"1": {"GPU/ kernel": "Code for a device.", "Math/ Kernel": "A space."}})
    two = source("two", {"1": {"kernel": "A small tensor of weights that moves."}})
    site = site_of(one, two, verdicts=(Distinct(names=("kernel",)),))
    assert [term.hint for term in search.searchables(site)] == ["Math", "GPU", "Two"]


def test_the_search_says_what_to_use_instead() -> None:
    """Results name the replacement of a deprecated term."""
    entries = {"old": "Deprecated. Use new instead.", "new": "Words."}
    site = site_of(source("one", {"1": entries}))
    hints = {term.name: term.hint for term in search.searchables(site)}
    assert hints == {"new": "", "old": "use new"}


def test_a_release_without_a_date_has_no_stray_sign() -> None:
    """The facts of a release are separated by dots only where there are several."""
    read = source("one", {"1": OTHER})
    releases = (replace(read.releases[0], link="https://example.org/notes"),)
    assert (
        text(site_of(replace(read, releases=releases)), "release/1/", "muted")[0]
        == "Release notes · Glossary as of 1"
    )


def test_lists_of_releases_say_only_known_dates() -> None:
    """A release without a date has an empty place where others have theirs."""
    read = source("one", {"1": OTHER, "2": OTHER})
    one, two = read.releases
    dated = replace(read, releases=(one, replace(two, date=date(2025, 3, 1))))
    for address in ("release/", "compare/"):
        assert text(site_of(dated), address, "event-date") == ["1 Mar 2025"]
        assert not text(site_of(read), address, "event-date")


def test_home_offers_what_changed_since() -> None:
    """Any release but the latest can be chosen for a comparison, also without scripts."""
    page = html(glossary({"1": OTHER, "2": OTHER, "3": OTHER}), "")
    options = {
        option.text: option.get("value") for option in page.xpath("//form[@data-since]//option")
    }
    assert options == {name: f"./compare/{name}/index.html" for name in ("2", "1")}
    assert page.xpath("//noscript//a/@href") == ["./compare/index.html"]
    assert not html(glossary({"1": OTHER}), "").find_class("since")


def test_the_head_of_a_page() -> None:
    """A page has a title, a description that begins with the definition, a canonical address, and a
    policy."""
    site = glossary(life_of("Word " * 200), base_url="https://example.org/glossary/")
    head = html(site, "term/snapshot/").find("head")
    described = head.xpath("meta[@name='description']/@content")[0]
    assert head.find("title").text == "snapshot — Example glossary"
    assert head.xpath("link[@rel='canonical']/@href") == [
        "https://example.org/glossary/term/snapshot/"
    ]
    assert head.xpath("meta[@http-equiv='Content-Security-Policy']/@content") == [
        policy(templates()[THEME_SCRIPT])
    ]
    assert described.startswith("Word Word")
    assert described.endswith("… In the glossary since 0.4 or earlier")
    assert len(described.encode()) <= 300


def test_no_address_no_canonical() -> None:
    """Without base_url no page has a canonical address."""
    assert "canonical" not in markup(glossary(life_of(FIXED)), "term/snapshot/")


def test_the_lost_page_links_from_the_base() -> None:
    """The 404 page, which can be served at any depth, uses absolute paths."""
    page = html(glossary(life_of(FIXED), base_url="https://example.org/glossary/"), "404.html")
    assert page.get("data-root") == "/glossary/"
    assert all(
        link.startswith("/glossary/")
        for link in page.xpath("//a/@href")
        if not link.startswith("#")
    )


HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def eventful() -> Site:
    """A site with several sources, difficult names, and most kinds of change."""
    awkward = source(
        "<b>",
        {
            "../x": {
                f"Ops & co/ {HOSTILE}": LINKED,
                "volume": f"A {HOSTILE} space.",
                "C++": "{{ 7 * 7 }}",
            },
            "v1/2": {
                f'Ops & co/ {HOSTILE}; " onclick=x': FIXED,
                "volume": "A space.",
                "C": "C++ without.",
            },
            "v1-2": {
                f"Ops & co/ {HOSTILE}": NAMED,
                "volume": "A space.",
                "lead": "Metal.",
                "lead=": "Voice.",
            },
            "V1-2": {"volume": "A space for data."},
        },
    )
    other = source(
        "two",
        {"V1-2": {"volume": LINKED}, "3": {"volume": "Deprecated. Use tape.", "tape": "Slow."}},
    )
    return site_of(
        awkward, other, undated("guide", {"volume": "Space.", "": "No name."}), title=HOSTILE
    )


def files(site: Site) -> dict[str, File]:
    renderer = Renderer(templates(), site)
    made = [
        *map(renderer.render, pages_of(site).values()),
        *export_files(site),
        *asset_files(templates()),
    ]
    made.append(renderer.panels())
    made += search.files(site)
    assert len({file.path for file in made}) == len(made)
    return {file.path: file for file in made}


def parsed(site: Site) -> dict[str, lxml.html.HtmlElement]:
    return {
        path: lxml.html.document_fromstring(file.content.decode())
        for path, file in files(site).items()
        if path.endswith(".html")
    }


def test_every_link_leads_somewhere(eventful: Site) -> None:
    """Every link and script of every page leads to an existing file, and its fragment to an id in
    it."""
    there, documents = files(eventful), parsed(eventful)
    for path, document in documents.items():
        for link in document.xpath(
            "//a/@href | //link[@rel='stylesheet']/@href | //script/@src | //form/@action"
        ):
            target, _, fragment = link.partition("#")
            target = target.partition("?")[0]
            base = "/" if target.startswith("/") else f"/{posixpath.dirname(path)}/"
            file = posixpath.normpath(base + target).lstrip("/") if target else path
            assert file in there, f"{path} links to {link}"
            if fragment:
                assert documents[file].xpath("//*[@id=$id]", id=fragment), f"{path} links to {link}"


def test_no_id_stands_twice(eventful: Site) -> None:
    """No page has an id twice."""
    for path, document in parsed(eventful).items():
        twice = [id for id, count in Counter(document.xpath("//@id")).items() if count > 1]
        assert twice == [], path


def test_hostile_names_are_text(eventful: Site) -> None:
    """Names of sources, releases, terms and the site are shown as text, without scripts, handlers
    or styles."""
    for path, document in parsed(eventful).items():
        within = document.xpath("//script[not(@src) and not(@type='application/ld+json')]/text()")
        assert within == [templates()[THEME_SCRIPT]], path
        assert document.xpath("//@*[starts-with(name(), 'on')]") == [], path
        assert document.xpath("//@style | //style") == [], path
    assert HOSTILE in words(parsed(eventful)["index.html"].find(".//h1"))


def test_templates_compute_nothing_from_definitions(eventful: Site) -> None:
    """Braces in a definition are text."""
    assert "{{ 7 * 7 }}" in text(eventful, "term/c-plus-plus/", "definition-main")


def test_pages_are_the_same_every_time(eventful: Site) -> None:
    """Rendering a site twice gives the same files in the same order."""
    assert list(files(eventful).values()) == list(files(eventful).values())
    assert [page.address for page in pages_of(eventful).values()] == list(pages_of(eventful))


def test_a_site_without_history() -> None:
    """One undated document is a complete site, whose list of releases says why it is empty."""
    site = site_of(undated("guide", {"tape": "Slow.", "disk": "Fast."}))
    assert "there is no history yet" in words(html(site, "release/"))
    assert not html(site, "term/tape/").xpath("//*[@id='history']")


def test_unset_facts_of_a_source() -> None:
    """A source without metadata is listed by its title alone."""
    site = site_of(source("bare", {"": {"tape": "Slow."}}))
    assert text(site, "term/tape/", "term-status") == ["Defined in Bare, without a date"]
    assert "One document without releases" in words(html(site, "about/"))


def test_the_navigation_marks_the_list_of_a_page() -> None:
    """The navigation marks the page itself, or the list to which it belongs."""
    site = glossary({"1": {"tape": "Slow."}, "2": {"tape": "Fast."}})
    marked = {}
    for address in ("release/", "release/2/", "compare/1/", "term/tape/"):
        links = html(site, address).xpath("//nav[@class='site-nav']//a[@aria-current]")
        marked[address] = [(words(link), link.get("aria-current")) for link in links]
    assert marked == {
        "release/": [("Releases", "page")],
        "release/2/": [("Releases", "true")],
        "compare/1/": [("Compare", "true")],
        "term/tape/": [],
    }


def test_links_to_wordings_are_inside_the_difference() -> None:
    """On a comparison, the links to both wordings open with their difference."""
    site = glossary({"1": {"tape": "Slow."}, "2": {"tape": "Fast."}})
    page = html(site, "compare/1/")
    assert [words(one) for one in page.xpath("//details/p[@class='event-links']")] == [
        "Wording of 1 · Wording of 2 and later"
    ]
    assert len(page.find_class("event-links")) == 1


def test_a_release_can_be_read_whole() -> None:
    """The glossary as of a release has every term in the wording then in force, linked to its
    frozen page."""
    site = glossary(
        {
            "1": {"tape": "Slow."},
            "2": {"tape": "Slow.", "disk": "Fast."},
            "3": {"tape": "Magnetic."},
        }
    )
    page = html(site, "release/2/terms/")
    assert [words(one) for one in page.find_class("wording")] == ["disk Fast.", "tape Slow."]
    assert [one.get("id") for one in page.find_class("wording")] == ["disk", "tape"]
    assert page.xpath("//h2/a/@href")[1] == "../../../term/tape/1/index.html"
    assert html(site, "release/2/").xpath("//a[. = 'Glossary as of 2']/@href") == [
        "../../release/2/terms/index.html"
    ]


def test_a_long_glossary_as_of_a_release_has_letters() -> None:
    """The letters above many terms lead to the first term of each; above a few there are none."""
    many = {f"{letter}{number}": "Fast." for letter in "ab" for number in range(20)}
    site = glossary({"1": many, "2": {"tape": "Slow."}})
    page = html(site, "release/1/terms/")
    assert page.xpath("//nav[@class='letters-nav']//a/@href") == ["#letter-a", "#letter-b"]
    first = page.xpath("//*[@id='letter-b']/following-sibling::section[1]/@id")
    assert first == ["b0"]
    assert not html(site, "release/2/terms/").find_class("letters-nav")


def test_a_deprecated_term_without_releases() -> None:
    """A deprecated term of an undated document is deprecated since no release."""
    site = site_of(undated("guide", {"tape": "Deprecated. Slow.", "disk": "Fast."}))
    assert text(site, "term/tape/", "term-status") == ["Deprecated"]


def test_of_very_many_wordings_releases_have_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a very large site, the glossary as of a release has names with links to their wordings."""
    monkeypatch.setattr(page_module, "MAX_WORDINGS", 3)
    page = html(
        glossary({"1": {"tape": "Slow."}, "2": {"tape": "Slow.", "disk": "Fast."}}),
        "release/2/terms/",
    )
    [names] = page.find_class("items-brief")
    assert [(one.get("id"), words(one)) for one in names] == [("disk", "disk"), ("tape", "tape")]
    assert not page.find_class("wording")


def test_a_published_section_without_terms_keeps_its_page() -> None:
    """The page of a section says that no term is in it today."""
    published = archive_of([ArchivedPage(address="section/reels/", name="Reels")])
    site = glossary({"1": {"tape": "Slow."}}, archive=published)
    assert text(site, "section/reels/", "lead") == ["No term is in this section today."]


def test_the_heading_of_a_page_without_a_name_is_in_the_language_of_the_interface() -> None:
    """Only the names of the glossary are marked as being in its language."""
    site = glossary({"1": {"tape": "Tarda."}}, language="la")
    nameless = KeptPage(address="section/reels/")
    named = KeptPage(address="term/reel/", name="reel")
    site = replace(site, addresses=replace(site.addresses, kept=(nameless, named)))
    headings = [html(site, page.address).find(".//h1") for page in (nameless, named)]
    marked = [[element.tag for element in heading] for heading in headings]
    assert marked == [[], ["bdi"]]


def test_rows_keep_the_ids_of_former_names() -> None:
    """A term that is renamed later is found by its former id on the pages of earlier releases."""
    site = glossary(
        {
            "1": {**OTHER, "tape": FIXED},
            "2": {**OTHER, "tape": NAMED},
            "3": {**OTHER, "reel": NAMED},
        }
    )
    for address, ids in (
        ("release/2/", "reworded-reel reworded-tape"),
        ("release/2/terms/", "reel tape"),
    ):
        assert {*ids.split()} <= {*html(site, address).xpath("//main//@id")}


def test_a_long_release_has_a_page_for_each_letter() -> None:
    """Above three hundred terms, definitions are on pages by letter."""
    site = glossary(
        {"1": {f"{letter} {number}": "A word." for letter in "ab" for number in range(151)}}
    )
    assert html(site, "release/1/terms/").xpath("//nav[@class='letters-nav']//a/text()") == [
        "A",
        "B",
    ]
    assert len(html(site, "release/1/terms/b/").find_class("wording")) == 151
