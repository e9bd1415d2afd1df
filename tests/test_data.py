"""glossary.json: the whole result as data, and its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
from glossaries import Glossary, source, with_entries
from referencing import Registry, Resource
from sites import export_files, glossary, site_of, templates

from sitegen.config.tables import Rename
from sitegen.model import Status
from sitegen.model.terms import ChangeKind
from sitegen.site.exports.data import DataStatus
from sitegen.site.site import Site

ROOT = Path(__file__).parent.parent

RELEASES = {
    "1.0": {
        "Storage/ state image": "A fixed pointer to the state of a volume.",
        "tape": "Slow and cheap.",
    },
    "1.1": {"Storage/ snapshot; capture": "A fixed pointer to the state of a volume."},
    "1.2": None,
    "2.0": {
        "Storage/ snapshot; capture": "Deprecated. Use checkpoint instead.",
        "checkpoint": "A pointer that the system makes.",
        "save point": "Same as checkpoint.",
    },
}


def validator(name: str) -> jsonschema.Draft202012Validator:
    """Returns the published schema of this name, which may refer to the others."""
    schemas = {
        f"{one}.schema.json": json.loads(templates()[f"{one}.schema.json"])
        for one in ("glossary", name)
    }
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    resources = [(address, Resource.from_contents(schema)) for address, schema in schemas.items()]
    return jsonschema.Draft202012Validator(
        schemas[f"{name}.schema.json"], registry=Registry().with_resources(resources)
    )


def data(site: Site) -> Any:
    files = {file.path: file.content for file in export_files(site)}
    published = json.loads(files["glossary.json"])
    validator("glossary").validate(published)
    return published


def term(site: Site, name: str) -> Any:
    return next(term for term in data(site)["terms"] if term["name"] == name)


def test_the_head_says_what_was_read() -> None:
    """The data begin with the site and its sources, with their releases in order."""
    published = data(glossary(RELEASES, base_url="https://example.org/"))
    assert published["title"] == "Example glossary"
    assert published["base_url"] == "https://example.org/"
    assert published["generator"].startswith("sitegen ")
    [about] = published["sources"]
    assert (about["id"], about["title"]) == ("example", "Example")
    assert [release["name"] for release in about["releases"]] == ["1.0", "1.1", "1.2", "2.0"]
    assert about["releases"][0] == {"name": "1.0", "date": None, "link": "", "unreleased": False}


def test_a_term_that_the_newest_release_does_not_have_is_not_current() -> None:
    """A term whose newest release could not be read is unread; another source that defines it makes
    it current."""
    words: Glossary = {"1.0": {"tape": "Slow and cheap."}, "1.1": None}
    [tape] = data(glossary(words))["terms"]
    assert (tape["status"], tape["definition"]["release"]) == ("unread", "1.0")
    [tape] = data(site_of(source("one", words), source("two", {"3": {"tape": "Slow."}})))["terms"]
    assert tape["status"] == "current"


def test_further_keys_of_a_term_file_are_metadata() -> None:
    """A definition has the keys of the term's front matter that have no meaning here; without any,
    it has none."""
    read = source("tools", {"1.0": {"saw": "Cuts.", "jig": "Holds."}})
    (release,) = read.releases
    saw, jig = release.entries
    saw = saw._replace(text=replace(saw.text, metadata=(("tags", ("wood", "metal")),)))
    release = with_entries(release, "tools", [saw, jig])
    site = site_of(replace(read, releases=(release,)))
    assert term(site, "saw")["definition"]["metadata"] == {"tags": ["wood", "metal"]}
    assert "metadata" not in term(site, "jig")["definition"]


def test_a_term_with_all_its_facts() -> None:
    """A term has its names, its status and its current words."""
    snapshot = term(glossary(RELEASES), "snapshot")
    assert (snapshot["slug"], snapshot["url"]) == ("snapshot", "term/snapshot/")
    assert snapshot["status"] == "deprecated"
    assert snapshot["names"] == [
        {"text": "snapshot", "status": "preferred"},
        {"text": "capture", "status": "admitted"},
    ]
    assert snapshot["former_names"] == [{"text": "state image", "until": "1.1"}]
    assert snapshot["former_slugs"] == ["state-image"]
    assert snapshot["replaced_by"] == "checkpoint"
    assert snapshot["synonym_of"] is None
    assert snapshot["definition"] == {
        "text": "Deprecated. Use checkpoint instead.",
        "summary": "Deprecated. Use checkpoint instead.",
        "source": "example",
        "release": "2.0",
    }


def test_history_has_a_row_for_each_change() -> None:
    """Each change names its release, the release it was compared with, and the location of the
    entry."""
    history = term(glossary(RELEASES), "snapshot")["history"]
    assert [(row["release"], row["previous"], row["kind"]) for row in history] == [
        ("1.0", None, "first-read"),
        ("1.1", "1.0", "renamed"),
        ("1.1", "1.0", "names-changed"),
        ("2.0", "1.1", "reworded"),
        ("2.0", "1.1", "deprecated"),
    ]
    assert history[0]["citation"] == {"path": "1.0/GLOSSARY.md", "line": 1}
    assert history[1]["before"] == {"name": "state image", "path": "1.0/GLOSSARY.md", "line": 1}
    assert history[1]["identity"] == {"rule": "same words", "reason": ""}


def test_removed_and_synonymous_terms() -> None:
    """A removed term keeps its last definition; a synonym names the term it refers to."""
    site = glossary(RELEASES)
    assert term(site, "tape")["status"] == "removed"
    assert term(site, "tape")["definition"]["text"] == "Slow and cheap."
    assert term(site, "save point")["synonym_of"] == "checkpoint"


def test_a_terms_own_file_says_what_it_was_in_every_release() -> None:
    """Each wording lists its releases by their ids on the term's page, and so does each gap."""
    files = {file.path: file.content for file in export_files(glossary(RELEASES))}
    snapshot, tape = (
        json.loads(files[f"term/{slug}/index.json"]) for slug in ("state-image", "tape")
    )
    assert [(row["first"], row["last"], row["releases"]) for row in snapshot["wordings"]] == [
        ("1.0", "1.0", {"r1.0": "1.0"}),
        ("1.1", "1.1", {"r1.1": "1.1"}),
        ("2.0", "2.0", {"r2.0": "2.0"}),
    ]
    assert (snapshot["absent"], snapshot["unread"]) == ({}, {"r1.2": "1.2"})
    assert (tape["absent"], tape["unread"]) == ({"r1.1": "1.1", "r2.0": "2.0"}, {"r1.2": "1.2"})
    assert json.loads(files["term/snapshot/index.json"]) == snapshot
    validator("term").validate(snapshot)
    assert (snapshot["language"], snapshot["standing"]) == (
        "en",
        "Deprecated since 2.0 · use checkpoint",
    )


def test_a_declared_rename_gives_its_reason() -> None:
    """The data contain renames from site.toml."""
    declared = site_of(
        source("example", {"1": {"a b": "One thing."}, "2": {"c d": "Another thing."}}),
        renames=(Rename(source="example", old="a b", new="c d", reason="clearer"),),
    )
    assert term(declared, "c d")["history"][1]["identity"] == {
        "rule": "declared",
        "reason": "clearer",
    }


def test_the_schema_refuses_what_it_does_not_know() -> None:
    """The schema refuses an unknown kind of change."""
    published = data(glossary(RELEASES))
    published["terms"][0]["history"][0]["kind"] = "exploded"
    assert not validator("glossary").is_valid(published)


def test_one_term_stands_on_each_line() -> None:
    """The file has one line for each term, so that two versions of it can be compared."""
    site = glossary(RELEASES)
    content = next(
        file.content for file in export_files(site) if file.path == "glossary.json"
    ).decode()
    assert len(content.splitlines()) == len(site.lives) + 2


def test_the_same_glossary_gives_the_same_bytes() -> None:
    """Exporting twice gives the same bytes."""
    assert list(export_files(glossary(RELEASES))) == list(export_files(glossary(RELEASES)))


def test_the_data_of_a_release_has_the_words_then_in_force() -> None:
    """The file of each release has every term it defined, in the wording of that release, and fits
    the schema."""
    glossary = {
        "1": {"ant": "Small.", "bee": "Makes honey in a hive of many."},
        "2": {"ant": "Small.", "wasp": "Makes honey in a hive of many."},
        "3": {"ant": "Six legs."},
    }
    made = {file.path: file.content for file in export_files(site_of(source("s", glossary)))}
    reported = {release: json.loads(made[f"release/{release}/index.json"]) for release in glossary}
    for one in reported.values():
        validator("release").validate(one)
    result = {
        release: [(term["name"], term["text"], term["since"]) for term in one["terms"]]
        for release, one in reported.items()
    }
    assert result == {
        "1": [("ant", "Small.", "1"), ("bee", "Makes honey in a hive of many.", "1")],
        "2": [("ant", "Small.", "1"), ("wasp", "Makes honey in a hive of many.", "1")],
        "3": [("ant", "Six legs.", "3")],
    }


def test_the_words_of_every_wording_are_in_the_data() -> None:
    """A term has a row for each run of releases with the same words, names and status."""
    rows = term(glossary(RELEASES), "snapshot")["wordings"]
    assert [
        (row["first"], row["last"], row["since"], row["name"], row["status"]) for row in rows
    ] == [
        ("1.0", "1.0", "1.0", "state image", "defined"),
        ("1.1", "1.1", "1.0", "snapshot", "defined"),
        ("2.0", "2.0", "2.0", "snapshot", "deprecated"),
    ]
    assert rows[0]["text"] == rows[1]["text"] == "A fixed pointer to the state of a volume."
    assert rows[1]["names"] == [
        {"text": "snapshot", "status": "preferred"},
        {"text": "capture", "status": "admitted"},
    ]
    assert rows[2]["url"] == "term/snapshot/2.0/"


def test_related_terms_are_in_the_data() -> None:
    """A term names the terms that its definition refers to."""
    site = glossary({"1": {"mast": "Carries a `sail`.", "sail": "Catches wind."}})
    assert term(site, "mast")["related"] == []
    linked = glossary(
        {"1": {"mast": '<p>Carries a <a href="term:sail">sail</a>.</p>', "sail": "Catches wind."}}
    )
    assert term(linked, "mast")["related"] == ["sail"]


@pytest.mark.parametrize(
    ("name", "kinds"), [("change", ChangeKind), ("term", DataStatus), ("name", Status)]
)
def test_the_schema_has_every_kind(name: str, kinds: object) -> None:
    """The enumerations of the schema are those of the program."""
    properties = json.loads(templates()["glossary.schema.json"])["$defs"][name]["properties"]
    assert list(get_args(kinds)) == properties["kind" if name == "change" else "status"]["enum"]


def keys(value: Any) -> Iterator[str]:
    """Yields the keys in JSON, at any depth."""
    if isinstance(value, list):
        for one in value:
            yield from keys(one)
    if isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from keys(one)


def test_every_key_is_described() -> None:
    """The schema and docs/data.md have every key that glossary.json has."""
    schema = templates()["glossary.schema.json"]
    document = (ROOT / "docs/data.md").read_text(encoding="utf-8")
    for name in sorted({*keys(data(glossary(RELEASES)))}):
        assert name in {*keys(json.loads(schema))}, name
        assert f"`{name}`" in document, name


def test_a_name_is_on_one_line() -> None:
    """A name that a document writes on two lines is on one in the data."""
    site = glossary({"1": {"state\n   image": "A pointer."}})
    data_of_term = term(site, "state image")
    assert data_of_term["names"][0]["text"] == data_of_term["wordings"][0]["name"] == "state image"
