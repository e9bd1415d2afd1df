"""The terms that references lead to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from glossaries import merged, source, with_documents, with_entries

from sitegen.history.lives import lives
from sitegen.history.references import Resolver, resolve_all
from sitegen.model import Document, Source
from sitegen.sources.parsed_sources import parsed

GLOSSARY = {
    "1": {
        "Compound Operation": "One.",
        "Kernel; kern": "Two.",
        "old name": "A long enough definition to tell.",
    },
    "2": {
        "Compound Operation": "One.",
        "Kernel; kern": "Two.",
        "new name": "A long enough definition to tell.",
    },
}


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("Compound Operation", "Compound Operation"),
        ("compound  operation", "Compound Operation"),
        ("Compound Operations", "Compound Operation"),
        ("kern", "Kernel"),
        ("old name", "new name"),
        ("nothing", None),
    ],
)
def test_references_find_terms(target: str, name: str | None):
    """A reference finds its term by any present or former name, in any case, and in the plural."""
    terms = merged(source("s", GLOSSARY)).terms
    expected = {
        term.courses[0].entries[-1].name: term.key for term in terms if term.courses[0].entries[-1]
    }
    assert Resolver(terms).resolve(target, source="s") == expected.get(name or "")


def test_a_name_is_of_the_term_that_has_it_now() -> None:
    """A present name of a term comes before a former name of another one."""
    own = {"old name": GLOSSARY["1"]["old name"]}
    new = {"new name": own["old name"]}
    terms = merged(source("s", {"1": own, "2": new, "3": {**new, "old name": "Other."}})).terms
    assert Resolver(terms).resolve("old name", source="s") == terms[1].key


def test_a_reference_may_be_an_anchor() -> None:
    """A name that no term has may be an anchor of one, as a key of YAML is."""
    read = source("s", {"1": {"Jig": "Holds."}})
    (release,) = read.releases
    (entry,) = release.entries
    entry = entry._replace(text=replace(entry.text, anchors=("box-jig",)))
    release = with_entries(release, "s", [entry])
    terms = merged(replace(read, releases=(release,))).terms
    assert Resolver(terms).resolve("box-jig", source="s") == terms[0].key


def test_an_anchor_may_be_a_name() -> None:
    """A link to a name without an anchor has hyphens in the place of its spaces, or its own; names
    of other sources do not matter."""
    other = source("t", {"1": {"Write back": "Three."}})
    terms = merged(source("s", {"1": {"Data frame": "One.", "Write-back": "Two."}}), other).terms
    resolver = Resolver(terms)
    found = [resolver.resolve(id, source="s") for id in ("#data-frame", "#write-back", "#x")]
    assert found == [terms[0].key, terms[1].key, None]


def test_an_anchor_is_of_the_term_that_has_it_now() -> None:
    """A present anchor of a term comes before the same anchor of a former wording, or of a removed
    term, which had headings below it."""
    read = source("s", {"1": {"Jig": "Holds."}, "2": {"Jig": "Holds all.", "Saw": "Cuts."}})
    first, second = read.releases
    above, below = second.entries
    below = below._replace(text=replace(below.text, anchors=("saw",)))
    (had_both,) = first.entries
    had_both = had_both._replace(text=replace(had_both.text, anchors=("jig", "saw")))
    for entries in ([above, below], [below]):
        releases = (with_entries(first, "s", [had_both]), with_entries(second, "s", entries))
        terms = merged(replace(read, releases=releases)).terms
        resolver = Resolver(terms)
        assert resolver.resolve("#saw", source="s") == terms[1].key
        assert resolver.resolve("#jig", source="s") == terms[0].key


def test_a_place_in_the_document_may_be_the_name_of_a_term() -> None:
    """A bold name is linked to as if it were a heading; an anchor has priority."""
    terms = merged(source("s", GLOSSARY)).terms
    expected = {
        term.courses[0].entries[-1].name: term.key for term in terms if term.courses[0].entries[-1]
    }
    resolver = Resolver(terms)
    assert resolver.resolve("#compound-operation", source="s") == expected["Compound Operation"]
    assert resolver.resolve("#compound-operation", source="other") is None
    assert resolver.resolve("#nothing", source="s") is None


@pytest.mark.parametrize(
    ("language", "singulars", "plurals"),
    [
        ("de", "Datei Haus Knoten Zustand Schlüssel", "Dateien Häuser Knotens Zustände Schlüsseln"),
        ("fr", "réseau cheval clé nœud", "réseaux chevaux clés nœuds"),
        ("es", "índice conexión nodo red", "índices conexiones nodos redes"),
        ("pt-BR", "mão servidor", "mãos servidores"),
        ("ru", "сеть файл определение ключ", "сетей файлов определения ключи"),
        ("ar", "مصطلح عقدة", "المصطلحات العقدة"),
        ("it", "nodo classe amico", "nodi classi amici"),
        ("nl", "knoop sleutel", "knopen sleutels"),
        ("en", "matrix index class", "matrices indices classes"),
        ("de", "Compound Operation", "Compound Operations"),
        ("zh", "容器", "容器"),
        ("ja", "ノード", "ノード"),
        ("ko", "노드", "노드"),
    ],
)
def test_plurals_find_their_terms(language: str, singulars: str, plurals: str) -> None:
    """A plural in the language of the site, or in English, leads to the one term that it may be
    of."""
    names = [singulars] if "Compound" in singulars else singulars.split()
    forms = [plurals] if "Compound" in plurals else plurals.split()
    terms = merged(source("s", {"1": {name: f"A text about {name}." for name in names}})).terms
    keys = {
        term.courses[0].entries[-1].name: term.key for term in terms if term.courses[0].entries[-1]
    }
    resolver = Resolver(terms, language=language)
    found = {plural: resolver.resolve(plural, source="s") for plural in forms}
    assert found == {plural: keys[name] for plural, name in zip(forms, names, strict=True)}


def test_dangling_references_are_reported_where_they_stand():
    """A reference to an unknown or removed term is a problem with its location, if a present
    definition has it: another one cannot be mended."""
    read = source(
        "s",
        {
            "1": {
                "a": "One.",
                "b": '<p><a href="term:nowhere">x</a></p>',
                "gone": "Was.",
                "c": '<p>See <a href="term:gone">it</a>, <a href="term:never">not this</a>.</p>',
            },
            "2": {
                "b": '<p>To <a href="term:nowhere">x</a> and <a href="term:a">a</a></p>',
                "c": "See.",
            },
        },
    )
    terms = merged(read).terms
    resolver = Resolver(terms)
    found = resolve_all(lives(terms, resolver=resolver), resolver)
    assert [str(problem).partition(";")[0] for problem in found.problems] == [
        "2/GLOSSARY.md:1: refers to “a”, which was removed (not defined since 2)",
        "2/GLOSSARY.md:1: refers to “nowhere”, which no source defines",
    ]
    assert set(found.targets) == {("s", "a"), ("s", "gone")}


def test_a_past_reference_of_another_term_hides_no_present_one() -> None:
    """A present reference to a removed term is reported, also if a later term had it before."""
    to_gone = '<p>See <a href="term:gone">it</a>.</p>'
    first = {"a": to_gone, "gone": "Was.", "z": to_gone}
    terms = merged(source("s", {"1": first, "2": {"a": to_gone, "z": "See."}})).terms
    resolver = Resolver(terms)
    found = resolve_all(lives(terms, resolver=resolver), resolver)
    assert [str(problem).partition(";")[0] for problem in found.problems] == [
        "2/GLOSSARY.md:1: refers to “gone”, which was removed (not defined since 2)",
    ]


@pytest.mark.parametrize(
    ("path", "text", "problems"),
    [
        ("g.adoc", "= Glossary\n\n== Saw\n\nCuts. See <<usage>>.\n", 0),
        ("g.md", "# Glossary\n\n## Saw\n\nCuts. See [it](#usage).\n", 1),
    ],
)
def test_a_link_of_asciidoc_may_lead_to_any_section(path: str, text: str, problems: int) -> None:
    """An anchor that no term has is that of a section of the book in AsciiDoc, and missing
    elsewhere."""
    document = Document(source="s", release="1", path=path, name=path, text=text)
    read = parsed(with_documents(Source(id="s", title="S", releases=()), [document]))
    terms = merged(read).terms
    resolver = Resolver(terms)
    found = resolve_all(lives(terms, resolver=resolver), resolver)
    assert len(found.problems) == problems


@pytest.mark.parametrize(
    ("name", "target", "problems"),
    [("a", "shop.Vice", 0), ("shop.Saw", "shop.Vice", 1), ("a", "Node.js", 1)],
)
def test_a_name_of_code_is_no_mistake(name: str, target: str, problems: int):
    """mkdocstrings links to objects of code as to terms; where terms have such names, one may be
    wrong."""
    read = source("s", {"1": {name: "One.", "b": f'<p><a href="term:{target}">x</a></p>'}})
    terms = merged(read).terms
    resolver = Resolver(terms)
    found = resolve_all(lives(terms, resolver=resolver), resolver)
    assert len(found.problems) == problems
