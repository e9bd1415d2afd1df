"""The names on the page of a term: other, former and related ones, synonyms and homonyms."""

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
from snapshots import FIXED, LINKED, NAMED, OTHER, events

from sitegen.config.tables import Distinct, Rename


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
        "Renamed from “state image” to “snapshot”. The definition is the same."
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
