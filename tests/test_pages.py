"""Rules for every page, and the state of a term.

Sites are made of small glossaries (`glossaries`); pages are looked at as HTML, by the classes that
name their parts.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import replace

import lxml.html
import pytest
from glossaries import source
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
from snapshots import FIXED, LINKED, NAMED, OTHER, VOLUME, dated, every_state, life_of, undated

from sitegen.model import File
from sitegen.permanence.kept_pages import KeptPage
from sitegen.site import search
from sitegen.site.rendering import THEME_SCRIPT, Renderer, policy
from sitegen.site.site import Site
from sitegen.site.templates import asset_files

DEPRECATED = (
    "Deprecated since 1.8.2 · use volume. "
    "Reworded in 1.8.2, the latest release · added in 1.2 · see what changed"
)


@pytest.mark.parametrize(
    ("wordings", "sentence"),
    [
        (("", FIXED, FIXED), "Never reworded · added in 1.2"),
        (("", FIXED, NAMED, NAMED), "Reworded in 1.8.2 · added in 1.2 · see what changed"),
        (
            (FIXED, NAMED, NAMED),
            "Reworded in 1.2 · in the glossary since 0.4 or earlier · see what changed",
        ),
        ((FIXED, FIXED), "Never reworded · in the glossary since 0.4 or earlier"),
        ((FIXED,), "In the glossary since 0.4 or earlier"),
        (
            ("", FIXED, NAMED),
            "Reworded in 1.8.2, the latest release · added in 1.2 · see what changed",
        ),
        (
            ("", FIXED, NAMED, FIXED, FIXED),
            "Reworded 2 times, last in 2.4 · added in 1.2 · see what changed",
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
            DEPRECATED,
        ),
        (
            ("", FIXED, f"<p>Deprecated. Use {VOLUME}.</p>"),
            DEPRECATED,
        ),
        (
            ("", FIXED, f"<p>A {VOLUME}, once.</p><p>Deprecated. Use {VOLUME} instead.</p>"),
            DEPRECATED,
        ),
        (
            ("Deprecated.", "Deprecated."),
            "Deprecated since 0.4 or earlier. Never reworded · in the glossary since 0.4 or earlier",
        ),
        (("", FIXED, "Same as volume."), "Same as volume"),
    ],
)
def test_the_status_sentence(wordings: tuple[str | None, ...], sentence: str) -> None:
    """The status is one sentence without a full stop, which says "added" only where that is known.
    A deprecated term has a second one, as its status does not say how often it was reworded."""
    site = glossary(life_of(*wordings, releases="0.4 1.2 1.8.2 2.4 3.0"))
    assert ". ".join(text(site, "term/snapshot/", "term-status")) == sentence


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
            "Deprecated since 2 · use still",
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
    line = (page.find_class("notice-frozen") or page.find_class("term-status"))[0]
    assert words(line) == sentence
    assert line.xpath("contains(concat(@class, ' '), $chip)", chip=f"chip-{mark} ") == bool(mark)
    assert len(line.findall(".//svg")) == bool(mark)
    has_bar = bool(page.xpath("//div[contains(@class, 'definition-main chip-')]"))
    assert has_bar == (
        mark in ("removed", "renamed", "deprecated") and not page.find_class("notice-frozen")
    )


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


def test_a_removed_term_leads_to_the_section_that_it_was_in() -> None:
    """A section without terms today is not named."""
    first = {"Files/ tape": FIXED, "Files/ reel": FIXED, "Drums/ drum": FIXED}
    site = glossary({"1": first, "2": {"Files/ reel": FIXED}})
    assert text(site, "term/tape/", "term-section") == ["Files"]
    assert text(site, "term/drum/", "term-section") == []


def test_a_citation_has_the_year_of_the_release_that_it_names() -> None:
    """A term's page, which cites that of its wording, and the page of a wording are cited with the
    year of the first release that has the wording; without a year if that has no date, or is not
    from git: words in a folder may be younger than the release."""
    read = dated(
        source("manual", life_of(FIXED, NAMED, NAMED)), "2020-01-02", "2021-01-02", "2022-01-02"
    )
    addresses = ["term/snapshot/", "term/snapshot/0.4/", "term/snapshot/1.2/"]
    releases = [replace(release, commit="1a2b3c4") for release in read.releases]
    from_git = site_of(replace(read, releases=tuple(releases)))
    years = [html(from_git, one).xpath("//*[@data-cite]/@data-year")[0] for one in addresses]
    assert years == ["2021", "2020", "2021"]
    releases[1] = replace(releases[1], date=None)
    undated = site_of(replace(read, releases=tuple(releases)))
    for site in (undated, site_of(read)):
        assert html(site, "term/snapshot/").xpath("//*[@data-cite]/@data-year") == [""]


def test_a_citation_names_a_source_beside_the_site() -> None:
    """A citation has the title of the site, and that of the source if it is another one."""
    sources = source("manual", {"1": {"a": "One."}}), source("handbook", {"1": {"b": "Two."}})
    site = site_of(*sources, title="Manual")
    cited = {slug: html(site, f"term/{slug}/").xpath("//@data-source") for slug in "ab"}
    assert cited == {"a": [""], "b": ["Handbook"]}


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
        for row in html(site, "a-z/").xpath("//ul[@class='items']/li[a]")
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
        "compare/1/": [("Releases", "true")],
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


def test_a_deprecated_term_without_releases() -> None:
    """A deprecated term of an undated document is deprecated since no release."""
    site = site_of(undated("guide", {"tape": "Deprecated. Slow.", "disk": "Fast."}))
    assert text(site, "term/tape/", "term-status") == ["Deprecated"]


def test_the_heading_of_a_page_without_a_name_is_in_the_language_of_the_interface() -> None:
    """Only the names of the glossary are marked as being in its language."""
    site = glossary({"1": {"tape": "Tarda."}}, language="la")
    nameless = KeptPage(address="section/reels/")
    named = KeptPage(address="term/reel/", name="reel")
    site = replace(site, kept=(nameless, named))
    headings = [html(site, page.address).find(".//h1") for page in (nameless, named)]
    marked = [[element.tag for element in heading] for heading in headings]
    assert marked == [[], ["bdi"]]


def test_the_page_of_a_former_name_does_not_say_that_its_term_is_gone() -> None:
    """A kept page that leads to a term says no more without a reason; one that leads nowhere says
    that it is no longer part of the glossary."""
    site = glossary({"1": {"tape": "Slow."}})
    leading = KeptPage(address="term/reel/", name="reel", term=site.lives[0].key)
    gone = KeptPage(address="term/drum/", name="drum")
    site = replace(site, kept=(leading, gone))
    says_gone = ["no longer part" in markup(site, page.address) for page in (leading, gone)]
    assert says_gone == [False, True]
