"""The forms for other tools: each passes an independent checker, and all agree with
glossary.json."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from glossaries import source
from hostile_sites import hostile
from lxml.html import fromstring
from sites import export_files, pages_of, read_site, site_of, with_settings

from sitegen.addresses import urls
from sitegen.site.exports.data import harmless
from sitegen.site.exports.escaping import fit_for_xml, one_line
from sitegen.site.messages import plain
from sitegen.site.site import Site

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

HERE = Path(__file__).parent
BASE = "https://example.org/words/"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
LABELS = ("prefLabel", "altLabel", "hiddenLabel")


def eventful() -> Site:
    """Returns a glossary with every kind of change, in two sources, without base_url."""
    manual = {
        "1.0": {
            "state image": "A pointer to a volume.",
            "tape": "Slow.",
            "ball": "Round.",
            "Old way": "As it was.",
        },
        "1.1": {
            "snapshot; capture": "A pointer to a volume.",
            "ball": "A round thing.",
            "Old way": "As it was.",
        },
        "2.0": {
            "snapshot; capture": "<p>Use a <a href='term:ball'>ball</a>.</p>",
            "ball": "Round.",
            "Old way": "Deprecated. Use ball instead.",
            "sphere": "Same as ball.",
        },
    }
    return site_of(
        source("manual", manual), source("guide", {"7": {"Ball": "It is round.", "empty": ""}})
    )


@pytest.fixture(params=["seeds", "sphinx", "pyramid", "hostile", "eventful"], scope="module")
def site(request: pytest.FixtureRequest) -> Site:
    """Three real glossaries, and two made up."""
    match request.param:
        case "seeds":
            return with_settings(
                read_site(request.getfixturevalue("shared") / "seeds"), base_url=BASE
            )
        case "sphinx" | "pyramid" as name:
            return read_site(request.getfixturevalue("shared") / "corpora" / name)
        case "hostile":
            return hostile()
        case _:
            return eventful()


@pytest.fixture(scope="module")
def files(site: Site) -> Mapping[str, bytes]:
    return {file.path: file.content for file in export_files(site)}


@dataclass(frozen=True, kw_only=True)
class CommandResult:
    """The facts about a term that every form contains."""

    name: str
    others: frozenset[str]
    former: frozenset[str]
    definition: str
    status: str
    synonym_of: str | None
    merged_into: str | None
    replaced_by: str | None


@pytest.fixture(scope="module")
def result(files: Mapping[str, bytes]) -> Mapping[str, CommandResult]:
    """Returns the facts of glossary.json by slug, with texts reduced to what other formats can
    hold."""
    return {term["slug"]: _said(term) for term in json.loads(files["glossary.json"])["terms"]}


def _said(term: Any) -> CommandResult:
    return CommandResult(
        name=one_line(term["name"]),
        others=frozenset(one_line(name["text"]) for name in term["names"][1:]),
        former=frozenset(one_line(name["text"]) for name in term["former_names"]),
        definition=fit_for_xml(term["definition"]["text"]),
        status=term["status"],
        synonym_of=term["synonym_of"],
        merged_into=term["merged_into"],
        replaced_by=term["replaced_by"],
    )


def test_pages_say_the_same(site: Site, result: Mapping[str, CommandResult]) -> None:
    """The page of each term has its name, its status and its definition, if it shows its own."""
    for slug, page in ((urls.slug_in(address), page) for address, page in pages_of(site).items()):
        if (
            page.template == "pages/term.html"
            and slug in result
            and page.address == urls.term(slug)
        ):
            term, context = result[slug], page.context
            assert one_line(plain(context["name"])) == term.name
            if term.synonym_of is None and term.merged_into is None:
                assert term.status in ("current", context["state"])
                shown = fromstring(f"<div>{context['definition']}</div>")
                assert _letters(shown.text_content()) == _letters(term.definition)


def _letters(text: str) -> str:
    """Returns the letters and digits of a text: pages lay out white space, code and formulas in
    their own way."""
    return "".join(filter(str.isalnum, text))


# SKOS.


def graph(content: bytes, format: str) -> Any:
    rdflib = pytest.importorskip("rdflib", reason="rdflib is not installed")
    return rdflib.Graph().parse(data=content, format=format, publicID=BASE)


@pytest.fixture(scope="module")
def skos(files: Mapping[str, bytes]) -> Any:
    return graph(files["glossary.ttl"], "turtle")


def test_skos_keeps_to_its_shapes(skos: Any) -> None:
    """SHACL finds nothing that breaks the rules of SKOS, or ours."""
    pyshacl = pytest.importorskip("pyshacl", reason="pyshacl is not installed")
    conforms, _, found = pyshacl.validate(skos, shacl_graph=str(HERE / "skos-shapes.ttl"))
    assert conforms, found


def test_skos_says_the_same(skos: Any, result: Mapping[str, CommandResult]) -> None:
    """Labels, definitions, status and relations of each concept equal those of glossary.json."""
    from rdflib import URIRef
    from rdflib.namespace import OWL, RDF

    def values(concept: Any, property: str) -> frozenset[str]:
        return frozenset(map(str, skos.objects(concept, URIRef(property))))

    def slug(concept: Any, property: str) -> str | None:
        return next(
            (value.removeprefix(f"{BASE}term/").strip("/") for value in values(concept, property)),
            None,
        )

    concepts = list(skos.subjects(RDF.type, URIRef(SKOS + "Concept")))
    assert {str(concept) for concept in concepts} == {f"{BASE}term/{slug}/" for slug in result}
    for concept in concepts:
        term = result[str(concept).split("/")[-2]]
        assert values(concept, SKOS + "prefLabel") == {term.name}
        assert values(concept, SKOS + "altLabel") == term.others - {term.name}
        assert values(concept, SKOS + "hiddenLabel") >= term.former - term.others - {term.name}
        assert values(concept, SKOS + "definition") == {term.definition} - {""}
        assert (next(skos.objects(concept, OWL.deprecated), None) is not None) == (
            term.status != "current"
        )
        assert slug(concept, DCTERMS + "isReplacedBy") == (term.merged_into or term.replaced_by)
        assert term.synonym_of in (
            None,
            *(str(one).split("/")[-2] for one in values(concept, SKOS + "related")),
        )
    labels = [str(label) for label in skos.objects(None, URIRef(SKOS + "prefLabel"))]
    assert len(set(labels)) == len(labels), "a preferred label belongs to one concept"


@pytest.mark.parametrize(("language", "ours"), [("en", "en"), ("nl", "en"), ("ar-EG", "ar-EG")])
def test_words_of_ours_are_in_their_own_language(language: str, ours: str) -> None:
    """In a language without a translated interface, names have that language and citations that of
    the interface."""
    site = with_settings(eventful(), language=language)
    read = graph({file.path: file.content for file in export_files(site)}["glossary.ttl"], "turtle")
    tags = {
        str(property).replace("#", "/").rpartition("/")[2]: value.language
        for _, property, value in read
        if hasattr(value, "language")
    }
    assert (tags["prefLabel"], tags["bibliographicCitation"]) == (language, ours)


def test_a_former_address_is_replaced() -> None:
    """The address of a former name leads to the term."""
    text = {file.path: file.content for file in export_files(eventful())}["glossary.ttl"].decode()
    assert "<term/state-image/> dcterms:isReplacedBy <term/snapshot/> ;" in text


# The table.


def table(files: Mapping[str, bytes]) -> list[dict[str, str]]:
    text = files["glossary.csv"].decode("utf-8-sig")
    return list(csv.DictReader(text.splitlines(keepends=True), strict=True))


def test_the_table_says_the_same(
    files: Mapping[str, bytes], result: Mapping[str, CommandResult]
) -> None:
    """A cell equals the value in glossary.json, except for apostrophes before possible formulas."""
    rows = {row["slug"]: row for row in table(files)}
    assert rows.keys() == result.keys()
    for slug, term in result.items():
        row = rows[slug]
        assert undone(row["name"]) == term.name
        others = undone(f"{row['other_names']}\n{row['avoid']}")
        assert set(others.split("\n")) - {""} == term.others
        assert set(undone(row["former_names"]).split("\n")) - {""} == term.former
        assert undone(row["definition"]) == term.definition
        assert (row["status"], row["synonym_of"] or None) == (term.status, term.synonym_of)
        assert (row["merged_into"] or None) == term.merged_into
        assert (row["replaced_by"] or None) == term.replaced_by


def undone(cell: str) -> str:
    """Returns a cell without the apostrophes that were added."""
    return re.sub(r"""((?:^|[,;|"\n\t])[\s"']*)'(?=[=+\-@＝＋－＠])""", r"\1", cell)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("quoted", [True, False])
def test_no_cell_is_a_formula(files: Mapping[str, bytes], delimiter: str, quoted: bool) -> None:
    """No cell begins like a formula, whichever separator a spreadsheet uses and whether it honors
    quotes."""
    text = files["glossary.csv"].decode("utf-8-sig")
    quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    cells = [
        cell
        for row in csv.reader(text.splitlines(), delimiter=delimiter, quoting=quoting)
        for cell in row
    ]
    assert len(cells) > len(files["glossary.csv"].splitlines()) / 2
    assert [
        cell
        for cell in cells
        if re.match(r"""[\s"']*[=+\-@＝＋－＠]""", cell) and not cell.strip(' "').startswith("'")
    ] == []


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("\t@x", "'@x"),
        ("\r\n-1", "'-1"),
        ("a;=1", "a;'=1"),
        ("a, +1", "a, '+1"),
        ('a "=1"', 'a ""=1""'),
        ("one\n- two", "one\n'- two"),
        ("＝1", "'＝1"),
        ("well-known, a=b, x@y", "well-known, a=b, x@y"),
        ("'=1", "''=1"),
    ],
)
def test_where_a_formula_might_begin_stands_an_apostrophe(text: str, cell: str) -> None:
    """Signs that begin a formula get an apostrophe at the beginning of a cell, and not within
    words."""
    assert harmless(text) == cell


def test_the_same_glossary_gives_the_same_forms(site: Site, files: Mapping[str, bytes]) -> None:
    """Writing them again gives the same bytes."""
    assert {file.path: file.content for file in export_files(site)} == files
