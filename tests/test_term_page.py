"""A term's page beyond its definition: timeline, copying, editing, comparing."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest
from glossaries import Glossary, elsewhere, source, with_entries
from sites import glossary, html, markup, site_of, text, words

from sitegen.model import Source
from sitegen.site.site import Site
from sitegen.site.theme import extra_pages

FIXED = "A fixed pointer to the state of a volume."
NAMED = "A named pointer to the state of a volume."
LONGER = "A named pointer to the state of a volume at one moment."
ADDRESS = "term/snapshot/"


def life_of(*wordings: str | None, releases: str = "0.4 1.2 1.8.2 2.4") -> Glossary:
    """Returns a glossary in which `snapshot` has these wordings, one for each release; an empty one
    means absent."""
    return {
        release: None
        if wording is None
        else {"volume": "Space.", **({"snapshot": wording} if wording else {})}
        for release, wording in zip(releases.split(), wordings, strict=False)
    }


def strokes(site: Site, address: str = ADDRESS) -> list[dict[str, str]]:
    """Returns the paths of each course by their meaning."""
    courses = html(site, address).xpath("//*[contains(@class, 'timeline')]/*[local-name() = 'svg']")
    return [
        {path.get("class"): path.get("d") for path in course.iter("path") if path.get("class")}
        for course in courses
    ]


def marks(site: Site) -> list[tuple[str, str]]:
    found = html(site, ADDRESS).xpath(
        "//*[contains(@class, 'timeline')]//*[starts-with(@class, 'chip-')]"
    )
    return [(mark.get("class").removeprefix("chip-"), mark.get("x")) for mark in found]


def labels(site: Site) -> list[tuple[str, str, str]]:
    found = html(site, ADDRESS).xpath("//*[contains(@class, 'timeline')]//*[local-name() = 'text']")
    narrow = (label for label in found if label.get("class") != "on-wide")
    return sorted((label.get("x"), label.get("text-anchor"), words(label)) for label in narrow)


def rows(site: Site, hidden: str) -> dict[str, str]:
    """Returns the y of each label in a window, by release; `hidden` is the class of the labels that
    the window does not show."""
    found = html(site, ADDRESS).xpath("//*[contains(@class, 'timeline')]//*[local-name() = 'text']")
    return {words(label): label.get("y") for label in found if label.get("class") != hidden}


def test_the_picture_shows_how_a_term_stood() -> None:
    """The line of the timeline differs where the term was absent, unknown, defined or
    deprecated."""
    site = glossary(life_of("", FIXED, None, "Deprecated. Use volume.", "", releases="1 2 3 4 5"))
    assert strokes(site) == [
        {
            "absent": "M0 10H250M1000 10H1000",
            "defined": "M250 10H500",
            "unread": "M500 10H750",
            "deprecated": "M750 8H1000M750 12H1000",
            "ticks": "M0 6v8M250 6v8M500 6v8M750 6v8M1000 6v8",
        }
    ]
    deprecation = [("deprecated", "75%"), ("reworded", "75%")]
    assert marks(site) == [("added", "25%"), *deprecation, ("removed", "100%")]


def test_the_picture_has_a_mark_for_each_change() -> None:
    """Of two changes in one release, the timeline shows both marks, one above the other."""
    site = glossary(life_of(FIXED, "Deprecated. Use volume.", releases="1 2"))
    assert marks(site) == [("first-read", "0%"), ("deprecated", "100%"), ("reworded", "100%")]
    shapes = html(site, ADDRESS).xpath("//a[@href='#r2']/*[starts-with(@class, 'chip-')]/@y")
    assert shapes == ["2", "-16"]


def test_the_picture_is_told_in_one_sentence() -> None:
    """A screen reader reads the timeline as one sentence, and its marks as links with titles."""
    picture = html(glossary(life_of(FIXED, NAMED, None, "")), ADDRESS).find_class("timeline")[0]
    assert picture.get("role") == "group"
    assert picture.get("aria-label") == (
        "From 0.4 to 2.4: Oldest known wording in 0.4, Reworded in 1.2, Could not be read in "
        "1.8.2, Removed in 2.4"
    )
    assert [(link.get("href"), words(link)) for link in picture.iter("a")] == [
        ("#r0.4", "Oldest known wording in 0.4"),
        ("#r1.2", "Reworded in 1.2"),
        ("#r2.4", "Removed in 2.4"),
    ]


def test_the_picture_runs_the_other_way_where_people_read_so() -> None:
    """In a right-to-left language the timeline is mirrored."""
    site = glossary(life_of("", FIXED, NAMED), language="ar")
    assert strokes(site)[0]["absent"] == "M1000 10H500"
    assert marks(site) == [("added", "50%"), ("reworded", "0%")]
    assert labels(site)[-1] == ("50%", "middle", "1.2")


def test_labels_have_room() -> None:
    """First and last release are labeled, then changes from the newest back, where there is room."""
    assert labels(glossary(life_of(FIXED, FIXED, NAMED, NAMED))) == [
        ("0%", "start", "0.4"),
        ("100%", "end", "2.4"),
        ("66.6%", "middle", "1.8.2"),
    ]
    names = " ".join(f"2024-{month:02}-{day:02}" for month in (1, 2) for day in range(1, 21))
    crowded = labels(glossary(life_of(*(FIXED, NAMED) * 20, releases=names)))
    assert {"2024-01-01", "2024-02-20"} < {name for _, _, name in crowded}
    assert len(crowded) < 10


def test_marks_that_are_close_have_labels_in_several_rows() -> None:
    """A label that does not fit in the first row is in a lower one; in a wide window, it fits. The
    picture is as high as its rows."""
    names = " ".join(f"1.{number}.0" for number in range(1, 20))
    site = glossary(life_of(*[""] * 9, FIXED, NAMED, FIXED, *[FIXED] * 7, releases=names))
    narrow = {"1.1.0": "34", "1.19.0": "34", "1.12.0": "34", "1.11.0": "48", "1.10.0": "62"}
    assert rows(site, "on-wide") == narrow
    assert rows(site, "on-narrow") == {**narrow, "1.10.0": "34"}
    [picture] = html(site, ADDRESS).xpath("//*[@class='timeline']/svg")
    assert picture.get("height") == "70"


def test_a_long_name_of_a_release_breaks_off() -> None:
    """A long label is cut."""
    name = "the-release-after-the-very-long-winter"
    assert ("100%", "end", "the-release-a…") in labels(
        glossary({"1": {"snapshot": FIXED}, name: {"snapshot": NAMED}})
    )


@pytest.mark.parametrize(("count", "ticks"), [(40, 40), (41, 5)])
def test_of_many_releases_only_minor_versions_have_a_tick(count: int, ticks: int) -> None:
    """Above forty releases only the first release of each minor version has a tick."""
    names = " ".join(f"1.{number // 10}.{number % 10}" for number in range(count))
    site = glossary(life_of(FIXED, *[NAMED] * (count - 1), releases=names))
    assert strokes(site)[0]["ticks"].count("M") == ticks


def test_each_source_has_a_course() -> None:
    """Each source has a course with its title."""
    one, two = life_of(FIXED, NAMED, releases="1 3"), life_of(FIXED, NAMED, releases="2 4")
    site = site_of(source("manual", one), source("guide", two))
    assert [course["ticks"] for course in strokes(site)] == ["M0 6v8M1000 6v8"] * 2
    assert text(site, ADDRESS, "timeline")[0].startswith("Manual")


def test_an_unchanged_term_has_no_picture() -> None:
    """A term without changes has no timeline and no comparison."""
    page = html(glossary(life_of("", FIXED, FIXED)), ADDRESS)
    assert not page.find_class("timeline")
    assert "All wordings" not in words(page.find(".//main"))


def copied(site: Site, address: str = ADDRESS, place: str = "actions") -> dict[str, str]:
    """Returns the texts that the copy buttons of an element copy, by kind."""
    texts = {}
    for button in html(site, address).find_class(place)[0].iter("button"):
        kind = button.get("data-copy")
        if kind:
            texts.setdefault(kind, button.get("data-address" if kind == "link" else "data-text"))
    return texts


def test_what_is_copied() -> None:
    """The first link and a quotation lead to the frozen page of the words; the menu has the link to
    the term's page."""
    site = glossary(life_of(FIXED, NAMED, NAMED), base_url="https://example.org/words/")
    [of_term] = html(site, ADDRESS).xpath("//*[contains(@class, 'menu')]//button[@data-of-term]")
    assert of_term.get("data-address") == "https://example.org/words/term/snapshot/"
    assert copied(site) == {
        "link": "https://example.org/words/term/snapshot/1.2/",
        "markdown": "**[snapshot](https://example.org/words/term/snapshot/1.2/)** — Example 1.2 "
        "to 1.8.2\n"
        "> A named pointer to the state of a volume.",
    }
    quoted = {"link": "https://example.org/words/term/snapshot/1.2/"}
    assert copied(site, place="event-links") == quoted
    [hidden] = html(site, ADDRESS).xpath("//ol//button[@hidden]/@data-address")
    assert hidden == quoted["link"], "a button above copies these words"
    assert copied(site, "term/snapshot/0.4/") == {
        "link": "https://example.org/words/term/snapshot/0.4/",
        "markdown": "**[snapshot](https://example.org/words/term/snapshot/0.4/)** — Example 0.4\n"
        "> A fixed pointer to the state of a volume.",
    }


def test_a_term_that_never_changed_has_no_choice_of_a_release() -> None:
    """The releases of a term that is the same in all of them are no choice."""
    choices = [
        html(glossary(life_of(*words)), ADDRESS).xpath("//select")
        for words in ((FIXED, FIXED), (FIXED, NAMED), ("", FIXED))
    ]
    assert list(map(len, choices)) == [0, 1, 1]


def test_what_is_copied_of_an_event_without_words() -> None:
    """A new name copies the words then in force; a removal has no words, so it copies nothing."""
    site = glossary({"1": {"image": FIXED}, "2": {"snapshot": FIXED}, "3": {"volume": "Space."}})
    addresses = html(site, ADDRESS).xpath(
        "//*[contains(@class, 'event-links')]//button/@data-address"
    )
    assert addresses == ["term/image/1/", "term/image/1/"]


def test_a_quotation_names_the_releases_that_called_the_term_so() -> None:
    """If a term was renamed and its words stayed, each name is quoted with its own releases."""
    site = glossary({"1": {"image": FIXED}, "2": {"image": FIXED}, "3": {"snapshot": FIXED}})
    assert copied(site)["markdown"].startswith("**[snapshot](term/image/1/)** — Example 3\n")
    frozen = copied(site, "term/image/1/")["markdown"]
    assert frozen.startswith("**[image](term/image/1/)** — Example 1 to 2\n")


def test_a_button_of_an_event_names_the_releases_of_its_wording() -> None:
    """For a screen reader, the button of an event has the releases of its wording under its name."""
    site = glossary({"1": {"image": FIXED}, "2": {"snapshot": FIXED}, "3": {"volume": "Space."}})
    labels = html(site, ADDRESS).xpath("//*[contains(@class, 'event-links')]//button/@aria-label")
    assert labels == [
        "Copy link to this wording: 2",
        "Copy link to this wording: 1",
    ]


def test_what_is_copied_of_a_document_without_releases() -> None:
    """Words of an undated document link to their term's page, without a release."""
    read = source("guide", {"": {"snapshot": FIXED}})
    site = site_of(read)
    assert copied(site)["markdown"] == f"**[snapshot](term/snapshot/)** — Guide\n> {FIXED}"


def test_what_is_copied_of_a_synonym() -> None:
    """The shown definition is quoted under the name of the term that it belongs to."""
    site = glossary({"1": {"snapshot": FIXED, "picture": "Same as snapshot."}})
    assert copied(site, "term/picture/") == {
        "link": "term/picture/",
        "markdown": f"**[snapshot](term/snapshot/1/)** — Example 1\n> {FIXED}",
    }


def test_a_quotation_calls_nobody() -> None:
    """Markup and mentions in a quotation are escaped."""
    site = glossary({"1": {"@team/x": "Ask *@me*, see #12."}})
    page = next(one for one in site.slugs.values())
    assert copied(site, f"term/{page}/")["markdown"] == (
        f"**[@\u200bteam/x](term/{page}/1/)** — Example 1\n> Ask \\*@\u200bme\\*, see #\u200b12."
    )


REPOSITORY = "https://github.com/example/words/tree/main/docs"


def ways(site: Site, address: str = ADDRESS) -> dict[str, str]:
    links = html(site, address).find_class("menu")[-1].xpath(".//a[starts-with(@href, 'https:')]")
    return {words(link): link.get("href") for link in links}


def test_where_a_page_is_edited_and_reported() -> None:
    """If the repository is known, a page links to the file on its branch and to a report form."""
    site = glossary(life_of(FIXED), repository=REPOSITORY, base_url="https://example.org/")
    assert ways(site) == {
        "Edit source": "https://github.com/example/words/edit/main/docs/0.4/GLOSSARY.md",
        "Report a problem": "https://github.com/example/words/issues/new?title=Definition%20of%20%E2%80%9Csnapshot%E2%80%9D"
        "&body=https%3A%2F%2Fexample.org%2Fterm%2Fsnapshot%2F%0ASource%3A%20Example%200.4%2C%20GLOSSARY.md%2C%20line%202%0A%0A",
    }
    assert ways(glossary(life_of(FIXED))) == {}


def tagged(lines: str) -> Source:
    """Returns a source whose one release is a tag; `lines` is the address pattern of its lines."""
    read = source("example", {"1": {"snapshot": FIXED}})
    (release,) = read.releases
    entry = elsewhere(release.entries[0], path="v1:GLOSSARY.md")
    tag = with_entries(replace(release, line_pattern=lines), "example", [entry])
    return replace(read, releases=(tag,))


@pytest.mark.parametrize(
    ("lines", "edit"),
    [
        (
            "https://github.com/example/words/blob/v1/{path}#L{line}",
            "https://github.com/example/words/edit/main/GLOSSARY.md",
        ),
        ("https://github.com/example/other/blob/v1/{path}#L{line}", None),
        ("", None),
    ],
)
def test_a_tag_is_edited_where_it_was_made(lines: str, edit: str | None) -> None:
    """Only a tag of the site's own repository has an edit link."""
    assert ways(site_of(tagged(lines), repository=REPOSITORY)).get("Edit source") == edit


def test_a_removed_term_is_not_edited() -> None:
    """A removed term has a report link and no edit link."""
    assert list(ways(glossary(life_of(FIXED, ""), repository=REPOSITORY))) == ["Report a problem"]


def choices(site: Site) -> list[tuple[str, str | None]]:
    """Returns the releases of the list in the header, each with its value."""
    options = html(site, ADDRESS).xpath("//header//select//option")
    return [(words(option), option.get("value")) for option in options]


def test_releases_that_can_be_chosen() -> None:
    """Every release of the first source that could be read can be chosen; each leads to the event
    with its wording, those without the term to none."""
    one = source("manual", life_of(FIXED, "", None, NAMED))
    two = source("guide", life_of("", FIXED))
    assert choices(site_of(one)) == [("2.4 (latest)", "r2.4"), ("1.2", ""), ("0.4", "r0.4")]
    assert choices(site_of(one, two)) == choices(site_of(one))
    assert choices(site_of(two)) == [("1.2 (latest)", "r1.2"), ("0.4", "")]
    groups = html(site_of(one), ADDRESS).xpath("//header//select/*/@label")
    assert groups == ["2.4 and later", "0.4"], "each wording has its releases"


@pytest.mark.parametrize(
    ("wordings", "newest", "present"),
    [
        ((FIXED, NAMED, NAMED, NAMED), "2.4 (latest)", "1.2 to 2.4 (latest)"),
        ((FIXED, NAMED, NAMED, None), "1.8.2", "1.2 to 1.8.2"),
        ((FIXED, NAMED, NAMED, ""), "Not defined in 2.4", "1.2 to 1.8.2"),
    ],
)
def test_only_the_latest_release_is_called_so(
    wordings: tuple[str | None, ...], newest: str, present: str
) -> None:
    """A wording that ended earlier, or whose latest release is unread, is not called the latest."""
    site = glossary(life_of(*wordings))
    assert choices(site)[0][0] == newest
    assert html(site, ADDRESS).xpath("string(//select/@data-words)") == present


def test_a_page_weighs_little() -> None:
    """The page and frozen page of a term with three wordings in hundreds of releases keep to their
    budgets."""
    body = (
        " It is kept as long as anybody refers to it, and takes no room of its own until the "
        "volume changes." * 3
    )
    wordings = [*[FIXED + body] * 100, *[NAMED + body] * 100, *[LONGER + body] * 40]
    names = " ".join(f"{number // 60}.{number // 6 % 10}.{number % 6}" for number in range(240))
    site = glossary(
        life_of(*wordings, releases=names),
        base_url="https://example.org/words/",
        repository=REPOSITORY,
    )
    most = {ADDRESS: 6_000, f"{ADDRESS}3.3.2/": 3_000}
    weights = {address: len(gzip.compress(markup(site, address).encode(), 9)) for address in most}
    assert {address: weight for address, weight in weights.items() if weight > most[address]} == {}


def test_words_removed_at_the_beginning_are_shown_once() -> None:
    """A difference has the removed first word in one place, whatever is added further on."""
    site = glossary(life_of(f"Formerly {LONGER}", f"{LONGER[:-1]} and place.", releases="1 2"))
    removed = html(site, ADDRESS).xpath("//*[contains(@class, 'difference')]//del")
    assert [words(element) for element in removed] == ["[removed: Formerly]"]


def test_a_removed_sentence_is_in_the_paragraph_in_which_it_was() -> None:
    """It is never in the heading between two paragraphs."""
    first, last = "<p>A pod runs on a machine.", "It is small here.</p>"
    shorter = f"{first}</p><h2>Use</h2><p>{last}"
    for longer, paragraph in (
        (
            f"{first} It is big.</p><h2>Use</h2><p>{last}",
            "A pod runs on a machine. [removed: It is big.]",
        ),
        (f"{first}</p><h2>Use</h2><p>Take care. {last}", "[removed: Take care.] It is small here."),
    ):
        site = glossary(life_of(longer, shorter, releases="1 2"))
        (removed,) = html(site, ADDRESS).xpath("//*[contains(@class, 'difference')]//del")
        assert words(removed.getparent()) == paragraph


def test_the_actions_are_above_an_article() -> None:
    """The actions are above a definition with headings, also on the pages of its wordings, and
    below any other."""
    article = "<p>A pod.</p><h3>Use</h3><p>It runs {}.</p>"
    first, last = article.format("here"), article.format("there")
    site = glossary(life_of(first, last, releases="1 2"))
    for address, above in {
        ADDRESS: "header",
        f"{ADDRESS}1/": "header",
        "term/volume/": "div",  # the definition
    }.items():
        (actions,) = html(site, address).find_class("actions")
        assert actions.getprevious().tag == above, address


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (ADDRESS, {"part-1": "Use of pods", "part-2": "Limits", "history": "History"}),
        ("pages/start/", {"run": "Run", "stop": "Stop"}),
        ("pages/more/", {}),
    ],
)
def test_a_long_text_has_links_to_its_headings(address: str, expected: dict[str, str]) -> None:
    """An article, and a page that editors wrote. A text with one heading has none."""
    article = "<p>A pod.</p><h3>Use of <a href='term:volume'>pods</a></h3><h3>Limits</h3>{}"
    pages = extra_pages({"start.md": "# Start\n\n## Run\n\n## Stop\n", "more.md": "## One\n"})
    life = life_of(article.format(""), article.format("<p>Few.</p>"), releases="1 2")
    page = html(replace(glossary(life), extra_pages=pages), address)
    links = page.xpath("//dl[contains(@class, 'names')]//a[starts-with(@href, '#')]")
    assert {link.get("href")[1:]: words(link) for link in links} == expected
    for id in expected:
        assert page.get_element_by_id(id).tag in ("h2", "section")


def test_code_on_pages_of_editors_has_colors() -> None:
    """As in definitions, if its language is named."""
    texts = {"start.md": "# Start\n\n```python\nreturn 1\n```\n\n```\nreturn 2\n```\n"}
    site = replace(glossary(life_of(FIXED, releases="1")), extra_pages=extra_pages(texts))
    colored = [code.find("span") is not None for code in html(site, "pages/start/").iter("code")]
    assert colored == [True, False]


def test_pages_of_editors_lead_to_their_first_page() -> None:
    """If it has links to the others, which the footer then leaves out."""
    texts = {"index.md": "# Manual\n\n[Start](start.md)\n", "start.md": "# Start\n"}
    site = replace(glossary(life_of(FIXED, releases="1")), extra_pages=extra_pages(texts))
    assert text(site, "pages/start/", "term-section") == ["Manual"]
    assert text(site, "pages/", "term-section") == []


def test_the_same_words_again_lead_to_where_they_stood() -> None:
    """A wording that returned links to the earlier event on the page."""
    page = html(glossary(life_of(FIXED, NAMED, FIXED)), ADDRESS)
    assert page.xpath("//p[contains(., 'Back to the wording of')]/a/@href") == ["#r0.4"]


def test_a_source_with_the_words_of_the_page_does_not_repeat_them() -> None:
    """Another source has its own words, or says that they are those of the page."""
    result = {"manual": FIXED, "guide": NAMED, "echo": FIXED}
    site = site_of(*(source(id, {"1": {"snapshot": wording}}) for id, wording in result.items()))
    others = html(site, ADDRESS).find_class("other")
    assert [other.tag for other in others] == ["details", "div"]
    assert words(others[0].find("summary")) == "Guide 1"
    assert words(others[1]).startswith("Echo 1 Same words as at the top of this page.")


def test_many_mentions_are_folded() -> None:
    """Of more than 20 terms in a line of names, 18 are listed; the others open on request."""
    mentions = {
        f"use {number}": "<p>A <a href='term:volume'>volume</a>.</p>" for number in range(21)
    }
    page = html(glossary({"1": {"volume": "Space.", **mentions}}), "term/volume/")
    [names] = page.xpath("//dl[@class='names']//dd")
    assert [len(names.findall("a")), len(names.findall("details/a"))] == [18, 3]
    assert names.findtext("details/summary") == "and 3 more"


def test_many_terms_of_one_name_are_counted():
    """A page links at most twenty other terms of its name, and says how many more there are."""
    names = {f"Kernel{'=' * number}": f"Meaning {number}." for number in range(25)}
    (listed,) = text(glossary({"1": names}), "term/kernel/", "term-homonyms")
    assert listed.count("Meaning") == 20
    assert "and 4 more" in listed
