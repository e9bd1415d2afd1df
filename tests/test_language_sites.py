"""Sites in several languages: links between languages, states on pages, and data."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import lxml.html
import pytest
import rdflib
import views
from built_languages import SITE, built
from markupsafe import escape
from pages_server import published
from sites import glossary
from translated import (
    CACHE,
    CACHE_2,
    CACHE_FR,
    CACHE_FR_2,
    DAYS,
    EN,
    FR,
    NODE,
    NODE_FR,
    SETTINGS,
    both,
    commit,
    repository,
    term,
)

from sitegen.commands.main import sitegen
from sitegen.integrations import loading
from sitegen.integrations.term_links import linked
from sitegen.model import ProblemKind
from sitegen.model.term_translations import STATES, SiteLanguage, State, Translation
from sitegen.pipeline.site_build import assembled, read_inputs
from sitegen.site.pages.page import Writer
from sitegen.site.pages.translated_terms import translation_of, translation_pages
from sitegen.site.search.searched_terms import searchables
from sitegen.sources.git.repositories import Clones

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_a_name_in_another_language_has_a_link(tmp_path: Path) -> None:
    """The name of a translation links to its page, and the quotation is that of the original."""
    folder = tmp_path / "project"
    both(folder)
    glossary = loading.parse(built(folder)["glossary.json"].encode(), "glossary.json")
    found = linked(glossary, "nœud")
    assert found.address == "https://example.org/words/fr/term/node/"
    assert found.quotation == linked(glossary, "Node").quotation


def test_the_search_of_a_language_knows_the_names_of_the_originals(tmp_path: Path) -> None:
    """A translation is found by all names of its original, as by other names of its own, and has
    none of them twice."""
    folder = tmp_path / "project"
    made = repository(folder)
    cache = term("Cache", CACHE, aliases="[Buffer, tampon]")
    french = term("Le cache", CACHE_FR, aliases="[Tampon, CACHE]")
    node, node_french = term("Node", NODE), term("Node", NODE_FR)
    made.commit({f"{EN}/cache.md": cache, f"{EN}/node.md": node}, day=DAYS[0])
    made.commit({f"{FR}/cache.md": french, f"{FR}/node.md": node_french}, day=DAYS[1])
    clones = Clones(folder=tmp_path / "cache")
    originals = assembled(read_inputs(folder, folder / "site", clones=clones))
    (site,) = originals.language_sites
    found = {one.name: one.other_names for one in searchables(site)}
    assert found == {"Le cache": ("Tampon", "CACHE", "Buffer"), "Node": ()}
    own = {one.name: one.other_names for one in searchables(originals)}
    assert own == {"Cache": ("Buffer", "tampon"), "Node": ()}


def test_the_search_of_a_language_finds_what_is_not_translated(tmp_path: Path) -> None:
    """The terms that a translation lacks are found last; their pages show the originals."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/peer.md": term("Peer", "Another node.", aliases="[Mate]")}, DAYS[2])
    originals = assembled(
        read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    )
    (site,) = originals.language_sites
    *_, last = searchables(site)
    assert (last.slug, last.name, last.other_names) == ("peer", "Peer", ("Mate",))
    assert (last.sentence, last.hint) == ("Another node.", "Non traduit")
    assert f"term/{last.slug}/" in {page.address for page in translation_pages(site)}


def test_a_translation_refers_to_terms_that_are_not_translated(tmp_path: Path) -> None:
    """A reference to a name that only the originals have leads to the page of that term in the
    language, and to the page of the original where the language has none. Neither is a problem; a
    name that nothing has is one."""
    folder = tmp_path / "project"
    made = repository(folder)
    words = {name: term(name, f"A {name}.") for name in ("Node", "Peer", "Ring", "Cache")}
    originals = {f"{EN}/{name.lower()}.md": text for name, text in words.items()}
    made.commit(originals, day=DAYS[0])
    made.commit({f"{EN}/ring.md": None}, day=DAYS[1])
    text = "Un [pair](term:Peer), un [nœud](term:node), un [anneau](term:ring), un [rien](term:nothing)."
    french = {f"{FR}/cache.md": term("Cache", text), f"{FR}/node.md": term("Nœud", NODE_FR)}
    made.commit(french, day=DAYS[2])
    page = built(folder)["fr/term/cache/index.html"]
    links = re.findall(r'<a class="term" href="([^"]*)"', page)
    assert links == [
        "../../term/peer/index.html",
        "../../term/node/index.html",
        "../../../term/ring/index.html",
    ]
    clones = Clones(folder=tmp_path / "cache")
    site = assembled(read_inputs(folder, folder / "site", clones=clones))
    found = [problem.found for problem in site.problems if problem.kind == ProblemKind.REFERENCE]
    assert found == ["refers to “nothing”, which no source defines"]


def test_translations_lead_to_their_files_on_a_forge(tmp_path: Path) -> None:
    """The present text of a translation that is behind, which is in no dated state, has the address
    that edits it; one that is up to date has only its page."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    site = built(folder, '[site]\nrepository = "https://github.com/o/words"\n' + SETTINGS)
    page = site["fr/translations/index.html"]
    assert "https://github.com/o/words/edit/HEAD/docs/fr/cache.md" in page
    assert "https://github.com/o/words/edit/HEAD/docs/fr/node.md" not in page


def test_the_page_of_a_term_that_is_not_translated_leads_to_what_is_to_be_translated(
    tmp_path: Path,
) -> None:
    """The words of the original are below the name of their language, as readers of the page call
    it, and the page leads to the file of the original."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/peer.md": term("Peer", "Another node.")}, DAYS[2])
    site = built(folder, '[site]\nrepository = "https://github.com/o/words"\n' + SETTINGS)
    page = site["fr/term/peer/index.html"]
    assert '<p class="term-label">Texte en anglais\xa0:</p>' in page
    assert '<a href="https://github.com/o/words/edit/HEAD/docs/en/peer.md">' in page


def test_a_term_has_the_same_address_in_every_language(tmp_path: Path) -> None:
    """Each page leads to itself in the other languages, and a translation that is up to date says
    so; also the page of a term that is not translated, which shows the original with its headings,
    and which the choice of a language marks."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/peer.md": term("Peer", "Another node.\n\n## Why\n\nLoad.")}, DAYS[2])
    site = built(folder)
    french, english = site["fr/term/node/index.html"], site["term/node/index.html"]
    assert '<html lang="fr"' in french and "<dfn>Nœud</dfn>" in french
    assert '<a href="../../../term/node/index.html" lang="en">en</a>' in french
    assert '<a href="../../fr/term/node/index.html" lang="fr">fr</a>' in english
    assert '<p class="term-status state chip-added"><svg' in french
    assert (
        "Traduit le <time" in french
        and "Les phrases de l’original n’ont pas changé depuis" in french
    )
    assert 'hreflang="en">Node</a></dd>' in french
    for path in ("assets/languages.css", "fr/assets/languages.css"):
        assert '.languages [lang="fr"]::before { content: "français" }' in site[path]
        assert (
            f'.missing::after {{ content: "{"Non traduit" if path[0] == "f" else "Not translated"}" }}'
            in site[path]
        )
    for sitemap in (site["sitemap.xml"], site["fr/sitemap.xml"]):
        assert 'hreflang="fr" href="https://example.org/words/fr/term/node/"/>' in sitemap
    assert '<a href="../fr/a-z/index.html"' in site["a-z/index.html"]
    assert '<span class="visually-hidden">Missing</span></td>' in site["translations/index.html"]
    missing = site["fr/term/peer/index.html"]
    link = '<a href="../../fr/term/peer/index.html" lang="fr" class="missing">fr</a>'
    assert link in site["term/peer/index.html"] and 'lang="en">en</a>' in missing
    assert "words/fr/term/peer/" not in site["sitemap.xml"], "its page is not for search engines"
    assert (
        "<p>Another node.</p><h2>Why</h2>" in missing
        and 'content="noindex"' in missing
        and '<p class="notice">Ce terme n’est pas encore traduit' in missing
        and "<dt>L’original</dt>" in missing
    )


def test_a_deprecated_translation_says_below_its_bar_that_it_is_up_to_date(tmp_path: Path) -> None:
    """A translation can be up to date with an original that is deprecated."""
    folder = tmp_path / "project"
    both(folder)
    deprecated = {
        f"{EN}/node.md": term("Node", NODE, status="Deprecated"),
        f"{FR}/node.md": term("Nœud", NODE_FR, status="Deprecated"),
    }
    commit(folder, deprecated, DAYS[2])
    page = lxml.html.fromstring(built(folder)["fr/term/node/index.html"])
    status, _, progress = page.find_class("term-status")
    assert status.get("class") == "term-status state chip-deprecated"
    sentence = progress.text_content().replace("\u00a0", " ")
    assert sentence == (
        "Traduit le 2 janv. 2021 · Les phrases de l’original n’ont pas changé depuis le 1 janv. 2021"
    )


@pytest.mark.parametrize("state", STATES)
def test_a_state_without_a_day_is_a_sentence_too(state: State) -> None:
    """No day is known if no commit gave the original its words. A table in site.toml may still tell
    the state."""
    english, french = SiteLanguage("en", "English", ""), SiteLanguage("fr", "français", "fr/")
    site = glossary({"1": {"cache": CACHE}})
    translation = Translation(language="fr", state=state, original=site.lives[0].entry)
    site = replace(site, languages=(english, french), own_translations={"cache": translation})
    writer = Writer(site, "term/cache/")
    notes = translation_of("cache", writer)
    assert notes and notes.sentence == writer.say(f"state.{state}.meaning")


def test_a_language_has_a_page_of_what_is_behind(tmp_path: Path) -> None:
    """It has the terms by state, those that are behind first, with the day and the number of words,
    others by name, and the overview leads to each state."""
    folder = tmp_path / "project"
    both(folder)
    missing = {f"{EN}/a.md": term("Peer", "Another node."), f"{EN}/b.md": term("Mate", "A peer.")}
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2), **missing}, DAYS[2])
    site = built(folder)
    page = " ".join(site["fr/translations/index.html"].split())
    assert page.index('<h2 id="behind">') < page.index('<h2 id="up-to-date">')
    line = page[page.index('<h2 id="behind">') :].partition("<li>")[2].partition("</li>")[0]
    assert line.startswith('<a href="../term/cache/index.html">Le cache</a>')
    assert '<span class="muted number">depuis le <time datetime="2021-01-03">' in line
    assert "9 mots ajoutés, 8 supprimés" in line
    assert page.index("Mate") < page.index("Peer")
    assert 'href="../fr/translations/index.html#behind"' in site["translations/index.html"]
    for home in ("index.html", "fr/index.html"):
        assert '<a href="./translations/index.html">' in site[home]


def test_the_first_page_of_a_language_says_how_much_is_translated(tmp_path: Path) -> None:
    """Below its introduction it says how many terms are translated, and in which state its terms
    are, with a link; the first page of the originals does not."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    commit(folder, {f"{EN}/peer.md": term("Peer", "Another node.")}, DAYS[2])
    site = built(folder)
    lead = lxml.html.fromstring(site["fr/index.html"]).find_class("lead")[0]
    progress = lead.getnext()
    assert lead.text_content().startswith("2 termes et ce qu’ils signifient")
    counted = "2 termes sur 3 traduits Postérieure à l’original 1 En retard 1 Manquant 1"
    assert progress.text_content() == counted
    states = ("", "#up-to-date", "#behind", "#missing")
    page = "./translations/index.html"
    assert [link.get("href") for link in progress.iter("a")] == [page + one for one in states]
    assert "termes sur" not in site["index.html"]


def test_a_translation_says_when_its_original_was_reworded_last(tmp_path: Path) -> None:
    """It says so in a line with a mark; its own history is in the line below. The two wordings that
    are shown have the first and the last day."""
    folder = tmp_path / "project"
    both(folder)
    for words in (f"{NODE} Or more.", f"{NODE} A small one."):
        commit(folder, {f"{EN}/node.md": term("Node", words)}, DAYS[1])
    for day, words in enumerate((f"{CACHE_2} Or more.", CACHE_2, "Fast storage nearby."), start=2):
        commit(folder, {f"{EN}/cache.md": term("Cache", words)}, DAYS[day])
    page = lxml.html.fromstring(built(folder)["fr/term/node/index.html"])
    status, own_history = page.find_class("term-status")
    assert "reformulé le 2 janv. 2021, après cette traduction" in status.text_content()
    page = lxml.html.fromstring(built(folder)["fr/term/cache/index.html"])
    status, own_history = page.find_class("term-status")
    assert status.get("class") == "term-status state chip-deprecated"
    sentence = status.text_content().replace("\u00a0", " ").strip()
    assert sentence.startswith(
        "Traduit le 2 janv. 2021 · "
        "L’original a été reformulé le 5 janv. 2021, après cette traduction · "
    )
    assert own_history.text_content().startswith("Dans le glossaire depuis")
    labels = [label.text_content() for label in page.find_class("label")]
    assert labels == ["Avant le 3 janv. 2021", "Depuis le 5 janv. 2021"]


def test_the_last_day_of_a_language_is_not_the_latest_release(tmp_path: Path) -> None:
    """The original may have changed since, so only the release of the originals says so."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, DAYS[2])
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[3])
    site = built(folder)
    assert "the latest release" in site["release/2021-01-04/index.html"]
    assert "dernière version" not in site["fr/release/2021-01-03/index.html"]


def test_the_overview_begins_with_the_language_that_has_most_terms_up_to_date(
    tmp_path: Path,
) -> None:
    """Languages are in the order of their shares, in both tables."""
    folder = tmp_path / "project"
    both(folder)
    german = '[[translation]]\nof = "words"\nlanguage = "de"\npaths = ["docs/de"]\n\n'
    settings = SETTINGS.replace("[[translation]]", f"{german}[[translation]]")
    commit(folder, {"docs/de/node.md": term("Knoten", NODE)}, DAYS[2])
    page = built(folder, SITE + settings)["translations/index.html"]
    assert re.findall('hreflang="(..)"', page) == ["fr", "de"] * 2


def test_a_section_says_how_many_of_its_terms_are_behind(tmp_path: Path) -> None:
    """It leads to the list of all that are behind; a section without such a term does not."""
    made = repository(tmp_path / "project")
    files = {}
    for place in (EN, FR):
        files[f"{place}/cache.md"] = term("Cache", CACHE, category="Memory")
        files[f"{place}/node.md"] = term("Node", NODE, category="Machines")
    made.commit(files, day=DAYS[0])
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2, category="Memory")}, day=DAYS[1])
    site = built(tmp_path / "project")
    assert '#behind">En retard 1</a>' in site["fr/section/memory/index.html"]
    assert "#behind" not in site["fr/section/machines/index.html"]


def test_a_section_of_the_originals_is_one_section_of_a_language(tmp_path: Path) -> None:
    """Its terms are under the name that most translators gave it, also one whose translator left
    the name as it was."""
    folder = tmp_path / "project"
    names = {"cache": "Notion", "node": "Concept", "peer": "Notion", "disk": "Appareil"}
    originals = {**dict.fromkeys(names, "Concept"), "disk": "Device"}
    made = repository(folder)
    for place, section_of in ((EN, originals), (FR, names)):
        files = {}
        for name, section in section_of.items():
            words = f"Le {name}." if place == FR else f"A {name}."
            files[f"{place}/{name}.md"] = term(name, words, category=section)
        made.commit(files, day=DAYS[0])
    site = built(folder)
    page = lxml.html.fromstring(site["fr/term/node/index.html"])
    assert page.find_class("term-section")[0].text_content().strip() == "Notion"
    rows = lxml.html.fromstring(site["fr/section/notion/index.html"]).xpath("//main//li/a")
    assert [row.text_content() for row in rows] == ["cache", "node", "peer"]
    assert "fr/section/concept/index.html" not in site
    assert "section/concept/index.html" in site


@pytest.mark.parametrize("base_url", ["", "https://example.org/words/"])
def test_a_lost_address_is_answered_in_its_language(
    tmp_path: Path, page: Page, base_url: str
) -> None:
    """A host has one 404 page. Below the folder of a language, it is replaced by the page of that
    language, which leads to that language's pages."""
    folder = tmp_path / "project"
    both(folder)
    settings = f'[site]\nbase_url = "{base_url}"\n' if base_url else ""
    (folder / "site.toml").write_text(settings + SETTINGS, encoding="utf-8")
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    views.write(assembled(inputs), tmp_path / "pages")
    with published(tmp_path / "pages", "/words/" if base_url else "/") as address:
        page.goto(f"{address}fr/term/le-cach/")
        page.get_by_role("link", name="Le cache").click()
        assert page.url.removesuffix("index.html") == f"{address}fr/term/cache/"
        page.goto(f"{address}fr/term/le-cach/")
        page.get_by_role("heading", name="Page introuvable").wait_for()
        page.get_by_role("link", name="Versions").click()
        assert page.url.removesuffix("index.html") == f"{address}fr/release/"
        page.goto(f"{address}term/nod/")
        page.get_by_role("link", name="Node", exact=True).click()
        assert page.url.removesuffix("index.html") == f"{address}term/node/"


def test_the_header_of_a_language_is_one_row(tmp_path: Path, page: Page) -> None:
    """On a wide screen the menu of languages is beside the search, and on a tablet the last menu of
    a term makes the page no wider."""
    folder = tmp_path / "project"
    both(folder)
    settings = f'{SITE}title = "Glossary of native clouds"\n{SETTINGS}'
    (folder / "site.toml").write_text(settings, encoding="utf-8")
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    views.write(assembled(inputs), tmp_path / "pages")
    page.goto((tmp_path / "pages" / "fr" / "a-z" / "index.html").as_uri())
    page.set_viewport_size({"width": 1280, "height": 740})
    header = page.locator(".site-header").bounding_box()
    assert header
    assert header["height"] < 60
    page.goto((tmp_path / "pages" / "fr" / "term" / "node" / "index.html").as_uri())
    for width in range(480, 1024, 20):
        page.set_viewport_size({"width": width, "height": 740})
        page.locator(".actions .menu").last.evaluate("menu => { menu.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_languages_of_the_overview_have_their_tags_on_a_phone(
    tmp_path: Path, page: Page
) -> None:
    """Above the marks of all terms are upright tags on a phone, and turned names on a wide screen.
    A screen reader has the name on both. The tables fit."""
    folder = tmp_path / "project"
    both(folder)
    (folder / "site.toml").write_text(SITE + SETTINGS, encoding="utf-8")
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    views.write(assembled(inputs), tmp_path / "pages")
    page.goto((tmp_path / "pages" / "translations" / "index.html").as_uri())
    french = page.locator(".matrix-frame").last.locator("thead a")
    for width, tag in ((360, '"fr" / ""'), (1280, "none")):
        page.set_viewport_size({"width": width, "height": 740})
        assert french.evaluate("link => getComputedStyle(link, '::before').content") == tag
        box = french.bounding_box()
        assert box
        assert (box["height"] < 40) == (width == 360)
        page.get_by_role("link", name="français").last.wait_for()
        # The hidden names and the states make no table scroll on its own.
        assert page.locator(".matrix-frame.fits").count() == 2


@pytest.mark.parametrize("scripts", [True, False])
def test_the_choice_of_a_language_needs_neither_mouse_nor_script(
    tmp_path: Path, browser: Browser, scripts: bool
) -> None:
    """It opens within a phone's width and is followed by keyboard, each language has its own name,
    and the sentence about words is there, with the difference as wide as the page's text."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE.replace("again", "at once"))}, DAYS[2])
    (folder / "site.toml").write_text(SITE + SETTINGS, encoding="utf-8")
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    views.write(assembled(inputs), tmp_path / "pages")
    context = browser.new_context(
        java_script_enabled=scripts, viewport={"width": 320, "height": 740}
    )
    page = context.new_page()
    page.goto((tmp_path / "pages/term/cache/index.html").as_uri())
    page.locator(".languages summary").focus()
    french = page.locator(".languages a[lang=fr]")
    assert not french.is_visible()
    page.keyboard.press("Enter")
    french.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    name = "français fr"
    page.get_by_role("link", name=name, exact=True).wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/fr/term/cache/index.html")
    page.locator(".names").get_by_role("link", name="Cache", exact=True).wait_for()
    page.locator(".translation summary").focus()
    page.keyboard.press("Enter")
    page.locator(".translation ins").first.wait_for()
    page.set_viewport_size({"width": 1280, "height": 740})
    boxes = [
        page.locator(one).bounding_box() for one in (".translation", ".translation .difference")
    ]
    assert boxes[0] and boxes[1] and boxes[0]["width"] == boxes[1]["width"]
    context.close()


def test_the_page_of_an_original_grows_little_with_16_languages(tmp_path: Path) -> None:
    """Each reader loads the names of languages once."""
    folder = tmp_path / "project"
    tags = "ar bn de es fr hi it ja ko ms pl pt-BR ru tr zh-CN".split()
    made = repository(folder)
    made.commit(
        {
            f"{EN}/{name}.md": term(name, f"The word {name} says {CACHE}")
            for name in ("cache", "node")
        }
    )
    made.commit(
        {f"docs/{tag}/cache.md": term("x", f"{tag} {CACHE_FR}") for tag in tags}, day=DAYS[1]
    )
    one, translation = SETTINGS.split("[[translation]]")
    tables = [f"[[translation]]{translation}".replace("fr", tag) for tag in tags]
    sizes = [
        len(gzip.compress(built(folder, SITE + one + more)["term/node/index.html"].encode()))
        for more in ("", "".join(tables))
    ]
    assert 0 < sizes[1] - sizes[0] <= 300


def test_a_page_says_how_far_a_translation_is_behind(tmp_path: Path) -> None:
    """The sentence under the title names the day of the original's change, and leads to the words
    that changed in the original, which are in their own language; without any script."""
    folder = tmp_path / "project"
    both(folder)
    assert "Cette traduction" not in built(folder)["fr/term/cache/index.html"]
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE.replace("again", "at once"))}, DAYS[2])
    site = built(folder)
    page = site["fr/term/cache/index.html"]
    assert "L’original a été reformulé le " in page
    assert '<a href="#original">voir ce qui a changé</a>' in page and 'id="original"' in page
    difference = page.partition('id="original" lang="en" dir="auto">')[2].partition("</details>")[0]
    assert "<ins>" in difference and "at once" in difference
    behind = '<a href="../translations/index.html#behind">En retard 1</a>'
    assert behind in site["fr/a-z/index.html"] and "#behind" not in site["a-z/index.html"]
    cell = '<td><a href="../fr/term/cache/index.html" title="Behind">'
    assert cell in site["translations/index.html"]
    meaning = "<dd>The original was reworded after it.</dd>"
    assert meaning in site["translations/index.html"]


def test_data_agrees_with_the_pages(tmp_path: Path) -> None:
    """Every form has the names, words and states that the pages of each pair show."""
    folder = tmp_path / "project"
    both(folder)
    id = commit(
        folder,
        {f"{EN}/cache.md": term("Cache", CACHE_2), f"{EN}/peer.md": term("Peer", "A node.")},
        DAYS[2],
    )
    site = built(folder)
    data = json.loads(site["glossary.json"])
    jsonschema.validate(data, json.loads(site["glossary.schema.json"]))
    pairs = {one["slug"]: one["translations"][0] for one in data["terms"]}
    sheet = [*csv.DictReader(io.StringIO(site["glossary.csv"].removeprefix("\ufeff")))]
    rows = {row["slug"]: row for row in sheet if row["language"] == "fr"}
    graph = rdflib.Graph().parse(data=site["glossary.ttl"], format="turtle")
    states = {"cache": "behind", "node": "up-to-date", "peer": "missing"}
    assert {slug: one["state"] for slug, one in pairs.items()} == states
    assert (pairs["cache"]["since"], pairs["cache"]["revision"], pairs["node"]["since"]) == (
        id,
        id,
        None,
    )
    assert (pairs["peer"]["since"], pairs["peer"]["revision"]) == (id, id), (
        "a missing one has a revision to translate"
    )
    for slug, name, words in (("cache", "Le cache", CACHE_FR), ("node", "Nœud", NODE_FR)):
        page = site[pairs[slug]["url"] + "index.html"]
        assert f"<dfn>{name}</dfn>" in page and escape(words) in page
        assert (pairs[slug]["name"], rows[slug]["name"], rows[slug]["definition"]) == (
            name,
            name,
            words,
        )
        assert rows[slug]["status"] == states[slug]
        concept = rdflib.URIRef(f"https://example.org/words/term/{slug}/")
        assert rdflib.Literal(name, lang="fr") in [*graph.objects(concept, rdflib.SKOS.prefLabel)]
        assert rdflib.Literal(words, lang="fr") in [*graph.objects(concept, rdflib.SKOS.definition)]
    assert "peer" not in rows and '"inLanguage":"fr"' in site["fr/term/cache/index.html"].replace(
        ": ", ":"
    )
    assert "fr/objects.inv" in site


def test_data_has_the_titles_of_notes_in_every_language(tmp_path: Path) -> None:
    """The definition of a translated term says in data what its notes are, as that of its original
    does."""
    folder = tmp_path / "project"
    both(folder)
    note = "A store.\n\n> [!WARNING]\n> 42"
    commit(folder, {f"{EN}/cache.md": term("Cache", note)}, DAYS[2])
    commit(folder, {f"{FR}/cache.md": term("Le cache", note)}, DAYS[2])
    site = built(folder)
    sheet = [*csv.DictReader(io.StringIO(site["glossary.csv"].removeprefix("\ufeff")))]
    english, french = [row["definition"] for row in sheet if row["slug"] == "cache"]
    assert "Warning" in english
    assert french == english
    graph = rdflib.Graph().parse(data=site["glossary.ttl"], format="turtle")
    concept = rdflib.URIRef("https://example.org/words/term/cache/")
    literals = [*graph.objects(concept, rdflib.SKOS.definition)]
    assert all("Warning" in str(one) for one in literals)


def test_an_orphan_has_the_address_of_its_own_page(tmp_path: Path) -> None:
    """It has no slug of an original: pages and data lead to the one of its own name."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/node.md": None}, DAYS[2])
    site = built(folder)
    (node,) = (one for one in json.loads(site["glossary.json"])["terms"] if one["slug"] == "node")
    (french,) = node["translations"]
    assert (french["state"], french["url"]) == ("orphaned", "fr/term/noeud/")
    assert "<dfn>Nœud</dfn>" in site["fr/term/noeud/index.html"]
    assert (
        '<a href="../fr/term/noeud/index.html" title="Original removed">'
        in site["translations/index.html"]
    )


def test_a_translation_that_no_release_has_yet_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its page has the words of the original until a release has it; the command reports its state
    at the commit."""
    folder = tmp_path / "project"
    made = repository(folder)
    texts = {"cache": term("Cache", CACHE), "node": term("Node", NODE)}
    made.commit({f"{EN}/{name}.md": text for name, text in texts.items()}, day=DAYS[0])
    made.commit({f"{FR}/node.md": term("Nœud", NODE_FR)}, day=DAYS[1])
    made.git("tag", "v1.0")
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[2])
    site = built(folder, SITE + SETTINGS.replace('by = "day"\n', ""))
    assert CACHE in site["fr/term/cache/index.html"]
    assert NODE_FR in site["fr/term/node/index.html"].replace("&#39;", "'")
    assert '<span class="visually-hidden">Missing</span></td>' in site["translations/index.html"]
    assert (
        sitegen(["translations", "--advisory", "--glossary", str(folder)], standalone_mode=False)
        == 0
    )
    assert capsys.readouterr().out == "fr: 2 up-to-date\n"


def test_headings_of_a_definition_are_one_level_below_the_name_of_the_term(tmp_path: Path) -> None:
    """No level is skipped: in a definition, in a frozen one, and in the difference of the
    original."""
    folder = tmp_path / "project"
    made = repository(folder)
    texts = [f"{words}\n\n## The problem\n\n{NODE}" for words in (CACHE, CACHE_2, CACHE_FR)]
    made.commit({f"{EN}/cache.md": term("Cache", texts[0])}, day=DAYS[0])
    made.commit({f"{FR}/cache.md": term("Le cache", texts[2])}, day=DAYS[1])
    made.commit({f"{EN}/cache.md": term("Cache", texts[1])}, day=DAYS[2])
    site = built(folder)
    for page in ("term/cache", f"term/cache/{DAYS[0]}", "fr/term/cache"):
        levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", site[f"{page}/index.html"])]
        assert levels[:2] == [1, 2]
        assert all(after <= before + 1 for before, after in pairwise(levels)), (page, levels)


def test_other_languages_of_the_interface_are_marked(tmp_path: Path) -> None:
    """Persian has no interface of its own: pages are in English, in its direction, and mark its
    words."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    made.commit({"docs/fa/cache.md": term("حافظه", "نتایج را دارد.")}, day=DAYS[1])
    site = built(folder, SITE + SETTINGS.replace('"fr"', '"fa"').replace("docs/fr", "docs/fa"))
    page = site["fa/term/cache/index.html"]
    assert '<html lang="en" dir="rtl"' in page and '<div lang="fa">' in page
