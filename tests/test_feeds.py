"""Atom feeds: which changes they contain, when, and under which permanent id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from glossaries import Glossary, source
from hostile_sites import HOSTILE, hostile
from lxml import etree
from sites import export_files, glossary, site_of
from sites import read_site as read_real

from sitegen.config.tables import Rename
from sitegen.site.exports import feeds
from sitegen.site.site import Site

BASE = "https://example.org/words/"

POINTER = "A pointer to a volume."
RELEASES: Glossary = {
    "1.0": {
        "state image": POINTER,
        "ball": "Round.",
        "tape": "<p>Not a <a href='term:ball'>ball</a>.</p>",
    },
    "1.1": {
        "snapshot": POINTER,
        "ball": "A round thing.",
        "tape": "<p>Not a <a href='term:ball'>ball</a>.</p>",
    },
    "1.2": None,
    "2.0": {"snapshot; capture": POINTER, "ball": "Round."},
}
DAYS = {"1.0": date(2020, 1, 1), "1.1": date(2021, 2, 3), "2.0": date(2022, 12, 31)}


def dated(
    releases: Glossary, days: Mapping[str, date], *, unreleased: str = "", **facts: Any
) -> Site:
    read = source("example", releases)
    known = tuple(
        replace(one, date=days.get(one.name), unreleased=one.name == unreleased)
        for one in read.releases
    )
    return site_of(replace(read, releases=known), base_url=BASE, **facts)


@pytest.fixture(scope="module")
def site() -> Site:
    return dated(RELEASES, DAYS)


def files(site: Site) -> Mapping[str, bytes]:
    return {file.path: file.content for file in export_files(site)}


def read(content: bytes) -> Any:
    """Returns a feed as a feed reader parses it, which must find nothing wrong."""
    feedparser = pytest.importorskip("feedparser", reason="feedparser is not installed")
    feed = feedparser.parse(content)
    assert feed.bozo == 0, feed.get("bozo_exception")
    assert feed.version == "atom10"
    return feed


def reported(content: bytes) -> list[tuple[str, str]]:
    return [(entry.title, entry.updated[:10]) for entry in read(content).entries]


def test_the_sites_feed_tells_releases(site: Site) -> None:
    """Each release with a change is an entry, newest first; an unreadable release is none."""
    feed = read(files(site)["feed.xml"])
    assert (feed.feed.title, feed.feed.id, feed.feed.updated) == (
        "Example glossary",
        f"{BASE}feed.xml",
        "2022-12-31T00:00:00Z",
    )
    assert [(entry.title, entry.id, entry.link) for entry in feed.entries] == [
        (f"Terms changed in {name}", f"{BASE}release/{name}/", f"{BASE}release/{name}/")
        for name in ("2.0", "1.1", "1.0")
    ]
    assert feed.entries[2].content[0].value == "<p>3 in their oldest known wording</p>"
    assert (
        f'1 reworded: <a href="{BASE}term/ball/#r1.1">ball</a>' in feed.entries[1].content[0].value
    )


def test_the_feed_of_a_term_tells_its_life(site: Site) -> None:
    """The changes of a term are listed newest first, with its words and those that a change added
    or removed."""
    content = files(site)["term/ball/feed.xml"]
    assert reported(content) == [
        ("ball: Reworded in 2.0", "2022-12-31"),
        ("ball: Reworded in 1.1", "2021-02-03"),
        ("ball: Oldest known wording in 1.0", "2020-01-01"),
    ]
    assert [
        re.sub(r"<p><a href.*|</?span>", "", entry.content[0].value)
        for entry in read(content).entries
    ] == [
        "<p>Round.</p>",
        "<p>A round thing.</p>",
        "<p>Round.</p>",
    ]


def test_a_feed_is_readable_in_a_browser(site: Site) -> None:
    """A feed names its style sheet and what it is for, and its entries are XHTML with links to
    their terms."""
    content = files(site)["term/ball/feed.xml"]
    assert b'<?xml-stylesheet type="text/css" href="../../assets/feed.css"?>' in content
    feed = etree.fromstring(content)
    assert (
        feed.findtext("{*}subtitle")
        == "This is a feed. Subscribe by pasting its address into a feed reader."
    )
    assert feed.xpath("//*[local-name() = 'a']/@href") == [
        f"{BASE}term/ball/#r{name}" for name in ("2.0", "1.1", "1.0")
    ]


def test_a_removed_terms_last_words_are_told(site: Site) -> None:
    """The entry of a removal shows the last definition, with absolute links."""
    entry = read(files(site)["term/tape/feed.xml"]).entries[0]
    assert entry.title == "tape: Removed in 2.0"
    assert f'<a class="term" href="{BASE}term/ball/">ball</a>' in entry.content[0].value.replace(
        "'", '"'
    )


def test_a_rename_keeps_ids_and_addresses(site: Site) -> None:
    """A renamed term's feed is at both addresses, and its earlier entries keep their ids."""
    made = files(site)
    assert made["term/state-image/feed.xml"] == made["term/snapshot/feed.xml"]
    entries = read(made["term/snapshot/feed.xml"]).entries
    assert [entry.id for entry in entries] == [
        f"{BASE}term/snapshot/#r2.0",
        f"{BASE}term/snapshot/#r1.1",
        f"{BASE}term/state-image/#r1.0",
    ]
    assert {entry.link for entry in entries} == {f"{BASE}term/snapshot/#r{name}" for name in DAYS}
    assert "Formerly “state image”." in entries[1].content[0].value
    before = dated({"1.0": RELEASES["1.0"]}, DAYS)
    assert [entry.id for entry in read(files(before)["term/state-image/feed.xml"]).entries] == [
        entries[2].id
    ]


def test_an_entry_keeps_its_id_if_the_name_had_another_case() -> None:
    """An entry has the id with the slug of its name in that release, however this was written."""
    names = {"1.0": "Image", "1.1": "image", "2.0": "snapshot"}
    renames = (Rename(source="example", old="image", new="snapshot"),)
    renamed = {name: {term: f"A pointer, {name}."} for name, term in names.items()}
    made = files(dated(renamed, DAYS, renames=renames))
    assert [entry.id for entry in read(made["term/snapshot/feed.xml"]).entries] == [
        f"{BASE}term/snapshot/#r2.0",
        f"{BASE}term/image/#r1.1",
        f"{BASE}term/image/#r1.0",
    ]


def test_an_event_has_one_id_in_every_feed(site: Site) -> None:
    """A change has the same entry in the feeds of all names of its term, and no id is used twice."""
    made = files(site)
    contents: dict[str, set[bytes]] = {}
    for path, content in made.items():
        if path.endswith("feed.xml"):
            for entry in etree.fromstring(content).iter("{*}entry"):
                contents.setdefault(entry.findtext("{*}id"), set()).add(
                    etree.tostring(entry).strip()
                )
    assert len(contents) > 8
    assert {id: len(same) for id, same in contents.items() if len(same) > 1} == {}


def test_a_release_without_a_day_counts_as_the_one_before() -> None:
    """An undated release has the date of the one before; releases before the first date are in no
    feed."""
    releases = {name: {"ball": f"Round {name}."} for name in "1234"}
    site = dated(releases, {"2": date(2020, 5, 6), "4": date(2020, 7, 8)})
    days = [entry.updated[:10] for entry in read(files(site)["term/ball/feed.xml"]).entries]
    assert days == ["2020-07-08", "2020-05-06", "2020-05-06"]
    assert [title for title, _ in reported(files(dated(releases, {}))["feed.xml"])] == [
        f"Terms changed in {name}" for name in "4321"
    ]
    assert {day for _, day in reported(files(dated(releases, {}))["feed.xml"])} == {"1970-01-01"}


def test_what_is_in_no_release_is_not_told() -> None:
    """A branch's changes are in no feed until a release has them."""
    releases = {"1.0": {"ball": "Round."}, "main": {"ball": "A round thing.", "new": "Not yet."}}
    made = files(dated(releases, DAYS, unreleased="main"))
    assert reported(made["term/ball/feed.xml"]) == [
        ("ball: Oldest known wording in 1.0", "2020-01-01")
    ]
    assert reported(made["term/new/feed.xml"]) == []
    assert reported(made["feed.xml"]) == [("Terms changed in 1.0", "2020-01-01")]


def test_formatting_is_no_news() -> None:
    """A change of formatting alone is in no feed."""
    made = files(dated({"1": {"ball": "Round."}, "2": {"ball": "<p><em>Round</em></p>"}}, {}))
    assert [title for title, _ in reported(made["term/ball/feed.xml"])] == [
        "ball: Oldest known wording in 1"
    ]
    assert [title for title, _ in reported(made["feed.xml"])] == ["Terms changed in 1"]


def test_a_move_is_news_of_its_term_alone() -> None:
    """A term that goes to another section says so in its own feed, and in no feed of many terms."""
    top = {"Toys/ top": "It spins."}
    made = files(
        dated({"1": top | {"Toys/ ball": "Round."}, "2": top | {"Sports/ ball": "Round."}}, {})
    )
    assert [title for title, _ in reported(made["term/ball/feed.xml"])] == [
        "ball: Moved in 2",
        "ball: Oldest known wording in 1",
    ]
    assert "Moved" not in made["feed.xml"].decode()
    assert [title for title, _ in reported(made["feed.xml"])] == ["Terms changed in 1"]


def test_only_the_latest_releases_are_in_the_sites_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The site's feed has a limited number of releases, and of names for each kind of change."""
    monkeypatch.setattr(feeds, "MAX_RELEASES", 2)
    monkeypatch.setattr(feeds, "MAX_TERMS", 3)
    releases = {
        str(number): {f"word {one}": f"Said {number}." for one in range(5)}
        for number in range(1, 6)
    }
    entries = read(files(dated(releases, {}))["feed.xml"]).entries
    assert [entry.title for entry in entries] == ["Terms changed in 5", "Terms changed in 4"]
    assert re.sub("<.*?>", "", entries[0].content[0].value) == "5 reworded: word 0, word 1, word 2"


def test_without_a_base_address_there_are_no_feeds() -> None:
    """Ids of feeds must be absolute, so a site without base_url has none."""
    assert [path for path in files(glossary(RELEASES)) if path.endswith("feed.xml")] == []


def test_feeds_of_real_glossaries_are_read(shared: Any) -> None:
    """A feed reader finds nothing wrong with any feed of the seeds."""
    made = files(read_real(shared / "seeds"))
    contents = [content for path, content in made.items() if path.endswith("feed.xml")]
    assert len(contents) > 40
    assert all(read(content).feed.title for content in contents)


def test_feeds_of_a_hostile_glossary_are_read() -> None:
    """With hostile names, words and titles, each feed is well-formed and shows them as text."""
    made = {
        path: content for path, content in files(hostile()).items() if path.endswith("feed.xml")
    }
    assert len(made) > len(HOSTILE)
    for content in made.values():
        tree = etree.fromstring(content)
        assert {
            element.tag.rpartition("}")[2]
            for element in tree.iter("{http://www.w3.org/2005/Atom}*")
        } <= {*"feed id title subtitle link updated author name entry content".split()}
        shown = [*tree.iter("{http://www.w3.org/1999/xhtml}*")]
        assert {element.tag.rpartition("}")[2] for element in shown}.isdisjoint(
            {"script", "style", "iframe", "object"}
        )
        assert not [
            name
            for element in shown
            for name in element.attrib
            if name.startswith("on") or name == "style"
        ]
        assert all("<script" not in entry.content[0].value for entry in read(content).entries)
