"""The about page explains how to use the glossary from elsewhere, and its snippets work."""

from __future__ import annotations

import ast
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from glossaries import source
from sites import files_of, glossary, html, site_of, templates, text, with_settings, words

from sitegen.addresses import urls
from sitegen.config.tables import SourceTable
from sitegen.model import ProblemKind, Source
from sitegen.model.glossary_sources import ReleaseKind
from sitegen.model.problems import Trouble
from sitegen.model.terms import CHANGES, COMPARED
from sitegen.site.site import Site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser

RELEASES = {"1.0": {"ball": "Round."}, "R 2": {"ball": "A round thing."}}
BASE = "https://example.org/words/"
SNIPPETS = "//details[@id='elsewhere']//pre/code"


@pytest.mark.parametrize("base_url", ["", BASE])
def test_what_is_offered_is_there(base_url: str) -> None:
    """Every linked download exists and is described; a feed only if there is one."""
    site = glossary(RELEASES, base_url=base_url)
    files = {file.path for file in files_of(site, templates())}
    links = html(site, urls.ABOUT).xpath("//table[not(thead)]//a")
    assert {link.get("href").removeprefix("../") for link in links} <= files
    assert [words(link) for link in links] == [
        link.get("href").removeprefix("../") for link in links
    ]
    assert all(words(link.getparent().getnext()) for link in links)
    assert ("feed.xml" in {words(link) for link in links}) == bool(base_url)


def test_what_is_to_be_copied_leads_here() -> None:
    """The setting for Sphinx and the script element have absolute addresses of existing files."""
    site = glossary(RELEASES, base_url=BASE)
    files = {file.path for file in files_of(site, templates())}
    setting, script = (element.text_content() for element in html(site, urls.ABOUT).xpath(SNIPPETS))
    mapping = ast.literal_eval(setting.partition(" = ")[2])
    assert mapping == {"glossary-now": (BASE, None)}
    assert "objects.inv" in files
    assert script == f'<script src="{BASE}assets/embed.js" defer></script>'
    assert urls.EMBED in files


def test_a_site_that_does_not_know_where_it_stands_has_nothing_to_copy() -> None:
    """Without base_url there are no snippets."""
    assert html(glossary(RELEASES), urls.ABOUT).xpath(SNIPPETS) == []


def test_a_term_of_two_sources_counts_once() -> None:
    """The glossary as of a release counts a term of its sources once, and names them if there are
    several."""
    disk = source("disks", {"1": {"disk": "Flat."}})
    tape = source("tapes", {"2": {"disk": "Flat."}})
    both = site_of(disk, tape)
    assert text(both, "release/1/terms/", "lead") == ["Disks · 1 term · Terms in 1"]
    assert text(site_of(disk), "release/1/terms/", "lead") == ["1 term · Terms in 1"]


def test_many_problems_are_folded() -> None:
    """Files with problems, each with its lines, are last and on demand, below the number of problems:
    they are for editors."""
    trouble = Trouble(kind=ProblemKind.ENTRY, found="has no definition", wanted="write one")
    problems = [trouble.at(f"{number}.md", line=number) for number in range(1, 8)]
    problems.append(trouble.at("1.md", line=9))
    page = html(replace(glossary(RELEASES), problems=tuple(problems)), urls.ABOUT)
    folded = page.xpath("//main/details")[-1]
    lines = folded.xpath(".//li")
    assert words(folded.find("summary")) == "For the editors of the glossary"
    assert words(folded.find(".//h3")) == "Problems in the sources (8)"
    assert words(lines[0]) == "1.md 1: has no definition 9: has no definition"
    assert len(lines) == 7


def facts(site: Site) -> dict[str, str]:
    """Returns the first list of the page: what readers ask first."""
    lines = html(site, urls.ABOUT).xpath("//main/dl/div")
    return {words(line.find("dt")): words(line.find("dd")) for line in lines}


def test_what_readers_ask_first_comes_first() -> None:
    """Who wrote the texts, their license and where to report a problem are above all else, always in
    this order; an author or a license that is not given is said to be so, with the repository that
    may have it."""
    unknown = facts(glossary(RELEASES))
    assert unknown == {"Written by": "not stated", "License": "not stated"}
    repository = "https://github.com/example/words"
    known = glossary(RELEASES, repository=repository, note="Made by hand.")
    assert [*facts(known).items()] == [
        ("Written by", "Made by hand. the contributors to github.com/example/words"),
        ("License", "not stated here; see github.com/example/words"),
        ("Report a problem", "github.com/example/words/issues/new"),
    ]
    [link] = html(known, urls.ABOUT).xpath("//main/dl/div[3]//a/@href")
    assert link.startswith(f"{repository}/issues/new?")


@pytest.mark.parametrize(
    ("kind", "names", "sentence"),
    [
        (
            "dated",
            ("2024-05", "2024-07"),
            "Each release is the state of github.com/example/words at the end of a month in which terms "
            "changed.",
        ),
        (
            "dated",
            ("2023", "2024"),
            "Each release is the state of github.com/example/words at the end of a year in which terms "
            "changed.",
        ),
        ("tag", ("1.0", "1.1"), "The releases are those of github.com/example/words."),
        ("folder", ("1.0", "1.1"), ""),
    ],
)
def test_the_first_sentences_say_what_the_site_is(
    kind: ReleaseKind, names: Sequence[str], sentence: str
) -> None:
    """The home page and the page about the site say how many terms there are, and what a release is
    if it is one of the repository. A note of the site replaces what a release is on the home
    page."""
    written = source("manual", {name: {"ball": f"Round {name}."} for name in names})
    releases = tuple(replace(release, kind=kind) for release in written.releases)
    site = site_of(
        replace(written, releases=releases), repository="https://github.com/example/words"
    )
    [lead] = text(site, urls.ABOUT, "lead")
    assert lead.startswith("1 term and what it means, with all changes since ")
    assert sentence in words(html(site, urls.ABOUT).find_class("about")[0])
    home = words(html(site, urls.HOME).find_class("home")[0])
    assert sentence in home
    noted = with_settings(site, note="Made by hand.")
    assert facts(noted)["Written by"].startswith("Made by hand.")
    home = words(html(noted, urls.HOME).find_class("home")[0])
    assert "Made by hand." in home
    assert not sentence or sentence not in home


def test_a_source_without_releases_has_pages() -> None:
    """A source that could not be read has no releases, so the pages say nothing about them."""
    unread = Source(id="manual", title="Manual", releases=())
    site = site_of(unread, repository="https://github.com/example/words")
    assert text(site, urls.ABOUT, "lead")


@pytest.mark.parametrize(("owner", "is_said"), [("example", True), ("elsewhere", False)])
def test_releases_of_another_repository_are_not_called_those_of_the_site(
    owner: str, is_said: bool
) -> None:
    """A site may be in another repository than the glossary that it shows."""
    written = source("manual", {"1.0": {"ball": "Round."}, "1.1": {"ball": "Rounder."}})
    lines = f"https://github.com/{owner}/words/blob/v1/{{path}}#L{{line}}"
    releases = [replace(one, kind="tag", line_pattern=lines) for one in written.releases]
    read = replace(written, releases=tuple(releases))
    site = site_of(read, repository="https://github.com/example/words")
    sources = words(html(site, urls.ABOUT).find_class("about")[0])
    assert ("The releases are those of" in sources) == is_said
    assert ("contributors" in facts(site)["Written by"]) == is_said


@pytest.mark.parametrize(
    ("git", "is_said"), [(".", True), ("https://git.example.org/words", False)]
)
def test_a_clone_from_an_unknown_forge_is_of_another_repository(git: str, is_said: bool) -> None:
    """No line of it has an address, but it is not beside site.toml either."""
    written = source("manual", {"1.0": {"ball": "Round."}, "1.1": {"ball": "Rounder."}})
    releases = [replace(one, kind="tag") for one in written.releases]
    read = replace(written, releases=tuple(releases))
    site = site_of(read, repository="https://github.com/example/words")
    site = replace(site, tables={"manual": SourceTable(id="manual", git=git)})
    sources = words(html(site, urls.ABOUT).find_class("about")[0])
    assert ("The releases are those of" in sources) == is_said
    assert ("contributors" in facts(site)["Written by"]) == is_said


def test_each_source_has_its_releases() -> None:
    """A source says from which release to which it was read, and how many terms it has now; a
    document without releases has no range. Terms of several sources are counted, with the number of
    all terms, as on the first page."""
    guide = source("guide", {"": {"ball": "Round."}})
    page = html(site_of(source("manual", RELEASES), guide), urls.ABOUT)
    sources = page.find_class("about")[0]
    assert [words(line) for line in sources.xpath(".//p")] == [
        "Releases 1.0 to R 2 (1 term)",
        "File read GLOSSARY.md (1 term)",
        "One document without releases: it has no history.",
        "1 term is in more than one source, so there are 1 in all.",
    ]
    apart = site_of(source("manual", RELEASES), source("guide", {"": {"kite": "It flies."}}))
    assert "more than one source" not in words(html(apart, urls.ABOUT))


def test_each_kind_of_change_is_explained() -> None:
    """The page has each kind of change with a chip: first those that are counted, then the others."""
    counted, others = html(glossary(RELEASES), urls.ABOUT).xpath("//details[@id='kinds']//dl")
    assert words(counted[-1]) == "Added not defined in the release before"
    assert len(counted) == len(COMPARED)
    assert len(counted) + len(others) == len(CHANGES)


def test_releases_without_dates_have_no_column_for_dates() -> None:
    """The table of releases has a column of dates if one of them has a date."""
    undated = source("manual", {"1": {"disk": "A flat one."}, "2": {"disk": "A round one."}})
    first, last = undated.releases
    dated = replace(undated, releases=(first, replace(last, date=date(2025, 3, 4))))
    titles = [
        [words(title) for title in html(site_of(one), urls.ABOUT).xpath("//thead//th")]
        for one in (undated, dated)
    ]
    assert titles == [
        ["Release", "Terms", "Files read"],
        ["Release", "Date", "Terms", "Files read"],
    ]
    unknown = html(site_of(dated), urls.ABOUT).xpath("//tbody/tr/td/span[@class='muted']")
    assert [words(one) for one in unknown] == ["date unknown"]


def test_on_a_phone_a_kind_and_its_explanation_are_flush(browser: Browser, tmp_path: Path) -> None:
    """What a kind of change means is below its name, without an indent."""
    for file in files_of(glossary({"1": {"disk": "A flat one."}}), templates()):
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(file.content)
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto((tmp_path / "about/index.html").as_uri() + "#kinds")
    lefts = page.locator("#kinds :is(dt, dd)").evaluate_all(
        "(parts) => parts.map((part) => part.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == 1
    page.close()
